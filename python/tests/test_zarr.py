"""Zarr arrays as zarr-python and xarray read them: those that a bake writes, alone or by shards, and those out of a bake of other tiles."""

import json

import numpy as np
import pytest

import orogen as og

zarr = pytest.importorskip("zarr")
xarray = pytest.importorskip("xarray")

RECIPE = """output = "hills"
[node.hills]
kind = "simplex"
wavelength = 90.0
[stage.normals]
kind = "normal"
of = "hills"
[bake]
tile = 96
tiles = [3, 2]
spacing = 2.5
"""
FLAGS = ["--layers", "hills,normals", "--tiles", "-1..2,0..2", "--backend", "cpu"]
SHARDS = 4


@pytest.fixture(scope="module", params=["alone", "shards", "map"])
def world(request, command, tmp_path_factory):
    folder = tmp_path_factory.mktemp("zarr")
    recipe = folder / "hills.toml"
    recipe.write_text(RECIPE)
    out = folder / "out"
    if request.param == "alone":
        command("bake", recipe, "--out", out, "--format", "zarr", *FLAGS)
    elif request.param == "shards":
        command("plan", recipe, "--out", out, "--shards", SHARDS, "--format", "zarr", *FLAGS)
        for shard in reversed(range(SHARDS)):
            command("bake", out, "--shard", f"{shard}/{SHARDS}", "--backend", "cpu")
        command("seal", out)
    else:
        command("bake", recipe, "--out", folder / "tiles", "--format", "npy", *FLAGS)
        command("map", folder / "tiles", "--out", out, "--format", "zarr", "--pixels", "16")
    edge = 128 if request.param == "map" else 96
    return out / "world.zarr", og.Recipe.load(recipe).noise, edge


def test_every_level_is_the_noise_bit_for_bit(world, engine):
    path, noise, edge = world
    group = zarr.open_group(path, mode="r")
    levels = [entry["path"] for entry in group.attrs["multiscales"][0]["datasets"]]
    assert levels == [str(level) for level in range(6)]
    whole = np.asarray(engine.field(noise, og.Region(size=(288, 192), origin=(-96, 0), spacing=2.5)))
    for level in map(int, levels):
        step = 1 << level
        array = group[f"{level}/hills"]
        assert array.dtype == np.float32
        assert np.isnan(array.fill_value)
        assert array.chunks == (edge // 8, edge // 8)
        assert array.shards == (edge, edge)
        found, expected = array[:], whole[::step, ::step]
        assert found.shape == expected.shape
        assert np.array_equal(found.view(np.uint32), expected.view(np.uint32))
        assert array.attrs["spacing"] == 2.5 * step
        np.testing.assert_array_equal(group[f"{level}/x"][:], (-96 + step * np.arange(found.shape[1])) * 2.5)
        np.testing.assert_array_equal(group[f"{level}/y"][:], step * np.arange(found.shape[0]) * 2.5)
    normals = group["0/normals"][:]
    assert normals.shape == (192, 288, 3)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=2), 1.0, atol=1e-5)
    coarse = group["2/normals"][:]
    assert np.array_equal(coarse.view(np.uint32), normals[::4, ::4].view(np.uint32))
    assert group.attrs["orogen"]["recipe"]["output"] == "hills"
    lowest, highest = group["0/hills"].attrs["range"]
    assert (np.float32(lowest), np.float32(highest)) == (whole.min(), whole.max())


def test_xarray_opens_a_level_as_a_dataset(world):
    path, _, _ = world
    level = xarray.open_zarr(path, group="1", consolidated=False)
    assert set(level.coords) == {"x", "y"}
    assert level.hills.dims == ("y", "x")
    assert level.normals.dims == ("y", "x", "channel")
    assert float(level.hills.sel(x=0.0, y=5.0)) == float(level.hills[1, 48])
    assert level.attrs["spacing"] == 5.0


def test_a_file_of_the_array_is_one_tile(world):
    path, _, edge = world
    files = sorted(str(file.relative_to(path / "0/hills/c")) for file in (path / "0/hills/c").rglob("*") if file.is_file())
    columns, rows = -(-288 // edge), -(-192 // edge)
    assert files == sorted(f"{row}/{column}" for row in range(rows) for column in range(columns))
    described = json.loads((path / "0/hills/zarr.json").read_text())
    assert described["codecs"][0]["name"] == "sharding_indexed"
    assert [codec["name"] for codec in described["codecs"][0]["configuration"]["codecs"]] == ["bytes", "zstd", "crc32c"]
