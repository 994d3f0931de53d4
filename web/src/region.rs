//! Regions, which arrive as eleven numbers.

use crate::error::{raised, refused};
use orogen::Region;
use wasm_bindgen::prelude::*;

/// The largest whole number up to which f64 holds every whole number.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// A whole number within bounds.
pub(crate) fn whole(what: &str, value: f64, [low, high]: [f64; 2]) -> Result<f64, JsError> {
    if value.fract() == 0.0 && (low..=high).contains(&value) {
        Ok(value)
    } else {
        Err(refused(what, value, &format!("whole numbers from {low} to {high}")))
    }
}

/// A region from its origin, size, level, spacing and anchor.
pub(crate) fn region(numbers: &[f64]) -> Result<Region, JsError> {
    let &[x, y, z, width, height, depth, level, spacing, a, b, c] = numbers else {
        return Err(refused("region: numbers", numbers.len(), "11"));
    };
    let index = |axis, value| whole(&format!("region: {axis}"), value, [-WHOLE, WHOLE]).map(|value| value as i64);
    let count = |what: &str, value| whole(&format!("region: {what}"), value, [0.0, f64::from(u32::MAX)]).map(|value| value as u32);
    let region = Region {
        origin: [index("x", x)?, index("y", y)?, index("z", z)?],
        size: [count("width", width)?, count("height", height)?, count("depth", depth)?],
        level: count("level", level)?,
        spacing,
        anchor: [a, b, c],
    };
    region.check().map_err(raised)?;
    Ok(region)
}

/// The numbers of a region.
#[cfg(any(feature = "mesh", feature = "recipes"))]
pub(crate) fn numbers(region: &Region) -> Vec<f64> {
    let Region { origin, size, level, spacing, anchor } = region;
    let whole = origin.iter().map(|&x| x as f64).chain(size.iter().map(|&x| f64::from(x)));
    whole.chain([f64::from(*level), *spacing]).chain(anchor.iter().copied()).collect()
}
