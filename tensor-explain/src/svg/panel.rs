//! One shape in the picture: its cells, on a flat grid, on sheets one above the other, or on stacks of sheets side by side,
//! with its name above and arrows along the axes that stretch.

use super::canvas::{Anchor, Canvas, Point, letter, width};
use crate::palette::{Colours, FAILS};

/// A shape is drawn with four axes: stacks, sheets, rows and columns. An axis that it lacks has
/// extent 1.
pub(super) type Extents = [usize; 4];

pub(super) const STACKS: usize = 0;
pub(super) const SHEETS: usize = 1;
pub(super) const ROWS: usize = 2;
pub(super) const COLUMNS: usize = 3;

/// The font sizes of cells, of captions, and of names.
pub(super) const CELL_TEXT: f64 = 14.0;
pub(super) const CAPTION: f64 = 14.0;
const TITLE: f64 = 16.0;

const TITLE_HEIGHT: f64 = 36.0;
const ROW_HEIGHT: f64 = 34.0;
/// The horizontal offset between consecutive rows of a sheet.
const SLANT: f64 = 14.0;
const BETWEEN_SHEETS: f64 = 16.0;
const BETWEEN_STACKS: f64 = 28.0;
/// The height of a horizontal mark with its label.
const MARK_HEIGHT: f64 = 26.0;
/// The distance between the cells and an arrow.
const ARROW_DISTANCE: f64 = 14.0;

/// A mark next to the cells along an axis.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    /// The axis: stacks, sheets, rows or columns.
    pub axis: usize,
    /// `×4` at an arrow, `4` at a bracket.
    pub label: String,
    /// Whether it is an arrow along a stretched axis, or a bracket around a mismatch.
    pub is_arrow: bool,
}

/// The content of a cell.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// The text, as spans of different colours.
    pub text: Vec<(String, &'static str)>,
    /// The kind of cell.
    pub kind: CellKind,
}

/// The kind of a cell, which its outline shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellKind {
    /// An element of the shape.
    Own,
    /// A repetition of an element by stretching.
    Repeated,
    /// An element that has no partner.
    Alone,
    /// An element of the result.
    Result,
}

/// One shape, ready to be drawn.
pub(super) struct Panel {
    /// Its name and axes.
    pub title: String,
    pub colours: Colours,
    /// The number of axes of all panels of the picture.
    pub rank: usize,
    pub extents: Extents,
    /// The cells in row-major order.
    pub cells: Vec<Cell>,
    pub marks: Vec<Mark>,
    pub cell_width: f64,
}

impl Panel {
    /// Whether it has cells that repeat others.
    pub(super) fn has_repeated(&self) -> bool {
        self.cells.iter().any(|cell| cell.kind == CellKind::Repeated)
    }

    fn has_sheets(&self) -> bool {
        self.rank >= 3
    }

    fn sheet_height(&self) -> f64 {
        self.extents[ROWS].max(1) as f64 * ROW_HEIGHT
    }

    /// The size of the cells alone; without cells, that of a placeholder.
    fn grid(&self) -> Point {
        let height = self.extents[SHEETS].max(1) as f64 * (self.sheet_height() + BETWEEN_SHEETS);
        let width = grid_width(self.extents, self.cell_width, self.rank);
        Point::new(width, height - BETWEEN_SHEETS)
    }

    /// The width of one stack of sheets.
    fn stack_width(&self) -> f64 {
        let [_, sheets, rows, columns] = self.extents;
        grid_width([1, sheets, rows, columns], self.cell_width, self.rank)
    }

    /// The space for marks and the name on the left, on the right and below the cells.
    fn margins(&self) -> [f64; 3] {
        let title = ((width(&self.title, TITLE) - self.grid().x) / 2.0).max(0.0);
        let [mut left, mut right, mut below] = [title, title, 0.0];
        for mark in &self.marks {
            let label = width(&mark.label, CAPTION) + ARROW_DISTANCE + 10.0;
            match (mark.axis, self.has_sheets()) {
                (COLUMNS | STACKS, _) => below += MARK_HEIGHT,
                (ROWS, true) => right = label.max(right),
                _ => left = label.max(left),
            }
        }
        [left, right, if below > 0.0 { below + ARROW_DISTANCE } else { 0.0 }]
    }

    /// The size of the panel.
    pub(super) fn size(&self) -> Point {
        let [left, right, below] = self.margins();
        self.grid().plus(left + right, TITLE_HEIGHT + below)
    }

    /// The middle of the cells, measured from the top of the panel.
    pub(super) fn middle(&self) -> f64 {
        TITLE_HEIGHT + self.grid().y / 2.0
    }

