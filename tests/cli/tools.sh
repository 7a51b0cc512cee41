#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Results in Python, plots, pictures and reports: tools/scree and the programs over it.
# Usage: tests/cli/tools.sh SCREE
set -uo pipefail
repo=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/support/shell_test.sh
source "$repo/tests/support/shell_test.sh"
export PYTHONPATH=$repo/tools PYTHONDONTWRITEBYTECODE=1 SCREE=$program MPIRUN=$mpirun
# tools.py, a module with call(TOOL, ARGUMENTS...): exit code and what it said. Many calls by one Python: most of a
# short one is reading matplotlib.
cat > tools.py << 'END'
import contextlib, io, os, runpy, sys
def call(tool, *arguments):
    path, said = os.path.join(os.environ["PYTHONPATH"], tool), io.StringIO()
    sys.argv = [path, *arguments]
    with contextlib.redirect_stdout(said):
        try:
            runpy.run_path(path, run_name="__main__")
        except SystemExit as end:
            if end.code not in (None, 0):
                return 1, f"{said.getvalue()}{end.code}"
    return 0, said.getvalue()
END
check() { # NAME, with a program from standard input
    /usr/bin/python3 - > messages 2>&1
    verdict "$1" $?
}

cat > shear.yaml << 'END'
title: "disks & <b>walls</b>"
dimension: 2
seed: 3
time: {step: 2 us, end: 4 ms}
domain: {low: [0, 0], high: [12 mm, 12 mm], periodic: [x]}
materials: {steel: {density: 8 kg/m^2}, glass: {density: 2.5 kg/m^2}}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1e3 N/m, restitution: 0.5}
    tangential: {law: spring, stiffness: 3e2 N/m, friction: 0.4}
  - between: [glass, steel]
    normal: {law: linear, stiffness: 1e3 N/m, restitution: 0.5}
    tangential: {law: spring, stiffness: 3e2 N/m, friction: 0.4}
boundaries:
  floor: {shape: plane, material: steel, point: [0, 0], normal: [0, 1]}
  lid: {shape: plane, material: steel, point: [0, 12 mm], normal: [0, -1], velocity: [0.5 m/s, -0.2 m/s]}
particles:
  - dense: {count: 120, material: glass, radius: {uniform: [0.4 mm, 0.6 mm]}, high: [12 mm, 11.5 mm]}
analysis:
  - stress: {every: 0.1 ms}
  - packing: {every: 0.1 ms}
  - profile: {along: y, bins: 6, every: 0.2 ms}
  - networks: {every: 1 ms, cutoffs: 20}
output: {series: {every: 0.1 ms}, snapshots: {every: 1 ms, contacts: true}}
END

block "tools: Python"
expect "a run by the program" 0 "$program" run shear.yaml -o plain -q
check "the same run from a dictionary, on 2 ranks" << 'END'
import numpy as np
import scree
given = scree.read_input(open("shear.yaml").read())
run = scree.run(given, "python", ranks=2)
plain = scree.open("plain")
assert run.provenance["ranks"] == 2 and plain.provenance["ranks"] == 1
assert run.provenance["digest"] == plain.provenance["digest"]
assert run.value("time.step") == 2e-6 and run.value("contacts.1.tangential.friction") == 0.4
assert run.value("analysis.0.stress.border", "none") == "none" and run.parameters["seed"] == 3
assert run.title == "disks & <b>walls</b>" and run.ended
energy = run.series["kinetic energy"]
assert energy.unit == "J" and energy[3:5].unit == "J" and not hasattr(energy * 2, "unit")
assert run.series.kinetic_energy is energy and run["stress"].pressure.unit == "N/m"
assert set(run.measurements) == {"stress", "packing", "profile", "networks"}
# grains: the last frame is the state at the end; contacts are where grains overlap
frame, state = run.frames[-1], run.state
assert len(run.frames) == 5 and np.allclose(run.frames.times, np.arange(5) * 1e-3, atol=1e-9)
assert np.array_equal(np.sort(frame.position, axis=0), np.sort(state.position, axis=0))
assert frame.velocity.unit == "m/s" and frame.box.flat and frame.materials == ["steel", "glass"]
contacts = frame.contacts
inside = contacts.between_grains
assert len(contacts) == run.report["contacts"] + run.report["wall_contacts"] > 30
gap = np.linalg.norm(contacts.branch[inside], axis=1) - np.asarray(frame.radius)[contacts.rows[inside]].sum(axis=1)
assert np.allclose(-gap, contacts.overlap[inside], atol=1e-15)
assert np.isclose(contacts.force[contacts.wall == 1][:, 1].sum(), -run.walls["lid"].force[-1, 1], rtol=1e-6)
assert np.isclose(run.walls["lid"].position[-1, 1], 0.012 - 0.2 * 4e-3)
part = frame.where(np.asarray(frame.position)[:, 1] < 6e-3)
assert 0 < len(part) < len(frame) and part.contacts.rows.max() < len(part)
END
check "a wrong input raises what the program says; a sweep tells how its runs differ" << 'END'
import os
import scree
text = open("shear.yaml").read()
try:
    scree.run(text.replace("steel: {density", "steal: {density"), "wrong")
    raise SystemExit("no error")
