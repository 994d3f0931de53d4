//! Contour lines of a layer, by marching squares (after Lorensen and Cline's cubes, 1987).

use crate::field::Layer;

/// All lines at one height.
#[derive(Clone, Debug, PartialEq)]
pub struct Contour {
    /// The height.
    pub level: f64,
    /// Lines in world units. A closed line ends at its first point; any other line begins and ends at the edges of the layer.
    /// Higher ground is on the left if y points down, as in pictures. Successive points differ.
    pub lines: Vec<Vec<[f64; 2]>>,
}

/// The reason why a layer has no contours.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContourError {
    /// The layer is not a plane of numbers.
    #[error(
        "contours of {width} × {height} samples of {channels} channels in {numbers} numbers; allowed: 2 × 2 samples or more, of one channel, with a number for each"
    )]
    Shape {
        /// Samples per row.
        width: usize,
        /// Number of rows.
        height: usize,
        /// Channels per sample.
        channels: usize,
        /// Number of values.
        numbers: usize,
    },
    /// A value is not finite.
    #[error("contours: a value of {value} at sample {x}, {y} is not allowed; allowed: finite numbers")]
    Value {
        /// The value.
        value: f32,
        /// Column of the sample.
        x: usize,
        /// Row of the sample.
        y: usize,
    },
}

/// Returns the contour lines of a layer of one channel at each of these levels, straight between samples.
///
/// A line separates the samples above its level from all others. A sample at exactly the level counts as below, like ground at sea
/// level. So the coast of `max(h, 0)` at 0 runs along the outermost samples of the sea, and a summit at exactly the level has no
/// line. Along ground at exactly the level that is one sample wide, the line runs in both directions. Closed lines without an area
/// are omitted.
///
/// If two diagonal corners of a cell are above the level, they are joined if the mean of the four corners is above it, too. The
/// lines of tiles that share a row of samples meet there.
///
/// # Errors
/// Returns an error if the layer has more than one channel or is too small for a line. It also fails if the number of values
/// differs from the samples, or a value is not finite.
pub fn contours(layer: &Layer, levels: &[f64]) -> Result<Vec<Contour>, ContourError> {
    let [width, height, _] = layer.region.size.map(|n| n as usize);
    let numbers = layer.values.len();
    if layer.channels != 1 || width < 2 || height < 2 || numbers != width * height {
        return Err(ContourError::Shape { width, height, channels: layer.channels, numbers });
    }
    if let Some(i) = layer.values.iter().position(|value| !value.is_finite()) {
        return Err(ContourError::Value { value: layer.values[i], x: i % width, y: i / width });
    }
    let mut tracer = Tracer { layer, width, above: vec![0; numbers], segments: Vec::new() };
    Ok(levels.iter().map(|&level| Contour { level, lines: tracer.lines(level) }).collect())
}

/// Number of a crossing of a line and the grid. It is twice the number of a sample for the edge to the next sample in its row,
/// plus one for the edge to the sample below.
type Crossing = usize;

/// Finds the lines of one level after another.
struct Tracer<'a> {
    layer: &'a Layer,
    width: usize,
    /// For each sample, whether it is above the level.
    above: Vec<u8>,
    /// Maps a crossing to the next, with higher ground on the left if y points down. Every crossing has at most one successor.
    segments: Vec<(Crossing, Crossing)>,
}

