//! The text of the kernels of passes, and their compilation.

use crate::gpu::kernel::output_layout;
use crate::gpu::store::StoreKernel;
use crate::gpu::wgsl::library::closure;
use crate::gpu::{Context, GpuError, Output, lock};
use crate::schedule::pass::{ReadInfo, WriteInfo};
use crate::schedule::passes::passes;
use crate::schedule::{Pass, PassInfo, Schedule};
use encase::ShaderType;
use glam::{IVec2, UVec2, Vec4};
use std::fmt::Write;
use std::sync::{Arc, OnceLock};

macro_rules! text {
    ($file:ident) => {
        (stringify!($file), include_str!(concat!("../../shaders/passes/", stringify!($file), ".wgsl")))
    };
}

macro_rules! files {
    ($( $file:ident { $($entry:tt)* } )+) => {
        /// The files of the table of passes by name, and those of the other kernels.
        const FILES: &[(&str, &str)] = &[ $( text!($file), )+ text!(split), text!(spread), text!(store) ];
    };
}
passes!(files);

const HEAD: &str = include_str!("../../shaders/passes/head.wgsl");

/// Threads along x and y of a workgroup.
pub(super) const EDGE: u32 = 16;
/// The components of a vector.
const AXES: [&str; 4] = ["x", "y", "z", "w"];

/// A kernel: that of a pass, the one that splits jets into value and gradient, the one that spreads a plane of the coarser grid, or one
/// that writes a layer to a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PassKey {
    Pass(Pass),
    Split,
    Spread,
    Store(StoreKernel),
}

impl PassKey {
    fn info(self) -> PassInfo {
        match self {
            PassKey::Pass(pass) => pass.info(),
            PassKey::Split => SPLIT,
            PassKey::Spread => SPREAD,
            PassKey::Store(store) => store.info(),
        }
    }
}

/// The kernel that splits jets, which are its table.
const SPLIT: PassInfo = PassInfo {
    file: "split",
    function: "split_jets",
    reads: &[],
    numbers: &[],
    table: true,
    writes: &[WriteInfo { name: "value", over: None }, WriteInfo { name: "x", over: None }, WriteInfo { name: "y", over: None }],
};

/// The kernel that spreads a plane of the coarser grid, which is its table.
const SPREAD: PassInfo = PassInfo {
    file: "spread",
    function: "spread_coarser",
    reads: &[],
    numbers: &["odd_x", "odd_y", "halo", "width"],
    table: true,
    writes: &[WriteInfo { name: "value", over: None }],
};

/// A compiled pass.
#[derive(Debug)]
pub(crate) struct PassKernel {
    pub pipeline: wgpu::ComputePipeline,
    pub layout: wgpu::BindGroupLayout,
}

pub(crate) type CompiledPass = Arc<OnceLock<Result<Arc<PassKernel>, GpuError>>>;

/// `GpuHead` of `head.wgsl`.
#[derive(Clone, Copy, Debug, ShaderType)]
pub(super) struct GpuHead {
    pub size: IVec2,
    pub first: UVec2,
    pub count: UVec2,
    pub index: UVec2,
    pub numbers: [Vec4; 4],
    pub level: u32,
}

/// The reads with a buffer of their own. Other reads share the buffer of a write that replaces them.
pub(super) fn own_reads(info: &PassInfo) -> impl Iterator<Item = (usize, &'static ReadInfo)> {
    info.reads.iter().enumerate().filter(|(read, _)| info.overwritten(*read).is_none())
}

/// The buffers that a kernel binds after the head, in order: whether each is read-only.
fn bindings(info: &PassInfo) -> Vec<bool> {
    let reads = own_reads(info).map(|_| true);
    std::iter::once(true).filter(|_| info.table).chain(reads).chain(info.writes.iter().map(|_| false)).collect()
}

/// The functions and structures of a file that `function` needs, including itself, in their order. Others are omitted, since they use
/// planes and numbers of other passes.
fn needed(text: &str, function: &str) -> String {
    let declared = |line: &str| -> Option<String> {
        let rest = line.strip_prefix("fn ").or_else(|| line.strip_prefix("struct "))?;
        Some(rest.split(['(', ' ']).next()?.to_owned())
    };
    let name = |part: &str| part.lines().find_map(declared);
    let parts: Vec<(String, &str)> = text.split("\n\n").filter_map(|part| Some((name(part)?, part.trim_end()))).collect();
    let mut wanted = vec![function.to_owned()];
    let mut next = 0;
    while let Some(caller) = wanted.get(next).cloned() {
        let bodies = parts.iter().filter(|(name, _)| *name == caller).map(|(_, part)| *part);
        // A structure is called to make one.
        let called = bodies.flat_map(|body| parts.iter().filter(move |(name, _)| body.contains(&format!("{name}("))));
        for (name, _) in called {
            if !wanted.contains(name) {
                wanted.push(name.clone());
            }
        }
        next += 1;
    }
    parts.iter().filter(|(name, _)| wanted.contains(name)).map(|(_, part)| *part).collect::<Vec<_>>().join("\n\n")
}

