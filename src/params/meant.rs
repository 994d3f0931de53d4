//! Suggestions for unknown names: the closest known name, or Orogen's name for a term of other libraries.

use super::KindInfo;

/// A name in other libraries, and its equivalent here.
struct Hint {
    elsewhere: &'static [&'static str],
    here: Here,
    /// A further hint; may be empty.
    how: &'static str,
}

/// Orogen's own name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Here {
    /// A parameter, suggested only for kinds with a parameter of this name.
    Param(&'static str),
    /// A kind of node.
    Node(&'static str),
    /// A kind of stage.
    Stage(&'static str),
}

use Here::{Node, Param, Stage};

const fn hint(elsewhere: &'static [&'static str], here: Here, how: &'static str) -> Hint {
    Hint { elsewhere, here, how }
}

/// Names are compared without case, `_` and `-`. Of several hints for a name, the first whose parameter the kind has applies.
#[rustfmt::skip]
const PARAMETERS: &[Hint] = &[
    hint(&["type", "class", "noise_type"], Param("kind"), ""),
    hint(&["frequency", "freq"], Param("wavelength"), "wavelength = 1 / frequency, in world units"),
    hint(&["scale", "zoom"], Param("wavelength"), "the world units of a cell; a node scale_offset multiplies values"),
    hint(&["period", "cell_size", "feature_size", "size"], Param("wavelength"), "the world units of a cell"),
    hint(&["persistence", "persistance", "roughness", "fractal_gain"], Param("gain"), ""),
    hint(&["octave_count", "num_octaves", "fractal_octaves", "detail", "layers", "iterations"], Param("octaves"), ""),
    hint(&["fractal_lacunarity"], Param("lacunarity"), ""),
    hint(&["fractal_type", "mode", "fractal"], Param("accumulate"), ""),
    hint(&["source", "src", "input", "in", "noise", "base", "child"], Param("of"), ""),
    hint(&["amplitude", "amount", "warp_amplitude", "distortion"], Param("strength"), ""),
    hint(&["amplitude", "amp", "multiplier", "strength", "height", "scale", "gain"], Node("scale_offset"), "it multiplies values"),
    hint(&["bias", "add", "offset"], Node("scale_offset"), "its offset is added to values"),
    hint(&["offset", "translate", "translation", "origin"], Node("transform"), "its offset moves positions"),
    hint(&["distance_function", "distance", "cellular_distance_function"], Param("metric"), ""),
    hint(&["return_type", "cellular_return_type", "feature"], Param("output"), ""),
    hint(&["randomness", "cellular_jitter", "jitter_modifier"], Param("jitter"), ""),
    hint(&["interp", "smoothing", "fade"], Param("interpolation"), ""),
    hint(&["random_seed", "rng_seed", "random_state"], Param("seed"), ""),
    hint(&["dim", "dims", "ndim"], Param("dimensions"), ""),
    hint(&["min", "minimum", "lower", "lo", "from"], Param("low"), ""),
    hint(&["max", "maximum", "upper", "hi", "to"], Param("high"), ""),
    hint(&["translate", "translation"], Param("offset"), ""),
    hint(&["angle", "rotate", "degrees"], Param("rotation"), "in degrees"),
    hint(&["control_points", "curve", "keys", "keyframes"], Param("points"), ""),
    hint(&["file", "path", "filename", "image", "texture", "heightmap"], Param("heights"), ""),
    hint(&["pixel_size", "resolution", "cell"], Param("spacing"), "the world units from sample to sample"),
    hint(&["wrap", "extend", "boundary"], Param("outside"), ""),
    hint(&["power", "exp"], Param("exponent"), ""),
    hint(&["t", "alpha", "factor", "weight"], Param("mask"), ""),
    hint(&["value", "threshold", "cutoff"], Param("at"), ""),
    hint(&["min_distance", "minimum_distance"], Param("separation"), ""),
];

/// Names of kinds in other libraries.
#[rustfmt::skip]
const KINDS: &[Hint] = &[
    hint(&["fbm", "fractal_brownian_motion", "octaves", "fractal_noise"], Node("fractal"), ""),
    hint(&["perlin_fractal", "simplex_fractal", "value_fractal"], Node("fractal"), "its input is the noise"),
    hint(&["ridged", "ridged_multi", "ridged_multifractal"], Node("fractal"), "with accumulate = \"ridged\""),
    hint(&["billow", "turbulent"], Node("fractal"), "with accumulate = \"billow\""),
    hint(&["multifractal"], Node("fractal"), "with accumulate = \"multifractal\""),
    hint(&["hybrid", "hybrid_multifractal"], Node("fractal"), "with accumulate = \"hybrid\""),
    hint(&["pingpong", "ping_pong"], Node("fractal"), "with accumulate = \"pingpong\""),
    hint(&["cellular", "voronoi"], Node("worley"), ""),
    hint(&["smooth_voronoi", "voronoise", "smooth_worley", "smooth_cellular", "rounded_voronoi"], Node("smooth_cells"), ""),
    hint(&["strata", "stratify", "layers", "sediment"], Node("beds"), ""),
    hint(&["scatter", "stamp", "bombing", "instances", "splatter", "poisson", "poisson_disk"], Node("stamps"), ""),
    hint(&["crater", "moon", "lunar", "impacts"], Node("craters"), ""),
    hint(&["snoise"], Node("simplex"), ""),
    hint(&["flow_noise", "psrdnoise", "rotating_gradients"], Node("simplex"), "or perlin, with gradients = \"turning\""),
    hint(&["opensimplex", "open_simplex2f", "simplex2"], Node("open_simplex2"), ""),
    hint(&["open_simplex2s", "super_simplex", "simplex2s"], Node("open_simplex2"), "with variant = \"smooth\""),
    hint(&["gradient_noise", "classic", "classic_perlin", "pnoise"], Node("perlin"), ""),
    hint(&["value_cubic", "cubic"], Node("value"), "with interpolation = \"cubic\""),
    hint(&["gabor", "gabor_noise", "phasor_noise", "dunes", "wood", "stripes"], Node("phasor"), ""),
    hint(&["texture_synthesis", "stochastic_tiling", "hex_tiling", "hex_tile", "histogram_blend", "example"], Node("by_example"), ""),
    hint(&["fastnoise", "fast_noise", "fast_noise_lite", "fastnoiselite", "fnl"], Node("fastnoise_lite"), ""),
    hint(&["random", "white_noise"], Node("white"), ""),
    hint(&["scale", "scale_bias", "remap", "invert", "negate", "multiply_add"], Node("scale_offset"), ""),
    hint(&["sub", "subtract", "minus"], Node("add"), "of a scale_offset with scale = -1.0"),
    hint(&["mul", "times", "product"], Node("multiply"), ""),
    hint(&["sum", "plus"], Node("add"), ""),
    hint(&["lerp", "mix", "interpolate"], Node("blend"), ""),
    hint(&["curve", "curves", "hermite"], Node("spline"), ""),
    hint(&["translate", "rotate", "scale_point", "translate_point", "rotate_point"], Node("transform"), ""),
    hint(&["domain_warp", "displace", "distort"], Node("warp"), ""),
    hint(&["image", "heightmap", "texture", "file"], Node("raster"), ""),
    hint(&["cylinders", "spheres", "distance", "radial"], Node("radius"), ""),
    hint(&["step"], Node("threshold"), ""),
    hint(&["steps", "terraces"], Node("terrace"), ""),
    hint(&["pow", "exponent"], Node("power"), ""),
    hint(&["tile", "tileable", "tiling", "seamless", "loop"], Node("periodic"), ""),
    hint(&["blur", "smooth", "gaussian_blur"], Stage("gaussian"), ""),
    hint(&["erosion_droplets", "droplet_erosion", "fluvial_erosion", "stream_power_erosion"], Stage("erosion"), ""),
    hint(&["hydraulic_erosion", "water_erosion", "virtual_pipes"], Stage("hydraulic"), ""),
    hint(&["thermal_erosion"], Stage("thermal"), ""),
    hint(&["color", "colour_ramp", "color_ramp", "gradient_map"], Stage("colour"), ""),
    hint(&["rgb", "join_channels", "merge_channels", "combine_channels", "compose_colour"], Stage("colour_channels"), ""),
    hint(&["normals", "normal_map"], Stage("normal"), ""),
    hint(&["ambient_occlusion", "ao"], Stage("occlusion"), ""),
    hint(&["blend", "mix"], Stage("combine"), ""),
    hint(&["island", "falloff"], Stage("dropoff"), ""),
    hint(&["sea", "water"], Stage("ocean"), ""),
    hint(&["mountain", "mountains", "ridges", "peaks"], Node("fractal"), "with accumulate = \"ridged\""),
    hint(&["mountain", "mountains", "valley", "valleys", "uplift"], Stage("stream_power"), ""),
    hint(&["hills", "terrain"], Node("fractal"), ""),
    hint(&["cells", "stones", "rocks", "cracks", "veins"], Node("worley"), ""),
    hint(&["cliffs", "canyon", "plateau", "mesa"], Node("terrace"), ""),
    hint(&["ripples", "waves"], Node("sine"), ""),
    hint(&["curl_noise", "flow", "velocity", "swirl", "vector_noise", "vector_field"], Node("curl"), ""),
    hint(&["curl_warp", "flow_warp", "advection", "semi_lagrangian"], Node("advect"), ""),
    hint(&["bitangent", "bitangent_noise", "divergence_free"], Node("cross_gradients"), ""),
    hint(&["contrast", "levels"], Node("smoothstep"), ""),
    hint(&["contrast"], Node("gain"), ""),
    hint(&["levels", "remap", "invert", "spline", "terraces"], Stage("curve"), ""),
    hint(&["levels", "selection", "slope_mask", "height_mask"], Stage("mask"), ""),
    hint(&["auto_level", "normalize", "stretch"], Stage("normalise"), ""),
    hint(&["river", "rivers", "lake", "lakes", "water", "watershed", "flow_accumulation"], Stage("drainage"), ""),
    hint(&["river", "rivers", "stream", "river_bed"], Stage("channel"), ""),
    hint(&["incision", "downcutting", "fluvial_incision"], Stage("incise"), ""),
    hint(&["graded", "river_profile", "steady_state", "chi"], Stage("grade"), ""),
    hint(&["snowfall", "snow_cover", "ice"], Stage("snow"), ""),
    hint(&["scree", "talus", "rubble", "rockfall"], Stage("debris"), ""),
    hint(&["scree", "talus"], Stage("thermal"), ""),
    hint(&["coast", "shore", "banks"], Stage("distance"), ""),
    hint(&["coast", "shore", "sand"], Stage("beach"), ""),
    hint(&["cliffs", "sea_cliff", "escarpment"], Stage("cliff"), ""),
    hint(&["moisture", "moss", "vegetation"], Stage("wetness"), ""),
    hint(&["shadow", "shade", "light", "sun", "shading"], Stage("hillshade"), ""),
    hint(&["gullies", "rills", "ravines"], Stage("gully"), ""),
    hint(&["warp", "distort"], Stage("displace"), ""),
];

/// Maximum number of names listed in a message.
const LISTED: usize = 20;

/// The end of a message about an unknown name: a suggestion and the allowed names, as in `did you mean 'of'? allowed: of, octaves`.
pub(crate) fn instead<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let allowed = match known.len() {
        0 => "no others exist".to_owned(),
        count if count <= LISTED => known.join(", "),
        count => format!("one of {count} names"),
    };
    format!("{}allowed: {allowed}", question(&closest(given, &known), ""))
}

