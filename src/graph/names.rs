//! Names of nodes where graphs are joined: which nodes become one, which get another name.
//!
//! A name that somebody gave means one node. A node that bears the name of its kind, `simplex` or `simplex_2`, counts as one that
//! nobody named. So two equal nodes become one only
//! - if they have the same name (a name with a number appended, because it was taken, counts as that name), or
//! - if both bear the name of their kind.
//!
//! Nodes are equal if their parameters are, after their inputs have got the names under which they are taken in.

use super::{Graph, evaluation_order, order_of_all};
use crate::node::Node;
use crate::params::{Input, LONGEST_NAME};
use indexmap::IndexMap;
use std::collections::HashMap;

/// What was taken in, by the name that it had: the name that it has now.
pub(crate) type Renamed<'a> = HashMap<&'a str, String>;

/// Takes the nodes that `other`'s output needs into `here`, and returns the name that its output gets: `output` where that is given
/// and free, or holds the same already. `reserved` says which names are taken by something else than nodes.
pub(crate) fn take_in(here: &mut IndexMap<String, Node>, other: &Graph, output: Option<&str>, reserved: impl Fn(&str) -> bool) -> String {
    let mut renamed = match evaluation_order(other) {
        Ok(order) => take_in_order(here, other, order, output, reserved),
        Err(_) => take_in_as_it_stands(here, other, output, reserved),
    };
    renamed.remove(other.output.as_str()).expect("invariant: the output is among what was taken in")
}

/// Takes all nodes of `other` into `here`, whether its output needs them or not.
pub(crate) fn take_in_all<'a>(here: &mut IndexMap<String, Node>, other: &'a Graph, reserved: impl Fn(&str) -> bool) -> Renamed<'a> {
    match order_of_all(other) {
        Ok(order) => take_in_order(here, other, order, None, reserved),
        Err(_) => take_in_as_it_stands(here, other, None, reserved),
    }
}

/// Takes nodes in whose inputs come first, so that a node is compared after its inputs have got their new names.
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
        // The name that the output is to have is kept free for it.
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

/// An invalid graph is taken over with all its nodes, none of them shared: its error is found when it is used, and no name in it may
/// come to mean a node of `here`.
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

/// The node (or stage) that is the same as this one of a kind and may stand for it, by name; `exactly` under no other name than the wanted.
pub(crate) fn shared<'a, T: PartialEq>(here: &'a IndexMap<String, T>, wanted: &str, one: &T, kind: &str, exactly: bool) -> Option<&'a str> {
    if let Some((name, same)) = here.get_key_value(wanted)
        && same == one
    {
        return Some(name);
    }
    if exactly {
        return None;
    }
    // One that was renamed because its name was taken is still the one it was.
    let stands_for = |name: &str| match is_numbered(wanted, kind) {
        true => is_numbered(name, kind),
        false => here.contains_key(wanted) && is_numbered(name, wanted),
    };
    here.iter().find(|(name, same)| *same == one && stands_for(name)).map(|(name, _)| name.as_str())
}

/// Whether a name is this one, plain or with a number appended.
fn is_numbered(name: &str, plain: &str) -> bool {
    let Some(rest) = name.strip_prefix(plain) else { return false };
    rest.is_empty() || rest.strip_prefix('_').is_some_and(|number| !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()))
}

/// A name that is not taken: the wanted one, else with the first number from 2 on that is free, in the place of its end where it is long.
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

/// Gives the inputs of a node the new names of what they read.
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
    /// Gives a node another name, which must be free, in everything that refers to it. Nodes keep their order, but this one becomes
    /// the last.
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
