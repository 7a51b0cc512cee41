#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A dense elastic gas over very many collisions: no two spheres overlap by more than rounding, in twenty frames that
# are looked at pair by pair, and energy and momentum do not drift. COLLISIONS (default 1e8) is how many there are:
# 1e8 take some minutes.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
collisions=${COLLISIONS:-1e8}
# 4096 spheres at 0.49, each of which collides 37.8 times in a unit of time
step=$(awk -v n="$collisions" 'BEGIN { printf "%.4g\n", n / (4096 / 2 * 37.8) / 20 }')
cat > "$scratch/gas.yaml" << END
method: ed
seed: 6
time: {step: $step, steps: 20}
domain: {low: [0, 0, 0], high: [16.3576, 16.3576, 16.3576], periodic: [x, y, z]}
materials: {m: {density: 1.909859317102744}}
contacts: [{between: [m, m], rigid: {restitution: 1}}]
events: {record: false}
particles: [{lattice: {material: m, radius: 0.5, spacing: 1.02235, temperature: 1, count: 4096}}]
output: {series: {steps: 1}, snapshots: {steps: 1}}
END
launch 1 "$1" run "$scratch/gas.yaml" -o "$scratch/gas" -q || exit
/usr/bin/python3 - "$scratch/gas" > "$scratch/found" << 'END_OF_SCRIPT'
import csv, glob, h5py, numpy as np, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/series.csv")))
deepest, momentum = 0.0, 0.0
for name in sorted(glob.glob(sys.argv[1] + "/trajectory.*.h5")):
    with h5py.File(name) as file:
        grains = file["particles/grains"]
        edges = grains["box/edges/value"][0]
        first = np.sum(grains["velocity/value"][0], axis=0)
        for x, v in zip(grains["position/value"], grains["velocity/value"]):
            momentum = max(momentum, np.abs(np.sum(v, axis=0) - first).max() / np.abs(v).sum())
            for k in range(0, len(x), 64):
                d = x[None, :] - x[k:k + 64, None]
                d -= edges * np.round(d / edges)
                apart = np.sqrt(np.sum(d * d, axis=2))
                apart[np.arange(apart.shape[0]), k + np.arange(apart.shape[0])] = np.inf
                deepest = max(deepest, 1.0 - apart.min())
drift = max(abs(float(row["closure error"])) for row in rows)
print(float(rows[-1]["collisions"]), deepest, drift, momentum)
END_OF_SCRIPT
read -r count deepest drift momentum < "$scratch/found"
verdict "dense elastic gas: collisions" "$count" "$collisions" 0.05 "input of the case"
verdict "deepest overlap of two spheres in 20 frames, in diameters" "$deepest" 0 1e-12 "own limit"
verdict "drift of the energy, relative" "$drift" 0 1e-12 "conservation"
verdict "drift of the momentum, relative to the sum of all" "$momentum" 0 1e-12 "conservation"
