//! The bytes of tables, in the layout of the structs in `shaders/lib`, by encase. A test compares the layouts with naga's.

use crate::frame::{Fixed as HostFixed, Frame as HostFrame, RegionGrid, words};
use crate::program::{SplinePoint as HostPoint, narrow};
use crate::raster::Surface;
use encase::{ShaderType, StorageBuffer, UniformBuffer};
use glam::{IVec4, UVec2, UVec3, Vec3};

/// `GpuOrigin` of `frame.wgsl`.
#[derive(Clone, Copy, Debug, ShaderType)]
pub(crate) struct GpuOrigin {
    cell: UVec3,
    first_x: u32,
    upper: UVec3,
    first_y: u32,
    lower: UVec3,
    first_z: u32,
}

/// `GpuFixed` of `frame.wgsl`.
#[derive(Clone, Copy, Debug, ShaderType)]
pub(crate) struct GpuFixed {
    cell: UVec3,
    upper: UVec3,
    lower: UVec3,
}

/// `GpuFrame` of `frame.wgsl`.
#[derive(Clone, Copy, Debug, ShaderType)]
pub(crate) struct GpuFrame {
    step_x: GpuFixed,
    step_y: GpuFixed,
    step_z: GpuFixed,
    linear_x: Vec3,
    linear_y: Vec3,
    linear_z: Vec3,
    period: IVec4,
    samples: UVec3,
    seed: u32,
}

/// `GpuSplinePoint` of `spline.wgsl`.
#[derive(Clone, Copy, Debug, ShaderType)]
pub(crate) struct GpuSplinePoint {
    at: f32,
    value: f32,
    anchor: f32,
    inverse_width: f32,
}

/// `GpuDispatch` of `dispatch.wgsl`.
#[derive(Clone, Copy, Debug, ShaderType)]
pub(crate) struct GpuDispatch {
    pub size: UVec3,
    pub stride: u32,
    pub at: UVec3,
    pub strength: f32,
    pub scale: f32,
    pub offset: f32,
}

impl GpuDispatch {
    /// A dispatch whose values are written unchanged.
    pub fn plain(size: UVec3, stride: u32) -> Self {
        GpuDispatch { size, stride, at: UVec3::ZERO, strength: 1.0, scale: 1.0, offset: 0.0 }
    }
}

impl From<[HostFixed; 3]> for GpuFixed {
    fn from(q: [HostFixed; 3]) -> Self {
        let [x, y, z] = q.map(words);
        let pick = |i: usize| UVec3::new(x[i], y[i], z[i]);
        GpuFixed { cell: pick(0), upper: pick(1), lower: pick(2) }
    }
}

fn frame((frame, grid): (&HostFrame, &RegionGrid)) -> GpuFrame {
    let [step_x, step_y, step_z] = grid.step.map(GpuFixed::from);
    let column = |c: glam::DVec3| Vec3::from(c.to_array().map(narrow));
    let linear = frame.local;
    GpuFrame {
        step_x,
        step_y,
        step_z,
        linear_x: column(linear.x_axis),
        linear_y: column(linear.y_axis),
        linear_z: column(linear.z_axis),
        period: IVec4::from(frame.period),
        samples: UVec3::from(grid.samples),
        seed: frame.seed,
    }
}

/// The bytes of a table of numbers.
pub(crate) fn numbers(numbers: &[f64]) -> Vec<u8> {
    storage(numbers.iter().map(|&x| narrow(x)).collect())
}

/// The bytes of a table of spans.
pub(crate) fn spans(spans: &[[u32; 2]]) -> Vec<u8> {
    storage(spans.iter().map(|&span| UVec2::from(span)).collect())
}

/// The bytes of a table of frames.
pub(crate) fn frames(frames: &[HostFrame], grids: &[RegionGrid]) -> Vec<u8> {
    storage(frames.iter().zip(grids).map(frame).collect())
}

/// The bytes of a table of control points.
pub(crate) fn points(points: &[HostPoint]) -> Vec<u8> {
    let point = |p: &HostPoint| GpuSplinePoint {
        at: narrow(p.at),
        value: narrow(p.value),
        anchor: narrow(p.anchor),
        inverse_width: narrow(p.inverse_width),
    };
    storage(points.iter().map(point).collect())
}

