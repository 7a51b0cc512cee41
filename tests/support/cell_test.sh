# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# What tests of boxes that deform share; source it with the program as argument. Skips without h5py.
# shellcheck source=tests/io/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../io/common.sh"
/usr/bin/python3 -c 'import h5py' 2> /dev/null || skip "python3-h5py is not there"
write_rows

# The same grains in the state files of two folders, bit for bit, and they move.
same_grains() { # FOLDER REFERENCE
    python - "$1" "$2" << 'END'
import sys
import h5py, numpy as np
with h5py.File(sys.argv[1] + "/state.h5") as a, h5py.File(sys.argv[2] + "/state.h5") as b:
    p, q = a["particles"], b["particles"]
    i, j = np.argsort(p["id"][:]), np.argsort(q["id"][:])
    for name in ("position", "velocity", "angular_velocity", "image"):
        assert np.array_equal(p[name][:][i], q[name][:][j]), name
    assert np.abs(p["velocity"][:]).max() > 0.1
END
}

# Grains that never meet in a box that shrinks in all directions: adiabatic heating.
compress_gas() { # METHOD LAW CLOSURE-ERROR
    cat > gas.yaml << END
title: gas without collisions
method: $1
time: {step: 1e-3, steps: 1000}
domain: {low: [0, 0, 0], high: [10, 10, 10], periodic: [x, y, z]}
materials: {grain: {density: 1}}
contacts: [{between: [grain, grain], $2}]
cell: {strain_rate: {xx: -0.5, yy: -0.5, zz: -0.5}}
particles:
  - random: {count: 50, material: grain, radius: 1e-6, speed: 1e-3}
neighbours: {skin: 1e-4}
output: {series: {steps: 100}}
END
    expect "a gas is compressed" 0 ranks 2 run gas.yaml -o gas -q
    holds "its energy grows as it must" python - "$3" << 'END'
import sys
from math import exp
from rows import rows
r = rows("gas")
for x in r:
    grown = x["kinetic energy [J]"] / r[0]["kinetic energy [J]"] / exp(2 * 0.5 * x["time [s]"])
    assert abs(grown - 1) < 1e-6 and abs(x["closure error"]) < float(sys.argv[1]), (grown, x["closure error"])
END
}
