#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A periodic box that deforms, with rigid grains: at rest it is the box without it, bit for bit; a gas
# takes up exactly the work of the cell; stages that press, shear through flips and compress have the
# same bits on any number of ranks and through resumes, stresses are what servos are told, friction is
# that of the stage, and energies add up to rounding; the same between walls.
# Usage: tests/physics/cd-cell.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/support/cell_test.sh
source "$(dirname "$0")/../support/cell_test.sh"
export OMPI_MCA_mpi_yield_when_idle=1

# mean(rows, "xx"): of a stress over these rows, from its sums over time; push(folder, rows, "xx"): what
# it takes to accelerate the cell, of an inertia sum m d^2, as it does in between
cat > means.py << 'END'
import h5py, numpy as np
from rows import rows
def duration(r):
    return r[-1]["time [s]"] - r[0]["time [s]"]
def mean(r, c):
    name = f"sum over time of stress {c} [N s/m]"
    return (r[-1][name] - r[0][name]) / duration(r)
def push(folder, r, c):
    radius = h5py.File(f"{folder}/state.h5")["particles/radius"][:]
    size = sum(x["cell size [m^2]"] for x in r) / len(r)
    gained = r[-1][f"strain rate {c} [1/s]"] - r[0][f"strain rate {c} [1/s]"]
    return np.sum(np.pi * radius**2 * 4 * radius**2) * gained / (size * duration(r))
def late(r, stage, skip=0.3):
    r = [x for x in r if x["stage"] == stage]
    return r[int(skip * len(r)):]
END

cat > stages.yaml << 'END'
title: disks pressed, sheared and compressed in a periodic box
method: cd
dimension: 2
seed: 5
orientation: true
time: {step: 1e-3}
domain: {low: [1, 2], high: [10, 10], periodic: [x, y]}
materials: {grain: {density: 1}}
contacts:
  - between: [grain, grain]
    rigid: {friction: 0.4, restitution: 0.2}
particles:
  - dense: {count: 90, material: grain, radius: {uniform: [0.35, 0.5]}}
solver: {blocks: 20, residual: 1e-3, most: 500}
stages:
  - {name: press, friction: 0, cell: {pressure: 20 N/m, limit: 0.5}, until: {time: 0.25}}
  - {name: shear, friction: own, cell: {strain_rate: {xy: 2}, stress: {yy: 20 N/m}, rise: 0.02}, until: {time: 0.4}}
  - {name: compress, cell: {strain_rate: {yy: -0.4}, stress: {xx: 10 N/m}}, until: {time: 0.2}}
  - {name: mean, cell: {strain_rate: {yy: -0.4}, pressure: 15 N/m}, until: {time: 0.2}}
  - {name: undrained, cell: {strain_rate: {yy: -0.4}, volume: constant}, until: {time: 0.03}}
analysis:
  - stress: {every: 0.05}
output: {series: {steps: 10}, checkpoint: {steps: 330, keep: 9}, snapshots: {steps: 200, contacts: true}}
END
block "stages of a box"
expect "one rank" 0 ranks 1 run stages.yaml -o one -q
for n in 4; do # fewer: below, where it goes on
    expect "$n ranks" 0 ranks $n run stages.yaml -o "on$n" -q --set balance.force_every=75 --set output.checkpoint.steps=0
    holds "$n ranks: state and series as on one" same "on$n" one
