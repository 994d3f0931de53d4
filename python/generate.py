"""Writes orogen/node.py and orogen/stage.py: the library's tables of nodes and stages as typed Python.

python generate.py            writes them
python generate.py --check    reports files that differ from the tables
"""

from __future__ import annotations

import importlib.util
import json
import keyword
import re
import sys
import textwrap
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

WIDTH = 140
HEAD = '''"""{doc}

Written by generate.py from the library's tables. Do not edit.
"""

from __future__ import annotations

{imports}
__all__ = [{names}]
'''
# The Python type of each type of parameter. Choices have their words; the type of inputs depends on the table.
TYPES = {
    "number": "float",
    "whole": "int",
    "flag": "bool",
    "pair": "Sequence[float]",
    "vector": "Sequence[float]",
    "numbers": "Sequence[float]",
    "vectors": "Sequence[Sequence[float]]",
    "control_points": "Sequence[ControlPoint]",
    "quantile_points": "Sequence[QuantilePoint]",
    "colour_stops": "Sequence[ColourStop]",
    "radial_points": "Sequence[RadialPoint]",
    "file": "str | PathLike[str] | ArrayLike",
    "hash": "str",
}


def python_name(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) else name


class Param:
    """One parameter, as shown in Python."""

    def __init__(self, row: dict[str, Any], input_type: str) -> None:
        self.key = row["name"]
        self.name = python_name(self.key)
        self.doc = row["doc"]
        kind = row["type"]
        self.is_input = kind == "input"
        if isinstance(kind, dict):
            words = ", ".join(json.dumps(word) for word in kind["choice"]["words"])
            self.type, self.told = f"Literal[{words}]", "one of " + words
        elif self.is_input:
            self.type, self.told = input_type, input_type.replace(" | ", " or ")
        else:
            self.type, self.told = TYPES[kind], row["expects"]
        # Unlimited ranges are omitted.
        if row["range"] != "any value of its type":
            self.told += f", {row['range']}" if not isinstance(kind, dict) else ""
        # Counts, ratios and seeds have no unit.
        if row["unit"] not in (None, "none"):
            self.told += f", unit: {row['unit']}"
        default = row["default"]
        self.is_required = default is None and not row["optional"]
        self.default = shown(default)
        if row["optional"]:
            self.type, self.default = self.type + " | None", "None"
        self.told += ", required" if self.is_required else "" if row["optional"] else f", default {shown(default)}"

    def signature(self) -> str:
        return f"{self.name}: {self.type}" + ("" if self.is_required else f" = {self.default}")


def frozen(value: Any) -> Any:
    """Lists as tuples: a default is shared by all calls."""
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def shown(value: Any) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(frozen(value))


