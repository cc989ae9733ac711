"""Colours: sRGB and linear light, the palette, and the colours of activation and contact.

Colours that people write are sRGB triples in [0, 1]; light is added up in linear values, because half as much
light is not half as large an sRGB number.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from hydrostat.arrays import Floats

BODY = (0.10, 0.66, 0.82)
FORCE = (0.98, 0.64, 0.10)
CENTRE_OF_MASS = (0.16, 0.20, 0.30)
PUSH = (0.62, 0.30, 0.80)
TARGET = (0.93, 0.24, 0.50)
TEXT = (0.20, 0.24, 0.30)

# Contact modes by number: 0 free (lifted off), 1 stick, 2 slide.
CONTACT_MODES = ((0.72, 0.75, 0.79), (0.13, 0.62, 0.36), (0.95, 0.55, 0.12))

# From calm blue-grey to hot red.
_ACTIVATION = np.array(
    [[0.48, 0.56, 0.70], [0.70, 0.52, 0.58], [0.93, 0.48, 0.34], [0.97, 0.28, 0.16], [0.93, 0.05, 0.06]]
)


def srgb_to_linear(colours: ArrayLike) -> Floats:
    """Linear light (...) of sRGB values (...) in [0, 1]."""
    values = np.asarray(colours, dtype=np.float64)
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def linear_to_srgb(light: ArrayLike) -> Floats:
    """SRGB values (...) in [0, 1] of linear light (...); light outside [0, 1] is clipped."""
    values = np.clip(np.asarray(light, dtype=np.float64), 0.0, 1.0)
    return np.where(values <= 0.0031308, 12.92 * values, 1.055 * values ** (1.0 / 2.4) - 0.055)


def activation_colours(values: ArrayLike) -> Floats:
    """SRGB colours (k, 3) of activations (k,), 0 calm to 1 hot; values outside are clipped."""
    place = np.clip(np.asarray(values, dtype=np.float64), 0.0, 1.0)
    stops = np.linspace(0.0, 1.0, len(_ACTIVATION))
    return np.stack([np.interp(place, stops, channel) for channel in _ACTIVATION.T], axis=-1)


# What the resolve step looks bytes up in: 4096 steps of linear light are finer than a byte everywhere that
# matters.
LIGHT_TO_BYTE = np.round(255.0 * linear_to_srgb(np.linspace(0.0, 1.0, 4096))).astype(np.uint8)
