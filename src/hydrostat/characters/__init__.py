"""Characters, one file each, by name."""

from hydrostat.characters import block, letter_h, letter_i
from hydrostat.characters.character import Character

CHARACTERS: dict[str, Character] = {
    character.name: character for character in (block.CHARACTER, letter_h.CHARACTER, letter_i.CHARACTER)
}
