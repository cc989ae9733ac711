"""The reduced step on a GPU: ``python -m benchmarks.gpu``. It needs jax and a GPU; elsewhere it measures the CPU.

Agreement with the compiled kernel after 20 steps, rollout-steps a second, and a search with large generations beside
one on this machine's CPU.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import jax
import numpy as np

from benchmarks.measuring import milliseconds
from hydrostat.arrays import Floats
from hydrostat.bodies.reduced import ReducedOptions, Surroundings, reduce_body
from hydrostat.characters.creatures import CREATURES
from hydrostat.contact.ground import Plane
from hydrostat.search.batches import Batch
from hydrostat.search.evolution import Evaluate, SearchOptions, search
from hydrostat.search.executors import cores, in_processes
from hydrostat.search.gpu import replayed, scores_of
from hydrostat.search.trials import Trial
from hydrostat.search.wishes import Wishes, trial_of

# r = 60 coordinates, 5 clusters, 20 samples, 10 local-global iterations: the paper's sizes for the couch.
OPTIONS = ReducedOptions(modes=10, weights=5, passive_clusters=4, actuation_clusters=1, samples=20)
# With three starts, 352 gaits fill the GPU once.
WISHES = Wishes(starts=3, amplitude=0.1, periods=(0.3, 0.8))
BATCHES = (1024, 4096, 16384)
TARGET = 2e6
POPULATION = 352


def trial_for(creature: str) -> Trial:
    mesh = CREATURES[creature].mesh()
    return trial_of(reduce_body(mesh, OPTIONS), WISHES, Surroundings(ground=Plane()))


def gaits_of(trial: Trial, count: int) -> list:
    generator = np.random.default_rng(0)
    return [trial.space.gait(generator.random(trial.space.dimension)) for _ in range(count)]


def agreement(trial: Trial) -> None:
    """Largest difference of a coordinate from the CPU's after 20 steps, over the size of the body."""
    short = replace(trial, steps=20)
    gaits, k = gaits_of(short, 16), len(trial.body.stiffnesses)
    motions = [[short.motion(gait, start).coordinates[-1] for start in short.starts] for gait in gaits]
    pressed = np.mean([(short.motion(gait).impulses[:, :, 1] > 0).mean() for gait in gaits])
    for precision in ("float64", "float32"):
        with jax.enable_x64(precision == "float64"):
            batch = Batch([short], precision)
            end, _ = batch.play(batch.packed([gaits]))
            errors = np.abs(np.asarray(end)[0, ..., :k].swapaxes(-1, -2) - motions).max(axis=(1, 2, 3))
        size = trial.body.size
        print(f"  {precision} {errors.max() / size:8.1e} at most, {np.median(errors) / size:8.1e} median of 16 gaits")
    print(f"  {100 * pressed:.0f} % of the samples touch the ground")


def speed(title: str, trials: list[Trial], sizes: tuple[int, ...]) -> None:
    """Rollout-steps a second, all gaits sent and all measures there."""
    batch, starts = Batch(trials), len(trials[0].starts)
    for size in sizes:
        count = size // (starts * len(trials))
        gaits = batch.packed([(gaits_of(trial, 128) * (1 + count // 128))[:count] for trial in trials])
        seconds = milliseconds(lambda gaits=gaits: jax.block_until_ready(batch.play(gaits)), repeats=3) / 1e3
        rollouts = len(trials) * count * starts
        rate = rollouts * trials[0].steps / seconds
        print(f"  {title}: {rollouts:6} rollouts {seconds:7.3f} s, {rate / 1e6:6.2f} million steps/s", flush=True)


def searched(title: str, trial: Trial, options: SearchOptions, evaluate: Evaluate) -> None:
    """Score and seconds of a search, told on the way."""
    started, told = perf_counter(), []
    for progress in search(trial.space.dimension, evaluate, options):
        if len(progress.scores) % (options.generations // 5) == 0:
            told.append(f"{progress.best_score:.2f} after {perf_counter() - started:.1f} s")
    print(f"  {title}, {options.population} gaits, seed {options.seed}:", ", ".join(told), flush=True)


def searches(trial: Trial, generations: int, population: int, seeds: int) -> None:
    """Large generations on the GPU, and the usual ones on the CPU."""
    batch, title = Batch([trial]), jax.devices()[0].device_kind

    def on_device(candidates: Floats) -> Floats:
        return replayed(trial, candidates, scores_of(trial, batch, candidates))

    with in_processes(trial) as on_cores:
        for count, evaluate, name in (
            (population, on_device, title),
            (SearchOptions().population, on_cores, f"{cores()} cores"),
        ):
            evaluate(np.full((count, trial.space.dimension), 0.5))  # compiles
            for seed in range(seeds):
                searched(name, trial, SearchOptions(generations, count, seed), evaluate)


def main() -> None:
    on_gpu = jax.default_backend() == "gpu"
    print(f"{jax.devices()[0].device_kind}, jax {jax.__version__}, {cores()} cores", flush=True)
    couch = trial_for("couch")
    print("agreement with the CPU's compiled code after 20 steps, over the size of the body")
    agreement(couch)
    print(f"speed; wanted: {TARGET / 1e6:.0f} million steps/s")
    sizes = BATCHES if on_gpu else (24,)
    speed("couch", [couch], sizes)
    speed("three characters", [couch, trial_for("seal"), trial_for("gorilla")], sizes[-1:])
    print("searches for a gait of the couch: the best score after fifths of the generations")
    if on_gpu:
        searches(couch, 200, POPULATION, seeds=3)
    else:
        searches(couch, 5, 8, seeds=1)


if __name__ == "__main__":
    main()
