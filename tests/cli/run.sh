#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The command line as a user meets it: commands, folders, files, exit codes, messages.
# Usage: tests/cli/run.sh SCREE
set -uo pipefail
repo=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/support/shell_test.sh
source "$repo/tests/support/shell_test.sh"

python() { /usr/bin/python3 "$@"; }
digest() { python -c 'import json, sys; print(json.load(open(sys.argv[1]))["digest"])' "$1/report.json"; }
same() { [ -n "$1" ] && [ "$1" = "$2" ]; }
listing() { (cd "$1" && find . -type f -exec sha256sum {} + | sort); }

cat > rain.yaml << 'END'
title: beads in a box  # the comment must survive in input.yaml
seed: 7
time: {step: 2 us, steps: 300}
gravity: [0, 0, -9.81]
domain: {low: [0, 0, 0], high: [6 mm, 6 mm, 6 mm], periodic: [x, y]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1000 N/m, damping_rate: 9000}
    tangential: {law: spring, stiffness: 286 N/m, friction: 0.5}
boundaries:
  floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}
particles:
  - random: {count: 40, material: glass, radius: {uniform: [0.4 mm, 0.6 mm]}, speed: 0.5 m/s}
END

block "lists"
# What there is
expect "--version" 0 "$program" --version
says '^scree [0-9]+\.[0-9]+\.[0-9]+ \('
says 'ParMETIS: '
says '^compiler: '
expect "list laws" 0 "$program" list laws
says '^normal +linear '
says '^tangential +spring '
expect "list boundaries" 0 "$program" list boundaries
says '^plane '
expect "list sizes" 0 "$program" list sizes
says '^lognormal '
expect "list regions" 0 "$program" list regions
says '^cylinder '
expect "list samples" 0 "$program" list samples
says '^lattice '
says '^random '
says '^state '
expect "list analyses" 0 "$program" list analyses
says '^stress '
says '^profile '
expect "list partitioners" 0 "$program" list partitioners
says '^hilbert '
says '^parmetis '
expect "list keys" 0 "$program" list keys
says '^time\.step: .*\[s\].*; allowed > 0; required'
says '^contacts\[\]\.normal\{law: linear\}\.stiffness: '
says '^particles\[\]\.random\.count: '
expect "list nonsense" 2 "$program" list lawz
says "did you mean 'laws'\?"
expect "list of nothing" 2 "$program" list
says 'laws\|boundaries\|motions\|samples\|sizes\|regions\|partitioners\|analyses\|keys'
expect "list on 2 ranks" 0 ranks 2 list laws
holds "list on 2 ranks prints once" test "$(grep -c '^normal  *linear' messages)" -eq 1

block "help"
# Help
expect "help" 0 "$program" help
says '^usage: scree COMMAND'
expect "--help" 0 "$program" --help
for command in run resume check methods spread fclib contact info convert compare import list help; do
    expect "$command --help" 0 "$program" "$command" --help
    says "^scree $command .*: "
    holds "what it says is its own" test "$(wc -l < messages)" -lt 20
done
expect "help servo" 0 "$program" help servo
says 'boundaries.\*.servo.*\.stress: .*\[Pa\]'
expect "help stiffness" 0 "$program" help stiffness
says 'normal.*spring constant k \[N/m\]; allowed > 0; required'
says 'tangential.*stiffness'
expect "help sampled" 0 "$program" help sampled
says '^analysis\[\]\.\*\.sampled: '
expect "help of a dotted key" 0 "$program" help time.step
says '^time\.step: '
expect "help of an unknown key" 2 "$program" help stifness
says "no key 'stifness'; did you mean 'stiffness'\?"
expect "help far from any key" 2 "$program" help xyzzy
says 'scree list keys'

