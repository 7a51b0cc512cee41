#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# ParaView's readers open a running simulation: points, radii and lines at every time.
# Usage: tests/io/xdmf.sh SCREE
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/common.sh"
/usr/bin/python3 -c 'import xml.dom.minidom' || skip "python3 is not installed"
make_trajectory

# What the test made, number by number: see tests/support/trajectory_test.h.
cat > show.py << 'END'
import os, sys
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as pipeline
if sys.argv[1] == "2":
    from vtkmodules.vtkIOXdmf2 import vtkXdmfReader as Reader
else:
    from vtkmodules.vtkIOXdmf3 import vtkXdmf3Reader as Reader
reader = Reader()
reader.SetFileName(os.path.abspath("trajectory.xdmf"))
reader.UpdateInformation()
def number(i, k, t): return (i * 7919 + k * 104729 + t * 31) % 100003 / 100003
def near(a, b): return abs(a - b) < 1e-15
def right(word, good): return word + (" right" if good else " wrong")
for t in reader.GetOutputInformation(0).Get(pipeline.TIME_STEPS()):
    reader.UpdateTimeStep(t)
    both = reader.GetOutputDataObject(0)
    grains, contacts = both.GetBlock(0), both.GetBlock(1)
    n, frame = grains.GetNumberOfPoints(), round(2 * t)
    radius = grains.GetPointData().GetArray("radius")
    ids = [int(grains.GetPointData().GetArray("id").GetTuple1(k)) for k in range(n)]
    where = [[number(i, 2 + a, frame) for a in range(3)] for i in ids]
    radii = all(near(radius.GetTuple1(k), 0.01 + 0.01 * number(ids[k], 0, 0)) for k in range(n))
    points = sorted(ids) == list(range(1, n + 1)) and all(
        near(a, b) for k in range(n) for a, b in zip(grains.GetPoint(k), where[k]))
    cells = all(grains.GetCell(k).GetNumberOfPoints() == 1 and grains.GetCell(k).GetPointId(0) == k
                for k in range(n)) and grains.GetNumberOfCells() == n
    seen = set()
    force = contacts.GetCellData().GetArray("contact_force")
    loads = force.GetNumberOfTuples() == contacts.GetNumberOfCells()
    for k in range(contacts.GetNumberOfCells()):
        cell = contacts.GetCell(k)
        a, b = cell.GetPointId(0), cell.GetPointId(1)
        seen.add((ids[a], ids[b]))
        if frame != 3:
            loads = loads and all(near(x, number(ids[a], 21 + c, 0))
                                  for c, x in enumerate(force.GetTuple3(k)))
    made, edge = set(), (1, None, 2)
    for i in range(1, n + 1):
        j = i if i % 5 == 0 or i == n else i + 1 # a wall: no line
        if any(e and abs(number(i, 2 + a, frame) - number(j, 2 + a, frame)) > 0.5 * e
               for a, e in enumerate(edge)):
            j = i # through a periodic border: no line
        made.add((i, j))
    if frame == 3: made = {(ids[0], ids[0])} # no contacts: one line of no length
    print(t, n, right("points", points and cells), right("radii", radii),
          contacts.GetNumberOfCells(), right("lines", seen == made), right("forces", loads))
END
holds "it is XML" python -c 'import xml.dom.minidom; xml.dom.minidom.parse("trajectory.xdmf")'
holds "no half-written file is left" test ! -e trajectory.xdmf.part
holds "files are named relative to it" grep -q '>trajectory-2.h5:/particles' trajectory.xdmf
for generation in 2 3; do
    if ! /usr/bin/python3 -c "import vtkmodules.vtkIOXdmf$generation" 2> /dev/null; then
        echo "skipped: VTK's reader of XDMF $generation is not installed (python3-paraview)"
        continue
    fi
    expect "the reader of XDMF $generation reads it" 0 python show.py $generation
    # the empty frame is left out, and the second file begins before the first ends
    says "0.0 300 points right radii right 300 lines right forces right"
    says "1.0 700 points right radii right 700 lines right forces right"
    says "1.5 5 points right radii right 1 lines right forces right"
    says "2.0 40 points right radii right 40 lines right forces right"
    says "2.5 40 points right radii right 40 lines right forces right"
    says "3.0 40 points right radii right 40 lines right forces right"
    holds "six times and no messages" test "$(grep -vc '^exit code' messages)" -eq 6
done
summary
