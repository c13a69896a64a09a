//! Convolutions and windows.

use tensor_onnx::stablehlo::{
    ConvolutionAttributes, Element, Operation, Region, Type, WindowAttributes, inverse,
};

use super::sums::{literal_of, start_of};
use super::{Lowering, Value};
use crate::expression::{Expression, View};
use crate::scalar;
use crate::steps::{Convolution, LoopKind, Place, Windows};

/// Windows of at most this number of elements that meet no padding are an expression.
const MOST_IN_EXPRESSION: usize = 16;

impl Lowering {
    pub fn reduce_window(
        &mut self,
        operation: &Operation,
        x: &[Value],
    ) -> Result<Vec<Value>, String> {
        let by = operation.regions.first().ok_or("it has no region")?;
        let of = WindowAttributes::of(operation, &operation.results[0].sizes)?;
        let (tensors, starts) = x.split_at(x.len() / 2);
        let starts = starts.iter().map(|start| literal_of(&start.node));
        let starts = starts.collect::<Result<Vec<_>, _>>()?;
        if let ([x], [start]) = (tensors, &starts[..]) {
            if let Some((axis, reverse, exclusive)) = of.cumulative(x.sizes())
                && x.sizes()[axis] > 0
            {
                let out = self.buffer(x.element(), x.ty.len(), Place::Workspace);
                let kind = LoopKind::Scan {
                    ty: x.ty.clone(),
                    axis,
                    node: x.node.clone(),
                    by: by.clone(),
                    // Without its element, the first result is the start.
                    start: if exclusive { start.clone() } else { start_of(by, start.clone()) },
                    reverse,
                    exclusive,
                };
                self.push("reduce_window", out, kind);
                return Ok(vec![self.whole(out, &of.positions)]);
            }
            if let Some(result) = self.combined(&of, x, by, start)? {
                return Ok(vec![result]);
            }
        }
        let views: Vec<(usize, View)> = tensors.iter().map(|x| self.forward(x)).collect();
        let mut results = Vec::new();
        for (result, ty) in operation.results.iter().enumerate() {
            let out = self.buffer(ty.element, ty.len(), Place::Workspace);
            let windows = Windows {
                x: views.clone(),
                sizes: tensors[0].ty.sizes.clone(),
                attributes: of.clone(),
                by: by.clone(),
                starts: starts.clone(),
                result,
            };
            self.push("reduce_window", out, LoopKind::Windows(windows));
            results.push(self.whole(out, &of.positions));
        }
        Ok(results)
    }

    /// Windows as an expression of their elements, if they are short and meet no padding.
    fn combined(
        &mut self,
        of: &WindowAttributes,
        x: &Value,
        by: &Region,
        start: &str,
    ) -> Result<Option<Value>, String> {
        let positions = &of.positions[..];
        let count: usize = of.window.iter().product();
        let is_within = (0..positions.len()).all(|axis| {
            let last = (positions[axis] as i64 - 1) * of.stride[axis] as i64
                + (of.window[axis] as i64 - 1) * of.dilation[axis] as i64
                - of.padding[axis][0];
            of.padding[axis][0] <= 0 && last < x.sizes()[axis] as i64
        });
        let (Some(name), true) = (by.combines(), is_within && count <= MOST_IN_EXPRESSION) else {
            return Ok(None);
        };
        if name == "second" || count == 0 {
            return Ok(None);
        }
        let one = &by.operations[0];
        let Some((template, _)) = scalar::template(one, &[x.element(); 2])? else {
            return Ok(None);
        };
        let x = self.leaf(x);
        let ty = Type::new(positions, x.element());
        let steps: Vec<i64> = of.stride.iter().map(|&step| step as i64).collect();
        // A sum of single elements may be a cumulative one.
        let start = match count {
            1 => start_of(by, start.to_owned()),
            _ => start.to_owned(),
        };
        let node = Expression::number(x.element(), start);
        let mut result = Value { ty: ty.clone(), node };
        for number in 0..count {
            let (mut rest, mut starts) = (number, vec![0; steps.len()]);
            for axis in (0..starts.len()).rev() {
                let index = rest % of.window[axis];
                starts[axis] = (index * of.dilation[axis]) as i64 - of.padding[axis][0];
                rest /= of.window[axis];
            }
            let part = Value { ty: ty.clone(), node: x.node.sliced(&starts, &steps) };
            result = self.call(name, template.clone(), ty.clone(), &[result, part]);
        }
        Ok(Some(result))
    }

