//! Exported source: valid for its languages' own compilers, and on the device the same noise as on the CPU.
//!
//! MSL is checked by naga alone: there is no other compiler of it outside of Apple's machines.

use crate::support::{Random, Scratch, cpu, gpu, run, shader_tools, slopes, text};
use crate::{gallery, nodes, passthrough};
use naga::compact::{KeepUnused, compact};
use orogen::export::{ExportError, ExportOptions, Exported, Language, Storage, Table, export};
use orogen::node::{FastnoiseWarp, Heights, Node, Perlin, Raster};
use orogen::wgpu::{self, util::DeviceExt};
use orogen::{Engine, Noise, Recipe, Sample};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Command;

pub const NEAR: [f64; 3] = [1234.5, -77.25, 3.0];
const FAR: [f64; 3] = [1e12, -1e12 + 0.125, 5e11];

/// Every recipe, and the first example of every node.
pub fn some() -> Vec<(String, Noise)> {
    let recipes = gallery::recipes().into_iter().map(|(name, _, recipe)| (name, gallery::noise(&recipe)));
    recipes.chain(nodes::all().into_iter().filter(|(name, _)| name.ends_with(" 0"))).collect()
}

pub fn options(language: Language, storage: Storage, entry: bool, anchor: [f64; 3]) -> ExportOptions {
    ExportOptions { language, storage, entry, anchor, ..Default::default() }
}

pub fn exported(noise: &Noise, options: &ExportOptions, what: &str) -> Exported {
    export(noise, options).unwrap_or_else(|error| panic!("{what}, {options:?}: {error}"))
}

fn source(noise: &Noise, options: &ExportOptions, what: &str) -> String {
    exported(noise, options, what).text().expect("text").to_owned()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

/// Compiles a compute shader with glslang; returns the message if it refuses.
fn glslang(scratch: &Scratch, name: &str, flags: &[&str], source: &str) -> Result<Vec<u32>, String> {
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let input = scratch.file(&format!("{name}.comp"), source);
    let output = scratch.0.join(format!("{name}.spv"));
    let flags = [flags, &["-V", "--target-env", "vulkan1.1", "-S", "comp", "-o"]].concat();
    let result = Command::new("glslangValidator").args(flags).args([&output, &input]).output().expect("glslangValidator");
    if !result.status.success() {
        return Err(text(&result.stdout));
    }
    Ok(words(&std::fs::read(&output).expect("SPIR-V")))
}

fn compiled(scratch: &Scratch, name: &str, flags: &[&str], source: &str) -> Vec<u32> {
    glslang(scratch, name, flags, source).unwrap_or_else(|message| panic!("{name}: {message}"))
}

const HLSL: &[&str] = &["-D", "-e", "main"];

/// As above if only the compiler's message counts, which takes a quarter of the time.
const HLSL_UNOPTIMISED: &[&str] = &["-D", "-e", "main", "-Od"];

/// WGSL is valid, and nothing is declared that the two functions do not need.
fn assert_needed(wgsl: &str, what: &str) {
    let probe =
        format!("{wgsl}\n@compute @workgroup_size(1) fn main() {{ _ = orogen_value(vec3<f32>(0.0)); _ = orogen_jet(vec3<f32>(0.0)); }}\n");
    let mut module = naga::front::wgsl::parse_str(&probe).unwrap_or_else(|error| panic!("{what}: {}", error.emit_to_string(&probe)));
    let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
    validator.validate(&module).unwrap_or_else(|error| panic!("{what}: {}", error.emit_to_string(&probe)));
    let counts = |module: &naga::Module| {
        let structures = module.types.iter().filter(|(_, ty)| matches!(ty.inner, naga::TypeInner::Struct { .. })).count();
        (module.functions.len(), module.global_variables.len(), structures)
    };
    let before = counts(&module);
    compact(&mut module, KeepUnused::No);
    assert_eq!(before, counts(&module), "{what}: functions, variables, structures: some are of no use");
}

/// Every line without indentation is a declaration, and all declared names have the prefix.
fn assert_prefixed(source: &str, prefix: &str, what: &str) {
    let prefix = format!("{prefix}_");
    for line in source.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')) {
        let known = ["using metal::", "layout(local_size", "void main()", "void main(uint3 id", "fn main("];
        assert!(line.contains(&prefix) || known.iter().any(|k| line.starts_with(k)), "{what}: {line}");
    }
    for made_up in ["naga_", "_mslBufferSizes", "user(fake", "Constructo", "_pad1_0"] {
        let named = source.match_indices(made_up).any(|(at, _)| !source[..at].ends_with(&prefix));
        assert!(!named, "{what}: {made_up}");
    }
}

