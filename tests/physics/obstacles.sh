#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Grains that come in must not overlap: with walls where these are at that moment, at the start, with
# a stage or poured; what overlaps nevertheless is refused by check and run, with exit code 2.
# Usage: tests/physics/obstacles.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/support/shell_test.sh
source "$(dirname "$0")/../support/shell_test.sh"

# Regions that cross a slope, a plate that has moved and turned by then, and a block.
cat > moved.yaml << 'END'
time: {step: 10 us}
gravity: [0, 0, -9.81]
domain: {low: [0, 0, 0], high: [20 mm, 20 mm, 40 mm]}
materials: {glass: {density: 2500 kg/m^3}}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 20 N/m, restitution: 0.5}
boundaries:
  slope: {shape: plane, material: glass, point: [0, 0, 0], normal: [0.5, 0, 1]}
  plate: {shape: rectangle, material: glass, corner: [4 mm, 6 mm, 12 mm], along: [12 mm, 0, 0], across: [0, 8 mm, 0], velocity: [0, 0, 1], rotate: {axis: [0, 1, 0], rate: 100 rad/s}}
  block: {shape: block, material: glass, low: [2 mm, 2 mm, 20 mm], high: [6 mm, 18 mm, 26 mm], velocity: [1, 0, 0]}
particles:
  - lattice: {count: 20, material: glass, radius: 1 mm}
stages:
  - {name: first, until: {time: 4 ms}}
  - name: more
    until: {time: 1 ms}
    particles: [{random: {count: 200, material: glass, radius: 1 mm}}]
  - name: still_more
    until: {time: 4 ms}
    particles:
      - lattice: {material: glass, radius: 0.6 mm, low: [0, 0, 0], high: [20 mm, 20 mm, 30 mm]}
      - dense: {count: 150, material: glass, radius: 0.5 mm, low: [0, 0, 10 mm]}
pours:
  - {rate: 5000 /s, particles: [{random: {count: 20, material: glass, radius: 0.7 mm}}]}
warnings: {start_overlap: 1e-6}
output: {checkpoint: {steps: 150, keep: 9}, series: {steps: 100}, progress: 0}
END
block "walls that have moved"
expect "on one rank" 0 ranks 1 run moved.yaml -o one -q
for n in 2 3 4; do
    expect "$n ranks" 0 ranks $n run moved.yaml -o "on$n" -q
    holds "$n ranks: as on one" same "on$n" one
done
for step in 300 450; do # before grains come, and between
    rm -rf part
    cp -r one part
    for file in part/checkpoint.*; do
        [ "$(basename "$file" .h5 | sed 's/checkpoint.0*//')" -le $step ] || rm "$file"
    done
    expect "from step $step" 0 ranks 2 resume part -q
    holds "resumed at step $step: as on one" same part one
done

# Three grains in a row, the third in the wall and the second in the first.
cat > start.lammps << 'END'
three grains

3 atoms
1 atom types
0 10e-3 xlo xhi
0 10e-3 ylo yhi
0 10e-3 zlo zhi

Atoms # sphere

1 1 2e-3 2500 2e-3 5e-3 5e-3
2 1 2e-3 2500 DEEP 5e-3 5e-3
3 1 2e-3 2500 8e-3 5e-3 HEIGHT
END
cat > state.yaml << 'END'
time: {step: 1 us, end: 10 us}
domain: {low: [0, 0, 0], high: [10 mm, 10 mm, 10 mm]}
materials: {glass: {density: 2500 kg/m^3}}
contacts: [{between: [glass, glass], normal: {law: linear, stiffness: 2000 N/m}}]
boundaries:
  floor: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1]}
particles: [{state: {file: start.h5, materials: [glass]}}]
END
make_state() { # X-OF-THE-SECOND Z-OF-THE-THIRD
    sed "s/DEEP/$1/; s/HEIGHT/$2/" start.lammps > now.lammps
    expect "import" 0 ranks 1 import lammps now.lammps -o start.h5 --force
}
block "grains of a state that overlap"
make_state 3.5e-3 5e-3
expect "check" 2 ranks 1 check state.yaml
says "grain 1 and grain 2 overlap by 0.5 of the smaller radius"
expect "run" 2 ranks 2 run state.yaml -o refused -q
says "grain 1 and grain 2 overlap"
holds "nothing is written" test ! -e refused/log.txt
expect "if it is allowed" 0 ranks 1 run state.yaml -o allowed -q --set warnings.start_overlap=0.6
make_state 4.1e-3 0.7e-3
expect "in a wall" 2 ranks 1 check state.yaml
says "grain 3 and wall 'floor' overlap by 0.3 of the smaller radius"
make_state 4.1e-3 -5e-3
expect "behind a wall" 2 ranks 3 check state.yaml
says "grain 3 and wall 'floor' .* wrong side"
make_state 3.91e-3 0.99e-3
expect "hardly" 0 ranks 1 check state.yaml

block "grains of a stage"
make_state 3.5e-3 5e-3
expect "in the stage they come with" 2 ranks 2 run state.yaml -o staged -q --set time='{step: 1 us}' --set "particles=[{lattice: {count: 1, material: glass, radius: 1 mm, low: [0, 0, 0], high: [3 mm, 3 mm, 3 mm]}}]" --set "stages=[{until: {time: 5 us}}, {until: {time: 5 us}, particles: [{state: {file: start.h5, materials: [glass]}}]}]"
says "grain 2 and grain 3 overlap by 0.5"

block "overlaps that a sample may leave"
expect "dense" 0 ranks 1 run state.yaml -o dense -q --set "particles=[{dense: {count: 70, overlap: 0.3, material: glass, radius: 1.2 mm}}]"

summary
