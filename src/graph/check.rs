//! Whether a graph means something: every input there, every number allowed, no cycle.

use crate::graph::{Distribution, Fractal, Graph, Hash, Metric, Node, Uniform, WorleyOutput};
use crate::params::{Input, short};

/// Why a graph means nothing. Every message names the node, the parameter, the value and what is allowed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// A number outside its range.
    #[error("node '{node}': {param} = {value} is not allowed; allowed: {allowed}")]
    Parameter {
        /// Name of the node.
        node: String,
        /// Name of the parameter.
        param: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        allowed: String,
    },
    /// An input that is not given.
    #[error("node '{node}': input {param} is missing; allowed: the name of a node or a number")]
    MissingInput {
        /// Name of the node.
        node: String,
        /// Name of the input.
        param: &'static str,
    },
    /// An input (or the output) names a node that does not exist.
    #[error("{}: there is no node '{name}'; allowed: {known}", place(node, param))]
    UnknownNode {
        /// Name of the node that refers, empty for the graph's output.
        node: String,
        /// Name of the input.
        param: &'static str,
        /// The name that is not found.
        name: String,
        /// The names that are.
        known: String,
    },
    /// A node depends on itself.
    #[error("node '{node}': {param} closes a cycle: {path}; allowed: graphs without cycles")]
    Cycle {
        /// A node of the cycle.
        node: String,
        /// The input through which it closes.
        param: &'static str,
        /// The nodes of the cycle in order.
        path: String,
    },
}

fn place(node: &str, param: &str) -> String {
    if node.is_empty() { param.to_owned() } else { format!("node '{node}': {param}") }
}

impl GraphError {
    /// The node and the parameter at fault; the node is empty when it is the graph's `output`.
    pub fn site(&self) -> (&str, &'static str) {
        match self {
            GraphError::Parameter { node, param, .. }
            | GraphError::MissingInput { node, param }
            | GraphError::UnknownNode { node, param, .. }
            | GraphError::Cycle { node, param, .. } => (node, param),
        }
    }

    pub(crate) fn parameter(node: &str, param: &'static str, value: impl Into<String>, allowed: impl Into<String>) -> Self {
        GraphError::Parameter { node: node.to_owned(), param, value: value.into(), allowed: allowed.into() }
    }
}

impl Graph {
    /// Checks every node, whether the output needs it or not.
    ///
    /// # Errors
    /// The first thing found to be wrong, in the order of the nodes.
    pub fn check(&self) -> Result<(), GraphError> {
        for (name, node) in &self.node {
            self.check_node(name, node)?;
        }
        self.find("", "output", &self.output)?;
        evaluation_order(self).map(|_| ())
    }

    pub(crate) fn find(&self, node: &str, param: &'static str, name: &str) -> Result<&Node, GraphError> {
        self.node.get(name).ok_or_else(|| GraphError::UnknownNode {
            node: node.to_owned(),
            param,
            name: name.to_owned(),
            known: self.node.keys().map(String::as_str).collect::<Vec<_>>().join(", "),
        })
    }

    fn check_node(&self, name: &str, node: &Node) -> Result<(), GraphError> {
        if let Some(refusal) = node.refusal() {
            return Err(GraphError::parameter(name, refusal.param, refusal.value, refusal.allowed.to_string()));
        }
        for (param, input) in node.inputs() {
            match input {
                Input::Missing => return Err(GraphError::MissingInput { node: name.to_owned(), param }),
                Input::Node(target) => self.find(name, param, target).map(|_| ())?,
                Input::Value(_) => (),
            }
        }
        self.check_together(name, node)
    }

