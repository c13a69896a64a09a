//! Losses.

use super::indices::take_along;
use super::{Call, Lower, reason};
use crate::function::Value;
use crate::reason::Reasoned;
use crate::sym::Sym;

pub const TABLE: &[(&str, Lower)] = &[
    ("NegativeLogLikelihoodLoss", |call| {
        let x = call.input(0)?;
        Ok(vec![loss(call, &x)?])
    }),
    ("SoftmaxCrossEntropyLoss", |call| {
        let x = call.input(0)?;
        let hint = if call.needs(1) { call.hint_of(1) } else { "log_probabilities" };
        let log_probabilities = call.f.along(hint, "log_softmax", &x, 1)?;
        Ok(vec![loss(call, &log_probabilities)?, log_probabilities])
    }),
];

/// Minus the logarithms of probabilities of the targets, `[n, c, ..d], [n, ..d] → [n, ..d]`, and their mean or sum.
fn loss<'a>(call: &mut Call<'_, 'a>, x: &Value<'a>) -> Reasoned<Value<'a>> {
    let (mut targets, weight) = (call.input(1)?, call.optional(2));
    let (zero, one) = (call.number(x.element, 0.0), call.number(x.element, 1.0));
    let mut is_ignored = None;
    if let Some(ignored) = call.attribute("ignore_index").map(|attribute| attribute.int) {
        let ignored = Value::known(crate::known::Known {
            element: targets.element,
            sizes: Vec::new(),
            data: crate::known::Data::Ints(vec![Sym::from(ignored)]),
        });
        let mask = call.f.method("is_ignored", "equal", &targets, &ignored)?;
        let first = call.number(targets.element, 0.0);
        targets = call.f.select("targets", &mask, &first, &targets)?;
        is_ignored = Some(mask);
    }
    let mut weights = match &weight {
        Some(weight) => Some(call.f.take("weights", weight, 0, &targets)?),
        None => None,
    };
    if let Some(mask) = &is_ignored {
        let kept = weights.as_ref().unwrap_or(&one);
        weights = Some(call.f.select("weights", mask, &zero, kept)?);
    }
    let places = call.f.unsqueeze("places", &targets, &[1])?;
    let picked = take_along(call, "picked", x, &places, 1)?;
    let picked = call.f.squeeze("picked", &picked, &[1])?;
    let mut losses = call.f.unary("losses", "-", &picked)?;
    if let Some(weights) = &weights {
        losses = call.f.mul("losses", &losses, weights)?;
    }
    let axes: Vec<usize> = (0..losses.rank()).collect();
    match (&call.text("reduction", "mean")[..], &weights) {
        ("none", _) => Ok(losses),
        ("sum", _) => call.f.reduce(call.hint(), "sum", &losses, &axes, false),
        ("mean", None) => call.f.reduce(call.hint(), "mean", &losses, &axes, false),
        ("mean", Some(weights)) => {
            let sum = call.f.reduce("sum", "sum", &losses, &axes, false)?;
            let count = call.f.reduce("count", "sum", weights, &axes, false)?;
            call.f.div(call.hint(), &sum, &count)
        }
        (other, _) => reason(format!("a reduction {other:?}")),
    }
}