block "wrong command lines"
# Wrong command lines
expect "no command" 2 "$program"
says 'no command given; `scree help` lists what there is'
expect "unknown command" 2 "$program" rnu rain.yaml
says "unknown command 'rnu'; did you mean 'run'\?"
expect "unknown option" 2 "$program" run rain.yaml --frce
says "unknown option '--frce'"
expect "option without its value" 2 "$program" run rain.yaml -o
says "needs a value"
expect "too many arguments" 2 "$program" run rain.yaml a b
says "unexpected argument 'b'"
expect "check without a file" 2 "$program" check
says 'needs an input file'
expect "missing file" 1 "$program" run nowhere.yaml
says 'cannot open nowhere\.yaml: No such file'
expect "missing file on 2 ranks" 1 ranks 2 check nowhere.yaml
says 'cannot open nowhere\.yaml: No such file'
expect "a folder is no input" 1 "$program" check .
says 'cannot read \.: Is a directory'
holds "nothing was written so far" test "$(ls)" = "$(printf 'messages\nrain.yaml')"

block "check"
# Check
expect "check" 0 "$program" check rain.yaml
says '40 grains'
says 'contact time [0-9.e-]+ s = [0-9]+ steps, critical step'
says 'restitution 0[.0-9]+ at 1 m/s, brake failure above V_c'
says 'rain\.yaml: no mistakes found'
piped() { cat "$1" | "${@:2}"; } # FILE COMMAND...
expect "check of standard input" 0 piped rain.yaml "$program" check -
says '<stdin>: no mistakes found'
sed 's/seed:/sed:/' rain.yaml > mistake
expect "a mistake in standard input, on 2 ranks" 2 piped mistake ranks 2 check -
says "^<stdin>:2:1: .*'sed'"
rm mistake
expect "no input at all" 2 "$program" check -
holds "check writes nothing" test "$(ls)" = "$(printf 'messages\nrain.yaml')"
expect "check warns of a long step" 0 "$program" check rain.yaml --set 'time.step=20 us'
says 'the time step is more than 1/50 of the contact time of glass with glass'

expect "automatic step" 0 "$program" run rain.yaml --set time.step=auto -o auto
says 'automatic time step: [0-9.e-]+ s'
block "check: stiff friction"
# Stiff friction oscillates faster than the contact lasts: sqrt(3.5 x 9) = 5.6 times.
expect "check of stiff friction" 0 "$program" check rain.yaml --set time.step=auto \
    --set 'contacts.0={between: [glass, glass], normal: {law: linear, stiffness: 1000}, tangential: {law: spring, stiffness: 9000, friction: 0.5}}'
says 'contact time 5\.823e-05 s = '
says 'half a period of the tangential spring: 1\.038e-05 s = 5[5-9] steps'
holds "the step is kept for resuming" grep -Eq '^  step: [0-9.e-]+$' auto/effective.yaml

block "run"
# Run
expect "run" 0 "$program" run rain.yaml
says '^digest: [0-9a-f]{16}$'
holds "default results folder" test -d results-rain
holds "files of a run" test "$(cd results-rain && echo *)" = \
    "effective.yaml input.yaml log.txt report.json series.csv state.h5"
holds "input.yaml is the input" cmp rain.yaml results-rain/input.yaml
expect "run of standard input" 0 piped rain.yaml ranks 2 run -
holds "as from the file" same "$(digest results-stdin)" "$(digest results-rain)"
holds "its text is kept" cmp rain.yaml results-stdin/input.yaml
holds "log.txt holds the digest" grep -q "^digest: $(digest results-rain)" results-rain/log.txt
holds "report.json has its keys" python -c 'import json
r = json.load(open("results-rain/report.json"))
for key in ("title version commit compiler ranks grains steps time loop_seconds kinetic_energy "
            "rotational_energy contacts wall_contacts walls rebuilds balances partitioner imbalance "
            "messages_per_step bytes_per_step bytes_per_grain phases digest").split():
    assert key in r, key
