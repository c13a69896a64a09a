//! Whether the operands, the attributes and the results of an operation fit each other: what is lowered has been checked.

use tensor_onnx::stablehlo::{
    ConvolutionAttributes, Element, Operation, ProductAttributes, Region, Type, WindowAttributes,
};

use crate::scalar;

/// The most elements of a tensor, and the largest number of an attribute: products of two stay in range.
const MOST: u64 = 1 << 32;

type Checked = Result<(), String>;

/// A type, as messages show it.
pub fn shown(ty: &Type) -> String {
    format!("{} {:?}", ty.element.name(), ty.sizes)
}

/// That a tensor is not too large.
pub fn size(ty: &Type) -> Checked {
    let product =
        ty.sizes.iter().try_fold(1, |product: u64, &size| product.checked_mul(size as u64));
    match ty.sizes.iter().all(|&size| size as u64 <= MOST) && product.is_some_and(|all| all <= MOST)
    {
        true => Ok(()),
        false => Err(format!("{} has more elements than 2^32", shown(ty))),
    }
}

/// That two lists of types are the same.
pub fn types<'t>(
    what: &str,
    found: impl IntoIterator<Item = &'t Type>,
    expected: impl IntoIterator<Item = &'t Type>,
) -> Checked {
    let [found, expected]: [Vec<&Type>; 2] =
        [found.into_iter().collect(), expected.into_iter().collect()];
    if found.len() != expected.len() {
        return Err(format!("it has {} {what}s, not {}", found.len(), expected.len()));
    }
    match found.iter().zip(&expected).find(|(found, expected)| found != expected) {
        Some((found, expected)) => {
            Err(format!("its {what} is {}, not {}", shown(found), shown(expected)))
        }
        None => Ok(()),
    }
}

/// That an attribute has one number for each axis.
fn count<T>(name: &str, numbers: &[T], axes: usize) -> Checked {
    match numbers.len() == axes {
        true => Ok(()),
        false => Err(format!("`{name}` has {} numbers for {axes} axes", numbers.len())),
    }
}

/// That numbers are different axes of a tensor.
fn axes(name: &str, axes: &[usize], rank: usize) -> Checked {
    let is_wrong = |(number, axis): (usize, &usize)| *axis >= rank || axes[..number].contains(axis);
    match axes.iter().enumerate().any(is_wrong) {
        true => Err(format!("`{name}` = {axes:?} of {rank} axes")),
        false => Ok(()),
    }
}

/// The axis of a tensor that an attribute names.
fn axis(operation: &Operation, name: &str, rank: usize) -> Result<usize, String> {
    let axis = operation.integer(name)?.try_into().unwrap_or(usize::MAX);
    axes(name, &[axis], rank)?;
    Ok(axis)
}

/// The sizes of these axes of a tensor, in this order.
fn sizes_of<'a>(ty: &Type, axes: impl IntoIterator<Item = &'a usize>) -> Vec<usize> {
    axes.into_iter().map(|&axis| ty.sizes[axis]).collect()
}

/// The numbers of all axes but these.
fn others(rank: usize, axes: &[usize]) -> Vec<usize> {
    (0..rank).filter(|axis| !axes.contains(axis)).collect()
}

/// That there is an operand for each axis, a single integer.
fn starts(starts: &[&Type], rank: usize) -> Checked {
    count("the start", starts, rank)?;
    match starts.iter().find(|ty| ty.rank() > 0 || !ty.element.is_integer()) {
        Some(ty) => Err(format!("a start is {}", shown(ty))),
        None => Ok(()),
    }
}

/// The size of an axis with padding, and with steps from one element to the next.
fn padded(size: usize, step: i128, [low, high]: [i64; 2]) -> i128 {
    let spread = if size == 0 { 0 } else { (size as i128 - 1) * step + 1 };
    spread + i128::from(low) + i128::from(high)
}

/// The number of positions of a window along an axis.
fn positions(size: i128, [window, stride, dilation]: [usize; 3]) -> i128 {
    let window = padded(window, dilation as i128, [0, 0]);
    if window > size { 0 } else { (size - window) / stride as i128 + 1 }
}

