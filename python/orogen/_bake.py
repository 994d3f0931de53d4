"""Worlds as tiles on disk."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from . import _orogen
from ._orogen import Engine, OrogenError, Recipe

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._noise import Noise
    from ._pipeline import Pipeline

Format = Literal["png16", "png8", "exr", "npy", "r16", "r32"]
Destination = Literal["unreal", "unreal-composition", "unity", "terrain3d", "hterrain", "godot", "blender", "houdini", "raw"]
Range = Literal["proven", "measured"] | Sequence[float] | str
Progress = Callable[[int, int, str], object]
"""Called with the number of finished pieces, their total, and the step: "measuring", "baking" or "sealing". The pieces of a bake are tiles
that are safe on disk. Calls come from other threads, one at a time. An exception ends the work and is raised from the call."""


class Layer(TypedDict, total=False):
    """A layer with its own format and range."""

    layer: str
    format: Format
    range: Range


class Options(TypedDict, total=False):
    """The options of `bake` and `plan`."""

    tiles: Sequence[Sequence[int]] | Sequence[int] | str
    tile: int
    level: int
    overlap: int
    z: float
    destination: Destination
    layers: str | Sequence[str | Layer]
    format: Format
    range: Range
    overview: bool
    force: bool


class Baked(NamedTuple):
    """The result of a bake."""

    root: str | None
    """The hash of all tiles, independent of the program that baked them; None if the tiles in the folder are not a rectangle."""
    tiles: int
    """Tiles in the world."""
    written: int
    """Tiles that this call wrote; the others already existed."""
    warnings: list[str]
    """Losses in integer formats: clipped samples, or a mostly unused range."""
    damaged: list[str]
    """Files that did not match their records and were rewritten."""


class Status(NamedTuple):
    """The state of a world of shards."""

    phase: str | None
    """The next measurement; None once tiles can be baked."""
    tiles: int
    done: int
    """Tiles on record."""
    missing: list[int]
    """Shards with missing tiles."""
    machines: dict[str, int]
    """Number of tiles baked by each machine."""
    rate: float
    """Tiles per second since the first shard began."""
    damaged: list[str]
    """Damaged records."""
    root: str | None
    """The hash of all tiles, once the world is sealed."""


class Checked(NamedTuple):
    """The result of a check."""

    files: int
    """Files on record."""
    bytes: int
    recomputed: int
    """Tiles that were recomputed and compared."""
    unfinished: bool
    """Whether the bake is unfinished."""
    findings: list[tuple[str, str]]
    """Files with problems, each with "missing", "damaged", "foreign", "different" or "unrecorded"."""
    broken: list[str]
    """Rules of drainage that stages break, found while tiles were recomputed: a sentence for each stage."""


def bake(
    recipe: Recipe | Noise | Pipeline,
    out: str | os.PathLike[str],
    *,
    engine: Engine | None = None,
    progress: Progress | None = None,
    **options: Unpack[Options],
) -> Baked:
    """Bakes a recipe's world into the folder `out`: the same files, byte for byte, as `orogen bake`.

    Calling it again continues an interrupted bake and rewrites damaged files. Ctrl-C stops it within the tiles in progress and keeps
    finished tiles. `engine`: by default `Engine()`. Omitted options take the recipe's value or the command's default:

    - `tiles`: ((x0, x1), (y0, y1)), half-open, or (columns, rows) from tile 0, 0 on.
    - `tile`: samples along an edge. `level`: level of detail. `overlap`: samples shared with neighbours.
    - `z`: the height of the plane.
    - `layers`: names of nodes, stages and outputs of stages, heights first; instead of a name, a mapping
      `{"layer": …, "format": …, "range": …}`.
    - `destination`: the program that will import the files ("unreal", "unity", …); it determines formats and names.
    - `format`: a format of tiles, such as "png16" or "exr"; `range` of integer formats: (lo, hi), "proven" or "measured".
    - `overview`: whether to draw overview.png; `force`: whether to exceed the limits on predicted work and memory.
    """
    return Baked(*_orogen.bake(engine or Engine(), _recipe(recipe), _json(options), os.fspath(out), progress))


def plan(
    recipe: Recipe | Noise | Pipeline, out: str | os.PathLike[str], shards: int, *, engine: Engine | None = None, **options: Unpack[Options]
) -> World:
    """Plans a world in `shards` pieces in the folder `out`, for any number of processes to bake. The options are those of `bake`, except
    `destination`. The folder may already contain the same plan."""
    return World(_orogen.Shards.plan(engine or Engine(), _recipe(recipe), _json(options), os.fspath(out), shards))


def check(
    world: str | os.PathLike[str],
    *,
    recompute: float | None = None,
    seed: int = 0,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> Checked:
    """Reads every file of a bake, or of a world of shards, and compares it with its record.

    `recompute`: the share of the tiles, 0 to 1, that is recomputed and compared, at least one tile; `seed` selects them.
    """
    if recompute is None:
        return Checked(*_orogen.check_bake(os.fspath(world), None, 0.0, seed, progress))
    if not 0.0 <= recompute <= 1.0:
        raise OrogenError(f"recompute = {recompute} is not allowed; allowed: a share of the tiles, 0 to 1")
    return Checked(*_orogen.check_bake(os.fspath(world), engine or Engine(), float(recompute), seed, progress))


class World:
    """A world of shards: `plan` writes one, `World(path)` opens it.

    If `phase` is not None, measure every shard first, phase after phase. Then bake every shard, in any order and by any process. Finally
    one process seals the world.
    """

    __slots__ = ("_shards",)

    def __init__(self, world: str | os.PathLike[str] | _orogen.Shards, /) -> None:
        self._shards = world if isinstance(world, _orogen.Shards) else _orogen.Shards.open(os.fspath(world))

    @property
    def shards(self) -> int:
        """The number of shards."""
        return self._shards.shards

    @property
    def phase(self) -> tuple[int, int, str, list[int]] | None:
        """The next measurement: the phase's number, the number of phases, the measurement, and the shards that have not finished it.
        None once tiles can be baked."""
        return self._shards.phase()

    def measure(self, shard: int | None = None, *, engine: Engine | None = None, progress: Progress | None = None) -> None:
        """Measures a shard's part of the next phase; without `shard`, all missing parts, phase after phase."""
        self._shards.measure(engine or Engine(), shard, progress)

    def bake(self, shard: int, *, engine: Engine | None = None, progress: Progress | None = None) -> tuple[int, int]:
        """Bakes a shard; returns the numbers of tiles written and of existing tiles."""
        return self._shards.bake(engine or Engine(), shard, progress)

    def status(self) -> Status:
        """The progress of the world and its missing shards."""
        phase, tiles, done, missing, machines, rate, damaged, root = self._shards.status()
        return Status(phase, tiles, done, missing, dict(machines), rate, damaged, root)

    def seal(self, *, progress: Progress | None = None) -> Baked:
        """Checks that every tile exists and writes the manifest with the root hash."""
        root, tiles, _ = self._shards.seal(progress)
        return Baked(root, tiles, 0, [], [])


