//! The reduction of `grade`: rises along the water of squares.

use super::bytes::{Codec, GradeCodec};
use super::units::{Records, decode_records, decode_shares, encode_records, encode_shares, encode_unit, join_all, join_units, shares_of};
use super::{failed, units_of};
use crate::cpu::threads::Pool;
use crate::drainage::grade::Behind;
use crate::drainage::levels::Unjoined;
use crate::drainage::shares::Shares;
use crate::error::LayersError;
use crate::field::Layer;
use crate::stage::{Around, DrainedWorld, Grading};
use crate::world::reduction::Reduction;
use crate::world::units::{ReadUnit, Units};

/// The reduction: rises along the water, joined to the heights behind the exits of all squares.
pub(crate) struct Rising {
    /// The name of the stage.
    pub stage: String,
    /// `None` if it has no samples.
    pub world: Option<DrainedWorld>,
    pub grading: Grading,
    /// Bytes of records that are held in memory.
    pub held: u64,
}

impl Reduction for Rising {
    type Part = Records;
    type Answer = Shares<Behind>;

    fn empty(&self) -> Self::Part {
        Records::new(self.held)
    }

    fn gather(&self, part: &mut Self::Part, block: &[Layer], pool: &Pool) -> Result<(), LayersError> {
        let Some(world) = &self.world else { return Ok(()) };
        let squares: Vec<(u32, &[Layer])> = block
            .chunks_exact(self.grading.layers())
            .filter_map(|layers| Some((world.square_of(&layers.first()?.region, Around::Nothing)?, layers)))
            .collect();
        let records = pool.map(squares.len(), |k| {
            let (number, layers) = squares[k];
            let square = self.grading.square(world, number, layers.iter().map(|layer| &layer.values[..]))?;
            let unusable = |reason| LayersError::World { stage: self.stage.clone(), reason };
            Some(square.map(|square| (number, GradeCodec.encode(&square.record()))).map_err(unusable))
        });
        let records = records.into_iter().flatten().collect::<Result<Vec<_>, LayersError>>()?;
        records.iter().try_for_each(|(number, record)| part.put(*number, record)).map_err(failed(&self.stage))
    }

    fn join(&self, part: &mut Self::Part, other: Self::Part) -> Result<(), LayersError> {
        part.extend(&other).map_err(failed(&self.stage))
    }

    fn is_on_disk(&self, part: &Self::Part) -> bool {
        part.is_on_disk()
    }

    fn answer(&self, whole: Self::Part) -> Result<Shares<Behind>, LayersError> {
        match self.world.as_ref().and_then(|world| join_all(GradeCodec, &world.grid, &whole)) {
            Some(Ok(behind)) => Ok(behind),
            None | Some(Err(Unjoined::Records(_))) => Ok(Shares::default()),
            Some(Err(Unjoined::Storage(error))) => Err(failed(&self.stage)(error)),
        }
    }

    fn encode(&self, part: &Self::Part) -> Vec<u8> {
        encode_records(part)
    }

    fn decode(&self, bytes: &[u8]) -> Option<Self::Part> {
        decode_records(GradeCodec, bytes, &self.world.as_ref()?.grid, self.held)
    }

    fn encode_answer(&self, answer: &Shares<Behind>) -> Vec<u8> {
        answer.held().map(|held| encode_shares(GradeCodec, held)).unwrap_or_default()
    }

    fn decode_answer(&self, mut bytes: &[u8]) -> Option<Shares<Behind>> {
        decode_shares(GradeCodec, &mut bytes).map(Shares::from)
    }

    fn units(&self) -> Option<u32> {
        units_of(self.world.as_ref())
    }

    fn encode_unit(&self, part: &Self::Part, unit: u32) -> Vec<u8> {
        self.world.as_ref().map(|world| encode_unit(GradeCodec, &world.grid, unit, part)).unwrap_or_default()
    }

    fn join_units<U: Units>(&self, units: &U) -> Result<Vec<u8>, U::Error> {
        match self.world.as_ref().map(|world| join_units(GradeCodec, &world.grid, units)) {
            None | Some(Ok(())) => Ok(Vec::new()),
            Some(Err(Unjoined::Records(_))) => Err(units.refuse(0)),
            Some(Err(Unjoined::Storage(error))) => Err(error),
        }
    }

    fn open_units(&self, bytes: &[u8], read: ReadUnit) -> Option<Shares<Behind>> {
        bytes.is_empty().then(|| self.world.as_ref().map(|world| shares_of(GradeCodec, &world.grid, read, 0)).unwrap_or_default())
    }
}
