//! Operations that move, join and stretch axes.

use tensor_core::DynTensor;

use crate::Results;
use crate::computed::Written;
use crate::operands::{Operands, one};

pub fn elements<T: Written>(x: &Operands<'_, T>) -> Results {
    let list = |name| x.case.list(name);
    match x.op() {
        "transpose" => one(x.get("x").permute(&list("perm").expect("an order"))),
        "reshape" | "flatten2d" => match asked(x) {
            Some(sizes) => one(x.get("x").reshape(&sizes)),
            None => Ok(None),
        },
        "expand" => match asked(x) {
            Some(sizes) => one(x.get("x").expand(&sizes)),
            None => Ok(None),
        },
        "flatten" if x.rank() == 0 => one(Ok(x.get("x").flatten())),
        "flatten" => {
            let axis = |name| x.case.integer(name).expect("an axis");
            one(x.get("x").flatten_axes(axis("start_axis"), axis("end_axis")))
        }
        "squeeze" => squeeze(x),
        "unsqueeze" => unsqueeze(x),
        _ => Ok(None),
    }
}

/// The sizes of the result, or those that are refused; `None` if one of them is negative.
fn asked<T: Written>(x: &Operands<'_, T>) -> Option<Vec<usize>> {
    match x.case.outputs() {
        [output, ..] => Some(output.shape.clone()),
        [] => x.case.list("shape")?.into_iter().map(|size| size.try_into().ok()).collect(),
    }
}

/// One axis after the other, from the last one on, so that the numbers of the others stay.
fn squeeze<T: Written>(x: &Operands<'_, T>) -> Results {
    let mut tensor = x.get("x");
    let ones = || (0..x.rank() as isize).filter(|&axis| tensor.sizes()[axis as usize] == 1);
    let mut axes = x.case.list("axes").unwrap_or_else(|| ones().collect());
    if axes.len() > 1 {
        axes.iter_mut().for_each(|axis| *axis = axis.rem_euclid(x.rank() as isize));
        axes.sort_unstable_by(|a, b| b.cmp(a));
    }
    for axis in axes {
        tensor = tensor.squeeze(axis)?;
    }
    one(Ok(tensor))
}

/// One axis after the other, from the first one on, so that each gets the number that it has in the
/// result.
fn unsqueeze<T: Written>(x: &Operands<'_, T>) -> Results {
    let mut axes = x.case.list("axes").expect("axes");
    let mut tensor: DynTensor<T> = x.get("x");
    if let [axis] = axes[..] {
        return one(tensor.unsqueeze(axis));
    }
    let rank = (x.rank() + axes.len()) as isize;
    axes.iter_mut().for_each(|axis| *axis = axis.rem_euclid(rank));
    axes.sort_unstable();
    if axes.windows(2).any(|pair| pair[0] == pair[1]) {
        return Ok(None);
    }
    for axis in axes {
        tensor = tensor.unsqueeze(axis)?;
    }
    one(Ok(tensor))
}
