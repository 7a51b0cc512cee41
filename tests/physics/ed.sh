#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Event-driven grains as a user meets them: a gas that cools, and beads that rain on a floor in two stages.
# State, series and measurements are the same to the last digit on 1 to 4 ranks, after a resume on another
# number, and whatever is written; grains in walls, and those that collapse, are named.
# Usage: tests/physics/ed.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/../io/common.sh"
export OMPI_MCA_mpi_yield_when_idle=1

cat > gas.yaml << 'END'
title: disks that cool
method: ed
dimension: 2
seed: 3
time: {step: 10 ms, steps: 40}
domain: {low: [0, 0], high: [30 mm, 40 mm], periodic: [x, y]}
materials: {disk: {density: 1 kg/m^2}}
contacts:
  - between: [disk, disk]
    rigid: {restitution: 0.8}
events: {contact_time: 10 us}
particles:
  - random: {count: 500, material: disk, radius: {uniform: [0.3 mm, 0.6 mm]}, speed: 0.1 m/s}
analysis:
  - stress: {every: 50 ms, sampled: 1}
  - profile: {along: y, bins: 5, sampled: 2}
output: {series: {steps: 5}, snapshots: {steps: 20, contacts: true, fields: [velocity, radius, collision_rate]}, checkpoint: {steps: 15}}
END
cat > rain.yaml << 'END'
title: beads that rain
method: ed
dimension: 3
seed: 3
gravity: [0, 0, -9.81]
time: {step: 5 ms}
domain: {low: [0, 0, 0], high: [12 mm, 12 mm, 40 mm], periodic: [x, y]}
materials: {bead: {density: 2500 kg/m^3}}
contacts:
  - between: [bead, bead]
    rigid: {restitution: 0.7}
events: {contact_time: 20 us}
boundaries:
  floor: {shape: plane, material: bead, point: [0, 0, 0], normal: [0, 0, 1]}
particles:
  - random: {count: 150, material: bead, radius: 1 mm, low: [0, 0, 1 mm], high: [12 mm, 12 mm, 30 mm]}
stages:
  - {name: fall, until: {time: 50 ms}}
  - name: more
    until: {time: 50 ms}
    boundaries: {floor: {velocity: [0, 0, 0.2]}}
    particles:
      - lattice: {count: 9, material: bead, radius: 1 mm, spacing: 3 mm, low: [0, 0, 34 mm], high: [12 mm, 12 mm, 40 mm]}
output: {series: {steps: 2}, checkpoint: {steps: 7}}
END

on_ranks gas "1 2 3 4" stress.csv
for n in 2 3 4; do
    expect "frames on $n ranks" 0 "$program" compare gas-$n/trajectory.001.h5 gas-1/trajectory.001.h5
done
on_ranks rain "1 3 4"

block "collision rates of grains"
# All collisions since the start count, as long as two epochs have not ended.
expect "a short run" 0 ranks 1 run gas.yaml -q -o rates --set time.steps=6 --set output.snapshots.steps=3 --set output.series.steps=3
if /usr/bin/python3 -c 'import h5py' 2> /dev/null; then
    write_rows
    cat > rates.py << 'END'
import h5py
from rows import rows
table = {r["step"]: r for r in rows("rates")}
with h5py.File("rates/trajectory.001.h5") as file:
    grains = file["particles/grains"]
    for step, time, rate in zip(grains["position/step"][...], grains["position/time"][...], grains["collision_rate/value"][...]):
        collisions = 2 * table[step]["collisions"]
        print(step, rate.sum() * time, collisions, rate.max())
        assert abs(rate.sum() * time - collisions) < 1e-6 * collisions + 1e-9
        assert step == 0 or rate.max() > 2 * rate.mean() > 0
END
    expect "add up to all collisions" 0 /usr/bin/python3 rates.py
fi
expect "without one that tells them" 2 "$program" check gas.yaml --set method=md --set events=none
holds "is refused" grep -q "'fields' holds collision_rate, of which no method of this run knows" messages

block "what is written changes nothing"
expect "without rows" 0 ranks 2 run gas.yaml -q -o bare --set output.series.steps=0 --set output.snapshots.steps=0 \
    --set analysis=none --set events.record=false
holds "digest" [ "$(digest bare)" = "$(digest gas-1)" ]

block "resume"
for name in gas rain; do
    cp -r $name-3 $name-resumed
    expect "$name on 2 ranks, from a checkpoint of 3" 0 ranks 2 resume $name-resumed -q
    holds "state and series" same $name-resumed $name-1
done

block "messages"
expect "a grain that grows into a wall" 1 ranks 2 run rain.yaml -q -o overlap --set stages.1.scale_radii=1.5
holds "is named" grep -q "grain [0-9]* is in wall 'floor' by" messages
expect "collapse" 1 ranks 2 run rain.yaml -q -o collapse --set events.contact_time=0 --set contacts.0.rigid.restitution=0.1
holds "is named" grep -q 'grain .* collide without end in no time: inelastic collapse' messages
summary
