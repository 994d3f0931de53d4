"""The tables of nodes and stages are the only source of methods, signatures and documentation."""

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import orogen as og
from orogen import _orogen

TABLES = json.loads(_orogen.tables())


def test_the_checked_in_source_is_what_the_tables_say() -> None:
    generator = Path(__file__).parents[1] / "generate.py"
    done = subprocess.run([sys.executable, generator, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def function(table: str, row: dict):
    steps, module = (og.Noise, og.node) if table == "node" else (og.Pipeline, og.stage)
    return getattr(steps if any(p["type"] == "input" for p in row["params"]) else module, row["kind"])


@pytest.mark.parametrize(
    ("table", "row"), [(table, row) for table in TABLES for row in TABLES[table]], ids=lambda x: x if isinstance(x, str) else x["kind"]
)
def test_every_kind_has_a_method_with_its_parameters(table: str, row: dict) -> None:
    made = function(table, row)
    signature = inspect.signature(made)
    names = [name.rstrip("_") for name in signature.parameters]
    params = row["params"]
    first = next((p["name"] for p in params if p["type"] == "input"), None)
    expected = {("self" if p["name"] == first else p["name"]) for p in params} | ({"name"} if table == "stage" else set())
    assert set(names) == expected
    for p in params:
        if p["name"] == first:
            continue
        known = signature.parameters.get(p["name"]) or signature.parameters[p["name"] + "_"]
        positional = known.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        assert positional == (p["type"] == "input"), "inputs by position, settings by name"
        # Its meaning and its range can be read in a notebook.
        assert " ".join(p["doc"].split()) in " ".join(made.__doc__.split())
        assert p["range"] == "any value of its type" or isinstance(p["type"], dict) or p["range"] in made.__doc__


@pytest.mark.parametrize("row", TABLES["node"], ids=lambda row: row["kind"])
def test_the_defaults_of_a_method_are_those_of_the_node(row: dict) -> None:
    """A noise from a method without settings is the one that is made without saying any."""
    base = og.simplex(dimensions=2, wavelength=50.0)
    of_noises = [p for p in row["params"] if p["type"] == "input"]
    # A method is always that of its first input.
    inputs = [p["name"] for p in of_noises if (p["default"] is None and not p["optional"]) or p is of_noises[0]]
    if row["kind"] == "by_example":
        base = og.raster(heights=[[0.0, 1.0, 3.0], [1.0, 0.0, 2.0]])
    # These have no default that can be evaluated.
    points, heights = [{"at": 0, "value": 0}, {"at": 1, "value": 1}], [[0.0, 1.0], [1.0, 0.0]]
    needed = {"spline": {"points": points}, "raster": {"heights": heights}}.get(row["kind"], {})
    given = {name: base for name in inputs} | needed
    bare = _orogen.node_of_kind(row["kind"], **given)
    made = function("node", row)
    # A method of a noise, which is its first input; else a function.
    assert (made(*given.values()) if not needed else made(*[base for _ in inputs], **needed)) == bare
