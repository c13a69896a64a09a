//! The proposed fixes have the stated effect.

use tensor_core::explain::{Repair, explain, explain_sizes};
use tensor_core::{Tensor, shape};

use super::{Batch, Seq, cases, explained};

/// The sizes after the calls of a proposal.
fn called(calls: &str, sizes: &[usize]) -> Vec<usize> {
    let mut sizes = sizes.to_vec();
    for call in calls.split('.').skip(1) {
        if call == "transpose()" {
            let last = sizes.len() - 1;
            sizes.swap(last - 1, last);
        } else {
            let axis = call.strip_prefix("unsqueeze::<").and_then(|call| call.strip_suffix(">()"));
            let axis: isize = axis.expect("a call of unsqueeze").parse().expect("a number");
            let place =
                if axis < 0 { sizes.len() + 1 - axis.unsigned_abs() } else { axis as usize };
            sizes.insert(place, 1);
        }
    }
    sizes
}

#[test]
fn every_proposal_broadcasts() {
    let mut proposals = 0;
    for (id, shapes, result) in cases() {
        let repairs = explained(&shapes).repairs();
        assert!(result.is_none() || repairs.is_empty(), "{id}");
        for Repair { operand, call, shape, result, .. } in repairs {
            let mut shapes = shapes.clone();
            shapes[operand] = called(&call, &shapes[operand]);
            let sizes = |axes: &[tensor_core::explain::AxisSize]| -> Vec<usize> {
                axes.iter().map(|axis| axis.size).collect()
            };
            assert_eq!(shapes[operand], sizes(&shape), "{id}: {call}");
            let found = explained(&shapes).result().unwrap_or_else(|_| panic!("{id}: {call}"));
            assert_eq!(found.to_vec(), sizes(&result), "{id}: {call}");
            proposals += 1;
        }
    }
    assert!(proposals > 30, "{proposals}");
}

fn calls(shapes: &[&[usize]]) -> Vec<String> {
    explain_sizes(shapes).repairs().into_iter().map(|repair| repair.call).collect()
}

#[test]
fn proposals_are_those_that_one_would_make() {
    assert_eq!(calls(&[&[4, 3], &[4]]), ["b.unsqueeze::<-1>()"]);
    assert_eq!(calls(&[&[4], &[4, 3]]), ["a.unsqueeze::<-1>()"]);
    assert_eq!(calls(&[&[8, 3, 5], &[8, 5]]), ["b.unsqueeze::<1>()"]);
    assert_eq!(calls(&[&[8, 3, 2, 5], &[8, 5]]), ["b.unsqueeze::<1>().unsqueeze::<2>()"]);
    assert_eq!(calls(&[&[32, 3, 5], &[32]]), ["b.unsqueeze::<-1>().unsqueeze::<-1>()"]);
    assert_eq!(calls(&[&[4, 3], &[3, 4]]), ["b.transpose()"]);
    assert_eq!(calls(&[&[3], &[4]]), ["a.unsqueeze::<-1>()"]);
    assert_eq!(calls(&[&[4, 3], &[3], &[4]]), ["c.unsqueeze::<-1>()"]);
    // Which of four axes would be meant?
    assert_eq!(calls(&[&[7, 7, 7, 7, 3], &[7]]), [""; 0]);
    assert_eq!(calls(&[&[4, 3], &[5]]), [""; 0]);
    assert_eq!(calls(&[&[4, 3], &[4, 2]]), [""; 0]);
    assert_eq!(calls(&[&[2; 64], &[3]]), [""; 0]);
}

/// The calls compile, and the sums have the shapes that are stated.
#[test]
fn proposals_compile() {
    let (a, b) = (Tensor::<shape![8, 3, 5]>::ones(), Tensor::<shape![8, 5]>::ones());
    assert_eq!(explain(&[&a, &b]).repairs()[0].call, "b.unsqueeze::<1>()");
    assert_eq!((&a + b.unsqueeze::<1>()).shape(), shape![8, 3, 5]);

    let b = Tensor::<shape![8]>::ones();
    assert_eq!(explain(&[&a, &b]).repairs()[0].call, "b.unsqueeze::<-1>().unsqueeze::<-1>()");
    assert_eq!((&a + b.unsqueeze::<-1>().unsqueeze::<-1>()).shape(), shape![8, 3, 5]);

    let b = Tensor::<shape![5, 3]>::ones();
    assert_eq!(explain(&[&a, &b]).repairs()[0].call, "b.transpose()");
    assert_eq!((&a + b.transpose()).shape(), shape![8, 3, 5]);

    let a = Tensor::<_, f32>::zeros_shaped(shape![Batch(2), Seq(3)]);
    let b = Tensor::<_, f32>::zeros_shaped(shape![Batch(2)]);
    assert_eq!(explain(&[&a, &b]).repairs()[0].call, "b.unsqueeze::<-1>()");
    assert_eq!((&a + b.unsqueeze::<-1>()).shape(), shape![Batch(2), Seq(3)]);
}