/// Checks common to all languages: the text, and SPIR-V by its validator.
fn assert_well_formed(scratch: &Scratch, (name, noise): &(String, Noise), storage: Storage) {
    let what = format!("{name} {storage:?}");
    let of = |language, entry| source(noise, &options(language, storage, entry, NEAR), &what);
    assert_needed(&of(Language::Wgsl, false), &what);
    for (language, entry) in [(Language::Wgsl, false), (Language::Msl, false), (Language::Wgsl, true), (Language::Msl, true)] {
        assert_prefixed(&of(language, entry), "orogen", &format!("{what}, {language:?}, entry: {entry}"));
    }
    let spirv = scratch.0.join(what.replace(' ', "_") + ".own.spv");
    let module = exported(noise, &options(Language::Spirv, storage, false, NEAR), &what);
    assert_eq!(module.text(), None, "{what}");
    std::fs::write(&spirv, module.file).expect("writable");
    let result = Command::new("spirv-val").args(["--target-env", "vulkan1.1"]).arg(&spirv).output().expect("spirv-val");
    assert!(result.status.success(), "{what}: {}", text(&result.stderr));
}

/// The noises per run of a compiler, because starting it takes longer than most of them.
const TOGETHER: usize = 8;

/// Compiles the libraries of some noises in one shader, each with a prefix of its own and, as includes may, twice.
fn compiled_together(scratch: &Scratch, noises: &[(String, Noise)], language: Language, storage: Storage) {
    let (mut libraries, mut calls) = (String::new(), String::new());
    for (i, (name, noise)) in noises.iter().enumerate() {
        let prefix = format!("n{i}");
        let library = source(noise, &ExportOptions { prefix: prefix.clone(), ..options(language, storage, false, NEAR) }, name);
        assert_prefixed(&library, &prefix, &format!("{name}, {language:?}"));
        libraries += &library;
        libraries += &library;
        calls += &match language {
            Language::Unity => {
                format!("{{ float value; float3 slope; {prefix}_noise_float(at, value, slope); sum += float4(slope, value); }}\n")
            }
            _ => format!("sum += {prefix}_jet(at) + {prefix}_value(at);\n"),
        };
    }
    let (flags, shader) = match language {
        Language::Glsl => (
            &[][..],
            format!(
                "#version 450\nlayout(local_size_x = 64) in;\n\
                 layout(std430, set = 1, binding = 0) writeonly buffer Result {{ vec4 result[]; }};\n{libraries}\
                 void main() {{ vec3 at = vec3(gl_GlobalInvocationID); vec4 sum = vec4(0.0); {calls} result[gl_GlobalInvocationID.x] = sum; }}"
            ),
        ),
        _ => (
            HLSL_UNOPTIMISED,
            format!(
                "RWStructuredBuffer<float4> result : register(u0);\n{libraries}\
                 [numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {{\n\
                 float3 at = float3(id); float4 sum = 0.0; {calls} result[id.x] = sum; }}"
            ),
        ),
    };
    let names: Vec<&str> = noises.iter().map(|(name, _)| name.as_str()).collect();
    let what = format!("{} {language:?} {storage:?}", names[0]);
    glslang(scratch, &what, flags, &shader).unwrap_or_else(|message| panic!("{names:?} in {language:?}, {storage:?}: {message}"));
}

/// Compiles whole shaders of a noise, with an entry point.
fn compiled_whole(scratch: &Scratch, (name, noise): &(String, Noise), storage: Storage) {
    for (language, flags) in [(Language::Glsl, &[][..]), (Language::Hlsl, HLSL_UNOPTIMISED)] {
        let what = format!("{name} {storage:?}, {language:?} with entry");
        let whole = source(noise, &options(language, storage, true, NEAR), &what);
        assert_prefixed(&whole, "orogen", &what);
        compiled(scratch, &what, flags, &whole);
    }
}

