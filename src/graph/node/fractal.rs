//! Sums of octaves of a sub-graph, and tables of their offsets.

use crate::graph::lower::NodeSite;
use crate::graph::lower::steep::{Rule, Steep, times};
use crate::graph::node::Node;
use crate::graph::node::choices::OctaveSeeds;
use crate::graph::node::kind::{CheckedNode, EntryTable, InputRanges, NodeKind};
use crate::graph::node::precision::{Magnitudes, Precision, Rounds};
use crate::graph::{Graph, Noise};
use crate::interval::Interval;
use crate::params::{Input, row};
use crate::program::instance::{Instance, turn};
use crate::program::{Accumulate, GraphError, Op, ProgramError, Seed};
use glam::{DAffine3, DMat3, DVec3};

row! {
    /// Octaves of any sub-graph: octave k samples it at `rotationᵏ · (position + offsetₖ) · lacunarityᵏ` with amplitude
    /// `gainᵏ`.
    Fractal {
        /// The sub-graph that is repeated at each octave.
        of: Input => Elsewhere;
        /// Number of octaves.
        octaves: u32 = 6, [1 to 32], Unitless;
        /// Frequency ratio of an octave to the previous one.
        lacunarity: f64 = 2.0, [0.015625 to 64], Unitless;
        /// Amplitude ratio of an octave to the previous one; also called persistence.
        gain: f64 = 0.5, [-16 to 16], Unitless;
        /// Formula that combines the octaves.
        accumulate: Accumulate = Accumulate::Sum, [structural];
        /// Whether to divide by the sum of the amplitudes' magnitudes, so that the range does not depend on the number of
        /// octaves. Applies to `sum`, `weighted`, `billow`, `ridged` and `pingpong`.
        normalise: bool = true;
        /// Musgrave's `offset`. `multifractal`, `hybrid` and `heterogeneous` add it to the values of an octave; `ridged`
        /// subtracts their magnitude from it.
        level: f64 = 1.0, [-16 to 16], Value;
        /// Musgrave's `gain` of `ridged`, a factor: how strongly a high octave lets the next one through.
        sharpness: f64 = 2.0, [0 to 16], Unitless;
        /// For `weighted`, `billow` and `pingpong`: how strongly a low octave suppresses the next one, from 0 (not at all) to
        /// 1.
        weight: f64 = 0.5, [SHARE], Unitless;
        /// For `pingpong`: the factor by which values are stretched before they are folded.
        folds: f64 = 2.0, [0 to 64], Unitless;
        /// Whether each octave is a noise of its own.
        seeds: OctaveSeeds = OctaveSeeds::Own;
        /// Seed from which the octaves' seeds and offsets are derived.
        seed: u64 = 0, [seed], Unitless;
        /// Offsets added to the position, one per octave, in world units, instead of those derived from the seed. There may be
        /// more than `octaves`.
        offsets: Option<Vec<[f64; 3]>> = None, [POSITION], World;
        /// An `octave_table` that holds the offsets, which several fractals may share.
        table: Option<Input> = None, [structural] => Table("octave_table");
        /// Index of the table's entry for the first octave. The next octaves take the next entries.
        start: u32 = 0, [ENTRY], Unitless;
        /// Offset added to the position of every octave, in world units (the shader's sample offset).
        offset: [f64; 3] = [0.0; 3], [POSITION], World;
        /// Rotation of each octave's position relative to the previous one, in degrees: around z from the x axis towards y. The
        /// picture turns the other way.
        rotation: f64 = 0.0, [-360 to 360], Degrees;
        /// Axis of the rotation. Its length is ignored.
        axis: [f64; 3] = [0.0, 0.0, 1.0], [each -1000000 to 1000000], Unitless;
    }

    /// A table of octave offsets for any number of fractals. Each fractal reads one entry per octave, beginning with its
    /// `start`.
    ///
    /// A table has no values: only the `table` parameter of a fractal can refer to it.
    OctaveTable -> &[], {
        /// Offsets added to the position, one entry per octave, in world units.
        offsets: Vec<[f64; 3]> = Vec::new(), [POSITION], World;
    }
}

