//! The calls of `tensor-core` that are written: each with the shape of its result. Calls on known elements are computed
//! when the model is converted, and none is written.

use crate::element::Element;
use crate::function::{Function, Origin, Value};
use crate::known::{Data, Known, indices};
use crate::reason::{Reason, Reasoned, reason};
use crate::sym::Sym;

mod fold;
mod moves;
mod patterns;

impl<'a> Function<'a> {
    /// A known number without axes.
    pub fn scalar(&self, element: Element, number: f64) -> Value<'a> {
        Value::known(Known::scalar(element, number))
    }

    /// A known vector of integers.
    pub fn ints(&self, ints: impl IntoIterator<Item = usize>) -> Value<'a> {
        Value::known(Known::ints(Element::I64, ints.into_iter().map(Sym::from).collect()))
    }

    /// The integers from 0 to below a size.
    pub fn arange(&mut self, hint: &str, len: &Sym) -> Reasoned<Value<'a>> {
        let dims = std::slice::from_ref(len);
        let constructor = self.constructor(Element::I64, dims);
        let text = match len.size() {
            Some(_) => format!("{constructor}arange()"),
            None => format!("{constructor}arange_shaped({})", self.shape_value(dims)?),
        };
        Ok(self.emit(hint, Element::I64, dims.to_vec(), &text))
    }

    /// An operation on each element, `-x`, `!x` or `x.name()`, with a result of the same type.
    pub fn unary(&mut self, hint: &str, name: &str, x: &Value<'a>) -> Reasoned<Value<'a>> {
        if let Some(known) = x.known.as_ref().and_then(|known| fold::unary(name, known)) {
            return Ok(Value::known(known));
        }
        let element = match name {
            "is_nan" | "is_finite" => Element::Bool,
            _ => x.element,
        };
        let text = match name {
            "-" | "!" => format!("{name}{}", self.operand(x)?),
            _ => format!("{}.{name}()", self.receiver(x)?),
        };
        let value = self.emit_like(hint, element, x.dims.clone(), &text);
        Ok(match name {
            "is_nan" => self.noted(value, Origin::IsNan(x.clone())),
            "erf" => self.noted(value, Origin::Erf(x.clone())),
            _ => value,
        })
    }

    /// A binary operator, `x + y`.
    pub fn operator(
        &mut self,
        hint: &str,
        operator: &str,
        x: &Value<'a>,
        y: &Value<'a>,
    ) -> Reasoned<Value<'a>> {
        self.two(hint, operator, x, y, x.element)
    }

    /// A method of two operands, `x.maximum(&y)`; comparisons give truth values.
    pub fn method(
        &mut self,
        hint: &str,
        name: &str,
        x: &Value<'a>,
        y: &Value<'a>,
    ) -> Reasoned<Value<'a>> {
        let element = match name {
            "equal" | "not_equal" | "less" | "less_equal" | "greater" | "greater_equal" => {
                Element::Bool
            }
            _ => x.element,
        };
        self.two(hint, name, x, y, element)
    }

    /// The tensor with another size of an axis, which is compared at run time.
    pub fn renamed(
        &mut self,
        hint: &str,
        x: &Value<'a>,
        axis: usize,
        dim: &Sym,
    ) -> Reasoned<Value<'a>> {
        let mut dims = x.dims.clone();
        dims[axis] = dim.clone();
        let name = self.axis_type(dim);
        let text = format!("{}.rename_axis::<{axis}, {name}>()", self.receiver(x)?);
        Ok(self.emit(hint, x.element, dims, &text))
    }

    /// The tensor with the sizes of another where those are not known to be equal, but have to be. They are compared at run
    /// time.
    fn with_sizes_of(&mut self, y: &Value<'a>, x: &Value<'a>) -> Reasoned<Value<'a>> {
        let mut y = y.clone();
        for from_end in 1..=x.rank().min(y.rank()) {
            let (of_x, of_y) = (x.rank() - from_end, y.rank() - from_end);
            let (dim, other) = (x.dims[of_x].clone(), &y.dims[of_y]);
            let is_open = dim.number().is_none() || other.number().is_none();
            if dim != *other && is_open && dim.number() != Some(1) && other.number() != Some(1) {
                y = self.renamed("same", &y, of_y, &dim)?;
            }
        }
        Ok(y)
    }

    fn two(
        &mut self,
        hint: &str,
        name: &str,
        x: &Value<'a>,
        y: &Value<'a>,
        element: Element,
    ) -> Reasoned<Value<'a>> {
        let y = &self.with_sizes_of(y, x)?;
        if x.element != y.element {
            return reason(format!(
                "operands of types {} and {}, which differ",
                x.element.name(),
                y.element.name()
            ));
        }
        if let (Some(a), Some(b)) = (&x.known, &y.known)
            && let Some(known) = fold::binary(name, a, b, element)
        {
            return Ok(Value::known(known));
        }
        let dims = broadcast(&[&x.dims, &y.dims])?;
        // Constants with more axes than the tensor add theirs to the result.
        if name == "*"
            && let Some(of) = self.gelu_of(x, y)
            && of.dims == dims
        {
            return self.unary(hint, "gelu", &of);
        }
        let is_method = name.starts_with(|c: char| c.is_ascii_alphabetic());
        // `x.maximum(0.0)`: a literal has no methods.
        let mirrored = match name {
            "maximum" | "minimum" | "equal" | "not_equal" => Some(name),
            "less" => Some("greater"),
            "less_equal" => Some("greater_equal"),
            "greater" => Some("less"),
            "greater_equal" => Some("less_equal"),
            _ => None,
        };
        if let (Some(mirrored), Some(_), None) =
            (mirrored, self.literal(x, y.rank()), self.literal(y, x.rank()))
        {
            return self.two(hint, mirrored, y, x, element);
        }
        let right = match self.literal(y, x.rank()) {
            Some(literal) => literal,
            None if is_method => self.argument(y)?,
            None => self.operand(y)?,
        };
        let text = match self.literal(x, y.rank()) {
            _ if is_method => format!("{}.{name}({right})", self.receiver(x)?),
            Some(literal) if !x.element.is_half() => format!("{literal} {name} {right}"),
            _ => format!("{} {name} {right}", self.operand(x)?),
        };
        // A constant that is only an expression does not have a type of its own.
        let value =
            match (dims == x.dims && x.known.is_none()) || (dims == y.dims && y.known.is_none()) {
                true => self.emit_like(hint, element, dims, &text),
                false => self.emit(hint, element, dims, &text),
            };
        let scaled = match name {
            "*" => number(y).map(|by| (x, by)).or_else(|| number(x).map(|by| (y, by))),
            "/" => number(y).map(|by| (x, 1.0 / by)),
            _ => None,
        };
        let integer = |value: &Value<'a>| match &value.known.as_ref()?.as_ints()?[..] {
            [int] => int.number(),
            _ => None,
        };
        let plus = match name {
            "+" => integer(y).map(|by| (x, by)).or_else(|| integer(x).map(|by| (y, by))),
            _ => None,
        };
        let origin = match (scaled, plus) {
            (Some((of, by)), _) => Origin::Scaled(of.clone(), by),
            (_, Some((of, by))) => Origin::Plus(of.clone(), by),
            _ if name == "+" => Origin::Sum(x.clone(), y.clone()),
            _ if name == "*" => Origin::Times(x.clone(), y.clone()),
            _ => return Ok(value),
        };
        Ok(self.noted(value, origin))
    }

    pub fn add(&mut self, hint: &str, x: &Value<'a>, y: &Value<'a>) -> Reasoned<Value<'a>> {
        self.operator(hint, "+", x, y)
    }

    pub fn sub(&mut self, hint: &str, x: &Value<'a>, y: &Value<'a>) -> Reasoned<Value<'a>> {
        self.operator(hint, "-", x, y)
    }

    pub fn mul(&mut self, hint: &str, x: &Value<'a>, y: &Value<'a>) -> Reasoned<Value<'a>> {
        self.operator(hint, "*", x, y)
    }

    pub fn div(&mut self, hint: &str, x: &Value<'a>, y: &Value<'a>) -> Reasoned<Value<'a>> {
        self.operator(hint, "/", x, y)
    }

    /// The elements, not below `low` and not above `high`.
    pub fn clamp(
        &mut self,
        hint: &str,
        x: &Value<'a>,
        low: &Value<'a>,
        high: &Value<'a>,
    ) -> Reasoned<Value<'a>> {
        let is_same = [low, high].iter().all(|bound| bound.element == x.element);
        let literals = [low, high].map(|bound| self.literal(bound, x.rank()));
        if let ([Some(low), Some(high)], None, true) = (literals, &x.known, is_same) {
            let text = format!("{}.clamp({low}, {high})", self.receiver(x)?);
            return Ok(self.emit_like(hint, x.element, x.dims.clone(), &text));
        }
        let above = self.method(hint, "maximum", x, low)?;
        self.method(hint, "minimum", &above, high)
    }

    /// The product with a number; the tensor itself if it is 1.
    pub fn scaled(&mut self, hint: &str, x: &Value<'a>, by: f64) -> Reasoned<Value<'a>> {
        match by == 1.0 {
            true => Ok(x.clone()),
            false => self.mul(hint, x, &self.scalar(x.element, by)),
        }
    }

    /// Elements of `then` where `mask` holds, else of `otherwise`.
    pub fn select(
        &mut self,
        hint: &str,
        mask: &Value<'a>,
        then: &Value<'a>,
        otherwise: &Value<'a>,
    ) -> Reasoned<Value<'a>> {
        if mask.element != Element::Bool || then.element != otherwise.element {
            return reason("a choice between tensors whose element types differ");
        }
        let then = &self.with_sizes_of(then, mask)?;
        let otherwise = &self.with_sizes_of(otherwise, mask)?;
        let otherwise = &self.with_sizes_of(otherwise, then)?;
        let dims = broadcast(&[&mask.dims, &then.dims, &otherwise.dims])?;
        if let (Some(m), Some(a), Some(b)) = (&mask.known, &then.known, &otherwise.known)
            && let Some(masks) = m.as_ints()
            && let Some(sizes) = static_sizes(&dims)
            && let Some(all) = indices(&sizes)
        {
            let pick = |index: &Vec<usize>| masks[m.position(index)].number().map(|bit| bit != 0);
            let data = match a.element.is_float() {
                true => a.as_floats().zip(b.as_floats()).and_then(|(x, y)| {
                    let each = all
                        .iter()
                        .map(|i| Some(if pick(i)? { x[a.position(i)] } else { y[b.position(i)] }));
                    each.collect::<Option<_>>().map(Data::Floats)
                }),
                false => a.as_ints().zip(b.as_ints()).and_then(|(x, y)| {
                    let each = all.iter().map(|i| {
                        let chosen = if pick(i)? { &x[a.position(i)] } else { &y[b.position(i)] };
                        Some(chosen.clone())
                    });
                    each.collect::<Option<_>>().map(Data::Ints)
                }),
            };
            if let Some(data) = data {
                return Ok(Value::known(Known { element: a.element, sizes, data }));
            }
        }
        let rank = mask.rank();
        let mut texts = Vec::new();
        for value in [then, otherwise] {
            texts.push(match self.literal(value, rank) {
                Some(literal)
                    if texts.first().is_none_or(|first: &String| first.starts_with('&'))
                        || !value.element.is_half() =>
                {
                    literal
                }
                _ => self.argument(value)?,
            });
        }
        let text = format!("select({}, {}, {})", self.argument(mask)?, texts[0], texts[1]);
        let value = self.emit(hint, then.element, dims, &text);
        let is_zero = self.literal(then, rank) == Some(then.element.float(0.0));
        Ok(match self.origin(mask) {
            Some(Origin::IsNan(of)) if is_zero && of.is_same(otherwise) => {
                self.noted(value, Origin::WithoutNan(otherwise.clone()))
            }
            _ => value,
        })
    }

    /// Elements converted to another type, as `as` does.
    pub fn cast(&mut self, hint: &str, x: &Value<'a>, element: Element) -> Reasoned<Value<'a>> {
        if x.element == element {
            return Ok(x.clone());
        }
        if let Some(known) = x.known.as_ref().and_then(|known| known.cast(element)) {
            return Ok(Value { sources: x.sources.clone(), ..Value::known(known) });
        }
        let text = format!("{}.cast::<{}>()", self.receiver(x)?, element.name());
        Ok(self.emit(hint, element, x.dims.clone(), &text))
    }

    /// A reduction along axes: `sum`, `mean`, `max` …
    pub fn reduce(
        &mut self,
        hint: &str,
        name: &str,
        x: &Value<'a>,
        axes: &[usize],
        keeps: bool,
    ) -> Reasoned<Value<'a>> {
        let mut dims = Vec::new();
        for (axis, dim) in x.dims.iter().enumerate() {
            match axes.contains(&axis) {
                true if keeps => dims.push(Sym::from(1_usize)),
                true => {}
                false => dims.push(dim.clone()),
            }
        }
        let element = match name {
            "argmax" | "argmin" | "count_nonzero" => Element::I64,
            _ => x.element,
        };
        if axes.is_empty() && !matches!(name, "argmax" | "argmin") {
            return Ok(x.clone());
        }
        if let Some(known) =
            x.known.as_ref().and_then(|known| fold::reduction(name, known, axes, &dims))
        {
            return Ok(Value::known(known));
        }
        let suffix = if keeps { "_keepdims" } else { "" };
        let receiver = self.receiver(x)?;
        let text = match axes {
            axes if axes.len() == x.rank() && !keeps => format!("{receiver}.{name}()"),
            [axis] => format!("{receiver}.{name}_axis{suffix}::<{axis}>()"),
            axes => format!("{receiver}.{name}_axes{suffix}::<axes![{}]>()", list(axes)),
        };
        Ok(self.emit(hint, element, dims, &text))
    }

    /// A product of matrices as NumPy's.
    pub fn matmul(&mut self, hint: &str, x: &Value<'a>, y: &Value<'a>) -> Reasoned<Value<'a>> {
        if x.element != y.element {
            return reason("a product of matrices whose element types differ");
        }
        if x.element == Element::Bool {
            return reason("a product of matrices of truth values");
        }
        let (mut left, mut right) = (x.dims.clone(), y.dims.clone());
        if left.is_empty() || right.is_empty() {
            return reason("a product of matrices with a tensor without axes");
        }
        let (is_row, is_column) = (left.len() == 1, right.len() == 1);
        if is_row {
            left.insert(0, Sym::from(1_usize));
        }
        if is_column {
            right.push(Sym::from(1_usize));
        }
        let (m, k) = (left[left.len() - 2].clone(), left[left.len() - 1].clone());
        let (k2, n) = (right[right.len() - 2].clone(), right[right.len() - 1].clone());
        if k != k2 {
            let (k, k2) = (self.dim(&k), self.dim(&k2));
            return reason(format!("a product over axes of sizes {k} and {k2}, which differ"));
        }
        let mut dims = broadcast(&[&left[..left.len() - 2], &right[..right.len() - 2]])?;
        dims.extend((!is_row).then_some(m));
        dims.extend((!is_column).then_some(n));
        if let Some((q, k, mask)) = self.attending(x, y)? {
            let [q, k, v] = [self.argument(&q)?, self.argument(&k)?, self.argument(y)?];
            let mask = match mask {
                Some(mask) => format!("AdditiveMask({})", self.argument(&mask)?),
                None => "NoMask".to_owned(),
            };
            let text = format!("attention({q}, {k}, {v}, {mask})");
            return Ok(self.emit(hint, x.element, dims, &text));
        }
        let name = if y.rank() == 2 && x.rank() > 2 { "dot" } else { "matmul" };
        let text = format!("{}.{name}({})", self.receiver(x)?, self.argument(y)?);
        let value = self.emit(hint, x.element, dims, &text);
        Ok(self.noted(value, Origin::Product(x.clone(), y.clone())))
    }

    /// A part of an axis, by a range of static indices.
    pub fn range(
        &mut self,
        hint: &str,
        x: &Value<'a>,
        axis: usize,
        range: std::ops::Range<usize>,
    ) -> Reasoned<Value<'a>> {
        self.slices(hint, x, &[(axis, range.start, range.end, 1)])
    }

    /// Parts of axes: the axis, its first index, the index after the last, and the step. A negative step starts at the
    /// last index of the range.
    pub fn slices(
        &mut self,
        hint: &str,
        x: &Value<'a>,
        parts: &[(usize, usize, usize, isize)],
    ) -> Reasoned<Value<'a>> {
        let mut dims = x.dims.clone();
        let mut texts = vec!["..".to_owned(); x.rank()];
        let mut from: Vec<(usize, isize)> = vec![(0, 1); x.rank()];
        for &(axis, start, end, step) in parts {
            let len = end.saturating_sub(start);
            let count = len.div_ceil(step.unsigned_abs());
            let size = x.dims[axis].size();
            if size == Some(len) && step == 1 {
                continue;
            }
            dims[axis] = Sym::from(count);
            let first = if step < 0 { end.saturating_sub(1) } else { start };
            from[axis] = (first, step);
            texts[axis] = match (size, step) {
                (Some(size), 1) if end == size => format!("{start}.."),
                (Some(_), 1) if start == 0 => format!("..{end}"),
                (Some(_), 1) => format!("{start}..{end}"),
                (Some(_), step) => format!("{start}..{end}; {step}"),
                (None, _) => {
                    return reason(format!(
                        "a part of axis {axis}, whose size is known at run time"
                    ));
                }
            };
        }
        if dims == x.dims && from.iter().all(|&(_, step)| step == 1) {
            return Ok(x.clone());
        }
        if let Some(known) = &x.known
            && let Some(sizes) = static_sizes(&dims)
            && let Some(known) = known.gathered(sizes, |index| {
                let index: Vec<usize> = index
                    .iter()
                    .zip(&from)
                    .map(|(&i, &(first, step))| first.wrapping_add_signed(i as isize * step))
                    .collect();
                index.iter().zip(&known.sizes).fold(0, |at, (&i, &size)| at * size + i)
            })
        {
            return Ok(Value { sources: x.sources.clone(), ..Value::known(known) });
        }
        while texts.last().is_some_and(|text| text == "..") {
            texts.pop();
        }
        let text = format!("{}.slice(slice![{}])", self.receiver(x)?, texts.join(", "));
        Ok(self.emit(hint, x.element, dims, &text))
    }

    /// The tensors joined along an axis.
    pub fn concat(&mut self, hint: &str, xs: &[Value<'a>], axis: usize) -> Reasoned<Value<'a>> {
        let [first, rest @ ..] = xs else { return reason("a concatenation of nothing") };
        if rest.is_empty() {
            return Ok(first.clone());
        }
        let mut dims = first.dims.clone();
        let mut size = Sym::default();
        let mut same = Vec::new();
        for x in xs {
            let mut x = x.clone();
            for other in (0..x.rank().min(first.rank())).filter(|&other| other != axis) {
                let dim = first.dims[other].clone();
                if x.dims[other] != dim
                    && (dim.number().is_none() || x.dims[other].number().is_none())
                {
                    x = self.renamed("same", &x, other, &dim)?;
                }
            }
            same.push(x);
        }
        let xs = &same[..];
        let [first, rest @ ..] = xs else { return reason("a concatenation of nothing") };
        for x in xs {
            if x.element != first.element || x.rank() != first.rank() {
                return reason("a concatenation of tensors of several element types or ranks");
            }
            for (other, (dim, first)) in x.dims.iter().zip(&first.dims).enumerate() {
                if other != axis && dim != first {
                    let (dim, first) = (self.dim(dim), self.dim(first));
                    return reason(format!(
                        "a concatenation of sizes {first} and {dim} along another axis"
                    ));
                }
            }
            size = size.plus(&x.dims[axis]).ok_or("sizes whose sum overflows")?;
        }
        dims[axis] = size;
        if axis == 0
            && first.rank() == 1
            && let Some(known) = fold::joined(xs)
        {
            return Ok(Value::known(known));
        }
        if xs.iter().any(|x| x.dims[axis].number() == Some(0)) {
            let filled: Vec<Value<'a>> =
                xs.iter().filter(|x| x.dims[axis].number() != Some(0)).cloned().collect();
            let all = if filled.is_empty() { &xs[..1] } else { &filled[..] };
            return self.concat(hint, all, axis);
        }
        if static_sizes(&[dims[axis].clone()]).is_some() {
            let mut arguments = Vec::new();
            for x in rest {
                arguments.push(self.argument(x)?);
            }
            let receiver = self.receiver(first)?;
            let text = match &arguments[..] {
                [one] => format!("{receiver}.concat::<{axis}, _>({one})"),
                all if all.len() < 12 => {
                    format!("{receiver}.concat_tuple::<{axis}, _>(({}))", all.join(", "))
                }
                _ => {
                    let mut joined = first.clone();
                    for part in xs[1..].chunks(10) {
                        let part = [&[joined][..], part].concat();
                        joined = self.concat(hint, &part, axis)?;
                    }
                    return Ok(joined);
                }
            };
            return Ok(self.emit(hint, first.element, dims, &text));
        }
        let name = self.axis_type(&dims[axis].clone());
        let mut parts = Vec::new();
        for x in xs {
            parts.push(format!("&{}.rename_axis::<{axis}, {name}>()", self.receiver(x)?));
        }
        let text = format!("Tensor::concat_all::<{axis}, {name}>([{}])", parts.join(", "));
        Ok(self.emit(hint, first.element, dims, &text))
    }

    /// Slices at indices along an axis; the axes of the indices replace it.
    pub fn take(
        &mut self,
        hint: &str,
        x: &Value<'a>,
        axis: usize,
        places: &Value<'a>,
    ) -> Reasoned<Value<'a>> {
        if !places.element.is_integer() {
            return reason("indices that are no integers");
        }
        let mut dims = x.dims[..axis].to_vec();
        dims.extend_from_slice(&places.dims);
        dims.extend_from_slice(&x.dims[axis + 1..]);
        let numbers = places
            .known
            .as_ref()
            .and_then(|known| known.as_ints())
            .and_then(|ints| ints.iter().map(Sym::number).collect::<Option<Vec<i64>>>());
        if let Some(numbers) = &numbers
            && let Some(size) = x.dims[axis].size()
        {
            let mut positions = Vec::new();
            for &number in numbers {
                let position = if number < 0 { number + size as i64 } else { number };
                match usize::try_from(position) {
                    Ok(position) if position < size => positions.push(position),
                    _ => return reason(format!("index {number} along an axis of size {size}")),
                }
            }
            if let Some(known) = &x.known
                && let Some(sizes) = static_sizes(&dims)
                && let Some(known) = known.gathered(sizes, |index| {
                    let middle = index[axis..axis + places.rank()].iter().zip(&places.dims);
                    let at = middle.fold(0, |at, (&i, dim)| at * dim.size().unwrap_or(1) + i);
                    let behind = &index[axis + places.rank()..];
                    let from = [&index[..axis], &[positions[at]], behind].concat();
                    from.iter().zip(&known.sizes).fold(0, |at, (&i, &size)| at * size + i)
                })
            {
                return Ok(Value { sources: x.sources.clone(), ..Value::known(known) });
            }
            if places.rank() == 0 {
                let text = format!("{}.index::<{axis}>({})", self.receiver(x)?, positions[0]);
                return Ok(self.emit(hint, x.element, dims, &text));
            }
        }
        let or_error = self.or_error();
        let (receiver, places) = (self.receiver(x)?, self.argument(places)?);
        let text = format!("{receiver}.take::<{axis}, _>({places}){or_error}");
        Ok(self.emit(hint, x.element, dims, &text))
    }

    /// An operation along an axis that keeps the shape: `softmax`, `cumsum` …
    pub fn along(
        &mut self,
        hint: &str,
        name: &str,
        x: &Value<'a>,
        axis: usize,
    ) -> Reasoned<Value<'a>> {
        let text = format!("{}.{name}::<{axis}>()", self.receiver(x)?);
        let value = self.emit_like(hint, x.element, x.dims.clone(), &text);
        Ok(match name {
            "softmax" => self.noted(value, Origin::Softmax(x.clone(), axis)),
            _ => value,
        })
    }

    /// The tensor with axes in reverse.
    pub fn flip(&mut self, hint: &str, x: &Value<'a>, axes: &[usize]) -> Reasoned<Value<'a>> {
        let text = format!("{}.flip::<axes![{}]>()", self.receiver(x)?, list(axes));
        Ok(self.emit(hint, x.element, x.dims.clone(), &text))
    }

    /// The tensor with a constant or other elements around it.
    pub fn pad(
        &mut self,
        hint: &str,
        x: &Value<'a>,
        amounts: &[(usize, usize)],
        padding: &str,
    ) -> Reasoned<Value<'a>> {
        if amounts.iter().all(|&amount| amount == (0, 0)) {
            return Ok(x.clone());
        }
        let skipped = amounts.iter().take_while(|&&amount| amount == (0, 0)).count();
        let mut dims = x.dims.clone();
        for (dim, &(before, after)) in dims.iter_mut().zip(amounts) {
            let size =
                dim.plus(&Sym::from(before.saturating_add(after))).ok_or("sizes that overflow")?;
            *dim = size;
        }
        if x.dims[skipped..].iter().any(|dim| dim.size().is_none()) {
            return Err(Reason::new(
                "padding of an axis whose size is known only at run time",
                "`--size NAME=NUMBER` fixes the size of an axis",
            ));
        }
        let sides = |side: fn(&(usize, usize)) -> usize| {
            list(&amounts[skipped..].iter().map(side).collect::<Vec<_>>())
        };
        let text = format!(
            "{}.pad::<shape![{}], shape![{}]>({padding})",
            self.receiver(x)?,
            sides(|amount| amount.0),
            sides(|amount| amount.1)
        );
        Ok(self.emit(hint, x.element, dims, &text))
    }
}

