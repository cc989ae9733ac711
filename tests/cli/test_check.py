"""The command says what is wrong, what was repaired, and answers with its exit code."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from hydrostat.cli.check import command
from hydrostat.errors import InputError
from hydrostat.geometry.mesh_files import write_surface, write_tets
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.tetrahedra import FACES, TetMesh

POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)


def check(*arguments):
    return CliRunner().invoke(command, [str(argument) for argument in arguments], catch_exceptions=False)


def test_usable_surface(tmp_path):
    write_surface(tmp_path / "a.obj", Surface(POINTS, FACES))
    result = check(tmp_path / "a.obj")
    assert result.exit_code == 0
    assert "a.obj: surface, usable" in result.output
    assert "volume: 0.166667" in result.output


def test_repairs_are_listed(tmp_path):
    write_surface(tmp_path / "a.obj", Surface(POINTS, FACES[:, ::-1]))
    result = check(tmp_path / "a.obj")
    assert result.exit_code == 0
    assert "repaired: 1 inside-out components turned outward" in result.output


def test_open_surface_is_not_usable_unless_allowed(tmp_path):
    write_surface(tmp_path / "a.obj", Surface(POINTS, FACES[1:]))
    result = check(tmp_path / "a.obj")
    assert result.exit_code == 1
    assert "not usable" in result.output
    assert "wrong: the surface is open: 3 boundary edges" in result.output
    assert "cure: close it" in result.output
    assert check("--allow-open", tmp_path / "a.obj").exit_code == 0


def test_json_is_one_object(tmp_path):
    write_surface(tmp_path / "a.obj", Surface(POINTS, FACES[1:]))
    result = check("--json", tmp_path / "a.obj")
    assert result.exit_code == 1
    answer = json.loads(result.output)
    assert answer["usable"] is False
    assert answer["measures"]["boundary_edges"] == 3
    assert answer["causes"][0].startswith("the surface is open")


def test_tetrahedra(tmp_path):
    write_tets(tmp_path / "a.node", TetMesh(POINTS, np.array([[0, 2, 1, 3]])))
    result = check("--json", tmp_path / "a.ele")
    answer = json.loads(result.output)
    assert result.exit_code == 0
    assert answer["kind"] == "tetrahedra"
    assert answer["repaired"] == ["1 inverted tetrahedra turned"]
    assert answer["measures"]["min_dihedral"] == pytest.approx(54.7356, abs=1e-3)


def test_tetrahedra_without_volume_or_mass_are_not_usable(tmp_path):
    write_tets(tmp_path / "flat.node", TetMesh(POINTS * [1, 1, 0], np.array([[0, 1, 2, 3]])))
    result = check(tmp_path / "flat.node")
    assert result.exit_code == 1
    assert "1 tetrahedra have no volume, the first has index 0" in result.output
    write_tets(tmp_path / "loose.node", TetMesh(np.concatenate([POINTS, POINTS + 2]), np.array([[0, 1, 2, 3]])))
    result = check(tmp_path / "loose.node")
    assert result.exit_code == 1
    assert "4 vertices belong to no tetrahedron" in result.output


def test_unreadable_file_propagates(tmp_path):
    with pytest.raises(InputError, match=r"a\.obj: no such file"):
        check(tmp_path / "a.obj")


def test_a_surface_that_is_no_manifold_is_told_how_to_become_one(tmp_path):
    """Two tetrahedra that share an edge are closed: closing them is no cure."""
    across = POINTS * [1, -1, -1]
    faces = np.concatenate([FACES, FACES[:, ::-1] + 4])
    write_surface(tmp_path / "a.obj", Surface(np.concatenate([POINTS, across]), faces))
    result = check(tmp_path / "a.obj")
    assert result.exit_code == 1
    assert "wrong: the surface is not a manifold: 1 edges have more than two faces" in result.output
    assert "cure: part what shares those edges" in result.output
    assert "close it" not in result.output
