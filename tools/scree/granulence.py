# SPDX-License-Identifier: BSD-3-Clause
"""Fluctuations about an affine flow (Radjai and Roux, Phys. Rev. Lett. 89, 064302 (2002)): displacements, their
densities and flatness against the lag, power spectra along lines, and how neighbours drift apart."""
import numpy as np


def affine_map(before, after):
    """The matrix that takes the edges of one box to those of another (row vectors); the identity across directions
    that are not periodic or without extent. A box that leans by more than half a period may be written as one that leans
    the other way: of all that are the same the nearest one counts."""
    first, last = np.array(before.edges), np.array(after.edges)
    for leaning, along in ((1, 0), (2, 1), (2, 0)):
        if last[along, along] > 0:
            periods = np.round((last[leaning, along] - first[leaning, along]) / last[along, along])
            last[leaning] -= periods * last[along]
    for a in range(3):
        if first[a, a] <= 0 or not before.periodic[a]:
            first[a] = last[a] = np.eye(3)[a]
    return np.linalg.inv(first) @ last


def same_grains(frames):
    """Fields of all frames in the order of the ids of the first; ValueError if they are not the same grains."""
    ids = np.sort(np.asarray(frames[0].id))
    orders = []
    for frame in frames:
        order = np.argsort(np.asarray(frame.id))
        if not np.array_equal(np.asarray(frame.id)[order], ids):
            raise ValueError("the frames do not have the same grains")
        orders.append(order)
    return orders


def fluctuations(frames):
    """Way of each grain besides the affine flow since the first frame, (frames, grains, D): from frame to frame the flow
    of the box at the place where the grain is is taken off, and the mean over grains. Also the times and the strain
    that the box has gone through."""
    frames = list(frames)
    orders = same_grains(frames)
    dimension = 2 if frames[0].box.flat else 3
    way = np.zeros((len(frames), len(frames[0]), dimension))
    strain = np.zeros(len(frames))
    for k in range(1, len(frames)):
        before, after = frames[k - 1], frames[k]
        flow = affine_map(before.box, after.box)
        start, end = (np.asarray(f.unwrapped)[o] for f, o in ((before, orders[k - 1]), (after, orders[k])))
        change = (end - start @ flow)[:, :dimension]
        way[k] = way[k - 1] + change - change.mean(axis=0)
        gradient = flow - np.eye(3)
        strain[k] = strain[k - 1] + np.linalg.norm(gradient, ord=2)
    return way, np.array([frame.time for frame in frames]), strain


def displacements(way, lag):
    """All displacements over so many frames, one start after the other: (starts, grains, D)."""
    if not 0 < lag < len(way):
        raise ValueError(f"a lag of {lag} frames needs more than {len(way)} of them")
    return way[lag:] - way[:-lag]


def flatness(values):
    """<v^4>/<v^2>^2 - 3 about the mean: 0 for a Gaussian; with its standard error for a Gaussian."""
    v = np.asarray(values, float).ravel()
    v = v - v.mean()
    second = np.mean(v ** 2)
    return np.mean(v ** 4) / second ** 2 - 3.0 if second > 0 else 0.0, np.sqrt(24.0 / len(v))


def density(values, bins=60, reach=6.0):
    """Probability density of values over their standard deviation: middles, densities."""
    v = np.asarray(values, float).ravel()
    v = (v - v.mean()) / v.std()
    count, edges = np.histogram(v, bins=bins, range=(-reach, reach))
    return 0.5 * (edges[1:] + edges[:-1]), count / (len(v) * np.diff(edges))


def stable_index(values):
    """Exponent of the tails, P(|v| > x) ~ x^-alpha, of a symmetric stable law (2: Gaussian), with its standard error by
    halves of the sample: -log of the characteristic function grows as |k|^alpha. Fitted between |phi| = 0.95 and 0.35,
    where it is known best."""
    v = np.asarray(values, float).ravel()
    v = v - np.median(v)

    def slope(part):
        scale = np.median(np.abs(part))
        waves = np.geomspace(0.02, 3.0, 30) / scale
        phi = np.array([np.abs(np.exp(1j * wave * part).mean()) for wave in waves])
        good = (phi < 0.95) & (phi > 0.35)
        return np.polyfit(np.log(waves[good]), np.log(-np.log(phi[good])), 1)[0]

    pieces = [slope(v[k::8]) for k in range(8)]
    return slope(v), np.std(pieces, ddof=1) / np.sqrt(8)


def pair_separation(way, pairs, lags):
    """How far pairs of grains have come apart beyond the flow, rms, for each lag in frames."""
    apart = way[:, pairs[:, 0]] - way[:, pairs[:, 1]]
    return np.sqrt([np.mean(np.sum(displacements(apart, lag) ** 2, axis=-1)) for lag in lags])


def power(x, y):
    """Exponent of a power law, with its standard error from the scatter."""
    x, y = np.log(np.asarray(x, float)), np.log(np.asarray(y, float))
    if len(x) < 3:
        return (np.polyfit(x, y, 1)[0] if len(x) == 2 else np.nan), np.nan
    coefficients, covariance = np.polyfit(x, y, 1, cov=True)
    return coefficients[0], np.sqrt(covariance[0, 0])


