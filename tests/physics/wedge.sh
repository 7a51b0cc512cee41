#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A wedge of a ring as a whole run: the same state and the same files on any number of ranks and
# after a resume; stresses inside against pressures on walls, and of parts against the whole;
# grains and contacts in a trajectory fit together through the sides.
# Usage: tests/physics/wedge.sh SCREE
set -uo pipefail
repo=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/support/shell_test.sh
source "$repo/tests/support/shell_test.sh"
export OMPI_MCA_mpi_yield_when_idle=1
python() { /usr/bin/python3 "$@"; }

cat > gas.yaml << 'END'
title: elastic gas in a fifth of a ring
seed: 3
time: {step: 5 us, steps: 20000}
domain: {low: [0, 0, 0], high: [12 mm, 12 mm, 8 mm], wedge: {axis: z, sectors: 5}}
materials: {g: {density: 2000 kg/m^3}}
contacts:
  - between: [g, g]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 1}
    tangential: {law: none}
boundaries:
  inner: {shape: cylinder, point: [0, 0, 0], radius: 4 mm, side: outside, material: g}
  outer: {shape: cylinder, point: [0, 0, 0], radius: 12 mm, side: inside, material: g}
  floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: g}
  lid: {shape: plane, point: [0, 0, 8 mm], normal: [0, 0, -1], material: g}
particles:
  - random: {count: 150, material: g, radius: 0.6 mm, speed: 0.5 m/s,
             region: {shape: cylinder, inner: 4 mm, radius: 12 mm}}
output: {state: false, series: {steps: 0}}
analysis:
  - stress: {steps: 20000, sampled: 2, about: rest}
  - walls: {steps: 20000, sampled: 2}
  - stress: {name: bulk, steps: 20000, sampled: 8, about: rest, inner: 6 mm, outer: 10 mm,
             bottom: 2 mm, top: 6 mm}
  - stress: {name: all, steps: 20000, sampled: 400, about: rest}
  - stress: {name: near, steps: 20000, sampled: 400, about: rest, outer: 9 mm}
  - stress: {name: far, steps: 20000, sampled: 400, about: rest, inner: 9 mm}
  - stress: {name: low, steps: 20000, sampled: 400, about: rest, top: 3 mm}
  - stress: {name: high, steps: 20000, sampled: 400, about: rest, bottom: 3 mm}
  - packing: {steps: 20000, sampled: 100}
  - profile: {along: r, axis: z, low: 4 mm, high: 12 mm, bins: 1, sampled: 100}
END
cat > gas.py << 'END'
import csv, math, sys
def row(name):
    with open(f"{sys.argv[1]}/{name}.csv") as file:
        return {k: float(v) for k, v in list(csv.DictReader(file))[-1].items()}
def total(name, component):
    return sum(row(name)[f"{part} {component} [Pa]"] for part in ("kinetic", "normal", "tangential"))
walls, good = row("walls"), True
plate = 0.5 * (walls["pressure on floor [Pa]"] + walls["pressure on lid [Pa]"])
for component, room in (("zz", 0.02), ("rr", 0.05)):
    value = total("stress", component)
    print(f"{component} {value:.6g}, on plates {plate:.6g}")
    good = good and plate > 1 and abs(value / plate - 1) < room
bulk = [total("bulk", component) for component in ("rr", "phiphi", "zz")]
print("far from walls", bulk)
good = good and max(bulk) < 1.08 * min(bulk)
for component in ("rr", "phiphi", "zz", "rphi", "phiz"):
    for first, second, share in (("near", "far", (81 - 16) / (144 - 16)), ("low", "high", 3 / 8)):
        both = share * total(first, component) + (1 - share) * total(second, component)
        good = good and abs(both - total("all", component)) < 1e-9 * plate
        print(f"{component} of parts {both:.12g}, of the whole {total('all', component):.12g}")
solid = 150 * 4 / 3 * math.pi * 0.6e-3**3 / (math.pi / 5 * (144e-6 - 16e-6) * 8e-3)
for value in (row("packing")["solid fraction"], row("profile")["solid fraction"]):
    print(f"solid fraction {value:.9g}, expected {solid:.9g}")
    good = good and abs(value - solid) < 1e-9
sys.exit(not good)
END
expect "gas" 0 "$program" run gas.yaml -o gas -q
expect "gas: stresses and pressures agree" 0 python gas.py gas
cat messages
for n in 2 3; do
    expect "gas on $n ranks" 0 ranks $n run gas.yaml -o gas$n -q --set time.steps=500 \
        --set balance.force_every=50
done
expect "gas, shorter" 0 "$program" run gas.yaml -o gas1 -q --set time.steps=500
for file in stress bulk near far low packing walls profile; do
    for n in 2 3; do holds "$file on $n ranks" cmp gas1/$file.csv gas$n/$file.csv; done
done

