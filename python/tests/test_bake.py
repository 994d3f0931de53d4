"""Bakes: the folders are those of the command, byte for byte."""

import json
import time
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import orogen as og
from orogen._bake import Format

LAND = """
output = "height"
[bake]
tile = 32
tiles = [3, 2]
layers = ["worn", "worn.water"]
[node.hills]
kind = "simplex"
wavelength = 90.0
[node.height]
kind = "fractal"
of = "hills"
octaves = 5
[stage.even]
kind = "normalise"
of = "height"
[stage.worn]
kind = "hydraulic"
of = "even"
iterations = 6
"""


@pytest.fixture
def land(tmp_path: Path) -> Path:
    path = tmp_path / "land.toml"
    path.write_text(LAND)
    return path


def files(folder: Path, without: tuple[str, ...] = ()) -> dict[str, bytes]:
    """Every file of a folder, by its path in it."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    named = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    return {name: data for name, data in named.items() if not name.startswith(without)} if without else named


CASES = [
    ({}, []),
    (
        {"tiles": ((-1, 2), (0, 1)), "format": "npy", "layers": ["hills", "height"]},
        ["--tiles=-1..2,0..1", "--format", "npy", "--layers", "hills,height"],
    ),
    ({"tiles": (2, 1), "layers": "hills", "range": (-0.5, 0.25)}, ["--tiles", "0..2,0..1", "--layers", "hills", "--range=-0.5,0.25"]),
    ({"level": 1, "z": 12.5, "overlap": 1, "overview": False}, ["--level", "1", "--z", "12.5", "--overlap", "1", "--no-overview"]),
    (
        {"tile": 126, "tiles": (2, 1), "destination": "unreal", "layers": ["worn", "hills+height"]},
        ["--tile", "126", "--tiles", "0..2,0..1", "--for", "unreal", "--layers", "worn,hills+height"],
    ),
]


@pytest.mark.parametrize(("options", "flags"), CASES, ids=range(len(CASES)))
def test_a_folder_is_that_of_the_command(options, flags, land: Path, tmp_path: Path, engine: og.Engine, command) -> None:
    calls: list[tuple[int, int, str]] = []
    baked = og.bake(og.Recipe.load(land), tmp_path / "python", engine=engine, progress=lambda *call: calls.append(call), **options)
    told = json.loads(command("bake", land, "--out", tmp_path / "command", "--backend", "cpu", "--json", *flags))
    assert files(tmp_path / "python") == files(tmp_path / "command")
    assert (baked.root, baked.written) == (told["root"], told["written"])
    assert max(calls, key=lambda call: call[2] == "baking")[2] == "baking"
    assert max(done for done, total, step in calls if step == "baking") == baked.tiles
    again = og.bake(og.Recipe.load(land), tmp_path / "python", engine=engine, **options)
    assert again._replace(written=baked.written) == baked and again.written == 0


def test_a_world_of_shards_is_that_of_the_command(land: Path, tmp_path: Path, engine: og.Engine, command) -> None:
    ours, theirs = tmp_path / "python", tmp_path / "command"
    world = og.plan(og.Recipe.load(land), ours, 3, engine=engine)
    assert world.shards == 3 and world.phase is not None and world.phase[3] == [0, 1, 2]
    with pytest.raises(og.OrogenError, match="comes first"):
        world.bake(0, engine=engine)
    world.measure(1, engine=engine)
    assert og.World(ours).phase[3] == [0, 2]
    world.measure(engine=engine)
    assert world.phase is None
    with pytest.raises(og.OrogenError, match="lack tiles"):
        world.seal()
    written = [og.World(ours).bake(shard, engine=engine)[0] for shard in (2, 0, 1)]
    status = world.status()
    assert (sum(written), status.tiles, status.done, status.missing, status.root) == (6, 6, 6, [], None)
    sealed = world.seal()
    assert world.status().root == sealed.root and sealed.tiles == 6
    command("plan", land, "--out", theirs, "--shards", 3, "--backend", "cpu")
    command("measure", theirs, "--backend", "cpu")
    for shard in range(3):
        command("bake", theirs, "--shard", f"{shard}/3", "--backend", "cpu")
    command("seal", theirs)
    # Records say when and where a shard was baked.
    assert files(ours, ("records",)) == files(theirs, ("records",))


def test_a_check_names_what_is_wrong(land: Path, tmp_path: Path, engine: og.Engine) -> None:
    recipe, out = og.Recipe.load(land), tmp_path / "out"
    og.bake(recipe, out, engine=engine)
    whole = og.check(out, recompute=0.2, seed=3, engine=engine)
    # Tiles of three layers, the overview, and two answers about the whole world: the ends of `even` and the measured ranges.
    assert whole.findings == [] and whole.recomputed >= 1 and not whole.unfinished and whole.files == 6 * 3 + 1 + 2
    assert og.check(out, recompute=1.0, engine=engine).recomputed == 6
    (out / "x1_y1.png").write_bytes(b"no picture")
    (out / "x9_y9.png").write_bytes(b"foreign")
    assert sorted(og.check(out).findings) == [("x1_y1.png", "damaged"), ("x9_y9.png", "foreign")]
    assert og.bake(recipe, out, engine=engine).damaged == ["x1_y1.png"]
    with pytest.raises(og.OrogenError, match=r"recompute = 2"):
        og.check(out, recompute=2.0)
    with pytest.raises(FileNotFoundError):
        og.check(tmp_path / "nothing")


def test_noises_and_numpy_numbers_will_do(tmp_path: Path, engine: og.Engine, hills: og.Noise) -> None:
    baked = og.bake(hills, tmp_path / "out", engine=engine, tiles=(np.int64(2), 1), tile=np.int32(16), format="npy")
    assert (baked.tiles, baked.warnings) == (2, [])
    values = np.load(tmp_path / "out" / "x1_y0.npy")
    assert np.array_equal(values, engine.field(hills, og.Region.tile(1, 0, 16)))
    clipped = og.bake(hills, tmp_path / "clipped", engine=engine, tiles=(1, 1), tile=16, range=(0.9, 1.0))
    assert len(clipped.warnings) == 1 and "clipped" in clipped.warnings[0]


WRONG = [
    ({"tiles": 3}, "tiles = 3"),
    ({"tiles": ((0, 1), 2.5)}, "tiles = "),
    ({"tile": 0}, "tile = 0"),
    ({"tile": "big"}, 'tile = "big"'),
    ({"format": "gif"}, "allowed: png16, png8"),
    ({"range": "guessed"}, "range = "),
    ({"range": (1, 0)}, "range = "),
    ({"layers": ["nothing"]}, "'nothing'"),
    ({"destination": "doom"}, "unreal"),
    ({"tille": 3}, "did you mean 'tile'"),
    ({"tile": 16384, "tiles": (2000, 2000)}, "force=True"),
    ({"z": float("nan")}, "not allowed"),
]


def test_the_formats_are_those_of_the_library(hills: og.Noise, tmp_path: Path, engine: og.Engine) -> None:
    with pytest.raises(og.OrogenError) as refused:
        og.bake(hills, tmp_path / "out", engine=engine, format="gif")
    allowed = str(refused.value).split("allowed: ")[1].split(", ")
    # The tests share a build of the library with all features; a wheel has no arrays.
    assert tuple(word for word in allowed if word != "zarr") == get_args(Format)


@pytest.mark.parametrize(("options", "says"), WRONG, ids=[next(iter(options)) for options, _ in WRONG])
def test_wrong_options_are_refused_before_anything_is_written(options, says, hills: og.Noise, tmp_path: Path, engine: og.Engine) -> None:
    with pytest.raises(og.OrogenError) as refused:
        og.bake(hills, tmp_path / "out", engine=engine, **options)
    assert says in str(refused.value)
    assert not (tmp_path / "out").exists()


def test_an_error_of_the_progress_function_ends_the_bake_and_is_raised(land: Path, tmp_path: Path, engine: og.Engine) -> None:
    def fails(done: int, total: int, step: str) -> None:
        raise KeyError("enough")

    recipe, out = og.Recipe.load(land), tmp_path / "out"
    with pytest.raises(KeyError, match="enough"):
        og.bake(recipe, out, engine=engine, progress=fails)
    assert og.bake(recipe, out, engine=engine).tiles == 6
    assert og.check(out).findings == []


def test_ctrl_c_ends_a_bake_at_once_and_the_same_call_continues(tmp_path: Path, engine: og.Engine, hills: og.Noise) -> None:
    import _thread
    import signal
    import threading

    # A shell that runs the tests in the background ignores interrupts for them.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # More work than a fast machine does before the interrupt, in stages and in ranges that are measured.
    slow = og.Pipeline(hills.named("hills")).hydraulic(iterations=100).normalise()
    recipe = og.Recipe(slow, tile=256, tiles=(16, 16))
    for wait in (0.3, 1.0):
        threading.Timer(wait, _thread.interrupt_main).start()
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            og.bake(recipe, tmp_path / "out", engine=engine)
        assert time.monotonic() - start < wait + 1.0
    small = og.Recipe(slow, tile=16, tiles=(2, 2))
    assert og.bake(small, tmp_path / "small", engine=engine).tiles == 4
