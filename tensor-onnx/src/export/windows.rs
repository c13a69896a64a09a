//! Products, convolutions and windows.

use super::arithmetic::computed;
use super::attributes::{ConvolutionAttributes, ProductAttributes, WindowAttributes, inverse};
use super::graph::{Graph, Value};
use super::text::{Operation, Region, Type};
use super::write::Attribute;
use crate::element::Element;

/// The most elements of a window whose elements are combined one by one.
const MOST_ONE_BY_ONE: usize = 1024;

impl WindowAttributes {
    /// For each element of the window the part of a padded tensor that it meets: starts, ends and steps.
    fn parts(&self) -> Result<Vec<[Vec<i64>; 3]>, String> {
        let count: usize = self.window.iter().product();
        if count > MOST_ONE_BY_ONE {
            return Err(format!(
                "windows of {count} elements, which no operator of ONNX combines so"
            ));
        }
        let steps: Vec<i64> = self.stride.iter().map(|&stride| stride as i64).collect();
        let of_element = |mut number: usize| {
            let mut starts = vec![0; self.window.len()];
            for (axis, start) in starts.iter_mut().enumerate().rev() {
                *start = (number % self.window[axis] * self.dilation[axis]) as i64;
                number /= self.window[axis];
            }
            let end = |(axis, start): (usize, &i64)| {
                start + (self.positions[axis] as i64 - 1) * steps[axis] + 1
            };
            let ends = starts.iter().enumerate().map(end).collect();
            [starts, ends, steps.clone()]
        };
        Ok((0..count).map(of_element).collect())
    }

    /// The padding after each axis: what the windows reach, so that all parts are there.
    fn high(&self, sizes: &[usize]) -> Vec<i64> {
        let reach = |axis: usize| {
            let last = (self.positions[axis] - 1) * self.stride[axis]
                + (self.window[axis] - 1) * self.dilation[axis]
                + 1;
            last as i64 - sizes[axis] as i64 - self.padding[axis][0]
        };
        (0..sizes.len()).map(reach).collect()
    }
}

impl Graph {
    pub fn dot(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let [left, right] = x else { return Err("it has not two operands".to_owned()) };
        let ty = &operation.results[0];
        let ProductAttributes { batch, summed, free: [rows, columns] } =
            ProductAttributes::of(operation, [left.ty.rank(), right.ty.rank()])?;
        if left.ty.len() == 0 || right.ty.len() == 0 {
            return Ok(self.number(0.0, &ty.sizes, ty.element));
        }
        let wide = computed(left.element());
        let mut sides = Vec::new();
        for (value, groups) in
            [(left, [&batch[0], &rows, &summed[0]]), (right, [&batch[1], &summed[1], &columns])]
        {
            let value = self.cast(value, wide);
            let order: Vec<usize> = groups.iter().flat_map(|group| group.iter().copied()).collect();
            let is_ordered = order.iter().enumerate().all(|(position, &axis)| position == axis);
            let moved = if is_ordered { value.clone() } else { self.transpose(&value, &order) };
            let moved = self.of_rank(&moved);
            let mut matrix = batch[0]
                .iter()
                .enumerate()
                .map(|(number, _)| moved.sizes()[number])
                .collect::<Vec<_>>();
            for group in &groups[1..] {
                matrix.push(group.iter().map(|&axis| value.sizes()[axis]).product());
            }
            // The axes of the batch may be stretched.
            let lead = batch[0].len();
            let is_matrix = matrix[..] == *moved.sizes() && moved.stored[lead..] == matrix[lead..];
            sides.push(if is_matrix {
                moved
            } else {
                let reshaped = self.reshape(&moved, &matrix);
                self.full(&reshaped)
            });
        }
        let mut sizes = sides[0].sizes()[..batch[0].len()].to_vec();
        let stored: Vec<usize> =
            (0..sizes.len()).map(|axis| sides[0].stored[axis].max(sides[1].stored[axis])).collect();
        let last = [sides[0].sizes()[sizes.len()], sides[1].sizes()[sizes.len() + 1]];
        sizes.extend(last);
        let stored = [&stored[..], &last].concat();
        let names = [&sides[0].name[..], &sides[1].name];
        let product = self.emit("MatMul", &names, Vec::new(), &stored, &Type::new(&sizes, wide));
        let product = self.cast(&product, ty.element);
        Ok(if product.sizes() == ty.sizes { product } else { self.reshape(&product, &ty.sizes) })
    }

