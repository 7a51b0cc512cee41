#!/usr/bin/env bash
# How many sweeps a step of contact dynamics needs. Plain sweeps in a new random order each, from zero forces,
# to a residual of 1e-6, in disks and spheres without friction under gravity: N^(2/d) (Brendel, Unger and Wolf
# 2004, 1.34); geometric means of four samples of each size, since single ones differ by a factor of two. With friction
# the last slow contacts make the number erratic. What warm starts save in slow shear. What conjugate
# directions save in 10^4 spheres with friction, to a residual of 1e-4.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$1

# A layer of `across` grains (in 3D squared) and as high, periodic to the sides, poured and at rest.
settle() { # NAME DIMENSION ACROSS STEPS FRICTION SEED
    awk -v d="$2" -v n="$3" -v steps="$4" -v mu="$5" -v seed="$6" 'BEGIN {
        print "title: grains under gravity\nmethod: cd\ndimension: " d "\nseed: " seed
        print "time: {step: 0.05, steps: " steps "}" # gravity 1, diameter 1: 0.25 % of it in a step
        width = n * (d == 2 ? 0.92 : 0.9)
        low = d == 2 ? "[0, 0]" : "[0, 0, 0]"
        high = d == 2 ? "[" width ", " 1.12 * n "]" : "[" width ", " width ", " 1.2 * n "]"
        print "gravity: " (d == 2 ? "[0, -1]" : "[0, 0, -1]")
        print "domain: {low: " low ", high: " high ", periodic: " (d == 2 ? "[x]" : "[x, y]") "}"
        print "materials: {grain: {density: 1}}"
        print "contacts:\n  - between: [grain, grain]\n    rigid: {friction: " mu "}"
        print "boundaries:"
        print "  floor: {shape: plane, material: grain, point: " low ", normal: " (d == 2 ? "[0, 1]" : "[0, 0, 1]") "}"
        print "particles:"
        print "  - dense: {count: " n ^ d ", material: grain, radius: {uniform: [0.4, 0.6]}}"
        print "solver: {residual: 1e-3, most: 500}"
        print "output: {series: {steps: 1}}" }' > "$scratch/$1.yaml"
    launch 1 "$program" run "$scratch/$1.yaml" -o "$scratch/$1" -q 2> "$scratch/messages-$1" || cat "$scratch/messages-$1" >&2
}
# Sweeps of one step from zero forces.
solve() { # NAME WAY...
    local name=$1 way=$2
    shift 2
    sed -e '/^particles/,$d' -e 's/steps: [0-9]*/steps: 1/' "$scratch/$name.yaml" > "$scratch/$name-$way.yaml"
    printf '%s\n' "particles:" "  - state: {file: $scratch/$name/state.h5, materials: [grain]}" \
        "solver: {warm_start: false, most: 100000, sweeps_per_exchange: 1, $*}" \
        "output: {series: {steps: 1}, state: false}" >> "$scratch/$name-$way.yaml"
    launch 1 "$program" run "$scratch/$name-$way.yaml" -o "$scratch/$name-$way" -q \
        2> "$scratch/messages-$name-$way" || cat "$scratch/messages-$name-$way" >&2
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "sweeps") at = k } END { print $at }' "$scratch/$name-$way/series.csv"
}
exponent() { # of the pairs (number of grains, sweeps) in the input, by least squares of the logarithms
    awk '{ x = log($1); y = log($2); n++; sx += x; sy += y; sxx += x * x; sxy += x * y }
         END { print (n * sxy - sx * sy) / (n * sxx - sx * sx) }'
}
plain="method: sweeps, order: random, blocks: 1e9, residual: 1e-6"
count() { # DIMENSION ACROSS...
    local across seed name
    for across in "${@:2}"; do
        for seed in 1 2 3 4; do
            name=$1d-$across-$seed
            settle "$name" "$1" "$across" 200 0 "$seed"
            echo "$((across ** $1)) $(solve "$name" plain "$plain")"
        done
    done > "$scratch/count-$1"
    cat "$scratch/count-$1" >&2
}
mean_sweeps() { sed -n 's/.*solver: \([0-9.]*\) sweeps a step.*/\1/p' "$1/log.txt" | tail -n 1; }
shear() { # WARM: slow shear of disks between rough walls; it begins warm in either case
    launch 1 "$program" run "$here/../../inputs/cd-plane-shear/small.yaml" -o "$scratch/shear-$1" \
        --set solver.warm_start="$1" --set solver.residual=1e-4 --set time.end=0.1 \
        --set 'boundaries.lid.velocity=[1 mm/s, 0]' --set 'boundaries.floor.velocity=[-1 mm/s, 0]' \
        --set particles.0.ramp.low='-1 mm/s' --set particles.0.ramp.high='1 mm/s' \
        > "$scratch/messages-shear" 2>&1 || tail -n 3 "$scratch/messages-shear" >&2
}
count 2 10 14 20 28 40 &
{
    count 3 4 6 8 12
    settle large 3 22 60 0.5 1
    solve large sweeps "method: sweeps, residual: 1e-4" > "$scratch/large-plain"
    solve large nncg "residual: 1e-4" > "$scratch/large-directed"
} &
wait
verdict "cd: sweeps of disks under gravity grow with N^x, x (N = 100 to 1600)" "$(exponent < "$scratch/count-2")" 1 0.15 \
    "Brendel, Unger and Wolf 2004: 2/d"
verdict "cd: sweeps of spheres under gravity grow with N^x, x (N = 64 to 1728)" "$(exponent < "$scratch/count-3")" 0.667 0.225 \
    "Brendel, Unger and Wolf 2004: 2/d"
at_least() { # NAME MEASURED BOUND SOURCE
    awk -v name="$1" -v m="$2" -v bound="$3" -v source="$4" 'BEGIN {
        printf "%s | %.3g | > %s | 0 | %s | %s\n", name, m, bound, source, m + 0 > bound ? "pass" : "FAIL" }'
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { print b > 0 ? a / b : 0 }'; }
directed=$(cat "$scratch/large-directed")
sweeps=$(cat "$scratch/large-plain")
at_least "cd: plain sweeps / sweeps with conjugate directions, 10648 spheres, residual 1e-4 ($sweeps / $directed)" \
    "$(ratio "$sweeps" "$directed")" 3 "measured before with others, 4.2"
shear true
shear false
at_least "cd: sweeps from zero / with warm starts, slow shear" \
    "$(ratio "$(mean_sweeps "$scratch/shear-false")" "$(mean_sweeps "$scratch/shear-true")")" 3 "Radjai and Richefeu 2009"
