#!/usr/bin/env bash
# A steel sphere falls into a bed of grains, Hertz-Mindlin with the materials of the nine-code benchmark: its way beside
# LAMMPS from the same state.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$1
launch 2 "$program" run "$here/../../inputs/impact/small.yaml" -o "$scratch/impact" -q 2> "$scratch/messages" ||
    cat "$scratch/messages" >&2
if command -v lmp > /dev/null; then
    mkdir "$scratch/lammps"
    "$here/impact-lammps" "$scratch/impact" "$scratch/lammps" &&
        (cd "$scratch/lammps" && launch 1 lmp -in in.lammps > lammps.log 2>&1) || tail -n 3 "$scratch/lammps/lammps.log" >&2
fi
"$here/measure-impact" "$scratch"
