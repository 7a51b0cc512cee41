#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs that strain the model: warnings in the log, and the end of runs that mean nothing.
# Usage: tests/cli/warnings.sh SCREE
set -uo pipefail
repo=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/support/shell_test.sh
source "$repo/tests/support/shell_test.sh"

# Four grains of radius 1 and mass 1 fall on a floor 0.01 below them, at 5 m/s; contact time
# pi sqrt(1 / 1e4) = 31.4 ms, V_c = 4 / 31.4 ms = 127 m/s.
cat > fall.yaml << 'END'
time: {step: 0.2 ms, steps: 60}
domain: {low: [-50, 0, 0], high: [50, 4.2, 4.2]}
materials: {m: {density: 0.2387324146}}
contacts: [{between: [m, m], normal: {law: linear, stiffness: 1e4}}]
boundaries: {floor: {shape: plane, material: m, point: [-50, 0, 0], normal: [1, 0, 0]}}
particles:
  - lattice: {material: m, radius: 1, spacing: 2.02, count: 4, high: [-47.98, 4.2, 4.2], drift: [-5, 0, 0]}
END
run() { # RANKS STEP STEPS MORE...
    ranks "$1" run fall.yaml -o out --force --set "time.step=$2" --set "time.steps=$3" "${@:4}"
}
never() { ! grep -Eq -- "$1" messages; verdict "does not say $1" $?; }

expect "a fine step" 0 run 1 '0.2 ms' 100
never 'warning'
for n in 1 2 3; do # of four alike, the first one
    expect "a long step on $n ranks" 0 run $n '1 ms' 15
    says 'warning: '
    says 'the contact time of grain 1 and wall .floor. is only 31.4 steps; below 50'
done
says 'even slow contacts last only 22.2 steps' # of two grains, foreseen
expect "nobody meets" 0 run 2 '1 ms' 1
says 'even slow contacts last only 22.2 steps'
for n in 1 2; do
    expect "a far too long step on $n ranks" 1 run $n '5 ms' 3
    says 'the contact time of grain [0-9]+ and wall .floor. is 6.28 steps; below 10 the run is meaningless'
done
expect "a far too long step, foreseen" 0 "$program" check fall.yaml --set 'time.step=5 ms'
says 'contacts of m with m that last only [0-9.]+ steps end a run; it goes on from 10 steps up'
expect "a far too long step, allowed" 0 run 1 '5 ms' 3 --set warnings.contact_steps_error=1 --set energy.tolerance=1
block "strong dashpots"
# One dashpot of 2e3 kg/s on 1 kg: 2 gamma dt / m = 1 at 1/4 ms.
for n in 1 2; do
    expect "too strong a dashpot on $n ranks" 0 run $n '0.3 ms' 10 --set contacts.0.normal.damping=2000 --set energy.tolerance=1
    says 'the time step is 1.2 times what the normal dashpots of grain [0-9]+, all together, allow'
done
expect "a strong dashpot" 0 run 1 '0.2 ms' 20 --set contacts.0.normal.damping=2000 --set energy.tolerance=1
never 'dashpots of grain'
says 'dashpots up to 0.8 of the limit'
expect "strong dashpots, foreseen" 0 "$program" check fall.yaml --set contacts.0.normal.damping=2000
says 'warning: .*dashpots up to 2e\+03 kg/s: grains with twelve such contacts want steps below 6.25e-05 s'
block "worst contacts"
# All four strain the step alike: whoever looks names the same three.
for n in 1 2 3; do
    expect "a ledger with too narrow a tolerance on $n ranks" 1 run $n '1 ms' 15 --set energy.tolerance=1e-12 \
        --set 'contacts.0.normal={law: power, stiffness: 2e4, damping: 100}'
    says 'the energy ledger does not close: .* J .*tolerance is 1e-12 .*grain 1 with wall .floor. .*grain 2 with wall .* grain 3 with wall'
    says 'the state of that moment is in out/state-failed.h5'
    holds "its report" /usr/bin/python3 -c 'import json
