//! The digraph: a node for each axis of each shape, with an edge to the axis of the result; for Graphviz, or drawn.

use core::fmt;
use core::fmt::Write;

use super::analysis::{AlignedAxis, AxisRole, AxisSize, Explanation, brackets, default_name};
use super::palette::{Colours, FAILS, RESULT, of_operand};
use super::svg::canvas::{Anchor, Canvas, Point, width};

const FONT: f64 = 15.0;
const SMALL: f64 = 13.0;
const HEIGHT: f64 = 34.0;
/// The baseline of a text in a node.
const BASELINE: f64 = 22.0;
/// Between the rows of two shapes.
const BETWEEN: f64 = 52.0;
/// Between two axes.
const BESIDE: f64 = 26.0;
const MARGIN: f64 = 24.0;
/// The width that is filled before groups wrap.
const MOST_WIDTH: f64 = 900.0;

/// Common attributes. Helvetica is the only font whose metrics every Graphviz has.
const HEADER: &str = r##"digraph broadcast {
  graph [bgcolor="white", fontname="Helvetica", fontsize=16, nodesep=0.5, ranksep=0.9, pad=0.2];
  node [shape=box, width=1.1, fontname="Helvetica", fontsize=16, penwidth=2];
  edge [fontname="Helvetica", fontsize=13, fontcolor="#1F2328", penwidth=2];
"##;

impl Explanation {
    /// The explanation as a digraph in Graphviz's language: a node for each axis of each shape, with
    /// a labelled edge to the axis of the result. Two shapes are rows aligned at
    /// their last axis, with the result between them; more are listed axis by axis.
    ///
    /// ```
    /// use tensor_core::explain::explain_sizes;
    ///
    /// let graph = explain_sizes(&[&[4, 3], &[3], &[4, 1]]).to_dot();
    /// assert!(graph.starts_with("digraph broadcast {"));
    /// assert!(graph.contains(r#"a0 -> result0 [label="  equal  ""#));
    /// assert!(graph.contains(r#"b0 -> result0 [label="  missing, counts as 1  ""#));
    /// assert!(graph.contains(r#"c1 -> result1 [label="  stretches ×3  ""#));
    /// ```
    pub fn to_dot(&self) -> String {
        let mut graph = HEADER.to_owned();
        match self.operands() {
            [_, _] => self.rows(&mut graph),
            _ => self.groups(&mut graph),
        }
        graph.push_str("}\n");
        graph
    }

    /// The first shape, the result, the second shape: rows of nodes.
    fn rows(&self, graph: &mut String) {
        for number in 0..self.operands().len() {
            let name = row_name(number);
            row(graph, &name, &self.operand_title(number), self.operand_nodes(number));
        }
        row(graph, "result", &self.result_title(), self.result_nodes());
        graph.push_str("  a -> result -> b [style=invis, weight=100];\n");
        for axis in 0..self.axes().len() {
            let _ = writeln!(graph, "  a{axis} -> result{axis} {};", self.edge(axis, 0));
            // Graphviz puts the head below the tail, so upward edges are reversed.
            let edge = self.edge(axis, 1).to_string().replacen('[', "[dir=back, ", 1);
            let _ = writeln!(graph, "  result{axis} -> b{axis} {edge};");
        }
    }

    /// For each axis, a box with the nodes of all shapes and of the result.
    fn groups(&self, graph: &mut String) {
        let mut titles: Vec<_> =
            (0..self.operands().len()).map(|number| self.operand_title(number)).collect();
        titles.push(self.result_title());
        let title = quoted(&titles.join("\n"));
        let _ = writeln!(graph, "  graph [rankdir=LR, ranksep=2.2, nodesep=0.2, label={title}];");
        let nodes: Vec<_> =
            (0..self.operands().len()).map(|number| self.operand_nodes(number)).collect();
        for (axis, result) in self.result_nodes().iter().enumerate() {
            let _ = writeln!(graph, "  subgraph cluster{axis} {{");
            let _ = writeln!(graph, "    label=\"axis {axis}\"; color=\"#8C959F\";");
            for (number, nodes) in nodes.iter().enumerate() {
                let _ = writeln!(graph, "    {}{axis} {};", row_name(number), nodes[axis]);
            }
            let _ = writeln!(graph, "    result{axis} {result};");
            for number in 0..nodes.len() {
                let (name, edge) = (row_name(number), self.edge(axis, number));
                let _ = writeln!(graph, "    {name}{axis} -> result{axis} {edge};");
            }
            let _ = writeln!(graph, "  }}");
        }
    }

