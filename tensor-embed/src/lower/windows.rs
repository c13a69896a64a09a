//! Convolutions and windows.

use tensor_onnx::stablehlo::{Element, Operation, Region, Type};

use super::sums::literal_of;
use super::{Lowering, Value};
use crate::expression::{Expression, View};
use crate::scalar;
use crate::steps::{Convolution, LoopKind, Place, Windows};

/// Windows of at most this number of elements that meet no padding are an expression.
const MOST_IN_EXPRESSION: usize = 16;

/// The attributes of windows along all axes.
struct Attributes {
    window: Vec<usize>,
    stride: Vec<usize>,
    dilation: Vec<usize>,
    padding: Vec<[i64; 2]>,
}

impl Attributes {
    fn of(operation: &Operation) -> Result<Self, String> {
        let window = operation.usizes("window_dimensions")?;
        let ones = || vec![1; window.len()];
        let bases = operation.usizes("base_dilations").unwrap_or_else(|_| ones());
        if bases.iter().any(|&base| base != 1) {
            return Err("elements that are spread".to_owned());
        }
        Ok(Self {
            stride: operation.usizes("window_strides")?,
            dilation: operation.usizes("window_dilations").unwrap_or_else(|_| ones()),
            padding: operation.pairs("padding")?,
            window,
        })
    }

    /// The axis of partial results of all elements before each one, whether they are from the end, and without the element.
    fn cumulative(&self, sizes: &[usize]) -> Option<(usize, bool, bool)> {
        let mut wide =
            (0..sizes.len()).filter(|&axis| self.window[axis] > 1 || self.padding[axis] != [0, 0]);
        let (axis, None) = (wide.next()?, wide.next()) else { return None };
        let moves_by_one = self.stride.iter().chain(&self.dilation).all(|&step| step == 1);
        if !moves_by_one || self.window[axis] != sizes[axis] {
            return None;
        }
        let reach = self.window[axis] as i64 - 1;
        match self.padding[axis] {
            [low, 0] if low == reach => Some((axis, false, false)),
            [0, high] if high == reach => Some((axis, true, false)),
            [low, -1] if low == reach + 1 => Some((axis, false, true)),
            [-1, high] if high == reach + 1 => Some((axis, true, true)),
            _ => None,
        }
    }
}

impl Lowering {
    pub fn reduce_window(
        &mut self,
        operation: &Operation,
        x: &[Value],
    ) -> Result<Vec<Value>, String> {
        let by = operation.regions.first().ok_or("it has no region")?;
        let of = Attributes::of(operation)?;
        let (tensors, starts) = x.split_at(x.len() / 2);
        let starts = starts.iter().map(|start| literal_of(&start.node));
        let starts = starts.collect::<Result<Vec<_>, _>>()?;
        let positions = operation.results[0].sizes.clone();
        if let ([x], [start]) = (tensors, &starts[..]) {
            scalar::region(by, &vec![(String::new(), x.element()); 2])?;
            if let Some((axis, reverse, exclusive)) = of.cumulative(x.sizes()) {
                let out = self.buffer(x.element(), x.ty.len(), Place::Workspace);
                let kind = LoopKind::Scan {
                    ty: x.ty.clone(),
                    axis,
                    node: x.node.clone(),
                    by: by.clone(),
                    start: start.clone(),
                    reverse,
                    exclusive,
                };
                self.push("reduce_window", out, kind);
                return Ok(vec![self.whole(out, &positions)]);
            }
            if let Some(result) = self.combined(&of, x, by, &positions)? {
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
                positions: positions.clone(),
                window: of.window.clone(),
                stride: of.stride.clone(),
                dilation: of.dilation.clone(),
                low: of.padding.iter().map(|pair| pair[0]).collect(),
                by: by.clone(),
                starts: starts.clone(),
                result,
            };
            self.push("reduce_window", out, LoopKind::Windows(windows));
            results.push(self.whole(out, &positions));
        }
        Ok(results)
    }

    /// Windows as an expression of their elements, if they are short and meet no padding.
    fn combined(
        &mut self,
        of: &Attributes,
        x: &Value,
        by: &Region,
        positions: &[usize],
    ) -> Result<Option<Value>, String> {
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
        let mut result: Option<Value> = None;
        for number in 0..count {
            let (mut rest, mut starts) = (number, vec![0; steps.len()]);
            for axis in (0..starts.len()).rev() {
                let index = rest % of.window[axis];
                starts[axis] = (index * of.dilation[axis]) as i64 - of.padding[axis][0];
                rest /= of.window[axis];
            }
            let part = Value { ty: ty.clone(), node: x.node.sliced(&starts, &steps) };
            result = Some(match result {
                None => part,
                Some(result) => self.call(name, template.clone(), ty.clone(), &[result, part]),
            });
        }
        Ok(result)
    }

