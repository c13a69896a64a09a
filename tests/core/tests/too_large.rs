//! Shapes with more elements than memory holds: refused with their sizes, where the sizes are a
//! product that wraps around as well; and empty tensors whose other sizes are as large.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tensor_core::windows::ConvOptions;
use tensor_core::{
    DynTensor, IntoTensor, One, Shape, ShapeError, StaticShape, Tensor, axis, dim, shape, tensor,
};

axis!(M);
axis!(Zero);
axis!(B);

/// `3 * WRAPS` wraps around to 20, and `2 * WRAPS` is above `isize::MAX`.
const WRAPS: usize = 6_148_914_691_236_517_212;

/// The square of it wraps around to 0.
const HALF: usize = 1 << 32;

/// The message and location of the panic.
#[track_caller]
fn panic_of<R>(work: impl FnOnce() -> R) -> String {
    let panic = catch_unwind(AssertUnwindSafe(work)).err().expect("a panic");
    panic.downcast_ref::<String>().expect("a text").clone()
}

/// Asserts that a panic names the sizes and the reason.
#[track_caller]
fn refuses<R>(sizes: &[usize], work: impl FnOnce() -> R) {
    let expected = ShapeError::TooLarge { sizes: sizes.to_vec() }.to_string();
    assert_eq!(panic_of(work), expected);
}

#[test]
fn the_words_name_the_sizes_and_the_limit() {
    assert_eq!(
        ShapeError::TooLarge { sizes: vec![HALF, HALF] }.to_string(),
        "a tensor of shape [4294967296, 4294967296] does not fit into memory: \
         it has more than isize::MAX bytes"
    );
}

#[test]
fn shapes_of_views_are_counted() {
    let column = tensor![[1.0, 2.0]];
    refuses(&[WRAPS, 2], || column.expand_shaped(shape![M(WRAPS), 2]));
    refuses(&[HALF, HALF], || Tensor::scalar(1).expand_shaped(shape![M(HALF), B(HALF)]));
    // The largest view that there is, and one more.
    let largest = isize::MAX as usize;
    let view = Tensor::scalar(1_u8).expand_shaped(shape![M(largest)]);
    assert_eq!(view.len(), largest);
    refuses(&[largest + 1], || Tensor::scalar(1_u8).expand_shaped(shape![M(largest + 1)]));
}

type Column = Tensor<shape![900000000, 1, 10]>;
type Row = Tensor<shape![900000000, 10]>;

/// Views whose sum has more bytes than memory, which their types alone say.
fn static_sides() -> (Column, Row) {
    let one = Tensor::scalar(1.0_f32);
    (one.expand(), one.expand())
}

#[test]
fn results_are_counted() {
    // Views that fit, and results that do not.
    let rows = Tensor::scalar(1.0_f32).expand_shaped(shape![M(HALF), 1]);
    let columns = Tensor::scalar(1.0_f32).expand_shaped(shape![1, B(HALF)]);
    refuses(&[HALF, HALF], || &rows + &columns);
    refuses(&[HALF, HALF], || rows.matmul(&columns));
    let (m, b) = (
        Tensor::scalar(1.0_f32).expand_shaped(shape![M(HALF)]),
        Tensor::scalar(1.0_f32).expand_shaped(shape![B(HALF)]),
    );
    refuses(&[HALF, HALF], || m.outer(&b));
    // The same with static sizes: nearly `isize::MAX` elements of four bytes each.
    let (rows, columns) = static_sides();
    refuses(&[900_000_000, 900_000_000, 10], || &rows + &columns);
    // As many elements as memory has bytes, each of four.
    let wide = Tensor::scalar(1.0_f32).expand_shaped(shape![M(HALF), B(HALF / 4)]);
    refuses(&[HALF, HALF / 4], || wide.exp());
    refuses(&[HALF, HALF / 4], || &wide * 2.0);
    refuses(&[HALF, HALF / 4], || wide.contiguous());
    refuses(&[HALF, HALF / 4], || wide.to_vec());
    refuses(&[HALF, HALF / 4], || wide.softmax::<-1>());
    refuses(&[HALF, HALF / 4], || wide.map(|x| x));
    // Weights that are a view.
    let len = isize::MAX as usize / 2;
    let image = DynTensor::full(&[1, 5], 1.0_f32);
    let weights = DynTensor::full(&[1, 1, 1], 1.0_f32).expand(&[1, 1, len]).unwrap();
    let options = ConvOptions::new().padding(&[len / 2]);
    refuses(&[1, 1, len], || image.conv(&weights, &options));
}