/// The files of what browsers get. There is no compiler of Godot's language outside of it: its text is that of GLSL ES.
fn fragments(scratch: &Scratch, (name, noise): &(String, Noise)) -> [PathBuf; 2] {
    [(Language::GlslEs, "es"), (Language::Godot, "godot")].map(|(language, ending)| {
        let library = source(noise, &options(language, Storage::Inline, false, NEAR), name);
        assert_prefixed(&library.replace("\nconst ", "\n"), "orogen", &format!("{name}, {language:?}"));
        let whole = format!(
            "#version 300 es\nprecision highp float;\nprecision highp int;\nuniform vec3 at;\nout vec4 seen;\n{library}{library}\
             void main() {{ seen = orogen_jet(at) + orogen_value(at); }}\n"
        );
        scratch.file(&format!("{}.{ending}.frag", name.replace(' ', "_")), &whole)
    })
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn every_noise_is_valid_in_every_language() {
    shader_tools();
    let scratch = Scratch::new("export-valid");
    let (first, others): (Vec<_>, Vec<_>) = nodes::all().into_iter().partition(|(name, _)| name.ends_with(" 0"));
    let files = first.par_chunks(TOGETHER).flat_map_iter(|noises| {
        for storage in [Storage::Inline, Storage::Buffer] {
            noises.iter().for_each(|noise| assert_well_formed(&scratch, noise, storage));
            for language in [Language::Glsl, Language::Hlsl] {
                compiled_together(&scratch, noises, language, storage);
            }
            // The entry is the same text for all.
            compiled_whole(&scratch, &noises[0], storage);
        }
        for language in [Language::Unity, Language::Unreal] {
            compiled_together(&scratch, noises, language, Storage::Inline);
        }
        noises.iter().flat_map(|noise| fragments(&scratch, noise)).collect::<Vec<_>>()
    });
    let files: Vec<PathBuf> = files.collect();
    // Nothing is linked, so that one compiler takes them all.
    let result = Command::new("glslangValidator").args(["-S", "frag"]).args(&files).output().expect("glslangValidator");
    assert!(result.status.success(), "{}", text(&result.stdout));
    // naga alone has to do for the other examples of a node.
    others.par_iter().for_each(|(name, noise)| {
        let of = |language| exported(noise, &options(language, Storage::Inline, false, NEAR), name);
        assert_needed(of(Language::Wgsl).text().expect("text"), name);
        for language in [Language::Hlsl, Language::Glsl, Language::Msl, Language::Spirv] {
            of(language);
        }
    });
    let recipes: Vec<_> = gallery::recipes().into_iter().map(|(name, _, recipe)| (name, gallery::noise(&recipe))).collect();
    recipes.par_iter().for_each(|case| {
        assert_well_formed(&scratch, case, Storage::Inline);
        compiled_together(&scratch, std::slice::from_ref(case), Language::Hlsl, Storage::Inline);
        compiled_whole(&scratch, case, Storage::Inline);
    });
}

/// Runs a shader on positions: 4 numbers for each.
fn dispatch(engine: &Engine, shader: &[u32], tables: &[Table], positions: &[[f32; 3]]) -> Vec<[f32; 4]> {
    let (device, queue) = engine.device().expect("a GPU");
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_SRC;
    let buffer = |words: &[u32]| {
        let contents: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents: &contents, usage })
    };
    let count = positions.len();
    let output = buffer(&vec![f32::NAN.to_bits(); 4 * count]);
    let four: Vec<u32> = positions.iter().flat_map(|&[x, y, z]| [x, y, z, 9.0].map(f32::to_bits)).collect();
    let storage = |read_only| wgpu::BufferBindingType::Storage { read_only };
    // wgpu numbers bindings anew where some are left out, which a shader that it does not translate cannot know: none are.
    let table = |binding| {
        let words = tables.iter().find(|table| table.binding == binding).map_or(&[0; 4][..], |table| &table.words);
        (binding, storage(true), buffer(words))
    };
    let output_group = vec![
        (0, storage(false), output.clone()),
        (1, storage(true), buffer(&four)),
        (2, wgpu::BufferBindingType::Uniform, buffer(&[count as u32])),
    ];
    let groups: [Vec<_>; 2] = [(0..8).map(table).collect(), output_group];
    let layouts = groups.each_ref().map(|group| {
        let entry = |&(binding, ty, _): &(u32, _, _)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
            count: None,
        };
        let entries: Vec<_> = group.iter().map(entry).collect();
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries })
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        bind_group_layouts: &layouts.each_ref().map(Some),
        ..Default::default()
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: Some(&layout),
        module: &passthrough::module(device, shader),
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        for (index, (group, layout)) in (0..).zip(groups.iter().zip(&layouts)) {
            let entries: Vec<_> = group
                .iter()
                .map(|(binding, _, buffer)| wgpu::BindGroupEntry { binding: *binding, resource: buffer.as_entire_binding() })
                .collect();
            let group = device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries });
            pass.set_bind_group(index, &group, &[]);
        }
        pass.dispatch_workgroups((count as u32).div_ceil(64), 1, 1);
    }
    let size = 16 * count as u64;
    let readback = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    encoder.copy_buffer_to_buffer(&output, 0, &readback, 0, size);
    queue.submit([encoder.finish()]);
    readback.map_async(wgpu::MapMode::Read, .., |result| result.expect("mapped"));
    device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
    let view = readback.get_mapped_range(..).expect("mapped");
    let numbers: Vec<f32> = words(&view).into_iter().map(f32::from_bits).collect();
    numbers.chunks_exact(4).map(|four| [four[0], four[1], four[2], four[3]]).collect()
}