    pub fn select_and_scatter(
        &mut self,
        operation: &Operation,
        x: &[Value],
    ) -> Result<Value, String> {
        let [x, updates, _] = x else { return Err("it has not three operands".to_owned()) };
        let by = operation.regions.first().ok_or("it has no region")?;
        let of = Attributes::of(operation)?;
        scalar::region(by, &vec![(String::new(), x.element()); 2])?;
        let (view, of_updates) = (self.forward(x), self.row_major(updates));
        let zeros = self.zeros(x.sizes(), x.element());
        let sums = self.copied("select_and_scatter", &zeros);
        let (out, _) = self.view(&sums);
        let windows = Windows {
            x: vec![view],
            sizes: x.ty.sizes.clone(),
            positions: updates.ty.sizes.clone(),
            window: of.window,
            stride: of.stride,
            dilation: of.dilation,
            low: of.padding.iter().map(|pair| pair[0]).collect(),
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
        let [of_images, of_weights, of_result] =
            dimensions(operation.attribute("dimension_numbers")?)?;
        let images = self.transposed(images, &order(&of_images, ["b", "f"])?);
        let weights = self.transposed(weights, &order(&of_weights, ["o", "i"])?);
        let back = inverse(&order(&of_result, ["b", "f"])?);
        let [strides, spread, dilation] =
            ["window_strides", "lhs_dilation", "rhs_dilation"].map(|name| operation.usizes(name));
        let (strides, spread, dilation) = (strides?, spread?, dilation?);
        let padding = operation.pairs("padding")?;
        let (mut groups, of_batch) = (
            operation.integer("feature_group_count")? as usize,
            operation.integer("batch_group_count")? as usize,
        );
        let mut images = images;
        if of_batch > 1 {
            // Groups of images become groups of channels.
            let sizes = images.sizes().to_vec();
            let leaf = self.leaf(&images);
            let split = [&[of_batch, sizes[0] / of_batch], &sizes[1..]].concat();
            let split = self.reshaped(&leaf, &split);
            let mut axes: Vec<usize> = (0..split.ty.rank()).collect();
            axes.swap(0, 1);
            let moved = self.transposed(&split, &axes);
            let joined = [&[sizes[0] / of_batch, of_batch * sizes[1]], &sizes[2..]].concat();
            images = self.reshaped(&moved, &joined);
            groups *= of_batch;
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
        let moved_sizes: Vec<usize> =
            order(&of_result, ["b", "f"])?.iter().map(|&axis| ty.sizes[axis]).collect();
        let plan =
            Plan { groups, window, strides, dilation, low, positions: moved_sizes[2..].to_vec() };
        let is_fast = ty.element == Element::F32 && matches!(plan.strides.len(), 1 | 2);
        let result = match is_fast {
            true => self.convolved(&plan, &images, &weights),
            false => self.convolved_in_general(&plan, &images, &weights),
        };
        let result = self.reshaped(&result, &moved_sizes);
        Ok(self.transposed(&result, &back))
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

/// The positions of axes: these two first, then the spatial ones.
fn order(letters: &[String], first: [&str; 2]) -> Result<Vec<usize>, String> {
    let spatial: Vec<String> = (0..letters.len() - 2).map(|number| number.to_string()).collect();
    let wanted = first.iter().copied().chain(spatial.iter().map(|number| &number[..]));
    let position = |name: &str| letters.iter().position(|letter| letter == name);
    wanted.map(|name| position(name).ok_or_else(|| "its axes".to_owned())).collect()
}

fn inverse(order: &[usize]) -> Vec<usize> {
    let mut back = vec![0; order.len()];
    order.iter().enumerate().for_each(|(position, &axis)| back[axis] = position);
    back
}

/// The axes in `#stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>`.
fn dimensions(text: &str) -> Result<[Vec<String>; 3], String> {
    let lists = text.split('[').skip(1).map(|part| {
        let list = part.split(']').next().unwrap_or("");
        list.split(',').map(|letter| letter.trim().to_owned()).collect()
    });
    lists.collect::<Vec<Vec<String>>>().try_into().map_err(|_| "its axes".to_owned())
}
