//! Pictures of programs: a box for each input, step and output, an edge for each tensor that is read.

use core::fmt::Write;

use super::digraph::quoted;
use super::palette::{Colours, RESULT, of_operand};
use super::svg::canvas::{Anchor, Canvas, Point, width};
use crate::array::trace::program::DrawnOperand;
use crate::trace::Program;

const FONT: f64 = 14.0;
const SMALL: f64 = 12.0;
const HEIGHT: f64 = 30.0;
/// Between the boxes of two layers.
const ABOVE: f64 = 54.0;
/// Between two boxes of a layer.
const BESIDE: f64 = 26.0;
const MARGIN: f64 = 24.0;

/// What a box stands for.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Input,
    Step,
    /// A step of a backward pass.
    Gradient,
    Output,
}

impl Kind {
    fn colours(self) -> Colours {
        match self {
            Self::Input => of_operand(0),
            Self::Step => RESULT,
            Self::Gradient => of_operand(1),
            Self::Output => of_operand(2),
        }
    }
}

struct Drawn {
    kind: Kind,
    text: String,
    /// The boxes whose values are read, with the shape.
    reads: Vec<(usize, String)>,
}

/// A box of the picture.
struct Placed {
    layer: usize,
    x: f64,
    width: f64,
}

impl<I, O> Program<I, O> {
    /// The program as a graph in Graphviz's language: a box for each input, step and output, an edge for each tensor
    /// that is read, labelled with its shape. Steps of gradients have another colour and a dashed border.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_core::trace::trace;
    ///
    /// let graph = trace(&tensor![1.0, 2.0], |x| (x * 2.0).sum()).to_dot();
    /// assert!(graph.starts_with("digraph program {"));
    /// assert!(graph.contains(r#"v1 [label="mul 2""#));
    /// assert!(graph.contains(r#"v0 -> v1 [label="[2]"]"#));
    /// ```
    #[doc(alias = "graphviz")]
    pub fn to_dot(&self) -> String {
        let mut graph = String::from(
            r##"digraph program {
  graph [bgcolor="white", nodesep=0.3, ranksep=0.5, pad=0.2];
  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=14];
  edge [fontname="Helvetica", fontsize=12, color="#59636E", fontcolor="#1F2328"];
"##,
        );
        let drawn = self.drawn();
        for (number, Drawn { kind, text, .. }) in drawn.iter().enumerate() {
            let Colours { light, line, .. } = kind.colours();
            let style =
                if *kind == Kind::Gradient { ", style=\"rounded,filled,dashed\"" } else { "" };
            let label = quoted(text);
            let _ = writeln!(
                graph,
                "  v{number} [label={label}, fillcolor=\"{light}\", color=\"{line}\"{style}];"
            );
        }
        for (number, Drawn { reads, .. }) in drawn.iter().enumerate() {
            for (from, shape) in reads {
                let _ = writeln!(graph, "  v{from} -> v{number} [label={}];", quoted(shape));
            }
        }
        graph + "}\n"
    }

    /// The program as an SVG, from the inputs down to the outputs: what [`to_dot`](Self::to_dot) describes, drawn
    /// without Graphviz. The shape of a result is below its box.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_core::trace::trace;
    ///
    /// let picture = trace(&tensor![1.0, 2.0], |x| (x * 2.0).sum()).to_svg();
    /// assert!(picture.starts_with("<svg ") && picture.contains("sum"));
    /// ```
    pub fn to_svg(&self) -> String {
        let drawn = self.drawn();
        let placed = placed(&drawn);
        let top = |number: usize| MARGIN + placed[number].layer as f64 * (HEIGHT + ABOVE);
        let mut canvas = Canvas::default();
        for (number, Drawn { reads, .. }) in drawn.iter().enumerate() {
            for (from, _) in reads {
                let start = Point::new(placed[*from].x, top(*from) + HEIGHT);
                canvas.arrow(start, Point::new(placed[number].x, top(number)), "#B1B8C0");
            }
        }
        for (number, Drawn { kind, text, .. }) in drawn.iter().enumerate() {
            let (Placed { x, width, .. }, y) = (&placed[number], top(number));
            let Colours { light, line, text: colour, .. } = kind.colours();
            let dashes = if *kind == Kind::Gradient { " stroke-dasharray=\"5 3\"" } else { "" };
            let style = format!("fill=\"{light}\" stroke=\"{line}\" stroke-width=\"2\"{dashes}");
            let (left, right) = (x - width / 2.0, x + width / 2.0);
            canvas.group(&style, |canvas| {
                let corners = [(left, y), (right, y), (right, y + HEIGHT), (left, y + HEIGHT)];
                canvas.polygon(&corners.map(|(x, y)| Point::new(x, y)));
            });
            canvas.text(Point::new(*x, y + 20.0), Anchor::Middle, FONT, colour, text);
            let shape =
                drawn.iter().flat_map(|drawn| &drawn.reads).find(|(from, _)| *from == number);
            if let Some((_, shape)) = shape {
                let below = Point::new(x + 6.0, y + HEIGHT + 15.0);
                canvas.text(below, Anchor::Start, SMALL, "#59636E", shape);
            }
        }
        let right = placed.iter().map(|placed| placed.x + placed.width / 2.0).fold(0.0, f64::max);
        let bottom = (0..drawn.len()).map(|number| top(number) + HEIGHT).fold(0.0, f64::max);
        let end = Point::new(right + MARGIN, bottom + MARGIN);
        let title = format!("A program of {} steps", self.num_steps());
        canvas.finish(end, &title, "inputs above, outputs below; dashed: steps of gradients")
    }

    /// Inputs, steps and outputs, each after what it reads.
    fn drawn(&self) -> Vec<Drawn> {
        let input = |port: &crate::trace::Port| {
            let text = format!("{} {}", port.name(), port.shown());
            Drawn { kind: Kind::Input, text: text.trim().to_owned(), reads: Vec::new() }
        };
        let mut drawn: Vec<Drawn> = self.inputs().iter().map(input).collect();
        for step in self.graph().drawn_steps() {
            let kind = if step.is_gradient { Kind::Gradient } else { Kind::Step };
            drawn.push(reading(kind, step.name.to_owned(), step.operands));
        }
        for (port, output) in self.outputs().iter().zip(self.graph().drawn_outputs()) {
            let text = format!("{} {}", port.name(), port.shown());
            drawn.push(reading(Kind::Output, text.trim().to_owned(), vec![output]));
        }
        drawn
    }
}