/// That windows fit the sizes of what they move over.
fn windows(of: &WindowAttributes, sizes: &[usize]) -> Checked {
    let rank = sizes.len();
    count("window_dimensions", &of.window, rank)?;
    count("window_strides", &of.stride, rank)?;
    count("window_dilations", &of.dilation, rank)?;
    count("padding", &of.padding, rank)?;
    count("the result", &of.positions, rank)?;
    for (axis, &size) in sizes.iter().enumerate() {
        let moves = [of.window[axis], of.stride[axis], of.dilation[axis]];
        if moves.contains(&0) {
            return Err("a window without elements, or with steps of 0".to_owned());
        }
        let expected = positions(padded(size, 1, of.padding[axis]), moves);
        if expected != of.positions[axis] as i128 {
            return Err(format!(
                "{} windows along axis {axis}, not {expected}",
                of.positions[axis]
            ));
        }
    }
    Ok(())
}

/// The first region, for operands and results of these types.
fn region(operation: &Operation, operands: &[Element], results: &[Element]) -> Checked {
    let by = operation.regions.first().ok_or("it has no region")?;
    scalar::check_region(by, operands, results)
}

/// That the result has these sizes, and this element type.
fn result(operation: &Operation, sizes: &[usize], element: Element) -> Checked {
    types("result", &operation.results, [&Type::new(sizes, element)])
}

/// That all numbers of the attributes are small enough.
fn numbers(operation: &Operation) -> Checked {
    for (name, value) in operation.attributes.iter().filter(|(name, _)| name != "value") {
        let digits = value.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        if digits.into_iter().any(|part| !part.parse().is_ok_and(|number: u64| number <= MOST)) {
            return Err(format!("`{name}` has a number beyond 2^32"));
        }
    }
    Ok(())
}