assert r["grains"] == 40 and r["steps"] == 300 and r["ranks"] == 1
assert abs(r["time"] - 6e-4) < 1e-12
assert len(r["digest"]) == 16 and int(r["digest"], 16) >= 0
assert len(r["walls"]["floor"]["force"]) == 3
assert set(r["phases"]["contacts"]) == {"min", "mean", "max"}'
holds "state.h5 has its parts" python -c 'import h5py
f = h5py.File("results-rain/state.h5")
assert f["particles/position"].shape == (40, 3) and f.attrs["step"] == 300'
holds "tools/scree-view draws it" "$repo/tools/scree-view" results-rain/state.h5 picture.png --pixels 200
expect "frames" 0 "$program" run rain.yaml -o frames --set 'output={snapshots: {steps: 100}}'
holds "tools/scree-view draws a frame" "$repo/tools/scree-view" frames/trajectory.001.h5 frame.png --pixels 200
holds "the last frame is the state" cmp picture.png frame.png
holds "species have the names of their materials" env PYTHONPATH="$repo/tools" /usr/bin/python3 -B - << 'END'
import scree
from scree import view
labels = [view.colours_of_kinds(frame).names
          for frame in (scree.open("frames").frames[-1], scree.open("results-rain").state)]
assert labels == [["glass"], ["glass"]], labels
END
block "run: disks"
# Two disks of radius 1 side by side in a layer of 4 x 2.
cat > flat.yaml << 'END'
dimension: 2
time: {step: 1e-4, steps: 0}
domain: {low: [0, 0], high: [4, 2.2]}
materials: {m: {density: 1}}
contacts: [{between: [m, m], normal: {law: linear, stiffness: 1}}]
particles: [{lattice: {material: m, radius: 1, spacing: 2, high: [4, 2]}}]
END
expect "disks" 0 "$program" run flat.yaml -o flat -q
expect "tools/profile stacks disks along y" 0 python "$repo/tools/profile" flat/state.h5
says '2000\.00 +2  0\.785'
holds "tools/scree-view shows disks in the plane xy" env PYTHONPATH="$repo/tools" /usr/bin/python3 -B - << 'END'
import scree
from scree import view
planes = [one.plane for one in view.views_of(scree.read("flat/state.h5"), view.Look())]
assert planes == ["xy"], planes
END

before=$(listing results-rain)
expect "an existing folder is refused" 2 "$program" run rain.yaml --set seed=8
says 'results-rain holds results already.*--force'
holds "and left untouched" same "$before" "$(listing results-rain)"
expect "on 2 ranks as well" 2 ranks 2 run rain.yaml --set seed=8
holds "and left untouched on 2 ranks" same "$before" "$(listing results-rain)"
expect "--force replaces it" 0 "$program" run rain.yaml --set seed=8 --force
holds "with other results" test "$before" != "$(listing results-rain)"
holds "--set shows in effective.yaml" grep -q '^seed: 8' results-rain/effective.yaml
holds "input.yaml is still the input" cmp rain.yaml results-rain/input.yaml
seed_8=$(digest results-rain)
expect "effective.yaml runs" 0 "$program" run results-rain/effective.yaml -o again
holds "to the same digest" same "$(digest again)" "$seed_8"
expect "2 ranks" 0 ranks 2 run results-rain/effective.yaml -o again-2
holds "give the same digest" same "$(digest again-2)" "$seed_8"
mkdir empty
expect "an empty folder is welcome" 0 "$program" run rain.yaml -o empty -q
holds "-q is quiet" test ! -s <(grep -v '^exit code' messages)
expect "a file is no folder" 1 "$program" run rain.yaml -o rain.yaml
says 'rain\.yaml exists and is not a folder'
expect "no parent folder" 1 "$program" run rain.yaml -o no/where
says 'cannot make the folder no/where'
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && chmod a-w locked
    expect "unwritable folder" 1 "$program" run rain.yaml -o locked/results
    says 'cannot make the folder locked/results'
else
    echo "skipped: unwritable folder (root may write everywhere)"
fi
expect "state file can be left out" 0 "$program" run rain.yaml -o stateless --set output.state=no
holds "no state.h5" test ! -e stateless/state.h5
sed 's/between: \[glass, glass\]/between: [glass, steel]/; s/^materials:/&\n  steel: {density: 7800}/' \
    rain.yaml > lawless.yaml
