//! What follows from the rows of a table of nodes or stages: parameter structs for the builder, the recipe's fields, their checks, the JSON
//! Schema, and the list that drives the tests.
//!
//! `row!` makes one kind, in the kind's own file; `kinds!` lists them, and makes an enum of them.

use super::{Change, Input, KindInfo, NotSet, OutputInfo, Param, ParamInfo, ParamType, Setting};
use crate::not_allowed::NotAllowed;

/// Where a node's fields are read from, one at a time, so that an error can name the field.
pub(crate) trait Fields {
    /// Takes the field out; `Err` holds the value, if it is of another type, and what is wrong with it.
    fn take<T: Param>(&mut self, name: &str) -> Option<Result<T, String>>;
}

/// A node or a stage, as a recipe's reader needs it.
pub(crate) trait Kinds: Sized {
    /// The whole table.
    const ALL: &'static [KindInfo];
    /// One of this kind, with default parameters.
    fn from_kind(kind: &str) -> Option<Self>;
    /// Its row in the table.
    fn info_of(&self) -> &'static KindInfo;
    /// Reads the parameters of this kind and returns those that could not be read. What is not given keeps its default.
    fn read(&mut self, fields: &mut impl Fields) -> Vec<FieldError>;
}

/// A field that could not be read: its name, and its value with what is wrong with it.
#[derive(Clone, Debug)]
pub(crate) struct FieldError {
    pub param: &'static str,
    pub value: String,
}

/// One kind, without its name in recipes: its row, and access to its parameters by their names.
pub(crate) trait KindRow {
    /// Its documentation.
    const DOC: &'static str;
    /// Its parameters, in order.
    const PARAMS: &'static [ParamInfo];
    /// Its outputs, the main one first.
    const OUTPUTS: &'static [OutputInfo];
    /// The parameters that name other nodes or stand for constants, with their names.
    fn inputs(&self) -> Vec<(&'static str, &Input)>;
    /// The same, to be changed.
    fn inputs_mut(&mut self) -> Vec<&mut Input>;
    /// The first parameter whose value is not allowed.
    fn refusal(&self) -> Option<NotAllowed>;
    /// Gives a parameter another value, as far as a change may go.
    fn change(&mut self, param: &str, setting: &Setting, change: Change) -> Result<(), NotSet>;
    /// Gives a parameter its default back; false for a parameter that does not exist.
    fn reset(&mut self, param: &str) -> bool;
    /// A parameter's value; the outer `None` for a parameter that does not exist.
    fn setting(&self, param: &str) -> Option<Option<Setting>>;
    /// Reads the parameters and returns those that could not be read.
    fn read(&mut self, fields: &mut impl Fields) -> Vec<FieldError>;
}

/// How a node reads an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// As a number, at the node's own position.
    Here,
    /// At another position, in another space or another instance.
    Elsewhere,
    /// Entries of a table of this kind.
    Table(&'static str),
}

/// Whether every input of a table states how it is read, and nothing else does.
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

/// Makes a kind. After its name may stand what comes out of it (`-> &[OutputInfo::main(4)],`).
///
/// A parameter is `name: type = default, [range], Unit;`. Without a default it is an input that has to be given; without a range it may be
/// any value of its type; numbers state range and unit, and nothing else has a unit. `allowed!` has the words of ranges. An input of a node
/// ends with its [`Role`]: `of: Input => Here;`.
///
/// The structs of parameters may grow and are meant to be made with a struct update, `Fractal { octaves: 8, ..Default::default() }`, which goes
/// on compiling.
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
                let all: Vec<(&'static str, Vec<&$crate::params::Input>)> =
                    vec![ $( (stringify!($param), $crate::params::Param::inputs($param)), )* ];
                all.into_iter().flat_map(|(name, inputs)| inputs.into_iter().map(move |input| (name, input))).collect()
            }

            fn inputs_mut(&mut self) -> Vec<&mut $crate::params::Input> {
                let $name { $( $param, )* } = self;
                let all: Vec<Vec<&mut $crate::params::Input>> = vec![ $( $crate::params::Param::inputs_mut($param), )* ];
                all.into_iter().flatten().collect()
            }

