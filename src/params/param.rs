//! The trait of all types that a row in a table of kinds can use.

use super::allowed::numbers;
use super::{Allowed, FINITE, Input, ParamType, SAMPLE, Setting, seed, short};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A type that can be used in a row of a table of kinds.
pub(crate) trait Param: Serialize + DeserializeOwned + PartialEq {
    /// Its description.
    const TYPE: ParamType;
    /// Whether it may be omitted.
    const OPTIONAL: bool = false;

    /// `None` if the value is allowed, else the offending value as text.
    fn refuse(&self, allowed: Allowed) -> Option<String>;
    /// The range shown for a refused value.
    fn told(allowed: Allowed) -> Allowed {
        allowed
    }
    /// The value of a setting; `None` for a setting of another type.
    fn of_setting(setting: &Setting) -> Option<Self>;
    /// The setting for this value; `None` if it is not set.
    fn setting(&self) -> Option<Setting>;
    /// Whether both values can use the same kernel.
    fn same_shape(&self, other: &Self, allowed: Allowed) -> bool {
        match allowed {
            Allowed::Structural | Allowed::Dimensions(..) => self == other,
            Allowed::Terms(..) => self.setting().map(|s| s.len()) == other.setting().map(|s| s.len()),
            Allowed::Any
            | Allowed::Seed
            | Allowed::Channels(_)
            | Allowed::Between(..)
            | Allowed::Each(..)
            | Allowed::List(..)
            | Allowed::Increasing
            | Allowed::Ascending
            | Allowed::Sorted
            | Allowed::Quantiles
            | Allowed::Told(_) => true,
        }
    }
    /// Writes the value in the form used in recipes.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
    /// Reads the value in the form used in recipes.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(deserializer)
    }
    /// The input this parameter holds.
    fn input(&self) -> Option<&Input> {
        None
    }
    /// The input this parameter holds, mutable.
    fn input_mut(&mut self) -> Option<&mut Input> {
        None
    }
}

/// A parameter's value as [`Param::write`] writes it.
struct WriteParam<'a, T>(&'a T);

impl<T: Param> Serialize for WriteParam<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

/// A parameter's value as [`Param::read`] reads it.
pub(crate) struct ReadParam<T>(pub T);

impl<'de, T: Param> Deserialize<'de> for ReadParam<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read(deserializer).map(ReadParam)
    }
}

impl Param for f64 {
    const TYPE: ParamType = ParamType::Number;

    fn refuse(&self, allowed: Allowed) -> Option<String> {
        numbers(&[*self], allowed)
    }
    fn of_setting(setting: &Setting) -> Option<Self> {
        match setting {
            Setting::Number(x) => Some(*x),
            Setting::Integer(x) => Some(*x as f64),
            Setting::Flag(_)
            | Setting::Word(_)
            | Setting::Numbers(_)
            | Setting::Vectors(_)
            | Setting::Points(_)
            | Setting::Quantiles(_)
            | Setting::Stops(_)
            | Setting::Radial(_) => None,
        }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Number(*self))
    }
}

/// An integer converted to the parameter's type.
fn whole<T: TryFrom<i128>>(setting: &Setting) -> Option<T> {
    if let Setting::Integer(x) = setting { T::try_from(*x).ok() } else { None }
}

impl Param for u32 {
    const TYPE: ParamType = ParamType::Whole;

    fn refuse(&self, allowed: Allowed) -> Option<String> {
        numbers(&[f64::from(*self)], allowed)
    }
    fn of_setting(setting: &Setting) -> Option<Self> {
        whole(setting)
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Integer(i128::from(*self)))
    }
}

/// A seed: every `u64`.
impl Param for u64 {
    const TYPE: ParamType = ParamType::Whole;

    fn refuse(&self, _: Allowed) -> Option<String> {
        None
    }
    fn of_setting(setting: &Setting) -> Option<Self> {
        if let Setting::Word(digits) = setting { seed::of_digits(digits) } else { whole(setting) }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Integer(i128::from(*self)))
    }
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        seed::write(*self, serializer)
    }
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        seed::read(deserializer)
    }
}

