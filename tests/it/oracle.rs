//! f32 against f64: within stated bounds, near the origin and 10¹² world units out alike.

use crate::nodes;
use crate::support::{cpu, largest, oracle, regions};
use orogen::node::{
    Accumulate, Axis, Coordinate, FastnoiseReturn, Fractal, Hash, Node, Perlin, Polar, PolarForm, Radius, Simplex, Transform, WorleyOutput,
};
use orogen::testing::rounding;
use orogen::{Noise, Recipe, Region, f32_bounds};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The page that `OROGEN_FREEZE=1` writes.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/measured/accuracy.md");

fn page(table: &BTreeMap<String, (f64, f64)>) -> String {
    let mut text = "# f32 against the f64 oracle\n\
        \n\
        For every node: the largest difference between f32 and f64 over its test examples, near the origin and 10¹² world\n\
        units out, and the bound that tests enforce. Both are shares of the largest magnitude in the region. A node passes on\n\
        the errors of its inputs. Written by `OROGEN_FREEZE=1 cargo test --all-features --workspace --test it oracle`.\n\
        \n\
        | node | bound | seen |\n\
        |---|---|---|\n"
        .to_owned();
    for (kind, (bound, seen)) in table {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| `{kind}` | {bound:.0e} | {seen:.1e} |");
    }
    text.push_str(
        "\nAt a jump of a noise, f32 and f64 may take either side: `permutation289` at simplex borders (0.003), and `worley` cells,\n\
         `threshold`, `hexagonal` and `quantise` at their borders. The strip of `polar` is f32 in the distance and means nothing\n\
         2²⁴ wavelengths out; nor do positions of `fastnoise_lite`, which are f32.\n",
    );
    text
}

/// Examples against the oracle, relative to the largest magnitude in the region.
fn bound(kind: &str, example: &Noise) -> f64 {
    match kind {
        // The displacement is an f32, and a cell of the finest octave is small compared with it.
        "warp" | "turbulence" | "periodic" => 4e-5,
        // The position itself is an f32; in polar form, of a unit as large as the circle.
        "domain" => 2e-5,
        "polar" => 4e-4,
        // A node without rounding of its own has the error of its inputs.
        _ => example.graph().node.values().map(rounding).fold(0.0, f64::max),
    }
}

/// Sample by sample, in every example and every recipe, jumps and far coordinates included: bounds that follow from the nodes.
#[test]
fn f32_stays_within_the_bounds_that_follow_from_its_nodes() {
    let recipes = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../recipes")).expect("the source tree").filter_map(|entry| {
        let path = entry.expect("an entry").path();
        let name = path.file_stem()?.to_string_lossy().into_owned();
        (path.extension()? == "toml").then(|| (name, crate::gallery::noise(&Recipe::load(&path).expect("a recipe"))))
    });
    let mut loosest: BTreeMap<String, f64> = BTreeMap::new();
    for (name, noise) in nodes::all().into_iter().chain(recipes) {
        for (place, region) in regions() {
            let region = Region { size: region.size.map(|edge| edge.min(24)), ..region };
            let (single, double) = match (cpu().field(&noise, &region), oracle().field(&noise, &region)) {
                (Ok(single), Ok(double)) => (single.values, double.values),
                // Plain coordinates end.
                (Err(_), Err(_)) => continue,
                (single, double) => panic!("{name}, {place}: {:?}, {:?}", single.err(), double.err()),
            };
            let bounds = f32_bounds(&noise, &region).expect(&name);
            let off = |i: usize| f64::from((single[i] - double[i]).abs());
            let beyond: Vec<usize> = (0..bounds.len()).filter(|&i| off(i) > bounds[i]).collect();
            let shown: Vec<(f64, f64)> = beyond.iter().take(5).map(|&i| (off(i), bounds[i])).collect();
            println!("{name:24} {place:25} {} beyond {shown:?}", beyond.len());
            assert!(beyond.is_empty(), "{name}, {place}: {} beyond: {shown:?}", beyond.len());
            // A bound must not allow anything: the median allowed difference over all samples, for each kind.
            let mut sorted = bounds.clone();
            sorted.sort_by(f64::total_cmp);
            // A region may hold next to nothing of what a noise can be.
            let magnitude = noise.range().map_or(1.0, |range| range.lo.abs().max(range.hi.abs()).min(1e4));
            let middle = sorted[sorted.len() / 2] / largest(&double).max(magnitude);
            let kind = name.split(' ').next().unwrap_or_default().to_owned();
            let entry = loosest.entry(format!("{kind}, {place}")).or_insert(0.0);
            *entry = entry.max(middle);
        }
    }
    for (name, middle) in &loosest {
        println!("{name}: bounds of {middle:.1e} of the largest magnitude");
        // The strip's distance is a number, and 10¹² units out means nothing.
        // Nor do positions of FastNoiseLite, which are f32.
        assert!(
            *middle < 2e-3 || name == "polar, 10^12 out" || name == "fastnoise_lite, 10^12 out",
            "{name}: bounds of {middle:.1e} of the largest magnitude"
        );
    }
}

