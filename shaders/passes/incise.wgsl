// Incision by the stream power law in explicit steps. Sediment moves by one sample in a step.
// requires: power real root

// The part of a fall that one step removes, and the part of the arriving sediment that it lays down.
fn incise_power(at: vec2<i32>) -> vec2<f32> {
    let area = real_max(field_area(at), number_least());
    let soft = real_max(field_erodibility(at), 0.0);
    let i = root_inverse(area);
    let cut = (soft * number_time()) * power_positive(area, number_concavity()).x;
    return vec2<f32>(real_min(cut, number_most()), real_min(number_settling() * (i * i), 1.0));
}

// Sums and extremes over the neighbours of a sample.
struct InciseAround {
    // The steepest fall so far, per distance between samples, and its direction.
    fall: f32,
    towards: f32,
    // The lowest neighbour.
    lowest: f32,
    // The lowest neighbour that sediment comes from.
    donor: f32,
    // The sediment that comes.
    load: f32,
    // The sums of the differences in height, straight and diagonal.
    straight: f32,
    diagonal: f32,
    // The sum of the excesses over stable differences, which slide here.
    slid: f32,
}

// Directions are numbered W, E, N, S, NW, NE, SW, SE; 8 is here. `back` is the direction from the neighbour to here.
fn incise_add(around: InciseAround, here: f32, at: vec2<i32>, towards: f32, back: i32) -> InciseAround {
    let there = field_height(at);
    let is_diagonal = towards > 3.5;
    let fall = (here - real_max(there, number_sea())) * select(1.0, 0.70710677, is_diagonal);
    let is_steeper = fall > around.fall;
    let comes = i32(field_to(at)) == back;
    let higher = there - here;
    let excess = real_max(abs(higher) - number_holds() * select(1.0, 1.4142135, is_diagonal), 0.0);
    return InciseAround(
        select(around.fall, fall, is_steeper),
        select(around.towards, towards, is_steeper),
        real_min(around.lowest, there),
        select(around.donor, real_min(around.donor, there), comes),
        select(around.load, around.load + field_load(at), comes),
        select(around.straight + higher, around.straight, is_diagonal),
        select(around.diagonal, around.diagonal + higher, is_diagonal),
        around.slid + select(excess, -excess, higher < 0.0),
    );
}

fn incise_carve(at: vec2<i32>) -> vec3<f32> {
    let here = field_height(at);
    let stays = select(0.0, field_load(at), i32(field_to(at)) == 8);
    var around = InciseAround(-1e38, 8.0, here, 1e38, stays, 0.0, 0.0, 0.0);
    around = incise_add(around, here, at + vec2<i32>(-1, 0), 0.0, 1);
    around = incise_add(around, here, at + vec2<i32>(1, 0), 1.0, 0);
    around = incise_add(around, here, at + vec2<i32>(0, -1), 2.0, 3);
    around = incise_add(around, here, at + vec2<i32>(0, 1), 3.0, 2);
    around = incise_add(around, here, at + vec2<i32>(-1, -1), 4.0, 7);
    around = incise_add(around, here, at + vec2<i32>(1, -1), 5.0, 6);
    around = incise_add(around, here, at + vec2<i32>(-1, 1), 6.0, 5);
    around = incise_add(around, here, at + vec2<i32>(1, 1), 7.0, 4);
    let flows = around.fall > 0.0;
    let worn = real_max(around.fall, 0.0) * field_cut(at);
    // Up to the lowest neighbour that sediment comes from, so that no dam grows. A pit fills to its lowest neighbour, or to the sea.
    let room = real_max(select(-around.fall, around.donor - here, flows), 0.0) + number_rise();
    let laid = real_min(select(around.load, around.load * field_settle(at), flows), room);
    let crept = (around.straight * number_straight() + around.diagonal * number_diagonal()) + around.slid * number_slide();
    // Only rounding could reach below the neighbours.
    let height = real_max(((here - worn) + laid) + crept, around.lowest);
    return vec3<f32>(height, real_max((around.load + worn) - laid, 0.0), select(8.0, around.towards, flows));
}

// Uplift, and the accounts: sediment that lies on the rock is removed before the rock.
fn incise_settle(at: vec2<i32>) -> vec3<f32> {
    let height = field_height(at);
    let left = field_sediment(at) + (height - field_before(at));
    return vec3<f32>(height + field_uplift(at) * number_time(), real_max(left, 0.0), field_wear(at) + real_max(-left, 0.0));
}
