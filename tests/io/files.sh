#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# info, convert, compare and import of dumps: round trips, exit codes, exact messages.
# Usage: tests/io/files.sh SCREE
set -uo pipefail
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/common.sh"
make_trajectory

block "info"
# info
expect "info of a trajectory" 0 "$program" info trajectory.h5
says "trajectory.h5: trajectory of scree (H5MD 1.1)"
says "frames_complete: 5"
says "steps: 100 to 500"
says "time: 0 s to 2 s"
says "grains: 700 in the last frame"
says "seed: 7"
says "  /particles/grains/velocity/value               (5, 700, 3) real64 m s-1"
expect "info on 2 ranks speaks once" 0 ranks 2 info trajectory.h5
holds "one title" test "$(grep -c '^title: ' messages)" -eq 1
expect "info without a file" 2 "$program" info
says "scree info needs one file: scree info FILE.h5"
expect "info of nothing" 1 "$program" info nowhere.h5
says "nowhere.h5: No such file or directory"
echo text > text.h5
expect "info of text" 1 "$program" info text.h5
says "text.h5: cannot be opened as HDF5: no permission, another format, damaged or cut short"
head -c 200000 trajectory.h5 > cut.h5
expect "info of a cut file" 1 "$program" info cut.h5
says "cut.h5: cannot be opened as HDF5: no permission, another format, damaged or cut short"
expect "info of a folder" 1 "$program" info .
says ".: not a plain file"
if /usr/bin/python3 -c 'import h5py' 2> /dev/null; then
    cp trajectory.h5 odd.h5
    python -c 'import h5py; del h5py.File("odd.h5", "r+").attrs["frames_complete"]'
    expect "info of an unsound trajectory" 1 "$program" info odd.h5
    says "odd.h5: attribute 'frames_complete' is missing or damaged"
    says "  /particles/grains/radius/value                 (5, 700) real64 m"
    expect "convert of an unsound trajectory" 1 "$program" convert odd.h5 -o odd.xyz
    says "odd.h5: attribute 'frames_complete' is missing or damaged"
    python -c 'import h5py; h5py.File("foreign.h5", "w")["x"] = [1.0, 2.0]'
    expect "info of a foreign file" 0 "$program" info foreign.h5
    says "foreign.h5: HDF5 file"
    expect "convert of a foreign file" 1 "$program" convert foreign.h5 -o foreign.xyz
    says "foreign.h5: not a state file of scree (attribute 'format' is not 'scree-state')"
fi

block "convert"
# convert, and back
expect "convert to a dump" 0 "$program" convert trajectory.h5 -o last.dump
expect "convert on 2 ranks" 0 ranks 2 convert trajectory.h5 -o all.dump --frame all
holds "five frames" test "$(grep -c '^ITEM: TIMESTEP' all.dump)" -eq 5
expect "an existing file is kept" 2 "$program" convert trajectory.h5 -o last.dump
says "last.dump exists; use --force to replace it"
expect "import a dump" 0 "$program" import lammps last.dump -o last.h5
expect "compare with it" 0 "$program" compare trajectory.h5 last.h5
says "position          equal"
says "angular_velocity  equal"
says "image             equal"
expect "import one frame of several" 0 ranks 2 import lammps all.dump --frame 2 -o two.h5
expect "compare that frame" 1 "$program" compare trajectory.h5 two.h5
says "trajectory.h5 and two.h5 differ"
expect "frame 2 of both" 1 "$program" compare trajectory.h5 two.h5 --frame 2
says "two.h5: no frame 2: a state file has one, frame 0"
expect "import an empty frame" 0 "$program" import lammps all.dump --frame 1 -o none.h5
expect "info of a state without grains" 0 "$program" info none.h5
says "grains: 0"
expect "there is no such frame" 2 "$program" import lammps all.dump --frame 5 -o x.h5
says "all.dump: no frame 5; there are 5, from 0 to 4"
expect "nor in the trajectory" 1 "$program" convert trajectory.h5 -o x.xyz --frame 5
says "trajectory.h5: no frame 5; there are 5, from 0 to 4"
expect "--frame wants a number" 2 "$program" convert trajectory.h5 -o x.xyz --frame two
says "--frame: expected a number from 0, 'last' or 'all', got 'two'"
expect "unknown ending" 2 "$program" convert trajectory.h5 -o x.png
says "x.png: unknown ending; known are .dump (LAMMPS), .xyz (extended XYZ), .vtu (VTK), .pvd (ParaView: all frames with contacts)"
expect "nowhere to write" 1 "$program" convert trajectory.h5 -o no/where.xyz
says "no/where.xyz.part: cannot be written: No such file or directory"
holds "nothing half-written is left" test -z "$(ls | grep -E 'part$|^x\.')"
expect "convert to extended XYZ" 0 "$program" convert trajectory.h5 -o all.xyz --frame all
holds "its shape" python -c '
lines = open("all.xyz").read().split("\n")
counts, at = [], 0
while lines[at]:
    n = int(lines[at]); counts.append(n)
    assert "Lattice=\"1 0 0 0 1 0 0 0 2\"" in lines[at + 1] and "pbc=\"T F T\"" in lines[at + 1]
    assert all(len(l.split()) == 16 for l in lines[at + 2 : at + 2 + n])
    at += 2 + n
