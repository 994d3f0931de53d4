"""More than memory holds: dask arrays and xarray's, made of regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._noise import Noise
from ._orogen import Engine, OrogenError, Region, __version__
from ._pipeline import Pipeline

if TYPE_CHECKING:
    import dask.array
    import xarray as xr
    from numpy.typing import NDArray

Of = Noise | Pipeline


def dask_array(
    of: Of,
    shape: Sequence[int],
    *,
    chunks: Any = "auto",
    origin: Sequence[int] = (0, 0, 0),
    level: int = 0,
    spacing: float = 1.0,
    anchor: Sequence[float] = (0.0, 0.0, 0.0),
    engine: Engine | None = None,
) -> dask.array.Array:
    """A noise, or a pipeline's output, as a lazy array: every chunk is a region, and no bit depends on how it is cut.

    Parameters
    ----------
    shape : (rows, columns), or (z, y, x) for a volume
    chunks : as dask has it
    origin, level, spacing, anchor : as of a `Region`
    engine : what evaluates the chunks; not given, the CPU on the thread that dask works with. Workers open one of their own each.
    """
    import dask.array as da

    if isinstance(of, Pipeline) and of.unmeasured:
        names = ", ".join(of.unmeasured)
        raise OrogenError(f"the stages {names} read the whole world, which a chunk is not; allowed: a pipeline from Engine.measure")
    if isinstance(of, Pipeline) and of.channels() != 1:
        raise OrogenError(f"'{of.output}' has {of.channels()} channels; allowed: an output of 1")
    shape = tuple(int(edge) for edge in shape)
    if len(shape) not in (2, 3) or any(edge < 1 for edge in shape):
        raise OrogenError(f"shape = {shape} is not allowed; allowed: 2 or 3 numbers of samples, 1 or more each")
    dtype = np.dtype(np.float32)
    pieces = da.core.normalize_chunks(chunks, shape, dtype=dtype)
    numbers = {"origin": _three(origin), "level": level, "spacing": spacing, "anchor": tuple(anchor)}
    # The last sample has to be one: what is too far away is refused here, not by a worker.
    _region([(edge - 1, edge) for edge in shape], numbers)
    # A copy: what is set later is not meant.
    of = Noise(of) if isinstance(of, Noise) else Pipeline(of)
    engine = Engine("cpu", threads="caller") if engine is None else engine
    meta = np.empty((0,) * len(shape), dtype)
    result: dask.array.Array = da.map_blocks(_chunk, of, engine, numbers, chunks=pieces, dtype=dtype, meta=meta, name=None)
    return result


def xarray(
    of: Of,
    shape: Sequence[int],
    *,
    chunks: Any = None,
    origin: Sequence[int] = (0, 0, 0),
    level: int = 0,
    spacing: float = 1.0,
    anchor: Sequence[float] = (0.0, 0.0, 0.0),
    engine: Engine | None = None,
    name: str | None = None,
    units: str | None = None,
    length: str = "world units",
) -> xr.DataArray:
    """A noise, or a pipeline's output, as a DataArray with the positions of its samples: dimensions (y, x) or (z, y, x).

    Parameters
    ----------
    chunks : as dask has it, for a lazy array; not given, it is computed at once
    name : not given, that of the noise's last node
    units : of the values; not given, none
    length : the unit of positions

    The others are those of `dask_array`. The attributes hold the noise as JSON, which `Noise.from_json` or `Pipeline.from_json` reads.
    """
    import xarray as xr

    shape = tuple(int(edge) for edge in shape)
    engine = Engine("cpu") if engine is None and chunks is None else engine
    whole = shape if chunks is None else chunks
    lazy = dask_array(of, shape, chunks=whole, origin=origin, level=level, spacing=spacing, anchor=anchor, engine=engine)
    data = lazy.compute() if chunks is None else lazy
    dims = ("z", "y", "x")[-len(shape) :]
    step = spacing * 2.0**level
    coords = {}
    for axis, dim in enumerate("xyz"):
        if dim in dims:
            first = _three(origin)[axis]
            positions = _of_axis(anchor, axis) + (first + np.arange(shape[dims.index(dim)], dtype=np.float64)) * step
            coords[dim] = xr.Variable(dim, positions, {"units": length})
    attributes: dict[str, Any] = {"orogen": of.to_json(), "orogen_version": __version__, "spacing": step}
    if isinstance(of, Noise):
        attributes["valid_range"] = list(of.range())
    if units is not None:
        attributes["units"] = units
    return xr.DataArray(data, coords=coords, dims=dims, name=name or of.output, attrs=attributes)


def _three(numbers: Sequence[int]) -> tuple[int, ...]:
    return (*numbers, 0, 0, 0)[:3]


def _of_axis(numbers: Sequence[float], axis: int) -> float:
    return numbers[axis] if axis < len(numbers) else 0.0


def _region(spans: Sequence[tuple[int, int]], numbers: Mapping[str, Any]) -> Region:
    """The samples from first to last of each axis, slowest axis first."""
    spans = list(reversed(spans))
    first = [start for start, _ in spans] + [0] * (3 - len(spans))
    origin = tuple(a + b for a, b in zip(numbers["origin"], first))
    return Region(tuple(stop - start for start, stop in spans), **{**numbers, "origin": origin})


def _chunk(of: Of, engine: Engine, numbers: Mapping[str, Any], block_info: Any = None) -> NDArray[np.float32]:
    spans = [tuple(map(int, span)) for span in block_info[None]["array-location"]]
    region = _region(spans, numbers)  # type: ignore[arg-type]
    values = engine.field(of, region) if isinstance(of, Noise) else engine.layer(of, region)
    # A volume that is one sample deep has no z in an array of its own.
    return values.reshape([stop - start for start, stop in spans])
