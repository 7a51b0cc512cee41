#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A wall with glued grains is shifted, then turned about a point that the stage names, shifted again and
# turned about another: wall and grains are where that takes them, on 1 and 2 ranks and resumed.
# Usage: tests/physics/rotation-point.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/../io/common.sh"

cat > turns.yaml << 'END'
time: {step: 10 us}
domain: {low: [-20 mm, -20 mm, -5 mm], high: [20 mm, 20 mm, 5 mm]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 100 N/m}
boundaries:
  plate: {shape: disk, material: glass, centre: [0, 0, 0], radius: 3 mm, velocity: [0.2 m/s, 0, 0]}
particles:
  - lattice: {material: glass, radius: 0.4 mm, spacing: 1 mm, count: 9, low: [-1.5 mm, -1.5 mm, 0], high: [1.5 mm, 1.5 mm, 1 mm]}
    glue: {to: plate, within: 0.4 mm}
stages:
  - {name: shift, until: {time: 10 ms}}
  - {name: turn, until: {time: 10 ms}, boundaries: {plate: {rotate: {rate: 9 deg/ms, point: [5 mm, 0, 0]}}}}
  - {name: again, until: {time: 10 ms}, boundaries: {plate: {velocity: [0, 0.3 m/s, 0]}}}
  - {name: back, until: {time: 10 ms}, boundaries: {plate: {rotate: {rate: -9 deg/ms, point: [0, 0, 0]}}}}
output: {series: {steps: 100}, checkpoint: {steps: 500, keep: 20}, progress: 0}
END
# The middle goes to (2, 0), about (5, 0) to (5, -3), to (5, 0), about the origin to (0, -5) mm; the
# plate has turned to and fro.
cat > check.py << 'END'
import csv, sys
import h5py
rows = list(csv.DictReader(open(f"{sys.argv[1]}/series.csv")))
at = {int(float(r["step"])): [float(r[f"position of plate {a} [m]"]) for a in "xy"] for r in rows}
def near(a, b):
    assert all(abs(x - y) < 1e-12 for x, y in zip(a, b)), (a, b)
near(at[1000], (2e-3, 0))
near(at[2000], (5e-3, 0))  # of the axis that the stage names
near(at[3000], (5e-3, 3e-3))
near(at[4000], (0, 0))
with h5py.File(f"{sys.argv[1]}/state.h5") as f:
    order = sorted(range(9), key=lambda i: f["particles/id"][i])
    place = [list(f["particles/position"][i]) for i in order]
middle = [sum(p[k] for p in place) / 9 for k in range(3)]
near(middle[:2], (0, -5e-3))
for i in range(9):
    near((place[i][0] - middle[0], place[i][1] - middle[1]), ((i % 3 - 1) * 1e-3, (i // 3 - 1) * 1e-3))
END
python -c 'import h5py' 2> /dev/null || skip "no h5py"
for n in 1 2; do
    expect "$n ranks" 0 ranks $n run turns.yaml -o "on$n" -q
    holds "$n ranks: where the stages take them" python check.py "on$n"
done
holds "the same on 1 and 2 ranks" test "$(digest on1)" = "$(digest on2)"
before=$(digest on2)
rm on2/checkpoint.*3[05]00.h5
expect "resumed" 0 ranks 1 resume on2 -q
holds "resumed: the same" test "$before" = "$(digest on2)"
summary