def wrapped(text: str, indent: str) -> str:
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    fill = lambda paragraph: textwrap.fill(
        paragraph, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n\n".join(map(fill, paragraphs))


def docstring(row: dict[str, Any], params: list[Param], extra: str, indent: str) -> str:
    text = wrapped(row["doc"], indent).lstrip()
    outputs = [output["name"] for output in row["outputs"] if output["name"]]
    if outputs:
        text += "\n\n" + wrapped(f"Outputs besides the main one: {', '.join(outputs)}.", indent)
    if params or extra:
        text += f"\n\n{indent}Parameters\n{indent}----------"
    for param in params:
        text += f"\n{indent}{param.name} : {param.told}\n{wrapped(param.doc, indent + '    ')}"
    text += extra
    return f'{indent}"""{text}\n{indent}"""' if "\n" in text else f'{indent}"""{text}"""'


def function(row: dict[str, Any], params: list[Param], result: str, make: str, method: bool, named: bool) -> str:
    """A function for a source, a method for a kind with a first input."""
    indent = "    " if method else ""
    given = params[1:] if method else params
    positional = sorted((p for p in given if p.is_input), key=lambda p: not p.is_required)
    others = [p for p in given if not p.is_input]
    arguments = (["self"] if method else []) + [p.signature() for p in positional]
    if others or named:
        arguments += ["*"] + [p.signature() for p in others] + (["name: str | None = None"] if named else [])
    head = f"{indent}def {python_name(row['kind'])}({', '.join(arguments)}) -> {result}:"
    if len(head) > WIDTH:
        lines = "".join(f"{indent}    {argument},\n" for argument in arguments)
        head = f"{indent}def {python_name(row['kind'])}(\n{lines}{indent}) -> {result}:"
    inner = indent + "    "
    extra = f"\n{inner}name : str, its kind unless given\n{inner}    Name by which other stages refer to it." if named else ""
    pairs = {p.key: p.name for p in given} | ({params[0].key: "self"} if method else {})
    if named:
        pairs["name"] = "name"
    ordered = [p.key for p in params] + (["name"] if named else [])
    settings = [f"{key}={pairs[key]}" for key in ordered if not keyword.iskeyword(key)]
    reserved = ", ".join(f'"{key}": {pairs[key]}' for key in ordered if keyword.iskeyword(key))
    settings += [f"**{{{reserved}}}"] if reserved else []
    call = f"{indent}    return {make}({', '.join([json.dumps(row['kind']), *settings])})"
    if len(call) > WIDTH:
        lines = textwrap.fill(", ".join([json.dumps(row["kind"]), *settings]) + ",", WIDTH - 8, break_long_words=False)
        call = f"{indent}    return {make}(\n{textwrap.indent(lines, indent + '        ')}\n{indent}    )"
    return "\n".join([head, docstring(row, given, extra, indent + "    "), call])


def module(table: list[dict[str, Any]], doc: str, result: str, make: str, steps: str, about: str, input_type: str, named: bool) -> str:
    sources, methods = [], []
    for row in table:
        params = [Param(param, input_type) for param in row["params"]]
        first = next((p for p in params if p.is_input), None)
        if first is None:
            sources.append((row["kind"], function(row, params, result, make, False, named)))
        else:
            # The first input is the noise or pipeline that the method is called on.
            params.sort(key=lambda p: p is not first)
            methods.append(function(row, params, result, make, True, named))
    names = ", ".join(json.dumps(name) for name in sorted([python_name(kind) for kind, _ in sources] + [steps]))
    body = [f'class {steps}:\n    """{about}"""\n\n    __slots__ = ()\n\n' + "\n\n".join(methods), *(text for _, text in sources)]
    text = "\n\n\n".join(body) + "\n"
    used = lambda words: [word for word in words if re.search(rf"\b{word}\b", text)]
    imports = "from collections.abc import Sequence\n"
    imports += f"from typing import {', '.join(['TYPE_CHECKING', *used(['Literal'])])}\n\n"
    module_of = {"Noise": "_noise", "Pipeline": "_pipeline"}
    imports += f"from ._orogen import {make}\n"
    points = used(["ColourStop", "ControlPoint", "QuantilePoint", "RadialPoint"])
    imports += f"from ._points import {', '.join(points)}\n"
    # For type annotations only: these modules import this one.
    classes = used(["Noise", "Pipeline"])
    outside = {"PathLike": "os", "ArrayLike": "numpy.typing"}
    imports += "\nif TYPE_CHECKING:\n" + "".join(f"    from {outside[name]} import {name}\n" for name in used(list(outside)))
    imports += "\n" if used(list(outside)) else ""
    imports += "".join(f"    from .{module_of[name]} import {name}\n" for name in classes)
    head = HEAD.format(doc=doc, imports=imports, names=names)
    return head + "\n\n" + text


def tables() -> dict[str, list[dict[str, Any]]]:
    """The tables of the extension, loaded without the package, which imports the files written here."""
    package = importlib.util.find_spec("orogen")
    spec = PathFinder.find_spec("_orogen", package.submodule_search_locations) if package else None
    if spec is None or spec.loader is None:
        sys.exit("the extension is not built: run scripts/python")
    extension = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(extension)
    return json.loads(extension.tables())


def modules() -> dict[str, str]:
    both = tables()
    about_nodes = "Methods of a noise: one for every kind of node that has an input."
    about_stages = "Methods of a pipeline: one for every kind of stage that has an input, and for every kind of node that may read stages."
    stages = {row["kind"] for row in both["stage"]}
    # The method of a kind in both tables is the stage's.
    over = [row for row in both["node"] if row["reads_stages"] and row["kind"] not in stages]
    return {
        "node.py": module(
            both["node"],
            "Kinds of nodes, the parts of noises.",
            "Noise",
            "node_of_kind",
            "NodeSteps",
            about_nodes,
            "Noise | float",
            False,
        ),
        "stage.py": module(
            both["stage"] + over,
            "Kinds of stages, the steps after the noise.",
            "Pipeline",
            "stage_of_kind",
            "StageSteps",
            about_stages,
            "Pipeline | Noise | float | str",
            True,
        ),
    }


def main() -> int:
    wrong = []
    for name, text in modules().items():
        path = Path(__file__).parent / "orogen" / name
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            wrong.append(name)
    if wrong:
        print(f"{', '.join(wrong)}: differs from the tables; run python generate.py", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
