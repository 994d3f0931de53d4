"""Interrupts: Ctrl-C ends every function that can take long, and no conversion of an argument turns it into another error."""

import inspect
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import orogen as og
from orogen import _orogen

TABLES = json.loads(_orogen.tables())
CLASSES: list[type] = [
    og.Engine,
    og.Noise,
    og.Pipeline,
    og.PlaceRules,
    og.Poisson,
    og.Prepared,
    og.PreparedSeveral,
    og.Recipe,
    og.Region,
    og.World,
    og.stats.Distribution,
    og.stats.Spectrum,
]
# These only hold their arguments.
HOLDERS = {
    "Baked",
    "Checked",
    "ColourStop",
    "ControlPoint",
    "KindPlaces",
    "Mesh",
    "OrogenError",
    "Places",
    "QuantilePoint",
    "RadialPoint",
    "Status",
}

# Some milliseconds at most, for any arguments.
SHORT = "short"
# In a child process, with these names.
SETUP = """
import os, time
import numpy as np
import orogen as og
# One thread: the processor's time is then what the clock would show on an idle machine.
engine, slow = og.Engine("cpu", threads=1), og.simplex(dimensions=4).fractal(octaves=32)
random = np.random.default_rng(0)
def square(): return random.random((8192, 8192), np.float32)
def pipe():
    os.mkfifo("pipe.toml")
    return "pipe.toml"
"""
# The part before `|` runs first, and does not belong to the call.
RASTER = "noise = og.raster(heights=square()) | "


@dataclass
class Call:
    """A public function: a call of it, and one that takes seconds, in Python."""

    function: Callable[..., object]
    positional: list[object] = field(default_factory=list)
    named: dict[str, object] = field(default_factory=dict)
    long: str = SHORT


ENGINE = og.Engine("cpu", threads="caller")
NOISE = og.simplex()
REGION = og.Region.plane(4, 4)
PIPELINE = og.Pipeline(NOISE).slope()
RECIPE = og.Recipe(NOISE)
PREPARED = ENGINE.prepare(NOISE)
SEVERAL = ENGINE.prepare_several([NOISE, NOISE + 1])
SQUARE = np.random.default_rng(1).random((8, 8))
FOUND = og.stats.Distribution(SQUARE)
# A baked folder, and a world of shards that is planned, measured and baked.
FOLDERS = tempfile.TemporaryDirectory()
RULES = f"{FOLDERS.name}/rules.toml"
Path(RULES).write_text("[a]")
BAKED, PLANNED = f"{FOLDERS.name}/baked", f"{FOLDERS.name}/planned"
SMALL = og.Recipe(NOISE, tile=4, tiles=(1, 1))
og.bake(SMALL, BAKED, engine=ENGINE)
WORLD = og.plan(SMALL, PLANNED, 1, engine=ENGINE)
WORLD.bake(0, engine=ENGINE)
TOLD = {"engine": ENGINE, "progress": None}
DEPTH = {"origin": (0, 0), "level": 0, "spacing": 1.0, "anchor": (0.0, 0.0), "engine": ENGINE}

