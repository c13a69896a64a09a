//! Convolutions and pooling.

use tensor_kernels::sizes::windows::{Convolution, Pooling, Resizing, WindowAxis};

use super::builder::{Builder, Tensor, array, computed, pairs, region_of, type_of};
use super::expression::lowest;

/// The number of elements that a window spans.
fn extent(axis: &WindowAxis) -> isize {
    ((axis.window - 1) * axis.dilation + 1) as isize
}

/// The number of elements of an axis with the zeros between them.
fn spread(axis: &WindowAxis) -> isize {
    (axis.size as isize - 1) * axis.spread as isize + 1
}

/// The padding before and after an axis that its windows reach, less elements after the last window.
fn reach(axis: &WindowAxis) -> [isize; 2] {
    let covered = (axis.positions as isize - 1) * axis.stride as isize + extent(axis);
    [axis.before, covered - axis.before - spread(axis)]
}

/// The padding before and after an axis with which the window has its positions.
fn padding(axis: &WindowAxis) -> [isize; 2] {
    let [before, after] = reach(axis);
    // Elements that no position reaches are left alone.
    [before, if stride(axis) > 1 { after.max(0) } else { after }]
}

/// The stride of the window. That of a window with one position is larger than the number of elements after it: XLA takes
/// a window of one element that moves by one for the whole axis, whatever is removed from it.
fn stride(axis: &WindowAxis) -> usize {
    let [_, after] = reach(axis);
    match axis.positions {
        1 => 1 + after.min(0).unsigned_abs(),
        _ => axis.stride,
    }
}

/// `b, f, 0, 1` for two spatial axes, with these letters first.
fn dimensions(first: &str, spatial: usize) -> String {
    let numbers: String = (0..spatial).map(|axis| format!(", {axis}")).collect();
    format!("[{first}{numbers}]")
}

fn each(axes: &[WindowAxis], number: impl Fn(&WindowAxis) -> usize) -> String {
    array(&axes.iter().map(number).collect::<Vec<_>>())
}

/// A number of each window, for a tensor of this rank whose last axes have the windows; 1 for the others.
fn of_windows(axes: &[WindowAxis], rank: usize, number: impl Fn(&WindowAxis) -> usize) -> String {
    let lead = core::iter::repeat_n(1, rank - axes.len());
    array(&lead.chain(axes.iter().map(number)).collect::<Vec<_>>())
}

/// The padding of each axis of such a tensor.
fn paddings(axes: &[WindowAxis], rank: usize) -> String {
    let lead = core::iter::repeat_n([0, 0], rank - axes.len());
    pairs(&lead.chain(axes.iter().map(padding)).collect::<Vec<_>>())
}

/// The attributes of a reduction of windows, for a tensor of this rank.
fn windows_of(plan: &Pooling, rank: usize) -> String {
    let axes = &plan.axes[..];
    format!(
        "{{window_dimensions = {}, window_strides = {}, base_dilations = {}, window_dilations = {}, padding = {}}}",
        of_windows(axes, rank, |axis| axis.window),
        of_windows(axes, rank, stride),
        array(&vec![1; rank]),
        of_windows(axes, rank, |axis| axis.dilation),
        paddings(axes, rank)
    )
}

