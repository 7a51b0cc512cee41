#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A lid with a servo on a column of disks that do not touch at first: the load comes to its target
# from nothing, to four times that, and back, without much overshoot and to 0.1 %.
# Usage: tests/physics/servo.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/../io/common.sh"

cat > steps.yaml << 'END'
title: a column under a lid whose load rises in steps
time: {step: 2 us}
dimension: 2
grains: spheres
seed: 3
background_friction: 1e-4 kg/s
domain: {low: [0, 0], high: [8 mm, 12 mm], periodic: [x]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 500 N/m, restitution: 0.5}
    tangential: {law: spring, stiffness: 150 N/m, friction: 0.5}
boundaries:
  bottom: {shape: plane, material: glass, point: [0, 0], normal: [0, 1]}
  lid: {shape: plane, material: glass, point: [0, 9 mm], normal: [0, -1]}
particles:
  - dense: {count: 68, material: glass, radius: {uniform: [0.4 mm, 0.6 mm]}, high: [8 mm, 9 mm]}
stages:
  - name: first
    boundaries: {lid: {servo: {stress: 3 N/m}}}
    until: {time: 60 ms}
  - name: more
    boundaries: {lid: {servo: {stress: 12 N/m}}}
    until: {time: 60 ms}
  - name: less
    boundaries: {lid: {servo: {stress: 3 N/m}}}
    until: {time: 60 ms}
output: {series: {steps: 20}, state: false, progress: 0}
END
cat > check.py << 'END'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/series.csv")))
before = 0
for stage in "123":
    part = [r for r in rows if r["stage"] == stage]
    target = float(part[-1]["servo target of lid [N]"])
    load = [-float(r["servo load on lid [N]"]) for r in part]
    overshoot = max((q - target) / (target - before) for q in load)
    end = load[-len(load) // 5:]
    error = sum(end) / len(end) / target - 1
    print(f"stage {stage}: overshoot {overshoot:.3f}, steady error {error:.5f}")
    assert overshoot < 0.2 and abs(error) < 1e-3
    before = target
END
for mass in auto '1e-5 kg'; do
    [ "$mass" = auto ] || sed -i "s|servo: {stress|servo: {mass: $mass, stress|" steps.yaml
    expect "mass $mass" 0 ranks 1 run steps.yaml -o "m$mass" -q
    holds "mass $mass: steps of the load" python check.py "m$mass"
done
summary
