"""More than memory holds: chunks have the bits of the whole."""

import time
from pathlib import Path

import dask
import dask.array as da
import numpy as np
import pytest
import xarray as xr
from dask.blockwise import Blockwise
from distributed import Client, LocalCluster

import orogen as og

WHERE = {"origin": (-100, 30, 0), "spacing": 0.5, "anchor": (1e6, -7.0, 3.0)}


@pytest.mark.parametrize("chunks", [100, (64, 130), (-1, 17), "auto", ((200, 1, 99), (130, 70))])
def test_chunks_are_windows_of_one_array(engine: og.Engine, hills: og.Noise, chunks) -> None:
    lazy = og.dask_array(hills, (300, 200), chunks=chunks, **WHERE)
    assert lazy.shape == (300, 200) and lazy.dtype == np.float32
    whole = engine.field(hills, og.Region((200, 300), **WHERE))
    assert np.array_equal(lazy.compute(scheduler="threads"), whole)
    assert np.array_equal(lazy[50:60, ::7].compute(), whole[50:60, ::7])


def test_volumes_and_pipelines(engine: og.Engine) -> None:
    noise = og.perlin(dimensions=3, wavelength=9.0)
    lazy = og.dask_array(noise, (20, 30, 40), chunks=(1, 16, 40), origin=(5, 6, 7))
    assert np.array_equal(lazy.compute(), engine.field(noise, og.Region((40, 30, 20), origin=(5, 6, 7))))
    land = og.Pipeline(og.perlin(wavelength=40.0) * 10).hydraulic(iterations=6).normal()
    with pytest.raises(og.OrogenError, match="3 channels"):
        og.dask_array(land, (50, 60))
    land = land.with_output("hydraulic")
    assert np.array_equal(og.dask_array(land, (50, 60), chunks=25).compute(), engine.layer(land, og.Region.plane(60, 50)))


def test_it_is_lazy_and_large(hills: og.Noise) -> None:
    # 16 TB of values; the test requests one chunk.
    world = og.dask_array(hills, (2_000_000, 2_000_000), chunks=(20_000, 50_000))
    assert world.nbytes == 16e12
    small = og.dask_array(hills, (2_000_000, 2_000_000), chunks=((1_999_900, 100), (1_999_900, 100)))
    there = og.Region((100, 100), origin=(1_999_900, 1_999_900))
    assert np.array_equal(small[-100:, -100:].compute(), og.Engine("cpu").field(hills, there))


def test_what_is_set_later_is_not_meant(engine: og.Engine, hills: og.Noise) -> None:
    lazy = og.dask_array(hills, (8, 8))
    expected = engine.field(hills, og.Region.plane(8, 8))
    name = lazy.name
    assert og.dask_array(hills, (8, 8)).name == name, "the same array has the same name"
    hills.set("fractal.gain", 0.9)
    assert np.array_equal(lazy.compute(), expected) and og.dask_array(hills, (8, 8)).name != name


