//! [`Path`]: the position of a tensor in a model.

use core::fmt;

#[cfg(feature = "weights")]
use super::weights::text::Text;

/// The position of a tensor in a model, displayed as its name: `layers.0.weight`.
///
/// It is a linked list on the stack during a walk, so it costs nothing until it is
/// displayed.
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
    segment: Segment<'a>,
}

/// The last segment of a path: from a module to one that it contains.
#[derive(Clone, Copy)]
enum Segment<'a> {
    /// No segment: the model itself.
    Root,
    Field(&'a str),
    Index(usize),
}

impl Path<'static> {
    /// The path of the model itself.
    ///
    /// ```
    /// use tensor_core::module::Path;
    ///
    /// assert_eq!(Path::ROOT.to_string(), "");
    /// ```
    pub const ROOT: Self = Path { parent: None, segment: Segment::Root };
}

impl<'a> Path<'a> {
    /// The path of a field of this module.
    ///
    /// ```
    /// use tensor_core::module::Path;
    ///
    /// assert_eq!(Path::ROOT.field("bias").to_string(), "bias");
    /// ```
    #[must_use]
    pub const fn field(&'a self, name: &'a str) -> Self {
        Path { parent: Some(self), segment: Segment::Field(name) }
    }

    /// The path of an element of this module.
    ///
    /// ```
    /// use tensor_core::module::Path;
    ///
    /// assert_eq!(Path::ROOT.index(2).to_string(), "2");
    /// ```
    #[must_use]
    pub const fn index(&'a self, index: usize) -> Self {
        Path { parent: Some(self), segment: Segment::Index(index) }
    }

    /// Whether the path is displayed as this text; does not allocate.
    ///
    /// ```
    /// use tensor_core::module::Path;
    ///
    /// assert!(Path::ROOT.field("layers").index(2).is_displayed_as("layers.2"));
    /// ```
    pub fn is_displayed_as(&self, text: &str) -> bool {
        self.stripped(text) == Some("")
    }

    /// The text without the name of the path at its end; `None` if it does not end with this name.
    fn stripped<'t>(&self, text: &'t str) -> Option<&'t str> {
        let rest = match self.segment {
            Segment::Root => text,
            Segment::Field(name) => text.strip_suffix(name)?,
            Segment::Index(mut index) => {
                let mut rest = text;
                loop {
                    rest = rest.strip_suffix(char::from(b'0' + (index % 10) as u8))?;
                    index /= 10;
                    if index == 0 {
                        break rest;
                    }
                }
            }
        };
        match self.parent {
            None | Some(Path { segment: Segment::Root, .. }) => Some(rest),
            Some(parent) => parent.stripped(rest.strip_suffix('.')?),
        }
    }
}

#[cfg(feature = "weights")]
impl Path<'_> {
    pub(super) const fn is_root(&self) -> bool {
        matches!(self.segment, Segment::Root)
    }

    /// Writes the name, in a constant.
    pub(super) const fn write(&self, text: &mut Text) {
        if let Some(parent) = self.parent {
            parent.write(text);
            if !matches!(parent.segment, Segment::Root) {
                text.push(".");
            }
        }
        match self.segment {
            Segment::Root => {}
            Segment::Field(name) => text.push(name),
            Segment::Index(index) => text.push_number(index),
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
            if !matches!(parent.segment, Segment::Root) {
                f.write_str(".")?;
            }
        }
        match self.segment {
            Segment::Root => Ok(()),
            Segment::Field(name) => f.write_str(name),
            Segment::Index(index) => write!(f, "{index}"),
        }
    }
}

impl fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({self})")
    }
}
