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

cat > shear.yaml << 'END'
title: a box that is sheared, otherwise, not at all, once more
method: ed
seed: 3
time: {step: 0.1 s}
domain: {low: [0, 0, 0], high: [8, 8, 8], periodic: [x, y, z]}
materials: {bead: {density: 1.9 kg/m^3}}
contacts:
  - between: [bead, bead]
    rigid: {restitution: 0.9}
cell: {strain_rate: {xy: 1}}
particles:
  - lattice: {count: 250, material: bead, radius: 0.5, spacing: 1.14, speed: 1}
stages:
  - {name: shear, until: {time: 1 s}}
  - {name: other, until: {time: 0.7 s}, cell: {strain_rate: {xz: -2}}}
  - {name: rest, until: {time: 0.5 s}, cell: {strain_rate: {}}}
  - {name: small, until: {time: 0.5 s}, scale_radii: 0.9}
  - {name: again, until: {time: 0.6 s}, cell: {strain_rate: {yz: 1}}}
output: {series: {steps: 1}, snapshots: {steps: 10}, checkpoint: {steps: 11}}
END

cat > packing.yaml << 'END'
title: grown, pressed as rigid and as soft grains, then a gas
method: ed
seed: 3
time: {step: 0.1 s}
domain: {low: [0, 0, 0], high: [6, 6, 6], periodic: [x, y, z]}
materials: {bead: {density: 1 kg/m^3}}
contacts:
  - between: [bead, bead]
    rigid: {restitution: 0.5, friction: 0.3}
    normal: {law: linear, stiffness: 1000, damping: 3}
events: {growth: 0.2 1/s, reduced_pressure: 1e3}
particles:
  - random: {count: 120, material: bead, radius: 0.5, speed: 1}
stages:
  - {name: grow, until: {time: 4 s}}
  - {name: rigid, method: cd, step: 0.01 s, until: {time: 0.03 s}, scale_radii: 1.01}
  - {name: soft, method: md, step: 0.001 s, until: {time: 0.01 s}}
  - {name: gas, method: ed, step: 0.1 s, until: {time: 1 s}, scale_radii: 0.95}
output: {series: {steps: 1}, snapshots: {steps: 10}, checkpoint: {steps: 11}}
END

on_ranks gas "1 2 3 4" stress.csv
on_ranks rain "1 3 4"
on_ranks shear "1 3"
on_ranks packing "1 3"
for other in gas-2 gas-3 gas-4 shear-3 packing-3; do
    expect "frames of $other" 0 "$program" compare $other/trajectory.001.h5 ${other%-*}-1/trajectory.001.h5
done

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

block "a box that is sheared"
write_rows
cat > shear.py << 'END'
from rows import rows
table = rows("shear-1")
worst = max(abs(r["closure error"]) for r in table)
print(worst, table[-1])
assert worst < 1e-12
END
expect "no energy is lost" 0 /usr/bin/python3 shear.py

block "resume"
for name in gas rain shear packing; do
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
