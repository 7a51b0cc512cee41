# SPDX-License-Identifier: BSD-3-Clause
"""Measured fields on a grid, NAME.STEP.h5 of the measurement `fields`, and their pictures."""
import glob
import os
import re

import h5py
import numpy as np

from . import style
from .quantity import Array


class Grid:
    """One window of a measurement of fields. grid["density"], grid["velocity x"], grid["contact stress xx"] are arrays
    over the cells; `axes` are names of directions, `edges` those of the cells along each, `time` is the end of the window."""

    def __init__(self, path):
        self.path = path
        with h5py.File(path) as file:
            head = {key: value.decode() if isinstance(value, bytes) else value for key, value in file.attrs.items()}
            self.name, self.time, self.step = str(head["name"]), float(head["time"]), int(head["step"])
            self.axes, self.components = str(head["axes"]).split(), str(head["components"]).split()
            self.edges = {a: Array(file["axes"][a][...], unit_of(file["axes"][a]), a) for a in self.axes}
            self.fields = {key: Array(one[...], unit_of(one), key.replace("_", " ")) for key, one in file["fields"].items()}
            self.input = file["parameters/input"][()].decode() if "parameters" in file else ""

    def __iter__(self):
        """Names of all components."""
        for key, values in self.fields.items():
            rank = values.ndim - len(self.axes)
            label = key.replace("_", " ")
            names = [""] if rank == 0 else self.components if rank == 1 else \
                [a + b for a in self.components for b in self.components]
            yield from (f"{label} {name}".strip() for name in names)

    def __getitem__(self, name):
        wanted = name.replace("_", " ")
        for key, values in self.fields.items():
            label = key.replace("_", " ")
            if wanted != label and not wanted.startswith(label + " "):
                continue
            rank, part = values.ndim - len(self.axes), wanted[len(label):].strip()
            if not part:
                return values
            names = self.components if rank == 1 else [a + b for a in self.components for b in self.components]
            if rank > 0 and part in names:
                flat = np.asarray(values).reshape(*values.shape[:len(self.axes)], -1)
                return Array(flat[..., names.index(part)], values.unit, wanted)
        raise KeyError(f"{self.name}: no field '{name}'; there are: {', '.join(self)}")


def unit_of(item):
    unit = item.attrs.get("unit", b"")
    unit = unit.decode() if isinstance(unit, bytes) else str(unit)
    return "" if unit == "1" else unit


def paths_of(run):
    """Files by measurement, in the order of time."""
    paths = {}
    for path in sorted(glob.glob(os.path.join(glob.escape(run.folder), "*.h5"))):
        match = re.fullmatch(r"(.+)\.\d{12}\.h5", os.path.basename(path))
        if match and match[1] != "checkpoint":
            paths.setdefault(match[1], []).append(path)
    return paths


def last_of_each(run):
    """The last grid of each measurement of fields."""
    return [Grid(paths[-1]) for paths in paths_of(run).values()]


def find(run, name=None):
    """The grids of a measurement in the order of time; without a name of the first one there is."""
    paths = paths_of(run)
    if name is not None and name not in paths:
        raise KeyError(f"{run.folder}: no fields '{name}'; there are: {', '.join(paths) or 'none'}")
    return [Grid(path) for path in paths.get(name or next(iter(paths), None), [])]


def usual(grid):
    """The largest component of the velocity."""
    names = [one for one in grid if one.startswith("velocity ")]
    return max(names, key=lambda one: np.nan_to_num(np.abs(np.asarray(grid[one]))).max())


def plot(run, name=None, value=None, window=-1):
    """A field of one direction as a line for each window, of two as a picture of one window; of three its middle slice
    across the last direction."""
    grids = find(run, name)
    if not grids:
        raise ValueError(f"{run.folder}: no fields; the measurement 'fields' writes them")
    grid = grids[window]
    value = value or usual(grid)
    values = grid[value]
    if values.ndim > len(grid.axes):
        raise KeyError(f"'{value}' has components: {', '.join(one for one in grid if one.startswith(value))}")
    if len(grid.axes) == 1:
        return line(run, grids, value)
    made, axes = style.figure(1, 1, (7.0, 5.6))
    shown, note = np.asarray(values), ""
    if len(grid.axes) == 3:
        middle = shown.shape[2] // 2
        place, label = style.scaled(grid.edges[grid.axes[2]])
        shown, note = shown[:, :, middle], f", {label} {place[middle]:.3g} to {place[middle + 1]:.3g}"
    (x, x_label), (y, y_label) = (style.scaled(grid.edges[a]) for a in grid.axes[:2])
    low, high = np.nanmin(shown), np.nanmax(shown)
    signed = low < -0.05 * high and high > -0.05 * low
    most = np.nanmax(np.abs(shown)) if signed else None
    painted = axes[0, 0].pcolormesh(x, y, shown.T, cmap=style.DIVERGING if signed else style.SEQUENTIAL,
                                    vmin=-most if signed else None, vmax=most, rasterized=True)
    axes[0, 0].set(xlabel=x_label, ylabel=y_label)
    if "phi" not in grid.axes[:2]:
        axes[0, 0].set_aspect("equal")
    axes[0, 0].grid(False)
    made.colorbar(painted, label=f"{value} ({values.unit})" if values.unit else value)
    style.title(made, f"{run.title}: {grid.name}, t = {grid.time:.4g} s{note}")
    return made


def line(run, grids, value, most=6):
    """At most six windows, from the first to the last."""
    made, axes = style.figure(1, 1, (7.0, 4.6))
    chosen = sorted({int(k) for k in np.linspace(0, len(grids) - 1, min(most, len(grids)))})
    for k, colour in zip(chosen, style.plt.get_cmap(style.SEQUENTIAL)(np.linspace(0.0, 0.85, len(chosen)))):
        edges, label = style.scaled(grids[k].edges[grids[k].axes[0]])
        axes[0, 0].plot(0.5 * (edges[1:] + edges[:-1]), grids[k][value], color=colour, label=f"{grids[k].time:.4g} s")
    unit = grids[-1][value].unit
    axes[0, 0].set(xlabel=label, ylabel=f"{value} ({unit})" if unit else value)
    axes[0, 0].legend(title="window until", fontsize=9)
    style.title(made, f"{run.title}: {grids[-1].name}")
    return made
