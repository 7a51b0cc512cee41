#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The statistics of tools/scree give back what synthetic data were made with, and nothing where nothing is.
# Usage: tests/cli/statistics.sh SCREE
set -uo pipefail
repo=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/support/shell_test.sh
source "$repo/tests/support/shell_test.sh"
export PYTHONPATH=$repo/tools PYTHONDONTWRITEBYTECODE=1

cat > synthetic.py << 'END'
import numpy as np
import scree
from scree.frames import Box, Frame
from scree.quantity import Array


def near(what, value, expected, tolerance):
    print(f"{what}: {value:.5g}, expected {expected:.5g} +- {tolerance:.2g}")
    assert abs(value - expected) <= tolerance, what


def make_frame(place, edges, contacts=None, radius=0.5, time=0.0, image=None):
    """Disks in a periodic box."""
    n = len(place)
    fields = {"id": np.arange(1, n + 1), "position": np.column_stack([place, np.zeros(n)]),
              "image": np.zeros((n, 3)) if image is None else image, "radius": np.full(n, radius)}
    box = Box([0, 0, 0], np.array([[*edges[0], 0], [*edges[1], 0], [0, 0, 0]]), [1, 1, 0])
    return Frame({key: Array(value) for key, value in fields.items()}, box, time, 0, contacts=contacts)
END
check() { # NAME, with a program from standard input
    /usr/bin/python3 - > messages 2>&1
    verdict "$1" $?
}

block "statistics: shear band"
check "centre and width of a noisy erf profile to 1 %" << 'END'
from synthetic import *
from scree import band
rng = np.random.default_rng(3)
place = np.linspace(0.05, 0.11, 60)
value = band.band(place, (0.5, 0.083, 0.0071)) + rng.normal(0, 0.004, 60)
(amplitude, centre, width), errors = band.fit(place, value)
near("amplitude", amplitude, 0.5, 0.005)
near("centre", centre, 0.083, 0.00083)
near("width", width, 0.0071, 0.000071)
assert np.all(np.abs([amplitude - 0.5, centre - 0.083, width - 0.0071]) < 4 * errors)
for nothing in (np.zeros(60), np.full(60, 2.0)):
    try:
        band.fit(place, nothing)
    except ValueError:
        continue
    raise AssertionError("a band in a flat profile")
END

block "statistics: spectra"
check "k^-1.24 on lines of a grid to 0.02, white noise 0" << 'END'
from synthetic import *
from scree import granulence
rng = np.random.default_rng(4)


def lines(beta, n=512, count=3000):
    k = np.fft.rfftfreq(n, 1.0 / n)
    amplitude = np.concatenate([[0.0], k[1:] ** (-beta / 2)])
    waves = rng.normal(size=(count, len(k), 2)) @ [1, 1j] * amplitude
    return np.fft.irfft(waves, axis=1).T[:, :, None]  # along the first axis


for beta in (1.24, 0.0, 2.0):
    waves, powers = granulence.line_spectrum(lines(beta), 30.0)
    assert np.isclose(waves[0], 1 / 30)
    near("exponent", granulence.spectral_exponent(waves, powers, 0.125)[0], beta, 0.02)
# Parseval: the power of all waves, both signs, is the variance
field = lines(1.24)
waves, powers = granulence.line_spectrum(field, 30.0)
near("variance", 2 * powers.sum() / 30.0, (field - field.mean(axis=(0, 1))).var(), 0.01 * field.var())
END
check "k^-1.24 at the places of disks to 0.02, white noise 0 within its error" << 'END'
from synthetic import *
from scree import granulence
rng = np.random.default_rng(5)
columns, rows, n = 45, 52, 512  # disks near a triangular lattice in a leaning box
edges = np.array([[45.0, 0.0], [12.0, 45.0]])
lattice = np.array([((i + 0.5 * (j % 2)) / columns, j / rows) for j in range(rows) for i in range(columns)])
part = (lattice + rng.normal(0, 0.25 / columns, lattice.shape)) % 1.0
frame = make_frame(part @ edges, edges)
calibrated = granulence.calibration(frame)
print(*calibrated)
for beta, fields in ((1.24, 8), (0.0, 4)):  # beside the same fields on their own grid: few waves are that long, and they scatter
    shifts = []
    for _ in range(fields):
        field = granulence.random_field(rng, frame.box, n, beta)
        spectra = granulence.field_spectra(frame, field[tuple((part * n).astype(int).T)])
        for axis, (waves, powers) in enumerate(spectra):
            exact = granulence.line_spectrum(field, [45, np.hypot(45, 12)][axis], axis)[1][:len(powers)]
            found = granulence.spectral_exponent(waves, powers, 1.0)[0]
            shifts.append(granulence.true_exponent(found, calibrated) -
                          granulence.spectral_exponent(waves, exact, 1.0)[0])
    chance = np.std(shifts, ddof=1) / np.sqrt(len(shifts))
    near("exponent", beta + np.mean(shifts), beta, 0.02 if beta > 0 else 3 * chance)
    assert chance < 0.05
