#!/usr/bin/env bash
# Outflow of a silo with a flat bottom: mean of four fillings, of which two run at a time.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$1
flow() { # SEEDS...
    local seed
    for seed; do
        launch 1 "$program" run "$here/../../inputs/silo/small.yaml" -o "$scratch/silo/$seed" -q --set seed="$seed" ||
            echo "silo with seed $seed: no result" >&2
    done
}
mkdir "$scratch/silo"
flow 1 2 &
flow 3 4 &
wait
"$here/measure" silo "$scratch/silo"
