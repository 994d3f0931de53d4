//! Records and shares of squares as bytes.

use crate::drainage::grade::{Behind, RimRise, Rises};
use crate::drainage::grid::{Grid, Rect};
use crate::drainage::levels::Record;
use crate::drainage::passes::{Root, Routing};
use crate::drainage::record::{Branch, DRY, Donors, Entering, Flow, Leaving, Reach, RimFlow, Through, UNCUT};
use crate::drainage::square::{Edge, Passes, RimCell};
use crate::world::encoding::{put, put_bytes, take, take_bytes};

/// The bytes of records of one kind, and of the shares that squares get in return.
pub(super) trait Codec: Copy + Send + Sync + 'static {
    type Record: Record;

    fn encode(&self, record: &Self::Record) -> Vec<u8>;

    /// Reads the record of a square or a group and moves behind it; `None` if the bytes are not one.
    fn decode(&self, bytes: &mut &[u8], grid: &Grid, rect: &Rect) -> Option<Self::Record>;

    fn encode_share(&self, share: &Share<Self>, bytes: &mut Vec<u8>);

    /// Reads a share and moves behind it; `None` if the bytes are not one.
    fn decode_share(&self, bytes: &mut &[u8]) -> Option<Share<Self>>;
}

/// The share of a square in the answer to records.
pub(super) type Share<C> = <<C as Codec>::Record as Record>::Share;

/// Of the passes of squares.
#[derive(Clone, Copy)]
pub(super) struct PassesCodec;

/// Of the flow through squares.
#[derive(Clone, Copy)]
pub(super) struct FlowCodec {
    /// Whether passes are cut.
    pub is_cut: bool,
    /// Whether rain differs between cells.
    pub has_rain: bool,
}

/// Of the rises along the water of squares.
#[derive(Clone, Copy)]
pub(super) struct GradeCodec;

impl Codec for PassesCodec {
    type Record = Passes;

