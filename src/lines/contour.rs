//! Contour lines of a layer, by marching squares (after Lorensen and Cline's cubes, 1987).

use crate::field::Layer;
use std::collections::BTreeMap;

/// All lines at one height.
#[derive(Clone, Debug, PartialEq)]
pub struct Contour {
    /// The height.
    pub level: f64,
    /// Lines in world units; closed ones end where they begin, others at the edges of the layer. Higher ground is on their right, y
    /// down.
    pub lines: Vec<Vec<[f64; 2]>>,
}

/// A layer in which there are no lines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "contours of {width} × {height} samples of {channels} channels in {numbers} numbers; allowed: 2 × 2 samples and more, of one channel, a number for each"
)]
pub struct ContourError {
    /// Samples in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Numbers of a sample.
    pub channels: usize,
    /// Numbers in all.
    pub numbers: usize,
}

/// Where a line crosses the grid: the number of a sample, and whether towards the next one in its row or the one below.
type Crossing = (usize, bool);

/// The lines on which a layer of one channel has each of these values, straight between samples. Where a cell's corners lie crosswise, its
/// mean decides. Tiles that share a row of samples have lines that meet there.
///
/// # Errors
/// A layer of more channels, too small for a line, or with more or fewer numbers than samples.
pub fn contours(layer: &Layer, levels: &[f64]) -> Result<Vec<Contour>, ContourError> {
    let [width, height, _] = layer.region.size.map(|n| n as usize);
    let numbers = layer.values.len();
    if layer.channels != 1 || width < 2 || height < 2 || numbers != width * height {
        return Err(ContourError { width, height, channels: layer.channels, numbers });
    }
    Ok(levels.iter().map(|&level| Contour { level, lines: lines(layer, level, width, height) }).collect())
}

fn lines(layer: &Layer, level: f64, width: usize, height: usize) -> Vec<Vec<[f64; 2]>> {
    let value = |i: usize| f64::from(layer.values[i]);
    // From each crossing to the next, with higher ground on the right: no crossing is left twice.
    let mut next: BTreeMap<Crossing, Crossing> = BTreeMap::new();
    for (x, y) in (0..height - 1).flat_map(|y| (0..width - 1).map(move |x| (x, y))) {
        let i = y * width + x;
        let corners = [i, i + 1, i + width + 1, i + width];
        let above = corners.map(|i| value(i) >= level);
        // Top, right, bottom, left: the edges between one corner and the next.
        let edges = [(i, false), (i + 1, true), (i + width, false), (i, true)];
        let enters: Vec<usize> = (0..4).filter(|&k| !above[k] && above[(k + 1) % 4]).collect();
        let leaves: Vec<usize> = (0..4).filter(|&k| above[k] && !above[(k + 1) % 4]).collect();
        match (&enters[..], &leaves[..]) {
            (&[a], &[b]) => {
                next.insert(edges[a], edges[b]);
            }
            (&[a, c], &[b, d]) => {
                // Each entrance belongs to the exit after it where the high corners are apart, else to the one before.
                let joined = corners.map(value).iter().sum::<f64>() / 4.0 >= level;
                let after = |k: usize| if (k + 1) % 4 == b { b } else { d };
                let other = |k: usize| if k == b { d } else { b };
                for k in [a, c] {
                    let exit = if joined { other(after(k)) } else { after(k) };
                    next.insert(edges[k], edges[exit]);
                }
            }
            _ => (),
        }
    }
    let (step, first) = (layer.region.step(), layer.region.position([0; 3]));
    let point = |(i, down): Crossing| {
        let (a, b) = (value(i), value(if down { i + width } else { i + 1 }));
        let t = (level - a) / (b - a);
        let (x, y) = ((i % width) as f64, (i / width) as f64);
        let [x, y] = if down { [x, y + t] } else { [x + t, y] };
        [first[0] + x * step, first[1] + y * step]
    };
    // Lines that begin at an edge first; what is left are rings.
    let ends: std::collections::BTreeSet<Crossing> = next.values().copied().collect();
    let mut starts: Vec<Crossing> = next.keys().filter(|start| !ends.contains(start)).copied().collect();
    starts.reverse();
    let mut lines = Vec::new();
    while let Some(start) = starts.pop().or_else(|| next.keys().next().copied()) {
        let (mut at, mut line) = (start, vec![point(start)]);
        while let Some(then) = next.remove(&at) {
            line.push(point(then));
            at = then;
        }
        lines.push(line);
    }
    lines
}
