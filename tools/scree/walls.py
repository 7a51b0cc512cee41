# SPDX-License-Identifier: BSD-3-Clause
"""Walls of a run: their forces and places from series.csv, and their surfaces, to be drawn."""
import functools
import os

import numpy as np

from .quantity import Array, si

AROUND = 96  # corners of a circle
AXES = "xyz"


def vector(value, default=(0.0, 0.0, 0.0)):
    value = si(default if value is None else value)
    return np.array((list(value) + [0.0, 0.0, 0.0])[:3], float)


def unit(direction):
    return direction / np.linalg.norm(direction)


def across(direction):
    """Two unit vectors that make a right-handed frame with a direction."""
    helper = np.eye(3)[np.argmin(np.abs(direction))]
    first = unit(np.cross(helper, direction))
    return first, np.cross(unit(direction), first)


def turn(places, axis, angle, about):
    """Rotate places about an axis through a point (Rodrigues)."""
    axis, r = unit(axis), places - about
    c, s = np.cos(angle), np.sin(angle)
    return about + c * r + s * np.cross(axis, r) + (1.0 - c) * (r @ axis)[:, None] * axis


class Mesh:
    """Triangles of a surface, and lines that bring out its edges."""

    def __init__(self, places, triangles, lines=()):
        self.places = np.asarray(places, float).reshape(-1, 3)
        self.triangles = np.asarray(triangles, int).reshape(-1, 3)
        self.lines = [np.asarray(line, float) for line in lines]

    def within(self, inside):
        """What of it has its middle at places for which `inside` is true."""
        kept = inside(self.places[self.triangles].mean(axis=1)) if len(self.triangles) else np.zeros(0, bool)
        lines = []
        for line in self.lines:
            good = inside(0.5 * (line[1:] + line[:-1]))
            pieces = np.split(np.arange(len(good)), np.nonzero(~good)[0])
            lines += [line[[*(here := piece[good[piece]]), here[-1] + 1]] for piece in pieces if good[piece].any()]
        return Mesh(self.places, self.triangles[kept], lines)

    def moved(self, change):
        return Mesh(change(self.places) if len(self.places) else self.places, self.triangles,
                    [change(line) for line in self.lines])


def polygon(corners):
    corners = np.asarray(corners, float)
    fan = [(0, k, k + 1) for k in range(1, len(corners) - 1)]
    return Mesh(corners, fan, [np.vstack([corners, corners[:1]])])


def circle(centre, axis, radius):
    u, v = across(axis)
    angle = np.linspace(0.0, 2.0 * np.pi, AROUND + 1)[:, None]
    return centre + radius * (np.cos(angle) * u + np.sin(angle) * v)


def band(first, second):
    """The strip between two closed lines with as many corners."""
    n = len(first) - 1
    k = np.arange(n)
    triangles = np.vstack([np.stack([k, k + 1, n + 1 + k], 1), np.stack([k + 1, n + 2 + k, n + 1 + k], 1)])
    lines = [line for line in (first, second) if np.ptp(line, axis=0).max() > 0]
    return Mesh(np.vstack([first, second]), triangles, lines)


def clip_to_box(corners, low, high):
    """Sutherland and Hodgman: what of a convex polygon is in a box."""
    for a in range(3):
        for bound, sign in ((low[a], 1.0), (high[a], -1.0)):
            inside = [sign * (corner[a] - bound) >= -1e-9 * abs(high[a] - low[a]) for corner in corners]
            kept = []
            for k, corner in enumerate(corners):
                other, is_in = corners[k - 1], inside[k]
                if is_in != inside[k - 1]:
                    share = (bound - other[a]) / (corner[a] - other[a])
                    kept.append(other + share * (corner - other))
                if is_in:
                    kept.append(corner)
            corners = kept
            if len(corners) < 3:
                return []
    return corners


