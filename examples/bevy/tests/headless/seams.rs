//! Chunks meet.

use crate::support::{CELLS, Shape, app, chunks, disc, settings, settle, shape};
use bevy_math::Vec3;
use orogen::mesh::Terrain;
use orogen_bevy::{TerrainSettings, WorldOrigin};

/// Vertices on the line where one coordinate has a value, in the world and with their normals, as bits and in order.
fn border(shape: &Shape, axis: usize, at: f32) -> Vec<[u32; 6]> {
    let all = shape.positions.iter().zip(&shape.normals).filter(|(position, _)| position[axis] == at);
    let place = |position: &[f32; 3]| (Vec3::from(*position) + shape.place.translation).to_array();
    let mut all: Vec<_> = all.map(|(position, normal)| [place(position), *normal].as_flattened().to_vec()).collect();
    all.sort_by(|a, b| a[2 - axis].total_cmp(&b[2 - axis]));
    all.iter().map(|numbers| std::array::from_fn(|i| numbers[i].to_bits())).collect()
}

/// Borders between all neighbours: how many vertices they have.
fn meet(settings: TerrainSettings, begin: [i64; 2]) -> usize {
    let (edge, radius) = (settings.edge() as f32, settings.radius);
    let (mut app, _) = app(settings);
    app.insert_resource(WorldOrigin { chunk: begin });
    settle(&mut app);
    let there = chunks(&mut app);
    assert!(there.keys().eq(disc(begin, i64::from(radius)).iter()));
    let mut compared = 0;
    for (&[x, y], &entity) in &there {
        let one = shape(&app, entity);
        for (axis, beside) in [(0, [x + 1, y]), (2, [x, y + 1])] {
            let Some(&other) = there.get(&beside) else { continue };
            let (here, beyond) = (border(&one, axis, edge), border(&shape(&app, other), axis, 0.0));
            assert!(here.len() >= 2);
            assert_eq!(here, beyond, "{:?} and {beside:?}", [x, y]);
            compared += here.len();
        }
    }
    compared
}

#[test]
fn neighbours_share_their_border_bit_for_bit() {
    let borders = 2 * (disc([0, 0], 4).len() - 9);
    let all = meet(settings(), [0, 0]);
    assert_eq!(all, borders * (CELLS as usize + 1));
    let thinned = meet(TerrainSettings { mesh: Terrain { error: 0.5, skirt: 0.0 }, ..settings() }, [0, 0]);
    assert!(thinned < all, "{thinned} of {all}");
}

#[test]
fn also_far_out_and_at_half_a_unit() {
    meet(TerrainSettings { spacing: 0.5, radius: 2, ..settings() }, [1 << 40, -(1 << 38) + 3]);
}
