//! Views, and operations that move elements.

use tensor_kernels::kernel::moves::Side;
use tensor_kernels::layout::Strides;
use tensor_kernels::plan::row_major_strides;
use tensor_kernels::sizes::slicing::AxisPart;

use super::builder::{Builder, Tensor};

/// A view as a box within the elements of its base, which are split into axes.
struct Boxed {
    /// The axes that the elements of the base are split into.
    split: Vec<usize>,
    /// The first and the end of each axis.
    starts: Vec<usize>,
    ends: Vec<usize>,
    /// Of each axis that is split, whether it is reversed.
    reversed: Vec<usize>,
    /// For each axis of the view the axis of the base that it is along, unless it has size 1 or is stretched.
    along_index: Vec<Option<usize>>,
}

impl Boxed {
    /// The box of a view of `len` elements in row-major order. `None` if it is none, as a diagonal or windows that
    /// overlap.
    fn new(len: usize, sizes: &[usize], offset: usize, strides: &[isize]) -> Option<Self> {
        let mut along: Vec<usize> =
            (0..sizes.len()).filter(|&axis| sizes[axis] > 1 && strides[axis] != 0).collect();
        along.sort_by_key(|&axis| core::cmp::Reverse(strides[axis].unsigned_abs()));
        let mut first = offset;
        let (mut split, mut steps) = (Vec::new(), Vec::new());
        let mut above = len;
        for &axis in &along {
            let step = strides[axis].unsigned_abs();
            if step == 0 || !above.is_multiple_of(step) || above / step < sizes[axis] {
                return None;
            }
            split.push(above / step);
            steps.push(step);
            above = step;
            if strides[axis] < 0 {
                first = first.checked_sub(step * (sizes[axis] - 1))?;
            }
        }
        // The rest below the smallest step.
        split.push(above);
        steps.push(1);
        let mut starts = Vec::new();
        for &step in &steps {
            starts.push(first / step);
            first %= step;
        }
        let mut ends: Vec<usize> =
            along.iter().zip(&starts).map(|(&axis, start)| start + sizes[axis]).collect();
        ends.push(starts[along.len()] + 1);
        if ends.iter().zip(&split).any(|(end, size)| end > size) {
            return None;
        }
        let index = |axis| along.iter().position(|&other| other == axis);
        let reversed = (0..along.len()).filter(|&index| strides[along[index]] < 0).collect();
        Some(Self {
            split,
            starts,
            ends,
            reversed,
            along_index: (0..sizes.len()).map(index).collect(),
        })
    }

    /// The box of a view along the axes of its base. `None` if an axis of the view is along none of them.
    fn along_axes(
        base: &[usize],
        sizes: &[usize],
        offset: usize,
        strides: &[isize],
    ) -> Option<Self> {
        let steps = row_major_strides(base);
        let (mut first, mut reversed) = (offset, Vec::new());
        let mut along_index = vec![None; sizes.len()];
        let mut lengths = vec![1; base.len()];
        for axis in (0..sizes.len()).filter(|&axis| sizes[axis] > 1 && strides[axis] != 0) {
            let step = strides[axis].abs();
            let is_along = |&index: &usize| base[index] > 1 && steps[index] == step;
            let index = (0..base.len()).find(is_along).filter(|&index| lengths[index] == 1)?;
            if strides[axis] < 0 {
                first = first.checked_sub(step as usize * (sizes[axis] - 1))?;
                reversed.push(index);
            }
            (along_index[axis], lengths[index]) = (Some(index), sizes[axis]);
        }
        let mut starts = Vec::new();
        for &step in &steps {
            starts.push(first / step as usize);
            first %= step as usize;
        }
        let ends: Vec<usize> =
            starts.iter().zip(lengths).map(|(start, length)| start + length).collect();
        let is_within = ends.iter().zip(base).all(|(end, size)| end <= size);
        is_within.then(|| Self { split: base.to_vec(), starts, ends, reversed, along_index })
    }
}

impl Builder {
    /// A view of a value: its sizes, and the offset and strides within the elements.
    pub(crate) fn view(
        &mut self,
        x: &Tensor,
        sizes: &[usize],
        offset: usize,
        strides: &Strides,
    ) -> Tensor {
        // A reshape that merges axes puts together those that are split over devices.
        let along_axes = match self.module.is_empty() {
            true => None,
            false => Boxed::along_axes(&x.sizes, sizes, offset, strides),
        };
        let len = x.sizes.iter().product();
        let Some(of) = along_axes.or_else(|| Boxed::new(len, sizes, offset, strides)) else {
            return self.gathered_view(x, sizes, offset, strides);
        };
        let split = self.reshape(x, &of.split);
        let part = self.slice(&split, &of.starts, &of.ends);
        let part = self.reverse(&part, &of.reversed);
        // The axes of the view that are parts, in the order of the base.
        let mut kept: Vec<usize> = of.along_index.iter().copied().flatten().collect();
        kept.sort_unstable();
        let lengths: Vec<usize> = kept.iter().map(|&index| part.sizes[index]).collect();
        let part = self.reshape(&part, &lengths);
        let order: Vec<usize> = (of.along_index.iter().flatten())
            .filter_map(|index| kept.binary_search(index).ok())
            .collect();
        let part = self.transpose(&part, &order);
        let axes: Vec<usize> =
            (0..sizes.len()).filter(|&axis| of.along_index[axis].is_some()).collect();
        if part.sizes == sizes { part } else { self.broadcast_in(&part, &axes, sizes) }
    }

