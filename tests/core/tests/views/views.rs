//! Views: their elements, that they do not copy, that writing does not affect other tensors, and which
//! ones do not compile.

use tensor_core::align::AlignTo;
use tensor_core::bounds::{HasLength, OneElement, SquareShape};
use tensor_core::broadcast::ExpandTo;
use tensor_core::reshape::{FlattenAll, FlattenAxes, ReshapeTo, Unflatten};
use tensor_core::views::{Permute, Squeeze, Transpose, Unsqueeze};
use tensor_core::{Axis, Element, HasRank, Shape, StaticShape, Tensor, axes, axis, shape, tensor};

axis!(Batch);
axis!(Seq);
axis!(Hidden = 4);

/// 0, 1, 2 … in any shape.
fn counting<S: StaticShape>() -> Tensor<S, i32> {
    counting_with(S::VALUE)
}

fn counting_with<S: Shape>(shape: S) -> Tensor<S, i32> {
    Tensor::from_vec_shaped(shape, (0..shape.num_elements() as i32).collect()).unwrap()
}

/// The address of the first element: that of a tensor and of its views that start there.
fn start<S: Shape, T: Element>(x: &Tensor<S, T>) -> *const T {
    x.iter().next().expect("an element")
}

/// The elements one by one through the index, against those that the other ways to read give.
fn check<S: HasRank<N>, const N: usize>(
    view: &Tensor<S, i32>,
    mut expected: impl FnMut([usize; N]) -> i32,
) {
    let sizes: [usize; N] = view.shape().sizes()[..].try_into().unwrap();
    let mut elements = Vec::new();
    for number in 0..view.len() {
        let mut rest = number;
        let mut index = [0; N];
        for axis in (0..N).rev() {
            index[axis] = rest % sizes[axis];
            rest /= sizes[axis];
        }
        assert_eq!(view[index], expected(index), "at {index:?}");
        assert_eq!(view.get(index), Some(view[index]));
        elements.push(view[index]);
    }
    assert_eq!(view.to_vec(), elements);
    assert_eq!(view.clone().into_vec(), elements);
    assert!(view.iter().eq(&elements));
    assert!(view.iter().rev().eq(elements.iter().rev()));
    assert_eq!(view.iter().len(), elements.len());
    assert_eq!(
        view.iter().fold(Vec::new(), |mut all, x| {
            all.push(*x);
            all
        }),
        elements
    );
    let mut iter = view.iter();
    for step in 0..elements.len() {
        let end = elements.len() - 1 - step / 2;
        match step % 2 {
            0 => assert_eq!(iter.next_back(), Some(&elements[end])),
            _ => assert_eq!(iter.next(), Some(&elements[step / 2])),
        }
    }
    assert_eq!((iter.next(), iter.next_back()), (None, None));
    let contiguous = view.contiguous();
    assert_eq!(contiguous.as_slice(), Some(&elements[..]));
    assert_eq!(&contiguous, view);
    assert_eq!(view, &contiguous);
    assert_eq!(view.to_string(), contiguous.to_string());
    assert_eq!(format!("{view:?}"), format!("{contiguous:?}"));
    assert_eq!(view.clone().as_mut_slice(), elements);
}

#[test]
fn transpose_swaps_the_last_two_axes() {
    let x = counting::<shape![5, 7]>();
    let view: Tensor<shape![7, 5], _> = x.transpose();
    check(&view, |[i, j]| x[[j, i]]);
    assert_eq!(start(&view), start(&x));

    let x = counting::<shape![2, 3, 4]>();
    let view: Tensor<shape![2, 4, 3], _> = x.transpose();
    check(&view, |[i, j, k]| x[[i, k, j]]);
    assert_eq!(view.transpose(), x);

    let small = tensor![[1, 2], [3, 4]];
    check(&small.transpose(), |[i, j]| small[[j, i]]);
}

#[test]
fn transpose_is_generic_over_leading_axes() {
    fn twice<L: Shape, A: Axis, B: Axis>(x: &Tensor<((L, A), B), i32>) -> Tensor<((L, A), B), i32> {
        let swapped: Tensor<((L, B), A), i32> = x.transpose();
        swapped.transpose()
    }
    let x = counting::<shape![3, 2, 5]>();
    assert_eq!(twice(&x), x);
}

