#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Grains that come while a run goes on, in batches of repeated stages, and radii that grow: the same
# on any number of ranks and after a resume in any batch; no overlaps, nothing lost, energies close.
# Usage: tests/physics/pouring.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/../io/common.sh"

cat > heap.yaml << 'INPUT'
title: a heap, poured in batches
time: {step: 20 us}
seed: 8
gravity: [0, 0, -9.81]
domain: {low: [-15 mm, 0, -1 mm], high: [15 mm, 6 mm, 40 mm], periodic: [y]}
materials: {glass: {density: 2500 kg/m^3}, steel: {density: 7800 kg/m^3}}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 200 N/m, restitution: 0.5}
    tangential: {law: spring, stiffness: 60 N/m, friction: 0.5}
  - between: [glass, steel]
    normal: {law: linear, stiffness: 200 N/m, restitution: 0.5}
  - between: [steel, steel]
    normal: {law: linear, stiffness: 200 N/m, restitution: 0.5}
boundaries:
  floor: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1]}
  left: {shape: plane, material: glass, point: [-15 mm, 0, 0], normal: [1, 0, 0]}
  right: {shape: plane, material: glass, point: [15 mm, 0, 0], normal: [-1, 0, 0]}
particles: []
stages:
  - name: pour
    repeat: 6
    until: {time: 10 ms}
    particles:
      - random: {count: 25, material: glass, radius: {uniform: [0.5 mm, 0.8 mm]}, low: [-4 mm, 0, 20 mm], high: [4 mm, 6 mm, 28 mm], drift: [0, 0, -0.3 m/s]}
  - name: last
    until: {time: 8 ms}
    particles:
      - random: {count: 6, material: steel, radius: 1 mm, low: [-4 mm, 0, 20 mm], high: [4 mm, 6 mm, 28 mm], drift: [0, 0, -0.5 m/s]}
  - name: swell
    until: {time: 6 ms}
    scale_radii: 1.03
output: {checkpoint: {steps: 450, keep: 99}, series: {steps: 100}, snapshots: {steps: 1000}, progress: 100 s}
INPUT
same() { # FOLDER REFERENCE
    [ -n "$(digest "$1")" ] && [ "$(digest "$1")" = "$(digest "$2")" ] || return 1
    cmp "$1/series.csv" "$2/series.csv" && cmp "$1/stages.csv" "$2/stages.csv"
}

expect "one rank" 0 ranks 1 run heap.yaml -o one -q
for n in 2 3 4; do
    expect "$n ranks" 0 ranks $n run heap.yaml -o "on$n" -q \
        --set balance.force_every=110 --set output.checkpoint.steps=0
    holds "$n ranks: state and tables as on one" same "on$n" one
done
block "resumed"
# Before the second batch, between batches, after the steel, after the growth.
n=1
for last in 450 1350 3150 3600; do
    cp -r one half
    for file in half/checkpoint.*; do
        step=${file##*/checkpoint.}
        [ $((10#${step%.h5})) -le $last ] || rm "$file"
    done
    n=$((n % 4 + 1))
    expect "resume at step $last" 0 ranks $n resume half -q \
        --set balance.force_every=130 --set output.checkpoint.steps=0
    holds "resumed at step $last on $n ranks: as in one go" same half one
    rm -r half
done

holds "grains, radii, masses, energies" python - one << 'EOF'
import csv, sys, h5py, numpy
with h5py.File(sys.argv[1] + "/state.h5") as f:
    find = lambda word: numpy.array([v for k, v in columns.items() if k.split("/")[-1] == word][0])
    columns = {}
    f.visititems(lambda name, item: columns.update({name: item}) if isinstance(item, h5py.Dataset) else None)
    ids, radius, mass = find("id").ravel(), find("radius").ravel(), find("mass").ravel()
    pos = find("position")
assert sorted(ids) == list(range(1, 157))
steel = ids > 150
density = numpy.where(steel, 7800.0, 2500.0)
assert numpy.abs(mass / (density * 4 / 3 * numpy.pi * radius**3) - 1).max() < 1e-12
assert numpy.abs(radius[steel] - 1.03e-3).max() < 1e-15
assert 0.5e-3 < radius[~steel].min() / 1.03 and radius[~steel].max() / 1.03 < 0.8e-3
assert pos[:, 2].min() > 0.0  # the floor holds
rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open(sys.argv[1] + "/series.csv"))]
closure = [abs(r["closure error"]) for r in rows]
print(max(closure))
assert max(closure) < 1e-2
# Nobody touches anybody at first, and a heap is there at the end.
contacts = {int(r["step"]): r["contacts"] + r["wall contacts"] for r in rows}
assert contacts[100] == 0.0 and contacts[3700] > 20
EOF
holds "frames of more and more grains" python - one << 'EOF'
import sys, h5py
with h5py.File(sys.argv[1] + "/trajectory.001.h5") as f:
    step = list(f["observables/closure_error/step"])
print(step)
assert step == [0, 500, 1000, 1500, 2000, 2500, 3000, 3400, 3700]
EOF
block "no room"
# No room for a batch: said with numbers.
expect "a region that is full" 1 ranks 2 run heap.yaml -o full -q --set stages.0.until.time="0.1 ms"
holds "it says so" grep -q "random sample: only [0-9]* of 25 grains found a free place" messages
summary
