//! The numbers of a program's tables that are compiled into a specialised kernel.

use crate::frame::Frame;
use crate::program::{Op, Program, Span};

/// Numbers that rarely change: they shape a specialised kernel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Specialisation {
    /// The table of spans. It is empty for a program with Worley noise or stamps: lavapipe 22.3 crashes on their loops if they depend
    /// on tables at constant indices.
    pub spans: Vec<[u32; 2]>,
    /// For every span of frames, whether all have lattice axes parallel to the world's.
    pub aligned: Vec<bool>,
}

impl Specialisation {
    /// The specialisation of a program.
    pub fn of(program: &Program) -> Self {
        let frames = &program.tables.frames;
        let mut aligned = vec![false; program.tables.spans.len()];
        let ops = || program.structure.scopes.iter().flat_map(|scope| &scope.ops);
        for Span(s) in ops().filter_map(Op::frames) {
            let first = program.tables.spans[s as usize][0] as usize;
            let own = &frames[first..program.end(first)];
            aligned[s as usize] = own.iter().all(is_aligned);
        }
        let loops = ops().any(|op| match op {
            Op::Lattice(basis, _) => basis.facts(false).loops,
            Op::Stamps { .. } => true,
            _ => false,
        });
        Specialisation { spans: if loops { Vec::new() } else { program.tables.spans.clone() }, aligned }
    }
}

fn is_aligned(frame: &Frame) -> bool {
    let columns = frame.linear.to_cols_array_2d();
    (0..3).all(|column| (0..3).all(|row| column == row || columns[column][row] == 0.0))
}