/// The end of a message about an unknown parameter of a kind.
pub(crate) fn param_instead(given: &str, params: &[super::ParamInfo]) -> String {
    let known: Vec<&str> = params.iter().map(|param| param.name).collect();
    let with_kind: Vec<&str> = std::iter::once("kind").chain(known.iter().copied()).collect();
    let near = closest(given, &with_kind);
    let hint = matching(PARAMETERS, given).find(|hint| !matches!(hint.here, Param(name) if !with_kind.contains(&name)));
    let asked = match (hint.map(|hint| (hint.here, hint.how)), near.is_empty()) {
        (Some((Param(name), how)), _) => question(&[name], how),
        (Some((Node(kind) | Stage(kind), how)), true) => format!("did you mean a node of the kind '{kind}' ({how})? "),
        (Some((Node(_) | Stage(_), _)) | None, _) => question(&near, ""),
    };
    format!("{asked}allowed: {}", known.join(", "))
}

/// The end of a message about an unknown kind of node or stage.
pub(crate) fn kind_instead(given: &str, table: &[KindInfo]) -> String {
    let known: Vec<&str> = table.iter().map(|info| info.kind).collect();
    let hint = matching(KINDS, given).find_map(|hint| match hint.here {
        Node(kind) | Stage(kind) | Param(kind) => known.contains(&kind).then_some((kind, hint.how)),
    });
    let near = closest(given, &known);
    let asked = match hint {
        Some((kind, how)) if near.is_empty() => question(&[kind], how),
        Some(_) | None => question(&near, ""),
    };
    format!("{asked}allowed: {}", all_kinds(table))
}

