//! Random tensors: the same for a seed everywhere, and distributed as they say.

use rand::SeedableRng;
use rand::rngs::Xoshiro128PlusPlus;
use rand_distr::{Exp1, Poisson};
use tensor_core::random::{Fans, Generator};
use tensor_core::{DynTensor, Shape, Tensor, axis, shape, tensor};

/// xoshiro256++ seeded by SplitMix64, from the reference of Blackman and Vigna.
struct Reference([u64; 4]);

impl Reference {
    fn seed(mut seed: u64) -> Self {
        Self([(); 4].map(|()| {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }))
    }

    fn next(&mut self) -> u64 {
        let [a, b, c, d] = self.0;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.0 = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }
}

#[test]
fn uniform_numbers_are_the_upper_53_bits() {
    let x: Tensor<shape![1000], f64> = Generator::seed(42).uniform(0.0, 1.0);
    let mut reference = Reference::seed(42);
    let expected: Vec<f64> =
        (0..1000).map(|_| (reference.next() >> 11) as f64 * 2f64.powi(-53)).collect();
    assert_eq!(x.to_vec(), expected);
}

/// Seeds are promised to give the same numbers: a change of these values is a breaking change.
#[test]
fn a_seed_gives_these_numbers() {
    let mut rng = Generator::seed(42);
    let normal: Tensor<shape![4], f64> = rng.normal(0.0, 1.0);
    let truncated: Tensor<shape![3]> = rng.truncated_normal(1.0, 0.5);
    let integers: Tensor<shape![8], i32> = rng.integers(-3..4);
    let mask: Tensor<shape![8], bool> = rng.bernoulli(0.25);
    let order = rng.permutation(8);
    let said = format!(
        "{:?} {:?} {:?} {:?} {order:?}",
        normal.to_vec(),
        truncated.to_vec(),
        integers.to_vec(),
        mask.to_vec()
    );
    assert_eq!(said, GOLDEN);
}

const GOLDEN: &str = "[0.8343975468437959, -0.514962928147295, 1.40772757311975, 0.46445486122523566] \
    [1.4768335, 1.1370578, 0.31134138] [1, -2, 3, 0, 2, 1, -3, -1] \
    [false, true, true, false, false, true, false, false] [5, 6, 1, 0, 3, 2, 4, 7]";

/// The numbers of a step are those of SplitMix64, from a key that is a number of SplitMix64 itself.
#[test]
fn a_seed_and_a_step_give_these_numbers() {
    let key = SplitMix(SplitMix(7).finalised()).after(3);
    let expected: Vec<u64> = (0..12).map(|index| SplitMix(key).after(index)).collect();
    let mut rng = Generator::at(7, &Tensor::scalar(3));
    let first: Tensor<shape![2, 4], f64> = rng.uniform(0.0, 1.0);
    let unit = |bits: &u64| (bits >> 11) as f64 * 2f64.powi(-53);
    assert_eq!(first.to_vec(), expected[..8].iter().map(unit).collect::<Vec<_>>());
    let second: Tensor<shape![4], i32> = rng.integers(-50..50);
    let integer = |bits: &u64| (bits % 100) as i32 - 50;
    assert_eq!(second.to_vec(), expected[8..].iter().map(integer).collect::<Vec<_>>());
}

struct SplitMix(u64);

