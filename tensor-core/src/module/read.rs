//! [`TensorReader`]: makes a model from named tensors.

use std::collections::BTreeSet;
use std::ops::Bound;

use tensor_kernels::element::Element;

use super::Path;
use crate::shape::error::ShapeError;
use crate::shape::{AxisFacts, Shape};
use crate::tensor::{AnyTensor, DynTensor, IntoTensor, Tensor};
use tensor_array::array::history::AnyArray;

/// The tensors of a file, from which [`Module::from_tensors`](super::Module::from_tensors) makes a model.
///
/// A model is made in two passes. The first finds out which tensors the type of the model requires, and
/// gives none of them; so everything that is missing, left over or different is reported at once, before
/// elements are read. The second reads them.
#[cfg_attr(
    not(feature = "safetensors"),
    allow(dead_code, reason = "only files of this feature make models")
)]
pub struct TensorReader<'a> {
    /// The names of all tensors, as those of the model.
    names: &'a BTreeSet<String>,
    pass: Pass<'a>,
}

#[cfg_attr(
    not(feature = "safetensors"),
    allow(dead_code, reason = "only files of this feature make models")
)]
enum Pass<'a> {
    Requests(&'a mut Vec<Request<'static>>),
    /// A function of the name, which returns an array of the element type of the request.
    Values(&'a mut dyn FnMut(&str) -> Option<AnyArray>),
}

/// A tensor that a model requires.
#[cfg_attr(
    not(feature = "safetensors"),
    allow(dead_code, reason = "only files of this feature make models")
)]
pub(crate) struct Request<'a> {
    pub(crate) name: String,
    pub(crate) kind: RequestKind<'a>,
}

