"""Fields and samples as arrays."""

import pickle

import numpy as np
import pytest

import orogen as og


def test_a_field_is_an_array_of_rows_and_columns(engine: og.Engine, hills: og.Noise) -> None:
    field = engine.field(hills, og.Region.tile(3, 5, 128).replace(size=(64, 128)))
    assert field.shape == (128, 64) and field.dtype == np.float32 and field.flags.c_contiguous and field.flags.writeable
    assert field.std() > 0.05
    low, high = hills.range()
    assert low <= field.min() and field.max() <= high


def test_a_volume_has_z_first(engine: og.Engine) -> None:
    axes = [og.coordinate(axis=axis) for axis in ("x", "y", "z")]
    fields = [engine.field(axis, og.Region.volume(2, 3, 4)) for axis in axes]
    assert fields[0].shape == (4, 3, 2)
    z, y, x = np.meshgrid(range(4), range(3), range(2), indexing="ij")
    for field, expected in zip(fields, (x, y, z)):
        assert np.array_equal(field, expected)


def test_a_volume_of_one_layer_keeps_its_axis(engine: og.Engine, hills: og.Noise) -> None:
    flat = og.Region((5, 4), origin=(1, 2))
    for deep in (og.Region((5, 4, 1), origin=(1, 2)), og.Region.volume(5, 4, 1).replace(origin=(1, 2)), flat.replace(size=(5, 4, 1))):
        assert deep.shape == (1, 4, 5) and deep.size == (5, 4, 1) and deep != flat and og.Region(deep.size, origin=(1, 2)) == deep
        values, gradients = engine.field(hills, deep, gradient=True)
        assert values.shape == (1, 4, 5) and gradients.shape == (1, 4, 5, 3)
        assert np.array_equal(values[0], engine.field(hills, flat))
        assert eval(repr(deep), {"Region": og.Region}) == pickle.loads(pickle.dumps(deep)) == deep
        assert deep.replace(size=(5, 4)) == flat and deep.replace(spacing=2.0).shape == (1, 4, 5)
    assert flat.shape == (4, 5) and flat.size == (5, 4) and og.Region(flat.size, origin=(1, 2)) == flat
    assert eval(repr(flat), {"Region": og.Region}) == pickle.loads(pickle.dumps(flat)) == flat
    assert og.chunk_volume(0, 0, 0, 4).shape == (6, 6, 6) and og.Region.volume(8, 8, 2).coarser(1).shape == (1, 4, 4)
    # Of stages there are planes only.
    assert engine.layer(og.Pipeline(hills).slope(), og.Region.volume(5, 4, 1)).shape == (4, 5)
    for size in ((5, 4, 0), (5,), (5, 4, 1, 1), (0, 4)):
        with pytest.raises(og.OrogenError, match="size"):
            og.Region(size)


def test_gradients_are_what_values_change_by(engine: og.Engine, hills: og.Noise) -> None:
    region = og.Region.plane(40, 30).replace(spacing=0.01)
    values, gradients = engine.field(hills, region, gradient=True)
    assert np.array_equal(values, engine.field(hills, region))
    assert gradients.shape == (30, 40, 3) and gradients.dtype == np.float32
    assert np.allclose(np.gradient(values.astype(float), 0.01, axis=1)[:, 1:-1], gradients[:, 1:-1, 0], atol=2e-3)
    assert np.allclose(np.gradient(values.astype(float), 0.01, axis=0)[1:-1], gradients[1:-1, :, 1], atol=2e-3)


def test_out_is_written_to_and_given_back(engine: og.Engine, hills: og.Noise) -> None:
    region = og.Region.plane(16, 8)
    out = np.empty((8, 16), np.float32)
    assert engine.field(hills, region, out=out) is out
    assert np.array_equal(out, engine.field(hills, region))
    whole = np.zeros((4, 8, 16), np.float32)
    engine.field(hills, region, out=whole[2])
    assert np.array_equal(whole[2], out) and not whole[[0, 1, 3]].any()
    pair = np.empty((8, 16), np.float32), np.empty((8, 16, 3), np.float32)
    values, gradients = engine.field(hills, region, gradient=True, out=pair)
    assert values is pair[0] and gradients is pair[1] and np.array_equal(values, out)


def test_the_region_says_where(engine: og.Engine, hills: og.Noise) -> None:
    wide = engine.field(hills, og.Region.plane(100, 100))
    region = og.Region((20, 10), origin=(30, 40))
    assert region.shape == (10, 20) and og.Region.volume(2, 3, 4).shape == (4, 3, 2)
    assert np.array_equal(engine.field(hills, region), wide[40:50, 30:50])
    assert np.array_equal(engine.field(hills, og.Region.plane(50, 50).replace(level=1)), wide[::2, ::2])


