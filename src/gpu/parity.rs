//! The rounding of kernels, and the agreement of their bits with the CPU's.

/// The rounding of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Every operation is rounded separately, with the same bits as the CPU. Requires Vulkan.
    Exact,
    /// The driver may contract and reassociate operations, with differences of a few ulp.
    Fast,
}

/// The agreement of a backend's bits with the CPU's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// Results have the same bits as the CPU's f32. A dispatch at start-up verifies this.
    Exact,
    /// Within bounds around the CPU's f32, which docs/design/exactness.md states.
    Bounded,
}
