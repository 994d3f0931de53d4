//! Expressions as numbers of JavaScript.

use super::{Context, scalars, scalars_of, view};
use naga::valid::FunctionInfo;
use naga::{
    Arena, BinaryOperator, Expression, Function, Handle, Literal, MathFunction, RelationalFunction, Scalar, ScalarKind, SwizzleComponent,
    Type, TypeInner, UnaryOperator,
};
use std::collections::HashMap;

/// The numbers of a value: names, literals, or expressions in parentheses.
pub type Numbers = Vec<String>;

/// The expressions of a function.
pub struct Values<'a> {
    pub context: Context<'a>,
    pub function: &'a Function,
    pub info: &'a FunctionInfo,
    /// Those that have names.
    pub named: HashMap<Handle<Expression>, Numbers>,
}

/// The target of a pointer.
pub enum Place {
    /// Some of the numbers of a local variable.
    Local(Numbers),
    /// The words of a table from an index on, which is an expression.
    Table { name: String, index: Option<String>, first: u32 },
}

impl Values<'_> {
    fn inner(&self, expression: Handle<Expression>) -> &TypeInner {
        self.info[expression].ty.inner_with(&self.context.module.types)
    }

    /// The kinds of the numbers of an expression.
    pub fn kinds(&self, expression: Handle<Expression>) -> Result<Vec<Scalar>, String> {
        scalars_of(self.context.module, self.inner(expression))
    }

    fn kind(&self, expression: Handle<Expression>) -> Result<ScalarKind, String> {
        self.kinds(expression)?.first().map(|scalar| scalar.kind).ok_or_else(|| "a value without numbers".to_owned())
    }

    /// Whether it is a pointer, which has no value of its own.
    pub fn is_pointer(&self, expression: Handle<Expression>) -> bool {
        matches!(self.inner(expression), TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. })
    }

    /// The numbers of an expression.
    pub fn numbers(&self, expression: Handle<Expression>) -> Result<Numbers, String> {
        match self.named.get(&expression) {
            Some(numbers) => Ok(numbers.clone()),
            None => self.computed(expression),
        }
    }

    /// The only number of an expression.
    pub fn number(&self, expression: Handle<Expression>) -> Result<String, String> {
        let numbers = self.numbers(expression)?;
        <[String; 1]>::try_from(numbers).map(|[number]| number).map_err(|numbers| format!("{} numbers in place of one", numbers.len()))
    }

    /// An expression by its operation, as if it had no name.
    pub fn computed(&self, expression: Handle<Expression>) -> Result<Numbers, String> {
        let module = self.context.module;
        match self.function.expressions[expression] {
            Expression::FunctionArgument(index) => {
                let argument = &self.function.arguments[index as usize];
                let name = argument.name.as_deref().unwrap_or("argument");
                Ok(names(&format!("{name}_{index}"), scalars(module, argument.ty)?.len()))
            }
            Expression::AccessIndex { base, index } => {
                let numbers = self.numbers(base)?;
                let (first, count) = part(self.context, self.inner(base), index)?;
                Ok(numbers[first..first + count].to_vec())
            }
            Expression::Splat { size, value } => Ok(vec![self.number(value)?; size as usize]),
            Expression::Swizzle { size, vector, pattern } => {
                let numbers = self.numbers(vector)?;
                Ok(pattern[..size as usize].iter().map(|component| numbers[*component as usize].clone()).collect())
            }
            Expression::Load { pointer } => self.loaded(pointer),
            Expression::Unary { op, expr } => {
                let kind = self.kind(expr)?;
                self.numbers(expr)?.iter().map(|x| unary(op, kind, x)).collect()
            }
            Expression::Binary { op, left, right } => {
                let kind = self.kind(left)?;
                paired(&self.numbers(left)?, &self.numbers(right)?).map(|(a, b)| binary(op, kind, a, b)).collect()
            }
            Expression::Select { condition, accept, reject } => {
                let (condition, accept, reject) = (self.numbers(condition)?, self.numbers(accept)?, self.numbers(reject)?);
                let choices = paired(&accept, &reject).enumerate();
                Ok(choices.map(|(i, (a, r))| format!("({} ? {a} : {r})", condition[i.min(condition.len() - 1)])).collect())
            }
            Expression::Relational { fun: RelationalFunction::All, argument } => {
                Ok(vec![format!("({})", self.numbers(argument)?.join(" && "))])
            }
            Expression::Math { fun, arg, arg1: None, .. } => {
                let kind = self.kind(arg)?;
                self.numbers(arg)?.iter().map(|x| math(fun, kind, x)).collect()
            }
            Expression::As { expr, kind, convert } => {
                let from = self.kind(expr)?;
                self.numbers(expr)?.iter().map(|x| converted(from, kind, convert.is_some(), x)).collect()
            }
            _ => self.constant(&self.function.expressions, expression),
        }
    }

    /// A constant expression of this arena.
    fn constant(&self, arena: &Arena<Expression>, expression: Handle<Expression>) -> Result<Numbers, String> {
        let module = self.context.module;
        match &arena[expression] {
            Expression::Literal(literal) => Ok(vec![number(*literal)?]),
            Expression::ZeroValue(ty) => zero(self.context, *ty),
            Expression::Constant(constant) => self.constant(&module.global_expressions, module.constants[*constant].init),
            Expression::Compose { components, .. } => {
                let within_function = std::ptr::eq(arena, &self.function.expressions);
                let each = components.iter().map(|&part| if within_function { self.numbers(part) } else { self.constant(arena, part) });
                Ok(each.collect::<Result<Vec<_>, _>>()?.concat())
            }
            Expression::Splat { size, value } => Ok(vec![self.constant(arena, *value)?.concat(); *size as usize]),
            other => Err(format!("the expression {other:?}")),
        }
    }

    /// The target of a pointer.
    pub fn place(&self, pointer: Handle<Expression>) -> Result<Place, String> {
        let module = self.context.module;
        match self.function.expressions[pointer] {
            Expression::LocalVariable(local) => {
                let variable = &self.function.local_variables[local];
                Ok(Place::Local(self.local(variable, local.index())?))
            }
            Expression::GlobalVariable(global) => {
                let name = module.global_variables[global].name.clone().ok_or("a table has no name")?;
                Ok(Place::Table { name, index: None, first: 0 })
            }
            Expression::AccessIndex { base, index } => {
                let pointee = self.pointee(base)?;
                Ok(match self.place(base)? {
                    Place::Local(names) => {
                        let (first, count) = part(self.context, pointee, index)?;
                        Place::Local(names[first..first + count].to_vec())
                    }
                    Place::Table { name, index: element, first } => {
                        Place::Table { name, index: element, first: first + offset(pointee, index)? }
                    }
                })
            }
            Expression::Access { base, index } => match (self.place(base)?, self.pointee(base)?) {
                (Place::Table { name, index: None, first }, TypeInner::Array { stride, .. }) => {
                    let index = self.number(index)?;
                    Ok(Place::Table { name, index: Some(if *stride == 4 { index } else { format!("{index} * {}", stride / 4) }), first })
                }
                _ => Err("a pointer by an index that is computed".to_owned()),
            },
            ref other => Err(format!("the pointer {other:?}")),
        }
    }

    /// The names of a local variable's numbers.
    pub fn local(&self, variable: &naga::LocalVariable, index: usize) -> Result<Numbers, String> {
        let name = variable.name.as_deref().unwrap_or("variable");
        Ok(names(&format!("{name}_v{index}"), scalars(self.context.module, variable.ty)?.len()))
    }

    fn pointee(&self, pointer: Handle<Expression>) -> Result<&TypeInner, String> {
        match self.inner(pointer) {
            TypeInner::Pointer { base, .. } => Ok(&self.context.module.types[*base].inner),
            other => Err(format!("a pointer of type {other:?}")),
        }
    }

    fn loaded(&self, pointer: Handle<Expression>) -> Result<Numbers, String> {
        let (name, index, first) = match self.place(pointer)? {
            Place::Local(names) => return Ok(names),
            Place::Table { name, index, first } => (name, index, first),
        };
        let (context, pointee) = (self.context, self.inner(pointer));
        let inner = match pointee {
            TypeInner::Pointer { base, .. } => context.module.types[*base].inner.clone(),
            TypeInner::ValuePointer { size: Some(size), scalar, .. } => TypeInner::Vector { size: *size, scalar: *scalar },
            TypeInner::ValuePointer { size: None, scalar, .. } => TypeInner::Scalar(*scalar),
            other => return Err(format!("a pointer of type {other:?}")),
        };
        let table = context.tables.iter().find(|table| format!("{}_{}", context.prefix, table.name) == name);
        let table = table.ok_or_else(|| format!("the variable {name}"))?;
        let mut numbers = Vec::new();
        for (word, kind) in words(context, &inner, first)? {
            let at = match &index {
                Some(index) if word == 0 => index.clone(),
                Some(index) => format!("{index} + {word}"),
                None => word.to_string(),
            };
            numbers.push(format!("{}[{at}]", view(context.prefix, &table.name, kind)?));
        }
        Ok(numbers)
    }
}

