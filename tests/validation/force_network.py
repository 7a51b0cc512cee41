"""The network of contact forces in a frame of a two-dimensional run, as Radjai, Wolf, Jean and Moreau
analyse it (Phys. Rev. Lett. 80, 61 (1998)): what contacts carry whose force is below a cut-off."""
import h5py
import numpy as np


class Network:
    """Contacts between grains of one frame; n: unit vectors along the branch, f: forces on the first
    grain, size: their magnitudes in units of the mean."""

    def __init__(self, file, k):
        grains, contacts = file["particles/grains"], file["connectivity/contacts"]
        position, pairs = grains["position/value"][k][:, :2], contacts["pairs/value"][k]
        rows, force = contacts["rows/value"][k], contacts["contact_force/value"][k][:, :2]
        between = (pairs > 0).all(axis=1) & (np.abs(force).sum(axis=1) > 0)
        self.rows = rows[between]
        branch = position[self.rows[:, 0]] - position[self.rows[:, 1]]
        self.length = np.linalg.norm(branch, axis=1)
        self.n, self.f = branch / self.length[:, None], force[between]
        size = np.linalg.norm(self.f, axis=1)
        self.mean_force = size.mean() if len(size) > 0 else 0.0
        self.size = size / self.mean_force
        self.slides = contacts["sliding/value"][k][between] > 0
        radius = grains["radius"]["value"] if isinstance(grains["radius"], h5py.Group) else grains["radius"]
        self.radius = radius[k] if radius.ndim > 1 else radius[...]
        self.position = position

    def below(self, cutoff):
        return self.size < cutoff

    def stress(self, chosen=slice(None)):
        """Times the volume; pressure is positive."""
        return np.einsum("c,ca,cb->ab", self.length[chosen], self.n[chosen], self.f[chosen])

    def stress_ratio(self, chosen=slice(None)):
        """(s_yy - s_xx)/(s_yy + s_xx): the compression is along y."""
        s = self.stress(chosen)
        return (s[1, 1] - s[0, 0]) / (s[1, 1] + s[0, 0])

    def anisotropies(self, chosen=slice(None)):
        """A_c, A_n and A_t about the axis of compression (equations 1 to 4)."""
        n, f = self.n[chosen], self.f[chosen]
        fabric = np.einsum("ca,cb->ab", n, n) / len(n)
        normal = np.einsum("c,ca,cb->ab", np.einsum("ca,ca->c", n, f), n, n)
        whole = np.einsum("ca,cb->ab", f, n)
        ratio = [(t[1, 1] - t[0, 0]) / (t[1, 1] + t[0, 0]) for t in (fabric, normal, whole)]
        return 2 * ratio[0], 2 * (ratio[1] - ratio[0]), 2 * (ratio[2] - ratio[1])

    def count_touching(self):
        """Pairs of grains that touch, to a thousandth of the mean radius, whether they bear forces or not."""
        order = np.argsort(self.position[:, 0])
        position, radius = self.position[order], self.radius[order]
        reach, count = 2.0 * radius.max() + 1e-3 * radius.mean(), 0
        last = np.searchsorted(position[:, 0], position[:, 0] + reach)
        for i, end in enumerate(last):
            apart = np.linalg.norm(position[i + 1:end] - position[i], axis=1)
            count += int((apart - radius[i + 1:end] - radius[i] < 1e-3 * radius.mean()).sum())
        return count

    def spans(self, chosen, along=1):
        """Do these contacts hang together from one end of the sample to the other?"""
        parent = np.arange(len(self.position))

        def root(i):
            while parent[i] != i:
                parent[i] = parent[parent[i]]
                i = parent[i]
            return i
        for i, j in self.rows[chosen]:
            parent[root(i)] = root(j)
        x = self.position[:, along]
        low, high = np.quantile(x, (0.03, 0.97))
        first = {root(i) for i in np.flatnonzero(x < low)}
        return any(root(i) in first for i in np.flatnonzero(x > high))
