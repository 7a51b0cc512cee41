"""What validation cases of steady flows read from the files of a run (the stresses are those of boxes
that deform), and the lines of their report: name | measured | target | tolerance | source | pass or FAIL."""
import bisect
import csv
import math


def table(folder, name):
    """Rows of a table of results, numbers by the names of their columns without units."""
    with open(f"{folder}/{name}.csv", newline="") as file:
        return [{key.split(" [")[0]: float(value) for key, value in row.items()}
                for row in csv.DictReader(file)]


def mean(numbers):
    return sum(numbers) / len(numbers)


def standard_error(blocks):
    """Of their mean, if they are long enough to be independent."""
    middle = mean(blocks)
    return math.sqrt(sum((b - middle) ** 2 for b in blocks) / (len(blocks) - 1) / len(blocks))


class Stresses:
    """Mean stresses of blocks of equal strain after the first `start` of shear xy, of the run or of one
    of its stages, from sums over time that miss no step. Compression is positive."""

    def __init__(self, folder, start, n_blocks, stage=None):
        series = [row for row in table(folder, "series") if stage is None or row["stage"] == stage]
        strain = [row["strain xy"] - series[0]["strain xy"] for row in series]
        edges = [start + (strain[-1] - start) * k / n_blocks for k in range(n_blocks)]
        self.cuts = [series[bisect.bisect_left(strain, e)] for e in edges] + [series[-1]]

    def blocks(self, component):
        column = f"sum over time of stress {component}"
        return [(b[column] - a[column]) / (b["time"] - a["time"])
                for a, b in zip(self.cuts, self.cuts[1:])]

    def pressure(self):
        return [mean(parts) for parts in zip(*(self.blocks(c) for c in ("xx", "yy", "zz")))]


def profile_slope(folder, name):
    """Of the velocity along x against y, by least squares over the bins."""
    rows = table(folder, name)
    y, v = [r["mean y"] for r in rows], [r["velocity x"] for r in rows]
    return (sum((a - mean(y)) * (b - mean(v)) for a, b in zip(y, v)) /
            sum((a - mean(y)) ** 2 for a in y))


def line(name, value, target, tolerance, source, relative=False):
    off = abs(value - target) / (abs(target) if relative else 1.0)
    kind = "relative" if relative else "absolute"
    print(f"{name} | {value:.4f} | {target:.4f} | {tolerance} ({kind}) | {source} | "
          f"{'pass' if off <= tolerance else 'FAIL'}")


def at_most(name, value, limit, source):
    print(f"{name} | {value:.4f} | at most {limit} | | {source} | "
          f"{'pass' if value <= limit else 'FAIL'}")


def between(name, value, low, high, source):
    print(f"{name} | {value:.4f} | {low:g} to {high:g} | | {source} | "
          f"{'pass' if low <= value <= high else 'FAIL'}")
