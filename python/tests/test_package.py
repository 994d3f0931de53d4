"""The package itself."""

import tomllib
from conftest import ROOT

import orogen as og


def packages(lock: str) -> dict[str, set[str]]:
    versions: dict[str, set[str]] = {}
    for package in tomllib.loads((ROOT / lock).read_text(encoding="utf-8"))["package"]:
        versions.setdefault(package["name"], set()).add(package["version"])
    return versions


def test_it_is_built_of_the_same_versions_as_the_command() -> None:
    """Bits are compared; what they are made of should not drift apart either. `cp Cargo.lock python/` and a build bring them together."""
    command, python = packages("Cargo.lock"), packages("python/Cargo.lock")
    apart = {name: (command[name], versions) for name, versions in python.items() if name in command and not versions <= command[name]}
    assert not apart


def test_it_has_the_librarys_version() -> None:
    assert {og.__version__} == packages("Cargo.lock")["orogen"]


def test_all_names_are_there() -> None:
    assert all(hasattr(og, name) for name in og.__all__) and len(set(og.__all__)) == len(og.__all__)
