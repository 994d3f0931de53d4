//! Records of many squares: as one part in memory, or as a part for each unit, which is a group of squares.

use super::bytes::{Codec, Share, list, number};
use crate::drainage::grid::Grid;
use crate::drainage::group::Group;
use crate::drainage::levels::{self, FACTOR, Record, Unjoined};
use crate::drainage::shares::Shares;
use crate::world::byte_store::ByteStore;
use crate::world::encoding::{put, put_bytes, take_bytes};
use crate::world::units::{ReadUnit, Units};
use std::io::{Error, ErrorKind};

/// The records of squares as bytes, by their numbers. They take a fraction of the memory of the records.
pub(crate) type Records = ByteStore;

/// The error of records that are joined.
type Failed<C> = <<C as Codec>::Record as Record>::Error;

/// The shares of all squares, or the reason why the join failed.
type Joined<C> = Result<Shares<Share<C>>, Unjoined<Failed<C>, Error>>;

/// Joins the records of all squares. Records in memory have their shares in memory. Those in a temporary file have them in another one,
/// group by group. `None` if a record is missing.
///
/// # Errors
/// The records have no answer, or a temporary file fails.
pub(super) fn join_all<C: Codec>(codec: C, grid: &Grid, whole: &Records) -> Option<Joined<C>> {
    let damaged = || Error::new(ErrorKind::InvalidData, "a record is damaged");
    let read = |number: u32| {
        let bytes = whole.get(number)?.ok_or_else(damaged)?;
        codec.decode(&mut &bytes[..], grid, &grid.square(number)).ok_or_else(damaged)
    };
    if whole.len() != grid.count() as usize {
        return None;
    }
    if !whole.is_on_disk() {
        return Some(levels::join_all(grid, FACTOR, &read).map(Shares::from));
    }
    let (groups, mut answers, mut shares) = (grid.coarser(FACTOR), whole.another(), Vec::new());
    // The squares of a group follow each other.
    let joined = levels::join(grid, FACTOR, &read, &mut |number, share| {
        shares.push(share);
        let unit = groups.holder(grid.square(number).first);
        if shares.len() == Group::new(grid, groups.square(unit)).numbers().count() {
            answers.put(unit, &encode_shares(codec, &std::mem::take(&mut shares))).map_err(Unjoined::Storage)?;
        }
        Ok(())
    });
    Some(joined.map(|()| {
        let on_disk = answers.bytes();
        let read = move |unit: u32| answers.get(unit).map_err(|error| told(&error))?.ok_or_else(|| told(&damaged()));
        shares_of(codec, grid, Box::new(read), on_disk)
    }))
}

/// The reason of a temporary file that fails, with what is allowed.
pub(super) fn told(error: &Error) -> String {
    format!("records in a temporary file: {error}; allowed: a folder for temporary files with enough space, or more memory")
}

/// The bytes of records in memory.
pub(super) fn encode_records(records: &Records) -> Vec<u8> {
    let mut bytes = Vec::new();
    let all = records.each(|number, record| {
        put(&mut bytes, u64::from(number));
        bytes.extend(record);
        Ok(())
    });
    all.expect("invariant: parts with bytes are in memory");
    bytes
}

pub(super) fn decode_records<C: Codec>(codec: C, mut bytes: &[u8], grid: &Grid, most: u64) -> Option<Records> {
    let mut records = Records::new(most);
    while !bytes.is_empty() {
        let square = number(&mut bytes).filter(|square| *square < grid.count())?;
        let before = bytes;
        codec.decode(&mut bytes, grid, &grid.square(square))?;
        records.put(square, &before[..before.len() - bytes.len()]).ok()?;
    }
    Some(records)
}

/// The part of a unit: its record as a group, so that this work is shared among shards, and the records of its squares.
pub(super) fn encode_unit<C: Codec>(codec: C, grid: &Grid, unit: u32, records: &Records) -> Vec<u8> {
    let group = Group::new(grid, grid.coarser(FACTOR).square(unit));
    let squares = group.numbers().map(|number| codec.decode(&mut &records.get(number).ok()??[..], grid, &grid.square(number)));
    let squares: Option<Vec<C::Record>> = squares.collect();
    // Records that have no group are refused when they are joined.
    let of_group = squares.and_then(|squares| C::Record::contract(&group, &squares).ok());
    let mut bytes = Vec::new();
    put_bytes(&mut bytes, &of_group.map(|record| codec.encode(&record)).unwrap_or_default());
    bytes.extend(encode_records(records));
    bytes
}