impl Param for bool {
    const TYPE: ParamType = ParamType::Flag;

    fn refuse(&self, _: Allowed) -> Option<String> {
        None
    }
    fn of_setting(setting: &Setting) -> Option<Self> {
        if let Setting::Flag(x) = setting { Some(*x) } else { None }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Flag(*self))
    }
}

/// An array of the type's length.
fn array<const N: usize>(setting: &Setting) -> Option<[f64; N]> {
    if let Setting::Numbers(x) = setting { <[f64; N]>::try_from(&x[..]).ok() } else { None }
}

impl Param for [f64; 3] {
    const TYPE: ParamType = ParamType::Vector;

    fn refuse(&self, allowed: Allowed) -> Option<String> {
        numbers(self, allowed)
    }
    fn of_setting(setting: &Setting) -> Option<Self> {
        array(setting)
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Numbers(self.to_vec()))
    }
}

impl Param for [f64; 2] {
    const TYPE: ParamType = ParamType::Pair;

    fn refuse(&self, allowed: Allowed) -> Option<String> {
        numbers(self, allowed)
    }
    fn of_setting(setting: &Setting) -> Option<Self> {
        array(setting)
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Numbers(self.to_vec()))
    }
}

impl Param for Vec<f64> {
    const TYPE: ParamType = ParamType::Numbers;

    fn refuse(&self, allowed: Allowed) -> Option<String> {
        if !matches!(allowed, Allowed::Ascending | Allowed::Sorted) {
            let most = if let Allowed::List(most, ..) | Allowed::Terms(most, ..) = allowed { most } else { usize::MAX };
            return match self.len() {
                0 => Some("an empty list (at least one number is required)".to_owned()),
                count if count > most => Some(format!("{count} numbers")),
                _ => numbers(self, allowed),
            };
        }
        let (Some(first), Some(last)) = (self.first(), self.last()) else { return None };
        let level = allowed == Allowed::Sorted;
        if let Some(text) = numbers(self, if level { SAMPLE } else { FINITE }) {
            return Some(text);
        }
        if let Some(i) = self.windows(2).position(|w| w[1] < w[0]) {
            return Some(format!("{} after {} (numbers {i} and {})", short(self[i + 1]), short(self[i]), i + 1));
        }
        let enough = self.len() >= 2 && self.len() <= 65_536 && (level || last > first);
        (!enough).then(|| format!("{} number(s) from {} to {}", self.len(), short(*first), short(*last)))
    }
    fn of_setting(setting: &Setting) -> Option<Self> {
        if let Setting::Numbers(x) = setting { Some(x.clone()) } else { None }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Numbers(self.clone()))
    }
}

impl Param for Vec<[f64; 3]> {
    const TYPE: ParamType = ParamType::Vectors;

    fn refuse(&self, allowed: Allowed) -> Option<String> {
        numbers(self.as_flattened(), allowed)
    }
    fn of_setting(setting: &Setting) -> Option<Self> {
        match setting {
            Setting::Vectors(x) => Some(x.clone()),
            setting => setting.is_empty_list().then(Vec::new),
        }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Vectors(self.clone()))
    }
}

impl<T: Param> Param for Option<T> {
    const TYPE: ParamType = T::TYPE;
    const OPTIONAL: bool = true;

    fn refuse(&self, allowed: Allowed) -> Option<String> {
        self.as_ref().and_then(|value| value.refuse(allowed))
    }
    fn told(allowed: Allowed) -> Allowed {
        T::told(allowed)
    }
    fn of_setting(setting: &Setting) -> Option<Self> {
        T::of_setting(setting).map(Some)
    }
    fn setting(&self) -> Option<Setting> {
        self.as_ref().and_then(Param::setting)
    }
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(WriteParam).serialize(serializer)
    }
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::<ReadParam<T>>::deserialize(deserializer)?.map(|ReadParam(value)| value))
    }
    fn input(&self) -> Option<&Input> {
        self.as_ref().and_then(Param::input)
    }
    fn input_mut(&mut self) -> Option<&mut Input> {
        self.as_mut().and_then(Param::input_mut)
    }
}
