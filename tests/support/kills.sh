# SPDX-License-Identifier: BSD-3-Clause
# Runs that are killed with SIGKILL at random moments, many inside a write, and resumed on another
# number of ranks. Source it in a scratch folder with `program` set, and perhaps VICTIM=ed, call `kill_many N`, or `kill_many N
# LEAST` for more runs, up to 3 N, until so many kills were inside a write, which is a matter of chance. It
# counts in
#   runs, kills, inside (a half-written file was left), early (before the first checkpoint),
#   right (of these runs, those that ended with the digest and the frames of a run left alone),
#   files, unreadable (trajectories looked at right after a kill)
# and says on standard output what went wrong.
runs=0 kills=0 inside=0 early=0 right=0 files=0 unreadable=0
mkdir -p tmp
kills_support=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=tests/support/mpi_settings.sh
. "$kills_support/mpi_settings.sh"
# what killed ranks leave behind goes with the scratch folder
export OMPI_MCA_orte_tmpdir_base=$PWD/tmp OMPI_MCA_btl_vader_backing_directory=$PWD/tmp

if [ "${VICTIM:-md}" = ed ]; then
    cat > victim.yaml <<'YAML'
title: disks that fall and cool between a shaken floor and a lid
method: ed
dimension: 2
seed: 8
gravity: [0, -9.81]
domain: {low: [0, 0], high: [20 mm, 30 mm], periodic: [x]}
materials: {disk: {density: 1}}
contacts: [{between: [disk, disk], rigid: {restitution: 0.8}}]
events: {contact_time: 10 us}
boundaries:
  floor: {shape: plane, material: disk, point: [0, 0], normal: [0, 1], velocity: [0.1, 0]}
  lid: {shape: plane, material: disk, point: [0, 30 mm], normal: [0, -1]}
particles: [{random: {count: 200, material: disk, radius: {uniform: [0.3 mm, 0.6 mm]}, speed: 0.3}}]
time: {step: 1 ms, steps: 120}
YAML
    between=12
else
    cat "$kills_support/flow.yaml" - > victim.yaml <<'YAML'
time: {step: 2 us, steps: 600}
YAML
    between=60 # steps between checkpoints
fi
cat >> victim.yaml <<YAML
output:
  checkpoint: {steps: $between, keep: 2}
  snapshots: {steps: $((2 * between)), contacts: true}
  series: {steps: $((between / 6))}
YAML

# Reads every complete frame of the trajectories of a folder; prints one line per frame that counts,
# exit 1 if any is unreadable.
cat > frames.py <<'PYTHON'
import glob, hashlib, sys
import h5py
frames = {}
for name in sorted(glob.glob(sys.argv[1] + "/trajectory.*.h5")):
    with h5py.File(name, "r") as f:
        g = f["particles/grains"] if f.attrs["frames_complete"] else None
        for k in range(f.attrs["frames_complete"]):
            n = int(f["observables/grain_count/value"][k])
            rows = sorted(zip(g["id/value"][k][:n].tolist(), map(bytes, g["position/value"][k][:n])))
            m = int(f["observables/contact_count/value"][k])
            pairs = sorted(map(tuple, f["connectivity/contacts/pairs/value"][k][:m].tolist()))
            assert [r[0] for r in rows] == list(range(1, 201)), f"{name}: ids of frame {k}"
            frames[int(g["position/step"][k])] = hashlib.sha1(repr((rows, pairs)).encode()).hexdigest()
for step in sorted(frames): print(step, frames[step])
PYTHON
/usr/bin/python3 -c 'import h5py' 2> /dev/null
h5py_status=$?
have_h5py() { return $h5py_status; }

digest_of() { sed -n 's/^ *"digest": "\(.*\)"$/\1/p' "$1/report.json" 2> /dev/null; }
start_on() { # RANKS ARGUMENTS...: in the background, its process in `job`
    # shellcheck disable=SC2086
    $mpirun -n "$1" "$program" "${@:2}" -q > said 2>&1 &
    job=$!
}
exec {never}<> <(:) # nobody writes into this
nap() { read -rt "$1" -u "$never"; } # S: unlike `sleep` no process is started
# mpirun itself sometimes never ends when its ranks were killed while they started: 15 s without a
# single rank are enough. With ranks it has all the time that the step has.
wait_end() {
    local alone=0
    while kill -0 $job 2> /dev/null && [ $alone -lt 150 ]; do
        if pgrep -P $job > /dev/null; then alone=0; else alone=$((alone + 1)); fi
        nap 0.1
    done
    kill -9 $job 2> /dev/null && echo "mpirun did not end by itself"
    wait $job 2> /dev/null
}
has_part() { compgen -G "$1/*.part" > /dev/null; }