    /// What one parameter allows only together with another.
    fn check_together(&self, name: &str, node: &Node) -> Result<(), GraphError> {
        match node {
            Node::Simplex(simplex) if simplex.hash == Hash::Permutation289 && simplex.dimensions != 3 => {
                Err(GraphError::parameter(name, "dimensions", simplex.dimensions.to_string(), "3 with hash = \"permutation289\""))
            }
            Node::Worley(worley) if worley.output == WorleyOutput::Edge && worley.metric != Metric::Euclidean => {
                let metric = format!("{:?}", worley.metric).to_lowercase();
                Err(GraphError::parameter(name, "metric", format!("\"{metric}\""), "\"euclidean\" with output = \"edge\""))
            }
            Node::Clamp(clamp) if clamp.low > clamp.high => {
                Err(GraphError::parameter(name, "high", short(clamp.high), format!("at least low = {}", short(clamp.low))))
            }
            Node::Fractal(fractal) => self.check_fractal(name, fractal),
            Node::Transform(n) => {
                if n.scale.iter().any(|s| s.abs() < 1e-6) {
                    return Err(GraphError::parameter(
                        name,
                        "scale",
                        format!("{:?}", n.scale),
                        "magnitudes of 1e-6 or more (a slice makes flat)",
                    ));
                }
                has_direction(name, "axis", n.axis)
            }
            Node::Hexagonal(n) => {
                if let Some(permutation) = &n.permutation {
                    let mut sorted = permutation.clone();
                    sorted.sort_by(f64::total_cmp);
                    if !sorted.iter().copied().eq((0..256).map(f64::from)) {
                        let allowed = "every whole number from 0 to 255 once";
                        return Err(GraphError::parameter(name, "permutation", format!("{} numbers", permutation.len()), allowed));
                    }
                }
                match &n.gradients {
                    Some(given) if given.len() != 32 => {
                        Err(GraphError::parameter(name, "gradients", format!("{} gradients", given.len()), "32"))
                    }
                    _ => Ok(()),
                }
            }
            Node::Radius(n) => has_direction(name, "axes", n.axes),
            Node::Smoothstep(n) if n.high <= n.low => {
                Err(GraphError::parameter(name, "high", short(n.high), format!("more than low = {}", short(n.low))))
            }
            Node::Quantile(n) if n.distribution == Distribution::Table && n.table.is_empty() => {
                Err(GraphError::parameter(name, "table", "none", "two and more points with distribution = \"table\""))
            }
            Node::Hill(n) => {
                let sines = n.all_sizes().len();
                let phases = sines * n.dimensions as usize;
                let mut sizes = n.all_sizes();
                sizes.sort_by(f64::total_cmp);
                let twice = sizes.windows(2).find(|w| w[0] == w[1]).filter(|_| n.dimensions == 1 && n.uniform == Uniform::Exact);
                match &n.offsets {
                    _ if twice.is_some() => {
                        let allowed = "sizes that differ, in 1D (a smoothness below 1): equal ones move together and are not uniform";
                        Err(GraphError::parameter(
                            name,
                            "sizes",
                            twice.map_or(String::new(), |w| format!("{} twice", short(w[0]))),
                            allowed,
                        ))
                    }
                    _ if sines > 1024 => Err(GraphError::parameter(name, "sizes", format!("{sines} sizes"), "at most 1024")),
                    Some(given) if given.len() != phases => {
                        let allowed = format!("{phases}, one for each of {sines} sines and {} dimension(s)", n.dimensions);
                        Err(GraphError::parameter(name, "offsets", format!("{} offsets", given.len()), allowed))
                    }
                    _ => Ok(()),
                }
            }
            Node::Spectral(n) => {
                let count = n.all_frequencies().len();
                let lists = [("amplitudes", &n.amplitudes), ("phases", &n.phases)];
                let wrong = lists.iter().find_map(|(param, list)| list.as_ref().filter(|l| l.len() != count).map(|l| (*param, l.len())));
                match wrong {
                    _ if count > 4096 => Err(GraphError::parameter(name, "frequencies", format!("{count} frequencies"), "at most 4096")),
                    Some((param, len)) => {
                        Err(GraphError::parameter(name, param, format!("{len} numbers"), format!("{count}, one for each frequency")))
                    }
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn check_fractal(&self, name: &str, fractal: &Fractal) -> Result<(), GraphError> {
        if let Some(offsets) = &fractal.offsets
            && offsets.len() < fractal.octaves as usize
        {
            let allowed = format!("at least one per octave ({})", fractal.octaves);
            return Err(GraphError::parameter(name, "offsets", format!("{} offsets", offsets.len()), allowed));
        }
        has_direction(name, "axis", fractal.axis)
    }
}

fn has_direction(name: &str, param: &'static str, axis: [f64; 3]) -> Result<(), GraphError> {
    if axis.iter().all(|a| a.abs() < 1e-6) {
        return Err(GraphError::parameter(name, param, format!("{axis:?}"), "a direction of length 1e-6 or more"));
    }
    Ok(())
}

/// The nodes that the output needs, inputs before users.
///
/// # Errors
/// A cycle, or an input that names no node.
pub(crate) fn evaluation_order(graph: &Graph) -> Result<Vec<&str>, GraphError> {
    // An explicit stack, so that a recipe with a very long chain cannot exhaust the thread's.
    let mut order = Vec::new();
    let mut done = std::collections::HashSet::new();
    let mut all: Vec<&str> = graph.node.keys().map(String::as_str).collect();
    all.insert(0, &graph.output);
    let needed = reachable(graph)?;
    for root in all {
        let mut path: Vec<(&str, usize)> = vec![(root, 0)];
        while let Some(&mut (name, ref mut next)) = path.last_mut() {
            if done.contains(name) {
                path.pop();
                continue;
            }
            let inputs = graph.find("", "output", name)?.inputs();
            let input = inputs.get(*next);
            *next += 1;
            match input {
                None => {
                    done.insert(name);
                    if needed.contains(name) {
                        order.push(name);
                    }
                    path.pop();
                }
                Some((param, Input::Node(target))) => {
                    if let Some(start) = path.iter().position(|(open, _)| open == target) {
                        let mut names: Vec<&str> = path[start..].iter().map(|(open, _)| *open).collect();
                        names.push(target);
                        return Err(GraphError::Cycle { node: name.to_owned(), param, path: names.join(" → ") });
                    }
                    path.push((target, 0));
                }
                Some((_, Input::Missing | Input::Value(_))) => (),
            }
        }
    }
    Ok(order)
}

fn reachable(graph: &Graph) -> Result<std::collections::HashSet<&str>, GraphError> {
    let mut seen = std::collections::HashSet::new();
    let mut open = vec![graph.output.as_str()];
    while let Some(name) = open.pop() {
        if seen.insert(name) {
            for (param, input) in graph.find("", "output", name)?.inputs() {
                if let Input::Node(target) = input {
                    graph.find(name, param, target)?;
                    open.push(target);
                }
            }
        }
    }
    Ok(seen)
}