CALLS = {
    "Engine": Call(og.Engine, ["cpu"], {"adapter": None, "arithmetic": None, "cache": None, "memory": None, "threads": 1, "water": "cpu"}),
    "Engine.apply": Call(
        ENGINE.apply,
        [og.Pipeline(og.stage.given()).slope(), "slope", SQUARE],
        {"spacing": 1.0},
        "engine.apply(og.Pipeline(og.stage.given()).hydraulic(iterations=2000), 'hydraulic', np.zeros((1024, 1024), np.float32))",
    ),
    "Engine.equalise": Call(
        ENGINE.equalise,
        [NOISE.equalise(), 10.0],
        {},
        "many = sum((og.simplex(dimensions=4, seed=i).fractal(octaves=32).equalise() for i in range(40)), og.constant())"
        " | engine.equalise(many, 1e4)",
    ),
    "Engine.field": Call(
        ENGINE.field, [NOISE, REGION], {"gradient": False, "out": None}, "engine.field(slow, og.Region.plane(8192, 8192))"
    ),
    "Engine.layer": Call(ENGINE.layer, [PIPELINE, REGION], {}, "engine.layer(og.Pipeline(slow).normalise(), og.Region.plane(8192, 8192))"),
    "Engine.layers": Call(
        ENGINE.layers,
        [PIPELINE, ["slope"], REGION],
        {},
        "twice = og.Pipeline(og.simplex()).hydraulic(iterations=300).hydraulic(iterations=300) | "
        "engine.layers(twice, 'hydraulic_2', og.Region.plane(256, 256))",
    ),
    "Engine.measure": Call(
        ENGINE.measure,
        [og.Pipeline(NOISE).normalise(), "normalise", [REGION]],
        {},
        "engine.measure(og.Pipeline(slow).normalise(), 'normalise', [og.Region.tile(x, 0, 2048) for x in range(64)])",
    ),
    "Engine.rivers": Call(
        ENGINE.rivers,
        [og.Pipeline(NOISE).drainage(), "drainage", REGION],
        {"area": 20.0, "basin": 20.0, "lake": 0.0, "width": 0.001, "smoothing": 4},
        "engine.rivers(og.Pipeline(slow).drainage(), 'drainage', og.Region.plane(4096, 4096), area=1e4)",
    ),
    "Engine.prepare": Call(ENGINE.prepare, [NOISE], {}, RASTER + "engine.prepare(noise)"),
    "Engine.prepare_several": Call(ENGINE.prepare_several, [[NOISE, NOISE]], {}, RASTER + "engine.prepare_several([noise, noise])"),
    "Engine.sample": Call(
        ENGINE.sample, [NOISE, SQUARE[:, :2]], {"gradient": False, "out": None}, "engine.sample(slow, np.zeros((20_000_000, 2)))"
    ),
    "Noise": Call(og.Noise, [1.0]),
    "Noise.from_json": Call(og.Noise.from_json, [NOISE.to_json()]),
    "Noise.get": Call(NOISE.get, ["simplex.seed"]),
    "Noise.named": Call(NOISE.named, ["x"]),
    "Noise.range": Call(NOISE.range, [], {}, RASTER + "noise.range()"),
    "Noise.set": Call(
        og.simplex().set,
        ["simplex.wavelength", 2.0],
        {},
        "noise, offsets = og.simplex().fractal(), np.zeros((5_000_000, 3)) | noise.set('fractal.offsets', offsets)",
    ),
    "Noise.to_json": Call(NOISE.to_json, [], {"heights": False}, RASTER + "noise.to_json(heights=True)"),
    "Noise.varied": Call(NOISE.varied, [1]),
    "Pipeline": Call(og.Pipeline, [NOISE]),
    "Pipeline.channels": Call(PIPELINE.channels, ["slope"]),
    "Pipeline.from_json": Call(og.Pipeline.from_json, [PIPELINE.to_json()]),
    "Pipeline.get": Call(PIPELINE.get, ["slope.unit"]),
    "Pipeline.noise_of": Call(PIPELINE.noise_of, ["simplex"]),
    "Pipeline.set": Call(og.Pipeline(NOISE).set, ["simplex.wavelength", 2.0]),
    "Pipeline.to_json": Call(PIPELINE.to_json, [], {"heights": False}),
    "Pipeline.varied": Call(PIPELINE.varied, [1]),
    "Pipeline.with_layers": Call(PIPELINE.with_layers, [og.worley()]),
    "Pipeline.with_noise": Call(PIPELINE.with_noise, ["x", NOISE]),
    "Pipeline.with_output": Call(PIPELINE.with_output, ["simplex"]),
    "PlaceRules": Call(og.PlaceRules, ["[a]"]),
    "PlaceRules.load": Call(og.PlaceRules.load, [RULES], {}, "path = pipe() | og.PlaceRules.load(path)"),
    "PlaceRules.places": Call(
        og.PlaceRules("[a]").places,
        [ENGINE, RECIPE, (0, 0), (9, 9)],
        {"heights": "simplex"},
        "og.PlaceRules('[a]\\ndistance = 0.5').places(engine, og.Recipe(slow), (0, 0), (1_000, 1_000))",
    ),
    "PlaceRules.to_text": Call(
        og.PlaceRules("[a]").to_text,
        [og.PlaceRules("[a]").places(ENGINE, RECIPE, (0, 0), (9, 9)), "csv"],
        {},
        "rules = og.PlaceRules('[a]\\ndistance = 0.5'); found = rules.places(engine, og.Recipe(og.constant()), (0, 0), (1_000, 1_000))"
        " | rules.to_text(found, 'geojson')",
    ),
    "Poisson": Call(og.Poisson, [1.0], {"seed": 0, "relax": 0}),
    "Poisson.points": Call(og.Poisson().points, [(0, 0), (1, 1)], {}, "og.Poisson(1.0).points((0, 0), (30_000, 2_000))"),
    "Poisson.points, relaxed": Call(og.Poisson().points, [(0, 0), (1, 1)], {}, "og.Poisson(1.0, relax=64).points((0, 0), (400, 400))"),
    "Poisson.scatter": Call(
        og.Poisson().scatter,
        [ENGINE, NOISE, (0, 0), (1, 1)],
        {"z": 0.0},
        "og.Poisson(1.0).scatter(engine, slow, (0, 0), (3_000, 2_000))",
    ),
    "Prepared.field": Call(
        PREPARED.field, [REGION], {"gradient": False, "w": 0.0, "out": None}, "engine.prepare(slow).field(og.Region.plane(8192, 8192))"
    ),
    "Prepared.range": Call(PREPARED.range),
    "Prepared.sample": Call(
        PREPARED.sample,
        [SQUARE[:, :2]],
        {"gradient": False, "w": 0.0, "out": None},
        "points = np.zeros((30_000_000, 2), np.float32) | og.Engine('oracle').prepare(slow).sample(points, gradient=True)",
    ),
    "Prepared.set": Call(ENGINE.prepare(NOISE).set, ["simplex.wavelength", 2.0]),
    "Prepared.set_all": Call(ENGINE.prepare(NOISE).set_all, [{"simplex.wavelength": 2.0}]),
    "Prepared.value": Call(PREPARED.value, [1.0, 2.0, 3.0], {"gradient": False, "w": 0.0}),
    "PreparedSeveral.field": Call(
        SEVERAL.field, [REGION], {"out": None}, "engine.prepare_several([slow, slow]).field(og.Region.plane(8192, 4096))"
    ),
    "PreparedSeveral.sample": Call(
        SEVERAL.sample,
        [SQUARE[:, :2]],
        {"out": None},
        "points = np.zeros((20_000_000, 2), np.float32) | engine.prepare_several([slow, slow]).sample(points)",
    ),
    "PreparedSeveral.set_all": Call(SEVERAL.set_all, [{"simplex.wavelength": 2.0}]),
    "Recipe": Call(og.Recipe, [NOISE], {"tile": 4, "tiles": (1, 1), "spacing": 1.0, "layers": ["simplex"]}),
    "Recipe.load": Call(og.Recipe.load, ["nowhere.toml"], {"variables": {}}, "path = pipe() | og.Recipe.load(path)"),
    "Recipe.parse": Call(og.Recipe.parse, [RECIPE.to_toml()], {"file": "x", "variables": {}}),
    "Recipe.save": Call(RECIPE.save, ["/nowhere/x.toml"], {}, "recipe = og.Recipe(og.raster(heights=square())) | recipe.save('x.toml')"),
    "Recipe.tile": Call(RECIPE.tile, [0, 0], {"level": 0}),
    "Recipe.to_json": Call(RECIPE.to_json),
    "Recipe.to_python": Call(RECIPE.to_python),
    "Recipe.to_toml": Call(RECIPE.to_toml),
    "Region": Call(og.Region, [(4, 4)], {"origin": (0, 0), "level": 0, "spacing": 1.0, "anchor": (0.0, 0.0)}),
    "Region.chunk": Call(og.Region.chunk, [0, 0, 4]),
    "Region.coarser": Call(REGION.coarser, [1]),
    "Region.coarser_chunk": Call(og.Region.chunk(0, 0, 4).coarser_chunk, [1]),
    "Region.plane": Call(og.Region.plane, [4, 4]),
    "Region.position": Call(REGION.position, [1, 1, 0]),
    "Region.replace": Call(REGION.replace, [], {"size": (4, 4), "origin": (0, 0), "level": 0, "spacing": 1.0, "anchor": (0.0, 0.0)}),
    "Region.tile": Call(og.Region.tile, [0, 0, 4]),
    "Region.volume": Call(og.Region.volume, [4, 4, 4]),
    "World": Call(og.World, [PLANNED]),
    "World.bake": Call(
        WORLD.bake,
        [0],
        TOLD,
        "world = og.plan(og.Recipe(slow, tile=512, tiles=(8, 8)), 'world', 1, engine=engine) | world.bake(0, engine=engine)",
    ),
    "World.measure": Call(
        WORLD.measure,
        [0],
        TOLD,
        "world = og.plan(og.Recipe(og.Pipeline(slow).normalise(), tile=512, tiles=(8, 8)), 'world', 1, engine=engine)"
        " | world.measure(0, engine=engine)",
    ),
    "World.measure, all": Call(
        WORLD.measure,
        [],
        TOLD,
        "world = og.plan(og.Recipe(og.Pipeline(slow).normalise(), tile=512, tiles=(8, 8)), 'world', 2, engine=engine)"
        " | world.measure(engine=engine)",
    ),
    "World.seal": Call(WORLD.seal, [], {"progress": None}),
    "World.status": Call(WORLD.status),
    "bake": Call(
        og.bake,
        [SMALL, BAKED],
        {**TOLD, "level": 0, "overview": True},
        "og.bake(og.Recipe(slow, tile=512, tiles=(8, 8)), 'out', engine=engine)",
    ),
    "bake, measured": Call(
        og.bake,
        [SMALL, BAKED],
        TOLD,
        "og.bake(og.Recipe(og.Pipeline(slow).normalise(), tile=512, tiles=(8, 8)), 'out', engine=engine)",
    ),
    "check": Call(
        og.check,
        [BAKED],
        {**TOLD, "recompute": 1.0, "seed": 1},
        "og.bake(og.Recipe(slow, tile=512, tiles=(4, 4)), 'out', engine=engine) | og.check('out', recompute=1.0, engine=engine)",
    ),
    "chunk_volume": Call(og.chunk_volume, [0, 0, 0, 4]),
    "coarser_chunk_volume": Call(og.coarser_chunk_volume, [og.chunk_volume(0, 0, 0, 4), 1]),
    "coarser_terrain_chunk": Call(og.coarser_terrain_chunk, [og.terrain_chunk(0, 0, 4), 1]),
    "dask_array": Call(og.dask_array, [NOISE, (4, 4)], {"chunks": 2, **DEPTH}),
    "draw": Call(
        og.draw,
        [NOISE, REGION],
        {"engine": ENGINE, "relief": True, "colours": ["#000000"], "sea": None, "span": (0.0, 1.0)},
        "og.draw(slow, og.Region.plane(4096, 4096))",
    ),
    "draw, a plain picture": Call(og.draw, [NOISE, REGION], {}, "og.draw(og.white(), og.Region.plane(4096, 4096))"),
    "plan": Call(og.plan, [SMALL, PLANNED, 1], {"engine": ENGINE, "level": 0}),
    "stats.Distribution": Call(og.stats.Distribution, [SQUARE], {}, "values = square() | og.stats.Distribution(values)"),
    "stats.Distribution.cdf": Call(FOUND.cdf, [0.5]),
    # Some nanoseconds a value.
    "stats.Distribution.histogram": Call(FOUND.histogram, [0.0, 1.0, 4]),
    "stats.Distribution.ks_uniform": Call(FOUND.ks_uniform, [0.0, 1.0]),
    "stats.Distribution.quantile": Call(FOUND.quantile, [0.5]),
    "stats.Spectrum.fit": Call(og.stats.spectrum(SQUARE).fit, [0.0, 0.5]),
    "stats.isotropy": Call(
        og.stats.isotropy,
        [SQUARE, 0.1, 0.4],
        {"sectors": 2, "window": "hann"},
        "values = square() | og.stats.isotropy(values, 0.0, 0.5)",
    ),
    "stats.spectrum": Call(og.stats.spectrum, [SQUARE], {"window": "hann"}, "values = square() | og.stats.spectrum(values)"),
    "surface": Call(
        og.surface,
        [ENGINE, og.simplex(dimensions=3), og.Region.volume(4, 4, 4)],
        {"at": 0.0, "walls": False},
        "og.surface(engine, slow, og.Region.volume(1024, 1024, 64))",
    ),
    "terrain": Call(
        og.terrain,
        [SQUARE, og.Region.plane(8, 8)],
        {"error": 0.0, "skirt": 0.0},
        "chunk = og.terrain_chunk(0, 0, 768)\n"
        "heights = engine.field(50 * og.simplex(wavelength=100).fractal(octaves=6), chunk) | og.terrain(heights, chunk, error=0.01)",
    ),
    "terrain, every sample": Call(
        og.terrain,
        [SQUARE, og.Region.plane(8, 8)],
        {},
        "chunk, heights = og.terrain_chunk(0, 0, 4096), np.zeros((4099, 4099)) | og.terrain(heights, chunk)",
    ),
    "terrain_chunk": Call(og.terrain_chunk, [0, 0, 4]),
    "xarray": Call(
        og.xarray,
        [NOISE, (4, 4)],
        {"chunks": None, "name": "x", "units": "m", "length": "m", **DEPTH},
        "og.xarray(slow, (8192, 8192))",
    ),
    "raster": Call(og.raster, [], {"heights": SQUARE}, "heights = np.zeros((16384, 8192), np.float32) | og.raster(heights=heights)"),
}


