#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Poured and packed samples with grains glued to a moving wall: the same run on any number of ranks,
# through forced rebalancing and resumed on another number of ranks; glued grains stay with their
# wall; the log says what was made.
# Usage: tests/physics/samples.sh SCREE
set -uo pipefail
# shellcheck source=tests/support/shell_test.sh
. "$(dirname "$0")/../support/shell_test.sh"

cat > pour.yaml << 'END'
title: poured onto a rough plate that moves
time: {step: 20 us, steps: 500}
seed: 3
neighbours: {skin: 0.4 mm}  # they fall fast
gravity: [0, 0, -150]
domain: {low: [-12 mm, -12 mm, 0], high: [12 mm, 12 mm, 40 mm], periodic: [x, y]}
materials:
  glass: {density: 2500 kg/m^3}
  rough: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 100 N/m, restitution: 0.7}
  - between: [glass, rough]
    normal: {law: linear, stiffness: 100 N/m, restitution: 0.7}
boundaries:
  plate: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: glass, velocity: [0.1, 0, 0]}
particles:
  - loose:
      material: glass
      radius: {lognormal: {median: 1 mm, sigma: 0.2, low: 0.6 mm, high: 1.4 mm, by: volume}}
      region: {shape: cylinder, radius: 10 mm, high: 9.3 mm}
    glue: {within: 0.8 mm, share: 0.7, material: rough}
  - dense:
      count: 900
      material: glass
      radius: {bidisperse: {small: 0.5 mm, large: 1 mm, by: volume}}
      region: {shape: sphere, centre: [0, 0, 22 mm], radius: 8 mm}
  - random: {count: 60, material: glass, radius: {power: {low: 0.5 mm, high: 1 mm, exponent: 3}}}
output: {snapshots: {steps: 500}, checkpoint: {steps: 100, keep: 3}}
END

same() { [ -n "$(digest "$1")" ] && [ "$(digest "$1")" = "$(digest one)" ]; } # FOLDER

expect "on one rank" 0 "$program" run pour.yaml -o one
cp messages one.log
for n in 2 3 4; do
    expect "on $n ranks" 0 ranks $n run pour.yaml -o "on$n" --set balance.force_every=$((50 * (n - 2)))
    same "on$n"
    verdict "the same on $n ranks" $?
    diff <(grep -E '^(sample|  .* radii|  .* glued|worst)' one.log) \
        <(grep -E '^(sample|  .* radii|  .* glued|worst)' messages) > differences
    verdict "the same lines on $n ranks" $?
done
expect "half of it" 0 ranks 2 run pour.yaml -o half --set time.steps=250
expect "the other half" 0 ranks 3 resume half --set time.steps=500
same half
verdict "the same when resumed" $?

cp one.log messages
grep -q '^sample 1 (loose): [0-9]* grains, radii 0.000.* to 0.00.* m, solid fraction 0\.' one.log &&
    grep -q '^  lognormal radii: mean .* m, by volume .* m; stated mean .* m, by volume' one.log &&
    grep -q '^  [1-9][0-9]* of them are glued to walls' one.log &&
    grep -q '^sample 2 (dense): 900 grains' one.log && grep -q '^sample 3 (random): 60 gr' one.log
verdict "the log names the samples" $?

block "glued grains"
# 0.1 m/s for 10 ms: glued grains have moved by 1 mm along x and not otherwise.
expect "as text" 0 "$program" convert one/trajectory.001.h5 -o all.dump --frame all
awk '/^ITEM: TIMESTEP/ { getline; last = $1 }
    /^ITEM: ATOMS/ { for (k = 3; k <= NF; k++) column[$k] = k - 2; reading = 1; next }
    /^ITEM/ { reading = 0 }
    reading && $column["type"] == 2 {
        id = $column["id"]
        if (last == 0) { x[id] = $column["x"]; y[id] = $column["y"]; z[id] = $column["z"] }
        else {
            n++
            d = $column["x"] - x[id]
            if (d < -0.012) d += 0.024
            if (d < 0.00099999 || d > 0.00100001 || $column["y"] != y[id] || $column["z"] != z[id])
                bad++
        }
    }
    END { print n + 0, "glued grains,", bad + 0, "not with the wall"; exit !(n > 5 && bad == 0) }
' all.dump > messages
verdict "glued grains move with the wall" $?

