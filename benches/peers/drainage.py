"""Drainage of one heightfield by Orogen and by peers: filled or carved depressions, receivers and areas, in nanoseconds per cell.

Needs the package in optimised form (`scripts/python --release`), and `pip install fastscapelib pysheds`. All run in one process on the
same heights, one after the other, in rounds; a figure is the median of the rounds.

    python benches/peers/drainage.py [EDGE] [ROUNDS]

Orogen runs `engine.apply` over heights in memory, with one thread and with all. fastscapelib 0.3 routes on one thread: a receiver for
each cell, depressions joined by the minimum spanning tree of basins (Cordonnier, Bovy and Braun 2019) and carved. pysheds 0.5 fills
depressions, and has no order among cells of a lake, so that it also resolves flats.
"""

import statistics
import sys
import time
from collections.abc import Callable

import fastscapelib as fs
import numpy as np
import orogen as og
from pysheds.grid import Grid
from pysheds.sview import Raster, ViewFinder


def heights(edge: int) -> np.ndarray:
    """Eight octaves of hills, with lakes."""
    hills = og.simplex(wavelength=edge / 4.0, seed=3).fractal(octaves=8, gain=0.5)
    return og.Engine("cpu").field(hills, og.Region((edge, edge))) * 200.0


def by_orogen(threads: int | None) -> Callable[[np.ndarray], np.ndarray]:
    engine = og.Engine("cpu", threads=threads) if threads else og.Engine("cpu")
    water = og.Pipeline(og.stage.given()).drainage(name="water")
    return lambda field: engine.apply(water, ["water", "water.area"], field)["water.area"]


def by_fastscapelib(field: np.ndarray) -> np.ndarray:
    grid = fs.RasterGrid(field.shape, [1.0, 1.0], fs.NodeStatus.FIXED_VALUE)
    resolver = fs.MSTSinkResolver(fs.MSTMethod.BORUVKA, fs.MSTRouteMethod.CARVE)
    flow = fs.FlowGraph(grid, [fs.SingleFlowRouter(), resolver])
    flow.update_routes(field)
    return flow.accumulate(1.0)


def by_pysheds(field: np.ndarray) -> np.ndarray:
    view = ViewFinder(shape=field.shape)
    grid = Grid(viewfinder=view)
    filled = grid.resolve_flats(grid.fill_depressions(grid.fill_pits(Raster(field, viewfinder=view))))
    return np.asarray(grid.accumulation(grid.flowdir(filled)))


def main() -> None:
    edge, rounds = (int(text) for text in (sys.argv[1:] + ["1024", "5"][len(sys.argv) - 1 :])[:2])
    field = heights(edge)
    doubles = field.astype(np.float64)
    cases = {
        "orogen, one thread": (by_orogen(1), field),
        "orogen, all threads": (by_orogen(None), field),
        "fastscapelib": (by_fastscapelib, doubles),
        "pysheds": (by_pysheds, doubles),
    }
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for number in range(rounds + 1):
        for name, (run, values) in cases.items():
            start = time.perf_counter()
            area = run(values)
            # The first round compiles, and is not counted.
            if number > 0:
                taken[name].append((time.perf_counter() - start) / edge**2 * 1e9)
            elif name != "pysheds":
                # Each cell is counted once, at the edge where it leaves. pysheds counts otherwise there.
                rim = np.concatenate([area[0], area[-1], area[1:-1, 0], area[1:-1, -1]])
                assert abs(float(rim.sum(dtype=np.float64)) / edge**2 - 1.0) < 1e-6, name
    for name, times in taken.items():
        print(f"{name:20} {statistics.median(times):8.1f} ns per cell ({min(times):.1f} to {max(times):.1f})")


if __name__ == "__main__":
    main()
