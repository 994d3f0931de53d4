// Exact frames: lattice coordinates are Q32.64 integers, so no position is ever a large float.

// One Q32.64 number per lattice axis: cell, upper and lower half of the fraction.
struct Fixed {
    cell: vec3<u32>,
    upper: vec3<u32>,
    lower: vec3<u32>,
}

struct Frame {
    // Change of the lattice coordinate per sample along world x, y and z.
    step_x: Fixed,
    step_y: Fixed,
    step_z: Fixed,
    // Cells per unit of displacement along x, y and z.
    linear_x: vec3<f32>,
    linear_y: vec3<f32>,
    linear_z: vec3<f32>,
    // Cells after which the lattice repeats along x, y, z and the fourth axis; 0 for never.
    period: vec4<i32>,
    // Samples along x, y and z after which it does, where that is a whole number; else 0.
    samples: vec3<u32>,
    // Of the lattice's hash.
    seed: u32,
}

// The lattice coordinate of a dispatch's first sample, and where in its period that lies. (Four numbers to a row.)
struct Origin {
    cell: vec3<u32>,
    first_x: u32,
    upper: vec3<u32>,
    first_y: u32,
    lower: vec3<u32>,
    first_z: u32,
}

// A lattice coordinate as the noises take it.
struct Cell {
    cell: vec3<i32>,
    fraction: vec3<f32>,
}

// q + index · step, wrapping, for index below 65536: in limbs of 16 bits no sum exceeds 32 bits, so no carry is lost.
fn frame_advance(q: Fixed, step: Fixed, index: u32) -> Fixed {
    let mask = vec3<u32>(0xffffu);
    let half = vec3<u32>(16u);
    let a = index * (step.lower & mask) + (q.lower & mask);
    let b = index * (step.lower >> half) + (q.lower >> half) + (a >> half);
    let c = index * (step.upper & mask) + (q.upper & mask) + (b >> half);
    let d = index * (step.upper >> half) + (q.upper >> half) + (c >> half);
    let cell = index * step.cell + q.cell + (d >> half);
    return Fixed(cell, (d << half) | (c & mask), (b << half) | (a & mask));
}

fn frame_fixed(origin: Origin) -> Fixed {
    return Fixed(origin.cell, origin.upper, origin.lower);
}

// The position of a sample in its period. The origin is then that of the period, not of the dispatch.
fn frame_index(frame: Frame, origin: Origin, index: vec3<u32>) -> vec3<u32> {
    let first = vec3<u32>(origin.first_x, origin.first_y, origin.first_z);
    let none = frame.samples == vec3<u32>(0u);
    return select((first + index) % select(frame.samples, vec3<u32>(1u), none), index, none);
}

// A step further.
fn frame_add(a: Fixed, b: Fixed) -> Fixed {
    let one = vec3<u32>(1u);
    let none = vec3<u32>(0u);
    let lower = a.lower + b.lower;
    let partial = a.upper + b.upper;
    let upper = partial + select(none, one, lower < a.lower);
    let carry = select(none, one, partial < a.upper) + select(none, one, upper < partial);
    return Fixed(a.cell + b.cell + carry, upper, lower);
}

// The lattice coordinate of a sample.
fn frame_sample(frame: Frame, origin: Fixed, index: vec3<u32>) -> Fixed {
    let y = frame_advance(origin, frame.step_y, index.y);
    let z = frame_advance(y, frame.step_z, index.z);
    return frame_advance(z, frame.step_x, index.x);
}

fn frame_cell(q: Fixed) -> Cell {
    return Cell(vec3<i32>(q.cell), frame_fraction(q.upper));
}

// If lattice axes are the world's axes, every coordinate advances along one axis: those along y and z, preceded by one along x.

fn frame_cell_yz(frame: Frame, origin: Fixed, index: vec3<u32>) -> Cell {
    let y = frame_advance(origin, frame.step_y, index.y);
    let z = frame_advance(origin, frame.step_z, index.z);
    return Cell(vec3<i32>(vec3<u32>(0u, y.cell.y, z.cell.z)), frame_fraction(vec3<u32>(0u, y.upper.y, z.upper.z)));
}

fn frame_cell_x(across: Cell, along: vec3<u32>) -> Cell {
    return Cell(vec3<i32>(i32(along.x), across.cell.yz), vec3<f32>(frame_fraction_x(along), across.fraction.yz));
}

