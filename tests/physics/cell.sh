#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A periodic box that deforms: at rest it is the box without it, bit for bit; an elastic lattice
# stores and a gas takes up exactly the work of the cell; shear through several flips has the same bits
# on any number of ranks and through a resume; contacts keep their history through flips of the
# description; stresses are what servos are told, also of a box that keeps straining, and agree with
# the measurement.
# Usage: tests/physics/cell.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/support/cell_test.sh
source "$(dirname "$0")/../support/cell_test.sh"


block "shear of a dense sample"
# --- shear of a dense sample in two dimensions, mixed control
cat > shear.yaml << 'EOF'
title: shear at constant normal stress
dimension: 2
seed: 5
time: {step: 1e-3, steps: 10000}
domain: {low: [1, 2], high: [10, 10], periodic: [x, y]}
materials: {grain: {density: 1}}
contacts:
  - between: [grain, grain]
    normal: {law: linear, stiffness: 2500, restitution: 0.3}
    tangential: {law: spring, stiffness: 1250, friction: 0.4}
cell: {strain_rate: {xy: 1}, stress: {yy: 20 N/m}}
particles:
  - dense: {count: 70, material: grain, radius: {uniform: [0.4, 0.6]}}
analysis:
  - stress: {every: 0.4}
  - packing: {every: 0.4}
  - profile: {along: y, bins: 5, every: 0.02}
output: {series: {steps: 400}, checkpoint: {steps: 1500, keep: 9}, snapshots: {steps: 2000, contacts: true}}
EOF
expect "one rank" 0 ranks 1 run shear.yaml -o one -q
flips=(--set time.steps=3000) # strain 3
expect "three flips" 0 ranks 1 run shear.yaml -o flips -q "${flips[@]}"
for n in 2 4; do
    expect "$n ranks" 0 ranks $n run shear.yaml -o "on$n" -q "${flips[@]}" --set balance.force_every=75
    holds "$n ranks: state and series as on one" same "on$n" flips
done
expect "half of it" 0 ranks 3 run shear.yaml -o half -q --set time.steps=1600
expect "the rest" 0 ranks 2 resume half -q "${flips[@]}"
holds "resumed after flips" same half flips
holds "strain 10, upright all the time, books closed" python - << 'EOF'
from rows import rows
r = rows("one")
assert abs(r[-1]["strain xy"] - 10) < 1e-12, r[-1]["strain xy"]
assert all(abs(x["cell xy [m]"]) <= 0.5101 * 9 for x in r)
assert max(x["cell xy [m]"] for x in r) > 2 and min(x["cell xy [m]"] for x in r) < -2
assert max(abs(x["closure error"]) for x in r) < 5e-4, max(abs(x["closure error"]) for x in r)
late = [x for x in r if x["strain xy"] > 2]
mean = sum(x["stress yy [N/m]"] for x in late) / len(late)
assert abs(mean - 20) < 3, mean
assert all(x["cell xx [m]"] == 9 for x in r)
assert -0.7 < sum(x["stress xy [N/m]"] for x in late) / len(late) / mean < -0.15
EOF
holds "the measured stress is that of the series" python - << 'EOF'
from rows import rows
series = {x["step"]: x for x in rows("one")}
for m in rows("one", "stress"):
    s = series[m["step"]]
    for c in ("xx", "yy", "yx"):  # the measurement has the branch first
        sum3 = sum(m[f"{part} {c} [N/m]"] for part in ("kinetic", "normal", "tangential"))
        name = "xy" if c == "yx" else c
        assert abs(sum3 - s[f"stress {name} [N/m]"]) < 1e-9 * (1 + abs(sum3)), (c, sum3, s)