    /// The digraph of [`to_dot`](Self::to_dot), drawn without Graphviz.
    ///
    /// ```
    /// use tensor_core::explain::explain_sizes;
    ///
    /// let picture = explain_sizes(&[&[4, 3], &[3]]).digraph_svg();
    /// assert!(picture.contains("missing, counts as 1"));
    /// ```
    pub fn digraph_svg(&self) -> String {
        let mut canvas = Canvas::default();
        let end = match self.operands() {
            [_, _] => self.draw_rows(&mut canvas),
            _ => self.draw_groups(&mut canvas),
        };
        let titles: Vec<_> =
            (0..self.operands().len()).map(|number| self.operand_title(number)).collect();
        let title = format!("{}: {}", titles.join(" and "), self.result_title());
        let edge = |axis, number: usize| {
            let (name, label) = (&self.operands()[number].name, self.edge(axis, number).label);
            format!("{name} {label}")
        };
        let edges = |axis| {
            let edges: Vec<_> =
                (0..self.operands().len()).map(|number| edge(axis, number)).collect();
            format!("axis {axis}: {}", edges.join(", "))
        };
        let description: Vec<_> = (0..self.axes().len()).map(edges).collect();
        canvas.finish(end, &title, &description.join("; "))
    }

    /// The first shape, the result, the second shape, in rows with a column for each axis. Returns the lower right corner.
    fn draw_rows(&self, canvas: &mut Canvas) -> Point {
        let rows = [self.operand_nodes(0), self.result_nodes(), self.operand_nodes(1)];
        let titles = [self.operand_title(0), self.result_title(), self.operand_title(1)];
        let left = titles.iter().map(|title| width(title, FONT)).fold(0.0, f64::max);
        let mut x = MARGIN + left + BESIDE;
        let top = |row: usize| MARGIN + row as f64 * (HEIGHT + BETWEEN);
        for (row, title) in titles.iter().enumerate() {
            let colour = if row == 1 { RESULT.text } else { of_operand(row / 2).text };
            let place = Point::new(MARGIN + left, top(row) + BASELINE);
            canvas.text(place, Anchor::End, FONT, colour, title);
        }
        for axis in 0..self.axes().len() {
            let edges = [self.edge(axis, 0), self.edge(axis, 1)];
            let labels = edges.iter().map(|edge| width(&edge.label, SMALL)).fold(0.0, f64::max);
            let nodes = rows.iter().map(|row| row[axis].width()).fold(0.0, f64::max);
            // Labels are to the right of the edges, in the middle of the nodes.
            let middle = x + nodes / 2.0;
            for (row, nodes) in rows.iter().enumerate() {
                nodes[axis].draw(canvas, Point::new(middle, top(row)));
            }
            for (edge, [from, to]) in
                edges.iter().zip([[top(0) + HEIGHT, top(1)], [top(2), top(1) + HEIGHT]])
            {
                edge.draw(canvas, Point::new(middle, from), Point::new(middle, to));
                let label = Point::new(middle + 10.0, (from + to) / 2.0 + 4.0);
                canvas.text(label, Anchor::Start, SMALL, edge.colours.text, &edge.label);
            }
            x = middle + (nodes / 2.0).max(10.0 + labels) + BESIDE;
        }
        Point::new(x - BESIDE + MARGIN, top(2) + HEIGHT + MARGIN)
    }

