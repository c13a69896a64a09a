//! The tables, written by hand.

use tensor_core::explain::{explain, explain_sizes};
use tensor_core::shape;

use super::{Batch, Seq};

/// The table, without the text below it.
fn table(shapes: &[&[usize]]) -> String {
    let text = explain_sizes(shapes).to_string();
    text.split_once("\n\n").map_or(text.clone(), |(table, _)| table.to_owned())
}

/// The tables of NumPy's article on broadcasting: an image and its scale.
#[test]
fn numpy_image_and_scale() {
    let explanation = explain(&[&shape![256, 256, 3], &shape![3]]).with_names(&["image", "scale"]);
    assert_eq!(
        explanation.to_string(),
        "\
axis                0     1   2
image (3 axes)    256 × 256 × 3
                    ↓     ↓   =
scale (1 axis)                3
result            256 × 256 × 3

axis 2: both have 3
axes 0 and 1: scale lacks them: each counts as 1 and stretches"
    );
}

#[test]
fn numpy_four_axes_and_three() {
    assert_eq!(
        explain_sizes(&[&[8, 1, 6, 1], &[7, 1, 5]]).to_string(),
        "\
axis          0   1   2   3
a (4 axes)    8 × 1 × 6 × 1
              ↓   ↑   ↓   ↑
b (3 axes)        7 × 1 × 5
result        8 × 7 × 6 × 5

axis 3: a is 1 and stretches to 5
axis 2: b is 1 and stretches to 6
axis 1: a is 1 and stretches to 7
axis 0: b lacks it: it counts as 1 and stretches to 8"
    );
}

#[test]
fn numpy_further_examples() {
    assert_eq!(
        table(&[&[5, 4], &[1]]),
        "\
axis          0   1
a (2 axes)    5 × 4
              ↓   ↓
b (1 axis)        1
result        5 × 4"
    );
    assert_eq!(
        table(&[&[5, 4], &[4]]),
        "\
axis          0   1
a (2 axes)    5 × 4
              ↓   =
b (1 axis)        4
result        5 × 4"
    );
    assert_eq!(
        table(&[&[15, 3, 5], &[15, 1, 5]]),
        "\
axis           0   1   2
a (3 axes)    15 × 3 × 5
               =   ↓   =
b (3 axes)    15 × 1 × 5
result        15 × 3 × 5"
    );
    assert_eq!(
        table(&[&[15, 3, 5], &[3, 1]]),
        "\
axis           0   1   2
a (3 axes)    15 × 3 × 5
               ↓   =   ↓
b (2 axes)         3 × 1
result        15 × 3 × 5"
    );
}

#[test]
fn numpy_examples_that_do_not_broadcast() {
    assert_eq!(
        explain_sizes(&[&[3], &[4]]).to_string(),
        "\
axis          0
a (1 axis)    3
              ✗
b (1 axis)    4
result        ✗

Axis 0, the only one, fails: a has 3 and b has 4, which differ, and neither is
1.

Shapes are aligned at their last axis. Two sizes match when they are equal or
when one of them is 1; an axis that a shape lacks counts as 1. [T101]

To combine every element of one with every element of the other,
`a.unsqueeze::<-1>()` makes it [3, 1], and the result is [3, 4]."
    );
    assert_eq!(
        explain_sizes(&[&[2, 1], &[8, 4, 3]]).to_string(),
        "\
axis          0   1   2
a (2 axes)        2 × 1
              ↑   ✗   ↑
b (3 axes)    8 × 4 × 3
result        8 × ✗ × 3

axis 2: a is 1 and stretches to 3

Axis 1, the 2nd from the end, fails: a has 2 and b has 4, which differ, and
neither is 1.

Shapes are aligned at their last axis. Two sizes match when they are equal or
when one of them is 1; an axis that a shape lacks counts as 1. [T101]"
    );
}

