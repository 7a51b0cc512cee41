# SPDX-License-Identifier: BSD-3-Clause
"""Fluctuations about the affine flow of a run, in four panels."""
import numpy as np

from . import granulence, style
from .plots import NothingToPlot

FEWEST = 4  # frames


def lags_of(n_frames):
    """About logarithmic, at most half of the frames, so that there are several starts."""
    return np.unique(np.geomspace(1, max(1, n_frames // 2), 14).astype(int))


def shown_strain(strain, lags):
    """Mean strain of a lag, or None if the box does not deform."""
    return np.array([np.mean(strain[lag:] - strain[:-lag]) for lag in lags]) if strain[-1] > 0 else None


def draw_flatness(axes, way, lags, x, x_label):
    found = [granulence.flatness(granulence.displacements(way, lag)) for lag in lags]
    axes.errorbar(x, [value for value, _ in found], yerr=[error for _, error in found], fmt="o-")
    axes.axhline(0.0, color="0.5", linewidth=0.8)
    axes.set(xlabel=x_label, ylabel="flatness <v$^4$>/<v$^2$>$^2$ - 3", title="0: Gaussian")


def draw_densities(axes, way, lags, x):
    for k, marker in zip((0, len(lags) // 2, len(lags) - 1), style.MARKERS):
        values, density = granulence.density(granulence.displacements(way, lags[k]))
        good = density > 0
        axes.plot(values[good], density[good], marker, markersize=4, label=f"lag {x[k]:.2g}")
    smooth = np.linspace(-5, 5, 200)
    axes.plot(smooth, np.exp(-0.5 * smooth ** 2) / np.sqrt(2.0 * np.pi), "--", color="0.4", label="Gaussian")
    axes.set(yscale="log", xlabel="displacement / its rms", ylabel="probability density", ylim=(1e-5, 2))
    axes.legend(fontsize=9, loc="lower center")


def draw_spectra(axes, frames, way):
    """Of displacements between neighbouring frames, mean over all of these."""
    order = granulence.same_grains(frames)
    diameter = 2.0 * np.asarray(frames[0].radius).mean()
    cells = granulence.grid_cells(frames[0])
    spectra = []
    for k in range(1, len(frames)):
        values = np.empty_like(way[k])
        values[order[k]] = way[k] - way[k - 1]
        spectra.append(granulence.field_spectra(frames[k], values, cells))
    calibrated = granulence.calibration(frames[-1])
    for axis, marker in ((0, "o"), (1, "s")):
        waves = np.mean([one[axis][0] for one in spectra], axis=0)
        powers = np.mean([one[axis][1] for one in spectra], axis=0)
        found, error = granulence.spectral_exponent(waves, powers, diameter)
        beta = granulence.true_exponent(found, calibrated)
        near = waves * diameter <= 1.0
        axes.plot(waves[near] * diameter, powers[near] / powers[0], marker, markersize=4,
                  label=f"along {'xy'[axis]}: $\\beta$ = {beta:.2f} ± {error:.2g}")
    axes.axvline(0.25, color="0.7", linewidth=0.8)
    axes.set(xscale="log", yscale="log", xlabel="wave number k (1/diameter)", ylabel="power (arbitrary)",
             title="$k^{-\\beta}$, fitted left of the line,\neffect of interpolation taken off")
    axes.legend(fontsize=9)


def draw_pairs(axes, frames, way, lags, x, x_label):
    order = granulence.same_grains(frames)
    rank = np.argsort(order[0])
    pairs = rank[granulence.nearest_neighbours(frames[0])]
    diameter = 2.0 * np.asarray(frames[0].radius).mean()
    apart = granulence.pair_separation(way, pairs, lags) / diameter
    exponent, error = granulence.power(x, apart)
    axes.plot(x, apart, "o-")
    axes.set(xlabel=x_label, ylabel="rms separation (diameters)",
             title=f"neighbours drift apart: exponent {exponent:.2f} ± {error:.1g}")


def overview(run, first=0):
    if len(run.frames) - first < FEWEST:
        raise NothingToPlot(f"{run.folder}: fewer than {FEWEST} frames; 'snapshots: {{every: ...}}' writes them")
    frames = run.frames[first:]
    if not frames[0].box.periodic[:2].all():
        raise NothingToPlot(f"{run.folder}: the affine flow is known in periodic boxes only")
    way, times, strain = granulence.fluctuations(frames)
    lags = lags_of(len(frames))
    x, x_label = shown_strain(strain, lags), "lag (strain)"
    if x is None:
        x, x_label = np.array([np.mean(times[lag:] - times[:-lag]) for lag in lags]), "lag (s)"
    made, axes = style.figure(2, 2, (10.0, 7.8))
    draw_flatness(axes[0, 0], way, lags, x, x_label)
    draw_densities(axes[0, 1], way, lags, x)
    if x[-1] > 10.0 * x[0]:  # else labels of logarithmic axes overlap
        axes[0, 0].set_xscale("log")
        axes[1, 1].set(xscale="log", yscale="log")
    if frames[0].box.flat:
        draw_spectra(axes[1, 0], frames, way)
    else:
        axes[1, 0].text(0.5, 0.5, "spectra in two dimensions only", ha="center", transform=axes[1, 0].transAxes)
    draw_pairs(axes[1, 1], frames, way, lags, x, x_label)
    style.title(made, f"{run.title}: fluctuations about the affine flow, {len(frames)} frames")
    return made
