# SPDX-License-Identifier: BSD-3-Clause
"""Centre and width of a shear band: A [1 + erf((r - R_c)/W)] through a profile (Luding 2008, eq. 1.29)."""
import math

import numpy as np

erf = np.vectorize(math.erf, otypes=[float])


def band(place, parameters):
    amplitude, centre, width = parameters
    return amplitude * (1.0 + erf((place - centre) / width))


def slopes(place, parameters):
    """Derivatives of the band by amplitude, centre and width."""
    amplitude, centre, width = parameters
    x = (place - centre) / width
    bell = 2.0 / math.sqrt(math.pi) * np.exp(-x * x) * amplitude / width
    return np.stack([1.0 + erf(x), -bell, -bell * x], axis=1)


def first_guess(place, value):
    """Half of the largest value; where the profile crosses it; a tenth of the range."""
    order = np.argsort(place)
    place, value = place[order], value[order]
    largest = value[np.argmax(np.abs(value))]
    crossed = np.nonzero(value / largest >= 0.5)[0][0]
    return np.array([0.5 * largest, place[crossed], 0.1 * np.ptp(place)])


def descend(place, value, root):
    """Gauss-Newton with damping (Levenberg, Marquardt): parameters and what is left of the squares."""
    parameters, damping = first_guess(place, value), 1e-3
    cost = np.sum((root * (value - band(place, parameters))) ** 2)
    for _ in range(500):
        residual = root * (value - band(place, parameters))
        matrix = root[:, None] * slopes(place, parameters)
        normal = matrix.T @ matrix
        scale = np.diag(np.maximum(np.diag(normal), 1e-300))
        step = np.linalg.solve(normal + damping * scale, matrix.T @ residual)
        trial = parameters + step
        trial_cost = np.sum((root * (value - band(place, trial))) ** 2) if trial[2] > 0 else np.inf
        if trial_cost <= cost:
            small = np.all(np.abs(step) <= 1e-12 * np.abs(trial))
            parameters, cost, damping = trial, trial_cost, max(0.3 * damping, 1e-12)
            if small:
                break
        elif damping > 1e12:
            break
        else:
            damping *= 10.0
    return parameters, cost


def fit(place, value, weight=None):
    """Amplitude, centre and width with their standard errors, these from the scatter about the curve. Raises ValueError
    where there is no band."""
    place, value = np.asarray(place, float), np.asarray(value, float)
    weight = np.ones_like(place) if weight is None else np.asarray(weight, float)
    good = np.isfinite(place) & np.isfinite(value) & (weight > 0.0)
    if good.sum() < 4:
        raise ValueError(f"only {good.sum()} bins with values; a fit of three numbers needs 4")
    place, value, weight = place[good], value[good], weight[good]
    if not np.any(value):
        raise ValueError("all values are 0")
    root = np.sqrt(weight / weight.mean())
    try:
        parameters, cost = descend(place, value, root)
        matrix = root[:, None] * slopes(place, parameters)
        variance = cost / max(len(place) - 3, 1)
        errors = np.sqrt(np.diag(np.linalg.inv(matrix.T @ matrix)) * variance)
    except np.linalg.LinAlgError as error:
        raise ValueError(f"the fit does not converge: {error}") from None
    inside = place.min() <= parameters[1] <= place.max()
    if not (np.all(np.isfinite(parameters)) and np.all(np.isfinite(errors)) and inside):
        raise ValueError("the fit does not converge to a band within the profile")
    return parameters, errors
