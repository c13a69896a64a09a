//! Translates types in texts to the notation of shapes.

use super::{Axis, Evidence, List, brackets};
use crate::library::PACKAGES;
use crate::types::{self, Kind, Type, is_name};

/// The kind of text that a type is translated for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A message: `[Batch, 64]`.
    Message,
    /// A program: `shape![Batch, 64]`, or `tensor_core::shape![…]` where `shape` is not imported.
    Code {
        /// Whether the program imports the macro.
        imports_shape: bool,
    },
}

/// Traits that are implemented for shapes: a tuple of names as `Self` is a shape.
const OF_SHAPES: [&str; 37] = [
    "AlignTo",
    "AssignTo",
    "AxisList",
    "Broadcast",
    "BroadcastOf",
    "ChooseAxis",
    "ChunkAxis",
    "ConcatAxis",
    "Convolve",
    "ConvolveTransposed",
    "CountElements",
    "DifferenceAxis",
    "Dot",
    "DotOf",
    "Expand",
    "ExpandTo",
    "FlattenAxes",
    "HasAxis",
    "HasRank",
    "InPlace",
    "Matmul",
    "MatmulOf",
    "PadBy",
    "Permute",
    "Pool",
    "RepeatAxis",
    "ReshapeTo",
    "Shape",
    "SplitTensors",
    "Squeeze",
    "StaticShape",
    "TakeAxis",
    "TileBy",
    "Transpose",
    "Unflatten",
    "Unsqueeze",
    "WindowsAlong",
];

/// Whether a bound begins with a trait that is implemented for shapes.
pub fn is_of_shapes(bound: &str) -> bool {
    let bound = without_library_path(bound);
    OF_SHAPES.contains(&&bound[..bound.find(|c| !is_name(c)).unwrap_or(bound.len())])
}

/// The bound without the path to its trait in the library, as messages of clippy have it.
pub fn without_library_path(bound: &str) -> &str {
    let (path, _) = bound.split_at(bound.find(|c| !is_name(c) && c != ':').unwrap_or(bound.len()));
    let package = path.split("::").next().unwrap_or_default().replace('_', "-");
    let is_library = PACKAGES.contains(&package.as_str());
    path.rfind("::").filter(|_| is_library).map_or(bound, |at| &bound[at + 2..])
}

/// Translates a text that consists only of code, for a message.
pub fn translated(text: &str) -> String {
    translate(text, Target::Message, Evidence::Axes)
}

/// Translates the types in a text that consists only of code.
pub fn translate(text: &str, target: Target, whole: Evidence) -> String {
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    let mut before = ' ';
    while let Some(c) = text[at..].chars().next() {
        let starts = is_name(c) || "(&<".contains(c);
        // A parenthesis after a name begins the arguments of a call.
        let is_call = c == '(' && (is_name(before) || before == '!');
        if let Some(ty) = (starts && !is_call).then(|| types::parse(text, at)).flatten() {
            let end = ty.range.end;
            let next = text[end..].chars().next();
            let is_bounded = text[end..].strip_prefix(": ").is_some_and(is_of_shapes);
            let is_whole = whole == Evidence::Position && at == 0 && end == text.len();
            let evidence = if is_bounded || is_whole { Evidence::Position } else { Evidence::Axes };
            if !matches!(next, Some('(' | '{')) && (is_whole || is_bounded || has_shapes(text, &ty))
            {
                write(text, &ty, evidence, target, &mut result);
                (at, before) = (end, '>');
                continue;
            }
        }
        // The arguments of a macro have their own syntax.
        let len = match macro_call(&text[at..]) {
            Some(len) if !is_name(before) => len,
            _ if is_name(c) => text[at..].find(|c| !is_name(c)).unwrap_or(text.len() - at),
            _ => c.len_utf8(),
        };
        result.push_str(&text[at..at + len]);
        before = text[at..at + len].chars().next_back().unwrap_or(' ');
        at += len;
    }
    result
}

