"""What is animated: which parts of it move by themselves."""

from dataclasses import replace

import numpy as np
import pytest

from hydrostat.bodies.reduced import ReducedOptions, reduce_body
from hydrostat.characters.creatures import CREATURES
from hydrostat.characters.creatures.creature import Creature
from hydrostat.errors import InputError
from hydrostat.geometry.any_mesh import MeshOptions
from hydrostat.geometry.implicit import Box
from hydrostat.geometry.mesh_files import write_tets
from hydrostat.geometry.primitives import box_tets
from hydrostat.search.subjects import SubjectOptions, load_subject, wishes_of
from hydrostat.search.wishes import Wishes


@pytest.fixture(scope="module")
def bar(tmp_path_factory):
    """A bar of tetrahedra along z of its file, which is up; 20 units long, from -10 to 10."""
    mesh = box_tets((2.0, 2.0, 20.0), (1, 1, 20))
    path = tmp_path_factory.mktemp("bar") / "bar.node"
    write_tets(path, mesh)
    return path


def test_a_ball_in_the_units_of_the_file_is_a_part(bar):
    top, bottom = (0.0, 0.0, 10.0, 6.0), (0.0, 0.0, -10.0, 4.0)
    subject = load_subject(str(bar), SubjectOptions(MeshOptions(up="+z"), local=(top, bottom)))
    height = subject.solid.mesh.vertices[:, 1]
    assert np.ptp(height) == pytest.approx(1.0)
    upper, lower = subject.parts
    assert (upper[height > 0.85] == 1.0).all() and (upper[height < 0.65] == 0.0).all()
    assert (lower[height < 0.05] == 1.0).all() and (lower[height > 0.25] == 0.0).all()
    inside = upper[(height > 0.65) & (height < 0.85)]
    assert (np.diff(np.unique(inside)) > 0.0).all() and 0.0 < np.median(inside) < 1.0


def test_two_modes_for_every_part_and_ten_for_a_whole_body(bar):
    local = load_subject(str(bar), SubjectOptions(local=((0.0, 0.0, 10.0, 5.0),)))
    assert reduce_body(local.solid.mesh, parts=local.parts).modes.shape[2] == 2
    whole = load_subject(str(bar))
    assert whole.parts is None
    assert reduce_body(whole.solid.mesh).modes.shape[2] == 10
    assert reduce_body(whole.solid.mesh, ReducedOptions(modes=3)).modes.shape[2] == 3


def test_a_creature_moves_the_parts_that_it_declares_unless_others_are_wished(monkeypatch):
    def ends(points):
        return np.stack([points[:, 0] < -0.3, points[:, 0] > 0.3]).astype(float)

    box = Box((-0.5, 0.0, -0.1), (0.5, 0.2, 0.1))
    brick = Creature("brick", "", lambda: box, tets=600, volume=0.04, thinnest=0.1, detail=0.2, parts=ends)
    monkeypatch.setitem(CREATURES, "brick", brick)
    own = load_subject("brick")
    np.testing.assert_array_equal(own.parts, ends(own.solid.mesh.vertices))
    assert load_subject("brick", SubjectOptions(whole=True)).parts is None
    assert len(load_subject("brick", SubjectOptions(local=((0.5, 0.1, 0.0, 0.5),))).parts) == 1
    assert wishes_of("brick") == wishes_of("brick.obj") == Wishes()
    monkeypatch.setitem(CREATURES, "brick", replace(brick, strain=0.7, starts=2))
    assert wishes_of("brick") == Wishes(amplitude=0.7, starts=2)


def test_the_octopus_has_eight_tentacles_that_share_no_node():
    nodes = CREATURES["octopus"].mesh(3000).vertices
    tentacles = CREATURES["octopus"].parts(nodes)
    assert len(tentacles) == 8
    assert ((tentacles > 0.0).sum(axis=0) <= 1).all()
    for tentacle in tentacles:
        held = nodes[tentacle == 1.0]
        assert len(held) > 20 and held[:, 1].min() < 0.05


@pytest.mark.parametrize("name", [name for name, creature in CREATURES.items() if creature.parts is not None])
def test_what_a_creature_declares_leaves_some_of_it_in_place(name):
    mesh = CREATURES[name].mesh(3000)
    parts = CREATURES[name].parts(mesh.vertices)
    assert (parts.sum(axis=0) == 0.0).mean() > 0.2
    assert parts.min() >= 0.0 and (parts.max(axis=1) == 1.0).all()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"local": ((0.0, 0.0, 0.0, 0.0),)}, "radius"),
        ({"local": ((0.0, 0.0, 0.0, np.nan),)}, "radius"),
        ({"local": ((0.0, 0.0, 0.0, 1.0),), "whole": True}, "one of the two"),
    ],
)
def test_parts_without_sense_are_refused(wrong, words):
    with pytest.raises(InputError, match=words):
        SubjectOptions(**wrong)


def test_a_part_beside_the_body_is_refused(bar):
    with pytest.raises(InputError, match="no node of the mesh"):
        load_subject(str(bar), SubjectOptions(local=((0.0, 50.0, 0.0, 1.0),)))