    /// For each axis, the nodes of all shapes, one below the other, and that of the result. Returns the lower right corner.
    fn draw_groups(&self, canvas: &mut Canvas) -> Point {
        let nodes: Vec<_> =
            (0..self.operands().len()).map(|number| self.operand_nodes(number)).collect();
        let below = HEIGHT + 16.0;
        let mut end = Point::new(MARGIN, MARGIN);
        let mut place = end;
        for (axis, result) in self.result_nodes().iter().enumerate() {
            let edges: Vec<_> = (0..nodes.len()).map(|number| self.edge(axis, number)).collect();
            let left = nodes.iter().map(|nodes| nodes[axis].width()).fold(0.0, f64::max);
            let labels = edges.iter().map(|edge| width(&edge.label, SMALL)).fold(0.0, f64::max);
            let edge = labels + 60.0;
            let size = left + edge + result.width();
            if place.x > MARGIN && place.x + size > MOST_WIDTH {
                place = Point::new(MARGIN, end.y + BESIDE);
            }
            let title = place.plus(0.0, BASELINE);
            canvas.text(title, Anchor::Start, FONT, RESULT.text, &format!("axis {axis}"));
            let first = place.y + HEIGHT;
            let height = nodes.len() as f64 * below - 16.0;
            let middle = first + height / 2.0;
            let to = place.x + left + edge;
            result.draw(canvas, Point::new(to + result.width() / 2.0, middle - HEIGHT / 2.0));
            for (number, (nodes, edge)) in nodes.iter().zip(&edges).enumerate() {
                let y = first + number as f64 * below;
                let node = &nodes[axis];
                node.draw(canvas, Point::new(place.x + left - node.width() / 2.0, y));
                let from = Point::new(place.x + left, y + HEIGHT / 2.0);
                let bend = from.plus(labels + 14.0, 0.0);
                edge.draw_line(canvas, from, bend);
                edge.draw(canvas, bend, Point::new(to, middle));
                let label = from.plus(8.0, -5.0);
                canvas.text(label, Anchor::Start, SMALL, edge.colours.text, &edge.label);
            }
            end = Point::new(end.x.max(place.x + size), end.y.max(first + height));
            place.x += size + 2.0 * BESIDE;
        }
        if self.axes().is_empty() {
            let title = self.result_title();
            canvas.text(place.plus(0.0, BASELINE), Anchor::Start, FONT, RESULT.text, &title);
            end = place.plus(width(&title, FONT), HEIGHT);
        }
        end.plus(MARGIN, MARGIN)
    }

    fn operand_title(&self, number: usize) -> String {
        let operand = &self.operands()[number];
        format!("{} {}", operand.name, operand.shape())
    }

    fn result_title(&self) -> String {
        match self.result_axes() {
            Some(axes) => format!("result {}", brackets(&axes)),
            None => "no result".to_owned(),
        }
    }

    /// The nodes of a shape.
    fn operand_nodes(&self, number: usize) -> Vec<Node> {
        let (operand, rank) = (&self.operands()[number], self.axes().len());
        let colours = of_operand(number);
        let label = |what: String| match self.operands().len() {
            2 => what,
            _ => format!("{}: {what}", operand.name),
        };
        let node = |axis| match operand.aligned(axis, rank) {
            Some(size) => Node { label: label(size.to_string()), colours, style: "filled" },
            None => {
                let empty = Colours { on_fill: colours.text, ..colours };
                Node { label: label("no axis".to_owned()), colours: empty, style: "dashed" }
            }
        };
        (0..rank).map(node).collect()
    }

    /// The nodes of the result; a mismatch names both sizes.
    fn result_nodes(&self) -> Vec<Node> {
        let node = |axis: &AlignedAxis| match &axis.outcome {
            Ok(size) => Node { label: size.to_string(), colours: RESULT, style: "filled" },
            Err(mismatch) => {
                let met = self.meeting(*mismatch).map(|axes| axes.map(AxisSize::to_string));
                let [left, right] = met.unwrap_or_default();
                Node { label: format!("✗ {left} and {right}"), colours: FAILS, style: "bold" }
            }
        };
        self.axes().iter().map(node).collect()
    }

    /// What a shape does at an axis of the result: `equal`, `stretches ×5`, `missing, counts as 1`.
    ///
    /// # Panics
    ///
    /// If there is no such axis or shape.
    ///
    /// ```
    /// use tensor_core::explain::explain_sizes;
    ///
    /// assert_eq!(explain_sizes(&[&[4, 1], &[3]]).role_in_words(1, 0), "stretches ×3");
    /// ```
    pub fn role_in_words(&self, axis: usize, operand: usize) -> String {
        self.edge(axis, operand).label
    }

