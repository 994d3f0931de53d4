"""Shared fixtures and helpers."""

import os
import subprocess
from pathlib import Path

import pytest

import orogen as og

ROOT = Path(__file__).parents[2]
# The command, of the same source: its bits are what Python's are compared with.
COMMAND = Path(os.environ.get("OROGEN", ROOT / "target" / "debug" / "orogen"))


@pytest.fixture(scope="session")
def engine() -> og.Engine:
    return og.Engine("cpu")


@pytest.fixture
def hills() -> og.Noise:
    return og.simplex(wavelength=300.0).fractal(octaves=8, gain=0.5)


@pytest.fixture(scope="session")
def command():
    """Runs `orogen …`."""
    assert COMMAND.exists(), f"{COMMAND}: build it, or say where it is in OROGEN"

    def run(*arguments: object) -> str:
        done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
