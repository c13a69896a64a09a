//! The table: one row for each shape, aligned at the last axis, and what happens at each axis.

use core::fmt;
use core::ops::Range;

use super::analysis::{AlignedAxis, AxisRole, AxisSize, ExplainedOperand, Explanation};
use super::repair::Repair;

/// The assumed width of a terminal.
const WIDTH: usize = 80;

/// The separator of two sizes.
const TIMES: &str = " × ";

/// The rule of broadcasting, with a reference to the guide.
const RULE: &str = "Shapes are aligned at their last axis. Two sizes match when they are equal or \
                    when one of them is 1; an axis that a shape lacks counts as 1.";

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = Rows::of(self);
        let blocks = rows.blocks();
        for (number, block) in blocks.iter().enumerate() {
            let separator = if number == 0 { "" } else { "\n\n" };
            write!(f, "{separator}{}", rows.block(block.clone()).join("\n"))?;
        }
        let sentences = self.sentences();
        if !sentences.is_empty() {
            write!(f, "\n\n{}", wrapped(&sentences))?;
        }
        if let Some(reason) = self.reasons() {
            write!(f, "\n\n{}\n\n{}", wrapped(&reason), wrapped(&[self.rule()]))?;
        }
        match &self.repairs()[..] {
            [] => Ok(()),
            [repair] => write!(f, "\n\n{}", wrapped(&[repair.to_string()])),
            repairs => {
                let sentences: Vec<_> = repairs.iter().map(Repair::to_string).collect();
                write!(f, "\n\nOne of these, whichever is meant:\n{}", wrapped(&sentences))
            }
        }
    }
}

/// One row of the table: a label and a cell for each axis, empty if the shape lacks the axis.
struct Row {
    label: String,
    cells: Vec<String>,
    /// Whether adjacent cells are factors of a size.
    is_shape: bool,
}

struct Rows {
    rows: Vec<Row>,
    label: usize,
    widths: Vec<usize>,
}

impl Rows {
    fn of(explanation: &Explanation) -> Self {
        let (operands, axes) = (explanation.operands(), explanation.axes());
        let rank = axes.len();
        let name_width = operands.iter().map(|operand| width(&operand.name)).max().unwrap_or(0);
        let numbers = (0..rank).map(|axis| axis.to_string()).collect();
        let header = if rank == 0 { "" } else { "axis" };
        let mut rows = vec![Row { label: header.to_owned(), cells: numbers, is_shape: false }];
        for (number, operand) in operands.iter().enumerate() {
            if number == 1 && operands.len() == 2 && rank > 0 {
                rows.push(Row {
                    label: String::new(),
                    cells: arrows(explanation),
                    is_shape: false,
                });
            }
            let cell = |axis| operand.aligned(axis, rank).map(AxisSize::to_string);
            let cells = (0..rank).map(|axis| cell(axis).unwrap_or_default()).collect();
            let padding = " ".repeat(name_width - width(&operand.name));
            let label = format!("{}{padding} {}", operand.name, rank_in_words(operand));
            rows.push(Row { label, cells, is_shape: true });
        }
        let outcome = |axis: &AlignedAxis| match &axis.outcome {
            Ok(size) => size.to_string(),
            Err(_) => "✗".to_owned(),
        };
        let label = if rank == 0 { "result (scalar)" } else { "result" };
        let cells = axes.iter().map(outcome).collect();
        rows.push(Row { label: label.to_owned(), cells, is_shape: true });

        let label = rows.iter().map(|row| width(&row.label)).max().unwrap_or(0);
        let widest = |axis: usize| rows.iter().map(|row| width(&row.cells[axis])).max();
        let widths = (0..rank).map(|axis| widest(axis).unwrap_or(0)).collect();
        Self { rows, label, widths }
    }

