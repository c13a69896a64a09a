//! Removes redundant parts of messages: consequences of the refusal, and source lines of the library.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use crate::diagnostic::{
    code, covered, entry, is_of_library, list, list_mut, primary, quoted, requirement, text, texts,
};

use super::refusals::{is_refusal, refusals, restrictions, without_path};
use super::{Surroundings, bound};

/// Makes a note of the rule in the label, `reason: rule [T101]`, if no note has one.
fn divide_label(diagnostic: &mut Value) {
    let has_note =
        list(diagnostic, "children").iter().any(|child| entry(text(child, "message")).is_some());
    let mut spans = list_mut(diagnostic, "spans").into_iter().flatten();
    let Some(span) = spans.find(|span| !has_note && span["is_primary"] == true) else { return };
    let label = text(span, "label").to_owned();
    let is_outside = |&(at, _): &(usize, &str)| label[..at].matches('`').count().is_multiple_of(2);
    let Some((at, colon)) = label.match_indices(": ").find(is_outside) else { return };
    let (reason, rule) = (&label[..at], &label[at + colon.len()..]);
    if entry(rule).is_none() {
        return;
    }
    span["label"] = Value::String(reason.to_owned());
    let note = json!({
        "children": [], "code": null, "level": "note", "rendered": null, "spans": [], "message": rule,
    });
    if let Some(children) = list_mut(diagnostic, "children") {
        let is_requirement = |child: &Value| requirement(text(child, "message")).is_some();
        let is_suggestion = |child: &Value| !list(child, "spans").is_empty();
        let at = children.iter().position(|child| is_requirement(child) || is_suggestion(child));
        children.insert(at.unwrap_or(children.len()), note);
    }
}

/// Removes children that repeat the refusal, and source lines of the library.
pub fn fold(diagnostic: &mut Value, surroundings: &Surroundings) {
    divide_label(diagnostic);
    let name = primary(diagnostic).and_then(covered).unwrap_or_default();
    let mut kept: Vec<Value> = Vec::new();
    let mut required: Option<Value> = None;
    let is_marked = |message: &str| message.lines().any(|line| line.trim_start().starts_with('^'));
    let has_table = list(diagnostic, "children")
        .iter()
        .any(|child| list(child, "spans").is_empty() && is_marked(text(child, "message")));
    let ours = has_table || is_of_library(diagnostic);
    let names_bound = bound::add(diagnostic);
    let refers = texts(diagnostic).iter().any(|text| text.contains("`required for` below"));
    let proposed: Vec<bool> = list(diagnostic, "children")
        .iter()
        .map(|child| !ours || !bound::restricts(child) || bound::is_right(child))
        .collect();
    let Some(children) = list_mut(diagnostic, "children") else { return };
    let children_of_rustc = std::mem::take(children);
    for (mut child, _) in children_of_rustc.into_iter().zip(proposed).filter(|(_, kept)| *kept) {
        let message = text(&child, "message").to_owned();
        let in_library = list(&child, "spans").iter().any(|span| {
            surroundings.is_library(text(span, "file_name"))
                && span["suggested_replacement"].is_null()
        });
        if is_about_printing(&message) {
            continue;
        }
        if requirement(&message).is_some() && !in_library && list(&child, "spans").is_empty() {
            match () {
                () if !ours || refers => kept.push(child),
                // The outermost readable requirement has the shapes of the call.
                () if !has_table && is_readable(&message) => required = Some(child),
                () => {}
            }
            continue;
        }
        if (ours && is_noise(&message)) || message.starts_with("cannot satisfy `") {
            continue;
        }
        if let Some(shorter) = shorter_list(&message) {
            child["message"] = Value::String(shorter);
        }
        if in_library {
            if let Some(example) = example(&child, &name) {
                child = json!({
                    "children": [], "code": null, "level": "note", "rendered": null, "spans": [],
                    "message": format!("an example of a call: `{example}`"),
                });
                kept.push(child);
            }
            continue;
        }
        kept.push(child);
    }
    // Without its arguments, a call such as `x.sum(0)` compiles and has another meaning.
    if kept.iter().any(|child| text(child, "message").starts_with("an example of a call: `")) {
        kept.retain(|child| !text(child, "message").starts_with("remove the extra argument"));
    }
    // Suggestions come last.
    let is_suggestion = |child: &Value| !list(child, "spans").is_empty();
    let at = kept.iter().position(is_suggestion).unwrap_or(kept.len());
    let suggests = kept.iter().any(|child| !list(child, "spans").is_empty());
    if let Some(required) = required.filter(|_| !suggests && !names_bound) {
        kept.insert(at, required);
    }
    diagnostic["children"] = Value::Array(kept);
}