def _recipe(of: Recipe | Noise | Pipeline) -> Recipe:
    return of if isinstance(of, Recipe) else Recipe(of)


def _json(options: Mapping[str, Any]) -> str:
    """The options in the library's JSON format."""
    given = {("for" if name == "destination" else name): value for name, value in options.items() if value is not None}
    if "tiles" in given:
        given["tiles"] = _tiles(given["tiles"])
    if "range" in given:
        given["range"] = _range(given["range"])
    if "layers" in given:
        given["layers"] = [_layer(layer) for layer in _listed(given["layers"])]
    try:
        return json.dumps(given, allow_nan=False, default=_number)
    except (TypeError, ValueError) as error:
        raise OrogenError(f"options = {given} are not allowed; allowed: numbers, text, lists") from error


def _number(value: Any) -> Any:
    """Converts NumPy numbers and paths."""
    return value.item() if hasattr(value, "item") else os.fspath(value)


def _listed(layers: Any) -> Iterable[Any]:
    return [layers] if isinstance(layers, str | Mapping) else layers


def _layer(layer: str | Mapping[str, Any]) -> Any:
    if not isinstance(layer, Mapping):
        return layer
    return {name: _range(value) if name == "range" else value for name, value in layer.items()}


def _tiles(tiles: Any) -> str:
    if isinstance(tiles, str):
        return tiles
    try:
        x, y = (_half_open(axis) for axis in tiles)
    except (TypeError, ValueError) as error:
        raise OrogenError(f"tiles = {tiles!r} is not allowed; allowed: ((x0, x1), (y0, y1)), or (columns, rows)") from error
    return f"{x[0]}..{x[1]},{y[0]}..{y[1]}"


def _half_open(axis: Any) -> tuple[int, int]:
    if isinstance(axis, Sequence) and not isinstance(axis, str):
        start, end = axis
        return index(start), index(end)
    return 0, index(axis)


def _range(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        low, high = (float(end) for end in value)
    except (TypeError, ValueError) as error:
        raise OrogenError(f"range = {value!r} is not allowed; allowed: (lo, hi), 'proven', 'measured'") from error
    return f"{low!r},{high!r}"
