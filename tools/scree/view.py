# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of frames: disks as drawings, spheres shaded; walls, contact forces, slices."""
import io
from dataclasses import dataclass, field

import numpy as np
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.colors import BoundaryNorm, ListedColormap, Normalize

from . import canvas, fields, style
from .walls import meshes

AXES = "xyz"
SMOOTH = 2  # pixels drawn for one that is kept, in each direction
WALL_COLOUR = (0.45, 0.50, 0.58)
CHAIN_MAP = "inferno_r"


@dataclass
class Look:
    """How a frame is drawn. `plane`: two axes, to the right and upward, or rz, a section through the z axis; None: the
    box seen from `turn` degrees about the vertical and `tilt` degrees above."""
    colour: str = "speed"
    planes: list = field(default_factory=list)
    turn: float = -35.0
    tilt: float = 22.0
    chains: bool = False
    least: float = 0.0  # forces below this part of the mean are not drawn
    walls: bool = True
    cut: bool = False
    slices: list = field(default_factory=list)  # (axis, place, thickness) in m
    small: bool = False
    pixels: int = 1000
    limits: tuple = None  # of the colours


@dataclass
class Colours:
    values: np.ndarray
    map: object
    norm: object
    label: str
    names: list = None  # of kinds
    extend: str = "neither"

    def rgb(self):
        return style.plt.get_cmap(self.map)(self.norm(self.values))[:, :3] if len(self.values) else np.zeros((0, 3))


def colours_of_kinds(frame):
    kinds, index = np.unique(np.asarray(frame.species), return_inverse=True) if "species" in frame else \
        (np.array([1]), np.zeros(len(frame), int))
    count = max(len(kinds), 1)
    palette = style.PALETTE if count <= len(style.PALETTE) else \
        style.plt.get_cmap(style.SEQUENTIAL)(np.linspace(0, 1, count))
    labels = [frame.materials[k - 1] if k <= len(frame.materials) else str(k) for k in kinds]
    return Colours(index, ListedColormap(palette[:count]), BoundaryNorm(np.arange(count + 1) - 0.5, count),
                   "material", labels)


def limits_of(values, name):
    """A few fast grains must not take the whole scale. Flows in one direction begin at 0."""
    values = np.asarray(values, float)
    values = values[np.isfinite(values)]
    if not values.size:
        return 0.0, 1.0
    low, high = np.percentile(values, [0.5, 99.5])
    if name in ("radius", "id", "position") or name.startswith("position."):
        return (low, high) if high > low else (low, low + 1.0)
    limit = max(abs(low), abs(high)) or 1.0
    return (0.0, limit) if np.percentile(values, 1) > -0.25 * limit else (-limit, limit)


def colours_of(frame, look):
    if look.colour in ("species", "material"):
        return colours_of_kinds(frame)
    if look.colour == "vphi" and hasattr(frame, "mean_vphi"):
        values, name = frame.mean_vphi, f"azimuthal velocity (m/s), mean over {frame.since:.3g} s"
    else:
        values, name = fields.value_of(frame, look.colour), None
    low, high = look.limits or limits_of(values, look.colour)
    if name is None:
        factor = style.in_short([low, high], values.unit)[0]
        values, name = factor * np.asarray(values, float), style.scaled(values)[1]
        low, high = factor * low, factor * high
    extend = ("both" if low < 0 else "max") if (values > high).any() or (values < low).any() else "neither"
    return Colours(values, style.DIVERGING if low < 0 < high and np.isclose(-low, high) else style.SEQUENTIAL,
                   Normalize(low, high), name, extend=extend)


def section(frame):
    """The grains within a mean diameter of the half plane y = 0, x > 0, turned into it: r is x."""
    x, y, z = np.asarray(frame.position).T
    here = (x > 0) & (np.abs(y) < 2.0 * np.asarray(frame.radius).mean())
    return here, np.stack([np.hypot(x, y), y, z], axis=1)


def chosen_grains(frame, look):
    """Grains in all slices, and behind the middle if half of the sample is cut away."""
    place = np.asarray(frame.position)
    here = np.ones(len(frame), bool)
    for axis, at, thickness in look.slices:
        here &= np.abs(place[:, axis] - at) <= 0.5 * thickness
    return here


