//! What follows from a table of nodes or stages: parameter structs for the builder, the recipe's fields, their checks, the JSON
//! Schema, and the list that drives the tests.

use super::{Allowed, KindInfo, Param};

/// A value outside its allowed range, before it is known which node holds it.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub param: &'static str,
    pub value: String,
    pub allowed: Allowed,
}

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

/// Makes all of it from rows. After a row's kind may stand what comes out of it (`-> &[OutputInfo::main(4)],`).
///
/// A parameter is `name: type = default, [range], Unit;`. Without a default it is an input that has to be given; without a range it may be
/// any value of its type; numbers state range and unit, and nothing else has a unit. `allowed!` has the words of ranges.
///
/// Enums grow (`#[non_exhaustive]`); the structs of their parameters may grow too and are meant to be made with a struct update,
/// `Fractal { octaves: 8, ..Default::default() }`, which goes on compiling.
macro_rules! kinds {
    ($(#[doc = $all_doc:literal])+ $All:ident; $(
        $(#[doc = $doc:literal])+
        $name:ident = $kind:literal $(-> $outputs:expr,)? {
            $(
                $(#[doc = $param_doc:literal])+
                $param:ident: $type:ty $(= $default:expr)? $(, [$($allowed:tt)+])? $(, $unit:ident)?;
            )*
        }
    )+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
            #[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
            #[serde(default, deny_unknown_fields)]
            pub struct $name { $(
                $(#[doc = $param_doc])+
                #[doc = ""]
                #[doc = $crate::params::facts!([$($default)?] [$($($allowed)+)?] [$($unit)?])]
                #[serde(serialize_with = "Param::write", deserialize_with = "Param::read")]
                pub $param: $type,
            )* }

            impl Default for $name {
                fn default() -> Self {
                    Self { $( $param: kinds!(@default $($default)?), )* }
                }
            }

            impl $name {
                /// Its row in the table.
                pub const INFO: KindInfo = KindInfo {
                    kind: $kind,
                    type_name: stringify!($name),
                    doc: concat!($($doc, "\n"),+),
                    params: &[ $( ParamInfo {
                        name: stringify!($param),
                        doc: concat!($($param_doc, "\n"),+),
                        param_type: <$type as Param>::TYPE,
                        optional: <$type as Param>::OPTIONAL,
                        allowed: allowed!(@value $($($allowed)+)?),
                        unit: stated(<$type as Param>::TYPE, kinds!(@unit $($unit)?)),
                        default: || {
                            let default: $type = kinds!(@default $($default)?);
                            default.setting()
                        },
                    }, )* ],
                    outputs: kinds!(@outputs $($outputs)?),
                };
            }
        )+

        $(#[doc = $all_doc])+
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
        #[non_exhaustive]
        #[serde(tag = "kind")]
        pub enum $All {
            $( $(#[doc = $doc])+ #[serde(rename = $kind)] $name($name), )+
        }

        impl $All {
            /// Every row of the table, in order.
            pub const TABLE: &'static [KindInfo] = &[ $( $name::INFO, )+ ];

            /// This one's row in the table.
            pub fn info(&self) -> &'static KindInfo {
                match self { $( $All::$name(_) => &$name::INFO, )+ }
            }

            /// One of the given kind with default parameters; `None` for an unknown kind.
            pub fn of_kind(kind: &str) -> Option<$All> {
                match kind { $( $kind => Some($All::$name($name::default())), )+ _ => None }
            }

            /// The parameters that name other nodes or stand for constants, with their names.
            pub fn inputs(&self) -> Vec<(&'static str, &Input)> {
                match self {
                    $( $All::$name(node) => {
                        let $name { $( $param, )* } = node;
                        let all: Vec<(&'static str, Vec<&Input>)> = vec![ $( (stringify!($param), $param.inputs()), )* ];
                        all.into_iter().flat_map(|(name, inputs)| inputs.into_iter().map(move |input| (name, input))).collect()
                    } )+
                }
            }

            pub(crate) fn inputs_mut(&mut self) -> Vec<&mut Input> {
                match self {
                    $( $All::$name(node) => {
                        let $name { $( $param, )* } = node;
                        let all: Vec<Vec<&mut Input>> = vec![ $( $param.inputs_mut(), )* ];
                        all.into_iter().flatten().collect()
                    } )+
                }
            }

            /// The first parameter whose value is not allowed.
            pub(crate) fn refusal(&self) -> Option<Refusal> {
                match self {
                    $( $All::$name(node) => {
                        let $name { $( $param, )* } = node;
                        $( let allowed = allowed!(@value $($($allowed)+)?);
                        if let Some(value) = $param.refuse(allowed) {
                            return Some(Refusal { param: stringify!($param), value, allowed: <$type as Param>::told(allowed) });
                        } )*
                        None
                    } )+
                }
            }

            /// Gives a parameter another value by its name, whether that shapes the kernel or not: of an input a number, or the name
            /// of the node that it is to read. Errors name this node by its kind.
            ///
            /// # Errors
            /// An unknown name, or a value of another type or out of range.
            pub fn set(&mut self, param: &str, value: impl Into<Setting>) -> Result<(), SetError> {
                let (value, info) = (value.into(), self.info());
                self.change(param, &value, Change::Any).map_err(|unset| unset.named(($crate::params::Owner::$All, info.kind), param, value, info.params))
            }

            /// A parameter's value by its name; `None` where it is not given.
            ///
            /// # Errors
            /// An unknown name.
            pub fn get(&self, param: &str) -> Result<Option<Setting>, SetError> {
                let info = self.info();
                self.setting(param).ok_or_else(|| unknown_parameter(($crate::params::Owner::$All, info.kind), param, info.params))
            }

            /// Gives a parameter its default back, by its name: one that is optional is then not given.
            ///
            /// # Errors
            /// An unknown name.
            pub fn reset(&mut self, param: &str) -> Result<(), SetError> {
                let info = self.info();
                match self {
                    $( $All::$name(node) => {
                        let $name { $( $param, )* } = node;
                        match param {
                            $( stringify!($param) => *$param = kinds!(@default $($default)?), )*
                            _ => return Err(unknown_parameter(($crate::params::Owner::$All, info.kind), param, info.params)),
                        }
                    } )+
                }
                Ok(())
            }

            /// Gives a parameter another value, as far as a change may go.
            pub(crate) fn change(&mut self, param: &str, setting: &Setting, change: Change) -> Result<(), Unset> {
                match self {
                    $( $All::$name(node) => {
                        let $name { $( $param, )* } = node;
                        match param {
                            $( stringify!($param) => assign($param, stringify!($param), setting, allowed!(@value $($($allowed)+)?), change), )*
                            _ => Err(Unset::Unknown),
                        }
                    } )+
                }
            }

            /// A parameter's value; the outer `None` for a parameter that does not exist.
            pub(crate) fn setting(&self, param: &str) -> Option<Option<Setting>> {
                match self {
                    $( $All::$name(node) => {
                        let $name { $( $param, )* } = node;
                        match param {
                            $( stringify!($param) => Some($param.setting()), )*
                            _ => None,
                        }
                    } )+
                }
            }
        }

        impl Kinds for $All {
            const ALL: &'static [KindInfo] = $All::TABLE;

            fn from_kind(kind: &str) -> Option<Self> {
                $All::of_kind(kind)
            }

            fn info_of(&self) -> &'static KindInfo {
                self.info()
            }

            fn read(&mut self, fields: &mut impl Fields) -> Vec<FieldError> {
                let mut wrong = Vec::new();
                match self {
                    $( $All::$name(node) => {
                        let $name { $( $param, )* } = node;
                        $( match fields.take::<$type>(stringify!($param)) {
                            Some(Ok(value)) => *$param = value,
                            Some(Err(value)) => wrong.push(FieldError { param: stringify!($param), value }),
                            None => (),
                        } )*
                    } )+
                }
                wrong
            }
        }

        $( impl From<$name> for $All {
            fn from(row: $name) -> $All {
                $All::$name(row)
            }
        } )+
    };
    (@default) => { Input::Missing };
    (@default $default:expr) => { $default };
    (@unit) => { None };
    (@unit $unit:ident) => { Some(Unit::$unit) };
    // What does not say otherwise makes one number of each sample.
    (@outputs) => { &[OutputInfo::main(1)] };
    (@outputs $outputs:expr) => { $outputs };
}
pub(crate) use kinds;
