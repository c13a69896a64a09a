//! What `DynTensor` says of axes that do not fit a reduction.

use tensor_core::{DynTensor, ShapeError};

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
    assert_eq!(
        error(x.diff(1)),
        "`diff` along axis 1, which has size 0: it takes at least one element"
    );
    assert_eq!(x.sum_axis(1).unwrap().to_vec(), [0.0; 6]);
    assert_eq!(x.max_axis(0).unwrap().sizes(), [0, 3]);
    let scalar = DynTensor::<f32>::full(&[], 2.0);
    assert_eq!(error(scalar.sum_axis(0)), "axis 0 is out of range for a tensor of rank 0");
    assert_eq!(scalar.sum().to_vec(), [2.0]);
}
