//! The hand-written WGSL library: its files, and the transitive closure of the files that a kernel needs.

use std::collections::BTreeMap;

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        &[ $(($name, include_str!(concat!("../../../shaders/lib/", $name, ".wgsl")))),+ ]
    };
}

/// Every library file by name.
pub const FILES: &[(&str, &str)] = files![
    "beds",
    "cell_borders",
    "craters",
    "curve",
    "dispatch",
    "example",
    "exact",
    "fastnoise",
    "fastnoise_cellular",
    "fastnoise_lattice",
    "fastnoise_simplex",
    "fastnoise_warp",
    "flow",
    "fractal",
    "frame",
    "gradient",
    "hash",
    "hexagonal",
    "interpolate",
    "jet",
    "lattice",
    "open_simplex",
    "permutation289",
    "permutation289_periodic",
    "phasor",
    "point",
    "point_periodic",
    "polar",
    "power",
    "raster",
    "real",
    "root",
    "shift",
    "simplex",
    "sine",
    "skewed",
    "smooth_cells",
    "spline",
    "stamp_points",
    "stamps",
    "tables",
    "texel",
    "turn",
    "white",
    "worley",
];

/// An inconsistency of the library.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LibraryError {
    /// A `// requires:` line names a file that does not exist.
    #[error("shader library: '{by}' requires '{name}', which does not exist")]
    Unknown {
        /// The file that requires it.
        by: String,
        /// The name of the required file.
        name: String,
    },
    /// Files require each other in a cycle.
    #[error("shader library: '{0}' requires itself")]
    Cycle(String),
}

/// The files that `roots` require, including themselves, each once and in alphabetical order. WGSL needs no order of declarations.
///
/// With `periodic`, `point_periodic` replaces `point`, since kernels with periods compute lattice points in another way.
///
/// # Errors
/// Returns an error for an unknown or circular requirement.
pub fn closure(roots: &[&str], periodic: bool) -> Result<String, LibraryError> {
    let chosen = |&(name, text): &(&'static str, &'static str)| match name {
        "point" if periodic => None,
        "point_periodic" if periodic => Some(("point", text)),
        _ => Some((name, text)),
    };
    closure_of(&FILES.iter().filter_map(chosen).collect(), roots)
}

/// Texts by name.
type LibraryFiles<'a> = BTreeMap<&'a str, &'a str>;

fn closure_of(files: &LibraryFiles<'_>, roots: &[&str]) -> Result<String, LibraryError> {
    let mut needed = LibraryFiles::new();
    for root in roots {
        visit(files, root, "kernel", &mut Vec::new(), &mut needed)?;
    }
    Ok(needed.into_values().collect::<Vec<_>>().join("\n"))
}

