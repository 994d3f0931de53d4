//! Parameters that are one of a few words.

/// A parameter that is one of a few words.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$word_doc:meta])* $word:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
        #[serde(rename_all = "lowercase")]
        pub enum $name { $($(#[$word_doc])* $word),+ }

        impl $crate::params::Param for $name {
            fn refuse(&self, _: $crate::params::Allowed) -> Option<String> {
                None
            }
            fn of_setting(_: Option<&Self>, _: &$crate::params::Setting) -> Result<Self, $crate::params::Unset> {
                Err($crate::params::Unset::Shape)
            }
            fn setting(&self) -> Option<$crate::params::Setting> {
                None
            }
        }
    };
}
pub(crate) use choice;
