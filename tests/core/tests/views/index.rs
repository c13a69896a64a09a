//! Indexing, iteration, and equality of tensors.

use tensor_core::{Tensor, axis, shape, tensor};

axis!(Batch);
axis!(Hidden = 3);

fn message(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(f).expect_err("this panics");
    panic.downcast_ref::<String>().expect("a formatted message").clone()
}

#[test]
fn an_index_finds_its_element() {
    let x = tensor![[[1, 2], [3, 4], [5, 6]]];
    let mut next = 1;
    for i in 0..1 {
        for j in 0..3 {
            for k in 0..2 {
                assert_eq!(x[[i, j, k]], next);
                assert_eq!(x.get([i, j, k]), Some(next));
                next += 1;
            }
        }
    }
    assert_eq!(Tensor::scalar(3)[[]], 3);
    assert_eq!(Tensor::scalar(3).get([]), Some(3));
    let wide = Tensor::<shape![3, 50], i32>::from_fn(|[i, j]| (i * 50 + j) as i32);
    assert_eq!(wide[[2, 49]], 149);
}

#[test]
fn an_index_that_leaves_an_axis_says_which() {
    let x = Tensor::<shape![2, 3], i32>::zeros();
    assert_eq!(x.get([1, 3]), None);
    assert_eq!(x.get([2, 0]), None);
    assert_eq!(x.get([usize::MAX, usize::MAX]), None);
    let y = x.clone();
    assert_eq!(message(move || _ = y[[1, 3]]), "index 3 is out of bounds for axis 1 of size 3");
    let y = x.clone();
    assert_eq!(message(move || _ = y[[2, 9]]), "index 2 is out of bounds for axis 0 of size 2");
    let mut y = x.clone();
    assert_eq!(message(move || y[[0, 3]] = 1), "index 3 is out of bounds for axis 1 of size 3");
    let y = Tensor::<_, f32>::zeros_shaped(shape![Batch(4), Hidden]);
    assert_eq!(
        message(move || _ = y[[4, 0]]),
        "index 4 is out of bounds for axis 0 (`Batch`) of size 4"
    );
    let y = Tensor::<shape![0], f32>::zeros();
    assert_eq!(y.get([0]), None);
    assert_eq!(message(move || _ = y[[0]]), "index 0 is out of bounds for axis 0 of size 0");
}

#[test]
fn the_panic_points_at_the_index() {
    use std::sync::Mutex;
    static PLACE: Mutex<Option<(String, u32)>> = Mutex::new(None);

    let x = Tensor::<shape![2], i32>::zeros();
    // Other tests of this file panic meanwhile, on other threads.
    let here = std::thread::current().id();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == here {
            let place = info.location().expect("a place");
            *PLACE.lock().unwrap() = Some((place.file().to_string(), place.line()));
        }
    }));
    let line = line!() + 1;
    let result = std::panic::catch_unwind(move || _ = x[[2]]);
    std::panic::set_hook(before);
    assert!(result.is_err());
    assert_eq!(*PLACE.lock().unwrap(), Some((file!().to_string(), line)));
}

#[test]
fn writing_to_one_tensor_leaves_its_clones() {
    fn check<const N: usize>(mut x: Tensor<shape![Batch], i32>) {
        let before = x.clone();
        x[[1]] = 100;
        assert_eq!((before[[1]], x[[1]]), (1, 100));
        let mut third = before.clone();
        third.as_mut_slice()[0] = 50;
        assert_eq!([before[[0]], x[[0]], third[[0]]], [0, 0, 50]);
        x[[2]] += 5;
        assert_eq!((before[[2]], x[[2]]), (2, 7));
        assert_eq!(x.len(), N);
    }
    // Inline, and on the heap.
    check::<8>(Tensor::arange_shaped(shape![Batch(8)]));
    check::<80>(Tensor::arange_shaped(shape![Batch(80)]));
}

#[test]
fn writing_to_memory_of_one_owner_stays_in_place() {
    let mut x = Tensor::<shape![100], i32>::arange();
    let at = x.as_slice().unwrap().as_ptr();
    x[[7]] = 70;
    x.as_mut_slice()[8] = 80;
    assert_eq!(x.as_slice().unwrap().as_ptr(), at);
    assert_eq!((x[[6]], x[[7]], x[[8]]), (6, 70, 80));
}

#[test]
fn item_takes_the_only_element() {
    assert_eq!(Tensor::scalar(1.5).item(), 1.5);
    assert_eq!(tensor![[[7]]].item(), 7);
}

