#!/usr/bin/env bash
# The stress on a packing is doubled at once, by lids of very different masses; two at a time.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$1
input() { # MASS TIME
    cat << END
time: {step: 2 us}
seed: 7
materials: {glass: {density: 2500 kg/m^3}}
domain: {low: [0, 0, 0], high: [10 mm, 10 mm, 8 mm], periodic: [x, y]}
boundaries:
  base: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1]}
  lid:  {shape: plane, material: glass, point: [0, 0, 6 mm], normal: [0, 0, -1]}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 200 N/m, restitution: 0.6}
    tangential: {law: spring, stiffness: 57 N/m, friction: 0.3}
particles:
  - dense: {material: glass, radius: {uniform: {range: [0.45 mm, 0.55 mm]}}, count: 520, region: {shape: box, low: [0, 0, 0], high: [10 mm, 10 mm, 6 mm]}}
stages:
  - name: compress
    until: {servos: 0.1 %, energy_ratio: 1e-4, at_most: {time: 0.2 s}}
    boundaries: {lid: {servo: {stress: 0.5 kPa, speed: 0.05 m/s}}}
  - name: step
    until: {time: $2 s}
    boundaries: {lid: {servo: {stress: 1 kPa, mass: $1 kg}}}
    output: {series: {steps: 5}}
END
}
step() { # MASS TIME ...
    for (( ; $# > 0; )); do
        input "$1" "$2" > "$scratch/$1.yaml"
        launch 1 "$program" run "$scratch/$1.yaml" -o "$scratch/servo/$1" -q || echo "servo of $1 kg: no result" >&2
        shift 2
    done
}
mkdir "$scratch/servo"
step 1e-5 0.2 1e-3 0.3 1e-4 0.2 1e-2 0.5 &
step 1e-1 1.5 &
wait
"$here/measure" servo "$scratch/servo"
