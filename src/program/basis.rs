//! Noises on lattices, and the facts about each of them that evaluators use.

use crate::program::{
    BedOutput, FastnoiseShape, FastnoiseType, FastnoiseWarp, Interpolation, Metric, Scalar, SmoothOutput, Span, WorleyOutput,
};

/// The structural part of a Worley noise: each variant has its own kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WorleyShape {
    /// 1 to 3.
    pub dimensions: u32,
    /// The metric. In 1D, Euclidean or squared; the other metrics equal the former.
    pub metric: Metric,
    /// The result.
    pub output: WorleyOutput,
    /// The number of nearest points with weights: 1 to 4, or 1 without weights.
    pub nearest: u32,
}

impl WorleyShape {
    /// The number of scalars that it reads: the jitter, then the weights.
    pub fn numbers(self) -> usize {
        1 + if self.output == WorleyOutput::Distance { self.nearest as usize } else { 0 }
    }
}

/// The structural part of smooth cells: each variant has its own kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SmoothShape {
    /// 1 to 3.
    pub dimensions: u32,
    /// The metric. In 1D, Euclidean or squared; the other metrics equal the former.
    pub metric: Metric,
    /// The quantity that is mixed.
    pub output: SmoothOutput,
}

/// The structural part of OpenSimplex2: each variant has its own kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpenSimplexShape {
    /// 2 to 4.
    pub dimensions: u32,
    /// Whether it is OpenSimplex2S.
    pub smooth: bool,
}

/// The largest number of classes of size of craters. With it, the finest lattice repeats after fewer than 2³¹ cells.
pub const MOST_CRATER_SIZES: usize = 7;

/// The structural part of craters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CraterShape {
    /// Whether the result is how young the surface is, instead of its height.
    pub youth: bool,
}

impl CraterShape {
    /// The number of scalars that it reads: seven, then one for each class that there may be.
    pub fn numbers(self) -> usize {
        7 + MOST_CRATER_SIZES
    }
}

/// A hash by a one-line function found in many shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OneLiner {
    Sine,
    NestedSine,
    NestedInteger,
}

/// The facts about a basis that evaluators use. A basis states all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Number of lattice coordinates that it reads, 1 to 4.
    pub dimensions: usize,
    /// Whether it reads a fourth coordinate: the lattice's, or the turn of its gradients. That has its own frame, after that of the
    /// others.
    pub fourth: bool,
    /// Files of `shaders/lib` with its functions.
    pub libraries: &'static [&'static str],
    /// The function call in a kernel.
    pub call: BasisCall,
    /// Whether its text is long. If so, the samples of a GPU thread take turns in a loop around it. If not, it is printed for each of
    /// them, up to twelve times in a kernel.
    pub loops: bool,
    /// The lattice points that close samples of a row share on a GPU.
    pub close: Close,
}