/// That an operation that is known fits its operands: those on each element, `while`, `if`, `case` and constants are checked
/// where they are lowered.
pub fn operation(operation: &Operation, x: &[&Type]) -> Checked {
    operation.results.iter().try_for_each(size)?;
    numbers(operation)?;
    let ty = operation.results.first().ok_or("it has no result")?;
    let rank = x.first().map_or(0, |x| x.rank());
    match (&operation.name[..], x) {
        ("iota", _) => {
            axis(operation, "iota_dimension", ty.rank())?;
            if ty.element == Element::Bool {
                return Err("numbers of type `bool`".to_owned());
            }
            Ok(())
        }
        ("broadcast_in_dim", [x]) => {
            let to = operation.usizes("broadcast_dimensions")?;
            count("broadcast_dimensions", &to, rank)?;
            axes("broadcast_dimensions", &to, ty.rank())?;
            let mut sizes = ty.sizes.clone();
            for (&axis, &size) in to.iter().zip(&x.sizes).filter(|(_, size)| **size != 1) {
                sizes[axis] = size;
            }
            result(operation, &sizes, x.element)
        }
        ("reshape", [x]) => {
            if x.len() != ty.len() {
                return Err(format!("{} has not the elements of {}", shown(ty), shown(x)));
            }
            result(operation, &ty.sizes, x.element)
        }
        ("transpose", [x]) => {
            let order = operation.usizes("permutation")?;
            count("permutation", &order, rank)?;
            axes("permutation", &order, rank)?;
            result(operation, &sizes_of(x, &order), x.element)
        }
        ("reverse", [x]) => {
            axes("dimensions", &operation.usizes("dimensions")?, rank)?;
            result(operation, &x.sizes, x.element)
        }
        ("slice", [x]) => {
            let [first, end, step] = ["start_indices", "limit_indices", "strides"];
            let [first, end, step] =
                [operation.usizes(first)?, operation.usizes(end)?, operation.usizes(step)?];
            for numbers in [&first, &end, &step] {
                count("the indices", numbers, rank)?;
            }
            let mut sizes = Vec::new();
            for axis in 0..rank {
                let (first, end, step) = (first[axis], end[axis], step[axis]);
                if first > end || end > x.sizes[axis] || step == 0 {
                    let size = x.sizes[axis];
                    return Err(format!(
                        "from {first} to {end} in steps of {step} along an axis of {size} elements"
                    ));
                }
                sizes.push((end - first).div_ceil(step));
            }
            result(operation, &sizes, x.element)
        }
        ("concatenate", [first, ..]) => {
            let axis = axis(operation, "dimension", rank)?;
            let mut sizes = first.sizes.clone();
            sizes[axis] = x.iter().map(|x| x.sizes.get(axis).copied().unwrap_or(0)).sum();
            for x in x {
                let mut expected = (*first).clone();
                expected.sizes[axis] = x.sizes.get(axis).copied().unwrap_or(0);
                types("operand", [*x], [&expected])?;
            }
            result(operation, &sizes, first.element)
        }
        ("pad", [x, fill]) => {
            types("fill", [*fill], [&Type::new(&[], x.element)])?;
            let low = operation.integers("edge_padding_low")?;
            let high = operation.integers("edge_padding_high")?;
            let between = operation.integers("interior_padding")?;
            for numbers in [&low, &high, &between] {
                count("the padding", numbers, rank)?;
            }
            if between.iter().any(|&amount| amount < 0) {
                return Err("a negative padding between elements".to_owned());
            }
            let mut sizes = Vec::new();
            for axis in 0..rank {
                let step = i128::from(between[axis]) + 1;
                let size = padded(x.sizes[axis], step, [low[axis], high[axis]]);
                sizes.push(size.try_into().map_err(|_| "a padding that removes more than all")?);
            }
            result(operation, &sizes, x.element)
        }
        ("dot_general", [a, b]) => dot(operation, a, b),
        ("convolution", [images, weights]) => convolution(operation, images, weights, ty),
        ("reduce", [x, start]) => {
            types("start", [*start], [&Type::new(&[], x.element)])?;
            let summed = operation.usizes("dimensions")?;
            axes("dimensions", &summed, rank)?;
            region(operation, &[x.element; 2], &[x.element])?;
            result(operation, &sizes_of(x, &others(rank, &summed)), x.element)
        }
        ("reduce_window", x) => {
            let (tensors, starts) = x.split_at(x.len() / 2);
            let Some(first) = tensors.first() else { return Err("it has no operand".to_owned()) };
            let elements: Vec<Element> = tensors.iter().map(|x| x.element).collect();
            let with_sizes = |sizes: &[usize]| -> Vec<Type> {
                elements.iter().map(|&element| Type::new(sizes, element)).collect()
            };
            types("operand", tensors.iter().copied(), &with_sizes(&first.sizes))?;
            types("start", starts.iter().copied(), &with_sizes(&[]))?;
            windows(&WindowAttributes::of(operation, &ty.sizes)?, &first.sizes)?;
            region(operation, &[&elements[..], &elements].concat(), &elements)?;
            types("result", &operation.results, &with_sizes(&ty.sizes))
        }
        ("select_and_scatter", [x, updates, start]) => {
            types("start", [*start], [&Type::new(&[], x.element)])?;
            types("update", [*updates], [&Type::new(&updates.sizes, x.element)])?;
            windows(&WindowAttributes::of(operation, &updates.sizes)?, &x.sizes)?;
            region(operation, &[x.element; 2], &[Element::Bool])?;
            if !x.element.is_float()
                || operation.regions.get(1).and_then(Region::combines) != Some("add")
            {
                return Err("anything but a sum of floats".to_owned());
            }
            result(operation, &x.sizes, x.element)
        }
        ("gather", [x, indices]) => gather(operation, x, indices, ty),
        ("scatter", [x, indices, updates]) => scatter(operation, x, indices, updates),
        ("dynamic_slice", [x, first @ ..]) => {
            starts(first, rank)?;
            within(&ty.sizes, &x.sizes)?;
            result(operation, &ty.sizes, x.element)
        }
        ("dynamic_update_slice", [x, updates, first @ ..]) => {
            starts(first, rank)?;
            within(&updates.sizes, &x.sizes)?;
            types("update", [*updates], [&Type::new(&updates.sizes, x.element)])?;
            result(operation, &x.sizes, x.element)
        }
        ("sort", [keys, ..]) => {
            axis(operation, "dimension", rank)?;
            let all: Vec<Type> = x.iter().map(|x| Type::new(&keys.sizes, x.element)).collect();
            types("operand", x.iter().copied(), &all)?;
            let operands: Vec<Element> = x.iter().flat_map(|x| [x.element; 2]).collect();
            region(operation, &operands, &[Element::Bool])?;
            types("result", &operation.results, &all)
        }
        ("optimization_barrier", x) => types("result", &operation.results, x.iter().copied()),
        (
            "broadcast_in_dim" | "reshape" | "transpose" | "reverse" | "slice" | "pad"
            | "dot_general" | "convolution" | "reduce" | "select_and_scatter" | "gather"
            | "scatter",
            x,
        ) => Err(format!("it has {} operands", x.len())),
        _ => Ok(()),
    }
}

