"""Characters, one file each, by name."""

from hydrostat.characters import (
    block,
    letter_f,
    letter_h,
    letter_i,
    letter_i_jump,
    letter_o,
    letter_t,
    quadruped_x,
    worm,
)
from hydrostat.characters.character import Character

_MODULES = (block, letter_f, letter_h, letter_i, letter_i_jump, letter_o, letter_t, quadruped_x, worm)
CHARACTERS: dict[str, Character] = {module.CHARACTER.name: module.CHARACTER for module in _MODULES}
