#!/usr/bin/env bash
# A gas of inelastic spheres in a periodic box that is sheared: collision rate, and the work of the shear stress
# against the energy that is lost. The first tenth of the time is left out.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
export PYTHONPATH=$here
launch 1 /usr/bin/python3 - "$1" "$scratch" "$here/../../inputs/sheared-gas/small.yaml" << 'PYTHON'
import subprocess
import sys

import cell_series
from cell_series import line

program, scratch, case = sys.argv[1:]
count, volume = 1372, 14.0 ** 3
rates, works = [], []
for seed in (1, 2, 3):
    folder = f"{scratch}/sheared-{seed}"
    subprocess.run([program, "run", case, "-o", folder, "-q", "--force", "--set", f"seed={seed}", "--set", "time.end=100 s"],
                   check=True, stdout=subprocess.DEVNULL)
    rows = cell_series.table(folder, "series")
    first, last = rows[len(rows) // 10], rows[-1]
    change = {key: last[key] - first[key] for key in last}
    rates.append(change["time"] * count / (2 * change["collisions"]))
    lost = change["lost in collisions"] + change["kinetic energy"]
    works.append(-change["sum over time of stress xy"] * volume / lost)
line("time between collisions of a sphere", sum(rates) / 3, 0.113195634, 0.01, "DynamO, shearing test", True)
line("work of the shear stress over energy lost", sum(works) / 3, 1, 0.005, "balance of energy", True)
PYTHON
