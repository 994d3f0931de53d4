"""Kinds of stages: what comes after the noise.

Written by generate.py from the library's tables: change those.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from ._orogen import stage_of_kind
from ._points import ColourStop, RadialPoint

if TYPE_CHECKING:
    from ._noise import Noise
    from ._pipeline import Pipeline

__all__ = ["StageSteps", "diamond_square", "frequency", "given", "midpoint", "voss"]


class StageSteps:
    """What a pipeline can go on with: a method for every kind of stage that has an input."""

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
        """Stretched linearly so that the whole world reaches from `low` to `high`.

        Reads smallest and largest value of the whole world, in a pass of their own; values outside (of a world that was not measured) are
        held.

        Parameters
        ----------
        low : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            What the smallest becomes.
        high : a number, -1e15 to 1e15, unit: that of the values, default 1.0
            What the largest becomes.
        clip : a number, 0 to 0.49, default 0.0
            Share of the samples that is cut off at either end, so that a few peaks do not flatten the rest.
        measured : 2 numbers, -3.4028234663852886e38 to 3.4028234663852886e38, unit: that of the values
            Smallest and largest value, as measured. Not given: measured over the world that is asked for.
        name : str, its kind unless given
            By which other stages refer to it.
        """
        return stage_of_kind("normalise", of=self, low=low, high=high, clip=clip, measured=measured, name=name)

    def equalise(self, *, low: float = 0.0, high: float = 1.0, measured: Sequence[float] = (), name: str | None = None) -> Pipeline:
        """Redistributed evenly from `low` to `high`, by the whole world's distribution of values.

        Parameters
        ----------
        low : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            What the smallest becomes.
        high : a number, -1e15 to 1e15, unit: that of the values, default 1.0
            What the largest becomes.
        measured : a list of numbers, none, or 2 to 65536 finite numbers that do not decrease, unit: that of the values, default ()
            Quantiles at even steps of probability, as measured. None: measured over the world that is asked for.
        name : str, its kind unless given
            By which other stages refer to it.
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
        """The sea: `of` with everything below the sea's level raised to it. Also `depth` (0 on land), `mask` (1 in water, 0 on land) and
        `shore` (1 at the waterline, falling to 0 within `width`, on both sides).

        Outputs beside the main one: depth, mask, shore.

        Parameters
        ----------
        level : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            The level.
        share : a number, 0 to 1
            The share of the world that is to be covered, instead of a level: a pass over the world finds that.
        width : a number, 0.000000001 to 1e15, unit: that of the values, default 10.0
            Height above and depth below the level over which `shore` falls off.
        measured : a number, -3.4028234663852886e38 to 3.4028234663852886e38, unit: that of the values
            The level for `share`, as measured.
        name : str, its kind unless given
            By which other stages refer to it.
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
        """An island: `of` near a point, `floor` far from it, smoothly. Also `mask`: 1 near, 0 far.

        Outputs beside the main one: mask.

        Parameters
        ----------
        centre : 3 numbers, every number -1e12 to 1e12, unit: world units, default (0.0, 0.0, 0.0)
            The point, in world units.
        radius : a number, 0 to 1e12, unit: world units, default 100.0
            World units from the point to where the fall begins.
        width : a number, 0.000001 to 1e12, unit: world units, default 100.0
            World units over which it falls.
        axes : 3 numbers, every number -1000 to 1000, default (1.0, 1.0, 0.0)
            How much distances along each axis count: (1, 0.5, 0) makes the island twice as long along y.
        floor : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            The value far from it.
        name : str, its kind unless given
            By which other stages refer to it.
        """
        return stage_of_kind("dropoff", of=self, centre=centre, radius=radius, width=width, axes=axes, floor=floor, name=name)

    def mask(self, *, from_: float = 0.0, to: float = 1.0, name: str | None = None) -> Pipeline:
        """A mask: 0 at `from`, 1 at `to`, smooth between, held beyond. `from` may be above `to`.

        Parameters
        ----------
        from_ : a number, -1e15 to 1e15, unit: that of the values, default 0.0
            Where the mask is 0.
        to : a number, -1e15 to 1e15, unit: that of the values, default 1.0
            Where the mask is 1.
        name : str, its kind unless given
            By which other stages refer to it.
        """
        return stage_of_kind("mask", of=self, to=to, name=name, **{"from": from_})

    def combine(
        self,
        b: Pipeline | Noise | float | str,
        mask: Pipeline | Noise | float | str = 0.5,
        *,
        by: Literal["add", "subtract", "multiply", "minimum", "maximum", "blend"] = "add",
        name: str | None = None,
    ) -> Pipeline:
        """Two fields made one, sample by sample.

        Parameters
        ----------
        b : Pipeline or Noise or float or str, required
            The other.
        by : one of "add", "subtract", "multiply", "minimum", "maximum", "blend", default "add"
            How.
        mask : Pipeline or Noise or float or str, default 0.5
            For `blend`: 0 is `a`, 1 is `b`.
        name : str, its kind unless given
            By which other stages refer to it.
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
        """The smallest, largest or mean of neighbours, or half their difference, any number of times (the article's `adjacent_min`, `smoother`
        and `rougher`). Each time looks one sample ahead along each axis: the result lies half a sample further on.

        Parameters
        ----------
        filter : one of "minimum", "maximum", "mean", "difference", default "mean"
            What of neighbours.
        times : a whole number that is not negative, 1 to 4096, default 1
            How many times.
        axes : one of "x", "y", "both", default "both"
            Along which axes: one makes it the article's filter of sequences.
        name : str, its kind unless given
            By which other stages refer to it.
        """
        return stage_of_kind("adjacent", of=self, filter=filter, times=times, axes=axes, name=name)

    def gaussian(self, *, sigma: float = 2.0, name: str | None = None) -> Pipeline:
        """Blurred by a Gaussian, cut off at three standard deviations.

        Parameters
        ----------
        sigma : a number, 0.1 to 256, unit: samples, default 2.0
            Standard deviation in samples.
        name : str, its kind unless given
            By which other stages refer to it.
        """
        return stage_of_kind("gaussian", of=self, sigma=sigma, name=name)

    def median(self, *, radius: int = 1, name: str | None = None) -> Pipeline:
        """The middle value of a square around each sample: removes specks, keeps edges.

        Parameters
        ----------
        radius : a whole number that is not negative, 1 to 7, unit: samples, default 1
            Samples to either side: 1 is a square of 3, the largest is one of 15.
        name : str, its kind unless given
            By which other stages refer to it.
        """
        return stage_of_kind("median", of=self, radius=radius, name=name)

    def slope(self, *, unit: Literal["ratio", "degrees"] = "ratio", name: str | None = None) -> Pipeline:
        """How steep heights are, from the samples to either side.

        Parameters
        ----------
        unit : one of "ratio", "degrees", default "ratio"
            In which unit.
        name : str, its kind unless given
            By which other stages refer to it.
        """
        return stage_of_kind("slope", of=self, unit=unit, name=name)

    def curvature(self, *, form: Literal["mean", "plan", "profile"] = "mean", name: str | None = None) -> Pipeline:
        """How heights bend, per world unit: positive on ridges, negative in valleys.

        Parameters
        ----------
        form : one of "mean", "plan", "profile", default "mean"
            Along which direction.
        name : str, its kind unless given
            By which other stages refer to it.
        """
        return stage_of_kind("curvature", of=self, form=form, name=name)

    def normal(self, *, exaggeration: float = 1.0, name: str | None = None) -> Pipeline:
        """The unit vector that stands upright on heights, in three channels.

        Parameters
        ----------
        exaggeration : a number, -1000000 to 1000000, default 1.0
            Heights are multiplied by this first.
        name : str, its kind unless given
            By which other stages refer to it.
        """
        return stage_of_kind("normal", of=self, exaggeration=exaggeration, name=name)

    def occlusion(self, *, radius: int = 16, exaggeration: float = 1.0, name: str | None = None) -> Pipeline:
        """How much of the sky is seen: 1 on summits and plains, less in valleys and at the foot of cliffs. The mean over sixteen directions of
        `1 − sin(horizon)`.

        Parameters
        ----------
        radius : a whole number that is not negative, 1 to 256, unit: samples, default 16
            Samples as far as which horizons are looked for.
        exaggeration : a number, -1000000 to 1000000, default 1.0
            Heights are multiplied by this first.
        name : str, its kind unless given
            By which other stages refer to it.
        """
        return stage_of_kind("occlusion", of=self, radius=radius, exaggeration=exaggeration, name=name)

    def hillshade(self, *, azimuth: float = 315.0, altitude: float = 45.0, exaggeration: float = 1.0, name: str | None = None) -> Pipeline:
        """Light on heights: the cosine between the normal and the direction of the light, 0 in its lee.

        Parameters
        ----------
        azimuth : a number, -360 to 360, unit: degrees, default 315.0
            Where the light comes from, in degrees clockwise from north (y runs down a picture).
        altitude : a number, 0 to 90, unit: degrees, default 45.0
            Degrees of the light above the horizon.
        exaggeration : a number, -1000000 to 1000000, default 1.0
            Heights are multiplied by this first.
        name : str, its kind unless given
            By which other stages refer to it.
        """
        return stage_of_kind("hillshade", of=self, azimuth=azimuth, altitude=altitude, exaggeration=exaggeration, name=name)

    def thermal(self, *, talus: float = 0.7, iterations: int = 50, rate: float = 0.5, name: str | None = None) -> Pipeline:
        """Thermal erosion (Musgrave, Kolb and Mace 1989): what is steeper than the talus slides to the lower ones of the eight neighbours,
        until slopes are even screes. Material is conserved.

        Parameters
        ----------
        talus : a number, 0 to 1000000, default 0.7
            Height per distance that holds.
        iterations : a whole number that is not negative, 1 to 4096, default 50
            How many times material slides, each time by one sample.
        rate : a number, 0 to 1, default 0.5
            Share of what is too steep that slides at a time.
        name : str, its kind unless given
            By which other stages refer to it.
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
        """Hydraulic erosion by virtual pipes (Mei, Decaudin and Hu 2007): rain runs off through pipes between neighbours, dissolves soil where
        it is fast and steep, and leaves it where it slows down. Also `water` (depth), `sediment` (height of what is dissolved) and `flow`
        (mean discharge, samples times depth per iteration).

        Sediment travels with the water of the pipes and not along its velocity as in the paper, where it is not conserved.

        Outputs beside the main one: water, sediment, flow.

        Parameters
        ----------
        iterations : a whole number that is not negative, 1 to 4096, default 200
            How many steps of time.
        rain : a number, 0 to 1, default 0.004
            Depth of the rain of one iteration, as a share of the distance between samples.
        rain_on : Pipeline or Noise or float or str, default 1.0
            How much of it falls where, 0 to 1.
        evaporation : a number, 0 to 1, default 0.015
            Share of the water that evaporates in one iteration.
        gravity : a number, 0 to 0.25, default 0.1
            How fast water gains speed in a pipe: the share of a difference in level that one iteration adds to the flow.
        friction : a number, 0 to 1, default 0.05
            Share of a pipe's flow that friction takes in one iteration.
        capacity : a number, 0 to 100, default 3.0
            How much sediment water carries: per unit of steepness and of speed (samples per iteration), as a share of the distance between
            samples.
        dissolve : a number, 0 to 1, default 0.01
            Share of the capacity left over that is dissolved in one iteration.
        deposit : a number, 0 to 1, default 0.1
            Share of the excess that is deposited in one iteration.
        least_slope : a number, 0 to 1, default 0.03
            Steepness below which capacity does not fall: keeps rivers on plains moving their load.
        hardness : Pipeline or Noise or float or str, default 0.0
            How much soil resists, 0 to 1: 1 is rock that nothing dissolves.
        name : str, its kind unless given
            By which other stages refer to it.
        """
        return stage_of_kind(
            "hydraulic", of=self, iterations=iterations, rain=rain, rain_on=rain_on, evaporation=evaporation, gravity=gravity,
            friction=friction, capacity=capacity, dissolve=dissolve, deposit=deposit, least_slope=least_slope, hardness=hardness, name=name,
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
        """Gullies without iterations: octaves of stripes that run down the slope, carved where it is steep. What a sample becomes depends on
        its own height and gradient only (exact where `of` is a node), so there is no halo. Also `ridge`: 1 on the crests between gullies,
        −1 at their bottoms.

        Outputs beside the main one: ridge.

        Parameters
        ----------
        wavelength : a number, 0.000001 to 1e12, unit: world units, default 100.0
            World units between the largest gullies.
        octaves : a whole number that is not negative, 1 to 12, default 4
            How many sizes of them, each `lacunarity` times finer.
        lacunarity : a number, 1 to 4, default 2.0
            Frequency ratio of one size to the one before.
        gain : a number, 0 to 1, default 0.5
            Depth ratio of one size to the one before.
        strength : a number, 0 to 10, default 0.1
            Depth of the largest, as a share of `wavelength`.
        onset : a number, 0.000001 to 1000000, default 0.3
            Slope at which gullies are half as deep as they get.
        seed : a whole number that is not negative, 0 to 18446744073709551615, default 0
            Seed of where they lie.
        name : str, its kind unless given
            By which other stages refer to it.
        """
        return stage_of_kind(
            "gully", of=self, wavelength=wavelength, octaves=octaves, lacunarity=lacunarity, gain=gain, strength=strength, onset=onset,
            seed=seed, name=name,
        )

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
        """Colours: red, green, blue and opacity in linear light, four channels.

        Parameters
        ----------
        stops : a list of colour stops, at most 256 stops, `at` never decreasing, colours as "#RRGGBB" or "#RRGGBBAA", default ()
            Colours and the values at which they stand, in order; the same value twice makes a hard edge.
        map : one of "viridis", "magma", "inferno", "plasma", "cividis", "turbo", "cubehelix", "spectral", "rdbu", "greys", "blues", "greens"
            A map by name, from the value 0 to 1, instead of stops.
        range : 2 numbers, -1e15 to 1e15, unit: that of the values, default (0.0, 1.0)
            The values at which `map` begins and ends.
        space : one of "oklab", "linear", default "oklab"
            How colours between two stops are mixed.
        under : Pipeline or Noise or float or str, the name of a stage whose output has 4 channels, or a number, default 0.0
            Another colour stage that lies under this one.
        mask : Pipeline or Noise or float or str, default 1.0
            How much this one covers it, 0 to 1.
        light : Pipeline or Noise or float or str, default 1.0
            A factor for the light: a hillshade, say.
        name : str, its kind unless given
            By which other stages refer to it.
        """
        return stage_of_kind(
            "colour", by=self, stops=stops, map=map, range=range, space=space, under=under, mask=mask, light=light, name=name,
        )


def given(*, name: str | None = None) -> Pipeline:
    """A field that is brought along: `Engine::apply` runs the stages after it on the caller's own samples. Not for recipes.

    Parameters
    ----------
    name : str, its kind unless given
        By which other stages refer to it.
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
    """Noise by frequency synthesis: white noise, transformed, its amplitudes shaped by `f^exponent` (or a table), transformed back. It repeats
    every `size` samples of level 0 and has a mean of 0 and a mean square of 1.

    Parameters
    ----------
    size : a whole number that is not negative, 2 to 8192, unit: samples, default 512
        Samples after which it repeats along x and y, a power of two.
    exponent : a number, -16 to 16, default -2.0
        Of the amplitude: −2 red, −1 pink, 0 white, 1 blue, 2 violet.
    radial : a list of amplitudes by frequency, points with `frequency` increasing from 0 to 1, amplitudes of magnitude up to 1e15, default ()
        Amplitudes by frequency (cycles per sample, 0 to 0.71), linear between; instead of the exponent.
    seed : a whole number that is not negative, 0 to 18446744073709551615, default 0
        Seed of the white noise.
    name : str, its kind unless given
        By which other stages refer to it.
    """
    return stage_of_kind("frequency", size=size, exponent=exponent, radial=radial, seed=seed, name=name)


