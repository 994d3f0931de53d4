//! Worlds that many processes bake, on one machine or a thousand.
//!
//! `plan.json` is written once and describes the whole world. A *shard* is a piece of its tiles. Shards do not communicate: each
//! creates files that are missing, compares existing ones, and records its work in files of its own. So a shard may run twice,
//! also at the same time, and on any kind of machine. [`Sharded::seal`] then verifies that all tiles exist, and computes one hash
//! over the world.
//!
//! ```text
//! plan.json                          the world, and the number of its shards
//! files/….npy                        files that its nodes read, by their hashes
//! tiles/0_0/3_1/x50_y17.png          files of tiles, in folders of at most 256 tiles
//! measured/0/0/7.part                the part of shard 7 in question 0 about the whole world
//! measured/0.answer                  its answer, made from the parts of all shards
//! measured/1/0/7.part, 7.answer      of water: the part and the answer of group 7 of its squares
//! records/0/7/…jsonl                 the finished tiles of shard 7
//! parts/0/7.jsonl, manifest.json     the sealed world
//! overview.png                       a shaded picture of the whole world
//! ```
//!
//! Tiles of arrays ([`Format::Zarr`](super::Format), with feature `zarr`) lie in `world.zarr/0/LAYER/c/ROW/COLUMN` in place of
//! `tiles/`. Sealing writes the files that one process has to write: the arrays' descriptions, positions and coarser levels.
//!
//! ```
//! use orogen::bake::{Format, Sharded, Tiles};
//! use orogen::bake::folder::World;
//! use orogen::bake::manifest::Product;
//! use orogen::bake::plan::Plan;
//! use orogen::bake::shard::Folder;
//! use orogen::{Engine, Noise, Pipeline};
//! use std::sync::Arc;
//!
//! let hills = Pipeline::from(Noise::simplex(Default::default()).named("hills"));
//! let plan = Plan { tile: 32, tiles: Tiles { x: 0..3, y: 0..3 }, overlap: 1, level: 0, spacing: 1.0, z: 0.0 };
//! let heights = [Product { layer: "hills".into(), format: Format::R32, range: None }];
//! let folder = std::env::temp_dir().join(format!("orogen-sharded-{}", std::process::id()));
//! let engine = Engine::new()?;
//! let world = Sharded::plan(Arc::new(Folder::new(&folder)), &engine, &World::new(&hills, &plan, &heights), 4)?;
//! for shard in [2, 0, 3, 1] {
//!     // On any machine that has access to the folder: Sharded::open.
//!     world.bake(&engine, shard, &())?;
//! }
//! println!("{}", world.seal(&())?.root);
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "zarr")]
mod arrays;
#[cfg(feature = "cloud")]
mod bucket;
mod check;
mod found;
mod keep;
mod measure;
mod order;
#[cfg(test)]
mod passes;
mod read;
mod record;
mod run;
mod seal;
#[cfg(feature = "cloud")]
mod settings;
mod store;

pub use crate::bake::object::Object;
#[cfg(feature = "cloud")]
pub use bucket::Bucket;
pub use check::check as check_world;
pub use measure::{Phase, Unmeasured};
pub use record::Maker;
pub use run::ShardReport;
pub use seal::{Sealed, Status, root};
pub use store::{Folder, Store};

use crate::bake::format::npy;
use crate::bake::hash::hex;
use crate::bake::manifest::{BakeIdentity, closed_json, open_json, parity_of};
use crate::bake::names::{MANIFEST, tile_of};
use crate::bake::product::{Product, RangeKind, RangeRecord};
use crate::bake::weights::layers_of;
use crate::bake::{BITS, BakeError, Finding, Layout, Plan, PlanError, TileRecord, Tiles, World, Wrong};
use crate::engine::Engine;
use crate::raster::Heights;
use crate::recipe::Recipe;
use crate::stage::Pipeline;
use measure::Settled;
use serde::{Deserialize, Serialize};
use std::io::Error;
use std::sync::{Arc, OnceLock};

/// The name of the plan.
pub const PLAN: &str = "plan.json";

/// The content of `plan.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PlanFile {
    orogen: String,
    #[serde(flatten)]
    setting: BakeIdentity,
    tiles_x: [i64; 2],
    tiles_y: [i64; 2],
    shards: u32,
    /// Whether sealing draws a picture of the whole world.
    overview: bool,
    /// The measurements that shards make; omitted if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unmeasured: Option<Unmeasured>,
    recipe: serde_json::Value,
}

/// Most shards.
const MOST: u32 = 1_000_000;

