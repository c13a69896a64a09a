//! An ONNX model in Rust, written by `cargo shapes onnx`. Attention is that of tensor-nn: `cargo add tensor-nn`.

use tensor_core::functional::layer_norm;
use tensor_core::{Module, Tensor, axes, axis, shape};
use tensor_nn::layers::{NoMask, attention};

axis!(pub Batch);
axis!(pub Sequence);

#[derive(Clone, Debug, Module)]
pub struct Query {
    pub weight: Tensor<shape![8, 8]>,
    pub bias: Tensor<shape![8]>,
}

#[derive(Clone, Debug, Module)]
pub struct Attention {
    pub query: Query,
    pub key: Query,
    pub value: Query,
}

#[derive(Clone, Debug, Module)]
pub struct Norm {
    pub bias: Tensor<shape![8]>,
    pub weight: Tensor<shape![8]>,
}

#[derive(Clone, Debug, Module)]
pub struct Model {
    pub attention: Attention,
    pub norm: Norm,
}

impl Model {
    /// Computes `y`.
    pub fn forward(
        &self,
        x: &Tensor<shape![Batch, Sequence, 8]>,
    ) -> Tensor<shape![Batch, Sequence, 8]> {
        let query_product: Tensor<shape![Batch, Sequence, 8]> = x.dot(&self.attention.query.weight);
        let query = &self.attention.query.bias + query_product;
        let query_split: Tensor<shape![Batch, Sequence, 2, 4]> =
            query.reshape_infer::<shape![Batch, Sequence, 2, 4]>();
        let query_heads: Tensor<shape![Batch, 2, Sequence, 4]> =
            query_split.permute::<axes![0, 2, 1, 3]>();
        let key_product: Tensor<shape![Batch, Sequence, 8]> = x.dot(&self.attention.key.weight);
        let key = &self.attention.key.bias + key_product;
        let key_split: Tensor<shape![Batch, Sequence, 2, 4]> =
            key.reshape_infer::<shape![Batch, Sequence, 2, 4]>();
        let value_product: Tensor<shape![Batch, Sequence, 8]> = x.dot(&self.attention.value.weight);
        let value = &self.attention.value.bias + value_product;
        let value_split: Tensor<shape![Batch, Sequence, 2, 4]> =
            value.reshape_infer::<shape![Batch, Sequence, 2, 4]>();
        let value_heads: Tensor<shape![Batch, 2, Sequence, 4]> =
            value_split.permute::<axes![0, 2, 1, 3]>();
        let keys: Tensor<shape![Batch, 2, Sequence, 4]> = key_split.permute::<axes![0, 2, 1, 3]>();
        let mixed: Tensor<shape![Batch, 2, Sequence, 4]> =
            attention(&query_heads, &keys, &value_heads, NoMask);
        let moved: Tensor<shape![Batch, Sequence, 2, 4]> = mixed.permute::<axes![0, 2, 1, 3]>();
        let joined: Tensor<shape![Batch, Sequence, 8]> =
            moved.reshape_infer::<shape![Batch, Sequence, 8]>();
        let residual = joined + x;
        layer_norm(&residual, &self.norm.weight, Some(&self.norm.bias), 1e-5)
    }
}
