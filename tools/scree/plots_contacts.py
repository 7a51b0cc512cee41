# SPDX-License-Identifier: BSD-3-Clause
"""Plots of the contacts of frames: distribution of forces, directions."""
import numpy as np

from . import contact_statistics as statistics
from . import style
from .plots import NothingToPlot, need

FEWEST = 20  # contacts for a distribution


def contacts_of(run, which=-1):
    """A frame with contacts between grains."""
    if not len(run.frames):
        raise NothingToPlot(f"{run.folder}: no frames; 'output: {{snapshots: ...}}' writes them")
    frame = run.frames[which]
    if frame.contacts is None or "force" not in frame.contacts.fields:
        raise NothingToPlot(f"{run.folder}: frames without contacts; 'snapshots: {{contacts: true}}' writes them")
    if frame.contacts.between_grains.sum() < FEWEST:
        raise NothingToPlot(f"{run.folder}: fewer than {FEWEST} contacts between grains at t = {frame.time:.4g} s")
    return frame


def forces(run, frames=(-1,)):
    """Probability densities of normal and tangential forces over their means, of all given frames together; the
    exponential for comparison."""
    parts = [statistics.force_parts(contacts_of(run, k).contacts) for k in frames]
    normal, tangential = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
    made, axes = style.figure(1, 1, (7.0, 4.8))
    for values, name, colour, marker in ((normal[normal > 0], "normal", style.PALETTE[0], "o"),
                                         (tangential[tangential > 0], "tangential", style.PALETTE[1], "s")):
        if len(values) < FEWEST or values.mean() < 1e-9 * normal.mean():  # without friction: rounding only
            continue
        x, y, error = statistics.density(values, bins=min(40, max(8, len(values) // 40)))
        good = y > 0
        axes[0, 0].errorbar(x[good], y[good], yerr=np.minimum(error[good], 0.9 * y[good]), fmt=marker, color=colour,
                            markersize=5, elinewidth=0.8, label=f"{name}, mean {values.mean():.3g} N")
    x = np.linspace(0.0, axes[0, 0].get_xlim()[1], 100)
    bottom = axes[0, 0].get_ylim()[0]
    axes[0, 0].plot(x, np.exp(-x), "--", color="0.5", linewidth=1.0, label="exp(-f/<f>)")
    axes[0, 0].set(yscale="log", xlabel="force f / mean force <f>", ylabel="probability density")
    axes[0, 0].set_ylim(bottom=max(bottom, 0.3 / len(normal) / max(x[1], 0.1)))
    axes[0, 0].legend()
    times = [run.frames.times[k] for k in frames]
    when = f"t = {times[0]:.4g} s" if len(times) == 1 else f"{len(times)} frames, t = {min(times):.4g} to {max(times):.4g} s"
    style.title(made, f"{run.title}: contact forces, {len(normal)} contacts, {when}")
    return made


def polar_bars(axes, angle, values, title):
    """Bars over the whole circle of what is known on half of it."""
    width = np.pi / len(angle)
    both = np.concatenate([angle, angle + np.pi])
    axes.bar(both, np.concatenate([values, values]), width=0.95 * width, color=style.PALETTE[4],
             edgecolor="white", linewidth=0.4)
    axes.set_title(title, fontsize=11)
    axes.set_yticklabels([])
    axes.grid(color="0.85")


def fabric(run, which=-1, plane=None, bins=18):
    """Polar diagrams: how many contacts point where, and their mean normal force, with their second harmonics. In three
    dimensions contacts within 30 degrees of the plane."""
    frame = contacts_of(run, which)
    plane = plane or ("xy" if frame.box.flat else "xz")
    angle, here = statistics.directions(frame.contacts, plane, None if frame.box.flat else 30.0)
    if len(angle) < FEWEST:
        raise NothingToPlot(f"{run.folder}: fewer than {FEWEST} contacts near the plane {plane}")
    force = np.asarray(frame.contacts.normal_force)[here]
    length = np.linalg.norm(np.asarray(frame.contacts.branch)[here], axis=1)
    found = statistics.anisotropies(angle, length, force, statistics.tangential_in_plane(frame.contacts, plane, here))
    made, axes = style.figure(1, 2, (8.4, 4.9), subplot_kw={"projection": "polar"})
    number = np.minimum((angle / np.pi * bins).astype(int), bins - 1)
    middle = (np.arange(bins) + 0.5) * np.pi / bins
    count = np.bincount(number, minlength=bins)
    sums = np.bincount(number, force, bins)
    mean = np.divide(sums, count, out=np.zeros(bins), where=count > 0) / force.mean()
    round_ = np.linspace(0.0, 2.0 * np.pi, 361)
    wave = np.cos(2.0 * (round_ - found["theta"]))
    polar_bars(axes[0, 0], middle, count / count.mean(),
               f"number of contacts\na = {found['a_c']:.3f} ± {found['error']:.2g}, "
               f"{np.degrees(found['theta']):.0f}°")
    axes[0, 0].plot(round_, 1.0 + found["a_c"] * wave, color=style.PALETTE[5])
    polar_bars(axes[0, 1], middle, mean, f"mean normal force\na$_n$ = {found['a_n']:.3f}, a$_t$ = {found['a_t']:.3f}, "
                                         f"a$_l$ = {found['a_l']:.3f}")
    axes[0, 1].plot(round_, 1.0 + found["a_n"] * wave, color=style.PALETTE[5])
    for one in axes.flat:
        one.set_xticks(np.radians([0, 90, 180, 270]), [plane[0], plane[1], f"-{plane[0]}", f"-{plane[1]}"])
    style.title(made, f"{run.title}: directions of {len(angle)} contacts, plane {plane}, t = {frame.time:.4g} s")
    return made


def networks(run, table="networks", window=-1):
    """Xi-networks, the contacts with forces below a cut-off, of one window of the measurement: anisotropies above, shares
    of what all contacts have below."""
    rows = need(run.measurements.get(table), run, table + ".csv")
    times = np.unique(np.asarray(rows["time"]))
    rows = rows[np.asarray(rows["time"]) == times[window]]
    rows = rows[np.isfinite(np.asarray(rows["cut-off"]))]
    made, axes = style.figure(2, 1, (8.4, 6.2), sharex=True)
    for here, names in ((axes[0, 0], ("a_c", "a_n", "a_t", "stress ratio")),
                        (axes[1, 0], ("share of contacts", "share of pressure", "share of deviator",
                                      "share of dissipation", "sliding fraction"))):
        for name, marker in zip(names, style.MARKERS):
            here.plot(rows["cut-off"], rows[name], marker=marker, markersize=3.5, linewidth=1.2, label=name)
        here.axhline(0.0, color="0.6", linewidth=0.8)
        here.axvline(1.0, color="0.6", linewidth=0.8, linestyle=":")
        here.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0))
    axes[0, 0].set_ylabel("anisotropies of the network")
    axes[1, 0].set(ylabel="share of the network", xlabel="cut-off: largest force / mean force")
    style.title(made, f"{run.title}: networks of forces below a cut-off, t = {times[window]:.4g} s")
    return made