    pub fn convolution(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let [images, weights] = x else { return Err("it has not two operands".to_owned()) };
        let ty = &operation.results[0];
        if images.ty.len() == 0 || weights.ty.len() == 0 {
            return Ok(self.number(0.0, &ty.sizes, ty.element));
        }
        let of = ConvolutionAttributes::of(operation)?;
        let element = images.element();
        let wide = computed(element);
        let [images, weights] = [images, weights].map(|value| {
            let value = self.full(value);
            self.cast(&value, wide)
        });
        let images = self.transposed(&images, &of.images);
        let weights = self.transposed(&weights, &of.weights);
        let spatial = images.ty.rank() - 2;
        let ConvolutionAttributes {
            strides,
            spread,
            dilation,
            padding,
            mut groups,
            groups_of_images,
            ..
        } = of;
        let mut images = images;
        if groups_of_images > 1 {
            // Groups of images become groups of channels.
            let sizes = images.sizes().to_vec();
            let split = [&[groups_of_images, sizes[0] / groups_of_images], &sizes[1..]].concat();
            let split = self.reshape(&images, &split);
            let mut axes: Vec<usize> = (0..split.ty.rank()).collect();
            axes.swap(0, 1);
            let moved = self.transpose(&split, &axes);
            let joined =
                [&[sizes[0] / groups_of_images, groups_of_images * sizes[1]], &sizes[2..]].concat();
            images = self.reshape(&moved, &joined);
            groups *= groups_of_images;
        }
        let zero = self.number(0.0, &[], wide);
        for (axis, &step) in spread.iter().enumerate().filter(|(_, step)| **step > 1) {
            images = self.spread(&images, axis + 2, step - 1, &zero);
        }
        let full = |amounts: Vec<i64>| [vec![0, 0], amounts].concat();
        let (low, high): (Vec<i64>, Vec<i64>) =
            padding.iter().map(|pair| (pair[0], pair[1])).unzip();
        let window = weights.sizes()[2..].to_vec();
        let positions: Vec<usize> = (0..spatial)
            .map(|axis| {
                let size = images.sizes()[axis + 2] as i64 + low[axis] + high[axis];
                let extent = ((window[axis] - 1) * dilation[axis] + 1) as i64;
                ((size - extent) / strides[axis] as i64 + 1).max(0) as usize
            })
            .collect();
        let sizes = [&[images.sizes()[0], weights.sizes()[0]], &positions[..]].concat();
        let result = Type::new(&sizes, wide);
        let convolved = if wide == Element::F32 && (1..=3).contains(&spatial) {
            // An operator of ONNX does not remove elements.
            let negative =
                |amounts: &[i64]| amounts.iter().map(|&amount| amount.min(0)).collect::<Vec<_>>();
            let images = self.padded(&images, &zero, &full(negative(&low)), &full(negative(&high)));
            let images = self.full(&images);
            let pads = low.iter().chain(&high).map(|&amount| amount.max(0)).collect();
            let list = |numbers: &[usize]| {
                Attribute::Ints(numbers.iter().map(|&number| number as i64).collect())
            };
            let attributes = vec![
                ("strides", list(&strides)),
                ("dilations", list(&dilation)),
                ("pads", Attribute::Ints(pads)),
                ("group", Attribute::Int(groups as i64)),
            ];
            self.emit("Conv", &[&images.name, &weights.name], attributes, &sizes, &result)
        } else {
            let images = self.padded(&images, &zero, &full(low), &full(high));
            let windows = WindowAttributes {
                window: [&[1, 1], &window[..]].concat(),
                stride: [&[1, 1], &strides[..]].concat(),
                dilation: [&[1, 1], &dilation[..]].concat(),
                padding: Vec::new(),
                positions: [&images.sizes()[..2], &positions].concat(),
            };
            self.products_of_windows(&windows, &images, &weights, groups, &result)?
        };
        // Back to the axes of the result.
        let moved = self.transposed(&convolved, &inverse(&of.result));
        Ok(self.cast(&moved, element))
    }

    /// A convolution of padded images by products of matrices, one for each element of the window.
    fn products_of_windows(
        &mut self,
        windows: &WindowAttributes,
        images: &Value,
        weights: &Value,
        groups: usize,
        result: &Type,
    ) -> Result<Value, String> {
        let (outputs, inputs) = (weights.sizes()[0] / groups, weights.sizes()[1]);
        let positions: usize = result.sizes[2..].iter().product();
        let mut sum: Option<Value> = None;
        for [starts, ends, steps] in windows.parts()? {
            let part = self.sliced(images, &starts, &ends, &steps);
            let part = self.reshape(&part, &[images.sizes()[0], groups, inputs, positions]);
            let part = self.full(&part);
            let (mut first, mut last) =
                (vec![0, 0], vec![weights.sizes()[0] as i64, inputs as i64]);
            for (axis, start) in starts[2..].iter().enumerate() {
                let index = start / windows.dilation[axis + 2] as i64;
                first.push(index);
                last.push(index + 1);
            }
            let of_window = self.sliced(weights, &first, &last, &vec![1; first.len()]);
            let of_window = self.reshape(&of_window, &[1, groups, outputs, inputs]);
            let of_window = self.full(&of_window);
            let sizes = [images.sizes()[0], groups, outputs, positions];
            let ty = Type::new(&sizes, result.element);
            let product =
                self.emit("MatMul", &[&of_window.name, &part.name], Vec::new(), &sizes, &ty);
            sum = Some(match sum {
                None => product,
                Some(sum) => self.on_elements("Add", &[&sum, &product], result.element),
            });
        }
        let sum = sum.ok_or("a window without elements")?;
        Ok(self.reshape(&sum, &result.sizes))
    }

