//! Loops over a few axes, corners or points, unrolled by macro. The compiler unrolls such loops, too, but late and again in every
//! place into which a formula is inlined, which takes longer.

/// Repeats statements for each of up to four indices; the end is a constant. Large statements take their compile time up to four
/// times.
macro_rules! unrolled {
    ($i:ident in 0..$end:expr => $statements:expr) => {
        $crate::cpu::simd::unrolled!([0 1 2 3] $i, $end, $statements)
    };
    ($i:ident in 1..$end:expr => $statements:expr) => {
        $crate::cpu::simd::unrolled!([1 2 3] $i, $end, $statements)
    };
    ($i:ident in ($end:expr) down to 0 => $statements:expr) => {
        $crate::cpu::simd::unrolled!([3 2 1 0] $i, $end, $statements)
    };
    ([$($index:literal)*] $i:ident, $end:expr, $statements:expr) => {{
        const { assert!($end <= 4) };
        $(
            if const { $index < $end } {
                // An index beyond the end must still be a valid array index.
                let $i: usize = const { if $index < $end { $index } else { 0 } };
                $statements;
            }
        )*
    }};
}
pub(crate) use unrolled;
