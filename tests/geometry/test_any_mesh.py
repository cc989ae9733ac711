"""Whatever surface comes in: a solid in one piece that carries the user's own vertices, or a refusal that says why."""

import numpy as np
import pytest

from hydrostat.errors import InputError
from hydrostat.geometry import sampled_distance
from hydrostat.geometry.any_mesh import AXES, MeshOptions, solid
from hydrostat.geometry.even_triangles import evened
from hydrostat.geometry.inside import winding_numbers
from hydrostat.geometry.mesh_files import write_surface, write_tets
from hydrostat.geometry.primitives import box, box_tets, capsule, sphere, torus
from hydrostat.geometry.quality import check_tets
from hydrostat.geometry.repair import diagnose, repair
from hydrostat.geometry.surfaces import Surface

QUICK = MeshOptions(tets=2000)
BALL = sphere(0.5, 24)


@pytest.fixture(autouse=True)
def small_grid(monkeypatch):
    monkeypatch.setattr(sampled_distance, "POINTS", 25_000)


def joined(*surfaces):
    offsets = np.cumsum([0, *(len(s.vertices) for s in surfaces[:-1])])
    faces = [s.faces + offset for s, offset in zip(surfaces, offsets, strict=True)]
    return Surface(np.concatenate([s.vertices for s in surfaces]), np.concatenate(faces))


def moved(surface, by, scale=1.0):
    return Surface(surface.vertices * scale + np.array(by, dtype=float), surface.faces)


def some_faces(surface, share, seed=0):
    return Surface(surface.vertices, surface.faces[np.random.default_rng(seed).random(len(surface.faces)) < share])


def wavy_sheet():
    x, z = np.meshgrid(np.linspace(0, 1, 15), np.linspace(0, 1, 15), indexing="ij")
    i = (np.arange(14)[:, None] * 15 + np.arange(14)).ravel()
    faces = np.concatenate([np.stack([i, i + 1, i + 15], 1), np.stack([i + 1, i + 16, i + 15], 1)])
    return Surface(np.stack([x, 0.1 * np.sin(3 * x), z], axis=-1).reshape(-1, 3), faces)


def assert_usable(made, given):
    quality = check_tets(made.mesh)
    assert (quality.inverted, quality.components, quality.unused_vertices) == (0, 1, 0)
    assert quality.min_dihedral > 10.0
    assert 1000 <= quality.tets <= 3000
    assert made.mesh.vertices[:, 1].min() == pytest.approx(0.0, abs=1e-9 * np.ptp(made.mesh.vertices))
    size = np.ptp(given.vertices)
    # The user's faces and, in the world and back, his vertices; where the mesh rests, the surface does.
    np.testing.assert_array_equal(made.surface.faces, given.faces)
    back = made.placement.to_user(made.surface.vertices)
    np.testing.assert_allclose(back, given.vertices, atol=1e-12 * (size + np.abs(given.vertices).max()))
    rested = made.embedding.positions(made.mesh.vertices)
    np.testing.assert_allclose(rested, made.surface.vertices, atol=1e-9 * np.ptp(made.surface.vertices))
    assert np.abs(made.embedding.weights).max() < 10.0


NASTY = {
    "a ball": BALL,
    "with holes": some_faces(BALL, 0.8),
    "a bowl": Surface(BALL.vertices, BALL.faces[BALL.vertices[BALL.faces].mean(axis=1)[:, 1] < 0.1]),
    "every second face": Surface(BALL.vertices, BALL.faces[::2]),
    "inside out": Surface(BALL.vertices, BALL.faces[:, ::-1]),
    "turned at random": Surface(
        BALL.vertices,
        np.where((np.arange(len(BALL.faces)) % 3 == 0)[:, None], BALL.faces[:, ::-1], BALL.faces),
    ),
    "crossing itself": joined(BALL, moved(BALL, (0.4, 0.1, 0.0))),
    "an edge of three faces": joined(
        box(), Surface(np.array([[0.5, 0.5, -0.5], [0.5, 0.5, 0.5], [1, 1, 0]]), np.array([[0, 1, 2]]))
    ),
    "tiny": moved(BALL, (0.0, 0.0, 0.0), 1e-9),
    "huge and far away": moved(BALL, (3e9, 3e9, 0.0), 1e9),
    "a stick": capsule(0.01, 3.0, 8),
    "a needle": capsule(1e-4, 1.0, 8),
    "a sheet": wavy_sheet(),
    "a ring": torus(),
    "doubled": joined(BALL, BALL),
    "with faces of no area": Surface(BALL.vertices, np.vstack([BALL.faces, [[0, 1, 1], [2, 2, 2]]])),
    "with a loose eye": joined(BALL, moved(BALL, (0.9, 0.0, 0.0), 0.1)),
}


@pytest.mark.parametrize("name", NASTY)
def test_nasty_surfaces_become_solids(name):
    assert_usable(solid(NASTY[name], QUICK), NASTY[name])


@pytest.mark.parametrize("seed", range(6))
def test_a_soup_of_triangles_is_a_solid_or_a_named_refusal(seed):
    rng = np.random.default_rng(seed)
    corners = rng.normal(size=(60, 3)) * rng.uniform(0.01, 1.0, 3)
    soup = Surface(corners, rng.integers(0, 60, (rng.integers(1, 80), 3)))
    try:
        made = solid(soup, QUICK)
    except InputError as refused:
        assert refused.given and refused.expected and refused.cure
    else:
        assert_usable(made, soup)


FLAT = Surface(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]]))


