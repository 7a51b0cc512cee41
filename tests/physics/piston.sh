#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A piston with a servo of 10 kPa in a cylinder without friction: base and piston bear 10 kPa times
# pi R^2, whatever the domain; pressure and solid fraction are those of the round sample.
# Usage: tests/physics/piston.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/../io/common.sh"

cat > piston.yaml << 'END'
time: {step: 2 us}
domain: {low: [-6 mm, -6 mm, -1 mm], high: [6 mm, 6 mm, 20 mm]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.3}
boundaries:
  side: {shape: cylinder, material: glass, point: [0, 0, 0], radius: 5 mm, side: inside}
  base: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1]}
  piston: {shape: plane, material: glass, point: [0, 0, 10 mm], normal: [0, 0, -1]}
particles:
  - random: {count: 240, material: glass, radius: 0.6 mm, region: {shape: cylinder, radius: 5 mm, low: 0, high: 10 mm}}
stages:
  - name: press
    boundaries: {piston: {servo: {stress: 10 kPa}}}
    until: {wall: base, stress: {at_least: 8 kPa, at_most: 20 kPa}, after: 5 ms, at_most: {time: 60 ms, required: true}}
  - name: rest
    until: {time: 50 ms}
background_friction: 2e-3 kg/s
analysis:
  - walls: {every: 0.1 ms}
  - packing: {every: 0.1 ms}
  - packing: {name: part, every: 0.1 ms, low: [-6 mm, -6 mm, 0], high: [6 mm, 6 mm, 20 mm]}
  - profile: {along: z, low: 1 mm, high: 4 mm, bins: 1, from: 35 ms, sampled: 100}
output: {series: {steps: 100}, state: false, progress: 0}
END
cat > check.py << 'END'
import csv, math, sys
folder = sys.argv[1]
section = math.pi * 25e-6
def rows(name):
    return list(csv.DictReader(open(f"{folder}/{name}.csv")))
def last(name):
    return rows(name)[-1]
def mean(name, column):
    end = rows(name)[-100:]
    return sum(float(row[column]) for row in end) / len(end)
assert abs(-mean("series", "force on base z [N]") / (1e4 * section) - 1) < 2e-3
for wall in "base", "piston":
    assert abs(mean("walls", f"pressure on {wall} [Pa]") / 1e4 - 1) < 2e-3
height = float(last("series")["position of piston z [m]"])
solid = float(last("packing")["solid fraction"])
assert abs(solid / (240 * 4 / 3 * math.pi * 0.6e-3**3 / (section * height)) - 1) < 1e-9, solid
assert float(last("part")["solid fraction"]) == solid
density = float(last("profile")["solid fraction"])
assert 0.9 * solid < density < 1.15 * solid, (density, solid)
END
for n in 1 2; do
    expect "$n ranks" 0 ranks $n run piston.yaml -o "out$n" -q
    holds "$n ranks: loads and densities" python check.py "out$n"
done
holds "the same on 1 and 2 ranks" test "$(digest out1)" = "$(digest out2)"
expect "the area is told" 0 ranks 1 check piston.yaml
says "area of wall 'piston' in its servo of stage 1: 7.85398e-05 m^2"
says "volume of packing: 7.85398e-07 m^3"
holds "it is beside the results" grep -q "^# area of wall 'base' in walls: 7.85398e-05 m^2" out1/effective.yaml
summary
