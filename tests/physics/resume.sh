#!/usr/bin/env bash
# Resume equality and kills: a run that is stopped or killed at any moment and resumed on another
# number of ranks ends with the digest of an uninterrupted one.
# usage: tests/physics/resume.sh [program]; KILLS (default 10)
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
sleep 1; touch stopped/stop; wait $job
check "the file 'stop' gives exit 75" [ $? -eq 75 ]

# damage: the newest checkpoint is cut or flipped, the one before serves
cp -r half12 damaged
newest=$(ls damaged/checkpoint.*.h5 | tail -n 1)
truncate -s -100000 "$newest"
on 3 resume damaged -q
check "falls back from a cut checkpoint" [ "$(digest damaged)" = "$want" ]
check "and says so" grep -q "FALLING BACK" errors

killed=0
for k in $(seq "${KILLS:-10}"); do
    ranks=$((k % 4 + 1))
    mpirun --oversubscribe -np $ranks "$program" run flow.yaml -o "kill$k" -q 2> /dev/null & job=$!
    sleep "0.$((RANDOM % 6 + 1))$((RANDOM % 10))"
    # shellcheck disable=SC2046
    kill -9 $(pgrep -f "run flow.yaml -o kill$k ") 2> /dev/null && killed=$((killed + 1))
    wait $job 2> /dev/null
    ranks=$(((k + 1) % 4 + 1))
    if ls "kill$k"/checkpoint.*.h5 > /dev/null 2>&1; then
        on $ranks resume "kill$k" -q
    else
        on $ranks run flow.yaml -o "kill$k" --force -q
    fi
    check "killed run $k" [ "$(digest "kill$k")" = "$want" ]
done
echo "$killed runs were killed before their end"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
