//! The two reductions of `drainage`: the passes of squares, and what flows through them.

use super::encoding::{put, put_bytes, take, take_bytes};
use super::reduction::Reduction;
use crate::cpu::threads::Pool;
use crate::drainage::grid::{Grid, Rect};
use crate::drainage::levels::{self, Record};
use crate::drainage::passes::{Root, Routing, Undrained};
use crate::drainage::rain::Rain;
use crate::drainage::record::{Branch, DRY, Donors, Entering, Flow, Leaving, Reach, RimFlow, Through, UNCUT};
use crate::drainage::square::{Edge, Passes, RimCell};
use crate::field::Layer;
use crate::region::Region;
use crate::stage::{DrainedWorld, SquareLayers, Tracing};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The records of squares as bytes, by their numbers. They take a fraction of the memory of the records.
pub(crate) type Records = BTreeMap<u32, Vec<u8>>;

/// The reduction: the passes of all squares, joined to the tree of the world.
pub(crate) struct Passing {
    /// `None` where answers are read that state it.
    pub world: Option<DrainedWorld>,
}

/// The answer to the question about passes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Passed {
    /// The world; `None` if there were no samples.
    pub world: Option<DrainedWorld>,
    /// The part of each square.
    pub routings: Result<Arc<Vec<Routing>>, Undrained>,
}

/// The reduction: what flows through all squares.
pub(crate) struct Flowing {
    pub world: Option<DrainedWorld>,
    pub routings: Arc<Vec<Routing>>,
}

/// The squares of a block, with the layers of each.
fn squares<'a>(world: &DrainedWorld, block: &'a [Layer]) -> Vec<(u32, SquareLayers<'a>)> {
    let found = block.chunks_exact(world.tracing.layers()).filter_map(|layers| {
        let number = world.square_of(&layers.first()?.region)?;
        Some((number, world.tracing.of_square(layers.iter().map(|layer| &layer.values[..]))?))
    });
    found.collect()
}

/// Joins the records of all squares; `None` if one is missing.
fn join_all<T: Record>(
    grid: &Grid,
    whole: &Records,
    decode: impl Fn(&mut &[u8], &Rect) -> Option<T>,
) -> Option<Result<Vec<T::Share>, T::Error>> {
    let record = |number: u32| decode(&mut &whole[&number][..], &grid.square(number)).expect("invariant: parts hold records");
    (whole.len() == grid.count() as usize).then(|| levels::join(grid, levels::FACTOR, &record))
}

impl Reduction for Passing {
    type Part = Records;
    type Answer = Passed;

    fn empty(&self) -> Self::Part {
        Records::new()
    }

    fn gather(&self, part: &mut Self::Part, block: &[Layer], pool: &Pool) {
        let Some(world) = &self.world else { return };
        let squares = squares(world, block);
        let records = pool.map(squares.len(), |k| encode_passes(&world.untraced(squares[k].0, &squares[k].1).passes()));
        part.extend(squares.iter().map(|square| square.0).zip(records));
    }

    fn join(&self, part: &mut Self::Part, other: Self::Part) {
        part.extend(other);
    }

    fn answer(&self, whole: Self::Part) -> Passed {
        let grid = self.world.as_ref().map(|world| world.grid);
        let joined = grid.and_then(|grid| join_all(&grid, &whole, |bytes, rect| decode_passes(bytes, &grid, rect)));
        let routings = joined.unwrap_or(Ok(Vec::new()));
        Passed { world: self.world.clone(), routings: routings.map(Arc::new) }
    }

    fn encode(&self, part: &Self::Part) -> Vec<u8> {
        encode_records(part)
    }

    fn decode(&self, bytes: &[u8]) -> Option<Self::Part> {
        let grid = self.world.as_ref()?.grid;
        decode_records(bytes, &grid, |bytes, rect| decode_passes(bytes, &grid, rect))
    }

