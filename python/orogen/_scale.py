"""Arrays larger than memory: dask and xarray arrays made of regions."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from importlib import import_module
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
    """A noise, or a pipeline's output, as a lazy array: every chunk is a region, and no bit depends on the chunks.

    Parameters
    ----------
    shape : (rows, columns), or (z, y, x) for a volume
    chunks : as in dask
    origin, level, spacing, anchor : as of a `Region`
    engine : the engine that evaluates the chunks; by default the CPU on dask's own threads. Each worker opens its own.
    """
    da = _required("dask.array")
    engine = Engine("cpu", threads="caller") if engine is None else engine
    source = _Source(of, engine, shape, {"origin": _three(origin), "level": level, "spacing": spacing, "anchor": tuple(anchor)})
    pieces, meta = _chunks(chunks, source.shape), np.empty((0,) * source.ndim, source.dtype)
    # A single layer of the graph; dask creates its tasks when it computes.
    result: dask.array.Array = da.from_array(source, pieces, asarray=False, getitem=_chunk, meta=meta)
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
    chunks : as in dask, for a lazy array; by default the array is computed at once
    name : by default that of the noise's last node
    units : of the values; by default none
    length : the unit of positions

    The other parameters are those of `dask_array`. The attributes contain the noise as JSON with the samples of its rasters, which
    `Noise.from_json` or `Pipeline.from_json` reads.
    """
    xr = _required("xarray")
    shape = _shape(shape)
    numbers: dict[str, Any] = {"origin": _three(origin), "level": level, "spacing": spacing, "anchor": tuple(anchor)}
    data: Any
    if chunks is None:
        source = _Source(of, Engine("cpu") if engine is None else engine, shape, numbers)
        data = _chunk(source, tuple(slice(0, edge) for edge in shape))
    else:
        data = dask_array(of, shape, chunks=chunks, engine=engine, **numbers)
    dims = ("z", "y", "x")[-len(shape) :]
    step = spacing * 2.0**level
    coords = {}
    for axis, dim in enumerate("xyz"):
        if dim in dims:
            first = _three(origin)[axis]
            positions = _of_axis(anchor, axis) + (first + np.arange(shape[dims.index(dim)], dtype=np.float64)) * step
            coords[dim] = xr.Variable(dim, positions, {"units": length})
    attributes: dict[str, Any] = {"orogen": of.to_json(heights=True), "orogen_version": __version__, "spacing": step}
    if isinstance(of, Noise):
        attributes["valid_range"] = list(of.range())
    if units is not None:
        attributes["units"] = units
    return xr.DataArray(data, coords=coords, dims=dims, name=name or of.output, attrs=attributes)


def _three(numbers: Sequence[int]) -> tuple[int, ...]:
    return (*numbers, 0, 0, 0)[:3]


def _of_axis(numbers: Sequence[float], axis: int) -> float:
    return numbers[axis] if axis < len(numbers) else 0.0


def _shape(shape: Sequence[int]) -> tuple[int, ...]:
    edges: tuple[int, ...] = ()
    cause: TypeError | None = None
    try:
        edges = tuple(map(operator.index, shape))
    except TypeError as reason:
        cause = reason
    if len(edges) not in (2, 3) or any(edge < 1 for edge in edges):
        raise OrogenError(f"shape = {shape!r} is not allowed; allowed: 2 or 3 numbers of samples, 1 or more each") from cause
    return edges


def _required(name: str) -> Any:
    """A module of the extra `xarray`."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{error}; pip install 'orogen[xarray]' brings it", name=error.name, path=error.path) from error


def _chunks(chunks: Any, shape: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Sizes of chunks along each axis."""
    da = _required("dask.array")
    cause = None
    try:
        pieces = da.core.normalize_chunks(chunks, shape, dtype=np.dtype(np.float32))
        if all(isinstance(piece, int) and piece > 0 for along in pieces for piece in along):
            return tuple(map(tuple, pieces))
    except MemoryError:
        raise
    except Exception as reason:
        cause = reason
    allowed = 'a number of samples, one for each axis, sizes that add up to each axis, or "auto"'
    raise OrogenError(f"chunks = {chunks!r} is not allowed for an array of shape {shape}; allowed: {allowed}") from cause


class _Source:
    """The source of an array's chunks."""

    dtype = np.dtype(np.float32)

    def __init__(self, of: Of, engine: Engine, shape: Sequence[int], numbers: Mapping[str, Any]) -> None:
        if not isinstance(of, Noise | Pipeline):
            raise OrogenError(f"of = {of!r} is not allowed; allowed: a noise or a pipeline")
        if not isinstance(engine, Engine):
            raise TypeError(f"expected an Engine, got {type(engine).__name__}")
        if isinstance(of, Pipeline) and of.unmeasured:
            names = ", ".join(of.unmeasured)
            raise OrogenError(f"the stages {names} depend on the whole world; allowed: a pipeline from Engine.measure")
        if isinstance(of, Pipeline) and of.channels() != 1:
            raise OrogenError(f"'{of.output}' has {of.channels()} channels; allowed: an output of 1")
        # A copy, so that later calls of `set` have no effect.
        self.of = Noise(of) if isinstance(of, Noise) else Pipeline(of)
        self.engine, self.shape, self.numbers = engine, _shape(shape), numbers
        self.ndim = len(self.shape)
        # The last sample must be valid: positions too far away are refused here instead of by a worker.
        self.region([(edge - 1, edge) for edge in self.shape])

    def region(self, spans: Sequence[tuple[int, int]]) -> Region:
        """The samples from first to last of each axis, slowest axis first."""
        spans = list(reversed(spans))
        first = [start for start, _ in spans] + [0] * (3 - len(spans))
        origin = tuple(a + b for a, b in zip(self.numbers["origin"], first))
        return Region(tuple(stop - start for start, stop in spans), **{**self.numbers, "origin": origin})

    def __dask_tokenize__(self) -> tuple[object, ...]:
        _, options = self.engine.__getnewargs_ex__()
        return "orogen", self.of.__dask_tokenize__(), self.engine.backend, str(options), self.shape, str(self.numbers)


def _chunk(source: _Source, index: tuple[slice, ...]) -> NDArray[np.float32]:
    region = source.region([(int(span.start), int(span.stop)) for span in index])
    if isinstance(source.of, Noise):
        return source.engine.field(source.of, region)
    # Pipelines have planes only.
    return source.engine.layer(source.of, region).reshape(region.shape)
