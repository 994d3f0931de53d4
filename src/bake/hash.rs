//! Hashes of files and of recipes.

use crate::bake::names::is_beside;
use crate::params::{self, KindInfo};
use crate::stage::Pipeline;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// A file's name, size and hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHash {
    /// File name.
    pub file: String,
    /// Size in bytes.
    pub size: u64,
    /// SHA-256 of the file.
    pub sha256: String,
}

impl FileHash {
    pub(super) fn of(file: String, bytes: &[u8]) -> Self {
        FileHash { file, size: bytes.len() as u64, sha256: hex(bytes) }
    }

    /// Whether the name is that of a note or an answer. Such a record never points outside the folder.
    pub(super) fn is_beside(&self) -> bool {
        is_beside(&self.file)
    }
}

/// SHA-256 of nodes and stages, sorted by name, with all digits of numbers. Parameters with their default are omitted, so that a
/// kind that gets a new parameter keeps its hash.
pub(super) fn hash(pipeline: &Pipeline) -> String {
    let told = |info: &'static KindInfo,
                setting: &dyn Fn(&str) -> Option<params::Setting>|
     -> (&'static str, BTreeMap<&'static str, params::Setting>) {
        let given = info.params.iter().filter_map(|param| setting(param.name).map(|is| (param, is)));
        (info.kind, given.filter(|(param, is)| param.default_value().as_ref() != Some(is)).map(|(param, is)| (param.name, is)).collect())
    };
    let nodes = pipeline.node.iter().map(|(name, node)| (name, told(node.info(), &|param| node.setting(param).flatten())));
    let nodes: BTreeMap<_, _> = nodes.collect();
    let stages = pipeline.stage.iter().map(|(name, stage)| (name, told(stage.info(), &|param| stage.setting(param).flatten())));
    let stages: BTreeMap<_, _> = stages.collect();
    let text = if stages.is_empty() {
        serde_json::to_string(&(&pipeline.output, nodes))
    } else {
        serde_json::to_string(&(&pipeline.output, nodes, stages))
    };
    hex(text.expect("invariant: a checked pipeline has finite numbers and names as keys").as_bytes())
}

pub(super) fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
