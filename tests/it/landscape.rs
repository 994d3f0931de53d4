//! `stream_power`: landscapes in balance, on grids of their own.

use crate::stages::{hills, node};
use crate::support::{cpu, gpu};
use orogen::node::{Input, Perlin};
use orogen::stage::{Drainage, Dropoff, Given, Normalise, Pipeline, StreamPower};
use orogen::{Backend, Engine, EngineError, EngineOptions, Field, LayersError, Noise, Region, Stop};

const STEPS: [[i64; 2]; 8] = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

/// An island of so many cells, 20 world units apart, whose rivers begin at so steep a slope.
fn island(columns: u32, rows: u32, slope: f64) -> Pipeline {
    let uplift = Noise::perlin(Perlin { wavelength: 700.0, seed: 2, ..Default::default() }).scale_offset(300.0, 400.0).named("uplift");
    let centre = [f64::from(columns) * 10.0 + 7.0, f64::from(rows) * 10.0 - 3.0, 0.0];
    let edge = Dropoff { centre, radius: 300.0, width: 500.0, floor: -100.0, ..Default::default() };
    let stage = StreamPower {
        base: Input::Value(-50.0),
        slope,
        position: [7.0, -3.0],
        spacing: 20.0,
        columns,
        rows,
        seed: 5,
        ..Default::default()
    };
    Pipeline::from(uplift).then(edge).then(stage)
}

/// The samples of a stage's own grid.
fn grid(pipeline: &Pipeline) -> Region {
    let stage = pipeline.stage.values().find_map(|stage| match stage {
        orogen::stage::Stage::StreamPower(stage) => Some(stage),
        _ => None,
    });
    let StreamPower { position: [x, y], spacing, columns, rows, .. } = stage.expect("a landscape").clone();
    Region { spacing, anchor: [x, y, 0.0], ..Region::plane(columns, rows) }
}

/// A landscape on its own grid.
struct Cells {
    width: i64,
    rows: i64,
    heights: Vec<f32>,
    areas: Vec<f32>,
}

impl Cells {
    fn of(engine: &Engine, pipeline: &Pipeline) -> Cells {
        let region = grid(pipeline);
        let mut layers = engine.layers(pipeline, &["stream_power", "stream_power.area"], &region).expect("layers");
        let [areas, heights] = [layers.pop(), layers.pop()].map(|layer| layer.expect("a layer").values);
        Cells { width: i64::from(region.size[0]), rows: i64::from(region.size[1]), heights, areas }
    }

    /// The neighbours of a cell with their distances in cells.
    fn neighbours(&self, cell: usize) -> impl Iterator<Item = (usize, f32)> {
        let (x, y) = (cell as i64 % self.width, cell as i64 / self.width);
        let inside = move |[dx, dy]: [i64; 2]| {
            let [x, y] = [x + dx, y + dy];
            let length = if dx != 0 && dy != 0 { std::f32::consts::SQRT_2 } else { 1.0 };
            (x >= 0 && y >= 0 && x < self.width && y < self.rows).then(|| ((y * self.width + x) as usize, length))
        };
        STEPS.into_iter().filter_map(inside)
    }

    fn is_at_edge(&self, cell: usize) -> bool {
        let (x, y) = (cell as i64 % self.width, cell as i64 / self.width);
        x == 0 || y == 0 || x + 1 == self.width || y + 1 == self.rows
    }

    /// Land that is no outlet. Cubic interpolation returns the numbers at cells up to rounding.
    fn land(&self) -> impl Iterator<Item = usize> {
        (0..self.heights.len()).filter(|cell| !self.is_at_edge(*cell) && self.heights[*cell] > 0.001)
    }

    /// The neighbour of the steepest descent, and the distance to it in cells.
    fn receiver(&self, cell: usize) -> Option<(usize, f32)> {
        let slope = |(to, length): &(usize, f32)| (self.heights[cell] - self.heights[*to]) / length;
        self.neighbours(cell).filter(|next| slope(next) > 0.0).max_by(|a, b| slope(a).total_cmp(&slope(b)))
    }
}

#[test]
fn water_of_every_cell_runs_downhill_to_the_sea() {
    // Where most ground is nearly flat, smoothed crests dam hundreds of valleys, which are cut open again.
    for (columns, rows, crest) in [(96, 80, 0.0), (130, 67, 0.0), (130, 67, 80.0)] {
        let mut pipeline = island(columns, rows, 0.8);
        if let Some(orogen::stage::Stage::StreamPower(stage)) = pipeline.stage.get_mut("stream_power") {
            stage.crest = crest;
            if crest > 0.0 {
                (stage.concavity, stage.erodibility) = (0.8, Input::Value(40.0));
            }
        }
        let cells = Cells::of(&cpu(), &pipeline);
        assert!(cells.land().count() > 1000, "an island");
        for cell in cells.land() {
            assert!(cells.receiver(cell).is_some(), "a pit at cell {cell}");
        }
        let highest = cells.heights.iter().copied().fold(f32::MIN, f32::max);
        assert!((5.0..2000.0).contains(&highest), "{highest}");
    }
}

