#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What `scree check` says of laws, and every law through the laboratory: a collision with a grain, one
# with a wall and a path; no failure, nothing that is not a number, and a ledger that closes.
# Usage: tests/cli/laws.sh SCREE
set -uo pipefail
repo=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/support/shell_test.sh
source "$repo/tests/support/shell_test.sh"

write_pair() { # NORMAL MORE
    cat > pair.yaml << END
time: {step: 0.1 us, end: 1 s}
domain: {low: [0, 0, 0], high: [10 mm, 10 mm, 10 mm]}
materials: {m: {density: 2000 kg/m^3}}
contacts: [{between: [m, m], normal: {$1}$2}]
particles: [{lattice: {material: m, radius: 1 mm}}]
END
}

block "hysteretic: restitution"
# VALIDATION A3: r^2 of k1/k2 = 0.5 and kc/k2 = 0.1 is 0.67420^2, of 0.2 and 1 it is negative.
write_pair "law: hysteretic, stiffness: 5e4, stiffness_unloading: 1e5, cohesion: 1e4" ""
expect "check: hysteretic" 0 "$program" check pair.yaml
says 'k1/k2 0\.5, kc/k2 0\.1, overlap left without force 0\.5 of the largest .* r\^2 0\.4545 .*they part'
says 'restitution 0\.674'
foretold=$(sed -n 's/.*contact time \([^ ]*\) s.*/\1/p' messages | head -1)
expect "the same collision" 0 "$program" contact pair.yaml --pair m m -o alike
holds "lasts as long as check says ($foretold s)" awk -v foretold="$foretold" \
    '/in contact for/ {for (k = 1; k < NF; k++) if ($k == "for") time = $(k + 1)}
     END {exit !(time > 0.99 * foretold && time < 1.01 * foretold)}' messages
write_pair "law: hysteretic, stiffness: 2e4, stiffness_unloading: 1e5, cohesion: 1e5" ""
expect "check: hysteretic that sticks" 0 "$program" check pair.yaml
says 'r\^2 -1\.4 .*they stick'
block "hysteretic: contact time"
# Without cohesion: a quarter of a period on k1, one on k2, and (1 - k1/k2) of the overlap at the speed that
# is left: 14.377 us + 10.166 us + 6.472 us; V_c = 4 R over that. Steps must resolve half a period of k2.
write_pair "law: hysteretic, stiffness: 5e4, stiffness_unloading: 1e5" ""
expect "check: hysteretic without cohesion" 0 "$program" check pair.yaml
says 'contact time 3\.10[12]e-05 s'
says 'restitution 0\.7071 at 1 m/s, brake failure above V_c = 129 m/s'
says 'half a period of the normal spring: 2\.033e-05 s'
block "hertz: impact"
# VALIDATION A4: glass spheres of 10 mm at 20 m/s: 274.11 um, 10.697 kN.
write_pair "law: hertz, young: 48 GPa, poisson: 0.2" ""
expect "check: hertz" 0 "$program" check pair.yaml --speed '20 m/s' --set particles.0.lattice.radius='10 mm' \
    --set materials.m.density='2800 kg/m^3' --set domain.high='[1, 1, 1]' --set particles.0.lattice.count=8
says 'reduced modulus 2\.5e\+10 Pa; overlap 0\.0002741 m = .* force 1\.07e\+04 N'

block "every law closes"
# Closure relative to the energy of the impact; all values of the tables are numbers. The last row
# tells of the whole collision.
sound() { # FOLDER
    /usr/bin/python3 -c 'import csv, math, sys
table = csv.DictReader(open(sys.argv[1] + "/contact.csv"))
rows = [{k: float(v) for k, v in row.items()} for row in table]
finite = all(math.isfinite(v) for row in rows for v in row.values())
closure = [abs(r["closure error [J]"]) for r in rows]
scale = max(r["kinetic energy [J]"] + r["elastic energy [J]"] for r in rows)
pushes = max(r["normal force [N]"] for r in rows) > 0
closes = closure[-1] <= 1e-3 * scale and max(closure) <= 5e-3 * scale
sys.exit(not (finite and pushes and len(rows) > 100 and closes))' "$1"
}
try() { # NAME NORMAL MORE
    write_pair "$2" "$3"
    expect "$1: collision" 0 "$program" contact pair.yaml --pair m m -o lab --force --angle 0.6
    holds "$1: sound collision" sound lab
    expect "$1: wall" 0 "$program" contact pair.yaml --pair m m -o lab --force --wall --angle 0.6 --spin 200
    holds "$1: sound collision with a wall" sound lab
    expect "$1: path" 0 "$program" contact pair.yaml --pair m m -o lab --force --speed 0.01 \
        --path '1e-5 0, 2e-5 5e-6, 1e-5 -5e-6, 1e-6 0'
    holds "$1: sound path" sound lab
}

linear="law: linear, stiffness: 1e5, restitution: 0.8"
hertz="law: hertz, young: 1e9, poisson: 0.3, restitution: 0.8"
plastic="law: hysteretic, stiffness: 5e4, stiffness_unloading: 1e5, cohesion: 1e4"
friction=", tangential: {law: spring, stiffness: 3e4, friction: 0.3}"
couple="{law: spring, stiffness: 3e4, friction: 0.1}"
try linear "$linear" ""
try clipped "$linear, tension: clip" ""
try power "law: power, stiffness: 1e7, damping: 5" ""
try hertz "$hertz" ""
try adhesive "law: dmt, young: 1e9, poisson: 0.3, adhesion: 0.05, viscous_time: 1e-6" "$friction"
try viscoelastic "law: hertz, young: 1e9, poisson: 0.3, viscous_time: 1e-6" ""
try hysteretic "$plastic, damping: 0.1" "$friction"
try growing "$plastic, plastic_depth: 0.05" "$friction"
try spring "$linear" "$friction"
try fazekas "$linear" ", tangential: {law: fazekas, stiffness: 3e4, friction: 0.3, friction_dynamic: 0.2}"
try kuhn "$linear" ", tangential: {law: kuhn, stiffness: 3e4, friction: 0.3}"
try mindlin "$hertz" ", tangential: {law: mindlin, young: 1e9, poisson: 0.3, friction: 0.3}"
try couples "$linear" "$friction, rolling: $couple, torsion: $couple"

# A law that is added to the program belongs into the list above.
"$program" list laws 2> /dev/null | awk '$2 != "none" { print $2 }' | sort -u > known
grep -Eo 'law: [a-z]+' "$repo/tests/cli/laws.sh" | sed 's/law: //' | sort -u > tried
comm -23 known tried > messages
test -s known -a ! -s messages
verdict "every law is tried" $?

summary
