//! Macros that generate code from the rows of a table of nodes or stages: parameter structs, reading, checks, the JSON Schema,
//! and the list for tests.
//!
//! `row!` defines a kind in its own file; `kinds!` lists them and generates an enum.

use super::{Allowed, Change, Input, KindInfo, NotSet, OutputInfo, Param, ParamInfo, ParamType, Setting};
use crate::not_allowed::NotAllowed;

/// The source of a node's fields, read one at a time so that an error can name the field.
pub(crate) trait Fields {
    /// Removes the field; `Err` contains the value, if it is of another type, with the reason.
    fn take<T: Param>(&mut self, name: &str) -> Option<Result<T, String>>;
}

/// A node or a stage, for the reader of recipes.
pub(crate) trait Kinds: Sized {
    /// The whole table.
    const ALL: &'static [KindInfo];
    /// A value of this kind with default parameters.
    fn from_kind(kind: &str) -> Option<Self>;
    /// Its row in the table.
    fn info_of(&self) -> &'static KindInfo;
    /// Reads the parameters and returns those that could not be read. Omitted ones keep their defaults.
    fn read(&mut self, fields: &mut impl Fields) -> Vec<FieldError>;
}

/// A field that could not be read: its name, and its value with the reason.
#[derive(Clone, Debug)]
pub(crate) struct FieldError {
    pub param: &'static str,
    pub value: String,
}

/// A kind without its name in recipes: its row, and access to its parameters by name.
pub(crate) trait KindRow {
    /// Its documentation.
    const DOC: &'static str;
    /// Its parameters, in order.
    const PARAMS: &'static [ParamInfo];
    /// Its outputs, the main one first.
    const OUTPUTS: &'static [OutputInfo];
    /// The inputs with their names.
    fn inputs(&self) -> Vec<(&'static str, &Input)>;
    /// The same, mutable.
    fn inputs_mut(&mut self) -> Vec<&mut Input>;
    /// The first parameter with an invalid value.
    fn refusal(&self) -> Option<NotAllowed>;
    /// Sets a parameter, as far as `change` allows.
    fn change(&mut self, param: &str, setting: &Setting, change: Change) -> Result<(), NotSet>;
    /// Resets a parameter to its default; false if it does not exist.
    fn reset(&mut self, param: &str) -> bool;
    /// A parameter's value; the outer `None` if the parameter does not exist.
    fn setting(&self, param: &str) -> Option<Option<Setting>>;
    /// Reads the parameters and returns those that could not be read.
    fn read(&mut self, fields: &mut impl Fields) -> Vec<FieldError>;
}

// The work for one parameter is out of line: a table has hundreds of them, of few types.

/// Reads a parameter, if there is a field for it.
#[inline(never)]
pub(crate) fn take<T: Param>(slot: &mut T, param: &'static str, fields: &mut impl Fields, wrong: &mut Vec<FieldError>) {
    match fields.take::<T>(param) {
        Some(Ok(value)) => *slot = value,
        Some(Err(value)) => wrong.push(FieldError { param, value }),
        None => (),
    }
}

/// The reason why a value is not allowed.
#[inline(never)]
pub(crate) fn refusal<T: Param>(value: &T, param: &'static str, allowed: Allowed) -> Option<NotAllowed> {
    let value = value.refuse(allowed)?;
    Some(NotAllowed::new(param, value, T::told(allowed).to_string()))
}

/// The inputs among parameters.
pub(crate) fn present<'a>(params: &[Option<(&'static str, &'a Input)>]) -> Vec<(&'static str, &'a Input)> {
    params.iter().flatten().copied().collect()
}

/// The same, mutable.
pub(crate) fn present_mut<'a>(params: &mut [Option<&'a mut Input>]) -> Vec<&'a mut Input> {
    params.iter_mut().filter_map(Option::take).collect()
}

