//! The ranges that a parameter can state.

use super::allowed;
use serde::Serialize;
use std::fmt;

/// The largest magnitude a plain number in a recipe may have: beyond it f32 arithmetic would overflow to infinity.
pub const LARGEST: f64 = 1e15;

/// The values a parameter may take; printed in error messages and written into the JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Allowed {
    /// Whatever its type can hold.
    Any,
    /// Whatever its type can hold; another value shapes another kernel.
    Structural,
    /// A whole number of 64 bits, 0 to 18446744073709551615. Recipes have one beyond 2⁵³ − 1 as text.
    Seed,
    /// A field of so many channels.
    Channels(usize),
    /// A finite number with `lo <= x <= hi`.
    Between(f64, f64),
    /// A whole number of dimensions, `lo` to `hi`: it shapes the kernel.
    Dimensions(f64, f64),
    /// A list of one to so many finite numbers with `lo <= x <= hi`, whose length shapes the kernel.
    Terms(usize, f64, f64),
    /// A list whose items are finite with `lo <= x <= hi` in every component.
    Each(f64, f64),
    /// A list of one to so many finite numbers with `lo <= x <= hi`.
    List(usize, f64, f64),
    /// Nothing, or two and more control points whose `at` strictly increases.
    Increasing,
    /// Nothing, or two and more finite numbers that never decrease, the last above the first.
    Ascending,
    /// Nothing, or two and more finite numbers of f32 that never decrease: of a field that may be the same everywhere.
    Sorted,
    /// Nothing, or two and more quantiles: probabilities that strictly increase from 0 to 1, values that never decrease.
    Quantiles,
    /// What these words say.
    Told(&'static str),
}

/// Any finite number a recipe may hold.
pub const FINITE: Allowed = allowed!(@value FINITE);
/// Any number that a field's sample may be.
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

/// A number as a person would write it: `0.001`, `300`, `1e15`.
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