/// The call of a basis in a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BasisCall {
    /// A function of (cell, fraction, key) that returns a jet in lattice coordinates.
    Plain(&'static str),
    /// A function of (cell, fraction), likewise, without a seed.
    Unseeded(&'static str),
    /// A function of (cell, fraction, fourth cell, fourth fraction, key) that returns a value and four slopes.
    Four(&'static str),
    /// `lattice_NAME_DIMENSIONS`, with the weights of an interpolation along each axis.
    Cubic(&'static str, u32, Interpolation),
    /// Simplex noise with turning gradients, in 2D or 3D.
    TurningSimplex(u32),
    /// Perlin noise with turning gradients, in 2D or 3D.
    TurningPerlin(u32, Interpolation),
    /// Interpolation between two numbers of a table.
    ValueTable(Interpolation, Span),
    /// A one-line function of this many coordinates of the cell.
    OneLiner(OneLiner, u32),
    /// The tables of the hexagonal noise's article.
    HexagonalTables(Span),
    /// A search for the nearest points.
    Worley(WorleyShape, Scalar),
    /// A mean over the points around.
    SmoothCells(SmoothShape, Scalar),
    /// Craters of several classes of size.
    Craters(CraterShape, Scalar),
    /// Beds of rock.
    Beds(BedOutput, Scalar),
    /// FastNoiseLite's noise: its numbers, and its random vectors in the series.
    Fastnoise(FastnoiseShape, Scalar, Span),
}

/// Lattice points shared by close samples of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// None: every sample computes its own points.
    Apart,
    /// Simplex noise in 2D: up to four lines of points along x.
    Lines2,
    /// Simplex noise in 3D: two to six of twelve lines.
    Lines3,
    /// Noise on the cubic lattice in 2D to 4D: the points at one x, blended along the other axes. With slopes it is Perlin noise.
    Points { slopes: bool, dimensions: u32, interpolation: Interpolation },
}

/// Generates an enum of bases from rows: a name, the values that shape its kernel, and its facts. The word after the enum's name
/// is bound to true in kernels with periodic lattices.
macro_rules! bases {
    (
        $(#[doc = $about:literal])+
        $bases:ident, $periodic:ident;
        $(
            $(#[doc = $doc:literal])+
            $name:ident $(($($field:ident: $type:ty),+))? => $facts:expr;
        )+
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $bases {
            $( $(#[doc = $doc])+ $name $(($($type),+))?, )+
        }

        impl $bases {
            /// The facts for evaluators, for kernels with or without periodic lattices.
            pub fn facts(self, $periodic: bool) -> Facts {
                match self {
                    $( $bases::$name $(($($field),+))? => $facts, )+
                }
            }
        }
    };
}

bases! {
    /// A noise on a lattice: a function of cell, fraction and seed.
    Basis, periodic;

    /// Simplex 2D, integer hash.
    Simplex2 => simplex(2, "simplex_2", Close::Lines2);

    /// Simplex 3D, integer hash.
    Simplex3 => simplex(3, "simplex_3", Close::Lines3);

    /// Value noise on the cubic lattice, in 1 to 4 dimensions.
    Value(dimensions: u32, interpolation: Interpolation) => cubic(false, "value", dimensions, interpolation);

    /// Perlin noise on the cubic lattice, in 1 to 4 dimensions.
    Perlin(dimensions: u32, interpolation: Interpolation) => cubic(true, "perlin", dimensions, interpolation);

    /// Worley noise; its numbers begin at this scalar.
    Worley(shape: WorleyShape, numbers: Scalar) => Facts {
        dimensions: shape.dimensions as usize,
        fourth: false,
        libraries: &["worley"],
        call: BasisCall::Worley(shape, numbers),
        loops: true,
        close: Close::Apart,
    };

    /// Simplex noise whose gradients turn, in 2 or 3 dimensions.
    TurningSimplex(dimensions: u32) => Facts {
        dimensions: dimensions as usize,
        fourth: true,
        libraries: &["flow"],
        call: BasisCall::TurningSimplex(dimensions),
        loops: false,
        close: Close::Apart,
    };

    /// Perlin noise whose gradients turn, in 2 or 3 dimensions.
    TurningPerlin(dimensions: u32, interpolation: Interpolation) => Facts {
        dimensions: dimensions as usize,
        fourth: true,
        libraries: &["flow", "interpolate"],
        call: BasisCall::TurningPerlin(dimensions, interpolation),
        loops: false,
        close: Close::Apart,
    };

    /// A noise whose samples share nothing.
    Pointwise(noise: Pointwise) => noise.facts(periodic);
}

bases! {
    /// A noise that computes every sample by itself. All of them take the same route on the CPU, so a new noise begins here. It
    /// becomes a [`Basis`] of its own once it has another route.
    Pointwise, periodic;

    /// Simplex 1D, integer hash.
    Simplex1 => simplex(1, "simplex_1", Close::Apart);

    /// Simplex 4D, integer hash.
    Simplex4 => Facts { dimensions: 4, fourth: true, libraries: &["skewed"], call: BasisCall::Four("skewed_simplex_4"), loops: false, close: Close::Apart };

    /// OpenSimplex2 and OpenSimplex2S.
    OpenSimplex(shape: OpenSimplexShape) => Facts {
        dimensions: shape.dimensions as usize,
        fourth: shape.dimensions == 4,
        libraries: &["open_simplex"],
        call: match (shape.dimensions, shape.smooth) {
            (2, false) => BasisCall::Plain("open_simplex_2"),
            (2, true) => BasisCall::Plain("open_simplex_smooth_2"),
            (3, false) => BasisCall::Plain("open_simplex_3"),
            (3, true) => BasisCall::Plain("open_simplex_smooth_3"),
            (_, false) => BasisCall::Four("open_simplex_4"),
            (_, true) => BasisCall::Four("open_simplex_smooth_4"),
        },
        loops: false,
        close: Close::Apart,
    };

    /// Simplex 3D, permutation polynomial mod 289.
    Permutation289 => Facts {
        dimensions: 3,
        fourth: false,
        libraries: if periodic { &["permutation289_periodic"] } else { &["permutation289"] },
        call: if periodic { BasisCall::Plain("permutation289_periodic") } else { BasisCall::Unseeded("permutation289_simplex") },
        loops: false,
        close: Close::Apart,
    };

    /// Value noise in 1D; the series contains its 256 numbers.
    ValueTable(interpolation: Interpolation, numbers: Span) => Facts {
        dimensions: 1,
        fourth: false,
        libraries: &["interpolate", "lattice"],
        call: BasisCall::ValueTable(interpolation, numbers),
        loops: false,
        close: Close::Apart,
    };

    /// White noise by a one-line function, in 1 to 3 dimensions.
    OneLiner(form: OneLiner, dimensions: u32) => Facts {
        dimensions: dimensions as usize,
        fourth: false,
        libraries: &["white"],
        call: BasisCall::OneLiner(form, dimensions),
        loops: false,
        close: Close::Apart,
    };

    /// Smooth cells; their four numbers begin at this scalar: jitter, variation, reach and exponent.
    SmoothCells(shape: SmoothShape, numbers: Scalar) => Facts {
        dimensions: shape.dimensions as usize,
        fourth: false,
        libraries: &["smooth_cells"],
        call: BasisCall::SmoothCells(shape, numbers),
        loops: true,
        close: Close::Apart,
    };

    /// Craters; their numbers begin at this scalar: depth, rim, squared distance of ejecta, 1 / (that − 1), wear, peak and
    /// the number of classes. Then follows one for each class: cells with a smaller random number of 16 bits have a crater.
    Craters(shape: CraterShape, numbers: Scalar) => Facts {
        dimensions: 2,
        fourth: false,
        libraries: &["craters"],
        call: BasisCall::Craters(shape, numbers),
        loops: true,
        close: Close::Apart,
    };

    /// FastNoiseLite's noise. Its numbers begin at this scalar; the series contains its random vectors, if it reads them.
    Fastnoise(shape: FastnoiseShape, numbers: Scalar, vectors: Span) => Facts {
        dimensions: shape.dimensions as usize,
        fourth: false,
        libraries: fastnoise(shape),
        call: BasisCall::Fastnoise(shape, numbers, vectors),
        loops: true,
        close: Close::Apart,
    };

    /// Beds of rock; their four numbers begin at this scalar: irregular, 1 / blend, variation and 0.
    Beds(output: BedOutput, numbers: Scalar) => Facts {
        dimensions: 1,
        fourth: false,
        libraries: &["beds"],
        call: BasisCall::Beds(output, numbers),
        loops: false,
        close: Close::Apart,
    };

    /// Hexagonal noise, integer hash.
    Hexagonal => Facts {
        dimensions: 2,
        fourth: false,
        libraries: &["hexagonal"],
        call: BasisCall::Plain("hexagonal_hashed"),
        loops: false,
        close: Close::Apart,
    };

    /// Hexagonal noise; the series contains 256 numbers of a permutation and 32 gradients.
    HexagonalTables(tables: Span) => Facts {
        dimensions: 2,
        fourth: false,
        libraries: &["hexagonal"],
        call: BasisCall::HexagonalTables(tables),
        loops: false,
        close: Close::Apart,
    };
}

fn simplex(dimensions: usize, function: &'static str, close: Close) -> Facts {
    Facts { dimensions, fourth: false, libraries: &["simplex"], call: BasisCall::Plain(function), loops: false, close }
}

/// The library files of a noise and its warp.
fn fastnoise(shape: FastnoiseShape) -> &'static [&'static str] {
    match (shape.noise, shape.warp != FastnoiseWarp::None) {
        (FastnoiseType::OpenSimplex2 | FastnoiseType::OpenSimplex2s, false) => &["fastnoise_simplex"],
        (FastnoiseType::OpenSimplex2 | FastnoiseType::OpenSimplex2s, true) => &["fastnoise_simplex", "fastnoise_warp"],
        (FastnoiseType::Cellular, false) => &["fastnoise_cellular"],
        (FastnoiseType::Cellular, true) => &["fastnoise_cellular", "fastnoise_warp"],
        (FastnoiseType::Perlin | FastnoiseType::ValueCubic | FastnoiseType::Value, false) => &["fastnoise_lattice"],
        (FastnoiseType::Perlin | FastnoiseType::ValueCubic | FastnoiseType::Value, true) => &["fastnoise_lattice", "fastnoise_warp"],
    }
}

fn cubic(slopes: bool, name: &'static str, dimensions: u32, interpolation: Interpolation) -> Facts {
    let close = match dimensions {
        2..=4 => Close::Points { slopes, dimensions, interpolation },
        _ => Close::Apart,
    };
    let call = BasisCall::Cubic(name, dimensions, interpolation);
    let (fourth, dimensions) = (dimensions == 4, dimensions as usize);
    Facts { dimensions, fourth, libraries: &["interpolate", "lattice"], call, loops: false, close }
}

impl Basis {
    /// The number of lattice coordinates that it reads.
    pub fn dimensions(self) -> usize {
        self.facts(false).dimensions
    }

    /// Whether it reads a fourth coordinate, which has its own frame, after that of the others.
    pub fn has_fourth(self) -> bool {
        self.facts(false).fourth
    }
}
