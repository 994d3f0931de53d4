//! A recipe as the Python program that builds it: a starting point for a script or a notebook.

use super::{Bake, Recipe};
use crate::graph::names::free_name;
use crate::params::{ControlPoint, Input, KindInfo, ParamInfo, ParamType, Setting};
use crate::stage::{Pipeline, called, stem};
use indexmap::IndexMap;
use std::collections::HashSet;

/// Line width at which lists are broken.
const WIDTH: usize = 100;
/// Python keywords, which cannot be names.
const KEYWORDS: &str = "False None True and as assert async await break class continue def del elif else except finally for from global if \
                        import in is lambda nonlocal not or pass raise return try while with yield";
/// Names that would shadow others: Python's built-in names, and those used by the program itself.
const TAKEN: &str = "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright \
                     credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash \
                     help hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open \
                     ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type \
                     vars zip og recipe";

impl Recipe {
    /// A Python program that builds the recipe, `recipe`, from a noise for each node and a pipeline for each stage. Default
    /// values are omitted.
    ///
    /// Equal nodes with automatic names (`simplex`, `simplex_2`) become one, as whenever noises are joined.
    ///
    /// ```
    /// use orogen::{Noise, Recipe, node::{Fractal, Simplex}};
    /// let basis = Noise::simplex(Simplex { wavelength: 300.0, ..Default::default() });
    /// let hills = basis.fractal(Fractal { octaves: 8, ..Default::default() }).named("hills");
    /// let program = r#"import orogen as og
    ///
    /// simplex = og.simplex(wavelength=300.0)
    /// hills = simplex.fractal(octaves=8).named("hills")
    ///
    /// recipe = og.Recipe(hills)
    /// "#;
    /// assert_eq!(Recipe::new(hills).to_python(), program);
    /// ```
    pub fn to_python(&self) -> String {
        let mut pipeline = Pipeline { output: String::new(), node: IndexMap::new(), stage: IndexMap::new() };
        let renamed = pipeline.take_in_all(&self.pipeline);
        pipeline.output = called(&self.pipeline.output, &renamed);
        let program = PythonVariables::of(&pipeline);
        let mut code = String::from("import orogen as og\n\n");
        let nodes = pipeline.node.iter().filter(|(name, _)| pipeline.is_noise(name)).map(|(name, node)| {
            let named = format!(").named({})", text(name));
            program.step(
                name,
                node.info(),
                &|param| node.setting(param).flatten(),
                "og",
                None,
                if name == node.info().kind { ")" } else { &named },
            )
        });
        code.extend(nodes.map(|line| line + "\n"));
        code.push_str(if pipeline.stage.is_empty() || pipeline.node.is_empty() { "" } else { "\n" });
        for name in pipeline.steps() {
            let given = |kind: &str| (name != kind).then(|| format!("name={}", text(name)));
            let line = match (pipeline.stage.get(name), pipeline.node.get(name)) {
                (Some(stage), _) => {
                    let info = stage.info();
                    program.step(name, info, &|param| stage.setting(param).flatten(), "og.stage", given(info.kind), ")")
                }
                (None, Some(node)) => {
                    let info = node.info();
                    program.step(name, info, &|param| node.setting(param).flatten(), "og.stage", given(info.kind), ")")
                }
                (None, None) => continue,
            };
            code.push_str(&(line + "\n"));
        }
        let layers: Vec<String> = self.bake.layers.iter().map(|layer| called(layer, &renamed)).collect();
        let mut made = vec![CodePart::Text(program.result(&pipeline))];
        made.extend(bake(&self.bake, &layers));
        code + "\n" + &CodePart::list("recipe = og.Recipe(", made, ")").laid(0) + "\n"
    }
}

/// The variables of a program, by the nodes and stages that they contain.
struct PythonVariables<'a> {
    pipeline: &'a Pipeline,
    variables: IndexMap<&'a str, String>,
}

impl<'a> PythonVariables<'a> {
    fn of(pipeline: &'a Pipeline) -> Self {
        let mut used: HashSet<String> = KEYWORDS.split_whitespace().chain(TAKEN.split_whitespace()).map(str::to_owned).collect();
        let mut variables = IndexMap::new();
        for name in pipeline.node.keys().chain(pipeline.stage.keys()) {
            let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            let plain = if plain.starts_with(|c: char| c.is_ascii_digit()) { format!("_{plain}") } else { plain };
            // `map_` follows Python's style guide for `map`.
            let plain = if used.contains(&plain) && !variables.values().any(|taken| *taken == plain) { plain + "_" } else { plain };
            let variable = free_name(&plain, |name| used.contains(name));
            used.insert(variable.clone());
            variables.insert(name.as_str(), variable);
        }
        PythonVariables { pipeline, variables }
    }

