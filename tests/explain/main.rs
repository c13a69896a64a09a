//! `tensor_core::explain`: the tables, the pictures and the program agree with the corpus and with
//! what the library does.

#[path = "../compiler/mod.rs"]
mod compiler;
#[path = "../corpus/mod.rs"]
mod corpus;
mod digraph;
mod pictures;
mod program;
mod programs;
mod reading;
mod repairs;
#[path = "../repository/mod.rs"]
mod repository;
mod tables;

use corpus::{Many, Pair};
use tensor_core::explain::{Explanation, explain, explain_sizes};
use tensor_core::{DynTensor, ShapeError, Tensor, axis, shape};

axis!(Batch);
axis!(Seq);
axis!(Hidden = 32);

/// The explanation of these shapes.
fn explained(shapes: &[Vec<usize>]) -> Explanation {
    explain_sizes(&shapes.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// All shapes of the corpus that are broadcast with each other, and their result.
fn cases() -> Vec<(String, Vec<Vec<usize>>, Option<Vec<usize>>)> {
    let pairs = corpus::read::<Pair>("broadcast_pairs.json").into_iter();
    let pairs = pairs.map(|pair| (pair.id, vec![pair.a, pair.b], pair.result));
    let lists = corpus::read::<Many>("broadcast_nary.json").into_iter();
    pairs.chain(lists.map(|list| (list.id, list.shapes, list.result))).collect()
}

/// All shapes of at most three axes with these sizes.
fn small_shapes(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut shapes = vec![vec![]];
    for rank in 0..3 {
        let longer: Vec<_> =
            shapes.iter().filter(|shape: &&Vec<usize>| shape.len() == rank).cloned().collect();
        for shape in longer {
            shapes.extend(sizes.iter().map(|&size| [&shape[..], &[size]].concat()));
        }
    }
    shapes
}

#[test]
fn the_result_is_that_of_the_corpus() {
    let cases = cases();
    assert!(cases.len() > 500, "{}", cases.len());
    for (id, shapes, result) in cases {
        let explanation = explained(&shapes);
        let found = explanation.result();
        assert_eq!(found.ok().map(|sizes| sizes.to_vec()), result, "{id}");
        assert_eq!(explanation.reason().is_none(), result.is_some(), "{id}");
        assert_eq!(explanation.operands().len(), shapes.len(), "{id}");
        let table = explanation.to_string();
        let is_wide = |line: &str| line.chars().count() > 80 && line.contains(' ');
        assert!(!table.lines().any(is_wide), "{id}:\n{table}");
    }
}

/// The same axis fails, with the same sizes, as where tensors are added.
#[test]
fn the_failing_axis_is_that_of_the_library() {
    let shapes = small_shapes(&[0, 1, 2, 3]);
    let mut failures = 0;
    for a in &shapes {
        for b in &shapes {
            let found = explained(&[a.clone(), b.clone()]);
            let sum = &DynTensor::full(a, 0) + &DynTensor::full(b, 0);
            match (found.result(), sum) {
                (Ok(found), Ok(sum)) => assert_eq!(found[..], *sum.sizes()),
                (Err(mismatch), Err(ShapeError::Sizes { left, right, axis, .. })) => {
                    failures += 1;
                    assert_eq!(mismatch.axis, axis);
                    let words = format!(": a has {left} and b has {right}, which differ");
                    assert!(found.reason().unwrap().contains(&words), "{found}");
                }
                (found, sum) => panic!("{a:?} + {b:?}: {found:?}, {sum:?}"),
            }
        }
    }
    assert!(failures > 1000, "{failures}");
}

#[test]
fn types_values_and_tensors_are_explained_alike() {
    let sizes = explain_sizes(&[&[2, 3], &[3]]);
    assert_eq!(explain(&[&shape![2, 3], &shape![3]]), sizes);
    let (a, b) = (Tensor::<shape![2, 3]>::ones(), DynTensor::full(&[3], 1.0));
    assert_eq!(explain(&[&a, &b]), sizes);
    assert_eq!(explain(&[&(), &shape![3]]), explain_sizes(&[&[], &[3]]));
}

#[test]
fn a_named_axis_fits_to_itself_and_to_one() {
    let result = |explanation: Explanation| explanation.result().map(|sizes| sizes.to_vec()).ok();
    let batch = shape![Batch(32), 10];
    assert_eq!(result(explain(&[&batch, &batch])), Some(vec![32, 10]));
    assert_eq!(result(explain(&[&batch, &shape![1, 1]])), Some(vec![32, 10]));
    assert_eq!(result(explain(&[&batch, &shape![10]])), Some(vec![32, 10]));
    assert_eq!(result(explain(&[&batch, &shape![Seq(32), 10]])), None);
    assert_eq!(result(explain(&[&batch, &shape![Batch(31), 10]])), None);
    assert_eq!(result(explain(&[&batch, &shape![Batch(1), 10]])), None);
    assert_eq!(result(explain(&[&batch, &shape![32, 10]])), None);
    assert_eq!(result(explain(&[&shape![Hidden], &shape![32]])), None);
    assert_eq!(result(explain(&[&shape![Hidden], &shape![Hidden]])), Some(vec![32]));
}

#[test]
fn no_shape_and_one_shape() {
    assert_eq!(explain(&[]).result().unwrap().len(), 0);
    assert_eq!(explain(&[]).to_string(), "result (scalar)");
    let one = explain_sizes(&[&[4, 3]]);
    assert_eq!(one.result().unwrap()[..], [4, 3]);
    assert_eq!(one.to_string(), "axis          0   1\na (2 axes)    4 × 3\nresult        4 × 3");
    for explanation in [explain(&[]), one] {
        assert!(explanation.to_svg().is_ok());
        assert!(explanation.to_dot().ends_with("}\n"));
    }
}