/// That operands of an operation on each element, whose result has this type, have its sizes.
pub fn elementwise(operation: &Operation, x: &[&Type], element: Element) -> Checked {
    let ty = operation.results.first().ok_or("it has no result")?;
    for x in x {
        types("operand", [*x], [&Type::new(&ty.sizes, x.element)])?;
    }
    result(operation, &ty.sizes, element)
}

/// That a part is not larger than what it is a part of.
fn within(part: &[usize], all: &[usize]) -> Checked {
    match part.len() == all.len() && part.iter().zip(all).all(|(part, all)| part <= all) {
        true => Ok(()),
        false => Err(format!("{part:?} of {all:?}")),
    }
}

fn dot(operation: &Operation, a: &Type, b: &Type) -> Checked {
    let ProductAttributes { batch, summed, free } =
        ProductAttributes::of(operation, [a.rank(), b.rank()])?;
    for (side, x) in [a, b].into_iter().enumerate() {
        axes("dot_dimension_numbers", &[&batch[side][..], &summed[side]].concat(), x.rank())?;
    }
    for [left, right] in [&batch, &summed] {
        if sizes_of(a, left) != sizes_of(b, right) {
            return Err(format!("of {} and {}", shown(a), shown(b)));
        }
    }
    let of_a = sizes_of(a, batch[0].iter().chain(&free[0]));
    let sizes = [of_a, sizes_of(b, &free[1])].concat();
    types("operand", [b], [&Type::new(&b.sizes, a.element)])?;
    if a.element == Element::Bool {
        return Err("of truth values".to_owned());
    }
    result(operation, &sizes, a.element)
}

fn convolution(operation: &Operation, images: &Type, weights: &Type, ty: &Type) -> Checked {
    types("operand", [weights], [&Type::new(&weights.sizes, images.element)])?;
    let of = ConvolutionAttributes::of(operation)?;
    for (order, ty) in [(&of.images, images), (&of.weights, weights), (&of.result, ty)] {
        count("dimension_numbers", order, ty.rank())?;
    }
    if weights.rank() != images.rank() || ty.rank() != images.rank() {
        return Err(format!("of {} and {}", shown(images), shown(weights)));
    }
    let (x, w) = (sizes_of(images, &of.images), sizes_of(weights, &of.weights));
    let spatial = images.rank() - 2;
    for numbers in [&of.strides, &of.spread, &of.dilation] {
        count("the steps", numbers, spatial)?;
    }
    count("padding", &of.padding, spatial)?;
    let (groups, of_images) = (of.groups, of.groups_of_images);
    let is_divided = groups > 0
        && of_images > 0
        && (groups == 1 || of_images == 1)
        && x[0] % of_images == 0
        && w[0] % (groups * of_images) == 0
        && w[1] * groups == x[1];
    if !is_divided {
        return Err(format!("{groups} and {of_images} groups of {x:?} and {w:?}"));
    }
    let (mut sizes, mut all) = (vec![x[0] / of_images, w[0]], x[0] as i128 * x[1] as i128);
    for axis in 0..spatial {
        let (stride, spread, dilation) = (of.strides[axis], of.spread[axis], of.dilation[axis]);
        if [stride, spread, dilation].contains(&0) {
            return Err("steps of 0".to_owned());
        }
        let size = padded(x[axis + 2], spread as i128, of.padding[axis]);
        all = all.saturating_mul(size.max(0));
        let count = positions(size, [w[axis + 2], stride, dilation]);
        sizes.push(count.try_into().map_err(|_| "too many positions")?);
    }
    let products = weights.len() as i128 * ty.len() as i128;
    if all > i128::from(MOST) || products > i128::from(MOST) * i128::from(MOST / 16) {
        return Err("more than 2^32 elements with its padding".to_owned());
    }
    let mut expected = vec![0; ty.rank()];
    of.result.iter().zip(sizes).for_each(|(&axis, size)| expected[axis] = size);
    result(operation, &expected, images.element)
}

