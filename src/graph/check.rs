//! Checks of a graph: inputs exist, numbers are in range, and there are no cycles.

use crate::graph::Graph;
use crate::graph::node::Node;
use crate::graph::node::kind::CheckedNode;
use crate::params::{Input, is_name, meant};
use crate::program::GraphError;
use std::collections::HashSet;

impl Graph {
    /// Checks every node, including those that the output does not need.
    ///
    /// # Errors
    /// Returns the first error found, in the order of the nodes.
    pub fn check(&self) -> Result<(), GraphError> {
        self.check_nodes()?;
        if self.find("", "output", &self.output)?.is_table() {
            return Err(GraphError::parameter("", "output", &self.output, "nodes that have values: this one is a table"));
        }
        Ok(())
    }

    /// The first errors, up to the given number. Nodes that could not be read, and nodes that refer to them, are not reported.
    pub(crate) fn mistakes(&self, unread: &HashSet<String>, most: usize) -> Vec<GraphError> {
        let wrong =
            |(name, node): (&String, &Node)| if reads(name, &node.inputs(), unread) { None } else { self.check_row(name, node).err() };
        let mut all: Vec<GraphError> = self.node.iter().filter_map(wrong).take(most).collect();
        if all.len() < most && !unread.contains(&self.output) {
            all.extend(self.find("", "output", &self.output).err());
        }
        if all.is_empty() && unread.is_empty() {
            all.extend(self.check().err());
        }
        all
    }

    /// Checks every node of a graph whose output may be a table for other nodes.
    pub(super) fn check_nodes(&self) -> Result<(), GraphError> {
        for (name, node) in &self.node {
            self.check_row(name, node)?;
        }
        self.find("", "output", &self.output)?;
        evaluation_order(self).map(|_| ())
    }

    pub(crate) fn find(&self, node: &str, param: &'static str, name: &str) -> Result<&Node, GraphError> {
        self.node.get(name).ok_or_else(|| GraphError::UnknownNode {
            node: node.to_owned(),
            param,
            name: name.to_owned(),
            known: meant::instead(name, self.node.keys().map(String::as_str)),
        })
    }

    fn check_row(&self, name: &str, node: &Node) -> Result<(), GraphError> {
        self.check_row_with(name, node, &|param, target| self.find(name, param, target).map(|_| ()))
    }

    /// Checks a node whose inputs name what `find` accepts: nodes of this graph and, in a pipeline, stages.
    pub(crate) fn check_row_with(
        &self,
        name: &str,
        node: &Node,
        find: &dyn Fn(&'static str, &str) -> Result<(), GraphError>,
    ) -> Result<(), GraphError> {
        if !is_name(name) {
            return Err(GraphError::Name { node: name.to_owned() });
        }
        if let Some(wrong) = node.refusal() {
            return Err(GraphError::Parameter { node: name.to_owned(), wrong });
        }
        for (param, input) in node.inputs() {
            match input {
                Input::Missing => return Err(GraphError::MissingInput { node: name.to_owned(), param }),
                Input::Node(target) => find(param, target)?,
                Input::Value(_) => (),
            }
        }
        let at = CheckedNode { name, graph: self };
        self.check_roles(&at, node)?;
        node.as_kind().check(&at)
    }
}

/// Whether a row could not be read, or refers to one that could not.
pub(crate) fn reads(name: &str, inputs: &[(&str, &Input)], unread: &HashSet<String>) -> bool {
    let is = |name: &str| unread.contains(name) || name.split_once('.').is_some_and(|(stage, _)| unread.contains(stage));
    is(name) || inputs.iter().any(|(_, input)| matches!(input, Input::Node(target) if is(target)))
}

/// The nodes that the output needs, inputs before users.
///
/// # Errors
/// Returns an error for a cycle, or for an input that names an unknown node.
pub(crate) fn evaluation_order(graph: &Graph) -> Result<Vec<&str>, GraphError> {
    let needed = reachable(graph)?;
    let all = std::iter::once(&graph.output).chain(graph.node.keys());
    let order = order_from(graph, all.map(String::as_str))?;
    Ok(order.into_iter().filter(|name| needed.contains(name)).collect())
}

/// All nodes, needed or not, inputs before users.
///
/// # Errors
/// Returns the errors of [`evaluation_order`], except those of the output.
pub(crate) fn order_of_all(graph: &Graph) -> Result<Vec<&str>, GraphError> {
    order_from(graph, graph.node.keys().map(String::as_str))
}

/// The given nodes and the nodes that they need, inputs before users.
fn order_from<'a>(graph: &'a Graph, roots: impl Iterator<Item = &'a str>) -> Result<Vec<&'a str>, GraphError> {
    // An explicit stack, so that a very long chain in a recipe cannot overflow the thread's stack.
    let mut order = Vec::new();
    let mut done = HashSet::new();
    // The nodes in `path` as a set, because a chain may be long.
    let mut open = HashSet::new();
    for root in roots {
        let mut path: Vec<(&str, usize)> = vec![(root, 0)];
        open.insert(root);
        while let Some(&mut (name, ref mut next)) = path.last_mut() {
            if done.contains(name) {
                open.remove(name);
                path.pop();
                continue;
            }
            let inputs = graph.find("", "output", name)?.inputs();
            let input = inputs.get(*next);
            *next += 1;
            match input {
                None => {
                    done.insert(name);
                    order.push(name);
                    open.remove(name);
                    path.pop();
                }
                Some((param, Input::Node(target))) => {
                    if open.contains(target.as_str()) {
                        let start = path.iter().position(|(open, _)| open == target).expect("invariant: open nodes are on the path");
                        let mut names: Vec<&str> = path[start..].iter().map(|(open, _)| *open).collect();
                        names.push(target);
                        return Err(GraphError::Cycle { node: name.to_owned(), param, path: names.join(" → ") });
                    }
                    open.insert(target);
                    path.push((target, 0));
                }
                Some((_, Input::Missing | Input::Value(_))) => (),
            }
        }
    }
    Ok(order)
}

fn reachable(graph: &Graph) -> Result<HashSet<&str>, GraphError> {
    let mut seen = HashSet::new();
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
