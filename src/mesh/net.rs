//! Surface nets (Gibson 1998) that are closed and oriented: a vertex for each sheet of the surface in a cell, not for each cell, as dual
//! marching cubes have it (Nielson 2004).
//!
//! An edge of the grid that crosses the surface becomes a polygon, with a vertex in each of the four cells around it. On the face between
//! two cells the surface is one line, or two, where the corners lie crosswise; then each line gets a vertex of its own, too. So every edge of
//! a polygon belongs to one other polygon and no more. All that depends on the samples of a cell alone, so chunks agree.

use std::collections::HashMap;

/// Corners of a cell are numbered by their bits: x is 1, y 2, z 4. Edges by axis and the corner of the other two axes they begin at.
type Corner = usize;
type Edge = usize;

/// Cells after which is asked whether to go on.
const OFTEN: usize = 1 << 16;

/// A point in units of cells, from the first sample.
pub type Point = [f64; 3];

/// Vertices, and triangles that are anticlockwise seen from where distances are positive, in axes of which the third is the first's
/// and second's cross product.
#[derive(Debug, Default)]
pub struct Net {
    pub points: Vec<Point>,
    pub triangles: Vec<[u32; 3]>,
}

/// Signed distances of a volume, below 0 inside.
#[derive(Clone, Copy)]
pub struct Volume<'a> {
    pub distances: &'a [f32],
    pub size: [usize; 3],
}

/// The corner in which an edge begins; it ends in the one further along its axis.
fn begin(edge: Edge) -> Corner {
    let (axis, side) = (edge / 4, edge % 4);
    (side & 1) << ((axis + 1) % 3) | (side >> 1) << ((axis + 2) % 3)
}

/// The edge along an axis that begins in a corner.
fn edge(axis: usize, corner: Corner) -> Edge {
    4 * axis + (corner >> ((axis + 1) % 3) & 1) + 2 * (corner >> ((axis + 2) % 3) & 1)
}

/// The corners of a face across an axis, one after the other around it, and the edges from each to the next.
fn face(axis: usize, far: bool) -> ([Corner; 4], [Edge; 4]) {
    let (b, c, base) = ((axis + 1) % 3, (axis + 2) % 3, usize::from(far) << axis);
    let corners = [base, base | 1 << b, base | 1 << b | 1 << c, base | 1 << c];
    (corners, [edge(b, base), edge(c, corners[1]), edge(b, corners[3]), edge(c, base)])
}

/// A cell that the surface passes through.
struct Cell {
    at: [usize; 3],
    /// The vertex of the sheet that crosses each edge.
    vertices: [u32; 12],
}

