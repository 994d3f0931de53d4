//! Maps of hexagons: the positions of their centres, and pictures.
//!
//! Hexagons have corners at the top and bottom; neighbours are one wavelength apart. Axial coordinates (q, r): q runs along x, r
//! down and to the right, and the third cubic coordinate is s = −q − r.

use crate::draw::Picture;
use std::ops::Range;

/// Distance between two rows, in wavelengths: √3/2.
const ROW: f64 = 0.866_025_403_784_438_6;
/// Maximum number of pixels of a picture.
const MOST_PIXELS: u64 = 1 << 26;

/// A parallelogram of hexagons.
#[derive(Clone, Debug, PartialEq)]
pub struct HexMap {
    /// Axial columns.
    pub q: Range<i32>,
    /// Axial rows.
    pub r: Range<i32>,
    /// Distance between the centres of neighbours, in world units.
    pub wavelength: f64,
}

impl HexMap {
    /// Axial coordinates of every hexagon, q fastest.
    pub fn cells(&self) -> impl Iterator<Item = [i32; 2]> + '_ {
        self.r.clone().flat_map(move |r| self.q.clone().map(move |q| [q, r]))
    }

    /// World positions of the centres, in the same order.
    pub fn centres(&self) -> Vec<[f64; 3]> {
        let centre = |[q, r]: [i32; 2]| {
            let (q, r) = (f64::from(q), f64::from(r));
            [(q + 0.5 * r) * self.wavelength, r * ROW * self.wavelength, 0.0]
        };
        self.cells().map(centre).collect()
    }

    /// Draws every hexagon in a grey by its value, dark to light from the smallest to the largest, on white, with thin borders.
    /// `pixels` is the distance between the centres of neighbours. Returns `None` for a picture of more than 2²⁶ pixels, or if
    /// the number of values differs from the number of hexagons.
    pub fn draw(&self, values: &[f64], pixels: u32) -> Option<Picture> {
        let (columns, rows) = (self.q.len(), self.r.len());
        if values.len() != columns * rows || values.is_empty() {
            return None;
        }
        let cell = f64::from(pixels);
        let width = ((columns as f64 + 0.5 * (rows as f64 - 1.0)) * cell).ceil() as u32;
        let height = (((rows as f64 - 1.0) * ROW + 2.0 / 3f64.sqrt()) * cell).ceil() as u32;
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            return None;
        }
        let (lo, hi) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &v| (lo.min(v), hi.max(v)));
        let grey = |value: f64| if hi > lo { 40.0 + 200.0 * (value - lo) / (hi - lo) } else { 140.0 };
        let mut rgb = Vec::with_capacity((width * height * 3) as usize);
        for j in 0..height {
            for i in 0..width {
                // Relative to the middle of the first hexagon.
                let x = (f64::from(i) + 0.5) / cell - 0.5;
                let y = (f64::from(j) + 0.5) / cell - 1.0 / 3f64.sqrt();
                let row = y / ROW;
                let ([q, r], margin) = nearest(x - 0.5 * row, row);
                let inside = (0..columns as i64).contains(&q) && (0..rows as i64).contains(&r);
                let shade = if inside {
                    // Half a pixel of border on either side, blended.
                    let border = (margin * cell - 0.25).clamp(0.0, 1.0);
                    (grey(values[(r * columns as i64 + q) as usize]) * border + 20.0 * (1.0 - border)) as u8
                } else {
                    255
                };
                rgb.extend([shade; 3]);
            }
        }
        Some(Picture { width, height, rgb })
    }
}

/// The hexagon that contains an axial position, and the distance from its border in wavelengths. Cubic coordinates are rounded,
/// and the one with the largest change is computed from the others.
fn nearest(q: f64, r: f64) -> ([i64; 2], f64) {
    let s = -q - r;
    let (mut a, mut b, c) = (q.round(), r.round(), s.round());
    let (da, db, dc) = ((a - q).abs(), (b - r).abs(), (c - s).abs());
    if da > db && da > dc {
        a = -b - c;
    } else if db > dc {
        b = -a - c;
    }
    // Along each of the three directions the border is half a wavelength away.
    let (u, v) = (q - a, r - b);
    let furthest = (u + 0.5 * v).abs().max((0.5 * u + v).abs()).max((0.5 * (u - v)).abs());
    ([a as i64, b as i64], 0.5 - furthest)
}