/// The way a node reads an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// As a value, at the node's own position.
    Here,
    /// As a value with its gradient, at the node's own position.
    Slope,
    /// At another position, in another space or another instance.
    Elsewhere,
    /// Entries of a table of this kind.
    Table(&'static str),
}

/// Whether every input of a table states its role, and no other parameter does.
pub(crate) const fn all_inputs_have_roles(table: &[KindInfo]) -> bool {
    let mut kind = 0;
    while kind < table.len() {
        let params = table[kind].params;
        let mut i = 0;
        while i < params.len() {
            if matches!(params[i].param_type, ParamType::Input) != params[i].role.is_some() {
                return false;
            }
            i += 1;
        }
        kind += 1;
    }
    true
}

/// Defines a kind. Its name may be followed by its outputs (`-> &[OutputInfo::main(4)],`).
///
/// A parameter is `name: type = default, [range], Unit;`. Without a default it is a required input; without a range any value of
/// its type is allowed. Numbers state range and unit, and only they have a unit. `allowed!` defines the syntax of ranges. An
/// input of a node ends with its [`Role`]: `of: Input => Here;`.
///
/// Parameter structs may get new fields: construct them with a struct update, `Fractal { octaves: 8, ..Default::default() }`, to
/// stay compatible.
macro_rules! row {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $(-> $outputs:expr,)? {
            $(
                $(#[doc = $param_doc:literal])+
                $param:ident: $type:ty $(= $default:expr)? $(, [$($allowed:tt)+])? $(, $unit:ident)? $(=> $role:ident $(($of:literal))?)?;
            )*
        }
    )+) => { $(
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(default, deny_unknown_fields)]
        pub struct $name { $(
            $(#[doc = $param_doc])+
            #[doc = ""]
            #[doc = $crate::params::facts!([$($default)?] [$($($allowed)+)?] [$($unit)?])]
            #[serde(serialize_with = "crate::params::Param::write", deserialize_with = "crate::params::Param::read")]
            pub $param: $type,
        )* }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $param: $crate::params::row!(@default $($default)?), )* }
            }
        }

        #[allow(unused_variables, unused_mut, reason = "a kind may have no parameters")]
        impl $crate::params::KindRow for $name {
            const DOC: &'static str = concat!($($doc, "\n"),+);
            const PARAMS: &'static [$crate::params::ParamInfo] = &[ $( $crate::params::ParamInfo {
                name: stringify!($param),
                doc: concat!($($param_doc, "\n"),+),
                param_type: <$type as $crate::params::Param>::TYPE,
                optional: <$type as $crate::params::Param>::OPTIONAL,
                allowed: $crate::params::allowed!(@value $($($allowed)+)?),
                unit: $crate::params::stated(<$type as $crate::params::Param>::TYPE, $crate::params::row!(@unit $($unit)?)),
                role: $crate::params::row!(@role $($role $(($of))?)?),
                default: || {
                    let default: $type = $crate::params::row!(@default $($default)?);
                    $crate::params::Param::setting(&default)
                },
            }, )* ];
            const OUTPUTS: &'static [$crate::params::OutputInfo] = $crate::params::row!(@outputs $($outputs)?);

            fn inputs(&self) -> Vec<(&'static str, &$crate::params::Input)> {
                let $name { $( $param, )* } = self;
                $crate::params::present(&[ $( $crate::params::Param::input($param).map(|input| (stringify!($param), input)), )* ])
            }

            fn inputs_mut(&mut self) -> Vec<&mut $crate::params::Input> {
                let $name { $( $param, )* } = self;
                $crate::params::present_mut(&mut [ $( $crate::params::Param::input_mut($param), )* ])
            }

            fn refusal(&self) -> Option<$crate::not_allowed::NotAllowed> {
                let $name { $( $param, )* } = self;
                $( if let Some(refusal) = $crate::params::refusal($param, stringify!($param), $crate::params::allowed!(@value $($($allowed)+)?)) {
                    return Some(refusal);
                } )*
                None
            }

            fn change(
                &mut self,
                param: &str,
                setting: &$crate::params::Setting,
                change: $crate::params::Change,
            ) -> Result<(), $crate::params::NotSet> {
                let $name { $( $param, )* } = self;
                match param {
                    $( stringify!($param) => {
                        let allowed = $crate::params::allowed!(@value $($($allowed)+)?);
                        $crate::params::assign($param, stringify!($param), setting, allowed, change)
                    } )*
                    _ => Err($crate::params::NotSet::Unknown),
                }
            }

            fn reset(&mut self, param: &str) -> bool {
                let $name { $( $param, )* } = self;
                match param {
                    $( stringify!($param) => {
                        *$param = $crate::params::row!(@default $($default)?);
                        true
                    } )*
                    _ => false,
                }
            }

            fn setting(&self, param: &str) -> Option<Option<$crate::params::Setting>> {
                let $name { $( $param, )* } = self;
                match param {
                    $( stringify!($param) => Some($crate::params::Param::setting($param)), )*
                    _ => None,
                }
            }

            fn read(&mut self, fields: &mut impl $crate::params::Fields) -> Vec<$crate::params::FieldError> {
                let $name { $( $param, )* } = self;
                let mut wrong = Vec::new();
                $( $crate::params::take($param, stringify!($param), fields, &mut wrong); )*
                wrong
            }
        }
    )+ };
    (@default) => { $crate::params::Input::Missing };
    (@default $default:expr) => { $default };
    (@unit) => { None };
    (@unit $unit:ident) => { Some($crate::params::Unit::$unit) };
    (@role) => { None };
    (@role $role:ident $(($of:literal))?) => { Some($crate::params::Role::$role $(($of))?) };
    // By default, a kind has one output with one number per sample.
    (@outputs) => { &[$crate::params::OutputInfo::main(1)] };
    (@outputs $outputs:expr) => { $outputs };
}
pub(crate) use row;

