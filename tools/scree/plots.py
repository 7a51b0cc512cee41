# SPDX-License-Identifier: BSD-3-Clause
"""Plots of tables: series, stress and strain, profiles, the energy ledger, sweeps of contact dynamics."""
import itertools

import numpy as np

from . import band, profiles, stresses, style


class NothingToPlot(ValueError):
    """The run has not written what the plot needs."""


def short_title(runs):
    return runs[0].title if len(runs) == 1 else f"{runs[0].title} and {len(runs) - 1} more"


def need(table, run, what="series.csv"):
    if table is None or not len(table):
        raise NothingToPlot(f"{run.folder}: no rows in {what}")
    return table


def curve(axes, x, y, **options):
    """A line through arrays with units; returns the labels of both axes."""
    x_values, x_label = style.scaled(x)
    y_values, y_label = style.scaled(y)
    axes.plot(*style.thin(x_values, y_values), **options)
    return x_label, y_label


def choose_columns(table, wanted):
    if wanted:
        return wanted
    usual = ("kinetic energy", "contacts", "closure error")
    return [name for name in usual if name in table] or [name for name in table if name not in ("step", "time")][:3]


def series(runs, columns=None, x="time", table="series", log=""):
    """Columns of a table against another one, each in a panel of its own, a line for each run."""
    first = need(runs[0].table(table), runs[0], table + ".csv")
    columns = choose_columns(first, columns)
    made, axes = style.figure(len(columns), 1, (7.0, 1.2 + 2.4 * len(columns)), sharex=True)
    for k, name in enumerate(columns):
        here = axes[k, 0]
        for run in runs:
            rows = need(run.table(table), run, table + ".csv")
            labels = curve(here, rows[x], rows[name], label=run.name)
        here.set_ylabel(style.textwrap.fill(labels[1], 28))
        here.set_yscale("log" if "y" in log else "linear")
        here.set_xscale("log" if "x" in log else "linear")
    axes[-1, 0].set_xlabel(labels[0])
    if len(runs) > 1:
        axes[0, 0].legend()
    style.title(made, f"{short_title(runs)}: {table}")
    return made


def stress_of(run, table=None, strain=None):
    """p, q and strain in the rows of the table that has the stress."""
    rows = run[table] if table else stresses.table_of(run)
    if rows is None or not len(rows):
        raise NothingToPlot(f"{run.folder}: no table has a stress; the measurement 'stress' writes one")
    tensor = stresses.tensor(rows)
    if tensor is None:
        raise NothingToPlot(f"{run.folder}: {rows.name}.csv has not all components of the stress")
    p, q = stresses.mean_and_deviator(tensor)
    if not np.any(np.abs(np.nan_to_num(p)) > 0):
        raise NothingToPlot(f"{run.folder}: the stress in {rows.name}.csv is 0")
    found = stresses.strain(run, strain)
    if found is None:
        return rows, p, q, tensor.unit, rows["time"], "time"
    x = np.interp(rows["time"], run.series["time"], found)
    return rows, p, q, tensor.unit, x, found.name


def stress_strain(runs, table=None, strain=None):
    """q/p and p against strain; volumetric strain below, where it was measured."""
    found = [stress_of(run, table, strain) for run in runs]
    packing = [next((t for t in run.measurements.values() if "volumetric strain" in t), None) for run in runs]
    panels = 3 if all(one is not None for one in packing) else 2
    made, axes = style.figure(panels, 1, (7.0, 1.2 + 2.3 * panels), sharex=True)
    for run, (rows, p, q, unit, x, label), solid in zip(runs, found, packing):
        factor, shown = (1e-3, "kPa") if unit == "Pa" and np.nanmax(np.abs(p)) >= 1e3 else (1.0, unit)
        ratio = np.divide(q, p, out=np.full_like(q, np.nan), where=np.abs(p) > 1e-3 * np.nanmax(np.abs(p)))
        axes[0, 0].plot(x, ratio, label=run.name)
        axes[1, 0].plot(x, factor * p, label=run.name)
        axes[1, 0].set_ylabel(f"pressure p ({shown})")
        if panels == 3:
            axes[2, 0].plot(np.interp(solid["time"], rows["time"], x), solid["volumetric strain"])
            axes[2, 0].set_ylabel("volumetric strain")
        if label == "time":
            x_label = "time (s)"
        else:
            x_label = label
    axes[0, 0].set_ylabel("q / p")
    axes[-1, 0].set_xlabel(x_label)
    if len(runs) > 1:
        axes[0, 0].legend()
    style.title(made, f"{short_title(runs)}: stress and strain")
    return made


def find_profile(run, table=None):
    if table:
        return run[table]
    for one in run.measurements.values():
        if profiles.is_profile(one) and len(one):
            return one
    raise NothingToPlot(f"{run.folder}: no profile; the measurement 'profile' writes one")


