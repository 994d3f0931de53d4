//! Closed and oriented surface nets (Gibson 1998), with a vertex for each sheet of the surface in a cell instead of each cell, as
//! in dual marching cubes (Nielson 2004).
//!
//! An edge of the grid that crosses the surface becomes a polygon, with a vertex in each of the four cells around it. On the face
//! between two cells the surface is one line, or two if the face is ambiguous (its solid corners are diagonal). Then each line
//! gets its own vertex, too, so every edge of a polygon belongs to exactly one other polygon. All that depends only on the
//! samples of a cell, so chunks agree.

use super::cell::{CROSSWISE, Edge, SHEETS, Sheets, edge, joins, pairs, sheets};
use glam::Vec4;

/// Resolution of a vertex's position in its cell: coarse enough that a vertex shared by two chunks is the same number in both.
pub const STEPS: u32 = 4096;

/// Number of cells between checks for cancellation.
const OFTEN: usize = 1 << 16;

/// The role of an edge along each axis in the four cells around it, in order.
const RINGS: [[Edge; 4]; 3] = {
    let mut rings = [[0; 4]; 3];
    let mut axis = 0;
    while axis < 3 {
        let (b, c) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        rings[axis] = [edge(axis, 0), edge(axis, b), edge(axis, b | c), edge(axis, c)];
        axis += 1;
    }
    rings
};

/// A vertex that does not exist yet.
const NONE: u32 = u32::MAX;

/// Densities of a volume, x fastest, and the density from which on it is solid. Densities of minus infinity are air whose surface
/// lies at the adjacent solid samples.
#[derive(Clone, Copy)]
pub struct Volume<'a> {
    densities: &'a [f32],
    size: [usize; 3],
    at: f32,
}

/// A cell that the surface crosses.
#[derive(Clone, Copy, Debug)]
struct Cell {
    at: [u16; 3],
    /// The index of its first sample.
    first: u32,
    /// One bit per solid corner.
    code: u8,
    /// One bit per ambiguous face, and one per ambiguous face whose solid corners are joined.
    crosswise: u8,
    joined: u8,
    sheets: Sheets,
    /// The vertex of each sheet.
    vertices: [u32; 4],
    /// The index of its faces' vertices, if any face is ambiguous.
    faces: u32,
}

impl Cell {
    fn new(volume: &Volume<'_>, at: [usize; 3], first: usize, code: u8, faces: &mut Vec<[[u32; 2]; 3]>) -> Self {
        let crosswise = CROSSWISE[usize::from(code)];
        let cell = Cell {
            at: at.map(|x| x as u16),
            first: first as u32,
            code,
            crosswise,
            joined: 0,
            sheets: SHEETS[usize::from(code)],
            vertices: [NONE; 4],
            faces: faces.len() as u32,
        };
        if crosswise == 0 {
            return cell;
        }
        faces.push([[NONE; 2]; 3]);
        let above = volume.corners(first);
        let joined = (0..6).filter(|face| crosswise >> face & 1 == 1 && joins(&above, face / 2, face % 2 == 1));
        let joined = joined.fold(0, |all, face| all | 1 << face);
        Cell { joined, sheets: sheets(usize::from(code), joined), ..cell }
    }

    /// The edges of an ambiguous face in pairs: those that each of its two lines joins.
    fn cut(&self, axis: usize, far: bool) -> [[Edge; 2]; 2] {
        pairs(usize::from(self.code), axis, far, self.joined >> (2 * axis + usize::from(far)) & 1 == 1)
    }
}

/// Finds the surface of a volume. Keeps its memory for the next surface.
#[derive(Debug, Default)]
pub struct SurfaceNet {
    /// Vertices in steps of a cell, relative to the first sample.
    pub points: Vec<[u32; 3]>,
    /// For each vertex, if requested, the gradient per cell of the densities interpolated between the corners of its cell.
    pub gradients: Vec<[f32; 3]>,
    /// Three vertices each, anticlockwise seen from outside in axes with y and z exchanged.
    pub triangles: Vec<[u32; 3]>,
    with_gradients: bool,
    solid: Vec<u8>,
    codes: Vec<u8>,
    cells: Vec<Cell>,
    /// The number of the crossed cell that begins at a sample. Other entries are left from earlier surfaces.
    numbers: Vec<u32>,
    /// For cells with ambiguous faces, the vertices of the two lines on each upper face.
    faces: Vec<[[u32; 2]; 3]>,
}

