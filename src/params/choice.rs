//! Parameters with a fixed set of words.

/// An error: the word is not one of the type's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{given}' is not allowed; allowed: {}", allowed.join(", "))]
pub struct UnknownWord {
    /// The type, such as `Metric`.
    pub of: &'static str,
    /// The given word.
    pub given: String,
    /// The words of the type.
    pub allowed: &'static [&'static str],
}

/// Defines a parameter type with a fixed set of words. Each variant is written with its word in recipes, settings and messages.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$word_doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[non_exhaustive]
        pub enum $name { $($(#[$word_doc])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// All variants, in the order of declaration.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];
            /// The words of [`ALL`](Self::ALL), in its order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// Its word in recipes and settings.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::params::UnknownWord;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                match word {
                    $($word => Ok($name::$variant),)+
                    _ => Err($crate::params::UnknownWord { of: stringify!($name), given: word.to_owned(), allowed: $name::WORDS }),
                }
            }
        }

        impl From<$name> for $crate::params::Setting {
            fn from(choice: $name) -> Self {
                $crate::params::Setting::Word(choice.name().to_owned())
            }
        }

        impl $crate::params::Param for $name {
            const TYPE: $crate::params::ParamType =
                $crate::params::ParamType::Choice { name: stringify!($name), words: $name::WORDS };

            fn refuse(&self, _: $crate::params::Allowed) -> Option<String> {
                None
            }
            fn of_setting(setting: &$crate::params::Setting) -> Option<Self> {
                if let $crate::params::Setting::Word(word) = setting { word.parse().ok() } else { None }
            }
            fn setting(&self) -> Option<$crate::params::Setting> {
                Some((*self).into())
            }
        }
    };
}
pub(crate) use choice;
