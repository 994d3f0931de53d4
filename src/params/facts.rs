//! Range, default and unit of a parameter, as values for the program and as text for rustdoc, generated from the same tokens.

/// A range as written in a row, between brackets: `@value` gives an [`Allowed`](super::Allowed), `@words` its text, `@sentence`
/// the sentence in the documentation.
macro_rules! allowed {
    // Ranges of several parameters.
    (@$as:ident FINITE) => { $crate::params::allowed!(@$as -1e15 to 1e15) };
    (@$as:ident SAMPLE) => { $crate::params::allowed!(@$as -3.4028234663852886e38 to 3.4028234663852886e38) };
    (@$as:ident POSITION) => { $crate::params::allowed!(@$as each -1e12 to 1e12) };
    (@$as:ident COORDINATE) => { $crate::params::allowed!(@$as -1e12 to 1e12) };
    (@$as:ident WAVELENGTH) => { $crate::params::allowed!(@$as 0.000001 to 1e12) };
    (@$as:ident SHARE) => { $crate::params::allowed!(@$as 0 to 1) };
    (@$as:ident ENTRY) => { $crate::params::allowed!(@$as 0 to 65535) };
    (@$as:ident ITERATIONS) => { $crate::params::allowed!(@$as 1 to 4096) };
    (@$as:ident STOPS) => {
        $crate::params::allowed!(@$as told "at most 256 stops, `at` never decreasing, colours as \"#RRGGBB\" or \"#RRGGBBAA\"")
    };
    (@$as:ident RADIAL) => {
        $crate::params::allowed!(@$as told "points with `frequency` increasing from 0 to 1, amplitudes of magnitude up to 1e15")
    };

    (@value) => { $crate::params::Allowed::Any };
    (@value structural) => { $crate::params::Allowed::Structural };
    (@value seed) => { $crate::params::Allowed::Seed };
    (@value channels $channels:literal) => { $crate::params::Allowed::Channels($channels) };
    (@value $lo:literal to $hi:literal) => { $crate::params::Allowed::Between($lo as f64, $hi as f64) };
    (@value dimensions $lo:literal to $hi:literal) => { $crate::params::Allowed::Dimensions($lo as f64, $hi as f64) };
    (@value each $lo:literal to $hi:literal) => { $crate::params::Allowed::Each($lo as f64, $hi as f64) };
    (@value list $most:literal of $lo:literal to $hi:literal) => { $crate::params::Allowed::List($most, $lo as f64, $hi as f64) };
    (@value terms $most:literal of $lo:literal to $hi:literal) => { $crate::params::Allowed::Terms($most, $lo as f64, $hi as f64) };
    (@value increasing) => { $crate::params::Allowed::Increasing };
    (@value ascending) => { $crate::params::Allowed::Ascending };
    (@value sorted) => { $crate::params::Allowed::Sorted };
    (@value quantiles) => { $crate::params::Allowed::Quantiles };
    (@value told $words:literal) => { $crate::params::Allowed::Told($words) };

    (@words) => { "any value of its type" };
    (@words structural) => { "any value of its type" };
    (@words seed) => { "0 to 18446744073709551615" };
    (@words channels $channels:literal) => { concat!("the name of a stage whose output has ", $channels, " channels, or a number") };
    (@words $lo:literal to $hi:literal) => { concat!($lo, " to ", $hi) };
    (@words dimensions $lo:literal to $hi:literal) => { concat!($lo, " to ", $hi) };
    (@words each $lo:literal to $hi:literal) => { concat!("every number ", $lo, " to ", $hi) };
    (@words list $most:literal of $lo:literal to $hi:literal) => {
        concat!("a list of 1 to ", $most, " numbers, each ", $lo, " to ", $hi)
    };
    (@words terms $most:literal of $lo:literal to $hi:literal) => {
        concat!("a list of 1 to ", $most, " numbers, each ", $lo, " to ", $hi)
    };
    (@words increasing) => { "at least two points, `at` strictly increasing, every number finite and at most 1e15" };
    (@words ascending) => { "empty, or 2 to 65536 numbers of magnitude at most 1e15 that do not decrease, with the last above the first" };
    (@words sorted) => { "empty, or 2 to 65536 finite numbers that do not decrease" };
    (@words quantiles) => {
        "empty, or two or more points: `probability` strictly increasing from 0 to 1, `value` not decreasing, of magnitude at most 1e15"
    };
    (@words told $words:literal) => { $words };

    (@sentence) => { "" };
    (@sentence structural) => { " Structural: a change compiles another kernel." };
    (@sentence dimensions $($range:tt)+) => {
        concat!(" Allowed: ", $crate::params::allowed!(@words $($range)+), ". Structural: a change compiles another kernel.")
    };
    (@sentence $($range:tt)+) => { concat!(" Allowed: ", $crate::params::allowed!(@words $($range)+), ".") };
}
pub(crate) use allowed;

/// Default, range and unit of a row, appended to its field's documentation.
macro_rules! facts {
    ([$($default:expr)?] [$($allowed:tt)*] [$($unit:ident)?]) => {
        concat!(
            $crate::params::facts!(@default $($default)?),
            $crate::params::allowed!(@sentence $($allowed)*),
            $(" Unit: ", $crate::params::unit_text!($unit), ".")?
        )
    };
    (@default) => { "Required." };
    (@default $default:expr) => { concat!("Default: `", stringify!($default), "`.") };
}
pub(crate) use facts;
