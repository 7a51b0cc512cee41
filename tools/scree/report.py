# SPDX-License-Identifier: BSD-3-Clause
"""One page that tells what a run did, with everything in it: no other file, no network."""
import base64
import html
import json
import os

import numpy as np

from . import granulence_plots, grids, plots, plots_contacts, profiles, report_view, stresses, style

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "report_page")


def part(name):
    with open(os.path.join(PAGE, name), encoding="utf-8") as file:
        return file.read()


def number(value, digits=4):
    if isinstance(value, (int, np.integer)):
        return f"{value:,}".replace(",", "\u202f")
    return f"{value:.{digits}g}"


def last(table, column):
    return float(table[column][-1]) if table is not None and column in table and len(table) else None


def mean_of_last_quarter(values):
    return float(np.mean(values[-max(1, len(values) // 4):]))


def stress_numbers(run):
    """Pressure and stress ratio, means over the last quarter of the rows."""
    table = stresses.table_of(run)
    tensor = stresses.tensor(table) if table is not None and len(table) else None
    if tensor is None:
        return []
    p, q = stresses.mean_and_deviator(tensor)
    p, q = mean_of_last_quarter(p), mean_of_last_quarter(q)
    ratio = [("stress ratio q/p, last quarter", number(q / p, 3))] if p > 0 else []
    return [("pressure, last quarter", f"{number(p, 3)} {tensor.unit}"), *ratio]


def key_numbers(run):
    """(what, value as text) of what a reader asks first."""
    report, found = run.report, []
    for key, what, unit in (("grains", "grains", ""), ("steps", "steps", ""), ("time", "simulated time", " s"),
                            ("contacts", "contacts at the end", ""), ("loop_seconds", "wall-clock time", " s")):
        if key in report:
            value = int(report[key]) if key in ("grains", "steps", "contacts") else report[key]
            found.append((what, number(value) + unit))
    if report.get("loop_seconds"):
        found.append(("grain-steps per second", number(report["grains"] * report["steps"] / report["loop_seconds"], 3)))
    if last(run.series, "closure error") is not None:
        found.append(("closure error of the energies", number(last(run.series, "closure error"), 2)))
    for table in run.measurements.values():
        for column in ("solid fraction", "coordination"):
            if not profiles.is_profile(table) and table.name not in grids.paths_of(run) and last(table, column) is not None:
                found.append((f"{column} ({table.name})", number(last(table, column), 3)))
    found += stress_numbers(run)
    if run.series is not None and "sweeps" in run.series and len(run.series):
        found.append(("sweeps of a step, mean of rows", number(float(np.mean(run.series["sweeps"])), 3)))
    return found


def plot_list(run):
    """(title, function) of every plot that a run may allow."""
    yield "Energies", lambda: plots.energy(run)
    yield "Stress and strain", lambda: plots.stress_strain([run])
    yield "Contacts and speed", lambda: plots.series([run], [name for name in ("contacts", "kinetic energy")
                                                             if name in (run.series or ())])
    for name, table in run.measurements.items():
        if profiles.is_profile(table):
            along_r = profiles.along(table) == "r"
            yield f"Profile {name}", lambda name=name, fit=along_r: plots.profile(run, name, fit=fit)[0]
    for name in grids.paths_of(run):
        yield f"Field {name}", lambda name=name: grids.plot(run, name)
    yield "Networks of forces", lambda: plots_contacts.networks(run)
    yield "Contact forces", lambda: plots_contacts.forces(run)
    yield "Directions of contacts", lambda: plots_contacts.fabric(run)
    yield "Solution of the steps", lambda: plots.iterations([run])
    if len(run.frames) >= 20:
        yield "Fluctuations", lambda: granulence_plots.overview(run, max(0, len(run.frames) - 60))


def image(data, kind, words):
    encoded = base64.b64encode(data).decode()
    return f'<img alt="{html.escape(words)}" src="data:image/{kind};base64,{encoded}">'


def draw_plots(run):
    """All plots that the run allows; what could not be drawn, and why, is left out of the page."""
    found = []
    for words, draw in plot_list(run):
        try:
            made = draw()
        except (plots.NothingToPlot, KeyError, ValueError):
            style.plt.close("all")
            continue
        found.append(image(style.as_bytes(made), "svg+xml", words))
    return found


def table_of_rows(rows, numbers=()):
    lines = []
    for row in rows:
        cells = [f'<td class="number">{html.escape(str(cell))}</td>' if k in numbers else f"<td>{html.escape(str(cell))}</td>"
                 for k, cell in enumerate(row)]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(lines)}</table>"


def state_of(run):
    if not run.ended:
        return '<span class="state open">not ended</span>'
    code, reason = run.report.get("exit_code", 0), html.escape(str(run.report.get("reason", "")))
    return f'<span class="state{"" if code == 0 else " bad"}">exit code {code}: {reason}</span>'


def ledger_rows(run):
    if run.series is None or not len(run.series):
        return []
    return [(name, f"{run.series[name][0]:.6g}", f"{run.series[name][-1]:.6g}")
            for name in run.series if run.series[name].unit == "J" and np.any(run.series[name])]


def stage_rows(run):
    if run.stages is None or not len(run.stages):
        return []
    return [(name, f"{first:.6g} s to {time:.6g} s", ended, found) for name, first, time, ended, found in
            zip(*(run.stages[key] for key in ("name", "first time", "time", "ended by", "found")))]


def wall_rows(run):
    rows = []
    for name, wall in (run.report.get("walls") or {}).items():
        rows.append((name, ", ".join(f"{x:.4g}" for x in wall["force"]), ", ".join(f"{x:.4g}" for x in wall["torque"])))
    return rows


def section(name, body):
    return f'<h2 id="{name.split()[0].lower()}">{html.escape(name)}</h2>\n{body}\n' if body else ""


def folded(name, text):
    return f"<details><summary>{name}</summary><pre>{html.escape(text)}</pre></details>" if text else ""


def phases(run):
    try:
        return image(style.as_bytes(plots.phases(run)), "svg+xml", "where the time went")
    except plots.NothingToPlot:
        return ""


def grains_view(run, most, megabytes):
    frames = report_view.choose(run, most, megabytes)
    if not frames:
        return "", ""
    head, data = report_view.pack(run, frames)
    safe = json.dumps(head).replace("<", "\\u003c")
    blocks = (f'<script type="application/json" id="view-head">{safe}</script>\n'
              f'<script type="text/plain" id="view-data">{base64.b64encode(data).decode()}</script>\n'
              f"<script>\n{part('view.js')}</script>\n")
    return part("view.html"), blocks


def sections(run, most, megabytes):
    view, blocks = grains_view(run, most, megabytes)
    ledger = ledger_rows(run)
    stages, walls = stage_rows(run), wall_rows(run)
    plots_ = draw_plots(run)
    provenance = [(key, value) for key, value in run.provenance.items() if value is not None]
    body = [
        section("Numbers", '<div class="numbers">' + "".join(
            f"<div><b>{html.escape(value)}</b><span>{html.escape(what)}</span></div>"
            for what, value in key_numbers(run)) + "</div>"),
        section("Warnings", "".join(f'<p class="warning">{html.escape(line)}</p>' for line in run.warnings)),
        section("Grains", view),
        section("Plots", f'<div class="plots">{"".join(plots_)}</div>' if plots_ else ""),
        section("Stages", table_of_rows([("stage", "when", "ended by", "found"), *stages]) if stages else ""),
        section("Ledger of energies", table_of_rows([("J", "first row", "last row"), *ledger], (1, 2)) if ledger else ""),
        section("Walls at the end", table_of_rows([("wall", "force (N)", "torque (N m)"), *walls]) if walls else ""),
        section("Time", phases(run)),
        section("Provenance", table_of_rows([*provenance, ("results", run.folder)])),
        section("Input", folded("input.yaml", run.input) + folded("effective.yaml: with all defaults",
                                                                  run.effective_input)),
        section("Log", folded("log.txt", "\n".join(run.log)))]
    return body, blocks


def page(run, most=20, megabytes=24.0):
    """The page as text. `most`: frames in the view of the grains; fewer if they need more than `megabytes`."""
    body, blocks = sections(run, most, megabytes)
    names = [one.split('id="')[1].split('"')[0] for one in body if one]
    links = "".join(f'<a href="#{name}">{name}</a>' for name in names)
    title = html.escape(run.title)
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>\n{part("page.css")}</style>\n'
            f"</head><body>\n<h1>{title}</h1>\n<p>{state_of(run)}</p>\n<nav>{links}</nav>\n"
            f"{''.join(body)}{blocks}</body></html>\n")


def write(run, name, most=20, megabytes=24.0):
    text = page(run, most, megabytes)
    with open(name + ".part", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(name + ".part", name)
    return len(text.encode())
