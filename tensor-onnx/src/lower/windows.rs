//! Convolutions and pooling.

use super::{Call, Lower, Results, all_static, reason, static_size};
use crate::function::{Convolution, Value};
use crate::known::{Data, Known};
use crate::operations::list;
use crate::reason::{Reason, Reasoned};
use crate::sym::Sym;

pub const TABLE: &[(&str, Lower)] = &[
    ("Conv", conv),
    ("ConvTranspose", conv_transpose),
    ("MaxPool", max_pool),
    ("AveragePool", average_pool),
    ("LpPool", lp_pool),
    ("GlobalAveragePool", |call| global(call, "mean")),
    ("GlobalMaxPool", |call| global(call, "max")),
];

/// How a window moves along each axis.
#[derive(Debug)]
pub(super) struct Window {
    sizes: Vec<usize>,
    strides: Vec<usize>,
    dilations: Vec<usize>,
    /// The padding before and after each axis.
    pads: Vec<(usize, usize)>,
}

impl Window {
    /// The elements of an axis from the first that a window reads to the last.
    fn extent(&self, axis: usize) -> usize {
        (self.sizes[axis] - 1) * self.dilations[axis] + 1
    }
}

impl<'a> Call<'_, 'a> {
    /// The window of a node over the last axes of `x`.
    pub(super) fn window(&self, x: &Value<'a>, sizes: Vec<usize>) -> Reasoned<Window> {
        let rank = sizes.len();
        if !(1..=3).contains(&rank) {
            return reason(format!("windows over {rank} axes: one to three are written"));
        }
        if x.rank() != rank + 2 {
            return reason(format!("a window over {rank} axes of a tensor with {}", x.rank()));
        }
        let numbers = |name: &str| -> Reasoned<Vec<usize>> {
            let ints = self.ints(name).map_or(vec![1; rank], <[i64]>::to_vec);
            let all: Option<Vec<usize>> = ints
                .iter()
                .map(|&int| usize::try_from(int).ok().filter(|&int| int > 0 && int < 1 << 20))
                .collect();
            match all {
                Some(all) if all.len() == rank => Ok(all),
                _ => reason(format!("`{name}` of {ints:?}")),
            }
        };
        let (strides, dilations) = (numbers("strides")?, numbers("dilations")?);
        if sizes.iter().any(|&size| size == 0 || size >= 1 << 20) {
            return reason(format!("a window of sizes {sizes:?}"));
        }
        let mut window = Window { sizes, strides, dilations, pads: vec![(0, 0); rank] };
        match &self.text("auto_pad", "NOTSET")[..] {
            "NOTSET" => {
                let pads = self.ints("pads").map_or(vec![0; 2 * rank], <[i64]>::to_vec);
                if pads.len() != 2 * rank || pads.iter().any(|&pad| !(0..1 << 20).contains(&pad)) {
                    return reason(format!("`pads` of {pads:?}"));
                }
                window.pads = (0..rank)
                    .map(|axis| (pads[axis] as usize, pads[axis + rank] as usize))
                    .collect();
            }
            "VALID" => {}
            same @ ("SAME_UPPER" | "SAME_LOWER") => {
                for axis in 0..rank {
                    let stride = window.strides[axis];
                    let total = match x.dims[axis + 2].size() {
                        Some(size) => {
                            let needed =
                                (size.div_ceil(stride).max(1) - 1) * stride + window.extent(axis);
                            needed.saturating_sub(size)
                        }
                        None if stride == 1 => window.extent(axis) - 1,
                        None => {
                            return Err(Reason::new(
                                "padding that depends on a size that is known only at run time",
                                "`--size NAME=NUMBER` fixes the size of an axis",
                            ));
                        }
                    };
                    let less = total / 2;
                    window.pads[axis] = if same == "SAME_UPPER" {
                        (less, total - less)
                    } else {
                        (total - less, less)
                    };
                }
            }
            other => return reason(format!("`auto_pad` of {other:?}")),
        }
        Ok(window)
    }

    /// The sizes of the window of a pooling.
    fn pooled_window(&self, x: &Value<'a>) -> Reasoned<Window> {
        let sizes = self.ints("kernel_shape").ok_or("no `kernel_shape`")?;
        let sizes: Option<Vec<usize>> =
            sizes.iter().map(|&size| usize::try_from(size).ok()).collect();
        self.window(x, sizes.ok_or("a negative `kernel_shape`")?)
    }

    /// The size of an axis after a window moved along it.
    fn slid(&mut self, dim: &Sym, window: &Window, axis: usize, is_ceil: bool) -> Reasoned<Sym> {
        let (before, after) = window.pads[axis];
        let (stride, extent) = (window.strides[axis], window.extent(axis));
        let Some(size) = dim.size() else {
            let change = Sym::from((before + after) as i64 - extent as i64 + 1);
            if stride == 1 {
                return dim.plus(&change).ok_or_else(|| "sizes that overflow".into());
            }
            let key = format!("{dim:?}, {before}, {after}, {stride}, {extent}, {is_ceil}");
            let hint = self.hint();
            return Ok(self.f.slid_axis(key, &format!("{hint}_axis{axis}")));
        };
        let Some(rest) = (size + before + after).checked_sub(extent) else {
            return reason(format!("a window of {extent} elements over {size} with padding"));
        };
        let mut count = rest / stride + 1;
        if is_ceil {
            count = rest.div_ceil(stride) + 1;
            // The last window starts within the axis or the padding before it.
            if (count - 1) * stride >= size + before {
                count -= 1;
            }
        }
        Ok(Sym::from(count))
    }

    /// The options of a window as Rust writes them, and the sizes of the results.
    fn options(
        &mut self,
        x: &Value<'a>,
        window: &Window,
        is_ceil: bool,
    ) -> Reasoned<(String, Vec<Sym>)> {
        let mut text = String::new();
        let rank = window.sizes.len();
        let equal = |all: &[usize]| all.iter().all(|&one| one == all[0]);
        let mut option = |one: &str, each: &str, all: &[usize], default: usize| match equal(all) {
            true if all[0] == default => {}
            true => text += &format!(".{one}::<{}>()", all[0]),
            false => text += &format!(".{each}::<{}>()", list(all)),
        };
        option("stride", "strides", &window.strides, 1);
        let both: Vec<usize> = window.pads.iter().map(|pad| pad.0).collect();
        match window.pads.iter().all(|(before, after)| before == after) {
            true => option("padding", "paddings", &both, 0),
            false => {
                let sides: Vec<usize> =
                    window.pads.iter().flat_map(|&(before, after)| [before, after]).collect();
                text += &format!(".padding_sides::<{}>()", list(&sides));
            }
        }
        let dilations = &window.dilations;
        match equal(dilations) {
            true if dilations[0] == 1 => {}
            // Three axes have `dilations` alone.
            true if rank < 3 => text += &format!(".dilation::<{}>()", dilations[0]),
            _ => text += &format!(".dilations::<{}>()", list(dilations)),
        }
        let mut dims = Vec::new();
        for axis in 0..rank {
            dims.push(self.slid(&x.dims[axis + 2].clone(), window, axis, is_ceil)?);
        }
        Ok((text, dims))
    }

    /// The names of axes that the types do not compute.
    fn named(&mut self, x: &Value<'a>, dims: &[Sym]) -> String {
        if x.dims[2..].iter().all(|dim| dim.size().is_some()) {
            return String::new();
        }
        let names: Vec<String> = dims.iter().map(|dim| self.f.axis_type(dim)).collect();
        format!(".named::<{}>()", names.join(", "))
    }
}