impl Noise {
    /// Octaves of this noise.
    pub fn fractal(self, params: Fractal) -> Self {
        self.then(|of| Fractal { of, ..params })
    }

    /// Octaves of this noise, with offsets from a [table](Self::octave_table), beginning with entry `params.start`.
    ///
    /// ```
    /// use orogen::Noise;
    /// use orogen::node::{Fractal, OctaveTable, Simplex};
    /// let table = Noise::octave_table(OctaveTable { offsets: (0..7).map(|k| [100.0 * f64::from(k), 0.0, 0.0]).collect() });
    /// let octaves = |wavelength, start, octaves| {
    ///     let basis = Noise::simplex(Simplex { wavelength, ..Default::default() });
    ///     basis.fractal_from(&table, Fractal { start, octaves, ..Default::default() })
    /// };
    /// // Entries 0 to 3 belong to the hills, 4 to 6 to the mask. Both share the table, so a change of it changes both.
    /// let mut land = octaves(300.0, 0, 4).multiply(octaves(900.0, 4, 3));
    /// land.set("octave_table.offsets", vec![[0.0; 3]; 7])?;
    /// # Ok::<(), orogen::SetError>(())
    /// ```
    pub fn fractal_from(self, table: &Noise, params: Fractal) -> Self {
        self.with(table, |of, table| Fractal { of, table: Some(table), ..params })
    }

    /// A table of octave offsets for [`fractal_from`](Self::fractal_from). It has no values.
    pub fn octave_table(params: OctaveTable) -> Self {
        Self::source(params)
    }
}

impl NodeKind for Fractal {
    fn check(&self, at: &CheckedNode<'_>) -> Result<(), GraphError> {
        let refuse = |param, value: String, allowed: &str| at.refuse(param, value, allowed);
        if self.table.is_some() {
            if self.offsets.is_some() {
                return refuse("offsets", "given together with a table".to_owned(), "one of the two");
            }
            let entries = at.graph.offsets(self).map_or(0, <[_]>::len);
            if entries < self.octaves as usize {
                let allowed = format!("at most {entries}: the number of entries in the table from start = {} on", self.start);
                return refuse("octaves", self.octaves.to_string(), &allowed);
            }
        }
        if let Some(offsets) = &self.offsets
            && offsets.len() < self.octaves as usize
        {
            return refuse("offsets", format!("{} offsets", offsets.len()), &format!("at least one per octave ({})", self.octaves));
        }
        at.has_direction("axis", self.axis)
    }

    /// Bounds the sum octave by octave, in the order of addition.
    fn range(&self, inputs: &InputRanges<'_>) -> Interval {
        let body = inputs.of(&self.of);
        let number = |x: f64| Interval::new(x, x).outward();
        let (zero, one) = (Interval::new(0.0, 0.0), Interval::new(1.0, 1.0));
        let level = number(self.level);
        let (mut total, mut weight) = (zero, one);
        for amplitude in self.amplitudes() {
            match self.accumulate {
                Accumulate::Sum => total = total.add(body.scale(amplitude)),
                Accumulate::Lerp => {
                    let unit = body.scale(0.5).add(number(0.5));
                    total = Interval::lerp(total, unit, Interval::new(amplitude, amplitude));
                }
                Accumulate::Weighted => {
                    total = total.add(weight.scale(amplitude).multiply(body));
                    weight = self.held_back(weight, body.scale(0.5).add(number(0.5)));
                }
                Accumulate::Billow => {
                    let height = body.abs();
                    total = total.add(weight.scale(amplitude).multiply(height.scale(2.0).add(number(-1.0))));
                    weight = self.held_back(weight, height);
                }
                Accumulate::Pingpong => {
                    // Folded values lie in [0, 1] for any input.
                    let fold = Interval::new(0.0, 1.0);
                    total = total.add(weight.scale(amplitude).multiply(Interval::new(-1.0, 1.0)));
                    weight = self.held_back(weight, fold);
                }
                Accumulate::Ridged => {
                    let ridge = level.add(body.abs().scale(-1.0)).squared().multiply(weight);
                    total = total.add(ridge.scale(amplitude));
                    weight = ridge.scale(self.sharpness).clamped(0.0, 1.0);
                }
                Accumulate::Multifractal => {
                    weight = weight.multiply(body.scale(amplitude).add(level));
                    total = weight;
                }
                Accumulate::Heterogeneous => {
                    let octave = body.add(level).scale(amplitude);
                    // The first octave stands alone. The others are bounded as `total · (1 + octave)`, because the terms of
                    // `total + total · octave` depend on each other; rounding is that of the sum.
                    total = if weight == one && total == zero {
                        octave
                    } else {
                        let rounding = total.magnitude() * (1.0 + octave.magnitude());
                        total.multiply(octave.add(one)).loosened(4.0, rounding)
                    };
                    weight = total;
                }
                Accumulate::Hybrid => {
                    let signal = body.add(level).scale(amplitude).multiply(weight);
                    total = total.add(signal);
                    weight = Interval { lo: signal.lo.min(1.0), hi: signal.hi.min(1.0) };
                }
            }
        }
        total
    }

