//! The content of the panels of a picture: the cells and their text.

use super::panel::{Cell, CellKind, Extents, Mark, Panel, cell_width, grid_width, indices};
use super::{MOST_AXES, TEXT_COLOUR};
use crate::analysis::{AxisSize, Explanation, MismatchedAxes, brackets};
use crate::palette::{FAILS, RESULT, of_operand};
use crate::table::width;

/// If the result would be wider than this, its cells show no sums.
const MOST_WIDTH: f64 = 800.0;

impl Explanation {
    /// The sizes of a list of axes as stacks, sheets, rows and columns; `size` returns a size by the index of
    /// the axis in the result.
    fn extents(&self, size: impl Fn(usize) -> usize) -> Extents {
        let rank = self.axes().len();
        core::array::from_fn(|slot| (slot + rank).checked_sub(MOST_AXES).map_or(1, &size))
    }

    /// The extents of a shape before it stretches.
    fn own_extents(&self, number: usize) -> Extents {
        let (operand, rank) = (&self.operands()[number], self.axes().len());
        self.extents(|axis| operand.aligned(axis, rank).map_or(1, |axis| axis.size))
    }

    /// The number of digits of the largest element number of each shape.
    fn letters(&self) -> impl Iterator<Item = usize> {
        self.operands().iter().map(|operand| {
            let elements: usize = operand.axes.iter().map(|axis| axis.size).product();
            width(&elements.saturating_sub(1).to_string())
        })
    }

    /// The width of the sums in the cells of the result, if there is room for them.
    fn width_of_sums(&self) -> Option<f64> {
        let axes = self.result_axes()?;
        let width = cell_width(self.letters().map(|letters| letters + 1).sum::<usize>().max(1) - 1);
        let extents = self.extents(|axis| axes[axis].size);
        let is_narrow = grid_width(extents, width, axes.len()) <= MOST_WIDTH;
        is_narrow.then_some(width)
    }

    /// The common width of all cells, so that they can be compared.
    fn cell_width(&self) -> f64 {
        let of_element = || cell_width(self.letters().max().unwrap_or(0));
        self.width_of_sums().unwrap_or_else(of_element)
    }

    /// The panels of the operands.
    pub(super) fn operand_panels(&self) -> Vec<Panel> {
        let result = self.result();
        (0..self.operands().len())
            .map(|number| match result {
                Ok(_) => self.stretched_panel(number),
                Err(mismatch) => self.failing_panel(number, mismatch),
            })
            .collect()
    }

    /// The panel of a shape with the cells that it stretches to.
    fn stretched_panel(&self, number: usize) -> Panel {
        let own = self.own_extents(number);
        let stretched =
            self.extents(|axis| self.axes()[axis].outcome.as_ref().map_or(1, |a| a.size));
        // A shape that stretches to size 0 is shown unstretched.
        let extents = core::array::from_fn(|axis| own[axis].max(stretched[axis]));
        let arrow = |axis: &usize| extents[*axis] > own[*axis];
        let factor = |axis: usize| {
            let axis = (axis + self.axes().len()).checked_sub(MOST_AXES);
            let outcome = axis.and_then(|axis| self.axes()[axis].outcome.as_ref().ok());
            outcome.map_or_else(String::new, AxisSize::factor)
        };
        let mark = |axis| Mark { axis, label: format!("×{}", factor(axis)), is_arrow: true };
        let marks = (0..MOST_AXES).filter(arrow).map(mark).collect();
        let kind = |index: Extents| {
            let is_repeated = (0..MOST_AXES).any(|axis| index[axis] >= own[axis]);
            if is_repeated { CellKind::Repeated } else { CellKind::Own }
        };
        self.panel(number, extents, marks, kind)
    }

    /// The panel of a shape that does not broadcast, with a mark at the axis that fails.
    fn failing_panel(&self, number: usize, mismatch: MismatchedAxes) -> Panel {
        let own = self.own_extents(number);
        let axis = mismatch.axis + MOST_AXES - self.axes().len();
        let mut marks = Vec::new();
        let mut partners = usize::MAX;
        if let Some(meeting) = self.meeting(mismatch)
            && let Some(side) = [mismatch.left, mismatch.right].iter().position(|n| *n == number)
        {
            let label = meeting[side].to_string();
            marks.push(Mark { axis, label, is_arrow: false });
            // Axes of different names have no cells in common, whatever their sizes.
            if meeting[0].name == meeting[1].name {
                partners = meeting[1 - side].size;
            }
        }
        let kind =
            |index: Extents| if index[axis] < partners { CellKind::Own } else { CellKind::Alone };
        self.panel(number, own, marks, kind)
    }

    fn panel(
        &self,
        number: usize,
        extents: Extents,
        marks: Vec<Mark>,
        kind: impl Fn(Extents) -> CellKind,
    ) -> Panel {
        let colours = of_operand(number);
        let own = self.own_extents(number);
        let cell = |index: Extents| {
            let kind = kind(index);
            let colour = match kind {
                CellKind::Own => colours.on_fill,
                CellKind::Alone => FAILS.text,
                CellKind::Repeated | CellKind::Result => colours.text,
            };
            Cell { text: vec![(element(own, index).to_string(), colour)], kind }
        };
        let cells = indices(extents).map(cell).collect();
        let operand = &self.operands()[number];
        let title = format!("{} {}", operand.name, operand.shape());
        let rank = self.axes().len();
        Panel { title, colours, rank, extents, cells, marks, cell_width: self.cell_width() }
    }

    /// The panel of the result: each cell shows the numbers of its operands' elements.
    pub(super) fn result_panel(&self) -> Option<Panel> {
        let axes = self.result_axes()?;
        let extents = self.extents(|axis| axes[axis].size);
        let own: Vec<_> =
            (0..self.operands().len()).map(|number| self.own_extents(number)).collect();
        let has_sums = self.width_of_sums().is_some();
        let cell = |index: Extents| {
            let mut text = Vec::new();
            for (number, own) in own.iter().enumerate().filter(|_| has_sums) {
                if number > 0 {
                    text.push(("+".to_owned(), TEXT_COLOUR));
                }
                text.push((element(*own, index).to_string(), of_operand(number).text));
            }
            Cell { text, kind: CellKind::Result }
        };
        let cells = indices(extents).map(cell).collect();
        let names: Vec<_> = self.operands().iter().map(|operand| operand.name.as_str()).collect();
        let title = format!("{} {}", names.join(" + "), brackets(&axes));
        let (rank, cell_width) = (self.axes().len(), self.cell_width());
        Some(Panel { title, colours: RESULT, rank, extents, cells, marks: Vec::new(), cell_width })
    }
}

/// The number of a shape's element at this index: along an axis that stretches, always the first.
fn element(own: Extents, index: Extents) -> usize {
    let mut element = 0;
    for (own, index) in own.into_iter().zip(index) {
        element = element * own + if own == 1 { 0 } else { index };
    }
    element
}
