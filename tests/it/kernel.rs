//! What kernels are made of: only operations that mean one thing (DESIGN's arithmetic contract), and readable text.

use crate::nodes;
use naga::{BinaryOperator, Expression, MathFunction, ScalarKind};
use orogen::Recipe;
use orogen::texture::KernelKind;
use orogen::texture::{Content, wgsl};
use orogen::wgpu::{TextureFormat as Format, TextureViewDimension};
use std::path::Path;

/// The first operation of a module that different drivers may compute differently.
fn forbidden(source: &str) -> Option<String> {
    let module = naga::front::wgsl::parse_str(source).unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
    let info = validator.validate(&module).unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    let functions = module.functions.iter().map(|(handle, function)| (function, &info[handle]));
    let entries = module.entry_points.iter().enumerate().map(|(i, entry)| (&entry.function, info.get_entry_point(i)));
    for (function, info) in functions.chain(entries) {
        let is_float =
            |handle: naga::Handle<Expression>| info[handle].ty.inner_with(&module.types).scalar_kind() == Some(ScalarKind::Float);
        for (_, expression) in function.expressions.iter() {
            let wrong = match expression {
                Expression::Binary { op, left, .. } if is_float(*left) => {
                    use BinaryOperator as Op;
                    !matches!(op, Op::Add | Op::Subtract | Op::Multiply | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual)
                }
                Expression::Math { fun, .. } => !matches!(fun, MathFunction::Abs | MathFunction::Floor),
                Expression::Derivative { .. }
                | Expression::ImageSample { .. }
                | Expression::ImageLoad { .. }
                | Expression::SubgroupBallotResult
                | Expression::SubgroupOperationResult { .. } => true,
                _ => false,
            };
            if wrong {
                return Some(format!("{}: {expression:?}", function.name.as_deref().unwrap_or("main")));
            }
        }
    }
    None
}

#[test]
fn kernels_use_only_operations_that_mean_one_thing() {
    for (name, noise) in nodes::all() {
        for gradient in [false, true] {
            assert_eq!(forbidden(&wgsl(&noise, KernelKind::field(gradient)).expect(&name)), None, "{name}");
        }
    }
    for (name, source) in orogen::pass_kernels() {
        assert_eq!(forbidden(&source), None, "{name}");
    }
    let noise = nodes::of_kind("simplex").remove(0);
    for (format, content) in [
        (Format::R32Float, Content::Value),
        (Format::Rgba16Float, Content::Jet),
        (Format::Rg32Float, Content::Gradient),
        (Format::Rgba8Unorm, Content::Normal),
    ] {
        let kernel = wgsl(&noise, KernelKind::texture(format, TextureViewDimension::D2, content)).expect("a kernel");
        assert_eq!(forbidden(&kernel), None, "{format:?}, {content:?}");
    }
}

#[test]
fn the_walk_finds_what_is_forbidden() {
    for body in [
        "x / 3.0",
        "sin(x)",
        "mix(x, 1.0, 0.5)",
        "x % 2.0",
        "fma(x, x, x)",
        "dot(vec2<f32>(x), vec2<f32>(x))",
        "min(x, 1.0)",
        "sqrt(x)",
        "fract(x)",
    ] {
        let source = format!("fn f(x: f32) -> f32 {{ return {body}; }}");
        assert!(forbidden(&source).is_some(), "{body} went unnoticed");
    }
    assert_eq!(forbidden("fn f(x: f32) -> f32 { return floor(x) * 2.0 - f32(u32(7) % 4u); }"), None);
}

/// The program's own functions; the library before them is checked in as it is.
fn program(source: &str) -> &str {
    source.split_once("// The program.\n").expect("every kernel has a program").1
}

#[test]
fn emitted_programs_are_the_snapshots() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let recipe =
        |name: &str| Recipe::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("recipes").join(name)).expect(name).noise().expect(name);
    let one = |kind: &str, i: usize| nodes::of_kind(kind).remove(i);
    for (name, noise, gradient) in [
        ("simplex", one("simplex", 0), false),
        ("nested_fractals", one("fractal", 3), false),
        ("warp_under_warp", one("warp", 2), true),
        ("document", recipe("terrain_shader.toml"), false),
        ("alps", recipe("alps.toml"), true),
    ] {
        let source = wgsl(&noise, KernelKind::field(gradient)).expect(name);
        let path = folder.join(format!("{name}.wgsl"));
        if std::env::var_os("OROGEN_FREEZE").is_some() {
            std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, program(&source))).expect("the source tree is writable");
        }
        let snapshot = std::fs::read_to_string(&path).expect("a snapshot; OROGEN_FREEZE=1 writes it");
        assert_eq!(program(&source), snapshot, "{name}: the emitter changed; OROGEN_FREEZE=1 writes the snapshots anew");
    }
}

#[test]
fn names_and_numbers_do_not_reach_the_kernel() {
    let a = nodes::of_kind("spline").remove(0);
    let b = nodes::of_kind("spline").remove(0).named("another name");
    assert_eq!(wgsl(&a, KernelKind::field(false)).expect("a"), wgsl(&b, KernelKind::field(false)).expect("b"));
}
