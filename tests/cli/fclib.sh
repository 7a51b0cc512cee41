#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Contact problems in files: those of other codes (where they are at hand) with the residual found
# again by Siconos (where it is installed), problems of our own steps, the same from any number of
# ranks, and what is refused. Usage: tests/cli/fclib.sh PROGRAM
set -uo pipefail
data=$(cd "$(dirname "$0")/../../.." && pwd)
for place in "$data/shared/data/fclib" "$data/../shared/data/fclib"; do [ -d "$place" ] && break; done
# shellcheck source=tests/support/shell_test.sh
source "$(dirname "$0")/../support/shell_test.sh"
value() { sed -n "s/.*$1 \([0-9.e+-]*\).*/\1/p" messages | head -n 1; } # WORD
below() { awk -v x="$1" -v y="$2" 'BEGIN { exit !(x != "" && x <= y) }'; }

# Siconos' own error of the solution in a file beside the one that scree printed.
cat > error.py << 'END'
import sys, h5py, numpy as np, scipy.sparse as sp, warnings
import siconos.numerics as sn
warnings.filterwarnings("ignore")
def matrix(g):
    m, n, nz = (int(np.ravel(g[k])[0]) for k in ("m", "n", "nz"))
    p, i, x = (np.array(g[k]) for k in "pix")
    if nz == -2:
        return sp.csr_matrix((x, i, p), shape=(m, n)).tocsc()
    return sp.csc_matrix((x[:nz], (i[:nz], p[:nz])), shape=(m, n))
h = h5py.File(sys.argv[1])
g = h[[k for k in h if k.startswith("fclib")][0]]
mu = np.array(g["vectors/mu"])
if "W" in g:
    w, q = matrix(g["W"]), np.array(g["vectors/q"])
else:
    m, hm = matrix(g["M"]), matrix(g["H"])
    assert abs(m - sp.diags(m.diagonal())).max() == 0
    inverse = sp.diags(1 / m.diagonal())
    w, q = (hm.T @ inverse @ hm).tocsc(), hm.T @ (inverse @ g["vectors/f"]) + g["vectors/w"]
r = np.array(h["solution/r"])
u, norm = w @ r + q, np.linalg.norm(q)
if "mu_r" in g["vectors"]:  # such problems come from text files only; solved by Siconos as well
    with open("rolling.txt", "w") as text:
        print(5, len(mu), 0, len(q), len(q), len(q), len(q), file=text)
        for row in (*w.toarray(), q, mu, g["vectors/mu_r"]):
            print(*(f"{v:.17e}" for v in row), file=text)
    problem = sn.rollingFrictionContact_new_from_filename("rolling.txt")
    options = sn.SolverOptions(sn.SICONOS_ROLLING_FRICTION_3D_NSGS)
    error = sn.rolling_fc3d_compute_error(problem, r, u.copy(), 1e-8, options, norm)[1]
    options.iparam[0], options.dparam[0] = 20000, 1e-8
    other, their_u = np.zeros(len(q)), np.zeros(len(q))
    assert sn.rolling_fc3d_driver(problem, other, their_u, options) == 0
    assert abs(their_u - u).max() < 1e-6 * norm and abs(np.linalg.norm(other) / np.linalg.norm(r) - 1) < 1e-6
else:
    problem = sn.FrictionContactProblem(3, len(mu), w, q, mu)
    options = sn.SolverOptions(sn.SICONOS_FRICTION_3D_NSGS)
    error = sn.fc3d_compute_error(problem, r, u, 1e-8, options, norm)[1]
assert abs(error - float(sys.argv[2])) <= 2e-3 * error + 1e-16, error
END
siconos_agrees() { # FILE
    /usr/bin/python3 -c 'import siconos.numerics' 2> /dev/null || return 0
    local printed
    printed=$(value siconos)
    expect "siconos finds the same residual" 0 /usr/bin/python3 error.py "$1" "$printed"
}

