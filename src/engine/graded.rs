//! Heights along the water: the squares that a region touches, each from its layers and from the answers about the world.

use crate::drainage::grade::Behind;
use crate::drainage::shares::Shares;
use crate::engine::Engine;
use crate::engine::latest::Latest;
use crate::error::LayersError;
use crate::stage::{Drained, Grading};
use std::sync::Arc;

/// The heights of the squares that were computed last, by world and number.
pub(crate) type GradedSquares = Latest<(u64, u32), Vec<f32>>;

/// One part of this number of the memory keeps heights.
pub(super) const KEPT: u64 = 16;

impl Engine {
    /// The heights of squares by their numbers, as kept or computed.
    pub(super) fn graded_squares(
        &self,
        drained: &Drained,
        answers: (Grading, &Shares<Behind>),
        numbers: &[u32],
    ) -> Result<Vec<Arc<Vec<f32>>>, LayersError> {
        let found: Vec<Option<Arc<Vec<f32>>>> = numbers.iter().map(|number| self.graded_squares.find(&(drained.id(), *number))).collect();
        let missing: Vec<u32> = numbers.iter().zip(&found).filter(|(_, found)| found.is_none()).map(|(number, _)| *number).collect();
        let mut computed = self.grade(drained, answers, &missing)?.into_iter();
        let mut squares = Vec::new();
        for (number, found) in numbers.iter().zip(found) {
            let square = found.or_else(|| computed.next()).expect("invariant: a square that is not kept is computed");
            self.graded_squares.keep((drained.id(), *number), &square, self.memory() / KEPT, |square| size_of_val(&square[..]) as u64);
            squares.push(square);
        }
        Ok(squares)
    }

    fn grade(
        &self,
        drained: &Drained,
        (grading, behind): (Grading, &Shares<Behind>),
        numbers: &[u32],
    ) -> Result<Vec<Arc<Vec<f32>>>, LayersError> {
        let unusable = |reason| LayersError::World { stage: drained.stage.clone(), reason };
        let unread = |reason| LayersError::Storage { stage: drained.stage.clone(), reason };
        let behind = numbers.iter().map(|number| behind.of(*number)).collect::<Result<Vec<_>, _>>().map_err(unread)?;
        let layers = self.layers_of(drained, numbers)?;
        let heights = self.pool.map(numbers.len(), |k| {
            let of_square = layers.get(k * grading.layers()..)?.iter().map(|layer| &layer[..]);
            let (square, behind) = (grading.square(&drained.world, numbers[k], of_square)?, behind[k].as_deref()?);
            Some(square.map(|square| Arc::new(square.heights(behind))).map_err(unusable))
        });
        let heights = heights.into_iter().collect::<Option<Result<Vec<_>, _>>>();
        heights.ok_or_else(|| LayersError::Nothing { stage: drained.stage.clone() })?
    }
}
