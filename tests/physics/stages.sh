#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A run of six stages that end for different reasons: the number of ranks changes neither state nor
# tables nor when and why a stage ends, and a run resumed inside any stage, or at its border, goes
# on with the same bits. Then bounds, errors and early stops; a drum; a box that deforms.
# Usage: tests/physics/stages.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/../io/common.sh"

cat > six.yaml << 'INPUT'
title: compress without friction, relax, shear, lift the lid
time: {step: 8 us}
seed: 3
domain: {low: [0, -2 mm, -2 mm], high: [8 mm, 10 mm, 12 mm], periodic: [x]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 125 N/m, restitution: 0.5}
    tangential: {law: spring, stiffness: 40 N/m, friction: 0.5, friction_dynamic: 0.4}
boundaries:
  front: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 1, 0]}
  back: {shape: plane, material: glass, point: [0, 8 mm, 0], normal: [0, -1, 0]}
  floor: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1]}
  top: {shape: plane, material: glass, point: [0, 0, 8 mm], normal: [0, 0, -1], velocity: [0, 0, -0.2 m/s]}
particles:
  - random: {count: 55, material: glass, radius: {uniform: [0.5 mm, 0.9 mm]}, low: [0, 0.5 mm, 0.5 mm], high: [8 mm, 7.5 mm, 7.5 mm], speed: 0.1 m/s}
stages:
  - name: close
    until: {wall: top, force: 20 mN, at_most: {time: 40 ms}}
    friction: 0
    background_friction: 1e-3
  - name: compress
    until: {servos: 0.02, at_most: {time: 40 ms}}
    boundaries:
      top: {servo: {stress: 1 kPa, rise: 4 ms}}
  - name: relax
    until: {energy_ratio: 1e-3, after: 2 ms, at_most: {time: 40 ms, required: true}}
    friction: [{between: [glass, glass], value: own}]
    gravity: [0, 0, -9.81]
    analysis: [stress]
  - name: shear
    until: {wall: top, shear: 0.1, at_most: {time: 40 ms}}
    background_friction: 0
    boundaries:
      top: {velocity: [50 mm/s, 0, 0], servo: {stress: 1 kPa}}
    output: {series: {steps: 50}, snapshots: {steps: 300}}
  - name: lift
    until: {contacts: {wall: top, at_most: 0}, at_most: {time: 20 ms}, check: 10}
    analysis: []
    boundaries:
      top: {move: {direction: [0, 0, 1], rate: 100 mm/s}}
      floor: fixed
  - name: tail
    until: {steps: 333}
    boundaries: {top: fixed}
output: {checkpoint: {steps: 250, keep: 99}, series: {steps: 250}, snapshots: {steps: 0}, progress: 100 s}
analysis:
  - stress: {steps: 100, sampled: 20}
  - packing: {steps: 130, sampled: 13}
INPUT
same() { # FOLDER REFERENCE
    [ -n "$(digest "$1")" ] && [ "$(digest "$1")" = "$(digest "$2")" ] || return 1
    for table in "$2"/*.csv; do
        cmp "$1/${table##*/}" "$table" || return 1
    done
}
# Column N of stages.csv.
column() { cut -d, -f"$1" one/stages.csv | tail -n +2 | tr '\n' ' '; }

expect "one rank" 0 ranks 1 run six.yaml -o one -q
holds "all six stages end as they should" [ "$(column 7)" = \
    "conditions conditions conditions conditions conditions time " ]
for n in 2 4; do # and 3 below
    expect "$n ranks" 0 ranks $n run six.yaml -o "on$n" -q \
        --set balance.force_every=250 --set output.checkpoint.steps=0
    holds "$n ranks: state and tables as on one" same "on$n" one
done

