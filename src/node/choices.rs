//! The words that parameters of nodes may be.

use crate::params::choice;
use serde::{Deserialize, Serialize};

choice! {
    /// How a lattice basis turns a cell into a gradient.
    Hash {
        /// A 32-bit integer hash of cell and seed: no repetition short of 2³² cells.
        #[default]
        Integer = "integer",
        /// The permutation polynomial `(34x + 1)x mod 289` of McEwan and Gustavson: repeats every 289 cells, has no seed.
        Permutation289 = "permutation289",
    }
}

choice! {
    /// How value noise turns a lattice point into a number.
    ValueHash {
        /// A 32-bit integer hash of point and seed: no repetition short of 2³² cells.
        #[default]
        Integer = "integer",
        /// A table of 256 numbers, over and over.
        Table = "table",
    }
}

choice! {
    /// How white noise turns a cell into a number.
    WhiteHash {
        /// A 32-bit integer hash of cell and seed.
        #[default]
        Integer = "integer",
        /// The fraction of a large multiple of a sine: `fract(sin(x·12.9898 + y·78.233 + z·37.719) · 43758.5453)`.
        Sine = "sine",
        /// The same of one number, nested: `rand(x) = fract(sin(x) · 43758.5453123)`, `rand(rand(x) + rand(y))`.
        NestedSine = "nested_sine",
        /// Of one integer, nested likewise: `rand(x) = (x ^ (x >> 16)) · 0x85ebca6b`.
        NestedInteger = "nested_integer",
    }
}

choice! {
    /// What the octaves of a fractal are.
    OctaveSeeds {
        /// Noises of their own, each with an offset of its own.
        #[default]
        Own = "own",
        /// The same noise, without an offset: features lie on top of each other at the origin.
        Same = "same",
    }
}

choice! {
    /// How hexagonal noise turns a hexagon into a gradient.
    HexHash {
        /// A 32-bit integer hash of hexagon and seed.
        #[default]
        Integer = "integer",
        /// A permutation and a table of gradients.
        Tables = "tables",
    }
}

choice! {
    /// How lattice noises go from one lattice point to the next.
    Interpolation {
        /// Not at all: every cell has the value of its lower corner.
        Truncated = "truncated",
        /// Straight lines; the grid shows.
        Linear = "linear",
        /// `3t² − 2t³` (Perlin 1985): smooth slopes.
        Cubic = "cubic",
        /// `6t⁵ − 15t⁴ + 10t³` (Perlin 2002): smooth curvature.
        #[default]
        Quintic = "quintic",
        /// `(1 − cos πt) / 2`.
        Cosine = "cosine",
    }
}

choice! {
    /// How a Worley noise measures distances.
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
    /// What a Worley noise computes.
    WorleyOutput {
        /// Distances to the nearest points, weighted.
        #[default]
        Distance = "distance",
        /// A number in [−1, 1] that is the same wherever the same point is the nearest, with gradient 0.
        Cell = "cell",
        /// The distance to the nearest border of that region, its Voronoi cell.
        Edge = "edge",
    }
}

choice! {
    /// How a fractal adds its octaves up.
    Accumulate {
        /// `Σ gainᵏ·vₖ`, divided by `Σ gainᵏ` when normalised: fractional Brownian motion.
        #[default]
        Sum = "sum",
        /// `h ← lerp(h, (vₖ + 1)/2, gainᵏ)`, as in the terrain shader's `GetRawNoise`.
        Lerp = "lerp",
        /// Like `sum`, but an octave counts less where the one before is low.
        Weighted = "weighted",
        /// `2·|v| − 1`: rounded hills between creases.
        Billow = "billow",
        /// Musgrave's ridged multifractal: `(level − |v|)²`, let through where the octave before is high.
        Ridged = "ridged",
        /// Values folded back and forth: bands.
        Pingpong = "pingpong",
        /// Musgrave's multifractal: the product of `v·gainᵏ + level`.
        Multifractal = "multifractal",
        /// Musgrave's hybrid multifractal: valleys stay smooth.
        Hybrid = "hybrid",
        /// Musgrave's heterogeneous terrain: what is high is rough.
        Heterogeneous = "heterogeneous",
    }
}

choice! {
    /// How hill noise spreads its values.
    Uniform {
        /// Evenly, by the exact distribution of its sum of sines.
        #[default]
        Exact = "exact",
        /// Nearly evenly, by the article's approximation of a normal distribution.
        Normal = "normal",
        /// Not at all: the sum over the sum of sizes.
        None = "none",
    }
}

choice! {
    /// A distribution to sample by its quantiles.
    QuantileDistribution {
        /// `location + scale · Φ⁻¹(p)`.
        #[default]
        Normal = "normal",
        /// `location + scale · (−ln(1 − p))^(1/shape)`.
        Weibull = "weibull",
        /// `location − scale · ln(1 − p)`.
        Exponential = "exponential",
        /// The points of `table`, joined by lines.
        Table = "table",
    }
}

choice! {
    /// Where a polar domain is sampled.
    PolarForm {
        /// On a circle around the centre: the same value along every ray, no seam.
        #[default]
        Circle = "circle",
        /// At (angle · size, distance): straight lines become spokes, with a seam to the left unless `of` repeats after `size`.
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
    /// How a raster goes from one sample to the next.
    Sampling {
        /// Not at all: every place has the nearest sample's value, without a slope.
        Nearest = "nearest",
        /// Straight lines along both axes: continuous, with creases.
        Linear = "linear",
        /// A cubic B-spline through the samples: continuous curvature; between them it may reach a little beyond them.
        #[default]
        Cubic = "cubic",
    }
}

choice! {
    /// What lies beyond the edges of a raster.
    Outside {
        /// What lies at the nearest edge. The slope across the edge is 0 on both sides where sampling is cubic.
        #[default]
        Clamp = "clamp",
        /// The raster again: the sample after the last is the first.
        Repeat = "repeat",
        /// The raster mirrored about its edge samples.
        Mirror = "mirror",
        /// One number, `fill`; the edge is a cliff.
        Constant = "constant",
    }
}