#[test]
fn permute_orders_the_axes() {
    let x = counting::<shape![2, 3, 4]>();
    check(&x.permute::<axes![0, 1, 2]>(), |[i, j, k]| x[[i, j, k]]);
    check(&x.permute::<axes![0, 2, 1]>(), |[i, k, j]| x[[i, j, k]]);
    check(&x.permute::<axes![1, 0, 2]>(), |[j, i, k]| x[[i, j, k]]);
    check(&x.permute::<axes![1, 2, 0]>(), |[j, k, i]| x[[i, j, k]]);
    check(&x.permute::<axes![2, 0, 1]>(), |[k, i, j]| x[[i, j, k]]);
    let view: Tensor<shape![4, 3, 2], _> = x.permute::<axes![-1, -2, 0]>();
    check(&view, |[k, j, i]| x[[i, j, k]]);
    assert_eq!(start(&view), start(&x));
    // One order after the other.
    let view = x.permute::<axes![2, 0, 1]>().permute::<axes![2, 0, 1]>();
    check(&view, |[j, k, i]| x[[i, j, k]]);

    let x = counting_with(shape![Batch(3), 5, Seq(2), Hidden]);
    let view: Tensor<shape![Seq, Batch, Hidden, 5], _> = x.permute::<axes![2, 0, -1, 1]>();
    assert_eq!(view.shape(), shape![Seq(2), Batch(3), Hidden, 5]);
    check(&view, |[s, b, h, i]| x[[b, i, s, h]]);

    assert_eq!(Tensor::scalar(7).permute::<axes![]>(), Tensor::scalar(7));
    assert_eq!(tensor![7, 8].permute::<axes![0]>(), tensor![7, 8]);
}

#[test]
fn unsqueeze_and_squeeze_move_nothing() {
    let x = counting::<shape![5, 6]>();
    let front: Tensor<shape![1, 5, 6], _> = x.unsqueeze::<0>();
    check(&front, |[_, i, j]| x[[i, j]]);
    let middle: Tensor<shape![5, 1, 6], _> = x.unsqueeze::<1>();
    check(&middle, |[i, _, j]| x[[i, j]]);
    let end: Tensor<shape![5, 6, 1], _> = x.unsqueeze::<-1>();
    check(&end, |[i, j, _]| x[[i, j]]);
    assert_eq!(x.unsqueeze::<-2>(), middle);
    assert_eq!(x.unsqueeze::<-3>(), front);
    assert_eq!([start(&front), start(&middle), start(&end)], [start(&x); 3]);
    // Row-major order stays row-major order.
    assert!(middle.as_slice().is_some());
    assert_eq!(front.squeeze::<0>(), x);
    assert_eq!(middle.squeeze::<-2>(), x);
    assert_eq!(end.squeeze::<2>(), x);

    let turned = x.transpose();
    check(&turned.unsqueeze::<1>(), |[j, _, i]| x[[i, j]]);
    check(&turned.unsqueeze::<1>().squeeze::<1>(), |[j, i]| x[[i, j]]);
    assert_eq!(Tensor::scalar(3).unsqueeze::<0>(), tensor![3]);
    assert_eq!(tensor![[3]].squeeze::<0>().squeeze::<0>(), Tensor::scalar(3));
}