expect "no law, seen when grains are there" 2 "$program" run lawless.yaml -o lawless
says "^lawless\.yaml:[0-9]+:[0-9]+: contacts: no entry between 'glass' and 'glass'"
holds "writes nothing" test -z "$(ls lawless 2> /dev/null)"
expect "the same on 2 ranks, said once" 2 ranks 2 check lawless.yaml
holds "once" test "$(grep -c 'no entry between' messages)" -eq 1
sed 's/^  floor:/  "the \\"floor\\" \\\\":/' rain.yaml > quoted.yaml
expect "a wall with quotes in its name" 0 "$program" run quoted.yaml
holds "report.json stays JSON" python -c 'import json
assert "the \"floor\" \\" in json.load(open("results-quoted/report.json"))["walls"]'

block "import"
# Import
cat > data.tiny << 'END'
three grains
# a comment

3 atoms
2 atom types

0 0.01 xlo xhi
0 0.01 ylo yhi
0 0.01 zlo zhi

Atoms # sphere

1 1 0.001 2500 0.002 0.005 0.005 0 0 0
2 1 0.001 2500 0.0029 0.005 0.005 0 0 0
9 2 0.001 2500 0.008 0.005 0.005 0 0 0

Velocities

1 0.1 0 0 0 0 0
2 -0.1 0 0 0 0 0
9 0 0 0 0 0 50
END
cat > tiny.yaml << 'END'
time: {step: 1 us, steps: 200}
domain: {low: [0, 0, 0], high: [10 mm, 10 mm, 10 mm]}
materials: {a: {density: 2500}, b: {density: 2500}}
contacts:
  - between: [a, a]
    normal: {law: linear, stiffness: 1000 N/m}
  - between: [a, b]
    normal: {law: linear, stiffness: 1000 N/m}
  - between: [b, b]
    normal: {law: linear, stiffness: 1000 N/m}
particles:
  - state: {file: tiny.h5, materials: [a, b]}
warnings: {start_overlap: 0.3}
END
expect "import" 0 "$program" import lammps data.tiny -o tiny.h5
holds "three grains with their ids" python -c 'import h5py
assert sorted(h5py.File("tiny.h5")["particles/id"][:]) == [1, 2, 9]'
expect "import over a file is refused" 2 "$program" import lammps data.tiny -o tiny.h5
says 'tiny\.h5 exists; use --force'
expect "import --force" 0 ranks 2 import lammps data.tiny -o tiny.h5 --force
expect "run from the state on 1 rank" 0 "$program" run tiny.yaml -o tiny-1
expect "run from the state on 2 ranks" 0 ranks 2 run tiny.yaml -o tiny-2
holds "same digest" same "$(digest tiny-1)" "$(digest tiny-2)"
sed 's/^2 1 0.001 2500 0.0029/2 1 0.001 heavy 0.0029/' data.tiny > data.bad
expect "malformed import" 2 "$program" import lammps data.bad -o bad.h5
says 'data\.bad:14'
holds "writes nothing" test ! -e bad.h5
sed 's/^2 1 0.001 2500 0.0029/2 1 0.001 2500 1e6/' data.tiny > data.far
expect "import of a grain far outside the box" 2 "$program" import lammps data.far -o far.h5
says 'data\.far:14: x is 1e\+06, far outside the box'
for command in help '--version' 'list laws' 'help time.step' 'help --markdown' 'info tiny.h5' 'compare tiny.h5 tiny.h5' \
    'check tiny.yaml' 'run tiny.yaml -o full'; do
    # shellcheck disable=SC2086
    "$program" $command > /dev/full 2> messages
    [ $? -eq 1 ] && grep -q 'standard output cannot be written' messages
    verdict "$command with a full output is an error" $?
done
expect "import of an unknown format" 2 "$program" import gromacs data.tiny -o x.h5
says "'lammps'"
expect "import of a missing file" 1 "$program" import lammps nowhere -o x.h5
says 'nowhere'
expect "missing state file" 1 "$program" check tiny.yaml --set particles.0.state.file=nowhere.h5
says 'nowhere\.h5'

