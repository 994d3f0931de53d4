//! Frozen values: the bits of every node example. A difference is a change of output and belongs in the CHANGELOG; then
//! `OROGEN_FREEZE=1 cargo test --test it frozen` writes the file anew.

use crate::nodes;
use crate::support::{cpu, jets};
use orogen::Region;
use std::fmt::Write;

const FROZEN: &str = include_str!("frozen.txt");

#[test]
fn values_are_what_they_were() {
    let mut now = String::new();
    for (name, noise) in nodes::all() {
        let field = jets(&cpu(), &noise, &Region { origin: [-6, 1, 0], spacing: 5.7, ..Region::plane(12, 9) }).expect(&name);
        let gradients = field.gradients.unwrap_or_default();
        // FNV-1a over all bits, and one value to read.
        let bits = field.values.iter().chain(gradients.as_flattened()).flat_map(|x| x.to_bits().to_le_bytes());
        let hash = bits.fold(0xcbf2_9ce4_8422_2325u64, |h, byte| (h ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        let _ = writeln!(now, "{name:15} {hash:016x} {:e}", field.values[17]);
    }
    if std::env::var_os("OROGEN_FREEZE").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/it/frozen.txt"), &now).expect("the source tree is writable");
        return;
    }
    for (was, is) in FROZEN.lines().zip(now.lines()) {
        assert_eq!(was, is, "a frozen value changed");
    }
    assert_eq!(FROZEN.lines().count(), now.lines().count(), "freeze the new examples: OROGEN_FREEZE=1");
}

/// The frozen values that each version of the bits stands for, by their SHA-256. A new one is a new line here and a new
/// `orogen::bake::manifest::BITS`: tiles that older releases baked are then never taken for its own.
const VERSIONS: [(u32, &str); 4] = [
    (1, "60ccee351b53f0453a399caffe19724bef3a393a5310fa9b0fbbf7e02c3f960e"),
    (2, "a65824cd11b81abff18634ae4f8c146ee6c7c5320fe67435ddbf746b9695633d"),
    (3, "53d8314e7b041684db0579ff416c661e45187d0c5614834719a2e95429426847"),
    (4, "86edf4fafdd79ff34d618f5919181367f08b0c1cd51b28aca2486a53ea9c27ce"),
];

#[test]
fn the_version_of_the_bits_is_that_of_the_frozen_values() {
    use sha2::Digest;
    let frozen = [FROZEN, include_str!("frozen_stages.txt")].concat();
    let hash: String = sha2::Sha256::digest(frozen).iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(
        VERSIONS.last(),
        Some(&(orogen::bake::manifest::BITS, hash.as_str())),
        "values that were frozen have changed: raise orogen::bake::manifest::BITS"
    );
}