class View:
    """One way to look at a frame: `matrix` has the directions to the right, upward and towards the viewer as rows."""

    def __init__(self, frame, look, plane):
        self.plane, self.frame = plane, frame
        self.place, here = np.asarray(frame.position), chosen_grains(frame, look)
        if plane == "rz":
            in_section, self.place = section(frame)
            here &= in_section
            plane = "xz"
        self.matrix = self.directions(plane, look)
        self.middle = 0.5 * (frame.box.low + frame.box.high)
        if look.cut and self.plane != "rz":
            away = self.matrix[2] if self.plane else np.array([*self.matrix[2, :2], 0.0])
            here &= (self.place - self.middle) @ away < 0
        self.chosen = np.nonzero(here)[0]
        self.seen = self.place[self.chosen] @ self.matrix.T
        self.radius = np.asarray(frame.radius)[self.chosen]
        self.names = None if self.plane is None else [("r" if self.plane == "rz" else self.plane[0]), self.plane[1]]

    @staticmethod
    def directions(plane, look):
        if plane:
            right, up = (np.eye(3)[AXES.index(letter)] for letter in plane)
            return np.stack([right, up, np.cross(right, up)])
        turn, tilt = np.radians(look.turn), np.radians(look.tilt)
        right = np.array([np.cos(turn), np.sin(turn), 0.0])
        toward = np.array([np.sin(turn) * np.cos(tilt), -np.cos(turn) * np.cos(tilt), np.sin(tilt)])
        return np.stack([right, np.cross(toward, right), toward])

    def corners(self):
        box = self.frame.box
        return box.low + np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)]) @ box.edges

    def limits(self):
        """Range to the right and upward: of the grains, and of the box where it repeats."""
        parts = []
        if len(self.seen):
            parts += [self.seen[:, :2] - self.radius[:, None], self.seen[:, :2] + self.radius[:, None]]
        if self.frame.box.periodic.any() and self.plane != "rz":
            grains = self.place[self.chosen]
            corners = self.corners()
            for a in range(3):
                if not self.frame.box.periodic[a] and len(grains):  # open sides: as far as grains reach
                    corners[:, a] = np.clip(corners[:, a], (grains[:, a] - self.radius).min(),
                                            (grains[:, a] + self.radius).max())
            parts.append((corners @ self.matrix.T)[:, :2])
        if not parts:
            parts.append((self.corners() @ self.matrix.T)[:, :2])
        low, high = np.vstack(parts).min(axis=0), np.vstack(parts).max(axis=0)
        margin = 0.02 * (high - low).max()
        return low - margin, high + margin

    def surfaces(self, run):
        """Meshes of walls by name; a section has none."""
        return {} if self.plane == "rz" else meshes(run, self.frame)


def chains_of(view, look):
    """Ends of the lines of contact forces, force over mean force."""
    contacts = view.frame.contacts
    force = np.linalg.norm(np.asarray(contacts.force), axis=1)
    relative = force / force.mean() if len(force) and force.mean() > 0 else force
    chosen = np.isin(np.asarray(contacts.rows)[:, 0], view.chosen) & (relative >= look.least)
    chosen = np.nonzero(chosen)[0][np.argsort(relative[chosen], kind="stable")]
    start = np.asarray(view.frame.position)[np.asarray(contacts.rows)[chosen, 0]]
    end = start - np.asarray(contacts.branch)[chosen]
    return start @ view.matrix.T, end @ view.matrix.T, relative[chosen]


def draw_disks(axes, view, look, colours, run, scale):
    """Two dimensions: circles, lines of force, lines of walls; as drawings, which PDF and SVG keep."""
    diameter = 2.0 * scale * view.radius
    grains = EllipseCollection(diameter, diameter, np.zeros_like(diameter), units="xy", cmap=colours.map,
                               norm=colours.norm, offsets=scale * view.seen[:, :2],
                               offset_transform=axes.transData, edgecolors="black", linewidths=0.3)
    if look.chains:
        grains.set(facecolor="#f0f0f0", edgecolor="#b0b0b0")
    else:
        grains.set_array(np.asarray(colours.values, float)[view.chosen])
    axes.add_collection(grains)
    if look.chains:
        start, end, force = chains_of(view, look)
        axes.add_collection(LineCollection(scale * np.stack([start, end], axis=1)[:, :, :2], colors=style.PALETTE[0],
                                           capstyle="round", linewidths=np.minimum(force, 6.0)))
    for mesh in view.surfaces(run).values() if look.walls else ():
        lines = [scale * (line @ view.matrix.T)[:, :2] for line in mesh.lines]
        axes.add_collection(LineCollection(lines, colors="0.35", linewidths=1.8))