EOF
holds "the velocity profile is linear" python - << 'EOF'
from rows import rows
p = rows("one", "profile")
y = [x["mean y [m]"] for x in p]; v = [x["velocity x [m/s]"] for x in p]
n = len(p); my = sum(y) / n; mv = sum(v) / n
slope = sum((a - my) * (b - mv) for a, b in zip(y, v)) / sum((a - my) ** 2 for a in y)
assert n == 5 and abs(slope - 1) < 0.05, (slope, y, v)
assert all(abs(b - mv - slope * (a - my)) < 0.35 for a, b in zip(y, v)), (y, v)
assert all(0.6 < x["solid fraction"] < 0.9 for x in p), p
EOF
holds "files have places in the tilted box" python - << 'EOF'
import glob, h5py, numpy as np
for name in sorted(glob.glob("one/trajectory.*.h5")):
    with h5py.File(name) as f:
        g = f["particles/grains"]
        edges = g["box/edges/value"][:]
        assert edges.shape[1:] == (3, 3) and edges.shape[0] == 6, edges.shape
        low = g["box/offset/value"][:]
        for t in range(edges.shape[0]):
            h = edges[t][:2, :2]
            u = (g["position/value"][t][:, :2] - low[t][:2]) @ np.linalg.inv(h)
            assert u.min() > -1e-12 and u.max() < 1 + 1e-12
        # Overlaps of the contacts, from places, radii and edges alone.
        t = 3
        m = int(f["observables/contact_count/value"][t])
        pairs = f["connectivity/contacts/pairs/value"][t][:m]
        ids = {i: k for k, i in enumerate(g["id/value"][t])}
        x, r, h = g["position/value"][t], g["radius/value"][t], edges[t]
        deep = f["connectivity/contacts/overlap/value"][t][:m] if "overlap" in f["connectivity/contacts"] else None
        for c in range(m):
            i, j = ids[pairs[c][0]], ids[pairs[c][1]]
            best = min(np.linalg.norm(x[i] - x[j] + a * h[0] + b * h[1]) for a in (-1, 0, 1) for b in (-1, 0, 1))
            assert best < r[i] + r[j], (pairs[c], best)
            if deep is not None: assert abs(r[i] + r[j] - best - deep[c]) < 1e-12
EOF
trajectory=$(echo one/trajectory.*.h5)
expect "a dump with tilt" 0 "$program" convert "$trajectory" -o shear.dump --to lammps
holds "bounds and tilt as LAMMPS wants them" python - << 'EOF'
from rows import rows
lines = open("shear.dump").read().split("\n")
at = [k for k, line in enumerate(lines) if line.startswith("ITEM: BOX BOUNDS xy xz yz pp pp")]
assert len(at) == 1, lines[:12]
xlo, xhi, xy = map(float, lines[at[-1] + 1].split())
r = rows("one")[-1]
assert abs(xy - r["cell xy [m]"]) < 1e-12 and abs(xlo - (1 + min(0, xy))) < 1e-12 and abs(xhi - (10 + max(0, xy))) < 1e-12
EOF

block "a cell that rests"
# --- without motion of the cell: the box without it
common=(--set time.steps=1000)
expect "a cell at rest" 0 ranks 2 run shear.yaml -o rest -q "${common[@]}" --set 'cell={strain_rate: {xy: 0}}' --set particles.0.dense.speed=3
sed '/^cell:/d' shear.yaml > fixed.yaml
expect "no cell" 0 ranks 1 run fixed.yaml -o fixed -q "${common[@]}" --set particles.0.dense.speed=3
holds "the same grains, bit for bit" same_grains rest fixed

block "history through flips"
# --- history through flips: two copies of a sample side by side are described with tilts up to
# twice as large and flip later; in between, every spring must be the same.
expect "a sample" 0 ranks 1 run fixed.yaml -o base -q --set time.steps=1
holds "two of them" python - << 'EOF'
import h5py, numpy as np
with h5py.File("base/state.h5") as a, h5py.File("double.h5", "w") as b:
    for k, v in a.attrs.items():
        if k != "digest": b.attrs[k] = v
    box = b.create_group("box"); p = b.create_group("particles")
    for k, v in a["box"].attrs.items(): box.attrs[k] = v
    box.attrs["high"] = np.array([19.0, 10, 0])
    for k, v in a["particles"].items():
        w = np.concatenate([v[:], v[:]])
        n = len(v)
        if k == "id": w[n:] += n
        if k == "position": w[n:, 0] += 9
        p[k] = w
