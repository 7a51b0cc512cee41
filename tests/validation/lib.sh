# Shared by the validation cases: `verdict NAME MEASURED TARGET RELATIVE_TOLERANCE SOURCE` prints one
# line of the report; `value FILE KEY` reads a number from report.json.
verdict() {
    awk -v name="$1" -v m="$2" -v t="$3" -v tol="$4" -v source="$5" 'BEGIN {
        d = t != 0 ? (m - t) / t : m; if (d < 0) d = -d
        ok = m != "" && d <= tol
        printf "%s | %s | %s | %s | %s | %s\n", name, m, t, tol, source, ok ? "pass" : "FAIL" }'
}
value() { sed -n "s/^ *\"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$1"; }
# A program on so many ranks, as it must be where several jobs share a machine.
launch() ( # RANKS PROGRAM ARGUMENTS...
    # shellcheck source=tests/support/mpi_settings.sh
    . "$(dirname "${BASH_SOURCE[0]}")/../support/mpi_settings.sh"
    ranks=$1
    shift
    if [ "$ranks" -eq 1 ]; then
        alone_in "$(mktemp -d "$scratch/mpi.XXXXXX")"
        exec "$@"
    fi
    # shellcheck disable=SC2086
    exec $mpirun -n "$ranks" "$@"
)
# An input with the seeds 1 to 4, two at a time, to $scratch/SEED; only with a series.
four_samples() { # PROGRAM INPUT EVERY
    local seed
    for seed in 1 2 3 4; do
        launch 1 "$1" run "$2" -o "$scratch/$seed" -q --set seed="$seed" \
            --set "output={series: {every: $3}, state: false}" 2> "$scratch/messages.$seed" ||
            cat "$scratch/messages.$seed" >&2 &
        [ "$seed" != 2 ] || wait
    done
    wait
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
