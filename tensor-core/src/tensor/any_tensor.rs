//! [`AnyTensor`]: a tensor whose shape and element type are known at run time, behind `dyn`.

use core::any::Any;
use core::fmt;
use std::sync::Arc;

use tensor_array::array::gradients::{sum_of_squares, variable};
use tensor_array::array::history::{AnyArray, Node, node};
use tensor_kernels::element::Element;
use tensor_kernels::layout::graph::with_recording;
use tensor_kernels::layout::{Layout, StridedLayout, num_elements};
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;
use tensor_kernels::storage::Storage;

use crate::shape::error::ShapeError;
use crate::shape::{Shape, Sizes};
use crate::tensor::{DynTensor, Tensor};

/// A type-erased tensor, behind `dyn`: what a walk over the parameters of a model visits.
///
/// A [`Tensor`] keeps its shape: [`assign`](trait@AnyTensor#method.assign) accepts only tensors that fit
/// it. A [`DynTensor`] accepts any shape.
///
/// ```
/// use tensor_core::module::AnyTensor;
/// use tensor_core::{DynTensor, tensor};
///
/// let mut weight = tensor![[1.0_f32, 2.0], [3.0, 4.0]];
/// let any: &mut dyn AnyTensor = &mut weight;
/// assert_eq!((any.element_name(), &any.sizes()[..]), ("f32", &[2, 2][..]));
///
/// let read: DynTensor<f32> = any.get().expect("its elements are f32");
/// any.assign(read.sqrt())?;
/// any.as_mut_slice::<f32>().expect("its elements are f32")[0] = 10.0;
/// assert_eq!(weight[[0, 0]], 10.0);
/// assert_eq!(weight[[1, 1]], 2.0);
/// # Ok::<(), tensor_core::module::AssignError>(())
/// ```
pub trait AnyTensor: sealed::Erased {
    /// The sizes of all axes, first axis first.
    ///
    /// ```
    /// use tensor_core::module::AnyTensor;
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(AnyTensor::sizes(&tensor![[1, 2]])[..], [1, 2]);
    /// ```
    fn sizes(&self) -> Sizes;

    /// The axes as messages show them: `128`, `Batch=32`.
    ///
    /// ```
    /// use tensor_core::module::AnyTensor;
    /// use tensor_core::{Tensor, axis, shape};
    ///
    /// axis!(Hidden = 768);
    /// let weight = Tensor::<shape![Hidden, 128]>::zeros();
    /// assert_eq!(weight.axis_names(), ["Hidden=768", "128"]);
    /// ```
    fn axis_names(&self) -> Vec<String>;

    /// The name of the element type, as Rust writes it.
    ///
    /// ```
    /// use tensor_core::module::AnyTensor;
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![1.0].element_name(), "f64");
    /// ```
    fn element_name(&self) -> &'static str;

    /// The size of one element in bytes.
    ///
    /// ```
    /// use tensor_core::module::AnyTensor;
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![1_i16, 2].element_bytes(), 2);
    /// ```
    fn element_bytes(&self) -> usize;

    /// Whether the element type is a float.
    ///
    /// ```
    /// use tensor_core::module::AnyTensor;
    /// use tensor_core::tensor;
    ///
    /// assert!(tensor![1.0].is_float() && !tensor![1].is_float());
    /// ```
    fn is_float(&self) -> bool;

    /// Checks whether [`assign`](trait@AnyTensor#method.assign) accepts a tensor of these sizes.
    ///
    /// # Errors
    ///
    /// If the shape does not take them.
    ///
    /// ```
    /// use tensor_core::module::AnyTensor;
    /// use tensor_core::{Tensor, axis, shape};
    ///
    /// axis!(Words);
    /// let table = Tensor::<shape![Words, 64]>::zeros_shaped(shape![Words(10), 64]);
    /// let any: &dyn AnyTensor = &table;
    /// assert!(any.accepts(&[20, 64]).is_ok() && any.accepts(&[20, 65]).is_err());
    /// ```
    fn accepts(&self, sizes: &[usize]) -> Result<(), ShapeError>;

    /// Whether this is a [`StateTensor`], which an optimiser has for a parameter.
    ///
    /// ```
    /// use tensor_core::module::{AnyTensor, StateTensor};
    /// use tensor_core::tensor;
    ///
    /// let weight = tensor![1.0, 2.0];
    /// assert!(!weight.is_state() && StateTensor::full(&weight, 0.0).is_state());
    /// ```
    fn is_state(&self) -> bool {
        false
    }
}