    /// The code for a name: a variable, or another output of its pipeline.
    fn value(&self, name: &str) -> String {
        match (self.variables.get(name), self.variables.get(stem(name))) {
            (Some(variable), _) => variable.clone(),
            (None, Some(variable)) => format!("{variable}.with_output({})", text(name)),
            (None, None) => text(name),
        }
    }

    /// The statement for a node or stage: its variable, and the method call on its first input. `last` is an additional last
    /// argument.
    fn step(
        &self,
        name: &str,
        info: &KindInfo,
        setting: &dyn Fn(&str) -> Option<Setting>,
        module: &str,
        last: Option<String>,
        close: &str,
    ) -> String {
        let first = info.params.iter().find(|param| param.param_type == ParamType::Input);
        let is_noise = |input: &str| self.pipeline.is_noise(input);
        let is_stage = !is_noise(name);
        let method = python_name(info.kind);
        let mut given = Vec::new();
        let call = match (first, first.and_then(|first| setting(first.name))) {
            (None, _) => format!("{module}.{method}"),
            // A pipeline begins with a noise.
            (Some(_), Some(Setting::Word(input))) if is_stage && is_noise(&input) => {
                format!("og.Pipeline({}).{method}", self.value(&input))
            }
            (Some(_), Some(Setting::Word(input))) => format!("{}.{method}", self.value(&input)),
            // A number has no methods, so it is passed to the method of the class.
            (Some(first), value) => {
                given.push(value.map_or(CodePart::text("None"), |value| self.part("", first, value)));
                format!("og.{}.{method}", if is_stage { "Pipeline" } else { "Noise" })
            }
        };
        for param in info.params.iter().filter(|param| first.is_none_or(|first| first.name != param.name)) {
            let value = setting(param.name).filter(|value| Some(value) != param.default_value().as_ref());
            let by_position = param.param_type == ParamType::Input && param.default_value().is_none() && !param.optional;
            let key = if by_position { String::new() } else { format!("{}=", python_name(param.name)) };
            given.extend(value.map(|value| self.part(&key, param, value)));
        }
        given.extend(last.map(CodePart::Text));
        CodePart::list(format!("{} = {call}(", self.value(name)), given, close).laid(0)
    }

    /// The argument for a parameter.
    fn part(&self, key: &str, param: &ParamInfo, setting: Setting) -> CodePart {
        let numbers = |open: &str, all: &[f64], close| {
            CodePart::list(format!("{key}{open}"), all.iter().map(|x| CodePart::Text(format!("{x:?}"))), close)
        };
        let points = |all: Vec<String>| CodePart::list(format!("{key}["), all.into_iter().map(CodePart::Text), "]");
        let plain = match setting {
            Setting::Word(name) if param.param_type == ParamType::Input => self.value(&name),
            Setting::Word(word) => text(&word),
            Setting::Flag(true) => "True".to_owned(),
            Setting::Flag(false) => "False".to_owned(),
            Setting::Integer(x) if matches!(param.param_type, ParamType::Input | ParamType::Number) => format!("{x}.0"),
            Setting::Integer(x) => x.to_string(),
            Setting::Number(x) => format!("{x:?}"),
            Setting::Numbers(all) if matches!(param.param_type, ParamType::Pair | ParamType::Vector) => return numbers("(", &all, ")"),
            Setting::Numbers(all) => return numbers("[", &all, "]"),
            Setting::Vectors(all) => return points(all.iter().map(|[x, y, z]| format!("({x:?}, {y:?}, {z:?})")).collect()),
            Setting::Points(all) => return CodePart::list(format!("{key}["), all.iter().map(control_point), "]"),
            Setting::Quantiles(all) => {
                return points(
                    all.iter().map(|p| format!("og.QuantilePoint(probability={:?}, value={:?})", p.probability, p.value)).collect(),
                );
            }
            Setting::Radial(all) => {
                return points(
                    all.iter().map(|p| format!("og.RadialPoint(frequency={:?}, amplitude={:?})", p.frequency, p.amplitude)).collect(),
                );
            }
            Setting::Stops(all) => {
                return points(all.iter().map(|stop| format!("og.ColourStop(at={:?}, colour={})", stop.at, text(&stop.colour))).collect());
            }
        };
        CodePart::Text(format!("{key}{plain}"))
    }