/// The anchor, and places that are on no border of cells: there the last bit decides.
pub fn positions() -> Vec<[f32; 3]> {
    let mut random = Random(0x5eed);
    let mut all = vec![[0.0; 3], [-64.3, 32.7, 8.1], [0.53, -0.27, 1e-3]];
    all.extend((0..93).map(|_| std::array::from_fn(|_| random.between(-300.0, 300.0) as f32)));
    all
}

pub fn jets(noise: &Noise, anchor: [f64; 3]) -> Vec<[f32; 4]> {
    let jet = |Sample { value, gradient }| {
        let [x, y, z] = gradient.unwrap_or_default();
        [value, x, y, z].map(|number| number as f32)
    };
    cpu().sample_near(noise, anchor, &positions(), slopes(noise)).expect("samples").into_iter().map(jet).collect()
}

pub fn assert_same(got: &[[f32; 4]], expected: &[[f32; 4]], what: &str) {
    let bits = |jet: &[f32; 4]| jet.map(f32::to_bits);
    let first = got.iter().zip(expected).position(|(a, b)| bits(a) != bits(b));
    if let Some(i) = first {
        panic!("{what}: point {i}: {:?} against {:?}", got[i], expected[i]);
    }
    assert_eq!(got.len(), expected.len(), "{what}");
}

/// The bounds of fast arithmetic where positions are displaced, as all from an anchor are.
const FAST: [f64; 2] = [1e-4, 1e-3];

fn assert_near(got: &[[f32; 4]], expected: &[[f32; 4]], what: &str) {
    for (numbers, bound) in [(0..1, FAST[0]), (1..4, FAST[1])] {
        let of = |jets: &[[f32; 4]]| jets.iter().flat_map(|jet| jet[numbers.clone()].to_vec()).map(f64::from).collect::<Vec<_>>();
        let (got, expected) = (of(got), of(expected));
        let largest = expected.iter().fold(f64::from(f32::MIN_POSITIVE), |m, x| m.max(x.abs()));
        for (i, (a, b)) in got.iter().zip(&expected).enumerate() {
            assert!((a - b).abs() <= bound * largest, "{what}: numbers {numbers:?} {i}: {a:e} against {b:e}, largest {largest:e}");
        }
    }
}

/// A shader of a user around a library, in a version with which glslang starts in half the time.
fn around(library: &str) -> String {
    format!(
        "#version 430
#extension GL_EXT_shader_integer_mix : require
layout(local_size_x = 64) in;
layout(std430, set = 1, binding = 0) writeonly buffer Result {{ vec4 result[]; }};
layout(std430, set = 1, binding = 1) readonly buffer Places {{ vec4 places[]; }};
layout(set = 1, binding = 2) uniform Count {{ uint count; }};
{library}
{library}
void main() {{
    uint i = gl_GlobalInvocationID.x;
    if (i < count) {{
        result[i] = vec4(orogen_value(places[i].xyz), orogen_jet(places[i].xyz).yzw);
    }}
}}
"
    )
}

/// 10¹² out, or as far as a coordinate among the nodes reaches.
pub fn far(noise: &Noise) -> [f64; 3] {
    let fits = |anchor| export(noise, &options(Language::Wgsl, Storage::Inline, false, anchor)).is_ok();
    if fits(FAR) { FAR } else { FAR.map(|x| x * 1e-6) }
}

