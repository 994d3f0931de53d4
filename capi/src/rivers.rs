//! Rivers, lakes and basins of a recipe's world.

use crate::args::{Buffer, Place, check_count, optional_text, slice_mut, value};
use crate::guard::guard;
use crate::handle::{Kind, borrow, free, give};
use crate::open::OrogenEngine;
use crate::recipe::OrogenRecipe;
use crate::region::{OrogenRegion, plane};
use crate::status::{Fault, OrogenError, OrogenStatus};
use engine::Pipeline;
use engine::rivers::{Polygon, RiverOptions, Rivers, RiversError};
use engine::stage::Stage;
use std::ffi::c_char;

/// Rivers, lakes and basins that were found in a world. They do not change.
pub struct OrogenRivers {
    _opaque: [u8; 0],
}

impl Kind for OrogenRivers {
    const MAGIC: u64 = u64::from_le_bytes(*b"orogenRI");
    const NAME: &'static str = "rivers";
    type Value = Rivers;
}

/// `OrogenRiverSegment.into` of a segment that ends at a mouth.
pub const OROGEN_MOUTH: u64 = u64::MAX;

/// The smallest rivers, lakes and basins to find, and the shape of lines. `orogen_river_options` returns the defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OrogenRiverOptions {
    /// The smallest drainage area of a river, in world units^2: above 0.
    pub area: f64,
    /// The smallest area of a basin with an outline, in world units^2: 0 or more. Infinity: no basins.
    pub basin: f64,
    /// The smallest area of a lake with an outline, in world units^2: 0 or more. Infinity: no lakes.
    pub lake: f64,
    /// The width of a river divided by the square root of its drainage area: 0 to 1000000.
    pub width: f64,
    /// Rounds of smoothing of the lines, 0 to 64. Without any, points are the centres of samples.
    pub smoothing: u32,
}

/// Lengths of the lists that describe rivers, lakes and basins.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OrogenRiverCounts {
    /// Segments of rivers.
    pub segments: u64,
    /// Points of all segments. Each has three numbers.
    pub points: u64,
    /// Lakes.
    pub lakes: u64,
    /// Basins.
    pub basins: u64,
    /// Rings of the outlines of all lakes and basins.
    pub rings: u64,
    /// Corners of all rings. Each has two numbers.
    pub corners: u64,
}

/// A part of a river without a confluence: from its spring or a confluence to the next confluence or its mouth.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OrogenRiverSegment {
    /// The index of its first sample in the rows of the world.
    pub id: u64,
    /// The segment that it flows into; `OROGEN_MOUTH` at a mouth.
    pub into: u64,
    /// The river that it is part of: the number of that river's last segment.
    pub river: u64,
    /// The number of its first point among the points of all segments.
    pub first_point: u64,
    /// The number of its points, along the water. The last one is the first point of the segment that it flows into.
    pub point_count: u64,
    /// The area that drains through its last sample before the confluence or mouth, in world units^2.
    pub area: f64,
    /// The width there, in world units.
    pub width: f64,
    /// Strahler order, 1 or more: that of the whole network of samples.
    pub order: u32,
}

/// A lake: samples under water that touch each other. All have the same level.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OrogenLake {
    /// The index of its first sample in the rows of the world.
    pub id: u64,
    /// The level of its water, in units of height.
    pub level: f64,
    /// The largest depth, in units of height.
    pub depth: f64,
    /// Its area in world units^2.
    pub area: f64,
    /// The number of the first ring of its outline among all rings.
    pub first_ring: u64,
    /// The number of its rings.
    pub ring_count: u64,
}

/// All samples whose water leaves the world by the same outlet.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OrogenBasin {
    /// The index of its outlet in the rows of the world.
    pub id: u64,
    /// The position of its outlet: x and y.
    pub outlet: [f64; 2],
    /// Its area in world units^2.
    pub area: f64,
    /// The number of the first ring of its outline among all rings.
    pub first_ring: u64,
    /// The number of its rings.
    pub ring_count: u64,
}

/// A closed border. Its last corner is its first.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct OrogenRing {
    /// The number of its first corner among the corners of all rings.
    pub first_corner: u64,
    /// The number of its corners.
    pub corner_count: u64,
    /// 0: the border of an area, counterclockwise if y points up. 1: a hole in the latest border before it, clockwise.
    pub hole: u32,
}