#[test]
fn no_slope_is_above_the_limit() {
    for slope in [0.05, 0.3, 1.5] {
        let cells = Cells::of(&cpu(), &island(96, 80, slope));
        let steepest =
            cells.land().flat_map(|cell| cells.neighbours(cell).map(move |(to, length)| (cell, to, length))).map(|(cell, to, length)| {
                // The sea floor lies deeper.
                (cells.heights[cell] - cells.heights[to].max(0.0)) / (length * 20.0)
            });
        let steepest = steepest.fold(0.0, f32::max);
        println!("limit {slope}: steepest {steepest}");
        assert!(steepest <= slope as f32 * 1.001, "{steepest} against {slope}");
        assert!(steepest > slope as f32 * 0.5 || slope > 1.0, "{steepest}: the limit has an effect");
    }
}

#[test]
fn rivers_have_the_slopes_of_the_stream_power_law() {
    // Far from the limit, so that slopes are those of the law.
    let mut pipeline = island(160, 160, 100.0);
    let set = |pipeline: &mut Pipeline, param: &str, value: Input| {
        if let Some(orogen::stage::Stage::StreamPower(stage)) = pipeline.stage.get_mut("stream_power") {
            match param {
                "uplift" => stage.uplift = value,
                _ => stage.erodibility = value,
            }
        }
    };
    set(&mut pipeline, "uplift", Input::Value(200.0));
    set(&mut pipeline, "erodibility", Input::Value(5.0));
    let cells = Cells::of(&cpu(), &pipeline);
    let mut errors: Vec<f64> = Vec::new();
    for cell in cells.land().filter(|cell| cells.areas[*cell] > 20.0 * 400.0) {
        let (to, length) = cells.receiver(cell).expect("downhill");
        let slope = f64::from(cells.heights[cell] - cells.heights[to].max(0.0)) / (f64::from(length) * 20.0);
        let law = 200.0 / (5.0 * f64::from(cells.areas[cell]).powf(0.45));
        errors.push((slope / law - 1.0).abs());
    }
    errors.sort_by(f64::total_cmp);
    let [middle, most] = [errors.len() / 2, errors.len() * 9 / 10].map(|at| errors[at]);
    println!("{} cells of rivers: error of the slope {middle:.4} in the middle, {most:.4} for nine of ten", errors.len());
    assert!(errors.len() > 1000 && middle < 0.03 && most < 0.12, "{middle} {most}");
    // Heights are proportional to uplift over erodibility.
    let highest = |cells: &Cells| cells.heights.iter().copied().fold(f32::MIN, f32::max);
    let before = highest(&cells);
    set(&mut pipeline, "erodibility", Input::Value(2.5));
    let doubled = highest(&Cells::of(&cpu(), &pipeline)) / before;
    assert!((1.8..2.2).contains(&doubled), "{doubled}");
}

#[test]
fn areas_count_every_cell_once() {
    let mut pipeline = island(90, 70, 0.8);
    // Land everywhere: water leaves at the edge.
    if let Some(orogen::stage::Stage::StreamPower(stage)) = pipeline.stage.get_mut("stream_power") {
        stage.uplift = Input::Value(100.0);
        stage.base = Input::Value(3.0);
    }
    let cells = Cells::of(&cpu(), &pipeline);
    let drained: f64 = (0..cells.areas.len()).filter(|cell| cells.is_at_edge(*cell)).map(|cell| f64::from(cells.areas[cell])).sum();
    assert_eq!(drained, 90.0 * 70.0 * 400.0);
    assert!(cells.areas.iter().all(|area| *area >= 400.0));
    for cell in (0..cells.heights.len()).filter(|cell| cells.is_at_edge(*cell)) {
        assert!((cells.heights[cell] - 3.0).abs() < 1e-4, "{}", cells.heights[cell]);
    }
}