impl SplitMix {
    fn finalised(self) -> u64 {
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn after(self, steps: u64) -> u64 {
        Self(self.0.wrapping_add(steps.wrapping_mul(0x9e37_79b9_7f4a_7c15))).finalised()
    }
}

/// Neighbours in every direction: indices, draws, steps and seeds.
#[test]
fn numbers_of_neighbours_are_independent() {
    type X = Tensor<shape![100, 100], f64>;
    let draw = |seed, step| -> (X, X) {
        let mut rng = Generator::at(seed, &Tensor::scalar(step));
        (rng.normal(0.0, 1.0), rng.normal(0.0, 1.0))
    };
    let (x, next_draw) = draw(1, 1);
    let others = [
        next_draw,
        draw(1, 2).0,
        draw(2, 1).0,
        draw(1, -1).0,
        Generator::at(1, &Tensor::scalar(1)).split().normal(0.0, 1.0),
        x.roll::<0>(1),
        x.roll::<1>(1),
    ];
    for (number, other) in others.into_iter().enumerate() {
        let correlation = (&x * other).mean().item();
        assert!(correlation.abs() < 0.04, "{number}: {correlation}");
    }
}

#[test]
fn the_three_forms_draw_the_same() {
    axis!(Batch);
    let typed: Tensor<shape![5, 7]> = Generator::seed(3).normal(1.0, 2.0);
    let shaped: Tensor<_> = Generator::seed(3).normal_shaped(shape![Batch(5), 7], 1.0, 2.0);
    let dynamic: DynTensor = Generator::seed(3).normal_dyn(&[5, 7], 1.0, 2.0);
    assert_eq!(typed.to_vec(), shaped.to_vec());
    assert_eq!(DynTensor::from(typed), dynamic);
}

/// Mean, variance, and the two-sided distance of Kolmogorov and Smirnov from the distribution.
fn assert_distributed(x: &[f64], mean: f64, std: f64, cdf: impl Fn(f64) -> f64) {
    let n = x.len() as f64;
    let average = x.iter().sum::<f64>() / n;
    let variance = x.iter().map(|x| (x - average).powi(2)).sum::<f64>() / n;
    assert!((average - mean).abs() < 5.0 * std / n.sqrt(), "mean {average}, not {mean}");
    assert!((variance.sqrt() / std - 1.0).abs() < 0.02, "std {}, not {std}", variance.sqrt());

    let mut sorted = x.to_vec();
    sorted.sort_by(f64::total_cmp);
    let distance = sorted.iter().enumerate().fold(0.0_f64, |distance, (index, &x)| {
        let (below, above) = (index as f64 / n, (index + 1) as f64 / n);
        distance.max(cdf(x) - below).max(above - cdf(x))
    });
    // Exceeded with probability 2 exp(-2 · 2²) = 0.0007; the seed is fixed.
    assert!(distance < 2.0 / n.sqrt(), "distance {distance}");
}

#[test]
fn numbers_are_distributed_as_they_say() {
    const N: usize = 100_000;
    let normal_cdf = |x: f64| 0.5 * (1.0 + libm::erf(x / 2f64.sqrt()));
    let mut rng = Generator::seed(2024);
    for mut rng in [rng.clone(), Generator::at(2024, &Tensor::scalar(7))] {
        let x: Tensor<shape![{ N }], f64> = rng.uniform(-2.0, 6.0);
        assert_distributed(&x.to_vec(), 2.0, 8.0 / 12f64.sqrt(), |x| (x + 2.0) / 8.0);

        let x: Tensor<shape![{ N }], f64> = rng.normal(3.0, 0.5);
        assert_distributed(&x.to_vec(), 3.0, 0.5, |x| normal_cdf((x - 3.0) / 0.5));

        let x: Tensor<shape![{ N }], f32> = rng.normal(3.0, 0.5);
        let x = x.cast::<f64>();
        assert_distributed(&x.to_vec(), 3.0, 0.5, |x| normal_cdf((x - 3.0) / 0.5));

        // The middle of each step of the distribution.
        let x: Tensor<shape![{ N }], i64> = rng.integers(0..1000);
        let x = x.cast::<f64>() + 0.5;
        assert_distributed(&x.to_vec(), 500.0, 1000.0 / 12f64.sqrt(), |x| x / 1000.0);

        let kept: Tensor<shape![{ N }], bool> = rng.bernoulli(0.3);
        let share = kept.cast::<f64>().mean().item();
        assert!((share - 0.3).abs() < 5.0 * (0.21 / N as f64).sqrt(), "{share}");
        let [never, always] = [0.0, 1.0].map(|p| rng.bernoulli::<shape![1000]>(p));
        assert!(!never.any().item() && always.all().item());
    }

    // Of a normal variable within two standard deviations: 0.8796.
    let x: Tensor<shape![{ N }], f64> = rng.truncated_normal(0.0, 1.0);
    let (low, high) = (normal_cdf(-2.0), normal_cdf(2.0));
    assert_distributed(&x.to_vec(), 0.0, 0.8796, |x| (normal_cdf(x) - low) / (high - low));
}

#[test]
fn high_is_excluded_and_low_is_not_passed() {
    for mut rng in [Generator::seed(1), Generator::at(1, &Tensor::scalar(1))] {
        // One step of f32 apart: every other draw rounds up.
        let (low, high) = (1.0_f32, 1.0 + f32::EPSILON);
        let x: Tensor<shape![1000]> = rng.uniform(low, high);
        assert_eq!(x.to_vec(), [low; 1000]);
        let x: Tensor<shape![1000]> = rng.uniform(-f32::MAX, f32::MAX);
        let std = (x / f32::MAX).std().item();
        assert!((std * 3_f32.sqrt() - 1.0).abs() < 0.1, "{std}");
        for low in [-0.3_f32, 0.1, 1e-30, 7.7e12] {
            let high = low + 0.3 * low.abs();
            let x: Tensor<shape![10_000]> = rng.uniform(low, high);
            assert!(x.min().item() >= low && x.max().item() < high, "{x}");
        }

        let x: Tensor<shape![10_000], i8> = rng.integers(i8::MIN..i8::MAX);
        assert_eq!((x.min().item(), x.max().item()), (i8::MIN, i8::MAX - 1));
        let x: Tensor<shape![100], u64> = rng.integers(u64::MAX - 1..u64::MAX);
        assert_eq!(x.to_vec(), [u64::MAX - 1; 100]);
    }
}

#[test]
fn permutations_and_choices() {
    let mut rng = Generator::seed(5);
    let mut counts = [[0; 4]; 4];
    for _ in 0..12_000 {
        let order = rng.permutation(4);
        (0..4).for_each(|place| counts[place][order[place]] += 1);
    }
    assert!(counts.iter().flatten().all(|&count| (2_750..3_250).contains(&count)), "{counts:?}");
    assert!(rng.permutation(0).is_empty());
    for mut rng in [rng.clone(), Generator::at(5, &Tensor::scalar(0))] {
        let orders: Tensor<shape![12_000, 4], i64> = rng.permutations();
        assert_eq!(orders.sort::<-1>().sum_axis::<0>(), tensor![0, 12_000, 24_000, 36_000]);
        let counts = (orders * tensor![1, 4, 16, 64]).sum_axis::<-1>().to_vec();
        let counts = counts.iter().fold([0; 256], |mut counts, &order| {
            counts[order as usize] += 1;
            counts
        });
        let counts: Vec<_> = counts.into_iter().filter(|&count| count > 0).collect();
        assert!(
            counts.len() == 24 && counts.iter().all(|count| (400..600).contains(count)),
            "{counts:?}"
        );
    }

    let weights = Tensor::<shape![40_000, 4], f64>::ones() * tensor![0.0, 1.0, 3.0, 0.0];
    for mut rng in [rng.clone(), Generator::at(5, &Tensor::scalar(0))] {
        let chosen = rng.categorical(&weights).unwrap().to_vec();
        let ones = chosen.iter().filter(|&&index| index == 1).count();
        assert!(chosen.iter().all(|index| [1, 2].contains(index)));
        assert!((9_700..10_300).contains(&ones), "{ones}");
        let none = rng.categorical(&Tensor::<shape![0, 0], f64>::zeros()).unwrap();
        assert_eq!(none, Tensor::<shape![0], i64>::zeros());
    }
}

#[test]
fn weights_that_nothing_can_be_chosen_by() {
    let mut rng = Generator::seed(5);
    for (weights, message) in [
        (tensor![[1.0, 2.0], [0.0, 0.0]], "row 1: all weights are 0"),
        (
            tensor![[1.0, f64::NAN], [0.0, 1.0]],
            "row 0: weight 1 is NaN, and must be finite and 0 or more",
        ),
        (
            tensor![[1.0, 1.0], [f64::INFINITY, 1.0]],
            "row 1: weight 0 is inf, and must be finite and 0 or more",
        ),
    ] {
        assert_eq!(rng.categorical(&weights).unwrap_err().to_string(), message);
    }
    let none = Tensor::<shape![2, 0], f64>::zeros();
    assert_eq!(rng.categorical(&none).unwrap_err().to_string(), "row 0: all weights are 0");
    // Subnormal weights and such whose sum overflows are weights.
    assert!(rng.categorical(&tensor![[5e-324, 0.0]]).unwrap()[[0]] == 0);
    let large = Tensor::<shape![100, 2], f64>::full(f64::MAX);
    let chosen = rng.categorical(&large).unwrap().to_vec();
    assert!(chosen.contains(&0) && chosen.contains(&1), "{chosen:?}");

    let number = DynTensor::from(Tensor::scalar(1.0));
    assert_eq!(
        rng.categorical_dyn(&number).unwrap_err().to_string(),
        "weights of rank 0 have no axis to choose along: a row of weights has rank 1"
    );
    let weights = Tensor::<shape![3, 5, 4], f32>::from_fn(|[a, b, c]| (1 + a + b * c) as f32);
    let same = |seed| Generator::seed(seed);
    assert_eq!(
        same(3).categorical_dyn(&weights.clone().into()).unwrap(),
        same(3).categorical(&weights).unwrap().into()
    );
}

#[test]
fn initialisers_have_their_scale() {
    let mut rng = Generator::seed(9);
    let fans = Fans::of(&[400, 100]);
    let close =
        |std: f32, expected: f32| assert!((std / expected - 1.0).abs() < 0.02, "{std} {expected}");
    let w: Tensor<shape![400, 100]> = rng.he_normal();
    close(w.std().item(), (2.0_f32 / 400.0).sqrt());
    let w: Tensor<shape![400, 100]> = rng.he_uniform();
    close(w.std().item(), (2.0_f32 / 400.0).sqrt());
    let w: Tensor<shape![400, 100]> = rng.glorot_normal();
    close(w.std().item(), (2.0_f32 / 500.0).sqrt());
    let w: Tensor<_> = rng.glorot_uniform_shaped(shape![400, 100], fans);
    close(w.std().item(), (2.0_f32 / 500.0).sqrt());
}

#[test]
fn orthogonal_matrices() {
    fn off<S: Shape>(product: Tensor<S, f64>, n: usize) -> f64 {
        let elements = product.to_vec();
        (0..n * n).fold(0.0_f64, |most, index| {
            let expected = f64::from(u8::from(index % (n + 1) == 0));
            most.max((elements[index] - expected).abs())
        })
    }
    let mut rng = Generator::seed(11);
    let tall: Tensor<shape![60, 20], f64> = rng.orthogonal();
    assert!(off(tall.transpose().matmul(&tall), 20) < 1e-13);
    let wide: Tensor<shape![20, 60], f64> = rng.orthogonal();
    assert!(off(wide.matmul(&wide.transpose()), 20) < 1e-13);
    let square: Tensor<shape![2, 25, 50], f64> = rng.orthogonal();
    let square = square.reshape::<shape![50, 50]>();
    assert!(off(square.matmul(&square.transpose()), 50) < 1e-13);
}

#[test]
fn other_generators_and_distributions() {
    let mut other = Xoshiro128PlusPlus::seed_from_u64(8);
    let mut rng = Generator::from_rng(&mut other);
    let waits: Tensor<shape![10_000]> = rng.sample(&Exp1);
    assert!((waits.mean().item() - 1.0).abs() < 0.05);
    let counts: Tensor<shape![10_000], f64> = rng.sample(&Poisson::new(4.0).unwrap());
    assert!((counts.mean().item() - 4.0).abs() < 0.1);
    let mut clone = rng.clone();
    assert_eq!(rng.split(), clone.split());
    assert_eq!(rng, clone);
}

#[test]
#[should_panic(expected = "no numbers from 1 up to 1")]
fn an_empty_range_of_floats() {
    let _: Tensor<shape![2]> = Generator::seed(1).uniform(1.0, 1.0);
}

#[test]
#[should_panic(expected = "the standard deviation is -1")]
fn a_negative_standard_deviation() {
    let _: Tensor<shape![2]> = Generator::seed(1).normal(0.0, -1.0);
}

#[test]
#[should_panic(expected = "the range 3..3 has no integer")]
fn an_empty_range_of_integers() {
    let _: Tensor<shape![2], u8> = Generator::seed(1).integers(3..3);
}

#[test]
#[should_panic(expected = "`Batch` has size 2 and, at dimension 1, size 3")]
fn a_name_with_two_sizes() {
    axis!(Batch);
    let _: Tensor<_> = Generator::seed(1).normal_shaped(shape![Batch(2), Batch(3)], 0.0, 1.0);
}

#[test]
#[should_panic(expected = "does not fit into memory")]
fn more_elements_than_memory_holds() {
    let _: DynTensor = Generator::seed(1).normal_dyn(&[1 << 40, 1 << 40], 0.0, 1.0);
}
