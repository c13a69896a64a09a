//! Products of matrices and vectors.

use tensor_core::element::Number;
use tensor_core::{DynTensor, Float, ShapeError};

use crate::Results;
use crate::computed::Written;
use crate::operands::{Operands, one, scalar};

pub fn numbers<T: Written + Number>(x: &Operands<'_, T>) -> Results {
    let operand = |name| x.get(name);
    match x.op() {
        "matmul" => one(operand("a").matmul(&operand("b"))),
        "dot" => one(operand("a").dot(&operand("b"))),
        "outer" => one(operand("a").outer(&operand("b"))),
        "vecdot" => {
            let (a, b) = (operand("a"), operand("b"));
            if a.rank() == 0 || b.rank() == 0 {
                return one(a.unsqueeze(-2));
            }
            one(a.unsqueeze(-2)?.matmul(&b.unsqueeze(-1)?)?.squeeze(-1)?.squeeze(-1))
        }
        "linear" => {
            let result = operand("x").dot(&operand("w").transpose()?)?;
            match x.has("b") {
                true => one(&result + &operand("b")),
                false => one(Ok(result)),
            }
        }
        "gemm" => gemm(x),
        "einsum" => {
            let equation = x.case.attrs["equation"].as_str().expect("an equation");
            let operands = x.all();
            let operands: Vec<&DynTensor<T>> = operands.iter().collect();
            Ok(Some(vec![DynTensor::einsum(equation, &operands)?.into()]))
        }
        _ => Ok(None),
    }
}

/// `alpha · a · b + beta · c`, where `c` expands to the product.
fn gemm<T: Written + Number>(x: &Operands<'_, T>) -> Results {
    let side = |name, transposed: &str| match x.case.flag(transposed) {
        true => x.get(name).transpose(),
        false => Ok(x.get(name)),
    };
    let product = side("a", "trans_a")?.dot(&side("b", "trans_b")?)?;
    let product = product * x.scalar("alpha").expect("alpha");
    match x.has("c") {
        true => {
            let c = x.get("c").expand(product.sizes())?;
            one(&product + &(c * x.scalar("beta").expect("beta")))
        }
        false => one(Ok(product)),
    }
}

pub fn floats<T: Written + Float>(x: &Operands<'_, T>) -> Results {
    match x.op() {
        "attention" => one(attention(x)),
        _ => Ok(None),
    }
}

fn attention<T: Written + Float>(x: &Operands<'_, T>) -> Result<DynTensor<T>, ShapeError> {
    let (query, key, value) = (x.get("q"), x.get("k"), x.get("v"));
    let features = *query.sizes().last().expect("features") as f64;
    let scale = x.case.number("scale").unwrap_or(features.sqrt().recip());
    let mut scores = query.matmul(&key.transpose()?)? * T::from_f64(scale);
    let never = scalar(T::from_f64(f64::NEG_INFINITY));
    match x.dtype("mask") {
        "bool" => scores = x.of::<bool>("mask").select(&scores, &never)?,
        "" => (),
        _ => scores = (&scores + &x.get("mask"))?,
    }
    if x.case.flag("causal") {
        let [.., rows, columns] = *scores.sizes() else { panic!("the rank of the scores") };
        let seen = DynTensor::from_fn(&[rows, columns], |index| index[1] <= index[0]);
        scores = seen.select(&scores, &never)?;
    }
    scores.softmax(-1)?.matmul(&value)
}
