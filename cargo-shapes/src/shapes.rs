//! Shapes in the notation `[Batch, 64]`, `[Lead.., 768]`.

mod translate;

pub use translate::{Target, is_of_shapes, translate, translated};

use tensor_explain::internal::parts as encoded;

use crate::types::{Kind, Type};

/// An axis of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Axis {
    /// A static size; `One` is 1.
    Size(u64),
    /// A name, or `_` for an axis that the compiler has not inferred yet.
    Named(String),
    /// Any leading axes: `Lead..`.
    Rest(String),
}

impl Axis {
    /// Whether it is the size 1, which broadcasts.
    pub fn stretches(&self) -> bool {
        *self == Self::Size(1)
    }

    /// Whether it is known: neither `_` nor a list of axes.
    pub fn is_known(&self) -> bool {
        match self {
            Self::Size(_) => true,
            Self::Named(name) => name != "_",
            Self::Rest(_) => false,
        }
    }
}

impl std::fmt::Display for Axis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Size(size) => write!(f, "{size}"),
            Self::Named(name) => f.write_str(name),
            Self::Rest(name) => write!(f, "{name}.."),
        }
    }
}

/// `[4, 3]`
pub fn brackets(axes: &[Axis]) -> String {
    let axes: Vec<_> = axes.iter().map(Axis::to_string).collect();
    format!("[{}]", axes.join(", "))
}

/// A shape, or another list that is made of nested pairs in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum List {
    /// The axes of a shape.
    Shape(Vec<Axis>),
    /// Indices of axes, `axes![0, -1]`.
    Indices(Vec<String>),
}

/// The size of `Dim<2048>` or `Dim<50000, 257>`, if it is the canonical encoding of a size.
pub fn size(text: &str, ty: &Type) -> Option<u64> {
    let (name, arguments) = ty.path()?;
    match (name, arguments) {
        ("One", []) => Some(1),
        ("Dim", [_, ..]) => {
            let parts = arguments.iter().map(|part| text[part.range.clone()].parse::<u64>().ok());
            let mut parts: Vec<u64> = parts.collect::<Option<_>>()?;
            // Omitted parts are 0: `Dim<32, 0, 0>` is the same type as `Dim<32>`.
            while parts.len() > 1 && parts.last() == Some(&0) {
                parts.pop();
            }
            let sum = parts.iter().try_fold(0_u64, |sum, &part| sum.checked_add(part))?;
            (encoded(sum) == parts).then_some(sum)
        }
        _ => None,
    }
}

/// The evidence that a tuple of names is a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Its position, where only a shape can be: the first argument of `Tensor`.
    Position,
    /// Its own axes: a size, or a leading `()`.
    Axes,
    /// As for `Axes`, but it is nested in another tuple, where a leading name is no evidence.
    Nested,
}

/// Reads nested pairs as a shape, or as axis indices.
pub fn list(text: &str, ty: &Type, evidence: Evidence) -> Option<List> {
    let mut pairs = Vec::new();
    let mut rest = ty;
    let base = loop {
        match &rest.kind {
            Kind::Tuple(parts) => match &parts[..] {
                [] => break None,
                [lead, last] => {
                    pairs.push(last);
                    rest = lead;
                }
                _ => return None,
            },
            _ => break Some(rest),
        }
    };
    // A single name is a shape, and needs no translation.
    if base.is_some() && pairs.is_empty() {
        return None;
    }
    pairs.reverse();
    if let Some(indices) = indices(text, &pairs).filter(|_| base.is_none()) {
        return Some(List::Indices(indices));
    }
    let mut axes = Vec::new();
    if let Some(base) = base {
        axes.push(Axis::Rest(open(text, base)?));
    }
    for pair in &pairs {
        axes.push(axis(text, pair)?);
    }
    let has_size = axes.iter().any(|axis| matches!(axis, Axis::Size(_)));
    let is_certain = match evidence {
        Evidence::Position => true,
        Evidence::Nested => base.is_none() && !axes.is_empty(),
        Evidence::Axes => has_size || (base.is_none() && !axes.is_empty()),
    };
    is_certain.then_some(List::Shape(axes))
}

/// The numbers of a list of `AxisIndex<-1>`, if it contains nothing else.
fn indices(text: &str, pairs: &[&Type]) -> Option<Vec<String>> {
    let index = |ty: &&Type| match ty.path()? {
        ("AxisIndex", [index]) => Some(text[index.range.clone()].to_owned()),
        _ => None,
    };
    let indices: Option<Vec<_>> = pairs.iter().map(index).collect();
    indices.filter(|indices| !indices.is_empty())
}

/// The axis types of `tensor-nn` that have the size of another axis.
const LAYOUTS: [&str; 5] = ["In", "Out", "Halves", "Interleaved", "QkvBlocks"];

fn axis(text: &str, ty: &Type) -> Option<Axis> {
    if let Some(size) = size(text, ty) {
        return Some(Axis::Size(size));
    }
    match ty.path() {
        // The length of an array, which may be a generic parameter.
        Some(("ArrayLength", [length])) => {
            let length = &text[length.range.clone()];
            Some(length.parse().map_or_else(|_| Axis::Named(length.to_owned()), Axis::Size))
        }
        // An axis that states the layout of another one: `In<Dim<768>>`.
        Some((name, [_])) if LAYOUTS.contains(&name) => {
            Some(Axis::Named(text[ty.range.clone()].to_owned()))
        }
        // A size in a non-canonical encoding, or with a generic parameter.
        Some(("Dim", [_, ..])) => Some(Axis::Named(text[ty.range.clone()].to_owned())),
        _ => open(text, ty).map(Axis::Named),
    }
}

/// The name of an axis or of a list of axes, `_`, or a projection.
fn open(text: &str, ty: &Type) -> Option<String> {
    let written = &text[ty.range.clone()];
    match &ty.kind {
        Kind::Leaf => (written == "_").then(|| written.to_owned()),
        Kind::Path { name, arguments } => {
            let is_type = name.starts_with(|c: char| c.is_uppercase());
            let is_std = ["String", "Vec", "Box", "Dim", "PhantomData"].contains(&name.as_str());
            (arguments.is_empty() && is_type && !is_std).then(|| written.to_owned())
        }
        Kind::Projection(_) if written.starts_with('<') => Some(translated(written)),
        _ => None,
    }
}
