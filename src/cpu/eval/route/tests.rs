//! Tests the routes of evaluations. A changed choice fails here, since measured speeds and comments about shared work depend on
//! it.

use super::{ChosenRoute, EachRoute, OctavesRoute, PlaneRoute, RareRoute, Route, RowsRoute};
use crate::Noise;
use crate::cpu::Evaluation;
use crate::cpu::simd::{Dispatch, level};
use crate::cpu::threads::Pool;
use crate::graph::node::{
    Fractal, Gradients, Hash, HexHash, Hexagonal, Perlin, Simplex, Transform, Value, ValueHash, White, WhiteHash, Worley,
};
use crate::program::{Accumulate, Metric, Program, WorleyOutput};
use crate::region::Region;
use fearless_simd::Level;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The evaluated samples.
#[derive(Clone, Copy, Debug)]
enum Samples {
    /// Values of a square plane with this number of samples along an edge.
    Plane(u32),
    /// Values and gradients of such a plane.
    Sloped(u32),
    /// Values of a number of points.
    Points(usize),
}
use Samples::{Plane, Points, Sloped};

/// The name of a variant without its fields, from its debug text.
fn variant(printed: &str) -> String {
    printed.split('(').next().unwrap_or_default().to_owned()
}

fn name(step: ChosenRoute) -> String {
    let (route, added) = match step {
        ChosenRoute::Lattice { route, added } => (route, added),
        ChosenRoute::Octaves(OctavesRoute::Abreast) => return "abreast".to_owned(),
        ChosenRoute::Octaves(OctavesRoute::InTurn) => return "in turn".to_owned(),
    };
    let name = match route {
        Route::Rows(RowsRoute::Cubic(_)) => "rows cubic",
        Route::Rows(RowsRoute::DenseCubic(_)) => "rows dense cubic",
        Route::Rows(RowsRoute::Simplex(_)) => "rows simplex",
        Route::Rows(RowsRoute::DenseSimplex(_)) => "rows dense simplex",
        Route::Rows(RowsRoute::Cellular(_)) => "rows cellular",
        Route::Plane(PlaneRoute { computed: false, shared: false }) => "plane",
        Route::Plane(PlaneRoute { computed: false, shared: true }) => "plane shared",
        Route::Plane(PlaneRoute { computed: true, shared: false }) => "plane computed",
        Route::Plane(PlaneRoute { computed: true, shared: true }) => "plane computed shared",
        // The name of the variant alone.
        Route::Each(EachRoute::Rare(RareRoute::Pointwise(noise))) => return format!("each {}", variant(&format!("{noise:?}"))),
        Route::Each(EachRoute::Rare(route)) => return format!("each {}", variant(&format!("{route:?}"))),
        Route::Each(route) => return format!("each {}", variant(&format!("{route:?}"))),
    };
    if added { format!("{name}, added") } else { name.to_owned() }
}

/// The routes that an evaluation takes, in order; repetitions by blocks or octaves are listed once.
fn taken(level: Level, noise: &Noise, samples: Samples) -> Vec<String> {
    let program = Program::new(noise.graph()).expect("a program");
    let evaluation = Evaluation::<f32>::with_level(level, Arc::new(program), Pool::caller());
    match samples {
        Plane(size) => drop(evaluation.field(&Region::plane(size, size), false).expect("a region")),
        Sloped(size) => drop(evaluation.field(&Region::plane(size, size), true).expect("a region")),
        Points(count) => drop(evaluation.points(&vec![[0.5, 7.25, -3.0]; count], 0.0, false).expect("points")),
    }
    let scratch = evaluation.scratch.lock().expect("a lock");
    let mut routes: Vec<String> = scratch.iter().flat_map(|scratch| &scratch.registers.trace).map(|&step| name(step)).collect();
    routes.dedup();
    if let Some(again) = (1..routes.len()).find(|&at| routes[at..].iter().zip(routes.iter().cycle()).all(|(a, b)| a == b)) {
        routes.truncate(again);
    }
    routes
}

struct Case {
    noise: Noise,
    samples: Samples,
    /// The routes with vectors, and with one number at a time.
    vectors: &'static [&'static str],
    plain: &'static [&'static str],
}