    /// A view whose elements are gathered one by one.
    fn gathered_view(
        &mut self,
        x: &Tensor,
        sizes: &[usize],
        offset: usize,
        strides: &Strides,
    ) -> Tensor {
        let indices = self.positions(sizes, offset, strides);
        let row = self.reshape(x, &[x.sizes.iter().product()]);
        self.take(&row, &indices, 0, sizes)
    }

    /// The positions of the elements of a view.
    fn positions(&mut self, sizes: &[usize], offset: usize, strides: &[isize]) -> Tensor {
        let mut sum = self.number(offset as f64, sizes, "i64");
        for (axis, &stride) in strides.iter().enumerate() {
            if stride != 0 && sizes[axis] > 1 {
                let along = self.iota(sizes, axis);
                let stride = self.number(stride as f64, sizes, "i64");
                let along = self.binary("multiply", &along, &stride);
                sum = self.binary("add", &sum, &along);
            }
        }
        sum
    }

    /// A strided sum into a row of zeros.
    pub(crate) fn add_strided(
        &mut self,
        x: &Tensor,
        len: usize,
        offset: usize,
        strides: &Strides,
    ) -> Tensor {
        let zero = self.number(0.0, &[], x.element);
        if let Some(of) = Boxed::new(len, &x.sizes, offset, strides)
            && of
                .along_index
                .iter()
                .zip(&x.sizes)
                .all(|(index, &size)| index.is_some() || size == 1)
        {
            // The axes in the order of the row, and then zeros around the box.
            let kept: Vec<usize> =
                (0..x.rank()).filter(|&axis| of.along_index[axis].is_some()).collect();
            let sizes: Vec<usize> = kept.iter().map(|&axis| x.sizes[axis]).collect();
            let part = self.reshape(x, &sizes);
            let mut order = vec![0; kept.len()];
            for (index, &axis) in kept.iter().enumerate() {
                order[of.along_index[axis].expect("it was kept")] = index;
            }
            let part = self.transpose(&part, &order);
            let mut sizes = part.sizes.clone();
            sizes.push(1);
            let part = self.reshape(&part, &sizes);
            let part = self.reverse(&part, &of.reversed);
            let ends = of.split.iter().zip(&of.ends).map(|(size, end)| (size - end) as isize);
            let amounts: Vec<[isize; 2]> =
                of.starts.iter().zip(ends).map(|(&start, end)| [start as isize, end]).collect();
            let row = self.pad(&part, &zero, &amounts, &of.split);
            return self.reshape(&row, &[len]);
        }
        let positions = self.positions(&x.sizes, offset, strides);
        let zeros = self.broadcast(&zero, &[len]);
        let count = x.sizes.iter().product();
        let (positions, values) = (self.reshape(&positions, &[count]), self.reshape(x, &[count]));
        self.index_rows(&zeros, &positions, &values, 0, true)
    }

    /// The elements on one side of a diagonal of matrices, and a scalar elsewhere, by comparing rows with columns.
    pub(crate) fn triangle(
        &mut self,
        x: &Tensor,
        side: Side,
        diagonal: isize,
        fill: &Tensor,
    ) -> Tensor {
        let of_matrix = &x.sizes[x.rank() - 2..];
        let (rows, columns) = (self.iota(of_matrix, 0), self.iota(of_matrix, 1));
        // A diagonal further away keeps as much.
        let far = of_matrix.iter().sum::<usize>() as f64;
        let shift = self.number((diagonal as f64).clamp(-far, far), of_matrix, "i64");
        let rows = self.binary("add", &rows, &shift);
        let direction = if matches!(side, Side::Lower) { "LE" } else { "GE" };
        let kept = self.compare(&columns, &rows, direction);
        let (kept, fill) = (self.broadcast(&kept, &x.sizes), self.broadcast(fill, &x.sizes));
        self.select(&kept, x, &fill)
    }

    /// The tensor with values in the part that a plan keeps.
    pub(crate) fn assign_slice(
        &mut self,
        x: &Tensor,
        values: &Tensor,
        plan: &[AxisPart],
    ) -> Tensor {
        let (mut offset, mut strides) = (0, Strides::new());
        for ((part, &stride), &size) in plan.iter().zip(&row_major_strides(&x.sizes)).zip(&x.sizes)
        {
            match *part {
                AxisPart::All => strides.push(stride),
                AxisPart::At(index) => offset += index * stride as usize,
                AxisPart::Range { first, len, step } => {
                    debug_assert!(len <= size, "a part of the axis");
                    offset += first * stride as usize;
                    strides.push(step * stride);
                }
            }
        }
        let all = row_major_strides(&x.sizes);
        strides.extend(all[plan.len()..].iter().copied());
        let (len, count) = (x.sizes.iter().product(), values.sizes.iter().product());
        let positions = self.positions(&values.sizes, offset, &strides);
        let (row, positions, values) = (
            self.reshape(x, &[len]),
            self.reshape(&positions, &[count]),
            self.reshape(values, &[count]),
        );
        let assigned = self.index_rows(&row, &positions, &values, 0, false);
        self.reshape(&assigned, &x.sizes)
    }
}
