//! Sources of batches.

use std::sync::Arc;

use tensor_core::indexing::{TakeAxis, Taken};
use tensor_core::joins::{NewAxis, Stacked};
use tensor_core::{Axis, Element, Shape, Tensor};

use super::Loader;

/// A collection of examples with indices from 0.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::data::Examples;
///
/// assert_eq!((tensor![[1, 2], [3, 4], [5, 6]], tensor![0, 1, 0]).num_examples(), 3);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no examples to make batches of",
    label = "expected tensors whose first axis counts the examples, or `from_fn`",
    note = "data are a tensor of at least one axis, a tuple of tensors, or `from_fn(len, |index| …)` [N201]"
)]
pub trait Examples {
    /// Appends the number of examples of each part; all parts must have the same number.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::data::Examples;
    ///
    /// let mut counts = Vec::new();
    /// (tensor![1, 2], tensor![1, 2, 3]).counts(&mut counts);
    /// assert_eq!(counts, [2, 3]);
    /// ```
    fn counts(&self, counts: &mut Vec<usize>);

    /// The number of examples.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::data::Examples;
    ///
    /// assert_eq!(tensor![1, 2].num_examples(), 2);
    /// ```
    fn num_examples(&self) -> usize {
        let mut counts = Vec::new();
        self.counts(&mut counts);
        counts.first().copied().unwrap_or(0)
    }
}

/// The loader of data `D`, `Loader<D>`. Of what are no [`Examples`] its type is unknown, so that rustc reports
/// `Loader::new` alone.
#[diagnostic::on_unimplemented(
    message = "`{D}` has no examples to make batches of",
    label = "expected tensors whose first axis counts the examples, or `from_fn`",
    note = "data are a tensor of at least one axis, a tuple of tensors, or `from_fn(len, |index| …)` [N201]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait LoaderOf<D> {
    /// `Loader<D>`
    type Loader;

    /// See `Loader::new`.
    #[track_caller]
    fn new(data: D, batch: usize) -> Self::Loader;
}

#[diagnostic::do_not_recommend]
impl<D: Examples> LoaderOf<D> for (D,) {
    type Loader = Loader<D>;

    #[track_caller]
    fn new(data: D, batch: usize) -> Loader<D> {
        assert!(batch > 0, "a batch has at least one example");
        let mut counts = Vec::new();
        data.counts(&mut counts);
        if let Some(count) = counts.iter().find(|count| **count != counts[0]) {
            panic!("the data have {} examples in one part and {count} in another", counts[0]);
        }
        Loader { data: Arc::new(data), batch, seed: None, drops_last: false, prefetched: 0 }
    }
}

/// A trait that no type implements.
#[cfg_attr(doc, doc(hidden))]
pub trait NoExamples {
    /// Never called.
    fn never<T>(self) -> T;
}

/// With a second impl, rustc finds out which of them holds before it names the type.
#[diagnostic::do_not_recommend]
impl<D> LoaderOf<D> for (D,)
where
    (D,): NoExamples,
{
    type Loader = Loader<D>;

    fn new(data: D, _: usize) -> Loader<D> {
        (data,).never()
    }
}

/// No data.
#[cfg_attr(doc, doc(hidden))]
#[derive(Clone, Copy, Debug)]
pub enum NoData {}

/// With a third one, it does so once the type of the data is known.
#[diagnostic::do_not_recommend]
impl LoaderOf<NoData> for (NoData,) {
    type Loader = Loader<NoData>;

    fn new(data: NoData, _: usize) -> Loader<NoData> {
        match data {}
    }
}

