//! Operations on every element, of one tensor or of several that broadcast.

use tensor_core::element::{Bits, Number, Signed};
use tensor_core::{DynTensor, Float};

use crate::Results;
use crate::computed::Written;
use crate::operands::{Operands, one, scalar};

/// Operations that need no arithmetic.
pub fn elements<T: Written>(x: &Operands<'_, T>) -> Results {
    let operand = |name| x.get(name);
    match x.op() {
        "eq" => one(operand("a").equal(&operand("b"))),
        "ne" => one(operand("a").not_equal(&operand("b"))),
        "lt" => one(operand("a").less(&operand("b"))),
        "le" => one(operand("a").less_equal(&operand("b"))),
        "gt" => one(operand("a").greater(&operand("b"))),
        "ge" => one(operand("a").greater_equal(&operand("b"))),
        "where" => one(x.of::<bool>("cond").select(&operand("x"), &operand("y"))),
        "masked_fill" => {
            let value = scalar(x.scalar("value").expect("a value"));
            one(x.of::<bool>("mask").select(&value, &operand("x")))
        }
        _ => Ok(None),
    }
}

pub fn numbers<T: Written + Number>(x: &Operands<'_, T>) -> Results {
    let operand = |name| x.get(name);
    match x.op() {
        "add" => one(&operand("a") + &operand("b")),
        "sub" => one(&operand("a") - &operand("b")),
        "mul" => one(&operand("a") * &operand("b")),
        "div" => one(&operand("a") / &operand("b")),
        "fmod" => one(&operand("a") % &operand("b")),
        "mod" => one(operand("a").remainder(&operand("b"))),
        "floor_div" => one(operand("a").floor_divide(&operand("b"))),
        "min" => one(operand("a").minimum(&operand("b"))),
        "max" => one(operand("a").maximum(&operand("b"))),
        "abs" => one(Ok(operand("x").abs())),
        "square" => one(Ok(operand("x").square())),
        "sign" => one(Ok(operand("x").sign())),
        "clip" => {
            let (low, high) = (x.scalar("min"), x.scalar("max"));
            if let (Some(low), Some(high)) = (low, high) {
                return one(operand("x").clamp(&scalar(low), &scalar(high)));
            }
            let raised = match low {
                Some(low) => operand("x").maximum(&scalar(low))?,
                None => operand("x"),
            };
            match high {
                Some(high) => one(raised.minimum(&scalar(high))),
                None => one(Ok(raised)),
            }
        }
        "clamp" => match (x.has("min"), x.has("max")) {
            (true, true) => one(operand("x").clamp(&operand("min"), &operand("max"))),
            (true, false) => one(operand("x").maximum(&operand("min"))),
            _ => one(operand("x").minimum(&operand("max"))),
        },
        "pow" if !x.dtype("a").starts_with('f') => integer_power(&operand("a"), &operand("b")),
        "add_n" => one(fold(x, |sum, next| &sum + next)),
        "min_n" => one(fold(x, |least, next| least.minimum(next))),
        "max_n" => one(fold(x, |most, next| most.maximum(next))),
        _ => Ok(None),
    }
}

/// Powers of integers by multiplication, one for each number up to the largest exponent of the corpus.
fn integer_power<T: Written + Number>(base: &DynTensor<T>, exponent: &DynTensor<T>) -> Results {
    let mut power = DynTensor::full(&[], T::ONE);
    for multiplied in 0..6 {
        let is_less = exponent.greater(&scalar(T::from_f64(f64::from(multiplied))))?;
        power = is_less.select(&(&power * base)?, &power)?;
    }
    one(Ok(power))
}

/// All operands, one after the other.
fn fold<T: Written, E>(
    x: &Operands<'_, T>,
    next: impl Fn(DynTensor<T>, &DynTensor<T>) -> Result<DynTensor<T>, E>,
) -> Result<DynTensor<T>, E> {
    let all = x.all();
    let (first, rest) = all.split_first().expect("an operand");
    rest.iter().try_fold(first.clone(), next)
}

