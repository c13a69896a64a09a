//! Pictures of data flow: a box for each input, step and output of a program, an edge for each tensor that is read.

use core::fmt::Write;

use crate::digraph::quoted;
use crate::palette::{Colours, RESULT, of_operand};
use crate::svg::canvas::{Anchor, Canvas, Point, width};

const FONT: f64 = 14.0;
const SMALL: f64 = 12.0;
const HEIGHT: f64 = 30.0;
/// Between the boxes of two layers.
const ABOVE: f64 = 54.0;
/// Between two boxes of a layer.
const BESIDE: f64 = 26.0;
const MARGIN: f64 = 24.0;

/// The kind of a box: input, step or output.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// An input.
    Input,
    /// An operation.
    Step,
    /// A step of a backward pass.
    Gradient,
    /// An output.
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

/// A box of the picture.
pub struct Node {
    /// Its kind.
    pub kind: Kind,
    /// Its text.
    pub text: String,
    /// The earlier boxes whose values are read, with the shape.
    pub reads: Vec<(usize, String)>,
}

/// The boxes, each after what it reads.
pub struct Graph(pub Vec<Node>);

/// Where a box is.
struct Placed {
    layer: usize,
    x: f64,
    width: f64,
}

impl Graph {
    /// The graph in Graphviz's language.
    #[doc(hidden)]
    pub fn to_dot(&self) -> String {
        let mut graph = String::from(
            r##"digraph program {
  graph [bgcolor="white", nodesep=0.3, ranksep=0.5, pad=0.2];
  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=14];
  edge [fontname="Helvetica", fontsize=12, color="#59636E", fontcolor="#1F2328"];
"##,
        );
        for (number, Node { kind, text, .. }) in self.0.iter().enumerate() {
            let Colours { light, line, .. } = kind.colours();
            let style =
                if *kind == Kind::Gradient { ", style=\"rounded,filled,dashed\"" } else { "" };
            let label = quoted(text);
            let _ = writeln!(
                graph,
                "  v{number} [label={label}, fillcolor=\"{light}\", color=\"{line}\"{style}];"
            );
        }
        for (number, Node { reads, .. }) in self.0.iter().enumerate() {
            for (from, shape) in reads {
                let _ = writeln!(graph, "  v{from} -> v{number} [label={}];", quoted(shape));
            }
        }
        graph + "}\n"
    }

    /// The graph as an SVG, from the inputs down to the outputs.
    #[doc(hidden)]
    pub fn to_svg(&self, title: &str) -> String {
        let placed = placed(&self.0);
        let top = |number: usize| MARGIN + placed[number].layer as f64 * (HEIGHT + ABOVE);
        let mut canvas = Canvas::default();
        for (number, Node { reads, .. }) in self.0.iter().enumerate() {
            for (from, _) in reads {
                let start = Point::new(placed[*from].x, top(*from) + HEIGHT);
                canvas.arrow(start, Point::new(placed[number].x, top(number)), "#B1B8C0");
            }
        }
        let mut shapes = vec![None; self.0.len()];
        for (from, shape) in self.0.iter().flat_map(|node| &node.reads) {
            shapes[*from].get_or_insert(shape);
        }
        for (number, Node { kind, text, .. }) in self.0.iter().enumerate() {
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
            if let Some(shape) = shapes[number] {
                let below = Point::new(x + 6.0, y + HEIGHT + 15.0);
                canvas.text(below, Anchor::Start, SMALL, "#59636E", shape);
            }
        }
        let right = placed.iter().map(|placed| placed.x + placed.width / 2.0).fold(0.0, f64::max);
        let bottom = (0..self.0.len()).map(|number| top(number) + HEIGHT).fold(0.0, f64::max);
        let end = Point::new(right + MARGIN, bottom + MARGIN);
        canvas.finish(end, title, "inputs above, outputs below; dashed: steps of gradients")
    }
}

/// Each box one layer below the lowest that it reads, and below the middle of those, as far as there is room.
fn placed(nodes: &[Node]) -> Vec<Placed> {
    let mut placed: Vec<Placed> = Vec::new();
    for Node { text, reads, .. } in nodes {
        let layer = reads.iter().map(|(from, _)| placed[*from].layer + 1).max().unwrap_or(0);
        placed.push(Placed { layer, x: 0.0, width: width(text, FONT) + 20.0 });
    }
    // Inputs are above the first step that reads them, not all in one row.
    let mut readers = vec![usize::MAX; nodes.len()];
    for (Node { reads, .. }, reader) in nodes.iter().zip(&placed) {
        for (from, _) in reads {
            readers[*from] = readers[*from].min(reader.layer);
        }
    }
    for ((Node { kind, .. }, placed), layer) in nodes.iter().zip(&mut placed).zip(readers) {
        if *kind == Kind::Input && layer != usize::MAX {
            placed.layer = layer.saturating_sub(1);
        }
    }
    let layers = placed.iter().map(|placed| placed.layer + 1).max().unwrap_or(0);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); layers];
    for (number, placed) in placed.iter().enumerate() {
        rows[placed.layer].push(number);
    }
    for row in rows {
        let mut row: Vec<(f64, usize)> = row
            .into_iter()
            .map(|number| {
                let above: Vec<f64> =
                    nodes[number].reads.iter().map(|(from, _)| placed[*from].x).collect();
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
