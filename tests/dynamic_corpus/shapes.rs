//! `broadcast_pairs.json`, `broadcast_nary.json` and `inplace.json`: which shapes broadcast.

use tensor_core::DynTensor;

use crate::corpus::{self, InPlace, Many, Pair};

/// More elements than this are not allocated.
const MOST: usize = 1 << 20;

/// Whether tensors of all these shapes are small.
fn small(shapes: &[&[usize]]) -> bool {
    shapes.iter().all(|shape| {
        shape
            .iter()
            .try_fold(1, |len: usize, &size| len.checked_mul(size))
            .is_some_and(|len| len <= MOST)
    })
}

fn zeros(sizes: &[usize]) -> DynTensor<i32> {
    DynTensor::zeros(sizes)
}

#[test]
fn pairs_of_shapes_broadcast_or_are_refused() {
    let mut seen = 0;
    for Pair { id, a, b, ok, result } in corpus::read("broadcast_pairs.json") {
        let whole = result.clone().unwrap_or_default();
        if !small(&[&a, &b, &whole]) {
            continue;
        }
        seen += 1;
        match (ok, &zeros(&a) + &zeros(&b)) {
            (true, Ok(sum)) => assert_eq!(Some(sum.sizes().to_vec()), result, "{id}"),
            (false, Err(_)) => (),
            (_, found) => panic!("{id}: {found:?}"),
        }
    }
    assert!(seen > 400, "{seen} pairs");
}

#[test]
fn lists_of_shapes_broadcast_or_are_refused() {
    let mut seen = 0;
    for Many { id, shapes, ok, result } in corpus::read("broadcast_nary.json") {
        let mut all: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
        let whole = result.clone().unwrap_or_default();
        all.push(&whole);
        if !small(&all) {
            continue;
        }
        seen += 1;
        let sum = shapes.iter().try_fold(zeros(&[]), |sum, shape| &sum + &zeros(shape));
        match (ok, sum) {
            (true, Ok(sum)) => assert_eq!(Some(sum.sizes().to_vec()), result, "{id}"),
            (false, Err(_)) => (),
            (_, found) => panic!("{id}: {found:?}"),
        }
    }
    assert!(seen > 100, "{seen} lists");
}

#[test]
fn a_target_keeps_its_shape_or_the_operation_is_refused() {
    let mut seen = 0;
    let cases = corpus::read("inplace.json").into_iter();
    for InPlace { id, op, target, operand, operand2, target_dtype, ok } in cases {
        if matches!(op.as_str(), "copy_" | "setitem") || target_dtype.is_some() {
            // Assignment has more rules than the operators, and cases with types are about these.
            continue;
        }
        let operand2 = operand2.unwrap_or_default();
        if !small(&[&target, &operand, &operand2]) {
            continue;
        }
        seen += 1;
        let mut tensor = zeros(&target);
        let result = (&zeros(&operand) + &zeros(&operand2))
            .and_then(|operand| tensor.zip_assign(&operand, |x, y| x + y));
        match (ok, &result) {
            (true, Ok(())) | (false, Err(_)) => assert_eq!(tensor.sizes(), target, "{id}"),
            _ => panic!("{id} ({op}): {result:?}"),
        }
    }
    assert!(seen > 60, "{seen} operations");
}
