//! Two shapes, one below the other, and a mark below the axis at which they differ, as messages of the compiler show them.

use core::fmt::Display;

/// Two shapes whose axes are in columns; `None` where a shape lacks the axis.
pub struct Columns(Vec<[Option<String>; 2]>);

impl Columns {
    /// Shapes with these axes in each column, as they are displayed.
    #[doc(hidden)]
    pub fn new<A: Display>(columns: impl IntoIterator<Item = [Option<A>; 2]>) -> Self {
        let axes = |axes: [Option<A>; 2]| axes.map(|axis| Some(axis?.to_string()));
        Self(columns.into_iter().map(axes).collect())
    }

    /// Shapes aligned at their last axes.
    #[doc(hidden)]
    pub fn aligned(shapes: [&[impl Display]; 2]) -> Self {
        let rank = shapes[0].len().max(shapes[1].len());
        Self::new(
            (0..rank).map(|at| shapes.map(|axes| axes.get((at + axes.len()).wrapping_sub(rank)))),
        )
    }

    /// The number of characters of the widest axis of a column.
    fn width(&self, column: usize) -> usize {
        let width = |axis: &Option<String>| axis.as_ref().map_or(0, |axis| axis.chars().count());
        self.0[column].iter().map(width).max().unwrap_or(0)
    }

    /// The number of characters before a column: the bracket, and the columns before it.
    fn start(&self, column: usize) -> usize {
        1 + (0..column).map(|at| self.width(at) + 2).sum::<usize>()
    }

    /// The first or the second shape, such as `[4, 3]`, with spaces for axes that it lacks. It ends with `end`: `]`, or
    /// `, ..]` if there are more axes.
    #[doc(hidden)]
    pub fn row(&self, shape: usize, end: &str) -> String {
        let axes =
            || self.0.iter().enumerate().filter_map(|(at, axes)| Some((at, axes[shape].as_ref()?)));
        let (Some((first, _)), Some((last, _))) = (axes().next(), axes().next_back()) else {
            return format!("[{end}");
        };
        let mut row = String::new();
        for (at, axis) in axes() {
            let end = self.start(at) + self.width(at) - axis.chars().count();
            let open = if at == first { "[" } else { "" };
            let used = row.chars().count() + open.len();
            row += &" ".repeat(end - used);
            row += open;
            row += axis;
            row += if at == last { "" } else { "," };
        }
        let used = row.chars().count();
        row + &" ".repeat(self.start(self.0.len()) - 2 - used) + end
    }

    /// Marks below a column.
    #[doc(hidden)]
    pub fn marks(&self, column: usize) -> String {
        " ".repeat(self.start(column)) + &"^".repeat(self.width(column))
    }
}

#[test]
fn shapes_have_spaces_where_they_lack_an_axis() {
    let columns = Columns::aligned([&["Batch", "4", "128"], &["10", "8"]]);
    assert_eq!(columns.row(0, "]"), "[Batch,  4, 128]");
    assert_eq!(columns.row(1, ", ..]"), "       [10,   8, ..]");
    assert_eq!(columns.marks(1), "        ^^");
    let missing = ["2", "30", "4"].map(|axis| [Some(axis.to_owned()), Some("1".to_owned())]);
    let mut missing = Columns::new(missing);
    missing.0[1][1] = None;
    assert_eq!([missing.row(0, "]"), missing.row(1, "]")], ["[2, 30, 4]", "[1,     1]"]);
    missing.0[2][1] = None;
    assert_eq!(missing.row(1, "]"), "[1       ]");
    missing.0[0][1] = None;
    assert_eq!(missing.row(1, "]"), "[]");
}
