"""Every letter from A to Z with default muscles: which of them balance and exercise without any tuning."""

from __future__ import annotations

from hydrostat.characters.alphabet import letter_character
from hydrostat.geometry.glyphs import GLYPHS
from hydrostat.geometry.quality import smallest_dihedral
from hydrostat.scenes.letters import BEHAVIOURS, letter_scene
from hydrostat.scenes.scene import Settings
from hydrostat.studies.study import Findings, Options, Study, in_parallel
from hydrostat.studies.t2012_jitter import failed_demands

SMALL = ("L",)


def measure(options: Options) -> Findings:
    """Run both scenes of every letter and name the demands that fail."""
    lines = ["| letter | tets | smallest angle | segments | balance | exercise |", "|---|---|---|---|---|---|"]
    succeeded = dict.fromkeys(BEHAVIOURS, 0)
    letters = SMALL if options.small else tuple(GLYPHS)
    results = in_parallel(_failed, [(behaviour, letter) for letter in letters for behaviour in BEHAVIOURS])
    for letter in letters:
        options.progress(letter)
        character = letter_character(letter)
        mesh, muscles = character.body.mesh, character.muscles
        angle = smallest_dihedral(mesh.vertices, mesh.tets).min()
        words = []
        for behaviour in BEHAVIOURS:
            failed = next(results)
            succeeded[behaviour] += not failed
            words.append("fails: " + "; ".join(failed) if failed else "yes")
        segments = len(muscles.rest_lengths) if muscles else 0
        lines.append(f"| {letter} | {len(mesh.tets)} | {angle:.0f}° | {segments} | {' | '.join(words)} |")
    lines.append("")
    lines += [f"{behaviour}: {count} of {len(letters)}" for behaviour, count in succeeded.items()]
    return Findings({}, lines)


def _failed(behaviour: str, letter: str) -> list[str]:
    return failed_demands(letter_scene(behaviour, letter), Settings())


STUDY = Study("alphabet", "balance and exercise of every letter, untuned", measure)
