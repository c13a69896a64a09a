//! Arrays of `ndarray`, in any memory order, from and to tensors.

use ndarray::{Array, ArrayD, ArrayViewD, Axis, Dimension, IxDyn, ShapeBuilder};
use tensor_kernels::element::Element;
use tensor_kernels::layout::Strides;

use crate::array::dynamic::DynTensor;

/// `[..s]`, without a copy, whatever the memory order.
impl<T: Element, D: Dimension> From<Array<T, D>> for DynTensor<T> {
    fn from(array: Array<T, D>) -> Self {
        let (sizes, strides) = (array.shape().to_vec(), Strides::from_slice(array.strides()));
        let (elements, offset) = array.into_raw_vec_and_offset();
        // An empty array has no offset.
        DynTensor::from_strided(&sizes, offset.unwrap_or(0), strides, elements)
    }
}

/// `[..s]`; without a copy if the tensor was made from a `Vec`, is contiguous and has no other owner.
///
/// # Panics
///
/// If the sizes other than 0 multiply to more than `isize::MAX`, which only those of an empty tensor do.
impl<T: Element> From<DynTensor<T>> for ArrayD<T> {
    #[track_caller]
    fn from(tensor: DynTensor<T>) -> Self {
        let sizes = IxDyn(tensor.sizes());
        let array = ArrayD::from_shape_vec(sizes.clone(), tensor.into_vec());
        with_sizes(array, sizes.slice())
    }
}

/// The array with these sizes, whose elements all exist.
///
/// # Panics
///
/// If `ndarray` has no array of these sizes.
#[track_caller]
fn with_sizes<A>(array: Result<A, ndarray::ShapeError>, sizes: &[usize]) -> A {
    match array {
        Ok(array) => array,
        Err(_) => panic!(
            "`ndarray` takes sizes whose product, without those that are 0, is at most isize::MAX, not {sizes:?}"
        ),
    }
}

/// A view of the elements with these sizes and strides.
///
/// # Panics
///
/// If `ndarray` has no array of these sizes.
#[track_caller]
pub fn view<'a, T>(
    sizes: &[usize],
    (offset, strides, elements): (usize, Strides, &'a [T]),
) -> ArrayViewD<'a, T> {
    if sizes.contains(&0) {
        return with_sizes(ArrayViewD::from_shape(IxDyn(sizes), &[]), sizes);
    }
    // `ndarray` takes positive strides: an axis with a negative stride starts at its
    // last element and is inverted afterwards.
    let behind: usize = (sizes.iter().zip(&strides))
        .filter(|(_, stride)| **stride < 0)
        .map(|(size, stride)| (size - 1) * stride.unsigned_abs())
        .sum();
    let steps: Vec<usize> = strides.iter().map(|stride| stride.unsigned_abs()).collect();
    let shape = IxDyn(sizes).strides(IxDyn(&steps));
    let mut view = with_sizes(ArrayViewD::from_shape(shape, &elements[offset - behind..]), sizes);
    for axis in (0..sizes.len()).filter(|&axis| strides[axis] < 0) {
        view.invert_axis(Axis(axis));
    }
    view
}

/// # Other crates
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// The elements as an `ndarray` view, `[..s]`. Without a copy, whatever the strides.
    /// Panics: If the sizes other than 0 multiply to more than `isize::MAX`, which only those of an empty tensor
    /// do.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2], [3, 4]]);
    /// assert_eq!(x.as_ndarray(), ndarray::array![[1, 2], [3, 4]].into_dyn());
    /// ```
    pub fn as_ndarray(&self) -> ArrayViewD<'_, T> {
        view(self.sizes(), self.strided())
    }
}
