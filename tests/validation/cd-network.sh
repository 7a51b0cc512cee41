#!/usr/bin/env bash
# The two parts of the force network of rigid disks under biaxial compression, with the values of Radjai,
# Wolf, Jean and Moreau 1998 at Q = 0.18: what strong and weak contacts bear, how they lie and which slide.
# Means of three samples, pressed with the friction of the paper, 0.5 (it says "prepared with an isotropic
# contact network", and not how dense), and before compression, at Q = 0, where all distinctions vanish. One line
# fails: the sum for A_c is least at 0.7 of the mean force (0.69 and 0.72 in two samples), and 0.8 to 1.2 is expected of
# the figure of the paper. It lies higher in denser packings (0.8 to 0.9 if pressed with a friction of 0.4).
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$1
compress() { # SEED
    launch 1 "$program" run "$here/../../inputs/cd-biaxial/full.yaml" -o "$scratch/runs/$1" -q --set seed="$1" \
        --set stages.1.until.time="0.7 s" --set stages.0.output.snapshots.every="20 ms" \
        --set stages.1.output.snapshots.every="5 ms" 2> "$scratch/messages-$1" || cat "$scratch/messages-$1" >&2
}
mkdir "$scratch/runs"
compress 1 &
compress 2 &
wait -n
compress 3 &
wait
PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$here/measure-network" "$scratch"/runs/*
