#!/usr/bin/env bash
# Biaxial compression with the values of Luding 2008 at f = 0.5 per second, to a strain of 12 %: the
# stress has reached its plateau by then. About 4 minutes.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
launch 1 "$1" run "$here/../../inputs/biaxial/full.yaml" -o "$scratch/out" -q --set stages.2.until.time="0.55 s" &&
    "$here/measure" biaxial "$scratch/out"
