"""Every scene ten times under jitter: 1 % in pose, 5 % in friction, mass and stiffness. T2012 gives no such numbers."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hydrostat.errors import StepError
from hydrostat.io.reader import open_recording
from hydrostat.scenes import SCENES
from hydrostat.scenes.measure import verdicts
from hydrostat.scenes.record import record
from hydrostat.scenes.scene import Scene, Settings
from hydrostat.studies.study import Findings, Options, Study, in_parallel

RUNS, JITTER = 10, 0.05
SMALL_SCENES, SMALL_RUNS = ("ramp-stick", "ramp-stop"), 2


def measure(options: Options) -> Findings:
    """Run and judge all scenes; every demand that fails is named."""
    names = SMALL_SCENES if options.small else tuple(SCENES)
    runs = SMALL_RUNS if options.small else RUNS
    lines = ["| scene | succeeded | what failed |", "|---|---|---|"]
    succeeded = 0
    results = in_parallel(_jittered, [(name, seed) for name in names for seed in range(runs)])
    for name in names:
        options.progress(name)
        failures = [next(results) for _ in range(runs)]
        good = failures.count([])
        succeeded += good
        words = "; ".join(f"seed {seed}: {', '.join(failed)}" for seed, failed in enumerate(failures) if failed)
        lines.append(f"| {name} | {good} of {runs} | {words} |")
    lines.append(f"\n{succeeded} of {runs * len(names)} runs succeeded.")
    return Findings({}, lines)


def _jittered(name: str, seed: int) -> list[str]:
    return failed_demands(SCENES[name], Settings(jitter=JITTER, seed=seed))


def failed_demands(scene: Scene, settings: Settings) -> list[str]:
    """The demands that a run does not hold; none if it succeeded."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.vtkhdf"
        try:
            record(scene, path, settings)
        except StepError as error:
            return [str(error)]
        with open_recording(path) as recording:
            return [demand for demand, held in verdicts(scene, recording).items() if not held]


STUDY = Study("t2012-jitter", "every scene ten times, jittered", measure)
