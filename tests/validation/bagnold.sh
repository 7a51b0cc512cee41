#!/usr/bin/env bash
# Bagnold's law: at constant volume the stresses of hard grains grow with the square of the rate of
# shear. Spheres at a solid fraction of 0.55 with the same springs at two rates, 50 and 100 per second.
# All runs have the same seed: with another choice of sizes the solid fraction would differ by 0.002 and
# the stresses by 4 %. The slow flow is run twice, once with a gentle start, after which nothing is as in
# the other any more (chaos), so that three runs of equal length give two means of about the same
# error.
# Softness has two effects of the order of the contact time x rate: in contacts that last, of several
# grains at once, less energy is lost (stresses rise), and soft grains are smaller (stresses fall). Springs
# are four times as stiff as in the input, so that k / (m rate^2) is 1.6e7 and 4e6.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
shear() { # program name rate strain options...
    local program=$1 name=$2 rate=$3 strain=$4
    shift 4
    launch 1 "$program" run "$here/../../inputs/periodic-shear/constant-volume.yaml" -o "$scratch/$name" -q \
        --set cell.strain_rate.xy="$rate" --set time.end="$(awk -v s="$strain" -v r="$rate" 'BEGIN { print s / r }')" \
        --set contacts.0.normal.stiffness=52000 --set 'time.step=0.625 us' "$@" 2> "$scratch/messages-$name" || cat "$scratch/messages-$name" >&2
}
shear "$1" slow-1 50 83 &
shear "$1" slow-2 50 83 --set cell.rise=1e-3 &
shear "$1" fast 100 163 &
wait
PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$scratch" << 'PYTHON'
import math
import sys

from cell_series import Stresses, at_most, line, mean, profile_slope, standard_error

slow = [Stresses(f"{sys.argv[1]}/slow-{k}", 3, 20) for k in (1, 2)]
fast = [Stresses(f"{sys.argv[1]}/fast", 3, 40)]
errors = []
for name, get in [("stress xy", lambda s: s.blocks("xy")), ("pressure", lambda s: s.pressure())] + [
        (f"stress {c}", lambda s, c=c: s.blocks(c)) for c in ("xx", "yy", "zz")]:
    one, two = ([b for run in runs for b in get(run)] for runs in (slow, fast))
    ratio = mean(two) / mean(one)
    errors.append(math.hypot(standard_error(one) / mean(one), standard_error(two) / mean(two)))
    line(f"Bagnold: {name}, rate x 2 (standard error {100 * errors[-1]:.2f} %)", ratio, 4.0, 0.02,
         "Bagnold 1954; hard grains", relative=True)
slopes = [profile_slope(f"{sys.argv[1]}/{run}", "profile") / rate
          for run, rate in (("slow-1", 50), ("slow-2", 50), ("fast", 100))]
line(f"Bagnold: slope of the velocity profile / rate (standard error {standard_error(slopes):.4f})",
     mean(slopes), 1.0, 0.01, "homogeneous")
at_most("Bagnold: largest standard error of these", max(errors), 0.007, "scatter of blocks")
PYTHON
