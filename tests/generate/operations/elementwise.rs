//! Operations on every element, of one tensor or of several that broadcast.

use super::{Attributes, literal};
use crate::corpus::Case;

pub fn expression(case: &Case) -> Option<Result<String, &'static str>> {
    if case.op == "pow" && !case.inputs[0].dtype.starts_with('f') {
        let dtype = &case.inputs[0].dtype;
        return Some(Ok(format!("zip_with(&a, b.cast::<u32>(), {dtype}::wrapping_pow)")));
    }
    binary(&case.op)
        .map(str::to_owned)
        .or_else(|| unary(&case.op).map(str::to_owned))
        .or_else(|| activation(case))
        .or_else(|| many(case))
        .map(Ok)
}

fn binary(op: &str) -> Option<&'static str> {
    Some(match op {
        "add" => "&a + &b",
        "sub" => "&a - &b",
        "mul" => "&a * &b",
        "div" => "&a / &b",
        "fmod" => "&a % &b",
        "mod" => "a.remainder(&b)",
        "floor_div" => "a.floor_divide(&b)",
        "pow" => "a.pow(&b)",
        "atan2" => "a.atan2(&b)",
        "min" => "a.minimum(&b)",
        "max" => "a.maximum(&b)",
        "eq" => "a.equal(&b)",
        "ne" => "a.not_equal(&b)",
        "lt" => "a.less(&b)",
        "le" => "a.less_equal(&b)",
        "gt" => "a.greater(&b)",
        "ge" => "a.greater_equal(&b)",
        "and" => "&a & &b",
        "or" => "&a | &b",
        "xor" => "&a ^ &b",
        "prelu" => "select(a.greater_equal(0.0), &a, &a * &b)",
        _ => return None,
    })
}

fn unary(op: &str) -> Option<&'static str> {
    Some(match op {
        "neg" => "-&x",
        "not" => "!&x",
        "abs" => "x.abs()",
        "exp" => "x.exp()",
        "expm1" => "x.exp_m1()",
        "log" => "x.ln()",
        "log1p" => "x.ln_1p()",
        "sqrt" => "x.sqrt()",
        "rsqrt" => "x.rsqrt()",
        "reciprocal" => "x.reciprocal()",
        "square" => "x.square()",
        "sign" => "x.sign()",
        "relu" => "x.relu()",
        "sigmoid" => "x.sigmoid()",
        "silu" => "x.silu()",
        "softplus" => "x.softplus()",
        "softsign" => "&x / (x.abs() + 1.0)",
        "erf" => "x.erf()",
        "sin" => "x.sin()",
        "cos" => "x.cos()",
        "tan" => "x.tan()",
        "asin" => "x.asin()",
        "acos" => "x.acos()",
        "atan" => "x.atan()",
        "sinh" => "x.sinh()",
        "cosh" => "x.cosh()",
        "tanh" => "x.tanh()",
        "asinh" => "x.asinh()",
        "acosh" => "x.acosh()",
        "atanh" => "x.atanh()",
        "floor" => "x.floor()",
        "ceil" => "x.ceil()",
        "round" => "x.round()",
        "trunc" => "x.trunc()",
        "isnan" => "x.is_nan()",
        _ => return None,
    })
}

/// Operations with numbers as attributes.
fn activation(case: &Case) -> Option<String> {
    let dtype = &case.inputs[0].dtype;
    let number = |name: &str| case.number(name).map(|value| literal(value, dtype));
    let alpha = || number("alpha").unwrap();
    Some(match case.op.as_str() {
        "clip" => match (number("min"), number("max")) {
            (Some(min), Some(max)) => format!("x.clamp({min}, {max})"),
            (Some(min), None) => format!("x.maximum({min})"),
            (None, Some(max)) => format!("x.minimum({max})"),
            (None, None) => "x.clone()".to_owned(),
        },
        "gelu" => match case.attrs["approximate"].as_str() {
            Some("tanh") => "x.gelu_tanh()".to_owned(),
            _ => "x.gelu()".to_owned(),
        },
        "leaky_relu" => format!("select(x.greater_equal(0.0), &x, &x * {})", alpha()),
        "elu" => format!("select(x.greater(0.0), &x, x.exp_m1() * {})", alpha()),
        "selu" => {
            let gamma = number("gamma").unwrap();
            format!("select(x.greater(0.0), &x, x.exp_m1() * {}) * {gamma}", alpha())
        }
        "thresholded_relu" => {
            format!("select(x.greater({}), &x, {})", alpha(), literal(0.0, dtype))
        }
        "hard_sigmoid" => {
            let beta = number("beta").unwrap();
            format!("(&x * {} + {beta}).clamp(0.0, 1.0)", alpha())
        }
        "masked_fill" => format!("select(&mask, {}, &x)", number("value").unwrap()),
        _ => return None,
    })
}

/// Operations on three tensors or any number of them.
fn many(case: &Case) -> Option<String> {
    let fold = |method: &str| {
        let rest = (1..case.inputs.len()).map(|number| format!(".{method}(&x{number})"));
        format!("x0.clone(){}", rest.collect::<String>())
    };
    let sum = || (0..case.inputs.len()).map(|number| format!("&x{number}")).collect::<Vec<_>>();
    Some(match (case.op.as_str(), case.inputs.len()) {
        ("where", _) => "select(&cond, &x, &y)".to_owned(),
        ("clamp", 3) => "x.clamp(&min, &max)".to_owned(),
        ("clamp", 2) if case.input("min").is_some() => "x.maximum(&min)".to_owned(),
        ("clamp", 2) => "x.minimum(&max)".to_owned(),
        ("min_n", _) => fold("minimum"),
        ("max_n", _) => fold("maximum"),
        ("add_n", 1) => "x0.clone()".to_owned(),
        ("add_n", _) => sum().join(" + "),
        ("mean_n", 1) => "x0.clone()".to_owned(),
        ("mean_n", count) => format!("({}) / {count:?}.0", sum().join(" + ")),
        _ => return None,
    })
}