block "grains of a file"
# New grains keep off those of a file; those of a file may overlap a little, else the worst pair is named.
cat > twice.yaml << 'END'
time: {step: 1 us, steps: 1}
domain: {low: [0, 0, 0], high: [10 mm, 10 mm, 10 mm]}
materials: {glass: {density: 2500 kg/m^3}}
contacts: [{between: [glass, glass], normal: {law: linear, stiffness: 100 N/m, restitution: 0.7}}]
particles: [{lattice: {count: 5, material: glass, radius: 1 mm}}]
output: {series: {steps: 0}}
END
expect "a state" 0 "$program" run twice.yaml -o first --set time.steps=0
grep -q 'worst overlap' messages
verdict "no overlap in one lattice" $((1 - $?))
expect "two states" 0 "$program" run twice.yaml -o second \
    --set 'particles=[{state: {file: first/state.h5, materials: [glass]}}, {lattice: {count: 3, material: glass, radius: 1 mm, high: [10 mm, 10 mm, 5 mm]}}]'
grep -q 'worst overlap' messages
verdict "a lattice keeps off a state" $((1 - $?))
"$program" run twice.yaml -o third --set time.steps=0 \
    --set 'particles=[{lattice: {count: 3, material: glass, radius: 1 mm, low: [1 mm, 0, 0]}}, {state: {file: first/state.h5, materials: [glass]}}]' \
    > messages 2>&1
grep -q 'grain [1-3] and grain [4-8] overlap by .* of the smaller radius' messages
verdict "the worst pair is named" $?

# Grains one by one: in the input, in a file with other units, on any number of ranks.
cat > list.yaml << 'END'
time: {step: 5 us, steps: 400}
domain: {low: [0, 0, 0], high: [10 mm, 10 mm, 10 mm], periodic: [x]}
materials: {glass: &glass {density: 2500 kg/m^3}, steel: {<<: *glass, density: 7800 kg/m^3}}
contacts:
  - {between: any, normal: &n {law: linear, stiffness: 1000 N/m, restitution: 0.5}}
  - {between: [steel, [steel, glass]], normal: {<<: *n, restitution: 0.9}}
particles:
  - list:
      material: glass
      radius: 0.5 mm
      grains:
        - {position: [1 mm, 1 mm, 1 mm], velocity: [2 m/s, 0, 0]}
        - {position: [2.5 mm, 1 mm, 1 mm], radius: 0.625 mm, material: steel, spin: [0, 0, 10 rad/s]}
        - {position: [9 mm, 5 mm, 5 mm], velocity: [1 m/s, 0, 0.25 m/s]}
output: {series: {steps: 50}, progress: 0}
END
cat > grains.csv << 'END'
# by hand
material, x [mm], y [mm], z [mm], radius [mm], vx, vz [m/s], wz
glass, 1, 1, 1, 0.5, 2, 0, 0

steel, 2.5, 1, 1, 0.625, 0, 0, 10
glass, 9, 5, 5, 0.5, 1, 0.25, 0
END
sed '/grains:$/,/0.25 m/d; s/radius: 0.5 mm/file: grains.csv/; /material: glass$/d' list.yaml > csv.yaml
alike() { [ -n "$(digest "$1")" ] && [ "$(digest "$1")" = "$(digest "$2")" ]; } # TWO FOLDERS
expect "one by one" 0 ranks 1 run list.yaml -o list -q
for n in 1 2 3; do
    expect "from a file, $n ranks" 0 ranks $n run csv.yaml -o "csv$n" -q
    holds "the same, $n ranks" alike "csv$n" list
done
sed 's/between: any/between: [glass, glass]/; s/\[steel, glass\]/glass/; s/<<: \*n/law: linear, stiffness: 1000 N\/m/' list.yaml > pairs.yaml
echo '  - {between: [steel, steel], normal: {law: linear, stiffness: 1000 N/m, restitution: 0.9}}' > more
sed -i '/restitution: 0.9/r more' pairs.yaml
expect "pairs written out" 0 ranks 1 run pairs.yaml -o pairs -q
holds "the same" alike pairs list
echo 'glass, 1, 1' >> grains.csv
expect "a broken file" 2 ranks 1 check csv.yaml
says 'csv.yaml:.*: list: grains.csv, line 7: not as many columns as the first line'
summary
