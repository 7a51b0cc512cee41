#!/usr/bin/env bash
# Triaxial test of a small sample in an elastic membrane: a peak of the stress, compaction, dilation.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
launch 1 "$1" run "$here/../../inputs/triaxial-membrane/small.yaml" -o "$scratch/out" -q && "$here/measure" membrane "$scratch/out"
