//! Stamps: a sub-graph scattered over the plane.

use crate::graph::Noise;
use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep, times};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds, fast};
use crate::interval::Interval;
use crate::params::{Input, row};
use crate::program::lattice::Lattice;
use crate::program::{GraphError, Op, ProgramError, StampCombine, StampPriority};
use glam::DVec3;
use std::f64::consts::{PI, TAU};

row! {
    /// Copies of a disc of `of` at random points, each turned and scaled: one stone, dune or tree becomes a field of them. The disc
    /// lies around the origin. `of` may be any sub-graph, such as a `raster` whose middle is there: its `position` is minus half its
    /// width and height, and `outside` is `constant`.
    ///
    /// The points lie in the cells of square lattices, one in each. With `separation`, only points at a minimum distance stay. Between
    /// the discs the value is 0. Stamps fade to 0 at the edges of their discs, so there are no seams. With `cover`, a disc hides those
    /// under it, also where its stamp is 0. Positions are exact at any distance.
    ///
    /// The cost is that of `of` for every disc around a sample: up to nine times per lattice. With `separation`, a GPU also tests the
    /// points around each disc.
    Stamps {
        /// The sub-graph, sampled up to `radius` from its z axis.
        of: Input => Elsewhere;
        /// The way in which overlapping stamps combine. A maximum begins at 0, so stamps that are never above it, such as pits, are an
        /// error: they need `add` or `cover`.
        combine: StampCombine = StampCombine::Max, [structural];
        /// Stamps that lie on top with `cover`, and that stay where points are too near to each other.
        priority: StampPriority = StampPriority::Random, [structural];
        /// Radius of the disc, in world units; at most `wavelength`.
        radius: f64 = 40.0, [WAVELENGTH], World;
        /// Extent of `of` along z, in world units; at most `wavelength`. Each stamp is a slice at a random z from 0 to this. So a noise
        /// in 3D gives each another shape.
        thickness: f64 = 0.0, [0 to 1e12], World;
        /// Share of the radius in which a stamp fades to 0.
        fade: f64 = 0.3, [0.001 to 1], Unitless;
        /// Differences in size: scales are from `1 − variation` to 1.
        variation: f64 = 0.5, [0 to 0.9], Unitless;
        /// Share of a scale that heights have as well: with 0 small stamps are as high as large ones, with 1 they have the same slopes.
        lift: f64 = 1.0, [SHARE], Unitless;
        /// Maximum of the random rotation from the x axis towards y, in turns: 0 turns no stamp, 1 turns them in all directions.
        rotation: f64 = 1.0, [SHARE], Unitless;
        /// Share of cells with a stamp.
        density: f64 = 1.0, [SHARE], Unitless;
        /// Maximum displacement of stamps from the middle of their cell: 0 gives a regular grid, 1 allows anywhere in the cell.
        jitter: f64 = 1.0, [SHARE], Unitless;
        /// Number of lattices on top of each other, so of stamps per cell. Without jitter they coincide.
        lattices: u32 = 1, [1 to 4], Unitless;
        /// Minimum distance between points, in world units; at most `wavelength`. Of two points that are nearer, the one with priority
        /// stays. If a third one displaces it, the other may stay. With twice the radius, no discs overlap. With one wavelength, 0.44
        /// points per cell stay of one lattice, and 0.50 of four. Points up to 1/5000 of a wavelength farther count as too near.
        separation: f64 = 0.0, [0 to 1e12], World;
        /// Edge of a cell, in world units.
        wavelength: f64 = 100.0, [WAVELENGTH], World;
        /// Seed of the hash and the lattice offset.
        seed: u64 = 0, [seed], Unitless;
        /// Offset added to the position, in world units, instead of the offset derived from the seed.
        offset: Option<[f64; 3]> = None, [POSITION], World;
    }
}

impl Noise {
    /// Copies of this noise at random points.
    pub fn stamps(self, mut params: Stamps) -> Self {
        self.then(|of| {
            params.of = of;
            params
        })
    }
}

/// More than the share of the largest magnitude by which a bound of 0 is rounded.
const ROUNDING: f64 = 1e-6;
/// Random numbers of 16 bits.
const RANDOM: f64 = 65_536.0;