    pub fn select_and_scatter(
        &mut self,
        operation: &Operation,
        x: &[Value],
    ) -> Result<Value, String> {
        let [x, updates, start] = x else { return Err("it has not three operands".to_owned()) };
        let by = operation.regions.first().ok_or("it has no region")?;
        let of = WindowAttributes::of(operation, updates.sizes())?;
        let start = literal_of(&start.node)?;
        if scalar::number_of(&start) != Some(0.0) {
            return Err(format!("from `{start}` on"));
        }
        let (view, of_updates) = (self.forward(x), self.row_major(updates));
        let zeros = self.zeros(x.sizes(), x.element());
        let sums = self.copied("select_and_scatter", &zeros);
        let (out, _) = self.view(&sums);
        let windows = Windows {
            x: vec![view],
            sizes: x.ty.sizes.clone(),
            attributes: of,
            by: by.clone(),
            starts: Vec::new(),
            result: 0,
        };
        let kind = LoopKind::SelectAndScatter { windows, updates: of_updates, by: by.clone() };
        self.push("select_and_scatter", out, kind);
        Ok(self.whole(out, x.sizes()))
    }

    pub fn convolution(&mut self, operation: &Operation, x: &[Value]) -> Result<Value, String> {
        let [images, weights] = x else { return Err("it has not two operands".to_owned()) };
        let ty = &operation.results[0];
        if images.ty.len() == 0 || weights.ty.len() == 0 {
            return Ok(self.zeros(&ty.sizes, ty.element));
        }
        let of = ConvolutionAttributes::of(operation)?;
        let images = self.transposed(images, &of.images);
        let weights = self.transposed(weights, &of.weights);
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
            let leaf = self.leaf(&images);
            let split = [&[groups_of_images, sizes[0] / groups_of_images], &sizes[1..]].concat();
            let split = self.reshaped(&leaf, &split);
            let mut axes: Vec<usize> = (0..split.ty.rank()).collect();
            axes.swap(0, 1);
            let moved = self.transposed(&split, &axes);
            let joined =
                [&[sizes[0] / groups_of_images, groups_of_images * sizes[1]], &sizes[2..]].concat();
            images = self.reshaped(&moved, &joined);
            groups *= groups_of_images;
        }
        let is_simple = spread.iter().all(|&step| step == 1)
            && padding.iter().flatten().all(|&amount| amount >= 0)
            && ty.element == Element::F32
            && matches!(strides.len(), 1 | 2);
        let window = weights.sizes()[2..].to_vec();
        let mut low: Vec<i64> = padding.iter().map(|pair| pair[0]).collect();
        let mut sizes = images.sizes().to_vec();
        if !is_simple {
            let mut amounts = vec![0; 2];
            let mut between = vec![0; 2];
            for (axis, pair) in padding.iter().enumerate() {
                let spread_size = (sizes[axis + 2] as i64 - 1) * spread[axis] as i64 + 1;
                sizes[axis + 2] = (spread_size + pair[0] + pair[1]) as usize;
                amounts.push(pair[0]);
                between.push(spread[axis] as i64 - 1);
            }
            let zero = self.zeros(&[], ty.element);
            images = self.pad(&images, &zero, &amounts, &between, &Type::new(&sizes, ty.element));
            low.fill(0);
        }
        let moved_sizes: Vec<usize> = of.result.iter().map(|&axis| ty.sizes[axis]).collect();
        let plan =
            Plan { groups, window, strides, dilation, low, positions: moved_sizes[2..].to_vec() };
        let is_fast = ty.element == Element::F32 && matches!(plan.strides.len(), 1 | 2);
        let result = match is_fast {
            true => self.convolved(&plan, &images, &weights),
            false => self.convolved_in_general(&plan, &images, &weights),
        };
        let result = self.reshaped(&result, &moved_sizes);
        Ok(self.transposed(&result, &inverse(&of.result)))
    }

    fn convolved(&mut self, plan: &Plan, images: &Value, weights: &Value) -> Value {
        let Plan { groups, window, strides, dilation, low, positions } = plan;
        let (outputs, channels) = (weights.sizes()[0] / groups, weights.sizes()[1]);
        // Of one axis: the second of two.
        let pair = |numbers: &[usize], one: usize| match numbers {
            [a, b] => [*a, *b],
            _ => [one, numbers[0]],
        };
        let size = pair(&images.sizes()[2..], 1);
        let of = Convolution {
            images: images.sizes()[0],
            groups: *groups,
            channels,
            outputs,
            size,
            window: pair(window, 1),
            stride: pair(strides, 1),
            dilation: pair(dilation, 1),
            before: if let [a, b] = low[..] { [a, b] } else { [0, low[0]] },
            positions: pair(positions, 1),
        };
        // [groups, outputs, channels, ..window] → [groups, ..window, channels, outputs]
        let leaf = self.leaf(weights);
        let split = [&[*groups, outputs, channels], &window[..]].concat();
        let split = self.reshaped(&leaf, &split);
        let order: Vec<usize> = [0].into_iter().chain(3..split.ty.rank()).chain([2, 1]).collect();
        let moved = self.transposed(&split, &order);
        let (x, weights) = (self.row_major(images), self.row_major(&moved));
        let sizes = [of.images, groups * outputs, of.positions[0], of.positions[1]];
        let out = self.buffer(Element::F32, sizes.iter().product(), Place::Workspace);
        self.push("convolution", out, LoopKind::Convolution { x, weights, plan: of });
        self.whole(out, &sizes)
    }

    /// A convolution of padded images as sums of products.
    fn convolved_in_general(&mut self, plan: &Plan, images: &Value, weights: &Value) -> Value {
        let Plan { groups, window, strides, dilation, positions, .. } = plan;
        let (outputs, channels) = (weights.sizes()[0] / groups, weights.sizes()[1]);
        let (images, weights) = (self.stored_in_order(images), self.stored_in_order(weights));
        // [images, groups, outputs, ..positions, channels, ..window]
        let sizes =
            [&[images.sizes()[0], *groups, outputs], &positions[..], &[channels], &window[..]]
                .concat();
        let ty = Type::new(&sizes, images.element());
        let of_images = View::row_major(images.sizes()).strides;
        let of_weights = View::row_major(weights.sizes()).strides;
        let along = |steps: &[usize]| {
            of_images[2..].iter().zip(steps).map(|(stride, &step)| stride * step as i64).collect()
        };
        let (moves, taps): (Vec<i64>, Vec<i64>) = (along(strides), along(dilation));
        let group = channels as i64 * of_images[1];
        let x = [&[of_images[0], group, 0], &moves[..], &[of_images[1]], &taps].concat();
        let w = [
            &[0, outputs as i64 * of_weights[0], of_weights[0]],
            &vec![0; positions.len()][..],
            &of_weights[1..],
        ]
        .concat();
        let [x, w] = [(&images, x), (&weights, w)].map(|(value, strides)| {
            let buffer = value.node.buffers()[0];
            let view = View { offset: 0, strides };
            Value { ty: ty.clone(), node: Expression::load(ty.element, buffer, view) }
        });
        let sum = self.sum_of_products([&x, &w], 1 + window.len());
        let mut sizes = vec![images.sizes()[0], groups * outputs];
        sizes.extend(positions);
        self.reshaped(&sum, &sizes)
    }

    fn stored_in_order(&mut self, value: &Value) -> Value {
        let buffer = self.row_major(value);
        self.whole(buffer, value.sizes())
    }
}

/// A convolution with its axes in order.
struct Plan {
    groups: usize,
    window: Vec<usize>,
    strides: Vec<usize>,
    dilation: Vec<usize>,
    low: Vec<i64>,
    positions: Vec<usize>,
}
