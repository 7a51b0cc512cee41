# SPDX-License-Identifier: BSD-3-Clause
"""Statistics of contacts of a frame: directions, forces, and the cells of the network in two dimensions."""
import numpy as np


def directions(contacts, plane="xy", within=None, chosen=None):
    """Angles in [0, pi) of the normals of contacts between grains, in a plane; in three dimensions only of normals that
    lie within so many degrees of it. Also which contacts these are."""
    right, up = ("xyz".index(letter) for letter in plane)
    normal = np.asarray(contacts.normal)
    here = contacts.between_grains if chosen is None else np.asarray(chosen)
    if within is not None:
        away = np.abs(normal[:, 3 - right - up])
        here = here & (away <= np.sin(np.radians(within)))
    return np.arctan2(normal[here, up], normal[here, right]) % np.pi, here


def second_harmonic(angle, weight=None):
    """a and theta of E(theta) proportional to 1 + a cos 2(theta - theta_a), by moments; and the standard error that a
    has by chance in each of its two components. With weights w: of the mean of w against the angle, times E."""
    weight = np.ones_like(angle) if weight is None else np.asarray(weight, float)
    total = weight.sum()
    c, s = 2.0 * (weight * np.cos(2 * angle)).sum() / total, 2.0 * (weight * np.sin(2 * angle)).sum() / total
    error = np.sqrt(2.0 * (weight ** 2).sum()) / abs(total)
    return np.hypot(c, s), 0.5 * np.arctan2(s, c) % np.pi, error


def fabric(normal):
    """The fabric tensor <n n>."""
    normal = np.asarray(normal)
    return np.einsum("ca,cb->ab", normal, normal) / max(len(normal), 1)


def anisotropies(angle, length, force_n, force_t):
    """a_c, a_l, a_n, a_t of the second harmonics along the direction of a_c (Radjai et al.): of the number of contacts,
    their branch lengths, normal and tangential forces. a_t counts tangential forces -f_t sin 2(theta - theta_c)."""
    a_c, theta_c, error = second_harmonic(angle)

    def mean_against_angle(values, wave):
        """Fourier coefficient of the mean at an angle, which does not depend on how many contacts point there."""
        matrix = np.stack([np.ones_like(angle), np.cos(2 * (angle - theta_c)), np.sin(2 * (angle - theta_c))], 1)
        return np.linalg.lstsq(matrix, values, rcond=None)[0][wave]

    mean_n = mean_against_angle(force_n, 0)
    return {"a_c": a_c, "theta": theta_c, "error": error,
            "a_l": mean_against_angle(length, 1) / mean_against_angle(length, 0),
            "a_n": mean_against_angle(force_n, 1) / mean_n,
            "a_t": -mean_against_angle(force_t, 2) / mean_n}


def tangential_in_plane(contacts, plane, here):
    """Tangential force along the normal turned by 90 degrees in a plane."""
    right, up = ("xyz".index(letter) for letter in plane)
    normal, force = np.asarray(contacts.normal)[here], np.asarray(contacts.force)[here]
    return force[:, up] * normal[:, right] - force[:, right] * normal[:, up]


def force_parts(contacts):
    """Normal and tangential force of contacts between grains, by size."""
    here = contacts.between_grains
    along = np.asarray(contacts.normal_force)[here]
    sideways = np.asarray(contacts.force)[here] - along[:, None] * np.asarray(contacts.normal)[here]
    return along, np.linalg.norm(sideways, axis=1)


def density(values, bins=40, most=None):
    """Probability density of positive values over their mean: middles of bins, densities, standard errors. The bins
    leave out the largest 0.3 %, so that a single impact does not spoil them; these count as there."""
    scaled = values / values.mean()
    count, edges = np.histogram(scaled, bins=bins, range=(0.0, most or np.percentile(scaled, 99.7)))
    width = np.diff(edges)
    return 0.5 * (edges[1:] + edges[:-1]), count / (len(values) * width), np.sqrt(count) / (len(values) * width)


def bearing_pairs(pairs):
    """Contacts that are left when grains with fewer than two of them are taken away, again and again: without
    rattlers and dead ends a planar network consists of cells."""
    kept = np.ones(len(pairs), bool)
    while True:
        number, counts = np.unique(pairs[kept], return_counts=True)
        lonely = number[counts < 2]
        if not lonely.size:
            return kept
        kept &= ~np.isin(pairs, lonely).any(axis=1)


def cells(frame):
    """Numbers of sides of the cells of the contact network of disks; coordination number of its grains. Cells are found
    by walking along contacts and turning as far to the left as possible (periodic boxes, no walls)."""
    contacts = frame.contacts
    chosen = np.nonzero(contacts.between_grains)[0]
    pairs, branch = np.asarray(contacts.rows)[chosen], np.asarray(contacts.branch)[chosen]
    kept = bearing_pairs(pairs)
    pairs, branch = pairs[kept], branch[kept]
    start = np.concatenate([pairs[:, 0], pairs[:, 1]])  # half edges: k and k + n are the two ways of contact k
    way = np.concatenate([-branch, branch])
    angle = np.arctan2(way[:, 1], way[:, 0])
    order = np.lexsort((angle, start))
    rank = np.empty(len(order), int)
    rank[order] = np.arange(len(order))
    first = np.searchsorted(start[order], start)
    degree = np.searchsorted(start[order], start, side="right") - first
    back = np.roll(np.arange(len(start)), len(pairs))  # the way back of each half edge
    ahead = order[first[back] + (rank[back] - first[back] - 1) % degree[back]]  # next to the right of it
    unseen, sides = np.ones(len(start), bool), []
    for k in range(len(start)):
        n = 0
        while unseen[k]:
            unseen[k] = False
            k, n = ahead[k], n + 1
        if n:
            sides.append(n)
    return np.array(sides), 2.0 * len(pairs) / len(np.unique(pairs))