/// A world that shards bake.
pub struct Sharded {
    store: Arc<dyn Store>,
    plan: PlanFile,
    /// The pipeline without measured answers.
    pipeline: Pipeline,
    settled: OnceLock<Settled>,
    /// The prefix of the checks of records: records of another plan do not pass.
    key: String,
}

impl std::fmt::Debug for Sharded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sharded").field("path", &self.store.path()).field("shards", &self.plan.shards).finish_non_exhaustive()
    }
}

impl PlanFile {
    fn tiles(&self) -> Tiles {
        Tiles { x: self.tiles_x[0]..self.tiles_x[1], y: self.tiles_y[0]..self.tiles_y[1] }
    }
}

impl Sharded {
    /// Writes the plan of a world. The same plan may exist already. Stages that read the whole world are
    /// [measured](Engine::measure) before this call, or by it over the plan's tiles. Then the plan's recipe contains the measured
    /// answers. To leave the measurements to the shards, and the recipe as it is, use [`plan_unmeasured`](Self::plan_unmeasured).
    ///
    /// # Errors
    /// Returns the errors of [`World::check`] and of the store. It also fails if `shards` is less than one or more than a million,
    /// or if the place holds another plan or another bake.
    pub fn plan(store: Arc<dyn Store>, engine: &Engine, world: &World<'_>, shards: u32) -> Result<Self, BakeError> {
        world.checked()?;
        check_size(world)?;
        check_layout(world)?;
        check_shards(shards)?;
        if let Planned::Whole(old) = Self::find(&store)? {
            // Refused before anything is measured.
            same_frame(&store, &old, world, shards)?;
        }
        let ready = world.ready(engine, &mut ())?;
        let pipeline = ready.as_ref().map_or(world.pipeline, |ready| &ready.pipeline);
        Self::write(store, engine, &World { pipeline, ..world.clone() }, shards, None)
    }

    /// Writes the plan of a world that needs measurements. Shards make them in [phases](Self::phase) before they bake, with the
    /// same result as a single process.
    ///
    /// # Errors
    /// The errors of [`plan`](Self::plan), and an error if a layer to measure is not a layer of the world.
    pub fn plan_unmeasured(
        store: Arc<dyn Store>,
        engine: &Engine,
        world: &World<'_>,
        shards: u32,
        unmeasured: Unmeasured,
    ) -> Result<Self, BakeError> {
        check_size(world)?;
        check_layout(world)?;
        check_shards(shards)?;
        // Checked as if everything were measured.
        let pipeline = world.pipeline.as_if_measured();
        let any = Some(RangeRecord { lo: 0.0, hi: 1.0, kind: RangeKind::Measured });
        let known = |product: &Product| match unmeasured.ranges.contains(&product.layer) {
            true => Product { range: any, ..product.clone() },
            false => product.clone(),
        };
        let products: Vec<Product> = world.products.iter().map(known).collect();
        World { pipeline: &pipeline, products: &products, ..world.clone() }.checked()?;
        if let Some(layer) = unmeasured.ranges.iter().find(|layer| world.products.iter().all(|product| product.layer != **layer)) {
            return Err(PlanError::not_allowed("range", format!("measured of '{layer}'"), "a layer that is baked").into());
        }
        if let Planned::Whole(old) = Self::find(&store)? {
            same_frame(&store, &old, world, shards)?;
        }
        let any = !unmeasured.questions(world.pipeline, &layers_of(world.products))?.is_empty();
        Self::write(store, engine, world, shards, any.then_some(unmeasured))
    }

