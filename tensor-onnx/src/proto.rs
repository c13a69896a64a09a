//! The messages of an ONNX model. Elements of tensors stay in the bytes of the file, which the messages borrow.
//!
//! Sources: `onnx.proto` of ONNX; the encoding of Protocol Buffers.

/// How deep messages with graphs may be nested.
const DEEPEST: usize = 16;

/// The most messages of a model. Each takes some hundred bytes of memory, but as few as two in a file.
const MOST_MESSAGES: usize = 1 << 20;

/// The most axes of a tensor.
const MOST_AXES: usize = 64;

type Result<T> = std::result::Result<T, String>;

/// A model.
#[derive(Default)]
pub struct Model<'a> {
    pub opsets: Vec<(&'a str, i64)>,
    pub graph: Option<Graph<'a>>,
    pub functions: usize,
}

/// A graph: of the model, or of a branch or a loop.
#[derive(Clone, Default)]
pub struct Graph<'a> {
    pub name: &'a str,
    pub nodes: Vec<Node<'a>>,
    pub initializers: Vec<Tensor<'a>>,
    pub sparse: usize,
    pub inputs: Vec<ValueInfo<'a>>,
    pub outputs: Vec<ValueInfo<'a>>,
    pub values: Vec<ValueInfo<'a>>,
}

/// A call of an operator.
#[derive(Clone, Default)]
pub struct Node<'a> {
    pub name: &'a str,
    pub operator: &'a str,
    pub domain: &'a str,
    pub inputs: Vec<&'a str>,
    pub outputs: Vec<&'a str>,
    pub attributes: Vec<Attribute<'a>>,
}

impl<'a> Node<'a> {
    pub fn attribute(&self, name: &str) -> Option<&Attribute<'a>> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    pub fn int(&self, name: &str, default: i64) -> i64 {
        self.attribute(name).map_or(default, |attribute| attribute.int)
    }

    pub fn ints(&self, name: &str) -> Option<&[i64]> {
        self.attribute(name).map(|attribute| &attribute.ints[..])
    }
}

/// An attribute of a node.
#[derive(Clone, Default)]
pub struct Attribute<'a> {
    pub name: &'a str,
    pub float: f32,
    pub int: i64,
    pub text: &'a [u8],
    pub tensor: Option<Tensor<'a>>,
    pub graph: Option<Graph<'a>>,
    pub floats: Vec<f32>,
    pub ints: Vec<i64>,
    pub texts: Vec<&'a [u8]>,
    /// The number of its type in `AttributeProto.AttributeType`.
    pub kind: u64,
}

/// A tensor: an initializer, or the value of an attribute.
#[derive(Clone, Default)]
pub struct Tensor<'a> {
    pub name: &'a str,
    pub sizes: Vec<u64>,
    pub element: u64,
    pub raw: Option<&'a [u8]>,
    /// The elements if they are numbers of Protocol Buffers: floats of four and eight bytes as their bits.
    pub numbers: Vec<u64>,
    pub texts: usize,
    pub external: Vec<(&'a str, &'a str)>,
    pub is_external: bool,
}

/// The name and type of an input, an output or a value.
#[derive(Clone, Default)]
pub struct ValueInfo<'a> {
    pub name: &'a str,
    /// `None` for types other than tensors.
    pub element: Option<u64>,
    /// `None` if the rank is unknown.
    pub axes: Option<Vec<Axis<'a>>>,
}

/// The size of an axis.
#[derive(Clone, Copy, Default, PartialEq)]
pub enum Axis<'a> {
    #[default]
    Unknown,
    Size(u64),
    Named(&'a str),
}

/// Reads a model.
pub fn model(bytes: &[u8]) -> Result<Model<'_>> {
    let mut reader = Reader { messages: 0 };
    let mut model = Model::default();
    reader.fields(bytes, |reader, number, field| {
        match (number, field) {
            (7, Field::Bytes(bytes)) => model.graph = Some(reader.graph(bytes, DEEPEST)?),
            (8, Field::Bytes(bytes)) => {
                let (mut domain, mut version) = ("", 0);
                reader.fields(bytes, |_, number, field| {
                    match (number, field) {
                        (1, Field::Bytes(bytes)) => domain = text(bytes)?,
                        (2, Field::Number(number)) => version = number.cast_signed(),
                        _ => {}
                    }
                    Ok(())
                })?;
                model.opsets.push((domain, version));
            }
            (25, Field::Bytes(_)) => model.functions += 1,
            _ => {}
        }
        Ok(())
    })?;
    Ok(model)
}

