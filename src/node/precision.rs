//! How far the values of a node may be off: in f32, and in fast arithmetic.

use crate::graph::Graph;
use crate::params::Input;

/// How far fast arithmetic may be from exact: values and gradients, as shares of the largest magnitude in the region.
pub(crate) mod fast {
    /// For a node that is computed from exact positions.
    pub const PLAIN: [f64; 2] = [2e-5, 2e-4];
    /// For a node that displaces positions by values, whose error is multiplied by the slope of the displaced noise.
    pub const DISPLACED: [f64; 2] = [1e-4, 1e-3];
    /// For circles, on which positions are f32 themselves.
    pub const CIRCLES: [f64; 2] = [1e-3, 1e-2];
    /// For a noise that is another one on every driver.
    pub const UNBOUNDED: [f64; 2] = [f64::INFINITY; 2];
}

/// How far the values of a node may be off, its inputs being exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Precision {
    /// How far a value in f32 may be from the one in f64, at the same position: a share of the largest magnitude that it can have.
    pub rounding: f64,
    /// World units along each axis per 1.0 of the fraction in which the node has its position; 0 where it has none.
    pub cell: [f64; 3],
    /// The inputs whose values are positions or displacements of `of`.
    pub positions: &'static [&'static str],
    /// World units per 1.0 of those.
    pub position_unit: f64,
    /// How far fast arithmetic may be off: one of [`fast`].
    pub fast: [f64; 2],
}

impl Precision {
    /// For a node that reads no fraction of a cell: it is computed from its inputs' values, or from coordinates as whole numbers.
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
    /// A number that is rounded likewise on the way, if that may be larger than every value; 0 if none is.
    pub largest: f64,
    /// The input of a curve: how large the input and the numbers are that the curve compares it with or adds to it, in units of the input.
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
    /// That of an input.
    pub magnitudes: &'a dyn Fn(&Input) -> f64,
}

impl Magnitudes<'_> {
    /// The largest magnitude of an input.
    pub fn of(&self, input: &Input) -> f64 {
        (self.magnitudes)(input)
    }

    /// For a curve of the input `of`, whose own numbers are as large as `beside`.
    pub fn argument(&self, of: &Input, beside: f64) -> Rounds {
        Rounds { largest: 0.0, argument: Some(("of", self.of(of) + beside)) }
    }
}
