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
    """A triangle mesh. Vertices, normals and anchor have z up. For trimesh: `trimesh.Trimesh(mesh.vertices, mesh.faces)`."""

    vertices: NDArray[np.float32]
    """(n, 3): positions relative to the anchor, in world units."""
    faces: NDArray[np.uint32]
    """(m, 3): indices of three vertices, anticlockwise seen from outside."""
    normals: NDArray[np.float32]
    """(n, 3): unit vectors that point out of the solid."""
    anchor: tuple[float, float, float]
    """World position to which the vertices are relative."""


def surface(engine: Engine, density: Noise, region: Region, at: float = 0.0, *, walls: bool = False) -> Mesh:
    """The surface of the solid, where the density is at least `at`. It is closed and oriented inside the region, a volume of 2 to 1024
    samples along each axis. `chunk_volume` divides a world into regions whose surfaces meet without a gap. `walls` close the surface at the
    borders of the region, with separate vertices."""
    return Mesh(*_orogen.surface(engine, density, region, at, walls))


def terrain(heights: ArrayLike, region: Region, *, error: float = 0.0, skirt: float = 0.0) -> Mesh:
    """Heights as triangles: values of a region, an array of shape (rows, columns). The outermost values only determine the normals at the
    border. No sample lies farther from the triangles than `error`, in world units; with 0, every sample is a vertex. `skirt`: depth of the
    walls around the mesh, in world units. Meshes of neighbouring `terrain_chunk` regions share the vertices of their common edge."""
    return Mesh(*_orogen.terrain(heights, region, error, skirt))