EOF
flip=(--set 'cell={strain_rate: {xy: 1, xx: -0.05, yy: -0.05}}' --set time.steps=750 --set output.series.steps=10 --set energy.tolerance=10)
sed 's/^  - dense:.*/  - state: {file: FILE, materials: [grain]}/' shear.yaml > again.yaml
expect "one sample, flipped" 0 ranks 2 run again.yaml -o single -q "${flip[@]}" --set particles.0.state.file=base/state.h5
expect "two samples, not yet" 0 ranks 2 run again.yaml -o double -q "${flip[@]}" --set particles.0.state.file=double.h5 --set 'domain.high=[19, 10]'
holds "the same springs" python - << 'EOF'
from rows import rows
one, two = rows("single"), rows("double")
assert one[-1]["cell xy [m]"] < -2 and two[-1]["cell xy [m]"] > 5, (one[-1]["cell xy [m]"], two[-1]["cell xy [m]"])
flipped = 0
for a, b in zip(one, two):
    flipped += a["cell xy [m]"] < 0
    for name in ("contacts", "elastic energy tangential [J]", "elastic energy normal [J]", "lost to sliding [J]"):
        assert abs(2 * a[name] - b[name]) <= 1e-7 * abs(b[name]) + 1e-12, (a["step"], name, a[name], b[name])
assert flipped > 10 and one[-1]["elastic energy tangential [J]"] > 1e-4
EOF

block "three dimensions"
# --- three dimensions, all shears at once, constant pressure
cat > three.yaml << 'EOF'
title: everything at once
seed: 3
time: {step: 1.5 us, steps: 6000}
domain: {low: [0, 0, -1 mm], high: [9 mm, 8 mm, 9 mm], periodic: [x, y, z]}
materials: {glass: {density: 2500 kg/m^3}}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 2000 N/m, restitution: 0.5}
    tangential: {law: spring, stiffness: 800 N/m, friction: 0.5}
    rolling: {law: spring, stiffness: 500 N/m, friction: 0.02}
cell: {strain_rate: {xy: 120, xz: -110, yz: 100, zz: -2}, pressure: 4 kPa, start: 1 ms, rise: 2 ms}
particles:
  - dense: {count: 400, material: glass, radius: {uniform: [0.4 mm, 0.8 mm]}}
analysis:
  - stress: {every: 3 ms}
output: {series: {steps: 500}, checkpoint: {steps: 2500, keep: 9}}
EOF
expect "three dimensions" 0 ranks 1 run three.yaml -o three1 -q
expect "on three ranks" 0 ranks 3 run three.yaml -o three3 -q --set balance.force_every=310
holds "as on one" same three3 three1
expect "a part" 0 ranks 2 run three.yaml -o three -q --set time.steps=3500
expect "the rest of it" 0 ranks 4 resume three -q --set time.steps=6000
holds "resumed with servos" same three three1
holds "pressure, books and all flips" python - << 'EOF'
from rows import rows
r = rows("three1")
assert max(abs(x["closure error"]) for x in r) < 2e-3
mean = sum(x[f"stress {c}{c} [Pa]"] / 3 for c in "xyz" for x in r[-6:]) / 6
assert abs(mean - 4000) < 200, mean
for x in r:
    assert abs(x["cell xx [m]"] / 9e-3 - x["cell yy [m]"] / 8e-3) < 1e-12
for c in ("xy", "xz", "yz"):
    tilts = [x[f"cell {c} [m]"] / x[f"cell {c[0]}{c[0]} [m]"] for x in r]
    assert max(abs(t) for t in tilts) < 0.5101 and abs(r[-1][f"strain {c}"]) > 0.6, (c, tilts)
