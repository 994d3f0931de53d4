"""Orogen compared with other noise packages for Python: 1024² samples of FBM with eight octaves, and the cost of a call with 64 points.

    python benches/peers.py

It measures the installed ones of perlin-numpy, opensimplex (with numba), pyfastnoiselite, noise, vnoise and pyfastnoisesimd. Each is called
as its documentation recommends, with eight octaves from wavelength 256 on, gain 0.5 and lacunarity 2. The noises differ, so only the costs
are compared.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np

import orogen as og

SIZE, OCTAVES, WAVELENGTH = 1024, 8, 256.0


def fastest(work: Callable[[], object], *, budget: float = 3.0) -> tuple[float, float]:
    """Seconds of the fastest and of the median call within a time budget, after a warm-up."""
    work()
    times: list[float] = []
    start = time.perf_counter()
    while len(times) < 3 or (time.perf_counter() - start < budget and len(times) < 200):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times), statistics.median(times)


def orogen(basis: str, threads: int | str | None) -> Callable[[], object]:
    noise = getattr(og, basis)(wavelength=WAVELENGTH).fractal(octaves=OCTAVES)
    prepared = og.Engine("cpu", threads=threads).prepare(noise)  # type: ignore[arg-type]
    out = np.empty((SIZE, SIZE), np.float32)
    return lambda: prepared.field(og.Region.plane(SIZE, SIZE), out=out)


def perlin_numpy() -> Callable[[], object]:
    from perlin_numpy import generate_fractal_noise_2d

    return lambda: generate_fractal_noise_2d((SIZE, SIZE), (4, 4), OCTAVES)


def opensimplex() -> Callable[[], object]:
    import numba  # noqa: F401  (without it, a hundred times slower)
    import opensimplex

    opensimplex.seed(1)

    # It has no octaves: they are added up, as its users do.
    def fbm() -> object:
        total = np.zeros((SIZE, SIZE))
        for k in range(OCTAVES):
            axis = np.arange(SIZE) * (2.0**k / WAVELENGTH)
            total += 0.5**k * opensimplex.noise2array(axis, axis)
        return total

    return fbm


def pyfastnoiselite() -> Callable[[], object]:
    from pyfastnoiselite.pyfastnoiselite import FastNoiseLite, FractalType, NoiseType

    noise = FastNoiseLite(1)
    noise.noise_type = NoiseType.NoiseType_OpenSimplex2
    noise.fractal_type = FractalType.FractalType_FBm
    noise.fractal_octaves = OCTAVES
    noise.frequency = 1 / WAVELENGTH
    y, x = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    coordinates = np.stack([x.ravel(), y.ravel()])
    return lambda: noise.gen_from_coords(coordinates).reshape(SIZE, SIZE)


def noise() -> Callable[[], object]:
    from noise import snoise2

    scale = 1 / WAVELENGTH
    return lambda: [[snoise2(x * scale, y * scale, OCTAVES) for x in range(SIZE)] for y in range(SIZE)]


def vnoise() -> Callable[[], object]:
    from vnoise import Noise

    source, axis = Noise(), np.arange(SIZE) / WAVELENGTH
    return lambda: source.noise2(axis, axis, grid_mode=True, octaves=OCTAVES)


def pyfastnoisesimd() -> Callable[[], object]:
    import pyfastnoisesimd as fns

    source = fns.Noise(seed=1, numWorkers=os.cpu_count())
    source.noiseType = fns.NoiseType.SimplexFractal
    source.fractal.octaves = OCTAVES
    source.frequency = 1 / WAVELENGTH
    return lambda: source.genAsGrid([1, SIZE, SIZE])


def calls() -> None:
    """The cost of a call with few points, in microseconds."""
    prepared = og.Engine("cpu").prepare(og.simplex(wavelength=WAVELENGTH))
    out = np.empty(64, np.float32)
    print("\na call, prepared, simplex 2D by itself:")
    for count in (0, 1, 64):
        points, some = np.random.default_rng(0).uniform(0, 1000, (count, 3)), out[:count]
        work = partial(prepared.sample, points, out=some)
        best = min(timed(work, 20_000) for _ in range(5))
        print(f"    sample of {count:2} points, out=   {1e6 * best:6.2f} µs")
    best = min(timed(lambda: prepared.value(12.0, 7.5), 20_000) for _ in range(5))
    print(f"    value                    {1e6 * best:6.2f} µs")


def timed(work: Callable[[], object], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - start) / times


def main() -> None:
    print(f"{SIZE}² samples of FBM, {OCTAVES} octaves, on {os.cpu_count()} processors; {og.Engine('cpu').adapter}")
    print(f"{'':34} {'fastest':>10} {'middle':>10}")
    for basis in ("simplex", "perlin", "value"):
        for threads, told in ((None, "all threads"), ("caller", "one thread")):
            row(f"orogen {og.__version__}, {basis}, {told}", orogen(basis, threads))
    for peer in (perlin_numpy, opensimplex, pyfastnoiselite, noise, vnoise, pyfastnoisesimd):
        try:
            work = peer()
        except ImportError as error:
            print(f"{peer.__name__:34} not installed: {error}")
            continue
        row(peer.__name__, work)
    calls()


def row(name: str, work: Callable[[], object]) -> None:
    try:
        best, middle = fastest(work)
    except Exception as error:
        print(f"{name:34} failed: {type(error).__name__}: {error}")
        return
    print(f"{name:34} {1e3 * best:7.1f} ms {1e3 * middle:7.1f} ms")


if __name__ == "__main__":
    main()
