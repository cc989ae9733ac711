"""Muscles do what they are for, and bodies stand where they should. Bounds leave room below what is measured."""

import numpy as np
import pytest
from responses import beside, between, contracted, group, seen_from

from hydrostat.characters import CHARACTERS
from hydrostat.control.controllers import Passive
from hydrostat.scenes.scene import Settings
from hydrostat.scenes.staging import start_of, world_of
from hydrostat.stepping.step import step

LONGITUDINAL = {"f": ("longitudinal",), "i-jump": ("corners", "sides"), "t": ("longitudinal",)}
HEAD = 0.8


def ends(character):
    """The nodes near the ground and those of the head, right above."""
    rest = character.body.rest_positions
    return rest[:, 1] < 0.16, (rest[:, 1] > HEAD) & (np.abs(rest[:, 0]) < 0.2)


def response(character, chosen):
    """How the head moves as seen from the foot: share of the distance, turn in degrees."""
    return between(character.body.rest_positions, contracted(character, chosen), *ends(character))


@pytest.mark.parametrize("name", LONGITUDINAL)
def test_longitudinal_muscles_shorten(name):
    character = CHARACTERS[name]
    length, turn = response(character, group(character, *LONGITUDINAL[name]))
    assert length < 0.85
    assert np.linalg.norm(turn) < 3.0


@pytest.mark.parametrize("name", LONGITUDINAL)
@pytest.mark.parametrize(("axis", "about"), [(0, (0.0, 0.0, -1.0)), (2, (1.0, 0.0, 0.0))])
def test_longitudinal_muscles_on_one_side_bend_to_it(name, axis, about):
    """Towards +x is a turn about −z, towards +z one about +x."""
    character = CHARACTERS[name]
    _, turn = response(character, group(character, *LONGITUDINAL[name]) & beside(character, axis, 1))
    assert turn @ about > 20.0
    assert np.linalg.norm(np.cross(turn, about)) < 4.0


@pytest.mark.parametrize(("name", "least"), [("i-jump", 1.08), ("worm", 1.15)])
def test_radial_muscles_lengthen(name, least):
    character = CHARACTERS[name]
    rest = character.body.rest_positions
    positions = contracted(character, group(character, *(g for g in character.muscles.names if "radial" in g)))
    along = 0 if name == "worm" else 1
    assert np.ptp(positions[:, along]) / np.ptp(rest[:, along]) > least


def test_helical_muscles_twist_both_ways():
    character = CHARACTERS["t"]
    (_, left), (_, right) = (response(character, group(character, f"{hand}-handed")) for hand in ("left", "right"))
    assert left[1] > 60.0
    assert right[1] < -60.0
    assert np.linalg.norm([left[0], left[2], right[0], right[2]]) < 10.0


def test_helical_muscles_do_not_twist_together():
    character = CHARACTERS["t"]
    _, turn = response(character, group(character, "left-handed", "right-handed"))
    assert abs(turn[1]) < 2.0


def test_rings_flatten_and_raise_the_o():
    """Outer wall short above and below, inner wall short at the sides: flat; the other way around: tall."""
    character = CHARACTERS["o"]
    muscles = character.muscles
    middles = muscles.fibre_points(character.body.rest_positions)[muscles.segments].mean(axis=1) - [0.0, 0.5, 0.0]
    inner = np.hypot(middles[:, 0], middles[:, 1]) < 0.39
    pole = np.abs(middles[:, 1]) > np.abs(middles[:, 0])
    for chosen, wide in ((inner ^ pole, True), (inner == pole, False)):
        width, height, _ = np.ptp(contracted(character, chosen), axis=0)
        assert (width / height if wide else height / width) > 1.15


@pytest.mark.parametrize(("name", "sign"), [("upper", 1), ("lower", -1)])
def test_pairs_of_the_worm_bend_it(name, sign):
    character = CHARACTERS["worm"]
    rest = character.body.rest_positions
    positions = contracted(character, group(character, name))
    _, turn = between(rest, positions, rest[:, 0] < -0.3, rest[:, 0] > 0.3)
    assert sign * turn[2] > 40.0


def on_the_ground(character, chosen, seconds=1.0):
    """Positions (n, 3) m and patches after ``seconds`` on flat ground, the ``chosen`` segments contracted."""
    world = world_of(character, Settings())
    state = start_of(world, Settings())
    state.actuation[chosen] = world.muscles.lower[chosen]
    for _ in range(round(seconds / world.dt)):
        state, report = step(world, state, Passive())
    return state.positions, report.contacts


def test_lower_pair_arches_the_worm_against_its_weight():
    character = CHARACTERS["worm"]
    positions, _ = on_the_ground(character, group(character, "lower"), 0.5)
    rest = character.body.rest_positions
    assert positions[(np.abs(rest[:, 0]) < 0.08) & (rest[:, 1] < 0.01), 1].min() > 0.1


LIMBS = {"front left": (1, -1), "front right": (1, 1), "rear left": (-1, -1), "rear right": (-1, 1)}


@pytest.mark.parametrize("name", LIMBS)
def test_back_of_a_limb_lifts_its_foot_alone(name):
    """Seen from the three other feet and the middle."""
    character = CHARACTERS["x"]
    rest = character.body.rest_positions
    feet = {
        limb: (rest[:, 0] * x > 0.25) & (rest[:, 2] * z > 0.25) & (rest[:, 1] < 0.1) for limb, (x, z) in LIMBS.items()
    }
    chosen = group(character, f"{name} longitudinal")
    chosen &= np.cumsum(chosen) <= 12  # the two fibres along its back
    others = np.any([nodes for limb, nodes in feet.items() if limb != name], axis=0)
    moved = seen_from(others | (np.hypot(rest[:, 0], rest[:, 2]) < 0.2), rest, contracted(character, chosen)) - rest
    lift = moved[feet[name], 1].mean()
    assert lift > 0.12
    for limb in LIMBS.keys() - {name}:
        assert np.linalg.norm(moved[feet[limb]].mean(axis=0)) < 0.3 * lift


def test_radial_muscles_of_a_limb_lengthen_it():
    character = CHARACTERS["x"]
    rest = character.body.rest_positions
    positions = contracted(character, group(character, "front left radial up", "front left radial across"))
    foot = (rest[:, 0] > 0.25) & (rest[:, 2] < -0.25) & (rest[:, 1] < 0.1)
    length, _ = between(rest, positions, np.hypot(rest[:, 0], rest[:, 2]) < 0.2, foot)
    assert length > 1.09


@pytest.mark.parametrize("name", ["f", "i-jump", "o", "t", "worm", "x"])
def test_stands_relaxed(name):
    """It sags, but its centre of mass stays above its feet and its patches are used."""
    character = CHARACTERS[name]
    positions, contacts = on_the_ground(character, np.zeros(len(character.muscles.rest_lengths), dtype=bool))
    moved = character.body.masses @ (positions - character.body.rest_positions) / character.body.mass
    assert np.linalg.norm(moved[[0, 2]]) < 0.02
    assert abs(moved[1]) < 0.03
    assert np.ptp(positions[:, 1]) == pytest.approx(character.height, rel=0.05)
    assert len(contacts) == character.patches.count