    /// Draws the panel with its upper left corner at `place`.
    pub(super) fn draw(&self, canvas: &mut Canvas, place: Point) {
        canvas.group("class=\"shape\"", |canvas| self.draw_parts(canvas, place));
    }

    fn draw_parts(&self, canvas: &mut Canvas, place: Point) {
        let grid = place.plus(self.margins()[0], TITLE_HEIGHT);
        let title = grid.plus(self.grid().x / 2.0, 20.0 - TITLE_HEIGHT);
        let bold = " font-weight=\"bold\"";
        canvas.spans(title, Anchor::Middle, TITLE, bold, &[(&self.title, self.colours.text)]);
        if self.cells.is_empty() {
            self.draw_emptiness(canvas, grid);
        }
        for kind in [CellKind::Own, CellKind::Repeated, CellKind::Alone, CellKind::Result] {
            self.draw_cells(canvas, grid, kind);
        }
        for mark in &self.marks {
            self.draw_mark(canvas, grid, mark);
        }
    }

    /// The corners of a cell, clockwise from the upper left.
    fn corners(&self, grid: Point, [stack, sheet, row, column]: Extents) -> [Point; 4] {
        let gap = 2.0;
        let slant = slant(self.rank);
        let rows = self.extents[ROWS] as f64;
        let left = stack as f64 * (self.stack_width() + BETWEEN_STACKS);
        let top = sheet as f64 * (self.sheet_height() + BETWEEN_SHEETS) + row as f64 * ROW_HEIGHT;
        let corner = |columns: usize, down: f64, inwards: f64| {
            // A sheet is seen from the front: its first row is at the back, to the right.
            let shift = (rows - row as f64 - down) * slant;
            let x = left + (column + columns) as f64 * self.cell_width + shift + inwards;
            let edge = if down == 0.0 { gap } else { ROW_HEIGHT - gap };
            grid.plus(x, top + edge)
        };
        [corner(0, 0.0, gap), corner(1, 0.0, -gap), corner(1, 1.0, -gap), corner(0, 1.0, gap)]
    }

    fn draw_cells(&self, canvas: &mut Canvas, grid: Point, kind: CellKind) {
        let Colours { fill, light, line, .. } = self.colours;
        let attributes = match kind {
            CellKind::Own => {
                format!("class=\"own\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"2\"")
            }
            CellKind::Repeated => format!(
                "class=\"repeated\" fill=\"{light}\" stroke=\"{line}\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\""
            ),
            CellKind::Alone => format!(
                "class=\"alone\" fill=\"{}\" stroke=\"{}\" stroke-width=\"3\"",
                FAILS.fill, FAILS.line
            ),
            CellKind::Result => {
                format!("class=\"result\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"1.5\"")
            }
        };
        let chosen: Vec<_> =
            indices(self.extents).zip(&self.cells).filter(|(_, cell)| cell.kind == kind).collect();
        if chosen.is_empty() {
            return;
        }
        canvas.group(&format!("{attributes} stroke-linejoin=\"round\""), |canvas| {
            for (index, _) in &chosen {
                canvas.polygon(&self.corners(grid, *index));
            }
        });
        for (index, cell) in chosen {
            let corners = self.corners(grid, index);
            let middle = corners[0].between(corners[2]).plus(0.0, 5.0);
            let spans: Vec<_> =
                cell.text.iter().map(|(text, colour)| (&text[..], *colour)).collect();
            if !spans.is_empty() {
                canvas.spans(middle, Anchor::Middle, CELL_TEXT, "", &spans);
            }
        }
    }

    /// Draws the placeholder for a shape without cells.
    fn draw_emptiness(&self, canvas: &mut Canvas, grid: Point) {
        let size = self.grid();
        let attributes = format!(
            "class=\"empty\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" stroke-dasharray=\"2 4\"",
            self.colours.line
        );
        let corner = |x: f64, y: f64| grid.plus(x, y);
        canvas.group(&attributes, |canvas| {
            canvas.polygon(&[
                corner(0.0, 0.0),
                corner(size.x, 0.0),
                corner(size.x, size.y),
                corner(0.0, size.y),
            ]);
        });
        let middle = grid.plus(size.x / 2.0, size.y / 2.0 + 5.0);
        canvas.text(middle, Anchor::Middle, CAPTION, self.colours.text, "empty");
    }

