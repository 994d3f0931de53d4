//! The ranges of parameters.

use super::allowed;
use serde::Serialize;
use std::fmt;

/// The largest magnitude of a plain number in a recipe: beyond it f32 arithmetic would overflow to infinity.
pub const LARGEST: f64 = 1e15;

/// The allowed values of a parameter; printed in error messages and written to the JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Allowed {
    /// Any value of its type.
    Any,
    /// Any value of its type; a change needs another kernel.
    Structural,
    /// A 64-bit unsigned integer, 0 to 18446744073709551615. Recipes store values beyond 2⁵³ − 1 as text.
    Seed,
    /// A field with this many channels.
    Channels(usize),
    /// A finite number with `lo <= x <= hi`.
    Between(f64, f64),
    /// A number of dimensions, `lo` to `hi`; a change needs another kernel.
    Dimensions(f64, f64),
    /// A list of one or more finite numbers, up to the first count, with `lo <= x <= hi`. A change of its length needs another
    /// kernel.
    Terms(usize, f64, f64),
    /// A list whose items are finite with `lo <= x <= hi` in every component.
    Each(f64, f64),
    /// A list of one or more finite numbers, up to the first count, with `lo <= x <= hi`.
    List(usize, f64, f64),
    /// Empty, or two or more control points whose `at` strictly increases.
    Increasing,
    /// Empty, or two or more finite numbers that never decrease, with the last above the first.
    Ascending,
    /// Empty, or two or more finite f32 numbers that never decrease, for a field that may be constant.
    Sorted,
    /// Empty, or two or more quantiles: probabilities strictly increase from 0 to 1, values never decrease.
    Quantiles,
    /// As described by this text.
    Told(&'static str),
}

/// Any finite number a recipe may hold.
pub const FINITE: Allowed = allowed!(@value FINITE);
/// Any number that a sample of a field may have.
pub const SAMPLE: Allowed = allowed!(@value SAMPLE);

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allowed::Any | Allowed::Structural => f.write_str(allowed!(@words)),
            Allowed::Seed => f.write_str(allowed!(@words seed)),
            Allowed::Channels(channels) => write!(f, "the name of a stage whose output has {channels} channels, or a number"),
            Allowed::Told(words) => write!(f, "{words}"),
            Allowed::Between(lo, hi) | Allowed::Dimensions(lo, hi) => write!(f, "{} to {}", short(*lo), short(*hi)),
            Allowed::Each(lo, hi) => write!(f, "every number {} to {}", short(*lo), short(*hi)),
            Allowed::List(most, lo, hi) | Allowed::Terms(most, lo, hi) => {
                write!(f, "a list of 1 to {most} numbers, each {} to {}", short(*lo), short(*hi))
            }
            Allowed::Increasing => f.write_str(allowed!(@words increasing)),
            Allowed::Ascending => f.write_str(allowed!(@words ascending)),
            Allowed::Sorted => f.write_str(allowed!(@words sorted)),
            Allowed::Quantiles => f.write_str(allowed!(@words quantiles)),
        }
    }
}

/// A number in its shortest form: `0.001`, `300`, `1e15`.
pub(crate) fn short(x: f64) -> String {
    let plain = format!("{x}");
    if plain.len() <= 12 { plain } else { format!("{x:e}") }
}

pub(crate) fn outside(x: f64, lo: f64, hi: f64) -> Option<String> {
    // Written so that NaN, which compares false with everything, is refused.
    if x >= lo && x <= hi { None } else { Some(short(x)) }
}

pub(super) fn numbers(values: &[f64], allowed: Allowed) -> Option<String> {
    let (Allowed::Between(lo, hi)
    | Allowed::Dimensions(lo, hi)
    | Allowed::Each(lo, hi)
    | Allowed::List(_, lo, hi)
    | Allowed::Terms(_, lo, hi)) = allowed
    else {
        return None;
    };
    values.iter().find_map(|&x| outside(x, lo, hi))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_ranges_end_where_the_numbers_do() {
        assert_eq!(FINITE, Allowed::Between(-LARGEST, LARGEST));
        assert_eq!(SAMPLE, Allowed::Between(f32::MIN.into(), f32::MAX.into()));
        assert_eq!(Allowed::Seed.to_string(), format!("{} to {}", u64::MIN, u64::MAX));
    }
}
