# SPDX-License-Identifier: BSD-3-Clause
"""Plots of gases: how they cool."""
import numpy as np

from . import style
from .plots import NothingToPlot, need


def haff(time, start):
    """Haff's law E(t)/E(0) = 1/(1 + t/start)^2."""
    return (1.0 + time / start) ** -2


def fit_haff(time, energy, least=0.5):
    """The time of Haff's law from the first part of a curve, down to `least` of the energy, where the gas is still even:
    the mean slope of E^(-1/2)."""
    root = np.sqrt(energy[0] / energy) - 1.0
    early = (time > time[0]) & (energy >= least * energy[0])
    if early.sum() < 3:
        early = time > time[0]
    past = time[early] - time[0]
    slope = (root[early] * past).sum() / (past * past).sum()
    return 1.0 / slope if slope > 0 else np.inf


def cooling(runs):
    """Energy of motion over that at the start against time, with Haff's law."""
    made, axes = style.figure(1, 1, (7.0, 4.8))
    for run, colour in zip(runs, style.PALETTE * len(runs)):
        rows = need(run.series, run)
        time, energy = np.asarray(rows["time"]), np.asarray(rows["kinetic energy"]) + np.asarray(rows["rotational energy"])
        shown = time > time[0]
        if not energy[0] > 0 or shown.sum() < 3:
            raise NothingToPlot(f"{run.folder}: no energy of motion at the start, or fewer than four rows")
        start = fit_haff(time, energy)
        axes[0, 0].plot(time[shown] - time[0], energy[shown] / energy[0], color=colour, label=run.name)
        if np.isfinite(start):
            axes[0, 0].plot(time[shown] - time[0], haff(time[shown] - time[0], start), "--", color=colour, linewidth=1.0,
                            label=f"Haff's law, {start:.3g} s")
    axes[0, 0].set(xscale="log", yscale="log", xlabel="time (s)", ylabel="energy of motion / that at the start")
    axes[0, 0].legend()
    style.title(made, f"{runs[0].title}{f' and {len(runs) - 1} more' if len(runs) > 1 else ''}: cooling")
    return made
