"""What all scenes share: a world for a character, its first state, and what the user's settings change of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hydrostat.bodies.fem import FemBody
from hydrostat.characters.character import Character
from hydrostat.contact.friction import Friction
from hydrostat.control.controllers import GoalController, Passive
from hydrostat.scenes.scene import Settings
from hydrostat.stepping.step import Controller
from hydrostat.stepping.world import State, World


def world_of(character: Character, settings: Settings, friction: Friction = Friction(), **options: Any) -> World:
    """The world of ``character``; jitter scales its density, its stiffness and the friction."""
    density, stiffness, rubbing = 1.0 + settings.jitter * _noise(settings, 0).uniform(-1.0, 1.0, 3)
    material = replace(
        character.material,
        density=character.material.density * density,
        youngs_modulus=character.material.youngs_modulus * stiffness,
    )
    backward = None if friction.backward is None else friction.backward * rubbing
    return World(
        body=FemBody(character.body.mesh, material) if settings.jitter else character.body,
        muscles=character.muscles,
        friction=replace(friction, coefficient=friction.coefficient * rubbing, backward=backward),
        patches=character.patches,
        **options,
    )


def start_of(world: World, settings: Settings, height: float = 0.0) -> State:
    """The body at rest at ``height`` m; jitter tilts, shears and stretches its pose a little."""
    state = world.rest_state(height)
    gradient = np.eye(3) + 0.2 * settings.jitter * _noise(settings, 1).uniform(-1.0, 1.0, (3, 3))
    positions = state.positions @ gradient.T
    positions[:, 1] += height - positions[:, 1].min()
    return replace(state, positions=positions) if settings.jitter else state


def controller_of(controller: GoalController, settings: Settings) -> Controller:
    """``controller`` as the settings ask for it: as it is, with all contacts held, or none at all."""
    if settings.controller == "none":
        return Passive()
    return replace(controller, method="static") if settings.controller == "static" else controller


def _noise(settings: Settings, purpose: int) -> np.random.Generator:
    return np.random.default_rng([settings.seed, purpose])
