#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Walls of triangles: a floor of them is a plane, for soft and for rigid grains; a drum of them gives
# the same bits on any number of ranks, through rebalances and after a resume; what they cannot do is
# refused.
# Usage: tests/physics/mesh.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/../io/common.sh"

# write_stl.py FILE floor|drum: in mm; the floor is 13 x 11 uneven squares, the drum has 24 sides of
# two triangles, ends of 24, and a radius of 10.
cat > write_stl.py << 'EOF'
import math, random, struct, sys
random.seed(1)
triangles = []
def quad(a, b, c, d):
    triangles.extend([(a, b, c), (a, c, d)])
if sys.argv[2] == "floor":
    def place(i, j):
        inner = 0 < i < 13 and 0 < j < 11
        return (-20 + 80 * (i + inner * random.uniform(-.3, .3)) / 13,
                -20 + 40 * (j + inner * random.uniform(-.3, .3)) / 11, 0)
    at = {(i, j): place(i, j) for i in range(14) for j in range(12)}
    for i in range(13):
        for j in range(11):
            quad(at[i, j], at[i + 1, j], at[i + 1, j + 1], at[i, j + 1])
else:
    at = [(10 * math.cos(2 * math.pi * k / 24), 10 * math.sin(2 * math.pi * k / 24)) for k in range(24)]
    for k in range(24):
        (a, b), (c, d) = at[k], at[(k + 1) % 24]
        quad((a, b, 0), (c, d, 0), (c, d, 8), (a, b, 8))
        for z in 0, 8:
            triangles.append(((0, 0, z), (a, b, z), (c, d, z)))
with open(sys.argv[1], "wb") as f:
    f.write(b"binary".ljust(80) + struct.pack("<I", len(triangles)))
    for t in triangles:
        f.write(struct.pack("<12fH", 0, 0, 0, *t[0], *t[1], *t[2], 0))
EOF
python write_stl.py floor.stl floor
python write_stl.py drum.stl drum

cat > floor.yaml << 'EOF'
title: balls that slide, roll and rest
time: {step: 5 us, steps: 16000}
gravity: [0.3, 0.1, -9.81]
domain: {low: [-20 mm, -20 mm, -5 mm], high: [60 mm, 20 mm, 20 mm]}
materials: {glass: {density: 2500 kg/m^3}}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1e3 N/m, restitution: 0.6}
    tangential: {law: spring, stiffness: 3e2 N/m, friction: 0.3}
    rolling: {law: spring, stiffness: 300 N/m, friction: 0.002}
    rigid: {restitution: 0}
boundaries:
  floor: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1]}
particles:
  - lattice: {spacing: 4 mm, material: glass, radius: 1.2 mm, low: [-18 mm, -10 mm, 0 mm], high: [-1 mm, 10 mm, 4 mm], drift: [200 mm/s, 30 mm/s, 0]}
methods:
  cd: {time: {step: 1 ms, steps: 150}}
output: {series: {steps: 50}, progress: 0}
EOF
sed 's/floor: {shape.*/floor: {shape: mesh, material: glass, file: floor.stl, unit: 1 mm}/' floor.yaml > tiles.yaml
# The columns of energies and forces; the point about which torques are is another one.
equal_rows() { cmp <(cut -d, -f 1-24 "$1/series.csv") <(cut -d, -f 1-24 "$2/series.csv"); }

block "a floor of triangles"
expect "plane" 0 ranks 1 run floor.yaml -o plane -q
expect "triangles" 0 ranks 1 run tiles.yaml -o tiles -q
holds "the same energies and forces to the last bit" equal_rows plane tiles
expect "rigid grains on the plane" 0 ranks 1 run floor.yaml -o rigid-plane -q --set method=cd
expect "rigid grains on triangles" 0 ranks 1 run tiles.yaml -o rigid-tiles -q --set method=cd
holds "they roll as far" python - rigid-plane/state.h5 rigid-tiles/state.h5 << 'EOF'
import sys, h5py, numpy
def positions(path):
    found = []
    with h5py.File(path) as f:
        f.visititems(lambda name, item: found.append(item[()]) if name.endswith("position") else None)
    return found[0]
a, b = map(positions, sys.argv[1:])
print(abs(a - b).max(), len(a), abs(a[:, 0].max()))
assert abs(a - b).max() < 1e-12
assert a[:, 0].max() > 0.015  # beyond many a side of a triangle
EOF

cat > drum.yaml << 'EOF'
title: a drum of triangles that turns
time: {step: 10 us, steps: 3500}
seed: 5
gravity: [0, -9.81, 0]
domain: {low: [-12 mm, -12 mm, -1 mm], high: [12 mm, 12 mm, 9 mm]}
materials: {glass: {density: 2500 kg/m^3}}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 500 N/m, restitution: 0.6}
    tangential: {law: spring, stiffness: 150 N/m, friction: 0.5}
    rigid: {restitution: 0}
boundaries:
  drum: {shape: mesh, material: glass, file: drum.stl, unit: 1 mm, rotate: {axis: [0, 0, 1], rate: 20 rad/s}}
particles:
  - random: {count: 120, material: glass, radius: {uniform: [0.6 mm, 0.9 mm]}, region: {shape: cylinder, axis: z, radius: 9.8 mm, low: 0, high: 8 mm}}
methods:
  cd: {time: {step: 0.4 ms, steps: 90}}
output: {checkpoint: {steps: 700, keep: 9}, series: {steps: 100}, progress: 0}
EOF
for method in md cd; do
    block "a drum of triangles, $method"
    expect "one rank" 0 ranks 1 run drum.yaml -o "$method-one" -q --set method=$method
    for n in 2 3 4; do
        [ $method = cd ] && [ $n = 3 ] && continue
        expect "$n ranks" 0 ranks $n run drum.yaml -o "$method-$n" -q --set method=$method --set balance.force_every=90
        holds "$n ranks: state and series as on one" same "$method-$n" "$method-one"
    done
done
block "a drum of triangles, resumed"
expect "a part" 0 ranks 2 run drum.yaml -o half -q --set time.steps=1600
mkdir elsewhere
mv drum.stl elsewhere/
expect "the rest, from the folder alone" 0 ranks 3 resume half -q --set time.steps=3500
holds "same bits" same half md-one
holds "no grain is outside" python - md-one/state.h5 << 'EOF'
import sys, h5py, numpy
with h5py.File(sys.argv[1]) as f:
    found = []
    f.visititems(lambda name, item: found.append(item[()]) if name.endswith("position") else None)
p = found[0]
off = numpy.hypot(p[:, 0], p[:, 1])
print(off.max(), p[:, 2].min(), p[:, 2].max())
assert len(p) == 120 and off.max() < 0.0095 and p[:, 2].min() > 0.0005 and p[:, 2].max() < 0.0075
EOF
cp floor.stl half/drum.stl
expect "other triangles" 2 ranks 1 resume half -q --set time.steps=9000
holds "it says so" grep -q "triangles of wall 'drum' are not those of the run so far" messages

block "what triangles cannot do"
expect "events" 2 ranks 1 check tiles.yaml --set method=ed
says "tiles.yaml:13:10: wall 'floor': method 'ed' knows planes only, of which it can tell when a grain meets them"
expect "two dimensions" 2 ranks 1 check tiles.yaml --set dimension=2
says "tiles.yaml:13:10: wall 'floor' would push grains out of the plane z = 0 of two dimensions"
summary
