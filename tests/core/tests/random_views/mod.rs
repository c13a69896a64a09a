//! Tensors of random sizes and layouts, the same in every run.

#![allow(dead_code, reason = "each test uses its part")]

use tensor_core::{DynTensor, Element};

/// Pseudorandom numbers: a linear congruence, of which the high bits are taken.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2) + 1)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    /// A number from `start` to before `end`.
    pub fn from(&mut self, start: usize, end: usize) -> usize {
        start + self.below(end - start)
    }

    /// Sizes from 0 to 5, most of them larger than 1.
    pub fn sizes(&mut self, rank: usize) -> Vec<usize> {
        (0..rank).map(|_| [2, 3, 4, 5, 1, 3, 2, 0][self.below(8)]).collect()
    }

    /// A tensor of these sizes: contiguous, with its axes permuted in memory, or broadcast along one.
    pub fn tensor<T: Element>(
        &mut self,
        sizes: &[usize],
        mut element: impl FnMut(&mut Self) -> T,
    ) -> DynTensor<T> {
        let rank = sizes.len();
        let mut order: Vec<usize> = (0..rank).collect();
        for at in (1..rank).rev() {
            let other = self.below(at + 1);
            order.swap(at, other);
        }
        let mut stored: Vec<usize> = order.iter().map(|&axis| sizes[axis]).collect();
        if rank > 0 && self.below(4) == 0 {
            stored[self.below(rank)] = 1;
        }
        let len: usize = stored.iter().product();
        let elements = (0..len).map(|_| element(self)).collect();
        let x = DynTensor::from_vec(&stored, elements).unwrap();
        let mut back = vec![0; rank];
        for (at, &axis) in order.iter().enumerate() {
            back[axis] = at as isize;
        }
        x.permute(&back).unwrap().expand(sizes).unwrap()
    }
}

/// All indices of these sizes, in row-major order.
pub fn indices(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for &size in sizes {
        all = all
            .into_iter()
            .flat_map(|index: Vec<usize>| {
                (0..size).map(move |at| index.iter().copied().chain([at]).collect())
            })
            .collect();
    }
    all
}

/// The elements along an axis, for each index of the other axes in row-major order.
pub fn lanes<T: Element>(x: &DynTensor<T>, axis: usize) -> Vec<Vec<T>> {
    let mut outer = x.sizes().to_vec();
    let size = outer.remove(axis);
    let lane = |index: Vec<usize>| {
        let at = |at| {
            let mut index = index.clone();
            index.insert(axis, at);
            x.get(&index).unwrap()
        };
        (0..size).map(at).collect()
    };
    indices(&outer).into_iter().map(lane).collect()
}

/// A tensor whose lanes along an axis are these: the inverse of [`lanes`].
pub fn from_lanes<T: Element>(sizes: &[usize], axis: usize, lanes: &[Vec<T>]) -> DynTensor<T> {
    let mut outer = sizes.to_vec();
    outer.remove(axis);
    let places = indices(&outer);
    let element = |index: Vec<usize>| {
        let mut lane = index.clone();
        let at = lane.remove(axis);
        lanes[places.iter().position(|place| *place == lane).unwrap()][at]
    };
    DynTensor::from_vec(sizes, indices(sizes).into_iter().map(element).collect()).unwrap()
}
