"""Pipelines."""

from __future__ import annotations

import numpy as np

from ._orogen import PipelineBase
from ._picture import Drawn
from .stage import StageSteps


class Pipeline(PipelineBase, StageSteps, Drawn):
    """Noises and the stages after them: `Pipeline(noise)`, then a method for each stage.

    Each step gives a new pipeline, whose output is the new stage. What else a stage reads is another pipeline, of which only what is not
    there yet comes along; a noise; a number; or the name of something that is in the pipeline already: `"hydraulic.water"`. `name=` gives a
    stage a name of your own. `set` changes this pipeline and no other. `Engine.layers` evaluates it.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[object, ...]:
        return _of_json, (self.to_json(), self._heights)

    def __dask_tokenize__(self) -> tuple[object, ...]:
        return "orogen.Pipeline", self.to_json(), self._digests


def _of_json(text: str, heights: list[tuple[str, str, np.ndarray]]) -> Pipeline:
    return Pipeline.from_json(text, heights)
