#!/usr/bin/env bash
# Biaxial compression with the values of Luding 2008 at f = 0.5 per second: about ten minutes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
launch 2 "$1" run "$here/../../inputs/biaxial/full.yaml" -o "$scratch/out" -q && "$here/measure" biaxial "$scratch/out"
