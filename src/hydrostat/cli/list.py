"""`hydrostat list`: scenes, characters and creatures."""

from __future__ import annotations

import json

import click


@click.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool) -> None:
    """List scenes, their characters, and creatures to animate."""
    from hydrostat.characters import CHARACTERS
    from hydrostat.characters.creatures import CREATURES
    from hydrostat.scenes import SCENES

    tables = {
        "scenes": {name: scene.summary for name, scene in sorted(SCENES.items())},
        "characters": {name: character.summary for name, character in sorted(CHARACTERS.items())},
        "creatures": {name: creature.summary for name, creature in sorted(CREATURES.items())},
    }
    if as_json:
        click.echo(json.dumps(tables))
        return
    for title, table in tables.items():
        click.echo(f"{title}:")
        for name, text in table.items():
            click.echo(f"  {name:22s} {text}")
    click.echo("balance and exercise go with any letter: balance-a, exercise-k, …")