#[test]
fn expand_repeats_elements_without_copying_them() {
    let row = counting::<shape![20]>();
    let view: Tensor<shape![3, 20], _> = row.expand();
    check(&view, |[_, j]| row[[j]]);
    assert_eq!(start(&view), start(&row));
    assert_eq!(view.as_slice(), None);
    check(&row.expand::<shape![2, 1, 20]>(), |[_, _, k]| row[[k]]);

    let column = row.unsqueeze::<-1>();
    check(&column.expand::<shape![20, 4]>(), |[i, _]| row[[i]]);
    check(&column.expand::<shape![2, 20, 4]>(), |[_, i, _]| row[[i]]);
    check(&Tensor::scalar(7).expand::<shape![2, 3]>(), |_| 7);
    check(&column.expand::<shape![20, 1]>(), |[i, _]| row[[i]]);

    // A view of a view.
    let x = counting::<shape![2, 1, 5]>();
    let view: Tensor<shape![5, 3, 2], _> =
        x.transpose().expand::<shape![2, 5, 3]>().permute::<axes![1, 2, 0]>();
    check(&view, |[k, _, i]| x[[i, 0, k]]);
    // Expanding an expanded view does not copy.
    let wide = x.expand::<shape![2, 3, 5]>();
    check(&wide.expand::<shape![4, 2, 3, 5]>(), |[_, i, _, k]| x[[i, 0, k]]);
}

#[test]
fn expand_compares_the_sizes_of_named_axes() {
    let x = counting_with(shape![Batch(3), 1]);
    let view = x.expand_shaped(shape![Seq(2), Batch(3), 4]);
    check(&view, |[_, b, _]| x[[b, 0]]);
    let wrong = std::panic::catch_unwind(|| x.expand_shaped(shape![Seq(2), Batch(4), 4]));
    let message = *wrong.unwrap_err().downcast::<String>().unwrap();
    assert!(
        message.starts_with(
            "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1 (`Batch`)"
        ),
        "{message}"
    );
    let many = std::panic::catch_unwind(|| x.expand_shaped(shape![Seq(usize::MAX), Batch(3), 4]));
    let message = *many.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("does not fit into memory"), "{message}");
    // A named axis of size 1 is no `One`.
    let one = counting_with(shape![Batch(1)]);
    assert!(std::panic::catch_unwind(|| one.expand_shaped(shape![Batch(2)])).is_err());
    check(&one.expand_shaped(shape![Seq(0), Batch(1)]), |_| unreachable!());
}

#[test]
fn reshape_keeps_the_order_of_the_elements() {
    let x = counting::<shape![4, 6]>();
    let view: Tensor<shape![2, 3, 4], _> = x.reshape();
    check(&view, |[i, j, k]| (12 * i + 4 * j + k) as i32);
    assert_eq!(start(&view), start(&x));
    assert_eq!(view.reshape::<shape![4, 6]>(), x);
    check(&x.flatten(), |[i]| i as i32);
    check(&x.reshape::<shape![1, 24, 1]>(), |[_, i, _]| i as i32);
    assert_eq!(tensor![[5]].reshape::<shape![]>(), Tensor::scalar(5));
    assert_eq!(Tensor::scalar(5).reshape::<shape![1, 1]>(), tensor![[5]]);
    assert_eq!(Tensor::scalar(5).flatten(), tensor![5]);
}

#[test]
fn reshape_copies_only_what_no_strides_describe() {
    let x = counting::<shape![6, 8]>();
    let turned: Tensor<shape![8, 6], _> = x.transpose();
    // Both axes of the view are split: still a view.
    let split: Tensor<shape![2, 4, 3, 2], _> = turned.reshape();
    check(&split, |[a, b, c, d]| x[[2 * c + d, 4 * a + b]]);
    assert_eq!(start(&split), start(&x));
    // Two axes of the view become one: a copy.
    let flat = turned.flatten();
    check(&flat, |[i]| x[[i % 6, i / 6]]);
    assert_ne!(start(&flat), start(&x));
    assert!(flat.as_slice().is_some());
    // Axes with stride 0 are not copied, unless they are merged.
    let wide = counting::<shape![20]>().expand::<shape![3, 20]>();
    let split: Tensor<shape![3, 4, 5], _> = wide.reshape();
    check(&split, |[_, i, j]| (5 * i + j) as i32);
    assert_eq!(start(&split), start(&wide));
    check(&wide.flatten(), |[i]| (i % 20) as i32);
}

