//! Gradients against the oracle's central differences, for every node.

use crate::nodes;
use crate::support::{cpu, oracle, regions};
use orogen::{Gradient, Noise, Sample};

/// Half the step of the difference, in world units; wavelengths here are about 20.
const STEP: f64 = 1e-5;
/// Difference allowed, relative to the largest gradient: the f32 rounding of the gradient and the third derivative's share.
const BOUND: f64 = 3e-4;

/// Central differences, and whether the two one-sided ones agree: where they do not, the value has a kink inside the step
/// and no gradient.
fn differences(noise: &Noise, positions: &[[f64; 3]], step: f64) -> Vec<([f64; 3], bool)> {
    let values = |shift: [f64; 3]| -> Vec<Sample> {
        let moved: Vec<[f64; 3]> = positions.iter().map(|p| std::array::from_fn(|a| p[a] + shift[a])).collect();
        oracle().sample(noise, &moved, Gradient::Without).expect("sample")
    };
    let centre = values([0.0; 3]);
    let mut out = vec![([0.0; 3], true); positions.len()];
    for axis in 0..3 {
        let shift = |by: f64| std::array::from_fn(|a| if a == axis { by } else { 0.0 });
        let (minus, plus) = (values(shift(-step)), values(shift(step)));
        for (i, (gradient, smooth)) in out.iter_mut().enumerate() {
            let (left, right) = ((centre[i].value - minus[i].value) / step, (plus[i].value - centre[i].value) / step);
            gradient[axis] = 0.5 * (left + right);
            *smooth &= (left - right).abs() <= 5e-4 * (left.abs() + right.abs()) + 2e-5;
        }
    }
    out
}

#[test]
fn gradients_are_the_slopes_of_the_values() {
    for (name, noise) in nodes::all().into_iter().filter(|(_, noise)| noise.has_gradient()) {
        // At 10¹² units f64 itself is too coarse for differences; there the bits are the CPU's, whose lattice is exact.
        for (place, region) in regions().into_iter().filter(|(place, _)| *place != "10^12 out") {
            let positions: Vec<[f64; 3]> =
                (0..150).map(|i| region.position([i * 7 % region.size[0], i * 11 % region.size[1], i * 3 % region.size[2]])).collect();
            // A coordinate or a radius in millions of units needs a step to match.
            let step = if name.starts_with("coordinate") || name.starts_with("radius") { 1e3 } else { STEP };
            let expected = differences(&noise, &positions, step);
            let scale = expected.iter().flat_map(|(g, _)| g).fold(1e-12, |m: f64, x| m.max(x.abs()));
            let mut smooth = 0;
            for (sample, (expected, is_smooth)) in cpu().sample(&noise, &positions, Gradient::With).expect(&name).iter().zip(&expected) {
                if !is_smooth {
                    continue;
                }
                smooth += 1;
                let got = sample.gradient.expect("asked for");
                for axis in 0..3 {
                    let off = (got[axis] - expected[axis]).abs() / scale;
                    assert!(off <= BOUND, "{name}, {place}: gradient {got:?}, differences {expected:?}, off by {off:e} of the largest");
                }
            }
            assert!(smooth * 10 >= positions.len() * 8, "{name}, {place}: only {smooth} of {} positions are smooth", positions.len());
        }
    }
}
