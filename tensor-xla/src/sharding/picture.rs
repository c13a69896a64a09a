//! The picture of a sharding: the mesh, and for each way in which a tensor is split its parts, with the devices that
//! have them.

use tensor_explain::internal::{Anchor, Canvas, Colours, Point, RESULT, of_operand, width};

use super::program::{Row, ShardedProgram};
use crate::mesh::Mesh;

const PADDING: f64 = 24.0;
const TITLE: f64 = 16.0;
const TEXT: f64 = 14.0;
const LINE_HEIGHT: f64 = 22.0;
const CELL_HEIGHT: f64 = 34.0;
/// The least width of all cells of a panel.
const PANEL_WIDTH: f64 = 160.0;

/// Cells in rows, with lines of text above.
struct Panel {
    lines: Vec<String>,
    columns: usize,
    cells: Vec<(String, Colours)>,
}

impl Panel {
    fn cell_width(&self) -> f64 {
        let widest = self.cells.iter().map(|(text, _)| width(text, TEXT)).fold(0.0, f64::max);
        (widest + 16.0).max(PANEL_WIDTH / self.columns as f64)
    }

    /// Draws the panel, and gives its lower right corner.
    fn draw(&self, canvas: &mut Canvas, corner: Point) -> Point {
        let mut end = corner;
        for (number, line) in self.lines.iter().enumerate() {
            let size = if number == 0 { TITLE } else { TEXT };
            end.y += LINE_HEIGHT;
            end.x = end.x.max(corner.x + width(line, size));
            canvas.text(Point::new(corner.x, end.y), Anchor::Start, size, RESULT.text, line);
        }
        let (top, across) = (end.y + 10.0, self.cell_width());
        for (number, (text, colours)) in self.cells.iter().enumerate() {
            let (row, column) = (number / self.columns, number % self.columns);
            let at = Point::new(corner.x + column as f64 * across, top + row as f64 * CELL_HEIGHT);
            let style = format!("fill=\"{}\" stroke=\"#FFFFFF\" stroke-width=\"2\"", colours.fill);
            canvas.group(&style, |canvas| {
                canvas.polygon(&[
                    at,
                    at.plus(across, 0.0),
                    at.plus(across, CELL_HEIGHT),
                    at.plus(0.0, CELL_HEIGHT),
                ]);
            });
            let middle = at.plus(across / 2.0, CELL_HEIGHT / 2.0 + 5.0);
            canvas.text(middle, Anchor::Middle, TEXT, colours.on_fill, text);
        }
        let rows = self.cells.len().div_ceil(self.columns);
        let cells = Point::new(corner.x + self.columns as f64 * across, top);
        Point::new(end.x.max(cells.x), cells.y + rows as f64 * CELL_HEIGHT)
    }
}

/// The numbers of devices: `0 2 4 6`, or `0–7` for consecutive ones.
fn devices(numbers: &[usize]) -> String {
    match numbers {
        [first, .., last] if last - first + 1 == numbers.len() && numbers.len() > 2 => {
            format!("{first}–{last}")
        }
        _ => numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    }
}

/// The devices in the order of the mesh: its last axis across.
fn mesh_panel(mesh: &Mesh) -> Panel {
    let columns = mesh.axes().last().map_or(1, |(_, size)| *size);
    let cells = (0..mesh.devices()).map(|device| (device.to_string(), RESULT));
    let lines = vec![format!("{} devices", mesh.devices()), mesh.to_string()];
    Panel { lines, columns, cells: cells.collect() }
}

/// The parts of a tensor, with the devices that have them: those of its last axis across, those of others down.
fn tensor_panel(row: &Row<'_>, others: usize, mesh: &Mesh) -> Panel {
    let split = row.split();
    let last = row.tensor_type.sizes().len().checked_sub(1);
    let columns = last.map_or(1, |axis| row.tensor_type.parts(axis));
    let mut parts: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for device in 0..mesh.devices() {
        let start = row.tensor_type.start(device);
        match parts.iter_mut().find(|(other, _)| *other == start) {
            Some((_, devices)) => devices.push(device),
            None => parts.push((start, vec![device])),
        }
    }
    parts.sort();
    let how = match &split[..] {
        [] => "whole on each device".to_owned(),
        split => format!("{}: {:?} each", split.join(", "), row.tensor_type.local_sizes()),
    };
    let mut lines = vec![format!("{}: {}", row.name, row.shown()), how];
    if others > 0 {
        lines.push(format!("and {others} more of this type"));
    }
    let cells = parts.iter().enumerate();
    let cells = cells.map(|(number, (_, part))| (devices(part), of_operand(number)));
    Panel { lines, columns, cells: cells.collect() }
}

impl<I, O> ShardedProgram<I, O> {
    /// The sharding as an SVG: the devices of the mesh, and for each type of an input or output its parts, with the
    /// numbers of the devices that have them.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, shape, trace::trace};
    /// use tensor_xla::{mesh, shard, sharding};
    ///
    /// axis!(Batch = 8);
    /// mesh!(Grid: Data = 4);
    /// sharding!(Rules on Grid: Batch => Data);
    ///
    /// let program = shard(trace(&Tensor::<shape![Batch, 2]>::zeros(), |x| x.exp()), Rules)?;
    /// let picture = program.to_svg();
    /// assert!(picture.starts_with("<svg ") && picture.contains("Batch over Data: [2, 2] each"));
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn to_svg(&self) -> String {
        let rows = self.rows();
        let mut panels = vec![mesh_panel(self.mesh())];
        for (number, row) in rows.iter().enumerate() {
            let same = |other: &&Row<'_>| {
                other.shown() == row.shown() && other.tensor_type == row.tensor_type
            };
            if !rows[..number].iter().any(|other| same(&other)) {
                let others = rows[number + 1..].iter().filter(same).count();
                panels.push(tensor_panel(row, others, self.mesh()));
            }
        }
        let mut canvas = Canvas::default();
        let mut end = Point::new(0.0, PADDING / 2.0);
        for panel in &panels {
            let corner = panel.draw(&mut canvas, Point::new(PADDING, end.y));
            end = Point::new(end.x.max(corner.x), corner.y + PADDING / 2.0);
        }
        let title = format!("a sharding over {}", self.mesh());
        canvas.finish(end.plus(PADDING, PADDING / 2.0), &title, &self.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_devices_are_a_range() {
        assert_eq!(devices(&[3]), "3");
        assert_eq!(devices(&[4, 5]), "4 5");
        assert_eq!(devices(&[0, 1, 2, 3]), "0–3");
        assert_eq!(devices(&[0, 2, 4, 6]), "0 2 4 6");
    }
}
