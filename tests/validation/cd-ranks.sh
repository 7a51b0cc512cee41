#!/usr/bin/env bash
# Contact dynamics on 64 ranks, far more than there are cores: the digest of one rank, and every step solved.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$1
for ranks in 1 64; do
    launch $ranks "$program" run "$here/../../inputs/cd-plane-shear/small.yaml" -o "$scratch/$ranks" -q --set time.end=5ms \
        --set solver.blocks=20 --set output.series.every=0.5ms 2> "$scratch/messages-$ranks" || cat "$scratch/messages-$ranks" >&2
done
digest() { sed -n 's/^ *"digest": "\(.*\)"/\1/p' "$scratch/$1/report.json"; }
unsolved() { awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "residual") at = k; next }
    NR > 2 { n++; bad += !($at <= 1e-3) } END { print (n > 0 ? bad + 0 : "") }' "$scratch/$1/series.csv"; }
same=0
[ -n "$(digest 64)" ] && [ "$(digest 64)" = "$(digest 1)" ] && same=1
verdict "cd on 64 ranks: digest is that of one" $same 1 0 "own promise"
verdict "cd on 64 ranks: steps that are not solved" "$(unsolved 64)" 0 0 "residual of the input"
