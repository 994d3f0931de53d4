//! The rows of the five source documents: the product's answer to each, the tests that cover it, the pictures that show it, and
//! gaps.

use crate::support::root;
use orogen::node::Node;
use orogen::stage::Stage;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// The page that `OROGEN_FREEZE=1` writes.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/notebook/documents.md");

/// The prefixes of the rows' ids, with the documents.
const DOCUMENTS: [(char, &str); 5] = [
    ('A', "Hill Noise"),
    ('B', "Coherent noise"),
    ('C', "Noise Generation, with a terrain shader in HLSL"),
    ('D', "Noise and map generation"),
    ('E', "I made my own noise function (on hexagons)"),
];

/// One thing that a document asks for.
struct Row {
    id: &'static str,
    what: &'static str,
    /// Its place in the product: kinds of nodes and stages, `orogen VERB`, `orogen::path`.
    node: &'static [&'static str],
    /// Tests that would notice: `file::function`, in this folder.
    test: &'static [&'static str],
    /// From the repository's root; `PAGE#section` for all that a section of a page shows.
    picture: &'static [&'static str],
    /// The missing part, such as a test or a picture; empty if nothing is missing.
    missing: &'static str,
}

const ROWS: &[Row] = &[
    Row {
        id: "A1",
        what: "A sum of size · sin(x / size + offset): any sizes, offsets seeded or given",
        node: &["hill"],
        test: &["hill::the_articles_sum_in_1d_is_reproduced", "hill::other_sizes_are_uniform_too"],
        picture: &["docs/reference/gallery/hills.png", "docs/reference/gallery/agate.png"],
        missing: "",
    },
    Row {
        id: "A2",
        what: "Sizes from a number of sines and a smoothness",
        node: &["hill"],
        test: &["hill::the_articles_sum_in_2d_is_reproduced"],
        picture: &["docs/reference/gallery/hills.png"],
        missing: "",
    },
    Row {
        id: "A3",
        what: "1D; 2D, turned by the golden ratio; 3D, over the sphere, with sizes shuffled",
        node: &["hill"],
        test: &[
            "hill::the_articles_sum_in_1d_is_reproduced",
            "hill::the_articles_sum_in_2d_is_reproduced",
            "hill::hills_in_3d_prefer_no_direction",
            "hill::the_articles_sum_in_3d_is_reproduced",
        ],
        picture: &["docs/reference/gallery/agate.png", "docs/reference/gallery/hills.png", "docs/reference/nodes.md#hill-noise-in-3d"],
        missing: "",
    },
    Row {
        id: "A4",
        what: "Uniform values: by the exact distribution, or by the article's approximation",
        node: &["hill"],
        test: &[
            "hill::hill_noise_is_uniform_however_many_sines_it_has",
            "hill::the_articles_approximation_is_near_uniform_at_many_sines_only",
            "hill::the_articles_sum_in_1d_is_reproduced",
        ],
        picture: &["docs/reference/gallery/hills.png"],
        missing: "",
    },
    Row {
        id: "A5",
        what: "From uniform values to Weibull, normal, exponential or any monotone table",
        node: &["quantile", "equalise"],
        test: &[
            "hill::quantiles_have_the_distributions_they_name",
            "equalise::any_noise_becomes_uniform",
            "hill::a_tables_quantiles_are_its_own_numbers",
        ],
        picture: &["docs/reference/gallery/agate.png", "docs/reference/gallery/nightsky.png"],
        missing: "",
    },
    Row {
        id: "A6",
        what: "Exact gradients of the surface; no repetition, at any distance",
        node: &["hill", "orogen::Field"],
        test: &[
            "gradient::gradients_are_the_slopes_of_the_values",
            "oracle::f32_stays_within_its_bound_of_the_oracle_at_any_distance",
            "region::fields_have_normals_and_become_layers",
            "hill::hill_noise_does_not_repeat_at_any_distance",
        ],
        picture: &[],
        missing: "",
    },
    Row {
        id: "A7",
        what: "1D value noise from 256 numbers by cosine; octaves of size 0.5^i",
        node: &["value", "fractal"],
        test: &["articles::value_noise_by_a_table_is_the_articles", "articles::value_noise_interpolates_as_the_articles_do"],
        picture: &["docs/reference/gallery/nightsky.png", "docs/reference/nodes.md#noise-in-1d"],
        missing: "",
    },
    Row {
        id: "B1",
        what: "Value, Perlin and Worley noise in 1D to 3D, from a hash and a seed, no artefacts",
        node: &["value", "perlin", "worley"],
        test: &[
            "quality::every_bit_of_a_cell_flips_every_bit_of_the_hash_half_the_time",
            "quality::the_next_seed_gives_an_unrelated_field",
            "quality::white_noise_has_no_lines_rings_or_directions",
            "quality::single_octaves_are_as_isotropic_as_they_are_said_to_be",
            "quality::worley_noise_looks_the_same_in_all_directions_as_far_as_its_metric_does",
            "quality::the_spectrum_of_worley_noise_shows_as_little_of_its_cells_as_it_is_said_to",
            "worley::distances_are_those_of_brute_force",
        ],
        picture: &["docs/reference/gallery/nightsky.png", "docs/reference/gallery/clouds.png", "docs/reference/gallery/glass.png"],
        missing: "",
    },
    Row {
        id: "B2",
        what: "Worley: F1 to F4, any weighted sum, four metrics, the nearest cell; all exact",
        node: &["worley"],
        test: &[
            "worley::distances_are_those_of_brute_force",
            "worley::distances_are_in_order",
            "worley::cell_values_are_constant_where_the_nearest_point_is_the_same",
        ],
        picture: &[
            "docs/reference/gallery/glass.png",
            "docs/reference/gallery/cracks.png",
            "docs/reference/gallery/craters.png",
            "docs/reference/nodes.md#worley-noise",
        ],
        missing: "",
    },
    Row {
        id: "B3",
        what: "Interpolation: truncated, linear, cubic, quintic, cosine",
        node: &["value", "perlin"],
        test: &[
            "articles::value_noise_interpolates_as_the_articles_do",
            "articles::value_noise_in_2d_is_blended_axis_by_axis",
            "range::lattice_noises_fill_their_range",
            "formulas::perlin_noise_is_its_formula",
        ],
        picture: &["docs/reference/gallery/clouds.png", "docs/reference/nodes.md#value-noise", "docs/reference/nodes.md#perlin-noise"],
        missing: "",
    },
    Row {
        id: "B4",
        what: "FBM: octaves, lacunarity, gain, first frequency, amplitude; seeds of their own",
        node: &["fractal", "scale_offset"],
        test: &[
            "articles::fbm_is_the_articles_sum",
            "hexagonal::octaves_can_be_the_same_noise",
            "oracle::noise_is_not_zero_at_integer_positions",
            "quality::octaves_do_not_pile_up_at_the_origin",
        ],
        picture: &["docs/reference/gallery/islands.png", "docs/reference/gallery/clouds.png"],
        missing: "",
    },
    Row {
        id: "B5",
        what: "Musgrave's three models; billow, ping-pong and the plain multifractal",
        node: &["fractal"],
        test: &[
            "api::every_word_of_a_nodes_choice_has_an_example",
            "range::no_value_leaves_the_proven_range",
            "gradient::gradients_are_the_slopes_of_the_values",
            "frozen::values_are_what_they_were",
            "formulas::every_kind_of_fractal_is_its_formula",
        ],
        picture: &[
            "docs/reference/gallery/highlands.png",
            "docs/reference/gallery/planet.png",
            "docs/reference/gallery/badlands.png",
            "docs/reference/gallery/kaleidoscope.png",
            "docs/reference/nodes.md#octaves",
        ],
        missing: "",
    },
    Row {
        id: "B6",
        what: "Turbulence by any node, as strong as wanted, and octave by octave",
        node: &["warp", "turbulence"],
        test: &[
            "articles::turbulence_is_the_articles_displacement",
            "gradient::gradients_are_the_slopes_of_the_values",
            "frozen::values_are_what_they_were",
            "formulas::turbulence_displaces_octave_by_octave",
        ],
        picture: &["docs/reference/gallery/dunes.png", "docs/reference/gallery/badlands.png"],
        missing: "",
    },
    Row {
        id: "B7",
        what: "Afterwards: normalise without seams, a sea level, erosion, colour gradients",
        node: &["normalise", "ocean", "thermal", "hydraulic", "gully", "colour"],
        test: &[
            "stage_laws::whole_world_stages_do_what_they_say",
            "stages::tiles_are_windows_of_one_field_on_the_cpu",
            "stage_laws::thermal_erosion_conserves_material_and_ends_at_the_talus",
            "stage_laws::hydraulic_erosion_conserves_soil_and_water",
            "stages::layers_are_what_they_were",
            "colours::colours_between_two_stops_are_the_known_ones",
            "colours::ramps_are_straight_lines_in_their_space",
        ],
        picture: &[
            "docs/reference/stages/normalise.png",
            "docs/reference/stages/ocean.png",
            "docs/reference/stages/thermal.png",
            "docs/reference/stages/hydraulic.png",
            "docs/reference/stages/colour.png",
            "docs/reference/gallery/watershed.png",
            "docs/reference/gallery/atoll.png",
        ],
        missing: "",
    },
    Row {
        id: "C1",
        what: "Grainy noise, fract(sin()) and of integers; blurry noise, bilinear",
        node: &["white", "value"],
        test: &[
            "hexagonal::the_sine_hash_is_the_one_liner_near_the_origin",
            "hexagonal::nested_generators_are_the_documents",
            "articles::value_noise_interpolates_as_the_articles_do",
        ],
        picture: &["docs/reference/gallery/nightsky.png", "docs/reference/nodes.md#value-noise"],
        missing: "",
    },
    Row {
        id: "C2",
        what: "Perlin noise with the quintic fade",
        node: &["perlin"],
        test: &[
            "articles::value_noise_interpolates_as_the_articles_do",
            "range::lattice_noises_fill_their_range",
            "gradient::gradients_are_the_slopes_of_the_values",
            "frozen::values_are_what_they_were",
            "formulas::perlin_noise_is_its_formula",
        ],
        picture: &["docs/reference/gallery/clouds.png", "docs/reference/gallery/highlands.png", "docs/reference/nodes.md#perlin-noise"],
        missing: "",
    },
    Row {
        id: "C3",
        what: "The shader's 3D simplex as it is listed; an own one with a continuous falloff",
        node: &["simplex"],
        test: &[
            "document::the_shaders_chain_is_reproduced_on_every_backend",
            "document::three_equal_coordinates_take_a_proper_simplex",
            "articles::simplex_noise_in_1d_is_two_falloffs",
            "range::the_largest_value_found_is_what_the_page_says",
            "range::the_bounds_of_the_simplex_noises_are_proven",
        ],
        picture: &["docs/reference/gallery/terrain_shader.png", "docs/reference/nodes.md#noise-in-1d"],
        missing: "",
    },
    Row {
        id: "C4",
        what: "GetRawNoise: octaves by lerp, offsets, levels of detail, one table of octaves",
        node: &["fractal", "octave_table", "orogen::Region"],
        test: &[
            "document::the_shaders_chain_is_reproduced_on_every_backend",
            "document::samplers_share_one_table_of_octaves_and_one_of_points",
            "document::an_entry_of_a_shared_table_changes_all_that_read_it",
            "sharing::levels_hold_every_second_sample_of_the_level_below",
        ],
        picture: &["docs/reference/gallery/terrain_shader.png"],
        missing: "",
    },
    Row {
        id: "C5",
        what: "A curve through control points: quadratic Béziers, found by binary search",
        node: &["spline", "point_table"],
        test: &[
            "document::the_shaders_chain_is_reproduced_on_every_backend",
            "document::samplers_share_one_table_of_octaves_and_one_of_points",
            "live::changing_any_number_compiles_no_kernel",
        ],
        picture: &["docs/reference/gallery/terrain_shader.png", "docs/reference/gallery/canyon.png"],
        missing: "",
    },
    Row {
        id: "D1",
        what: "Colours of noise in 1D: amplitudes f^c, or any, of sines with random phases",
        node: &["spectral"],
        test: &["hill::the_articles_weighted_sum_is_reproduced", "hill::colours_of_noise_have_the_exponent_asked_for"],
        picture: &["docs/reference/gallery/skyline.png"],
        missing: "",
    },
    Row {
        id: "D2",
        what: "The same in 2D by frequency synthesis: a tile with the slope asked for",
        node: &["frequency"],
        test: &[
            "stage_laws::frequency_synthesis_has_the_exponent_that_was_asked_for",
            "stage_laws::the_fourier_passes_are_a_fourier_transform",
        ],
        picture: &["docs/reference/stages/frequency.png"],
        missing: "",
    },
    Row {
        id: "D3",
        what: "Filters of neighbours: minimum, maximum, mean, difference, any number of times",
        node: &["adjacent"],
        test: &["stage_laws::adjacent_filters_are_the_articles", "stage_laws::smoothing_makes_noise_red_and_differences_blue"],
        picture: &["docs/reference/stages/adjacent.png"],
        missing: "",
    },
    Row {
        id: "D4",
        what: "Redistribution: powers, roots, random below a random limit, reshaping curves",
        node: &["power", "multiply", "bias", "gain", "spline", "quantile"],
        test: &[
            "hill::quantiles_have_the_distributions_they_name",
            "document::the_shaders_chain_is_reproduced_on_every_backend",
            "range::ranges_of_common_graphs_are_the_expected_numbers",
            "frozen::values_are_what_they_were",
            "formulas::powers_bias_and_gain_are_their_formulas",
            "formulas::squares_roots_and_random_limits_have_their_distributions",
        ],
        picture: &["docs/reference/gallery/nightsky.png", "docs/reference/gallery/canyon.png"],
        missing: "",
    },
    Row {
        id: "D5",
        what: "Uses: heights, thresholds, caves, radius, drop-off, movement, placement, edges",
        node: &[
            "threshold",
            "radius",
            "polar",
            "dropoff",
            "orogen bake",
            "orogen volume",
            "orogen coast",
            "orogen sample",
            "orogen places",
            "orogen edge",
            "orogen::mesh::surface",
            "orogen::lines::Coastline",
            "orogen::lines::running_sum",
            "orogen::scatter::Poisson",
            "orogen::lines::NoisyEdge",
        ],
        test: &[
            "solids::meshes_are_closed_lie_on_their_level_and_face_outward",
            "places::polar_noise_is_that_of_a_circle_around_its_centre",
            "places::coastlines_close_and_noisy_lines_stay_where_they_belong",
            "places::running_sums_are_sums",
            "places::a_million_points_keep_their_distance_across_tiles",
            "places::a_step_of_relaxation_moves_points_to_the_middle_of_what_is_theirs",
            "places::relaxed_points_are_the_same_whatever_part_is_asked_for_and_more_even",
            "places::no_point_fits_between_the_others",
            "places::points_have_little_power_at_low_frequencies_and_no_direction",
            "places::the_commands_write_what_they_say",
        ],
        picture: &[
            "docs/reference/gallery/caves.png",
            "docs/reference/gallery/skyline.png",
            "docs/reference/gallery/coastline.png",
            "docs/reference/stages/dropoff.png",
            "docs/reference/stages/coast.svg",
            "docs/reference/stages/places.svg",
            "docs/reference/stages/walk.svg",
            "docs/reference/stages/edge.svg",
        ],
        missing: "",
    },
    Row {
        id: "D6",
        what: "The spectrum of any field, around all directions, and its slope",
        node: &["orogen spectrum", "orogen inspect", "orogen::stats::Periodogram", "orogen::stats::Spectrum"],
        test: &[
            "inspect::white_noise_is_uniform_flat_and_the_same_in_all_directions",
            "inspect::the_page_stands_alone_and_escapes_what_it_quotes",
            "stage_laws::frequency_synthesis_has_the_exponent_that_was_asked_for",
            "places::the_commands_write_what_they_say",
        ],
        picture: &["docs/reference/stages/spectrum.svg"],
        missing: "",
    },
    Row {
        id: "D7",
        what: "Midpoint displacement, diamond-square, Voss and McCartney's pink noise",
        node: &["midpoint", "diamond_square", "voss"],
        test: &[
            "stage_laws::halvings_pass_through_their_corners_and_keep_their_range",
            "stage_laws::smoothing_makes_noise_red_and_differences_blue",
            "stages::layers_are_what_they_were",
        ],
        picture: &["docs/reference/stages/midpoint.png", "docs/reference/stages/diamond_square.png", "docs/reference/stages/voss.png"],
        missing: "Wang tiles, named with Poisson disks and Lloyd relaxation as a way to even points",
    },
    Row {
        id: "E1",
        what: "Value noise in 1D and 2D, linear or smoothed by a cosine",
        node: &["value"],
        test: &["articles::value_noise_interpolates_as_the_articles_do", "articles::value_noise_in_2d_is_blended_axis_by_axis"],
        picture: &["docs/reference/gallery/nightsky.png", "docs/reference/nodes.md#value-noise", "docs/reference/nodes.md#noise-in-1d"],
        missing: "",
    },
    Row {
        id: "E2",
        what: "One value per hexagon, by tables given or seeded, or by a hash, not mirrored",
        node: &["hexagonal"],
        test: &[
            "hexagonal::the_articles_values_are_reproduced",
            "hexagonal::a_hexagon_has_one_value_and_its_shape",
            "hexagonal::samples_on_a_border_belong_to_the_hexagon_on_the_right_everywhere",
            "hexagonal::only_the_tables_are_mirrored",
        ],
        picture: &["docs/reference/gallery/hexmap.png"],
        missing: "",
    },
    Row {
        id: "E3",
        what: "A map of hexagons over axial ranges: sampled, and drawn as hexagons",
        node: &["orogen hexmap", "orogen::draw::HexMap"],
        test: &[
            "hexagonal::the_articles_values_are_reproduced",
            "hexagonal::pictures_of_maps_show_every_hexagon",
            "articles::a_board_of_hexagons_repeats",
            "hexagonal::the_command_writes_maps_as_tables_and_as_a_picture",
        ],
        picture: &["docs/reference/gallery/hexmap.png", "docs/reference/stages/hexmap.png"],
        missing: "",
    },
];

