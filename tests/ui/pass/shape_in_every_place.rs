//! `shape!` in every place of a type and of a value.

use tensor_core::{Shape, StaticShape, Tensor, axis, broadcast_shapes, dim, shape, tensor};

axis!(Batch);

const CHANNELS: usize = 3;

type Image = shape![28, 28, { CHANNELS }];
type Batched<S> = Tensor<shape![S.., 28 * 28]>;

struct Model {
    weight: Tensor<shape![28 * 28, 10]>,
    labels: [Option<Tensor<shape![10], i64>>; 2],
}

impl Model {
    const CLASSES: shape![10] = shape![10];

    fn forward<Lead: Shape>(&self, x: &Batched<Lead>) -> Tensor<shape![Lead.., 10]> {
        x.dot(&self.weight)
    }
}

trait Pictures {
    type Shape: StaticShape;
}

impl Pictures for Model {
    type Shape = Image;
}

fn sizes<S: Shape>(shape: S) -> Vec<usize> {
    shape.sizes().to_vec()
}

fn main() {
    let model = Model { weight: Tensor::ones(), labels: [Some(tensor![0; 10]), None] };
    let x: Batched<shape![Batch, 2]> = Tensor::ones_shaped(shape![Batch(4), 2, 784]);
    let scores = model.forward(&x);
    assert_eq!(sizes(scores.shape()), [4, 2, 10]);
    assert_eq!(sizes(Model::CLASSES), [10]);
    assert_eq!(sizes(<Model as Pictures>::Shape::VALUE), [28, 28, 3]);
    assert_eq!(model.labels.iter().flatten().map(Tensor::len).sum::<usize>(), 10);

    let closure = |x: &Tensor<shape![2]>| -> Tensor<shape![2]> { x + 1.0 };
    assert_eq!(closure(&Tensor::<shape![2]>::zeros()).to_vec(), [1.0, 1.0]);

    let lead = shape![Batch(4), 2];
    assert_eq!(sizes(shape![lead.., 784]), sizes(x.shape()));
    let size: dim!(10) = scores.shape().1;
    let _: (shape![], dim!(10)) = ((), size);
    let _: broadcast_shapes![Image, [28, 1, 1]] = shape![28, 28, 3];
}
