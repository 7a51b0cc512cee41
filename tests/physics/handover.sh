#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The method changes between stages: closed forms of a column and of a disk on a slope, which bear the
# same forces before and after; rows at their times; energies in one ledger; the same bits on 1 to 4
# ranks and after a resume in any stage on another number; keys that one of the methods does not know;
# a gas that is hard, soft, hard, rigid and hard again.
# Usage: tests/physics/handover.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/support/shell_test.sh
source "$(dirname "$0")/../support/shell_test.sh"
write_rows
py() { cat > script.py; /usr/bin/python3 script.py; }

block "closed forms"
# Disks of mass m = 0.01 pi kg on each other; contact i from above bears i m g.
cat > column.yaml << 'END'
method: cd
dimension: 2
time: {step: 1 ms}
gravity: [0, -10]
domain: {low: [-1, 0], high: [1, 1]}
materials: {m: {density: 1}}
contacts:
  - between: [m, m]
    normal: {law: linear, stiffness: 1e4}
    tangential: {law: spring, stiffness: 8e3, friction: 0.5}
    rolling: {law: spring, stiffness: 5e3, friction: 0.5}
boundaries: {floor: {shape: plane, material: m, point: [0, 0], normal: [0, 1]}}
particles:
  - lattice: {material: m, radius: 0.1, spacing: 0.2, low: [0, 0], high: [0.2, 1], count: 5}
solver: {residual: 1e-12, most: 10000}
stages:
  - {name: rigid, until: {steps: 5}}
  - {name: soft, method: md, step: 10 us, until: {time: 0.5 ms}}
  - {name: stiff, method: cd, step: 1 ms, until: {time: 2 ms}}
output: {series: {every: 0.1 ms}}
END
expect "a column" 0 ranks 1 run column.yaml -o column
says "from cd to md with steps of 1e-05 s: 5 contacts"
holds "no trajectory if none is asked for" [ ! -e column/trajectory.001.h5 ]
expect "advice for each method" 0 ranks 1 check column.yaml
says "solver: nncg"
says "stage 'soft', method md with steps of 1e-05 s"
says "contact time 0.003937 s = 394 steps" # pi sqrt(m / 2 k)
expect "warnings of the second method" 0 ranks 2 check column.yaml --set stages.1.step="1 ms"
says "contacts of m with m that last only 2.54 steps end a run"
expect "a disk on a slope, held by friction and rolling friction" 0 ranks 1 run column.yaml -o slope \
    --set particles.0.lattice.count=1 --set 'gravity=[2, -10]'
expect "contacts bear in md what they bore in cd, and again in cd" 0 py << 'END'
import csv
from math import pi
from rows import rows
def near(a, b, part=1e-6): assert abs(a - b) <= part * abs(b), (a, b)
k, kt, kr, m = 1e4, 8e3, 5e3, 0.01 * pi
column, slope = rows("column"), rows("slope")
soft = [r for r in column if r["stage"] == 2]
print(soft[0])
for r in soft: # at rest, from the first row to the last
    near(r["elastic energy normal [J]"], sum((10 * m * i) ** 2 for i in range(1, 6)) / (2 * k))
    assert r["kinetic energy [J]"] < 1e-12
for r in column[1:]: near(r["force on floor y [N]"], -50 * m)
last = [r for r in slope if r["stage"] == 2][-1]
near(last["elastic energy normal [J]"], (10 * m) ** 2 / (2 * k))
near(last["elastic energy tangential [J]"], (2 * m) ** 2 / (2 * kt))
near(last["elastic energy rolling [J]"], (2 * m) ** 2 / (2 * kr))
for r in slope[1:]: near(r["force on floor x [N]"], 2 * m)
# Times of rows, whatever the step: five of 0.1 ms in the soft stage, then steps of 1 ms.
assert [round(r["time [s]"] * 1e4, 6) for r in soft] == [51, 52, 53, 54, 55], soft
assert [round(r["time [s]"] * 1e4, 6) for r in column if r["stage"] == 3] == [65, 75], column[-2:]
assert [r["step"] for r in soft] == [15, 25, 35, 45, 55]
# What springs hold came out of nothing, and is given back; gravity fell by twice as much.
assert max(abs(r["closure error"]) for r in column) < 1e-9
assert max(abs(r["lost to hand-over [J]"]) for r in column) > 1e-4
for name in "column", "slope":
    table = list(csv.DictReader(open(name + "/stages.csv")))
    assert [r["method"] for r in table] == ["cd", "md", "cd"]
    assert table[0]["unbalanced after"] == ""
    assert max(float(r["unbalanced after"]) for r in table[1:]) < 1e-6, table
