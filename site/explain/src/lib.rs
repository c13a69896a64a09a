//! What the page says about shapes: the answers of `tensor-explain`, as JSON.

#[path = "../../buffer.rs"]
mod buffer;

use serde::Serialize;
use tensor_explain::{AxisSize, Explanation, Library, ParseShapesError, Repair};

/// The longest text that is read, in bytes.
const MOST_BYTES: usize = 2000;

/// Replaces a text in UTF-8 by the answer in JSON, and returns its length.
// SAFETY: no other function of the module has the name.
#[unsafe(no_mangle)]
pub extern "C" fn explain() -> usize {
    buffer::replace(|text| answer(&String::from_utf8_lossy(text)).into_bytes())
}

/// The answer to a text, in JSON: the explanation, or the mistake in the text.
///
/// # Panics
///
/// Never: the answer has no values that JSON lacks.
pub fn answer(text: &str) -> String {
    if text.len() > MOST_BYTES {
        let message =
            format!("the text has {} bytes, the page takes at most {MOST_BYTES}", text.len());
        let mistake = Mistake { position: 0, message };
        return serde_json::to_string(&mistake).expect("strings and numbers");
    }
    match text.parse::<Explanation>() {
        Ok(explanation) => serde_json::to_string(&Answer::of(&explanation)),
        Err(error) => serde_json::to_string(&Mistake::of(text, &error)),
    }
    .expect("strings and numbers")
}

/// A text that is no list of shapes.
#[derive(Serialize)]
struct Mistake {
    /// In units of UTF-16, as JavaScript counts.
    position: usize,
    message: String,
}

impl Mistake {
    fn of(text: &str, error: &ParseShapesError) -> Self {
        let position = text.chars().take(error.position()).map(char::len_utf16).sum();
        Self { position, message: error.to_string() }
    }
}

#[derive(Serialize)]
struct Answer {
    /// The shapes as text.
    shapes: String,
    /// The same without spaces, for the address.
    address: String,
    /// The shape of the result, in brackets.
    result: Option<String>,
    /// Its number of elements, or why there is none.
    verdict: String,
    rule: String,
    names: Vec<String>,
    axes: Vec<Axis>,
    sentences: Vec<String>,
    repairs: Vec<Correction>,
    table: String,
    picture: Option<String>,
    /// Why there is no picture.
    too_large: Option<String>,
    digraph: String,
    dot: String,
    message: Option<String>,
    programs: Vec<Program>,
    notes: Vec<String>,
}

/// An axis of the result.
#[derive(Serialize)]
struct Axis {
    cells: Vec<Cell>,
    /// `None` if it fails.
    result: Option<String>,
}

/// The axis of a shape.
#[derive(Serialize)]
struct Cell {
    /// `None` if the shape lacks it.
    size: Option<String>,
    role: String,
}

/// A change after which the shapes broadcast.
#[derive(Serialize)]
struct Correction {
    sentence: String,
    /// The shapes after it.
    shapes: String,
    address: String,
}

#[derive(Serialize)]
struct Program {
    library: &'static str,
    /// As the shapes are.
    program: String,
    /// After the first correction.
    corrected: Option<String>,
}

impl Answer {
    fn of(explanation: &Explanation) -> Self {
        let repairs = explanation.repairs();
        let picture = explanation.to_svg();
        let result: Option<Vec<AxisSize>> =
            explanation.axes().iter().map(|axis| axis.outcome.clone().ok()).collect();
        let verdict = explanation.reason().unwrap_or_else(|| match &result {
            Some(axes) => elements(axes),
            None => String::new(),
        });
        let program = |library: Library| Program {
            library: library.title(),
            program: explanation.program(library, None),
            corrected: repairs.first().map(|repair| explanation.program(library, Some(repair))),
        };
        Self {
            shapes: explanation.shapes(),
            address: address(explanation),
            result: result.as_deref().map(brackets),
            verdict,
            rule: explanation.rule(),
            names: explanation.operands().iter().map(|operand| operand.name.clone()).collect(),
            axes: (0..explanation.axes().len()).map(|axis| Axis::of(explanation, axis)).collect(),
            sentences: explanation.sentences(),
            repairs: repairs.iter().map(|repair| Correction::of(explanation, repair)).collect(),
            table: explanation.to_string(),
            too_large: picture.as_ref().err().map(ToString::to_string),
            picture: picture.ok(),
            digraph: explanation.digraph_svg(),
            dot: explanation.to_dot(),
            message: explanation.compiler_message(),
            programs: Library::ALL.map(program).into(),
            notes: notes(explanation),
        }
    }
}

impl Axis {
    fn of(explanation: &Explanation, axis: usize) -> Self {
        let rank = explanation.axes().len();
        let cell = |operand: usize| {
            let axes = &explanation.operands()[operand].axes;
            let size = (axis + axes.len()).checked_sub(rank).map(|axis| axes[axis].to_string());
            Cell { size, role: explanation.role_in_words(axis, operand) }
        };
        let result = explanation.axes()[axis].outcome.as_ref().ok().map(AxisSize::to_string);
        Self { cells: (0..explanation.operands().len()).map(cell).collect(), result }
    }
}

impl Correction {
    fn of(explanation: &Explanation, repair: &Repair) -> Self {
        let repaired = explanation.repaired(repair);
        let (shapes, address) = (repaired.shapes(), address(&repaired));
        Self { sentence: repair.to_string(), shapes, address }
    }
}

fn address(explanation: &Explanation) -> String {
    explanation.shapes().replace(' ', "")
}

/// `[4, 3]`
fn brackets(axes: &[AxisSize]) -> String {
    let axes: Vec<_> = axes.iter().map(AxisSize::to_string).collect();
    format!("[{}]", axes.join(", "))
}

/// The number of elements, where the sizes are known.
fn elements(axes: &[AxisSize]) -> String {
    let count = axes.iter().try_fold(1_u128, |count, axis| count.checked_mul(axis.size as u128));
    match count {
        _ if axes.iter().any(|axis| !axis.is_known) => "The shapes broadcast.".to_owned(),
        Some(1) => "The shapes broadcast, to one element.".to_owned(),
        Some(count) => format!("The shapes broadcast, to {count} elements."),
        None => "The shapes broadcast, to more elements than 128 bits can count.".to_owned(),
    }
}

/// What else there is to know.
fn notes(explanation: &Explanation) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for axis in explanation.operands().iter().flat_map(|operand| &operand.axes) {
        let note = format!(
            "The size of {axis} is known only at run time: picture and programs have {}. {axis}({}) states it.",
            axis.size, axis.size
        );
        if !axis.is_known && !notes.contains(&note) {
            notes.push(note);
        }
    }
    let is_refused = explanation.result().is_err();
    if is_refused && explanation.compiler_message().is_none() {
        notes.push(
            "The program compiles: the compiler compares names, and the sizes of one name are compared when the \
             program runs, which panics here."
                .to_owned(),
        );
    }
    let stretches = |number: usize| {
        let mut axes = explanation.axes().iter();
        axes.any(|axis| {
            let size = axis.outcome.as_ref().map_or(1, |axis| axis.size);
            size != 1 && axis.parts[number] != tensor_explain::AxisRole::Matches
        })
    };
    if !is_refused && explanation.operands().len() == 2 && stretches(0) && stretches(1) {
        notes.push(
            "Both shapes stretch: the result has more elements than either. With predictions of [N, 1] and labels of \
             [N], that is a well-known mistake, which trains without an error."
                .to_owned(),
        );
    }
    notes
}

#[cfg(test)]
mod tests;
