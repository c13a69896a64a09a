//! Operations on windows.

use std::error::Error;

use tensor_core::element::Number;
use tensor_core::windows::{ConvOptions, PoolOptions};
use tensor_core::{DynTensor, Float};

use crate::Results;
use crate::computed::Written;
use crate::corpus::Case;
use crate::operands::{Operands, one};

/// Cases whose padding PyTorch refuses, and ONNX and TensorFlow do not.
pub fn left_out(case: &Case) -> Option<&'static str> {
    let windows = case.list("kernel").filter(|_| case.ok && case.op.ends_with("_pool"))?;
    let options = case.list("dilations")?.into_iter().zip(padding(case).ok()?);
    let is_above = |(size, (dilation, (before, after))): (isize, (isize, (usize, usize)))| {
        2 * before.max(after) > ((size - 1) * dilation + 1).unsigned_abs()
    };
    let is_above = windows.into_iter().zip(options).any(is_above);
    is_above.then_some("the padding of a pooling is at most half of its window")
}

pub fn numbers<T: Written + Number>(x: &Operands<'_, T>) -> Results {
    match x.op() {
        "conv" | "conv_transpose" => convolution(x),
        "max_pool" => {
            let (input, options) = (x.get("x"), pool(x.case)?);
            one(match input.rank() {
                3 => input.max_pool1d(&options),
                4 => input.max_pool2d(&options),
                _ => input.max_pool(&options),
            })
        }
        _ => Ok(None),
    }
}

pub fn floats<T: Written + Float>(x: &Operands<'_, T>) -> Results {
    match x.op() {
        "avg_pool" => {
            let (input, options) = (x.get("x"), pool(x.case)?);
            let options = options.count_include_pad(x.case.flag("count_include_pad"));
            one(match input.rank() {
                3 => input.avg_pool1d(&options),
                4 => input.avg_pool2d(&options),
                _ => input.avg_pool(&options),
            })
        }
        _ => Ok(None),
    }
}

fn convolution<T: Written + Number>(x: &Operands<'_, T>) -> Results {
    let (input, weights) = (x.get("x"), x.get("w"));
    let case = x.case;
    let options = ConvOptions::new()
        .stride(&sizes(case, "strides")?)
        .dilation(&sizes(case, "dilations")?)
        .padding_sides(&padding(case)?)
        .groups(case.integer("groups").unwrap().try_into()?);
    let result = if x.op() == "conv_transpose" {
        let options = options.output_padding(&sizes(case, "output_padding")?);
        match input.rank() {
            3 => input.conv_transpose1d(&weights, &options),
            4 => input.conv_transpose2d(&weights, &options),
            _ => input.conv_transpose(&weights, &options),
        }
    } else {
        match input.rank() {
            3 => input.conv1d(&weights, &options),
            4 => input.conv2d(&weights, &options),
            _ => input.conv(&weights, &options),
        }
    }?;
    if !x.has("b") {
        return one(Ok(result));
    }
    // The bias is for channels, and does not stretch the result.
    let bias: DynTensor<T> =
        (2..result.rank()).try_fold(x.get("b"), |bias, _| bias.unsqueeze(-1))?;
    one((&result + &bias)?.expand(result.sizes()))
}

fn pool(case: &Case) -> Result<PoolOptions, Box<dyn Error>> {
    Ok(PoolOptions::new(&sizes(case, "kernel")?)
        .stride(&sizes(case, "strides")?)
        .dilation(&sizes(case, "dilations")?)
        .padding_sides(&padding(case)?)
        .ceil_mode(case.flag("ceil_mode")))
}

fn sizes(case: &Case, name: &str) -> Result<Vec<usize>, Box<dyn Error>> {
    let list = case.list(name).unwrap_or_else(|| panic!("{}: no `{name}`", case.id));
    Ok(list.into_iter().map(usize::try_from).collect::<Result<_, _>>()?)
}

fn padding(case: &Case) -> Result<Vec<(usize, usize)>, Box<dyn Error>> {
    let pairs = case.pairs("pads").unwrap().into_iter();
    pairs.map(|(before, after)| Ok((before.try_into()?, after.try_into()?))).collect()
}
