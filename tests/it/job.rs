//! Pipelines a little at a time, and engines with threads of their own: the same bits as all at once.

use crate::support::{bits, cpu, gpu, oracle};
use orogen::stage::{Hydraulic, Normalise, Pipeline, Thermal};
use orogen::{Backend, Engine, EngineError, EngineOptions, Gradient, Layer, LayersError, Noise, Region, Stop, Threads};
use std::time::{Duration, Instant};

fn eroded() -> Pipeline {
    let hills = Noise::simplex(orogen::node::Simplex { wavelength: 40.0, ..Default::default() }).fractal(Default::default());
    Pipeline::from(&hills.scale_offset(20.0, 0.0))
        .then(Hydraulic { iterations: 12, ..Default::default() })
        .then(Thermal { iterations: 6, ..Default::default() })
}

/// The result of a job on a region in steps of this duration, and the number of steps.
fn in_steps(engine: &Engine, pipeline: &Pipeline, region: &Region, budget: Duration) -> (Vec<Layer>, usize) {
    let mut job = engine.job(pipeline, &[&pipeline.output], region).expect("a job");
    let (mut steps, mut progress) = (1, job.progress());
    assert_eq!(progress, 0.0);
    while !job.advance(budget).expect("a step") {
        assert!((progress..=1.0).contains(&job.progress()), "progress goes back");
        (steps, progress) = (steps + 1, job.progress());
    }
    assert!(job.is_done() && job.progress() == 1.0);
    (job.finish().expect("layers"), steps)
}