assert counts == [300, 0, 700, 5, 700], counts'
expect "convert to VTK" 0 "$program" convert trajectory.h5 -o last.vtu --frame last
expect "a VTK file per frame" 0 "$program" convert trajectory.h5 -o all.vtu --frame all
holds "five files" test "$(ls all.*.vtu | wc -l)" -eq 5
holds "they are XML with all points" python -c '
import xml.dom.minidom
for path, n in ("last.vtu", 700), ("all.000003.vtu", 5), ("all.000001.vtu", 0):
    piece = xml.dom.minidom.parse(path).getElementsByTagName("Piece")[0]
    assert int(piece.getAttribute("NumberOfPoints")) == n
    for array in piece.getElementsByTagName("DataArray"):
        width = int(array.getAttribute("NumberOfComponents"))
        assert len(array.firstChild.data.split()) == n * width, array.getAttribute("Name")'
if /usr/bin/python3 -c 'from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader' 2> /dev/null; then
    holds "VTK reads it" python -c '
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
r = vtkXMLUnstructuredGridReader(); r.SetFileName("last.vtu"); r.Update(); o = r.GetOutput()
assert o.GetNumberOfPoints() == o.GetNumberOfCells() == 700
assert 0.01 < o.GetPointData().GetArray("radius").GetRange()[0] < 0.0101'
else
    echo "skipped: VTK's reader of .vtu is not installed (python3-paraview)"
fi

block "compare"
# compare
sed 's/^5 \(.\) \([^ ]*\)/5 \1 0.5/' last.dump > moved.dump
expect "import a moved grain" 0 "$program" import lammps moved.dump -o moved.h5
expect "compare finds it" 1 "$program" compare last.h5 moved.h5
holds "and names it" grep -Eq '^position .*largest difference .* grain 5; 1 numbers differ' messages
expect "within a tolerance" 0 "$program" compare last.h5 moved.h5 --tolerance 2
expect "missing grains" 1 "$program" compare last.h5 none.h5 --tolerance 2
says "700 grains only in last.h5, first grain 1"
if /usr/bin/python3 -c 'import h5py' 2> /dev/null; then
    expect "a trajectory equals itself" 0 "$program" compare trajectory.h5 trajectory.h5
    for field in position image velocity angular_velocity species radius mass force torque \
        contact_force overlap sliding history; do
        says "$(printf '%-17s equal' $field)"
    done
    says "700 contacts in both"
    cp trajectory.h5 changed.h5
    python -c '
import h5py
f = h5py.File("changed.h5", "r+")
g, c = f["particles/grains"], f["connectivity/contacts"]
n = 700
order = list(range(n - 1, -1, -1)) # another order of rows is no difference
for w in g:
    if w != "box": g[w]["value"][4] = g[w]["value"][4][order]
for w in c:
    if w != "rows": c[w]["value"][4] = c[w]["value"][4][order]
row = lambda set, x: [tuple(y) if hasattr(y, "__len__") else y for y in set.tolist()].index(x)
def add(element, at, x):
    value = element["value"][4]; value[at] += x; element["value"][4] = value
