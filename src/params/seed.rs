//! Seeds as text: every `u64`, in formats whose numbers hold fewer bits.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserializer, Serializer};
use std::fmt;

/// The largest seed written as a number, 2⁵³ − 1: JavaScript and many readers of JSON round larger ones, and TOML integers end at
/// 2⁶³ − 1. Larger seeds are written as text, `"18446744073709551615"`.
const LARGEST_NUMBER: u64 = (1 << 53) - 1;

/// The allowed seeds, for messages.
pub(super) const ALLOWED: &str = concat!("a whole number from ", super::allowed!(@words seed));

/// The reason why a negative number is not a seed, with advice.
const NEGATIVE: &str = "a seed only distinguishes noises: use any other number, such as its magnitude";

/// The advice for a negative number as a seed: a parameter of a kind. FastNoiseLite's seeds are integers of 32 bits with a sign.
pub(crate) fn advice(kind: &str, param: &str, given: f64) -> Option<String> {
    let of_fastnoise = kind == "fastnoise_lite" && matches!(param, "seed" | "warp_seed");
    if of_fastnoise && given < 0.0 && given >= f64::from(i32::MIN) && given.fract() == 0.0 {
        return Some(format!("FastNoiseLite's seed {given} is {} here", given + 4_294_967_296.0));
    }
    (param == "seed" && given < 0.0).then(|| NEGATIVE.to_owned())
}

/// Text that is not a seed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("seed = {given} is not allowed; allowed: {}", allowed(given))]
pub struct SeedError {
    /// The text.
    pub given: String,
}

/// Reads a seed from text, such as an argument of a command: the decimal digits of any `u64`.
///
/// ```
/// assert_eq!(orogen::seed("18446744073709551615"), Ok(u64::MAX));
/// assert!(orogen::seed("-1").is_err());
/// ```
///
/// # Errors
/// Returns an error if the text contains other characters, or for a number above 2⁶⁴ − 1. For a negative number the error
/// contains advice.
pub fn seed(text: &str) -> Result<u64, SeedError> {
    of_digits(text.trim()).ok_or_else(|| SeedError { given: text.to_owned() })
}

/// The allowed seeds, for a message about another value; for a negative number, with advice.
fn allowed(given: &str) -> String {
    let advice = given.trim().parse().ok().and_then(|x| advice("", "seed", x));
    advice.map_or_else(|| ALLOWED.to_owned(), |advice| format!("{ALLOWED} ({advice})"))
}

/// The seed of decimal digits; `None` for other text, or a number beyond 64 bits.
pub(super) fn of_digits(text: &str) -> Option<u64> {
    // `parse` alone would accept a sign.
    text.bytes().all(|c| c.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Writes a seed as a number if all readers keep its bits, else as text.
pub(super) fn write<S: Serializer>(seed: u64, serializer: S) -> Result<S::Ok, S::Error> {
    if seed <= LARGEST_NUMBER { serializer.serialize_u64(seed) } else { serializer.collect_str(&seed) }
}

/// Reads a seed: a whole number, or its decimal digits as text.
pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    struct Seed;
    impl Visitor<'_> for Seed {
        type Value = u64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a whole number, or its digits as text")
        }
        fn visit_u64<E: Error>(self, x: u64) -> Result<u64, E> {
            Ok(x)
        }
        fn visit_i64<E: Error>(self, x: i64) -> Result<u64, E> {
            u64::try_from(x).map_err(|_| E::invalid_value(Unexpected::Signed(x), &self))
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<u64, E> {
            of_digits(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
        }
    }
    deserializer.deserialize_any(Seed)
}
