"""`hydrostat study NAME`: a paper's table or figure, measured again."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(name="study")
@click.argument("name")
@click.option("--small", is_flag=True, help="A version that takes seconds.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True, help="For pictures.")
def command(name: str, small: bool, out: Path) -> None:
    """Measure the study NAME and print the paper's numbers beside ours."""
    from hydrostat.studies import load_study
    from hydrostat.studies.study import Options, table

    study = load_study(name)
    findings = study.measure(Options(out, small, lambda text: click.echo(f"  {text} …", err=True)))
    click.echo(f"# {study.name}: {study.summary}\n")
    claims = study.claims()
    if claims:
        click.echo("\n".join(table(claims, findings.numbers)) + "\n")
    click.echo("\n".join(findings.lines))