#[test]
fn a_landscape_does_not_depend_on_what_is_asked_of_it() {
    let pipeline = island(96, 80, 0.8);
    let outputs = ["stream_power", "stream_power.area"];
    let whole = Region { spacing: 5.0, anchor: [-40.0, -40.0, 0.0], ..Region::plane(480, 420) };
    let engines = [
        cpu(),
        Engine::open(&EngineOptions { backend: Backend::Cpu, threads: orogen::Threads::Caller, ..Default::default() }).expect("an engine"),
    ];
    let [many, one] = engines.map(|engine| engine.layers(&pipeline, &outputs, &whole).expect("layers"));
    assert!(many == one, "threads");
    let part = Region { origin: [100, 60, 0], size: [33, 21, 1], ..whole };
    let tile = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() }).expect("an engine");
    let tile = tile.layers(&pipeline, &outputs, &part).expect("layers");
    let coarse = Region { origin: [25, 15, 0], size: [8, 5, 1], level: 2, ..whole };
    let coarse = cpu().layers(&pipeline, &outputs, &coarse).expect("layers");
    for (layer, (whole, coarse)) in tile.iter().zip(many.iter().zip(&coarse)) {
        for y in 0..21 {
            for x in 0..33 {
                let number = layer.values[y * 33 + x];
                assert_eq!(number.to_bits(), whole.values[(60 + y) * 480 + 100 + x].to_bits(), "{x}, {y}");
                if x % 4 == 0 && y % 4 == 0 && x < 32 && y < 20 {
                    assert_eq!(number.to_bits(), coarse.values[y / 4 * 8 + x / 4].to_bits(), "level 2 at {x}, {y}");
                }
            }
        }
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn a_landscape_has_the_same_bits_on_the_gpu() {
    let (pipeline, outputs) = (island(96, 80, 0.8), ["stream_power", "stream_power.area"]);
    let region = Region { spacing: 5.0, anchor: [-40.0, -40.0, 0.0], ..Region::plane(480, 420) };
    let [on_cpu, on_gpu] = [&cpu(), gpu()].map(|engine| engine.layers(&pipeline, &outputs, &region).expect("layers"));
    for (a, b) in on_cpu.iter().zip(&on_gpu) {
        assert!(a.values.iter().zip(&b.values).all(|(a, b)| a.to_bits() == b.to_bits()), "{}", a.name);
    }
}

#[test]
fn inputs_may_be_stages_that_need_the_whole_world() {
    let stage = StreamPower { columns: 40, rows: 40, spacing: 2.0, ..Default::default() };
    let pipeline = Pipeline::from(hills()).then(Normalise { low: -100.0, high: 400.0, ..Default::default() }).then(stage);
    let lakes = pipeline.then(Drainage { sea: Some(0.0), ..Default::default() });
    let layers = cpu().layers(&lakes, &["drainage", "stream_power"], &Region::plane(60, 60)).expect("layers");
    assert!(layers[0].values.iter().zip(&layers[1].values).all(|(filled, height)| filled >= height));
    assert!(layers[1].values.iter().any(|height| *height > 10.0));
}

#[test]
fn what_is_not_allowed_is_named() {
    let told = |stage: StreamPower, engine: &Engine| {
        let pipeline = Pipeline::from(hills()).then(StreamPower { uplift: node("hills"), ..stage });
        engine.layers(&pipeline, &["stream_power"], &Region::plane(4, 4)).expect_err("not allowed").to_string()
    };
    let holds = |told: &str, words: &[&str]| assert!(words.iter().all(|word| told.contains(word)), "{told}");
    holds(&told(StreamPower { columns: 1, ..Default::default() }, &cpu()), &["stream_power", "columns = 1", "2 to 8192"]);
    holds(&told(StreamPower { spacing: 0.0, ..Default::default() }, &cpu()), &["spacing = 0", "0.000001 to 3000"]);
    let deep = StreamPower { base: Input::Value(-2e9), columns: 8, rows: 8, ..Default::default() };
    holds(&told(deep, &cpu()), &["base = -2000000000", "-1e9 to 1e9"]);
    let small = Engine::open(&EngineOptions { backend: Backend::Cpu, memory: Some(1 << 20), ..Default::default() }).expect("an engine");
    holds(&told(StreamPower::default(), &small), &["1024 × 1024 cells", "at most", "1 MiB"]);
    let nothing = Pipeline::source(StreamPower::default());
    let told = cpu().layers(&nothing, &["stream_power"], &Region::plane(4, 4)).expect_err("no uplift").to_string();
    holds(&told, &["uplift", "there is no stage or node"]);
    let mut brought = Pipeline::from(hills()).then(StreamPower { columns: 8, rows: 8, ..Default::default() });
    brought.node.clear();
    brought.stage.insert("hills".to_owned(), Given {}.into());
    let field = Field { region: Region::plane(4, 4), values: vec![1.0; 16], gradients: None };
    let told = cpu().apply(&brought, &["stream_power"], &field).expect_err("a caller's field").to_string();
    holds(&told, &["'hills', the caller's field", "own grid"]);
    let stop = Stop::default();
    stop.stop();
    let pipeline = Pipeline::from(hills()).then(StreamPower { seed: 77, ..Default::default() });
    let stopped = cpu().stopped_by(&stop).layers(&pipeline, &["stream_power"], &Region::plane(4, 4));
    assert!(matches!(stopped, Err(LayersError::Engine(EngineError::Stopped))), "{stopped:?}");
}
