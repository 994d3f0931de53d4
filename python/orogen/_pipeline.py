"""Pipelines."""

from __future__ import annotations

from ._attributes import no_attribute
from ._orogen import PipelineBase
from ._picture import Drawn
from ._text import Heights, with_heights, without_heights
from .stage import StageSteps


class Pipeline(PipelineBase, StageSteps, Drawn):
    """Noises and the stages after them: `Pipeline(noise)`, then a method for each stage.

    Each step returns a new pipeline, whose output is the new stage. Further inputs of a stage are other pipelines, noises, numbers, or
    the names of parts of this pipeline, such as `"hydraulic.water"`. Parts that both pipelines contain are shared. `name=` gives a stage
    a name of your own. `set` changes this pipeline and no other. `Engine.layers` evaluates it.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise no_attribute(self, name, [*self.stages, *self.nodes])

    def to_json(self, *, heights: bool = False) -> str:
        """The pipeline as JSON, which `from_json` reads; `heights` as in `Noise.to_json`."""
        text = super().to_json()
        return with_heights(text, self._heights) if heights else text

    @staticmethod
    def from_json(text: str, _heights: Heights | None = None) -> Pipeline:
        """A pipeline from JSON: `{"output": …, "node": {…}, "stage": {…}}`. Files that it names are not read; embedded heights are."""
        text, heights = (text, _heights) if _heights is not None else without_heights(text)
        return PipelineBase.from_json(text, heights)

    def __reduce__(self) -> tuple[object, ...]:
        return _of_json, (self.to_json(), self._heights)

    def __dask_tokenize__(self) -> tuple[object, ...]:
        return "orogen.Pipeline", self.to_json(), self._digests


def _of_json(text: str, heights: Heights) -> Pipeline:
    return Pipeline.from_json(text, heights)
