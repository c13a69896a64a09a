//! ONNX models as bytes.
//!
//! Sources: `onnx.proto` of ONNX; the encoding of Protocol Buffers.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

use super::text::Type;

/// The version of the operators: the first one whose operators have all element types that programs need.
const OPSET: u64 = 21;
/// The version of the format that has these operators.
const IR_VERSION: u64 = 10;
/// The bytes from which weights are written beside the model: a message of Protocol Buffers has at most 2 GiB.
const MOST_WITHIN: usize = (1 << 31) - (1 << 24);

/// An ONNX model of a program.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    pub(super) nodes: Vec<Node>,
    pub(super) initializers: Vec<(String, Type, Vec<u8>)>,
    pub(super) inputs: Vec<(String, Type)>,
    pub(super) outputs: Vec<(String, Type)>,
}

/// A call of an operator.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub operator: &'static str,
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    pub attributes: Vec<(&'static str, Attribute)>,
}

/// The value of an attribute.
#[derive(Clone, Debug)]
pub(super) enum Attribute {
    Int(i64),
    Ints(Vec<i64>),
    Text(&'static str),
    /// The body of a loop or a branch, whose constants are those of the model.
    Graph(Box<Exported>),
}

impl Exported {
    /// The operators, in the order of the graph; those of loops and branches follow the operator that they are part of.
    pub fn operators(&self) -> Vec<&str> {
        let mut operators = Vec::new();
        for node in &self.nodes {
            operators.push(node.operator);
            operators.extend(node.graphs().flat_map(Self::operators));
        }
        operators
    }

    /// Calls a function of all nodes, also of those of loops and branches.
    pub(super) fn for_each_node(&mut self, function: &mut dyn FnMut(&mut Node)) {
        for node in &mut self.nodes {
            function(node);
            for (_, attribute) in &mut node.attributes {
                if let Attribute::Graph(graph) = attribute {
                    graph.for_each_node(function);
                }
            }
        }
    }

    /// The names of the inputs.
    pub fn inputs(&self) -> Vec<&str> {
        self.inputs.iter().map(|(name, _)| &name[..]).collect()
    }

    /// The names of the outputs.
    pub fn outputs(&self) -> Vec<&str> {
        self.outputs.iter().map(|(name, _)| &name[..]).collect()
    }

    /// The model as bytes, with all constants within it.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.encoded(None)
    }

    /// Writes the model to a file. Constants of 2 GiB or more are in a second file beside it, with `.data` after its name.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    ///
    /// ```no_run
    /// # let text = "";
    /// let model = tensor_onnx::export(text, &["x"], &["y"])?;
    /// model.save("model.onnx")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let path = path.as_ref();
        let bytes: usize = self.initializers.iter().map(|(_, _, bytes)| bytes.len()).sum();
        if bytes < MOST_WITHIN {
            return fs::write(path, self.encoded(None));
        }
        let name = path.file_name().and_then(OsStr::to_str);
        let name = name.ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "the name of the file is no text")
        })?;
        let data = format!("{name}.data");
        fs::write(path.with_file_name(&data), self.data())?;
        fs::write(path, self.encoded(Some(&data)))
    }

    /// The bytes of all constants, one after the other.
    fn data(&self) -> Vec<u8> {
        self.initializers.iter().flat_map(|(_, _, bytes)| bytes).copied().collect()
    }

    /// The model, whose constants are within it, or in a file with this name.
    fn encoded(&self, data: Option<&str>) -> Vec<u8> {
        let mut opset = Message::default();
        opset.bytes(1, b"");
        opset.number(2, OPSET);
        let mut model = Message::default();
        model.number(1, IR_VERSION);
        model.bytes(2, b"tensor-onnx");
        model.bytes(3, env!("CARGO_PKG_VERSION").as_bytes());
        model.message(7, &self.graph(b"main", data));
        model.message(8, &opset);
        model.0
    }

    fn graph(&self, name: &[u8], data: Option<&str>) -> Message {
        let mut graph = Message::default();
        for node in &self.nodes {
            graph.message(1, &node.encoded());
        }
        graph.bytes(2, name);
        let mut offset = 0;
        for (name, ty, bytes) in &self.initializers {
            let mut tensor = Message::default();
            for &size in &ty.sizes {
                tensor.number(1, size as u64);
            }
            tensor.number(2, ty.element.number());
            tensor.bytes(8, name.as_bytes());
            match data {
                None => tensor.bytes(9, bytes),
                Some(file) => {
                    let place = [offset.to_string(), bytes.len().to_string()];
                    for (key, value) in
                        [("location", file), ("offset", &place[0]), ("length", &place[1])]
                    {
                        let mut entry = Message::default();
                        entry.bytes(1, key.as_bytes());
                        entry.bytes(2, value.as_bytes());
                        tensor.message(13, &entry);
                    }
                    tensor.number(14, 1);
                    offset += bytes.len();
                }
            }
            graph.message(5, &tensor);
        }
        for (field, values) in [(11, &self.inputs), (12, &self.outputs)] {
            for (name, ty) in values {
                graph.message(field, &value_info(name, ty));
            }
        }
        graph
    }
}

fn value_info(name: &str, ty: &Type) -> Message {
    let mut shape = Message::default();
    for &size in &ty.sizes {
        let mut axis = Message::default();
        axis.number(1, size as u64);
        shape.message(1, &axis);
    }
    let mut tensor = Message::default();
    tensor.number(1, ty.element.number());
    tensor.message(2, &shape);
    let mut of_type = Message::default();
    of_type.message(1, &tensor);
    let mut info = Message::default();
    info.bytes(1, name.as_bytes());
    info.message(2, &of_type);
    info
}

impl Node {
    /// The bodies of a loop or a branch.
    fn graphs(&self) -> impl Iterator<Item = &Exported> {
        self.attributes.iter().filter_map(|(_, attribute)| match attribute {
            Attribute::Graph(graph) => Some(&**graph),
            _ => None,
        })
    }

    fn encoded(&self) -> Message {
        let mut node = Message::default();
        for input in &self.inputs {
            node.bytes(1, input.as_bytes());
        }
        for output in &self.outputs {
            node.bytes(2, output.as_bytes());
        }
        node.bytes(4, self.operator.as_bytes());
        for (name, value) in &self.attributes {
            let mut attribute = Message::default();
            attribute.bytes(1, name.as_bytes());
            let kind = match value {
                Attribute::Int(number) => {
                    attribute.number(3, number.cast_unsigned());
                    2
                }
                Attribute::Text(text) => {
                    attribute.bytes(4, text.as_bytes());
                    3
                }
                Attribute::Graph(graph) => {
                    attribute.message(6, &graph.graph(name.as_bytes(), None));
                    5
                }
                Attribute::Ints(numbers) => {
                    for number in numbers {
                        attribute.number(8, number.cast_unsigned());
                    }
                    7
                }
            };
            attribute.number(20, kind);
            node.message(5, &attribute);
        }
        node
    }
}

/// A message of Protocol Buffers.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn number(&mut self, field: u64, number: u64) {
        self.varint(field << 3);
        self.varint(number);
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn message(&mut self, field: u64, message: &Self) {
        self.bytes(field, &message.0);
    }
}