#[test]
fn iteration_is_in_row_major_order_from_both_ends() {
    let x = tensor![[1, 2, 3], [4, 5, 6]];
    assert_eq!(x.iter().copied().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(x.iter().rev().copied().collect::<Vec<_>>(), [6, 5, 4, 3, 2, 1]);
    assert_eq!(x.iter().len(), 6);
    let mut total = 0;
    for element in &x {
        total += element;
    }
    assert_eq!(total, 21);
    assert_eq!(x.transpose().into_iter().collect::<Vec<i32>>(), [1, 4, 2, 5, 3, 6]);
    let mut iter = x.iter();
    assert_eq!((iter.next(), iter.next_back(), iter.len()), (Some(&1), Some(&6), 4));
    assert_eq!(Tensor::<shape![0, 3]>::zeros().iter().next(), None);
    assert_eq!(Tensor::scalar(1).iter().count(), 1);
}

#[test]
fn slices_have_the_elements_of_the_tensor_and_no_more() {
    assert_eq!(tensor![1, 2, 3].as_slice(), Some(&[1, 2, 3][..]));
    assert_eq!(tensor![1, 2, 3].as_mut_slice(), [1, 2, 3]);
    assert_eq!(Tensor::<shape![2, 0], i32>::zeros().as_mut_slice(), [0; 0]);
    assert_eq!(Tensor::scalar(1).as_mut_slice(), [1]);
}

#[test]
fn equality_compares_sizes_and_elements() {
    assert_eq!(tensor![[1, 2], [3, 4]], tensor![[1, 2], [3, 4]]);
    assert_ne!(tensor![[1, 2], [3, 4]], tensor![[1, 2], [3, 5]]);
    assert_eq!(tensor![0.0], tensor![-0.0]);
    assert_ne!(tensor![1.0, f64::NAN], tensor![1.0, f64::NAN]);
    assert_eq!(Tensor::<shape![0]>::zeros(), Tensor::<shape![0]>::ones());
    let batch = |size| Tensor::<shape![Batch, 0], i32>::zeros_shaped(shape![Batch(size), 0]);
    assert_eq!(batch(2), batch(2));
    assert_ne!(batch(2), batch(3), "both are empty, but of different sizes");
    let large = Tensor::<shape![100], i32>::arange();
    let mut other = large.clone();
    assert_eq!(large, other);
    other[[99]] = 0;
    assert_ne!(large, other);
}

#[test]
fn one_different_element_is_found_wherever_it_is() {
    let x = Tensor::<shape![20, 30], i32>::from_fn(|[i, j]| (30 * i + j) as i32);
    let (floats, turned) = (x.cast::<f64>(), x.transpose());
    for i in 0..20 {
        for j in 0..30 {
            let mut y = x.clone();
            y[[i, j]] = -1;
            assert_ne!(x, y);
            assert_ne!(turned, y.transpose());
            assert_ne!(turned, y.transpose().contiguous());
            let close = floats.all_close(&y.cast(), 0.0, 0.5);
            assert!(!close, "{i} {j}");
        }
    }
    assert_eq!(turned, turned.contiguous());
    assert!(floats.all_close(&(&floats + 0.5), 0.0, 0.5));
}

#[test]
fn all_close_is_relative_to_the_other_side() {
    let x = |value: f64| Tensor::scalar(value);
    assert!(x(1.0).all_close(&x(1.0), 0.0, 0.0));
    assert!(x(1.0).all_close(&x(1.5), 0.0, 0.5));
    assert!(!x(1.0).all_close(&x(1.5), 0.0, 0.49));
    // |90 - 100| <= 0.1 · 100, but not <= 0.1 · 90.
    assert!(x(90.0).all_close(&x(100.0), 0.1, 0.0));
    assert!(!x(100.0).all_close(&x(90.0), 0.1, 0.0));
    assert!(x(f64::INFINITY).all_close(&x(f64::INFINITY), 0.0, 0.0));
    assert!(!x(1.0).all_close(&x(f64::INFINITY), 1.0, 1.0));
    assert!(!x(f64::INFINITY).all_close(&x(f64::MAX), 1.0, 1.0));
    assert!(!x(f64::NEG_INFINITY).all_close(&x(f64::INFINITY), 1.0, 1.0));
    assert!(!x(f64::NAN).all_close(&x(f64::NAN), 1.0, f64::INFINITY));
    assert!(!x(1.0).all_close(&x(f64::NAN), 1.0, f64::INFINITY));
    assert!(!tensor![1.0f32, 2.0].all_close(&tensor![1.0, 2.1], 1e-3, 0.0));
    assert!(tensor![1.0f32, 2.0].all_close(&tensor![1.0, 2.001], 1e-3, 0.0));
    let batch = |size| Tensor::<shape![Batch], f32>::zeros_shaped(shape![Batch(size)]);
    assert!(batch(0).all_close(&batch(0), 0.0, 0.0));
    assert!(!batch(2).all_close(&batch(3), 1.0, 1.0));
}