/// The bytes of rasters, in sequence.
pub(crate) fn heights(rasters: &[Surface]) -> Vec<u8> {
    let mut bytes: Vec<u8> = rasters.iter().flat_map(height_bytes).copied().collect();
    bytes.resize(bytes.len().max(SHORTEST), 0);
    bytes
}

/// The bytes of one raster.
pub(crate) fn height_bytes(raster: &Surface) -> &[u8] {
    bytemuck::cast_slice(&raster.values)
}

/// The bytes of a table of lattice origins.
pub(crate) fn origins(origins: impl Iterator<Item = ([HostFixed; 3], [u32; 3])>) -> Vec<u8> {
    let origin = |(q, [first_x, first_y, first_z]): ([HostFixed; 3], [u32; 3])| {
        let GpuFixed { cell, upper, lower } = GpuFixed::from(q);
        GpuOrigin { cell, first_x, upper, first_y, lower, first_z }
    };
    storage(origins.map(origin).collect())
}

/// The bytes of a dispatch's head.
pub(crate) fn dispatch(dispatch: GpuDispatch) -> Vec<u8> {
    let mut buffer = UniformBuffer::new(Vec::new());
    // encase fails only if the buffer is too small, but a `Vec` grows.
    let _ = buffer.write(&dispatch);
    buffer.into_inner()
}

/// Bytes of the shortest table.
const SHORTEST: usize = 256;

fn storage<T>(items: Vec<T>) -> Vec<u8>
where
    Vec<T>: ShaderType + encase::internal::WriteInto,
{
    let mut buffer = StorageBuffer::new(Vec::new());
    // Cannot fail: see `dispatch`.
    let _ = buffer.write(&items);
    let mut bytes = buffer.into_inner();
    // A binding cannot be empty. Kernels do not read the padding.
    bytes.resize(bytes.len().max(SHORTEST), 0);
    bytes
}

#[cfg(test)]
mod tests {
    use crate::gpu::layout::*;
    use crate::gpu::wgsl::memory::{KernelMemory, TableMemory};

    const UNIFORM: KernelMemory = KernelMemory { place: TableMemory::Uniform, rasters: false };

    /// Offsets and size of a struct of the shader library, as naga lays it out.
    fn of_naga(name: &str) -> (Vec<(String, u32)>, u32) {
        let mut source = crate::gpu::wgsl::library::closure(&["dispatch"], false).expect("library");
        source.push_str(&UNIFORM.declarations(crate::gpu::Output::Samples { gradient: false }));
        let module = naga::front::wgsl::parse_str(&source).expect("library parses");
        let found = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name)).expect("struct exists");
        let naga::TypeInner::Struct { members, span } = &found.1.inner else { panic!("{name} is not a struct") };
        (members.iter().map(|m| (m.name.clone().unwrap_or_default(), m.offset)).collect(), *span)
    }

    macro_rules! same {
        ($name:ident: $($index:literal $field:ident),+) => {
            let (members, span) = of_naga(stringify!($name).trim_start_matches("Gpu"));
            let ours = vec![ $((stringify!($field).to_owned(), $name::METADATA.offset($index) as u32)),+ ];
            assert_eq!(ours, members, stringify!($name));
            assert_eq!($name::min_size().get(), u64::from(span), stringify!($name));
        };
    }

    #[test]
    fn structs_have_nagas_offsets() {
        same!(GpuFixed: 0 cell, 1 upper, 2 lower);
        same!(GpuOrigin: 0 cell, 1 first_x, 2 upper, 3 first_y, 4 lower, 5 first_z);
        same!(GpuFrame: 0 step_x, 1 step_y, 2 step_z, 3 linear_x, 4 linear_y, 5 linear_z, 6 period, 7 samples, 8 seed);
        same!(GpuSplinePoint: 0 at, 1 value, 2 anchor, 3 inverse_width);
        same!(GpuDispatch: 0 size, 1 stride, 2 at, 3 strength, 4 scale, 5 offset);
    }
}
