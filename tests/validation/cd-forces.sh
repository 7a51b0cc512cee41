#!/usr/bin/env bash
# Contact forces of rigid disks in one step: how their distribution builds up with plain sweeps from zero
# (Radjai and Richefeu 2009, Figs. 8, 9: 2500 disks between walls with equal stress), and whether they depend on
# the start and on the order of contacts. Two statements of that paper do not hold as they stand:
# - "stable beyond 1000 iterations", by eye. What is left decays by diffusion, 0.8 d^2 per sweep (Unger et al. 2002),
#   over 50 layers to 1/e in some 1270 sweeps: after 1000 a good part is left. Tested is that time.
# - "practically no indeterminacy" in disordered packings, "affecting mainly the very weak contacts". So it is without
#   friction, where there are as many unknowns as equations. With friction there are more (Unger, Kertesz and Wolf
#   2005), and forces depend on start and order while stress stays the same. In an ordered packing they do so
#   without friction, too, as the paper says.
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
press() { # NAME COUNT FRICTION END
    local width
    width=$(awk -v n="$2" 'BEGIN { print sqrt(n / 0.99) }')
    {
        box "$width" "$3"
        walls "$width" "$width" 0.5
        echo "time: {step: 0.02, end: $4}"
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
# A triangular lattice of 12 by 12 without friction. Gaps of 1e-8 keep rounding from making overlaps.
lattice() { # NAME SOLVER
    {
        box 14 0
        awk -v n=12 'BEGIN {
            h = sqrt(3) / 2 * (1 + 1e-8); w = n + 0.5 + 1e-8; top = (n - 1) * h + 1 + 1e-8
            printf "  right: {shape: plane, material: wall, point: [%.17g, 0], normal: [-1, 0], servo: {stress: 1 N/m, speed: 10}}\n", w
            printf "  top: {shape: plane, material: wall, point: [0, %.17g], normal: [0, -1], servo: {stress: 1 N/m, speed: 10}}\n", top
            print "time: {step: 0.02, steps: 1}\nparticles:"
            for (k = 0; k < n; k++)
                printf "  - lattice: {material: disk, radius: 0.5, spacing: 1, low: [%.17g, %.17g], high: [%.17g, %.17g]}\n",
                    k % 2 * 0.5 + 1e-10, k * h + 1e-10, k % 2 * 0.5 + n + 1e-9, k * h + 1 + 1e-9 }'
        echo "solver: {$2}"
        echo "output: {series: {steps: 1}, snapshots: {steps: 1, contacts: true}, state: false}"
    } > "$scratch/$1.yaml"
    run "$1"
}
press large 2500 0.5 8
for sweeps in 130 365 1000 2000 8000; do
    again large sweeps-$sweeps 0.5 1 "fixed: $sweeps, method: sweeps, order: random, blocks: 1e9, sweeps_per_exchange: 1"
done
tight="residual: 1e-7, most: 50000"
# These have to be at rest: where grains still gain speed, friction may act otherwise, and stress is another.
press smooth 400 0 24
press rough 400 0.5 24
for sample in smooth rough; do
    mu=0.5
    [ $sample = rough ] || mu=0
    again $sample $sample-warm $mu 2 "$tight"
    again $sample $sample-cold $mu 2 "$tight, warm_start: false"
    again $sample $sample-order $mu 2 "$tight, warm_start: false, order: reverse"
done
lattice ordered-cold "$tight"
lattice ordered-order "$tight, order: reverse"
"$here/measure-forces" "$scratch"