/// Joins the parts of units, and stores the shares of the squares of each.
pub(super) fn join_units<C: Codec, U: Units>(codec: C, grid: &Grid, units: &U) -> Result<(), Unjoined<Failed<C>, U::Error>> {
    let groups = grid.coarser(FACTOR);
    let read = |unit: u32| {
        let part = units.part(unit)?;
        let record = take_bytes(&mut &part[..]).and_then(|mut bytes| codec.decode(&mut bytes, grid, &groups.square(unit)));
        record.ok_or_else(|| units.refuse(unit))
    };
    levels::join(&groups, FACTOR, &read, &mut |unit, share| {
        let (part, group) = (units.part(unit).map_err(Unjoined::Storage)?, Group::new(grid, groups.square(unit)));
        let squares = squares(codec, grid, &group, &part).ok_or_else(|| Unjoined::Storage(units.refuse(unit)))?;
        let shares = C::Record::expand(&group, &squares, &share).map_err(Unjoined::Records)?;
        units.keep(unit, &encode_shares(codec, &shares)).map_err(Unjoined::Storage)
    })
}

/// The records of the squares in a unit's part.
fn squares<C: Codec>(codec: C, grid: &Grid, group: &Group, mut part: &[u8]) -> Option<Vec<C::Record>> {
    take_bytes(&mut part)?;
    let bytes = &mut part;
    let record = |square: u32| {
        number(bytes).filter(|number| *number == square)?;
        codec.decode(bytes, grid, &grid.square(square))
    };
    let records = group.numbers().map(record).collect::<Option<Vec<_>>>()?;
    bytes.is_empty().then_some(records)
}

