#!/usr/bin/env bash
# Event-driven elastic gases: collision rate, self-diffusion and pressure of spheres, pressure of disks from dilute
# to dense, conservation. Fluids begin as square or cubic lattices, that of spheres at 0.49 as a random packing,
# disks from 0.67 on as triangular lattices; a fifth of the time is left out.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
export PYTHONPATH=$here
launch 1 /usr/bin/python3 - "$1" "$scratch" << 'PYTHON'
import math
import sys


import gases
from cell_series import at_most, between, line

bench = gases.Bench(*sys.argv[1:])


def steady(name, dimension, count, fraction, collisions, **more):
    """So many collisions of each grain after a fifth as many; rows every five."""
    step, steps = 5 * gases.free_time(dimension, fraction), round(collisions / 5 * 1.25)
    return bench.run(name, dimension, count, fraction, step, steps, **more), round(collisions / 5 * 0.25)


# The gas of Lue 2005, 600 collisions of each sphere. Diffusion: squares of displacements from 8 moments on.
lue = bench.run("lue", 3, 1372, math.pi / 12, 0.25, 360, text="", rows=1, frames=20)
line("spheres, rho d^3 = 0.5: time between collisions", lue.free_time(40), 0.13031, 0.01, "Lue 2005", True)
line("spheres, rho d^3 = 0.5: self-diffusion", lue.diffusion(2, 2, 6), 0.247, 0.08, "Lue 2005", True)
at_most("spheres, rho d^3 = 0.5: drift of the energy, parts of 1e-12",
        1e12 * abs(lue["kinetic energy"] / lue["kinetic energy"][0] - 1).max(), 1, "own promise")

for fraction, target, rate in ((0.1, 1.5213, 0.5667), (0.2, 2.4063, 0.2101), (0.3, 3.9738, 0.0993), (0.4, 6.9259, 0.0499),
                               (0.49, 12.156, 0.0265)):
    gas, first = steady(f"spheres-{fraction}", 3, 4096, fraction, 600, start="dense" if fraction > 0.45 else "")
    line(f"spheres at {fraction}: p/(nT)", gas.pressure(first) + 1, target, 0.005, "Carnahan and Starling 1969", True)
    line(f"spheres at {fraction}: time between collisions", gas.free_time(first), rate, 0.01, "Enskog's theory", True)

# Between 0.67 and 0.73 the pressure of so few disks falls once, and Q of the paper is a fit to that.
disks = {}
for fraction, target, source in (
        (0.1, 0.2361, "P4"), (0.2, 0.5703, "P4"), (0.3, 1.0632, "P4"), (0.4, 1.8302, "P4"), (0.5, 3.1094, "P4"),
        (0.6, 5.452, "P4"), (0.65, 7.4085, "P4"), (0.67, 8.424, "Q"), (0.7, None, ""), (0.72, None, ""), (0.73, 9.402, "Q"),
        (0.75, 10.635, "Q"), (0.8, 15.962, "Q"), (0.85, 30.824, "Q")):
    start = bench.triangular(f"lattice-{fraction}", 32, 36, fraction) if fraction > 0.66 else ""
    gas, first = steady(f"disks-{fraction}", 2, 32 * 36, fraction, 3000, start=start)
    disks[fraction] = gas.pressure(first)
    if target is not None:
        line(f"disks at {fraction}: p/(nT) - 1", disks[fraction], target, 0.01, f"{source} of Luding 2008 (1.24)", True)
between("disks: fall of p/(nT) - 1 from 0.70 to 0.72", disks[0.7] - disks[0.72], 0.1, 0.6, "a loop; Q of Luding 2008: 0.331")
PYTHON
