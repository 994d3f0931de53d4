"""Recipes as Python programs: what they make is the recipe."""

import builtins
import json
import keyword
from pathlib import Path

import pytest
from conftest import ROOT

import orogen as og
from orogen import _orogen

RECIPES = sorted((ROOT / "recipes").glob("*.toml"))
TABLES = json.loads(_orogen.tables())
# Every node and stage that has a picture.
PICTURES = [og.Recipe.load(ROOT / "docs" / "reference" / f"{name}.toml") for name in ("nodes", "stages")]
POINTS = [og.ControlPoint(at=0.0, value=1.0), og.ControlPoint(at=1.0, value=3.0, slope_in=-0.5)]


def made(recipe: og.Recipe) -> og.Recipe:
    """The recipe that a recipe's program creates."""
    names: dict[str, object] = {}
    exec(recipe.to_python(), names)
    result = names["recipe"]
    assert isinstance(result, og.Recipe)
    return result


def of(text: dict[str, object]) -> og.Recipe:
    return og.Recipe.parse(json.dumps(text))


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_the_program_of_a_recipe_makes_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A raster's file is in the recipe's folder.
    monkeypatch.chdir(path.parent)
    recipe = og.Recipe.load(path)
    assert made(recipe) == recipe
    assert max(map(len, recipe.to_python().splitlines())) <= 100


