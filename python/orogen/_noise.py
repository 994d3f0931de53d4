"""Noises."""

from __future__ import annotations

from ._attributes import no_attribute
from ._orogen import NoiseBase, node_of_kind
from ._picture import Drawn
from ._text import Heights, with_heights, without_heights
from .node import NodeSteps


class Noise(NoiseBase, NodeSteps, Drawn):
    """A noise: a graph of nodes, with methods that extend it. `Noise(2.0)` is a constant.

    Each step returns a new noise; a noise used twice shares its nodes. Every step names its node after its kind, with a number appended
    if the name is taken. `named` gives the last node a name of your own, for `set`. `set` changes this noise and no other.

    Noises are equal if all their nodes and numbers are. Their hash depends only on the names and kinds of their nodes, so `set` does not
    change it.

    Noises add, subtract and multiply with each other and with numbers, and divide by numbers. `noise ** n` is the usual power if n is an
    integer; otherwise it keeps the sign: `sign(noise) · |noise|ⁿ`. A notebook shows a noise as a picture.
    """

    __slots__ = ()
    # NumPy numbers and arrays leave operations to the methods below, which refuse arrays.
    __array_ufunc__ = None

    def __add__(self, other: Noise | float) -> Noise:
        return _combined("add", self, other, offset=other)

    __radd__ = __add__

    def __mul__(self, other: Noise | float) -> Noise:
        return _combined("multiply", self, other, scale=other)

    __rmul__ = __mul__

    def __neg__(self) -> Noise:
        return self.scale_offset(scale=-1.0)

    def __pos__(self) -> Noise:
        return self

    def __sub__(self, other: Noise | float) -> Noise:
        return self + -other if _is_operand(other) else NotImplemented

    def __rsub__(self, other: float) -> Noise:
        return self.scale_offset(scale=-1.0, offset=other) if _is_operand(other) else NotImplemented

    def __truediv__(self, other: float) -> Noise:
        if isinstance(other, Noise):
            raise TypeError(_NO_QUOTIENT)
        if not _is_operand(other):
            return NotImplemented
        if other == 0:
            raise ZeroDivisionError("division of a noise by zero")
        return self.scale_offset(scale=1.0 / other)

    def __rtruediv__(self, other: object) -> Noise:
        if _is_operand(other):
            raise TypeError(_NO_QUOTIENT)
        return NotImplemented

    def __pow__(self, exponent: float) -> Noise:
        if isinstance(exponent, Noise) or not _is_operand(exponent):
            return NotImplemented
        # The node keeps the sign, which even powers drop.
        return (abs(self) if exponent % 2 == 0 else self).power(exponent=exponent)

    def __abs__(self) -> Noise:
        return self.abs()

    def __repr__(self) -> str:
        kinds = " → ".join(kind for _, kind in self.nodes[-4:])
        before = "… → " if len(self.nodes) > 4 else ""
        try:
            low, high = self.range()
            within = f" within [{low:g}, {high:g}]"
        except ValueError:
            within = ""
        return f"<orogen.Noise '{self.output}': {before}{kinds}{within}>"

    def __setattr__(self, name: str, value: object) -> None:
        raise no_attribute(self, name, self.nodes)

    def to_json(self, *, heights: bool = False) -> str:
        """The noise as JSON, which `from_json` reads. With `heights=True` it contains raster samples; otherwise their file names, or
        the hashes of arrays from memory, which cannot be read back."""
        text = super().to_json()
        return with_heights(text, self._heights) if heights else text

    @staticmethod
    def from_json(text: str, _heights: Heights | None = None) -> Noise:
        """A noise from JSON: `{"output": …, "node": {…}}`. Files that it names are not read; embedded heights are."""
        text, heights = (text, _heights) if _heights is not None else without_heights(text)
        return NoiseBase.from_json(text, heights)

    def __reduce__(self) -> tuple[object, ...]:
        return _of_json, (self.to_json(), self._heights)

    def __dask_tokenize__(self) -> tuple[object, ...]:
        return "orogen.Noise", self.to_json(), self._digests


def _of_json(text: str, heights: Heights) -> Noise:
    return Noise.from_json(text, heights)


_NO_QUOTIENT = "a noise can be divided by numbers only: a quotient of noises has no range, because its divisor may be 0"


def _is_operand(other: object) -> bool:
    return isinstance(other, Noise) or (hasattr(other, "__float__") and not hasattr(other, "__len__"))


def _combined(kind: str, noise: Noise, other: Noise | float, **number: Noise | float) -> Noise:
    """A node of two noises, or for a number the cheaper scale or offset."""
    if isinstance(other, Noise):
        return node_of_kind(kind, a=noise, b=other)
    return node_of_kind("scale_offset", of=noise, **number) if _is_operand(other) else NotImplemented
