#!/usr/bin/env bash
# Rotating drum in the steady state: angle of the surface against rate and friction and beside LAMMPS,
# torque against the weight at its lever, power against losses. Angles are means over blocks of 0.2 s.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$1
input=$here/../../inputs/drum/steady.yaml
from=0.8 # s
blocks=7

turn() { # NAME RATE FRICTION OPTIONS...
    local name=$1 rate=$2 friction=$3
    shift 3
    { # the input ends with its list of measurements
        cat "$input"
        awk -v n=$blocks -v from=$from 'BEGIN { for (k = 0; k < n; k++) {
            printf "  - profile: {name: field-%d, along: x, bins: 40, axis: z, slabs: 40, ", k
            printf "every: 0.2, sampled: 200, from: %.9g, to: %.9g}\n", from + 0.2 * k, from + 0.2 * (k + 1) } }'
    } > "$scratch/$name.yaml"
    launch 1 "$program" run "$scratch/$name.yaml" -o "$scratch/$name" -q --set boundaries.drum.rotate.rate="$rate" \
        --set contacts.0.tangential.friction="$friction" "$@" 2> "$scratch/messages-$name" ||
        cat "$scratch/messages-$name" >&2
}

lammps() { # NAME RATE FRICTION
    local folder=$scratch/lammps-$1
    command -v lmp > /dev/null || return
    turn "start-$1" "$2" "$3" --set time.end=6e-6
    mkdir "$folder"
    "$here/drum-lammps" "$scratch/start-$1/state.h5" "$folder" "$2" "$3" $from $blocks &&
        (cd "$folder" && lmp -in in.lammps > lammps.log 2>&1) || tail -n 3 "$folder/lammps.log" >&2
}

lammps slow 2 0.5 &
{ turn slow 2 0.5; turn fast 4 0.5; turn smooth 2 0.2; } &
wait
"$here/measure-drum" "$scratch" $from $blocks
