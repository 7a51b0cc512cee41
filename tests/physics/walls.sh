#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Walls of pieces that move differently: rain on a split bottom does not leak, the number of ranks
# changes neither the state nor the series, and a run resumed inside a ramp goes on with the same
# bits. Then bounded walls in a periodic box, and a hopper in two dimensions.
# Usage: tests/physics/walls.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/../io/common.sh"

cat > split.yaml << 'EOF'
title: rain on a split bottom
time: {step: 5 us, steps: 5000}
seed: 11
gravity: [0, 0, -100]
domain: {low: [-21 mm, -21 mm, -2 mm], high: [21 mm, 21 mm, 40 mm]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 500 N/m, restitution: 0.6}
    tangential: {law: spring, stiffness: 150 N/m, friction: 0.5, friction_dynamic: 0.4}
boundaries:
  side: {shape: cylinder, material: glass, point: [0, 0, 0], radius: 20 mm, length: 45 mm, rotate: {law: ramp, rate: 30 rad/s, rise: 20 ms}}
  outer: {shape: ring, material: glass, centre: [0, 0, 0], inner: 10 mm, outer: 20 mm, rotate: {law: ramp, rate: 30 rad/s, rise: 20 ms}}
  inner: {shape: disk, material: glass, centre: [0, 0, 0], radius: 10 mm}
  lid: {shape: plane, material: glass, point: [0, 0, 30 mm], normal: [0, 0, -1], move: {law: cosine, direction: [0, 0, -1], distance: 12 mm, duration: 20 ms, start: 2 ms}}
  stirrer: {shape: block, material: glass, low: [-6 mm, -0.5 mm, 5 mm], high: [6 mm, 0.5 mm, 8 mm], rotate: {law: table, times: [0, 5 ms, 20 ms], rates: [0, 100 rad/s, 20 rad/s]}}
particles:
  - random: {count: 250, material: glass, radius: {uniform: [0.6 mm, 1.2 mm]}, low: [-13 mm, -13 mm, 9 mm], high: [13 mm, 13 mm, 28 mm], speed: 0.5 m/s}
output: {checkpoint: {steps: 1000, keep: 9}, series: {steps: 250}, progress: 0}
EOF

expect "one rank" 0 ranks 1 run split.yaml -o one -q
for n in 2 3 4; do
    expect "$n ranks" 0 ranks $n run split.yaml -o "on$n" -q --set balance.force_every=90
    holds "$n ranks: state and series as on one" same "on$n" one
done

# The lid is on its way from 2 ms to 22 ms, the bottom speeds up until 20 ms: 2000 steps are 10 ms.
expect "half of it" 0 ranks 2 run split.yaml -o half -q --set time.steps=2000
expect "the rest" 0 ranks 3 resume half -q --set time.steps=5000
holds "resumed inside a ramp" same half one

holds "nothing leaks" python - one/state.h5 << 'EOF'
import sys, h5py, numpy
with h5py.File(sys.argv[1]) as f:
    found = []
    f.visititems(lambda name, item: found.append(item) if name.endswith("position") or name.endswith("pos") else None)
    pos = numpy.array(found[0])
off = numpy.hypot(pos[:, 0], pos[:, 1])
print(len(pos), pos[:, 2].min(), pos[:, 2].max(), off.max())
assert len(pos) == 250
assert pos[:, 2].min() > 0.0004 and pos[:, 2].max() < 0.018 and off.max() < 0.0195
assert (pos[:, 2] < 0.0015).sum() > 50  # the bottom is covered
near_split = (abs(off - 0.010) < 0.001) & (pos[:, 2] < 0.0015)
assert near_split.sum() > 3
EOF
holds "the series tells where the walls are" python - one/series.csv << 'EOF'
import csv, math, sys
rows = list(csv.DictReader(open(sys.argv[1])))
last = rows[-1]
assert abs(float(last["position of lid z [m]"]) - 0.018) < 1e-15, last
assert abs(float(last["angle of outer [rad]"]) - 30 * (0.025 - 0.010)) < 1e-12, last
middle = rows[8]
assert middle["step"] == "2000"
lid = 0.030 - 0.006 * (1 - math.cos(math.pi * 8 / 20))
assert abs(float(middle["position of lid z [m]"]) - lid) < 1e-15, middle
assert "position of inner z [m]" not in last and "angle of inner [rad]" not in last
assert abs(float(last["torque on outer z [N m]"])) > 0
EOF

