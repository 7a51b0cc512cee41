#!/usr/bin/env bash
# Results that cannot be written: full disk, limit, folder that may not be written or has vanished.
# The run ends with its code and a message that names the file (or goes on where the input says so),
# nobody hangs, and what was saved before is still good. usage: tests/io/full-disk.sh PROGRAM
set -u
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/common.sh"

cat > small.yaml <<'YAML'
time: {step: 2 us, steps: 400}
gravity: [0, 0, -9]
domain: {low: [0, 0, 0], high: [6 mm, 5 mm, 6 mm], periodic: [x, y]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.7}
    tangential: {law: spring, stiffness: 300 N/m, friction: 0.5}
boundaries:
  floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}
particles:
  - random: {count: 150, material: glass, radius: 0.3 mm, speed: 0.3 m/s}
output: {checkpoint: {steps: 100, keep: 2}, series: {steps: 50}}
YAML
frames="output.snapshots={steps: 50, contacts: true}"
message() { # TEXT: the last command said something with this in it
    grep -Eq -- "$1" messages
    verdict "says '$1'" $?
}
# Whatever happened, the folder can be resumed and ends as if nothing had.
still_good() { # FOLDER
    expect "$1 can be resumed" 0 timeout 100 "$program" $resume "$1"
    holds "$1: the right end" [ "$(digest "$1")" = "$want" ]
}
# A run to step 200 that left two checkpoints and frames, to be continued under bad conditions.
begun() { # FOLDER
    cp -r half "$1"
}

expect "a run left alone" 0 "$program" run small.yaml -o whole -q
want=$(digest whole)
expect "half of it" 0 "$program" run small.yaml -o half -q --set time.steps=250 --set "$frames"
resume="resume -q --set time.steps=400"

# --- folders ---
expect "a folder where a file is" 1 "$program" run small.yaml -o /dev/null/x -q
message "cannot make the folder"
begun vanished
(until [ -e vanished/lock ]; do sleep 0.1; done; sleep 0.5; mv vanished elsewhere) &
expect "the folder vanishes" 1 timeout 100 "$program" resume -q --set time.steps=40000000 --set output.checkpoint.steps=0 vanished
message "vanished.*No such file or directory"
still_good elsewhere
if [ "$(id -u)" -ne 0 ]; then
    begun locked
    chmod a-w locked
    expect "a folder that may not be written" 1 "$program" resume -q locked
    message "Permission denied"
    chmod u+w locked
elif mkdir ro && cp -r half ro/half && mount --bind ro ro 2> /dev/null; then
    mount -o remount,ro,bind ro
    expect "a file system that may not be written" 1 timeout 100 $mpirun -n 2 "$program" resume -q ro/half
    message "Read-only file system"
    umount ro
else
    echo "skipped: read-only file system (root without the right to mount)"
fi

# --- a disk that really is full ---
mkdir disk
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=8m none disk 2> /dev/null; then
    for ranks in 1 3; do
        rm -rf disk/*
        cp -r half disk/run
        head -c 100M /dev/zero > disk/filler 2> /dev/null
        truncate -s -60k disk/filler
        expect "a full disk, $ranks ranks" 1 timeout 100 $mpirun -n $ranks "$program" $resume disk/run
        message "No space left on device"
        rm disk/filler
        still_good disk/run
    done
    umount disk
else
    echo "skipped: a full disk (needs the right to mount)"
fi

# --- any single write may be the one that fails ---
failing=$(dirname "$program")/tests/failing_writes.so # of tests/support
holds "there is a library of failing writes" test -e "$failing"
fails_at() { # RANKS FILE WRITES: the FILE cannot be written after that many writes
    local folder=fail-$1-${2//./}-$3
    begun "$folder"
    FAIL_PATH=$2 FAIL_AFTER=$3 LD_PRELOAD=$failing timeout 100 $mpirun -n "$1" "$program" \
        $resume "$folder" > messages 2>&1
    local status=$?
    if [ $status -eq 0 ]; then # so many writes were not needed
        holds "$folder: the right end" [ "$(digest "$folder")" = "$want" ]
        return
    fi
    [ $status -eq 1 ]
    verdict "$folder ends with code 1, not $status" $?
    message "$2"
    still_good "$folder"
    rm -rf "$folder"
}
for writes in 0 5 25; do
    fails_at 1 checkpoint. $writes
    fails_at 3 checkpoint. $writes
    fails_at 2 trajectory. $((writes * 2))
done
fails_at 1 series.csv 0
fails_at 2 series.csv 1
for file in checkpoint trajectory; do
    begun sync-$file
    FAIL_SYNC=1 FAIL_PATH=$file LD_PRELOAD=$failing expect "$file: the disk refuses at the end" 1 \
        timeout 100 $mpirun -n 2 "$program" $resume sync-$file
    message "$file.*No space left on device"
    still_good sync-$file
done
summary
