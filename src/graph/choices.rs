//! The words that parameters of nodes may be.

use crate::params::choice;
use serde::{Deserialize, Serialize};

choice! {
    /// How a lattice basis turns a cell into a gradient.
    Hash {
        /// A 32-bit integer hash of cell and seed: no repetition short of 2³² cells.
        #[default]
        Integer,
        /// The permutation polynomial `(34x + 1)x mod 289` of McEwan and Gustavson: repeats every 289 cells, has no seed.
        Permutation289,
    }
}

choice! {
    /// How white noise turns a cell into a number.
    WhiteHash {
        /// A 32-bit integer hash of cell and seed.
        #[default]
        Integer,
        /// The fraction of a large multiple of a sine.
        Sine,
    }
}

choice! {
    /// How hexagonal noise turns a hexagon into a gradient.
    HexHash {
        /// A 32-bit integer hash of hexagon and seed.
        #[default]
        Integer,
        /// A permutation and a table of gradients.
        Tables,
    }
}

choice! {
    /// How lattice noises go from one lattice point to the next.
    Interpolation {
        /// Not at all: every cell has the value of its lower corner.
        Truncated,
        /// Straight lines; the grid shows.
        Linear,
        /// `3t² − 2t³` (Perlin 1985): smooth slopes.
        Cubic,
        /// `6t⁵ − 15t⁴ + 10t³` (Perlin 2002): smooth curvature.
        #[default]
        Quintic,
        /// `(1 − cos πt) / 2`.
        Cosine,
    }
}

choice! {
    /// How a Worley noise measures distances.
    Metric {
        /// `√(x² + y² + z²)`.
        #[default]
        Euclidean,
        /// `x² + y² + z²`.
        Squared,
        /// `|x| + |y| + |z|`.
        Manhattan,
        /// `max(|x|, |y|, |z|)`.
        Chebyshev,
    }
}

choice! {
    /// What a Worley noise computes.
    WorleyOutput {
        /// Distances to the nearest points, weighted.
        #[default]
        Distance,
        /// A number in [−1, 1] that is the same wherever the same point is the nearest, with gradient 0.
        Cell,
        /// The distance to the nearest border of that region, its Voronoi cell.
        Edge,
    }
}

choice! {
    /// How a fractal adds its octaves up.
    Accumulate {
        /// `Σ gainᵏ·vₖ`, divided by `Σ gainᵏ` when normalised: fractional Brownian motion.
        #[default]
        Sum,
        /// `h ← lerp(h, (vₖ + 1)/2, gainᵏ)`, as in the terrain shader's `GetRawNoise`.
        Lerp,
        /// Like `sum`, but an octave counts less where the one before is low.
        Weighted,
        /// `2·|v| − 1`: rounded hills between creases.
        Billow,
        /// Musgrave's ridged multifractal: `(level − |v|)²`, let through where the octave before is high.
        Ridged,
        /// Values folded back and forth: bands.
        Pingpong,
        /// Musgrave's multifractal: the product of `v·gainᵏ + level`.
        Multifractal,
        /// Musgrave's hybrid multifractal: valleys stay smooth.
        Hybrid,
        /// Musgrave's heterogeneous terrain: what is high is rough.
        Heterogeneous,
    }
}

choice! {
    /// How hill noise spreads its values.
    Uniform {
        /// Evenly, by the exact distribution of its sum of sines.
        #[default]
        Exact,
        /// Nearly evenly, by the article's approximation of a normal distribution.
        Normal,
        /// Not at all: the sum over the sum of sizes.
        None,
    }
}

choice! {
    /// A distribution to sample by its quantiles.
    Distribution {
        /// `location + scale · Φ⁻¹(p)`.
        #[default]
        Normal,
        /// `location + scale · (−ln(1 − p))^(1/shape)`.
        Weibull,
        /// `location − scale · ln(1 − p)`.
        Exponential,
        /// The points of `table`, joined by lines.
        Table,
    }
}

choice! {
    /// Where a polar domain is sampled.
    PolarForm {
        /// On a circle around the centre: the same value along every ray, no seam.
        #[default]
        Circle,
        /// At (angle · size, distance): straight lines become spokes, with a seam to the left unless `of` repeats after `size`.
        Strip,
    }
}

choice! {
    /// A world axis.
    Axis {
        /// East.
        #[default]
        X,
        /// Down the rows.
        Y,
        /// Up.
        Z,
    }
}
