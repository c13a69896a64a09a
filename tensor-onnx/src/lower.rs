//! From a node to the calls that compute it: a row for each operator.
//!
//! Source: `Operators.md` of ONNX, with the earlier versions in `Changelog.md`.

mod attention;
mod elementwise;
mod fold;
mod grid;
mod indices;
mod losses;
mod normalize;
mod products;
mod quantize;
mod recurrent;
mod reductions;
mod resize;
mod shapes;
mod signal;
mod state;
mod windows;

use crate::element::Element;
use crate::function::{Function, Value};
use crate::known::Known;
use crate::proto::{Attribute, Node};
use crate::reason::{Reason, Reasoned, reason};
use crate::sym::Sym;

/// The results of a node, in the order of its outputs.
type Results<'a> = Reasoned<Vec<Value<'a>>>;

/// How an operator is written.
type Lower = for<'f, 'a> fn(&mut Call<'f, 'a>) -> Results<'a>;

/// The rows of all operators.
const TABLES: [&[(&str, Lower)]; 15] = [
    elementwise::TABLE,
    shapes::TABLE,
    reductions::TABLE,
    products::TABLE,
    windows::TABLE,
    resize::TABLE,
    normalize::TABLE,
    indices::TABLE,
    recurrent::TABLE,
    attention::TABLE,
    quantize::TABLE,
    losses::TABLE,
    signal::TABLE,
    state::TABLE,
    grid::TABLE,
];

/// A kind of elements.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Floats,
    Numbers,
    Signed,
    Integers,
    TruthValues,
}

/// The kinds of elements that inputs of operators have, by the number of the input.
const KINDS: [(usize, Kind, &[&str]); 11] = [
    (
        0,
        Kind::Floats,
        &[
            "Acos",
            "Acosh",
            "AffineGrid",
            "Asin",
            "Asinh",
            "Atan",
            "Atanh",
            "Attention",
            "AveragePool",
            "BatchNormalization",
            "CausalConvWithState",
            "Ceil",
            "Celu",
            "Conv",
            "ConvTranspose",
            "Cos",
            "Cosh",
            "DFT",
            "Dropout",
            "DynamicQuantizeLinear",
            "Elu",
            "Erf",
            "Exp",
            "Floor",
            "GRU",
            "Gelu",
            "GlobalAveragePool",
            "GlobalLpPool",
            "GlobalMaxPool",
            "GroupNormalization",
            "HardSigmoid",
            "HardSwish",
            "Hardmax",
            "InstanceNormalization",
            "IsInf",
            "IsNaN",
            "LRN",
            "LSTM",
            "LayerNormalization",
            "LeakyRelu",
            "LinearAttention",
            "Log",
            "LogSoftmax",
            "LpNormalization",
            "LpPool",
            "Mean",
            "MeanVarianceNormalization",
            "Mish",
            "NegativeLogLikelihoodLoss",
            "RMSNormalization",
            "RNN",
            "Reciprocal",
            "ReduceL2",
            "ReduceLogSum",
            "ReduceLogSumExp",
            "ReduceMean",
            "RotaryEmbedding",
            "Round",
            "Selu",
            "Sigmoid",
            "Sin",
            "Sinh",
            "Softmax",
            "SoftmaxCrossEntropyLoss",
            "Softplus",
            "Softsign",
            "Sqrt",
            "Sum",
            "SwiGLU",
            "Swish",
            "Tan",
            "Tanh",
            "ThresholdedRelu",
        ],
    ),
    (
        0,
        Kind::Numbers,
        &[
            "Abs",
            "Add",
            "ArgMax",
            "ArgMin",
            "Clip",
            "CumProd",
            "CumSum",
            "Div",
            "Einsum",
            "Gemm",
            "Greater",
            "GreaterOrEqual",
            "Less",
            "LessOrEqual",
            "MatMul",
            "Max",
            "MaxPool",
            "Min",
            "Mod",
            "Mul",
            "OneHot",
            "PRelu",
            "Pow",
            "QuantizeLinear",
            "Range",
            "ReduceL1",
            "ReduceProd",
            "ReduceSum",
            "ReduceSumSquare",
            "Relu",
            "Sign",
            "Sub",
            "TopK",
        ],
    ),
    (0, Kind::Signed, &["Neg", "Shrink"]),
    (
        0,
        Kind::Integers,
        &[
            "BitShift",
            "BitwiseAnd",
            "BitwiseNot",
            "BitwiseOr",
            "BitwiseXor",
            "ConvInteger",
            "DequantizeLinear",
            "MatMulInteger",
            "QLinearConv",
            "QLinearMatMul",
        ],
    ),
    (0, Kind::TruthValues, &["And", "Not", "Or", "Where", "Xor"]),
    (
        1,
        Kind::Integers,
        &[
            "GatherElements",
            "GatherND",
            "NegativeLogLikelihoodLoss",
            "Scatter",
            "ScatterElements",
            "ScatterND",
            "SoftmaxCrossEntropyLoss",
        ],
    ),
    (1, Kind::Signed, &["NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"]),
    (1, Kind::TruthValues, &["Compress"]),
    (1, Kind::Floats, &["DequantizeLinear", "QLinearConv", "QLinearMatMul"]),
    (4, Kind::Floats, &["QLinearConv", "QLinearMatMul"]),
    (6, Kind::Floats, &["QLinearConv", "QLinearMatMul"]),
];