END

block "any number of ranks"
cat > shear.yaml << 'END'
method: cd
dimension: 2
seed: 3
time: {step: 0.5 ms}
domain: {low: [0, 0], high: [40 mm, 20 mm], periodic: [x]}
materials: {disk: {density: 2.5 kg/m^2}, rough: {density: 2.5 kg/m^2}}
contacts:
  - between: [disk, disk]
    normal: {law: linear, stiffness: 2e5, restitution: 0.2}
    tangential: {law: fazekas, stiffness: 1.6e5, friction: 0.4}
    rolling: {law: spring, stiffness: 1e5, friction: 0.05}
  - between: [disk, rough]
    normal: {law: hertz, young: 1e9, poisson: 0.3, restitution: 0.2}
    tangential: {law: mindlin, friction: 0.3}
boundaries:
  floor: {shape: plane, material: rough, point: [0, 0, 0], normal: [0, 1, 0], velocity: [-0.05 m/s, 0]}
  lid: {shape: plane, material: rough, point: [0, 20 mm, 0], normal: [0, -1, 0], velocity: [0.05 m/s, 0], servo: {stress: 20 N/m, mass: 0.05}}
particles:
  - dense: {count: 190, material: disk, radius: {uniform: [0.8 mm, 1.2 mm]}, low: [0, 0], high: [40 mm, 20 mm]}
solver: {blocks: 40, residual: 1e-4, most: 500}
warnings: {contact_steps: 20}
stages:
  - {name: one, until: {time: 30 ms}}
  - {name: two, method: md, step: 0.5 us, until: {time: 0.1 ms}}
  - {name: three, method: cd, step: 0.5 ms, until: {time: 6 ms}}
  - {name: four, method: md, step: 0.4 us, until: {time: 0.08 ms}}
analysis: [stress: {every: 20 us, border: 20 %}]
output: {series: {every: 20 us}, checkpoint: {steps: 30, keep: 100}}
END
cat > ring.yaml << 'END'
method: cd
seed: 9
time: {step: 1e-2}
domain: {low: [0, 0, 0], high: [9, 9, 6], wedge: {axis: z, sectors: 5}}
gravity: [0, 0, -9.5]
materials: {m: {density: 1}}
contacts:
  - between: [m, m]
    normal: {law: linear, stiffness: 1e7, restitution: 0.05}
    tangential: {law: fazekas, stiffness: 8e6, friction: 0.5}
boundaries:
  floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}
  inner: {shape: cylinder, material: m, point: [0, 0, 0], radius: 3, side: outside, rotate: {law: constant, rate: 0.1}}
  outer: {shape: cylinder, material: m, point: [0, 0, 0], radius: 8.5, side: inside}
particles:
  - loose: {material: m, count: 60, radius: {uniform: [0.45, 0.6]}, region: {shape: cylinder, axis: z, inner: 3.1, radius: 8.4, low: 0.1, high: 6}}
solver: {blocks: 30, residual: 1e-5}
stages:
  - {name: one, until: {time: 0.9 s}}
  - {name: two, method: md, step: 2e-5, until: {steps: 90}}
  - {name: three, method: cd, step: 1e-2, until: {steps: 12}}
output: {series: {steps: 10}, checkpoint: {steps: 45, keep: 100}}
END
cat > pile.yaml << 'END'
method: cd
dimension: 2
seed: 5
time: {step: 2 ms}
gravity: [0, -9.81]
domain: {low: [0, 0], high: [0.25, 0.5], periodic: [x]}
materials: {m: {density: 1}}
contacts:
  - between: [m, m]
    normal: {law: linear, stiffness: 4000 N/m, restitution: 0.3}
    tangential: {law: fazekas, stiffness: 3000 N/m, friction: 0.4}
boundaries: {floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 1, 0]}}
particles:
  - random: {count: 110, material: m, radius: {uniform: [7 mm, 12 mm]}, low: [0, 0], high: [0.25, 0.35]}
solver: {blocks: 30}
stages:
  - {name: fall, until: {time: 1 s}}
  - {name: soft, method: md, step: 4 us, until: {time: 1.2 ms}}
  - {name: rigid, method: cd, step: 2 ms, until: {time: 60 ms}}
