//! Lattice coordinates of a column's samples.

use super::Printer;
use crate::program::Span;

impl Printer<'_> {
    /// The lines for `at{own}`, the sample's coordinate in the operation's frame.
    pub(super) fn cell(&self) -> String {
        self.cell_in("at", &format!("frame{}", self.i))
    }

    /// The lines for `name` and what the sample's own names end with: its coordinate in a frame.
    pub(super) fn cell_in(&self, name: &str, frame: &str) -> String {
        let own = self.own();
        let (lines, cell) = match (self.scope.quantised, self.structure.anchored(), self.structure.periodic) {
            (true, _, _) => (String::new(), format!("table_cell_wide(site, {frame})")),
            (false, true, _) => (String::new(), format!("table_cell_anchored({frame})")),
            (false, false, true) => (String::new(), format!("table_cell_periodic(site, {}u, {frame})", self.sample)),
            (false, false, false) => self.stepped(name, frame),
        };
        match self.scope.displaced {
            true => {
                format!("{lines}    let {name}{own} = frame_displace(frames[{frame}], {cell}, {});\n", self.displacement())
            }
            false => format!("{lines}    let {name}{own} = {cell};\n"),
        }
    }

    /// The coordinate of a column's first sample is found from the origin, and every other is a step from the one before.
    fn stepped(&self, name: &str, frame: &str) -> (String, String) {
        let known = |Span(s): Span| self.specialisation.is_some_and(|specialisation| specialisation.aligned[s as usize]);
        let aligned = self.op.frames().is_some_and(known);
        let own = self.own();
        let fixed = match (self.sample.checked_sub(1), aligned) {
            (None, false) => format!("table_fixed(site, {frame})"),
            (None, true) => format!("table_fixed_y(site, {frame})"),
            (Some(before), _) => {
                format!("frame_add({name}_fixed{}, frames[{frame}].step_y)", Printer { sample: before, ..*self }.own())
            }
        };
        let lines = format!("    let {name}_fixed{own} = {fixed};\n");
        if !aligned {
            return (lines, format!("frame_cell({name}_fixed{own})"));
        }
        // Along the other axes they have the same coordinates.
        let first = Printer { sample: 0, ..*self }.own();
        let others = if self.sample == 0 { format!("    let {name}_across{own} = table_cell_xz(site, {frame});\n") } else { String::new() };
        (lines + &others, format!("frame_cell_y({name}_across{first}, {name}_fixed{own})"))
    }
}
