#!/usr/bin/env bash
# Runout of columns of two aspect ratios in two dimensions. The tall one has a quarter of the beads, of
# twice the size.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
input=$here/../../inputs/column-collapse/small.yaml
launch 1 "$1" run "$input" -o "$scratch/low" -q &
launch 1 "$1" run "$input" -o "$scratch/tall" -q --set 'time={step: 5 us, end: 0.75 s}' \
    --set 'domain.high=[500 mm, 160 mm]' --set 'boundaries.gate.from=[30 mm, 0.5 mm]' \
    --set 'boundaries.gate.to=[30 mm, 150 mm]' --set particles.0.dense.count=880 \
    --set 'particles.0.dense.radius.uniform=[0.8 mm, 1.2 mm]' \
    --set 'particles.0.dense.high=[30 mm, 124 mm]' --set contacts.0.normal.stiffness=1500 \
    --set contacts.0.tangential.stiffness=430 --set contacts.1.normal.stiffness=1500 \
    --set 'output.snapshots.times=[0.12 s, 0.7 s, 0.75 s]' &
wait
"$here/measure" column-collapse "$scratch/low" && "$here/measure" column-collapse "$scratch/tall"
