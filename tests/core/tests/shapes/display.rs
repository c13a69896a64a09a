//! Tensors as text. The layouts expected of `{}` are what NumPy 2.4 prints, but for `true` and
//! `false`, and for tensors without elements.

use std::process::Command;

use tensor_core::{DynTensor, Element, Shape, Tensor, axis, shape, tensor};

axis!(Batch);
axis!(Seq);
axis!(Hidden = 3);

#[track_caller]
fn check<S: Shape, T: Element>(x: Tensor<S, T>, lines: &[&str]) {
    assert_eq!(x.to_string(), lines.join("\n"));
}

#[test]
fn numbers_are_aligned_at_the_point_in_the_whole_tensor() {
    check(
        tensor![[1.0f32, 2.5, -3.0], [100.0, 0.125, 7.0]],
        &["[[  1.      2.5    -3.   ]", " [100.      0.125   7.   ]]"],
    );
    check(tensor![1.0, 2.0], &["[1. 2.]"]);
    check(tensor![0.0, -0.0], &["[ 0. -0.]"]);
}

#[test]
fn numbers_have_the_digits_they_need_and_at_most_eight() {
    check(tensor![0.1f32, 1.0 / 3.0, 2.0 / 3.0], &["[0.1        0.33333334 0.6666667 ]"]);
    check(tensor![0.1, 1.0 / 3.0, 2.0 / 3.0], &["[0.1        0.33333333 0.66666667]"]);
    check(tensor![0.999999999, 2.5], &["[1.  2.5]"]);
}

#[test]
fn exponents_come_where_the_numbers_are_far_apart() {
    check(tensor![1e-5, 1.0, 1000.5], &["[1.0000e-05 1.0000e+00 1.0005e+03]"]);
    check(tensor![1e10, -2.5], &["[ 1.0e+10 -2.5e+00]"]);
    check(tensor![1e-100, 1e100], &["[1.e-100 1.e+100]"]);
    check(tensor![1e-5, 1e100], &["[1.e-005 1.e+100]"]);
    // The limits: 8 digits for `f64`, 6 for `f32`; 0.0001; a factor of 1000.
    check(tensor![99999999.0], &["[99999999.]"]);
    check(tensor![1e8], &["[1.e+08]"]);
    check(tensor![999999.0f32], &["[999999.]"]);
    check(tensor![1e6f32], &["[1.e+06]"]);
    check(tensor![0.0001f32], &["[0.0001]"]);
    check(tensor![0.00009], &["[9.e-05]"]);
    check(tensor![1.0, 1000.0], &["[   1. 1000.]"]);
    check(tensor![1.0, 1001.0], &["[1.000e+00 1.001e+03]"]);
}

#[test]
fn nan_and_infinities_take_part_in_the_columns() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    check(tensor![nan, inf, -inf, 1.5], &["[ nan  inf -inf  1.5]"]);
    check(tensor![nan, -nan, inf], &["[nan nan inf]"]);
    check(tensor![inf, -inf], &["[ inf -inf]"]);
    check(tensor![nan, 1e-7], &["[   nan 1.e-07]"]);
}

#[test]
fn integers_and_bools_are_aligned_at_the_right() {
    check(tensor![[0, -7, -14], [-21, -28, -35]], &["[[  0  -7 -14]", " [-21 -28 -35]]"]);
    check(tensor![0u8, 200, 7], &["[  0 200   7]"]);
    check(tensor![i64::MIN, u32::MAX as i64], &["[-9223372036854775808           4294967295]"]);
    check(tensor![[true, false], [true, true]], &["[[ true false]", " [ true  true]]"]);
}

#[test]
fn blocks_are_separated_by_empty_lines() {
    check(
        tensor![[[0, 1], [2, 3]], [[4, 5], [6, 7]]],
        &["[[[0 1]", "  [2 3]]", "", " [[4 5]", "  [6 7]]]"],
    );
    check(
        Tensor::<shape![2, 1, 2, 1], i32>::arange_like(),
        &["[[[[0]", "   [1]]]", "", "", " [[[2]", "   [3]]]]"],
    );
    check(tensor![[[[1.5]]]], &["[[[[1.5]]]]"]);
}

/// Counts through a tensor of any rank.
trait ArangeLike {
    fn arange_like() -> Self;
}

impl<S: tensor_core::StaticShape> ArangeLike for Tensor<S, i32> {
    fn arange_like() -> Self {
        Tensor::from_vec((0..S::VALUE.num_elements() as i32).collect()).unwrap()
    }
}