/// Declares the buffers of a pass, and the functions that read its planes and numbers by name.
fn names(out: &mut String, info: &PassInfo) {
    let mut binding = 0;
    let mut declare = |out: &mut String, name: &str, access: &str| {
        binding += 1;
        let _ = writeln!(out, "@group(0) @binding({binding}) var<storage, {access}> {name}: array<f32>;");
    };
    if info.table {
        declare(out, "table_values", "read");
    }
    for (_, read) in own_reads(info) {
        declare(out, &format!("read_{}", read.name), "read");
    }
    for write in info.writes {
        declare(out, &format!("write_{}", write.name), "read_write");
    }
    if info.table {
        out.push_str("\nfn table(k: u32) -> f32 {\n    return table_values[k];\n}\n");
    }
    for (i, ReadInfo { name, zero, .. }) in info.reads.iter().enumerate() {
        let value = match info.overwritten(i) {
            Some(write) => format!("write_{}[head_held(at)]", info.writes[write].name),
            None if *zero => format!("select(0.0, read_{name}[head_held(at)], head_inside(at))"),
            None => format!("read_{name}[head_held(at)]"),
        };
        let _ = writeln!(out, "\nfn field_{name}(at: vec2<i32>) -> f32 {{\n    return {value};\n}}");
    }
    for (i, name) in info.numbers.iter().enumerate() {
        let _ = writeln!(out, "\nfn number_{name}() -> f32 {{\n    return head.numbers[{}].{};\n}}", i / 4, AXES[i % 4]);
    }
}

/// The complete text of a pass's kernel.
pub(crate) fn source(key: PassKey) -> Result<String, String> {
    let info = key.info();
    let text = FILES.iter().find(|(name, _)| *name == info.file).map(|(_, text)| *text).ok_or("no such file")?;
    let required = text.lines().filter_map(|line| line.strip_prefix("// requires:")).flat_map(str::split_whitespace);
    let roots: Vec<&str> = required.chain(["real"]).collect();
    let library = closure(&roots, false).map_err(|error| error.to_string())?;
    let mut out = format!("{library}\n{HEAD}\n// The pass: {}.wgsl.\n\n{}\n\n", info.file, needed(text, info.function));
    names(&mut out, &info);
    if let PassKey::Store(store) = key {
        out.push_str(&store.declaration());
    }
    let _ = writeln!(
        out,
        "\n@compute @workgroup_size({EDGE}, {EDGE}, 1)\nfn main(@builtin(global_invocation_id) id: vec3<u32>) {{\n    \
         if (id.x >= head.count.x || id.y >= head.count.y) {{\n        return;\n    }}\n    \
         let at = vec2<i32>(head.first + id.xy);\n    let found = {}(at);\n    let i = head_held(at);",
        info.function
    );
    if let PassKey::Store(store) = key {
        out.push_str(&store.text());
    }
    for (i, write) in info.writes.iter().enumerate() {
        let part = if info.writes.len() == 1 { String::new() } else { format!(".{}", AXES[i]) };
        let _ = writeln!(out, "    write_{}[i] = real_unsigned_zero(found{part});", write.name);
    }
    out.push_str("}\n");
    Ok(out)
}

/// The name of each pass and the complete text of its kernel, for the test of the arithmetic contract.
pub fn pass_kernels() -> Vec<(String, String)> {
    let all = Pass::ALL
        .iter()
        .map(|&pass| PassKey::Pass(pass))
        .chain([PassKey::Split, PassKey::Spread])
        .chain(StoreKernel::all().map(PassKey::Store));
    all.map(|key| (format!("{key:?}"), source(key).unwrap_or_else(|error| error))).collect()
}

impl Context {
    pub(super) fn pass_kernel(&self, key: PassKey) -> Result<Arc<PassKernel>, GpuError> {
        let compiled = Arc::clone(lock(&self.passes).entry(key).or_default());
        let result = compiled.get_or_init(|| self.compile_pass(key).map(Arc::new)).clone();
        if result.is_err() {
            // The next call tries again.
            lock(&self.passes).remove(&key);
        }
        result
    }

