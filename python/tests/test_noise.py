"""Noises: operators, names, text, pictures."""

import copy
import pickle

import numpy as np
import pytest

import orogen as og

REGION = og.Region.plane(32, 32).replace(spacing=9.0)


def values(noise: og.Noise) -> np.ndarray:
    return og.Engine("cpu").field(noise, REGION)


def test_samplers_share_a_table(engine):
    """Entries of one table: what each fractal has with offsets of its own."""
    offsets = [[100.0 * k, -7.0, 3.0] for k in range(5)]
    table = og.octave_table(offsets=offsets)
    base, region = og.simplex(wavelength=80.0), og.Region.plane(16, 16)
    shared = base.fractal(table, octaves=3, start=2)
    own = base.fractal(octaves=3, offsets=offsets[2:])
    assert np.array_equal(engine.field(shared, region), engine.field(own, region))
    shared.set("octave_table.offsets", [[0.0, 0.0, 0.0]] * 5)
    assert not np.array_equal(engine.field(shared, region), engine.field(own, region))
    with pytest.raises(og.OrogenError, match="this one is a table"):
        engine.field(table, region)


def test_operators_are_those_of_numbers() -> None:
    a, b = og.simplex(seed=1), og.perlin(seed=2)
    x, y = values(a), values(b)
    for made, expected in [
        (a + b, x + y),
        (a - b, x - y),
        (a * b, x * y),
        (2 + a, x + 2),
        (2 - a, 2 - x),
        (a - 2, x - 2),
        (0.5 * a, x * 0.5),
        (a / 4, x / 4),
        (-a, -x),
        (+a, x),
        (abs(a), abs(x)),
        (a.min(b), np.minimum(x, y)),
        (a.max(0.25), np.maximum(x, 0.25)),
        (a**2, x**2),
        (a**3, x**3),
        (a * np.float32(2), x * 2),
        (np.float64(2) * a, x * 2),
        (np.int64(2) - a, 2 - x),
    ]:
        assert np.allclose(values(made), expected, atol=1e-6), made


@pytest.mark.parametrize(
    "wrong",
    [lambda a: a + "x", lambda a: a / a, lambda a: 1 / a, lambda a: a**a, lambda a: a + [1], lambda a: np.ones(2) * a, lambda a: a < a],
)
def test_what_is_no_operation_is_a_type_error(wrong) -> None:
    with pytest.raises(TypeError):
        wrong(og.simplex())
    with pytest.raises(ZeroDivisionError):
        og.simplex() / 0


def test_a_noise_used_twice_is_there_once() -> None:
    base = og.simplex(wavelength=300.0)
    bent = base.fractal(octaves=8).warp(base, base, strength=40.0)
    assert [kind for _, kind in bent.nodes] == ["simplex", "fractal", "warp"]
    assert bent.get("warp.x") == "simplex" and bent.get("warp.z") == 0.0


def test_set_changes_this_noise_and_no_other() -> None:
    noise = og.simplex().fractal().named("hills")
    further, same = noise * 2, noise
    noise.set("hills.gain", 0.4)
    assert noise.get("hills.gain") == same.get("hills.gain") == 0.4 and further.get("hills.gain") == 0.5
    assert noise != further and noise == copy.deepcopy(noise)


def test_what_is_equal_has_the_same_hash() -> None:
    make = lambda: (og.simplex(seed=1).fractal(gain=0.4) + og.perlin()).named("both")
    a, b = make(), make()
    assert a == b and hash(a) == hash(b) and hash(og.Pipeline(a)) == hash(og.Pipeline(b)) and hash(og.Recipe(a)) == hash(og.Recipe(b))
    assert hash(-0.0 * og.simplex()) == hash(0.0 * og.simplex()), "the two zeros are one number"
    known = {a: "a"}
    assert known[b] == "a" and og.simplex() not in known and len({a, b, og.Pipeline(a).slope(), og.Recipe(a)}) == 3
    a.set("fractal.gain", 0.9)
    assert known[a] == "a" and b not in known and a != b, "set changes no hash"
    assert pickle.loads(pickle.dumps(b)) in {b}


