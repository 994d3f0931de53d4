//! The contract of everything that is gathered over a whole world.

use super::units::{ReadUnit, Units};
use crate::cpu::threads::Pool;
use crate::error::LayersError;
use crate::field::Layer;

/// An answer that depends on all samples of a world, computed from parts.
///
/// An answer may hold a value for each group of samples, which readers look up. It is stored once, as a separate object, and never
/// as text in a recipe.
///
/// The part of a set of samples must not depend on how the set was cut into blocks, nor on the order of joining. So
/// [`join`](Self::join) is exactly associative and commutative, and [`empty`](Self::empty) is its identity. Minima, maxima, sums
/// of integers and unions have these properties; sums of floating-point numbers do not. Equal parts have equal bytes, and so have
/// equal answers.
pub(crate) trait Reduction: Sync {
    /// The intermediate result of some samples.
    type Part: Send;
    /// The result of the whole world.
    type Answer;

    /// The part of no samples.
    fn empty(&self) -> Self::Part;

    /// Adds a block of samples: one layer for each that the question names, all of one region; or these of each of some squares.
    ///
    /// # Errors
    /// An earlier answer that the question needs cannot be read.
    fn gather(&self, part: &mut Self::Part, block: &[Layer], pool: &Pool) -> Result<(), LayersError>;

    /// Adds the part of other samples.
    ///
    /// # Errors
    /// A temporary file cannot be written.
    fn join(&self, part: &mut Self::Part, other: Self::Part) -> Result<(), LayersError>;

    /// Whether a part is too large for the memory. Such a part has no bytes, and the bytes of its answer lack what is stored for
    /// groups of samples.
    fn is_on_disk(&self, _: &Self::Part) -> bool {
        false
    }

    /// The answer, from the part of all samples.
    ///
    /// # Errors
    /// A temporary file cannot be read or written.
    fn answer(&self, whole: Self::Part) -> Result<Self::Answer, LayersError>;

    /// A part as bytes.
    fn encode(&self, part: &Self::Part) -> Vec<u8>;

    /// The part of these bytes; `None` if no part has them.
    fn decode(&self, bytes: &[u8]) -> Option<Self::Part>;

    /// An answer as bytes.
    fn encode_answer(&self, answer: &Self::Answer) -> Vec<u8>;

    /// The answer of these bytes; `None` if no answer has them.
    fn decode_answer(&self, bytes: &[u8]) -> Option<Self::Answer>;

    /// The number of [units](Units) in which shards gather and join parts; `None` if a shard has one part, and all are joined at once.
    fn units(&self) -> Option<u32> {
        None
    }

    /// The whole part of a unit as bytes.
    fn encode_unit(&self, part: &Self::Part, _unit: u32) -> Vec<u8> {
        self.encode(part)
    }

    /// Makes the answers of all units from their parts. Returns the bytes of the answer that refers to them; empty without
    /// units.
    ///
    /// # Errors
    /// Those of the units.
    fn join_units<U: Units>(&self, _: &U) -> Result<Vec<u8>, U::Error> {
        Ok(Vec::new())
    }

    /// The answer of such bytes; `None` if no answer has them. The answers of units are read when they are needed.
    fn open_units(&self, bytes: &[u8], _: ReadUnit) -> Option<Self::Answer> {
        self.decode_answer(bytes)
    }
}

