//! Results that are those of the kernels in all cases of a kind: each bit of them, but for those of NaN.

use half::{bf16, f16};
use tensor_core::trace::{element_bytes, trace};
use tensor_core::windows::PoolOptions;
use tensor_core::{DynTensor, Element, Module};
use tensor_embed::{EmbedOptions, RustFile, ToRust, embed};

use crate::runner;

/// Programs with their inputs and their results, which are compiled at once.
#[derive(Default)]
struct Cases {
    names: Vec<String>,
    files: Vec<(RustFile, Vec<Vec<u8>>)>,
    expected: Vec<Vec<Vec<u8>>>,
}

impl Cases {
    fn add<I: Module + Clone, O: Module + Clone>(
        &mut self,
        name: &str,
        inputs: &I,
        function: impl Fn(&I) -> O,
    ) {
        let file = trace(inputs, &function).to_rust();
        let file = file.unwrap_or_else(|error| panic!("{name}: {error}"));
        self.names.push(name.to_owned());
        self.files.push((file, element_bytes(inputs)));
        self.expected.push(element_bytes(&function(inputs)));
    }

    fn run(&self, folder: &str) {
        let found = runner::run(folder, &self.files, &["-C", "debug-assertions=on"], 1);
        for ((name, expected), (found, _)) in self.names.iter().zip(&self.expected).zip(&found) {
            assert_eq!(found, expected, "{name}");
        }
    }
}

fn tensor<T: Element>(elements: &[T]) -> DynTensor<T> {
    DynTensor::from_vec(&[elements.len()], elements.to_vec()).unwrap()
}

#[test]
fn outputs_can_be_inputs() {
    let mut cases = Cases::default();
    let inputs = (tensor(&[1.0_f32, 2.0]), tensor(&[3.0_f32, 4.0]));
    cases.add("swapped", &inputs, |(x, y)| (y.clone(), x.clone()));
    cases.add("twice", &inputs, |(x, y)| (x.clone(), x.clone(), y.clone(), x.exp(), y.clone()));
    cases.add("one", &inputs.0, |x| x.clone());
    cases.add("moved", &inputs.0, |x| x.flip(&[0]).unwrap());
    cases.add("constant", &inputs.0, |_| (tensor(&[5.0_f32, 6.0]), tensor(&[7_i64, 7])));
    cases.run("outputs");
    let text = "module {
  func.func public @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    return %arg0, %arg0 : tensor<2xf32>, tensor<2xf32>
  }
}";
    let x = element_bytes(&inputs.0);
    let file = embed(text, &EmbedOptions::new()).unwrap();
    let found = runner::run("returned_twice", &[(file, x.clone())], &[], 1);
    assert_eq!(found[0].0, [x[0].clone(), x[0].clone()]);
}

#[test]
fn shifts_are_those_of_the_kernels() {
    let mut cases = Cases::default();
    macro_rules! add {
        ($($T:ident)+) => {$({
            let amounts = [
                0, 1, 7, 8, 15, 16, 31, 32, 63, 64, $T::MAX as i128, $T::MIN as i128, -1, 1 << 32, 3 << 32, (1 << 33) + 1,
                1 << 40, 1 << 63,
            ];
            let x = [1, $T::MAX, $T::MIN, $T::MAX / 3].repeat(amounts.len());
            let amounts: Vec<$T> = amounts.iter().flat_map(|&amount| [amount as $T; 4]).collect();
            let inputs = (tensor(&x), tensor(&amounts));
            cases.add(stringify!($T), &inputs, |(x, y)| ((x << y).unwrap(), (x >> y).unwrap()));
        })+};
    }
    add!(i8 i16 i32 i64 u8 u16 u32 u64);
    let negative = tensor(&[-1_i64, -1]);
    cases.add("constants", &tensor(&[5_i64, -5]), |x| {
        (x << &negative).unwrap().concat(&(&negative >> x).unwrap(), 0).unwrap()
    });
    cases.run("shifts");
}