except scree.RunError as error:
    assert error.code == 2 and "unknown material 'steel'; did you mean 'steal'?" in str(error), error
for seed in (1, 2):
    scree.run(text, f"sweep/seed{seed}", settings={"seed": seed, "time.end": "0.2 ms", "output.series.every": "50 us"})
sweep = scree.open("sweep")
assert [run.name for run in sweep] == ["seed1", "seed2"] and sweep.differences == ["seed"]
table = sweep.collect("seed", "time.end", lambda run: run.report["contacts"])
assert list(table["seed"]) == [1, 2] and list(table["time.end"]) == [2e-4, 2e-4]
# a table that is being written: the line that is not whole does not count
whole = open("plain/series.csv").read()
os.makedirs("going", exist_ok=True)
open("going/series.csv", "w").write(whole[:-20])
assert len(scree.open("going").series) == whole.count("\n") - 2 and not scree.open("going").ended
try:
    scree.open("plain").series["kinetic enrgy"]
    raise SystemExit("no error")
except KeyError as error:
    assert "did you mean 'kinetic energy'?" in str(error)
END
check "inputs in YAML and back; units as in the program" << 'END'
import glob, os, scree
names = glob.glob(os.path.join(os.environ["PYTHONPATH"], "../inputs/*/*.yaml"))
for name in names:
    read = scree.read_input(open(name).read())
    assert read and scree.read_input(scree.write_input(read)) == read, name
assert len(names) > 20
for text, value in (("0.5 mm", 5e-4), ("10 rpm", 1.0471975512), ("2 kg/m^3", 2), ("5 1/s", 5), ("3 N s/m", 3),
                    ("10 %", 0.1), ("1 um", 1e-6), ("7 g cm^-3", 7000), ("1:30:00", 5400), (4, 4), ("auto", "auto")):
    found = scree.si(text)
    assert found == value or abs(found / value - 1) < 1e-9, (text, found)
END

block "tools: plots"
check "every kind of plot, lists, refusals" << 'END'
import os
from tools import call
for kind in "series stress-strain profile energy forces fabric networks phases".split():
    code, said = call("scree-plot", kind, "plain", "-o", kind + ".svg")
    assert code == 0 and said.strip() == kind + ".svg", said
    assert "</svg>" in open(kind + ".svg").read()
assert call("scree-plot", "series", "plain", "python", "-y", "contacts", "force on lid y", "-o", "both.pdf")[0] == 0
assert open("both.pdf", "rb").read(5) == b"%PDF-"
code, said = call("scree-plot", "list", "plain")
assert "packing (41 rows)" in said and "5 frames, with contacts" in said, said
for arguments, words in ((["iterations", "plain"], "no column 'sweeps'"), (["granulence", "plain"], "periodic boxes only"),
                         (["series", "plain", "-y", "kinetik"], "no column 'kinetik'"), (["fabric", "none"], "no folder")):
    code, said = call("scree-plot", *arguments, "-o", "none.png")
    assert code == 1 and words in said and not os.path.exists("none.png"), said