cat > shear.yaml << 'END'
title: frictional grains between rough cylinders, one of which turns; periodic along the axis
seed: 5
time: {step: 2 us, steps: 800}
domain: {low: [-6 mm, 0, 0], high: [12 mm, 12 mm, 5 mm], periodic: [z], wedge: {axis: z, sectors: 3}}
materials: {g: {density: 2000 kg/m^3}, rough: {density: 2000 kg/m^3}}
contacts:
  - between: [g, g]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.7}
    tangential: {law: spring, stiffness: 286 N/m, friction: 0.5}
  - between: [g, rough]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.7}
    tangential: {law: spring, stiffness: 286 N/m, friction: 0.5}
boundaries:
  inner: {shape: cylinder, point: [0, 0, 0], radius: 5 mm, side: outside, material: g}
  outer: {shape: cylinder, point: [0, 0, 0], radius: 12 mm, side: inside, material: g,
          rotate: {rate: 400 rad/s}}
particles:
  - dense: {count: 500, material: g, radius: {uniform: [0.3 mm, 0.75 mm]},
            region: {shape: cylinder, inner: 5 mm, radius: 12 mm}}
    glue: {within: 0.1 mm, share: 0.5, material: rough}
orientation: true
output:
  checkpoint: {steps: 400}
  snapshots: {steps: 800, fields: [radius, velocity, orientation], contacts: true, contact_fields: [force, overlap]}
END
cat > network.py << 'END'
import math, sys
import h5py, numpy as np
def turned(x, k):
    c, s = math.cos(k * 2 * math.pi / 3), math.sin(k * 2 * math.pi / 3)
    return np.stack([c * x[:, 0] - s * x[:, 1], s * x[:, 0] + c * x[:, 1], x[:, 2]], axis=1)
with h5py.File(sys.argv[1], "r") as file:
    grains, contacts = file["particles/grains"], file["connectivity/contacts"]
    position, radius = grains["position/value"][-1], grains["radius/value"][-1]
    ids = grains["id/value"][-1]
    pair, force = contacts["pairs/value"][-1], contacts["contact_force/value"][-1]
    overlap, rows = contacts["overlap/value"][-1], contacts["rows/value"][-1]
angle = np.arctan2(position[:, 1], position[:, 0])
good = angle.min() > -1e-12 and angle.max() < 2 * math.pi / 3 + 1e-12
keep = (pair[:, 0] >= 0) & (pair[:, 1] >= 0)
pair, force, overlap, rows = pair[keep], force[keep], overlap[keep], rows[keep]
row = {k: n for n, k in enumerate(ids)}
first, second = (np.array([row[k] for k in pair[:, side]]) for side in (0, 1))
# The nearest image of the second grain, seen from the first.
branch, distance = None, np.full(len(pair), np.inf)
nearest = np.zeros(len(pair), int)
branch = np.zeros((len(pair), 3))
for k in (-1, 0, 1):
    d = position[first] - turned(position[second], k)
    d[:, 2] -= 5e-3 * np.rint(d[:, 2] / 5e-3)
    length = np.linalg.norm(d, axis=1)
    closer = length < distance
    branch[closer], distance[closer], nearest[closer] = d[closer], length[closer], k
wrong = np.abs(radius[first] + radius[second] - distance - overlap).max()
along = np.einsum("ca,ca->c", branch, force) / distance
across = np.linalg.norm(force - branch * (along / distance)[:, None], axis=1)
lines = rows[:, 0] != rows[:, 1]
print(f"{len(pair)} contacts, {np.count_nonzero(nearest)} through the sides; overlaps off by {wrong:.2g}; "
      f"tangential over normal force up to {(across / np.abs(along)).max():.3f}")
drawn = np.count_nonzero(lines & (nearest != 0))
print(f"angles from {angle.min():.3g} to {angle.max():.6g}; {drawn} lines from side to side, "
      f"{np.count_nonzero(lines)} others; weakest normal force {along.min():.2g}")
good = good and np.count_nonzero(nearest) > 10 and wrong < 1e-15 and drawn == 0 and lines.sum() > 500
good = good and np.all(across <= 0.5 * np.abs(along) * (1 + 1e-6))
sys.exit(not good)
END
expect "shear" 0 "$program" run shear.yaml -o whole -q
want=$(digest whole)
holds "a digest" [ -n "$want" ]
for pair in "2 3" "3 1" "1 2"; do
    set -- $pair
    expect "shear, $1 ranks" 0 ranks "$1" run shear.yaml -o half -q --force --set time.steps=450 \
        --set balance.force_every=50
    expect "shear, then $2 ranks" 0 ranks "$2" resume half -q --set time.steps=800
    holds "$1 ranks, then $2: the same digest" [ "$(digest half)" = "$want" ]
done
for file in state.h5 trajectory.001.h5; do
    expect "info on $file" 0 "$program" info whole/$file
    says '^wedge: 1/3 of a turn about z$'
done
expect "trajectory" 0 python network.py whole/trajectory.001.h5
cat messages
summary
