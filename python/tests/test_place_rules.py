"""Places of several kinds: the command's, to the last bit."""

import csv
from pathlib import Path

import numpy as np
import pytest

import orogen as og

RULES = """
[oak]
density = 'forest'
distance = 9.0
radius = 3.0
scale = [0.8, 1.4]
limits = { steep = [0.0, 0.8, 0.2] }

[stone]
distance = 4.0
radius = 1.0
limits = { 'water.area' = [0.0, 200.0] }
"""
FORMS = {"csv": "csv", "geojson": "geojson", "unreal": "csv", "unity": "json", "godot": "json"}


@pytest.fixture
def recipe(hills: og.Noise) -> og.Recipe:
    ground = og.Pipeline(60 * hills.named("hills")).hydraulic(iterations=4, name="ground")
    layers = (ground.slope(name="steep"), ground.mask(from_=-20.0, to=20.0, name="forest"), ground.drainage(name="water"))
    for layer in layers:
        ground = ground.with_layers(layer)
    return og.Recipe(ground, tile=40, tiles=(4, 3), spacing=1.5, z=2.0)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_places_are_those_of_the_command(tmp_path: Path, engine: og.Engine, recipe: og.Recipe, command) -> None:
    files = {name: tmp_path / name for name in ("land.toml", "rules.toml", "out.csv")}
    recipe.save(files["land.toml"])
    files["rules.toml"].write_text(RULES)
    rules = og.PlaceRules.load(files["rules.toml"])
    assert rules == og.PlaceRules(RULES) and rules.kinds == ("oak", "stone")
    area = ((30.0, 20.5), (110.0, 90.0))
    for corners, heights, flags in (((), None, []), (area, "steep", ["--area", "30,20.5,110,90", "--heights", "steep"])):
        found = rules.places(engine, recipe, *corners, heights=heights)
        command("places", files["land.toml"], "--rules", files["rules.toml"], "-o", files["out.csv"], "--backend", "cpu", *flags)
        told = rows(files["out.csv"])
        assert [rules.kinds[kind] for kind in found.kind] == [row["kind"] for row in told] and set(found.kind) == {0, 1}
        assert [f"{one:016x}" for one in found.id] == [row["id"] for row in told]
        numbers = np.column_stack([found.positions, found.height, found.rotation, found.scale])
        expected = np.array([[float(row[name]) for name in ("x", "y", "height", "rotation", "scale")] for row in told])
        assert numbers.tobytes() == expected.tobytes()
    for form, ending in FORMS.items():
        out = tmp_path / f"{form}.{ending}"
        engine_list = [] if form in ("csv", "geojson") else ["--for", form]
        command("places", files["land.toml"], "--rules", files["rules.toml"], "-o", out, "--backend", "cpu", *engine_list)
        assert rules.to_text(rules.places(engine, recipe), form) == out.read_text()  # type: ignore[arg-type]


def test_some_places_can_be_written(engine: og.Engine, recipe: og.Recipe) -> None:
    rules = og.PlaceRules(RULES)
    found = rules.places(engine, recipe)
    oaks = og.KindPlaces(*(column[found.kind == 0] for column in found))
    text = rules.to_text(oaks, "csv")
    assert len(text.splitlines()) == 1 + len(oaks.kind) < 1 + len(found.kind) and "stone" not in text
    few = og.KindPlaces(*(column[::7] for column in found))
    assert len(rules.to_text(few, "unreal").splitlines()) == 1 + len(few.kind)


def test_refusals(engine: og.Engine, recipe: og.Recipe) -> None:
    for text, told in (
        ("", "0 kinds are not allowed"),
        ("[a", "rules of places: TOML"),
        ("[a]\nradius = -1.0", "place kind 'a': radius = -1 is not allowed"),
        ("[a]\nsize = 1.0", "unknown field `size`"),
    ):
        with pytest.raises(og.OrogenError, match=told.replace("[", r"\[")):
            og.PlaceRules(text)
    with pytest.raises(og.OrogenError, match=r"place kind 'a': .*forst"):
        og.PlaceRules("[a]\ndensity = 'forst'").places(engine, recipe)
    rules = og.PlaceRules("[a]")
    with pytest.raises(og.OrogenError, match="height"):
        rules.places(engine, recipe, heights="height")
    with pytest.raises(og.OrogenError, match="ordered corners"):
        rules.places(engine, recipe, (3, 0), (1, 1))
    with pytest.raises(og.OrogenError, match="area"):
        rules.places(engine, recipe, (0, 0), (1e9, 1e9))
    found = rules.places(engine, recipe)
    with pytest.raises(og.OrogenError, match="'svg' is not allowed; allowed: csv, geojson, unreal, unity, godot"):
        rules.to_text(found, "svg")  # type: ignore[arg-type]
    for change, told in (
        ({"kind": found.kind + 1}, "kind = 1 is not allowed; allowed: indices of kinds, 0 to 0"),
        ({"kind": found.kind - 1}, "kind = -1"),
        ({"height": found.height[1:]}, "arrays of equal length"),
        ({"positions": found.positions[:, :1]}, "two columns"),
        ({"scale": found.scale * np.nan}, "finite numbers"),
    ):
        with pytest.raises(og.OrogenError, match=told):
            rules.to_text(found._replace(**change), "csv")
