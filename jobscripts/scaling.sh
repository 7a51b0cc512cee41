#!/bin/bash
# A scaling series: the same case on different numbers of ranks, one job each.
# usage: jobscripts/scaling.sh strong CASE.yaml RANKS...
#        jobscripts/scaling.sh weak   CASE.yaml RANKS...   (the box grows along x with the ranks; the
#        case must fill its domain, e.g. by a lattice sample without low and high)
# Options for sbatch: SBATCH_OPTIONS="--partition=... --time=...". DRY=1 prints the commands only.
set -eu
kind=$1 case=$2
shift 2
scree=${SCREE:-scree}
name=$(basename "${case%.*}")
# The upper corner as the input has it, e.g. [40, 20, 37.2886]
high=$("$scree" check "$case" > /dev/null && sed -n 's/.*high: *\[\([^]]*\)\].*/\1/p' "$case" | head -n 1)
for ranks in "$@"; do
    options=()
    if [ "$kind" = weak ]; then
        x=${high%%,*} rest=${high#*,}
        number=$(echo "$x" | sed 's/[^0-9.eE+-].*//') unit=${x#"$number"}
        options=(--set "domain.high=[$(awk -v a="$number" -v n="$ranks" 'BEGIN{printf "%.15g", a * n}')$unit,$rest]")
    elif [ "$kind" != strong ]; then
        echo "strong or weak, not '$kind'" >&2
        exit 2
    fi
    command=(sbatch ${SBATCH_OPTIONS:-} --ntasks="$ranks" --job-name="$name-$kind-$ranks" \
        --wrap "srun $scree run $case -o $name-$kind-$ranks --force ${options[*]@Q}")
    if [ -n "${DRY:-}" ]; then printf '%q ' "${command[@]}"; echo; else "${command[@]}"; fi
done
echo "afterwards: grep loop_seconds $name-$kind-*/report.json"
