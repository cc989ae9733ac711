"""Creatures for B2024, one file each, by name: any number of tetrahedra from implicit surfaces, no downloads."""

from hydrostat.characters.creatures import (
    arc,
    bat,
    bearded_dragon,
    couch,
    creepy_tree,
    gorilla,
    octopus,
    seal,
    tardigrade,
    treefrog,
)
from hydrostat.characters.creatures.creature import Creature

_ALL = (
    couch.CREATURE,
    creepy_tree.CREATURE,
    bat.CREATURE,
    bearded_dragon.CREATURE,
    octopus.CREATURE,
    treefrog.CREATURE,
    arc.COARSE,
    arc.FINE,
    gorilla.CREATURE,
    seal.CREATURE,
    tardigrade.CREATURE,
)
CREATURES: dict[str, Creature] = {creature.name: creature for creature in _ALL}