add(g["torque"], (row(g["id/value"][4], 17), 1), 0.25)
add(c["contact_force"], (row(c["pairs/value"][4], (33, 34)), 0), 0.5)
add(c["history"], (row(c["pairs/value"][4], (40, -1)), 3), -0.125)
pairs = c["pairs/value"][4]; pairs[row(pairs, (6, 7))] = [6, 8]; c["pairs/value"][4] = pairs
del g["mass"], c["overlap"]'
    expect "compare finds changes of loads and contacts" 1 "$program" compare trajectory.h5 changed.h5
    holds "torque" grep -Eq '^torque +largest difference 0.25 N m, relative [0-9.]+, grain 17; 1 numbers' messages
    holds "contact force" grep -Eq '^contact_force +largest difference 0.5 N, .* grain 33 with 34; 1 numbers' messages
    holds "history" grep -Eq '^history +largest difference 0.125, .* grain 40 with wall 0; 1 numbers' messages
    says "$(printf '%-17s equal' force)"
    says "$(printf '%-17s equal' sliding)"
    says "1 contacts only in trajectory.h5, first grain 6 with 7"
    says "1 contacts only in changed.h5, first grain 6 with 8"
    says "$(printf '%-17s only in trajectory.h5' mass)"
    says "$(printf '%-17s only in trajectory.h5' overlap)"
    says "trajectory.h5 and changed.h5 differ"
    expect "a state file has no contacts" 0 "$program" compare trajectory.h5 last.h5
    says "contacts only in trajectory.h5"
    says "$(printf '%-17s only in trajectory.h5' torque)"
fi
expect "compare needs two" 2 "$program" compare last.h5
says "scree compare needs two files: scree compare A.h5 B.h5 [--tolerance X]"
expect "a bad tolerance" 2 "$program" compare last.h5 none.h5 --tolerance=-1
says "--tolerance: expected a number >= 0, got '-1'"

block "wrong dumps"
# Dumps that are wrong, each with its place
cat > good.dump << 'END'
ITEM: UNITS
si
ITEM: TIME
0.25
ITEM: TIMESTEP
10
ITEM: NUMBER OF ATOMS
2
ITEM: BOX BOUNDS pp pp ff
0 1
0 1
0 2
ITEM: ATOMS type id x y z diameter density q
1 2 0.5 0.5 0.5 0.2 2500 7
2 1 0.1 0.1 0.1 0.1 1000 7
END
expect "a small dump" 0 "$program" import lammps good.dump -o good.h5
expect "info of it" 0 "$program" info good.h5
says "time: 0.25 s"
says "step: 10"
bad() { # SED-SCRIPT MESSAGE
    sed "$1" good.dump > bad.dump
    expect "bad dump: $1" 2 "$program" import lammps bad.dump -o bad.h5
    says "$2"
}
bad '14s/0.5 0.5/0.5 half/' "bad.dump:14: y: expected a number, got 'half'"
bad '14s/ 7$//' "bad.dump:14: line of an atom: expected 8 values, got 7"
bad '15s/^2 1/2 2/' "bad.dump:15: id 2 was given before, in line 14"
bad '15s/^2 1/2 0/' "bad.dump:15: id is 0, allowed 1 to 17592186044415"
bad '15s/0.1 1000/-0.1 1000/' "bad.dump:15: diameter is -0.1, allowed > 0"
bad '15d' "bad.dump:14: unexpected end of file: line of an atom is missing"
bad '8s/2/3/' "bad.dump:15: unexpected end of file: line of an atom is missing"
bad '8s/2/99999999/' "bad.dump:8: number of atoms is 99999999, allowed 0 to $(($(wc -c < good.dump) / 13 + 0))"
bad '8s/2/1/' "bad.dump:15: expected 'ITEM: TIMESTEP', got '2'"
bad '6s/10/ten/' "bad.dump:6: timestep: expected an integer, got 'ten'"
bad '7d' "bad.dump:7: expected 'ITEM: NUMBER OF ATOMS', got '2'"
bad '10s/0 1/1 0/' "bad.dump:10: bounds of x: 1 is not below 0"
bad '9s/BOUNDS/BOUNDS xy xz yz/' "bad.dump:9: tilted box: only boxes with right angles can be read"
bad '13s/ x y z/ xs ys zs/' "bad.dump:13: positions as 'xs': only wrapped, unscaled x, y, z can be read; write the dump with the columns x y z ix iy iz"
bad '13s/ x y z/ xu yu zu/' "bad.dump:13: positions as 'xu': only wrapped, unscaled x, y, z can be read; write the dump with the columns x y z ix iy iz"
bad '13s/diameter/d/' "bad.dump:13: column 'radius' or 'diameter' is missing"
bad '13s/density/rho/' "bad.dump:13: column 'mass' or 'density' is missing"
bad '13s/ q$/ x/' "bad.dump:13: column 'x' is there twice"
bad '13s/type/sort/' "bad.dump:13: column 'type' is missing"
holds "no state file came of it" test ! -e bad.h5
expect "--frame of a data file" 2 "$program" import lammps text.h5 --frame 1 -o x.h5
says "--frame: text.h5 is not a LAMMPS dump, only those have frames"
summary