fn visit<'a>(
    files: &LibraryFiles<'a>,
    name: &str,
    by: &str,
    open: &mut Vec<&'a str>,
    needed: &mut LibraryFiles<'a>,
) -> Result<(), LibraryError> {
    if open.contains(&name) {
        return Err(LibraryError::Cycle(name.to_owned()));
    }
    let found = files.get_key_value(name);
    let (&name, &text) = found.ok_or_else(|| LibraryError::Unknown { by: by.to_owned(), name: name.to_owned() })?;
    if needed.contains_key(name) {
        return Ok(());
    }
    open.push(name);
    for required in text.lines().filter_map(|line| line.strip_prefix("// requires:")).flat_map(str::split_whitespace) {
        visit(files, required, name, open, needed)?;
    }
    open.pop();
    needed.insert(name, text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::gpu::wgsl::library::*;

    #[test]
    fn closures_are_sorted_and_hold_every_file_once() {
        let text = closure(&["simplex", "tables", "simplex"], false).expect("the library fits together");
        let at = |line: &str| text.match_indices(line).map(|(i, _)| i).collect::<Vec<_>>();
        assert_eq!(at("fn hash_mix(").len(), 1);
        assert!(at("fn frame_cell(") < at("fn hash_mix(") && at("fn simplex_2(") < at("fn table_fixed("));
        assert!(at("fn power_signed(").is_empty());
    }

    #[test]
    fn unknown_and_circular_requirements_are_errors() {
        let files = LibraryFiles::from([("a", "// requires: b\n"), ("b", "// requires: a\n"), ("c", "// requires: nowhere\n")]);
        assert_eq!(closure_of(&files, &["a"]), Err(LibraryError::Cycle("a".into())));
        assert_eq!(closure_of(&files, &["c"]), Err(LibraryError::Unknown { by: "c".into(), name: "nowhere".into() }));
    }

    /// The constants of a library file as naga reads them, as f64: one number, or the components of a vector.
    fn constants(file: &str) -> BTreeMap<String, Vec<f64>> {
        let module = naga::front::wgsl::parse_str(&closure(&[file], false).expect("the library fits together")).expect("it parses");
        fn numbers(module: &naga::Module, expression: naga::Handle<naga::Expression>) -> Vec<f64> {
            match &module.global_expressions[expression] {
                naga::Expression::Literal(naga::Literal::U32(x)) => vec![f64::from(*x)],
                naga::Expression::Literal(naga::Literal::F32(x)) => vec![f64::from(*x)],
                naga::Expression::Compose { components, .. } => components.iter().flat_map(|part| numbers(module, *part)).collect(),
                other => panic!("{other:?}"),
            }
        }
        let prefix = file.to_uppercase();
        let all = module.constants.iter().filter_map(|(_, constant)| Some((constant.name.clone()?, constant.init)));
        all.filter(|(name, _)| name.starts_with(&prefix)).map(|(name, init)| (name, numbers(&module, init))).collect()
    }

    #[test]
    fn constants_are_those_of_the_twins_on_the_cpu() {
        use crate::cpu::lib::{flow, gradient, hash, lattice, simplex, worley};
        use crate::cpu::simd::permute::Eight;
        let hash = [
            ("HASH_X", hash::FACTORS[0]),
            ("HASH_Y", hash::FACTORS[1]),
            ("HASH_Z", hash::FACTORS[2]),
            ("HASH_TURN_Y", hash::TURNS[1]),
            ("HASH_TURN_Z", hash::TURNS[2]),
            ("HASH_MIX_1", hash::MIX[0]),
            ("HASH_MIX_2", hash::MIX[1]),
        ];
        assert_eq!(constants("hash"), hash.map(|(name, x)| (name.to_owned(), vec![f64::from(x)])).into());
        let worley_constants = constants("worley");
        assert_eq!(worley_constants["WORLEY_SLACK"], [worley::SLACK]);
        assert_eq!(worley_constants["WORLEY_FAR"], [f64::from(worley::FAR as f32)]);
        // The components of directions, in the order of the shaders' `gradient_2` and `gradient_3`.
        let single = |parts: &[f64]| parts.iter().map(|&x| f64::from(x as f32)).collect::<Vec<_>>();
        let x_2 = |table: &[Eight; 2]| single(&[0, 4, 2, 6].map(|i| table[0].exact[i]));
        let y_2 = |table: &[Eight; 2]| single(&[2, 6, 0, 4].map(|i| table[1].exact[i]));
        let parts_3 = |table: &[Eight; 3]| {
            [
                single(&[0, 2, 3].map(|i| table[0].exact[i])),
                single(&[2, 0, 1].map(|i| table[1].exact[i])),
                single(&[4, 1, 0].map(|i| table[2].exact[i])),
            ]
        };
        let own = constants("simplex");
        assert_eq!(own["SIMPLEX_X_2"], x_2(&simplex::DIRECTIONS_2));
        assert_eq!(own["SIMPLEX_Y_2"], y_2(&simplex::DIRECTIONS_2));
        let [x, y, z] = parts_3(&simplex::DIRECTIONS_3);
        assert_eq!((&own["SIMPLEX_X_3"], &own["SIMPLEX_Y_3"], &own["SIMPLEX_Z_3"]), (&x, &y, &z));
        assert_eq!(own["SIMPLEX_REACH"], [simplex::REACH]);
        let own = constants("flow");
        assert_eq!((&own["FLOW_PARTS_2"], &own["FLOW_PARTS_2"]), (&x_2(&flow::PARTS_2), &y_2(&flow::PARTS_2)));
        assert_eq!(vec![own["FLOW_PARTS_3"].clone(); 3], parts_3(&flow::PARTS_3));
        let whole = [lattice::SCALES[1], lattice::SCALES[2], flow::SHORT, flow::ACROSS];
        assert_eq!(
            [&own["FLOW_SLOPE_2"], &own["FLOW_SLOPE_3"], &own["FLOW_SHORT"], &own["FLOW_ACROSS"]],
            whole.map(|x| single(&[x])).each_ref()
        );
        assert_eq!((&own["FLOW_SCALE_2"], &own["FLOW_SCALE_3"]), (&single(&flow::SCALES_2), &single(&flow::SCALES_3)));
        let own = constants("lattice");
        assert_eq!((&own["LATTICE_SLOPES_2"], &own["LATTICE_SLOPES_2"]), (&x_2(&lattice::SLOPES_2), &y_2(&lattice::SLOPES_2)));
        assert_eq!(vec![own["LATTICE_SLOPES_3"].clone(); 3], parts_3(&lattice::SLOPES_3));
        assert_eq!(vec![constants("hexagonal")["HEXAGONAL_PARTS"].clone(); 3], parts_3(&gradient::permutations([1.0; 3])));
    }

    #[test]
    fn names_are_prefixed_by_their_file() {
        for (file, text) in FILES {
            let prefix = file.trim_end_matches('s').trim_end_matches("_periodic");
            for line in text.lines().filter_map(|l| l.strip_prefix("fn ")) {
                assert!(line.starts_with(prefix), "{file}.wgsl: fn {line}");
            }
        }
    }
}