    fn encode_answer(&self, answer: &Passed) -> Vec<u8> {
        let mut bytes = encode_world(answer.world.as_ref());
        let routings = match &answer.routings {
            Ok(routings) => routings,
            Err(Undrained::NoOutlet) => return [&bytes[..], &[1]].concat(),
            Err(Undrained::TooLarge) => return [&bytes[..], &[2]].concat(),
        };
        bytes.push(0);
        put(&mut bytes, routings.len() as u64);
        for Routing { dropped, roots } in routings.iter() {
            put(&mut bytes, dropped.len() as u64);
            dropped.iter().for_each(|edge| put(&mut bytes, u64::from(*edge)));
            put(&mut bytes, roots.len() as u64);
            for Root { terminal, spill, leaves } in roots {
                bytes.extend(spill.to_le_bytes());
                put(&mut bytes, u64::from(*terminal));
                let (at, direction) = *leaves;
                bytes.push(direction);
                put(&mut bytes, u64::from(at));
            }
        }
        bytes
    }

    fn decode_answer(&self, mut bytes: &[u8]) -> Option<Passed> {
        let bytes = &mut bytes;
        let world = decode_world(bytes)?;
        let routings = match byte(bytes)? {
            0 => {
                let routings = list(bytes, |bytes| {
                    let dropped = list(bytes, number)?;
                    let roots = list(bytes, |bytes| {
                        let (spill, terminal) = (word(bytes)?, number(bytes)?);
                        let (direction, at) = (direction(bytes)??, number(bytes)?);
                        Some(Root { terminal, spill, leaves: (at, direction) })
                    })?;
                    Some(Routing { dropped, roots })
                })?;
                Ok(Arc::new(routings))
            }
            1 => Err(Undrained::NoOutlet),
            2 => Err(Undrained::TooLarge),
            _ => return None,
        };
        bytes.is_empty().then_some(Passed { world, routings })
    }
}

impl Flowing {
    /// Whether passes are cut.
    fn is_cut(&self) -> bool {
        self.world.as_ref().is_some_and(|world| world.tracing.breach > 0.0)
    }

    /// Whether rain differs between cells.
    fn has_rain(&self) -> bool {
        self.world.as_ref().is_some_and(|world| world.tracing.rain == Rain::Layer)
    }
}

impl Flowing {
    fn encode_flow(&self, flow: &Flow) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(&mut bytes, flow.drained);
        put(&mut bytes, flow.rim.len() as u64);
        for cell in &flow.rim {
            bytes.push(cell.exit.unwrap_or(NO_DIRECTION));
            [cell.area, cell.end, cell.distance].into_iter().for_each(|number| put(&mut bytes, number));
            if self.has_rain() {
                put(&mut bytes, cell.rain);
            }
        }
        put(&mut bytes, flow.branches.len() as u64);
        for Branch { own, into, through } in &flow.branches {
            bytes.extend([own.largest, own.count]);
            put(&mut bytes, into.map_or(0, |into| u64::from(into) + 1));
            put_bytes(&mut bytes, through);
        }
        for Reach { climbs, climbs_from, climbs_on, passes, limit, own, hands, adds, crest, rest } in &flow.reaches {
            bytes.push(u8::from(*climbs) | u8::from(*climbs_on) << 1 | u8::from(*passes) << 2);
            bytes.push(climbs_from.unwrap_or(NO_DIRECTION));
            bytes.extend([limit, own, hands, adds, crest, rest].into_iter().flat_map(|height| height.to_le_bytes()));
        }
        bytes
    }

    fn decode_flow(&self, bytes: &mut &[u8], grid: &Grid, rect: &Rect) -> Option<Flow> {
        let drained = take(bytes)?;
        let rim = list(bytes, |bytes| {
            let (exit, area) = (direction(bytes)?, take(bytes)?);
            let end = take(bytes).filter(|end| rect.holds(grid.position(*end)))?;
            let distance = take(bytes)?;
            Some(RimFlow { exit, area, rain: if self.has_rain() { take(bytes)? } else { 0 }, end, distance })
        })?;
        let leads_out = |(at, cell): (u32, &RimFlow)| leads_out(grid, rect, at, cell.exit);
        let branches = list(bytes, |bytes| {
            let own = donors(bytes)?;
            let into = take(bytes)?.checked_sub(1).map(u32::try_from).transpose().ok()?;
            Some(Branch { own, into, through: take_bytes(bytes)?.to_vec() })
        })?;
        let reaches = (0..if self.is_cut() { branches.len() } else { 0 }).map(|_| reach(bytes)).collect::<Option<Vec<_>>>()?;
        let is_node = |branch: &Branch| branch.into.is_none_or(|into| (into as usize) < branches.len());
        let are_nodes = branches.len() >= rim.len() && branches.iter().all(is_node);
        let is_rim = rim.len() == rect.rim() as usize && (0..).zip(&rim).all(leads_out);
        (is_rim && are_nodes).then_some(Flow { rim, drained, branches, reaches })
    }
}

