//! Counts with their noun: `1 tile`, `2 tiles`.

use std::fmt;

/// A count, and the noun of a single thing. The plural is the noun with an s.
pub struct Counted<N>(pub N, pub &'static str);

impl<N: fmt::Display + PartialEq + From<u8>> fmt::Display for Counted<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counted(count, noun) = self;
        let plural = if *count == N::from(1) { "" } else { "s" };
        write!(f, "{count} {noun}{plural}")
    }
}

#[cfg(test)]
mod tests {
    use super::Counted;

    #[test]
    fn one_is_singular() {
        let counts = [0_u64, 1, 2].map(|count| Counted(count, "tile").to_string());
        assert_eq!(counts, ["0 tiles", "1 tile", "2 tiles"]);
        assert_eq!(Counted(1_usize, "hexagon").to_string(), "1 hexagon");
    }
}
