#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every input that comes with scree is read without mistakes, full variants too, and says in comments
# what each section is for. The first steps of every small one have the same digest on one rank and on
# 2, 3 or 4, in turns, through forced rebalancing.
# Usage: tests/physics/inputs.sh PROGRAM [FOLDER]   (only inputs/FOLDER, on all of 1 to 4 ranks)
set -uo pipefail
only=${2:-*}
inputs=$(cd "$(dirname "$0")/../../inputs" && pwd)
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/../io/common.sh"
export OMPI_MCA_mpi_yield_when_idle=1
steps=40

same() { [ -n "$(digest "$1")" ] && [ "$(digest "$1")" = "$(digest "$2")" ]; } # FOLDER REFERENCE
# Names of sections without a comment between them and the section before; one-line entries of the
# head (title, method, dimension, grains, seed) and what stands right below one of them need none.
bare_sections() {
    awk '/^#/ { comment = 1; next }
        /^[a-z_]+:/ { name = $1; sub(":", "", name)
            if (!comment && name !~ /^(title|method|dimension|grains|seed|gravity|warnings)$/) print name
            comment = 0; next }
        /^ *#/ { comment = 1 }' "$1"
}

# shellcheck disable=SC2231
for input in "$inputs"/$only/*.yaml; do
    folder=$(basename "$(dirname "$input")")
    [ "$folder" != bench ] || continue # benchmarks need data files
    name=$folder/$(basename "$input" .yaml)
    expect "$name: check" 0 "$program" check "$input"
    bare_sections "$input" > messages
    holds "$name: comments" [ ! -s messages ]
done

# No grain is faster than that: the run ends with the first look.
short=(--set time.stop.speed=1e9 --set time.stop.check=$steps --set output.checkpoint.steps=0)
k=0
# shellcheck disable=SC2231
for input in "$inputs"/$only/small.yaml; do
    name=$(basename "$(dirname "$input")")
    fewer=()
    [ "$name" != ring-shear ] || fewer=(--set particles.0.dense.count=2000)
    expect "$name" 0 ranks 1 run "$input" -q -o "$name-1" "${short[@]}" "${fewer[@]}"
    others=$((2 + k++ % 3))
    [ "$only" = "*" ] || others="2 3 4"
    for n in $others; do
        expect "$name on $n ranks" 0 ranks "$n" run "$input" -q -o "$name-$n" "${short[@]}" \
            "${fewer[@]}" --set balance.force_every=15
        holds "$name on $n ranks: as on one" same "$name-$n" "$name-1"
    done
done
summary
