//! Answers that need the whole world: extremes, distributions and ranges of layers.
//!
//! A [`Reduction`](reduction::Reduction) makes a part of each region, joins parts in any order, and makes an answer of the joined part.
//! [`Questions`](questions::Questions) states which reductions a pipeline needs, and in which order. [`driver`] runs one reduction over regions:
//! for the whole world in one process, and for one shard at a time where many processes share a world.

pub(crate) mod byte_store;
pub(crate) mod drainage;
pub(crate) mod driver;
pub(crate) mod encoding;
pub(crate) mod extremes;
pub(crate) mod histogram;
pub(crate) mod one;
pub(crate) mod questions;
pub(crate) mod reduction;
pub(crate) mod tracer;
pub(crate) mod units;
