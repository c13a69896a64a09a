//! Writes ONNX models, field by field.

#![allow(dead_code, reason = "no test has need of everything")]

use std::fs;
use std::path::Path;

/// Whether expected files are written, by `.ci/bless onnx`.
pub fn is_blessed() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value != "0")
}

/// Compares the block of code after `mark` in the README with a source, without the source's first comment.
pub fn in_readme(readme: &Path, mark: &str, source: &str) {
    let code = source.split_once("\n\n").expect("a comment").1;
    let text = fs::read_to_string(readme).expect("the README");
    let (before, rest) = text.split_once(&format!("{mark}\n```rust\n")).expect("the block");
    let (block, behind) = rest.split_once("```\n").expect("the end of the block");
    if is_blessed() {
        let new = format!("{before}{mark}\n```rust\n{code}```\n{behind}");
        fs::write(readme, new).expect("the README");
        return;
    }
    assert!(
        block == code,
        "tensor-onnx/README.md is not what the conversion gives: `.ci/bless onnx` writes\n{code}"
    );
}

/// A number of Protocol Buffers.
pub fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A field with bytes: a message, a text, packed numbers.
pub fn field(number: u64, bytes: &[u8]) -> Vec<u8> {
    [varint(number << 3 | 2), varint(bytes.len() as u64), bytes.to_vec()].concat()
}

/// A field with a number.
pub fn number(field: u64, value: i64) -> Vec<u8> {
    [varint(field << 3), varint(value.cast_unsigned())].concat()
}

/// A node without a name.
pub fn node(operator: &str, inputs: &[&str], outputs: &[&str], attributes: &[Vec<u8>]) -> Vec<u8> {
    let mut node = Vec::new();
    inputs.iter().for_each(|input| node.extend(field(1, input.as_bytes())));
    outputs.iter().for_each(|output| node.extend(field(2, output.as_bytes())));
    node.extend(field(4, operator.as_bytes()));
    attributes.iter().for_each(|attribute| node.extend(field(5, attribute)));
    node
}

/// An attribute with an integer.
pub fn int(name: &str, value: i64) -> Vec<u8> {
    [field(1, name.as_bytes()), number(3, value), number(20, 2)].concat()
}

/// An attribute with integers.
pub fn ints(name: &str, values: &[i64]) -> Vec<u8> {
    let values: Vec<u8> = values.iter().flat_map(|&value| number(8, value)).collect();
    [field(1, name.as_bytes()), values, number(20, 7)].concat()
}

/// An attribute with a text.
pub fn text_attribute(name: &str, text: &str) -> Vec<u8> {
    [field(1, name.as_bytes()), field(4, text.as_bytes()), number(20, 3)].concat()
}

/// An attribute with a graph.
pub fn graph_attribute(name: &str, graph: &[u8]) -> Vec<u8> {
    [field(1, name.as_bytes()), field(6, graph), number(20, 5)].concat()
}

/// A tensor with raw data.
pub fn tensor(name: &str, element: i64, sizes: &[i64], data: &[u8]) -> Vec<u8> {
    let sizes: Vec<u8> = sizes.iter().flat_map(|&size| number(1, size)).collect();
    [sizes, number(2, element), field(8, name.as_bytes()), field(9, data)].concat()
}

/// A tensor of floats that count up.
pub fn floats(name: &str, sizes: &[i64]) -> Vec<u8> {
    let count: i64 = sizes.iter().product();
    let data: Vec<u8> = (0..count).flat_map(|i| (i as f32 * 0.125 - 0.5).to_le_bytes()).collect();
    tensor(name, 1, sizes, &data)
}

/// A tensor of 64-bit integers.
pub fn integers(name: &str, values: &[i64]) -> Vec<u8> {
    let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    tensor(name, 7, &[values.len() as i64], &data)
}

/// A tensor whose data are in another file.
pub fn external(name: &str, sizes: &[i64], entries: &[(&str, &str)]) -> Vec<u8> {
    let sizes: Vec<u8> = sizes.iter().flat_map(|&size| number(1, size)).collect();
    let entries: Vec<u8> = entries
        .iter()
        .flat_map(|(key, value)| {
            field(13, &[field(1, key.as_bytes()), field(2, value.as_bytes())].concat())
        })
        .collect();
    [sizes, number(2, 1), field(8, name.as_bytes()), entries, number(14, 1)].concat()
}

/// An input or an output. Sizes that are no numbers are names.
pub fn value(name: &str, element: i64, sizes: &[&str]) -> Vec<u8> {
    let axes: Vec<u8> = sizes
        .iter()
        .flat_map(|size| {
            let axis = match size.parse() {
                Ok(size) => number(1, size),
                Err(_) => field(2, size.as_bytes()),
            };
            field(1, &axis)
        })
        .collect();
    let ty = field(1, &[number(1, element), field(2, &axes)].concat());
    [field(1, name.as_bytes()), field(2, &ty)].concat()
}

