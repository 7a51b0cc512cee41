#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""A gas of many spheres from an equilibrated one: ed_tile.py STATE TIMES OUT [TEXT]

Positions are repeated TIMES times along each axis. Velocities are drawn anew (Maxwell, temperature 1, no drift):
in equilibrium they do not depend on positions, and copies would collide at the same moments for ever. TEXT: the
same for the program of Smallenburg (EDMD)."""
import sys

import h5py
import numpy as np


def main(source, times, out, text=None):
    times = int(times)
    with h5py.File(source) as old, h5py.File(out, "w") as new:
        for name in old:
            old.copy(name, new)
        for key, value in old.attrs.items():
            if key not in ("digest", "step", "time"):
                new.attrs[key] = value
        new.attrs["step"], new.attrs["time"] = np.int64(0), 0.0
        low, high = old["box"].attrs["low"], old["box"].attrs["high"]
        new["box"].attrs["high"] = low + times * (high - low)
        particles = new["particles"]
        n = len(particles["id"]) * times**3
        corner = np.stack(np.meshgrid(*3 * [np.arange(times)], indexing="ij"), axis=-1).reshape(-1, 1, 3)
        columns = {key: np.concatenate([column[:]] * times**3) for key, column in particles.items()}
        columns["position"] = (corner * (high - low) + old["particles/position"][:]).reshape(n, 3)
        columns["velocity"] = np.random.default_rng(1).normal(size=(n, 3))
        columns["velocity"] -= columns["velocity"].mean(axis=0)
        columns["id"] = np.arange(1, n + 1)
        for key, column in columns.items():
            kind = particles[key].dtype
            del particles[key]
            particles[key] = column.astype(kind)
    if text:
        with open(text, "w", encoding="ascii") as file:
            print(n, "\n%r %r %r" % tuple(map(float, low + times * (high - low))), sep="", file=file)
            for x, radius in zip(columns["position"].tolist(), columns["radius"].tolist()):
                print("a", *map(repr, x), repr(radius), file=file)


main(*sys.argv[1:])