fn cases() -> Vec<Case> {
    let value = |dimensions, wavelength| Noise::value(Value { dimensions, wavelength, ..Default::default() });
    let perlin = |dimensions, wavelength| Noise::perlin(Perlin { dimensions, wavelength, ..Default::default() });
    let simplex = |dimensions, wavelength| Noise::simplex(Simplex { dimensions, wavelength, ..Default::default() });
    let worley = |wavelength| Worley { wavelength, ..Default::default() };
    let turned = |noise: Noise| noise.transform(Transform { rotation: 30.0, ..Default::default() });
    let warped = |noise: Noise| noise.warp([simplex(2, 90.0), 0.0.into(), 0.0.into()], 3.0);
    let octaves = |noise: Noise| noise.fractal(Fractal { octaves: 3, ..Default::default() });
    let mut all = Vec::new();
    let mut case = |noise, samples, vectors, plain| all.push(Case { noise, samples, vectors, plain });

    // Rows of value and Perlin noise.
    case(value(1, 50.0), Plane(33), &["rows cubic"], &["each Cubic"]);
    case(value(1, 0.4), Plane(33), &["each Cubic"], &["each Cubic"]);
    case(value(2, 50.0), Plane(33), &["rows cubic"], &["each Cubic"]);
    case(value(2, 0.4), Plane(600), &["rows dense cubic"], &["each Cubic"]);
    // Several narrow rows in a block share nothing if the samples are more than a cell apart on every lattice.
    case(value(2, 0.4), Plane(33), &["each Cubic"], &["each Cubic"]);
    case(perlin(3, 5.0), Sloped(33), &["rows cubic"], &["each Cubic"]);
    case(perlin(3, 1.0), Plane(600), &["rows cubic"], &["each Cubic"]);
    case(perlin(3, 0.99), Plane(600), &["rows dense cubic"], &["each Cubic"]);
    case(warped(perlin(3, 5.0)), Plane(33), &["rows simplex", "each Cubic"], &["plane", "each Cubic"]);
    // So narrow that a vector holds several rows.
    case(perlin(2, 5.0), Plane(8), &["each Cubic"], &["each Cubic"]);
    case(turned(perlin(2, 5.0)), Plane(33), &["each Cubic"], &["each Cubic"]);
    case(perlin(2, 5.0).periodic([100.0; 3]), Plane(33), &["each Cubic"], &["each Cubic"]);
    case(value(4, 50.0), Plane(33), &["each Cubic4"], &["each Cubic4"]);
    case(perlin(4, 50.0), Plane(33), &["each Cubic4"], &["each Cubic4"]);

    // Simplex noise.
    case(simplex(1, 50.0), Plane(33), &["each Simplex1"], &["each Simplex1"]);
    case(simplex(2, 50.0), Sloped(33), &["rows simplex"], &["plane"]);
    case(simplex(2, 0.4), Plane(600), &["rows dense simplex"], &["plane"]);
    case(simplex(3, 50.0), Plane(33), &["rows simplex"], &["each Simplex3"]);
    case(simplex(3, 0.4), Plane(600), &["rows dense simplex"], &["each Simplex3"]);
    case(turned(simplex(3, 50.0)), Plane(33), &["each Simplex3"], &["each Simplex3"]);
    case(simplex(4, 50.0), Plane(33), &["each Simplex4"], &["each Simplex4"]);
    let document = Simplex { dimensions: 3, hash: Hash::Permutation289, ..Default::default() };
    case(Noise::simplex(document), Plane(33), &["each Permutation289"], &["each Permutation289"]);
    case(turned(simplex(2, 256.0)), Plane(33), &["plane shared"], &["plane"]);
    case(turned(simplex(2, 5.0)), Plane(33), &["plane"], &["plane"]);
    case(warped(simplex(2, 256.0)), Plane(64), &["rows simplex", "plane computed shared"], &["plane"]);
    case(warped(simplex(2, 5.0)), Plane(64), &["rows simplex", "plane computed"], &["plane"]);
    // Vectors hold lanes of two rows with different coordinates along y.
    case(warped(simplex(2, 256.0)), Plane(33), &["rows simplex", "plane shared"], &["plane"]);
    case(simplex(2, 256.0).periodic([1024.0; 3]), Plane(33), &["plane"], &["plane"]);

    // Turning gradients.
    let flow = |dimensions, wavelength| {
        Noise::simplex(Simplex { dimensions, wavelength, gradients: Gradients::Turning, w: 0.3, ..Default::default() })
    };
    let perlin_flow = |dimensions, wavelength| {
        Noise::perlin(Perlin { dimensions, wavelength, gradients: Gradients::Turning, w: 0.3, ..Default::default() })
    };
    case(flow(2, 50.0), Plane(33), &["rows simplex"], &["each TurningSimplex"]);
    case(flow(3, 50.0), Sloped(33), &["rows simplex"], &["each TurningSimplex"]);
    case(flow(2, 0.4), Plane(600), &["each TurningSimplex"], &["each TurningSimplex"]);
    case(flow(2, 50.0), Points(7), &["each TurningSimplex"], &["each TurningSimplex"]);
    case(turned(flow(2, 50.0)), Plane(33), &["each TurningSimplex"], &["each TurningSimplex"]);
    case(perlin_flow(2, 50.0), Plane(33), &["rows cubic"], &["each TurningPerlin"]);
    case(perlin_flow(3, 50.0), Sloped(33), &["rows cubic"], &["each TurningPerlin"]);
    case(perlin_flow(3, 0.4), Plane(600), &["each TurningPerlin"], &["each TurningPerlin"]);
    case(perlin_flow(2, 50.0).periodic([100.0; 3]), Plane(33), &["each TurningPerlin"], &["each TurningPerlin"]);
    case(octaves(flow(2, 50.0)), Plane(64), &["in turn", "rows simplex, added"], &["in turn", "each TurningSimplex"]);
    case(octaves(perlin_flow(2, 50.0)), Points(1), &["in turn", "each TurningPerlin"], &["in turn", "each TurningPerlin"]);

    // Cellular noise.
    let manhattan = Worley { metric: Metric::Manhattan, ..worley(50.0) };
    let cells = Worley { output: WorleyOutput::Cell, ..worley(50.0) };
    let three = Worley { weights: vec![0.0, 0.0, 1.0], ..worley(50.0) };
    case(Noise::worley(worley(50.0)), Plane(33), &["rows cellular"], &["each Cellular"]);
    case(Noise::worley(worley(50.0)), Sloped(33), &["each Nearest"], &["each Cellular"]);
    case(Noise::worley(worley(0.4)), Plane(33), &["each Nearest"], &["each Cellular"]);
    case(Noise::worley(manhattan), Plane(33), &["each Cellular"], &["each Cellular"]);
    case(Noise::worley(cells), Plane(33), &["each Cellular"], &["each Cellular"]);
    case(Noise::worley(three), Plane(33), &["each Cellular"], &["each Cellular"]);

    // Other noises that compute every sample by itself.
    let sine = White { hash: WhiteHash::Sine, ..Default::default() };
    case(Noise::white(sine), Plane(33), &["each OneLiner"], &["each OneLiner"]);
    case(Noise::hexagonal(Hexagonal::default()), Plane(33), &["each Hexagonal"], &["each Hexagonal"]);
    let tables = Hexagonal { hash: HexHash::Tables, ..Default::default() };
    case(Noise::hexagonal(tables), Plane(33), &["each HexagonalTables"], &["each HexagonalTables"]);
    let table = Value { dimensions: 1, hash: ValueHash::Table, ..Default::default() };
    case(Noise::value(table), Plane(33), &["each ValueTable"], &["each ValueTable"]);

    // Octaves.
    case(octaves(perlin(2, 50.0)), Plane(64), &["in turn", "rows cubic, added"], &["in turn", "each Cubic"]);
    // The end of a row's last vector would be added to the next row.
    case(octaves(perlin(2, 50.0)), Plane(33), &["in turn", "rows cubic"], &["in turn", "each Cubic"]);
    case(
        octaves(simplex(2, 3.0)),
        Plane(64),
        &["in turn", "rows simplex, added", "rows dense simplex, added"],
        &["in turn", "plane, added"],
    );
    case(octaves(Noise::worley(worley(50.0))), Plane(64), &["in turn", "rows cellular"], &["in turn", "each Cellular"]);
    case(octaves(simplex(2, 50.0).abs()), Plane(64), &["in turn", "rows simplex"], &["in turn", "plane"]);
    let ridged = simplex(2, 50.0).fractal(Fractal { octaves: 3, accumulate: Accumulate::Ridged, ..Default::default() });
    case(ridged, Plane(64), &["in turn", "rows simplex"], &["in turn", "plane"]);
    case(octaves(simplex(2, 50.0)), Points(1), &["abreast", "plane"], &["in turn", "plane, added"]);
    case(octaves(simplex(2, 50.0)), Points(4), &["abreast", "plane"], &["in turn", "plane, added"]);
    case(octaves(simplex(2, 50.0)), Points(5), &["in turn", "plane, added"], &["in turn", "plane, added"]);
    case(octaves(simplex(4, 50.0)), Points(1), &["in turn", "each Simplex4"], &["in turn", "each Simplex4"]);
    case(simplex(2, 50.0), Points(1), &["plane"], &["plane"]);
    all
}

#[test]
fn calls_take_the_routes_that_are_stated() {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    // The baseline of the architecture, which may have no vectors, and the best level of this machine.
    for level in [Level::baseline(), level()] {
        for (number, Case { noise, samples, vectors, plain }) in cases().into_iter().enumerate() {
            let expected = if Dispatch::new(level).is_plain::<f32>() { plain } else { vectors };
            let found = taken(level, &noise, samples);
            assert_eq!(found, expected, "case {number}, {samples:?}, {level:?}: {:?}", noise.graph());
            seen.extend(expected);
        }
    }
    let only_with_vectors =
        ["rows cubic", "rows dense cubic", "rows simplex", "rows dense simplex", "rows cellular", "plane shared", "plane computed shared"];
    let expected = if Dispatch::new(level()).is_plain::<f32>() { &[][..] } else { &only_with_vectors };
    assert!(expected.iter().all(|route| seen.contains(route)), "{seen:?}");
}
