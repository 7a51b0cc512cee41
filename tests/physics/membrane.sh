#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Elastic membranes: a tube that is blown up widens as the theory of thin sheets says; a sample in a
# membrane between plates feels the pressure; bits do not depend on ranks, rebalancing or a resume.
# Usage: tests/physics/membrane.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/../io/common.sh"

block "a long tube"
# --- a long tube, its ends held, p = -200 Pa: no strain along the axis, E t e = p R (1 - nu^2) ---
cat > tube.yaml << 'EOF'
time: {step: 10 us, steps: 2500}
domain: {low: [-10 mm, -10 mm, -2 mm], high: [10 mm, 10 mm, 30 mm]}
background_friction: 2e-3 kg/s
materials:
  glass: {density: 2500 kg/m^3}
  rubber: {density: 1000 kg/m^3}
contacts:
  - between: [glass, rubber]
    normal: {law: linear, stiffness: 100 N/m, restitution: 0.5}
membranes:
  tube: {material: rubber, centre: [0, 0, 0], radius: 5 mm, height: 24 mm, node_radius: 0.6 mm, young: 1 MPa, thickness: 0.3 mm, pressure: -200 Pa}
particles:
  - lattice: {count: 1, material: glass, radius: 1 mm, low: [-2 mm, -2 mm, 10 mm], high: [2 mm, 2 mm, 14 mm]}
EOF
expect "a tube is blown up" 0 ranks 2 run tube.yaml -o tube -q
holds "its middle widens by p R (1 - nu^2) / E t" python - tube/state.h5 << 'EOF'
import sys, h5py, numpy
with h5py.File(sys.argv[1]) as f:
    found = []
    f.visititems(lambda name, item: found.append(item) if name.endswith("position") or name.endswith("pos") else None)
    pos = numpy.array(found[0])
middle = abs(pos[:, 2] - 0.012) < 0.004
off = numpy.hypot(pos[middle, 0], pos[middle, 1])
off = off[off > 0.004]
R, p, Et = 5.6e-3, 200.0, 300.0
strain = off.mean() / R - 1
print(len(off), strain, p * R / Et * 8 / 9)
assert len(off) > 200 and off.std() < 1e-4 * R
# second order in the strain, the mesh: its triangles are not quite equilateral, its area is a polygon's
assert abs(strain / (p * R / Et * 8 / 9) - 1) < 0.02
EOF

block "a sample between plates"
# --- a sample between plates ---
cat > sample.yaml << 'EOF'
time: {step: 2 us, steps: 1200}
domain: {low: [-9 mm, -9 mm, -4 mm], high: [9 mm, 9 mm, 14 mm]}
materials:
  glass: {density: 2500 kg/m^3}
  rubber: {density: 1000 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 2000 N/m, restitution: 0.5}
    tangential: {law: spring, stiffness: 1500 N/m, friction: 0.5}
  - between: [glass, rubber]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.5}
    tangential: {law: spring, stiffness: 700 N/m, friction: 0.3}
boundaries:
  base: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}
  plate: {shape: plane, point: [0, 0, 10 mm], normal: [0, 0, -1], material: glass, velocity: [0, 0, -0.2], tilt: {inertia: 2e-9 kg m^2}}
membranes:
  sleeve: {material: rubber, centre: [0, 0, 0], radius: 5 mm, height: 10 mm, node_radius: 0.8 mm, young: 1 MPa, thickness: 0.4 mm, pressure: 10 kPa, rise: 0.5 ms, low_end: base, high_end: plate}
particles:
  - dense: {count: 80, material: glass, radius: {uniform: [0.8 mm, 1 mm]}, overlap: 0.02, region: {shape: cylinder, radius: 5 mm, low: 0 mm, high: 10 mm}}
output: {checkpoint: {steps: 300, keep: 9}, series: {steps: 100}, progress: 0}
EOF
expect "one rank" 0 ranks 1 run sample.yaml -o one -q
for n in 2 3 4; do
    expect "$n ranks" 0 ranks $n run sample.yaml -o "on$n" -q --set balance.force_every=70
    holds "$n ranks: state and series as on one" same "on$n" one
done
expect "half of it" 0 ranks 3 run sample.yaml -o half -q --set time.steps=600
expect "the rest" 0 ranks 2 resume half -q --set time.steps=1200
holds "resumed on other ranks" same half one
holds "the books close, and the sleeve shrinks with its sample" python - one/series.csv << 'EOF'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
closure = max(abs(float(r["closure error"])) for r in rows)
volume = [float(r["volume in sleeve [m^3]"]) for r in rows]
print(closure, volume)
assert closure < 2e-3
assert 0.6 * volume[0] < volume[-1] < 0.99 * volume[0]
# the membrane pulls the ends together
assert float(rows[-1]["force on base z [N]"]) * float(rows[-1]["force on plate z [N]"]) < 0
EOF
holds "the plate has tilted, and the upper end of the sleeve with it" python - one << 'EOF'
import csv, sys, h5py, numpy
row = list(csv.DictReader(open(sys.argv[1] + "/series.csv")))[-1]
tilt = numpy.array([float(row[f"tilt of plate {c} [rad]"]) for c in "xyz"])
place = numpy.array([float(row[f"position of plate {c} [m]"]) for c in "xyz"])
with h5py.File(sys.argv[1] + "/state.h5") as f:
    found = []
    f.visititems(lambda name, item: found.append(item) if name.endswith("position") or name.endswith("pos") else None)
    pos = numpy.array(found[0])[:, :3]
angle = numpy.linalg.norm(tilt)
normal = numpy.array([0, 0, numpy.cos(angle)]) + numpy.sin(angle) * numpy.cross(tilt / angle, [0, 0, 1])
off = numpy.sort(numpy.abs((pos - place) @ normal))
ring = int((off < 1e-12).sum())
print(angle, ring, off[ring])
# 30 nodes of the upper end lie in the plate, the next row is a spacing below
assert angle > 1e-3 and tilt[2] == 0 and ring == 30 and off[ring] > 1e-4
EOF
cat > torn.yaml << 'EOF'
time: {step: 10 us, steps: 4000}
domain: {low: [-20 mm, -20 mm, -2 mm], high: [20 mm, 20 mm, 30 mm]}
materials:
  rubber: {density: 1000 kg/m^3}
contacts: []
membranes:
  tube: {material: rubber, centre: [0, 0, 0], radius: 5 mm, height: 24 mm, node_radius: 0.6 mm, young: 10 kPa, thickness: 0.3 mm, pressure: -1 kPa}
particles: []
EOF
expect "a membrane that tears" 1 ranks 2 run torn.yaml -o torn -q
grep -Eq "membrane 'tube' is torn: its nodes [0-9]+ and [0-9]+ have lost sight" messages
verdict "says so" $?
summary
