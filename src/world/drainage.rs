//! The two reductions of `drainage`: the passes of squares, and what flows through them. That of `grade`: rises along the water.

mod bytes;
mod grade;
mod units;

pub(crate) use grade::Rising;

use super::encoding::{put_bytes, take_bytes};
use super::reduction::Reduction;
use super::tracer::{Traced, Tracer};
use super::units::{ReadUnit, Units};
use crate::cpu::threads::Pool;
use crate::drainage::grid::Grid;
use crate::drainage::levels::{FACTOR, Unjoined};
use crate::drainage::passes::{Routing, Undrained};
use crate::drainage::rain::Rain;
use crate::drainage::record::Through;
use crate::drainage::shares::Shares;
use crate::error::LayersError;
use crate::field::Layer;
use crate::region::Region;
use crate::stage::{Around, DrainedWorld, SquareLayers, Tracing};
use bytes::{Codec, FlowCodec, PassesCodec, byte};
use std::io::Error;
use std::sync::Arc;
use units::{Records, decode_records, decode_shares, encode_records, encode_shares, encode_unit, join_all, join_units, shares_of, told};

/// The reduction: the passes of all squares, joined to the tree of the world.
pub(crate) struct Passing {
    pub tracer: Arc<dyn Tracer>,
    /// The name of the stage.
    pub stage: String,
    /// `None` where answers are read that state it.
    pub world: Option<DrainedWorld>,
    /// Bytes of records that are held in memory.
    pub held: u64,
}

/// The answer to the question about passes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Passed {
    /// The world; `None` if there were no samples.
    pub world: Option<DrainedWorld>,
    /// The part of each square.
    pub routings: Result<Shares<Routing>, Undrained>,
}

/// The reduction: what flows through all squares.
pub(crate) struct Flowing {
    pub tracer: Arc<dyn Tracer>,
    /// The name of the stage.
    pub stage: String,
    pub world: Option<DrainedWorld>,
    pub routings: Shares<Routing>,
    /// Bytes of records that are held in memory.
    pub held: u64,
}

/// The error of a stage whose temporary file fails.
fn failed(stage: &str) -> impl Fn(Error) -> LayersError + '_ {
    |error| LayersError::Storage { stage: stage.to_owned(), reason: told(&error) }
}

/// The squares of a block, with the layers of each.
fn squares<'a>(world: &DrainedWorld, block: &'a [Layer]) -> Vec<(u32, SquareLayers<'a>)> {
    let found = block.chunks_exact(world.tracing.layers()).filter_map(|layers| {
        let number = world.square_of(&layers.first()?.region, Around::Halo)?;
        Some((number, world.tracing.of_square(layers.iter().map(|layer| &layer.values[..]))?))
    });
    found.collect()
}

/// The number of units of a world.
fn units_of(world: Option<&DrainedWorld>) -> Option<u32> {
    world.map(|world| world.grid.coarser(FACTOR).count())
}

/// The states of an answer about passes: the shares follow, the reason why the world has no drainage, or units or a temporary file have
/// the shares.
const HELD: u8 = 0;
const NO_OUTLET: u8 = 1;
const TOO_LARGE: u8 = 2;
const IN_UNITS: u8 = 3;

fn state_of(undrained: Undrained) -> u8 {
    match undrained {
        Undrained::NoOutlet => NO_OUTLET,
        Undrained::TooLarge => TOO_LARGE,
    }
}

impl Reduction for Passing {
    type Part = Records;
    type Answer = Passed;

    fn empty(&self) -> Self::Part {
        Records::new(self.held)
    }

    fn gather(&self, part: &mut Self::Part, block: &[Layer], pool: &Pool) -> Result<(), LayersError> {
        let Some(world) = &self.world else { return Ok(()) };
        let squares = squares(world, block);
        let records = pool.map(squares.len(), |k| {
            let (number, layers) = squares[k];
            let traced = Traced { tracer: &*self.tracer, world, number, layers };
            Ok((number, PassesCodec.encode(&traced.square()?.passes())))
        });
        let records = records.into_iter().collect::<Result<Vec<_>, LayersError>>()?;
        records.iter().try_for_each(|(number, record)| part.put(*number, record)).map_err(failed(&self.stage))
    }

