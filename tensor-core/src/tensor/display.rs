//! `Display` and `LowerExp` in NumPy's layout, and `Debug` in one line.

use core::fmt;

use tensor_array::display::Grid;
use tensor_kernels::element::Element;

use crate::shape::Shape;
use crate::tensor::Tensor;

/// Nested rows in NumPy's layout: all columns have the same width, numbers are aligned at the decimal
/// point, more than 1000 elements are abbreviated to three at each end of an axis, and long rows wrap.
///
/// | format | text |
/// | --- | --- |
/// | `{x}` | the shortest digits, at most 8 after the point |
/// | `{x:.2}` | 2 digits after the point, no exponents |
/// | `{x:e}`, `{x:.2e}` | scientific notation |
/// | `{x:8}` | columns of at least 8 characters |
/// | `{x:+}` | a sign before every number |
/// | `{x:#}` | all elements |
///
/// ```
/// use tensor_core::tensor;
///
/// let x = tensor![[1.5, -20.0], [0.25, 3.0]];
/// assert_eq!(x.to_string(), "\
/// [[  1.5  -20.  ]
///  [  0.25   3.  ]]");
/// assert_eq!(format!("{x:.1}"), "\
/// [[  1.5 -20.0]
///  [  0.2   3.0]]");
/// ```
impl<S: Shape, T: Element> fmt::Display for Tensor<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        grid(self).display(f)
    }
}

/// The layout of `Display` in scientific notation, for floats and integers.
///
/// ```
/// use tensor_core::tensor;
///
/// assert_eq!(format!("{:e}", tensor![1500.0, 0.25]), "[1.5e+03 2.5e-01]");
/// assert_eq!(format!("{:.2e}", tensor![1500.0, 0.25]), "[1.50e+03 2.50e-01]");
/// ```
impl<S: Shape, T: Element + fmt::LowerExp> fmt::LowerExp for Tensor<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        grid(self).lower_exp(f)
    }
}

/// Sizes, element type and elements in one line; `{:#?}` uses the layout of `Display`. More than 1000
/// elements are abbreviated.
///
/// ```
/// use tensor_core::tensor;
///
/// let x = tensor![[1.5f32, 2.0], [3.0, 4.0]];
/// assert_eq!(format!("{x:?}"), "Tensor[2, 2] f32 [[1.5, 2.0], [3.0, 4.0]]");
/// ```
impl<S: Shape, T: Element> fmt::Debug for Tensor<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tensor")?;
        grid(self).debug(f)
    }
}

impl<S: Shape, T: Element> Tensor<S, T> {
    /// Prints the tensor in a notebook: evcxr calls this method for the value at the end of a cell. The text is that of
    /// `{:#?}`.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// tensor![[1.5, 2.0], [3.0, 4.0]].evcxr_display();
    /// ```
    pub fn evcxr_display(&self) {
        println!("EVCXR_BEGIN_CONTENT text/plain\n{self:#?}\nEVCXR_END_CONTENT");
    }
}

/// The tensor without its shape type, but with the names of its axes.
fn grid<S: Shape, T: Element>(tensor: &Tensor<S, T>) -> Grid<'_, T> {
    let layout = tensor.layout.as_deref();
    Grid::new(tensor.axes.names(), &tensor.axes.sizes(), layout, tensor.storage.as_slice())
}