    fn write(
        store: Arc<dyn Store>,
        engine: &Engine,
        world: &World<'_>,
        shards: u32,
        unmeasured: Option<Unmeasured>,
    ) -> Result<Self, BakeError> {
        let (path, pipeline) = (store.path(), world.pipeline);
        let Tiles { x, y } = world.plan.tiles.clone();
        let plan = PlanFile {
            orogen: env!("CARGO_PKG_VERSION").to_owned(),
            setting: BakeIdentity::new(pipeline, world.plan, world.products, world.layout, &engine.describe()),
            tiles_x: [x.start, x.end],
            tiles_y: [y.start, y.end],
            shards,
            overview: world.overview,
            unmeasured,
            recipe: serde_json::to_value(pipeline).expect("invariant: a checked pipeline has finite numbers and names as keys"),
        };
        let same = |there: &PlanFile| match plan.setting.difference(&there.setting, [&plan.recipe, &there.recipe]) {
            Some(what) => Err(BakeError::OtherBake { path: path.clone(), what }),
            None if (there.tiles(), there.shards) != (plan.tiles(), plan.shards) => {
                Err(BakeError::OtherBake { path: path.clone(), what: "the tiles or the number of shards differ".to_owned() })
            }
            None if there.unmeasured != plan.unmeasured => {
                Err(BakeError::OtherBake { path: path.clone(), what: "the measurements differ".to_owned() })
            }
            None => Ok(()),
        };
        store.probe().map_err(|error| BakeError::file(&path, error))?;
        let text = closed_json(&plan);
        // Checked before anything is written next to another plan.
        match Self::find(&store)? {
            Planned::Whole(old) => {
                if old.setting.bits != BITS {
                    return Err(BakeError::other_version(&path, &old.orogen, old.setting.bits));
                }
                same(&old)?;
            }
            Planned::Damaged { own: false } => return Err(BakeError::NotOurs { path: path.join(PLAN) }),
            Planned::Damaged { own: true } => {
                refuse_traces(&store, &hex(text.as_bytes()))?;
                store.remove(PLAN).map_err(|error| BakeError::file(&path.join(PLAN), error))?;
            }
            Planned::Nothing => refuse_traces(&store, &hex(text.as_bytes()))?,
        }
        for heights in pipeline.heights() {
            let read = heights.key().zip(heights.size()).zip(heights.values());
            let ((key, [columns, rows]), values) = read.expect("invariant: a checked pipeline's files have been read");
            let object = Object { name: file_of(&key), bytes: npy(&[rows as usize, columns as usize], values) };
            let failed = |error| BakeError::file(&path.join(&object.name), error);
            let made = store.make(std::slice::from_ref(&object)).map_err(failed)?;
            // The name contains the hash of the content, so a file with other content is damaged.
            if made == [false] && store.read(&object.name).map_err(failed)?.as_ref() != Some(&object.bytes) {
                store.remove(&object.name).and_then(|()| store.make(std::slice::from_ref(&object))).map_err(failed)?;
            }
        }
        let object = Object { name: PLAN.to_owned(), bytes: text.into_bytes() };
        store.make(&[object]).map_err(|error| BakeError::file(&path.join(PLAN), error))?;
        let there = Self::open(store)?;
        same(&there.plan)?;
        Ok(there)
    }

    /// Opens a planned world.
    ///
    /// # Errors
    /// Returns an error if there is no plan, if it is damaged or by a release with other bits, or if the store fails.
    pub fn open(store: Arc<dyn Store>) -> Result<Self, BakeError> {
        let (world, wrong) = Self::open_for_check(store)?;
        match wrong.first() {
            None => Ok(world),
            Some(Finding { file, .. }) => {
                let what = "is missing or damaged; allowed: orogen plan, with the same recipe and flags, which writes it again";
                Err(world.failed(file, Error::other(what)))
            }
        }
    }

    /// Opens a world, and returns findings for missing or damaged files that nodes read.
    fn open_for_check(store: Arc<dyn Store>) -> Result<(Self, Vec<Finding>), BakeError> {
        let path = store.path();
        let failed = |error: String| BakeError::file(&path.join(PLAN), Error::other(error));
        let plan = match Self::find(&store)? {
            Planned::Whole(plan) => *plan,
            Planned::Nothing => return Err(BakeError::NoPlan { path: path.clone() }),
            Planned::Damaged { .. } => {
                let what = "is not what was written, or has a format that this build does not support; allowed: orogen plan, with the same recipe and flags, which \
                            writes it again";
                return Err(failed(what.to_owned()));
            }
        };
        if plan.setting.bits != BITS {
            return Err(BakeError::other_version(&path, &plan.orogen, plan.setting.bits));
        }
        let mut pipeline = Recipe::from_json(&plan.recipe.to_string(), PLAN).map_err(|error| failed(error.to_string()))?.pipeline;
        let mut wrong = Vec::new();
        for (heights, file, sha256) in pipeline.heights_mut() {
            let digest = sha256.ok_or_else(|| failed(format!("{} has no hash", heights.name())))?;
            let name = file_of(&file.key(digest));
            let Some(array) = store.read(&name).map_err(|error| BakeError::file(&path.join(&name), error))? else {
                wrong.push(Finding::of(&name, Wrong::Missing));
                continue;
            };
            let kept = Heights::kept_array(&file, digest, &array).ok().filter(|kept| {
                let whole = kept.size().zip(kept.values()).map(|([columns, rows], values)| npy(&[rows as usize, columns as usize], values));
                whole.as_ref() == Some(&array)
            });
            match kept {
                Some(kept) => *heights = kept,
                None => wrong.push(Finding::of(&name, Wrong::Damaged)),
            }
        }
        let key = hex(closed_json(&plan).as_bytes());
        Ok((Sharded { store, plan, pipeline, settled: OnceLock::new(), key }, wrong))
    }

