"""`hydrostat animate` from a mesh to a folder, stopped and resumed, and refusing what it cannot use."""

import json
import struct

import numpy as np
import pytest
from click.testing import CliRunner

from hydrostat.cli import animating
from hydrostat.cli.main import group
from hydrostat.errors import InputError
from hydrostat.geometry import sampled_distance
from hydrostat.geometry.mesh_files import read_arrays, write_surface
from hydrostat.geometry.primitives import box_tets
from hydrostat.io.reader import open_recording
from hydrostat.search import finding

QUICK = {"--tets": 600, "--seconds": 0.4, "--generations": 3, "--population": 4, "--modes": 3, "--workers": 1}


def animate(*arguments, **options):
    """Run the command; its own errors are in the answer."""
    given = [part for option in (options or QUICK).items() for part in option]
    return CliRunner().invoke(group, ["animate", *map(str, (*arguments, *given))], catch_exceptions=True)


@pytest.fixture(autouse=True, scope="module")
def coarse_grid():
    """A box needs no fine one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sampled_distance, "POINTS", 10_000)
        yield


@pytest.fixture(scope="module")
def block(tmp_path_factory):
    """A box that stands beside the origin, as a surface file."""
    path, mesh = tmp_path_factory.mktemp("block") / "block.obj", box_tets((0.6, 0.2, 0.3), (3, 1, 2))
    write_surface(path, mesh.surface)
    return path


@pytest.fixture(scope="module")
def done(block, tmp_path_factory):
    """The folder of a whole run, and its report."""
    out = tmp_path_factory.mktemp("whole")
    answer = animate(block, "--out", out, "--json")
    assert answer.exit_code == 0, answer.output
    return out, json.loads(answer.stdout)


def test_the_folder_holds_everything(done, block):
    out, report = done
    assert {path.suffix for path in out.iterdir()} == {".vtkhdf", ".mp4", ".png", ".obj", ".pc2", ".json", ".npz"}
    assert json.loads((out / "block.json").read_text())["J"] == report["J"]
    assert report["generations"] == 3 and report["steps"] == 24
    assert report["penetration"] < 0.005
    assert len(report["replays"]["alignment"]) == 10
    with open_recording(out / "block.vtkhdf") as recording:
        assert len(recording) == 13
        path = [recording.markers(index)["centre of mass"][0] for index in (0, -1)]
    assert path[1] - path[0] == pytest.approx(report["distance"])


def test_the_exported_surface_is_the_users_own_and_moves_with_the_body(done, block):
    out, report = done
    given, exported = read_arrays(block), read_arrays(out / "block.obj")
    np.testing.assert_array_equal(exported.faces, given.faces)
    data = (out / "block.pc2").read_bytes()
    points, frames = struct.unpack_from("<i", data, 16)[0], struct.unpack_from("<i", data, 28)[0]
    assert (points, frames) == (len(given.vertices), 13)
    moved = np.frombuffer(data, "<f4", offset=32).reshape(frames, points, 3)
    assert np.isfinite(moved).all()
    travelled = moved[-1].mean(axis=0)[0] - moved[0].mean(axis=0)[0]
    unit = 1.0 / 0.2  # m: the box is 0.2 high in its file, and 1 m without another wish
    assert unit * travelled == pytest.approx(report["distance"], abs=0.15)
    np.testing.assert_allclose(exported.vertices, given.vertices, atol=1e-6)


def test_stopped_and_resumed_is_the_same(done, block, tmp_path, monkeypatch):
    for name in ("render_movie", "render_sheet"):  # drawn once is enough
        monkeypatch.setattr(animating, name, lambda recorded, path, **options: path.touch())
    save, saved = finding.save_search, []

    def interrupted(path, problem, progress):
        save(path, problem, progress)
        saved.append(path)
        if len(saved) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(finding, "save_search", interrupted)
    stopped = animate(block, "--out", tmp_path)
    assert stopped.exit_code != 0
    assert "go on with the same command and --resume" in stopped.output
    assert (tmp_path / "block.mp4").exists()
    assert json.loads((tmp_path / "block.json").read_text())["generations"] == 2
    monkeypatch.setattr(finding, "save_search", save)
    resumed = animate(block, "--out", tmp_path, "--resume")
    assert resumed.exit_code == 0, resumed.output
    for name in ("block.search.npz", "block.pc2"):
        assert (tmp_path / name).read_bytes() == (done[0] / name).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nessie",), "no creature 'nessie'"),
        (("nothing-here.obj",), "nothing-here.obj"),
        (("seal", "--up", "w"), "up is 'w'"),
        (("seal", "--height", "2"), "for files only"),
        (("seal", "--device", "gpu"), "hydrostat[gpu]"),
        (("seal", "--objective", "fly"), "travel, jump"),
        (("seal", "--population", "2"), "at least 4"),
        (("seal", "--generations", "0"), "generation"),
        (("seal", "--seed", "-1"), "seed"),
        (("seal", "--finalists", "0"), "finalists"),
        (("seal", "--local", "0", "0", "0", "-1"), "radius"),
        (("seal", "--local", "0", "0", "0", "1", "--whole"), "one of the two"),
        (("{block}", "--local", "9", "9", "9", "1"), "no node"),
        (("{block}", "--local", "0.3", "0.1", "0", "0.2", "--local", "-0.3", "0.1", "0", "0.2"), "3 modes for 2 parts"),
        (("seal", "--modes", "0"), "modes is 0"),
        (("seal", "--amplitude", "nan"), "amplitude"),
        (("seal", "--alpha", "-1"), "alpha"),
        (("seal", "--straightness", "-1"), "straightness"),
        (("seal", "--seconds", "0"), "seconds"),
        (("seal", "--starts", "0"), "starts"),
        (("seal", "--periods", "0.6", "0.2"), "periods"),
        (("seal", "--out", "/dev/null/x"), "folder"),
        (("seal", "--resume"), "without --resume"),
        (("{block}", "--only-modes", "0,7"), "modes [0, 7]"),
        (("{block}", "--choose-modes", "9"), "9 modes to choose"),
        (("{block}", "--workers", "0"), "0 workers"),
        (("{block}", "--cluster", "nowhere"), "nowhere"),
    ],
)
def test_bad_input_says_what_and_how_to_mend_it(arguments, words, block, tmp_path):
    given = {name: value for name, value in QUICK.items() if name not in arguments}
    out = {} if "--out" in arguments else {"--out": tmp_path}
    answer = animate(*(part.format(block=block) for part in arguments), **(given | out))
    assert isinstance(answer.exception, InputError), answer.exception
    assert words in str(answer.exception)
    assert "Cure" in str(answer.exception)


@pytest.mark.parametrize(("option", "value"), [("--direction", "up"), ("--only-modes", "a,b")])
def test_options_without_a_meaning_are_usage_errors(option, value):
    answer = animate("seal", option, value)
    assert answer.exit_code == 2
    assert value in answer.output
