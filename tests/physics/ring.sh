#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Grains glued to walls that turn and move, in a tiny ring shear cell with a split bottom: the same
# run on any number of ranks, through forced rebalancing and resumed on another number of ranks;
# glued grains stay where they are on their wall; what one half of the cell gives, the other takes.
# Usage: tests/physics/ring.sh SCREE
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/../io/common.sh"

cat > ring.yaml << 'END'
title: tiny ring shear cell
time: {step: 10 us, steps: 12000}
seed: 2
gravity: [0, 0, -100]
domain: {low: [-14 mm, -26 mm, 0], high: [36 mm, 24 mm, 20 mm]}
materials:
  grain: {density: 2000 kg/m^3}
  rough: {density: 2000 kg/m^3}
contacts:
  - between: [grain, grain]
    normal: {law: linear, stiffness: 500 N/m, restitution: 0.5}
    tangential: {law: spring, stiffness: 150 N/m, friction: 0.4}
  - between: [grain, rough]
    normal: {law: linear, stiffness: 500 N/m, restitution: 0.5}
    tangential: {law: spring, stiffness: 150 N/m, friction: 0.5}
boundaries:
  inner: {shape: cylinder, material: grain, point: [11 mm, -1 mm, 0], radius: 8 mm, side: outside}
  resting: {shape: ring, material: grain, centre: [11 mm, -1 mm, 0], inner: 8 mm, outer: 16 mm}
  turning: {shape: ring, material: grain, centre: [11 mm, -1 mm, 0], inner: 16 mm, outer: 24 mm, rotate: {law: ramp, rate: 8 rad/s, rise: 20 ms}}
  outer: {shape: cylinder, material: grain, point: [11 mm, -1 mm, 0], radius: 24 mm, side: inside, rotate: {law: ramp, rate: 8 rad/s, rise: 20 ms}}
particles:
  - dense:
      count: 280
      material: grain
      radius: {uniform: [0.9 mm, 1.4 mm]}
      region: {shape: cylinder, centre: [11 mm, -1 mm, 0], inner: 8 mm, radius: 24 mm, low: 0, high: 4 mm}
    glue: {within: 0.3 mm, share: 0.3, material: rough}
output: {checkpoint: {steps: 300, keep: 2}, series: {steps: 50}, progress: 0}
END

expect "short" 0 ranks 1 run ring.yaml -o short -q --set time.steps=1500
for n in 2 3 4; do
    expect "$n ranks" 0 ranks $n run ring.yaml -o "on$n" -q --set time.steps=1500 \
        --set balance.force_every=$((35 * n - 70))
    holds "$n ranks: state and series as on one" same "on$n" short
done
# It goes on from step 600, at 6 ms: the outer walls still speed up.
expect "part of it" 0 ranks 2 run ring.yaml -o part -q --set time.steps=700
expect "the rest" 0 ranks 3 resume part -q --set time.steps=1500
holds "resumed while the walls speed up" same part short

expect "at the start" 0 ranks 1 run ring.yaml -o zero -q --set time.steps=0
expect "all of it" 0 ranks 1 run ring.yaml -o one -q
cat > follow.py << 'END'
import math, sys, h5py, numpy
def read(folder):
    with h5py.File(folder + "/state.h5") as f:
        p = f["particles"]
        order = numpy.argsort(p["id"][...])
        return {key: p[key][...][order] for key in ("position", "velocity", "species")}
before, after = read(sys.argv[1]), read(sys.argv[2])
centre, rate = numpy.array([0.011, -0.001]), 8.0
angle = rate * (12000 * 10e-6 - 0.010)
glued = before["species"] == 2
at, to = (s["position"][glued] - [*centre, 0] for s in (before, after))
r = numpy.hypot(at[:, 0], at[:, 1])
turned = numpy.hypot(after["velocity"][glued][:, 0], after["velocity"][glued][:, 1]) > 0
c, s = math.cos(angle), math.sin(angle)
want = numpy.where(turned[:, None], at @ numpy.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]), at)
print(glued.sum(), turned.sum(), abs(numpy.hypot(to[:, 0], to[:, 1]) / r - 1).max())
assert glued.sum() > 30 and 15 < turned.sum() < glued.sum() - 10
assert abs(numpy.hypot(to[:, 0], to[:, 1]) / r - 1).max() < 1e-12
assert (to[:, 2] == at[:, 2]).all()
assert abs(to - want).max() < 1e-12 * r.max()
assert (r[turned] > 0.0145).all() and (r[~turned] < 0.0175).all()
speed = numpy.hypot(*after["velocity"][glued][:, :2].T)
assert abs(speed[turned] / (rate * r[turned]) - 1).max() < 1e-6
END
holds "glued grains stay on their walls" python follow.py zero one

# Torque about the axis on each half, with its glued grains. What the grains keep as angular momentum
# is small in the second half of the run. Glued grains that speed up do not upset the ledger.
cat > balance.py << 'END'
import csv, sys
rows = list(csv.DictReader(open("one/series.csv")))
rows = rows[len(rows) // 2:]
mean = lambda name: sum(float(r[f"torque on {name} z [N m]"]) for r in rows) / len(rows)
outside, inside = mean("turning") + mean("outer"), mean("resting") + mean("inner")
print(f"torque on the outer half {outside:.4g}, on the inner half {inside:.4g} N m")
print("closure", rows[-1]["closure error"])
assert abs(float(rows[-1]["closure error"])) < 1e-3
assert outside < 0 < inside and abs(outside + inside) < 0.05 * inside
END
holds "torques balance" python balance.py
cat condition
summary
