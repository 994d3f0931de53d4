"""Refuses attributes that are set instead of parameters."""

from __future__ import annotations

from typing import Protocol


class _Described(Protocol):
    def get(self, path: str) -> object: ...


def no_attribute(of: _Described, name: str, parts: list[tuple[str, str]]) -> AttributeError:
    """The error of setting an attribute, with the call that sets the parameter of that name. `parts`: nodes or stages, with their kinds."""
    paths = [f"{part}.{name}" for part, _ in parts if _has(of, f"{part}.{name}")]
    hint = "" if not paths else f"; to change a parameter: {' or '.join(f'set({path!r}, …)' for path in paths)}"
    return AttributeError(f"attribute '{name}' of '{type(of).__name__}' objects cannot be set{hint}")


def _has(of: _Described, path: str) -> bool:
    try:
        of.get(path)
    except ValueError:
        return False
    return True