    fn transposed(&mut self, value: &Value, order: &[usize]) -> Value {
        let is_ordered = order.iter().enumerate().all(|(position, &axis)| position == axis);
        if is_ordered { value.clone() } else { self.transpose(value, order) }
    }

    pub fn reduce_window(
        &mut self,
        operation: &Operation,
        x: &[Value],
    ) -> Result<Vec<Value>, String> {
        let region = operation.regions.first().ok_or("it has no region")?;
        let ty = &operation.results[0];
        let windows = WindowAttributes::of(operation, &ty.sizes)?;
        let half = x.len() / 2;
        let (tensors, starts) = x.split_at(half);
        if let ([x], [start], Some(by)) = (tensors, starts, region.combines()) {
            let by = by.to_owned();
            if let Some((axis, reverse, exclusive)) = windows.cumulative(x.sizes()) {
                return Ok(vec![self.cumulative(
                    x,
                    start,
                    region,
                    &by,
                    axis,
                    [reverse, exclusive],
                )?]);
            }
            if let Some(result) = self.pooled(&windows, x, start, &by) {
                return Ok(vec![result]);
            }
        }
        // Element by element of the window.
        let mut padded = Vec::new();
        for (x, start) in tensors.iter().zip(starts) {
            padded.push(self.padded(x, start, &windows.low(), &windows.high(x.sizes())));
        }
        let mut results: Vec<Value> = starts
            .iter()
            .map(|start| Value { ty: Type::new(&ty.sizes, start.element()), ..start.clone() })
            .collect();
        for [starts, ends, steps] in windows.parts()? {
            let parts: Vec<Value> =
                padded.iter().map(|x| self.sliced(x, &starts, &ends, &steps)).collect();
            results = self.apply(region, &[results, parts].concat())?;
        }
        Ok(results)
    }

    fn cumulative(
        &mut self,
        x: &Value,
        start: &Value,
        region: &Region,
        by: &str,
        axis: usize,
        [reverse, exclusive]: [bool; 2],
    ) -> Result<Value, String> {
        if by == "add" {
            let element = x.element();
            let wide = computed(element);
            let x = self.full(x);
            let x = self.cast(&x, wide);
            let along =
                self.bytes(Type::new(&[], Element::I64), (axis as i64).to_le_bytes().to_vec());
            let attributes = vec![
                ("exclusive", Attribute::Int(i64::from(exclusive))),
                ("reverse", Attribute::Int(i64::from(reverse))),
            ];
            let sum = self.emit("CumSum", &[&x.name, &along], attributes, x.sizes(), &x.ty);
            return Ok(self.cast(&sum, element));
        }
        // Over 2, 4, 8 … elements.
        let shifted = |graph: &mut Self, x: &Value, by: usize| {
            let (mut low, mut high) = (vec![0; x.ty.rank()], vec![0; x.ty.rank()]);
            (low[axis], high[axis]) = (by as i64, -(by as i64));
            if reverse {
                core::mem::swap(&mut low, &mut high);
            }
            graph.padded(x, start, &low, &high)
        };
        let mut result = if exclusive { shifted(self, x, 1) } else { x.clone() };
        let mut distance = 1;
        while distance < x.sizes()[axis] {
            let before = shifted(self, &result, distance);
            result = self.apply(region, &[before, result])?.remove(0);
            distance *= 2;
        }
        Ok(result)
    }

