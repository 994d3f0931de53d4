//! Surfaces of density: caves and overhangs as triangles, for glTF and OBJ.

mod net;

use crate::engine::{Engine, EngineError};
use crate::field::Gradient;
use crate::graph::Noise;
use crate::region::{Region, RegionError};
use gltf_json as gltf;
use gltf_json::validation::Checked::Valid;
use gltf_json::validation::USize64;
use net::{Net, Volume};
use std::fmt::Write;
use std::mem::size_of;

/// Triangles, right-handed with y up as glTF has it: east is +x, up +y, south (the world's +y) +z.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// World position from which the vertices are measured.
    pub anchor: [f64; 3],
    /// Vertices.
    pub positions: Vec<[f32; 3]>,
    /// Unit vectors that stand upright on the surface, out of what is solid: by the noise's own gradient.
    pub normals: Vec<[f32; 3]>,
    /// Three for each triangle, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Why there is no mesh, or none can be written.
#[derive(Debug, thiserror::Error)]
pub enum MeshError {
    /// The density could not be evaluated.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// There is nothing to write.
    #[error("a mesh without triangles cannot be written as glTF; allowed: one or more triangles")]
    Empty,
    /// The mesh could not be written as JSON.
    #[error("glTF: {0}")]
    Text(#[from] serde_json::Error),
}

/// Edge of the largest volume, in samples.
const LARGEST: u32 = 1024;

/// Steps that a vertex's place in its cell is rounded to: so few that a vertex which two chunks have is the same number in both.
const STEPS: f64 = 4096.0;

/// The samples of a chunk of `cells`³ cells of the world cut into such chunks, for [`surface`]: two more along each axis than cells. Chunks
/// side by side then have every triangle once, and vertices along their borders twice, at the same place: what is closed in the world
/// is closed in their meshes together, with no gap between any two.
///
/// That holds for chunks of one level. Where spacing is a power of two, the places are equal bit for bit, else within a rounding of f32.
///
/// ```
/// let chunk = orogen::mesh::chunk([1, 0, -1], 32);
/// assert_eq!((chunk.origin, chunk.size), ([32, 0, -32], [34; 3]));
/// ```
pub fn chunk(at: [i64; 3], cells: u32) -> Region {
    let size = [cells.saturating_add(2); 3];
    Region { origin: at.map(|i| i.saturating_mul(i64::from(cells))), size, ..Region::plane(1, 1) }
}

/// The surface of what is solid, where the density is more than `at`, by surface nets (Gibson 1998): a vertex for every sheet of the surface in
/// a cell of samples, so that each edge inside the region belongs to two triangles, in opposite directions: the mesh is closed and
/// oriented. Where the surface passes through no cell, a mesh without triangles.
///
/// Triangles are made inside the region: those along its borders need cells on both sides. To cut a world into chunks take
/// [`chunk`].
///
/// # Errors
/// An invalid noise or region, or one that is no volume.
pub fn surface(engine: &Engine, density: &Noise, region: &Region, at: f64) -> Result<Mesh, MeshError> {
    if region.size.iter().any(|size| !(2..=LARGEST).contains(size)) {
        let error =
            RegionError { what: "size", value: format!("{:?}", region.size), allowed: "a volume of 2 to 1024 samples along each axis" };
        return Err(EngineError::from(error).into());
    }
    let density = engine.prepare(density)?;
    let field = density.field(region)?;
    let distances: Vec<f32> = field.values.iter().map(|&value| (at - f64::from(value)) as f32).collect();
    let Net { points, triangles } = Volume { distances: &distances, size: region.size.map(|n| n as usize) }.net();
    let (anchor, step) = (region.position([0; 3]), region.step());
    let vertices: Vec<[f64; 3]> = points.into_iter().map(|point| point.map(|x| (x * STEPS).round() / STEPS * step)).collect();
    let places: Vec<[f64; 3]> = vertices.iter().map(|vertex| std::array::from_fn(|a| anchor[a] + vertex[a])).collect();
    let normal = |sample: &crate::field::Sample| {
        let [x, y, z] = sample.gradient.unwrap_or_default();
        let length = libm::sqrt(x * x + y * y + z * z).max(f64::MIN_POSITIVE);
        [-x / length, -z / length, -y / length].map(|c| c as f32)
    };
    let normals: Vec<[f32; 3]> = density.sample(&places, Gradient::With)?.iter().map(normal).collect();
    let positions: Vec<[f32; 3]> = vertices.iter().map(|&[x, y, z]| [x, z, y].map(|c| c as f32)).collect();
    // With z up in place of y what was anticlockwise is clockwise.
    let triangles = triangles.into_iter().map(|[a, b, c]| [a, c, b]).collect();
    Ok(Mesh { anchor, positions, normals, triangles })
}

impl Mesh {
    /// As Wavefront OBJ.
    pub fn obj(&self) -> String {
        let mut text = format!("# vertices are measured from {:?}\no surface\n", self.anchor);
        // Writing to memory cannot fail.
        for [x, y, z] in &self.positions {
            let _ = writeln!(text, "v {x} {y} {z}");
        }
        for [x, y, z] in &self.normals {
            let _ = writeln!(text, "vn {x} {y} {z}");
        }
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|i| i + 1);
            let _ = writeln!(text, "f {a}//{a} {b}//{b} {c}//{c}");
        }
        text
    }

    /// As binary glTF 2.0: one mesh, its anchor as the node's translation.
    ///
    /// # Errors
    /// A mesh without triangles, or the JSON writer's.
    pub fn glb(&self) -> Result<Vec<u8>, MeshError> {
        if self.triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        let [positions, normals] = [&self.positions, &self.normals].map(|all| bytemuck::cast_slice::<_, u8>(all));
        let triangles: &[u8] = bytemuck::cast_slice(&self.triangles);
        let binary = [positions, normals, triangles].concat();
        let mut root =
            gltf::Root { asset: gltf::Asset { generator: Some("orogen".to_owned()), ..Default::default() }, ..Default::default() };
        let buffer = root.push(gltf::Buffer {
            byte_length: USize64::from(binary.len()),
            uri: None,
            extensions: None,
            extras: gltf::Extras::default(),
        });
        let mut offset = 0;
        let mut view = |root: &mut gltf::Root, length: usize, target| {
            let view = root.push(gltf::buffer::View {
                buffer,
                byte_length: USize64::from(length),
                byte_offset: Some(USize64::from(offset)),
                byte_stride: None,
                target: Some(Valid(target)),
                extensions: None,
                extras: gltf::Extras::default(),
            });
            offset += length;
            view
        };
        let views = [
            view(&mut root, positions.len(), gltf::buffer::Target::ArrayBuffer),
            view(&mut root, normals.len(), gltf::buffer::Target::ArrayBuffer),
            view(&mut root, triangles.len(), gltf::buffer::Target::ElementArrayBuffer),
        ];
        let [lo, hi]: [fn(f32, f32) -> f32; 2] = [f32::min, f32::max];
        let extent = |pick: fn(f32, f32) -> f32, start: f32| {
            let all = self.positions.iter().fold([start; 3], |m, p| std::array::from_fn(|a| pick(m[a], p[a])));
            Some(gltf::Value::from(all.to_vec()))
        };
        let accessor = |view, count, component, kind, min, max| gltf::Accessor {
            buffer_view: Some(view),
            byte_offset: Some(USize64(0)),
            count: USize64::from(count),
            component_type: Valid(gltf::accessor::GenericComponentType(component)),
            extensions: None,
            extras: gltf::Extras::default(),
            type_: Valid(kind),
            min,
            max,
            normalized: false,
            sparse: None,
        };
        use gltf::accessor::{ComponentType, Type};
        let count = self.positions.len();
        let ends = (extent(lo, f32::INFINITY), extent(hi, f32::NEG_INFINITY));
        let positions = root.push(accessor(views[0], count, ComponentType::F32, Type::Vec3, ends.0, ends.1));
        let normals = root.push(accessor(views[1], count, ComponentType::F32, Type::Vec3, None, None));
        let indices = root.push(accessor(views[2], 3 * self.triangles.len(), ComponentType::U32, Type::Scalar, None, None));
        let attributes = [(Valid(gltf::mesh::Semantic::Positions), positions), (Valid(gltf::mesh::Semantic::Normals), normals)];
        let primitive = gltf::mesh::Primitive {
            attributes: attributes.into_iter().collect(),
            extensions: None,
            extras: gltf::Extras::default(),
            indices: Some(indices),
            material: None,
            mode: Valid(gltf::mesh::Mode::Triangles),
            targets: None,
        };
        let mesh = root.push(gltf::Mesh { extensions: None, extras: gltf::Extras::default(), primitives: vec![primitive], weights: None });
        let [x, y, z] = self.anchor;
        let translation = Some([x, z, y].map(|c| c as f32));
        let node = root.push(gltf::Node { mesh: Some(mesh), translation, ..Default::default() });
        root.push(gltf::Scene { extensions: None, extras: gltf::Extras::default(), nodes: vec![node] });
        let mut json = gltf::serialize::to_vec(&root)?;
        json.resize(json.len().next_multiple_of(4), b' ');
        // The container: a header, then two chunks, each with its length and kind (glTF 2.0, section 4.4).
        let words = 3 * size_of::<u32>() + 2 * 2 * size_of::<u32>();
        let mut out = Vec::with_capacity(words + json.len() + binary.len());
        out.extend(b"glTF");
        out.extend(2_u32.to_le_bytes());
        out.extend(((words + json.len() + binary.len()) as u32).to_le_bytes());
        for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &binary)] {
            out.extend((chunk.len() as u32).to_le_bytes());
            out.extend(kind);
            out.extend(chunk);
        }
        Ok(out)
    }
}
