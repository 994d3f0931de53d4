//! Presets: the settings of a bake that a program requires, and the values to type into its import dialogue.
//!
//! `Destination (recipe or flag) → Demands (the table) → Preset (this bake) → files; Note (the values to type)`. A preset
//! overrides no explicit choice: it refuses a choice that its destination does not accept, and names the accepted ones.

mod demands;
mod landscape;
mod measures;
mod note;
mod steps;

pub use note::Note;

use crate::bake::{Format, Layout, Plan, PlanError, RangeKind, RangeRecord};
use crate::not_allowed::NotAllowed;
use crate::recipe::Destination;
use demands::{Demands, FileSizes, IntegerRanges, LANDSCAPES};
use landscape::Landscape;

/// A file that is written next to the tiles: its name, `IMPORT.md`, `import.json` or `import.py`, and its text.
pub type NoteFile = (&'static str, String);

/// The settings of a bake for a destination.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// The destination.
    pub destination: Destination,
    /// The tiles, with the overlap for the destination.
    pub plan: Plan,
    /// File names and orientation.
    pub layout: Layout,
    /// The format of heights.
    heights: Format,
    /// Formats of the other layers: of values, then of colours and normals.
    beside: [Format; 2],
}

impl Preset {
    /// A plan for a destination. `overlap` and `format` are explicit choices, or `None` for the destination's default; the plan's
    /// own overlap is ignored.
    ///
    /// # Errors
    /// Returns an error if the destination does not accept the tile size, the tile numbers, the overlap or the format. It names
    /// the nearest accepted ones.
    pub fn new(destination: Destination, plan: &Plan, overlap: Option<u32>, format: Option<Format>) -> Result<Self, PlanError> {
        let Demands { formats, beside, overlaps, sizes, tiles, ranges: _, layout } = Demands::of(destination);
        let refuse = |what, value: String, allowed: String| {
            Err(PlanError::Destination { destination, wrong: NotAllowed::new(what, value, allowed) })
        };
        let heights = format.unwrap_or(formats[0]);
        if !formats.contains(&heights) {
            return refuse("format", heights.name().to_owned(), list(formats.iter().map(|format| format.name())));
        }
        let overlap = overlap.unwrap_or(overlaps.first().copied().unwrap_or(0));
        if !overlaps.is_empty() && !overlaps.contains(&overlap) {
            return refuse("overlap", overlap.to_string(), list(overlaps));
        }
        let plan = Plan { overlap, ..plan.clone() };
        plan.check()?;
        let edge = plan.tile + overlap;
        let fits = match sizes {
            FileSizes::From(least) if edge < least => Err(format!("at least {}", sized(least, overlap))),
            FileSizes::OneOf(sizes) => nearest(edge, sizes, overlap),
            FileSizes::Landscape if plan.count() == 1 => nearest(edge, LANDSCAPES, overlap),
            FileSizes::From(_) | FileSizes::Landscape => Ok(()),
        };
        if let Err(allowed) = fits {
            return refuse("tile", format!("{} ({edge} samples with overlap {overlap})", plan.tile), allowed);
        }
        let within = |of: &std::ops::Range<i64>| of.start >= tiles[0] && of.end <= tiles[1];
        if !within(&plan.tiles.x) || !within(&plan.tiles.y) {
            let end = if tiles[1] == i64::MAX { String::new() } else { format!(" to {}", tiles[1] - 1) };
            return refuse("tiles", plan.tiles.to_string(), format!("numbers from {}{end}", tiles[0]));
        }
        if matches!(sizes, FileSizes::Landscape) && Landscape::of(&plan).is_none() {
            let allowed = match landscape::LARGEST / plan.tile {
                0 => format!("at most 1024 components of up to 510 quads, {} samples along each edge", landscape::LARGEST),
                most => format!("at most 1024 components of up to 510 quads, as {most} by {most} tiles of {} samples have", plan.tile),
            };
            return refuse("tiles", plan.tiles.to_string(), allowed);
        }
        Ok(Preset { destination, plan, layout, heights, beside })
    }

    /// The formats of heights that a destination accepts; the first is the default.
    pub fn formats(destination: Destination) -> &'static [Format] {
        Demands::of(destination).formats
    }

    /// The format of a layer with this number of channels. The first layer must be the heights.
    ///
    /// # Errors
    /// Returns an error if the heights have more than one channel.
    pub fn format(&self, first: bool, layer: &str, channels: usize) -> Result<Format, PlanError> {
        match (first, channels) {
            (true, 1) => Ok(self.heights),
            (true, _) => Err(PlanError::Destination {
                destination: self.destination,
                wrong: NotAllowed::new("layers", format!("'{layer}', of {channels} channels"), "heights first, a layer of one channel"),
            }),
            (false, 1) => Ok(self.beside[0]),
            (false, _) => Ok(self.beside[1]),
        }
    }

    /// The range of heights: a declared range itself, or the smallest one that contains `range` and suits the destination.
    ///
    /// # Errors
    /// Returns an error if the destination does not accept the range.
    pub fn range(&self, range: RangeRecord) -> Result<RangeRecord, PlanError> {
        let RangeRecord { lo, hi, kind } = range;
        let declared = kind == RangeKind::Declared;
        match Demands::of(self.destination).ranges {
            _ if !self.heights.is_integer() => Ok(range),
            IntegerRanges::Any => Ok(range),
            // For land above 0, a range around 0 would leave half of the words unused. Location Z shifts the landscape instead.
            IntegerRanges::Around0 if declared || lo >= 0.0 || hi <= 0.0 => Ok(range),
            IntegerRanges::Around0 => {
                // 32768 steps below 0 and 32767 above.
                let step = (-lo / 32768.0).max(hi / 32767.0);
                let step = if step > 0.0 { step } else { 1.0 / 32768.0 };
                Ok(RangeRecord { lo: -32768.0 * step, hi: 32767.0 * step, kind })
            }
            IntegerRanges::Whole(most) => {
                let (lo, hi) = if declared { (lo, hi) } else { (lo.floor(), hi.ceil()) };
                let hi = if hi > lo { hi } else { lo + 1.0 };
                let typed = |x: f64| x.fract() == 0.0 && x.abs() <= most;
                let refused = || PlanError::Destination {
                    destination: self.destination,
                    wrong: NotAllowed::new(
                        "range",
                        format!("{lo},{hi}"),
                        format!("whole numbers from -{most} to {most}, which is what can be typed there, or --format exr"),
                    ),
                };
                if typed(lo) && typed(hi) { Ok(RangeRecord { lo, hi, kind }) } else { Err(refused()) }
            }
        }
    }
}

/// The items, separated by commas.
fn list(all: impl IntoIterator<Item = impl ToString>) -> String {
    all.into_iter().map(|one| one.to_string()).collect::<Vec<_>>().join(", ")
}

/// An edge length, with the flag that selects it.
fn sized(edge: u32, overlap: u32) -> String {
    format!("{edge} samples (--tile {})", edge - overlap)
}

/// # Errors
/// The nearest sizes below and above `edge`, if it is not one of `sizes`.
fn nearest(edge: u32, sizes: &[u32], overlap: u32) -> Result<(), String> {
    let below = sizes.iter().rev().find(|&&size| size <= edge);
    let above = sizes.iter().find(|&&size| size >= edge);
    if below == Some(&edge) {
        return Ok(());
    }
    let near: Vec<String> = [below, above].into_iter().flatten().map(|&size| sized(size, overlap)).collect();
    Err(near.join(", "))
}
