//! Units of parameters.

use super::ParamType;
use serde::{Serialize, Serializer};
use std::fmt;

/// The text of a unit, at compile time, because documentation contains it, too.
macro_rules! unit_text {
    (Unitless) => {
        "none"
    };
    (Value) => {
        "that of the values"
    };
    (World) => {
        "world units"
    };
    (WorldPerOne) => {
        "world units per 1.0"
    };
    (Samples) => {
        "samples"
    };
    (Degrees) => {
        "degrees"
    };
    (Radians) => {
        "radians"
    };
    (Turns) => {
        "turns"
    };
    (TurnsPerOne) => {
        "turns per 1.0"
    };
    (CyclesPerLength) => {
        "cycles per `length`"
    };
}
pub(crate) use unit_text;

macro_rules! units {
    ($($(#[$doc:meta])+ $name:ident),+ $(,)?) => {
        /// The unit of a parameter's numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Unit { $($(#[$doc])+ $name),+ }

        impl Unit {
            /// All units, in the order of declaration.
            pub const ALL: &'static [Unit] = &[$(Unit::$name),+];

            /// The unit as text for documentation.
            pub const fn text(self) -> &'static str {
                match self { $(Unit::$name => unit_text!($name)),+ }
            }
        }
    };
}

units! {
    /// A count, a ratio, an exponent, a direction or a seed.
    Unitless,
    /// The unit of the noise's values.
    Value,
    /// World units.
    World,
    /// World units per 1.0 of a value.
    WorldPerOne,
    /// Samples, as a distance.
    Samples,
    /// Degrees of an angle.
    Degrees,
    /// Radians of an angle.
    Radians,
    /// Whole turns.
    Turns,
    /// Whole turns per 1.0 of a value.
    TurnsPerOne,
    /// Cycles per `length` of the node.
    CyclesPerLength,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// As its text.
impl Serialize for Unit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

/// The unit of a row, if it has numbers. The compiler refuses a row that omits it.
pub(crate) const fn stated(held: ParamType, unit: Option<Unit>) -> Option<Unit> {
    let is_numbers = matches!(
        held,
        ParamType::Number | ParamType::Whole | ParamType::Pair | ParamType::Vector | ParamType::Numbers | ParamType::Vectors
    );
    assert!(is_numbers == unit.is_some(), "a row whose parameter is made of numbers states their unit, and no other row does");
    unit
}
