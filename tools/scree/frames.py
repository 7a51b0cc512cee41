# SPDX-License-Identifier: BSD-3-Clause
"""Frames of trajectories (H5MD) and state files: grains, box and contacts of one moment."""
import glob
import os

import h5py
import numpy as np

from .quantity import Array

UNITS_OF_STATE = {"position": "m", "velocity": "m/s", "angular_velocity": "rad/s", "radius": "m", "mass": "kg"}


def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)


class Box:
    """`edges`: the three edges as rows; `low`: the lower corner; `periodic`: of each direction; `sectors`: of a wedge
    about `axis`, 1 if it is none."""

    def __init__(self, low, edges, periodic, wedge=None):
        self.low, self.edges = np.asarray(low, float), np.asarray(edges, float)
        self.periodic = np.asarray(periodic, bool)
        self.sectors, self.axis = (1, 2) if wedge is None else (int(wedge[0]), int(wedge[1]))

    @property
    def high(self):
        return self.low + np.diagonal(self.edges)

    @property
    def flat(self):
        """Of two dimensions?"""
        return self.edges[2, 2] <= 0.0

    @property
    def volume(self):
        lengths = np.diagonal(self.edges)
        return float(np.prod(lengths[:2] if self.flat else lengths))

    def nearest(self, apart, place=None):
        """Differences of places as seen from the nearest image: in a leaning box z first, then y, then x. In a wedge
        `place` is the place that they lead away from."""
        apart = np.array(apart, float)
        for a in reversed(range(3)):
            edge = self.edges[a]
            if self.periodic[a] and edge[a] > 0:
                apart -= np.round(apart[:, a] / edge[a])[:, None] * edge
        if self.sectors > 1 and place is not None:
            apart = self.nearest_sector(apart, place)
        return apart

    def nearest_sector(self, apart, place):
        best, distance = apart, np.sum(apart ** 2, axis=1)
        for turn in (-1, 1):
            there = rotate(place + apart, self.axis, 2.0 * np.pi * turn / self.sectors) - place
            closer = np.sum(there ** 2, axis=1) < distance
            best = np.where(closer[:, None], there, best)
            distance = np.sum(best ** 2, axis=1)
        return best


def rotate(place, axis, angle):
    u, v = (axis + 1) % 3, (axis + 2) % 3
    turned = np.array(place, float)
    c, s = np.cos(angle), np.sin(angle)
    turned[:, u] = c * place[:, u] - s * place[:, v]
    turned[:, v] = s * place[:, u] + c * place[:, v]
    return turned


class MissingField(AttributeError, KeyError):
    """Something that the run was not asked to write."""


def find_field(fields, name, whose):
    if name.startswith("_") or name == "fields":  # asked for by copy and pickle before there are any
        raise AttributeError(name)
    if name not in fields:
        raise MissingField(f"the {whose} have no '{name}'; there are: {', '.join(fields)}")
    return fields[name]


