//! Makes lines between springs, confluences and mouths from the samples that carry a river.

use crate::drainage::downward::Planes;
use crate::drainage::grid::{Grid, OUTLET, Rect};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A sample that carries a river.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channel {
    /// Its index in the rows of the world.
    index: u64,
    /// The number of samples that drain through it.
    area: u64,
    /// The level of the water.
    level: f32,
    direction: u8,
    order: u8,
}

/// The samples of a square through which at least `least` samples drain.
pub(super) fn channels<'a>(grid: &'a Grid, rect: &'a Rect, planes: &'a Planes, least: u64) -> impl Iterator<Item = Channel> + 'a {
    let cells = planes.areas.iter().enumerate().filter(move |(_, area)| **area >= least);
    cells.map(|(cell, area)| Channel {
        index: grid.index(rect.position(cell as u32)),
        area: *area,
        level: planes.filled[cell],
        direction: planes.directions[cell],
        order: planes.orders[cell],
    })
}

/// A part of a river without a confluence. Areas are counts of samples.
#[derive(Debug)]
pub(super) struct Segment {
    pub id: u64,
    pub into: Option<u64>,
    pub river: u64,
    pub order: u8,
    pub area: u64,
    /// Indices in the rows of the world, and levels.
    pub cells: Vec<(u64, f32)>,
}

/// The segments of all channels of a world, in the order of their numbers.
pub(super) fn segments(grid: &Grid, mut channels: Vec<Channel>) -> Vec<Segment> {
    channels.sort_unstable_by_key(|channel| channel.index);
    // More water flows through a receiver, so it is a channel too.
    let find = |index: u64| channels.binary_search_by_key(&index, |channel| channel.index).ok();
    let receiver = |channel: &Channel| {
        if channel.direction == OUTLET {
            return None;
        }
        find(grid.index(grid.neighbour(grid.position(channel.index), channel.direction)?))
    };
    let receivers: Vec<Option<usize>> = channels.iter().map(receiver).collect();
    let mut donors = vec![0_u8; channels.len()];
    receivers.iter().flatten().for_each(|receiver| donors[*receiver] += 1);
    let begins = |channel: usize| receivers[channel].is_some() && donors[channel] != 1;
    let segment = |first: usize| {
        let (mut path, mut last) = (vec![first], first);
        while let Some(next) = receivers[last] {
            path.push(next);
            if donors[next] != 1 || receivers[next].is_none() {
                break;
            }
            last = next;
        }
        let end = path[path.len() - 1];
        let (id, Channel { order, area, .. }) = (channels[first].index, channels[last]);
        let into = begins(end).then(|| channels[end].index);
        let cells = path.iter().map(|channel| (channels[*channel].index, channels[*channel].level)).collect();
        Segment { id, into, river: id, order, area, cells }
    };
    let mut segments: Vec<Segment> = (0..channels.len()).filter(|channel| begins(*channel)).map(segment).collect();
    name_rivers(&mut segments);
    segments
}

/// Gives each segment the river of the segment that it continues into.
fn name_rivers(segments: &mut [Segment]) {
    // Of the segments that flow into one, the largest continues it.
    let mut main: BTreeMap<u64, (u64, Reverse<u64>)> = BTreeMap::new();
    for segment in segments.iter() {
        let Some(into) = segment.into else { continue };
        let own = (segment.area, Reverse(segment.id));
        main.entry(into).and_modify(|largest| *largest = own.max(*largest)).or_insert(own);
    }
    // Areas grow along the water: a segment comes after the one that it flows into.
    let mut downstream_first: Vec<usize> = (0..segments.len()).collect();
    downstream_first.sort_unstable_by_key(|at| Reverse(segments[*at].area));
    for at in downstream_first {
        let Segment { id, into, .. } = segments[at];
        let Some(into) = into.filter(|into| main[into].1.0 == id) else { continue };
        let next = segments.binary_search_by_key(&into, |segment| segment.id).expect("invariant: `into` names a segment");
        segments[at].river = segments[next].river;
    }
}
