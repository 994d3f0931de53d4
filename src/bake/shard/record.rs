//! Records of the finished tiles of shards. A record is created once and never changed; a shard has any number of them.

use super::Sharded;
use crate::bake::BakeError;
use crate::bake::hash::hex;
use crate::bake::manifest::{TileRecord, line, read_line};
use crate::bake::object::Object;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::{SystemTime, UNIX_EPOCH};

/// The origin of some tiles: machine, backend and time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Maker {
    /// The machine's name.
    pub machine: String,
    /// The backend that computed them.
    pub backend: String,
    /// Its adapter.
    pub adapter: String,
    /// Start of the shard, in milliseconds since 1970.
    pub began: u64,
    /// End of the tiles, in milliseconds since 1970.
    pub ended: u64,
}

/// The first line of a record.
#[derive(Serialize, Deserialize)]
struct Head {
    shard: u32,
    #[serde(flatten)]
    maker: Maker,
}

/// Everything that is recorded of a shard.
#[derive(Default)]
pub struct Recorded {
    /// The tiles by row and column, each with the index of its maker.
    pub tiles: BTreeMap<(i64, i64), (TileRecord, usize)>,
    pub makers: Vec<Maker>,
    /// Records that are damaged, in part or completely.
    pub damaged: Vec<String>,
    /// Tiles, by row and column, whose only intact lines are in damaged records.
    pub weak: BTreeSet<(i64, i64)>,
    /// Names in the folder that are not those of records.
    pub foreign: Vec<String>,
}

/// Milliseconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

/// The machine's name.
pub fn machine() -> String {
    #[cfg(target_os = "linux")]
    return rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(target_os = "linux"))]
    std::env::var("COMPUTERNAME").or_else(|_| std::env::var("HOSTNAME")).unwrap_or_else(|_| "unknown".to_owned())
}

/// A name that is unique among processes and threads.
pub fn attempt() -> String {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    // The address of a heap allocation distinguishes threads that call at the same time.
    let own = Box::new(0_u8);
    let mut name = hex(format!("{} {} {time} {:p}", machine(), std::process::id(), own).as_bytes());
    name.truncate(16);
    name
}

/// The folder of a shard's records.
pub fn folder(shard: u32) -> String {
    format!("records/{}/{shard}", shard / 1000)
}

/// Whether [`record`] gives such names.
fn is_record(name: &str) -> bool {
    let parts = name.strip_suffix(".jsonl").and_then(|name| name.split_once('-'));
    parts.is_some_and(|(time, attempt)| {
        time.len() >= 15
            && time.bytes().all(|c| c.is_ascii_digit())
            && attempt.len() == 16
            && attempt.bytes().all(|c| c.is_ascii_hexdigit())
    })
}

/// Whether a record belongs to the plan with this key, by its first line; `None` if that line is not a record's.
pub fn is_of(key: &str, bytes: &[u8]) -> Option<bool> {
    let text = String::from_utf8_lossy(bytes);
    let first = text.lines().next()?;
    let is_head = serde_json::from_str::<Head>(first).is_ok();
    is_head.then(|| read_line::<Head>(key, first).is_some())
}

/// A record of some tiles.
pub fn record(key: &str, shard: u32, maker: &Maker, attempt: &str, tiles: &[TileRecord]) -> Object {
    let mut text = line(key, &Head { shard, maker: maker.clone() }) + "\n";
    for tile in tiles {
        text += &line(key, tile);
        text.push('\n');
    }
    Object { name: format!("{}/{:015}-{attempt}.jsonl", folder(shard), maker.ended), bytes: text.into_bytes() }
}

impl Sharded {
    /// Reads everything that is recorded of a shard.
    pub(super) fn recorded(&self, shard: u32) -> Result<Recorded, BakeError> {
        let mut all = Recorded::default();
        let folder = folder(shard);
        let mut strong = BTreeSet::new();
        for name in self.names(&folder)? {
            let own = is_record(&name);
            let name = format!("{folder}/{name}");
            if !own {
                all.foreign.push(name);
                continue;
            }
            let Some(bytes) = self.read(&name)? else { continue };
            let text = String::from_utf8_lossy(&bytes);
            let mut lines = text.split_inclusive('\n');
            let head = lines.next().and_then(|first| read_line::<Head>(&self.key, first.trim_end())).filter(|head| head.shard == shard);
            let mut whole = head.is_some() && text.ends_with('\n');
            let mut found = Vec::new();
            if let Some(head) = head {
                all.makers.push(head.maker);
                for line in lines {
                    match read_line::<TileRecord>(&self.key, line.trim_end()).filter(|tile| tile.is_own_in(self.plan.setting.layout)) {
                        Some(tile) => {
                            found.push((tile.y, tile.x));
                            self.add(&mut all, tile)?;
                        }
                        None => whole = false,
                    }
                }
            }
            if whole {
                strong.extend(found);
            } else {
                all.damaged.push(name);
            }
        }
        all.weak = all.tiles.keys().filter(|at| !strong.contains(*at)).copied().collect();
        Ok(all)
    }

    /// Records again the tiles whose only intact lines are in damaged records, then removes those records. `tiles` are the ones
    /// whose files exist.
    pub(super) fn mend_records(&self, shard: u32, recorded: &Recorded, tiles: &HashSet<(i64, i64)>) -> Result<(), BakeError> {
        for (by, maker) in recorded.makers.iter().enumerate() {
            let own = recorded
                .weak
                .iter()
                .filter_map(|at| recorded.tiles.get(at))
                .filter(|(tile, of)| *of == by && tiles.contains(&(tile.x, tile.y)));
            let own: Vec<TileRecord> = own.map(|(tile, _)| tile.clone()).collect();
            if !own.is_empty() {
                self.keep(&record(&self.key, shard, maker, &attempt(), &own), &|_, _| true)?;
            }
        }
        recorded.damaged.iter().try_for_each(|name| self.remove(name))
    }

    /// Adds a tile; an error if two records of one tile differ.
    fn add(&self, all: &mut Recorded, tile: TileRecord) -> Result<(), BakeError> {
        let maker = all.makers.len() - 1;
        if let Some((before, by)) = all.tiles.get(&(tile.y, tile.x)) {
            let differs = before.hashes().zip(tile.hashes()).find(|(a, b)| a.sha256 != b.sha256);
            if let Some((a, b)) = differs {
                let says = |sha256: &str, maker: usize| format!("{sha256} by {}", all.makers[maker].machine);
                let (one, other) = (says(&a.sha256, *by), says(&b.sha256, maker));
                return Err(BakeError::Different { path: self.store.path().join(self.file(&tile, &a.file)), one, other });
            }
        }
        all.tiles.insert((tile.y, tile.x), (tile, maker));
        Ok(())
    }
}
