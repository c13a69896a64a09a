//! Tensors whose elements are known when a model is converted, and what is computed with them.

use std::borrow::Cow;

use crate::element::Element;
use crate::proto;
use crate::sym::Sym;

/// The most elements of a tensor that is computed when a model is converted.
pub const MOST_FOLDED: usize = 1 << 12;

/// A tensor with known elements.
#[derive(Clone, Debug)]
pub struct Known<'a> {
    pub element: Element,
    pub sizes: Vec<usize>,
    pub data: Data<'a>,
}

/// The elements.
#[derive(Clone, Debug)]
pub enum Data<'a> {
    /// Their bytes, of weights.
    Bytes(Cow<'a, [u8]>),
    /// Integers and truth values, which may be sizes of named axes.
    Ints(Vec<Sym>),
    Floats(Vec<f64>),
}

impl<'a> Known<'a> {
    /// The tensor of a message. `external` reads the bytes of data in another file.
    pub fn of(
        tensor: &proto::Tensor<'a>,
        external: impl FnOnce(&proto::Tensor<'a>, usize) -> Result<Vec<u8>, String>,
    ) -> Result<Self, String> {
        let element = Element::of(tensor.element)
            .map_err(|name| format!("elements of type {name}, which Rust lacks"))?;
        let sizes: Option<Vec<usize>> =
            tensor.sizes.iter().map(|&size| usize::try_from(size).ok()).collect();
        let bytes = sizes.as_ref().and_then(|sizes| {
            let count = sizes.iter().try_fold(1_usize, |count, &size| count.checked_mul(size))?;
            count.checked_mul(element.bytes()).filter(|&bytes| bytes <= isize::MAX as usize)
        });
        let (Some(sizes), Some(bytes)) = (sizes, bytes) else {
            return Err(format!("sizes {:?}, which fit into no memory", tensor.sizes));
        };
        let data: Cow<'a, [u8]> = match tensor.raw {
            _ if tensor.is_external => Cow::Owned(external(tensor, bytes)?),
            Some(raw) => Cow::Borrowed(raw),
            None if tensor.numbers.len().checked_mul(element.bytes()) == Some(bytes) => {
                let numbers = tensor.numbers.iter();
                numbers
                    .flat_map(|number| number.to_le_bytes()[..element.bytes()].to_vec())
                    .collect()
            }
            None => {
                Cow::Owned(vec![0; if tensor.numbers.is_empty() && bytes == 0 { 0 } else { 1 }])
            }
        };
        if data.len() != bytes {
            let given = if tensor.raw.is_some() { data.len() } else { tensor.numbers.len() };
            let unit = if tensor.raw.is_some() { "bytes" } else { "elements" };
            return Err(format!("sizes {sizes:?} and {given} {unit} of data, which differ"));
        }
        Ok(Self { element, sizes, data: Data::Bytes(data) })
    }

    /// A tensor of integers with one axis.
    pub fn ints(element: Element, ints: Vec<Sym>) -> Self {
        Self { element, sizes: vec![ints.len()], data: Data::Ints(ints) }
    }

    /// A tensor of elements in decimal digits; `Err` with the first that is no number of the element type.
    pub fn parsed(element: Element, sizes: Vec<usize>, texts: &[String]) -> Result<Self, &str> {
        let data = match element.is_float() {
            true => {
                let each = texts.iter().map(|text| element.parsed_float(text).ok_or(&text[..]));
                Data::Floats(each.collect::<Result<_, _>>()?)
            }
            false => {
                let each = texts.iter().map(|text| element.parsed_int(text).ok_or(&text[..]));
                Data::Ints(each.map(|int| int.map(Sym::from)).collect::<Result<_, _>>()?)
            }
        };
        Ok(Self { element, sizes, data })
    }

    /// A tensor without axes.
    pub fn scalar(element: Element, number: f64) -> Self {
        let data = match element.is_float() {
            true => Data::Floats(vec![number]),
            false => Data::Ints(vec![Sym::from(number as i64)]),
        };
        Self { element, sizes: Vec::new(), data }
    }

