//! Units of parameters.

use super::ParamType;
use serde::{Serialize, Serializer};
use std::fmt;

/// The words of a unit, at compile time: documentation is made of them, too.
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
        /// The unit that the numbers of a parameter are in.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Unit { $($(#[$doc])+ $name),+ }

        impl Unit {
            /// All units, in the order in which they are declared.
            pub const ALL: &'static [Unit] = &[$(Unit::$name),+];

            /// The unit in words, as documentation has it.
            pub const fn text(self) -> &'static str {
                match self { $(Unit::$name => unit_text!($name)),+ }
            }
        }
    };
}

units! {
    /// A count, a ratio, an exponent, a direction or a seed.
    Unitless,
    /// The unit of the noise's values, whatever they stand for.
    Value,
    /// World units.
    World,
    /// World units for each 1.0 of a value.
    WorldPerOne,
    /// Samples: the distance from one to the next.
    Samples,
    /// Degrees of an angle.
    Degrees,
    /// Radians of an angle.
    Radians,
    /// Whole turns.
    Turns,
    /// Whole turns for each 1.0 of a value.
    TurnsPerOne,
    /// Cycles for each `length` of the node.
    CyclesPerLength,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// As its words.
impl Serialize for Unit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

/// The unit of a row, where one has to be stated: of numbers. The compiler refuses a row that forgets it.
pub(crate) const fn stated(held: ParamType, unit: Option<Unit>) -> Option<Unit> {
    let is_numbers = matches!(
        held,
        ParamType::Number | ParamType::Whole | ParamType::Pair | ParamType::Vector | ParamType::Numbers | ParamType::Vectors
    );
    assert!(is_numbers == unit.is_some(), "a row whose parameter is made of numbers states their unit, and no other row does");
    unit
}
