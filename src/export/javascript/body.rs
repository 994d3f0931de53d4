//! The statements of a function.

use super::value::{Numbers, Place, Values, names, zero};
use super::{Context, inner_name, is_exported, scalars};
use crate::export::source::{SourceToken, tokens};
use naga::valid::FunctionInfo;
use naga::{Block, Expression, Function, Handle, ScalarKind, Statement, SwitchValue, TypeInner};
use std::collections::{HashMap, HashSet};

/// A function in JavaScript.
pub struct Written {
    pub text: String,
    /// For each number of its arguments, whether it reads it.
    pub read: Vec<bool>,
}

/// A line of a function, with its indentation.
enum Line {
    /// Variables that do not change, with their values, which have no effects.
    Constants(usize, Vec<(String, String)>),
    Other(usize, String),
}

/// A function while it is written.
struct Body<'a> {
    values: Values<'a>,
    /// Expressions that are used more than once.
    shared: HashSet<Handle<Expression>>,
    lines: Vec<Line>,
    depth: usize,
    /// Loops around the statement that is written.
    loops: Vec<usize>,
    loops_so_far: usize,
}

impl Written {
    /// The declaration of a function. Constants and arguments without a reader are left out.
    pub fn new(context: Context<'_>, function: &Function, info: &FunctionInfo) -> Result<Self, String> {
        let values = Values { context, function, info, named: HashMap::new() };
        let shared = shared(context, function, info);
        let mut body = Body { shared, values, lines: Vec::new(), depth: 1, loops: Vec::new(), loops_so_far: 0 };
        for (local, variable) in function.local_variables.iter() {
            let values = match variable.init {
                Some(init) => body.values.numbers(init)?,
                None => zero(context, variable.ty)?,
            };
            let names = body.values.local(variable, local.index())?;
            let each: Vec<String> = names.iter().zip(values).map(|(name, value)| format!("{name} = {value}")).collect();
            each.chunks(4).for_each(|some| body.line(&format!("let {};", some.join(", "))));
        }
        body.block(&function.body)?;
        let arguments = function.arguments.iter().enumerate().map(|(index, argument)| {
            let name = argument.name.as_deref().unwrap_or("argument");
            Ok(names(&format!("{name}_{index}"), scalars(context.module, argument.ty)?.len()))
        });
        let arguments = arguments.collect::<Result<Vec<_>, String>>()?.concat();
        let (text, names) = text_of(body.lines);
        let read: Vec<bool> = arguments.iter().map(|name| names.contains(name) || is_exported(function, context.prefix)).collect();
        let arguments: Vec<String> = arguments.into_iter().zip(&read).filter(|(_, read)| **read).map(|(name, _)| name).collect();
        let name = inner_name(function, context.prefix)?;
        Ok(Written { text: format!("function {name}({}) {{\n{text}}}\n\n", arguments.join(", ")), read })
    }
}

/// The text of lines without constants that no later line reads, and the names it contains.
fn text_of(lines: Vec<Line>) -> (String, HashSet<String>) {
    let mut read = HashSet::new();
    let read_by = |text: &str, read: &mut HashSet<String>| {
        read.extend(tokens(text).into_iter().filter_map(|token| match token {
            SourceToken::Name(name) => Some(name.to_owned()),
            SourceToken::Member(_) | SourceToken::Other(_) => None,
        }));
    };
    let mut texts = Vec::new();
    for line in lines.into_iter().rev() {
        match line {
            Line::Other(depth, text) => {
                read_by(&text, &mut read);
                texts.push(format!("{:1$}{text}\n", "", depth * 4));
            }
            Line::Constants(depth, constants) => {
                let kept: Vec<_> = constants.into_iter().filter(|(name, _)| read.contains(name)).collect();
                let each: Vec<String> = kept.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                kept.iter().for_each(|(_, value)| read_by(value, &mut read));
                texts.extend(each.chunks(4).rev().map(|some| format!("{:2$}const {};\n", "", some.join(", "), depth * 4)));
            }
        }
    }
    texts.reverse();
    (texts.concat(), read)
}

