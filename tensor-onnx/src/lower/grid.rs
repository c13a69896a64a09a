//! Elements at positions between them: `GridSample`, and the grids of `AffineGrid`.

use super::indices::take_along;
use super::{Call, Lower, Results, all_static, reason};
use crate::element::Element;
use crate::function::Value;
use crate::known::{Data, Known, MOST_FOLDED};
use crate::reason::Reasoned;
use crate::sym::{Sym, product};

pub const TABLE: &[(&str, Lower)] = &[("GridSample", grid_sample), ("AffineGrid", affine_grid)];

/// The most neighbours of a position: those of cubic interpolation along two axes.
const MOST_NEIGHBOURS: usize = 16;

/// A neighbour along an axis: its index, its weight, and whether it is within the axis.
struct Neighbour<'a> {
    index: Value<'a>,
    weight: Option<Value<'a>>,
    is_within: Option<Value<'a>>,
}

/// How positions outside of an axis of `size` elements are read.
struct Border {
    padding: String,
    size: f64,
    /// The positions at which reflection turns.
    low: f64,
    high: f64,
}

impl<'a> Call<'_, 'a> {
    /// An operation of a tensor and a number.
    fn by(&mut self, operator: &str, x: &Value<'a>, number: f64) -> Reasoned<Value<'a>> {
        let number = self.number(x.element, number);
        match operator {
            "maximum" | "minimum" | "greater_equal" | "less_equal" => {
                self.f.method("bound", operator, x, &number)
            }
            _ => self.f.operator("place", operator, x, &number),
        }
    }

    fn clamped(&mut self, x: &Value<'a>, border: &Border) -> Reasoned<Value<'a>> {
        let above = self.by("maximum", x, 0.0)?;
        self.by("minimum", &above, border.size - 1.0)
    }

    fn reflected(&mut self, x: &Value<'a>, border: &Border) -> Reasoned<Value<'a>> {
        let range = border.high - border.low;
        if range == 0.0 {
            return self.by("*", x, 0.0);
        }
        let moved = self.by("-", x, border.low)?;
        let distance = self.f.unary("distance", "abs", &moved)?;
        let within = self.by("%", &distance, 2.0 * range)?;
        let turned = self.by("-", &within, range)?;
        let turned = self.f.unary("turned", "abs", &turned)?;
        let high = self.number(x.element, range);
        let back = self.f.sub("back", &high, &turned)?;
        self.by("+", &back, border.low)
    }

    /// A position, moved into the axis unless what is outside counts as 0.
    fn moved_in(&mut self, x: &Value<'a>, border: &Border) -> Reasoned<Value<'a>> {
        match &border.padding[..] {
            "border" => self.clamped(x, border),
            "reflection" => self.reflected(x, border),
            _ => Ok(x.clone()),
        }
    }

    /// The neighbour at a position that is an integer.
    fn neighbour(
        &mut self,
        place: &Value<'a>,
        weight: Option<Value<'a>>,
        border: &Border,
    ) -> Reasoned<Neighbour<'a>> {
        let moved = self.moved_in(place, border)?;
        let is_within = match &border.padding[..] {
            "zeros" => {
                let low = self.by("greater_equal", place, 0.0)?;
                let high = self.by("less_equal", place, border.size - 1.0)?;
                Some(self.f.operator("is_within", "&", &low, &high)?)
            }
            _ => None,
        };
        let clamped = self.clamped(&moved, border)?;
        let index = self.f.cast("index", &clamped, Element::I64)?;
        Ok(Neighbour { index, weight, is_within })
    }

    /// The neighbours of positions along an axis, with their weights.
    fn neighbours(
        &mut self,
        place: &Value<'a>,
        mode: &str,
        border: &Border,
    ) -> Reasoned<Vec<Neighbour<'a>>> {
        if mode == "nearest" {
            let nearest = self.f.unary("nearest", "round", place)?;
            let nearest = self.moved_in(&nearest, border)?;
            return Ok(vec![self.neighbour(&nearest, None, border)?]);
        }
        let place = self.moved_in(place, border)?;
        let first = self.f.unary("first", "floor", &place)?;
        let t = self.f.sub("t", &place, &first)?;
        let one = self.number(t.element, 1.0);
        let rest = self.f.sub("rest", &one, &t)?;
        let weights = match mode {
            "linear" | "bilinear" => vec![(0.0, rest), (1.0, t)],
            "cubic" | "bicubic" => {
                let far_left = self.by("+", &t, 1.0)?;
                let far_right = self.by("+", &rest, 1.0)?;
                let outer = |call: &mut Self, x: &Value<'a>| {
                    // ((a·x - 5a)·x + 8a)·x - 4a
                    let y = call.by("*", x, -0.75)?;
                    let y = call.by("+", &y, 3.75)?;
                    let y = call.f.mul("y", &y, x)?;
                    let y = call.by("-", &y, 6.0)?;
                    let y = call.f.mul("y", &y, x)?;
                    call.by("+", &y, 3.0)
                };
                let inner = |call: &mut Self, x: &Value<'a>| {
                    // ((a + 2)·x - (a + 3))·x² + 1
                    let y = call.by("*", x, 1.25)?;
                    let y = call.by("-", &y, 2.25)?;
                    let y = call.f.mul("y", &y, x)?;
                    let y = call.f.mul("y", &y, x)?;
                    call.by("+", &y, 1.0)
                };
                vec![
                    (-1.0, outer(self, &far_left)?),
                    (0.0, inner(self, &t)?),
                    (1.0, inner(self, &rest)?),
                    (2.0, outer(self, &far_right)?),
                ]
            }
            other => return reason(format!("the mode {other:?}")),
        };
        let mut all = Vec::new();
        for (step, weight) in weights {
            let at = if step == 0.0 { first.clone() } else { self.by("+", &first, step)? };
            all.push(self.neighbour(&at, Some(weight), border)?);
        }
        Ok(all)
    }
}

