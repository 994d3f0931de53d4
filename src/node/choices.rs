//! Enums: the words that parameters of nodes accept.

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
    /// The interpolation between lattice points.
    Interpolation {
        /// No interpolation: every cell has the value of its lower corner.
        Truncated = "truncated",
        /// Linear interpolation. The grid is visible.
        Linear = "linear",
        /// `3t² − 2t³` (Perlin 1985): continuous slopes.
        Cubic = "cubic",
        /// `6t⁵ − 15t⁴ + 10t³` (Perlin 2002): continuous curvature.
        #[default]
        Quintic = "quintic",
        /// `(1 − cos πt) / 2`.
        Cosine = "cosine",
    }
}

choice! {
    /// The metric of a Worley noise.
    Metric {
        /// `√(x² + y² + z²)`.
        #[default]
        Euclidean = "euclidean",
        /// `x² + y² + z²`.
        Squared = "squared",
        /// `|x| + |y| + |z|`.
        Manhattan = "manhattan",
        /// `max(|x|, |y|, |z|)`.
        Chebyshev = "chebyshev",
    }
}

choice! {
    /// The quantity that a Worley noise computes.
    WorleyOutput {
        /// A weighted sum of the distances to the nearest points.
        #[default]
        Distance = "distance",
        /// A constant in [−1, 1] per nearest point, with gradient 0.
        Cell = "cell",
        /// The distance to the nearest border of the Voronoi cell around the nearest point.
        Edge = "edge",
    }
}

choice! {
    /// The formula that combines the octaves of a fractal.
    Accumulate {
        /// `Σ gainᵏ·vₖ`, divided by `Σ gainᵏ` when normalised: fractional Brownian motion.
        #[default]
        Sum = "sum",
        /// `h ← lerp(h, (vₖ + 1)/2, gainᵏ)`, as in the terrain shader's `GetRawNoise`.
        Lerp = "lerp",
        /// Like `sum`, but an octave counts less where the previous one is low.
        Weighted = "weighted",
        /// `2·|v| − 1`: rounded hills between creases.
        Billow = "billow",
        /// Musgrave's ridged multifractal: `(level − |v|)²`, weighted by the height of the previous octave.
        Ridged = "ridged",
        /// Values folded back and forth: gives bands.
        Pingpong = "pingpong",
        /// Musgrave's multifractal: the product of `v·gainᵏ + level`.
        Multifractal = "multifractal",
        /// Musgrave's hybrid multifractal: valleys stay smooth.
        Hybrid = "hybrid",
        /// Musgrave's heterogeneous terrain: high places are rougher.
        Heterogeneous = "heterogeneous",
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
    /// A world axis.
    Axis {
        /// East.
        #[default]
        X = "x",
        /// Down the rows.
        Y = "y",
        /// Up.
        Z = "z",
    }
}

choice! {
    /// The interpolation between the samples of a raster.
    Sampling {
        /// No interpolation: every place has the value of the nearest sample, with gradient 0.
        Nearest = "nearest",
        /// Linear interpolation along both axes: continuous, with creases.
        Linear = "linear",
        /// A cubic B-spline through the samples: continuous curvature. It may overshoot a little between samples.
        #[default]
        Cubic = "cubic",
    }
}

choice! {
    /// The values of a raster beyond its edges.
    Outside {
        /// The values of the nearest edge. With cubic sampling, the slope across the edge is 0 on both sides.
        #[default]
        Clamp = "clamp",
        /// The raster repeated: the sample after the last is the first.
        Repeat = "repeat",
        /// The raster mirrored at its edge samples.
        Mirror = "mirror",
        /// The constant `fill`; the edge is a jump.
        Constant = "constant",
    }
}
