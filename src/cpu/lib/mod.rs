//! The formulas: each file is the twin of its namesake in `shaders/lib/`. With `GRADIENT` a formula computes gradients; with
//! `PERIODIC` its lattice has periods. Otherwise that code is not compiled.

pub(crate) mod curve;
pub(crate) mod exact;
pub(crate) mod fastnoise;
pub(crate) mod fastnoise_cellular;
pub(crate) mod fastnoise_lattice;
pub(crate) mod fastnoise_simplex;
pub(crate) mod fastnoise_warp;
pub(crate) mod flow;
pub(crate) mod fractal;
pub(crate) mod frame;
pub(crate) mod gradient;
pub(crate) mod hash;
pub(crate) mod hexagonal;
pub(crate) mod interpolate;
pub(crate) mod jet;
pub(crate) mod lattice;
pub(crate) mod permutation289;
pub(crate) mod point;
pub(crate) mod polar;
pub(crate) mod power;
pub(crate) mod raster;
pub(crate) mod root;
pub(crate) mod shift;
pub(crate) mod simplex;
pub(crate) mod sine;
pub(crate) mod skewed;
pub(crate) mod smooth_cells;
pub(crate) mod spline;
#[cfg(feature = "gpu")]
pub(crate) mod texel;
pub(crate) mod transcendental;
pub(crate) mod turn;
pub(crate) mod white;
pub(crate) mod worley;
