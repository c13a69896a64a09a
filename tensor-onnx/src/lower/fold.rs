//! Constants after a convolution, which its weights and its bias take over:
//! `(x * w + b) · factor + offset = x * (factor · w) + (factor · b + offset)`.
//!
//! Constants before a convolution stay: `x * w + offset · Σ w` instead of `(x + offset) * w` loses digits where `x` is close to
//! `-offset`.

use std::rc::Rc;

use super::Call;
use crate::element::Element;
use crate::function::{Convolution, Origin, Value};
use crate::known::{Data, Known};
use crate::reason::Reasoned;
use crate::sym::Sym;

impl<'a> Call<'_, 'a> {
    /// The operator of this node, if one input is a convolution that nothing else uses, and the other is a constant for each
    /// channel.
    pub(super) fn folded_operator(&mut self, operator: &str) -> Reasoned<Option<Value<'a>>> {
        for (input, other) in [(0, 1), (1, 0)] {
            let Some(convolution) = self.convolution(input) else { continue };
            let constant = self.input(other)?;
            let Some(numbers) = per_channel(&convolution, &constant) else { continue };
            let mapped = |f: fn(f64) -> f64| numbers.iter().map(|&x| f(x)).collect();
            let (zeros, ones) = (vec![0.0; numbers.len()], vec![1.0; numbers.len()]);
            let (factors, offsets) = match (operator, input) {
                ("+", _) => (ones, numbers),
                ("-", 0) => (ones, mapped(|x| -x)),
                ("-", _) => (vec![-1.0; numbers.len()], numbers),
                ("*", _) => (numbers, zeros),
                ("/", 0) => (mapped(f64::recip), zeros),
                _ => continue,
            };
            return self.folded(&convolution, &factors, &offsets, constant.weight);
        }
        Ok(None)
    }

    /// The convolution that an input is, if its weights are constants and nothing else uses it.
    pub(super) fn convolution(&self, input: usize) -> Option<Rc<Convolution<'a>>> {
        match self.f.origin(self.inputs.get(input)?.as_ref()?) {
            Some(Origin::Convolution(of))
                if self.uses[input] == 1 && of.depth == self.f.depth() =>
            {
                Some(Rc::clone(of))
            }
            _ => None,
        }
    }

    /// The convolution times a factor plus an offset for each channel; `None` if one is not finite. A bias that it lacked has
    /// the name `name`.
    pub(super) fn folded(
        &mut self,
        convolution: &Convolution<'a>,
        factors: &[f64],
        offsets: &[f64],
        name: Option<&'a str>,
    ) -> Reasoned<Option<Value<'a>>> {
        if factors.iter().chain(offsets).any(|number| !number.is_finite()) {
            return Ok(None);
        }
        let mut convolution = convolution.clone();
        if factors.iter().any(|&factor| factor != 1.0) {
            let Some(weights) = &convolution.weights.known else { return Ok(None) };
            let Some(mut numbers) = weights.floats() else { return Ok(None) };
            let channels = channels_of(&convolution, &weights.sizes);
            for (number, channel) in numbers.iter_mut().zip(channels) {
                *number *= factors[channel];
            }
            let weights = (weights.element, weights.sizes.clone());
            convolution.weights = constant(weights, numbers, convolution.weights.weight);
        }
        let bias = convolution.bias.as_ref().and_then(|bias| bias.known.as_ref());
        let bias = bias.map_or(Some(vec![0.0; factors.len()]), |bias| bias.floats());
        let Some(bias) = bias else { return Ok(None) };
        let sums = bias.iter().zip(factors.iter().zip(offsets));
        let sums: Vec<f64> = sums.map(|(bias, (factor, offset))| bias * factor + offset).collect();
        if convolution.bias.is_some() || sums.iter().any(|&sum| sum != 0.0) {
            let name = convolution.bias.as_ref().map_or(name, |bias| bias.weight);
            let element = convolution.weights.element;
            convolution.bias = Some(constant((element, vec![sums.len()]), sums, name));
        }
        Ok(Some(self.convolve(convolution)?))
    }

    /// Writes a convolution.
    pub(super) fn convolve(&mut self, convolution: Convolution<'a>) -> Reasoned<Value<'a>> {
        let Convolution { call: [before, after], weights, bias, dims, .. } = &convolution;
        let (element, dims) = (weights.element, dims.clone());
        let mut text = format!("{before}{}{after}", self.f.argument(weights)?);
        if let Some(bias) = bias {
            if bias.dims != dims[1..2] {
                return Err("a bias that has not one element for each channel".into());
            }
            let mut column = bias.dims.clone();
            column.extend(vec![Sym::from(1_usize); dims.len() - 2]);
            let shape = self.f.shape(&column);
            text += &format!(" + {}.reshape::<{shape}>()", self.f.receiver(bias)?);
        }
        let value = self.f.emit(self.hint(), element, dims, &text);
        // Products with weights of 16 bits would lose digits.
        let is_wide = matches!(element, Element::F32 | Element::F64);
        let is_constant = |value: &Value<'a>| value.known.is_some() && is_wide;
        match is_constant(weights) && bias.as_ref().is_none_or(is_constant) {
            true => Ok(self.f.noted(value, Origin::Convolution(Rc::new(convolution)))),
            false => Ok(value),
        }
    }
}

/// A tensor with these elements, rounded to its type.
fn constant<'a>(
    (element, sizes): (Element, Vec<usize>),
    numbers: Vec<f64>,
    name: Option<&'a str>,
) -> Value<'a> {
    let numbers = numbers.into_iter().map(|number| element.rounded(number)).collect();
    Value { weight: name, ..Value::known(Known { element, sizes, data: Data::Floats(numbers) }) }
}

/// The element of a constant for each channel of the results, if it broadcasts so.
fn per_channel(convolution: &Convolution<'_>, constant: &Value<'_>) -> Option<Vec<f64>> {
    let known = constant.known.as_ref()?;
    let (rank, channels) = (convolution.dims.len(), convolution.dims[1].size()?);
    let behind = rank.checked_sub(known.sizes.len())?;
    let is_one =
        |(axis, &size): (usize, &usize)| size == 1 || axis + behind == 1 && size == channels;
    if !known.sizes.iter().enumerate().all(is_one) {
        return None;
    }
    let numbers = known.floats()?;
    Some(if numbers.len() == 1 { vec![numbers[0]; channels] } else { numbers })
}

/// The channel of the results that each weight belongs to.
fn channels_of(convolution: &Convolution<'_>, sizes: &[usize]) -> impl Iterator<Item = usize> {
    let &Convolution { groups, is_transposed, .. } = convolution;
    let (rows, columns) = (sizes[0], sizes[1]);
    let taps: usize = sizes[2..].iter().product();
    (0..rows * columns * taps).map(move |position| {
        let (row, column) = (position / (columns * taps), position / taps % columns);
        // Transposed, the channels of the input are in front, and a group has `columns` channels of the results.
        if is_transposed { row / (rows / groups) * columns + column } else { row }
    })
}
