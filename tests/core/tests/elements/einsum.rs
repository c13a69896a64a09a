//! `einsum!` and `DynTensor::einsum`, against loops over all indices.

use std::collections::BTreeMap;

use tensor_core::{DynTensor, EinsumError, Shape, Tensor, axes, axis, einsum, shape, tensor};

/// The sum of products by loops over every index of every letter.
fn by_loops(equation: &str, operands: &[&DynTensor<i64>]) -> DynTensor<i64> {
    let (left, result) = equation.split_once("->").expect("an arrow");
    let lists: Vec<Vec<char>> = left.split(',').map(|list| list.chars().collect()).collect();
    let result: Vec<char> = result.chars().collect();
    let mut sizes = BTreeMap::new();
    for (list, operand) in lists.iter().zip(operands) {
        for (&letter, &size) in list.iter().zip(operand.sizes()) {
            sizes.insert(letter, size);
        }
    }
    let letters: Vec<char> = sizes.keys().copied().collect();
    let summed: Vec<char> =
        letters.iter().copied().filter(|letter| !result.contains(letter)).collect();
    let count: usize = summed.iter().map(|letter| sizes[letter]).product();
    let shape: Vec<usize> = result.iter().map(|letter| sizes[letter]).collect();
    DynTensor::from_fn(&shape, |index| {
        let mut at: BTreeMap<char, usize> =
            result.iter().copied().zip(index.iter().copied()).collect();
        let mut sum = 0;
        for mut place in 0..count {
            for letter in &summed {
                at.insert(*letter, place % sizes[letter]);
                place /= sizes[letter];
            }
            let product: i64 = lists
                .iter()
                .zip(operands)
                .map(|(list, operand)| {
                    let index: Vec<usize> = list.iter().map(|letter| at[letter]).collect();
                    operand.get(&index).expect("an element")
                })
                .product();
            sum += product;
        }
        sum
    })
}

/// Elements that differ from each other.
fn counted(sizes: &[usize], seed: i64) -> DynTensor<i64> {
    DynTensor::from_fn(sizes, |index| {
        index.iter().fold(seed, |sum, &place| (sum * 7 + place as i64 * 3 + 1) % 11) - 5
    })
}

#[test]
fn equations_are_the_loops_they_stand_for() {
    let sizes = |letter| match letter {
        'a' => 2,
        'b' => 3,
        'c' => 1,
        'z' => 0,
        _ => 4,
    };
    for equation in [
        "ij->ij",
        "ij->ji",
        "ij->",
        "ij->i",
        "ij->j",
        "ii->i",
        "ii->",
        "iij->ji",
        "iii->i",
        "->",
        "i,i->",
        "i,j->ij",
        "i,j->ji",
        "i,j->",
        "ij,jk->ik",
        "ij,kj->ki",
        "ji,jk->ki",
        "ij,ij->ij",
        "ij,ij->",
        "ij,ji->",
        "abi,abj->abij",
        "iab,bja->aji",
        "abi,bj->ija",
        "ai,bi->ab",
        "abi,iab->",
        "ijk,kjl->il",
        "aijb,bjia->ab",
        "ij,jk,kl->il",
        "ij,jk,ki->",
        "a,b,i->bia",
        "ai,bi,i->ab",
        "ii,ij->j",
        "az,zb->ab",
        "za,ab->zb",
        "cij,cjk->cik",
        "cai,bcj->ijab",
        "i,->i",
        ",ij->ji",
        "ij,a->aij",
        "ija,k->ka",
        "ab,i,j,bi->aj",
    ] {
        let lists = equation.split("->").next().unwrap().split(',');
        let operands: Vec<DynTensor<i64>> = (1..)
            .zip(lists)
            .map(|(seed, list)| counted(&list.chars().map(sizes).collect::<Vec<_>>(), seed))
            .collect();
        let operands: Vec<&DynTensor<i64>> = operands.iter().collect();
        let found = DynTensor::einsum(equation, &operands);
        assert_eq!(found.unwrap(), by_loops(equation, &operands), "{equation}");
        // The same elements, strided.
        let strided: Vec<DynTensor<i64>> = operands
            .iter()
            .map(|operand| {
                let order: Vec<isize> = (0..operand.rank() as isize).rev().collect();
                operand.permute(&order).unwrap().contiguous().permute(&order).unwrap()
            })
            .collect();
        let strided: Vec<&DynTensor<i64>> = strided.iter().collect();
        let found = DynTensor::einsum(equation, &strided);
        assert_eq!(found.unwrap(), by_loops(equation, &operands), "{equation}, strided");
    }
}

