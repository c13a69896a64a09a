//! [`Path`]: where a tensor stands in a model.

use core::fmt;

/// Where a tensor stands in a model, which prints as its name: `layers.0.weight`.
///
/// It is a list that lies on the stack while a walk goes down, so it costs nothing until somebody
/// prints it.
///
/// ```
/// use tensor_core::module::Path;
///
/// let layers = Path::ROOT.field("layers");
/// let layer = layers.index(0);
/// assert_eq!(layer.field("weight").to_string(), "layers.0.weight");
/// ```
#[derive(Clone, Copy)]
pub struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Step<'a>,
}

/// The way from a module to one that it holds.
#[derive(Clone, Copy)]
enum Step<'a> {
    /// None: the model itself.
    Root,
    Field(&'a str),
    Index(usize),
}

impl Path<'static> {
    /// The model itself.
    ///
    /// ```
    /// use tensor_core::module::Path;
    ///
    /// assert_eq!(Path::ROOT.to_string(), "");
    /// ```
    pub const ROOT: Self = Path { parent: None, step: Step::Root };
}

impl<'a> Path<'a> {
    /// A field of this module.
    ///
    /// ```
    /// use tensor_core::module::Path;
    ///
    /// assert_eq!(Path::ROOT.field("bias").to_string(), "bias");
    /// ```
    #[must_use]
    pub const fn field(&'a self, name: &'a str) -> Self {
        Path { parent: Some(self), step: Step::Field(name) }
    }

    /// An element of this module.
    ///
    /// ```
    /// use tensor_core::module::Path;
    ///
    /// assert_eq!(Path::ROOT.index(2).to_string(), "2");
    /// ```
    #[must_use]
    pub const fn index(&'a self, index: usize) -> Self {
        Path { parent: Some(self), step: Step::Index(index) }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
            if !matches!(parent.step, Step::Root) {
                f.write_str(".")?;
            }
        }
        match self.step {
            Step::Root => Ok(()),
            Step::Field(name) => f.write_str(name),
            Step::Index(index) => write!(f, "{index}"),
        }
    }
}

impl fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({self})")
    }
}
