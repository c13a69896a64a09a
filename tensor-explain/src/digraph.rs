//! The digraph: a node for each axis of each shape, with an edge to the axis of the result.

use core::fmt::Write;

use super::analysis::{AlignedAxis, AxisRole, AxisSize, Explanation, brackets, default_name};
use super::palette::{Colours, FAILS, RESULT, of_operand};

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
            let edge = self.edge(axis, 1).replacen('[', "[dir=back, ", 1);
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

    /// The attributes of the nodes of a shape.
    fn operand_nodes(&self, number: usize) -> Vec<String> {
        let (operand, rank) = (&self.operands()[number], self.axes().len());
        let colours = of_operand(number);
        let label = |what: String| match self.operands().len() {
            2 => what,
            _ => format!("{}: {what}", operand.name),
        };
        let attributes = |axis| match operand.aligned(axis, rank) {
            Some(size) => node(&label(size.to_string()), &colours, "filled"),
            None => {
                let empty = Colours { on_fill: colours.text, ..colours };
                node(&label("no axis".to_owned()), &empty, "dashed")
            }
        };
        (0..rank).map(attributes).collect()
    }

    /// The attributes of the nodes of the result; a mismatch names both sizes.
    fn result_nodes(&self) -> Vec<String> {
        let attributes = |axis: &AlignedAxis| match &axis.outcome {
            Ok(size) => node(&size.to_string(), &RESULT, "filled"),
            Err(mismatch) => {
                let met = self.meeting(*mismatch).map(|axes| axes.map(AxisSize::to_string));
                let [left, right] = met.unwrap_or_default();
                node(&format!("✗ {left} and {right}"), &FAILS, "bold")
            }
        };
        self.axes().iter().map(attributes).collect()
    }

    /// The attributes of the edge from an axis of a shape to the axis of the result.
    fn edge(&self, axis: usize, number: usize) -> String {
        let AlignedAxis { parts, outcome } = &self.axes()[axis];
        let part = parts[number];
        let does_not_fit = outcome
            .as_ref()
            .is_err_and(|mismatch| part == AxisRole::Differs || mismatch.left == number);
        let (label, style) = match (part, outcome) {
            _ if does_not_fit => ("does not fit".to_owned(), "bold"),
            (AxisRole::Stretches, Ok(to)) => (format!("stretches ×{}", to.size), "dashed"),
            (AxisRole::Stretches, Err(_)) => ("1, which fits".to_owned(), "dashed"),
            (AxisRole::Missing, _) => ("missing, counts as 1".to_owned(), "dotted"),
            (AxisRole::Matches | AxisRole::Differs, _) => ("equal".to_owned(), "solid"),
        };
        let colour = if does_not_fit { FAILS.line } else { of_operand(number).line };
        // The spaces keep the label off the line.
        let label = quoted(&format!("  {label}  "));
        format!("[label={label}, style={style}, color=\"{colour}\"]")
    }
}

/// The prefix of the nodes of a shape, independent of the shape's name.
fn row_name(number: usize) -> String {
    default_name(number)
}

/// The attributes of a node.
fn node(label: &str, colours: &Colours, style: &str) -> String {
    let Colours { fill, line, on_fill, .. } = colours;
    let label = quoted(label);
    format!(
        "[label={label}, style={style}, fillcolor=\"{fill}\", color=\"{line}\", fontcolor=\"{on_fill}\"]"
    )
}

/// Writes nodes side by side, in order, after the title of the row.
fn row(graph: &mut String, name: &str, title: &str, nodes: Vec<String>) {
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
