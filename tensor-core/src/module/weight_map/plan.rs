//! [`WeightPlan`]: which tensor of a file fills which one of a model, before any is read.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};

use super::pattern::Pattern;
use super::rules::{Fate, Item, Refused, Renamed};
use super::weight::{Maker, Weight};
use crate::io::any_array::converts;
use crate::io::{Checkpoint, LoadError, Mismatch, escaped, skipped_lines};
use crate::module::read::{Request, RequestKind};
use crate::module::table::aligned;
use crate::shape::error::ShapeError;
use crate::tensor::AnyTensor;

/// The dry run of a [`WeightMap`](super::WeightMap): the field of the model for each tensor of the file, the
/// unused ones on both sides, and the nearest name for each of those.
/// [`WeightMap::plan`](super::WeightMap::plan) returns it; its `Display` is a table.
#[derive(Clone, Debug)]
pub struct WeightPlan {
    /// The objects of the file that are not read: their names, and those of their classes.
    skipped: Vec<(String, String)>,
    pub(super) rows: Vec<Row>,
    pub(super) left_over: Vec<LeftOver>,
    pub(super) ignored: Vec<String>,
    pub(super) refused: Vec<Refused>,
    /// Copies in the file of tensors that the model has once.
    pub(super) copies: Vec<(Weight, Weight)>,
    /// The rules that match no tensor of the file, as they are written.
    unmatched: Vec<String>,
    /// The beginning of all names of the file, without which most names of the model are in it.
    prefix: Option<String>,
}

