//! What values can come out, where that can be said beforehand.

use crate::graph::Interval;
use crate::params::Input;
use crate::stage::{Adjacent, AdjacentFilter, AngleUnit, Combine, CombineBy, Ocean, Pipeline, Stage, order, stem};
use std::cell::RefCell;
use std::collections::HashMap;

impl Pipeline {
    /// Bounds that a layer's values cannot leave, up to rounding; `None` where none are known beforehand: of erosion, slopes,
    /// curvatures, syntheses.
    pub fn range(&self, layer: &str) -> Option<Interval> {
        // Of each noise and each stage once, however many read it.
        let noises = RefCell::new(HashMap::new());
        let mut stages: HashMap<(&str, usize), Option<Interval>> = HashMap::new();
        for name in order(self, layer).ok()? {
            let of = |input: &Input| match input {
                Input::Node(input) => self.known_range(input, &noises, &stages),
                Input::Value(x) => between(*x, *x),
                Input::Missing => None,
            };
            let stage = &self.stage[name];
            let ranges: Vec<_> = stage.outputs().iter().map(|output| output_range(stage, output.name, of)).collect();
            stages.extend(ranges.into_iter().enumerate().map(|(output, range)| ((name, output), range)));
        }
        self.known_range(layer, &noises, &stages)
    }

    /// What has been found of a stage that a name speaks of, or a noise's own bounds.
    fn known_range(
        &self,
        name: &str,
        noises: &RefCell<HashMap<String, Option<Interval>>>,
        stages: &HashMap<(&str, usize), Option<Interval>>,
    ) -> Option<Interval> {
        match self.find("", "output", name).ok()? {
            Some((_, output)) => *stages.get(&(stem(name), output))?,
            None => *noises.borrow_mut().entry(name.to_owned()).or_insert_with(|| self.noise(name).range().ok()),
        }
    }
}

/// Of masks.
const SHARE: Interval = Interval { lo: 0.0, hi: 1.0 };

/// Bounds of one of a stage's outputs; `of` has those of its inputs.
fn output_range(stage: &Stage, output: &str, of: impl Fn(&Input) -> Option<Interval>) -> Option<Interval> {
    let range = match output {
        "" => main_range(stage, of),
        further => further_range(stage, further),
    };
    // Beyond f32 nothing is known.
    range.filter(|range| range.lo.is_finite() && range.hi.is_finite())
}

/// Between two numbers, which reach the passes rounded to f32.
fn between(a: f64, b: f64) -> Option<Interval> {
    Some(Interval::new(a, b).outward())
}

/// Between two numbers, give or take some ulps of f32 of the larger one.
fn about(a: f64, b: f64, ulps: f64) -> Option<Interval> {
    Some(Interval::new(a, b).widened(ulps))
}

/// Bounds of a stage's main output; `of` has those of its inputs.
fn main_range(stage: &Stage, of: impl Fn(&Input) -> Option<Interval>) -> Option<Interval> {
    match stage {
        Stage::Normalise(n) => between(n.low, n.high),
        // A sum of a product that is not held.
        Stage::Equalise(n) => about(n.low, n.high, 4.0),
        // A level that is measured lies among the values.
        Stage::Ocean(Ocean { of: input, share: Some(_), measured: None, .. }) => of(input),
        Stage::Ocean(n) => {
            let level = n.measured.filter(|_| n.share.is_some()).unwrap_or(n.level);
            of(&n.of).zip(between(level, level)).map(|(r, level)| Interval { lo: r.lo.max(level.lo), hi: r.hi.max(level.hi) })
        }
        Stage::Dropoff(n) => of(&n.of).zip(between(n.floor, n.floor)).map(|(r, floor)| Interval::lerp(r, floor, SHARE)),
        Stage::Mask(_) => Some(SHARE),
        // Cosines of roots that are rounded; what is in the lee is 0 exactly.
        Stage::Hillshade(_) => about(0.0, 1.0, 8.0).map(|r| Interval { lo: 0.0, ..r }),
        // 1 less a sine that may round to more than 1; what sees all of the sky is 1 exactly.
        Stage::Occlusion(_) => about(0.0, 1.0, 8.0).map(|r| Interval { hi: 1.0, ..r }),
        Stage::Slope(n) => match n.unit {
            AngleUnit::Ratio => None,
            AngleUnit::Degrees => between(0.0, 90.0),
        },
        Stage::Normal(_) => about(-1.0, 1.0, 8.0),
        Stage::Voss(n) => about(-1.0, 1.0, f64::from(n.rows)),
        Stage::Midpoint(n) => about(-1.0, 1.0, 4.0 * f64::from(n.cell.max(1).ilog2() + 1)),
        Stage::DiamondSquare(n) => {
            // The middle of an edge lies between two corners and two middles of cells, and middles have a random part already. Random parts sum
            // up to 1: each counts once and a half, but for the corners'.
            let halvings = n.cell.max(1).ilog2();
            let (sum, _) = (0..=halvings).fold((0.0, 1.0), |(sum, part), _| (sum + part, part * n.roughness));
            let most = 1.5 - 0.5 / sum;
            about(-most, most, 4.0 * f64::from(halvings + 1))
        }
        // Each of two sums rounds with every weight.
        Stage::Gaussian(n) => of(&n.of).map(|r| r.widened(3.0 * n.sigma + 4.0)),
        Stage::Median(n) => of(&n.of),
        Stage::Thermal(n) => of(&n.of),
        Stage::AdjacentFilter(n) => adjacent_range(n, of(&n.of)?),
        Stage::Combine(n) => Some(combined_range(n, of(&n.a)?, of(&n.b)?)),
        // Nothing is known beforehand of what is brought along, of erosion, of syntheses, of differences; colours are no values.
        Stage::Given(_) | Stage::Curvature(_) | Stage::Hydraulic(_) | Stage::Gully(_) | Stage::Colour(_) | Stage::Frequency(_) => None,
    }
}

/// Bounds of one of a stage's further outputs.
fn further_range(stage: &Stage, output: &str) -> Option<Interval> {
    match (stage, output) {
        (Stage::Ocean(_), "mask" | "shore") | (Stage::Dropoff(_), "mask") => Some(SHARE),
        // A sum of octaves over the sum of their depths, by two rounded roots each.
        (Stage::Gully(n), "ridge") => about(-1.0, 1.0, 12.0 + f64::from(n.octaves)),
        // Depths, amounts of water and of sediment: none is known.
        (_, _) => None,
    }
}

fn adjacent_range(n: &AdjacentFilter, of: Interval) -> Option<Interval> {
    match n.filter {
        Adjacent::Minimum | Adjacent::Maximum | Adjacent::Mean => Some(of),
        // Half the difference of numbers a width apart; from then on around 0.
        Adjacent::Difference => {
            let half = of.add(of.scale(-1.0)).scale(0.5).magnitude();
            if n.times > 0 { between(-half, half) } else { None }
        }
    }
}

fn combined_range(n: &Combine, a: Interval, b: Interval) -> Interval {
    match n.by {
        CombineBy::Add => a.add(b),
        CombineBy::Subtract => a.add(b.scale(-1.0)),
        CombineBy::Multiply => a.multiply(b),
        CombineBy::Minimum => Interval { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) },
        CombineBy::Maximum => Interval { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) },
        CombineBy::Blend => Interval::lerp(a, b, SHARE),
    }
}
