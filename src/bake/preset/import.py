# orogen bake: builds the world in this folder in Blender, with a mesh for each tile and a vertex for each sample.
# blender --python import.py
import json
import os

import bpy
import numpy

here = os.path.dirname(os.path.abspath(__file__))
if not os.path.isfile(os.path.join(here, "import.json")):
    # In the Text Editor `__file__` does not name the file.
    here = os.path.dirname(bpy.path.abspath(bpy.context.space_data.text.filepath))
with open(os.path.join(here, "import.json"), encoding="utf-8") as file:
    world = json.load(file)

edge, step = world["samples"], world["step"]
apart = world["tile"] * step


def load(layer, x, y):
    """A tile's file as an image, or None if it has not been baked."""
    path = os.path.join(here, layer["files"].replace("{x}", str(x)).replace("{y}", str(y)))
    if not os.path.isfile(path):
        return None
    image = bpy.data.images.load(path)
    image.colorspace_settings.name = "Non-Color"
    return image


def heights(image):
    """Metres by row and column, the smallest y first: Blender's first row is the bottom of the picture."""
    pixels = numpy.empty(edge * edge * 4, dtype=numpy.float32)
    image.pixels.foreach_get(pixels)
    return pixels.reshape(edge, edge, 4)[::-1, :, 0]


# Corners of each square, counterclockwise seen from above.
row, column = numpy.mgrid[0 : edge - 1, 0 : edge - 1]
first = (row * edge + column).ravel()
quads = numpy.stack([first, first + edge, first + edge + 1, first + 1], axis=1)
row, column = numpy.mgrid[0:edge, 0:edge]

collection = bpy.data.collections.new("world")
bpy.context.scene.collection.children.link(collection)
for y in range(*world["tiles"]["y"]):
    for x in range(*world["tiles"]["x"]):
        image = load(world["layers"][0], x, y)
        if image is None:
            continue
        vertices = numpy.stack([column * step, row * -step, heights(image)], axis=2).reshape(-1, 3)
        mesh = bpy.data.meshes.new(f"x{x}_y{y}")
        mesh.from_pydata(vertices.tolist(), [], quads.tolist())
        mesh.update()
        tile = bpy.data.objects.new(mesh.name, mesh)
        tile.location = (x * apart, y * -apart, 0.0)
        collection.objects.link(tile)
        bpy.data.images.remove(image)
        for layer in world["layers"][1:]:
            load(layer, x, y)