impl From<RiversError> for Fault {
    fn from(error: RiversError) -> Self {
        match error {
            RiversError::NotAllowed(error) => Fault::new(OrogenStatus::Argument, error.to_string()),
            RiversError::Layers(error) => error.into(),
            error => Fault::new(OrogenStatus::Panic, error.to_string()),
        }
    }
}

/// The name of a stage `drainage`: the given one, or the only one of the pipeline.
fn drainage<'a>(pipeline: &'a Pipeline, named: Option<&'a str>) -> Result<&'a str, Fault> {
    let mut stages = pipeline.stage.iter().filter(|(_, stage)| matches!(stage, Stage::Drainage(_))).map(|(name, _)| name.as_str());
    let allowed = "the name of a stage with kind = \"drainage\"";
    let found = match named {
        Some(named) => stages.find(|name| *name == named).ok_or_else(|| format!("stage = {named} is not allowed; allowed: {allowed}")),
        None => match (stages.next(), stages.next()) {
            (Some(only), None) => Ok(only),
            (None, _) => Err(format!("stage is NULL, but the recipe has no stage drainage; allowed: {allowed}")),
            _ => Err(format!("stage is NULL, but the recipe has several stages drainage; allowed: {allowed}")),
        },
    };
    found.map_err(|message| Fault::new(OrogenStatus::Recipe, message))
}

/// The rings of polygons in their order: each border, then its holes.
fn rings(polygons: &[Polygon]) -> impl Iterator<Item = (&Vec<[f64; 2]>, bool)> {
    polygons.iter().flat_map(|polygon| std::iter::once((&polygon.outer, false)).chain(polygon.holes.iter().map(|hole| (hole, true))))
}

/// The rings of all lakes, then of all basins.
fn all_rings(rivers: &Rivers) -> impl Iterator<Item = (&Vec<[f64; 2]>, bool)> {
    let (lakes, basins) = (rivers.lakes.iter().map(|lake| &lake.polygons), rivers.basins.iter().map(|basin| &basin.polygons));
    lakes.chain(basins).flat_map(|polygons| rings(polygons))
}

fn counts(rivers: &Rivers) -> OrogenRiverCounts {
    OrogenRiverCounts {
        segments: rivers.segments.len() as u64,
        points: rivers.segments.iter().map(|segment| segment.points.len() as u64).sum(),
        lakes: rivers.lakes.len() as u64,
        basins: rivers.basins.len() as u64,
        rings: all_rings(rivers).count() as u64,
        corners: all_rings(rivers).map(|(ring, _)| ring.len() as u64).sum(),
    }
}

/// The first of `count` elements, after which the next ones begin.
fn advance(next: &mut u64, count: u64) -> u64 {
    let first = *next;
    *next += count;
    first
}

/// Copies a list to memory of the caller that has the same length.
///
/// # Safety
/// As [`slice_mut`].
unsafe fn copy<T>(name: &str, to: *mut T, count: usize, needed: u64, list: impl Iterator<Item = T>) -> Result<(), Fault> {
    check_count(name, count, needed)?;
    // SAFETY: guaranteed by the caller.
    let to = unsafe { slice_mut(name, to, count) }?;
    to.iter_mut().zip(list).for_each(|(place, value)| *place = value);
    Ok(())
}

/// Returns the default options for rivers that drain at least `area` world units^2. Basins have at least the same area, lakes a hundredth
/// of it. The width is 0.001, and there are four rounds of smoothing.
///
/// Thread safety: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn orogen_river_options(area: f64) -> OrogenRiverOptions {
    let RiverOptions { area, basin, lake, width, smoothing } = RiverOptions::new(area);
    OrogenRiverOptions { area, basin, lake, width, smoothing }
}