END
expect "contact dynamics" 0 "$program" run shear.yaml -o rigid -q --set method=cd --set 'time={step: 50 us, end: 1 ms}'
cp -r rigid live && mv live/report.json kept.json
(sleep 1.5 && mv kept.json live/report.json) &
expect "live until the run ends" 0 timeout 60 "$repo/tools/scree-plot" iterations live -o live.png --live 0.5
wait
holds "and the run has ended by then" test -e live/report.json
check "what is drawn is what was measured" << 'END'
import numpy as np
import scree
from scree import plots, stresses
run = scree.open("plain")
rows = run["stress"]
p, q = stresses.mean_and_deviator(stresses.tensor(rows))
assert np.allclose(p, rows["pressure"]) and 0.05 < np.nanmedian(q[20:] / p[20:]) < 1
axes = plots.stress_strain([run]).axes
assert axes[2].get_xlabel() == "shear by lid"
drawn = axes[1].lines[0]
assert np.allclose(drawn.get_ydata(), p) and np.isclose(drawn.get_xdata()[-1], 0.5 * 4e-3 / (12e-3 - 0.2 * 4e-3))
terms = plots.ledger_terms(run.series)
assert {"kinetic energy", "lost to sliding"} <= {name for name, _, _ in terms}
given = -np.diff(run.series["lost to walls and drives"][[0, -1]])[0]
total = sum(values[-1] - values[0] for _, values, _ in terms)
assert abs(total - given) < 0.01 * given, (total, given)
END

block "tools: fields and gases"
cat > gas.yaml << 'END'
method: ed
time: {step: 0.1 s, end: 4 s}
domain: {low: [0, 0, 0], high: [8, 8, 8], periodic: [x, y, z]}
materials: {m: {density: 1}}
contacts: [{between: [m, m], rigid: {restitution: 0.9}}]
particles: [{lattice: {count: 200, material: m, radius: 0.5, spacing: 1.3, temperature: 1 J}}]
analysis:
  - fields: {bins: {x: 4, y: 5}, width: 0.5, every: 2 s}
  - fields: {name: along, bins: {z: 6}, width: 0.5, every: 2 s}
output: {series: {every: 0.2 s}}
END
expect "a gas" 0 "$program" run gas.yaml -o gas -q
check "fields in Python, plots of fields and of cooling" << 'END'
import numpy as np
import scree
from scree import plots_gas
from tools import call
run = scree.open("gas")
grids = run.grids("fields")
assert [round(one.time, 9) for one in grids] == [0, 2, 4] and grids[0].axes == ["x", "y"] and "restitution" in grids[0].input
mass = sum(np.asarray(grids[-1]["density"]).ravel()) * 8 * 8 * 8 / 20
assert abs(mass / (200 * np.pi / 6) - 1) < 1e-9, mass
assert grids[0]["density"].shape == (4, 5) and grids[0]["velocity x"].unit == "m/s"
assert np.array_equal(grids[0]["contact_stress xy"], grids[0]["contact stress"][..., 0, 1])
for arguments in (["--name", "fields"], ["--name", "along", "-y", "granular temperature"]):
    code, said = call("scree-plot", "field", "gas", "-o", "field.svg", *arguments)
    assert code == 0 and "</svg>" in open("field.svg").read(), said
for name, words in (("velocity", "components: velocity x, velocity y, velocity z"), ("mood", "no field 'mood'")):
    code, said = call("scree-plot", "field", "gas", "-y", name, "-o", "none.png")
    assert code == 1 and words in said, said
assert call("scree-plot", "cooling", "gas", "-o", "cooling.svg")[0] == 0
time = np.linspace(0, 50, 100)
assert abs(plots_gas.fit_haff(time, 3.0 * plots_gas.haff(time, 7.0)) / 7.0 - 1) < 1e-9
code, said = call("scree-plot", "list", "gas")
assert code == 0 and "along (fields along z)" in said and "    contact stress zz" in said, said
END

