#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Walls and gravity across a periodic box that deforms: at rest it is the box without 'cell', bit for
# bit; an elastic lattice stores the work of box and lid together; a gas heats up along the box only
# and falls across it; a layer with rough and smooth walls, gravity and glued grains has the same bits
# on any number of ranks, through stages and a resume; servos of box and lid reach their targets
# together, and a lid that moves does not offset that of the box.
# Usage: tests/physics/cell-walls.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/support/cell_test.sh
source "$(dirname "$0")/../support/cell_test.sh"


block "a layer between walls"
# --- a layer between a floor and a lid that shears and presses it, stretched and then pressed together;
# the last stage has another gravity and another lid
cat > layer.yaml << 'EOF'
title: a layer that is stretched
dimension: 2
seed: 5
time: {step: 1e-3}
gravity: [0, -1]
background_friction: 0.01
domain: {low: [1, 2], high: [10, 12], periodic: [x]}
materials: {grain: {density: 1}, wall: {density: 1}}
contacts:
  - between: [grain, grain]
    normal: {law: linear, stiffness: 2500, restitution: 0.3}
    tangential: {law: spring, stiffness: 1250, friction: 0.4}
  - between: [grain, wall]
    normal: {law: linear, stiffness: 2500, restitution: 0.3}
    tangential: {law: spring, stiffness: 1250, friction: 0.3}
boundaries:
  floor: {shape: plane, material: wall, point: [0, 2], normal: [0, 1]}
  lid: {shape: plane, material: wall, point: [0, 12], normal: [0, -1], velocity: [0.5, 0], servo: {stress: 20 N/m}}
particles:
  - dense: {count: 80, material: grain, radius: {uniform: [0.4, 0.6]}}
    glue: {to: floor, within: 0.15}
stages:
  - {name: stretch, cell: {strain_rate: {xx: 0.05}}, until: {time: 1.5}}
  - {name: hold, cell: {stress: {xx: 15 N/m}}, until: {time: 1.5}}
  - name: press
    cell: {strain_rate: {xx: -0.05}, rise: 0.1}
    gravity: [0, 2]
    background_friction: 0
    boundaries: {lid: {velocity: [0, -0.1]}}
    until: {time: 1}
analysis:
  - stress: {every: 0.4}
  - walls: {every: 0.4}
output: {series: {steps: 200}, checkpoint: {steps: 700, keep: 9}}
EOF
expect "one rank" 0 ranks 1 run layer.yaml -o one -q
for n in 2 3 4; do
    expect "$n ranks" 0 ranks $n run layer.yaml -o "on$n" -q --set balance.force_every=75 --set output.checkpoint.steps=0
    holds "$n ranks: state and series as on one" same "on$n" one