resume_at() { # FOLDER STEP RANKS
    local file step
    cp -r "$1" there
    for file in there/checkpoint.*; do
        step=${file##*/checkpoint.}
        step=$((10#${step%.h5}))
        [ $step -le "$2" ] || rm "$file"
    done
    expect "$1: resume at step $2" 0 ranks "$3" resume there -q \
        --set balance.force_every=170 --set output.checkpoint.steps=0
    holds "$1: resumed at step $2 on $3 ranks: as in one go" same there "$1"
    rm -r there
}
steps_in() { printf '%s\n' "$1"/checkpoint.*.h5 | sed 's/.*\.0*\([0-9]*\)\.h5$/\1/'; }
block "resumed in each stage"
# From the last checkpoint inside each stage.
resume_inside() { # FOLDER
    local end first inside n=0
    while IFS=, read -r end _ _ _ first _; do
        [ "$end" != step ] || continue
        inside=$(steps_in "$1" | awk -v b="$first" -v e="$end" '$1 > b && $1 < e' | tail -n 1)
        holds "$1: a checkpoint between steps $first and $end" [ -n "$inside" ]
        n=$((n % 4 + 1))
        resume_at "$1" "$inside" $n
    done < "$1/stages.csv"
}
resume_inside one
# A checkpoint that was written when a stage had just ended.
border=$(cut -d, -f1 one/stages.csv | grep -Fx "$(steps_in one)" | head -n 1)
holds "a checkpoint at the end of a stage" [ -n "$border" ]
resume_at one "$border" 2

block "frames"
# Frames of the trajectory: every 300 steps of `shear`, and its end.
holds "frames" python - one << 'EOF'
import csv, glob, sys, h5py
stages = {r["name"]: r for r in csv.DictReader(open(sys.argv[1] + "/stages.csv"))}
first, last = int(stages["shear"]["first step"]), int(stages["shear"]["step"])
expected = {last} | {s for s in range(0, last + 1, 300) if s > first}
found = set()
for name in glob.glob(sys.argv[1] + "/trajectory.*.h5"):
    with h5py.File(name) as f:
        found |= set(int(s) for s in f["observables/closure_error/step"])
print(sorted(found), sorted(expected))
assert found == expected
EOF

block "tables"
# What the tables say of the stages.
holds "walls, friction, measurements" python - one << 'EOF'
import csv, sys
def table(name):
    rows = csv.DictReader(open("%s/%s.csv" % (sys.argv[1], name)))
    words = ("name", "ended by", "found")
    return [{k: v if k in words else float(v) for k, v in r.items()} for r in rows]
series, stages = table("series"), table("stages")
of = lambda n: [r for r in series if r["stage"] == n]
last = lambda n: of(n)[-1]
for n, s in enumerate(stages, 1):
    assert last(n)["step"] == s["step"], "a row at the end of a stage"
print([r["closure error"] for r in series])
# No friction at first: no springs, and no losses but rounding (others are 1e-8 J).
assert max(r["elastic energy tangential [J]"] for r in of(1) + of(2)) == 0.0
assert max(abs(r["lost to sliding [J]"]) for r in of(1) + of(2)) < 1e-20
assert last(4)["lost to sliding [J]"] > 0.0
assert max(abs(r["closure error"]) for r in series) < 1e-3
z = lambda r: r["position of top z [m]"]
x = lambda r: r["position of top x [m]"]
# It closes, is held by the load of 1 kPa, moves sideways with it, goes up and stays.
ends = [s["time [s]"] for s in stages]
assert abs(z(last(1)) - (0.008 - 0.2 * ends[0])) < 1e-12 and x(last(3)) == 0.0
assert abs(last(2)["servo load on top [N]"] + 64e-3) < 0.02 * 64e-3
assert abs(last(4)["servo load on top [N]"] + 64e-3) < 0.2 * 64e-3
assert abs(x(last(4)) - 0.05 * (ends[3] - ends[2])) < 1e-12
assert abs(z(last(5)) - z(last(4)) - 0.1 * (ends[4] - ends[3])) < 1e-12
assert z(last(6)) == z(last(5)) and x(last(6)) == x(last(4))
# A target that rises does so from the load with which the stage begins.
first = of(2)[0]
assert 0.02 < first["servo target of top [N]"] < 0.06
# What a servo did stays on its account.
assert series[-1]["servo work of top [J]"] == last(5)["servo work of top [J]"] != 0.0
# Stress but for the fifth stage, packing but for the third and the fifth; rows every 50 steps in
# the fourth alone.
def measured_in(name):
    steps = [r["step"] for r in table(name)]
    return [n for n, s in enumerate(stages, 1) if any(s["first step"] < k < s["step"] for k in steps)]
print(measured_in("stress"), measured_in("packing"))
assert measured_in("stress") == [1, 2, 3, 4, 6] and measured_in("packing") == [1, 2, 4, 6]
assert {n for n in range(1, 7) if any(r["step"] % 250 == 50 and r["step"] < stages[n - 1]["step"] for r in of(n))} == {4}
EOF

block "bounds and early ends"
# A bound that is reached, the same as an error, and a run that ends early.
expect "a bound that is reached" 0 ranks 2 run six.yaml -o bound -q \
    --set stages.0.until.at_most.time="1 ms" --set stages.1.until.at_most.time="1 ms" \
    --set stages.2.until.at_most.required=false --set stages.2.until.at_most.time="2 ms"
holds "it is said loudly" grep -q "stage 'close' ENDS WITHOUT ITS CONDITIONS after 0.001 s, the most" \
    messages
expect "a bound that is an error" 1 ranks 2 run six.yaml -o required -q \
    --set stages.0.until.at_most.time="1 ms" --set stages.0.until.at_most.required=true
holds "it says why" grep -q "stage 'close' has lasted the 125 steps of 'at_most', and its" messages
for n in 1 3; do
    expect "a run that stops early on $n ranks" 0 ranks $n run six.yaml -o "stop$n" -q \
        --set time.stop.wall=top --set time.stop.displacement="2 mm" --set time.stop.check=7
done
holds "stopped by time.stop" grep -q "^1253,.*,1,close,0,0,stop," stop1/stages.csv
holds "stops in the same step on 3 ranks" same stop3 stop1

cat > drum.yaml << 'INPUT'
title: settle, turn, stop, upside down
time: {step: 10 us}
seed: 4
gravity: [0, -20, 0]
orientation: true
domain: {low: [-11 mm, -11 mm, 0], high: [11 mm, 11 mm, 7 mm], periodic: [z]}
materials: {glass: {density: 2500 kg/m^3}}
contacts:
  - between: [glass, glass]
    normal: {law: hertz, young: 2 MPa, poisson: 0.3, restitution: 0.6}
    tangential: {law: mindlin, young: 2 MPa, poisson: 0.3, friction: 0.5}
boundaries:
  drum: {shape: cylinder, material: glass, point: [0, 0, 0], radius: 10 mm, side: inside}
  bar: {shape: block, material: glass, low: [-0.7 mm, -1.5 mm, 2 mm], high: [0.7 mm, 1.5 mm, 4 mm], velocity: [0, 1 mm/s, 0]}
particles:
  - random: {count: 120, material: glass, radius: {uniform: [0.6 mm, 0.9 mm]}, region: {shape: cylinder, inner: 2 mm, radius: 9.9 mm, low: 0, high: 6 mm}, speed: 0.1 m/s}
    glue: {within: 0.5 mm, to: drum}
stages:
  - {name: settle, until: {contacts: {wall: drum, at_least: 8}, at_most: {time: 30 ms}}}
  - name: turn
    until: {wall: drum, angle: 40 deg, at_most: {time: 30 ms}, check: 30}
    boundaries: {drum: {rotate: {law: ramp, rate: 40 rad/s, rise: 5 ms}}}
  - {name: stop, until: {steps: 300}, boundaries: {drum: fixed}, friction: 0.1}
  - name: over
    until: {grains: {point: [0, 3 mm, 0], normal: [0, 1, 0], at_least: 70}, at_most: {time: 60 ms}}
    boundaries: {drum: {rotate: {rate: -20 rad/s}}, bar: {rotate: {rate: 10 rad/s, point: [0, 0, 0]}}}
    gravity: [0, 30, 0]
    friction: own
  - name: swing
    until: {steps: 500}
    boundaries: {drum: {servo: {torque: 0.1 N mm, inertia: 1e-8 kg m^2, damping: auto}}}
output: {checkpoint: {steps: 200, keep: 99}, series: {steps: 100}, progress: 100 s}
INPUT
expect "a drum" 0 ranks 1 run drum.yaml -o drum -q
expect "a drum on 3 ranks" 0 ranks 3 run drum.yaml -o drum3 -q \
    --set balance.force_every=120 --set output.checkpoint.steps=0
holds "the same drum on 3 ranks" same drum3 drum
resume_inside drum
holds "a drum that stands still, and the grains on it" python - drum << 'EOF'
import csv, sys, h5py, numpy
rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open(sys.argv[1] + "/series.csv"))]
angle = {int(r["stage"]): r["angle of drum [rad]"] for r in rows}
print(angle, max(abs(r["closure error"]) for r in rows))
assert angle[1] == 0.0 and angle[2] == angle[3] and 0.69 < angle[2] < 0.72 and angle[4] < angle[3] - 0.5
assert max(abs(r["closure error"]) for r in rows) < 1e-3
with h5py.File(sys.argv[1] + "/checkpoint.000000004400.h5") as f:
    glued = numpy.array(f["grains/glued"]).ravel() > 0
    moving = numpy.abs(numpy.array(f["grains/vel"])[glued, :3]).max()
    spinning = numpy.abs(numpy.array(f["grains/spin"])[glued, :3]).max()
print(glued.sum(), moving, spinning)
assert glued.sum() > 10 and moving < 1e-9 and spinning == 0.0
EOF

block "a box that deforms"
# A box that deforms: packed by rates, pressed by one servo, sheared at constant pressure (twice),
# loaded along each direction, unloaded at constant volume.
cat > cell.yaml << 'INPUT'
title: press, relax, shear at constant pressure, creep, unload
seed: 11
time: {step: 4 us}
domain: {low: [1 mm, 0, 0], high: [9 mm, 8 mm, 8 mm], periodic: [x, y, z]}
materials: {glass: {density: 2500 kg/m^3}}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.4}
    tangential: {law: kuhn, stiffness: 1000 N/m, friction: 0.5}
