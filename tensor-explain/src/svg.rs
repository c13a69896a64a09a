//! The picture: the cells of each shape, with repeated cells in a lighter colour and dashed, and the
//! cells of the result. Numbers show which element is in a cell.

pub(crate) mod canvas;
mod content;
mod layout;
mod panel;

use core::fmt;

use super::analysis::{Explanation, brackets};
use super::table::lines_of;
use canvas::{Anchor, Canvas, Point, width};
use panel::{CAPTION, Panel};

/// The limits of a picture: anything larger cannot be read without zooming.
const MOST_OPERANDS: usize = 6;
const MOST_AXES: usize = 4;
const MOST_CELLS_ALONG_AN_AXIS: usize = 12;
const MOST_CELLS: usize = 144;
/// The width of a shape, in pixels.
const WIDEST: f64 = 852.0;

const PADDING: f64 = 24.0;
const LINE_HEIGHT: f64 = 20.0;
/// Captions of narrow pictures wrap at this width, in characters.
const NARROW: usize = 64;
const TEXT_COLOUR: &str = "#1F2328";

/// Shapes with too many cells for a readable picture; the table and the digraph can show them.
///
/// ```
/// use tensor_core::explain::explain_sizes;
///
/// let error = explain_sizes(&[&[60000, 784], &[784]]).to_svg().unwrap_err();
/// assert_eq!(error.to_string(), "a has 60000 cells along an axis, a picture takes at most 12");
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TooLargeToDraw {
    /// More shapes than a picture can show.
    Operands(usize),
    /// A shape has more axes than a picture can show.
    Rank {
        /// The name of the shape.
        name: String,
        /// The number of its axes.
        axes: usize,
    },
    /// A shape is too long along an axis.
    Size {
        /// The name of the shape.
        name: String,
        /// The number of cells along the axis.
        size: usize,
    },
    /// A shape has too many cells.
    Cells {
        /// The name of the shape.
        name: String,
        /// The number of its cells.
        cells: usize,
    },
    /// The cells of a shape that are side by side are too many.
    Width {
        /// The name and the axes of the shape.
        shape: String,
        /// The width that its cells would have, in pixels.
        pixels: usize,
    },
}

impl fmt::Display for TooLargeToDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operands(operands) => {
                write!(f, "there are {operands} shapes, a picture takes at most {MOST_OPERANDS}")
            }
            Self::Rank { name, axes } => {
                write!(f, "{name} has {axes} axes, a picture takes at most {MOST_AXES}")
            }
            Self::Size { name, size } => write!(
                f,
                "{name} has {size} cells along an axis, a picture takes at most {MOST_CELLS_ALONG_AN_AXIS}"
            ),
            Self::Cells { name, cells } => {
                write!(f, "{name} has {cells} cells, a picture takes at most {MOST_CELLS}")
            }
            Self::Width { shape, pixels } => {
                write!(f, "{shape} would be {pixels} pixels wide, a picture takes at most {WIDEST}")
            }
        }
    }
}

/// The message.
impl fmt::Debug for TooLargeToDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for TooLargeToDraw {}

impl Explanation {
    /// The explanation as an SVG: each shape stretched to the result, cells that exist in full colour,
    /// cells that repeat them light and dashed. If the shapes do not broadcast, the picture marks the
    /// cells without a partner.
    ///
    /// Numbers count the elements of each shape in row-major order, so that `4+1` in the result is
    /// element 4 of `a` and element 1 of `b`. The colours are distinguishable with every kind of colour
    /// vision; the picture has its own background and suits light and dark pages.
    ///
    /// # Errors
    ///
    /// If a shape is too large to draw: rank above 4, more than 12 cells along an axis or 144 in all, or too many side by
    /// side; or for more than 6 shapes.
    ///
    /// ```
    /// use tensor_core::{explain::explain, shape};
    ///
    /// let picture = explain(&[&shape![4, 1], &shape![3]]).to_svg()?;
    /// assert!(picture.starts_with("<svg "));
    /// # Ok::<(), tensor_core::explain::TooLargeToDraw>(())
    /// ```
    pub fn to_svg(&self) -> Result<String, TooLargeToDraw> {
        self.check_size()?;
        let mut canvas = Canvas::default();
        let (panels, result) = (self.operand_panels(), self.result_panel());
        if let Some(panel) = panels.iter().chain(&result).find(|panel| panel.size().x > WIDEST) {
            let pixels = panel.size().x.ceil() as usize;
            return Err(TooLargeToDraw::Width { shape: panel.title.clone(), pixels });
        }
        let mut end = layout::lay_out(&mut canvas, &panels, result.as_ref());

        let has_repeated = panels.iter().any(Panel::has_repeated);
        let captions = self.captions(has_repeated);
        let letter = canvas::letter(CAPTION);
        let columns = ((end.x - 2.0 * PADDING) / letter) as usize;
        end.y += 10.0;
        for line in captions.iter().flat_map(|text| lines_of(text, columns.max(NARROW), "  ")) {
            // Spaces at the start of a line are not drawn.
            let text = line.trim_start();
            let x = PADDING + (line.len() - text.len()) as f64 * letter;
            end.y += LINE_HEIGHT;
            end.x = end.x.max(x + width(text, CAPTION) + PADDING);
            canvas.text(Point::new(x, end.y), Anchor::Start, CAPTION, TEXT_COLOUR, text);
        }
        Ok(canvas.finish(end.plus(0.0, PADDING), &self.title(), &captions.join("; ")))
    }

    fn check_size(&self) -> Result<(), TooLargeToDraw> {
        let operands = self.operands().len();
        if operands > MOST_OPERANDS {
            return Err(TooLargeToDraw::Operands(operands));
        }
        let result = self.result_axes().map(|axes| ("the result".to_owned(), axes));
        let operands = self.operands().iter().map(|o| (o.name.clone(), o.axes.clone()));
        for (name, axes) in operands.chain(result) {
            if axes.len() > MOST_AXES {
                return Err(TooLargeToDraw::Rank { name, axes: axes.len() });
            }
            let longest = axes.iter().map(|axis| axis.size).max().unwrap_or(1);
            if longest > MOST_CELLS_ALONG_AN_AXIS {
                return Err(TooLargeToDraw::Size { name, size: longest });
            }
            let cells = axes.iter().map(|axis| axis.size).product();
            if cells > MOST_CELLS {
                return Err(TooLargeToDraw::Cells { name, cells });
            }
        }
        Ok(())
    }

    fn title(&self) -> String {
        let shapes: Vec<_> =
            self.operands().iter().map(|o| format!("{} {}", o.name, o.shape())).collect();
        let shapes = shapes.join(" + ");
        match self.result_axes() {
            Some(axes) => format!("{shapes} = {}", brackets(&axes)),
            None => format!("{shapes} does not broadcast"),
        }
    }

    /// The caption below the cells.
    fn captions(&self, has_repeated: bool) -> Vec<String> {
        let mut captions = self.sentences();
        captions.extend(self.reason());
        if let [repair] = &self.repairs()[..] {
            captions.push(repair.to_string());
        }
        if has_repeated {
            captions.push("dashed: the same elements again, nothing is copied".to_owned());
        }
        captions
    }
}