def profile(run, table=None, value=None, fit=False, slab=None, rate=1.0):
    """A profile: a value against the place, a line for each slab, with the band that fits if asked for, and the solid
    fraction beside it. Also the parameters of the fits, by slab (None where there is no band)."""
    rows = find_profile(run, table)
    value = rows.find(value) if value else profiles.main_value(rows)
    if value is None:
        raise KeyError(f"{rows.name}: no such column; there are: {', '.join(rows)}")
    layers = profiles.slabs(rows)
    layers = layers if slab is None else [layers[slab]]
    show_solid = "solid fraction" in rows and value != "solid fraction" and \
        not np.isnan(np.asarray(rows["solid fraction"], float)).all()
    made, axes = style.figure(1, 1 + show_solid, (8.6 if show_solid else 7.0, 4.6),
                              width_ratios=[2, 1] if show_solid else [1])
    colours = style.plt.get_cmap(style.SEQUENTIAL)(np.linspace(0.0, 0.85, len(layers)))
    fits = []
    for colour, (low, high, part) in zip(colours, layers):
        place = profiles.places(part)
        values = np.asarray(part[value], float) / rate
        name = None if low is None else f"{1e3 * low:.3g} to {1e3 * high:.3g} mm"
        fits.append(draw_profile(axes[0, 0], place, values, colour, name, part if fit else None))
        if show_solid:
            axes[0, 1].plot(style.scaled(place)[0], part["solid fraction"], color=colour)
    label = rows[value].label if rate == 1.0 else f"{value} / {rate:g} {rows[value].unit}"
    axes[0, 0].set(xlabel=style.scaled(place)[1], ylabel=label)
    if show_solid:
        axes[0, 1].set(xlabel=style.scaled(place)[1], ylabel="solid fraction")
    if len(layers) > 1:
        axes[0, 0].legend(title=f"{rows.name}: slabs", fontsize=9)
    elif fits[0] is not None:
        (_, centre, width), errors = fits[0]
        axes[0, 0].set_title(f"centre {1e3 * centre:.2f} ± {1e3 * errors[1]:.2g} mm, "
                             f"width {1e3 * width:.2f} ± {1e3 * errors[2]:.2g} mm", fontsize=11)
    style.title(made, f"{run.title}: {rows.name}")
    return made, fits


def draw_profile(axes, place, values, colour, name, to_fit):
    """Points, and the band through them if `to_fit` has the weights; returns the fit."""
    x = style.scaled(place)[0]
    axes.plot(x, values, "o" if to_fit is not None else "o-", color=colour, markersize=4, linewidth=1.2, label=name)
    if to_fit is None:
        return None
    try:
        parameters, errors = band.fit(place, values, to_fit["grains"] if "grains" in to_fit else None)
    except ValueError:
        return None
    good = np.isfinite(place)
    smooth = np.linspace(np.min(place[good]), np.max(place[good]), 400)
    axes.plot(smooth * style.in_short(place, "m")[0], band.band(smooth, parameters), "-", color=colour)
    return parameters, errors


STORED = ("kinetic energy", "rotational energy", "elastic energy normal", "elastic energy tangential",
          "elastic energy rolling", "elastic energy torsion", "gravity")
DRIVES = "lost to walls and drives"
STORED_COLOURS = ["#56B4E9", "#0072B2", "#009E73", "#7FD0B8", "#004949", "#A6DDF2", "#C8C8C8"]
LOST_COLOURS = ["#E69F00", "#F0E442", "#D55E00", "#CC79A7", "#8C510A", "#F6B8A0", "#AA4499", "#666666"]


def ledger_terms(series_table):
    """Name, values and whether it is stored, of the lines that are not zero; gravity above its lowest value."""
    terms = []
    for name in series_table:
        column = series_table[name]
        if column.unit != "J" or not (name in STORED or name.startswith("lost to ")) or name == DRIVES:
            continue
        values = np.asarray(column, float)
        values = values - np.nanmin(values) if name == "gravity" else values
        if np.nanmax(np.abs(values)) > 0:
            terms.append((name, values, name in STORED))
    return sorted(terms, key=lambda term: not term[2])