impl<'a> Volume<'a> {
    /// Solid where densities are at least `at`: stores the least f32 that is not below it.
    pub fn new(densities: &'a [f32], size: [usize; 3], at: f64) -> Self {
        let nearest = at as f32;
        Volume { densities, size, at: if f64::from(nearest) < at { nearest.next_up() } else { nearest } }
    }

    fn index(&self, at: [usize; 3]) -> usize {
        (at[2] * self.size[1] + at[1]) * self.size[0] + at[0]
    }

    /// Distance between successive samples along each axis, in the array.
    fn strides(&self) -> [usize; 3] {
        [1, self.size[0], self.size[0] * self.size[1]]
    }

    /// The densities of the corners of a cell minus the level. No difference of two distinct f32 is rounded to 0.
    fn corners(&self, first: usize) -> [f32; 8] {
        let [_, row, plane] = self.strides();
        let lower = &self.densities[first..][..row + 2];
        let upper = &self.densities[first + plane..][..row + 2];
        [lower[0], lower[1], lower[row], lower[row + 1], upper[0], upper[1], upper[row], upper[row + 1]].map(|density| density - self.at)
    }
}

/// The gradient at a position in a cell, of the interpolation between its corners.
fn gradient(above: &[f32; 8], place: [u32; 3]) -> [f32; 3] {
    let [x, y, z] = place.map(|steps| steps as f32 / STEPS as f32);
    let mix = |low: f32, high: f32, t: f32| low + (high - low) * t;
    let [a, b, c, d, e, f, g, h] = *above;
    [
        mix(mix(b - a, d - c, y), mix(f - e, h - g, y), z),
        mix(mix(c - a, d - b, x), mix(g - e, h - f, x), z),
        mix(mix(e - a, f - b, x), mix(g - c, h - d, x), y),
    ]
}

/// For each combination of four crossed edges along an axis: 1 for each crossed one.
const CROSSED: [Vec4; 16] = {
    let mut all = [Vec4::ZERO; 16];
    let mut bits = 0;
    while bits < 16 {
        all[bits] = Vec4::new((bits & 1) as f32, (bits >> 1 & 1) as f32, (bits >> 2 & 1) as f32, (bits >> 3 & 1) as f32);
        bits += 1;
    }
    all
};

/// Minimum distance of a crossing from a sample where vertices would coincide, as a share of the edge. The mean of six crossings
/// then still differs by at least two steps.
const NEAREST: f32 = 12.0 / STEPS as f32;

/// The position of the vertex of a sheet that crosses these edges, in steps from the cell's first corner: the mean of the
/// crossings.
///
/// A sample at exactly the level is the crossing of several edges at one point. A vertex that therefore lies on an edge or corner
/// of its cell is moved into the cell. Otherwise the vertices of the adjacent cells would coincide, and triangles between them
/// would have no area.
fn vertex_in(above: &[f32; 8], edges: u16) -> [u32; 3] {
    let exact = middle(above, edges, 0.0);
    if exact.iter().filter(|&&steps| steps == 0 || steps == STEPS).count() < 2 {
        return exact;
    }
    let inside = middle(above, edges, NEAREST);
    let moves = |axis: &usize| (exact[*axis] == 0 || exact[*axis] == STEPS) && inside[*axis] != exact[*axis];
    if (0..3).filter(moves).count() < 2 {
        return exact;
    }
    std::array::from_fn(|axis| if moves(&axis) { inside[axis] } else { exact[axis] })
}

/// The mean of the crossings of some edges, given by one bit each, in steps from the cell's first corner. No crossing is nearer
/// to a sample than `nearest`, a share of the edge, unless the region is cut off there.
fn middle(above: &[f32; 8], edges: u16, nearest: f32) -> [u32; 3] {
    let [a, b, c, d, e, f, g, h] = *above;
    // The ends of the four edges along each axis.
    let ends = [
        (Vec4::new(a, c, e, g), Vec4::new(b, d, f, h)),
        (Vec4::new(a, e, b, f), Vec4::new(c, g, d, h)),
        (Vec4::new(a, b, c, d), Vec4::new(e, f, g, h)),
    ];
    let (mut sum, mut count) = ([0.0; 3], 0.0);
    for (axis, (from, to)) in ends.into_iter().enumerate() {
        let crossed = CROSSED[usize::from(edges >> (4 * axis) & 15)];
        // Measured from the solid end. The other end may be infinite, if the region is cut off there: the crossing is then
        // exactly at the sample.
        let solid = from.cmpge(Vec4::ZERO);
        let difference = (from - to).abs();
        let share = Vec4::select(solid, from, to) / difference;
        let share = Vec4::select(difference.cmplt(Vec4::INFINITY), share.clamp(Vec4::splat(nearest), Vec4::splat(1.0 - nearest)), share);
        let places = Vec4::select(solid, share, Vec4::ONE - share);
        let [p, q, r, s] = Vec4::select(crossed.cmpgt(Vec4::ZERO), places, Vec4::ZERO).to_array();
        sum[axis] += (p + q) + (r + s);
        let [p, q, r, s] = crossed.to_array();
        sum[(axis + 1) % 3] += q + s;
        sum[(axis + 2) % 3] += r + s;
        count += (p + q) + (r + s);
    }
    let scale = STEPS as f32 / count;
    sum.map(|x| (x * scale + 0.5) as u32)
}