// The number along x alone: cell, upper and lower half of the fraction.
fn frame_axis_x(q: Fixed) -> vec3<u32> {
    return vec3<u32>(q.cell.x, q.upper.x, q.lower.x);
}

// A step further along it.
fn frame_add_x(a: vec3<u32>, b: vec3<u32>) -> vec3<u32> {
    let lower = a.z + b.z;
    let partial = a.y + b.y;
    let upper = partial + select(0u, 1u, lower < a.z);
    let carry = select(0u, 1u, partial < a.y) + select(0u, 1u, upper < partial);
    return vec3<u32>(a.x + b.x + carry, upper, lower);
}

fn frame_fraction_x(q: vec3<u32>) -> f32 {
    return frame_fraction(q.yyy).x;
}

// Whether a row of samples lies along the lattice's first axis.
fn frame_in_line(frame: Frame) -> bool {
    return all((frame.step_x.cell.yz | frame.step_x.upper.yz | frame.step_x.lower.yz) == vec2<u32>(0u));
}

// Whether successive samples along that axis are at most this many 2^-32 of a cell apart, and the remainder below one.
fn frame_close(frame: Frame, most: u32) -> bool {
    return frame.step_x.cell.x == 0u && frame.step_x.upper.x <= most;
}

// The 24 bits of a fraction that an f32 holds.
fn frame_fraction(upper: vec3<u32>) -> vec3<f32> {
    return vec3<f32>(upper >> vec3<u32>(8u)) * 5.9604644775390625e-8;
}

// step · 2^16.
fn frame_shifted(step: Fixed) -> Fixed {
    let half = vec3<u32>(16u);
    return Fixed((step.cell << half) | (step.upper >> half), (step.upper << half) | (step.lower >> half), step.lower << half);
}

// The lattice coordinate of a sample whose index has all 32 bits.
fn frame_sample_wide(frame: Frame, origin: Fixed, index: vec3<u32>) -> Fixed {
    let high = index >> vec3<u32>(16u);
    let x = frame_advance(origin, frame_shifted(frame.step_x), high.x);
    let y = frame_advance(x, frame_shifted(frame.step_y), high.y);
    let z = frame_advance(y, frame_shifted(frame.step_z), high.z);
    return frame_sample(frame, z, index & vec3<u32>(0xffffu));
}

// The place in its period of the sample after one along x, 0 at the start of a period.
fn frame_next_place(frame: Frame, place: u32) -> u32 {
    return select(place + 1u, 0u, place + 1u == frame.samples.x);
}

// The coordinate of a sample at a place: that of the sample before and a step further, or that of its row at the start of a period.
fn frame_continue(before: Fixed, frame: Frame, begin: Fixed, place: u32) -> Fixed {
    if place == 0u {
        return begin;
    }
    return frame_add(before, frame.step_x);
}

// Whether a period ends among the `more` samples after one along x. Coordinates continue by steps only within a period.
fn frame_ends(frame: Frame, origin: Origin, index: u32, more: u32) -> bool {
    return frame.samples.x != 0u && (origin.first_x + index) % select(frame.samples.x, 1u, frame.samples.x == 0u) + more >= frame.samples.x;
}

// linear · v.
fn frame_linear(frame: Frame, v: vec3<f32>) -> vec3<f32> {
    return frame.linear_x * v.x + (frame.linear_y * v.y + frame.linear_z * v.z);
}

// The coordinate moved by a displacement in world units.
fn frame_displace(frame: Frame, at: Cell, displacement: vec3<f32>) -> Cell {
    let moved = at.fraction + frame_linear(frame, displacement);
    let whole = floor(moved);
    return Cell(at.cell + vec3<i32>(whole), moved - whole);
}

// A gradient per cell → per world unit: transpose of linear.
fn frame_gradient(frame: Frame, g: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(
        frame.linear_x.x * g.x + (frame.linear_x.y * g.y + frame.linear_x.z * g.z),
        frame.linear_y.x * g.x + (frame.linear_y.y * g.y + frame.linear_y.z * g.z),
        frame.linear_z.x * g.x + (frame.linear_z.y * g.y + frame.linear_z.z * g.z),
    );
}

// A cell and its fraction as one number. The halves of the cell are exact in f32, and the lower one lies around 0, so that
// small numbers keep their digits.
fn frame_number(cell: i32, fraction: f32) -> f32 {
    let upper = (cell + 0x8000) >> 16u;
    let lower = cell - (upper << 16u);
    return f32(upper) * 65536.0 + (f32(lower) + fraction);
}