    /// The edge from an axis of a shape to the axis of the result.
    fn edge(&self, axis: usize, number: usize) -> Edge {
        let AlignedAxis { parts, outcome } = &self.axes()[axis];
        let part = parts[number];
        let does_not_fit = outcome
            .as_ref()
            .is_err_and(|mismatch| part == AxisRole::Differs || mismatch.left == number);
        let (label, style) = match (part, outcome) {
            _ if does_not_fit => ("does not fit".to_owned(), "bold"),
            (AxisRole::Stretches, Ok(to)) => (format!("stretches ×{}", to.factor()), "dashed"),
            (AxisRole::Stretches, Err(_)) => ("1, which fits".to_owned(), "dashed"),
            (AxisRole::Missing, _) => ("missing, counts as 1".to_owned(), "dotted"),
            (AxisRole::Matches | AxisRole::Differs, _) => ("equal".to_owned(), "solid"),
        };
        let colours = if does_not_fit { FAILS } else { of_operand(number) };
        Edge { label, colours, style }
    }
}

/// An axis of a shape or of the result; the style is one of Graphviz.
struct Node {
    label: String,
    colours: Colours,
    style: &'static str,
}

/// The role of an axis of a shape; the style is one of Graphviz.
struct Edge {
    label: String,
    colours: Colours,
    style: &'static str,
}

impl Node {
    fn width(&self) -> f64 {
        (width(&self.label, FONT) + 20.0).max(56.0)
    }

    /// Draws the node below the middle of its upper edge.
    fn draw(&self, canvas: &mut Canvas, top: Point) {
        let Colours { fill, line, on_fill, .. } = self.colours;
        let (fill, attributes) = match self.style {
            "dashed" => (FAILS.fill, " stroke-dasharray=\"5 3\""),
            _ => (fill, ""),
        };
        let style = format!("fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"2\"{attributes}");
        let half = self.width() / 2.0;
        let corners = [(-half, 0.0), (half, 0.0), (half, HEIGHT), (-half, HEIGHT)];
        canvas.group(&style, |canvas| canvas.polygon(&corners.map(|(x, y)| top.plus(x, y))));
        canvas.text(top.plus(0.0, BASELINE), Anchor::Middle, FONT, on_fill, &self.label);
    }
}

impl Edge {
    /// Draws an arrow.
    fn draw(&self, canvas: &mut Canvas, from: Point, to: Point) {
        canvas.group(self.dashes(), |canvas| canvas.arrow(from, to, self.colours.line));
    }

    /// Draws a line without a head.
    fn draw_line(&self, canvas: &mut Canvas, from: Point, to: Point) {
        let Colours { line, .. } = self.colours;
        let attributes =
            format!("fill=\"none\" stroke=\"{line}\" stroke-width=\"2\" {}", self.dashes());
        canvas.group(&attributes, |canvas| canvas.line(&[from, to]));
    }

    fn dashes(&self) -> &'static str {
        match self.style {
            "dashed" => "stroke-dasharray=\"7 4\"",
            "dotted" => "stroke-dasharray=\"2 4\"",
            _ => "stroke-dasharray=\"none\"",
        }
    }
}

/// The attributes of the node.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { label, colours: Colours { fill, line, on_fill, .. }, style } = self;
        let label = quoted(label);
        write!(
            f,
            "[label={label}, style={style}, fillcolor=\"{fill}\", color=\"{line}\", fontcolor=\"{on_fill}\"]"
        )
    }
}

/// The attributes of the edge.
impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { label, colours: Colours { line, .. }, style } = self;
        // The spaces keep the label off the line.
        let label = quoted(&format!("  {label}  "));
        write!(f, "[label={label}, style={style}, color=\"{line}\"]")
    }
}

/// The prefix of the nodes of a shape, independent of the shape's name.
fn row_name(number: usize) -> String {
    default_name(number)
}

/// Writes nodes side by side, in order, after the title of the row.
fn row(graph: &mut String, name: &str, title: &str, nodes: Vec<Node>) {
    let title = quoted(title);
    let _ = writeln!(graph, "  {{");
    let _ = writeln!(graph, "    rank=same;");
    let _ = writeln!(graph, "    {name} [label={title}, shape=plaintext];");
    let mut previous = name.to_owned();
    for (axis, attributes) in nodes.iter().enumerate() {
        let _ = writeln!(graph, "    {name}{axis} {attributes};");
        let _ = writeln!(graph, "    {previous} -> {name}{axis} [style=invis];");
        previous = format!("{name}{axis}");
    }
    let _ = writeln!(graph, "  }}");
}

/// A quoted string of Graphviz, with backslashes escaped.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
