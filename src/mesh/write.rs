//! Meshes as files: Wavefront OBJ, binary glTF, PLY.

use super::{Mesh, MeshError};
use gltf_json as gltf;
use gltf_json::validation::Checked::Valid;
use gltf_json::validation::USize64;
use std::fmt::Write;
use std::mem::size_of;

/// The container of a binary glTF: a header, then two chunks, each with its length and kind (glTF 2.0, section 4.4).
fn contained(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let words = 3 * size_of::<u32>() + 2 * 2 * size_of::<u32>();
    let mut out = Vec::with_capacity(words + json.len() + binary.len());
    out.extend(b"glTF");
    out.extend(2_u32.to_le_bytes());
    out.extend(((words + json.len() + binary.len()) as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", binary)] {
        out.extend((chunk.len() as u32).to_le_bytes());
        out.extend(kind);
        out.extend(chunk);
    }
    out
}

/// Maximum size of the numbers in a glTF: the container stores its length in 32 bits, and contains a description as well.
const LARGEST: u64 = u32::MAX as u64 - (1 << 16);

impl Mesh {
    /// As Wavefront OBJ.
    pub fn obj(&self) -> String {
        let mut text = format!("# x is east, y up, z south; vertices are relative to {:?}\no surface\n", self.anchor);
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
    /// Returns an error if the mesh has no triangles, or if the file would reach 4 GiB, and the errors of the JSON writer.
    pub fn glb(&self) -> Result<Vec<u8>, MeshError> {
        if self.triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        let [positions, normals] = [&self.positions, &self.normals].map(|all| bytemuck::cast_slice::<_, u8>(all));
        let parts = [positions, normals, bytemuck::cast_slice(&self.triangles)];
        let lengths = parts.map(<[u8]>::len);
        let bytes = lengths.iter().sum::<usize>() as u64;
        if bytes > LARGEST {
            return Err(MeshError::Large { bytes });
        }
        let mut json = gltf::serialize::to_vec(&self.described(lengths))?;
        json.resize(json.len().next_multiple_of(4), b' ');
        Ok(contained(&json, &parts.concat()))
    }

    /// The glTF description of its buffers, with the sizes in bytes of positions, normals and triangles.
    fn described(&self, lengths: [usize; 3]) -> gltf::Root {
        let mut root =
            gltf::Root { asset: gltf::Asset { generator: Some("orogen".to_owned()), ..Default::default() }, ..Default::default() };
        let buffer = root.push(gltf::Buffer {
            byte_length: USize64::from(lengths.iter().sum::<usize>()),
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
        use gltf::buffer::Target::{ArrayBuffer, ElementArrayBuffer};
        let views = [0, 1, 2].map(|part| view(&mut root, lengths[part], if part == 2 { ElementArrayBuffer } else { ArrayBuffer }));
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
        let translation = Some(self.anchor.map(|c| c as f32));
        let node = root.push(gltf::Node { mesh: Some(mesh), translation, ..Default::default() });
        root.push(gltf::Scene { extensions: None, extras: gltf::Extras::default(), nodes: vec![node] });
        root
    }

    /// As binary PLY (Turk 1994, *The PLY polygon file format*), with z up in the world's axes, as programs for scans and maps
    /// expect, and world positions as doubles.
    pub fn ply(&self) -> Vec<u8> {
        let mut out = format!("ply\nformat binary_little_endian 1.0\nelement vertex {}\n", self.positions.len()).into_bytes();
        for (kind, names) in [("double", ["x", "y", "z"]), ("float", ["nx", "ny", "nz"])] {
            out.extend(names.iter().flat_map(|name| format!("property {kind} {name}\n").into_bytes()));
        }
        out.extend(format!("element face {}\nproperty list uchar uint vertex_indices\nend_header\n", self.triangles.len()).bytes());
        for (&[x, up, y], &[nx, nup, ny]) in self.positions.iter().zip(&self.normals) {
            let [east, height, south] = self.anchor;
            out.extend([east + f64::from(x), south + f64::from(y), height + f64::from(up)].into_iter().flat_map(f64::to_le_bytes));
            out.extend([nx, ny, nup].into_iter().flat_map(f32::to_le_bytes));
        }
        // With y and z exchanged, anticlockwise becomes clockwise.
        for [a, b, c] in &self.triangles {
            out.push(3);
            out.extend([a, c, b].into_iter().flat_map(|i| i.to_le_bytes()));
        }
        out
    }
}
