"""What is measured of a recording, and that it would notice."""

from dataclasses import replace

import numpy as np
import pytest

from hydrostat.io.reader import open_recording
from hydrostat.scenes import load_scene
from hydrostat.scenes.measure import lifted, momentum_error, node_masses, summary
from hydrostat.scenes.record import frame_of, writer_for
from hydrostat.scenes.scene import Settings, play
from hydrostat.stepping.forces import Push, shares_near


def recorded(folder, tamper=lambda frame: frame):
    """The first steps of a block that stops, pushed by a force from outside."""
    scene = load_scene("ramp-stop")
    stage = scene.build(Settings())
    body = stage.world.body
    shares = shares_near(
        stage.state.positions, body.masses, tuple(body.masses @ stage.state.positions / body.mass), 0.1
    )
    forces = (Push(shares, (0.0, -20.0, 5.0), 0.01, 1.0),)
    stage = replace(stage, world=replace(stage.world, forces=forces))
    with writer_for(folder / "run.vtkhdf", scene, stage, Settings()) as writer:
        for state, report in play(stage, 20 * stage.world.dt):
            writer.append(tamper(frame_of(stage, state, report)))
    return open_recording(folder / "run.vtkhdf"), stage


def test_gravity_contact_and_pushes_explain_all_momentum(tmp_path):
    recording, stage = recorded(tmp_path)
    assert np.allclose(node_masses(recording), stage.world.body.masses, rtol=1e-12)
    assert np.abs(recording.outside(-1)[0, 1] - [0.0, -20.0, 5.0]).max() < 1e-12
    assert not recording.outside(0)[0, 1].any()
    assert momentum_error(recording).max() < 1e-12
    assert summary(recording)["momentum_error"] < 1e-12


@pytest.mark.parametrize(("change", "size"), [("outside", 1e-3), ("velocities", 1e-6)])  # N, m/s
def test_an_undeclared_force_is_noticed(tmp_path, change, size):
    def tamper(frame):
        return replace(frame, **{change: getattr(frame, change) + size * (frame.time > 0.02)})

    recording, _ = recorded(tmp_path, tamper)
    assert momentum_error(recording).max() > 1e-8


def test_what_moves_without_velocity_is_told(tmp_path):
    with recorded(tmp_path)[0] as recording:
        before = lifted(recording)
    recording, _ = recorded(tmp_path, lambda frame: replace(frame, positions=frame.positions + (frame.time > 0.02)))
    assert lifted(recording) - before == pytest.approx(np.sqrt(3.0), rel=1e-3)