    fn find(store: &Arc<dyn Store>) -> Result<Planned, BakeError> {
        let path = store.path().join(PLAN);
        let Some(bytes) = store.read(PLAN).map_err(|error| BakeError::file(&path, error))? else { return Ok(Planned::Nothing) };
        let text = String::from_utf8_lossy(&bytes);
        let own = || text.trim().is_empty() || ["\"orogen\"", "\"recipe\"", "\"check\""].iter().any(|word| text.contains(word));
        Ok(open_json(&text).map_or_else(|| Planned::Damaged { own: own() }, |plan| Planned::Whole(Box::new(plan))))
    }

    /// Whether shards of a world have written to a store.
    ///
    /// # Errors
    /// I/O errors of the store.
    pub fn has_traces(store: &Arc<dyn Store>) -> Result<bool, BakeError> {
        let failed = |name: &str, error| BakeError::file(&store.path().join(name), error);
        for folder in ["records/0", "measured/0", "parts/0"] {
            if !store.names(folder).map_err(|error| failed(folder, error))?.is_empty() {
                return Ok(true);
            }
        }
        let manifest = store.read(MANIFEST).map_err(|error| failed(MANIFEST, error))?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&manifest).contains("\"plan_sha256\""))
    }

    /// The number of shards.
    pub fn shards(&self) -> u32 {
        self.plan.shards
    }

    /// Its tiles.
    pub fn tiles(&self) -> Tiles {
        self.plan.tiles()
    }

    /// The number of tiles of a shard; 0 if there is no such shard.
    pub fn tiles_of(&self, shard: u32) -> u64 {
        let range = order::range(&self.tiles(), shard, self.shards());
        range.end.saturating_sub(range.start)
    }

    /// The shard that writes a file, by its name in a report of a check; `None` if the name has no tile.
    pub fn shard_of(&self, file: &str) -> Option<u32> {
        let name = file.rsplit('/').next().unwrap_or(file);
        // A tile without a record stands in reports without the ending of a file.
        let tile = tile_of(name).or_else(|| tile_of(&format!("{name}.")))?;
        order::shard_of(&self.tiles(), tile, self.shards())
    }

    /// Samples along each edge of a tile's files.
    pub fn edge(&self) -> u32 {
        self.plan.setting.tile + self.plan.setting.overlap
    }

    /// The pipeline of the world, as it was planned.
    pub fn pipeline(&self) -> &Pipeline {
        &self.pipeline
    }

    /// The layers that are evaluated; for weights, each mask.
    pub fn layers(&self) -> Vec<&str> {
        layers_of(&self.plan.setting.products)
    }

    /// The plan for some of its tiles.
    fn part(&self, tiles: Tiles) -> Plan {
        let BakeIdentity { tile, overlap, level, spacing, z, .. } = self.plan.setting;
        Plan { tile, tiles, overlap, level, spacing, z }
    }

    fn check_engine(&self, engine: &Engine) -> Result<(), BakeError> {
        let same = parity_of(&engine.describe()) == self.plan.setting.parity;
        if same { Ok(()) } else { Err(BakeError::OtherBake { path: self.store.path(), what: "the backend's parity differs".to_owned() }) }
    }

    fn check_shard(&self, shard: u32) -> Result<(), BakeError> {
        let allowed = "0 to the number of shards less one";
        let what = || PlanError::not_allowed("shard", format!("{shard} of {}", self.shards()), allowed);
        if shard < self.shards() { Ok(()) } else { Err(what().into()) }
    }

    fn failed(&self, name: &str, error: Error) -> BakeError {
        BakeError::file(&self.store.path().join(name), error)
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, BakeError> {
        self.store.read(name).map_err(|error| self.failed(name, error))
    }

    fn names(&self, folder: &str) -> Result<Vec<String>, BakeError> {
        self.store.names(folder).map_err(|error| self.failed(folder, error))
    }

    fn make(&self, objects: &[Object]) -> Result<Vec<bool>, BakeError> {
        let first = objects.first().map_or("", |object| &object.name);
        self.store.make(objects).map_err(|error| self.failed(first, error))
    }

    /// The path of a tile's file. For arrays it is the file's name.
    fn file(&self, tile: &TileRecord, name: &str) -> String {
        if self.is_array() { name.to_owned() } else { format!("{}/{name}", order::folder((tile.x, tile.y))) }
    }

    /// The path that stands for a tile without a record.
    fn place_of(&self, (x, y): (i64, i64)) -> String {
        let BakeIdentity { ref products, layout, .. } = self.plan.setting;
        if self.is_array() { layout.file_name((x, y), &products[0], 0) } else { format!("{}/x{x}_y{y}", order::folder((x, y))) }
    }

    /// Whether tiles are files of arrays.
    fn is_array(&self) -> bool {
        self.plan.setting.layout.is_array()
    }
}