/// Joins parts in a binary tree, in the order of the iterator; `None` if there are no parts.
///
/// Memory: of `n` parts, at most log₂ n + 2 at a time. Each part takes part in about log₂ n joins.
///
/// # Errors
/// The first error among the parts, and those of [`Reduction::join`].
#[cfg(feature = "bake")]
pub(crate) fn join_all<R: Reduction, E: From<LayersError>>(
    reduction: &R,
    parts: impl IntoIterator<Item = Result<R::Part, E>>,
) -> Result<Option<R::Part>, E> {
    // The number of parts in each entry: decreasing powers of two, like the digits of a binary number.
    let mut held: Vec<(u32, R::Part)> = Vec::new();
    for part in parts {
        let (mut of, mut part) = (1, part?);
        while let Some((_, other)) = held.pop_if(|(held, _)| *held == of) {
            reduction.join(&mut part, other)?;
            of *= 2;
        }
        held.push((of, part));
    }
    let mut held = held.into_iter().map(|(_, part)| part).rev();
    let Some(first) = held.next() else { return Ok(None) };
    let joined = held.try_fold(first, |mut part, other| reduction.join(&mut part, other).map(|()| part));
    Ok(Some(joined?))
}

#[cfg(all(test, feature = "bake"))]
mod tests {
    use super::*;
    use crate::error::EngineError;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Sums, that counts how many parts there are at a time.
    #[derive(Default)]
    struct Sums {
        held: AtomicU32,
        most: AtomicU32,
    }

    struct Held<'a>(&'a Sums, u64);

    impl<'a> Held<'a> {
        fn new(of: &'a Sums, sum: u64) -> Self {
            let held = of.held.fetch_add(1, Ordering::Relaxed) + 1;
            of.most.fetch_max(held, Ordering::Relaxed);
            Held(of, sum)
        }
    }

    impl Drop for Held<'_> {
        fn drop(&mut self) {
            self.0.held.fetch_sub(1, Ordering::Relaxed);
        }
    }

    struct Of<'a>(&'a Sums);

    impl<'a> Reduction for Of<'a> {
        type Part = Held<'a>;
        type Answer = u64;

        fn empty(&self) -> Held<'a> {
            Held::new(self.0, 0)
        }

        fn gather(&self, part: &mut Held<'a>, block: &[Layer], _: &Pool) -> Result<(), LayersError> {
            part.1 += block.len() as u64;
            Ok(())
        }

        fn join(&self, part: &mut Held<'a>, other: Held<'a>) -> Result<(), LayersError> {
            part.1 += other.1;
            Ok(())
        }

        fn answer(&self, whole: Held<'a>) -> Result<u64, LayersError> {
            Ok(whole.1)
        }

        fn encode(&self, part: &Held<'a>) -> Vec<u8> {
            part.1.to_le_bytes().to_vec()
        }

        fn decode(&self, bytes: &[u8]) -> Option<Held<'a>> {
            Some(Held::new(self.0, u64::from_le_bytes(bytes.try_into().ok()?)))
        }

        fn encode_answer(&self, answer: &u64) -> Vec<u8> {
            answer.to_le_bytes().to_vec()
        }

        fn decode_answer(&self, bytes: &[u8]) -> Option<u64> {
            Some(u64::from_le_bytes(bytes.try_into().ok()?))
        }
    }

    #[test]
    fn a_tree_of_parts_holds_few_at_a_time() {
        for count in [0_u64, 1, 2, 3, 7, 8, 1000, 1023, 1024, 100_000] {
            let sums = Sums::default();
            let of = Of(&sums);
            let joined = join_all(&of, (0..count).map(|n| Ok::<_, LayersError>(Held::new(&sums, n)))).expect("no part fails");
            assert_eq!(joined.map(|part| of.answer(part).expect("a sum")), (count > 0).then(|| (0..count).sum()));
            let (most, bound) = (sums.most.load(Ordering::Relaxed), count.checked_ilog2().map_or(0, |log| log + 2));
            println!("{count} parts: at most {most} at a time; bound {bound}");
            assert!(most <= bound, "{most} of {count} parts at a time");
        }
        let sums = Sums::default();
        let failing = (0..9_u64).map(|n| if n == 6 { Err(EngineError::Stopped.into()) } else { Ok(Held::new(&sums, n)) });
        assert_eq!(join_all(&Of(&sums), failing).err(), Some(LayersError::from(EngineError::Stopped)));
    }
}
