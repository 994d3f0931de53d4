//! Values of parameters, from Godot and to it.

use godot::builtin::{Array, GString, PackedFloat32Array, PackedFloat64Array, StringName, Variant, VariantType, Vector2, Vector3};
use godot::classes::Json;
use godot::meta::ToGodot;
use orogen::Setting;

/// A value for a parameter: a bool, a number, a word, a vector, an array of numbers; lists of points as arrays of dictionaries,
/// as in a recipe.
pub(crate) fn setting(value: &Variant) -> Result<Setting, String> {
    let refused = || format!("{value} is not a value of a parameter; allowed: bool, int, float, String, Vector2, Vector3, arrays of such");
    match value.get_type() {
        VariantType::BOOL => value.try_to::<bool>().map(Setting::from).map_err(|_| refused()),
        VariantType::INT => value.try_to::<i64>().map(Setting::from).map_err(|_| refused()),
        VariantType::FLOAT => value.try_to::<f64>().map(Setting::from).map_err(|_| refused()),
        VariantType::STRING => value.try_to::<GString>().map(|word| word.to_string().into()).map_err(|_| refused()),
        VariantType::STRING_NAME => value.try_to::<StringName>().map(|word| word.to_string().into()).map_err(|_| refused()),
        VariantType::VECTOR2 => value.try_to::<Vector2>().map(|v| Setting::from([v.x, v.y])).map_err(|_| refused()),
        VariantType::VECTOR3 => value.try_to::<Vector3>().map(|v| Setting::from([v.x, v.y, v.z])).map_err(|_| refused()),
        VariantType::PACKED_FLOAT32_ARRAY => {
            let numbers = value.try_to::<PackedFloat32Array>().map_err(|_| refused())?;
            Ok(numbers.as_slice().iter().map(|&x| f64::from(x)).collect::<Vec<_>>().into())
        }
        VariantType::PACKED_FLOAT64_ARRAY => {
            let numbers = value.try_to::<PackedFloat64Array>().map_err(|_| refused())?;
            Ok(numbers.as_slice().to_vec().into())
        }
        // A list is read as in a recipe in JSON.
        VariantType::ARRAY => {
            let text = Json::stringify_ex(value).full_precision(true).done().to_string();
            serde_json::from_str(&text).map_err(|_| refused())
        }
        _ => Err(refused()),
    }
}

/// The value of a parameter; null for what Godot cannot hold.
pub(crate) fn variant(setting: &Setting) -> Variant {
    match setting {
        Setting::Flag(x) => x.to_variant(),
        // A seed beyond Godot's integers is text, as in a recipe.
        Setting::Integer(x) => i64::try_from(*x).map_or_else(|_| GString::from(x.to_string().as_str()).to_variant(), |x| x.to_variant()),
        Setting::Number(x) => x.to_variant(),
        Setting::Word(x) => GString::from(x.as_str()).to_variant(),
        Setting::Numbers(x) => x.iter().copied().collect::<Array<f64>>().to_variant(),
        other => serde_json::to_string(other).map_or(Variant::nil(), |text| Json::parse_string(&text)),
    }
}
