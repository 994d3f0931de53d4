"""Recipes: text, files, and the same bits as the command."""

import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import orogen as og

RECIPES = sorted((ROOT / "recipes").glob("*.toml"))
SIZE = 96


def test_there_are_recipes() -> None:
    assert len(RECIPES) >= 20


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_bake_has_the_same_bits(path: Path, tmp_path: Path, command, engine: og.Engine) -> None:
    recipe = og.Recipe.load(path)
    pipeline = recipe.pipeline
    names = [pipeline.output, *(name for name in recipe.bake.get("layers", []) if name != pipeline.output)]
    # Small tiles: a recipe's own would take minutes. Stages that read the whole world read the recipe's.
    small = og.Recipe(pipeline, **{**recipe.bake, "tile": SIZE, "tiles": [2, 1]})
    tiles = [small.tile(x, 0) for x in (0, 1)]
    if pipeline.unmeasured:
        columns, rows = recipe.bake["tiles"]
        world = [recipe.tile(x, y) for y in range(rows) for x in range(columns)]
        pipeline = engine.measure(pipeline, names, world)
    options = ["--tile", SIZE, "--tiles", "0..2,0..1", "--format", "npy", "--layers", ",".join(names), "--backend", "cpu", "--no-overview"]
    command("bake", path, "--out", tmp_path, *options, "--force")
    for x, region in enumerate(tiles):
        layers = engine.layers(pipeline, names, region)
        for index, (name, layer) in enumerate(layers.items()):
            file = tmp_path / (f"x{x}_y0.npy" if index == 0 else f"x{x}_y0.{name}.npy")
            baked = np.load(file)
            assert layer.dtype == baked.dtype and np.array_equal(layer, baked), name
            if not pipeline.stages:
                assert np.array_equal(engine.field(recipe.noise, region), baked)


def test_a_volume_has_the_same_bits(tmp_path: Path, command, engine: og.Engine) -> None:
    path = ROOT / "recipes" / "caves.toml"
    recipe = og.Recipe.load(path)
    command("volume", path, "-o", tmp_path / "caves.npy", "--size", "40,30,20", "--backend", "cpu")
    noise = recipe.pipeline.noise_of()
    region = og.Region.volume(40, 30, 20).replace(spacing=recipe.bake["spacing"], anchor=(0, 0, recipe.bake["z"]))
    assert np.array_equal(engine.field(noise, region), np.load(tmp_path / "caves.npy"))


def test_points_have_the_same_bits(tmp_path: Path, command, engine: og.Engine) -> None:
    path = ROOT / "recipes" / "hills.toml"
    points = np.random.default_rng(3).uniform(-1e6, 1e6, (50, 3))
    file = tmp_path / "points.csv"
    file.write_text("".join(f"{x!r},{y!r},{z!r}\n" for x, y, z in points.tolist()))
    printed = command("sample", path, "--points", file, "--json", "--backend", "cpu")
    values = engine.sample(og.Recipe.load(path).noise, points)
    assert np.array_equal(np.float32(re.findall(r'"value":\s*([-\d.e]+)', printed)), values)


def test_a_preview_is_the_same_picture(tmp_path: Path, command) -> None:
    stages = tmp_path / "stages.toml"
    og.Recipe(og.Pipeline(og.perlin(wavelength=20.0) * 9).hydraulic(iterations=9).colour(map="viridis"), spacing=0.7, z=2.0).save(stages)
    for path in (ROOT / "recipes" / "hills.toml", ROOT / "recipes" / "planet.toml", stages):
        command("preview", path, "-o", tmp_path / "picture.png", "--size", "48,32", "--backend", "cpu")
        recipe = og.Recipe.load(path)
        of = recipe.pipeline if recipe.pipeline.stages else recipe.noise
        assert og.draw(of, recipe.tile(0, 0).replace(size=(48, 32))) == (tmp_path / "picture.png").read_bytes()


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    noise = og.simplex(wavelength=300.0).fractal().named("hills")
    recipe = og.Recipe(noise, tile=256, tiles=(2, 3), spacing=0.5, layers=["simplex"])
    assert recipe.bake == {"tile": 256, "tiles": [2, 3], "spacing": 0.5, "z": 0.0, "layers": ["simplex"]}
    for name in ("hills.toml", "hills.json"):
        recipe.save(tmp_path / name)
        assert og.Recipe.load(tmp_path / name) == og.Recipe.load(str(tmp_path / name)) == recipe
    assert og.Recipe.parse(recipe.to_toml()) == og.Recipe.parse(recipe.to_json()) == recipe == pickle.loads(pickle.dumps(recipe))
    assert recipe.noise == noise and og.Pipeline(noise) == recipe.pipeline
    with pytest.raises(og.OrogenError, match=r"mine.toml:\d+:\d+: node 'hills': gain = 99 is not allowed; allowed: -16 to 16"):
        og.Recipe.parse(recipe.to_toml().replace("gain = 0.5", "gain = 99"), file="mine.toml")


