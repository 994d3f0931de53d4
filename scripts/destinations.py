"""Draws a world that was baked for a 3D program, as the program reads it: `destinations.py DESTINATION WORLD PICTURE`."""

import json
import re
import runpy
import sys
from pathlib import Path

import bpy
import numpy
import OpenEXR
from mathutils import Vector
from PIL import Image

destination, world, picture = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
note = json.loads((world / "import.json").read_text())
heights, values = note["layers"][0], note["values"]
edge = note["samples"]


def exr(path):
    with OpenEXR.File(str(path)) as file:
        channels = file.channels()
        found = channels.get("Y") or channels.get("R") or next(iter(channels.values()))
        pixels = found.pixels
    return pixels[..., 0] if pixels.ndim == 3 else pixels


def words(path):
    return numpy.fromfile(path, dtype="<u2").reshape(edge, edge).astype(float)


def unreal(shared):
    # Z = (word - 32768) / 128 * scale, in centimetres; the scale's X is the centimetres between samples.
    def read(path):
        number = dict((m[1], int(m[2])) for m in re.finditer(r"([xyuv])(-?\d+)", path.stem))
        z = (numpy.array(Image.open(path)).astype(float) - 32768) / 128 * values["scale"][2] + values["location"][2]
        step = values["scale"][0]
        return [number["x"] * (edge - shared) * step, number["y"] * (edge - shared) * step], [step, step], z

    return read, "X", "Y", 0.01


def metres(load, far, sign=1.0, step=1.0, between=None):
    # `far`: where a tile begins on the axis that points away from or towards who looks.
    def read(path):
        x, y = map(int, re.search(r"x(-?\d+)_y(-?\d+)", path.stem).groups())
        between_tiles = between or (edge - note["overlap"]) * step
        begin = -(y + 1) * between_tiles if sign < 0 else y * between_tiles
        return [x * between_tiles, begin], [step, step], load(path)

    return read, "X", far, 1.0


def unity(path):
    # The importer divides words by 65536.
    return words(path) / 65536 * values["terrain_size"][1] + values["position_y"]


def raw(path):
    return numpy.fromfile(path, dtype="<f4").reshape(edge, edge)


READERS = {
    "unreal": lambda: unreal(0),
    "unreal-composition": lambda: unreal(1),
    "unity": lambda: metres(unity, "Z", sign=-1.0, between=values["terrain_size"][0]),
    "terrain3d": lambda: metres(lambda path: exr(path) * values["scale"] + values["offset"], "Z", step=values["vertex_spacing"]),
    "hterrain": lambda: metres(exr, "Z"),
    "godot": lambda: metres(lambda path: exr(path) * values["height_scale"], "Z", step=values["collision_scale"][0]),
    "houdini": lambda: metres(lambda path: exr(path) * values["height_scale"], "Z", step=values["grid_spacing"], between=values["tile_distance"]),
    "raw": lambda: metres(raw, "y"),
}

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
tints = [(0.30, 0.25, 0.19, 1), (0.19, 0.22, 0.25, 1)]
materials = []
for tint in tints:
    material = bpy.data.materials.new("ground")
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = tint
    shader.inputs["Roughness"].default_value = 1.0
    materials.append(material)
ink = bpy.data.materials.new("ink")
ink.use_nodes = True
nodes = ink.node_tree.nodes
light = nodes.new("ShaderNodeEmission")
light.inputs["Color"].default_value = (1, 0.75, 0.3, 1)
light.inputs["Strength"].default_value = 1.2
ink.node_tree.links.new(light.outputs[0], nodes["Material Output"].inputs["Surface"])

labels = []
if destination == "blender":
    runpy.run_path(str(world / "import.py"), run_name="__main__")
    tiles = list(bpy.data.collections["world"].objects)
    for tile in tiles:
        x, y = map(int, re.search(r"x(-?\d+)_y(-?\d+)", tile.name).groups())
        tile.data.materials.clear()
        tile.data.materials.append(materials[(x + y) % 2])
        bpy.context.view_layer.update()
        corners = [tile.matrix_world @ Vector(corner) for corner in tile.bound_box]
        labels.append((tile.name, corners))
    across, away, sign = "X", "Y", -1.0
