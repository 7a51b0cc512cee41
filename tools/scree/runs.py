# SPDX-License-Identifier: BSD-3-Clause
"""The results folder of a run, or of all runs of a sweep."""
import functools
import glob
import json
import os

from . import frames as frame_files
from . import grids as grid_files
from . import walls as wall_surfaces
from . import yaml_text
from .quantity import si
from .table import Table, read_table

MARKS = ("effective.yaml", "series.csv", "report.json", "state.h5")  # of a results folder
NO_MEASUREMENT = ("series", "stages")


def is_run(folder):
    return any(os.path.exists(os.path.join(folder, mark)) for mark in MARKS) or \
        bool(frame_files.find_trajectories(folder))


class Run:
    """What a run has written. Everything is read when it is asked for.

    series, stages     tables of that name (None if there is none)
    measurements       dictionary of the other tables; run["stress"] is short for one of them
    grids(NAME)        measured fields, window by window
    frames, state      frames of the trajectories; the grains at the end
    walls              forces, places and surfaces of walls, by name
    parameters         the effective input as nested dictionaries; value("time.step") is one in SI units
    report             report.json; empty while the run goes on
    provenance         title, version, commit, compiler, ranks, seed
    log, warnings      lines of log.txt
    """

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.name = os.path.basename(self.folder)

    def __repr__(self):
        return f"<run {self.folder}: {self.title}>"

    def path(self, name):
        return os.path.join(self.folder, name)

    def has(self, name):
        return os.path.exists(self.path(name))

    def table(self, name):
        return read_table(self.path(name + ".csv")) if self.has(name + ".csv") else None

    @functools.cached_property
    def series(self):
        return self.table("series")

    @functools.cached_property
    def stages(self):
        return self.table("stages")

    @functools.cached_property
    def measurements(self):
        names = [os.path.splitext(os.path.basename(path))[0]
                 for path in sorted(glob.glob(os.path.join(glob.escape(self.folder), "*.csv")))]
        return {name: self.table(name) for name in names if name not in NO_MEASUREMENT}

    def __getitem__(self, name):
        table = self.series if name == "series" else self.stages if name == "stages" else \
            self.measurements.get(name)
        if table is None:
            raise KeyError(f"{self.folder}: no table '{name}'; there are: "
                           f"{', '.join(self.tables)}")
        return table

    @property
    def tables(self):
        own = [name for name in NO_MEASUREMENT if self.has(name + ".csv")]
        return own + list(self.measurements)

    @functools.cached_property
    def frames(self):
        return frame_files.Frames(frame_files.find_trajectories(self.folder))

    @functools.cached_property
    def state(self):
        for name in ("state.h5", "state-failed.h5"):
            if self.has(name):
                frame = frame_files.read(self.path(name))
                frame.materials = list(self.parameters.get("materials") or [])
                return frame
        return None

    def grids(self, name=None):
        """Measured fields, window by window: run.grids("grid")[-1]["velocity x"]."""
        return grid_files.find(self, name)

    def text(self, name):
        if not self.has(name):
            return ""
        with open(self.path(name), encoding="utf-8", errors="replace") as file:
            return file.read()

    @property
    def input(self):
        return self.text("input.yaml")

    @property
    def effective_input(self):
        return self.text("effective.yaml")

    @functools.cached_property
    def parameters(self):
        return yaml_text.read(self.effective_input) or {}

    def value(self, key, default=None):
        """One value of the input in SI units, named as for --set: value("contacts.0.normal.stiffness")."""
        here = self.parameters
        for part in key.split("."):
            try:
                here = here[int(part)] if isinstance(here, list) else here[part]
            except (KeyError, IndexError, ValueError, TypeError):
                return default
        return si(here)

    @functools.cached_property
    def report(self):
        return json.loads(self.text("report.json") or "{}")

    @property
    def title(self):
        return self.report.get("title") or self.parameters.get("title") or self.name

    @property
    def provenance(self):
        known = {key: self.report[key] for key in ("version", "commit", "compiler", "ranks", "digest")
                 if key in self.report}
        return {"title": self.title, **known, "seed": self.parameters.get("seed")}

    @functools.cached_property
    def log(self):
        return self.text("log.txt").splitlines()

    @property
    def warnings(self):
        return [line.removeprefix("warning:").strip() for line in self.log if line.startswith("warning:")]

    @property
    def flat(self):
        return self.parameters.get("dimension") == 2

    @property
    def ended(self):
        return bool(self.report)

    @functools.cached_property
    def walls(self):
        return wall_surfaces.walls_of(self)

    def refresh(self):
        """Forget what was read, so that a run that goes on is read anew."""
        self.__dict__ = {"folder": self.folder, "name": self.name}
        return self


def flatten(value, prefix=""):
    """{"time.step": "1 us", "contacts.0.normal.law": "linear", ...}"""
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list) and any(isinstance(one, (dict, list)) for one in value):
        items = enumerate(value)
    else:
        return {prefix[:-1]: value}
    found = {}
    for key, one in items:
        found.update(flatten(one, f"{prefix}{key}."))
    return found


class Sweep:
    """All runs in a folder, sorted by name: a sequence, or by name of the run."""

    def __init__(self, folder, runs):
        self.folder, self.runs = folder, runs

    def __len__(self):
        return len(self.runs)

    def __iter__(self):
        return iter(self.runs)

    def __getitem__(self, which):
        if isinstance(which, str):
            return {run.name: run for run in self.runs}[which]
        return self.runs[which]

    def __repr__(self):
        return f"<sweep {self.folder}: {len(self)} runs, which differ in {', '.join(self.differences) or 'nothing'}>"

    @functools.cached_property
    def differences(self):
        """The keys of the input in which the runs differ."""
        flat = [flatten(run.parameters) for run in self.runs]
        keys = {key: None for one in flat for key in one}
        return [key for key in keys if len({repr(one.get(key)) for one in flat}) > 1]

    def collect(self, *what):
        """A table with a row for each run: keys of the input, or functions of a run (named by their __name__)."""
        names = [one if isinstance(one, str) else one.__name__ for one in what]
        columns = [[run.value(one) if isinstance(one, str) else one(run) for run in self.runs] for one in what]
        return Table(names, columns, os.path.basename(self.folder))


def open_results(folder):
    """The run whose results are in `folder`, or all runs in the folders below it."""
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"there is no folder {folder}")
    if is_run(folder):
        return Run(folder)
    inside = sorted(os.path.join(folder, name) for name in os.listdir(folder))
    runs = [Run(one) for one in inside if os.path.isdir(one) and is_run(one)]
    if not runs:
        raise FileNotFoundError(f"{folder} holds no results")
    return Sweep(os.path.abspath(folder), runs)