    fn join(&self, part: &mut Self::Part, other: Self::Part) -> Result<(), LayersError> {
        part.extend(&other).map_err(failed(&self.stage))
    }

    fn is_on_disk(&self, part: &Self::Part) -> bool {
        part.is_on_disk()
    }

    fn answer(&self, whole: Self::Part) -> Result<Passed, LayersError> {
        let routings = match self.world.as_ref().and_then(|world| join_all(PassesCodec, &world.grid, &whole)) {
            None => Ok(Shares::default()),
            Some(Ok(routings)) => Ok(routings),
            Some(Err(Unjoined::Records(undrained))) => Err(undrained),
            Some(Err(Unjoined::Storage(error))) => return Err(failed(&self.stage)(error)),
        };
        Ok(Passed { world: self.world.clone(), routings })
    }

    fn encode(&self, part: &Self::Part) -> Vec<u8> {
        encode_records(part)
    }

    fn decode(&self, bytes: &[u8]) -> Option<Self::Part> {
        decode_records(PassesCodec, bytes, &self.world.as_ref()?.grid, self.held)
    }

    fn encode_answer(&self, answer: &Passed) -> Vec<u8> {
        let mut bytes = encode_world(answer.world.as_ref());
        match &answer.routings {
            Ok(routings) => match routings.held() {
                Some(held) => {
                    bytes.push(HELD);
                    bytes.extend(encode_shares(PassesCodec, held));
                }
                None => bytes.push(IN_UNITS),
            },
            Err(undrained) => bytes.push(state_of(*undrained)),
        }
        bytes
    }

    fn decode_answer(&self, bytes: &[u8]) -> Option<Passed> {
        decode_passed(bytes, |_, bytes| decode_shares(PassesCodec, bytes).map(Shares::from), HELD)
    }

    fn units(&self) -> Option<u32> {
        units_of(self.world.as_ref())
    }

    fn encode_unit(&self, part: &Self::Part, unit: u32) -> Vec<u8> {
        self.world.as_ref().map(|world| encode_unit(PassesCodec, &world.grid, unit, part)).unwrap_or_default()
    }

    fn join_units<U: Units>(&self, units: &U) -> Result<Vec<u8>, U::Error> {
        let mut bytes = encode_world(self.world.as_ref());
        bytes.push(match self.world.as_ref().map(|world| join_units(PassesCodec, &world.grid, units)) {
            None | Some(Ok(())) => IN_UNITS,
            Some(Err(Unjoined::Records(undrained))) => state_of(undrained),
            Some(Err(Unjoined::Storage(error))) => return Err(error),
        });
        Ok(bytes)
    }

    fn open_units(&self, bytes: &[u8], read: ReadUnit) -> Option<Passed> {
        decode_passed(bytes, |grid, _| Some(shares_of(PassesCodec, grid?, read, 0)), IN_UNITS)
    }
}

/// Reads an answer about passes. `routings` reads those of an answer in `state`.
fn decode_passed(
    mut bytes: &[u8],
    routings: impl FnOnce(Option<&Grid>, &mut &[u8]) -> Option<Shares<Routing>>,
    state: u8,
) -> Option<Passed> {
    let bytes = &mut bytes;
    let world = decode_world(bytes)?;
    let routings = match byte(bytes)? {
        NO_OUTLET => Err(Undrained::NoOutlet),
        TOO_LARGE => Err(Undrained::TooLarge),
        found => Ok(routings(world.as_ref().map(|world| &world.grid), bytes).filter(|_| found == state)?),
    };
    bytes.is_empty().then_some(Passed { world, routings })
}

impl Flowing {
    fn codec(&self) -> FlowCodec {
        let tracing = self.world.as_ref().map(|world| world.tracing);
        FlowCodec {
            is_cut: tracing.is_some_and(|tracing| tracing.breach > 0.0),
            has_rain: tracing.is_some_and(|tracing| tracing.rain == Rain::Layer),
        }
    }
}

impl Reduction for Flowing {
    type Part = Records;
    type Answer = Shares<Through>;

