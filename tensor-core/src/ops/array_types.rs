//! The types of arrays that entries of the table are made of. This layer lists them and does not know
//! them: the layer `array` says what they are.

/// The types of a layer of arrays.
pub(crate) trait ArrayTypes {
    /// An array to read from.
    type View<'a, T: 'a>;
    /// The elements of an array.
    type Storage<T>;
    /// What runs a reduction of elements of type `T` to results of type `O`.
    type Reduction<T: 'static, O: 'static>;
    /// What runs an operation along an axis that keeps the sizes.
    type AxisMap<T: 'static, O: 'static>;
    /// What a kernel of the table is beside its loops, for a run on whole arrays that is recorded.
    type Recording: core::fmt::Debug;
}

/// The layer `array`.
pub(crate) struct Arrays;

pub(crate) type View<'a, T> = <Arrays as ArrayTypes>::View<'a, T>;
pub(crate) type Storage<T> = <Arrays as ArrayTypes>::Storage<T>;
pub(crate) type Reduction<T, O> = <Arrays as ArrayTypes>::Reduction<T, O>;
pub(crate) type AxisMap<T, O> = <Arrays as ArrayTypes>::AxisMap<T, O>;
pub(crate) type Recording = <Arrays as ArrayTypes>::Recording;
