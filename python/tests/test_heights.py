"""Heights that come in: files and arrays as noises."""

from __future__ import annotations

import errno
import pickle
import re
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
        7,
        None,
        {},
    ],
)
def test_what_is_no_heights_is_refused(heights: object) -> None:
    with pytest.raises(og.OrogenError, match="heights"):
        og.raster(heights=heights)  # type: ignore[arg-type]


def test_a_file_that_is_not_there_is_pythons_own_error(tmp_path: Path) -> None:
    missing = tmp_path / "no such.npy"
    recipe = tmp_path / "a.toml"
    recipe.write_text('output = "a"\n[node.a]\nkind = "raster"\nheights = "no such.npy"\n')
    for read in (
        lambda: og.raster(heights=missing),
        lambda: og.raster(heights=str(missing)),
        lambda: og.Recipe.load(recipe),
        lambda: og.Recipe.load(tmp_path / "no such.npy"),
    ):
        with pytest.raises(FileNotFoundError) as found:
            read()
        assert (found.value.errno, found.value.filename, found.value.strerror) == (errno.ENOENT, str(missing), "No such file or directory")
    with pytest.raises(FileNotFoundError) as found:
        og.Recipe.load(recipe)
    assert re.search(r"a\.toml:4:\d+: node 'a': heights", str(found.value.__cause__)), "with the line of the recipe that names the file"
    with pytest.raises(OSError) as directory:
        og.Recipe.load(tmp_path)
    assert (directory.value.errno, directory.value.filename) == (errno.EISDIR, str(tmp_path))
    with pytest.raises(OSError) as unwritable:
        og.Recipe(og.simplex()).save(tmp_path)
    assert unwritable.value.filename == str(tmp_path)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, np.uint8])
def test_what_is_masked_is_no_height(dtype: type) -> None:
    heights = np.arange(12).reshape(3, 4).astype(dtype)
    masked = np.ma.masked_equal(heights, 6)
    with pytest.raises(og.OrogenError, match=r"column 2 of row 1|column 2, row 1"):
        og.raster(heights=masked)
    whole = np.ma.masked_equal(heights, 200)
    assert np.allclose(ENGINE.field(og.raster(heights=whole, sampling="linear"), og.Region.plane(4, 3)), heights, atol=1e-5)
    # Nor is it a number anywhere else.
    found = og.stats.Distribution(masked)
    assert found.count == 11 and found.mean == pytest.approx(masked.mean())
    square = np.ma.masked_equal(np.arange(64).reshape(8, 8).astype(dtype), 6)
    for refuse in (
        lambda: og.stats.spectrum(square),
        lambda: og.terrain(square, og.Region.plane(8, 8)),
        lambda: ENGINE.apply(og.Pipeline(og.stage.given()).slope(), "slope", square),
        lambda: ENGINE.sample(og.simplex(), np.ma.masked_equal(np.array([[6, 1], [2, 3]], dtype), 6)),
    ):
        with pytest.raises(og.OrogenError, match=r"allowed|not a finite number"):
            refuse()


def test_no_data_of_gdal_is_no_height() -> None:
    heights = np.full((5, 6), 500.0)
    heights[3, 4] = np.nan
    with pytest.raises(og.OrogenError, match=r"column 4 of row 3|column 4, row 3"):
        og.raster(heights=heights)


def land(heights: object) -> og.Noise:
    return og.raster(heights=heights, sampling="linear").named("scan") * 2.0 + og.simplex(wavelength=20)  # type: ignore[arg-type]


@pytest.mark.parametrize("ending", ["toml", "json"])
def test_heights_from_memory_are_saved_beside_the_recipe(tmp_path: Path, ending: str, command) -> None:
    heights = np.random.default_rng(3).random((9, 7)).astype(np.float32)
    noise = land(heights) + og.raster(heights=heights) + og.raster(heights=heights * 2)
    field = ENGINE.field(noise, og.Region.plane(32, 32))
    recipe = og.Recipe(noise, tile=32, tiles=(1, 1))
    file = tmp_path / f"land.{ending}"
    recipe.save(file)
    beside = sorted(tmp_path.glob("heights-*.npy"))
    assert len(beside) == 2 and {np.load(path).tobytes() for path in beside} == {heights.tobytes(), (heights * 2).tobytes()}
    assert np.array_equal(ENGINE.field(og.Recipe.load(file).noise, og.Region.plane(32, 32)), field)
    # Existing files stay unchanged, and the command reads the recipe, too.
    times = [path.stat().st_mtime_ns for path in beside]
    recipe.save(file)
    og.Recipe.load(file).save(file)
    assert [path.stat().st_mtime_ns for path in sorted(tmp_path.glob("heights-*.npy"))] == times
    command("bake", file, "--out", tmp_path / "bake", "--format", "npy", "--backend", "cpu", "--no-overview")
    assert np.array_equal(np.load(tmp_path / "bake" / "x0_y0.npy"), field)
    # One that was changed is refused.
    np.save(beside[0], heights + 1)
    with pytest.raises(og.OrogenError, match="sha256"):
        og.Recipe.load(file)
    recipe.save(file)
    assert np.array_equal(ENGINE.field(og.Recipe.load(file).noise, og.Region.plane(32, 32)), field), "and saving mends it"


