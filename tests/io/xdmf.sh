#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# ParaView's reader opens a running simulation: points, radii and lines at every time.
# Usage: tests/io/xdmf.sh SCREE
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/common.sh"
/usr/bin/python3 -c 'import xml.dom.minidom' || skip "python3 is not installed"
make_trajectory

cat > show.py << 'END'
from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as pipeline
reader = vtkXdmfReader()
reader.SetFileName("trajectory.xdmf")
reader.UpdateInformation()
for t in reader.GetOutputInformation(0).Get(pipeline.TIME_STEPS()):
    reader.UpdateTimeStep(t)
    both = reader.GetOutputDataObject(0)
    grains, contacts = both.GetBlock(0), both.GetBlock(1)
    radius = grains.GetPointData().GetArray("radius")
    ids = grains.GetPointData().GetArray("id").GetRange()
    force = contacts.GetCellData().GetArray("contact_force")
    n = grains.GetNumberOfPoints()
    made = [0.01 + 0.01 * (k * 7919 % 100003) / 100003 for k in range(1, n + 1)] # as in the test
    low, high = radius.GetRange()
    good = abs(low - min(made)) < 1e-15 and abs(high - max(made)) < 1e-15
    print(t, n, "radii right" if good else "radii wrong", "%d %d" % ids,
          contacts.GetNumberOfCells(), contacts.GetCell(0).GetNumberOfPoints(),
          force.GetNumberOfTuples())
END
holds "it is XML" python -c 'import xml.dom.minidom; xml.dom.minidom.parse("trajectory.xdmf")'
holds "no half-written file is left" test ! -e trajectory.xdmf.part
holds "files are named relative to it" grep -q '>trajectory-2.h5:/particles' trajectory.xdmf
if /usr/bin/python3 -c 'from vtkmodules.vtkIOXdmf2 import vtkXdmfReader' 2> /dev/null; then
    expect "the reader of ParaView reads it" 0 python show.py
    # time, points, radii, ids, lines, ends of a line, forces; the empty frame is left out, one
    # line of no length stands for no contacts, and the second file begins before the first ends
    says "0.0 300 radii right 1 300 300 2 300"
    says "1.0 700 radii right 1 700 700 2 700"
    says "1.5 5 radii right 1 5 1 2 1"
    says "2.0 40 radii right 1 40 40 2 40"
    says "2.5 40 radii right 1 40 40 2 40"
    says "3.0 40 radii right 1 40 40 2 40"
    holds "six times and no messages" test "$(grep -vc '^exit code' messages)" -eq 6
else
    echo "skipped: VTK's reader of XDMF is not installed (python3-paraview)"
fi
summary
