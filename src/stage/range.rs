//! What values can come out, where that can be said beforehand.

use crate::graph::Interval;
use crate::params::Input;
use crate::stage::{Pipeline, order, stem};
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
                Input::Value(x) => Some(Interval::new(*x, *x).outward()),
                Input::Missing => None,
            };
            let stage = &self.stage[name];
            // Beyond f32 nothing is known.
            let finite = |range: &Interval| range.lo.is_finite() && range.hi.is_finite();
            let ranges = stage.as_kind().ranges(&of).into_iter().map(|range| range.filter(finite)).enumerate().collect::<Vec<_>>();
            stages.extend(ranges.into_iter().map(|(output, range)| ((name, output), range)));
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
