//! Explains why shapes broadcast or not: as a table like those in NumPy's documentation, as a Graphviz
//! digraph, and as a picture of the cells. With the feature `explain`.
//!
//! [`explain`] takes two or more shapes and tensors, static or dynamic, whether they broadcast or not.
//!
//! ```
//! use tensor_core::{explain::explain, shape};
//!
//! let table = explain(&[&shape![8, 1, 6, 1], &shape![7, 1, 5]]).to_string();
//! assert_eq!(
//!     table,
//!     "\
//! axis          0   1   2   3
//! a (4 axes)    8 × 1 × 6 × 1
//!               ↓   ↑   ↓   ↑
//! b (3 axes)        7 × 1 × 5
//! result        8 × 7 × 6 × 5
//!
//! axis 3: a is 1 and stretches to 5
//! axis 2: b is 1 and stretches to 6
//! axis 1: a is 1 and stretches to 7
//! axis 0: b lacks it: it counts as 1 and stretches to 8"
//! );
//! ```
//!
//! The axis that fails is marked, and a change that makes the shapes broadcast is suggested:
//!
//! ```
//! use tensor_core::{explain::explain, tensor};
//!
//! let rows = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
//! let means = rows.mean_axis::<1>();
//! let explanation = explain(&[&rows, &means]).with_names(&["rows", "means"]);
//!
//! let table = explanation.to_string();
//! assert!(table.contains("Axis 1, the last, fails: rows has 3 and means has 2"), "{table}");
//! assert!(table.contains("`means.unsqueeze::<-1>()` makes it [2, 1]"), "{table}");
//! let _ = &rows - means.unsqueeze::<-1>();
//! ```
//!
//! [`Explanation::to_svg`] draws small shapes, [`Explanation::to_dot`] writes a digraph;
//! `cargo run --example broadcast -- 4,3 3 --svg picture.svg` does both from the command line.

mod program;

#[doc(inline)]
pub use tensor_explain::{
    AlignedAxis, AxisRole, AxisSize, Change, ExplainedOperand, Explanation, Library,
    MismatchedAxes, ParseShapesError, Repair, TooLargeToDraw, explain_sizes, parse_shape,
};

use tensor_kernels::element::Element;

use crate::shape::{AxisFacts, Shape};
use crate::tensor::DynTensor;
use crate::tensor::Tensor;

/// Arguments of [`explain`]: a shape value, a [`Tensor`], a [`DynTensor`].
///
/// ```
/// use tensor_core::{Tensor, axis, explain::Explain, shape};
///
/// axis!(Batch);
/// let x = Tensor::<_, f32>::zeros_shaped(shape![Batch(32), 10]);
/// assert_eq!(x.explained_axes()[0].to_string(), "Batch(32)");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no shape that could be explained",
    label = "expected a shape such as `shape![2, 3]`, a `Tensor` or a `DynTensor`",
    note = "sizes in arrays or vectors go to `explain_sizes` [T701]"
)]
pub trait Explain {
    /// The axes, first axis first.
    fn explained_axes(&self) -> Vec<AxisSize>;
}

impl<S: Shape> Explain for S {
    fn explained_axes(&self) -> Vec<AxisSize> {
        let axis = |(axis, size): (AxisFacts, usize)| match axis.name {
            Some(name) => AxisSize::named(name, Some(size)),
            None => AxisSize::new(size),
        };
        S::axis_facts().into_iter().zip(self.sizes()).map(axis).collect()
    }
}

impl<S: Shape, T: Element> Explain for Tensor<S, T> {
    fn explained_axes(&self) -> Vec<AxisSize> {
        self.shape().explained_axes()
    }
}

impl<T: Element> Explain for DynTensor<T> {
    fn explained_axes(&self) -> Vec<AxisSize> {
        self.sizes().iter().copied().map(AxisSize::new).collect()
    }
}

/// Aligns these shapes by the rules of broadcasting; they need not broadcast.
///
/// Axes declared by [`axis!`](crate::axis!) are compared by name.
///
/// ```
/// use tensor_core::{axis, explain::explain, shape};
///
/// axis!(Batch);
/// axis!(Seq);
/// let explanation = explain(&[&shape![Batch(32), 10], &shape![Seq(32), 10]]);
/// assert_eq!(
///     explanation.reason().unwrap(),
///     "Axis 0, the 2nd from the end, fails: a has Batch(32) and b has Seq(32), \
///      and two names are two axes, whatever their sizes."
/// );
/// ```
pub fn explain(shapes: &[&dyn Explain]) -> Explanation {
    Explanation::of(shapes.iter().map(|shape| shape.explained_axes()).collect())
}
