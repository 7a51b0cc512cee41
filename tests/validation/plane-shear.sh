#!/usr/bin/env bash
# Friction and density of plane shear at an inertial number of 0.1.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
launch 1 "$1" run "$here/../../inputs/plane-shear/small.yaml" -o "$scratch/out" -q && "$here/measure" plane-shear "$scratch/out"
