# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of spheres, tubes and surfaces with a depth buffer, by numpy alone: orthographic, seen from +z of the
coordinates that are given, in pixels; y upward."""
import numpy as np

LIGHT = np.array([-0.45, 0.55, 0.70]) / np.linalg.norm([-0.45, 0.55, 0.70])
MOST = 3_000_000  # pixels at a time


class Canvas:
    def __init__(self, width, height):
        self.shape = (height, width)
        self.depth = np.full(width * height, -np.inf, np.float32)
        self.owner = np.full(width * height, -1, np.int64)  # number of the sphere that is seen
        self.parts = []  # (centres, radii, colours) of the spheres so far
        self.count = 0

    def spheres(self, centres, radii, colours):
        """Spheres with centres and radii in pixels, in order of their numbers."""
        centres, radii = np.asarray(centres, np.float32), np.asarray(radii, np.float32)
        self.parts.append((centres, radii, np.broadcast_to(np.asarray(colours, np.float32), (len(radii), 3))))
        reach = np.ceil(np.maximum(radii, 0.71)).astype(int)
        front_first = np.argsort(-(centres[:, 2] + radii), kind="stable")
        for size in np.unique(reach):
            chosen = front_first[reach[front_first] == size]
            step = max(1, MOST // (2 * size + 1) ** 2)
            for k in range(0, len(chosen), step):
                self.stamp(chosen[k:k + step], centres, radii, size)
        self.count += len(radii)

    def stamp(self, chosen, centres, radii, size):
        offset = np.arange(-size, size + 1)
        dx, dy = (one.ravel() for one in np.meshgrid(offset, offset))
        centre, radius = centres[chosen], np.maximum(radii[chosen], 0.71)
        column = np.floor(centre[:, 0]).astype(np.int64)[:, None] + dx
        row = np.floor(centre[:, 1]).astype(np.int64)[:, None] + dy
        left = radius[:, None] ** 2 - (column + 0.5 - centre[:, :1]) ** 2 - (row + 0.5 - centre[:, 1:2]) ** 2
        seen = (left > 0) & (column >= 0) & (column < self.shape[1]) & (row >= 0) & (row < self.shape[0])
        which = np.broadcast_to(np.arange(len(chosen))[:, None], seen.shape)[seen]
        depth = centre[which, 2] + np.sqrt(left[seen])
        pixel = row[seen] * self.shape[1] + column[seen]
        nearer = depth > self.depth[pixel]
        pixel, depth, which = pixel[nearer], depth[nearer], which[nearer]
        order = np.argsort(depth, kind="stable")  # of several for a pixel the last one is kept
        self.depth[pixel[order]] = depth[order]
        self.owner[pixel[order]] = self.count + chosen[which[order]]

    def tubes(self, starts, ends, radii, colours):
        """Lines with round ends, as rows of spheres."""
        starts, ends, radii = (np.asarray(one, np.float32) for one in (starts, ends, radii))
        if not len(radii):
            return
        n = np.maximum(2, np.ceil(np.linalg.norm(ends - starts, axis=1) / np.maximum(0.6 * radii, 0.6))).astype(int)
        which = np.repeat(np.arange(len(n)), n)
        share = (np.arange(len(which)) - np.repeat(np.cumsum(n) - n, n)) / np.repeat(n - 1, n)
        colours = np.broadcast_to(np.asarray(colours, np.float32), (len(radii), 3))
        self.spheres(starts[which] + share[:, None] * (ends - starts)[which], radii[which], colours[which])

    def picture(self, background=(1.0, 1.0, 1.0)):
        """Shaded colours (height, width, 3), from the bottom row upward."""
        image = np.empty((len(self.owner), 3), np.float32)
        image[:] = background
        seen = np.nonzero(self.owner >= 0)[0]
        if not seen.size:
            return image.reshape(*self.shape, 3)
        centres, radii, colours = (np.concatenate([part[k] for part in self.parts]) for k in range(3))
        owner = self.owner[seen]
        row, column = np.divmod(seen, self.shape[1])
        radius = np.maximum(radii[owner], 0.71)
        normal = np.stack([column + 0.5 - centres[owner, 0], row + 0.5 - centres[owner, 1],
                           self.depth[seen] - centres[owner, 2]], axis=1) / radius[:, None]
        lit = np.maximum(normal @ LIGHT.astype(np.float32), 0.0)
        shade = (0.42 + 0.58 * lit) * self.hollows()[seen]
        image[seen] = colours[owner] * shade[:, None] + 0.22 * (lit ** 24)[:, None]
        return np.clip(image, 0.0, 1.0).reshape(*self.shape, 3)

    def hollows(self):
        """Darker where the surroundings are nearer to the viewer (Luft, Colditz and Deussen 2006)."""
        depth = self.depth.reshape(self.shape)
        there = np.isfinite(depth)
        if not there.any():
            return np.ones(depth.size, np.float32)
        filled = np.where(there, depth, depth[there].min())
        reach = max(2, int(0.02 * max(self.shape)))
        behind = (filled - blurred(filled, reach)) / (2.0 * reach)
        return np.clip(1.0 + 0.35 * behind, 0.55, 1.08).ravel().astype(np.float32)


def blurred(image, reach):
    """Mean over squares, by sums along both directions."""
    for axis in (0, 1):
        n = image.shape[axis]
        padded = np.concatenate([np.zeros_like(np.take(image, [0], axis)), np.cumsum(image, axis=axis, dtype=float)],
                                axis=axis)
        low, high = np.maximum(np.arange(n) - reach, 0), np.minimum(np.arange(n) + reach + 1, n)
        size = (high - low).reshape((-1, 1) if axis == 0 else (1, -1))
        image = (np.take(padded, high, axis) - np.take(padded, low, axis)) / size
    return image


def triangle_cover(corners, shape):
    """Pixels in a triangle, and its depth there."""
    low = np.maximum(np.floor(corners[:, :2].min(axis=0)), 0).astype(int)
    high = np.minimum(np.ceil(corners[:, :2].max(axis=0)), shape[::-1]).astype(int)
    if (high <= low).any():
        return None
    x, y = np.meshgrid(np.arange(low[0], high[0]) + 0.5, np.arange(low[1], high[1]) + 0.5)
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if abs(area) < 1e-9:
        return None
    v = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
    w = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
    # One of two triangles that share an edge has the pixels on it.
    inside = (v >= 0) & (w >= 0) & (v + w < 1)
    pixel = (np.floor(y).astype(np.int64) * shape[1] + np.floor(x).astype(np.int64))[inside]
    return pixel, (az + v * (bz - az) + w * (cz - az))[inside].astype(np.float32)


def blend_surface(image, depth, corners, colour, front=0.10, back=0.30):
    """Lay a see-through surface of triangles (n, 3, 3) over a picture: faint in front of what is there, stronger on the
    background. A surface that is behind itself counts once."""
    flat, alpha = image.reshape(-1, 3), np.zeros(len(depth), np.float32)
    for triangle in np.asarray(corners, float):
        found = triangle_cover(triangle, image.shape[:2])
        if found is None:
            continue
        pixel, z = found
        here = np.where(np.isneginf(depth[pixel]), back, np.where(z > depth[pixel], front, 0.0))
        alpha[pixel] = np.maximum(alpha[pixel], here)
    flat *= (1.0 - alpha)[:, None]
    flat += alpha[:, None] * np.asarray(colour, np.float32)


def smaller(image, factor):
    """Mean of factor x factor pixels: smooth edges."""
    height, width = (n // factor * factor for n in image.shape[:2])
    return image[:height, :width].reshape(height // factor, factor, width // factor, factor, 3).mean(axis=(1, 3))
