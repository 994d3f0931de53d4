//! Code compiled for each relevant instruction set, and once for one number at a time. The latter serves the oracle, processors
//! without such an instruction set, and calls of a few points. The number of versions determines the library's compile time.

use super::lanes::{CHUNK, LANES};
use fearless_simd::Level;
use std::sync::atomic::{AtomicBool, Ordering};

/// The instruction set for a block, and the number of its lanes.
#[derive(Clone, Copy, Debug)]
pub struct Dispatch {
    /// `None` for a processor whose instruction set has no separate code.
    level: Option<Level>,
    /// Whether the samples are so few that they are computed one number at a time.
    few: bool,
    /// The lanes to compute, in whole vectors.
    pub lanes: usize,
}

/// Whether the widest instruction set is disabled.
static NARROW: AtomicBool = AtomicBool::new(false);

/// Disables the widest instruction set (AVX-512) from now on, to measure the others.
pub fn narrow() {
    NARROW.store(true, Ordering::Relaxed);
}

/// The instruction set of this machine.
pub fn level() -> Level {
    let best = Level::new();
    #[cfg(target_arch = "x86_64")]
    if let Some(set) = best.as_avx2().filter(|_| NARROW.load(Ordering::Relaxed)) {
        return Level::Avx2(set);
    }
    best
}

/// Number of points up to which vectors are not worthwhile.
const FEW: usize = 4;

impl Dispatch {
    /// All lanes, with this instruction set. One without separate code computes one number at a time.
    pub fn new(level: Level) -> Self {
        let known = match level {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) | Level::Avx2(_) => true,
            #[cfg(target_arch = "aarch64")]
            Level::Neon(_) => true,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::WasmSimd128(_) => true,
            _ => false,
        };
        Dispatch { level: known.then_some(level), few: false, lanes: LANES }
    }

    /// The first `count` samples of a row.
    pub fn row<R>(self, count: usize) -> Self {
        if self.is_plain::<R>() { Dispatch { lanes: count, ..self } } else { Dispatch { lanes: count.next_multiple_of(CHUNK), ..self } }
    }

    /// A number of points; a few of them are computed one by one.
    pub fn points<R>(self, count: usize) -> Self {
        if count <= FEW { Dispatch { few: true, lanes: count, ..self } } else { self.row::<R>(count) }
    }

    /// Whether the points are so few that they are computed one by one despite an instruction set.
    pub fn is_few<R>(self) -> bool {
        self.few && size_of::<R>() == 4 && self.level.is_some()
    }

    /// In vectors again, for this number of instances of one sample.
    pub fn abreast<R>(self, count: usize) -> Self {
        Dispatch { few: false, ..self }.row::<R>(count)
    }

    /// All lanes again, with the instruction set.
    pub fn whole(self) -> Self {
        Dispatch { few: false, lanes: LANES, ..self }
    }

    /// The instruction set; `None`: one number at a time.
    #[inline(always)]
    pub fn level(self) -> Option<Level> {
        if self.few { None } else { self.level }
    }

    /// The instruction set of a module with vectors, also for a few samples.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    #[inline(always)]
    pub fn simd128(self) -> fearless_simd::WasmSimd128 {
        match self.level {
            Some(Level::WasmSimd128(set)) => set,
            _ => unreachable!("invariant: a module with vectors has their instruction set"),
        }
    }

    /// Whether numbers of this type are computed one at a time.
    #[inline(always)]
    pub fn is_plain<R>(self) -> bool {
        size_of::<R>() != 4 || self.level().is_none()
    }

    /// Whether a register of the instruction set holds a chunk.
    pub fn is_wide(self) -> bool {
        match self.level() {
            #[cfg(target_arch = "x86_64")]
            Some(Level::Avx512(_)) => true,
            _ => false,
        }
    }

    /// Without the widest instruction set, for code that is too rare to be compiled for it.
    pub fn narrow(self) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(set) = self.level.and_then(Level::as_avx2) {
            return Dispatch { level: Some(Level::Avx2(set)), ..self };
        }
        self
    }
}

