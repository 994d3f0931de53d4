"""Invalid arguments raise a ValueError that names the mistake, before anything is computed, and never crash."""

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from test_tables import TABLES

import orogen as og
from orogen import _orogen, stats

REGION = og.Region.plane(8, 4)


def refused(match: str):
    return pytest.raises(og.OrogenError, match=match)


def test_whole_numbers_that_do_not_fit_are_named() -> None:
    whole = "is not allowed; allowed: a whole number of 0 or more"
    with refused(r"seed = -1 is not allowed; allowed: a whole number from 0 to 18446744073709551615 \(.* such as its magnitude\)"):
        og.Poisson(1.0, seed=-1).points((0, 0), (1, 1))
    with refused(f"relax = 10000000000 {whole}"):
        og.Poisson(1.0, relax=10**10).points((0, 0), (1, 1))
    with refused(f"bins = -1 {whole}"):
        stats.Distribution(np.zeros(4)).histogram(0, 1, -1)
    with refused(f"sectors = -1 {whole}"):
        stats.isotropy(np.zeros((8, 8)), 0, 1, sectors=-1)
    with refused(r"x = 10+… is not allowed; allowed: a whole number"):
        og.terrain_chunk(10**200, 0, 8)
    with refused(r"z = 1\.5 is not allowed; allowed: a whole number"):
        og.chunk_volume(0, 0, 1.5, 8)  # type: ignore[arg-type]


def test_the_error_is_a_value_error() -> None:
    assert issubclass(og.OrogenError, ValueError)


def test_parameters_are_named_with_what_is_allowed() -> None:
    with refused("node 'simplex': wavelength = -5 is not allowed; allowed: 0.000001 to 1e12"):
        og.simplex(wavelength=-5)
    with refused("node 'simplex': wavelength = NaN is not allowed"):
        og.simplex(wavelength=float("nan"))
    with refused("node 'simplex': wavelength = .* is not allowed"):
        og.simplex(wavelength=float("inf"))
    with refused("node 'fractal': octaves = 2.5 is not allowed; allowed: a whole number"):
        og.simplex().fractal(octaves=2.5)  # type: ignore[arg-type]
    with refused("node 'simplex': seed = -1 is not allowed; .* such as its magnitude"):
        og.simplex(seed=-1)
    with refused("node 'simplex': seed = 10+… is not allowed"):
        og.simplex(seed=10**200)
    with refused("node 'fractal': accumulate = \"summ\" is not allowed; allowed: one of the words sum, lerp"):
        og.simplex().fractal(accumulate="summ")  # type: ignore[arg-type]
    with refused("node 'fractal': octaves = .* is not allowed"):
        og.simplex().fractal(octaves=og.simplex())  # type: ignore[arg-type]
    with refused("node 'add': b = 'simplex' is not allowed; allowed: a noise or a number"):
        og.simplex().add("simplex")  # type: ignore[arg-type]
    with refused("node 'clamp': high = -2 is not allowed; allowed: at least low = 1"):
        og.simplex().clamp(low=1, high=-2)
    with refused("kind = 'simplexx' is not allowed; allowed: constant, coordinate"):
        _orogen.node_of_kind("simplexx")
    with refused("node 'simplex' has no parameter 'wavelengt'"):
        _orogen.node_of_kind("simplex", wavelengt=3)
    with refused("node 'constant': value = NaN"):
        og.Noise(float("nan"))
    with refused("stage 'hydraulic': .*iterations = 0 is not allowed; allowed: 1 to 4096|node 'hydraulic': iterations = 0"):
        og.Pipeline(og.simplex()).hydraulic(iterations=0)
    with refused("nowhere"):
        og.Pipeline(og.simplex()).combine("nowhere")
    with refused("others = 'simplex' is not allowed; allowed: a noise or a pipeline"):
        og.Pipeline(og.simplex()).with_layers("simplex")  # type: ignore[arg-type]
    with refused("'gainn'"):
        og.simplex().fractal().set("fractal.gainn", 1)
    with refused("shapes the kernel"):
        og.simplex().set("simplex.dimensions", 3)
    with pytest.raises(TypeError):
        og.simplex(wavelengt=3)  # type: ignore[call-arg]


