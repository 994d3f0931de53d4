//! Enums: the words that shape a program, as parameters of nodes accept them.

use crate::params::choice;
use serde::{Deserialize, Serialize};

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
        /// The distance to the nearest border of the Voronoi cell around the nearest point, by the metric. Along a diagonal in the
        /// plane, the Manhattan distance is 1.4 times the Euclidean one, and the Chebyshev distance 0.7 times.
        Edge = "edge",
        /// F1 / F2, in the metric: 0 at the points and 1 on the borders of their cells.
        Ratio = "ratio",
        /// 0 within `width` across the borders, then a slope of `bevel` up to 1; both by the metric.
        Border = "border",
    }
}

choice! {
    /// The quantity that smooth cells mix.
    SmoothOutput {
        /// The distances to the points around.
        #[default]
        Distance = "distance",
        /// A value in [−1, 1] per point.
        Cell = "cell",
    }
}

choice! {
    /// The shape of the waves of phasor noise.
    PhasorProfile {
        /// The sine of the phase.
        #[default]
        Sine = "sine",
        /// −1 and 1 in turn, with slopes between them: steep for a high sharpness.
        Square = "square",
        /// Straight lines: a triangle without sharpness, and a slow rise with a sudden fall for a high one.
        Saw = "saw",
        /// The mean of all waves around, whose height varies: Gabor noise.
        Gabor = "gabor",
    }
}

choice! {
    /// The number that a bed of rock gives.
    BedOutput {
        /// A random number in [−1, 1] for each bed.
        #[default]
        Layer = "layer",
        /// The hardness, from 0 to 1: beds are alternately hard and soft.
        Hardness = "hardness",
    }
}

choice! {
    /// The quantity that craters give.
    CraterOutput {
        /// The height over the ground without craters.
        #[default]
        Height = "height",
        /// The youth of the surface: 0 for ground that no crater has covered, near 1 in the youngest craters.
        Youth = "youth",
    }
}

choice! {
    /// The way in which overlapping stamps combine.
    StampCombine {
        /// The highest, but at least 0.
        #[default]
        Max = "max",
        /// Their sum.
        Add = "add",
        /// One covers the others, by priority.
        Cover = "cover",
    }
}

choice! {
    /// The stamps that have priority over others.
    StampPriority {
        /// A random order.
        #[default]
        Random = "random",
        /// Larger ones before smaller ones.
        Largest = "largest",
        /// Smaller ones before larger ones.
        Smallest = "smallest",
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

choice! {
    /// The noise types of FastNoiseLite.
    FastnoiseType {
        /// OpenSimplex2: simplex noise in 2D, two cubic lattices in 3D.
        #[default]
        OpenSimplex2 = "open_simplex2",
        /// OpenSimplex2S, the smoother variant.
        OpenSimplex2s = "open_simplex2s",
        /// Cellular noise.
        Cellular = "cellular",
        /// Perlin noise.
        Perlin = "perlin",
        /// Value noise with cubic interpolation between four points.
        ValueCubic = "value_cubic",
        /// Value noise.
        Value = "value",
    }
}

choice! {
    /// The turn of 3D coordinates in FastNoiseLite, against grid marks in planes.
    FastnoiseRotation {
        /// None.
        #[default]
        None = "none",
        /// For planes along x and y; z is time or height.
        ImproveXy = "improve_xy",
        /// For planes along x and z; y is time or height.
        ImproveXz = "improve_xz",
    }
}

choice! {
    /// The sums of octaves of FastNoiseLite.
    FastnoiseFractal {
        /// One octave.
        #[default]
        None = "none",
        /// A sum of octaves.
        Fbm = "fbm",
        /// `1 − 2·|v|` of each octave.
        Ridged = "ridged",
        /// Octaves folded back and forth.
        PingPong = "ping_pong",
    }
}

choice! {
    /// The distance functions of FastNoiseLite's cellular noise.
    FastnoiseDistance {
        /// The square root of the sum of squares.
        Euclidean = "euclidean",
        /// The sum of squares.
        #[default]
        EuclideanSquared = "euclidean_squared",
        /// The sum of magnitudes.
        Manhattan = "manhattan",
        /// The sum of magnitudes and squares.
        Hybrid = "hybrid",
    }
}

choice! {
    /// The return types of FastNoiseLite's cellular noise, from the distances F1 and F2 to the nearest two points.
    FastnoiseReturn {
        /// A value per point, with gradient 0.
        CellValue = "cell_value",
        /// `F1 − 1`.
        #[default]
        Distance = "distance",
        /// `F2 − 1`.
        Distance2 = "distance2",
        /// `(F2 + F1) / 2 − 1`.
        Distance2Add = "distance2_add",
        /// `F2 − F1 − 1`.
        Distance2Sub = "distance2_sub",
        /// `F2 · F1 / 2 − 1`.
        Distance2Mul = "distance2_mul",
        /// `F1 / F2 − 1`.
        Distance2Div = "distance2_div",
    }
}

choice! {
    /// The domain warps of FastNoiseLite.
    FastnoiseWarp {
        /// None.
        #[default]
        None = "none",
        /// Vectors times slopes at the points of simplex noise.
        OpenSimplex2 = "open_simplex2",
        /// Vectors at the points of simplex noise.
        OpenSimplex2Reduced = "open_simplex2_reduced",
        /// Vectors at the corners of a grid.
        BasicGrid = "basic_grid",
    }
}

choice! {
    /// The sums of octaves of FastNoiseLite's domain warps.
    FastnoiseWarpFractal {
        /// One octave.
        #[default]
        None = "none",
        /// Each octave at the position that the octaves before have displaced.
        Progressive = "progressive",
        /// Each octave at the original position.
        Independent = "independent",
    }
}

choice! {
    /// The source of FastNoiseLite that numbers follow, where the sources differ.
    FastnoiseVersion {
        /// The C++ source, which engines such as Godot contain.
        #[default]
        Cpp = "cpp",
        /// The C source: square roots are estimates, and cubic value noise in 3D is five times as large.
        C = "c",
        /// The C# source: other rounding in the last digits of OpenSimplex2 in 3D.
        Csharp = "csharp",
        /// The Rust source, the crate `fastnoise-lite`: likewise.
        Rust = "rust",
    }
}