impl Tracer<'_> {
    fn lines(&mut self, level: f64) -> Vec<Vec<[f64; 2]>> {
        self.find_segments(level);
        self.segments.sort_unstable();
        let segments = &self.segments;
        // Start at crossings without a predecessor, which lie at the edges; the remaining lines are closed.
        let then: Vec<Option<usize>> = segments.iter().map(|(_, to)| segments.binary_search_by_key(to, |(from, _)| *from).ok()).collect();
        let mut entered = vec![false; segments.len()];
        then.iter().flatten().for_each(|&next| entered[next] = true);
        let mut done = vec![false; segments.len()];
        let (open, rings) = (0..segments.len()).partition::<Vec<usize>, _>(|&i| !entered[i]);
        let mut lines = Vec::new();
        for start in open.into_iter().chain(rings) {
            if done[start] {
                continue;
            }
            let mut line = vec![self.point(level, segments[start].0)];
            let mut at = Some(start);
            let mut merged = false;
            while let Some(i) = at.filter(|&i| !std::mem::replace(&mut done[i], true)) {
                let point = self.point(level, segments[i].1);
                // Crossings coincide at a sample of exactly the level, and far out, where positions are rounded.
                if line.last() == Some(&point) {
                    merged = true;
                } else {
                    line.push(point);
                }
                at = then[i];
            }
            if !(merged && encloses_nothing(&line)) {
                lines.push(line);
            }
        }
        lines
    }

    fn value(&self, i: usize) -> f64 {
        f64::from(self.layer.values[i])
    }

    fn point(&self, level: f64, crossing: Crossing) -> [f64; 2] {
        let (i, down) = (crossing / 2, crossing % 2 == 1);
        let (a, b) = (self.value(i), self.value(if down { i + self.width } else { i + 1 }));
        let t = (level - a) / (b - a);
        let (x, y) = ((i % self.width) as f64, (i / self.width) as f64);
        let [x, y] = if down { [x, y + t] } else { [x + t, y] };
        let (step, first) = (self.layer.region.step(), self.layer.region.position([0; 3]));
        [first[0] + x * step, first[1] + y * step]
    }

    /// All segments of a level, cell by cell.
    fn find_segments(&mut self, level: f64) {
        // The largest f32 that is not above the level, so that f32 are compared, sixteen at a time.
        let nearest = level as f32;
        let threshold = if f64::from(nearest) > level { nearest.next_down() } else { nearest };
        for (above, &value) in self.above.iter_mut().zip(&self.layer.values) {
            *above = u8::from(value > threshold);
        }
        self.segments.clear();
        // One bit per corner: the first, the next in its row, and those below these in the order around the cell.
        let mut codes = vec![0; self.width - 1];
        for first in (0..self.above.len() - self.width).step_by(self.width) {
            let (upper, lower) = self.above[first..first + 2 * self.width].split_at(self.width);
            for (x, code) in codes.iter_mut().enumerate() {
                *code = upper[x] | upper[x + 1] << 1 | lower[x + 1] << 2 | lower[x] << 3;
            }
            // Most cells contain no line; eight are skipped at a time.
            for (chunk, eight) in codes.chunks(8).enumerate() {
                if eight.iter().all(|&code| code == 0) || eight.iter().all(|&code| code == 15) {
                    continue;
                }
                for (x, &code) in eight.iter().enumerate().filter(|(_, code)| !matches!(code, 0 | 15)) {
                    self.cross(level, first + chunk * 8 + x, code);
                }
            }
        }
    }

    /// The segments of the cell whose first corner is this sample.
    fn cross(&mut self, level: f64, i: usize, code: u8) {
        let width = self.width;
        // Top, right, bottom, left: the edges between successive corners.
        let edges: [Crossing; 4] = [2 * i, 2 * (i + 1) + 1, 2 * (i + width), 2 * i + 1];
        let above = |corner: usize| code >> (corner % 4) & 1 == 1;
        let enters = |k: usize| !above(k) && above(k + 1);
        let leaves = |k: usize| above(k % 4) && !above(k + 1);
        let saddle = matches!(code, 0b0101 | 0b1010);
        // In a saddle, each entry leads to the next exit if the high corners are separated, otherwise to the previous one.
        let joined = saddle && [i, i + 1, i + width + 1, i + width].map(|i| self.value(i)).iter().sum::<f64>() / 4.0 > level;
        for k in (0..4).filter(|&k| enters(k)) {
            let exit = if joined { (1..4).rev().find(|by| leaves(k + by)) } else { (1..4).find(|by| leaves(k + by)) };
            let exit = exit.expect("invariant: a line that enters a cell leaves it");
            self.segments.push((edges[k], edges[(k + exit) % 4]));
        }
    }
}

/// Whether a line is a single point, or returns along its own path.
fn encloses_nothing(line: &[[f64; 2]]) -> bool {
    let mut left: Vec<[f64; 2]> = Vec::new();
    for &point in line {
        if left.len() >= 2 && left[left.len() - 2] == point {
            left.pop();
        } else {
            left.push(point);
        }
    }
    left.len() == 1
}
