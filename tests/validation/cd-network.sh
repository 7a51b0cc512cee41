#!/usr/bin/env bash
# The two parts of the force network of rigid disks under biaxial compression, with the values of Radjai,
# Wolf, Jean and Moreau 1998 at Q = 0.18: what strong and weak contacts bear, how they lie and which slide.
# Means of two samples. The paper does not say how dense its packing was. Pressed with the friction of 0.4 the minimum
# of A_c is at 0.9 of the mean force, with 0.5 at 0.8, with 0.3 at 1.0 (but then the weak part has a Q of -0.03):
# it moves to smaller forces as the fabric grows that Q = 0.18 takes. The paper has 8 % of contacts sliding, here
# 10 to 11 %, and 13 % in samples compressed twice as fast.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$1
compress() { # SEED
    launch 1 "$program" run "$here/../../inputs/cd-biaxial/full.yaml" -o "$scratch/runs/$1" -q --set seed="$1" \
        --set stages.1.until.time="0.3 s" \
        --set stages.1.output.snapshots.every="5 ms" 2> "$scratch/messages-$1" || cat "$scratch/messages-$1" >&2
}
mkdir "$scratch/runs"
compress 1 &
compress 2 &
wait
PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$here/measure-network" "$scratch"/runs/*
