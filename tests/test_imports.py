"""Dependencies between the rooms of the house point one way, and the command line starts light."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "hydrostat"

# Modules beside the rooms that every room may use; they use no room themselves.
SHARED = {"arrays", "errors"}

# room -> the rooms that it may use (itself and SHARED go without saying)
_STEP = {"geometry", "solvers", "actuation", "contact", "bodies"}
_SCENE = {*_STEP, "stepping", "control", "characters"}
MAY_USE: dict[str, set[str]] = {
    "arrays": set(),
    "errors": set(),
    "geometry": set(),
    "solvers": set(),
    "actuation": {"geometry"},
    "contact": {"geometry"},
    "bodies": {"geometry", "solvers"},
    "stepping": _STEP,
    "control": {*_STEP, "stepping"},
    "characters": {*_STEP, "stepping", "control"},
    "io": {"geometry"},
    "show": {"geometry", "io"},
    "scenes": {*_SCENE, "io"},
    "search": {*_SCENE, "scenes", "io", "show"},
    "studies": {*_SCENE, "scenes", "io", "show", "search"},
    "cli": {*_SCENE, "scenes", "io", "show", "search", "studies"},
    "__main__": {"cli"},
    "__init__": set(),
}

# What makes `hydrostat --help` slow when it is imported too early.
HEAVY = {"numpy", "scipy", "numba", "h5py", "av", "meshio", "shapely", "PIL", "cma", "distributed", "jax"}


def imported_names(source: str, package: str) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of everything that a module of ``package`` imports, wherever it does so.

    Whole strings like "hydrostat.bodies" count too: they are what importlib.import_module is given.
    """
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = package.split(".")[: len(package.split(".")) - level + 1] if level else []
                prefix = ".".join([*base, module] if module else base)
                yield from ((node.lineno, f"{prefix}.{alias.name}") for alias in names)
            case ast.Constant(value=str(text)) if text.startswith("hydrostat."):
                if all(part.isidentifier() for part in text.split(".")):
                    yield node.lineno, text


def room_of(parts: tuple[str, ...]) -> str:
    """The room of a module path such as ("geometry", "letters.py"): its first part, without the ending."""
    return parts[0].removesuffix(".py")


def wrong_imports(source: str, parts: tuple[str, ...]) -> list[str]:
    """Complaints about the imports of the module at ``parts`` below src/hydrostat."""
    room = room_of(parts)
    if room not in MAY_USE:
        return [f"{'/'.join(parts)}: room {room} is missing from MAY_USE in tests/test_imports.py"]
    allowed = MAY_USE[room] | SHARED | {room} if room not in SHARED else SHARED
    complaints = []
    for line, name in imported_names(source, ".".join(["hydrostat", *parts[:-1]])):
        root, _, rest = name.partition(".")
        target = rest.partition(".")[0]
        if root == "hydrostat" and target in MAY_USE and target not in allowed:
            complaints.append(f"{'/'.join(parts)}:{line}: {room} may not use {target} ({name})")
    return complaints


MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_rooms_depend_one_way(module: Path) -> None:
    assert wrong_imports((PACKAGE / module).read_text(encoding="utf-8"), module.parts) == []


def test_the_table_itself_has_no_cycle() -> None:
    open_rooms = {room: set(uses) for room, uses in MAY_USE.items()}
    while open_rooms:
        free = {room for room, uses in open_rooms.items() if not uses & open_rooms.keys()}
        assert free, f"cycle among {sorted(open_rooms)}"
        open_rooms = {room: uses for room, uses in open_rooms.items() if room not in free}


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("geometry/letters.py", "import hydrostat.bodies.fem"),
        ("geometry/letters.py", "from hydrostat.bodies import fem"),
        ("geometry/letters.py", "from hydrostat import bodies"),
        ("geometry/letters.py", "from ..bodies.fem import FemBody"),
        ("geometry/letters.py", "from .. import bodies"),
        ("solvers/qp.py", "def solve():\n    from hydrostat.geometry import surfaces"),
        ("io/recording.py", "if TYPE_CHECKING:\n    from hydrostat.stepping import World"),
        ("studies/t2012/table1.py", "from ...cli import main"),
        ("bodies/fem.py", "importlib.import_module('hydrostat.control.goals')"),
        ("errors.py", "from hydrostat.geometry import surfaces"),
        ("annex/new.py", "import numpy"),
    ],
)
def test_a_planted_wrong_import_is_found(module: str, source: str) -> None:
    assert len(wrong_imports(source, Path(module).parts)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("geometry/letters.py", "from hydrostat.errors import InputError\nfrom . import surfaces"),
        ("bodies/fem.py", "import numpy as np\nfrom hydrostat.solvers.linear import factorise"),
        ("cli/main.py", "from hydrostat import __version__, scenes"),
        ("io/recording.py", '"""See hydrostat.control. Or do not."""'),
    ],
)
def test_a_right_import_is_left_alone(module: str, source: str) -> None:
    assert wrong_imports(source, Path(module).parts) == []


def loaded_heavies(statement: str) -> set[str]:
    """Which HEAVY packages a fresh interpreter holds after ``statement``."""
    command = f"{statement}\nimport sys\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return HEAVY.intersection(done.stdout.split())


def test_the_command_line_starts_without_heavy_packages() -> None:
    assert loaded_heavies("import hydrostat.cli.main") == set()


def test_the_start_check_sees_a_heavy_package() -> None:
    assert "numpy" in loaded_heavies("import hydrostat.arrays")
