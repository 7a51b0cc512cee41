# SPDX-License-Identifier: BSD-3-Clause
"""Profiles: those that a run measured, and layers of the grains of one frame."""
import numpy as np

from .quantity import Array
from .table import Table

AXES = "xyz"


def is_profile(table):
    """Bins begin with their bounds: "r low", "r high"; slabs have theirs before them."""
    heads = list(table.columns)
    return len(heads) > 3 and heads[0].endswith(" low") and heads[1].endswith(" high")


def along(table):
    """Direction of the bins: x, y, z or r."""
    bounds = [label for label in table.columns if label.endswith(" low")]
    return bounds[-1].split()[0]


def slabs(table):
    """One table for each slab, with its bounds; a single one with None if there are no slabs."""
    bounds = [label for label in table.columns if label.endswith(" low")]
    if len(bounds) < 2:
        return [(None, None, table)]
    low = np.asarray(table[bounds[0]])
    high = np.asarray(table[bounds[0].replace(" low", " high")])
    return [(float(one), float(high[low == one][0]), table[low == one]) for one in sorted(set(low))]


def places(table):
    """Where values of bins are drawn: the mean place of their grains, else the middle."""
    name = along(table)
    middle = 0.5 * (np.asarray(table[f"{name} low"]) + np.asarray(table[f"{name} high"]))
    if f"mean {name}" in table:
        mean = np.asarray(table[f"mean {name}"], float)
        middle = np.where(np.isfinite(mean), mean, middle)
    return Array(middle, table[f"{name} low"].unit, name)


def main_value(table):
    """The column that a reader looks for first: what turns in profiles along r, else the fastest velocity."""
    if "angular velocity" in table:
        return "angular velocity"
    velocities = [label for label in table.columns if label.startswith("velocity ")]
    if not velocities:
        return next(label for label in table.columns if not label.endswith((" low", " high")))
    spread = [np.nanmax(np.abs(np.nan_to_num(table[label]))) if len(table) else 0.0 for label in velocities]
    return velocities[int(np.argmax(spread))]


def highest_filled(layers):
    """Number of the highest slab that is at least half as full as the fullest."""
    counts = [np.nansum(table["grains"]) for _, _, table in layers]
    return max(k for k, count in enumerate(counts) if count > 0.5 * max(counts))


def layers(frame, direction=None, component="x", thickness=None):
    """Layers of a frame, one mean diameter thick: height of their middles, grains, solid fraction, mean and rms of a
    component of the velocity, as a table. Empty layers are left out."""
    direction = direction or ("y" if frame.box.flat else "z")
    axis, a = AXES.index(direction), AXES.index(component)
    height, radius = np.asarray(frame.position)[:, axis], np.asarray(frame.radius)
    velocity = np.asarray(frame.velocity)[:, a]
    thickness = thickness or 2.0 * radius.mean()
    lengths = np.diagonal(frame.box.edges)[:2] if frame.box.flat else np.diagonal(frame.box.edges)
    across = np.prod(np.delete(lengths, axis))
    filled = np.pi * radius ** 2 if frame.box.flat else 4.0 / 3.0 * np.pi * radius ** 3
    number = ((height - height.min()) / thickness).astype(int)
    rows = []
    for k in np.unique(number):
        here = number == k
        rows.append((height.min() + (k + 0.5) * thickness, here.sum(), filled[here].sum() / (across * thickness),
                     velocity[here].mean(), velocity[here].std()))
    heads = [f"{direction} [m]", "grains", "solid fraction", f"velocity {component} [m/s]", "rms velocity [m/s]"]
    return Table(heads, list(np.array(rows).T), "layers")


def top_layer(table):
    """Row of the highest layer that is at least half as full as most are."""
    return np.nonzero(np.asarray(table["grains"]) >= 0.5 * np.median(table["grains"]))[0][-1]


def filling_height(frame, sectors=32):
    """Highest point of the free grains (the first material) over each patch of the bottom, averaged: sectors of each
    ring of two mean diameters about the z axis."""
    free = np.asarray(frame.species) == 1
    x, y, z = np.asarray(frame.position)[free].T
    radius = np.asarray(frame.radius)[free]
    ring = (np.hypot(x, y) / (4.0 * radius.mean())).astype(int)
    sector = ((np.arctan2(y, x) / (2.0 * np.pi) + 0.5) * sectors).astype(int) % sectors
    top = np.full((ring.max() + 1, sectors), -np.inf)
    np.maximum.at(top, (ring, sector), z + radius)
    return float(top[np.isfinite(top)].mean())