def nearest_neighbours(frame, reach=1.1):
    """Pairs of grains whose centres are closer than `reach` times the sum of their radii."""
    box, place, radius = frame.box, np.asarray(frame.position), np.asarray(frame.radius)
    longest = 2.0 * reach * radius.max()
    found = []
    for i in range(len(place) - 1):
        apart = box.nearest(place[i + 1:] - place[i], place[i])
        distance = np.linalg.norm(apart, axis=1)
        near = np.nonzero((distance < longest) & (distance < reach * (radius[i + 1:] + radius[i])))[0]
        found.append(np.stack([np.full(len(near), i), near + i + 1], axis=1))
    return np.vstack(found)


def onto_grid(box, place, values, cells):
    """Values at places of disks in a periodic box, on a grid of cells x cells along the edges of the box, by linear
    interpolation between neighbours (Delaunay)."""
    from matplotlib.tri import LinearTriInterpolator, Triangulation
    edges = box.edges[:2, :2]
    part = (place[:, :2] - box.low[:2]) @ np.linalg.inv(edges) % 1.0
    shifts = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    around = np.vstack([part + shift for shift in shifts])
    number = np.tile(np.arange(len(part)), len(shifts))
    near = ((around > -0.3) & (around < 1.3)).all(axis=1)
    around, number = around[near], number[near]
    triangles = Triangulation(*(around @ edges).T)
    grid = (np.arange(cells) + 0.5) / cells
    points = np.stack(np.meshgrid(grid, grid, indexing="ij"), axis=-1) @ edges
    return np.stack([np.asarray(LinearTriInterpolator(triangles, values[number, c])(points[..., 0], points[..., 1]))
                     for c in range(values.shape[1])], axis=-1)


def line_spectrum(field, length, axis=0):
    """Power spectrum of a field on a grid along one of its axes, mean over the lines and components: wave numbers k
    (periods per length) and power per k."""
    field = field - field.mean(axis=(0, 1))
    cells = field.shape[axis]
    waves = np.abs(np.fft.rfft(field, axis=axis)) ** 2
    power_ = np.moveaxis(waves, axis, 0).reshape(cells // 2 + 1, -1).mean(axis=1) * length / cells ** 2
    return np.arange(1, cells // 2) / length, power_[1:cells // 2]


def grid_cells(frame):
    """Four cells in a mean diameter, an even number along each edge."""
    lengths = np.linalg.norm(frame.box.edges[:2, :2], axis=1)
    return 2 * int(round(lengths.max() / np.asarray(frame.radius).mean()))


def field_spectra(frame, values, cells=None):
    """Spectra along both edges of a flat periodic box of values of its grains."""
    lengths = np.linalg.norm(frame.box.edges[:2, :2], axis=1)
    field = onto_grid(frame.box, np.asarray(frame.position), values[:, :2], cells or grid_cells(frame))
    return [line_spectrum(field, lengths[axis], axis) for axis in (0, 1)]


def spectral_exponent(waves, powers, diameter, longest=0.25):
    """beta of k^-beta from the length of the box down to `longest` (1/diameter), with its error. Shorter waves are
    weakened by the interpolation between grains."""
    inside = waves * diameter <= longest
    slope, error = power(waves[inside], powers[inside])
    return -slope, error


def random_field(random, box, cells, beta):
    """A Gaussian field on a grid along the edges of a flat box, whose spectrum along lines is k^-beta."""
    waves = np.fft.fftfreq(cells, 1.0 / cells)
    wave = np.stack(np.meshgrid(waves, waves, indexing="ij"), axis=-1) @ np.linalg.inv(box.edges[:2, :2]).T
    size = np.linalg.norm(wave, axis=-1)
    size[0, 0] = np.inf if beta > 0 else 1.0
    amplitude = size ** (-0.5 * (beta + 1.0)) if beta > 0 else np.ones_like(size)
    noise = np.fft.fft2(random.normal(size=(cells, cells, 2)), axes=(0, 1))
    return np.fft.ifft2(amplitude[..., None] * noise, axes=(0, 1)).real


def calibration(frame, betas=(0.0, 0.8, 1.6, 2.4), fields=4, cells=512):
    """What becomes of known exponents when fields are known at the places of the grains only: (betas, exponents that
    are found). Found beside the same fields on a fine grid, so that few fields are enough."""
    random, found = np.random.default_rng(1), []
    diameter = 2.0 * np.asarray(frame.radius).mean()
    lengths = np.linalg.norm(frame.box.edges[:2, :2], axis=1)
    part = (np.asarray(frame.position)[:, :2] - frame.box.low[:2]) @ np.linalg.inv(frame.box.edges[:2, :2]) % 1.0
    for beta in betas:
        shifts = []
        for _ in range(fields):
            field = random_field(random, frame.box, cells, beta)
            at_grains = field[tuple(np.minimum((part * cells).astype(int), cells - 1).T)]
            for axis, (waves, powers) in enumerate(field_spectra(frame, at_grains)):
                exact = line_spectrum(field, lengths[axis], axis)[1][:len(powers)]
                shifts.append(spectral_exponent(waves, powers, diameter)[0] -
                              spectral_exponent(waves, exact, diameter)[0])
        found.append(beta + np.mean(shifts))
    return np.array(betas), np.array(found)


def true_exponent(found, calibrated):
    """The exponent that the interpolation makes `found` of."""
    betas, measured = calibrated
    k = int(np.clip(np.searchsorted(measured, found), 1, len(betas) - 1))
    slope = (betas[k] - betas[k - 1]) / (measured[k] - measured[k - 1])
    return betas[k] + slope * (found - measured[k])