/// The value of a field.
#[derive(Clone, Copy)]
enum Field<'a> {
    Number(u64),
    /// A message, a text, packed numbers, or the bytes of one number of fixed size.
    Bytes(&'a [u8]),
}

struct Reader {
    messages: usize,
}

impl Reader {
    /// Calls `visit` with the number and the value of each field of a message.
    fn fields<'a>(
        &mut self,
        mut bytes: &'a [u8],
        mut visit: impl FnMut(&mut Self, u64, Field<'a>) -> Result<()>,
    ) -> Result<()> {
        self.messages += 1;
        if self.messages > MOST_MESSAGES {
            return Err(damaged(&format!("it has more than {MOST_MESSAGES} messages")));
        }
        while !bytes.is_empty() {
            let key = varint(&mut bytes)?;
            let len = match key & 7 {
                0 => {
                    let number = varint(&mut bytes)?;
                    visit(self, key >> 3, Field::Number(number))?;
                    continue;
                }
                1 => 8,
                2 => varint(&mut bytes)?,
                5 => 4,
                other => return Err(damaged(&format!("a field of kind {other}"))),
            };
            let split = usize::try_from(len).ok().and_then(|len| bytes.split_at_checked(len));
            let Some((value, rest)) = split else {
                return Err(damaged(&format!("a field of {len} bytes in {} bytes", bytes.len())));
            };
            bytes = rest;
            visit(self, key >> 3, Field::Bytes(value))?;
        }
        Ok(())
    }