/// Whether code for samples that share nothing is compiled for the widest vectors. In WebAssembly, every operation of such a vector
/// is four instructions, so only rows have that code.
pub const WIDE: bool = !cfg!(target_family = "wasm");

/// Runs statements by a [`Dispatch`]; `$token` is the token for making vectors. All functions that the statements call must be
/// `#[inline(always)]`, or they are compiled without the instruction set.
///
/// `plain: false`: there is no code for one number at a time, so callers must check [`Dispatch::is_plain`] first. `wide: false`:
/// there is no code for the widest instruction set, and the next one is used. In WebAssembly, such code has vectors of four
/// numbers, and computes a few samples as one vector. `eight: true`: with AVX2, vectors have eight numbers, in one register each.
macro_rules! vectorised {
    ($R:ty, $simd:expr, $token:ident => $body:expr) => {
        $crate::cpu::simd::vectorised!($R, $simd, plain: true, wide: true, $token => $body)
    };
    ($R:ty, $simd:expr, plain: $plain:expr, wide: $wide:expr, $token:ident => $body:expr) => {
        $crate::cpu::simd::vectorised!($R, $simd, plain: $plain, wide: $wide, eight: false, $token => $body)
    };
    ($R:ty, $simd:expr, plain: $plain:expr, wide: $wide:expr, eight: $eight:expr, $token:ident => $body:expr) => {{
        #[allow(unused_imports, reason = "a target without instruction sets has no vectors")]
        use $crate::cpu::simd::vector::ScalarToken;
        let dispatch: $crate::cpu::simd::Dispatch = if const { $wide } { $simd } else { $simd.narrow() };
        let lanes = dispatch.lanes;
        #[allow(unused_macros, reason = "as above")]
        macro_rules! with {
            ($vectors:path, $set:expr) => {{
                use $vectors as Vectors;
                let set = $set;
                fearless_simd::Simd::vectorize(
                    set,
                    #[inline(always)]
                    || {
                        let $token = Vectors { set, lanes };
                        $body
                    },
                )
            }};
        }
        match dispatch.level() {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            _ if const { size_of::<$R>() == 4 && !$wide } => {
                let $token = $crate::cpu::simd::quad::QuadToken { set: dispatch.simd128(), lanes };
                $body
            }
            #[cfg(target_arch = "x86_64")]
            Some(fearless_simd::Level::Avx512(set)) if const { size_of::<$R>() == 4 && $wide } => with!($crate::cpu::simd::vector::SimdToken, set),
            #[cfg(target_arch = "x86_64")]
            Some(fearless_simd::Level::Avx2(set)) if const { size_of::<$R>() == 4 && $eight } => {
                with!($crate::cpu::simd::oct::OctToken, set)
            }
            #[cfg(target_arch = "x86_64")]
            Some(fearless_simd::Level::Avx2(set)) if const { size_of::<$R>() == 4 } => with!($crate::cpu::simd::vector::SimdToken, set),
            #[cfg(target_arch = "aarch64")]
            Some(fearless_simd::Level::Neon(set)) if const { size_of::<$R>() == 4 } => with!($crate::cpu::simd::vector::SimdToken, set),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Some(fearless_simd::Level::WasmSimd128(set)) if const { size_of::<$R>() == 4 && $wide } => with!($crate::cpu::simd::vector::SimdToken, set),
            _ if const { $plain } => {
                let $token = ScalarToken { lanes };
                $body
            }
            _ => unreachable!("invariant: what has no plain code is not asked to run plain"),
        }
    }};
}
pub(crate) use vectorised;

/// Runs statements for every vector of a block.
macro_rules! for_vectors {
    ($R:ty, $token:ident, $at:ident => $statements:expr) => {{
        let width = $crate::cpu::simd::real::width::<$R, _>($token);
        for vector in 0..$crate::cpu::simd::vector::Token::lanes($token) / width {
            let $at = vector * width;
            $statements;
        }
    }};
}
pub(crate) use for_vectors;
