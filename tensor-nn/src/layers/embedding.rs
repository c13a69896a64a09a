//! A table of vectors, looked up by indices.

use tensor_core::element::Integer;
use tensor_core::random::Generator;
use tensor_core::{
    Axis, Element, Float, IndexError, Module, Shape, StaticShape, Tensor, select, shape, shapes,
};

use super::{Layer, Pass};

/// A vector of `N` numbers for each of `V` words, `[..s] → [..s, n]`: PyTorch's `nn.Embedding`.
///
/// ```
/// use tensor_core::{Tensor, dim, random::Generator, shape, tensor};
/// use tensor_nn::layers::Embedding;
///
/// let table: Embedding<dim!(50257), dim!(8)> = Embedding::new(&mut Generator::seed(42));
/// let text: Tensor<shape![2, 3], i64> = tensor![[1, 2, 3], [4, 50256, 0]];
/// assert_eq!(table.forward(&text)?.shape(), shape![2, 3, 8]);
///
/// let error = table.forward(&tensor![50257]).unwrap_err();
/// assert_eq!(error.index, 50257);
/// # Ok::<_, tensor_core::IndexError>(())
/// ```
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct Embedding<V: Axis, N: Axis, T: Element = f32> {
    /// A row for each word.
    pub weight: Tensor<shape![V, N], T>,
}

#[tensor_core::diagnostics::bounds_without_source]
impl<V: Axis, N: Axis, T: Element> Embedding<V, N, T> {
    /// Initialises the vectors from a normal distribution with mean 0 and deviation 1, as PyTorch does.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::layers::Embedding;
    ///
    /// let table: Embedding<dim!(1000), dim!(64)> = Embedding::new(&mut Generator::seed(42));
    /// assert!((table.weight.std().item() - 1.0).abs() < 0.02);
    /// ```
    pub fn new(rng: &mut Generator) -> Self
    where
        shape![V, N]: StaticShape,
        T: Float,
    {
        Self { weight: rng.normal(T::from_f64(0.0), T::from_f64(1.0)) }
    }

    /// Initialises all vectors to 0, for tests.
    ///
    /// ```
    /// use tensor_core::{dim, tensor};
    /// use tensor_nn::layers::Embedding;
    ///
    /// let table: Embedding<dim!(5), dim!(2)> = Embedding::zeros();
    /// assert_eq!(table.forward(&tensor![4]), Ok(tensor![[0.0, 0.0]]));
    /// ```
    pub fn zeros() -> Self
    where
        shape![V, N]: StaticShape,
        T: Float,
    {
        Self { weight: Tensor::zeros() }
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<V: Axis, N: Axis, T: Element> Embedding<V, N, T> {
    /// Looks up the vectors of words, `[..s] → [..s, n]`. Negative indices count from the end.
    ///
    /// # Panics
    ///
    /// If the result exceeds `isize::MAX` bytes.
    ///
    /// # Errors
    ///
    /// If an index is out of range: which one, and its position.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::layers::Embedding;
    ///
    /// let table = Embedding { weight: tensor![[1.0, 2.0], [3.0, 4.0]] };
    /// assert_eq!(table.forward(&tensor![1, 0]), Ok(tensor![[3.0, 4.0], [1.0, 2.0]]));
    /// ```
    #[track_caller]
    pub fn forward<S: Shape, K>(
        &self,
        indices: &Tensor<S, K>,
    ) -> Result<Tensor<shape![S.., N], T>, IndexError>
    where
        T: Float,
        K: Integer,
    {
        self.weight.embedding(indices)
    }

    /// [`forward`](Self::forward) with a padding index: its vector is looked up like the others, but gets no
    /// gradient, so that it keeps its initial value. PyTorch's `padding_idx`.
    ///
    /// # Panics
    ///
    /// If the result exceeds `isize::MAX` bytes.
    ///
    /// # Errors
    ///
    /// If an index or the padding is not a row of the table; negative ones count from the end.
    ///
    /// ```
    /// use tensor_core::autograd::grad;
    /// use tensor_core::{dim, tensor};
    /// use tensor_nn::layers::Embedding;
    ///
    /// let table: Embedding<dim!(3), dim!(1)> = Embedding::zeros();
    /// let words = tensor![1, 0, -3];
    /// let gradient = grad(&table, |table| table.forward_padded(&words, 0).expect("words").sum());
    /// assert_eq!(gradient.weight, tensor![[0.0], [1.0], [0.0]]);
    /// ```
    #[doc(alias = "padding_idx")]
    #[track_caller]
    pub fn forward_padded<S: Shape, K>(
        &self,
        indices: &Tensor<S, K>,
        padding: K,
    ) -> Result<Tensor<shape![S.., N], T>, IndexError>
    where
        T: Float,
        K: Integer,
    {
        let vectors: Tensor<shape![S.., N], T> = self.forward(indices)?;
        let (((), words), _) = self.weight.shape();
        let padding: Tensor<shape![V], bool> = Tensor::scalar(padding).one_hot_shaped(words)?;
        let is_padding = padding.unsqueeze::<-1>().embedding(indices)?;
        Ok(select(is_padding, vectors.detach(), vectors))
    }
}

/// In a [`Sequential`](super::Sequential) an index out of range panics.
impl<S: Shape, K: Integer, V: Axis, N: Axis, T: Float> Layer<Tensor<S, K>> for Embedding<V, N, T> {
    type Output = Tensor<shape![S.., N], T>;

    #[track_caller]
    fn apply(&self, input: &Tensor<S, K>, _: &mut Pass) -> Self::Output {
        match self.forward(input) {
            Ok(vectors) => vectors,
            Err(error) => panic!("{error}"),
        }
    }
}
