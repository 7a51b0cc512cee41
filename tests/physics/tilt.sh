#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A lid that is pressed, tilts, is held as it is and tilts again, stage by stage: the books close, the
# tilt goes on from where it was; bits do not depend on ranks, rebalancing or a resume in any stage.
# Usage: tests/physics/tilt.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/../io/common.sh"

cat > tilt.yaml << 'EOF'
time: {step: 1e-5}
seed: 3
gravity: [0, 0, -9.81]
domain: {low: [-10 mm, -10 mm, 0], high: [10 mm, 10 mm, 30 mm]}
materials: {m: {density: 2500}}
contacts: [{between: [m, m], normal: {law: linear, stiffness: 2000, restitution: 0.5}, tangential: {law: spring, stiffness: 1000, friction: 0.5}}]
boundaries:
  box: {shape: box, material: m, low: [-10 mm, -10 mm, 0], high: [10 mm, 10 mm, 40 mm]}
  lid: {shape: plane, material: m, point: [0, 0, 21 mm], normal: [0, 0, -1]}
particles: [{random: {material: m, radius: {uniform: [1 mm, 1.3 mm]}, count: 250, low: [-10 mm, -10 mm, 0], high: [10 mm, 10 mm, 20 mm]}, glue: {to: lid, within: 0.8 mm}}]
stages:
  - {name: press, until: {time: 20 ms}, boundaries: {lid: {servo: {force: 1 N, speed: 0.5 m/s}}}}
  - {name: tilt, until: {time: 10 ms}, boundaries: {lid: {servo: {force: 1 N}, tilt: {inertia: 1e-7, point: [2 mm, 1 mm, 21 mm], rise: 2 ms}}}}
  - {name: hold, until: {time: 5 ms}, boundaries: {lid: {velocity: [0, 0, -20 mm/s]}}}
  - {name: free, until: {time: 5 ms}, boundaries: {lid: {velocity: [0, 0, -20 mm/s], tilt: {inertia: 1e-7, point: [2 mm, 1 mm, 21 mm]}}}}
output: {series: {steps: 100}, progress: 0, checkpoint: {steps: 700, keep: 99}}
EOF
expect "one rank" 0 ranks 1 run tilt.yaml -o one -q
holds "it tilts in stages 2 and 4 only, and the books close" python - one/series.csv << 'EOF'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
at = {n: [r for r in rows if int(r["stage"]) == n] for n in (1, 2, 3, 4)}
tilt = lambda r: [float(r[f"tilt of lid {c} [rad]"]) for c in "xyz"]
size = lambda n, k: max(abs(x) for x in tilt(at[n][k]))
closure = max(abs(float(r["closure error"])) for r in rows)
print(closure, tilt(at[2][-1]), tilt(at[4][-1]))
assert size(1, -1) == 0 and size(2, -1) > 0.003
assert max(abs(a - b) for a, b in zip(tilt(at[4][-1]), tilt(at[3][-1]))) > 0.001
assert all(tilt(r) == tilt(at[3][0]) for r in at[3]) and size(3, 0) >= 0.9 * size(2, -1)
assert closure < 5e-3
EOF
for n in 2 3 4; do
    expect "$n ranks" 0 ranks $n run tilt.yaml -o "on$n" -q --set balance.force_every=70
    holds "$n ranks: state and series as on one" same "on$n" one
done
for step in 3500 2800; do # in the third stage, in the second
    rm -f on3/report.json "on3/checkpoint.00000000$((step + 700)).h5"
    echo "checkpoint.00000000$step.h5" > on3/latest
    expect "again from step $step" 0 ranks 2 resume on3 -q
    holds "resumed on other ranks" same on3 one
done
summary
