//! Statistics of a layer: values, spectrum, directions.

use crate::clock::Instant;
use crate::open_recipe::OpenRecipe;
use crate::refusal::{Ended, Refusal};
use crate::samples::{Block, layer};
use crate::waits::Waits;
use orogen::Engine;
use orogen::stats::{Band, Distribution, Periodogram, Window};
use serde::Serialize;

/// Number of columns of a histogram.
const BINS: usize = 96;
/// Number of directions over the half circle.
const SECTORS: usize = 16;

/// The results.
#[derive(Debug, Serialize)]
pub struct Measured {
    samples: u64,
    proven: Option<[f64; 2]>,
    extent: [f64; 2],
    mean: f64,
    deviation: f64,
    histogram: Histogram,
    spectrum: Spectrum,
    directions: Option<Directions>,
    milliseconds: f64,
}

#[derive(Debug, Serialize)]
struct Histogram {
    lo: f64,
    hi: f64,
    counts: Vec<u64>,
}

#[derive(Debug, Serialize)]
struct Spectrum {
    rings: Vec<[f64; 2]>,
    /// Exponent of the power density over frequency.
    exponent: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Directions {
    sectors: Vec<f64>,
    deviation: f64,
    chance: f64,
}

/// Statistics of a square block.
pub(crate) fn measure(engine: &Engine, known: &OpenRecipe, name: &str, block: &Block, waits: &Waits) -> Result<Measured, Ended> {
    if block.width != block.height || !(16..=2048).contains(&block.width) {
        let given = format!("a block of {} × {} samples", block.width, block.height);
        return Err(Refusal::bad(format!("{given} is not allowed; allowed: squares of 16 to 2048 a side")).into());
    }
    let region = block.region(known);
    let start = Instant::now();
    let found = layer(engine, known, name, &region, waits)?;
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    if found.channels != 1 {
        return Err(Refusal::bad(format!("'{name}' has {} channels; allowed: layers of one", found.channels)).into());
    }
    let edge = block.width as usize;
    let none = || Refusal::bad(format!("'{name}' has no finite value here"));
    let values = Distribution::of(&found.values).ok_or_else(none)?;
    let periodogram = Periodogram::of(&found.values, edge, Window::Hann).ok_or_else(none)?;
    let radial = periodogram.radial();
    // As in `orogen inspect`: below four cycles per edge a few features dominate.
    let band = Band::new(4.0 / edge as f64, 0.25);
    let [lo, hi] = values.extent();
    let range = if known.is_noise(name) {
        known.recipe.pipeline.noise_of(name).ok().and_then(|noise| noise.range().ok())
    } else {
        known.recipe.pipeline.range(name)
    };
    Ok(Measured {
        samples: region.samples(),
        proven: range.map(|range| [range.lo, range.hi]).filter(|range| range.iter().all(|x| x.is_finite())),
        extent: [lo, hi],
        mean: values.mean(),
        deviation: values.deviation(),
        histogram: Histogram { lo, hi, counts: if hi > lo { values.histogram(lo, hi, BINS) } else { vec![region.samples()] } },
        spectrum: Spectrum {
            exponent: radial.fit(band).map(|fit| fit.slope),
            rings: radial.rings.iter().map(|ring| [ring.frequency, ring.power]).collect(),
        },
        directions: periodogram.isotropy(SECTORS, band).map(|is| Directions {
            sectors: is.sectors,
            deviation: is.deviation,
            chance: is.chance,
        }),
        milliseconds,
    })
}
