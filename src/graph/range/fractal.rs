//! What follows from a fractal's numbers: its octaves' amplitudes and the proven range of each kind of accumulation.

use crate::graph::{Accumulate, Fractal, Interval};

impl Fractal {
    /// The factor of each octave, normalisation included.
    pub(crate) fn amplitudes(&self) -> Vec<f64> {
        let plain = std::iter::successors(Some(1.0), |a| Some(a * self.gain)).take(self.octaves as usize);
        let total: f64 = plain.clone().map(f64::abs).sum();
        let divide = self.normalise && self.accumulate.adds_amplitudes();
        plain.map(|a| if divide { a / total } else { a }).collect()
    }

    /// Proven bounds, octave by octave in the order in which they add up.
    pub(super) fn range(&self, body: Interval) -> Interval {
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
                    // Folded values lie in [0, 1], whatever the body does.
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
                    // The first stands alone. Then `total · (1 + octave)`, because `total + total · octave` as it is computed is not a sum of
                    // independent terms; but it rounds like one.
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

    /// The weight after an octave whose value, as 0 to 1, is `unit`.
    fn held_back(&self, weight: Interval, unit: Interval) -> Interval {
        let held = unit.clamped(0.0, 1.0);
        let factor = Interval::lerp(Interval::new(1.0, 1.0), held, Interval::new(self.weight, self.weight));
        weight.multiply(Interval { lo: factor.lo.max(0.0), hi: factor.hi.min(1.0) })
    }
}

impl Accumulate {
    /// Whether the result is a sum that its amplitudes' sum normalises.
    fn adds_amplitudes(self) -> bool {
        match self {
            Accumulate::Sum | Accumulate::Weighted | Accumulate::Billow | Accumulate::Ridged | Accumulate::Pingpong => true,
            Accumulate::Lerp | Accumulate::Multifractal | Accumulate::Hybrid | Accumulate::Heterogeneous => false,
        }
    }
}