/// The words of a value in a table, with their kinds.
fn words(context: Context<'_>, inner: &TypeInner, first: u32) -> Result<Vec<(u32, ScalarKind)>, String> {
    match inner {
        TypeInner::Scalar(scalar) => Ok(vec![(first, scalar.kind)]),
        TypeInner::Vector { size, scalar } => Ok((0..*size as u32).map(|i| (first + i, scalar.kind)).collect()),
        TypeInner::Struct { members, .. } => {
            let each = members.iter().map(|member| words(context, &context.module.types[member.ty].inner, first + member.offset / 4));
            Ok(each.collect::<Result<Vec<_>, _>>()?.concat())
        }
        other => Err(format!("a table of {other:?}")),
    }
}

/// The words before a member of a structure, or a component of a vector.
fn offset(of: &TypeInner, index: u32) -> Result<u32, String> {
    match of {
        TypeInner::Struct { members, .. } => Ok(members[index as usize].offset / 4),
        TypeInner::Vector { .. } => Ok(index),
        TypeInner::Array { stride, .. } => Ok(index * stride / 4),
        other => Err(format!("a part of {other:?}")),
    }
}

/// The first number and the count of a member of a structure, or of a component of a vector.
fn part(context: Context<'_>, of: &TypeInner, index: u32) -> Result<(usize, usize), String> {
    match of {
        TypeInner::Vector { .. } => Ok((index as usize, 1)),
        TypeInner::Struct { members, .. } => {
            let count = |ty: Handle<Type>| scalars(context.module, ty).map(|scalars| scalars.len());
            let before: Result<Vec<_>, _> = members[..index as usize].iter().map(|member| count(member.ty)).collect();
            Ok((before?.into_iter().sum(), count(members[index as usize].ty)?))
        }
        other => Err(format!("a part of {other:?}")),
    }
}

