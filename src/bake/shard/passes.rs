//! A reduction for tests, as drainage needs it. It finds the lowest pass between every two neighbouring groups of samples. From
//! the passes it finds the level at which each group spills to the first one, over any number of groups. Parts hold edges of
//! groups whose other side lies in another part.

use super::{Folder, Sharded};
use crate::bake::Wrong;
use crate::bake::answers::{Answer, PartsHash};
use crate::bake::product::RangeKind;
use crate::bake::{BakeError, Finding, Format, Plan, Product, Progress, RangeRecord, Tiles, Unmeasured, World};
use crate::cpu::threads::Pool;
use crate::engine::{Backend, Engine, EngineOptions};
use crate::error::{EngineError, LayersError};
use crate::field::Layer;
use crate::graph::Noise;
use crate::region::Region;
use crate::stage::{Normalise, Pipeline};
use crate::world::driver::{Begun, Hand, Source, gather};
use crate::world::encoding::{put, take};
use crate::world::questions::{Over, Question, Questions};
use crate::world::reduction::{Reduction, join_all};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Samples along each edge of a group. Tiles have another size, so shards cut groups, and the passes between two groups come from
/// several parts.
const GROUP: i64 = 3;
/// Samples of the world along x and y.
const SIZE: [u64; 2] = [1023, 999];

/// The edge from a sample to the next one along an axis (0: x), rows first.
type Edge = (u64, u64, u64);

/// A group and an axis: the pair of the group and the next one along it.
type Pair = (u64, u64, u64);

/// A part: the passes within some samples, and the unmatched edges.
#[derive(Clone, Debug, Default, PartialEq)]
struct Known {
    /// The lowest pass of each pair, and its edge, which decides between equal passes.
    passes: BTreeMap<Pair, (u64, Edge)>,
    /// Edges between groups with one known side, and its height.
    open: BTreeMap<Edge, u64>,
}

impl Known {
    fn edge(&mut self, edge: Edge, height: u64) {
        match self.open.remove(&edge) {
            None => drop(self.open.insert(edge, height)),
            Some(other) => {
                let group = GROUP as u64;
                self.pass((edge.0 / group, edge.1 / group, edge.2), (height.max(other), edge));
            }
        }
    }

    fn pass(&mut self, pair: Pair, pass: (u64, Edge)) {
        self.passes.entry(pair).and_modify(|own| *own = (*own).min(pass)).or_insert(pass);
    }
}

/// The level at which each group spills, by its row and column.
#[derive(Debug, PartialEq)]
struct Levels(BTreeMap<(u64, u64), u64>);

impl Levels {
    /// The answer for one group.
    fn of_group(&self, group: (u64, u64)) -> u64 {
        self.0[&group]
    }
}

struct Passes;

impl Reduction for Passes {
    type Part = Known;
    type Answer = Levels;

    fn empty(&self) -> Known {
        Known::default()
    }

    fn gather(&self, part: &mut Known, block: &[Layer], _: &Pool) -> Result<(), LayersError> {
        let Region { origin, size, .. } = block[0].region;
        for (i, &height) in (0..).zip(&block[0].values) {
            let at = [origin[0] + i % i64::from(size[0]), origin[1] + i / i64::from(size[0])];
            for axis in 0..2 {
                let edge = |step: i64| {
                    let mut from = at;
                    from[axis] += step;
                    (from[1] as u64, from[0] as u64, axis as u64)
                };
                if at[axis] % GROUP == GROUP - 1 && at[axis] + 1 < SIZE[axis] as i64 {
                    part.edge(edge(0), height as u64);
                }
                if at[axis] % GROUP == 0 && at[axis] > 0 {
                    part.edge(edge(-1), height as u64);
                }
            }
        }
        Ok(())
    }

    fn join(&self, part: &mut Known, other: Known) -> Result<(), LayersError> {
        other.passes.into_iter().for_each(|(pair, pass)| part.pass(pair, pass));
        other.open.into_iter().for_each(|(edge, height)| part.edge(edge, height));
        Ok(())
    }

