//! Simplification of heights by greedy insertion (Garland and Heckbert 1995, *Fast polygonal approximation of terrains and height
//! fields*). Samples are inserted into a Delaunay triangulation, always the one farthest from the current triangles, until none is
//! farther than allowed.
//!
//! Borders come first. Each is simplified as a line by its own samples alone, and gets no vertex later, so two chunks that share
//! a border have the same vertices on it.

use crate::stop::{Stop, Stopped};
use spade::handles::{FaceHandle, FixedFaceHandle, FixedVertexHandle, InnerTag};
use spade::{DelaunayTriangulation, Point2, Triangulation};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Heights of a rectangle of samples, x fastest.
#[derive(Clone, Copy)]
pub struct HeightGrid<'a> {
    pub heights: &'a [f32],
    /// Heights per row.
    pub stride: usize,
    /// Number of samples along x and y, at least two.
    pub size: [usize; 2],
}

/// The samples that are vertices, and triangles of them, anticlockwise with x to the right and y upwards.
#[derive(Debug, Default)]
pub struct Thinned {
    pub vertices: Vec<[usize; 2]>,
    pub triangles: Vec<[u32; 3]>,
    /// Vertices of the border, anticlockwise, beginning with the first sample.
    pub border: Vec<u32>,
}

impl HeightGrid<'_> {
    pub fn height(&self, [x, y]: [usize; 2]) -> f64 {
        f64::from(self.heights[y * self.stride + x])
    }

    /// Triangles whose vertical distance from every sample is at most `error`.
    ///
    /// # Errors
    /// Returns an error if it was stopped.
    pub fn thinned(&self, error: f64, stop: &Stop) -> Result<Thinned, Stopped> {
        if error > 0.0 { Delaunay::new(self, error).thinned(stop) } else { self.whole(stop) }
    }

    /// Makes every sample a vertex. Cells are split along the diagonal with the smaller difference in height.
    fn whole(&self, stop: &Stop) -> Result<Thinned, Stopped> {
        let [width, height] = self.size;
        let index = |[x, y]: [usize; 2]| (y * width + x) as u32;
        let mut triangles = Vec::with_capacity(2 * (width - 1) * (height - 1));
        let mut vertices = Vec::with_capacity(width * height);
        for y in 0..height {
            stop.check()?;
            vertices.extend((0..width).map(|x| [x, y]));
            if y + 1 == height {
                break;
            }
            for x in 0..width - 1 {
                let corners = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
                let [a, b, c, d] = corners.map(index);
                let [ha, hb, hc, hd] = corners.map(|at| self.height(at));
                triangles.extend(if (ha - hc).abs() <= (hb - hd).abs() { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
            }
        }
        Ok(Thinned { vertices, triangles, border: self.border(0.0).into_iter().map(index).collect() })
    }

    /// The samples of the border that are needed for an error, anticlockwise, beginning with the first.
    fn border(&self, error: f64) -> Vec<[usize; 2]> {
        let [right, top] = self.size.map(|n| n - 1);
        let along_x = |y| self.line(error, right, |x| [x, y]);
        let along_y = |x| self.line(error, top, |y| [x, y]);
        let backwards = |mut all: Vec<[usize; 2]>| {
            all.reverse();
            all
        };
        let sides = [along_x(0), along_y(right), backwards(along_x(top)), backwards(along_y(0))];
        // The last sample of each side is the first of the next.
        sides.iter().flat_map(|side| &side[..side.len() - 1]).copied().collect()
    }

    /// The samples 0 to `last` of a line that are needed for an error (Douglas and Peucker 1973, by heights). These are its ends,
    /// then repeatedly the sample farthest from the current line.
    fn line(&self, error: f64, last: usize, at: impl Fn(usize) -> [usize; 2]) -> Vec<[usize; 2]> {
        if error <= 0.0 {
            return (0..=last).map(at).collect();
        }
        let mut found = vec![at(0)];
        let mut left = vec![(0, last)];
        while let Some((from, to)) = left.pop() {
            let (low, high) = (self.height(at(from)), self.height(at(to)));
            let away = |i: usize| (low + (high - low) * ((i - from) as f64 / (to - from) as f64) - self.height(at(i))).abs();
            let mut worst = (error, None);
            for i in from + 1..to {
                let away = away(i);
                if away > worst.0 {
                    worst = (away, Some(i));
                }
            }
            match worst.1 {
                Some(i) => left.extend([(i, to), (from, i)]),
                None => found.push(at(to)),
            }
        }
        found
    }
}

/// The sample farthest from a triangle, which may no longer exist when the entry is processed.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Worst {
    /// The bits of the distance: those of positive numbers sort in order.
    error: u64,
    /// Ties go to the first sample.
    at: Reverse<[usize; 2]>,
    /// The triangle's vertices, in ascending order.
    corners: [FixedVertexHandle; 3],
    triangle: FixedFaceHandle<InnerTag>,
}

