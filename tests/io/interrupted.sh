#!/usr/bin/env bash
# Signals to mpirun, to one rank, twice; folders that are empty, in use or hold only pieces; files of
# others among the checkpoints; what a killed job leaves in the machine.
# usage: tests/io/interrupted.sh PROGRAM
set -u
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/common.sh"
# Here MPI starts as it does for users: its daemons and transports have to do with signals.
unset OMPI_MCA_ess_singleton_isolated OMPI_MCA_plm OMPI_MCA_pml OMPI_MCA_btl

cat > long.yaml <<'YAML'
time: {step: 2 us, steps: 100000000}
gravity: [0, 0, -9]
domain: {low: [0, 0, 0], high: [6 mm, 5 mm, 6 mm], periodic: [x, y]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.7}
boundaries:
  floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}
particles:
  - random: {count: 150, material: glass, radius: 0.3 mm, speed: 0.3 m/s}
output: {checkpoint: {every: 1 h}}
YAML
saved() { find "$1" -name 'checkpoint.*.h5' | sort | tail -n 1; }
step_of() { local s; s=$(basename "$(saved "$1")" .h5); echo $((10#${s#checkpoint.})); }
message() { grep -Eq -- "$1" messages; verdict "says '$1'" $?; }
# A run that does not end by itself, in the background; its process is `job`.
begin() { # RANKS FOLDER OPTIONS...
    if [ "$1" -eq 1 ]; then # shells without a terminal have the background ignore SIGINT
        env --default-signal=INT "$program" run long.yaml -o "$2" "${@:3}" > said 2>&1 &
    else # shellcheck disable=SC2086
        $mpirun -n "$1" "$program" run long.yaml -o "$2" "${@:3}" > said 2>&1 &
    fi
    job=$!
    until [ -e "$2/series.csv" ] || ! kill -0 $job 2> /dev/null; do sleep 0.05; done
    sleep 0.5
}
ends_with() { # NAME CODE: the job in the background, which gets a minute
    local status
    for _ in $(seq 600); do kill -0 $job 2> /dev/null || break; sleep 0.1; done
    kill -9 $job 2> /dev/null
    wait $job
    status=$?
    cp said messages
    [ $status -eq "$2" ]
    verdict "$1: code $2, got $status" $?
}
# The checkpoint holds what a run of so many steps has.
is_right() { # FOLDER
    local n
    n=$(step_of "$1")
    "$program" run long.yaml -o "$1-again" -q --set "time.steps=$n" > /dev/null 2>&1
    expect "$1 can be resumed" 0 "$program" resume "$1" -q --set "time.steps=$n"
    holds "$1: the same state" [ -n "$(digest "$1")" -a "$(digest "$1")" = "$(digest "$1-again")" ]
}

block "signals"
# --- signals ---
for signal in INT TERM USR1 HUP; do
    begin 1 "one-$signal"
    kill -$signal $job
    ends_with "SIG$signal to a program alone" 75
    message "stopped at step .* by a signal"
    holds "SIG$signal: a checkpoint" [ -n "$(saved "one-$signal")" ]
done
is_right one-INT
# Grains that take minutes to make are not worth waiting for: there is nothing to save yet.
timeout 2 "$program" run long.yaml -o never --set 'particles=[{dense: {count: 400000, material: glass, radius: 0.04 mm, overlap: 0.3}}]' > said 2>&1 &
job=$!
ends_with "SIGTERM while grains are made" 124
holds "nothing is left" [ ! -e never/input.yaml ]
begin 1 young
expect "resume of a run that has no checkpoint yet" 1 "$program" resume young -q
message "young is in use by a job that is still running"
kill -TERM $job
ends_with "SIGTERM to it" 75
begin 3 one-rank
kill -TERM "$(pgrep -P $job | tail -n 1)"
ends_with "SIGTERM to one rank of three" 75
is_right one-rank
# ParMETIS, at work most of the time here, has a handler of its own for SIGTERM.
for n in 2 3; do
    begin $n "balancing-$n" --set balance.force_every=1
    for rank in $(pgrep -P $job); do kill -TERM "$rank"; done
    ends_with "SIGTERM to $n ranks that balance" 75
done
begin 2 by-mpirun
kill -USR1 $job
ends_with "SIGUSR1 to mpirun" 75
# mpirun passes SIGTERM on, gives its ranks a second to save, kills them and says nothing of 75.
begin 3 mpirun-killed --set output.checkpoint.steps=500
for _ in $(seq 100); do [ -n "$(saved mpirun-killed)" ] && break; sleep 0.1; done
kill -TERM $job
ends_with "SIGTERM to mpirun" 1
is_right mpirun-killed
begin 1 twice --set output.checkpoint.steps=1
for _ in 1 2 3 4 5 6; do kill -TERM $job 2> /dev/null; sleep 0.02; done
ends_with "SIGTERM again and again, while it writes" 75
is_right twice
begin 1 goes-on
kill -USR2 $job
for _ in $(seq 600); do [ -n "$(saved goes-on)" ] && break; sleep 0.1; done
holds "SIGUSR2 saves" [ -n "$(saved goes-on)" ]
kill -0 $job
verdict "and the run goes on" $?

block "a checkpoint that cannot be written"
# --- a checkpoint that cannot be written ---
some="--set time.steps=450 --set output.checkpoint.steps=100 --set output.checkpoint.keep=9"
# shellcheck disable=SC2086
expect "a run left alone" 0 "$program" run long.yaml -o alone -q $some
for n in 1 3; do # shellcheck disable=SC2086
    expect "its first half" 0 ranks $n run long.yaml -o "gap$n" -q $some --set time.steps=200
    mkdir "gap$n/checkpoint.000000000300.h5.part" # no file can have this name
    cp -r "gap$n" "strict$n" # shellcheck disable=SC2086
    expect "a checkpoint is needed" 1 ranks $n resume "strict$n" -q $some
    message "checkpoint.000000000300.h5.part: .*Is a directory" # shellcheck disable=SC2086
    expect "a checkpoint is not needed" 0 ranks $n resume "gap$n" -q $some \
        --set output.checkpoint.required=false
    message "300.h5.part: .*Is a directory; the run goes on without this checkpoint"
    holds "none of step 300" [ ! -e "gap$n/checkpoint.000000000300.h5" ]
    holds "but of step 400" [ -e "gap$n/checkpoint.000000000400.h5" ]
    holds "and the right end" [ -n "$(digest "gap$n")" -a "$(digest "gap$n")" = "$(digest alone)" ]
done

block "a folder in use"
# --- a folder in use ---
expect "resume of a folder in use" 1 "$program" resume goes-on -q
message "goes-on is in use by a job that is still running \(process $job on"
expect "a new run in a folder in use" 1 "$program" run long.yaml -o goes-on --force -q
message "in use by a job"
kill -9 $job
wait $job 2> /dev/null
expect "after its end it can be had" 0 "$program" resume goes-on -q --set "time.steps=$(step_of goes-on)"

block "folders without checkpoints"
# --- folders without checkpoints ---
mkdir empty pieces
touch pieces/checkpoint.000000000100.h5.part pieces/input.yaml
expect "resume of a folder that is not there" 1 "$program" resume nowhere -q
message "cannot resume in nowhere: No such file"
expect "resume of a file" 1 "$program" resume long.yaml -q
message "not a folder"
expect "resume of an empty folder" 1 ranks 2 resume empty -q
message "empty holds no checkpoint: not the folder of a run"
expect "resume with pieces only" 1 ranks 2 resume pieces -q
message "start again with: scree run pieces/input.yaml -o pieces --force"

block "foreign files"
# --- files that are none of ours, newer than the good one ---
cp -r goes-on others
echo "not HDF5" > others/checkpoint.999999999998.h5
cp others/state.h5 others/checkpoint.999999999999.h5
expect "falls back past foreign files" 0 ranks 2 resume others --set "time.steps=$(step_of goes-on)"
message "checkpoint.999999999999.h5: not a scree checkpoint"
message "checkpoint.999999999998.h5: .*not an HDF5 file"
holds "they are set aside" [ -e others/checkpoint.999999999999.h5.damaged ]
holds "and no longer the newest" [ "$(step_of others)" = "$(step_of goes-on)" ]

block "stale semaphores"
# --- a semaphore that a killed job of Open MPI left behind (see comm.c) ---
if [ -w /dev/shm ]; then
    name=scree-test-$$.h5
    printf 'title\n\n1 atoms\n1 atom types\n\n0 4 xlo xhi\n0 4 ylo yhi\n0 4 zlo zhi\n\nAtoms\n\n1 1 1 1 1 1 1\n' > atoms
    for file in "$name" "$name.part"; do head -c 32 /dev/zero > "/dev/shm/sem.OMPIO_$file"; done
    expect "nobody waits for a dead job" 0 timeout 60 $mpirun -n 2 "$program" import lammps atoms -o "$name" -q
    rm -f "/dev/shm/sem.OMPIO_$name" "/dev/shm/sem.OMPIO_$name.part"
else
    echo "skipped: stale semaphores (no /dev/shm)"
fi
summary