/// # Gradients
impl dyn AnyTensor + '_ {
    /// Whether the tensor requires gradients, was computed from tensors that do, or is part of a program that is being
    /// traced: an operation on it has to be computed by methods of tensors, not by a loop over its elements.
    ///
    /// ```
    /// use tensor_core::module::AnyTensor;
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![1.0, 2.0];
    /// let any: &dyn AnyTensor = &x.requires_grad().exp();
    /// assert!(any.is_tracked());
    /// let any: &dyn AnyTensor = &x;
    /// assert!(!any.is_tracked());
    /// ```
    pub fn is_tracked(&self) -> bool {
        self.parts().0.as_deref().is_some_and(StridedLayout::is_recorded)
    }

    /// The graph node of the tensor, if it is tracked.
    pub(crate) fn node(&self) -> Option<Arc<Node>> {
        node(self.parts().0.as_deref())
    }
}

/// # Size and elements
impl dyn AnyTensor + '_ {
    /// The number of elements.
    ///
    /// ```
    /// use tensor_core::module::AnyTensor;
    /// use tensor_core::tensor;
    ///
    /// let any: &dyn AnyTensor = &tensor![[1, 2], [3, 4]];
    /// assert_eq!(any.num_elements(), 4);
    /// ```
    #[doc(alias = "numel")]
    pub fn num_elements(&self) -> usize {
        num_elements(&self.sizes())
    }

    /// The size of all elements in bytes.
    ///
    /// ```
    /// use tensor_core::module::AnyTensor;
    /// use tensor_core::tensor;
    ///
    /// let any: &dyn AnyTensor = &tensor![[1.0, 2.0], [3.0, 4.0]];
    /// assert_eq!(any.num_bytes(), 32);
    /// ```
    #[doc(alias = "nbytes")]
    pub fn num_bytes(&self) -> usize {
        self.num_elements() * self.element_bytes()
    }

    /// The tensor as a `DynTensor<T>`, if its elements are of type `T`; without a copy.
    ///
    /// ```
    /// use tensor_core::module::AnyTensor;
    /// use tensor_core::tensor;
    ///
    /// let any: &dyn AnyTensor = &tensor![1, 2];
    /// assert_eq!(any.get::<i32>(), Some(tensor![1, 2].into()));
    /// assert_eq!(any.get::<i64>(), None);
    /// ```
    pub fn get<T: Element>(&self) -> Option<DynTensor<T>> {
        let (layout, storage) = self.parts();
        let storage: &Storage<T> = storage.downcast_ref()?;
        Some(DynTensor::from_parts(self.sizes(), layout.clone(), storage.clone()))
    }

    /// The elements as a mutable slice in row-major order, if they are of type `T`.
    ///
    /// Copies them first if the tensor is not contiguous, or if another tensor shares its storage.
    ///
    /// ```
    /// use tensor_core::module::AnyTensor;
    /// use tensor_core::tensor;
    ///
    /// let mut x = tensor![[1, 2], [3, 4]];
    /// let any: &mut dyn AnyTensor = &mut x;
    /// any.as_mut_slice::<i32>().unwrap()[3] = 40;
    /// assert!(any.as_mut_slice::<f32>().is_none());
    /// assert_eq!(x, tensor![[1, 2], [3, 40]]);
    /// ```
    pub fn as_mut_slice<T: Element>(&mut self) -> Option<&mut [T]> {
        let sizes = self.sizes();
        let len = num_elements(&sizes);
        let (layout, storage) = self.parts_mut();
        let storage: &mut Storage<T> = storage.downcast_mut()?;
        if !layout.is_none() || storage.get_mut().is_none() {
            let mut copy = DynTensor::from_parts(sizes, layout.clone(), storage.clone());
            copy.as_mut_slice();
            (_, *layout, *storage) = copy.into_parts();
        }
        Some(&mut storage.get_mut().expect("a new copy has one owner")[..len])
    }

    /// Replaces this tensor by `tensor`, which must have the same shape and element type. Named axes
    /// with a run-time size take their new size.
    ///
    /// # Errors
    ///
    /// If the elements are of another type, or if the shape does not take these sizes.
    ///
    /// ```
    /// use tensor_core::module::AnyTensor;
    /// use tensor_core::{DynTensor, tensor};
    ///
    /// let mut x = tensor![[1, 2], [3, 4]];
    /// let any: &mut dyn AnyTensor = &mut x;
    /// any.assign(DynTensor::full(&[2, 2], 7))?;
    /// assert_eq!(
    ///     any.assign(DynTensor::full(&[3, 2], 7)).unwrap_err().to_string(),
    ///     "axis 0 has size 2 in the type, 3 in the data"
    /// );
    /// assert_eq!(
    ///     any.assign(DynTensor::full(&[2, 2], 7.0)).unwrap_err().to_string(),
    ///     "the elements are f64, not i32"
    /// );
    /// assert_eq!(x, tensor![[7, 7], [7, 7]]);
    /// # Ok::<(), tensor_core::module::AssignError>(())
    /// ```
    pub fn assign<T: Element>(&mut self, tensor: DynTensor<T>) -> Result<(), AssignError> {
        self.assign_array(&AnyArray::new(tensor))
    }

    /// [`assign`](trait@AnyTensor#method.assign) of an array of any element type.
    pub(crate) fn assign_array(&mut self, array: &AnyArray) -> Result<(), AssignError> {
        let (expected, found) = (self.element_name(), array.element().name);
        if expected != found {
            return Err(AssignError::ElementType { expected, found });
        }
        self.set_sizes(array.sizes()).map_err(AssignError::OtherSizes)?;
        self.set_array(array);
        Ok(())
    }
}

