"""The package itself."""

import tomllib
from conftest import ROOT

import orogen as og


def test_it_has_the_librarys_version() -> None:
    """One lock file holds the versions of both, and of all that they are made of."""
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    assert [og.__version__] == [package["version"] for package in locked if package["name"] == "orogen"]


def test_all_names_are_there() -> None:
    assert all(hasattr(og, name) for name in og.__all__) and len(set(og.__all__)) == len(og.__all__)