done
block "resumes"
for k in 330 990; do
    cp -r one again
    for file in again/checkpoint.*.h5; do
        step=${file##*/checkpoint.}
        [ $((10#${step%.h5})) -le $k ] || rm "$file"
    done
    expect "on from step $k" 0 ranks $((k / 330 + 1)) resume again -q
    holds "resumed at step $k" same again one
    rm -r again
done

block "what the stages are told"
holds "energies add up to rounding" python - << 'END'
from means import *
worst = max(abs(x["closure error"]) for x in rows("one"))
print(worst)
assert worst < 1e-12
END
# W dL/dt = V (stress - target). What a pressure feels but does not move is known a few steps later.
holds "stresses are the targets" python - << 'END'
from means import *
r = rows("one")
press, shear, compress, both = (late(r, k) for k in (1, 2, 3, 4))
found = [(mean(press, "xx") + mean(press, "yy") - push("one", press, "xx")) / 40,
         (mean(shear, "yy") - push("one", shear, "yy")) / 20,
         (mean(compress, "xx") - push("one", compress, "xx")) / 10,
         (mean(both, "xx") + mean(both, "yy") - push("one", both, "xx")) / 30]
print(found, push("one", compress, "xx") / 10)
assert all(abs(x - 1) < 0.005 for x in found[:3]) and abs(found[3] - 1) < 0.03
END
holds "flips, rates and sizes" python - << 'END'
from means import *
r = rows("one")
tilt = [x["cell xy [m]"] / x["cell xx [m]"] for x in r]
assert max(map(abs, tilt)) < 0.513 and min(tilt) < -0.4 < 0.4 < max(tilt), (min(tilt), max(tilt))
assert abs(late(r, 2, 0.9)[-1]["strain xy"] - 2 * (0.4 - 0.5 * 0.02)) < 1e-12
assert all(abs(x["strain rate xx [1/s]"]) <= 0.5 for x in late(r, 1, 0))
sizes = [x["cell size [m^2]"] for x in late(r, 5, 0)]
assert max(sizes) / min(sizes) < 1 + 1e-13 and late(r, 5, 0)[-1]["strain rate xx [1/s]"] == 0.4
END
holds "friction is that of the stage" python - << 'END'
from means import *
r = rows("one")
lost = lambda x: x["lost to sliding [J]"]
assert lost(late(r, 1)[-1]) == 0 < lost(late(r, 2)[-1])
q = -mean(late(r, 2), "xy") / mean(late(r, 2), "yy")
print(q)  # inertial number 0.4: far above the quasi-static 0.3
assert 0.25 < q < 0.8
END
holds "the measured stress is that of the series" python - << 'END'
from rows import rows
series = {x["step"]: x for x in rows("one")}
for m in rows("one", "stress"):
    s = series.get(m["step"])
    if s is None or m["step"] == 0: continue
    size = abs(s["stress xx [N/m]"]) + abs(s["stress yy [N/m]"]) + 1
    for c in ("xx", "yy"):  # branches of after the step, in which grains move by 2 %
        sum3 = sum(m[f"{part} {c} [N/m]"] for part in ("kinetic", "normal", "tangential"))
        assert abs(sum3 - s[f"stress {c} [N/m]"]) < 0.02 * size, (c, sum3, s)
END

block "moreau"
moreau=(--set time.scheme=moreau --set output.checkpoint.steps=0)
expect "one rank" 0 ranks 1 run stages.yaml -o moreau -q "${moreau[@]}"
expect "three ranks" 0 ranks 3 run stages.yaml -o moreau3 -q "${moreau[@]}"
holds "the same" same moreau3 moreau
holds "stresses are the targets" python - << 'END'
from means import *
r = rows("moreau")
shear, compress = late(r, 2), late(r, 3)
found = [(mean(shear, "yy") - push("moreau", shear, "yy")) / 20,
         (mean(compress, "xx") - push("moreau", compress, "xx")) / 10]
print(found)
assert all(abs(x - 1) < 0.005 for x in found) and max(abs(x["closure error"]) for x in r) < 1e-12
END

block "a cell that rests"
rest=(--set 'stages=[{until: {time: 0.2}}]' --set particles.0.dense.speed=1)
expect "a cell at rest" 0 ranks 2 run stages.yaml -o rest -q "${rest[@]}" --set 'cell={strain_rate: {xy: 0}}'
expect "no cell" 0 ranks 1 run stages.yaml -o fixed -q "${rest[@]}"
holds "the same grains, bit for bit" same_grains rest fixed

block "adiabatic gas"
compress_gas cd "rigid: {}" 1e-13

block "between walls"
cat > walls.yaml << 'END'
title: a layer between a floor and a lid, in a box that deforms
method: cd
dimension: 2
seed: 5
time: {step: 1e-3}
gravity: [0, -1]
domain: {low: [1, 2], high: [10, 12], periodic: [x]}
materials: {grain: {density: 1}, wall: {density: 1}}
contacts:
  - between: [grain, grain]
    rigid: {friction: 0.4}
  - between: [grain, wall]
    rigid: {friction: 0.3}
boundaries:
  floor: {shape: plane, material: wall, point: [0, 2], normal: [0, 1]}
  lid: {shape: plane, material: wall, point: [0, 12], normal: [0, -1], velocity: [0.5, 0], servo: {stress: 20 N/m}}
particles:
  - dense: {count: 90, material: grain, radius: {uniform: [0.4, 0.6]}}
    glue: {to: floor, within: 0.15}
stages:
  - {name: stretch, cell: {strain_rate: {xx: 0.05}}, until: {time: 0.5}}
  - {name: hold, cell: {stress: {xx: 15 N/m}}, until: {time: 0.6}}
solver: {blocks: 20, residual: 1e-3}
output: {series: {steps: 20}, checkpoint: {steps: 800}}
END
expect "one rank" 0 ranks 1 run walls.yaml -o walls1 -q
expect "three ranks" 0 ranks 3 run walls.yaml -o walls3 -q --set balance.force_every=75 --set output.checkpoint.steps=0
holds "as on one" same walls3 walls1
cp -r walls1 walls
rm walls/state.h5
expect "the rest" 0 ranks 4 resume walls -q
holds "resumed" same walls walls1
holds "stresses of box and lid, sizes, books" python - << 'END'
from means import *
r = rows("walls1")
hold = late(r, 2)
lid = sum(x["force on lid y [N]"] / x["cell xx [m]"] for x in hold) / len(hold)
xx = mean(hold, "xx") - push("walls1", hold, "xx")
print(xx, mean(hold, "yy"), lid)
assert abs(xx / 15 - 1) < 0.005 and abs(lid / 20 - 1) < 0.05
assert max(abs(x["closure error"]) for x in r) < 1e-12
for x in r:
    height = x["position of lid y [m]"] - 2
    assert abs(x["cell size [m^2]"] / (x["cell xx [m]"] * height) - 1) < 1e-13
END
block "steps in halves"
cat > halves.yaml << 'END'
title: disks that fall under a lid, in long steps
method: cd
dimension: 2
seed: 3
time: {step: 4 ms, steps: 60}
gravity: [0, -9.81]
domain: {low: [0, 0], high: [30 mm, 40 mm], periodic: [x]}
materials: {disk: {density: 2.5 kg/m^2}}
contacts:
  - between: [disk, disk]
    rigid: {friction: 0.5, restitution: 0.3}
boundaries:
  floor: {shape: plane, material: disk, point: [0, 0], normal: [0, 1]}
  lid: {shape: plane, material: disk, point: [0, 40 mm], normal: [0, -1], velocity: [0.1, 0], servo: {stress: 2 N/m, mass: 20 g}}
particles:
  - random: {count: 120, material: disk, radius: {uniform: [0.8 mm, 1.2 mm]}, speed: 0.3}
solver: {residual: 1e-3, blocks: 30, most: 60, failure: halve, halvings: 3}
output: {series: {steps: 1}, checkpoint: {steps: 25, keep: 9}}
END
expect "one rank" 0 ranks 1 run halves.yaml -o halves1 -q
expect "three ranks" 0 ranks 3 run halves.yaml -o halves3 -q --set balance.force_every=7 --set output.checkpoint.steps=0
holds "as on one" same halves3 halves1
cp -r halves1 again
rm again/checkpoint.*50.h5 again/state.h5
expect "the rest" 0 ranks 2 resume again -q
holds "resumed" same again halves1
holds "some steps in parts, some given up; books add up" python - << 'END'
import json
from rows import rows
r, about = rows("halves1"), json.load(open("halves1/report.json"))["cd"]
print(about, max(abs(x["closure error"]) for x in r))
assert 5 < about["steps_halved"] < 60 and about["steps_not_solved"] < about["steps_halved"]
assert max(abs(x["closure error"]) for x in r) < 1e-12
worst = about["worst_contact"]
row = r[about["worst_step"]]
assert row["residual"] == max(x["residual"] for x in r) > 0 and row["worst contact first"] == worst["first"] > 0
END
summary
