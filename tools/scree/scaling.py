# SPDX-License-Identifier: BSD-3-Clause
"""Strong and weak scaling: the same case on several numbers of ranks, beside the ideal."""
import numpy as np

from . import plots, style


def measured(run):
    report = run.report
    if not report or report.get("exit_code") not in (0, 75) or not report.get("steps"):
        raise plots.NothingToPlot(f"{run.folder}: has not ended well")
    return report


class Series:
    """Reports by rising number of ranks. Weak: grains grow with the ranks."""

    def __init__(self, runs):
        self.reports = sorted((measured(run) for run in runs), key=lambda report: report["ranks"])
        self.ranks = np.array([report["ranks"] for report in self.reports])
        self.grains = np.array([report["grains"] for report in self.reports])
        self.step = np.array([(report["loop_seconds"] - report["phases"]["io"]["max"]) / report["steps"]
                              for report in self.reports])  # without the checkpoint at the end
        self.weak = self.grains.max() > 1.2 * self.grains.min()
        per_work = self.step * self.ranks / self.grains  # s, a grain on a rank
        self.efficiency = per_work[0] / per_work
        self.ideal = self.step[0] * (self.grains / self.grains[0]) * (self.ranks[0] / self.ranks)

    @property
    def kind(self):
        return "weak" if self.weak else "strong"

    def phases(self):
        """Names, and for each report the mean seconds of a step in them; setup is left out."""
        names = [name for name in self.reports[0]["phases"] if name not in ("setup", "io")]
        seconds = np.array([[report["phases"][name]["mean"] / report["steps"] for name in names]
                            for report in self.reports])
        used = seconds.max(axis=0) > 0.01 * self.step.max()
        return [name for name, keep in zip(names, used) if keep], seconds[:, used]


def table(runs):
    """Lines of a table."""
    s = Series(runs)
    names, seconds = s.phases()
    lines = [f"{'ranks':>6} {'grains':>10} {'us/step':>10} {'ns/grain-step':>14} {'efficiency':>10} {'imbalance':>9}  "
             + " ".join(f"{name:>10}" for name in names)]
    for k, report in enumerate(s.reports):
        shares = 100.0 * seconds[k] / seconds[k].sum()
        lines.append(f"{s.ranks[k]:6d} {s.grains[k]:10d} {1e6 * s.step[k]:10.1f} "
                     f"{1e9 * s.step[k] / s.grains[k]:14.2f} {100 * s.efficiency[k]:8.1f} % "
                     f"{report.get('imbalance_overall', 1.0):9.3f}  "
                     + " ".join(f"{share:8.1f} %" for share in shares))
    return lines


def scaling(runs):
    s = Series(runs)
    made, axes = style.figure(1, 3, (12.0, 3.6))
    here = axes[0, 0]
    here.loglog(s.ranks, 1e6 * s.step, "o-", label="measured")
    here.loglog(s.ranks, 1e6 * s.ideal, "--", color="grey", label="ideal")
    here.set(xlabel="ranks", ylabel="time of a step [us]")
    here.legend()
    here = axes[0, 1]
    here.semilogx(s.ranks, 100 * s.efficiency, "o-")
    here.axhline(100, color="grey", ls="--")
    here.set(xlabel="ranks", ylabel="efficiency [%]", ylim=(0, 110))
    names, seconds = s.phases()
    here, bottom, places = axes[0, 2], np.zeros(len(s.ranks)), np.arange(len(s.ranks))
    shares = 100.0 * seconds / seconds.sum(axis=1, keepdims=True)
    for k, name in enumerate(names):
        here.bar(places, shares[:, k], bottom=bottom, label=name)
        bottom += shares[:, k]
    here.set(xlabel="ranks", ylabel="share of the time [%]")
    here.set_xticks(places, [str(n) for n in s.ranks])
    here.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5))
    style.title(made, f"{runs[0].title}: {s.kind} scaling")
    return made
