"""Points of curves, as recipes have them: `ControlPoint(at=0.0, value=1.0)` is a dictionary."""

from __future__ import annotations

from typing import TypedDict


class _Slopes(TypedDict, total=False):
    slope_in: float
    slope_out: float


class ControlPoint(_Slopes):
    """A point of a spline: where, how high, and the slopes (output per input) with which the curve arrives and leaves, else 0."""

    at: float
    value: float


class QuantilePoint(TypedDict):
    """A point of a distribution: how probable it is, 0 to 1, to stay at or below a value."""

    probability: float
    value: float


class ColourStop(TypedDict):
    """A colour, `#RRGGBB` or `#RRGGBBAA`, and the value at which it stands."""

    at: float
    colour: str


class RadialPoint(TypedDict):
    """An amplitude, and the frequency in cycles per sample at which it stands."""

    frequency: float
    amplitude: float