pub(super) fn encode_shares<C: Codec>(codec: C, shares: &[Share<C>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    put(&mut bytes, shares.len() as u64);
    shares.iter().for_each(|share| codec.encode_share(share, &mut bytes));
    bytes
}

pub(super) fn decode_shares<C: Codec>(codec: C, bytes: &mut &[u8]) -> Option<Vec<Share<C>>> {
    let shares = list(bytes, |bytes| codec.decode_share(bytes))?;
    bytes.is_empty().then_some(shares)
}

/// Shares that are read unit by unit. `on_disk` is the number of their bytes in a temporary file.
pub(super) fn shares_of<C: Codec>(codec: C, grid: &Grid, read: ReadUnit, on_disk: u64) -> Shares<Share<C>> {
    let of_another_kind = "an answer is of another kind; allowed: one that this release of orogen wrote";
    let read = move |unit| decode_shares(codec, &mut &read(unit)?[..]).ok_or_else(|| of_another_kind.to_owned());
    Shares::read(grid, Box::new(read), on_disk)
}

#[cfg(test)]
mod tests {
    use super::super::bytes::{FlowCodec, GradeCodec, PassesCodec};
    use super::*;
    use crate::drainage::down::{Downstream, Sums};
    use crate::drainage::flow::amounts;
    use crate::drainage::grade::{Given, GradedSquare};
    use crate::drainage::grid::{Rect, STEPS};
    use crate::drainage::order::hash;
    use crate::drainage::record::Flow;
    use crate::drainage::route::Routed;
    use crate::drainage::square::Square;
    use crate::drainage::surface::{EXIT, Outlets};
    use std::cell::RefCell;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    /// Objects in memory. Counts how often parts are read.
    #[derive(Default)]
    struct Memory {
        parts: BTreeMap<u32, Vec<u8>>,
        answers: RefCell<BTreeMap<u32, Vec<u8>>>,
        reads: RefCell<BTreeMap<u32, u32>>,
    }

    impl Units for Memory {
        type Error = String;

        fn part(&self, unit: u32) -> Result<Vec<u8>, String> {
            *self.reads.borrow_mut().entry(unit).or_default() += 1;
            self.parts.get(&unit).cloned().ok_or_else(|| format!("{unit} is missing"))
        }

        fn keep(&self, unit: u32, answer: &[u8]) -> Result<(), String> {
            assert_eq!(self.answers.borrow_mut().insert(unit, answer.to_vec()), None);
            Ok(())
        }

        fn refuse(&self, unit: u32) -> String {
            format!("{unit} is of another kind")
        }
    }

    /// Records of which `most` bytes are held in memory.
    fn stored(records: &BTreeMap<u32, Vec<u8>>, most: u64) -> Records {
        let mut store = Records::new(most);
        records.iter().for_each(|(number, record)| store.put(*number, record).expect("a file"));
        store
    }

    /// Compares shares from units, and from temporary files, with those that are joined in memory.
    fn same<C: Codec>(codec: C, grid: &Grid, records: &BTreeMap<u32, Vec<u8>>) -> Vec<Share<C>>
    where
        Share<C>: Clone + PartialEq + std::fmt::Debug,
        Failed<C>: std::fmt::Debug,
    {
        let join = |most: u64| join_all(codec, grid, &stored(records, most)).expect("all squares").expect("an answer");
        let expected = join(u64::MAX).held().expect("shares in memory").to_vec();
        let read = join(0);
        assert!(read.held().is_none() == cfg!(feature = "bake") && read.on_disk() > 0, "not in a file");
        for (number, expected) in (0..).zip(&expected) {
            assert_eq!(read.of(number).expect("read").as_deref(), Some(expected), "square {number}");
        }
        let groups = grid.coarser(FACTOR);
        let mut memory = Memory::default();
        for unit in 0..groups.count() {
            let own = Group::new(grid, groups.square(unit)).numbers().map(|number| (number, records[&number].clone())).collect();
            memory.parts.insert(unit, encode_unit(codec, grid, unit, &stored(&own, u64::MAX)));
        }
        join_units(codec, grid, &memory).expect("joined");
        // Once for each level, and once for its squares.
        let levels = groups.squares().map(|squares| squares.next_power_of_two().ilog2().div_ceil(FACTOR.ilog2())).into_iter().max();
        let most = levels.unwrap_or(0).max(1) + 1;
        assert!(memory.reads.borrow().values().all(|reads| *reads <= most), "{:?}, {most}", memory.reads.borrow());
        let answers = Arc::new(std::sync::Mutex::new(memory.answers.take()));
        let read = move |unit: u32| answers.lock().expect("no panic").get(&unit).cloned().ok_or("missing".to_owned());
        let shares = shares_of(codec, grid, Box::new(read), 0);
        for (number, expected) in (0..).zip(&expected) {
            assert_eq!(shares.of(number).expect("read").as_deref(), Some(expected), "square {number}");
        }
        // A part that is cut off is refused.
        let part = memory.parts.get_mut(&0).expect("a part");
        part.pop();
        assert!(matches!(join_units(codec, grid, &memory), Err(Unjoined::Storage(error)) if error == "0 is of another kind"));
        expected
    }

    #[test]
    fn units_have_the_shares_of_one_join() {
        for (size, edge) in [([3, 2], 2), ([40, 31], 5), ([97, 64], 3), ([71, 150], 2)] {
            let grid = Grid { size, edge, seed: 3 };
            let heights = |rect: &Rect| -> Vec<f32> {
                let Rect { first: [x, y], size: [width, height] } = rect.with_halo(&grid);
                let cells = (y..y + height).flat_map(|y| (x..x + width).map(move |x| [x, y]));
                cells.map(|at| (hash(1, grid.index(at)) % 512) as f32 + 3.0 * at[0] as f32).collect()
            };
            let outlets = Outlets { edge: true, sea: Some(20.0) };
            let square = |number: u32| Square::new(&grid, grid.square(number), &heights(&grid.square(number)), None, &outlets);
            let records = (0..grid.count()).map(|number| (number, PassesCodec.encode(&square(number).passes()))).collect();
            let routings = same(PassesCodec, &grid, &records);
            for breach in [0.0, 90.0] {
                let codec = FlowCodec { is_cut: breach > 0.0, has_rain: false };
                let flow = |number: u32| {
                    let routed = Routed::new(square(number), &routings[number as usize]);
                    let (directions, offsets) = (&routed.directions, grid.square(number).offsets());
                    let down = Downstream::new(directions, offsets);
                    let sums = Sums::new(&down, directions, offsets, amounts(&routed, None, &[]));
                    Flow::new(&routed, &down, &sums, breach)
                };
                same(codec, &grid, &(0..grid.count()).map(|number| (number, codec.encode(&flow(number)))).collect());
            }
            let rises = |number: u32| {
                let routed = Routed::new(square(number), &routings[number as usize]);
                let step = |code: &u8| STEPS.get(usize::from(*code % EXIT)).copied().unwrap_or_default();
                let [x, y]: [Vec<f32>; 2] = [0, 1].map(|axis| routed.directions.iter().map(|code| step(code)[axis] as f32).collect());
                let rect = grid.square(number);
                let water: Vec<f32> = rect.inner(&grid, &heights(&rect)).collect();
                let given = Given { water: &water, flow: [&x, &y], sea: Some(20.0) };
                let square = GradedSquare::new(&grid, rect, given, &water, 0.7).expect("low outlets");
                (number, GradeCodec.encode(&square.record()))
            };
            let behind = same(GradeCodec, &grid, &(0..grid.count()).map(rises).collect());
            assert!(grid.count() < 9 || behind.iter().any(|behind| !behind.heights.is_empty()));
        }
    }
}