/// The region that chooses the larger of two elements with their indices, or NaN, and the lower index of equal ones.
fn region_of_larger(element: &str) -> String {
    let (ty, index, mask) = (type_of(&[], element), type_of(&[], "i64"), type_of(&[], "bool"));
    let compare = |result: &str, a: &str, b: &str, direction: &str, ty: &str| {
        format!(
            "{result} = \"stablehlo.compare\"({a}, {b}) {{comparison_direction = \
             #stablehlo<comparison_direction {direction}>}} : ({ty}, {ty}) -> {mask} "
        )
    };
    let both = |result: &str, operation: &str, a: &str, b: &str| {
        format!("{result} = \"stablehlo.{operation}\"({a}, {b}) : ({mask}, {mask}) -> {mask} ")
    };
    let select = |result: &str, b: &str, a: &str, ty: &str| {
        format!(
            "{result} = \"stablehlo.select\"(%second, {b}, {a}) : ({mask}, {ty}, {ty}) -> {ty} "
        )
    };
    let body = [
        compare("%larger", "%b", "%a", "GT", &ty),
        compare("%equal", "%b", "%a", "EQ", &ty),
        compare("%is_nan", "%b", "%b", "NE", &ty),
        compare("%was_nan", "%a", "%a", "NE", &ty),
        compare("%was_number", "%a", "%a", "EQ", &ty),
        compare("%before", "%j", "%i", "LT", &index),
        both("%nans", "and", "%is_nan", "%was_nan"),
        both("%same", "or", "%equal", "%nans"),
        both("%earlier", "and", "%same", "%before"),
        both("%only_nan", "and", "%is_nan", "%was_number"),
        both("%better", "or", "%larger", "%only_nan"),
        both("%second", "or", "%better", "%earlier"),
        select("%x", "%b", "%a", &ty),
        select("%k", "%j", "%i", &index),
    ];
    format!(
        "{{ ^bb0(%a: {ty}, %i: {index}, %b: {ty}, %j: {index}): {}\"stablehlo.return\"(%x, %k) : ({ty}, {index}) -> () }}",
        body.concat()
    )
}

impl Builder {
    /// A convolution, transposed or not.
    pub(crate) fn convolve(&mut self, plan: &Convolution, x: &Tensor, weights: &Tensor) -> Tensor {
        let Convolution { images, groups, channels, outputs, ref axes, is_transposed, .. } = *plan;
        let spatial = axes.iter().map(|axis| axis.size);
        let of_x: Vec<usize> = [images, groups * channels].into_iter().chain(spatial).collect();
        let x = self.reshape(x, &of_x);
        let window: Vec<usize> = axes.iter().map(|axis| axis.window).collect();
        let weights = match is_transposed {
            false => weights.clone(),
            true => {
                // Of the input's channels before those of the results, and mirrored.
                let split = [&[groups, channels, outputs], &window[..]].concat();
                let split = self.reshape(weights, &split);
                let mut order: Vec<usize> = (0..split.rank()).collect();
                order.swap(1, 2);
                let moved = self.transpose(&split, &order);
                let sizes = [&[groups * outputs, channels], &window[..]].concat();
                let moved = self.reshape(&moved, &sizes);
                let mirrored: Vec<usize> = (2..2 + window.len()).collect();
                self.reverse(&moved, &mirrored)
            }
        };
        let (of_x, of_weights) = (dimensions("b, f", axes.len()), dimensions("o, i", axes.len()));
        let rest = format!(
            " {{window_strides = {}, padding = {}, lhs_dilation = {}, rhs_dilation = {}, \
             dimension_numbers = #stablehlo.conv<{of_x}x{of_weights}->{of_x}>, \
             feature_group_count = {groups} : i64, batch_group_count = 1 : i64, \
             precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}}",
            each(axes, stride),
            pairs(&axes.iter().map(padding).collect::<Vec<_>>()),
            each(axes, |axis| axis.spread),
            each(axes, |axis| axis.dilation),
        );
        let counts = axes.iter().map(|axis| axis.positions);
        let sizes: Vec<usize> = [images, groups * outputs].into_iter().chain(counts).collect();
        self.operation("convolution", &[&x, &weights], &rest, (&sizes, x.element))
    }

