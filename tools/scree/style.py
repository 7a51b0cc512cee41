# SPDX-License-Identifier: BSD-3-Clause
"""How figures look: letters that can be read at half size, colours that everybody can tell apart."""
import io
import textwrap

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  after the choice of the backend

# Okabe and Ito, in an order that keeps neighbours apart also in grey.
PALETTE = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999"]
MARKERS = "os^Dv<>p"
SEQUENTIAL, DIVERGING = "viridis", "coolwarm"
SHORT = {"m": (1e3, "mm"), "s": (1e3, "ms")}  # of values below 1

matplotlib.rcParams.update({
    "axes.prop_cycle": matplotlib.cycler(color=PALETTE), "font.size": 12, "axes.titlesize": 12,
    "axes.grid": True, "grid.color": "0.9", "axes.axisbelow": True, "legend.frameon": False, "legend.fontsize": 10.5,
    "lines.linewidth": 1.6, "axes.formatter.limits": (-3, 4), "axes.formatter.use_mathtext": True,
    "svg.hashsalt": "scree", "savefig.facecolor": "white", "axes.spines.top": False, "axes.spines.right": False})


def figure(rows=1, columns=1, size=(7.0, 4.6), **options):
    """A figure with room for its titles; axes as an array of rows and columns."""
    made, axes = plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False, **options)
    return made, axes


def title(made, text):
    made.suptitle("\n".join(textwrap.wrap(text, max(int(10.5 * made.get_figwidth()), 20))), fontsize=12)


def save(made, name, dpi=150):
    """PNG, PDF or SVG by the ending of the name; the same bytes for the same figure."""
    metadata = {"Date": None} if name.endswith(".svg") else {"CreationDate": None} if name.endswith(".pdf") else None
    made.savefig(name, dpi=dpi, metadata=metadata)
    plt.close(made)


def as_bytes(made, kind="svg", dpi=110):
    buffer = io.BytesIO()
    made.savefig(buffer, format=kind, dpi=dpi, metadata={"Date": None} if kind == "svg" else None)
    plt.close(made)
    return buffer.getvalue()


def in_short(values, unit):
    """Lengths below a metre in mm, times below a second in ms: factor and unit."""
    values = np.asarray(values, float)
    finite = np.abs(values[np.isfinite(values)])
    if unit in SHORT and finite.size and 0.0 < finite.max() < 0.999:
        return SHORT[unit]
    return 1.0, unit


def scaled(values):
    """An array of the package, scaled for an axis, and its label."""
    unit, name = getattr(values, "unit", ""), getattr(values, "name", "")
    factor, shown = in_short(values, unit)
    return factor * np.asarray(values, float), f"{name} ({shown})" if shown else name


def thin(x, y, most=2000):
    """Fewer points for a curve with very many: least and largest of each piece, so that no peak is lost."""
    if len(x) <= 2 * most or np.isnan(np.asarray(y, float)).any():
        return x, y
    pieces = np.array_split(np.arange(len(x)), most)
    kept = sorted({k for piece in pieces for k in (piece[np.argmin(y[piece])], piece[np.argmax(y[piece])])})
    return x[kept], y[kept]
