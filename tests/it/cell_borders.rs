//! Borders of cells by the Manhattan and Chebyshev metrics, against a search for the nearest place of another cell by the metric's
//! definition.

use crate::support::{Random, cpu, lattice_seed, oracle};
use crate::worley::{points, positions, unit};
use orogen::node::{Metric, Worley, WorleyOutput};
use orogen::{Gradient, Noise, Region};

const METRICS: [Metric; 2] = [Metric::Manhattan, Metric::Chebyshev];

fn edge(dimensions: u32, metric: Metric, jitter: f64) -> Noise {
    Noise::worley(Worley { output: WorleyOutput::Edge, ..unit(dimensions, metric, jitter) })
}

fn length(metric: Metric, v: [f64; 3]) -> f64 {
    let [x, y, z] = v.map(f64::abs);
    if metric == Metric::Manhattan { x + (y + z) } else { x.max(y).max(z) }
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

/// By how much the second point is farther than the first, at the places within a distance of 0 where it is least so.
///
/// - Manhattan: the sum of a function for each axis, each of them with kinks at the points. So it is least where all coordinates but
///   one are at a kink or unchanged, and the last one takes the rest of the way.
/// - Chebyshev: least where one coordinate is at an end of its interval, and the others as near as possible to the second point.
fn least(metric: Metric, within: f64, [first, second]: [[f64; 3]; 2], n: usize) -> f64 {
    let mut least = f64::INFINITY;
    let mut compare = |place: [f64; 3]| {
        if length(metric, place) <= within * (1.0 + 1e-12) {
            least = least.min(length(metric, minus(second, place)) - length(metric, minus(first, place)));
        }
    };
    for own in 0..n {
        for sign in [-1.0, 1.0] {
            if metric == Metric::Chebyshev {
                compare(std::array::from_fn(|i| if i == own { sign * within } else { second[i].clamp(-within, within) }));
                continue;
            }
            for choice in 0..9 {
                let mut place = [0.0; 3];
                for (k, i) in (0..n).filter(|i| *i != own).enumerate() {
                    place[i] = [0.0, first[i], second[i]][choice / [1, 3][k] % 3];
                }
                place[own] = sign * (within - length(metric, place)).max(0.0);
                compare(place);
            }
        }
    }
    least
}

/// The distance to the nearest place that is nearer to another point.
fn brute(metric: Metric, points: &[[f64; 3]], n: usize) -> f64 {
    let inside = *points.iter().min_by(|a, b| length(metric, **a).total_cmp(&length(metric, **b))).expect("points");
    let mut nearest = 8.0;
    for outside in points.iter().filter(|p| **p != inside) {
        // Distances change by at most twice the way.
        if (length(metric, *outside) - length(metric, inside)) / 2.0 >= nearest {
            continue;
        }
        let is_nearer = |within| least(metric, within, [inside, *outside], n) < -1e-9;
        if !is_nearer(nearest) {
            continue;
        }
        let mut low = 0.0;
        while nearest - low > 1e-9 {
            let middle = 0.5 * (low + nearest);
            *(if is_nearer(middle) { &mut nearest } else { &mut low }) = middle;
        }
    }
    nearest
}

#[test]
fn edges_are_the_nearest_places_of_other_cells() {
    for (dimensions, count, jitters) in [(2, 2500, [1.0, 0.4]), (3, 150, [1.0, 0.4])] {
        for metric in METRICS {
            for jitter in jitters {
                let noise = edge(dimensions, metric, jitter);
                let at = positions(count, &mut Random(5));
                let (mut worst, mut farther) = (0.0f64, 0);
                let exact = oracle().sample(&noise, &at, Gradient::Without).expect("samples");
                for (i, sample) in cpu().sample(&noise, &at, Gradient::Without).expect("samples").iter().enumerate() {
                    let rings = |rings| -> Vec<[f64; 3]> {
                        points(at[i], dimensions, jitter as f32, lattice_seed(&[11]), rings).map(|p| p.map(f64::from)).collect()
                    };
                    let expected = brute(metric, &rings(if dimensions == 2 { 5 } else { 4 }), dimensions as usize);
                    farther += usize::from(brute(metric, &rings(1), dimensions as usize) > expected + 1e-6);
                    worst = worst.max((sample.value - expected).abs()).max((exact[i].value - expected).abs());
                }
                println!("{dimensions}D {metric:?}, jitter {jitter}: off by at most {worst:e}; farther points mattered to {farther}");
                assert!(worst <= 3e-6, "{dimensions}D {metric:?}, jitter {jitter}: off by {worst:e}");
                // This test could not fail if no point outside the block of cells mattered.
                assert!(
                    farther > 0 || jitter < 1.0 || dimensions == 3 || metric == Metric::Chebyshev,
                    "{dimensions}D {metric:?}: none mattered"
                );
            }
        }
    }
}

#[test]
fn no_place_nearer_than_the_edge_is_in_another_cell() {
    let mut random = Random(9);
    for dimensions in [2, 3] {
        for metric in METRICS {
            let noise = Noise::worley(Worley { output: WorleyOutput::Cell, ..unit(dimensions, metric, 1.0) });
            let at = positions(2000, &mut Random(6));
            let edges = oracle().sample(&edge(dimensions, metric, 1.0), &at, Gradient::Without).expect("samples");
            let (mut places, mut beyond) = (Vec::new(), Vec::new());
            for (at, edge) in at.iter().zip(&edges) {
                for _ in 0..40 {
                    let mut to: [f64; 3] = std::array::from_fn(|i| if i < dimensions as usize { random.between(-1.0, 1.0) } else { 0.0 });
                    let scale = 1.0 / length(metric, to);
                    to = to.map(|x| x * scale);
                    places.push(std::array::from_fn(|i| at[i] + to[i] * (edge.value - 1e-5).max(0.0)));
                    beyond.push(std::array::from_fn(|i| at[i] + to[i] * (edge.value + 0.05)));
                }
            }
            let cells = |at: &[[f64; 3]]| oracle().sample(&noise, at, Gradient::Without).expect("samples");
            let (own, within, beyond) = (cells(&at), cells(&places), cells(&beyond));
            let differ = |others: &[orogen::Sample]| (0..others.len()).filter(|i| others[*i].value != own[i / 40].value).count();
            assert_eq!(differ(&within), 0, "{dimensions}D {metric:?}: places within the distance are in other cells");
            assert!(differ(&beyond) > 2000, "{dimensions}D {metric:?}: {} of 80000 places beyond it are in other cells", differ(&beyond));
        }
    }
}

#[test]
fn gradients_are_those_of_differences() {
    for dimensions in [2, 3] {
        for metric in METRICS {
            let noise = edge(dimensions, metric, 1.0);
            let at = positions(4000, &mut Random(7));
            let sample = |at: &[[f64; 3]]| oracle().sample(&noise, at, Gradient::With).expect("samples");
            let (own, step, mut kinks) = (sample(&at), 1e-5, 0);
            for axis in 0..3 {
                let shifted = |by: f64| {
                    sample(&at.iter().map(|at| std::array::from_fn(|i| at[i] + if i == axis { by } else { 0.0 })).collect::<Vec<_>>())
                };
                let (below, above) = (shifted(-step), shifted(step));
                for i in 0..at.len() {
                    let slope = (above[i].value - below[i].value) / (2.0 * step);
                    kinks += usize::from((slope - own[i].gradient.expect("asked for")[axis]).abs() > 1e-6);
                }
            }
            println!("{dimensions}D {metric:?}: {kinks} of 12000 differences across a kink");
            assert!(kinks <= 12, "{dimensions}D {metric:?}: {kinks} of 12000 differ");
        }
    }
}

#[test]
fn squared_distances_have_the_borders_of_euclidean_ones() {
    let region = Region { spacing: 0.11, origin: [-70, 11, 3], ..Region::plane(150, 60) };
    for dimensions in [1, 2, 3] {
        let of = |metric| cpu().field(&edge(dimensions, metric, 1.0), &region).expect("field").values;
        assert_eq!(of(Metric::Squared), of(Metric::Euclidean));
    }
}

#[test]
fn on_a_grid_cells_are_squares() {
    for metric in METRICS {
        let at: Vec<[f64; 3]> = (0..400).map(|i| [f64::from(i % 20) * 0.05 + 0.01, f64::from(i / 20) * 0.05 + 0.02, 0.0]).collect();
        for (at, sample) in at.iter().zip(cpu().sample(&edge(2, metric, 0.0), &at, Gradient::Without).expect("samples")) {
            let expected = at[0].min(1.0 - at[0]).min(at[1]).min(1.0 - at[1]);
            assert!((sample.value - expected).abs() < 1e-6, "{metric:?} at {at:?}: {} is not {expected}", sample.value);
        }
    }
}
