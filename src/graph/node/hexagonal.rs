//! Noise on a map of hexagons.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep};
use crate::graph::node::choices::HexHash;
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::interval::Interval;
use crate::params::row;
use crate::program::instance::rows;
use crate::program::lattice::{Lattice, Repeats};
use crate::program::{Basis, GraphError, Op, Pointwise, ProgramError, Seed};
use glam::DVec3;

row! {
    /// Noise on a map of hexagons: one value per hexagon, `Σ gradient(neighbour) · (hexagon − neighbour) / 7` over its six
    /// neighbours in cubic coordinates (q, r, s). Signed: the article's value is half of this plus 1/2. Hexagons have corners
    /// at the top and bottom; the centre of (0, 0, 0) is at the origin.
    ///
    /// `integer` uses 48 hashed unit gradients; values are proven to lie within ±1.1544. `tables` uses the article's 256-entry
    /// permutation, its prime 521 and 32 unit gradients, given or derived from the seed; values lie within ±1.2122, and its
    /// `abs` mirrors the map at every axis.
    Hexagonal {
        /// Source of the hexagons' gradients.
        hash: HexHash = HexHash::Integer, [structural];
        /// Distance between the centres of neighbouring hexagons, in world units.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of the hash, or of the tables that are omitted.
        seed: u64 = 0, [seed], Unitless;
        /// Offset added to the position, in world units.
        offset: [f64; 3] = [0.0; 3], [POSITION], World;
        /// For `tables`: a permutation of the numbers 0 to 255.
        permutation: Option<Vec<f64>> = None, [list 256 of 0 to 255], Unitless;
        /// For `tables`: 32 gradients in (q, r, s).
        gradients: Option<Vec<[f64; 3]>> = None, [each -1 to 1], Unitless;
    }
}

impl Noise {
    /// Noise on a map of hexagons.
    pub fn hexagonal(params: Hexagonal) -> Self {
        Self::source(params)
    }
}

/// Offsets from a hexagon's neighbours to it, in cubic coordinates, in the order of summation.
const NEIGHBOURS: [[f64; 3]; 6] =
    [[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0], [0.0, -1.0, 1.0], [1.0, -1.0, 0.0], [1.0, 0.0, -1.0], [0.0, 1.0, -1.0]];
/// 2⁻²⁰ of a cell: far more than rounding, far less than the distance of samples.
const NUDGE: DVec3 = DVec3::new(1.0 / 1_048_576.0, 0.0, 0.0);

impl NodeKind for Hexagonal {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        if let Some(permutation) = &self.permutation {
            let mut sorted = permutation.clone();
            sorted.sort_by(f64::total_cmp);
            if !sorted.iter().copied().eq((0..256).map(f64::from)) {
                return at.refuse("permutation", format!("{} numbers", permutation.len()), "every whole number from 0 to 255 once");
            }
        }
        if let Some(given) = self.gradients.as_ref().filter(|given| given.len() != 32) {
            return at.refuse("gradients", format!("{} gradients", given.len()), "32");
        }
        Ok(())
    }

    /// Bounds six products of a unit gradient with a vector of length √2, over 7. The 48 directions give at most 1.34679 each.
    fn range(&self, _: &InputRanges<'_>) -> Interval {
        match self.hash {
            HexHash::Integer => Interval::new(-1.1544, 1.1544),
            HexHash::Tables => self.tables_range(),
        }
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.basis(0.0)
    }

    fn precision(&self) -> Precision {
        Precision::of_lattice(2e-6, self.wavelength)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let noise = match self.hash {
            HexHash::Integer => Pointwise::Hexagonal,
            HexHash::Tables => Pointwise::HexagonalTables(site.series(self.tables())),
        };
        site.lattice(Basis::Pointwise(noise), &self.lattice())
    }
}

impl Hexagonal {
    /// Bounds six products, each with the gradient that suits the neighbour best.
    fn tables_range(&self) -> Interval {
        let gradients = self.gradients.clone().unwrap_or_else(|| vec![[1.0, 0.0, 0.0]]);
        let best = |d: [f64; 3]| gradients.iter().map(|g| g[0] * d[0] + g[1] * d[1] + g[2] * d[2]).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = NEIGHBOURS.iter().map(|&d| best(d)).sum();
        // Gradients derived from the seed may point anywhere.
        let most = if self.gradients.is_some() { sum / 7.0 } else { 6.0 * 2f64.sqrt() / 7.0 };
        // Neighbours come in opposite pairs, but the best of a finite set of gradients need not.
        let worst = |d: [f64; 3]| gradients.iter().map(|g| g[0] * d[0] + g[1] * d[1] + g[2] * d[2]).fold(f64::INFINITY, f64::min);
        let least: f64 = NEIGHBOURS.iter().map(|&d| worst(d)).sum::<f64>() / 7.0;
        Interval { lo: if self.gradients.is_some() { least } else { -most }, hi: most }.loosened(16.0, 2.0)
    }

    /// Hexagons with corners at the top and bottom, in axial coordinates; two rows repeat. Their vertical borders lie at
    /// multiples of half a wavelength: a sample on one belongs to the hexagon on its right.
    fn lattice(&self) -> Lattice {
        let root = 3f64.sqrt();
        let axial = rows([DVec3::new(1.0, -1.0 / root, 0.0), DVec3::new(0.0, 2.0 / root, 0.0), DVec3::ZERO]);
        Lattice {
            skew: axial,
            wavelength: self.wavelength,
            seed: Some(self.seed),
            offset: Some(self.offset),
            repeats: Repeats::AsItIs { multiples: [1.0, root, 1.0], points: [1.0, 2.0 / root, 1.0] },
            fourth: 0.0,
            fourth_skew: 0.0,
            turning: None,
            fourth_turn: None,
            nudge: NUDGE,
        }
    }

    /// The permutation and the gradients, given or derived from the seed: a Fisher–Yates shuffle, and points of a cube
    /// normalised to length 1 as in the article.
    fn tables(&self) -> Vec<f64> {
        let seed = Seed::default().with(self.seed);
        let share = |stream: u64, i: u64| seed.with(stream).with(i).offset(1.0);
        let shuffled = || {
            let mut order: Vec<f64> = (0..256).map(f64::from).collect();
            for i in (1..256usize).rev() {
                let j = ((share(0, i as u64)[0] * 0.5 + 0.5) * (i as f64 + 1.0)) as usize;
                order.swap(i, j.min(i));
            }
            order
        };
        let random = || (0..32).map(|i| DVec3::from(share(1, i)).normalize_or(DVec3::X).to_array()).collect();
        let mut tables = self.permutation.clone().unwrap_or_else(shuffled);
        let gradients: Vec<[f64; 3]> = self.gradients.clone().unwrap_or_else(random);
        tables.extend(gradients.as_flattened());
        tables
    }
}
