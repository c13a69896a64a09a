//! Losses with target classes, with their options.

use tensor_core::element::{Integer, Number};
use tensor_core::functional::{class_indices, cross_entropy};
use tensor_core::{Axis, Element, Float, IndexError, Shape, Tensor, select, shape, shapes};

use super::ClassesOf;
use crate::layers::same;
use crate::numbers;

/// [`cross_entropy`](super::cross_entropy) with options: an ignored class, label smoothing, class
/// weights. PyTorch's `nn.CrossEntropyLoss`.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::losses::CrossEntropy;
///
/// let loss = CrossEntropy::new().ignore(-100).smooth_labels(0.1);
/// let scores = tensor![[0.0, 0.0], [3.0, 5.0]];
/// assert!((loss.mean(&scores, &tensor![1, -100])?.item() - 2.0_f32.ln()).abs() < 1e-6);
/// # Ok::<_, tensor_core::IndexError>(())
/// ```
#[doc(alias = "CrossEntropyLoss")]
#[shapes]
#[derive(Clone, Debug, PartialEq)]
pub struct CrossEntropy<C: Axis, T: Element = f32> {
    /// The options shared with [`Nll`].
    pub nll: Nll<C, T>,
    /// The share of the probability that is spread over all classes, from 0 to 1: 0 by default.
    pub smoothing: f64,
}

/// [`nll`](super::nll) with options: an ignored class, class weights. PyTorch's `nn.NLLLoss`.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::losses::Nll;
///
/// let loss = Nll::new().weigh(tensor![1.0, 3.0]);
/// let log_probabilities = tensor![[-4.0, -1.0], [-2.0, -2.0]];
/// assert_eq!(loss.each(&log_probabilities, &tensor![0, 1])?, tensor![4.0, 6.0]);
/// assert_eq!(loss.mean(&log_probabilities, &tensor![0, 1])?.item(), 10.0 / 4.0);
/// # Ok::<_, tensor_core::IndexError>(())
/// ```
#[doc(alias = "NLLLoss")]
#[shapes]
#[derive(Clone, Debug, PartialEq)]
pub struct Nll<C: Axis, T: Element = f32> {
    /// A class whose examples are ignored, for padding; it need not be from 0 to `c - 1`.
    pub ignored: Option<i64>,
    /// The weight of the examples of each class; all 1 if `None`.
    pub weights: Option<Tensor<shape![C], T>>,
}

/// The losses of examples, and their weights.
struct Weighted<S: Shape, T: Element> {
    losses: Tensor<S, T>,
    /// `None` if all weights are 1.
    weights: Option<Tensor<S, T>>,
}

impl<S: Shape, T: Float> Weighted<S, T> {
    /// The sum of the losses divided by the sum of the weights; NaN if all examples are ignored.
    fn mean(&self) -> Tensor<shape![], T> {
        match &self.weights {
            Some(weights) => self.losses.sum() / weights.sum(),
            None => self.losses.mean(),
        }
    }
}

/// Checked target classes.
struct Classes<S: Shape> {
    /// The class of each example; 0 for an ignored one.
    indices: Tensor<S, i64>,
    /// Which examples are not ignored; `None` if none is ignored.
    count: Option<Tensor<S, bool>>,
}

impl<S: Shape> Classes<S> {
    fn new<K: Integer>(
        classes: &Tensor<S, K>,
        size: usize,
        ignored: Option<i64>,
    ) -> Result<Self, IndexError> {
        let indices = class_indices(classes, size, ignored)?;
        let Some(ignored) = ignored else { return Ok(Self { indices, count: None }) };
        let count = indices.not_equal(ignored);
        Ok(Self { indices: select(&count, &indices, 0), count: Some(count) })
    }

    /// Sets the elements of ignored examples to 0.
    fn counted<T: Float>(&self, elements: Tensor<S, T>) -> Tensor<S, T> {
        match &self.count {
            Some(count) => select(count, elements, T::ZERO),
            None => elements,
        }
    }
}

