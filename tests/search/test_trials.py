"""Gaits tried on a small block: what is measured is what the nodes do, and a search keeps its promises."""

from dataclasses import replace

import numpy as np
import pytest

from hydrostat.actuation.sines import Sines
from hydrostat.bodies.fem import FemBody
from hydrostat.bodies.reduced import ReducedOptions, Surroundings, reduce_body, rollout
from hydrostat.contact.ground import Plane
from hydrostat.errors import InputError
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.tetrahedra import TetMesh
from hydrostat.io.reader import open_recording
from hydrostat.search.evolution import Progress, SearchOptions
from hydrostat.search.finals import winner
from hydrostat.search.finding import Workforce, find_gait
from hydrostat.search.objectives import BLOWN_UP
from hydrostat.search.recorded import write_recording
from hydrostat.search.reports import Report
from hydrostat.search.starts import disturbed, settled
from hydrostat.search.trials import replays
from hydrostat.search.wishes import Wishes, trial_of

GROUND = Surroundings(ground=Plane())
OPTIONS = SearchOptions(generations=4, population=6)


def body():
    mesh = box_tets((0.6, 0.2, 0.3), (4, 2, 2))
    standing = mesh.vertices - [0.0, mesh.vertices[:, 1].min(), 0.0]
    return reduce_body(TetMesh(standing, mesh.tets), ReducedOptions(modes=3, passive_clusters=4, samples=8))


BODY = body()
WISHES = Wishes(seconds=0.5)
TRIAL = trial_of(BODY, WISHES, GROUND)
GAIT = TRIAL.space.gait(np.random.default_rng(1).random(TRIAL.space.dimension))


def turned(angle, shift):
    """The rest state turned about the vertical and moved."""
    rotation = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
    start = TRIAL.starts[0]
    coordinates = start.coordinates @ rotation.T
    coordinates[0] += shift
    return replace(start, coordinates=coordinates)


def test_outcome_is_that_of_the_nodes():
    motion = TRIAL.motion(GAIT)
    masses = FemBody(BODY.mesh).masses
    centres = np.array([masses @ motion.positions(BODY, frame) / masses.sum() for frame in (0, -1)])
    outcome = TRIAL.outcome(motion)
    assert outcome.distance == pytest.approx(centres[1, 0] - centres[0, 0], abs=1e-12)
    assert outcome.work == pytest.approx(motion.work.sum())
    assert 0.5 < outcome.alignment < 1.0


def test_heading_is_read_from_the_coordinates():
    still = Sines(*(np.full((3, 1), value) for value in (0.0, 1.0, 0.0)))
    for angle in (-0.8, 0.3):
        outcome = TRIAL.outcome(TRIAL.motion(still, turned(angle, [1.0, 0.0, 2.0])))
        assert outcome.alignment == pytest.approx(np.cos(angle), abs=1e-3)
        assert outcome.uprightness == pytest.approx(1.0, abs=1e-3)


def test_what_blows_up_scores_worst():
    wild = replace(TRIAL, space=replace(TRIAL.space, amplitudes=np.full(3, 1e200)))
    point = np.ones(wild.space.dimension)
    assert wild(point) == BLOWN_UP
    assert all(other.blown_up for other in replays(wild, wild.space.gait(point), 2, 0.01, np.random.default_rng(0)))


def test_the_worst_start_decides():
    """Others are not even tried after one that is no better than standing still."""
    failed = []
    for seed in range(6):
        point = np.random.default_rng(seed).random(TRIAL.space.dimension)
        motions = [TRIAL.motion(TRIAL.space.gait(point), start) for start in TRIAL.starts]
        alone = [TRIAL.objective.score(TRIAL.outcome(motion)) for motion in motions]
        assert len(set(alone)) == len(TRIAL.starts)
        assert TRIAL(point) == next((score for score in alone if score >= 0.0), max(alone))
        failed.append(TRIAL(point) >= 0.0)
    assert set(failed) == {True, False}


