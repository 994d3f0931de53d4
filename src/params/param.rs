//! What a parameter may be: one trait for every type that a table of kinds can name.

use super::allowed::numbers;
use super::{Allowed, FINITE, Input, Setting, Unset, short};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A type that can stand in a node row.
pub(crate) trait Param: Serialize + DeserializeOwned {
    /// `None` when the value is allowed, else the offending value as text.
    fn refuse(&self, allowed: Allowed) -> Option<String>;
    /// The value that a setting stands for; `current` is what the parameter holds.
    fn of_setting(current: Option<&Self>, setting: &Setting) -> Result<Self, Unset>;
    /// The setting that stands for this value; `None` where it is not given or not live.
    fn setting(&self) -> Option<Setting>;
    /// The inputs this parameter holds.
    fn inputs(&self) -> Vec<&Input> {
        Vec::new()
    }
    /// The inputs this parameter holds, to be rewired.
    fn inputs_mut(&mut self) -> Vec<&mut Input> {
        Vec::new()
    }
}

impl Param for f64 {
    fn refuse(&self, allowed: Allowed) -> Option<String> {
        numbers(&[*self], allowed)
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        match setting {
            Setting::Number(x) => Ok(*x),
            Setting::Integer(x) => Ok(*x as f64),
            _ => Err(Unset::Kind("a number")),
        }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Number(*self))
    }
}

/// A whole number as the type that holds it.
fn whole<T: TryFrom<i64>>(setting: &Setting) -> Result<T, Unset> {
    let Setting::Integer(x) = setting else { return Err(Unset::Kind("a whole number")) };
    T::try_from(*x).map_err(|_| Unset::Kind("a whole number that is not negative and not too large"))
}

impl Param for u32 {
    fn refuse(&self, allowed: Allowed) -> Option<String> {
        numbers(&[f64::from(*self)], allowed)
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        whole(setting)
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Integer(i64::from(*self)))
    }
}

impl Param for u64 {
    fn refuse(&self, _: Allowed) -> Option<String> {
        // TOML integers are 64-bit signed: a larger seed could not be saved.
        (i64::try_from(*self).is_err()).then(|| self.to_string())
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        whole(setting)
    }
    fn setting(&self) -> Option<Setting> {
        i64::try_from(*self).ok().map(Setting::Integer)
    }
}

impl Param for bool {
    fn refuse(&self, _: Allowed) -> Option<String> {
        None
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        if let Setting::Flag(x) = setting { Ok(*x) } else { Err(Unset::Kind("true or false")) }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Flag(*self))
    }
}

impl Param for [f64; 3] {
    fn refuse(&self, allowed: Allowed) -> Option<String> {
        numbers(self, allowed)
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        let Setting::Numbers(x) = setting else { return Err(Unset::Kind("3 numbers")) };
        <[f64; 3]>::try_from(&x[..]).map_err(|_| Unset::Kind("3 numbers"))
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Numbers(self.to_vec()))
    }
}

impl Param for [f64; 2] {
    fn refuse(&self, allowed: Allowed) -> Option<String> {
        numbers(self, allowed)
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        let Setting::Numbers(x) = setting else { return Err(Unset::Kind("2 numbers")) };
        <[f64; 2]>::try_from(&x[..]).map_err(|_| Unset::Kind("2 numbers"))
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Numbers(self.to_vec()))
    }
}

impl Param for Vec<f64> {
    fn refuse(&self, allowed: Allowed) -> Option<String> {
        if allowed != Allowed::Ascending {
            let most = if let Allowed::List(most, ..) | Allowed::Terms(most, ..) = allowed { most } else { usize::MAX };
            return if self.is_empty() || self.len() > most { Some(format!("{} number(s)", self.len())) } else { numbers(self, allowed) };
        }
        let (Some(first), Some(last)) = (self.first(), self.last()) else { return None };
        if let Some(text) = numbers(self, FINITE) {
            return Some(text);
        }
        if let Some(i) = self.windows(2).position(|w| w[1] < w[0]) {
            return Some(format!("{} after {} (numbers {i} and {})", short(self[i + 1]), short(self[i]), i + 1));
        }
        let enough = self.len() >= 2 && self.len() <= 65_536 && last > first;
        (!enough).then(|| format!("{} number(s) from {} to {}", self.len(), short(*first), short(*last)))
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        if let Setting::Numbers(x) = setting { Ok(x.clone()) } else { Err(Unset::Kind("a list of numbers")) }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Numbers(self.clone()))
    }
}

impl Param for Vec<[f64; 3]> {
    fn refuse(&self, allowed: Allowed) -> Option<String> {
        numbers(self.as_flattened(), allowed)
    }
    fn of_setting(_: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        if let Setting::Vectors(x) = setting { Ok(x.clone()) } else { Err(Unset::Kind("a list of vectors of 3 numbers")) }
    }
    fn setting(&self) -> Option<Setting> {
        Some(Setting::Vectors(self.clone()))
    }
}

impl<T: Param> Param for Option<T> {
    fn refuse(&self, allowed: Allowed) -> Option<String> {
        self.as_ref().and_then(|value| value.refuse(allowed))
    }
    fn of_setting(current: Option<&Self>, setting: &Setting) -> Result<Self, Unset> {
        T::of_setting(current.and_then(Option::as_ref), setting).map(Some)
    }
    fn setting(&self) -> Option<Setting> {
        self.as_ref().and_then(Param::setting)
    }
}
