"""Rivers as GeoJSON: the command's."""

import json
from pathlib import Path

import pytest

import orogen as og

WORLD = og.Region((144, 96), spacing=2.0)


def water(hills: og.Noise) -> og.Pipeline:
    return og.Pipeline(hills.named("hills")).drainage(sea=-0.3, name="water")


def test_rivers_are_those_of_the_command(tmp_path: Path, engine: og.Engine, hills: og.Noise, command) -> None:
    recipe, out = tmp_path / "r.toml", tmp_path / "out.geojson"
    og.Recipe(water(hills), tile=48, tiles=(3, 2), spacing=2.0).save(recipe)
    for options in ({}, {"basin": float("inf"), "lake": 40.0, "width": 0.5, "smoothing": 0}):
        found = engine.rivers(water(hills), "water", WORLD, area=150.0, **options)
        flags = [part for name, value in options.items() for part in (f"--{name}", value)]
        command("rivers", recipe, "-o", out, "--area", 150.0, "--backend", "cpu", *flags)
        assert found == json.loads(out.read_text())
        kinds = {feature["properties"]["kind"] for feature in found["features"]}
        assert "river" in kinds
        assert ("basin" in kinds) == ("basin" not in options)
    rivers = [feature for feature in found["features"] if feature["properties"]["kind"] == "river"]
    for river in rivers:
        levels = [level for _, _, level in river["geometry"]["coordinates"]]
        assert levels == sorted(levels, reverse=True)


def test_refusals_name_the_argument(engine: og.Engine, hills: og.Noise) -> None:
    for stage, options, told in (
        ("water", {"area": 0.0}, "area = 0 is not allowed"),
        ("water", {"area": 1.0, "lake": -1.0}, "lake = -1 is not allowed"),
        ("water", {"area": 1.0, "smoothing": 65}, "smoothing = 65 is not allowed"),
        ("hills", {"area": 1.0}, "stage = hills is not allowed"),
    ):
        with pytest.raises(ValueError, match=told):
            engine.rivers(water(hills), stage, WORLD, **options)
