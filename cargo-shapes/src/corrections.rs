//! Corrections that rustc has tried.
//!
//! For a refused shape, the wrapper of rustc tries small changes at the error, in a copy of the crate. Those with which
//! rustc accepts the whole function are added to the message as suggestions, each with the shape of its result.
//!
//! One run of rustc checks a copy of the function with each candidate; another one finds the types of the results; and
//! each correction that is offered has been checked in the program itself.

mod candidates;
mod compiler;
mod function;

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::diagnostic::{code, is_of_library, list, list_mut, primary, text, texts};
use crate::render::is_suggestion;
use crate::shapes::translated;

use candidates::{Axis, Candidate, Edit, bytes, candidates, place};
use compiler::{Compiler, Limit};
use function::{Function, Item, edited};

/// The variable with a folder of this run of cargo, which its calls of rustc share.
pub const RUN: &str = "CARGO_SHAPES_RUN";

/// The variable with the seconds that corrections are tried for in one run of cargo: `CARGO_SHAPES_CORRECTIONS=0`
/// turns them off.
pub const SECONDS: &str = "CARGO_SHAPES_CORRECTIONS";

/// The time if the variable is not set.
const TIME: Duration = Duration::from_secs(3);

/// At most this number of corrections is offered for an error.
const OFFERED: usize = 3;

/// The number of copies that the first run of rustc checks; later ones check more.
const AT_FIRST: usize = 6;

/// At most this number of accepted candidates is looked at more closely.
const CLOSER: usize = 12;

/// The beginning of the message of a correction.
pub const COMPILES: &str = "this compiles: ";

/// Whether a part of a message is a correction that was tried.
pub fn is_correction(child: &Value) -> bool {
    text(child, "message").starts_with(COMPILES) && is_suggestion(child)
}

/// How long corrections are tried in one run of cargo.
pub fn time() -> Duration {
    let seconds = env::var(SECONDS).ok().and_then(|seconds| seconds.parse().ok());
    seconds.map_or(TIME, Duration::from_secs)
}

/// Tries corrections for the errors of one call of rustc.
pub struct Corrections {
    compiler: Compiler,
    run: PathBuf,
    /// The folder of the package, whose files can be corrected.
    package: PathBuf,
}

/// A correction that rustc accepts.
struct Accepted {
    candidate: Candidate,
    /// The type of its result.
    result: Option<String>,
}

impl Corrections {
    /// For a call of the compiler in the environment that cargo sets; `None` if no corrections are wanted.
    pub fn new(call: &[OsString]) -> Option<Self> {
        let run = env::var_os(RUN).map(PathBuf::from).filter(|run| run.is_dir())?;
        let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
        if time().is_zero() || is_switched_off(&package) {
            return None;
        }
        Some(Self { compiler: Compiler::read(call)?, run, package })
    }

