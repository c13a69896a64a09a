//! Views of `DynTensor` are those of `Tensor`: the same elements at the same addresses, without a
//! copy.

use tensor_core::{DynTensor, ShapeError, Tensor, axes, shape};

type Cube = shape![2, 3, 4];

fn cube() -> (Tensor<Cube, i64>, DynTensor<i64>) {
    let typed = Tensor::<shape![24], i64>::arange().reshape::<Cube>();
    (typed.clone(), typed.into())
}

/// Checks that a view has the elements, and that they are those of `x`.
#[track_caller]
fn assert_view(view: &DynTensor<i64>, expected: impl Into<DynTensor<i64>>, x: &DynTensor<i64>) {
    assert_eq!(*view, expected.into());
    let own = x.as_slice().expect("contiguous").as_ptr_range();
    assert!(view.iter().all(|element| own.contains(&core::ptr::from_ref(element))), "a copy");
}

#[test]
fn views_are_those_of_tensors() {
    let (t, x) = cube();
    assert_view(&x.transpose().unwrap(), t.transpose(), &x);
    assert_view(&x.permute(&[2, 0, 1]).unwrap(), t.permute::<axes![2, 0, 1]>(), &x);
    assert_view(&x.permute(&[-1, -2, -3]).unwrap(), t.permute::<axes![-1, -2, -3]>(), &x);
    assert_view(&x.unsqueeze(0).unwrap(), t.unsqueeze::<0>(), &x);
    assert_view(&x.unsqueeze(-1).unwrap(), t.unsqueeze::<-1>(), &x);
    assert_view(&x.unsqueeze(-2).unwrap().squeeze(2).unwrap(), t.clone(), &x);
    assert_view(
        &x.unsqueeze(1).unwrap().expand(&[2, 5, 3, 4]).unwrap(),
        t.unsqueeze::<1>().expand::<shape![2, 5, 3, 4]>(),
        &x,
    );
    assert_view(&x.flatten(), t.flatten(), &x);
    assert_view(&x.flatten_axes(0, 1).unwrap(), t.flatten_axes::<0, 1>(), &x);
    assert_view(&x.flatten_axes(-2, -1).unwrap(), t.flatten_axes::<-2, -1>(), &x);
    assert_view(&x.unflatten(-1, &[2, 2]).unwrap(), t.unflatten::<-1, shape![2, 2]>(), &x);
    assert_view(&x.reshape(&[4, 6]).unwrap(), t.reshape::<shape![4, 6]>(), &x);

    // Views of views; strides that describe the new sizes are no copy.
    let swapped = x.permute(&[1, 0, 2]).unwrap();
    let typed = t.permute::<axes![1, 0, 2]>();
    assert_view(&swapped.unflatten(2, &[2, 2]).unwrap(), typed.unflatten::<2, shape![2, 2]>(), &x);
    assert_view(
        &swapped.reshape(&[3, 2, 2, 2]).unwrap(),
        typed.reshape::<shape![3, 2, 2, 2]>(),
        &x,
    );
    let copy = swapped.flatten();
    assert_eq!(copy, typed.flatten().into());
    assert!(!core::ptr::eq(copy.iter().next().unwrap(), &x[[0, 0, 0]]), "no strides describe it");
}

#[test]
fn what_types_refuse_is_an_error() {
    let (_, x) = cube();
    let out = |axis, rank| Err(ShapeError::AxisOutOfRange { axis, rank });
    assert_eq!(tensor_of_rank_1().transpose().map(drop), out(-2, 1));
    assert_eq!(x.permute(&[0, 1, 3]).map(drop), out(3, 3));
    assert_eq!(x.permute(&[0, 1, -2]).map(drop), Err(ShapeError::AxisTwice { axis: 1 }));
    assert_eq!(x.permute(&[0, 1]).map(drop), Err(ShapeError::Permutation { named: 2, rank: 3 }));
    assert_eq!(x.unsqueeze(4).map(drop), out(4, 4));
    assert_eq!(x.unsqueeze(-5).map(drop), out(-5, 4));
    assert_eq!(x.squeeze(isize::MIN).map(drop), out(isize::MIN, 3));
    assert_eq!(x.squeeze(1).map(drop), Err(ShapeError::NotSqueezable { axis: 1, size: 3 }));
    assert_eq!(x.flatten_axes(2, 1).map(drop), Err(ShapeError::AxesOrder { start: 2, end: 1 }));
    assert!(matches!(
        x.unflatten(0, &[3, 1]),
        Err(ShapeError::Length { expected: 3, found: 2, .. })
    ));
    assert!(matches!(x.item(), Err(ShapeError::NotOneElement { .. })));
    assert!(x.expand(&[3, 4]).is_err() && x.expand(&[2, 3, 8]).is_err());
    assert_eq!(
        x.expand(&[4]).unwrap_err().to_string(),
        "a tensor of shape [2, 3, 4] does not broadcast to [4]: broadcasting adds axes in front and stretches axes of size 1, and removes none"
    );
    let words = x.squeeze(1).unwrap_err().to_string();
    assert_eq!(words, "only an axis of size 1 can be squeezed, and axis 1 has size 3");
}

fn tensor_of_rank_1() -> DynTensor<i64> {
    DynTensor::arange(3)
}

#[test]
fn elements_are_read_and_written_by_index() {
    let (t, x) = cube();
    let (t, mut y) = (t.transpose(), x.transpose().unwrap());
    for index in [[0, 0, 0], [1, 3, 2], [0, 2, 1]] {
        assert_eq!(y[index], t[index]);
        assert_eq!(y.get(&index), t.get(index));
    }
    assert_eq!(y.get(&[0, 4, 0]), None);
    assert_eq!(y.get(&[0, 0]), None);
    assert!(y.iter().eq(&t) && y.iter().rev().eq(t.iter().rev()));
    y[[1, 3, 2]] = -1;
    assert_eq!(y.as_mut_slice()[23], -1);
    assert_eq!(x[[1, 2, 3]], 23, "writing to one tensor never changes another");
    assert_eq!((&y).into_iter().count(), y.clone().into_iter().count());
    y.map_assign(|x| 2 * x);
    assert_eq!(y[[1, 3, 2]], -2);
    let mut view = x.permute(&[2, 1, 0]).unwrap();
    view.map_assign(|x| x + 100);
    assert_eq!(view, x.permute(&[2, 1, 0]).unwrap().map(|x| x + 100));
    assert_eq!(x[[0, 0, 0]], 0);
}

#[test]
#[should_panic(expected = "index [0, 3, 0] is out of bounds for a tensor of shape [2, 3, 4]")]
fn an_index_out_of_bounds_panics() {
    let _ = cube().1[[0, 3, 0]];
}

#[test]
#[should_panic(expected = "index [0, 3] has 2 numbers, and a tensor of shape [2, 3, 4] has 3 axes")]
fn an_index_of_another_rank_panics() {
    let _ = cube().1[[0, 3]];
}
