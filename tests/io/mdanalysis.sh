#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# MDAnalysis opens trajectories of a run: the same grain in the same row of every frame, with
# positions, velocities, forces, time and observables (not the box: it reads tilted boxes only).
# Usage: tests/io/mdanalysis.sh SCREE
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/common.sh"
/usr/bin/python3 -W ignore -c 'import MDAnalysis' 2> /dev/null ||
    skip "MDAnalysis is not installed (python3-mdanalysis)"

cat > fall.yaml << 'END'
time: {step: 2 us, steps: 1000}
gravity: [0, 0, -9.81]
domain: {low: [0, 0, 0], high: [6 mm, 6 mm, 6 mm], periodic: [x, y]}
materials: {glass: {density: 2500 kg/m^3}}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.6}
boundaries:
  floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}
particles:
  - random: {count: 200, material: glass, radius: 0.3 mm, speed: 0.5 m/s}
balance: {force_every: 100}
output: {snapshots: {steps: 50, forces: true}}
END
expect "a run" 0 ranks 3 run fall.yaml -o fall -q
cat > check.py << 'END'
import warnings; warnings.simplefilter("ignore")
import h5py, numpy as np, MDAnalysis
from MDAnalysis.coordinates.H5MD import H5MDReader
# It knows the lengths of molecules only; the other units of ours it knows.
H5MDReader._unit_translation["length"]["m"] = "m"
path = "fall/trajectory.001.h5"
universe = MDAnalysis.Universe.empty(200, trajectory=True)
universe.load_new(path, format="H5MD", convert_units=False)
reader = universe.trajectory
assert reader.units == {"time": "s", "length": "m", "velocity": "m/s", "force": "N"}, reader.units
f = h5py.File(path)
g = f["particles/grains"]
assert len(reader) == f.attrs["frames_complete"] == 21 and reader.n_atoms == 200
before = None
for k, ts in enumerate(reader):
    assert list(g["id/value"][k]) == list(range(1, 201))
    for name, found in dict(position=ts.positions, velocity=ts.velocities, force=ts.forces).items():
        assert np.array_equal(found, g[name]["value"][k].astype(np.float32)), name
    assert ts.time == g["position/time"][k] and ts.data["step"] == 50 * k
    assert ts.data["kinetic_energy"] == f["observables/kinetic_energy/value"][k] > 0
    assert ts.data["force_on_floor"].shape == (3,)
    x = universe.atoms.positions.astype(float) + g["image/value"][k] * 6e-3
    if before is not None: # a grain is where it was, or near
        assert np.abs(x - before).max() < 1e-3, np.abs(x - before).max()
    before = x
END
holds "MDAnalysis reads it" python check.py
summary