/// Shortens a list of implementations to that of rustc without `--verbose`: eight, and the number of others.
fn shorter_list(message: &str) -> Option<String> {
    const SHOWN: usize = 8;
    let (title, list) = message.split_once('\n')?;
    let list: Vec<&str> = list.split('\n').collect();
    let is_cut = list.last().is_some_and(|last| last.ends_with(" others"));
    let is_long =
        title.starts_with("the following other types implement trait ") && list.len() > SHOWN + 1;
    (is_long && !is_cut).then(|| {
        let rest = list.len() - SHOWN;
        format!("{title}\n{}\nand {rest} others", list[..SHOWN].join("\n"))
    })
}

/// Whether a note is about shortened types; none is shortened here.
fn is_about_printing(message: &str) -> bool {
    message.starts_with("the full name for the type has been written to")
        || message.starts_with("the full type name has been written to")
        || message.starts_with("consider using `--verbose` to print the full type name")
}

/// Whether a message repeats the refusal in terms of the compiler's trait solving.
pub fn is_noise(message: &str) -> bool {
    let hidden = message.ends_with("redundant requirement hidden")
        || message.ends_with("redundant requirements hidden");
    let others = message.starts_with("the following other types implement trait ");
    hidden || others || is_refusal(message)
}

/// Whether a requirement contains shapes, and no nested lists when it is translated. That of a layer repeats the refusal.
fn is_readable(message: &str) -> bool {
    const OF_LAYERS: [&str; 3] = ["LayerTakes<", "TakesChannelsOf<", "TakesSequences<"];
    let translated = crate::text::message(message);
    let contains = |part: &&str| translated.contains(part);
    translated != message
        && !["((", "))", ",)"].iter().any(contains)
        && !OF_LAYERS.iter().any(contains)
}

/// The example call in the line of a method's definition: `#[usage(x.sum_axis::<0>())]`, or the line of a table.
fn example(child: &Value, name: &str) -> Option<String> {
    let span = primary(child)?;
    let line = text(list(span, "text").first()?, "text").trim();
    let call = match line.strip_prefix("#[usage(") {
        Some(usage) => usage.trim_end_matches(")]").split(';').next()?,
        None if line.starts_with("x.") => line.split(" => ").next()?.trim_end_matches(','),
        None => return None,
    };
    let call = call.replace("$name", name);
    let is_complete = call.matches('(').count() == call.matches(')').count();
    (is_complete && !call.contains('$') && !call.contains(": ")).then_some(call)
}

/// The span of the function name in a call whose bound is not satisfied.
fn call(diagnostic: &Value) -> Option<&Value> {
    let label = "required by a bound introduced by this call";
    list(diagnostic, "spans").iter().find(|span| text(span, "label") == label)
}

/// Whether two errors are about the same expression, or one is about a part of the other's: compares their primary
/// spans, and the calls whose bounds they are about.
fn is_about_the_same(a: &Value, b: &Value) -> bool {
    let spans = |diagnostic| [primary(diagnostic), call(diagnostic)].into_iter().flatten();
    spans(a).any(|span| spans(b).any(|other| is_nested(span, other)))
}

