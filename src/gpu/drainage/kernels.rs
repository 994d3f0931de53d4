//! The kernels of drainage: their text, from `shaders/drainage/`, and their compilation.

use crate::gpu::passes::PassKernel;
use crate::gpu::{Context, GpuError, lock};
use encase::ShaderType;
use glam::UVec2;
use std::sync::{Arc, OnceLock};

macro_rules! text {
    ($file:literal) => {
        include_str!(concat!("../../../shaders/drainage/", $file, ".wgsl"))
    };
}

const HEAD: &str = text!("head");
const GROUPS: &str = text!("groups");
const LOWEST: &str = text!("lowest");

/// Invocations of a workgroup.
pub(super) const GROUP: u32 = 256;

/// A kernel. It runs once for each cell of a square, and once for the end of all water that reaches an outlet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum WaterKernel {
    Receivers,
    Ends,
    LowestUnknown,
    LowestKey,
    LowestHash,
    LowestCell,
    Join,
    Sums,
}

impl WaterKernel {
    pub const ALL: [WaterKernel; 8] = [
        WaterKernel::Receivers,
        WaterKernel::Ends,
        WaterKernel::LowestUnknown,
        WaterKernel::LowestKey,
        WaterKernel::LowestHash,
        WaterKernel::LowestCell,
        WaterKernel::Join,
        WaterKernel::Sums,
    ];

    /// The function that it calls, and the files that it consists of.
    fn parts(self) -> (&'static str, &'static [&'static str]) {
        match self {
            WaterKernel::Receivers => ("receivers_of", &[text!("order"), text!("receivers")]),
            WaterKernel::Ends => ("ends_of", &[text!("ends")]),
            WaterKernel::LowestUnknown => ("lowest_unknown", &[GROUPS, LOWEST]),
            WaterKernel::LowestKey => ("lowest_key", &[GROUPS, LOWEST]),
            WaterKernel::LowestHash => ("lowest_hash", &[GROUPS, LOWEST]),
            WaterKernel::LowestCell => ("lowest_cell", &[GROUPS, LOWEST]),
            WaterKernel::Join => ("join_group", &[GROUPS, text!("join")]),
            WaterKernel::Sums => ("sums_double", &[text!("sums")]),
        }
    }

    /// The complete text.
    pub fn source(self) -> String {
        let (function, files) = self.parts();
        let files = files.join("\n");
        format!(
            "{HEAD}\n{files}\n@compute @workgroup_size({GROUP}, 1, 1)\nfn main(@builtin(global_invocation_id) id: vec3<u32>) {{\n    \
             if (id.x <= head_cells()) {{\n        {function}(id.x);\n    }}\n}}\n"
        )
    }
}

/// The buffers that a kernel binds after the head, in their order: whether each is read-only, as its text declares.
pub(super) fn bindings(source: &str) -> Vec<bool> {
    source.lines().filter(|line| line.contains("var<storage")).map(|line| line.contains("var<storage, read>")).collect()
}

/// `Head` of `head.wgsl`.
#[derive(Clone, Copy, Debug, Default, ShaderType)]
pub(super) struct WaterHead {
    pub size: UVec2,
    pub offset: UVec2,
    pub around: UVec2,
    pub index: UVec2,
    pub width: u32,
    pub seed: u32,
    pub sea: f32,
    pub flags: u32,
    pub sums: u32,
}

/// `HEAD_EDGE`, `HEAD_SEA` and `HEAD_MASK` of `head.wgsl`.
pub(super) const EDGE: u32 = 1;
pub(super) const SEA: u32 = 2;
pub(super) const MASK: u32 = 4;

impl Context {
    pub(super) fn water_kernel(&self, kernel: WaterKernel) -> Result<Arc<PassKernel>, GpuError> {
        let compiled: Arc<OnceLock<_>> = Arc::clone(lock(&self.water).entry(kernel).or_default());
        let compile = || {
            let source = kernel.source();
            let storage = bindings(&source);
            self.compute(source, ([GROUP, 1, 1], false), &storage, None).map(Arc::new)
        };
        let result = compiled.get_or_init(compile).clone();
        if result.is_err() {
            // The next call tries again.
            lock(&self.water).remove(&kernel);
        }
        result
    }
}

/// The name of each kernel and its complete text, for the test of the arithmetic contract.
pub fn water_kernels() -> Vec<(String, String)> {
    WaterKernel::ALL.map(|kernel| (format!("{kernel:?}"), kernel.source())).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::passes::tests::assert_head;
    use encase::ShaderSize;

    #[test]
    fn every_kernel_parses_and_declares_the_head_as_it_is_written() {
        for kernel in WaterKernel::ALL {
            let text = kernel.source();
            assert_head(&text, WaterHead::SHADER_SIZE.get(), |i| WaterHead::METADATA.offset(i));
            let storage = bindings(&text).len();
            assert!((1..=8).contains(&storage), "{kernel:?} binds {storage} buffers");
        }
    }
}
