//! Ranges of values, as far as they are known in advance.

use crate::interval::Interval;
use crate::params::Input;
use crate::stage::{Pipeline, order, stem};
use std::cell::RefCell;
use std::collections::HashMap;

impl Pipeline {
    /// Bounds of a layer's values, up to rounding; `None` if there are none in advance, as for erosion, slopes, curvatures and
    /// syntheses.
    pub fn range(&self, layer: &str) -> Option<Interval> {
        // Each noise and stage is bounded once, however many stages read it.
        let noises = RefCell::new(HashMap::new());
        let mut stages: HashMap<(&str, usize), Option<Interval>> = HashMap::new();
        for name in order(self, layer).ok()? {
            let of = |input: &Input| match input {
                Input::Node(input) => self.known_range(input, &noises, &stages),
                Input::Value(x) => Some(Interval::new(*x, *x).outward()),
                Input::Missing => None,
            };
            let ranges = match self.stage.get(name) {
                Some(stage) => stage.as_kind().ranges(&of),
                None => vec![self.range_over(name, &of)],
            };
            // Beyond the range of f32 nothing is known.
            let finite = |range: &Interval| range.lo.is_finite() && range.hi.is_finite();
            let ranges = ranges.into_iter().map(|range| range.filter(finite)).enumerate().collect::<Vec<_>>();
            stages.extend(ranges.into_iter().map(|(output, range)| ((name, output), range)));
        }
        self.known_range(layer, &noises, &stages)
    }

    /// The bounds found for the stage that a name refers to, or those of a noise.
    fn known_range(
        &self,
        name: &str,
        noises: &RefCell<HashMap<String, Option<Interval>>>,
        stages: &HashMap<(&str, usize), Option<Interval>>,
    ) -> Option<Interval> {
        match self.find("", "output", name).ok()? {
            Some((_, output)) => *stages.get(&(stem(name), output))?,
            None if stages.contains_key(&(name, 0)) => stages[&(name, 0)],
            None => *noises.borrow_mut().entry(name.to_owned()).or_insert_with(|| self.noise(name).range().ok()),
        }
    }
}