/// Generates the conversions from and to `f32`.
macro_rules! floats {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        /// # Floats of any type
        impl dyn AnyTensor + '_ {
            /// The elements as `f32`, rounded to the nearest, if they are floats; without a copy if they are `f32`.
            ///
            /// ```
            /// use tensor_core::module::AnyTensor;
            /// use tensor_core::tensor;
            ///
            /// let any: &dyn AnyTensor = &tensor![0.5_f64, 1.5];
            /// assert_eq!(any.to_f32(), Some(tensor![0.5_f32, 1.5].into()));
            /// let any: &dyn AnyTensor = &tensor![1, 2];
            /// assert_eq!(any.to_f32(), None);
            /// ```
            pub fn to_f32(&self) -> Option<DynTensor<f32>> {
                $($(#[$cfg])* floats!(@to $class $T self);)*
                None
            }

            /// [`assign`](trait@AnyTensor#method.assign) of `f32` to elements of any float type, rounded to the nearest.
            ///
            /// # Errors
            ///
            /// If the elements are not floats, or if the shape does not take these sizes.
            ///
            /// ```
            /// use tensor_core::module::AnyTensor;
            /// use tensor_core::{DynTensor, tensor};
            ///
            /// let mut x = tensor![0.0_f64, 0.0];
            /// let any: &mut dyn AnyTensor = &mut x;
            /// any.assign_f32(DynTensor::full(&[2], 0.5))?;
            /// assert_eq!(x, tensor![0.5, 0.5]);
            /// # Ok::<(), tensor_core::module::AssignError>(())
            /// ```
            pub fn assign_f32(&mut self, tensor: DynTensor<f32>) -> Result<(), AssignError> {
                $($(#[$cfg])* floats!(@assign $class $T self tensor);)*
                self.assign(tensor)
            }
        }
    };
    (@to float $T:ident $self:ident) => {
        if let Some(tensor) = $self.get::<$T>() {
            return Some(tensor.cast());
        }
    };
    (@to half $T:ident $self:ident) => { floats!(@to float $T $self) };
    (@assign float $T:ident $self:ident $tensor:ident) => {
        if $self.parts().1.is::<Storage<$T>>() {
            return $self.assign($tensor.cast::<$T>());
        }
    };
    (@assign half $T:ident $self:ident $tensor:ident) => { floats!(@assign float $T $self $tensor) };
    (@$call:ident $other:ident $($rest:tt)*) => {};
}

for_each_element!(floats);

impl dyn AnyTensor + '_ {
    /// The sum of the squares of all elements, computed in `f64`, if they are floats: `[..s] → []`. Its root is the norm of
    /// a gradient.
    ///
    /// ```
    /// use tensor_core::module::AnyTensor;
    /// use tensor_core::tensor;
    ///
    /// let any: &dyn AnyTensor = &tensor![[3.0_f32], [4.0]];
    /// assert_eq!(any.sum_of_squares().expect("its elements are floats").item(), 25.0);
    /// ```
    pub fn sum_of_squares(&self) -> Option<Tensor<(), f64>> {
        let sum = match self.get::<f64>() {
            Some(tensor) => sum_of_squares(&tensor),
            None => sum_of_squares(&self.to_f32()?),
        };
        Some(Tensor::with_shape((), sum))
    }
}

impl fmt::Debug for dyn AnyTensor + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.element_name(), self.axis_names().join(", "))
    }
}