block "runs that cannot go on"
# Runs that cannot go on, and one that can
expect "unstable run" 1 "$program" run rain.yaml -o unstable --set 'time.step=0.2 ms'
says 'error: .*step [0-9]+: .*grain [0-9]+ .*time step'
expect "unstable run on 2 ranks" 1 ranks 2 run rain.yaml -o unstable-2 --set 'time.step=0.2 ms'
says 'error: .*step [0-9]+: .*grain [0-9]+ .*time step'
# Whatever ends a run leaves the state of that moment, and why.
for folder in unstable unstable-2; do
    holds "the report of $folder says why" python -c 'import json, sys
r = json.load(open(sys.argv[1] + "/report.json"))
assert r["exit_code"] == 1 and "grain" in r["reason"] and r["steps"] < 300' $folder
    expect "the state of $folder can be read" 0 "$program" info $folder/state-failed.h5
    says '^grains: 40'
    holds "it is not taken for a result" test ! -e $folder/state.h5
done
expect "the same run with a good step" 0 "$program" run rain.yaml -o unstable --force
holds "nothing is left of the failure" test ! -e unstable/state-failed.h5
holds "its report" python -c 'import json
r = json.load(open("unstable/report.json"))
assert r["exit_code"] == 0 and r["reason"] == "all is done"'
# Grains that come with a stage, into those that are there: the input is wrong, but the run has begun.
cat > again.yaml << 'END'
time: {step: 2 us}
domain: {low: [0, 0, 0], high: [6 mm, 6 mm, 6 mm], periodic: [x, y]}
materials: {glass: {density: 2500 kg/m^3}}
contacts: [{between: [glass, glass], normal: {law: linear, stiffness: 1000 N/m}}]
particles: [{state: {file: before/state.h5, materials: [glass]}}]
stages:
  - {name: first, until: {steps: 100}}
  - {name: again, until: {steps: 100}, particles: [{state: {file: before/state.h5, materials: [glass]}}]}
END
expect "grains for it" 0 "$program" run rain.yaml -o before
for n in 1 2; do
    expect "a stage that puts grains into grains on $n ranks" 2 ranks $n run again.yaml -o again --force
    says 'grain [0-9]+ and grain [0-9]+ overlap by 1[.]9 of the smaller radius when they come in'
    says 'the state of that moment is in again/state-failed.h5'
    holds "its report says why" python -c 'import json
r = json.load(open("again/report.json"))
assert r["exit_code"] == 2 and "overlap" in r["reason"] and r["steps"] == 100'
    expect "its state can be read" 0 "$program" info again/state-failed.h5
done
limited() { (ulimit -v 1500000; "$@"); } # kB
cat > empty.yaml << 'END'
time: {step: 1 us, steps: 10}
domain: {low: [0, 0, 0], high: [1e12, 1e12, 1]}
materials: {glass: {density: 2500}}
contacts: [{between: [glass, glass], normal: {law: linear, stiffness: 2000}}]
particles: [{random: {count: 50, material: glass, radius: 1 mm}}]
END
expect "empty space needs no memory" 0 limited "$program" check empty.yaml
says 'memory about [0-9.e-]+ GB'
expect "more memory than there is" 1 limited "$program" check empty.yaml \
    --set 'particles=[{lattice: {material: glass, radius: 1 mm, high: [1, 1, 1]}}]'
says 'out of memory: [a-z_]+\(\) wants [0-9]+ items of [0-9]+ bytes'
expect "no room for the grains" 1 "$program" check rain.yaml --set particles.0.random.count=380
says 'particles, line 15: random sample: only [0-9]+ of 380 grains found a free place'
expect "grains may leave an open box" 0 ranks 2 run tiny.yaml -o open \
    --set 'time.step=10 us' --set time.steps=2000 --set 'gravity=[0, 0, 9.81]'
holds "they are far outside, and counted" python -c 'import h5py, json
assert json.load(open("open/report.json"))["grains"] == 3
assert min(h5py.File("open/state.h5")["particles/position"][:, 2]) > 0.0065'

summary
