#!/usr/bin/env bash
# Memory: at most 500 bytes per grain plus 100 per listed pair, a million grains in a dense gas.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
"$1" run "$here/../../inputs/bench/lattice.yaml" -o "$scratch/out" -q --set time.steps=60 \
    --set output.state=false
bytes=$(value "$scratch/out/report.json" bytes_per_grain)
pairs=$(value "$scratch/out/report.json" listed_pairs_per_grain)
awk -v b="$bytes" -v p="$pairs" 'BEGIN {
    limit = 500 + 100 * p
    printf "memory per grain, %.2f listed pairs each | %.0f bytes | at most %.0f | 0 | own limit | %s\n",
        p, b, limit, b != "" && b <= limit ? "pass" : "FAIL" }'
