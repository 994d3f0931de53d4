//! Shared helpers of the tests: engines, fields compared bit by bit, scratch directories, the command.

use orogen::wgpu;
use orogen::{Arithmetic, Backend, Engine, EngineError, EngineOptions, Field, Gradient, Noise, Parity, Region, fast_bounds, testing};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

pub fn cpu() -> Engine {
    open(Backend::Cpu, None)
}

pub fn oracle() -> Engine {
    open(Backend::Oracle, None)
}

fn open(backend: Backend, arithmetic: Option<Arithmetic>) -> Engine {
    Engine::open(&EngineOptions { backend, arithmetic, ..Default::default() }).expect("an engine without a GPU always opens")
}

/// A separate GPU engine with the kernels of GPUs, also on a software adapter. The kernels of software adapters are tested in
/// `specialised`, and by tests that run the command. Without an adapter the test fails, since a GPU test that passes without a GPU
/// tests nothing. Tests that need one are marked with `skip_gpu`, under which they are ignored (`OROGEN_GPU=skip scripts/test`).
pub fn own_gpu(arithmetic: Option<Arithmetic>) -> Engine {
    let gpu = as_it_is(arithmetic);
    testing::as_on_a_gpu(&gpu);
    gpu
}

/// One with the kernels that its adapter is given.
pub fn as_it_is(arithmetic: Option<Arithmetic>) -> Engine {
    let options = EngineOptions { backend: Backend::Gpu, arithmetic, ..Default::default() };
    Engine::open(&options).unwrap_or_else(|error| {
        panic!("{error}\ninstall one (apt-get install mesa-vulkan-drivers libvulkan1), or OROGEN_GPU=skip scripts/test")
    })
}

/// The GPU engine that tests share: opening a device and compiling kernels are what takes long.
pub fn gpu() -> &'static Engine {
    static SHARED: OnceLock<Engine> = OnceLock::new();
    SHARED.get_or_init(|| own_gpu(None))
}

/// A device of the caller's, on the adapter that the tests run on.
pub fn device(change: impl Fn(&mut wgpu::DeviceDescriptor<'_>)) -> (wgpu::Device, wgpu::Queue) {
    let [one] = devices(change);
    one
}

/// Devices of one instance.
pub fn devices<const N: usize>(change: impl Fn(&mut wgpu::DeviceDescriptor<'_>)) -> [(wgpu::Device, wgpu::Queue); N] {
    let name = gpu().describe().adapter;
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    let adapter = adapters.into_iter().find(|adapter| adapter.get_info().name == name).expect("the adapter is still there");
    let mut descriptor = Engine::device_descriptor(&adapter);
    change(&mut descriptor);
    [0; N].map(|_| pollster::block_on(adapter.request_device(&descriptor)).expect("a device"))
}

/// Fails where the shader compilers of Khronos are not there.
pub fn shader_tools() {
    let missing = ["glslangValidator", "spirv-val"].into_iter().find(|tool| Command::new(tool).arg("--version").output().is_err());
    assert!(missing.is_none(), "no {missing:?}\ninstall it (apt-get install glslang-tools spirv-tools), or OROGEN_GPU=skip scripts/test");
}

/// Fails where a GPU's field is not the CPU's: bit by bit where the adapter is exact, else beyond the bounds that are stated for the
/// noise.
pub fn assert_parity(gpu: &Engine, noise: &Noise, on_gpu: &Field, on_cpu: &Field, what: &str) {
    if gpu.describe().parity == Some(Parity::Exact) {
        return assert_same_bits(on_gpu, on_cpu, what);
    }
    let near = |a: &[f32], b: &[f32], bound: f64, of: &str| {
        let furthest = a.iter().zip(b).fold(0.0_f64, |m, (a, b)| m.max(f64::from((a - b).abs())));
        assert!(furthest <= bound * largest(b), "{what}: {of} off by {furthest:e}, of {:e}; allowed: {bound:e} of that", largest(b));
    };
    let [value, gradient] = fast_bounds(noise);
    near(&on_gpu.values, &on_cpu.values, value, "values");
    if let (Some(a), Some(b)) = (&on_gpu.gradients, &on_cpu.gradients) {
        near(a.as_flattened(), b.as_flattened(), gradient, "gradients");
    }
}

/// A field with gradients, if the noise has them.
pub fn jets(engine: &Engine, noise: &Noise, region: &Region) -> Result<Field, EngineError> {
    if noise.has_gradient() { engine.field_with_gradient(noise, region) } else { engine.field(noise, region) }
}

/// Gradients, if the noise has them.
pub fn slopes(noise: &Noise) -> Gradient {
    if noise.has_gradient() { Gradient::With } else { Gradient::Without }
}

pub fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// Fails at the first sample whose value or gradient is not the same number bit by bit.
pub fn assert_same_bits(a: &Field, b: &Field, what: &str) {
    assert_eq!(a.values.len(), b.values.len(), "{what}: sizes");
    let first = a.values.iter().zip(&b.values).position(|(a, b)| a.to_bits() != b.to_bits());
    if let Some(i) = first {
        panic!("{what}: value of sample {i}: {:e} against {:e}", a.values[i], b.values[i]);
    }
    assert_eq!(a.gradients.is_some(), b.gradients.is_some(), "{what}: gradients");
    if let (Some(ga), Some(gb)) = (&a.gradients, &b.gradients) {
        let first = ga.iter().zip(gb).position(|(a, b)| a.map(f32::to_bits) != b.map(f32::to_bits));
        if let Some(i) = first {
            panic!("{what}: gradient of sample {i}: {:?} against {:?}", ga[i], gb[i]);
        }
    }
}

/// Largest magnitude, at least the smallest normal number.
pub fn largest(values: &[f32]) -> f64 {
    values.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(f64::from(x.abs())))
}

/// Regions in which a lattice has shown bugs: across the origin, at integer positions, at a spacing that no binary
/// fraction holds, as a volume, and 10¹² world units out.
pub fn regions() -> Vec<(&'static str, Region)> {
    let plane = Region::plane(48, 37);
    let far = 1_000_000_000_000;
    vec![
        ("across the origin", Region { origin: [-20, -11, 0], ..plane }),
        ("negative, spacing 0.37", Region { origin: [-5000, -777, 0], spacing: 0.37, anchor: [0.1, -0.2, 5.5], ..plane }),
        ("a volume", Region { origin: [-3, 2, -4], size: [13, 7, 9], spacing: 11.0, ..plane }),
        ("10^12 out", Region { origin: [far, -far, 0], ..plane }),
    ]
}

/// A directory that is removed when the test ends.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("orogen-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("the temporary directory is writable");
        Scratch(path)
    }

    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("the temporary directory is writable");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The root of the project.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The command, in the root of the project.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_orogen"));
    command.args(args).env_remove("OROGEN_ADAPTER").current_dir(root());
    command
}