    fn empty(&self) -> Self::Part {
        Records::new(self.held)
    }

    fn gather(&self, part: &mut Self::Part, block: &[Layer], pool: &Pool) -> Result<(), LayersError> {
        let Some(world) = &self.world else { return Ok(()) };
        let squares = squares(world, block);
        let unread = |reason: String| LayersError::Storage { stage: self.stage.clone(), reason };
        let routings = squares.iter().map(|(number, _)| self.routings.of(*number)).collect::<Result<Vec<_>, _>>().map_err(unread)?;
        let records = pool.map(squares.len(), |k| {
            let (number, layers) = squares[k];
            let traced = Traced { tracer: &*self.tracer, world, number, layers };
            let record = |routing: &Routing| Ok((number, self.codec().encode(&traced.flow(routing)?)));
            routings[k].as_deref().map(record).transpose()
        });
        let records = records.into_iter().collect::<Result<Vec<_>, LayersError>>()?;
        records.iter().flatten().try_for_each(|(number, record)| part.put(*number, record)).map_err(failed(&self.stage))
    }

    fn join(&self, part: &mut Self::Part, other: Self::Part) -> Result<(), LayersError> {
        part.extend(&other).map_err(failed(&self.stage))
    }

    fn is_on_disk(&self, part: &Self::Part) -> bool {
        part.is_on_disk()
    }

    fn answer(&self, whole: Self::Part) -> Result<Shares<Through>, LayersError> {
        match self.world.as_ref().and_then(|world| join_all(self.codec(), &world.grid, &whole)) {
            Some(Ok(throughs)) => Ok(throughs),
            None | Some(Err(Unjoined::Records(_))) => Ok(Shares::default()),
            Some(Err(Unjoined::Storage(error))) => Err(failed(&self.stage)(error)),
        }
    }

    fn encode(&self, part: &Self::Part) -> Vec<u8> {
        encode_records(part)
    }

    fn decode(&self, bytes: &[u8]) -> Option<Self::Part> {
        decode_records(self.codec(), bytes, &self.world.as_ref()?.grid, self.held)
    }

    fn encode_answer(&self, answer: &Shares<Through>) -> Vec<u8> {
        answer.held().map(|held| encode_shares(self.codec(), held)).unwrap_or_default()
    }

    fn decode_answer(&self, mut bytes: &[u8]) -> Option<Shares<Through>> {
        decode_shares(self.codec(), &mut bytes).map(Shares::from)
    }

    fn units(&self) -> Option<u32> {
        units_of(self.world.as_ref())
    }

    fn encode_unit(&self, part: &Self::Part, unit: u32) -> Vec<u8> {
        self.world.as_ref().map(|world| encode_unit(self.codec(), &world.grid, unit, part)).unwrap_or_default()
    }

    fn join_units<U: Units>(&self, units: &U) -> Result<Vec<u8>, U::Error> {
        match self.world.as_ref().map(|world| join_units(self.codec(), &world.grid, units)) {
            None | Some(Ok(())) => Ok(Vec::new()),
            Some(Err(Unjoined::Records(_))) => Err(units.refuse(0)),
            Some(Err(Unjoined::Storage(error))) => Err(error),
        }
    }

    fn open_units(&self, bytes: &[u8], read: ReadUnit) -> Option<Shares<Through>> {
        bytes.is_empty().then(|| self.world.as_ref().map(|world| shares_of(self.codec(), &world.grid, read, 0)).unwrap_or_default())
    }
}

fn encode_world(world: Option<&DrainedWorld>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let text = world.and_then(|world| serde_json::to_vec(&(world.region, world.grid.seed, world.tracing)).ok());
    put_bytes(&mut bytes, &text.unwrap_or_default());
    bytes
}

fn decode_world(bytes: &mut &[u8]) -> Option<Option<DrainedWorld>> {
    let text = take_bytes(bytes)?;
    if text.is_empty() {
        return Some(None);
    }
    let (region, seed, tracing): (Region, u32, Tracing) = serde_json::from_slice(text).ok()?;
    DrainedWorld::new(region, seed, tracing).map(Some)
}
