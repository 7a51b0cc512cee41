#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# One flow of 576 frictional grains of different sizes between a floor and a moving lid, 400 steps:
# the digest of the final state must be the same on any number of ranks, with either partitioner,
# with and without forced rebalancing, and with any skin.
# Usage: tests/physics/rank-digest.sh [PROGRAM]   One test; the last line says so.
set -uo pipefail
program=${1:-build/release/scree}
# shellcheck source=tests/support/mpi_settings.sh
. "$(dirname "$0")/../support/mpi_settings.sh"
export OMP_NUM_THREADS=1 LC_ALL=C

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cat > "$folder/flow.yaml" << 'END'
title: flow between a floor and a moving lid
time: {step: 1 ms, steps: 400}
seed: 4
gravity: [3, 0, -9]
background_friction: 0.01
domain: {low: [-3, 0, 0], high: [5, 6, 13], periodic: [x, y]}
materials:
  grain: {density: 1}
  wall: {density: 1}
contacts:
  - between: [grain, grain]
    normal: {law: linear, stiffness: 400, damping: 0.3}
    tangential: {law: spring, stiffness: 120, damping: 0.1, friction: 0.6, friction_dynamic: 0.4}
  - between: [grain, wall]
    normal: {law: linear, stiffness: 600, restitution: 0.7, tension: clip}
    tangential: {law: spring, stiffness: 200, friction: 0.5}
boundaries:
  floor: {shape: plane, material: wall, point: [0, 0, 0], normal: [0, 0, 1]}
  lid: {shape: plane, material: wall, point: [0, 0, 13], normal: [0, 0, -1], velocity: [2, 0.5, -2]}
particles:
  - lattice: {material: grain, radius: {uniform: [0.25, 0.5]}, spacing: 1, count: 576, speed: 0.5}
output: {state: false}
END

n_passed=0
n_failed=0
reference=

# All runs must have the digest of the first one.
try() { # RANKS [KEY=VALUE...]
    local ranks=$1 log=$folder/log digest sets=()
    shift
    for set in "$@"; do sets+=(--set "$set"); done
    # shellcheck disable=SC2086
    timeout 150 $mpirun -n "$ranks" "$program" run "$folder/flow.yaml" -o "$folder/results" --force \
        ${sets[@]+"${sets[@]}"} > "$log" 2>&1 < /dev/null
    digest=$(sed -n 's/^digest: //p' "$log")
    if [ -z "$digest" ]; then
        tail -n 5 "$log"
        echo "FAIL $ranks ranks $*: no digest"
        n_failed=$((n_failed + 1))
        return
    fi
    reference=${reference:-$digest}
    if [ "$digest" = "$reference" ]; then
        n_passed=$((n_passed + 1))
    else
        echo "FAIL $ranks ranks $*: digest $digest, not $reference"
        n_failed=$((n_failed + 1))
    fi
}

methods=hilbert
if "$program" list partitioners | grep '^parmetis' | grep -qv 'not in this build'; then
    methods="hilbert parmetis"
else
    echo "skipped: ParMETIS is not in this build"
fi

try 1
try 1 neighbours.skin=0.1
for ranks in 2 3 4 7; do
    for method in $methods; do
        # Seven processes on a small machine are slow: the harder case is enough there.
        [ $ranks -eq 7 ] || try $ranks "balance.method=$method"
        try $ranks "balance.method=$method" balance.force_every=25
    done
done
try 3 neighbours.skin=0.3
try 4 neighbours.skin=0.1 balance.force_every=25
# The digest would not be worth much if it did not see a small change.
before=$n_failed
try 2 seed=5 > "$folder/other"
if [ "$n_failed" -gt "$before" ] && grep -q ', not ' "$folder/other"; then
    n_failed=$before
    n_passed=$((n_passed + 1))
else
    echo "FAIL another seed has the same digest"
    n_failed=$((before + 1))
fi

echo "$((n_failed == 0)) passed, $((n_failed > 0)) failed ($((n_passed + n_failed)) comparisons)"
[ "$n_failed" -eq 0 ]