else:
    read, across, away, unit = READERS[destination]()
    sign = -1.0 if destination == "unity" else 1.0
    files = [path for path in sorted(world.iterdir()) if re.search(r"x-?\d+_y-?\d+\.(png|exr|raw|r32)$", path.name)]
    assert len(files) == (note["tiles"]["x"][1] - note["tiles"]["x"][0]) * (note["tiles"]["y"][1] - note["tiles"]["y"][0]), files
    for path in files:
        (x, y), (dx, dy), z = read(path)
        assert z.shape == (edge, edge), z.shape
        thin = max(1, -(-edge // 260))
        # The last row and column always: they meet the neighbours.
        keep = numpy.unique(numpy.append(numpy.arange(0, edge, thin), edge - 1))
        z = z[numpy.ix_(keep, keep)] * unit
        gx, gy = (x + keep * dx) * unit, (y + keep * dy) * unit
        n = len(keep)
        # Drawn with the destination's axis away from who looks where it counts upwards (Unity's Z), else towards.
        points = numpy.stack([numpy.broadcast_to(gx, (n, n)), numpy.broadcast_to((-sign * gy)[:, None], (n, n)), z], axis=-1).reshape(-1, 3)
        mesh = bpy.data.meshes.new(path.name)
        i = (numpy.arange(n - 1)[:, None] * n + numpy.arange(n - 1)).reshape(-1)
        faces = numpy.stack([i, i + n, i + n + 1, i + 1], axis=-1)
        mesh.from_pydata(points.tolist(), [], faces.tolist())
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
        tile_x, tile_y = (int(m[1]) for m in re.finditer(r"[xy](-?\d+)", path.stem))
        mesh.materials.append(materials[(tile_x + tile_y) % 2])
        thing = bpy.data.objects.new(path.name, mesh)
        scene.collection.objects.link(thing)
        low, high = points.min(0), points.max(0)
        labels.append((path.name, [Vector((a, b, c)) for a in (low[0], high[0]) for b in (low[1], high[1]) for c in (low[2], high[2])]))

everything = numpy.array([corner for _, corners in labels for corner in corners])
low, high = everything.min(0), everything.max(0)
middle, span = (low + high) / 2, max(high[0] - low[0], high[1] - low[1])


def written(text, at, size, align="CENTER"):
    curve = bpy.data.curves.new("text", "FONT")
    curve.body, curve.size, curve.align_x, curve.align_y = text, size, align, "CENTER"
    thing = bpy.data.objects.new("text", curve)
    thing.location = at
    thing.data.materials.append(ink)
    thing.visible_shadow = False
    scene.collection.objects.link(thing)
    return thing


tile_span = max(corners[-1].x - corners[0].x for _, corners in labels)
front = min(corner.y for _, corners in labels for corner in corners)
for name, corners in labels:
    centre = sum(corners, Vector()) / 8
    at = Vector((centre.x, centre.y, max(c.z for c in corners) + 0.02 * span))
    # As much as fits above its own tile.
    text = written(name, at, min(0.14, 1.3 / len(name)) * tile_span)
    text.rotation_euler = (0.6, 0, 0)
# Axes along the front and the left side, arrows towards larger numbers.
size = 0.045 * span
written(f"{across} →", Vector((middle[0], low[1] - 0.06 * span, low[2])), size).rotation_euler = (0.5, 0, 0)
# In the picture the first row's side is at the back, unless the axis counts away from who looks.
up = sign < 0
written(f"{away} →" if up else f"← {away}", Vector((low[0] - 0.06 * span, middle[1], low[2])), size).rotation_euler = (0, 0, numpy.pi / 2)

sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
sun.data.energy, sun.data.angle = 4.0, 0.02
sun.rotation_euler = (0.85, 0.0, -2.3 + numpy.pi)
scene.collection.objects.link(sun)
scene.world = bpy.data.worlds.new("sky")
scene.world.use_nodes = True
background = scene.world.node_tree.nodes["Background"]
background.inputs["Color"].default_value, background.inputs["Strength"].default_value = (0.16, 0.20, 0.26, 1), 0.9

camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.data.lens, camera.data.clip_end = 57, 100 * span
camera.location = Vector(middle) + Vector((0.0, -1.62, 1.55)) * span * 1.12
camera.rotation_euler = (Vector(middle) - Vector((0, 0.1 * span, 0)) - camera.location).to_track_quat("-Z", "Y").to_euler()
scene.collection.objects.link(camera)
scene.camera = camera

scene.render.engine = "CYCLES"
scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", 24, True
scene.cycles.max_bounces = 2
scene.render.resolution_x, scene.render.resolution_y = 600, 370
scene.view_settings.view_transform = "Standard"
scene.render.filepath = str(world / "drawn.png")
bpy.ops.render.render(write_still=True)
Image.open(world / "drawn.png").convert("RGB").quantize(128, dither=Image.Dither.FLOYDSTEINBERG).save(picture, optimize=True)
print(f"{picture}: {len(labels)} tiles, heights {low[2]:.0f} to {high[2]:.0f} m")