/// [`Examples`] that can be made into batches along an axis `B`.
///
/// Implemented for tensors whose first axis counts the examples, `[n, ..s] → [b, ..s]`, for tuples of
/// datasets, and for [`from_fn`]. Other sources implement it themselves:
///
/// ```
/// use tensor_core::{Axis, DynTensor, IntoTensor, Tensor, axis, shape};
/// use tensor_nn::data::{Dataset, Examples, Loader};
///
/// axis!(Batch);
///
/// /// Numbers and their squares.
/// struct Squares(usize);
///
/// impl Examples for Squares {
///     fn counts(&self, counts: &mut Vec<usize>) {
///         counts.push(self.0);
///     }
/// }
///
/// impl<B: Axis> Dataset<B> for Squares {
///     type Batch = Tensor<shape![B, 2]>;
///
///     fn batch(&self, indices: &[usize]) -> Self::Batch {
///         let pairs = indices.iter().map(|&index| index as f32).flat_map(|x| [x, x * x]);
///         let batch = DynTensor::from_vec(&[indices.len(), 2], pairs.collect());
///         batch.unwrap().into_tensor().unwrap()
///     }
/// }
///
/// let loader = Loader::new(Squares(5), 3);
/// assert_eq!(loader.epoch::<Batch>(0).map(|pairs| pairs.sum().item()).sum::<f32>(), 40.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no batches along `{B}`",
    label = "expected tensors whose first axis counts the examples, or `from_fn`",
    note = "data are a tensor of at least one axis, a tuple of tensors, or `from_fn(len, |index| …)`; \
        in generic code, add the bound `{Self}: Dataset<{B}>` [N201]"
)]
pub trait Dataset<B: Axis>: Examples {
    /// A batch: one tensor, or several.
    type Batch;

    /// The examples with these indices, in this order.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, shape, tensor};
    /// use tensor_nn::data::Dataset;
    ///
    /// axis!(Batch);
    /// let batch: Tensor<shape![Batch], i32> = tensor![10, 20, 30].batch(&[2, 0]);
    /// assert_eq!(batch.to_vec(), [30, 10]);
    /// ```
    fn batch(&self, indices: &[usize]) -> Self::Batch;
}

