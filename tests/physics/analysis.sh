#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Measurements of whole runs: pressure inside against pressure on the walls (gas and packing), the
# same files on any number of ranks and after a resume, and the fit of shear bands.
# Usage: tests/physics/analysis.sh SCREE
set -uo pipefail
repo=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/support/shell_test.sh
source "$repo/tests/support/shell_test.sh"
python() { /usr/bin/python3 "$@"; }

# Mean pressure inside and on all walls over the rows after the first: within a tolerance?
cat > pressures.py << 'END'
import csv, sys
def mean(path):
    rows = list(csv.DictReader(open(path)))[1:]
    values = [float(v) for row in rows for k, v in row.items() if k.startswith("pressure")]
    return sum(values) / len(values)
inside, walls = mean(sys.argv[1] + "/stress.csv"), mean(sys.argv[1] + "/walls.csv")
print(f"inside {inside:.6g}, on walls {walls:.6g}: {inside / walls - 1:.2e}")
sys.exit(not (walls > 1 and abs(inside / walls - 1) < float(sys.argv[2])))
END

cat > gas.yaml << 'END'
title: elastic gas in a box
seed: 3
time: {step: 4 us, steps: 100000}
domain: {low: [0, 0, 0], high: [10 mm, 12 mm, 9 mm]}
materials: {g: {density: 2000 kg/m^3}}
contacts:
  - between: [g, g]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 1}
    tangential: {law: none}
boundaries:
  west: {shape: plane, point: [0, 0, 0], normal: [1, 0, 0], material: g}
  east: {shape: plane, point: [10 mm, 0, 0], normal: [-1, 0, 0], material: g}
  south: {shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: g}
  north: {shape: plane, point: [0, 12 mm, 0], normal: [0, -1, 0], material: g}
  floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: g}
  lid: {shape: plane, point: [0, 0, 9 mm], normal: [0, 0, -1], material: g}
particles:
  - random: {count: 100, material: g, radius: 0.6 mm, speed: 0.5 m/s}
output: {state: false, series: {steps: 0}}
analysis:
  - stress: {steps: 100000, sampled: 1, about: rest}
  - walls: {steps: 100000, sampled: 1}
END
expect "gas" 0 "$program" run gas.yaml -o gas -q
holds "gas: measuring has its own share of the time" python -c 'import json
p = json.load(open("gas/report.json"))["phases"]
assert p["measure"]["mean"] > p["setup"]["mean"], p'
expect "gas: the pressures agree within 0.5 %" 0 python pressures.py gas 0.005
cat messages

block "smooth walls"
# Walls without friction: with it, the forces along walls carry a part of the stress.
cat > packing.yaml << 'END'
title: compressed disks in a box
seed: 3
dimension: 2
time: {step: 2 us, steps: 16000}
domain: {low: [0, 0], high: [20 mm, 15 mm]}
background_friction: 1e-2 kg/s
materials: {g: {density: 10 kg/m^2}, w: {density: 10 kg/m^2}}
contacts:
  - between: [g, g]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.5}
    tangential: {law: spring, stiffness: 300 N/m, friction: 0.5}
  - between: [g, w]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.5}
    tangential: {law: none}
boundaries:
  west: {shape: plane, point: [0, 0, 0], normal: [1, 0, 0], material: w}
  east: {shape: plane, point: [20 mm, 0, 0], normal: [-1, 0, 0], material: w}
  south: {shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: w}
  north: {shape: plane, point: [0, 15 mm, 0], normal: [0, -1, 0], material: w}
particles:
  - dense: {count: 325, material: g, radius: {uniform: [0.4 mm, 0.6 mm]}, overlap: 0.2}
output: {state: false, series: {steps: 0}}
analysis:
  - stress: {steps: 16000}
  - walls: {steps: 16000}
END
expect "packing" 0 "$program" run packing.yaml -o packing -q
expect "packing: the pressures agree within 1e-4" 0 python pressures.py packing 1e-4
cat messages
block "walls and bulk compared"
cat > compared.py << 'END'
import csv, sys
last = list(csv.DictReader(open(sys.argv[1] + "/walls.csv")))[-1]
found = [float(last["disagreement " + a]) for a in "xy"]
print("disagreement of walls and bulk:", found)
sys.exit(not (max(found) < 0.005))
END
expect "packing: walls and bulk agree within 0.5 %, axis by axis" 0 python compared.py packing
holds "packing: no warning" sh -c '! grep -q "the stress of the bulk" packing/log.txt'
# Grains pressed through a viscous background, which bears a part of the load
sed -e 's/^time: .*/time: {step: 2 us, steps: 3000}/' -e 's/^background_friction: .*/background_friction: 3 kg\/s/' \
    -e '/^  north/s/}$/, velocity: [0, -0.3 m\/s]}/' -e 's/  - walls: .*/  - walls: {steps: 100}/' packing.yaml > viscous.yaml
