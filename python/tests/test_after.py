"""After the noise: places, meshes, statistics."""

import numpy as np
import pytest
import trimesh

import orogen as og


def test_places_keep_their_distance_and_leave_no_room() -> None:
    places = og.Poisson(distance=3.0, seed=7).points((-40, -30), (40, 50))
    x = places.positions
    apart = np.linalg.norm(x[:, None] - x[None], axis=2) + 100 * np.eye(len(x))
    assert apart.min() >= 3.0 and x.min(axis=0)[0] >= -40 and x.max(axis=0)[1] < 50
    free = np.random.default_rng(0).uniform(-35, 35, (500, 2)) + [0, 10]
    assert np.linalg.norm(free[:, None] - x[None], axis=2).min(axis=1).max() < 3.0
    assert places.threshold.shape == places.random.shape == (len(x),) and 0 <= places.random.min() <= places.random.max() < 1


def test_rectangles_side_by_side_have_every_place_once() -> None:
    # Large enough to be done in parts.
    poisson = og.Poisson(distance=1.0)
    whole = poisson.points((0, 0), (300, 1100)).positions
    parts = [poisson.points((x, 0), (x + 100, 1100)).positions for x in range(0, 300, 100)]
    in_order = lambda p: p[np.lexsort(p.T)]
    assert len(whole) > 200_000 and np.array_equal(in_order(whole), in_order(np.vstack(parts)))


def test_a_density_thins_them_out(engine: og.Engine) -> None:
    poisson = og.Poisson(distance=2.0, seed=1)
    everything = poisson.points((0, 0), (200, 200))
    half = poisson.scatter(engine, og.constant(value=0.5), (0, 0), (200, 200))
    none = poisson.scatter(engine, og.Noise(0.0), (0, 0), (200, 200))
    assert len(half.positions) == (everything.threshold < 0.5).sum() and none.positions.shape == (0, 2)


def test_a_sphere_is_closed_and_as_large_as_it_is(engine: og.Engine) -> None:
    ball = 10.0 - og.radius(axes=(1, 1, 1))
    mesh = og.surface(engine, ball, og.Region.volume(26, 26, 26).replace(origin=(-13, -13, -13)))
    solid = trimesh.Trimesh(mesh.vertices, mesh.faces, vertex_normals=mesh.normals)
    assert solid.is_watertight and solid.is_winding_consistent
    assert solid.volume == pytest.approx(4 / 3 * np.pi * 1000, rel=0.02), "and its faces look outwards"
    outwards = (mesh.vertices + np.array(mesh.anchor)) / 10
    assert np.allclose(mesh.normals, outwards, atol=0.1) and mesh.anchor == (-13.0, -13.0, -13.0)


def test_walls_close_what_a_region_cuts_off(engine: og.Engine) -> None:
    ball = 10.0 - og.radius(axes=(1, 1, 1))
    half = og.Region.volume(25, 25, 13).replace(origin=(-12, -12, 0))
    open_, closed = (og.surface(engine, ball, half, walls=walls) for walls in (False, True))
    assert not trimesh.Trimesh(open_.vertices, open_.faces).is_watertight
    solid = trimesh.Trimesh(closed.vertices, closed.faces)  # which joins vertices at one place
    assert solid.is_watertight and solid.is_winding_consistent
    assert solid.volume == pytest.approx(2 / 3 * np.pi * 1000, rel=0.02)


def test_chunks_meet(engine: og.Engine) -> None:
    density = og.simplex(dimensions=3, wavelength=9.0)
    parts = [og.surface(engine, density, og.chunk_volume(x, 0, 0, 12)) for x in (0, 1)]
    whole = og.surface(engine, density, og.Region.volume(26, 14, 14))
    assert sum(len(part.faces) for part in parts) == len(whole.faces) > 100