/// Whether an error may be the first of two about the same refusal, where the second one has the reason: the next
/// trait solver reports them in this order.
pub fn may_be_explained(diagnostic: &Value) -> bool {
    let message = text(diagnostic, "message");
    let is_bound = code(diagnostic) == "E0277" && message.starts_with("the trait bound `");
    let is_projection = code(diagnostic) == "E0284" && message.contains(": cannot normalize `");
    unresolved(diagnostic).is_some() || ((is_bound || is_projection) && !is_of_library(diagnostic))
}

/// Whether the next error has the reason for this one.
pub fn explains(next: &Value, diagnostic: &Value) -> bool {
    let says_more = match code(diagnostic) {
        "E0284" => text(next, "message").starts_with("type annotations needed"),
        _ => is_of_library(next),
    };
    unresolved(diagnostic).is_some_and(|refusal| refusals(next).contains(&refusal))
        || (is_about_the_same(diagnostic, next) && says_more && text(next, "level") == "error")
}

/// Whether one of two spans contains the other.
fn is_nested(a: &Value, b: &Value) -> bool {
    is_within(a, b) || is_within(b, a)
}

/// Whether a span lies within another one.
fn is_within(inner: &Value, outer: &Value) -> bool {
    let (start, end) =
        (|span: &Value| span["byte_start"].as_u64(), |span: &Value| span["byte_end"].as_u64());
    inner["file_name"] == outer["file_name"]
        && start(inner) >= start(outer)
        && end(inner) <= end(outer)
}

/// Whether two errors are different reasons why the same bound is not satisfied: they have the same primary span,
/// and a requirement in common.
fn refuse_the_same_bound(a: &Value, b: &Value) -> bool {
    let requirements =
        |of| texts(of).into_iter().filter(|text| requirement(text).is_some()).collect::<Vec<_>>();
    let (of_a, of_b) = (requirements(a), requirements(b));
    have_the_same_span(a, b) && of_a.iter().any(|text| of_b.contains(text))
}

/// Whether two errors of the library refuse the same argument of a call.
fn refuse_the_same_argument(a: &Value, b: &Value) -> bool {
    is_of_library(a) && is_of_library(b) && call(b).is_some() && have_the_same_span(a, b)
}

fn have_the_same_span(a: &Value, b: &Value) -> bool {
    primary(a).zip(primary(b)).is_some_and(|(a, b)| is_within(a, b) && is_within(b, a))
}

/// Whether two errors of generic code lack the same bound: they propose the same change, and report
/// a missing bound.
fn lack_the_same_bound(a: &Value, b: &Value) -> bool {
    let changes = |of| {
        let children = list(of, "children").iter().flat_map(|child| list(child, "spans"));
        let change = |span: &Value| span["suggested_replacement"].as_str().map(str::to_owned);
        children.filter_map(|span| Some((span["byte_start"].as_u64()?, change(span)?))).collect()
    };
    let (of_a, of_b): (Vec<_>, Vec<_>) = (changes(a), changes(b));
    let is_missing = texts(a).iter().any(|text| text.contains("add the bound `"));
    is_of_library(a)
        && is_missing
        && a["message"] == b["message"]
        && of_a == of_b
        && !of_a.is_empty()
}

/// The type and the bound of "type mismatch resolving `<Type as Bound>::Output == _`", which the next trait solver
/// reports in addition to the refusal of `Type: Bound`.
fn unresolved(diagnostic: &Value) -> Option<(String, String)> {
    let message = text(diagnostic, "message");
    let projection = message.strip_prefix("type mismatch resolving `<")?.strip_suffix(" == _`")?;
    let (ty, rest) = projection.split_once(" as ")?;
    let (bound, _) = rest.rsplit_once(">::")?;
    (code(diagnostic) == "E0271").then(|| (ty.to_owned(), without_path(bound).to_owned()))
}