expect "a load that the background bears" 0 "$program" run viscous.yaml -o viscous -q
says "the stress of the bulk and that by walls are [0-9]* % apart"
block "a wall outside the domain"
# Squeezed until a wall, and grains with it, have left the domain in which they began.
sed -e '/^  east/s/}$/, move: {law: cosine, direction: [1, 0], distance: 4 mm, duration: 20 ms}}/' \
    -e '/^  north/s/}$/, move: {law: cosine, direction: [0, -1], distance: 2.5 mm, duration: 20 ms}}/' \
    packing.yaml > squeezed.yaml
expect "squeezed" 0 "$program" run squeezed.yaml -o squeezed -q
expect "squeezed: the pressures agree within 1e-3" 0 python pressures.py squeezed 1e-3
cat messages

cat "$support/flow.yaml" - > flow.yaml << 'END'
time: {step: 2 us, steps: 1500}
output: {checkpoint: {steps: 450, keep: 2}, state: false}
balance: {force_every: 40}
analysis:
  - stress: {steps: 100, sampled: 10, border: 10 %}
  - walls: {steps: 100, sampled: 7}
  - packing: {steps: 70}
  - inertial: {steps: 100, sampled: 20, from: 1 ms}
  - profile: {along: z, bins: 8, steps: 200, sampled: 10, from: 0.3 ms, to: 2.6 ms}
  - profile: {name: swirl, along: r, centre: [3 mm, 2.5 mm], bins: 6, slabs: 2, sampled: 10}
  - fabric: {steps: 100, sampled: 10, axis: z}
  - networks: {steps: 200, sampled: 20, cutoffs: 6, wall_contacts: true}
  - forces: {steps: 200, sampled: 10, bins: 12}
  - fields: {bins: {x: 5, z: 6}, width: 0.4 mm, steps: 250, sampled: 10}
  - fields: {name: rings, bins: {r: 4, phi: 3, z: 2}, centre: [3 mm, 2.5 mm], width: 0.4 mm, steps: 500, sampled: 20}
  - profile: {name: field, along: z, bins: 8, axis: x, slabs: 5, steps: 200, sampled: 10, from: 0.3 ms, to: 2.6 ms}
END
tables="stress walls packing inertial profile swirl field fabric networks forces fields series"
same_tables() { # FOLDER
    local name
    for name in $tables; do cmp "whole/$name.csv" "$1/$name.csv" || return 1; done
}
same_grids() { # FOLDER
    local name
    for name in whole/fields.*.h5 whole/rings.*.h5; do cmp "$name" "$1/${name#whole/}" || return 1; done
}
expect "flow" 0 "$program" run flow.yaml -o whole -q
holds "16 rows of stress" test "$(wc -l < whole/stress.csv)" -eq 17
holds "rows of the inertial number begin at 1 ms" test "$(sed -n 2p whole/inertial.csv | cut -d, -f1)" = 500
cat > field.py << 'END'
import csv
profile, field = ([{k: float(v) for k, v in row.items()} for row in csv.DictReader(open(f"whole/{name}.csv"))]
                  for name in ("profile", "field"))
assert len(field) == 5 * len(profile)
for k, whole in enumerate(profile):
    parts = [row for row in field if row["z low [m]"] == whole["z low [m]"]]
    grains = sum(row["grains"] for row in parts)
    solid = sum(row["solid fraction"] for row in parts) / 5
    print(k, grains - whole["grains"], solid - whole["solid fraction"])
    assert len(parts) == 5 and abs(grains - whole["grains"]) < 1e-9 * (1 + grains)
    assert abs(solid - whole["solid fraction"]) < 1e-12
