//! Lattice coordinates of a row's samples.

use super::Printer;
use crate::program::Span;

impl Printer<'_> {
    /// The lines for `at{own}`, the sample's coordinate in the operation's frame.
    pub(super) fn cell(&self) -> String {
        self.cell_in("at", &format!("frame{}", self.i))
    }

    /// The lines for `name` with the suffix of the sample: its coordinate in a frame.
    pub(super) fn cell_in(&self, name: &str, frame: &str) -> String {
        let own = self.own();
        let (lines, cell) = match (self.scope.quantised, self.structure.anchored(), self.structure.periodic) {
            (true, _, _) => (String::new(), format!("table_cell_wide(site, {frame})")),
            (false, true, _) => (String::new(), format!("table_cell_anchored({frame})")),
            (false, false, true) => self.repeating(name, frame),
            (false, false, false) => self.stepped(name, frame),
        };
        match self.scope.displaced {
            true => {
                format!("{lines}    let {name}{own} = frame_displace(frames[{frame}], {cell}, {});\n", self.displacement())
            }
            false => format!("{lines}    let {name}{own} = {cell};\n"),
        }
    }

    /// Whether the kernel is specialised to frames whose lattice axes are the world's.
    pub(super) fn aligned(&self, Span(s): Span) -> bool {
        self.specialisation.is_some_and(|specialisation| specialisation.aligned[s as usize])
    }

    /// In kernels with periods, every other sample continues from the previous one, too, or begins a period.
    fn repeating(&self, name: &str, frame: &str) -> (String, String) {
        let own = self.own();
        let lines = match self.before() {
            None if self.row == 1 || self.close => format!("    let {name}_fixed{own} = table_fixed_periodic(site, 0u, {frame});\n"),
            None => format!(
                "    let {name}_fixed{own} = table_fixed_periodic(site, 0u, {frame});
    let {name}_begin{own} = table_fixed_begin(site, {frame});
    let {name}_place{own} = table_place(site, {frame});
"
            ),
            Some(before) => {
                let first = Printer { sample: 0, ..*self }.own();
                format!(
                    "    let {name}_place{own} = frame_next_place(frames[{frame}], {name}_place{before});
    let {name}_fixed{own} = frame_continue({name}_fixed{before}, frames[{frame}], {name}_begin{first}, {name}_place{own});
"
                )
            }
        };
        (lines, format!("frame_cell({name}_fixed{own})"))
    }

    /// The coordinate of a row's first sample is computed from the origin, and every other by a step from the previous one.
    fn stepped(&self, name: &str, frame: &str) -> (String, String) {
        let aligned = self.op.frames().is_some_and(|frames| self.aligned(frames));
        let own = self.own();
        let fixed = match (self.before(), aligned) {
            (None, false) => format!("table_fixed(site, {frame})"),
            (None, true) => format!("table_fixed_x(site, {frame})"),
            (Some(before), _) => format!("frame_add({name}_fixed{before}, frames[{frame}].step_x)"),
        };
        let lines = format!("    let {name}_fixed{own} = {fixed};\n");
        if !aligned {
            return (lines, format!("frame_cell({name}_fixed{own})"));
        }
        // Along the other axes, all samples have the same coordinates.
        let first = Printer { sample: 0, ..*self }.own();
        let others = if self.sample == 0 { format!("    let {name}_across{own} = table_cell_yz(site, {frame});\n") } else { String::new() };
        (lines + &others, format!("frame_cell_x({name}_across{first}, frame_axis_x({name}_fixed{own}))"))
    }
}
