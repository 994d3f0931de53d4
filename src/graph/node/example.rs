//! Noise by example.

use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep, steepest_piece, times};
use crate::graph::node::kind::{CheckedNode, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::graph::node::raster::STEEPEST;
use crate::graph::node::{Node, Raster};
use crate::graph::{Graph, Noise};
use crate::interval::Interval;
use crate::params::{Input, row, short};
use crate::program::lattice::{Lattice, Repeats};
use crate::program::{GraphError, Op, ProgramError, Sampling, SplinePoint};
use crate::raster::{Example, NORMAL};
use glam::{DMat3, DVec3};

row! {
    /// An endless surface that looks like a raster, without seams and without repetition.
    ///
    /// Around each corner of a grid of triangles lies a part of the raster from a random place. A sample blends three parts so
    /// that the distribution of values remains that of the raster. It suits rock, grass, sand, bark and other surfaces without
    /// large shapes. Features should be smaller than `tile`; the raster need not repeat. Nodes with the same seed, `tile` and size
    /// of raster take the same parts: use three of them for the channels of a colour.
    ///
    /// Sources: Heitz and Neyret, "High-performance by-example noise using a histogram-preserving blending operator", 2018;
    /// Mikkelsen, "Practical real-time hex-tiling", 2022.
    ///
    /// The cost is that of three lookups in a raster.
    ByExample {
        /// A node `raster`. Its samples, `spacing` and `sampling` are read, not its position.
        of: Input => Elsewhere;
        /// Edge of a triangle, in world units. At most half the shorter side of the raster. If omitted, a quarter of that side.
        tile: Option<f64> = None, [WAVELENGTH], World;
        /// Parts are turned by up to this angle to both sides, in degrees.
        rotation: f64 = 0.0, [0 to 180], Degrees;
        /// Narrowness of the borders between parts, as an exponent of their weights: 1 blends over whole triangles.
        sharpness: f64 = 2.0, [1 to 8], Unitless;
        /// Seed of the hash and the lattice offset.
        seed: u64 = 0, [seed], Unitless;
        /// Offset added to the position, in world units, instead of the offset derived from the seed.
        offset: Option<[f64; 3]> = None, [POSITION], World;
    }
}

impl Noise {
    /// An endless surface that looks like this raster.
    pub fn by_example(self, mut params: ByExample) -> Self {
        self.then(|of| {
            params.of = of;
            params
        })
    }
}

/// Most samples of an exemplar, which are sorted once.
const MOST_SAMPLES: usize = 1 << 24;

impl ByExample {
    /// The raster that it reads.
    fn raster<'a>(&self, graph: &'a Graph) -> Option<&'a Raster> {
        let Input::Node(name) = &self.of else { return None };
        match graph.node.get(name) {
            Some(Node::Raster(raster)) => Some(raster),
            _ => None,
        }
    }

    /// The exemplar; `None` before the raster is read.
    fn example(&self, graph: &Graph) -> Option<Example> {
        let raster = self.raster(graph)?;
        raster.heights.example(raster.sampling == Sampling::Cubic, raster.holes)
    }

    /// The edge of a triangle.
    fn edge(&self, raster: &Raster, size: [u32; 2]) -> f64 {
        self.tile.unwrap_or_else(|| 0.25 * shorter(raster, size))
    }

    /// From normal numbers to values, as straight pieces.
    fn curve(example: &Example) -> Vec<SplinePoint> {
        let last = example.quantiles.len() - 1;
        let at = |i: usize| NORMAL * (2.0 * i as f64 / last as f64 - 1.0);
        let pieces = example.quantiles.windows(2).enumerate().map(|(i, pair)| SplinePoint {
            at: at(i),
            value: pair[0],
            anchor: 0.5 * (pair[0] + pair[1]),
            inverse_width: 1.0 / (at(i + 1) - at(i)),
        });
        let end = SplinePoint { at: at(last), value: example.quantiles[last], anchor: example.quantiles[last], inverse_width: 0.0 };
        pieces.chain([end]).collect()
    }
}

/// The shorter side of a raster, in world units.
fn shorter(raster: &Raster, size: [u32; 2]) -> f64 {
    let side = |axis: usize| f64::from(size[axis] - 1) * raster.spacing[axis].abs();
    side(0).min(side(1))
}

