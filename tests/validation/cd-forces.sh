#!/usr/bin/env bash
# Contact forces of rigid disks in one step: how their distribution builds up with plain sweeps from zero
# (Radjai and Richefeu 2009, Figs. 8, 9: 2500 disks between walls with equal stress), and whether they depend on
# the start and on the order of contacts. Without friction they do not; with friction packings bear
# more forces than equations of balance fix, and so they do, while stress and velocities stay the same.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$1

box() { # WIDTH FRICTION
    cat << YAML
title: disks between walls with equal stress
method: cd
dimension: 2
domain: {low: [0, 0], high: [$1, $1]}
materials: {disk: {density: 1}, wall: {density: 1}}
contacts:
  - between: [disk, disk]
    rigid: {friction: $2}
  - between: [disk, wall]
    rigid: {}
boundaries:
  left: {shape: plane, material: wall, point: [0, 0], normal: [1, 0]}
  bottom: {shape: plane, material: wall, point: [0, 0], normal: [0, 1]}
YAML
}
walls() { # RIGHT TOP SPEED
    echo "  right: {shape: plane, material: wall, point: [$1, 0], normal: [-1, 0], servo: {stress: 1 N/m, speed: $3}}"
    echo "  top: {shape: plane, material: wall, point: [0, $2], normal: [0, -1], servo: {stress: 1 N/m, speed: $3}}"
}
run() { # NAME
    launch 1 "$program" run "$scratch/$1.yaml" -o "$scratch/$1" -q 2> "$scratch/messages-$1" || cat "$scratch/messages-$1" >&2
}
# Disks of diameter 0.8 to 1.2, mass about 0.8: with P = 1 a grain moves by its size within a time of 1.
press() { # NAME COUNT FRICTION
    local width
    width=$(awk -v n="$2" 'BEGIN { print sqrt(n / 0.99) }')
    {
        box "$width" "$3"
        walls "$width" "$width" 0.5
        echo "time: {step: 0.02, end: 8}"
        echo "particles:"
        echo "  - dense: {count: $2, material: disk, radius: {uniform: [0.4, 0.6]}, low: [0, 0], high: [$width, $width]}"
        echo "solver: {residual: 1e-3, most: 1000}"
        echo "output: {series: {steps: 100}}"
    } > "$scratch/$1.yaml"
    run "$1"
}
column() { # NAME FILE: its last value
    awk -F, -v name="$1" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k } END { print $at }' "$2"
}
again() { # SAMPLE NAME FRICTION STEPS SOLVER: from the state of a sample
    local right top
    right=$(column "position of right x [m]" "$scratch/$1/series.csv")
    top=$(column "position of top y [m]" "$scratch/$1/series.csv")
    {
        box "$(awk -v a="$right" -v b="$top" 'BEGIN { print (a > b ? a : b) + 1 }')" "$3"
        walls "$right" "$top" 10
        echo "time: {step: 0.02, steps: $4}"
        echo "particles:"
        echo "  - state: {file: $scratch/$1/state.h5, materials: [disk]}"
        echo "solver: {$5}"
        echo "output: {series: {steps: 1}, snapshots: {steps: $4, contacts: true}, state: false}"
    } > "$scratch/$2.yaml"
    run "$2"
}
press large 2500 0.5
for sweeps in 130 365 1000 2000 8000; do
    again large sweeps-$sweeps 0.5 1 "fixed: $sweeps, method: sweeps, order: random, blocks: 1e9, sweeps_per_exchange: 1"
done
tight="residual: 1e-7, most: 50000"
press smooth 400 0
press rough 400 0.5
for sample in smooth rough; do
    mu=0.5
    [ $sample = rough ] || mu=0
    again $sample $sample-warm $mu 2 "$tight"
    again $sample $sample-cold $mu 2 "$tight, warm_start: false"
    again $sample $sample-order $mu 2 "$tight, warm_start: false, order: reverse"
done
"$here/measure-forces" "$scratch"
