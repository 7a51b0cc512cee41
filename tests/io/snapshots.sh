#!/usr/bin/env bash
# Snapshots of a run: they do not change it, contact forces add up to the forces on the grains, and
# frames of a resumed run continue those before.
# usage: tests/io/snapshots.sh [program]
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:-$here/../../build/release/scree}")
# shellcheck source=tests/support/mpi_settings.sh
. "$here/../support/mpi_settings.sh"
if ! /usr/bin/python3 -c 'import h5py' 2> /dev/null; then
    echo "skipped: snapshots (needs python3-h5py)"
    exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
cat > rain.yaml <<'END'
time: {step: 2 us, steps: 4000}
gravity: [0, 0, -9.81]
domain: {low: [0, 0, 0], high: [6 mm, 6 mm, 6 mm], periodic: [x, y]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.6}
    tangential: {law: spring, stiffness: 300 N/m, friction: 0.3}
boundaries:
  floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}
  lid: {shape: plane, point: [0, 0, 6 mm], normal: [0, 0, -1], velocity: [0, 0, -0.1], material: glass}
particles:
  - random: {count: 250, material: glass, radius: {uniform: [0.25 mm, 0.4 mm]}, speed: 0.5 m/s}
END
on() { local n=$1; shift; $mpirun -n "$n" "$program" "$@"; }
frames="output.snapshots={steps: 500, contacts: true, forces: true}"
on 1 run rain.yaml -o plain -q
on 3 run rain.yaml -o framed -q --set "$frames"
on 2 run rain.yaml -o resumed -q --set "$frames" --set time.steps=2700 --set output.checkpoint.steps=1300
on 4 resume resumed -q --set time.steps=4000
/usr/bin/python3 - <<'END'
import glob, json, h5py, numpy as np
passed = failed = 0
def check(ok, text):
    global passed, failed
    passed += bool(ok); failed += not ok
    if not ok: print("failed:", text)
digest = lambda d: json.load(open(d + "/report.json"))["digest"]
check(digest("plain") == digest("framed") == digest("resumed"), "snapshots change the run")
def read(folder):
    """{step: {id: force}}, later segments replace earlier ones; checks the sums on the way"""
    all = {}
    for name in sorted(glob.glob(folder + "/trajectory.*.h5")):
        f = h5py.File(name)
        g, c = f["particles/grains"], f["connectivity/contacts"]
        for k in range(f.attrs["frames_complete"]):
            n, m = int(f["observables/grain_count/value"][k]), int(f["observables/contact_count/value"][k])
            ids, force = g["id/value"][k][:n], g["force/value"][k][:n]
            total = np.zeros((ids.max() + 1, 3))
            for (a, b), x in zip(c["pairs/value"][k][:m], c["contact_force/value"][k][:m]):
                total[a] += x
                if b >= 0: total[b] -= x
            scale = max(abs(force).max(), 1e-12)
            check(abs(total[ids] - force).max() < 1e-10 * scale, f"{name} frame {k}: forces do not add up")
            check((c["overlap/value"][k][:m] > 0).all(), f"{name} frame {k}: overlaps")
            all[int(g["position/step"][k])] = dict(zip(ids.tolist(), map(bytes, g["position/value"][k][:n])))
    return all
head = open("framed/series.csv").readline().strip().split(",")[2:]
names = [] # "force on lid x [N]" is a component of force_on_lid
for word in head:
    name = word.split(" [")[0].replace(" ", "_")
    if name.startswith(("force_on_", "torque_on_", "position_of_")): name = name[:-2]
    if name not in names: names.append(name)
check({"kinetic_energy", "contacts", "lost_to_sliding", "closure_error", "force_on_floor"} < set(names), f"head of the series {head}")
def observables(folder):
    """what the trajectories hold at each step, in the order of the series"""
    rows = {}
    for name in sorted(glob.glob(folder + "/trajectory.*.h5")):
        f = h5py.File(name)
        o = f["observables"]
        columns = [o[w + "/value"][:] for w in names]
        for k, step in enumerate(f["particles/grains/position/step"][:]):
            rows[int(step)] = np.hstack([c[k] for c in columns]).tolist()
    return rows
def series(folder):
    lines = [l.split(",") for l in open(folder + "/series.csv").read().split("\n")[1:] if l]
    steps = [int(l[0]) for l in lines]
    check(steps == list(range(0, 4001, 100)), f"{folder}: rows of the series doubled or missing")
    return {int(l[0]): [float(x) for x in l[2:]] for l in lines}
for folder in "framed", "resumed":
    rows, seen = series(folder), observables(folder)
    check(len(seen) == 9 + (folder == "resumed") and all(rows[s] == seen[s] for s in seen), f"{folder}: observables are not those of the series")
check(series("framed") == series("resumed"), "series differ")
p = h5py.File("framed/trajectory.001.h5")["parameters"]
text = lambda x: p[x][()].decode()
check(text("input") == open("rain.yaml").read() and "step: 2 us" in text("effective_input") and "# default" in text("effective_input"), "input in the file")
check(p["ranks"][()] == 3 and p["seed"][()] == 1 and text("version") and text("commit") and text("compiler"), "origin in the file")
a, b = read("framed"), read("resumed")
check(sorted(a) == list(range(0, 4001, 500)), f"steps {sorted(a)}")
check(b.pop(2700, None), "the end of the first part has a frame, too")
check(a == b, "frames of the resumed run differ")
print(f"{int(failed == 0)} passed, {int(failed > 0)} failed ({passed + failed} comparisons)")
raise SystemExit(failed > 0)
END
