"""Kinds of nodes, the parts of noises.

Written by generate.py from the library's tables. Do not edit.
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

__all__ = ["NodeSteps", "constant", "coordinate", "craters", "fastnoise_lite", "hexagonal", "hill", "octave_table", "open_simplex2", "perlin", "point_table", "radius", "raster", "simplex", "smooth_cells", "spectral", "value", "white", "worley"]


class NodeSteps:
    """Methods of a noise: one for every kind of node that has an input."""

    __slots__ = ()

    def phasor(
        self,
        elevation: Noise | float = 0.0,
        frequency: Noise | float = 1.0,
        along: Noise | float = 0.0,
        *,
        dimensions: int = 2,
        profile: Literal["sine", "square", "saw", "gabor"] = "sine",
        wavelength: float = 20.0,
        size: float = 60.0,
        sharpness: float = 0.75,
        seed: int = 0,
        offset: Sequence[float] | None = None,
    ) -> Noise:
        """Phasor noise: waves with a direction and a length that vary from place to place, all of the same height. For dunes, ripples, wood,
        strata and cloth; signed.

        The points of a lattice each contribute a wave with a phase of its own; the noise is a profile of the phase of their sum. Direction
        and frequency may be other noises. Their gradients bend the waves around each point, so crests curve without breaks if directions
        change by less than a third of a turn over a cell. The noise itself then has no gradient. Waves along a gradient do not bend so:
        there, directions should change little over a cell. Crests end and fork where the phases of neighbours differ; there the waves
        become 0. With the profile `gabor`, the noise is the sum of the waves instead, and its height varies; few values are beyond ±0.7.

        Sources: Tricard et al., "Procedural phasor noise", 2019; Lagae et al., "Procedural noise using sparse Gabor convolution", 2009.

        The cost is that of nine points with a sine each in 2D, of 27 in 3D.

        Parameters
        ----------
        dimensions : a whole number of 0 or more, 2 to 3, default 2
            Number of dimensions: 2 (reads x and y) or 3.
        profile : one of "sine", "square", "saw", "gabor", default "sine"
            The shape of the waves.
        wavelength : a number, 0.000001 to 1e12, unit: world units, default 20.0
            Length of a wave, in world units.
        size : a number, 0.000001 to 1e12, unit: world units, default 60.0
            Edge of a lattice cell, in world units. Crests are about as long; at most 64 waves lie in a cell.
        sharpness : a number, 0 to 1, default 0.75
            Steepness of the profiles `square` and `saw`: 0 gives a sine and a triangle. At 1, a saw falls within 1 % of a wave.
        elevation : Noise or float, default 0.0
            Direction of the waves: degrees from the plane of x and y towards z. Read in 3D, without `along`.
        frequency : Noise or float, default 1.0
            Factor of the number of waves, limited to 0 to 16.
        along : Noise or float, default 0.0
            If a node: waves run along its gradient, up and down its slopes, turned by `rotation`. Requires a gradient; the noise itself
            then has none.
        seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
            Seed of the hash and the lattice offset.
        offset : 3 numbers, every number -1e12 to 1e12, unit: world units
            Offset added to the position, in world units, instead of the offset derived from the seed.
        """
        return node_of_kind(
            "phasor", rotation=self, dimensions=dimensions, profile=profile, wavelength=wavelength, size=size, sharpness=sharpness,
            elevation=elevation, frequency=frequency, along=along, seed=seed, offset=offset,
        )

    def beds(
        self,
        fold: Noise | float = 0.0,
        *,
        output: Literal["layer", "hardness"] = "layer",
        thickness: float = 20.0,
        irregular: float = 0.6,
        blend: float = 0.15,
        variation: float = 0.5,
        dip: float = 0.0,
        direction: float = 90.0,
        seed: int = 0,
        offset: Sequence[float] | None = None,
    ) -> Noise:
        """Beds of rock that lie on each other along z, tilted and folded: a number for the bed at the height `of`.

        In a map, `of` is the height of the ground. In a volume, `of` is 0 and the height is z; otherwise both add up. Beds are the same
        along their strike at any distance. The stage `strata` has such layers for erosion, which meets them as it cuts down.

        Parameters
        ----------
        fold : Noise or float, default 0.0
            Height by which the beds are raised, in world units, for example a noise with long waves that folds them.
        output : one of "layer", "hardness", default "layer"
            The quantity: a random number of each bed, or its hardness.
        thickness : a number, 0.000001 to 1e12, unit: world units, default 20.0
            Mean thickness of a bed, in world units.
        irregular : a number, 0 to 1, default 0.6
            Differences between thicknesses: with 0 all beds are equal, with 1 the thinnest vanish and the thickest are double.
        blend : a number, 0.001 to 1, default 0.15
            Height over which two beds blend, as a share of `thickness`.
        variation : a number, 0 to 1, default 0.5
            Differences between hard beds, and between soft ones: with 0 the hardness is 0 or 1, with 1 it reaches 1/2. Only `hardness`
            reads it.
        dip : a number, 0 to 1000, default 0.0
            Slope of the beds, as height per distance.
        direction : a number, -360 to 360, unit: degrees, default 90.0
            Direction in which the beds descend, in degrees clockwise from north (y points down in a picture).
        seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
            Seed of the hash and the lattice offset.
        offset : 3 numbers, every number -1e12 to 1e12, unit: world units
            Offset added to the position, in world units, instead of the offset derived from the seed.
        """
        return node_of_kind(
            "beds", of=self, fold=fold, output=output, thickness=thickness, irregular=irregular, blend=blend, variation=variation, dip=dip,
            direction=direction, seed=seed, offset=offset,
        )

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
        octaves : a whole number of 0 or more, 1 to 32, default 6
            Number of octaves.
        lacunarity : a number, 0.015625 to 64, default 2.0
            Frequency ratio of an octave to the previous one.
        gain : a number, -16 to 16, default 0.5
            Amplitude ratio of an octave to the previous one; also called persistence.
        accumulate : one of "sum", "lerp", "weighted", "billow", "ridged", "pingpong", "multifractal", "hybrid", "heterogeneous", default "sum"
            Formula that combines the octaves.
        normalise : true or false, default True
            Whether to divide by the sum of the amplitudes' magnitudes, so that the range does not depend on the number of octaves. Applies
            to `sum`, `weighted`, `billow`, `ridged` and `pingpong`.
        level : a number, -16 to 16, unit: that of the values, default 1.0
            Musgrave's `offset`. `multifractal`, `hybrid` and `heterogeneous` add it to the values of an octave; `ridged` subtracts their
            magnitude from it.
        sharpness : a number, 0 to 16, default 2.0
            Musgrave's `gain` of `ridged`, a factor: how strongly a high octave lets the next one through.
        weight : a number, 0 to 1, default 0.5
            For `weighted`, `billow` and `pingpong`: how strongly a low octave suppresses the next one, from 0 (not at all) to 1.
        folds : a number, 0 to 64, default 2.0
            For `pingpong`: the factor by which values are stretched before they are folded.
        seeds : one of "own", "same", default "own"
            Whether each octave is a noise of its own.
        seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
            Seed from which the octaves' seeds and offsets are derived.
        offsets : a list of vectors of 3 numbers, every number -1e12 to 1e12, unit: world units
            Offsets added to the position, one per octave, in world units, instead of those derived from the seed. There may be more than
            `octaves`.
        table : Noise or float
            An `octave_table` that holds the offsets, which several fractals may share.
        start : a whole number of 0 or more, 0 to 65535, default 0
            Index of the table's entry for the first octave. The next octaves take the next entries.
        offset : 3 numbers, every number -1e12 to 1e12, unit: world units, default (0.0, 0.0, 0.0)
            Offset added to the position of every octave, in world units (the shader's sample offset).
        rotation : a number, -360 to 360, unit: degrees, default 0.0
            Rotation of each octave's position relative to the previous one, in degrees: around z from the x axis towards y. The picture
            turns the other way.
        axis : 3 numbers, every number -1000000 to 1000000, default (0.0, 0.0, 1.0)
            Axis of the rotation. Its length is ignored.
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
        """A curve through control points: between two of them, the quadratic Bézier curve whose middle anchor is the mean of the points'
        tangents, as in the terrain shader's `interpolateValue`. Inputs beyond the ends give the end values.

        Parameters
        ----------
        points : a list of control points, at least two points, `at` strictly increasing, every number finite and at most 1e15, default ()
            The control points.
        table : Noise or float
            A `point_table` that holds the control points instead, which several splines may share.
        start : a whole number of 0 or more, 0 to 65535, default 0
            Index of the table's entry that is the first control point.
        end : a whole number of 0 or more, 0 to 65535
            Index of the table's entry after the last control point. If omitted, the end of the table.
        """
        return node_of_kind("spline", of=self, points=points, table=table, start=start, end=end)

    def scale_offset(self, *, scale: float = 1.0, offset: float = 0.0) -> Noise:
        """`of · scale + offset`.

        Parameters
        ----------
        scale : a number, -1e15 to 1e15, default 1.0
            Factor.
        offset : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Number added after scaling.
        """
        return node_of_kind("scale_offset", of=self, scale=scale, offset=offset)

    def clamp(self, *, low: float = -1.0, high: float = 1.0) -> Noise:
        """Clamps `of` to the range from `low` to `high`. The gradient is 0 where it clamps.

        Parameters
        ----------
        low : a number, -1e15 to 1e15, unit: that of the values, default -1.0
            Lower bound.
        high : a number, -1e15 to 1e15, unit: that of the values, default 1.0
            Upper bound, at least `low`.
        """
        return node_of_kind("clamp", of=self, low=low, high=high)

    def abs(self) -> Noise:
        """The absolute value of `of`."""
        return node_of_kind("abs", of=self)

    def power(self, *, exponent: float = 2.0) -> Noise:
        """A power that keeps the sign: `sign(of) · |of|^exponent`. Magnitudes below 2⁻⁴⁰ give 0.

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
        """Linear blend: `a + mask · (b − a)`, with the mask clamped to 0 to 1.

        Parameters
        ----------
        b : Noise or float, required
            The value where the mask is 1.
        mask : Noise or float, required
            The share of `b`, from 0 to 1.
        """
        return node_of_kind("blend", a=self, b=b, mask=mask)

    def warp(self, x: Noise | float = 0.0, y: Noise | float = 0.0, z: Noise | float = 0.0, *, strength: float = 1.0) -> Noise:
        """`of`, sampled at `position + strength · (x, y, z)`.

        Positions are exact at any distance; displacements are f32. A displacement of 2¹⁶ cells of the finest lattice under the warp still
        resolves 2⁻⁸ of a cell; one of 2²⁴ cells resolves nothing.

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

    def by_example(
        self,
        *,
        tile: float | None = None,
        rotation: float = 0.0,
        sharpness: float = 2.0,
        seed: int = 0,
        offset: Sequence[float] | None = None,
    ) -> Noise:
        """An endless surface that looks like a raster, without seams and without repetition.

        Around each corner of a grid of triangles lies a part of the raster from a random place. A sample blends three parts so that the
        distribution of values remains that of the raster. It suits rock, grass, sand, bark and other surfaces without large shapes.
        Features should be smaller than `tile`; the raster need not repeat. Nodes with the same seed, `tile` and size of raster take the
        same parts: use three of them for the channels of a colour.

        Sources: Heitz and Neyret, "High-performance by-example noise using a histogram-preserving blending operator", 2018; Mikkelsen,
        "Practical real-time hex-tiling", 2022.

        The cost is that of three lookups in a raster.

        Parameters
        ----------
        tile : a number, 0.000001 to 1e12, unit: world units
            Edge of a triangle, in world units. At most half the shorter side of the raster. If omitted, a quarter of that side.
        rotation : a number, 0 to 180, unit: degrees, default 0.0
            Parts are turned by up to this angle to both sides, in degrees.
        sharpness : a number, 1 to 8, default 2.0
            Narrowness of the borders between parts, as an exponent of their weights: 1 blends over whole triangles.
        seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
            Seed of the hash and the lattice offset.
        offset : 3 numbers, every number -1e12 to 1e12, unit: world units
            Offset added to the position, in world units, instead of the offset derived from the seed.
        """
        return node_of_kind("by_example", of=self, tile=tile, rotation=rotation, sharpness=sharpness, seed=seed, offset=offset)

    def polar(
        self,
        *,
        centre: Sequence[float] = (0.0, 0.0, 0.0),
        form: Literal["circle", "strip"] = "circle",
        size: float = 100.0,
    ) -> Noise:
        """`of` in polar coordinates around a point of the plane. `circle`: the same value along every ray. `strip`: the angle replaces x and
        the distance replaces y.

        Both are measured from the centre, so another centre gives another noise. Positions farther than 2³⁰ · `size` from the centre are an
        error.

        Parameters
        ----------
        centre : 3 numbers, every number -1e12 to 1e12, unit: world units, default (0.0, 0.0, 0.0)
            The centre, in world units.
        form : one of "circle", "strip", default "circle"
            The position at which `of` is sampled.
        size : a number, 0.000001 to 1e12, unit: world units, default 100.0
            The radius of the circle, or the length of the strip that covers one turn, in world units.
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
            Offset added to the position, in world units.
        rotation : a number, -360 to 360, unit: degrees, default 0.0
            Rotation of the position, in degrees: around z from the x axis towards y. The picture turns the other way.
        axis : 3 numbers, every number -1000000 to 1000000, default (0.0, 0.0, 1.0)
            Axis of the rotation. Its length is ignored.
        scale : 3 numbers, every number -1000000 to 1000000, default (1.0, 1.0, 1.0)
            Factors along x, y and z. A factor of 2 halves the size of details.
        """
        return node_of_kind("transform", of=self, offset=offset, rotation=rotation, axis=axis, scale=scale)

    def slice(self, *, axis: Literal["x", "y", "z"] = "z", at: float = 0.0) -> Noise:
        """`of` in a plane: one coordinate is constant.

        To animate a noise along z, move the region's `anchor` instead of slicing it: the values are the same, and nothing is prepared
        again.

        Parameters
        ----------
        axis : one of "x", "y", "z", default "z"
            The axis perpendicular to the plane.
        at : a number, -1e12 to 1e12, unit: world units, default 0.0
            World position of the plane along the axis.
        """
        return node_of_kind("slice", of=self, axis=axis, at=at)

    def mirror(self, *, axis: Literal["x", "y", "z"] = "x", at: float = 0.0) -> Noise:
        """Mirrors `of` in a plane: positions below the plane take the values of those above.

        Parameters
        ----------
        axis : one of "x", "y", "z", default "x"
            The axis perpendicular to the plane.
        at : a number, -1e12 to 1e12, unit: world units, default 0.0
            World position of the plane along the axis.
        """
        return node_of_kind("mirror", of=self, axis=axis, at=at)

    def quantise(self, *, size: Sequence[float] = (8.0, 8.0, 8.0)) -> Noise:
        """`of` at the centre of the cell that contains the position: blocks of constant value, with gradient 0.

        Parameters
        ----------
        size : 3 numbers, every number 0.000001 to 1e12, unit: world units, default (8.0, 8.0, 8.0)
            Size of a cell along x, y and z, in world units.
        """
        return node_of_kind("quantise", of=self, size=size)

    def periodic(self, *, period: Sequence[float] = (0.0, 0.0, 0.0), w_period: float = 0.0) -> Noise:
        """`of`, repeated exactly after a period: samples one period apart have the same bits.

        Simplex noise in 2D allows any period from one wavelength on, in 3D from two: the lattice is stretched to the nearest whole number
        of its units, which changes less the longer the period is. Sines move to the nearest waves that repeat.

        Every other basis keeps its wavelength. In every octave the period must be a multiple of that wavelength, so lacunarities must be
        whole numbers. In 4D and with `permutation289`, simplex noise needs a multiple of three wavelengths along each axis (4D is stretched
        by 4 %). Hexagons need a multiple of √3 wavelengths along y.

        Parameters
        ----------
        period : 3 numbers, every number 0 to 1e12, unit: world units, default (0.0, 0.0, 0.0)
            Period along x, y and z in world units; 0 for no repetition. A period spans up to 2²⁴ − 1 cells of each lattice under it.
        w_period : a number, 0 to 1e12, unit: world units, default 0.0
            Period along the fourth axis, such as time, in world units; 0 for no repetition. It is a multiple of the wavelength of every 4D
            octave under it (of three wavelengths for simplex noise), and of the period of turning gradients.
        """
        return node_of_kind("periodic", of=self, period=period, w_period=w_period)

    def domain(self, x: Noise | float = 0.0, y: Noise | float = 0.0, z: Noise | float = 0.0) -> Noise:
        """`of`, sampled at the position whose coordinates are the values of three nodes, in world units. Values are f32, so the position has a
        relative error of up to 2⁻²⁴.

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
        """Displaces `of` along every axis by another sub-graph, with a separate seed for each axis. With more than one octave the
        displacements add up: each octave is sampled at the position displaced so far (a progressive domain warp).

        Parameters
        ----------
        by : Noise or float, required
            The sub-graph that displaces it.
        strength : a number, -1000000000 to 1000000000, unit: world units per 1.0, default 50.0
            World units per 1.0 of displacement.
        octaves : a whole number of 0 or more, 1 to 32, default 1
            Number of displacements, one after the other.
        lacunarity : a number, 0.015625 to 64, default 2.0
            Frequency ratio of an octave of `by` to the previous one.
        gain : a number, -16 to 16, default 0.5
            Strength ratio of an octave to the previous one.
        seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
            Seed from which the seeds of the axes and octaves are derived.
        """
        return node_of_kind("turbulence", of=self, by=by, strength=strength, octaves=octaves, lacunarity=lacunarity, gain=gain, seed=seed)

    def stamps(
        self,
        *,
        combine: Literal["max", "add", "cover"] = "max",
        priority: Literal["random", "largest", "smallest"] = "random",
        radius: float = 40.0,
        thickness: float = 0.0,
        fade: float = 0.3,
        variation: float = 0.5,
        lift: float = 1.0,
        rotation: float = 1.0,
        density: float = 1.0,
        jitter: float = 1.0,
        lattices: int = 1,
        separation: float = 0.0,
        wavelength: float = 100.0,
        seed: int = 0,
        offset: Sequence[float] | None = None,
    ) -> Noise:
        """Copies of a disc of `of` at random points, each turned and scaled: one stone, dune or tree becomes a field of them. The disc lies
        around the origin. `of` may be any sub-graph, such as a `raster` whose middle is there: its `position` is minus half its width and
        height, and `outside` is `constant`.

        The points lie in the cells of square lattices, one in each. With `separation`, only points at a minimum distance stay. Between the
        discs the value is 0. Stamps fade to 0 at the edges of their discs, so there are no seams. With `cover`, a disc hides those under
        it, also where its stamp is 0. Positions are exact at any distance.

        The cost is that of `of` for every disc around a sample: up to nine times per lattice. With `separation`, a GPU also tests the
        points around each disc.

        Parameters
        ----------
        combine : one of "max", "add", "cover", default "max"
            The way in which overlapping stamps combine. A maximum begins at 0, so stamps that are never above it, such as pits, are an
            error: they need `add` or `cover`.
        priority : one of "random", "largest", "smallest", default "random"
            Stamps that lie on top with `cover`, and that stay where points are too near to each other.
        radius : a number, 0.000001 to 1e12, unit: world units, default 40.0
            Radius of the disc, in world units; at most `wavelength`.
        thickness : a number, 0 to 1e12, unit: world units, default 0.0
            Extent of `of` along z, in world units; at most `wavelength`. Each stamp is a slice at a random z from 0 to this. So a noise in
            3D gives each another shape.
        fade : a number, 0.001 to 1, default 0.3
            Share of the radius in which a stamp fades to 0.
        variation : a number, 0 to 0.9, default 0.5
            Differences in size: scales are from `1 − variation` to 1.
        lift : a number, 0 to 1, default 1.0
            Share of a scale that heights have as well: with 0 small stamps are as high as large ones, with 1 they have the same slopes.
        rotation : a number, 0 to 1, default 1.0
            Maximum of the random rotation from the x axis towards y, in turns: 0 turns no stamp, 1 turns them in all directions.
        density : a number, 0 to 1, default 1.0
            Share of cells with a stamp.
        jitter : a number, 0 to 1, default 1.0
            Maximum displacement of stamps from the middle of their cell: 0 gives a regular grid, 1 allows anywhere in the cell.
        lattices : a whole number of 0 or more, 1 to 4, default 1
            Number of lattices on top of each other, so of stamps per cell. Without jitter they coincide.
        separation : a number, 0 to 1e12, unit: world units, default 0.0
            Minimum distance between points, in world units; at most `wavelength`. Of two points that are nearer, the one with priority
            stays. If a third one displaces it, the other may stay. With twice the radius, no discs overlap. With one wavelength, 0.44
            points per cell stay of one lattice, and 0.50 of four. Points up to 1/5000 of a wavelength farther count as too near.
        wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
            Edge of a cell, in world units.
        seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
            Seed of the hash and the lattice offset.
        offset : 3 numbers, every number -1e12 to 1e12, unit: world units
            Offset added to the position, in world units, instead of the offset derived from the seed.
        """
        return node_of_kind(
            "stamps", of=self, combine=combine, priority=priority, radius=radius, thickness=thickness, fade=fade, variation=variation,
            lift=lift, rotation=rotation, density=density, jitter=jitter, lattices=lattices, separation=separation, wavelength=wavelength,
            seed=seed, offset=offset,
        )

    def smoothstep(self, *, low: float = 0.0, high: float = 1.0) -> Noise:
        """0 below one edge, 1 above another, and `6t⁵ − 15t⁴ + 10t³` in between.

        Parameters
        ----------
        low : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Input at which the curve leaves 0.
        high : a number, -1e15 to 1e15, unit: that of the values, default 1.0
            Input at which the curve reaches 1; above `low`.
        """
        return node_of_kind("smoothstep", of=self, low=low, high=high)

    def terrace(self, *, height: float = 0.25, slope: float = 0.3) -> Noise:
        """Steps: each is flat, then rises smoothly to the next.

        Parameters
        ----------
        height : a number, 0.000001 to 1e15, unit: that of the values, default 0.25
            Height of a step.
        slope : a number, 0.001 to 1, default 0.3
            Share of each step that rises.
        """
        return node_of_kind("terrace", of=self, height=height, slope=slope)

    def threshold(self, *, at: float = 0.0, below: float = 0.0, above: float = 1.0) -> Noise:
        """`below` where the input is less than `at`, else `above`. The gradient is 0.

        Parameters
        ----------
        at : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Input at which the value jumps.
        below : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Value for inputs below `at`.
        above : a number, -1e15 to 1e15, unit: that of the values, default 1.0
            Value for inputs of `at` and more.
        """
        return node_of_kind("threshold", of=self, at=at, below=below, above=above)

    def bias(self, *, bias: float = 0.5) -> Noise:
        """Perlin's bias (Perlin and Hoffert 1989): a power that maps 1/2 to `bias` and keeps 0 and 1. The input is clamped to 0 to 1.

        Parameters
        ----------
        bias : a number, 0.001 to 0.9375, default 0.5
            The value that 1/2 is mapped to.
        """
        return node_of_kind("bias", of=self, bias=bias)

    def gain(self, *, gain: float = 0.5) -> Noise:
        """Perlin's gain (Perlin and Hoffert 1989): moves values away from 1/2 if `gain` is above 1/2, or towards it if below, and keeps 0, 1/2
        and 1. The input is clamped to 0 to 1.

        Parameters
        ----------
        gain : a number, 0.0625 to 0.999, default 0.5
            Strength: 1/4 is mapped to `(1 − gain) / 2`, so 1/2 changes nothing.
        """
        return node_of_kind("gain", of=self, gain=gain)

    def sine(self, *, frequency: float = 1.0, phase: float = 0.0) -> Noise:
        """`sin(2π · (frequency · of + phase))`.

        Parameters
        ----------
        frequency : a number, -1000000 to 1000000, unit: turns per 1.0, default 1.0
            Turns per 1.0 of the input.
        phase : a number, -1000000 to 1000000, unit: turns, default 0.0
            Phase at input 0, in turns.
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
        """Inverse-transform sampling: gives a uniform noise in [−1, 1] (`hill`, `equalise`) another distribution. An input v stands for the
        probability `(v + 1) / 2`, clamped to 2⁻²⁰ from 0 and 1.

        Parameters
        ----------
        distribution : one of "normal", "weibull", "exponential", "table", default "normal"
            The distribution.
        scale : a number, 0.000001 to 1e12, unit: that of the values, default 1.0
            For `weibull` the scale (the article's alpha), for `exponential` the mean, for `normal` the standard deviation.
        shape : a number, 0.25 to 16, default 2.0
            For `weibull`: the shape (the article's beta).
        location : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            For `normal` the mean; for `weibull` and `exponential` the smallest value.
        table : a list of points of a distribution, empty, or two or more points: `probability` strictly increasing from 0 to 1, `value` not decreasing, of magnitude at most 1e15, default ()
            For `table`: probabilities from 0 to 1, each with the value below which that share of the values lies. Joined by straight lines.
        """
        return node_of_kind("quantile", of=self, distribution=distribution, scale=scale, shape=shape, location=location, table=table)

    def equalise(self, *, quantiles: Sequence[float] = ()) -> Noise:
        """Makes the values of any sub-graph uniform over [−1, 1], by its measured distribution. The command `orogen equalise` measures it once
        and writes the quantiles into the recipe; in Rust, `Engine::equalise` does.

        Parameters
        ----------
        quantiles : a list of numbers, empty, or 2 to 65536 numbers of magnitude at most 1e15 that do not decrease, with the last above the first, unit: that of the values, default ()
            Quantiles of the sub-graph at evenly spaced probabilities from 0 to 1, in ascending order.
        """
        return node_of_kind("equalise", of=self, quantiles=quantiles)

    def select(self, b: Noise | float, mask: Noise | float, *, at: float = 0.0, falloff: float = 0.1) -> Noise:
        """`a` where a mask is low, `b` where it is high, with a smooth transition.

        Parameters
        ----------
        b : Noise or float, required
            The value where the mask is high.
        mask : Noise or float, required
            The mask.
        at : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Value of the mask at which `a` and `b` count equally.
        falloff : a number, 0 to 1e15, unit: that of the values, default 0.1
            Half the width of the transition, in values of the mask.
        """
        return node_of_kind("select", a=self, b=b, mask=mask, at=at, falloff=falloff)

    def curl(self, x: Noise | float = 0.0, y: Noise | float = 0.0, *, axis: Literal["x", "y", "z"] = "x") -> Noise:
        """One component of the curl of a potential: a flow that turns but neither gathers nor spreads (Bridson, Hourihan, Nordenstam,
        "Curl-noise for procedural fluid flow", 2007).

        In 2D the potential is `of`: the velocity `(∂of/∂y, −∂of/∂x)` follows its contours, faster where they are closer. In 3D the
        potential is the vector `(x, y, of)`, of three different noises, and the velocity is `∇ × (x, y, of)`. Its divergence is 0 apart
        from rounding.

        Values are in units of the potential per world unit. Their magnitude is at most the steepest gradient of `of` in 2D, and the sum of
        those of the two potentials that a component reads in 3D. Nodes for other components of the same potentials compute them only once.
        A component has no gradient of its own. To keep the flow out of an obstacle, multiply the potential by a curve that is 0 at its
        border.

        Parameters
        ----------
        x : Noise or float, default 0.0
            First component of the potential in 3D. Requires a gradient.
        y : Noise or float, default 0.0
            Second component of the potential in 3D. Requires a gradient.
        axis : one of "x", "y", "z", default "x"
            The component of the velocity.
        """
        return node_of_kind("curl", of=self, x=x, y=y, axis=axis)

    def cross_gradients(self, b: Noise | float, *, axis: Literal["x", "y", "z"] = "x") -> Noise:
        """One component of `∇a × ∇b`, the cross product of two gradients: a flow in 3D along the lines on which both `a` and `b` are constant
        (DeWolf, "Divergence-free noise", 2005). It reads two potentials, where `curl` in 3D reads three.

        Its divergence is 0 apart from rounding. Values are in units of `a` times units of `b` per square of a world unit; their magnitude
        is at most the product of the steepest gradients. Nodes for other components of the same potentials compute them only once. A
        component has no gradient of its own. Flow stays on the surfaces `b` = constant, so with the distance from an obstacle as `b`, it
        goes around it.

        Parameters
        ----------
        b : Noise or float, required
            The second potential. Requires a gradient.
        axis : one of "x", "y", "z", default "x"
            The component of the velocity.
        """
        return node_of_kind("cross_gradients", a=self, b=b, axis=axis)

    def advect(self, by: Noise | float, x: Noise | float = 0.0, y: Noise | float = 0.0, *, strength: float = 1.0, steps: int = 4) -> Noise:
        """`of`, carried along by the flow that `curl` computes from potentials: smoke, marble or clouds that eddies draw out.

        A sample traces the flow backwards in equal steps of Euler's method, and reads `of` where it ends. (Semi-Lagrangian advection: Stam,
        "Stable fluids", 1999.) In the plane, the flow follows the contours of `by`. With `x` and `y` as well, the potential is the vector
        `(x, y, by)`, and the flow is one in space. One step is the same as `warp` by the components of `curl`, with `-strength`. More steps
        follow the contours closer, and the pattern tears less.

        Velocities are slopes of the potential. Those of a noise from −1 to 1 are about 2 / `wavelength`. So if the potential is a noise
        times half its wavelength, samples move by about `strength`, in world units.

        Values stay in the range of `of`. The node has no gradient. Each step costs the potentials with their gradients.

        Parameters
        ----------
        by : Noise or float, required
            The potential in the plane; its third component in space. Requires a gradient.
        x : Noise or float, default 0.0
            First component of the potential in space. Requires a gradient.
        y : Noise or float, default 0.0
            Second component of the potential in space. Requires a gradient.
        strength : a number, -1000000000 to 1000000000, unit: world units per 1.0, default 1.0
            World units per 1.0 of velocity, of all steps together.
        steps : a whole number of 0 or more, 1 to 16, default 4
            Number of steps.
        """
        return node_of_kind("advect", of=self, by=by, x=x, y=y, strength=strength, steps=steps)


def constant(*, value: float = 0.0) -> Noise:
    """The same number everywhere.

    Parameters
    ----------
    value : a number, -1e15 to 1e15, unit: that of the values, default 0.0
        The number.
    """
    return node_of_kind("constant", value=value)


def coordinate(*, axis: Literal["x", "y", "z"] = "x", unit: float = 1.0) -> Noise:
    """The position along one world axis: `position / unit`. It is the one basis whose values are not within ±1.

    As a value it has a relative error of up to 2⁻²⁴ in f32, and positions beyond 2³⁰ units are an error. Sums of several coordinates are
    exact until they become a value. Under a `sine` or `domain`, also through sums and multiples, the position is exact at any distance, so
    stripes stay regular 10¹² units from the origin.

    Parameters
    ----------
    axis : one of "x", "y", "z", default "x"
        The axis.
    unit : a number, 0.000001 to 1e12, unit: world units per 1.0, default 1.0
        World units per 1.0. As a value, positions beyond 2³⁰ units are an error, so far worlds need a large unit.
    """
    return node_of_kind("coordinate", axis=axis, unit=unit)


def simplex(
    *,
    dimensions: int = 2,
    w: float = 0.0,
    gradients: Literal["still", "turning"] = "still",
    w_period: float = 1.0,
    hash: Literal["integer", "permutation289"] = "integer",
    wavelength: float = 100.0,
    seed: int | None = None,
    offset: Sequence[float] | None = None,
) -> Noise:
    """Simplex noise (Perlin 2001; Gustavson 2005), signed.

    With the integer hash it uses unit gradients (any slope in 1D, 16 directions in 2D, 48 in 3D, 32 in 4D) and the continuous falloff `(1/2
    − r²)⁴`, or `(1 − r²)⁴` in 1D. Values are scaled to fill [−1, 1] and never leave it. The diagonal of the lattice's cubes lies along the
    last axis, so in 3D all slices across z (which may be time) look alike. On a CPU, rows of samples along x share most of the work; a
    rotation or displacement of the lattice disables that and costs two to three times as much.

    With `gradients = "turning"` it is flow noise (Perlin and Neyret 2001; Gustavson and McEwan 2022): all gradients turn along the fourth
    axis, in 3D each in a plane of its own. The noise moves without drifting, and has the same bits after `w_period`. The noise is negated
    after half of it.

    With `permutation289` it is the 3D noise of McEwan and Gustavson as listed in the terrain shader, with falloff `(0.6 − r²)⁴` times 42.
    That falloff reaches beyond its simplex, so the noise jumps by up to 0.003 at simplex borders. Its values are proven to lie within
    ±1.04; the largest found, by climbing from samples of every cell, is ±1.0384.

    Parameters
    ----------
    dimensions : a whole number of 0 or more, 1 to 4, default 2
        Number of dimensions: 1 (reads x), 2 (x and y), 3, or 4 (also `w`).
    w : a number, -1e12 to 1e12, unit: world units, default 0.0
        Position along the fourth axis, such as time, in world units. Read in 4D, and by turning gradients.
    gradients : one of "still", "turning", default "still"
        Whether gradients turn along the fourth axis (2D and 3D).
    w_period : a number, 0.000001 to 1e12, unit: world units, default 1.0
        World units along the fourth axis in which turning gradients turn once. With 1, `w` counts turns. In octaves of a fractal they turn
        `lacunarityᵏ` times, rounded to a whole number of at least 1.
    hash : one of "integer", "permutation289", default "integer"
        Hash from cells to gradients; `permutation289` is 3D only.
    wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
        Size of a lattice cell in world units: the edge of the cubes that are skewed into simplexes.
    seed : a whole number of 0 or more, 0 to 18446744073709551615
        Seed of the hash and the lattice offset. If omitted, it is 0 for the integer hash; `permutation289` then has no lattice offset.
    offset : 3 numbers, every number -1e12 to 1e12, unit: world units
        Offset added to the position, in world units, instead of the offset derived from the seed.
    """
    return node_of_kind(
        "simplex", dimensions=dimensions, w=w, gradients=gradients, w_period=w_period, hash=hash, wavelength=wavelength, seed=seed,
        offset=offset,
    )


def open_simplex2(
    *,
    dimensions: int = 2,
    variant: Literal["fast", "smooth"] = "fast",
    orientation: Literal["classic", "improve_xy", "improve_xz"] = "improve_xy",
    w: float = 0.0,
    wavelength: float = 100.0,
    seed: int = 0,
    offset: Sequence[float] | None = None,
) -> Noise:
    """OpenSimplex2, and the smoother OpenSimplex2S or SuperSimplex (K.jpg, 2020); signed.

    The sum over all lattice points within a reach `r` of `(r² − d²)⁴` times the gradient and the offset. `r²` is 1/2 in 2D and 0.6 in 3D
    and 4D; for OpenSimplex2S 2/3, 3/4 and 4/5. Values are scaled to fill [−1, 1] and never leave it. The numbers are not those of other
    libraries, which have other hashes. The original of OpenSimplex2 leaves out some points near the end of the reach in 3D and 4D, and
    jumps a little there. This node includes them.

    In 2D it looks like `simplex`. In 3D and 4D its reach is longer than that of `simplex`, so it is smoother.

    `periodic` turns the lattice until its rows lie along the axes, and stretches it to the nearest whole number of units. The classic
    orientation in 3D and 4D has no period.

    Parameters
    ----------
    dimensions : a whole number of 0 or more, 2 to 4, default 2
        Number of dimensions: 2 (reads x and y), 3, or 4 (also `w`).
    variant : one of "fast", "smooth", default "fast"
        The variant.
    orientation : one of "classic", "improve_xy", "improve_xz", default "improve_xy"
        The turn of the lattice. In 2D, `improve_xz` is for worlds seen from the side: the diagonal lies along y. The others are the same in
        2D.
    w : a number, -1e12 to 1e12, unit: world units, default 0.0
        Position along the fourth axis, such as time, in world units. Read in 4D.
    wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
        Size of a lattice cell in world units, as for `simplex`: 1 / frequency.
    seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
        Seed of the hash and the lattice offset.
    offset : 3 numbers, every number -1e12 to 1e12, unit: world units
        Offset added to the position, in world units, instead of the offset derived from the seed.
    """
    return node_of_kind(
        "open_simplex2", dimensions=dimensions, variant=variant, orientation=orientation, w=w, wavelength=wavelength, seed=seed,
        offset=offset,
    )


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
    """Value noise: interpolates a random number per point of the cubic lattice. Signed, within [−1, 1].

    With `interpolation = "truncated"` it is white noise with one number per cell. `linear` and `cosine` are the "blurry" and the smooth
    noise of the articles on the subject. With `hash = "table"` (1D only) it is the noise of the article on hill noise: lattice point i has
    number `i mod 256` of a table, so the noise repeats after 256 cells. Octaves then share the table and differ by their offsets.

    Parameters
    ----------
    dimensions : a whole number of 0 or more, 1 to 4, default 2
        Number of dimensions: 1 (reads x), 2 (x and y), 3, or 4 (also `w`).
    w : a number, -1e12 to 1e12, unit: world units, default 0.0
        Position along the fourth axis, such as time, in world units.
    interpolation : one of "truncated", "linear", "cubic", "quintic", "cosine", default "quintic"
        Interpolation between lattice points.
    hash : one of "integer", "table", default "integer"
        Source of the lattice points' numbers; `table` is 1D only.
    wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
        Edge of a lattice cell, in world units.
    seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
        Seed of the hash and the lattice offset, and of the table if `values` is omitted.
    offset : 3 numbers, every number -1e12 to 1e12, unit: world units
        Offset added to the position, in world units, instead of the offset derived from the seed.
    values : a list of numbers, a list of 1 to 256 numbers, each -1e15 to 1e15, unit: that of the values
        The 256 numbers of `table`. Values of the noise stay within their range.
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
    """White noise: a random number per cell. Signed, within [−1, 1], with gradient 0.

    Use `integer`. The other hashes reproduce one-line functions of shaders, applied to whole cells. They have no seed: `seed` determines
    only the offset. On GPUs `sine` and `nested_sine` usually differ from device to device; here they are the same everywhere. The rounding
    of f32, multiplied by 44,000, dominates them: one number in the plane is within 0.01 of its f64 value, and a nested one is unrelated to
    it. Neighbours far from the origin correlate. `nested_integer` is exact, but nearly constant along diagonals, as sums of products are.

    Parameters
    ----------
    dimensions : a whole number of 0 or more, 1 to 3, default 2
        Number of dimensions: 1 (reads x), 2 (x and y) or 3.
    hash : one of "integer", "sine", "nested_sine", "nested_integer", default "integer"
        Hash from cells to numbers.
    wavelength : a number, 0.000001 to 1e12, unit: world units, default 1.0
        Edge of a cell, in world units.
    seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
        Seed of the hash and the lattice offset.
    offset : 3 numbers, every number -1e12 to 1e12, unit: world units
        Offset added to the position, in world units, instead of the offset derived from the seed.
    """
    return node_of_kind("white", dimensions=dimensions, hash=hash, wavelength=wavelength, seed=seed, offset=offset)


def perlin(
    *,
    dimensions: int = 2,
    w: float = 0.0,
    gradients: Literal["still", "turning"] = "still",
    w_period: float = 1.0,
    interpolation: Literal["truncated", "linear", "cubic", "quintic", "cosine"] = "quintic",
    wavelength: float = 100.0,
    seed: int = 0,
    offset: Sequence[float] | None = None,
) -> Noise:
    """Perlin noise: interpolates the dot products of offsets with a gradient per point of the cubic lattice. Signed.

    Gradients have unit length (any slope in 1D, 16 directions in 2D, 48 in 3D, 32 in 4D) and are scaled by 2/√dimensions. Values are proven
    to lie within [−1, 1], or ±2 when `truncated`. Unlike most implementations, the noise is not 0 at integer positions, because the seed
    moves the lattice.

    With `gradients = "turning"` it is flow noise (Perlin and Neyret 2001; Gustavson and McEwan 2022): all gradients turn along the fourth
    axis, in 3D each in a plane of its own. The noise moves without drifting, and has the same bits after `w_period`. The noise is negated
    after half of it.

    Parameters
    ----------
    dimensions : a whole number of 0 or more, 1 to 4, default 2
        Number of dimensions: 1 (reads x), 2 (x and y), 3, or 4 (also `w`).
    w : a number, -1e12 to 1e12, unit: world units, default 0.0
        Position along the fourth axis, such as time, in world units. Read in 4D, and by turning gradients.
    gradients : one of "still", "turning", default "still"
        Whether gradients turn along the fourth axis (2D and 3D).
    w_period : a number, 0.000001 to 1e12, unit: world units, default 1.0
        World units along the fourth axis in which turning gradients turn once. With 1, `w` counts turns. In octaves of a fractal they turn
        `lacunarityᵏ` times, rounded to a whole number of at least 1.
    interpolation : one of "truncated", "linear", "cubic", "quintic", "cosine", default "quintic"
        Interpolation between lattice points.
    wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
        Edge of a lattice cell, in world units.
    seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
        Seed of the hash and the lattice offset.
    offset : 3 numbers, every number -1e12 to 1e12, unit: world units
        Offset added to the position, in world units, instead of the offset derived from the seed.
    """
    return node_of_kind(
        "perlin", dimensions=dimensions, w=w, gradients=gradients, w_period=w_period, interpolation=interpolation, wavelength=wavelength,
        seed=seed, offset=offset,
    )


def worley(
    *,
    dimensions: int = 2,
    metric: Literal["euclidean", "squared", "manhattan", "chebyshev"] = "euclidean",
    output: Literal["distance", "cell", "edge", "ratio", "border"] = "distance",
    weights: Sequence[float] = (1.0,),
    jitter: float = 1.0,
    width: float = 4.0,
    bevel: float = 4.0,
    wavelength: float = 100.0,
    seed: int = 0,
    offset: Sequence[float] | None = None,
) -> Noise:
    """Cellular noise (Worley 1996): the distances to the nearest of a set of random points, one in each cell.

    Distances are exact, in cells: no nearer point is missed, for any metric. The range is proven for every metric and jitter; with the
    defaults it is 0 to √2.

    Parameters
    ----------
    dimensions : a whole number of 0 or more, 1 to 3, default 2
        Number of dimensions: 1 (reads x), 2 (x and y) or 3.
    metric : one of "euclidean", "squared", "manhattan", "chebyshev", default "euclidean"
        The metric, also of distances to borders. (These are Euclidean for `squared`.) In 1D all except `squared` are the same.
    output : one of "distance", "cell", "edge", "ratio", "border", default "distance"
        The quantity: distances, their ratio, a value per nearest point, or the distance to the border of its cell.
    weights : a list of numbers, a list of 1 to 4 numbers, each -1e15 to 1e15, default (1.0,)
        Factors of the distances F1, F2, F3, F4 to the nearest points: `[1]` gives F1, `[-1, 1]` gives F2 − F1. Only `distance` reads them.
        The numbers are live; their count is structural.
    jitter : a number, 0 to 1, default 1.0
        Maximum displacement of points from the middle of their cell: 0 gives a regular grid, 1 allows anywhere in the cell.
    width : a number, 0 to 1e12, unit: world units, default 4.0
        Width of a border, in world units. Only `border` reads it.
    bevel : a number, 0.000001 to 1e12, unit: world units, default 4.0
        Width of the slope on each side of a border, in world units; 0.000001 is sharp. Only `border` reads it.
    wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
        Edge of a cell, in world units.
    seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
        Seed of the hash and the lattice offset.
    offset : 3 numbers, every number -1e12 to 1e12, unit: world units
        Offset added to the position, in world units, instead of the offset derived from the seed.
    """
    return node_of_kind(
        "worley", dimensions=dimensions, metric=metric, output=output, weights=weights, jitter=jitter, width=width, bevel=bevel,
        wavelength=wavelength, seed=seed, offset=offset,
    )


def smooth_cells(
    *,
    dimensions: int = 2,
    metric: Literal["euclidean", "squared", "manhattan", "chebyshev"] = "euclidean",
    output: Literal["distance", "cell"] = "distance",
    softness: float = 0.5,
    jitter: float = 1.0,
    variation: float = 0.0,
    wavelength: float = 100.0,
    seed: int = 0,
    offset: Sequence[float] | None = None,
) -> Noise:
    """Cellular noise without creases: a weighted mean over the points around a sample (Quilez, "Voronoise", 2014). It is the mean of their
    distances, which is a smooth minimum, or of their values.

    The points are those of `worley` with the same seed, jitter and wavelength. A point has the weight `((r − d) / (r − F1))^e`, with its
    distance `d`, the distance `F1` to the nearest point, a reach `r` and an exponent `e`. For the Euclidean and squared metrics, `r`, `d`
    and `F1` are squares. The weight falls to 0 at the reach, and every point within the reach is found, so there are no seams between
    cells. `r` is 1 more than `F1` can be, in cells.

    `softness` gives the exponent `e = 2 + 62 · (1 − softness)⁴`: 64 is close to `worley`, 2 is the softest. Slopes are continuous except at
    the points themselves, and for the Manhattan and Chebyshev metrics along lines through the points. Some 27 times the cost of `worley` in
    2D and 33 times in 3D; less with little jitter, most in 3D with the Manhattan metric.

    Parameters
    ----------
    dimensions : a whole number of 0 or more, 1 to 3, default 2
        Number of dimensions: 1 (reads x), 2 (x and y) or 3.
    metric : one of "euclidean", "squared", "manhattan", "chebyshev", default "euclidean"
        The metric. In 1D all except `squared` are the same.
    output : one of "distance", "cell", default "distance"
        The quantity that is mixed: the distances to the points, or a value per point.
    softness : a number, 0 to 1, default 0.5
        The width of the transition between cells, from sharp (0) to soft (1).
    jitter : a number, 0 to 1, default 1.0
        Maximum displacement of points from the middle of their cell: 0 gives a regular grid, 1 allows anywhere in the cell.
    variation : a number, 0 to 1, default 0.0
        Differences in size: distances to a point are multiplied by a random factor, from 1 to `1 + variation`. (For the Euclidean metric,
        their squares are.) Points with a large factor have small, rounded cells.
    wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
        Edge of a cell, in world units.
    seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
        Seed of the hash and the lattice offset.
    offset : 3 numbers, every number -1e12 to 1e12, unit: world units
        Offset added to the position, in world units, instead of the offset derived from the seed.
    """
    return node_of_kind(
        "smooth_cells", dimensions=dimensions, metric=metric, output=output, softness=softness, jitter=jitter, variation=variation,
        wavelength=wavelength, seed=seed, offset=offset,
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
    """Noise on a map of hexagons: one value per hexagon, `Σ gradient(neighbour) · (hexagon − neighbour) / 7` over its six neighbours in cubic
    coordinates (q, r, s). Signed: the article's value is half of this plus 1/2. Hexagons have corners at the top and bottom; the centre of
    (0, 0, 0) is at the origin.

    `integer` uses 48 hashed unit gradients; values are proven to lie within ±1.1544. `tables` uses the article's 256-entry permutation, its
    prime 521 and 32 unit gradients, given or derived from the seed; values lie within ±1.2122, and its `abs` mirrors the map at every axis.

    Parameters
    ----------
    hash : one of "integer", "tables", default "integer"
        Source of the hexagons' gradients.
    wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
        Distance between the centres of neighbouring hexagons, in world units.
    seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
        Seed of the hash, or of the tables that are omitted.
    offset : 3 numbers, every number -1e12 to 1e12, unit: world units, default (0.0, 0.0, 0.0)
        Offset added to the position, in world units.
    permutation : a list of numbers, a list of 1 to 256 numbers, each 0 to 255
        For `tables`: a permutation of the numbers 0 to 255.
    gradients : a list of vectors of 3 numbers, every number -1 to 1
        For `tables`: 32 gradients in (q, r, s).
    """
    return node_of_kind(
        "hexagonal", hash=hash, wavelength=wavelength, seed=seed, offset=offset, permutation=permutation, gradients=gradients,
    )


def craters(
    *,
    output: Literal["height", "youth"] = "height",
    classes: int = 5,
    density: float = 0.7,
    exponent: float = 1.8,
    depth: float = 1.0,
    rim: float = 0.25,
    ejecta: float = 2.2,
    degradation: float = 0.8,
    peak: float = 0.3,
    wavelength: float = 100.0,
    seed: int = 0,
    offset: Sequence[float] | None = None,
) -> Noise:
    """Craters of all sizes, each a bowl with a raised rim and a blanket of ejecta: a surface like the Moon's.

    Each class of size has a lattice of its own, with a crater in some of its cells. The radii of a class vary by a factor of 2, and
    continue in the next class. So the number of craters larger than `r` grows with `r^-exponent`. Depths are proportional to radii.

    Every crater has an age. Of the craters of a class, the younger ones lie over the older ones: a bowl hides what is below it, and ejecta
    thin out. A crater also buries older ones of finer classes. Younger ones of finer classes are added to it. Older craters are shallower,
    with flat floors and worn rims. Slopes are continuous everywhere.

    Heights are relative to the ground, and 0 between craters. To cover ground with craters, add them to its heights. A `warp` or
    `turbulence` makes the rims irregular.

    Parameters
    ----------
    output : one of "height", "youth", default "height"
        The quantity: heights, or how young the surface is, for colours.
    classes : a whole number of 0 or more, 1 to 7, default 5
        Number of classes of size. Each next class has half the radii and depths of the previous one. The cost grows with it.
    density : a number, 0 to 1, default 0.7
        Share of cells with a crater in the class of the largest.
    exponent : a number, 0 to 6, default 1.8
        Exponent of the law of sizes: 2 covers the same area in each class, more gives more small craters. No class has more than one crater
        in a cell.
    depth : a number, 0 to 1e12, unit: that of the values, default 1.0
        Depth of the largest and youngest craters, below the ground.
    rim : a number, 0 to 1, default 0.25
        Height of rims above the ground, as a share of the depth.
    ejecta : a number, 1.2 to 4, default 2.2
        Distance from the middle of a crater at which its ejecta end, in radii. The largest radius is `wavelength / ejecta`.
    degradation : a number, 0 to 1, default 0.8
        Differences between ages: with 0 all craters are fresh, with 1 the oldest are flat.
    peak : a number, 0 to 1, default 0.3
        Height of the peaks in the middle of the largest craters, as a share of the depth; 0 at half the largest radius.
    wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
        Edge of the largest cells, in world units.
    seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
        Seed of the hash and the lattice offset.
    offset : 3 numbers, every number -1e12 to 1e12, unit: world units
        Offset added to the position, in world units, instead of the offset derived from the seed.
    """
    return node_of_kind(
        "craters", output=output, classes=classes, density=density, exponent=exponent, depth=depth, rim=rim, ejecta=ejecta,
        degradation=degradation, peak=peak, wavelength=wavelength, seed=seed, offset=offset,
    )


def fastnoise_lite(
    *,
    dimensions: int = 2,
    noise: Literal["open_simplex2", "open_simplex2s", "cellular", "perlin", "value_cubic", "value"] = "open_simplex2",
    version: Literal["cpp", "c", "csharp", "rust"] = "cpp",
    seed: int = 1337,
    frequency: float = 0.01,
    unit: float = 1.0,
    rotation: Literal["none", "improve_xy", "improve_xz"] = "none",
    fractal: Literal["none", "fbm", "ridged", "ping_pong"] = "none",
    octaves: int = 3,
    lacunarity: float = 2.0,
    gain: float = 0.5,
    weighted_strength: float = 0.0,
    ping_pong_strength: float = 2.0,
    distance: Literal["euclidean", "euclidean_squared", "manhattan", "hybrid"] = "euclidean_squared",
    cellular_return: Literal["cell_value", "distance", "distance2", "distance2_add", "distance2_sub", "distance2_mul", "distance2_div"] = "distance",
    jitter: float = 1.0,
    warp: Literal["none", "open_simplex2", "open_simplex2_reduced", "basic_grid"] = "none",
    warp_fractal: Literal["none", "progressive", "independent"] = "none",
    warp_seed: int = 1337,
    warp_amplitude: float = 1.0,
    warp_frequency: float = 0.01,
    warp_octaves: int = 3,
    warp_lacunarity: float = 2.0,
    warp_gain: float = 0.5,
) -> Noise:
    """The noise of FastNoiseLite (Jordan Peck), for worlds that exist already: the same numbers, bit for bit.

    It computes in f32 as its sources do, in the same order, from the position rounded to f32. So it is not exact far from the origin: at a
    distance `d`, positions are rounded to about `d / 10⁷`. Positions beyond 2²⁴ times `unit` are an error. For distant worlds, choose a
    larger `unit`, or another noise. Noise is constant beyond 2³⁰ cells.

    The defaults are those of the C++ class. There, a domain warp is a second object with the same type of settings. Here its parameters
    begin with `warp`; both share `rotation`. A warp moves positions before the noise reads them.

    Fractals of this node repeat the same seed in every octave: its own octaves have separate ones. It has no period.

    Parameters
    ----------
    dimensions : a whole number of 0 or more, 2 to 3, default 2
        Number of dimensions: 2 (reads x and y) or 3. The original has one function for each.
    noise : one of "open_simplex2", "open_simplex2s", "cellular", "perlin", "value_cubic", "value", default "open_simplex2"
        The type of noise.
    version : one of "cpp", "c", "csharp", "rust", default "cpp"
        The source whose numbers are given, where the sources differ.
    seed : a whole number of 0 or more, 0 to 18446744073709551615, default 1337
        The original's seed. Negative seeds are written as `seed + 2³²`: 4294967295 is −1. Of larger numbers, both halves count.
    frequency : a number, -1000 to 1000, default 0.01
        Cells per unit of the original's coordinates.
    unit : a number, 0.000001 to 1e12, unit: world units per 1.0, default 1.0
        World units per unit of the original's coordinates.
    rotation : one of "none", "improve_xy", "improve_xz", default "none"
        The turn of 3D coordinates.
    fractal : one of "none", "fbm", "ridged", "ping_pong", default "none"
        The sum of octaves.
    octaves : a whole number of 0 or more, 1 to 16, default 3
        Number of octaves, if there is a fractal.
    lacunarity : a number, -8 to 8, default 2.0
        Frequency of an octave relative to the previous one.
    gain : a number, -8 to 8, default 0.5
        Amplitude of an octave relative to the previous one.
    weighted_strength : a number, 0 to 1, default 0.0
        The influence of an octave's value on the amplitude of the next ones.
    ping_pong_strength : a number, 0 to 100, default 2.0
        The factor by which octaves are stretched before they are folded, for `fractal = "ping_pong"`.
    distance : one of "euclidean", "euclidean_squared", "manhattan", "hybrid", default "euclidean_squared"
        The distance function of cellular noise.
    cellular_return : one of "cell_value", "distance", "distance2", "distance2_add", "distance2_sub", "distance2_mul", "distance2_div", default "distance"
        The return type of cellular noise.
    jitter : a number, 0 to 4, default 1.0
        Maximum displacement of the points of cellular noise, relative to the original's default. Above 1, nearest points may be missed.
    warp : one of "none", "open_simplex2", "open_simplex2_reduced", "basic_grid", default "none"
        The domain warp.
    warp_fractal : one of "none", "progressive", "independent", default "none"
        The sum of the warp's octaves.
    warp_seed : a whole number of 0 or more, 0 to 4294967295, default 1337
        The warp's seed. Negative seeds are written as `seed + 2³²`.
    warp_amplitude : a number, -1000000 to 1000000, default 1.0
        The largest displacement, in units of the original's coordinates. As in the original, without a fractal it is divided by the sum of
        amplitudes all the same.
    warp_frequency : a number, -1000 to 1000, default 0.01
        Cells of the warp per unit of the original's coordinates.
    warp_octaves : a whole number of 0 or more, 1 to 16, default 3
        Number of octaves of the warp.
    warp_lacunarity : a number, -8 to 8, default 2.0
        Frequency of an octave of the warp relative to the previous one.
    warp_gain : a number, -8 to 8, default 0.5
        Amplitude of an octave of the warp relative to the previous one.
    """
    return node_of_kind(
        "fastnoise_lite", dimensions=dimensions, noise=noise, version=version, seed=seed, frequency=frequency, unit=unit, rotation=rotation,
        fractal=fractal, octaves=octaves, lacunarity=lacunarity, gain=gain, weighted_strength=weighted_strength,
        ping_pong_strength=ping_pong_strength, distance=distance, cellular_return=cellular_return, jitter=jitter, warp=warp,
        warp_fractal=warp_fractal, warp_seed=warp_seed, warp_amplitude=warp_amplitude, warp_frequency=warp_frequency,
        warp_octaves=warp_octaves, warp_lacunarity=warp_lacunarity, warp_gain=warp_gain,
    )


def octave_table(*, offsets: Sequence[Sequence[float]] = ()) -> Noise:
    """A table of octave offsets for any number of fractals. Each fractal reads one entry per octave, beginning with its `start`.

    A table has no values: only the `table` parameter of a fractal can refer to it.

    Parameters
    ----------
    offsets : a list of vectors of 3 numbers, every number -1e12 to 1e12, unit: world units, default ()
        Offsets added to the position, one entry per octave, in world units.
    """
    return node_of_kind("octave_table", offsets=offsets)


def point_table(*, points: Sequence[ControlPoint] = ()) -> Noise:
    """A table of control points for any number of splines. Each spline reads the entries from its `start` up to its `end`. The device holds
    the table once, however many splines read it.

    A table has no values: only the `table` parameter of a spline can refer to it.

    Parameters
    ----------
    points : a list of control points, default ()
        The control points, one curve after another; `at` increases within the entries of a spline.
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
    """Hill noise: a sum of sines whose heights are proportional to their lengths, remapped to a uniform distribution. `uniform = "none"` gives
    the plain sum divided by the sum of sizes.

    Each sine is `size · sin(x / size + offset)`. In 2D it is a pair along two axes, turned by multiples of the golden ratio. In 3D it is a
    triple along an orthonormal basis whose direction follows the golden ratio over the sphere, with sizes shuffled as in the article on
    hill noise. The article's sigma is wrong and its 3D angles are exchanged; this node implements its intended formulas.

    Uniform by the exact distribution of a sum of sines with independent phases (its characteristic function is a product of Bessel
    functions J0). Signed: `2u − 1` for the article's u in [0, 1]. The noise does not repeat in practice.

    Phases are independent if no two sines move together. In 1D, sizes in the ratio of small whole numbers do; values are then uniform over
    all seeds, not along one line.

    Parameters
    ----------
    dimensions : a whole number of 0 or more, 1 to 3, default 2
        Number of dimensions: 1 (reads x), 2 (x and y) or 3.
    sines : a whole number of 0 or more, 1 to 1024, default 30
        Number of sines (pairs, triples), if `sizes` is omitted.
    smoothness : a number, 0.001 to 1, default 0.5
        Spread of the sizes: sine i of N has size `((i + 1/2) / (N + 1))^(−ln smoothness)`. At 1 all sizes are equal; near 0 there are few
        large and many small ones.
    sizes : a list of numbers, every number 0.000001 to 1000000
        The sizes, instead of those derived from `sines` and `smoothness`.
    offsets : a list of numbers, every number -1000000 to 1000000, unit: radians
        Phases in radians, `dimensions` for each sine, instead of those derived from the seed.
    spread : a number, 1 to 360, unit: degrees, default 90.0
        For 2D: degrees over which the multiples of the golden ratio turn the pairs. A pair looks the same after 90 degrees, so 90 spreads
        its directions evenly. The article's code has 360, where every second pair nearly shares its axes.
    unit : a number, 0.000001 to 1e12, unit: world units, default 50.0
        World units per 1.0 of size. A hill of size 1 repeats after 2π times this.
    uniform : one of "exact", "normal", "none", default "exact"
        Distribution of the values over [−1, 1].
    seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
        Seed of the phases. Noises of the same sizes are the same waves with other phases, so their values correlate: by about 0.16 in 1D,
        0.1 in 2D and 0.07 in 3D at 30 sines. To avoid that, give them different sizes, for example by another `smoothness`.
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
    """Noise with a given spectrum: a weighted sum of sines along x, `Σ aₖ · sin(2π fₖ x / length + phaseₖ)`, with amplitudes `f^exponent` or
    from a list.

    Exponent −2 is called red noise, −1 pink, 0 white, +1 blue, +2 violet. Physics names colours by power instead: red is −1.

    Parameters
    ----------
    count : a whole number of 0 or more, 1 to 4096, default 30
        Number of frequencies, 1 to this many per `length`, if `frequencies` is omitted.
    exponent : a number, -8 to 8, default -1.0
        Exponent of the amplitudes.
    frequencies : a list of numbers, every number 0.000001 to 1000000, unit: cycles per `length`
        Frequencies, in sines per `length`.
    amplitudes : a list of numbers, every number -1000000 to 1000000, unit: that of the values
        Amplitudes, one per frequency, instead of those derived from `exponent`.
    phases : a list of numbers, every number -1000000 to 1000000, unit: radians
        Phases in radians, one per frequency, instead of those derived from the seed.
    length : a number, 0.000001 to 1e12, unit: world units, default 1000.0
        World units after which integer frequencies repeat.
    normalise : true or false, default True
        Whether to divide by the sum of the amplitudes' magnitudes, so that values stay within [−1, 1].
    seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
        Seed of the phases.
    """
    return node_of_kind(
        "spectral", count=count, exponent=exponent, frequencies=frequencies, amplitudes=amplitudes, phases=phases, length=length,
        normalise=normalise, seed=seed,
    )


def radius(*, centre: Sequence[float] = (0.0, 0.0, 0.0), axes: Sequence[float] = (1.0, 1.0, 0.0), unit: float = 1.0) -> Noise:
    """The distance from a point, along the axes whose weight in `axes` is not 0.

    Parameters
    ----------
    centre : 3 numbers, every number -1e12 to 1e12, unit: world units, default (0.0, 0.0, 0.0)
        The point, in world units.
    axes : 3 numbers, every number -1000 to 1000, default (1.0, 1.0, 0.0)
        Weight of the distance along each axis: (1, 1, 0) measures in the plane.
    unit : a number, 0.000001 to 1e12, unit: world units per 1.0, default 1.0
        World units per 1.0.
    """
    return node_of_kind("radius", centre=centre, axes=axes, unit=unit)


def raster(
    *,
    heights: str | PathLike[str] | ArrayLike,
    encoding: Literal["file", "terrarium", "mapbox_rgb", "red", "green", "blue", "opacity", "lightness", "green_red", "blue_yellow", "uint8", "int8", "uint16_le", "uint16_be", "int16_le", "int16_be", "uint32_le", "uint32_be", "int32_le", "int32_be", "float32_le", "float32_be", "float64_le", "float64_be"] = "file",
    columns: int | None = None,
    holes: float | None = None,
    sha256: str | None = None,
    position: Sequence[float] = (0.0, 0.0),
    spacing: Sequence[float] = (1.0, 1.0),
    sampling: Literal["nearest", "linear", "cubic"] = "cubic",
    outside: Literal["clamp", "repeat", "mirror", "constant"] = "clamp",
    fill: float = 0.0,
) -> Noise:
    """A raster: heights, a mask or any other samples on a grid along x and y, from a file or from memory. Values do not depend on z.

    Coarser levels of detail sample the same surface farther apart, so they share samples with the finest level; nothing is averaged.
    Positions are exact at any distance. Values stay within the range of the samples, or with cubic sampling within that of the spline,
    which is slightly wider. Unsigned integers of 16 bits and less are mapped to 0 to 1; use `scale_offset` to turn them into heights.

    Parameters
    ----------
    heights : the name of a file, required
        A file relative to the recipe (PNG, JPEG, OpenEXR, TIFF, NumPy array, SRTM, ASCII grid, raw, r16, r32), with up to 16384 samples
        along an edge.
    encoding : one of "file", "terrarium", "mapbox_rgb", "red", "green", "blue", "opacity", "lightness", "green_red", "blue_yellow", "uint8", "int8", "uint16_le", "uint16_be", "int16_le", "int16_be", "uint32_le", "uint32_be", "int32_le", "int32_be", "float32_le", "float32_be", "float64_le", "float64_be", default "file"
        The channel of a picture's colours, or the encoding of numbers that the file does not specify: PNG tiles with heights as colours,
        and raw numbers.
    columns : a whole number of 0 or more, 1 to 16384
        Samples per row of a file without a header (raw, r16, r32). If omitted, the raster is square.
    holes : a number, -1e15 to 1e15, unit: that of the values
        Height of cells that have no height: NaN, and the values that the file declares as missing (GDAL_NODATA, a mask, voids of SRTM). If
        omitted, a file with such cells is an error.
    sha256 : a SHA-256 hash of 64 hexadecimal digits, 64 hexadecimal digits
        The SHA-256 hash that the file must have. If omitted, that of the file found is taken.
    position : 2 numbers, every number -1e12 to 1e12, unit: world units, default (0.0, 0.0)
        World x and y of the first sample.
    spacing : 2 numbers, every number -1000000000 to 1000000000, unit: world units, default (1.0, 1.0)
        World units between samples along x and y; not 0. For pictures with north at the top, the second number is negative.
    sampling : one of "nearest", "linear", "cubic", default "cubic"
        Interpolation between samples.
    outside : one of "clamp", "repeat", "mirror", "constant", default "clamp"
        The values beyond the edges.
    fill : a number, -1e15 to 1e15, unit: that of the values, default 0.0
        Value beyond the edges if `outside` is `constant`.
    """
    return node_of_kind(
        "raster", heights=heights, encoding=encoding, columns=columns, holes=holes, sha256=sha256, position=position, spacing=spacing,
        sampling=sampling, outside=outside, fill=fill,
    )
