//! Enums: the words that parameters of stages accept.

use crate::params::choice;
use serde::{Deserialize, Serialize};

choice! {
    /// The operation on neighbouring samples.
    Adjacent {
        /// The smaller of each pair: valleys grow.
        Minimum = "minimum",
        /// The larger of each pair: hills grow.
        Maximum = "maximum",
        /// The mean of each pair: smoother.
        #[default]
        Mean = "mean",
        /// Half the difference of each pair: rougher.
        Difference = "difference",
    }
}

choice! {
    /// Axes along which a filter works.
    Axes {
        /// Along rows.
        X = "x",
        /// Along columns.
        Y = "y",
        /// Along rows, then columns.
        #[default]
        Both = "both",
    }
}

choice! {
    /// The operation that combines two fields.
    CombineBy {
        /// `a + b`.
        #[default]
        Add = "add",
        /// `a − b`.
        Subtract = "subtract",
        /// `a · b`.
        Multiply = "multiply",
        /// The smaller of the two.
        Minimum = "minimum",
        /// The larger of the two.
        Maximum = "maximum",
        /// `a + mask · (b − a)`.
        Blend = "blend",
    }
}

choice! {
    /// The unit of steepness.
    AngleUnit {
        /// Height per distance.
        #[default]
        Ratio = "ratio",
        /// Degrees.
        Degrees = "degrees",
    }
}

choice! {
    /// The direction of a curvature (Zevenbergen and Thorne 1987).
    CurvatureForm {
        /// In all directions: minus half the sum of the second derivatives.
        #[default]
        Mean = "mean",
        /// Along the contour line: shows where water gathers.
        Plan = "plan",
        /// Along the slope: shows where water speeds up.
        Profile = "profile",
    }
}

choice! {
    /// The colour space in which colours are mixed or given.
    ColourSpace {
        /// Ottosson's OKLab: perceptually even steps, without a dark band between complementary colours.
        #[default]
        Oklab = "oklab",
        /// Linear light, as light mixes.
        Linear = "linear",
    }
}

choice! {
    /// Colour maps by name.
    ColourMap {
        /// matplotlib's default: dark blue, green, yellow; perceptually even, also for colour-blind viewers.
        #[default]
        Viridis = "viridis",
        /// Black, purple, orange, pale yellow.
        Magma = "magma",
        /// Black, purple, red, yellow.
        Inferno = "inferno",
        /// Blue, purple, orange, yellow.
        Plasma = "plasma",
        /// Dark blue to yellow, for colour-blind viewers.
        Cividis = "cividis",
        /// Google's improved rainbow.
        Turbo = "turbo",
        /// Dave Green's cube helix: brightness rises evenly.
        Cubehelix = "cubehelix",
        /// Red, yellow, blue: diverging.
        Spectral = "spectral",
        /// Blue, white, red: diverging.
        Rdbu = "rdbu",
        /// Greys.
        Greys = "greys",
        /// Blues.
        Blues = "blues",
        /// Greens.
        Greens = "greens",
    }
}

choice! {
    /// The height of the bed of a line.
    LineBy {
        /// That of the ground, raised or lowered.
        #[default]
        Offset = "offset",
        /// That of the line's points, in between along straight lines.
        Level = "level",
        /// That of the ground at the nearest point of the line, so that the bed is level across.
        Ground = "ground",
    }
}

choice! {
    /// The shape of the banks of a line.
    LineProfile {
        /// They begin and end smoothly.
        #[default]
        Smooth = "smooth",
        /// They are straight; without a bed, a V.
        Straight = "straight",
        /// They are parabolas, steeper away from the bed; without a bed, a U.
        Round = "round",
    }
}
