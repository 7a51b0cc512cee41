#!/usr/bin/env bash
# Triaxial compression of dense spheres at constant mean stress in a periodic box (after Kuhn, Suzuki
# and Daouadji, whose sphere clusters reach q/p = 1.7; spheres are weaker): inputs/triaxial-cell/small.yaml,
# the mean over four samples of 1000 grains, because single ones differ by some per cent. Stresses are means
# over time in windows of one per cent of strain.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/validation/lib.sh
. "$here/lib.sh"
sample() { # PROGRAM SEED
    launch 1 "$1" run "$here/../../inputs/triaxial-cell/small.yaml" -o "$scratch/$2" -q --set seed="$2" \
        --set 'output={series: {every: 0.1 ms}, state: false}' 2> "$scratch/messages.$2" ||
        cat "$scratch/messages.$2" >&2
}
for first in 1 3; do
    for seed in $first $((first + 1)); do sample "$1" "$seed" & done
    wait
done
/usr/bin/python3 - "$scratch" << 'PYTHON'
import csv, math, sys
grains, seeds, window = 1000 * math.pi / 6 * 1e-9, (1, 2, 3, 4), 0.01
def rows(seed): return [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open(f"{sys.argv[1]}/{seed}/series.csv"))]
def line(name, value, target, tolerance, source):
    verdict = "pass" if abs(value - target) <= tolerance else "FAIL"
    print(f"triaxial cell: {name} | {value:.4f} | {target:.4f} | {tolerance} (absolute) | {source} | {verdict}")
def mean(values): values = list(values); return sum(values) / len(values)
# From one per cent of strain to the next: axial strain, mean stress, q/p, solid fraction.
def curve(series):
    before = [r for r in series if r["stage"] == 2][-1]
    zero, first, out = before["strain zz"], before, []
    for r in (r for r in series if r["stage"] == 3):
        if first["strain zz"] - r["strain zz"] < window: continue
        x, y, z = (sum_of(r, c) - sum_of(first, c) for c in ("xx", "yy", "zz"))
        p = (x + y + z) / 3
        out.append((zero - (first["strain zz"] + r["strain zz"]) / 2, p / (r["time [s]"] - first["time [s]"]),
                    (z - (x + y) / 2) / p, grains / r["cell size [m^3]"]))
        first = r
    return out
def sum_of(row, c): return row[f"sum over time of stress {c} [Pa s]"]
samples = [rows(s) for s in seeds]
curves = [curve(s) for s in samples]
points = [[mean(c[k][m] for c in curves) for m in range(4)] for k in range(min(map(len, curves)))]
start = [[r for r in s if r["stage"] == 2][-1] for s in samples]
dense = mean(grains / r["cell size [m^3]"] for r in start)
# Twice the standard error of a mean over the samples.
def error(values):
    values = list(values); m = mean(values); n = len(values)
    return 2 * math.sqrt(sum((v - m) ** 2 for v in values) / (n - 1) / n)
def beyond(c, m): return mean(x[m] for x in c if x[0] > 0.17)
peak = max(points, key=lambda x: x[2])
peaks, plateaus = [max(x[2] for x in c) for c in curves], [beyond(c, 2) for c in curves]
line("solid fraction before shear", dense, 0.637, 0.005, "porosity 0.363, Kuhn et al.")
line("mean stress [kPa]", mean(x[1] for x in points) / 1e3, 100, 2, "what the servo keeps")
line("peak of q/p", peak[2], 1.25, round(0.15 + error(peaks), 3), "expected of spheres: 1.1 to 1.4, and twice the error of the mean")
line("strain at the peak", peak[0], 0.03, 0.02, "a few per cent")
line("q/p beyond a strain of 0.17", mean(plateaus), 0.85, round(0.10 + error(plateaus), 3), "expected of spheres: 0.75 to 0.95, likewise")
line("solid fraction there", beyond(points, 3), 0.59, 0.01, "critical state of spheres with friction")
contraction = mean(b["cell size [m^3]"] / min(r["cell size [m^3]"] for r in s if r["stage"] == 3) - 1
                   for b, s in zip(start, samples))
line("contraction before dilation", contraction, 0.0, 0.002, "a dense sample dilates at once")
unloaded = [[r for r in s if r["stage"] == 4][-1] for s in samples]
sheared = [[r for r in s if r["stage"] == 3][-1] for s in samples]
line("strain taken back by unloading", mean(u["strain zz"] - s["strain zz"] for u, s in zip(unloaded, sheared)), 0.01, 0.008, "most of it is plastic")
PYTHON