            fn refusal(&self) -> Option<$crate::not_allowed::NotAllowed> {
                let $name { $( $param, )* } = self;
                $( let allowed = $crate::params::allowed!(@value $($($allowed)+)?);
                if let Some(value) = $crate::params::Param::refuse($param, allowed) {
                    let allowed = <$type as $crate::params::Param>::told(allowed);
                    return Some($crate::not_allowed::NotAllowed::new(stringify!($param), value, allowed.to_string()));
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
                $( match fields.take::<$type>(stringify!($param)) {
                    Some(Ok(value)) => *$param = value,
                    Some(Err(value)) => wrong.push($crate::params::FieldError { param: stringify!($param), value }),
                    None => (),
                } )*
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
    // What does not say otherwise makes one number of each sample.
    (@outputs) => { &[$crate::params::OutputInfo::main(1)] };
    (@outputs $outputs:expr) => { $outputs };
}
pub(crate) use row;

/// Makes an enum of kinds, each from a module and with its name in recipes. The trait after the enum's name is what every kind implements besides. Enums grow:
/// they are `#[non_exhaustive]`.
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

            /// This one's row in the table.
            pub fn info(&self) -> &'static $crate::params::KindInfo {
                match self { $( $All::$name(_) => &$name::INFO, )+ }
            }

            /// One of the given kind with default parameters; `None` for an unknown kind.
            pub fn of_kind(kind: &str) -> Option<$All> {
                match kind { $( $kind => Some($All::$name($name::default())), )+ _ => None }
            }

            /// The implementation of its kind.
            pub(crate) fn as_kind(&self) -> &dyn $Kind {
                match self { $( $All::$name(row) => row, )+ }
            }

            /// The parameters that name other nodes or stand for constants, with their names.
            pub fn inputs(&self) -> Vec<(&'static str, &$crate::params::Input)> {
                match self { $( $All::$name(row) => $crate::params::KindRow::inputs(row), )+ }
            }

            pub(crate) fn inputs_mut(&mut self) -> Vec<&mut $crate::params::Input> {
                match self { $( $All::$name(row) => $crate::params::KindRow::inputs_mut(row), )+ }
            }

            /// The first parameter whose value is not allowed.
            pub(crate) fn refusal(&self) -> Option<$crate::not_allowed::NotAllowed> {
                match self { $( $All::$name(row) => $crate::params::KindRow::refusal(row), )+ }
            }

            /// Gives a parameter another value by its name, whether that shapes the kernel or not: of an input a number, or the name
            /// of the node that it is to read. Errors name this node by its kind.
            ///
            /// # Errors
            /// An unknown name, or a value of another type or out of range.
            pub fn set(&mut self, param: &str, value: impl Into<$crate::params::Setting>) -> Result<(), $crate::params::SetError> {
                let (value, info) = (value.into(), self.info());
                let changed = self.change(param, &value, $crate::params::Change::Any);
                changed.map_err(|unset| unset.named(($crate::params::Owner::$All, info.kind), param, value, info.params))
            }

            /// A parameter's value by its name; `None` where it is not given.
            ///
            /// # Errors
            /// An unknown name.
            pub fn get(&self, param: &str) -> Result<Option<$crate::params::Setting>, $crate::params::SetError> {
                self.setting(param).ok_or_else(|| self.unknown(param))
            }

            /// Gives a parameter its default back, by its name: one that is optional is then not given.
            ///
            /// # Errors
            /// An unknown name.
            pub fn reset(&mut self, param: &str) -> Result<(), $crate::params::SetError> {
                let found = match self { $( $All::$name(row) => $crate::params::KindRow::reset(row, param), )+ };
                if found { Ok(()) } else { Err(self.unknown(param)) }
            }

            fn unknown(&self, param: &str) -> $crate::params::SetError {
                let info = self.info();
                $crate::params::unknown_parameter(($crate::params::Owner::$All, info.kind), param, info.params)
            }

            /// Gives a parameter another value, as far as a change may go.
            pub(crate) fn change(
                &mut self,
                param: &str,
                setting: &$crate::params::Setting,
                change: $crate::params::Change,
            ) -> Result<(), $crate::params::NotSet> {
                match self { $( $All::$name(row) => $crate::params::KindRow::change(row, param, setting, change), )+ }
            }

            /// A parameter's value; the outer `None` for a parameter that does not exist.
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