@pytest.mark.parametrize(
    ("surface", "words"),
    [
        (Surface(np.zeros((0, 3)), np.zeros((0, 3), dtype=int)), "no faces"),
        (FLAT, "flat"),
        (Surface(FLAT.vertices * np.nan, FLAT.faces), "not finite"),
        (Surface(FLAT.vertices * 0, FLAT.faces), "no faces|flat"),
        (Surface(FLAT.vertices, FLAT.faces + 5), "corner"),
        (Surface(FLAT.vertices[:, :2], FLAT.faces), "shape"),
        (joined(BALL, moved(BALL, (3.0, 0.0, 0.0))), "pieces"),
    ],
)
def test_what_cannot_be_a_solid_is_refused_by_name(surface, words):
    with pytest.raises(InputError, match=words):
        solid(surface, QUICK)


@pytest.mark.parametrize(
    "options",
    [{"up": "z"}, {"height": 1.0, "scale": 1.0}, {"height": 0.0}, {"scale": np.nan}, {"scale": -1.0}, {"tets": 5}],
)
def test_options_that_mean_nothing_are_refused(options):
    with pytest.raises(InputError):
        MeshOptions(**options)


@pytest.mark.parametrize("up", AXES)
def test_the_chosen_axis_points_up_and_nothing_is_mirrored(up):
    axis = "xyz".index(up[1])
    marker = np.zeros(3)
    marker[axis] = 0.5 if up[0] == "+" else -0.5
    # A box with a knob on its top.
    given = joined(box((1.0, 1.0, 1.0)), moved(box((0.3, 0.3, 0.3)), 1.2 * marker))
    made = solid(given, MeshOptions(up=up, height=2.0, tets=2000))
    top = made.surface.vertices[made.surface.vertices[:, 1] > 1.8]
    assert len(top) == 4
    np.testing.assert_allclose(top[:, [0, 2]].mean(axis=0), 0.0, atol=1e-9)
    assert np.ptp(made.surface.vertices[:, 1]) == pytest.approx(2.0)
    assert np.linalg.det(AXES[up]) == pytest.approx(1.0)
    assert diagnose(made.surface).volume > 0


def test_units_are_kept_or_scaled():
    assert np.ptp(solid(BALL, QUICK).surface.vertices[:, 1]) == pytest.approx(1.0)
    scaled = solid(BALL, MeshOptions(scale=0.01, tets=2000))
    assert np.ptp(scaled.surface.vertices[:, 1]) == pytest.approx(0.01)
    assert scaled.mesh.volumes.sum() == pytest.approx(np.pi / 6 * 1e-6, rel=0.06)


def test_an_affine_motion_of_the_mesh_moves_the_surface_exactly():
    given = NASTY["with a loose eye"]
    made = solid(given, QUICK)
    motion, shift = np.eye(3) + np.random.default_rng(3).normal(0, 0.3, (3, 3)), np.array([1.0, 2.0, 3.0])
    moved_surface = made.embedding.positions(made.mesh.vertices @ motion.T + shift)
    np.testing.assert_allclose(moved_surface, made.surface.vertices @ motion.T + shift, atol=1e-9)
    assert any("loose" in note for note in made.notes)


def test_the_same_surface_gives_the_same_bytes():
    first, again = solid(NASTY["with holes"], QUICK), solid(NASTY["with holes"], QUICK)
    assert first.mesh.vertices.tobytes() == again.mesh.vertices.tobytes()
    assert first.embedding.weights.tobytes() == again.embedding.weights.tobytes()


def test_files_of_surfaces_and_of_tetrahedra(tmp_path):
    write_surface(tmp_path / "ball.obj", BALL)
    made = solid(tmp_path / "ball.obj", QUICK)
    assert_usable(made, BALL)
    block = box_tets((1.0, 0.5, 0.5), (4, 2, 2))
    write_tets(tmp_path / "block.vtu", block)
    kept = solid(tmp_path / "block.vtu", MeshOptions(up="+z"))
    np.testing.assert_array_equal(kept.mesh.tets, block.tets)
    np.testing.assert_allclose(kept.placement.to_user(kept.mesh.vertices), block.vertices, atol=1e-12)


# ---------------------------------------------------------------- the parts


def test_winding_numbers_tell_inside_from_outside_with_groups_as_without(monkeypatch):
    where = np.random.default_rng(0).uniform(-0.7, 0.7, (2000, 3))
    radius = np.linalg.norm(where, axis=1)
    clear = np.abs(radius - 0.5) > 0.02
    numbers = winding_numbers(where, BALL)
    np.testing.assert_allclose(numbers[clear & (radius < 0.5)], 1.0, atol=0.02)
    np.testing.assert_allclose(numbers[clear & (radius > 0.5)], 0.0, atol=0.02)
    half = Surface(BALL.vertices, BALL.faces[BALL.vertices[BALL.faces].mean(axis=1)[:, 1] < 0.0])
    # Seen from its middle a half ball covers half the sky.
    assert winding_numbers(np.zeros((1, 3)), half)[0] == pytest.approx(0.5, abs=0.06)


def test_evened_triangles_keep_the_shape():
    even = evened(box(), 0.1)
    report = diagnose(repair(even)[0])
    assert (report.boundary_edges, report.nonmanifold_edges) == (0, 0)
    assert report.volume == pytest.approx(1.0)
    edges = even.vertices[even.faces] - even.vertices[np.roll(even.faces, 1, axis=1)]
    assert np.linalg.norm(edges, axis=2).max() <= 0.2
    fine = evened(sphere(0.5, 200), 0.1)
    assert len(fine.faces) < 2000
    assert diagnose(fine).volume == pytest.approx(np.pi / 6, rel=0.1)