    fn answer(&self, whole: Known) -> Result<Levels, LayersError> {
        assert!(whole.open.is_empty(), "an edge has one side only");
        let (mut levels, mut heap) = (BTreeMap::new(), BinaryHeap::from([Reverse((0_u64, (0_u64, 0_u64)))]));
        while let Some(Reverse((level, (y, x)))) = heap.pop() {
            if levels.contains_key(&(y, x)) {
                continue;
            }
            levels.insert((y, x), level);
            let before = [(y, x.wrapping_sub(1), 0), (y.wrapping_sub(1), x, 1)].map(|pair| (pair, (pair.0, pair.1)));
            let after = [((y, x, 0), (y, x + 1)), ((y, x, 1), (y + 1, x))];
            for (pair, next) in before.into_iter().chain(after) {
                if let Some((pass, _)) = whole.passes.get(&pair) {
                    heap.push(Reverse((level.max(*pass), next)));
                }
            }
        }
        Ok(Levels(levels))
    }

    fn encode(&self, part: &Known) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(&mut bytes, part.passes.len() as u64);
        for (pair, (height, edge)) in &part.passes {
            [pair.0, pair.1, pair.2, *height, edge.0, edge.1].into_iter().for_each(|n| put(&mut bytes, n));
        }
        for (edge, height) in &part.open {
            [edge.0, edge.1, edge.2, *height].into_iter().for_each(|n| put(&mut bytes, n));
        }
        bytes
    }

    fn decode(&self, mut bytes: &[u8]) -> Option<Known> {
        let mut part = Known::default();
        let mut n = || take(&mut bytes);
        for _ in 0..n()? {
            let pair = (n()?, n()?, n()?);
            part.passes.insert(pair, (n()?, (n()?, n()?, pair.2)));
        }
        while let Some(y) = n() {
            part.open.insert((y, n()?, n()?), n()?);
        }
        Some(part)
    }

    fn encode_answer(&self, answer: &Levels) -> Vec<u8> {
        let mut bytes = Vec::new();
        answer.0.iter().flat_map(|(&(y, x), &level)| [y, x, level]).for_each(|n| put(&mut bytes, n));
        bytes
    }

    fn decode_answer(&self, mut bytes: &[u8]) -> Option<Levels> {
        let mut levels = BTreeMap::new();
        while !bytes.is_empty() {
            let mut n = || take(&mut bytes);
            levels.insert((n()?, n()?), n()?);
        }
        Some(Levels(levels))
    }
}

/// Heights by a hash of the position, in blocks of any size.
struct Hills {
    regions: Vec<Region>,
    block: u32,
    /// Number of steps taken.
    steps: u64,
    /// The step during which the device is lost.
    lost: Option<u64>,
}