/// Octaves with separate seeds read coordinates and distances some 10⁵ units out, and farther out as they get finer. So do
/// transforms, and so do samples at the centres of a grid or around a circle. Sums of coordinates are one number.
#[test]
fn bounds_follow_coordinates_to_where_they_are_read() {
    let coordinate = |axis| Noise::coordinate(Coordinate { axis, unit: 1.0 });
    let distance = || Noise::radius(Radius { unit: 1.0, ..Default::default() });
    let simplex = || Noise::simplex(Simplex::default());
    let octaves = |noise: Noise| noise.fractal(Fractal { octaves: 5, ..Default::default() });
    let far = Transform { offset: [3e5, 0.0, 0.0], ..Default::default() };
    let all = [
        ("distance", octaves(distance().sine(0.02, 0.0)), 0.1),
        ("position", octaves(simplex().domain([distance(), coordinate(Axis::Y), coordinate(Axis::Z)])), 0.1),
        ("sum", coordinate(Axis::X).add(coordinate(Axis::Y)).abs(), 2e-6),
        ("far sum", coordinate(Axis::X).add(coordinate(Axis::Y)).abs().transform(far.clone()), 1e-4),
        ("octaves of a sum", octaves(coordinate(Axis::X).add(coordinate(Axis::Y)).abs().sine(0.01, 0.0)), 0.1),
        ("grid", octaves(coordinate(Axis::X).abs().quantise([32.0; 3]).sine(0.01, 0.0)), 0.1),
        ("circle", octaves(simplex().polar(Polar { size: 200.0, ..Default::default() })), 2e-4),
        ("strip", octaves(simplex().polar(Polar { form: PolarForm::Strip, size: 200.0, ..Default::default() })), 0.1),
        ("moved far", distance().sine(0.02, 0.0).transform(far), 0.02),
    ];
    for (name, noise, loosest) in all {
        let region = Region { origin: [-90, 130, 0], ..Region::plane(40, 40) };
        let (single, double) = (cpu().field(&noise, &region).expect(name), oracle().field(&noise, &region).expect(name));
        let bounds = f32_bounds(&noise, &region).expect(name);
        let off = |i: usize| f64::from((single.values[i] - double.values[i]).abs());
        let beyond = (0..bounds.len()).filter(|&i| off(i) > bounds[i]).count();
        let most = bounds.iter().copied().fold(0.0, f64::max) / largest(&double.values);
        println!("{name:20} {beyond} beyond, bounds of up to {most:.1e}");
        assert_eq!(beyond, 0, "{name}");
        assert!(most < loosest, "{name}: bounds of up to {most:.1e} of the largest magnitude");
    }
}

