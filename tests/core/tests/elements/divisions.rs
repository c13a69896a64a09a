//! Integer divisions by zero: the panic is at the line of the user, and names the operation.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::Once;

use tensor_core::{DynTensor, Tensor, axis, fuse, shape, tensor};

thread_local! {
    /// Where the last panic of this thread was.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Asserts that the call panics at the caller's line, with this message.
#[track_caller]
fn panics_here<R>(words: &str, work: impl FnOnce() -> R) {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let place = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
            PLACE.set(place.unwrap_or_default());
            before(info);
        }));
    });
    let panic = catch_unwind(AssertUnwindSafe(work)).err().expect("a panic");
    let found = panic.downcast_ref::<String>().expect("a text");
    assert_eq!(found, words);
    let here = Location::caller();
    assert_eq!(PLACE.take(), format!("{}:{}", here.file(), here.line()));
}

axis!(N);

#[test]
fn the_divisor_and_the_dividend_are_named() {
    let (x, y) = (tensor![[6, 5, 4], [3, 2, 1]], tensor![1, 0, 3]);
    let words = "attempt to divide by zero: `i32` elements of shape [2, 3] by a divisor of shape \
                 [3], which is 0 at index [1]";
    panics_here(words, || &x / &y);
    panics_here(words, || &x % &y);
    panics_here(words, || x.clone() / &y);
    panics_here(words, || x.clone() % y.clone());
    panics_here(words, || x.floor_divide(&y));
    panics_here(words, || x.remainder(&y));
    let mut z = x.clone();
    panics_here(words, || z /= &y);
    assert_eq!(z, x);
    let words = "attempt to divide by zero: `i32` elements of shape [3] by a divisor of shape \
                 [2, 3], which is 0 at index [1, 2]";
    panics_here(words, || &y / tensor![[1, 2, 3], [4, 5, 0]]);
}

#[test]
fn scalars_are_named() {
    let x = tensor![[6_u8, 5], [0, 3]];
    let words = "attempt to divide by zero: `u8` elements of shape [2, 2] by the number 0";
    panics_here(words, || &x / 0);
    panics_here(words, || x.clone() % 0);
    panics_here(words, || x.floor_divide(0));
    let words = "attempt to divide by zero: `u8` number by a divisor of shape [2, 2], which is 0 \
                 at index [1, 0]";
    panics_here(words, || 7 / &x);
    panics_here(words, || 7 % x.clone());
    let words = "attempt to divide by zero: `i64` number by a divisor of shape [2], which is 0 at \
                 index [0]";
    panics_here(words, || tensor![0_i64, 1].powi(-1));
}

#[test]
fn every_layout_and_type() {
    macro_rules! check {
        ($($T:ident)*) => {$({
            // A view with strides, one that repeats elements, and a tensor of several threads.
            let mut wide = Tensor::<shape![3, 5], $T>::ones();
            wide[[2, 1]] = 0;
            let words = concat!(
                "attempt to divide by zero: `", stringify!($T), "` elements of shape [5, 3] by a ",
                "divisor of shape [5, 3], which is 0 at index [1, 2]"
            );
            let ones = Tensor::<shape![5, 3], $T>::ones();
            panics_here(words, || &ones / wide.transpose());
            let repeated = wide.sum_axis_keepdims::<1>() - 5;
            let words = concat!(
                "attempt to divide by zero: `", stringify!($T), "` elements of shape [3, 5] by a ",
                "divisor of shape [3, 5], which is 0 at index [0, 0]"
            );
            panics_here(words, || &wide / repeated.expand::<shape![3, 5]>());
            let mut large = Tensor::<shape![3_000_000], $T>::ones();
            large[[2_999_999]] = 0;
            let words = concat!(
                "attempt to divide by zero: `", stringify!($T), "` elements of shape [3000000] by a ",
                "divisor of shape [3000000], which is 0 at index [2999999]"
            );
            panics_here(words, || &large / &large);
        })*};
    }
    check!(i8 i16 i32 i64 u8 u16 u32 u64);
}

#[test]
fn dynamic_tensors_panic_there_too() {
    let (x, y) = (DynTensor::from(tensor![[1, 2], [3, 4]]), DynTensor::from(tensor![1, 0]));
    let words = "attempt to divide by zero: `i32` elements of shape [2, 2] by a divisor of shape \
                 [2], which is 0 at index [1]";
    panics_here(words, || &x / &y);
    panics_here(words, || x.remainder(&y));
    let words = "attempt to divide by zero: `i32` elements of shape [2, 2] by the number 0";
    panics_here(words, || &x % 0);
    // Shapes that do not broadcast are an error first.
    assert!((&x / &DynTensor::from(tensor![0, 0, 0])).is_err());
}

#[test]
fn fused_divisions_panic_there_too() {
    let (x, y) = (tensor![6, 5, 4], tensor![1, 0, 3]);
    let words = "attempt to divide by zero: a divisor of type `i32` is 0";
    panics_here(words, || fuse!(x / y + 1));
    panics_here(words, || fuse!(x % (y * 2)));
    panics_here(words, || fuse!(x.floor_divide(y)));
    panics_here(words, || fuse!(y.powi(-1)));
    panics_here(words, || fuse!(x / 0));
    assert_eq!(fuse!(x / (y + 1)), tensor![3, 5, 1]);
    assert_eq!(fuse!(y.powi(2)), tensor![1, 0, 9]);
}

/// Floats have results for a division by zero, and where there is nothing to divide, nothing is divided.
#[test]
fn what_is_no_division_by_zero() {
    assert_eq!((tensor![1.0, -1.0] / 0.0).to_vec(), [f64::INFINITY, f64::NEG_INFINITY]);
    assert!(Tensor::<shape![0], i32>::zeros().eq(&(Tensor::<shape![0], i32>::zeros() / 0)));
    let none = Tensor::<_, i32>::zeros_shaped(shape![N(0), 1]);
    assert!((&none / tensor![0, 1]).is_empty());
    assert_eq!(tensor![0, 3] / tensor![3, -3], tensor![0, -1]);
}