def draw_spheres(axes, view, look, colours, run, scale):
    """Three dimensions: shaded spheres, tubes of force, see-through walls, as a picture of points."""
    low, high = view.limits()
    size = SMOOTH * look.pixels / max(high - low)  # pixels per metre
    width, height = (int(np.ceil(n)) for n in size * (high - low))

    def in_pixels(places):
        return (places - np.array([*low, 0.0])) * size
    grains = canvas.Canvas(width, height)
    shown = colours.rgb()[view.chosen] if not look.chains else np.full((len(view.chosen), 3), 0.75)
    grains.spheres(in_pixels(view.seen), size * view.radius, shown)
    image, depth = grains.picture(), grains.depth
    if look.chains:
        image = 0.72 + 0.28 * image
        image, depth = draw_tubes(image, in_pixels, view, look, size)
    lines = canvas.Canvas(width, height)
    for mesh in view.surfaces(run).values() if look.walls else ():
        places = in_pixels(mesh.places @ view.matrix.T)
        canvas.blend_surface(image, depth, places[mesh.triangles], WALL_COLOUR)
        for line in mesh.lines:
            line = in_pixels(line @ view.matrix.T)
            lines.tubes(line[:-1], line[1:], np.full(len(line) - 1, 0.75), (0.3, 0.3, 0.3))
    if view.plane is None and view.frame.box.periodic.any() and look.walls:
        draw_box(lines, view, in_pixels)
    before = (lines.owner >= 0) & (lines.depth > depth)
    image.reshape(-1, 3)[before] = np.minimum(image.reshape(-1, 3)[before], 0.35)
    extent = scale * np.array([low[0], low[0] + width / size, low[1], low[1] + height / size])
    axes.imshow(np.clip(canvas.smaller(image, SMOOTH), 0, 1), origin="lower", extent=extent, interpolation="lanczos")


def draw_tubes(image, in_pixels, view, look, size):
    start, end, force = chains_of(view, look)
    tubes = canvas.Canvas(image.shape[1], image.shape[0])
    thickness = size * np.asarray(view.frame.radius).mean() * 0.10 * np.minimum(np.sqrt(force) * 1.3, 4.0)
    map_ = style.plt.get_cmap(CHAIN_MAP)
    tubes.tubes(in_pixels(start), in_pixels(end), thickness, map_(0.25 + 0.65 * np.minimum(force / 4.0, 1.0))[:, :3])
    drawn, here = tubes.picture(), tubes.owner >= 0
    image = image.copy()
    image.reshape(-1, 3)[here] = drawn.reshape(-1, 3)[here]
    return image, tubes.depth


def draw_box(lines, view, in_pixels):
    corners = in_pixels(view.corners() @ view.matrix.T)
    ends = np.array([(a, a | 1 << k) for a in range(8) for k in range(3) if not a >> k & 1])
    lines.tubes(corners[ends[:, 0]], corners[ends[:, 1]], np.full(len(ends), 0.75), (0.3, 0.3, 0.3))


def decorate(axes, view, scale, unit):
    """Axes with numbers where the view is along one, else arrows of the directions and a scale."""
    low, high = view.limits()
    axes.set(xlim=scale * np.array([low[0], high[0]]), ylim=scale * np.array([low[1], high[1]]), aspect="equal")
    axes.grid(False)
    if view.plane:
        axes.set(xlabel=f"{view.names[0]} ({unit})", ylabel=f"{view.names[1]} ({unit})")
        return
    axes.set(xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set_visible(False)
    width = scale * (high - low)[0]
    bar = 10.0 ** np.floor(np.log10(0.4 * width))
    bar *= 5 if 5 * bar <= 0.4 * width else 2 if 2 * bar <= 0.4 * width else 1
    axes.set_xlabel(f"scale: {bar:g} {unit}", loc="right")
    axes.plot([1.0 - bar / width, 1.0], [0.0, 0.0], color="black", linewidth=3.0, clip_on=False,
              transform=axes.transAxes)
    arrows = axes.inset_axes([0.0, -0.02, 0.14, 0.14 * width / (scale * (high - low)[1])])
    arrows.axis("off")
    arrows.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), aspect="equal")
    for a in range(3):
        x, y = view.matrix[:2, a]
        arrows.annotate("", (x, y), (0, 0), arrowprops={"arrowstyle": "->", "color": "0.25"})
        arrows.text(1.25 * x, 1.25 * y, AXES[a], ha="center", va="center", fontsize=10, color="0.25")


def views_of(frame, look):
    planes = look.planes or (["xy"] if frame.box.flat else [None])
    return [View(frame, look, plane) for plane in planes]


def draw_panel(axes, view, look, colours, run, scale, unit):
    """One view of a frame in its axes."""
    draw = draw_disks if view.frame.box.flat else draw_spheres
    draw(axes, view, look, colours, run, scale)
    decorate(axes, view, scale, unit)


