//! Random sizes and images, for the tests of windows.

use tensor_core::DynTensor;

/// Numbers that are the same in every run.
pub struct Random {
    state: u64,
    largest: usize,
}

impl Random {
    /// Elements are whole numbers from `-largest` to `largest`.
    pub fn new(seed: u64, largest: usize) -> Self {
        Self { state: seed, largest }
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % end
    }

    pub fn from(&mut self, start: usize, end: usize) -> usize {
        start + self.below(end - start)
    }

    /// Whole numbers, whose sums of products are exact if they are small.
    pub fn tensor(&mut self, sizes: &[usize]) -> DynTensor<f64> {
        let largest = self.largest;
        DynTensor::from_fn(sizes, |_| self.below(2 * largest + 1) as f64 - largest as f64)
    }
}
