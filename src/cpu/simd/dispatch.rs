//! Code compiled once for each instruction set that matters, and once for the oracle, which need not be fast: that keeps the time to
//! compile in reason.

/// Runs statements with an instruction set: `$simd` is a `fearless_simd::Level`, and `$token` names what the statements make vectors
/// with. f64 has none and runs one number at a time. Whatever the statements call must be `#[inline(always)]`, or it is compiled
/// without the instruction set.
macro_rules! vectorised {
    ($R:ty, $simd:expr, $token:ident => $body:expr) => {{
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
        let single = const { size_of::<$R>() == 4 };
        match $simd {
            #[cfg(target_arch = "x86_64")]
            fearless_simd::Level::Avx512(set) if single => with!(set),
            #[cfg(target_arch = "x86_64")]
            fearless_simd::Level::Avx2(set) if single => with!(set),
            #[cfg(target_arch = "aarch64")]
            fearless_simd::Level::Neon(set) if single => with!(set),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            fearless_simd::Level::WasmSimd128(set) if single => with!(set),
            _ => {
                let $token = ScalarToken;
                $body
            }
        }
    }};
}
pub(crate) use vectorised;