    /// Adds corrections to an error, and returns whether there are any; `errors` are all of this call.
    pub fn add(&self, diagnostic: &mut Value, errors: &[Value]) -> bool {
        if !concerns(diagnostic) {
            return false;
        }
        let Some(end) = self.end() else { return false };
        let mut hasher = DefaultHasher::new();
        text(diagnostic, "rendered").hash(&mut hasher);
        let file = self.run.join(format!("{:x}.json", hasher.finish()));
        // Another target has the same error: of a library, and of its tests.
        let found = match File::create_new(file.with_extension("claim")) {
            Ok(_) => {
                let found = Value::Array(self.found(diagnostic, errors, end).unwrap_or_default());
                let whole = file.with_extension("part");
                let written = fs::write(&whole, found.to_string());
                let _ = written.and_then(|()| fs::rename(&whole, &file));
                found
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => of_other(&file, end),
            Err(_) => return false,
        };
        let Some(found) = found.as_array().filter(|found| !found.is_empty()) else { return false };
        let proposed: Vec<String> = found.iter().map(replaced).collect();
        let Some(children) = list_mut(diagnostic, "children") else { return false };
        // What rustc proposes, too, is shown once.
        children.retain(|child| !is_suggestion(child) || !proposed.contains(&replaced(child)));
        children.extend(found.iter().cloned());
        let lines = found.iter().map(|child| format!("help: {}\n", text(child, "message")));
        diagnostic["rendered"] =
            (text(diagnostic, "rendered").to_owned() + &lines.collect::<String>()).into();
        true
    }

    /// When the time of this run is over, which begins with its first error.
    fn end(&self) -> Option<Instant> {
        let start = self.run.join("start");
        let _ = File::create_new(&start);
        let passed = fs::metadata(start).ok()?.modified().ok()?.elapsed().unwrap_or_default();
        Instant::now().checked_add(time().checked_sub(passed)?)
    }

    fn found(&self, diagnostic: &Value, errors: &[Value], end: Instant) -> Option<Vec<Value>> {
        let span = primary(diagnostic)?;
        let name = text(span, "file_name");
        let path = self.compiler.path(name);
        let is_written =
            path.starts_with(&self.package) && !is_in_folder(&path, env::var_os("OUT_DIR"));
        if !is_written {
            return None;
        }
        let limit = Limit::new(end, path.clone());
        let source = fs::read_to_string(path).ok()?;
        let file = function::parse(&source)?;
        let item = function::find(&file, &place(span)?)?;
        let candidates = candidates(&source, &item, diagnostic);
        let range = item.whole();
        let tries = Tries { compiler: &self.compiler, name, source: &source, range, errors, limit };
        let accepted = tries.accepted(&item, candidates);
        Some(accepted.iter().map(|accepted| suggestion(accepted, name, &source)).collect())
    }
}

/// Whether the manifest of a package has `[package.metadata.shapes] corrections = false`.
fn is_switched_off(package: &Path) -> bool {
    let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap_or_default();
    let manifest: toml::Table = manifest.parse().unwrap_or_default();
    let entry = |table: Option<&toml::Value>, key: &str| table?.get(key).cloned();
    let metadata = entry(manifest.get("package"), "metadata");
    entry(entry(metadata.as_ref(), "shapes").as_ref(), "corrections")
        .is_some_and(|value| value.as_bool() == Some(false))
}

fn is_in_folder(path: &Path, folder: Option<OsString>) -> bool {
    folder.is_some_and(|folder| path.starts_with(folder))
}

/// Whether an error is about shapes.
pub fn concerns(diagnostic: &Value) -> bool {
    let names_tensors = texts(diagnostic).iter().any(|text| text.contains("Tensor<"));
    text(diagnostic, "level") == "error"
        && (is_of_library(diagnostic) || names_tensors)
        && ["E0277", "E0271", "E0308", "E0369", "E0382", "E0599"].contains(&code(diagnostic))
}

/// The corrections that another call of rustc finds for the same error.
fn of_other(file: &Path, end: Instant) -> Value {
    loop {
        if let Ok(text) = fs::read_to_string(file) {
            return serde_json::from_str(&text).unwrap_or_default();
        }
        if Instant::now() > end + TIME / 4 {
            return Value::Null;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Where a suggestion replaces what.
fn replaced(child: &Value) -> String {
    let spans = list(child, "spans").iter();
    let spans = spans.map(|span| format!("{:?} {}", bytes(span), span["suggested_replacement"]));
    spans.collect::<Vec<_>>().join(", ")
}

/// The tries for one error.
struct Tries<'a> {
    compiler: &'a Compiler,
    /// The file, as rustc names it.
    name: &'a str,
    source: &'a str,
    /// The function that the error is in.
    range: Range<usize>,
    /// The errors of the program as it is.
    errors: &'a [Value],
    limit: Limit,
}

impl Tries<'_> {
    /// The best candidates that rustc accepts.
    fn accepted(&self, item: &Item<'_>, candidates: Vec<Candidate>) -> Vec<Accepted> {
        let (in_copies, in_program): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|candidate| {
            let is_inside = |edit: &Edit| function::within(&edit.range, &self.range);
            candidate.result.is_some() && candidate.edits.iter().all(is_inside)
        });
        let copied = item.function.as_ref().and_then(|function| self.in_copies(function, &in_copies));
        let mut accepted = match copied {
            Some(accepted) => self.checked(&accepted),
            None => self.one_by_one(&in_copies),
        };
        if accepted.len() < OFFERED {
            accepted.extend(self.one_by_one(&in_program));
        }
        accepted.sort_by_key(|accepted| accepted.candidate.rank);
        accepted.truncate(OFFERED);
        accepted
    }

    /// The candidates that compile in copies of the function, with the types of their results; `None` if the function
    /// cannot be copied.
    fn in_copies(&self, function: &Function<'_>, candidates: &[Candidate]) -> Option<Vec<Accepted>> {
        if !function.can_be_copied() {
            return None;
        }
        let own = self.errors_in(self.errors, &self.range);
        let own = messages(&own);
        let mut accepted: Vec<&Candidate> = Vec::new();
        // The likeliest are tried at first, as a function may be large.
        let (mut rest, mut at_once) = (candidates, AT_FIRST);
        while !rest.is_empty() && accepted.len() < OFFERED * 2 && !self.limit.is_half_over() {
            let part;
            (part, rest) = rest.split_at(rest.len().min(at_once * threads()));
            // The first copy is unchanged, and has the errors of the function.
            let with_control = part.chunks(at_once).map(|part| {
                let edits = part.iter().map(|candidate| candidate.edits.clone());
                [Vec::new()].into_iter().chain(edits).collect::<Vec<_>>()
            });
            let errors = self.of_copies(function, &with_control.collect::<Vec<_>>())?;
            for (part, errors) in part.chunks(at_once).zip(errors) {
                let (control, errors) = errors.split_first()?;
                if messages(control) != own {
                    return None;
                }
                let accepted_now = part.iter().zip(errors).filter(|(_, errors)| errors.is_empty());
                accepted.extend(accepted_now.map(|(candidate, _)| candidate));
            }
            at_once *= 3;
        }
        accepted.truncate(CLOSER);
        let of_results = accepted.iter().map(|candidate| asking(candidate, candidate.result.as_ref()));
        let of_tensors = accepted.iter().map(|candidate| match &candidate.axis {
            Some(axis) => asking(&Candidate { edits: Vec::new(), ..(*candidate).clone() }, Some(&axis.of)),
            None => Vec::new(),
        });
        let questions: Vec<_> = of_results.chain(of_tensors).collect();
        let answers = self.of_copies(function, &[questions])?.pop()?;
        let mut answers = answers.iter().map(|answers| answers.iter().find_map(asked));
        let results: Vec<Option<String>> = answers.by_ref().take(accepted.len()).collect();
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for ((candidate, result), tensor) in accepted.into_iter().zip(results).zip(answers) {
            // `-1` and 2 are the same axis of a tensor of rank 3.
            let axis = candidate.axis.as_ref().map(|axis| from_front(axis, tensor.as_deref()));
            let edits = candidate.edits.iter().map(|edit| {
                let text = edit.text.replace(|c: char| c == '-' || c.is_ascii_digit(), "");
                (edit.range.clone(), if axis.is_some() { text } else { edit.text.clone() })
            });
            if result.is_some() && seen.insert((edits.collect::<Vec<_>>(), axis)) {
                found.push(Accepted { candidate: candidate.clone(), result });
            }
        }
        Some(found)
    }

    /// The errors in each copy, of several programs with copies.
    fn of_copies(
        &self,
        function: &Function<'_>,
        programs: &[Vec<Vec<Edit>>],
    ) -> Option<Vec<Vec<Vec<Value>>>> {
        let programs = programs.iter().map(|copies| function.with_copies(self.source, copies));
        let programs: Vec<(String, Vec<Range<usize>>)> = programs.collect();
        let errors = self.parallel(&programs, |(text, ranges)| {
            syn::parse_str::<syn::File>(text).ok()?;
            let errors = self.compiler.check(self.name, text, &self.limit)?;
            // What is no part of a function can be wrong with a copy, too: the parameters of an `impl`.
            let is_new = |error: &Value| {
                !ranges.iter().any(|range| self.is_of(error, range))
                    && !self.errors.iter().any(|known| text_of(known) == text_of(error))
            };
            let of_copies = ranges.iter().map(|range| self.errors_in(&errors, range));
            (!errors.iter().any(is_new)).then(|| of_copies.collect::<Vec<_>>())
        });
        (errors.len() == programs.len()).then_some(errors)
    }

    /// The errors in a part of the file.
    fn errors_in(&self, errors: &[Value], part: &Range<usize>) -> Vec<Value> {
        errors.iter().filter(|error| self.is_of(error, part)).cloned().collect()
    }

    fn is_of(&self, error: &Value, part: &Range<usize>) -> bool {
        let mut spans = list(error, "spans").iter();
        spans.any(|span| span["is_primary"] == true && self.is_in(span, part))
    }

    /// Whether a span, or the call of the macro that it is in, is in a part of the file.
    fn is_in(&self, span: &Value, part: &Range<usize>) -> bool {
        let is_here = text(span, "file_name") == self.name
            && bytes(span).is_some_and(|bytes| function::within(&bytes, part));
        is_here || (span["expansion"].is_object() && self.is_in(&span["expansion"]["span"], part))
    }

    /// Those that the program itself compiles with, at most as many as are offered.
    fn checked(&self, accepted: &[Accepted]) -> Vec<Accepted> {
        let mut checked = Vec::new();
        for chunk in accepted.chunks(threads().max(OFFERED)) {
            let right = self.parallel(chunk, |accepted| {
                self.compiles_with(&accepted.candidate).then(|| Accepted {
                    candidate: accepted.candidate.clone(),
                    result: accepted.result.clone(),
                })
            });
            checked.extend(right);
            if checked.len() >= OFFERED {
                break;
            }
        }
        checked
    }

    /// Tries candidates in the program itself, until enough are accepted.
    fn one_by_one(&self, candidates: &[Candidate]) -> Vec<Accepted> {
        let mut accepted = Vec::new();
        for chunk in candidates.chunks(threads()) {
            accepted.extend(self.parallel(chunk, |candidate| {
                if !self.compiles_with(candidate) {
                    return None;
                }
                let result = match &candidate.result {
                    None => None,
                    of => {
                        let question = asking(candidate, of.as_ref());
                        let question = edited(self.source, &(0..self.source.len()), &question);
                        let answers = self.compiler.check(self.name, &question, &self.limit)?;
                        Some(answers.iter().find_map(asked)?)
                    }
                };
                Some(Accepted { candidate: candidate.clone(), result })
            }));
            if accepted.len() >= OFFERED || !self.limit.holds() {
                break;
            }
        }
        accepted
    }

    /// Whether rustc accepts the whole function, and has no error elsewhere that it has not now.
    fn compiles_with(&self, candidate: &Candidate) -> bool {
        let text = edited(self.source, &(0..self.source.len()), &candidate.edits);
        if syn::parse_str::<syn::File>(&text).is_err() {
            return false;
        }
        let Some(errors) = self.compiler.check(self.name, &text, &self.limit) else { return false };
        let own = self.errors_in(self.errors, &self.range);
        let mut elsewhere: Vec<&str> = self
            .errors
            .iter()
            .filter(|error| !own.contains(error))
            .map(|error| text_of(error))
            .collect();
        errors.iter().all(|error| {
            let known = elsewhere.iter().position(|message| *message == text_of(error));
            known.map(|at| elsewhere.swap_remove(at)).is_some()
        })
    }

    fn parallel<T: Sync, R: Send>(&self, all: &[T], each: impl Fn(&T) -> Option<R> + Sync) -> Vec<R> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(one) = all.get(at) else { return done };
                done.extend(each(one).map(|result| (at, result)));
            }
        };
        let mut results: Vec<(usize, R)> = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads()).map(|_| scope.spawn(work)).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
        });
        results.sort_by_key(|(at, _)| *at);
        results.into_iter().map(|(_, result)| result).collect()
    }
}