/// Follows the water of a whole world and stores its rivers, lakes and basins in `*rivers`; stores NULL after a failure. `stage` is the
/// name of a stage `drainage`; NULL is the recipe's only one. `world` has one sample along z. If the recipe was measured
/// (`orogen_recipe_measure`), the world of that call is used instead. The caller frees the result with `orogen_rivers_free`.
///
/// The result has the same bits as that of the command `orogen rivers`. It does not depend on memory, threads or device.
///
/// Cost: that of a layer of the stage over the whole world. Memory: about 100 bytes per sample of a river, and 24 bytes per side of an
/// outline.
///
/// Errors: NULL, HANDLE, UTF8, REGION, RECIPE (no such stage, or no stage drainage), ARGUMENT (an option that is not allowed), NOISE,
/// MEMORY, DEVICE.
///
/// Thread safety: any thread, also several at once with the same engine and recipe.
///
/// # Safety
/// The handles have not been freed. `stage` is NULL or ends in 0. Each pointer is NULL or points to a value of its type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_rivers_find(
    engine: *const OrogenEngine,
    recipe: *const OrogenRecipe,
    stage: *const c_char,
    world: *const OrogenRegion,
    options: *const OrogenRiverOptions,
    rivers: *mut *mut OrogenRivers,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let place = Place::new("rivers", rivers)?;
            place.set(std::ptr::null_mut());
            let (engine, recipe, world) = (borrow(engine)?, borrow(recipe)?.get(), plane(value("world", world)?)?);
            let &OrogenRiverOptions { area, basin, lake, width, smoothing } = value("options", options)?;
            let stage = drainage(&recipe.pipeline, optional_text("stage", stage)?)?;
            let options = RiverOptions { area, basin, lake, width, smoothing };
            place.set(give(engine.rivers(&recipe.pipeline, stage, &world, &options)?));
            Ok(())
        })
    }
}

/// Stores the lengths of all lists in `*counts`.
///
/// Errors: NULL, HANDLE, ARGUMENT (an unaligned pointer).
///
/// Thread safety: any thread.
///
/// # Safety
/// The handle has not been freed. `counts` is NULL or points to a value of its type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_rivers_counts(
    rivers: *const OrogenRivers,
    counts: *mut OrogenRiverCounts,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (rivers, place) = (borrow(rivers)?, Place::new("counts", counts)?);
            place.set(self::counts(rivers));
            Ok(())
        })
    }
}

/// Writes all segments of rivers, in the order of their numbers. `count` is the length of `segments` and must be
/// `OrogenRiverCounts.segments`.
///
/// All functions that write a list of rivers work alike: after a failure the contents of the buffer are unchanged.
///
/// Errors: NULL, HANDLE, ARGUMENT (an unaligned pointer), SIZE (a count is not the required one).
///
/// Thread safety: any thread.
///
/// # Safety
/// The handle has not been freed. The buffer has the stated size and is not used by other threads during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_rivers_segments(
    rivers: *const OrogenRivers,
    segments: *mut OrogenRiverSegment,
    count: usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (all, mut next) = (&borrow(rivers)?.segments, 0);
            let list = all.iter().map(|segment| OrogenRiverSegment {
                id: segment.id,
                into: segment.into.unwrap_or(OROGEN_MOUTH),
                river: segment.river,
                first_point: advance(&mut next, segment.points.len() as u64),
                point_count: segment.points.len() as u64,
                area: segment.area,
                width: segment.width,
                order: u32::from(segment.order),
            });
            copy("segments", segments, count, all.len() as u64, list)
        })
    }
}

/// Writes the points of all segments: x, y and the level of the water, which never rises along a segment. `number_count` is the length of
/// `points` and must be three times `OrogenRiverCounts.points`. Otherwise as `orogen_rivers_segments`.
///
/// # Safety
/// As `orogen_rivers_segments`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_rivers_points(
    rivers: *const OrogenRivers,
    points: *mut f64,
    number_count: usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let rivers = borrow(rivers)?;
            let list = rivers.segments.iter().flat_map(|segment| segment.points.as_flattened());
            copy("points", points, number_count, 3 * counts(rivers).points, list.copied())
        })
    }
}