def test_what_is_of_another_class_is_named_as_python_names_it(engine: og.Engine) -> None:
    noise, pipeline = og.simplex(), og.Pipeline(og.simplex()).slope()
    for call, said in [
        (lambda: engine.field(pipeline, REGION), "expected a Noise, got Pipeline"),
        (lambda: engine.field(None, REGION), "expected a Noise, got None"),
        (lambda: engine.field(noise, (8, 8)), "expected a Region, got tuple"),
        (lambda: engine.prepare(3.0), "expected a Noise, got float"),
        (lambda: engine.measure(pipeline, "slope", [(8, 8)]), "expected a Region, got tuple"),
        (lambda: og.surface("cpu", noise, REGION), "expected an Engine, got str"),
        (lambda: og.xarray(noise, (8, 8), engine="cpu"), "expected an Engine, got str"),
    ]:
        with pytest.raises(TypeError, match=said):
            call()
    for value in (None, 3.0, "simplex", REGION):
        with refused("of = .* is not allowed; allowed: a noise or a pipeline"):
            og.draw(value)  # type: ignore[arg-type]
        with refused("noise = .* is not allowed; allowed: a noise or a pipeline"):
            og.Pipeline(value)  # type: ignore[arg-type]
        with refused("of = .* is not allowed; allowed: a noise or a pipeline"):
            og.Recipe(value)  # type: ignore[arg-type]
    with refused("node 'simplex': wavelength = None is not allowed; allowed: a number, 0.000001 to 1e12$"):
        og.simplex(wavelength=None)  # type: ignore[arg-type]
    with refused("node 'simplex': seed = {} is not allowed; allowed: a whole number"):
        og.simplex(seed={})  # type: ignore[arg-type]


def test_regions_and_positions_are_checked(engine: og.Engine) -> None:
    noise = og.simplex()
    for make in [
        lambda: og.Region.plane(10**6, 10**6),
        lambda: og.Region.plane(0, 3),
        lambda: og.Region.plane(-1, 3),
        lambda: og.Region.plane(10**30, 3),
        lambda: og.Region.plane(2.5, 3),
        lambda: og.Region("abc"),
        lambda: og.Region((1, 2, 3, 4)),
        lambda: og.Region((1, 2), spacing=0.0),
        lambda: og.Region((1, 2), spacing=float("nan")),
        lambda: og.Region((1, 2), anchor=(1e300, 0)),
        lambda: og.Region((1, 2), level=41),
        lambda: og.Region((1, 2), sizes=3),
        lambda: og.Region.tile(2**62, 0, 16384),
        lambda: REGION.coarser(2**40),
    ]:
        with pytest.raises(og.OrogenError, match="allowed"):
            make()
    with refused(r"point 1: \[NaN"):
        engine.sample(noise, [[0.0, 0.0, 0.0], [np.nan, 0.0, 0.0]])
    with refused("point 2000001"):
        engine.sample(noise, np.vstack([np.zeros((2_000_001, 2)), [[np.inf, 0.0]]]))
    with refused("finite"):
        engine.prepare(noise).value(float("inf"), 0)


@pytest.mark.parametrize(
    ("points", "match"),
    [
        (np.zeros(6), r"shape \[6\]"),
        (np.zeros((2, 5)), r"shape \[2, 5\]"),
        (np.zeros((2, 2, 3)), r"shape \[2, 2, 3\]"),
        (5.0, r"shape \[\]"),
        ([[1, 2], [3]], "real numbers"),
        ("points", "dtype"),
        ([["a", "b"]], "dtype"),
        (np.zeros((2, 2), complex), "dtype complex128"),
        (np.array([[object(), 1]]), "dtype object"),
        (None, "dtype object"),
    ],
)
def test_points_that_are_none(engine: og.Engine, points, match: str) -> None:
    with warnings.catch_warnings(), refused("points = .*" + match):
        warnings.simplefilter("error")
        engine.sample(og.simplex(), points)


def read_only() -> np.ndarray:
    array = np.zeros((4, 8), np.float32)
    array.flags.writeable = False
    return array


def misaligned() -> np.ndarray:
    return np.zeros(4 * 8 * 4 + 1, np.uint8)[1:].view(np.float32).reshape(4, 8)


@pytest.mark.parametrize(
    ("out", "match"),
    [
        (np.zeros((4, 8)), "dtype float64"),
        (np.zeros((8, 4), np.float32), r"shape \[8, 4\]"),
        (np.zeros(32, np.float32), r"shape \[32\]"),
        (np.zeros((4, 16), np.float32)[:, ::2], "not C-contiguous"),
        (np.zeros((8, 4), np.float32).T, "not C-contiguous"),
        (np.zeros((4, 8), ">f4"), "dtype >f4"),
        (read_only(), "read-only"),
        (misaligned(), "misaligned"),
        ([[0.0] * 8] * 4, "float32 array of shape"),
        (memoryview(np.zeros((4, 8), np.float32)), "float32 array of shape"),
    ],
)
def test_an_out_that_cannot_hold_it_stays_as_it_is(engine: og.Engine, out, match: str) -> None:
    before = np.array(out)
    with refused("out = .*" + match):
        engine.field(og.simplex(), REGION, out=out)
    assert np.array_equal(np.array(out), before)


