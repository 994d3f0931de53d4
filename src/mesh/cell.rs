//! A cell of eight samples: its corners, edges and faces by number, and the edges crossed by each sheet of the surface.

/// Corners are numbered by their bits: x is 1, y 2, z 4.
pub type Corner = usize;
/// Edges are numbered by axis, and by their first corner in the other two axes; they end in the corner further along their axis.
pub type Edge = usize;

/// The edges that each sheet of the surface crosses, one bit each; 0 for missing sheets.
pub type Sheets = [u16; 4];

/// The edge along an axis that begins in a corner.
pub const fn edge(axis: usize, corner: Corner) -> Edge {
    4 * axis + (corner >> ((axis + 1) % 3) & 1) + 2 * (corner >> ((axis + 2) % 3) & 1)
}

/// The corners of a face across an axis, in order around it, and the edges between successive ones.
const fn face(axis: usize, far: bool) -> ([Corner; 4], [Edge; 4]) {
    let (b, c, base) = ((axis + 1) % 3, (axis + 2) % 3, (far as usize) << axis);
    let corners = [base, base | 1 << b, base | 1 << b | 1 << c, base | 1 << c];
    (corners, [edge(b, base), edge(c, corners[1]), edge(b, corners[3]), edge(c, base)])
}

/// Whether a face is ambiguous: its solid corners are diagonal, and so are the others. A cell has one bit per solid corner.
const fn crosswise(code: usize, axis: usize, far: bool) -> bool {
    let ([a, b, c, d], _) = face(axis, far);
    let (a, b, c, d) = (code >> a & 1, code >> b & 1, code >> c & 1, code >> d & 1);
    a == c && b == d && a != b
}

/// The edges of an ambiguous face in pairs: those that each of its two lines joins. A cell has one bit per solid corner; the
/// face's solid corners may be joined.
pub const fn pairs(code: usize, axis: usize, far: bool, joined: bool) -> [[Edge; 2]; 2] {
    let ([first, ..], [a, b, c, d]) = face(axis, far);
    // The edges before and after a corner cut it off: the last edge and the first one cut off the first corner.
    if (code >> first & 1 == 1) == joined { [[a, b], [c, d]] } else { [[d, a], [b, c]] }
}

/// Whether the solid corners of an ambiguous face are joined, which is the case if the mean of all four is solid. The values are
/// those of the corners minus the level.
pub fn joins(above: &[f32; 8], axis: usize, far: bool) -> bool {
    let ([a, b, c, d], _) = face(axis, far);
    (above[a] + above[c]) + (above[b] + above[d]) >= 0.0
}

/// For each combination of solid corners, a bit per ambiguous face. Faces are numbered by twice their axis, plus one for the far
/// one.
pub static CROSSWISE: [u8; 256] = {
    let mut all = [0; 256];
    let mut code = 0;
    while code < 256 {
        let mut face = 0;
        while face < 6 {
            all[code] |= (crosswise(code, face / 2, face % 2 == 1) as u8) << face;
            face += 1;
        }
        code += 1;
    }
    all
};

/// The sheets for each combination of solid corners without ambiguous faces.
pub static SHEETS: [Sheets; 256] = {
    let mut all = [[0; 4]; 256];
    let mut code = 0;
    while code < 256 {
        all[code] = sheets(code, 0);
        code += 1;
    }
    all
};

/// The sheets in a cell, given a bit per solid corner and per ambiguous face whose solid corners are joined. Edges joined by
/// lines on the faces belong to the same sheet.
pub const fn sheets(code: usize, joined: u8) -> Sheets {
    let mut all = Joined { edges: [0; 6], count: 0 };
    let mut number = 0;
    while number < 6 {
        let (axis, far) = (number / 2, number % 2 == 1);
        if crosswise(code, axis, far) {
            let [[a, b], [c, d]] = pairs(code, axis, far, joined >> number & 1 == 1);
            all = all.with(1 << a | 1 << b).with(1 << c | 1 << d);
        } else {
            // At most one line, between the two crossed edges.
            let (corners, edges) = face(axis, far);
            let (mut line, mut i) = (0, 0);
            while i < 4 {
                line |= ((code >> corners[i] ^ code >> corners[(i + 1) % 4]) as u16 & 1) << edges[i];
                i += 1;
            }
            all = all.with(line);
        }
        number += 1;
    }
    let [a, b, c, d, ..] = all.edges;
    [a, b, c, d]
}

/// Sets of edges that are joined by lines, one bit per edge: the twelve edges form at most six sets during the construction, and
/// four in the end.
struct Joined {
    edges: [u16; 6],
    count: usize,
}

impl Joined {
    /// Adds a line between some edges, if there are any.
    const fn with(mut self, line: u16) -> Self {
        if line == 0 {
            return self;
        }
        let (mut set, mut kept, mut i) = (line, 0, 0);
        while i < self.count {
            let other = self.edges[i];
            self.edges[i] = 0;
            if other & line == 0 {
                self.edges[kept] = other;
                kept += 1;
            } else {
                set |= other;
            }
            i += 1;
        }
        self.edges[kept] = set;
        self.count = kept + 1;
        self
    }
}
