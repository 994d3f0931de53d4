"""Heights that come in: files and arrays as noises."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import orogen as og

ENGINE = og.Engine(backend="cpu")


def test_an_array_is_a_noise() -> None:
    heights = np.random.default_rng(1).normal(size=(9, 13)).astype(np.float32)
    noise = og.raster(heights=heights, sampling="linear")
    found = ENGINE.field(noise, og.Region.plane(13, 9))
    assert np.allclose(found, heights, atol=1e-6)
    # Any array-like, any layout; what is handed over is copied.
    same = og.raster(heights=np.asfortranarray(heights.astype(np.float64)), sampling="linear")
    heights[:] = 0
    assert np.array_equal(ENGINE.field(same, og.Region.plane(13, 9)), found)
    smooth = og.raster(heights=found, spacing=(10, 10), outside="mirror").warp(og.simplex(wavelength=30), 0.0, 0.0, strength=5)
    assert np.isfinite(ENGINE.field(smooth, og.Region.plane(64, 64))).all()


def test_a_file_is_read_and_goes_where_the_noise_goes(tmp_path: Path) -> None:
    file = tmp_path / "heights.npy"
    np.save(file, np.arange(12, dtype=np.float32).reshape(3, 4))
    noise = og.raster(heights=file)
    low, high = noise.range()
    assert low <= 0 and high >= 11
    file.unlink()
    for thing in (noise, og.Pipeline(noise).thermal(iterations=2)):
        again = pickle.loads(pickle.dumps(thing))
        assert again == thing
        assert again.to_json() == thing.to_json()
    field = ENGINE.field(noise, og.Region.plane(16, 16))
    assert np.array_equal(ENGINE.field(pickle.loads(pickle.dumps(noise)), og.Region.plane(16, 16)), field)


def test_a_file_that_was_read_twice_is_two(tmp_path: Path) -> None:
    file = tmp_path / "heights.npy"
    both = []
    for height in (0.0, 1.0):
        np.save(file, np.full((2, 2), height, dtype=np.float32))
        both.append(og.raster(heights=file))
    before, after = both
    assert before.__dask_tokenize__() != after.__dask_tokenize__()
    assert og.Pipeline(before).__dask_tokenize__() != og.Pipeline(after).__dask_tokenize__()
    difference = pickle.loads(pickle.dumps(after - before))
    assert difference == after - before
    assert np.array_equal(ENGINE.field(difference, og.Region.plane(2, 2)), np.ones((2, 2)))


def test_a_recipe_brings_its_files(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.ones((2, 2), dtype=np.float32))
    recipe = tmp_path / "a.toml"
    recipe.write_text('output = "a"\n[node.a]\nkind = "raster"\nheights = "a.npy"\n')
    read = og.Recipe.load(recipe)
    assert pickle.loads(pickle.dumps(read)) == read
    assert np.allclose(ENGINE.field(read.noise, og.Region.plane(3, 3)), 1)
    assert "sha256" in read.to_toml()


@pytest.mark.parametrize(
    "heights",
    [
        np.zeros(3),
        np.zeros((2, 2, 2)),
        np.zeros((0, 4)),
        np.zeros((1, 20000)),
        np.full((2, 2), np.nan),
        np.array([["a"]]),
        "no such file.png",
        7,
        None,
        {},
    ],
)
def test_what_is_no_heights_is_refused(heights: object) -> None:
    with pytest.raises(og.OrogenError, match="heights"):
        og.raster(heights=heights)  # type: ignore[arg-type]