/// Why a tensor cannot replace another one.
///
/// ```
/// use tensor_core::module::{AnyTensor, AssignError};
/// use tensor_core::{DynTensor, tensor};
///
/// let any: &mut dyn AnyTensor = &mut tensor![1, 2];
/// let error = any.assign(DynTensor::full(&[2], 1.5)).unwrap_err();
/// assert!(matches!(error, AssignError::ElementType { expected: "i32", found: "f64" }));
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AssignError {
    /// The element types differ.
    ElementType {
        /// The element type of the tensor to replace, as Rust writes it.
        expected: &'static str,
        /// The element type of the new tensor.
        found: &'static str,
    },
    /// The shape does not accept the sizes of the new tensor.
    OtherSizes(ShapeError),
}

impl fmt::Display for AssignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ElementType { expected, found } => {
                write!(f, "the elements are {found}, not {expected}")
            }
            Self::OtherSizes(error) => error.fmt(f),
        }
    }
}

tensor_kernels::__debug_as_display!(AssignError);

impl std::error::Error for AssignError {}

mod sealed {
    use super::*;

    /// Access to the parts of a type-erased tensor. The code that uses them is compiled once for each
    /// element type; only these few lines are compiled for each shape.
    #[doc(hidden)]
    pub trait Erased: Any + Send + Sync {
        #[doc(hidden)]
        fn parts(&self) -> (&Layout, &dyn Any);

        /// The layout and the storage, which is a `Storage<T>`.
        #[doc(hidden)]
        fn parts_mut(&mut self) -> (&mut Layout, &mut dyn Any);

        /// The tensor without its shape and element type.
        #[doc(hidden)]
        #[allow(private_interfaces, reason = "users cannot name the trait")]
        fn to_array(&self) -> AnyArray;

        /// Replaces the elements by those of `array`, which has the same sizes and element type.
        #[doc(hidden)]
        #[allow(private_interfaces, reason = "users cannot name the trait")]
        fn set_array(&mut self, array: &AnyArray);

        /// Makes the tensor a variable (a leaf that requires gradients), with elements in row-major order.
        #[doc(hidden)]
        fn make_variable(&mut self);

        /// Sets the sizes of the shape, before layout and storage are replaced by a tensor of these sizes.
        #[doc(hidden)]
        fn set_sizes(&mut self, sizes: &[usize]) -> Result<(), ShapeError>;
    }
}

/// The methods that typed and dynamic tensors share.
macro_rules! recorded_tensors {
    () => {
        #[allow(private_interfaces, reason = "users cannot name the trait")]
        fn to_array(&self) -> AnyArray {
            to_array::<T>(self)
        }

        #[allow(private_interfaces, reason = "users cannot name the trait")]
        fn set_array(&mut self, array: &AnyArray) {
            set_array::<T>(self, array);
        }

        fn make_variable(&mut self) {
            make_variable::<T>(self);
        }
    };
}

