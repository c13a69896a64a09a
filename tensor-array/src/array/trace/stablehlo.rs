//! Programs as text of StableHLO.
//!
//! Specification: <https://openxla.org/stablehlo/spec>. The text uses the generic form of operations,
//! `"stablehlo.add"(%a, %b) : (types) -> type`, which is the same for all of them.

mod builder;
mod expression;
mod indexing;
mod moves;
mod products;
mod windows;

use super::Op;
use super::program::{Argument, Calculation, Graph};
use crate::ops::AxisParams;
use builder::{Builder, Tensor};

/// The text of a program without its operations, in the syntax of MLIR: operations of the module before the
/// function `main`, and attributes of arguments and results.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_core::trace::{Attributes, trace};
///
/// let program = trace(&tensor![1.0_f32, 2.0], |x| x.exp());
/// let rows = r#"sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>"#;
/// let attributes = Attributes {
///     module: vec![r#"sdy.mesh @mesh = <["data"=2]>"#.to_owned()],
///     inputs: vec![vec![rows.to_owned()]],
///     outputs: vec![vec![rows.to_owned()]],
/// };
/// let text = program.to_stablehlo_with(&attributes);
/// assert!(text.contains(r#"%arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}"#));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// Operations before the function.
    pub module: Vec<String>,
    /// The attributes of each input; inputs behind the end of the list have none.
    pub inputs: Vec<Vec<String>>,
    /// The attributes of each output; outputs behind the end of the list have none.
    pub outputs: Vec<Vec<String>>,
}

/// A type with the attributes of the argument or result of this number.
fn with_attributes(ty: &str, attributes: &[Vec<String>], number: usize) -> String {
    match attributes.get(number).map_or(&[][..], Vec::as_slice) {
        [] => ty.to_owned(),
        attributes => format!("{ty} {{{}}}", attributes.join(", ")),
    }
}

/// The text of a program with these attributes.
pub fn lower(graph: &Graph, attributes: &Attributes) -> String {
    let mut builder = Builder::new();
    let mut values: Vec<Tensor> = Vec::new();
    for (number, input) in graph.inputs.iter().enumerate() {
        values.push(Tensor::new(format!("%arg{number}"), &input.sizes, input.element.name));
    }
    let argument = |(number, value): (usize, &Tensor)| {
        format!("{}: {}", value.name, with_attributes(&value.ty(), &attributes.inputs, number))
    };
    let arguments: Vec<String> = values.iter().enumerate().map(argument).collect();
    for step in &graph.steps {
        let operands: Vec<Tensor> =
            step.operands.iter().map(|operand| read(&mut builder, operand, &values)).collect();
        values.push(lower_step(&mut builder, step, &operands));
    }
    let outputs: Vec<Tensor> =
        graph.outputs.iter().map(|output| read(&mut builder, output, &values)).collect();
    builder.finish(&arguments, &outputs, attributes)
}

/// The tensor that a step reads.
fn read(builder: &mut Builder, argument: &Argument, values: &[Tensor]) -> Tensor {
    match argument {
        Argument::Constant(array) => builder.constant_of(array),
        Argument::Value { number, sizes, view: None } => builder.reshape(&values[*number], sizes),
        Argument::Value { number, sizes, view: Some((offset, strides)) } => {
            builder.view(&values[*number], sizes, *offset, strides)
        }
    }
}

