"""Light on samples and pixels: where lights stand, and the compiled shading of solids and translucent bodies.

All colours here are linear light. A ray of the picture is x · right + y · up + forward, with x and y the
slopes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hydrostat.arrays import Bools, Floats
from hydrostat.show.camera import Camera
from hydrostat.show.colours import srgb_to_linear

Bytes = NDArray[np.uint8]

SKY_TOP = srgb_to_linear((0.78, 0.85, 0.91))
SKY_BOTTOM = srgb_to_linear((0.96, 0.97, 0.97))
RIM = srgb_to_linear((0.90, 0.97, 1.0))


@dataclass(frozen=True)
class Lights:
    """Unit vectors (3,) to the key light and the fill light; they keep their place beside the camera."""

    key: Floats
    fill: Floats

    @property
    def rows(self) -> Floats:
        """Key and fill, (2, 3)."""
        return np.stack([self.key, self.fill])

    @classmethod
    def beside(cls, camera: Camera) -> Lights:
        """Key from above the left shoulder, so that shadows stay near; fill from low on the right."""
        right = camera.axes[0]
        up = np.array([0.0, 1.0, 0.0])
        towards = np.cross(right, up)
        key = up - 0.38 * right + 0.42 * towards
        fill = 0.9 * right + 0.25 * up + 0.5 * towards
        return cls(key / np.linalg.norm(key), fill / np.linalg.norm(fill))


def sky(rows: int) -> Floats:
    """The background gradient, (rows, 3)."""
    share = np.linspace(0.0, 1.0, rows)[:, None]
    return (1.0 - share) * SKY_TOP + share * SKY_BOTTOM


@njit(cache=True, error_model="numpy")
def _received(normal: Floats, lights: Floats) -> float:
    """Light on a soft matte surface: wrapped key, fill, and more sky from above than ground from below."""
    key = normal[0] * lights[0, 0] + normal[1] * lights[0, 1] + normal[2] * lights[0, 2]
    fill = normal[0] * lights[1, 0] + normal[1] * lights[1, 1] + normal[2] * lights[1, 2]
    return float(0.95 * max(0.15 + 0.85 * key, 0.0) + 0.12 * max(fill, 0.0) + 0.24 + 0.08 * normal[1])


@njit(cache=True, error_model="numpy")
def _shine(normal: Floats, ray: Floats, light: Floats, sharpness: float) -> float:
    """Blinn's highlight: how well the normal halves the way between the light and the eye."""
    half_0, half_1, half_2 = light[0] - ray[0], light[1] - ray[1], light[2] - ray[2]
    size = np.sqrt(half_0 * half_0 + half_1 * half_1 + half_2 * half_2)
    cosine = (half_0 * normal[0] + half_1 * normal[1] + half_2 * normal[2]) / size
    return cosine**sharpness if cosine > 0.7 else 0.0


@njit(cache=True, error_model="numpy")
def _look(seen: Floats, x: float, y: float, axes: Floats, normal: Floats, ray: Floats) -> float:
    """The cosine between a ray and the normal that it sees, turned to the eye; both are written, unit.

    x, y: slopes of the ray. seen: (6,) normal of any length and either side, and colour.
    """
    size = np.sqrt(seen[0] * seen[0] + seen[1] * seen[1] + seen[2] * seen[2]) + 1e-300
    length = np.sqrt(x * x + y * y + 1.0)
    cosine = 0.0
    for k in range(3):
        ray[k] = (x * axes[0, k] + y * axes[1, k] + axes[2, k]) / length
        normal[k] = seen[k] / size
        cosine -= normal[k] * ray[k]
    if cosine < 0.0:
        for k in range(3):
            normal[k] = -normal[k]
    return abs(cosine)


