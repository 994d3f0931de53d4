//! The tree of water that has entered a square.
//!
//! The water of a cell may depend on water that enters the square upstream of it. So the record of a square is a tree. Each cell
//! of the rim is a node, and so is each cell where water of several of them meets. Other water joins on the way between two nodes.

use super::down::Downstream;
use super::grid::Rect;

/// In place of a node: no cell of the rim drains to the cell.
const NONE: u32 = u32::MAX;

/// The tree of a square. The nodes of the rim come first, in its order.
pub(crate) struct Tree {
    /// Of each cell the node that it is, or that its water comes from.
    nodes: Vec<u32>,
    /// Of each cell the number of donors whose water comes from the rim, plus `RIM` for cells of the rim.
    from_rim: Vec<u8>,
    /// Of each node the next one downstream in the square.
    pub into: Vec<Option<u32>>,
}

const RIM: u8 = 16;

impl Tree {
    pub fn new(rect: &Rect, down: &Downstream, directions: &[u8], offsets: [isize; 8]) -> Self {
        let next = |cell: usize| offsets.get(usize::from(directions[cell])).map(|offset| cell.wrapping_add_signed(*offset));
        let (mut nodes, mut from_rim) = (vec![NONE; directions.len()], vec![0_u8; directions.len()]);
        (0..rect.rim()).for_each(|at| from_rim[rect.rim_cell(at) as usize] = RIM);
        // Of each node the last cell before the next one.
        let mut last = vec![0_u32; rect.rim() as usize];
        for &cell in &down.order {
            let at = cell as usize;
            match from_rim[at] {
                0 => continue,
                1 => (),
                _ => {
                    nodes[at] = rect.rim_of(cell).unwrap_or(last.len() as u32);
                    if nodes[at] as usize == last.len() {
                        last.push(cell);
                    }
                }
            }
            last[nodes[at] as usize] = cell;
            if let Some(next) = next(at) {
                from_rim[next] += 1;
                nodes[next] = nodes[at];
            }
        }
        let into = last.iter().map(|cell| next(*cell as usize).map(|next| nodes[next])).collect();
        Tree { nodes, from_rim, into }
    }

    /// The node that a cell is, or that its water comes from.
    pub fn node(&self, cell: usize) -> Option<usize> {
        (self.nodes[cell] != NONE).then_some(self.nodes[cell] as usize)
    }

    /// Whether a cell is a node.
    pub fn is_node(&self, cell: usize) -> bool {
        self.from_rim[cell] > 1
    }
}