#[test]
fn flatten_axes_and_unflatten_leave_other_axes_alone() {
    let x = counting_with(shape![Batch(2), 3, 4, Seq(5)]);
    let view: Tensor<shape![Batch, 12, Seq], _> = x.flatten_axes::<1, 2>();
    assert_eq!(view.shape(), shape![Batch(2), 12, Seq(5)]);
    check(&view, |[b, i, s]| x[[b, i / 4, i % 4, s]]);
    assert_eq!(start(&view), start(&x));
    assert_eq!(view.unflatten::<1, shape![3, 4]>(), x);
    check(&view.unflatten::<-2, shape![2, 1, 6]>(), |[b, i, _, j, s]| view[[b, 6 * i + j, s]]);
    check(&x.flatten_axes::<2, 2>(), |[b, i, j, s]| x[[b, i, j, s]]);

    let turned: Tensor<shape![Batch, Seq, 4, 3], _> = x.permute::<axes![0, 3, 2, 1]>();
    check(&turned.flatten_axes::<-2, -1>(), |[b, s, i]| x[[b, i % 3, i / 3, s]]);
    // Attention: heads out of the last axis, and in front of the sequence.
    let x = counting_with(shape![Batch(2), Seq(3), 12]);
    let heads: Tensor<shape![Batch, 3, Seq, 4], _> =
        x.unflatten::<-1, shape![3, 4]>().permute::<axes![0, 2, 1, 3]>();
    check(&heads, |[b, h, s, i]| x[[b, s, 4 * h + i]]);
    assert_eq!(start(&heads), start(&x));
    let back = heads.permute::<axes![0, 2, 1, 3]>().flatten_axes::<-2, -1>();
    assert_eq!(back, x);
    assert_eq!(start(&back), start(&x));
}

#[test]
fn axes_of_size_zero_go_through_every_view() {
    let x = Tensor::<shape![2, 0, 3], i32>::zeros();
    let turned: Tensor<shape![2, 3, 0], _> = x.transpose();
    check(&turned, |_| unreachable!());
    check(&x.permute::<axes![2, 0, 1]>(), |_| unreachable!());
    check(&x.unsqueeze::<1>(), |_| unreachable!());
    check(&x.unsqueeze::<1>().squeeze::<1>(), |_| unreachable!());
    check(&x.expand::<shape![5, 2, 0, 3]>(), |_| unreachable!());
    check(&tensor![1].expand::<shape![0]>(), |_| unreachable!());
    check(&Tensor::scalar(1).expand::<shape![0, 4]>(), |_| unreachable!());
    check(&x.reshape::<shape![7, 0]>(), |_| unreachable!());
    check(&turned.reshape::<shape![0]>(), |_| unreachable!());
    check(&turned.flatten(), |_| unreachable!());
    check(&x.flatten_axes::<0, 1>(), |_| unreachable!());
    check(&x.unflatten::<1, shape![0, 9]>(), |_| unreachable!());
    let mut y = turned.clone();
    assert_eq!(y.as_mut_slice(), [0; 0]);
    assert!(x.as_slice().is_some());
}

#[test]
fn writing_to_a_view_changes_no_other_tensor() {
    fn check_all(x: Tensor<shape![4, 10], i32>) {
        let before = x.to_vec();
        let mut turned = x.transpose();
        turned[[3, 1]] = -1;
        assert_eq!((x[[1, 3]], turned[[3, 1]], turned[[1, 3]]), (13, -1, 31));
        let mut flat = x.flatten();
        flat[[7]] = -2;
        assert_eq!((x[[0, 7]], flat[[7]]), (7, -2));
        let mut wide = x.expand::<shape![3, 4, 10]>();
        wide[[1, 0, 0]] = -3;
        assert_eq!([wide[[0, 0, 0]], wide[[1, 0, 0]], wide[[2, 0, 0]], x[[0, 0]]], [0, -3, 0, 0]);
        let mut slice = x.transpose();
        slice.as_mut_slice()[1] = -4;
        assert_eq!((slice[[0, 1]], x[[1, 0]]), (-4, 10));
        assert_eq!(x.to_vec(), before);

        // And the inverse.
        let (turned, mut x) = (x.transpose(), x);
        x[[1, 3]] = -5;
        x.as_mut_slice()[0] = -6;
        assert_eq!((turned[[3, 1]], turned[[0, 0]]), (13, 0));
        assert_eq!((x[[1, 3]], x[[0, 0]]), (-5, -6));
    }
    check_all(counting());
    // Unshared storage in another order.
    check_all(Tensor::<shape![10, 4], i32>::from_fn(|[i, j]| (10 * j + i) as i32).transpose());

    fn small() {
        let x = tensor![[1, 2], [3, 4]];
        let mut turned = x.transpose();
        turned[[0, 1]] = 9;
        assert_eq!((x, turned), (tensor![[1, 2], [3, 4]], tensor![[1, 9], [2, 4]]));
    }
    small();
}