impl Reduction for Flowing {
    type Part = Records;
    type Answer = Vec<Through>;

    fn empty(&self) -> Self::Part {
        Records::new()
    }

    fn gather(&self, part: &mut Self::Part, block: &[Layer], pool: &Pool) {
        let Some(world) = &self.world else { return };
        let squares = squares(world, block);
        let records = pool.map(squares.len(), |k| {
            let (number, layers) = &squares[k];
            let routed = world.routed(*number, layers, self.routings.get(*number as usize)?);
            Some(self.encode_flow(&Flow::new(&routed, world.tracing.breach, layers.rain)))
        });
        part.extend(squares.iter().zip(records).filter_map(|(square, record)| Some((square.0, record?))));
    }

    fn join(&self, part: &mut Self::Part, other: Self::Part) {
        part.extend(other);
    }

    fn answer(&self, whole: Self::Part) -> Vec<Through> {
        let grid = self.world.as_ref().map(|world| world.grid);
        let joined = grid.and_then(|grid| join_all(&grid, &whole, |bytes, rect| self.decode_flow(bytes, &grid, rect)));
        joined.and_then(Result::ok).unwrap_or_default()
    }

    fn encode(&self, part: &Self::Part) -> Vec<u8> {
        encode_records(part)
    }

    fn decode(&self, bytes: &[u8]) -> Option<Self::Part> {
        let grid = self.world.as_ref()?.grid;
        decode_records(bytes, &grid, |bytes, rect| self.decode_flow(bytes, &grid, rect))
    }

    fn encode_answer(&self, answer: &Vec<Through>) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(&mut bytes, answer.len() as u64);
        for Through { enters, leaves } in answer {
            put(&mut bytes, enters.len() as u64);
            for Entering { at, area, rain, donors, cut } in enters {
                put(&mut bytes, u64::from(*at));
                put(&mut bytes, *area);
                bytes.extend([donors.largest, donors.count]);
                if self.has_rain() {
                    put(&mut bytes, *rain);
                }
                if self.is_cut() {
                    bytes.extend(cut.to_le_bytes());
                }
            }
            put(&mut bytes, leaves.len() as u64);
            for Leaving { at, distance, outlet, level } in leaves {
                [u64::from(*at), *distance, *outlet].into_iter().for_each(|number| put(&mut bytes, number));
                if self.is_cut() {
                    bytes.extend(level.to_le_bytes());
                }
            }
        }
        bytes
    }

    fn decode_answer(&self, mut bytes: &[u8]) -> Option<Vec<Through>> {
        let (is_cut, has_rain) = (self.is_cut(), self.has_rain());
        let throughs = list(&mut bytes, |bytes| {
            let enters = list(bytes, |bytes| {
                let (at, area, donors) = (number(bytes)?, take(bytes)?, donors(bytes)?);
                let rain = if has_rain { take(bytes)? } else { 0 };
                Some(Entering { at, area, rain, donors, cut: if is_cut { float(bytes)? } else { UNCUT } })
            })?;
            let leaves = list(bytes, |bytes| {
                let (at, distance, outlet) = (number(bytes)?, take(bytes)?, take(bytes)?);
                Some(Leaving { at, distance, outlet, level: if is_cut { float(bytes)? } else { DRY } })
            })?;
            Some(Through { enters, leaves })
        })?;
        bytes.is_empty().then_some(throughs)
    }
}

/// In place of a direction.
const NO_DIRECTION: u8 = u8::MAX;

/// Whether a cell of a rim leaves its square, if it is said to.
fn leads_out(grid: &Grid, rect: &Rect, at: u32, exit: Option<u8>) -> bool {
    at < rect.rim()
        && exit.is_none_or(|exit| {
            let next = grid.neighbour(rect.rim_position(at), exit);
            next.is_some_and(|next| !rect.holds(next))
        })
}

