// The program's tables: the functions that search them. The tables are declared with the program, together with `table_scalar`,
// `table_span` and `table_series`, whose way of reading depends on their storage.
// requires: frame jet point spline

// A sample: its index in the region, and the start of its origins.
struct Site {
    index: vec3<u32>,
    origin: u32,
}

// The lattice coordinate of a sample in the given frame.
fn table_fixed(site: Site, frame: u32) -> Fixed {
    return frame_sample(frames[frame], frame_fixed(origins[site.origin + frame]), site.index);
}

// If lattice axes are the world's axes: the coordinate along x, and those along the others.

fn table_fixed_x(site: Site, frame: u32) -> Fixed {
    return frame_advance(frame_fixed(origins[site.origin + frame]), frames[frame].step_x, site.index.x);
}

fn table_cell_yz(site: Site, frame: u32) -> Cell {
    return frame_cell_yz(frames[frame], frame_fixed(origins[site.origin + frame]), site.index);
}

// The coordinate in kernels with periods, this many samples after the site's along x.
fn table_fixed_periodic(site: Site, after: u32, frame: u32) -> Fixed {
    let origin = origins[site.origin + frame];
    let index = frame_index(frames[frame], origin, site.index + vec3<u32>(after, 0u, 0u));
    return frame_sample_wide(frames[frame], frame_fixed(origin), index);
}

fn table_cell_periodic(site: Site, after: u32, frame: u32) -> Cell {
    return frame_cell(table_fixed_periodic(site, after, frame));
}

// The place in its period along x, and the coordinate at the start of one in the same row.

fn table_place(site: Site, frame: u32) -> u32 {
    return frame_index(frames[frame], origins[site.origin + frame], site.index).x;
}

fn table_fixed_begin(site: Site, frame: u32) -> Fixed {
    let origin = origins[site.origin + frame];
    let index = frame_index(frames[frame], origin, site.index);
    return frame_sample_wide(frames[frame], frame_fixed(origin), vec3<u32>(0u, index.yz));
}

// Whether a period ends among this many samples after the site's along x.
fn table_ends(site: Site, more: u32, frame: u32) -> bool {
    return frame_ends(frames[frame], origins[site.origin + frame], site.index.x, more);
}

// The cell where positions are centres of cells.
fn table_cell_wide(site: Site, frame: u32) -> Cell {
    return frame_cell(frame_sample_wide(frames[frame], frame_fixed(origins[site.origin + frame]), site.index));
}

// The cell where positions are displacements from an anchor: that of the anchor.
fn table_cell_anchored(frame: u32) -> Cell {
    return Cell(vec3<i32>(origins[frame].cell), frame_fraction(origins[frame].upper));
}

fn table_key(frame: u32) -> Key {
    return Key(frames[frame].seed, frames[frame].period);
}

// The centre of a cell as a site.
fn table_quantised(site: Site, frame: u32, at: Cell) -> Site {
    return Site(point_cell(at.cell, table_key(frame)) ^ vec3<u32>(0x80000000u), site.origin);
}

// The number of a lattice point along x, by a table of 256 in the series.
fn table_value(first: u32, cell: vec3<i32>, key: Key) -> f32 {
    return table_series(first + point_cell(cell, key).x % 256u);
}

// A gradient of a hexagonal map by tables in the series: 256 numbers of a permutation, then 32 gradients.
fn table_hexagonal_gradient(first: u32, q: i32, r: i32, key: Key) -> vec3<f32> {
    let point = vec2<i32>(point_staggered(u32(q + r), u32(r), key));
    let cubic = vec3<i32>(point.x - point.y, point.y, -point.x);
    let p = vec3<u32>(abs(cubic)) % 521u;
    let a = table_permuted(first, p.z);
    let b = table_permuted(first, p.y + a);
    let c = table_permuted(first, p.x + b);
    let at = first + 256u + 3u * (table_permuted(first, c) % 32u);
    return vec3<f32>(table_series(at), table_series(at + 1u), table_series(at + 2u));
}

fn table_permuted(first: u32, i: u32) -> u32 {
    return u32(table_series(first + i % 256u));
}

// Four numbers that stand together.
fn table_numbers(first: u32) -> vec4<f32> {
    return vec4<f32>(table_scalar(first), table_scalar(first + 1u), table_scalar(first + 2u), table_scalar(first + 3u));
}

// All three coordinates as numbers.
fn table_position(at: Cell) -> vec3<f32> {
    return vec3<f32>(
        frame_number(at.cell.x, at.fraction.x),
        frame_number(at.cell.y, at.fraction.y),
        frame_number(at.cell.z, at.fraction.z),
    );
}

// A lattice noise's gradient per cell → per world unit.
fn table_world(frame: u32, noise: Jet) -> Jet {
    return Jet(noise.value, frame_gradient(frames[frame], noise.gradient));
}

// A lattice noise with its gradient per world unit, with a fourth lattice coordinate, whose frame stands after that of the others.
fn table_world_4(frame: u32, value: f32, gradient: vec4<f32>) -> Jet {
    let three = frame_gradient(frames[frame], gradient.xyz);
    let along = frames[frame + 1u];
    return Jet(value, three + vec3<f32>(along.linear_x.x, along.linear_y.x, along.linear_z.x) * gradient.w);
}

fn table_fraction(frame: u32, at: Cell) -> Jet {
    return table_world(frame, Jet(at.fraction.x, vec3<f32>(1.0, 0.0, 0.0)));
}

fn table_coordinate(frame: u32, at: Cell) -> Jet {
    return table_world(frame, Jet(frame_number(at.cell.x, at.fraction.x), vec3<f32>(1.0, 0.0, 0.0)));
}

// A displacement in a scope's own units → world units, with the frame of a warp.
fn table_displacement(frame: u32, x: Jet, y: Jet, z: Jet) -> vec3<f32> {
    return frame_linear(frames[frame], vec3<f32>(x.value, y.value, z.value));
}

// A displacement in a space → in a space inside it.
fn table_inward(frame: u32, displacement: vec3<f32>) -> vec3<f32> {
    return frame_linear(frames[frame], displacement);
}

// Chain rule through that displacement.
fn table_displaced(frame: u32, inner: Jet, x: Jet, y: Jet, z: Jet) -> Jet {
    return jet_displaced(inner, frame_gradient(frames[frame], inner.gradient), x, y, z);
}

// A gradient per world unit → per unit of the scope's own space, with the frame of a derivative.
fn table_derivatives(frame: u32, x: Jet) -> vec3<f32> {
    return frame_gradient(frames[frame], x.gradient);
}

// The curve at x: binary search for the last point not above, then its piece.
fn table_spline(span: vec2<u32>, x: Jet) -> Jet {
    let last = span.y - 1u;
    var low = 0u;
    var high = last;
    while high - low > 1u {
        let middle = (low + high) >> 1u;
        if x.value < points[span.x + middle].at {
            high = middle;
        } else {
            low = middle;
        }
    }
    let inside = x.value >= points[span.x].at && x.value <= points[span.x + last].at;
    return spline_piece(points[span.x + low], points[span.x + high], x, inside);
}
