//! Enums: the words that parameters of nodes accept. Those that shape a program are in `src/program/choices.rs`.

use crate::params::choice;
use serde::{Deserialize, Serialize};

choice! {
    /// The hash from a cell to a gradient, for lattice bases.
    Hash {
        /// A 32-bit integer hash of cell and seed: repeats only after 2³² cells.
        #[default]
        Integer = "integer",
        /// The permutation polynomial `(34x + 1)x mod 289` of McEwan and Gustavson: repeats every 289 cells and has no seed.
        Permutation289 = "permutation289",
    }
}

choice! {
    /// The motion of gradients along the fourth axis, for noises in 2D and 3D.
    Gradients {
        /// They do not depend on it.
        #[default]
        Still = "still",
        /// They turn, all together: flow noise.
        Turning = "turning",
    }
}

choice! {
    /// The source of a lattice point's number, for value noise.
    ValueHash {
        /// A 32-bit integer hash of point and seed: repeats only after 2³² cells.
        #[default]
        Integer = "integer",
        /// A table of 256 numbers, repeated.
        Table = "table",
    }
}

choice! {
    /// The hash from a cell to a number, for white noise.
    WhiteHash {
        /// A 32-bit integer hash of cell and seed.
        #[default]
        Integer = "integer",
        /// The fraction of a large multiple of a sine: `fract(sin(x·12.9898 + y·78.233 + z·37.719) · 43758.5453)`.
        Sine = "sine",
        /// The same sine of one number, nested: `rand(x) = fract(sin(x) · 43758.5453123)`, `rand(rand(x) + rand(y))`.
        NestedSine = "nested_sine",
        /// A hash of one integer, nested likewise: `rand(x) = (x ^ (x >> 16)) · 0x85ebca6b`.
        NestedInteger = "nested_integer",
    }
}

choice! {
    /// The difference between the octaves of a fractal.
    OctaveSeeds {
        /// Each octave is a noise of its own, with its own seed and offset.
        #[default]
        Own = "own",
        /// Every octave is the same noise without an offset: features coincide at the origin.
        Same = "same",
    }
}

choice! {
    /// The source of a hexagon's gradient, for hexagonal noise.
    HexHash {
        /// A 32-bit integer hash of hexagon and seed.
        #[default]
        Integer = "integer",
        /// A permutation and a table of gradients.
        Tables = "tables",
    }
}

choice! {
    /// The distribution of hill noise's values.
    Uniform {
        /// Uniformly, by the exact distribution of its sum of sines.
        #[default]
        Exact = "exact",
        /// Nearly uniformly, by the article's approximation with a normal distribution.
        Normal = "normal",
        /// Unchanged: the sum of sines divided by the sum of their sizes.
        None = "none",
    }
}

choice! {
    /// A distribution that `quantile` samples by its inverse.
    QuantileDistribution {
        /// `location + scale · Φ⁻¹(p)`.
        #[default]
        Normal = "normal",
        /// `location + scale · (−ln(1 − p))^(1/shape)`.
        Weibull = "weibull",
        /// `location − scale · ln(1 − p)`.
        Exponential = "exponential",
        /// The points of `table`, joined by straight lines.
        Table = "table",
    }
}

choice! {
    /// The position at which a polar domain samples its input.
    PolarForm {
        /// On a circle around the centre: constant along every ray, without a seam.
        #[default]
        Circle = "circle",
        /// At (angle · size, distance): straight lines become spokes. There is a seam to the left unless `of` repeats after
        /// `size`.
        Strip = "strip",
    }
}

choice! {
    /// The turn of a lattice against the world, against marks of the lattice in planes.
    Orientation {
        /// The diagonal of the lattice lies along (1, 1, …): marks along diagonals are visible.
        Classic = "classic",
        /// For planes along x and y; z is time or height.
        #[default]
        ImproveXy = "improve_xy",
        /// For planes along x and z; y is time or height.
        ImproveXz = "improve_xz",
    }
}

choice! {
    /// The variants of OpenSimplex2, which differ in the reach of lattice points.
    OpenSimplexVariant {
        /// OpenSimplex2.
        #[default]
        Fast = "fast",
        /// OpenSimplex2S, also called SuperSimplex: points reach further.
        Smooth = "smooth",
    }
}
