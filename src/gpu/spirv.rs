//! WGSL → SPIR-V whose float operations must not be contracted or reassociated: what makes arithmetic exact.

use naga::back::spv;

/// SPIR-V opcodes and operands, from the SPIR-V specification, section 3.
const OP_DECORATE: u32 = 71;
const NO_CONTRACTION: u32 = 42;
const FIRST_TYPE_OPCODE: u32 = 19;
const LAST_TYPE_OPCODE: u32 = 39;
const HEADER_WORDS: usize = 5;

/// Float arithmetic: negate, add, subtract, multiply, divide, remainder, modulo, vector and matrix products, dot.
fn is_float_arithmetic(opcode: u32) -> bool {
    matches!(opcode, 127 | 129 | 131 | 133 | 136 | 140 | 141 | 142..=148)
}

/// Compiles the entry point `main` of a kernel.
///
/// # Errors
/// naga's message, if the kernel does not parse, validate or translate.
pub fn exact(wgsl: &str) -> Result<Vec<u32>, String> {
    let module = naga::front::wgsl::parse_str(wgsl).map_err(|error| error.emit_to_string(wgsl))?;
    let mut validator =
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::STORAGE_TEXTURE_16BIT_NORM_FORMATS);
    let info = validator.validate(&module).map_err(|error| error.emit_to_string(wgsl))?;
    let options = spv::Options {
        lang_version: (1, 3),
        flags: spv::WriterFlags::empty(),
        // Every loop ends: its bound is read from a table that no kernel writes.
        //
        // Where an integer is divided by a variable, the shader itself sees to it that this is not 0 (`point_laps`, `frame_index`);
        // tests/it/kernel.rs finds a division without such a guard. Nor do quotients overflow: only -2^31 / -1 would, and what is
        // divided by are periods and numbers of samples, which are never negative.
        force_loop_bounding: false,
        emit_int_div_checks: false,
        ..spv::Options::default()
    };
    let entry = spv::PipelineOptions { shader_stage: naga::ShaderStage::Compute, entry_point: "main".to_owned() };
    let words = spv::write_vec(&module, &info, &options, Some(&entry)).map_err(|error| error.to_string())?;
    Ok(forbid_contraction(&words))
}

/// Decorates the result of every float operation with `NoContraction`.
fn forbid_contraction(words: &[u32]) -> Vec<u32> {
    let mut results = Vec::new();
    let mut first_type = None;
    let mut at = HEADER_WORDS;
    while at < words.len() {
        let (opcode, length) = (words[at] & 0xffff, (words[at] >> 16) as usize);
        if first_type.is_none() && (FIRST_TYPE_OPCODE..=LAST_TYPE_OPCODE).contains(&opcode) {
            first_type = Some(at);
        }
        if is_float_arithmetic(opcode) {
            // Word 1 is the type of the result, word 2 the result.
            results.push(words[at + 2]);
        }
        assert!(length > 0, "invariant: naga writes instructions of one word at least");
        at += length;
    }
    // Decorations stand just before the first type.
    let (before, after) = words.split_at(first_type.expect("invariant: every shader has a type, that of `main`"));
    let mut out = before.to_vec();
    for result in results {
        out.extend([(3 << 16) | OP_DECORATE, result, NO_CONTRACTION]);
    }
    out.extend(after);
    out
}
