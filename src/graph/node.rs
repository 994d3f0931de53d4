//! What follows from the table of nodes: parameter structs for the builder, the recipe's fields, their checks, the JSON Schema,
//! and the list that drives the tests.

use super::param::{Allowed, Param};

/// One parameter of a node row.
#[derive(Clone, Copy, Debug)]
pub struct ParamInfo {
    /// Name in recipes and in the parameter struct.
    pub name: &'static str,
    /// Meaning, unit and source.
    pub doc: &'static str,
    /// The values it may take.
    pub allowed: Allowed,
}

/// One row of the node table.
#[derive(Clone, Copy, Debug)]
pub struct NodeInfo {
    /// `kind` in recipes.
    pub kind: &'static str,
    /// What the node computes.
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

/// A field that could not be read.
#[derive(Clone, Debug)]
pub(crate) struct FieldError {
    pub param: &'static str,
    pub message: String,
}

/// Makes all of it from rows.
macro_rules! nodes {
    ($(
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
                /// This node's row in the table.
                pub const INFO: NodeInfo = NodeInfo {
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

        /// One node of a graph: its kind and its parameters.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
        #[serde(tag = "kind")]
        pub enum Node {
            $( $(#[doc = $doc])+ #[serde(rename = $kind)] $name($name), )+
        }

        impl Node {
            /// Every row of the node table, in order.
            pub const TABLE: &'static [NodeInfo] = &[ $( $name::INFO, )+ ];

            /// This node's row in the table.
            pub fn info(&self) -> &'static NodeInfo {
                match self { $( Node::$name(_) => &$name::INFO, )+ }
            }

            /// A node of the given kind with default parameters; `None` for an unknown kind.
            pub fn of_kind(kind: &str) -> Option<Node> {
                match kind { $( $kind => Some(Node::$name($name::default())), )+ _ => None }
            }

            /// The parameters that name other nodes or stand for constants, with their names.
            pub fn inputs(&self) -> Vec<(&'static str, &Input)> {
                match self {
                    $( Node::$name(node) => {
                        let $name { $( $param, )* } = node;
                        let all: Vec<(&'static str, Vec<&Input>)> = vec![ $( (stringify!($param), $param.inputs()), )* ];
                        all.into_iter().flat_map(|(name, inputs)| inputs.into_iter().map(move |input| (name, input))).collect()
                    } )+
                }
            }

            pub(crate) fn inputs_mut(&mut self) -> Vec<&mut Input> {
                match self {
                    $( Node::$name(node) => {
                        let $name { $( $param, )* } = node;
                        let all: Vec<Vec<&mut Input>> = vec![ $( $param.inputs_mut(), )* ];
                        all.into_iter().flatten().collect()
                    } )+
                }
            }

            /// The first parameter whose value is not allowed.
            pub(crate) fn refusal(&self) -> Option<Refusal> {
                match self {
                    $( Node::$name(node) => {
                        let $name { $( $param, )* } = node;
                        $( if let Some(value) = $param.refuse($allowed) {
                            return Some(Refusal { param: stringify!($param), value, allowed: $allowed });
                        } )*
                        None
                    } )+
                }
            }

            /// Gives a live parameter another value.
            pub(super) fn set(&mut self, param: &str, setting: &Setting) -> Result<(), Unset> {
                match self {
                    $( Node::$name(node) => {
                        let $name { $( $param, )* } = node;
                        match param {
                            $( stringify!($param) => assign($param, stringify!($param), setting, $allowed), )*
                            _ => Err(Unset::Unknown),
                        }
                    } )+
                }
            }

            /// A live parameter's value; the outer `None` for a parameter that does not exist.
            pub(super) fn get(&self, param: &str) -> Option<Option<Setting>> {
                match self {
                    $( Node::$name(node) => {
                        let $name { $( $param, )* } = node;
                        match param {
                            $( stringify!($param) => Some($param.setting()), )*
                            _ => None,
                        }
                    } )+
                }
            }

            /// Reads the parameters of this node's kind; what is not given keeps its default.
            pub(crate) fn read(&mut self, fields: &mut impl Fields) -> Result<(), FieldError> {
                match self {
                    $( Node::$name(node) => {
                        let $name { $( $param, )* } = node;
                        $( if let Some(read) = fields.take::<$type>(stringify!($param)) {
                            *$param = read.map_err(|message| FieldError { param: stringify!($param), message })?;
                        } )*
                        Ok(())
                    } )+
                }
            }
        }

        $( impl From<$name> for Node {
            fn from(node: $name) -> Node {
                Node::$name(node)
            }
        } )+
    };
}
pub(super) use nodes;
