//! Products of matrices.

use super::builder::{Builder, Tensor, computed, list};

impl Builder {
    /// The product of matrices or vectors, with leading axes that broadcast. 16-bit floats are summed as `f32`.
    pub(crate) fn matmul(&mut self, a: &Tensor, b: &Tensor, sizes: &[usize]) -> Tensor {
        let (left, right) = (a.clone(), b.clone());
        let k = *left.sizes.last().expect("products have no operand of rank 0");
        let product = match right.rank() {
            // All rows of the left side with one matrix or vector.
            0..=2 => {
                let n = right.sizes.get(1).copied();
                let rows = left.sizes[..left.rank() - 1].iter().product();
                let left = self.reshape(&left, &[rows, k]);
                let right = self.reshape(&right, &[k, n.unwrap_or(1)]);
                self.dot(&left, &right, 0, &[rows, n.unwrap_or(1)])
            }
            rank => {
                let (m, n) = match left.rank() {
                    1 => (1, right.sizes[rank - 1]),
                    of_left => (left.sizes[of_left - 2], right.sizes[rank - 1]),
                };
                let of_batch = sizes.len() - 1 - usize::from(left.rank() > 1);
                let batch = &sizes[..of_batch];
                let with = |last: [usize; 2]| [batch, &last[..]].concat();
                let left = match left.rank() {
                    1 => self.reshape(&left, &[1, k]),
                    _ => left,
                };
                let left = self.broadcast(&left, &with([m, k]));
                let right = self.broadcast(&right, &with([k, n]));
                self.dot(&left, &right, of_batch, &with([m, n]))
            }
        };
        let product = self.reshape(&product, sizes);
        self.convert(&product, a.element)
    }

    /// `[..batch, m, k] · [..batch, k, n] → [..batch, m, n]`, of 16-bit floats as `f32`
    fn dot(&mut self, a: &Tensor, b: &Tensor, batch: usize, sizes: &[usize]) -> Tensor {
        let axes = list(0..batch);
        let rest = format!(
            " {{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {axes}, \
             rhs_batching_dimensions = {axes}, lhs_contracting_dimensions = [{}], \
             rhs_contracting_dimensions = [{batch}]>, precision_config = [#stablehlo<precision HIGHEST>, \
             #stablehlo<precision HIGHEST>]}}",
            batch + 1
        );
        self.operation("dot_general", &[a, b], &rest, (sizes, computed(a.element)))
    }

    /// The error function.
    pub(crate) fn erf(&mut self, x: &Tensor) -> Tensor {
        let sizes = x.sizes.clone();
        let rest =
            " {call_target_name = \"mhlo.erf\", mhlo.attributes = {}, mhlo.version = 1 : i64}";
        self.operation("custom_call", &[x], rest, (&sizes, x.element))
    }
}
