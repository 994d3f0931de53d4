"""Points that keep their distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from . import _orogen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._noise import Noise
    from ._orogen import Engine


class Places(NamedTuple):
    """Points of a rectangle."""

    positions: NDArray[np.float64]
    """(n, 2): world units along x and y."""
    threshold: NDArray[np.float64]
    """(n,): the density, 0 to 1, above which the point appears."""
    random: NDArray[np.float64]
    """(n,): a number from 0 to 1 for whatever the caller likes: which tree, turned how."""


@dataclass(frozen=True)
class Poisson:
    """Points no two of which are closer than `distance` world units, with no room between them for another: the same ones whatever part of
    the plane is asked for.

    `relax` steps of Lloyd's relaxation, up to 64, move each to the centroid of what is nearer to it than to any other: more even points,
    whose distance is no longer guaranteed.
    """

    distance: float = 10.0
    seed: int = 0
    relax: int = 0

    def points(self, low: Sequence[float], high: Sequence[float]) -> Places:
        """All points of a rectangle from `low` = (x, y) up to, but not including, `high`. Their order says nothing."""
        return Places(*_orogen.places(self.distance, self.seed, self.relax, list(low), list(high)))

    def scatter(self, engine: Engine, density: Noise, low: Sequence[float], high: Sequence[float], *, z: float = 0.0) -> Places:
        """The points that a density, held between 0 and 1, lets appear: further apart where it is low. It is read in the plane `z`."""
        return Places(*_orogen.scatter(engine, density, self.distance, self.seed, self.relax, list(low), list(high), z))
