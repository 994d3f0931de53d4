//! Exact drainage of a finite world: where the water of every cell goes, how much of it, and up to where it stands.
//!
//! The world is cut into squares. Three small computations per square, with two joins between them, give the same result as one
//! computation over the whole world:
//!
//! 1. [`square`]: basins of the square, the lowest passes between them, contracted to a [record](square::Passes). [`passes::expand`] makes of all
//!    records the minimum spanning tree of the world, and a [routing](passes::Routing) for each square.
//! 2. [`route`]: directions of the square's water, contracted to a [record](record::Flow). [`flow::expand`] makes of all records what
//!    [enters and leaves](record::Through) each square.
//! 3. [`downward`]: the planes of the square.
//!
//! Groups of squares have [records](group) of the same kind, and worlds are joined [level by level](levels).
//!
//! [`breach`] cuts passes, with records of the same [trees](tree) as the orders of streams.
//!
//! [`grade`] sums given slopes along the directions, with a record and a join of its own.
//!
//! Every decision is a comparison in a [total order](order), and every sum is one of integers. So nothing depends on the squares or
//! on the order of the work. No computation needs more than one square and the records.

pub(crate) mod breach;
pub(crate) mod down;
pub(crate) mod downward;
pub(crate) mod exits;
pub(crate) mod flow;
pub(crate) mod forest;
pub(crate) mod grade;
pub(crate) mod grid;
pub(crate) mod group;
pub(crate) mod levels;
pub(crate) mod network;
pub(crate) mod order;
pub(crate) mod passes;
pub(crate) mod rain;
pub(crate) mod record;
pub(crate) mod route;
pub(crate) mod rules;
pub(crate) mod shares;
pub(crate) mod square;
pub(crate) mod strahler;
pub(crate) mod surface;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod tree;
