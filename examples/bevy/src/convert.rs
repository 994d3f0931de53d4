//! Converts Orogen's meshes to Bevy's.

use bevy_asset::RenderAssetUsages;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology};

/// A mesh in Bevy's form: positions, normals, and texture coordinates that grow by 1 for every `edge` world units east and south.
/// Its place in the world, `mesh.anchor`, which has the same axes, is left to the entity's `Transform`.
///
/// Axes and the orientation of triangles are the same in both. Indices take two bytes for up to 65,536 vertices, else four.
pub fn bevy_mesh(mesh: orogen::mesh::Mesh, edge: f64, usages: RenderAssetUsages) -> Mesh {
    let coordinates: Vec<[f32; 2]> = mesh.positions.iter().map(|&[x, _, z]| [x, z].map(|c| (f64::from(c) / edge) as f32)).collect();
    let indices = if mesh.positions.len() <= 1 << 16 {
        Indices::U16(mesh.triangles.as_flattened().iter().map(|&i| i as u16).collect())
    } else {
        Indices::U32(mesh.triangles.into_flattened())
    };
    Mesh::new(PrimitiveTopology::TriangleList, usages)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, mesh.positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, mesh.normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, coordinates)
        .with_inserted_indices(indices)
}