def plane_mesh(spec, low, high):
    point, normal = vector(spec["point"]), vector(spec["normal"])
    u, v = across(normal)
    reach = np.linalg.norm(high - low) + np.linalg.norm(point - 0.5 * (low + high))
    corners = [point + reach * (a * u + b * v) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    corners = clip_to_box(corners, low, high)
    return polygon(corners) if len(corners) > 2 else Mesh([], [])


def cylinder_mesh(spec, low, high):
    point, axis, radius = vector(spec["point"]), unit(vector(spec.get("axis"), (0, 0, 1))), si(spec["radius"])
    if spec.get("length") is not None:
        ends = (0.0, si(spec["length"]))
    else:  # through the box
        corners = np.array(np.meshgrid(*zip(low, high))).reshape(3, -1).T
        ends = np.percentile((corners - point) @ axis, [0, 100])
    return band(*(circle(point + end * axis, axis, radius) for end in ends))


def cone_mesh(spec, *_):
    point, axis = vector(spec["point"]), unit(vector(spec.get("axis"), (0, 0, 1)))
    return band(circle(point, axis, si(spec["radius"])),
                circle(point + si(spec["length"]) * axis, axis, si(spec["end_radius"])))


def ring_mesh(spec, *_):
    centre, normal = vector(spec["centre"]), vector(spec.get("normal"), (0, 0, 1))
    inner, outer = si(spec.get("inner", 0.0)), si(spec.get("outer", spec.get("radius")))
    return band(circle(centre, normal, inner), circle(centre, normal, outer))


def sphere_mesh(spec, *_):
    centre, radius = vector(spec["centre"]), si(spec["radius"])
    polar = np.linspace(0.0, np.pi, 25)
    rows = [circle(centre + radius * np.cos(p) * np.eye(3)[2], np.eye(3)[2], radius * np.sin(p)) for p in polar]
    bands = [band(a, b) for a, b in zip(rows, rows[1:])]
    places = np.vstack([one.places for one in bands])
    offsets = np.cumsum([0] + [len(one.places) for one in bands[:-1]])
    return Mesh(places, np.vstack([one.triangles + n for one, n in zip(bands, offsets)]), [rows[12]])


def block_mesh(spec, *_):
    low, high = vector(spec["low"]), vector(spec["high"])
    corners = np.array([[(low, high)[k >> a & 1][a] for a in range(3)] for k in range(8)])
    faces = [(0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)]
    triangles = [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]
    return Mesh(corners, triangles, [corners[[*face, face[0]]] for face in faces])


def rectangle_mesh(spec, *_):
    corner, along, over = vector(spec["corner"]), vector(spec["along"]), vector(spec["across"])
    return polygon([corner, corner + along, corner + along + over, corner + over])


def segment_mesh(spec, *_):
    return Mesh([], [], [np.array([vector(spec["from"]), vector(spec["to"])])])


def read_stl(path):
    """Triangles of an STL file, text or binary, (n, 3, 3)."""
    with open(path, "rb") as f:
        data = f.read()
    n = int.from_bytes(data[80:84], "little")
    if len(data) == 84 + 50 * n:
        rows = np.frombuffer(data, [("normal", "<3f4"), ("corners", "<9f4"), ("rest", "<u2")], offset=84)
        return rows["corners"].reshape(-1, 3, 3).astype(float)
    words = data.split()
    at = np.array([k for k, word in enumerate(words) if word.lower() == b"vertex"], int)
    return np.array([[float(words[k + a]) for a in (1, 2, 3)] for k in at]).reshape(-1, 3, 3)


def sharp_edges(places, triangles):
    """Edges of one triangle only, or between triangles at more than 30 degrees."""
    corners = places[triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-300)[:, None]
    ends = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    of = np.tile(np.arange(len(triangles)), 3)
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    ends, of = ends[order], of[order]
    with_next = np.append((ends[1:] == ends[:-1]).all(axis=1), False)
    pairs = np.nonzero(with_next)[0]
    bent = pairs[np.abs((normal[of[pairs]] * normal[of[pairs + 1]]).sum(axis=1)) < np.cos(np.pi / 6)]
    alone = np.nonzero(~with_next & ~np.insert(with_next[:-1], 0, False))[0]
    return [places[pair] for pair in ends[np.concatenate([bent, alone])]]


def mesh_mesh(spec, *_):
    """Triangles of a file, of which a run keeps a copy in its folder."""
    kept = os.path.join(spec["folder"], os.path.basename(spec["file"]))
    places, triangles = np.unique(si(spec["unit"]) * read_stl(kept).reshape(-1, 3), axis=0, return_inverse=True)
    way = vector(spec.get("turn"))
    if np.linalg.norm(way) > 0.0:
        places = turn(places, way, np.linalg.norm(way), np.zeros(3))
    places, triangles = places + vector(spec.get("at")), triangles.reshape(-1, 3)
    return Mesh(places, triangles, sharp_edges(places, triangles))


SHAPES = {"mesh": mesh_mesh, "plane": plane_mesh, "cylinder": cylinder_mesh, "cone": cone_mesh, "disk": ring_mesh, "ring": ring_mesh,
          "sphere": sphere_mesh, "block": block_mesh, "rectangle": rectangle_mesh, "segment": segment_mesh}


def is_round_line(spec):
    return spec["shape"] in ("cylinder", "sphere")


class Wall:
    """One wall: `force`, `torque`, `position`, `angle` against time as far as series.csv has them (n, 3), and its
    surface."""

    def __init__(self, name, spec, run):
        self.name, self.spec, self.run = name, spec, run
        self.material = spec.get("material")

    def __repr__(self):
        return f"<wall {self.name}: {self.spec['shape']}>"

    def column(self, words):
        series = self.run.series
        return series[words] if series is not None and words in series else None

    def vectors(self, words):
        parts = [self.column(f"{words} {a}") for a in AXES]
        if any(part is None for part in parts):
            return None
        return Array(np.stack(parts, axis=1), parts[0].unit, words)

    force = property(lambda self: self.vectors(f"force on {self.name}"))
    torque = property(lambda self: self.vectors(f"torque on {self.name}"))
    position = property(lambda self: self.vectors(f"position of {self.name}"))
    tilt = property(lambda self: self.vectors(f"tilt of {self.name}"))
    angle = property(lambda self: self.column(f"angle of {self.name}"))

    def at(self, values, time):
        times = np.asarray(self.run.series["time"])
        values = np.asarray(values)
        if values.ndim == 1:
            return float(np.interp(time, times, values))
        return np.array([np.interp(time, times, values[:, a]) for a in range(3)])

    def pivot(self, time):
        """The point about which it turns: that of its axis, or its middle."""
        if self.position is not None and len(self.position):
            return self.at(self.position, time)
        of_turn = (self.spec.get("rotate") or {}).get("point")
        if of_turn is None and self.spec["shape"] in ("mesh", "block", "rectangle", "segment"):
            places = SHAPES[self.spec["shape"]](self.spec)
            places = places.places if len(places.places) else places.lines[0]
            return 0.5 * (places.min(axis=0) + places.max(axis=0))
        own = next((self.spec[key] for key in ("point", "centre", "corner", "low", "from") if key in self.spec), None)
        return vector(own if of_turn is None else of_turn)

    def mesh(self, low, high, time):
        """The surface at a moment, as far as it is within a box."""
        way = np.zeros(3)
        if self.position is not None and len(self.position):
            way = self.at(self.position, time) - np.asarray(self.position)[0]
        mesh = SHAPES[self.spec["shape"]](self.spec, low - way, high - way).moved(lambda r: r + way)
        turns = []
        if self.angle is not None and len(self.angle):
            axis = (self.spec.get("rotate") or self.spec.get("servo") or {}).get("axis")
            turns.append((unit(vector(axis, (0, 0, 1))), self.at(self.angle, time)))
        if self.tilt is not None and len(self.tilt):
            tilt = self.at(self.tilt, time)
            turns.append((tilt, np.linalg.norm(tilt)))
        for axis, angle in turns:
            if angle != 0.0:
                mesh = mesh.moved(functools.partial(turn, axis=axis, angle=angle, about=self.pivot(time)))
        return mesh


class Membrane:
    """An elastic sheet: its nodes are the first grains of the run, row upon row of a cylinder (src/membranes)."""

    def __init__(self, name, spec, first):
        self.name, self.spec, self.first = name, spec, first
        off, node = si(spec["radius"]) + si(spec["node_radius"]), si(spec["node_radius"])
        spacing = si(spec.get("spacing") or 1.5 * node)
        self.around = int(max(3, np.floor(2.0 * np.pi * off / spacing + 0.5)))
        side = 2.0 * off * np.sin(np.pi / self.around)
        self.rows = 1 + int(max(1, np.floor(si(spec["height"]) / (0.5 * np.sqrt(3.0) * side) + 0.5)))

    def __repr__(self):
        return f"<membrane {self.name}: {self.rows} rows of {self.around} nodes>"

    @property
    def ids(self):
        return np.arange(self.first, self.first + self.around * self.rows)

    def triangles(self):
        """Numbers of nodes, from 0; odd rows are shifted by half a place."""
        n, found = self.around, []
        column = np.arange(n)
        right = (column + 1) % n
        for row in range(self.rows - 1):
            a, b, c, d = row * n + column, row * n + right, (row + 1) * n + column, (row + 1) * n + right
            found += [(a, b, d), (a, d, c)] if row % 2 else [(a, b, c), (b, d, c)]
        return np.vstack([np.stack(three, axis=1) for three in found])

    def mesh(self, frame):
        order = np.argsort(np.asarray(frame.id))
        place = np.searchsorted(np.asarray(frame.id), self.ids, sorter=order)
        rows = order[np.minimum(place, len(order) - 1)]
        if not np.array_equal(np.asarray(frame.id)[rows], self.ids):
            return Mesh([], [])  # the frame has only some of the grains
        return Mesh(np.asarray(frame.position)[rows], self.triangles())


def box_faces(name, spec, periodic, flat):
    """The walls NAME.x_low ... of a box: none across periodic directions, nor across z in two dimensions."""
    low, high = vector(spec["low"]), vector(spec["high"])
    for a in range(2 if flat else 3):
        for end, point, sign in (("low", low, 1.0), ("high", high, -1.0)):
            if AXES[a] not in periodic:
                yield f"{name}.{AXES[a]}_{end}", {**spec, "shape": "plane", "point": list(point),
                                                  "normal": list(sign * np.eye(3)[a])}


def walls_of(run):
    """Walls and membranes of a run by name, in the order of their numbers."""
    found = {}
    periodic = (run.parameters.get("domain") or {}).get("periodic") or []
    for name, spec in (run.parameters.get("boundaries") or {}).items():
        if spec.get("shape") == "box":
            for face, plane in box_faces(name, spec, periodic, run.flat):
                found[face] = Wall(face, plane, run)
        elif spec.get("shape") in SHAPES:
            found[name] = Wall(name, {**spec, "folder": run.folder}, run)
    first = 1
    for name, spec in (run.parameters.get("membranes") or {}).items():
        found[name] = Membrane(name, spec, first)
        first += len(found[name].ids)
    return found


def sector_of(box):
    """Is a place within the sector that a wedge shows? It begins where the angle is 0."""
    u, v = (box.axis + 1) % 3, (box.axis + 2) % 3
    return lambda place: np.arctan2(place[:, v], place[:, u]) % (2.0 * np.pi) <= 2.0 * np.pi / box.sectors


def meshes(run, frame):
    """Surfaces of all walls at the moment of a frame, as far as they are near its grains, by name."""
    if run is None or not len(frame):
        return {}
    place, radius = np.asarray(frame.position), np.asarray(frame.radius)[:, None]
    low, high = (place - radius).min(axis=0), (place + radius).max(axis=0)
    margin = 0.02 * (high - low).max()
    if frame.box.flat:
        low[2], high[2] = -margin, margin
    found = {}
    for name, wall in run.walls.items():
        mesh = wall.mesh(frame) if isinstance(wall, Membrane) else wall.mesh(low - margin, high + margin, frame.time)
        mesh = mesh.within(sector_of(frame.box)) if frame.box.sectors > 1 else mesh
        if len(mesh.triangles) or mesh.lines:
            found[name] = mesh
    return found
