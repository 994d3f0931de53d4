// A plane of the coarser grid: each sample has the value of the coarser sample at or before it along both axes.

fn spread_coarser(at: vec2<i32>) -> f32 {
    let coarse = vec2<u32>(u32(at.x) + u32(number_odd_x()), u32(at.y) + u32(number_odd_y())) >> vec2<u32>(1u);
    let halo = u32(number_halo());
    return table((coarse.y + halo) * u32(number_width()) + coarse.x + halo);
}