    /// The gradient of a convolution with respect to its weights: a convolution of the input by the gradient of the
    /// results, in which images are channels. The plan is not that of a transposed one.
    pub(crate) fn convolve_weights(
        &mut self,
        plan: &Convolution,
        x: &Tensor,
        gradient: &Tensor,
        sizes: &[usize],
    ) -> Tensor {
        let Convolution { images, groups, channels, outputs, ref axes, .. } = *plan;
        let spatial = axes.iter().map(|axis| axis.size);
        let of_x: Vec<usize> = [images, groups * channels].into_iter().chain(spatial).collect();
        let counts = axes.iter().map(|axis| axis.positions);
        let of_gradient: Vec<usize> =
            [images, groups * outputs].into_iter().chain(counts).collect();
        let (x, gradient) = (self.reshape(x, &of_x), self.reshape(gradient, &of_gradient));
        let padding = axes.iter().map(|axis| {
            let counts = (axis.positions as isize - 1) * axis.stride as isize + 1;
            let covered = (axis.window as isize - 1) * axis.dilation as isize + counts;
            [axis.before, covered - axis.before - spread(axis)]
        });
        let rest = format!(
            " {{window_strides = {}, padding = {}, lhs_dilation = {}, rhs_dilation = {}, \
             dimension_numbers = #stablehlo.conv<{}x{}->{}>, feature_group_count = 1 : i64, \
             batch_group_count = {groups} : i64, \
             precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}}",
            each(axes, |axis| axis.dilation),
            pairs(&padding.collect::<Vec<_>>()),
            each(axes, |axis| axis.spread),
            each(axes, |axis| axis.stride),
            dimensions("f, b", axes.len()),
            dimensions("i, o", axes.len()),
            dimensions("f, b", axes.len()),
        );
        self.operation("convolution", &[&x, &gradient], &rest, (sizes, x.element))
    }

    /// The maxima of windows.
    pub(crate) fn max_pool(&mut self, plan: &Pooling, x: &Tensor) -> Tensor {
        let start = self.number(lowest(x.element), &[], x.element);
        self.reduce_windows(plan, x, &start, "maximum")
    }

    fn reduce_windows(&mut self, plan: &Pooling, x: &Tensor, start: &Tensor, by: &str) -> Tensor {
        let rest = format!(" ({}) {}", region_of(by, x.element), windows_of(plan, x.rank()));
        self.operation("reduce_window", &[x, start], &rest, (&plan.result, x.element))
    }

    /// Elements added at the positions of the maxima of windows. 16-bit floats are summed as `f32`.
    pub(crate) fn max_unpool(&mut self, plan: &Pooling, x: &Tensor, elements: &Tensor) -> Tensor {
        // With padding, XLA visits the elements of a window in another order, in which others are the first of equal ones.
        if plan.axes.iter().all(|axis| axis.dilation == 1 && padding(axis) == [0, 0]) {
            return self.select_and_scatter(plan, x, elements);
        }
        let (positions, count) = (self.positions_of_maxima(plan, x), plan.result.iter().product());
        let wide = self.convert(elements, computed(x.element));
        let [positions, wide] = [positions, wide].map(|x| self.reshape(&x, &[count]));
        // One more, for windows of padding alone.
        let len: usize = x.sizes.iter().product();
        let zeros = self.number(0.0, &[len + 1], wide.element);
        let sums = self.index_rows(&zeros, &positions, &wide, 0, true);
        let sums = self.slice(&sums, &[0], &[len]);
        let sums = self.convert(&sums, x.element);
        self.reshape(&sums, &x.sizes)
    }

    fn select_and_scatter(&mut self, plan: &Pooling, x: &Tensor, elements: &Tensor) -> Tensor {
        let [wide, elements] = [x, elements].map(|x| self.convert(x, computed(x.element)));
        let (ty, mask) = (type_of(&[], wide.element), type_of(&[], "bool"));
        let compare = |result: &str, b: &str, direction: &str| {
            format!(
                "{result} = \"stablehlo.compare\"(%a, {b}) {{comparison_direction = \
                 #stablehlo<comparison_direction {direction}>}} : ({ty}, {ty}) -> {mask} "
            )
        };
        // The first of equal elements stays, and the first NaN.
        let choice = format!(
            "{{ ^bb0(%a: {ty}, %b: {ty}): {}{}%c = \"stablehlo.or\"(%larger, %nan) : ({mask}, {mask}) -> {mask} \
             \"stablehlo.return\"(%c) : ({mask}) -> () }}",
            compare("%larger", "%b", "GE"),
            compare("%nan", "%a", "NE")
        );
        let zero = self.number(0.0, &[], wide.element);
        let rest = format!(
            " ({choice}, {}) {{window_dimensions = {}, window_strides = {}, padding = {}}}",
            region_of("add", wide.element),
            of_windows(&plan.axes, x.rank(), |axis| axis.window),
            of_windows(&plan.axes, x.rank(), stride),
            paddings(&plan.axes, x.rank())
        );
        let operands = [&wide, &elements, &zero];
        let sums = self.operation("select_and_scatter", &operands, &rest, (&x.sizes, wide.element));
        self.convert(&sums, x.element)
    }