/// The sizes of filters after the channels.
fn filter_sizes(weights: &Value<'_>) -> Reasoned<Vec<usize>> {
    let sizes = all_static(weights, "filters")?;
    if sizes.len() < 3 {
        return reason(format!("filters with {} axes", sizes.len()));
    }
    Ok(sizes[2..].to_vec())
}

pub(super) fn convolved<'a>(
    call: &mut Call<'_, 'a>,
    x: &Value<'a>,
    weights: &Value<'a>,
    bias: Option<&Value<'a>>,
) -> Reasoned<Value<'a>> {
    let window = call.window(x, filter_sizes(weights)?)?;
    let rank = window.sizes.len();
    let groups = usize::try_from(call.int("group", 1)).ok().filter(|&groups| groups > 0);
    let groups = groups.ok_or("groups that are not positive")?;
    let channels = weights.dims[1].times(&Sym::from(groups));
    if channels.as_ref() != Some(&x.dims[1]) {
        return reason("channels of the filters that differ from those of the input");
    }
    let (mut options, dims) = call.options(x, &window, false)?;
    if groups != 1 {
        options += &format!(".groups::<{groups}>()");
    }
    options += &call.named(x, &dims);
    let written = [
        format!("{}.conv{rank}d(", call.f.receiver(x)?),
        format!(", Conv{rank}dOptions::new(){options})"),
    ];
    call.convolve(Convolution {
        call: written,
        dims: [&[x.dims[0].clone(), weights.dims[0].clone()][..], &dims].concat(),
        weights: weights.clone(),
        bias: bias.cloned(),
        groups,
        is_transposed: false,
        depth: call.f.depth(),
    })
}

