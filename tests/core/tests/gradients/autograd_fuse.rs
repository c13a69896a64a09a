//! Gradients of `fuse!`: those of the same expression by the methods of tensors, and of differences.

use tensor_core::{DynTensor, Tensor, autograd, fuse, select, shape, strict, strictly, tensor};

type Rows = Tensor<shape![3, 4], f64>;
type Row = Tensor<shape![4], f64>;

fn rows() -> Rows {
    Tensor::from_fn(|[row, column]| 0.3 + 0.17 * row as f64 - 0.23 * column as f64).requires_grad()
}

fn row() -> Row {
    Tensor::from_fn(|[column]| 0.8 - 0.31 * column as f64).requires_grad()
}

/// Compares gradients to third order of two functions that are to be the same.
fn same(name: &str, fused: impl Fn(&Rows, &Row) -> Rows, methods: impl Fn(&Rows, &Row) -> Rows) {
    let (x, w) = (rows(), row());
    let weights = Rows::from_fn(|[row, column]| 1.0 + 0.1 * row as f64 + 0.01 * column as f64);
    let all = |f: &dyn Fn(&Rows, &Row) -> Rows| {
        let y = f(&x, &w);
        assert!(y.is_tracked(), "{name}: is not tracked");
        let (dx, dw) = (&y * &weights).sum().tracked_gradients((&x, &w));
        let second = if dx.is_tracked() || dw.is_tracked() {
            let curved = (&dx * &weights).sum() + dw.sum();
            if curved.is_tracked() {
                let (ddx, ddw) = curved.tracked_gradients((&x, &w));
                let last = (&ddx * &weights).sum() + (&ddw * 1.5).sum();
                let third = match last.is_tracked() {
                    true => last.gradients((&x, &w)),
                    false => (Tensor::zeros(), Tensor::zeros()),
                };
                vec![(ddx, ddw), third]
            } else {
                Vec::new()
            }
        } else {
            Vec::new()
        };
        let none = || (Tensor::zeros(), Tensor::zeros());
        let mut all = vec![(dx, dw)];
        all.extend(second);
        all.resize_with(3, none);
        (y, all)
    };
    let (y, got) = all(&fused);
    let (expected, want) = all(&methods);
    assert!(y.all_close(&expected, 1e-12, 1e-12), "{name}: {y} is not {expected}");
    for (order, ((dx, dw), (ex, ew))) in got.iter().zip(&want).enumerate() {
        assert!(dx.all_close(ex, 1e-9, 1e-9), "{name}, order {}: {dx} is not {ex}", order + 1);
        assert!(dw.all_close(ew, 1e-9, 1e-9), "{name}, order {}: {dw} is not {ew}", order + 1);
    }
}

#[test]
fn expressions_have_the_gradients_of_methods() {
    same("a product", |x, w| fuse!(x * w + 1.0), |x, w| x * w + 1.0);
    same(
        "functions",
        |x, w| fuse!((x * w).exp() / (1.0 + w.square()) - x.sin()),
        |x, w| (x * w).exp() / (1.0 + w.square()) - x.sin(),
    );
    same("one operand twice", |x, w| fuse!(x * x * x * w), |x, w| x * x * x * w);
    same("powers", |x, w| fuse!((x + w).powi(3)), |x, w| (x + w).powi(3));
    same(
        "a number on the left",
        |x, w| fuse!(2.0 / (x * x + 1.0) - w),
        |x, w| 2.0 / (x * x + 1.0) - w,
    );
    let (scale, shift) = (1.7, tensor![0.25]);
    same(
        "captured numbers and constants",
        |x, w| fuse!((x * scale + &shift) * w.tanh()),
        |x, w| (x * scale + &shift) * w.tanh(),
    );
    same(
        "activations",
        |x, w| fuse!((x * w).gelu() + x.sigmoid() * w.silu()),
        |x, w| (x * w).gelu() + x.sigmoid() * w.silu(),
    );
    same("a negative", |x, w| fuse!(-(x * w) - (-x)), |x, w| -(x * w) - (-x));
    same(
        "the larger and the smaller",
        |x, w| fuse!((x.maximum(w)).minimum(0.4) * x),
        |x, w| x.maximum(w).minimum(0.4) * x,
    );
}

#[test]
fn choices_and_limits() {
    same(
        "select",
        |x, w| fuse!(select(x.greater(w), x * x, w * 3.0)),
        |x, w| select(x.greater(w), x * x, w * 3.0),
    );
    same(
        "select of two numbers",
        |x, w| fuse!(select(x.greater(0.1), 2.0, 0.5) * x * w),
        |x, w| select(x.greater(0.1), Row::full(2.0), Row::full(0.5)) * x * w,
    );
    same(
        "a mask of masks",
        |x, w| fuse!(select(x.greater(w) & !x.less(0.2), x * w, w * w)),
        |x, w| select(x.greater(w) & !x.less(tensor![0.2]), x * w, w * w),
    );
    same(
        "select of truth values",
        |x, w| fuse!(select(select(x.greater(0.1), true, false), x * w, w * w)),
        |x, w| select(x.greater(tensor![0.1]), x * w, w * w),
    );
    same("limits", |x, w| fuse!(x.clamp(-0.1, 0.2) * w), |x, w| x.clamp(-0.1, 0.2) * w);
    // At a limit, too, the gradient is that of the method.
    let x = tensor![0.0, 0.5, 1.0, 2.0].requires_grad();
    let of_method = x.clamp(0.0, 1.0).sum().gradients(&x);
    assert_eq!(fuse!(x.clamp(0.0, 1.0) * 1.0).sum().gradients(&x), of_method);
}

