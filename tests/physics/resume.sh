#!/usr/bin/env bash
# Resume equality: a run that is stopped and resumed on another number of ranks ends with the digest
# of an uninterrupted one. Runs that are killed: kills.sh.
# usage: tests/physics/resume.sh [program]
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:-$here/../../build/release/scree}")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
passed=0 failed=0
check() { # text condition...
    local text=$1; shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $text"; fi
}
on() { local n=$1; shift; mpirun --oversubscribe -np "$n" "$program" "$@" 2>> errors; }
digest() { sed -n 's/^ *"digest": "\(.*\)"$/\1/p' "$1/report.json" 2> /dev/null; }

cat > flow.yaml <<'END'
title: flow between two walls
time: {step: 2 us, steps: 3000}
gravity: [3, 0, -9]
domain: {low: [0, 0, 0], high: [6 mm, 5 mm, 6 mm], periodic: [x, y]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.7}
    tangential: {law: spring, stiffness: 300 N/m, friction: 0.5, friction_dynamic: 0.4}
boundaries:
  floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}
  lid: {shape: plane, point: [0, 0, 6 mm], normal: [0, 0, -1], velocity: [0.1, 0, -0.05], material: glass}
background_friction: 1e-6 kg/s
particles:
  - random: {count: 200, material: glass, radius: {uniform: [0.25 mm, 0.4 mm]}, speed: 0.3 m/s}
output: {checkpoint: {steps: 100, keep: 2}}
END
on 1 run flow.yaml -o whole -q --set output.checkpoint.steps=0
want=$(digest whole)
check "the reference run ends" [ -n "$want" ]

# n ranks to the middle, m ranks to the end
for ranks in "1 2" "2 3" "3 1" "4 2" "2 4"; do
    set -- $ranks
    on "$1" run flow.yaml -o "half$1$2" -q --set time.steps=1500
    on "$2" resume "half$1$2" -q --set time.steps=3000
    check "$1 ranks, then $2" [ "$(digest "half$1$2")" = "$want" ]
done
on 2 resume half12 -q --set time.step=1e-6
check "a change of the physics is refused" [ $? -eq 2 ]

# stop by signal and by file
on 2 run flow.yaml -o stopped -q --set time.steps=300000 & job=$!
until [ -e stopped/series.csv ] || ! kill -0 $job; do sleep 0.1; done
sleep 0.5; touch stopped/stop; wait $job
check "the file 'stop' gives exit 75" [ $? -eq 75 ]

# which checkpoints stay: the newest two, and for good every fourth, counted on through a resume
steps_left() { for f in "$1"/checkpoint.*.h5; do f=${f#*checkpoint.}; echo $((10#${f%.h5})); done | tr '\n' ' '; }
on 2 run flow.yaml -o kept -q --set output.checkpoint.keep_every=4 --set time.steps=1050
on 1 resume kept -q --set time.steps=2350
check "every fourth checkpoint is kept: $(steps_left kept)" \
    [ "$(steps_left kept)" = "400 800 1200 1600 2000 2200 2300 " ]
on 1 resume kept -q --set time.steps=3000 --set output.checkpoint.keep_every=0
check "then only the last: $(steps_left kept)" [ "$(steps_left kept)" = "2800 2900 " ]
check "and the run ends as ever" [ "$(digest kept)" = "$want" ]

# damage: the newest checkpoint is cut or flipped, the one before serves
cp -r half12 damaged
newest=$(ls damaged/checkpoint.*.h5 | tail -n 1)
truncate -s -100000 "$newest"
on 3 resume damaged -q
check "falls back from a cut checkpoint" [ "$(digest damaged)" = "$want" ]
check "and says so" grep -q "FALLING BACK" errors

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