def test_a_body_settles_before_it_moves():
    """At the start nothing moves and the ground carries the weight; noise moves nodes by as much as it says."""
    start = settled(BODY, GROUND)
    idle = rollout(BODY, start, np.zeros((10, 3)), GROUND)
    assert np.abs(idle.sample_positions(BODY) - idle.sample_positions(BODY)[0]).max() < 1e-3 * BODY.size
    assert idle.impulses[-1].sum(axis=0) == pytest.approx([0.0, BODY.mass * 9.81 * GROUND.dt, 0.0], abs=0.02)
    free = replace(GROUND, ground=Plane(offset=-1.0))
    shifts = [disturbed(BODY, start, free, 0.01, np.random.default_rng(seed)).coordinates for seed in range(50)]
    moved = [BODY.positions(shift - start.coordinates) for shift in shifts]
    size = np.sqrt(np.mean([FemBody(BODY.mesh).masses @ (d**2).sum(axis=1) / BODY.mass for d in moved]))
    assert size == pytest.approx(0.01 * BODY.size, rel=0.1)
    deep = disturbed(BODY, start, GROUND, 0.05, np.random.default_rng(0))
    assert (BODY.basis[BODY.samples] @ deep.coordinates)[:, 1].min() > -1e-9


def test_work_has_a_price_in_body_lengths():
    """α = 1 takes a body length for the energy that lifts the body by its length."""
    point = np.random.default_rng(1).random(TRIAL.space.dimension)
    outcome = TRIAL.outcome(TRIAL.motion(GAIT))
    free, priced = (trial_of(BODY, replace(WISHES, alpha=alpha, starts=1), GROUND) for alpha in (0.0, 2.0))
    lifts = outcome.work / (BODY.mass * 9.81 * TRIAL.length)
    assert priced(point) - free(point) == pytest.approx(2.0 * lifts * TRIAL.length)


def test_only_modes_and_chosen_modes_move():
    some = trial_of(BODY, replace(WISHES, only_modes=(2, 0), choose_modes=1), GROUND)
    assert len(some.space.amplitudes) == 2
    assert np.count_nonzero(some.space.gait(np.full(some.space.dimension, 0.9)).amplitudes.any(axis=1)) == 1
    np.testing.assert_allclose(some.space.amplitudes, TRIAL.space.amplitudes[[2, 0]])


def test_a_search_is_the_same_stopped_and_resumed_and_for_any_workers(tmp_path):
    whole = find_gait(TRIAL, OPTIONS, Workforce(workers=2), tmp_path / "whole.npz")

    def stop(progress):
        if len(progress.scores) == 2:
            raise KeyboardInterrupt

    kept = tmp_path / "kept.npz"
    stopped = find_gait(TRIAL, OPTIONS, Workforce(workers=1), kept, report=stop)
    assert stopped.stopped and len(stopped.progress.scores) == 2
    resumed = find_gait(TRIAL, OPTIONS, Workforce(workers=1), kept, resume=True)
    assert not resumed.stopped
    assert kept.read_bytes() == (tmp_path / "whole.npz").read_bytes()
    assert resumed.progress.best.tobytes() == whole.progress.best.tobytes()
    assert whole.progress.best_score == TRIAL(whole.progress.best) < 0.0


def test_what_was_lucky_once_does_not_win_the_finals():
    """The search scored a gait that stands still best, and after it one that goes on and one that goes farther."""
    points = [np.random.default_rng(seed).random(TRIAL.space.dimension) for seed in range(20)]
    fast, slow = sorted(points, key=TRIAL)[:2]
    assert TRIAL(fast) < TRIAL(slow) < 0.0
    lucky = np.full(TRIAL.space.dimension, 0.5)
    progress = Progress(np.array([[-3.0, 0.0], [-1.0, -2.0], [-1.5, 0.0]]), np.array([lucky, slow, fast]), lucky, -3.0)
    assert winner(TRIAL, progress, finalists=1) is lucky
    np.testing.assert_array_equal(winner(TRIAL, progress, finalists=2), slow)
    np.testing.assert_array_equal(winner(TRIAL, progress, finalists=24), fast)