output: {series: {every: 0.2 ms}, checkpoint: {steps: 200, keep: 100}}
END
# Collisions bear nothing, so nothing is handed over; grains that touch must shrink to be hard.
cat > gas.yaml << 'END'
method: ed
dimension: 2
seed: 5
gravity: [0, -0.5]
time: {step: 1 ms}
domain: {low: [0, 0], high: [20 mm, 25 mm], periodic: [x]}
materials: {m: {density: 1}}
contacts:
  - between: [m, m]
    rigid: {restitution: 0.9}
    normal: {law: linear, stiffness: 1e3, restitution: 0.9}
events: {contact_time: 1 us}
boundaries:
  floor: {shape: plane, material: m, point: [0, 0], normal: [0, 1], velocity: [0, 0.1]}
  lid: {shape: plane, material: m, point: [0, 25 mm], normal: [0, -1]}
particles:
  - random: {count: 250, material: m, radius: {uniform: [0.4 mm, 0.6 mm]}, speed: 0.2}
stages:
  - {name: one, until: {time: 10 ms}}
  - {name: two, method: md, step: 2 us, until: {time: 2 ms}}
  - {name: three, method: ed, step: 1 ms, scale_radii: 0.96, until: {time: 10 ms}}
  - {name: four, method: cd, step: 0.5 ms, until: {time: 5 ms}}
  - {name: five, method: ed, step: 1 ms, scale_radii: 0.96, until: {time: 10 ms}}
output: {series: {every: 1 ms}, checkpoint: {steps: 7, keep: 1000}}
END
for case in "pile 2 3 4" "shear 4" "ring 3" "gas 2 3"; do
    # shellcheck disable=SC2086
    set -- $case
    case=$1
    expect "$case on one rank" 0 ranks 1 run $case.yaml -o $case
    for n in "${@:2}"; do
        expect "$case on $n ranks" 0 ranks $n run $case.yaml -o $case$n -q \
            --set balance.force_every=17 --set output.checkpoint.steps=0
        holds "$case on $n ranks: the same" same $case$n $case
        holds "$case on $n ranks: the same stages" cmp $case$n/stages.csv $case/stages.csv
    done
done
holds "stresses, too" cmp shear4/stress.csv shear/stress.csv
expect "forces go on" 0 py << 'END'
import csv
from rows import rows
for name in "pile", "shear", "ring", "gas":
    worst = max(abs(r["closure error"]) for r in rows(name))
    print(name, worst)
    assert worst < 0.01
table = list(csv.DictReader(open("pile/stages.csv")))
print(table)
for r in table[1:]: assert float(r["unbalanced after"]) < 0.02
series = rows("pile")
weight = [r for r in series if r["stage"] == 1][-1]["force on floor y [N]"]
for r in series:
    if r["stage"] > 1: assert abs(r["force on floor y [N]"] / weight - 1) < 2e-3, r
END

block "resumed in each stage"
for at in "pile 400 3" "shear 30 2" "shear 210 3" "shear 270 1" "shear 450 4" "ring 135 2" \
    "gas 7 3" "gas 511 1" "gas 1015 2" "gas 1022 3" "gas 1036 1"; do
    # shellcheck disable=SC2086
    set -- $at
    cp -r "$1" there
    for file in there/checkpoint.*; do
        step=${file##*/checkpoint.}
        step=$((10#${step%.h5}))
        [ $step -le "$2" ] || rm "$file"
    done
    expect "$1: from step $2 on $3 ranks" 0 ranks "$3" resume there --set output.checkpoint.steps=0
    says "resumed from step $2\$"
    holds "$1: from step $2 on $3 ranks: as in one go" same there "$1"
    holds "$1: from step $2 on $3 ranks: the same stages" cmp there/stages.csv "$1/stages.csv"
    rm -r there
done
expect "soft grains that touch cannot become hard as they are" 1 ranks 2 run gas.yaml -o refused -q --set stages.2.scale_radii=1
says "grains [0-9]+ and [0-9]+ overlap by .* of the sum of their radii; .* 'scale_radii: 0\\.9[0-9]*'"
factor=$(sed -n "s/.*'scale_radii: \(0[0-9.]*\)'.*/\1/p" messages | head -n 1)
expect "but they can when they shrink as the message says" 0 ranks 1 run gas.yaml -o shrunk -q \
    --set stages.2.scale_radii="$factor" --set output.checkpoint.steps=0
expect "another method for a stage is refused" 2 ranks 1 resume shear --allow-change \
    --set stages.3.method=cd
says "the methods of the stages of a run under way stay what they are"
summary