def diamond_square(*, cell: int = 128, roughness: float = 0.55, seed: int = 0, name: str | None = None) -> Pipeline:
    """The diamond-square algorithm (Fournier, Fussell and Carpenter 1982) on a plane without end: random values at the corners of cells,
    halved again and again. The random parts add up to 1; the middles of edges may get half as much again of all but the first.

    Parameters
    ----------
    cell : a whole number that is not negative, 2 to 1024, unit: samples, default 128
        Samples of level 0 along each edge of the first cells, a power of two.
    roughness : a number, 0 to 1, default 0.55
        Ratio of the random part of one halving to the one before: 0.5 smooth, 1 rough.
    seed : a whole number that is not negative, 0 to 18446744073709551615, default 0
        Seed of the random values.
    name : str, its kind unless given
        By which other stages refer to it.
    """
    return stage_of_kind("diamond_square", cell=cell, roughness=roughness, seed=seed, name=name)


def midpoint(*, dimensions: int = 2, cell: int = 128, roughness: float = 0.5, seed: int = 0, name: str | None = None) -> Pipeline:
    """Midpoint displacement: the middle of an edge is the mean of its ends and a random part, the middle of a cell that of its corners.

    Parameters
    ----------
    dimensions : a whole number that is not negative, 1 to 2, default 2
        1 (a line along x, the same in every row) or 2.
    cell : a whole number that is not negative, 2 to 1024, unit: samples, default 128
        Samples of level 0 along each edge of the first cells, a power of two.
    roughness : a number, 0 to 1, default 0.5
        Ratio of the random part of one halving to the one before: 0.5 smooth, 1 rough.
    seed : a whole number that is not negative, 0 to 18446744073709551615, default 0
        Seed of the random values.
    name : str, its kind unless given
        By which other stages refer to it.
    """
    return stage_of_kind("midpoint", dimensions=dimensions, cell=cell, roughness=roughness, seed=seed, name=name)


def voss(*, dimensions: int = 1, rows: int = 12, seed: int = 0, name: str | None = None) -> Pipeline:
    """Pink noise by Voss's algorithm, with McCartney's even spread of changes: a sum of random numbers, the k-th of which changes every 2ᵏ
    samples. Within [−1, 1].

    Parameters
    ----------
    dimensions : a whole number that is not negative, 1 to 2, default 1
        1 (a sequence along x, the same in every row) or 2.
    rows : a whole number that is not negative, 1 to 24, default 12
        How many random numbers.
    seed : a whole number that is not negative, 0 to 18446744073709551615, default 0
        Seed of the random numbers.
    name : str, its kind unless given
        By which other stages refer to it.
    """
    return stage_of_kind("voss", dimensions=dimensions, rows=rows, seed=seed, name=name)