/// `0, 2`
pub fn list(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

/// All sizes, if they are static.
pub fn static_sizes(dims: &[Sym]) -> Option<Vec<usize>> {
    dims.iter().map(Sym::size).collect()
}

/// The shape that NumPy's broadcasting gives.
pub fn broadcast(all: &[&[Sym]]) -> Reasoned<Vec<Sym>> {
    let rank = all.iter().map(|dims| dims.len()).max().unwrap_or(0);
    let mut result = vec![Sym::from(1_usize); rank];
    for dims in all {
        let skipped = rank - dims.len();
        for (axis, dim) in dims.iter().enumerate() {
            let known = &mut result[skipped + axis];
            if dim.number() == Some(1) || dim == known {
                continue;
            }
            match known.number() {
                Some(1) => *known = dim.clone(),
                _ => {
                    return Err(Reason::new(
                        match (dim.number(), known.number()) {
                            (Some(a), Some(b)) => {
                                format!("sizes {a} and {b}, which do not broadcast")
                            }
                            _ => "axes that are not known to have the same size".to_owned(),
                        },
                        "`--size NAME=NUMBER` fixes the size of an axis",
                    ));
                }
            }
        }
    }
    Ok(result)
}

/// The number that a value is, if it is known.
fn number(value: &Value<'_>) -> Option<f64> {
    match value.known.as_ref()?.numbers()?[..] {
        [number] => Some(number),
        _ => None,
    }
}