def test_pieces_of_long_work_are_the_whole(engine: og.Engine) -> None:
    # More than one piece, along rows and along layers.
    prepared = engine.prepare(og.simplex().fractal(octaves=32))
    for region in (og.Region.plane(500, 601), og.Region.volume(50, 61, 99), og.Region.volume(450, 333, 2)):
        assert prepared.terms * region.samples > 2 << 22, "more than two pieces"
        field, gradients = prepared.field(region, gradient=True)
        assert np.array_equal(field, prepared.field(region))
        z, y, x = (int(edge) - 1 for edge in ((1, *field.shape) if field.ndim == 2 else field.shape))
        for i, j, k in [(0, 0, 0), (x, y, z), (x // 2, y // 2, z // 2), (3, y, 0)]:
            at = (k, j, i)[-field.ndim :]
            value, gradient = prepared.sample([region.position(i, j, k)], gradient=True)
            assert (value[0], *gradient[0]) == (field[at], *gradients[at])


@pytest.mark.parametrize(
    "convert", [list, np.array, lambda p: np.array(p, np.float32), lambda p: np.asfortranarray(p), lambda p: np.array(p + p)[::2]]
)
def test_points_may_be_anything_that_is_an_array_of_numbers(engine: og.Engine, hills: og.Noise, convert) -> None:
    points = [[1.5, 2.0, 3.0], [-4.0, 0.25, 1.0], [100.0, 50.0, 2.0], [7.0, 8.0, 9.0]]
    expected = engine.sample(hills, np.array(points))
    given = convert(points)
    if len(given) == len(points) and not (isinstance(given, np.ndarray) and given.strides[0] > 24):
        assert np.array_equal(engine.sample(hills, given), expected)
    else:
        assert np.array_equal(engine.sample(hills, given), expected[[0, 2, 0, 2]])


def test_points_of_two_numbers_lie_in_the_plane(engine: og.Engine) -> None:
    noise = og.perlin(dimensions=3, wavelength=7.0)
    points = np.random.default_rng(1).uniform(-100, 100, (1000, 2))
    deep = np.column_stack([points, np.zeros(1000)])
    values, gradients = engine.sample(noise, points, gradient=True)
    assert np.array_equal(values, engine.sample(noise, deep)) and gradients.shape == (1000, 3)
    assert len(engine.sample(noise, np.empty((0, 2)))) == 0


def test_many_points_are_sampled_in_pieces(engine: og.Engine) -> None:
    points = np.random.default_rng(2).uniform(-100, 100, (300_000, 3))
    prepared = engine.prepare(og.simplex().fractal(octaves=32))
    assert prepared.terms * len(points) > 2 << 22
    values, gradients = prepared.sample(points, gradient=True)
    assert np.array_equal(values, prepared.sample(points))
    last, slope = prepared.sample(points[-1:], gradient=True)
    assert last[0] == values[-1] and np.array_equal(slope[0], gradients[-1])


def test_a_prepared_noise_changes_by_name(engine: og.Engine, hills: og.Noise) -> None:
    prepared = engine.prepare(hills.named("hills"))
    before = prepared.value(12.0, -7.5)
    prepared.set("hills.gain", 0.7)
    prepared.set("simplex.wavelength", np.float32(128.0))
    expected = og.simplex(wavelength=128.0).fractal(octaves=8, gain=0.7)
    assert prepared.value(12.0, -7.5) == engine.sample(expected, [[12.0, -7.5]])[0] != before
    assert prepared.noise.get("hills.gain") == 0.7
    with pytest.raises(og.OrogenError, match="node 'hills': gain = 99 is not allowed; allowed: -16 to 16"):
        prepared.set("hills.gain", 99.0)
    assert prepared.noise.get("hills.gain") == 0.7


def test_backends_agree(hills: og.Noise) -> None:
    region = og.Region.tile(-2, 1, 64)
    exact = og.Engine("oracle").field(hills, region)
    alone = og.Engine("cpu", threads="caller").field(hills, region)
    assert np.array_equal(alone, og.Engine("cpu", threads=3).field(hills, region))
    assert 0 < np.abs(exact - alone).max() < 1e-5


def test_arrays_go_to_others_without_a_copy(engine: og.Engine, hills: og.Noise) -> None:
    field = engine.field(hills, og.Region.plane(8, 8))
    assert np.shares_memory(np.from_dlpack(field), field)
    assert memoryview(field).shape == (8, 8)


def test_a_prepared_noise_changes_several_numbers_at_once(engine: og.Engine, hills: og.Noise) -> None:
    prepared = engine.prepare(hills.named("hills"))
    prepared.set_all({"hills.gain": 0.7, "simplex.wavelength": np.float32(128.0), "hills.octaves": 3})
    expected = og.simplex(wavelength=128.0).fractal(octaves=3, gain=0.7)
    region = og.Region.plane(9, 7)
    assert np.array_equal(prepared.field(region), engine.field(expected, region))
    with pytest.raises(og.OrogenError, match="node 'hills': gain = 99 is not allowed"):
        prepared.set_all({"hills.octaves": 5, "hills.gain": 99.0})
    assert prepared.noise.get("hills.octaves") == 3, "all or nothing"


def test_time_is_a_fourth_coordinate_of_a_call(engine: og.Engine) -> None:
    clouds, region = og.simplex(dimensions=4, wavelength=20).fractal(octaves=3), og.Region.plane(9, 7)
    prepared, later = engine.prepare(clouds), engine.prepare(clouds)
    later.set("simplex.w", 2.5)
    values, gradients = later.field(region, gradient=True)
    assert np.array_equal(prepared.field(region, w=2.5), values) and not np.array_equal(prepared.field(region), values)
    at, slopes = prepared.field(region, gradient=True, w=2.5)
    assert np.array_equal(at, values) and np.array_equal(slopes, gradients)
    points = np.array([region.position(i, j) for j in range(7) for i in range(9)])
    assert np.array_equal(prepared.sample(points, w=2.5), later.sample(points))
    # A fourth coordinate each.
    timed = np.column_stack([points, np.where(np.arange(63) < 20, 0.0, 2.5)])
    expected = np.concatenate([prepared.sample(points[:20]), later.sample(points[20:])])
    assert np.array_equal(prepared.sample(timed), expected) and np.array_equal(engine.sample(clouds, timed), expected)
    for options in ({"gradient": True}, {"w": 1.0}):
        with pytest.raises(og.OrogenError, match=r"points = an array of shape \[63, 4\] is not allowed"):
            prepared.sample(timed, **options)  # type: ignore[call-overload]
    with pytest.raises(og.OrogenError, match="w = inf is not allowed"):
        prepared.field(region, w=float("inf"))
    # One point, and its slope.
    value, slope = prepared.value(12.0, -7.5, gradient=True, w=2.5)
    [found], [steep] = later.sample([[12.0, -7.5]], gradient=True)
    assert (np.float32(value), *np.float32(slope)) == (found, *steep)
    assert value == prepared.value(12.0, -7.5, w=2.5) == later.value(12.0, -7.5) != prepared.value(12.0, -7.5)


def test_noises_prepared_together_have_the_bits_that_each_has_alone(engine: og.Engine, hills: og.Noise) -> None:
    hills = hills.named("hills")
    noises = [30 * hills, hills.smoothstep(low=0.0, high=0.5), og.worley(wavelength=50.0)]
    several = engine.prepare_several(noises)
    points = np.random.default_rng(5).uniform(-100, 100, (50, 3))
    for region in (og.Region.plane(9, 7), og.Region.volume(5, 4, 3)):
        together = several.field(region)
        assert together.shape == (*region.shape, 3) and together.dtype == np.float32
        for k, noise in enumerate(noises):
            assert np.array_equal(together[..., k], engine.field(noise, region))
            assert np.array_equal(several.sample(points)[:, k], engine.sample(noise, points))
            assert np.array_equal(several.sample(points[:, :2])[:, k], engine.sample(noise, points[:, :2]))
    assert several.terms < sum(engine.prepare(noise).terms for noise in noises), "the hills are evaluated once"
    out = np.zeros((7, 9, 3), np.float32)
    assert several.field(og.Region.plane(9, 7), out=out) is out and out.any()
    several.set_all({"hills.gain": 0.25, "smoothstep.high": 0.7})
    changed = several.field(og.Region.plane(9, 7))
    assert not np.array_equal(changed[..., 0], out[..., 0]) and np.array_equal(changed[..., 2], out[..., 2])
    copy = pickle.loads(pickle.dumps(several))
    assert np.array_equal(copy.field(og.Region.plane(9, 7)), changed)
    assert [noise.get("hills.gain") for noise in several.noises] == [0.25] * 3
    with pytest.raises(og.OrogenError, match="allowed: one or more noises"):
        engine.prepare_several([])
    with pytest.raises(og.OrogenError, match="no parameter 'sea'"):
        several.set_all({"hills.sea": 1.0})