def test_outs_of_gradients(engine: og.Engine) -> None:
    values, gradients = np.zeros((4, 8), np.float32), np.zeros((4, 8, 3), np.float32)
    for out in (values, (values,), [values, gradients], (values, values), (gradients, gradients), (values, gradients[..., :2])):
        with refused("out"):
            engine.field(og.simplex(), REGION, gradient=True, out=out)
    memory = np.zeros(4 * 8 * 3, np.float32)
    with refused("overlaps"):
        engine.field(og.simplex(), REGION, gradient=True, out=(memory[:32].reshape(4, 8), memory.reshape(4, 8, 3)))
    with refused("out"):
        engine.field(og.simplex(), REGION, out=(values, gradients))


def test_more_than_memory_is_refused_before_it_is_taken(engine: og.Engine) -> None:
    largest = og.Region.plane(65_536, 65_536)
    with refused("MiB of free memory"):
        engine.field(og.simplex(), largest, gradient=True)
    with refused("MiB of free memory"):
        engine.layers(og.Pipeline(og.simplex()).colour(map="viridis"), "colour", largest)
    with refused("area = .* MiB"):
        og.Poisson(1.0).points((0, 0), (30_000, 16_000))
    with refused("at most 5e8"):
        og.Poisson(1.0).points((0, 0), (1e6, 1e6))
    with refused("1024"):
        og.surface(engine, og.simplex(), og.Region.volume(2000, 2, 2))


def test_engines_that_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for make in [
        lambda: og.Engine("tpu"),
        lambda: og.Engine("cpu", threads=0),
        lambda: og.Engine("cpu", threads=10**9),
        lambda: og.Engine("cpu", threads="all"),  # type: ignore[arg-type]
        lambda: og.Engine("gpu", adapter="no such adapter"),
        lambda: og.Engine("gpu", arithmetic="quick"),
        lambda: og.Engine("cpu", water="gpu"),
        lambda: og.Engine("gpu", water="sea"),  # type: ignore[arg-type]
        lambda: og.Engine("cpu", memory=-1),
    ]:
        with pytest.raises(og.OrogenError):
            make()
    with pytest.raises(TypeError):
        og.Engine("cpu").field(3, REGION)  # type: ignore[call-overload]


def test_the_rest_after_the_noise(engine: og.Engine) -> None:
    for make in [
        lambda: og.stats.Distribution([]),
        lambda: og.stats.Distribution([np.nan]),
        lambda: og.stats.Distribution(["a"]),
        lambda: og.stats.Distribution([1.0]).quantile(2),
        lambda: og.stats.Distribution([1.0]).histogram(0, 1, 10**12),
        lambda: og.stats.spectrum(np.zeros((4, 5))),
        lambda: og.stats.spectrum(np.zeros(16)),
        lambda: og.stats.spectrum(np.full((8, 8), np.nan)),
        lambda: og.stats.spectrum(np.zeros((8, 8)), window="hamming"),
        lambda: og.stats.isotropy(np.zeros((8, 8)), 0, 0.5),
        lambda: og.stats.isotropy(np.ones((8, 8)), 0, 0.5, sectors=0),
        lambda: og.Poisson(-1.0).points((0, 0), (1, 1)),
        lambda: og.Poisson(1.0).points((0, 0), (np.nan, 1)),
        lambda: og.Poisson(1.0).points((2, 0), (1, 1)),
        lambda: og.draw(og.simplex(), og.Region.volume(4, 4, 4)),
        lambda: og.draw(og.simplex(), colours=["red"]),
        lambda: og.draw(og.simplex(), colours=["#ééé"]),
        lambda: og.draw(og.simplex(), og.Region.plane(100_000, 1)),
        lambda: engine.equalise(og.simplex(), -1.0),
        lambda: engine.layers(og.simplex(), [], REGION),
        lambda: engine.layers(og.simplex(), "nowhere", REGION),
        lambda: engine.layers(og.Pipeline(og.stage.given()).slope(), "slope", REGION),
        lambda: engine.layers(og.Pipeline(og.simplex()).slope(), "slope", og.Region.volume(4, 4, 4)),
        lambda: engine.apply(og.Pipeline(og.stage.given()).slope(), "slope", np.zeros(4)),
        lambda: engine.apply(og.Pipeline(og.stage.given()).slope(), "slope", np.full((4, 4), np.nan)),
        lambda: engine.apply(og.Pipeline(og.stage.given()).slope(), "slope", np.zeros((4, 0))),
        lambda: og.Recipe.parse("output = 3"),
        lambda: og.Recipe.parse('output = "a"'),
        lambda: og.Recipe(og.simplex(), tile=0),
        lambda: og.Recipe(og.simplex(), tyle=3),
        lambda: og.Recipe(og.simplex(), layers=["nowhere"]),
        lambda: og.Noise.from_json("{}"),
        lambda: og.Noise.from_json('{"output": "a", "node": {}}'),
        lambda: og.Pipeline.from_json("[]"),
        lambda: og.dask_array(og.simplex(), (3,)),
        lambda: og.dask_array(og.simplex(), (0, 3)),
        lambda: og.dask_array(og.simplex(), (3, 3), spacing=-1),
        lambda: og.dask_array(og.simplex(), (3, 3), anchor=(1e18, 0, 0)),
        lambda: og.dask_array(og.Pipeline(og.simplex()).normalise(), (3, 3)),
    ]:
        with pytest.raises(ValueError):
            make()
    with pytest.raises(FileNotFoundError, match=r"nowhere\.toml"):
        og.Recipe.load("nowhere.toml")


