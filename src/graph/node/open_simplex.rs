//! OpenSimplex2 and OpenSimplex2S.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep};
use crate::graph::node::choices::{OpenSimplexVariant, Orientation};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::interval::Interval;
use crate::params::row;
use crate::program::lattice::{FourthTurn, Lattice, Repeats, Rows};
use crate::program::{Basis, GraphError, Op, OpenSimplexShape, Pointwise, ProgramError};
use glam::{DMat3, DMat4, DVec4};

row! {
    /// OpenSimplex2, and the smoother OpenSimplex2S or SuperSimplex (K.jpg, 2020); signed.
    ///
    /// The sum over all lattice points within a reach `r` of `(r² − d²)⁴` times the gradient and the offset. `r²` is 1/2 in 2D and
    /// 0.6 in 3D and 4D; for OpenSimplex2S 2/3, 3/4 and 4/5. Values are scaled to fill [−1, 1] and never leave it. The numbers
    /// are not those of other libraries, which have other hashes. The original of OpenSimplex2 leaves out some points near the end
    /// of the reach in 3D and 4D, and jumps a little there. This node includes them.
    ///
    /// In 2D it looks like `simplex`. In 3D and 4D its reach is longer than that of `simplex`, so it is smoother.
    ///
    /// `periodic` turns the lattice until its rows lie along the axes, and stretches it to the nearest whole number of units. The
    /// classic orientation in 3D and 4D has no period.
    OpenSimplex2 {
        /// Number of dimensions: 2 (reads x and y), 3, or 4 (also `w`).
        dimensions: u32 = 2, [dimensions 2 to 4], Unitless;
        /// The variant.
        variant: OpenSimplexVariant = OpenSimplexVariant::Fast, [structural];
        /// The turn of the lattice. In 2D, `improve_xz` is for worlds seen from the side: the diagonal lies along y. The others
        /// are the same in 2D.
        orientation: Orientation = Orientation::ImproveXy;
        /// Position along the fourth axis, such as time, in world units. Read in 4D.
        w: f64 = 0.0, [COORDINATE], World;
        /// Size of a lattice cell in world units, as for `simplex`: 1 / frequency.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of the hash and the lattice offset.
        seed: u64 = 0, [seed], Unitless;
        /// Offset added to the position, in world units, instead of the offset derived from the seed.
        offset: Option<[f64; 3]> = None, [POSITION], World;
    }
}

impl Noise {
    /// OpenSimplex2.
    pub fn open_simplex2(params: OpenSimplex2) -> Self {
        Self::source(params)
    }
}

/// The steepest gradient per cell, a quarter above the largest that a search found: in 2D to 4D, of OpenSimplex2 and
/// OpenSimplex2S.
const STEEPEST: [[f64; 2]; 3] = [[9.5, 6.0], [8.3, 7.1], [8.6, 6.3]];

const ROOT_3: f64 = 1.732_050_807_568_877_2;
const ROOT_6: f64 = 2.449_489_742_783_178;
const ROOT_12: f64 = 3.464_101_615_137_754_6;
const ROOT_5: f64 = 2.236_067_977_499_79;
/// (3 − √3) / 6.
const UNSKEW_2: f64 = 0.211_324_865_405_187_1;
/// The skew of the plane: (√3 − 1) / 2.
const SKEW_2: f64 = 0.366_025_403_784_438_6;
/// The skew in 4D: (√5 − 1) / 4.
const SKEW_4: f64 = 0.309_016_994_374_947_45;

impl NodeKind for OpenSimplex2 {
    fn check(&self, _: &CheckedNode<'_>) -> Result<(), GraphError> {
        Ok(())
    }

    /// The scale is below 1 / the largest sum of each point's best gradient.
    fn range(&self, _: &InputRanges<'_>) -> Interval {
        Interval::new(-1.0, 1.0)
    }

    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        rule.basis(STEEPEST[self.dimensions as usize - 2][usize::from(self.smooth())] / self.wavelength)
    }

    fn precision(&self) -> Precision {
        Precision::of_lattice(2e-6, self.wavelength)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let shape = OpenSimplexShape { dimensions: self.dimensions, smooth: self.smooth() };
        site.lattice(Basis::Pointwise(Pointwise::OpenSimplex(shape)), &self.lattice())
    }
}

impl OpenSimplex2 {
    fn smooth(&self) -> bool {
        self.variant == OpenSimplexVariant::Smooth
    }

    fn lattice(&self) -> Lattice {
        let matrix = match self.dimensions {
            2 => self.plane(),
            3 => self.space(),
            _ => self.four(),
        };
        Lattice {
            skew: DMat3::from_mat4(matrix),
            repeats: self.repeats(),
            fourth: self.w,
            fourth_turn: (self.dimensions == 4).then(|| FourthTurn::of(matrix)),
            ..Lattice::cubic(self.dimensions, self.wavelength, self.seed, self.offset)
        }
    }

