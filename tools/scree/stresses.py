# SPDX-License-Identifier: BSD-3-Clause
"""Stress and strain of a run, from whichever tables have them."""
import itertools

import numpy as np

from .quantity import Array
from .walls import vector

AXES = "xyz"
PARTS = ("kinetic", "normal", "tangential")  # of the measurement `stress`


def component(table, name):
    """A component of the stress: of its own, or the sum of the parts that were measured. A shear component that only
    one of the two triangles has serves for both."""
    for label in (name, name[::-1]):
        if f"stress {label}" in table:
            return table[f"stress {label}"]
        parts = [table[f"{part} {label}"] for part in PARTS if f"{part} {label}" in table]
        if parts:
            return Array(sum(np.asarray(part) for part in parts), parts[0].unit, f"stress {name}")
    return None


def tensor(table):
    """Stresses of each row as matrices (n, D, D), compression positive; None if the table has none."""
    flat = component(table, "zz") is None or (component(table, "zz").unit == "N/m")
    axes = AXES[:2] if flat else AXES
    found = {pair: component(table, pair) for pair in map("".join, itertools.product(axes, axes))}
    if any(one is None for one in found.values()):
        return None
    rows = np.stack([np.stack([np.asarray(found[a + b]) for b in axes], -1) for a in axes], -2)
    return Array(0.5 * (rows + np.swapaxes(rows, 1, 2)), found["xx"].unit, "stress")


def mean_and_deviator(stress):
    """p = tr/D and q: half the difference of the principal stresses in two dimensions, sqrt(3 J2) in three, which is
    their difference in a triaxial test."""
    stress = np.asarray(stress)
    dimension = stress.shape[-1]
    p = np.trace(stress, axis1=-2, axis2=-1) / dimension
    deviator = stress - p[..., None, None] * np.eye(dimension)
    second = np.einsum("...ab,...ab", deviator, deviator)
    return p, np.sqrt(0.5 * second) if dimension == 2 else np.sqrt(1.5 * second)


def table_of(run):
    """The table with stresses: a measurement, else the series of a box that deforms."""
    for table in run.measurements.values():
        if "time" in table and component(table, "xx") is not None and component(table, "yy") is not None:
            return table
    if run.series is not None and component(run.series, "yy") is not None:
        return run.series
    return None


def strains_of_cell(series):
    found = {pair: series[f"strain {pair}"] for pair in ("xx", "yy", "zz", "xy", "xz", "yz")
             if f"strain {pair}" in series}
    return {pair: one for pair, one in found.items() if np.ptp(one) > 0}


def normal_of(wall):
    """Direction and axis of a plane; None of other walls."""
    if getattr(wall, "spec", {}).get("shape") != "plane":
        return None
    normal = vector(wall.spec["normal"])
    return normal, int(np.argmax(np.abs(normal)))


def places_of(wall, n):
    """Where a wall is in each row of the series; where it was given if it does not move."""
    if wall.position is not None and len(wall.position) == n:
        return np.asarray(wall.position)
    return np.tile(vector(wall.spec["point"]), (n, 1))


def pairs_of_planes(run):
    planes = [wall for wall in run.walls.values() if normal_of(wall) is not None]
    for k, wall in enumerate(planes):
        normal, axis = normal_of(wall)
        for other in planes[:k]:
            other_normal, other_axis = normal_of(other)
            if axis == other_axis and normal[axis] * other_normal[axis] < 0:
                yield wall, other, axis


def strain_of_walls(run):
    """Strain by the two planes across from each other that move most against each other: shortening over their
    distance at the start, or way sideways over the distance of that moment, whichever is larger."""
    best = None
    for wall, other, axis in pairs_of_planes(run):
        apart = places_of(wall, len(run.series)) - places_of(other, len(run.series))
        height = np.abs(apart[:, axis])
        if not (height > 0).all():
            continue
        way = np.delete(apart - apart[0], axis, axis=1)
        mover = wall if wall.position is not None else other
        for values, what in ((1.0 - height / height[0], f"shortening by {mover.name}"),
                             (np.linalg.norm(way, axis=1) / height, f"shear by {mover.name}")):
            if best is None or np.ptp(values) > np.ptp(best):
                best = Array(values, "", what)
    return best if best is not None and np.ptp(best) > 0 else None


def strain(run, column=None):
    """The strain that a stress is drawn against, in the rows of series.csv: a column, or what the run strains most;
    None if nothing does."""
    if run.series is None:
        return None
    if column is not None:
        return run.series[column]
    cell = strains_of_cell(run.series)
    if cell:
        pair = max(cell, key=lambda one: np.ptp(cell[one]))
        values = np.asarray(cell[pair])
        sign = 1.0 if values[-1] >= 0 else -1.0
        return Array(sign * values, "", f"{'' if sign > 0 else '-'}strain {pair}")
    return strain_of_walls(run)