impl NodeKind for ByExample {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        let Some(raster) = self.raster(at.graph) else {
            let told = match &self.of {
                Input::Node(name) => format!("'{name}'"),
                Input::Value(x) => short(*x),
                Input::Missing => "no node".to_owned(),
            };
            return at.refuse("of", told, "the name of a node raster");
        };
        let Some(size) = raster.heights.size() else { return Ok(()) };
        let most = 0.5 * shorter(raster, size);
        if most <= 0.0 {
            return at.refuse("of", format!("{} × {} samples", size[0], size[1]), "a raster of 2 × 2 samples or more");
        }
        let samples = size[0] as usize * size[1] as usize;
        if samples > MOST_SAMPLES {
            return at.refuse("of", format!("{samples} samples"), format!("a raster of up to {MOST_SAMPLES} samples"));
        }
        if self.edge(raster, size) > most {
            return at.refuse("tile", short(self.edge(raster, size)), format!("up to half the raster's shorter side, {}", short(most)));
        }
        Ok(())
    }

    /// The curve ends at the smallest and the largest sample.
    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        let Some(example) = self.example(inputs.graph) else { return Interval::new(0.0, 0.0) };
        let (lo, hi) = (example.quantiles[0], example.quantiles[example.quantiles.len() - 1]);
        let within = Interval::new(lo, hi);
        within.loosened(8.0, within.magnitude())
    }

    /// Weights are powers of shares that sum to 1. The largest share is 1/3 or more, so the root of the sum of squared weights is at
    /// least `3^−e`. A blend `Σ wᵢgᵢ / √Σ wᵢ²` is at most `√3 |g|`.
    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let (Some(raster), Some(example)) = (self.raster(rule.graph), self.example(rule.graph)) else { return rule.basis(0.0) };
        let spacing = raster.spacing[0].abs().min(raster.spacing[1].abs());
        let normal = f64::from(example.surface.range[0].abs().max(example.surface.range[1].abs()));
        let per_sample = match raster.sampling {
            Sampling::Nearest => 0.0,
            Sampling::Linear => 2.0 * std::f64::consts::SQRT_2,
            Sampling::Cubic => STEEPEST,
        };
        let root = libm::pow(3.0, self.sharpness);
        // Shares change by 2/√3 per edge, their powers by up to the exponent times that.
        let weights = 3.0 * self.sharpness * 2.0 / 3f64.sqrt() / self.edge(raster, example.surface.size);
        let own = 3f64.sqrt() * times(per_sample, normal) / spacing + 3.0 * normal * root * weights;
        rule.basis(times(steepest_piece(&Self::curve(&example)), own))
    }

    fn precision(&self) -> Precision {
        Precision::of_lattice(1e-4, self.tile.unwrap_or(1.0))
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        let raster = self.raster(site.graph()).expect("invariant: checked").clone();
        let example = self.example(site.graph()).expect("invariant: ranges refuse rasters that have not been read");
        let size = example.surface.size;
        let edge = self.edge(&raster, size);
        let frames = site.lattice_frames(&self.lattice(edge))?;
        let (index, first) = site.raster(&example.surface);
        let [columns, rows] = size.map(|edge| edge as usize);
        let spans = [site.span(first, example.surface.values.len()), site.span(columns, rows)];
        let per_edge = raster.spacing.map(|spacing| edge / spacing);
        let margin = per_edge.map(f64::abs);
        let places = [0, 1].map(|axis| f64::from(size[axis] - 1) - 2.0 * margin[axis]);
        let numbers = site.numbers([per_edge[0], per_edge[1], margin[0], margin[1]]);
        site.numbers([places[0], places[1], self.rotation / 360.0, self.sharpness]);
        let blend = Op::Example { raster: index as u32, sampling: raster.sampling, frames, spans, numbers };
        let blend = site.push(blend)?;
        Ok(Op::Spline { x: blend, points: site.points(&Self::curve(&example)) })
    }
}

impl ByExample {
    /// Triangles with horizontal edges of this length; two rows repeat.
    fn lattice(&self, edge: f64) -> Lattice {
        let root = 3f64.sqrt();
        let skew = DMat3::from_cols(DVec3::X, DVec3::new(-1.0 / root, 2.0 / root, 0.0), DVec3::ZERO);
        let repeats = Repeats::AsItIs { multiples: [1.0, root, 1.0], points: [1.0, 2.0 / root, 1.0] };
        Lattice { skew, repeats, ..Lattice::cubic(2, edge, self.seed, self.offset) }
    }
}
