"""The examples run, and say what they should."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name: str, *arguments: object) -> str:
    done = subprocess.run([sys.executable, EXAMPLES / name, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_curriculum() -> None:
    printed = run("curriculum.py")
    heights = [float(x) for x in re.findall(r"level \d+: ([\d.]+) m", printed)]
    assert "1000 terrains" in printed and heights == sorted(heights) and heights[0] == 0 and heights[2] > 0.8
    x, y, z = map(float, re.findall(r"rolled to \(([-\d.]+), ([-\d.]+)\), ([-\d.]+) m", printed)[0])
    assert -1.5 < z < 1.5 and max(abs(x), abs(y)) < 6.3, "the ball lies on the ground"


def test_augment() -> None:
    assert "bit for bit" in run("augment.py")


def test_landscape() -> None:
    lines = run("landscape.py").splitlines()
    shares = [[float(x) for x in re.findall(r"(\d+) %", line)] for line in lines]
    assert all(abs(a - b) <= 6 for share in shares for a, b in zip(share, (20, 10, 40, 30)))
    edges = [float(re.findall(r"([\d.]+) % of neighbours", line)[0]) for line in lines]
    assert edges == sorted(edges) and edges[2] > 2 * edges[0], "the rougher, the more edges"


@pytest.mark.skipif(importlib.util.find_spec("bpy") is None, reason="bpy is not installed")
def test_blender(tmp_path: Path) -> None:
    assert "65536 vertices, 65025 faces" in run("blender.py", tmp_path / "land.blend")
    assert (tmp_path / "land.blend").stat().st_size > 1_000_000


def test_notebook() -> None:
    notebook = nbformat.read(EXAMPLES / "notebook.ipynb", as_version=4)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) == 3 and not [output for output in outputs if output.output_type == "error"]
