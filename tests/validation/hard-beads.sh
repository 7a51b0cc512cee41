#!/usr/bin/env bash
# Few hard grains against closed forms: beads that fall onto a wall in a column (by ed, and by md with springs and
# gaps that are closed in 10 contact times or in none), columns that collapse and that do not, rough grains.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
export PYTHONPATH=$here
launch 1 /usr/bin/python3 - "$1" "$scratch" << 'PYTHON'
import math
import os
import subprocess
import sys

import h5py

import cell_series
from cell_series import line

program, scratch = sys.argv[1:]


def run(name, method, contact, step, end, gap, count, speed=0.0):
    """Beads of diameter 1 in a column above a wall, each `gap` from the next, that fall with speed 1. Velocities
    along the column (None: the run was ended by a collapse), number of collisions, all velocities."""
    low, high = gap / 2, gap / 2 + count * (1 + gap) * (1 + 1e-12)
    sample = f"lattice: {{material: m, radius: 0.5, count: {count}, spacing: {1 + gap!r}, drift: [{speed!r}, 0, -1], " \
             f"low: [0, 0, {low!r}], high: [{1 + gap!r}, {1 + gap!r}, {high!r}]}}"
    path = os.path.join(scratch, name)
    with open(path + ".yaml", "w", encoding="ascii") as file:
        print(f"""method: {method}
dimension: 3
time: {{step: {step!r}, end: {end!r}}}
domain: {{low: [-20, -20, 0], high: [20, 20, {high + 10!r}]}}
materials: {{m: {{density: {6 / math.pi!r}}}, w: {{density: 1}}}}
{contact}
boundaries: {{floor: {{shape: plane, material: w, point: [0, 0, 0], normal: [0, 0, 1]}}}}
particles: [{sample}]
output: {{series: {{steps: 1000000000}}}}""", file=file)
    done = subprocess.run([program, "run", path + ".yaml", "-o", path, "-q"], cwd=scratch, capture_output=True, check=False,
                          text=True)
    if done.returncode == 1 and "inelastic collapse" in done.stderr:
        return None, 0, None
    if done.returncode != 0:
        sys.exit(done.stderr)
    with h5py.File(path + "/state.h5") as file:
        velocity = file["particles/velocity"][...]
    last = cell_series.table(path, "series")[-1]
    return velocity[:, 2], last.get("collisions", 0) + last.get("wall collisions", 0), velocity


def rigid(restitution):
    return "contacts:" + "".join(f"\n- {{between: [m, {b}], rigid: {{restitution: {restitution!r}}}}}" for b in "mw")


def springs(contact_time):
    """All contacts last equally: that with the wall is twice as stiff."""
    k = 0.5 * (math.pi ** 2 + math.log(0.9) ** 2) / contact_time ** 2
    return "contacts:" + "".join(f"\n- {{between: [m, {b}], normal: {{law: linear, stiffness: {s!r}, restitution: 0.9, "
                                 f"tension: allow}}}}" for b, s in (("m", k), ("w", 2 * k)))


# A lattice leaves half a gap below the first bead: `low` adds the other half.
for n, collisions, energy, speed, soft in ((2, 4, .65571, .80975, (.84009, .80986, .65572, .65576)),
                                           (5, 25, .34442, .58651, (.87961, .82875, .34940, .34440)),
                                           (10, 100, .10818, .32574, (.90599, .83419, .16488, .10816))):
    v, count, _ = run(f"beads-{n}", "ed", rigid(0.9), 1.0, 100.0, 1e-3, n)
    line(f"{n} beads onto a wall, ed: collisions", count, collisions, 0, "closed form")
    line(f"{n} beads onto a wall, ed: E / E(0)", (v ** 2).mean(), energy, 2e-5, "closed form")
    line(f"{n} beads onto a wall, ed: velocity over that before", v.mean(), speed, 2e-5, "closed form")
    for gap, target in zip((0, 0.1, 1, 10), soft):
        t_c = 1e-3
        v, *_ = run(f"springs-{n}-{gap}", "md", springs(t_c), t_c / 200, t_c * (60 + 3 * n * gap * n), gap * t_c, n)
        line(f"{n} beads onto a wall, md, gaps of {gap} v t_c: E / E(0)", (v ** 2).mean(), target, 0.005,
             "integrated independently", True)

# A column of n beads collapses on a wall below a critical restitution, whatever the gaps.
for n, critical in ((2, .1716), (3, .3333), (4, .4465), (5, .5279), (10, .7294)):
    ended = [run(f"collapse-{n}-{side}", "ed", rigid(critical + side * 0.01), 1e4, 1e5, 1e-3, n)[0] is None for side in (-1, 1)]
    line(f"column of {n} on a wall: collapses 0.01 below the critical restitution {critical}, not above", ended[0] - ended[1], 1, 0,
         "Bernu and Mazighi 1990")

# A rough grain on a plane: the contact point leaves with -b times its velocity, which takes (1 + b) q / (1 + q) of the
# tangential velocity, q = 2/5; b as of springs with this kt/kn.
for ratio, b in ((0.2, .87120), (0.5, .52818), (0.8, -.51799), (1, -.91879)):
    rough = rigid(0.8).replace("restitution: 0.8}", f"restitution: 0.8, friction: 1e5, restitution_tangential: {b!r}}}")
    v = run(f"rough-{ratio}", "ed", rough, 1.0, 4.0, 1e-3, 1, speed=1.0)[2]
    line(f"rough sphere on a plane, kt/kn = {ratio}: tangential velocity over that before", v[0, 0], 1 - (1 + b) * 2 / 7, 1e-12,
         "closed form")
PYTHON