#[cfg_attr(
    not(feature = "safetensors"),
    allow(dead_code, reason = "only files of this feature make models")
)]
pub(crate) enum RequestKind<'a> {
    /// A tensor of this type.
    Type { element: &'static str, axes: Vec<String>, accepts: SizeCheck },
    /// A tensor that the file does not have, of this type, for which the model has a value.
    Default { element: &'static str, axes: Vec<String> },
    /// A tensor of a model that exists.
    Tensor(&'a dyn AnyTensor),
    /// A field that is not a tensor: a value of this type.
    NoTensor(&'static str),
}

/// Whether a shape has these sizes.
type SizeCheck = fn(&[usize]) -> Result<(), ShapeError>;

/// # Names
impl<'a> TensorReader<'a> {
    #[cfg(feature = "safetensors")]
    pub(crate) fn requests(
        names: &'a BTreeSet<String>,
        requests: &'a mut Vec<Request<'static>>,
    ) -> Self {
        Self { names, pass: Pass::Requests(requests) }
    }

    #[cfg(feature = "safetensors")]
    pub(crate) fn values(
        names: &'a BTreeSet<String>,
        values: &'a mut dyn FnMut(&str) -> Option<AnyArray>,
    ) -> Self {
        Self { names, pass: Pass::Values(values) }
    }

    /// The next parts of the names below a path, sorted: `bias` and `weight` of a linear layer. An `Option`
    /// is `None` where there are none.
    ///
    /// ```
    /// use tensor_core::module::{Module, Path, TensorReader, Visitor, VisitorMut};
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// /// A table that a file may lack.
    /// struct Table(Tensor<shape![2]>);
    ///
    /// impl Module for Table {
    ///     fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
    ///         self.0.visit(&path.field("table"), visitor);
    ///     }
    ///
    ///     fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
    ///         self.0.visit_mut(&path.field("table"), visitor);
    ///     }
    ///
    ///     fn from_tensors(path: &Path<'_>, tensors: &mut TensorReader<'_>) -> Option<Self> {
    ///         match tensors.names_below(path).is_empty() {
    ///             true => Some(Self(Tensor::ones())),
    ///             false => Some(Self(Tensor::from_tensors(&path.field("table"), tensors)?)),
    ///         }
    ///     }
    /// }
    ///
    /// # #[cfg(feature = "safetensors")] {
    /// let path = std::env::temp_dir().join("tensor-core-doc-names-below.safetensors");
    /// Table(tensor![3.0, 4.0]).save(&path)?;
    /// assert_eq!(Table::open(&path)?.0, tensor![3.0, 4.0]);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn names_below(&self, path: &Path<'_>) -> Vec<String> {
        let below = path.to_string();
        let start = if below.is_empty() { below } else { below + "." };
        let range = (Bound::Included(&start[..]), Bound::Unbounded);
        let names = self.names.range::<str, _>(range).map_while(|name| name.strip_prefix(&start));
        let parts: BTreeSet<&str> = names.filter_map(|rest| rest.split('.').next()).collect();
        parts.into_iter().map(str::to_owned).collect()
    }

    /// Whether there is a tensor of this name, or one below it.
    pub(super) fn contains(&self, path: &Path<'_>) -> bool {
        self.names.contains(&path.to_string()) || !self.names_below(path).is_empty()
    }

    /// The number of elements of a list: `n` where the largest index below the path is `n - 1`.
    pub(super) fn len_of_list(&self, path: &Path<'_>) -> usize {
        let indices = self.names_below(path).into_iter().filter_map(|name| name.parse().ok());
        // Elements are stored by name, so a large index does not make a long list.
        let largest = indices.max().map_or(0, |largest: usize| largest.saturating_add(1));
        largest.min(self.names.len())
    }
}

/// # Tensors
impl TensorReader<'_> {
    /// The tensor of this name, if its element type is `T`, and its sizes are those of the shape `S`.
    pub(super) fn tensor<S: Shape, T: Element>(&mut self, path: &Path<'_>) -> Option<DynTensor<T>> {
        let axes: fn() -> Vec<String> =
            || S::axis_facts().iter().map(AxisFacts::to_string).collect();
        downcast(self.any(path, T::NAME, axes, |sizes| S::from_sizes(sizes).map(|_| ()))?)
    }

    /// The tensor of this name; the value where the file has none: then it is not reported as missing.
    ///
    /// ```
    /// use tensor_core::module::{Module, Path, TensorReader, Visitor, VisitorMut};
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// /// A scale that older files lack.
    /// struct Scale(Tensor<shape![]>);
    ///
    /// impl Module for Scale {
    ///     fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
    ///         self.0.visit(&path.field("scale"), visitor);
    ///     }
    ///
    ///     fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
    ///         self.0.visit_mut(&path.field("scale"), visitor);
    ///     }
    ///
    ///     fn from_tensors(path: &Path<'_>, tensors: &mut TensorReader<'_>) -> Option<Self> {
    ///         tensors.tensor_or(&path.field("scale"), Tensor::ones()).map(Self)
    ///     }
    /// }
    ///
    /// # #[cfg(feature = "safetensors")] {
    /// let path = std::env::temp_dir().join("tensor-core-doc-tensor-or.safetensors");
    /// ().save(&path)?;
    /// assert_eq!(Scale::open(&path)?.0.item(), 1.0);
    /// Scale(Tensor::scalar(3.0)).save(&path)?;
    /// assert_eq!(Scale::open(&path)?.0.item(), 3.0);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tensor_or<S: Shape, T: Element>(
        &mut self,
        path: &Path<'_>,
        value: Tensor<S, T>,
    ) -> Option<Tensor<S, T>> {
        if self.contains(path) {
            return self.tensor::<S, T>(path)?.into_tensor().ok();
        }
        if let Pass::Requests(requests) = &mut self.pass {
            let axes = S::axis_facts().iter().map(AxisFacts::to_string).collect();
            let kind = RequestKind::Default { element: T::NAME, axes };
            requests.push(Request { name: path.to_string(), kind });
        }
        Some(value)
    }

    /// The tensor of this name, if its element type is `T`.
    pub(super) fn dyn_tensor<T: Element>(&mut self, path: &Path<'_>) -> Option<DynTensor<T>> {
        downcast(self.any(path, T::NAME, || vec!["..".to_owned()], |_| Ok(()))?)
    }

    fn any(
        &mut self,
        path: &Path<'_>,
        element: &'static str,
        axes: fn() -> Vec<String>,
        accepts: SizeCheck,
    ) -> Option<AnyArray> {
        let name = path.to_string();
        match &mut self.pass {
            Pass::Requests(requests) => {
                let kind = RequestKind::Type { element, axes: axes(), accepts };
                requests.push(Request { name, kind });
                None
            }
            Pass::Values(values) => values(&name),
        }
    }

    /// Reports that a file has no value of this type: nothing of the path can be made.
    fn no_tensor(&mut self, path: &Path<'_>, type_name: &'static str) {
        if let Pass::Requests(requests) = &mut self.pass {
            requests
                .push(Request { name: path.to_string(), kind: RequestKind::NoTensor(type_name) });
        }
    }
}

/// The value of a field that a file does not have: none, which is reported by its name and its type.
pub fn no_value<M>(path: &Path<'_>, tensors: &mut TensorReader<'_>) -> Option<M> {
    tensors.no_tensor(path, core::any::type_name::<M>());
    None
}

fn downcast<T: Element>(array: AnyArray) -> Option<DynTensor<T>> {
    array.get().cloned()
}
