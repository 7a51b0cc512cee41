# SPDX-License-Identifier: BSD-3-Clause
"""What grains can be coloured by: a value for each grain of a frame, by name."""
import numpy as np

from .frames import rotate
from .quantity import Array

AXES = "xyz"
COMPUTED = "speed vx vy vz vr vphi spin species radius coordination pressure force"


def vectors(frame, name="velocity"):
    return np.asarray(frame[name], float)


def about_axis(frame):
    """Radial and azimuthal velocity about the z axis."""
    x, y = np.asarray(frame.position)[:, 0], np.asarray(frame.position)[:, 1]
    v, away = vectors(frame), np.hypot(x, y)
    safe = np.where(away > 0, away, 1.0)
    return (x * v[:, 0] + y * v[:, 1]) / safe, (x * v[:, 1] - y * v[:, 0]) / safe


def spin(frame):
    omega = vectors(frame, "angular_velocity")
    return omega[:, 2] if frame.box.flat else np.linalg.norm(omega, axis=1)


def touching(frame):
    """Rows of both partners of all contacts, those with walls once."""
    rows, walls = np.asarray(frame.contacts.rows), frame.contacts.wall >= 0
    return rows, np.where(walls, 0.0, 1.0)


def of_contacts(frame, value):
    """Sums of a value of contacts over the contacts of each grain."""
    rows, second = touching(frame)
    n = len(frame)
    return np.bincount(rows[:, 0], value, n) + np.bincount(rows[:, 1], value * second, n)


def coordination(frame):
    return of_contacts(frame, np.ones(len(frame.contacts)))


def largest_force(frame):
    size = np.linalg.norm(np.asarray(frame.contacts.force), axis=1)
    rows, _ = touching(frame)
    most = np.zeros(len(frame))
    np.maximum.at(most, rows[:, 0], size)
    np.maximum.at(most, rows[:, 1], size)
    return most


def pressure(frame):
    """Trace of the stress of each grain over D: normal forces times the radius, over D times its volume."""
    radius = np.asarray(frame.radius)
    volume = np.pi * radius ** 2 * 2 if frame.box.flat else 4.0 / 3.0 * np.pi * radius ** 3 * 3
    return of_contacts(frame, np.asarray(frame.contacts.normal_force)) * radius / volume


def value_of(frame, name):
    """The values of a frame, as an array with name and unit. KeyError tells what there is."""
    if name in ("coordination", "force", "pressure") and name not in frame and frame.contacts is None:
        raise KeyError(f"'{name}' needs contacts: 'snapshots: {{contacts: true}}' writes them")
    stress = "N/m" if frame.box.flat else "Pa"
    computed = {
        "speed": lambda: Array(np.linalg.norm(vectors(frame), axis=1), "m/s", "speed"),
        "vr": lambda: Array(about_axis(frame)[0], "m/s", "radial velocity"),
        "vphi": lambda: Array(about_axis(frame)[1], "m/s", "azimuthal velocity"),
        "spin": lambda: Array(spin(frame), "rad/s", "spin"),
        "coordination": lambda: Array(coordination(frame), "", "contacts of a grain"),
        "pressure": lambda: Array(pressure(frame), stress, "pressure in grains"),
        "force": lambda: Array(largest_force(frame), "N", "largest contact force"),
        **{f"v{a}": lambda k=k, a=a: Array(vectors(frame)[:, k], "m/s", f"velocity along {a}")
           for k, a in enumerate(AXES)},
    }
    if name in computed and not (name == "force" and frame.contacts is None):
        return computed[name]()
    field, _, component = name.partition(".")
    if field not in frame.fields:
        raise KeyError(f"no '{name}'; there are: {COMPUTED}, {', '.join(frame.fields)} (vectors as velocity.x)")
    values = frame[field]
    if values.ndim == 1:
        return values
    if component in AXES and component:
        return Array(np.asarray(values)[:, AXES.index(component)], values.unit, f"{values.name} {component}")
    return Array(np.linalg.norm(np.asarray(values, float), axis=1), values.unit, f"size of {values.name}")


def add_mean_motion(frame, start):
    """The frame with velocities that are displacements since another frame of the same grains, per time: along the
    chord, and about the z axis. In a wedge a grain may have left on one side and come back on the other: the shortest
    turn counts."""
    time = frame.time - start.time
    if not time > 0 or frame.box.periodic.any() or set(np.asarray(start.id)) != set(np.asarray(frame.id)):
        raise KeyError("mean velocities need an earlier frame with the same grains in an open box")
    order = np.argsort(np.asarray(start.id))[np.argsort(np.argsort(np.asarray(frame.id)))]
    begin, end = np.asarray(start.position)[order], np.asarray(frame.position)
    turned = np.arctan2(end[:, 1], end[:, 0]) - np.arctan2(begin[:, 1], begin[:, 0])
    sector = 2.0 * np.pi / frame.box.sectors
    lost = np.round(turned / sector) * sector
    begin = rotate(begin, 2, lost)
    fields = dict(frame.fields)
    fields["velocity"] = Array((end - begin) / time, "m/s", "velocity")
    moved = type(frame)(fields, frame.box, frame.time, frame.step, frame.materials, None, frame.title)
    moved.contacts = frame.contacts
    moved.since = time
    moved.mean_vphi = np.hypot(end[:, 0], end[:, 1]) * (turned - lost) / time
    return moved
