"""Every scene: finite, deterministic, audited, restarted, as predicted; and the oracles of the first scenes."""

from dataclasses import replace

import numpy as np
import pytest

from hydrostat.control.controllers import Passive
from hydrostat.errors import InputError
from hydrostat.geometry.tetrahedra import signed_volumes
from hydrostat.io.reader import open_recording
from hydrostat.scenes import SCENES, load_scene
from hydrostat.scenes.measure import ALWAYS, measures, verdicts
from hydrostat.scenes.record import frame_of, record, state_of, writer_for
from hydrostat.scenes.scene import Scene, Settings, Stage, play

STEPS = 12


@pytest.fixture(scope="module")
def stages():
    return {name: scene.build(Settings()) for name, scene in SCENES.items()}


def steps_of(stage, count=STEPS, state=None):
    start = state or stage.state
    return list(play(stage, start.time + count * stage.world.dt, start))


def momentum(stage, state):
    return stage.world.body.masses @ state.velocities


@pytest.mark.parametrize("name", SCENES)
def test_contract(name, stages):
    """Finite numbers, volume kept, muscles in bounds, contact conditions held, and nothing moves by magic."""
    stage = stages[name]
    world, before = stage.world, stage.state
    rest = world.body.mesh.volumes.sum()
    for state, report in steps_of(stage, 40):
        assert np.isfinite(state.positions).all() and np.isfinite(state.velocities).all()
        assert abs(signed_volumes(state.positions, world.body.mesh.tets).sum() / rest - 1.0) < 0.15
        assert (signed_volumes(state.positions, world.body.mesh.tets) > 0.0).all()
        assert report.residuals.worst < 1e-8
        if world.muscles:
            assert (state.actuation >= world.muscles.lower - 1e-12).all()
            assert (state.actuation <= world.muscles.upper + 1e-12).all()
        impulses = report.decision.impulses.reshape(-1, 3)
        given = np.einsum("cri,cr->i", report.contacts.frames, impulses)
        given = given + world.dt * world.body.mass * np.array(world.gravity)
        for force in world.forces:
            given = given + world.dt * force.forces(before.time, before.positions).sum(axis=0)
        change = momentum(stage, state) - momentum(stage, before)
        assert np.abs(change - given).max() <= 1e-8 * world.body.mass * world.dt * 9.81
        predicted = report.decision.problem.velocities + report.decision.problem.delassus @ report.decision.impulses
        done = report.contacts.rows @ state.velocities.ravel()
        assert np.allclose(done, predicted, rtol=0, atol=1e-9)
        before = state


@pytest.mark.parametrize("name", SCENES)
def test_two_runs_are_the_same_to_the_bit(name, stages):
    first = steps_of(stages[name])[-1][0]
    second = steps_of(load_scene(name).build(Settings()))[-1][0]
    assert first.positions.tobytes() == second.positions.tobytes()
    assert first.actuation.tobytes() == second.actuation.tobytes()


