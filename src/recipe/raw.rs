//! Values and tables of either language of recipes.

use crate::params::Setting;
use serde::de::DeserializeOwned;

/// A value of either language.
pub(super) enum Raw {
    Toml(toml::Value),
    Json(serde_json::Value),
}

impl Raw {
    /// The value; `None` if it is of another type.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Option<T> {
        match self {
            Raw::Toml(value) => T::deserialize(value.clone()).ok(),
            Raw::Json(value) => T::deserialize(value).ok(),
        }
    }

    /// Its text, if it is text.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Raw::Toml(value) => value.as_str(),
            Raw::Json(value) => value.as_str(),
        }
    }

    /// A number in place of this value; with `whole`, an integer.
    pub(super) fn number(&self, x: f64, whole: bool) -> Raw {
        match self {
            Raw::Toml(_) if whole => Raw::Toml(toml::Value::Integer(x as i64)),
            Raw::Toml(_) => Raw::Toml(toml::Value::Float(x)),
            Raw::Json(_) if whole => Raw::Json((x as i64).into()),
            Raw::Json(_) => Raw::Json(x.into()),
        }
    }

    /// Replaces each text within lists and tables for which `number` returns a number.
    pub(super) fn replace_texts<E>(&mut self, number: &mut dyn FnMut(&str) -> Result<Option<f64>, E>) -> Result<(), E> {
        match self {
            Raw::Toml(value) => replace_toml(value, number),
            Raw::Json(value) => replace_json(value, number),
        }
    }

    pub(super) fn table(self) -> Result<RecipeTable, Raw> {
        match self {
            Raw::Toml(toml::Value::Table(table)) => Ok(RecipeTable::Toml(table)),
            Raw::Json(serde_json::Value::Object(map)) => Ok(RecipeTable::Json(map)),
            other => Err(other),
        }
    }

    /// Its text, on one line.
    pub(super) fn shown(&self) -> String {
        match self {
            Raw::Toml(value) => value.to_string(),
            Raw::Json(value) => value.to_string(),
        }
    }

    /// The value as JSON, for inspection.
    pub(super) fn json(&self) -> serde_json::Value {
        match self {
            Raw::Toml(value) => serde_json::to_value(value).unwrap_or_default(),
            Raw::Json(value) => value.clone(),
        }
    }
}

fn replace_toml<E>(value: &mut toml::Value, number: &mut dyn FnMut(&str) -> Result<Option<f64>, E>) -> Result<(), E> {
    match value {
        toml::Value::Array(items) => items.iter_mut().try_for_each(|item| replace_toml(item, number)),
        toml::Value::Table(fields) => fields.iter_mut().try_for_each(|(_, field)| replace_toml(field, number)),
        toml::Value::String(text) => {
            if let Some(x) = number(text)? {
                *value = toml::Value::Float(x);
            }
            Ok(())
        }
        toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) | toml::Value::Datetime(_) => Ok(()),
    }
}

fn replace_json<E>(value: &mut serde_json::Value, number: &mut dyn FnMut(&str) -> Result<Option<f64>, E>) -> Result<(), E> {
    match value {
        serde_json::Value::Array(items) => items.iter_mut().try_for_each(|item| replace_json(item, number)),
        serde_json::Value::Object(fields) => fields.iter_mut().try_for_each(|(_, field)| replace_json(field, number)),
        serde_json::Value::String(text) => {
            if let Some(x) = number(text)? {
                *value = x.into();
            }
            Ok(())
        }
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => Ok(()),
    }
}

/// A table of either language, as far as the reader needs it.
pub(super) enum RecipeTable {
    Toml(toml::Table),
    Json(serde_json::Map<String, serde_json::Value>),
}

impl RecipeTable {
    pub(super) fn remove(&mut self, name: &str) -> Option<Raw> {
        match self {
            RecipeTable::Toml(table) => table.remove(name).map(Raw::Toml),
            RecipeTable::Json(map) => map.shift_remove(name).map(Raw::Json),
        }
    }

