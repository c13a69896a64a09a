//! The bound that generic code lacks, as a program writes it: rustc proposes the traits that the library's bounds are
//! made of.

use serde_json::Value;

use crate::diagnostic::{change, entry, is_of_library, list, list_mut, requirement, text, texts};
use crate::render::is_suggestion;
use crate::shapes::{Evidence, Target, translate};
use crate::types::is_name;

use super::refusals::{refusals, without_path};

/// The traits that messages name, each with the path of the one to write, the number of its arguments, counted from
/// the last, and the type in it that states the result.
const BOUNDS: [(&str, &str, usize, &str); 47] = [
    ("AddSizes", "arithmetic::AddSizes", 1, "Output"),
    ("AlignTo", "align::AlignTo", 1, ""),
    ("AssignTo", "broadcast::AssignTo", 1, ""),
    ("Broadcast", "Broadcast", 1, "Output"),
    ("BroadcastOf", "Broadcast", 1, "Output"),
    ("CastTo", "element::CastTo", 1, ""),
    ("ChooseAxis", "indexing::ChooseAxis", 2, "Chosen"),
    ("ChunkAxis", "splitting::ChunkAxis", 2, "Output"),
    ("ConcatAxis", "reshape::ConcatAxis", 2, "Output"),
    ("Convolve", "windows::Convolve", 2, "Output"),
    ("ConvolveTransposed", "windows::ConvolveTransposed", 2, "Output"),
    ("CountElements", "arithmetic::CountElements", 0, "Count"),
    ("CountedAs", "reshape::ReshapeTo", 1, ""),
    ("DifferenceAxis", "indexing::DifferenceAxis", 1, "Output"),
    ("DivSizes", "arithmetic::DivSizes", 1, "Output"),
    ("Dot", "bounds::Dot", 1, "Product"),
    ("Expand", "broadcast::ExpandTo", 1, ""),
    ("ExpandTo", "broadcast::ExpandTo", 1, ""),
    ("FlattenAxes", "reshape::FlattenAxes", 2, "Output"),
    ("FlattenInOrder", "reshape::FlattenAxes", 2, "Output"),
    ("HasAxis", "HasAxis", 1, ""),
    ("HasCount", "arithmetic::CountElements", 0, "Count"),
    ("HeadsFill", "layers::HeadsFill", 1, ""),
    ("InPlace", "broadcast::AssignTo", 1, ""),
    ("KnownSizes", "StaticShape", 0, ""),
    ("Matmul", "bounds::Matmul", 1, "Product"),
    ("MulSizes", "arithmetic::MulSizes", 1, "Output"),
    ("Outer", "bounds::Outer", 1, "Product"),
    ("PadAxes", "joins::PadBy", 2, "Output"),
    ("PadBy", "joins::PadBy", 2, "Output"),
    ("Permute", "views::Permute", 1, "Output"),
    ("Pool", "windows::Pool", 1, "Output"),
    ("RepeatAxis", "joins::RepeatAxis", 2, "Output"),
    ("Reshape", "reshape::ReshapeTo", 1, ""),
    ("ReshapeTo", "reshape::ReshapeTo", 1, ""),
    ("SameNumElements", "reshape::Unflatten", 2, "Output"),
    ("SizesToCount", "arithmetic::CountElements", 0, "Count"),
    ("SplitTensors", "bounds::SplitTensors", 3, ""),
    ("Squeeze", "views::Squeeze", 1, "Output"),
    ("StaticShape", "StaticShape", 0, ""),
    ("SubSizes", "arithmetic::SubSizes", 1, "Output"),
    ("TakeAxis", "indexing::TakeAxis", 2, "Output"),
    ("TileBy", "joins::TileBy", 1, "Output"),
    ("Transpose", "views::Transpose", 0, "Output"),
    ("Unflatten", "reshape::Unflatten", 2, "Output"),
    ("Unsqueeze", "views::Unsqueeze", 1, "Output"),
    ("WindowsAlong", "slicing::WindowsAlong", 2, "Output"),
];

/// The traits that are bounds of a type parameter as rustc proposes them.
const OF_PARAMETERS: [&str; 10] = [
    "Axis",
    "CastTo",
    "Element",
    "Float",
    "HasAxis",
    "Integer",
    "Number",
    "Shape",
    "StaticAxis",
    "StaticShape",
];

/// A bound to write.
#[derive(Debug, PartialEq)]
struct Bound {
    /// `ConcatAxis<-1, (Lead, B)>`
    text: String,
    /// The same with the path to each name.
    with_paths: String,
    /// `tensor_core::reshape::ConcatAxis`, or several names.
    import: String,
    /// The type that states the result; empty if there is none.
    result: &'static str,
}

