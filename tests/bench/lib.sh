# Runs one benchmark state with scree and with LAMMPS in turn, on 1 and on 2 ranks.
# A bench sets `name`, defines `deck_setup` (the LAMMPS commands of that state) and calls `compare`.
# Environment: SCREE_BENCH_DATA (folder of data.chute and data.dense), REPEATS, STEPS, LAMMPS.

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
repeats=${REPEATS:-3}
steps=${STEPS:-500}
lammps=${LAMMPS:-lmp}
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

skip() { echo "skipped: $name: $*"; exit 0; }
fail() { echo "$name: $*" >&2; exit 1; }

find_state() {
    local folder=${SCREE_BENCH_DATA:-$repo/../shared/data}
    state=$folder/data.$name
    [ -r "$state" ] || skip "needs the LAMMPS data file data.$name in \$SCREE_BENCH_DATA"
    grains=$(awk '$2 == "atoms" { print $1; exit }' "$state")
}

# Grains of a state file in a periodic cube, as a LAMMPS data file of unit or given density.
write_lammps_data() { # STATE EDGE [DENSITY]
    /usr/bin/python3 -c 'import h5py, sys
p = h5py.File(sys.argv[1])["particles"]
rows = list(zip(p["id"], 2.0 * p["radius"][:], p["position"], p["velocity"], p["angular_velocity"]))
print("grains\n\n%d atoms\n1 atom types\n" % len(rows))
for a in "xyz": print(0, sys.argv[2], a + "lo", a + "hi")
print("\nAtoms # sphere\n")
for k, d, x, v, w in rows: print(k, 1, repr(float(d)), sys.argv[3], *(repr(float(c)) for c in x))
print("\nVelocities\n")
for k, d, x, v, w in rows: print(k, *(repr(float(c)) for c in (*v, *w)))' "$1" "$2" "${3:-1}"
}

hooke="gran/hooke/history 200000.0 NULL 50.0 NULL 0.5 0
pair_coeff * *"

write_deck() {
    cat << END
units ${units:-lj}
atom_style sphere
boundary $boundary
newton off
comm_modify mode single vel yes
read_data $state
pair_style ${pair_style:-$hooke}
neighbor 0.1 bin
neigh_modify every 1 delay 0
timestep ${timestep:-0.0001}
$(deck_setup)
compute rot all erotate/sphere
thermo_style custom step atoms ke c_rot
thermo_modify norm no format float %.12g
thermo 100
run $steps
END
}

launch() { local ranks=$1; shift; mpirun -np "$ranks" --bind-to core "$@"; }

# Both print: wall time of the time loop in s, kinetic and rotational energy after the last step.
run_lammps() {
    local log=$scratch/lammps.log
    launch "$1" "$lammps" -in "$scratch/deck" -log none > "$log" 2>&1 ||
        { tail -n 20 "$log" >&2; return 1; }
    awk -v last="$steps" '$1 == last && NF == 4 { energies = $3 " " $4 }
        /^Loop time of/ { print $4, energies }' "$log"
}

run_scree() {
    local log=$scratch/scree.log
    launch "$1" "$scree" run "$repo/inputs/bench/$name.yaml" -o "$scratch/run" --force \
        --set "particles.0.state.file=$scratch/$name.h5" --set "time.steps=$steps" \
        > "$log" 2>&1 || { tail -n 20 "$log" >&2; return 1; }
    /usr/bin/python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
print(*(repr(float(report[key])) for key in
        ("loop_seconds", "kinetic_energy", "rotational_energy")))' "$scratch/run/report.json"
}

# Median of the first column of a file, in ns per grain-step.
median() {
    sort -g "$1" | awk -v work="$((grains * steps))" '{ t[NR] = $1 }
        END { print (t[int((NR + 1) / 2)] + t[int((NR + 2) / 2)]) / 2 / work * 1e9 }'
}

compare_on() {
    local ranks=$1 i code word=rank
    [ "$ranks" -gt 1 ] && word=ranks
    for ((i = 0; i < repeats; i++)); do
        for code in scree lammps; do
            run_$code "$ranks" > "$scratch/result" || fail "$code failed on $ranks $word"
            [ -s "$scratch/result" ] || fail "$code gave no time on $ranks $word"
            cat "$scratch/result" >> "$scratch/$code.$ranks"
        done
    done
    awk -v name="$name $ranks $word" -v s="$(median "$scratch/scree.$ranks")" \
        -v l="$(median "$scratch/lammps.$ranks")" 'BEGIN {
        printf "%s: scree %.0f ns, lammps %.0f ns per grain-step, ratio %.2f\n", name, s, l, l / s }'
    paste -d ' ' "$scratch/scree.$ranks" "$scratch/lammps.$ranks" | tail -n 1 |
        awk -v name="$name $ranks $word" -v steps="$steps" '
            function difference(a, b) { return b == 0 ? a : (a - b) / b }
            { printf "%s: after %d steps scree differs from lammps by %.1e in kinetic and %.1e in" \
                     " rotational energy (relative)\n",
                     name, steps, difference($2, $5), difference($3, $6) }'
}

compare() {
    scree=${1:-$repo/build/release/scree}
    find_state
    command -v "$lammps" > /dev/null || skip "needs LAMMPS: tools/install-deps --bench"
    [ -x "$scree" ] || fail "no program $scree: run make first"
    scree=$(realpath "$scree")
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    write_deck > "$scratch/deck"
    "$scree" import lammps "$state" -o "$scratch/$name.h5" > "$scratch/import.log" 2>&1 ||
        { cat "$scratch/import.log" >&2; fail "scree import failed"; }
    compare_on 1
    [ "$(env -u OMP_NUM_THREADS nproc)" -ge 2 ] || skip "the comparison on 2 ranks needs 2 cores"
    compare_on 2
    awk -v name="$name" -v s1="$(median "$scratch/scree.1")" -v s2="$(median "$scratch/scree.2")" \
        -v l1="$(median "$scratch/lammps.1")" -v l2="$(median "$scratch/lammps.2")" 'BEGIN {
        printf "%s scree speed-up on 2 ranks: %.2f, lammps %.2f\n", name, s1 / s2, l1 / l2 }'
}