/// The sizes of indices without the axis of their components, of which there is one for each axis that they lead to.
fn batch(indices: &Type, vector: &[usize], components: usize) -> Result<Vec<usize>, String> {
    let vector = vector.first().copied().unwrap_or(indices.rank());
    let found = indices.sizes.get(vector).copied().unwrap_or(1);
    if vector > indices.rank() || found != components || !indices.element.is_integer() {
        return Err(format!("indices {} along {components} axes", shown(indices)));
    }
    Ok(sizes_of(indices, &others(indices.rank(), &[vector])))
}

/// The sizes of axes `places` from one list, and of the others from another one; `None` if their numbers do not fit.
fn merged(places: &[usize], of_places: &[usize], others: &[usize]) -> Option<Vec<usize>> {
    let rank = of_places.len() + others.len();
    let (mut windows, mut others) = (of_places.iter(), others.iter());
    if places.len() != of_places.len()
        || !places.is_sorted()
        || places.iter().any(|&axis| axis >= rank)
    {
        return None;
    }
    (0..rank)
        .map(|axis| if places.contains(&axis) { windows.next() } else { others.next() }.copied())
        .collect()
}

fn gather(operation: &Operation, x: &Type, indices: &Type, ty: &Type) -> Checked {
    let of = |name: &str| operation.within("dimension_numbers", name);
    let (offsets, collapsed) = (of("offset_dims")?, of("collapsed_slice_dims")?);
    let map = of("start_index_map")?;
    if !of("operand_batching_dims")?.is_empty() {
        return Err("with axes of a batch".to_owned());
    }
    axes("collapsed_slice_dims", &collapsed, x.rank())?;
    axes("start_index_map", &map, x.rank())?;
    axes("offset_dims", &offsets, ty.rank())?;
    let window = operation.usizes("slice_sizes")?;
    within(&window, &x.sizes)?;
    if collapsed.iter().any(|&axis| window[axis] != 1) {
        return Err(format!("`slice_sizes` = {window:?}, whose axes {collapsed:?} are left out"));
    }
    let batch = batch(indices, &of("index_vector_dim")?, map.len())?;
    let kept = others(x.rank(), &collapsed);
    let kept: Vec<usize> = kept.into_iter().map(|axis| window[axis]).collect();
    let sizes = merged(&offsets, &kept, &batch).ok_or("`offset_dims` that do not fit")?;
    result(operation, &sizes, x.element)
}

fn scatter(operation: &Operation, x: &Type, indices: &Type, updates: &Type) -> Checked {
    let of = |name: &str| operation.within("scatter_dimension_numbers", name);
    let (windows, inserted) = (of("update_window_dims")?, of("inserted_window_dims")?);
    let map = of("scatter_dims_to_operand_dims")?;
    if !of("input_batching_dims")?.is_empty() {
        return Err("with axes of a batch".to_owned());
    }
    axes("inserted_window_dims", &inserted, x.rank())?;
    axes("scatter_dims_to_operand_dims", &map, x.rank())?;
    axes("update_window_dims", &windows, updates.rank())?;
    let batch = batch(indices, &of("index_vector_dim")?, map.len())?;
    let kept = sizes_of(x, &others(x.rank(), &inserted));
    let window = sizes_of(updates, &windows);
    within(&window, &kept)?;
    let sizes = merged(&windows, &window, &batch).ok_or("`update_window_dims` that do not fit")?;
    types("update", [updates], [&Type::new(&sizes, x.element)])?;
    region(operation, &[x.element; 2], &[x.element])?;
    result(operation, &x.sizes, x.element)
}
