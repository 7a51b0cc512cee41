# SPDX-License-Identifier: BSD-3-Clause
"""Stress probes after Kuhn, Suzuki and Daouadji: from one checkpoint, small strains in all directions of the plane of
axisymmetric strains and stresses (Rendulic's plane), with friction and without sliding; what differs is plastic.

Vectors (v, d) of that plane are orthonormal components, compression positive, 1 along the axis and 2 across it:
v = (e_1 + 2 e_2)/sqrt(3), d = sqrt(2/3) (e_1 - e_2), and likewise for stresses."""
import os
import shutil

import numpy as np

from . import launch, stresses, style
from .table import Table

NAMES = ("angle", "slides", "strain v", "strain d", "stress v [Pa]", "stress d [Pa]")
ROWS = 100  # of a series, while the sample is held
NO_SLIDING = 1e4  # friction with which nothing slides


def to_components(vector):
    """Along the axis and across it."""
    v, d = vector
    return v / np.sqrt(3) + d * np.sqrt(2 / 3), v / np.sqrt(3) - d / np.sqrt(6)


def to_vector(along, across):
    return np.stack([(along + 2 * across) / np.sqrt(3), np.sqrt(2 / 3) * (along - across)], -1)


class Campaign:
    """Probes from a run in a periodic box whose last three stages are one at rest, in which there is a checkpoint, and two
    that the probes replace: `probe` and `hold` (checkpoints know how many stages there are)."""

    def __init__(self, run, folder, axis="z", size=6e-6, steps=30, hold=2000, ranks=1, program=None):
        self.run, self.folder, self.axis = run, folder, axis
        self.size, self.steps, self.hold, self.ranks, self.program = size, steps, hold, ranks, program
        names = [one.get("name") for one in run.value("stages") or []]
        if run.flat or not all(run.value("domain.periodic", [])) or names[-2:] != ["probe", "hold"] or len(names) < 3:
            raise ValueError(f"{run.folder}: probes need a periodic box in three dimensions and three last stages: one at "
                             "rest, 'probe' and 'hold'")
        self.checkpoint, self.at_rest = self.find_checkpoint(names)

    def find_checkpoint(self, names):
        """The newest one of the stage at rest, and the steps of this stage until the probe can begin."""
        ends = {int(row): int(step) for row, step in zip(self.run.stages["stage"], self.run.stages["step"])}
        rest = len(names) - 2  # counted from 1
        found = [int(name.split(".")[1]) for name in os.listdir(self.run.folder)
                 if name.startswith("checkpoint.") and name.endswith(".h5")]
        inside = [step for step in found if ends.get(rest - 1, 0) < step < ends.get(rest, 0)]
        if not inside:
            raise ValueError(f"{self.run.folder}: no checkpoint in the stage '{names[rest - 1]}'; "
                             "'output: {checkpoint: {steps: N, keep: 20}}' writes some")
        return f"checkpoint.{max(inside):012d}.h5", max(inside) - ends.get(rest - 1, 0) + 1

    def settings(self, vector, slides):
        along, across = to_components(vector)
        time = self.steps * self.run.value("time.step")
        rates = {2 * a: float(-(along if a == self.axis else across) / time) for a in "xyz"}
        still = {"strain_rate": {2 * a: 0 for a in "xyz"}}
        *before, rest, _, _ = self.run.parameters["stages"]
        stages = [*before, {**rest, "until": {"steps": self.at_rest}},
                  {"name": "probe", "cell": {"strain_rate": rates}, "until": {"steps": self.steps}},
                  {"name": "hold", "cell": still, "until": {"steps": self.hold}}]
        settings = {"stages": stages, "output.series": {"steps": max(self.hold // ROWS, 1)}, "output.checkpoint.steps": 0}
        for k, pair in enumerate([] if slides else self.run.parameters["contacts"]):
            if "friction" in (pair.get("tangential") or {}):
                settings[f"contacts.{k}.tangential.friction"] = NO_SLIDING
        return settings

    def probe(self, name, vector, slides):
        """Stress after the probe as a vector: mean over the second half of the hold."""
        folder = os.path.join(self.folder, name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        shutil.copy(self.run.path(self.checkpoint), folder)
        with open(os.path.join(folder, "latest"), "w", encoding="utf-8") as file:
            file.write(self.checkpoint + "\n")
        series = launch.resume(folder, self.ranks, self.settings(vector, slides), self.program, change=True).series
        stress = np.asarray(stresses.tensor(series))[-ROWS // 2:].mean(axis=0)
        os.remove(os.path.join(folder, self.checkpoint))
        k = "xyz".index(self.axis)
        return to_vector(stress[k, k], np.mean([stress[j, j] for j in range(3) if j != k]))

    def collect(self, count=24, tell=None):
        """A table of `count` probes with sliding and as many without. What the sample does by itself, without any
        strain, is taken off."""
        rows = []
        angles = 2 * np.pi * np.arange(count) / count
        for slides in (True, False):
            word = "friction" if slides else "elastic"
            rest = self.probe(f"{word}-rest", np.zeros(2), slides)
            for k, angle in enumerate(angles):
                strain = self.size * np.array([np.cos(angle), np.sin(angle)])
                rows.append([angle, slides, *strain, *(self.probe(f"{word}-{k:03d}", strain, slides) - rest)])
                if tell:
                    tell(f"{word}: probe {k + 1} of {count}")
        return Table(NAMES, np.array(rows, float).T, "probes")


def elastic_stiffness(strain, stress):
    """The matrix C of stress = C strain, by least squares."""
    return np.linalg.lstsq(strain, stress, rcond=None)[0].T


def plastic(strain, stress, stiffness):
    """Angles of the stress increments and plastic strain per stress, in 1/Pa."""
    rest = strain - np.linalg.solve(stiffness, stress.T).T
    size = np.linalg.norm(stress, axis=1)
    return np.arctan2(stress[:, 1], stress[:, 0]), np.linalg.norm(rest, axis=1) / size


def circle(angle, size):
    """Diameter and direction of the circle through the origin, size = D cos(angle - direction), that fits the half of
    the points which are farthest out; D is the inverse of the plastic modulus. Elasto-plasticity has no other points."""
    direction = angle[np.argmax(size)]
    for _ in range(20):
        near = np.cos(angle - direction) > 0.5
        both = np.column_stack([np.cos(angle), np.sin(angle)])[near]
        a, b = np.linalg.lstsq(both, size[near], rcond=None)[0]
        direction = np.arctan2(b, a)
    return np.hypot(a, b), direction


def evaluate(table):
    """Angles, plastic strain per stress, diameter and direction of the circle, largest error of the elastic law."""
    strain = np.column_stack([table["strain v"], table["strain d"]])
    stress = np.column_stack([table["stress v"], table["stress d"]])
    slides = np.asarray(table["slides"]) > 0
    stiffness = elastic_stiffness(strain[~slides], stress[~slides])
    off = stress[~slides] - strain[~slides] @ stiffness.T
    angle, size = plastic(strain[slides], stress[slides], stiffness)
    return {"angle": angle, "size": size, "circle": circle(angle, size), "stiffness": stiffness,
            "elastic error": np.linalg.norm(off, axis=1).max() / np.linalg.norm(stress[~slides], axis=1).max()}


def plot(tables, title):
    """The points of each table (a dictionary by name) and their circles, in units of 1/GPa; figure."""
    made, axes = style.figure(1, 1, (6.6, 6.2))
    turn = np.linspace(0, 2 * np.pi, 200)
    for (name, table), colour, marker in zip(tables.items(), style.PALETTE, style.MARKERS):
        found = evaluate(table)
        diameter, direction = found["circle"]
        size, half = 1e9 * found["size"], 0.5e9 * diameter
        axes[0, 0].plot(size * np.cos(found["angle"]), size * np.sin(found["angle"]), marker, color=colour, markersize=5,
                        label=f"{name}: modulus {1e-6 / diameter:.3g} MPa, yield direction {np.degrees(direction):.1f}°")
        axes[0, 0].plot(half * (np.cos(direction) + np.cos(turn)), half * (np.sin(direction) + np.sin(turn)), "-",
                        color=colour, linewidth=1.0)
    axes[0, 0].axhline(0, color="0.6", linewidth=0.8)
    axes[0, 0].axvline(0, color="0.6", linewidth=0.8)
    axes[0, 0].set(aspect="equal", xlabel="plastic strain per stress, volumetric direction (1/GPa)",
                   ylabel="deviatoric direction (1/GPa)")
    axes[0, 0].margins(0.1)
    axes[0, 0].legend(loc="upper center", bbox_to_anchor=(0.5, -0.12))
    style.title(made, title)
    return made