#[test]
fn long_rows_go_on_in_the_next_line() {
    check(
        Tensor::<shape![30], i64>::arange_from(0, 1000),
        &[
            "[    0  1000  2000  3000  4000  5000  6000  7000  8000  9000 10000 11000",
            " 12000 13000 14000 15000 16000 17000 18000 19000 20000 21000 22000 23000",
            " 24000 25000 26000 27000 28000 29000]",
        ],
    );
    check(
        Tensor::<shape![2, 30]>::from_fn(|[i, j]| (30 * i + j) as f32 / 8.0),
        &[
            "[[0.    0.125 0.25  0.375 0.5   0.625 0.75  0.875 1.    1.125 1.25  1.375",
            "  1.5   1.625 1.75  1.875 2.    2.125 2.25  2.375 2.5   2.625 2.75  2.875",
            "  3.    3.125 3.25  3.375 3.5   3.625]",
            " [3.75  3.875 4.    4.125 4.25  4.375 4.5   4.625 4.75  4.875 5.    5.125",
            "  5.25  5.375 5.5   5.625 5.75  5.875 6.    6.125 6.25  6.375 6.5   6.625",
            "  6.75  6.875 7.    7.125 7.25  7.375]]",
        ],
    );
}

#[test]
fn more_than_a_thousand_elements_are_shortened() {
    check(Tensor::<shape![2000], i64>::arange(), &["[   0    1    2 ... 1997 1998 1999]"]);
    check(
        Tensor::<shape![100, 100]>::from_fn(|[i, j]| (100 * i + j) as f32),
        &[
            "[[0.000e+00 1.000e+00 2.000e+00 ... 9.700e+01 9.800e+01 9.900e+01]",
            " [1.000e+02 1.010e+02 1.020e+02 ... 1.970e+02 1.980e+02 1.990e+02]",
            " [2.000e+02 2.010e+02 2.020e+02 ... 2.970e+02 2.980e+02 2.990e+02]",
            " ...",
            " [9.700e+03 9.701e+03 9.702e+03 ... 9.797e+03 9.798e+03 9.799e+03]",
            " [9.800e+03 9.801e+03 9.802e+03 ... 9.897e+03 9.898e+03 9.899e+03]",
            " [9.900e+03 9.901e+03 9.902e+03 ... 9.997e+03 9.998e+03 9.999e+03]]",
        ],
    );
    let rows = ["  [0 0 0 ... 0 0 0]", "  [0 0 0 ... 0 0 0]]"];
    let block = [&[" [[0 0 0 ... 0 0 0]"][..], &rows, &[""]].concat();
    let first = [&["[[[0 0 0 ... 0 0 0]"][..], &rows, &[""]].concat();
    let last = [" [[0 0 0 ... 0 0 0]", rows[0], "  [0 0 0 ... 0 0 0]]]"];
    let gap = [" ...", ""];
    check(
        Tensor::<shape![20, 3, 20], i32>::zeros(),
        &[&first[..], &block, &block, &gap, &block, &block, &last].concat(),
    );
}

#[test]
fn a_thousand_elements_are_not_shortened_and_the_alternate_form_never_is() {
    let numbers = |text: String| text.split_whitespace().count();
    assert_eq!(numbers(Tensor::<shape![1000], i32>::zeros().to_string()), 1000);
    assert_eq!(numbers(Tensor::<shape![1001], i32>::zeros().to_string()), 7);
    assert_eq!(numbers(format!("{:#}", Tensor::<shape![1001], i32>::zeros())), 1001);
    // An axis of six is shown as a whole.
    let x = Tensor::<shape![6, 500], i32>::zeros().to_string();
    assert_eq!(x.lines().count(), 6);
    assert_eq!(x.lines().next(), Some("[[0 0 0 ... 0 0 0]"));
}

#[test]
fn precision_width_and_sign_are_those_of_the_format() {
    let x = tensor![[1.5, 2.25], [-10.0, 3.0]];
    assert_eq!(format!("{x:.1}"), "[[  1.5   2.2]\n [-10.0   3.0]]");
    assert_eq!(format!("{x:.0}"), "[[  2   2]\n [-10   3]]");
    assert_eq!(format!("{x:9.2}"), "[[     1.50      2.25]\n [   -10.00      3.00]]");
    assert_eq!(format!("{x:+}"), "[[ +1.5   +2.25]\n [-10.    +3.  ]]");
    assert_eq!(format!("{:.2}", tensor![1e-7, 2.25]), "[0.00 2.25]");
    assert_eq!(format!("{:.3}", tensor![1.0f32, 1234567.5]), "[      1.000 1234567.500]");
    assert_eq!(format!("{:.0}", tensor![1e-7, 2.5]), "[0 2]");
    assert_eq!(format!("{:4}", tensor![1, -20]), "[   1  -20]");
    assert_eq!(format!("{:+.3}", tensor![1, -20]), "[ +1 -20]");
}