EOF

block "elastic lattice"
# --- an elastic lattice: the work of the cell is what its springs hold
cat > lattice.yaml << 'EOF'
title: elastic lattice
dimension: 2
time: {step: 1e-4, steps: 1000}
domain: {low: [0, 0], high: [6, 6], periodic: [x, y]}
materials: {grain: {density: 1}}
contacts:
  - between: [grain, grain]
    normal: {law: linear, stiffness: 1e4, restitution: 1}
cell: {strain_rate: {xx: -0.5, yy: -0.25}}
particles:
  - lattice: {material: grain, radius: 0.5, spacing: 1}
output: {series: {steps: 100}}
EOF
expect "a lattice is pressed" 0 ranks 2 run lattice.yaml -o lattice -q
holds "work is stored" python - << 'EOF'
from math import exp
from rows import rows
for x in rows("lattice")[1:]:
    t = x["time [s]"]
    dx, dy = 1 - exp(-0.5 * t), 1 - exp(-0.25 * t)
    stored = 36 * 0.5 * 1e4 * (dx * dx + dy * dy)
    assert abs(x["elastic energy normal [J]"] / stored - 1) < 1e-9, (t, x["elastic energy normal [J]"], stored)
    assert abs(-x["lost to walls and drives [J]"] / stored - 1) < 2e-3 / x["step"] * 100, (t, x["lost to walls and drives [J]"], stored)
    assert x["kinetic energy [J]"] < 1e-15
    xx = 1e4 * dx * exp(-0.5 * t) * 36 / (36 * exp(-0.75 * t))
    assert abs(x["stress xx [N/m]"] / xx - 1) < 1e-9, (x["stress xx [N/m]"], xx)
EOF

block "adiabatic gas"
# --- a gas without collisions: adiabatic heating
compress_gas md "normal: {law: linear, stiffness: 1, restitution: 1}" 1e-7

block "constant volume"
# --- constant volume; a stress that is kept
expect "undrained" 0 ranks 2 run three.yaml -o undrained -q --set time.steps=2000 --set particles.0.dense.speed=0.05 --set 'cell={strain_rate: {zz: -30}, volume: constant}'
holds "the volume stays" python - << 'EOF'
from rows import rows
for x in rows("undrained"):
    assert abs(x["cell size [m^3]"] / 720e-9 - 1) < 1e-13, x["cell size [m^3]"]
    assert abs(x["cell xx [m]"] / 9e-3 - x["cell yy [m]"] / 8e-3) < 1e-12
    assert abs(x["strain zz"] + 30 * x["time [s]"]) < 1e-14
EOF

block "a sample with gaps"
# --- a sample at rest with gaps: the first contacts turn over next to nothing, and the run goes on
cat > still.yaml << 'EOF'
title: pressed from rest
time: {step: 0.35 us, steps: 60}
domain: {low: [0, 0, 0], high: [4.45 mm, 4.45 mm, 4.45 mm], periodic: [x, y, z]}
materials: {sphere: {density: 2650}}
contacts:
  - between: [sphere, sphere]
    normal: {law: linear, stiffness: 1e5, restitution: 0.3}
    tangential: {law: kuhn, stiffness: 1e5, friction: 0.55}
cell: {strain_rate: {zz: -6}, pressure: 100 kPa}
particles:
  - dense: {count: 100, material: sphere, radius: 0.48 mm}
output: {series: {steps: 1}}
EOF
expect "pressed from rest" 0 ranks 2 run still.yaml -o still -q
holds "its books close from the first contact on" python - << 'EOF'
from rows import rows
r = rows("still")
assert r[0]["contacts"] == 0 < r[-1]["contacts"]
assert max(abs(x["closure error"]) for x in r) < 5e-3, max(abs(x["closure error"]) for x in r)
EOF

