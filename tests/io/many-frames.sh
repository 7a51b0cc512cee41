#!/usr/bin/env bash
# Many small frames: their cost grows with their number, not with its square; all are there in the end,
# also after an error. usage: tests/io/many-frames.sh PROGRAM
set -u
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/common.sh"

cat > rain.yaml <<'YAML'
time: {step: 1 us, steps: 2000}
gravity: [0, 0, -9.81]
domain: {low: [0, 0, 0], high: [20 mm, 20 mm, 20 mm], periodic: [x, y]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1000 N/m, damping_rate: 900}
boundaries:
  floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}
particles:
  - lattice: {count: 1000, material: glass, radius: 0.5 mm}
output: {snapshots: {steps: 10}}
YAML
frames() { "$program" info "$1" | sed -n 's/^frames_complete: //p'; }
# Seconds of CPU, which other work on the machine hardly changes.
cpu() { # COMMAND...
    local TIMEFORMAT='%U %S'
    { time "$@" > messages 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

none=$(cpu "$program" run rain.yaml -o none -q --set output.snapshots=none)
few=$(cpu "$program" run rain.yaml -o few -q)
many=$(cpu "$program" run rain.yaml -o many -q --set time.steps=6000)
holds "200 frames" [ "$(frames few/trajectory.001.h5)" = 201 ]
echo "CPU without frames $none s, with 201: $few s, with 601: $many s" > messages
awk -v none="$none" -v few="$few" -v many="$many" 'BEGIN { exit !(many - none < 6 * (few - none) + 0.5) }'
verdict "three times as many frames cost about three times as much: $(cat messages)" $?

expect "a run that ends with an error" 1 "$program" run rain.yaml -o failed -q --set time.step='10 us' --set gravity='[0, 0, -9000]' --set output.progress='0.01 s'
holds "it has its frames" [ "$(frames failed/trajectory.001.h5)" -gt 0 ]
holds "no draft is left" [ ! -e failed/trajectory.001.h5.part ]
summary
