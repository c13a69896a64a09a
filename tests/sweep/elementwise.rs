//! Element-wise operations, reductions, and operations along an axis, by name.

use tensor_core::{DynTensor, QuantileMethod};

use crate::case::{Operands, Output, Real, Results};

/// The results of an element-wise operation, `None` if it is none.
pub fn elementwise<T: Real>(op: &str, o: &Operands<'_, T>) -> Option<Results<T>> {
    macro_rules! table {
        (
            unary: $($unary:ident)*; tests: $($test:ident)*; binary: $($binary:ident)*;
            comparisons: $($comparison:ident)*; operators: $($name:literal $operator:tt)*;
            bits: $($bits_name:literal $bits:tt)*;
        ) => {
            match op {
                $(stringify!($unary) => Ok(vec![Output::Float(o.x().$unary())]),)*
                $(stringify!($test) => Ok(vec![Output::Mask(o.x().$test())]),)*
                $(stringify!($binary) => o.x().$binary(o.y()).map(float).map_err(Into::into),)*
                $(stringify!($comparison) =>
                    o.x().$comparison(o.y()).map(|y| vec![Output::Mask(y)]).map_err(Into::into),)*
                $($name => (o.x() $operator o.y()).map(float).map_err(Into::into),)*
                $($bits_name =>
                    (&o.integers[0] $bits &o.integers[1]).map(integer).map_err(Into::into),)*
                "neg" => Ok(float(-o.x())),
                "not" => Ok(integer(!&o.integers[0])),
                "powi" => Ok(float(o.x().powi(o.integer("power") as i32))),
                "cast" => Ok(float(T::rounded(o.x()))),
                "clamp" => o.x().clamp(o.y(), &o.floats[2]).map(float).map_err(Into::into),
                "select" => o.masks[0].select(o.x(), o.y()).map(float).map_err(Into::into),
                _ => return None,
            }
        };
    }
    Some(table! {
        unary: abs sign square exp exp_m1 ln ln_1p exp2 log2 log10 sqrt rsqrt reciprocal sin cos tan asin
            acos atan sinh cosh tanh asinh acosh atanh erf sigmoid relu gelu gelu_tanh silu softplus floor
            ceil round trunc;
        tests: is_nan is_finite;
        binary: floor_divide remainder minimum maximum pow atan2 hypot logaddexp;
        comparisons: equal not_equal less less_equal greater greater_equal;
        operators: "add" + "sub" - "mul" * "div" / "rem" %;
        bits: "bitand" & "bitor" | "bitxor" ^ "shl" << "shr" >>;
    })
}

pub fn float<T: Real>(y: DynTensor<T>) -> Vec<Output<T>> {
    vec![Output::Float(y)]
}

pub fn integer<T: Real>(y: DynTensor<i64>) -> Vec<Output<T>> {
    vec![Output::Integer(y)]
}