impl SurfaceNet {
    /// Finds the whole surface. A polygon belongs to an edge with four cells around it. Edges along the last layer of cells are
    /// excluded, so chunks that share two layers of samples contain each polygon once. Vertices are created with their first
    /// polygon.
    ///
    /// # Errors
    /// Returns the error of `go_on`, which is called periodically.
    pub fn find<E>(&mut self, volume: &Volume<'_>, with_gradients: bool, go_on: &dyn Fn() -> Result<(), E>) -> Result<(), E> {
        self.points.clear();
        self.gradients.clear();
        self.with_gradients = with_gradients;
        self.triangles.clear();
        self.find_cells(volume, go_on)?;
        for number in 0..self.cells.len() {
            if number.is_multiple_of(OFTEN) {
                go_on()?;
            }
            self.polygons(volume, number);
        }
        Ok(())
    }

    /// Finds all cells that the surface crosses.
    fn find_cells<E>(&mut self, volume: &Volume<'_>, go_on: &dyn Fn() -> Result<(), E>) -> Result<(), E> {
        self.solid.clear();
        self.solid.extend(volume.densities.iter().map(|&density| u8::from(density >= volume.at)));
        self.cells.clear();
        self.faces.clear();
        self.numbers.resize(volume.densities.len(), 0);
        let [width, height, depth] = volume.size;
        self.codes.clear();
        self.codes.resize((width - 1).next_multiple_of(8), 0);
        for z in 0..depth - 1 {
            go_on()?;
            for y in 0..height - 1 {
                let first = volume.index([0, y, z]);
                self.find_codes(first, volume);
                for (i, eight) in self.codes.as_chunks::<8>().0.iter().enumerate() {
                    // One bit for each of eight cells whose corners are neither all air nor all solid; usually all are 0.
                    let mut crossed = u64::from_le_bytes(eight.map(|code| u8::from(code.wrapping_add(1) > 1)));
                    while crossed != 0 {
                        let k = crossed.trailing_zeros() as usize / 8;
                        crossed &= crossed - 1;
                        let x = 8 * i + k;
                        self.numbers[first + x] = self.cells.len() as u32;
                        self.cells.push(Cell::new(volume, [x, y, z], first + x, eight[k], &mut self.faces));
                    }
                }
            }
        }
        Ok(())
    }

    /// For each cell of a row, one bit per solid corner; 0 for padding up to a multiple of eight.
    fn find_codes(&mut self, first: usize, volume: &Volume<'_>) {
        let (width, [_, row, plane]) = (volume.size[0], volume.strides());
        let rows = [0, row, plane, plane + row].map(|by| &self.solid[first + by..][..width]);
        let count = width - 1;
        let codes = &mut self.codes[..count];
        let [a, b, c, d] = rows.map(|row| &row[..count]);
        let [e, f, g, h] = rows.map(|row| &row[1..]);
        for x in 0..count {
            codes[x] = a[x] | e[x] << 1 | b[x] << 2 | f[x] << 3 | c[x] << 4 | g[x] << 5 | d[x] << 6 | h[x] << 7;
        }
    }

