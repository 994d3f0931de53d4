//! The tables a noise reads: as the bytes of buffers, and as constants in the source.

use crate::export::ExportError;
use crate::gpu::arrays;
use crate::program::Program;
use naga::{Handle, Module, ScalarKind, Type, TypeInner};

/// The contents of a storage buffer that an exported shader reads.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Table {
    /// The variable's name in the shader.
    pub name: String,
    /// Its bind group; always 0.
    pub group: u32,
    /// Its binding there.
    pub binding: u32,
    /// Bytes per element.
    pub stride: u32,
    /// The contents of the buffer, as 32-bit words.
    pub words: Vec<u32>,
}

/// Every table of an anchored program, in the order of their bindings.
pub fn all(program: &Program, anchor: [f64; 3], module: &Module) -> Result<Vec<Table>, ExportError> {
    let grids = program.anchored_grids(anchor)?;
    let bytes = arrays(&program.tables, &grids);
    let mut all = Vec::new();
    for (_, variable) in module.global_variables.iter() {
        let (Some(name), Some(binding)) = (&variable.name, variable.binding) else { continue };
        let TypeInner::Array { stride, .. } = module.types[variable.ty].inner else { continue };
        let Some((_, bytes)) = bytes.iter().find(|(known, _)| known == name) else { continue };
        let words = bytemuck::pod_collect_to_vec(bytes);
        all.push(Table { name: name.clone(), group: binding.group, binding: binding.binding, stride, words });
    }
    Ok(all)
}

/// A table as a declaration of constants in WGSL (`keyword name: array<T, N> = …;`) or HLSL (`static const T name[N] = …;`).
/// Structures keep only the members selected by `keep`.
pub fn constant(module: &Module, table: &Table, style: ConstantStyle, keep: &dyn Fn(&str, &str) -> bool) -> Option<String> {
    let (base, _) = array(module, &table.name)?;
    let writer = ConstantWriter { module, style, keep };
    let words = (table.stride / 4) as usize;
    let elements = table.words.chunks_exact(words).map(|words| writer.literal(base, words)).collect::<Option<Vec<_>>>()?;
    let (name, ty, count, values) = (&table.name, writer.type_name(base)?, elements.len(), lines(&elements));
    Some(match style {
        ConstantStyle::Wgsl(keyword) => format!("{keyword} {name}: array<{ty}, {count}> = array<{ty}, {count}>(\n{values});\n"),
        ConstantStyle::Hlsl => format!("static const {ty} {name}[{count}] = {{\n{values}}};\n"),
    })
}

/// The syntax of constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConstantStyle {
    /// As WGSL, declared with a keyword.
    Wgsl(&'static str),
    /// As HLSL.
    Hlsl,
}

struct ConstantWriter<'a> {
    module: &'a Module,
    style: ConstantStyle,
    keep: &'a dyn Fn(&str, &str) -> bool,
}

/// Fills lines with elements, at least one per line.
fn lines(elements: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for element in elements {
        if column > 0 && column + element.len() > 118 {
            text.push('\n');
            column = 0;
        }
        text.push_str(if column == 0 { "    " } else { " " });
        text.push_str(element);
        text.push(',');
        column += element.len() + 2;
    }
    text.push('\n');
    text
}

