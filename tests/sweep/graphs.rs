//! Random graphs of operations on random views: gradients compared with central differences.

use tensor_core::{DynTensor, Padding};

type Tensor = DynTensor<f64>;

/// A generator of numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }

    /// From -2 to 2, not at an integer, where operations may have an edge.
    fn number(&mut self) -> f64 {
        (self.below(3999) as f64 - 1999.5) / 1000.0
    }

    fn axis(&mut self, x: &Tensor) -> isize {
        self.below(x.rank()) as isize
    }
}

/// A view, or other elements of the same tensor.
fn moved(x: &Tensor, random: &mut Random) -> Tensor {
    let axis = random.axis(x);
    let size = x.sizes()[axis as usize];
    let y = match random.below(16) {
        0 => x.swap_axes(axis, -1),
        1 => x.flip(&[axis]),
        2 if size > 1 => x.slice_axis(axis, 1..),
        3 => x.slice_axis_step(axis, 0, None, 2),
        4 => x.slice_axis_step(axis, 0, None, -2),
        5 if x.rank() > 1 => x.diagonal(0, 0, -1).and_then(|y| y.unsqueeze(0)),
        6 if size > 1 && x.rank() < 4 => x.windows(axis, 2),
        7 if x.rank() < 4 => x.unsqueeze(axis),
        8 => x.roll(axis, 1),
        9 => x.pad(&vec![[1, 0]; x.rank()], Padding::Reflect),
        10 => x.repeat(axis, 2),
        11 => x.slice_axis(axis, ..1).and_then(|y| y.expand(x.sizes())),
        12 => x.reshape(&[x.len()]).and_then(|y| y.unsqueeze(random.below(2) as isize)),
        13 => x.tril(0),
        14 => x.move_axis(axis, 0),
        _ => Ok(x.contiguous()),
    };
    y.unwrap_or_else(|_| x.clone())
}

/// One more value, of two that are there.
fn combined(x: &Tensor, y: &Tensor, random: &mut Random) -> Tensor {
    let axis = random.axis(x);
    let result = match random.below(24) {
        0 => x + y,
        1 => x * y,
        2 => x - y,
        3 => x / &(y.square() + 1.5),
        4 => Ok(x.tanh()),
        5 => Ok(x.sin()),
        6 => Ok((x * 0.3).exp_m1()),
        7 => Ok((x.square() + 0.5).ln()),
        8 => Ok((x.square() + 0.5).sqrt()),
        9 => Ok(x.gelu_tanh()),
        10 => Ok(x.softplus()),
        11 => x.softmax(axis),
        12 => x.log_softmax(axis),
        13 => x.cumsum(axis),
        14 => x.cumprod(axis),
        15 => x.logsumexp_axis(axis).and_then(|y| y.unsqueeze(axis)),
        16 => x.mean_axis_keepdims(axis),
        17 => x.prod_axis_keepdims(axis),
        18 => x.layer_norm(axis, 0.5),
        19 => x.transpose().and_then(|y| x.matmul(&y)),
        20 => x.hypot(y).map(|z| z + 0.0),
        21 => x.concat(x, axis),
        22 => x.logaddexp(y),
        _ => x.var_axis_keepdims(axis),
    };
    result.unwrap_or_else(|_| x.cos())
}

/// The loss of a graph whose shape depends on the seed alone.
fn loss(seed: u64, variables: &[Tensor]) -> Tensor {
    let mut random = Random(seed);
    let mut values = variables.to_vec();
    for _ in 0..3 + random.below(4) {
        let (first, second) = (random.below(values.len()), random.below(values.len()));
        let (x, y) = (moved(&values[first], &mut random), moved(&values[second], &mut random));
        let value = combined(&x, &y, &mut random);
        if value.len() <= 4000 && value.rank() > 0 {
            values.push(value);
        }
    }
    let last = values.last().expect("a value");
    let weights = DynTensor::from_fn(last.sizes(), |index| {
        0.5 + ((index.iter().sum::<usize>() * 7) % 11) as f64 * 0.1
    });
    (last * &weights).expect("equal shapes").sum()
}

/// The sum of the gradients of a graph.
fn slope(seed: u64, variables: &[Tensor]) -> Tensor {
    let recorded: Vec<Tensor> = variables
        .iter()
        .map(|x| if x.is_tracked() { x.clone() } else { x.requires_grad() })
        .collect();
    let gradients = loss(seed, &recorded).tracked_gradients(&recorded.iter().collect::<Vec<_>>());
    let sums = gradients.iter().map(Tensor::sum);
    sums.reduce(|a, b| (&a + &b).expect("rank 0")).expect("a variable")
}

/// Whether the gradients of a function were compared: not those of numbers too large for differences.
fn check(seed: u64, function: fn(u64, &[Tensor]) -> Tensor) -> Result<bool, String> {
    let mut random = Random(seed ^ 0x9e37_79b9);
    random.below(2);
    let sizes = [[2, 3, 2], [3, 1, 2], [1, 4, 3]][random.below(3)];
    let variables: Vec<Tensor> = [sizes, [1, sizes[1], 1]]
        .iter()
        .map(|sizes| DynTensor::from_fn(sizes, |_| random.number()).requires_grad())
        .collect();
    let y = function(seed, &variables);
    let value = y.item().map_err(|error| error.to_string())?;
    if !y.is_tracked() || !value.is_finite() || value.abs() > 1e4 {
        return Ok(false);
    }
    let gradients = y.gradients(&variables.iter().collect::<Vec<_>>());
    for (number, gradient) in gradients.iter().enumerate() {
        for (index, &got) in gradient.to_vec().iter().enumerate() {
            let at = |step: f64| {
                let mut moved: Vec<Tensor> = variables.iter().map(DynTensor::detach).collect();
                moved[number].as_mut_slice()[index] += step;
                function(seed, &moved).item().unwrap()
            };
            // Of the fourth order.
            let h = 1e-3;
            let want = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
            if (got - want).abs() > 1e-5 * want.abs().max(1.0) {
                return Err(format!("d{number}[{index}] is {got}, not {want}"));
            }
        }
    }
    Ok(true)
}

/// Compares the gradients of `count` graphs, or of the number in the environment variable `GRAPHS`.
fn check_all(count: u64, function: fn(u64, &[Tensor]) -> Tensor) {
    let count = std::env::var("GRAPHS").map_or(count, |count| count.parse().expect("a number"));
    let (mut compared, mut wrong) = (0, Vec::new());
    for seed in 0..count {
        let checked = std::panic::catch_unwind(|| check(seed, function));
        match checked.unwrap_or_else(|_| Err("a panic".to_owned())) {
            Ok(is_compared) => compared += u64::from(is_compared),
            Err(error) => wrong.push(format!("graph {seed}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > count / 2, "{compared} of {count} were compared");
}

#[test]
fn gradients_of_random_graphs_are_differences() {
    check_all(200, loss);
}

#[test]
fn second_gradients_of_random_graphs_are_differences() {
    check_all(60, slope);
}