    /// Ranges of axes that fit side by side; usually a single one.
    fn blocks(&self) -> Vec<Range<usize>> {
        let mut blocks = Vec::new();
        let (mut start, mut used) = (0, 0);
        for (axis, width) in self.widths.iter().enumerate() {
            // A separator after the last size of a block marks the continuation.
            let room = WIDTH.saturating_sub(self.label + 4 + TIMES.len());
            if used + width > room && axis > start {
                blocks.push(start..axis);
                (start, used) = (axis, 0);
            }
            used += width + 3;
        }
        blocks.push(start..self.widths.len());
        blocks
    }

    fn block(&self, axes: Range<usize>) -> Vec<String> {
        let line = |row: &Row| {
            let times = |axis: usize| {
                let joins = |axis: &usize| row.is_shape && !row.cells[*axis].is_empty();
                let previous = axis.checked_sub(1).filter(joins);
                if previous.is_some() { TIMES } else { "   " }
            };
            let mut line =
                format!("{}{}    ", row.label, " ".repeat(self.label - width(&row.label)));
            for axis in axes.clone() {
                let cell = &row.cells[axis];
                if axis > axes.start {
                    line += times(axis);
                }
                line += &" ".repeat(self.widths[axis] - width(cell));
                line += cell;
            }
            if axes.end < self.widths.len() {
                line += times(axes.end);
            }
            line.trim_end().to_owned()
        };
        self.rows.iter().map(line).filter(|line| !line.is_empty()).collect()
    }
}

/// The arrows between two shapes: the direction in which a size stretches.
fn arrows(explanation: &Explanation) -> Vec<String> {
    let arrow = |axis: &AlignedAxis| match (&axis.outcome, &axis.parts[..]) {
        (Err(_), _) => "✗",
        (Ok(_), [AxisRole::Matches, AxisRole::Matches]) => "=",
        (Ok(_), [AxisRole::Matches, _]) => "↓",
        (Ok(_), _) => "↑",
    };
    explanation.axes().iter().map(|axis| arrow(axis).to_owned()).collect()
}

fn rank_in_words(operand: &ExplainedOperand) -> String {
    match operand.axes.len() {
        0 => "(scalar)".to_owned(),
        1 => "(1 axis)".to_owned(),
        rank => format!("({rank} axes)"),
    }
}

impl Explanation {
    /// A sentence per axis, from the last to the first or to the one that fails; adjacent axes with the
    /// same roles share a sentence.
    ///
    /// ```
    /// use tensor_core::explain::explain_sizes;
    ///
    /// let sentences = explain_sizes(&[&[4, 3], &[3]]).sentences();
    /// assert_eq!(sentences[0], "axis 1: both have 3");
    /// assert_eq!(sentences[1], "axis 0: b lacks it: it counts as 1 and stretches to 4");
    /// ```
    pub fn sentences(&self) -> Vec<String> {
        if self.operands().len() < 2 {
            return Vec::new();
        }
        let first = self.result().err().map_or(0, |mismatch| mismatch.axis + 1);
        // Sizes 1 and 0 have their own sentences.
        let class = |axis: usize| match &self.axes()[axis].outcome {
            Ok(size) => (size.can_stretch(), size.size == 0),
            Err(_) => (false, false),
        };
        let mut sentences = Vec::new();
        let mut end = self.axes().len();
        while end > first {
            let same = |axis: &usize| {
                self.axes()[*axis].parts == self.axes()[end - 1].parts
                    && class(*axis) == class(end - 1)
            };
            let start = (first..end).rev().take_while(same).last().unwrap_or(end - 1);
            sentences.push(self.sentence(start..end));
            end = start;
        }
        sentences
    }

