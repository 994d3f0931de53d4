"""Points with a minimum distance, and places of several kinds by rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from . import _orogen

if TYPE_CHECKING:
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray

    from ._noise import Noise
    from ._orogen import Engine, Recipe


class Places(NamedTuple):
    """The points of a rectangle."""

    positions: NDArray[np.float64]
    """(n, 2): world units along x and y."""
    threshold: NDArray[np.float64]
    """(n,): the density, 0 to 1, above which the point appears."""
    random: NDArray[np.float64]
    """(n,): a random number from 0 to 1 for the caller's use, such as the kind or rotation of a tree."""


@dataclass(frozen=True)
class Poisson:
    """A maximal set of points no two of which are closer than `distance` world units: no further point fits between them. The points do not
    depend on the requested part of the plane.

    `relax` steps of Lloyd's relaxation, up to 64, move each point to the centroid of its Voronoi cell. The points become more even, but
    their distance is no longer guaranteed.
    """

    distance: float = 10.0
    seed: int = 0
    relax: int = 0

    def points(self, low: Sequence[float], high: Sequence[float]) -> Places:
        """All points of a rectangle from `low` = (x, y) up to, but not including, `high`. Their order is unspecified."""
        return Places(*_orogen.places(self.distance, self.seed, self.relax, list(low), list(high)))

    def scatter(self, engine: Engine, density: Noise, low: Sequence[float], high: Sequence[float], *, z: float = 0.0) -> Places:
        """The points that a density, clamped to 0 to 1, keeps: fewer where it is low. The density is sampled in the plane `z`."""
        return Places(*_orogen.scatter(engine, density, self.distance, self.seed, self.relax, list(low), list(high), z))


class KindPlaces(NamedTuple):
    """Places of several kinds in a rectangle, ordered by kind."""

    kind: NDArray[np.int64]
    """(n,): the index of its kind in `PlaceRules.kinds`."""
    id: NDArray[np.uint64]
    """(n,): a number of its own, which depends on the kind's name and seed and on the position alone."""
    positions: NDArray[np.float64]
    """(n, 2): world units along x and y."""
    height: NDArray[np.float64]
    """(n,): the value of the layer of heights."""
    rotation: NDArray[np.float64]
    """(n,): degrees, clockwise seen from above, 0 to 360."""
    scale: NDArray[np.float64]
    """(n,): within the limits of its kind."""


@dataclass(frozen=True)
class PlaceRules:
    """Rules of several kinds of places that keep apart: TOML with a table for each kind, the most important first, as for
    `orogen places --rules`.

    | key | meaning | default |
    |---|---|---|
    | `density` | layer whose value is the density, from 0 (no places) to 1 | 1 everywhere |
    | `distance` | minimum distance between two places of the kind, in world units | 10 |
    | `radius` | distance to a place of another kind less the radius of that one, in world units | 0 |
    | `limits` | layers and their `[least, greatest]` values, or `[least, greatest, width]` to fade over that width | none |
    | `scale` | the smallest and the largest scale | `[1.0, 1.0]` |
    | `seed` | seed of the places; kinds with the same seed have different places | 0 |
    | `relax` | steps of relaxation, as of `Poisson` | 0 |
    """

    text: str

    def __post_init__(self) -> None:
        _orogen.place_kinds(self.text)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> PlaceRules:
        """Reads a file of rules."""
        return cls(Path(path).read_text(encoding="utf-8"))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of the kinds, the most important first."""
        return tuple(_orogen.place_kinds(self.text))

    def places(
        self,
        engine: Engine,
        recipe: Recipe,
        low: Sequence[float] | None = None,
        high: Sequence[float] | None = None,
        *,
        heights: str | None = None,
    ) -> KindPlaces:
        """All places of a rectangle from `low` = (x, y) up to, but not including, `high`; by default the recipe's tiles. They do not depend
        on the rectangle, and are those of `orogen places --rules` to the last bit.

        Layers have values at the recipe's samples, and in between by linear interpolation. Stages that depend on the whole world are
        measured over the recipe's tiles. `heights`: the layer of the places' heights, by default the recipe's output.
        """
        first, last = (None if corner is None else list(corner) for corner in (low, high))
        return KindPlaces(*_orogen.rule_places(self.text, engine, recipe, first, last, heights))

    def to_text(self, places: KindPlaces, form: Literal["csv", "geojson", "unreal", "unity", "godot"]) -> str:
        """Places as the text of a file: a table, GeoJSON, or a list of instances with the axes and units of an engine."""
        return _orogen.place_list(self.text, places, form)