particles:
  - random: {count: 90, material: glass, radius: {uniform: [0.6 mm, 0.9 mm]}, speed: 0.02}
stages:
  - name: pack
    friction: 0
    background_friction: 1e-3
    cell: {strain_rate: {xx: -40, yy: -40, zz: -40}}
    until: {cell: {solid_fraction: {at_least: 0.5}}, at_most: {time: 40 ms, required: true}}
  - name: press
    cell: {pressure: 1 kPa, stress_rise: 2 ms, limit: 40/s}
    until: {servos: 0.02, energy_ratio: 0.02, at_most: {time: 60 ms, required: true}}
  - name: relax
    friction: own
    background_friction: 0
    until: {energy_ratio: 1e-3, after: 1 ms, at_most: {time: 30 ms, required: true}}
  - name: shear
    cell: {strain_rate: {zz: -20}, pressure: 1 kPa, rise: 1 ms}
    until: {cell: {strain: {zz: -0.1}}, at_most: {time: 30 ms, required: true}, check: 25}
    repeat: 2
  - name: load
    cell: {stress: {xx: 1 kPa, yy: 1 kPa, zz: 2.2 kPa, xy: 0 Pa}, stress_rise: 4 ms}
    until: {time: 6 ms}
  - name: unload
    cell: {strain_rate: {zz: 20, xy: 30}, volume: constant, rise: 0.5 ms}
    until: {cell: {stress: {zz: {at_most: 800 Pa}}}, at_most: {time: 20 ms}, check: 10}