block "tools: pictures"
expect "three dimensions, with a membrane" 0 "$program" run "$repo/inputs/triaxial-membrane/small.yaml" -o sleeve -q \
    --set time.end='20 us' --set particles.0.dense.count=300 --set 'output={series: {steps: 5}, snapshots: {steps: 5, contacts: true}}'
check "disks, forces, animations, sheets, sections, slices" << 'END'
from PIL import Image
from tools import call
for name, *options in (["force.svg", "--chains"], ["run.gif", "--frames", "::2", "--small"],
                       ["sheet.png", "--frames", ":", "--colour", "pressure"]):
    code, said = call("scree-view", "plain", name, *options)
    assert code == 0, said
assert Image.open("run.gif").n_frames == 3
pictures = set()
for options in ("--cut", "--chains --least 0", "--plane xy rz --slice z=20mm,5mm", "--turn 80 --tilt 60 --no-walls",
                "--turn 80 --tilt 60"):
    code, said = call("scree-view", "sleeve", "three.png", "--pixels", "150", *options.split())
    assert code == 0, said
    pictures.add(open("three.png", "rb").read())
assert len(pictures) == 5
code, said = call("scree-view", "plain", "none.png", "--colour", "mood")
assert code == 1 and "no 'mood'; there are: speed" in said, said
END
check "spheres, surfaces and membranes are where they should be" << 'END'
import numpy as np
import scree
from scree import canvas, walls
paint = canvas.Canvas(200, 200)
paint.spheres([[100, 100, 0], [130, 100, 50]], [40, 20], [[1, 0, 0], [0, 1, 0]])
count = [np.sum(paint.owner == k) for k in (0, 1)]
assert abs(count[1] / (np.pi * 20 ** 2) - 1) < 0.01  # the near one, whole
overlap = sum(1 for x in range(200) for y in range(200)
              if np.hypot(x - 99.5, y - 99.5) < 40 and np.hypot(x - 129.5, y - 99.5) < 20)
assert abs((count[0] + overlap) / (np.pi * 40 ** 2) - 1) < 0.01
assert abs(paint.depth.reshape(200, 200)[100, 100] - 40) < 0.05
run = scree.open("sleeve")
def volume(mesh):
    a, b, c = mesh.places[mesh.triangles].transpose(1, 0, 2)
    return np.einsum("ta,ta->", a * [1, 1, 0], np.cross(b - a, c - a)) / 4  # by Gauss, ends add nothing
for k, frame in enumerate(run.frames):
    found = volume(run.walls["sleeve"].mesh(frame))
    assert np.isclose(found, run.series["volume in sleeve"][k], rtol=1e-12), (found, run.series["volume in sleeve"][k])
def area(mesh):
    a, b, c = mesh.places[mesh.triangles].transpose(1, 0, 2)
    return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
low, high = np.zeros(3), np.array([2.0, 3.0, 4.0])
for spec, expected in (
        ({"shape": "plane", "point": [0, 0, 1], "normal": [0, 0, 1]}, 6.0),
        ({"shape": "plane", "point": [1, 0, 0], "normal": [1, 1, 0]}, 4 * np.sqrt(2)),
        ({"shape": "cylinder", "point": [1, 1, 0], "radius": "500 mm", "axis": [0, 0, 1]}, np.pi * 4.0),
        ({"shape": "cone", "point": [0, 0, 0], "axis": [0, 0, 1], "radius": 1, "end_radius": 0, "length": 1}, np.pi * 2 ** 0.5),
        ({"shape": "ring", "centre": [0, 0, 0], "inner": 1, "outer": 2}, 3 * np.pi),
        ({"shape": "sphere", "centre": [0, 0, 0], "radius": 1}, 4 * np.pi),
        ({"shape": "block", "low": [0, 0, 0], "high": [1, 2, 3]}, 22.0),
        ({"shape": "rectangle", "corner": [0, 0, 0], "along": [2, 0, 0], "across": [0, 0, 1]}, 2.0)):
    assert abs(area(walls.SHAPES[spec["shape"]](spec, low, high)) / expected - 1) < 0.005, spec
END

