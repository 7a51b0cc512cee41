#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The laboratory of two grains: numbers of closed forms, tables, pictures, messages.
# Usage: tests/cli/contact.sh SCREE
set -uo pipefail
repo=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/support/shell_test.sh
source "$repo/tests/support/shell_test.sh"
column() { # FILE NAME: the last value of a column
    /usr/bin/python3 -c 'import csv, sys
print(list(csv.DictReader(open(sys.argv[1])))[-1][sys.argv[2]])' "$1" "$2"; }
near() { /usr/bin/python3 -c 'import sys
a, b, t = map(float, sys.argv[1:]); sys.exit(abs(a - b) > t)' "$@"; }

cat > pair.yaml << 'END'
time: {step: 1 us, end: 1 s}
domain: {low: [0, 0, 0], high: [10 mm, 10 mm, 10 mm]}
materials: {glass: {density: 2500 kg/m^3}, steel: {density: 7800 kg/m^3}}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1e5 N/m, restitution: 0.7}
    tangential: {law: spring, stiffness: 3e4 N/m, friction: 0.3}
  - between: [glass, steel]
    normal: {law: linear, stiffness: 2e5 N/m}
particles:
  - lattice: {material: glass, radius: 1 mm}
END

expect "head-on collision" 0 "$program" contact pair.yaml --pair glass glass -o head-on
says 'restitution: normal 0.(6999|7000)'
holds "table" test -s head-on/contact.csv
holds "picture" grep -q '</svg>' head-on/contact.svg
expect "the folder is kept" 2 "$program" contact pair.yaml --pair glass glass -o head-on
expect "unlike partners, elastic" 0 "$program" contact pair.yaml --pair glass steel --speed '50 cm/s' \
    --other-radius '2 mm' -o unlike
says 'restitution: normal 1.0000'
expect "a wall" 0 "$program" contact pair.yaml --pair glass steel --wall --angle '30 deg' -o wall
says 'restitution: normal 1.0000'
says 'tangential velocity of the centres: 1.000000'

block "paths"
# Once around in shear at constant overlap: the loss is the area of the loop, 4 mu fn (s - mu fn/kt).
expect "a path" 0 "$program" contact pair.yaml --pair glass glass -o path --speed '1 um/s' \
    --path '1e-5 0, 1e-5 5e-5, 1e-5 -5e-5, 1e-5 5e-5'
# First leg: (s - mu fn/kt) mu fn; the two legs back and forth: (2 s - 2 mu fn/kt) mu fn each.
holds "area of the loop" near "$(column path/contact.csv 'lost to sliding [J]')" 6e-5 1e-7
holds "energy of the path" near "$(column path/contact.csv 'closure error [J]')" 0 1e-11

block "dashpots of contacts that slide"
# Dashpots of contacts that slide (Luding 1.13): the spring bears the whole limit mu fn. Turned back, the
# force is mu fn - gamma_t v at first and vanishes (0.3 - 0.1) N / kt = 6.667 um later.
expect "sliding with a dashpot" 0 "$program" contact pair.yaml --pair glass glass -o drag --speed '1 cm/s' \
    --set contacts.0.tangential.damping=10 --path '1e-5 0, 1e-5 5e-5, 1e-5 -5e-5'
holds "the spring bears the limit" /usr/bin/python3 -c 'import csv, sys
rows = [[float(r[c]) for c in ("shift [m]", "tangential force [N]")] for r in csv.DictReader(open(sys.argv[1]))]
(x, f), (y, g) = next(p for p in zip(rows, rows[1:]) if p[0][1] < 0 < p[1][1])
sys.exit(not abs(x - f * (y - x) / (g - f) - (5e-5 - 0.2 / 3e4)) < 1e-8)' drag/contact.csv
block "a spin that rolls off"
# A spin of 500/s that rolls off at once, with spring and dashpot: -157.94/s by integration of the law
# with other steps, 20000 per contact. Whatever the moment of first touch is, finer steps come closer.
for steps in 200 800; do
    expect "rolling with a dashpot, $steps steps" 0 "$program" contact pair.yaml --pair glass glass --wall \
        --spin 500 -o roll --force --steps $steps --set contacts.0.tangential.friction=0 \
        --set 'contacts.0.rolling={law: spring, stiffness: 3e4, friction: 0.2, damping: 0.5}'
    says "leaves with spin -157\.9$([ $steps = 200 ] && echo '[2-6]' || echo '[34]')"
done

block "closure of paths"
# Closure is what the laws do not account for of the work: of first order in the step with a dashpot,
# whose force jumps as the path turns.
expect "in and out" 0 "$program" contact pair.yaml --pair glass glass -o in-out --speed '1 cm/s' \
    --path '-3.3e-6 0, 1e-5 0, 1e-5 2e-6, -2.1e-6 5e-6'
holds "energy in and out" near "$(column in-out/contact.csv 'closure error [J]')" 0 3e-9
holds "all is lost" test "$(column in-out/contact.csv 'elastic energy [J]')" = 0
for steps in 100 200; do
    expect "Hertz in $steps steps" 0 "$program" contact pair.yaml --pair glass glass -o "hertz-$steps" \
        --set 'contacts.0.normal={law: hertz, young: 1e9, poisson: 0.3, restitution: 0.5}' \
        --steps $steps --speed '1 cm/s' --path '1e-5 0, 1e-5 1e-6, 3e-6 2e-6'
done
holds "smaller with smaller steps" /usr/bin/python3 -c 'import sys
coarse, fine = map(float, sys.argv[1:]); sys.exit(not abs(fine) < 0.7 * abs(coarse))' \
    "$(column hertz-100/contact.csv 'closure error [J]')" "$(column hertz-200/contact.csv 'closure error [J]')"

block "mindlin under a changing load"
# Sheared, pressed to a contact radius sqrt(2) times as large, sheared back (Elata and Berryman): of the
# energy e = k s^2 / 2 = 3.19959e-8 J a spring that keeps its force loses (1 - sqrt(1/2)) e, one that
# keeps its displacement makes (sqrt(2) - 1) e.
hertzian='{law: hertz, young: 1e9, poisson: 0.3}'
for history in force displacement; do
    expect "Mindlin, $history" 0 "$program" contact pair.yaml --pair glass glass -o "mindlin-$history" \
        --set "contacts.0.normal=$hertzian" --steps 400 --speed '1 cm/s' \
        --set "contacts.0.tangential={law: mindlin, friction: 10, history: $history}" \
        --path '1e-5 0, 1e-5 1e-6, 2e-5 1e-6, 2e-5 0'
    holds "no sliding" near "$(column "mindlin-$history/contact.csv" 'lost to sliding [J]')" 0 1e-18
done
stiffness='lost to change of stiffness [J]'
holds "force" near "$(column mindlin-force/contact.csv "$stiffness")" 9.3713e-9 1e-12
holds "displacement" near "$(column mindlin-displacement/contact.csv "$stiffness")" -1.32532e-8 1e-12

block "sections that do not matter"
# Stages, measurements, cells and membranes of an input do not matter here.
for case in biaxial:grain triaxial-cell:sphere triaxial-membrane:glass; do
    expect "laws of ${case%:*}" 0 "$program" contact "$repo/inputs/${case%:*}/small.yaml" \
        --pair "${case#*:}" "${case#*:}" -o shipped --force
    says 'restitution: normal 0\.[0-9]+'
done
block "extremes"
# Dashpots that stop grains long before springs do; grains that stick; grains that pass each other.
expect "overdamped" 0 "$program" contact pair.yaml --pair glass glass -o over --force \
    --set 'contacts.0.normal={law: linear, stiffness: 1e5, damping: 1e3}'
says 'restitution: none, they have not parted'
says 'normal force up to 1000 N'
expect "clipped" 0 "$program" contact pair.yaml --pair glass glass -o over --force \
    --set 'contacts.0.normal={law: linear, stiffness: 1e5, damping: 2, tension: clip}'
says 'restitution: normal 0\.0[0-9]+'
expect "no brakes" 0 "$program" contact pair.yaml --pair glass glass -o through --force --speed '400 m/s' \
    --set 'contacts.0.tangential={law: kuhn, stiffness: 3e4, friction: 0.3}' \
    --set 'contacts.0.rolling={law: spring, stiffness: 3e4, friction: 0.2}'

expect "unknown material" 2 "$program" contact pair.yaml --pair glass wood
says "unknown material 'wood'; known: glass, steel"
expect "no entry" 2 "$program" contact pair.yaml --pair steel steel
says "no entry between 'steel' and 'steel'"
expect "no pair" 2 "$program" contact pair.yaml
says 'scree contact FILE --pair A B'
expect "wrong unit" 2 "$program" contact pair.yaml --pair glass glass --speed '3 kg'
says "'speed' is '3 kg'"
"$program" contact pair.yaml --pair glass glass -o units -q --path '10um -5 um, 1e-5 5e-5,0 0' > /dev/null
"$program" contact pair.yaml --pair glass glass -o metres -q --path '1e-5 -5e-6, 1e-5 5e-5, 0 0' > /dev/null
holds "a path with units" cmp units/contact.csv metres/contact.csv
for path in '1e-5 2 s' '1e-5 1e-6 3' '1e-5 nan' '1e-5 um'; do
    expect "wrong path $path" 2 "$program" contact pair.yaml --pair glass glass --path "$path"
done
expect "wrong path" 2 "$program" contact pair.yaml --pair glass glass --path '1e-5'
says 'expected pairs of overlap and shift'

summary