    /// Elements picked at the positions of the maxima of windows, 0 for windows of padding alone.
    pub(crate) fn max_pick(&mut self, plan: &Pooling, x: &Tensor, elements: &Tensor) -> Tensor {
        let positions = self.positions_of_maxima(plan, x);
        let len: usize = x.sizes.iter().product();
        let row = self.reshape(elements, &[len]);
        let zero = self.number(0.0, &[], x.element);
        let row = self.pad(&row, &zero, &[[0, 1]], &[len + 1]);
        self.take(&row, &positions, 0, &plan.result)
    }

    /// The index among all elements of the maximum of each window: of the first of equal ones, or of the first NaN. The
    /// number of elements, for a window of padding alone.
    fn positions_of_maxima(&mut self, plan: &Pooling, x: &Tensor) -> Tensor {
        let len: usize = x.sizes.iter().product();
        let numbers = self.iota(&[len], 0);
        let numbers = self.reshape(&numbers, &x.sizes);
        let lowest = self.number(lowest(x.element), &[], x.element);
        let end = self.number(len as f64, &[], "i64");
        let result = Tensor::new(self.name(), &plan.result, "i64");
        let types = format!("{}, {}", type_of(&plan.result, x.element), result.ty());
        self.line(&format!(
            "{}:2 = \"stablehlo.reduce_window\"({}, {}, {}, {}) ({}) {} : ({}, {}, {}, {}) -> ({types})",
            result.name,
            x.name,
            numbers.name,
            lowest.name,
            end.name,
            region_of_larger(x.element),
            windows_of(plan, x.rank()),
            x.ty(),
            numbers.ty(),
            lowest.ty(),
            end.ty(),
        ));
        Tensor::new(format!("{}#1", result.name), &plan.result, "i64")
    }

    /// The number of elements that each mean of windows is of.
    fn window_counts(&mut self, plan: &Pooling, sizes: &[usize], element: &'static str) -> Tensor {
        let (mut plan, mut sizes) = (plan.clone(), sizes.to_vec());
        if !plan.excludes_padding {
            let is_whole = |axis: &WindowAxis| padding(axis)[1] <= axis.after as isize;
            if plan.axes.iter().all(is_whole) {
                let count = plan.axes.iter().map(|axis| axis.window as f64).product();
                return self.number(count, &plan.result, element);
            }
            // Padding counts, and not what the last windows have after it.
            let lead = sizes.len() - plan.axes.len();
            for (axis, size) in plan.axes.iter_mut().zip(&mut sizes[lead..]) {
                *size += axis.before.unsigned_abs() + axis.after;
                (axis.size, axis.before) = (*size, 0);
            }
        }
        let one = self.number(1.0, &[], element);
        let ones = self.broadcast(&one, &sizes);
        let zero = self.number(0.0, &[], element);
        self.reduce_windows(&plan, &ones, &zero, "add")
    }

    /// The means of windows. 16-bit floats are summed as `f32`.
    pub(crate) fn avg_pool(&mut self, plan: &Pooling, x: &Tensor) -> Tensor {
        let wide = self.convert(x, computed(x.element));
        let counts = self.window_counts(plan, &wide.sizes, wide.element);
        let zero = self.number(0.0, &[], wide.element);
        let sums = self.reduce_windows(plan, &wide, &zero, "add");
        let means = self.binary("divide", &sums, &counts);
        self.convert(&means, x.element)
    }

