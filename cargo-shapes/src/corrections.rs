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
use crate::types::is_name;

use candidates::{Axis, Candidate, bytes, candidates, edits, place};
use compiler::{Compiler, Limit};
use function::{Edit, Function, Item, edited};

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

/// A candidate of a lower rank is likely to be what is meant: no others are tried then.
const LIKELY: u32 = 6;

/// How much worse than the best candidate others may be.
const RANGE: u32 = 22;

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
                let found = self.found(diagnostic, errors, end).unwrap_or_default();
                let whole = file.with_extension("part");
                let written = fs::write(&whole, Value::from(found.clone()).to_string());
                let _ = written.and_then(|()| fs::rename(&whole, &file));
                found
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let found = of_other(&file, end);
                self.accepted(diagnostic, errors, &found).unwrap_or_default()
            }
            Err(_) => return false,
        };
        if found.is_empty() {
            return false;
        }
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
        self.tried(diagnostic, errors, end, |tries, item| {
            let candidates = candidates(tries.source, item, diagnostic);
            let accepted = tries.accepted(item, candidates);
            accepted.iter().map(|accepted| suggestion(accepted, tries.name, tries.source)).collect()
        })
    }

    /// The corrections of another target that this one accepts, too.
    fn accepted(
        &self,
        diagnostic: &Value,
        errors: &[Value],
        found: &[Value],
    ) -> Option<Vec<Value>> {
        // The other target may have used up the time.
        let end = Instant::now() + time();
        self.tried(diagnostic, errors, end, |tries, _| {
            tries.parallel(found, |child| {
                let edits = edits(child)?;
                tries.accepts(&tries.edited(&edits), &[]).map(|_| child.clone())
            })
        })
    }

    /// Runs tries for an error in a file of the package.
    fn tried<R>(
        &self,
        diagnostic: &Value,
        errors: &[Value],
        end: Instant,
        run: impl FnOnce(&Tries<'_>, &Item<'_>) -> R,
    ) -> Option<R> {
        let span = place(primary(diagnostic)?)?;
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
        let item = function::find(&file, &bytes(span)?)?;
        let range = item.whole();
        let tries = Tries { compiler: &self.compiler, name, source: &source, range, errors, limit };
        Some(run(&tries, &item))
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
fn of_other(file: &Path, end: Instant) -> Vec<Value> {
    loop {
        if let Ok(text) = fs::read_to_string(file) {
            return serde_json::from_str(&text).unwrap_or_default();
        }
        if Instant::now() > end + TIME / 4 {
            return Vec::new();
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
        let (in_copies, in_program): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|candidate| {
                let is_inside = |edit: &Edit| function::within(&edit.range, &self.range);
                candidate.result.is_some() && candidate.edits.iter().all(is_inside)
            });
        let function = item.function.as_ref();
        // What is likely to be meant needs no search.
        let likely = in_copies.partition_point(|candidate| candidate.rank < LIKELY);
        let (likely, in_copies) = in_copies.split_at(likely);
        let copied = function.filter(|function| function.can_be_copied());
        let found = self.checked(copied, &likely.iter().collect::<Vec<_>>());
        if !found.is_empty() {
            return found;
        }
        let accepted = function.and_then(|function| self.in_copies(function, in_copies));
        let mut accepted = match accepted {
            Some(accepted) => self.checked(function, &accepted),
            None => self.checked(None, &in_copies.iter().collect::<Vec<_>>()),
        };
        if accepted.len() < OFFERED {
            accepted.extend(self.checked(None, &in_program.iter().collect::<Vec<_>>()));
        }
        accepted.sort_by_key(|accepted| accepted.candidate.rank);
        accepted.truncate(OFFERED);
        accepted
    }

    /// The candidates that compile in copies of the function; `None` if it cannot be copied.
    fn in_copies<'c>(
        &self,
        function: &Function<'_>,
        candidates: &'c [Candidate],
    ) -> Option<Vec<&'c Candidate>> {
        if !function.can_be_copied() {
            return None;
        }
        let own = self.errors_in(self.errors, &self.range);
        let own = messages(&own);
        let mut accepted: Vec<&Candidate> = Vec::new();
        // The likeliest are tried at first, as a function may be large.
        let (mut rest, mut at_once) = (candidates, AT_FIRST);
        while !rest.is_empty() && !self.are_enough(&accepted) {
            let part;
            (part, rest) = rest.split_at(rest.len().min(at_once * threads()));
            // The first copy is unchanged, and has the errors of the function.
            let programs = part.chunks(at_once).map(|part| {
                let edits = part.iter().map(|candidate| candidate.edits.clone());
                let copies: Vec<_> = [Vec::new()].into_iter().chain(edits).collect();
                function.with_copies(self.source, &[], &copies)
            });
            let programs: Vec<_> = programs.collect();
            let errors = self.parallel(&programs, |(text, ranges)| self.errors_of(text, ranges));
            if errors.len() < programs.len() {
                return self
                    .limit
                    .holds()
                    .then_some(accepted)
                    .filter(|accepted| !accepted.is_empty());
            }
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
        let best = accepted.first().map_or(0, |best| best.rank);
        accepted.retain(|candidate| candidate.rank <= best + RANGE);
        Some(accepted)
    }

    /// Whether no further candidates are tried.
    fn are_enough(&self, accepted: &[&Candidate]) -> bool {
        let share = if accepted.is_empty() { 0.5 } else { 0.25 };
        accepted.len() > OFFERED || self.limit.passed() > share
    }

    /// The errors in each part of a program; `None` if it has other ones that are new.
    fn errors_of(&self, text: &str, parts: &[Range<usize>]) -> Option<Vec<Vec<Value>>> {
        syn::parse_str::<syn::File>(text).ok()?;
        let errors = self.compiler.check(self.name, text, &self.limit)?;
        let is_in_part = |error: &Value| parts.iter().any(|part| self.is_of(error, part));
        // What is no part of a function can be wrong with a copy, too: the parameters of an `impl`.
        let mut known: Vec<&str> = self.errors.iter().map(text_of).collect();
        let mut is_known = |error: &Value| {
            let at = known.iter().position(|known| *known == text_of(error));
            at.map(|at| known.swap_remove(at)).is_some()
        };
        let is_old = errors.iter().filter(|error| !is_in_part(error)).all(&mut is_known);
        is_old.then(|| parts.iter().map(|part| self.errors_in(&errors, part)).collect())
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

    /// Those that the program itself compiles with, with the types of their results. Copies of the function answer
    /// for these; without them, other runs of rustc do.
    fn checked(&self, function: Option<&Function<'_>>, candidates: &[&Candidate]) -> Vec<Accepted> {
        let (mut checked, mut seen) = (Vec::new(), HashSet::new());
        let mut bounded_types = HashSet::new();
        for chunk in candidates.chunks(threads().max(2)) {
            let programs = chunk.iter().map(|&candidate| {
                let of_result = asking(&candidate.edits, candidate.result.as_ref());
                let of_tensor = asking(&[], candidate.tensor.as_ref());
                let (text, parts) = match function {
                    Some(function) => {
                        function.with_copies(self.source, &candidate.edits, &[of_result, of_tensor])
                    }
                    None => (self.edited(&candidate.edits), Vec::new()),
                };
                (candidate, text, parts)
            });
            let programs: Vec<_> = programs.collect();
            let results = self.parallel(&programs, |(candidate, text, parts)| {
                let errors = self.accepts(text, parts)?;
                let answer = |errors: &Vec<Value>| errors.iter().find_map(asked);
                // A bound says what it requires.
                let is_bound = candidate.bounded().is_some();
                let (result, tensor) = match &errors[..] {
                    [of_result, of_tensor] => (answer(of_result), answer(of_tensor)),
                    _ => {
                        let ask = |edits: &[Edit], of: Option<&Range<usize>>| {
                            let question = self.edited(&asking(edits, Some(of?)));
                            answer(&self.compiler.check(self.name, &question, &self.limit)?)
                        };
                        let result = ask(&candidate.edits, candidate.result.as_ref());
                        (result, ask(&[], candidate.tensor.as_ref()))
                    }
                };
                if candidate.tensor.is_some() && !tensor.as_deref().is_some_and(is_tensor) {
                    return None;
                }
                let result =
                    result.filter(|result| !result.split(|c| !is_name(c)).any(|word| word == "_"));
                let is_stated = result.is_some() || is_bound;
                let accepted = Accepted { candidate: (*candidate).clone(), result };
                is_stated.then(|| (identity(candidate, tensor.as_deref()), accepted))
            });
            let new = results.into_iter().filter(|(identity, accepted)| {
                // The weakest bound is enough.
                let bounded = accepted.candidate.bounded().map(str::to_owned);
                let is_new = bounded.is_none_or(|ty| bounded_types.insert(ty));
                is_new && seen.insert(identity.clone())
            });
            checked.extend(new.map(|(_, accepted)| accepted));
            if checked.len() >= OFFERED || !self.limit.holds() {
                break;
            }
        }
        checked
    }

    /// The program with edits.
    fn edited(&self, edits: &[Edit]) -> String {
        edited(self.source, &(0..self.source.len()), edits)
    }

    /// Whether rustc accepts the whole function, and has no error elsewhere that it has not now: the errors in
    /// other parts of the text.
    fn accepts(&self, text: &str, parts: &[Range<usize>]) -> Option<Vec<Vec<Value>>> {
        let elsewhere: Vec<Value> = {
            let is_own = |error: &Value| self.is_of(error, &self.range);
            self.errors.iter().filter(|error| !is_own(error)).cloned().collect()
        };
        let others = Tries {
            errors: &elsewhere,
            limit: self.limit.clone(),
            range: self.range.clone(),
            ..*self
        };
        others.errors_of(text, parts)
    }

    fn parallel<T: Sync, R: Send>(
        &self,
        all: &[T],
        each: impl Fn(&T) -> Option<R> + Sync,
    ) -> Vec<R> {
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
    thread::available_parallelism().map_or(1, usize::from).min(8)
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

/// What a candidate does, with the same value for numbers of the same axis: `-1` and 2 of a tensor of rank 3.
fn identity(candidate: &Candidate, tensor: Option<&str>) -> (Vec<Edit>, Option<i64>) {
    let mut edits = candidate.edits.clone();
    let axis = candidate.axis.as_ref().map(|axis| {
        for edit in &mut edits {
            edit.text = edit.text.replace(|c: char| c == '-' || c.is_ascii_digit(), "");
        }
        from_front(axis, tensor)
    });
    (edits, axis)
}

/// Edits, and others that make rustc name the type of an expression: `()` is none.
fn asking(edits: &[Edit], expression: Option<&Range<usize>>) -> Vec<Edit> {
    let Some(&Range { start, end }) = expression else { return edits.to_vec() };
    let open = Edit { range: start..start, text: "match (".to_owned() };
    let close = ") { value => { let () = value; value } }".to_owned();
    let close = Edit { range: end..end, text: close };
    [open].into_iter().chain(edits.iter().cloned()).chain([close]).collect()
}

/// The type in the answer to such a question.
fn asked(error: &Value) -> Option<String> {
    let label = text(primary(error)?, "label");
    let ty = label.strip_prefix("expected `")?.strip_suffix("`, found `()`")?;
    (code(error) == "E0308").then(|| ty.to_owned())
}

/// Whether a type is a tensor, or a reference to one.
fn is_tensor(ty: &str) -> bool {
    let ty = ty.trim_start_matches(['&', ' ']).trim_start_matches("mut ");
    let path = ty.split('<').next().unwrap_or_default();
    path == "Tensor" || (path.starts_with("tensor_core::") && path.ends_with("::Tensor"))
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
    let spans: Vec<Value> = candidate.edits.iter().map(|edit| span(edit, file, source)).collect();
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

#[test]
fn numbers_of_one_axis_are_the_same() {
    let number = |number, is_new, tensor| from_front(&Axis { number, is_new }, tensor);
    let vector = Some("Tensor<((), I)>");
    assert_eq!([number(-1, true, vector), number(1, true, vector)], [1, 1]);
    let matrix = Some("&Tensor<(((), Batch), Dim<3>), i64>");
    assert_eq!([number(-1, false, matrix), number(1, false, matrix)], [1, 1]);
    assert_eq!(number(-1, true, Some("Tensor<()>")), 0);
    for unknown in [Some("Tensor<(Lead, Dim<3>)>"), Some("f32"), None] {
        assert_eq!(number(-2, false, unknown), -2);
    }
}
