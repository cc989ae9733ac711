"""`hydrostat study NAME`: a paper's table or figure, measured again."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(name="study")
@click.argument("name")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--small", is_flag=True, help="A version that takes seconds.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True, help="For files.")
def command(name: str, file: Path | None, small: bool, out: Path) -> None:
    """Measure the study NAME and print the paper's numbers beside ours.

    The study qpcc solves the control problem in FILE by every method.
    """
    from hydrostat.errors import InputError
    from hydrostat.studies import load_study
    from hydrostat.studies.study import Options, table

    study = load_study(name)
    if bool(file) != bool(study.file):
        given = f"the study {name} with the file {file}" if file else f"the study {name} without a file"
        raise InputError(
            given, study.file or "no file", f"call `hydrostat study {name}{' FILE' if study.file else ''}`"
        )
    findings = study.measure(Options(out, small, file, lambda text: click.echo(f"  {text} …", err=True)))
    click.echo(f"# {study.name}: {study.summary}\n")
    claims = study.claims()
    if claims:
        click.echo("\n".join(table(claims, findings.numbers)) + "\n")
    click.echo("\n".join(findings.lines))
