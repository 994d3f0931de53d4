"""What `orogen bake --format zarr` writes, as zarr-python and xarray read it."""

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
tile = 100
tiles = [3, 2]
spacing = 2.5
"""


@pytest.fixture(scope="module")
def world(command, tmp_path_factory):
    folder = tmp_path_factory.mktemp("zarr")
    recipe = folder / "hills.toml"
    recipe.write_text(RECIPE)
    flags = ["--format", "zarr", "--pixels", "32", "--layers", "hills,normals", "--tiles", "-1..2,0..2", "--backend", "cpu"]
    command("bake", recipe, "--out", folder / "out", *flags)
    return folder / "out" / "world.zarr", og.Recipe.load(recipe).noise


def test_every_level_is_the_noise_bit_for_bit(world, engine):
    path, noise = world
    group = zarr.open_group(path, mode="r")
    levels = [entry["path"] for entry in group.attrs["multiscales"][0]["datasets"]]
    assert levels == ["0", "1", "2", "3", "4"]
    whole = np.asarray(engine.field(noise, og.Region(size=(300, 200), origin=(-100, 0), spacing=2.5)))
    for level in map(int, levels):
        step = 1 << level
        array = group[f"{level}/hills"]
        assert array.dtype == np.float32
        assert array.chunks == (32, 32)
        assert array.shards == (256, 256)
        found, expected = array[:], whole[::step, ::step]
        assert found.shape == expected.shape
        assert np.array_equal(found.view(np.uint32), expected.view(np.uint32))
        np.testing.assert_array_equal(group[f"{level}/x"][:], (-100 + step * np.arange(found.shape[1])) * 2.5)
    assert group["0/normals"].shape == (200, 300, 3)
    assert group.attrs["orogen"]["recipe"]["output"] == "hills"
    lowest, highest = group["0/hills"].attrs["range"]
    assert (np.float32(lowest), np.float32(highest)) == (whole.min(), whole.max())


def test_xarray_opens_a_level_as_a_dataset(world):
    path, _ = world
    level = xarray.open_zarr(path, group="1", consolidated=False)
    assert set(level.coords) == {"x", "y"}
    assert level.hills.dims == ("y", "x")
    assert level.normals.dims == ("y", "x", "channel")
    assert float(level.hills.sel(x=0.0, y=5.0)) == float(level.hills[1, 50])
    assert level.attrs["spacing"] == 5.0
