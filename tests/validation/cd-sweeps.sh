#!/usr/bin/env bash
# How many sweeps a step of contact dynamics needs. Forces spread by diffusion, so that plain sweeps from zero
# forces must grow as N^(2/d) until the floor of a sample bears its weight (Brendel, Unger and Wolf 2004, 1.34):
# here the number of sweeps in which what is missing falls to 1/e, from the force on the floor after n, 2 n and
# 3 n sweeps. (Sweeps to a given residual do not tell: the last of them go to slow local modes, and differ
# by a factor of ten from sample to sample.) What warm starts save in slow shear. What conjugate directions
# save in 10^4 spheres with friction, to a residual of 1e-4.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$1

# A layer of `across` grains (in 3D squared) and as high, periodic to the sides, poured and at rest.
settle() { # NAME DIMENSION ACROSS STEPS RESIDUAL
    awk -v d="$2" -v n="$3" -v steps="$4" -v residual="$5" 'BEGIN {
        print "title: grains under gravity\nmethod: cd\ndimension: " d "\nseed: 1"
        print "time: {step: 0.05, steps: " steps "}" # gravity 1, diameter 1: 0.25 % of it in a step
        width = n * (d == 2 ? 0.92 : 0.9)
        low = d == 2 ? "[0, 0]" : "[0, 0, 0]"
        high = d == 2 ? "[" width ", " 1.12 * n "]" : "[" width ", " width ", " 1.24 * n "]"
        print "gravity: " (d == 2 ? "[0, -1]" : "[0, 0, -1]")
        print "domain: {low: " low ", high: " high ", periodic: " (d == 2 ? "[x]" : "[x, y]") "}"
        print "materials: {grain: {density: 1}}"
        print "contacts:\n  - between: [grain, grain]\n    rigid: {friction: 0.5}"
        print "boundaries:"
        print "  floor: {shape: plane, material: grain, point: " low ", normal: " (d == 2 ? "[0, 1]" : "[0, 0, 1]") "}"
        print "particles:"
        print "  - dense: {count: " n ^ d ", material: grain, radius: {uniform: [0.4, 0.6]}}"
        print "solver: {residual: " residual "}"
        print "output: {series: {steps: 1}}" }' > "$scratch/$1.yaml"
    launch 1 "$program" run "$scratch/$1.yaml" -o "$scratch/$1" -q 2> "$scratch/messages-$1" || cat "$scratch/messages-$1" >&2
}
last() { # COLUMN FILE
    awk -F, -v name="$1" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k } END { print $at }' "$2"
}
# One step from zero forces; the last value of a column of its series.
solve() { # NAME WAY COLUMN SOLVER
    sed -e '/^particles/,$d' -e 's/steps: [0-9]*/steps: 1/' "$scratch/$1.yaml" > "$scratch/$1-$2.yaml"
    printf '%s\n' "particles:" "  - state: {file: $scratch/$1/state.h5, materials: [grain]}" \
        "solver: {warm_start: false, most: 100000, sweeps_per_exchange: 1, $4}" \
        "output: {series: {steps: 1}, state: false}" >> "$scratch/$1-$2.yaml"
    launch 1 "$program" run "$scratch/$1-$2.yaml" -o "$scratch/$1-$2" -q \
        2> "$scratch/messages-$1-$2" || cat "$scratch/messages-$1-$2" >&2
    last "$3" "$scratch/$1-$2/series.csv"
}
exponent() { # of the pairs (number of grains, sweeps) in the input, by least squares of the logarithms
    awk '{ x = log($1); y = log($2); n++; sx += x; sy += y; sxx += x * x; sxy += x * y }
         END { x = (n * sxy - sx * sy) / (n * sxx - sx * sx); if (x > 0) print x }'
}
count() { # DIMENSION ACROSS...
    local dimension=$1 axis=y across k name force
    [ "$1" -eq 2 ] || axis=z
    for across in "${@:2}"; do
        name=$dimension-$across
        settle "$name" "$dimension" "$across" $((200 + 6 * across)) 1e-4 # higher ones come to rest later
        force=
        for k in 1 2 3; do
            force+=" $(solve "$name" "$k" "force on floor $axis [N]" \
                "method: sweeps, order: random, blocks: 1e9, fixed: $((k * across * across))")"
        done
        echo "$((across ** dimension)) $((across * across)) $force" |
            awk '{ r = $5 != $4 ? ($4 - $3) / ($5 - $4) : 0; print $1, (r > 1 ? $2 / log(r) : 0), "floor:", $3, $4, $5 }'
    done > "$scratch/count-$dimension"
    cat "$scratch/count-$dimension" >&2
}
# Disks pressed as in inputs/cd-biaxial, and the plain sweeps that a step of their slow compression takes.
press() {
    sed '/name: compress/,/snapshots: {every/d' "$here/../../inputs/cd-biaxial/small.yaml" > "$scratch/press.yaml"
    launch 1 "$program" run "$scratch/press.yaml" -o "$scratch/press" -q 2> "$scratch/messages-press" ||
        cat "$scratch/messages-press" >&2
}
compress() { # WARM
    local left top
    left=$(last "position of left x [m]" "$scratch/press/series.csv")
    top=$(last "position of top y [m]" "$scratch/press/series.csv")
    sed -e "/^particles/,/^stages/d" -e '/name: press/,$d' -e 's/^time: .*/time: {step: 1 ms, steps: 60}/' \
        -e "/^  left:/s/.*/  left: {shape: plane, material: wall, point: [$left, 0], normal: [1, 0], servo: {force: 250 N}}/" \
        -e "/^  top:/s/.*/  top: {shape: plane, material: wall, point: [0, $top], normal: [0, -1], velocity: [0, -1 cm\/s]}/" \
        "$scratch/press.yaml" > "$scratch/compress-$1.yaml"
    printf '%s\n' "particles:" "  - state: {file: $scratch/press/state.h5, materials: [disk]}" \
        "solver: {method: sweeps, most: 50000, residual: 1e-4, warm_start: $1}" "output: {series: {steps: 1}, state: false}" >> "$scratch/compress-$1.yaml"
    launch 1 "$program" run "$scratch/compress-$1.yaml" -o "$scratch/compress-$1" -q 2> "$scratch/messages-$1" ||
        cat "$scratch/messages-$1" >&2
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "sweeps") at = k; next }
        NR > 12 { n++; sum += $at } END { print (n > 0 ? sum / n : 0) }' "$scratch/compress-$1/series.csv"
}
count 2 10 20 40 80 &
{
    count 3 5 8 12 16
    settle large 3 22 250 1e-3
    solve large plain sweeps "method: sweeps, residual: 1e-4" > "$scratch/sweeps-plain"
    solve large directed sweeps "residual: 1e-4" > "$scratch/sweeps-directed"
} &
wait
verdict "cd: sweeps of disks under gravity grow with N^x, x (N = 100 to 6400)" "$(exponent < "$scratch/count-2")" 1 0.15 \
    "Brendel, Unger and Wolf 2004: 2/d"
verdict "cd: sweeps of spheres under gravity grow with N^x, x (N = 125 to 4096)" "$(exponent < "$scratch/count-3")" 0.667 0.225 \
    "Brendel, Unger and Wolf 2004: 2/d"
at_least() { # NAME MEASURED BOUND SOURCE
    awk -v name="$1" -v m="$2" -v bound="$3" -v source="$4" 'BEGIN {
        printf "%s | %.3g | > %s | 0 | %s | %s\n", name, m, bound, source, (m + 0 > bound + 0) ? "pass" : "FAIL" }'
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { print (b > 0 ? a / b : 0) }'; }
directed=$(cat "$scratch/sweeps-directed")
sweeps=$(cat "$scratch/sweeps-plain")
at_least "cd: plain sweeps / sweeps with conjugate directions, 10648 spheres, residual 1e-4 ($sweeps / $directed)" \
    "$(ratio "$sweeps" "$directed")" 3 "2.3 to 9 for packings of other codes, 4.2 for 6912 spheres with friction 0.3"
press
at_least "cd: sweeps from zero / with warm starts, slow biaxial compression" "$(ratio "$(compress false)" "$(compress true)")" 3 \
    "Radjai and Richefeu 2009"
