#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# scree methods: one input with two methods, their tables side by side, values and overrides of each;
# soft and rigid disks in a box bear the same weight. The picture of tools/methods.
# Usage: tests/cli/methods.sh PROGRAM
set -uo pipefail
tools=$(cd "$(dirname "$0")/../../tools" && pwd)
# shellcheck source=tests/support/shell_test.sh
source "$(dirname "$0")/../support/shell_test.sh"
py() { cat > script.py; /usr/bin/python3 script.py; }

cat > pile.yaml << 'END'
dimension: 2
seed: 5
time: {step: 20 us, end: 0.6 s}
gravity: [0, -9.81]
domain: {low: [0, 0], high: [0.2, 0.5], periodic: [x]}
materials: {m: {density: 1}}
contacts:
  - between: [m, m]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.1}
    tangential: {law: fazekas, stiffness: 800 N/m, friction: 0.5}
boundaries: {floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 1, 0]}}
particles: [random: {count: 60, material: m, radius: {uniform: [7 mm, 12 mm]}, low: [0, 0], high: [0.2, 0.2]}]
analysis: [packing: {every: 10 ms, low: [0, 0], high: [0.2, 0.06]}]
output: {series: {every: 10 ms}}
methods:
  cd: {time: {step: 4 ms}, solver: {residual: 1e-5}}
  md: {warnings: {contact_steps: 20}}
END
block "side by side"
expect "two methods" 0 ranks 2 methods pile.yaml --methods md,cd -o both --set cd:solver.residual=1e-6 \
    --set time.end=0.5 --set md:output.checkpoint.steps=20000
says "^coordination .* \+- "
says "^wall-clock time \[s\]"
holds "an override of one method" grep -q "residual: 1e-6" both/cd/effective.yaml
holds "is not of the other" [ -e both/md/checkpoint.000000020000.h5 ]
holds "nor its values of the first" grep -q "step: 20 us" both/md/effective.yaml
expect "the table" 0 py << 'END'
import csv
table = {(r["table"], r["column"]): r for r in csv.DictReader(open("both/methods.csv"))}
force = table["series.csv", "force on floor y [N]"]
print(force, table["packing.csv", "coordination"], table["packing.csv", "solid fraction"])
assert abs(float(force["md"]) / float(force["cd"]) - 1) < 0.01 and float(force["difference"]) < 0.01
assert float(table["packing.csv", "solid fraction"]["difference"]) < 0.03
assert float(table["packing.csv", "coordination"]["difference"]) < 0.1
assert float(table["report", "steps"]["md"]) == 25000 and float(table["report", "steps"]["cd"]) == 125
rows = [r for r in csv.DictReader(open("both/cd/series.csv")) if 0.25 < float(r["time [s]"]) <= 0.5]
mean = sum(float(r["kinetic energy [J]"]) for r in rows) / len(rows)
assert abs(float(table["series.csv", "kinetic energy [J]"]["cd"]) / mean - 1) < 1e-9
END
expect "the values of a method in a run of its own" 0 ranks 1 run pile.yaml --set method=cd --set time.end=0.1 \
    -o alone -q
holds "are taken" grep -q "residual: 1e-5" alone/effective.yaml
if /usr/bin/python3 -c 'import matplotlib' 2> /dev/null; then
    expect "a picture" 0 "$tools/methods" both both.png
    holds "is one" [ "$(head -c 4 both.png | tail -c 3)" = PNG ]
fi

block "mistakes"
expect "one method" 2 ranks 1 methods pile.yaml --methods md -o no
says "give two or more"
expect "no method" 2 ranks 1 methods pile.yaml --methods md,dc -o no
says "expected up to 4 methods such as md,cd"
sed 's/^  md: {warnings/  dm: {warnings/; s/cd: {time: {step: 4 ms}/cd: {time: {stp: 4 ms}/' pile.yaml > wrong.yaml
expect "in the section" 2 ranks 1 check wrong.yaml --set method=cd
says "wrong.yaml:16:.*unknown key 'stp' in time"
says "wrong.yaml:17:.*unknown method .dm.; did you mean .md.\?"
summary
