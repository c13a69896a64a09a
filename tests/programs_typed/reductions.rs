//! Reductions, and operations along an axis that keep its size.

use tensor_core::{Float, QuantileMethod, axes, shape};

use super::check::{Check, Expected};
use super::{cases, integers, mask, methods, numbers};

/// A reduction over everything, one axis and several.
macro_rules! reductions {
    ($check:ident, $expected:expr, $x:expr; $($all:ident $axis:ident $axis_kept:ident $axes:ident $axes_kept:ident;)*) => {{
        let x = $x;
        $(
            $check.case_of($expected, stringify!($all), x.clone(), |x| x.$all());
            $check.case_of($expected, stringify!($axis), x.clone(), |x| (x.$axis::<0>(), x.$axis::<-1>()));
            $check.case_of($expected, stringify!($axis_kept), x.clone(), |x| x.$axis_kept::<1>());
            $check.case_of($expected, stringify!($axes), x.clone(), |x| x.$axes::<axes![0, -1]>());
            $check.case_of($expected, stringify!($axes_kept), x.clone(), |x| x.$axes_kept::<axes![0, 1]>());
        )*
    }};
}

pub fn cases<T: Float>(check: &mut Check) {
    let x = numbers::<shape![3, 4, 5], T>();
    reductions! { check, Expected::Bits, x.clone();
        logsumexp logsumexp_axis logsumexp_axis_keepdims logsumexp_axes logsumexp_axes_keepdims;
        max max_axis max_axis_keepdims max_axes max_axes_keepdims;
        mean mean_axis mean_axis_keepdims mean_axes mean_axes_keepdims;
        min min_axis min_axis_keepdims min_axes min_axes_keepdims;
        norm norm_axis norm_axis_keepdims norm_axes norm_axes_keepdims;
        norm_l1 norm_l1_axis norm_l1_axis_keepdims norm_l1_axes norm_l1_axes_keepdims;
        norm_max norm_max_axis norm_max_axis_keepdims norm_max_axes norm_max_axes_keepdims;
        std std_axis std_axis_keepdims std_axes std_axes_keepdims;
        sum sum_axis sum_axis_keepdims sum_axes sum_axes_keepdims;
        var var_axis var_axis_keepdims var_axes var_axes_keepdims;
    }
    let rounding = Expected::Within(0.05, "a quotient, where the elements are known to have one");
    reductions! { check, rounding, x.clone(); prod prod_axis prod_axis_keepdims prod_axes prod_axes_keepdims; }
    reductions! { check, Expected::Bits, x.greater(T::ZERO);
        all all_axis all_axis_keepdims all_axes all_axes_keepdims;
        any any_axis any_axis_keepdims any_axes any_axes_keepdims;
    }
    macro_rules! counts {
        ($($name:ident)*) => {
            reductions! { check, Expected::Bits, x.clone(); $($name)*; }
            reductions! { check, Expected::Bits, integers::<shape![3, 4, 2]>(); $($name)*; }
            reductions! { check, Expected::Bits, mask::<shape![3, 4, 2]>(); $($name)*; }
        };
    }
    counts! {
        count_nonzero count_nonzero_axis count_nonzero_axis_keepdims count_nonzero_axes count_nonzero_axes_keepdims
    }
    reductions! { check, Expected::Bits, integers::<shape![3, 4, 2]>();
        max max_axis max_axis_keepdims max_axes max_axes_keepdims;
        prod prod_axis prod_axis_keepdims prod_axes prod_axes_keepdims;
        sum sum_axis sum_axis_keepdims sum_axes sum_axes_keepdims;
    }
    methods! { check, x.clone();
        argmax; argmax_axis -1; argmax_axis_keepdims 0; argmin; argmin_axis 0;
        argmin_axis_keepdims 1; argsort -1; argsort_descending 0; cummax 0; cummin -1; cumprod
        1; cumsum -1; cumsum_exclusive 0; cumsum_exclusive_reverse 1; cumsum_reverse -1;
        log_softmax 0; logcumsumexp -1; median; median_axis -1; softmax -1; sort 0;
        sort_descending -1; standardize -1;
    }
    cases! { check, x;
        "layer_norm", |x| (x.layer_norm::<-1>(1e-5), x.layer_norm::<0>(1e-5));
        "quantile", |x| x.quantile(0.3);
        "quantile_axis", |x| x.quantile_axis::<0>(0.3);
        "quantile_axis_with", |x| x.quantile_axis_with::<-1>(0.3, QuantileMethod::Midpoint);
        "quantile_with", |x| x.quantile_with(0.3, QuantileMethod::Lower);
        "rms_norm", |x| (x.rms_norm::<-1>(1e-5), x.rms_norm::<0>(1e-5));
        "standardize_corrected", |x| x.standardize_corrected::<0>(1);
        "std_axes_corrected", |x| x.std_axes_corrected::<axes![0, 2]>(1);
        "std_axes_keepdims_corrected", |x| x.std_axes_keepdims_corrected::<axes![0, 2]>(1);
        "std_axis_corrected", |x| x.std_axis_corrected::<0>(1);
        "std_axis_keepdims_corrected", |x| x.std_axis_keepdims_corrected::<0>(1);
        "std_corrected", |x| x.std_corrected(1);
        "sum_to", |x| (x.sum_to::<shape![4, 1]>(), x.sum_to::<shape![]>());
        "var_axes_corrected", |x| x.var_axes_corrected::<axes![0, 2]>(1);
        "var_axes_keepdims_corrected", |x| x.var_axes_keepdims_corrected::<axes![0, 2]>(1);
        "var_axis_corrected", |x| x.var_axis_corrected::<0>(1);
        "var_axis_keepdims_corrected", |x| x.var_axis_keepdims_corrected::<0>(1);
        "var_corrected", |x| x.var_corrected(1);
    }
    cases! { check, (integers::<shape![3, 4]>(), mask::<shape![4]>());
        "cumsum integers", |(x, _)| (x.cumsum::<0>(), x.cummax::<1>(), x.cumprod::<0>());
        "sort integers", |(x, mask)| (x.sort::<0>(), x.argsort::<1>(), mask.sort::<0>(), x.argmax());
        "sum_as integers", |(x, mask)| (x.sum_as::<f64>(), mask.sum_as::<i64>());
    }
    methods! { check, numbers::<shape![2], T>();
        sum; mean; max; logsumexp; softmax 0; cumsum 0; sort -1; norm; var;
    }
}