/// The previous errors of a crate, to recognise errors that follow from them.
#[derive(Debug, Default)]
pub struct Folded {
    /// The errors by their message.
    seen: HashMap<String, Vec<Value>>,
    refused: Vec<(String, String)>,
    /// The errors that are shown.
    shown: Vec<Value>,
    left_out: HashSet<String>,
}

impl Folded {
    /// Whether an error follows from an earlier one of the same crate. If the same error occurs again, it is
    /// that of another target, for example of the tests of a library.
    pub fn follows(&mut self, diagnostic: &Value) -> bool {
        if text(diagnostic, "level") != "error" {
            return false;
        }
        let repeats = self.repeats(diagnostic);
        let resolves =
            unresolved(diagnostic).is_some_and(|refusal| self.refused.contains(&refusal));
        let follows = repeats
            || resolves
            || self.is_of_a_refused_call(diagnostic)
            || self.lacks_a_refused_bound(diagnostic);
        self.refused.extend(refusals(diagnostic));
        if follows {
            self.leave_out(diagnostic);
        }
        follows
    }

    /// Counts an error that is not shown.
    pub fn leave_out(&mut self, diagnostic: &Value) {
        self.left_out.insert(text(diagnostic, "rendered").to_owned());
    }

    /// Whether an error has the same text as an earlier one about the same expression, or a part of it.
    fn repeats(&mut self, diagnostic: &Value) -> bool {
        let earlier = self.seen.entry(text(diagnostic, "message").to_owned()).or_default();
        if earlier.iter().any(|other| other["rendered"] == diagnostic["rendered"]) {
            return false;
        }
        let repeats = earlier.iter().any(|other| is_about_the_same(diagnostic, other));
        if !repeats {
            earlier.push(diagnostic.clone());
        }
        repeats
    }

    /// The number of errors that follow from others.
    pub fn left_out(&self) -> usize {
        self.left_out.len()
    }

    /// Whether an error is about a call of which the same argument, or the whole, was already refused, or is a bound
    /// that depends on what the library's message refused, or lacks the bound that an earlier one lacks.
    fn is_of_a_refused_call(&mut self, diagnostic: &Value) -> bool {
        let is_same = |other: &Value| {
            let (Some(span), Some(of_other)) = (primary(diagnostic), primary(other)) else {
                return false;
            };
            let is_call =
                call(diagnostic).is_some_and(|own| is_within(own, call(other).unwrap_or(of_other)));
            let is_bound = may_be_explained(diagnostic)
                && is_of_library(other)
                && is_about_the_same(diagnostic, other);
            let is_same = refuse_the_same_bound(diagnostic, other)
                || refuse_the_same_argument(diagnostic, other)
                || lack_the_same_bound(diagnostic, other);
            other["rendered"] != diagnostic["rendered"]
                && ((is_nested(span, of_other) && is_call) || is_bound || is_same)
        };
        let is_same = self.shown.iter().any(is_same);
        if !is_same {
            self.shown.push(diagnostic.clone());
        }
        is_same
    }

    /// Whether a method or an operator is missing only because of a bound that was already refused.
    fn lacks_a_refused_bound(&self, diagnostic: &Value) -> bool {
        let restricts = restrictions(diagnostic).any(|bound| self.refused.contains(&bound));
        let bounds: Vec<&str> = list(diagnostic, "children")
            .iter()
            .filter(|child| {
                text(child, "message").starts_with("the following trait bounds were not satisfied")
            })
            .flat_map(|child| quoted(text(child, "message")))
            .collect();
        let is_refused = |bound: &str| {
            let pair = bound.split_once(": ");
            pair.is_some_and(|(ty, bound)| self.refused.iter().any(|(t, b)| t == ty && b == bound))
        };
        match code(diagnostic) {
            "E0599" => bounds.into_iter().any(is_refused),
            "E0369" => restricts,
            _ => false,
        }
    }
}
