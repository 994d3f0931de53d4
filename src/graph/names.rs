//! Names of nodes when graphs are joined: which nodes are shared, and which are renamed.
//!
//! A given name identifies one node. A node with the name of its kind, `simplex` or `simplex_2`, counts as unnamed. Two equal
//! nodes become one only
//! - if they have the same name (a name with an appended number counts as the original name), or
//! - if both have the name of their kind.
//!
//! Nodes are equal if their parameters are, after their inputs have got their new names.

use super::{Graph, evaluation_order, order_of_all};
use crate::graph::node::Node;
use crate::params::{Input, LONGEST_NAME};
use indexmap::IndexMap;
use std::collections::HashMap;

/// The new names of added nodes, by their old names.
pub(crate) type Renamed<'a> = HashMap<&'a str, String>;

/// Adds the nodes that `other`'s output needs to `here`, and returns the name of its output: `output` if that is given and free,
/// or already stands for the same node. `reserved` returns whether a name is taken by something else than a node.
pub(crate) fn take_in(here: &mut IndexMap<String, Node>, other: &Graph, output: Option<&str>, reserved: impl Fn(&str) -> bool) -> String {
    let mut renamed = match evaluation_order(other) {
        Ok(order) => take_in_order(here, other, order, output, reserved),
        Err(_) => take_in_as_it_stands(here, other, output, reserved),
    };
    renamed.remove(other.output.as_str()).expect("invariant: the output is among the added nodes")
}

/// Adds all nodes of `other` to `here`, including those that its output does not need.
pub(crate) fn take_in_all<'a>(here: &mut IndexMap<String, Node>, other: &'a Graph, reserved: impl Fn(&str) -> bool) -> Renamed<'a> {
    match order_of_all(other) {
        Ok(order) => take_in_order(here, other, order, None, reserved),
        Err(_) => take_in_as_it_stands(here, other, None, reserved),
    }
}

/// Adds nodes, inputs first, so that a node is compared after its inputs have got their new names.
fn take_in_order<'a>(
    here: &mut IndexMap<String, Node>,
    other: &'a Graph,
    order: Vec<&'a str>,
    output: Option<&str>,
    reserved: impl Fn(&str) -> bool,
) -> Renamed<'a> {
    let mut renamed = Renamed::new();
    for name in order {
        let mut node = other.node[name].clone();
        redirect(&mut node, &renamed);
        let asked = output.filter(|_| name == other.output);
        let wanted = asked.unwrap_or(name);
        // The name for the output is kept free.
        let kept = |free: &str| reserved(free) || (asked.is_none() && output == Some(free));
        let new = match shared(here, wanted, &node, node.info().kind, asked.is_some()).filter(|name| !kept(name)) {
            Some(same) => same.to_owned(),
            None => {
                let free = free_name(wanted, |name| kept(name) || here.contains_key(name));
                here.insert(free.clone(), node);
                free
            }
        };
        renamed.insert(name, new);
    }
    renamed
}

/// Adds an invalid graph with all its nodes, none of them shared. Its error is reported when it is used, and no name in it may
/// refer to a node of `here`.
fn take_in_as_it_stands<'a>(
    here: &mut IndexMap<String, Node>,
    other: &'a Graph,
    output: Option<&str>,
    reserved: impl Fn(&str) -> bool,
) -> Renamed<'a> {
    let inputs = other.node.values().flat_map(Node::inputs).filter_map(|(_, input)| match input {
        Input::Node(name) => Some(name.as_str()),
        Input::Missing | Input::Value(_) => None,
    });
    let mut renamed = Renamed::new();
    for name in other.node.keys().map(String::as_str).chain(inputs).chain([other.output.as_str()]) {
        if !renamed.contains_key(name) {
            let wanted = output.filter(|_| name == other.output).unwrap_or(name);
            let free = free_name(wanted, |name| reserved(name) || here.contains_key(name) || renamed.values().any(|taken| taken == name));
            renamed.insert(name, free);
        }
    }
    for (name, node) in &other.node {
        let mut node = node.clone();
        redirect(&mut node, &renamed);
        here.insert(renamed[name.as_str()].clone(), node);
    }
    renamed
}

/// The name of an equal node (or stage) that may stand for this one of a kind. With `exactly`, only under the wanted name.
pub(crate) fn shared<'a, T: PartialEq>(here: &'a IndexMap<String, T>, wanted: &str, one: &T, kind: &str, exactly: bool) -> Option<&'a str> {
    if let Some((name, same)) = here.get_key_value(wanted)
        && same == one
    {
        return Some(name);
    }
    if exactly {
        return None;
    }
    // A node that was renamed because its name was taken keeps its identity.
    let stands_for = |name: &str| match is_numbered(wanted, kind) {
        true => is_numbered(name, kind),
        false => here.contains_key(wanted) && is_numbered(name, wanted),
    };
    here.iter().find(|(name, same)| *same == one && stands_for(name)).map(|(name, _)| name.as_str())
}

/// Whether a name is this one, with or without an appended number.
fn is_numbered(name: &str, plain: &str) -> bool {
    let Some(rest) = name.strip_prefix(plain) else { return false };
    rest.is_empty() || rest.strip_prefix('_').is_some_and(|number| !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()))
}

/// A free name: the wanted one, or that with the first free number from 2 on, which replaces the end of a long name.
pub(crate) fn free_name(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut name = wanted.to_owned();
    let mut number = 1u64;
    while taken(&name) {
        number += 1;
        let suffix = format!("_{number}");
        let room = (LONGEST_NAME - suffix.len()).min(wanted.len());
        let kept = (0..=room).rev().find(|&end| wanted.is_char_boundary(end)).expect("invariant: 0 is a boundary");
        name = format!("{}{suffix}", &wanted[..kept]);
    }
    name
}

/// Gives the inputs of a node the new names of their nodes.
fn redirect(node: &mut Node, renamed: &Renamed<'_>) {
    for input in node.inputs_mut() {
        if let Input::Node(target) = input
            && let Some(new) = renamed.get(target.as_str())
        {
            new.clone_into(target);
        }
    }
}

impl Graph {
    /// Renames a node, including all references to it; the new name must be free. The order of nodes stays, except that this one
    /// becomes the last.
    pub(super) fn rename(&mut self, old: &str, new: &str) {
        let Some(node) = self.node.shift_remove(old) else { return };
        self.node.insert(new.to_owned(), node);
        let renamed = HashMap::from([(old, new.to_owned())]);
        for node in self.node.values_mut() {
            redirect(node, &renamed);
        }
        if self.output == old {
            new.clone_into(&mut self.output);
        }
    }
}
