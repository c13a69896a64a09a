//! The rules of a weight map, and what they do with the tensors of a file or of a model.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::pattern::Pattern;
use super::weight::Weight;

/// A tensor on its way from a file to a model, or back.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// Its name so far.
    pub(super) name: String,
    pub(super) weight: Weight,
    pub(super) element: String,
    pub(super) sizes: Vec<usize>,
    /// Whether its elements may be converted.
    pub(super) converts: bool,
    pub(super) fate: Fate,
}

impl Item {
    /// Whether rules apply to it.
    pub(super) fn is_used(&self) -> bool {
        matches!(self.fate, Fate::Used | Fate::Copy(..))
    }

    /// Its element type and its sizes.
    pub(super) fn described(&self) -> String {
        format!("{} {:?}", self.element, self.sizes)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fate {
    /// It is loaded into the model.
    Used,
    /// It is left out if the model has no tensor of its name: the first of two tensors that must be equal.
    Copy(Weight, Weight),
    /// It does not have the prefix of the others.
    Outside,
    Ignored,
}

/// Why a rule cannot change a tensor: its name, and the reason.
pub(super) type Refused = (String, String);

/// The tensors of a file under the names of the model.
pub(super) struct Renamed {
    pub(super) items: Vec<Item>,
    pub(super) refused: Vec<Refused>,
    /// The rules that match no tensor, as they are written.
    pub(super) unmatched: Vec<String>,
}

/// A function of names.
pub(super) type Renaming = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// One step from the names and layouts of a file to those of a model.
#[derive(Clone)]
pub(super) enum Rule {
    Rename { from: Pattern, to: Pattern },
    RenameWith { read: Renaming, write: Option<Renaming> },
    Prefix(String),
    Ignore(Pattern),
    Convert(Pattern),
    Transpose(Pattern),
    Regroup { pattern: Pattern, groups: [usize; 2] },
    Split { whole: Pattern, parts: Vec<Piece>, axis: isize },
    Join { parts: Vec<Piece>, whole: Pattern, axis: isize },
    Tie { name: String, to: String },
}

/// A part of a fused tensor, and its size along the axis if the parts are not of one size.
#[derive(Clone)]
pub(super) struct Piece {
    pub(super) pattern: Pattern,
    pub(super) size: Option<usize>,
}

impl Rule {
    /// Whether it applies to a tensor of the file, under the names that the rules before it have made.
    pub(super) fn matches(&self, items: &[Item]) -> bool {
        let any = |matches: &dyn Fn(&str) -> bool| {
            items.iter().any(|item| item.is_used() && matches(&item.name))
        };
        match self {
            Self::Rename { from: pattern, .. }
            | Self::Convert(pattern)
            | Self::Transpose(pattern)
            | Self::Regroup { pattern, .. }
            | Self::Split { whole: pattern, .. } => any(&|name| pattern.matches(name)),
            Self::Ignore(pattern) => items.iter().any(|item| pattern.matches(&item.name)),
            Self::Join { parts, .. } => any(&|name| parts[0].pattern.matches(name)),
            Self::Prefix(prefix) => any(&|name| name.starts_with(&prefix[..])),
            Self::Tie { name: one, to } => any(&|name| name == one || name == to),
            Self::RenameWith { .. } => true,
        }
    }

    /// From the file to the model.
    pub(super) fn read(&self, items: &mut Vec<Item>, refused: &mut Vec<Refused>) {
        match self {
            Self::Rename { from, to } => rename(items, from, to),
            Self::RenameWith { read, .. } => rename_with(items, read),
            Self::Prefix(prefix) => {
                for item in used(items) {
                    match item.name.strip_prefix(&prefix[..]) {
                        Some(rest) => item.name = rest.to_owned(),
                        None => item.fate = Fate::Outside,
                    }
                }
            }
            Self::Ignore(pattern) => {
                for item in items.iter_mut().filter(|item| pattern.matches(&item.name)) {
                    item.fate = Fate::Ignored;
                }
            }
            Self::Convert(pattern) => {
                used(items)
                    .filter(|item| pattern.matches(&item.name))
                    .for_each(|item| item.converts = true);
            }
            Self::Transpose(pattern) => transpose(items, pattern, refused),
            Self::Regroup { pattern, groups } => regroup(items, pattern, *groups, refused),
            Self::Split { whole, parts, axis } => split(items, whole, parts, *axis, refused),
            Self::Join { parts, whole, axis } => join(items, parts, whole, *axis, refused),
            Self::Tie { name, to } => tie(items, name, to),
        }
    }

    /// From the model to the file.
    pub(super) fn write(&self, items: &mut Vec<Item>, refused: &mut Vec<Refused>) {
        match self {
            Self::Rename { from, to } => rename(items, to, from),
            Self::RenameWith { write: Some(write), .. } => rename_with(items, write),
            Self::RenameWith { write: None, .. } => {
                let reason = "`rename_with` has no function back: use `rename_with_inverse`";
                refused.extend(items.first().map(|item| (item.name.clone(), reason.to_owned())));
            }
            Self::Prefix(prefix) => used(items).for_each(|item| item.name.insert_str(0, prefix)),
            Self::Ignore(_) | Self::Convert(_) => {}
            Self::Transpose(pattern) => transpose(items, pattern, refused),
            Self::Regroup { pattern, groups: [outer, inner] } => {
                regroup(items, pattern, [*inner, *outer], refused);
            }
            Self::Split { whole, parts, axis } => join(items, parts, whole, *axis, refused),
            Self::Join { parts, whole, axis } => split(items, whole, parts, *axis, refused),
            Self::Tie { name, to } => tie(items, name, to),
        }
    }
}

fn used(items: &mut [Item]) -> impl Iterator<Item = &mut Item> {
    items.iter_mut().filter(|item| item.is_used())
}

fn rename(items: &mut [Item], from: &Pattern, to: &Pattern) {
    for item in used(items) {
        if let Some(found) = from.find(&item.name) {
            item.name = to.filled(&found);
        }
    }
}

fn rename_with(items: &mut [Item], function: &Renaming) {
    used(items).for_each(|item| item.name = function(&item.name));
}

fn transpose(items: &mut [Item], pattern: &Pattern, refused: &mut Vec<Refused>) {
    for item in used(items).filter(|item| pattern.matches(&item.name)) {
        let Some(last) = item.sizes.len().checked_sub(1).filter(|&last| last > 0) else {
            let reason = format!("{:?} has fewer than two axes: it is not transposed", item.sizes);
            refused.push((item.name.clone(), reason));
            continue;
        };
        item.sizes.swap(last - 1, last);
        item.weight = match item.weight.clone() {
            Weight::Transposed(of) => *of,
            weight => Weight::Transposed(Box::new(weight)),
        };
    }
}

fn regroup(items: &mut [Item], pattern: &Pattern, groups: [usize; 2], refused: &mut Vec<Refused>) {
    let [outer, inner] = groups;
    let count = outer.checked_mul(inner).unwrap_or_default();
    for item in used(items).filter(|item| pattern.matches(&item.name)) {
        if item.sizes.first().and_then(|size| size.checked_rem(count)) == Some(0) {
            item.weight = Weight::Regrouped { of: Box::new(item.weight.clone()), groups };
        } else {
            let reason =
                format!("axis 0 of {:?} is not {outer} groups of {inner} equal parts", item.sizes);
            refused.push((item.name.clone(), reason));
        }
    }
}

/// The axis from the front, of one that may be counted from the end.
fn axis_of(axis: isize, sizes: &[usize]) -> Result<usize, String> {
    let rank = sizes.len();
    let from_front =
        if axis < 0 { rank.checked_sub(axis.unsigned_abs()) } else { Some(axis as usize) };
    from_front.filter(|&axis| axis < rank).ok_or_else(|| format!("{sizes:?} has no axis {axis}"))
}

fn split(
    items: &mut Vec<Item>,
    whole: &Pattern,
    parts: &[Piece],
    axis: isize,
    refused: &mut Vec<Refused>,
) {
    for item in core::mem::take(items) {
        let Some(found) = item.is_used().then(|| whole.find(&item.name)).flatten() else {
            items.push(item);
            continue;
        };
        match parts_of(&item.sizes, parts, axis) {
            Err(reason) => refused.push((item.name.clone(), reason)),
            Ok((axis, sizes)) => {
                let mut start = 0;
                for (part, len) in parts.iter().zip(sizes) {
                    let mut sizes = item.sizes.clone();
                    sizes[axis] = len;
                    let of = Box::new(item.weight.clone());
                    items.push(Item {
                        name: part.pattern.filled(&found),
                        weight: Weight::Part { of, axis, start, len },
                        sizes,
                        ..item.clone()
                    });
                    start += len;
                }
            }
        }
    }
}

/// The axis, and the size of each part along it.
fn parts_of(sizes: &[usize], parts: &[Piece], axis: isize) -> Result<(usize, Vec<usize>), String> {
    let axis = axis_of(axis, sizes)?;
    let size = sizes[axis];
    let given: Option<Vec<usize>> = parts.iter().map(|part| part.size).collect();
    let lens = given.unwrap_or_else(|| vec![size / parts.len(); parts.len()]);
    if lens.iter().try_fold(0, |sum: usize, &len| sum.checked_add(len)) == Some(size) {
        return Ok((axis, lens));
    }
    Err(match parts.iter().all(|part| part.size.is_some()) {
        true => format!("{sizes:?} has size {size} along axis {axis}, and its parts have {lens:?}"),
        false => format!(
            "{sizes:?} has size {size} along axis {axis}, which is not {} equal parts",
            parts.len()
        ),
    })
}

fn join(
    items: &mut Vec<Item>,
    parts: &[Piece],
    whole: &Pattern,
    axis: isize,
    refused: &mut Vec<Refused>,
) {
    let all = core::mem::take(items);
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, item) in all.iter().enumerate().filter(|(_, item)| item.is_used()) {
        by_name.entry(&item.name).or_default().push(index);
    }
    let mut taken = BTreeSet::new();
    for (&first, indices) in &by_name {
        let Some(found) = parts[0].pattern.find(first) else { continue };
        if indices.iter().all(|index| taken.contains(index)) {
            continue;
        }
        let names: Vec<String> = parts.iter().map(|part| part.pattern.filled(&found)).collect();
        let name = whole.filled(&found);
        let of: Result<Vec<&Item>, String> =
            names.iter().map(|name| only(&all, &by_name, name)).collect();
        match of.and_then(|of| joined(&of, parts, axis)) {
            Err(reason) => refused.push((name, reason)),
            Ok(joined) => items.push(Item { name, ..joined }),
        }
        taken.extend(names.iter().filter_map(|name| by_name.get(&name[..])).flatten().copied());
    }
    let left = all.iter().enumerate().filter(|(index, _)| !taken.contains(index));
    items.extend(left.map(|(_, item)| item.clone()));
}

/// The one tensor in use with this name.
fn only<'a>(
    all: &'a [Item],
    by_name: &BTreeMap<&str, Vec<usize>>,
    name: &str,
) -> Result<&'a Item, String> {
    match by_name.get(name).map_or(&[][..], |indices| indices) {
        [index] => Ok(&all[*index]),
        [one, other, ..] => Err(format!(
            "both `{}` and `{}` have the name `{name}`",
            all[*one].weight, all[*other].weight
        )),
        [] => Err(match all.iter().any(|item| item.name == name) {
            true => format!("`{name}` is ignored, or does not have the prefix"),
            false => format!("there is no `{name}`"),
        }),
    }
}

