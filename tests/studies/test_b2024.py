"""What the studies of B2024 measure with: cages, parts of the octopus, forces, symmetry."""

from pathlib import Path

import numpy as np
import pytest

from hydrostat.bodies.reduced import ReducedOptions, reduce_body, rest_state, rollout
from hydrostat.bodies.reduced.reduction import ACTUATION_STIFFNESS, GRAVITY
from hydrostat.bodies.vibration import size_of
from hydrostat.geometry.primitives import box_tets
from hydrostat.search.outcomes import FAILED, Outcome
from hydrostat.studies.b2024 import FREE_SPACE, Printed, creature_mesh, rhythm
from hydrostat.studies.b2024_fig3 import nearest_rotations, roll
from hydrostat.studies.b2024_fig5 import response
from hydrostat.studies.b2024_fig7 import cage_shapes, driven_by
from hydrostat.studies.b2024_fig8 import mirrored_nodes, sync
from hydrostat.studies.b2024_report import markdown
from hydrostat.studies.study import Options

MESH = box_tets((1.0, 0.3, 0.4), (6, 2, 2))
REDUCED = ReducedOptions(modes=3, weights=3, passive_clusters=4, samples=8)

SMALL = Options(Path("."), small=True)


@pytest.fixture(scope="module")
def body():
    return reduce_body(MESH, REDUCED)


def test_printed_scores_are_those_of_the_paper():
    walked = Outcome(2.0, 0.1, 0.5, -1.0, 0.0, blown_up=False)
    assert Printed().score(walked) == pytest.approx(-1.0)  # toppled or not
    assert Printed("jump").score(walked) == pytest.approx(-0.05)
    assert Printed().score(Outcome(-2.0, 0.1, -0.5, 1.0, 0.0, blown_up=False)) == 0.0
    assert Printed().score(FAILED) > 1e6


def test_tables_have_as_many_columns_as_heads():
    assert markdown("a | b", [["1", "2"]]) == ["| a | b |", "|---|---|", "| 1 | 2 |", ""]


def test_the_best_rotation_is_one_even_of_a_reflection():
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    found = nearest_rotations(np.array([turn @ np.diag([3.0, 2.0, 1.0]), turn @ np.diag([3.0, 2.0, -1.0])]))
    assert found == pytest.approx(np.array([turn, turn]))


def test_the_plain_roll_is_the_rollout_where_nothing_spins(body):
    amplitudes = rhythm(body, 10, FREE_SPACE)
    amplitudes[:, 1:] = 0.0  # one mode to and fro
    coordinates, _ = roll(body, amplitudes, FREE_SPACE.iterations, forced=False)
    rolled = rollout(body, rest_state(body), amplitudes, FREE_SPACE)
    assert coordinates == pytest.approx(rolled.coordinates, abs=2e-4 * body.size)


def test_forces_along_modes_spin_a_free_body_and_target_shapes_do_not():
    mesh = creature_mesh("seal", SMALL)  # a box is too regular for that
    seal = reduce_body(mesh, ReducedOptions(5))
    amplitudes = rhythm(seal, 30, FREE_SPACE)

    def spin(forced):
        coordinates, velocities = roll(seal, amplitudes, 100, forced)
        return np.abs(np.cross(coordinates[:, 1:], velocities[:, 1:]).sum(axis=1)).max()

    assert spin(forced=True) > 100.0 * spin(forced=False)


def test_cages_move_as_a_whole_what_they_hold():
    shapes = cage_shapes(reduce_body(MESH, REDUCED), (2, 4, 4))
    assert shapes.shape[2] == 96
    for axis in range(3):
        together = shapes[:, :, axis::3].sum(axis=2)
        assert together == pytest.approx(np.tile(np.eye(3)[axis], (len(MESH.vertices), 1)))


def test_a_body_driven_by_its_own_modes_is_itself(body):
    again = driven_by(body, body.modes, ACTUATION_STIFFNESS * REDUCED.density * GRAVITY * size_of(MESH))
    assert again.actuation == pytest.approx(body.actuation, rel=1e-9, abs=1e-9 * np.abs(body.actuation).max())


def test_symmetry_is_told_from_antisymmetry():
    vertices = MESH.vertices - [0.0, 0.0, MESH.vertices[:, 2].mean()]
    partners = mirrored_nodes(vertices)
    assert (partners[partners] == np.arange(len(vertices))).all()
    both = np.stack([vertices[:, 2] ** 2, np.zeros(len(vertices)), vertices[:, 2]], axis=1)
    assert sync(both[None], partners) == pytest.approx(1.0)
    assert sync(np.array([[0.0, 0.0, 1.0]]) * np.ones_like(both)[None], partners) == pytest.approx(-1.0)


def test_more_clusters_take_less_of_the_target():
    shares = [
        response(reduce_body(MESH, ReducedOptions(1, actuation_clusters=count)), FREE_SPACE)[-60:].mean()
        for count in (1, 30)
    ]
    assert shares[0] > 0.9 > shares[1]
