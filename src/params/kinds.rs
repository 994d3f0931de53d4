//! What follows from a table of nodes or stages: parameter structs for the builder, the recipe's fields, their checks, the JSON
//! Schema, and the list that drives the tests.

use super::{Allowed, Param};

/// One parameter of a row.
#[derive(Clone, Copy, Debug)]
pub struct ParamInfo {
    /// Name in recipes and in the parameter struct.
    pub name: &'static str,
    /// Meaning, unit and source.
    pub doc: &'static str,
    /// The values it may take.
    pub allowed: Allowed,
}

/// One row of the table of nodes, or of stages.
#[derive(Clone, Copy, Debug)]
pub struct KindInfo {
    /// `kind` in recipes.
    pub kind: &'static str,
    /// What it computes.
    pub doc: &'static str,
    /// Its parameters, in order.
    pub params: &'static [ParamInfo],
}

/// A value outside its allowed range, before it is known which node holds it.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub param: &'static str,
    pub value: String,
    pub allowed: Allowed,
}

/// Where a node's fields are read from, one at a time, so that an error can name the field.
pub(crate) trait Fields {
    /// Takes the field out; `Err` holds what the field's type had to say.
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
    /// Reads the parameters of this kind; what is not given keeps its default.
    fn read(&mut self, fields: &mut impl Fields) -> Result<(), FieldError>;
}

/// A field that could not be read.
#[derive(Clone, Debug)]
pub(crate) struct FieldError {
    pub param: &'static str,
    pub message: String,
}

/// Makes all of it from rows.
macro_rules! kinds {
    ($(#[doc = $all_doc:literal])+ $All:ident; $(
        $(#[doc = $doc:literal])+
        $name:ident = $kind:literal {
            $( $(#[doc = $param_doc:literal])+ $param:ident: $type:ty = $default:expr, $allowed:expr; )*
        }
    )+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Debug, PartialEq, Serialize)]
            #[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
            #[serde(default, deny_unknown_fields)]
            pub struct $name { $( $(#[doc = $param_doc])+ pub $param: $type, )* }

            impl Default for $name {
                fn default() -> Self {
                    Self { $( $param: $default, )* }
                }
            }

            impl $name {
                /// Its row in the table.
                pub const INFO: KindInfo = KindInfo {
                    kind: $kind,
                    doc: concat!($($doc, "\n"),+),
                    params: &[ $( ParamInfo {
                        name: stringify!($param),
                        doc: concat!($($param_doc, "\n"),+),
                        allowed: $allowed,
                    }, )* ],
                };
            }
        )+

        $(#[doc = $all_doc])+
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
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
                        $( if let Some(value) = $param.refuse($allowed) {
                            return Some(Refusal { param: stringify!($param), value, allowed: $allowed });
                        } )*
                        None
                    } )+
                }
            }

            /// Gives a live parameter another value.
            pub(crate) fn set(&mut self, param: &str, setting: &Setting) -> Result<(), Unset> {
                match self {
                    $( $All::$name(node) => {
                        let $name { $( $param, )* } = node;
                        match param {
                            $( stringify!($param) => assign($param, stringify!($param), setting, $allowed), )*
                            _ => Err(Unset::Unknown),
                        }
                    } )+
                }
            }

            /// A live parameter's value; the outer `None` for a parameter that does not exist.
            pub(crate) fn get(&self, param: &str) -> Option<Option<Setting>> {
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

            fn read(&mut self, fields: &mut impl Fields) -> Result<(), FieldError> {
                match self {
                    $( $All::$name(node) => {
                        let $name { $( $param, )* } = node;
                        $( if let Some(read) = fields.take::<$type>(stringify!($param)) {
                            *$param = read.map_err(|message| FieldError { param: stringify!($param), message })?;
                        } )*
                        Ok(())
                    } )+
                }
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