step_in() { local n=${1#checkpoint.}; echo $((10#${n%.h5})); }

# Wait for the chosen moment and kill all ranks at once (or only one: mpirun ends the others).
kill_at_random() { # FOLDER
    local victims least=$((RANDOM % 9 * between)) name=checkpoint.0.h5
    until [ -e "$1/series.csv" ] || ! kill -0 $job 2> /dev/null; do nap 0.01; done
    while [ "$(step_in "$name")" -lt $least ] && kill -0 $job 2> /dev/null; do
        nap 0.01
        if [ -e "$1/latest" ]; then read -r name < "$1/latest"; fi
    done
    if [ $((RANDOM % 3)) -gt 0 ]; then # the next write to begin, and somewhere in it
        until has_part "$1" || ! kill -0 $job 2> /dev/null; do nap 0.0002; done
        nap "0.00$((RANDOM % 10))$((RANDOM % 10))"
    else
        nap "0.$((RANDOM % 2))$((RANDOM % 10))"
    fi
    mapfile -t victims < <(pgrep -P $job)
    [ ${#victims[@]} -gt 0 ] || return 1
    if [ $((RANDOM % 4)) -eq 0 ]; then
        kill -9 "${victims[RANDOM % ${#victims[@]}]}" 2> /dev/null || return 1
    else
        kill -9 "${victims[@]}" $job 2> /dev/null
    fi
    kills=$((kills + 1))
    if has_part "$1"; then inside=$((inside + 1)); fi
}

look_at_frames() { # FOLDER
    local n
    have_h5py || return 0
    n=$(find "$1" -name 'trajectory.*.h5' | wc -l)
    files=$((files + n))
    /usr/bin/python3 frames.py "$1" > frames 2>&1 && return 0
    unreadable=$((unreadable + 1))
    echo "unreadable trajectory in $1: $(tail -n 1 frames)"
}

# On to the end on another number of ranks. Without a checkpoint there must be a message, and the
# run begins anew.
go_on() { # RANKS FOLDER
    if compgen -G "$2/checkpoint.*.h5" > /dev/null; then
        start_on "$1" resume "$2"
    else
        early=$((early + 1))
        $mpirun -n "$1" "$program" resume "$2" -q > said 2>&1
        [ $? -eq 1 ] && grep -q "no checkpoint" said || echo "resume without checkpoint: $(cat said)"
        start_on "$1" run victim.yaml -o "$2" --force
    fi
}

kill_many() { # N [LEAST]
    local k ranks again want
    $mpirun -n 1 "$program" run victim.yaml -o whole -q --set output.checkpoint.steps=0
    want=$(digest_of whole)
    [ -n "$want" ] || echo "the reference run failed"
    have_h5py && /usr/bin/python3 frames.py whole > frames.whole
    for k in $(seq $((${2:-0} > 0 ? 3 * $1 : $1))); do
        [ "$k" -gt "$1" ] && [ "$inside" -ge "$2" ] && break
        runs=$k
        ranks=$((k % 4 + 1))
        start_on $ranks run victim.yaml -o "kill$k"
        kill_at_random "kill$k"
        wait_end
        look_at_frames "kill$k"
        for again in 2 1; do # a third of the runs is killed once more
            go_on $(((k + again) % 4 + 1)) "kill$k"
            [ $((again + k % 3)) -eq 2 ] && kill_at_random "kill$k"
            wait_end
            look_at_frames "kill$k"
            [ -n "$(digest_of "kill$k")" ] && break
        done
        have_h5py && ! cmp -s frames frames.whole && echo "kill$k: frames differ from the reference"
        if [ -n "$want" ] && [ "$(digest_of "kill$k")" = "$want" ] &&
            { ! have_h5py || cmp -s frames frames.whole; }; then
            right=$((right + 1))
            rm -rf "kill$k"
        else
            echo "kill$k on $ranks ranks: digest '$(digest_of "kill$k")', expected $want: $(cat said)"
        fi
        [ $((k % 20)) -eq 0 ] && echo "$k runs, $right right, $kills kills, $inside inside a write," \
            "$early early, $files files, $unreadable unreadable"
    done
}
