//! Uses the operations that the recipes of CONTRIBUTING.md add to a copy of `tensor-core`.

use tensor_core::trace::trace;
use tensor_core::{DynTensor, ShapeError, fuse, tensor};

fn main() {
    let x = tensor![[0.0, 1.0], [2.0, 3.0]].requires_grad();

    let y = x.exp10();
    assert_eq!(y.detach(), tensor![[1.0, 10.0], [100.0, 1000.0]]);
    assert_eq!(fuse!(x.exp10()).detach(), y.detach());
    assert_eq!(DynTensor::from(x.detach()).exp10(), DynTensor::from(y.detach()));
    let slope = y.detach() * core::f64::consts::LN_10;
    assert!(y.sum().gradients(&x).all_close(&slope, 1e-12, 0.0));

    assert_eq!(x.sum_squares().item(), 14.0);
    assert_eq!(x.sum_squares_axis::<0>().detach(), tensor![4.0, 10.0]);
    assert_eq!(x.sum_squares_axis_keepdims::<1>().detach(), tensor![[1.0], [13.0]]);
    assert_eq!(DynTensor::from(x.detach()).sum_squares_axes(&[0, 1]), Ok(DynTensor::scalar(14.0)));
    assert_eq!(x.sum_squares().gradients(&x), x.detach() * 2.0);

    let x32 = tensor![[0.0_f32, 1.0], [2.0, 3.0]];
    let traced = trace(&x32, |x| x.exp10().sum_squares_axis::<0>()).to_stablehlo();
    assert!(traced.contains("stablehlo.exponential") && traced.contains("stablehlo.reduce"), "{traced}");

    let column = tensor![[1.0], [2.0]].requires_grad();
    assert_eq!(column.squeeze_last().detach(), tensor![1.0, 2.0]);
    let slope = (column.squeeze_last() * tensor![3.0, 4.0]).sum().gradients(&column);
    assert_eq!(slope, tensor![[3.0], [4.0]]);
    let dynamic = DynTensor::from(x.detach());
    assert_eq!(
        dynamic.squeeze_last(),
        Err(ShapeError::NotSqueezable { axis: 1, size: 2 })
    );

    let filled = x.index_fill::<1, _>(&tensor![-1], 9.0).unwrap();
    assert_eq!(filled.detach(), tensor![[0.0, 9.0], [2.0, 9.0]]);
    assert_eq!(filled.sum().gradients(&x), tensor![[1.0, 0.0], [1.0, 0.0]]);
    assert_eq!(dynamic.index_fill(1, &tensor![1].into(), 9.0), Ok(filled.detach().into()));
    assert!(x.index_fill::<0, _>(&tensor![2], 0.0).is_err());
    let program = trace(&x32, |x| x.index_fill::<1, _>(&tensor![-1], 9.0).unwrap());
    assert!(program.to_stablehlo().contains("stablehlo.scatter"));
    assert_eq!(program.run(&x32).unwrap(), tensor![[0.0, 9.0], [2.0, 9.0]]);
}
