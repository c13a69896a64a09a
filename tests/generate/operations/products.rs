//! Products of matrices and vectors, and what is written with them.

use super::{Attributes, literal, shape, shape_type};
use crate::corpus::Case;

pub fn expression(case: &Case) -> Option<Result<String, &'static str>> {
    Some(Ok(match case.op.as_str() {
        "matmul" => "a.matmul(&b)".to_owned(),
        "dot" => "a.dot(&b)".to_owned(),
        "outer" => "a.outer(&b)".to_owned(),
        "vecdot" => {
            // A row times a column, both with the same leading axes.
            "a.unsqueeze::<-2>().matmul(&b.unsqueeze::<-1>()).squeeze::<-1>().squeeze::<-1>()"
                .to_owned()
        }
        "linear" => match case.input("b") {
            Some(_) => "x.dot(&w.transpose()) + &b".to_owned(),
            None => "x.dot(&w.transpose())".to_owned(),
        },
        "gemm" => gemm(case),
        "einsum" => einsum(case),
        "attention" => attention(case),
        _ => return None,
    }))
}

/// The letters of an equation, with a space between two.
fn einsum(case: &Case) -> String {
    let equation = case.attrs["equation"].as_str().expect("an equation");
    let spaced = |text: &str| {
        let letters = text.replace("...", "&").replace(' ', "");
        letters
            .chars()
            .map(|letter| match letter {
                '&' => ".. ".to_owned(),
                ',' => ", ".to_owned(),
                letter => format!("{letter} "),
            })
            .collect::<String>()
    };
    let (operands, result) = equation.split_once("->").unwrap_or((equation, ""));
    let values = (0..case.inputs.len()).map(|number| format!("x{number}")).collect::<Vec<_>>();
    format!("einsum!({}-> {}; {})", spaced(operands), spaced(result), values.join(", "))
}

fn gemm(case: &Case) -> String {
    let factor = |name: &str| literal(case.number(name).unwrap(), &case.inputs[0].dtype);
    let side = |name: &str, transposed: bool| match transposed {
        true => format!("{name}.transpose()"),
        false => name.to_owned(),
    };
    let (a, b) = (side("a", case.flag("trans_a")), side("b", case.flag("trans_b")));
    let product = format!("{a}.dot(&{b}) * {}", factor("alpha"));
    match case.input("c") {
        Some(_) => format!("{product} + &c * {}", factor("beta")),
        None => product,
    }
}

fn attention(case: &Case) -> String {
    let (query, key) = (shape(case, "q"), shape(case, "k"));
    let [.., rows, features] = *query else { panic!("{}: the rank of q", case.id) };
    let columns = key[key.len() - 2];
    let scale = case.number("scale").unwrap_or((features as f64).sqrt().recip());
    let scores = format!("q.matmul(&k.transpose()) * {}", literal(scale, "f32"));
    let scores = match (case.input("mask").map(|mask| mask.dtype.as_str()), case.flag("causal")) {
        (Some("bool"), _) => format!("select(&mask, {scores}, f32::NEG_INFINITY)"),
        (Some(_), _) => format!("({scores} + &mask)"),
        (None, true) => {
            format!(
                "select(lower::<dim!({rows}), dim!({columns})>(0), {scores}, f32::NEG_INFINITY)"
            )
        }
        (None, false) => format!("({scores})"),
    };
    format!("{scores}.softmax::<-1>().matmul(&v)")
}

/// The shape of the product of the matrices of a refused case, for its relation.
pub fn transposed(case: &Case, name: &str) -> String {
    let mut shape = shape(case, name).to_vec();
    let last = shape.len() - 1;
    shape.swap(last - 1, last);
    shape_type(&shape)
}
