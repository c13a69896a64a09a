use tensor_core::windows::{Conv2dOptions, Pool2dOptions};
use tensor_core::{
    Axis, Padding, Shape, Tensor, axes, axis, dim, einsum, fuse, rearrange, select, shape, slice, tensor, zip_with,
};

axis!(Batch);

fn layer(x: &Tensor<shape![Batch, 784]>, w: &Tensor<shape![784, 10]>, b: &Tensor<shape![10]>) {
    let product = x.dot(w); // Tensor<(((), Batch), Dim<10>)>
    let y = x.dot(w) + b; // Tensor<(((), Batch), Dim<10>)>
    let e = y.exp(); // Tensor<(((), Batch), Dim<10>)>
    let fused = fuse!((product + b) * 2.0); // Tensor<(((), Batch), Dim<10>)>
    let scaled = 2.0 * &y; // Tensor<(((), Batch), Dim<10>)>
    let negative = -&y; // Tensor<(((), Batch), Dim<10>)>
    let total = y.sum_axis::<0>(); // Tensor<((), Dim<10>)>
    let kept = y.sum_axis_keepdims::<1>(); // Tensor<(((), Batch), One)>
    let both = y.sum_axes::<axes![0, 1]>(); // Tensor<()>
    let best = y.argmax_axis::<1>(); // Tensor<((), Batch), i64>
    let p = y.softmax::<-1>(); // Tensor<(((), Batch), Dim<10>)>
    let t = y.transpose(); // Tensor<(((), Dim<10>), Batch)>
    let square = y.matmul(&t); // Tensor<(((), Batch), Batch)>
    let columns = y.slice(slice![.., 1..3]); // Tensor<(((), Batch), Dim<2>)>
    let column = y.slice(slice![.., -1]); // Tensor<((), Batch)>
    let row = y.index::<0>(0); // Tensor<((), Dim<10>)>
    let mask = y.greater(0.0); // Tensor<(((), Batch), Dim<10>), bool>
    let chosen = select(&mask, &y, 0.0); // Tensor<(((), Batch), Dim<10>)>
    let larger = zip_with(&y, b, f32::max); // Tensor<(((), Batch), Dim<10>)>
    let double = y.cast::<f64>(); // Tensor<(((), Batch), Dim<10>), f64>
    let raised = y.unsqueeze::<1>(); // Tensor<((((), Batch), One), Dim<10>)>
    let lowered = kept.squeeze::<-1>(); // Tensor<((), Batch)>
    let number = y.mean().item(); // f32
    let element = y[[0, 1]]; // f32
}

fn arithmetic(images: &Tensor<shape![2, 3, 8, 8]>, filters: &Tensor<shape![4, 3, 3, 3]>) {
    let small = tensor![[1.0, 2.0], [3.0, 4.0]]; // Tensor<(((), Dim<2>), Dim<2>), f64>
    let joined = small.concat::<0, _>(&small); // Tensor<(((), Dim<4>), Dim<2>), f64>
    let stacked = Tensor::stack::<0, _>([&small, &small]); // Tensor<((((), Dim<2>), Dim<2>), Dim<2>), f64>
    let line = small.flatten(); // Tensor<((), Dim<4>), f64>
    let shaped = small.reshape::<shape![4]>(); // Tensor<((), Dim<4>), f64>
    let [left, right] = small.chunk::<-1, 2>(); // Tensor<(((), Dim<2>), One), f64>
    let best = small.topk::<-1, dim!(1)>(); // (Tensor<(((), Dim<2>), One), f64>, Tensor<(((), Dim<2>), One), i64>)
    let product = einsum!(i j, j k -> i k; small, small); // Tensor<(((), Dim<2>), Dim<2>), f64>
    let corner = images.slice(slice![.., 0, 1..3, 2..; 2]); // Tensor<((((), Dim<2>), Dim<2>), Dim<3>)>
    let same = images.conv2d(filters, Conv2dOptions::new().padding::<1>()); // Tensor<(((((), Dim<2>), Dim<4>), Dim<8>), Dim<8>)>
    let halved = images.max_pool2d(Pool2dOptions::new::<2>()); // Tensor<(((((), Dim<2>), Dim<3>), Dim<4>), Dim<4>)>
    let pixels = rearrange!(b c h w -> b (h w) c; images); // Tensor<((((), Dim<2>), Dim<64>), Dim<3>)>
    let flat = images.flatten_axes::<1, 3>(); // Tensor<(((), Dim<2>), Dim<192>)>
    let split = images.unflatten::<-1, shape![2, 4]>(); // Tensor<((((((), Dim<2>), Dim<3>), Dim<8>), Dim<2>), Dim<4>)>
    let moved = images.move_axis::<1, -1>(); // Tensor<(((((), Dim<2>), Dim<8>), Dim<8>), Dim<3>)>
    let permuted = images.permute::<axes![0, 2, 3, 1]>(); // Tensor<(((((), Dim<2>), Dim<8>), Dim<8>), Dim<3>)>
    let padded = small.pad::<shape![1], shape![1]>(Padding::Constant(0.0)); // Tensor<(((), Dim<2>), Dim<4>), f64>
    let pairs = line.windows::<0, dim!(3)>(); // Tensor<(((), Dim<2>), Dim<3>), f64>
    let steps = line.diff::<0>(); // Tensor<((), Dim<3>), f64>
}

fn generic<Lead: Shape, I: Axis, O: Axis>(
    x: &Tensor<shape![Lead.., I]>,
    w: &Tensor<shape![I, O]>,
    b: &Tensor<shape![O]>,
) {
    let y = x.dot(w) + b; // Tensor<(Lead, O)>
    let z = y.relu(); // Tensor<(Lead, O)>
    let mean = z.mean_axis_keepdims::<-1>(); // Tensor<(Lead, One)>
    let centred = &z - &mean; // Tensor<(Lead, O)>
}

fn main() {}
