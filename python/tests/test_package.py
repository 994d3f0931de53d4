"""The package itself."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import tomllib
from conftest import ROOT

import orogen as og
from orogen import __main__ as module


def test_it_has_the_librarys_version() -> None:
    """One lock file holds the versions of both, and of all that they are made of."""
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    assert [og.__version__] == [package["version"] for package in locked if package["name"] == "orogen"]


def test_all_names_are_there() -> None:
    assert all(hasattr(og, name) for name in og.__all__) and len(set(og.__all__)) == len(og.__all__)


def test_the_module_runs_the_command_next_to_python(tmp_path: Path) -> None:
    """A script stands in for the command, which the wheel installs there."""
    name = "orogen" + (sysconfig.get_config_var("EXE") or "")
    (tmp_path / name).write_text('#!/bin/sh\necho "$@"\nexit 65\n', encoding="utf-8")
    (tmp_path / name).chmod(0o755)
    program = (
        "import sys, sysconfig\n"
        f"sysconfig.get_path = lambda *_: {str(tmp_path)!r}\n"
        "from orogen.__main__ import main\n"
        "sys.argv = ['orogen', 'bake', 'a recipe.toml']\n"
        "sys.exit(main())\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (65, "bake a recipe.toml\n"), ran.stderr


def test_without_the_command_the_module_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda *_: str(tmp_path))
    with pytest.raises(FileNotFoundError, match="cargo install orogen-cli"):
        module.command()
