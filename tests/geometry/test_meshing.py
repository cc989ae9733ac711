"""Meshes of solids: wanted counts, shapes and volumes; meshers that misbehave; what the cache keeps."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from hydrostat.errors import InputError
from hydrostat.geometry import mesh_cache, meshing
from hydrostat.geometry.letters import letter_surface, quadruped_x_surface
from hydrostat.geometry.mesh_search import search
from hydrostat.geometry.meshing import MESHERS, Mesher, tetrahedralize
from hydrostat.geometry.nearest import nearest_on_faces
from hydrostat.geometry.primitives import box, box_tets, sphere
from hydrostat.geometry.quality import check_tets
from hydrostat.geometry.repair import diagnose, require_solid
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.tetrahedra import TetMesh

# The characters of T2012 and B2024 with the numbers of tetrahedra in their tables.
CHARACTERS = {
    "H": (letter_surface("H"), 1901),
    "I": (letter_surface("I"), 1066),
    "F": (letter_surface("F"), 705),
    "T": (letter_surface("T"), 1219),
    "O": (letter_surface("O"), 911),
    "X": (quadruped_x_surface(), 1128),
    "lying I": (letter_surface("I", lying=True), 620),
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HYDROSTAT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def assert_fills(mesh, surface, off_surface=0.0):
    quality = check_tets(mesh)
    assert (quality.inverted, quality.components, quality.unused_vertices) == (0, 1, 0)
    assert quality.min_dihedral >= 10.0
    assert quality.total_volume == pytest.approx(diagnose(surface).volume, rel=0.01)
    require_solid(mesh.surface)
    rim = np.unique(mesh.boundary)
    _, place = nearest_on_faces(mesh.vertices[rim], surface.vertices, surface.faces)
    distance = np.linalg.norm(place - mesh.vertices[rim], axis=1)
    assert np.count_nonzero(distance > 1e-9) <= off_surface * len(rim)
    return quality


@pytest.mark.parametrize("name", CHARACTERS)
def test_characters_have_the_papers_number_of_good_elements(name):
    surface, wanted = CHARACTERS[name]
    mesh = tetrahedralize(surface, tets=wanted)
    quality = assert_fills(mesh, surface, off_surface=0.02)
    assert quality.tets == pytest.approx(wanted, rel=0.05)
    # More than one layer: few elements have all four corners on the boundary.
    thin = np.isin(mesh.tets, np.unique(mesh.boundary)).all(axis=1)
    assert thin.mean() < 0.3


def test_edge_length_and_that_the_cache_keeps_a_mesh(own_cache):
    surface = box((1.0, 0.6, 0.4))
    first = tetrahedralize(surface, edge_length=0.12)
    assert_fills(first, surface)
    edges = first.vertices[first.tets[:, [0, 1]]]
    assert np.median(np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1)) == pytest.approx(0.12, rel=0.3)
    assert len(list(own_cache.iterdir())) == 1
    again = tetrahedralize(surface, edge_length=0.12)
    np.testing.assert_array_equal(again.tets, first.tets)
    np.testing.assert_array_equal(again.vertices, first.vertices)


def test_a_hole_in_the_surface_is_filled():
    closed = box((1.0, 0.6, 0.4))
    open_box = Surface(closed.vertices, closed.faces[1:])
    mesh = tetrahedralize(open_box, edge_length=0.3)
    assert check_tets(mesh).total_volume == pytest.approx(0.24, rel=0.05)


# ---------------------------------------------------------------- searching for a count


def scattered(volume, seed, calls):
    """A mesher of boxes whose count follows 10·volume/length³ with a scatter of a tenth."""
    rng = np.random.default_rng(seed)

    def mesh_with(length):
        calls.append(length)
        count = max(1, round(10 * volume / length**3 * np.exp(rng.normal(0.0, 0.1)) / 6))
        return box_tets((1.0, 1.0, volume), (1, 1, count))

    return mesh_with


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("wanted", [600, 5000])
def test_search_finds_the_count_in_spite_of_scatter(seed, wanted):
    calls = []
    # The volume is wrong by half: the first guess is far off.
    mesh = search(scattered(0.5, seed, calls), 1.0, 2.0, wanted)
    assert len(mesh.tets) == pytest.approx(wanted, rel=0.05)


def test_search_takes_a_better_shaped_mesh_of_the_wanted_count():
    flat, good = box_tets((1.0, 1.0, 0.01), (2, 2, 2)), box_tets((1.0, 1.0, 1.0), (2, 2, 2))
    made = iter([flat, good])
    assert search(lambda _: next(made), 1.0, 2.0, 48) is good
    # When none is well shaped, the least bad.
    worse = box_tets((1.0, 1.0, 0.001), (2, 2, 2))
    made = iter([worse, flat] + [worse] * 100)
    assert search(lambda _: next(made), 1.0, 2.0, 48) is flat


def test_search_names_the_closest_count_and_keeps_to_the_longest_edge():
    calls = []

    def coarsest_is_48(length):
        calls.append(length)
        return box_tets(cells=(2, 2, 2))

    with pytest.raises(InputError, match="nearer than 48"):
        search(coarsest_is_48, 1.0, 2.0, 5)
    assert max(calls) == 2.0


# ---------------------------------------------------------------- meshers that misbehave


def plant(monkeypatch, tmp_path, program):
    path = tmp_path / "planted.py"
    path.write_text("import sys\nimport numpy as np\n" + program)
    monkeypatch.setitem(MESHERS, "planted", Mesher("numpy", "pip install numpy", path, False))


ONE_TET = "np.vstack([np.zeros(3), np.eye(3)])"


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "exit code -11"),
        ("raise RuntimeError('no such luck')", "RuntimeError: no such luck"),
        ("pass", "it said nothing"),
        ("np.savez(sys.argv[2], vertices=np.zeros((0, 3)), tets=np.zeros((0, 4)))", "0 tetrahedra"),
        ("np.savez(sys.argv[2], vertices=np.zeros((4, 3)), tets=[[0, 1, 2, 3]])", "1 without volume"),
        (f"np.savez(sys.argv[2], vertices={ONE_TET}, tets=[[0, 1, 2, 4]])", "no usable mesh"),
        (f"np.savez(sys.argv[2], vertices={ONE_TET} * np.nan, tets=[[0, 1, 2, 3]])", "no usable mesh"),
        (f"np.savez(sys.argv[2], vertices={ONE_TET}, tets=[[0, 1, 2]])", "no usable mesh"),
        ("open(sys.argv[2], 'w').write('rubbish')", "no usable mesh"),
    ],
)
def test_what_goes_wrong_in_a_mesher_is_an_error_here(monkeypatch, tmp_path, own_cache, program, words):
    plant(monkeypatch, tmp_path, program)
    with pytest.raises(InputError, match=words):
        tetrahedralize(box(), mesher="planted")
    assert not own_cache.exists()


def test_a_mesher_that_hangs_is_stopped(monkeypatch, tmp_path):
    plant(monkeypatch, tmp_path, "import time; time.sleep(600)")
    with pytest.raises(InputError, match=r"did not finish within 0\.5 s"):
        tetrahedralize(box(), mesher="planted", time_limit=0.5)


COUNTING = """
with open({log!r}, "a") as log:
    log.write("run ")