    /// Bounds octave by octave, as `shaders/lib/fractal.wgsl` adds them up: pairs of magnitudes of value and gradient.
    fn steepness<'a>(&self, rule: &Rule<'_, 'a>) -> Steep<'a> {
        let (body, range) = (rule.input(&self.of), rule.range(&self.of));
        let (level, largest) = (Interval::new(self.level, self.level), range.magnitude());
        let mut most = body;
        // (value, gradient) of the sum, and of the weight of the next octave.
        let (mut total, mut weight, mut factor) = ([0.0_f64; 2], [1.0_f64, 0.0], 1.0);
        let product = |a: [f64; 2], b: [f64; 2]| [times(a[0], b[0]), times(a[0], b[1]) + times(a[1], b[0])];
        let scaled = |a: [f64; 2], by: f64| a.map(|x| times(x, by));
        let sum = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        for amplitude in self.amplitudes() {
            let amplitude = amplitude.abs();
            let scaled_body = rule.scaled(body, factor);
            let octave = [largest, scaled_body.gradient];
            let held_back = |weight: [f64; 2], slope: f64| [weight[0], weight[1] + times(weight[0], self.weight * slope)];
            (total, weight) = match self.accumulate {
                Accumulate::Sum => (sum(total, scaled(octave, amplitude)), weight),
                Accumulate::Lerp => {
                    let towards = scaled([0.0, octave[1]], 0.5 * amplitude);
                    (sum(scaled(total, (1.0 - amplitude).abs()), towards), weight)
                }
                Accumulate::Weighted => (sum(total, scaled(product(weight, octave), amplitude)), held_back(weight, 0.5 * octave[1])),
                Accumulate::Billow => {
                    let billow = [2.0 * largest + 1.0, 2.0 * octave[1]];
                    (sum(total, scaled(product(weight, billow), amplitude)), held_back(weight, octave[1]))
                }
                Accumulate::Pingpong => {
                    let slope = self.folds * octave[1];
                    (sum(total, scaled(product(weight, [1.0, 2.0 * slope]), amplitude)), held_back(weight, slope))
                }
                Accumulate::Ridged => {
                    let distance = [level.add(range.abs().scale(-1.0)).magnitude(), octave[1]];
                    let ridge = product(product(distance, distance), weight);
                    (sum(total, scaled(ridge, amplitude)), [1.0, self.sharpness * ridge[1]])
                }
                Accumulate::Multifractal => {
                    let grown = product(weight, [level.add(range.scale(amplitude)).magnitude(), times(amplitude, octave[1])]);
                    (grown, grown)
                }
                Accumulate::Heterogeneous => {
                    let signal = scaled([range.add(level).magnitude(), octave[1]], amplitude);
                    let grown = sum(total, product(signal, weight));
                    (grown, grown)
                }
                Accumulate::Hybrid => {
                    let signal = product(scaled([range.add(level).magnitude(), octave[1]], amplitude), weight);
                    (sum(total, signal), signal)
                }
            };
            most = rule.of(total[1].max(weight[1]), &[most, scaled_body]);
            factor *= self.lacunarity.abs();
        }
        rule.of(total[1], &[most])
    }