/// Writes all lakes, in the order of their numbers. `count` is the length of `lakes` and must be `OrogenRiverCounts.lakes`. Otherwise as
/// `orogen_rivers_segments`.
///
/// # Safety
/// As `orogen_rivers_segments`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_rivers_lakes(
    rivers: *const OrogenRivers,
    lakes: *mut OrogenLake,
    count: usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (all, mut next) = (&borrow(rivers)?.lakes, 0);
            let list = all.iter().map(|lake| {
                let ring_count = rings(&lake.polygons).count() as u64;
                let first_ring = advance(&mut next, ring_count);
                OrogenLake { id: lake.id, level: lake.level, depth: lake.depth, area: lake.area, first_ring, ring_count }
            });
            copy("lakes", lakes, count, all.len() as u64, list)
        })
    }
}

/// Writes all basins, in the order of their numbers. `count` is the length of `basins` and must be `OrogenRiverCounts.basins`. Otherwise
/// as `orogen_rivers_segments`.
///
/// # Safety
/// As `orogen_rivers_segments`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_rivers_basins(
    rivers: *const OrogenRivers,
    basins: *mut OrogenBasin,
    count: usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let rivers = borrow(rivers)?;
            let mut next = rivers.lakes.iter().map(|lake| rings(&lake.polygons).count() as u64).sum();
            let list = rivers.basins.iter().map(|basin| {
                let ring_count = rings(&basin.polygons).count() as u64;
                let first_ring = advance(&mut next, ring_count);
                OrogenBasin { id: basin.id, outlet: basin.outlet, area: basin.area, first_ring, ring_count }
            });
            copy("basins", basins, count, rivers.basins.len() as u64, list)
        })
    }
}

/// Writes the rings of all lakes, then those of all basins. `count` is the length of `rings` and must be `OrogenRiverCounts.rings`.
/// Otherwise as `orogen_rivers_segments`.
///
/// # Safety
/// As `orogen_rivers_segments`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_rivers_rings(
    rivers: *const OrogenRivers,
    rings: *mut OrogenRing,
    count: usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (rivers, mut next) = (borrow(rivers)?, 0);
            let list = all_rings(rivers).map(|(ring, hole)| OrogenRing {
                first_corner: advance(&mut next, ring.len() as u64),
                corner_count: ring.len() as u64,
                hole: u32::from(hole),
            });
            copy("rings", rings, count, counts(rivers).rings, list)
        })
    }
}

/// Writes the corners of all rings: x and y in world units, along the sides of samples. `number_count` is the length of `corners` and must
/// be twice `OrogenRiverCounts.corners`. Otherwise as `orogen_rivers_segments`.
///
/// # Safety
/// As `orogen_rivers_segments`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_rivers_corners(
    rivers: *const OrogenRivers,
    corners: *mut f64,
    number_count: usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let rivers = borrow(rivers)?;
            let list = all_rings(rivers).flat_map(|(ring, _)| ring.as_flattened());
            copy("corners", corners, number_count, 2 * counts(rivers).corners, list.copied())
        })
    }
}

/// Writes everything as GeoJSON: the same text as the command `orogen rivers` writes. The property `kind` of a feature is `river`, `lake`
/// or `basin`. The buffer works as in `orogen_engine_describe`; each call writes the text again.
///
/// Errors: NULL, HANDLE, SIZE.
///
/// Thread safety: any thread.
///
/// # Safety
/// The handle has not been freed. Each pointer is NULL or points to memory of the stated size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_rivers_geojson(
    rivers: *const OrogenRivers,
    text: *mut c_char,
    size: usize,
    length: *mut usize,
    error: *mut OrogenError,
) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointers.
    unsafe {
        guard(error, || {
            let (rivers, buffer) = (borrow(rivers)?, Buffer::new(text.cast(), size, length)?);
            buffer.text(&rivers.geojson())
        })
    }
}