fn text_of(error: &Value) -> &str {
    text(error, "message")
}

/// The messages of errors, in order.
fn messages(errors: &[Value]) -> Vec<&str> {
    let mut messages: Vec<&str> = errors.iter().map(text_of).collect();
    messages.sort_unstable();
    messages
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The number of an axis, counted from the front if the rank of the tensor is known.
fn from_front(axis: &Axis, tensor: Option<&str>) -> i64 {
    let shape = tensor.and_then(|ty| {
        let translated = translated(ty);
        let (_, shape) = translated.split_once("Tensor<[")?;
        Some(shape.split_once(']')?.0.to_owned())
    });
    let rank = match shape.as_deref() {
        Some("") => 0,
        Some(shape) if !shape.contains("..") => shape.split(", ").count(),
        _ => return axis.number,
    };
    let rank = rank as i64 + i64::from(axis.is_new);
    if axis.number < 0 { axis.number + rank } else { axis.number }
}

/// The edits of a candidate, and others that make rustc name the type of an expression: `()` is none.
fn asking(candidate: &Candidate, expression: Option<&Range<usize>>) -> Vec<Edit> {
    let Some(&Range { start, end }) = expression else { return candidate.edits.clone() };
    let open = Edit { range: start..start, text: "match (".to_owned() };
    let close = ") { value => { let () = value; value } }".to_owned();
    let close = Edit { range: end..end, text: close };
    [open].into_iter().chain(candidate.edits.iter().cloned()).chain([close]).collect()
}

/// The type in the answer to such a question.
fn asked(error: &Value) -> Option<String> {
    let label = text(primary(error)?, "label");
    let ty = label.strip_prefix("expected `")?.strip_suffix("`, found `()`")?;
    (code(error) == "E0308").then(|| ty.to_owned())
}

/// A type as a correction names it: the shape of a tensor of `f32`, or the type.
fn shown(ty: &str) -> String {
    let translated = translated(ty);
    let tensor = translated.strip_prefix("Tensor<").and_then(|rest| rest.strip_suffix('>'));
    match tensor {
        Some(shape) if shape.starts_with('[') && shape.ends_with(']') => shape.to_owned(),
        _ => translated,
    }
}

/// A suggestion in the format of rustc.
fn suggestion(accepted: &Accepted, file: &str, source: &str) -> Value {
    let Accepted { candidate, result } = accepted;
    let spans: Vec<Value> =
        candidate.edits.iter().map(|edit| span(edit, file, source)).collect();
    let result = result.as_deref().map(|result| format!("; the result is `{}`", shown(result)));
    let message = format!("{COMPILES}{}{}", candidate.words, result.unwrap_or_default());
    json!({
        "message": message, "code": null, "level": "help", "spans": spans, "children": [], "rendered": null,
    })
}

fn span(edit: &Edit, file: &str, source: &str) -> Value {
    let place = |at: usize| {
        let before = &source[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (line, column)
    };
    let (start, end) = (place(edit.range.start), place(edit.range.end));
    let lines = source.lines().enumerate().skip(start.0 - 1).take(end.0 - start.0 + 1);
    let lines = lines.map(|(number, line)| {
        let from = if number + 1 == start.0 { start.1 } else { 1 };
        let to = if number + 1 == end.0 { end.1 } else { line.chars().count() + 1 };
        json!({ "text": line, "highlight_start": from, "highlight_end": to })
    });
    json!({
        "file_name": file, "byte_start": edit.range.start, "byte_end": edit.range.end,
        "line_start": start.0, "line_end": end.0, "column_start": start.1, "column_end": end.1,
        "is_primary": true, "text": lines.collect::<Vec<_>>(), "label": null,
        "suggested_replacement": edit.text, "suggestion_applicability": "MaybeIncorrect", "expansion": null,
    })
}
