"""Kinds of stages, the steps after the noise.

Written by generate.py from the library's tables. Do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from ._orogen import stage_of_kind
from ._points import ColourStop, ControlPoint, QuantilePoint, RadialPoint

if TYPE_CHECKING:
    from ._noise import Noise
    from ._pipeline import Pipeline

__all__ = ["StageSteps", "diamond_square", "frequency", "given", "midpoint", "voss"]


class StageSteps:
    """Methods of a pipeline: one for every kind of stage that has an input, and for every kind of node that may read stages."""

    __slots__ = ()

    def normalise(
        self,
        *,
        low: float = 0.0,
        high: float = 1.0,
        clip: float = 0.0,
        measured: Sequence[float] | None = None,
        name: str | None = None,
    ) -> Pipeline:
        """Stretches values linearly, so that the whole world ranges from `low` to `high`.

        The minimum and maximum of the whole world are measured in a separate pass. Values outside of them (in a world that was not
        measured) are clamped.

        Parameters
        ----------
        low : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            The value that the minimum is mapped to.
        high : a number, -1e15 to 1e15, unit: that of the values, default 1.0
            The value that the maximum is mapped to.
        clip : a number, 0 to 0.49, default 0.0
            Share of the samples to cut off at either end, so that a few peaks do not flatten the rest.
        measured : 2 numbers, -3.4028234663852886e38 to 3.4028234663852886e38, unit: that of the values
            Minimum and maximum, as measured. If omitted, they are measured over the requested world.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("normalise", of=self, low=low, high=high, clip=clip, measured=measured, name=name)

    def equalise(self, *, low: float = 0.0, high: float = 1.0, measured: Sequence[float] = (), name: str | None = None) -> Pipeline:
        """Redistributes values uniformly from `low` to `high`, by the distribution of the whole world's values.

        Parameters
        ----------
        low : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            The value that the minimum is mapped to.
        high : a number, -1e15 to 1e15, unit: that of the values, default 1.0
            The value that the maximum is mapped to.
        measured : a list of numbers, empty, or 2 to 65536 finite numbers that do not decrease, unit: that of the values, default ()
            Quantiles at evenly spaced probabilities, as measured. If omitted, they are measured over the requested world.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("equalise", of=self, low=low, high=high, measured=measured, name=name)

    def ocean(
        self,
        *,
        level: float = 0.0,
        share: float | None = None,
        width: float = 10.0,
        measured: float | None = None,
        name: str | None = None,
    ) -> Pipeline:
        """The sea: `of` with everything below the sea level raised to it.

        Further outputs: `depth` (0 on land), `mask` (1 in water, 0 on land) and `shore` (1 at the waterline, falling to 0 within `width` on
        both sides).

        Outputs besides the main one: depth, mask, shore.

        Parameters
        ----------
        level : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            The sea level.
        share : a number, 0 to 1
            Share of the world to cover, instead of a level, which is then measured in a pass over the world.
        width : a number, 0.000000001 to 1e15, unit: that of the values, default 10.0
            Height above and depth below the sea level over which `shore` falls to 0.
        measured : a number, -3.4028234663852886e38 to 3.4028234663852886e38, unit: that of the values
            The sea level for `share`, as measured.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("ocean", of=self, level=level, share=share, width=width, measured=measured, name=name)

    def dropoff(
        self,
        *,
        centre: Sequence[float] = (0.0, 0.0, 0.0),
        radius: float = 100.0,
        width: float = 100.0,
        axes: Sequence[float] = (1.0, 1.0, 0.0),
        floor: float = 0.0,
        name: str | None = None,
    ) -> Pipeline:
        """An island: `of` near a point and `floor` far from it, with a smooth transition. A further output is `mask`: 1 near, 0 far.

        Outputs besides the main one: mask.

        Parameters
        ----------
        centre : 3 numbers, every number -1e12 to 1e12, unit: world units, default (0.0, 0.0, 0.0)
            The centre, in world units.
        radius : a number, 0 to 1e12, unit: world units, default 100.0
            Distance from the centre to the beginning of the transition, in world units.
        width : a number, 0.000001 to 1e12, unit: world units, default 100.0
            Width of the transition, in world units.
        axes : 3 numbers, every number -1000 to 1000, default (1.0, 1.0, 0.0)
            Weight of distances along each axis: (1, 0.5, 0) makes the island twice as long along y.
        floor : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            The value far from the centre.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("dropoff", of=self, centre=centre, radius=radius, width=width, axes=axes, floor=floor, name=name)

    def mask(self, *, from_: float = 0.0, to: float = 1.0, name: str | None = None) -> Pipeline:
        """A mask: 0 at `from`, 1 at `to`, smooth in between and constant beyond. `from` may be above `to`.

        Parameters
        ----------
        from_ : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Value at which the mask is 0.
        to : a number, -1e15 to 1e15, unit: that of the values, default 1.0
            Value at which the mask is 1.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("mask", of=self, to=to, name=name, **{"from": from_})

    def curve(self, *, points: Sequence[ControlPoint] = (), name: str | None = None) -> Pipeline:
        """A curve through control points: heights after erosion, or any other values, remapped as by the node `spline`. Values beyond the ends
        give the end values.

        Parameters
        ----------
        points : a list of control points, at least two points, `at` strictly increasing, every number finite and at most 1e15, default ()
            The control points.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("curve", of=self, points=points, name=name)

    def combine(
        self,
        b: Pipeline | Noise | float | str,
        mask: Pipeline | Noise | float | str = 0.5,
        *,
        by: Literal["add", "subtract", "multiply", "minimum", "maximum", "blend"] = "add",
        name: str | None = None,
    ) -> Pipeline:
        """Combines two fields, sample by sample.

        Parameters
        ----------
        b : Pipeline or Noise or float or str, required
            The second field.
        by : one of "add", "subtract", "multiply", "minimum", "maximum", "blend", default "add"
            The operation.
        mask : Pipeline or Noise or float or str, default 0.5
            For `blend`: 0 gives `a`, 1 gives `b`.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("combine", a=self, b=b, by=by, mask=mask, name=name)

    def adjacent(
        self,
        *,
        filter: Literal["minimum", "maximum", "mean", "difference"] = "mean",
        times: int = 1,
        axes: Literal["x", "y", "both"] = "both",
        name: str | None = None,
    ) -> Pipeline:
        """The minimum, maximum, mean or half the difference of neighbouring samples, repeated (the article's `adjacent_min`, `smoother` and
        `rougher`). Each repetition looks one sample ahead along each axis, so it shifts the result by half a sample.

        Parameters
        ----------
        filter : one of "minimum", "maximum", "mean", "difference", default "mean"
            The operation on neighbours.
        times : a whole number of 0 or more, 1 to 4096, default 1
            Number of repetitions.
        axes : one of "x", "y", "both", default "both"
            Axes of the filter; a single axis makes it the article's filter of sequences.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("adjacent", of=self, filter=filter, times=times, axes=axes, name=name)

    def gaussian(self, *, sigma: float = 2.0, name: str | None = None) -> Pipeline:
        """Gaussian blur, cut off at three standard deviations.

        Parameters
        ----------
        sigma : a number, 0.1 to 256, unit: samples, default 2.0
            Standard deviation in samples.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("gaussian", of=self, sigma=sigma, name=name)

    def median(self, *, radius: int = 1, name: str | None = None) -> Pipeline:
        """The median of a square around each sample: removes specks and keeps edges.

        Parameters
        ----------
        radius : a whole number of 0 or more, 1 to 7, unit: samples, default 1
            Samples to either side: 1 gives a square of 3 × 3, 7 the largest, of 15 × 15.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("median", of=self, radius=radius, name=name)

    def distance(self, *, level: float = 0.5, reach: float = 32.0, name: str | None = None) -> Pipeline:
        """The distance to the line where values have a level, such as a coast or the edge of a mask. It is negative where values are above the
        level.

        The line is known where it crosses the rows and columns of samples, by linear interpolation. The result is the Euclidean distance to
        the nearest crossing. Farther than one sample from the line, it is at most 0.12 samples larger than the distance to the line that
        connects the crossings. The method is the separable lower envelope of Felzenszwalb and Huttenlocher (2012), first along columns,
        then along rows, and once the other way.

        The cost grows with the smaller of `reach` and the distance.

        Parameters
        ----------
        level : a number, -3.4028234663852886e38 to 3.4028234663852886e38, unit: that of the values, default 0.5
            The level.
        reach : a number, 0.000001 to 1e12, unit: world units, default 32.0
            The largest distance, in world units. Farther samples have this one.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("distance", of=self, level=level, reach=reach, name=name)

    def beach(
        self,
        *,
        level: float = 0.0,
        width: float = 24.0,
        slope: float = 0.06,
        steep: float = 0.5,
        name: str | None = None,
    ) -> Pipeline:
        """A beach along a sea: where the ground is gentle, it becomes a plane that rises evenly from the water, with a smooth transition.

        The shore is the line where the ground has the height of the sea; distances to it are those of the stage `distance`. Sand fills
        hollows and covers low rocks. A further output is `sand`: 1 at the shore, 0 away from the beach.

        Outputs besides the main one: sand.

        Parameters
        ----------
        level : a number, -3.4028234663852886e38 to 3.4028234663852886e38, unit: that of the values, default 0.0
            Height of the sea.
        width : a number, 0.000001 to 1e12, unit: world units, default 24.0
            Distance from the shore to either end of the beach, in world units.
        slope : a number, 0 to 1000000, default 0.06
            Slope of the beach, as height per distance.
        steep : a number, 0.000001 to 1000000, default 0.5
            Steepest slope of the ground that has a whole beach, as height per distance. From twice this slope on, the ground does not
            change.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("beach", of=self, level=level, width=width, slope=slope, steep=steep, name=name)

    def cliff(
        self,
        *,
        level: float = 0.0,
        retreat: float = 16.0,
        slope: float = 0.04,
        face: float = 3.0,
        height: float = 40.0,
        name: str | None = None,
    ) -> Pipeline:
        """A cliff along a sea: waves cut a platform into the land, and behind it the ground rises steeply.

        The land within `retreat` of the shore is not higher than the platform, and behind it not higher than the face of the cliff. Land
        higher than the cliff is cut less, so that a slope remains above it. The sea bed does not change. A further output is `cut`, the
        height of the rock that is gone.

        Outputs besides the main one: cut.

        Parameters
        ----------
        level : a number, -3.4028234663852886e38 to 3.4028234663852886e38, unit: that of the values, default 0.0
            Height of the sea.
        retreat : a number, 0.000001 to 1e12, unit: world units, default 16.0
            Distance from the shore to the foot of the cliff, in world units.
        slope : a number, 0 to 1000000, default 0.04
            Slope of the platform, as height per distance.
        face : a number, 0.000001 to 1000000, default 3.0
            Slope of the face, as height per distance.
        height : a number, 0.000001 to 1e12, unit: that of the values, default 40.0
            Largest height of the cliff. The upper half of a higher face is less steep.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("cliff", of=self, level=level, retreat=retreat, slope=slope, face=face, height=height, name=name)

    def line(
        self,
        *,
        points: Sequence[Sequence[float]] = (),
        smoothing: int = 0,
        by: Literal["offset", "level", "ground"] = "offset",
        height: float = -4.0,
        width: float = 8.0,
        bank: float = 16.0,
        profile: Literal["smooth", "straight", "round"] = "smooth",
        even: float = 0.0,
        limit: float = 1000000000000.0,
        name: str | None = None,
    ) -> Pipeline:
        """Lines on the ground, such as roads, dikes, ditches and canals: a bed along each line, and banks on both sides of it.

        The distance is the Euclidean distance to the nearest point of the lines, whose points are rounded to 1/64 of the distance between
        samples. Further outputs: `distance`, at most that to the end of the banks, and `share`: 1 on the bed, 0 beyond the banks. A curve
        of `distance` gives banks of any other shape.

        The cost grows with the number of pieces of the lines near a sample. Channels of rivers are the stage `channel`, and the distance to
        a coast is the stage `distance`.

        Outputs besides the main one: distance, share.

        Parameters
        ----------
        points : a list of vectors of 3 numbers, every number -1e12 to 1e12, unit: world units, default ()
            The points of the lines: x and y in world units, and a height for `by = "level"`. A point that is repeated ends its line, and
            the next point begins another.
        smoothing : a whole number of 0 or more, 0 to 8, default 0
            Rounds of cutting corners (Chaikin 1974), which turn straight parts into a curve inside of them. Each doubles the points.
        by : one of "offset", "level", "ground", default "offset"
            The height of the bed.
        height : a number, -1e15 to 1e15, unit: that of the values, default -4.0
            Height that is added to the bed: negative for ditches.
        width : a number, 0 to 1e12, unit: world units, default 8.0
            Width of the bed, in world units.
        bank : a number, 0.000001 to 1e12, unit: world units, default 16.0
            Width of each bank, in world units.
        profile : one of "smooth", "straight", "round", default "smooth"
            The shape of the banks.
        even : a number, 0 to 1e12, unit: world units, default 0.0
            For `by = "ground"`: the distance along which the ground is evened out, in world units. 0 takes the ground as it is.
        limit : a number, 0 to 1e12, unit: that of the values, default 1000000000000.0
            The largest height that is filled up or cut off.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind(
            "line", of=self, points=points, smoothing=smoothing, by=by, height=height, width=width, bank=bank, profile=profile, even=even,
            limit=limit, name=name,
        )

    def displace(
        self,
        x: Pipeline | Noise | float | str = 0.0,
        y: Pipeline | Noise | float | str = 0.0,
        *,
        reach: float = 32.0,
        name: str | None = None,
    ) -> Pipeline:
        """Values from displaced positions, such as heights after erosion that a noise bends: the node `warp` for stages.

        The value at a position is that of `of` at the position plus (`x`, `y`), between four samples. Displacements along an axis larger
        than `reach` count as that.

        Parameters
        ----------
        x : Pipeline or Noise or float or str, default 0.0
            The displacement along x, in world units.
        y : Pipeline or Noise or float or str, default 0.0
            The displacement along y, in world units.
        reach : a number, 0.000001 to 1e12, unit: world units, default 32.0
            The largest displacement along an axis, in world units. The halo is as wide.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("displace", of=self, x=x, y=y, reach=reach, name=name)

    def slope(self, *, unit: Literal["ratio", "degrees"] = "ratio", name: str | None = None) -> Pipeline:
        """The steepness of heights, from the samples on either side.

        Parameters
        ----------
        unit : one of "ratio", "degrees", default "ratio"
            The unit of the result.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("slope", of=self, unit=unit, name=name)

    def curvature(self, *, form: Literal["mean", "plan", "profile"] = "mean", name: str | None = None) -> Pipeline:
        """The curvature of heights, per world unit: positive on ridges, negative in valleys.

        Parameters
        ----------
        form : one of "mean", "plan", "profile", default "mean"
            The direction of the curvature.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("curvature", of=self, form=form, name=name)

    def normal(self, *, exaggeration: float = 1.0, name: str | None = None) -> Pipeline:
        """The unit normal of heights, in three channels.

        Parameters
        ----------
        exaggeration : a number, -1000000 to 1000000, default 1.0
            Factor applied to heights first.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("normal", of=self, exaggeration=exaggeration, name=name)

    def occlusion(self, *, radius: int = 16, exaggeration: float = 1.0, name: str | None = None) -> Pipeline:
        """The visible share of the sky: 1 on summits and plains, less in valleys and at the foot of cliffs. It is the mean of `1 −
        sin(horizon)` over sixteen directions.

        Parameters
        ----------
        radius : a whole number of 0 or more, 1 to 256, unit: samples, default 16
            Distance within which horizons are searched, in samples.
        exaggeration : a number, -1000000 to 1000000, default 1.0
            Factor applied to heights first.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("occlusion", of=self, radius=radius, exaggeration=exaggeration, name=name)

    def hillshade(self, *, azimuth: float = 315.0, altitude: float = 45.0, exaggeration: float = 1.0, name: str | None = None) -> Pipeline:
        """Light on heights: the cosine between the normal and the direction of the light, 0 on slopes that face away from it.

        Parameters
        ----------
        azimuth : a number, -360 to 360, unit: degrees, default 315.0
            Direction of the light, in degrees clockwise from north (y points down in a picture).
        altitude : a number, 0 to 90, unit: degrees, default 45.0
            Elevation of the light above the horizon, in degrees.
        exaggeration : a number, -1000000 to 1000000, default 1.0
            Factor applied to heights first.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("hillshade", of=self, azimuth=azimuth, altitude=altitude, exaggeration=exaggeration, name=name)

    def thermal(self, *, talus: float = 0.7, iterations: int = 50, rate: float = 0.5, name: str | None = None) -> Pipeline:
        """Thermal erosion (Musgrave, Kolb and Mace 1989): material steeper than the talus slides to the lower ones of the eight neighbours,
        until the slopes are even screes. Material is conserved. It counts in samples.

        Parameters
        ----------
        talus : a number, 0 to 1000000, default 0.7
            Steepest stable slope, as height per distance.
        iterations : a whole number of 0 or more, 1 to 4096, default 50
            Number of iterations; in each, material slides by one sample.
        rate : a number, 0 to 1, default 0.5
            Share of the excess material that slides in one iteration.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("thermal", of=self, talus=talus, iterations=iterations, rate=rate, name=name)

    def hydraulic(
        self,
        rain_on: Pipeline | Noise | float | str = 1.0,
        hardness: Pipeline | Noise | float | str = 0.0,
        *,
        iterations: int = 200,
        rain: float = 0.004,
        evaporation: float = 0.015,
        gravity: float = 0.1,
        friction: float = 0.05,
        capacity: float = 3.0,
        dissolve: float = 0.01,
        deposit: float = 0.1,
        least_slope: float = 0.03,
        name: str | None = None,
    ) -> Pipeline:
        """Hydraulic erosion by virtual pipes (Mei, Decaudin and Hu 2007): rain flows through pipes between neighbours, dissolves soil where it
        is fast and steep, and deposits it where it slows down.

        Further outputs: `water` (depth), `sediment` (height of dissolved soil) and `flow` (mean discharge, in samples times depth per
        iteration).

        It counts in samples: at another spacing or level the result is another world. The stage `erosion` counts in world units.

        Sediment moves with the water of the pipes, which conserves it. In the paper it follows the velocity, which does not.

        Outputs besides the main one: water, sediment, flow.

        Parameters
        ----------
        iterations : a whole number of 0 or more, 1 to 4096, default 200
            Number of time steps.
        rain : a number, 0 to 1, default 0.004
            Depth of the rain in one iteration, as a share of the distance between samples.
        rain_on : Pipeline or Noise or float or str, default 1.0
            Share of the rain that falls at a sample, from 0 to 1.
        evaporation : a number, 0 to 1, default 0.015
            Share of the water that evaporates in one iteration.
        gravity : a number, 0 to 0.25, default 0.1
            Acceleration in a pipe: the share of a difference in level that one iteration adds to the flow.
        friction : a number, 0 to 1, default 0.05
            Share of a pipe's flow that friction removes in one iteration.
        capacity : a number, 0 to 100, default 3.0
            Capacity for sediment per unit of steepness and of speed (in samples per iteration), as a share of the distance between samples.
        dissolve : a number, 0 to 1, default 0.01
            Share of the unused capacity that is dissolved in one iteration.
        deposit : a number, 0 to 1, default 0.1
            Share of the excess that is deposited in one iteration.
        least_slope : a number, 0 to 1, default 0.03
            Steepness below which the capacity does not decrease, so that rivers on plains keep moving their load.
        hardness : Pipeline or Noise or float or str, default 0.0
            Resistance of the soil, from 0 to 1: 1 is rock that does not dissolve. A `strata` stage of the same heights is found anew in
            every iteration.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind(
            "hydraulic", of=self, iterations=iterations, rain=rain, rain_on=rain_on, evaporation=evaporation, gravity=gravity,
            friction=friction, capacity=capacity, dissolve=dissolve, deposit=deposit, least_slope=least_slope, hardness=hardness, name=name,
        )

    def erosion(
        self,
        rain: Pipeline | Noise | float | str = 1.0,
        hardness: Pipeline | Noise | float | str = 0.0,
        *,
        size: float = 1000.0,
        strength: float = 0.6,
        detail: float = 0.7,
        deposition: float = 2.0,
        talus: float = 1.2,
        name: str | None = None,
    ) -> Pipeline:
        """Erosion by rivers and by slides, in world units. Valleys branch at every size, from `size` down to the distance between samples.
        Rivers lay down their load where they slow down, and fill pits.

        Further outputs: `wear` and `deposit` (the height that was removed or added) and `flow` (the area in square world units whose rain
        flows through a sample).

        Large valleys are carved first, on a grid whose step is at most 1/16 of `size`. The finer grids continue, each with half the step,
        down to the samples. All grids are parts of one ladder, so spacings and levels that differ by powers of two give the same world:
        only the finest valleys are missing. Other spacings give similar worlds. `of`, `rain` and `hardness` are evaluated on every grid.
        Stages before this one that count in samples, such as `median`, change with the grid.

        A river cuts by its discharge to the power 0.5 times its slope (the stream power law; Schott et al. 2024 use several scales, too).
        It lays down a share of its load (Davy and Lague 2009). The cost is about that of 40 passes over the samples, at any `size`.

        Outputs besides the main one: wear, deposit, flow.

        Parameters
        ----------
        size : a number, 0.000001 to 1e12, unit: world units, default 1000.0
            Length of the largest valleys, in world units.
        strength : a number, 0 to 100, default 0.6
            Depth of the valleys: 0.1 scratches slopes, 2 wears mountains down.
        detail : a number, 0 to 1, default 0.7
            Strength of each size of valleys as a share of that of the next larger size.
        deposition : a number, 0 to 1000, default 2.0
            Inclination of rivers to lay down their load: 0 carries all away, 10 fills valley floors.
        talus : a number, 0 to 1000000, default 1.2
            Steepest stable slope, as height per distance. What is steeper slides.
        rain : Pipeline or Noise or float or str, default 1.0
            Rain relative to 1, at least 0. More rain cuts deeper.
        hardness : Pipeline or Noise or float or str, default 0.0
            Resistance of the ground to rivers, from 0 to 1: 1 is rock that they do not cut. A `strata` stage of the same heights is found
            anew in every iteration.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind(
            "erosion", of=self, size=size, strength=strength, detail=detail, deposition=deposition, talus=talus, rain=rain, hardness=hardness,
            name=name,
        )

    def gully(
        self,
        *,
        wavelength: float = 100.0,
        octaves: int = 4,
        lacunarity: float = 2.0,
        gain: float = 0.5,
        strength: float = 0.1,
        onset: float = 0.3,
        seed: int = 0,
        name: str | None = None,
    ) -> Pipeline:
        """Gullies without iterations: octaves of stripes that run down the slope, carved where it is steep.

        A sample depends only on its own height and gradient (exact if `of` is a node), so there is no halo. A further output is `ridge`: 1
        on the crests between gullies, −1 at their bottoms.

        Outputs besides the main one: ridge.

        Parameters
        ----------
        wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
            Distance between the largest gullies, in world units.
        octaves : a whole number of 0 or more, 1 to 12, default 4
            Number of sizes, each `lacunarity` times finer than the previous one.
        lacunarity : a number, 1 to 4, default 2.0
            Frequency ratio of a size to the previous one.
        gain : a number, 0 to 1, default 0.5
            Depth ratio of a size to the previous one.
        strength : a number, 0 to 10, default 0.1
            Depth of the largest gullies, as a share of `wavelength`.
        onset : a number, 0.000001 to 1000000, default 0.3
            Slope at which gullies reach half their full depth.
        seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
            Seed of the gullies' positions.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind(
            "gully", of=self, wavelength=wavelength, octaves=octaves, lacunarity=lacunarity, gain=gain, strength=strength, onset=onset,
            seed=seed, name=name,
        )

    def debris(
        self,
        *,
        cliff: float = 1.2,
        wear: float = 4.0,
        talus: float = 0.7,
        reach: float = 64.0,
        name: str | None = None,
    ) -> Pipeline:
        """Debris: rock that breaks off steep slopes, falls, and piles up in screes below them. Its volume is that of the rock.

        A further output is `depth`, the height of the debris.

        Outputs besides the main one: depth.

        Parameters
        ----------
        cliff : a number, 0.000001 to 1000000, default 1.2
            Slope, as height per distance, at which rock begins to break. From twice this slope on, all of `wear` breaks.
        wear : a number, 0 to 1000000, unit: that of the values, default 4.0
            Height of the rock that breaks off a cliff.
        talus : a number, 0 to 1000000, default 0.7
            Slope at which debris comes to rest, as height per distance.
        reach : a number, 0.000001 to 1e12, unit: world units, default 64.0
            Largest distance that debris falls, in world units. Most of it falls a third as far.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("debris", of=self, cliff=cliff, wear=wear, talus=talus, reach=reach, name=name)

    def snow(
        self,
        *,
        fall: float = 2.0,
        line: float = 0.0,
        band: float = 50.0,
        melt: float = 0.4,
        azimuth: float = 180.0,
        altitude: float = 35.0,
        talus: float = 0.8,
        reach: float = 32.0,
        name: str | None = None,
    ) -> Pipeline:
        """Snow that falls above a height, melts in the sun, and slides off steep slopes. It gathers in hollows and at the foot of slopes.

        A further output is `depth`, the height of the snow.

        Outputs besides the main one: depth.

        Parameters
        ----------
        fall : a number, 0 to 1000000, unit: that of the values, default 2.0
            Height of the snow far above the snow line.
        line : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            The snow line: the height at which half of the snow remains.
        band : a number, 0.000001 to 1e12, unit: that of the values, default 50.0
            Heights over which the snow becomes less, half of them below the line.
        melt : a number, 0 to 1, default 0.4
            Share of the snow that melts where the sun stands at a right angle to the ground.
        azimuth : a number, -360 to 360, unit: degrees, default 180.0
            Direction of the sun, in degrees clockwise from north (y points down in a picture).
        altitude : a number, 0 to 90, unit: degrees, default 35.0
            Elevation of the sun above the horizon, in degrees.
        talus : a number, 0.000001 to 1000000, default 0.8
            Steepest slope on which all snow lies, as height per distance. From twice this slope on, none falls.
        reach : a number, 0.000001 to 1e12, unit: world units, default 32.0
            Largest distance that snow slides, in world units. Most of it slides a third as far on steep ground.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind(
            "snow", of=self, fall=fall, line=line, band=band, melt=melt, azimuth=azimuth, altitude=altitude, talus=talus, reach=reach,
            name=name,
        )

    def strata(
        self,
        fold: Pipeline | Noise | float | str = 0.0,
        *,
        thickness: float = 20.0,
        irregular: float = 0.6,
        soft: float = 0.1,
        hard: float = 0.95,
        variation: float = 0.5,
        blend: float = 0.15,
        dip: float = 0.0,
        direction: float = 90.0,
        seed: int = 0,
        name: str | None = None,
    ) -> Pipeline:
        """Layers of rock, alternately hard and soft, tilted and folded. The main output is the hardness of the layer that lies at the height
        `of`.

        They can be the `hardness` of `hydraulic` or `erosion`. If `of` is the same in both stages, every iteration meets the layer at the
        height that the ground has then. So hard layers stand out as benches and scarps. Strata that reach the erosion through another node
        or stage have the hardness of the ground before the erosion.

        A further output is `layer`: a random number of each layer from 0 to 1, for colours. The layers of the eroded ground are those of a
        second stage with the same parameters, whose `of` is the eroded ground.

        Outputs besides the main one: layer.

        Parameters
        ----------
        thickness : a number, 0.000001 to 1e12, unit: that of the values, default 20.0
            Mean thickness of a layer.
        irregular : a number, 0 to 1, default 0.6
            Differences between thicknesses: with 0 all layers are equal, with 1 the thinnest vanish and the thickest are double.
        soft : a number, 0 to 1, default 0.1
            Hardness of the softest layers.
        hard : a number, 0 to 1, default 0.95
            Hardness of the hardest layers.
        variation : a number, 0 to 1, default 0.5
            Differences between layers of a kind: with 0 all hard layers are equally hard, with 1 some are as hard as the mean.
        blend : a number, 0.001 to 1, default 0.15
            Height over which two layers blend, as a share of `thickness`.
        dip : a number, 0 to 1000, default 0.0
            Slope of the layers, as height per distance.
        direction : a number, -360 to 360, unit: degrees, default 90.0
            Direction in which the layers descend, in degrees clockwise from north (y points down in a picture).
        fold : Pipeline or Noise or float or str, default 0.0
            Height by which the layers are raised, for example a noise with long waves that folds them.
        seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
            Seed of the layers.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind(
            "strata", of=self, thickness=thickness, irregular=irregular, soft=soft, hard=hard, variation=variation, blend=blend, dip=dip,
            direction=direction, fold=fold, seed=seed, name=name,
        )

    def stream_power(
        self,
        erodibility: Pipeline | Noise | float | str = 2.0,
        base: Pipeline | Noise | float | str = 0.0,
        *,
        sea: float = 0.0,
        concavity: float = 0.45,
        slope: float = 0.8,
        crest: float = 0.0,
        meander: float = 1.0,
        position: Sequence[float] = (0.0, 0.0),
        spacing: float = 10.0,
        columns: int = 1024,
        rows: int = 1024,
        sampling: Literal["nearest", "linear", "cubic"] = "linear",
        seed: int = 0,
        name: str | None = None,
    ) -> Pipeline:
        """Mountains and valleys in which rivers remove as much ground as uplift adds, by the stream power law. Valleys branch at every size.
        There are no pits: the water of every cell reaches an outlet downhill.

        The landscape has a grid of its own, `columns` × `rows` cells from `position` on. Its edge, and cells without uplift, are outlets.
        The CPU computes it once before the first sample, in about 0.7 µs per cell, and keeps it. The bits are the same for all devices,
        tiles and levels. Samples on cells have their values, and samples between cells are interpolated. Beyond the edge, the nearest cell
        continues.

        A further output is `area`: the area in square world units that drains through a cell.

        A river's slope is `uplift / (erodibility · area^concavity)`, but not above `slope` (Steer 2021; Tzathas et al. 2024). Doubling
        `uplift` or halving `erodibility` doubles heights, as far as slopes are below the limit. The defaults suit metres and millions of
        years.

        Outputs besides the main one: area.

        Parameters
        ----------
        erodibility : Pipeline or Noise or float or str, default 2.0
            Removal by rivers at an area of 1 and a slope of 1, in world units per time. Slopes are at their limit in cells where it is 0 or
            below.
        base : Pipeline or Noise or float or str, default 0.0
            Heights of outlets, from −1e9 to 1e9. In the sea, heights above `sea` count as `sea`. On land at the edge, heights below it do.
        sea : a number, -1000000000 to 1000000000, unit: that of the values, default 0.0
            The height of the sea, where rivers end.
        concavity : a number, 0 to 1, default 0.45
            The exponent of the area: the larger it is, the flatter large rivers are.
        slope : a number, 0.001 to 1000, default 0.8
            The largest slope, as height per distance. Ground that rivers do not reach has this slope.
        crest : a number, 0 to 1000000000, unit: world units, default 0.0
            Distance over which crests are rounded, in world units; at most 4 cells.
        meander : a number, 0 to 4, default 1.0
            Displacement of rivers by chance, in cells. 0 leaves rivers in the eight directions of the grid.
        position : 2 numbers, every number -1e12 to 1e12, unit: world units, default (0.0, 0.0)
            World x and y of the first cell.
        spacing : a number, 0.000001 to 3000, unit: world units, default 10.0
            World units between cells.
        columns : a whole number of 0 or more, 2 to 8192, default 1024
            Cells along x.
        rows : a whole number of 0 or more, 2 to 8192, default 1024
            Cells along y.
        sampling : one of "nearest", "linear", "cubic", default "linear"
            Interpolation of heights between cells. `cubic` is smooth, but its rounding and overshoot may leave shallow pits.
        seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
            Seed of the random parts.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind(
            "stream_power", uplift=self, erodibility=erodibility, base=base, sea=sea, concavity=concavity, slope=slope, crest=crest,
            meander=meander, position=position, spacing=spacing, columns=columns, rows=rows, sampling=sampling, seed=seed, name=name,
        )

    def drainage(
        self,
        outlets: Pipeline | Noise | float | str = 0.0,
        rain: Pipeline | Noise | float | str = 1.0,
        *,
        edge: bool = True,
        sea: float | None = None,
        breach: float = 0.0,
        seed: int = 0,
        measured: Sequence[float] | None = None,
        name: str | None = None,
    ) -> Pipeline:
        """Drainage of a finite world: the surface of its lakes, and how much water flows through each sample. Every sample drains to an
        outlet, which is the edge of the world or the sea.

        The main output is the surface of the water: `of` with its depressions filled to the level at which they overflow. It never rises
        along the water. Further outputs: `depth` (of lakes, 0 on land), `area` (that drains through a sample, in world units²) and `order`
        (of the stream, after Strahler 1957). `basin` is a number from 0 to 1 for each outlet, and `distance` the length along the water to
        the outlet. `flow_x` and `flow_y` are the direction of the water, a unit vector, and 0 at outlets. `bed` is `of` with the passes
        that `breach` cuts. `discharge` is the rain on the area that drains through a sample: `area` if `rain` is 1.

        Water flows to the steepest of the eight neighbours (O'Callaghan and Mark 1984). It leaves a depression by its lowest pass, and
        crosses the lake on the way from the deepest sample to there (Cordonnier, Bovy and Braun 2019). `seed` orders samples of the same
        height.

        The whole world is evaluated twice before any sample is known. Beyond its edge, the nearest sample is repeated.

        Outputs besides the main one: depth, area, order, basin, distance, flow_x, flow_y, bed, discharge.

        Parameters
        ----------
        edge : true or false, default True
            Whether water leaves the world at its edge.
        sea : a number, -3.4028234663852886e38 to 3.4028234663852886e38, unit: that of the values
            The sea level: samples at or below it are outlets. If omitted, there is no sea.
        breach : a number, 0 to 1e15, unit: that of the values, default 0.0
            Water that is shallower than this drains: its pass is cut down to the bottom of the depression. Lakes that are at least as deep
            stay. With 0, nothing is cut.
        outlets : Pipeline or Noise or float or str, default 0.0
            Further outlets: samples where this is above 0.5.
        rain : Pipeline or Noise or float or str, default 1.0
            The water that falls on a sample, per area. Values below 0 count as 0, values above 65535 as 65535. It is rounded to 1/65536, so
            that sums are exact.
        seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
            Seed of the order of samples of the same height.
        measured : a list of numbers, a list of 1 to 9 numbers, each -1e15 to 1e15
            The world, as measured: its first sample (x, y), its size (x, y), level, spacing, and the position of sample 0 (x, y, z). If
            omitted, the requested world is traced.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind(
            "drainage", of=self, edge=edge, sea=sea, breach=breach, outlets=outlets, rain=rain, seed=seed, measured=measured, name=name,
        )

    def grade(
        self,
        steepness: Pipeline | Noise | float | str = 1.0,
        *,
        concavity: float = 0.45,
        slope: float | None = None,
        measured: Sequence[float] | None = None,
        name: str | None = None,
    ) -> Pipeline:
        """Land graded along the water: each sample is above the sample that its water flows to by its slope times the distance. So land never
        falls along the way upstream, and no water stands.

        The slope is `steepness / area^concavity` (Flint 1974), with the area in world units² that drains through the sample. With a
        steepness of uplift over erodibility, rivers remove as much as uplift adds: the stream power law in steady state. With a steepness
        of 1 and a concavity of 0, land is above its outlet by the length along the water.

        Outlets keep their heights. Land begins to rise from there, or from the sea level of the drainage if an outlet is below it. The
        other heights of the drainage only decide where water flows. Drainage of the result has other areas, so a second `grade` comes
        closer to the balance. A first grade of land with few valleys makes them, at all sizes.

        Rises are rounded to 1/1048576 and added up as integers, so the bits do not depend on tiles, shards, memory or device. The heights
        of outlets are from −1e9 to 1e9, and those of land at most 8.7e12. The whole world is evaluated once before any sample is known,
        after its water was traced. Beyond its edge, the nearest sample is repeated.

        Parameters
        ----------
        steepness : Pipeline or Noise or float or str, default 1.0
            The slope where an area of 1 drains, as height per distance. Values below 0 count as 0.
        concavity : a number, 0 to 1, default 0.45
            The exponent of the area: the larger it is, the flatter large rivers are.
        slope : a number, 0.001 to 1000
            A limit that slopes approach: a slope `s` becomes `s / √(1 + (s / slope)²)`. If omitted, there is no limit.
        measured : a list of numbers, a list of 1 to 9 numbers, each -1e15 to 1e15
            The world of the drainage, as measured. If omitted, the requested world is measured.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("grade", of=self, steepness=steepness, concavity=concavity, slope=slope, measured=measured, name=name)

    def incise(
        self,
        area: Pipeline | Noise | float | str,
        erodibility: Pipeline | Noise | float | str = 2.0,
        uplift: Pipeline | Noise | float | str = 0.0,
        *,
        concavity: float = 0.45,
        deposition: float = 1.0,
        diffusion: float = 5.0,
        talus: float = 1.0,
        time: float = 0.5,
        reach: float = 100.0,
        sea: float | None = None,
        name: str | None = None,
    ) -> Pipeline:
        """Incision by rivers whose drainage area is known: fine valleys in any landscape, however large. `area` is an output of `drainage` or
        `stream_power`.

        Each step removes `erodibility · area^concavity · slope` per time, where the slope is that to the steepest of the eight neighbours
        (the stream power law; Schott et al. 2024). Rivers carry what they remove, and lay down `deposition` times the load over the area
        (Davy and Lague 2009). Slopes creep by `diffusion` times their curvature, and slide where they are steeper than `talus`. Pits and
        the sea keep their load and are filled.

        Further outputs: `wear` (rock that was removed), `sediment` (that lies on the rock) and `load` (that rivers carry at the end, as a
        height). The change of a height is `uplift · time` − `wear` + `sediment`.

        Sediment and the heads of valleys move by at most one sample in a step, and by `reach` in all. So the number of steps is `reach`
        over the distance between samples, or `diffusion · time / 0.15` over its square if that is more. The halo is one sample for each
        step. A sample never sinks below its lowest neighbour in a step. Rivers for which `erodibility · area^concavity` exceeds `reach /
        time` cut more slowly.

        Outputs besides the main one: wear, sediment, load.

        Parameters
        ----------
        area : Pipeline or Noise or float or str, required
            The area that drains through a sample, in world units²: the output `area` of `drainage` or `stream_power`.
        erodibility : Pipeline or Noise or float or str, default 2.0
            Removal by rivers at an area of 1 and a slope of 1, in world units per time. Below 0 counts as 0.
        uplift : Pipeline or Noise or float or str, default 0.0
            Uplift, in world units per time.
        concavity : a number, 0 to 1, default 0.45
            The exponent of the area: the larger it is, the more large rivers cut.
        deposition : a number, 0 to 1000, default 1.0
            Inclination of rivers to lay down their load: 0 carries all away, 1 is usual in nature.
        diffusion : a number, 0 to 1e12, default 5.0
            Creep of slopes, in world units² per time. It rounds crests, and limits how fine valleys are.
        talus : a number, 0 to 1000000, default 1.0
            Steepest stable slope, as height per distance. Steeper ground slides.
        time : a number, 0 to 1000000, default 0.5
            Duration. With the defaults, the unit is a million years if world units are metres.
        reach : a number, 0.000001 to 1e12, unit: world units, default 100.0
            Largest distance that sediment and the heads of valleys move, in world units.
        sea : a number, -3.4028234663852886e38 to 3.4028234663852886e38, unit: that of the values
            The sea level. Rivers do not cut ground below it, and their sediment fills the sea up to it. If omitted, there is no sea.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind(
            "incise", of=self, area=area, erodibility=erodibility, uplift=uplift, concavity=concavity, deposition=deposition,
            diffusion=diffusion, talus=talus, time=time, reach=reach, sea=sea, name=name,
        )

    def channel(
        self,
        surface: Pipeline | Noise | float | str,
        area: Pipeline | Noise | float | str,
        *,
        from_: float = 10000.0,
        width: float = 2.0,
        depth: float = 0.5,
        width_exponent: float = 0.5,
        depth_exponent: float = 0.4,
        bank: float = 20.0,
        reach: float = 20.0,
        name: str | None = None,
    ) -> Pipeline:
        """Channels that rivers carve into heights. `surface` and `area` are outputs of a `drainage` stage: its main output and its `area`.

        Samples with an area of at least `from` are rivers. Width and depth grow with a power of the area, as measured in nature (Leopold
        and Maddock 1953: 0.5 and 0.4). A sample belongs to the river to which its power is smallest: the square of the distance less the
        square of half the width. Power, level and flow determine the profile, a parabola each for the bed and the banks. Levels and flows
        are smoothed over a tenth of `reach`. Channels begin gradually, and are complete where the area is twice `from`.

        Since `surface` never rises along the water, and the depth never decreases, the bed falls from the spring to the mouth.

        The main output is `of` with channels. A further output is `depth` (of rivers and lakes, 0 on land).

        Outputs besides the main one: depth.

        Parameters
        ----------
        surface : Pipeline or Noise or float or str, required
            The surface of the water: the main output of a `drainage` stage.
        area : Pipeline or Noise or float or str, required
            The area that drains through a sample, in world units²: the output `area` of a `drainage` stage.
        from_ : a number, 0.000001 to 1e15, default 10000.0
            The area at which rivers begin, in world units².
        width : a number, 0.000001 to 1e12, unit: world units, default 2.0
            Width of a river where it begins, in world units. It is limited to `reach`.
        depth : a number, 0 to 1e15, unit: that of the values, default 0.5
            Depth of a river where it begins.
        width_exponent : a number, 0 to 2, default 0.5
            Exponent of the area in the width.
        depth_exponent : a number, 0 to 2, default 0.4
            Exponent of the area in the depth.
        bank : a number, 0 to 1e15, unit: that of the values, default 20.0
            Height of the banks above the water where they end. 0 gives flat ground along the river. Banks that are less steep than the
            ground cut into it.
        reach : a number, 0.000001 to 1e12, unit: world units, default 20.0
            Distance from a narrow river at which its banks end, in world units. They fade out over its farther half.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind(
            "channel", of=self, surface=surface, area=area, width=width, depth=depth, width_exponent=width_exponent,
            depth_exponent=depth_exponent, bank=bank, reach=reach, name=name, **{"from": from_},
        )

    def wetness(self, area: Pipeline | Noise | float | str, *, least_slope: float = 0.001, name: str | None = None) -> Pipeline:
        """The topographic wetness index: the natural logarithm of the area that drains through a sample, per width of a sample, over the slope
        (Beven and Kirkby 1979). Large in flat valleys, small on ridges and cliffs.

        Parameters
        ----------
        area : Pipeline or Noise or float or str, required
            The area that drains through a sample, in world units²: the output `area` of a `drainage` stage.
        least_slope : a number, 0.000001 to 1000, default 0.001
            Smaller slopes count as this one, so that plains have a finite index.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("wetness", of=self, area=area, least_slope=least_slope, name=name)

    def colour(
        self,
        under: Pipeline | Noise | float | str = 0.0,
        mask: Pipeline | Noise | float | str = 1.0,
        light: Pipeline | Noise | float | str = 1.0,
        *,
        stops: Sequence[ColourStop] = (),
        map: Literal["viridis", "magma", "inferno", "plasma", "cividis", "turbo", "cubehelix", "spectral", "rdbu", "greys", "blues", "greens"] | None = None,
        range: Sequence[float] = (0.0, 1.0),
        space: Literal["oklab", "linear"] = "oklab",
        name: str | None = None,
    ) -> Pipeline:
        """Maps values to colours: four channels with red, green, blue and opacity in linear light.

        Parameters
        ----------
        stops : a list of colour stops, at most 256 stops, `at` never decreasing, colours as "#RRGGBB" or "#RRGGBBAA", default ()
            Colours, each with the value at which it applies, in ascending order. The same value twice makes a hard edge.
        map : one of "viridis", "magma", "inferno", "plasma", "cividis", "turbo", "cubehelix", "spectral", "rdbu", "greys", "blues", "greens"
            A named colour map over the values in `range`, instead of stops.
        range : 2 numbers, -1e15 to 1e15, unit: that of the values, default (0.0, 1.0)
            The values at which `map` begins and ends.
        space : one of "oklab", "linear", default "oklab"
            The colour space in which colours between two stops are mixed.
        under : Pipeline or Noise or float or str, the name of a stage whose output has 4 channels, or a number, default 0.0
            Another colour stage, which lies under this one.
        mask : Pipeline or Noise or float or str, default 1.0
            Opacity of this stage over the one under it, from 0 to 1.
        light : Pipeline or Noise or float or str, default 1.0
            Factor for the brightness, such as a hillshade.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind(
            "colour", by=self, stops=stops, map=map, range=range, space=space, under=under, mask=mask, light=light, name=name,
        )

    def colour_channels(
        self,
        second: Pipeline | Noise | float | str,
        third: Pipeline | Noise | float | str,
        opacity: Pipeline | Noise | float | str = 1.0,
        under: Pipeline | Noise | float | str = 0.0,
        mask: Pipeline | Noise | float | str = 1.0,
        light: Pipeline | Noise | float | str = 1.0,
        *,
        space: Literal["oklab", "linear"] = "oklab",
        name: str | None = None,
    ) -> Pipeline:
        """Joins three channels into colours: four channels with red, green, blue and opacity in linear light. The channels may come from a
        picture by way of `by_example`, whose nodes with one seed take the same parts of it.

        A raster reads a channel of a picture with `encoding = "lightness"`, `"green_red"` or `"blue_yellow"` for OKLab, and with `"red"`,
        `"green"` or `"blue"` for linear light. OKLab keeps lightness apart from hue, so curves can change either.

        Parameters
        ----------
        second : Pipeline or Noise or float or str, required
            OKLab's a, from green to red; 0 is grey. In linear light: green.
        third : Pipeline or Noise or float or str, required
            OKLab's b, from blue to yellow; 0 is grey. In linear light: blue.
        opacity : Pipeline or Noise or float or str, default 1.0
            Opacity, from 0 to 1.
        space : one of "oklab", "linear", default "oklab"
            The colour space of the three channels.
        under : Pipeline or Noise or float or str, the name of a stage whose output has 4 channels, or a number, default 0.0
            Another stage of colours, which lies under this one.
        mask : Pipeline or Noise or float or str, default 1.0
            Opacity of this stage over the one under it, from 0 to 1.
        light : Pipeline or Noise or float or str, default 1.0
            Factor for the brightness, such as a hillshade.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind(
            "colour_channels", first=self, second=second, third=third, opacity=opacity, space=space, under=under, mask=mask, light=light,
            name=name,
        )

    def spline(
        self,
        table: Pipeline | Noise | float | str | None = None,
        *,
        points: Sequence[ControlPoint] = (),
        start: int = 0,
        end: int | None = None,
        name: str | None = None,
    ) -> Pipeline:
        """A curve through control points: between two of them, the quadratic Bézier curve whose middle anchor is the mean of the points'
        tangents, as in the terrain shader's `interpolateValue`. Inputs beyond the ends give the end values.

        Parameters
        ----------
        points : a list of control points, at least two points, `at` strictly increasing, every number finite and at most 1e15, default ()
            The control points.
        table : Pipeline or Noise or float or str
            A `point_table` that holds the control points instead, which several splines may share.
        start : a whole number of 0 or more, 0 to 65535, default 0
            Index of the table's entry that is the first control point.
        end : a whole number of 0 or more, 0 to 65535
            Index of the table's entry after the last control point. If omitted, the end of the table.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("spline", of=self, points=points, table=table, start=start, end=end, name=name)

    def scale_offset(self, *, scale: float = 1.0, offset: float = 0.0, name: str | None = None) -> Pipeline:
        """`of · scale + offset`.

        Parameters
        ----------
        scale : a number, -1e15 to 1e15, default 1.0
            Factor.
        offset : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Number added after scaling.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("scale_offset", of=self, scale=scale, offset=offset, name=name)

    def clamp(self, *, low: float = -1.0, high: float = 1.0, name: str | None = None) -> Pipeline:
        """Clamps `of` to the range from `low` to `high`. The gradient is 0 where it clamps.

        Parameters
        ----------
        low : a number, -1e15 to 1e15, unit: that of the values, default -1.0
            Lower bound.
        high : a number, -1e15 to 1e15, unit: that of the values, default 1.0
            Upper bound, at least `low`.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("clamp", of=self, low=low, high=high, name=name)

    def abs(self, *, name: str | None = None) -> Pipeline:
        """The absolute value of `of`.

        Parameters
        ----------
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("abs", of=self, name=name)

    def power(self, *, exponent: float = 2.0, name: str | None = None) -> Pipeline:
        """A power that keeps the sign: `sign(of) · |of|^exponent`. Magnitudes below 2⁻⁴⁰ give 0.

        Parameters
        ----------
        exponent : a number, 0.0625 to 32, default 2.0
            Exponent.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("power", of=self, exponent=exponent, name=name)

    def add(self, b: Pipeline | Noise | float | str, *, name: str | None = None) -> Pipeline:
        """`a + b`.

        Parameters
        ----------
        b : Pipeline or Noise or float or str, required
            Second term.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("add", a=self, b=b, name=name)

    def multiply(self, b: Pipeline | Noise | float | str, *, name: str | None = None) -> Pipeline:
        """`a · b`.

        Parameters
        ----------
        b : Pipeline or Noise or float or str, required
            Second factor.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("multiply", a=self, b=b, name=name)

    def min(self, b: Pipeline | Noise | float | str, *, name: str | None = None) -> Pipeline:
        """The smaller of `a` and `b`, with its gradient.

        Parameters
        ----------
        b : Pipeline or Noise or float or str, required
            The other.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("min", a=self, b=b, name=name)

    def max(self, b: Pipeline | Noise | float | str, *, name: str | None = None) -> Pipeline:
        """The larger of `a` and `b`, with its gradient.

        Parameters
        ----------
        b : Pipeline or Noise or float or str, required
            The other.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("max", a=self, b=b, name=name)

    def blend(self, b: Pipeline | Noise | float | str, mask: Pipeline | Noise | float | str, *, name: str | None = None) -> Pipeline:
        """Linear blend: `a + mask · (b − a)`, with the mask clamped to 0 to 1.

        Parameters
        ----------
        b : Pipeline or Noise or float or str, required
            The value where the mask is 1.
        mask : Pipeline or Noise or float or str, required
            The share of `b`, from 0 to 1.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("blend", a=self, b=b, mask=mask, name=name)

    def warp(
        self,
        x: Pipeline | Noise | float | str = 0.0,
        y: Pipeline | Noise | float | str = 0.0,
        z: Pipeline | Noise | float | str = 0.0,
        *,
        strength: float = 1.0,
        name: str | None = None,
    ) -> Pipeline:
        """`of`, sampled at `position + strength · (x, y, z)`.

        Positions are exact at any distance; displacements are f32. A displacement of 2¹⁶ cells of the finest lattice under the warp still
        resolves 2⁻⁸ of a cell; one of 2²⁴ cells resolves nothing.

        Parameters
        ----------
        x : Pipeline or Noise or float or str, default 0.0
            Displacement along x before `strength`.
        y : Pipeline or Noise or float or str, default 0.0
            Displacement along y before `strength`.
        z : Pipeline or Noise or float or str, default 0.0
            Displacement along z before `strength`.
        strength : a number, -1000000000 to 1000000000, unit: world units per 1.0, default 1.0
            World units per 1.0 of displacement.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("warp", of=self, x=x, y=y, z=z, strength=strength, name=name)

    def smoothstep(self, *, low: float = 0.0, high: float = 1.0, name: str | None = None) -> Pipeline:
        """0 below one edge, 1 above another, and `6t⁵ − 15t⁴ + 10t³` in between.

        Parameters
        ----------
        low : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Input at which the curve leaves 0.
        high : a number, -1e15 to 1e15, unit: that of the values, default 1.0
            Input at which the curve reaches 1; above `low`.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("smoothstep", of=self, low=low, high=high, name=name)

    def terrace(self, *, height: float = 0.25, slope: float = 0.3, name: str | None = None) -> Pipeline:
        """Steps: each is flat, then rises smoothly to the next.

        Parameters
        ----------
        height : a number, 0.000001 to 1e15, unit: that of the values, default 0.25
            Height of a step.
        slope : a number, 0.001 to 1, default 0.3
            Share of each step that rises.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("terrace", of=self, height=height, slope=slope, name=name)

    def threshold(self, *, at: float = 0.0, below: float = 0.0, above: float = 1.0, name: str | None = None) -> Pipeline:
        """`below` where the input is less than `at`, else `above`. The gradient is 0.

        Parameters
        ----------
        at : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Input at which the value jumps.
        below : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Value for inputs below `at`.
        above : a number, -1e15 to 1e15, unit: that of the values, default 1.0
            Value for inputs of `at` and more.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("threshold", of=self, at=at, below=below, above=above, name=name)

    def bias(self, *, bias: float = 0.5, name: str | None = None) -> Pipeline:
        """Perlin's bias (Perlin and Hoffert 1989): a power that maps 1/2 to `bias` and keeps 0 and 1. The input is clamped to 0 to 1.

        Parameters
        ----------
        bias : a number, 0.001 to 0.9375, default 0.5
            The value that 1/2 is mapped to.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("bias", of=self, bias=bias, name=name)

    def gain(self, *, gain: float = 0.5, name: str | None = None) -> Pipeline:
        """Perlin's gain (Perlin and Hoffert 1989): moves values away from 1/2 if `gain` is above 1/2, or towards it if below, and keeps 0, 1/2
        and 1. The input is clamped to 0 to 1.

        Parameters
        ----------
        gain : a number, 0.0625 to 0.999, default 0.5
            Strength: 1/4 is mapped to `(1 − gain) / 2`, so 1/2 changes nothing.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("gain", of=self, gain=gain, name=name)

    def sine(self, *, frequency: float = 1.0, phase: float = 0.0, name: str | None = None) -> Pipeline:
        """`sin(2π · (frequency · of + phase))`.

        Parameters
        ----------
        frequency : a number, -1000000 to 1000000, unit: turns per 1.0, default 1.0
            Turns per 1.0 of the input.
        phase : a number, -1000000 to 1000000, unit: turns, default 0.0
            Phase at input 0, in turns.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("sine", of=self, frequency=frequency, phase=phase, name=name)

    def quantile(
        self,
        *,
        distribution: Literal["normal", "weibull", "exponential", "table"] = "normal",
        scale: float = 1.0,
        shape: float = 2.0,
        location: float = 0.0,
        table: Sequence[QuantilePoint] = (),
        name: str | None = None,
    ) -> Pipeline:
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
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind(
            "quantile", of=self, distribution=distribution, scale=scale, shape=shape, location=location, table=table, name=name,
        )

    def select(
        self,
        b: Pipeline | Noise | float | str,
        mask: Pipeline | Noise | float | str,
        *,
        at: float = 0.0,
        falloff: float = 0.1,
        name: str | None = None,
    ) -> Pipeline:
        """`a` where a mask is low, `b` where it is high, with a smooth transition.

        Parameters
        ----------
        b : Pipeline or Noise or float or str, required
            The value where the mask is high.
        mask : Pipeline or Noise or float or str, required
            The mask.
        at : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Value of the mask at which `a` and `b` count equally.
        falloff : a number, 0 to 1e15, unit: that of the values, default 0.1
            Half the width of the transition, in values of the mask.
        name : str, its kind unless given
            Name by which other stages refer to it.
        """
        return stage_of_kind("select", a=self, b=b, mask=mask, at=at, falloff=falloff, name=name)


def given(*, name: str | None = None) -> Pipeline:
    """A field supplied by the caller: `Engine::apply` runs the following stages on the caller's own samples. Not allowed in recipes.

    Parameters
    ----------
    name : str, its kind unless given
        Name by which other stages refer to it.
    """
    return stage_of_kind("given", name=name)


def frequency(
    *,
    size: int = 512,
    exponent: float = -2.0,
    radial: Sequence[RadialPoint] = (),
    seed: int = 0,
    name: str | None = None,
) -> Pipeline:
    """Noise by frequency synthesis: white noise is transformed, its amplitudes are shaped by `f^exponent` (or a table), and it is transformed
    back. It repeats every `size` samples of level 0, with a mean of 0 and a mean square of 1.

    Parameters
    ----------
    size : a whole number of 0 or more, 2 to 8192, unit: samples, default 512
        Period along x and y in samples, a power of two.
    exponent : a number, -16 to 16, default -2.0
        Exponent of the amplitude: −2 red, −1 pink, 0 white, 1 blue, 2 violet. By power, as in physics, red is −1.
    radial : a list of amplitudes by frequency, points with `frequency` increasing from 0 to 1, amplitudes of magnitude up to 1e15, default ()
        Amplitudes by frequency (cycles per sample, 0 to 0.71), interpolated linearly; instead of `exponent`.
    seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
        Seed of the white noise.
    name : str, its kind unless given
        Name by which other stages refer to it.
    """
    return stage_of_kind("frequency", size=size, exponent=exponent, radial=radial, seed=seed, name=name)


def diamond_square(*, cell: int = 128, roughness: float = 0.55, seed: int = 0, name: str | None = None) -> Pipeline:
    """The diamond-square algorithm (Fournier, Fussell and Carpenter 1982) on an infinite plane: random values at the corners of cells, which
    are halved repeatedly. The amplitudes of the random parts sum to 1; the middles of edges may get half as much again, except in the first
    halving.

    Parameters
    ----------
    cell : a whole number of 0 or more, 2 to 1024, unit: samples, default 128
        Edge of the first cells in samples of level 0, a power of two.
    roughness : a number, 0 to 1, default 0.55
        Ratio of the random part of a halving to that of the previous one: 0.5 smooth, 1 rough.
    seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
        Seed of the random values.
    name : str, its kind unless given
        Name by which other stages refer to it.
    """
    return stage_of_kind("diamond_square", cell=cell, roughness=roughness, seed=seed, name=name)


def midpoint(*, dimensions: int = 2, cell: int = 128, roughness: float = 0.5, seed: int = 0, name: str | None = None) -> Pipeline:
    """Midpoint displacement: the middle of an edge is the mean of its ends plus a random part, the middle of a cell that of its corners.

    Parameters
    ----------
    dimensions : a whole number of 0 or more, 1 to 2, default 2
        Number of dimensions: 1 (a line along x, the same in every row) or 2.
    cell : a whole number of 0 or more, 2 to 1024, unit: samples, default 128
        Edge of the first cells in samples of level 0, a power of two.
    roughness : a number, 0 to 1, default 0.5
        Ratio of the random part of a halving to that of the previous one: 0.5 smooth, 1 rough.
    seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
        Seed of the random values.
    name : str, its kind unless given
        Name by which other stages refer to it.
    """
    return stage_of_kind("midpoint", dimensions=dimensions, cell=cell, roughness=roughness, seed=seed, name=name)


def voss(*, dimensions: int = 1, rows: int = 12, seed: int = 0, name: str | None = None) -> Pipeline:
    """Pink noise by Voss's algorithm, with McCartney's even distribution of changes: a sum of random numbers, where the k-th changes every 2ᵏ
    samples. Within [−1, 1].

    Parameters
    ----------
    dimensions : a whole number of 0 or more, 1 to 2, default 1
        Number of dimensions: 1 (a sequence along x, the same in every row) or 2.
    rows : a whole number of 0 or more, 1 to 24, default 12
        Number of random numbers in the sum.
    seed : a whole number of 0 or more, 0 to 18446744073709551615, default 0
        Seed of the random numbers.
    name : str, its kind unless given
        Name by which other stages refer to it.
    """
    return stage_of_kind("voss", dimensions=dimensions, rows=rows, seed=seed, name=name)