block "tools: stress probes"
few=(--set particles.0.dense.count=60 --set 'domain.high=[3.76 mm, 3.76 mm, 3.76 mm]' --set "output.checkpoint={steps: 200, keep: 9}")
for k in 0 1 2; do few+=(--set "stages.$k.until={steps: 600}"); done
expect "a sample at rest" 0 "$program" run "$repo/inputs/triaxial-cell/probes.yaml" -o sample -q "${few[@]}" --set 'stages.3.until={steps: 500}'
check "probes of it, drawn anew, and refused without a checkpoint" << 'END'
import os, shutil
import numpy as np
import scree
from tools import call
code, said = call("scree-probe", "sample", "--count", "4", "--hold", "200", "--size", "1e-5")
assert code == 0 and "sample: plastic modulus" in said, said
table = scree.open("sample")["probes"]
stress = np.column_stack([table["stress v"], table["stress d"]])
assert len(table) == 8 and table["stress v"].unit == "Pa" and np.abs(stress).max() > 10
assert np.allclose(stress[4], -stress[6], atol=0.1 * np.abs(stress).max())  # elastic: there and back
before = open("sample/probes.png", "rb").read()
assert call("scree-probe", "sample", "--plot")[0] == 0 and open("sample/probes.png", "rb").read() == before
for name in os.listdir("sample"):
    if name.startswith("checkpoint"):
        os.remove("sample/" + name)
code, said = call("scree-probe", "sample")
assert code == 1 and "no checkpoint in the stage 'rest'" in said, said
code, said = call("scree-probe", "plain")
assert code == 1 and "three last stages" in said, said
END

block "tools: report"
expect "a report" 0 "$repo/tools/scree-report" plain
says 'plain/report.html'
check "it holds what it should, and needs nothing else" << 'END'
import re
page = open("plain/report.html", encoding="utf-8").read()
for words in ("disks &amp; &lt;b&gt;walls&lt;/b&gt;", "exit code 0", "effective.yaml", "lost to sliding", "stiffness: 1e3 N/m"):
    assert words in page, words
assert "<b>walls" not in page
assert not re.search(r'(src|href)="(?!data:|#)', page) and "@import" not in page
assert page.count("data:image/svg") >= 6
END
chromium=$(command -v chromium || command -v chromium-browser || true)
browse() { # PAGE: what the page holds after its scripts
    timeout 120 "$chromium" --headless --no-sandbox --disable-quic --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader \
        --user-data-dir="$scratch/browser" --dump-dom "file://$PWD/$1" 2> browser.log
}
with() { # PAGE SCRIPT: the page with one more script
    /usr/bin/python3 -c 'import sys; page = open(sys.argv[1]).read()
print(page.replace("</body>", f"<script>{sys.argv[2]}</script></body>"))' "$1" "$2"
}
count_pixels='const seen = () => { view.drawn(); const c = view.gl.canvas, p = new Uint8Array(4 * c.width * c.height);
    view.gl.readPixels(0, 0, c.width, c.height, view.gl.RGBA, view.gl.UNSIGNED_BYTE, p);
    let n = 0; for (let k = 0; k < p.length; k += 4) n += p[k] < 250; return n; };'
if [ -n "$chromium" ]; then
    block "tools: report in a browser"
    with plain/report.html "$count_pixels"'
        const found = [seen()]; view.get("chains").checked = true; view.get("walls").checked = false; found.push(seen());
        view.get("grains").checked = false; found.push(seen()); view.get("slicey").checked = true; found.push(seen());
        document.body.dataset.found = found.join(" ");
        const box = view.gl.canvas.getBoundingClientRect(), told = document.querySelector("#view .message");
        const at = k => ({clientX: box.left + box.width * 0.5 + 5 * k, clientY: box.top + box.height * 0.5});
        for (let k = 0; k < 20; k++) { view.pick(at(k)); if (told.textContent) break; }' > more.html
    browse more.html > seen
    holds "grains are drawn without an error" grep -q 'data-ready="120 grains, no error"' seen
    holds "a click on a grain tells its numbers" grep -Eq 'grain [0-9]+: speed [0-9.e-]+ m/s' seen
    check "forces, walls and slices change the picture" << 'END'
