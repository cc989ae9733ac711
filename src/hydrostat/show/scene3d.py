"""What one picture shows, as frozen dataclasses of arrays; ``render.draw`` makes the image.

Lengths are metres, y points up, colours are sRGB triples in [0, 1].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from hydrostat.arrays import Floats, Ints, frozen
from hydrostat.errors import InputError
from hydrostat.show import colours
from hydrostat.show.camera import Camera

Colour: TypeAlias = tuple[float, float, float]

_BOUND = 1e12  # what the rasteriser's products stand without overflow


def _checked(name: str, values: ArrayLike, shape: tuple[int | None, ...]) -> Floats:
    """A frozen copy of ``values`` with ``shape`` (None: any length), or an error that names what is wrong."""
    array = frozen(values)
    fits = array.ndim == len(shape) and all(want in (None, have) for have, want in zip(array.shape, shape, strict=True))
    if not fits:
        wanted = tuple("n" if want is None else want for want in shape)
        raise InputError(f"{name} of shape {array.shape}", f"shape {wanted}", f"pass {name} as one such array")
    bad = np.flatnonzero(~(np.abs(array) < _BOUND).all(axis=tuple(range(1, array.ndim))))
    if len(bad):
        raise InputError(
            f"{name} with {len(bad)} rows that are not finite or absurdly large, the first at {bad[0]}",
            f"numbers below {_BOUND:g}",
            "look for the step that went wrong before drawing it",
        )
    return array


@dataclass(frozen=True)
class MeshItem:
    """A closed triangle surface, smoothly shaded.

    vertices: (n, 3) m. faces: (f, 3) indices, counter-clockwise from outside. opacity: 1 is solid; below, the
    share of what lies behind that a layer of the mesh's mean thickness hides.
    """

    vertices: Floats
    faces: Ints
    colour: Colour = colours.BODY
    opacity: float = 0.45

    def __post_init__(self) -> None:
        """Freeze and check."""
        object.__setattr__(self, "vertices", _checked("mesh vertices", self.vertices, (None, 3)))
        faces = frozen(self.faces, np.int64)
        object.__setattr__(self, "faces", faces)
        if faces.ndim != 2 or faces.shape[1] != 3:
            raise InputError(f"mesh faces of shape {faces.shape}", "shape (f, 3)", "pass triangles")
        if faces.size and not 0 <= faces.min() <= faces.max() < len(self.vertices):
            raise InputError(
                f"mesh faces name vertices {faces.min()} to {faces.max()}",
                f"0 to {len(self.vertices) - 1}",
                "pass faces and vertices of the same mesh",
            )
        if not 0.0 < self.opacity <= 1.0:
            raise InputError(f"opacity is {self.opacity}", "0 < opacity ≤ 1", "pass 1 for a solid mesh")


@dataclass(frozen=True)
class TubeItem:
    """A muscle fibre: a tube along a polyline, coloured by activation.

    points: (k, 3) m. values: (k - 1,) activation in [0, 1] of each piece. radius: m.
    """

    points: Floats
    values: Floats
    radius: float

    def __post_init__(self) -> None:
        """Freeze and check."""
        object.__setattr__(self, "points", _checked("tube points", self.points, (None, 3)))
        pieces = max(len(self.points) - 1, 0)
        object.__setattr__(self, "values", _checked("tube values", self.values, (pieces,)))


@dataclass(frozen=True)
class DiscItem:
    """A small flat disc, such as a contact patch. centre: (3,) m. normal: (3,). radius: m."""

    centre: Floats
    normal: Floats
    radius: float
    colour: Colour

    def __post_init__(self) -> None:
        """Freeze and check."""
        object.__setattr__(self, "centre", _checked("disc centre", self.centre, (3,)))
        object.__setattr__(self, "normal", _checked("disc normal", self.normal, (3,)))


@dataclass(frozen=True)
class ArrowItem:
    """An arrow with a head, such as a force.

    origin: (3,) m. vector: (3,) m, to the tip. radius: of the shaft, m.
    """

    origin: Floats
    vector: Floats
    radius: float
    colour: Colour = colours.FORCE

    def __post_init__(self) -> None:
        """Freeze and check."""
        object.__setattr__(self, "origin", _checked("arrow origin", self.origin, (3,)))
        object.__setattr__(self, "vector", _checked("arrow vector", self.vector, (3,)))


@dataclass(frozen=True)
class MarkerItem:
    """A ball, or a cross of three bars, that marks a place. position: (3,) m. radius: half its width, m."""

    position: Floats
    radius: float
    colour: Colour = colours.TARGET
    shape: Literal["ball", "cross"] = "ball"

    def __post_init__(self) -> None:
        """Freeze and check."""
        object.__setattr__(self, "position", _checked("marker position", self.position, (3,)))


@dataclass(frozen=True)
class PlaneGround:
    """The plane of all points p with normal · p = offset.

    normal: (3,), made unit. offset: m. cell: of the checker, m.
    """

    normal: Floats
    offset: float = 0.0
    cell: float = 0.5

    def __post_init__(self) -> None:
        """Freeze and check; a normal of any length is accepted, the offset then scales with it."""
        normal = _checked("ground normal", self.normal, (3,))
        length = float(np.linalg.norm(normal))
        if length == 0.0:
            raise InputError("ground normal is zero", "a direction", "pass (0, 1, 0) for level ground")
        object.__setattr__(self, "normal", frozen(normal / length))
        object.__setattr__(self, "offset", self.offset / length)

    def heights(self, points: Floats) -> Floats:
        """Height (n,) m of ``points`` (n, 3) m above the ground, along its normal."""
        return points @ self.normal - self.offset


@dataclass(frozen=True)
class HeightfieldGround:
    """Ground whose height (m) stands at the nodes of a grid over x and z.

    origin: (2,) m, x and z of node (0, 0). spacing: m. height_grid: (rows, columns) m, rows along z, columns
    along x; level beyond the border. cell: of the checker, m.
    """

    origin: Floats
    spacing: float
    height_grid: Floats
    cell: float = 0.5

    def __post_init__(self) -> None:
        """Freeze and check."""
        object.__setattr__(self, "origin", _checked("heightfield origin", self.origin, (2,)))
        object.__setattr__(self, "height_grid", _checked("heightfield heights", self.height_grid, (None, None)))
        if min(self.height_grid.shape) < 2:
            raise InputError(
                f"heightfield of shape {self.height_grid.shape}",
                "at least (2, 2)",
                "use PlaneGround for a plane",
            )
        if not 0.0 < self.spacing < np.inf:
            raise InputError(f"heightfield spacing is {self.spacing}", "metres > 0", "pass the sample distance")

    def heights(self, points: Floats) -> Floats:
        """Height (n,) m of ``points`` (n, 3) m above the ground, along y."""
        last = np.array(self.height_grid.shape) - 1
        place = np.clip((points[:, [2, 0]] - self.origin[::-1]) / self.spacing, 0.0, last)
        i, j = np.minimum(place.astype(np.int64), last - 1).T
        s, t = (place - np.stack([i, j], axis=1)).T
        grid = self.height_grid
        here = (1 - t) * grid[i, j] + t * grid[i, j + 1]
        after = (1 - t) * grid[i + 1, j] + t * grid[i + 1, j + 1]
        heights: Floats = points[:, 1] - ((1 - s) * here + s * after)
        return heights


Ground: TypeAlias = PlaneGround | HeightfieldGround


@dataclass(frozen=True)
class Label:
    """A line of text in a corner. height: of the letters, as a share of the height of the picture."""

    text: str
    corner: Literal["upper left", "upper right", "lower left", "lower right"] = "upper left"
    height: float = 0.04
    colour: Colour = colours.TEXT


@dataclass(frozen=True)
class Picture:
    """Everything that one picture shows. ground: None for a floating scene."""

    camera: Camera
    meshes: tuple[MeshItem, ...] = ()
    tubes: tuple[TubeItem, ...] = ()
    discs: tuple[DiscItem, ...] = ()
    arrows: tuple[ArrowItem, ...] = ()
    markers: tuple[MarkerItem, ...] = ()
    ground: Ground | None = None
    labels: tuple[Label, ...] = ()
