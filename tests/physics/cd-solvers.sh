#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Solvers of contact dynamics beside each other: the same velocities from sweeps, gradients and
# Newton's method, on several ranks and after resume; tight tolerances where sweeps crawl.
# Usage: tests/physics/cd-solvers.sh PROGRAM
set -uo pipefail
# shellcheck source=tests/support/shell_test.sh
source "$(dirname "$0")/../support/shell_test.sh"

cat > pile.yaml << 'END'
method: cd
seed: 3
time: {step: 0.01, steps: 100}
materials: {m: {density: 1.9}}
gravity: [0, 0, -1]
domain: {low: [0, 0, 0], high: [5, 5, 8], periodic: [x, y]}
boundaries: {floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}}
contacts: [{between: [m, m], rigid: {friction: 0.3}}]
solver: {residual: 1e-4, blocks: 30}
particles: [{dense: {material: m, radius: {uniform: [0.4, 0.5]}, count: 150}}]
output: {checkpoint: {steps: 100}, series: {steps: 1}}
END
further() { # NAME RANKS SOLVER...: from the checkpoint of step 100
    local name=$1 n=$2 sets=() set
    shift 2
    for set in "$@"; do sets+=(--set "solver.$set"); done
    cp -r settled "$name"
    expect "$name" 0 ranks "$n" resume "$name" --allow-change --set time.steps=103 --set solver.residual=1e-9 \
        --set solver.most=20000 "${sets[@]}"
}
agrees() { # FOLDER: with nncg, far more closely than steps change velocities
    expect "$1 agrees" 0 ranks 1 compare nncg/state.h5 "$1/state.h5" --tolerance 1e-6
}
expect "settle" 0 ranks 1 run pile.yaml -o settled --set time.steps=101
rm -f settled/state.h5
further nncg 1 method=nncg

block "gradients"
further apgd 1 method=apgd
agrees apgd
further apgd3 3 method=apgd
holds "the same bits on 3 ranks" same apgd3 apgd

if PETSC_OPTIONS="" "$program" check pile.yaml --set solver.method=petsc > /dev/null 2>&1; then
    block "newton"
    further petsc 1 method=petsc
    says "0 of [0-9]+ steps not solved to 1e-09"
    agrees petsc
    further petsc2 2 method=petsc
    agrees petsc2
    further petsc4 4 method=petsc first=apgd
    agrees petsc4
    further auto 1 method=auto
    agrees auto
    export PETSC_OPTIONS="-scree_cd_ksp_type gmres -scree_cd_pc_type asm -scree_cd_ksp_rtol 1e-6"
    further iterative 2 method=petsc
    agrees iterative
    unset PETSC_OPTIONS

    block "a column"
    # A hundred balls under gravity, from zero: what one sweep does travels a ball.
    cat > column.yaml << 'END'
method: cd
seed: 1
time: {step: 0.05, steps: 1}
materials: {m: {density: 1.9}}
gravity: [0, 0, -1]
domain: {low: [-2, -2, 0], high: [2, 2, 120]}
boundaries: {floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}}
contacts: [{between: [m, m], rigid: {friction: 0.3}}]
solver: {residual: 1e-8, most: 20000, warm_start: false}
particles: [{lattice: {material: m, radius: 0.5, count: 100, spacing: 1.000001, low: [-0.51, -0.51, 0], high: [0.51, 0.51, 100.001]}}]
END
    expect "sweeps" 0 ranks 1 run column.yaml -o sweeps --set solver.method=sweeps
    says "1 of 1 steps not solved to 1e-08"
    for solver in petsc auto; do
        expect "$solver" 0 ranks 1 run column.yaml -o column-$solver --set solver.method=$solver
        says "0 of 1 steps not solved to 1e-08"
    done
    expect "its problem" 0 ranks 1 fclib export column.yaml -o column.hdf5 --set solver.method=petsc
    expect "by sweeps" 1 ranks 1 fclib solve column.hdf5 --solver sweeps --measure scree --tol 1e-8
    says "not solved: scree residual"
    expect "by newton" 0 ranks 1 fclib solve column.hdf5 --solver petsc --measure scree --tol 1e-8
    says "solved: .* systems of equations"

    block "bonds"
    expect "left to sweeps" 0 ranks 1 run pile.yaml -o bonds --set solver.method=petsc --set time.steps=101 \
        --set solver.residual=1e-7 --set 'contacts.0.rigid.cohesion=0.01' --set 'contacts.0.rigid.range=0.05'
    says "solver petsc: contacts cohere: steps like this one are solved by sweeps"
else
    echo "skipped: Newton's method: built without PETSc"
fi
summary