import re
found = [int(n) for n in re.search(r'data-found="([\d ]+)"', open("seen").read()).group(1).split()]
print(found)
assert found[0] > 10000 and found[0] > found[2] > found[3] > 0
END
    check "a report of 100,000 grains" << 'END'
import os
import h5py
import numpy as np
from scree import report, runs
n, frames, side = 100000, 4, 47
random = np.random.default_rng(1)
place = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), -1).reshape(-1, 3)[:n] * 1e-3
pairs = np.array([(k, k + 1) for k in range(0, n - 1) if (k + 1) % side])
os.makedirs("many", exist_ok=True)
with h5py.File("many/trajectory.001.h5", "w") as file:
    file.create_group("h5md")
    grains = file.create_group("particles/grains")
    for name, values, unit in (
            ("position", np.stack([place * (1 + 0.01 * k) for k in range(frames)]), "m"),
            ("velocity", random.normal(size=(frames, n, 3)), "m s-1"), ("id", np.tile(np.arange(1, n + 1), (frames, 1)), ""),
            ("radius", np.full((frames, n), 5e-4), "m"), ("species", np.ones((frames, n), int), "")):
        grains.create_dataset(name + "/value", data=values).attrs["unit"] = np.bytes_(unit)
    grains["position/step"], grains["position/time"] = np.arange(frames), np.arange(frames) * 1e-3
    box = grains.create_group("box")
    box.attrs["periodic"] = [0, 0, 0]
    box["edges/value"], box["offset/value"] = np.full((frames, 3), 0.047), np.zeros((frames, 3))
    contacts = file.create_group("connectivity/contacts")
    contacts["pairs/value"] = np.tile(pairs + 1, (frames, 1, 1))
    contacts["contact_force/value"] = random.exponential(size=(frames, len(pairs), 1)) * np.array([0, 0, 1.0])
size = report.write(runs.Run("many"), "many.html")
assert size < 20e6, size
END
    browse many.html > seen
    holds "all are drawn" grep -q 'data-ready="100000 grains, no error"' seen
    milliseconds() { sed -n 's/.*data-milliseconds="\([0-9]*\)".*/\1/p' seen; }
    for _ in 1 2 3; do # the machine may be busy with other tests
        [ "$(milliseconds)" -lt 5000 ] && break
        browse many.html > seen
    done
    holds "within 5 s ($(milliseconds) ms)" test "$(milliseconds)" -lt 5000
else
    echo "skipped: report in a browser: chromium is missing"
fi

block "tools: walls of triangles"
printf '%s\n' 'solid x' 'facet normal 0 0 0 outer loop vertex 0 0 0 vertex 2 0 0 vertex 0 1 0 endloop endfacet' \
    'facet normal 0 0 0 outer loop vertex 2 0 0 vertex 2 1 0 vertex 0 1 0 endloop endfacet' 'endsolid x' > skin.stl
cat > skin.yaml << 'END'
time: {step: 10 us, steps: 200}
domain: {low: [-5 mm, -5 mm, 0], high: [5 mm, 5 mm, 5 mm]}
materials: {glass: {density: 2500 kg/m^3}}
contacts: [{between: any, normal: {law: linear, stiffness: 100 N/m, restitution: 0.5}}]
boundaries:
  skin: {shape: mesh, material: glass, file: skin.stl, unit: 1 mm, at: [0, 0, 1 mm], turn: [90 deg, 0, 0], rotate: {axis: [0, 0, 1], rate: 500 rad/s}}
