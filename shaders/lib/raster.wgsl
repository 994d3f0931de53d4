// Rasters: values on a grid, looked up at a cell and the fraction to the next one along both axes.
// requires: jet tables

// A raster: the index of its first sample among those of all rasters, columns and rows, and the values outside. These are 0 the
// nearest edge, 1 the raster repeated, 2 the raster mirrored, 3 a constant.
struct Raster {
    first: u32,
    size: vec2<i32>,
    outside: u32,
}

// A place along one axis, moved into the raster where nothing lies outside.
struct RasterPlace {
    cell: i32,
    fraction: f32,
    inside: bool,
}

fn raster_place(outside: u32, cell: i32, fraction: f32, count: i32) -> RasterPlace {
    let before = cell < 0;
    let last = count - 1;
    let beyond = cell > last || (cell == last && fraction > 0.0);
    let held = outside == 0u || outside == 3u;
    return RasterPlace(
        select(cell, select(last, 0, before), held && (before || beyond)),
        select(fraction, 0.0, held && (before || beyond)),
        !(before || beyond),
    );
}

// The sample that represents one beyond the edges: shifted by whole periods, or mirrored.
fn raster_within(outside: u32, i: i32, count: i32) -> i32 {
    let repeats = outside == 1u;
    let before = i < 0;
    let period = u32(select(2 * count - 2, count, repeats));
    let laps = select(period, 1u, period == 0u);
    let lap = u32(select(i, -1 - i, before)) % laps;
    let within = select(lap, laps - 1u - lap, before);
    return i32(select(within, laps - within, !repeats && laps - within < within));
}

fn raster_column(raster: Raster, x: i32) -> u32 {
    return u32(raster_within(raster.outside, x, raster.size.x));
}

// The beginning of the row that represents one.
fn raster_row(raster: Raster, y: i32) -> u32 {
    return raster.first + u32(raster_within(raster.outside, y, raster.size.y)) * u32(raster.size.x);
}

// The result inside, or outside with clamped coordinates: the slope along a clamped axis is 0.
fn raster_found(raster: Raster, x: RasterPlace, y: RasterPlace, inner: Jet, fill: f32) -> Jet {
    let filled = raster.outside == 3u && !(x.inside && y.inside);
    let held = raster.outside == 0u;
    let along_x = select(inner.gradient.x, 0.0, filled || (held && !x.inside));
    let along_y = select(inner.gradient.y, 0.0, filled || (held && !y.inside));
    return Jet(select(inner.value, fill, filled), vec3<f32>(along_x, along_y, 0.0));
}

fn raster_nearest(raster: Raster, cell: vec2<i32>, fraction: vec2<f32>, fill: f32) -> Jet {
    let x = raster_place(raster.outside, cell.x, fraction.x, raster.size.x);
    let y = raster_place(raster.outside, cell.y, fraction.y, raster.size.y);
    let column = raster_column(raster, x.cell + select(0, 1, x.fraction >= 0.5));
    let row = raster_row(raster, y.cell + select(0, 1, y.fraction >= 0.5));
    return raster_found(raster, x, y, jet_constant(table_height(row + column)), fill);
}

fn raster_linear(raster: Raster, cell: vec2<i32>, fraction: vec2<f32>, fill: f32) -> Jet {
    let x = raster_place(raster.outside, cell.x, fraction.x, raster.size.x);
    let y = raster_place(raster.outside, cell.y, fraction.y, raster.size.y);
    let left = raster_column(raster, x.cell);
    let right = raster_column(raster, x.cell + 1);
    let above = raster_row(raster, y.cell);
    let below = raster_row(raster, y.cell + 1);
    let a = table_height(above + left);
    let b = table_height(above + right);
    let c = table_height(below + left);
    let d = table_height(below + right);
    let near = a + x.fraction * (b - a);
    let far = c + x.fraction * (d - c);
    let slope = (b - a) + y.fraction * ((d - c) - (b - a));
    return raster_found(raster, x, y, Jet(near + y.fraction * (far - near), vec3<f32>(slope, far - near, 0.0)), fill);
}

// The four weights of a cubic B-spline.
fn raster_weights(f: f32) -> vec4<f32> {
    let g = 1.0 - f;
    let sixth = 0.16666667163372039794921875;
    let first = (g * (g * g)) * sixth;
    let last = (f * (f * f)) * sixth;
    let second = (4.0 - (f * f) * (6.0 - 3.0 * f)) * sixth;
    let third = (4.0 - (g * g) * (6.0 - 3.0 * g)) * sixth;
    return vec4<f32>(first, second, third, last);
}

// Their slopes.
fn raster_slopes(f: f32) -> vec4<f32> {
    let g = 1.0 - f;
    return vec4<f32>(-0.5 * (g * g), f * (1.5 * f - 2.0), g * (2.0 - 1.5 * g), 0.5 * (f * f));
}

fn raster_sum(four: vec4<f32>, weights: vec4<f32>) -> f32 {
    return (four.x * weights.x + four.y * weights.y) + (four.z * weights.z + four.w * weights.w);
}

// Four neighbours in a row.
fn raster_four(row: u32, columns: vec4<u32>) -> vec4<f32> {
    let at = vec4<u32>(row) + columns;
    return vec4<f32>(table_height(at.x), table_height(at.y), table_height(at.z), table_height(at.w));
}

fn raster_cubic(raster: Raster, cell: vec2<i32>, fraction: vec2<f32>, fill: f32) -> Jet {
    let x = raster_place(raster.outside, cell.x, fraction.x, raster.size.x);
    let y = raster_place(raster.outside, cell.y, fraction.y, raster.size.y);
    let columns = vec4<u32>(
        raster_column(raster, x.cell - 1),
        raster_column(raster, x.cell),
        raster_column(raster, x.cell + 1),
        raster_column(raster, x.cell + 2),
    );
    let a = raster_four(raster_row(raster, y.cell - 1), columns);
    let b = raster_four(raster_row(raster, y.cell), columns);
    let c = raster_four(raster_row(raster, y.cell + 1), columns);
    let d = raster_four(raster_row(raster, y.cell + 2), columns);
    let across = raster_weights(x.fraction);
    let rises = raster_slopes(x.fraction);
    let down = raster_weights(y.fraction);
    let values = vec4<f32>(raster_sum(a, across), raster_sum(b, across), raster_sum(c, across), raster_sum(d, across));
    let along = vec4<f32>(raster_sum(a, rises), raster_sum(b, rises), raster_sum(c, rises), raster_sum(d, rises));
    let gradient = vec3<f32>(raster_sum(along, down), raster_sum(values, raster_slopes(y.fraction)), 0.0);
    return raster_found(raster, x, y, Jet(raster_sum(values, down), gradient), fill);
}
