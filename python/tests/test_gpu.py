"""The GPU from Python; a software adapter suffices. Tests are skipped only with OROGEN_GPU=skip."""

import os
import pickle

import numpy as np
import pytest

import orogen as og

pytestmark = pytest.mark.skipif(os.environ.get("OROGEN_GPU") == "skip", reason="OROGEN_GPU=skip: there is no adapter")


@pytest.fixture(scope="module")
def gpu() -> og.Engine:
    return og.Engine("gpu")


def test_it_has_the_bits_of_the_cpu(gpu: og.Engine, engine: og.Engine, hills: og.Noise) -> None:
    assert gpu.backend == "gpu" and gpu.parity in ("exact", "bounded")
    region = og.Region.tile(3, -5, 128)
    values, gradients = gpu.field(hills, region, gradient=True)
    expected = engine.field(hills, region, gradient=True)
    points = np.random.default_rng(4).uniform(-1e3, 1e3, (100, 2))
    sampled, exact = gpu.sample(hills, points), engine.sample(hills, points)
    if gpu.parity == "exact":
        assert np.array_equal(values, expected[0]) and np.array_equal(gradients, expected[1]) and np.array_equal(sampled, exact)
    else:
        assert np.allclose(values, expected[0], atol=2e-5) and np.allclose(sampled, exact, atol=2e-5)


def test_stages_run_there(gpu: og.Engine, engine: og.Engine) -> None:
    land = og.Pipeline(og.perlin(wavelength=30.0) * 10).hydraulic(iterations=4)
    layers = gpu.layers(land, ["hydraulic", "hydraulic.water"], og.Region.plane(40, 30))
    exact = engine.layers(land, ["hydraulic", "hydraulic.water"], og.Region.plane(40, 30))
    for name, layer in layers.items():
        assert np.array_equal(layer, exact[name]) if gpu.parity == "exact" else np.allclose(layer, exact[name], atol=1e-2)


def test_numbers_compile_nothing(gpu: og.Engine, hills: og.Noise) -> None:
    prepared, region = gpu.prepare(hills), og.Region.plane(32, 32)
    before = prepared.field(region)
    compiled = gpu.compilations
    prepared.set("fractal.gain", 0.7)
    assert not np.array_equal(prepared.field(region), before) and gpu.compilations == compiled


def test_a_pickled_one_is_the_one_that_is_open(gpu: og.Engine, hills: og.Noise) -> None:
    gpu.field(hills, og.Region.plane(8, 8))
    assert pickle.loads(pickle.dumps(gpu)).compilations == gpu.compilations > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_is_told_to_open_its_own(gpu: og.Engine, hills: og.Noise) -> None:
    prepared, (read, write) = gpu.prepare(hills), os.pipe()
    child = os.fork()
    if child == 0:
        for call in (lambda: gpu.field(hills, og.Region.plane(8, 8)), lambda: prepared.value(0, 0)):
            try:
                call()
                os.write(write, b"an answer;")
            except ValueError as error:
                os.write(write, str(error).encode()[:40] + b";")
        os._exit(0)
    os.waitpid(child, 0)
    os.close(write)
    with os.fdopen(read, "rb") as told:
        assert told.read() == 2 * b"this engine is another process's: a GPU';"


def test_it_traces_water_with_the_bits_of_the_cpu(gpu: og.Engine, engine: og.Engine, hills: og.Noise) -> None:
    if gpu.parity != "exact":
        with pytest.raises(og.OrogenError, match="water = gpu is not allowed"):
            og.Engine("gpu", water="gpu")
        return
    tracing = og.Engine("gpu", water="gpu")
    assert pickle.dumps(pickle.loads(pickle.dumps(tracing))) == pickle.dumps(tracing) != pickle.dumps(gpu)
    water, world = og.Pipeline(hills).drainage(name="water"), og.Region.plane(96, 80)
    names = ["water", "water.area", "water.distance"]
    found, expected = tracing.layers(water, names, world), engine.layers(water, names, world)
    assert all(np.array_equal(found[name], expected[name]) for name in names) and len(np.unique(found["water.area"])) > 100
