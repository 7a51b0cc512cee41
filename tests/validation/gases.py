# SPDX-License-Identifier: BSD-3-Clause
"""Gases of equal disks or spheres for validation cases: diameter, mass and temperature are 1, so that times
are in units of the diameter over the thermal speed."""
import math
import os
import subprocess

import h5py
import numpy as np

import cell_series

R3 = math.sqrt(3.0)


def contact_value(dimension, fraction):
    """g of Enskog's theory: Carnahan and Starling 1969; in two dimensions from P4 of Luding 2008 (1.25)."""
    if dimension == 3:
        return (1 - fraction / 2) / (1 - fraction) ** 3
    return p4(fraction) / (2 * fraction)


def p4(fraction):
    """p/(n T) - 1 of disks in a fluid, P4 of Luding 2008 (1.25)."""
    g = (1 - 7 * fraction / 16) / (1 - fraction) ** 2 - fraction ** 3 / 128 / (1 - fraction) ** 4
    return 2 * fraction * g


def free_time(dimension, fraction):
    """t_E, between two collisions of a grain."""
    g = contact_value(dimension, fraction)
    if dimension == 3:
        return math.pi / (24 * math.sqrt(math.pi) * fraction * g)
    return math.sqrt(math.pi) / (8 * fraction * g)


def hard(restitution, contact_time):
    return (f"contacts: [{{between: [m, m], rigid: {{restitution: {restitution!r}}}}}]\n"
            f"events: {{record: false, contact_time: {contact_time!r}}}")


def soft(restitution, contact_time):
    """Linear springs and dashpots with this duration of a contact; the reduced mass is 1/2."""
    stiffness = 0.5 * (math.pi ** 2 + math.log(restitution) ** 2) / contact_time ** 2
    return (f"contacts: [{{between: [m, m], normal: {{law: linear, stiffness: {stiffness!r}, "
            f"restitution: {restitution!r}, tension: allow}}}}]")


class Bench:
    """Runs a program in a scratch folder."""

    def __init__(self, program, scratch):
        self.program, self.scratch = program, scratch

    def scree(self, *arguments):
        subprocess.run([self.program, *arguments], check=True, cwd=self.scratch, stdout=subprocess.DEVNULL)

    def triangular(self, name, columns, rows, fraction):
        """A state file of disks on a triangular lattice, and its box."""
        edge = math.sqrt(math.pi / (2 * R3 * fraction))
        length = [columns * edge, rows * R3 / 2 * edge]
        path = os.path.join(self.scratch, name)
        with open(path + ".data", "w", encoding="ascii") as file:
            print(f"disks\n\n{columns * rows} atoms\n1 atom types\n\n0 {length[0]!r} xlo xhi\n0 {length[1]!r} ylo yhi\n"
                  "-0.5 0.5 zlo zhi\n\nAtoms # sphere\n", file=file)
            for k in range(columns * rows):
                x, y = (k % columns + 0.5 * (k // columns % 2) + 0.25) * edge, (k // columns + 0.5) * R3 / 2 * edge
                print(k + 1, 1, 1.0, 6 / math.pi, repr(x), repr(y), 0.0, file=file)
            velocity = np.random.default_rng(1).normal(size=(columns * rows, 2))
            velocity -= velocity.mean(axis=0)
            velocity /= math.sqrt((velocity ** 2).mean())
            print("\nVelocities\n", file=file)
            for k, (vx, vy) in enumerate(velocity):
                print(k + 1, repr(vx), repr(vy), 0.0, 0.0, 0.0, 0.0, file=file)
        self.scree("import", "lammps", path + ".data", "-o", path + ".h5")
        return f"state: {{file: {path}.h5, materials: [m]}}", length

    def run(self, name, dimension, count, fraction, step, steps, **more):
        """Rows of the series of a gas. `more`: restitution, contact_time, of soft grains if `soft`; seed; `start`, a
        sample with its box if it is no lattice; `rows`, steps between rows, and `frames`."""
        volume = math.pi / (6 if dimension == 3 else 4)
        length = [(count * volume / fraction) ** (1 / dimension)] * dimension
        side = round(count ** (1 / dimension) + 0.4999)
        sample = (f"lattice: {{material: m, radius: 0.5, spacing: {length[0] / side * (1 - 1e-9)!r}, "
                  f"temperature: 1, count: {count}}}")
        if more.get("start") == "dense":
            sample = f"dense: {{material: m, radius: 0.5, temperature: 1, count: {count}}}"
        elif more.get("start"):
            sample, length = more["start"]
        corner = ", ".join(repr(x) for x in length)
        frames = f"snapshots: {{steps: {more['frames']}, fields: [image]}}, " if "frames" in more else ""
        path = os.path.join(self.scratch, name)
        with open(path + ".yaml", "w", encoding="ascii") as file:
            print(f"""method: {"md" if more.get("soft") else "ed"}
dimension: {dimension}
seed: {more.get("seed", 1)}
time: {{step: {step!r}, steps: {steps}}}
domain: {{low: [{", ".join("0" * dimension)}], high: [{corner}], periodic: [{", ".join("xyz"[:dimension])}]}}
materials: {{m: {{density: {1 / volume!r}}}}}
{(soft if more.get("soft") else hard)(more.get("restitution", 1), more.get("contact_time", 0))}
particles: [{sample}]
output: {{{frames}series: {{steps: {more.get("rows", 1)}}}, state: {str(more.get("state", False)).lower()}}}""", file=file)
        self.scree("run", path + ".yaml", "-o", path, "-q", "--force")
        return Rows(path, dimension, count, np.prod(length))


class Rows:
    """The series of a gas."""

    def __init__(self, folder, dimension, count, volume):
        rows = cell_series.table(folder, "series")
        self.folder, self.dimension, self.count, self.volume = folder, dimension, count, volume
        self.column = {key: np.array([row[key] for row in rows]) for key in rows[0]}

    def __getitem__(self, name):
        return self.column[name]

    def temperature(self):
        return 2 * self["kinetic energy"] / (self.dimension * self.count)

    def change(self, name, first):
        """From row `first` to the last."""
        return self[name][-1] - self[name][first]

    def free_time(self, first):
        """Mean time between collisions of a grain times the root of the temperature, from row `first` on."""
        collisions = 2 * self.change("collisions", first) / self.count
        return self.change("time", first) / collisions * math.sqrt(self.temperature()[first:].mean())

    def pressure(self, first):
        """Collisional over kinetic pressure, p/(n T) - 1, from row `first` on."""
        rate = self.change("sum over time of collisional pressure", first) / self.change("time", first)
        return rate * self.volume / (self.count * self.temperature()[first:].mean())

    def diffusion(self, first, near, far):
        """From mean squares of displacements over `near` and `far` frames, from frame `first` on."""
        with h5py.File(os.path.join(self.folder, "trajectory.001.h5")) as file:
            grains = file["particles/grains"]
            order = [np.argsort(ids) for ids in grains["id/value"][...]]
            length = self.volume ** (1 / self.dimension)
            place = np.array([(x + length * i)[o] for x, i, o in zip(
                grains["position/value"][...], grains["image/value"][...], order)])
            time = grains["position/time"][...]
        square = [((place[first + lag:] - place[first:-lag]) ** 2).sum(axis=2).mean() for lag in (near, far)]
        return (square[1] - square[0]) / (2 * self.dimension * (far - near) * (time[1] - time[0]))
