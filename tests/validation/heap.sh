#!/usr/bin/env bash
# Angle of the heap that stays on a plate, with resistance to rolling and without.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
input=$here/../../inputs/heap/plate.yaml
launch 1 "$1" run "$input" -o "$scratch/resisted" -q &
launch 1 "$1" run "$input" -o "$scratch/free" -q --set contacts.0.rolling.friction=0 \
    --set contacts.1.rolling.friction=0 &
wait
"$here/measure" heap "$scratch/resisted" && "$here/measure" heap-free "$scratch/free"