def test_a_recipe_finds_its_files_wherever_it_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    monkeypatch.chdir(here)
    heights = np.random.default_rng(4).random((5, 5)).astype(np.float32)
    np.save("scan.npy", heights)
    recipe = og.Recipe(og.raster(heights="scan.npy"))
    assert "sha256" in recipe.to_toml() and "sha256" in recipe.to_json(), "pinned as soon as it is read"
    field = ENGINE.field(recipe.noise, og.Region.plane(8, 8))
    recipe.save(here / "a.toml")
    assert 'heights = "scan.npy"' in (here / "a.toml").read_text() and not list(here.glob("heights-*"))
    # Another folder, in which the name means nothing, or another file.
    recipe.save(there / "a.toml")
    np.save(there / "scan.npy", heights + 1)
    recipe.save(there / "b.toml")
    np.save(here / "scan.npy", heights + 2)
    recipe.save(here / "b.toml")
    for saved in (there / "a.toml", there / "b.toml", here / "b.toml"):
        assert np.array_equal(ENGINE.field(og.Recipe.load(saved).noise, og.Region.plane(8, 8)), field), saved
    with pytest.raises(og.OrogenError, match="sha256"):
        og.Recipe.load(here / "a.toml")
    # By hand, without a hash: what is loaded has one.
    (there / "c.toml").write_text('output = "a"\n[node.a]\nkind = "raster"\nheights = "scan.npy"\n')
    og.Recipe.load(there / "c.toml").save(there / "d.toml")
    assert "sha256" in (there / "d.toml").read_text()


def test_heights_travel_in_json(tmp_path: Path) -> None:
    heights = np.random.default_rng(5).random((6, 4)).astype(np.float32)
    np.save(tmp_path / "h.npy", heights)
    for noise in (land(heights), land(tmp_path / "h.npy"), land(heights) + og.raster(heights=heights)):
        field = ENGINE.field(noise, og.Region.plane(16, 16))
        again = og.Noise.from_json(noise.to_json(heights=True))
        assert again == noise and np.array_equal(ENGINE.field(again, og.Region.plane(16, 16)), field)
        pipeline = og.Pipeline(noise).slope()
        assert og.Pipeline.from_json(pipeline.to_json(heights=True)) == pipeline
    assert og.simplex().to_json(heights=True) == og.simplex().to_json()
    with pytest.raises(ValueError, match="heights"):
        og.Noise.from_json('{"output": "a", "node": {}, "heights": 3}')


def test_cells_without_a_height_are_refused_or_filled() -> None:
    masked = np.ma.array(np.full((3, 4), 5, dtype=np.int16), mask=False)
    masked[1, 2] = np.ma.masked
    with pytest.raises(og.OrogenError, match="1 of 12 have none, the first at column 2 of row 1"):
        og.raster(heights=masked)
    expected = np.full((3, 4), 5.0)
    expected[1, 2] = -7
    holes = np.where(expected < 0, np.nan, expected)
    for heights in (masked, holes):
        noise = og.raster(heights=heights, holes=-7, sampling="linear")
        assert np.array_equal(ENGINE.field(noise, og.Region.plane(4, 3)), expected)
        assert pickle.loads(pickle.dumps(noise)) == noise


def test_a_raw_file_is_read_as_declared(tmp_path: Path) -> None:
    values = np.arange(12, dtype=np.int16).reshape(3, 4) - 6
    values.astype(">i2").tofile(tmp_path / "a.raw")
    noise = og.raster(heights=tmp_path / "a.raw", encoding="int16_be", columns=4, sampling="linear")
    assert np.array_equal(ENGINE.field(noise, og.Region.plane(4, 3)), values)
    other = og.raster(heights=tmp_path / "a.raw", encoding="int16_le", columns=4, sampling="linear")
    both = pickle.loads(pickle.dumps(noise + other))
    assert np.array_equal(ENGINE.field(both, og.Region.plane(4, 3)), ENGINE.field(noise + other, og.Region.plane(4, 3)))
