#!/usr/bin/env bash
# Outflow of a silo with a flat bottom.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
launch 1 "$1" run "$here/../../inputs/silo/small.yaml" -o "$scratch/out" -q && "$here/measure" silo "$scratch/out"