#[test]
fn leading_axes_broadcast() {
    let (a, b) = (counted(&[5, 1, 2, 3], 1), counted(&[4, 3, 2], 2));
    let product = DynTensor::einsum("...ij,...jk->...ik", &[&a, &b]).unwrap();
    assert_eq!(product, a.matmul(&b).unwrap());
    let sum = DynTensor::einsum("i...->...", &[&a]).unwrap();
    assert_eq!(sum, a.sum_axis(0).unwrap());
    let last = DynTensor::einsum("...i,i->...", &[&a, &counted(&[3], 3)]).unwrap();
    assert_eq!(last.sizes(), [5, 1, 2]);
    let scaled = DynTensor::einsum("..., ->...", &[&a, &DynTensor::scalar(2)]).unwrap();
    assert_eq!(scaled, &a * 2);
}

/// `...` of a rank that leaves no axis for it: nothing is subtracted from 0 on the way.
#[test]
fn leading_axes_that_are_none() {
    let (a, b) = (counted(&[2, 3], 1), counted(&[3, 4], 2));
    assert_eq!(DynTensor::einsum("...ij->...ji", &[&a]).unwrap(), a.transpose().unwrap());
    assert_eq!(DynTensor::einsum("i...j->j...i", &[&a]).unwrap(), a.transpose().unwrap());
    assert_eq!(DynTensor::einsum("ij...->ji...", &[&a]).unwrap(), a.transpose().unwrap());
    let product = DynTensor::einsum("...ij,...jk->...ik", &[&a, &b]).unwrap();
    assert_eq!(product, a.matmul(&b).unwrap());
    assert_eq!(DynTensor::einsum("...->...", &[&DynTensor::scalar(7)]).unwrap().item(), Ok(7));
    let one = DynTensor::einsum("...ij,ij->...i", &[&a, &a]).unwrap();
    assert_eq!(one, (&a * &a).unwrap().sum_axis(1).unwrap());
}

