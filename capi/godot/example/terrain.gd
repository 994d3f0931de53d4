# Endless ground around the camera: put this on a Node3D, and a Camera3D anywhere in the scene.
#
# Written for Godot 4.3 and newer, and not run in it.
extends Node3D

## What the ground is. Without one, a recipe of hills.
@export var noise: OrogenNoise
## Cells along the edge of a chunk, a metre each.
@export_range(8, 256) var cells := 64
## How far there is ground, in chunks.
@export_range(1, 32) var radius := 6
## How far the mesh may be off the heights, in metres.
@export_range(0.0, 10.0) var error := 0.2
## Meshes that a frame takes over at most.
@export_range(1, 16) var per_frame := 2
@export var material: Material

const HILLS := """
output = "height"

[node.basis]
kind = "simplex"
wavelength = 300.0

[node.raw]
kind = "fractal"
of = "basis"
octaves = 7

[node.height]
kind = "scale_offset"
of = "raw"
scale = 60.0
offset = 60.0
"""

# Nodes by chunk; null for one that has been asked for.
var _chunks := {}
var _here := Vector2i.MAX


func _ready() -> void:
	if noise == null:
		noise = OrogenNoise.new()
		noise.load_text(HILLS)


func _process(_delta: float) -> void:
	var camera := get_viewport().get_camera_3d()
	if camera == null or not noise.is_loaded():
		return
	var at := to_local(camera.global_position) / float(cells)
	var here := Vector2i(floori(at.x), floori(at.z))
	if here != _here:
		_here = here
		_drop_far()
		_request_missing()
	for done in noise.take_meshes(per_frame):
		_insert(Vector2i(done.x, done.y), done.mesh)


# The recipe or one of its parameters has changed: everything is made anew.
func rebuild() -> void:
	noise.cancel_meshes()
	for chunk in _chunks.values():
		if chunk != null:
			chunk.queue_free()
	_chunks.clear()
	_here = Vector2i.MAX


func _request_missing() -> void:
	var missing: Array[Vector2i] = []
	for y in range(-radius, radius + 1):
		for x in range(-radius, radius + 1):
			var chunk := _here + Vector2i(x, y)
			if x * x + y * y <= radius * radius and not _chunks.has(chunk):
				missing.append(chunk)
	missing.sort_custom(_is_nearer)
	for chunk in missing:
		if noise.request_mesh(chunk.x, chunk.y, cells, error):
			_chunks[chunk] = null


func _is_nearer(a: Vector2i, b: Vector2i) -> bool:
	return (a - _here).length_squared() < (b - _here).length_squared()


# A chunk more than the radius stays, so that walking to and fro over a border makes no work.
func _drop_far() -> void:
	for chunk: Vector2i in _chunks.keys():
		if (chunk - _here).length_squared() > (radius + 1) * (radius + 1):
			if _chunks[chunk] != null:
				_chunks[chunk].queue_free()
			noise.cancel_mesh(chunk.x, chunk.y)
			_chunks.erase(chunk)


func _insert(chunk: Vector2i, mesh: ArrayMesh) -> void:
	# Nobody waits for it any more, or there is none.
	if mesh == null or not _chunks.has(chunk) or _chunks[chunk] != null:
		return
	var node := MeshInstance3D.new()
	node.mesh = mesh
	node.material_override = material
	node.position = Vector3(chunk.x * cells, 0.0, chunk.y * cells)
	add_child(node)
	_chunks[chunk] = node