/// The effect of a wrong twin: an error of a thousandth of one node's range, in one node of many, exceeds the bounds.
#[test]
fn bounds_are_tight_enough_to_notice_a_wrong_node() {
    for (name, wrong) in [("hills", 1e-4), ("ridges", 1e-4)] {
        let hills = Noise::simplex(Simplex::default()).fractal(Fractal { octaves: 8, ..Default::default() }).named("hills");
        let ridges =
            Noise::perlin(Perlin::default()).fractal(Fractal { accumulate: Accumulate::Ridged, ..Default::default() }).named("ridges");
        let noise = |off: [f64; 2]| {
            hills.clone().scale_offset(1.0, off[0]).add(ridges.clone().scale_offset(1.0, off[1])).scale_offset(300.0, 100.0)
        };
        let region = Region::plane(24, 24);
        let off = if name == "hills" { [wrong, 0.0] } else { [0.0, wrong] };
        let (right, bad) =
            (oracle().field(&noise([0.0; 2]), &region).expect("a field"), cpu().field(&noise(off), &region).expect("a field"));
        let bounds = f32_bounds(&noise([0.0; 2]), &region).expect("bounds");
        let beyond =
            right.values.iter().zip(&bad.values).zip(&bounds).filter(|((a, b), bound)| f64::from((*a - *b).abs()) > **bound).count();
        assert_eq!(beyond, bounds.len(), "{name}");
    }
}

#[test]
fn bounds_are_found_whatever_nodes_are_called() {
    let noise = Noise::simplex(Simplex::default()).scale_offset(2.0, 0.0).named(&"é".repeat(64));
    let region = Region::plane(4, 4);
    assert_eq!(f32_bounds(&noise, &region).expect("bounds").len(), 16);
    // Nor does a name that is taken grow beyond what is allowed.
    let both = noise.clone().add(Noise::constant(1.0).named(&"é".repeat(64)));
    assert_eq!(cpu().field(&both, &region).expect("a field").values.len(), 16);
}

#[test]
fn f32_stays_within_its_bound_of_the_oracle_at_any_distance() {
    let mut table: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for (name, noise) in nodes::all() {
        let bound = bound(name.split(' ').next().unwrap_or_default(), &noise);
        for (place, region) in regions() {
            let single = cpu().field(&noise, &region).expect(&name);
            let double = oracle().field(&noise, &region).expect(&name);
            // A coordinate resolves 2⁻²⁴ of its unit, also near 0.
            let is_length = name.starts_with("coordinate") || name.starts_with("radius");
            let scale = if is_length { largest(&double.values).max(1.0) } else { largest(&double.values) };
            let off: Vec<f64> = single.values.iter().zip(&double.values).map(|(a, b)| f64::from((a - b).abs()) / scale).collect();
            let kind = name.split(' ').next().unwrap_or_default().to_owned();
            let row = table.entry(kind).or_insert((bound, 0.0));
            let means_nothing = (name == "polar 1" || name.starts_with("fastnoise_lite")) && place == "10^12 out";
            let jumps =
                means_nothing || noise.graph().node.values().any(|node| matches!(node, Node::Simplex(s) if s.hash == Hash::Permutation289));
            row.1 = if jumps { row.1 } else { row.1.max(off.iter().copied().fold(0.0, f64::max)) };
            let beyond = off.iter().filter(|&&off| off > bound).count();
            let worst = off.iter().copied().fold(0.0, f64::max);
            println!("{name:15} {place:25} {worst:.1e}, {beyond} beyond");
            if means_nothing {
                // A strip's distance from the centre is an f32, and here larger than 2²⁴ wavelengths; so are positions of FastNoiseLite.
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
            } else if noise.graph().node.values().any(|node| {
                matches!(node, Node::Worley(w) if w.output == WorleyOutput::Cell)
                    || matches!(node, Node::FastnoiseLite(of) if of.cellular_return == FastnoiseReturn::CellValue)
            }) {
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