pub fn signed<T: Written + Signed>(x: &Operands<'_, T>) -> Results {
    match x.op() {
        "neg" => one(Ok(-&x.get("x"))),
        _ => Ok(None),
    }
}

pub fn bits<T: Written + Bits>(x: &Operands<'_, T>) -> Results {
    let operand = |name| x.get(name);
    match x.op() {
        "not" => one(Ok(!&operand("x"))),
        "and" => one(&operand("a") & &operand("b")),
        "or" => one(&operand("a") | &operand("b")),
        "xor" => one(&operand("a") ^ &operand("b")),
        _ => Ok(None),
    }
}

pub fn floats<T: Written + Float>(x: &Operands<'_, T>) -> Results {
    let operand = |name| x.get(name);
    let number = |name| x.scalar(name).expect("a number");
    let [zero, one_] = [0.0, 1.0].map(T::from_f64);
    let result = match x.op() {
        "pow" => return one(operand("a").pow(&operand("b"))),
        "atan2" => return one(operand("a").atan2(&operand("b"))),
        "prelu" => {
            let (a, b) = (operand("a"), operand("b"));
            let positive = a.greater_equal(&scalar(zero))?;
            return one(positive.select(&a, &(&a * &b)?));
        }
        "leaky_relu" => {
            let x = operand("x");
            let positive = x.greater_equal(&scalar(zero))?;
            return one(positive.select(&x, &(&x * number("alpha"))));
        }
        "elu" | "selu" => {
            let values = operand("x");
            let positive = values.greater(&scalar(zero))?;
            let elu = positive.select(&values, &(values.exp_m1() * number("alpha")))?;
            return match x.op() {
                "elu" => one(Ok(elu)),
                _ => one(Ok(elu * number("gamma"))),
            };
        }
        "thresholded_relu" => {
            let x = operand("x");
            return one(x.greater(&scalar(number("alpha")))?.select(&x, &scalar(zero)));
        }
        "hard_sigmoid" => {
            let line = operand("x") * number("alpha") + number("beta");
            return one(line.clamp(&scalar(zero), &scalar(one_)));
        }
        "gelu" => match x.case.attrs["approximate"].as_str() {
            Some("tanh") => operand("x").gelu_tanh(),
            _ => operand("x").gelu(),
        },
        "softsign" => {
            let x = operand("x");
            return one(&x / &(x.abs() + one_));
        }
        "isnan" => return one(Ok(operand("x").is_nan())),
        "mean_n" => {
            let count = T::from_f64(x.case.inputs.len() as f64);
            fold(x, |sum, next| &sum + next)? / count
        }
        "relu" => operand("x").relu(),
        "exp" => operand("x").exp(),
        "expm1" => operand("x").exp_m1(),
        "log" => operand("x").ln(),
        "log1p" => operand("x").ln_1p(),
        "sqrt" => operand("x").sqrt(),
        "rsqrt" => operand("x").rsqrt(),
        "reciprocal" => operand("x").reciprocal(),
        "sigmoid" => operand("x").sigmoid(),
        "silu" => operand("x").silu(),
        "mish" => (operand("x") * operand("x").softplus().tanh())?,
        "softplus" => operand("x").softplus(),
        "erf" => operand("x").erf(),
        "sin" => operand("x").sin(),
        "cos" => operand("x").cos(),
        "tan" => operand("x").tan(),
        "asin" => operand("x").asin(),
        "acos" => operand("x").acos(),
        "atan" => operand("x").atan(),
        "sinh" => operand("x").sinh(),
        "cosh" => operand("x").cosh(),
        "tanh" => operand("x").tanh(),
        "asinh" => operand("x").asinh(),
        "acosh" => operand("x").acosh(),
        "atanh" => operand("x").atanh(),
        "floor" => operand("x").floor(),
        "ceil" => operand("x").ceil(),
        "round" => operand("x").round(),
        "trunc" => operand("x").trunc(),
        _ => return Ok(None),
    };
    one(Ok(result))
}