done
for k in 700 3500; do
    cp -r one again
    for file in again/checkpoint.*.h5; do
        step=${file##*/checkpoint.}
        [ $((10#${step%.h5})) -le $k ] || rm "$file"
    done
    expect "on from step $k" 0 ranks $((k / 1400 + 2)) resume again -q
    holds "resumed at step $k" same again one
    rm -r again
done
holds "books closed; sizes, stresses and areas between the walls" python - << 'EOF'
from rows import rows
r = rows("one")
assert max(abs(x["closure error"]) for x in r) < 1e-3, max(abs(x["closure error"]) for x in r)
height = lambda x: x["position of lid y [m]"] - 2
for x in r:
    assert abs(x["cell size [m^2]"] / (x["cell xx [m]"] * height(x)) - 1) < 1e-13
assert max(x["cell xx [m]"] for x in r) > 9.6 and r[-1]["strain rate xx [1/s]"] == -0.05
at = {x["step"]: x for x in r}
for m in rows("one", "stress"):
    for c in ("xx", "yy", "yx"):  # the measurement has the branch first
        sum3 = sum(m[f"{part} {c} [N/m]"] for part in ("kinetic", "normal", "tangential"))
        name = "xy" if c == "yx" else c
        assert abs(sum3 - at[m["step"]][f"stress {name} [N/m]"]) < 1e-9 * (1 + abs(sum3)), (c, sum3)
for m in rows("one", "walls"):
    x = at[m["step"]]
    expected = -x["force on floor y [N]"] / x["cell xx [m]"]
    assert abs(m["pressure on floor [N/m]"] - expected) <= 1e-12 * abs(expected), (m, expected)
    if x["stage"] < 3 and x["time [s]"] > 0:
        target = x["servo target of lid [N]"]
        assert abs(target / (20 * x["cell xx [m]"]) - 1) < 1e-3, (target, x["cell xx [m]"])
EOF

block "a cell that rests"
# --- without motion of the cell: the box without it
rest=(--set 'stages=[{until: {time: 1.5}}]' --set background_friction=0)
expect "a cell at rest" 0 ranks 2 run layer.yaml -o rest -q "${rest[@]}" --set 'cell={strain_rate: {xx: 0}}'
expect "no cell" 0 ranks 1 run layer.yaml -o fixed -q "${rest[@]}"
holds "the same grains, bit for bit" same_grains rest fixed

block "elastic lattice"
# --- an elastic lattice between floor and lid: the works of box and lid are what its springs hold. The
# lid begins slowly, so that rows follow it; waves are a small part.
cat > lattice.yaml << 'EOF'
title: elastic lattice between walls
dimension: 2
time: {step: 2e-4, steps: 5000}
domain: {low: [0, 0], high: [6, 6], periodic: [x]}
materials: {grain: {density: 1}}
contacts:
  - between: [grain, grain]
    normal: {law: linear, stiffness: 1e4, restitution: 1}
boundaries:
  floor: {shape: plane, material: grain, point: [0, 0], normal: [0, 1]}
  lid:
    shape: plane
    material: grain
    point: [0, 6]
    normal: [0, -1]
    move: {law: ramp, direction: [0, -1], rate: 0.24, rise: 0.5}
cell: {strain_rate: {xx: -0.05}}
particles:
  - lattice: {material: grain, radius: 0.5, spacing: 1, high: [6, 6]}
output: {series: {steps: 500}}
EOF
expect "a lattice is pressed" 0 ranks 2 run lattice.yaml -o lattice -q
holds "both works are stored" python - << 'EOF'
from math import exp
from rows import rows
for x in rows("lattice")[5:]:
    t = x["time [s]"]
    dx = 1 - exp(-0.05 * t)
    dy = (6 - x["position of lid y [m]"]) / 7  # of seven contacts in each column, two with walls
    stored = 1e4 / 2 * (36 * dx * dx + 42 * dy * dy)
    found = x["elastic energy normal [J]"] + x["kinetic energy [J]"]
    xx, yy = 36e4 * dx * (1 - dx) / x["cell size [m^2]"], 6e4 * dy / x["cell xx [m]"]
    print(t, found / stored - 1, -x["lost to walls and drives [J]"] / found - 1, x["stress yy [N/m]"] / yy - 1)
    assert abs(found / stored - 1) < 5e-3
    assert abs(-x["lost to walls and drives [J]"] / found - 1) < 1e-6
    assert abs(x["stress xx [N/m]"] / xx - 1) < 1e-6
    assert abs(x["stress yy [N/m]"] / yy - 1) < 1e-3
    assert abs(x["closure error"]) < 1e-6
EOF

block "gas"
# --- a gas without collisions: heated along the box, falling across it
cat > gas.yaml << 'EOF'
title: gas without collisions
time: {step: 1e-3, steps: 1000}
gravity: [0, -1e-3, 0]
domain: {low: [0, 0, 0], high: [10, 10, 10], periodic: [x, z]}
materials: {grain: {density: 1}}
contacts: [{between: [grain, grain], normal: {law: linear, stiffness: 1, restitution: 1}}]
boundaries: {floor: {shape: plane, material: grain, point: [0, 0, 0], normal: [0, 1, 0]}}
cell: {strain_rate: {xx: -0.5, zz: 0.25}}
particles:
  - random: {count: 50, material: grain, radius: 1e-6, speed: 1e-3, low: [0, 1, 0]}
neighbours: {skin: 1e-4}
output: {series: {steps: 100}}
EOF
expect "a gas is strained" 0 ranks 2 run gas.yaml -o gas -q
holds "each direction by itself" python - << 'EOF'
from math import exp
from rows import rows
r = rows("gas")
virial = lambda x, c: x[f"stress {c} [Pa]"] * x["cell size [m^3]"]
mass = 50 * 4 / 3 * 3.141592653589793 * 1e-18
for x in r:
    t = x["time [s]"]
    assert abs(virial(x, "xx") / virial(r[0], "xx") / exp(t) - 1) < 1e-6
    assert abs(virial(x, "zz") / virial(r[0], "zz") / exp(-0.5 * t) - 1) < 1e-6
    fallen = virial(x, "yy") - virial(r[0], "yy")  # the sample has no drift
    assert abs(fallen / (mass * (1e-3 * t) ** 2) - 1) < 1e-6 if t > 0 else fallen == 0, (t, fallen)
    assert abs(x["closure error"]) < 1e-7, x["closure error"]
EOF

block "servos of box and lid"
# --- servos of box and lid together; then the lid moves, and the box keeps its stress all the same
cat > both.yaml << 'EOF'
title: servos of the box and of the lid
dimension: 2
seed: 5
time: {step: 1e-3}
domain: {low: [0, 0], high: [10, 13], periodic: [x]}
materials: {grain: {density: 1}, wall: {density: 1}}
contacts:
  - between: [grain, grain]
    normal: {law: linear, stiffness: 2500, restitution: 0.3}
    tangential: {law: spring, stiffness: 1250, friction: 0.4}
  - between: [grain, wall]
    normal: {law: linear, stiffness: 2500, restitution: 0.3}
    tangential: {law: none}
boundaries:
  floor: {shape: plane, material: wall, point: [0, 0], normal: [0, 1]}
  lid: {shape: plane, material: wall, point: [0, 13], normal: [0, -1], servo: {stress: 8 N/m, rise: 1}}
particles:
  - dense: {count: 110, material: grain, radius: {uniform: [0.4, 0.6]}}
stages:
  - {name: press, cell: {stress: {xx: 8 N/m}, stress_rise: 1}, until: {time: 20}}
  - {name: compress, boundaries: {lid: {velocity: [0, -0.1]}}, until: {time: 20}}
  - {name: unequal, boundaries: {lid: {servo: {stress: 12 N/m, rise: 1}}}, until: {time: 12}}
output: {series: {steps: 20}}
EOF
expect "servos of box and lid" 0 ranks 1 run both.yaml -o both -q
holds "both reach their targets" python - << 'EOF'
from rows import rows
r = rows("both")
of = lambda n: [x for x in r if x["stage"] == n]
for stage, lid in ((1, 8), (3, 12)):
    x = of(stage)[-1]
    pressure = x["force on lid y [N]"] / x["cell xx [m]"]
    print(stage, x["stress xx [N/m]"], x["stress yy [N/m]"], pressure)
    assert abs(x["stress xx [N/m]"] / 8 - 1) < 2e-3
    assert abs(pressure / lid - 1) < 5e-3 and abs(x["stress yy [N/m]"] / lid - 1) < 5e-3
first, last = of(2)[len(of(2)) // 4], of(2)[-1]
name = "sum over time of stress xx [N s/m]"
mean = (last[name] - first[name]) / (last["time [s]"] - first["time [s]"])
print("while the lid moves", mean, last["strain xx"] - first["strain xx"])
assert abs(mean / 8 - 1) < 5e-3 and last["strain xx"] - first["strain xx"] > 0.05
assert max(abs(x["closure error"]) for x in r) < 1e-3
EOF

block "plane strain"
# --- three dimensions: plane strain between smooth walls, which keep y
cat > plane.yaml << 'EOF'
title: plane strain between smooth walls
seed: 3
time: {step: 1.5 us}
domain: {low: [0, 0, -1 mm], high: [9 mm, 8 mm, 9 mm], periodic: [x, z]}
materials: {glass: {density: 2500 kg/m^3}, wall: {density: 2500 kg/m^3}}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 2000 N/m, restitution: 0.5}
    tangential: {law: spring, stiffness: 800 N/m, friction: 0.5}
  - between: [glass, wall]
    normal: {law: linear, stiffness: 2000 N/m, restitution: 0.5}
    tangential: {law: none}
boundaries:
  sides: {shape: box, material: wall, low: [0, 0, 0], high: [1, 8 mm, 1]}
particles:
  - dense: {count: 300, material: glass, radius: {uniform: [0.5 mm, 0.8 mm]}}
stages:
  - {name: press, cell: {pressure: 4 kPa, stress_rise: 1 ms}, until: {time: 6 ms}}
  - {name: shear, cell: {strain_rate: {zz: -10}, stress: {xx: 4 kPa}}, until: {time: 10 ms}}
  - {name: lean, cell: {strain_rate: {zz: -30, xz: 100}, stress: {xx: 4 kPa}}, until: {time: 8 ms}}
  - {name: undrained, cell: {strain_rate: {zz: -30}, volume: constant}, until: {time: 2 ms}}
output: {series: {steps: 200}, checkpoint: {steps: 3000, keep: 9}}
EOF
expect "plane strain" 0 ranks 1 run plane.yaml -o plane1 -q
expect "on three ranks" 0 ranks 3 run plane.yaml -o plane3 -q --set balance.force_every=310 --set output.checkpoint.steps=0
holds "as on one" same plane3 plane1
holds "stresses, books, and what keeps still" python - << 'EOF'
from rows import rows
r = rows("plane1")
of = lambda n: [x for x in r if x["stage"] == n]
assert max(abs(x["closure error"]) for x in r) < 1e-3
assert all(x["cell yy [m]"] == 8e-3 and x["strain yy"] == 0 for x in r)
x = of(1)[-1]
print(x["stress xx [Pa]"], x["stress zz [Pa]"], x["stress yy [Pa]"])
assert abs((x["stress xx [Pa]"] + x["stress zz [Pa]"]) / 8e3 - 1) < 0.02
first, last = of(2)[len(of(2)) // 2], of(2)[-1]
total = lambda x, c: x[f"sum over time of stress {c} [Pa s]"]
mean = lambda c: (total(last, c) - total(first, c)) / (last["time [s]"] - first["time [s]"])
print(mean("xx"), mean("yy"), mean("zz"))
assert abs(mean("xx") / 4e3 - 1) < 0.02 and mean("xx") < mean("yy") < mean("zz")
assert all(abs(x["cell size [m^3]"] / of(4)[0]["cell size [m^3]"] - 1) < 1e-12 for x in of(4))
assert any(x["cell xz [m]"] < 0 for x in of(3)), "no flip"
EOF
summary
