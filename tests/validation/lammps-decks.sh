#!/usr/bin/env bash
# The two benchmark states against LAMMPS's energies, on 1 and 3 ranks.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$1
data=${SCREE_BENCH_DATA:-$here/../../../shared/data}
if [ ! -r "$data/data.chute" ] || [ ! -r "$data/data.dense" ]; then
    echo "LAMMPS decks | needs data.chute and data.dense in SCREE_BENCH_DATA | | | | skipped"
    exit 0
fi
deck() { # name steps ranks
    [ -r "$scratch/$1.h5" ] || "$program" import lammps "$data/data.$1" -o "$scratch/$1.h5" -q
    launch "$3" "$program" run "$here/../../inputs/bench/$1.yaml" -o "$scratch/out" --force -q \
        --set "particles.0.state.file=$scratch/$1.h5" --set "time.steps=$2" --set output.state=false
}
check() { # name steps ranks kinetic rotational tolerance tolerance
    deck "$1" "$2" "$3"
    verdict "$1 step $2, $3 ranks: kinetic energy" "$(value "$scratch/out/report.json" kinetic_energy)" "$4" "$6" LAMMPS
    verdict "$1 step $2, $3 ranks: rotational energy" "$(value "$scratch/out/report.json" rotational_energy)" "$5" "$7" LAMMPS
}
check chute 0 1 784139.13 1601.1263 1e-8 1e-7
check chute 100 1 784292.081 1571.0968 1e-8 1e-6
verdict "chute step 100: contacts" "$(value "$scratch/out/report.json" contacts)" 14960 0 LAMMPS
check chute 100 3 784292.081 1571.0968 1e-8 1e-6
check dense 0 1 27.9350101194 4.08214704749 1e-8 1e-8
check dense 100 1 1789.68735502 1676.59472159 1e-8 1e-8
check dense 500 1 986.515951226 1029.39169799 1e-8 1e-8
check dense 500 3 986.515951226 1029.39169799 1e-8 1e-8
