"""The type stubs match the module."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parents[1]


def run(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=HERE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_and_the_examples_are_typed() -> None:
    run("mypy")


def test_the_stub_is_the_extension(tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    allowed.write_text("orogen._orogen.__all__\n")
    # As the package is checked: what it can be given besides is not read.
    run("mypy.stubtest", "orogen._orogen", "--allowlist", str(allowed), "--mypy-config-file", "pyproject.toml")
