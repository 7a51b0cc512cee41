#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Trajectories for ParaView: grains, contacts and walls of every frame as binary VTP files, read back
# byte by byte and, where it is installed, by VTK.
# Usage: tests/io/vtp.sh SCREE
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/common.sh"

# Three grains in a row through a periodic face, pressed together; one on a lid that moves and a
# rectangle that turns.
cat > row.yaml << 'EOF'
time: {step: 5 us, steps: 200}
domain: {low: [0, 0, 0], high: [6 mm, 10 mm, 10 mm], periodic: [x]}
materials: {glass: {density: 2500 kg/m^3}}
contacts: [{between: any, normal: {law: linear, stiffness: 1000 N/m, restitution: 0.5}}]
boundaries:
  floor: {shape: plane, material: glass, point: [0, 0, 1 mm], normal: [0, 0, 1], velocity: [0, 0, -0.1 m/s]}
  vane: {shape: rectangle, material: glass, corner: [0, 8 mm, 5 mm], along: [1 mm, 0, 0], across: [0, 1 mm, 0], rotate: {axis: [0, 1, 0], point: [0, 8 mm, 5 mm], rate: 500 rad/s}}
particles:
  - list:
      material: glass
      radius: 1.025 mm
      grains: [{position: [1 mm, 2 mm, 2 mm]}, {position: [3 mm, 2 mm, 2 mm]}, {position: [5 mm, 2 mm, 2 mm]}]
output: {snapshots: {steps: 200, contacts: true}, progress: 0}
EOF
expect "run" 0 ranks 1 run row.yaml -o row -q
expect "convert" 0 ranks 1 convert row/trajectory.001.h5 -o row.pvd
expect "nothing is written over" 2 ranks 1 convert row/trajectory.001.h5 -o row.pvd
expect "unless asked for" 0 ranks 1 convert row/trajectory.001.h5 -o row.pvd --force

cat > vtp.py << 'EOF'
import re, struct, xml.etree.ElementTree as ET
def read(path):
    data = open(path, "rb").read()
    head, body = data.split(b'<AppendedData encoding="raw">\n_', 1)
    root = ET.fromstring(head + b"</VTKFile>")
    def values(item):
        at = int(item.get("offset"))
        n = struct.unpack_from("<Q", body, at)[0] // 8
        v = struct.unpack_from(f"<{n}{'d' if item.get('type') == 'Float64' else 'q'}", body, at + 8)
        w = int(item.get("NumberOfComponents"))
        return [v[k * w:(k + 1) * w] if w > 1 else v[k] for k in range(n // w)]
    piece = root.find("PolyData/Piece")
    found = {item.get("Name"): values(item) for item in piece.iter("DataArray")}
    found["time"] = float(root.find(".//FieldData/DataArray").text)
    found["n"] = {k: int(piece.get(f"NumberOf{k}")) for k in ("Points", "Verts", "Lines", "Polys")}
    return found
EOF
holds "grains, contacts and walls are where they were" python << 'EOF'
from vtp import read
import math
near = lambda a, b: all(abs(x - y) < 1e-9 for x, y in zip(a, b))
grains, contacts, walls = (read(f"row-vtk/{part}.000000.vtp") for part in ("grains", "contacts", "walls"))
assert grains["n"]["Points"] == grains["n"]["Verts"] == 3 and grains["id"] == [1, 2, 3]
assert near(grains["radius"], [1.025e-3] * 3) and near(grains["position"][2], [5e-3, 2e-3, 2e-3])
assert grains["connectivity"] == [0, 1, 2] and grains["offsets"] == [1, 2, 3]
# 1-2 and 2-3 are lines of 2 mm, 3-1 two of 1 mm that end at the faces, three go down to the floor
lines = [(contacts["pair"][k], contacts["through_face"][k], *contacts["position"][2 * k:2 * k + 2])
         for k in range(contacts["n"]["Lines"])]
print(lines)
assert len(lines) == 7
length = lambda l: math.dist(l[2], l[3])
assert sorted(round(1e6 * length(l)) for l in lines) == [1000] * 5 + [2000] * 2
ends = sorted(l[3][0] for l in lines if l[1])
assert near(ends, [0, 6e-3]) and all(l[0] in ((1, 3), (3, 1)) for l in lines if l[1])
assert all(near(l[3], (l[2][0], 2e-3, 1e-3)) for l in lines if l[0][1] < 0)
last = read("row-vtk/walls.000001.vtp")
assert abs(last["time"] - 1e-3) < 1e-15 and walls["wall"] == last["wall"] == [0, 0, 1, 1]
floor = lambda w: {round(p[2], 9) for p in w["position"][:6]}
print(floor(walls), floor(last), last["position"][6:])
assert floor(walls) == {1e-3} and floor(last) == {0.9e-3}
assert near((min(p[0] for p in walls["position"][:6]), max(p[0] for p in walls["position"][:6])), (0, 6e-3))
far = max(last["position"][6:], key=lambda p: p[0])
assert near((far[0], far[2]), (1e-3 * math.cos(0.5), 5e-3 - 1e-3 * math.sin(0.5)))
EOF
holds "the collections name them" python << 'EOF'
import os, xml.etree.ElementTree as ET
for name in "row", "row-contacts", "row-walls":
    sets = ET.parse(name + ".pvd").getroot().findall("Collection/DataSet")
    assert [float(s.get("timestep")) for s in sets] == [0.0, 1e-3], name
    assert all(os.path.exists(s.get("file")) for s in sets)
EOF
if /usr/bin/python3 -c "import vtkmodules.vtkIOXML" 2> /dev/null; then
    holds "VTK reads them" python << 'EOF'
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
from vtp import read
for part in "grains", "contacts", "walls":
    path = f"row-vtk/{part}.000001.vtp"
    reader, own = vtkXMLPolyDataReader(), read(path)
    reader.SetFileName(path)
    reader.Update()
    data = reader.GetOutput()
    assert data.GetNumberOfPoints() == own["n"]["Points"] > 0
    assert data.GetNumberOfCells() == own["n"]["Verts"] + own["n"]["Lines"] + own["n"]["Polys"] > 0
    assert all(data.GetPoint(k) == tuple(own["position"][k]) for k in range(data.GetNumberOfPoints()))
EOF
else
    echo "skipped: VTK is not installed (python3-vtk9)"
fi
summary
