//! The cost of an evaluation on a GPU: time stamps around a kernel, without the host, the driver and transfers.
//!
//! `cargo bench --bench kernels [-- ROUNDS [EDGE [CASE]]]` uses the adapter in OROGEN_ADAPTER, or else the best one, including
//! software adapters. A texture has EDGE² texels, by default 1024²; large GPUs are busy from 4096² on. CASE is the name of a
//! single case to run.
//!
//! As in Gustavson and McEwan (JCGT 2022), a sample has twelve evaluations, and the time of a kernel that only writes is
//! subtracted and printed separately. Kernels take turns, and medians count. The naive kernels (`naive.wgsl`) use coordinates in
//! plain f32.
//!
//! `cargo bench --bench kernels -- --spirv FOLDER` instead writes the input of drivers for one evaluation; `scripts/operations`
//! counts it.
#![allow(clippy::expect_used, reason = "a bench that cannot run panics with the reason")]

use orogen::node::{Fractal, Hash, Perlin, Simplex, Value, Worley};
use orogen::texture::KernelKind;
use orogen::texture::{Content, Target, TargetOptions, wgsl_specialised};
use orogen::wgpu::{self, util::DeviceExt};
use orogen::{Backend, Engine, EngineOptions, Noise, Region};
use std::time::Instant;

/// Default number of texels along a side of the texture.
const EDGE: u32 = 1024;
const EVALUATIONS: u32 = 12;
const OCTAVES: u32 = 8;
const WAVELENGTH: f64 = 64.0;

enum Kernel {
    /// A kernel of the engine with this index, for a noise.
    Ours(usize, Noise),
    Naive(wgpu::ComputePipeline, wgpu::BindGroup),
}

/// A noise with its kernels: ours for any counts, ours specialised, and a naive one if there is one.
struct Case {
    name: String,
    evaluations: u32,
    kernels: Vec<(Kernel, Vec<f64>)>,
    /// Seconds to compile our two kernels.
    compiling: [f64; 2],
}

impl Case {
    /// Median seconds on the device.
    fn seconds(&self, kernel: usize) -> Option<f64> {
        let mut seconds = self.kernels.get(kernel)?.1.clone();
        seconds.sort_by(f64::total_cmp);
        seconds.get(seconds.len() / 2).copied()
    }
}

struct Bench {
    edge: u32,
    /// Two engines, with general and with specialised kernels.
    engines: [Engine; 2],
    targets: [Target; 2],
    device: wgpu::Device,
    queue: wgpu::Queue,
    texture: wgpu::Texture,
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read: wgpu::Buffer,
}