# Values of every type that Python may bring, some of them allowed somewhere.
words = sorted(
    {
        word
        for table in TABLES.values()
        for row in table
        for p in row["params"]
        if isinstance(p["type"], dict)
        for word in p["type"]["choice"]["words"]
    }
)
numbers = st.one_of(st.floats(), st.integers(), st.integers(-(2**70), 2**70), st.floats(-2, 2), st.integers(0, 8))
anything = st.one_of(
    numbers,
    st.none(),
    st.booleans(),
    st.sampled_from(words),
    st.text(max_size=5),
    st.binary(max_size=3),
    st.lists(numbers, max_size=4),
    st.lists(st.lists(numbers, min_size=3, max_size=3), max_size=4),
    st.lists(
        st.dictionaries(st.sampled_from(["at", "value", "probability", "colour", "frequency", "amplitude", "slope_in"]), numbers),
        max_size=3,
    ),
    st.just(np.zeros(3)),
    st.just(object()),
)


def plausible(p: dict) -> st.SearchStrategy:
    """A plausible value of a parameter."""
    if isinstance(p["type"], dict):
        return st.sampled_from(p["type"]["choice"]["words"])
    low, high = (p["allowed"].get("between") or (-2.0, 2.0)) if isinstance(p["allowed"], dict) else (-2.0, 2.0)
    low, high = max(low, -1e3), min(high, 1e3)
    return {
        "number": st.floats(low, high),
        "whole": st.integers(int(max(low, 0)), int(min(high, 8))),
        "flag": st.booleans(),
        "vector": st.lists(st.floats(low, high), min_size=3, max_size=3),
    }.get(p["type"], numbers)


@st.composite
def chains(draw: st.DrawFn) -> og.Noise | og.Pipeline:
    """Some kinds, one over the other, each with random settings for some of its parameters."""
    noises: list[og.Noise] = [og.simplex(wavelength=7.0), og.perlin(dimensions=3)]
    for _ in range(draw(st.integers(1, 4))):
        row = draw(st.sampled_from(TABLES["node"]))
        noises.append(_orogen.node_of_kind(row["kind"], **some(draw, row, noises)))
    if draw(st.booleans()):
        return noises[-1]
    pipeline = og.Pipeline(noises[-1])
    row = draw(st.sampled_from(TABLES["stage"]))
    first = next((p["name"] for p in row["params"] if p["type"] == "input"), None)
    given = some(draw, row, noises) | ({first: pipeline} if first else {})
    # Long erosions are valid, but slow.
    if isinstance(given.get("iterations"), int):
        given["iterations"] = min(given["iterations"], 8)
    return _orogen.stage_of_kind(row["kind"], **given)