#[test]
fn constants_of_16_bits_have_any_value() {
    let mut cases = Cases::default();
    let x = tensor(&[1.0_f32, -2.0]);
    let numbers = [f32::INFINITY, f32::NEG_INFINITY, 1.0, -1.5, -0.0, 6e-8, 300.0, -300.0];
    for number in numbers {
        let half = tensor(&[f16::from_f32(number); 2]);
        let brain = tensor(&[bf16::from_f32(number); 2]);
        cases.add(&format!("{number}"), &x, |x| {
            let floats = (x * half.cast::<f32>()).unwrap().maximum(&brain.cast::<f32>()).unwrap();
            let wide = (half.cast::<f64>(), brain.cast::<f64>());
            let integers = (half.cast::<i8>(), half.cast::<u8>(), brain.cast::<i64>());
            (floats, wide, integers, half.cast::<bool>())
        });
        let different = tensor(&[f16::from_f32(number), f16::ONE]);
        cases.add(&format!("{number} and 1"), &x, |x| {
            let integers = (different.cast::<i8>(), different.cast::<u16>());
            ((x + different.cast::<f32>()).unwrap(), different.cast::<f64>(), integers)
        });
    }
    let nan = tensor(&[f16::NAN; 2]);
    cases.add("NaN", &x, |x| ((x + nan.cast::<f32>()).unwrap().is_nan(), nan.cast::<i32>()));
    cases.run("halves");
}

#[test]
fn negative_constants_are_operands_of_methods() {
    let mut cases = Cases::default();
    let minus = tensor(&[-1_i64]);
    let x = tensor(&[1.0_f32, 2.0, 3.0]);
    cases.add("take", &x, |x| x.take(0, &minus).unwrap());
    cases.add("integers", &tensor(&[2_i64]), |x| {
        let both = (minus.abs() + x).unwrap();
        let products = ((&minus * x).unwrap(), (&minus / x).unwrap(), (&minus % x).unwrap());
        (both, products, (-&minus), (minus.sign(), (&minus - x).unwrap()))
    });
    let number = tensor(&[-2.5_f32; 3]);
    cases.add("floats", &x, |x| {
        ((number.abs() + x).unwrap(), -&number, number.is_finite(), (x * number.sign()).unwrap())
    });
    cases.run("negative");
    // An index that is out of range is that of the nearest element.
    let text = |index: &str| {
        format!(
            "module {{
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<2xf32>) {{
    %0 = \"stablehlo.constant\"() {{value = dense<{index}> : tensor<i64>}} : () -> tensor<i64>
    %1 = \"stablehlo.dynamic_slice\"(%arg0, %0) {{slice_sizes = array<i64: 2>}} : (tensor<4xf32>, tensor<i64>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }}
}}"
        )
    };
    let x = element_bytes(&tensor(&[1.0_f32, 2.0, 3.0, 4.0]));
    let files =
        ["-1", "9"].map(|index| (embed(&text(index), &EmbedOptions::new()).unwrap(), x.clone()));
    let found = runner::run("negative_index", &files, &[], 1);
    assert_eq!(found[0].0, element_bytes(&tensor(&[1.0_f32, 2.0])));
    assert_eq!(found[1].0, element_bytes(&tensor(&[3.0_f32, 4.0])));
}

#[test]
fn all_numbers_but_0_are_true() {
    let mut cases = Cases::default();
    let floats = tensor(&[0.0_f32, -0.0, 1.0, f32::NAN, 1e-45]);
    cases.add("f32", &floats, |x| x.cast::<bool>());
    cases.add("f64", &floats.cast::<f64>(), |x| x.cast::<bool>());
    let integers = tensor(&[0_i64, -1, 256, 1 << 32]);
    cases.add("i64", &integers, |x| (x.cast::<bool>(), x.cast::<u8>().cast::<bool>()));
    cases.run("truth");
    let text = "module {
  func.func public @main(%arg0: tensor<5xf32>, %arg1: tensor<4xi64>) -> (tensor<5xi1>, tensor<4xi1>) {
    %0 = \"stablehlo.convert\"(%arg0) : (tensor<5xf32>) -> tensor<5xi1>
    %1 = \"stablehlo.convert\"(%arg1) : (tensor<4xi64>) -> tensor<4xi1>
    return %0, %1 : tensor<5xi1>, tensor<4xi1>
  }
}";
    let file = embed(text, &EmbedOptions::new()).unwrap();
    let found = runner::run("converted", &[(file, element_bytes(&(floats, integers)))], &[], 1);
    assert_eq!(found[0].0, [vec![0, 0, 1, 1, 1], vec![0, 1, 1, 1]]);
}