/// Letters of size 1 stretch to the size that another operand has, as in NumPy and PyTorch, and gradients are
/// summed back.
#[test]
fn letters_of_size_1_stretch() {
    let cases: [(&str, &[&[usize]], &[&[usize]]); 8] = [
        ("ij,ij->ij", &[&[1, 3], &[2, 3]], &[&[2, 3], &[2, 3]]),
        ("ij,ij->", &[&[1, 3], &[2, 1]], &[&[2, 3], &[2, 3]]),
        ("ij,jk->ik", &[&[2, 1], &[3, 4]], &[&[2, 3], &[3, 4]]),
        ("ij,jk->ik", &[&[2, 3], &[1, 4]], &[&[2, 3], &[3, 4]]),
        ("bij,bjk->bik", &[&[1, 2, 3], &[5, 3, 1]], &[&[5, 2, 3], &[5, 3, 1]]),
        ("ii,i->i", &[&[1, 1], &[3]], &[&[3, 3], &[3]]),
        ("i,i,i->i", &[&[1], &[4], &[1]], &[&[4], &[4], &[4]]),
        ("ij,ij->j", &[&[1, 3], &[0, 3]], &[&[0, 3], &[0, 3]]),
    ];
    for (equation, sizes, stretched) in cases {
        let seeded = sizes.iter().zip(1..).map(|(sizes, seed)| counted(sizes, seed).cast::<f64>());
        let operands: Vec<DynTensor<f64>> = seeded.map(|x| x.requires_grad()).collect();
        let operands: Vec<&DynTensor<f64>> = operands.iter().collect();
        let pairs = operands.iter().zip(stretched);
        // Diagonals are not stretched: a single element is broadcast.
        let expanded: Vec<DynTensor<f64>> =
            pairs.map(|(x, sizes)| x.expand(sizes).unwrap()).collect();
        let got = DynTensor::einsum(equation, &operands).unwrap();
        let want = DynTensor::einsum(equation, &expanded.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(got, want, "{equation} of {sizes:?}");
        let loss = |x: &DynTensor<f64>| (x * x).unwrap().sum();
        let (got, want) = (loss(&got).gradients(&operands), loss(&want).gradients(&operands));
        assert_eq!(got, want, "gradients of {equation} of {sizes:?}");
    }
    // Within an operand, a diagonal has two axes of one size.
    let error = DynTensor::einsum("ii->i", &[&counted(&[1, 3], 1)]).unwrap_err();
    assert_eq!(error.to_string(), "`i` has size 1 in operand 0 and size 3 in operand 0");
    let error = DynTensor::einsum("i,ii->i", &[&counted(&[3], 1), &counted(&[3, 1], 1)]);
    assert!(matches!(error, Err(EinsumError::Sizes { letter: 'i', operands: [1, 1], .. })));
}

#[test]
fn axes_of_size_one_stretch_in_the_macro() {
    let (a, b) = (tensor![[1, 2, 3]], tensor![[1, 10, 100], [2, 20, 200]]);
    let all: Tensor<shape![2, 3], i32> = einsum!(i j, i j -> i j; &a, &b);
    assert_eq!(all, &a * &b);
    let all: Tensor<shape![2, 3], i32> = einsum!(i j, i j -> i j; &b, &a);
    assert_eq!(all, &a * &b);
    let rows: Tensor<shape![2], i32> = einsum!(i j, i j -> i; &a, &b);
    assert_eq!(rows, tensor![321, 642]);
    let product: Tensor<shape![1, 2], i32> = einsum!(k i, j i -> k j; &a, &b);
    assert_eq!(product, tensor![[321, 642]]);
    // Summed as often as it stretches, and by a third operand.
    let sum: Tensor<shape![], i32> = einsum!(i j, i j, i -> ; &a, tensor![[1], [1]], tensor![1]);
    assert_eq!(sum.item(), 12);
    let both: Tensor<shape![3], i32> = einsum!(i, i i -> i; tensor![1, 2, 3], tensor![[5]]);
    assert_eq!(both, tensor![5, 10, 15]);
    let named = Tensor::<shape![Batch, 3], i32>::ones_shaped(shape![Batch(2), 3]);
    let stretched: Tensor<shape![Batch, 3], i32> = einsum!(b i, b i -> b i; &a, &named);
    assert_eq!(stretched, &a * &named);
    let x = tensor![[1.0, 2.0, 3.0]].requires_grad();
    let loss = einsum!(i j, i j -> ; &x, tensor![[1.0, 10.0, 100.0], [2.0, 20.0, 200.0]]);
    assert_eq!(loss.gradients(&x), tensor![[3.0, 30.0, 300.0]]);
}

/// A run-time axis of size 1 has a name, and names do not stretch.
#[test]
#[should_panic = "axes of one name have sizes 1 and 3 in `einsum!`"]
fn run_time_axes_of_size_1_do_not_stretch() {
    let a = Tensor::<shape![Batch, 2]>::ones_shaped(shape![Batch(1), 2]);
    let b = Tensor::<shape![Batch, 2]>::ones_shaped(shape![Batch(3), 2]);
    let _ = einsum!(b i, b i -> b; a, b);
}

#[test]
fn the_result_may_be_left_out() {
    let (a, b) = (counted(&[2, 3], 1), counted(&[3, 4], 2));
    let product = DynTensor::einsum("ij,jk", &[&a, &b]).unwrap();
    assert_eq!(product, a.matmul(&b).unwrap());
    assert_eq!(DynTensor::einsum("ba", &[&a]).unwrap(), a.transpose().unwrap());
    assert_eq!(DynTensor::einsum("...a", &[&a]).unwrap(), a);
}

#[test]
fn what_is_wrong_with_an_equation_is_said() {
    let (a, b) = (counted(&[2, 3], 1), counted(&[2, 4], 2));
    let cases = [
        ("ij,jk->ik", "`j` has size 3 in operand 0 and size 2 in operand 1"),
        ("ii,jk->ik", "`i` has size 2 in operand 0 and size 3 in operand 0"),
        ("ij->i", "the equation has 1 operands, and 2 are given"),
        (
            "ijk,jk->ik",
            "the equation has 3 letters for operand 0, which has rank 2; `...` represents any number of axes",
        ),
        (
            "ij,il->i?",
            "expected a letter, `,`, `...` or `->`, at position 8 of the equation \"ij,il->i?\"",
        ),
        (
            "ij,il->ix",
            "a letter of the result is in no operand, at position 7 of the equation \"ij,il->ix\"",
        ),
        (
            "ij,il->ii",
            "a letter occurs twice in the result, at position 7 of the equation \"ij,il->ii\"",
        ),
        (
            "ij,il->i,l",
            "expected one result after `->`, at position 7 of the equation \"ij,il->i,l\"",
        ),
        ("......,il->i", "`...` occurs twice, at position 3 of the equation \"......,il->i\""),
        (
            "...j,il->i",
            "the result has no `...`, and an operand has, at position 9 of the equation \"...j,il->i\"",
        ),
    ];
    for (equation, message) in cases {
        let error = DynTensor::einsum(equation, &[&a, &b]).unwrap_err();
        assert_eq!(error.to_string(), message, "{equation}");
    }
    let error = DynTensor::einsum("...i,...i->...i", &[&counted(&[2, 3], 1), &counted(&[4, 3], 1)]);
    assert!(matches!(error, Err(EinsumError::InvalidShape(_))));
}

#[test]
fn the_macro_is_the_equation() {
    let a = Tensor::<shape![2, 3, 4], i64>::from_fn(|[i, j, k]| (i * 12 + j * 4 + k) as i64 % 7);
    let b = Tensor::<shape![2, 4, 5], i64>::from_fn(|[i, j, k]| (i * 20 + j * 5 + k) as i64 % 5);
    let dynamic = |equation, operands: &[&DynTensor<i64>]| DynTensor::einsum(equation, operands);
    let (da, db) = (DynTensor::from(a.clone()), DynTensor::from(b.clone()));

    let product: Tensor<shape![2, 3, 5], i64> = einsum!(n i k, n k j -> n i j; a, b);
    assert_eq!(product, a.matmul(&b));
    let moved: Tensor<shape![5, 3], i64> = einsum!(n i k, n k j -> j i; &a, &b);
    assert_eq!(DynTensor::from(moved), dynamic("nik,nkj->ji", &[&da, &db]).unwrap());
    let outer: Tensor<shape![2, 3, 4, 5], i64> = einsum!(n i k, n k j -> n i k j; a, b);
    assert_eq!(DynTensor::from(outer), dynamic("nik,nkj->nikj", &[&da, &db]).unwrap());
    let three: Tensor<shape![3], i64> = einsum!(n i k, n k j, j -> i; a, b, tensor![1, 2, 3, 4, 5]);
    let v = DynTensor::from(tensor![1_i64, 2, 3, 4, 5]);
    assert_eq!(DynTensor::from(three), dynamic("nik,nkj,j->i", &[&da, &db, &v]).unwrap());
    let all: Tensor<shape![], i64> = einsum!(n i k -> ; a);
    assert_eq!(all, a.sum());
    assert_eq!(einsum!(-> ; tensor![7].sum()).item(), 7);
}

axis!(Batch);
axis!(Heads = 3);

#[test]
fn named_and_leading_axes_stay() {
    fn attention<Lead: Shape, Q: tensor_core::Axis, K: tensor_core::Axis, D: tensor_core::Axis>(
        queries: &Tensor<shape![Lead.., Q, D]>,
        keys: &Tensor<shape![Lead.., K, D]>,
    ) -> Tensor<shape![Lead.., Q, K]> {
        einsum!(.. q d, .. k d -> .. q k; queries, keys)
    }
    let queries = Tensor::<shape![Batch, Heads, 5, 2]>::ones_shaped(shape![Batch(4), Heads, 5, 2]);
    let keys = Tensor::<shape![Batch, Heads, 7, 2]>::ones_shaped(shape![Batch(4), Heads, 7, 2]);
    let scores: Tensor<shape![Batch, Heads, 5, 7]> = attention(&queries, &keys);
    assert_eq!(scores, queries.matmul(&keys.transpose()));
    let by_name = einsum!(batch head q d, batch head k d -> batch q head k; &queries, &keys);
    assert_eq!(by_name.shape(), shape![Batch(4), 5, Heads, 7]);
}

#[test]
#[should_panic = "axes of one name have sizes 4 and 3 in `einsum!`"]
fn run_time_sizes_of_one_name_agree() {
    let a = Tensor::<shape![Batch, 2]>::ones_shaped(shape![Batch(4), 2]);
    let b = Tensor::<shape![Batch, 2]>::ones_shaped(shape![Batch(3), 2]);
    let _ = einsum!(b i, b i -> b; a, b);
}

#[test]
fn pairs_of_axes_are_summed_over() {
    let a = Tensor::<shape![2, 3, 4], i64>::from_fn(|[i, j, k]| (i * 12 + j * 4 + k) as i64 % 7);
    let b = Tensor::<shape![4, 5, 3], i64>::from_fn(|[i, j, k]| (i * 15 + j * 3 + k) as i64 % 5);
    let (da, db) = (DynTensor::from(a.clone()), DynTensor::from(b.clone()));
    let product: Tensor<shape![2, 5], i64> = a.tensordot::<axes![1, -1], axes![2, 0], _>(&b);
    assert_eq!(product, einsum!(i j k, k l j -> i l; a, b));
    assert_eq!(da.tensordot(&db, &[1, -1], &[2, 0]).unwrap(), product.into());
    let outer: Tensor<shape![2, 3, 4, 4, 5, 3], i64> = a.tensordot::<axes![], axes![], _>(&b);
    assert_eq!(outer, einsum!(i j k, l m n -> i j k l m n; a, b));
    let one: Tensor<shape![2, 3, 5, 3], i64> = a.tensordot::<axes![-1], axes![0], _>(&b);
    assert_eq!(one, einsum!(i j k, k l m -> i j l m; a, b));

    let message = |axes: &[isize], right: &[isize]| da.tensordot(&db, axes, right).unwrap_err();
    assert_eq!(
        message(&[1], &[0]).to_string(),
        "cannot multiply: axis 1 of the left side has size 3, axis 0 of the right side has size 4"
    );
    assert_eq!(
        message(&[1, 2], &[0]).to_string(),
        "a product sums over pairs of axes: 2 of the left side are named, and 1 of the right side"
    );
    assert_eq!(message(&[3], &[0]).to_string(), "axis 3 is out of range for a tensor of rank 3");
}