/// These tensors as one.
fn joined(of: &[&Item], parts: &[Piece], axis: isize) -> Result<Item, String> {
    let first = of[0];
    let axis = axis_of(axis, &first.sizes)?;
    for (item, part) in of.iter().zip(parts) {
        let mut expected = first.sizes.clone();
        if item.sizes.len() == expected.len() {
            expected[axis] = part.size.unwrap_or(expected[axis]);
        }
        if item.element != first.element || item.sizes != expected {
            return Err(format!(
                "`{}` is {} {:?}, not {} {expected:?}",
                item.name, item.element, item.sizes, first.element
            ));
        }
    }
    let mut sizes = first.sizes.clone();
    sizes[axis] = of.iter().map(|item| item.sizes[axis]).sum();
    let whole = |of: Vec<Weight>| Weight::Joined { of, axis };
    let copies = of.iter().map(|item| match &item.fate {
        Fate::Copy(one, other) => Some((one.clone(), other.clone())),
        _ => None,
    });
    let fate = match copies.collect::<Option<Vec<(Weight, Weight)>>>() {
        Some(copies) => {
            let (ones, others) = copies.into_iter().unzip();
            Fate::Copy(whole(ones), whole(others))
        }
        None => Fate::Used,
    };
    let weight = whole(of.iter().map(|item| item.weight.clone()).collect());
    let converts = of.iter().all(|item| item.converts);
    Ok(Item { weight, sizes, fate, converts, ..first.clone() })
}