def test_every_public_function_is_here() -> None:
    functions = {name for name in og.__all__ if callable(getattr(og, name)) and name not in HOLDERS | set(og.node.__all__)}
    functions |= {f"stats.{name}" for name in ("Distribution", "isotropy", "spectrum")}
    kinds = {og.Noise: dir(og.node.NodeSteps), og.Pipeline: dir(og.stage.StageSteps)}
    for cls in CLASSES:
        prefix = "stats." if cls.__module__ == "orogen.stats" else ""
        methods = [name for name, method in inspect.getmembers(cls) if callable(method) and not name.startswith("_")]
        functions |= {f"{prefix}{cls.__name__}.{name}" for name in methods if name not in kinds.get(cls, [])}
    # Prepared noises and spectra are made by others; kinds of nodes are swept by the tables below.
    functions -= {"Prepared", "PreparedSeveral", "stats.Spectrum"}
    assert functions == {name.split(",")[0] for name in CALLS} - {"raster"}


class Asked:
    """A value that raises on every operation."""

    def __init__(self, error: BaseException) -> None:
        self.error, self.asked = error, False

    def ask(self, *_: object, **__: object) -> Any:
        self.asked = True
        raise self.error

    __array__ = __bool__ = __complex__ = __contains__ = __float__ = __fspath__ = __getitem__ = __index__ = __int__ = ask
    __iter__ = __len__ = __repr__ = __str__ = ask