/// The allowed kinds: a list if it is short, otherwise a pointer to the documentation.
pub(crate) fn all_kinds(table: &[KindInfo]) -> String {
    format!("one of {} kinds (see docs/reference/nodes.md and docs/reference/stages.md, or `orogen schema`)", table.len())
}

/// The names of a kind in other libraries.
pub(super) fn synonyms(kind: &str) -> impl Iterator<Item = &'static str> + use<'_> {
    let is_kind = move |hint: &&Hint| matches!(hint.here, Node(here) | Stage(here) if here == kind);
    KINDS.iter().filter(is_kind).flat_map(|hint| hint.elsewhere.iter().copied())
}

/// Whether a field with this name holds the kind in other formats.
pub(crate) fn is_kind(field: &str) -> bool {
    matching(PARAMETERS, field).any(|hint| hint.here == Param("kind"))
}

fn matching<'a>(hints: &'a [Hint], given: &str) -> impl Iterator<Item = &'a Hint> + use<'a> {
    let given = plain(given);
    hints.iter().filter(move |hint| hint.elsewhere.iter().any(|name| plain(name) == given))
}

/// A name without case and separators.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn question(names: &[&str], how: &str) -> String {
    let how = if how.is_empty() { String::new() } else { format!(" ({how})") };
    match names {
        [] => String::new(),
        [name] => format!("did you mean '{name}'{how}? "),
        names => format!("did you mean '{}'{how}? ", names.join("' or '")),
    }
}