    pub fn count(&self) -> usize {
        self.sizes.iter().product()
    }

    /// The elements, if they are integers or truth values, and few.
    pub fn as_ints(&self) -> Option<Vec<Sym>> {
        match &self.data {
            Data::Ints(ints) => Some(ints.clone()),
            Data::Bytes(bytes) if !self.element.is_float() && self.count() <= MOST_FOLDED => {
                let width = self.element.bytes();
                let int = |bytes: &[u8]| {
                    let mut wide = [0; 8];
                    wide[..width].copy_from_slice(bytes);
                    Sym::from(self.element.wrapped(i64::from_le_bytes(wide)))
                };
                Some(bytes.chunks_exact(width).map(int).collect())
            }
            _ => None,
        }
    }

    /// The elements, if they are floats.
    pub fn floats(&self) -> Option<Vec<f64>> {
        match &self.data {
            Data::Floats(floats) => Some(floats.clone()),
            Data::Bytes(bytes) if self.element.is_float() => Some(
                bytes.chunks_exact(self.element.bytes()).map(|b| float(self.element, b)).collect(),
            ),
            _ => None,
        }
    }

    /// The elements, if they are floats, and few.
    pub fn as_floats(&self) -> Option<Vec<f64>> {
        match &self.data {
            Data::Bytes(_) if self.count() > MOST_FOLDED => None,
            _ => self.floats(),
        }
    }

