//! Bounds of the error of a node's values, in f32 and in fast arithmetic.

use crate::graph::Graph;
use crate::params::Input;

/// Bounds of the difference between fast and exact arithmetic: values and gradients, as shares of the largest magnitude in the
/// region.
pub(crate) mod fast {
    /// For a node that is computed from exact positions.
    pub const PLAIN: [f64; 2] = [2e-5, 2e-4];
    /// For a node that displaces positions by values: the slope of the displaced noise multiplies their error.
    pub const DISPLACED: [f64; 2] = [1e-4, 1e-3];
    /// For circles, where positions themselves are f32.
    pub const CIRCLES: [f64; 2] = [1e-3, 1e-2];
    /// For a node whose values are gradients of others.
    pub const SLOPES: [f64; 2] = [1e-3, 1e-2];
    /// For a noise that differs between drivers, or whose error grows with the distance from the origin.
    pub const UNBOUNDED: [f64; 2] = [f64::INFINITY; 2];
}

/// Bounds of the error of a node's values, for exact inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Precision {
    /// Bound of the difference between a value in f32 and in f64 at the same position, as a share of the largest possible
    /// magnitude.
    pub rounding: f64,
    /// World units along each axis per 1.0 of the fraction that holds the node's position; 0 for an axis that the node does not
    /// read.
    pub cell: [f64; 3],
    /// The inputs whose values are positions or displacements of `of`.
    pub positions: &'static [&'static str],
    /// World units per 1.0 of those.
    pub position_unit: f64,
    /// Bound of the error of fast arithmetic: one of [`fast`].
    pub fast: [f64; 2],
}

impl Precision {
    /// For a node that reads no fraction of a cell: it is computed from its inputs' values, or from coordinates as integers.
    pub fn of_values(rounding: f64) -> Self {
        Precision { rounding, cell: [0.0; 3], positions: &[], position_unit: 1.0, fast: fast::PLAIN }
    }

    /// For a noise on a lattice with cells of this size.
    pub fn of_lattice(rounding: f64, wavelength: f64) -> Self {
        Precision { cell: [wavelength; 3], ..Precision::of_values(rounding) }
    }
}

/// Rounding in a node besides that of its own values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rounds {
    /// Magnitude of an intermediate value that may be larger than every value and is rounded as well; 0 if there is none.
    pub largest: f64,
    /// The input of a curve, with the magnitude of that input and of the numbers that the curve compares it with or adds to it,
    /// in units of the input.
    pub argument: Option<(&'static str, f64)>,
}

impl Rounds {
    /// No other rounding.
    pub const VALUES: Rounds = Rounds { largest: 0.0, argument: None };
}

/// The largest magnitudes of a node's inputs.
pub(crate) struct Magnitudes<'a> {
    /// The graph that the node is in.
    pub graph: &'a Graph,
    /// The largest magnitude of an input.
    pub magnitudes: &'a dyn Fn(&Input) -> f64,
}

impl Magnitudes<'_> {
    /// The largest magnitude of an input.
    pub fn of(&self, input: &Input) -> f64 {
        (self.magnitudes)(input)
    }

    /// For a curve of the input `of`, whose own numbers have magnitude `beside`.
    pub fn argument(&self, of: &Input, beside: f64) -> Rounds {
        Rounds { largest: 0.0, argument: Some(("of", self.of(of) + beside)) }
    }
}
