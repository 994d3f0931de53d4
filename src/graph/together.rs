//! What one parameter of a node allows only together with another.

use super::{
    Clamp, Distribution, Fractal, GraphError, Hash, Hexagonal, Hill, Metric, Node, Quantile, Raster, Simplex, Smoothstep, Spectral,
    Transform, Uniform, Value, ValueHash, Worley, WorleyOutput,
};
use crate::params::short;
use crate::raster::{Heights, HeightsFile, Holes};

/// Checks a node each of whose parameters is allowed by itself.
pub(super) fn check_together(name: &str, node: &Node) -> Result<(), GraphError> {
    let refuse = |param, value: String, allowed: String| Err(GraphError::parameter(name, param, value, allowed));
    match node {
        Node::Simplex(Simplex { hash: Hash::Permutation289, dimensions, .. }) if *dimensions != 3 => {
            refuse("dimensions", dimensions.to_string(), format!("3 with hash = \"{}\"", Hash::Permutation289))
        }
        Node::Value(Value { hash: ValueHash::Table, dimensions, .. }) if *dimensions != 1 => {
            refuse("dimensions", dimensions.to_string(), format!("1 with hash = \"{}\"", ValueHash::Table))
        }
        Node::Value(Value { values: Some(values), .. }) if values.len() != 256 => {
            refuse("values", format!("{} number(s)", values.len()), "256".to_owned())
        }
        Node::Worley(Worley { output: WorleyOutput::Edge, metric, .. }) if *metric != Metric::Euclidean => {
            refuse("metric", format!("\"{metric}\""), format!("\"{}\" with output = \"{}\"", Metric::Euclidean, WorleyOutput::Edge))
        }
        Node::Clamp(Clamp { low, high, .. }) if low > high => refuse("high", short(*high), format!("at least low = {}", short(*low))),
        Node::Smoothstep(Smoothstep { low, high, .. }) if high <= low => {
            refuse("high", short(*high), format!("more than low = {}", short(*low)))
        }
        Node::Quantile(Quantile { distribution: Distribution::Table, table, .. }) if table.is_empty() => {
            refuse("table", "none".to_owned(), format!("two and more points with distribution = \"{}\"", Distribution::Table))
        }
        Node::Fractal(n) => check_fractal(name, n),
        Node::Transform(n) => check_transform(name, n),
        Node::Hexagonal(n) => check_hexagonal(name, n),
        Node::Radius(n) => has_direction(name, "axes", n.axes),
        Node::Raster(n) => check_raster(name, n),
        Node::Hill(n) => check_hill(name, n),
        Node::Spectral(n) => check_spectral(name, n),
        Node::Constant(_)
        | Node::Coordinate(_)
        | Node::Simplex(_)
        | Node::Value(_)
        | Node::White(_)
        | Node::Perlin(_)
        | Node::Worley(_)
        | Node::Spline(_)
        | Node::ScaleOffset(_)
        | Node::Clamp(_)
        | Node::Abs(_)
        | Node::Power(_)
        | Node::Add(_)
        | Node::Multiply(_)
        | Node::Min(_)
        | Node::Max(_)
        | Node::Blend(_)
        | Node::Warp(_)
        | Node::Polar(_)
        | Node::Slice(_)
        | Node::Mirror(_)
        | Node::Quantise(_)
        | Node::Periodic(_)
        | Node::Domain(_)
        | Node::Turbulence(_)
        | Node::Smoothstep(_)
        | Node::Terrace(_)
        | Node::Threshold(_)
        | Node::Bias(_)
        | Node::Gain(_)
        | Node::Sine(_)
        | Node::Quantile(_)
        | Node::Equalise(_)
        | Node::Select(_)
        | Node::OctaveTable(_)
        | Node::PointTable(_) => Ok(()),
    }
}

fn check_fractal(name: &str, n: &Fractal) -> Result<(), GraphError> {
    if let Some(offsets) = &n.offsets
        && offsets.len() < n.octaves as usize
    {
        let allowed = format!("at least one per octave ({})", n.octaves);
        return Err(GraphError::parameter(name, "offsets", format!("{} offsets", offsets.len()), allowed));
    }
    has_direction(name, "axis", n.axis)
}

fn check_transform(name: &str, n: &Transform) -> Result<(), GraphError> {
    if n.scale.iter().any(|s| s.abs() < 1e-6) {
        let allowed = "magnitudes of 1e-6 or more (a slice makes flat)";
        return Err(GraphError::parameter(name, "scale", format!("{:?}", n.scale), allowed));
    }
    has_direction(name, "axis", n.axis)
}

fn check_hexagonal(name: &str, n: &Hexagonal) -> Result<(), GraphError> {
    if let Some(permutation) = &n.permutation {
        let mut sorted = permutation.clone();
        sorted.sort_by(f64::total_cmp);
        if !sorted.iter().copied().eq((0..256).map(f64::from)) {
            let allowed = "every whole number from 0 to 255 once";
            return Err(GraphError::parameter(name, "permutation", format!("{} numbers", permutation.len()), allowed));
        }
    }
    if let Some(given) = n.gradients.as_ref().filter(|given| given.len() != 32) {
        return Err(GraphError::parameter(name, "gradients", format!("{} gradients", given.len()), "32"));
    }
    Ok(())
}

