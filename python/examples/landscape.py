"""A neutral landscape for ecology: habitats of known shares and known roughness, and nothing else that would explain a pattern.

    python examples/landscape.py

Shares hold over the whole plane, not over one map: quantiles of the noise are measured once, so that maps side by side fit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import orogen as og

HABITATS = {"water": 0.2, "reed": 0.1, "meadow": 0.4, "forest": 0.3}


def landscape(engine: og.Engine, *, roughness: float, seed: int) -> og.Noise:
    """A noise whose values are spread evenly from 0 to 1; rougher ones break habitats into smaller patches."""
    noise = og.simplex(wavelength=200.0, seed=seed).fractal(octaves=7, gain=roughness)
    even = engine.equalise(noise.equalise(), extent=1e5)
    return 0.5 * even + 0.5


def classes(values: NDArray[np.float32]) -> NDArray[np.int64]:
    """The habitat of each sample, as a number."""
    borders = np.cumsum(list(HABITATS.values()))[:-1]
    return np.digitize(values, borders)


def patches(habitats: NDArray[np.int64]) -> float:
    """The share of edges between different habitats."""
    return float(np.mean(np.concatenate([(np.diff(habitats, axis=axis) != 0).ravel() for axis in (0, 1)])))


def main() -> None:
    engine = og.Engine("cpu")
    for roughness in (0.3, 0.5, 0.7):
        noise = landscape(engine, roughness=roughness, seed=3)
        # Far more than a map: the mean of 16 of them, spread over the plane.
        maps = [classes(engine.field(noise, og.Region.tile(40 * x, 40 * y, 256))) for x in range(4) for y in range(4)]
        shares = np.bincount(np.concatenate([m.ravel() for m in maps]), minlength=len(HABITATS)) / (16 * 256**2)
        text = ", ".join(f"{name} {100 * share:.0f} %" for name, share in zip(HABITATS, shares))
        print(f"roughness {roughness}: {text}; {100 * patches(maps[0]):.1f} % of neighbours differ")


if __name__ == "__main__":
    main()
