#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Grains that are poured at a rate: as many as the rate says, without overlap, their energy on the
# books; bits do not depend on ranks, rebalancing or a resume; a full region ends the run.
# Usage: tests/physics/pours.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/../io/common.sh"

# Two pours, 200 grains at 5000 /s from 2 ms on and large ones all the time, onto a few grains.
cat > pour.yaml << 'EOF'
time: {step: 10 us, steps: 6000}
gravity: [0, 0, -9.81]
domain: {low: [0, 0, 0], high: [20 mm, 20 mm, 60 mm], periodic: [x, y]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 500 N/m, restitution: 0.5}
    tangential: {law: spring, stiffness: 300 N/m, friction: 0.5}
boundaries:
  floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}
particles:
  - lattice: {count: 9, material: glass, radius: 1 mm, low: [0, 0, 0], high: [20 mm, 20 mm, 3 mm]}
pours:
  - rate: 5000 /s
    start: 2 ms
    particles:
      - random: {count: 200, material: glass, radius: {uniform: [0.7 mm, 1 mm]}, region: {shape: box, low: [0, 0, 45 mm], high: [20 mm, 20 mm, 60 mm]}, drift: [0, 0, -1 m/s]}
  - {rate: 300 /s, every: 5 ms, particles: [{random: {count: 1000, material: glass, radius: 1.6 mm, region: {shape: box, low: [0, 0, 30 mm], high: [20 mm, 20 mm, 40 mm]}, drift: [0, 0, -1 m/s]}}]}
output: {checkpoint: {steps: 1100, keep: 9}, series: {steps: 200}, progress: 0}
EOF
expect "a check" 0 ranks 1 check pour.yaml
grep -q "radii 0.0007 to 0.0016 m" messages
verdict "counts with the grains to come" $?
expect "one rank" 0 ranks 1 run pour.yaml -o one -q
holds "as many grains as the rates say, and books that close" python - one << 'EOF'
import csv, sys, h5py, numpy
with h5py.File(sys.argv[1] + "/state.h5") as f:
    found = []
    f.visititems(lambda name, item: found.append(item) if name.endswith("radius") else None)
    radius = numpy.array(found[0])
rows = list(csv.DictReader(open(sys.argv[1] + "/series.csv")))
closure = max(abs(float(r["closure error"])) for r in rows)
small, large = int((radius < 0.00099).sum()), int((radius > 0.0015).sum())
print(len(radius), small, large, closure)
assert len(radius) == 9 + 200 + 18 and large == 18
assert closure < 2e-3
EOF
for n in 2 3 4; do
    expect "$n ranks" 0 ranks $n run pour.yaml -o "on$n" -q --set balance.force_every=70
    holds "$n ranks: state and series as on one" same "on$n" one
done
for steps in 2200 2000; do # the second is a step in which grains come
    expect "until step $steps" 0 ranks 3 run pour.yaml -o "half$steps" -q --set time.steps=$steps
    expect "the rest" 0 ranks 2 resume "half$steps" -q --set time.steps=6000
    holds "resumed on other ranks" same "half$steps" one
done
expect "a region that is full" 1 ranks 2 run pour.yaml -o full -q --set gravity=[0,0,0] --set time.steps=60000 --set "pours=[{rate: 5000 /s, particles: [{random: {count: 9000, material: glass, radius: 1 mm, low: [0, 0, 30 mm], high: [20 mm, 20 mm, 40 mm]}}]}]"
grep -q "grains found a free place" messages
verdict "says so" $?
summary