/// Whether a whole position becomes an f32 and is computed on: far out its last bit, which fast arithmetic does not keep, is much
/// of a cell, or many cells.
fn rounds(noise: &Noise) -> bool {
    noise.graph().node.values().any(|node| match node {
        Node::Polar(_) | Node::Domain(_) => true,
        Node::FastnoiseLite(of) => of.warp != FastnoiseWarp::None,
        _ => false,
    })
}

/// Bytes of SPIR-V from which tables in the source take lavapipe seconds to compile; valid for their compilers they are too.
const LARGEST: usize = 22_000;
/// Bytes of SPIR-V of whole shaders, which are compiled from three languages.
const LARGEST_WHOLE: usize = 16_000;

/// Languages whose whole shaders run, with everything in the source.
const WHOLE: [&str; 8] = ["simplex", "value", "perlin", "white", "hexagonal", "fractal", "radius", "transform"];

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn exported_shaders_run_and_give_the_noise() {
    let gpu = gpu();
    shader_tools();
    let scratch = Scratch::new("export-run");
    let somewhere = positions();
    let mut ran = [0; 2];
    for (name, noise) in &some() {
        for (anchor, storage) in [(NEAR, Storage::Inline), (far(noise), Storage::Buffer)] {
            let what = format!("{name} {storage:?}");
            let expected = jets(noise, anchor);
            let spirv = exported(noise, &options(Language::Spirv, storage, true, anchor), &what);
            if storage == Storage::Inline && spirv.file.len() > LARGEST {
                continue;
            }
            assert_same(&dispatch(gpu, &words(&spirv.file), &spirv.tables, &somewhere), &expected, &format!("{what}, SPIR-V"));
            ran[0] += 1;
            if storage == Storage::Buffer && rounds(noise) {
                continue;
            }
            let library = exported(noise, &options(Language::Glsl, storage, false, anchor), &what);
            let shader = compiled(&scratch, &what, &[], &around(library.text().expect("text")));
            assert_near(&dispatch(gpu, &shader, &library.tables, &somewhere), &expected, &format!("{what}, GLSL library"));
            ran[1] += 1;
        }
    }
    // Every recipe is too large.
    for kind in WHOLE {
        let (name, noise) = (kind.to_owned(), nodes::of_kind(kind).remove(0));
        let anchor = if rounds(&noise) { NEAR } else { far(&noise) };
        let size = exported(&noise, &options(Language::Spirv, Storage::Inline, true, anchor), &name).file.len();
        assert!(size <= LARGEST_WHOLE, "{name}: {size} bytes of SPIR-V");
        let whole = exported(&noise, &options(Language::Glsl, Storage::Inline, true, anchor), &name);
        let shader = compiled(&scratch, &format!("{name} whole"), &[], whole.text().expect("text"));
        assert_near(&dispatch(gpu, &shader, &[], &somewhere), &jets(&noise, anchor), &format!("{name}, GLSL"));
        let hlsl = source(&noise, &options(Language::Hlsl, Storage::Inline, true, anchor), &name);
        // Registers of all kinds share the bindings of Vulkan.
        let shader = compiled(&scratch, &format!("{name} hlsl"), HLSL, &hlsl);
        assert_near(&dispatch(gpu, &shader, &[], &somewhere), &jets(&noise, anchor), &format!("{name}, HLSL"));
    }
    // With tables in buffers all run, and two fifths of the nodes with tables in the source. Recipes are too large for that.
    let (all, nodes) = (some().len(), some().len() - gallery::recipes().len());
    assert!(5 * (ran[0] - all) > 2 * nodes && ran[1] > 9 * all / 8, "of {all} noises, {nodes} of them nodes, {ran:?} ran");
}

const RECIPE: &str =
    "output = \"n\"\n[node.s]\nkind = \"simplex\"\nwavelength = 40.0\nseed = 1\n[node.n]\nkind = \"fractal\"\nof = \"s\"\noctaves = 3\n";

