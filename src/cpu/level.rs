//! Code once for each instruction set that matters, and for the oracle, which need not be fast, once: that is what keeps it
//! compiling in reasonable time.

/// Runs statements with the machine's instruction set, or for f64 without. Everything they call has to be inlined always, or it is
/// compiled without the instruction set.
macro_rules! vectorised {
    ($R:ty, $level:expr, $machine:ident => $body:expr) => {{
        use $crate::cpu::pack::{Plain, Vector};
        macro_rules! with {
            ($token:expr) => {{
                let token = $token;
                fearless_simd::Simd::vectorize(
                    token,
                    #[inline(always)]
                    || {
                        let $machine = Vector(token);
                        $body
                    },
                )
            }};
        }
        let single = const { size_of::<$R>() == 4 };
        match $level {
            #[cfg(target_arch = "x86_64")]
            fearless_simd::Level::Avx512(token) if single => with!(token),
            #[cfg(target_arch = "x86_64")]
            fearless_simd::Level::Avx2(token) if single => with!(token),
            #[cfg(target_arch = "aarch64")]
            fearless_simd::Level::Neon(token) if single => with!(token),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            fearless_simd::Level::WasmSimd128(token) if single => with!(token),
            _ => {
                let $machine = Plain;
                $body
            }
        }
    }};
}
pub(crate) use vectorised;
