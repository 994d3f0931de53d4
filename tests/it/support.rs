//! What the tests share: engines, fields compared bit by bit, scratch directories, the command.

use orogen::{Arithmetic, Backend, Engine, EngineOptions, Field, Region};
use std::io::Write;
use std::path::PathBuf;
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

/// A GPU engine of its own, or `None` when GPU tests are skipped on purpose. Without an adapter the test fails: a GPU test
/// that passes without a GPU tests nothing. Runs and skips are noted in the file that `OROGEN_GPU_LOG` names, so that
/// `scripts/test` can count them.
pub fn own_gpu(test: &str, arithmetic: Option<Arithmetic>) -> Option<Engine> {
    if std::env::var("OROGEN_GPU").is_ok_and(|v| v == "skip") {
        eprintln!("skipped: {test} (OROGEN_GPU=skip)");
        note("skipped", test);
        return None;
    }
    let options = EngineOptions { backend: Backend::Gpu, arithmetic, ..Default::default() };
    let engine = Engine::open(&options)
        .unwrap_or_else(|error| panic!("{error}\ninstall one (apt-get install mesa-vulkan-drivers libvulkan1) or set OROGEN_GPU=skip"));
    note("ran", test);
    Some(engine)
}

/// The GPU engine that tests share: opening a device and compiling kernels are what takes long.
pub fn gpu(test: &str) -> Option<&'static Engine> {
    static SHARED: OnceLock<Option<Engine>> = OnceLock::new();
    let engine = SHARED.get_or_init(|| own_gpu("(the shared device)", None)).as_ref();
    note(if engine.is_some() { "ran" } else { "skipped" }, test);
    engine
}

/// Whether the shader compilers of Khronos are here. Without them the test fails, unless GPU tests are skipped on purpose.
pub fn shader_tools(test: &str) -> bool {
    let missing = ["glslangValidator", "spirv-val"].into_iter().find(|tool| Command::new(tool).arg("--version").output().is_err());
    let Some(tool) = missing else { return true };
    let skipped = std::env::var("OROGEN_GPU").is_ok_and(|v| v == "skip");
    assert!(skipped, "no {tool}\ninstall it (apt-get install glslang-tools spirv-tools) or set OROGEN_GPU=skip");
    eprintln!("skipped: {test} (OROGEN_GPU=skip)");
    note("skipped", test);
    false
}

fn note(what: &str, test: &str) {
    if let Some(path) = std::env::var_os("OROGEN_GPU_LOG")
        && let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(path)
    {
        // A count that is short by a line is found by the script.
        let _ = writeln!(file, "{what} {test}");
    }
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

pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_orogen"));
    command.args(args).env_remove("OROGEN_ADAPTER");
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
