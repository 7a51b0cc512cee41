#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Solvers of contact problems beside each other: those of scree and Siconos' NSGS and PROX, on files in the format
FCLIB, from zero impulses, at equal residual |r - P(r - u~)|/|q|, found again here by one routine for all.

usage: solvers.py PROGRAM TOLERANCE FOLDER FILE...

Prints a table, and as its last line: files, files on which scree's best takes longer than Siconos' best, geometric mean
of the ratio of times. Draws the performance profile FOLDER/solvers.png: the part of the files (up) that a solver solves
within so many times the time of the fastest (right). Times are CPU times of the solvers alone, the best of three."""
import os
import re
import subprocess
import sys
import time
import warnings

import h5py
import matplotlib
import numpy as np
import scipy.sparse as sparse
import siconos.numerics as sn

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

warnings.filterwarnings("ignore", message="Performance warning")  # 32-bit indices are converted
SCREE = ("nncg", "sweeps", "apgd", "petsc")
PEERS = {"siconos nsgs": "SICONOS_FRICTION_3D_NSGS", "siconos prox": "SICONOS_FRICTION_3D_PROX"}
TURNS, MOST = 3, 20000


def read_matrix(group):
    m, n, nz = (int(np.ravel(group[key])[0]) for key in ("m", "n", "nz"))
    p, i, x = (np.array(group[key]) for key in "pix")
    if nz == -2:
        return sparse.csr_matrix((x, i, p), shape=(m, n)).tocsc()
    if nz == -1:
        return sparse.csc_matrix((x, i, p), shape=(m, n))
    return sparse.csc_matrix((x[:nz], (i[:nz], p[:nz])), shape=(m, n))


def read_problem(path):
    """W, q, mu; of global problems M must be diagonal."""
    with h5py.File(path) as file:
        group = file[[name for name in file if name.startswith("fclib_")][0]]
        mu = np.array(group["vectors/mu"])
        if "W" in group:
            return read_matrix(group["W"]), np.array(group["vectors/q"]), mu
        h, inverse = read_matrix(group["H"]), sparse.diags(1 / read_matrix(group["M"]).diagonal())
        w = (h.T @ inverse @ h).tocsc()
        return w, h.T @ (inverse @ group["vectors/f"]) + group["vectors/w"], mu


def residual(w, q, mu, r):
    u = (w @ r + q).reshape(-1, 3)
    y = r.reshape(-1, 3) - u
    y[:, 0] -= mu * np.linalg.norm(u[:, 1:], axis=1)
    size = np.linalg.norm(y[:, 1:], axis=1)
    on = (y[:, 0] + mu * size) / (1 + mu * mu)
    inside, free = size <= mu * y[:, 0], mu * size <= -y[:, 0]
    normal = np.where(inside, y[:, 0], np.where(free, 0, on))
    scale = np.where(inside, 1, np.where(free, 0, mu * on / np.maximum(size, 1e-300)))
    nearest = np.column_stack([normal, scale[:, None] * y[:, 1:]])
    return np.linalg.norm(r.reshape(-1, 3) - nearest) / np.linalg.norm(q)


def by_scree(program, solver, path, tolerance, solved):
    """Seconds, iterations (systems of equations behind +), impulses; None: not solved."""
    command = [program, "fclib", "solve", path, "--solver", solver, "--tolerance", str(tolerance), "--most", str(MOST),
               "-o", solved, "--force"]
    best = np.inf
    for _ in range(TURNS):
        try:
            said = subprocess.run(command, capture_output=True, text=True, timeout=100).stdout
        except subprocess.TimeoutExpired:
            return None
        line = re.search(r"solver: .*, solved: (\d+) iterations(?:, (\d+) systems.*)?, .* s, (.*) s of CPU", said)
        if line is None:
            return None
        best = min(best, float(line[3]))
    with h5py.File(solved) as file:
        r = np.array(file["solution/r"])
    return best, line[1] + (f"+{line[2]}" if line[2] else ""), r


def by_siconos(name, problem, tolerance, scale):
    """Siconos compares with the largest of |q|, |r|, |u|: `scale` of that makes it |q|."""
    w, q, mu = problem
    best = np.inf
    for _ in range(TURNS):
        options = sn.SolverOptions(getattr(sn, PEERS[name]))
        options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = MOST if "nsgs" in name else 1000
        options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance * scale
        r, u = np.zeros(len(q)), np.zeros(len(q))
        begin = time.process_time()
        sn.fc3d_driver(sn.FrictionContactProblem(3, len(mu), w, q, mu), r, u, options)
        seconds = time.process_time() - begin
        if residual(w, q, mu, r) > 1.01 * tolerance:
            return None
        best = min(best, seconds)
        if seconds > 10:
            break
    return best, str(options.iparam[sn.SICONOS_IPARAM_ITER_DONE]), r


def draw(times, path):
    """times[solver]: seconds on each file, inf where it was not solved."""
    fastest = np.min(list(times.values()), axis=0)
    for name, of in times.items():
        ratio = np.sort(np.array(of) / fastest)
        part = np.arange(1, len(ratio) + 1) / len(ratio)
        good = np.isfinite(ratio)
        plt.step(np.r_[1, ratio[good], 1e4], np.r_[0, part[good], part[good][-1] if good.any() else 0], where="post",
                 label=name, linestyle="--" if name in PEERS else "-")
    plt.xscale("log")
    plt.xlim(1, 1e4)
    plt.ylim(0, 1.02)
    plt.xlabel("time, of the fastest")
    plt.ylabel("part of the files that is solved")
    plt.legend()
    plt.savefig(path, dpi=120)


def main():
    program, tolerance, folder, files = sys.argv[1], float(sys.argv[2]), sys.argv[3], sys.argv[4:]
    times = {name: [] for name in (*SCREE, *PEERS)}
    print(f"{'file':32s} {'contacts':>8s} " + " ".join(f"{name:>22s}" for name in times))
    for path in files:
        problem = w, q, mu = read_problem(path)
        row, scale = [], None
        for name in times:
            if name in SCREE:
                found = by_scree(program, name, path, tolerance, os.path.join(folder, "solved.hdf5"))
            else:
                found = by_siconos(name, problem, tolerance, scale or 1.0)
            if found is None:
                times[name].append(np.inf)
                row.append("-")
                continue
            seconds, iterations, r = found
            assert residual(*problem, r) <= 1.01 * tolerance, f"{name} on {path}: {residual(*problem, r)}"
            if scale is None:
                norms = [np.linalg.norm(v) for v in (q, r, w @ r + q)]
                scale = norms[0] / max(norms)
            times[name].append(seconds)
            row.append(f"{iterations} {seconds:.2g} s")
        print(f"{os.path.basename(path)[:32]:32s} {len(mu):8d} " + " ".join(f"{text:>22s}" for text in row), flush=True)
    draw(times, os.path.join(folder, "solvers.png"))
    ours = np.min([times[name] for name in SCREE], axis=0)
    theirs = np.min([times[name] for name in PEERS], axis=0)
    both = np.isfinite(ours) & np.isfinite(theirs)
    print(len(files), int(np.sum(ours > theirs)), f"{np.exp(np.mean(np.log(theirs[both] / ours[both]))):.3g}",
          int(np.sum(~np.isfinite(ours))), int(np.sum(~np.isfinite(theirs))))


if __name__ == "__main__":
    main()
