//! Calls that give the elements other axes.

use super::{broadcast, list, static_sizes};
use crate::function::{Function, Origin, Value};
use crate::reason::{Reasoned, reason};
use crate::sym::{Sym, product};

impl<'a> Function<'a> {
    /// The tensor with axes in another order.
    pub fn permute(&mut self, hint: &str, x: &Value<'a>, order: &[usize]) -> Reasoned<Value<'a>> {
        if order.iter().enumerate().all(|(to, &from)| to == from) {
            return Ok(x.clone());
        }
        let dims: Vec<Sym> = order.iter().map(|&axis| x.dims[axis].clone()).collect();
        if let Some(known) = &x.known
            && let Some(sizes) = static_sizes(&dims)
            && let Some(known) = known.gathered(sizes, |index| {
                let mut from = vec![0; index.len()];
                for (&i, &axis) in index.iter().zip(order) {
                    from[axis] = i;
                }
                known.position(&from)
            })
        {
            return Ok(Value::known(known));
        }
        let rank = order.len();
        let mut last_two: Vec<usize> = (0..rank).collect();
        if rank >= 2 {
            last_two.swap(rank - 2, rank - 1);
        }
        let receiver = self.receiver(x)?;
        let text = match order == last_two {
            true => format!("{receiver}.transpose()"),
            false => format!("{receiver}.permute::<axes![{}]>()", list(order)),
        };
        let value = self.emit(hint, x.element, dims, &text);
        Ok(self.noted(value, Origin::Permuted(x.clone(), order.to_vec())))
    }

    /// The elements with other sizes.
    pub fn reshape(&mut self, hint: &str, x: &Value<'a>, dims: &[Sym]) -> Reasoned<Value<'a>> {
        if x.dims == dims {
            return Ok(x.clone());
        }
        let (before, after) = (product(&x.dims), product(dims));
        if let (Some(a), Some(b)) = (&before, &after)
            && let (Some(a), Some(b)) = (a.number(), b.number())
            && a != b
        {
            return reason(format!("{a} elements, which are reshaped to {b}"));
        }
        if let Some(known) = &x.known
            && let Some(sizes) = static_sizes(dims)
            && let Some(known) = known.reshaped(sizes)
        {
            return Ok(Value { sources: x.sources.clone(), ..Value::known(known) });
        }
        if let Some(of) = self.swapped(x, dims) {
            let mut order: Vec<usize> = (0..of.rank()).collect();
            order.swap(of.rank() - 2, of.rank() - 1);
            return self.permute(hint, &of, &order);
        }
        let receiver = self.receiver(x)?;
        let is_static = |dims: &[Sym]| dims.iter().all(|dim| dim.size().is_some());
        let without: Vec<&Sym> = dims.iter().filter(|dim| dim.number() != Some(1)).collect();
        let had: Vec<&Sym> = x.dims.iter().filter(|dim| dim.number() != Some(1)).collect();
        let new = dims.iter().filter(|dim| dim.number().is_none() && !x.dims.contains(dim)).count();
        let text = if !is_static(dims) && without == had && single_change(&x.dims, dims).is_some() {
            single_change(&x.dims, dims).map_or(String::new(), |call| format!("{receiver}.{call}"))
        } else if is_static(dims) && is_static(&x.dims) {
            format!("{receiver}.reshape::<{}>()", self.shape(dims))
        } else if new <= 1 {
            format!("{receiver}.reshape_infer::<{}>()", self.shape(dims))
        } else {
            format!("{receiver}.reshape_shaped({})", self.shape_value(dims)?)
        };
        Ok(self.reshaped(hint, x, dims.to_vec(), &text))
    }

    fn reshaped(&mut self, hint: &str, x: &Value<'a>, dims: Vec<Sym>, text: &str) -> Value<'a> {
        let value = self.emit(hint, x.element, dims, text);
        self.noted(value, Origin::Reshaped(x.clone()))
    }

    /// The tensor with axes of size 1 at these positions of the result.
    pub fn unsqueeze(&mut self, hint: &str, x: &Value<'a>, axes: &[usize]) -> Reasoned<Value<'a>> {
        let mut dims = x.dims.clone();
        let mut axes = axes.to_vec();
        axes.sort_unstable();
        for &axis in &axes {
            if axis > dims.len() {
                return reason(format!("an axis {axis} of a tensor with {} axes", dims.len()));
            }
            dims.insert(axis, Sym::from(1_usize));
        }
        if x.known.is_some() || axes.len() != 1 {
            return self.reshape(hint, x, &dims);
        }
        let text = format!("{}.unsqueeze::<{}>()", self.receiver(x)?, axes[0]);
        Ok(self.reshaped(hint, x, dims, &text))
    }

    /// The tensor without these axes of size 1.
    pub fn squeeze(&mut self, hint: &str, x: &Value<'a>, axes: &[usize]) -> Reasoned<Value<'a>> {
        let mut x = x.clone();
        for &axis in axes {
            if x.dims[axis].number().is_none() {
                x = self.renamed("one", &x, axis, &Sym::from(1_usize))?;
            }
        }
        let x = &x;
        let mut dims = x.dims.clone();
        let mut axes = axes.to_vec();
        axes.sort_unstable();
        for &axis in axes.iter().rev() {
            if dims[axis].number() != Some(1) {
                let size = self.dim(&dims[axis]);
                return reason(format!(
                    "axis {axis}, which is removed, of size {size} instead of 1"
                ));
            }
            dims.remove(axis);
        }
        if x.known.is_some() || axes.len() != 1 {
            return self.reshape(hint, x, &dims);
        }
        let text = format!("{}.squeeze::<{}>()", self.receiver(x)?, axes[0]);
        Ok(self.reshaped(hint, x, dims, &text))
    }

    /// The tensor stretched to other sizes.
    pub fn expand(&mut self, hint: &str, x: &Value<'a>, dims: &[Sym]) -> Reasoned<Value<'a>> {
        let stretched = broadcast(&[&x.dims, dims])?;
        if stretched == x.dims {
            return Ok(x.clone());
        }
        if let Some(known) = &x.known
            && let Some(sizes) = static_sizes(&stretched)
            && let Some(known) = known.gathered(sizes, |index| known.position(index))
        {
            return Ok(Value::known(known));
        }
        let receiver = self.receiver(x)?;
        let text = match static_sizes(&stretched) {
            Some(_) => format!("{receiver}.expand::<{}>()", self.shape(&stretched)),
            None => format!("{receiver}.expand_shaped({})", self.shape_value(&stretched)?),
        };
        Ok(self.emit(hint, x.element, stretched, &text))
    }
}

/// `unsqueeze` or `squeeze` of one axis, if that is all that changes.
fn single_change(from: &[Sym], to: &[Sym]) -> Option<String> {
    let (name, long, short) = match to.len() > from.len() {
        true => ("unsqueeze", to, from),
        false => ("squeeze", from, to),
    };
    let is_without = |axis: &usize| {
        long[*axis].number() == Some(1)
            && long[..*axis] == short[..*axis]
            && long[*axis + 1..] == short[*axis..]
    };
    let fits = long.len() == short.len() + 1;
    (0..long.len()).find(|axis| fits && is_without(axis)).map(|axis| format!("{name}::<{axis}>()"))
}