/// A text file of the repository.
fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The verbs of the command, as they are typed.
fn verbs() -> BTreeSet<String> {
    let args = read("cli/src/args.rs");
    let (_, variants) = args.split_once("pub enum Verb {").expect("the command has verbs");
    let (variants, _) = variants.split_once("\n}").expect("an enum ends");
    let mut verbs = BTreeSet::new();
    for line in variants.lines().map(str::trim) {
        let name = line.split(['(', ',']).next().unwrap_or_default();
        if !name.is_empty() && name.chars().all(char::is_alphanumeric) {
            verbs.insert(name.to_ascii_lowercase());
        }
    }
    verbs
}

/// All the source of a module of the library.
fn source_of(module: &str) -> String {
    let mut source = std::fs::read_to_string(root().join(format!("src/{module}.rs"))).unwrap_or_default();
    if let Ok(folder) = std::fs::read_dir(root().join("src").join(module)) {
        for file in folder.flatten() {
            source.push_str(&std::fs::read_to_string(file.path()).unwrap_or_default());
        }
    }
    source
}

/// Whether the product has a kind of node or stage, a verb of the command, or a path of the library.
fn exists(place: &str, verbs: &BTreeSet<String>) -> bool {
    if let Some(verb) = place.strip_prefix("orogen ") {
        return verbs.contains(verb);
    }
    let Some(path) = place.strip_prefix("orogen::") else {
        return Node::TABLE.iter().chain(Stage::TABLE.iter()).any(|row| row.kind == place);
    };
    let library = read("src/lib.rs");
    let Some((module, item)) = path.split_once("::") else {
        return library.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == path);
    };
    let source = source_of(module);
    let defined = source.contains(&format!("pub fn {item}(")) || source.contains(&format!("pub struct {item} "));
    defined && library.contains(&format!("pub mod {module};"))
}

