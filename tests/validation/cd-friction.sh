#!/usr/bin/env bash
# Friction under warm starts of contact dynamics: the outflow of a silo of rigid disks, from which what falls
# comes back at the top, with friction 0, 0.1, 0.3 and 0.6: rates fall, each by more than three standard
# errors; steps that begin from zero forces give the same rates.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$1
cat > "$scratch/silo.yaml" << 'YAML'
title: silo of rigid disks
method: cd
dimension: 2
seed: 1
time: {step: 0.2 ms, end: 2.55 s}
gravity: [0, -9.81]
domain: {low: [0, 0], high: [40 mm, 75 mm], periodic: [y]}
materials: {disk: {density: 2.5 kg/m^2}}
contacts:
  - between: [disk, disk]
    rigid: {friction: 0.3}
boundaries:
  west: {shape: plane, material: disk, point: [0, 0], normal: [1, 0]}
  east: {shape: plane, material: disk, point: [40 mm, 0], normal: [-1, 0]}
  floor-west: {shape: segment, material: disk, from: [0, 10 mm], to: [13 mm, 10 mm]}
  floor-east: {shape: segment, material: disk, from: [27 mm, 10 mm], to: [40 mm, 10 mm]}
particles:
  - dense: {count: 500, material: disk, radius: {uniform: [0.8 mm, 1.2 mm]}, low: [0, 11 mm], high: [40 mm, 65 mm]}
solver: {residual: 1e-3}
output: {series: {every: 10 ms}, snapshots: {every: 10 ms}, state: false}
YAML
flow() { # STARTS FRICTIONS...
    local warm=$1 mu
    shift
    for mu; do
        launch 1 "$program" run "$scratch/silo.yaml" -o "$scratch/$warm-$mu" -q --set contacts.0.rigid.friction="$mu" \
            --set solver.warm_start="$warm" 2> "$scratch/messages-$warm-$mu" || cat "$scratch/messages-$warm-$mu" >&2
    done
}
flow true 0 0.1 0.3 0.6 &
flow false 0.1 0.6 &
wait
/usr/bin/python3 - "$scratch" << 'PYTHON'
import glob
import math
import sys

import h5py
import numpy as np

START, BLOCKS = 0.15, 12  # s; the time after it in so many parts


def outflow(run):
    """Disks per second through the hole: mean and standard error of blocks."""
    time, count = [], []
    for name in sorted(glob.glob(f"{run}/trajectory.*.h5")):
        with h5py.File(name) as file:
            grains = file["particles/grains"]
            time += list(grains["position/time"][...])
            count += [-int(i[:, 1].astype(np.int64).sum()) for i in grains["image/value"][...]]
    edges = np.linspace(START, time[-1], BLOCKS + 1)
    rates = np.diff(np.interp(edges, time, count)) / np.diff(edges)
    return rates.mean(), rates.std(ddof=1) / math.sqrt(BLOCKS)


warm = {mu: outflow(f"{sys.argv[1]}/true-{mu}") for mu in ("0", "0.1", "0.3", "0.6")}
print("; ".join(f"{mu}: {r:.1f} +- {e:.1f}" for mu, (r, e) in warm.items()), file=sys.stderr)
for low, high in ("0", "0.1"), ("0.1", "0.3"), ("0.3", "0.6"):
    drop, error = warm[low][0] - warm[high][0], math.hypot(warm[low][1], warm[high][1])
    print(f"cd, silo: rate with friction {low} less that with {high} (1/s; standard error {error:.1f}) | {drop:.1f} | "
          f"> {3 * error:.1f} | 0 | friction matters | {'pass' if drop > 3 * error else 'FAIL'}")
for mu in "0.1", "0.6":
    cold, error = outflow(f"{sys.argv[1]}/false-{mu}")
    both = math.hypot(error, warm[mu][1])
    print(f"cd, silo: rate from cold starts, friction {mu} (1/s) | {cold:.1f} | {warm[mu][0]:.1f} | {3 * both:.1f} | "
          f"warm starts, 3 standard errors | {'pass' if abs(cold - warm[mu][0]) <= 3 * both else 'FAIL'}")
PYTHON
