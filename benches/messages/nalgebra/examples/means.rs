//! The means of the rows are subtracted from each row: `[3]` with `[4]`.

use nalgebra::SMatrix;

fn main() {
    let mut rows = SMatrix::<f32, 4, 3>::repeat(1.0);
    let means = rows.column_mean();
    for mut row in rows.row_iter_mut() {
        row -= means.transpose();
    }
    println!("{rows}");
}
