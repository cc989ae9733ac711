"""`hydrostat`: the group of commands. Commands are loaded when they are called, so that --help is quick."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click

from hydrostat import __version__
from hydrostat.errors import HydrostatError, InputError

COMMANDS = {
    "animate": "Find out how a mesh can move, and leave its motion in a folder.",
    "check": "Tell what is wrong with a mesh, and what can be repaired.",
    "demo": "Run a scene and leave its movie, contact sheet and recording in a folder.",
    "list": "List scenes, characters and creatures.",
    "run": "Run a scene and record it.",
    "study": "Measure a paper's table or figure again.",
    "show": "Make pictures and movies of a recording.",
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports only the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command itself, or None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"hydrostat.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The called command; an unknown one lists the known."""
        if args and args[0] not in COMMANDS:
            ctx.fail(f"there is no command {args[0]!r}; commands are {', '.join(sorted(COMMANDS))}")
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="hydrostat")
def group() -> None:
    """Simulate and control characters that move by muscle."""


def main() -> None:
    """Entry point: errors that are meant for the user come without a traceback. Exit codes: 1 failed, 2 bad input."""
    # Many small dense operations: threads of BLAS would only wait for one another.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    try:
        group(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except HydrostatError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2 if isinstance(error, InputError) else 1)
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