impl NodeKind for Stamps {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        for (param, length) in [("radius", self.radius), ("thickness", self.thickness), ("separation", self.separation)] {
            if length > self.wavelength {
                return at.refuse(param, format!("{length}"), format!("up to the wavelength, {}", self.wavelength));
            }
        }
        Ok(())
    }

    /// A stamp is a share of `of` in its disc. Of several, the highest or a weighted mean lies between 0 and the extremes of `of`. A
    /// sum has one such term for each disc.
    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        let one = inputs.within(&self.of, [self.radius, self.thickness]).hull(Interval::new(0.0, 0.0));
        let all = self.overlapping();
        match self.combine {
            // The maximum begins at 0.
            StampCombine::Max => Interval { lo: 0.0, ..one.loosened(64.0, one.magnitude() * all) },
            StampCombine::Cover => one.loosened(64.0, one.magnitude() * all),
            StampCombine::Add => Interval::new(one.lo * all, one.hi * all).loosened(64.0, one.magnitude() * all),
        }
    }

    /// A stamp is as much steeper than `of` as it is smaller, and less high. A weight `w` has a slope of at most
    /// `W = 3 / (radius · scale · (1 − (1 − fade)²))`.
    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let of = rule.scaled(rule.input(&self.of), 1.0 / self.scale());
        let weight = 3.0 / (self.radius * self.scale() * self.faded());
        let (height, all) = (rule.magnitude_within(&self.of, [self.radius, self.thickness]), self.overlapping());
        let one = of.gradient + times(height, weight);
        let gradient = match self.combine {
            StampCombine::Max => one,
            StampCombine::Add => times(all, one),
            // As for craters: the priority rises by W with each stamp, and the share that shows by 6 times as much.
            StampCombine::Cover => of.gradient + times(2.0 * height, all * (weight + 6.0 * all * weight)),
        };
        rule.of(gradient, &[of])
    }

    fn precision(&self) -> Precision {
        Precision { fast: fast::DISPLACED, ..Precision::of_lattice(2e-5, self.wavelength) }
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let all = InputRanges { graph: site.graph(), ranges: &|input| site.range(input) }.within(&self.of, [self.radius, self.thickness]);
        if self.combine == StampCombine::Max && all.lo < 0.0 && all.hi <= ROUNDING * all.magnitude() {
            let allowed = "'add' or 'cover' for stamps that are never above 0, since a maximum begins at 0";
            return Err(GraphError::parameter(site.name, "combine", "'max'", allowed).into());
        }
        let lattice = Lattice::cubic(2, self.wavelength, self.seed, self.offset);
        let (context, cells) = (site.context, self.wavelength / self.radius);
        for instance in &context.instances {
            lattice.fit(instance).map_err(|mismatch| site.period_mismatch(mismatch))?;
        }
        let frames = site.frames(false, |instance| [lattice.frame(instance)])?;
        // In steps of 2⁻²⁰, so that no offset of a point is subnormal in f32.
        let numbers = site.scalar((self.jitter * 1_048_576.0).round() / 1_048_576.0 / RANDOM);
        // Halfway between two random numbers, so that f32 and f64 agree on which cells have a stamp.
        site.scalar((self.density * RANDOM).round() - 0.5);
        let discs = 9.0 * f64::from(self.lattices);
        for number in [1.0 / self.scale() - 1.0, self.rotation, self.wavelength, cells * cells, self.lift, 1.0 / self.faded(), discs] {
            site.scalar(number);
        }
        site.scalar((self.jitter * RANDOM).round());
        site.scalar(self.steps_apart());
        site.scalar(self.thickness);
        let reach = DVec3::new(self.radius, self.radius, self.thickness);
        let inner = context.placed(context.each(|instance| instance.placed(DVec3::ZERO, reach)));
        Ok(Op::Stamps { body: site.body(&self.of, &inner)?, combine: self.combine, priority: self.priority, frames, numbers })
    }
}

impl Stamps {
    /// The smallest scale.
    fn scale(&self) -> f64 {
        1.0 - self.variation
    }

    /// The share of the squared radius in which a stamp fades.
    fn faded(&self) -> f64 {
        1.0 - (1.0 - self.fade) * (1.0 - self.fade)
    }

    /// The minimum distance of points that the kernels compare, in steps of 2⁻¹⁴ cells. Places in cells are cut off to such steps, and
    /// the jitter is rounded to 2⁻¹⁶. So distances are up to 1.61 steps shorter. The rest is for the rounding of discs.
    fn steps_apart(&self) -> f64 {
        if self.separation > 0.0 { (self.separation / self.wavelength * 16_384.0).ceil() + 2.0 } else { 0.0 }
    }

    /// The largest number of discs around a sample.
    fn overlapping(&self) -> f64 {
        let along = libm::ceil(2.0 * self.radius / self.wavelength) + 1.0;
        let cells = f64::from(self.lattices) * (along * along).min(9.0);
        if self.separation > 0.0 { cells.min(most_around(self.radius / self.separation)) } else { cells }
    }
}

/// The largest number of points within a radius around a sample whose distances from each other are at least 1.
///
/// Of `n` points around a sample, two lie in directions at most 1/n of a turn apart. Both are nearer to the sample than the radius `r`,
/// so they are nearer to each other than the longer of `r` and `2 r sin(π/n)`. For up to six points, that is at most 1 if
/// `r ≤ 1 / (2 sin(π/n))`. For larger radii: a convex region with area `A` and perimeter `P` has room for at most `2A/√3 + P/2 + 1`
/// points (Oler, "An inequality in the geometry of numbers", 1961).
fn most_around(radius: f64) -> f64 {
    let few = (2..=6).find(|&n| 2.0 * radius * libm::sin(PI / f64::from(n)) <= 1.0);
    few.map_or_else(|| (radius * radius * TAU / libm::sqrt(3.0) + radius * PI + 1.0).floor(), |n| f64::from(n) - 1.0)
}