impl Bench {
    fn open(edge: u32) -> Result<Self, String> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let wanted = std::env::var("OROGEN_ADAPTER").unwrap_or_default().to_lowercase();
        let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
        adapters.retain(|adapter| adapter.get_info().name.to_lowercase().contains(&wanted));
        adapters.sort_by_key(|adapter| adapter.get_info().device_type == wgpu::DeviceType::Cpu);
        let stamps = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS;
        let adapter = adapters.into_iter().find(|adapter| adapter.features().contains(stamps)).ok_or("no adapter with time stamps")?;
        println!("{}, {edge}² samples", adapter.get_info().name);
        let mut descriptor = Engine::device_descriptor(&adapter);
        descriptor.required_features |= stamps;
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| error.to_string())?;
        let open = || Engine::from_device(&device, &queue, &EngineOptions { backend: Backend::Gpu, ..Default::default() });
        let engines = [open().map_err(|error| error.to_string())?, open().map_err(|error| error.to_string())?];
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: edge, height: edge, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::R32Float,
            usage: wgpu::TextureUsages::STORAGE_BINDING,
            view_formats: &[],
        });
        let queries = device.create_query_set(&wgpu::QuerySetDescriptor { label: None, ty: wgpu::QueryType::Timestamp, count: 2 });
        let buffer = |usage| device.create_buffer(&wgpu::BufferDescriptor { label: None, size: 16, usage, mapped_at_creation: false });
        let resolved = buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC);
        let read = buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        let target = |engine: &Engine| engine.target(&texture, &TargetOptions::default()).expect("target");
        let targets = engines.each_ref().map(target);
        Ok(Bench { edge, engines, targets, device, queue, texture, queries, resolved, read })
    }

    fn case(&self, name: String, evaluations: u32, noise: &Noise, naive: Option<Kernel>) -> Case {
        let start = Instant::now();
        self.engines[0].compile(noise, &self.targets[0]).expect("kernel");
        let any = start.elapsed().as_secs_f64();
        self.engines[1].specialise(noise, &self.targets[1]).expect("kernel");
        let compiling = [any, start.elapsed().as_secs_f64() - any];
        let ours = [0, 1].map(|engine| Kernel::Ours(engine, noise.clone()));
        Case { name, evaluations, kernels: ours.into_iter().chain(naive).map(|kernel| (kernel, Vec::new())).collect(), compiling }
    }

    /// A naive kernel with one octave per evaluation.
    fn naive(&self, octaves: u32, lacunarity: f32, noise: &str) -> Kernel {
        let library = orogen::testing::shaders(&["interpolate", "lattice", "simplex"]).expect("the library");
        let source = library + &include_str!("naive.wgsl").replace("NOISE", noise);
        let module =
            self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source: wgpu::ShaderSource::Wgsl(source.into()) });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let frequency = (1.0 / WAVELENGTH) as f32;
        let numbers = [frequency.to_bits(), lacunarity.to_bits(), octaves, 1];
        let uniform = self.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: None,
            contents: bytemuck::cast_slice(&numbers),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let view = self.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let bind_group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&view) },
            ],
        });
        Kernel::Naive(pipeline, bind_group)
    }

    /// Seconds on the device.
    fn time(&self, kernel: &Kernel) -> f64 {
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.write_timestamp(&self.queries, 0);
        match kernel {
            Kernel::Ours(engine, noise) => {
                let (engine, target) = (&self.engines[*engine], &self.targets[*engine]);
                engine.encode(&mut encoder, noise, &Region::plane(self.edge, self.edge), target).expect("encode");
            }
            Kernel::Naive(pipeline, bind_group) => {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, bind_group, &[]);
                let groups = self.edge.div_ceil(8);
                pass.dispatch_workgroups(groups, groups, 1);
            }
        }
        encoder.write_timestamp(&self.queries, 1);
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.read, 0, 16);
        self.queue.submit([encoder.finish()]);
        self.read.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("mapped"));
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device goes on");
        let stamps: Vec<u64> = bytemuck::pod_collect_to_vec(&self.read.slice(..).get_mapped_range().expect("mapped"));
        self.read.unmap();
        stamps[1].saturating_sub(stamps[0]) as f64 * f64::from(self.queue.get_timestamp_period()) * 1e-9
    }
}

/// Every basis by name, with its call in the naive kernel.
fn bases() -> [(&'static str, Noise, Option<&'static str>); 9] {
    let simplex = |dimensions, hash| Noise::simplex(Simplex { dimensions, hash, wavelength: WAVELENGTH, ..Default::default() });
    let perlin = |dimensions| Noise::perlin(Perlin { dimensions, wavelength: WAVELENGTH, ..Default::default() });
    let value = |dimensions| Noise::value(Value { dimensions, wavelength: WAVELENGTH, ..Default::default() });
    let worley = |dimensions| Noise::worley(Worley { dimensions, wavelength: WAVELENGTH, ..Default::default() });
    [
        ("value 2D", value(2), None),
        ("value 3D", value(3), None),
        ("Perlin 2D", perlin(2), Some("naive_perlin_2(p.xy * scale, key)")),
        ("Perlin 3D", perlin(3), Some("naive_perlin_3(p * scale, key)")),
        ("simplex 2D", simplex(2, Hash::Integer), Some("naive_simplex_2(p.xy * scale, key)")),
        ("simplex 3D", simplex(3, Hash::Integer), Some("naive_simplex_3(p * scale, key)")),
        ("simplex permutation289", simplex(3, Hash::Permutation289), Some("document(p * scale)")),
        ("Worley F1 2D", worley(2), None),
        ("Worley F1 3D", worley(3), None),
    ]
}