def test_a_report_counts_the_walks():
    """A walk goes far and straight; a sample 1 mm in the ground is as deep as 1 mm over the height."""
    walk = Report(TRIAL, GAIT)
    far, short = (replace(walk.outcome, distance=f * TRIAL.length, alignment=0.91) for f in (1.01, 0.99))
    assert walk.walks(far) and not walk.walks(short) and not walk.walks(replace(far, alignment=0.89))
    assert len(walk.replays) == 10 and walk.walked_again == 0
    lowered = replace(GROUND, ground=Plane(offset=0.001))
    depth = Report(replace(TRIAL, surroundings=lowered), GAIT).penetration
    assert depth == pytest.approx(0.001 / BODY.height, rel=0.1)


def test_a_report_tells_how_high_feet_rise():
    """A block that hops at 1 m/s rises by v²/2g, less half of what it goes in a step, as these are implicit."""
    still = Sines(*(np.full((3, 1), value) for value in (0.0, 1.0, 0.0)))
    start = TRIAL.starts[0]
    upward = replace(start, velocities=start.velocities + np.eye(len(start.velocities))[:, :1] * [0.0, 1.0, 0.0])
    walk = Report(replace(TRIAL, starts=(upward,)), still)
    assert walk.lift == pytest.approx((1.0 / (2 * 9.81) - GROUND.dt / 2) / BODY.height, rel=0.02)
    assert Report(replace(TRIAL, starts=(start,)), still).lift < 0.01


@pytest.mark.parametrize(
    "other",
    [
        replace(TRIAL, steps=31),
        replace(TRIAL, direction=(0.0, 0.0, 1.0)),
        replace(TRIAL, surroundings=replace(GROUND, ground=Plane(offset=0.1))),
        replace(TRIAL, body=replace(BODY, stiffnesses=1.01 * BODY.stiffnesses)),
        replace(TRIAL, space=replace(TRIAL.space, periods=(0.2, 0.5))),
    ],
)
def test_a_search_is_not_resumed_on_another_trial(other, tmp_path):
    kept = tmp_path / "kept.npz"
    find_gait(TRIAL, replace(OPTIONS, generations=1), Workforce(workers=1), kept)
    with pytest.raises(InputError, match="another search"):
        find_gait(other, OPTIONS, Workforce(workers=1), kept, resume=True)
    assert other.identity() == replace(other).identity() != TRIAL.identity()


def test_a_recording_shows_nodes_and_contacts(tmp_path):
    path, motion = tmp_path / "block.vtkhdf", TRIAL.motion(GAIT)
    write_recording(path, TRIAL, motion, "block", {"J": -1.0}, every=2)
    with open_recording(path) as recording:
        assert len(recording) == 16
        assert recording.times[-1] == pytest.approx(0.5)
        np.testing.assert_allclose(recording.positions(-1), motion.positions(BODY, 30), atol=1e-12)
        pressed = motion.impulses[29][np.linalg.norm(motion.impulses[29], axis=1) > 0]
        contacts = recording.contacts(-1)
        np.testing.assert_allclose(contacts.impulses, pressed)
        assert set(contacts.modes.tolist()) <= {1, 2}
        assert recording.metadata["details"] == {"J": -1.0}


@pytest.mark.parametrize(
    "wrong", [{"seconds": 0.0}, {"seconds": np.nan}, {"amplitude": -1.0}, {"alpha": np.inf}, {"objective": "fly"}]
)
def test_wishes_that_mean_nothing_are_refused(wrong):
    with pytest.raises(InputError):
        trial_of(BODY, replace(WISHES, **wrong), GROUND)


@pytest.mark.parametrize("wrong", [{"steps": 1}, {"direction": (0.0, 1.0, 0.0)}, {"direction": (2.0, 0.0, 0.0)}])
def test_trials_that_show_nothing_are_refused(wrong):
    with pytest.raises(InputError):
        replace(TRIAL, **wrong)