def convert(what: str, make: Callable[[object], object], wrong: list[str]) -> int:
    """Counts the interrupted conversions of an argument; every one that began should be interrupted."""
    interrupted = 0
    for error in (KeyboardInterrupt(), SystemExit(3), MemoryError("the copy")):
        for inside in (False, True):
            value = Asked(error)
            try:
                make([value, value] if inside else value)
                raised: BaseException | None = None
            except BaseException as found:
                raised = found
            if value.asked:
                interrupted += 1
                if raised is not error:
                    wrong.append(f"{what}: {error!r} became {raised!r}")
            elif not (raised is None or isinstance(raised, TypeError | ValueError)):
                wrong.append(f"{what}: {raised!r}")
    return interrupted


def test_no_conversion_swallows_an_interrupt() -> None:
    interrupted, wrong = 0, []
    for name, call in CALLS.items():
        for i in range(len(call.positional)):
            make = lambda value, i=i, call=call: call.function(*call.positional[:i], value, *call.positional[i + 1 :], **call.named)
            interrupted += convert(f"{name}: argument {i}", make, wrong)
        for key in call.named:
            make = lambda value, key=key, call=call: call.function(*call.positional, **{**call.named, key: value})
            interrupted += convert(f"{name}: {key}", make, wrong)
    for table, of_kind in (("node", _orogen.node_of_kind), ("stage", _orogen.stage_of_kind)):
        for row in TABLES[table]:
            for param in row["params"]:
                make = lambda value, of=of_kind, kind=row["kind"], key=param["name"]: of(kind, **{key: value})
                interrupted += convert(f"{row['kind']}: {param['name']}", make, wrong)
    assert not wrong, "\n".join(wrong)
    assert interrupted > 1000, interrupted


