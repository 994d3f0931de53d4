"""Points with a minimum distance."""

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