/// Runs the command with the given standard input.
pub fn run(args: &[&str], input: &str) -> Output {
    let mut child = command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // The command may end before it has read everything.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the writer ends");
    output
}

/// Runs the command by a shell that has limited something (`ulimit`), and where too large a file is an error, no signal.
pub fn limited(limit: &str, args: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit {limit}; exec \"$@\"");
    let shell = ["-c", script.as_str(), "sh", env!("CARGO_BIN_EXE_orogen")];
    Command::new("sh").args(shell).args(args).env_remove("OROGEN_ADAPTER").current_dir(root()).output().expect("sh")
}

/// A small recipe of four tiles.
pub const RECIPE: &str = "output = \"n\"\n[node.s]\nkind = \"simplex\"\nwavelength = 40.0\n[node.n]\nkind = \"fractal\"\nof = \"s\"\n[bake]\ntile = 32\ntiles = [2, 2]\n";

/// A path as an argument.
pub fn path(p: &Path) -> &str {
    p.to_str().expect("UTF-8")
}

/// Fails where the command ended otherwise, panicked, or did not say these things on standard error.
pub fn expect(output: &Output, code: i32, parts: &[&str]) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{error}");
    assert!(!error.contains("panicked"), "{error}");
    for part in parts {
        assert!(error.contains(part), "'{part}' is not in: {error}");
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A small generator for test data (xorshift64*); tests must be repeatable.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Uniform in `lo..hi`.
    pub fn between(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64)
    }
}

/// SplitMix64's output function.
fn scramble(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The 32 bits with which a lattice hashes its points, from the seeds that it depends on: those of what it lies in first, its own last.
pub fn lattice_seed(seeds: &[u64]) -> u32 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let stream = seeds.iter().fold(0u64, |state, seed| scramble(state.wrapping_mul(STEP) ^ scramble(seed.wrapping_add(STEP))));
    (scramble(stream ^ 0x5851_f42d_4c95_7f2d) >> 32) as u32
}

/// The hash of a point of the cubic lattice, written once more.
pub fn hash(cell: [i32; 3], dimensions: u32, seed: u32) -> u32 {
    let [x, y, z] = cell.map(|c| c as u32);
    let flat = if dimensions >= 2 { y.wrapping_mul(1_136_930_381).rotate_left(11) } else { 0 };
    let solid = if dimensions >= 3 { z.wrapping_mul(1_720_413_743).rotate_left(22) } else { 0 };
    mixed(x.wrapping_mul(501_125_321) ^ flat ^ solid ^ seed)
}

/// A word, mixed: for a further random number of the same point.
pub fn mixed(h: u32) -> u32 {
    let h = (h ^ (h >> 16)).wrapping_mul(0x7feb_352d);
    let h = (h ^ (h >> 15)).wrapping_mul(0x846c_a68b);
    h ^ (h >> 16)
}

/// A word as a number in [−1, 1].
pub fn signed(h: u32) -> f64 {
    f64::from(h >> 8) * 1.192_091_760_576_852_3e-7 - 0.999_999_046_325_683_6
}

/// Largest difference between the distribution of values in [−1, 1] and the uniform one (Kolmogorov–Smirnov).
pub fn ks(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let off = |(i, v): (usize, &f64)| {
        let u = 0.5 * (v + 1.0);
        (u - i as f64 / n).abs().max((u - (i + 1) as f64 / n).abs())
    };
    values.iter().enumerate().map(off).fold(0.0, f64::max)
}