class Contacts:
    """Contacts of a frame: `pairs` (ids; walls are -1 - w), `rows` (of the grains in the arrays of the frame; twice
    that of the grain for walls), `force` on the first grain, `overlap`, `sliding`, `history` as far as written."""

    def __init__(self, frame, fields):
        self.frame, self.fields = frame, fields

    def __len__(self):
        return len(self.fields["pairs"])

    def __contains__(self, name):
        return name in self.fields

    def __getattr__(self, name):
        return find_field(self.fields, name, "contacts")

    @property
    def wall(self):
        """Number of the wall, from 0; -1 for contacts between grains."""
        second = np.asarray(self.fields["pairs"])[:, 1]
        return np.where(second < 0, -1 - second, -1)

    @property
    def branch(self):
        """From the second grain to the first one, in its nearest image; of a wall: from where the force points to."""
        place, rows = np.asarray(self.frame.position), np.asarray(self.fields["rows"])
        first = place[rows[:, 0]]
        branch = -self.frame.box.nearest(place[rows[:, 1]] - first, first)
        walls = self.wall >= 0
        if walls.any() and "force" in self.fields:
            force = np.asarray(self.fields["force"])[walls]
            size = np.linalg.norm(force, axis=1, keepdims=True)
            away = np.divide(force, size, out=np.zeros_like(force), where=size > 0)
            branch[walls] = away * np.asarray(self.frame.radius)[rows[walls, 0], None]
        return Array(branch, "m", "branch")

    @property
    def normal(self):
        """Unit vectors along the branches, towards the first grain."""
        branch = np.asarray(self.branch)
        length = np.linalg.norm(branch, axis=1, keepdims=True)
        return Array(np.divide(branch, length, out=np.zeros_like(branch), where=length > 0), "", "normal")

    @property
    def normal_force(self):
        """Positive if the grains push each other apart."""
        return Array(np.einsum("ca,ca->c", np.asarray(self.force), np.asarray(self.normal)), "N",
                     "normal force")

    @property
    def between_grains(self):
        return self.wall < 0


class Frame:
    """Grains of one moment. Fields are attributes or items: frame.position, frame["velocity"]; `time`, `step`,
    `box`, `contacts` (None if there are none), `materials`, `observables`."""

    def __init__(self, fields, box, time, step, materials=(), contacts=None, title="", observables=None):
        self.fields, self.box, self.time, self.step = fields, box, time, step
        self.materials, self.title = list(materials), title
        self.observables = observables or {}
        self.contacts = Contacts(self, contacts) if contacts else None

    def __len__(self):
        return len(self.fields["id"])

    def __contains__(self, name):
        return name in self.fields

    def __getitem__(self, name):
        return find_field(self.fields, name, "grains of the frame")

    def __getattr__(self, name):
        return find_field(self.fields, name, "grains of the frame")

    @property
    def unwrapped(self):
        """Places without the periods that grains have travelled taken back."""
        return Array(np.asarray(self.position) + np.asarray(self.image) @
                     (self.box.edges * self.box.periodic[:, None]), "m", "position")

    def where(self, chosen):
        """The frame with some of its grains only, and the contacts between these."""
        chosen = np.asarray(chosen)
        if chosen.dtype != bool:
            chosen = np.isin(np.arange(len(self)), chosen)
        contacts = None
        if self.contacts is not None:
            contacts = choose_contacts(self.contacts.fields, chosen)
        return Frame({name: value[chosen] for name, value in self.fields.items()}, self.box, self.time,
                     self.step, self.materials, contacts, self.title, self.observables)


def choose_contacts(fields, chosen):
    """Contacts whose grains are all chosen, with the rows that these have then."""
    new_row = np.cumsum(chosen) - 1
    rows = np.asarray(fields["rows"])
    both = chosen[rows].all(axis=1)
    found = {name: value[both] for name, value in fields.items()}
    found["rows"] = Array(new_row[rows[both]], "", "rows")
    return found


def rows_of(pairs, ids):
    """Where the grains of contacts stand in a frame, by their ids: the `rows` in the file are for drawing lines and
    leave out partners across the border of a wedge. Twice that of the grain for contacts with a wall."""
    order = np.argsort(ids)
    partners = np.where(pairs < 0, pairs[:, :1], pairs)
    place = order[np.minimum(np.searchsorted(ids, partners, sorter=order), len(ids) - 1)]
    known = (ids[place] == partners).all(axis=1) if len(ids) else np.zeros(len(pairs), bool)
    return place, known


def read_contacts(file, number, ids):
    group = file["connectivity/contacts"]
    written = np.asarray(group["pairs/value"][number])[:, 0] > 0
    fields = {}
    for key, item in group.items():
        if "value" in item and key != "rows":
            name = key.removeprefix("contact_")
            fields[name] = Array(item["value"][number][written], text_of(item["value"].attrs.get("unit", "")), name)
    rows, known = rows_of(np.asarray(fields["pairs"]), ids)
    found = {name: value[known] for name, value in fields.items()}
    found["rows"] = Array(rows[known], "", "rows")
    return found