    /// Maxima or sums of windows along the last axes, by the operators for them.
    fn pooled(
        &mut self,
        windows: &WindowAttributes,
        x: &Value,
        start: &Value,
        by: &str,
    ) -> Option<Value> {
        let operator = match by {
            "maximum" => "MaxPool",
            "add" => "AveragePool",
            _ => return None,
        };
        let element = x.element();
        if !matches!(element, Element::F32 | Element::F16 | Element::Bf16) {
            return None;
        }
        let rank = x.ty.rank();
        let is_window = |axis: &usize| {
            windows.window[*axis] > 1
                || windows.stride[*axis] > 1
                || windows.padding[*axis] != [0, 0]
        };
        let first = (0..rank).find(is_window)?;
        if rank - first > 3 {
            return None;
        }
        // Padding at least as long as the window is padding of the tensor.
        let fits =
            windows.padding.iter().zip(&windows.window).all(|(pair, &window)| {
                pair.iter().all(|&amount| (0..window as i64).contains(&amount))
            });
        let (x, pads) = match fits {
            true => {
                (self.full(x), (first..rank).map(|axis| windows.padding[axis]).collect::<Vec<_>>())
            }
            false => {
                let padded = self.padded(x, start, &windows.low(), &windows.high(x.sizes()));
                (self.full(&padded), vec![[0, 0]; rank - first])
            }
        };
        let x = self.cast(&x, Element::F32);
        let lead: usize = x.sizes()[..first].iter().product();
        let sizes = [&[lead, 1], &x.sizes()[first..]].concat();
        let images = self.reshape(&x, &sizes);
        let images = self.full(&images);
        let list = |numbers: &[usize]| {
            Attribute::Ints(numbers[first..].iter().map(|&number| number as i64).collect())
        };
        let pads = pads.iter().map(|pair| pair[0]).chain(pads.iter().map(|pair| pair[1])).collect();
        let mut attributes = vec![
            ("kernel_shape", list(&windows.window)),
            ("strides", list(&windows.stride)),
            ("dilations", list(&windows.dilation)),
            ("pads", Attribute::Ints(pads)),
        ];
        if operator == "AveragePool" {
            attributes.push(("count_include_pad", Attribute::Int(1)));
        }
        let pooled = [&[lead, 1], &windows.positions[first..]].concat();
        let mut pooled = self.emit(
            operator,
            &[&images.name],
            attributes,
            &pooled,
            &Type::new(&pooled, Element::F32),
        );
        if operator == "AveragePool" {
            let count: usize = windows.window.iter().product();
            let count = self.like(count as f64, &pooled);
            pooled = self.on_elements("Mul", &[&pooled, &count], Element::F32);
        }
        let result = self.reshape(&pooled, &windows.positions);
        Some(self.cast(&result, element))
    }

    /// Elements added at the positions that a region chooses from windows.
    pub fn select_and_scatter(
        &mut self,
        operation: &Operation,
        x: &[Value],
    ) -> Result<Value, String> {
        let [x, updates, _] = x else { return Err("it has not three operands".to_owned()) };
        let choice = operation.regions.first().ok_or("it has no region")?;
        let windows = WindowAttributes::of(operation, updates.sizes())?;
        let len = x.ty.len();
        let numbers = self.numbers(&Type::new(&[len], Element::I64), 0);
        let numbers = self.reshape(&numbers, x.sizes());
        let (zero, end) =
            (self.number(0.0, &[], x.element()), self.number(len as f64, &[], Element::I64));
        let (low, high) = (windows.low(), windows.high(x.sizes()));
        let (elements, numbers) =
            (self.padded(x, &zero, &low, &high), self.padded(&numbers, &end, &low, &high));
        let of_end = Value { ty: Type::new(updates.sizes(), Element::I64), ..end };
        let mut best: Option<[Value; 2]> = None;
        for [starts, ends, steps] in windows.parts()? {
            let part = [&elements, &numbers].map(|x| self.sliced(x, &starts, &ends, &steps));
            best = Some(match best {
                None => part,
                Some(best) => {
                    let is_better =
                        self.apply(choice, &[best[0].clone(), part[0].clone()])?.remove(0);
                    // Padding is never chosen.
                    let is_there = self.compare("LT", &best[1], &of_end)?;
                    let is_padding = self.compare("EQ", &part[1], &of_end)?;
                    let stays = self.on_elements("And", &[&is_better, &is_there], Element::Bool);
                    let stays = self.on_elements("Or", &[&stays, &is_padding], Element::Bool);
                    [
                        self.select(&stays, &best[0], &part[0]),
                        self.select(&stays, &best[1], &part[1]),
                    ]
                }
            });
        }
        let [_, positions] = best.ok_or("a window without elements")?;
        let count = updates.ty.len();
        let positions = self.full(&positions);
        let positions = self.reshape(&positions, &[count, 1]);
        let updates = self.reshape(updates, &[count]);
        let zeros = self.number(0.0, &[len + 1], x.element());
        let [zeros, positions, updates] =
            [&zeros, &positions, &updates].map(|value| self.full(value));
        let sums = self.scattered(&zeros, &positions, &updates, "add");
        let sums = self.sliced(&sums, &[0], &[len as i64], &[1]);
        Ok(self.reshape(&sums, x.sizes()))
    }
}