    fn precision(&self) -> Precision {
        Precision::of_values(2e-6)
    }

    fn rounds(&self, _: &Magnitudes<'_>) -> Rounds {
        Rounds::VALUES
    }

    fn lower(&self, site: &mut NodeSite<'_, '_>) -> Result<Op, ProgramError> {
        site.count_instances(site.context.instances.len() * self.octaves as usize)?;
        let offsets = site.graph().offsets(self);
        let inner = site.context.inner(site.context.instances.iter().flat_map(|instance| self.octaves_in(instance, offsets)).collect());
        let octaves = site.series(self.amplitudes());
        let numbers = site.numbers([self.level, self.sharpness, self.weight, self.folds]);
        Ok(Op::Fractal { body: site.body(&self.of, &inner)?, octaves, accumulate: self.accumulate, numbers })
    }
}

impl Fractal {
    /// The factor of each octave, including normalisation.
    fn amplitudes(&self) -> Vec<f64> {
        let plain = std::iter::successors(Some(1.0), |a| Some(a * self.gain)).take(self.octaves as usize);
        let total: f64 = plain.clone().map(f64::abs).sum();
        let divide = self.normalise && self.accumulate.adds_amplitudes();
        plain.map(|a| if divide { a / total } else { a }).collect()
    }

    /// The weight after an octave with value `unit`, mapped to 0 to 1.
    fn held_back(&self, weight: Interval, unit: Interval) -> Interval {
        let held = unit.clamped(0.0, 1.0);
        let factor = Interval::lerp(Interval::new(1.0, 1.0), held, Interval::new(self.weight, self.weight));
        weight.multiply(Interval { lo: factor.lo.max(0.0), hi: factor.hi.min(1.0) })
    }
}

impl Accumulate {
    /// Whether the result is a sum that is normalised by the sum of the amplitudes.
    fn adds_amplitudes(self) -> bool {
        match self {
            Accumulate::Sum | Accumulate::Weighted | Accumulate::Billow | Accumulate::Ridged | Accumulate::Pingpong => true,
            Accumulate::Lerp | Accumulate::Multifractal | Accumulate::Hybrid | Accumulate::Heterogeneous => false,
        }
    }
}

impl Graph {
    /// The offsets of a fractal's octaves, its own or those of a table; `None` if they are derived from the seed. The graph
    /// must be checked.
    fn offsets<'a>(&'a self, n: &'a Fractal) -> Option<&'a [[f64; 3]]> {
        let Some(Node::OctaveTable(table)) = self.table(n.table.as_ref()) else { return n.offsets.as_deref() };
        table.offsets.get(n.start as usize..)
    }
}

impl EntryTable for OctaveTable {}

/// Range of seeded octave offsets, in world units: a power of two, so that they are exact.
const OCTAVE_REACH: f64 = 131_072.0;

impl Fractal {
    /// The instances of its octaves inside one of its own.
    fn octaves_in(&self, outer: &Instance, offsets: Option<&[[f64; 3]]>) -> Vec<Instance> {
        let turn = turn(self.axis, self.rotation);
        let mut all = Vec::new();
        let mut matrix = DMat3::IDENTITY;
        let mut fourth = outer.fourth;
        for k in 0..self.octaves as usize {
            let seed = Seed::default().with(self.seed).with(k as u64);
            let (own, offset) = match self.seeds {
                OctaveSeeds::Own => (outer.seed.with(self.seed).with(k as u64), seed.offset(OCTAVE_REACH)),
                OctaveSeeds::Same => (outer.seed, [0.0; 3]),
            };
            let offset = offsets.map_or(offset, |offsets| offsets[k]);
            let step = DAffine3::from_mat3(matrix) * DAffine3::from_translation(DVec3::from(offset) + DVec3::from(self.offset));
            all.push(Instance { seed: own, fourth, ..outer.then(step) });
            matrix = turn.map_or(matrix, |turn| turn * matrix) * self.lacunarity;
            fourth *= self.lacunarity;
        }
        all
    }
}