#[test]
fn reversed_tensors_are_sorted() {
    let mut cases = Cases::default();
    let x = DynTensor::from_vec(&[3, 4], (0..12).map(|i| ((i * 7) % 12) as f32).collect()).unwrap();
    for (number, axes) in [&[0][..], &[1], &[0, 1]].into_iter().enumerate() {
        cases.add(&format!("sort {number}"), &x, |x: &DynTensor<f32>| {
            let reversed = x.flip(axes).unwrap();
            let orders = (reversed.argsort(0).unwrap(), reversed.argsort(1).unwrap());
            let index = tensor(&[2_i64, 0]);
            let taken = (reversed.take(0, &index).unwrap(), reversed.take(1, &index).unwrap());
            (reversed.sort(0).unwrap(), reversed.sort(1).unwrap(), orders, taken)
        });
        cases.add(&format!("sums {number}"), &x, |x: &DynTensor<f32>| {
            let reversed = x.flip(axes).unwrap();
            let sums = (reversed.cumsum(0).unwrap(), reversed.cumsum(1).unwrap(), reversed.sum());
            let product = reversed.matmul(&x.transpose().unwrap()).unwrap();
            (sums, product, reversed.sort(1).unwrap().flip(axes).unwrap().sort(0).unwrap())
        });
    }
    cases.run("reversed");
}

#[test]
fn sums_of_negative_zeros_are_negative_zeros() {
    let mut cases = Cases::default();
    for sizes in [[2, 3], [3, 16], [5, 20], [1, 1]] {
        let x = DynTensor::full(&sizes, -0.0_f32);
        let sums = |x: &DynTensor<f32>| {
            let of_all = (x.sum(), x.mean(), x.cumsum(0).unwrap(), x.cumsum(1).unwrap());
            let of_axes = (x.sum_axes(&[0]).unwrap(), x.sum_axes(&[1]).unwrap());
            (of_all, of_axes, x.flip(&[0, 1]).unwrap().sum_axes(&[0, 1]).unwrap())
        };
        cases.add(&format!("{sizes:?}"), &x, sums);
        let wide = x.cast::<f64>();
        cases.add(&format!("f64 {sizes:?}"), &wide, |x| {
            (x.sum(), x.cumsum(1).unwrap(), x.sum_axes(&[0]).unwrap(), x.mean())
        });
    }
    let image = DynTensor::full(&[1, 1, 6, 6], -0.0_f32);
    for options in [
        PoolOptions::new(&[2, 2]),
        PoolOptions::new(&[5, 5]),
        PoolOptions::new(&[3, 3]).padding(&[1]),
    ] {
        cases.add(&format!("{options:?}"), &image, |x| x.avg_pool2d(&options).unwrap());
    }
    let factors = (DynTensor::full(&[2, 3], -0.0_f32), DynTensor::full(&[3, 2], 1.0_f32));
    let products = |(x, y): &(DynTensor<f32>, DynTensor<f32>)| x.matmul(y).unwrap();
    cases.add("product", &factors, products);
    let wide = (factors.0.cast::<f64>(), factors.1.cast::<f64>());
    cases.add("f64 product", &wide, |(x, y)| x.matmul(y).unwrap());
    cases.add("none", &DynTensor::full(&[0, 3], 1.0_f32), |x| (x.sum(), x.sum_axes(&[0]).unwrap()));
    cases.run("zeros");
}