def test_settings_that_mean_nothing_are_named(tmp_path: Path) -> None:
    noise = og.simplex()
    assert og.Recipe(noise, tile=np.int64(256), tiles=np.array([2, 3]), for_="unity").bake["tiles"] == [2, 3]
    for settings, said in (
        ({"tile": -1}, "bake: tile = -1 is not allowed; allowed: a whole number from 1 to 16384"),
        ({"tiles": (0, 4)}, r"tiles = \[0, 4\] is not allowed"),
        ({"spacing": float("nan")}, "bake: spacing = nan is not allowed; allowed: a finite number"),
        ({"spacing": "wide"}, 'bake: spacing = "wide" is not allowed; allowed'),
        ({"tile_": 4}, r"bake: .*tile_"),
    ):
        with pytest.raises(og.OrogenError, match=said):
            og.Recipe(noise, **settings)
    for level in (-1, 2**40):
        with pytest.raises(og.OrogenError, match=r"level = .* is not allowed"):
            og.Recipe(noise).tile(0, 0, level=level)


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "land.toml"
    file.write_text("old")
    file.chmod(0o640)
    recipe = og.Recipe(og.simplex())
    recipe.save(file)
    assert og.Recipe.load(file) == recipe
    assert file.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["land.toml"]
    link = tmp_path / "link.toml"
    link.symlink_to("land.toml")
    og.Recipe(og.worley()).save(link)
    assert link.is_symlink() and og.Recipe.load(file).noise == og.worley()
    with pytest.raises(FileNotFoundError, match="nowhere"):
        recipe.save(tmp_path / "nowhere" / "land.toml")


def test_variables_are_given(tmp_path: Path) -> None:
    text = "output = 'n'\n[variables]\nwidth = 50.0\n[node.n]\nkind = 'simplex'\nwavelength = 'width * 2'\n"
    file = tmp_path / "r.toml"
    file.write_text(text, encoding="utf-8")
    for read in (lambda **given: og.Recipe.parse(text, **given), lambda **given: og.Recipe.load(file, **given)):
        assert read().pipeline.get("n.wavelength") == 100.0
        assert read(variables={"width": 10}).pipeline.get("n.wavelength") == 20.0
        assert read(variables={"width": "3 ^ 2"}).pipeline.get("n.wavelength") == 18.0
        with pytest.raises(og.OrogenError, match="no variable 'height'; its variables: width"):
            read(variables={"height": 1.0})
        with pytest.raises(og.OrogenError, match="column 1: there is no variable 'wdith'"):
            read(variables={"width": "wdith"})


def test_a_recipe_uses_another(tmp_path: Path) -> None:
    (tmp_path / "hill.toml").write_text(
        "output = 'h'\n[variables]\nhigh = 2.0\n[node.h]\nkind = 'constant'\nvalue = 'high'\n", encoding="utf-8"
    )
    outer = tmp_path / "r.toml"
    outer.write_text("output = 'a'\n[node.a]\nkind = 'recipe'\nfile = 'hill.toml'\nhigh = 7.5\n", encoding="utf-8")
    assert og.Recipe.load(outer).pipeline.get("a.value") == 7.5
    assert og.Recipe.load(outer, variables={"a.high": 3}).pipeline.get("a.value") == 3.0
    mountain = og.Recipe.parse("output = 'm'\n[node.m]\nkind = 'recipe'\npreset = 'mountain'\n")
    assert mountain.noise.range()[1] > 500
