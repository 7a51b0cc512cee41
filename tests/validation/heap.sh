#!/usr/bin/env bash
# Angle of repose with rolling friction.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
launch 2 "$1" run "$here/../../inputs/heap/small.yaml" -o "$scratch/out" -q && "$here/measure" heap "$scratch/out"