fn conv<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, weights, bias) = (call.input(0)?, call.input(1)?, call.optional(2));
    Ok(vec![convolved(call, &x, &weights, bias.as_ref())?])
}

fn conv_transpose<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, weights) = (call.input(0)?, call.input(1)?);
    let sizes = filter_sizes(&weights)?;
    let rank = sizes.len();
    let auto = call.text("auto_pad", "NOTSET");
    // Padding is that of the result, which is cut.
    let unpadded = sizes.clone();
    let mut window = match auto == "NOTSET" {
        true => call.window(&x, unpadded)?,
        false => {
            let strides = call.ints("strides").map_or(vec![1; rank], <[i64]>::to_vec);
            let dilations = call.ints("dilations").map_or(vec![1; rank], <[i64]>::to_vec);
            let numbers =
                |ints: Vec<i64>| ints.iter().map(|&int| int.clamp(1, 1 << 20) as usize).collect();
            Window {
                sizes: unpadded,
                strides: numbers(strides),
                dilations: numbers(dilations),
                pads: vec![(0, 0); rank],
            }
        }
    };
    if window.strides.len() != rank || x.rank() != rank + 2 || rank > 3 {
        return reason("strides of another number of axes");
    }
    let groups = usize::try_from(call.int("group", 1)).ok().filter(|&groups| groups > 0);
    let groups = groups.ok_or("groups that are not positive")?;
    let more = call.ints("output_padding").map_or(vec![0; rank], <[i64]>::to_vec);
    let wanted = call.ints("output_shape").map(<[i64]>::to_vec);
    let mut whole = Vec::new();
    let mut cuts = Vec::new();
    for axis in 0..rank {
        let dim = x.dims[axis + 2].clone();
        let (stride, extent) = (window.strides[axis] as i64, window.extent(axis) as i64);
        let full =
            dim.times(&Sym::from(stride)).and_then(|all| all.plus(&Sym::from(extent - stride)));
        let full = full.ok_or("sizes that overflow")?;
        let more = more.get(axis).copied().unwrap_or(0).clamp(0, 1 << 20);
        // What is cut so that this size is left.
        let wanted = match &wanted {
            Some(sizes) if auto != "VALID" => {
                Some(Sym::from(sizes.get(axis).copied().unwrap_or(0)))
            }
            None if auto.starts_with("SAME") => dim.times(&Sym::from(stride)),
            _ => None,
        };
        let (before, after) = match wanted {
            Some(wanted) => {
                let total =
                    full.minus(&wanted).and_then(|total| total.number()).map(|total| total + more);
                let total =
                    total.ok_or("a size that depends on one that is known only at run time")?;
                let half = total.div_euclid(2);
                if auto == "SAME_UPPER" { (half, total - half) } else { (total - half, half) }
            }
            None => (window.pads[axis].0 as i64, window.pads[axis].1 as i64),
        };
        whole.push(full);
        cuts.push((before, after - more));
    }
    let filters = weights.dims[1].times(&Sym::from(groups)).ok_or("sizes that overflow")?;
    if weights.dims[0] != x.dims[1] {
        return reason("channels of the filters that differ from those of the input");
    }
    let fits = cuts.iter().all(|&(before, after)| before >= 0 && after >= 0);
    let mut dims = vec![x.dims[0].clone(), filters];
    if fits {
        window.pads =
            cuts.iter().map(|&(before, after)| (before as usize, after as usize)).collect();
        for (size, &(before, after)) in whole.iter_mut().zip(&window.pads) {
            let left = size.minus(&Sym::from(before + after)).ok_or("sizes that overflow")?;
            if left.number().is_some_and(|left| left < 0) {
                return reason("padding of more than the result has");
            }
            *size = left;
        }
    } else {
        window.pads = vec![(0, 0); rank];
    }
    dims.extend(whole.iter().cloned());
    let (mut options, _) =
        call.options(&x, &Window { sizes: vec![1; rank], ..window }, false).or_else(|_| {
            // The sizes of the convolution do not matter here.
            reason::<(String, Vec<Sym>)>("padding of more than the input has")
        })?;
    if groups != 1 {
        options += &format!(".groups::<{groups}>()");
    }
    options += &call.named(&x, &dims[2..]);
    let written = [
        format!("{}.conv_transpose{rank}d(", call.f.receiver(&x)?),
        format!(", Conv{rank}dOptions::new(){options})"),
    ];
    let bias = call.optional(2);
    let mut y = call.convolve(Convolution {
        call: written,
        weights,
        bias: bias.clone().filter(|_| fits),
        groups,
        is_transposed: true,
        dims,
        depth: call.f.depth(),
    })?;
    if fits {
        return Ok(vec![y]);
    }
    {
        let mut amounts = vec![(0, 0); x.rank()];
        for (axis, &(before, after)) in cuts.iter().enumerate() {
            let size = static_size(&y.dims[axis + 2], "an axis")?;
            let last = size
                .checked_sub(after.max(0) as usize)
                .ok_or("padding of more than the result has")?;
            y = call.f.range(call.hint(), &y, axis + 2, before.max(0) as usize..last)?;
            amounts[axis + 2] = ((-before).max(0) as usize, (-after).max(0) as usize);
        }
        let padding = format!("Padding::Constant({})", call.literal(y.element, 0.0));
        y = call.f.pad(call.hint(), &y, &amounts, &padding)?;
    }
    let Some(bias) = bias else { return Ok(vec![y]) };
    let bias = call.per_channel("bias", &bias, y.rank())?;
    Ok(vec![call.f.add(call.hint(), &y, &bias)?])
}

