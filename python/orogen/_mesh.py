"""Heights and surfaces of volumes as triangles."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _orogen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from ._noise import Noise
    from ._orogen import Engine, Region


class Mesh(NamedTuple):
    """Triangles; vertices, normals and anchor are in the world's axes, z up. `trimesh.Trimesh(mesh.vertices, mesh.faces)` takes them."""

    vertices: NDArray[np.float32]
    """(n, 3): world units from the anchor."""
    faces: NDArray[np.uint32]
    """(m, 3): three vertices each, anticlockwise seen from outside."""
    normals: NDArray[np.float32]
    """(n, 3): unit vectors out of what is solid."""
    anchor: tuple[float, float, float]
    """World position from which the vertices are measured."""


def surface(engine: Engine, density: Noise, region: Region, at: float = 0.0, *, walls: bool = False) -> Mesh:
    """The surface of what is solid, where the density is `at` or more: closed and oriented inside the region, which is a volume
    of 2 to 1024 samples along each axis. `chunk_volume` cuts a world into regions whose surfaces meet without a gap; `walls` close it
    where the region ends, with vertices of their own."""
    return Mesh(*_orogen.surface(engine, density, region, at, walls))


def terrain(heights: ArrayLike, region: Region, *, error: float = 0.0, skirt: float = 0.0) -> Mesh:
    """Heights as triangles: values of a region, an array of shape (rows, columns), all but the outermost, which tell the normals at the
    border. No sample lies farther from the triangles than `error`, in world units; 0: every sample is a vertex. `skirt`: how far walls hang
    down around them. Regions of `terrain_chunk` have the same vertices where they meet."""
    return Mesh(*_orogen.terrain(heights, region, error, skirt))