r = json.load(open("out/report.json"))
assert r["exit_code"] == 1 and r["steps"] == 10 and "ledger" in r["reason"]'
done
# Whether and when a run ends does not depend on the clock, hence not on how often it tells of progress.
for progress in 0 5; do
    expect "a ledger that does not close, told of every $progress s" 1 run 2 '1 ms' 50 --set "output={progress: $progress, series: {steps: 0}}" \
        --set energy.tolerance=1e-12 --set 'contacts.0.normal={law: power, stiffness: 2e4, damping: 100}'
    says 'step 10: the energy ledger does not close'
done

block "every impact counts"
# Every impact counts, whenever somebody looks: here long after it.
for n in 1 2; do
    expect "brake failure on $n ranks" 0 run $n '0.013 ms' 60 --set 'particles.0.lattice.drift=[-500, 0, 0]'
    says 'warning: '
    says 'brake failure: grain [0-9]+ and wall .floor. meet at 500 m/s, 3\.93 times'
done
block "glued grains"
# Two plates with grains on them meet; bare walls and glued grains do not feel each other.
cat > glued.yaml << 'END'
time: {step: 1 ms, steps: 600}
domain: {low: [0, 0, 0], high: [12, 12, 20], periodic: [x, y]}
materials: {m: {density: 1}}
contacts: [{between: [m, m], normal: {law: linear, stiffness: 1e4}}]
boundaries:
  low: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}
  high: {shape: plane, material: m, point: [0, 0, 10], normal: [0, 0, -1], velocity: [0, 0, -10]}
particles:
  - lattice: {material: m, radius: 1, spacing: 4, count: 9, low: [0, 0, 0], high: [12, 12, 4]}
    glue: {to: low, within: 2}
  - lattice: {material: m, radius: 1, spacing: 4, count: 9, low: [0, 0, 6], high: [12, 12, 10]}
    glue: {to: high, within: 2}
END
for n in 1 2 3; do
    expect "glued grains of two walls meet on $n ranks" 0 ranks $n run glued.yaml -o glued --force
    says "warning: grain 1, glued to wall 'low', and grain 10, glued to wall 'high', overlap"
done
expect "glued grains of two walls stay apart" 0 ranks 2 run glued.yaml -o glued --force --set time.steps=300
never 'overlap: glued'
block "hertz"
# Hertz: the contact time of this speed, not that of the first overlap: 52.2 ms, V_c = 76.6 m/s.
expect "brakes of elastic spheres" 0 run 2 '0.2 ms' 100 \
    --set 'contacts.0.normal={law: hertz, young: 1e4, poisson: 0, second: rigid}'
says 'impacts up to 0\.065 of the brake-failure speed'
never 'brake failure:'
expect "brakes that hold" 0 run 2 '0.13 ms' 2 --set 'particles.0.lattice.drift=[-50, 0, 0]'
says 'impacts up to 0\.39 of the brake-failure speed'
never 'brake failure:'
block "spins and sliding walls"
# Neither spins nor walls that slide by carry anything through anything.
expect "a floor that slides by" 0 run 2 '0.2 ms' 60 --set 'boundaries.floor.velocity=[0, 5000, 0]' \
    --set 'contacts.0.tangential={law: spring, stiffness: 1e3, friction: 0.1}'
says 'impacts up to 0\.039 of the brake-failure speed'
expect "spinning grains" 0 run 2 '0.2 ms' 60 --set particles.0.lattice.speed=5 --set particles.0.lattice.spin=1000
says 'impacts up to 0\.[0-9]+ of the brake-failure speed'

block "grains in one place"
# Grains of a file in one place: no direction, no force.
cat > same.data << 'END'
two atoms

2 atoms
1 atom types
0 4 xlo xhi
0 4 ylo yhi
0 4 zlo zhi

Atoms # sphere

1 1 2 1 2 2 2
2 1 2 1 2 2 2
END
expect "import" 0 "$program" import lammps same.data -o same.h5
for n in 1 2; do
    expect "two grains in one place on $n ranks" 2 run $n '0.2 ms' 1 \
        --set 'particles=[{state: {file: same.h5, materials: [m]}}]'
    says 'grain 1 and grain 2 overlap by 2 of the smaller radius'
    expect "the same, allowed, on $n ranks" 1 run $n '0.2 ms' 1 --set warnings.start_overlap=3 \
        --set 'particles=[{state: {file: same.h5, materials: [m]}}]'
    says 'grain 1 and grain 2 are at the same place|grain 2 and grain 1 are at the same place'
done

summary