def read_frame(file, number):
    grains = file["particles/grains"]
    steps = grains["position/step"]
    if not -len(steps) <= number < len(steps):
        raise KeyError(f"no frame {number}; there are {len(steps)}, from 0")
    here = np.asarray(grains["id/value"][number]) > 0  # a frame may have fewer rows than others
    fields = {}
    for key, item in grains.items():
        if key != "box" and "value" in item:
            unit = text_of(item["value"].attrs.get("unit", "")).replace(" s-1", "/s")
            fields[key] = Array(item["value"][number][here], unit, key.replace("_", " "))
    box = grains["box"]
    edges = np.asarray(box["edges/value"][number])
    low = box["offset/value"][number] if "offset" in box else np.zeros(3)
    made = Box(low, np.diag(edges) if edges.ndim == 1 else edges, box.attrs["periodic"], box.attrs.get("wedge"))
    contacts = read_contacts(file, number, np.asarray(fields["id"])) if "connectivity/contacts" in file else None
    materials = [text_of(name) for name in file["parameters/species"][...]] if "parameters/species" in file else []
    observables = {key: Array(item["value"][number], text_of(item["value"].attrs.get("unit", "")), key)
                   for key, item in file.get("observables", {}).items()}
    return Frame(fields, made, float(grains["position/time"][number]), int(steps[number]), materials, contacts,
                 text_of(file["parameters/title"][()]) if "parameters/title" in file else "", observables)


def read_state(file):
    attributes = file["box"].attrs
    low, high = np.asarray(attributes["low"], float), np.asarray(attributes["high"], float)
    edges = np.diag(high - low)
    if "tilt" in attributes:
        edges[1, 0], edges[2, 0], edges[2, 1] = attributes["tilt"]
    fields = {key: Array(value[...], UNITS_OF_STATE.get(key, ""), key.replace("_", " "))
              for key, value in file["particles"].items()}
    return Frame(fields, Box(low, edges, attributes["periodic"], attributes.get("wedge")),
                 float(file.attrs.get("time", 0.0)), int(file.attrs.get("step", 0)),
                 title=text_of(file.attrs.get("title", "")))


def read(path, frame=-1):
    """A state file, or one frame of a trajectory."""
    with h5py.File(path, "r") as file:
        return read_frame(file, frame) if "h5md" in file else read_state(file)


class Frames:
    """All frames of the trajectories of a run, in the order of time: frames[-1], len(frames), frames.times."""

    def __init__(self, paths):
        found = {}
        for path in sorted(paths):  # of a step that was computed twice, after a resume, the later file counts
            with h5py.File(path, "r") as file:
                position = file["particles/grains/position"]
                for k, (step, time) in enumerate(zip(position["step"][...], position["time"][...])):
                    found[int(step)] = (path, k, float(time))
        self.places = [found[step] for step in sorted(found)]
        self.times = Array([time for _, _, time in self.places], "s", "time")

    def __len__(self):
        return len(self.places)

    def __getitem__(self, number):
        if isinstance(number, slice):
            return [self[k] for k in range(*number.indices(len(self)))]
        try:
            path, k, _ = self.places[number]
        except IndexError:
            raise IndexError(f"no frame {number}; there are {len(self)}, from 0") from None
        return read(path, k)

    def __repr__(self):
        if not len(self):
            return "<no frames>"
        return f"<{len(self)} frames, t = {self.times[0]:.6g} to {self.times[-1]:.6g} s>"

    def near(self, time):
        """The frame nearest to a moment."""
        return self[int(np.argmin(np.abs(np.asarray(self.times) - time)))]


def find_trajectories(folder):
    return sorted(glob.glob(os.path.join(glob.escape(folder), "trajectory.*.h5")))