    /// The code for the whole pipeline.
    fn result(&self, pipeline: &Pipeline) -> String {
        let mut read: HashSet<&str> = HashSet::from([stem(&pipeline.output), &pipeline.output]);
        let inputs = pipeline.node.values().flat_map(|node| node.inputs()).chain(pipeline.stage.values().flat_map(|stage| stage.inputs()));
        for (_, input) in inputs {
            if let Input::Node(name) = input {
                read.extend([stem(name), name]);
            }
        }
        let unread: Vec<&str> =
            self.variables.iter().filter(|(name, _)| !read.contains(*name)).map(|(_, variable)| variable.as_str()).collect();
        let output = self.value(&pipeline.output);
        match (unread.is_empty(), pipeline.has_stages()) {
            (true, _) => output,
            (false, true) => format!("{output}.with_layers({})", unread.join(", ")),
            (false, false) => format!("og.Pipeline({output}).with_layers({})", unread.join(", ")),
        }
    }
}

/// The arguments for the settings of a recipe's bake.
fn bake(bake: &Bake, layers: &[String]) -> Vec<CodePart> {
    let usual = Bake::default();
    let mut given = Vec::new();
    let mut say = |is_given: bool, text: String| given.extend(is_given.then_some(CodePart::Text(text)));
    say(bake.tile != usual.tile, format!("tile={}", bake.tile));
    say(bake.tiles != usual.tiles, format!("tiles=({}, {})", bake.tiles[0], bake.tiles[1]));
    say(bake.spacing != usual.spacing, format!("spacing={:?}", bake.spacing));
    say(bake.z != usual.z, format!("z={:?}", bake.z));
    if !layers.is_empty() {
        given.push(CodePart::list("layers=[", layers.iter().map(|layer| CodePart::Text(text(layer))), "]"));
    }
    given.extend(bake.destination.map(|destination| CodePart::Text(format!("for_={}", text(destination.name())))));
    given
}

fn control_point(point: &ControlPoint) -> CodePart {
    let slopes = [("slope_in", point.slope_in), ("slope_out", point.slope_out)].into_iter().filter(|(_, slope)| *slope != 0.0);
    let numbers = [("at", point.at), ("value", point.value)].into_iter().chain(slopes);
    CodePart::list("og.ControlPoint(", numbers.map(|(name, number)| CodePart::Text(format!("{name}={number:?}"))), ")")
}

/// Text in quotes; Python reads JSON's escapes likewise.
fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The package's name of a kind or a parameter: Python keywords get `_` appended.
fn python_name(name: &str) -> String {
    if KEYWORDS.split_whitespace().any(|word| word == name) { format!("{name}_") } else { name.to_owned() }
}

/// Code laid out in one line if it fits, else with one item per line.
enum CodePart {
    Text(String),
    List { open: String, items: Vec<CodePart>, close: String },
}

impl CodePart {
    fn text(text: &str) -> Self {
        CodePart::Text(text.to_owned())
    }

    fn list(open: impl Into<String>, items: impl IntoIterator<Item = CodePart>, close: &str) -> Self {
        CodePart::List { open: open.into(), items: items.into_iter().collect(), close: close.to_owned() }
    }

    fn flat(&self) -> String {
        match self {
            CodePart::Text(text) => text.clone(),
            CodePart::List { open, items, close } => {
                format!("{open}{}{close}", items.iter().map(CodePart::flat).collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn laid(&self, indent: usize) -> String {
        let flat = self.flat();
        match self {
            // A comma follows each item.
            CodePart::List { open, items, close }
                if indent + flat.chars().count() + usize::from(indent > 0) > WIDTH && !items.is_empty() =>
            {
                let deeper = indent + 4;
                let rows: String = items.iter().map(|item| format!("{:deeper$}{},\n", "", item.laid(deeper))).collect();
                format!("{open}\n{rows}{:indent$}{close}", "")
            }
            CodePart::Text(_) | CodePart::List { .. } => flat,
        }
    }
}
