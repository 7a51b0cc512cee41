#!/usr/bin/env bash
# Runout of a column in two dimensions.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
launch 1 "$1" run "$here/../../inputs/column-collapse/small.yaml" -o "$scratch/out" -q && "$here/measure" column-collapse "$scratch/out"
