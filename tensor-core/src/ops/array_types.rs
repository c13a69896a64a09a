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
    /// An array of static sizes, which are known elsewhere.
    type Array<'a, T: 'a>;
    /// An array of static sizes or a scalar.
    type Source<'a, T: 'a>;
    /// An operation on three operands: its kernel, and its rule.
    type Ternary;
    /// What the types know of an operation on `N` arrays of static sizes.
    type StaticCall<const N: usize>;
    /// What the types know of a product of two arrays of static sizes.
    type StaticProduct;
    /// Where the elements of an array lie in its storage, and its history.
    type Layout;
    /// The results of an operation in memory of their own, and their layout.
    type Results;
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
pub(crate) type Array<'a, T> = <Arrays as ArrayTypes>::Array<'a, T>;
pub(crate) type Source<'a, T> = <Arrays as ArrayTypes>::Source<'a, T>;
pub(crate) type Ternary = <Arrays as ArrayTypes>::Ternary;
pub(crate) type StaticCall<const N: usize> = <Arrays as ArrayTypes>::StaticCall<N>;
pub(crate) type StaticProduct = <Arrays as ArrayTypes>::StaticProduct;
pub(crate) type Layout = <Arrays as ArrayTypes>::Layout;
pub(crate) type Results = <Arrays as ArrayTypes>::Results;
