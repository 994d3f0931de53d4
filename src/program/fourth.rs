//! The fourth coordinate of a call: moves 4D lattices along their fourth axis without lowering again.

use super::instance::Instance;
use super::lattice::Lattice;
use super::{Program, ProgramError};
use crate::frame::Frame;
use std::borrow::Cow;

/// A lattice in 4D in one instance of its scope, as it was lowered.
#[derive(Clone, Debug)]
pub(crate) struct FourthAxis {
    /// Index of its first frame; the one of the fourth coordinate follows.
    pub first: usize,
    pub lattice: Lattice,
    pub instance: Instance,
}

impl FourthAxis {
    /// Its two frames if the node's `w` is larger by this amount: the ones that lowering would produce.
    fn moved(&self, by: f64) -> [Frame; 2] {
        let lattice = Lattice { fourth: self.lattice.fourth + by, ..self.lattice };
        [lattice.frame(&self.instance), lattice.fourth(&self.instance)]
    }
}

impl Program {
    /// Whether any lattice has a fourth coordinate.
    pub fn has_fourth(&self) -> bool {
        !self.fourths.is_empty()
    }

    /// The frames that depend on the fourth coordinate, with their indices, if every `w` is larger by this amount.
    ///
    /// # Errors
    /// Returns an error if a lattice is so fine that its coordinate is not finite.
    pub fn moved_frames(&self, by: f64) -> impl Iterator<Item = Result<(usize, Frame), ProgramError>> {
        let pairs = self.fourths.iter().flat_map(move |fourth| (fourth.first..).zip(fourth.moved(by)));
        pairs.map(|(index, frame)| {
            if frame.offset.is_finite() { Ok((index, frame)) } else { Err(ProgramError::too_far(&self.owner(index).1, f64::INFINITY)) }
        })
    }

    /// The program if every `w` is larger by this amount.
    ///
    /// # Errors
    /// Returns the errors of [`moved_frames`](Self::moved_frames).
    pub fn at_fourth(&self, by: f64) -> Result<Cow<'_, Program>, ProgramError> {
        if by == 0.0 || !self.has_fourth() {
            return Ok(Cow::Borrowed(self));
        }
        let mut program = self.clone();
        for moved in self.moved_frames(by) {
            let (index, frame) = moved?;
            program.tables.frames[index] = frame;
        }
        Ok(Cow::Owned(program))
    }
}