/// As it is written: a name, or a name and a size.
impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.size {
            Some(size) => write!(f, "({:?}, {size})", self.pattern),
            None => fmt::Debug::fmt(&self.pattern, f),
        }
    }
}

/// Two names for one tensor.
fn tie(items: &mut Vec<Item>, name: &str, to: &str) {
    let position = |items: &[Item], name: &str| {
        items.iter().position(|item| item.name == name && item.fate == Fate::Used)
    };
    let Some(original) = position(items, to) else { return };
    let original = items[original].clone();
    match position(items, name) {
        Some(at) => items[at].fate = Fate::Copy(items[at].weight.clone(), original.weight),
        None => {
            let fate = Fate::Copy(original.weight.clone(), original.weight.clone());
            items.push(Item { name: name.to_owned(), fate, ..original });
        }
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rename { from, to } => write!(f, "rename({from:?}, {to:?})"),
            Self::RenameWith { .. } => f.write_str("rename_with(…)"),
            Self::Prefix(prefix) => write!(f, "prefix({prefix:?})"),
            Self::Ignore(pattern) => write!(f, "ignore({pattern:?})"),
            Self::Convert(pattern) => write!(f, "convert({pattern:?})"),
            Self::Transpose(pattern) => write!(f, "transpose({pattern:?})"),
            Self::Regroup { pattern, groups } => write!(f, "regroup({pattern:?}, {groups:?})"),
            Self::Split { whole, parts, axis } => write!(f, "split({whole:?}, {parts:?}, {axis})"),
            Self::Join { parts, whole, axis } => write!(f, "join({parts:?}, {whole:?}, {axis})"),
            Self::Tie { name, to } => write!(f, "tie({name:?}, {to:?})"),
        }
    }
}
