//! A chunk as triangles, as Godot has them.

use super::Ground;
use orogen::Region;
use orogen::mesh::{Terrain, terrain, terrain_chunk};

/// The shape of a chunk's mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shape {
    /// Cells along each edge.
    pub(crate) cells: i64,
    /// World units that the mesh may be off the heights.
    pub(crate) error: f64,
    /// World units from sample to sample.
    pub(crate) spacing: f64,
    /// Depth of the walls around the chunk, in world units.
    pub(crate) skirt: f64,
}

/// Vertices measured from the chunk's corner, y up, and triangles: clockwise from outside, which is the front in Godot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Surface {
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
    /// From 0 to 1 across the chunk, for textures.
    pub(crate) coordinates: Vec<[f32; 2]>,
    pub(crate) indices: Vec<i32>,
}

impl Ground {
    /// The mesh of a chunk, whose vertices on a border are its neighbour's.
    pub(crate) fn surface(&self, chunk: [i64; 2], shape: &Shape) -> Result<Surface, String> {
        let Shape { cells, error, spacing, skirt } = *shape;
        let cells = u32::try_from(cells).ok().filter(|cells| (1..=4096).contains(cells));
        let cells = cells.ok_or_else(|| format!("cells = {} is not allowed; allowed: 1 to 4096", shape.cells))?;
        let heights = self.layer(&Region { spacing, ..terrain_chunk(chunk, cells) })?;
        let mesh = terrain(&heights, &Terrain { error, skirt }).map_err(|error| error.to_string())?;
        let edge = f64::from(cells) * spacing;
        Ok(Surface {
            coordinates: mesh.positions.iter().map(|&[x, _, z]| [x, z].map(|c| (f64::from(c) / edge) as f32)).collect(),
            indices: mesh.triangles.iter().flat_map(|&[a, b, c]| [a, c, b]).map(|i| i as i32).collect(),
            positions: mesh.positions,
            normals: mesh.normals,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::HILLS;
    use super::*;

    const SHAPE: Shape = Shape { cells: 16, error: 0.0, spacing: 1.0, skirt: 0.0 };

    fn ground() -> Ground {
        Ground::from_text(HILLS).expect("a recipe")
    }

    #[test]
    fn fronts_are_above() {
        for error in [0.0, 2.0] {
            let surface = ground().surface([3, -2], &Shape { error, ..SHAPE }).expect("a mesh");
            assert!(surface.normals.iter().all(|normal| normal[1] > 0.0));
            for corners in surface.indices.as_chunks::<3>().0 {
                let [a, b, c] = corners.map(|i| surface.positions[i as usize]);
                let (b, c) = ([b[0] - a[0], b[2] - a[2]], [c[0] - a[0], c[2] - a[2]]);
                // Seen from above, x is to the right and z downwards: clockwise turns from x to z.
                assert!(b[0] * c[1] - b[1] * c[0] > 0.0);
            }
        }
    }

    #[test]
    fn vertices_are_heights_and_borders_are_shared() {
        let (ground, edge) = (ground(), 16.0);
        let shape = Shape { error: 1.0, ..SHAPE };
        let [left, right] = [[0, 5], [1, 5]].map(|chunk| ground.surface(chunk, &shape).expect("a mesh"));
        for position in &left.positions {
            let [x, height, z] = position.map(f64::from);
            assert_eq!(ground.height([x, z + 5.0 * 16.0]), Ok(height));
        }
        let border = |surface: &Surface, x: f32| {
            let at = surface.positions.iter().zip(&surface.normals).filter(|(position, _)| position[0] == x);
            let mut at: Vec<_> =
                at.map(|(position, normal)| (position[2] as i64, position[1].to_bits(), normal.map(f32::to_bits))).collect();
            at.sort_unstable();
            at
        };
        assert!(border(&left, edge).len() >= 2);
        assert_eq!(border(&left, edge), border(&right, 0.0));
        assert!(left.coordinates.iter().flatten().all(|c| (0.0..=1.0).contains(c)));
    }

    #[test]
    fn what_makes_no_mesh_is_said() {
        let ground = ground();
        for cells in [0, -1, 4097, i64::MAX] {
            assert!(ground.surface([0, 0], &Shape { cells, ..SHAPE }).is_err_and(|error| error.contains("cells")));
        }
        assert!(ground.surface([0, 0], &Shape { error: -1.0, ..SHAPE }).is_err());
        assert!(ground.surface([0, 0], &Shape { error: f64::NAN, ..SHAPE }).is_err());
        assert!(ground.surface([0, 0], &Shape { skirt: f64::INFINITY, ..SHAPE }).is_err());
        assert!(ground.surface([0, 0], &Shape { spacing: 0.0, ..SHAPE }).is_err());
        assert!(ground.surface([i64::MAX, 0], &SHAPE).is_err());
        let walls = ground.surface([0, 0], &Shape { skirt: 5.0, ..SHAPE }).expect("a mesh");
        assert!(walls.positions.len() > ground.surface([0, 0], &SHAPE).expect("a mesh").positions.len());
    }
}