impl ConstantWriter<'_> {
    fn type_name(&self, ty: Handle<Type>) -> Option<String> {
        let ConstantWriter { module, style, .. } = *self;
        match &module.types[ty].inner {
            TypeInner::Vector { size, scalar } if style == ConstantStyle::Hlsl => {
                Some(format!("{}{}", hlsl_scalar(*scalar)?, *size as u32))
            }
            TypeInner::Scalar(scalar) if style == ConstantStyle::Hlsl => hlsl_scalar(*scalar).map(str::to_owned),
            _ => type_name(module, ty),
        }
    }

    /// A value of a type, read from the words at its offset, as an expression.
    fn literal(&self, ty: Handle<Type>, words: &[u32]) -> Option<String> {
        match &self.module.types[ty].inner {
            TypeInner::Scalar(of) => self.number(of.kind, *words.first()?),
            TypeInner::Vector { size, scalar } => {
                let numbers: Option<Vec<_>> = words.get(..*size as usize)?.iter().map(|&word| self.number(scalar.kind, word)).collect();
                Some(format!("{}({})", self.type_name(ty)?, numbers?.join(", ")))
            }
            TypeInner::Struct { members, .. } => {
                let name = self.type_name(ty)?;
                let kept = members.iter().filter(|member| member.name.as_deref().is_none_or(|member| (self.keep)(&name, member)));
                let values: Option<Vec<_>> = kept.map(|member| self.literal(member.ty, words.get(member.offset as usize / 4..)?)).collect();
                let values = values?.join(", ");
                Some(if self.style == ConstantStyle::Hlsl { format!("{{ {values} }}") } else { format!("{name}({values})") })
            }
            _ => None,
        }
    }

    fn number(&self, kind: ScalarKind, word: u32) -> Option<String> {
        match kind {
            ScalarKind::Float => Some(format!("{:?}f", f32::from_bits(word))),
            ScalarKind::Uint => Some(format!("{word}u")),
            ScalarKind::Sint if self.style == ConstantStyle::Hlsl => Some(word.cast_signed().to_string()),
            ScalarKind::Sint => Some(format!("{}i", word.cast_signed())),
            _ => None,
        }
    }
}

fn hlsl_scalar(scalar: naga::Scalar) -> Option<&'static str> {
    match scalar.kind {
        ScalarKind::Float => Some("float"),
        ScalarKind::Uint => Some("uint"),
        ScalarKind::Sint => Some("int"),
        _ => None,
    }
}

fn type_name(module: &Module, ty: Handle<Type>) -> Option<String> {
    let scalar = |scalar: naga::Scalar| match scalar.kind {
        ScalarKind::Float => Some("f32"),
        ScalarKind::Uint => Some("u32"),
        ScalarKind::Sint => Some("i32"),
        _ => None,
    };
    match &module.types[ty].inner {
        TypeInner::Scalar(of) => scalar(*of).map(str::to_owned),
        TypeInner::Vector { size, scalar: of } => Some(format!("vec{}<{}>", *size as u32, scalar(*of)?)),
        TypeInner::Struct { .. } => module.types[ty].name.clone(),
        _ => None,
    }
}

/// The type of a table's array, and the layout of its elements if they are structures, in lines of `name type at byte`.
pub fn layout(module: &Module, table: &str) -> (String, Vec<String>) {
    let (base, stride) = array(module, table).expect("invariant: tables are named after the arrays of the module");
    let mut lines = Vec::new();
    members(module, base, 0, &mut lines);
    (format!("array of {}, {stride} bytes each", name_of(module, base)), lines)
}

fn members(module: &Module, ty: Handle<Type>, start: u32, lines: &mut Vec<String>) {
    let TypeInner::Struct { members: all, .. } = &module.types[ty].inner else { return };
    let line = all.iter().map(|member| {
        let name = member.name.as_deref().expect("invariant: WGSL has no members without names");
        format!("{name} {} at {}", name_of(module, member.ty), start + member.offset)
    });
    // Three to a line.
    lines.extend(line.collect::<Vec<_>>().chunks(3).map(|some| format!("  {}", some.join(", "))));
    let inner = all.iter().find(|member| matches!(module.types[member.ty].inner, TypeInner::Struct { .. }));
    if let Some(inner) = inner {
        lines.push(format!("  {}:", name_of(module, inner.ty)));
        members(module, inner.ty, 0, lines);
    }
}

fn name_of(module: &Module, ty: Handle<Type>) -> String {
    type_name(module, ty).expect("invariant: tables hold numbers, vectors and structures")
}

/// The type of an array's elements, and the bytes per element.
fn array(module: &Module, name: &str) -> Option<(Handle<Type>, u32)> {
    let (_, variable) = module.global_variables.iter().find(|(_, variable)| variable.name.as_deref() == Some(name))?;
    match module.types[variable.ty].inner {
        TypeInner::Array { base, stride, .. } => Some((base, stride)),
        _ => None,
    }
}
