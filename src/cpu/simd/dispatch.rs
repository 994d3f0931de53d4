//! Code compiled once for each instruction set that matters, and once for the oracle, which need not be fast: that keeps the time to
//! compile in reason.

use fearless_simd::Level;

/// Whether nothing but plain code computes such numbers here.
pub(crate) fn plain<R>(level: Level) -> bool {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(_) | Level::Avx2(_) => size_of::<R>() != 4,
        #[cfg(target_arch = "aarch64")]
        Level::Neon(_) => size_of::<R>() != 4,
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Level::WasmSimd128(_) => size_of::<R>() != 4,
        _ => true,
    }
}

/// The instruction set for what is too rare to be compiled for the widest, too.
pub(crate) fn narrow(level: Level) -> Level {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = level.as_avx2() {
        return Level::Avx2(token);
    }
    level
}

/// Runs statements with an instruction set: `$simd` is a `fearless_simd::Level`, and `$token` names what the statements make vectors
/// with. f64 has none and runs one number at a time. Whatever the statements call must be `#[inline(always)]`, or it is compiled
/// without the instruction set. `plain` false: there is no plain code, and whoever comes here has asked [`plain`]; `wide` false: none
/// for the widest instruction set, which computes with a narrower one.
macro_rules! vectorised {
    ($R:ty, $simd:expr, $token:ident => $body:expr) => {
        $crate::cpu::simd::dispatch::vectorised!($R, $simd, plain: true, wide: true, $token => $body)
    };
    ($R:ty, $simd:expr, plain: $plain:expr, wide: $wide:expr, $token:ident => $body:expr) => {{
        use $crate::cpu::simd::vector::{ScalarToken, SimdToken};
        macro_rules! with {
            ($set:expr) => {{
                let set = $set;
                fearless_simd::Simd::vectorize(
                    set,
                    #[inline(always)]
                    || {
                        let $token = SimdToken(set);
                        $body
                    },
                )
            }};
        }
        let level = if const { $wide } { $simd } else { $crate::cpu::simd::dispatch::narrow($simd) };
        match level {
            #[cfg(target_arch = "x86_64")]
            fearless_simd::Level::Avx512(set) if const { size_of::<$R>() == 4 && $wide } => with!(set),
            #[cfg(target_arch = "x86_64")]
            fearless_simd::Level::Avx2(set) if const { size_of::<$R>() == 4 } => with!(set),
            #[cfg(target_arch = "aarch64")]
            fearless_simd::Level::Neon(set) if const { size_of::<$R>() == 4 } => with!(set),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            fearless_simd::Level::WasmSimd128(set) if const { size_of::<$R>() == 4 } => with!(set),
            _ => {
                if const { $plain } {
                    let $token = ScalarToken;
                    $body
                } else {
                    unreachable!("plain code that is not compiled")
                }
            }
        }
    }};
}
pub(crate) use vectorised;
