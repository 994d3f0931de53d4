//! Tables → bytes, laid out by encase as WGSL lays out the structs of `shaders/lib`; a test compares the two.

use crate::frame::{Fixed as HostFixed, Frame as HostFrame, Grid, words};
use crate::program::{SplinePoint as HostPoint, Tables, narrow};
use encase::{ShaderType, StorageBuffer, UniformBuffer};
use glam::{IVec3, UVec2, UVec3, Vec3};

/// `Origin` of `frame.wgsl`.
#[derive(Clone, Copy, Debug, ShaderType)]
pub(crate) struct Origin {
    cell: UVec3,
    first_x: u32,
    upper: UVec3,
    first_y: u32,
    lower: UVec3,
    first_z: u32,
}

/// `Fixed` of `frame.wgsl`.
#[derive(Clone, Copy, Debug, ShaderType)]
pub(crate) struct Fixed {
    cell: UVec3,
    upper: UVec3,
    lower: UVec3,
}

/// `Frame` of `frame.wgsl`.
#[derive(Clone, Copy, Debug, ShaderType)]
pub(crate) struct Frame {
    step_x: Fixed,
    step_y: Fixed,
    step_z: Fixed,
    linear_x: Vec3,
    linear_y: Vec3,
    linear_z: Vec3,
    period: IVec3,
    samples: UVec3,
    seed: u32,
}

/// `SplinePoint` of `spline.wgsl`.
#[derive(Clone, Copy, Debug, ShaderType)]
pub(crate) struct SplinePoint {
    at: f32,
    value: f32,
    anchor: f32,
    inverse_width: f32,
}

/// `Dispatch` of `dispatch.wgsl`.
#[derive(Clone, Copy, Debug, ShaderType)]
pub(crate) struct Dispatch {
    pub size: UVec3,
    pub stride: u32,
    pub at: UVec3,
    pub strength: f32,
    pub scale: f32,
    pub offset: f32,
}

impl Dispatch {
    /// A dispatch whose values are written as they are.
    pub fn plain(size: UVec3, stride: u32) -> Self {
        Dispatch { size, stride, at: UVec3::ZERO, strength: 1.0, scale: 1.0, offset: 0.0 }
    }
}

impl From<[HostFixed; 3]> for Fixed {
    fn from(q: [HostFixed; 3]) -> Self {
        let [x, y, z] = q.map(words);
        let pick = |i: usize| UVec3::new(x[i], y[i], z[i]);
        Fixed { cell: pick(0), upper: pick(1), lower: pick(2) }
    }
}

fn frame((frame, grid): (&HostFrame, &Grid)) -> Frame {
    let [step_x, step_y, step_z] = grid.step.map(Fixed::from);
    let column = |c: glam::DVec3| Vec3::from(c.to_array().map(narrow));
    let linear = frame.local;
    Frame {
        step_x,
        step_y,
        step_z,
        linear_x: column(linear.x_axis),
        linear_y: column(linear.y_axis),
        linear_z: column(linear.z_axis),
        period: IVec3::from(frame.period),
        samples: UVec3::from(grid.samples),
        seed: frame.seed,
    }
}

/// The bytes of every table that all dispatches of a program at one spacing share, in binding order 1 to 3, 5, 6.
pub(crate) struct Bytes {
    pub scalars: Vec<u8>,
    pub spans: Vec<u8>,
    pub frames: Vec<u8>,
    pub series: Vec<u8>,
    pub points: Vec<u8>,
}

impl Bytes {
    pub fn new(tables: &Tables, grids: &[Grid]) -> Self {
        let Tables { scalars, spans, frames, series, points } = tables;
        let point = |p: &HostPoint| SplinePoint {
            at: narrow(p.at),
            value: narrow(p.value),
            anchor: narrow(p.anchor),
            inverse_width: narrow(p.inverse_width),
        };
        Bytes {
            scalars: storage(scalars.iter().map(|&x| narrow(x)).collect()),
            spans: storage(spans.iter().map(|&s| UVec2::from(s)).collect()),
            frames: storage(frames.iter().zip(grids).map(frame).collect()),
            series: storage(series.iter().map(|&x| narrow(x)).collect()),
            points: storage(points.iter().map(point).collect()),
        }
    }
}