impl Volume<'_> {
    fn index(&self, at: [usize; 3]) -> usize {
        (at[2] * self.size[1] + at[1]) * self.size[0] + at[0]
    }

    fn distance(&self, at: [usize; 3]) -> f64 {
        f64::from(self.distances[self.index(at)])
    }

    fn corner(at: [usize; 3], corner: Corner) -> [usize; 3] {
        [0, 1, 2].map(|a| at[a] + (corner >> a & 1))
    }

    /// Where an edge of a cell crosses the surface, if it does.
    fn crossing(&self, at: [usize; 3], edge: Edge) -> Option<Point> {
        let (axis, from) = (edge / 4, Self::corner(at, begin(edge)));
        let mut to = from;
        to[axis] += 1;
        let [a, b] = [from, to].map(|at| self.distance(at));
        let mut point = from.map(|x| x as f64);
        point[axis] += a / (a - b);
        ((a < 0.0) != (b < 0.0)).then_some(point)
    }

    /// The lines in which the surface crosses a face of a cell, by the edges that each joins; two where corners lie crosswise: their mean
    /// says whether what is inside is joined.
    fn lines(&self, at: [usize; 3], axis: usize, far: bool) -> [Option<[Edge; 2]>; 2] {
        let (corners, edges) = face(axis, far);
        let distances = corners.map(|corner| self.distance(Self::corner(at, corner)));
        let inside = distances.map(|distance| distance < 0.0);
        let mut crossed = (0..4).filter(|&i| inside[i] != inside[(i + 1) % 4]).map(|i| edges[i]);
        let (Some(a), Some(b)) = (crossed.next(), crossed.next()) else { return [None; 2] };
        let (Some(c), Some(d)) = (crossed.next(), crossed.next()) else { return [Some([a, b]), None] };
        let joined = (distances[0] + distances[2]) + (distances[1] + distances[3]) < 0.0;
        // A corner is cut off by the edges before and after it: the first corner by the last edge and the first.
        if inside[0] == joined { [Some([a, b]), Some([c, d])] } else { [Some([d, a]), Some([b, c])] }
    }

    /// A vertex for each sheet of the surface in a cell, and which edges it crosses; none where there is none.
    fn cell(&self, at: [usize; 3], points: &mut Vec<Point>) -> Option<Cell> {
        let inside = |corner| self.distance(Self::corner(at, corner)) < 0.0;
        if (1..8).all(|corner| inside(corner) == inside(0)) {
            return None;
        }
        // Edges that lines join have the same sheet.
        let mut sheet: [Edge; 12] = std::array::from_fn(|edge| edge);
        for [a, b] in (0..6).flat_map(|face| self.lines(at, face / 2, face % 2 == 1)).flatten() {
            let (from, to) = (sheet[a].max(sheet[b]), sheet[a].min(sheet[b]));
            sheet.iter_mut().filter(|sheet| **sheet == from).for_each(|sheet| *sheet = to);
        }
        let crossings: [Option<Point>; 12] = std::array::from_fn(|edge| self.crossing(at, edge));
        let mut vertices = [u32::MAX; 12];
        for first in 0..12 {
            let own = || (first..12).filter(|&edge| sheet[edge] == first && crossings[edge].is_some());
            if own().next().is_some() {
                own().for_each(|edge| vertices[edge] = points.len() as u32);
                points.push(mean(own().filter_map(|edge| crossings[edge])));
            }
        }
        Some(Cell { at, vertices })
    }

    /// The whole surface. Polygons are those of edges that have four cells around them and do not lie along the last layer of cells, so that
    /// chunks which share two layers of samples have each once.
    ///
    /// # Errors
    /// What `go_on` returns, which is asked now and then.
    pub fn net<E>(&self, go_on: &dyn Fn() -> Result<(), E>) -> Result<Net, E> {
        let mut net = Net::default();
        let cells_along = self.size.map(|size| size - 1);
        let (mut cells, mut numbers) = (Vec::new(), vec![u32::MAX; self.distances.len()]);
        for z in 0..cells_along[2] {
            go_on()?;
            for at in (0..cells_along[1]).flat_map(|y| (0..cells_along[0]).map(move |x| [x, y, z])) {
                if let Some(cell) = self.cell(at, &mut net.points) {
                    numbers[self.index(at)] = cells.len() as u32;
                    cells.push(cell);
                }
            }
        }
        let mut crosswise = HashMap::new();
        for (i, cell) in cells.iter().enumerate() {
            if i.is_multiple_of(OFTEN) {
                go_on()?;
            }
            for axis in 0..3 {
                let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
                if cell.at[b] == 0
                    || cell.at[c] == 0
                    || cell.at[axis] + 1 == cells_along[axis]
                    || self.crossing(cell.at, 4 * axis).is_none()
                {
                    continue;
                }
                let around = |[back_b, back_c]: [usize; 2]| {
                    let mut at = cell.at;
                    (at[b], at[c]) = (at[b] - back_b, at[c] - back_c);
                    let number = numbers[self.index(at)] as usize;
                    (&cells[number], edge(axis, back_b << b | back_c << c))
                };
                // Around the edge, and the axis across which each cell's face towards the next lies.
                let ring = [([0, 0], b), ([1, 0], c), ([1, 1], b), ([0, 1], c)];
                let mut polygon = Vec::with_capacity(8);
                let mut first = 0;
                for (i, (back, across)) in ring.into_iter().enumerate() {
                    let (from, edge) = around(back);
                    polygon.push(from.vertices[edge]);
                    // The first two cells are left through their lower faces, the other two through their upper ones.
                    let far = i >= 2;
                    if let [Some(one), Some(other)] = self.lines(from.at, across, far) {
                        let k = usize::from(other.contains(&edge));
                        let mut low = from.at;
                        low[across] += usize::from(far);
                        // Both cells count the lines alike.
                        let vertices = crosswise.entry((self.index(low), across)).or_insert_with(|| {
                            [one, other].map(|line| {
                                net.points.push(mean(line.into_iter().filter_map(|edge| self.crossing(from.at, edge))));
                                net.points.len() as u32 - 1
                            })
                        });
                        first = polygon.len();
                        polygon.push(vertices[k]);
                    }
                }
                if self.distance(cell.at) < 0.0 {
                    polygon.rotate_left(first);
                } else {
                    polygon.reverse();
                    let last = polygon.len() - 1;
                    polygon.rotate_left(last - first);
                }
                // From a vertex of a face, if there is one: no other polygon then has the same diagonals.
                net.triangles.extend(polygon[1..].windows(2).map(|pair| [polygon[0], pair[0], pair[1]]));
            }
        }
        Ok(net)
    }
}

fn mean(points: impl Iterator<Item = Point>) -> Point {
    let (sum, count) = points.fold(([0.0; 3], 0.0), |(sum, count), point| (std::array::from_fn(|a| sum[a] + point[a]), count + 1.0));
    sum.map(|x: f64| x / count)
}
