"""Kinds of nodes: what noises are made of.

Written by generate.py from the library's tables: change those.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from ._orogen import node_of_kind
from ._points import ControlPoint, QuantilePoint

if TYPE_CHECKING:
    from os import PathLike
    from numpy.typing import ArrayLike

    from ._noise import Noise

__all__ = ["NodeSteps", "constant", "coordinate", "hexagonal", "hill", "octave_table", "perlin", "point_table", "radius", "raster", "simplex", "spectral", "value", "white", "worley"]


class NodeSteps:
    """What a noise can go on with: a method for every kind of node that has an input."""

    __slots__ = ()

    def fractal(
        self,
        table: Noise | float | None = None,
        *,
        octaves: int = 6,
        lacunarity: float = 2.0,
        gain: float = 0.5,
        accumulate: Literal["sum", "lerp", "weighted", "billow", "ridged", "pingpong", "multifractal", "hybrid", "heterogeneous"] = "sum",
        normalise: bool = True,
        level: float = 1.0,
        sharpness: float = 2.0,
        weight: float = 0.5,
        folds: float = 2.0,
        seeds: Literal["own", "same"] = "own",
        seed: int = 0,
        offsets: Sequence[Sequence[float]] | None = None,
        start: int = 0,
        offset: Sequence[float] = (0.0, 0.0, 0.0),
        rotation: float = 0.0,
        axis: Sequence[float] = (0.0, 0.0, 1.0),
    ) -> Noise:
        """Octaves of any sub-graph: octave k samples it at `rotationᵏ · (position + offsetₖ) · lacunarityᵏ` with amplitude `gainᵏ`.

        Parameters
        ----------
        octaves : a whole number that is not negative, 1 to 32, default 6
            How many octaves.
        lacunarity : a number, 0.015625 to 64, default 2.0
            Frequency ratio of one octave to the one before.
        gain : a number, -16 to 16, default 0.5
            Amplitude ratio of one octave to the one before (`persistence`).
        accumulate : one of "sum", "lerp", "weighted", "billow", "ridged", "pingpong", "multifractal", "hybrid", "heterogeneous", default "sum"
            How octaves add up.
        normalise : true or false, default True
            For `sum`, `weighted`, `billow`, `ridged` and `pingpong`: divide by the sum of the amplitudes' magnitudes, so that the range
            does not depend on the number of octaves.
        level : a number, -16 to 16, unit: that of the values, default 1.0
            Musgrave's `offset`: added to the body's values by `multifractal`, `hybrid` and `heterogeneous`; what `ridged` takes their
            magnitude from.
        sharpness : a number, 0 to 16, default 2.0
            Musgrave's `gain` of `ridged`: how much an octave is let through where the one before is high.
        weight : a number, 0 to 1, default 0.5
            For `weighted`, `billow` and `pingpong`: how much an octave is held back where the one before is low, from 0 (not at all) to 1.
        folds : a number, 0 to 64, default 2.0
            For `pingpong`: how often the values are folded.
        seeds : one of "own", "same", default "own"
            Whether octaves are noises of their own.
        seed : a whole number that is not negative, 0 to 18446744073709551615, default 0
            Seed of the octaves' own seeds and default offsets.
        offsets : a list of vectors of 3 numbers, every number -1e12 to 1e12, unit: world units
            World units added to the position, one per octave, instead of what the seed gives. More than `octaves` is allowed.
        table : Noise or float
            An `octave_table` with the offsets, which fractals may share.
        start : a whole number that is not negative, 0 to 65535, default 0
            The table's entry for the first octave; the others follow.
        offset : 3 numbers, every number -1e12 to 1e12, unit: world units, default (0.0, 0.0, 0.0)
            World units added to the position of every octave (the shader's sample offset).
        rotation : a number, -360 to 360, unit: degrees, default 0.0
            Degrees by which each octave is turned against the one before.
        axis : 3 numbers, every number -1000000 to 1000000, default (0.0, 0.0, 1.0)
            The axis of that turn; its length does not matter.
        """
        return node_of_kind(
            "fractal", of=self, octaves=octaves, lacunarity=lacunarity, gain=gain, accumulate=accumulate, normalise=normalise, level=level,
            sharpness=sharpness, weight=weight, folds=folds, seeds=seeds, seed=seed, offsets=offsets, table=table, start=start, offset=offset,
            rotation=rotation, axis=axis,
        )

    def spline(
        self,
        table: Noise | float | None = None,
        *,
        points: Sequence[ControlPoint] = (),
        start: int = 0,
        end: int | None = None,
    ) -> Noise:
        """A curve through control points: between two of them the quadratic Bézier whose middle anchor is the mean of the points' tangents, as
        in the terrain shader's `interpolateValue`. Inputs beyond the ends give the end values.

        Parameters
        ----------
        points : a list of control points, at least two points, `at` strictly increasing, every number finite and at most 1e15, default ()
            The control points.
        table : Noise or float
            A `point_table` with the control points instead, which splines may share.
        start : a whole number that is not negative, 0 to 65535, default 0
            The table's entry that is the first control point.
        end : a whole number that is not negative, 0 to 65535
            The table's entry after the last control point. Not given: the end of the table.
        """
        return node_of_kind("spline", of=self, points=points, table=table, start=start, end=end)

    def scale_offset(self, *, scale: float = 1.0, offset: float = 0.0) -> Noise:
        """`of · scale + offset`.

        Parameters
        ----------
        scale : a number, -1e15 to 1e15, default 1.0
            Factor.
        offset : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Added after scaling.
        """
        return node_of_kind("scale_offset", of=self, scale=scale, offset=offset)

    def clamp(self, *, low: float = -1.0, high: float = 1.0) -> Noise:
        """`of`, held between two numbers. Where it is held the gradient is 0.

        Parameters
        ----------
        low : a number, -1e15 to 1e15, unit: that of the values, default -1.0
            Lower bound.
        high : a number, -1e15 to 1e15, unit: that of the values, default 1.0
            Upper bound, at least `low`.
        """
        return node_of_kind("clamp", of=self, low=low, high=high)

    def abs(self) -> Noise:
        """The magnitude of `of`."""
        return node_of_kind("abs", of=self)

    def power(self, *, exponent: float = 2.0) -> Noise:
        """The power that keeps the sign: `sign(of) · |of|^exponent`. Magnitudes below 2⁻⁴⁰ give 0.

        Parameters
        ----------
        exponent : a number, 0.0625 to 32, default 2.0
            Exponent.
        """
        return node_of_kind("power", of=self, exponent=exponent)

    def add(self, b: Noise | float) -> Noise:
        """`a + b`.

        Parameters
        ----------
        b : Noise or float, required
            Second term.
        """
        return node_of_kind("add", a=self, b=b)

    def multiply(self, b: Noise | float) -> Noise:
        """`a · b`.

        Parameters
        ----------
        b : Noise or float, required
            Second factor.
        """
        return node_of_kind("multiply", a=self, b=b)

    def min(self, b: Noise | float) -> Noise:
        """The smaller of `a` and `b`, with its gradient.

        Parameters
        ----------
        b : Noise or float, required
            The other.
        """
        return node_of_kind("min", a=self, b=b)

    def max(self, b: Noise | float) -> Noise:
        """The larger of `a` and `b`, with its gradient.

        Parameters
        ----------
        b : Noise or float, required
            The other.
        """
        return node_of_kind("max", a=self, b=b)

    def blend(self, b: Noise | float, mask: Noise | float) -> Noise:
        """`a + mask · (b − a)`, the mask held between 0 and 1.

        Parameters
        ----------
        b : Noise or float, required
            The value where the mask is 1.
        mask : Noise or float, required
            How much of `b`.
        """
        return node_of_kind("blend", a=self, b=b, mask=mask)

    def warp(self, x: Noise | float = 0.0, y: Noise | float = 0.0, z: Noise | float = 0.0, *, strength: float = 1.0) -> Noise:
        """`of`, sampled at `position + strength · (x, y, z)`.

        Positions are exact at any distance, displacements are f32: one of 2¹⁶ cells of the finest lattice under the warp still resolves 2⁻⁸
        of a cell, one of 2²⁴ nothing.

        Parameters
        ----------
        x : Noise or float, default 0.0
            Displacement along x before `strength`.
        y : Noise or float, default 0.0
            Displacement along y before `strength`.
        z : Noise or float, default 0.0
            Displacement along z before `strength`.
        strength : a number, -1000000000 to 1000000000, unit: world units per 1.0, default 1.0
            World units per 1.0 of displacement.
        """
        return node_of_kind("warp", of=self, x=x, y=y, z=z, strength=strength)

    def polar(
        self,
        *,
        centre: Sequence[float] = (0.0, 0.0, 0.0),
        form: Literal["circle", "strip"] = "circle",
        size: float = 100.0,
    ) -> Noise:
        """`of` in polar form around a point of the plane: the same along every ray (`circle`), or with the angle for x and the distance for y,
        both measured from that point (`strip`). So other centres have other noise. Positions more than 2³⁰ times `size` from the centre are
        an error.

        Parameters
        ----------
        centre : 3 numbers, every number -1e12 to 1e12, unit: world units, default (0.0, 0.0, 0.0)
            The point, in world units.
        form : one of "circle", "strip", default "circle"
            Which position `of` is sampled at.
        size : a number, 0.000001 to 1e12, unit: world units, default 100.0
            World units: the radius of the circle, or the length of the strip that goes around once.
        """
        return node_of_kind("polar", of=self, centre=centre, form=form, size=size)

    def transform(
        self,
        *,
        offset: Sequence[float] = (0.0, 0.0, 0.0),
        rotation: float = 0.0,
        axis: Sequence[float] = (0.0, 0.0, 1.0),
        scale: Sequence[float] = (1.0, 1.0, 1.0),
    ) -> Noise:
        """`of`, sampled at `scale · rotation · (position + offset)`.

        Parameters
        ----------
        offset : 3 numbers, every number -1e12 to 1e12, unit: world units, default (0.0, 0.0, 0.0)
            World units added to the position.
        rotation : a number, -360 to 360, unit: degrees, default 0.0
            Degrees by which the position is turned.
        axis : 3 numbers, every number -1000000 to 1000000, default (0.0, 0.0, 1.0)
            The axis of that turn; its length does not matter.
        scale : 3 numbers, every number -1000000 to 1000000, default (1.0, 1.0, 1.0)
            Factors along x, y and z; 2 makes details half as large.
        """
        return node_of_kind("transform", of=self, offset=offset, rotation=rotation, axis=axis, scale=scale)

    def slice(self, *, axis: Literal["x", "y", "z"] = "z", at: float = 0.0) -> Noise:
        """`of` in a plane: one coordinate is the same everywhere. To animate it, change `at` over time.

        Parameters
        ----------
        axis : one of "x", "y", "z", default "z"
            The axis across the plane.
        at : a number, -1e12 to 1e12, unit: world units, default 0.0
            World position along it.
        """
        return node_of_kind("slice", of=self, axis=axis, at=at)

    def mirror(self, *, axis: Literal["x", "y", "z"] = "x", at: float = 0.0) -> Noise:
        """`of` on the far side of a plane, and its mirror image on the near side.

        Parameters
        ----------
        axis : one of "x", "y", "z", default "x"
            The axis across the plane.
        at : a number, -1e12 to 1e12, unit: world units, default 0.0
            World position of the plane along it.
        """
        return node_of_kind("mirror", of=self, axis=axis, at=at)

    def quantise(self, *, size: Sequence[float] = (8.0, 8.0, 8.0)) -> Noise:
        """`of` at the centre of the cell in which the position lies: blocks of one value each, gradient 0.

        Parameters
        ----------
        size : 3 numbers, every number 0.000001 to 1e12, unit: world units, default (8.0, 8.0, 8.0)
            World units per cell along x, y and z.
        """
        return node_of_kind("quantise", of=self, size=size)

    def periodic(self, *, period: Sequence[float] = (0.0, 0.0, 0.0)) -> Noise:
        """`of`, repeated exactly after a period: sample 0 and the sample a period further are the same bits.

        Simplex in 2D and 3D takes any period from one wavelength on, in 3D from two: the lattice is stretched to the nearest whole number
        of its units, by less the longer the period is. Every other basis keeps its wavelength, which the period must be a multiple of in
        every octave (so lacunarities are whole numbers): simplex in 4D and `permutation289` of three wavelengths along each axis, hexagons
        of √3 along y. Simplex in 4D is stretched by 4 %. Sines move to the nearest waves that repeat. Nothing repeats along the fourth
        axis.

        Parameters
        ----------
        period : 3 numbers, every number 0 to 1e12, unit: world units, default (0.0, 0.0, 0.0)
            World units after which it repeats along x, y and z; 0 for never. A period spans up to 2²⁴ − 1 cells of each lattice under it.
        """
        return node_of_kind("periodic", of=self, period=period)

    def domain(self, x: Noise | float = 0.0, y: Noise | float = 0.0, z: Noise | float = 0.0) -> Noise:
        """`of`, sampled at the position whose coordinates are the values of three nodes, in world units. Those are f32: the position is exact
        to 2⁻²⁴ of its magnitude only.

        Parameters
        ----------
        x : Noise or float, default 0.0
            World position along x.
        y : Noise or float, default 0.0
            World position along y.
        z : Noise or float, default 0.0
            World position along z.
        """
        return node_of_kind("domain", of=self, x=x, y=y, z=z)

    def turbulence(
        self,
        by: Noise | float,
        *,
        strength: float = 50.0,
        octaves: int = 1,
        lacunarity: float = 2.0,
        gain: float = 0.5,
        seed: int = 0,
    ) -> Noise:
        """`of`, displaced along every axis by another sub-graph, which has a seed of its own for each axis; with more than one octave the
        displacement grows octave by octave, each sampled where the ones before have led (a progressive domain warp).

        Parameters
        ----------
        by : Noise or float, required
            What displaces it.
        strength : a number, -1000000000 to 1000000000, unit: world units per 1.0, default 50.0
            World units per 1.0 of displacement.
        octaves : a whole number that is not negative, 1 to 32, default 1
            How often the position is displaced.
        lacunarity : a number, 0.015625 to 64, default 2.0
            Frequency ratio of one octave of `by` to the one before.
        gain : a number, -16 to 16, default 0.5
            Strength ratio of one octave to the one before.
        seed : a whole number that is not negative, 0 to 18446744073709551615, default 0
            Seed of the axes and octaves.
        """
        return node_of_kind("turbulence", of=self, by=by, strength=strength, octaves=octaves, lacunarity=lacunarity, gain=gain, seed=seed)

    def smoothstep(self, *, low: float = 0.0, high: float = 1.0) -> Noise:
        """0 below an edge, 1 above another, and `6t⁵ − 15t⁴ + 10t³` between.

        Parameters
        ----------
        low : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Where it leaves 0.
        high : a number, -1e15 to 1e15, unit: that of the values, default 1.0
            Where it reaches 1, above `low`.
        """
        return node_of_kind("smoothstep", of=self, low=low, high=high)

    def terrace(self, *, height: float = 0.25, slope: float = 0.3) -> Noise:
        """Steps: flat for a share of each, then a smooth rise to the next.

        Parameters
        ----------
        height : a number, 0.000001 to 1e15, unit: that of the values, default 0.25
            Height of a step.
        slope : a number, 0.001 to 1, default 0.3
            Share of each step that rises.
        """
        return node_of_kind("terrace", of=self, height=height, slope=slope)

    def threshold(self, *, at: float = 0.0, below: float = 0.0, above: float = 1.0) -> Noise:
        """`below` where the value is less than `at`, else `above`. A jump: the gradient is 0.

        Parameters
        ----------
        at : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Where it jumps.
        below : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Value below.
        above : a number, -1e15 to 1e15, unit: that of the values, default 1.0
            Value from there on.
        """
        return node_of_kind("threshold", of=self, at=at, below=below, above=above)

    def bias(self, *, bias: float = 0.5) -> Noise:
        """Perlin's bias (Perlin and Hoffert 1989): a power that moves 1/2 to `bias` and keeps 0 and 1. The value is held between 0 and 1.

        Parameters
        ----------
        bias : a number, 0.001 to 0.9375, default 0.5
            What 1/2 becomes.
        """
        return node_of_kind("bias", of=self, bias=bias)

    def gain(self, *, gain: float = 0.5) -> Noise:
        """Perlin's gain (Perlin and Hoffert 1989): away from 1/2 (above 1/2) or towards it (below), keeping 0, 1/2 and 1. The value is held
        between 0 and 1.

        Parameters
        ----------
        gain : a number, 0.0625 to 0.999, default 0.5
            1/4 becomes `(1 − gain) / 2`: 1/2 changes nothing.
        """
        return node_of_kind("gain", of=self, gain=gain)

    def sine(self, *, frequency: float = 1.0, phase: float = 0.0) -> Noise:
        """`sin(2π · (frequency · of + phase))`.

        Parameters
        ----------
        frequency : a number, -1000000 to 1000000, unit: turns per 1.0, default 1.0
            Turns per 1.0.
        phase : a number, -1000000 to 1000000, unit: turns, default 0.0
            Turns at 0.
        """
        return node_of_kind("sine", of=self, frequency=frequency, phase=phase)

    def quantile(
        self,
        *,
        distribution: Literal["normal", "weibull", "exponential", "table"] = "normal",
        scale: float = 1.0,
        shape: float = 2.0,
        location: float = 0.0,
        table: Sequence[QuantilePoint] = (),
    ) -> Noise:
        """Inverse-transform sampling: gives a uniform noise in [−1, 1] (hill, equalise) another distribution. Input v stands for the
        probability `(v + 1) / 2`, held 2⁻²⁰ away from 0 and 1.

        Parameters
        ----------
        distribution : one of "normal", "weibull", "exponential", "table", default "normal"
            Which distribution.
        scale : a number, 0.000001 to 1e12, unit: that of the values, default 1.0
            Weibull: its scale, the article's alpha. Exponential: the mean. Normal: the standard deviation.
        shape : a number, 0.25 to 16, default 2.0
            Weibull: its shape, the article's beta.
        location : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Normal: the mean. Weibull and exponential: the smallest value.
        table : a list of points of a distribution, none, or two and more points: `probability` strictly increasing from 0 to 1, `value` not decreasing, at most 1e15, default ()
            Table: probabilities, from 0 to 1, and the values up to which they reach, joined by lines.
        """
        return node_of_kind("quantile", of=self, distribution=distribution, scale=scale, shape=shape, location=location, table=table)

    def equalise(self, *, quantiles: Sequence[float] = ()) -> Noise:
        """Any sub-graph made uniform over [−1, 1] through its measured distribution. `orogen equalise` measures it once and writes it into the
        recipe; in the library, `Engine::equalise`.

        Parameters
        ----------
        quantiles : a list of numbers, none, or 2 to 65536 numbers that do not decrease, the last above the first, of magnitude at most 1e15, unit: that of the values, default ()
            Its values at evenly spaced probabilities from 0 to 1, not decreasing.
        """
        return node_of_kind("equalise", of=self, quantiles=quantiles)

    def select(self, b: Noise | float, mask: Noise | float, *, at: float = 0.0, falloff: float = 0.1) -> Noise:
        """`a` where a mask is low, `b` where it is high, with a smooth border.

        Parameters
        ----------
        b : Noise or float, required
            The value where the mask is high.
        mask : Noise or float, required
            The mask.
        at : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Where a and b are worth the same.
        falloff : a number, 0 to 1e15, unit: that of the values, default 0.1
            How far on either side of that both take part.
        """
        return node_of_kind("select", a=self, b=b, mask=mask, at=at, falloff=falloff)


def constant(*, value: float = 0.0) -> Noise:
    """The same number everywhere.

    Parameters
    ----------
    value : a number, -1e15 to 1e15, unit: that of the values, default 0.0
        The number.
    """
    return node_of_kind("constant", value=value)


def coordinate(*, axis: Literal["x", "y", "z"] = "x", unit: float = 1.0) -> Noise:
    """The position along one world axis: `position / unit`. The one basis without a bound of 1.

    As a number it is off by up to 2⁻²⁴ of itself in f32, and ends at 2³⁰ units. Sums of several are exact before they become a number;
    under a `sine` or `domain`, through sums and multiples, the position is taken exactly, at any distance, so that stripes 10¹² units out
    are stripes.

    Parameters
    ----------
    axis : one of "x", "y", "z", default "x"
        Which axis.
    unit : a number, 0.000001 to 1e12, unit: world units per 1.0, default 1.0
        World units per 1.0. As a number, positions beyond 2³⁰ units are an error, so far worlds want a large unit.
    """
    return node_of_kind("coordinate", axis=axis, unit=unit)


def simplex(
    *,
    dimensions: int = 2,
    w: float = 0.0,
    hash: Literal["integer", "permutation289"] = "integer",
    wavelength: float = 100.0,
    seed: int | None = None,
    offset: Sequence[float] | None = None,
) -> Noise:
    """Simplex noise (Perlin 2001; Gustavson 2005), signed.

    With the integer hash: unit gradients (any slope in 1D, 16 in 2D, 48 in 3D, 32 in 4D), the continuous falloff `(1/2 − r²)⁴`, in 1D `(1 −
    r²)⁴`, scaled so that values fill but never leave [−1, 1]. The diagonal of the lattice's cubes lies along the last axis that is read, so
    that in 3D slices across z, which may be time, look alike; where nothing turns or displaces the lattice, rows of samples along x share
    most of the work on a CPU, and a rotation costs two to three times as much. With `permutation289`: the 3D noise of McEwan and Gustavson
    as the terrain shader lists it, falloff `(0.6 − r²)⁴` times 42, which reaches past its simplex: it jumps by up to 0.003 at simplex
    borders and its values lie within ±1.04 (proven; ±1.0384 is the largest found, by climbing from samples of every cell).

    Parameters
    ----------
    dimensions : a whole number that is not negative, 1 to 4, default 2
        1 (reads x), 2 (x and y), 3, or 4 (also `w`).
    w : a number, -1e12 to 1e12, unit: world units, default 0.0
        Position along the fourth axis, in world units: time, say.
    hash : one of "integer", "permutation289", default "integer"
        How cells become gradients; `permutation289` is 3D only.
    wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
        World units per lattice cell, an edge of the cubes that are skewed to simplexes.
    seed : a whole number that is not negative, 0 to 18446744073709551615
        Seed of hash and lattice offset. Not given: 0 for the integer hash, no lattice offset for `permutation289`.
    offset : 3 numbers, every number -1e12 to 1e12, unit: world units
        World units added to the position, instead of the offset that the seed gives.
    """
    return node_of_kind("simplex", dimensions=dimensions, w=w, hash=hash, wavelength=wavelength, seed=seed, offset=offset)


def value(
    *,
    dimensions: int = 2,
    w: float = 0.0,
    interpolation: Literal["truncated", "linear", "cubic", "quintic", "cosine"] = "quintic",
    hash: Literal["integer", "table"] = "integer",
    wavelength: float = 100.0,
    seed: int = 0,
    offset: Sequence[float] | None = None,
    values: Sequence[float] | None = None,
) -> Noise:
    """Value noise: a number per point of the cubic lattice, interpolated; signed, within [−1, 1].

    `truncated` makes it white noise, one number per cell; `linear` is the "blurry" and `cosine` the smooth noise of the articles on the
    subject. With `table` it is the one of the article on hill noise, 1D only: lattice point i has number `i mod 256` of a table, so it
    repeats after 256 cells, and octaves are the same noise, each with an offset of its own.

    Parameters
    ----------
    dimensions : a whole number that is not negative, 1 to 4, default 2
        1 (reads x), 2 (x and y), 3, or 4 (also `w`).
    w : a number, -1e12 to 1e12, unit: world units, default 0.0
        Position along the fourth axis, in world units: time, say.
    interpolation : one of "truncated", "linear", "cubic", "quintic", "cosine", default "quintic"
        From one lattice point to the next.
    hash : one of "integer", "table", default "integer"
        How lattice points become numbers; `table` is 1D only.
    wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
        World units per lattice cell.
    seed : a whole number that is not negative, 0 to 18446744073709551615, default 0
        Seed of hash and lattice offset, and of a table that is not given.
    offset : 3 numbers, every number -1e12 to 1e12, unit: world units
        World units added to the position, instead of the offset that the seed gives.
    values : a list of numbers, a list of 1 to 256 numbers, each -1e15 to 1e15, unit: that of the values
        For `table`: its 256 numbers. The noise keeps to their range.
    """
    return node_of_kind(
        "value", dimensions=dimensions, w=w, interpolation=interpolation, hash=hash, wavelength=wavelength, seed=seed, offset=offset,
        values=values,
    )


def white(
    *,
    dimensions: int = 2,
    hash: Literal["integer", "sine", "nested_sine", "nested_integer"] = "integer",
    wavelength: float = 1.0,
    seed: int = 0,
    offset: Sequence[float] | None = None,
) -> Noise:
    """White noise: a number per cell, signed, within [−1, 1], without gradient.

    The others are the shaders' one-liners, of whole cells; use `integer` unless a picture has to look like that. They have no seed: a seed
    acts through the offset only. `sine` and `nested_sine` give something else on every GPU, here the same on all of them: f32's grain,
    44,000 times larger, decides (one number in the plane is within 0.01 of what f64 gives; a nested one has nothing to do with it).
    Neighbours far from the origin are related. `nested_integer` is exact, and nearly the same along diagonals, as sums of products are.

    Parameters
    ----------
    dimensions : a whole number that is not negative, 1 to 3, default 2
        1 (reads x), 2 (x and y) or 3.
    hash : one of "integer", "sine", "nested_sine", "nested_integer", default "integer"
        How cells become numbers.
    wavelength : a number, 0.000001 to 1e12, unit: world units, default 1.0
        World units per cell.
    seed : a whole number that is not negative, 0 to 18446744073709551615, default 0
        Seed of hash and lattice offset.
    offset : 3 numbers, every number -1e12 to 1e12, unit: world units
        World units added to the position, instead of the offset that the seed gives.
    """
    return node_of_kind("white", dimensions=dimensions, hash=hash, wavelength=wavelength, seed=seed, offset=offset)


def perlin(
    *,
    dimensions: int = 2,
    w: float = 0.0,
    interpolation: Literal["truncated", "linear", "cubic", "quintic", "cosine"] = "quintic",
    wavelength: float = 100.0,
    seed: int = 0,
    offset: Sequence[float] | None = None,
) -> Noise:
    """Perlin noise: a gradient per point of the cubic lattice, the offsets' products with them interpolated; signed.

    Unit gradients (any slope in 1D, 16 directions in 2D, 48 in 3D, 32 in 4D), scaled by 2/√dimensions: proven within [−1, 1], and within ±2
    when `truncated`. Unlike most implementations it is not 0 at integer positions: the seed moves the lattice.

    Parameters
    ----------
    dimensions : a whole number that is not negative, 1 to 4, default 2
        1 (reads x), 2 (x and y), 3, or 4 (also `w`).
    w : a number, -1e12 to 1e12, unit: world units, default 0.0
        Position along the fourth axis, in world units: time, say.
    interpolation : one of "truncated", "linear", "cubic", "quintic", "cosine", default "quintic"
        From one lattice point to the next.
    wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
        World units per lattice cell.
    seed : a whole number that is not negative, 0 to 18446744073709551615, default 0
        Seed of hash and lattice offset.
    offset : 3 numbers, every number -1e12 to 1e12, unit: world units
        World units added to the position, instead of the offset that the seed gives.
    """
    return node_of_kind("perlin", dimensions=dimensions, w=w, interpolation=interpolation, wavelength=wavelength, seed=seed, offset=offset)


def worley(
    *,
    dimensions: int = 2,
    metric: Literal["euclidean", "squared", "manhattan", "chebyshev"] = "euclidean",
    output: Literal["distance", "cell", "edge"] = "distance",
    weights: Sequence[float] = (1.0,),
    jitter: float = 1.0,
    wavelength: float = 100.0,
    seed: int = 0,
    offset: Sequence[float] | None = None,
) -> Noise:
    """Cellular noise (Worley 1996): every cell holds one random point, and the value says how far the nearest points are.

    Distances are in cells and exact: no point that could be nearer is missed, whatever the metric. What they can reach is proven for every
    metric and jitter; with the defaults it is 0 to √2.

    Parameters
    ----------
    dimensions : a whole number that is not negative, 1 to 3, default 2
        1 (reads x), 2 (x and y) or 3.
    metric : one of "euclidean", "squared", "manhattan", "chebyshev", default "euclidean"
        How distances are measured; `edge` is Euclidean only. In 1D all but `squared` are the same.
    output : one of "distance", "cell", "edge", default "distance"
        Distances, the nearest point's cell as a value, or the distance to that cell's border.
    weights : a list of numbers, a list of 1 to 4 numbers, each -1e15 to 1e15, default (1.0,)
        Factors of the distances F1, F2, F3, F4 to the nearest points, as many as are to be looked for: `[1]` is F1, `[-1, 1]` is F2 − F1.
        Only `distance` reads them. How many there are is structural, the numbers are live.
    jitter : a number, 0 to 1, default 1.0
        How far points stray from the middle of their cell: 0 a regular grid, 1 anywhere in the cell.
    wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
        World units per cell.
    seed : a whole number that is not negative, 0 to 18446744073709551615, default 0
        Seed of hash and lattice offset.
    offset : 3 numbers, every number -1e12 to 1e12, unit: world units
        World units added to the position, instead of the offset that the seed gives.
    """
    return node_of_kind(
        "worley", dimensions=dimensions, metric=metric, output=output, weights=weights, jitter=jitter, wavelength=wavelength, seed=seed,
        offset=offset,
    )


def hexagonal(
    *,
    hash: Literal["integer", "tables"] = "integer",
    wavelength: float = 100.0,
    seed: int = 0,
    offset: Sequence[float] = (0.0, 0.0, 0.0),
    permutation: Sequence[float] | None = None,
    gradients: Sequence[Sequence[float]] | None = None,
) -> Noise:
    """Noise of a hexagonal map: one value per hexagon, from the gradients of its six neighbours, `Σ gradient(neighbour) · (hexagon −
    neighbour) / 7` in cubic coordinates (q, r, s). Signed: the article's value is half of this plus 1/2. Hexagons stand on a corner; (0, 0,
    0) has its centre at the origin.

    `integer`: 48 hashed unit gradients, proven within ±1.1544. `tables`: the article's 256-entry permutation, prime 521 and 32 unit
    gradients, given or from the seed, within ±1.2122; its `abs` mirrors the map at every axis.

    Parameters
    ----------
    hash : one of "integer", "tables", default "integer"
        How hexagons become gradients.
    wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
        World units between the centres of neighbours.
    seed : a whole number that is not negative, 0 to 18446744073709551615, default 0
        Seed of the hash, or of the tables that are not given.
    offset : 3 numbers, every number -1e12 to 1e12, unit: world units, default (0.0, 0.0, 0.0)
        World units added to the position.
    permutation : a list of numbers, a list of 1 to 256 numbers, each 0 to 255
        For `tables`: the numbers 0 to 255 in any order.
    gradients : a list of vectors of 3 numbers, every number -1 to 1
        For `tables`: 32 gradients in (q, r, s).
    """
    return node_of_kind(
        "hexagonal", hash=hash, wavelength=wavelength, seed=seed, offset=offset, permutation=permutation, gradients=gradients,
    )


def octave_table(*, offsets: Sequence[Sequence[float]] = ()) -> Noise:
    """The offsets of octaves, a table for any number of fractals: each takes as many entries as it has octaves, from its `start` on.

    It has no values: nothing but a fractal's `table` can read it.

    Parameters
    ----------
    offsets : a list of vectors of 3 numbers, every number -1e12 to 1e12, unit: world units, default ()
        World units added to the position, one entry per octave.
    """
    return node_of_kind("octave_table", offsets=offsets)


def point_table(*, points: Sequence[ControlPoint] = ()) -> Noise:
    """Control points, a table for any number of splines: each takes the entries from its `start` up to its `end`. They lie once on the device,
    however many splines read them.

    It has no values: nothing but a spline's `table` can read it.

    Parameters
    ----------
    points : a list of control points, default ()
        The control points of one curve after the other; `at` increases within what a spline takes.
    """
    return node_of_kind("point_table", points=points)


def hill(
    *,
    dimensions: int = 2,
    sines: int = 30,
    smoothness: float = 0.5,
    sizes: Sequence[float] | None = None,
    offsets: Sequence[float] | None = None,
    spread: float = 90.0,
    unit: float = 50.0,
    uniform: Literal["exact", "normal", "none"] = "exact",
    seed: int = 0,
) -> Noise:
    """Hill noise: a sum of sines whose heights are as large as they are long, made uniform. `uniform = "none"` gives the plain sum over the
    sum of sizes.

    Each sine is `size · sin(x / size + offset)`; in 2D a pair along two axes turned by the golden ratio's multiples, in 3D a triple along
    an orthonormal basis whose direction follows the golden ratio over the sphere, with sizes shuffled as the article on hill noise shuffles
    them. The article's sigma is off and its 3D angles change places: built here is what it means. Uniform by the exact distribution of a
    sum of sines with independent phases (its characteristic function is a product of Bessel functions J0). Signed: `2u − 1` where the
    article has u in [0, 1]. Never repeats in practice.

    Phases are independent if no two sines move together: in 1D sizes that are in the ratio of small whole numbers do, and then values are
    uniform over all seeds, not over one line.

    Parameters
    ----------
    dimensions : a whole number that is not negative, 1 to 3, default 2
        1 (reads x), 2 (x and y) or 3.
    sines : a whole number that is not negative, 1 to 1024, default 30
        How many sines (pairs, triples), where `sizes` does not say.
    smoothness : a number, 0.001 to 1, default 0.5
        How sizes are spread: sine i of N has size `((i + 1/2) / (N + 1))^(−ln smoothness)`. At 1 all are equal, near 0 there are few large
        and many small ones.
    sizes : a list of numbers, every number 0.000001 to 1000000
        The sizes themselves, instead of what `sines` and `smoothness` give.
    offsets : a list of numbers, every number -1000000 to 1000000, unit: radians
        Phases in radians, `dimensions` for each sine, instead of what the seed gives.
    spread : a number, 1 to 360, unit: degrees, default 90.0
        2D: degrees over which the golden ratio's multiples turn the pairs. A pair looks the same after 90, so that spreads its directions
        evenly; the article's code has 360, after which every second pair nearly shares its axes.
    unit : a number, 0.000001 to 1e12, unit: world units, default 50.0
        World units for a size of 1: such a hill repeats after 2π of them.
    uniform : one of "exact", "normal", "none", default "exact"
        How values are spread over [−1, 1].
    seed : a whole number that is not negative, 0 to 18446744073709551615, default 0
        Seed of the phases. Hills of the same sizes are the same waves with other phases, so their values correlate: by some 0.16 in 1D, 0.1
        in 2D and 0.07 in 3D at 30 sines. Where that matters, give them other sizes, by another `smoothness` say.
    """
    return node_of_kind(
        "hill", dimensions=dimensions, sines=sines, smoothness=smoothness, sizes=sizes, offsets=offsets, spread=spread, unit=unit,
        uniform=uniform, seed=seed,
    )


def spectral(
    *,
    count: int = 30,
    exponent: float = -1.0,
    frequencies: Sequence[float] | None = None,
    amplitudes: Sequence[float] | None = None,
    phases: Sequence[float] | None = None,
    length: float = 1000.0,
    normalise: bool = True,
    seed: int = 0,
) -> Noise:
    """Noise with a spectrum of choice: a weighted sum of sines along x, `Σ aₖ · sin(2π fₖ x / length + phaseₖ)`, with amplitudes `f^exponent`
    or given one by one.

    Exponent −2 is red noise, −1 pink, 0 white, +1 blue, +2 violet.

    Parameters
    ----------
    count : a whole number that is not negative, 1 to 4096, default 30
        How many frequencies, 1 to this many per `length`, where `frequencies` does not say.
    exponent : a number, -8 to 8, default -1.0
        Exponent of the amplitudes.
    frequencies : a list of numbers, every number 0.000001 to 1000000, unit: cycles per `length`
        Frequencies, in sines per `length`.
    amplitudes : a list of numbers, every number -1000000 to 1000000, unit: that of the values
        Amplitudes, one per frequency, instead of what `exponent` gives.
    phases : a list of numbers, every number -1000000 to 1000000, unit: radians
        Phases in radians, one per frequency, instead of what the seed gives.
    length : a number, 0.000001 to 1e12, unit: world units, default 1000.0
        World units after which whole frequencies repeat.
    normalise : true or false, default True
        Divide by the sum of the amplitudes' magnitudes, so that values stay within [−1, 1].
    seed : a whole number that is not negative, 0 to 18446744073709551615, default 0
        Seed of the phases.
    """
    return node_of_kind(
        "spectral", count=count, exponent=exponent, frequencies=frequencies, amplitudes=amplitudes, phases=phases, length=length,
        normalise=normalise, seed=seed,
    )


def radius(*, centre: Sequence[float] = (0.0, 0.0, 0.0), axes: Sequence[float] = (1.0, 1.0, 0.0), unit: float = 1.0) -> Noise:
    """The distance from a point, in units; along the axes whose `axes` are not 0.

    Parameters
    ----------
    centre : 3 numbers, every number -1e12 to 1e12, unit: world units, default (0.0, 0.0, 0.0)
        The point, in world units.
    axes : 3 numbers, every number -1000 to 1000, default (1.0, 1.0, 0.0)
        How much the distance along each axis counts: (1, 1, 0) measures in the plane.
    unit : a number, 0.000001 to 1e12, unit: world units per 1.0, default 1.0
        World units per 1.0.
    """
    return node_of_kind("radius", centre=centre, axes=axes, unit=unit)


def raster(
    *,
    heights: str | PathLike[str] | ArrayLike,
    encoding: Literal["file", "terrarium", "mapbox_rgb", "uint8", "int8", "uint16_le", "uint16_be", "int16_le", "int16_be", "uint32_le", "uint32_be", "int32_le", "int32_be", "float32_le", "float32_be", "float64_le", "float64_be"] = "file",
    columns: int | None = None,
    holes: float | None = None,
    sha256: str | None = None,
    position: Sequence[float] = (0.0, 0.0),
    spacing: Sequence[float] = (1.0, 1.0),
    sampling: Literal["nearest", "linear", "cubic"] = "cubic",
    outside: Literal["clamp", "repeat", "mirror", "constant"] = "clamp",
    fill: float = 0.0,
) -> Noise:
    """A raster: heights, a mask or any other numbers from a file, or from memory, on a grid along x and y. The same for every z.

    Levels of detail sample the same surface further apart, so that they share samples with the finest one; nothing is averaged. Positions
    are exact at any distance. Values never leave the range of the samples; with cubic sampling that of the surface, which is a little
    wider. Unsigned integers of 16 bits and less are 0 to 1: `scale_offset` makes heights of them.

    Parameters
    ----------
    heights : the name of a file, required
        A file beside the recipe (PNG, OpenEXR, TIFF, NumPy array, SRTM, ASCII grid, raw, r16, r32), up to 16384 samples along an edge.
    encoding : one of "file", "terrarium", "mapbox_rgb", "uint8", "int8", "uint16_le", "uint16_be", "int16_le", "int16_be", "uint32_le", "uint32_be", "int32_le", "int32_be", "float32_le", "float32_be", "float64_le", "float64_be", default "file"
        How the file's numbers are stored, where it does not say so itself: PNG tiles whose colours are heights, and raw numbers.
    columns : a whole number that is not negative, 1 to 16384
        Samples in a row of a file without a header (raw, r16, r32). Not given: as many as it has rows.
    holes : a number, -1e15 to 1e15, unit: that of the values
        The height of cells that have none: NaN, and what the file declares as such (GDAL_NODATA, a mask, voids of SRTM). Not given: heights
        with such cells are refused.
    sha256 : a SHA-256 hash of 64 hexadecimal digits, 64 hexadecimal digits
        The hash of the file, with which another one is refused. Not given: that of the file as it is found.
    position : 2 numbers, every number -1e12 to 1e12, unit: world units, default (0.0, 0.0)
        World x and y of the first sample.
    spacing : 2 numbers, every number -1000000000 to 1000000000, unit: world units, default (1.0, 1.0)
        World units from one sample to the next along x and y; not 0. Pictures with north at the top have a negative second one.
    sampling : one of "nearest", "linear", "cubic", default "cubic"
        From one sample to the next.
    outside : one of "clamp", "repeat", "mirror", "constant", default "clamp"
        Beyond the edges.
    fill : a number, -1e15 to 1e15, unit: that of the values, default 0.0
        What lies beyond the edges where `outside` is `constant`.
    """
    return node_of_kind(
        "raster", heights=heights, encoding=encoding, columns=columns, holes=holes, sha256=sha256, position=position, spacing=spacing,
        sampling=sampling, outside=outside, fill=fill,
    )