    fn graph<'a>(&mut self, bytes: &'a [u8], depth: usize) -> Result<Graph<'a>> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(damaged(&format!("graphs are nested {DEEPEST} deep")));
        };
        let mut graph = Graph::default();
        self.fields(bytes, |reader, number, field| {
            let Field::Bytes(bytes) = field else { return Ok(()) };
            match number {
                1 => graph.nodes.push(reader.node(bytes, depth)?),
                2 => graph.name = text(bytes)?,
                5 => graph.initializers.push(reader.tensor(bytes)?),
                11 => graph.inputs.push(reader.value(bytes)?),
                12 => graph.outputs.push(reader.value(bytes)?),
                13 => graph.values.push(reader.value(bytes)?),
                15 => graph.sparse += 1,
                _ => {}
            }
            Ok(())
        })?;
        Ok(graph)
    }

    fn node<'a>(&mut self, bytes: &'a [u8], depth: usize) -> Result<Node<'a>> {
        let mut node = Node::default();
        self.fields(bytes, |reader, number, field| {
            let Field::Bytes(bytes) = field else { return Ok(()) };
            match number {
                1 => node.inputs.push(text(bytes)?),
                2 => node.outputs.push(text(bytes)?),
                3 => node.name = text(bytes)?,
                4 => node.operator = text(bytes)?,
                5 => node.attributes.push(reader.attribute(bytes, depth)?),
                7 => node.domain = text(bytes)?,
                _ => {}
            }
            Ok(())
        })?;
        Ok(node)
    }

    fn attribute<'a>(&mut self, bytes: &'a [u8], depth: usize) -> Result<Attribute<'a>> {
        let mut attribute = Attribute::default();
        self.fields(bytes, |reader, number, field| {
            match (number, field) {
                (1, Field::Bytes(bytes)) => attribute.name = text(bytes)?,
                (2, Field::Bytes(bytes)) => attribute.float = f32::from_bits(fixed(bytes) as u32),
                (3, Field::Number(number)) => attribute.int = number.cast_signed(),
                (4, Field::Bytes(bytes)) => attribute.text = bytes,
                (5, Field::Bytes(bytes)) => attribute.tensor = Some(reader.tensor(bytes)?),
                (6, Field::Bytes(bytes)) => attribute.graph = Some(reader.graph(bytes, depth)?),
                (7, Field::Bytes(bytes)) => {
                    let floats = bytes.chunks(4).map(|bytes| f32::from_bits(fixed(bytes) as u32));
                    attribute.floats.extend(floats);
                }
                (8, Field::Number(number)) => attribute.ints.push(number.cast_signed()),
                (8, Field::Bytes(mut bytes)) => {
                    while !bytes.is_empty() {
                        attribute.ints.push(varint(&mut bytes)?.cast_signed());
                    }
                }
                (9, Field::Bytes(bytes)) => attribute.texts.push(bytes),
                (20, Field::Number(number)) => attribute.kind = number,
                _ => {}
            }
            Ok(())
        })?;
        Ok(attribute)
    }

    fn tensor<'a>(&mut self, bytes: &'a [u8]) -> Result<Tensor<'a>> {
        let mut tensor = Tensor::default();
        self.fields(bytes, |reader, number, field| {
            match (number, field) {
                (1, Field::Number(size)) => tensor.sizes.push(size),
                (1, Field::Bytes(mut bytes)) => {
                    while !bytes.is_empty() && tensor.sizes.len() <= MOST_AXES {
                        tensor.sizes.push(varint(&mut bytes)?);
                    }
                }
                (2, Field::Number(number)) => tensor.element = number,
                (4, Field::Bytes(bytes)) => tensor.numbers.extend(bytes.chunks(4).map(fixed)),
                (10, Field::Bytes(bytes)) => tensor.numbers.extend(bytes.chunks(8).map(fixed)),
                (5 | 7 | 11, Field::Number(number)) => tensor.numbers.push(number),
                (5 | 7 | 11, Field::Bytes(mut bytes)) => {
                    while !bytes.is_empty() {
                        tensor.numbers.push(varint(&mut bytes)?);
                    }
                }
                (6, Field::Bytes(_)) => tensor.texts += 1,
                (8, Field::Bytes(bytes)) => tensor.name = text(bytes)?,
                (9, Field::Bytes(bytes)) => tensor.raw = Some(bytes),
                (13, Field::Bytes(bytes)) => {
                    let (mut key, mut value) = ("", "");
                    reader.fields(bytes, |_, number, field| {
                        match (number, field) {
                            (1, Field::Bytes(bytes)) => key = text(bytes)?,
                            (2, Field::Bytes(bytes)) => value = text(bytes)?,
                            _ => {}
                        }
                        Ok(())
                    })?;
                    tensor.external.push((key, value));
                }
                (14, Field::Number(number)) => tensor.is_external = number == 1,
                _ => {}
            }
            Ok(())
        })?;
        match tensor.sizes.len() {
            ..=MOST_AXES => Ok(tensor),
            _ => Err(damaged(&format!("a tensor with more than {MOST_AXES} axes"))),
        }
    }

    fn value<'a>(&mut self, bytes: &'a [u8]) -> Result<ValueInfo<'a>> {
        let mut value = ValueInfo::default();
        self.fields(bytes, |reader, number, field| match (number, field) {
            (1, Field::Bytes(bytes)) => {
                value.name = text(bytes)?;
                Ok(())
            }
            (2, Field::Bytes(bytes)) => reader.fields(bytes, |reader, number, field| {
                let (1, Field::Bytes(bytes)) = (number, field) else { return Ok(()) };
                value.element = Some(0);
                reader.fields(bytes, |reader, number, field| match (number, field) {
                    (1, Field::Number(number)) => {
                        value.element = Some(number);
                        Ok(())
                    }
                    (2, Field::Bytes(bytes)) => {
                        let mut axes = Vec::new();
                        reader.fields(bytes, |reader, number, field| {
                            let (1, Field::Bytes(bytes)) = (number, field) else { return Ok(()) };
                            axes.push(reader.axis(bytes)?);
                            Ok(())
                        })?;
                        if axes.len() > MOST_AXES {
                            return Err(damaged(&format!("a value with {} axes", axes.len())));
                        }
                        value.axes = Some(axes);
                        Ok(())
                    }
                    _ => Ok(()),
                })
            }),
            _ => Ok(()),
        })?;
        Ok(value)
    }

    fn axis<'a>(&mut self, bytes: &'a [u8]) -> Result<Axis<'a>> {
        let mut axis = Axis::Unknown;
        self.fields(bytes, |_, number, field| {
            match (number, field) {
                // Some exporters write -1 for a size that they do not know.
                (1, Field::Number(size)) if size != u64::MAX => axis = Axis::Size(size),
                (2, Field::Bytes(bytes)) if bytes.iter().any(u8::is_ascii_alphanumeric) => {
                    axis = Axis::Named(text(bytes)?);
                }
                _ => {}
            }
            Ok(())
        })?;
        Ok(axis)
    }
}

/// A number in groups of seven bits, the lowest first.
fn varint(bytes: &mut &[u8]) -> Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let Some((&byte, rest)) = bytes.split_first() else {
            return Err(damaged("it ends within a number"));
        };
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(damaged("a number of more than 64 bits"))
}

/// A number of up to eight bytes, the lowest first.
fn fixed(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn text(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|_| damaged("a name that is not UTF-8"))
}

/// The error of a file that is no model, or not all of one.
pub fn damaged(problem: &str) -> String {
    format!(
        "an ONNX model that is damaged, or not all of one: {problem}: download or copy it again"
    )
}
