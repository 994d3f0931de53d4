//! Slopes between neighbouring cells.

/// Lowers every height to at most `rises` above each of its eight neighbours. The first number is for neighbours along an axis, the
/// second for diagonal ones. Neighbours below `least` count as that high.
///
/// The result is the largest field below the heights with this property. It has no new pits: a lowered cell is above a neighbour.
pub(super) fn limit(heights: &mut [f32], width: usize, rises: [f32; 2], least: f32) {
    let rows = heights.len() / width;
    loop {
        let mut changed = false;
        // Downwards and to the right, then back: along each way, slopes are limited by one sweep.
        for backwards in [false, true] {
            for row in 0..rows {
                let y = if backwards { rows - 1 - row } else { row };
                for column in 0..width {
                    let x = if backwards { width - 1 - column } else { column };
                    let at = y * width + x;
                    let mut most = f32::INFINITY;
                    let mut near = |x: usize, y: usize, rise: f32| {
                        if x < width && y < rows {
                            most = most.min(heights[y * width + x].max(least) + rise);
                        }
                    };
                    let (before, after) =
                        if backwards { (y.wrapping_add(1), x.wrapping_add(1)) } else { (y.wrapping_sub(1), x.wrapping_sub(1)) };
                    near(after, y, rises[0]);
                    near(x, before, rises[0]);
                    near(x.wrapping_sub(1), before, rises[1]);
                    near(x.wrapping_add(1), before, rises[1]);
                    if most < heights[at] {
                        heights[at] = most;
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// Each height moved by a share of its own towards the mean of the four neighbours along the axes. Cells on the edge are not moved.
pub(super) fn smoothed(heights: &[f32], width: usize, shares: &[f32]) -> Vec<f32> {
    let mut smooth = heights.to_vec();
    let rows = heights.len() / width;
    for y in 1..rows.saturating_sub(1) {
        for at in y * width + 1..(y + 1) * width - 1 {
            let mean = ((heights[at - 1] + heights[at + 1]) + (heights[at - width] + heights[at + width])) * 0.25;
            smooth[at] = heights[at] + (mean - heights[at]) * shares[at];
        }
    }
    smooth
}