impl Body<'_> {
    fn line(&mut self, text: &str) {
        self.lines.push(Line::Other(self.depth, text.to_owned()));
    }

    /// Gives an expression a name, and declares it.
    fn name(&mut self, expression: Handle<Expression>, values: Numbers) {
        let name = match self.values.function.named_expressions.get(&expression) {
            Some(name) => format!("{name}_{}", expression.index()),
            None => format!("e{}", expression.index()),
        };
        let names = names(&name, values.len());
        self.lines.push(Line::Constants(self.depth, names.iter().cloned().zip(values).collect()));
        self.values.named.insert(expression, names);
    }

    fn block(&mut self, block: &Block) -> Result<(), String> {
        block.iter().try_for_each(|statement| self.statement(statement))
    }

    fn indented(&mut self, block: &Block) -> Result<(), String> {
        self.depth += 1;
        let result = self.block(block);
        self.depth -= 1;
        result
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), String> {
        match statement {
            Statement::Emit(range) => {
                for expression in range.clone() {
                    let is_read = matches!(self.values.function.expressions[expression], Expression::Load { .. });
                    let used = self.values.info[expression].ref_count > 0 && !self.values.is_pointer(expression);
                    if used && (is_read || self.shared.contains(&expression)) {
                        let values = self.values.computed(expression)?;
                        self.name(expression, values);
                    }
                }
            }
            Statement::Block(block) => {
                self.line("{");
                self.indented(block)?;
                self.line("}");
            }
            Statement::If { condition, accept, reject } => {
                let condition = self.values.number(*condition)?;
                self.line(&format!("if ({condition}) {{"));
                self.indented(accept)?;
                if !reject.is_empty() {
                    self.line("} else {");
                    self.indented(reject)?;
                }
                self.line("}");
            }
            Statement::Switch { selector, cases } => {
                let selector = self.values.number(*selector)?;
                self.line(&format!("switch ({selector}) {{"));
                for case in cases {
                    let label = match case.value {
                        SwitchValue::I32(x) => format!("case {x}"),
                        SwitchValue::U32(x) => format!("case {x}"),
                        SwitchValue::Default => "default".to_owned(),
                    };
                    self.line(&format!("{label}: {{"));
                    self.indented(&case.body)?;
                    self.line(if case.fall_through { "}" } else { "} break;" });
                }
                self.line("}");
            }
            Statement::Loop { body, continuing, break_if: None } => self.repeated(body, continuing)?,
            Statement::Break => self.line("break;"),
            Statement::Continue => {
                let number = *self.loops.last().ok_or("a continue outside of loops")?;
                self.line(&format!("break round_{number};"));
            }
            Statement::Return { value: None } => self.line("return;"),
            Statement::Return { value: Some(value) } => {
                let numbers = self.values.numbers(*value)?;
                if let [number] = &numbers[..] {
                    self.line(&format!("return {number};"));
                } else {
                    for (i, number) in numbers.iter().enumerate() {
                        self.line(&format!("results[{i}] = {number};"));
                    }
                    self.line("return;");
                }
            }
            Statement::Store { pointer, value } => {
                let Place::Local(names) = self.values.place(*pointer)? else { return Err("a write to a table".to_owned()) };
                let values = self.values.numbers(*value)?;
                for (name, value) in names.iter().zip(values) {
                    self.line(&format!("{name} = {value};"));
                }
            }
            Statement::Call { function, arguments, result } => self.call(*function, arguments, *result)?,
            other => return Err(format!("the statement {other:?}")),
        }
        Ok(())
    }

    /// A loop. The statements after each round also run after a `continue`, which therefore leaves a block.
    fn repeated(&mut self, body: &Block, continuing: &Block) -> Result<(), String> {
        let number = self.loops_so_far;
        self.loops_so_far += 1;
        let has_label = continues(body);
        self.line("for (;;) {");
        self.depth += 1;
        self.loops.push(number);
        if has_label {
            self.line(&format!("round_{number}: {{"));
            self.indented(body)?;
            self.line("}");
        } else {
            self.block(body)?;
        }
        self.loops.pop();
        self.block(continuing)?;
        self.depth -= 1;
        self.line("}");
        Ok(())
    }

    fn call(
        &mut self,
        function: Handle<Function>,
        arguments: &[Handle<Expression>],
        result: Option<Handle<Expression>>,
    ) -> Result<(), String> {
        let Context { module, prefix, read, .. } = self.values.context;
        let called = &module.functions[function];
        let arguments: Result<Vec<_>, _> = arguments.iter().map(|argument| self.values.numbers(*argument)).collect();
        let arguments = arguments?.concat().into_iter().zip(&read[&function]).filter(|(_, read)| **read).map(|(argument, _)| argument);
        let call = format!("{}({})", inner_name(called, prefix)?, arguments.collect::<Vec<_>>().join(", "));
        let Some(result) = result else {
            self.line(&format!("{call};"));
            return Ok(());
        };
        let kinds = self.values.kinds(result)?;
        if kinds.len() == 1 {
            self.name(result, vec![call]);
        } else {
            self.line(&format!("{call};"));
            let read =
                |(i, kind): (usize, &naga::Scalar)| format!("results[{i}]{}", if kind.kind == ScalarKind::Bool { " !== 0" } else { "" });
            self.name(result, kinds.iter().enumerate().map(read).collect());
        }
        Ok(())
    }
}

/// Whether a `continue` of this loop is in its body.
fn continues(block: &Block) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Continue => true,
        Statement::Block(block) => continues(block),
        Statement::If { accept, reject, .. } => continues(accept) || continues(reject),
        Statement::Switch { cases, .. } => cases.iter().any(|case| continues(&case.body)),
        _ => false,
    })
}

/// Expressions that are used more than once, or whose number becomes several.
fn shared(context: Context<'_>, function: &Function, info: &FunctionInfo) -> HashSet<Handle<Expression>> {
    let is_scalar = |expression: Handle<Expression>| matches!(info[expression].ty.inner_with(&context.module.types), TypeInner::Scalar(_));
    let mut shared: HashSet<_> = function.named_expressions.keys().copied().collect();
    for (expression, operation) in function.expressions.iter() {
        if info[expression].ref_count > 1 {
            shared.insert(expression);
        }
        match *operation {
            Expression::Splat { value, .. } => shared.extend([value]),
            Expression::Access { index, .. } => shared.extend([index]),
            Expression::Swizzle { vector, .. } => shared.extend([vector]),
            Expression::Binary { left, right, .. } if is_scalar(left) != is_scalar(right) => shared.extend([left, right]),
            Expression::Select { condition, accept, .. } if is_scalar(condition) != is_scalar(accept) => shared.extend([condition]),
            _ => {}
        }
    }
    shared
}
