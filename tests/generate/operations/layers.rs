//! Normalisation, written with other operations.

use super::reductions::axes_from;
use super::{Attributes, literal, rank, shape, shape_type};
use crate::corpus::Case;

/// One expression for each result.
pub fn expressions(case: &Case) -> Option<Vec<String>> {
    let typed = literal(case.number("eps")?, &case.inputs[0].dtype);
    let eps = format!("{:?}", case.number("eps")?);
    Some(match case.op.as_str() {
        "layer_norm" => layer_norm(case, &typed),
        "rms_norm" => {
            let (x, result) = (joined(case), shape_type(shape(case, "x")));
            vec![format!("{x}.rms_norm::<-1>({eps}).reshape::<{result}>(){}", scaled(case))]
        }
        "batch_norm" => {
            vec![format!("x.batch_norm::<1>(&mean, &var, {eps}){}", channels(case))]
        }
        "instance_norm" => {
            vec![format!("x.instance_norm::<1>({eps}){}", channels(case))]
        }
        "group_norm" => {
            let groups = case.integer("groups")?;
            vec![format!("x.group_norm::<1, {groups}>({eps}){}", channels(case))]
        }
        _ => return None,
    })
}

/// The normalised elements, and where the case has them, the means and the reciprocal deviations.
fn layer_norm(case: &Case, eps: &str) -> Vec<String> {
    let x = joined(case);
    let normalised = format!("layer_norm(&{x}, {eps})");
    let mean = format!("{x}.mean_axis_keepdims::<-1>()");
    let deviation = format!("({x}.var_axis_keepdims::<-1>() + {eps}).rsqrt()");
    let expressions = [normalised, mean, deviation].into_iter().zip(case.outputs());
    let mut expressions: Vec<_> = expressions
        .map(|(expression, output)| {
            format!("{expression}.reshape::<{}>()", shape_type(&output.shape))
        })
        .collect();
    expressions[0].push_str(&scaled(case));
    expressions
}

/// The axes that are normalised, made one.
fn joined(case: &Case) -> String {
    let axis = case.integer("axis").unwrap().rem_euclid(rank(case));
    let (lead, last) = shape(case, "x").split_at(axis.unsigned_abs());
    let mut joined = lead.to_vec();
    joined.push(last.iter().product());
    format!("x.reshape::<{}>()", shape_type(&joined))
}

/// ` * &scale + &bias`, where the case has them.
fn scaled(case: &Case) -> String {
    let written = |name: &str, operator: &str| match case.input(name) {
        Some(_) => format!(" {operator} &{name}"),
        None => String::new(),
    };
    written("scale", "*") + &written("bias", "+")
}

/// An input of one number for each channel, with axes of size 1 for what follows the channels.
fn channel(case: &Case, name: &str) -> String {
    let ones = axes_from(2, rank(case)).iter().map(|_| ".unsqueeze::<-1>()").collect::<String>();
    format!("{name}{ones}")
}

fn channels(case: &Case) -> String {
    format!(" * {} + {}", channel(case, "scale"), channel(case, "bias"))
}
