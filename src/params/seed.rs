//! Seeds as text: every `u64`, in formats whose numbers hold fewer bits.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserializer, Serializer};
use std::fmt;

/// The largest seed that is written as a number, 2⁵³ − 1: JavaScript and many readers of JSON round larger ones, and integers of TOML end at
/// 2⁶³ − 1. Larger seeds are written as text, `"18446744073709551615"`.
const LARGEST_NUMBER: u64 = (1 << 53) - 1;

/// The seed of decimal digits; `None` for other text, or digits beyond 64 bits.
pub(super) fn of_digits(text: &str) -> Option<u64> {
    // `parse` alone would take a sign.
    text.bytes().all(|c| c.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Writes a seed as a number where all readers keep its bits, else as text.
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