def energy(run):
    """The ledger as stacked areas, what is stored below and what was lost on top of it, under the line of what the
    sample was given: at the start, and by walls and drives since. Lost terms with less than 0.1 % are left out."""
    rows = need(run.series, run)
    terms = ledger_terms(rows)
    if not terms:
        raise NothingToPlot(f"{run.folder}: series.csv has no energies")
    time, time_label = style.scaled(rows["time"])
    total = sum(values for _, values, _ in terms)
    given = total[0] - (np.asarray(rows[DRIVES]) - rows[DRIVES][0] if DRIVES in rows else 0.0)
    largest = max(np.nanmax(np.abs(total)), 1e-300)
    factor, unit = next(((f, u) for f, u in ((1, "J"), (1e3, "mJ"), (1e6, "µJ"), (1e9, "nJ"))
                         if largest * f >= 1.0), (1e12, "pJ"))
    shown = [(n, v, s) for n, v, s in terms if np.nanmax(np.abs(v)) > 1e-3 * largest]
    made, axes = style.figure(2, 1, (8.6, 6.2), sharex=True, height_ratios=[4, 1])
    used = np.linspace(0, len(time) - 1, min(len(time), 600)).astype(int)
    bottom = np.zeros(len(used))
    stored_names = [name for name in rows if name in STORED]
    lost_names = [name for name in rows if name.startswith("lost to ") and name != DRIVES]
    colour_of = dict([*zip(stored_names, STORED_COLOURS), *zip(lost_names, itertools.cycle(LOST_COLOURS))])
    for name, values, stored in shown:
        top = bottom + np.maximum(factor * values[used], 0.0)
        axes[0, 0].fill_between(time[used], bottom, top, color=colour_of[name], linewidth=0.3,
                                edgecolor="white", hatch=None if stored else "//", label=name)
        bottom = top
    axes[0, 0].plot(time[used], factor * given[used], color="black", linewidth=1.4, linestyle="--",
                    label="given: at the start and\nby walls and drives")
    axes[0, 0].set(ylabel=f"energy ({unit})", ylim=(min(0.0, factor * np.nanmin(given[used])), None))
    handles, labels = axes[0, 0].get_legend_handles_labels()
    axes[0, 0].legend(handles[::-1], labels[::-1], loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=10)
    if "closure error" in rows:
        axes[1, 0].plot(*style.thin(time, np.asarray(rows["closure error"], float)), color="0.3")
        axes[1, 0].set_ylabel("closure\nerror")
    axes[1, 0].set_xlabel(time_label)
    style.title(made, f"{run.title}: energy ledger (hatched: lost)")
    return made


SOLVER_COLUMNS = ("sweeps", "residual", "unbalanced", "largest overlap")


def iterations(runs):
    """How contact dynamics solved its steps: sweeps, residual, what stayed unbalanced, largest overlap."""
    columns = [name for name in SOLVER_COLUMNS if runs[0].series is not None and name in runs[0].series]
    columns = [name for name in columns if name == "sweeps" or np.any(runs[0].series[name])]
    if not columns:
        raise NothingToPlot(f"{runs[0].folder}: series.csv has no column 'sweeps'; contact dynamics (cd) writes them")
    made, axes = style.figure(len(columns), 1, (7.0, 1.2 + 1.9 * len(columns)), sharex=True)
    for here, name in zip(axes[:, 0], columns):
        for run in runs:
            values = np.asarray(run.series[name], float)
            labels = curve(here, run.series["time"], run.series[name], label=run.name)
        here.set_ylabel(style.textwrap.fill(labels[1], 16))
        if name in ("residual", "unbalanced") and (values > 0).any():
            here.set_yscale("log")
    axes[-1, 0].set_xlabel(labels[0])
    if len(runs) > 1:
        axes[0, 0].legend()
    style.title(made, f"{short_title(runs)}: solution of the steps")
    return made


def phases(run):
    """Where the time went: mean over ranks, with whiskers from the least to the most busy rank."""
    found = {name: one for name, one in (run.report.get("phases") or {}).items() if one["max"] > 0}
    if not found:
        raise NothingToPlot(f"{run.folder}: report.json has no phases; they are written when a run ends")
    total = sum(one["mean"] for one in found.values())
    names = sorted((name for name in found if found[name]["mean"] > 2e-3 * total), key=lambda n: found[n]["mean"])
    made, axes = style.figure(1, 1, (7.0, 0.9 + 0.36 * len(names)))
    mean = np.array([found[name]["mean"] for name in names])
    spread = np.array([[found[n]["mean"] - found[n]["min"], found[n]["max"] - found[n]["mean"]] for n in names]).T
    axes[0, 0].barh(names, mean, xerr=np.maximum(spread, 0), color=style.PALETTE[0], ecolor="0.3", capsize=3)
    for k, value in enumerate(mean):
        axes[0, 0].annotate(f" {100 * value / total:.0f} %", (value + max(spread[1, k], 0), k), va="center", fontsize=10)
    axes[0, 0].set(xlabel="wall-clock time (s)", xlim=(0, 1.15 * (mean + np.maximum(spread[1], 0)).max()))
    axes[0, 0].grid(axis="y", visible=False)
    ranks = run.report.get("ranks", "?")
    style.title(made, f"where the time went, on {ranks} rank{'' if ranks == 1 else 's'}")
    return made