fn cases(bench: &Bench, only: Option<&str>) -> Vec<Case> {
    let mut all = vec![bench.case("write only".to_owned(), 0, &Noise::constant(0.5), None)];
    for (octaves, lacunarity, prefix) in [(EVALUATIONS, 1.0, ""), (OCTAVES, 2.0, "FBM-8 ")] {
        for (name, noise, naive) in &bases() {
            let name = format!("{prefix}{name}");
            if only.is_some_and(|only| only != name) {
                continue;
            }
            let noise = noise.clone().fractal(Fractal { octaves, lacunarity, ..Default::default() });
            let naive = naive.map(|naive| bench.naive(octaves, lacunarity as f32, naive));
            all.push(bench.case(name, octaves, &noise, naive));
        }
    }
    all
}

/// Writes the specialised kernel of every basis, and one that only writes, as SPIR-V.
fn write_spirv(folder: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
    let texture = KernelKind::texture(wgpu::TextureFormat::R32Float, wgpu::TextureViewDimension::D2, Content::Value);
    std::fs::create_dir_all(folder)?;
    let all = bases().into_iter().map(|(name, noise, _)| (name, noise));
    for (name, noise) in all.chain([("write only", Noise::constant(0.5))]) {
        let module = naga::front::wgsl::parse_str(&wgsl_specialised(&noise, texture)?)?;
        let info =
            naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty()).validate(&module)?;
        let words = naga::back::spv::write_vec(&module, &info, &naga::back::spv::Options::default(), None)?;
        std::fs::write(folder.join(name.replace(' ', "-")).with_extension("spv"), bytemuck::cast_slice::<u32, u8>(&words))?;
    }
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--spirv") {
        let folder = arguments.get(at + 1).expect("a folder");
        return write_spirv(folder.as_ref()).expect("the kernels are written");
    }
    let mut numbers = arguments.iter().skip(1).filter_map(|argument| argument.parse().ok());
    let (rounds, edge) = (numbers.next().unwrap_or(9), numbers.next().unwrap_or(EDGE));
    let bench = match Bench::open(edge) {
        Ok(bench) => bench,
        Err(error) => return eprintln!("{error}"),
    };
    let only = arguments.iter().skip(1).find(|argument| !argument.starts_with("--") && argument.parse::<u32>().is_err());
    let mut cases = cases(&bench, only.map(String::as_str));
    // The first round is a warm-up.
    for round in 0..=rounds {
        for (kernel, seconds) in cases.iter_mut().flat_map(|case| &mut case.kernels) {
            let spent = bench.time(kernel);
            if round > 0 {
                seconds.push(spent);
            }
        }
    }
    let samples = f64::from(edge) * f64::from(edge);
    let writing = cases[0].seconds(0).unwrap_or_default();
    println!("writing alone: {:.3} ms, {:.1} GB/s; taken off below", writing * 1e3, 4.0 * samples / writing * 1e-9);
    println!(
        "{:30} {:>9} {:>9} {:>9} {:>18} {:>13} {:>20}",
        "ms", "any count", "own count", "naive", "own: M eval./s", "naive / own", "compiling any, own"
    );
    let without = |case: &Case, kernel| case.seconds(kernel).map(|seconds| (seconds - writing).max(1e-9));
    for case in &cases[1..] {
        let own = without(case, 1).unwrap_or_default();
        let ms = |kernel| without(case, kernel).map_or(String::new(), |seconds| format!("{:.3}", seconds * 1e3));
        let rate = samples * f64::from(case.evaluations) / own * 1e-6;
        let beside = without(case, 2).map_or(String::new(), |naive| format!("{:.2}", naive / own));
        let compiling = case.compiling.map(|seconds| format!("{:.0}", seconds * 1e3)).join(", ");
        println!("{:30} {:>9} {:>9} {:>9} {rate:18.1} {beside:>13} {compiling:>20}", case.name, ms(0), ms(1), ms(2));
    }
    let find = |name: &str| cases.iter().find(|case| case.name == name);
    for prefix in ["", "FBM-8 "] {
        let (Some(ours), Some(document)) = (find(&format!("{prefix}simplex 3D")), find(&format!("{prefix}simplex permutation289"))) else {
            continue;
        };
        if let (Some(ours), Some(naive)) = (without(ours, 1), without(document, 2)) {
            println!("the terrain document's shader in f32 / ours with our simplex 3D, {prefix}own count: {:.2}", naive / ours);
        }
    }
}
