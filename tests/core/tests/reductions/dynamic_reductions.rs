//! `DynTensor` reduces as `Tensor` does, along axes known at run time, and reports errors.

use tensor_core::{DynTensor, ShapeError, Tensor, axes, shape};

fn tensor() -> Tensor<shape![2, 3, 4], f64> {
    let elements = (0..24).map(|i| f64::from(i * 7 % 11) - 3.5).collect();
    Tensor::from_vec(elements).unwrap()
}

/// The same methods of both, along every axis, of contiguous and of strided elements.
#[test]
fn the_same_as_typed() {
    macro_rules! same {
        ($x:ident $axis:literal $from_end:literal: $($name:ident)*) => {$(
            let dynamic = DynTensor::from($x.clone());
            let expected = DynTensor::from($x.$name::<$axis>());
            assert_eq!(dynamic.$name($axis).unwrap(), expected, stringify!($name));
            assert_eq!(dynamic.$name($from_end).unwrap(), expected, stringify!($name));
        )*};
    }
    macro_rules! check {
        ($x:expr; $($axis:literal $from_end:literal),*) => {
            let x = $x;
            $(same!(x $axis $from_end:
                sum_axis sum_axis_keepdims prod_axis mean_axis var_axis std_axis logsumexp_axis
                max_axis max_axis_keepdims min_axis argmax_axis argmin_axis cumsum softmax
                log_softmax standardize
            );)*
        };
    }
    check!(tensor(); 0 -3, 1 -2, 2 -1);
    check!(tensor().permute::<axes![2, 0, 1]>(); 0 -3, 1 -2, 2 -1);
    let x = tensor();
    let dynamic = DynTensor::from(x.clone());
    assert_eq!(dynamic.sum(), DynTensor::from(x.sum()));
    assert_eq!(dynamic.logsumexp(), DynTensor::from(x.logsumexp()));
    assert_eq!(dynamic.max().unwrap(), DynTensor::from(x.max()));
    assert_eq!(dynamic.argmax().unwrap(), DynTensor::from(x.argmax()));
    assert_eq!(dynamic.var_corrected(1), DynTensor::from(x.var_corrected(1)));
    assert_eq!(
        dynamic.std_axis_corrected(1, 1).unwrap(),
        DynTensor::from(x.std_axis_corrected::<1>(1))
    );
    assert_eq!(
        dynamic.std_axis_keepdims_corrected(-2, 1).unwrap(),
        DynTensor::from(x.std_axis_keepdims_corrected::<-2>(1))
    );
    assert_eq!(
        dynamic.var_axes_keepdims_corrected(&[0, -1], 1).unwrap(),
        DynTensor::from(x.var_axes_keepdims_corrected::<axes![0, -1]>(1))
    );
    assert_eq!(dynamic.layer_norm(-1, 1e-5).unwrap(), DynTensor::from(x.layer_norm::<-1>(1e-5)));
    assert_eq!(dynamic.rms_norm(-1, 1e-5).unwrap(), DynTensor::from(x.rms_norm::<-1>(1e-5)));
    let positive = DynTensor::from(x.greater(0.0));
    assert_eq!(positive.any_axis(0).unwrap(), DynTensor::from(x.greater(0.0).any_axis::<0>()));
}

#[test]
fn what_is_wrong() {
    let x = DynTensor::<f32>::full(&[2, 0, 3], 0.0);
    let error = |result: Result<DynTensor, ShapeError>| result.unwrap_err().to_string();
    assert_eq!(error(x.sum_axis(3)), "axis 3 is out of range for a tensor of rank 3");
    assert_eq!(error(x.softmax(-4)), "axis -4 is out of range for a tensor of rank 3");
    assert_eq!(error(x.max()), "`max` of a tensor without elements: some axis has size 0");
    assert_eq!(
        error(x.max_axis(-2)),
        "`max_axis` along axis 1, which has size 0: it takes at least one element"
    );
    assert_eq!(x.sum_axis(1).unwrap().to_vec(), [0.0; 6]);
    assert_eq!(x.max_axis(0).unwrap().sizes(), [0, 3]);
    let scalar = DynTensor::<f32>::full(&[], 2.0);
    assert_eq!(error(scalar.sum_axis(0)), "axis 0 is out of range for a tensor of rank 0");
    assert_eq!(scalar.sum().to_vec(), [2.0]);
}
