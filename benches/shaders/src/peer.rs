//! Pasted noises: files of other libraries, and how each is called.

use crate::case::{Basis, Shape};
use std::path::{Path, PathBuf};

/// A noise of another library.
pub struct Peer {
    /// The file, as the list of entries names it.
    pub file: String,
    path: PathBuf,
    pub basis: Basis,
    /// Whether its expression is the value and the gradient.
    pub gradient: bool,
    expression: String,
    /// Statements before the expression.
    prelude: String,
}

/// All noises whose files exist: those of npm's packages, and those of the folder that `OROGEN_SHADERS` names, with its own
/// `entries.txt` if there is one.
pub fn peers() -> Result<Vec<Peer>, String> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules")];
    let mut entries = include_str!("entries.txt").to_owned();
    if let Some(folder) = std::env::var_os("OROGEN_SHADERS").map(PathBuf::from) {
        let own = folder.join("entries.txt");
        if own.exists() {
            entries += &std::fs::read_to_string(&own).map_err(|error| format!("{}: {error}", own.display()))?;
        }
        folders.push(folder);
    }
    let lines = entries.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let peers = lines.map(|line| peer(line, &folders)).collect::<Result<Vec<_>, _>>()?;
    Ok(peers.into_iter().flatten().collect())
}

/// A line of entries; `None` if its file is in none of the folders.
fn peer(line: &str, folders: &[PathBuf]) -> Result<Option<Peer>, String> {
    let mut fields = line.splitn(4, '|').map(str::trim);
    let (Some(file), Some(case), Some(expression)) = (fields.next(), fields.next(), fields.next()) else {
        return Err(format!("'{line}' is not FILE | CASE | EXPRESSION | STATEMENTS"));
    };
    let (name, gradient) = case.strip_suffix(" with gradient").map_or((case, false), |name| (name, true));
    let names = || Basis::ALL.map(Basis::name).join(", ");
    let basis = Basis::ALL.into_iter().find(|basis| basis.name() == name);
    let basis = basis.ok_or_else(|| format!("'{case}' is not a case; cases: {}", names()))?;
    let path = folders.iter().map(|folder| folder.join(file)).find(|path| path.exists());
    let prelude = fields.next().unwrap_or_default().to_owned();
    Ok(path.map(|path| Peer { file: file.to_owned(), path, basis, gradient, expression: expression.to_owned(), prelude }))
}

impl Peer {
    /// The compute shader of a shape.
    pub fn module(&self, shape: Shape) -> Result<naga::Module, String> {
        let source = std::fs::read_to_string(&self.path).map_err(|error| format!("{}: {error}", self.path.display()))?;
        let is_glsl = self.path.extension().is_some_and(|extension| extension == "glsl");
        let (number, vec3, vec4) = if is_glsl { ("float", "vec3", "vec4") } else { ("f32", "vec3<f32>", "vec4<f32>") };
        let kernel = if is_glsl { include_str!("kernel.comp") } else { include_str!("kernel.wgsl") };
        let kernel = kernel
            .replace("FUNCTION", &self.expression)
            .replace("PRELUDE", &self.prelude)
            .replace("BODY", &shape.expression(vec3))
            .replace("NUMBER", if self.gradient { vec4 } else { number })
            // The gradient of an octave is as much steeper as it is finer.
            .replace("STEEPNESS", &if self.gradient { format!("{vec4}(1.0, {vec3}(scale))") } else { "1.0".to_owned() })
            .replace("GLSL_FORMAT", if self.gradient { "rgba32f" } else { "r32f" })
            .replace("FORMAT", if self.gradient { "rgba32float" } else { "r32float" });
        if !is_glsl {
            return naga::front::wgsl::parse_str(&(source.clone() + &kernel)).map_err(|error| error.emit_to_string(&(source + &kernel)));
        }
        // Lines for glslify, which puts modules together; there is one module here.
        let plain: Vec<&str> = source.lines().filter(|line| !line.trim_start().starts_with("#pragma glslify")).collect();
        let source = format!("#version 450\n{}\n{kernel}", plain.join("\n"));
        let options = naga::front::glsl::Options::from(naga::ShaderStage::Compute);
        naga::front::glsl::Frontend::default().parse(&options, &source).map_err(|errors| errors.emit_to_string(&source))
    }
}
