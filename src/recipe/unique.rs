//! JSON without duplicate keys.

use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A JSON object without duplicate keys at any depth, because their meaning is undefined.
pub(super) struct UniqueObject(pub serde_json::Map<String, serde_json::Value>);

impl<'de> Deserialize<'de> for UniqueObject {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match UniqueValue::deserialize(from)? {
            UniqueValue(serde_json::Value::Object(map)) => Ok(UniqueObject(map)),
            _ => Err(D::Error::custom("is not an object")),
        }
    }
}

/// A JSON value, likewise.
struct UniqueValue(serde_json::Value);

impl<'de> Deserialize<'de> for UniqueValue {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = serde_json::Value;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a value")
            }

            fn visit_bool<E>(self, x: bool) -> Result<Self::Value, E> {
                Ok(x.into())
            }

            fn visit_i64<E>(self, x: i64) -> Result<Self::Value, E> {
                Ok(x.into())
            }

            fn visit_u64<E>(self, x: u64) -> Result<Self::Value, E> {
                Ok(x.into())
            }

            fn visit_f64<E>(self, x: f64) -> Result<Self::Value, E> {
                Ok(x.into())
            }

            fn visit_str<E>(self, x: &str) -> Result<Self::Value, E> {
                Ok(x.into())
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(serde_json::Value::Null)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut all = Vec::new();
                while let Some(UniqueValue(x)) = list.next_element()? {
                    all.push(x);
                }
                Ok(all.into())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                let mut map = serde_json::Map::new();
                while let Some(key) = entries.next_key::<String>()? {
                    if map.contains_key(&key) {
                        return Err(A::Error::custom(format!("'{key}' stands here twice; allowed: once")));
                    }
                    let UniqueValue(x) = entries.next_value()?;
                    map.insert(key, x);
                }
                Ok(map.into())
            }
        }
        from.deserialize_any(Any).map(UniqueValue)
    }
}