/// The length of `name!(…)` at the start of the text.
fn macro_call(text: &str) -> Option<usize> {
    let name = text.find(|c| !is_name(c)).filter(|len| *len > 0)?;
    let open = text[name..].strip_prefix('!')?.chars().next()?;
    let close = match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        _ => return None,
    };
    let mut depth = 0;
    let end = text[name..].find(|c| {
        depth += i32::from(c == open) - i32::from(c == close);
        c == close && depth == 0
    });
    Some(name + end? + 1)
}

/// Whether a type is or contains a size, a shape or a list of axes.
fn has_shapes(text: &str, ty: &Type) -> bool {
    super::size(text, ty).is_some()
        || super::list(text, ty, Evidence::Axes).is_some()
        || is_tensor(ty)
        || is_relation(ty)
        || ty.parts().iter().any(|part| has_shapes(text, part))
        || matches!(&ty.kind, Kind::Projection(parts) if of_shapes(parts))
}

/// Whether a projection is of a trait that is implemented for shapes.
fn of_shapes(parts: &[Type]) -> bool {
    let name = parts.get(1).and_then(Type::path).map(|(name, _)| name);
    name.is_some_and(|name| OF_SHAPES.contains(&name))
}

/// Whether a bound is a trait that relates a shape to another shape.
fn is_relation(ty: &Type) -> bool {
    let Some((name, [first, ..])) = ty.path() else { return false };
    OF_SHAPES.contains(&name) && matches!(first.kind, Kind::Tuple(_))
}

fn is_tensor(ty: &Type) -> bool {
    matches!(ty.path(), Some(("Tensor", [_, ..])))
}

fn write(text: &str, ty: &Type, evidence: Evidence, target: Target, result: &mut String) {
    if let Some(size) = super::size(text, ty) {
        match target {
            Target::Message => result.push_str(&size.to_string()),
            Target::Code { .. } => result.push_str(&text[ty.range.clone()]),
        }
        return;
    }
    // `()` is a shape only because of its position.
    let is_unit = matches!(&ty.kind, Kind::Tuple(parts) if parts.is_empty());
    if let Some(list) =
        super::list(text, ty, evidence).filter(|_| !is_unit || evidence == Evidence::Position)
        && let Some(written) = written(&list, target)
    {
        result.push_str(&written);
        return;
    }
    let mut at = ty.range.start;
    for (number, part) in ty.parts().iter().enumerate() {
        let is_shape = match &ty.kind {
            Kind::Path { name, .. } => {
                number == 0 && (name == "Tensor" || OF_SHAPES.contains(&name.as_str()))
            }
            Kind::Projection(parts) => number == 0 && of_shapes(parts),
            _ => false,
        };
        let evidence = match &ty.kind {
            _ if is_shape => Evidence::Position,
            // A tuple of references or tensors, or an internal one of the library.
            Kind::Tuple(_) => Evidence::Nested,
            _ if evidence == Evidence::Nested => Evidence::Nested,
            _ => Evidence::Axes,
        };
        result.push_str(&text[at..part.range.start]);
        write(text, part, evidence, target, result);
        at = part.range.end;
    }
    result.push_str(&text[at..ty.range.end]);
}

fn written(list: &List, target: Target) -> Option<String> {
    match (list, target) {
        (List::Indices(indices), _) => Some(format!("axes![{}]", indices.join(", "))),
        (List::Shape(axes), Target::Message) => Some(brackets(axes)),
        (List::Shape(axes), Target::Code { imports_shape }) => {
            // Leading axes may be in front, and all other axes must be known.
            let plain = |axis: &Axis| match axis {
                Axis::Size(_) => true,
                Axis::Named(name) | Axis::Rest(name) => name != "_" && name.chars().all(is_name),
            };
            let path = if imports_shape { "" } else { "tensor_core::" };
            axes.iter().all(plain).then(|| format!("{path}shape!{}", brackets(axes)))
        }
    }
}