/// The window as the options of a pooling: `Pool2dOptions::new::<3>()`.
fn pool_options(window: &Window) -> String {
    let rank = window.sizes.len();
    match window.sizes.iter().all(|&size| size == window.sizes[0]) {
        true => format!("Pool{rank}dOptions::new::<{}>()", window.sizes[0]),
        false => format!("Pool{rank}dOptions::sizes::<{}>()", list(&window.sizes)),
    }
}

/// A pooling. Its stride is the window unless it is set.
fn pooled<'a>(
    call: &mut Call<'_, 'a>,
    name: &str,
    x: &Value<'a>,
    window: &Window,
    more: &str,
) -> Reasoned<Value<'a>> {
    let rank = window.sizes.len();
    let is_ceil = call.int("ceil_mode", 0) != 0;
    let (mut options, dims) = call.options(x, window, is_ceil)?;
    if !options.contains(".stride") {
        options = format!(".stride::<1>(){options}");
    }
    if is_ceil {
        options += ".ceil_mode()";
    }
    options += &call.named(x, &dims);
    let pool = pool_options(window);
    let text = format!("{}.{name}{rank}d({pool}{options}{more})", call.f.receiver(x)?);
    let dims = [&x.dims[..2], &dims].concat();
    Ok(call.f.emit(call.hint(), x.element, dims, &text))
}

/// Whether padding is more than half of the window.
fn is_large(window: &Window, axis: usize) -> bool {
    let (before, after) = window.pads[axis];
    before.max(after) > window.sizes[axis] / 2
}

