"""A small body with two fibres and three patch slots, and frames of it that differ in every number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from hydrostat.io.frames import ContactFrame, Frame
from hydrostat.io.writer import RecordingWriter

BODY: dict[str, Any] = {
    "rest_positions": np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1.0]]),
    "tets": np.array([[0, 1, 2, 3], [1, 2, 3, 4]]),
    "surface_faces": np.array([[0, 2, 1], [0, 1, 3]]),
    "fibres": [np.array([0, 1, 2]), np.array([3, 4])],
    "patch_slots": 3,
    "metadata": {"dt": 0.01, "title": "a test", "ground": {"height": 0.5}, "gait": np.array([1.0, 2.0])},
}


ARRAYS = ("positions", "velocities", "fibre_points", "activation", "outside")
CONTACT_ARRAYS = ("positions", "normals", "impulses", "modes", "gaps")


def make_frame(index: int) -> Frame:
    rng = np.random.default_rng(index)
    used = index % 4
    return Frame(
        time=0.1 * index,
        positions=rng.normal(size=(5, 3)),
        velocities=rng.normal(size=(5, 3)),
        fibre_points=rng.normal(size=(5, 3)),
        activation=rng.random(3),
        contacts=ContactFrame(
            positions=rng.normal(size=(used, 3)),
            normals=rng.normal(size=(used, 3)),
            impulses=rng.normal(size=(used, 3)),
            modes=rng.integers(0, 3, used),
            gaps=rng.normal(size=used),
        ),
        outside=rng.normal(size=(1, 2, 3)),
        state={
            "momentum": rng.normal(size=(5, 3)),
            "counts": rng.integers(-(2**62), 2**62, 2),
            "phase": np.array(rng.random()),
            "nothing": np.zeros((0, 2)),
        },
        scalars={"volume ratio": rng.random(), "solve.ms": rng.random()},
        markers={"com": rng.normal(size=3)},
    )


def write(path: Path, frames: list[Frame], **changes: Any) -> Path:
    """Record frames of BODY, changed by keywords, to a file."""
    with RecordingWriter(path, **(BODY | changes)) as writer:
        for frame in frames:
            writer.append(frame)
    return path


def assert_same_frame(left: Frame, right: Frame) -> None:
    """Equal to the bit, with equal types."""
    assert left.time == right.time
    assert dict(left.scalars) == dict(right.scalars)
    pairs = [(getattr(left, name), getattr(right, name)) for name in ARRAYS]
    pairs += [(getattr(left.contacts, name), getattr(right.contacts, name)) for name in CONTACT_ARRAYS]
    for mappings in ((left.state, right.state), (left.markers, right.markers)):
        assert mappings[0].keys() == mappings[1].keys()
        pairs += [(mappings[0][name], mappings[1][name]) for name in mappings[0]]
    for one, other in pairs:
        assert one.shape == other.shape and one.dtype == other.dtype
        assert one.tobytes() == other.tobytes()
