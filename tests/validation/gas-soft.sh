#!/usr/bin/env bash
# The same gases by ed and by md with linear springs. Dilute and stiff, contacts last 1/500 of the time between collisions:
# collision rate and cooling agree. With contacts of a tenth of that time soft grains cool less than Haff's law says, as
# those of the TC model do with the same contact time, which cool still less. How much less is no property of
# contacts with several partners: dashpots lose what springs in equilibrium let them (soft_cooling() below), so it depends on
# overlaps, hence on density. The ratio of contact times of Luding 2008 (1.4, no density given) comes out at 0.05.
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
from cell_series import between, line

bench = gases.Bench(*sys.argv[1:])
STEPS = 50  # of a contact


def run(name, side, fraction, time, rows, tau_c, **more):
    """To this time, in collisions of a grain at first."""
    t_e = gases.free_time(3, fraction)
    if more.get("soft"):
        n = round(time / tau_c * STEPS)
        return bench.run(name, 3, side ** 3, fraction, tau_c * t_e / STEPS, n, rows=max(round(n / rows), 1),
                         contact_time=tau_c * t_e, **more)
    return bench.run(name, 3, side ** 3, fraction, time * t_e / rows, rows, contact_time=tau_c * t_e, **more)


def energies(gas):
    """Over that at the start; springs hold a part."""
    stored = sum(gas[name] for name in gas.column if name.startswith("elastic energy"))
    all_of_it = gas["kinetic energy"] + stored
    return all_of_it / all_of_it[0]


def over_haff(gas, unit):
    """E / E_Haff, with the temperature that this gas began with."""
    tau = gas["time"] * math.sqrt(gas.temperature()[0]) / unit
    return energies(gas) * (1 + tau) ** 2


# Elastic: rows twice in each contact see each of them twice.
TIME, STIFF = 40, 0.002
ed, md = (run(f"rate-{soft}", 10, 0.05, TIME, round(2 * TIME / STIFF), STIFF if soft else 0, soft=soft) for soft in (False, True))
first = len(md["time"]) // 5
touching = 2 * md["contacts"][first:].mean() / md.count
rate = touching / (STIFF * gases.free_time(3, 0.05)) / math.sqrt(md.temperature()[first:].mean())
line("stiff spheres at 0.05: collisions of md over those of ed", rate * ed.free_time(first), 1, 0.02, "ed")
line("stiff spheres at 0.05: time between collisions, md", 1 / rate, gases.free_time(3, 0.05), 0.02, "Enskog's theory", True)

# Cooling, tau = 1 at the end.
R = 0.9
TIME = 6 / (1 - R * R)
UNIT = TIME * gases.free_time(3, 0.05)
hard = np.mean([over_haff(run(f"hard-{seed}", 10, 0.05, TIME, 20, 0, restitution=R, seed=seed), UNIT) for seed in range(20)], axis=0)
soft = np.mean([over_haff(run(f"soft-{seed}", 10, 0.05, TIME, 20, STIFF, restitution=R, seed=seed, soft=True), UNIT)
                for seed in range(4)], axis=0)
for k, tau in (5, "1/4"), (10, "1/2"), (20, "1"):
    line(f"stiff spheres at 0.05, r = 0.9: energy of md over that of ed, tau = {tau}", soft[k] / hard[k], 1, 0.02, "ed")

# Long contacts.
R, TAU_C = 0.99, 0.1
TIME = 6 / (1 - R * R)


def excess(gas, nu):
    """E / E_Haff at tau = 1."""
    return over_haff(gas, TIME * gases.free_time(3, nu))[-1]


def soft_cooling(nu):
    """E / E_Haff at tau = 1 of soft grains that are always near equilibrium. There velocities know nothing of places: the
    dashpots of N_c contacts take gamma N_c T / m12. N_c and the energy of springs follow from Boltzmann's factor and the
    pair correlation of hard spheres of the diameter of Barker and Henderson (with its first slope), of which Carnahan and
    Starling give the value. A collision takes (1 - r^2) where the dashpot of an undamped one would take -2 ln r."""
    t_c = TAU_C * gases.free_time(3, nu)
    k = 0.5 * (math.pi ** 2 + math.log(R) ** 2) / t_c ** 2
    gamma = -math.log(R) / t_c * (1 - R * R) / (-2 * math.log(R))
    depth = np.linspace(0, 0.5, 5001)

    def contacts(temperature):
        """For each grain: their number, and the energy of their springs."""
        boltzmann = np.exp(-0.5 * k * depth ** 2 / temperature)
        diameter = 1 - np.trapz(boltzmann, depth)
        hard_nu = nu * diameter ** 3
        pairs = 12 * nu * (1 - depth) ** 2 * boltzmann * gases.contact_value(3, hard_nu) * (
            1 - 4.5 * hard_nu * ((1 - depth) / diameter - 1))
        return np.trapz(pairs, depth), np.trapz(pairs * 0.5 * k * depth ** 2, depth)

    energy, n = 1.5, 2000
    for _ in range(n):
        temperature = energy / 1.5
        for _ in range(5):
            temperature = (energy - contacts(temperature)[1]) / 1.5
        energy -= gamma * contacts(temperature)[0] * 2 * temperature * TIME * gases.free_time(3, nu) / n
    return energy / 1.5 * 4


for nu in 0.25, 0.05:
    md = np.mean([excess(run(f"long-{nu}-{seed}", 16, nu, TIME, 10, TAU_C, restitution=R, seed=seed, soft=True), nu)
                  for seed in range(2)])
    ed = {tau_c: np.mean([excess(run(f"tc-{nu}-{tau_c}-{seed}", 16, nu, TIME, 10, tau_c, restitution=R, seed=seed), nu)
                          for seed in range(4)]) for tau_c in (0.02, 0.04, 0.06, 0.08, 0.1)}
    print(nu, md, ed, file=sys.stderr)
    ratio = np.interp(md, list(ed.values()), list(ed)) / TAU_C
    line(f"contacts of t_E / 10 at {nu}, md: E / E_Haff at tau = 1", md, soft_cooling(nu), 0.007, "springs in equilibrium")
    between(f"contacts of t_E / 10 at {nu}: E / E_Haff, md less ed", md - ed[TAU_C], -math.inf, -0.02, "Luding 2008, 1.4: less than ed")
    if nu == 0.05:
        between(f"contact time with which ed cools as md at {nu}, over that of md", ratio, 0.6, 0.8,
                "Luding 2008, 1.4: about 30 % smaller")
PYTHON