/// The shape of the indices of a batch, `[b]`.
///
/// # Panics
///
/// If the axis has another size.
fn batch_shape<B: Axis>(len: usize) -> ((), B) {
    <((), B)>::from_sizes(&[len]).unwrap_or_else(|error| {
        panic!("a batch of {len} examples: {error}; `drop_last` leaves out a smaller batch")
    })
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> Examples for Tensor<S, T> {
    fn counts(&self, counts: &mut Vec<usize>) {
        counts.push(self.shape().sizes().first().copied().unwrap_or(0));
    }
}

impl<S, T, B> Dataset<B> for Tensor<S, T>
where
    S: TakeAxis<0, ((), B)>,
    T: Element,
    B: Axis,
{
    type Batch = Tensor<Taken<S, 0, ((), B)>, T>;

    fn batch(&self, indices: &[usize]) -> Self::Batch {
        let shape = batch_shape::<B>(indices.len());
        let indices = indices.iter().map(|&index| index as u64).collect();
        let indices = Tensor::from_vec_shaped(shape, indices).expect("as many as the shape has");
        self.take::<0, _>(indices).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// Implements the traits for tuples of parts with the same number of examples.
macro_rules! tuples {
    ($(($($D:ident $position:tt),+))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($D: Examples),+> Examples for ($($D,)+) {
            fn counts(&self, counts: &mut Vec<usize>) {
                $(self.$position.counts(counts);)+
            }
        }

        impl<Along: Axis, $($D: Dataset<Along>),+> Dataset<Along> for ($($D,)+) {
            type Batch = ($($D::Batch,)+);

            fn batch(&self, indices: &[usize]) -> Self::Batch {
                ($(self.$position.batch(indices),)+)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<Along: Axis, $($D: Collate<Along>),+> Collate<Along> for ($($D,)+) {
            type Batch = ($($D::Batch,)+);

            fn collate(examples: Vec<Self>) -> Self::Batch {
                let mut parts = ($(Vec::<$D>::with_capacity(examples.len()),)+);
                for example in examples {
                    $(parts.$position.push(example.$position);)+
                }
                ($($D::collate(parts.$position),)+)
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
}

/// Examples that a function makes from their indices: [`from_fn`].
#[derive(Clone, Copy)]
pub struct FromFn<F> {
    len: usize,
    example: F,
}

/// A dataset of `len` examples, each made from its index: images in files, or random changes of images.
///
/// An example is a tensor, a number, or a tuple of these; [`Collate`] makes batches from them.
///
/// ```
/// use tensor_core::{Tensor, axis, shape, tensor};
/// use tensor_nn::data::{Loader, from_fn};
///
/// axis!(Batch);
/// let data = from_fn(10, |index| (tensor![index as f32, 1.0], index as i64 % 3));
/// for (x, label) in Loader::new(data, 4).prefetched(2).epoch::<Batch>(0) {
///     let (x, label): (Tensor<shape![Batch, 2]>, Tensor<shape![Batch], i64>) = (x, label);
///     assert_eq!(x[[1, 0]] as i64 % 3, label[[1]]);
/// }
/// ```
pub fn from_fn<E, F: Fn(usize) -> E>(len: usize, example: F) -> FromFn<F> {
    FromFn { len, example }
}

impl<F> std::fmt::Debug for FromFn<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FromFn").field("len", &self.len).finish_non_exhaustive()
    }
}

#[diagnostic::do_not_recommend]
impl<F> Examples for FromFn<F> {
    fn counts(&self, counts: &mut Vec<usize>) {
        counts.push(self.len);
    }
}

impl<F, E, B> Dataset<B> for FromFn<F>
where
    F: Fn(usize) -> E,
    E: Collate<B>,
    B: Axis,
{
    type Batch = E::Batch;

    fn batch(&self, indices: &[usize]) -> E::Batch {
        E::collate(indices.iter().map(|&index| (self.example)(index)).collect())
    }
}

/// An example that can be stacked into a batch, along a new first axis `B`.
///
/// ```
/// use tensor_core::{Tensor, axis, shape, tensor};
/// use tensor_nn::data::Collate;
///
/// axis!(Batch);
/// let batch: Tensor<shape![Batch, 2], i32> = Collate::collate(vec![tensor![1, 2], tensor![3, 4]]);
/// assert_eq!(batch.to_vec(), [1, 2, 3, 4]);
/// ```
#[diagnostic::on_unimplemented(
    message = "no batch along `{B}` is made of `{Self}`",
    label = "expected a tensor, a number, or a tuple of these",
    note = "a batch is made of tensors, numbers, or tuples of these; another type implements `Collate<{B}>` [N201]"
)]
pub trait Collate<B: Axis>: Sized {
    /// A batch.
    type Batch;

    /// The batch of these examples, in this order.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, shape};
    /// use tensor_nn::data::Collate;
    ///
    /// axis!(Batch);
    /// let batch: Tensor<shape![Batch], u8> = Collate::collate(vec![1_u8, 2, 3]);
    /// assert_eq!(batch.shape(), shape![Batch(3)]);
    /// ```
    fn collate(examples: Vec<Self>) -> Self::Batch;
}

#[diagnostic::do_not_recommend]
impl<S, T, B> Collate<B> for Tensor<S, T>
where
    S: NewAxis<0, B>,
    T: Element,
    B: Axis,
{
    type Batch = Tensor<Stacked<S, 0, B>, T>;

    fn collate(examples: Vec<Self>) -> Self::Batch {
        Tensor::stack_all::<0, B>(&examples)
    }
}

macro_rules! numbers {
    ($($T:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<B: Axis> Collate<B> for $T {
            type Batch = Tensor<((), B), $T>;

            fn collate(examples: Vec<Self>) -> Self::Batch {
                let shape = batch_shape(examples.len());
                Tensor::from_vec_shaped(shape, examples).expect("as many as the shape has")
            }
        }
    )*};
}

numbers!(f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool);