fn height(x: i64, y: i64) -> f32 {
    let mut bits = (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (y as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    bits = (bits ^ (bits >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((bits >> 40) % 60_000) as f32
}

impl Hills {
    fn new(regions: Vec<Region>, block: u32) -> Self {
        Hills { regions, block, steps: 0, lost: None }
    }
}

impl Source for Hills {
    fn begin(&mut self, _: &Questions, _: &Question) -> Result<u64, LayersError> {
        Ok(self.regions.len() as u64)
    }

    fn step(&mut self, step: u64, hand: &mut Hand<'_>) -> Result<(), LayersError> {
        self.steps += 1;
        for (region, _) in self.regions[step as usize].split(self.block) {
            let rows = (0..i64::from(region.size[1])).flat_map(|y| (0..i64::from(region.size[0])).map(move |x| (x, y)));
            let values = rows.map(|(x, y)| height(region.origin[0] + x, region.origin[1] + y)).collect();
            hand(&[Layer { name: "hills".to_owned(), region, channels: 1, values }])?;
            if self.lost == Some(step) {
                return Err(EngineError::Stopped.into());
            }
        }
        Ok(())
    }
}

/// Stops after the given number of steps.
struct After(u64, AtomicU64);

impl Progress for After {
    fn tile(&self, _: u64, _: u64) {
        self.1.fetch_add(1, Ordering::Relaxed);
    }

    fn stops(&self) -> bool {
        self.1.load(Ordering::Relaxed) >= self.0
    }
}

struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn scratch(name: &str) -> Scratch {
    Scratch(std::env::temp_dir().join(format!("orogen-passes-{name}-{}", std::process::id())))
}

fn cpu() -> Engine {
    Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() }).expect("an engine")
}

/// A world with a number of shards. The tests do not ask its own questions.
fn world(place: &Path, shards: u32) -> (Sharded, Questions, Question) {
    let pipeline = Pipeline::from(Noise::simplex(Default::default()).named("hills")).named("even", Normalise::default());
    let plan = Plan { tile: 32, tiles: Tiles { x: 0..32, y: 0..32 }, overlap: 1, level: 0, spacing: 1.0, z: 0.0 };
    let range = Some(RangeRecord { lo: 0.0, hi: 1.0, kind: RangeKind::Declared });
    let products = [Product { layer: "even".into(), format: Format::R32, range }];
    let unmeasured = Unmeasured { size: SIZE, ranges: Vec::new() };
    let world = World::new(&pipeline, &plan, &products);
    let sharded = Sharded::plan_unmeasured(Arc::new(Folder::new(place)), &cpu(), &world, shards, unmeasured).expect("a plan");
    let questions = Questions::new(pipeline, &["even"], &[""; 0]);
    (sharded, questions, Question::Ranges { layers: vec!["hills".to_owned()] })
}

/// The part of the world, by one process in blocks of this size.
fn alone(block: u32) -> Known {
    let region = Region { size: [SIZE[0] as u32, SIZE[1] as u32, 1], ..Region::plane(1, 1) };
    let mut source = Hills::new(vec![region], block);
    gather::<_, LayersError>(&Passes, &mut source, 1, Begun::NOTHING, (&Pool::caller(), &()), &mut |_, _, _| Ok(())).expect("a part")
}

/// A permutation of numbers, by a seed.
fn shuffled(count: u32, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count).collect();
    order.sort_by_key(|&i| (u64::from(i) + 1).wrapping_mul(seed | 1).rotate_left(17).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    order
}

#[test]
fn levels_are_those_of_a_search_over_all_samples() {
    let levels = Passes.answer(alone(4096)).expect("levels");
    let [columns, rows] = SIZE.map(|samples| samples as i64 / GROUP);
    assert_eq!(levels.0.len() as i64, columns * rows);
    // Straight from the heights: relaxed until nothing gets lower.
    let pass = |[x, y]: [i64; 2], axis: usize| {
        let across = |along: i64| {
            let mut at = [x * GROUP, y * GROUP];
            at[axis] += GROUP - 1;
            at[1 - axis] += along;
            let mut next = at;
            next[axis] += 1;
            height(at[0], at[1]).max(height(next[0], next[1])) as u64
        };
        (0..GROUP).map(across).min().expect("a group has samples")
    };
    let mut relaxed = vec![u64::MAX; (columns * rows) as usize];
    relaxed[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for at in 0..columns * rows {
            let (x, y) = (at % columns, at / columns);
            for (axis, next, is) in [(0, at + 1, x + 1 < columns), (1, at + columns, y + 1 < rows)] {
                if !is {
                    continue;
                }
                let pass = pass([x, y], axis);
                for (from, to) in [(at, next), (next, at)].map(|(from, to)| (from as usize, to as usize)) {
                    let level = relaxed[from].max(pass);
                    if level < relaxed[to] {
                        (relaxed[to], changed) = (level, true);
                    }
                }
            }
        }
    }
    for at in 0..columns * rows {
        let group = ((at / columns) as u64, (at % columns) as u64);
        assert_eq!(levels.of_group(group), relaxed[at as usize], "group {group:?}");
    }
}

#[test]
fn shards_find_the_part_of_one_process_through_stops_lost_devices_and_damage() {
    let (expected, levels) = (alone(4096), Passes.answer(alone(4096)).expect("levels"));
    assert_eq!(alone(77), expected, "blocks of another size");
    let bytes = Passes.encode(&expected);
    assert_eq!(Passes.decode(&bytes).as_ref(), Some(&expected));
    assert!(bytes.len() > 1 << 20, "{} bytes", bytes.len());
    let engine = cpu();
    for shards in [1, 7, 37] {
        let scratch = scratch(&shards.to_string());
        let (sharded, questions, question) = world(&scratch.0, shards);
        let make = |shard: u32, source: &mut Hills, progress: &dyn Progress| {
            sharded.make_part(&Passes, source, (0, shard), (&questions, &question), (&engine, progress))
        };
        let mut largest = 0;
        for (i, shard) in (0..).zip(shuffled(shards, 0x51)) {
            let source = |block: u32| Hills::new(sharded.squares(Over::World, shard), block);
            let steps = sharded.squares(Over::World, shard).len() as u64;
            assert!(steps > 1 || shards == 37, "{steps} steps");
            let mut done = 0;
            if steps > 1 && i % 3 == 0 {
                let stopped = make(shard, &mut source(500), &After(1, AtomicU64::new(0)));
                assert!(matches!(stopped, Err(BakeError::Stopped)), "{stopped:?}");
                done = 1;
            }
            if steps > 1 && i % 2 == 0 {
                let mut lost = Hills { lost: Some(1), ..source(33) };
                let failed = make(shard, &mut lost, &());
                assert!(failed.is_err() && lost.steps == 2 - done, "{failed:?}, {} steps", lost.steps);
                done = 1;
            }
            if done == 1 && i % 4 == 0 {
                // A damaged state of a part is ignored.
                let file = scratch.0.join(format!("measured/0/0/{shard}.1.part"));
                let mut kept = std::fs::read(&file).expect("kept");
                *kept.last_mut().expect("bytes") ^= 1;
                std::fs::write(&file, kept).expect("written");
                done = 0;
            }
            let mut rest = source(64 + shard);
            assert!(make(shard, &mut rest, &()).expect("a part"));
            assert_eq!(rest.steps, steps - done, "shard {shard} of {shards}");
            assert!(!make(shard, &mut rest, &()).expect("it is there"));
            largest = largest.max(std::fs::metadata(scratch.0.join(format!("measured/0/0/{shard}.part"))).expect("a part").len());
        }
        sharded.answer(0, &question, &Passes).expect("the store").expect("all parts are there");
        println!("{shards} shards: the largest part has {largest} bytes, the whole {}", bytes.len());
        // A part is damaged and the answer is missing: the shard is named, and does its part again.
        let part = scratch.0.join(format!("measured/0/0/{}.part", shards / 2));
        let mut damaged = std::fs::read(&part).expect("a part");
        let middle = damaged.len() / 2;
        damaged[middle] ^= 1;
        std::fs::write(&part, damaged).expect("written");
        let object = scratch.0.join("measured/0.answer");
        let kept = std::fs::read(&object).expect("the answer");
        std::fs::remove_file(&object).expect("there");
        assert_eq!(sharded.answer(0, &question, &Passes).expect("the store"), None);
        assert_eq!(sharded.parts_missing(0, None).expect("the store"), [shards / 2]);
        assert!(make(shards / 2, &mut Hills::new(sharded.squares(Over::World, shards / 2), 99), &()).expect("made anew"));
        let found = sharded.answer(0, &question, &Passes).expect("the store").expect("all parts are there");
        assert!(found == levels && kept == std::fs::read(&object).expect("the answer, made anew"), "{shards} shards");
        println!("{shards} shards: the answer has {} bytes for {} groups", kept.len(), found.0.len());
        // No part is read if the answer exists. A damaged answer is made again from the parts.
        let hidden = scratch.0.join("hidden");
        std::fs::rename(scratch.0.join("measured/0"), &hidden).expect("parts");
        let looked_up = sharded.answer(0, &question, &Passes).expect("the store").expect("the answer");
        assert_eq!(looked_up.of_group((7, 300)), levels.of_group((7, 300)));
        std::fs::rename(&hidden, scratch.0.join("measured/0")).expect("parts");
        std::fs::write(&object, &kept[..kept.len() - 1]).expect("written");
        assert!(sharded.answer(0, &question, &Passes).expect("the store").as_ref() == Some(&levels));
        assert!(kept == std::fs::read(&object).expect("made anew"));
        // Parts are joined in any order, as a tree.
        for seed in [3, 0x1234_5679, u64::MAX] {
            let part = |shard: u32| {
                let object = std::fs::read(scratch.0.join(format!("measured/0/0/{shard}.part"))).expect("a part");
                let line = object.iter().position(|byte| *byte == b'\n').expect("a first line") + 1;
                Ok::<_, LayersError>(Passes.decode(&object[line..]).expect("a part"))
            };
            let joined = join_all(&Passes, shuffled(shards, seed).into_iter().map(part)).expect("parts");
            assert!(joined.as_ref() == Some(&expected), "{shards} shards, order {seed}");
        }
    }
}

#[test]
fn an_answer_that_was_made_from_other_parts_is_named_and_made_anew() {
    let scratch = scratch("parts");
    let (sharded, ..) = world(&scratch.0, 2);
    sharded.measure_all(&cpu(), &()).expect("answers");
    assert_eq!(sharded.wrong_measures(true).expect("the store"), []);
    let file = scratch.0.join("measured/0.answer");
    let whole = std::fs::read(&file).expect("an answer");
    let answer = Answer::read(&whole).expect("an answer");
    let other = Answer { parts: &PartsHash::of(b"another part"), ..answer }.object();
    std::fs::write(&file, other).expect("written");
    assert_eq!(sharded.wrong_measures(true).expect("the store"), [Finding::of("measured/0.answer", Wrong::Damaged)]);
    sharded.measure_all(&cpu(), &()).expect("made anew");
    assert!(std::fs::read(&file).expect("an answer") == whole);
}
