//! The stages `distance`, `channel` and `wetness` against their definitions, computed sample by sample over the whole field.

use crate::stages::{hills, node};
use crate::support::cpu;
use orogen::node::Radius;
use orogen::stage::{Channel, Distance, Drainage, Pipeline, Slope, Wetness};
use orogen::{Layer, Noise, Region};

/// A region with half a world unit between samples.
fn region(edge: u32) -> Region {
    Region { origin: [500_000_003, -40, 0], spacing: 0.5, ..Region::plane(edge, edge) }
}

/// A region with a margin of samples on each side.
fn with_margin(region: &Region, margin: u32) -> Region {
    let origin = [region.origin[0] - i64::from(margin), region.origin[1] - i64::from(margin), 0];
    Region { origin, size: [region.size[0] + 2 * margin, region.size[1] + 2 * margin, 1], ..*region }
}

/// A layer's numbers by column and row.
fn at(layer: &Layer, x: usize, y: usize) -> f64 {
    f64::from(layer.values[y * layer.region.size[0] as usize + x])
}

/// All points at which a field crosses a level between two neighbours, in samples.
fn crossings(field: &Layer, level: f64) -> Vec<[f64; 2]> {
    let [width, height] = [0, 1].map(|axis| field.region.size[axis] as usize);
    let mut points = Vec::new();
    for y in 0..height - 1 {
        for x in 0..width - 1 {
            let here = at(field, x, y);
            for (along, next) in [(0, at(field, x + 1, y)), (1, at(field, x, y + 1))] {
                if (here > level) != (next > level) {
                    let mut point = [x as f64, y as f64];
                    point[along] += (level - here) / (next - here);
                    points.push(point);
                }
            }
        }
    }
    points
}

#[test]
fn distances_are_those_to_the_nearest_crossing() {
    let (level, reach) = (1.25, 6.5);
    let pipeline = Pipeline::from(hills()).then(Distance { level, reach, ..Default::default() });
    let inner = region(90);
    let layers = cpu().layers(&pipeline, &["distance"], &inner).expect("layers");
    let margin = 16;
    let field = cpu().layers(&pipeline, &["hills"], &with_margin(&inner, margin)).expect("layers").remove(0);
    let points = crossings(&field, level);
    assert!(points.len() > 100, "the level crosses the hills");
    let (mut far, mut inside, mut largest) = (0, 0, 0.0_f64);
    for y in 0..90 {
        for x in 0..90 {
            let [fx, fy] = [x, y].map(|i| (i + margin as usize) as f64);
            let nearest = points.iter().map(|p| (p[0] - fx).hypot(p[1] - fy)).fold(f64::INFINITY, f64::min);
            let distance = (nearest * inner.spacing).min(reach);
            let is_inside = at(&field, x + margin as usize, y + margin as usize) > level;
            let expected = if is_inside { -distance } else { distance };
            largest = largest.max((at(&layers[0], x, y) - expected).abs());
            far += usize::from(distance == reach);
            inside += usize::from(is_inside);
        }
    }
    assert!(largest < 2e-6, "largest difference {largest:e}");
    assert!(far > 50 && (500..7600).contains(&inside), "{far} samples are too far, {inside} inside");
}

#[test]
fn distances_to_a_circle_lie_within_an_eighth_of_a_sample() {
    let centre = [250_000_020.3, -9.6, 0.0];
    let disc = Noise::radius(Radius { centre, axes: [1.0, 1.0, 0.0], unit: 1.0 }).named("radius");
    let pipeline = Pipeline::from(disc).then(Distance { level: 7.0, reach: 30.0, ..Default::default() });
    let inner = region(80);
    let [distance, radius] = &cpu().layers(&pipeline, &["distance", "radius"], &inner).expect("layers")[..] else { panic!("two") };
    for (&d, &r) in distance.values.iter().zip(&radius.values) {
        // Below the level is outside, and a radius below it is near the centre.
        let expected = 7.0 - r;
        let (way, allowed) = ((d - expected) / 0.5, if expected.abs() > 0.5 { 0.125 } else { 0.3 });
        assert!(way.abs() < allowed, "{d} at a radius of {r}: {way} samples");
    }
}

#[test]
fn a_field_without_the_level_is_as_far_as_the_reach_everywhere() {
    for (level, expected) in [(1000.0, 5.0), (-1000.0, -5.0)] {
        let pipeline = Pipeline::from(hills()).then(Distance { level, reach: 5.0, ..Default::default() });
        let layer = cpu().layers(&pipeline, &["distance"], &region(40)).expect("layers").remove(0);
        assert!(layer.values.iter().all(|&d| d == expected), "{level}");
    }
}

/// A channel stage over the drainage of hills, and its numbers.
fn rivers() -> (Pipeline, Channel) {
    let (of, surface, area) = (node("hills"), node("water"), node("water.area"));
    let channel = Channel { of, surface, area, from: 12.0, width: 1.2, depth: 0.4, bank: 3.0, reach: 6.0, ..Default::default() };
    let pipeline = Pipeline::from(hills()).named("water", Drainage::default());
    (pipeline.then(channel.clone()), channel)
}

/// A sample's power to a river, and that river's level and flow.
#[derive(Clone, Copy)]
struct Near {
    power: f64,
    level: f64,
    flow: f64,
    /// Whether another river has the same power to rounding, so that rounding decides which one counts.
    tied: bool,
}

