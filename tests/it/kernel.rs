//! The content of kernels: only operations with a single meaning (the arithmetic contract), and readable text.

use crate::nodes;
use crate::support::{Scratch, shader_tools, slopes};
use naga::{BinaryOperator, Block, Expression, Function, Handle, Literal, MathFunction, Module, ScalarKind, Statement};
use orogen::texture::KernelKind;
use orogen::texture::{Content, wgsl};
use orogen::wgpu::{TextureFormat as Format, TextureViewDimension};
use orogen::{Gradient, Recipe, testing};
use std::path::Path;
use std::process::Command;

/// The first operation of a module that different drivers may compute differently.
fn forbidden(source: &str) -> Option<String> {
    let module = naga::front::wgsl::parse_str(source).unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
    let info = validator.validate(&module).unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    let functions = module.functions.iter().map(|(handle, function)| (function, &info[handle]));
    let entries = module.entry_points.iter().enumerate().map(|(i, entry)| (&entry.function, info.get_entry_point(i)));
    for (function, info) in functions.chain(entries) {
        let is_float = |handle: Handle<Expression>| info[handle].ty.inner_with(&module.types).scalar_kind() == Some(ScalarKind::Float);
        for (handle, expression) in function.expressions.iter() {
            use BinaryOperator as Op;
            let wrong = match expression {
                Expression::Binary { op, left, .. } if is_float(*left) => {
                    !matches!(op, Op::Add | Op::Subtract | Op::Multiply | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual)
                }
                Expression::Binary { op: Op::Divide | Op::Modulo, right, .. } => !is_guarded(&module, function, handle, *right),
                Expression::Math { fun, .. } => !matches!(fun, MathFunction::Abs | MathFunction::Floor | MathFunction::FirstTrailingBit),
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

/// Whether a number is a constant that is not 0 in every component, or, with `zero`, a constant 0.
fn is_constant(module: &Module, function: &Function, handle: Handle<Expression>, zero: bool) -> bool {
    let is = |literal: &Literal| match literal {
        Literal::U32(x) => (*x == 0) == zero,
        Literal::I32(x) => (*x == 0) == zero,
        _ => false,
    };
    let of_module = |handle| matches!(&module.global_expressions[handle], Expression::Literal(literal) if is(literal));
    match &function.expressions[handle] {
        Expression::Literal(literal) => is(literal),
        Expression::ZeroValue(_) => zero,
        Expression::Constant(constant) => of_module(module.constants[*constant].init),
        Expression::Splat { value, .. } => is_constant(module, function, *value, zero),
        Expression::Compose { components, .. } => components.iter().all(|part| is_constant(module, function, *part, zero)),
        _ => false,
    }
}

/// Whether two expressions are the same argument, or the same member of it.
fn is_same(function: &Function, a: Handle<Expression>, b: Handle<Expression>) -> bool {
    a == b
        || match (&function.expressions[a], &function.expressions[b]) {
            (Expression::AccessIndex { base, index }, Expression::AccessIndex { base: other, index: same }) => {
                index == same && is_same(function, *base, *other)
            }
            (Expression::FunctionArgument(a), Expression::FunctionArgument(b)) => a == b,
            _ => false,
        }
}

/// Whether a condition is `divisor == 0`.
fn is_zero_test(module: &Module, function: &Function, condition: Handle<Expression>, divisor: Handle<Expression>) -> bool {
    matches!(function.expressions[condition], Expression::Binary { op: BinaryOperator::Equal, left, right }
        if is_same(function, left, divisor) && is_constant(module, function, right, true))
}

/// Whether a division's divisor cannot be 0. It is a constant, or `select(x, 1, x == 0)`, or the function has returned before if
/// `divisor == 0`.
fn is_guarded(module: &Module, function: &Function, division: Handle<Expression>, divisor: Handle<Expression>) -> bool {
    if is_constant(module, function, divisor, false) {
        return true;
    }
    if let Expression::Select { condition, accept, reject } = function.expressions[divisor] {
        return is_constant(module, function, accept, false) && is_zero_test(module, function, condition, reject);
    }
    let returns = |block: &Block| matches!(block.last(), Some(Statement::Return { .. }));
    for statement in &function.body {
        match statement {
            Statement::If { condition, accept, .. } if returns(accept) && is_zero_test(module, function, *condition, divisor) => {
                return true;
            }
            _ if evaluates(statement, division) => return false,
            _ => (),
        }
    }
    false
}

/// Whether an expression is evaluated in a statement.
fn evaluates(statement: &Statement, expression: Handle<Expression>) -> bool {
    let inside = |block: &Block| block.iter().any(|statement| evaluates(statement, expression));
    match statement {
        Statement::Emit(range) => range.clone().any(|emitted| emitted == expression),
        Statement::Block(block) => inside(block),
        Statement::If { accept, reject, .. } => inside(accept) || inside(reject),
        Statement::Switch { cases, .. } => cases.iter().any(|case| inside(&case.body)),
        Statement::Loop { body, continuing, .. } => inside(body) || inside(continuing),
        _ => false,
    }
}

#[test]
fn kernels_use_only_operations_that_mean_one_thing() {
    for (name, noise) in nodes::all() {
        for gradient in [Gradient::Without, slopes(&noise)] {
            assert_eq!(forbidden(&wgsl(&noise, KernelKind::field(gradient)).expect(&name)), None, "{name}");
        }
    }
    for (name, source) in orogen::testing::pass_kernels().into_iter().chain(orogen::testing::water_kernels()) {
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

#[test]
fn the_walk_finds_divisions_that_nothing_keeps_from_a_divisor_of_0() {
    for body in [
        "return x / y;",
        "return x % y;",
        "return x / (y + 1);",
        "return x / select(y, 0, y == 0);",
        "return x / select(y, 1, x == 0);",
        "if y == 1 { return 0; } return x / y;",
        "if y == 0 { x = 1; } return x / y;",
        "if x > 0 { if y == 0 { return 0; } } return x / y;",
        "let q = x / y; if y == 0 { return 0; } return q;",
        "while x > 9 { x = x / y; } if y == 0 { return 0; } return x;",
    ] {
        let source = format!("fn f(first: i32, y: i32) -> i32 {{ var x = first; {body} }}");
        assert!(forbidden(&source).is_some(), "{body} went unnoticed");
    }
    for body in ["return x / 3;", "return x / select(y, 1, y == 0);", "if y == 0 { return 0; } return x / y;"] {
        assert_eq!(forbidden(&format!("fn f(x: i32, y: i32) -> i32 {{ {body} }}")), None, "{body}");
    }
}

/// The program's own functions; the library before them is checked in as it is.
fn program(source: &str) -> &str {
    source.split_once("// The program.\n").expect("every kernel has a program").1
}

#[test]
fn emitted_programs_are_the_snapshots() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("tests/snapshots");
    let recipe = |name: &str| {
        Recipe::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("recipes").join(name)).expect(name).noise().expect(name)
    };
    let one = |kind: &str, i: usize| nodes::of_kind(kind).remove(i);
    for (name, noise, gradient) in [
        ("simplex", one("simplex", 0), Gradient::Without),
        ("nested_fractals", one("fractal", 3), Gradient::Without),
        ("warp_under_warp", one("warp", 2), Gradient::With),
        ("document", recipe("terrain_shader.toml"), Gradient::Without),
        ("alps", recipe("alps.toml"), Gradient::With),
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
fn the_naive_kernels_that_ours_are_measured_beside_are_valid() {
    let naive = include_str!("../../benches/kernels/naive.wgsl");
    let noises: Vec<&str> =
        naive.lines().filter_map(|line| line.strip_prefix("fn naive_")).filter_map(|rest| rest.split('(').next()).collect();
    assert!(noises.len() >= 4, "{noises:?}");
    for noise in noises {
        let position = if noise.ends_with('2') { "p.xy" } else { "p" };
        let text = naive.replace("NOISE", &format!("naive_{noise}({position} * scale, key)"));
        let source = orogen::testing::shaders(&["interpolate", "lattice", "simplex"]).expect("the library") + &text;
        let module = naga::front::wgsl::parse_str(&source).expect(noise);
        let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
        validator.validate(&module).expect(noise);
    }
}

#[test]
fn names_and_numbers_do_not_reach_the_kernel() {
    let a = nodes::of_kind("spline").remove(0);
    let b = nodes::of_kind("spline").remove(0).named("another name");
    assert_eq!(wgsl(&a, KernelKind::field(Gradient::Without)).expect("a"), wgsl(&b, KernelKind::field(Gradient::Without)).expect("b"));
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs shader tools")]
fn what_floats_are_held_to_is_asked_for_where_it_may_stand() {
    shader_tools();
    let scratch = Scratch::new("float-controls");
    let noise = nodes::of_kind("fractal").remove(0);
    let wgsl = wgsl(&noise, KernelKind::field(Gradient::With)).expect("a kernel");
    let [held, free] = testing::spirv(&wgsl).expect("SPIR-V");
    for (name, words) in [("held", &held), ("free", &free)] {
        let path = scratch.0.join(name);
        std::fs::write(&path, words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()).expect("writable");
        let result = Command::new("spirv-val").args(["--target-env", "vulkan1.2"]).arg(&path).output().expect("spirv-val");
        assert!(result.status.success(), "{name}: {}", String::from_utf8_lossy(&result.stdout));
    }
    // Three capabilities, the extension's name, three execution modes.
    assert_eq!(held.len(), free.len() + 3 * 2 + 7 + 3 * 4);
    let width = 32;
    for mode in [4459, 4461, 4462] {
        assert!(held.windows(2).any(|pair| pair == [mode, width]), "{mode}");
    }
}
