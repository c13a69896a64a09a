//! A Llama of 100 million parameters.

use tensor_core::random::Generator;
use tensor_core::{StaticAxis, Tensor, axis, dim, shape};
use tensor_nn::Module;
use tensor_nn::layers::{
    CausalLowerRight, Embedding, GroupedQueryAttention, Halves, KvCache, Linear, NoBias, RmsNorm,
    RotaryPositions, SwiGlu,
};

axis!(pub Vocab = 16_000);
axis!(pub Hidden = 768);
axis!(pub Inner = 2048);
axis!(pub Head = 12);
axis!(pub KvHead = 4);
axis!(pub Time);
axis!(pub New);
axis!(pub Place);

type Channel = Halves<dim!(64)>;
pub type Cache = KvCache<shape![], KvHead, Time, Channel>;

#[derive(Clone, Debug, Module)]
pub struct Llama {
    embed_tokens: Embedding<Vocab, Hidden>,
    layers: [Block; 12],
    norm: RmsNorm<Hidden>,
    lm_head: Linear<Hidden, Vocab, f32, NoBias>,
    positions: RotaryPositions<Place, Channel>,
}

#[derive(Clone, Debug, Module)]
struct Block {
    self_attn: GroupedQueryAttention<Hidden, Head, KvHead, Channel>,
    mlp: SwiGlu<Hidden, Inner>,
    input_layernorm: RmsNorm<Hidden>,
    post_attention_layernorm: RmsNorm<Hidden>,
}

impl Llama {
    pub fn new(rng: &mut Generator) -> Self {
        let block = |rng: &mut Generator| Block {
            self_attn: GroupedQueryAttention::new(rng),
            mlp: SwiGlu::new(rng),
            input_layernorm: RmsNorm::new(),
            post_attention_layernorm: RmsNorm::new(),
        };
        let shape = (((), Place(256)), Channel::VALUE);
        Self {
            embed_tokens: Embedding::new(rng),
            layers: [(); 12].map(|()| block(rng)),
            norm: RmsNorm::new(),
            lm_head: Linear::without_bias(rng),
            positions: RotaryPositions::new_shaped(shape, 10_000.0, 0),
        }
    }

    pub fn caches(&self) -> Vec<Cache> {
        self.layers.iter().map(|_| Cache::with_capacity(shape![], 256)).collect()
    }

    /// The scores of the tokens that may follow the last one: `[new] → [vocab]`.
    pub fn read(
        &self,
        tokens: &Tensor<shape![New], i64>,
        caches: &mut [Cache],
    ) -> Tensor<shape![Vocab]> {
        let first = caches[0].len();
        let positions = self.positions.part::<New>(first..first + tokens.len());
        let mut x: Tensor<shape![New, Hidden]> =
            self.embed_tokens.forward(tokens).expect("known tokens");
        for (block, cache) in self.layers.iter().zip(caches) {
            let read = block.input_layernorm.forward(&x);
            x += block.self_attn.forward_rotary_cached(&read, &positions, cache, CausalLowerRight);
            x = &x + block.mlp.forward(&block.post_attention_layernorm.forward(&x));
        }
        self.lm_head.forward(&self.norm.forward(&x.index::<0>(tokens.len() - 1)))
    }
}
