"""The commands as a user calls them: what they print, write and return."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from hydrostat.cli.main import COMMANDS, group
from hydrostat.errors import HydrostatError
from hydrostat.io.reader import open_recording


def call(*arguments):
    """Run a command in this process; its own errors are raised."""
    return CliRunner().invoke(group, [str(a) for a in arguments], catch_exceptions=True)


def program(*arguments):
    """Run the installed program, as a user does."""
    return subprocess.run(
        [sys.executable, "-c", "from hydrostat.cli.main import main; main()", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "block.vtkhdf"
    answer = call("run", "ramp-stop", "--seconds", "0.1", "-o", path)
    assert answer.exit_code == 0, answer.output
    return path


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name):
    answer = call(name, "--help")
    assert answer.exit_code == 0
    assert "Usage" in answer.output


def test_list_names_scenes_and_characters():
    tables = json.loads(call("list", "--json").output)
    assert "exercise-h" in tables["scenes"] and "h" in tables["characters"] and "seal" in tables["creatures"]
    assert "exercise-h" in call("list").output


def test_run_prints_what_it_measured(tmp_path):
    answer = call("run", "ramp-stop", "--seconds", "0.05", "--json", "-o", tmp_path / "r.vtkhdf")
    measured = json.loads(answer.stdout)
    assert measured["scene"] == "ramp-stop"
    assert measured["frames"] == len(measured["centre_of_mass"]) == len(measured["contact_modes"]) == 24
    assert set(measured["contact_modes"][5]) == {"slide"}
    assert measured["milliseconds_a_frame"].keys() == {"simulation", "reduction", "optimisation", "total"}
    assert max(measured["residual_max"].values()) < 1e-8


def test_resume_equals_a_run_that_never_stopped(tmp_path, recording):
    whole, resumed = tmp_path / "whole.vtkhdf", tmp_path / "resumed.vtkhdf"
    assert call("run", "ramp-stop", "--seconds", "0.2", "-o", whole).exit_code == 0
    assert call("run", "ramp-stop", "--seconds", "0.2", "--resume", recording, "-o", resumed).exit_code == 0
    with open_recording(whole) as a, open_recording(resumed) as b:
        assert a.times.tobytes() == b.times.tobytes()
        for index in (0, 20, -1):
            assert a.positions(index).tobytes() == b.positions(index).tobytes()


def test_resume_refuses_another_scene(tmp_path, recording):
    answer = call("run", "ramp-stick", "--resume", recording, "-o", tmp_path / "x.vtkhdf")
    assert isinstance(answer.exception, HydrostatError)
    assert "ramp-stop" in str(answer.exception)


def test_show_writes_a_sheet_a_still_and_a_movie(tmp_path, recording):
    sheet, still, movie = tmp_path / "s.png", tmp_path / "f.png", tmp_path / "m.mp4"
    answer = call("show", recording, "--sheet", sheet, "--still", still, "--movie", movie, "--width", 160, "--rows", 1)
    assert answer.exit_code == 0, answer.output
    for path, start in ((sheet, b"\x89PNG"), (still, b"\x89PNG"), (movie, b"\x00\x00\x00")):
        assert path.read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "walk-q"), "exercise-h"),
        (("run", "ramp-stop", "--controller", "magic"), "qpcc, static, none"),
        (("run", "ramp-stop", "--seconds", "-1"), "positive"),
        (("run", "ramp-stop", "--seconds", "nan"), "positive"),
        (("run", "ramp-stop", "--jitter", "-1"), "jitter"),
        (("run", "ramp-stop", "--jitter", "0.1", "--seed", "-1"), "seed"),
        (("run", "ramp-stop", "--seconds", "0.01", "-o", "/dev/null/x.vtkhdf"), "folder"),
        (("show", "nothing-here.vtkhdf"), "nothing-here"),
        (("show", "."), ". is a folder"),
        (("check", "nothing-here.obj"), "nothing-here"),
        (("check", "."), "'.' has no suffix"),
        (("fly",), "commands are"),
        (("show", "x.vtkhdf", "--view", "behind"), "three-quarter"),
    ],
)
def test_bad_input_says_what_and_how_to_mend_it(arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = program(*arguments)
    assert answer.returncode == 2
    assert words in answer.stderr
    assert "Traceback" not in answer.stderr
    assert list(Path(tmp_path).glob("**/*.vtkhdf")) == []