#[test]
fn a_view_that_is_written_to_again_is_copied_once() {
    let x = counting::<shape![20, 30]>();
    let mut view = x.transpose();
    view[[0, 0]] = 1;
    let at = view.as_slice().expect("a copy in row-major order").as_ptr();
    assert_ne!(at, start(&x));
    view[[29, 19]] = 2;
    assert_eq!(view.as_slice().unwrap().as_ptr(), at);
}

#[test]
fn what_is_row_major_already_is_not_copied() {
    let x = counting::<shape![20, 30]>();
    assert_eq!(start(&x.contiguous()), start(&x));
    assert_eq!(start(&x.transpose().transpose().contiguous()), start(&x));
    assert!(x.transpose().transpose().as_slice().is_some());
    // Swapping axes of size 1 moves nothing.
    assert!(x.unsqueeze::<0>().permute::<axes![1, 0, 2]>().as_slice().is_some());
    assert_ne!(start(&x.transpose().contiguous()), start(&x));
}

#[test]
fn views_are_compared_by_their_elements() {
    let x = counting::<shape![3, 3]>();
    assert_ne!(x.transpose(), x);
    assert_eq!(x.transpose().transpose(), x);
    let symmetric = Tensor::<shape![3, 3], i32>::eye();
    assert_eq!(symmetric.transpose(), symmetric);
    let halves = x.cast::<f64>() * 0.5;
    let nearly = halves.transpose() + 1e-9;
    assert!(nearly.transpose().all_close(&halves, 0.0, 1e-8));
    assert!(!nearly.all_close(&halves, 0.0, 1e-8));
}

/// Whether a type has a trait, as a constant.
macro_rules! has {
    ($T:ty: $($Trait:tt)+) => {{
        #[allow(dead_code)]
        trait Otherwise {
            const HAS: bool = false;
        }
        impl<T: ?Sized> Otherwise for T {}
        struct Check<T: ?Sized>(core::marker::PhantomData<T>);
        #[allow(dead_code)]
        impl<T: ?Sized + $($Trait)+> Check<T> {
            const HAS: bool = true;
        }
        <Check<$T>>::HAS
    }};
}

macro_rules! compile {
    ($(($($case:tt)+) $expected:literal;)+) => {
        $(const _: () = assert!(has!($($case)+) == $expected, stringify!($($case)+));)+
    };
}

