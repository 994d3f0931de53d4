// Borders of cells by the Manhattan and Chebyshev metrics: the smallest distance, by the metric, from a sample to where another
// point is nearer than the sample's nearest point. Arguments are the offsets from the sample to these points.
//
// Two points may be equally distant from all places of a region. Such a region is not a border: coordinates of points that differ
// by less than CELL_BORDER_TIE count as equal, more than rounding can change their difference.
// requires: jet real

const CELL_BORDER_TIE: f32 = 3.814697265625e-6;
const CELL_BORDER_NONE: f32 = 1e18;

// Against the signs of v.
fn cell_border_away(v: vec3<f32>) -> vec3<f32> {
    let zero = vec3<f32>(0.0);
    return select(zero, vec3<f32>(1.0), v < zero) - select(zero, vec3<f32>(1.0), v > zero);
}

fn cell_border_length(v: vec3<f32>) -> f32 {
    let a = abs(v);
    return a.x + (a.y + a.z);
}

// The difference of the two distances falls by 2 for each unit of the way between the points along an axis. If the nearest point is
// ahead on an axis, the way to it is a detour. A detour counts if the points are farther apart on its axis than on all others
// together. If they are so on no axis, all detours except the longest count.
fn cell_border_manhattan(inside: vec3<f32>, outside: vec3<f32>) -> Jet {
    let zero = vec3<f32>(0.0);
    let across = outside - inside;
    let ahead = select(inside, -inside, across < zero);
    let apart = abs(across);
    let rest = vec3<f32>(apart.y + apart.z, apart.x + apart.z, apart.x + apart.y);
    let alone = rest + CELL_BORDER_TIE < apart;
    var detour = select(zero, ahead, ahead > zero);
    if alone.x || alone.y || alone.z {
        detour = select(zero, detour, alone);
    } else {
        let spare = select(vec3<f32>(-1.0), detour, apart + CELL_BORDER_TIE < rest);
        if spare.z >= spare.x && spare.z >= spare.y {
            detour.z = 0.0;
        } else if spare.y >= spare.x {
            detour.y = 0.0;
        } else {
            detour.x = 0.0;
        }
    }
    let way = 0.5 * (cell_border_length(outside) - cell_border_length(inside));
    let slope = 0.5 * (cell_border_away(outside) - cell_border_away(inside));
    return Jet(way + (detour.x + (detour.y + detour.z)), slope + select(zero, cell_border_away(across), detour > zero));
}

// The other point is nearer where the nearest point's distance along some axis exceeds all the other's. Of the least ways by each
// axis, the least counts.
fn cell_border_chebyshev(inside: vec3<f32>, outside: vec3<f32>) -> Jet {
    let zero = vec3<f32>(0.0);
    let across = outside - inside;
    let away = cell_border_away(across);
    let back = across < zero;
    let ahead = select(inside, -inside, back);
    let along = select(outside, -outside, back);
    let aside = abs(outside);
    let others = vec3<f32>(real_max(aside.y, aside.z), real_max(aside.x, aside.z), real_max(aside.x, aside.y));
    let ways = select(vec3<f32>(CELL_BORDER_NONE), 0.5 * (ahead + select(others, along, along > others)), abs(across) > vec3<f32>(CELL_BORDER_TIE));
    // The axis with the least way, and the axis of the largest distance to the other point.
    let second = ways.y < ways.x;
    let third = ways.z < real_min(ways.x, ways.y);
    let by = vec3<bool>(!second && !third, second && !third, third);
    let far = select(aside, along, by);
    let far_second = far.y > far.x;
    let far_third = far.z > real_max(far.x, far.y);
    let to = vec3<bool>(!far_second && !far_third, far_second && !far_third, far_third);
    let slope = select(zero, away, by) + select(zero, select(cell_border_away(outside), away, by), to);
    return Jet(real_max(real_min(real_min(ways.x, ways.y), ways.z), 0.0), 0.5 * slope);
}
