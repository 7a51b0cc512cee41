#!/bin/bash
# Strong or weak scaling of a case: makes its state, runs from it on each number of ranks, collects.
# usage: jobscripts/scaling.sh strong|weak CASE RANKS...     CASE: an input file, or one of
#            chute  triaxial  ring-shear  cd-shear           (cases of inputs/ with presets below)
#        jobscripts/scaling.sh table FOLDERS...              the table and the plot of what has ended
# strong: the same grains on all numbers of ranks. The state is made once, on the most ranks.
# weak: as many times the grains as ranks. CASE must be one of the names, or GROW must tell what grows:
#       GROW='domain.high.0=20 mm particles.0.lattice.count=1000'; each number is multiplied by the ranks
# Environment: PREPARE (5000, or as the case needs), STEPS (1000): steps of the state and of the
#   measurement, for which checkpoints are copied and resumed
#   LAUNCH: slurm (jobs by sbatch; the default where that is) or mpirun (here, one after the other)
#   SBATCH_OPTIONS="--partition=... --time=..."; SCREE, the program; DRY=1 prints the commands only
# Slurm runs the jobs when it likes; then: jobscripts/scaling.sh table NAME-strong-*
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
inputs=$here/../inputs
scree=${SCREE:-scree}
launch=${LAUNCH:-$(command -v sbatch > /dev/null && echo slurm || echo mpirun)}
prepare=${PREPARE:-} steps=${STEPS:-1000}

kind=${1:?strong, weak or table}
shift
if [ "$kind" = table ]; then exec "$here/../tools/scree-plot" scaling "$@"; fi
[ "$kind" = strong ] || [ "$kind" = weak ] || { echo "strong, weak or table, not '$kind'" >&2; exit 2; }
case=${1:?a case} name=$(basename "${1%.*}")
shift
[ $# -gt 0 ] || { echo "on how many ranks?" >&2; exit 2; }

# Cases by name: the input, and what grows with the number of ranks in a weak series. A ring grows
# upward.
grow=${GROW:-}
case $case in
chute)
    case=$inputs/chute/full.yaml
    : "${prepare:=100000}" # 90 ms: the beads have fallen
    : "${grow:=domain.high.0=20 mm particles.0.random.count=120 particles.0.random.high.0=20 mm \
particles.1.loose.count=8000 particles.1.loose.high.0=20 mm}" ;;
triaxial)
    case=$inputs/triaxial-cell/full.yaml
    : "${prepare:=10000}"
    : "${grow:=domain.high.0=21.1 mm particles.0.dense.count=10648}" ;;
ring-shear)
    case=$inputs/ring-shear/quarter.yaml
    : "${grow:=domain.high.2=40 mm particles.0.dense.count=2600 particles.0.dense.region.high=26 mm}" ;;
cd-shear)
    case=$inputs/cd-plane-shear/small.yaml
    : "${prepare:=500}"
    : "${grow:=domain.high.0=50 mm particles.0.dense.count=660 particles.0.dense.high.0=50 mm}" ;;
esac
: "${prepare:=5000}"
[ "$kind" = strong ] || [ -n "$grow" ] || { echo "weak: GROW must tell what grows with the ranks" >&2; exit 2; }

# --set options of a weak run; values are "KEY=NUMBER UNIT", separated by spaces before the next key
settings_for() { # RANKS
    [ "$kind" = weak ] || return 0
    sed -E 's/ ([A-Za-z_]+\.)/\n\1/g' <<< "$grow" | awk -v n="$1" -F= '{
        split($2, value, " "); printf "--set\n%s=%.15g%s\n", $1, value[1] * n, value[2] == "" ? "" : " " value[2] }'
}

# 75 is how a run ends that was stopped by the limit of steps.
say_or_do() { if [ -n "${DRY:-}" ]; then printf '%q ' "$@"; echo; else "$@"; fi; }

# One job: the state, if it is not there, and the measurement from it. The results do not depend on
# the number of ranks on which the state was made.
measure() { # RANKS STATE-FOLDER
    local ranks=$1 state=$2 out=$name-$kind-$1 go lines
    mapfile -t lines < <(settings_for "$ranks")
    local make=("$scree" run "$case" -o "$state" --force --step-limit "$prepare" "${lines[@]}")
    local time=("$scree" resume "$out" --step-limit "$steps")
    if [ "$launch" = slurm ]; then go="srun --cpu-bind=cores"; else go="mpirun -np $ranks"; fi
    local script="set -e
export OMP_NUM_THREADS=1
[ -e ${state@Q}/report.json ] || $go ${make[*]@Q} || [ \$? = 75 ]
rm -rf ${out@Q}
cp -r ${state@Q} ${out@Q}
$go ${time[*]@Q} || [ \$? = 75 ]"
    if [ "$launch" = slurm ]; then
        # shellcheck disable=SC2086
        say_or_do sbatch ${SBATCH_OPTIONS:-} --parsable --ntasks="$ranks" --job-name="$out" \
            ${after:+--dependency=afterok:$after} --wrap "$script"
    elif [ -n "${DRY:-}" ]; then
        say_or_do bash -c "$script"
    else
        bash -c "$script" > "$out.log" 2>&1 || { tail -n 5 "$out.log" >&2; return 1; }
    fi
}

# Strong: the largest job makes the state, the others come after it.
folders=() after=
ordered=$(printf '%s\n' "$@" | sort -rn)
for ranks in $ordered; do
    state=$name-$kind-state
    [ "$kind" = strong ] || state=$state-$ranks
    said=$(measure "$ranks" "$state" | tee /dev/stderr)
    if [ "$kind" = strong ] && [ "$launch" = slurm ] && [ -z "$after" ]; then after=${said%%;*}; fi
    [ -n "${DRY:-}" ] && after=
    folders=("$name-$kind-$ranks" "${folders[@]}")
done
if [ "$launch" = slurm ] || [ -n "${DRY:-}" ]; then
    echo "when all have ended: $0 table ${folders[*]}"
else
    exec "$here/../tools/scree-plot" scaling "${folders[@]}"
fi