/// `-ln p_y` of the class `y` of each example.
#[track_caller]
fn at_classes<Lead: Shape, C: Axis, T: Float>(
    log_probabilities: &Tensor<shape![Lead.., C], T>,
    classes: &Classes<Lead>,
) -> Result<Tensor<Lead, T>, IndexError> {
    let indices = classes.indices.unsqueeze::<-1>();
    Ok(-log_probabilities.take_along_axis::<-1, _>(&indices)?.squeeze::<-1>())
}

impl<C: Axis, T: Float> Nll<C, T> {
    /// A loss without options: all examples have the same weight.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::Nll;
    ///
    /// assert_eq!(Nll::new().mean(&tensor![[-1.0, -2.0]], &tensor![1])?.item(), 2.0);
    /// # Ok::<_, tensor_core::IndexError>(())
    /// ```
    #[expect(clippy::new_without_default, reason = "losses are made by `new`")]
    pub fn new() -> Self {
        Self { ignored: None, weights: None }
    }

    /// Ignores examples of this class, both in sums and in means.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::Nll;
    ///
    /// let loss = Nll::new().ignore(-1);
    /// assert_eq!(loss.mean(&tensor![[-1.0, -2.0], [-5.0, -5.0]], &tensor![1, -1])?.item(), 2.0);
    /// # Ok::<_, tensor_core::IndexError>(())
    /// ```
    #[doc(alias = "ignore_index")]
    #[must_use]
    pub fn ignore(mut self, class: i64) -> Self {
        self.ignored = Some(class);
        self
    }

    /// Weights examples by their class.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::Nll;
    ///
    /// let loss = Nll::new().weigh(tensor![1.0, 10.0]);
    /// assert_eq!(loss.sum(&tensor![[-1.0, -2.0]], &tensor![1])?.item(), 20.0);
    /// # Ok::<_, tensor_core::IndexError>(())
    /// ```
    #[must_use]
    pub fn weigh(mut self, weights: Tensor<shape![C], T>) -> Self {
        self.weights = Some(weights);
        self
    }

    /// The losses `-w_y ln p_y` and the weights `w_y`, given `-ln p_y` for the class `y` of each example.
    #[track_caller]
    fn weighted<Lead: Shape>(
        &self,
        losses: Tensor<Lead, T::Wide>,
        classes: &Classes<Lead>,
    ) -> Result<Weighted<Lead, T::Wide>, IndexError> {
        let weights = match &self.weights {
            Some(weights) => {
                let weights = weights.cast::<T::Wide>().unsqueeze::<-1>();
                Some(weights.embedding(&classes.indices)?.squeeze::<-1>())
            }
            None if classes.count.is_some() => {
                Some(Tensor::full_shaped(classes.indices.shape(), T::Wide::ONE))
            }
            None => None,
        };
        let weights = weights.map(|weights| classes.counted(weights));
        let losses = classes.counted(losses);
        let losses = match &weights {
            Some(weights) => losses * weights,
            None => losses,
        };
        Ok(Weighted { losses, weights })
    }

    #[track_caller]
    fn checked<Lead: Shape, K: Integer>(
        &self,
        log_probabilities: &Tensor<shape![Lead.., C], T>,
        classes: &Tensor<Lead, K>,
    ) -> Result<Weighted<Lead, T::Wide>, IndexError> {
        let (_, size) = log_probabilities.shape();
        let classes = Classes::new(classes, size.size(), self.ignored)?;
        self.weighted(at_classes(&log_probabilities.cast(), &classes)?, &classes)
    }
}

/// Checks the target classes of these rows.
///
/// # Panics
///
/// If a named axis has different sizes in the two.
#[track_caller]
fn of_rows<'a, Lead: Shape, C: Axis, S: ClassesOf<Lead, K>, T: Element, K: Element>(
    rows: &Tensor<shape![Lead.., C], T>,
    classes: &'a Tensor<S, K>,
) -> &'a Tensor<Lead, S::Number> {
    let classes: &Tensor<Lead, S::Number> = same(classes);
    let (lead, _) = rows.shape();
    if lead.sizes() != classes.shape().sizes() {
        let (lead, shape) = (lead.display(), classes.shape());
        panic!(
            "there are rows of scores of shape {lead}, and classes of shape {}",
            shape.display()
        );
    }
    classes
}