/// The state of the plan in a store.
enum Planned {
    Nothing,
    /// It is damaged; `own`: it may be Orogen's.
    Damaged {
        own: bool,
    },
    Whole(Box<PlanFile>),
}

/// Refuses a place without a plan that holds files of another plan. `key` is the key of the plan to write.
fn refuse_traces(store: &Arc<dyn Store>, key: &str) -> Result<(), BakeError> {
    let path = store.path();
    let failed = |name: &str, error| BakeError::file(&path.join(name), error);
    let other = |what: &str| Err(BakeError::OtherBake { path: path.clone(), what: format!("{what} of another plan") });
    if let Some(manifest) = store.read(MANIFEST).map_err(|error| failed(MANIFEST, error))? {
        let text = String::from_utf8_lossy(&manifest);
        if !text.contains("\"plan_sha256\"") {
            return Err(BakeError::NotOurs { path: path.join(MANIFEST) });
        }
        if open_json::<seal::SealedFile>(&text).is_some_and(|sealed| sealed.plan_sha256 != key) {
            return other("its manifest.json is");
        }
    }
    for thousand in store.names("records").map_err(|error| failed("records", error))? {
        let folder = format!("records/{thousand}");
        for shard in store.names(&folder).map_err(|error| failed(&folder, error))? {
            let folder = format!("{folder}/{shard}");
            for name in store.names(&folder).map_err(|error| failed(&folder, error))? {
                let name = format!("{folder}/{name}");
                let Some(bytes) = store.read(&name).map_err(|error| failed(&name, error))? else { continue };
                match record::is_of(key, &bytes) {
                    Some(true) => return Ok(()),
                    Some(false) => return other("its records are"),
                    None => (),
                }
            }
        }
    }
    Ok(())
}

/// The folder of the files that nodes read.
const FILES: &str = "files";

/// The path of a file that a node reads.
fn file_of(key: &str) -> String {
    format!("{FILES}/{key}.npy")
}

fn check_shards(shards: u32) -> Result<(), BakeError> {
    let refused = || PlanError::not_allowed("shards", shards, "1 to 1000000");
    if (1..=MOST).contains(&shards) { Ok(()) } else { Err(refused().into()) }
}

/// Refuses an overview of more tiles than one process should read.
fn check_size(world: &World<'_>) -> Result<(), BakeError> {
    let allowed = "at most 16777216 tiles in all with an overview, which is drawn of all of them; more without (plan --no-overview)";
    if world.overview { Ok(world.plan.check_alone(allowed)?) } else { Ok(()) }
}

/// Refuses a layout that does not fit arrays: that of another world, or of single files.
fn check_layout(world: &World<'_>) -> Result<(), BakeError> {
    let arrays = world.products.iter().any(|product| product.format.is_array());
    if !arrays || world.layout == Layout::of(world.plan, world.products) {
        return Ok(());
    }
    Err(PlanError::not_allowed("layout", format!("{:?}", world.layout), "for arrays that of World::new").into())
}

/// Compares a plan with an existing one, as far as possible without measurements.
fn same_frame(store: &Arc<dyn Store>, old: &PlanFile, world: &World<'_>, shards: u32) -> Result<(), BakeError> {
    let other = |what: &str| Err(BakeError::OtherBake { path: store.path(), what: format!("{what} differs") });
    let Plan { tile, ref tiles, overlap, level, spacing, z } = *world.plan;
    let is = &old.setting;
    if (is.tile, is.overlap, is.level, is.spacing, is.z) != (tile, overlap, level, spacing, z) {
        return other("the tile size, the overlap, the level, the spacing or z");
    }
    if old.tiles() != *tiles || old.shards != shards {
        return other("the tiles or the number of shards");
    }
    if is.layout != world.layout {
        return other("the destination");
    }
    if is.products != world.products {
        return other("a layer, a format or a range");
    }
    Ok(())
}
