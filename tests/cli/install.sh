#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What `make install` leaves is of use: program, tools, manual page, completion, inputs, and a library
# with which the example of inputs/run_file.c runs a case from C.
# Usage: tests/cli/install.sh PROGRAM
set -uo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/support/shell_test.sh
source "$(dirname "$0")/../support/shell_test.sh"

expect "make install" 0 env -u MAKEFLAGS make -C "$repository" install PREFIX="$scratch/usr"
export PATH=$scratch/usr/bin:$PATH PKG_CONFIG_PATH=$scratch/usr/lib/pkgconfig
expect "the program" 0 scree --version
expect "a tool" 0 scree-plot --help
holds "a manual page" grep -q '^.TH SCREE 1' usr/share/man/man1/scree.1
holds "inputs" test -f usr/share/scree/inputs/drum/small.yaml
cat > complete.sh << 'EOF'
source usr/share/bash-completion/completions/scree
complete_words() { COMP_WORDS=(scree "$@") COMP_CWORD=$# COMPREPLY=(); _scree; echo "${COMPREPLY[@]}"; }
[ "$(complete_words conv)" = convert ] && [ "$(complete_words resume --all)" = --allow-change ] &&
    [ "$(complete_words help backgr)" = background_friction ]
EOF
holds "completion" bash complete.sh

cat > case.yaml << 'EOF'
time: {step: 10 us, steps: 300}
gravity: [0, 0, -9.81]
domain: {low: [0, 0, 0], high: [10 mm, 10 mm, 10 mm], periodic: [x, y]}
materials: {glass: {density: 2500 kg/m^3}}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 100 N/m, restitution: 0.5}
    tangential: {law: spring, stiffness: 28 N/m, friction: 0.5}
boundaries: {floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}}
particles: [{random: {count: 30, material: glass, radius: 0.7 mm, high: [10 mm, 10 mm, 5 mm], speed: 0.3 m/s}}]
output: {progress: 0}
EOF
# shellcheck disable=SC2046
expect "the example is compiled" 0 mpicc "$repository/inputs/run_file.c" \
    $(pkg-config --cflags --libs scree) -o run_file
# shellcheck disable=SC2086
expect "and runs a case three times" 0 $mpirun -n 2 ./run_file case.yaml
expect "as the program does" 0 scree run case.yaml -o alone -q --set contacts.0.tangential.friction=0.4
holds "the same bits" test -n "$(digest alone)" -a "$(digest alone)" = "$(digest friction-2)"
holds "each run is another one" test "$(digest friction-1)" != "$(digest friction-3)"
expect "a mistake is its exit code" 2 ./run_file complete.sh
cat > all.cpp << 'EOF'
#include <scree/run_file.h>
extern "C" {
#include <scree/job.h>
}
int main() { return scree_run_file == nullptr; }
EOF
if command -v mpicxx > /dev/null; then
    expect "headers are C++, too" 0 mpicxx -fsyntax-only -I usr/include all.cpp
fi
summary