fn check_hill(name: &str, n: &Hill) -> Result<(), GraphError> {
    let mut sizes = n.all_sizes();
    let sines = sizes.len();
    if n.dimensions == 1 && n.uniform == Uniform::Exact {
        sizes.sort_by(f64::total_cmp);
        if let Some(twice) = sizes.windows(2).find(|pair| pair[0] == pair[1]) {
            let allowed = "sizes that differ, in 1D (a smoothness below 1): equal ones move together and are not uniform";
            return Err(GraphError::parameter(name, "sizes", format!("{} twice", short(twice[0])), allowed));
        }
    }
    if sines > 1024 {
        return Err(GraphError::parameter(name, "sizes", format!("{sines} sizes"), "at most 1024"));
    }
    let phases = sines * n.dimensions as usize;
    if let Some(given) = n.offsets.as_ref().filter(|given| given.len() != phases) {
        let allowed = format!("{phases}, one for each of {sines} sines and {} dimension(s)", n.dimensions);
        return Err(GraphError::parameter(name, "offsets", format!("{} offsets", given.len()), allowed));
    }
    Ok(())
}

fn check_spectral(name: &str, n: &Spectral) -> Result<(), GraphError> {
    let count = n.all_frequencies().len();
    if count > 4096 {
        return Err(GraphError::parameter(name, "frequencies", format!("{count} frequencies"), "at most 4096"));
    }
    for (param, list) in [("amplitudes", &n.amplitudes), ("phases", &n.phases)] {
        if let Some(given) = list.as_ref().filter(|given| given.len() != count) {
            let allowed = format!("{count}, one for each frequency");
            return Err(GraphError::parameter(name, param, format!("{} numbers", given.len()), allowed));
        }
    }
    Ok(())
}

fn has_direction(name: &str, param: &'static str, axis: [f64; 3]) -> Result<(), GraphError> {
    if axis.iter().all(|a| a.abs() < 1e-6) {
        return Err(GraphError::parameter(name, param, format!("{axis:?}"), "a direction of length 1e-6 or more"));
    }
    Ok(())
}

fn check_raster(name: &str, n: &Raster) -> Result<(), GraphError> {
    if n.heights.is_missing() {
        return Err(GraphError::parameter(name, "heights", "\"\"".to_owned(), "the name of a file"));
    }
    if n.spacing.iter().any(|spacing| spacing.abs() < 1e-9) {
        return Err(GraphError::parameter(name, "spacing", format!("{:?}", n.spacing), "magnitudes of 1e-9 to 1e9"));
    }
    n.check_file(name)?;
    n.check_heights(name, &n.heights)
}

impl Raster {
    /// The file that it names, and what it declares of it.
    pub(crate) fn file(&self) -> HeightsFile {
        HeightsFile { encoding: self.encoding, columns: self.columns, ..HeightsFile::new(self.heights.name()) }
    }

    /// Refuses declarations of a file that has been read otherwise, or of numbers that came from no file.
    fn check_file(&self, node: &str) -> Result<(), GraphError> {
        let Some(was) = self.heights.declared() else { return Ok(()) };
        let told = |columns: Option<u32>| columns.map_or("none".to_owned(), |columns| columns.to_string());
        if was.encoding != self.encoding {
            let allowed = format!("\"{}\", as the heights were read", was.encoding);
            return Err(GraphError::parameter(node, "encoding", format!("\"{}\"", self.encoding), allowed));
        }
        if was.columns != self.columns {
            return Err(GraphError::parameter(
                node,
                "columns",
                told(self.columns),
                format!("{}, as the heights were read", told(was.columns)),
            ));
        }
        Ok(())
    }

    /// Whether the node can have these heights, if they have been read: they have the hash that it asks for, and holes only if it fills them.
    pub(crate) fn check_heights(&self, node: &str, heights: &Heights) -> Result<(), GraphError> {
        if let (Some(Holes { count, column, row, .. }), None) = (heights.holes(), self.holes) {
            let (all, name) = (heights.values().map_or(0, <[f32]>::len), heights.name());
            let first = format!("the first at column {column} of row {row}");
            let allowed =
                format!("a height in each cell, but {count} of {all} have none, {first}; with holes = NUMBER they take this height");
            return Err(GraphError::parameter(node, "heights", format!("\"{name}\""), allowed));
        }
        match (self.sha256, heights.digest()) {
            (Some(wanted), Some(found)) if wanted != found => {
                let allowed = format!("{found}, which {} has (it has changed; without sha256 any will do)", heights.name());
                Err(GraphError::parameter(node, "sha256", wanted.to_string(), allowed))
            }
            _ => Ok(()),
        }
    }
}
