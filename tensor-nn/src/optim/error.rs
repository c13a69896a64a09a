//! The error of a step: the parts of a gradient or of the state that do not fit the model.

use core::fmt::{self, Write};

use tensor_core::module::{AnyTensor, Path};

use super::Parameters;
use super::slot::Slot;

/// The error of a step that was not made: everything that does not fit.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::optim::{Misfit, Optimizer, Sgd};
///
/// let mut model = vec![tensor![1.0], tensor![2.0]];
/// let gradient = vec![tensor![1.0], tensor![1.0], tensor![1.0]];
/// let error = Optimizer::new(Sgd::default(), 0.1).step(&mut model, &gradient).unwrap_err();
/// assert_eq!(error.misfits().len(), 1);
/// assert!(matches!(&error.misfits()[0], (name, Misfit::LeftOver { .. }) if name == "2"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct StepError {
    misfits: Vec<(String, Misfit)>,
}

/// How one tensor does not fit.
///
/// ```
/// use tensor_core::{Tensor, axis, shape};
/// use tensor_nn::optim::{Optimizer, Sgd};
///
/// axis!(Words);
/// let table = |words| Tensor::<shape![Words, 2]>::zeros_shaped(shape![Words(words), 2]);
/// let error = Optimizer::new(Sgd::default(), 0.1).step(&mut table(10), &table(9)).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the gradient does not fit the model:\n  the model is f32 [10, 2], its gradient f32 [9, 2]"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// The gradient lacks the parameter.
    Missing,
    /// The gradient has a parameter that the model lacks.
    LeftOver {
        /// Its element type and sizes.
        found: String,
    },
    /// The gradient has another element type, or other sizes.
    Differs {
        /// The element type and sizes of the parameter.
        expected: String,
        /// The element type and sizes of the gradient.
        found: String,
    },
    /// The state of the parameter has another element type, or other sizes.
    Memory {
        /// The element type and sizes of the parameter.
        expected: String,
        /// The name of the state tensor, such as `exp_avg`.
        name: &'static str,
        /// Its element type and sizes.
        found: String,
    },
}

impl StepError {
    pub(super) fn new(fit: Fit<'_, '_>) -> Self {
        let Fit { model, gradient, slots } = fit;
        let mut misfits = Vec::new();
        for (position, tensor) in model.tensors.iter().enumerate() {
            let name = model.names.name(position);
            let expected = || described(*tensor);
            let problem = match gradient.names.position_of(name) {
                None => Some(Misfit::Missing),
                Some(position) => {
                    let found = gradient.tensors[position];
                    let fits = found.element_name() == tensor.element_name()
                        && found.sizes() == tensor.sizes();
                    (!fits)
                        .then(|| Misfit::Differs { expected: expected(), found: described(found) })
                }
            };
            misfits.extend(problem.map(|problem| (name.to_owned(), problem)));
            if let Some((memory, found)) = slots[position].fits(*tensor) {
                let found = described(found);
                let problem = Misfit::Memory { expected: expected(), name: memory, found };
                misfits.push((name.to_owned(), problem));
            }
        }
        for (position, tensor) in gradient.tensors.iter().enumerate() {
            let name = gradient.names.name(position);
            if model.names.position_of(name).is_none() {
                misfits.push((name.to_owned(), Misfit::LeftOver { found: described(*tensor) }));
            }
        }
        Self { misfits }
    }

    /// The names of the parameters that do not fit, and why, in the order of the model; then those that the
    /// model lacks.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::optim::{Misfit, Optimizer, Sgd};
    ///
    /// let mut model = (Some(tensor![1.0]), tensor![2.0]);
    /// let gradient = (None, tensor![1.0]);
    /// let error = Optimizer::new(Sgd::default(), 0.1).step(&mut model, &gradient).unwrap_err();
    /// assert_eq!(error.misfits(), [("0".to_owned(), Misfit::Missing)]);
    /// ```
    pub fn misfits(&self) -> &[(String, Misfit)] {
        &self.misfits
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_memory = |(_, misfit): &(_, Misfit)| matches!(misfit, Misfit::Memory { .. });
        let what = if self.misfits.iter().all(of_memory) { "state" } else { "gradient" };
        write!(f, "the {what} does not fit the model:")?;
        for (name, misfit) in &self.misfits {
            let name = if name.is_empty() { "the model" } else { &format!("`{name}`") };
            match misfit {
                Misfit::Missing => write!(f, "\n  {name} is missing")?,
                Misfit::LeftOver { found } => write!(f, "\n  {name} {found} is left over")?,
                Misfit::Differs { expected, found } => {
                    write!(f, "\n  {name} is {expected}, its gradient {found}")?;
                }
                Misfit::Memory { expected, name: memory, found } => {
                    write!(f, "\n  {name} is {expected}, its `{memory}` {found}")?;
                }
            }
        }
        Ok(())
    }
}

tensor_core::diagnostics::debug_as_display!(StepError);

impl std::error::Error for StepError {}

/// The model, the gradient and the state that are compared.
pub(super) struct Fit<'a, 'b> {
    pub model: &'a Parameters<'b>,
    pub gradient: &'a Parameters<'b>,
    pub slots: &'a [Slot],
}

/// Describes a tensor in messages: `f32 [3, 2]`.
fn described(tensor: &dyn AnyTensor) -> String {
    format!("{} {:?}", tensor.element_name(), &tensor.sizes()[..])
}

/// A list of names, stored in one string.
#[derive(Default)]
pub(super) struct Names {
    text: String,
    ends: Vec<usize>,
}

impl Names {
    pub fn push(&mut self, path: &Path<'_>) {
        let _ = write!(self.text, "{path}");
        self.ends.push(self.text.len());
    }

    pub fn name(&self, position: usize) -> &str {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        &self.text[start..self.ends[position]]
    }

    fn position_of(&self, name: &str) -> Option<usize> {
        (0..self.ends.len()).find(|&position| self.name(position) == name)
    }
}
