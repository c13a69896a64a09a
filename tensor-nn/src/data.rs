//! Data: examples in batches, shuffled, and prepared in advance on a thread.
//!
//! A [`Loader`] makes batches from a [`Dataset`]: tensors whose first axis counts the examples, or a
//! function from the index of an example to the example. A batch has a named axis for its examples, which
//! the program declares; the last batch may have fewer.
//!
//! ```
//! use tensor_core::{Tensor, axis, shape, tensor};
//! use tensor_nn::data::Loader;
//!
//! axis!(Batch);
//!
//! let images = Tensor::<shape![10, 8, 8]>::zeros();
//! let labels = tensor![0_i64, 1, 2, 3, 4, 5, 6, 7, 8, 9];
//! let loader = Loader::new((images, labels), 4).shuffled(42).prefetched(2);
//!
//! let mut sizes = Vec::new();
//! for epoch in 0..2 {
//!     for (x, y) in loader.epoch::<Batch>(epoch) {
//!         let x: Tensor<shape![Batch, 8, 8]> = x;
//!         let y: Tensor<shape![Batch], i64> = y;
//!         assert_eq!(x.shape(), shape![Batch(y.len()), 8, 8]);
//!         sizes.push(y.len());
//!     }
//! }
//! assert_eq!(sizes, [4, 4, 2, 4, 4, 2]);
//! ```

mod batches;
mod dataset;
mod padded;

use std::ops::Range;
use std::sync::Arc;

use tensor_core::random::Generator;

#[cfg_attr(doc, doc(hidden))]
pub use batches::BatchAxis;
pub use batches::Batches;
pub use dataset::{Collate, Dataset, Examples, FromFn, LoaderOf, NoData, NoExamples, from_fn};
pub use padded::padded;

/// Makes batches from a [`Dataset`]; PyTorch's `DataLoader`.
///
/// A plain value: the order of an epoch depends only on the seed and the number of the epoch, so a
/// program that resumes training gets the same batches as an uninterrupted one.
///
/// ```
/// use tensor_core::{axis, tensor};
/// use tensor_nn::data::Loader;
///
/// axis!(Batch);
/// let loader = Loader::new(tensor![10, 20, 30], 2);
/// let batches: Vec<_> = loader.epoch::<Batch>(0).map(|batch| batch.to_vec()).collect();
/// assert_eq!(batches, [vec![10, 20], vec![30]]);
/// ```
#[doc(alias = "DataLoader")]
#[derive(Clone, Debug)]
pub struct Loader<D> {
    data: Arc<D>,
    batch: usize,
    seed: Option<u64>,
    drops_last: bool,
    prefetched: usize,
}