    /// The ends of a mark, the position of its label, and the direction away from the cells.
    fn place_of_mark(&self, grid: Point, axis: usize) -> [Point; 4] {
        let size = self.grid();
        let last = self.extents.map(|extent| extent.saturating_sub(1));
        let middle = |index: Extents| {
            let corners = self.corners(grid, index);
            corners[0].between(corners[2])
        };
        match (axis, self.has_sheets()) {
            (COLUMNS | STACKS, _) => {
                let mut y = grid.y + size.y + ARROW_DISTANCE;
                let [from, to] = if axis == COLUMNS {
                    [0, last[COLUMNS]].map(|column| middle([0, last[SHEETS], last[ROWS], column]))
                } else {
                    // Below the mark of the columns, if there is one.
                    if self.marks.iter().any(|mark| mark.axis == COLUMNS) {
                        y += MARK_HEIGHT;
                    }
                    let half = self.stack_width() / 2.0;
                    [half, size.x - half].map(|x| grid.plus(x, 0.0))
                };
                let label = Point::new((from.x + to.x) / 2.0, y + 20.0);
                [Point::new(from.x, y), Point::new(to.x, y), label, Point::new(0.0, 1.0)]
            }
            (ROWS, true) => {
                let place = |row| {
                    let corners = self.corners(grid, [last[STACKS], 0, row, last[COLUMNS]]);
                    corners[1].between(corners[2]).plus(ARROW_DISTANCE, 0.0)
                };
                let [from, to] = [place(0), place(last[ROWS])];
                let label = from.between(to).plus(8.0, 5.0);
                [from, to, label, Point::new(1.0, 0.0)]
            }
            _ => {
                let end =
                    if axis == ROWS { [0, 0, last[ROWS], 0] } else { [0, last[SHEETS], 0, 0] };
                let [from, to] =
                    [[0; 4], end].map(|index| Point::new(grid.x - ARROW_DISTANCE, middle(index).y));
                let label = from.between(to).plus(-8.0, 5.0);
                [from, to, label, Point::new(-1.0, 0.0)]
            }
        }
    }

    fn draw_mark(&self, canvas: &mut Canvas, grid: Point, mark: &Mark) {
        let [from, to, label, away] = self.place_of_mark(grid, mark.axis);
        let anchor = match (mark.axis, self.has_sheets()) {
            (COLUMNS | STACKS, _) => Anchor::Middle,
            (ROWS, true) => Anchor::Start,
            _ => Anchor::End,
        };
        let colours = if mark.is_arrow { self.colours } else { FAILS };
        if mark.is_arrow {
            canvas.arrow(from, to, colours.line);
        } else {
            // From the edge of the first cell to the edge of the last, with ends towards the cells.
            let long = match mark.axis {
                STACKS => self.stack_width(),
                COLUMNS => self.cell_width,
                _ => ROW_HEIGHT,
            } / 2.0
                - 4.0;
            let (x, y) = (to.x - from.x, to.y - from.y);
            let length = x.hypot(y);
            let (x, y) = match (length > 0.0, mark.axis) {
                (true, _) => (x / length, y / length),
                (false, COLUMNS | STACKS) => (1.0, 0.0),
                (false, _) => (0.0, 1.0),
            };
            let (from, to) = (from.plus(-long * x, -long * y), to.plus(long * x, long * y));
            let end = |place: Point| place.plus(-7.0 * away.x, -7.0 * away.y);
            let attributes = format!(
                "class=\"bracket\" fill=\"none\" stroke=\"{}\" stroke-width=\"3\"",
                colours.line
            );
            canvas.group(&attributes, |canvas| canvas.line(&[end(from), from, to, end(to)]));
        }
        let bold = " font-weight=\"bold\"";
        canvas.spans(label, anchor, CAPTION, bold, &[(&mark.label, colours.text)]);
    }
}

/// The width of cells that hold texts of this many characters.
pub(super) fn cell_width(letters: usize) -> f64 {
    (letters as f64 * letter(CELL_TEXT) + 14.0).max(44.0).round()
}

/// The horizontal offset between consecutive rows.
fn slant(rank: usize) -> f64 {
    if rank >= 3 { SLANT } else { 0.0 }
}

/// The width of these cells.
pub(super) fn grid_width([stacks, _, rows, columns]: Extents, cell_width: f64, rank: usize) -> f64 {
    let stack = columns.max(1) as f64 * cell_width + rows.max(1) as f64 * slant(rank);
    stacks.max(1) as f64 * (stack + BETWEEN_STACKS) - BETWEEN_STACKS
}

/// All indices in row-major order.
pub(super) fn indices([stacks, sheets, rows, columns]: Extents) -> impl Iterator<Item = Extents> {
    let of_sheet = move |stack, sheet| {
        (0..rows).flat_map(move |row| (0..columns).map(move |column| [stack, sheet, row, column]))
    };
    (0..stacks).flat_map(move |stack| (0..sheets).flat_map(move |sheet| of_sheet(stack, sheet)))
}
