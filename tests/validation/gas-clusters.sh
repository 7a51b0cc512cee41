#!/usr/bin/env bash
# Clusters in a cooling gas of disks, the small input of the gallery with frames closer to each other: energy falls
# by Haff's law at first, as long as there are neither vortices nor clusters, and more slowly when clusters have
# grown; the run goes on to its end; momentum is conserved.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
export PYTHONPATH=$here
launch 1 "$1" run "$here/../../inputs/clusters-2d/small.yaml" -o "$scratch/gas" -q --set output.snapshots.every=1 \
    --set output.series.every=0.02 ||
    exit 1
/usr/bin/python3 - "$scratch/gas" << 'PYTHON'
import math
import sys

import h5py
import numpy as np

import gases
from cell_series import at_most, between, line

FRACTION, R, SIDE = 0.25, 0.8, 99
folder = sys.argv[1]
gas = gases.Rows(folder, 2, SIDE ** 2, 1.0)
with h5py.File(f"{folder}/trajectory.001.h5") as file:
    grains = file["particles/grains"]
    place, velocity = grains["position/value"][...], grains["velocity/value"][...]

# The time between collisions at the start, from the temperature: radius 0.5 mm, 0.1 m/s.
t_e = gases.free_time(2, FRACTION) * 1e-3 / math.sqrt(gas.column["kinetic energy"][0] / SIDE ** 2 / 7.854e-7)
tau = (1 - R * R) / 4 * gas["time"] / t_e
energy = gas["kinetic energy"] / gas["kinetic energy"][0]
early = (tau > 0.1) & (tau < 1)
between("clusters: E / E_Haff, mean for tau = 0.1 to 1", (energy * (1 + tau) ** 2)[early].mean(), 0.95, 1.1,
        "trend: Haff 1983, but vortices cool more slowly")
late = tau > tau[-1] / 4
slope = np.polyfit(np.log(tau[late]), np.log(energy[late]), 1)[0]
between("clusters: slope of log E against log tau at the end", slope, -1.7, -0.3, "slower than Haff's -2, Luding 2008, 1.7.1")
between("clusters: E / E_Haff at the end", energy[-1] * (1 + tau[-1]) ** 2, 3, math.inf, "Luding 2008, 1.7.1")


def crowding(frame):
    """Scatter of the numbers of disks in 10 x 10 parts, over that of random places."""
    parts = np.floor((place[frame] - place[frame].min()) / (np.ptp(place[frame]) * (1 + 1e-9)) * 10).astype(int)
    n = np.bincount(parts[:, 0] * 10 + parts[:, 1], minlength=100)
    return n.var() / n.mean()


print([round(crowding(k), 2) for k in range(len(place))], file=sys.stderr)
between("clusters: scatter of the density at the end, over that of random places", crowding(len(place) - 1), 3, math.inf, "clusters")
at_most("clusters: scatter of the density at tau = 2", crowding(int(np.interp(2, tau, gas["time"]))), 1, "homogeneous")
start = math.sqrt((velocity[0] ** 2).sum(axis=1).mean())
at_most("clusters: drift of the mean velocity over the speed at the start, parts of 1e-12",
        1e12 * np.linalg.norm(velocity[-1].mean(axis=0) - velocity[0].mean(axis=0)) / start, 1, "own promise")
between("clusters: collisions of a disk", 2 * gas["collisions"][-1] / SIDE ** 2, 100, math.inf, "never stalls")
PYTHON