def test_a_parameter_is_no_attribute() -> None:
    noise, pipeline = og.simplex(wavelength=100).fractal(), og.Pipeline(og.simplex()).hydraulic()
    with pytest.raises(
        AttributeError, match=r"'wavelength' of 'Noise' objects cannot be set; to change a parameter: set\('simplex.wavelength', …\)"
    ):
        noise.wavelength = 250  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"set\('simplex.seed', …\) or set\('fractal.seed', …\)"):
        noise.seed = 3  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"'iterations' of 'Pipeline' objects cannot be set; .*set\('hydraulic.iterations', …\)"):
        pipeline.iterations = 3  # type: ignore[attr-defined]
    for thing in (noise, pipeline):
        with pytest.raises(AttributeError, match=r"'nothing' of '.*' objects cannot be set$"):
            thing.nothing = 3
        with pytest.raises(AttributeError):
            thing.output = "x"
        assert not hasattr(thing, "__dict__")
    assert noise.get("simplex.wavelength") == 100


def test_a_quotient_of_noises_says_why_there_is_none() -> None:
    for quotient in (lambda: og.simplex() / og.perlin(), lambda: 1 / og.simplex()):
        with pytest.raises(TypeError, match="a noise can be divided by numbers only: a quotient of noises has no range"):
            quotient()


def test_every_type_of_setting_comes_back() -> None:
    points = [og.ControlPoint(at=-1.0, value=0.0), og.ControlPoint(at=1.0, value=2.0, slope_in=0.5)]
    noise = (
        og.simplex(offset=[1, 2, 3]).fractal(offsets=np.zeros((8, 3)), normalise=np.bool_(False), octaves=np.int64(4)).spline(points=points)
    )
    assert noise.get("simplex.offset") == [1.0, 2.0, 3.0] and noise.get("simplex.seed") is None
    assert noise.get("fractal.offsets") == [[0.0] * 3] * 8 and noise.get("fractal.normalise") is False
    assert noise.get("fractal.octaves") == 4 and noise.get("fractal.accumulate") == "sum"
    assert noise.get("spline.points")[1] == {"at": 1.0, "value": 2.0, "slope_in": 0.5, "slope_out": 0.0}
    noise.set("spline.points", [{"at": 0, "value": 0}, {"at": 1, "value": 1}])
    for seed in (0, 1, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1):
        noise.set("simplex.seed", seed)
        assert noise.get("simplex.seed") == seed
        assert og.Recipe.parse(og.Recipe(noise).to_toml()).noise == noise
        assert og.Recipe.parse(og.Recipe(noise).to_json()).noise == noise
        # As NumPy's type, and as text, which recipes use for large numbers.
        for other in (np.uint64(seed), str(seed)):
            noise.set("simplex.seed", other)
            assert noise.get("simplex.seed") == seed


def test_noises_are_text_and_back() -> None:
    noise = (og.simplex(seed=2**60 + 1).fractal() + og.worley(weights=[-1, 1])).named("both")
    assert pickle.loads(pickle.dumps(noise)) == noise == og.Noise.from_json(noise.to_json())
    assert type(pickle.loads(pickle.dumps(noise))) is og.Noise
    assert repr(noise).startswith("<orogen.Noise 'both': simplex → fractal → worley → add within [")


def test_a_notebook_shows_a_picture() -> None:
    for shown in (og.simplex(wavelength=1e9).fractal(), og.Pipeline(og.simplex()).slope(), og.constant(value=3.0)):
        png = shown._repr_png_()
        assert png is not None and png[:8] == b"\x89PNG\r\n\x1a\n"
        assert int.from_bytes(png[16:20], "big") == 480 and int.from_bytes(png[20:24], "big") == 320
    assert len(set(og.simplex()._repr_png_() or b"")) > 200, "a picture of something"


def test_variations_have_other_seeds_and_those_of_the_command() -> None:
    hills = og.simplex(wavelength=40.0, seed=3).fractal(octaves=3).named("hills")
    assert hills.varied(0) == hills
    assert len({hills.varied(n).to_json() for n in range(5)}) == 5
    land = og.Pipeline(hills).thermal(iterations=2)
    assert land.varied(0) == land
    assert land.varied(2).noise_of("hills") == hills.varied(2)
    assert hills.varied(2).get("hills.octaves") == 3
    for wrong in (-1, 1.5, "2"):
        with pytest.raises((ValueError, TypeError), match="variation"):
            hills.varied(wrong)  # type: ignore[arg-type]