output: {series: {steps: 100}, checkpoint: {steps: 200, keep: 99}, progress: 100 s}
analysis:
  - packing: {steps: 200}
INPUT
expect "a cell" 0 ranks 1 run cell.yaml -o cell -q
for n in 2 3; do # and on 4 below
    expect "a cell on $n ranks" 0 ranks $n run cell.yaml -o "cell$n" -q \
        --set balance.force_every=130 --set output.checkpoint.steps=0
    holds "the same cell on $n ranks" same "cell$n" cell
done
resume_inside cell
border=$(cut -d, -f1 cell/stages.csv | grep -Fx "$(steps_in cell)" | tail -n 1)
holds "a checkpoint at the end of a stage of the cell" [ -n "$border" ]
resume_at cell "$border" 3
holds "each stage has its own control of the cell" python - << 'EOF'
import csv
series = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open("cell/series.csv"))]
stages = list(csv.DictReader(open("cell/stages.csv")))
ends = [r["ended by"] for r in stages]
assert ends == ["conditions"] * 5 + ["time", "conditions"], ends
of = lambda n: [r for r in series if r["stage"] == n]
last = lambda n: of(n)[-1]
rate = lambda r: [r[f"strain rate {c} [1/s]"] for c in ("xx", "yy", "zz", "xy", "xz", "yz")]
strain = lambda n, c: last(n)["strain " + c] - last(n - 1)["strain " + c]
mean = lambda r: sum(r[f"stress {c}{c} [Pa]"] for c in "xyz") / 3
closure = max(abs(r["closure error"]) for r in series)
print("closure", closure)
assert closure < 5e-3
assert all(rate(r) == [-40, -40, -40, 0, 0, 0] for r in of(1))
# One servo for three directions never exceeds its limit; its target rises from what there is.
for r in of(2) + of(3):
    assert len(set(rate(r)[:3])) == 1 and abs(rate(r)[0]) <= 40 and rate(r)[3:] == [0, 0, 0]
