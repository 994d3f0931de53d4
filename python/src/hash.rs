//! Hashes for Python's dictionaries and sets.

use std::hash::{Hash, Hasher};

/// A hash of the parts that `set` cannot change: the names and kinds of nodes and stages. It stays constant while parameters
/// change, and equal pipelines have equal hashes.
pub(crate) fn hash(pipeline: &orogen::Pipeline) -> u64 {
    // Their order is irrelevant.
    let mut names: Vec<_> = pipeline.node.iter().map(|(name, node)| (name, node.info().kind)).collect();
    names.extend(pipeline.stage.iter().map(|(name, stage)| (name, stage.info().kind)));
    names.sort_unstable();
    let mut hasher = std::hash::DefaultHasher::new();
    (&pipeline.output, names).hash(&mut hasher);
    hasher.finish()
}
