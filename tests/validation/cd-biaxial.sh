#!/usr/bin/env bash
# Biaxial compression of the same dense packings of disks by soft spheres and by contact dynamics (Wolf 2000,
# section 4.2): rigid grains bear their load at once, soft ones only after some strain, but after yield
# stress and density are the same within what one sample differs from the next. Five samples; draws both
# curves into build/validation/cd-biaxial.png.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$1

# Pressed without friction between smooth walls, by contact dynamics.
cat > "$scratch/press.yaml" << 'YAML'
title: a dense packing
method: cd
dimension: 2
time: {step: 0.5 ms}
domain: {low: [-0.02, 0], high: [0.3, 0.3]}
materials: {disk: {density: 280 kg/m^2}, wall: {density: 280 kg/m^2}}
contacts:
  - between: [disk, disk]
    rigid: {friction: 0.5}
  - between: [disk, wall]
    rigid: {}
boundaries:
  left: {shape: plane, material: wall, point: [0, 0], normal: [1, 0]}
  right: {shape: plane, material: wall, point: [0.3, 0], normal: [-1, 0]}
  bottom: {shape: plane, material: wall, point: [0, 0], normal: [0, 1]}
  top: {shape: plane, material: wall, point: [0, 0.3], normal: [0, -1]}
particles:
  - dense: {count: 640, material: disk, radius: {uniform: [3.8 mm, 7.5 mm]}, low: [0, 0], high: [0.3, 0.3]}
stages:
  - name: press
    friction: 0
    until: {time: 0.5 s}
    boundaries:
      left: {servo: {stress: 690 N/m, speed: 0.1 m/s}}
      top: {servo: {stress: 690 N/m, speed: 0.1 m/s}}
solver: {residual: 1e-3, blocks: 200}
output: {series: {every: 50 ms}}
YAML
test_sample() { # METHOD SEED: from where the walls are in the end
    local left top height
    left=$(column "position of left x [m]" "$scratch/press-$2/series.csv")
    top=$(column "position of top y [m]" "$scratch/press-$2/series.csv")
    height=$top
    cat << YAML
title: biaxial compression by $1
method: $1
dimension: 2
time: {step: $([ "$1" = cd ] && echo 0.5 ms || echo 5 us), end: $(awk -v h="$height" 'BEGIN { print 0.16 * h / 0.1 + 0.01 }')}
domain: {low: [-0.1, 0], high: [0.3, 0.3]}
materials: {disk: {density: 280 kg/m^2}, wall: {density: 280 kg/m^2}}
contacts: # P = 690 N/m is 1/1000 of the stiffness
  - between: [disk, disk]
    normal: {law: linear, stiffness: 7e5 N/m, restitution: 0.1}
    tangential: {law: spring, stiffness: 3.5e5 N/m, friction: 0.5}
    rigid: {friction: 0.5}
  - between: [disk, wall]
    normal: {law: linear, stiffness: 7e5 N/m, restitution: 0.1}
    rigid: {}
boundaries:
  left: {shape: plane, material: wall, point: [$left, 0], normal: [1, 0], servo: {stress: 690 N/m, mass: 0.3 kg, damping: 10 kg/s}}
  right: {shape: plane, material: wall, point: [0.3, 0], normal: [-1, 0]}
  bottom: {shape: plane, material: wall, point: [0, 0], normal: [0, 1]}
  top: {shape: plane, material: wall, point: [0, $top], normal: [0, -1],
        move: {law: ramp, direction: [0, -1], rate: 0.1 m/s, rise: 20 ms}}
particles:
  - state: {file: $scratch/press-$2/state.h5, materials: [disk]}
output: {series: {every: 1 ms}, state: false}
analysis:
  - walls: {every: 1 ms, sampled: 1}
  - packing: {every: 1 ms, border: 15 %}
YAML
    [ "$1" = md ] || echo "solver: {residual: 1e-3, blocks: 200}"
}
column() { # NAME FILE: its last value
    awk -F, -v name="$1" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k } END { print $at }' "$2"
}
samples() { # SEEDS...
    local seed method
    for seed; do
        launch 1 "$program" run "$scratch/press.yaml" -o "$scratch/press-$seed" -q --set seed="$seed" || return
        for method in cd md; do
            test_sample $method "$seed" > "$scratch/$method-$seed.yaml"
            launch 1 "$program" run "$scratch/$method-$seed.yaml" -o "$scratch/$method-$seed" -q \
                2> "$scratch/messages-$method-$seed" || cat "$scratch/messages-$method-$seed" >&2
        done
    done
}
samples 1 2 3 &
samples 4 5 &
wait
mkdir -p "$here/../../build/validation"
PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$here/compare-biaxial" "$scratch" 5 "$here/../../build/validation/cd-biaxial.png"