/// The names that are close to a given one, up to three: those with the fewest letters added, removed, changed or swapped.
fn closest<'a>(given: &str, known: &[&'a str]) -> Vec<&'a str> {
    let given = plain(given);
    let length = given.chars().count();
    let most = ((length + 1) / 3).clamp(1, 3);
    let near = |name: &&'a str| {
        let other = plain(name);
        // Only names of similar length are compared, because lists may contain thousands.
        if other.chars().count().abs_diff(length) > most {
            return None;
        }
        let distance = strsim::osa_distance(&given, &other);
        // For a name of one letter, only the case may differ.
        (distance == 0 || (distance <= most && distance + 1 < length)).then_some((distance, *name))
    };
    let all: Vec<(usize, &str)> = known.iter().filter_map(near).collect();
    let best = all.iter().map(|(distance, _)| *distance).min();
    all.into_iter().filter(|(distance, _)| Some(*distance) == best).map(|(_, name)| name).take(3).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_lead_to_what_there_is() {
        let (nodes, stages) = (crate::graph::node::Node::TABLE, crate::stage::Stage::TABLE);
        for Hint { elsewhere, here, .. } in PARAMETERS.iter().chain(KINDS) {
            let there_is = match here {
                Param("kind") => true,
                Param(name) => nodes.iter().chain(stages).any(|info| info.param(name).is_some()),
                Node(kind) => nodes.iter().any(|info| info.kind == *kind),
                Stage(kind) => stages.iter().any(|info| info.kind == *kind),
            };
            assert!(there_is && !elsewhere.is_empty(), "{elsewhere:?} → {here:?}");
        }
        for Hint { elsewhere, here, .. } in KINDS {
            for name in *elsewhere {
                let table = if matches!(here, Stage(_)) { stages } else { nodes };
                assert!(table.iter().all(|info| info.kind != *name), "'{name}' is a kind");
                let told = kind_instead(name, table);
                assert!(told.starts_with("did you mean '"), "{name}: {told}");
            }
        }
    }

    #[test]
    fn every_name_is_found_again_with_a_letter_too_few_or_two_swapped() {
        let (nodes, stages) = (crate::graph::node::Node::TABLE, crate::stage::Stage::TABLE);
        let wrong = |name: &str| {
            let letters: Vec<char> = name.chars().collect();
            let swapped = |i: usize| {
                let mut letters = letters.clone();
                letters.swap(i, i + 1);
                letters.into_iter().collect::<String>()
            };
            let without = |i: usize| letters.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, c)| c).collect::<String>();
            (1..letters.len() - 1).map(swapped).chain((1..letters.len()).map(without)).collect::<Vec<_>>()
        };
        let mut tried = 0;
        for table in [nodes, stages] {
            for info in table.iter().filter(|info| info.kind.len() > 3) {
                for typed in wrong(info.kind).iter().filter(|typed| table.iter().all(|info| info.kind != **typed)) {
                    let told = kind_instead(typed, table);
                    assert!(told.contains(&format!("'{}'", info.kind)), "{typed}: {told}");
                    tried += 1;
                }
                for param in info.params.iter().filter(|param| param.name.len() > 3) {
                    for typed in wrong(param.name).iter().filter(|typed| info.param(typed).is_none() && plain(typed) != "kind") {
                        let told = param_instead(typed, info.params);
                        assert!(told.contains(&format!("'{}'", param.name)), "{}: {typed}: {told}", info.kind);
                        tried += 1;
                    }
                }
            }
        }
        assert!(tried > 2000, "{tried} wrong names were tried");
    }

    #[test]
    fn names_of_other_libraries_are_translated() {
        let params = |kind: &str| crate::graph::node::Node::of_kind(kind).map_or(&[][..], |node| node.info().params);
        for (kind, given, expected) in [
            ("simplex", "frequency", "did you mean 'wavelength' (wavelength = 1 / frequency, in world units)? allowed: dimensions"),
            ("simplex", "cellSize", "did you mean 'wavelength'"),
            ("simplex", "amplitude", "did you mean a node of the kind 'scale_offset' (it multiplies values)? allowed"),
            ("warp", "amplitude", "did you mean 'strength'? allowed"),
            ("fractal", "persistence", "did you mean 'gain'? allowed: of, octaves"),
            ("fractal", "type", "did you mean 'kind'? "),
            ("fractal", "nonsense", "allowed: of, octaves"),
        ] {
            let told = param_instead(given, params(kind));
            assert!(told.starts_with(expected), "{kind}.{given}: {told}");
        }
        assert_eq!(instead("hils", ["hills", "land"]), "did you mean 'hills'? allowed: hills, land");
        let many: Vec<String> = (0..3000).map(|i| format!("node{i}")).collect();
        assert_eq!(instead("noode17", many.iter().map(String::as_str)), "did you mean 'node17'? allowed: one of 3000 names");
    }
}
