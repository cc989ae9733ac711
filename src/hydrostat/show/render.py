"""Draw a picture: ground and sky, what is solid, the translucent bodies from far to near, then letters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hydrostat.arrays import Bools, Floats, Ints
from hydrostat.errors import InputError
from hydrostat.show.camera import Camera
from hydrostat.show.colours import LIGHT_TO_BYTE
from hydrostat.show.ground import TILES, hills_of, shade_ground, tangents_of
from hydrostat.show.lighting import RIM, Lights, resolve, shade_body, shade_solids, sky
from hydrostat.show.raster import add_thickness, draw_triangles, fill_plane
from hydrostat.show.scene3d import Ground, MeshItem, Picture, PlaneGround
from hydrostat.show.shadow import NO_SHADOW, shadow_of
from hydrostat.show.solids import Triangles, mesh, solids, tube
from hydrostat.show.text import write_labels

Image = NDArray[np.uint8]


def draw(picture: Picture, size: tuple[int, int] = (960, 540), supersampling: int = 2) -> Image:
    """The image, (height, width, 3) sRGB bytes, of ``picture`` at ``size`` (width, height) pixels.

    supersampling: samples along each side of a pixel. The same picture gives the same bytes.
    """
    if min(size) < 1 or supersampling < 1:
        raise InputError(f"size {size} with supersampling {supersampling}", "numbers ≥ 1", "960 × 540 with 2 is usual")
    canvas = _Canvas(picture.camera, size, supersampling)
    if picture.ground is not None:
        canvas.draw_ground(picture.ground, _shadow_casters(picture))
    canvas.draw_solids(solids(picture))
    for item in _far_to_near(picture):
        canvas.draw_body(item)
    return write_labels(canvas.image(), picture.labels)


def _shadow_casters(picture: Picture) -> tuple[Floats, Ints]:
    """Vertices (n, 3) and faces (f, 3) of the meshes; of the tubes, where there is no mesh round them."""
    items: list[MeshItem | Triangles] = [*picture.meshes]
    items = items or [tube(item) for item in picture.tubes if item.values.size]
    if not items:
        return np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)
    starts = np.cumsum([0] + [len(item.vertices) for item in items[:-1]])
    faces = [item.faces + start for item, start in zip(items, starts, strict=True)]
    return np.concatenate([item.vertices for item in items]), np.concatenate(faces)


def _far_to_near(picture: Picture) -> list[MeshItem]:
    """The translucent meshes, the farthest first."""
    clear = [item for item in picture.meshes if item.opacity < 1.0 and item.faces.size]
    return sorted(clear, key=lambda item: -picture.camera.to_camera(item.vertices).mean(axis=0)[2])


class _Canvas:
    """The samples of one picture while it is being drawn, the linear light of its pixels, and its camera."""

    def __init__(self, camera: Camera, size: tuple[int, int], step: int) -> None:
        width, height = size
        self.camera = camera
        self.lights = Lights.beside(camera)
        self.near = 0.01 * camera.distance
        focal = step * camera.focal_length(height)
        self.lens = np.array([focal, 0.5 * step * width, 0.5 * step * height])
        self.pixels: Floats = np.repeat(sky(height)[:, None], width, axis=1)
        self.depth: Floats = np.zeros((step * height, step * width))
        self.colour: Floats = np.zeros((step * height, step * width, 3))
        self.covered: Bools = np.zeros((step * height, step * width), dtype=np.bool_)

    def draw_ground(self, ground: Ground, casters: tuple[Floats, Ints]) -> None:
        """Fill depth and pixels with the ground; it must come first, as it paints all that it finds."""
        height, width = self.pixels.shape[:2]
        step = len(self.depth) // height
        tangents = tangents_of(ground)
        key = self.lights.key
        if isinstance(ground, PlaneGround):
            above = float(ground.heights(self.camera.position[None])[0])
            if above <= 1e-9 * self.camera.distance:
                return  # From below, ground would hide everything.
            fill_plane(self.camera.axes @ ground.normal, -above, self.lens, self.depth)
            facing = np.full((height, width), max(float(ground.normal @ key), 0.0))
        else:
            hills = hills_of(ground)
            cosines = np.maximum(hills.normals @ key, 0.0)[:, None]
            shown = np.zeros((*self.depth.shape, 1))
            seen = self.camera.to_camera(hills.vertices)
            draw_triangles(seen, hills.faces, cosines, self.lens, self.near, self.depth, shown)
            facing = np.ascontiguousarray(shown[::step, ::step, 0])
        lit = float(tangents[2] @ key) > 0.05
        shadow = shadow_of(*casters, ground, tangents, key) if lit else NO_SHADOW
        frame = tangents / np.array([[ground.cell], [ground.cell], [1.0]])
        fog = np.array([*self.camera.target, 0.7 * self.camera.distance, 3.0 * self.camera.distance])
        shade_ground(
            self.depth,
            facing,
            self.lens,
            self.camera.axes,
            np.array(self.camera.position),
            frame,
            fog,
            shadow.axes,
            shadow.cast,
            shadow.contact,
            TILES,
            self.pixels,
        )

    def draw_solids(self, triangles: Triangles) -> None:
        """Draw what nothing shows through."""
        window = self._window(triangles)
        shown, depth = window.seen(triangles, self.near)
        visible = depth > window.depth
        self.depth[window.rows, window.columns] = depth
        top, left = window.rows.start, window.columns.start
        lens, axes, lights = self.lens, self.camera.axes, self.lights.rows
        shade_solids(shown, visible, top, left, lens, axes, lights, self.colour, self.covered)

    def draw_body(self, item: MeshItem) -> None:
        """Lay a translucent body over what is drawn so far."""
        triangles = mesh(item)
        window = self._window(triangles)
        thickness = np.zeros_like(window.depth)
        add_thickness(window.points, triangles.faces, window.lens, self.near, window.depth, thickness)
        shown, depth = window.seen(triangles, self.near)
        visible = depth > window.depth
        shade_body(
            shown,
            visible,
            thickness,
            _density(item),
            window.rows.start,
            window.columns.start,
            self.lens,
            self.camera.axes,
            self.lights.rows,
            RIM,
            self.pixels,
            self.colour,
            self.covered,
        )

    def image(self) -> Image:
        """The bytes of the pixels, (height, width, 3)."""
        image: Image = np.empty(self.pixels.shape, dtype=np.uint8)
        resolve(self.colour, self.covered, self.pixels, LIGHT_TO_BYTE, image)
        return image

    def _window(self, triangles: Triangles) -> _Window:
        """The samples that ``triangles`` can reach."""
        points = self.camera.to_camera(triangles.vertices)
        rows, columns = self.depth.shape
        top, bottom, left, right = 0, rows, 0, columns
        if not len(points) or points[:, 2].max() < self.near:
            bottom, right = 0, 0
        elif points[:, 2].min() >= self.near:
            x = self.lens[1] + self.lens[0] * points[:, 0] / points[:, 2]
            y = self.lens[2] - self.lens[0] * points[:, 1] / points[:, 2]
            left, right = np.clip([x.min() - 1, x.max() + 2], 0, columns).astype(int).tolist()
            top, bottom = np.clip([y.min() - 1, y.max() + 2], 0, rows).astype(int).tolist()
        lens = self.lens - np.array([0.0, left, top])
        return _Window(slice(top, bottom), slice(left, right), lens, points, self.depth[top:bottom, left:right].copy())


@dataclass(frozen=True)
class _Window:
    """A part of the samples, where some triangles stand.

    points: (n, 3), the triangles' vertices in camera coordinates. depth: (a, b), 1/depth drawn there before.
    """

    rows: slice
    columns: slice
    lens: Floats
    points: Floats
    depth: Floats

    def seen(self, triangles: Triangles, near: float) -> tuple[Floats, Floats]:
        """Normal and colour (a, b, 6) where the triangles are in front, and 1/depth (a, b) with them."""
        depth = self.depth.copy()
        shown = np.empty((*depth.shape, 6))
        values = np.concatenate([triangles.normals, triangles.light], axis=1)
        draw_triangles(self.points, triangles.faces, values, self.lens, near, depth, shown)
        return shown, depth


def _density(item: MeshItem) -> float:
    """Absorption (1/m) that hides the item's share of what is behind its mean thickness."""
    corners = item.vertices[item.faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = 0.5 * np.linalg.norm(across, axis=1).sum()
    volume = abs(np.einsum("fi,fi->", corners[:, 0], across)) / 6.0
    # Over all lines through a body, the mean length inside is 4 volume / area (Cauchy). A flat sheet has no
    # volume.
    thickness = max(4.0 * volume / max(area, 1e-30), 1e-3 * np.sqrt(area), 1e-9)
    return float(-np.log1p(-item.opacity) / thickness)
