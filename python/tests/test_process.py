"""Threads, interrupts, forks, pickles."""

import multiprocessing
import os
import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import orogen as og


def test_other_threads_run_meanwhile(engine: og.Engine) -> None:
    noise, region = og.simplex().fractal(octaves=32), og.Region.plane(2048, 2048)
    started, done = threading.Event(), threading.Event()
    work = threading.Thread(target=lambda: (started.set(), engine.field(noise, region), done.set()))
    work.start()
    started.wait()
    turns = 0
    while not done.is_set():
        turns += 1
        time.sleep(0.001)
    work.join()
    assert turns > 20, "other threads run only while the interpreter lock is released"


def test_calls_from_many_threads_are_the_same(engine: og.Engine, hills: og.Noise) -> None:
    expected = [engine.field(hills, og.Region.tile(x, 0, 64)) for x in range(16)]
    prepared = engine.prepare(hills)
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            found = list(pool.map(lambda x: prepared.field(og.Region.tile(x, 0, 64)), range(16)))
            assert all(map(np.array_equal, found, expected))
        # Changed by some while others evaluate: every field is one of the two.
        other = hills.named("fractal")
        other.set("fractal.gain", 0.25)
        both = [expected[0], engine.field(other, og.Region.tile(0, 0, 64))]
        changes = [pool.submit(prepared.set, "fractal.gain", gain) for gain in (0.25, 0.5) * 20]
        fields = [pool.submit(prepared.field, og.Region.tile(0, 0, 64)) for _ in range(40)]
        assert all(any(np.array_equal(field.result(), one) for one in both) for field in fields)
        assert all(change.result() is None for change in changes)


def test_one_array_is_not_written_by_two(engine: og.Engine) -> None:
    out = np.empty((1024, 1024), np.float32)
    noise, region = og.simplex().fractal(octaves=32), og.Region.plane(1024, 1024)
    with ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(engine.field, noise, region, out=out) for _ in range(8)]
        errors = [call.exception() for call in calls]
    assert any(error is None for error in errors)
    assert all(error is None or "another call is using" in str(error) for error in errors)


def in_child(engine: og.Engine, prepared: og.Prepared, noise: og.Noise, queue) -> None:
    region = og.Region.plane(700, 700)
    new = og.Engine("cpu").field(noise, region)
    picture = og.draw(noise, og.Region.plane(64, 64))
    places = og.Poisson(1.0).points((0, 0), (300, 300)).positions
    queue.put([engine.field(noise, region), prepared.field(region), new, picture, len(places)])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(engine: og.Engine, hills: og.Noise) -> None:
    """As loaders of training data do it."""
    prepared, region = engine.prepare(hills), og.Region.plane(700, 700)
    expected = [engine.field(hills, region)] * 3 + [
        og.draw(hills, og.Region.plane(64, 64)),
        len(og.Poisson(1.0).points((0, 0), (300, 300)).positions),
    ]
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=in_child, args=(engine, prepared, hills, queue), daemon=True)
    child.start()
    found = queue.get(timeout=60)
    child.join()
    assert all(map(np.array_equal, found[:3], expected[:3])) and found[3:] == expected[3:]


def test_engines_are_their_options() -> None:
    for engine in (og.Engine("cpu"), og.Engine("oracle", threads=2), og.Engine("cpu", threads="caller", memory=1 << 20)):
        again = pickle.loads(pickle.dumps(engine))
        assert pickle.dumps(again) == pickle.dumps(engine) and (again.backend, again.adapter) == (engine.backend, engine.adapter)
    hills = og.simplex(wavelength=50.0).fractal(octaves=3)
    prepared = og.Engine("cpu", threads=2).prepare(hills)
    prepared.set("fractal.gain", 0.25)
    again = pickle.loads(pickle.dumps(prepared))
    assert again.noise == prepared.noise != hills
    assert np.array_equal(again.field(og.Region.plane(9, 9)), prepared.field(og.Region.plane(9, 9)))
    region = og.Region((3, 4, 5), origin=(-1, 2**40, 3), level=2, spacing=0.25, anchor=(0.1, -2, 3))
    assert pickle.loads(pickle.dumps(region)) == region and hash(pickle.loads(pickle.dumps(region))) == hash(region)
    assert eval(repr(region), {"Region": og.Region}) == region
