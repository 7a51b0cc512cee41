# SPDX-License-Identifier: BSD-3-Clause
"""Frames packed for the view of a report: a header and one block of bytes (report_page/view.js reads them)."""
import numpy as np

from . import fields, style, view
from .walls import meshes

MOST_CHAINS = 60000  # contacts of a frame, the strongest
LARGEST = 65535


class Blobs:
    """Arrays one behind the other; what is the same in several frames is there once."""

    def __init__(self):
        self.parts, self.size, self.known = [], 0, {}

    def add(self, values, kind):
        data = np.ascontiguousarray(values, dtype="<" + kind).tobytes()
        if data not in self.known:
            self.known[data] = {"at": self.size, "count": len(data) // int(kind[1]), "type": kind}
            padded = data + b"\0" * (-len(data) % 4)
            self.parts.append(padded)
            self.size += len(padded)
        return self.known[data]

    def bytes(self):
        return b"".join(self.parts)


def quantise(values, low, high):
    span = np.where(np.asarray(high) > low, np.asarray(high) - low, 1.0)
    return np.rint(np.clip((np.asarray(values, float) - low) / span, 0.0, 1.0) * LARGEST)


def field_names(run, frame):
    names = ["speed", *(f"v{a}" for a in ("xy" if frame.box.flat else "xyz"))] if "velocity" in frame else []
    if frame.box.sectors > 1 or any(getattr(wall, "spec", {}).get("shape") in ("cylinder", "ring", "cone")
                                    for wall in run.walls.values()):
        names += ["vphi"] if "velocity" in frame else []
    names += ["spin"] if "angular_velocity" in frame else []
    names += ["coordination", "pressure"] if frame.contacts is not None and "force" in frame.contacts else []
    return names + ["radius"]


def describe_fields(run, frames):
    """Fields with the range of their colours, the same in all frames; materials first if there are several."""
    found = []
    for name in field_names(run, frames[-1]):
        values = [fields.value_of(frame, name) for frame in frames]
        low, high = view.limits_of(np.concatenate([np.asarray(one, float) for one in values]), name)
        factor, unit = style.in_short([low, high], values[0].unit)
        found.append({"name": name, "label": values[0].name, "unit": unit, "low": factor * low, "high": factor * high,
                      "map": "diverging" if low < 0 else "sequential"})
    kinds = frames[-1].materials
    if "species" in frames[-1] and len(kinds) > 1:
        found.append({"name": "species", "label": "material", "unit": "", "low": 0, "high": 255, "map": "kinds",
                      "names": kinds})
    return found


def pack_values(blobs, frame, field):
    if field["name"] == "species":
        return blobs.add(np.asarray(frame.species) - 1, "u1")
    values = fields.value_of(frame, field["name"])
    factor = style.in_short([field["low"], field["high"]], values.unit)[0] if field["unit"] == values.unit else \
        style.SHORT[values.unit][0]
    return blobs.add(quantise(factor * np.asarray(values, float), field["low"], field["high"]), "u2")


def pack_chains(blobs, frame, low, high):
    """Both ends and the force over the strongest one: seven numbers for each contact."""
    force = np.linalg.norm(np.asarray(frame.contacts.force), axis=1)
    if not len(force) or not force.mean() > 0:
        return None, 1.0
    relative = force / force.mean()
    chosen = np.sort(np.argsort(-relative)[:MOST_CHAINS])
    start = np.asarray(frame.position)[np.asarray(frame.contacts.rows)[chosen, 0]]
    end = start - np.asarray(frame.contacts.branch)[chosen]
    rows = np.concatenate([quantise(start, low, high), quantise(end, low, high),
                           quantise(relative[chosen], 0.0, relative.max())[:, None]], axis=1)
    return blobs.add(rows, "u2"), float(relative.max())


def pack_walls(blobs, run, frame):
    packed = []
    for mesh in meshes(run, frame).values():
        lines = [np.stack([line[:-1], line[1:]], axis=1).reshape(-1, 3) for line in mesh.lines]
        packed.append({"places": blobs.add(mesh.places, "f4"), "triangles": blobs.add(mesh.triangles, "u4"),
                       "lines": blobs.add(np.vstack(lines) if lines else np.zeros((0, 3)), "f4")})
    return packed


def pack_frame(blobs, run, frame, described, low, high, largest):
    place = np.asarray(frame.position)
    chains, strongest = pack_chains(blobs, frame, low, high) \
        if frame.contacts is not None and "force" in frame.contacts else (None, 1.0)
    return {"time": frame.time, "step": frame.step, "count": len(frame),
            "place": blobs.add(quantise(place, low, high), "u2"),
            "radius": blobs.add(quantise(frame.radius, 0.0, largest), "u2"),
            "id": blobs.add(np.asarray(frame.id), "u4"),
            "values": [pack_values(blobs, frame, field) for field in described],
            "chains": chains, "strongest": strongest, "walls": pack_walls(blobs, run, frame)}


def pack_map(blobs, name):
    colours = style.plt.get_cmap(name)(np.linspace(0.0, 1.0, 256))[:, :3]
    return blobs.add(np.rint(255 * colours), "u1")


def pack_kinds(blobs):
    from matplotlib.colors import to_rgb
    colours = [to_rgb(style.PALETTE[k % len(style.PALETTE)]) for k in range(256)]
    return blobs.add(np.rint(255 * np.array(colours)), "u1")


def range_of(frames):
    """Of centres and contact ends in all frames: they may stick out of the box by a diameter."""
    low = np.min([(np.asarray(f.position) - np.asarray(f.radius)[:, None]).min(axis=0) for f in frames], axis=0)
    high = np.max([(np.asarray(f.position) + np.asarray(f.radius)[:, None]).max(axis=0) for f in frames], axis=0)
    margin = 2.0 * max(np.asarray(f.radius).max() for f in frames)
    return low - margin, high + margin


def bytes_of(frame):
    contacts = min(len(frame.contacts), MOST_CHAINS) if frame.contacts is not None else 0
    return 26 * len(frame) + 14 * contacts


def choose(run, most, megabytes):
    """The last frames, or the state at the end; as many as fit."""
    source = run.frames if len(run.frames) and "radius" in run.frames[-1] else \
        [run.state] if run.state is not None else []
    if not len(source) or not len(source[-1]):
        return []
    fitting = max(1, int(megabytes * 0.75e6 / bytes_of(source[-1])))  # base64 has four letters for three bytes
    count = min(len(source), most, fitting)
    frames = [source[k] for k in range(len(source) - count, len(source))]
    return [frame for frame in frames if len(frame)]


def pack(run, frames):
    """Header and bytes of the view."""
    blobs = Blobs()
    low, high = range_of(frames)
    largest = float(max(np.asarray(frame.radius).max() for frame in frames))
    described = describe_fields(run, frames)
    maps = {"sequential": pack_map(blobs, style.SEQUENTIAL), "diverging": pack_map(blobs, style.DIVERGING),
            "chains": pack_map(blobs, view.CHAIN_MAP), "kinds": pack_kinds(blobs)}
    packed = [pack_frame(blobs, run, frame, described, low, high, largest) for frame in frames]
    place, radius = np.asarray(frames[-1].position), np.asarray(frames[-1].radius)[:, None]
    box = [(place - radius).min(axis=0).tolist(), (place + radius).max(axis=0).tolist()]
    return {"flat": bool(frames[-1].box.flat), "box": box, "low": low.tolist(), "span": (high - low).tolist(), "largest": largest,
            "meanRadius": float(np.asarray(frames[-1].radius).mean()), "fields": described, "maps": maps,
            "frames": packed}, blobs.bytes()
