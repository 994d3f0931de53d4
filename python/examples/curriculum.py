"""A curriculum of terrains for learning to walk: every environment has a heightfield of its own, rougher level by level.

    python examples/curriculum.py

Prints how many terrains a second there are, and, where MuJoCo is installed, lets a ball roll on one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

import orogen as og

ROWS = COLUMNS = 128
SPACING = 0.1  # metres from sample to sample


def terrain(seed: int) -> og.Noise:
    """Rolling ground with steps in it; `set` makes it rougher."""
    ground = og.simplex(wavelength=6.0, seed=seed).fractal(octaves=5, gain=0.5)
    steps = og.perlin(wavelength=3.0, seed=seed + 1).terrace(height=0.25, slope=0.1)
    return (ground + 0.5 * steps).scale_offset(scale=0.0, offset=0.0).named("height")


def curriculum(engine: og.Engine, levels: int, each: int) -> Iterator[NDArray[np.float32]]:
    """Terrains in metres, from flat to a metre high. All are one noise, elsewhere: no two have a place in common."""
    ground = engine.prepare(terrain(seed=7))
    out = np.empty((levels * each, ROWS, COLUMNS), np.float32)
    for number in range(levels * each):
        if number % each == 0:
            ground.set("height.scale", (number // each) / max(levels - 1, 1))
        region = og.Region.tile(number, 0, COLUMNS).replace(spacing=SPACING)
        yield ground.field(region, out=out[number])


def roll(heights: NDArray[np.float32], seconds: float) -> NDArray[np.float64]:
    """The position of a ball released over a terrain."""
    import mujoco

    low, high = float(heights.min()), float(heights.max())
    half = 0.5 * SPACING * (COLUMNS - 1)
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <asset><hfield name="ground" nrow="{ROWS}" ncol="{COLUMNS}" size="{half} {half} {high - low} 0.1"/></asset>
          <worldbody>
            <geom type="hfield" hfield="ground" pos="0 0 {low}"/>
            <body pos="0 0 {high + 0.3}"><freejoint/><geom type="sphere" size="0.1" mass="1"/></body>
          </worldbody>
        </mujoco>""")
    # MuJoCo has heights from 0 to 1.
    model.hfield_data[:] = ((heights - low) / (high - low)).ravel()
    data = mujoco.MjData(model)
    while data.time < seconds:
        mujoco.mj_step(model, data)
    return np.array(data.qpos[:3])


def main() -> None:
    levels, each = 10, 100
    start = time.perf_counter()
    heights = np.stack(list(curriculum(og.Engine("cpu"), levels, each)))
    took = time.perf_counter() - start
    print(f"{len(heights)} terrains of {ROWS} × {COLUMNS} in {took:.2f} s: {len(heights) / took:.0f} a second")
    for level in (0, levels // 2, levels - 1):
        print(f"level {level}: {np.ptp(heights[level * each : (level + 1) * each], axis=(1, 2)).mean():.2f} m from lowest to highest")
    try:
        x, y, z = roll(heights[-1], seconds=2.0)
    except ImportError:
        print("no ball rolls: MuJoCo is not installed")
        return
    print(f"on the last one a ball has rolled to ({x:.2f}, {y:.2f}), {z:.2f} m high")


if __name__ == "__main__":
    main()
