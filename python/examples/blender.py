"""A landscape as a mesh in Blender, by its own Python: needs the package `bpy`, or Blender itself.

python examples/blender.py land.blend
"""

from __future__ import annotations

import sys

import numpy as np

import orogen as og


def main(path: str) -> None:
    import bpy

    size = 256
    noise = og.simplex(wavelength=120.0).fractal(octaves=8) * 25
    region = og.Region.plane(size, size)
    heights = og.Engine("cpu").field(noise, region)
    y, x = np.mgrid[0:size, 0:size]
    vertices = np.column_stack([x.ravel(), y.ravel(), heights.ravel()])
    corner = (y * size + x)[:-1, :-1].ravel()
    faces = np.column_stack([corner, corner + 1, corner + size + 1, corner + size])

    mesh = bpy.data.meshes.new("land")
    mesh.from_pydata(vertices.tolist(), [], faces.tolist())
    mesh.update()
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("land", mesh))
    bpy.ops.wm.save_as_mainfile(filepath=path)
    print(f"{path}: {len(mesh.vertices)} vertices, {len(mesh.polygons)} faces")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "land.blend")