/// The inputs of operators that have the element type of the first one.
const SAME: [(&str, &[usize]); 11] = [
    ("CausalConvWithState", &[1, 2, 3]),
    ("Conv", &[1, 2]),
    ("ConvTranspose", &[1, 2]),
    ("GRU", &[1, 2, 3, 5]),
    ("LSTM", &[1, 2, 3, 5, 6, 7]),
    ("Pad", &[2]),
    ("RNN", &[1, 2, 3, 5]),
    ("Scatter", &[2]),
    ("ScatterElements", &[2]),
    ("ScatterND", &[2]),
    ("TensorScatter", &[1]),
];

/// Refuses element types that an operator does not have: what would be written for them does not compile.
pub fn check_elements(operator: &str, inputs: &[Option<Value<'_>>]) -> Reasoned<()> {
    let element = |input: usize| Some(inputs.get(input)?.as_ref()?.element);
    for (input, kind, _) in KINDS.iter().filter(|(_, _, operators)| operators.contains(&operator)) {
        let Some(element) = element(*input) else { continue };
        let (is_right, expected) = match kind {
            Kind::Floats => (element.is_float(), "floats"),
            Kind::Numbers => (element != Element::Bool, "numbers"),
            Kind::Signed => (element.is_signed(), "numbers with a sign"),
            Kind::Integers => (element.is_integer(), "integers"),
            Kind::TruthValues => (element == Element::Bool, "truth values"),
        };
        if !is_right {
            let found = element.name();
            return reason(format!("input {input} of type {found} instead of {expected}"));
        }
    }
    let same = SAME.iter().find(|(name, _)| *name == operator).map_or(&[][..], |(_, same)| same);
    for &input in same {
        if let (Some(first), Some(other)) = (element(0), element(input))
            && first != other
        {
            let (first, other) = (first.name(), other.name());
            return reason(format!("input {input} of type {other}, and input 0 of type {first}"));
        }
    }
    Ok(())
}

/// How the operator of this name is written.
pub fn row(operator: &str) -> Option<Lower> {
    let mut rows = TABLES.iter().flat_map(|table| table.iter());
    rows.find(|(name, _)| *name == operator).map(|row| row.1)
}

/// A node, with its inputs.
pub struct Call<'f, 'a> {
    pub f: &'f mut Function<'a>,
    pub node: &'f Node<'a>,
    pub opset: i64,
    pub inputs: Vec<Option<Value<'a>>>,
    /// How many nodes and outputs use each input.
    pub uses: Vec<usize>,
    /// Which outputs others use.
    pub needed: Vec<bool>,
    /// Tensors of attributes.
    pub tensor: &'f dyn Fn(&crate::proto::Tensor<'a>) -> Result<Known<'a>, String>,
}

