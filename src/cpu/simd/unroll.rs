//! Loops over a few axes, corners or points, written out. The compiler unrolls such loops too, but late and once for everything that a formula is
//! inlined into, which takes longer.

/// Statements for each of up to four indices; the end is a constant. Not for statements that call much: they are compiled as often.
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
                // Where it is not below the end, it must not be beyond an array's either.
                let $i: usize = const { if $index < $end { $index } else { 0 } };
                $statements;
            }
        )*
    }};
}
pub(crate) use unrolled;
