"""Points of curves, as in recipes: `ControlPoint(at=0.0, value=1.0)` is a dictionary."""

from __future__ import annotations

from typing import TypedDict


class _Slopes(TypedDict, total=False):
    slope_in: float
    slope_out: float


class ControlPoint(_Slopes):
    """A point of a spline: its position, its value, and the slopes (output per input) of the curve before and after it, by default 0."""

    at: float
    value: float


class QuantilePoint(TypedDict):
    """A point of a distribution: the probability, 0 to 1, of a value at or below this one."""

    probability: float
    value: float


class ColourStop(TypedDict):
    """A colour, `#RRGGBB` or `#RRGGBBAA`, and the value at which it applies."""

    at: float
    colour: str


class RadialPoint(TypedDict):
    """An amplitude, and the frequency in cycles per sample at which it applies."""

    frequency: float
    amplitude: float