#[test]
fn scientific_notation_is_that_of_the_format() {
    let x = tensor![[1500.0, 0.25], [-3.0, 0.0]];
    assert_eq!(format!("{x:e}"), "[[ 1.5e+03  2.5e-01]\n [-3.0e+00  0.0e+00]]");
    assert_eq!(format!("{x:.2e}"), "[[ 1.50e+03  2.50e-01]\n [-3.00e+00  0.00e+00]]");
    assert_eq!(format!("{:.0e}", tensor![1500.0f32, 0.25]), "[2e+03 2e-01]");
    assert_eq!(format!("{:11.1e}", tensor![1500.0, 0.25]), "[    1.5e+03     2.5e-01]");
    assert_eq!(format!("{:+.1e}", tensor![1500.0, f64::INFINITY]), "[+1.5e+03     +inf]");
    assert_eq!(format!("{:e}", tensor![1500, -7]), "[1.5e+03  -7e+00]");
    assert_eq!(format!("{:.2e}", tensor![1500u64, 7]), "[1.50e+03 7.00e+00]");
    assert_eq!(format!("{:e}", Tensor::scalar(1500.0f32)), "1.5e3");
    assert_eq!(format!("{:.2e}", Tensor::scalar(1500)), "1.50e3");
    let many = Tensor::<shape![1001]>::ones();
    assert_eq!(format!("{many:.1e}").split_whitespace().count(), 7);
    assert_eq!(format!("{many:#.1e}").split_whitespace().count(), 1001);
}

#[test]
fn tensors_of_run_time_shape_look_the_same() {
    let x = tensor![[1.5, 2.25], [-10.0, 3e6]];
    let y = DynTensor::from(x.transpose());
    let x = x.transpose();
    assert_eq!(format!("{x} {x:.1} {x:e} {x:9.2e}"), format!("{y} {y:.1} {y:e} {y:9.2e}"));
    assert_eq!(format!("{x:?} {x:.1?} {x:#?}"), format!("{y:?} {y:.1?} {y:#?}").replace("Dyn", ""));

    let many = DynTensor::full(&[1 << 20], 0u8);
    assert_eq!(format!("{many}"), "[0 0 0 ... 0 0 0]");
    assert_eq!(format!("{many:?}"), "DynTensor[1048576] u8 [0, 0, 0, ..., 0, 0, 0]");
    assert_eq!(format!("{:?}", DynTensor::full(&[], 2i8)), "DynTensor[] i8 2");
    assert_eq!(format!("{:?}", DynTensor::full(&[2, 0], 2i8)), "DynTensor[2, 0] i8 []");
    assert_eq!(format!("{:e}", DynTensor::full(&[], 0.5)), "5e-1");
}

#[test]
fn shapes_show_their_sizes() {
    assert_eq!(shape![2, 3].display().to_string(), "[2, 3]");
    assert_eq!(shape![].display().to_string(), "[]");
    let shape = shape![Batch(32), 1, Hidden, 50257];
    assert_eq!(
        format!("{} {0:?}", shape.display()),
        "[Batch(32), 1, Hidden(3), 50257] [Batch(32), 1, Hidden(3), 50257]"
    );
    // The value is a tuple, which the standard library shows as one, with the sizes.
    assert_eq!(format!("{:?}", shape![2, 1024]), "(((), 2), 1024)");
    assert_eq!(format!("{:?}", shape![Batch(32), 1, 50257]), "((((), Batch(32)), 1), 50257)");
}

#[test]
fn rank_zero_is_the_bare_value() {
    check(Tensor::scalar(1.0), &["1.0"]);
    check(Tensor::scalar(0.1f32), &["0.1"]);
    check(Tensor::scalar(123456789.123), &["123456789.123"]);
    check(Tensor::scalar(f64::NAN), &["nan"]);
    check(Tensor::scalar(f32::NEG_INFINITY), &["-inf"]);
    check(Tensor::scalar(-7), &["-7"]);
    check(Tensor::scalar(true), &["true"]);
    assert_eq!(format!("{:.3}", Tensor::scalar(2.0 / 3.0)), "0.667");
    assert_eq!(format!("{:8.3}", Tensor::scalar(2.0f32 / 3.0)), "   0.667");
    assert_eq!(format!("{:5}", Tensor::scalar(42)), "   42");
}