END

block "statistics: displacements"
check "Gauss and Levy" << 'END'
from synthetic import *
from scree import granulence
rng = np.random.default_rng(6)
n = 200000


def levy(alpha):  # Chambers, Mallows and Stuck 1976, symmetric
    v, w = rng.uniform(-np.pi / 2, np.pi / 2, n), rng.exponential(size=n)
    return np.sin(alpha * v) / np.cos(v) ** (1 / alpha) * (np.cos((1 - alpha) * v) / w) ** ((1 - alpha) / alpha)


for alpha in (1.2, 1.5, 1.8):
    near("Levy exponent", granulence.stable_index(levy(alpha))[0], alpha, 0.02)
gauss = rng.normal(size=n)
near("exponent of a Gaussian", granulence.stable_index(gauss)[0], 2.0, 0.02)
value, error = granulence.flatness(gauss)
near("flatness of a Gaussian", value, 0.0, 3 * error)
near("of uniform numbers", granulence.flatness(rng.uniform(size=n))[0], -1.2, 0.02)
near("of exponential ones", granulence.flatness(rng.laplace(size=n))[0], 3.0, 0.25)
x, density = granulence.density(gauss)
near("density at 0", density[np.argmin(abs(x))], 1 / np.sqrt(2 * np.pi), 0.01)
END
check "pairs drift apart" << 'END'
from synthetic import *
from scree import granulence
rng = np.random.default_rng(7)
pairs = np.array([(k, k + 1) for k in range(0, 2000, 2)])
lags = np.array([1, 2, 4, 8, 16, 32])
walk = np.cumsum(rng.normal(size=(401, 2000, 2)), axis=0)
near("random walks", granulence.power(lags, granulence.pair_separation(walk, pairs, lags))[0], 0.5, 0.02)
straight = np.arange(401)[:, None, None] * rng.normal(size=(1, 2000, 2))
near("free flight", granulence.power(lags, granulence.pair_separation(straight, pairs, lags))[0], 1.0, 1e-9)
END
check "the affine flow is taken off, also where the box turns over" << 'END'
from synthetic import *
from scree import granulence
rng = np.random.default_rng(8)
part, way = rng.uniform(size=(300, 2)), np.zeros((300, 2))
frames, true = [], []
for k in range(8):
    lean = 0.15 * 10 * k  # the box leans by 0.15 per frame and is written as one that leans by half a period at most
    written = lean - 10 * np.round(lean / 10)
    place = part * 10 @ np.array([[1, 0], [lean / 10, 1]]) + way
    edges = np.array([[10, 0], [written, 10]])
    image = np.floor(place @ np.linalg.inv(edges))
    frames.append(make_frame(place - image @ edges, edges, time=0.1 * k, image=np.column_stack([image, np.zeros(300)])))
    true.append(way - way.mean(axis=0))
    # the next way: carried along by the flow, and a jump of its own
    jump = rng.normal(0, 0.01, way.shape)
    way = way + way @ np.array([[0, 0], [0.15, 0]]) + jump - jump.mean(axis=0)
found, times, strain = granulence.fluctuations(frames)
assert np.allclose(times, np.arange(8) * 0.1)
near("rms of one frame", found[1].std(), 0.01, 0.001)
near("largest error of the first way", abs(found[1] - true[1]).max(), 0.0, 1e-12)
near("rms after seven", found[7].std(), 0.01 * np.sqrt(7), 0.0015)
near("flatness", granulence.flatness(granulence.displacements(found, 1))[0], 0.0, 0.3)
END

block "statistics: contacts"
check "fabric and forces with cos 2 theta" << 'END'
from synthetic import *
from scree import contact_statistics as statistics
rng = np.random.default_rng(9)


def sample(a, n=400000):  # angles with density 1 + a cos 2(theta - 0.6), by rejection
    angle = rng.uniform(0, np.pi, 2 * n)
    return angle[rng.uniform(0, 1 + a, 2 * n) < 1 + a * np.cos(2 * (angle - 0.6))]


