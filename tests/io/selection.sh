#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Parts of a trajectory: chosen fields, contact fields, grains and times are what the whole holds of
# them, on any number of ranks and through a resume; XDMF follows. Usage: tests/io/selection.sh SCREE
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/common.sh"
/usr/bin/python3 -c 'import h5py' 2> /dev/null || skip "python3-h5py is not installed"

cat > two.yaml << 'END'
time: {step: 2 us, steps: 4000}
gravity: [0, 0, -9.81]
orientation: true
domain: {low: [0, 0, 0], high: [6 mm, 6 mm, 6 mm], periodic: [x, y]}
materials:
  glass: {density: 2500 kg/m^3}
  steel: {density: 7800 kg/m^3}
contacts:
END
for pair in "glass, glass" "glass, steel" "steel, steel"; do
    echo "  - between: [$pair]"
    echo "    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.6}"
    echo "    tangential: {law: spring, stiffness: 300 N/m, friction: 0.3}"
done >> two.yaml
cat >> two.yaml << 'END'
boundaries:
  floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}
  lid: {shape: plane, point: [0, 0, 6 mm], normal: [0, 0, -1], velocity: [0, 0, -0.35], material: glass}
particles:
  - random: {count: 180, material: glass, radius: {uniform: [0.25 mm, 0.4 mm]}, speed: 0.5 m/s, high: [6 mm, 6 mm, 3 mm]}
  - random: {count: 180, material: steel, radius: {uniform: [0.25 mm, 0.4 mm]}, speed: 0.5 m/s, low: [0, 0, 3 mm], spin: 50}
balance: {force_every: 300}
END
all='output.snapshots={steps: 100, contacts: true, forces: true}'
part='output.snapshots={times: [0, 1 ms, 2.6 ms, 2.8 ms, 5.4 ms, 7.0 ms, 8 ms], fields: [radius, orientation, torque], contacts: true, contact_fields: [overlap], grains: {materials: [steel], low: [0, 1 mm, 0], stride: 3}}'
expect "all of it" 0 ranks 1 run two.yaml -o all -q --set "$all"
for n in 1 2 3 4; do
    expect "a part, $n ranks" 0 ranks $n run two.yaml -o part$n -q --set "$part"
done
block "resumed"
# Resumed from step 1300, where a frame is due; what comes after is done twice.
expect "first half" 0 ranks 2 run two.yaml -o resumed -q --set "$part" --set time.steps=2600 \
    --set output.checkpoint.steps=1300
find resumed -name '*2600*' -delete
expect "second half" 0 ranks 3 resume resumed -q --set time.steps=4000
block "frames asked for late"
# Frames asked for at the moment of the resume: the present one too.
expect "without frames" 0 ranks 1 run two.yaml -o late -q --set time.steps=1400 --set output.checkpoint.steps=1300
expect "with frames" 0 ranks 2 resume late -q --set time.steps=1400 --set "$part"

cat > check.py << 'END'
import glob, json, sys, h5py, numpy as np
steps = [0, 500, 1300, 1400, 2700, 3500, 4000]
def table(group, k, n, key, skip):
    """{id or pair: {field: bytes}} of one frame"""
    columns = {w: group[w]["value"][k][:n] for w in group if w != key and w not in skip}
    names = group[key]["value"][k][:n].tolist()
    names = [tuple(x) if isinstance(x, list) else x for x in names]
    return {x: {w: v[r].tobytes() for w, v in columns.items()} for r, x in enumerate(names)}
def frames(folder):
    """{step: (grains, contacts)} of each segment"""
    found = []
    for name in sorted(glob.glob(folder + "/trajectory.*.h5")):
        f, here = h5py.File(name), {}
        g, c = f["particles/grains"], f["connectivity/contacts"]
        for k, step in enumerate(g["position/step"][: f.attrs["frames_complete"]].tolist()):
            if folder == "all" and step not in steps: continue
            n, m = (int(f[f"observables/{w}_count/value"][k]) for w in ("grain", "contact"))
            here[step] = table(g, k, n, "id", ["box"]), table(c, k, m, "pairs", ["rows"])
            ids, pairs, rows = g["id/value"][k], c["pairs/value"][k][:m], c["rows/value"][k][:m]
            assert np.all(ids[rows[:, 0]] == pairs[:, 0])
            line = rows[:, 0] != rows[:, 1]
            assert np.all(ids[rows[line, 1]] == pairs[line, 1])
        found.append(here)
    return found