impl<'a> Call<'_, 'a> {
    /// The name for the variable of the first output.
    fn hint(&self) -> &'a str {
        self.hint_of(0)
    }

    /// The name for the variable of an output: that of the operator if the output has a number.
    fn hint_of(&self, output: usize) -> &'a str {
        let name = self.node.outputs.get(output).copied().unwrap_or_default();
        let last = name.rsplit(['/', ':', '.']).next().unwrap_or_default();
        if last.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { self.node.operator }
    }

    /// An input.
    fn input(&self, index: usize) -> Reasoned<Value<'a>> {
        self.optional(index).ok_or_else(|| format!("it lacks input {index}").into())
    }

    /// An input that may be absent.
    fn optional(&self, index: usize) -> Option<Value<'a>> {
        self.inputs.get(index).cloned().flatten()
    }

    fn needs(&self, output: usize) -> bool {
        self.needed.get(output).copied().unwrap_or(false)
    }

    fn attribute(&self, name: &str) -> Option<&'_ Attribute<'a>> {
        self.node.attribute(name)
    }

    fn int(&self, name: &str, default: i64) -> i64 {
        self.node.int(name, default)
    }

    fn float(&self, name: &str, default: f64) -> f64 {
        // The shortest decimals of the float: 1e-5, not 9.99999974e-6.
        let decimal = |float: f32| float.to_string().parse().unwrap_or(f64::from(float));
        self.attribute(name).map_or(default, |attribute| decimal(attribute.float))
    }

    fn ints(&self, name: &str) -> Option<&[i64]> {
        self.node.ints(name)
    }

    fn text(&self, name: &str, default: &'static str) -> String {
        let text = self.attribute(name).map(|attribute| String::from_utf8_lossy(attribute.text));
        text.map_or(default.to_owned(), |text| text.into_owned())
    }

    fn axis(&self, axis: i64, rank: usize) -> Reasoned<usize> {
        axis_from_front(axis, rank)
    }

    fn axes(&self, axes: &[i64], rank: usize) -> Reasoned<Vec<usize>> {
        let mut all =
            axes.iter().map(|&axis| self.axis(axis, rank)).collect::<Reasoned<Vec<_>>>()?;
        all.sort_unstable();
        match all.windows(2).any(|pair| pair[0] == pair[1]) {
            true => reason("an axis that is named twice"),
            false => Ok(all),
        }
    }

    /// The error of an input whose elements have to be known.
    fn unknown(&self, index: usize, what: &str) -> Reason {
        let input = self.optional(index);
        let sources = input.iter().flat_map(|value| value.sources.iter().copied());
        let why = format!("{what} is known only at run time");
        Reason::at_run_time(why, sources, "export the model with it as a constant")
    }

    /// The elements of an input that are integers, or sizes of axes.
    fn syms(&self, index: usize, what: &str) -> Reasoned<Vec<Sym>> {
        let known = self.input(index)?.known.and_then(|known| known.as_ints());
        known.ok_or_else(|| self.unknown(index, what))
    }

    /// The elements of an input that are integers.
    fn known_ints(&self, index: usize, what: &str) -> Reasoned<Vec<i64>> {
        let syms = self.syms(index, what)?;
        let numbers: Option<Vec<i64>> = syms.iter().map(Sym::number).collect();
        numbers.ok_or_else(|| {
            Reason::new(
                format!("{what} depends on a size that is known only at run time"),
                "`--size NAME=NUMBER` fixes the size of an axis",
            )
        })
    }

    /// Integers of an attribute, or of an input of later versions.
    fn ints_or_input(&self, name: &str, index: usize) -> Reasoned<Option<Vec<i64>>> {
        match (self.ints(name), self.optional(index)) {
            (Some(ints), _) => Ok(Some(ints.to_vec())),
            (None, Some(_)) => self.known_ints(index, &format!("input `{name}`")).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// The elements of an input as numbers.
    fn known_numbers(&self, index: usize, what: &str) -> Reasoned<Vec<f64>> {
        let known = self.input(index)?.known.and_then(|known| known.numbers());
        known.ok_or_else(|| self.unknown(index, what))
    }

    /// The element type of this number.
    fn element(&self, number: i64) -> Reasoned<Element> {
        Element::of(number.cast_unsigned())
            .map_err(|name| format!("elements of type {name}, which Rust lacks").into())
    }

    /// A float of this element type as Rust writes it.
    fn literal(&self, element: Element, number: f64) -> String {
        match element.is_float() {
            true => element.float(number),
            false => element.integer(number as i64),
        }
    }
}

/// The number of an axis, counted from 0.
pub fn axis_from_front(axis: i64, rank: usize) -> Reasoned<usize> {
    let counted = if axis < 0 { axis.checked_add(rank as i64) } else { Some(axis) };
    match counted.and_then(|axis| usize::try_from(axis).ok()) {
        Some(axis) if axis < rank => Ok(axis),
        _ => reason(format!("axis {axis} of a tensor with {rank} axes")),
    }
}

/// The size of an axis, which has to be static.
fn static_size(dim: &Sym, what: &str) -> Reasoned<usize> {
    dim.size().ok_or_else(|| {
        Reason::new(
            format!("{what}, whose size is known only at run time"),
            "`--size NAME=NUMBER` fixes the size of an axis",
        )
    })
}

/// All sizes, which have to be static.
fn all_static(value: &Value<'_>, what: &str) -> Reasoned<Vec<usize>> {
    value.dims.iter().map(|dim| static_size(dim, what)).collect()
}
