#!/usr/bin/env bash
# Event-driven gases that cool: by Haff's law without a contact time, and by the TC model with one. The series for J
# of Luding 2008 (1.19) is the limit of a dilute gas: at finite density a sphere that was just hit shields its partner,
# more collisions lose energy, J is larger and E / E_Haff lower. J is measured in gases that hardly cool, as the energy
# that is lost over the energy that would be lost if all collisions did (in equilibrium T (1 - r^2) for each).
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
export PYTHONPATH=$here
launch 1 /usr/bin/python3 - "$1" "$scratch" << 'PYTHON'
import math
import sys

import numpy as np

import gases
from cell_series import line, mean, standard_error

bench = gases.Bench(*sys.argv[1:])
NU, R, SIDE = 0.25, 0.99, 20
T_E = gases.free_time(3, NU)
UNIT = 6 * T_E / (1 - R * R)  # time in which tau grows by 1


def cool(tau_c, taus, seed):
    """E / E_Haff at these tau; the first row is a quarter of the first of them."""
    every = taus[0] / 4
    gas = bench.run(f"cool-{tau_c}-{seed}", 3, SIDE ** 3, NU, every * UNIT, round(4 * taus[-1] / taus[0]), restitution=R,
                    contact_time=tau_c * T_E, seed=seed)
    root = math.sqrt(gas.temperature()[0])
    return np.interp(taus, gas["time"] * root / UNIT, gas.temperature() / root ** 2
                     * (1 + gas["time"] * root / UNIT) ** 2)


def table(tau_c, targets, tolerance, source, seeds=(1,)):
    found = np.mean([cool(tau_c, [tau for tau, _ in targets], seed) for seed in seeds], axis=0)
    for (tau, target), value in zip(targets, found):
        line(f"cooling, tau_c = {tau_c}: E / E_Haff at tau = {tau}", value, target, tolerance, source, True)


table(0, [(tau, 1) for tau in (0.5, 1, 2, 5, 10, 20)], 0.01, "Haff 1983", (1, 2))
table(0.01, [(0.5, 1.0122), (1, 1.0157), (2, 1.0167), (5, 1.0136)], 0.02, "TC model, Luding 2008 (1.19)")
table(0.1, [(0.5, 1.1247), (1, 1.1690), (2, 1.1852), (5, 1.1513), (10, 1.1082), (20, 1.0703)], 0.02,
      "TC model, Luding 2008 (1.19)")
table(1, [(1, 3.115), (2, 5.30), (5, 7.96), (10, 5.53)], 0.02, "simulations of the TC model at 0.25")
at_one = [cool(0.1, [0.5, 1], seed)[1] for seed in range(1, 9)]
print(at_one, file=sys.stderr)
line(f"cooling, tau_c = 0.1, tau = 1, 8 seeds (+- {standard_error(at_one):.4f}): E / E_Haff", mean(at_one), 1.161, 0.002,
     "simulations of the TC model at 0.25; series 1.1690, mean field 1.1494")


def dissipating(fraction, blocks=8):
    """Share of the energy, and of collisions, that the TC model with tau_c = 0.1 lets lose energy: means and
    standard errors over blocks of 100 collisions per sphere, after 20."""
    r, t_e = 1 - 1e-7, gases.free_time(3, fraction)
    gas = bench.run(f"J-{fraction}", 3, SIDE ** 3, fraction, 20 * t_e, 5 * blocks + 1, restitution=r, contact_time=0.1 * t_e)
    cut = slice(1, None, 5)
    n, elastic, lost = (np.diff(gas[name][cut]) for name in ("collisions", "elastic by t_c", "lost in collisions"))
    energy = lost / n / ((1 - r * r) * gas.temperature()[0] * (1 - 1 / gas.count))
    share = 1 - elastic / n
    return [f(x) for x in (energy, share) for f in (mean, standard_error)]


SOURCE, found = "simulations of an elastic gas; molecular chaos", {}
for nu, j, share in ((0.005, 0.8021, 0.8178), (0.01, 0.8041, 0.8213), (0.02, 0.8060, 0.8245), (0.05, 0.8076, 0.8271),
                     (0.25, 0.8068, 0.8252)):
    found[nu] = dissipating(nu)
    print(nu, found[nu], file=sys.stderr)
    line(f"J at {nu}, tau_c = 0.1 (+- {found[nu][1]:.4f})", found[nu][0], j, 0.0015, f"{SOURCE} .7992")
    line(f"share of collisions that lose energy at {nu} (+- {found[nu][3]:.4f})", found[nu][2], share, 0.001, f"{SOURCE} .8122")
root = np.sqrt([0.005, 0.01, 0.02])
for k, name, limit, tolerance in (0, "J", 0.7991, 0.003), (2, "share of collisions", 0.8122, 0.002):
    slope, at_zero = np.polyfit(root, [found[nu][k] for nu in (0.005, 0.01, 0.02)], 1)
    line(f"{name}: limit of a dilute gas, linear in the root of the solid fraction (slope {slope:.4f})", at_zero, limit, tolerance,
         "Luding 2008 (1.19)" if k == 0 else "molecular chaos")
PYTHON