/// The sum over an empty axis has more elements than there were.
#[test]
fn reductions_over_an_empty_axis_are_counted() {
    let empty = Tensor::<_, f32>::zeros_shaped(shape![3, Zero(0), B(WRAPS)]);
    assert!(empty.is_empty());
    refuses(&[3, WRAPS], || empty.sum_axis::<1>());
    refuses(&[3, WRAPS], || empty.sum_axis_keepdims::<1>());
    let empty = DynTensor::from(empty);
    let error = empty.sum_axis(1).unwrap_err();
    assert_eq!(error, ShapeError::TooLarge { sizes: vec![3, 1, WRAPS] });
}

#[test]
fn constructors_count() {
    let shape = || shape![M(HALF), B(HALF)];
    let sizes = [HALF, HALF];
    refuses(&sizes, || Tensor::<_, f32>::zeros_shaped(shape()));
    refuses(&sizes, || Tensor::<_, f32>::ones_shaped(shape()));
    refuses(&sizes, || Tensor::full_shaped(shape(), 1.0));
    refuses(&sizes, || Tensor::from_fn_shaped(shape(), |[row, _]| row as i64));
    refuses(&sizes, || Tensor::<_, f32>::eye_shaped(shape![M(HALF), M(HALF)]));
    refuses(&sizes, || DynTensor::full(&sizes, 1));
    // Few enough elements, and too many bytes.
    let elements = isize::MAX as usize / 4 + 1;
    refuses(&[elements], || Tensor::<_, f32>::zeros_shaped(shape![M(elements)]));
    refuses(&[elements], || Tensor::<_, f32>::arange_shaped(shape![M(elements)]));
    refuses(&[elements], || Tensor::<_, f32>::linspace_shaped(shape![M(elements)], 0.0, 1.0));
    refuses(&[elements], || DynTensor::full(&[elements], 1.0_f32));
    // 0 elements are not what the shape has.
    let error = Tensor::from_vec_shaped(shape(), Vec::<f32>::new()).unwrap_err();
    assert_eq!((error.expected(), error.found()), (usize::MAX, 0));
    assert!(DynTensor::from_vec(&sizes, Vec::<f32>::new()).is_err());
    assert!(DynTensor::from_vec(&[WRAPS, 3], vec![0_u8; 20]).is_err());
}

#[test]
fn the_panic_is_at_the_line_of_the_user() {
    let wide = Tensor::scalar(1.0_f32).expand_shaped(shape![M(HALF), B(HALF / 4)]);
    let (rows, columns) = static_sides();
    let calls: [(&str, &dyn Fn()); 10] = [
        ("static +", &|| drop(&rows + &columns)),
        ("full", &|| drop(Tensor::full_shaped(shape![M(HALF), B(HALF)], 1.0))),
        ("DynTensor::full", &|| drop(DynTensor::full(&[HALF, HALF], 1.0))),
        ("+", &|| drop(&wide + &wide)),
        ("owned + borrowed", &|| drop(wide.clone() + &wide)),
        ("borrowed + owned", &|| drop(&wide + wide.clone())),
        ("owned * scalar", &|| drop(wide.clone() * 2.0)),
        ("exp", &|| drop(wide.exp())),
        ("expand", &|| drop(wide.expand_shaped(shape![Zero(HALF), M(HALF), B(HALF / 4)]))),
        ("matmul", &|| drop(wide.matmul(&wide.transpose()))),
    ];
    for (name, call) in calls {
        let place = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
        let (found, this) = (std::sync::Arc::clone(&place), std::thread::current().id());
        std::panic::set_hook(Box::new(move |info| {
            // Other tests panic meanwhile.
            if std::thread::current().id() == this {
                *found.lock().unwrap() = info.location().map_or("", |at| at.file()).to_owned();
            }
        }));
        let outcome = catch_unwind(AssertUnwindSafe(call));
        let _ = std::panic::take_hook();
        assert!(outcome.is_err(), "{name}");
        assert!(place.lock().unwrap().ends_with("tests/too_large.rs"), "{name}: {place:?}");
    }
}