block "a box that keeps straining"
# --- a box that keeps straining in the direction of a servo bears its target all the same; a force of
# gamma L against it would add 3 % to 4 % at the slow rate, and 16 % to 20 % at the fast one (inertial
# number 0.02)
cat > steady.yaml << 'EOF'
title: a box that keeps straining under a stress
dimension: 2
seed: 5
time: {step: 1e-3}
domain: {low: [0, 0], high: [7, 16.5], periodic: [x, y]}
materials: {grain: {density: 1}}
contacts:
  - between: [grain, grain]
    normal: {law: linear, stiffness: 2500, restitution: 0.3}
    tangential: {law: spring, stiffness: 1250, friction: 0.4}
particles:
  - dense: {count: 100, material: grain, radius: {uniform: [0.4, 0.6]}}
stages:
  - {name: press, cell: {pressure: 5 N/m, stress_rise: 1}, until: {time: 3}}
  - {name: step, cell: {strain_rate: {yy: -0.01}, stress: {xx: 7 N/m}}, until: {time: 4}}
  - {name: slow, until: {time: 20}}
  - {name: fast, cell: {strain_rate: {yy: -0.05}, stress: {xx: 7 N/m}}, until: {time: 15}}
  - {name: shear, cell: {strain_rate: {xy: 0.01}, pressure: 7 N/m}, until: {time: 8}}
  - {name: harder, cell: {strain_rate: {xy: 0.01}, pressure: 9 N/m}, until: {time: 3}}
output: {series: {steps: 20}, checkpoint: {steps: 700, keep: 99}}
EOF
expect "a box that keeps straining" 0 ranks 1 run steady.yaml -o steady -q --set output.checkpoint.steps=0
holds "mean stresses are the targets" python - << 'EOF'
from rows import rows
r = rows("steady")
of = lambda n: [x for x in r if x["stage"] == n]
def off(stage, components, skip, target):
    first, last = of(stage)[int(skip * len(of(stage)))], of(stage)[-1]
    names = [f"sum over time of stress {c} [N s/m]" for c in components]
    impulse = sum(last[n] - first[n] for n in names) / len(names)
    return impulse / (last["time [s]"] - first["time [s]"]) / target - 1
slow, fast, shear = off(3, ["xx"], 0, 7), off(4, ["xx"], 0.2, 7), off(5, ["xx", "yy"], 0, 7)
print("off by", slow, fast, shear)
assert abs(slow) < 2e-3 and abs(fast) < 1e-2 and abs(shear) < 2e-3
strain = lambda n: of(n)[-1]["strain xx"] - of(n - 1)[-1]["strain xx"]
assert strain(3) > 0.15 and strain(4) > 0.6, (strain(3), strain(4))
most = max(x["stress xx [N/m]"] + x["stress yy [N/m]"] for x in of(6)) / 2
print("overshoot of the last step", (most - 9) / 2)
assert most < 9 + 0.2 * 2
EOF
short=(--set stages.0.cell.stress_rise=0.1)
for k in 0 1 2 3 4 5; do short+=(--set "stages.$k.until.time=0.5"); done
expect "it, shortly" 0 ranks 1 run steady.yaml -o short1 -q "${short[@]}"
for n in 2 3 4; do
    expect "on $n ranks" 0 ranks $n run steady.yaml -o "short$n" -q "${short[@]}" \
        --set balance.force_every=130 --set output.checkpoint.steps=0
    holds "$n ranks: with drifts as on one" same "short$n" short1
done
for k in 700 1400 2100; do
    cp -r short1 again
    for file in again/checkpoint.*.h5; do
        step=${file##*/checkpoint.}
        [ $((10#${step%.h5})) -le $k ] || rm "$file"
    done
    expect "on from step $k" 0 ranks $((k / 700 + 1)) resume again -q
    holds "resumed at step $k with drifts" same again short1
    rm -r again
done
summary