/// Frees rivers. `rivers` may be NULL.
///
/// Errors: HANDLE (the handle was freed before, as far as that can be detected, or is of another kind; nothing is freed then).
///
/// Thread safety: any thread, as the last use of the handle.
///
/// # Safety
/// No other call uses the handle, now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn orogen_rivers_free(rivers: *mut OrogenRivers) -> OrogenStatus {
    // SAFETY: the header states the requirements on the pointer.
    unsafe { guard(std::ptr::null_mut(), || free(rivers)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rivers::{Basin, Lake, RiverSegment};
    use engine::{Engine, Recipe, Region};

    const RECIPE: &str = "output = 'water'\n[node.basis]\nkind = 'simplex'\nwavelength = 40.0\n\
        [node.height]\nkind = 'fractal'\nof = 'basis'\n[stage.water]\nkind = 'drainage'\nof = 'height'\n";

    /// A list of the given length, written by a function.
    fn list<T: Clone>(count: u64, empty: T, write: impl FnOnce(*mut T, usize) -> OrogenStatus) -> Vec<T> {
        let mut list = vec![empty; usize::try_from(count).expect("a length")];
        assert_eq!(write(list.as_mut_ptr(), list.len()), OrogenStatus::Ok);
        list
    }

    /// The elements from `first` on.
    fn part<T: Clone>(list: &[T], first: u64, count: u64) -> Vec<T> {
        list[first as usize..][..count as usize].to_vec()
    }

    #[test]
    fn the_lists_are_the_rivers_of_the_library() {
        let (engine, recipe) = (Engine::new().expect("an engine"), Recipe::from_toml(RECIPE, "recipe.toml").expect("a recipe"));
        let (world, options) = (Region { spacing: 2.0, ..Region::plane(96, 80) }, RiverOptions::new(120.0));
        let wanted = engine.rivers(&recipe.pipeline, "water", &world, &options).expect("rivers");
        let handle = give::<OrogenRivers>(wanted.clone());
        let none = std::ptr::null_mut();
        // SAFETY: the handle lives until `free`, and each list has the length that is passed with it.
        let (segments, points, lakes, basins, rings, corners) = unsafe {
            let mut counts = std::mem::zeroed();
            assert_eq!(orogen_rivers_counts(handle, &raw mut counts, none), OrogenStatus::Ok);
            let OrogenRiverCounts { segments, points, lakes, basins, rings, corners } = counts;
            let lists = (
                list(segments, std::mem::zeroed(), |to, count| orogen_rivers_segments(handle, to, count, none)),
                list(3 * points, 0.0, |to, count| orogen_rivers_points(handle, to, count, none)),
                list(lakes, std::mem::zeroed(), |to, count| orogen_rivers_lakes(handle, to, count, none)),
                list(basins, std::mem::zeroed(), |to, count| orogen_rivers_basins(handle, to, count, none)),
                list(rings, std::mem::zeroed(), |to, count| orogen_rivers_rings(handle, to, count, none)),
                list(2 * corners, 0.0, |to, count| orogen_rivers_corners(handle, to, count, none)),
            );
            free(handle).expect("freed once");
            lists
        };
        let polygons = |first, count| {
            let mut polygons: Vec<Polygon> = Vec::new();
            for OrogenRing { first_corner, corner_count, hole } in part::<OrogenRing>(&rings, first, count) {
                let ring = part(corners.as_chunks().0, first_corner, corner_count);
                match polygons.last_mut() {
                    Some(polygon) if hole == 1 => polygon.holes.push(ring),
                    _ => polygons.push(Polygon { outer: ring, holes: Vec::new() }),
                }
            }
            polygons
        };
        let found = Rivers {
            segments: segments
                .iter()
                .map(|segment| RiverSegment {
                    id: segment.id,
                    into: (segment.into != OROGEN_MOUTH).then_some(segment.into),
                    river: segment.river,
                    order: segment.order as u8,
                    area: segment.area,
                    width: segment.width,
                    points: part(points.as_chunks().0, segment.first_point, segment.point_count),
                })
                .collect(),
            lakes: lakes
                .iter()
                .map(|lake| {
                    let polygons = polygons(lake.first_ring, lake.ring_count);
                    Lake { id: lake.id, level: lake.level, depth: lake.depth, area: lake.area, polygons }
                })
                .collect(),
            basins: basins
                .iter()
                .map(|basin| {
                    let polygons = polygons(basin.first_ring, basin.ring_count);
                    Basin { id: basin.id, outlet: basin.outlet, area: basin.area, polygons }
                })
                .collect(),
            ..wanted
        };
        assert_eq!(found, wanted);
        let holes = wanted.lakes.iter().flat_map(|lake| &lake.polygons).any(|polygon| !polygon.holes.is_empty());
        assert!(wanted.segments.len() > 10 && wanted.basins.len() > 3 && wanted.lakes.len() > 3 && holes, "the world has some of all");
    }
}
