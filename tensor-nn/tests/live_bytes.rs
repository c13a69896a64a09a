//! A training keeps no more memory after ten thousand steps than after the first few. It is a separate
//! binary, because its allocator counts allocated bytes that are not freed.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicIsize, Ordering};

use tensor_core::autograd::{checkpoint, value_and_grad};
use tensor_core::random::Generator;
use tensor_core::{Tensor, dim, shape};
use tensor_nn::Module;
use tensor_nn::layers::{BatchNorm1d, Dropout, Gru, Linear, NoMask, Pass, attention};
use tensor_nn::optim::{AdamW, Optimizer, clip_norm};

struct Counting;

static LIVE: AtomicIsize = AtomicIsize::new(0);
static MOST: AtomicIsize = AtomicIsize::new(0);

fn count(bytes: usize, sign: isize) {
    let bytes = sign * bytes as isize;
    MOST.fetch_max(LIVE.fetch_add(bytes, Ordering::Relaxed) + bytes, Ordering::Relaxed);
}

// SAFETY: every call goes to `System`, which is an allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(layout.size(), -1);
        count(size, 1);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(layout.size(), -1);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Layers with everything that a step could leak: batch statistics, a sequence, dropout, and a
/// checkpointed part.
#[derive(Clone, Module)]
struct Model {
    first: Linear<dim!(8), dim!(16)>,
    norm: BatchNorm1d<dim!(16)>,
    dropout: Dropout,
    sequence: Gru<dim!(16), dim!(8)>,
    weight: Tensor<shape![8, 4]>,
}

impl Model {
    fn new(rng: &mut Generator) -> Self {
        Self {
            first: Linear::new(rng),
            norm: BatchNorm1d::new(),
            dropout: Dropout::new(0.1),
            sequence: Gru::new(rng),
            weight: rng.normal(0.0, 0.5),
        }
    }

    fn loss(&self, x: &Tensor<shape![4, 3, 8]>, pass: &mut Pass) -> Tensor<shape![]> {
        let hidden: Tensor<shape![12, 16]> = self.first.forward(x).reshape::<shape![12, 16]>();
        let hidden = self.dropout.forward(&self.norm.forward(&hidden, pass).relu(), pass);
        let (all, _) = self.sequence.forward(&hidden.reshape::<shape![4, 3, 16]>(), pass);
        let y: Tensor<shape![4, 3, 4]> =
            checkpoint((&all, &self.weight), |(all, weight)| all.dot(weight).tanh().exp());
        y.square().mean()
    }
}

struct Training {
    model: Model,
    optimizer: Optimizer,
    rng: Generator,
}

impl Training {
    fn step(&mut self) -> f32 {
        let x = self.rng.normal::<shape![4, 3, 8], f32>(0.0, 1.0);
        let mut pass = Pass::training(&mut self.rng);
        let (loss, mut gradient) = value_and_grad(&self.model, |model| model.loss(&x, &mut pass));
        clip_norm(&mut gradient, 1.0);
        self.optimizer.step(&mut self.model, &gradient).expect("a gradient of the model");
        pass.update(&mut self.model);
        loss.item()
    }

    /// The allocated bytes after some more steps.
    fn live_after(&mut self, steps: usize) -> isize {
        for _ in 0..steps {
            self.step();
        }
        LIVE.load(Ordering::Relaxed)
    }
}

#[test]
fn ten_thousand_steps_keep_no_memory() {
    let mut rng = Generator::seed(42);
    let model = Model::new(&mut rng);
    let mut training = Training { model, optimizer: Optimizer::new(AdamW::default(), 1e-3), rng };
    let first = training.step();

    // Caches are filled after some hundred steps. From then on the number varies a little with the state of
    // the thread's cache; a leak of one byte per step is 9,000.
    let early = training.live_after(999);
    let late = training.live_after(9_000);
    assert!(late - early < 4_500, "{early} bytes after 1,000 steps, and {late} after 10,000");
    assert!(training.step() < first, "the model has learnt");

    // The counter works: a copy that is kept is counted.
    let before = LIVE.load(Ordering::Relaxed);
    let kept: Vec<Vec<f32>> = (0..100).map(|_| training.model.weight.to_vec()).collect();
    assert!(LIVE.load(Ordering::Relaxed) - before >= 100 * 32 * 4);
    drop(kept);
}

/// The 12 MB of scores of this attention never exist at once.
#[test]
fn attention_without_a_mask_keeps_some_scores_at_a_time() {
    let x: Tensor<shape![6, 700, 32]> = Generator::seed(1).normal(0.0, 1.0);
    let before = LIVE.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let mixed = attention(&x, &x, &x, NoMask);
    let most = MOST.load(Ordering::Relaxed) - before;
    assert!(most < 8 << 20, "{most} bytes, and {:?}", mixed.shape());
}
