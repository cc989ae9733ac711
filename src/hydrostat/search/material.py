"""What bodies that shall travel are made of."""

from __future__ import annotations

from dataclasses import replace

from hydrostat.bodies.reduced import ReducedOptions
from hydrostat.bodies.vibration import size_of
from hydrostat.geometry.tetrahedra import TetMesh

# Stiffness over density · gravity · size. Softer bodies answer their rhythm too late and sag onto the ground; with much
# stiffer ones every touch of the ground is a blow, and the same gait ends elsewhere from a slightly other pose.
PASSIVE, ACTUATION = 50.0, 250.0
GRAVITY = 9.81


def firm(options: ReducedOptions, mesh: TetMesh) -> ReducedOptions:
    """``options`` with the stiffness of a body that travels, where they leave it open."""
    scale = options.density * GRAVITY * size_of(mesh)
    return replace(
        options,
        stiffness=options.stiffness or PASSIVE * scale,
        actuation_stiffness=options.actuation_stiffness or ACTUATION * scale,
    )