/// The bytes of a table of lattice origins.
pub(crate) fn origins(origins: impl Iterator<Item = ([HostFixed; 3], [u32; 3])>) -> Vec<u8> {
    let origin = |(q, [first_x, first_y, first_z]): ([HostFixed; 3], [u32; 3])| {
        let Fixed { cell, upper, lower } = Fixed::from(q);
        Origin { cell, first_x, upper, first_y, lower, first_z }
    };
    storage(origins.map(origin).collect())
}

/// The bytes of every table by its name in the shaders, at least one element of each.
#[cfg(feature = "export")]
pub(crate) fn tables(tables: &Tables, grids: &[Grid]) -> [(&'static str, Vec<u8>); 6] {
    let Bytes { scalars, spans, frames, series, points } = Bytes::new(tables, grids);
    let origins = origins(grids.iter().map(|grid| (grid.origin, grid.first)));
    let cut = |mut bytes: Vec<u8>, count: usize, size: u64| {
        bytes.truncate(count.max(1) * size as usize);
        bytes
    };
    [
        ("scalars", cut(scalars, tables.scalars.len(), 4)),
        ("spans", cut(spans, tables.spans.len(), 8)),
        ("frames", cut(frames, tables.frames.len(), Frame::min_size().get())),
        ("origins", cut(origins, grids.len(), origin_size())),
        ("series", cut(series, tables.series.len(), 4)),
        ("points", cut(points, tables.points.len(), SplinePoint::min_size().get())),
    ]
}

/// The bytes of the uniform.
pub(crate) fn dispatch(dispatch: Dispatch) -> Vec<u8> {
    let mut buffer = UniformBuffer::new(Vec::new());
    // Writing into a Vec only fails when memory is exhausted, which aborts by itself.
    let _ = buffer.write(&dispatch);
    buffer.into_inner()
}

/// Bytes of the uniform.
pub(crate) fn dispatch_size() -> u64 {
    Dispatch::min_size().get()
}

/// Bytes of a frame.
pub(crate) fn frame_size() -> u64 {
    Frame::min_size().get()
}

/// Bytes of a control point.
pub(crate) fn point_size() -> u64 {
    SplinePoint::min_size().get()
}

/// Bytes of one origin.
pub(crate) fn origin_size() -> u64 {
    Origin::min_size().get()
}

fn storage<T>(items: Vec<T>) -> Vec<u8>
where
    Vec<T>: ShaderType + encase::internal::WriteInto,
{
    let mut buffer = StorageBuffer::new(Vec::new());
    // See `dispatch`.
    let _ = buffer.write(&items);
    let mut bytes = buffer.into_inner();
    // A binding cannot be empty; nothing reads what stands here then.
    bytes.resize(bytes.len().max(256), 0);
    bytes
}

#[cfg(test)]
mod tests {
    use crate::gpu::layout::*;
    /// Offsets and size of a struct as naga lays it out.
    fn of_naga(name: &str) -> (Vec<(String, u32)>, u32) {
        let mut source = crate::gpu::wgsl::library::closure(&["dispatch"], false).expect("library");
        source.push_str(&crate::gpu::wgsl::tables::Memory::Uniform.declarations(crate::gpu::Output::Samples { gradient: false }));
        let module = naga::front::wgsl::parse_str(&source).expect("library parses");
        let found = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name)).expect("struct exists");
        let naga::TypeInner::Struct { members, span } = &found.1.inner else { panic!("{name} is no struct") };
        (members.iter().map(|m| (m.name.clone().unwrap_or_default(), m.offset)).collect(), *span)
    }

    macro_rules! same {
        ($name:ident: $($index:literal $field:ident),+) => {
            let (members, span) = of_naga(stringify!($name));
            let ours = vec![ $((stringify!($field).to_owned(), $name::METADATA.offset($index) as u32)),+ ];
            assert_eq!(ours, members, stringify!($name));
            assert_eq!($name::min_size().get(), u64::from(span), stringify!($name));
        };
    }

    #[test]
    fn structs_have_nagas_offsets() {
        same!(Fixed: 0 cell, 1 upper, 2 lower);
        same!(Origin: 0 cell, 1 first_x, 2 upper, 3 first_y, 4 lower, 5 first_z);
        same!(Frame: 0 step_x, 1 step_y, 2 step_z, 3 linear_x, 4 linear_y, 5 linear_z, 6 period, 7 samples, 8 seed);
        same!(SplinePoint: 0 at, 1 value, 2 anchor, 3 inverse_width);
        same!(Dispatch: 0 size, 1 stride, 2 at, 3 strength, 4 scale, 5 offset);
    }
}
