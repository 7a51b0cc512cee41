#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""A dense periodic mixture as a LAMMPS data file: mixture.py RATIO EDGE > FILE

Spheres of RATIO and of sqrt(RATIO) times the diameter 1 at random places, and between them small ones
(diameter 1) near the places of a cubic lattice, so many that they overlap: the state is meant to be
relaxed before use. RATIO 1: small ones alone."""
import sys

import numpy as np

ALONE = 0.66  # share of the box that equal spheres fill
LARGE, MIDDLE, SMALL = 0.20, 0.18, 0.40  # shares in a mixture
JITTER = 0.05


def spread(random, placed, diameter, edge, count):
    """Random sequential addition of `count` spheres beside those placed."""
    all_placed = np.concatenate([placed, np.full((count, 4), diameter)])
    n = len(placed)
    while n < len(all_placed):
        at = random.uniform(0.0, edge, 3)
        apart = all_placed[:n, :3] - at
        apart -= edge * np.round(apart / edge)
        reach = 0.5 * (all_placed[:n, 3] + diameter)
        if not ((apart**2).sum(axis=1) < reach**2).any():
            all_placed[n, :3] = at
            n += 1
    return all_placed


def free_places(placed, edge, n):
    """Places of a lattice of n^3 that are free of larger spheres; small ones may overlap with them."""
    line = (np.arange(n) + 0.5) * (edge / n)
    free = np.ones((n, n, n), dtype=bool)
    for x, y, z, diameter in placed:
        reach = 0.5 * (diameter + edge / n)
        apart = [line - centre for centre in (x, y, z)]
        square = [(a - edge * np.round(a / edge)) ** 2 for a in apart]
        near = [np.flatnonzero(s < reach**2) for s in square]
        block = (square[0][near[0]][:, None, None] + square[1][near[1]][None, :, None] +
                 square[2][near[2]][None, None, :])
        free[np.ix_(*near)] &= block >= reach**2
    return line[np.argwhere(free)]


def fill(random, placed, edge, count):
    """`count` places for small spheres, from the coarsest lattice that has as many."""
    n = int(edge)
    places = free_places(placed, edge, n)
    while len(places) < count:
        n += 1
        places = free_places(placed, edge, n)
    random.shuffle(places)
    return places[:count] + random.uniform(-JITTER, JITTER, (count, 3))


def main():
    ratio, edge = float(sys.argv[1]), float(sys.argv[2])
    random = np.random.default_rng(7)
    placed = np.empty((0, 4))
    count = edge**3 * 6.0 / np.pi  # spheres of diameter 1 with the volume of the box
    if ratio > 1.0:
        for diameter, share in ((ratio, LARGE), (ratio**0.5, MIDDLE)):
            placed = spread(random, placed, diameter, edge, int(share * count / diameter**3))
    small = fill(random, placed, edge, int(count * (SMALL if ratio > 1.0 else ALONE)))
    print(f"mixture of size ratio {ratio:g}\n\n{len(placed) + len(small)} atoms\n1 atom types\n")
    for axis in "xyz":
        print(f"0 {edge!r} {axis}lo {axis}hi")
    print("\nAtoms # sphere\n")
    for k, (x, y, z, diameter) in enumerate(placed):
        print(k + 1, 1, repr(float(diameter)), 1, repr(float(x)), repr(float(y)), repr(float(z)))
    for k, (x, y, z) in enumerate(small, start=len(placed)):
        print(k + 1, 1, 1, 1, repr(float(x)), repr(float(y)), repr(float(z)))


main()
