"""The letter A takes a bow: a character, a behaviour and a scene of your own."""

from pathlib import Path

import numpy as np

from hydrostat.characters.alphabet import letter_character
from hydrostat.control.behaviours.balance import Balance
from hydrostat.control.controllers import GoalController
from hydrostat.control.goals import LinearMomentum, Planted
from hydrostat.control.places import body_point
from hydrostat.control.plans import always
from hydrostat.io.reader import open_recording
from hydrostat.scenes.record import record
from hydrostat.scenes.scene import Scene, Settings, Stage
from hydrostat.scenes.staging import controller_of, start_of, world_of
from hydrostat.show.recorded import render_sheet

LETTER = letter_character("A")
DEEP, PERIOD = 0.12, 2.0  # how far the head goes forward, m, and how long a bow takes, s


def bow(settings: Settings) -> Stage:
    """The A on its feet, whose head goes forward and comes back."""
    world = world_of(LETTER, settings)
    head = body_point(world, (0.0, 0.9, 0.0))
    upright = head @ world.body.rest_positions

    def forward(time: float) -> np.ndarray:
        return upright + 0.5 * DEEP * (1.0 - np.cos(2.0 * np.pi * time / PERIOD)) * np.array([0.0, -0.3, 1.0])

    goals = [*Balance().goals(world), LinearMomentum(head, forward, stiffness=100.0, damping=20.0), Planted()]
    controller = controller_of(GoalController(always(goals)), settings)
    return Stage(
        world, start_of(world, settings), controller, LETTER.height, lambda state: {"head": head @ state.positions}
    )


SCENE = Scene("bow-a", "the A takes a bow", 2.0 * PERIOD, bow)

if __name__ == "__main__":
    path = Path("out/bow-a.vtkhdf")
    record(SCENE, path)
    with open_recording(path) as recording:
        render_sheet(recording, path.with_suffix(".png"))
    print(path, path.with_suffix(".png"))
