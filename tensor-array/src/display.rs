//! `Display` and `LowerExp` in NumPy's layout, and `Debug` in one line.

use core::fmt;

use tensor_kernels::element::Element;
use tensor_kernels::layout::{ErasedView, StridedLayout, Strides, is_traced, num_elements};
use tensor_kernels::sizes::Sizes;

use crate::array::dynamic::DynTensor;

mod cells;

use cells::{Scientific, Style, alone, cells};

/// Tensors with more elements than this are abbreviated.
const MANY: usize = 1000;

/// Entries at each end of an axis of an abbreviated tensor.
const EDGE: usize = 3;

/// Line width of `Display`.
const LINE: usize = 75;

/// The layout of `Display` for [`Tensor`](https://docs.rs/tensor-core/latest/tensor_core/struct.Tensor.html).
///
/// ```
/// use tensor_core::DynTensor;
///
/// let x = DynTensor::from_vec(&[2, 2], vec![1.5, -20.0, 0.25, 3.0])?;
/// assert_eq!(format!("{x:.1}"), "\
/// [[  1.5 -20.0]
///  [  0.2   3.0]]");
/// # Ok::<(), tensor_core::ShapeError>(())
/// ```
impl<T: Element> fmt::Display for DynTensor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Grid::of_dynamic(self).display(f)
    }
}

/// The layout of `Display` in scientific notation.
impl<T: Element + fmt::LowerExp> fmt::LowerExp for DynTensor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Grid::of_dynamic(self).lower_exp(f)
    }
}

/// Sizes, element type and elements in one line, as for
/// [`Tensor`](https://docs.rs/tensor-core/latest/tensor_core/struct.Tensor.html): more than 1000 elements are abbreviated.
///
/// ```
/// use tensor_core::DynTensor;
///
/// let x = DynTensor::from_vec(&[2, 2], vec![1.5f32, 2.0, 3.0, 4.0])?;
/// assert_eq!(format!("{x:?}"), "DynTensor[2, 2] f32 [[1.5, 2.0], [3.0, 4.0]]");
/// # Ok::<(), tensor_core::ShapeError>(())
/// ```
impl<T: Element> fmt::Debug for DynTensor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DynTensor")?;
        Grid::of_dynamic(self).debug(f)
    }
}

impl<T: Element> DynTensor<T> {
    /// Prints the tensor in a notebook: evcxr calls this method for the value at the end of a cell. The text is that of
    /// `{:#?}`.
    ///
    /// ```
    /// use tensor_core::DynTensor;
    ///
    /// DynTensor::full(&[2, 2], 1.5).evcxr_display();
    /// ```
    pub fn evcxr_display(&self) {
        println!("EVCXR_BEGIN_CONTENT text/plain\n{self:#?}\nEVCXR_END_CONTENT");
    }
}

/// A tensor to print, without its shape type.
pub struct Grid<'a, T> {
    sizes: Sizes,
    /// The sizes as text, with the names of the axes.
    names: Vec<String>,
    strides: Strides,
    offset: usize,
    elements: &'a [T],
    /// Whether there are no elements to print, because the tensor is traced.
    is_traced: bool,
}

impl<'a, T: Element> Grid<'a, T> {
    /// A tensor whose axes have these names and sizes.
    pub fn new(
        names: Vec<String>,
        sizes: &[usize],
        layout: Option<&StridedLayout>,
        elements: &'a [T],
    ) -> Self {
        let view = ErasedView::new(sizes, layout, elements);
        let (strides, offset) = (view.strides(), view.offset());
        let (sizes, is_traced) = (Sizes::from_slice(sizes), is_traced(layout));
        Self { sizes, names, strides, offset, elements, is_traced }
    }

    fn of_dynamic(tensor: &'a DynTensor<T>) -> Self {
        let names = tensor.sizes.iter().map(usize::to_string).collect();
        Self::new(names, &tensor.sizes, tensor.layout.as_deref(), tensor.storage.as_slice())
    }

    fn len(&self) -> usize {
        num_elements(&self.sizes)
    }

    /// Writes the rows and columns.
    pub fn display(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_traced {
            return self.debug(f);
        }
        let shortened = self.len() > MANY && !f.alternate();
        self.write_rows(f, shortened, None)
    }