def some(draw: st.DrawFn, row: dict, noises: list[og.Noise]) -> dict[str, object]:
    given: dict[str, object] = {}
    for p in row["params"]:
        if p["type"] == "input":
            given[p["name"]] = draw(st.one_of(st.sampled_from(noises), st.sampled_from(noises), numbers)) if p["default"] is None else None
        elif draw(st.integers(0, 3)) == 0:
            given[p["name"]] = draw(st.one_of(plausible(p), plausible(p), plausible(p), anything))
    return given


def test_whatever_is_set_gives_numbers_or_a_value_error() -> None:
    engine = og.Engine("cpu", threads="caller", memory=1 << 28)
    outcomes = {"numbers": 0, "refused": 0}

    @settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def attempt(data: st.DataObject) -> None:
        try:
            made = data.draw(chains())
            if isinstance(made, og.Noise):
                values = engine.field(made, REGION)
                assert np.isfinite(values).all() and og.Noise.from_json(made.to_json()) == made
                low, high = made.range()
                assert low <= values.min() and values.max() <= high
            else:
                assert np.isfinite(engine.layer(made, REGION)).all()
            outcomes["numbers"] += 1
        # A word may be the name of a file that is not there.
        except (og.OrogenError, OSError):
            outcomes["refused"] += 1

    attempt()
    assert min(outcomes.values()) > 0, f"neither side may be left out: {outcomes}"


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["simplex.wavelength", "simplex.seed", "fractal.octaves", "fractal.offsets", "x", ""]), anything)
def test_whatever_is_set_by_name_is_taken_or_a_value_error(path: str, value: object) -> None:
    noise = og.simplex().fractal()
    before = noise.to_json()
    try:
        noise.set(path, value)
        noise.range()
    except og.OrogenError:
        assert noise.to_json() == before


@settings(max_examples=200, deadline=None)
@given(
    st.lists(numbers, max_size=4),
    st.dictionaries(
        st.sampled_from(["origin", "level", "spacing", "anchor"]), st.one_of(numbers, st.lists(numbers, max_size=4)), max_size=3
    ),
)
def test_whatever_a_region_is_made_of(size: list[float], given: dict[str, object]) -> None:
    try:
        region = og.Region(size, **given)
    except og.OrogenError:
        return
    assert region.samples <= 2**32
    if region.samples <= 1024:
        assert og.Engine("cpu").field(og.simplex(), region).size == region.samples


shapes = arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=8)
any_array = st.one_of(
    arrays.arrays(arrays.scalar_dtypes() | arrays.array_dtypes(), shapes),
    arrays.arrays(arrays.floating_dtypes(sizes=(32, 64)), st.sampled_from([(4, 8), (4, 8, 3), (5, 2), (5, 3), (0, 2)])),
)
views = st.sampled_from(
    [lambda a: a, lambda a: a.T, lambda a: a[::-1], lambda a: a[..., ::2], lambda a: np.asfortranarray(a), np.broadcast_to]
)


def seen(array: np.ndarray, view) -> np.ndarray:
    """The array, or a view of it: turned, with gaps, or of one number many times."""
    if array.ndim == 0:
        return array
    return (
        np.broadcast_to(array[:1], array.shape)
        if view is np.broadcast_to and len(array)
        else view(array)
        if view is not np.broadcast_to
        else array
    )


@settings(max_examples=400, deadline=None)
@given(any_array, views)
def test_whatever_array_points_are(array: np.ndarray, view) -> None:
    points = seen(array, view)
    try:
        values = og.Engine("cpu").sample(og.simplex(), points)
    except og.OrogenError:
        assert not (
            points.ndim == 2
            and points.shape[1] in (2, 3)
            and points.dtype.kind in "biuf"
            and np.isfinite(points.astype(float)).all()
            and abs(points.astype(float)).max(initial=0) < 2**53
        )
        return
    assert values.shape == (len(points),) and np.isfinite(values).all()


@settings(max_examples=400, deadline=None)
@given(any_array, views, st.booleans())
def test_whatever_array_out_is(array: np.ndarray, view, gradient: bool) -> None:
    out = seen(array, view)
    expected = og.Engine("cpu").field(og.simplex(), REGION)
    given_out = (np.empty((4, 8), np.float32), out) if gradient else out
    try:
        og.Engine("cpu").field(og.simplex(), REGION, gradient=gradient, out=given_out)
    except og.OrogenError:
        right = (
            out.dtype == np.float32 and out.shape == ((4, 8, 3) if gradient else (4, 8)) and out.flags.c_contiguous and out.flags.writeable
        )
        assert not right or not out.dtype.isnative
        return
    assert np.array_equal(given_out[0] if gradient else out, expected)