/// Adds the bound to write to the note of the library, if rustc proposes to add one. Returns whether it did.
pub fn add(diagnostic: &mut Value) -> bool {
    let Some(clause) = to_write(diagnostic) else { return false };
    let children = list_mut(diagnostic, "children").into_iter().flatten();
    let Some(note) = children.into_iter().find(|child| entry(text(child, "message")).is_some())
    else {
        return false;
    };
    change(note, "message", |message| {
        // What is `required for` the bound is folded.
        let (start, end) = message.split_at(message.rfind(" [").unwrap_or(message.len()));
        match start.split_once("in generic code, the last `required for` below") {
            Some((before, _)) => format!("{before}in generic code, {clause}{end}"),
            None => format!("{start}; {clause}{end}"),
        }
    });
    true
}

/// A bound to write, without imports.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundToWrite {
    /// The type that lacks it: `(Lead, A)`
    pub ty: String,
    /// `tensor_core::reshape::ConcatAxis<-1, (Lead, B)>`
    pub bound: String,
    /// The type in it that states the result; empty if there is none.
    pub result: &'static str,
    /// Whether the library's message names it: it is what is missing then, and not one of several ways.
    pub is_named: bool,
}

/// The bounds of which an error may lack one: that which a note names, and that of the method or the operator.
pub fn bounds_to_write(diagnostic: &Value) -> Vec<BoundToWrite> {
    let named = texts(diagnostic).into_iter().find_map(|text| {
        let (_, bound) = text.split_once("add the bound `")?;
        let (ty, bound) = bound.split('`').next()?.split_once(": ")?;
        Some((ty.to_owned(), written(bound)?))
    });
    let named = named.map(|bound| (bound, true));
    let bounds = named.into_iter().chain(missing(diagnostic).map(|bound| (bound, false)));
    let mut bounds: Vec<BoundToWrite> = bounds
        .map(|((ty, Bound { with_paths: bound, result, .. }), is_named)| BoundToWrite {
            ty,
            bound,
            result,
            is_named,
        })
        .collect();
    bounds.dedup_by(|a, b| (&a.ty, &a.bound) == (&b.ty, &b.bound));
    bounds
}

/// The bound to write, if rustc proposes to add one.
fn to_write(diagnostic: &Value) -> Option<String> {
    let (ty, Bound { text, import, result, .. }) = missing(diagnostic)?;
    let bound = format!("`{ty}: {text}`");
    let is_named = texts(diagnostic).iter().any(|text| text.contains(&bound));
    Some(match (is_named, result) {
        (true, _) => format!("the bound needs `use {import};`"),
        (false, "") => format!("if this is meant, the bound is {bound}, with `use {import};`"),
        (false, result) => format!(
            "if this is meant, the bound is {bound}, with `{result} = …` in it for the result, and `use {import};`"
        ),
    })
}

/// The type and the bound that it lacks, if rustc proposes to add one.
fn missing(diagnostic: &Value) -> Option<(String, Bound)> {
    let children = list(diagnostic, "children");
    if !is_of_library(diagnostic) || !children.iter().any(restricts) {
        return None;
    }
    // The last requirement is that of the method or the operator itself.
    let required = children.iter().filter_map(|child| requirement(text(child, "message")));
    let refused = refusals(diagnostic);
    let refused = refused.iter().map(|(ty, bound)| (ty.as_str(), bound.as_str()));
    let (ty, bound) = required
        .rev()
        .chain(refused)
        .find_map(|(ty, bound)| written(bound).map(|bound| (ty.to_owned(), bound)))?;
    let is_open =
        |text: &str| text.contains("...") || text.split(|c| !is_name(c)).any(|word| word == "_");
    (!is_open(&ty) && !is_open(&bound.text)).then_some((ty, bound))
}

/// The bound to write for one of a message.
fn written(bound: &str) -> Option<Bound> {
    let bound = without_path(bound);
    let (name, arguments) = match bound.split_once('<') {
        Some((name, rest)) => (name, arguments(rest.strip_suffix('>')?)),
        None => (bound, Vec::new()),
    };
    let (_, path, count, result) = BOUNDS.into_iter().find(|(known, ..)| *known == name)?;
    let kept = &arguments[arguments.len().checked_sub(count)?..];
    let name = path.rsplit("::").next().unwrap_or(path);
    let kept: Vec<String> = kept.iter().copied().map(short).collect();
    let list = if kept.is_empty() { String::new() } else { format!("<{}>", kept.join(", ")) };
    let in_code = kept.iter().map(|argument| match argument.starts_with('(') {
        true => {
            let target = Target::Code { imports_shape: false };
            translate(argument, target, Evidence::Position)
        }
        false => with_paths(argument),
    });
    let in_code = in_code.collect::<Vec<_>>().join(", ");
    let in_code = if kept.is_empty() { String::new() } else { format!("<{in_code}>") };
    let with_paths = format!("{}::{path}{in_code}", library(path));
    Some(Bound { text: name.to_owned() + &list, with_paths, import: import(path, &kept), result })
}

