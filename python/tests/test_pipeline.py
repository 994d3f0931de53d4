"""Stages."""

import copy
import pickle

import numpy as np
import pytest

import orogen as og

REGION = og.Region.plane(48, 40)


@pytest.fixture
def land() -> og.Pipeline:
    hills = og.perlin(wavelength=60.0).fractal() * 20
    return og.Pipeline(hills).hydraulic(iterations=8, name="eroded").thermal(iterations=4)


def test_layers_are_arrays_by_name(engine: og.Engine, land: og.Pipeline) -> None:
    coloured = land.normal().with_output("thermal").colour(map="viridis")
    layers = engine.layers(coloured, ["eroded.water", "normal", "colour", "perlin"], REGION)
    assert {name: layer.shape for name, layer in layers.items()} == {
        "eroded.water": (40, 48),
        "normal": (40, 48, 3),
        "colour": (40, 48, 4),
        "perlin": (40, 48),
    }
    assert np.array_equal(layers["perlin"], engine.field(coloured.noise_of("perlin"), REGION))
    assert np.allclose(np.linalg.norm(layers["normal"], axis=2), 1, atol=1e-5)
    assert np.array_equal(engine.layer(land, REGION), engine.layers(land, "thermal", REGION)["thermal"])


def test_erosion_has_no_seams(engine: og.Engine, land: og.Pipeline) -> None:
    wide = engine.layer(land, og.Region.plane(64, 32))
    tiles = [engine.layer(land, og.Region.tile(x, 0, 32)) for x in (0, 1)]
    assert np.array_equal(wide, np.hstack(tiles))


def test_stages_read_noises_numbers_and_names(engine: og.Engine) -> None:
    base, mask = og.perlin(), og.simplex(wavelength=30.0).named("perlin")
    mixed = og.Pipeline(base).slope(name="steep").combine(mask, 0.25, by="blend")
    assert mixed.get("combine.b") == "perlin_2" and mixed.get("combine.mask") == 0.25 and mixed.get("combine.a") == "steep"
    again = og.Pipeline(base).with_noise("where", mask).slope(name="steep").combine("where", 0.25, by="blend")
    assert np.array_equal(engine.layer(mixed, REGION), engine.layer(again, REGION))
    assert again.with_output("where").output == "where" and "steep" in again.outputs
    first = og.stage.frequency(size=64).mask(from_=-1.0, to=1.0)
    assert first.get("mask.from") == -1.0 and engine.layer(first, REGION).std() > 0


def test_what_reads_the_whole_world_is_measured(engine: og.Engine) -> None:
    stretched = og.Pipeline(og.perlin()).normalise(low=0.0, high=10.0)
    world = [og.Region.tile(x, y, 32) for x in (0, 1) for y in (0, 1)]
    assert stretched.unmeasured == ["normalise"]
    measured = engine.measure(stretched, "normalise", world)
    assert measured.unmeasured == [] and stretched.unmeasured == ["normalise"]
    whole = np.block([[engine.layer(measured, og.Region.tile(x, y, 32)) for x in (0, 1)] for y in (0, 1)])
    assert whole.min() == 0.0 and whole.max() == 10.0
    assert np.array_equal(whole, engine.layer(stretched, og.Region.plane(64, 64)))


def test_stages_run_on_heights_of_ones_own(engine: og.Engine) -> None:
    _, x = np.mgrid[0:20, 0:30]
    slope = og.stage.given().slope()
    found = engine.apply(slope, "slope", 3.0 * x, spacing=2.0)["slope"]
    assert found.shape == (20, 30) and np.allclose(found[:, 1:-1], 1.5)


def test_equalise_makes_a_noise_even(engine: og.Engine) -> None:
    even = engine.equalise(og.simplex().equalise(), 1000.0)
    values = engine.field(even, og.Region.plane(200, 200).replace(spacing=7.0))
    assert (
        og.stats.Distribution(values).ks_uniform(-1, 1) < 0.05 < og.stats.Distribution(engine.field(og.simplex(), REGION)).ks_uniform(-1, 1)
    )


def test_pipelines_change_by_name_and_are_text(engine: og.Engine, land: og.Pipeline) -> None:
    before = copy.copy(land)
    land.set("thermal.talus", 0.1)
    land.set("perlin.wavelength", 40)
    assert land.get("thermal.talus") == 0.1 and before.get("thermal.talus") == 0.7 and land != before
    assert pickle.loads(pickle.dumps(land)) == land == og.Pipeline.from_json(land.to_json())
    assert repr(land) == "<orogen.Pipeline 'thermal': 3 nodes → hydraulic → thermal>"
    assert land.stages == [("eroded", "hydraulic"), ("thermal", "thermal")]
