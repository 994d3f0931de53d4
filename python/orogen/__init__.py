"""Orogen: procedural noise, the same bits on GPU and CPU."""

from ._noise import Noise
from ._orogen import Engine, OrogenError, Prepared, Region
from ._points import ColourStop, ControlPoint, QuantilePoint, RadialPoint
from .node import *  # noqa: F403
