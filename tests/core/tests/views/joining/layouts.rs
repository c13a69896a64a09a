//! Random tensors in random layouts, and results by their definitions.

use tensor_core::{DynTensor, Element};

/// A stream of random numbers.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// SplitMix64.
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }

    /// Sizes of `least` to `most` axes, some of them 0 or 1.
    pub fn sizes(&mut self, least: usize, most: usize) -> Vec<usize> {
        let rank = least + self.below(most - least + 1);
        (0..rank)
            .map(|_| {
                [1, 2, 3, 4, 5, 1, 7, 0][self.below(if self.0.is_multiple_of(4) { 8 } else { 7 })]
            })
            .collect()
    }

    /// A tensor of these sizes: contiguous, permuted, or with an axis that is broadcast.
    pub fn view<T: Element>(&mut self, sizes: &[usize], element: fn(u64) -> T) -> View<T> {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        if self.below(3) == 0 {
            for axis in 1..order.len() {
                order.swap(axis, self.below(axis + 1));
            }
        }
        let mut stored: Vec<usize> = order.iter().map(|&axis| sizes[axis]).collect();
        let stretched = (self.below(4) == 0 && !sizes.is_empty()).then(|| self.below(sizes.len()));
        if let Some(axis) = stretched.filter(|&axis| stored[axis] > 0) {
            stored[axis] = 1;
        }
        let x = DynTensor::from_fn(&stored, |_| element(self.bits()));
        let full: Vec<usize> = order.iter().map(|&axis| sizes[axis]).collect();
        let mut back = vec![0; sizes.len()];
        for (place, &axis) in order.iter().enumerate() {
            back[axis] = place as isize;
        }
        let tensor = x.expand(&full).unwrap().permute(&back).unwrap();
        assert_eq!(tensor.sizes(), sizes);
        View { tensor }
    }
}

/// A tensor whose elements are read by their index alone.
pub struct View<T: Element> {
    pub tensor: DynTensor<T>,
}

impl<T: Element> View<T> {
    pub fn at(&self, index: &[usize]) -> T {
        self.tensor.get(index).unwrap_or_else(|| panic!("{index:?} of {self:?}"))
    }
}

impl<T: Element> core::fmt::Debug for View<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let layout = if self.tensor.as_slice().is_some() { "contiguous" } else { "strided" };
        write!(f, "{:?} {layout}", self.tensor.sizes())
    }
}

/// The elements at all indices, in row-major order.
pub fn by_index<T: Element>(sizes: &[usize], mut element: impl FnMut(&[usize]) -> T) -> Vec<T> {
    let len = if sizes.contains(&0) { 0 } else { sizes.iter().product() };
    (0..len)
        .map(|number| {
            let mut rest = number;
            let mut index = vec![0; sizes.len()];
            for (place, size) in index.iter_mut().zip(sizes).rev() {
                *place = rest % size;
                rest /= size;
            }
            element(&index)
        })
        .collect()
}