/// Generates an enum of kinds, each from a module and with its name in recipes. Every kind implements the trait after the enum's
/// name. The enums are `#[non_exhaustive]`, because they will grow.
macro_rules! kinds {
    ($(#[doc = $all_doc:literal])+ $All:ident: $Kind:ident; $( $file:ident::$name:ident = $kind:literal, )+) => {
        $(
            pub use $file::$name;

            impl $name {
                /// Its row in the table.
                pub const INFO: $crate::params::KindInfo = $crate::params::KindInfo {
                    kind: $kind,
                    type_name: stringify!($name),
                    doc: <$name as $crate::params::KindRow>::DOC,
                    params: <$name as $crate::params::KindRow>::PARAMS,
                    outputs: <$name as $crate::params::KindRow>::OUTPUTS,
                };
            }
        )+

        $(#[doc = $all_doc])+
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[non_exhaustive]
        #[serde(tag = "kind")]
        pub enum $All {
            $( #[doc = concat!("`", $kind, "`: [`", stringify!($name), "`].")] #[serde(rename = $kind)] $name($name), )+
        }

        impl $All {
            /// Every row of the table, in order.
            pub const TABLE: &'static [$crate::params::KindInfo] = &[ $( $name::INFO, )+ ];

            /// The row of this kind.
            pub fn info(&self) -> &'static $crate::params::KindInfo {
                match self { $( $All::$name(_) => &$name::INFO, )+ }
            }

            /// A value of the given kind with default parameters; `None` for an unknown kind.
            pub fn of_kind(kind: &str) -> Option<$All> {
                match kind { $( $kind => Some($All::$name($name::default())), )+ _ => None }
            }

            /// The implementation of its kind.
            pub(crate) fn as_kind(&self) -> &dyn $Kind {
                match self { $( $All::$name(row) => row, )+ }
            }

            /// The inputs with their names.
            pub fn inputs(&self) -> Vec<(&'static str, &$crate::params::Input)> {
                match self { $( $All::$name(row) => $crate::params::KindRow::inputs(row), )+ }
            }

            pub(crate) fn inputs_mut(&mut self) -> Vec<&mut $crate::params::Input> {
                match self { $( $All::$name(row) => $crate::params::KindRow::inputs_mut(row), )+ }
            }

            /// The first parameter with an invalid value.
            pub(crate) fn refusal(&self) -> Option<$crate::not_allowed::NotAllowed> {
                match self { $( $All::$name(row) => $crate::params::KindRow::refusal(row), )+ }
            }

            /// Sets a parameter by its name, structural or not. An input takes a number, or the name of the node that it reads.
            /// Errors name this node by its kind.
            ///
            /// # Errors
            /// Returns an error if the name is unknown, or if the value is of another type or out of range.
            pub fn set(&mut self, param: &str, value: impl Into<$crate::params::Setting>) -> Result<(), $crate::params::SetError> {
                let (value, info) = (value.into(), self.info());
                let changed = self.change(param, &value, $crate::params::Change::Any);
                changed.map_err(|unset| unset.named(($crate::params::Owner::$All, info.kind), param, value, Some(info)))
            }

            /// A parameter's value by its name; `None` if it is not set.
            ///
            /// # Errors
            /// Returns an error if the name is unknown.
            pub fn get(&self, param: &str) -> Result<Option<$crate::params::Setting>, $crate::params::SetError> {
                self.setting(param).ok_or_else(|| self.unknown(param))
            }

            /// Resets a parameter to its default by its name; an optional one is then not set.
            ///
            /// # Errors
            /// Returns an error if the name is unknown.
            pub fn reset(&mut self, param: &str) -> Result<(), $crate::params::SetError> {
                let found = match self { $( $All::$name(row) => $crate::params::KindRow::reset(row, param), )+ };
                if found { Ok(()) } else { Err(self.unknown(param)) }
            }

            fn unknown(&self, param: &str) -> $crate::params::SetError {
                let info = self.info();
                $crate::params::unknown_parameter(($crate::params::Owner::$All, info.kind), param, info.params)
            }

            /// Sets a parameter, as far as `change` allows.
            pub(crate) fn change(
                &mut self,
                param: &str,
                setting: &$crate::params::Setting,
                change: $crate::params::Change,
            ) -> Result<(), $crate::params::NotSet> {
                match self { $( $All::$name(row) => $crate::params::KindRow::change(row, param, setting, change), )+ }
            }

            /// Replaces every seed by a function of it. An omitted seed counts as 0.
            pub(crate) fn map_seeds(&mut self, to: impl Fn(u64) -> u32) {
                for param in self.info().params.iter().filter(|param| matches!(param.allowed, $crate::params::Allowed::Seed)) {
                    let seed = match self.setting(param.name) {
                        Some(Some($crate::params::Setting::Integer(seed))) => seed as u64,
                        _ => 0,
                    };
                    let changed = self.change(param.name, &to(seed).into(), $crate::params::Change::Any);
                    assert!(changed.is_ok(), "invariant: every number of 32 bits is a seed");
                }
            }

            /// A parameter's value; the outer `None` if the parameter does not exist.
            pub(crate) fn setting(&self, param: &str) -> Option<Option<$crate::params::Setting>> {
                match self { $( $All::$name(row) => $crate::params::KindRow::setting(row, param), )+ }
            }
        }

        impl $crate::params::Kinds for $All {
            const ALL: &'static [$crate::params::KindInfo] = $All::TABLE;

            fn from_kind(kind: &str) -> Option<Self> {
                $All::of_kind(kind)
            }

            fn info_of(&self) -> &'static $crate::params::KindInfo {
                self.info()
            }

            fn read(&mut self, fields: &mut impl $crate::params::Fields) -> Vec<$crate::params::FieldError> {
                match self { $( $All::$name(row) => $crate::params::KindRow::read(row, fields), )+ }
            }
        }

        $( impl From<$name> for $All {
            fn from(row: $name) -> $All {
                $All::$name(row)
            }
        } )+
    };
}
pub(crate) use kinds;