def test_a_refusal_keeps_its_cause() -> None:
    class Broken:
        def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
            raise RuntimeError("call .detach() first")

    for call in (
        lambda: ENGINE.sample(NOISE, Broken()),  # type: ignore[arg-type]
        lambda: og.raster(heights=Broken()),  # type: ignore[arg-type]
        lambda: og.stats.Distribution(Broken()),  # type: ignore[arg-type]
    ):
        with pytest.raises(og.OrogenError) as refused:
            call()
        assert isinstance(refused.value.__cause__, RuntimeError), refused.value
    with pytest.raises(og.OrogenError) as refused:
        og.simplex(wavelength=b"wide")  # type: ignore[arg-type]
    assert isinstance(refused.value.__cause__, TypeError) or refused.value.__cause__ is None


LONG = [(name, call.long) for name, call in CALLS.items() if call.long is not SHORT]


def processor_time(process: int) -> float:
    """Seconds that a process has been computing."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(sys.platform != "linux", reason="the processor's time of another process is read from /proc")
@pytest.mark.parametrize("long", [long for _, long in LONG], ids=[name for name, _ in LONG])
def test_ctrl_c_ends_long_work(long: str, tmp_path: Path) -> None:
    before, call = long.split(" | ") if " | " in long else ("", long)
    program = (
        SETUP
        + before
        + textwrap.dedent(
            f"""
            print("started", flush=True)
            try:
                {call}
            except KeyboardInterrupt:
                print("interrupted", time.monotonic(), time.process_time(), flush=True)
                os._exit(0)
            print("finished", flush=True)
            """
        )
    )
    # A virtual machine may stand still for longer than the limit: work that cannot be interrupted is late three times.
    late = [seconds_to_end(program, tmp_path)]
    while late[-1] >= 0.2 and len(late) < 3:
        late.append(seconds_to_end(program, tmp_path))
    assert late[-1] < 0.2, f"{late} s after the signal"


def seconds_to_end(program: str, folder: Path) -> float:
    """Starts the program, interrupts it, and measures how long it goes on."""
    (folder / "pipe.toml").unlink(missing_ok=True)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=folder) as child:
        assert child.stdout is not None and child.stdout.readline() == "started\n"
        time.sleep(0.15)
        sent = (time.monotonic(), processor_time(child.pid))
        child.send_signal(signal.SIGINT)
        try:
            word, *ended = child.stdout.readline().split()
        finally:
            child.kill()
    assert word == "interrupted"
    # On a machine that does other work, too, the processor's time is less than the clock's.
    return min(float(end) - start for end, start in zip(ended, sent))


def test_pipelines_and_recipes_hash_while_python_may_interrupt() -> None:
    """Naming or comparing a raster from memory hashes it first, on a separate thread if it is large."""
    heights = np.random.default_rng(2).random((600, 600), np.float32)
    a, b = (og.raster(heights=heights) for _ in range(2))
    assert a == b and og.Pipeline(a) == og.Pipeline(b) and og.Recipe(a) == og.Recipe(b) and a.to_json() == b.to_json()
    assert os.getpid() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