np.savez(sys.argv[2], vertices=np.vstack([np.full(3, 9.0), np.zeros(3), np.eye(3)]), tets=[[1, 3, 2, 4]])
"""


def test_winding_is_repaired_and_unused_vertices_dropped(monkeypatch, tmp_path):
    plant(monkeypatch, tmp_path, COUNTING.format(log=str(tmp_path / "log")))
    mesh = tetrahedralize(box((9.0, 9.0, 9.0)), mesher="planted")
    assert mesh.vertices.shape == (4, 3)
    np.testing.assert_allclose(mesh.volumes, [1 / 6])


def test_files_beside_a_mesher_are_not_taken_for_packages(monkeypatch, tmp_path):
    (tmp_path / "numpy.py").write_text("raise RuntimeError('the wrong numpy')")
    monkeypatch.chdir(tmp_path)
    plant(monkeypatch, tmp_path, COUNTING.format(log=str(tmp_path / "log")))
    assert len(tetrahedralize(box((9.0, 9.0, 9.0)), mesher="planted").tets) == 1


# ---------------------------------------------------------------- what is put back on the surface


def test_uneven_soles_are_put_back(monkeypatch, tmp_path):
    surface = box()
    true = box_tets(cells=(3, 3, 3))
    rng = np.random.default_rng(0)
    uneven = true.vertices + rng.uniform(-1e-3, 1e-3, true.vertices.shape)
    np.savez(tmp_path / "uneven.npz", vertices=uneven, tets=true.tets)
    plant(monkeypatch, tmp_path, f"import shutil; shutil.copy({str(tmp_path / 'uneven.npz')!r}, sys.argv[2])")
    mesh = tetrahedralize(surface, mesher="planted")
    rim = np.unique(mesh.boundary)
    inside = np.setdiff1d(np.arange(len(true.vertices)), rim)
    np.testing.assert_allclose(np.abs(mesh.vertices[rim]).max(axis=1), 0.5, atol=1e-15)
    np.testing.assert_array_equal(mesh.vertices[inside], uneven[inside])


@pytest.mark.parametrize("height", [0.0, 0.0002, -0.004])
def test_a_vertex_stays_where_its_return_would_spoil_an_element(height):
    # A flat element on a floor that is even, a low hill or a hollow: its top would come to lie in the plane
    # of the others, hardly above it, or below it.
    base = np.array([[0, 0, 0], [0, 0, 1], [1, 0, 0]], dtype=float)
    floor = Surface(np.vstack([base, [0.3, height, 0.3]]), np.array([[0, 1, 3], [1, 2, 3], [2, 0, 3]]))
    element = TetMesh(np.vstack([base, [0.3, 0.001, 0.3]]), np.array([[0, 1, 2, 3]]))
    assert (element.volumes > 0).all()
    np.testing.assert_array_equal(meshing._snapped(element, floor, 0.01).vertices, element.vertices)


# ---------------------------------------------------------------- the cache


def test_the_cache_is_used_and_told_apart_by_content(monkeypatch, tmp_path, own_cache):
    log = tmp_path / "log"
    plant(monkeypatch, tmp_path, COUNTING.format(log=str(log)))

    def runs():
        return log.read_text().split().count("run")

    first = tetrahedralize(box((9.0, 9.0, 9.0)), mesher="planted")
    again = tetrahedralize(box((9.0, 9.0, 9.0)), mesher="planted")
    assert runs() == 1
    np.testing.assert_array_equal(again.vertices, first.vertices)
    np.testing.assert_array_equal(again.tets, first.tets)
    assert (again.vertices.dtype, again.tets.dtype) == (np.float64, np.int64)
    tetrahedralize(box((9.0, 9.0, 9.1)), mesher="planted")
    assert runs() == 2
    tetrahedralize(box((9.0, 9.0, 9.0)), mesher="planted", edge_length=1.0)
    assert runs() == 3
    # A changed mesher program makes other meshes.
    plant(monkeypatch, tmp_path, "\n" + COUNTING.format(log=str(log)))
    tetrahedralize(box((9.0, 9.0, 9.0)), mesher="planted")
    assert runs() == 4
    assert sorted(path.suffix for path in own_cache.iterdir()) == [".npz"] * 4


@pytest.mark.parametrize("damage", ["cut", "flip", "rubbish", "empty", "inverted", "folder"])
def test_a_damaged_entry_is_made_again(monkeypatch, tmp_path, own_cache, damage):
    log = tmp_path / "log"
    plant(monkeypatch, tmp_path, COUNTING.format(log=str(log)))
    first = tetrahedralize(box((9.0, 9.0, 9.0)), mesher="planted")
    (entry,) = own_cache.iterdir()
    content = entry.read_bytes()
    if damage == "cut":
        entry.write_bytes(content[: len(content) // 2])
    elif damage == "flip":
        middle = len(content) // 4
        entry.write_bytes(
            content[:middle] + bytes(255 - b for b in content[middle : middle + 8]) + content[middle + 8 :]
        )
    elif damage == "rubbish":
        entry.write_bytes(b"PK\x03\x04 no mesh")
    elif damage == "empty":
        entry.write_bytes(b"")
    elif damage == "inverted":
        np.savez(entry, vertices=first.vertices, tets=first.tets[:, [0, 2, 1, 3]])
    else:
        entry.unlink()
        entry.mkdir()
    again = tetrahedralize(box((9.0, 9.0, 9.0)), mesher="planted")
    assert log.read_text().split().count("run") == 2
    np.testing.assert_array_equal(again.vertices, first.vertices)


def test_a_cache_that_cannot_be_written_is_no_error(monkeypatch, tmp_path):
    plant(monkeypatch, tmp_path, COUNTING.format(log=str(tmp_path / "log")))
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("HYDROSTAT_CACHE", str(tmp_path / "file" / "cache"))
    assert len(tetrahedralize(box((9.0, 9.0, 9.0)), mesher="planted").tets) == 1

    def homeless():
        raise RuntimeError("no home")

    monkeypatch.setattr(mesh_cache, "folder", homeless)
    assert len(tetrahedralize(box((9.0, 9.0, 9.0)), mesher="planted").tets) == 1


def test_the_cache_leaves_no_scraps_when_writing_fails(monkeypatch, own_cache):
    def full(*_args, **_kwargs):
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez_compressed", full)
    mesh_cache.save("name", box_tets())
    assert list(own_cache.iterdir()) == []


def test_cache_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("HYDROSTAT_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert mesh_cache.folder() == tmp_path / ".cache" / "hydrostat"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    assert mesh_cache.folder() == tmp_path / "other" / "hydrostat"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert mesh_cache.folder() == tmp_path / "Library" / "Caches" / "hydrostat"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert mesh_cache.folder() == tmp_path / "local" / "hydrostat" / "Cache"


# ---------------------------------------------------------------- requests that cannot be met


@pytest.mark.parametrize(
    ("surface", "request_", "words"),
    [
        (box(), {"tets": 10, "edge_length": 0.1}, "both"),
        (box(), {"tets": 0}, "tets is 0"),
        (box(), {"edge_length": -1.0}, "edge_length is -1"),
        (box(), {"edge_length": float("nan")}, "edge_length is nan"),
        (box(), {"mesher": "scissors"}, "one of ftetwild, tetgen"),
        (Surface(sphere().vertices * [1, 0, 1], sphere().faces), {}, "flat"),
        (Surface(np.empty((0, 3)), np.empty((0, 3), dtype=np.int64)), {}, "no faces"),
        (Surface(box().vertices, box().faces[:, ::-1]), {}, "inside out"),
    ],
)
def test_impossible_requests_are_refused(surface, request_, words):
    with pytest.raises(InputError, match=words):
        tetrahedralize(surface, **request_)


def test_a_mesher_that_is_not_installed_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(MESHERS, "tetgen", replace(MESHERS["tetgen"], package="tetgen_that_is_not_there"))
    with pytest.raises(InputError, match=r"pip install 'hydrostat\[tetgen\]'.*AGPL"):
        tetrahedralize(box(), mesher="tetgen")


def test_tetgen_does_not_fill_holes():
    pytest.importorskip("tetgen")
    with pytest.raises(InputError, match="open"):
        tetrahedralize(Surface(box().vertices, box().faces[1:]), mesher="tetgen")


def test_tetgen():
    pytest.importorskip("tetgen")
    surface = letter_surface("F")
    mesh = tetrahedralize(surface, tets=705, mesher="tetgen")
    assert len(mesh.tets) == pytest.approx(705, rel=0.05)
    assert check_tets(mesh).total_volume == pytest.approx(diagnose(surface).volume)


def test_meshing_does_not_import_the_mesher():
    heavy = {"pytetwild", "pyvista", "tetgen", "shapely", "scipy.sparse"}
    code = f"import sys, hydrostat.geometry.meshing; assert not {heavy} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
