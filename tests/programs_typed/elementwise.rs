//! Element-wise operations, constructors, products.

use tensor_core::{Float, Tensor, axes, dim, einsum, fuse, select, shape, tensor};

use super::check::Check;
use super::{Columns, Rows, cases, integers, mask, methods, number, numbers, numbers_shaped};

pub fn cases<T: Float>(check: &mut Check) {
    floats::<T>(check);
    operators::<T>(check);
    others(check);
    made::<T>(check);
    products::<T>(check);
}

fn floats<T: Float>(check: &mut Check) {
    let x = numbers::<shape![3, 4], T>();
    methods! { check, x.clone();
        abs; acos; acosh; asin; asinh; atan; atanh; ceil; contiguous; cos; cosh; detach; erf;
        exp; exp2; exp_m1; floor; gelu; gelu_tanh; is_finite; is_nan; ln; ln_1p; log10; log2;
        reciprocal; relu; round; rsqrt; sigmoid; sign; silu; sin; sinh; softplus; sqrt; square;
        tan; tanh; trunc;
    }
    let y = numbers::<shape![4], T>();
    macro_rules! binary {
        ($($name:ident)*) => {
            cases! { check, (x.clone(), y.clone()); $(stringify!($name), |(x, y)| (x.$name(y), y.$name(x));)* }
            cases! { check, x.clone(); $(stringify!($name), |x| x.$name(number::<T>(0.5));)* }
        };
    }
    binary! {
        atan2 equal floor_divide greater greater_equal hypot less less_equal logaddexp maximum minimum not_equal pow
        remainder
    }
    cases! { check, (x, y, mask::<shape![3, 1]>());
        "clamp", |(x, y, _)| x.clamp(y, number::<T>(0.75));
        "clamp low and high", |(x, y, _)| y.clamp(x.exp() - number::<T>(2.0), x);
        "select", |(x, y, mask)| select(mask, x, y);
        "select number", |(x, _, mask)| select(mask, number::<T>(0.5), x);
        "powi", |(x, _, _)| (x.powi(3), x.powi(-2), x.powi(0));
        "fuse", |(x, y, _)| fuse!((x * y + number::<T>(0.5)).tanh());
        "fuse several", |(x, y, mask)| fuse!(select(mask, x.maximum(y), y.exp() - x));
        "fuse constants", |(x, _, mask)| {
            let (low, high) = (number::<T>(-1.0), number::<T>(2.0));
            (fuse!(select(mask, 1.0, 0.0)), fuse!(x * select(mask, low, high)))
        };
    }
}

fn operators<T: Float>(check: &mut Check) {
    macro_rules! operators {
        ($x:expr, $y:expr, $number:expr; $($name:literal $operator:tt $assign:tt;)*) => {
            cases! { check, ($x, $y); $(
                $name, |(x, y)| (x $operator y, x.clone() $operator y, y $operator x.clone());
                $name, |(x, y)| (x $operator $number, x.clone() $operator y.clone());
                $name, |(x, y)| {
                    let (mut a, mut b) = (x.clone(), x.clone());
                    a $assign y;
                    b $assign $number;
                    (a, b)
                };
            )* }
        };
    }
    // The first is computed in place, the second within the value.
    operators! { numbers::<shape![3, 40], T>(), numbers::<shape![40], T>(), number::<T>(0.5);
        "add" + +=; "sub" - -=; "mul" * *=; "div" / /=; "rem" % %=;
    }
    operators! { numbers::<shape![2], T>(), numbers::<shape![], T>(), number::<T>(0.5);
        "add" + +=; "sub" - -=; "mul" * *=; "div" / /=; "rem" % %=;
    }
    operators! { numbers_shaped::<shape![Rows, Columns], T>(shape![Rows(3), Columns(5)]),
        numbers_shaped::<shape![Columns], T>(shape![Columns(5)]), number::<T>(-2.0);
        "add" + +=; "sub" - -=; "mul" * *=; "div" / /=; "rem" % %=;
    }
    operators! { integers::<shape![3, 4]>(), integers::<shape![4]>(), 2;
        "add" + +=; "sub" - -=; "mul" * *=; "bitand" & &=; "bitor" | |=; "bitxor" ^ ^=;
    }
    operators! { integers::<shape![3, 4]>(), integers::<shape![4]>().abs() + 1, 2;
        "shl" << <<=; "shr" >> >>=;
    }
    operators! { mask::<shape![3, 4]>(), mask::<shape![4]>(), true; "bitand" & &=; "bitor" | |=; "bitxor" ^ ^=; }
    cases! { check, numbers::<shape![3, 4], T>(); "neg", |x| (-x, -(x.clone())); }
}