#[test]
fn jobs_have_the_bits_of_layers() {
    let (pipeline, region) = (eroded(), Region { origin: [-70, 9, 0], ..Region::plane(65, 33) });
    // Blocks as small as they come: several make the region.
    let little = EngineOptions { backend: Backend::Cpu, memory: Some(2 << 20), ..Default::default() };
    for engine in [cpu(), oracle(), Engine::open(&little).expect("the CPU")] {
        let whole = engine.layers(&pipeline, &[&pipeline.output], &region).expect("layers");
        let (parts, steps) = in_steps(&engine, &pipeline, &region, Duration::ZERO);
        assert!(steps > 12, "{steps} steps");
        assert_eq!((parts[0].region, bits(&parts[0].values)), (region, bits(&whole[0].values)));
        let (parts, steps) = in_steps(&engine, &pipeline, &region, Duration::MAX);
        assert_eq!((steps, bits(&parts[0].values)), (1, bits(&whole[0].values)));
        let unfinished = engine.job(&pipeline, &[&pipeline.output], &region).expect("a job");
        assert_eq!(bits(&unfinished.finish().expect("layers")[0].values), bits(&whole[0].values));
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn jobs_on_the_device_have_the_bits_of_layers_and_never_wait() {
    let (pipeline, region) = (eroded(), Region::plane(64, 64));
    let whole = gpu().layers(&pipeline, &[&pipeline.output], &region).expect("layers");
    let (parts, steps) = in_steps(gpu(), &pipeline, &region, Duration::ZERO);
    assert!(steps > 3, "{steps} steps");
    assert_eq!(bits(&parts[0].values), bits(&whole[0].values));
    // Dropped half way, it leaves nothing behind that others would notice.
    let mut cancelled = gpu().job(&pipeline, &[&pipeline.output], &region).expect("a job");
    cancelled.advance(Duration::ZERO).expect("a step");
    drop(cancelled);
    assert_eq!(bits(&gpu().layers(&pipeline, &[&pipeline.output], &region).expect("layers")[0].values), bits(&whole[0].values));
}

#[test]
fn jobs_refuse_what_they_cannot_know() {
    let (pipeline, region) = (eroded(), Region::plane(16, 16));
    let stretched = pipeline.then(Normalise::default());
    let told = cpu().job(&stretched, &[&stretched.output], &region).expect_err("an unmeasured stage");
    assert!(matches!(told, LayersError::Nothing { .. }), "{told}");
    let measured = cpu().measure(&stretched, &[&stretched.output], &[region]).expect("a measured pipeline");
    assert!(cpu().job(&measured, &[&measured.output], &region).is_ok());
    assert!(cpu().job(&measured, &["nothing"], &region).is_err());
}

#[test]
fn threads_change_no_bit() {
    let with = |threads| Engine::open(&EngineOptions { backend: Backend::Cpu, threads, ..Default::default() });
    let noise = Noise::simplex(Default::default()).fractal(Default::default());
    let (pipeline, region) = (eroded(), Region::plane(300, 200));
    let points: Vec<[f64; 3]> = (0..30_000).map(|i| [f64::from(i) * 7.7, f64::from(i % 97), 0.5]).collect();
    let all = |threads| {
        let engine = with(threads).expect("an engine");
        let noise = engine.prepare(&noise).expect("a valid noise");
        let mut found = vec![0.0; points.len()];
        noise.sample_into(&points, &mut found).expect("samples");
        found.extend(noise.field(&region).expect("a field").values);
        found.extend(engine.layer(&pipeline, &Region::plane(40, 40)).expect("a layer").values);
        bits(&found)
    };
    let shared = all(Threads::Shared);
    for threads in [Threads::Caller, Threads::Own(1), Threads::Own(3)] {
        assert!(all(threads) == shared, "{threads:?}");
    }
    for count in [0, 1025] {
        let told = with(Threads::Own(count)).expect_err("no such number of threads");
        assert!(matches!(&told, EngineError::Threads(error) if error.count == count), "{told}");
        assert!(told.to_string().contains("1 to 1024"), "{told}");
    }
}

#[test]
fn estimates_say_what_a_chunk_costs() {
    let estimate = |pipeline: &Pipeline, region| cpu().estimate(pipeline, &[&pipeline.output], &region).expect("an estimate");
    let plain = estimate(&Pipeline::from(&Noise::constant(1.0)), Region::plane(16, 16));
    assert_eq!((plain.halo, plain.blocks, plain.work), (0, 1, 256));
    let pipeline = eroded();
    let [small, large] = [16, 256].map(|edge| (edge, estimate(&pipeline, Region::plane(edge, edge))));
    let per_sample = |(edge, estimate): (u32, orogen::Estimate)| estimate.work as f64 / f64::from(edge * edge);
    assert!((18..100).contains(&small.1.halo) && small.1.halo == large.1.halo, "{}", small.1.halo);
    // Twelve iterations of some passes each, and six.
    assert!((30.0..150.0).contains(&per_sample(large)) && per_sample(small) > 3.0 * per_sample(large), "{small:?} {large:?}");
    assert!(small.1.memory < large.1.memory && large.1.memory < 1 << 30, "{large:?}");
}

/// Every call on a stopped engine returns the error and no data.
fn assert_stopped(engine: &Engine) {
    let stop = Stop::default();
    let stopped = engine.stopped_by(&stop);
    let (pipeline, region) = (eroded(), Region::plane(40, 30));
    let noise = Noise::simplex(Default::default());
    let before = stopped.prepare(&noise).expect("a noise");
    stop.stop();
    let is = |result: Result<(), EngineError>, what: &str| assert_eq!(result, Err(EngineError::Stopped), "{what}");
    let (mut values, mut gradients) = (vec![0.0; 1200], vec![[0.0; 3]; 1200]);
    for prepared in [before, stopped.prepare(&noise).expect("a noise")] {
        is(prepared.value([0.5; 3]).map(drop), "value");
        is(prepared.field(&region).map(drop), "field");
        is(prepared.field_with_gradient(&region).map(drop), "field_with_gradient");
        is(prepared.field_into(&region, &mut values), "field_into");
        is(prepared.field_with_gradient_into(&region, &mut values, &mut gradients), "field_with_gradient_into");
        is(prepared.sample(&[[0.5; 3]], Gradient::With).map(drop), "sample");
        is(prepared.sample_into(&[[0.5; 3]], &mut values[..1]), "sample_into");
        is(prepared.sample_near([0.0; 3], &[[0.5; 3]], Gradient::Without).map(drop), "sample_near");
    }
    let handed = stopped.fields(&noise, [region; 3], Gradient::Without, |_, _| panic!("a field that was not computed"));
    is(handed, "fields");
    let layers = stopped.layer(&pipeline, &region);
    assert!(matches!(layers, Err(LayersError::Engine(EngineError::Stopped))), "{layers:?}");
    let job = stopped.job(&pipeline, &[&pipeline.output], &region).and_then(orogen::Job::finish);
    assert!(matches!(job, Err(LayersError::Engine(EngineError::Stopped))), "{job:?}");
    // The engine itself goes on.
    assert!(engine.layer(&pipeline, &region).is_ok());
}

#[test]
fn a_stopped_engine_hands_nothing_over() {
    assert_stopped(&cpu());
    assert_stopped(&oracle());
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn a_stopped_engine_on_a_gpu_hands_nothing_over() {
    assert_stopped(gpu());
}

#[test]
fn what_takes_long_ends_soon_after_it_is_stopped() {
    let noise = Noise::simplex(orogen::node::Simplex { dimensions: 4, ..Default::default() })
        .fractal(orogen::node::Fractal { octaves: 32, ..Default::default() });
    for threads in [Threads::Shared, Threads::Caller, Threads::Own(2)] {
        let stop = Stop::default();
        let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, threads, ..Default::default() }).expect("an engine");
        let engine = engine.stopped_by(&stop);
        std::thread::scope(|scope| {
            // Several minutes, unless stopped.
            let work = scope.spawn(|| engine.field(&noise, &Region::plane(8192, 8192)));
            std::thread::sleep(Duration::from_millis(200));
            assert!(!work.is_finished());
            let start = Instant::now();
            stop.stop();
            assert_eq!(work.join().expect("no panic"), Err(EngineError::Stopped));
            assert!(start.elapsed() < Duration::from_secs(5), "{threads:?}: {:?}", start.elapsed());
        });
    }
}
