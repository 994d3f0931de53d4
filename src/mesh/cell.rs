//! A cell of eight samples: its corners, edges and faces by number, and which of its edges a sheet of the surface crosses.

/// Corners are numbered by their bits: x is 1, y 2, z 4.
pub type Corner = usize;
/// Edges are numbered by axis, and by the corner of the other two axes they begin at; they end in the one further along their axis.
pub type Edge = usize;

/// The edges that each sheet of the surface crosses, a bit for each; 0 where there are fewer sheets.
pub type Sheets = [u16; 4];

/// The edge along an axis that begins in a corner.
pub const fn edge(axis: usize, corner: Corner) -> Edge {
    4 * axis + (corner >> ((axis + 1) % 3) & 1) + 2 * (corner >> ((axis + 2) % 3) & 1)
}

/// The corners of a face across an axis, one after the other around it, and the edges from each to the next.
const fn face(axis: usize, far: bool) -> ([Corner; 4], [Edge; 4]) {
    let (b, c, base) = ((axis + 1) % 3, (axis + 2) % 3, (far as usize) << axis);
    let corners = [base, base | 1 << b, base | 1 << b | 1 << c, base | 1 << c];
    (corners, [edge(b, base), edge(c, corners[1]), edge(b, corners[3]), edge(c, base)])
}

/// Whether the corners of a face lie crosswise, of a cell with a bit for each solid corner: solid ones opposite each other, and the others.
const fn crosswise(code: usize, axis: usize, far: bool) -> bool {
    let ([a, b, c, d], _) = face(axis, far);
    let (a, b, c, d) = (code >> a & 1, code >> b & 1, code >> c & 1, code >> d & 1);
    a == c && b == d && a != b
}

/// The edges of a face whose corners lie crosswise, in pairs: those that each of its two lines joins. Of a cell with a bit for each solid corner;
/// the face's may be joined.
pub const fn pairs(code: usize, axis: usize, far: bool, joined: bool) -> [[Edge; 2]; 2] {
    let ([first, ..], [a, b, c, d]) = face(axis, far);
    // A corner is cut off by the edges before and after it: the first corner by the last edge and the first.
    if (code >> first & 1 == 1) == joined { [[a, b], [c, d]] } else { [[d, a], [b, c]] }
}

/// Whether the solid corners of a face that lie crosswise are joined: whether the mean of all four is solid. Of how far corners are above the
/// density at which they are.
pub fn joins(above: &[f32; 8], axis: usize, far: bool) -> bool {
    let ([a, b, c, d], _) = face(axis, far);
    (above[a] + above[c]) + (above[b] + above[d]) >= 0.0
}

/// For each way in which corners can be solid, a bit for each face whose corners lie crosswise: faces are numbered by twice their axis, and
/// one more for the far one.
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

/// The sheets of each way in which corners can be solid, if no face's corners lie crosswise.
pub static SHEETS: [Sheets; 256] = {
    let mut all = [[0; 4]; 256];
    let mut code = 0;
    while code < 256 {
        all[code] = sheets(code, 0);
        code += 1;
    }
    all
};

/// The sheets in a cell with a bit for each solid corner, and for each crosswise face whose solid corners are joined: edges that the lines on
/// its faces join have the same sheet.
pub const fn sheets(code: usize, joined: u8) -> Sheets {
    let mut all = Joined { edges: [0; 6], count: 0 };
    let mut number = 0;
    while number < 6 {
        let (axis, far) = (number / 2, number % 2 == 1);
        if crosswise(code, axis, far) {
            let [[a, b], [c, d]] = pairs(code, axis, far, joined >> number & 1 == 1);
            all = all.with(1 << a | 1 << b).with(1 << c | 1 << d);
        } else {
            // At most one line, between the two edges that are crossed.
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

/// Edges that lines join, a bit for each: twelve edges make six such sets at most on the way, and four in the end.
struct Joined {
    edges: [u16; 6],
    count: usize,
}

impl Joined {
    /// With a line between some edges, if there are any.
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