type DelaunayMesh = DelaunayTriangulation<Point2<f64>>;

struct Delaunay<'a> {
    grid: &'a HeightGrid<'a>,
    error: f64,
    net: DelaunayMesh,
    vertices: Vec<[usize; 2]>,
    /// Whether each sample is a vertex.
    taken: Vec<bool>,
}

/// A triangle's vertices, in ascending order.
fn corners(triangle: FaceHandle<'_, InnerTag, Point2<f64>, (), (), ()>) -> [FixedVertexHandle; 3] {
    let mut corners = triangle.vertices().map(|vertex| vertex.fix());
    corners.sort_unstable();
    corners
}

impl<'a> Delaunay<'a> {
    fn new(grid: &'a HeightGrid<'a>, error: f64) -> Self {
        let taken = vec![false; grid.size[0] * grid.size[1]];
        Delaunay { grid, error, net: DelaunayMesh::new(), vertices: Vec::new(), taken }
    }

    fn thinned(mut self, stop: &Stop) -> Result<Thinned, Stopped> {
        let border = self.grid.border(self.error);
        let mut last = None;
        for &at in &border {
            last = Some(self.insert(at, last));
        }
        let mut queue: BinaryHeap<Worst> = self.net.inner_faces().filter_map(|triangle| self.worst(triangle)).collect();
        while let Some(Worst { at: Reverse(at), corners: hint, triangle, .. }) = queue.pop() {
            stop.check()?;
            if corners(self.net.face(triangle)) != hint {
                continue;
            }
            let vertex = self.insert(at, Some(hint[0]));
            // It is a corner of all new triangles.
            let around = self.net.vertex(vertex).out_edges().filter_map(|edge| edge.face().as_inner());
            queue.extend(around.filter_map(|triangle| self.worst(triangle)));
        }
        let triangles = self.net.inner_faces().map(|triangle| triangle.vertices().map(|vertex| vertex.index() as u32)).collect();
        // Vertices are numbered in order of insertion, beginning with those of the border.
        Ok(Thinned { vertices: self.vertices, triangles, border: (0..border.len() as u32).collect() })
    }

    fn insert(&mut self, at: [usize; 2], near: Option<FixedVertexHandle>) -> FixedVertexHandle {
        let point = Point2::new(at[0] as f64, at[1] as f64);
        let inserted = match near {
            Some(near) => self.net.insert_with_hint(point, near),
            None => self.net.insert(point),
        };
        self.taken[at[1] * self.grid.size[0] + at[0]] = true;
        self.vertices.push(at);
        inserted.expect("invariant: indices of samples are small whole numbers")
    }

    /// The sample of a triangle that lies farthest from it, if that exceeds the error. Samples on the border are close enough to
    /// its line.
    fn worst(&self, triangle: FaceHandle<'_, InnerTag, Point2<f64>, (), (), ()>) -> Option<Worst> {
        let at = triangle.vertices().map(|vertex| self.vertices[vertex.index()]);
        let [a, b, c] = at.map(|[x, y]| [x as i64, y as i64]);
        let [ha, hb, hc] = at.map(|at| self.grid.height(at));
        let [[bx, by], [cx, cy]] = [b, c].map(|p| [0, 1].map(|axis| (p[axis] - a[axis]) as f64));
        let area = bx * cy - cx * by;
        let slope = [((hb - ha) * cy - (hc - ha) * by) / area, ((hc - ha) * bx - (hb - ha) * cx) / area];
        let [width, height] = self.grid.size;
        let mut worst = (self.error, None);
        let [low, high] = [a[1].min(b[1]).min(c[1]).max(1), a[1].max(b[1]).max(c[1]).min(height as i64 - 2)];
        for y in low..=high {
            // Clips to each edge, anticlockwise.
            let (mut from, mut to) = (1, width as i64 - 2);
            for ([px, py], [qx, qy]) in [(a, b), (b, c), (c, a)] {
                let (run, rise) = ((qx - px) * (y - py), qy - py);
                match rise.signum() {
                    1 => to = to.min(px + run.div_euclid(rise)),
                    -1 => from = from.max(px - run.div_euclid(-rise)),
                    _ => (),
                }
            }
            let start = ha + slope[1] * (y - a[1]) as f64;
            for x in from..=to {
                let at = [x as usize, y as usize];
                let away = (start + slope[0] * (x - a[0]) as f64 - self.grid.height(at)).abs();
                if away > worst.0 && !self.taken[at[1] * width + at[0]] {
                    worst = (away, Some(at));
                }
            }
        }
        let (error, at) = worst;
        let at = Reverse(at?);
        Some(Worst { error: error.to_bits(), at, corners: corners(triangle), triangle: triangle.fix() })
    }
}
