"""Any letter builds with default muscles: straight strokes, a curved one, and a closed one stand for all."""

import numpy as np
import pytest

from hydrostat.characters.alphabet import letter_character
from hydrostat.control.controllers import Passive
from hydrostat.errors import InputError
from hydrostat.geometry.glyphs import GLYPHS
from hydrostat.geometry.letters import middle_lines, outline
from hydrostat.geometry.quality import smallest_dihedral
from hydrostat.scenes.scene import Settings
from hydrostat.scenes.staging import start_of, world_of
from hydrostat.stepping.step import step

# Strokes that carry something or lie on the ground.
STROKES = {"K": 3, "T": 1, "U": 3}


@pytest.mark.parametrize("letter", STROKES)
def test_letter_builds_and_stands_relaxed(letter):
    character = letter_character(letter)
    mesh, muscles = character.body.mesh, character.muscles
    assert smallest_dihedral(mesh.vertices, mesh.tets).min() >= 10.0
    assert mesh.vertices[:, 1].min() == pytest.approx(0.0, abs=1e-6)
    assert np.ptp(mesh.vertices[:, 1]) == pytest.approx(1.0, abs=0.015)
    assert (muscles.embedding.weights > -1e-6).all()
    assert len(muscles.names) == STROKES[letter]
    assert len(muscles.fibres) == 4 * STROKES[letter]

    world = world_of(character, Settings())
    state = start_of(world, Settings())
    for _ in range(30):
        state, _ = step(world, state, Passive())
    moved = character.body.masses @ (state.positions - character.body.rest_positions) / character.body.mass
    assert np.linalg.norm(moved) < 0.02


@pytest.mark.parametrize("letter", GLYPHS)
def test_every_letter_has_fibres_inside_its_outline(letter):
    import shapely

    shape = outline(letter, 0.25)
    left, _, right, _ = shape.bounds
    groups = letter_character(letter).groups()
    assert groups
    for group in groups:
        assert len(group.fibres) == 4
        for fibre in group.fibres:
            assert shape.contains(shapely.points(fibre.points[:, :2] + [(left + right) / 2, 0.0])).all()
            lengths = np.linalg.norm(np.diff(fibre.points, axis=0), axis=1)
            assert lengths.min() > 0.08
            assert lengths.max() < 0.25


@pytest.mark.parametrize("letter", GLYPHS)
def test_middle_lines_lie_inside_the_outline(letter):
    import shapely

    shape = outline(letter)
    for line in middle_lines(letter):
        inner = (line[1:] + line[:-1]) / 2.0
        assert shape.buffer(1e-6).contains(shapely.points(inner)).all()


def test_what_is_no_letter_is_refused():
    with pytest.raises(InputError, match="one of A to Z"):
        letter_character("ä")