fn noise(text: &str) -> Noise {
    Recipe::from_toml(text, "r.toml").expect("a recipe").noise().expect("a noise")
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn tables_in_buffers_are_live() {
    let gpu = gpu();
    let shader = exported(&noise(RECIPE), &options(Language::Spirv, Storage::Buffer, true, NEAR), "plain");
    let before = dispatch(gpu, &words(&shader.file), &shader.tables, &positions());
    for (from, to, anchor) in [
        ("wavelength = 40.0", "wavelength = 25.0", NEAR),
        ("seed = 1", "seed = 2", NEAR),
        ("octaves = 3", "octaves = 6\ngain = 0.6\nrotation = 30.0", NEAR),
        ("seed = 1", "seed = 1", FAR),
    ] {
        let changed = noise(&RECIPE.replace(from, to));
        let other = exported(&changed, &options(Language::Glsl, Storage::Buffer, false, anchor), to);
        assert_eq!(other.shape, shader.shape, "{to}");
        let after = dispatch(gpu, &words(&shader.file), &other.tables, &positions());
        assert_same(&after, &jets(&changed, anchor), to);
        assert_ne!(after, before, "'{to}' changed nothing");
    }
    let other = noise(&RECIPE.replace("kind = \"simplex\"", "kind = \"perlin\""));
    assert_ne!(exported(&other, &options(Language::Spirv, Storage::Buffer, true, NEAR), "perlin").shape, shader.shape);
}

#[test]
fn what_cannot_be_exported_is_an_error() {
    let plain = noise(RECIPE);
    for language in [Language::GlslEs, Language::Godot, Language::Unity, Language::Unreal] {
        for (storage, entry) in [(Storage::Buffer, false), (Storage::Inline, true)] {
            let refused = export(&plain, &options(language, storage, entry, NEAR));
            assert!(matches!(refused, Err(ExportError::Language { .. })), "{language:?} {storage:?} {entry}");
        }
    }
    for prefix in ["naga", "naga_hills", "gl", "webgl", "", "1a", "a__b", "a_", "_a", "a b", "é", "gl\n", &"x".repeat(33)] {
        let result = export(&plain, &ExportOptions { prefix: prefix.into(), ..Default::default() });
        assert!(matches!(&result, Err(ExportError::Prefix(wrong)) if wrong.value == format!("'{prefix}'")), "{prefix:?}: {result:?}");
    }
    for anchor in [[f64::NAN, 0.0, 0.0], [0.0, f64::INFINITY, 0.0], [0.0, 0.0, 1e16]] {
        assert!(matches!(export(&plain, &ExportOptions { anchor, ..Default::default() }), Err(ExportError::Anchor(_))), "{anchor:?}");
    }
    // Prefixes that are names in the library or of a language; names that would leave the comment.
    for prefix in ["jet", "worley", "simplex", "float", "a1", "main", "metal", "stone_block", "type", "Construct"] {
        for language in [Language::Wgsl, Language::Hlsl, Language::Glsl, Language::Msl, Language::Spirv] {
            let name = "x\ny\\".to_owned();
            let noise = nodes::of_kind("worley").remove(0).add(nodes::of_kind("spline").remove(0));
            let file = exported(&noise, &ExportOptions { prefix: prefix.into(), language, name, ..Default::default() }, prefix);
            if let Some(text) = file.text() {
                assert!(text.starts_with("// x y : "), "{text}");
                assert!(text.contains(&format!("{prefix}_value(")), "{prefix}, {language:?}");
            }
        }
    }
}

/// A constant of SPIR-V is one instruction, of at most 2¹⁶ − 1 words.
#[test]
fn longer_tables_than_a_language_holds_are_refused() {
    let raster = |[columns, rows]: [u32; 2]| {
        let heights = Heights::new((0..columns * rows).map(|i| (i % 101) as f32).collect(), [columns, rows]).expect("heights");
        Noise::raster(Raster { heights, ..Default::default() })
    };
    let inline = |language| options(language, Storage::Inline, false, NEAR);
    for (language, largest, larger) in [
        (Language::Spirv, [516, 127], [923, 71]),
        (Language::Wgsl, [256, 256], [6, 10_923]),
        (Language::GlslEs, [64, 64], [17, 241]),
        (Language::Godot, [64, 64], [17, 241]),
    ] {
        exported(&raster(largest), &inline(language), "the largest raster");
        let refused = export(&raster(larger), &inline(language));
        let [samples, most] = [larger, largest].map(|[columns, rows]| (columns * rows) as usize);
        assert_eq!(refused, Err(ExportError::Rasters { samples, most }), "{language:?}");
    }
    let buffer = exported(&raster([923, 71]), &options(Language::Spirv, Storage::Buffer, true, NEAR), "a buffer");
    assert!(buffer.tables.iter().any(|table| table.words.len() == 65_533));
    let curve = Noise::perlin(Perlin::default()).equalise((0..65_536).map(|i| f64::from(i).powi(2)).collect());
    let refused = export(&curve, &inline(Language::Spirv)).expect_err("a long table").to_string();
    let expected =
        "a table of more than 65532 elements in the source is not allowed in SPIR-V; allowed: tables in buffers (--tables buffer)";
    assert_eq!(refused, expected);
}

#[test]
fn the_command_writes_files_or_to_standard_output() {
    let scratch = Scratch::new("export-command");
    let recipe = scratch.file("hills.toml", RECIPE);
    let path = |p: &Path| p.to_str().expect("UTF-8").to_owned();
    let recipe = path(&recipe);
    let of = |more: &[&str]| run(&[&["export", recipe.as_str()], more].concat(), "");
    let wgsl = of(&["--lang", "wgsl", "--anchor", "-5,1e6,0.5", "--prefix", "hills"]);
    assert_eq!(wgsl.status.code(), Some(0), "{}", text(&wgsl.stderr));
    let printed = text(&wgsl.stdout);
    for part in ["// hills.toml: ", env!("CARGO_PKG_VERSION"), "(-5.0, 1000000.0, 0.5)", "fn hills_value(", "fn hills_jet("] {
        assert!(printed.contains(part), "'{part}' is not in: {printed}");
    }
    let out = scratch.0.join("hills.hlsl");
    assert_eq!(of(&["--lang", "hlsl", "-o", &path(&out)]).status.code(), Some(0));
    assert!(std::fs::read_to_string(&out).expect("written").contains("float4 orogen_jet(float3"));
    let spirv = of(&["--lang", "spirv"]);
    assert_eq!(words(&spirv.stdout).first(), Some(&0x0723_0203));

    let glsl = scratch.0.join("hills.glsl");
    assert_eq!(of(&["--lang", "glsl", "--tables", "buffer", "-o", &path(&glsl)]).status.code(), Some(0));
    let tables: serde_json::Value =
        serde_json::from_slice(&std::fs::read(scratch.0.join("hills.glsl.json")).expect("tables")).expect("JSON");
    let text_of = std::fs::read_to_string(&glsl).expect("written");
    assert!(text_of.contains(tables["shape"].as_str().expect("a shape")), "the shape is in both");
    for table in tables["tables"].as_array().expect("tables") {
        let [name, binding] = ["name", "binding"].map(|key| table[key].to_string().replace('"', ""));
        assert!(text_of.contains(&format!("set = 0, binding = {binding}: {name}")), "{name}");
        assert_eq!(table["words"].as_array().expect("words").len() as u64 * 4 % table["stride"].as_u64().expect("stride"), 0);
    }
    let elsewhere = scratch.0.join("t.json");
    assert_eq!(of(&["--lang", "msl", "--tables", "buffer", "--tables-out", &path(&elsewhere)]).status.code(), Some(0));
    assert!(elsewhere.is_file());

    let bad = path(&scratch.file("bad.toml", &RECIPE.replace("40.0", "-40.0")));
    for (args, code) in [
        (&["--lang", "wgsl", "--anchor", "1,2"][..], 2),
        (&["--lang", "wgsl", "--anchor", "1,2,x"], 2),
        (&["--lang", "wgsl", "--anchor", "nan,0,0"], 2),
        (&["--lang", "wgsl", "--anchor", "1e300,0,0"], 2),
        (&["--lang", "wgsl", "--prefix", "a-b"], 2),
        (&["--lang", "metal"], 2),
        (&[], 2),
        (&["--lang", "wgsl", "--tables", "buffer"], 2),
        (&["--lang", "wgsl", "--tables-out", "t.json"], 2),
        (&["--lang", "wgsl", "-o", "/proc/no/x.wgsl"], 74),
        (&["--lang", "wgsl", "-o", "/dev/full"], 74),
    ] {
        let output = of(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    assert_eq!(run(&["export", &bad, "--lang", "wgsl"], "").status.code(), Some(65));
    assert_eq!(run(&["export", "none.toml", "--lang", "wgsl"], "").status.code(), Some(74));
    let left = std::fs::read_dir(&scratch.0).expect("dir").flatten().any(|f| f.file_name().to_string_lossy().contains("partial"));
    assert!(!left, "a half file is left");
}
