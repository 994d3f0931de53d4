//! f32 against f64: within stated bounds, near the origin and 10¹² world units out alike.

use crate::nodes;
use crate::support::{cpu, largest, oracle, regions};
use orogen::node::{Hash, Node, WorleyOutput};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The page that `OROGEN_FREEZE=1` writes.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/accuracy.md");

fn page(table: &BTreeMap<String, (f64, f64)>) -> String {
    let mut text = "# f32 against the f64 oracle\n\nThe largest difference seen of every node's test examples, near the origin and 10¹² world units out, and the bound \
        that the tests hold it to: shares of the largest magnitude in the region. A node passes on what its inputs are off by. \
        (Written by `OROGEN_FREEZE=1 cargo test --test it oracle`.)\n\n| node | bound | seen |\n|---|---|---|\n"
        .to_owned();
    for (kind, (bound, seen)) in table {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| `{kind}` | {bound:.0e} | {seen:.1e} |");
    }
    text.push_str(
        "\nWhere a noise jumps, f32 and f64 may take either side: `permutation289` at simplex borders (0.003), cells of `worley`, \
         `threshold`, `hexagonal` and `quantise` at their borders. The strip of `polar` is f32 in the distance and means nothing 2²⁴ \
         wavelengths out.\n",
    );
    text
}

/// f32 against the oracle, relative to the largest magnitude in the region.
fn bound(kind: &str) -> f64 {
    match kind {
        // The displacement is an f32, and a cell of the finest octave is small beside it.
        "warp" | "turbulence" | "periodic" => 4e-5,
        // The position itself is an f32; in polar form, of a unit as large as the circle.
        "domain" => 2e-5,
        "polar" => 4e-4,
        // As steep as they are asked to be.
        "sine" | "quantile" => 1e-5,
        // With one sine the distribution is steep at both ends.
        "hill" => 1e-5,
        "coordinate" => 1.2e-7,
        "radius" => 4e-7,
        // The quintic weight is a small difference of large numbers near its upper end.
        "value" | "perlin" => 4e-6,
        // Roots are steep at 0; high powers multiply the relative error of their base.
        "power" => 2e-5,
        _ => 2e-6,
    }
}

#[test]
fn f32_stays_within_its_bound_of_the_oracle_at_any_distance() {
    let mut table: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for (name, noise) in nodes::all() {
        let bound = bound(name.split(' ').next().unwrap_or_default());
        for (place, region) in regions() {
            let single = cpu().field(&noise, &region).expect(&name);
            let double = oracle().field(&noise, &region).expect(&name);
            // A coordinate resolves 2⁻²⁴ of its unit, also near 0.
            let is_length = name.starts_with("coordinate") || name.starts_with("radius");
            let scale = if is_length { largest(&double.values).max(1.0) } else { largest(&double.values) };
            let off: Vec<f64> = single.values.iter().zip(&double.values).map(|(a, b)| f64::from((a - b).abs()) / scale).collect();
            let kind = name.split(' ').next().unwrap_or_default().to_owned();
            let row = table.entry(kind).or_insert((bound, 0.0));
            let jumps = (name == "polar 1" && place == "10^12 out")
                || noise.graph().node.values().any(|node| matches!(node, Node::Simplex(s) if s.hash == Hash::Permutation289));
            row.1 = if jumps { row.1 } else { row.1.max(off.iter().copied().fold(0.0, f64::max)) };
            let beyond = off.iter().filter(|&&off| off > bound).count();
            let worst = off.iter().copied().fold(0.0, f64::max);
            println!("{name:15} {place:25} {worst:.1e}, {beyond} beyond");
            if name == "polar 1" && place == "10^12 out" {
                // A strip's distance from the centre is an f32, and here larger than 2²⁴ wavelengths.
                continue;
            }
            if noise.graph().node.values().any(|node| matches!(node, Node::Simplex(s) if s.hash == Hash::Permutation289)) {
                // The terrain shader's noise jumps at simplex borders, some of which lie on integer positions: there f32 and
                // f64 may take either side.
                assert!(
                    worst <= 0.006 && beyond * 20 <= off.len(),
                    "{name}, {place}: {worst:e}, {beyond} of {} beyond {bound:e}",
                    off.len()
                );
            } else if noise.graph().node.values().any(|node| matches!(node, Node::Worley(w) if w.output == WorleyOutput::Cell)) {
                // A sample between two points that are equally far to the last bit may take the value of either.
                assert!(beyond * 1000 <= off.len(), "{name}, {place}: {beyond} of {} beyond {bound:e}", off.len());
            } else {
                assert!(worst <= bound, "{name}, {place}: {worst:e} of the largest magnitude, bound {bound:e}");
            }
        }
    }
    if std::env::var_os("OROGEN_FREEZE").is_some() {
        std::fs::write(PAGE, page(&table)).expect("the source tree is writable");
    }
}

#[test]
fn noise_is_not_zero_at_integer_positions() {
    for dimensions in [2, 3] {
        let noise = orogen::Noise::simplex(orogen::node::Simplex { dimensions, wavelength: 1.0, ..Default::default() });
        let field = cpu().field(&noise, &orogen::Region::plane(32, 32)).expect("field");
        let near_zero = field.values.iter().filter(|x| x.abs() < 1e-3).count();
        assert!(near_zero < 32, "{near_zero} of 1024 values at integer positions are about 0");
    }
}