#[test]
fn tensors_without_elements_say_their_shape() {
    check(Tensor::<shape![0]>::zeros(), &["[]"]);
    check(Tensor::<shape![0, 3]>::zeros(), &["[] (shape [0, 3])"]);
    check(Tensor::<shape![3, 0], bool>::zeros(), &["[] (shape [3, 0])"]);
    check(
        Tensor::<_, f32>::zeros_shaped(shape![Batch(0), Hidden]),
        &["[] (shape [Batch=0, Hidden=3])"],
    );
    check(Tensor::<_, f32>::zeros_shaped(shape![Batch(0)]), &["[]"]);
}

#[test]
fn debug_is_one_line_with_sizes_names_and_type() {
    let x = tensor![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
    assert_eq!(format!("{x:?}"), "Tensor[2, 3] f32 [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]");
    let x = Tensor::full_shaped(shape![Batch(2), 2], 0.5);
    assert_eq!(format!("{x:?}"), "Tensor[Batch=2, 2] f64 [[0.5, 0.5], [0.5, 0.5]]");
    let x = Tensor::<shape![Hidden], u8>::ones();
    assert_eq!(format!("{x:?}"), "Tensor[Hidden=3] u8 [1, 1, 1]");
    assert_eq!(format!("{:?}", Tensor::scalar(true)), "Tensor[] bool true");
    assert_eq!(format!("{:?}", Tensor::<shape![2, 0], i8>::zeros()), "Tensor[2, 0] i8 []");
    assert_eq!(format!("{:.2?}", tensor![1.0, 0.333]), "Tensor[2] f64 [1.00, 0.33]");
}

#[test]
fn debug_shortens_and_lays_out_rows_on_demand() {
    let x = Tensor::<shape![40, 50], i32>::from_fn(|[i, j]| (50 * i + j) as i32);
    assert_eq!(
        format!("{x:?}"),
        "Tensor[40, 50] i32 [[0, 1, 2, ..., 47, 48, 49], [50, 51, 52, ..., 97, 98, 99], \
         [100, 101, 102, ..., 147, 148, 149], ..., [1850, 1851, 1852, ..., 1897, 1898, 1899], \
         [1900, 1901, 1902, ..., 1947, 1948, 1949], [1950, 1951, 1952, ..., 1997, 1998, 1999]]"
    );
    let x = tensor![[1, 20], [300, 4]];
    assert_eq!(format!("{x:#?}"), "Tensor[2, 2] i32\n[[  1  20]\n [300   4]]");
    let x = Tensor::<_, f32>::zeros_shaped(shape![Batch(1), Seq(0)]);
    assert_eq!(format!("{x:#?}"), "Tensor[Batch=1, Seq=0] f32\n[] (shape [Batch=1, Seq=0])");
}

#[test]
fn half_precision_shows_the_digits_that_its_numbers_need() {
    use half::{bf16, f16};
    let x = [0.1, -2.5, 1.0 / 3.0].map(f16::from_f64);
    check(Tensor::<shape![3], f16>::from(x), &["[ 0.1    -2.5     0.3333]"]);
    check(Tensor::scalar(f16::from_f64(0.1)), &["0.1"]);
    check(Tensor::<shape![1], f16>::from([f16::from_f64(1000.0)]), &["[1.e+03]"]);
    check(Tensor::scalar(bf16::from_f64(0.1)), &["0.1"]);
    // Half way between two decimals: the one above reads back, the one below does not.
    check(Tensor::<shape![1], f16>::from([f16::from_f64(0.015625)]), &["[0.01563]"]);
}

/// What evcxr reads from the standard output.
#[test]
fn notebooks_show_sizes_and_rows() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["display::printed_in_a_notebook", "--exact", "--ignored", "--nocapture"]);
    let printed = String::from_utf8(command.output().unwrap().stdout).unwrap();
    for text in ["Tensor[Batch=2, 2] f64\n[[1.5 1.5]\n [1.5 1.5]]", "DynTensor[2] i32\n[7 7]"] {
        let content = format!("EVCXR_BEGIN_CONTENT text/plain\n{text}\nEVCXR_END_CONTENT\n");
        assert!(printed.contains(&content), "{printed}");
    }
}

#[test]
#[ignore = "the test above runs it"]
fn printed_in_a_notebook() {
    Tensor::<shape![Batch, 2], f64>::full_shaped(shape![Batch(2), 2], 1.5).evcxr_display();
    DynTensor::full(&[2], 7).evcxr_display();
}
