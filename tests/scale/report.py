#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tables, verdicts and a forecast from the results of tests/scale/run: report.py FOLDER.

Writes scale.md and, with matplotlib, scale.png into the folder. Exit code 1: messages, bytes or
memory of a mean rank grow by more than 10 %."""
import json
import math
import pathlib
import sys

# From so many ranks on nothing of a mean rank may grow by more than the tolerance. On 27 ranks of a
# periodic box each has the 26 others for partners at most, the same one seen through several faces:
# messages are compared from 64 on.
FLAT_FROM, MESSAGES_FLAT_FROM, TOLERANCE = 27, 64, 0.10

# A cluster of today, for the forecast. Work is for one core of the kind of machine on which
# tests/bench/dense takes so long. 64 ranks, a block of 4 x 4 x 4, share a node and its link; a
# quarter of the faces of their shares are those of the block.
LATENCY = 2e-6             # s, a message
BANDWIDTH = 25e9 / 64 * 4  # bytes/s of a rank
WORK = 45e-9               # s, per grain and step
BRICKS_MOST, BRICKS_OF_A_RANK = 1 << 22, 91  # see include/scree/bricks.h
LITTLE = {"now": 0, "peak": 4096}  # places that are not in report.json
REACH = 1.25               # diameters; thickness of the ghost layer


def load(folder):
    series = {}
    for path in sorted(folder.glob("*-*/report.json")):
        method, ranks = path.parent.name.split("-")
        series.setdefault(method, {})[int(ranks)] = json.loads(path.read_text())
    if not series:
        sys.exit(f"no results in {folder}")
    return series


def sweeps(report):
    """Messages of cd go by sweeps, of which larger samples take more."""
    return report.get("cd", {}).get("sweeps_per_step", 1.0)


def row(report):
    rank, per = report["of_a_rank"], sweeps(report)
    return {"messages": rank["messages_per_step"]["mean"] / per,
            "bytes": rank["bytes_per_step"]["mean"] / per,
            "collectives": rank["collectives_per_step"]["mean"] / per,
            "collective bytes": rank["collective_bytes_per_step"]["mean"] / per,
            "memory": rank["memory"]["mean"], "most memory": rank["peak_memory"]["max"]}


def table(method, runs):
    unit = "sweep" if method == "cd" else "step"
    lines = [f"\n## {method}\n", f"Of a mean rank, per {unit}; memory in kB.\n",
             "| ranks | grains | messages | bytes | collectives | their bytes | memory | most memory of any |",
             "|---|---|---|---|---|---|---|---|"]
    for ranks, report in sorted(runs.items()):
        r = row(report)
        lines.append(f"| {ranks} | {report['grains']} | {r['messages']:.1f} | {r['bytes']:.0f} | "
                     f"{r['collectives']:.1f} | {r['collective bytes']:.0f} | {r['memory'] / 1e3:.0f} | "
                     f"{r['most memory'] / 1e3:.0f} |")
    return lines


def verdicts(method, runs):
    """Lines, and whether all is flat."""
    most = max(runs)
    if FLAT_FROM not in runs or most <= FLAT_FROM:
        return [f"\nToo few runs of {method} for a verdict.\n"], False
    lines, good = [""], True
    for key in ("messages", "bytes", "memory"):
        begin = MESSAGES_FLAT_FROM if key == "messages" and MESSAGES_FLAT_FROM in runs else FLAT_FROM
        change = row(runs[most])[key] / row(runs[begin])[key] - 1.0
        flat = change <= TOLERANCE
        good = good and flat
        lines.append(f"* {key}: {100 * change:+.1f} % from {begin} to {most} ranks, "
                     f"allowed +{100 * TOLERANCE:.0f} %: {'pass' if flat else 'FAIL'}")
    return lines, good


def growing(method, runs):
    """What rank 0 holds or held more of on more ranks, by the place in the source."""
    most = max(runs)
    if FLAT_FROM not in runs or most <= FLAT_FROM:
        return []
    first, last = (runs[n]["memory_of_rank_0"] for n in (FLAT_FROM, most))
    middle = sorted(runs)[-2]
    lines = [f"\nGrows with the number of ranks, on rank 0 of {method} (kB on {FLAT_FROM} and on {most} "
             "ranks, and what it would be on 100,000; bricks are 4 million at most, about 100 a rank before that):\n",
             "| function | now | most ever | most ever on 100,000 |", "|---|---|---|---|"]
    for place, end in sorted(last.items(), key=lambda item: -item[1]["peak"]):
        begin = first.get(place, LITTLE)
        slope = (end["peak"] - begin["peak"]) / (most - FLAT_FROM)
        half = runs[middle]["memory_of_rank_0"].get(place, begin)
        if end["peak"] < 1.5 * begin["peak"] or end["peak"] < 1.2 * half["peak"]:
            continue
        far = min(slope * 1e5, end["peak"] / (BRICKS_OF_A_RANK * most) * BRICKS_MOST)
        lines.append(f"| `{place}` | {begin['now'] / 1e3:.1f} → {end['now'] / 1e3:.1f} | "
                     f"{begin['peak'] / 1e3:.1f} → {end['peak'] / 1e3:.1f} | {far / 1e3:.0f} |")
    return lines if len(lines) > 4 else lines + ["| nothing | | | |"]


def layer(grains):
    """Ghosts of a cube of so many grains, in grains."""
    edge = grains ** (1.0 / 3.0)
    return (edge + 2.0 * REACH) ** 3 - edge ** 3


def step_time(counts, grains, counted_grains, ranks, hidden):
    """s: work of the grains of a rank, messages to its neighbours, one vote of all. `hidden`: messages
    travel while interior pairs, whose share is that of grains away from the surface, are computed."""
    work = WORK * grains
    if ranks == 1:
        return work
    transfer = (counts["messages"] * LATENCY
                + counts["bytes"] * layer(grains) / layer(counted_grains) / BANDWIDTH)
    edge = grains ** (1.0 / 3.0)
    interior = work * (max(edge - 2.0 * REACH, 0.0) / edge) ** 3 if hidden else 0.0
    return max(interior, transfer) + work - interior + LATENCY * math.log2(ranks)


def forecast(runs):
    """Strong scaling of 10^8 grains and weak scaling of 10^4 grains a rank, md."""
    most = max(runs)
    counts, counted = row(runs[most]), runs[most]["grains"] / most
    lines = ["\n## Forecast, md\n",
             f"Time of a step: {WORK * 1e9:.0f} ns of work per grain; messages x {LATENCY * 1e6:.0f} us + bytes / "
             f"({BANDWIDTH / 1e9:.2f} GB/s); one latency per doubling of ranks for the vote. Messages and bytes "
             f"are those counted on {most} ranks; bytes grow as the ghost layer of a cube. In brackets: nothing "
             "is hidden; before them: messages travel while interior pairs are computed, as the program has it. "
             "Taken as perfect: balance, and the system, which has no noise. Rebuilds of lists are part of the "
             "work; a new balance, for which all bricks are summed over all ranks, is not counted.\n",
             "| ranks | 10^8 grains: s per step | efficiency | 10^4 grains a rank: us per step | efficiency |",
             "|---|---|---|---|---|"]
    curves = []
    for ranks in (1, 10, 100, 1000, 10000, 100000):
        strong, weak = ([step_time(counts, n, counted, ranks, hidden) for hidden in (True, False)]
                        for n in (1e8 / ranks, 1e4))
        ideal, base = WORK * 1e8 / ranks, WORK * 1e4
        curves.append((ranks, ideal / strong[0], base / weak[0]))
        lines.append(f"| {ranks} | {strong[0]:.3g} | {100 * ideal / strong[0]:.0f} % "
                     f"({100 * ideal / strong[1]:.0f} %) | {weak[0] * 1e6:.0f} | "
                     f"{100 * base / weak[0]:.0f} % ({100 * base / weak[1]:.0f} %) |")
    return lines, curves


def draw(folder, series, curves):
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(1, 3, figsize=(13, 3.8), constrained_layout=True)
    for method, runs in sorted(series.items()):
        ranks = [n for n in sorted(runs) if n > 1]
        axes[0].plot(ranks, [row(runs[n])["messages"] for n in ranks], "o-", label=method)
        axes[1].plot(ranks, [row(runs[n])["memory"] / 1e3 for n in ranks], "o-", label=method)
    axes[0].set(xlabel="ranks", ylabel="messages of a rank per step (cd: sweep)", xscale="log", ylim=(0, None))
    axes[1].set(xlabel="ranks", ylabel="memory of a rank, kB", xscale="log", ylim=(0, None))
    for axis in axes[:2]:
        axis.legend()
    if curves:
        ranks = [c[0] for c in curves]
        axes[2].plot(ranks, [c[1] for c in curves], "s-", label="10$^8$ grains")
        axes[2].plot(ranks, [c[2] for c in curves], "o-", label="10$^4$ grains a rank")
        axes[2].axhline(1, color="grey", lw=0.8)
        axes[2].set(xlabel="ranks", ylabel="forecast of the efficiency, md", xscale="log", ylim=(0, 1.1))
        axes[2].legend()
    figure.savefig(folder / "scale.png", dpi=110)


def main():
    folder = pathlib.Path(sys.argv[1])
    series, lines, good, curves = load(folder), ["# Scale, by counting"], True, []
    for method, runs in sorted(series.items(), key=lambda item: ("md", "cd", "ed").index(item[0])):
        said, flat = verdicts(method, runs)
        good = good and flat
        lines += table(method, runs) + said + growing(method, runs)
    if "md" in series:
        said, curves = forecast(series["md"])
        lines += said
    text = "\n".join(lines) + "\n"
    (folder / "scale.md").write_text(text)
    print(text, end="")
    draw(folder, series, curves)
    print(f"scale: {'all flat' if good else 'something grows'}; written to {folder}/scale.md and scale.png")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
