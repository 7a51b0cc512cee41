#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What a method is promised, tried with one that is its folder (tests/xx) and one line in a list: its
# key, phase, energies and fields appear where they belong; inputs run with it, write their files and
# are resumed bit for bit on another number of ranks; what it cannot do is refused with the reason.
# Usage: tests/cli/method.sh PROGRAM   (the program with method xx is in tests/ beside it)
set -uo pipefail
inputs=$(cd "$(dirname "$0")/../../inputs" && pwd)
# shellcheck source=tests/support/shell_test.sh
source "$(dirname "$0")/../support/shell_test.sh"
program=$(dirname "$program")/tests/scree_xx

expect "help knows its key" 0 "$program" help time.pace
says 'ways are so many times as long'

# Two of the inputs, as far as the method can do what they ask for: in three dimensions and in two.
fast=(--set particles.0.dense.speed='5 m/s' --set particles.0.dense.spin=3)
files=(--set output.series='{steps: 10}' --set output.snapshots='{steps: 50, contacts: true}')
spheres=("$inputs/periodic-shear/constant-volume.yaml" --set method=xx --set cell=none
    --set time.pace=2 "${fast[@]}" "${files[@]}")
disks=("$inputs/periodic-shear/small.yaml" --set method=xx --set cell=none "${fast[@]}" "${files[@]}")
for n in 1 2 3; do
    expect "spheres on $n ranks" 0 ranks $n run "${spheres[@]}" -o "spheres-$n" --set time.end='0.5 ms'
    expect "disks on $n ranks" 0 ranks $n run "${disks[@]}" -q -o "disks-$n" --set time.end='0.2 ms'
    [ $n -gt 1 ] || continue
    holds "spheres on $n ranks: as on one" same "spheres-$n" spheres-1
    holds "disks on $n ranks: as on one" same "disks-$n" disks-1
done
for file in trajectory.001.h5 trajectory.xdmf state.h5 packing.csv; do
    holds "$file is there" [ -s spheres-1/$file ]
done
holds "columns of its energies" grep -q \
    'wall contacts,kinetic energy \[J\],rotational energy \[J\],closure error$' spheres-1/series.csv
holds "time of its phase" grep -q '"fly": {"min"' spheres-1/report.json
holds "no phase of md" [ "$(grep -c '"integrate"' spheres-1/report.json)" -eq 0 ]

# Resume: n ranks to the middle, m ranks to the end.
for ranks in "1 3" "3 2" "2 1"; do
    set -- $ranks
    ranks "$1" run "${spheres[@]}" -q -o "part$1$2" --set time.end='0.25 ms' \
        --set output.checkpoint.steps=70
    expect "resume on $2 ranks" 0 ranks "$2" resume "part$1$2" -q --set time.end='0.5 ms'
    holds "$1 ranks, then $2" same "part$1$2" spheres-1
done
expect "its key stays" 2 "$program" resume part21 --allow-change --set time.pace=1

# Refusals: at the key, with the reason.
refused() { # INPUT PATTERN...
    local input=$1
    expect "$input is refused" 2 "$program" check "$inputs/$input" --set method=xx "${@:3}"
    says "$2"
}
refused periodic-shear/small.yaml \
    "small.yaml:[0-9]+:[0-9]+: 'cell' asks for a box that deforms, which method 'xx' does not know"
refused triaxial-membrane/small.yaml "small.yaml:[0-9]+:[0-9]+: 'membranes' asks for elastic membranes"
refused plane-shear/small.yaml "small.yaml:[0-9]+:[0-9]+: 'servo' asks for walls that move by the force"
refused ring-shear/quarter.yaml "quarter.yaml:[0-9]+:[0-9]+: 'wedge' asks for a wedge"
refused chute/small.yaml "small.yaml:[0-9]+:[0-9]+: 'gravity' asks for gravity"
refused periodic-shear/constant-volume.yaml "'step' asks for an automatic time step" \
    --set cell=none --set time.step=auto
refused periodic-shear/constant-volume.yaml "unknown key 'integrator'" \
    --set cell=none --set time.integrator=leapfrog
expect "keys of others are unknown to md" 2 "$program" check \
    "$inputs/periodic-shear/constant-volume.yaml" --set time.pace=2
says "unknown key 'pace'"

summary
