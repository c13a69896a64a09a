//! Pictures of programs.

use tensor_array::array::trace::program::DrawnOperand;
use tensor_explain::internal::{Graph, Kind, Node};

use crate::trace::{Port, Program};

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
        self.dataflow().to_dot()
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
        self.dataflow().to_svg(&format!("A program of {} steps", self.num_steps()))
    }

    /// Inputs, steps and outputs, each after its operands.
    fn dataflow(&self) -> Graph {
        let input = |port: &Port| {
            let text = format!("{} {}", port.name(), port);
            Node { kind: Kind::Input, text: text.trim().to_owned(), reads: Vec::new() }
        };
        let mut nodes: Vec<Node> = self.inputs().iter().map(input).collect();
        for step in self.graph().drawn_steps() {
            let kind = if step.is_gradient { Kind::Gradient } else { Kind::Step };
            nodes.push(reading(kind, step.name.to_owned(), step.operands));
        }
        for (port, output) in self.outputs().iter().zip(self.graph().drawn_outputs()) {
            let text = format!("{} {}", port.name(), port);
            nodes.push(reading(Kind::Output, text.trim().to_owned(), vec![output]));
        }
        Graph(nodes)
    }
}

/// A box that reads these operands; constants are part of its text.
fn reading(kind: Kind, mut text: String, operands: Vec<DrawnOperand>) -> Node {
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
    Node { kind, text, reads }
}
