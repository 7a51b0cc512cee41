#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Trajectories follow H5MD 1.1, as seen by h5py. Usage: tests/io/h5md.sh SCREE
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/common.sh"
/usr/bin/python3 -c 'import h5py' 2> /dev/null || skip "python3-h5py is not installed"
make_trajectory

cat > check.py << 'END'
import sys, h5py, numpy as np
f = h5py.File("trajectory.h5", "r")
part = sys.argv[1]
frames = f.attrs["frames_complete"]
grains = f["particles/grains"]
def text(x): return x.decode() if isinstance(x, bytes) else str(x)

def elements(group):
    for name, item in group.items():
        if isinstance(item, h5py.Group):
            if "value" in item: yield item
            else: yield from elements(item)

if part == "marks":
    h = f["h5md"]
    assert list(h.attrs["version"]) == [1, 1]
    assert text(h["author"].attrs["name"]) and text(h["creator"].attrs["name"]) == "scree"
    assert text(h["creator"].attrs["version"])
    assert list(h["modules/units"].attrs["version"]) == [1, 0]
elif part == "elements":
    found = [e for top in ("particles", "observables", "connectivity") for e in elements(f[top])]
    assert len(found) == 22, len(found)
    for e in found:
        assert set(e) == {"value", "step", "time"}, e
        assert e["value"].shape[0] == e["step"].shape[0] == e["time"].shape[0] == frames
        assert e["step"] == grains["position/step"], "step is one hard link"
        assert e["time"] == grains["position/time"], "time is one hard link"
    assert np.issubdtype(grains["position/step"].dtype, np.integer)
    assert np.all(np.diff(grains["position/step"][:]) > 0)
    assert np.all(np.diff(grains["position/time"][:]) > 0)
elif part == "box":
    box = grains["box"]
    assert box.attrs["dimension"] == 3
    assert [text(b) for b in box.attrs["boundary"]] == ["periodic", "none", "periodic"]
    assert box["edges/value"].shape == (frames, 3)
    assert np.all(box["edges/value"][0] == [1, 1, 2])
elif part == "fill":
    ids, n = grains["id/value"], f["observables/grain_count/value"][:]
    assert list(n) == [300, 0, 700, 5, 700], n
    assert ids.fillvalue == -1
    for t in range(frames):
        assert list(ids[t][: n[t]]) == list(range(1, n[t] + 1))
        assert np.all(ids[t][n[t]:] == -1) and np.all(grains["species/value"][t][n[t]:] == -1)
    assert ids.maxshape == (None, None) and ids.chunks[0] == 1
elif part == "units":
    for name, unit in dict(position="m", velocity="m s-1", radius="m", mass="kg", force="N",
                           torque="N m", angular_velocity="rad s-1").items():
        assert text(grains[name]["value"].attrs["unit"]) == unit, name
    assert text(grains["position/time"].attrs["unit"]) == "s"
elif part == "contacts":
    c = f["connectivity/contacts"]
    assert f[c["pairs"].attrs["particles_group"]] == grains
    n = f["observables/contact_count/value"][:]
    assert list(n) == [300, 0, 700, 0, 700], n
    for t in range(frames):
        pairs, rows, ids = c["pairs/value"][t], c["rows/value"][t], grains["id/value"][t]
        assert np.all(pairs[n[t]:] == -1) and np.all(pairs[: n[t], 0] >= 1)
        a, b = rows[: n[t], 0], rows[: n[t], 1]
        assert np.all(ids[a] == pairs[: n[t], 0])
        line = a != b
        assert np.all(ids[b[line]] == pairs[: n[t], 1][line])
        x, edges = grains["position/value"][t], grains["box/edges/value"][t]
        wall = pairs[: n[t], 1] < 0
        other = np.where(wall, a, pairs[: n[t], 1] - 1) # ids are 1, 2, ...
        across = np.any([abs(x[a, k] - x[other, k]) > 0.5 * edges[k] for k in (0, 2)], axis=0)
        assert np.all(line == ~(wall | across)), "lines are drawn inside the box, and all of those"
        assert np.all(rows[n[t]:] == -1)
    assert c["history/value"].shape == (frames, 700, 4)
elif part == "observables":
    o = f["observables"]
    assert list(o["kinetic_energy/value"][:]) == [0, 1.5, 3, 4.5, 6]
    assert o["mean_force/value"].shape == (frames, 3)
    assert list(o["mean_force/value"][4]) == [4e-3, 8e-3, -1]
    assert text(o["mean_force/value"].attrs["unit"]) == "N"
elif part == "parameters":
    p = f["parameters"]
    assert text(p["input"][()]) == "title: made up\n"
    assert text(p["effective_input"][()]).endswith("seed: 1\n")
    assert text(p["version"][()]) == "0.0" and text(p["commit"][()]) == "abc"
    assert p["seed"][()] == 7 and p["ranks"][()] == 1 and text(p["compiler"][()]) == "cc"
    assert [text(s) for s in p["species"][:]] == ["glass", "steel"]
END
for part in marks elements box fill units contacts observables parameters; do
    holds "H5MD: $part" python check.py $part
done
summary