    /// World axes → lattice axes in 2D.
    fn plane(&self) -> DMat4 {
        match self.orientation {
            Orientation::Classic | Orientation::ImproveXy => of_rows([[1.0 + SKEW_2, SKEW_2, 0.0, 0.0], [SKEW_2, 1.0 + SKEW_2, 0.0, 0.0]]),
            Orientation::ImproveXz => rows_2(),
        }
    }

    /// World axes → the cubic lattice: a rotation.
    fn space(&self) -> DMat4 {
        let third = 1.0 / ROOT_3;
        let improved =
            of_rows([[1.0 - UNSKEW_2, -UNSKEW_2, third, 0.0], [-UNSKEW_2, 1.0 - UNSKEW_2, third, 0.0], [-third, -third, third, 0.0]]);
        let (a, b) = (2.0 / 3.0, -1.0 / 3.0);
        match self.orientation {
            Orientation::Classic => of_rows([[b, a, a, 0.0], [a, b, a, 0.0], [a, a, b, 0.0]]),
            Orientation::ImproveXy => improved,
            Orientation::ImproveXz => improved * exchange_yz(),
        }
    }

    /// World axes → the skewed lattice in 4D. The skew stretches only `w` of an improved orientation: the others add up to 0. (Sums
    /// that are 0 but for rounding would be steps that fixed point cannot hold.)
    fn four(&self) -> DMat4 {
        let (third, quarter, w) = (1.0 / ROOT_3, 1.0 / ROOT_12, ROOT_5 / 2.0);
        let improved = of_rows([
            [1.0 - UNSKEW_2, -UNSKEW_2, quarter, w],
            [-UNSKEW_2, 1.0 - UNSKEW_2, quarter, w],
            [-third, -third, quarter, w],
            [0.0, 0.0, -3.0 * quarter, w],
        ]);
        match self.orientation {
            Orientation::Classic => of_rows([[SKEW_4; 4]; 4]) + DMat4::IDENTITY,
            Orientation::ImproveXy => improved,
            Orientation::ImproveXz => improved * exchange_yz(),
        }
    }

    /// Periods: rows of points lie along x, and layers of them across the axis of time or height.
    fn repeats(&self) -> Repeats {
        let turn = |matrix: DMat4| if self.orientation == Orientation::ImproveXz { matrix * exchange_yz() } else { matrix };
        let order = if self.orientation == Orientation::ImproveXz { [0, 2, 1, 3] } else { [0, 1, 2, 3] };
        let rows = |matrix: DMat4, lengths: [f64; 4], steps: [f64; 4], least: f64| {
            let mut units = lengths;
            for (length, axis) in lengths.into_iter().zip(order) {
                units[axis] = length;
            }
            Repeats::Rows(Rows { matrix: turn(matrix), units, hashed: [0, 1, 2, 3].map(|k| (order[k], steps[k])), least })
        };
        let (x, y) = (std::f64::consts::FRAC_1_SQRT_2, 1.0 / ROOT_6);
        match (self.dimensions, self.orientation) {
            (2, _) => {
                let units = [std::f64::consts::SQRT_2, std::f64::consts::SQRT_2 / ROOT_3, 1.0, 1.0];
                let hashed = [(0, 2.0), (1, 2.0), (2, 0.0), (3, 0.0)];
                Repeats::Rows(Rows { matrix: rows_2(), units, hashed, least: 1.0 })
            }
            (_, Orientation::Classic) => Repeats::Never(r#"use orientation = "improve_xy" or "improve_xz""#),
            (3, _) => {
                let z = 1.0 / ROOT_3;
                let matrix = of_rows([[x, y, z, 0.0], [-x, y, z, 0.0], [0.0, -2.0 * y, z, 0.0]]);
                rows(matrix, [std::f64::consts::SQRT_2, ROOT_6, ROOT_3 / 2.0, 1.0], [2.0, 6.0, 3.0, 0.0], 2.0)
            }
            _ => {
                let (z, w) = (1.0 / ROOT_12, ROOT_5 / 2.0);
                let matrix = of_rows([[x, y, z, w], [-x, y, z, w], [0.0, -2.0 * y, z, w], [0.0, 0.0, -3.0 * z, w]]);
                rows(matrix, [std::f64::consts::SQRT_2, ROOT_6, ROOT_12, 2.0 / ROOT_5], [2.0, 6.0, 12.0, 4.0], 2.0)
            }
        }
    }
}

/// A matrix of these rows, and of zeros.
fn of_rows<const COUNT: usize>(rows: [[f64; 4]; COUNT]) -> DMat4 {
    let row = |k: usize| rows.get(k).map_or(DVec4::ZERO, |&row| DVec4::from(row));
    DMat4::from_cols(row(0), row(1), row(2), row(3)).transpose()
}

/// The lattice of triangles with rows along x.
fn rows_2() -> DMat4 {
    let x = std::f64::consts::FRAC_1_SQRT_2;
    of_rows([[x, x * ROOT_3, 0.0, 0.0], [-x, x * ROOT_3, 0.0, 0.0]])
}

fn exchange_yz() -> DMat4 {
    of_rows([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
}
