//! The memory traffic of stages on a GPU, counted from their passes, and compared with the table in docs/measured/performance.md.

use crate::graph::Noise;
use crate::region::Region;
use crate::schedule::{Pass, PassStep, PlaneId, PlaneSource, Schedule};
use crate::stage::{Frequency, Gaussian, Hydraulic, Pipeline, PreparedPipeline, Stage, Thermal, amplitudes, lower, synthesis};
use std::collections::BTreeSet;

/// Bytes of a number.
const NUMBER: usize = 4;
const PAGE: &str = include_str!("../../docs/measured/performance.md");

/// Planes that steps read from before them, and those that they leave to steps behind them or as outputs.
fn ends(schedule: &Schedule, first: usize, after: usize) -> usize {
    let read = |steps: &[PassStep]| -> BTreeSet<PlaneId> { steps.iter().flat_map(|step| &step.reads).map(|read| read.plane).collect() };
    let steps = &schedule.steps[first..after];
    let written: BTreeSet<PlaneId> = steps.iter().flat_map(|step| step.writes.iter().copied()).collect();
    let mut wanted = read(&schedule.steps[after..]);
    wanted.extend(schedule.outputs.iter().flatten());
    read(steps).difference(&written).count() + written.intersection(&wanted).count()
}

/// Bytes per sample that the passes read and write: each plane once for a pass, however many of its samples a sample needs.
fn moved(schedule: &Schedule) -> usize {
    let planes = |step: &PassStep| step.reads.iter().map(|read| read.plane).collect::<BTreeSet<_>>().len() + step.writes.len();
    NUMBER * schedule.steps.iter().map(planes).sum::<usize>()
}

/// As above, if every run of steps were one pass, which reads each plane and writes each result that is still needed once. `begins` is
/// whether a step begins a run, given the step before it.
fn fused(schedule: &Schedule, begins: impl Fn(&PassStep, &PassStep) -> bool) -> usize {
    let steps = &schedule.steps;
    let mut starts: Vec<usize> = (0..steps.len()).filter(|&i| i == 0 || begins(&steps[i - 1], &steps[i])).collect();
    starts.push(steps.len());
    NUMBER * starts.windows(2).map(|run| ends(schedule, run[0], run[1])).sum::<usize>()
}

/// The axis of a step that has one.
fn axis(step: &PassStep) -> Option<f64> {
    let along_x = step.pass.info().numbers.iter().position(|name| *name == "along_x")?;
    Some(step.numbers[along_x])
}

/// A schedule, its name, the name of its runs, and whether a step begins one.
type Case = (&'static str, Schedule, &'static str, fn(&PassStep, &PassStep) -> bool);

fn cases() -> Vec<Case> {
    let of = |stage: Stage| {
        let pipeline = Pipeline::from(&Noise::constant(0.0)).then(stage);
        lower(&pipeline, &[&pipeline.output], &Region::plane(64, 64), &PreparedPipeline::default()).expect("a schedule")
    };
    let square = Frequency { size: 512, ..Default::default() };
    let heights: Vec<_> = (0..=square.size / 2).map(|y| amplitudes(&square, y)).collect();
    vec![
        ("`gaussian`, σ 2", of(Gaussian { sigma: 2.0, ..Default::default() }.into()), "axis", |_, _| true),
        ("`thermal`, 50 iterations", of(Thermal { iterations: 50, ..Default::default() }.into()), "iteration", |_, _| true),
        ("`hydraulic`, 200 iterations", of(Hydraulic { iterations: 200, ..Default::default() }.into()), "iteration", |_, step| {
            step.pass == Pass::HydraulicFlow
        }),
        ("`frequency`, a square of 512²", synthesis(&square, &heights), "axis of a transform", |before, step| {
            (before.pass, axis(before)) != (step.pass, axis(step))
        }),
    ]
}

#[test]
fn the_table_of_memory_traffic_counts_the_passes() {
    let mut missing = Vec::new();
    for (name, schedule, run, begins) in cases() {
        let passes = schedule.steps.len();
        let sources = schedule.sources.iter().flat_map(PlaneSource::planes).count();
        let least = NUMBER * (sources + schedule.outputs.iter().flatten().count());
        let [moved, fused] = [moved(&schedule), fused(&schedule, begins)];
        assert!(moved >= fused && fused >= least, "{name}");
        let row = format!("| {name} | {passes} | {moved} | {fused} ({run}) | {least} |");
        if !PAGE.lines().any(|line| line == row) {
            missing.push(row);
        }
    }
    assert!(missing.is_empty(), "docs/measured/performance.md lacks\n{}", missing.join("\n"));
}
