#!/usr/bin/env bash
# Damaged files: a trajectory, a state file and a checkpoint with one bit flipped, or cut short, go through
# the commands that read files. They end with a message and 1 or 2, or 0 where the bit does no harm; never
# by a signal. A sample with a fixed seed; MANY=200 tries so many bits of each file.
# usage: tests/io/damaged.sh PROGRAM
set -u
# shellcheck source=tests/io/common.sh
source "$(dirname "$0")/common.sh"
many=${MANY:-12}

cat > small.yaml <<'YAML'
time: {step: 2 us, steps: 20}
domain: {low: [0, 0, 0], high: [6 mm, 6 mm, 6 mm], periodic: [x, y]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.7}
particles:
  - random: {count: 8, material: glass, radius: 0.3 mm, speed: 0.3 m/s}
output: {checkpoint: {steps: 10}, snapshots: {steps: 10, contacts: true}}
YAML
cat > from-state.yaml <<'YAML'
time: {step: 2 us, steps: 20}
domain: {low: [0, 0, 0], high: [6 mm, 6 mm, 6 mm], periodic: [x, y]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.7}
particles:
  - state: {file: damaged.h5, materials: [glass]}
YAML
expect "a run" 0 "$program" run small.yaml -o run -q
checkpoint=$(ls run/checkpoint*.h5 | head -n 1)

# Copy K of a file with a flipped bit, or every fourth time cut short. Every other bit is of the indices of
# groups, where one of four made HDF5 1.10.8 crash in spite of their checksums.
damage() { # FILE K
    python - "$1" "$2" <<'END'
import random, sys
name, k = sys.argv[1], int(sys.argv[2])
data, r = bytearray(open(name, "rb").read()), random.Random(k)
used = [i for i in range(len(data)) if data[i] != 0]
marks = (b"BTLF", b"BTHD", b"FRHP", b"FHDB", b"FHIB")
indices = [i + j for i in range(len(data) - 100) if data[i:i + 4] in marks for j in range(4, 100)]
if k % 2 == 0 and indices:
    used = indices
if k % 4 == 3:
    data = data[:r.randrange(len(data))]
else:
    data[r.choice(used)] ^= 1 << r.randrange(8)
open("damaged.h5", "wb").write(data)
END
}
survives() { # COMMAND...
    timeout 100 "$program" "$@" > messages 2>&1 < /dev/null
    local status=$?
    echo "exit code $status: $*" >> messages
    [ $status -eq 0 ] || { [ $status -le 2 ] && grep -q 'damaged\.h5' messages; }
    verdict "$1 of damage $k of $file" $?
}
for file in run/trajectory.001.h5 run/state.h5 "$checkpoint"; do
    for ((k = 14; k < 14 + many; k++)); do
        damage "$file" $k
        survives info damaged.h5
        [ "$file" = "$checkpoint" ] && continue
        survives convert damaged.h5 -o out.xyz --force
        survives compare damaged.h5 "$file"
        [ "$file" = run/state.h5 ] && survives check from-state.yaml
    done
done
summary