    /// Elements distributed evenly over windows, the transpose of [`avg_pool`](Self::avg_pool). 16-bit floats are summed
    /// as `f32`.
    pub(crate) fn avg_unpool(&mut self, plan: &Pooling, x: &Tensor, sizes: &[usize]) -> Tensor {
        let wide = self.convert(x, computed(x.element));
        let counts = self.window_counts(plan, sizes, wide.element);
        let shares = self.binary("divide", &wide, &counts);
        // Zeros between and around the shares, and then the sums of windows that move by one.
        let lead = sizes.len() - plan.axes.len();
        let (mut amounts, mut between) = (vec![[0, 0]; lead], vec![0; lead]);
        let (mut padded, mut window) = (sizes[..lead].to_vec(), vec![1; lead]);
        let mut dilation = window.clone();
        for axis in &plan.axes {
            let spread = (axis.positions as isize - 1) * axis.stride as isize + 1;
            let reach = extent(axis) - 1;
            let before = reach - axis.before;
            amounts.push([before, axis.size as isize + reach - before - spread]);
            between.push(axis.stride - 1);
            padded.push(axis.size + reach as usize);
            window.push(axis.window);
            dilation.push(axis.dilation);
        }
        let zero = self.number(0.0, &[], wide.element);
        let padded = self.spread(&shares, &zero, &amounts, &between, &padded);
        let none = vec![[0, 0]; sizes.len()];
        let sums =
            self.reduce_moving_window(&padded, 0.0, "add", (&window, &dilation, &none), sizes);
        self.convert(&sums, x.element)
    }

    /// The last axes at other sizes.
    pub(crate) fn resize(&mut self, plan: &Resizing, x: &Tensor, sizes: &[usize]) -> Tensor {
        let axes = (sizes.len() - plan.axes..sizes.len()).rev();
        self.blend(x, sizes, axes, |axis| {
            let (from, to) = (x.sizes[axis], sizes[axis]);
            (0..to).map(|index| plan.resample.blend(index, from, to).elements().collect()).collect()
        })
    }

    /// The transpose of [`resize`](Self::resize): images of these sizes from resized ones.
    pub(crate) fn resize_transposed(
        &mut self,
        plan: &Resizing,
        x: &Tensor,
        sizes: &[usize],
    ) -> Tensor {
        self.blend(x, sizes, sizes.len() - plan.axes..sizes.len(), |axis| {
            let (from, to) = (sizes[axis], x.sizes[axis]);
            let mut rows = vec![Vec::new(); from];
            for index in 0..to {
                for (element, weight) in plan.resample.blend(index, from, to).elements() {
                    rows[element].push((index, weight));
                }
            }
            rows
        })
    }

    /// Blends elements along these axes, one axis after the other: each result is the sum of the elements of its row
    /// with their weights. 16-bit floats are summed as `f32`.
    fn blend(
        &mut self,
        x: &Tensor,
        sizes: &[usize],
        axes: impl Iterator<Item = usize>,
        rows: impl Fn(usize) -> Vec<Vec<(usize, f64)>>,
    ) -> Tensor {
        if x.sizes.contains(&0) || sizes.contains(&0) {
            return self.number(0.0, sizes, x.element);
        }
        let mut blended = self.convert(x, computed(x.element));
        for axis in axes {
            blended = self.blend_axis(&blended, axis, &rows(axis));
        }
        self.convert(&blended, x.element)
    }

    fn blend_axis(&mut self, x: &Tensor, axis: usize, rows: &[Vec<(usize, f64)>]) -> Tensor {
        let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
        // Rows that are shorter are filled by elements that do not count, whatever they are.
        let filled = |row: &Vec<(usize, f64)>| {
            let nothing = core::iter::repeat((0, 0.0));
            row.iter().copied().chain(nothing).take(longest).collect::<Vec<_>>()
        };
        let all: Vec<(usize, f64)> = rows.iter().flat_map(filled).collect();
        let of_rows = [rows.len(), longest];
        let indices = self.integers(&of_rows, all.iter().map(|&(index, _)| index as i64));
        let mut sizes = x.sizes.clone();
        sizes.splice(axis..=axis, of_rows);
        let taken = self.take(x, &indices, axis, &sizes);
        let weights = self.floats(&of_rows, all.iter().map(|&(_, weight)| weight), x.element);
        let weights = self.broadcast_in(&weights, &[axis, axis + 1], &sizes);
        let products = self.binary("multiply", &taken, &weights);
        let zero = self.number(0.0, &sizes, x.element);
        let counts = self.compare(&weights, &zero, "NE");
        let products = self.select(&counts, &products, &zero);
        self.reduce(&products, &[axis + 1], "add", 0.0)
    }
}
