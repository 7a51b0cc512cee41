#!/usr/bin/env bash
# Plane shear between rough walls at an inertial number of 0.1: friction, density, a straight profile,
# and the balance of momentum: how much the shear stresses on both faces differ in the mean, and that
# step by step the disks have what one face gave and the other did not take.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
launch 1 "$1" run "$here/../../inputs/plane-shear/small.yaml" -o "$scratch/out" -q \
    --set 'time.step=1.96 us' --set 'time.end=2.6 s' 2> "$scratch/messages" || cat "$scratch/messages" >&2
"$here/measure" plane-shear "$scratch/out"
