//! Translates WGSL to SPIR-V whose float operations must not be contracted or reassociated. This makes arithmetic exact.

use naga::back::spv;

/// Opcodes and operands, from the SPIR-V specification, section 3.
const OP_EXTENSION: u32 = 10;
const OP_ENTRY_POINT: u32 = 15;
const OP_EXECUTION_MODE: u32 = 16;
const OP_CAPABILITY: u32 = 17;
const OP_DECORATE: u32 = 71;
const NO_CONTRACTION: u32 = 42;
const FIRST_TYPE_OPCODE: u32 = 19;
const LAST_TYPE_OPCODE: u32 = 39;
const HEADER_WORDS: usize = 5;

/// The additional guarantees that a device supports for 32-bit float operations (the extension `SPV_KHR_float_controls`, part of
/// Vulkan 1.2). Without a guarantee the device may choose; some flush numbers below 2⁻¹²⁶ to zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FloatControls {
    /// Keeps subnormal numbers.
    pub subnormal: bool,
    /// Keeps the sign of zeros, infinities and NaN.
    pub special: bool,
    /// Rounds to nearest, ties to even.
    pub nearest: bool,
}

impl FloatControls {
    /// The capability and the execution mode of each requested control.
    fn asked(self) -> impl Iterator<Item = (u32, u32)> {
        let all = [(self.subnormal, (4464, 4459)), (self.special, (4466, 4461)), (self.nearest, (4467, 4462))];
        all.into_iter().filter_map(|(asked, numbers)| asked.then_some(numbers))
    }
}

/// Float arithmetic: negate, add, subtract, multiply, divide, remainder, modulo, vector and matrix products, dot.
fn is_float_arithmetic(opcode: u32) -> bool {
    matches!(opcode, 127 | 129 | 131 | 133 | 136 | 140 | 141 | 142..=148)
}

/// Compiles the entry point `main` of a kernel.
///
/// # Errors
/// naga's message, if the kernel does not parse, validate or translate.
pub fn exact(wgsl: &str, controls: FloatControls) -> Result<Vec<u32>, String> {
    let module = naga::front::wgsl::parse_str(wgsl).map_err(|error| error.emit_to_string(wgsl))?;
    let mut validator =
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::STORAGE_TEXTURE_16BIT_NORM_FORMATS);
    let info = validator.validate(&module).map_err(|error| error.emit_to_string(wgsl))?;
    let options = spv::Options {
        lang_version: (1, 3),
        flags: spv::WriterFlags::empty(),
        // Every loop ends: its bound is read from a table that no kernel writes.
        //
        // Before an integer is divided by a variable, the shader itself ensures that it is not 0 (`point_laps`, `frame_index`).
        // tests/it/kernel.rs finds divisions without such a guard. Quotients do not overflow, either. Only −2³¹ / −1 would, and
        // the divisors are periods and numbers of samples, which are never negative.
        force_loop_bounding: false,
        emit_int_div_checks: false,
        ..spv::Options::default()
    };
    let entry = spv::PipelineOptions { shader_stage: naga::ShaderStage::Compute, entry_point: "main".to_owned() };
    let words = spv::write_vec(&module, &info, &options, Some(&entry)).map_err(|error| error.to_string())?;
    Ok(strict(&words, controls))
}

/// Decorates the result of every float operation with `NoContraction`, and requests the given float controls.
fn strict(words: &[u32], controls: FloatControls) -> Vec<u32> {
    let mut results = Vec::new();
    // The ends of capabilities and execution modes, and the start of types.
    let (mut capabilities, mut modes, mut types) = (HEADER_WORDS, None, None);
    let mut main = None;
    let mut at = HEADER_WORDS;
    while at < words.len() {
        let (opcode, length) = (words[at] & 0xffff, (words[at] >> 16) as usize);
        assert!(length > 0, "invariant: naga writes instructions of one word at least");
        match opcode {
            OP_CAPABILITY => capabilities = at + length,
            OP_ENTRY_POINT => main = Some(words[at + 2]),
            OP_EXECUTION_MODE => modes = Some(at + length),
            FIRST_TYPE_OPCODE..=LAST_TYPE_OPCODE => types = types.or(Some(at)),
            // Word 1 is the type of the result, word 2 its id.
            _ if is_float_arithmetic(opcode) => results.push(words[at + 2]),
            _ => {}
        }
        at += length;
    }
    let main = main.expect("invariant: a kernel has an entry point");
    let modes = modes.expect("invariant: an entry point of a compute shader has an execution mode with the size of its workgroups");
    let types = types.expect("invariant: every shader has a type, that of `main`");
    let mut out = words[..capabilities].to_vec();
    for (capability, _) in controls.asked() {
        out.extend([(2 << 16) | OP_CAPABILITY, capability]);
    }
    if controls.asked().next().is_some() {
        // A name ends with a zero byte and fills whole words.
        let name: Vec<u32> = b"SPV_KHR_float_controls\0\0".as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        out.push(((name.len() as u32 + 1) << 16) | OP_EXTENSION);
        out.extend(name);
    }
    out.extend(&words[capabilities..modes]);
    for (_, mode) in controls.asked() {
        out.extend([(4 << 16) | OP_EXECUTION_MODE, main, mode, 32]);
    }
    // Decorations precede the first type.
    out.extend(&words[modes..types]);
    for result in results {
        out.extend([(3 << 16) | OP_DECORATE, result, NO_CONTRACTION]);
    }
    out.extend(&words[types..]);
    out
}
