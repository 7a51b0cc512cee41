#!/usr/bin/env bash
# The two parts of the force network of rigid disks under biaxial compression, with the values of Radjai,
# Wolf, Jean and Moreau 1998 at Q = 0.18: what strong and weak contacts bear, how they lie and which slide.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
launch 1 "$1" run "$here/../../inputs/cd-biaxial/full.yaml" -o "$scratch/out" -q --set stages.1.until.time="0.75 s" \
    2> "$scratch/messages" || cat "$scratch/messages" >&2
PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$here/measure-network" "$scratch/out"
