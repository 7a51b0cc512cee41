#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Moments of rows, frames and samples given by time: the steps nearest to whole multiples of the
# interval, although the step does not divide it, in all stages and after a resume; and the end of each
# stage and of the run is among them.
# Usage: tests/io/moments.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/common.sh"

cat > moments.yaml << 'END'
time: {step: 7 us, end: 10.3 ms}
domain: {low: [0, 0, 0], high: [10 mm, 10 mm, 10 mm], periodic: [x, y, z]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 100 N/m}
particles:
  - random: {count: 20, material: glass, radius: 1 mm, speed: 0.1 m/s}
output: {series: {every: 0.1 ms}, snapshots: {every: 0.5 ms}, checkpoint: {steps: 350, keep: 10}, state: false, progress: 0}
analysis:
  - packing: {every: 0.25 ms}
  - stress: {every: 0.25 ms, sampled: 10}
END
cat > check.py << 'END'
import csv, glob, sys
import h5py
folder, stages, ends = sys.argv[1], int(sys.argv[2]), [int(e) for e in sys.argv[3:]]
dt = 7e-6
def expected(every):
    steps = {round(k * every / dt) for k in range(100000) if round(k * every / dt) <= ends[-1]}
    return sorted(steps | set(ends))
def steps_of(name):
    rows = list(csv.DictReader(open(f"{folder}/{name}.csv")))
    assert ("stage" in rows[0]) == (stages > 0), name
    begun = [0] + ends
    for row in rows:
        step = int(row["step"])
        if stages > 0 and step > 0:
            stage = next(k for k in range(len(ends)) if begun[k] < step <= begun[k + 1]) + 1
            assert int(float(row["stage"])) == stage, (name, row["step"], row["stage"])
    return [int(row["step"]) for row in rows]
assert steps_of("series") == expected(0.1e-3), "series"
assert steps_of("packing") == expected(0.25e-3), "packing"
assert steps_of("stress") == expected(0.25e-3), "stress"
frames = []
for path in sorted(glob.glob(f"{folder}/trajectory.*.h5")):
    with h5py.File(path) as f:
        if "particles" in f:
            frames += [int(s) for s in f["particles/grains/position/step"][:]]
assert sorted(set(frames)) == expected(0.5e-3), frames
END
python -c 'import h5py' 2> /dev/null || skip "no h5py"
block "one stage"
expect "run" 0 ranks 1 run moments.yaml -o one -q
holds "moments" python check.py one 0 1472

block "stages, on 2 ranks"
sed 's/, end: 10.3 ms//' moments.yaml > stages.yaml
cat >> stages.yaml << 'END'
stages:
  - {name: a, until: {time: 3.33 ms}}
  - {name: b, until: {steps: 500}}
  - {name: c, until: {time: 2 ms}}
END
expect "run" 0 ranks 2 run stages.yaml -o two -q
holds "moments" python check.py two 3 476 976 1262

block "resumed"
for file in two/checkpoint.*; do
    step=${file##*/checkpoint.}
    step=$((10#${step%.h5}))
    [ $step -le 800 ] || rm "$file"
done
expect "in the second stage" 0 ranks 1 resume two -q
holds "moments" python check.py two 3 476 976 1262
summary