@pytest.mark.parametrize("name", SCENES)
def test_a_recording_restarts_where_it_stopped(name, stages, tmp_path):
    """Save, load, continue: to the bit what a run that never stopped does."""
    stage, path = stages[name], tmp_path / "part.vtkhdf"
    whole = steps_of(stage)
    with writer_for(path, SCENES[name], stage, Settings()) as writer:
        for state, report in whole[: STEPS // 2]:
            writer.append(frame_of(stage, state, report))
    with open_recording(path) as recording:
        start = state_of(recording.frame(-1))
    resumed = steps_of(stage, STEPS - STEPS // 2, start)
    assert resumed[-1][0].positions.tobytes() == whole[-1][0].positions.tobytes()
    assert resumed[-1][0].velocities.tobytes() == whole[-1][0].velocities.tobytes()


class Pulse:
    """A controller that contracts every other step, which it knows from its memory alone."""

    def decide(self, world, state, system, contacts):
        count = state.memory.get("count", np.zeros(1))
        pulled = world.muscles.upper * (0.95 if count[0] % 2.0 else 1.0)
        decision = Passive().decide(world, replace(state, actuation=pulled), system, contacts)
        return replace(decision, memory={"count": count + 1.0})


def test_a_recording_keeps_what_a_controller_remembers(stages, tmp_path):
    stage, path = replace(stages["exercise-h"], controller=Pulse()), tmp_path / "part.vtkhdf"
    whole = steps_of(stage, 8)
    assert whole[-1][0].memory["count"] == 8.0
    with writer_for(path, SCENES["exercise-h"], stage, Settings()) as writer:
        for state, report in whole[:5]:
            writer.append(frame_of(stage, state, report))
    with open_recording(path) as recording:
        start = state_of(recording.frame(-1))
    assert start.memory["count"] == 5.0
    assert steps_of(stage, 3, start)[-1][0].positions.tobytes() == whole[-1][0].positions.tobytes()


def test_drop_i_comes_to_rest(stages):
    """Forces equal the weight to 1e-6, and nothing drifts in the last ten seconds."""
    stage = stages["drop-i"]
    steps = list(play(stage, SCENES["drop-i"].seconds))
    state, report = steps[-1]
    weight = 9.81 * stage.world.body.mass
    force = np.einsum("cri,cr->i", report.contacts.frames, report.decision.impulses.reshape(-1, 3)) / stage.world.dt
    assert np.allclose(force, [0.0, weight, 0.0], atol=1e-6 * weight)
    drift = max(np.linalg.norm(s.positions - state.positions, axis=1).max() for s, _ in steps[-600:])
    assert drift < 1e-5
    assert np.linalg.norm(state.velocities, axis=1).max() < 1e-9
    assert stage.world.ground.gaps(state.positions).min() > -1e-4
    highest = max(s.positions[:, 1].min() for s, _ in steps[:6])
    assert highest > 0.05


def test_jitter_changes_the_world_and_depends_on_the_seed():
    build = SCENES["exercise-h"].build
    plain, first, again, other = (
        build(Settings(jitter=j, seed=s)) for j, s in ((0.0, 0), (0.05, 1), (0.05, 1), (0.05, 2))
    )
    assert first.world.friction.coefficient != plain.world.friction.coefficient
    assert first.world.body.mass == again.world.body.mass != other.world.body.mass
    assert first.state.positions.tobytes() == again.state.positions.tobytes() != other.state.positions.tobytes()


def test_an_audit_would_notice_a_hidden_force(stages):
    """The audit of the contract is a check that can fail: a force that is not declared breaks it."""

    class Ghost:
        def forces(self, time, positions):
            return np.full_like(positions, 1e-3)

    stage = stages["ramp-stick"]
    haunted = Stage(replace(stage.world, forces=(Ghost(),)), stage.state, stage.controller, stage.height)
    state, report = steps_of(haunted, 1)[0]
    given = np.einsum("cri,cr->i", report.contacts.frames, report.decision.impulses.reshape(-1, 3))
    given = given + stage.world.dt * stage.world.body.mass * np.array(stage.world.gravity)
    change = momentum(stage, state) - momentum(stage, stage.state)
    assert np.abs(change - given).max() > 1e-8 * stage.world.body.mass * stage.world.dt * 9.81


def test_unknown_scenes_list_the_known():
    with pytest.raises(InputError, match="exercise-h"):
        load_scene("exercise-9")


@pytest.mark.parametrize("change", [{"controller": "magic"}, {"jitter": -1.0}, {"jitter": float("nan")}, {"seed": -1}])
def test_settings_without_meaning_are_refused(change):
    with pytest.raises(InputError, match=next(iter(change))):
        Settings(**change)


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan")])
def test_times_without_meaning_are_refused(stages, seconds):
    scene: Scene = SCENES["drop-i"]
    with pytest.raises(InputError, match="seconds"):
        list(play(stages[scene.name], seconds))


@pytest.mark.parametrize("name", SCENES)
def test_a_run_cut_short_is_measured_as_far_as_it_tells(name, tmp_path):
    scene = SCENES[name]
    for seconds, told in ((1.0 / 60.0, False), (scene.telling + 0.02, True)):
        record(scene, tmp_path / "run.vtkhdf", seconds=seconds)
        with open_recording(tmp_path / "run.vtkhdf") as recording:
            found, judged = measures(scene, recording), verdicts(scene, recording)
        assert bool(found) == (told and scene.demands != ())
        assert np.isfinite([value for value in found.values() if isinstance(value, float)]).all()
        assert len(judged) == len(ALWAYS) + len(scene.demands) * told
