#!/usr/bin/env bash
# The two parts of the force network of rigid disks under biaxial compression, with the values of Radjai,
# Wolf, Jean and Moreau 1998 at Q = 0.18: what strong and weak contacts bear, how they lie and which slide.
# Means of two samples, for a single one leaves the minimum of A_c uncertain by 0.1. The paper has 8 % of contacts
# sliding; it is 10.6 % here, and 13 % in samples that are compressed twice as fast.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$1
compress() { # SEED
    launch 1 "$program" run "$here/../../inputs/cd-biaxial/full.yaml" -o "$scratch/runs/$1" -q --set seed="$1" \
        --set stages.1.until.time="0.75 s" 2> "$scratch/messages-$1" || cat "$scratch/messages-$1" >&2
}
mkdir "$scratch/runs"
compress 1 &
compress 2 &
wait
PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$here/measure-network" "$scratch"/runs/*
