#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Contact dynamics as a user meets it: a sheared layer of disks with glued walls, and spheres that fall
# into a drum that turns. State, series and measurements are the same to the last digit on 1 to 4 ranks
# and after a resume on another number; energies add up from the first step on; walls that moved long
# before a resume do not make the pair lists longer.
# Usage: tests/physics/cd.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/../io/common.sh"
export OMPI_MCA_mpi_yield_when_idle=1

cat > shear.yaml << 'END'
title: disks between rough walls
method: cd
dimension: 2
seed: 3
time: {step: 0.5 ms, steps: 60}
domain: {low: [0, 0], high: [40 mm, 30 mm], periodic: [x]}
materials: {disk: {density: 2.5 kg/m^2}, rough: {density: 2.5 kg/m^2}}
contacts:
  - between: [disk, disk]
    rigid: {friction: 0.4, restitution: 0.2, rolling: 0.05}
  - between: [disk, rough]
    rigid: {friction: 0.4}
boundaries:
  floor: {shape: plane, material: rough, point: [0, 0], normal: [0, 1], velocity: [-0.1 m/s, 0]}
  lid: {shape: plane, material: rough, point: [0, 30 mm], normal: [0, -1], velocity: [0.1 m/s, 0]}
particles:
  - dense: {count: 290, material: disk, radius: {uniform: [0.8 mm, 1.2 mm]}, low: [0, 0], high: [40 mm, 30 mm]}
    glue: {within: 0.4 mm, material: rough}
    ramp: {component: x, along: y, low: -0.1 m/s, high: 0.1 m/s}
solver: {blocks: 40, residual: 1e-3}
analysis:
  - stress: {every: 5 ms, sampled: 1, border: 20 %}
  - packing: {every: 5 ms}
  - walls: {every: 5 ms, sampled: 1}
  - profile: {along: y, bins: 10, sampled: 2}
output: {series: {steps: 10}, snapshots: {steps: 30, contacts: true}, checkpoint: {steps: 35}}
END
cat > drum.yaml << 'END'
title: spheres in a drum
method: cd
dimension: 3
seed: 3
time: {step: 0.5 ms, steps: 60}
gravity: [0, 0, -9.81]
domain: {low: [-21 mm, 0, -21 mm], high: [21 mm, 10 mm, 21 mm], periodic: [y]}
materials: {bead: {density: 2500 kg/m^3}}
contacts:
  - between: [bead, bead]
    rigid: {friction: 0.5, restitution: 0.3}
boundaries:
  drum: {shape: cylinder, material: bead, point: [0, 0, 0], axis: [0, 1, 0], radius: 20 mm, side: inside, rotate: {axis: [0, 1, 0], rate: 60 rpm}}
particles:
  - random: {count: 250, material: bead, radius: 1 mm, low: [-12 mm, 0, -14 mm], high: [12 mm, 10 mm, 4 mm]}
solver: {blocks: 40, residual: 1e-3}
analysis:
  - packing: {every: 5 ms}
output: {series: {steps: 10}, checkpoint: {steps: 35}}
END

on_ranks shear "1 2 3 4" packing.csv stress.csv
on_ranks drum "1 3 4" packing.csv

block "figures of the solver"
holds "are columns of the series" grep -q ',sweeps,residual,unbalanced,worst contact,worst contact first,worst contact second,largest overlap \[m\],' shear-1/series.csv
python - > messages << 'END'
import csv
import sys

rows = list(csv.DictReader(open("shear-1/series.csv")))[1:]
wrong = 0
for row in rows:
    sweeps, residual, overlap = (float(row[k]) for k in ("sweeps", "residual", "largest overlap [m]"))
    # Disks move by 50 um in a step; what is left of that is a matter of the residual.
    ok = sweeps >= 5 and 0 < residual <= 1e-3 and 0 <= overlap < 10e-6
    wrong += not ok
    print(sweeps, residual, overlap, "ok" if ok else "WRONG")
sys.exit(wrong > 0 or len(rows) < 6)
END
verdict "are what the input asks for" $?

block "energies add up, free fall included"
python - > messages << 'END'
import csv
import sys

worst = max(abs(float(row["closure error"])) for row in csv.DictReader(open("drum-1/series.csv")))
print(worst)
sys.exit(not worst < 1e-10)
END
verdict "closure error below 1e-10" $?

block "resume in the middle"
for ranks in "1 3" "4 2"; do
    set -- $ranks
    for name in shear drum; do
        ranks "$1" run $name.yaml -q -o "$name-$1$2" --set time.steps=40
        expect "$name goes on on $2 ranks" 0 ranks "$2" resume "$name-$1$2" -q --set time.steps=60
        holds "$name: $1 ranks, then $2: state and series" same "$name-$1$2" $name-1
    done
done

block "lists of a resumed run are no longer than before"
far=(--set 'boundaries.lid={shape: plane, material: rough, point: [0, 33 mm], normal: [0, -1], velocity: [0, -0.05 m/s]}')
ranks 1 run shear.yaml -q -o far "${far[@]}"
ranks 1 run shear.yaml -q -o near "${far[@]}" --set time.steps=57 --set output.checkpoint.steps=55
expect "resumed" 0 ranks 1 resume near -q --set time.steps=60
python - > messages << 'END'
import json
import sys

far, near = (json.load(open(f"{k}/report.json"))["listed_pairs_per_grain"] for k in ("far", "near"))
print(far, near)
sys.exit(not near < 1.3 * far)
END
verdict "pairs per grain" $?
summary
