"""Drainage of one heightfield by Orogen and by fastscapelib, in nanoseconds per cell: carved depressions, receivers and areas.

Needs the package in optimised form (`scripts/python --release`), and `pip install fastscapelib`. Both run in one process on the same
heights, one after the other, in rounds; a figure is the median of the rounds.

    python benches/drainage.py [EDGE] [ROUNDS]

Orogen runs `engine.apply` over heights in memory, with one thread and with all: three passes over squares, and all eight outputs.
fastscapelib 0.3 has one thread and the world in memory: receivers, the minimum spanning tree of basins (Cordonnier, Bovy and Braun
2019), carving, areas. richdem 2.3 and pysheds 0.5 are not compared: the first did not build, the second compiles itself for a minute.
"""

import statistics
import sys
import time
from collections.abc import Callable

import fastscapelib as fs
import numpy as np

import orogen as og


def heights(edge: int) -> np.ndarray:
    """Eight octaves of hills, with lakes."""
    hills = og.simplex(wavelength=edge / 4.0, seed=3).fractal(octaves=8, gain=0.5)
    return og.Engine("cpu").field(hills, og.Region((edge, edge))) * np.float32(200.0)


def by_orogen(threads: int | None) -> Callable[[np.ndarray], np.ndarray]:
    engine = og.Engine("cpu", threads=threads)
    water = og.Pipeline(og.stage.given()).drainage(name="water")
    return lambda field: engine.apply(water, ["water", "water.area"], field)["water.area"]


def by_fastscapelib(field: np.ndarray) -> np.ndarray:
    grid = fs.RasterGrid(field.shape, [1.0, 1.0], fs.NodeStatus.FIXED_VALUE)
    resolver = fs.MSTSinkResolver(fs.MSTMethod.BORUVKA, fs.MSTRouteMethod.CARVE)
    flow = fs.FlowGraph(grid, [fs.SingleFlowRouter(), resolver])
    flow.update_routes(field)
    return flow.accumulate(1.0)


def main() -> None:
    edge = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    field = heights(edge)
    doubles = field.astype(np.float64)
    cases = {
        "orogen, one thread": (by_orogen(1), field),
        "orogen, all threads": (by_orogen(None), field),
        "fastscapelib": (by_fastscapelib, doubles),
    }
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, (run, values) in cases.items():
            start = time.perf_counter()
            area = run(values)
            taken[name].append((time.perf_counter() - start) / edge**2 * 1e9)
            # Each cell is counted once, where its water leaves the world.
            rim = np.concatenate([area[0], area[-1], area[1:-1, 0], area[1:-1, -1]])
            assert abs(float(rim.sum(dtype=np.float64)) / edge**2 - 1.0) < 1e-5, name
    for name, times in taken.items():
        print(f"{name:20} {statistics.median(times):8.1f} ns per cell ({min(times):.1f} to {max(times):.1f})")


if __name__ == "__main__":
    main()