    fn encode(&self, passes: &Passes) -> Vec<u8> {
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

    fn decode(&self, bytes: &mut &[u8], grid: &Grid, rect: &Rect) -> Option<Passes> {
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

    fn encode_share(&self, Routing { dropped, roots }: &Routing, bytes: &mut Vec<u8>) {
        put(bytes, dropped.len() as u64);
        dropped.iter().for_each(|edge| put(bytes, u64::from(*edge)));
        put(bytes, roots.len() as u64);
        for Root { terminal, spill, leaves } in roots {
            bytes.extend(spill.to_le_bytes());
            put(bytes, u64::from(*terminal));
            let (at, direction) = *leaves;
            bytes.push(direction);
            put(bytes, u64::from(at));
        }
    }

    fn decode_share(&self, bytes: &mut &[u8]) -> Option<Routing> {
        let dropped = list(bytes, number)?;
        let roots = list(bytes, |bytes| {
            let (spill, terminal) = (word(bytes)?, number(bytes)?);
            let (direction, at) = (direction(bytes)??, number(bytes)?);
            Some(Root { terminal, spill, leaves: (at, direction) })
        })?;
        Some(Routing { dropped, roots })
    }
}

impl Codec for FlowCodec {
    type Record = Flow;

    fn encode(&self, flow: &Flow) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(&mut bytes, flow.drained);
        put(&mut bytes, flow.rim.len() as u64);
        for cell in &flow.rim {
            bytes.push(cell.exit.unwrap_or(NO_DIRECTION));
            [cell.area, cell.end, cell.distance].into_iter().for_each(|number| put(&mut bytes, number));
            if self.has_rain {
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

    fn decode(&self, bytes: &mut &[u8], grid: &Grid, rect: &Rect) -> Option<Flow> {
        let drained = take(bytes)?;
        let rim = list(bytes, |bytes| {
            let (exit, area) = (direction(bytes)?, take(bytes)?);
            let end = take(bytes).filter(|end| rect.holds(grid.position(*end)))?;
            let distance = take(bytes)?;
            Some(RimFlow { exit, area, rain: if self.has_rain { take(bytes)? } else { 0 }, end, distance })
        })?;
        let leads_out = |(at, cell): (u32, &RimFlow)| leads_out(grid, rect, at, cell.exit);
        let branches = list(bytes, |bytes| {
            let own = donors(bytes)?;
            let into = take(bytes)?.checked_sub(1).map(u32::try_from).transpose().ok()?;
            Some(Branch { own, into, through: take_bytes(bytes)?.to_vec() })
        })?;
        let reaches = (0..if self.is_cut { branches.len() } else { 0 }).map(|_| reach(bytes)).collect::<Option<Vec<_>>>()?;
        let is_node = |branch: &Branch| branch.into.is_none_or(|into| (into as usize) < branches.len());
        let are_nodes = branches.len() >= rim.len() && branches.iter().all(is_node);
        let is_rim = rim.len() == rect.rim() as usize && (0..).zip(&rim).all(leads_out);
        (is_rim && are_nodes).then_some(Flow { rim, drained, branches, reaches })
    }

    fn encode_share(&self, Through { enters, leaves }: &Through, bytes: &mut Vec<u8>) {
        put(bytes, enters.len() as u64);
        for Entering { at, area, rain, donors, cut } in enters {
            put(bytes, u64::from(*at));
            put(bytes, *area);
            bytes.extend([donors.largest, donors.count]);
            if self.has_rain {
                put(bytes, *rain);
            }
            if self.is_cut {
                bytes.extend(cut.to_le_bytes());
            }
        }
        put(bytes, leaves.len() as u64);
        for Leaving { at, distance, outlet, level } in leaves {
            [u64::from(*at), *distance, *outlet].into_iter().for_each(|number| put(bytes, number));
            if self.is_cut {
                bytes.extend(level.to_le_bytes());
            }
        }
    }

    fn decode_share(&self, bytes: &mut &[u8]) -> Option<Through> {
        let FlowCodec { is_cut, has_rain } = *self;
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
    }
}

impl Codec for GradeCodec {
    type Record = Rises;

    fn encode(&self, rises: &Rises) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(&mut bytes, rises.rim.len() as u64);
        for RimRise { exit, end, rise, foot } in &rises.rim {
            bytes.push(exit.unwrap_or(NO_DIRECTION));
            bytes.push(u8::from(foot.is_some()));
            [*end, *rise].into_iter().for_each(|number| put(&mut bytes, number));
            bytes.extend(foot.iter().flat_map(|foot| foot.to_le_bytes()));
        }
        bytes
    }

    fn decode(&self, bytes: &mut &[u8], grid: &Grid, rect: &Rect) -> Option<Rises> {
        let rim = list(bytes, |bytes| {
            let (exit, has_foot) = (direction(bytes)?, byte(bytes).filter(|flag| *flag < 2)? == 1);
            let end = take(bytes).filter(|end| rect.holds(grid.position(*end)))?;
            let rise = take(bytes)?;
            Some(RimRise { exit, end, rise, foot: if has_foot { Some(signed(bytes)?) } else { None } })
        })?;
        let leads_out = |(at, cell): (u32, &RimRise)| leads_out(grid, rect, at, cell.exit);
        (rim.len() == rect.rim() as usize && (0..).zip(&rim).all(leads_out)).then_some(Rises { rim })
    }

    fn encode_share(&self, Behind { heights }: &Behind, bytes: &mut Vec<u8>) {
        put(bytes, heights.len() as u64);
        for (at, height) in heights {
            put(bytes, u64::from(*at));
            bytes.extend(height.to_le_bytes());
        }
    }

    fn decode_share(&self, bytes: &mut &[u8]) -> Option<Behind> {
        let heights = list(bytes, |bytes| Some((number(bytes)?, signed(bytes)?)))?;
        Some(Behind { heights })
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

pub(super) fn number(bytes: &mut &[u8]) -> Option<u32> {
    u32::try_from(take(bytes)?).ok()
}

pub(super) fn byte(bytes: &mut &[u8]) -> Option<u8> {
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

fn signed(bytes: &mut &[u8]) -> Option<i64> {
    let (number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(i64::from_le_bytes(*number))
}

fn word(bytes: &mut &[u8]) -> Option<u32> {
    let (word, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u32::from_le_bytes(*word))
}

/// Items after their number. Memory grows with the bytes that there are.
pub(super) fn list<T>(bytes: &mut &[u8], mut item: impl FnMut(&mut &[u8]) -> Option<T>) -> Option<Vec<T>> {
    let count = take(bytes)?;
    // An item has a byte at least.
    let mut items = Vec::with_capacity(count.min(bytes.len() as u64) as usize);
    for _ in 0..count {
        items.push(item(bytes)?);
    }
    Some(items)
}
