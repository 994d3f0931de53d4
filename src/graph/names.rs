//! Names of nodes where graphs are joined: which nodes become one, which get another name.
//!
//! A name that somebody gave means one node. A node that bears the name of its kind, `simplex` or `simplex_2`, counts as one that
//! nobody named. So two equal nodes become one only
//! - if they have the same name (a name with a number appended, because it was taken, counts as that name), or
//! - if both bear the name of their kind.
//!
//! Nodes are equal if their parameters are, after their inputs have got the names under which they are taken in.

use super::{Graph, Node, evaluation_order};
use crate::params::Input;
use indexmap::IndexMap;
use std::collections::HashMap;

/// Takes the nodes that `other`'s output needs into `here`, and returns the name that its output gets: `output` where that is given
/// and free, or holds the same already. `reserved` says which names are taken by something else than nodes.
pub(crate) fn take_in(here: &mut IndexMap<String, Node>, other: &Graph, output: Option<&str>, reserved: impl Fn(&str) -> bool) -> String {
    let Ok(order) = evaluation_order(other) else { return take_in_as_it_stands(here, other, output, reserved) };
    let mut renamed: HashMap<&str, String> = HashMap::new();
    // Inputs first, so that a node is compared after its inputs have got their new names.
    for name in order {
        let mut node = other.node[name].clone();
        redirect(&mut node, &renamed);
        let asked = output.filter(|_| name == other.output);
        let wanted = asked.unwrap_or(name);
        // The name that the output is to have is kept free for it.
        let kept = |free: &str| reserved(free) || (asked.is_none() && output == Some(free));
        let new = match shared(here, wanted, &node, asked.is_some()).filter(|name| !kept(name)) {
            Some(same) => same.to_owned(),
            None => {
                let free = free_name(wanted, |name| kept(name) || here.contains_key(name));
                here.insert(free.clone(), node);
                free
            }
        };
        renamed.insert(name, new);
    }
    renamed[other.output.as_str()].clone()
}

/// An invalid graph is taken over with all its nodes, none of them shared: its error is found when it is used, and no name in it may
/// come to mean a node of `here`.
fn take_in_as_it_stands(here: &mut IndexMap<String, Node>, other: &Graph, output: Option<&str>, reserved: impl Fn(&str) -> bool) -> String {
    let inputs = other.node.values().flat_map(Node::inputs).filter_map(|(_, input)| match input {
        Input::Node(name) => Some(name.as_str()),
        Input::Missing | Input::Value(_) => None,
    });
    let mut renamed: HashMap<&str, String> = HashMap::new();
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
    renamed[other.output.as_str()].clone()
}

/// The node that is the same as this one and may stand for it, by name; `exactly` under no other name than the wanted.
fn shared<'a>(here: &'a IndexMap<String, Node>, wanted: &str, node: &Node, exactly: bool) -> Option<&'a str> {
    if let Some((name, same)) = here.get_key_value(wanted)
        && same == node
    {
        return Some(name);
    }
    if exactly {
        return None;
    }
    let kind = node.info().kind;
    // One that was renamed because its name was taken is still the one it was.
    let stands_for = |name: &str| match is_numbered(wanted, kind) {
        true => is_numbered(name, kind),
        false => here.contains_key(wanted) && is_numbered(name, wanted),
    };
    here.iter().find(|(name, same)| *same == node && stands_for(name)).map(|(name, _)| name.as_str())
}

/// Whether a name is this one, plain or with a number appended.
fn is_numbered(name: &str, plain: &str) -> bool {
    let Some(rest) = name.strip_prefix(plain) else { return false };
    rest.is_empty() || rest.strip_prefix('_').is_some_and(|number| !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()))
}

/// A name that is not taken: the wanted one, else with the first number from 2 on that is free.
pub(crate) fn free_name(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut name = wanted.to_owned();
    let mut number = 1u64;
    while taken(&name) {
        number += 1;
        name = format!("{wanted}_{number}");
    }
    name
}

/// Gives the inputs of a node the new names of what they read.
fn redirect(node: &mut Node, renamed: &HashMap<&str, String>) {
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