print("pressures", mean(of(2)[0]), mean(last(2)), mean(last(3)))
assert mean(of(2)[0]) < 900 and abs(mean(last(2)) - 1000) < 25 and abs(mean(last(3)) - 1000) < 25
assert max(r["elastic energy tangential [J]"] for r in of(1) + of(2)) == 0
assert last(4)["elastic energy tangential [J]"] > 0
# The strain rate changes within 1 ms from what it was; a repetition goes on with it.
begin = float(stages[3]["first time [s]"])
for r in of(4):
    risen = r["time [s]"] - 2e-6 - begin  # rates are those of half a step before
    wanted = rate(last(3))[2] + min(1e3 * risen, 1) * (-20 - rate(last(3))[2])
    assert abs(rate(r)[2] - wanted) < 1e-9, (risen, rate(r))
assert all(rate(r)[2] == -20 for r in of(5))
for n in (4, 5):
    assert -0.1 - 25 * 4e-6 * 20 - 1e-9 <= strain(n, "zz") <= -0.1, strain(n, "zz")
# Each direction by itself, and a shear stress that is kept at zero.
for c, target in (("xx", 1000), ("yy", 1000), ("zz", 2200), ("xy", 0)):
    print(c, last(6)[f"stress {c} [Pa]"])
    assert abs(last(6)[f"stress {c} [Pa]"] - target) < 250
assert strain(5, "xy") == 0 != strain(6, "xy")
for r in of(7):
    assert abs(sum(rate(r)[:3])) < 1e-12 and rate(r)[0] == rate(r)[1]
assert last(7)["stress zz [Pa]"] <= 800
EOF
block "radii that are scaled in the first stage"
cat > small.yaml << 'INPUT'
time: {step: 2 us}
gravity: [0, 0, -9.81]
domain: {low: [0, 0, 0], high: [10 mm, 10 mm, 20 mm], periodic: [x, y]}
materials: {glass: {density: 2500 kg/m^3}}
contacts: [{between: [glass, glass], normal: {law: linear, stiffness: 1000 N/m, restitution: 0.5}}]
boundaries: {floor: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1]}}
particles: [{lattice: {material: glass, radius: 0.5 mm, spacing: 2.5 mm, count: 32}}]
stages: [{name: grown, scale_radii: 2, until: {time: 5 ms}}]
INPUT
sed 's/radius: 0.5 mm/radius: 1 mm/; s/scale_radii: 2, //' small.yaml > large.yaml
for n in 1 2; do
    expect "scaled, $n ranks" 0 ranks $n run small.yaml -o "small$n" -q
    expect "as large from the start, $n ranks" 0 ranks $n run large.yaml -o "large$n" -q
    holds "the same, $n ranks" test "$(digest "small$n")" = "$(digest "large$n")"
done
summary
