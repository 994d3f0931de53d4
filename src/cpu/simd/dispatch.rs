//! Code compiled once for each instruction set that matters, and once one number at a time: for the oracle, for processors without
//! such an instruction set, and for calls of a few points. What is compiled how often decides how long the library takes to compile.

use super::lanes::{CHUNK, LANES};
use fearless_simd::Level;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a block is computed: with which instruction set, and how many of its lanes.
#[derive(Clone, Copy, Debug)]
pub struct Dispatch {
    /// `None`: a processor without one that has code of its own.
    level: Option<Level>,
    /// So few samples that they are computed one number at a time.
    few: bool,
    /// In whole vectors.
    pub lanes: usize,
}

/// Whether the widest instruction set is left alone.
static NARROW: AtomicBool = AtomicBool::new(false);

/// From now on the widest instruction set (AVX-512) is left alone: to measure what others have.
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

/// Points for which vectors are not worth filling.
const FEW: usize = 4;

impl Dispatch {
    /// All lanes, with this instruction set. One that has no code of its own computes one number at a time.
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

    /// The first so many samples of a row.
    pub fn row<R>(self, count: usize) -> Self {
        if self.is_plain::<R>() { Dispatch { lanes: count, ..self } } else { Dispatch { lanes: count.next_multiple_of(CHUNK), ..self } }
    }

    /// So many points: a few are computed one by one.
    pub fn points<R>(self, count: usize) -> Self {
        if count <= FEW { Dispatch { few: true, lanes: count, ..self } } else { self.row::<R>(count) }
    }

    /// Whether so few points are computed one by one although there is an instruction set.
    pub fn is_few<R>(self) -> bool {
        self.few && size_of::<R>() == 4 && self.level.is_some()
    }

    /// In vectors again: so many instances of one sample.
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

    /// Whether numbers of this type are computed one at a time.
    #[inline(always)]
    pub fn is_plain<R>(self) -> bool {
        size_of::<R>() != 4 || self.level().is_none()
    }

    /// Without the widest instruction set, for what is too rare to be compiled for that, too.
    pub fn narrow(self) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(set) = self.level.and_then(Level::as_avx2) {
            return Dispatch { level: Some(Level::Avx2(set)), ..self };
        }
        self
    }
}

/// Runs statements as a [`Dispatch`] says; `$token` names what the statements make vectors with. Whatever they call must be
/// `#[inline(always)]`, or it is compiled without the instruction set.
///
/// `plain: false`: there is no code for one number at a time, and whoever comes here has asked [`Dispatch::is_plain`]. `wide: false`:
/// there is none for the widest instruction set, and the one below it is taken.
macro_rules! vectorised {
    ($R:ty, $simd:expr, $token:ident => $body:expr) => {
        $crate::cpu::simd::vectorised!($R, $simd, plain: true, wide: true, $token => $body)
    };
    ($R:ty, $simd:expr, plain: $plain:expr, wide: $wide:expr, $token:ident => $body:expr) => {{
        use $crate::cpu::simd::vector::{ScalarToken, SimdToken};
        let dispatch: $crate::cpu::simd::Dispatch = if const { $wide } { $simd } else { $simd.narrow() };
        let lanes = dispatch.lanes;
        macro_rules! with {
            ($set:expr) => {{
                let set = $set;
                fearless_simd::Simd::vectorize(
                    set,
                    #[inline(always)]
                    || {
                        let $token = SimdToken { set, lanes };
                        $body
                    },
                )
            }};
        }
        match dispatch.level() {
            #[cfg(target_arch = "x86_64")]
            Some(fearless_simd::Level::Avx512(set)) if const { size_of::<$R>() == 4 && $wide } => with!(set),
            #[cfg(target_arch = "x86_64")]
            Some(fearless_simd::Level::Avx2(set)) if const { size_of::<$R>() == 4 } => with!(set),
            #[cfg(target_arch = "aarch64")]
            Some(fearless_simd::Level::Neon(set)) if const { size_of::<$R>() == 4 } => with!(set),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Some(fearless_simd::Level::WasmSimd128(set)) if const { size_of::<$R>() == 4 } => with!(set),
            _ if const { $plain } => {
                let $token = ScalarToken { lanes };
                $body
            }
            _ => unreachable!("invariant: what has no plain code is not asked to run plain"),
        }
    }};
}
pub(crate) use vectorised;

/// Statements for every vector of a block.
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
