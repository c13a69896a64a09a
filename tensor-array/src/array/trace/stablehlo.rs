//! Programs as text of StableHLO.
//!
//! Specification: <https://openxla.org/stablehlo/spec>. The text uses the generic form of operations,
//! `"stablehlo.add"(%a, %b) : (types) -> type`, which is the same for all of them.

pub(crate) mod builder;
pub(crate) mod expression;
mod indexing;
mod moves;
mod products;
pub(crate) mod rows;
pub(crate) mod scans;
mod windows;

use tensor_kernels::layout::is_traced;

use super::op::{LoweredStep, Op};
use super::program::{Argument, Graph, stored};
use crate::array::history::AnyArray;
pub use builder::Attributes;
use builder::{Builder, Tensor, with_attributes};

/// The text of a program with these attributes.
///
/// # Panics
///
/// If the program captures a tensor of another one.
#[track_caller]
pub fn lower(graph: &Graph, attributes: &Attributes) -> String {
    lower_by(Builder::new(), graph, attributes).0
}

/// [`lower`] with large constants as inputs after those of the program, and their elements.
#[track_caller]
pub fn lower_without_large_constants(
    graph: &Graph,
    attributes: &Attributes,
) -> (String, Vec<Vec<u8>>) {
    let mut builder = Builder::new();
    builder.large = Some(Vec::new());
    lower_by(builder, graph, attributes)
}

#[track_caller]
fn lower_by(
    mut builder: Builder,
    graph: &Graph,
    attributes: &Attributes,
) -> (String, Vec<Vec<u8>>) {
    builder.module.clone_from(&attributes.module);
    let mut values: Vec<Tensor> = Vec::new();
    for (number, input) in graph.inputs.iter().enumerate() {
        values.push(Tensor::new(format!("%arg{number}"), &input.sizes, input.element.name));
    }
    let mut arguments = values.clone();
    let outputs = outputs(&mut builder, graph, values, None);
    let (constants, elements): (Vec<Tensor>, _) =
        builder.large.take().unwrap_or_default().into_iter().unzip();
    arguments.extend(constants);
    let argument = |(number, value): (usize, &Tensor)| {
        format!("{}: {}", value.name, with_attributes(&value.ty(), &attributes.inputs, number))
    };
    let arguments: Vec<String> = arguments.iter().enumerate().map(argument).collect();
    (builder.finish(&arguments, &outputs, attributes), elements)
}

/// The steps of a program with these inputs, and its outputs. What it captures has these values, if they are given; else
/// they are constants.
#[track_caller]
pub(crate) fn outputs(
    builder: &mut Builder,
    graph: &Graph,
    inputs: Vec<Tensor>,
    captures: Option<&[Tensor]>,
) -> Vec<Tensor> {
    let (mut values, mut captures) = (inputs, captures.map(|captures| captures.iter()));
    for step in &graph.steps {
        if let (Op::Captured, Some(captures)) = (&step.op, &mut captures) {
            values.push(captures.next().expect("one for each that is captured").clone());
            continue;
        }
        let x: Vec<Tensor> =
            step.operands.iter().map(|operand| read(builder, operand, &values)).collect();
        if let Op::Call(call) = &step.op {
            values.extend(call.lower(builder, &x));
            continue;
        }
        let (sizes, element) = (&step.results[0].sizes[..], step.results[0].element.name);
        // XLA refuses some operations without results, such as a gather.
        let result = match sizes.contains(&0) {
            true => builder.number(0.0, sizes, element),
            false => step.op.lower(&mut LoweredStep { builder, x: &x, sizes, element }),
        };
        values.push(builder.reshape(&result, sizes));
    }
    graph.outputs.iter().map(|output| read(builder, output, &values)).collect()
}

/// The elements of an array.
pub(crate) fn constant(builder: &mut Builder, array: &AnyArray) -> Tensor {
    let (stored, element) = (stored(array), array.element());
    let elements =
        builder.dense(&stored.to_le_bytes(), element.bytes, stored.sizes(), element.name);
    builder.broadcast(&elements, array.sizes())
}

/// The tensor that a step reads.
#[track_caller]
fn read(builder: &mut Builder, argument: &Argument, values: &[Tensor]) -> Tensor {
    match argument {
        Argument::Constant(array) => {
            assert!(
                !is_traced(array.layout()),
                "the program captures a tensor of another program, which has no elements: run it within the function \
                 of that one, or give it the tensor as an input"
            );
            constant(builder, array)
        }
        Argument::Value { number, sizes, view: None } => builder.reshape(&values[*number], sizes),
        Argument::Value { number, sizes, .. } if sizes.contains(&0) => {
            builder.number(0.0, sizes, values[*number].element)
        }
        Argument::Value { number, sizes, view: Some((offset, strides)) } => {
            builder.view(&values[*number], sizes, *offset, strides)
        }
    }
}
