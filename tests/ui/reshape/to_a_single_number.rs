//! Six numbers do not become one; `sum` and `mean` make one of them.
//!
//! The compiler says: "`reshape` keeps the number of elements: `Dim<6>` is not `One`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.reshape::<shape![]>();
}
