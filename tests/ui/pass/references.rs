//! Operands that are references of any kind, as in closures, iterators and optimisers.

use tensor_core::{Tensor, shape, tensor};

type Row = Tensor<shape![2]>;

fn mean_distance(rows: &[Row], centre: &Row) -> f32 {
    let near = rows.iter().filter(|row| (centre - row).abs().max().item() < 10.0);
    near.map(|row| (row - centre).square().sum().item()).sum::<f32>() / rows.len() as f32
}

fn step(weight: &mut Row, velocity: &mut Row, gradient: &Row) {
    *velocity *= 0.5;
    let moved = gradient * 0.1 + &mut *velocity;
    *weight -= &moved;
    *velocity = moved;
}

fn main() {
    let rows = [tensor![1.0, 2.0], tensor![3.0, 4.0], tensor![300.0, 4.0]];
    let centre = &tensor![1.0, 1.0];
    assert_eq!(mean_distance(&rows, centre), 14.0 / 3.0);
    assert_eq!(&rows[0] + &centre, tensor![2.0, 3.0]);
    assert_eq!(rows[0].maximum(&centre), tensor![1.0, 2.0]);

    let (mut weight, mut velocity) = (tensor![1.0, 1.0], tensor![1.0, 0.0]);
    step(&mut weight, &mut velocity, &tensor![5.0, 10.0]);
    assert_eq!(weight, tensor![0.0, 0.0]);
    assert_eq!(velocity, tensor![1.0, 1.0]);
}