whole = frames("all")[0]
def expected(step):
    grains, contacts = whole[step]
    def chosen(i):
        x = np.frombuffer(grains[i]["position"])
        return np.frombuffer(grains[i]["species"], np.int32)[0] == 2 and x[1] >= 1e-3 and (i - 1) % 3 == 0
    kept = {i: {w: v for w, v in d.items() if w in ("position", "radius", "orientation", "torque")} for i, d in grains.items() if chosen(i)}
    return kept, {p: {"overlap": d["overlap"]} for p, d in contacts.items() if p[0] in kept and (p[1] < 0 or p[1] in kept)}
part = {s: expected(s) for s in steps}
assert all(len(part[s][0]) > 5 for s in steps), "the choice leaves grains"
assert sum(len(part[s][1]) for s in steps) > 5, "and contacts"
assert any(p[1] < 0 for s in steps for p in part[s][1]), "with walls too"
what = sys.argv[1]
if what in "1234":
    assert frames("part" + what) == [part]
elif what == "resumed":
    a, b = frames("resumed")
    assert sorted(a) == [0, 500, 1300, 1400] and sorted(b) == steps[3:], (sorted(a), sorted(b))
    assert {**a, **b} == part
elif what == "late":
    assert frames("late") == [{s: part[s] for s in (1300, 1400)}]
elif what == "digests":
    digest = lambda d: json.load(open(d + "/report.json"))["digest"]
    assert len({digest(d) for d in ("all", "part1", "part2", "part3", "part4", "resumed")}) == 1
elif what == "turned":
    q = [np.frombuffer(d["orientation"]) for d in part[4000][0].values()]
    assert max(abs(x @ x - 1) for x in q) < 1e-14 and max(abs(x[0] - 1) for x in q) > 1e-4
elif what == "xdmf":
    import re
    text = open("resumed/trajectory.xdmf").read()
    times = [float(t) for t in re.findall(r'<Time Value="([^"]*)"', text)]
    assert np.allclose(times, 2 * [2e-6 * s for s in steps], rtol=1e-12), times
    assert set(re.findall(r'Attribute Name="(\w+)"', text)) == {"id", "radius", "torque", "orientation", "overlap"}
END
for n in 1 2 3 4; do holds "what was chosen, $n ranks" python check.py $n; done
holds "no frame doubled or missing after a resume" python check.py resumed
holds "frames asked for late" python check.py late
holds "the run does not depend on it" python check.py digests
holds "orientations are unit quaternions" python check.py turned
holds "XDMF shows what was chosen" python check.py xdmf
for generation in 2 3; do
    if ! /usr/bin/python3 -c "import vtkmodules.vtkIOXdmf$generation" 2> /dev/null; then
        echo "skipped: VTK's reader of XDMF $generation is not installed (python3-paraview)"
        continue
    fi
    holds "quaternions have four numbers in XDMF $generation" python -c '
import os, h5py, vtkmodules
from vtkmodules.vtkIOXdmf'$generation' import vtkXdmf'${generation#2}'Reader as Reader
r = Reader(); r.SetFileName(os.path.abspath("part2/trajectory.xdmf")); r.UpdateInformation(); r.UpdateTimeStep(8e-3)
a = r.GetOutputDataObject(0).GetBlock(0).GetPointData().GetArray("orientation")
q = h5py.File("part2/trajectory.001.h5")["particles/grains/orientation/value"][6]
assert a.GetNumberOfComponents() == 4, a.GetNumberOfComponents()
assert all(a.GetTuple4(k) == tuple(q[k]) for k in range(a.GetNumberOfTuples())) and a.GetNumberOfTuples() > 5'
done
expect "orientation cannot begin late" 2 "$program" resume late -q --set orientation=false --allow-change
says "--set orientation=false: grains are followed from the start of a run or not at all"
summary
