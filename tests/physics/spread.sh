#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# scree spread: forces that are settled have no spread (a column without friction: contact i bears
# i m g), those that are not have one while velocities agree (a disk held in a groove by friction, a
# packing); the same tables on any number of ranks; md has nothing that could spread.
# Usage: tests/physics/spread.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/support/shell_test.sh
source "$(dirname "$0")/../support/shell_test.sh"
py() { cat > script.py; /usr/bin/python3 script.py; }

cat > column.yaml << 'END'
method: cd
dimension: 2
time: {step: 1 ms, steps: 4}
gravity: [0, -10]
domain: {low: [-1, 0], high: [1, 1]}
materials: {m: {density: 1}}
contacts: [{between: [m, m], rigid: {friction: 0}}]
boundaries: {floor: {shape: plane, material: m, point: [0, 0], normal: [0, 1]}}
particles: [lattice: {material: m, radius: 0.1, spacing: 0.2, low: [0, 0], high: [0.2, 1], count: 5}]
solver: {residual: 1e-10, most: 20000}
END
cat > groove.yaml << 'END'
method: cd
dimension: 2
time: {step: 1 ms, steps: 4}
gravity: [0, -10]
domain: {low: [-1, -1], high: [1, 1]}
materials: {m: {density: 1}}
contacts: [{between: [m, m], rigid: {friction: 0.8}}]
boundaries:
  left: {shape: plane, material: m, point: [0, 0], normal: [1, 1]}
  right: {shape: plane, material: m, point: [0, 0], normal: [-1, 1]}
particles: [lattice: {material: m, radius: 0.1, spacing: 0.22, count: 1, low: [-0.11, 0.0314213562374], high: [0.11, 0.2514213562374]}]
solver: {residual: 1e-10, most: 20000}
output: {checkpoint: {steps: 3}}
END
cat > pile.yaml << 'END'
method: cd
dimension: 2
seed: 5
time: {step: 4 ms, steps: 180}
gravity: [0, -9.81]
domain: {low: [0, 0], high: [0.2, 0.5], periodic: [x]}
materials: {m: {density: 1}}
contacts: [{between: [m, m], rigid: {friction: 0.5}}]
boundaries: {floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 1, 0]}}
particles: [random: {count: 90, material: m, radius: {uniform: [7 mm, 12 mm]}, low: [0, 0], high: [0.2, 0.3]}]
solver: {blocks: 20}
output: {checkpoint: {steps: 150}}
END
block "what is settled and what is not"
expect "a column" 0 ranks 1 spread column.yaml -o column
for case in groove pile; do
    expect "run $case" 0 ranks 1 run $case.yaml -o run-$case -q
    expect "spread of $case" 0 ranks 1 spread run-$case -o $case --set solver.residual=1e-7 \
        --set solver.most=20000
done
expect "numbers" 0 py << 'END'
import csv
from math import pi
rows = lambda f, n: list(csv.DictReader(open(f"{f}/{n}.csv")))
mg = 0.1 * pi
for i, r in enumerate(rows("column", "contacts")):
    print(r)
    assert float(r["spread [N]"]) < 1e-6 * mg
assert sorted(round(float(r["normal force [N]"]) / mg, 6) for r in rows("column", "contacts")) == [1, 2, 3, 4, 5]
spread = {name: rows(name, "spread") for name in ("column", "groove", "pile")}
assert len(spread["groove"]) == 8
print(spread["groove"], rows("groove", "contacts"))
# Equal forces from both sides hold the disk, steeper or flatter as friction allows.
assert max(float(r["force difference"]) for r in spread["groove"]) > 0.05
assert max(float(r["velocity difference"]) for r in spread["groove"]) < 1e-6
for r in spread["groove"]: # the sum over both contacts is the weight times the radius, whatever the rest
    assert abs(float(r["stress times volume yx [N m]"]) - float(r["stress times volume xy [N m]"])) < 1e-6 * mg
pile = spread["pile"][1:]
print([r["force difference"] for r in pile], [r["velocity difference"] for r in pile])
assert max(float(r["force difference"]) for r in pile) > 0.02
assert sum(float(r["stress difference"]) for r in pile) < 0.3 * sum(float(r["force difference"]) for r in pile)
assert abs(max(float(r["mean normal force [N]"]) for r in pile) / float(pile[0]["mean normal force [N]"]) - 1) < 0.1
END

block "any number of ranks"
for n in 2 4; do
    expect "on $n ranks" 0 ranks $n spread run-pile -o pile$n --set solver.residual=1e-7 \
        --set solver.most=20000
    holds "$n ranks: the same variants" cmp pile$n/spread.csv pile/spread.csv
    holds "$n ranks: the same contacts" cmp pile$n/contacts.csv pile/contacts.csv
done

block "refusals"
expect "only the solver may be another" 2 ranks 1 spread run-pile -o no --set gravity=0
says "of a run under way only 'solver' may be another"
sed 's/^method: cd/method: md/; s/rigid: {friction: 0}/normal: {law: linear, stiffness: 1e5}/; /^solver/d; s/1 ms/1 us/' column.yaml > soft.yaml
expect "md has nothing that could spread" 2 ranks 1 spread soft.yaml -o no
says "'md', whose forces follow from the places"
expect "a folder with results" 2 ranks 1 spread column.yaml -o column
summary