/// Generates the three reductions of a loss.
macro_rules! reductions {
    ($Loss:ident, $input:ident, $of:literal, $example:literal, [$each:literal $sum:literal $mean:literal]) => {
        #[tensor_core::diagnostics::bounds_without_source]
        impl<C: Axis, T: Float> $Loss<C, T> {
            #[doc = concat!("The loss of each example, `[..s, c], [..s] → [..s]`, of ", $of, ".")]
            ///
            /// # Errors
            ///
            /// If a class is not from 0 to `c - 1`, and not the ignored one.
            ///
            /// # Panics
            ///
            /// If a named axis has different sizes.
            ///
            /// ```
            /// use tensor_core::tensor;
            #[doc = concat!("use tensor_nn::losses::", stringify!($Loss), ";")]
            ///
            #[doc = concat!("let losses = ", stringify!($Loss), "::new().each(&", $example, ", &tensor![0, 1])?;")]
            #[doc = concat!("assert_eq!(losses, tensor!", $each, ");")]
            /// # Ok::<_, tensor_core::IndexError>(())
            /// ```
            #[track_caller]
            pub fn each<Lead: Shape, S, K>(
                &self,
                $input: &Tensor<shape![Lead.., C], T>,
                classes: &Tensor<S, K>,
            ) -> Result<Tensor<Lead, T>, IndexError>
            where
                S: ClassesOf<Lead, K>,
                K: Element,
            {
                Ok(self.checked($input, of_rows($input, classes))?.losses.cast())
            }

            #[doc = concat!("The sum of the losses, `[..s, c], [..s] → []`, of ", $of, ".")]
            ///
            /// # Errors
            ///
            /// If a class is not from 0 to `c - 1`, and not the ignored one.
            ///
            /// # Panics
            ///
            /// If a named axis has different sizes.
            ///
            /// ```
            /// use tensor_core::tensor;
            #[doc = concat!("use tensor_nn::losses::", stringify!($Loss), ";")]
            ///
            #[doc = concat!("let loss = ", stringify!($Loss), "::new().sum(&", $example, ", &tensor![0, 1])?;")]
            #[doc = concat!("assert_eq!(loss.item(), ", $sum, ");")]
            /// # Ok::<_, tensor_core::IndexError>(())
            /// ```
            #[track_caller]
            pub fn sum<Lead: Shape, S, K>(
                &self,
                $input: &Tensor<shape![Lead.., C], T>,
                classes: &Tensor<S, K>,
            ) -> Result<Tensor<shape![], T>, IndexError>
            where
                S: ClassesOf<Lead, K>,
                K: Element,
            {
                Ok(self.checked($input, of_rows($input, classes))?.losses.sum().cast())
            }

            #[doc = concat!("The mean of the losses, `[..s, c], [..s] → []`, of ", $of, ": their sum by that of the weights of the examples, NaN where none counts.")]
            ///
            /// # Errors
            ///
            /// If a class is not from 0 to `c - 1`, and not the ignored one.
            ///
            /// # Panics
            ///
            /// If a named axis has different sizes.
            ///
            /// ```
            /// use tensor_core::tensor;
            #[doc = concat!("use tensor_nn::losses::", stringify!($Loss), ";")]
            ///
            #[doc = concat!("let loss = ", stringify!($Loss), "::new().mean(&", $example, ", &tensor![0, 1])?;")]
            #[doc = concat!("assert_eq!(loss.item(), ", $mean, ");")]
            /// # Ok::<_, tensor_core::IndexError>(())
            /// ```
            #[track_caller]
            pub fn mean<Lead: Shape, S, K>(
                &self,
                $input: &Tensor<shape![Lead.., C], T>,
                classes: &Tensor<S, K>,
            ) -> Result<Tensor<shape![], T>, IndexError>
            where
                S: ClassesOf<Lead, K>,
                K: Element,
            {
                Ok(self.checked($input, of_rows($input, classes))?.mean().cast())
            }
        }
    };
}

