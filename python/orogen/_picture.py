"""Pictures of noises and pipelines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from . import _orogen
from ._orogen import Engine, NoiseBase, OrogenError, PipelineBase, Region

# Pixels of a notebook's picture, and pixels per longest wavelength.
_WIDTH, _HEIGHT, _WAVE = 480, 320, 120


def draw(
    of: NoiseBase | PipelineBase,
    region: Region | None = None,
    *,
    engine: Engine | None = None,
    relief: bool = True,
    colours: Sequence[str] = (),
    sea: float | None = None,
    span: tuple[float, float] | None = None,
) -> bytes:
    """A picture of a noise or of a pipeline's output, one pixel per sample, as the bytes of a PNG file.

    Parameters
    ----------
    region : a plane; by default 480 × 320 samples, with 120 samples per longest wavelength
    engine : the engine that evaluates it; by default the CPU
    relief : light from the north-west; without it the colour shows the value only
    colours : "#RRGGBB", evenly spaced from the lowest value to the highest; by default landscape colours, or greys without relief
    sea : values below it are water
    span : the range of values that the colours cover; by default that of the region, without a few outliers at either end
    """
    if not isinstance(of, NoiseBase | PipelineBase):
        raise OrogenError(f"of = {of!r} is not allowed; allowed: a noise or a pipeline")
    engine = Engine("cpu") if engine is None else engine
    region = _sight(of) if region is None else region
    return _orogen.draw(of, region, engine=engine, relief=relief, colours=list(colours), sea=sea, span=span)


def _sight(of: NoiseBase | PipelineBase) -> Region:
    region = Region.plane(_WIDTH, _HEIGHT)
    if isinstance(of, PipelineBase) and of.stages:
        # Stages work on samples: other samples would give another field.
        return region
    nodes: dict[str, dict[str, Any]] = json.loads(of.to_json())["node"]
    waves = [node["wavelength"] for node in nodes.values() if "wavelength" in node]
    return region.replace(spacing=min(max(waves) / _WAVE, 1e9)) if waves else region


class Drawn:
    """Objects that a notebook shows as a picture."""

    __slots__ = ()

    def _repr_png_(self) -> bytes | None:
        try:
            return draw(self)  # type: ignore[arg-type]
        except ValueError:
            # A notebook then shows the text instead.
            return None
