"""Orogen: procedural noise. One description, the same bits on GPU and CPU.

    import orogen as og
    hills = og.simplex(wavelength=300).fractal(octaves=8, gain=0.5)
    heights = og.Engine("cpu").field(60 * hills + 60, og.Region.tile(3, 5, 128))

Positions are (x, y, z) in world units, wavelengths are world units per lattice cell, noises are signed, row 0 is the smallest y, and
gradients are per world unit. Invalid values raise `OrogenError`, which is a `ValueError`.
"""

from . import node, stage, stats
from ._bake import Baked, Checked, Status, World, bake, check, plan
from ._mesh import Mesh, surface, terrain
from ._noise import Noise
from ._orogen import (
    Engine,
    OrogenError,
    Prepared,
    PreparedSeveral,
    Recipe,
    Region,
    __version__,
    chunk_volume,
    coarser_chunk_volume,
    coarser_terrain_chunk,
    terrain_chunk,
)
from ._picture import draw
from ._pipeline import Pipeline
from ._places import KindPlaces, PlaceRules, Places, Poisson
from ._points import ColourStop, ControlPoint, QuantilePoint, RadialPoint
from ._scale import dask_array, xarray
from .node import *  # noqa: F403

__all__ = [
    "Baked",
    "Checked",
    "ColourStop",
    "ControlPoint",
    "Engine",
    "KindPlaces",
    "Mesh",
    "Noise",
    "OrogenError",
    "Pipeline",
    "PlaceRules",
    "Places",
    "Poisson",
    "Prepared",
    "PreparedSeveral",
    "QuantilePoint",
    "RadialPoint",
    "Recipe",
    "Region",
    "Status",
    "World",
    "__version__",
    "bake",
    "check",
    "chunk_volume",
    "coarser_chunk_volume",
    "coarser_terrain_chunk",
    "dask_array",
    "draw",
    "node",
    "plan",
    "stage",
    "stats",
    "surface",
    "terrain",
    "terrain_chunk",
    "xarray",
    *node.__all__,
]
