#!/usr/bin/env bash
# Homogeneous shear of disks at constant pressure in a periodic box that deforms: effective friction
# and solid fraction against the inertial number (da Cruz et al., Phys. Rev. E 72, 021309 (2005):
# mu = 0.25 + 1.1 I within 0.03, phi = 0.81 - 0.3 I within 0.01), and the slope of the velocity profile.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
cat > "$scratch/shear.yaml" << 'YAML'
title: periodic shear of disks at constant pressure
dimension: 2
seed: 2
time: {step: 8e-4, end: 1}
domain: {low: [0, 0], high: [22.5, 22.5], periodic: [x, y]}
materials: {grain: {density: 1}}
contacts:
  - between: [grain, grain]
    normal: {law: linear, stiffness: 1e4, restitution: 0.1}
    tangential: {law: spring, stiffness: 5e3, friction: 0.4}
cell: {strain_rate: {xy: 0.1}, stress: {yy: 1 N/m}} # d = 1, density 1: I is the rate
particles:
  - dense: {count: 500, material: grain, radius: {uniform: [0.4, 0.6]}}
analysis:
  - packing: {steps: 500, sampled: 50}
  - profile: {along: y, bins: 10, steps: 100}
output: {series: {steps: 500}, state: false}
YAML
for I in 0.02 0.05 0.1; do
    end=$(awk -v i=$I 'BEGIN { print (2 + 100 * i) / i }') # strains of 4, 7 and 12
    launch 1 "$1" run "$scratch/shear.yaml" -o "$scratch/$I" -q --set cell.strain_rate.xy=$I --set time.end="$end" 2> "$scratch/messages" ||
        cat "$scratch/messages" >&2
    /usr/bin/python3 - "$scratch/$I" $I << 'PYTHON'
import csv, sys
folder, rate = sys.argv[1], float(sys.argv[2])
def rows(name): return [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open(f"{folder}/{name}.csv"))]
def line(name, value, target, tolerance, source):
    verdict = "pass" if abs(value - target) <= tolerance else "FAIL"
    print(f"periodic shear, I = {rate}: {name} | {value:.4f} | {target:.4f} | {tolerance} (absolute) | {source} | {verdict}")
series = rows("series")
first = next(r for r in series if r["strain xy"] > 1.5)
last = series[-1]
def mean(c): return last[f"sum over time of stress {c} [N s/m]"] - first[f"sum over time of stress {c} [N s/m]"]
packing = [r["solid fraction"] for r in rows("packing") if r["time [s]"] * rate > 1.5]
line("friction", -mean("xy") / mean("yy"), 0.25 + 1.1 * rate, 0.03, "da Cruz 2005")
line("solid fraction", sum(packing) / len(packing), 0.81 - 0.3 * rate, 0.01, "da Cruz 2005")
line("pressure", mean("yy") / (last["time [s]"] - first["time [s]"]), 1.0, 0.02, "what the servo keeps")
p = rows("profile"); n = len(p)
y = [r["mean y [m]"] for r in p]; v = [r["velocity x [m/s]"] / rate for r in p]
my, mv = sum(y) / n, sum(v) / n
slope = sum((a - my) * (b - mv) for a, b in zip(y, v)) / sum((a - my) ** 2 for a in y)
line("slope of the velocity profile / rate", slope, 1.0, 0.1, "homogeneous")
PYTHON
done