/// A tensor of this element type as an array.
#[inline(never)]
fn to_array<T: Element>(tensor: &dyn AnyTensor) -> AnyArray {
    AnyArray::new(tensor.get::<T>().expect("elements of this type"))
}

/// Replaces a tensor of this element type by an array of its sizes.
///
/// # Panics
///
/// If the array has other sizes or elements: one tensor after the other is replaced, so `visit` and `visit_mut` of a
/// module differ.
#[inline(never)]
fn set_array<T: Element>(tensor: &mut dyn AnyTensor, array: &AnyArray) {
    let types =
        [(tensor.element_name(), tensor.sizes()), (array.element().name, array.sizes().into())];
    let [(elements, sizes), (other_elements, other_sizes)] = &types;
    assert!(
        types[0] == types[1],
        "`visit_mut` of the module shows `{elements}` of sizes {sizes:?} where its `visit` shows `{other_elements}` of \
         sizes {other_sizes:?}: both must show the same tensors in the same order"
    );
    let array = array.get::<DynTensor<T>>().expect("elements of this type").clone();
    let (_, layout, storage) = array.into_parts();
    let (old_layout, old_storage) = tensor.parts_mut();
    *old_layout = layout;
    *old_storage.downcast_mut().expect("elements of this type") = storage;
}

/// Makes a tensor of this element type a variable.
#[inline(never)]
fn make_variable<T: Element>(tensor: &mut dyn AnyTensor) {
    let array = tensor.get::<T>().expect("elements of this type");
    let contiguous = with_recording(false, || array.contiguous());
    let (layout, storage) = tensor.parts_mut();
    (_, _, *storage.downcast_mut().expect("elements of this type")) = contiguous.into_parts();
    *layout = variable::<T>(array.sizes().into(), array.parts().0.as_deref());
}

impl<S: Shape, T: Element> AnyTensor for Tensor<S, T> {
    fn sizes(&self) -> Sizes {
        self.axes.sizes()
    }

    fn axis_names(&self) -> Vec<String> {
        self.axes.names()
    }

    fn element_name(&self) -> &'static str {
        T::NAME
    }

    fn element_bytes(&self) -> usize {
        size_of::<T>()
    }

    fn is_float(&self) -> bool {
        T::IS_FLOAT
    }

    fn accepts(&self, sizes: &[usize]) -> Result<(), ShapeError> {
        S::from_sizes(sizes).map(|_| ())
    }
}

impl<S: Shape, T: Element> sealed::Erased for Tensor<S, T> {
    fn parts(&self) -> (&Layout, &dyn Any) {
        (&self.layout, &self.storage)
    }

    fn parts_mut(&mut self) -> (&mut Layout, &mut dyn Any) {
        (&mut self.layout, &mut self.storage)
    }

    recorded_tensors! {}

    fn set_sizes(&mut self, sizes: &[usize]) -> Result<(), ShapeError> {
        self.axes = S::from_sizes(sizes)?;
        Ok(())
    }
}

impl<T: Element> AnyTensor for DynTensor<T> {
    fn sizes(&self) -> Sizes {
        Sizes::from_slice(DynTensor::sizes(self))
    }

    fn axis_names(&self) -> Vec<String> {
        DynTensor::sizes(self).iter().map(ToString::to_string).collect()
    }

    fn element_name(&self) -> &'static str {
        T::NAME
    }

    fn element_bytes(&self) -> usize {
        size_of::<T>()
    }

    fn is_float(&self) -> bool {
        T::IS_FLOAT
    }

    fn accepts(&self, _: &[usize]) -> Result<(), ShapeError> {
        Ok(())
    }
}

impl<T: Element> sealed::Erased for DynTensor<T> {
    fn parts(&self) -> (&Layout, &dyn Any) {
        let (layout, storage) = DynTensor::parts(self);
        (layout, storage)
    }

    fn parts_mut(&mut self) -> (&mut Layout, &mut dyn Any) {
        let (_, layout, storage) = DynTensor::parts_mut(self);
        (layout, storage)
    }

