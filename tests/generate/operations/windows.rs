//! Convolution and pooling.

use super::{Attributes, rank, shape, shape_type};
use crate::corpus::Case;

pub fn expression(case: &Case) -> Option<Result<String, &'static str>> {
    let op = case.op.as_str();
    if !["conv", "conv_transpose", "max_pool", "avg_pool"].contains(&op) {
        return None;
    }
    if let Some(reason) = padding_above_half(case) {
        return Some(Err(reason));
    }
    let method = format!("{op}{}d", rank(case) - 2);
    Some(Ok(match op {
        "conv" | "conv_transpose" => {
            let axes = ".unsqueeze::<-1>()".repeat(case.outputs()[0].shape.len() - 2);
            let bias = case.input("b").map_or_else(String::new, |_| format!(" + b{axes}"));
            format!("x.{method}(&w, {}){bias}", options(case))
        }
        _ => format!("x.{method}({})", options(case)),
    }))
}

/// Why a pooling of ONNX or TensorFlow is left out that pads more than PyTorch takes.
pub fn padding_above_half(case: &Case) -> Option<&'static str> {
    let kernel = case.list("kernel").filter(|_| case.op.ends_with("_pool"))?;
    let (dilations, padding) = (list(case, "dilations"), padding(case));
    let is_above =
        kernel.iter().zip(&dilations).zip(padding.chunks(2)).any(|((window, dilation), sides)| {
            sides.iter().any(|side| 2 * side > (window - 1) * dilation + 1)
        });
    is_above.then_some("the padding of a pooling is at most half of its window")
}

/// Why a refused case is left out.
pub fn reason(case: &Case) -> Option<&'static str> {
    let is_negative = |name: &str| case.list(name).is_some_and(|list| list.iter().any(|&n| n < 0));
    match case.op.as_str() {
        "conv" | "max_pool" | "avg_pool" if is_negative("strides") || is_negative("dilations") => {
            Some("a stride and a dilation are no negative numbers")
        }
        _ => None,
    }
}

/// What decides about a refused case: a number that is no stride, window or number of groups; else the
/// shapes with the options as a type.
pub fn relation(case: &Case) -> Option<String> {
    let is_convolution = match case.op.as_str() {
        "conv" => true,
        "max_pool" | "avg_pool" => false,
        _ => return None,
    };
    if reason(case).is_some() || !case.ok {
        let lists = ["kernel", "strides", "dilations"].map(|name| case.list(name));
        let groups = case.integer("groups").unwrap_or(1);
        let mut numbers = lists.into_iter().flatten().flatten().chain([groups]);
        if let Some(number) = numbers.find(|number| !(1..10_000).contains(number)) {
            return Some(format!("Steps<{number}>"));
        }
    }
    let (x, options) = (shape_type(shape(case, "x")), options_type(case));
    if !is_convolution {
        return Some(format!("Pools<{x}, {options}>"));
    }
    let convolves = format!("Convolves<{x}, {}, {options}>", shape_type(shape(case, "w")));
    // Of the cases that are refused for their bias, the convolution holds.
    match (case.ok, case.input("b")) {
        (false, Some(b)) if b.shape[0] != shape(case, "w")[0] => {
            let ones = [&b.shape[..], &vec![1; shape(case, "x").len() - 2]].concat();
            let mut result = shape(case, "x").to_vec();
            result[1] = shape(case, "w")[0];
            for (size, window) in result[2..].iter_mut().zip(&shape(case, "w")[2..]) {
                *size = *size + 1 - window;
            }
            Some(format!("Expands<{}, {}>", shape_type(&ones), shape_type(&result)))
        }
        _ => Some(convolves),
    }
}

fn list(case: &Case, name: &str) -> Vec<isize> {
    case.list(name).unwrap_or_else(|| panic!("{}: no `{name}`", case.id))
}

fn padding(case: &Case) -> Vec<isize> {
    let sides = case.attrs["pads"].as_array().unwrap().iter();
    let sides = sides.flat_map(|pair| pair.as_array().unwrap());
    sides.map(|side| side.as_i64().unwrap() as isize).collect()
}

/// `1, 2`
fn joined(numbers: &[isize]) -> String {
    numbers.iter().map(isize::to_string).collect::<Vec<_>>().join(", ")
}

/// `Conv2dOptions::new().stride::<2>().padding::<1>()`, as short as it can be written.
fn options(case: &Case) -> String {
    let axes = list(case, "strides").len();
    let all = |numbers: &[isize]| numbers.iter().all(|number| number == &numbers[0]);
    let mut options = match case.op.as_str() {
        "conv" | "conv_transpose" => format!("Conv{axes}dOptions::new()"),
        _ => {
            let kernel = list(case, "kernel");
            match all(&kernel) {
                true => format!("Pool{axes}dOptions::new::<{}>()", kernel[0]),
                false => format!("Pool{axes}dOptions::sizes::<{}>()", joined(&kernel)),
            }
        }
    };
    let mut add = |one: &str, each: &str, numbers: &[isize], default: &[isize]| {
        if numbers == default {
        } else if all(numbers) && !one.is_empty() {
            options += &format!(".{one}::<{}>()", numbers[0]);
        } else {
            options += &format!(".{each}::<{}>()", joined(numbers));
        }
    };
    let ones = vec![1; axes];
    let kernel = case.list("kernel");
    add("stride", "strides", &list(case, "strides"), kernel.as_deref().unwrap_or(&ones));
    let of_pools = if case.input("w").is_none() && axes >= 2 { "" } else { "dilation" };
    add(of_pools, "dilations", &list(case, "dilations"), &ones);
    add("padding", "padding_sides", &padding(case), &vec![0; 2 * axes]);
    if let Some(added) = case.list("output_padding") {
        add("output_padding", "", &added, &vec![0; axes]);
    }
    if let Some(groups) = case.integer("groups").filter(|&groups| groups != 1) {
        options += &format!(".groups::<{groups}>()");
    }
    if case.flag("ceil_mode") {
        options += ".ceil_mode()";
    }
    if case.op == "avg_pool" && !case.flag("count_include_pad") {
        options += ".count_include_pad(false)";
    }
    options
}

/// `Conv1dOptions<Slide<dim!(2), Pads<dim!(1), dim!(1)>, dim!(1)>, dim!(1)>`
fn options_type(case: &Case) -> String {
    let (strides, dilations) = (list(case, "strides"), list(case, "dilations"));
    let padding = padding(case);
    let slides = strides.iter().zip(&dilations).zip(padding.chunks(2));
    let slides: Vec<_> = slides
        .map(|((stride, dilation), sides)| {
            let [before, after] = [sides[0], sides[1]];
            format!("Slide<dim!({stride}), Pads<dim!({before}), dim!({after})>, dim!({dilation})>")
        })
        .collect();
    let (axes, slides) = (strides.len(), slides.join(", "));
    match case.list("kernel") {
        None => format!("Conv{axes}dOptions<{slides}, dim!({})>", case.integer("groups").unwrap()),
        Some(kernel) => {
            let kernel: Vec<_> = kernel.iter().map(|size| format!("dim!({size})")).collect();
            let rounding = if case.flag("ceil_mode") { "RoundUp" } else { "RoundDown" };
            format!("Pool{axes}dOptions<{}, {slides}, {rounding}>", kernel.join(", "))
        }
    }
}