def test_a_cluster_of_two_processes(engine: og.Engine, hills: og.Noise) -> None:
    with (
        dask.config.set({"distributed.worker.daemon": True}),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        lazy = og.dask_array(hills, (400, 300), chunks=50)
        assert np.array_equal(lazy.compute(scheduler=client), engine.field(hills, og.Region.plane(300, 400)))
        keys = client.submit(lambda: None, pure=False).result()
        assert keys is None and len(client.scheduler_info()["workers"]) == 2
        who = client.map(lambda i: (__import__("os").getpid(), float(og.Engine("cpu").prepare(hills).value(i, 0))), range(20), pure=False)
        pids, values = zip(*client.gather(who))
        assert len(set(pids)) == 2 and np.array_equal(values, engine.sample(hills, [[i, 0] for i in range(20)]))


def test_xarray_has_positions_units_and_the_noise(engine: og.Engine, hills: og.Noise) -> None:
    array = og.xarray(hills.named("height"), (30, 20), units="m", length="m", **WHERE)
    assert array.dims == ("y", "x") and array.name == "height" and array.attrs["units"] == array.x.attrs["units"] == "m"
    region = og.Region((20, 30), **WHERE)
    assert (array.x[3], array.y[7]) == region.position(3, 7)[:2]
    assert np.array_equal(array.values, engine.field(hills, region))
    assert og.Noise.from_json(array.attrs["orogen"]) == hills.named("height")
    assert array.attrs["valid_range"] == list(hills.range()) and array.attrs["spacing"] == 0.5
    volume = og.xarray(og.perlin(dimensions=3), (4, 5, 6), spacing=2.0)
    assert volume.dims == ("z", "y", "x") and volume.z.values.tolist() == [0.0, 2.0, 4.0, 6.0]


@pytest.mark.parametrize("chunks", [None, 4])
def test_rasters_travel_in_the_attributes(tmp_path: Path, engine: og.Engine, chunks) -> None:
    noise = og.raster(heights=np.random.default_rng(7).random((8, 9)).astype(np.float32), sampling="linear")
    array = og.xarray(noise, (8, 9), chunks=chunks, name="height")
    field = engine.field(noise, og.Region.plane(20, 20))
    assert np.array_equal(engine.field(og.Noise.from_json(array.attrs["orogen"]), og.Region.plane(20, 20)), field)
    array.to_dataset().to_zarr(tmp_path / "a.zarr", zarr_format=2)
    stored = xr.open_zarr(tmp_path / "a.zarr")["height"]
    assert np.array_equal(engine.field(og.Noise.from_json(stored.attrs["orogen"]), og.Region.plane(20, 20)), field)
    land = og.Pipeline(noise).slope()
    attributes = og.xarray(land, (8, 9), chunks=chunks).attrs
    assert og.Pipeline.from_json(attributes["orogen"]) == land


def test_a_million_chunks_take_no_time_before_they_are_computed(hills: og.Noise) -> None:
    start = time.process_time()
    world = og.dask_array(hills, (200_000, 200_000), chunks=200)
    assert world.npartitions == 1_000_000
    assert time.process_time() - start < 1.0
    corner = world[-1, -3:]
    assert isinstance(world.dask.layers[world.name], Blockwise)
    assert np.array_equal(corner.compute(), og.Engine("cpu").field(hills, og.Region((3, 1), origin=(199_997, 199_999)))[0])


@pytest.mark.parametrize("chunks", [0, -5, None, "x", (50, 50, 50), 1.5, ((0, 100), 50), ((50, 49), 50), [], object()])
def test_chunks_that_are_none_are_named(chunks) -> None:
    with pytest.raises(og.OrogenError, match=r"chunks = .* is not allowed for an array of shape \(100, 100\); allowed: a number"):
        og.dask_array(og.simplex(), (100, 100), chunks=chunks)


@pytest.mark.parametrize("shape", [5, (3.5, 4), ("a", 2), (1, 2, 3, 4), (0, 3), None])
def test_shapes_that_are_none_are_named(shape) -> None:
    for make in (og.dask_array, og.xarray):
        with pytest.raises(og.OrogenError, match=r"shape = .* is not allowed; allowed: 2 or 3 numbers of samples"):
            make(og.simplex(), shape)


def test_other_chunks_have_other_names(hills: og.Noise) -> None:
    name = lambda **given: og.dask_array(hills, (8, 8), **given).name
    same, engine = name(), og.Engine("oracle")
    assert same == name() and len({same, name(origin=(1, 0)), name(engine=engine), name(spacing=2.0), name(level=1)}) == 5


def test_zarr_from_there(tmp_path: Path, engine: og.Engine, hills: og.Noise) -> None:
    lazy = og.xarray(hills, (100, 80), chunks=40, name="height")
    assert isinstance(lazy.data, da.Array)
    lazy.to_dataset().to_zarr(tmp_path / "world.zarr", zarr_format=2)
    stored = xr.open_zarr(tmp_path / "world.zarr")["height"]
    assert np.array_equal(stored.values, engine.field(hills, og.Region.plane(80, 100)))
    assert og.Noise.from_json(stored.attrs["orogen"]) == hills