assert any(row["solid fraction"] > 0.1 for row in field)
END
expect "slabs across a profile add up to it" 0 python field.py
cat > grids.py << 'END'
import csv, glob, h5py
files = sorted(glob.glob("whole/fields.*.h5"))
assert len(files) == 7 and len(glob.glob("whole/rings.*.h5")) == 4, files
table = list(csv.DictReader(open("whole/fields.csv")))
assert len(table) == 7 * 5 * 6
for path in files + glob.glob("whole/rings.*.h5"):
    with h5py.File(path) as f:
        made = f["parameters"]
        assert made["input"][()].decode() == open("whole/input.yaml").read()
        assert open("whole/effective.yaml").read().startswith(made["effective_input"][()].decode())
        assert f.attrs["format"] == b"scree fields" and f.attrs["samples"] > 0 and f.attrs["width"] == 0.4e-3
        shape = tuple(len(f["axes"][a]) - 1 for a in f.attrs["axes"].decode().split())
        for name, rank in (("density", 0), ("velocity", 1), ("contact_stress", 2), ("strain_rate", 2)):
            field = f["fields"][name]
            assert field.shape == shape + rank * (3,), (name, field.shape)
            assert field.attrs["unit"] and field.attrs["description"]
with h5py.File(files[-1]) as f:
    last = [row for row in table if int(row["step"]) == f.attrs["step"]]
    assert [float(row["density [kg/m^3]"]) for row in last] == list(f["fields/density"][...].flat)
    grains = f["fields/grains"][...].sum()
    print("grains on the grid:", grains)
    assert grains > 10 and abs(grains - round(grains)) < 1e-9
END
expect "files of fields say what they hold, and agree with the table" 0 python grids.py
for n in 2 3 4; do
    expect "flow on $n ranks" 0 ranks $n run flow.yaml -o "whole$n" -q
    expect "the same tables on $n ranks" 0 same_tables "whole$n"
    expect "the same grids on $n ranks" 0 same_grids "whole$n"
done
block "resumed"
cat > same_grids.py << 'END'
import glob, sys, h5py  # the inputs of these files differ in the last step, all else does not
names = sorted(glob.glob("whole/fields.*.h5") + glob.glob("whole/rings.*.h5"))
for name in names:
    with h5py.File(name) as a, h5py.File(name.replace("whole", sys.argv[1])) as b:
        assert dict(a.attrs) == dict(b.attrs), name
        for group in "axes", "fields":
            for key in a[group]:
                assert a[group][key][...].tobytes() == b[group][key][...].tobytes(), (name, key)
END
# To step 700, back to the checkpoint of 450, and on with other ranks: rows from 451 to 700 are
# there already, and step 450 is in the middle of a row of stress, packing and walls.
for n in "1 2" "3 1" "2 4"; do
    # shellcheck disable=SC2086
    set -- $n
    expect "flow on $1 ranks to the middle" 0 ranks "$1" run flow.yaml -o "half$1" -q --set time.steps=700
    expect "resumed on $2" 0 ranks "$2" resume "half$1" --set time.steps=1500
    says "resumed from step 450"
    expect "the same tables after a resume from $1 on $2 ranks" 0 same_tables "half$1"
    expect "the same grids after a resume from $1 on $2 ranks" 0 python same_grids.py "half$1"
done

block "fit of a shear band"
# The fit of a shear band: synthetic data with noise
cat > band.py << 'END'
import math, random
random.seed(5)
print("r low [m],r high [m],grains,mean r [m],angular velocity [rad/s]")
for k in range(60):
    r = 0.05 + 0.001 * (k + 0.5)
    value = 0.02 * 0.5 * (1 + math.erf((r - 0.083) / 0.0071)) + 0.02 * random.gauss(0, 0.004)
    print(f"{r - 0.0005},{r + 0.0005},{40 + k % 3},{r},{value}")
print("0.11,0.111,0,nan,nan")
END
python band.py > band.csv
cat > fitted.py << 'END'
import re, sys
found = dict(re.findall(r"(\w+): (\S+) \+-", open("messages").read()))
for name, expected in (("amplitude", 0.5), ("centre", 0.083), ("width", 0.0071)):
    if abs(float(found[name]) / expected - 1) > 0.01: sys.exit(f"{name} is {found[name]}")
END
expect "fit of a band" 0 "$repo/tools/fit-band" band.csv band.png --rate 0.02
cp messages fit && cat fit
holds "amplitude, centre and width within 1 %" python fitted.py
holds "a picture of it" test -s band.png
expect "a profile without such a column" 1 "$repo/tools/fit-band" whole/profile.csv
says "no column 'mean r \[m\]'"
expect "a profile that is no band" 1 "$repo/tools/fit-band" <(head -n 3 band.csv)
says "needs 4"
expect "slabs of a measured profile" 1 "$repo/tools/fit-band" whole/swirl.csv --slab 5
says "has slabs 0 to 1"

summary
