#!/usr/bin/env bash
# Split-bottom ring shear cell: the shear band at the surface, torques and rigid parts, in four quarters
# (the wedge of `make demo`, with other seeds) and in a whole ring, which must agree with each other.
# About 4 minutes on 2 cores.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
inputs=$here/../../inputs/ring-shear
program=$1
rate=0.125 # rad/s

run() { # NAME INPUT SEED
    launch 1 "$program" run "$inputs/$2" -o "$scratch/$1" -q --set seed="$3" --set time.end="2.6 s" \
        --set boundaries.turning.rotate.rate="$rate rad/s" --set boundaries.outer.rotate.rate="$rate rad/s" \
        --set analysis.0.profile.from="1.3 s" --set output.series.steps=50 \
        --set output.snapshots.times="[2.6 s]" 2> "$scratch/$1.messages" ||
        cat "$scratch/$1.messages" >&2
}
# As much work as four quarters.
run ring small.yaml 1 &
for seed in 1 2 3 4; do run quarter$seed quarter.yaml $seed; done
wait
"$here/measure-ring" $rate 0.085 "$scratch"/quarter? --rings "$scratch/ring"