/// The crate that a trait is imported from.
fn library(path: &str) -> &'static str {
    if path.starts_with("layers::") { "tensor_nn" } else { "tensor_core" }
}

/// The path of a type in an argument, if it needs one.
fn path(word: &str) -> Option<String> {
    let is_options = word.ends_with("Options") || ["Slide", "Pads", "SamePadding"].contains(&word);
    match word {
        "Dim" | "One" | "dim" => Some(word.to_owned()),
        _ => is_options.then(|| format!("windows::{word}")),
    }
}

/// An argument with the path to each name.
fn with_paths(argument: &str) -> String {
    let mut result = String::new();
    let mut rest = argument;
    while let Some(c) = rest.chars().next() {
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len()).max(c.len_utf8());
        let (word, after) = rest.split_at(end);
        result += &path(word).map_or(word.to_owned(), |path| format!("tensor_core::{path}"));
        rest = after;
    }
    result
}

/// The path of a trait, and of the public names in its arguments.
fn import(path: &str, arguments: &[String]) -> String {
    let library = library(path);
    let mut paths = vec![path.to_owned()];
    let types = arguments.iter().filter(|argument| !argument.starts_with('('));
    let words = types.flat_map(|argument| argument.split(|c| !is_name(c)));
    paths.extend(
        arguments.iter().any(|list| list.contains("AxisIndex<")).then(|| "axes".to_owned()),
    );
    paths.extend(words.filter(|word| *word != "One").filter_map(self::path));
    paths.sort();
    paths.dedup();
    match &paths[..] {
        [path] => format!("{library}::{path}"),
        paths => format!("{library}::{{{}}}", paths.join(", ")),
    }
}

/// An argument as a program writes it, without the path to its type, and with `dim!` for sizes; `shape!` writes those in
/// a shape.
fn short(argument: &str) -> String {
    if argument.starts_with('(') {
        return argument.to_owned();
    }
    let mut result = String::new();
    let mut rest = without_path(argument);
    while let Some((before, after)) = rest.split_once("Dim<") {
        let Some((parts, behind)) = after.split_once('>') else { break };
        let parts: Result<Vec<usize>, _> = parts.split(", ").map(str::parse).collect();
        let Ok(parts) = parts else { break };
        result += &format!("{before}dim!({})", parts.iter().sum::<usize>());
        rest = behind;
    }
    (result + rest).replace("One", "dim!(1)")
}

/// The arguments of a trait, which are separated by commas.
fn arguments(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let is_separator = |c: char| {
        depth += i32::from("<([".contains(c)) - i32::from(">)]".contains(c));
        c == ',' && depth == 0
    };
    list.split(is_separator).map(str::trim).collect()
}

/// Whether rustc proposes a bound.
pub fn restricts(child: &Value) -> bool {
    let message = text(child, "message");
    is_suggestion(child)
        && message.starts_with("consider ")
        && ["restricting type parameter", "restricting the associated type", "`where` clause"]
            .iter()
            .any(|words| message.contains(words))
}

/// Whether a proposed bound compiles: that of a type parameter, with a trait to write. rustc proposes a `where`
/// clause without the path of the trait.
pub fn is_right(child: &Value) -> bool {
    let message = text(child, "message");
    let proposed = message.split('`').rev().nth(1).unwrap_or_default();
    message.contains("restricting type parameter") && OF_PARAMETERS.contains(&proposed)
}

#[test]
fn bounds_are_written_with_public_names() {
    let written =
        |bound| written(bound).map(|Bound { text, import, .. }| format!("{text} {import}"));
    assert_eq!(
        written("ConcatAxis<-1, (Lead, B)>").as_deref(),
        Some("ConcatAxis<-1, (Lead, B)> tensor_core::reshape::ConcatAxis")
    );
    assert_eq!(
        written("tensor_core::bounds::BroadcastOf<((), I), ((), O)>").as_deref(),
        Some("Broadcast<((), O)> tensor_core::Broadcast")
    );
    assert_eq!(
        written("Pool<tensor_core::windows::Pool2dOptions<Dim<2>>>").as_deref(),
        Some(
            "Pool<Pool2dOptions<dim!(2)>> tensor_core::{dim, windows::Pool, windows::Pool2dOptions}"
        )
    );
    let count = written("HasCount");
    assert_eq!(count.as_deref(), Some("CountElements tensor_core::arithmetic::CountElements"));
    assert_eq!(written("AxesMatch<I, O>"), None);
}
