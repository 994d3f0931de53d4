//! Kinds of nodes, and the words that their parameters accept. [`node`](crate::node) in `src/lib.rs` shows them to users.
//!
//! Each kind, or family of kinds, has a file with its row, its proven bounds and its lowering. `kind` holds the trait that
//! every kind implements. A new kind is a file, its module and a line in the table below.

mod advect;
mod arithmetic;
mod beds;
mod blend;
mod choices;
mod constant;
mod craters;
mod cubic;
mod curl;
mod curves;
mod distribution;
mod example;
mod fastnoise;
mod fractal;
mod hexagonal;
pub(crate) mod kind;
mod near;
mod open_simplex;
mod phasor;
mod polar;
mod position;
pub(crate) mod precision;
mod raster;
mod simplex;
mod smooth_cells;
mod space;
mod spline;
mod stamps;
mod warp;
mod waves;
mod white;
mod worley;

pub(crate) use spline::curve_range;

pub use crate::codec::{Georeference, HeightEncoding};
pub use crate::params::{Allowed, ControlPoint, Input, KindInfo, OutputInfo, ParamInfo, ParamType, QuantilePoint, Unit, UnknownWord};
pub use crate::program::{
    Accumulate, Axis, BedOutput, CraterOutput, FastnoiseDistance, FastnoiseFractal, FastnoiseReturn, FastnoiseRotation, FastnoiseType,
    FastnoiseVersion, FastnoiseWarp, FastnoiseWarpFractal, Interpolation, Metric, Outside, PhasorProfile, Sampling, SmoothOutput,
    StampCombine, StampPriority, WorleyOutput,
};
pub use crate::raster::{Digest, Heights, HeightsError, HeightsFile, Holes};
pub use choices::*;

use crate::params::{all_inputs_have_roles, kinds};
use kind::NodeKind;

kinds! {
    /// One node of a graph: its kind and its parameters.
    Node: NodeKind;

    constant::Constant = "constant",
    position::Coordinate = "coordinate",
    simplex::Simplex = "simplex",
    open_simplex::OpenSimplex2 = "open_simplex2",
    cubic::Value = "value",
    white::White = "white",
    cubic::Perlin = "perlin",
    worley::Worley = "worley",
    smooth_cells::SmoothCells = "smooth_cells",
    hexagonal::Hexagonal = "hexagonal",
    phasor::Phasor = "phasor",
    craters::Craters = "craters",
    beds::Beds = "beds",
    fastnoise::FastnoiseLite = "fastnoise_lite",
    fractal::Fractal = "fractal",
    spline::Spline = "spline",
    fractal::OctaveTable = "octave_table",
    spline::PointTable = "point_table",
    arithmetic::ScaleOffset = "scale_offset",
    arithmetic::Clamp = "clamp",
    arithmetic::Abs = "abs",
    arithmetic::Power = "power",
    arithmetic::Add = "add",
    arithmetic::Multiply = "multiply",
    arithmetic::Min = "min",
    arithmetic::Max = "max",
    blend::Blend = "blend",
    warp::Warp = "warp",
    waves::Hill = "hill",
    waves::Spectral = "spectral",
    position::Radius = "radius",
    raster::Raster = "raster",
    example::ByExample = "by_example",
    polar::Polar = "polar",
    space::Transform = "transform",
    space::Slice = "slice",
    space::Mirror = "mirror",
    space::Quantise = "quantise",
    space::Periodic = "periodic",
    warp::Domain = "domain",
    warp::Turbulence = "turbulence",
    stamps::Stamps = "stamps",
    curves::Smoothstep = "smoothstep",
    curves::Terrace = "terrace",
    curves::Threshold = "threshold",
    curves::Bias = "bias",
    curves::Gain = "gain",
    curves::Sine = "sine",
    distribution::Quantile = "quantile",
    distribution::Equalise = "equalise",
    blend::Select = "select",
    curl::Curl = "curl",
    curl::CrossGradients = "cross_gradients",
    advect::Advect = "advect",
}

const _: () = assert!(all_inputs_have_roles(Node::TABLE), "every input of a node states its role, and no other parameter does");
