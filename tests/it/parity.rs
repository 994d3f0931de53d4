//! GPU against CPU: the same bits in exact arithmetic, stated bounds in fast arithmetic.

use crate::nodes;
use crate::support::{assert_parity, assert_same_bits, bits, cpu, gpu, jets, largest, own_gpu, regions, slopes};
use orogen::{Arithmetic, Field, Region, fast_bounds};
use std::collections::BTreeMap;
use std::fmt::Write;

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn every_node_gives_the_same_bits_on_gpu_and_cpu() {
    let gpu = gpu();
    for (name, noise) in nodes::all() {
        for (place, region) in regions() {
            let what = format!("{name}, {place}");
            let with_gradient = jets(gpu, &noise, &region).expect(&what);
            assert_parity(gpu, &noise, &with_gradient, &jets(&cpu(), &noise, &region).expect(&what), &what);
            // The kernel without gradients is another kernel.
            let values = gpu.field(&noise, &region).expect(&what);
            assert_parity(gpu, &noise, &values, &cpu().field(&noise, &region).expect(&what), &format!("{what}, values only"));
        }
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn points_give_the_same_bits_on_gpu_and_cpu_and_as_regions() {
    let gpu = gpu();
    for (name, noise) in nodes::all() {
        for (place, region) in regions() {
            let indices: Vec<[u32; 3]> = (0..70).map(|i| [i * 7 % region.size[0], i * 5 % region.size[1], i % region.size[2]]).collect();
            let positions: Vec<[f64; 3]> = indices.iter().map(|&i| region.position(i)).collect();
            let on_gpu = gpu.sample(&noise, &positions, slopes(&noise)).expect(&name);
            let on_cpu = cpu().sample(&noise, &positions, slopes(&noise)).expect(&name);
            assert_eq!(on_gpu, on_cpu, "{name}, {place}");
            if region.spacing == 1.0 {
                // These positions are exact in f64, so the region's own samples are the same lattice coordinates.
                let field = cpu().field(&noise, &region).expect(&name);
                for (index, sample) in indices.iter().zip(&on_cpu) {
                    let at = (index[2] * region.size[1] + index[1]) * region.size[0] + index[0];
                    assert_eq!(f64::from(field.values[at as usize]), sample.value, "{name}, {place}, sample {index:?}");
                }
            }
        }
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn whole_tiles_and_regions_larger_than_a_dispatch_give_the_same_bits() {
    let gpu = gpu();
    let noise = nodes::of_kind("spline").remove(0);
    let tile = Region::tile(-7, 3, 256);
    assert_same_bits(
        &gpu.field_with_gradient(&noise, &tile).expect("tile"),
        &cpu().field_with_gradient(&noise, &tile).expect("tile"),
        "tile",
    );
    // Wider than the 2048 samples of one dispatch, and a volume deeper than one.
    let plain = nodes::of_kind("simplex").remove(0);
    for size in [[4500, 3, 1], [5, 4099, 1], [3, 2, 4100]] {
        let region = Region { origin: [-100, 50, 0], size, ..Region::plane(1, 1) };
        assert_same_bits(&gpu.field(&plain, &region).expect("wide"), &cpu().field(&plain, &region).expect("wide"), &format!("{size:?}"));
    }
}

/// The page with a section for every adapter that has been measured.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/measured/parity.md");

/// The results for a node on an adapter.
#[derive(Default)]
struct Seen {
    numbers: usize,
    exact: usize,
    /// Largest differences in fast arithmetic of values and gradients, in units in the last place of the region's largest magnitude.
    ulp: [f64; 2],
}

/// Puts this adapter's section into the page, in place of the one it has.
fn freeze(adapter: &str, table: &BTreeMap<String, Seen>) {
    let old = std::fs::read_to_string(PAGE).unwrap_or_default();
    let heading = format!("## {adapter}\n");
    let mut sections: Vec<String> = old.split("\n## ").skip(1).map(|s| format!("## {}\n", s.trim_end())).collect();
    sections.retain(|section| !section.starts_with(&heading));
    let mut section = format!("{heading}\n| node | numbers | differ, exact | values, fast | gradients, fast |\n|---|---|---|---|---|\n");
    for (kind, Seen { numbers, exact, ulp: [value, gradient] }) in table {
        // Writing to a String cannot fail.
        let _ = writeln!(section, "| `{kind}` | {numbers} | {exact} | {value:.1} | {gradient:.1} |");
    }
    sections.push(section);
    let text = format!(
        "# GPU against CPU, node by node\n\
         \n\
         | column | meaning |\n\
         |---|---|\n\
         | numbers | values and gradients of every test example, in four places up to 10¹² units out |\n\
         | differ, exact | how many of them differ in any bit, in exact arithmetic |\n\
         | values, fast; gradients, fast | the largest difference in fast arithmetic, in units in the last place (ulp) of the largest magnitude in its region |\n\
         \n\
         Tests hold fast arithmetic to `fast_bounds`: 336 ulp for values and 3,360 for gradients (2·10⁻⁵ and 2·10⁻⁴). The bounds\n\
         are five times that where values displace positions, and fifty times where positions are on a circle. White noise\n\
         hashed by sines has no bound. Written by `OROGEN_FREEZE=1 cargo test --all-features --workspace --test it parity`, a\n\
         section for each adapter; `OROGEN_ADAPTER=<part of a name>` picks one.\n\
         \n\
         {}",
        sections.join("\n")
    );
    std::fs::write(PAGE, text).expect("the source tree is writable");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn fast_arithmetic_stays_within_its_stated_bound() {
    let fast = own_gpu(Some(Arithmetic::Fast));
    let exact = gpu();
    let mut table: BTreeMap<String, Seen> = BTreeMap::new();
    let mut beyond = Vec::new();
    for (name, noise) in nodes::all() {
        let row = table.entry(name.split(' ').next().unwrap_or_default().to_owned()).or_default();
        for (place, region) in regions() {
            let got = jets(&fast, &noise, &region).expect(&name);
            let wanted = jets(&cpu(), &noise, &region).expect(&name);
            let furthest = |a: &[f32], b: &[f32]| a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max(f64::from((a - b).abs())));
            let [most_value, most_gradient] = fast_bounds(&noise);
            let gradients = |field: &Field| field.gradients.clone().unwrap_or_default().into_flattened();
            let (ours, theirs) = (gradients(&wanted), gradients(&got));
            for (i, (a, b, most)) in [(&got.values, &wanted.values, most_value), (&theirs, &ours, most_gradient)].into_iter().enumerate() {
                let off = furthest(a, b);
                if off > most * largest(b) {
                    beyond.push(format!("{name}, {place}: {} off by {off:e}, of {:e}", ["values", "gradients"][i], largest(b)));
                }
                let top = largest(b) as f32;
                row.ulp[i] = row.ulp[i].max(off / f64::from(top.next_up() - top));
            }
            if std::env::var_os("OROGEN_FREEZE").is_some() {
                let bits_of = jets(exact, &noise, &region).expect(&name);
                let differ = |a: &[f32], b: &[f32]| bits(a).iter().zip(bits(b)).filter(|(a, b)| **a != *b).count();
                row.numbers += wanted.values.len() + ours.len();
                row.exact += differ(&bits_of.values, &wanted.values) + differ(&gradients(&bits_of), &ours);
            }
        }
    }
    if std::env::var_os("OROGEN_FREEZE").is_some() {
        freeze(&fast.describe().adapter, &table);
    }
    let page = std::fs::read_to_string(PAGE).expect("docs/measured/parity.md");
    for kind in table.keys() {
        assert!(page.contains(&format!("| `{kind}` |")), "{kind} has not been measured: OROGEN_FREEZE=1 writes docs/measured/parity.md");
    }
    assert!(beyond.is_empty(), "beyond the bounds of fast_bounds:\n{}", beyond.join("\n"));
}