compile! {
    (shape![2, 3]: Transpose) true;
    (shape![2]: Transpose) false;
    (shape![]: Transpose) false;
    (shape![Batch, Seq]: Transpose) true;

    (shape![2, 3, 4]: Permute<axes![2, 0, 1]>) true;
    (shape![2, 3, 4]: Permute<axes![-1, 0, -2]>) true;
    (shape![2, 3, 4]: Permute<axes![0, 1]>) false;
    (shape![2, 3, 4]: Permute<axes![0, 1, 3]>) false;
    (shape![2, 3, 4]: Permute<axes![0, 2, -1]>) false;
    (shape![2, 3]: Permute<axes![0, 1, 2]>) false;

    (shape![2, 3]: Unsqueeze<2>) true;
    (shape![2, 3]: Unsqueeze<-3>) true;
    (shape![2, 3]: Unsqueeze<3>) false;
    (shape![2, 3]: Unsqueeze<-4>) false;

    (shape![2, 1]: Squeeze<1>) true;
    (shape![2, 1]: Squeeze<-1>) true;
    (shape![2, 1]: Squeeze<0>) false;
    (shape![2, 1]: Squeeze<2>) false;
    (shape![Batch, 1]: Squeeze<0>) false;

    (shape![1, 3]: ExpandTo<shape![2, 3]>) true;
    (shape![3]: ExpandTo<shape![2, 3]>) true;
    (shape![2, 3]: ExpandTo<shape![3]>) false;
    (shape![2, 3]: ExpandTo<shape![1, 3]>) false;
    (shape![2]: ExpandTo<shape![2, 3]>) false;
    (shape![1]: ExpandTo<shape![Batch]>) true;
    (shape![Batch]: ExpandTo<shape![Batch, 1]>) false;
    (shape![Batch]: ExpandTo<shape![Seq]>) false;
    (shape![4]: ExpandTo<shape![Hidden]>) false;

    (shape![2, 3]: ReshapeTo<shape![6]>) true;
    (shape![2, 3]: ReshapeTo<shape![3, 1, 2]>) true;
    (shape![2000, 48]: ReshapeTo<shape![96000]>) true;
    (shape![2, 3]: ReshapeTo<shape![7]>) false;
    (shape![2, 0]: ReshapeTo<shape![0]>) true;
    (shape![2, 0]: ReshapeTo<shape![1]>) false;
    (shape![Batch, 3]: ReshapeTo<shape![6]>) false;
    (shape![6]: ReshapeTo<shape![Batch, 3]>) false;
    (shape![2, 2]: ReshapeTo<shape![Hidden]>) true;

    (shape![2, 3]: FlattenAll) true;
    (shape![Batch, 3]: FlattenAll) false;
    (shape![Batch, 2, 3]: FlattenAxes<1, 2>) true;
    (shape![Batch, 2, 3]: FlattenAxes<0, 1>) false;
    (shape![2, 3]: FlattenAxes<1, 0>) false;
    (shape![2, 3]: FlattenAxes<0, 2>) false;
    (shape![Batch, 6]: Unflatten<1, shape![2, 3]>) true;
    (shape![Batch, 6]: Unflatten<1, shape![2, 2]>) false;
    (shape![Batch, 6]: Unflatten<0, shape![2, 3]>) false;
    (shape![Batch, 6]: Unflatten<2, shape![2, 3]>) false;

    (shape![2, 3]: HasRank<2>) true;
    (shape![2, 3]: HasRank<3>) false;
    (Tensor<shape![2, 3]>: core::ops::Index<[usize; 2]>) true;
    (Tensor<shape![2, 3]>: core::ops::Index<[usize; 1]>) false;
    (Tensor<shape![2, 3]>: core::ops::IndexMut<[usize; 3]>) false;

    (shape![]: OneElement) true;
    (shape![1, 1]: OneElement) true;
    (shape![1, 2]: OneElement) false;
    (shape![Batch]: OneElement) false;

    (shape![3, 3]: SquareShape) true;
    (shape![Batch, Batch]: SquareShape) true;
    (shape![3, 4]: SquareShape) false;
    (shape![Hidden, 4]: SquareShape) false;
    (shape![3, 3, 3]: SquareShape) false;

    (Hidden: HasLength<4>) true;
    (Hidden: HasLength<5>) false;
    (Batch: HasLength<4>) false;
    (Tensor<shape![2, 3], i32>: From<[[i32; 3]; 2]>) true;
    (Tensor<shape![2, 3], i32>: From<[[i32; 2]; 3]>) false;
    (Tensor<shape![2, 3], i32>: From<[i32; 6]>) false;
    (Tensor<shape![2, 3], i32>: From<[[u8; 3]; 2]>) false;
    (Tensor<shape![1, Hidden], i32>: From<[[i32; 4]; 1]>) true;
    (Tensor<shape![Batch], i32>: From<[i32; 4]>) false;
    (Tensor<shape![5000], i32>: From<[i32; 5000]>) true;
    (Tensor<shape![5000], i32>: From<[i32; 5001]>) false;
    (Tensor<shape![], i32>: From<i32>) true;
    (Tensor<shape![1], i32>: From<i32>) false;
}