    /// The text of a field.
    pub(super) fn text_of(&self, name: &str) -> Option<&str> {
        match self {
            RecipeTable::Toml(table) => table.get(name)?.as_str(),
            RecipeTable::Json(map) => map.get(name)?.as_str(),
        }
    }

    /// An empty table of the same language.
    pub(super) fn empty(&self) -> RecipeTable {
        match self {
            RecipeTable::Toml(_) => RecipeTable::Toml(toml::Table::new()),
            RecipeTable::Json(_) => RecipeTable::Json(serde_json::Map::new()),
        }
    }

    /// The table as a value.
    pub(super) fn into_raw(self) -> Raw {
        match self {
            RecipeTable::Toml(table) => Raw::Toml(toml::Value::Table(table)),
            RecipeTable::Json(map) => Raw::Json(serde_json::Value::Object(map)),
        }
    }

    /// Sets a field to a number or a text.
    pub(super) fn set(&mut self, name: &str, setting: &Setting) {
        // TOML integers are at most 2^63 - 1; a larger seed is text.
        let large = if let Setting::Integer(x) = setting { i64::try_from(*x).err().map(|_| Setting::Word(x.to_string())) } else { None };
        let setting = large.as_ref().unwrap_or(setting);
        match self {
            RecipeTable::Toml(table) => drop(toml::Value::try_from(setting).map(|value| table.insert(name.to_owned(), value))),
            RecipeTable::Json(map) => drop(serde_json::to_value(setting).map(|value| map.insert(name.to_owned(), value))),
        }
    }

    /// Every entry, in order.
    pub(super) fn into_entries(self) -> Vec<(String, Raw)> {
        match self {
            RecipeTable::Toml(table) => table.into_iter().map(|(name, value)| (name, Raw::Toml(value))).collect(),
            RecipeTable::Json(map) => map.into_iter().map(|(name, value)| (name, Raw::Json(value))).collect(),
        }
    }

    pub(super) fn keys(&self) -> Vec<String> {
        match self {
            RecipeTable::Toml(table) => table.keys().cloned().collect(),
            RecipeTable::Json(map) => map.keys().cloned().collect(),
        }
    }

    /// The names of all entries of these tables.
    pub(super) fn keys_of(&self, tables: &[&str]) -> Vec<String> {
        let keys = |table: &&str| -> Vec<String> {
            match self {
                RecipeTable::Toml(root) => {
                    root.get(*table).and_then(toml::Value::as_table).into_iter().flatten().map(|(key, _)| key.clone()).collect()
                }
                RecipeTable::Json(root) => {
                    root.get(*table).and_then(serde_json::Value::as_object).into_iter().flatten().map(|(key, _)| key.clone()).collect()
                }
            }
        };
        tables.iter().flat_map(keys).collect()
    }

    /// The whole table as a pipeline.
    pub(super) fn read<T: DeserializeOwned>(self) -> Option<T> {
        match self {
            RecipeTable::Toml(table) => T::deserialize(table).ok(),
            RecipeTable::Json(map) => T::deserialize(serde_json::Value::Object(map)).ok(),
        }
    }

    /// A table of one entry, of the same language.
    pub(super) fn one(name: &str, value: &Raw) -> RecipeTable {
        match value {
            Raw::Toml(value) => RecipeTable::Toml([(name.to_owned(), value.clone())].into_iter().collect()),
            Raw::Json(value) => RecipeTable::Json([(name.to_owned(), value.clone())].into_iter().collect()),
        }
    }

    pub(super) fn insert(&mut self, name: String, value: Raw) {
        match (self, value) {
            (RecipeTable::Toml(table), Raw::Toml(value)) => drop(table.insert(name, value)),
            (RecipeTable::Json(map), Raw::Json(value)) => drop(map.insert(name, value)),
            (RecipeTable::Toml(_), Raw::Json(_)) | (RecipeTable::Json(_), Raw::Toml(_)) => (),
        }
    }
}
