#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Jobs of so many steps, and scaling series made of them: jobscripts/scaling.sh, scree-plot scaling.
# Usage: tests/cli/scaling.sh SCREE
set -uo pipefail
repo=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/support/shell_test.sh
source "$repo/tests/support/shell_test.sh"
export PYTHONDONTWRITEBYTECODE=1 SCREE=$program LAUNCH=mpirun
get() { /usr/bin/python3 -c 'import json, sys
r = json.load(open(sys.argv[1] + "/report.json"))
for key in sys.argv[2].split("."): r = r[key]
print(r)' "$1" "$2"; }

cat > gas.yaml << 'END'
seed: 7
time: {step: 2 us, steps: 300}
domain: {low: [0, 0, 0], high: [6 mm, 6 mm, 6 mm], periodic: [x, y, z]}
materials: {glass: {density: 2500 kg/m^3}}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1000 N/m, damping_rate: 9000}
    tangential: {law: spring, stiffness: 286 N/m, friction: 0.5}
particles:
  - lattice: {count: 120, material: glass, radius: 0.5 mm, spacing: 1.02 mm, speed: 0.5 m/s}
END

block "--step-limit"
expect "a whole run" 0 "$program" run gas.yaml -o whole -q
expect "a job of 130 steps" 75 ranks 2 run gas.yaml -o parts --step-limit 130
says 'stopped at step 130 by --step-limit; go on with: scree resume parts'
holds "130 steps" test "$(get parts steps)" = 130
expect "100 steps more" 75 "$program" resume parts --step-limit 100
says 'stopped at step 230'
expect "more than are left" 0 ranks 2 resume parts --step-limit 1000
holds "as if nothing had happened" test "$(get parts digest)" = "$(get whole digest)"
for limit in 0 -5 ten 1.5 7x; do
    expect "--step-limit $limit" 2 "$program" run gas.yaml -o wrong --step-limit "$limit"
    says "--step-limit is '$limit', expected a number of steps > 0"
done
holds "and nothing is made" test ! -e wrong/report.json

block "what a rank sends and holds"
holds "one rank sends nothing" test "$(get whole of_a_rank.messages_per_step.max)" = 0.0
expect "three ranks" 0 ranks 3 run gas.yaml -o three -q
holds "two partners each" test "$(get three of_a_rank.messages_per_step.min)" != 0.0
holds "sum over ranks" /usr/bin/python3 -c 'import json
r = json.load(open("three/report.json"))
a = r["of_a_rank"]
assert abs(3 * a["bytes_per_step"]["mean"] - r["bytes_per_step"]) <= 0.1
assert a["memory"]["max"] <= a["peak_memory"]["max"]
places = r["memory_of_rank_0"]
assert any("set_capacity" in name for name in places), places
assert sum(p["now"] for p in places.values()) <= a["memory"]["max"]
assert all(p["now"] <= p["peak"] for p in places.values())'

block "series"
export PREPARE=50 STEPS=100
expect "strong" 0 "$repo/jobscripts/scaling.sh" strong gas.yaml 1 2
says '^ +1 +120 .* 100\.0 %'
says '^ +2 +120 '
holds "the same answer on both" test "$(get gas-strong-1 digest)" = "$(get gas-strong-2 digest)"
holds "100 steps from the state" test "$(get gas-strong-2 steps)" = 100
holds "a plot" test -s gas-strong-1/scaling.png
expect "weak, without what grows" 2 "$repo/jobscripts/scaling.sh" weak gas.yaml 1 2
says 'GROW must tell'
export GROW='domain.high.0=6 mm particles.0.lattice.count=120'
expect "weak" 0 "$repo/jobscripts/scaling.sh" weak gas.yaml 1 3
says '^ +3 +360 '
expect "a table of runs that have not ended" 1 "$repo/jobscripts/scaling.sh" table nowhere
unset GROW

block "cases by name"
# A program that only keeps its arguments.
printf '#!/bin/bash\nprintf "%%s\\n" "$@" > arguments\nexit 3\n' > keeper
chmod +x keeper
for case in chute triaxial ring-shear cd-shear; do
    expect "$case" 1 env SCREE=./keeper "$repo/jobscripts/scaling.sh" weak "$case" 2
    mapfile -t sets < <(sed -n '/^--set$/,$p' arguments)
    expect "$case with twice the grains is understood" 0 "$program" check "$(sed -n 2p arguments)" "${sets[@]}"
    holds "$case names what grows" test "${#sets[@]}" -ge 4
done
summary