/// Names of the numbers of a value.
pub fn names(name: &str, count: usize) -> Numbers {
    match count {
        1 => vec![name.to_owned()],
        2..=4 => {
            SwizzleComponent::XYZW[..count].iter().map(|component| format!("{name}{}", format!("{component:?}").to_lowercase())).collect()
        }
        _ => (0..count).map(|i| format!("{name}_{i}")).collect(),
    }
}

/// Zeros of a type.
pub fn zero(context: Context<'_>, ty: Handle<Type>) -> Result<Numbers, String> {
    let zero = |scalar: &Scalar| if scalar.kind == ScalarKind::Bool { "false" } else { "0" }.to_owned();
    Ok(scalars(context.module, ty)?.iter().map(zero).collect())
}

/// Numbers of two values; a single one belongs to each of the other's.
fn paired<'a>(a: &'a [String], b: &'a [String]) -> impl Iterator<Item = (&'a String, &'a String)> {
    (0..a.len().max(b.len())).map(|i| (&a[i.min(a.len() - 1)], &b[i.min(b.len() - 1)]))
}

/// A literal. The decimal form of an f32 as f64 is exact.
fn number(literal: Literal) -> Result<String, String> {
    let text = match literal {
        Literal::F32(x) if x.is_finite() => format!("{:?}", f64::from(x)),
        Literal::U32(x) => x.to_string(),
        Literal::I32(x) => x.to_string(),
        Literal::Bool(x) => x.to_string(),
        other => return Err(format!("the literal {other:?}")),
    };
    let short = text.strip_suffix(".0").filter(|_| text != "-0.0").unwrap_or(&text);
    Ok(if short.starts_with('-') { format!("({short})") } else { short.to_owned() })
}