/// A graph of nodes, initializers, inputs and outputs.
pub fn graph(
    nodes: &[Vec<u8>],
    tensors: &[Vec<u8>],
    inputs: &[Vec<u8>],
    outputs: &[Vec<u8>],
) -> Vec<u8> {
    let all = |number: u64, messages: &[Vec<u8>]| -> Vec<u8> {
        messages.iter().flat_map(|message| field(number, message)).collect()
    };
    [all(1, nodes), all(5, tensors), all(11, inputs), all(12, outputs)].concat()
}

/// A model of a graph.
pub fn model(opset: i64, graph: &[u8]) -> Vec<u8> {
    [number(1, 8), field(7, graph), field(8, &[field(1, b""), number(2, opset)].concat())].concat()
}

/// Two linear layers.
pub fn mlp() -> Vec<u8> {
    let nodes = [
        node("Gemm", &["x", "fc1.weight", "fc1.bias"], &["hidden"], &[int("transB", 1)]),
        node("Relu", &["hidden"], &["active"], &[]),
        node("Gemm", &["active", "fc2.weight", "fc2.bias"], &["scores"], &[int("transB", 1)]),
        node("Softmax", &["scores"], &["probabilities"], &[int("axis", -1)]),
    ];
    let weights = [
        floats("fc1.weight", &[16, 4]),
        floats("fc1.bias", &[16]),
        floats("fc2.weight", &[3, 16]),
        floats("fc2.bias", &[3]),
    ];
    let inputs = [value("x", 1, &["batch", "4"])];
    model(17, &graph(&nodes, &weights, &inputs, &[value("probabilities", 1, &["batch", "3"])]))
}

/// A block of attention as PyTorch exports it: products of matrices, shapes that are computed, a residual.
pub fn attention() -> Vec<u8> {
    let mut nodes = vec![
        node("Shape", &["x"], &["shape"], &[]),
        node("Gather", &["shape", "zero"], &["batch"], &[int("axis", 0)]),
        node("Gather", &["shape", "one"], &["time"], &[int("axis", 0)]),
        node("Concat", &["batch", "time", "heads"], &["split"], &[int("axis", 0)]),
    ];
    for part in ["query", "key", "value"] {
        let names = [format!("attention.{part}.weight"), format!("attention.{part}.bias")];
        let (product, sum, heads) =
            (format!("{part}_product"), part.to_owned(), format!("{part}_heads"));
        let split = format!("{part}_split");
        let order: &[i64] = if part == "key" { &[0, 2, 3, 1] } else { &[0, 2, 1, 3] };
        nodes.push(node("MatMul", &["x", &names[0]], &[&product], &[]));
        nodes.push(node("Add", &[&names[1], &product], &[&sum], &[]));
        nodes.push(node("Reshape", &[&sum, "split"], &[&split], &[]));
        nodes.push(node("Transpose", &[&split], &[&heads], &[ints("perm", order)]));
    }
    nodes.extend([
        node("MatMul", &["query_heads", "key_heads"], &["scores"], &[]),
        node("Div", &["scores", "root"], &["scaled"], &[]),
        node("Softmax", &["scaled"], &["weights"], &[int("axis", -1)]),
        node("MatMul", &["weights", "value_heads"], &["mixed"], &[]),
        node("Transpose", &["mixed"], &["moved"], &[ints("perm", &[0, 2, 1, 3])]),
        node("Concat", &["batch", "time", "width"], &["flat"], &[int("axis", 0)]),
        node("Reshape", &["moved", "flat"], &["joined"], &[]),
        node("Add", &["joined", "x"], &["residual"], &[]),
        node(
            "LayerNormalization",
            &["residual", "norm.weight", "norm.bias"],
            &["y"],
            &[int("axis", -1)],
        ),
    ]);
    let mut weights = vec![
        integers("zero", &[0]),
        integers("one", &[1]),
        integers("heads", &[2, 4]),
        integers("width", &[8]),
        tensor("root", 1, &[], &2.0_f32.to_le_bytes()),
        floats("norm.weight", &[8]),
        floats("norm.bias", &[8]),
    ];
    for part in ["query", "key", "value"] {
        weights.push(floats(&format!("attention.{part}.weight"), &[8, 8]));
        weights.push(floats(&format!("attention.{part}.bias"), &[8]));
    }
    let sizes = ["batch", "sequence", "8"];
    model(17, &graph(&nodes, &weights, &[value("x", 1, &sizes)], &[value("y", 1, &sizes)]))
}