fn others(check: &mut Check) {
    let x = integers::<shape![3, 4]>();
    let two = (x.clone(), integers::<shape![4]>().abs() + 1);
    methods! { check, x.clone(); abs; sign; square; }
    cases! { check, two;
        "div", |(x, y)| (x / y, x / 2, 7 / y);
        "rem", |(x, y)| (x % y, x % 2, 7 % y);
        "floor_divide", |(x, y)| (x.floor_divide(y), x.floor_divide(-2));
        "remainder", |(x, y)| (x.remainder(y), x.remainder(-2));
        "minimum", |(x, y)| (x.minimum(y), x.maximum(0), x.clamp(-1, y));
        "powi", |(x, y)| (x.powi(2), y.powi(-1));
        "equal", |(x, y)| (x.equal(y), x.less(0), y.greater_equal(x));
        "neg", |(x, y)| (-x, !y);
        "fuse", |(x, y)| (fuse!(x / y + 1), fuse!(x.square() * y - 3), fuse!((x + y).equal(1)));
        "fuse casts", |(x, y)| fuse!((x + y).cast::<f32>() * 0.5);
        "fuse constants", |(x, y)| {
            let chosen = fuse!(select(x.equal(y), 1, -2) * 3 + x);
            (fuse!(select(x.less(y), 1_i64, -2)), fuse!(select(x.less(y), 1_i64, -2) + 1), chosen)
        };
    }
    cases! { check, numbers::<shape![3, 4], f32>();
        "arange", |x| x * Tensor::<shape![4]>::arange();
        "arange constant", |x| (Tensor::<shape![50], i64>::arange(), x.clone());
        "cast", |x| (x.cast::<i64>(), x.cast::<f64>(), x.cast::<bool>(), x.cast::<f32>());
        "sum_as", |x| (x.sum_as::<f64>(), x.sum_as::<f32>());
        "sum_axis_as", |x| x.sum_axis_as::<0, f64>();
    }
    cases! { check, mask::<shape![3, 4]>();
        "not", |x| !x;
        "equal", |x| (x.equal(true), x.less(x.transpose().transpose()));
        "cast masks", |x| (x.cast::<i64>(), x.cast::<f64>().cast::<bool>());
    }
}

/// Tensors that are made within the function: constants of its programs.
fn made<T: Float>(check: &mut Check) {
    let rows = || shape![Rows(4)];
    cases! { check, numbers::<shape![4], T>();
        "arange_from", |x| x * Tensor::<shape![4], T>::arange_from(number(0.5), number(2.0));
        "eye", |x| x * Tensor::<shape![4, 4], T>::eye();
        "from_fn", |x| x * Tensor::<shape![3, 4], T>::from_fn(|[i, j]| number((i + j) as f64));
        "from_vec", |x| x * Tensor::<shape![1], T>::from_vec(vec![number(3.0)]).unwrap();
        "full", |x| x * Tensor::<shape![3, 4], T>::full(number(3.0));
        "linspace", |x| x * Tensor::<shape![4], T>::linspace(number(0.0), number(1.0));
        "ones", |x| x * Tensor::<shape![3, 4], T>::ones();
        "scalar", |x| x * Tensor::scalar(number::<T>(0.5));
        "zeros", |x| x * Tensor::<shape![3, 4], T>::zeros();
        "zeros constants", |x| (Tensor::<shape![2, 3], T>::zeros(), x.clone());
    }
    cases! { check, numbers_shaped::<shape![Rows], T>(rows());
        "arange_from_shaped", |x| x * Tensor::arange_from_shaped(rows(), number(0.5), number(2.0));
        "arange_shaped", |x| x * Tensor::arange_shaped(rows());
        "eye_shaped", |x| x * Tensor::eye_shaped(shape![Rows(4), Rows(4)]);
        "from_fn_shaped", |x| x * Tensor::from_fn_shaped(rows(), |[i]| number(i as f64));
        "from_vec_shaped", |x| x * Tensor::from_vec_shaped(rows(), vec![number(3.0); 4]).unwrap();
        "full_shaped", |x| x * Tensor::full_shaped(rows(), number(3.0));
        "linspace_shaped", |x| x * Tensor::linspace_shaped(rows(), number(0.0), number(1.0));
        "ones_shaped", |x| x * Tensor::ones_shaped(rows());
        "zeros_shaped", |x| x * Tensor::zeros_shaped(rows());
    }
}

fn products<T: Float>(check: &mut Check) {
    let (x, y) = (numbers::<shape![2, 3, 4], T>(), numbers::<shape![4, 5], T>());
    cases! { check, (x, y);
        "matmul", |(x, y)| x.matmul(y);
        "dot", |(x, y)| (x.dot(y), x.dot(&y.transpose().index::<0>(2)));
        "outer", |(x, y)| y.index::<0>(1).outer(&x.index::<0>(1).index::<0>(0));
        "tensordot", |(x, y)| x.tensordot::<axes![-1], axes![0], _>(y);
        "einsum", |(x, y)| einsum!(b i j, j k -> k b; x, y);
        "einsum repeated", |(x, y)| (einsum!(b i j -> b; x), einsum!(i j, i j -> ; y, y));
    }
    cases! { check, (numbers::<shape![2, 2], T>(), numbers::<shape![2], T>());
        "matmul tiny", |(x, y)| (x.matmul(x), x.matmul(y), y.matmul(x));
        "dot tiny", |(x, y)| (x.dot(x), x.dot(y), y.dot(y));
        "outer tiny", |(_, y)| y.outer(y);
    }
    cases! { check, integers::<shape![3, 3]>();
        "matmul", |x| (x.matmul(x), x.dot(&x.transpose()), x.flatten().outer(&x.flatten()));
    }
    let one_hot = |x: &Tensor<shape![4], i64>| x.one_hot::<dim!(3), T>().unwrap();
    cases! { check, (tensor![0_i64, 2, 1, 2], numbers::<shape![3, 2], T>());
        "one_hot", |(x, y)| one_hot(x).dot(y);
    }
}
