#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Solves a contact problem that bench_cd has written with Siconos' NSGS, from zero, and compares.

usage: cd_siconos.py PROBLEM RESIDUAL

Prints the contacts, the residual of scree's impulses and that of Siconos', both found here by one
routine, Siconos' iterations and seconds. Siconos gets as many iterations as it needs to meet the
residual, found by trials; only the last of them counts."""
import sys
import time
import warnings

import numpy as np
import scipy.sparse as sparse
import siconos.numerics as sn

warnings.filterwarnings("ignore", message="Performance warning")  # 32-bit indices are converted


def read_problem(path):
    with open(path) as file:
        n_bodies, n_contacts = (int(word) for word in file.readline().split())
        bodies = np.array([file.readline().split() for _ in range(n_bodies)], float)
        contacts = np.array([file.readline().split() for _ in range(n_contacts)], float)
    return bodies, contacts


def frames(normal):
    """Unit vectors n, t1, t2 of each contact, as rows."""
    helper = np.where(np.abs(normal[:, :1]) < 0.6, [[1.0, 0, 0]], [[0, 1.0, 0]])
    first = np.cross(normal, helper)
    first /= np.linalg.norm(first, axis=1)[:, None]
    return np.stack([normal, first, np.cross(normal, first)], axis=1)


def assemble(bodies, contacts):
    """W and q of u = W r + q with the least normal velocity in q, and mu, in local frames."""
    n = len(contacts)
    normal, arms = contacts[:, 2:5], contacts[:, 5:7]
    frame = frames(normal)
    turn = np.cross(frame, normal[:, None, :])  # frame_k . (n x w) = w . (frame_k x n)
    rows, columns, values = [], [], []
    for side, sign in ((0, 1.0), (1, -1.0)):
        body = contacts[:, side].astype(int)
        here = np.nonzero(body >= 0)[0]
        for k in range(3):
            for a in range(3):
                rows += [3 * here + k, 3 * here + k]
                columns += [6 * body[here] + a, 6 * body[here] + 3 + a]
                values += [sign * frame[here, k, a], arms[here, side] * turn[here, k, a]]
    h = sparse.csr_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))),
                          shape=(3 * n, 6 * len(bodies)))
    inverse = np.repeat(bodies[:, :2], 3, axis=1).ravel()
    w = (h @ sparse.diags(inverse) @ h.T).tocsc()
    q = h @ bodies[:, 2:8].ravel() + np.einsum("cka,ca->ck", frame, contacts[:, 7:10]).ravel()
    q[0::3] -= contacts[:, 10]
    impulse = contacts[:, 12:13] * normal + contacts[:, 13:16]
    return w, q, contacts[:, 11].copy(), np.einsum("cka,ca->ck", frame, impulse).ravel()


def residual(w, q, mu, r):
    """The scaled natural map of the manual: r - P(r - u/w), weighted with inverse masses."""
    u = (w @ r + q).reshape(-1, 3)
    r = r.reshape(-1, 3)
    weights = w.diagonal().reshape(-1, 3)
    step = 1.0 / weights.max(axis=1)
    slip = np.linalg.norm(u[:, 1:], axis=1)
    n = r[:, 0] - step * (u[:, 0] + mu * slip)
    t = r[:, 1:] - step[:, None] * u[:, 1:]
    size = np.linalg.norm(t, axis=1)
    on = (n + mu * size) / (1.0 + mu * mu)
    free, inside = mu * size <= -n, size <= mu * n
    projected_n = np.where(inside, n, np.where(free, 0.0, on))
    scale = np.where(inside, 1.0, np.where(free, 0.0, mu * on / np.maximum(size, 1e-300)))
    error = (weights[:, 0] * (r[:, 0] - projected_n) ** 2
             + (weights[:, 1:] * (r[:, 1:] - scale[:, None] * t) ** 2).sum(axis=1)).sum()
    return np.sqrt(error / (weights * r * r).sum())


def solve(w, q, mu, iterations):
    problem = sn.FrictionContactProblem(3, len(mu), w, q, mu)
    options = sn.SolverOptions(sn.SICONOS_FRICTION_3D_NSGS)
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = iterations
    options.dparam[sn.SICONOS_DPARAM_TOL] = 1e-30
    options.iparam[sn.SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = \
        sn.SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT
    r, u = np.zeros(3 * len(mu)), np.zeros(3 * len(mu))
    begin = time.perf_counter()
    sn.fc3d_driver(problem, r, u, options)
    return r, time.perf_counter() - begin


def main():
    w, q, mu, ours = assemble(*read_problem(sys.argv[1]))
    target = float(sys.argv[2])
    low, high = 0, 50
    while high <= 100000:
        r, seconds = solve(w, q, mu, high)
        if residual(w, q, mu, r) <= target:
            break
        low, high = high, 2 * high
    while high - low > max(1, high // 20):
        middle = (low + high) // 2
        r_middle, s_middle = solve(w, q, mu, middle)
        if residual(w, q, mu, r_middle) <= target:
            high, r, seconds = middle, r_middle, s_middle
        else:
            low = middle
    print(len(mu), f"{residual(w, q, mu, ours):.4g} {residual(w, q, mu, r):.4g}", high, f"{seconds:.4g}")


if __name__ == "__main__":
    main()