@pytest.mark.parametrize("recipe", PICTURES, ids=["nodes", "stages"])
def test_all_that_pictures_show_can_be_said(recipe: og.Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of these nodes and stages belong to no output, so they are added as further layers."""
    # A raster's file is relative to the recipes.
    monkeypatch.chdir(ROOT / "docs" / "reference")
    assert made(recipe) == recipe


@pytest.mark.parametrize("row", TABLES["node"], ids=lambda row: row["kind"])
def test_every_kind_of_node_can_be_said(row: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = og.simplex(wavelength=50.0).named("base")
    inputs = {p["name"]: base for p in row["params"] if p["type"] == "input" and p["name"] != "table"}
    lists = {"octave_table": {"offsets": [[1.0, 2.0, 3.0]] * 6}, "point_table": {"points": POINTS}, "spline": {"points": POINTS}}
    needed: dict[str, object] = lists.get(row["kind"], {})
    if row["kind"] == "raster":
        monkeypatch.chdir(tmp_path)
        Path("mask.png").write_bytes(og.draw(base, og.Region.plane(16, 16)))
        needed = {"heights": "mask.png"}
    if row["kind"] == "by_example":
        monkeypatch.chdir(tmp_path)
        Path("mask.png").write_bytes(og.draw(base, og.Region.plane(16, 16)))
        inputs = {"of": og.raster(heights="mask.png").named("base")}
    noise = _orogen.node_of_kind(row["kind"], **inputs, **needed).named("this one")
    # Of a table there are no values.
    noise = {"octave_table": base.fractal, "point_table": base.spline}.get(row["kind"], lambda one: one)(noise)
    assert made(og.Recipe(noise)) == og.Recipe(noise)


@pytest.mark.parametrize("row", TABLES["stage"], ids=lambda row: row["kind"])
def test_every_kind_of_stage_can_be_said(row: dict) -> None:
    given = og.Pipeline(og.perlin().named("base"))
    inputs = {p["name"]: given for p in row["params"] if p["type"] == "input"}
    if row["kind"].startswith("colour"):
        inputs["under"] = given.colour(map="viridis")
    if row["kind"] == "grade":
        inputs["of"] = given.drainage()
    lists: dict[str, dict[str, object]] = {
        "colour": {"map": "magma"},
        "curve": {"points": POINTS},
        "line": {"points": [(0.0, 0.0, 0.0), (10.0, 10.0, 0.0)]},
    }
    needed = lists.get(row["kind"], {})
    pipeline = _orogen.stage_of_kind(row["kind"], **inputs, **needed, name="this one")
    for output in [o for o in pipeline.outputs if o.startswith("this one")]:
        recipe = og.Recipe(pipeline.with_output(output))
        assert made(recipe) == recipe


def test_pipelines_that_share_nothing_come_together(engine: og.Engine) -> None:
    coarse, fine = og.stage.frequency(size=64, name="coarse"), og.stage.frequency(size=32, seed=7, name="fine")
    both = coarse.combine(fine, by="add", name="both").hydraulic(iterations=2).with_layers(fine.slope(), og.perlin())
    assert [name for name, _ in both.stages] == ["coarse", "fine", "both", "hydraulic", "slope"]
    assert both.output == "hydraulic" and both.nodes == [("perlin", "perlin")]
    recipe = og.Recipe(both.with_output("hydraulic.water"), layers=["slope", "perlin"], z=2.0, tiles=(1, 2), for_="raw")
    assert recipe.bake["for"] == "raw" and made(recipe) == recipe
    # Common parts exist once, and a part with the same name but other content is renamed.
    land = og.Pipeline(og.perlin()).slope(name="x")
    assert land.combine(og.Pipeline(og.perlin()).slope(name="x")).stages == [("x", "slope"), ("combine", "combine")]
    other = land.combine(og.Pipeline(og.simplex()).slope(name="x"))
    assert other.get("combine.b") == "x_2" and other.get("x_2.of") == "simplex"


def test_numbers_are_inputs_too() -> None:
    recipe = of(
        {
            "output": "out",
            "node": {
                "hills": {"kind": "perlin"},
                "low": {"kind": "max", "a": -0.25, "b": "hills"},
                "bent": {"kind": "warp", "of": 2.0, "x": "low", "y": 3.0},
            },
            "stage": {"out": {"kind": "combine", "a": 1.5, "b": "bent", "by": "multiply", "mask": "low"}},
        }
    )
    assert "og.Noise.max(-0.25, hills)" in recipe.to_python() and "og.Pipeline.combine(1.5, bent" in recipe.to_python()
    assert made(recipe) == recipe


def test_any_name_can_be_said_and_none_hides_pythons_own() -> None:
    words = [*keyword.kwlist, *filter(str.isalpha, dir(builtins)), "og", "recipe", "a.b", "a b", "1st", "ö", "ü", 'x"', "'", "_", "map_"]
    nodes = {name: {"kind": "perlin", "wavelength": 2.0 + index} for index, name in enumerate(dict.fromkeys(words))}
    recipe = of({"output": "map", "node": nodes, "bake": {"layers": words[:9]}})
    assert made(recipe) == recipe
    names: dict[str, object] = {}
    exec(recipe.to_python(), names)
    assert not (names.keys() - {"__builtins__"}) & {name for name in dir(builtins) if name.islower() and not name.startswith("_")}


def test_equal_nodes_that_nobody_named_become_one() -> None:
    text = {
        "output": "add",
        "node": {
            "simplex": {"kind": "simplex"},
            "simplex_2": {"kind": "simplex"},
            "add": {"kind": "add", "a": "simplex", "b": "simplex_2"},
        },
    }
    one = made(of({**text, "bake": {"layers": ["simplex_2"]}}))
    assert one.noise == og.simplex() + og.simplex() and one.bake["layers"] == ["simplex"]


def test_nodes_over_stages_can_be_said(engine: og.Engine) -> None:
    eroded = og.Pipeline(og.perlin().named("base")).thermal(iterations=2, name="eroded")
    names = {row["kind"] for row in TABLES["stage"]}
    rows = [row for row in TABLES["node"] if row["reads_stages"] and row["kind"] not in names]
    assert {"terrace", "spline", "blend", "warp"} <= {row["kind"] for row in rows} and "fractal" not in {row["kind"] for row in rows}
    for row in rows:
        inputs = {p["name"]: eroded for p in row["params"] if p["type"] == "input" and p["name"] not in ("table", "z")}
        needed = {"points": POINTS} if row["kind"] == "spline" else {}
        pipeline = _orogen.stage_of_kind(row["kind"], **inputs, **needed, name="over")
        assert pipeline.nodes[-1] == ("over", row["kind"])
        recipe = og.Recipe(pipeline.slope())
        assert made(recipe) == recipe
    chain = eroded.terrace(height=0.1).blend(eroded, og.simplex(), name="beds").hillshade()
    assert [name for name, _ in chain.nodes] == ["base", "terrace", "simplex", "beds"]
    assert engine.layer(chain, og.Region.plane(8, 8)).shape == (8, 8)
    with pytest.raises(ValueError, match="node 'warp': x = 'slope'"):
        eroded.slope().warp("slope")
    with pytest.raises(ValueError, match="kind"):
        _orogen.stage_of_kind("fractal", of=eroded)