fn grid_sample<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, grid) = (call.input(0)?, call.input(1)?);
    let rank = x.rank().saturating_sub(2);
    if !(1..=3).contains(&rank)
        || grid.rank() != rank + 2
        || grid.element != x.element
        || !x.element.is_float()
    {
        return reason(format!("a grid with {} axes for {}", grid.rank(), x.rank()));
    }
    let sizes = all_static(&x, "an axis that is sampled")?;
    if sizes[2..].contains(&0) {
        return reason("an axis without elements");
    }
    let mode = call.text("mode", "linear");
    let padding = call.text("padding_mode", "zeros");
    let aligns = call.int("align_corners", 0) != 0;
    let neighbours: usize = match &mode[..] {
        "nearest" => 1,
        "cubic" | "bicubic" => 4_usize.pow(rank as u32),
        _ => 2_usize.pow(rank as u32),
    };
    if neighbours > MOST_NEIGHBOURS {
        return reason(format!("{neighbours} neighbours of a position"));
    }
    let count = product(&grid.dims[1..=rank]).ok_or("sizes that overflow")?;
    let mut axes = Vec::new();
    for (axis, &size) in sizes[2..].iter().enumerate() {
        let place = call.number(Element::I64, (rank - 1 - axis) as f64);
        let place = call.f.take("place", &grid, rank + 1, &place)?;
        let place = call.f.reshape(
            "place",
            &place,
            &[x.dims[0].clone(), Sym::from(1_usize), count.clone()],
        )?;
        let size = size as f64;
        let moved = call.by("+", &place, 1.0)?;
        let place = match aligns {
            true => call.by("*", &moved, (size - 1.0) / 2.0)?,
            false => {
                let scaled = call.by("*", &moved, size)?;
                let moved = call.by("-", &scaled, 1.0)?;
                call.by("/", &moved, 2.0)?
            }
        };
        let (low, high) = if aligns { (0.0, size - 1.0) } else { (-0.5, size - 0.5) };
        let border = Border { padding: padding.clone(), size, low, high };
        axes.push(call.neighbours(&place, &mode, &border)?);
    }
    let all = Sym::from(sizes[2..].iter().product::<usize>());
    let flat = call.f.reshape("flat", &x, &[x.dims[0].clone(), x.dims[1].clone(), all])?;
    let dims = [x.dims[0].clone(), x.dims[1].clone(), count];
    let mut sum: Option<Value<'a>> = None;
    for number in 0..neighbours {
        let mut rest = number;
        let (mut index, mut weight, mut mask): (
            Option<Value<'a>>,
            Option<Value<'a>>,
            Option<Value<'a>>,
        ) = Default::default();
        for (axis, each) in axes.iter().enumerate() {
            let Neighbour { index: at, weight: by, is_within } = &each[rest % each.len()];
            rest /= each.len();
            index = Some(match index {
                None => at.clone(),
                Some(index) => {
                    let scaled = call.by("*", &index, sizes[axis + 2] as f64)?;
                    call.f.add("index", &scaled, at)?
                }
            });
            weight = match (weight, by) {
                (Some(weight), Some(by)) => Some(call.f.mul("weight", &weight, by)?),
                (weight, by) => weight.or(by.clone()),
            };
            mask = match (mask, is_within) {
                (Some(mask), Some(is_within)) => {
                    Some(call.f.operator("mask", "&", &mask, is_within)?)
                }
                (mask, is_within) => mask.or(is_within.clone()),
            };
        }
        let index = index.ok_or("no axes")?;
        let index = call.f.expand("index", &index, &dims)?;
        let mut value = take_along(call, "value", &flat, &index, 2)?;
        if let Some(weight) = weight {
            value = call.f.mul("value", &value, &weight)?;
        }
        if let Some(mask) = mask {
            let zero = call.number(x.element, 0.0);
            value = call.f.select("value", &mask, &value, &zero)?;
        }
        sum = Some(match sum {
            None => value,
            Some(sum) => call.f.add("sum", &sum, &value)?,
        });
    }
    let sum = sum.ok_or("no neighbours")?;
    let dims = [&x.dims[..2], &grid.dims[1..=rank]].concat();
    Ok(vec![call.f.reshape(call.hint(), &sum, &dims)?])
}