/// The means of windows with much padding: their sums, by the numbers of elements that they have.
fn average_of_few<'a>(
    call: &mut Call<'_, 'a>,
    x: &Value<'a>,
    mut window: Window,
) -> Reasoned<Value<'a>> {
    let mut counts = call.number(x.element, window.sizes.iter().product::<usize>() as f64);
    let rank = window.sizes.len();
    for axis in 0..rank {
        let size = static_size(&x.dims[axis + 2], "an axis with padding")?;
        let count = call.slid(&Sym::from(size), &window, axis, call.int("ceil_mode", 0) != 0)?;
        let count = static_size(&count, "an axis with padding")?;
        let elements = |position: usize| {
            let first = position * window.strides[axis];
            let all = (0..window.sizes[axis]).map(|step| first + step * window.dilations[axis]);
            all.filter(|at| (window.pads[axis].0..window.pads[axis].0 + size).contains(at)).count()
        };
        let shares = (0..count)
            .map(|position| elements(position) as f64 / window.sizes[axis] as f64)
            .collect();
        let mut sizes = vec![1; rank];
        sizes[axis] = count;
        let shares = Value::known(Known { element: x.element, sizes, data: Data::Floats(shares) });
        counts = call.f.mul("counts", &counts, &shares)?;
    }
    let zero = call.literal(x.element, 0.0);
    let x = padded(call, x, &mut window, &zero)?;
    let mean = pooled(call, "avg_pool", &x, &window, "")?;
    let sum = call.f.scaled("sum", &mean, window.sizes.iter().product::<usize>() as f64)?;
    call.f.div(call.hint(), &sum, &counts)
}

/// The tensor with the padding of a window that pooling does not take: more than half of the window.
fn padded<'a>(
    call: &mut Call<'_, 'a>,
    x: &Value<'a>,
    window: &mut Window,
    literal: &str,
) -> Reasoned<Value<'a>> {
    if !(0..window.sizes.len()).any(|axis| is_large(window, axis)) {
        return Ok(x.clone());
    }
    let amounts = [&[(0, 0), (0, 0)][..], &window.pads].concat();
    window.pads = vec![(0, 0); window.sizes.len()];
    call.f.pad("padded", x, &amounts, &format!("Padding::Constant({literal})"))
}

fn max_pool<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    if call.needs(1) {
        return reason("the indices of the largest elements");
    }
    let mut window = call.pooled_window(&x)?;
    let smallest = match x.element.is_float() {
        true => call.literal(x.element, f64::NEG_INFINITY),
        false => format!("{}::MIN", x.element.name()),
    };
    let x = padded(call, &x, &mut window, &smallest)?;
    Ok(vec![pooled(call, "max_pool", &x, &window, "")?])
}

fn average_pool<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let mut window = call.pooled_window(&x)?;
    let counts = call.int("count_include_pad", 0) != 0;
    let has_padding = window.pads.iter().any(|&pad| pad != (0, 0));
    let zero = call.literal(x.element, 0.0);
    if !counts && (0..window.sizes.len()).any(|axis| is_large(&window, axis)) {
        return Ok(vec![average_of_few(call, &x, window)?]);
    }
    let x_padded = if counts { padded(call, &x, &mut window, &zero)? } else { x };
    let more = if has_padding && !counts { ".count_include_pad(false)" } else { "" };
    Ok(vec![pooled(call, "avg_pool", &x_padded, &window, more)?])
}

fn lp_pool<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let mut window = call.pooled_window(&x)?;
    let p = call.int("p", 2);
    if p < 1 || call.int("ceil_mode", 0) != 0 {
        return reason(format!("p = {p}, or `ceil_mode`"));
    }
    let sizes = call.f.unary("sizes", "abs", &x)?;
    let exponent = call.number(x.element, p as f64);
    let powers = if p == 1 { sizes } else { call.f.method("powers", "pow", &sizes, &exponent)? };
    let zero = call.literal(x.element, 0.0);
    let powers = padded(call, &powers, &mut window, &zero)?;
    let mean = pooled(call, "avg_pool", &powers, &window, "")?;
    let count: usize = window.sizes.iter().product();
    let sum = call.f.scaled("sum", &mean, count as f64)?;
    let root = call.number(x.element, 1.0 / p as f64);
    Ok(vec![if p == 1 { sum } else { call.f.method(call.hint(), "pow", &sum, &root)? }])
}

fn global<'a>(call: &mut Call<'_, 'a>, name: &str) -> Results<'a> {
    let x = call.input(0)?;
    let axes: Vec<usize> = (2..x.rank()).collect();
    Ok(vec![call.f.reduce(call.hint(), name, &x, &axes, true)?])
}