    /// The sentence for these axes, at which every shape has the same role.
    fn sentence(&self, axes: Range<usize>) -> String {
        let (place, [it, each]) = match axes.len() {
            1 => (format!("axis {}", axes.start), ["it", "it"]),
            2 => (format!("axes {} and {}", axes.start, axes.end - 1), ["them", "each"]),
            _ => (format!("axes {} to {}", axes.start, axes.end - 1), ["them", "each"]),
        };
        let AlignedAxis { parts, outcome } = &self.axes()[axes.start];
        let Ok(size) = outcome else { return String::new() };
        let to = match axes.len() {
            _ if size.size == 0 => " to 0, so that no element is left".to_owned(),
            1 => format!(" to {size}"),
            _ => String::new(),
        };
        let named = |part: AxisRole| {
            let of_part = parts.iter().zip(self.operands()).filter(|(other, _)| **other == part);
            of_part.map(|(_, operand)| operand.name.as_str()).collect::<Vec<_>>()
        };
        let (ones, missing) = (named(AxisRole::Stretches), named(AxisRole::Missing));
        let mut clauses = Vec::new();
        if !ones.is_empty() {
            let [is, s] = if ones.len() == 1 { ["is", "es"] } else { ["are", ""] };
            clauses.push(format!("{} {is} 1 and stretch{s}{to}", listed(&ones)));
        }
        if !missing.is_empty() {
            let lack = if missing.len() == 1 { "lacks" } else { "lack" };
            let stretches = match size.can_stretch() {
                true => String::new(),
                false => format!(" and stretches{to}"),
            };
            let names = listed(&missing);
            clauses.push(format!("{names} {lack} {it}: {each} counts as 1{stretches}"));
        }
        if clauses.is_empty() {
            let all = if parts.len() == 2 { "both" } else { "all" };
            clauses.push(match axes.len() {
                1 => format!("{all} have {size}"),
                _ => format!("{all} have the same sizes"),
            });
        }
        format!("{place}: {}", clauses.join("; "))
    }

    /// The reason why the first axis fails, and a note if others fail too.
    fn reasons(&self) -> Option<Vec<String>> {
        let mut reasons = vec![self.reason()?];
        let first = self.result().err()?;
        for axis in self.axes()[..first.axis].iter().rev() {
            if let Err(mismatch) = axis.outcome {
                let difference = self.difference(mismatch)?;
                reasons.push(format!("Axis {} fails as well: {difference}.", mismatch.axis));
            }
        }
        Some(reasons)
    }

    /// The rule of broadcasting, with the entry in the error index about what fails: named axes have their own entry.
    ///
    /// ```
    /// use tensor_core::explain::explain_sizes;
    ///
    /// assert!(explain_sizes(&[&[4, 3], &[4]]).rule().ends_with("an axis that a shape lacks counts as 1. [T101]"));
    /// ```
    pub fn rule(&self) -> String {
        let meeting = self.result().err().and_then(|mismatch| self.meeting(mismatch));
        let named = meeting.is_some_and(|axes| axes.iter().any(|axis| axis.name.is_some()));
        format!("{RULE} [{}]", if named { "T102" } else { "T101" })
    }
}

/// `a`, `a and b`, `a, b and c`
pub(super) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The number of columns of a text: symbols of the table and letters take one each.
pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}

/// The paragraphs, wrapped to the width of the terminal; continuation lines are indented.
fn wrapped(paragraphs: &[String]) -> String {
    let indent = |text: &str| if text.starts_with("ax") { "  " } else { "" };
    let lines = paragraphs.iter().flat_map(|text| lines_of(text, WIDTH, indent(text)));
    lines.collect::<Vec<_>>().join("\n")
}

/// Wraps into lines of at most `limit` columns, unless a word is longer; all lines after the first begin
/// with `indent`.
pub(super) fn lines_of(text: &str, limit: usize, indent: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words(text) {
        let line = lines.last().map_or(0, |line| width(line));
        if line > indent.len() && line + 1 + width(&word) > limit {
            lines.push(indent.to_owned());
        }
        if let Some(line) = lines.last_mut() {
            if !line.trim_start().is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
    }
    lines
}

/// The words of a text; a shape in brackets counts as one word.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for part in text.split(' ') {
        match words.last_mut() {
            Some(word) if word.matches('[').count() > word.matches(']').count() => {
                word.push(' ');
                word.push_str(part);
            }
            _ => words.push(part.to_owned()),
        }
    }
    words
}