fn encode_passes(passes: &Passes) -> Vec<u8> {
    let mut bytes = Vec::new();
    put(&mut bytes, u64::from(passes.terminals));
    put(&mut bytes, passes.rim.len() as u64);
    for cell in &passes.rim {
        bytes.extend(cell.key.to_le_bytes());
        bytes.push(cell.exit.unwrap_or(NO_DIRECTION));
        put(&mut bytes, u64::from(cell.terminal));
    }
    put(&mut bytes, passes.edges.len() as u64);
    for Edge { terminals, high, low } in &passes.edges {
        bytes.extend([high.0, low.0].into_iter().flat_map(u32::to_le_bytes));
        terminals.iter().for_each(|terminal| put(&mut bytes, u64::from(*terminal)));
        [high.1, low.1].into_iter().for_each(|index| put(&mut bytes, index));
    }
    bytes
}

fn decode_passes(bytes: &mut &[u8], grid: &Grid, rect: &Rect) -> Option<Passes> {
    let terminals = number(bytes).filter(|terminals| *terminals >= 1)?;
    let rim = list(bytes, |bytes| {
        let (key, exit) = (word(bytes)?, direction(bytes)?);
        Some(RimCell { key, exit, terminal: number(bytes).filter(|terminal| *terminal < terminals)? })
    })?;
    let edges = list(bytes, |bytes| {
        let keys = [word(bytes)?, word(bytes)?];
        let mut terminal = || number(bytes).filter(|terminal| *terminal < terminals);
        let terminals = [terminal()?, terminal()?];
        let mut cell = || take(bytes).filter(|index| rect.holds(grid.position(*index)));
        Some(Edge { terminals, high: (keys[0], cell()?), low: (keys[1], cell()?) })
    })?;
    let leads_out = |(at, cell): (u32, &RimCell)| leads_out(grid, rect, at, cell.exit);
    (rim.len() == rect.rim() as usize && (0..).zip(&rim).all(leads_out)).then_some(Passes { rim, terminals, edges })
}

fn encode_records(records: &Records) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (number, record) in records {
        put(&mut bytes, u64::from(*number));
        bytes.extend(record);
    }
    bytes
}

fn decode_records<T>(mut bytes: &[u8], grid: &Grid, decode: impl Fn(&mut &[u8], &Rect) -> Option<T>) -> Option<Records> {
    let mut records = Records::new();
    while !bytes.is_empty() {
        let square = number(&mut bytes).filter(|square| *square < grid.count())?;
        let before = bytes;
        decode(&mut bytes, &grid.square(square))?;
        records.insert(square, before[..before.len() - bytes.len()].to_vec());
    }
    Some(records)
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

fn number(bytes: &mut &[u8]) -> Option<u32> {
    u32::try_from(take(bytes)?).ok()
}

fn byte(bytes: &mut &[u8]) -> Option<u8> {
    let (&byte, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(byte)
}

fn donors(bytes: &mut &[u8]) -> Option<Donors> {
    Some(Donors { largest: byte(bytes)?, count: byte(bytes)? })
}

/// A direction, or none.
fn direction(bytes: &mut &[u8]) -> Option<Option<u8>> {
    match byte(bytes)? {
        NO_DIRECTION => Some(None),
        direction @ 0..8 => Some(Some(direction)),
        _ => None,
    }
}

fn reach(bytes: &mut &[u8]) -> Option<Reach> {
    let flags = byte(bytes).filter(|flags| *flags < 8)?;
    let [climbs, climbs_on, passes] = [0, 1, 2].map(|bit| flags >> bit & 1 == 1);
    let climbs_from = direction(bytes)?;
    let mut float = || float(bytes);
    let (limit, own, hands, adds, crest, rest) = (float()?, float()?, float()?, float()?, float()?, float()?);
    Some(Reach { climbs, climbs_from, climbs_on, passes, limit, own, hands, adds, crest, rest })
}

fn float(bytes: &mut &[u8]) -> Option<f32> {
    word(bytes).map(f32::from_bits)
}

fn word(bytes: &mut &[u8]) -> Option<u32> {
    let (word, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u32::from_le_bytes(*word))
}

/// Items after their number. Memory grows with the bytes that there are.
fn list<T>(bytes: &mut &[u8], mut item: impl FnMut(&mut &[u8]) -> Option<T>) -> Option<Vec<T>> {
    let count = take(bytes)?;
    let mut items = Vec::new();
    for _ in 0..count {
        items.push(item(bytes)?);
    }
    Some(items)
}