    fn compile_pass(&self, key: PassKey) -> Result<PassKernel, GpuError> {
        let target = match key {
            PassKey::Store(store) => Some(store.output),
            PassKey::Pass(_) | PassKey::Split | PassKey::Spread => None,
        };
        self.compute(source(key).map_err(GpuError::Refused)?, ([EDGE, EDGE, 1], true), &bindings(&key.info()), target)
    }

    /// Compiles a kernel whose group 0 has a head, with a dynamic offset or not, and storage buffers: whether each is read-only. Group 1
    /// is the target, if there is one.
    pub(super) fn compute(
        &self,
        source: String,
        (workgroup, has_dynamic_offset): ([u32; 3], bool),
        buffers: &[bool],
        target: Option<Output>,
    ) -> Result<PassKernel, GpuError> {
        let label = Some("orogen pass");
        let module = self.module(source, "orogen pass", workgroup)?;
        self.guarded(|| {
            let entry = |binding, ty, has_dynamic_offset| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
                count: None,
            };
            let storage = |(binding, read_only)| entry(binding, wgpu::BufferBindingType::Storage { read_only }, false);
            let head = entry(0, wgpu::BufferBindingType::Uniform, has_dynamic_offset);
            let entries: Vec<_> = std::iter::once(head).chain((1..).zip(buffers.iter().copied()).map(storage)).collect();
            let layout = self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
            let target = target.map(|output| output_layout(&self.device, output));
            let groups: Vec<_> = std::iter::once(Some(&layout)).chain(target.as_ref().map(Some)).collect();
            let pipelines = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label,
                bind_group_layouts: &groups,
                ..Default::default()
            });
            let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label,
                layout: Some(&pipelines),
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: self.cache.as_ref(),
            });
            PassKernel { pipeline, layout }
        })
    }

    /// The most samples of a block that this device can bind.
    pub(crate) fn largest_block(&self, schedule: &Schedule) -> u64 {
        let limits = self.device.limits();
        // Jets are in one buffer until they are split.
        let numbers = schedule.beside().max(1) as u64;
        limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) / (4 * numbers)
    }
}

#[cfg(test)]
pub(in crate::gpu) mod tests {
    use crate::gpu::passes::*;
    use encase::ShaderSize;

    #[test]
    fn every_pass_has_a_kernel_that_parses_and_declares_the_head_as_it_is_written() {
        for (_, text) in pass_kernels() {
            assert_head(&text, GpuHead::SHADER_SIZE.get(), |i| GpuHead::METADATA.offset(i));
        }
    }

    /// Fails unless a kernel declares a head with this size in bytes and these offsets of members.
    pub(in crate::gpu) fn assert_head(text: &str, size: u64, offset: impl Fn(usize) -> u64) {
        let module = naga::front::wgsl::parse_str(text).unwrap_or_else(|error| panic!("{}", error.emit_to_string(text)));
        let (_, head) = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some("Head")).expect("a head");
        let naga::TypeInner::Struct { members, span } = &head.inner else { panic!("Head is a struct") };
        assert_eq!(u64::from(*span), size);
        for (i, member) in members.iter().enumerate() {
            assert_eq!(u64::from(member.offset), offset(i), "{:?}", member.name);
        }
    }

    #[test]
    fn kernels_hold_what_their_pass_needs_and_no_more() {
        let text = "// A file.\n\nfn a_one() {}\n\n// Two.\nfn a_two() {\n    a_one();\n}\n\nfn a_three() {\n    a_two();\n}\n";
        assert_eq!(needed(text, "a_two"), "fn a_one() {}\n\n// Two.\nfn a_two() {\n    a_one();\n}");
        let text = "struct Two {\n    x: f32,\n}\n\nfn a_one() -> f32 {\n    return Two(1.0).x;\n}\n\nfn a_two() {}\n";
        assert_eq!(needed(text, "a_one"), "struct Two {\n    x: f32,\n}\n\nfn a_one() -> f32 {\n    return Two(1.0).x;\n}");
        let kernel = source(PassKey::Pass(Pass::HydraulicFlow)).expect("a kernel");
        assert!(kernel.contains("fn number_gravity()") && !kernel.contains("capacity"), "{kernel}");
    }

    #[test]
    fn names_are_prefixed_by_their_file() {
        for (file, text) in FILES {
            for line in text.lines().filter_map(|line| line.strip_prefix("fn ")) {
                assert!(line.starts_with(file), "{file}.wgsl: fn {line}");
            }
        }
    }
}
