//! The words that parameters of stages may be.

use crate::params::choice;
use serde::{Deserialize, Serialize};

choice! {
    /// What becomes of neighbours.
    Adjacent {
        /// The smaller of each two: valleys grow.
        Minimum = "minimum",
        /// The larger of each two: hills grow.
        Maximum = "maximum",
        /// The mean of each two: smoother.
        #[default]
        Mean = "mean",
        /// Half the difference of each two: rougher.
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
    /// How two fields become one.
    CombineBy {
        /// `a + b`.
        #[default]
        Add = "add",
        /// `a − b`.
        Subtract = "subtract",
        /// `a · b`.
        Multiply = "multiply",
        /// The smaller.
        Minimum = "minimum",
        /// The larger.
        Maximum = "maximum",
        /// `a + mask · (b − a)`.
        Blend = "blend",
    }
}

choice! {
    /// How steepness is written.
    AngleUnit {
        /// Height per distance.
        #[default]
        Ratio = "ratio",
        /// Degrees.
        Degrees = "degrees",
    }
}

choice! {
    /// Which bend is meant (Zevenbergen and Thorne 1987).
    CurvatureForm {
        /// In all directions: minus half the sum of second derivatives.
        #[default]
        Mean = "mean",
        /// Along the contour line: where water gathers.
        Plan = "plan",
        /// Along the slope: where water speeds up.
        Profile = "profile",
    }
}

choice! {
    /// Where colours between two stops are mixed.
    ColourSpace {
        /// Ottosson's OKLab: even steps to the eye, no dark band between complements.
        #[default]
        Oklab = "oklab",
        /// Linear light: as light mixes.
        Linear = "linear",
    }
}

choice! {
    /// Colour maps by name.
    ColourMap {
        /// matplotlib's default: dark blue, green, yellow; even for every eye.
        #[default]
        Viridis = "viridis",
        /// Black, purple, orange, pale yellow.
        Magma = "magma",
        /// Black, purple, red, yellow.
        Inferno = "inferno",
        /// Blue, purple, orange, yellow.
        Plasma = "plasma",
        /// Dark blue to yellow, for the colour-blind.
        Cividis = "cividis",
        /// Google's better rainbow.
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