reductions!(
    Nll, log_probabilities, "logarithms of probabilities and classes", "tensor![[0.0, -8.0], [-3.0, -1.0]]",
    ["[0.0, 1.0]" "1.0" "0.5"]
);
reductions!(
    CrossEntropy, scores, "scores and classes", "tensor![[200.0, 0.0], [200.0, 0.0]]",
    ["[0.0, 200.0]" "200.0" "100.0"]
);

impl<C: Axis, T: Float> CrossEntropy<C, T> {
    /// A loss without options: all examples have the same weight, and labels are not smoothed.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::CrossEntropy;
    ///
    /// let loss = CrossEntropy::new().mean(&tensor![[100.0, 0.0]], &tensor![1])?;
    /// assert_eq!(loss.item(), 100.0);
    /// # Ok::<_, tensor_core::IndexError>(())
    /// ```
    #[expect(clippy::new_without_default, reason = "losses are made by `new`")]
    pub fn new() -> Self {
        Self { nll: Nll::new(), smoothing: 0.0 }
    }

    /// Ignores examples of this class, both in sums and in means.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::CrossEntropy;
    ///
    /// let loss = CrossEntropy::new().ignore(0);
    /// assert_eq!(loss.sum(&tensor![[7.0, 0.0]], &tensor![0])?.item(), 0.0);
    /// # Ok::<_, tensor_core::IndexError>(())
    /// ```
    #[doc(alias = "ignore_index")]
    #[must_use]
    pub fn ignore(mut self, class: i64) -> Self {
        self.nll = self.nll.ignore(class);
        self
    }

    /// Weights examples by their class.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::CrossEntropy;
    ///
    /// let loss = CrossEntropy::new().weigh(tensor![1.0, 3.0]);
    /// assert_eq!(loss.sum(&tensor![[100.0, 0.0]], &tensor![1])?.item(), 300.0);
    /// # Ok::<_, tensor_core::IndexError>(())
    /// ```
    #[must_use]
    pub fn weigh(mut self, weights: Tensor<shape![C], T>) -> Self {
        self.nll = self.nll.weigh(weights);
        self
    }

    /// Label smoothing: probability `1 - share` for the target class, and `share` spread over all classes.
    ///
    /// Source: Szegedy and others, "Rethinking the inception architecture", 2016.
    ///
    /// # Panics
    ///
    /// If the share is not from 0 to 1.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::CrossEntropy;
    ///
    /// let loss = CrossEntropy::new().smooth_labels(0.5);
    /// assert_eq!(loss.mean(&tensor![[100.0, 0.0]], &tensor![0])?.item(), 25.0);
    /// # Ok::<_, tensor_core::IndexError>(())
    /// ```
    #[doc(alias = "label_smoothing")]
    #[must_use]
    #[track_caller]
    pub fn smooth_labels(mut self, share: f64) -> Self {
        numbers::share("the smoothing", share);
        self.smoothing = share;
        self
    }

    /// The losses `(1 - share) (-w_y ln p_y) + share / c · Σ -w_c ln p_c`, and the weights `w_y`.
    #[track_caller]
    fn checked<Lead: Shape, K: Integer>(
        &self,
        scores: &Tensor<shape![Lead.., C], T>,
        classes: &Tensor<Lead, K>,
    ) -> Result<Weighted<Lead, T::Wide>, IndexError> {
        numbers::share("the smoothing", self.smoothing);
        let (_, size) = scores.shape();
        let classes = Classes::new(classes, size.size(), self.nll.ignored)?;
        if self.smoothing == 0.0 {
            return self.nll.weighted(cross_entropy(&scores.cast(), &classes.indices)?, &classes);
        }
        let log_probabilities = scores.cast::<T::Wide>().log_softmax::<-1>();
        let losses = at_classes(&log_probabilities, &classes)?;
        let Weighted { losses, weights } = self.nll.weighted(losses, &classes)?;
        let of_all = match &self.nll.weights {
            Some(weights) => (log_probabilities * weights.cast::<T::Wide>()).sum_axis::<-1>(),
            None => log_probabilities.sum_axis::<-1>(),
        };
        let spread = T::Wide::from_f64(-self.smoothing / size.size() as f64);
        let right = T::Wide::from_f64(1.0 - self.smoothing);
        Ok(Weighted { losses: losses * right + classes.counted(of_all) * spread, weights })
    }
}