def panels(views, look, rows, columns, with_bar=True):
    """A figure whose panels have the shapes of the views; scale and unit of lengths."""
    sizes = np.array([view.limits()[1] - view.limits()[0] for view in views])
    scale, unit = (1e3, "mm") if sizes.max() < 1.0 else (1.0, "m")
    full = (5.4 if look.small else 7.2) / columns ** 0.5
    aspect = sizes[:, 1] / sizes[:, 0]
    width = full if aspect.max() < 1.0 or rows > 1 else full / aspect[0]
    heights = np.maximum(width * aspect.reshape(rows, columns).max(axis=1), 1.0)
    figure = style.plt.figure(figsize=(columns * max(width, 3.0) + (1.8 if with_bar else 0.0),
                                       max(heights.sum(), 2.0) + 0.5 * rows + 0.7), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, height_ratios=heights), scale, unit


def add_bar(figure, axes, look, colours):
    if look.chains:
        return
    mappable = style.plt.cm.ScalarMappable(norm=colours.norm, cmap=colours.map)
    bar = figure.colorbar(mappable, ax=axes, label=colours.label, shrink=0.85, extend=colours.extend)
    if colours.names is not None and len(colours.names) <= 20:
        bar.set_ticks(range(len(colours.names)), labels=colours.names)
        bar.ax.minorticks_off()


def caption(frame):
    return f"t = {frame.time:.6g} s, step {frame.step}, {len(frame)} grains"


def draw(frame, look, run=None):
    """A figure of one frame, a panel for each plane below the other."""
    if look.chains and (frame.contacts is None or "force" not in frame.contacts):
        raise KeyError("no contacts with forces; 'snapshots: {contacts: true}' writes them")
    views = views_of(frame, look)
    colours = colours_of(frame, look)
    figure, axes, scale, unit = panels(views, look, len(views), 1, not look.chains)
    for here, view in zip(axes[:, 0], views):
        draw_panel(here, view, look, colours, run, scale, unit)
    add_bar(figure, axes, look, colours)
    if not look.small:  # a page has its own words
        style.title(figure, f"{frame.title or (run.title if run else '')}: {caption(frame)}")
    return figure


def sheet(frames, look, run=None, columns=None):
    """Several frames beside each other with the same colours and the same part of space."""
    columns = columns or int(np.ceil(np.sqrt(len(frames))))
    rows = -(-len(frames) // columns)
    look.limits = look.limits or common_limits(frames, look)
    look.pixels = max(300, int(look.pixels / np.sqrt(columns)))
    views = [views_of(frame, look)[0] for frame in frames]
    low, high = common_range(views)
    for view in views:
        view.limits = lambda: (low, high)
    figure, axes, scale, unit = panels(views + [views[-1]] * (rows * columns - len(views)), look, rows, columns,
                                       not look.chains)
    for here, view in zip(axes.flat, views):
        draw_panel(here, view, look, colours_of(view.frame, look), run, scale, unit)
        here.set_title(f"t = {view.frame.time:.4g} s", fontsize=11)
    for here in axes.flat[len(views):]:
        here.axis("off")
    add_bar(figure, axes, look, colours_of(frames[-1], look))
    style.title(figure, frames[0].title)
    return figure


def common_range(views):
    both = [view.limits() for view in views]
    return np.min([low for low, _ in both], axis=0), np.max([high for _, high in both], axis=0)


def common_limits(frames, look):
    """Colours that mean the same in all frames."""
    if look.colour in ("species", "material"):
        return None
    values = [np.asarray(fields.value_of(frame, look.colour), float) for frame in frames]
    return limits_of(np.concatenate(values), look.colour)


def small_png(figure, name):
    """For a page: 256 colours, hence a small file."""
    from PIL import Image  # comes with matplotlib
    drawn = io.BytesIO(style.as_bytes(figure, "png", dpi=100))
    image = Image.open(drawn).convert("RGB").quantize(256, dither=Image.Dither.FLOYDSTEINBERG)
    image.save(name, optimize=True)


def animate(frames, look, name, run=None, rate=10.0):
    """A GIF of frames with the same colours and the same part of space."""
    from PIL import Image
    look.limits = look.limits or common_limits(frames, look)
    low, high = common_range([views_of(frame, look)[0] for frame in frames])
    pictures = []
    for frame in frames:
        view = views_of(frame, look)[0]
        view.limits = lambda: (low, high)
        colours = colours_of(frame, look)
        figure, axes, scale, unit = panels([view], look, 1, 1, not look.chains)
        draw_panel(axes[0, 0], view, look, colours, run, scale, unit)
        add_bar(figure, axes, look, colours)
        axes[0, 0].set_title(f"t = {frame.time:.4g} s")
        drawn = Image.open(io.BytesIO(style.as_bytes(figure, "png", dpi=80))).convert("RGB")
        pictures.append(drawn if not pictures else drawn.resize(pictures[0].size))
    palette = [picture.quantize(128, dither=Image.Dither.NONE) for picture in pictures]
    palette[0].save(name, save_all=True, append_images=palette[1:], duration=int(1000 / rate), loop=0)