    recorded_tensors! {}

    fn set_sizes(&mut self, sizes: &[usize]) -> Result<(), ShapeError> {
        *DynTensor::parts_mut(self).0 = sizes.into();
        Ok(())
    }
}

/// A tensor that an optimiser keeps for a parameter: with the parameter's sizes, which stay, and the names of its axes.
///
/// ```
/// use tensor_core::module::{AnyTensor, StateTensor};
/// use tensor_core::{DynTensor, Tensor, axis, shape};
///
/// axis!(Words);
/// let table = Tensor::<shape![Words, 2]>::zeros_shaped(shape![Words(5), 2]);
/// let mut mean = StateTensor::full(&table, 0.0_f32);
/// assert_eq!(mean.axis_names(), ["Words=5", "2"]);
///
/// let any: &mut dyn AnyTensor = &mut mean;
/// any.as_mut_slice::<f32>().expect("its elements are f32")[0] = 1.0;
/// assert!(any.assign(DynTensor::full(&[6, 2], 0.0_f32)).is_err());
/// ```
#[derive(Clone)]
pub struct StateTensor<T: Element> {
    tensor: DynTensor<T>,
    axes: Arc<[String]>,
}

impl<T: Element> StateTensor<T> {
    /// The tensor for a parameter, with every element `value`.
    ///
    /// ```
    /// use tensor_core::module::{AnyTensor, StateTensor};
    /// use tensor_core::tensor;
    ///
    /// let any: &dyn AnyTensor = &StateTensor::full(&tensor![1.0, 2.0], 7_i64);
    /// assert_eq!(any.get::<i64>(), Some(tensor![7, 7].into()));
    /// ```
    pub fn full(parameter: &dyn AnyTensor, value: T) -> Self {
        let tensor = DynTensor::full(&parameter.sizes(), value);
        Self { tensor, axes: parameter.axis_names().into() }
    }
}

impl<T: Element> fmt::Debug for StateTensor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self as &dyn AnyTensor).fmt(f)
    }
}

impl<T: Element> AnyTensor for StateTensor<T> {
    fn sizes(&self) -> Sizes {
        Sizes::from_slice(self.tensor.sizes())
    }

    fn axis_names(&self) -> Vec<String> {
        self.axes.to_vec()
    }

    fn element_name(&self) -> &'static str {
        T::NAME
    }

    fn element_bytes(&self) -> usize {
        size_of::<T>()
    }

    fn is_float(&self) -> bool {
        T::IS_FLOAT
    }

    fn accepts(&self, sizes: &[usize]) -> Result<(), ShapeError> {
        let expected = self.tensor.sizes();
        if expected.len() != sizes.len() {
            return Err(ShapeError::Rank { expected: expected.len(), found: sizes.len() });
        }
        match (0..sizes.len()).find(|&axis| expected[axis] != sizes[axis]) {
            None => Ok(()),
            Some(axis) => {
                let (expected, found) = (expected[axis], sizes[axis]);
                Err(ShapeError::StaticSize { expected, found, axis, name: None })
            }
        }
    }

    fn is_state(&self) -> bool {
        true
    }
}

impl<T: Element> sealed::Erased for StateTensor<T> {
    fn parts(&self) -> (&Layout, &dyn Any) {
        sealed::Erased::parts(&self.tensor)
    }

    fn parts_mut(&mut self) -> (&mut Layout, &mut dyn Any) {
        sealed::Erased::parts_mut(&mut self.tensor)
    }

    #[allow(private_interfaces, reason = "users cannot name the trait")]
    fn to_array(&self) -> AnyArray {
        sealed::Erased::to_array(&self.tensor)
    }

    #[allow(private_interfaces, reason = "users cannot name the trait")]
    fn set_array(&mut self, array: &AnyArray) {
        sealed::Erased::set_array(&mut self.tensor, array);
    }

    fn make_variable(&mut self) {
        sealed::Erased::make_variable(&mut self.tensor);
    }

    fn set_sizes(&mut self, sizes: &[usize]) -> Result<(), ShapeError> {
        self.accepts(sizes)
    }
}
