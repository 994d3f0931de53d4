//! Reaches of a group of squares: those of its squares, one after the other.
//!
//! Let `c` be the cut of a node of the group. The cut that arrives at each node behind it is a function of `c`: the lowest of `c`,
//! `adds` and `hands` if `c` arrives, else `hands`. Such functions are closed under everything that happens on the way. A cut that is
//! not below the height of a node is kept instead of dropped. That changes no bed, because the bed is the lower of both. Heights fall
//! up to the next climb, whose cut is lower.

use super::{Flow, Group, Network, Reach, UNCUT, climbs, leads_out};
use crate::drainage::record::DRY;

/// Follows water from the rim of a group.
pub(crate) struct Chains<'a> {
    network: &'a Network,
    group: &'a Group,
    parts: Vec<&'a Reach>,
    /// Of each node the lowest cut that no water from the rim brings.
    cuts: Vec<f32>,
    /// Of each node the cut that such water brings along a climb.
    climbing: Vec<f32>,
    /// Whether water from the rim arrives along a climb.
    is_open: Vec<bool>,
    /// The group's reaches; empty if no pass is cut.
    pub reaches: Vec<Reach>,
}

impl<'a> Chains<'a> {
    pub fn new(network: &'a Network, group: &'a Group, squares: &'a [Flow]) -> Self {
        let parts: Vec<&Reach> = squares.iter().flat_map(|flow| &flow.reaches).collect();
        let cuts = parts.iter().map(|reach| reach.own).collect();
        let (climbing, is_open) = (vec![UNCUT; parts.len()], vec![false; parts.len()]);
        let reaches = if parts.is_empty() { Vec::new() } else { vec![Reach::UNKNOWN; group.rect.rim() as usize] };
        Chains { network, group, parts, cuts, climbing, is_open, reaches }
    }

    /// Passes a node: `of` is the number of the group's node that it is or whose water it gets, and whether it is that node.
    pub fn pass(&mut self, node: usize, of: Option<(usize, bool)>) {
        let Some(part) = self.parts.get(node).copied() else { return };
        let next = self.network.next[node];
        let on_climb = climbs(&self.parts, node, next);
        match of {
            None => {
                let mut cut = self.cuts[node];
                if part.climbs {
                    cut = if self.climbing[node] < UNCUT { cut.min(self.climbing[node]) } else { UNCUT };
                }
                self.hand(part.hands(cut), next.node(), on_climb);
            }
            Some((id, true)) => {
                self.begin(id, node);
                self.follow(id, next.node(), on_climb);
            }
            Some((id, false)) => {
                self.extend(id, node);
                self.follow(id, next.node(), on_climb);
            }
        }
    }

    /// Hands a cut that does not depend on the rim.
    fn hand(&mut self, cut: f32, to: Option<usize>, on_climb: bool) {
        let Some(to) = to else { return };
        if on_climb {
            self.climbing[to] = cut;
        } else if cut < self.parts[to].limit {
            self.cuts[to] = self.cuts[to].min(cut);
        }
    }

    fn follow(&mut self, id: usize, to: Option<usize>, on_climb: bool) {
        self.reaches[id].climbs_on = on_climb;
        if let Some(to) = to {
            self.is_open[to] |= on_climb;
        }
    }

    /// A node of the group.
    fn begin(&mut self, id: usize, node: usize) {
        if id == self.reaches.len() {
            self.reaches.push(Reach::UNKNOWN);
        }
        let part = self.parts[node];
        let mut reach = Reach { climbs_on: false, own: self.cuts[node], ..*part };
        let enters = id < self.group.rect.rim() as usize && leads_out(self.group, id as u32, part.climbs_from);
        reach.climbs_from = part.climbs_from.filter(|_| enters);
        reach.climbs = part.climbs && (enters || self.is_open[node]);
        if part.climbs && !reach.climbs {
            // Whether the climb is cut is known in the group.
            if self.climbing[node] < UNCUT {
                reach.own = reach.own.min(self.climbing[node]);
            } else {
                (reach.own, reach.limit) = (UNCUT, DRY);
            }
        }
        self.reaches[id] = reach;
    }

    /// A node with water of a single node of the group.
    fn extend(&mut self, id: usize, node: usize) {
        let (part, reach) = (self.parts[node], &mut self.reaches[id]);
        let own = self.cuts[node];
        let below = |cut: f32| if cut < part.limit { cut } else { UNCUT };
        // The cut of the node.
        let (passes, adds, hands) = if part.limit == DRY {
            // The node lies on a climb that is not cut, and has no cut itself.
            (false, UNCUT, UNCUT)
        } else if !part.climbs {
            (reach.passes, below(reach.adds), own.min(below(reach.hands)))
        } else if !self.is_open[node] {
            let climbing = self.climbing[node];
            if climbing < UNCUT {
                (reach.passes, below(reach.adds), own.min(climbing).min(below(reach.hands)))
            } else {
                (false, UNCUT, UNCUT)
            }
        } else if reach.hands < UNCUT {
            (reach.passes, reach.adds, own.min(reach.hands))
        } else {
            // It has a cut if one arrives along the climb.
            (reach.passes, own.min(reach.adds), UNCUT)
        };
        let bed = hands.min(part.crest);
        if passes {
            reach.crest = reach.crest.max(bed);
            reach.rest = reach.rest.max(part.rest);
        } else {
            reach.rest = reach.rest.max(bed).max(part.rest);
        }
        reach.passes = passes && part.passes;
        reach.adds = adds.min(part.adds);
        reach.hands = part.hands(hands);
    }
}