#[test]
fn other_element_types_on_the_way() {
    same(
        "single precision",
        |x, w| fuse!((x.cast::<f32>() * 2.0).cast::<f64>() * w),
        |x, w| (x.cast::<f32>() * 2.0).cast::<f64>() * w,
    );
    same(
        "integers",
        |x, w| fuse!((x * 10.0).cast::<i32>().cast::<f64>() * w + x),
        |x, w| (x * 10.0).detach().cast::<i32>().cast::<f64>() * w + x,
    );
    // Kernels of integers are shared between signed and unsigned ones.
    let steps = tensor![1_i32, -2, 3, -4];
    same(
        "a tensor of integers",
        |x, w| fuse!((&steps + 1).cast::<f64>() * x * w),
        |x, w| (&steps + 1).cast::<f64>() * x * w,
    );
    let mask = tensor![true, false, true, false];
    same(
        "a tensor of truth values",
        |x, w| fuse!(select(!&mask, x * w, w * 2.0)),
        |x, w| select(!&mask, x * w, w * 2.0),
    );
}

#[test]
fn what_has_no_gradient_is_a_constant() {
    let x = row();
    assert!(!fuse!(x.greater(0.5)).cast::<f64>().is_tracked());
    assert!(!fuse!((x * 4.0).floor()).is_tracked());
    let y = fuse!((x * 4.0).cast::<i32>());
    assert_eq!(y, (x.detach() * 4.0).cast::<i32>());
    assert!(!autograd::no_grad(|| fuse!(x * 2.0)).is_tracked());
    let (x, constant) = (row(), row().detach());
    assert!(!fuse!(constant * 2.0 + 1.0).is_tracked());
    let (of_x, of_other) = fuse!(x * constant).sum().gradients((&x, &row()));
    assert_eq!((of_x, of_other), (constant, Tensor::zeros()));
}

#[test]
fn views_and_stretched_operands() {
    let wide = Tensor::<shape![4, 6], f64>::from_fn(|[i, j]| (i as f64 - 1.7) * (j as f64 + 0.3));
    let wide = wide.requires_grad();
    let column =
        Tensor::<shape![4, 1], f64>::from_fn(|[i, _]| 0.5 * i as f64 - 0.7).requires_grad();
    let of = |fused: bool| {
        let turned = wide.transpose();
        let across = column.transpose();
        let y = match fused {
            true => fuse!((&turned * &across).tanh() * &turned),
            false => (&turned * &across).tanh() * &turned,
        };
        y.sum().gradients((&wide, &column))
    };
    let ((x, y), (wanted_x, wanted_y)) = (of(true), of(false));
    assert!(x.all_close(&wanted_x, 1e-12, 1e-12) && y.all_close(&wanted_y, 1e-12, 1e-12));
}

#[test]
fn fused_results_are_operands_of_others() {
    let x = row();
    let y = fuse!(x * x);
    let z = fuse!(y * x + 1.0).sum();
    let w = z.gradients(&x);
    assert!(w.all_close(&(x.detach().square() * 3.0), 1e-12, 1e-12));
    // An operand that is itself a `fuse!`.
    let z = fuse!(fuse!(x + 1.0).square() * x).sum();
    let got = z.gradients(&x);
    let x = x.detach();
    assert!(got.all_close(&((&x + 1.0) * (3.0 * &x + 1.0)), 1e-12, 1e-12));
}

#[test]
fn strict_code_keeps_histories() {
    #[strict]
    fn error(prediction: &Row, target: &Row) -> Tensor<shape![], f64> {
        let error = prediction - target;
        fuse!((&error * &error) * 0.5).sum()
    }
    let (x, target) = (row(), Row::full(0.25));
    let want = x.detach() - &target;
    assert!(error(&x, &target).gradients(&x).all_close(&want, 1e-12, 1e-12));
    let loss = strictly!((&x * &target) + &x).sum();
    assert_eq!(loss.gradients(&x), Row::full(1.25));
}

#[test]
fn large_tensors_and_threads() {
    let x = DynTensor::<f32>::from_fn(&[300, 500], |at| ((at[0] * 7 + at[1]) % 13) as f32 * 0.1);
    let x = Tensor::<shape![300, 500]>::try_from(x).unwrap().requires_grad();
    let w = Tensor::<shape![500]>::from_fn(|[at]| (at % 5) as f32 * 0.25).requires_grad();
    let (dx, dw) = fuse!((&x * &w).tanh()).sum().gradients((&x, &w));
    let (ex, ew) = (&x * &w).tanh().sum().gradients((&x, &w));
    assert!(dx.all_close(&ex, 1e-5, 1e-5) && dw.all_close(&ew, 1e-3, 1e-4));
    let value = std::thread::spawn(move || fuse!(&x * 2.0).sum().gradients(&x)[[3, 4]]);
    assert_eq!(value.join().unwrap(), 2.0);
}
