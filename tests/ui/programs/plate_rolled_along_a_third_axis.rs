//! Finite differences on a plate, one of them along an axis that it does not have.
//!
//! The compiler says: "axis 2 is out of range for shape `(((), Dim<16>), Dim<16>)`"

use tensor_core::{Tensor, shape};

type Plate = Tensor<shape![16, 16]>;

/// Heat on a square plate, by finite differences.
fn laplacian(u: &Plate) -> Plate {
    let down = u.roll::<0>(1);
    let up = u.roll::<0>(-1);
    let right = u.roll::<1>(1);
    let left = u.roll::<2>(-1);
    down + up + right + left - u * 4.0
}

fn simulate(steps: usize, alpha: f32) -> Plate {
    let mut u = Plate::zeros();
    u[[8, 8]] = 100.0;
    for _ in 0..steps {
        let change = laplacian(&u) * alpha;
        u += change;
    }
    u
}

fn main() {
    let u = simulate(50, 0.1);
    println!("total heat {}", u.sum().item());
    println!("{:.1}", u.index::<0>(8));
}