#[test]
fn reshaping_to_run_time_sizes() {
    let x = counting::<shape![6, 4]>();
    let batches = x.reshape_shaped(shape![Batch(3), 2, Hidden]);
    check(&batches, |[i, j, k]| (8 * i + 4 * j + k) as i32);
    assert_eq!(start(&batches), start(&x), "a view");
    let rows = batches.transpose().reshape_shaped(shape![Batch(3), 8]);
    check(&rows, |[i, j]| (8 * i + 4 * (j % 2) + j / 2) as i32);
    assert_eq!(rows.reshape_shaped(shape![24]).to_vec(), rows.to_vec());
    let empty = counting_with(shape![Batch(0), 5]).reshape_shaped(shape![7, Batch(0)]);
    assert!(empty.is_empty());
}

#[test]
#[should_panic(expected = "shape [5, 4] has 20 elements, but 24 were given")]
fn reshaping_to_run_time_sizes_keeps_the_number_of_elements() {
    counting::<shape![6, 4]>().reshape_shaped(shape![Batch(5), Hidden]);
}

axis!(Rows, Columns = 3, Depth = 2, Time);

type Target = shape![Rows, Depth, Columns, Time];

#[test]
fn align_to_permutes_by_names_and_inserts_axes() {
    let x = Tensor::<shape![Time, Depth, Rows], i32>::from_fn_shaped(
        shape![Time(4), Depth, Rows(5)],
        |[time, depth, row]| (100 * time + 10 * depth + row) as i32,
    );
    let aligned: Tensor<shape![Rows, Depth, 1, Time], i32> = x.align_to::<Target>();
    assert_eq!(aligned.shape(), shape![Rows(5), Depth, 1, Time(4)]);
    for (time, depth, row) in [(0, 0, 0), (3, 1, 4), (2, 0, 1)] {
        assert_eq!(aligned[[row, depth, 0, time]], x[[time, depth, row]]);
    }
    let back: Tensor<shape![Time, Depth, Rows], i32> =
        aligned.squeeze::<2>().align_to::<shape![Time, Depth, Rows]>();
    assert_eq!(back, x);
    // The order that the tensor has already, and no axes at all.
    assert_eq!(x.align_to::<shape![Time, Depth, Rows]>(), x);
    let number: Tensor<shape![1, 1, 1, 1]> = Tensor::scalar(7.0).align_to::<Target>();
    assert_eq!(number.item(), 7.0);
    assert_eq!(Tensor::scalar(7.0).align_to::<shape![]>(), Tensor::scalar(7.0));
}

#[test]
fn align_to_copies_nothing_and_takes_views() {
    let x = counting_with(shape![Columns, Time(40)]);
    assert_eq!(start(&x.align_to::<shape![Rows, Time, Columns]>()), start(&x));
    let x = counting::<shape![Columns, Depth]>();
    let turned: Tensor<shape![Columns, Depth, 1], i32> =
        x.transpose().align_to::<shape![Columns, Depth, Rows]>();
    assert_eq!(turned.squeeze::<2>(), x);
    // An axis that was stretched has stride 0.
    let stretched = tensor![1, 2].rename_axis::<0, Depth>().expand::<shape![Columns, Depth]>();
    let aligned: Tensor<shape![Depth, Columns], i32> =
        stretched.align_to::<shape![Depth, Columns]>();
    assert_eq!(aligned.to_vec(), [1, 1, 1, 2, 2, 2]);
}

/// In generic code the call is the bound.
fn biased<B: Axis, C: Axis>(
    x: &Tensor<shape![B, C]>,
    bias: &Tensor<shape![C]>,
) -> Tensor<shape![B, C]>
where
    shape![C]: AlignTo<shape![B, C], Output = shape![1, C]>,
{
    x + bias.align_to::<shape![B, C]>()
}

#[test]
fn align_to_in_generic_code() {
    let x = Tensor::<shape![Rows, Columns]>::ones_shaped(shape![Rows(2), Columns]);
    let bias = Tensor::<shape![Columns]>::from_fn(|[column]| column as f32);
    assert_eq!(biased(&x, &bias).to_vec(), [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
}
