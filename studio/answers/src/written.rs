//! A recipe as pages show it: as it is written, with one card for each recipe in it.

use crate::open_recipe::LayerInfo;
use orogen::node::Allowed;
use orogen::{ReadRecipe, RecipePreset, RecipeUse, Variable};
use serde_json::{Map, Value, json};

/// The parts of a text besides the meaning of its recipe.
pub struct Written {
    variables: Value,
    expressions: Value,
    uses: Vec<(String, RecipeUse)>,
}

impl Written {
    /// Divides a recipe into its meaning and the rest.
    pub fn of(read: ReadRecipe) -> (orogen::Recipe, Written) {
        let ReadRecipe { recipe, variables, expressions, uses, .. } = read;
        let list: Vec<Value> = variables.iter().map(|(name, variable)| variable_json(name, variable)).collect();
        (recipe, Written { variables: list.into(), expressions: json!(expressions), uses: uses.into_iter().collect() })
    }

    /// The fields of an answer besides the recipe: its variables, and its numbers that are expressions.
    pub(crate) fn facts(&self) -> (&Value, &Value) {
        (&self.variables, &self.expressions)
    }

    /// Whether a node or stage comes from a recipe in this one.
    fn is_inner(&self, name: &str) -> bool {
        name.split_once(':').is_some_and(|(owner, _)| self.uses.iter().any(|(used, _)| used == owner))
    }

    fn is_use(&self, name: &str) -> bool {
        self.uses.iter().any(|(used, _)| used == name)
    }

    /// Replaces the nodes and stages of each recipe in this one by a row of the kind `recipe`.
    pub(crate) fn collapse(&self, recipe: &mut Value) {
        for (name, used) in &self.uses {
            if let Some(stages) = recipe.get_mut("stage").and_then(Value::as_object_mut) {
                stages.remove(name);
            }
            recipe["node"][name] = row(used);
        }
        for table in ["node", "stage"] {
            if let Some(rows) = recipe.get_mut(table).and_then(Value::as_object_mut) {
                rows.retain(|name, _| !self.is_inner(name));
            }
        }
    }

    /// The layers of the cards.
    pub(crate) fn layers(&self, layers: Vec<LayerInfo>) -> Vec<LayerInfo> {
        let own = layers.into_iter().filter(|layer| !self.is_inner(layer.name()));
        own.map(|layer| if self.is_use(layer.name()) { layer.of_node() } else { layer }).collect()
    }
}

fn variable_json(name: &str, variable: &Variable) -> Value {
    json!({
        "name": name, "value": variable.value, "range": variable.range, "description": variable.description,
        "expression": variable.expression,
    })
}

/// The row of a recipe: its fields, and a kind made from its variables.
fn row(used: &RecipeUse) -> Value {
    let mut row = Map::new();
    let mut params = Vec::new();
    row.insert("kind".into(), "recipe".into());
    if let Some(preset) = &used.preset {
        row.insert("preset".into(), preset.as_str().into());
        let words: Vec<&str> = RecipePreset::ALL.iter().map(|preset| preset.name).collect();
        params.push(param(
            "preset",
            "The recipe that comes with the program.",
            &json!({ "choice": { "name": "Preset", "words": words } }),
            &Value::Null,
        ));
    }
    if let Some(file) = &used.file {
        row.insert("file".into(), file.as_str().into());
        params.push(param("file", "The file of the recipe, next to this one.", &"file".into(), &Value::Null));
    }
    for (target, input) in &used.inputs {
        let name = format!("inputs.{target}");
        let doc = format!("Replaces the node `{target}` of the recipe.");
        let mut input_param = param(&name, &doc, &"input".into(), &Value::Null);
        input_param["allowed"] = json!({ "channels": 1 });
        params.push(input_param);
        row.insert(name, json!(input));
    }
    for (name, variable) in &used.variables {
        // A value of its own can be reset.
        let default = if used.given.contains(name) { Value::Null } else { variable.value.into() };
        let mut number = param(name, &variable.description, &"number".into(), &default);
        if let Some([lo, hi]) = variable.range {
            number["allowed"] = json!(Allowed::Between(lo, hi));
        }
        params.push(number);
        row.insert(name.clone(), variable.value.into());
    }
    let mut seed = param("seed", "Another world of the same kind: 0 is the recipe as it is.", &"whole".into(), &0.into());
    seed["allowed"] = json!(Allowed::Seed);
    params.push(seed);
    row.insert("seed".into(), seed_json(used.seed));
    let doc = match used.preset.as_deref().and_then(RecipePreset::find) {
        Some(preset) => preset.description().to_owned(),
        None => "Another recipe with values for its variables.".to_owned(),
    };
    row.insert(
        "uses".into(),
        json!({
            "kind": "recipe", "type_name": "Recipe", "doc": doc, "params": params, "outputs": [{ "name": "", "channels": 1 }], "synonyms": [],
            "reads_stages": true,
        }),
    );
    row.into()
}

/// A seed in the form of the protocol.
fn seed_json(seed: u64) -> Value {
    if seed < 1 << 53 { seed.into() } else { seed.to_string().into() }
}

fn param(name: &str, doc: &str, holds: &Value, default: &Value) -> Value {
    json!({ "name": name, "doc": doc, "type": holds, "optional": false, "allowed": "any", "unit": null, "default": default })
}

/// The presets as kinds of the palette.
pub fn presets() -> Vec<Value> {
    let one = |preset: &RecipePreset| {
        json!({
            "kind": preset.name, "type_name": "Recipe", "doc": preset.description(), "params": [],
            "outputs": [{ "name": "", "channels": 1 }], "synonyms": ["preset"], "reads_stages": true, "preset": preset.name,
        })
    };
    RecipePreset::ALL.iter().map(one).collect()
}
