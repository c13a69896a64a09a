//! What a typed tensor is made of: it is a shape over the other parts of a [`DynTensor`].

use tensor_kernels::array_ref::ArrayRef;
use tensor_kernels::element::Element;
use tensor_kernels::evaluate::unwrap_or_panic;
use tensor_kernels::layout::Layout;
use tensor_kernels::sizes::Sizes;
use tensor_kernels::sizes::error::ShapeError;
use tensor_kernels::storage::Storage;

use super::DynTensor;

#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// The tensor with these sizes that shares the elements of an array.
    #[doc(hidden)]
    pub fn from_array(array: ArrayRef<'_, T>, sizes: &[usize]) -> Self {
        let storage = match array.storage() {
            Ok(storage) => storage.clone(),
            Err(scalar) => Storage::from_slice(core::slice::from_ref(scalar)),
        };
        let layout = array.layout().map_or(Layout::ROW_MAJOR, Layout::copy_of);
        Self { sizes: Sizes::from_slice(sizes), layout, storage }
    }

    /// The parts of the result of an operation; a panic if there is none, or if it does not have these sizes, as what
    /// users implement is not trusted.
    #[doc(hidden)]
    pub fn parts_of_result(
        result: Result<Self, ShapeError>,
        sizes: &[usize],
    ) -> (Layout, Storage<T>) {
        let Self { sizes: found, layout, storage } = unwrap_or_panic(result);
        assert_eq!(&found[..], sizes, "the sizes of the result");
        (layout, storage)
    }

    #[doc(hidden)]
    #[inline]
    pub fn from_parts(sizes: Sizes, layout: Layout, storage: Storage<T>) -> Self {
        Self { sizes, layout, storage }
    }

    #[doc(hidden)]
    #[inline]
    pub fn into_parts(self) -> (Sizes, Layout, Storage<T>) {
        (self.sizes, self.layout, self.storage)
    }

    #[doc(hidden)]
    #[inline]
    pub fn parts(&self) -> (&Layout, &Storage<T>) {
        (&self.layout, &self.storage)
    }

    #[doc(hidden)]
    #[inline]
    pub fn parts_mut(&mut self) -> (&mut Sizes, &mut Layout, &mut Storage<T>) {
        (&mut self.sizes, &mut self.layout, &mut self.storage)
    }
}