/// The result of a step.
fn lower_step(builder: &mut Builder, step: &Calculation, x: &[Tensor]) -> Tensor {
    let (sizes, element) = (&step.result.sizes[..], step.result.element.name);
    let result = match &step.op {
        Op::Input(_) => unreachable!("inputs are no steps"),
        Op::Same => x[x.len() - 1].clone(),
        Op::Row(row) => expression::elementwise(builder, row.stablehlo, x, sizes, element),
        Op::Powi(power) => builder.integer_power(&x[0], *power),
        Op::Clamp => {
            expression::elementwise(builder, "minimum(maximum(x, y), z)", x, sizes, element)
        }
        Op::Select => expression::elementwise(builder, "select(x, y, z)", x, sizes, element),
        Op::Cast => builder.convert(&x[0], element),
        Op::Reduce { row, axes, correction } => expression::along(
            builder,
            row.stablehlo,
            &x[0],
            axes,
            AxisParams { correction: *correction, ..AxisParams::default() },
            sizes,
            element,
        ),
        Op::AlongAxis { row, axis, params } => {
            expression::along(builder, row.stablehlo, &x[0], &[*axis], *params, sizes, element)
        }
        Op::Matmul => builder.matmul(&x[0], &x[1], sizes),
        Op::Linear => {
            let weight = builder.transpose(&x[1], &[1, 0]);
            let product = builder.matmul(&x[0], &weight, sizes);
            let bias = builder.broadcast(&x[2], sizes);
            builder.binary("add", &product, &bias)
        }
        Op::Outer => {
            let column = builder.reshape(&x[0], &[x[0].sizes[0], 1]);
            let (a, b) = (builder.broadcast(&column, sizes), builder.broadcast(&x[1], sizes));
            builder.binary("multiply", &a, &b)
        }
        Op::Concat { axis } => builder.concat(x, *axis, sizes),
        Op::Stack { axis } => {
            let mut of_part = sizes.to_vec();
            of_part[*axis] = 1;
            let parts: Vec<Tensor> = x.iter().map(|part| builder.reshape(part, &of_part)).collect();
            builder.concat(&parts, *axis, sizes)
        }
        Op::Pad(amounts, fill) => {
            let fill = builder.constant_of(fill);
            builder.pad(&x[0], &fill, amounts, sizes)
        }
        Op::AssignSlice(plan) => builder.assign_slice(&x[0], &x[1], plan),
        Op::AddStrided { len, offset, strides } => {
            builder.add_strided(&x[0], *len, *offset, strides)
        }
        Op::Take { axis } => builder.take(&x[0], &x[1], *axis, sizes),
        Op::Order { axis, descending } => {
            let order = builder.order(&x[0], *axis, *descending);
            builder.slice(&order, &vec![0; sizes.len()], sizes)
        }
        Op::TakeAlong { axis } => builder.take_along(&x[0], &x[1], *axis),
        Op::Scatter { axis, combine } => builder.scatter(&x[0], &x[2], &x[1], *axis, *combine),
        Op::IndexRows { axis, add } => builder.index_rows(&x[0], &x[2], &x[1], *axis, *add),
        Op::Convolve(plan) => builder.convolve(plan, &x[0], &x[1]),
        Op::ConvolveWeights(plan) => builder.convolve_weights(plan, &x[0], &x[1], sizes),
        Op::MaxPool(plan) => builder.max_pool(plan, &x[0]),
        Op::MaxUnpool(plan) => builder.max_unpool(plan, &x[0], &x[1]),
        Op::AvgPool(plan) => builder.avg_pool(plan, &x[0]),
        Op::AvgUnpool(plan) => builder.avg_unpool(plan, &x[0], sizes),
        Op::CrossEntropy => {
            let (axis, of) = (x[0].rank() - 1, x[0].sizes.clone());
            let row = "d = subtract(x, peak(x)); negate(subtract(d, log(sum(exponential(d)))))";
            let none = AxisParams::default();
            let losses = expression::along(builder, row, &x[0], &[axis], none, &of, element);
            let mut of_column = sizes.to_vec();
            of_column.push(1);
            let classes = builder.reshape(&x[1], &of_column);
            builder.take_along(&losses, &classes, axis)
        }
        Op::Resize(plan) => builder.resize(plan, &x[0], sizes),
        Op::ResizeTransposed(plan) => builder.resize_transposed(plan, &x[0], sizes),
        Op::Recurrence { axis } => expression::recurrence(builder, &x[0], &x[1], *axis),
        Op::MaxPick(plan) => builder.max_pick(plan, &x[0], &x[1]),
    };
    builder.reshape(&result, sizes)
}