/// The weighted mean of a number around a sample.
fn blurred(sigma: f64, [x, y]: [usize; 2], of: impl Fn(usize, usize) -> f64) -> f64 {
    let radius = (3.0 * sigma).ceil() as usize;
    let (mut sum, mut weights) = (0.0, 0.0);
    for j in y - radius..=y + radius {
        for i in x - radius..=x + radius {
            let square = (i as f64 - x as f64).powi(2) + (j as f64 - y as f64).powi(2);
            let weight = (-0.5 * square / (sigma * sigma)).exp();
            sum += weight * of(i, j);
            weights += weight;
        }
    }
    sum / weights
}

#[test]
fn channels_are_those_of_the_river_with_the_smallest_power() {
    let (pipeline, channel) = rivers();
    let (edge, margin) = (100, 20);
    let world = region(edge as u32);
    let names = ["channel", "channel.depth", "hills", "water", "water.area"];
    let layers = cpu().layers(&pipeline, &names, &world).expect("layers");
    let [carved, depth, ground, surface, area] = &layers[..] else { panic!("five") };
    // In samples.
    let (reach, width) = (channel.reach / world.spacing, channel.width / world.spacing);
    let flow = |x: usize, y: usize| at(area, x, y) / channel.from;
    let half = |flow: f64| (0.5 * width * flow.powf(channel.width_exponent)).min(reach / 2.0);
    let all = || (0..edge).flat_map(|y| (0..edge).map(move |x| (x, y)));
    let rivers: Vec<_> = all().filter(|&(x, y)| flow(x, y) >= 1.0).collect();
    assert!((200..4000).contains(&rivers.len()), "{} samples are rivers", rivers.len());
    let nearest: Vec<Near> = all()
        .map(|(x, y)| {
            let power_to =
                |&(i, j): &(usize, usize)| (i as f64 - x as f64).powi(2) + (j as f64 - y as f64).powi(2) - half(flow(i, j)).powi(2);
            let (power, (i, j)) = rivers.iter().map(|river| (power_to(river), *river)).min_by(|a, b| a.0.total_cmp(&b.0)).expect("a river");
            let tied = rivers.iter().filter(|river| power_to(river) < power + 1e-5).count() > 1;
            Near { power, level: at(surface, i, j), flow: flow(i, j), tied }
        })
        .collect();
    let (mut wet, mut banks, mut compared) = (0, 0, 0);
    let inner = all().filter(|&(x, y)| [x, y].iter().all(|i| (margin..edge - margin).contains(i)));
    for (x, y) in inner {
        let power = nearest[y * edge + x].power;
        // Samples that are far from every river keep their own level, and then it has no influence.
        let mean = |of: fn(&Near) -> f64| blurred(0.1 * reach, [x, y], |i, j| of(&nearest[j * edge + i]));
        let (level, flow) = (mean(|near| near.level), mean(|near| near.flow));
        let deepest = channel.depth * flow.powf(channel.depth_exponent);
        let water = deepest * ((-power).max(0.0) / half(flow).powi(2)).min(1.0);
        let profile = level + channel.bank * power.max(0.0) / (reach * reach) - water;
        let t = ((1.0 - power / (reach * reach)) * 4.0 / 3.0).clamp(0.0, 1.0);
        let begun = (flow - 1.0).clamp(0.0, 1.0);
        let share = t * t * (3.0 - 2.0 * t) * begun;
        let here = at(ground, x, y);
        let expected = here * (1.0 - share) + here.min(profile) * share;
        let lake = at(surface, x, y) - here;
        let found = [at(carved, x, y), at(depth, x, y)];
        let reached = 4;
        let tied = (y - reached..=y + reached).any(|j| nearest[j * edge + x - reached..=j * edge + x + reached].iter().any(|n| n.tied));
        if !tied {
            compared += 1;
            let off = (found[0] - expected).abs().max((found[1] - lake.max(water * begun)).abs());
            assert!(off < 1e-4, "({x}, {y}): {found:?}, expected {expected} and {}", lake.max(water * begun));
        }
        wet += usize::from(found[1] > 0.0);
        banks += usize::from(found[0] < here && found[1] == 0.0);
    }
    assert!(wet > 400 && banks > 400, "{wet} samples are under water, {banks} are banks");
    assert!(compared > 1500, "{compared} of 3600 samples have one nearest river, and so have their neighbours");
}

#[test]
fn wetness_is_the_logarithm_of_area_per_width_over_slope() {
    let (pipeline, _) = rivers();
    let pipeline = pipeline.then(Slope { of: node("hills"), ..Default::default() });
    let pipeline = pipeline.then(Wetness { of: node("hills"), area: node("water.area"), least_slope: 0.2 });
    let layers = cpu().layers(&pipeline, &["wetness", "slope", "water.area"], &region(60)).expect("layers");
    let [wetness, slope, area] = &layers[..] else { panic!("three") };
    let mut flat = 0;
    for ((w, slope), area) in wetness.values.iter().zip(&slope.values).zip(&area.values) {
        flat += usize::from(*slope < 0.2);
        let expected = (f64::from(*area) / 0.5 / f64::from(slope.max(0.2))).ln();
        assert!((f64::from(*w) - expected).abs() < 2e-6, "{w}, not {expected}");
    }
    assert!(flat > 10, "{flat} samples are flatter than the least slope");
}