    /// The elements as numbers, if they are few and none is the size of a named axis.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        match self.element.is_float() {
            true => self.as_floats(),
            false => {
                let ints = self.as_ints()?;
                let float = |int: i64| match self.element {
                    Element::U64 => int.cast_unsigned() as f64,
                    _ => int as f64,
                };
                ints.iter().map(|int| int.number().map(float)).collect()
            }
        }
    }

    /// The one element that all are.
    pub fn uniform(&self) -> Option<Known<'a>> {
        let data = match self.element.is_float() {
            true => {
                let floats = self.as_floats()?;
                let first = *floats.first()?;
                let same = floats.iter().all(|float| float.to_bits() == first.to_bits());
                same.then(|| Data::Floats(vec![first]))?
            }
            false => {
                let ints = self.as_ints()?;
                let first = ints.first()?;
                ints.iter().all(|int| int == first).then(|| Data::Ints(vec![first.clone()]))?
            }
        };
        Some(Known { element: self.element, sizes: Vec::new(), data })
    }

    /// The first element as Rust writes it; `None` if it is the size of a named axis.
    pub fn literals(&self) -> Option<Vec<String>> {
        match self.element.is_float() {
            true => Some(self.as_floats()?.iter().map(|&x| self.element.float(x)).collect()),
            false => {
                let ints = self.as_ints()?;
                ints.iter().map(|int| int.number().map(|x| self.element.integer(x))).collect()
            }
        }
    }

    /// The bytes of the elements, little-endian; `None` if one is the size of a named axis.
    pub fn to_bytes(&self) -> Option<Cow<'_, [u8]>> {
        let width = self.element.bytes();
        match &self.data {
            Data::Bytes(bytes) => Some(Cow::Borrowed(bytes)),
            Data::Ints(ints) => {
                let mut bytes = Vec::with_capacity(ints.len() * width);
                for int in ints {
                    bytes.extend_from_slice(&int.number()?.to_le_bytes()[..width]);
                }
                Some(Cow::Owned(bytes))
            }
            Data::Floats(floats) => {
                let mut bytes = Vec::with_capacity(floats.len() * width);
                for &float in floats {
                    match self.element {
                        Element::F64 => bytes.extend(float.to_le_bytes()),
                        Element::F16 => bytes.extend(half::f16::from_f64(float).to_le_bytes()),
                        Element::Bf16 => bytes.extend(half::bf16::from_f64(float).to_le_bytes()),
                        _ => bytes.extend((float as f32).to_le_bytes()),
                    }
                }
                Some(Cow::Owned(bytes))
            }
        }
    }

    /// The tensor with elements of another type, as ONNX casts.
    pub fn cast(&self, element: Element) -> Option<Known<'a>> {
        let data = match (self.element.is_float(), element.is_float()) {
            (true, true) => {
                Data::Floats(self.as_floats()?.iter().map(|&x| element.rounded(x)).collect())
            }
            (true, false) if element == Element::Bool => Data::Ints(
                self.as_floats()?.iter().map(|&x| Sym::from(i64::from(x != 0.0))).collect(),
            ),
            (true, false) => {
                // Others have no integer of the type, or none in an `i64`.
                let int = |&x: &f64| {
                    let int = x as i64;
                    let is_exact = int as f64 == x.trunc() && element.wrapped(int) == int;
                    let is_small = element != Element::U64 || (0..i64::MAX).contains(&int);
                    (is_exact && is_small).then(|| Sym::from(int))
                };
                Data::Ints(self.as_floats()?.iter().map(int).collect::<Option<_>>()?)
            }
            (false, true) => {
                let float = |int: &Sym| match (self.element, int.number()?) {
                    (Element::U64, int) => Some(element.nearest(int.cast_unsigned().into())),
                    (_, int) => Some(element.nearest(int.into())),
                };
                Data::Floats(self.as_ints()?.iter().map(float).collect::<Option<_>>()?)
            }
            (false, false) => {
                let ints = self.as_ints()?.into_iter();
                Data::Ints(
                    ints.map(|x| x.number().map_or(x, |x| element.wrapped(x).into())).collect(),
                )
            }
        };
        Some(Known { element, sizes: self.sizes.clone(), data })
    }

    /// The tensor of `sizes` whose element at each index is this one's at the position that `from` gives.
    pub fn gathered(
        &self,
        sizes: Vec<usize>,
        from: impl Fn(&[usize]) -> usize,
    ) -> Option<Known<'a>> {
        let positions = indices(&sizes)?.into_iter().map(|index| from(&index));
        let data = match self.element.is_float() {
            true => {
                let all = self.as_floats()?;
                Data::Floats(positions.map(|at| all.get(at).copied()).collect::<Option<_>>()?)
            }
            false => {
                let all = self.as_ints()?;
                Data::Ints(positions.map(|at| all.get(at).cloned()).collect::<Option<_>>()?)
            }
        };
        Some(Known { element: self.element, sizes, data })
    }

    /// The tensor with other sizes and the same elements.
    pub fn reshaped(&self, sizes: Vec<usize>) -> Option<Known<'a>> {
        let count = sizes.iter().try_fold(1_usize, |count, &size| count.checked_mul(size));
        (count == Some(self.count())).then(|| Known {
            sizes,
            element: self.element,
            data: self.data.clone(),
        })
    }

    /// The position of the element that broadcasting to `index` reads.
    pub fn position(&self, index: &[usize]) -> usize {
        let skipped = index.len() - self.sizes.len();
        let axes = self.sizes.iter().zip(&index[skipped..]);
        axes.fold(0, |at, (&size, &i)| at * size + if size == 1 { 0 } else { i })
    }
}

/// All indices of a tensor in order; `None` if they are many.
pub fn indices(sizes: &[usize]) -> Option<Vec<Vec<usize>>> {
    let count = sizes.iter().try_fold(1_usize, |count, &size| count.checked_mul(size))?;
    if count > MOST_FOLDED {
        return None;
    }
    let index = |mut position: usize| {
        let mut index: Vec<usize> = Vec::with_capacity(sizes.len());
        for &size in sizes.iter().rev() {
            index.push(position % size);
            position /= size;
        }
        index.reverse();
        index
    };
    Some((0..count).map(index).collect())
}

/// The float of these bytes.
fn float(element: Element, bytes: &[u8]) -> f64 {
    match *bytes {
        [a, b] if element == Element::F16 => half::f16::from_le_bytes([a, b]).to_f64(),
        [a, b] => half::bf16::from_le_bytes([a, b]).to_f64(),
        [a, b, c, d] => f64::from(f32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0.0,
    }
}