cat > periodic.yaml << 'EOF'
title: obstacles in a periodic pipe
time: {step: 5 us, steps: 4000}
seed: 5
gravity: [0, 0, -20]
domain: {low: [-10 mm, -10 mm, 0], high: [10 mm, 10 mm, 20 mm], periodic: [z]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 500 N/m, restitution: 0.6}
    tangential: {law: spring, stiffness: 150 N/m, friction: 0.5}
boundaries:
  pipe: {shape: cylinder, material: glass, point: [0, 0, 0], radius: 9 mm, side: inside, rotate: {rate: 10 rad/s}}
  ball: {shape: sphere, material: glass, centre: [0, 0, 19 mm], radius: 3 mm, side: outside, velocity: [0, 0, 100 mm/s], rotate: {axis: [0, 1, 0], rate: 50 rad/s}}
  arm: {shape: cylinder, material: glass, point: [1 mm, 0, 9 mm], axis: [1, 0, 0], radius: 1 mm, length: 6 mm, rotate: {point: [0, 0, 0], rate: 60 rad/s}}
particles:
  - random: {count: 40, material: glass, radius: 0.6 mm, low: [-6 mm, 4 mm, 0], high: [6 mm, 6 mm, 20 mm], speed: 0.4 m/s}
output: {state: false, series: {steps: 500}, progress: 0}
EOF
expect "periodic, one rank" 0 ranks 1 run periodic.yaml -o p1 -q
for n in 2 3; do
    expect "periodic, $n ranks" 0 ranks $n run periodic.yaml -o "p$n" -q --set balance.force_every=70
    holds "periodic, $n ranks: as on one" same "p$n" p1
done
cat > hopper.yaml << 'EOF'
title: hopper of line segments with a wheel
time: {step: 5 us, steps: 6000}
dimension: 2
seed: 6
gravity: [0, -100]
domain: {low: [-20 mm, -20 mm], high: [20 mm, 40 mm]}
materials:
  disc: {density: 2 kg/m^2}
contacts:
  - between: [disc, disc]
    normal: {law: linear, stiffness: 500 N/m, restitution: 0.5}
    tangential: {law: spring, stiffness: 150 N/m, friction: 0.4}
boundaries:
  left: {shape: segment, material: disc, from: [-15 mm, 40 mm], to: [-15 mm, 10 mm]}
  slope: {shape: segment, material: disc, from: [-15 mm, 10 mm], to: [0, 0]}
  shut: {shape: segment, material: disc, from: [0, 0], to: [4 mm, 0]}
  rise: {shape: segment, material: disc, from: [4 mm, 0], to: [15 mm, 10 mm]}
  right: {shape: segment, material: disc, from: [15 mm, 10 mm], to: [15 mm, 40 mm]}
  wheel: {shape: cylinder, material: disc, point: [0, 12 mm], radius: 3 mm, side: outside, rotate: {rate: 40 rad/s}}
  lever: {shape: block, material: disc, low: [8 mm, 14 mm], high: [12 mm, 15 mm], rotate: {law: oscillate, amplitude: 20 deg, frequency: 50 Hz}}
particles:
  - random: {count: 60, material: disc, radius: {uniform: [0.5 mm, 0.8 mm]}, low: [-14 mm, 17 mm], high: [14 mm, 38 mm]}
output: {series: {steps: 500}, progress: 0}
EOF
expect "hopper, one rank" 0 ranks 1 run hopper.yaml -o h1 -q
expect "hopper, 3 ranks" 0 ranks 3 run hopper.yaml -o h3 -q --set balance.force_every=80
holds "hopper, 3 ranks: as on one" same h3 h1
holds "the hopper holds all" python - h1/state.h5 << 'EOF'
import sys, h5py, numpy
with h5py.File(sys.argv[1]) as f:
    found = []
    f.visititems(lambda name, item: found.append(item) if name.endswith(("position", "pos")) else None)
    x, y, z = numpy.array(found[0])[:, :3].T
print(y.min(), y.max(), x.min(), x.max())
assert len(x) == 60 and abs(x).max() < 0.015 and abs(z).max() == 0
assert (y > numpy.where(x < 0, -x / 1.5, numpy.maximum(0, (x - 0.004) / 1.1))).all()
assert (y < 0.004).any()
EOF
summary