/// Positions of the elements of an image, turned and moved by a matrix for each image of the batch.
fn affine_grid<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let theta = call.input(0)?;
    let sizes = call.known_ints(1, "the size")?;
    let sizes: Option<Vec<usize>> = sizes.iter().map(|&size| usize::try_from(size).ok()).collect();
    let sizes = sizes
        .filter(|sizes| sizes.len() == 4 || sizes.len() == 5)
        .ok_or("a size that is not of four or five axes")?;
    let aligns = call.int("align_corners", 0) != 0;
    let space = &sizes[2..];
    let (rank, count) =
        (space.len(), space.iter().try_fold(1_usize, |count, &size| count.checked_mul(size)));
    let count = count
        .filter(|count| count.saturating_mul(rank + 1) <= MOST_FOLDED)
        .ok_or("a grid of more than 4,096 numbers")?;
    let place = |size: usize, index: usize| match (aligns, size) {
        (true, 1) => 0.0,
        (true, size) => 2.0 * index as f64 / (size as f64 - 1.0) - 1.0,
        (false, size) => (2.0 * index as f64 + 1.0) / size as f64 - 1.0,
    };
    // A row for each position: its last coordinate first, and 1.
    let mut rows = Vec::new();
    for mut position in 0..count {
        let mut row = Vec::new();
        for &size in space.iter().rev() {
            row.push(theta.element.rounded(place(size, position % size)));
            position /= size;
        }
        row.push(1.0);
        rows.extend(row);
    }
    let known =
        Known { element: theta.element, sizes: vec![count, rank + 1], data: Data::Floats(rows) };
    let turned = call.f.permute("turned", &theta, &[0, 2, 1])?;
    let grid = call.f.matmul("grid", &Value::known(known), &turned)?;
    let mut dims = vec![theta.dims[0].clone()];
    dims.extend(space.iter().map(|&size| Sym::from(size)));
    dims.push(Sym::from(rank));
    Ok(vec![call.f.reshape(call.hint(), &grid, &dims)?])
}