angle = sample(0.16)
n = len(angle)
wave, other = np.cos(2 * (angle - 0.6)), np.sin(2 * (angle - 0.6))
force_n = (1 + 0.12 * wave) * rng.exponential(size=n)
force_t = -0.08 * other + rng.normal(0, 0.2, n)
length = 1 + 0.02 * wave
found = statistics.anisotropies(angle, length, force_n, force_t)
for name, expected in (("a_c", 0.16), ("a_n", 0.12), ("a_t", 0.08), ("a_l", 0.02)):
    near(name, found[name], expected, 0.01)
near("direction", found["theta"], 0.6, 0.02)
normal = np.column_stack([np.cos(angle), np.sin(angle)])
low, high = np.linalg.eigvalsh(statistics.fabric(normal))
near("phi_1 - phi_2", high - low, found["a_c"] / 2, 1e-9)
# The stress of these contacts: q/p = (a_c + a_n + a_t + a_l)/2 to first order
tangent = np.column_stack([-normal[:, 1], normal[:, 0]])
stress = (length[:, None] * normal).T @ (force_n[:, None] * normal + force_t[:, None] * tangent) / n
low, high = np.linalg.eigvalsh(0.5 * (stress + stress.T))
near("stress ratio", (high - low) / (high + low), (0.16 + 0.12 + 0.08 + 0.02) / 2, 0.01)
# Nothing where nothing is: each of the two components is within three of its standard errors
a, _, error = statistics.second_harmonic(sample(0.0, 20000))
near("isotropic", a, 0.0, 3 * np.sqrt(2) * error)
END
check "valence of cells and coordination: m = 2 + 4/(z - 2)" << 'END'
from synthetic import *
from scree import contact_statistics as statistics
rng = np.random.default_rng(10)
n = 24  # a triangular lattice in a leaning periodic box; contacts to the right, up, and up to the left
edges = n * np.array([[1, 0], [0.5, np.sqrt(0.75)]])
site = np.array([(i, j) for j in range(n) for i in range(n)])
number = lambda i, j: (j % n) * n + i % n
pairs = np.array([(number(i, j), number(i + di, j + dj)) for i, j in site for di, dj in ((1, 0), (0, 1), (-1, 1))])
for share, expected in ((1.0, 3.0), (0.8, None), (0.65, None)):
    kept = pairs[rng.uniform(size=len(pairs)) < share]
    fields = {"pairs": Array(kept + 1), "rows": Array(kept), "force": Array(np.ones((len(kept), 3)))}
    frame = make_frame(site / n @ edges, edges, fields)
    sides, z = statistics.cells(frame)
    near(f"mean valence at z = {z:.3f}", sides.mean(), 2 + 4 / (z - 2), 1e-9)
    assert expected is None or (sides == expected).all() and z == 6
END

block "statistics: stress probes"
check "plastic modulus and direction of a material that is elasto-plastic" << 'END'
from synthetic import *
from scree import probes
stiffness = np.array([[100e6, 8e6], [8e6, 75e6]])
modulus, yields, flows = 4e8, 2.2, 1.8  # Pa, rad
normal, flow = (np.array([np.cos(a), np.sin(a)]) for a in (yields, flows))
angle = 2 * np.pi * np.arange(36) / 36
strain = 6e-6 * np.column_stack([np.cos(angle), np.sin(angle)])
loads = lambda stress: np.maximum(stress @ normal, 0.0)[:, None] * flow / modulus
elastic = strain @ stiffness.T
given = elastic @ np.linalg.inv(stiffness).T + loads(elastic)  # strains of chosen stresses
table = scree.Table(probes.NAMES, np.concatenate([
    np.column_stack([angle, np.ones(36), given, elastic]), np.column_stack([angle, np.zeros(36), strain, elastic])]).T)
found = probes.evaluate(table)
diameter, direction = found["circle"]
near("plastic modulus (MPa)", 1e-6 / diameter, 400, 1e-6)
near("direction of yield", direction % (2 * np.pi), yields, 1e-9)
near("elastic error", found["elastic error"], 0, 1e-9)
assert np.allclose(found["stiffness"], stiffness)
assert np.allclose(found["size"][np.cos(found["angle"] - yields) < 0], 0, atol=1e-20)
assert np.allclose(probes.to_vector(*probes.to_components((0.3, -0.7))), (0.3, -0.7))
END
summary
