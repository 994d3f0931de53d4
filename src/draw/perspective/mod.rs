//! Terrain in perspective: heights as a surface with light, shadows, water and haze, drawn by casting rays.
//!
//! Distances are in samples inside this module: x and y are columns and rows, and heights are divided by the spacing.

mod camera;
mod light;
mod scene;
mod surface;
#[cfg(test)]
mod tests;
mod view;

pub use view::{Edge, View, ViewedTerrain};

use super::Picture;
use super::render::{DrawError, Style};
use rayon::prelude::*;
use scene::Scene;

/// Draws a layer of heights in perspective. The style gives the colours of ground without colours of its own, and the sea level.
///
/// The time is about 1 µs per sample of the terrain and per ray of the picture, divided among rayon's threads. The picture does not
/// depend on their number.
///
/// # Errors
/// Returns an error if a number of the view is out of its range, or if a height is not finite. Another error is a layer without the
/// size and channels that its field of [`ViewedTerrain`] requires.
///
/// ```
/// use orogen::draw::{Style, ViewedTerrain, View, perspective};
/// use orogen::node::{Fractal, Simplex};
/// use orogen::{Engine, Noise, Region};
///
/// let hills = Noise::simplex(Simplex { wavelength: 60.0, ..Default::default() }).fractal(Fractal::default()).scale_offset(12.0, 0.0);
/// let heights = Engine::new()?.field(&hills, &Region::plane(96, 96))?.into();
/// let style = Style { sea: Some(0.0), ..Default::default() };
/// let picture = perspective(&ViewedTerrain::new(&heights), &style, &View { size: [120, 70], ..Default::default() })?;
/// assert_eq!((picture.width, picture.height), (120, 70));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn perspective(terrain: &ViewedTerrain<'_>, style: &Style, view: &View) -> Result<Picture, DrawError> {
    view.check()?;
    terrain.check()?;
    let scene = Scene::new(terrain, style, view);
    let [width, height] = view.size;
    let n = view.supersample;
    let pixel = |x: u32, y: u32| -> [u8; 3] {
        let mut total = [0.0; 3];
        // A rotated grid: every place has a column and a row of its own, so that steep and flat edges are smooth.
        for (i, j) in (0..n).flat_map(|j| (0..n).map(move |i| (i, j))) {
            let place = |at: u32, along: u32, across: u32, edge: u32| {
                let inside = (f64::from(along) + (f64::from(across) + 0.5) / f64::from(n)) / f64::from(n);
                (f64::from(at) + inside) / f64::from(edge)
            };
            let colour = scene.colour([place(x, i, j, width), place(y, j, n - 1 - i, height)]);
            total = std::array::from_fn(|c| total[c] + colour[c]);
        }
        let share = 1.0 / (n * n) as f32;
        total.map(|c| (crate::codec::srgb::srgb((c * share).clamp(0.0, 1.0)) * 255.0 + 0.5) as u8)
    };
    let mut rgb = vec![0; 3 * width as usize * height as usize];
    rgb.par_chunks_exact_mut(3 * width as usize).zip(0..height).for_each(|(row, y)| {
        for (to, x) in row.as_chunks_mut::<3>().0.iter_mut().zip(0..width) {
            *to = pixel(x, y);
        }
    });
    Ok(Picture { width, height, rgb })
}