fn unary(op: UnaryOperator, kind: ScalarKind, x: &str) -> Result<String, String> {
    match (op, kind) {
        (UnaryOperator::Negate, ScalarKind::Float) => Ok(format!("(-{x})")),
        (UnaryOperator::Negate, ScalarKind::Sint) => Ok(format!("(-{x} | 0)")),
        (UnaryOperator::LogicalNot, _) => Ok(format!("(!{x})")),
        (UnaryOperator::BitwiseNot, ScalarKind::Sint) => Ok(format!("(~{x})")),
        (UnaryOperator::BitwiseNot, ScalarKind::Uint) => Ok(format!("(~{x} >>> 0)")),
        _ => Err(format!("{op:?} of {kind:?}")),
    }
}

fn binary(op: BinaryOperator, kind: ScalarKind, a: &str, b: &str) -> Result<String, String> {
    use BinaryOperator as Op;
    let sign = match op {
        Op::Add => "+",
        Op::Subtract => "-",
        Op::Multiply => "*",
        Op::Divide => "/",
        Op::Modulo => "%",
        Op::Equal => "===",
        Op::NotEqual => "!==",
        Op::Less => "<",
        Op::LessEqual => "<=",
        Op::Greater => ">",
        Op::GreaterEqual => ">=",
        Op::And if kind == ScalarKind::Bool => "&&",
        Op::InclusiveOr if kind == ScalarKind::Bool => "||",
        Op::LogicalAnd => "&&",
        Op::LogicalOr => "||",
        Op::And => "&",
        Op::InclusiveOr => "|",
        Op::ExclusiveOr => "^",
        Op::ShiftLeft => "<<",
        Op::ShiftRight if kind == ScalarKind::Uint => ">>>",
        Op::ShiftRight => ">>",
    };
    let is_exact = matches!(sign, "===" | "!==" | "<" | "<=" | ">" | ">=" | "&&" | "||");
    match kind {
        _ if is_exact => Ok(format!("({a} {sign} {b})")),
        ScalarKind::Float if matches!(op, Op::Add | Op::Subtract | Op::Multiply | Op::Divide) => Ok(format!("fround({a} {sign} {b})")),
        ScalarKind::Sint if op == Op::Multiply => Ok(format!("imul({a}, {b})")),
        ScalarKind::Uint if op == Op::Multiply => Ok(format!("(imul({a}, {b}) >>> 0)")),
        ScalarKind::Sint if matches!(sign, "&" | "|" | "^" | "<<" | ">>") => Ok(format!("({a} {sign} {b})")),
        ScalarKind::Sint => Ok(format!("(({a} {sign} {b}) | 0)")),
        ScalarKind::Uint if sign == ">>>" => Ok(format!("({a} >>> {b})")),
        ScalarKind::Uint => Ok(format!("(({a} {sign} {b}) >>> 0)")),
        _ => Err(format!("{op:?} of {kind:?}")),
    }
}

/// The functions that kernels use: the others round differently from device to device.
fn math(fun: MathFunction, kind: ScalarKind, x: &str) -> Result<String, String> {
    match (fun, kind) {
        (MathFunction::Abs, ScalarKind::Float) => Ok(format!("Math.abs({x})")),
        (MathFunction::Abs, ScalarKind::Sint) => Ok(format!("(Math.abs({x}) | 0)")),
        (MathFunction::Floor, ScalarKind::Float) => Ok(format!("Math.floor({x})")),
        _ => Err(format!("the function {fun:?} of {kind:?}")),
    }
}

/// A number as another kind: by its value, or by its bits.
fn converted(from: ScalarKind, to: ScalarKind, by_value: bool, x: &str) -> Result<String, String> {
    use ScalarKind::{Bool, Float, Sint, Uint};
    match (from, to) {
        _ if from == to => Ok(x.to_owned()),
        (Sint, Uint) => Ok(format!("({x} >>> 0)")),
        (Uint, Sint) => Ok(format!("({x} | 0)")),
        (Float, Sint) if by_value => Ok(format!("to_signed({x})")),
        (Float, Uint) if by_value => Ok(format!("to_unsigned({x})")),
        (Sint | Uint, Float) if by_value => Ok(format!("fround({x})")),
        (Bool, Float | Sint | Uint) if by_value => Ok(format!("({x} ? 1 : 0)")),
        (Float, Uint) => Ok(format!("bits_of({x})")),
        (Float, Sint) => Ok(format!("(bits_of({x}) | 0)")),
        (Sint | Uint, Float) => Ok(format!("of_bits({x})")),
        _ => Err(format!("{from:?} as {to:?}")),
    }
}