#[test]
fn several_axes_fail() {
    let text = explain_sizes(&[&[2, 5, 3], &[3, 4, 3]]).to_string();
    assert!(text.contains("\nAxis 1, the 2nd from the end, fails: a has 5 and b has 4"), "{text}");
    assert!(text.contains("\nAxis 0 fails as well: a has 2 and b has 3"), "{text}");
}

#[test]
fn four_shapes() {
    assert_eq!(
        explain_sizes(&[&[6, 7], &[5, 6, 1], &[7], &[5, 1, 7]]).to_string(),
        "\
axis          0   1   2
a (2 axes)        6 × 7
b (3 axes)    5 × 6 × 1
c (1 axis)            7
d (3 axes)    5 × 1 × 7
result        5 × 6 × 7

axis 2: b is 1 and stretches to 7
axis 1: d is 1 and stretches to 6; c lacks it: it counts as 1 and stretches to 6
axis 0: a and c lack it: it counts as 1 and stretches to 5"
    );
}

#[test]
fn names_are_shown() {
    assert_eq!(
        explain(&[&shape![Batch(32), 1], &shape![Seq(32), 10]]).to_string(),
        "\
axis                  0    1
a (2 axes)    Batch(32) ×  1
                      ✗    ↑
b (2 axes)      Seq(32) × 10
result                ✗ × 10

axis 1: a is 1 and stretches to 10

Axis 0, the 2nd from the end, fails: a has Batch(32) and b has Seq(32), and two
names are two axes, whatever their sizes.

Shapes are aligned at their last axis. Two sizes match when they are equal or
when one of them is 1; an axis that a shape lacks counts as 1. [T102]"
    );
    let reason = |explanation: tensor_core::explain::Explanation| explanation.reason().unwrap();
    assert_eq!(
        reason(explain(&[&shape![Batch(1)], &shape![Batch(32)]])),
        "Axis 0, the only one, fails: a has Batch(1) and b has Batch(32), and a named axis has one \
         size and does not stretch, not even from 1."
    );
    assert_eq!(
        reason(explain(&[&shape![32], &shape![Batch(32)]])),
        "Axis 0, the only one, fails: a has 32 and b has Batch(32), and a named axis fits to itself \
         and to an axis of size 1 without a name only."
    );
}

#[test]
fn no_axes_and_no_elements() {
    assert_eq!(table(&[&[], &[]]), "a (scalar)\nb (scalar)\nresult (scalar)");
    let text = explain_sizes(&[&[2, 3], &[]]).to_string();
    assert!(text.contains("\nb (scalar)\nresult        2 × 3\n"), "{text}");
    let text = explain_sizes(&[&[0, 3], &[1, 1]]).to_string();
    assert!(
        text.contains("axis 0: b is 1 and stretches to 0, so that no element is left"),
        "{text}"
    );
    assert!(explain_sizes(&[&[0], &[2]]).reason().unwrap().contains("a has 0 and b has 2"));
}

/// A table of 64 axes is broken into several, of at most 80 columns each.
#[test]
fn many_axes_and_large_sizes() {
    let long: Vec<usize> = (1000..1064).collect();
    let text = explain_sizes(&[&long, &[usize::MAX, 1]]).to_string();
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let text = explain_sizes(&[&long, &[1, 1]]).to_string();
    let sizes: Vec<usize> = text
        .lines()
        .filter_map(|line| line.strip_prefix("result"))
        .flat_map(|line| line.split(['×', ' ']).filter(|size| !size.is_empty()))
        .map(|size| size.parse().unwrap())
        .collect();
    assert_eq!(sizes, long);
    assert!(text.contains("axes 0 to 61: b lacks them: each counts as 1 and stretches"), "{text}");
}

#[test]
fn more_shapes_than_letters() {
    let shapes = vec![&[2_usize][..]; 30];
    let text = explain_sizes(&shapes).to_string();
    assert!(text.contains("\nz   (1 axis)    2\nx26 (1 axis)    2\n"), "{text}");
}