@njit(cache=True, error_model="numpy")
def shade_solids(
    shown: Floats,
    visible: Bools,
    top: int,
    left: int,
    lens: Floats,
    axes: Floats,
    lights: Floats,
    colour: Floats,
    covered: Bools,
) -> None:
    """Light the solid samples of a window whose first sample is (top, left).

    shown: (a, b, 6) normal and colour where visible (a, b). lens: (3,) samples of the picture. axes: (3, 3)
    of the camera. lights: (2, 3) to key and fill. colour: (h, w, 3) and covered: (h, w) of the picture,
    written.
    """
    normal, ray = np.empty(3), np.empty(3)
    for i in range(shown.shape[0]):
        for j in range(shown.shape[1]):
            if not visible[i, j]:
                continue
            row, column = top + i, left + j
            seen = shown[i, j]
            x, y = (column + 0.5 - lens[1]) / lens[0], (lens[2] - row - 0.5) / lens[0]
            _look(seen, x, y, axes, normal, ray)
            light = _received(normal, lights)
            shine = 0.18 * _shine(normal, ray, lights[0], 30.0)
            covered[row, column] = True
            for k in range(3):
                colour[row, column, k] = seen[3 + k] * light + shine


@njit(cache=True, error_model="numpy")
def shade_body(
    shown: Floats,
    visible: Bools,
    thickness: Floats,
    density: float,
    top: int,
    left: int,
    lens: Floats,
    axes: Floats,
    lights: Floats,
    rim: Floats,
    pixels: Floats,
    colour: Floats,
    covered: Bools,
) -> None:
    """Lay a translucent body over what stands behind it: solids where covered, else the pixels' ground and
    sky.

    shown: (a, b, 6) normal and colour of its nearest face. thickness: (a, b) m in front of what is solid.
    density: 1/m, of absorption. rim: (3,) the light that a grazing look reflects. pixels: (h / s, w / s, 3).
    Others as in ``shade_solids``.
    """
    step = colour.shape[0] // pixels.shape[0]
    normal, ray = np.empty(3), np.empty(3)
    for i in range(shown.shape[0]):
        for j in range(shown.shape[1]):
            if not visible[i, j]:
                continue
            row, column = top + i, left + j
            seen = shown[i, j]
            x, y = (column + 0.5 - lens[1]) / lens[0], (lens[2] - row - 0.5) / lens[0]
            cosine = _look(seen, x, y, axes, normal, ray)
            depth = density * max(thickness[i, j], 0.0) * np.sqrt(x * x + y * y + 1.0)
            light = 1.15 * _received(normal, lights)
            grazing = (1.0 - cosine) ** 3
            shine = 0.30 * _shine(normal, ray, lights[0], 60.0)
            for k in range(3):
                behind = colour[row, column, k] if covered[row, column] else pixels[row // step, column // step, k]
                # The body lets its own colour through best, so that what is deep inside takes its tint; even
                # where it is thin its skin shows, more so at a grazing look.
                passing = (0.78 - 0.30 * grazing) * np.exp(-depth * (1.1 - 0.3 * seen[3 + k]))
                inside = (1.0 - passing) * seen[3 + k] * light + passing * behind
                edge = rim[k] * (0.25 + 0.75 * seen[3 + k]) * light
                colour[row, column, k] = inside + (0.04 + 0.40 * grazing) * (edge - inside) + shine
            covered[row, column] = True


@njit(cache=True, error_model="numpy")
def resolve(colour: Floats, covered: Bools, pixels: Floats, to_byte: Bytes, image: Bytes) -> None:
    """Average the samples of each pixel and look its bytes up.

    colour: (s h, s w, 3) where covered (s h, s w); elsewhere pixels (h, w, 3). to_byte: bytes of linear light
    in [0, 1]. image: (h, w, 3) bytes, written.
    """
    rows, columns = pixels.shape[:2]
    step = covered.shape[0] // rows
    top = to_byte.size - 1
    for row in range(rows):
        for column in range(columns):
            bare = 0
            red, green, blue = 0.0, 0.0, 0.0
            for i in range(step * row, step * (row + 1)):
                for j in range(step * column, step * (column + 1)):
                    if covered[i, j]:
                        red += min(colour[i, j, 0], 1.0)
                        green += min(colour[i, j, 1], 1.0)
                        blue += min(colour[i, j, 2], 1.0)
                    else:
                        bare += 1
            count = step * step
            image[row, column, 0] = to_byte[int(min((red + bare * pixels[row, column, 0]) / count, 1.0) * top + 0.5)]
            image[row, column, 1] = to_byte[int(min((green + bare * pixels[row, column, 1]) / count, 1.0) * top + 0.5)]
            image[row, column, 2] = to_byte[int(min((blue + bare * pixels[row, column, 2]) / count, 1.0) * top + 0.5)]