/// Whether `file::function` is a test of this folder.
fn is_test(name: &str) -> bool {
    let (file, function) = name.split_once("::").expect("a test is named as file::function");
    let text = read(&format!("tests/it/{file}.rs"));
    let lines: Vec<&str> = text.lines().collect();
    let start = format!("fn {function}(");
    let Some(at) = lines.iter().position(|line| line.starts_with(start.as_str())) else { return false };
    lines[..at].iter().rev().take_while(|line| line.starts_with("#[")).any(|line| *line == "#[test]")
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

fn link(path: &str) -> String {
    let target = path.strip_prefix("docs/").expect("pictures lie in docs");
    let name = match path.split_once('#') {
        Some((_, section)) => section.replace('-', " "),
        None => Path::new(path).file_stem().expect("a picture has a name").to_string_lossy().into_owned(),
    };
    format!("[{name}](../{target})")
}

/// Whether there is such a picture, or such a section of a page, which has pictures.
fn is_shown(picture: &str) -> bool {
    let Some((page, section)) = picture.split_once('#') else { return root().join(picture).is_file() };
    let text = read(page);
    let mut sections = text.split("\n## ").skip(1).filter_map(|part| part.split_once('\n'));
    sections.any(|(title, content)| title.to_lowercase().replace(' ', "-") == section && content.contains("!["))
}

fn page() -> String {
    let mut text = "# Source documents\n\
        \n\
        The requirements of the five documents behind Orogen, row by row: the node or command for each, the tests that would\n\
        notice a mistake, pictures, and what is missing. Written by `OROGEN_FREEZE=1 cargo test --all-features --workspace --test\n\
        it documents`. Without that variable, the test fails if this page is out of date, or if a kind, verb, test or picture\n\
        named in it no longer exists.\n"
        .to_owned();
    for (letter, title) in DOCUMENTS {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "\n## {title}");
        for row in ROWS.iter().filter(|row| row.id.starts_with(letter)) {
            let _ = writeln!(text, "\n### {}. {}\n", row.id, row.what);
            for place in row.node {
                let _ = writeln!(text, "- by {}", code(place));
            }
            for test in row.test {
                let _ = writeln!(text, "- tested by {}", code(test));
            }
            for picture in row.picture {
                let _ = writeln!(text, "- shown by {}", link(picture));
            }
            if !row.missing.is_empty() {
                let _ = writeln!(text, "- missing: {}", row.missing);
            }
        }
    }
    text
}