/// The results of a reduction, `None` if it is none.
pub fn reduction<T: Real>(op: &str, o: &Operands<'_, T>) -> Option<Results<T>> {
    let axis = || o.axis();
    let correction = if o.has("correction") { o.size("correction") } else { 0 };
    macro_rules! table {
        (plain: $($plain:ident $plain_axis:ident)*; choose: $($choose:ident $choose_axis:ident)*;
         indices: $($arg:ident $arg_axis:ident)*; spread: $($spread:ident $spread_axis:ident)*;
         masks: $($mask:ident $mask_axis:ident)*;) => {
            match (op, o.has("axis")) {
                $((stringify!($plain), false) => Ok(float(o.x().$plain())),
                (stringify!($plain), true) => o.x().$plain_axis(axis()).map(float).map_err(Into::into),)*
                $((stringify!($choose), false) => o.x().$choose().map(float).map_err(Into::into),
                (stringify!($choose), true) => o.x().$choose_axis(axis()).map(float).map_err(Into::into),)*
                $((stringify!($arg), false) => o.x().$arg().map(integer).map_err(Into::into),
                (stringify!($arg), true) => o.x().$arg_axis(axis()).map(integer).map_err(Into::into),)*
                $((stringify!($spread), true) =>
                    o.x().$spread_axis(axis(), correction).map(float).map_err(Into::into),)*
                $((stringify!($mask), false) => Ok(vec![Output::Mask(o.masks[0].$mask())]),
                (stringify!($mask), true) =>
                    o.masks[0].$mask_axis(axis()).map(|y| vec![Output::Mask(y)]).map_err(Into::into),)*
                ("var", false) => Ok(float(o.x().var_corrected(correction))),
                ("std", false) => Ok(float(o.x().std_corrected(correction))),
                ("count_nonzero", false) => Ok(integer(o.x().count_nonzero())),
                ("count_nonzero", true) =>
                    o.x().count_nonzero_axis(axis()).map(integer).map_err(Into::into),
                _ => return None,
            }
        };
    }
    Some(table! {
        plain: sum sum_axis prod prod_axis mean mean_axis norm_l1 norm_l1_axis norm norm_axis norm_max
            norm_max_axis logsumexp logsumexp_axis median median_axis;
        choose: max max_axis min min_axis;
        indices: argmax argmax_axis argmin argmin_axis;
        spread: var var_axis_corrected std std_axis_corrected;
        masks: all all_axis any any_axis;
    })
}

/// The results of an operation along an axis, `None` if it is none.
pub fn along<T: Real>(op: &str, o: &Operands<'_, T>) -> Option<Results<T>> {
    let both = |(values, indices)| vec![Output::Float(values), Output::Integer(indices)];
    macro_rules! table {
        (keeps: $($keeps:ident)*; orders: $($order:ident)*; chooses: $($choose:ident)*;) => {
            match op {
                $(stringify!($keeps) => o.x().$keeps(o.axis()).map(float).map_err(Into::into),)*
                $(stringify!($order) => o.x().$order(o.axis()).map(integer).map_err(Into::into),)*
                $(stringify!($choose) =>
                    o.x().$choose(o.axis(), o.size("k")).map(both).map_err(Into::into),)*
                "layer_norm" => o.x().layer_norm(o.axis(), 1e-5).map(float).map_err(Into::into),
                "rms_norm" => o.x().rms_norm(o.axis(), 1e-5).map(float).map_err(Into::into),
                "flip" => o.x().flip(&[o.axis()]).map(float).map_err(Into::into),
                "sort" => pair(o.x().sort(o.axis()), o.x().argsort(o.axis())),
                "sort_descending" =>
                    pair(o.x().sort_descending(o.axis()), o.x().argsort_descending(o.axis())),
                "quantile" => quantile(o),
                _ => return None,
            }
        };
    }
    Some(table! {
        keeps: cumsum cumsum_exclusive cumsum_reverse cumsum_exclusive_reverse cumprod cummax cummin
            logcumsumexp softmax log_softmax standardize diff;
        orders: argsort argsort_descending;
        chooses: topk topk_smallest kthvalue;
    })
}

fn pair<T: Real, E: std::error::Error + 'static>(
    values: Result<DynTensor<T>, E>,
    indices: Result<DynTensor<i64>, E>,
) -> Results<T> {
    Ok(vec![Output::Float(values?), Output::Integer(indices?)])
}

fn quantile<T: Real>(o: &Operands<'_, T>) -> Results<T> {
    let (x, q) = (o.x(), o.real("q"));
    let how = match o.text("how") {
        "linear" => QuantileMethod::Interpolate,
        "lower" => QuantileMethod::Lower,
        "higher" => QuantileMethod::Higher,
        "nearest" => QuantileMethod::Nearest,
        _ => QuantileMethod::Midpoint,
    };
    Ok(float(match (o.has("axis"), how == QuantileMethod::Interpolate) {
        (true, true) => x.quantile_axis(o.axis(), q)?,
        (true, false) => x.quantile_axis_with(o.axis(), q, how)?,
        (false, true) => x.quantile(q),
        (false, false) => x.quantile_with(q, how),
    }))
}