/// A box that reads these operands; constants are part of its text.
fn reading(kind: Kind, mut text: String, operands: Vec<DrawnOperand>) -> Drawn {
    let mut reads = Vec::new();
    for operand in operands {
        match operand {
            DrawnOperand::Value(number, shape) => reads.push((number, shape)),
            DrawnOperand::Constant(constant) => {
                text.push(' ');
                text.push_str(&constant);
            }
        }
    }
    Drawn { kind, text, reads }
}

/// Each box one layer below the lowest that it reads, and below the middle of those, as far as there is room.
fn placed(drawn: &[Drawn]) -> Vec<Placed> {
    let mut placed: Vec<Placed> = Vec::new();
    for Drawn { text, reads, .. } in drawn {
        let layer = reads.iter().map(|(from, _)| placed[*from].layer + 1).max().unwrap_or(0);
        placed.push(Placed { layer, x: 0.0, width: width(text, FONT) + 20.0 });
    }
    // Inputs are above the first step that reads them, not all in one row.
    for (number, Drawn { kind, .. }) in drawn.iter().enumerate() {
        let readers = drawn.iter().enumerate();
        let readers =
            readers.filter(|(_, reader)| reader.reads.iter().any(|(from, _)| *from == number));
        if let (Kind::Input, Some(layer)) =
            (kind, readers.map(|(reader, _)| placed[reader].layer).min())
        {
            placed[number].layer = layer.saturating_sub(1);
        }
    }
    let layers = placed.iter().map(|placed| placed.layer + 1).max().unwrap_or(0);
    for layer in 0..layers {
        let mut row: Vec<(f64, usize)> = (0..drawn.len())
            .filter(|&number| placed[number].layer == layer)
            .map(|number| {
                let above: Vec<f64> =
                    drawn[number].reads.iter().map(|(from, _)| placed[*from].x).collect();
                // What reads nothing is right of the others.
                let middle = above.iter().sum::<f64>() / above.len() as f64;
                (if above.is_empty() { f64::INFINITY } else { middle }, number)
            })
            .collect();
        row.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut free = MARGIN;
        for (wanted, number) in row {
            let width = placed[number].width;
            let left = if wanted.is_finite() { free.max(wanted - width / 2.0) } else { free };
            placed[number].x = left + width / 2.0;
            // The shape is written below, right of the middle.
            free = left + width.max(width / 2.0 + 110.0) + BESIDE;
        }
    }
    placed
}