#[test]
fn dynamic_tensors_give_an_error() {
    let too_large = |sizes: &[usize]| ShapeError::TooLarge { sizes: sizes.to_vec() };
    let one = DynTensor::full(&[1], 1.0_f32);
    assert_eq!(one.expand(&[HALF, HALF]).unwrap_err(), too_large(&[HALF, HALF]));
    let (rows, columns) = (one.expand(&[HALF, 1]).unwrap(), one.expand(&[HALF]).unwrap());
    assert_eq!((&rows + &columns).unwrap_err(), too_large(&[HALF, HALF]));
    assert_eq!(rows.maximum(&columns).unwrap_err(), too_large(&[HALF, HALF]));
    assert_eq!(rows.clamp(&one, &columns).unwrap_err(), too_large(&[HALF, HALF]));
    assert_eq!(columns.outer(&columns).unwrap_err(), too_large(&[HALF, HALF]));
    let row = one.expand(&[1, HALF]).unwrap();
    assert_eq!(rows.matmul(&row).unwrap_err(), too_large(&[HALF, HALF]));
    let error = one.reshape(&[HALF, HALF]).unwrap_err();
    assert!(matches!(error, ShapeError::Length { expected: usize::MAX, found: 1, .. }));
}

/// Empty tensors whose other sizes are too large for memory are as any other.
#[test]
fn empty_tensors_may_have_large_sizes() {
    let shape = shape![M(HALF), B(HALF), Zero(0)];
    let x = Tensor::<_, f32>::zeros_shaped(shape);
    assert_eq!((x.len(), x.iter().count(), x.to_vec().len()), (0, 0, 0));
    let y = &x + &x;
    let y = (&y * 2.0).exp().maximum(&x);
    assert_eq!(y.shape(), shape);
    assert_eq!(y, x);
    assert_eq!(x.sum().item(), 0.0);
    assert!(x.softmax::<-1>().is_empty() && x.cumsum::<0>().is_empty());
    assert!(x.sum_axis::<0>().is_empty() && x.sum_axis::<1>().is_empty());
    let transposed = x.transpose();
    assert_eq!(transposed.shape().sizes()[..], [HALF, 0, HALF]);
    assert!((&transposed + &transposed).contiguous().is_empty());
    let product = Tensor::<_, f32>::zeros_shaped(shape![M(HALF), B(0)])
        .matmul(&Tensor::<_, f32>::zeros_shaped(shape![B(0), Zero(0)]));
    assert_eq!(product.shape(), shape![M(HALF), Zero(0)]);
}

#[test]
fn empty_static_tensors_may_have_large_sizes() {
    type Empty = (((shape![0], dim!(999_999_999)), dim!(999_999_999)), dim!(999_999_999));
    assert_eq!(Empty::VALUE.num_elements(), 0);
    let x = Tensor::<Empty>::zeros();
    let y = &x + &x * 2.0;
    assert!(y.is_empty() && y == x);
    assert_eq!(y.sum().item(), 0.0);
    let column = Tensor::<((shape![0], dim!(999_999_999)), One)>::zeros();
    let row = Tensor::<shape![0, 1, 999_999_999]>::zeros();
    assert!((&column * &row).is_empty());
}

#[test]
fn empty_dynamic_tensors_may_have_large_sizes() {
    let sizes = [HALF, HALF, 0];
    let x = DynTensor::from_vec(&sizes, Vec::<f32>::new()).unwrap();
    assert_eq!((x.len(), x.sizes()), (0, &sizes[..]));
    let full = DynTensor::full(&[0, HALF, HALF], 1.0_f32);
    assert!(full.is_empty());
    let other = full.reshape(&[HALF, 0, HALF, HALF]).unwrap();
    assert_eq!(other.sizes(), [HALF, 0, HALF, HALF]);
    assert_eq!(other.reshape(&sizes).unwrap(), x);
    assert_eq!((&x + &x).unwrap(), x);
    assert_eq!(x.exp().len(), 0);
    let typed: Tensor<shape![M, B, Zero], f32> = x.into_tensor().unwrap();
    assert!(typed.is_empty());
    assert!(full.reshape(&[HALF, HALF]).is_err());
}