particles: [{lattice: {count: 2, material: glass, radius: 0.5 mm, low: [-5 mm, -5 mm, 3 mm], high: [5 mm, 5 mm, 5 mm]}}]
output: {series: {steps: 10}, snapshots: {steps: 200}, progress: 0}
END
expect "a run with a mesh" 0 "$program" run skin.yaml -o skin -q
expect "as surfaces for others" 0 "$program" convert skin/trajectory.001.h5 -o skin.pvd
check "triangles are where the program has them, with an outline" << 'END'
import struct
import numpy as np
import scree
wall = scree.Run("skin").walls["skin"].mesh(np.zeros(3), np.ones(3), 2e-3)
corners = wall.places[wall.triangles].reshape(-1, 3)
data = open("skin-vtk/walls.000001.vtp", "rb").read().split(b'<AppendedData encoding="raw">\n_', 1)[1]
cells = struct.unpack_from("<Q", data)[0]  # the numbers of the walls, then the corners
written = np.frombuffer(data, "<f8", 18, 8 + cells + 8).reshape(-1, 3)
assert np.allclose(corners, written, atol=1e-12), (corners, written)
middle = corners.mean(axis=0)
assert np.allclose(corners[:, 2].max(), 2e-3) and abs(np.ptp(corners[:, 0]) - 2e-3 * np.cos(1.0)) < 1e-9, corners
assert len(wall.lines) == 4  # not the diagonal
END

block "tools: sweeps"
cat > sweep.yaml << 'END'
time: {step: 10 us, steps: 300}
domain: {low: [0, 0, 0], high: [10 mm, 10 mm, 10 mm], periodic: [x, y, z]}
materials: {glass: {density: 2500 kg/m^3}}
contacts: [{between: any, normal: {law: linear, stiffness: 100 N/m, restitution: 0.5}}]
particles: [{random: {count: 60, material: glass, radius: 0.9 mm, speed: 0.5 m/s}}]
output: {series: {steps: 100}, progress: 0}
END
printf '%s\n' 'contacts.0.normal.stiffness,seed' '0.1 kN/m,1' '0.1 kN/m,2' '# not this one' '0.2 kN/m,1' > sweep.csv
check "a sweep with blanks in values, a job of an array, means over seeds, what is refused" << 'END'
import csv, json, math, os, subprocess
from tools import call
repo = os.path.dirname(os.environ["PYTHONPATH"])
code, said = call("scree-sweep", "run", "sweep.csv", "sweep.yaml", "--name", "s", "--only", "1")
assert code == 0 and "s-001: ended: contacts.0.normal.stiffness=0.1 kN/m seed=1" in said, said
jobs = os.path.join(repo, "jobscripts", "sweep.slurm")
job = subprocess.run(["bash", jobs, "sweep.csv", "sweep.yaml", "s"], env={
    **os.environ, "SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_JOB_ID": "1", "SCREE_LAUNCH": "env",
    "SCREE_SWEEP": os.path.join(repo, "tools", "scree-sweep")})
assert job.returncode == 0
code, said = call("scree-sweep", "run", "sweep.csv", "sweep.yaml", "--name", "s", "--ranks", "1")
assert code == 0 and "s-001: had ended" in said and "s-003: ended" in said, said
assert json.load(open("s-003/report.json"))["overrides"] == ["contacts.0.normal.stiffness=0.2 kN/m", "seed=1"]
code, said = call("scree-sweep", "collect", "s", "-y", "kinetic energy", "-o", "all.csv")
assert code == 0, said
last = [float(list(csv.DictReader(open(f"s-00{k}/series.csv")))[-1]["kinetic energy [J]"]) for k in (1, 2, 3)]
rows = list(csv.reader(open("all.csv")))
assert rows[0] == ["contacts.0.normal.stiffness", "runs", "kinetic energy", "error of kinetic energy"], rows
assert rows[1][:2] == ["0.1 kN/m", "2"] and rows[2][:2] == ["0.2 kN/m", "1"] and rows[2][3] == ""
assert math.isclose(float(rows[1][2]), (last[0] + last[1]) / 2)
assert math.isclose(float(rows[1][3]), abs(last[0] - last[1]) / 2)
assert math.isclose(float(rows[2][2]), last[2])
open("sweep.csv", "a").write("0.3 kN/m\n")
code, said = call("scree-sweep", "run", "sweep.csv", "sweep.yaml")
assert code != 0 and "row 4 has 1 values for 2 keys" in said, said
END

block "tools: help"
check "every tool explains itself, with examples" << 'END'
from tools import call
for tool in "scree-plot scree-view scree-report scree-probe scree-sweep fit-band ring-band profile".split():
    code, said = call(tool, "--help")
    assert code == 0 and "\nexample" in said, tool
END
summary