/// A tensor of the model.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) name: String,
    element: &'static str,
    axes: String,
    pub(super) source: WeightSource,
    /// Whether it is square and not transposed, as other weights of the file are: its element type and sizes.
    square: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) enum WeightSource {
    /// The tensor, and the element type that it is converted to.
    File(Weight, Option<&'static str>),
    /// The model keeps what it has.
    Kept,
    Wrong(Mismatch),
}

/// A tensor of the file that fills none of the model.
#[derive(Clone, Debug)]
pub(super) struct LeftOver {
    /// Its name, after all rules.
    name: String,
    weight: Weight,
    found: String,
}

impl WeightPlan {
    pub(super) fn new(
        checkpoint: &Checkpoint,
        Renamed { items, mut refused, unmatched }: Renamed,
        requests: &[Request<'_>],
        keep: &[Pattern],
    ) -> Self {
        let mut by_name: BTreeMap<&str, &Item> = BTreeMap::new();
        for item in items.iter().filter(|item| item.is_used()) {
            if let Some(other) = by_name.insert(&item.name, item) {
                let reason =
                    format!("both `{}` and `{}` have this name", other.weight, item.weight);
                refused.push((item.name.clone(), reason));
            }
        }
        let mut rows: Vec<Row> =
            requests.iter().map(|request| Row::new(request, &by_name, keep)).collect();
        mark_squares(&mut rows, &by_name);
        let requested: BTreeSet<&str> = requests.iter().map(|request| &request.name[..]).collect();
        let (mut left_over, mut ignored, mut copies) = (Vec::new(), Vec::new(), Vec::new());
        let fills = |item: &Item| item.is_used() && requested.contains(&item.name[..]);
        for item in items.iter().filter(|item| !fills(item)) {
            match &item.fate {
                Fate::Ignored => ignored.push(item.weight.to_string()),
                Fate::Copy(one, other) if one != other => copies.push((one.clone(), other.clone())),
                Fate::Copy(..) => {}
                Fate::Used | Fate::Outside => left_over.push(LeftOver {
                    name: item.name.clone(),
                    weight: item.weight.clone(),
                    found: item.described(),
                }),
            }
        }
        let used = items.iter().filter(|item| item.is_used()).map(|item| &item.name[..]);
        let prefix = lacking_prefix(used, &requested);
        let skipped = checkpoint.skipped().to_vec();
        Self { skipped, rows, left_over, ignored, refused, copies, unmatched, prefix }
    }

    /// Whether the file fits the model: every tensor of both has its counterpart, or was ignored or kept.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::module::WeightMap;
    /// use tensor_core::tensor;
    ///
    /// let file = Checkpoint::from_bytes(b"\x02\0\0\0\0\0\0\0{}".to_vec())?;
    /// assert!(!WeightMap::new().plan_for(&tensor![1.0], &file).fits());
    /// assert!(WeightMap::new().plan_for(&(), &file).fits());
    /// # Ok::<(), tensor_core::io::ReadError>(())
    /// ```
    pub fn fits(&self) -> bool {
        self.mismatches().is_empty()
    }

    /// The plan, if the file fits: of a `bool`, every byte is compared as well.
    pub(super) fn checked(mut self, checkpoint: &Checkpoint) -> Result<Self, LoadError> {
        for row in self.rows.iter_mut().filter(|row| row.element == "bool") {
            if let WeightSource::File(weight, _) = &row.source
                && let Err(error) = Maker::new([], checkpoint).make(weight)
            {
                row.source = WeightSource::Wrong(Mismatch::of(&error));
            }
        }
        match self.mismatches() {
            mismatches if mismatches.is_empty() => Ok(self),
            mut mismatches => {
                let is_transposed = |(_, found): &_| matches!(found, Mismatch::Transposed { .. });
                if mismatches.iter().any(is_transposed) {
                    let squares = self.rows.into_iter().filter_map(|row| {
                        Some((row.name, Mismatch::EitherOrder { found: row.square? }))
                    });
                    mismatches.extend(squares);
                }
                let mut notes: Vec<String> = self.unmatched.iter().map(unmatched).collect();
                if let Some(prefix) = &self.prefix {
                    notes.insert(0, with_prefix(prefix));
                }
                let error = LoadError::new(checkpoint, mismatches);
                Err(error.with_notes(notes, self.prefix.is_some()))
            }
        }
    }

    fn mismatches(&self) -> Vec<(String, Mismatch)> {
        let refused = self
            .refused
            .iter()
            .map(|(name, reason)| (name.clone(), Mismatch::MapRule { problem: reason.clone() }));
        let rows = self.rows.iter().filter_map(|row| match &row.source {
            WeightSource::Wrong(mismatch) => Some((row.name.clone(), mismatch.clone())),
            WeightSource::File(..) | WeightSource::Kept => None,
        });
        let left_over = self.left_over.iter().map(|item| {
            (item.weight.to_string(), Mismatch::LeftOver { found: item.found.clone() })
        });
        refused.chain(rows).chain(left_over).collect()
    }
}

fn unmatched(rule: &String) -> String {
    format!("`.{rule}` matches no tensor of the file")
}

fn with_prefix(prefix: &str) -> String {
    format!(
        "all names of the file begin with `{prefix}`: `WeightMap::new().prefix({prefix:?})` removes it"
    )
}

/// The beginning of all names of the file, which ends with a dot, if more than half of the names of the model are those of
/// the file without it.
fn lacking_prefix<'a>(
    names: impl Iterator<Item = &'a str> + Clone,
    requested: &BTreeSet<&str>,
) -> Option<String> {
    let first = names.clone().next()?;
    let prefixes = first.match_indices('.').map(|(dot, _)| &first[..=dot]);
    let shared = prefixes.take_while(|prefix| names.clone().all(|name| name.starts_with(prefix)));
    let found = |prefix: &&str| {
        let without = names.clone().filter_map(|name| name.strip_prefix(*prefix));
        without.filter(|name| requested.contains(name)).count()
    };
    let (prefix, found) =
        shared.map(|prefix| (prefix, found(&prefix))).max_by_key(|pair| pair.1)?;
    let as_they_are = names.filter(|name| requested.contains(name)).count();
    (as_they_are == 0 && found * 2 > requested.len()).then(|| prefix.to_owned())
}

impl Row {
    fn new(request: &Request<'_>, items: &BTreeMap<&str, &Item>, keep: &[Pattern]) -> Self {
        let name = request.name.clone();
        let (element, axes, accepts) = match &request.kind {
            RequestKind::Type { element, axes, accepts } => {
                (*element, axes.clone(), Accepts::Type(*accepts))
            }
            RequestKind::Tensor(tensor) => {
                (tensor.element_name(), tensor.axis_names(), Accepts::Tensor(*tensor))
            }
            RequestKind::Default { element, axes } => {
                let axes = axes.join(", ");
                return Self { name, element, axes, source: WeightSource::Kept, square: None };
            }
            RequestKind::NoTensor(type_name) => {
                let source = WeightSource::Wrong(Mismatch::NoTensor { type_name });
                return Self { name, element: "", axes: String::new(), source, square: None };
            }
        };
        let is_kept = matches!(request.kind, RequestKind::Tensor(_))
            && (is_count(&name) || keep.iter().any(|pattern| pattern.matches(&name)));
        let mut shown = axes.join(", ");
        let source = match items.get(&name[..]) {
            None if is_kept => WeightSource::Kept,
            None => WeightSource::Wrong(Mismatch::Missing),
            Some(item) => {
                let same = item.element == element;
                let fits = same || (item.converts && converts(&item.element, element));
                if fits && accepts.accepts(&item.sizes) {
                    shown = with_sizes(&axes, &item.sizes);
                    WeightSource::File(item.weight.clone(), (!same).then_some(element))
                } else if fits && axes.is_empty() && item.sizes == [1] {
                    // PyTorch 0.3 had no tensors without axes.
                    let number = Weight::Number(Box::new(item.weight.clone()));
                    WeightSource::File(number, (!same).then_some(element))
                } else {
                    let expected = format!("{element} [{shown}]");
                    let found = item.described();
                    let is_transposed = fits
                        && matches!(item.sizes[..], [m, n] if accepts.accepts(&[n, m]))
                        && !item.weight.is_transposed();
                    WeightSource::Wrong(match is_transposed {
                        true => Mismatch::Transposed { expected, found },
                        false => Mismatch::Differs { expected, found },
                    })
                }
            }
        };
        Self { name, element, axes: shown, source, square: None }
    }
}

/// Whether it is the name of a count of batches, which files of PyTorch before version 0.4.1 lack, and others that were
/// written without it: PyTorch keeps that of the model.
fn is_count(name: &str) -> bool {
    name.rsplit('.').next() == Some("num_batches_tracked")
}

/// The axes of a tensor with the sizes of the file, which axes of run-time size take: `Hidden=384, 2`.
fn with_sizes(axes: &[String], sizes: &[usize]) -> String {
    let shown = sizes.iter().enumerate().map(|(number, size)| {
        let name = axes.get(number).and_then(|axis| axis.split('=').next()).unwrap_or_default();
        // The axis of a `DynTensor` is `..`, one without a name `?`.
        match name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') {
            true => format!("{name}={size}"),
            false => size.to_string(),
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// Marks the square matrices that are not transposed while other weights of their kind are, or have to be: sizes do not
/// tell in which order they are stored.
fn mark_squares(rows: &mut [Row], items: &BTreeMap<&str, &Item>) {
    let transposed: BTreeSet<&str> = rows
        .iter()
        .filter(|row| match &row.source {
            WeightSource::File(weight, _) => weight.is_transposed(),
            WeightSource::Kept => false,
            WeightSource::Wrong(mismatch) => matches!(mismatch, Mismatch::Transposed { .. }),
        })
        .filter_map(|row| Some(items.get(&row.name[..])?.weight.kind()))
        .collect();
    for row in rows.iter_mut().filter(|row| matches!(row.source, WeightSource::File(..))) {
        let item = items[&row.name[..]];
        let is_square = matches!(item.sizes[..], [m, n] if m == n && n > 1);
        if is_square && !item.weight.is_transposed() && transposed.contains(item.weight.kind()) {
            row.square = Some(item.described());
        }
    }
}

/// Whether a tensor of the model takes sizes.
enum Accepts<'a> {
    Type(fn(&[usize]) -> Result<(), ShapeError>),
    Tensor(&'a dyn AnyTensor),
}

impl Accepts<'_> {
    fn accepts(&self, sizes: &[usize]) -> bool {
        match self {
            Self::Type(accepts) => accepts(sizes).is_ok(),
            Self::Tensor(tensor) => tensor.accepts(sizes).is_ok(),
        }
    }
}

/// The number of names on each side up to which the nearest is searched: each is compared with each.
const MOST_COMPARED: usize = 300;

/// The name that is nearest to `name`, of tensors with a description.
fn nearest<'a>(
    name: &str,
    description: &str,
    others: impl Iterator<Item = (&'a str, &'a str)>,
) -> Option<&'a str> {
    // A tensor with another shape or type is as far away as one with another word in its name.
    const ANOTHER_SHAPE: usize = 6;
    let distance = |(other, found): &(&str, &str)| {
        strsim::levenshtein(name, other) + if *found == description { 0 } else { ANOTHER_SHAPE }
    };
    let best = others.take(MOST_COMPARED).min_by_key(distance)?;
    // Names that share less than half of their letters are not near.
    let longest = name.chars().count().max(best.0.chars().count());
    (strsim::levenshtein(name, best.0) * 3 <= longest * 2).then_some(best.0)
}

/// The end of a line about a tensor without a counterpart.
fn near(name: Option<&str>) -> String {
    name.map_or(String::new(), |name| format!("; nearest: {name}"))
}

impl WeightPlan {
    /// A row for each tensor of the model, in columns.
    fn table(&self) -> String {
        let left_over: Vec<(&str, &str)> =
            self.left_over.iter().map(|item| (&item.name[..], &item.found[..])).collect();
        let mut cells = vec![["model", "type", "shape", "file"].map(str::to_owned)];
        for row in &self.rows {
            let source = match &row.source {
                WeightSource::File(weight, None) => weight.to_string(),
                WeightSource::File(weight, Some(to)) => format!("{weight} converted to {to}"),
                WeightSource::Kept => "(kept)".to_owned(),
                WeightSource::Wrong(Mismatch::Missing) => {
                    let others = left_over.iter().copied();
                    format!("MISSING{}", near(nearest(&row.name, &row.described(), others)))
                }
                WeightSource::Wrong(Mismatch::Differs { found, .. }) => format!("DIFFERS: {found}"),
                WeightSource::Wrong(Mismatch::Transposed { found, .. }) => {
                    format!("DIFFERS: {found}, which is transposed")
                }
                WeightSource::Wrong(mismatch) => format!("WRONG: {mismatch}"),
            };
            let mark = row.square.as_ref().map_or("", |_| "; SQUARE, NOT TRANSPOSED as others are");
            let source = source + mark;
            let shape = format!("[{}]", row.axes);
            let cell = [row.name.clone(), row.element.to_owned(), shape, source];
            cells.push(cell.map(|text| escaped(&text)));
        }
        aligned(&cells)
    }
}

impl fmt::Display for WeightPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.table())?;
        let missing: Vec<(&str, String)> = self
            .rows
            .iter()
            .filter(|row| matches!(row.source, WeightSource::Wrong(Mismatch::Missing)))
            .map(|row| (&row.name[..], row.described()))
            .collect();
        for item in &self.left_over {
            let missing = missing.iter().map(|(name, described)| (*name, &described[..]));
            let near = near(nearest(&item.name, &item.found, missing));
            let line = format!("LEFT OVER: {} {}{near}", item.weight, item.found);
            writeln!(f, "{}", escaped(&line))?;
        }
        for (name, reason) in &self.refused {
            writeln!(f, "{}", escaped(&format!("REFUSED: {name}: {reason}")))?;
        }
        for name in &self.ignored {
            writeln!(f, "ignored: {}", escaped(name))?;
        }
        for line in skipped_lines(&self.skipped) {
            writeln!(f, "{line}")?;
        }
        for rule in &self.unmatched {
            writeln!(f, "{}", unmatched(rule))?;
        }
        if let Some(prefix) = &self.prefix {
            writeln!(f, "{}", with_prefix(prefix))?;
        }
        let filled =
            self.rows.iter().filter(|row| matches!(row.source, WeightSource::File(..))).count();
        write!(f, "{filled} of {} tensors filled", self.rows.len())?;
        match self.mismatches().len() {
            0 => Ok(()),
            wrong => write!(f, ", problems: {wrong}"),
        }
    }
}

impl Row {
    fn described(&self) -> String {
        format!("{} [{}]", self.element, self.axes)
    }
}