#[tensor_core::diagnostics::bounds_without_source]
impl<D> Loader<D> {
    /// A `Loader<D>` of [`Examples`]: batches of `batch` of them, in the order of the data.
    ///
    /// # Panics
    ///
    /// If a batch has no example, or if the parts of the data have different numbers of examples.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::data::Loader;
    ///
    /// assert_eq!(Loader::new(tensor![1, 2, 3], 2).num_batches(), 2);
    /// ```
    #[allow(
        clippy::new_ret_no_self,
        reason = "`L` is `Self`, which rustc knows once `D` has examples"
    )]
    #[track_caller]
    pub fn new<L>(data: D, batch: usize) -> L
    where
        (D,): LoaderOf<D, Loader = L>,
    {
        <(D,)>::new(data, batch)
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<D: Examples> Loader<D> {
    /// Shuffles the examples, in a different order in each epoch, which depends on the seed.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, shape};
    /// use tensor_nn::data::Loader;
    ///
    /// axis!(Batch);
    /// let loader = Loader::new(Tensor::<shape![100], i64>::arange(), 100).shuffled(7);
    /// let order = |epoch| loader.epoch::<Batch>(epoch).next().map(|batch| batch.to_vec());
    /// assert_eq!(order(0), order(0));
    /// assert_ne!(order(0), order(1));
    /// ```
    #[doc(alias = "shuffle")]
    #[must_use]
    pub fn shuffled(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }

    /// Drops the last batch if it has fewer examples.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::data::Loader;
    ///
    /// assert_eq!(Loader::new(tensor![1, 2, 3], 2).drop_last().num_batches(), 1);
    /// ```
    #[must_use]
    pub fn drop_last(self) -> Self {
        Self { drops_last: true, ..self }
    }

    /// Prepares this number of batches in advance on a thread, while the program computes; 0 for no thread.
    /// The batches and their order do not change.
    ///
    /// The thread ends with the epoch, or when the program leaves it early. A panic on the thread is resumed
    /// in the program, at the batch that caused it.
    ///
    /// ```
    /// # use tensor_core::IntoTensor;
    /// use tensor_core::{axis, tensor};
    /// use tensor_nn::data::Loader;
    ///
    /// axis!(Batch);
    /// let loader = Loader::new(tensor![1, 2, 3], 2).prefetched(2);
    /// assert_eq!(loader.epoch::<Batch>(0).last(), Some(tensor![3].named()));
    /// # trait Named { fn named(self) -> tensor_core::Tensor<tensor_core::shape![Batch], i32>; }
    /// # impl Named for tensor_core::Tensor<tensor_core::shape![1], i32> {
    /// #     fn named(self) -> tensor_core::Tensor<tensor_core::shape![Batch], i32> {
    /// #         tensor_core::DynTensor::from(self).into_tensor().unwrap()
    /// #     }
    /// # }
    /// ```
    #[doc(alias = "prefetch_factor")]
    #[doc(alias = "num_workers")]
    #[must_use]
    pub fn prefetched(self, batches: usize) -> Self {
        Self { prefetched: batches, ..self }
    }

    /// The number of examples.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::data::Loader;
    ///
    /// assert_eq!(Loader::new(tensor![1, 2, 3], 2).num_examples(), 3);
    /// ```
    pub fn num_examples(&self) -> usize {
        self.data.num_examples()
    }

    /// The number of batches of an epoch.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::data::Loader;
    ///
    /// assert_eq!(Loader::new(tensor![1, 2, 3, 4], 2).num_batches(), 2);
    /// ```
    pub fn num_batches(&self) -> usize {
        let examples = self.num_examples();
        if self.drops_last { examples / self.batch } else { examples.div_ceil(self.batch) }
    }

    /// The batches of an epoch, along the axis `B`: each example once.
    ///
    /// # Panics
    ///
    /// If `B` has a static size, and a batch has another.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, shape, tensor};
    /// use tensor_nn::data::Loader;
    ///
    /// axis!(Batch);
    /// let loader = Loader::new(tensor![[1, 2], [3, 4], [5, 6]], 2);
    /// for x in loader.epoch::<Batch>(0) {
    ///     let x: Tensor<shape![Batch, 2], i32> = x;
    /// }
    /// ```
    #[track_caller]
    pub fn epoch<B>(&self, epoch: usize) -> B::Batches
    where
        B: BatchAxis<D>,
    {
        let order = self.seed.map(|seed| {
            let mut rng = Generator::seed(seed);
            (0..epoch).for_each(|_| drop(rng.split()));
            rng.split().permutation(self.num_examples())
        });
        B::batches(self.data.clone(), self.plan(order), self.prefetched)
    }

    fn plan(&self, order: Option<Vec<usize>>) -> Plan {
        let (examples, batches) = (self.num_examples(), self.num_batches());
        Plan { order, batch: self.batch, examples, batches: 0..batches }
    }
}

/// The indices of the examples of each batch of an epoch.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The indices of the examples; `None` if they are not shuffled.
    order: Option<Vec<usize>>,
    batch: usize,
    examples: usize,
    /// The batches that remain.
    batches: Range<usize>,
}

impl Iterator for Plan {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let start = self.batches.next()? * self.batch;
        let positions = start..(start + self.batch).min(self.examples);
        Some(match &self.order {
            Some(order) => order[positions].to_vec(),
            None => positions.collect(),
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.batches.size_hint()
    }
}