# Iterations of plain sweeps to |F|/|q| = 1e-8 are those of an independent code, and 1.3 times them
# at most; with conjugate directions half as many.
foreign() { # FILE SWEEPS NNCG
    expect "$1 by sweeps" 0 ranks 1 fclib solve "$place/$1.hdf5" --solver sweeps --tol 1e-8 -o sweeps.hdf5 --force
    holds "in $2 sweeps" below "$(sed -n 's/.*solved: \([0-9]*\) .*/\1/p' messages)" "$(($2 * 13 / 10))"
    siconos_agrees sweeps.hdf5
    expect "$1 by nncg" 0 ranks 1 fclib solve "$place/$1.hdf5" --tol 1e-8 -o nncg.hdf5 --force
    holds "in $3 sweeps" below "$(sed -n 's/.*solved: \([0-9]*\) .*/\1/p' messages)" "$(($3 * 13 / 10))"
    siconos_agrees nncg.hdf5
}
if [ -d "$place" ]; then
    block "problems of other codes"
    foreign Capsules-i125-1213 2302 1041
    foreign LMGC_100_PR_PerioBox-i00361-60-03000 866 174
    foreign Spheres-i099-356-679 235 63
    for solver in nncg sweeps apgd; do # W has full rank: one solution
        expect "spheres by $solver" 0 ranks 1 fclib solve "$place/Spheres-i099-356-679.hdf5" --solver $solver --tol 1e-8
        says '\|r\| = 37\.234[78]'
    done
else
    echo "skipped: contact problems of other codes: not at hand"
fi

block "our own"
cat > pile.yaml << 'END'
method: cd
seed: 3
time: {step: 0.01, steps: 60}
materials: {m: {density: 1.9}}
gravity: [0, 0, -1]
domain: {low: [0, 0, 0], high: [5, 5, 8], periodic: [x, y]}
boundaries: {floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}}
contacts: [{between: [m, m], rigid: {friction: 0.3}}]
solver: {residual: 1e-5, blocks: 30}
particles: [{dense: {material: m, radius: {uniform: [0.4, 0.5]}, count: 150}}]
output: {checkpoint: {steps: 20}}
END
expect "export" 0 ranks 1 fclib export pile.yaml --step 60 -o one.hdf5
expect "on 3 ranks" 0 ranks 3 fclib export pile.yaml --step 60 -o three.hdf5
holds "the same bytes" cmp one.hdf5 three.hdf5
expect "a run" 0 ranks 2 run pile.yaml -o run --set time.steps=25
expect "from its checkpoint" 0 ranks 1 fclib export run --set time.steps=60 --step 60 -o later.hdf5
expect "the same solution" 0 /usr/bin/python3 -c '
import h5py
a, b = (h5py.File(name)["solution/r"][:] for name in ("one.hdf5", "later.hdf5"))
assert (a == b).all()'
expect "a file is not replaced" 2 ranks 1 fclib export pile.yaml -o one.hdf5
expect "solve" 0 ranks 1 fclib solve one.hdf5 --measure scree --tol 1e-8 -o solved.hdf5
siconos_agrees solved.hdf5
expect "with rolling friction" 0 ranks 1 fclib export pile.yaml --step 12 -o rolling.hdf5 --set 'contacts.0.rigid.rolling=0.1'
expect "solve it" 0 ranks 1 fclib solve rolling.hdf5 --tol 1e-9 -o rolled.hdf5
says "5 components"
siconos_agrees rolled.hdf5

block "refused"
expect "torsion" 2 ranks 1 fclib export pile.yaml --step 12 -o torsion.hdf5 --set 'contacts.0.rigid.torsion=0.1'
says "torsion friction, for which the format FCLIB has no place"
expect "too few sweeps" 1 ranks 2 fclib solve one.hdf5 --most 1 --tol 1e-12 -o kept.hdf5
says "one.hdf5: not solved: fclib residual .* after 1 iterations, wanted 1e-12"
holds "the best is kept" test -s kept.hdf5
expect "another file" 1 ranks 1 fclib solve pile.yaml
says "pile.yaml: cannot be opened as HDF5"
expect "another HDF5 file" 1 ranks 1 fclib solve run/state.h5
says "state.h5: no contact problem in the format FCLIB"
expect "no solver" 2 ranks 1 fclib solve one.hdf5 --solver nncq
says "did you mean 'nncg'"
expect "no measure" 2 ranks 1 fclib solve one.hdf5 --measure scre
says "did you mean 'scree'"
expect "no number" 2 ranks 1 fclib solve one.hdf5 --tol 2
says "expected a number between 0 and 1"
expect "a step that is over" 2 ranks 1 fclib export run --step 3 -o x.hdf5
says "step: 3 is over"
expect "no verb" 2 ranks 1 fclib sove one.hdf5
says "fclib needs 'solve FILE.hdf5' or 'export RUN"
summary