#[test]
fn every_row_of_the_documents_has_its_place() {
    let verbs = verbs();
    let mut ids = BTreeSet::new();
    for row in ROWS {
        let id = row.id;
        assert!(ids.insert(id), "{id} is there twice");
        assert!(DOCUMENTS.iter().any(|(letter, _)| id.starts_with(*letter)), "{id} is of no document");
        assert!((1..=80).contains(&row.what.chars().count()), "{id}: 1 to 80 characters say what it asks for");
        let placed = !row.node.is_empty() && !row.test.is_empty();
        assert!(placed || !row.missing.is_empty(), "{id} has no place or no test, and nothing is said of that");
        for place in row.node {
            assert!(exists(place, &verbs), "{id}: there is no {place}");
        }
        for test in row.test {
            assert!(is_test(test), "{id}: there is no test {test}");
        }
        for picture in row.picture {
            assert!(is_shown(picture), "{id}: there is no picture {picture}");
        }
    }
    if std::env::var_os("OROGEN_FREEZE").is_some() {
        std::fs::write(PAGE, page()).expect("the source tree is writable");
        return;
    }
    let written = std::fs::read_to_string(PAGE).expect("docs/notebook/documents.md: OROGEN_FREEZE=1 writes it");
    assert!(written == page(), "docs/notebook/documents.md differs from this table: OROGEN_FREEZE=1 writes it again");
}