def test_terrain_is_as_near_as_asked_and_chunks_share_their_border(engine: og.Engine) -> None:
    hills = og.simplex(wavelength=60.0).fractal(octaves=4) * 20.0
    parts = []
    for x in (0, 1):
        region = og.terrain_chunk(x, 3, 48)
        heights = engine.field(hills, region)
        mesh = og.terrain(heights, region, error=0.5)
        assert mesh.anchor == (48.0 * x, 144.0, 0.0) and len(mesh.faces) < 48 * 48
        ground = trimesh.Trimesh(mesh.vertices, mesh.faces)
        assert ground.is_winding_consistent and (ground.face_normals[:, 2] > 0).all()
        assert ground.area_faces @ ground.face_normals[:, 2] == pytest.approx(48 * 48), "seen from above it is the chunk"
        column, row = mesh.vertices[:, 0].astype(int), mesh.vertices[:, 1].astype(int)
        assert np.array_equal(mesh.vertices[:, 2], heights[row + 1, column + 1]), "vertices are samples"
        parts.append(mesh)
    right, left = (
        {tuple(np.r_[v[1:], n]) for v, n in zip(mesh.vertices, mesh.normals, strict=True) if v[0] == edge}
        for mesh, edge in zip(parts, (48, 0), strict=True)
    )
    assert right == left and len(left) > 2
    with pytest.raises(ValueError, match="allowed"):
        og.terrain(heights[1:], region)


def test_nothing_solid_is_no_mesh(engine: og.Engine) -> None:
    mesh = og.surface(engine, og.Noise(-1.0), og.Region.volume(4, 4, 4))
    assert mesh.vertices.shape == (0, 3) and mesh.faces.shape == (0, 3)


def test_distributions_are_numpys() -> None:
    values = np.random.default_rng(5).normal(size=(100, 50)).astype(np.float32)
    found = og.stats.Distribution(values)
    assert found.count == 5000 and found.mean == pytest.approx(values.mean(), abs=1e-6)
    assert found.deviation == pytest.approx(values.std(), rel=1e-5) and found.extent == (values.min(), values.max())
    assert found.quantile(0.25) == np.quantile(values, 0.25, method="inverted_cdf")
    assert np.array_equal(found.histogram(-3, 3, 12), np.histogram(values, 12, (-3, 3))[0])
    assert found.cdf(0.5) == (values <= 0.5).mean()


def test_a_spectrum_falls_as_it_should(engine: og.Engine) -> None:
    white = np.random.default_rng(6).normal(size=(256, 256))
    flat = og.stats.spectrum(white).fit(0.01, 0.4)
    steep = og.stats.spectrum(engine.field(og.simplex(wavelength=64).fractal(), og.Region.plane(256, 256))).fit(0.02, 0.25)
    assert flat is not None and steep is not None
    assert abs(flat[0]) < 0.1 and steep[0] < -2.5
    sectors, deviation, chance = og.stats.isotropy(white, 0.05, 0.4)
    assert sectors.shape == (12,) and deviation < 3 * chance
    stripes = np.sin(np.arange(256) * 0.7) * np.ones((256, 1))
    assert og.stats.isotropy(stripes + 0.01 * white, 0.05, 0.4)[1] > 4 * chance


def test_relief_and_colours_are_drawn() -> None:
    noise, region = og.simplex(wavelength=30.0), og.Region.plane(40, 30)
    plain = og.draw(noise, region, relief=False, colours=["#000000", "#ffffff"])
    assert plain != og.draw(noise, region) != og.draw(noise, region, sea=0.0)
    assert og.draw(noise, region, engine=og.Engine("oracle"))[:4] == b"\x89PNG"


def test_coarser_chunks_have_the_same_ground(engine: og.Engine) -> None:
    flat = og.Noise(0.0)
    for level in (0, 1, 3, 6):
        region = og.coarser_terrain_chunk(og.terrain_chunk(1, -1, 64), level)
        mesh = og.terrain(engine.field(flat, region), region)
        world = mesh.vertices + np.array(mesh.anchor)
        assert world.min(axis=0).tolist() == [64, -64, 0] and world.max(axis=0).tolist() == [128, 0, 0]
        volume = og.coarser_chunk_volume(og.chunk_volume(1, -1, 0, 64), level)
        assert volume.level == level and volume.size == (2 + (64 >> level),) * 3
    with pytest.raises(og.OrogenError, match=r"levels = 1 for .* allowed"):
        og.coarser_terrain_chunk(og.terrain_chunk(1, 0, 63), 1)


def test_vertices_and_anchor_have_the_same_axes(engine: og.Engine) -> None:
    rock = og.simplex(dimensions=3, wavelength=24)
    mesh = og.surface(engine, rock, og.chunk_volume(1, 2, 3, 16))
    assert mesh.anchor == (16.0, 32.0, 48.0)
    densities = engine.sample(rock, mesh.vertices + np.array(mesh.anchor))
    assert np.abs(densities).max() < 0.05
    assert set(mesh.faces.ravel()) == set(range(len(mesh.vertices))), "every vertex has a triangle"