    /// Writes the rows and columns in scientific notation.
    pub fn lower_exp(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result
    where
        T: fmt::LowerExp,
    {
        if self.is_traced {
            return self.debug(f);
        }
        if let ([], Some(element)) = (&self.sizes[..], self.elements.get(self.offset)) {
            return fmt::LowerExp::fmt(element, f);
        }
        let shortened = self.len() > MANY && !f.alternate();
        let scientific: Scientific<T> = |element, precision| match precision {
            Some(precision) => format!("{element:.precision$e}"),
            None => format!("{element:e}"),
        };
        self.write_rows(f, shortened, Some(scientific))
    }

    /// Writes the sizes, the element type and the elements.
    pub fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.names.join(", "), T::NAME)?;
        if self.is_traced {
            return f.write_str(", traced");
        }
        let shortened = self.len() > MANY;
        if f.alternate() {
            f.write_str("\n")?;
            return self.write_rows(f, shortened, None);
        }
        f.write_str(" ")?;
        if self.len() == 0 {
            return f.write_str("[]");
        }
        self.write_line(f, 0, self.offset as isize, shortened)
    }

    /// The elements from `axis` on, as nested lists.
    fn write_line(
        &self,
        f: &mut fmt::Formatter<'_>,
        axis: usize,
        position: isize,
        shortened: bool,
    ) -> fmt::Result {
        let Some(&size) = self.sizes.get(axis) else {
            return fmt::Debug::fmt(&self.elements[position as usize], f);
        };
        f.write_str("[")?;
        for (number, entry) in entries(size, shortened).enumerate() {
            if number > 0 {
                f.write_str(", ")?;
            }
            match entry {
                Some(index) => {
                    let position = position + index as isize * self.strides[axis];
                    self.write_line(f, axis + 1, position, shortened)?;
                }
                None => f.write_str("...")?,
            }
        }
        f.write_str("]")
    }

    fn write_rows(
        &self,
        f: &mut fmt::Formatter<'_>,
        shortened: bool,
        scientific: Option<Scientific<T>>,
    ) -> fmt::Result {
        if self.len() == 0 {
            return match self.sizes.len() {
                1 => f.write_str("[]"),
                _ => write!(f, "[] (shape [{}])", self.names.join(", ")),
            };
        }
        let mut shown = Vec::new();
        self.collect(0, self.offset as isize, shortened, &mut shown);
        let style = Style {
            precision: f.precision(),
            scientific,
            width: f.width().unwrap_or(0),
            plus: f.sign_plus(),
        };
        if self.sizes.is_empty() {
            return alone(shown[0], f);
        }
        let mut text = String::new();
        let mut cells = cells(&shown, &style).into_iter();
        self.layout(0, shortened, &mut cells, &mut text);
        f.write_str(&text)
    }

    /// The displayed elements in row-major order.
    fn collect(&self, axis: usize, position: isize, shortened: bool, shown: &mut Vec<T>) {
        let Some(&size) = self.sizes.get(axis) else {
            return shown.push(self.elements[position as usize]);
        };
        for index in entries(size, shortened).flatten() {
            let position = position + index as isize * self.strides[axis];
            self.collect(axis + 1, position, shortened, shown);
        }
    }

    /// Brackets, cells and line breaks from `axis` on, indented by the number of open brackets.
    fn layout(
        &self,
        axis: usize,
        shortened: bool,
        cells: &mut impl Iterator<Item = String>,
        text: &mut String,
    ) {
        let indent = axis + 1;
        let inner = self.sizes.len() - indent;
        text.push('[');
        // Space for the closing brackets of the last row.
        let room = LINE.saturating_sub(inner + indent);
        let mut column = indent;
        for (number, entry) in entries(self.sizes[axis], shortened).enumerate() {
            if inner > 0 {
                if number > 0 {
                    text.extend(std::iter::repeat_n('\n', inner));
                    text.extend(std::iter::repeat_n(' ', indent));
                }
                match entry {
                    Some(_) => self.layout(axis + 1, shortened, cells, text),
                    None => text.push_str("..."),
                }
                continue;
            }
            let cell = match entry {
                Some(_) => cells.next().unwrap_or_default(),
                None => "...".to_owned(),
            };
            if number > 0 {
                text.push(' ');
                column += 1;
            }
            if column > indent && column + cell.len() > room {
                text.truncate(text.trim_end_matches(' ').len());
                text.push('\n');
                text.extend(std::iter::repeat_n(' ', indent));
                column = indent;
            }
            column += cell.len();
            text.push_str(&cell);
        }
        text.push(']');
    }
}

/// The displayed indices of an axis; `None` for the omitted ones.
fn entries(size: usize, shortened: bool) -> impl Iterator<Item = Option<usize>> {
    let cut = shortened && size > 2 * EDGE;
    let (head, gap, tail) = if cut { (EDGE, Some(None), size - EDGE) } else { (size, None, size) };
    (0..head).map(Some).chain(gap).chain((tail..size).map(Some))
}