    /// The polygons of the three edges that begin in a cell's first corner.
    fn polygons(&mut self, volume: &Volume<'_>, number: usize) {
        let Cell { at, code, first, .. } = self.cells[number];
        let strides = volume.strides();
        let solid = code & 1 == 1;
        // One bit per axis along which the next corner differs from the first.
        let others = if solid { !code } else { code };
        let mut axes = others >> 1 & 3 | others >> 2 & 4;
        while axes != 0 {
            let axis = axes.trailing_zeros() as usize;
            axes &= axes - 1;
            let (b, c, edges) = ((axis + 1) % 3, (axis + 2) % 3, &RINGS[axis]);
            if at[b] == 0 || at[c] == 0 || usize::from(at[axis]) + 2 == volume.size[axis] {
                continue;
            }
            let [back, far] = [first as usize - strides[b], first as usize - strides[c]];
            let ring = [first as usize, back, back - strides[c], far].map(|first| self.numbers[first]);
            // Not `from_fn`, which is not always inlined: that would take a tenth of the total time.
            let vertices = [
                self.vertex(volume, ring[0], edges[0]),
                self.vertex(volume, ring[1], edges[1]),
                self.vertex(volume, ring[2], edges[2]),
                self.vertex(volume, ring[3], edges[3]),
            ];
            if ring.iter().all(|&number| self.cells[number as usize].crosswise == 0) {
                let [p, q, r, s] = vertices;
                self.triangles.extend(if solid { [[p, r, q], [p, s, r]] } else { [[p, q, r], [p, r, s]] });
                continue;
            }
            self.crosswise_polygon(volume, axis, (ring, vertices), solid);
        }
    }

    /// The polygon of an edge along an axis, with the vertices of the cells around it, and one on each ambiguous face around it.
    #[inline(never)]
    fn crosswise_polygon(&mut self, volume: &Volume<'_>, axis: usize, (ring, vertices): ([u32; 4], [u32; 4]), solid: bool) {
        let (b, c, edges) = ((axis + 1) % 3, (axis + 2) % 3, &RINGS[axis]);
        let (mut polygon, mut count, mut start) = ([0; 8], 0, 0);
        for i in 0..4 {
            polygon[count] = vertices[i];
            count += 1;
            // The face towards the next cell: the lower face of the first two cells, the upper face of the others.
            let (across, far) = ([b, c, b, c][i], i >= 2);
            if self.cells[ring[i] as usize].crosswise >> (2 * across + usize::from(far)) & 1 == 1 {
                start = count;
                polygon[count] = self.line(volume, ring[i], (across, far), edges[i]);
                count += 1;
            }
        }
        // Triangulated from the vertex of a face, if there is one, so that no other polygon has the same diagonals.
        let polygon = &mut polygon[..count];
        polygon.rotate_left(start);
        let pairs = polygon[1..].windows(2);
        self.triangles.extend(pairs.map(|pair| if solid { [polygon[0], pair[1], pair[0]] } else { [polygon[0], pair[0], pair[1]] }));
    }

    /// The vertex of the sheet that crosses an edge of a cell.
    #[inline]
    fn vertex(&mut self, volume: &Volume<'_>, number: u32, edge: Edge) -> u32 {
        let cell = &self.cells[number as usize];
        let sheet = if cell.sheets[0] >> edge & 1 == 1 { 0 } else { (1..3).find(|&k| cell.sheets[k] >> edge & 1 == 1).unwrap_or(3) };
        if cell.vertices[sheet] != NONE {
            return cell.vertices[sheet];
        }
        let (at, first, edges) = (cell.at, cell.first as usize, cell.sheets[sheet]);
        let vertex = self.point(volume, at, first, edges);
        self.cells[number as usize].vertices[sheet] = vertex;
        vertex
    }

    /// The vertex of the line that crosses an edge on an ambiguous face of a cell.
    fn line(&mut self, volume: &Volume<'_>, number: u32, (across, far): (usize, bool), edge: Edge) -> u32 {
        let cell = &self.cells[number as usize];
        let k = usize::from(cell.cut(across, far)[1].contains(&edge));
        // Always computed from the cell below the face, so that chunks agree.
        let below = if far { number } else { self.numbers[cell.first as usize - volume.strides()[across]] };
        let Cell { at, first, faces, .. } = self.cells[below as usize];
        let made = self.faces[faces as usize][across][k];
        if made != NONE {
            return made;
        }
        let [one, other] = self.cells[below as usize].cut(across, true)[k];
        let vertex = self.point(volume, at, first as usize, 1 << one | 1 << other);
        self.faces[faces as usize][across][k] = vertex;
        vertex
    }

    /// A new vertex at the mean of the crossings of some edges of a cell, given by one bit each.
    fn point(&mut self, volume: &Volume<'_>, at: [u16; 3], first: usize, edges: u16) -> u32 {
        let above = volume.corners(first);
        let place = vertex_in(&above, edges);
        self.points.push([0, 1, 2].map(|a| u32::from(at[a]) * STEPS + place[a]));
        if self.with_gradients {
            self.gradients.push(gradient(&above, place));
        }
        self.points.len() as u32 - 1
    }
}
