//! Shapes that are read as text.

use tensor_core::explain::{AxisSize, Explanation, explain_sizes, parse_shape};

use super::cases;

fn mistake(text: &str) -> (usize, String) {
    let error = text.parse::<Explanation>().expect_err(text);
    (error.position(), error.to_string())
}

#[test]
fn every_form_is_read() {
    let expected = explain_sizes(&[&[8, 1, 6, 1], &[7, 1, 5]]);
    for text in [
        "(8,1,6,1) (7,1,5)",
        "(8,1,6,1)(7,1,5)",
        "(8, 1, 6, 1) + (7, 1, 5)",
        "[8,1,6,1],[7,1,5]",
        "8,1,6,1 7,1,5",
        "8, 1, 6, 1; 7, 1, 5",
        "shape![8, 1, 6, 1] shape![7, 1, 5,]",
        "torch.Size([8, 1, 6, 1]) torch.Size([7, 1, 5])",
        "a = (8,1,6,1)\nb: [7,1,5]",
        "8,1,6,1,(7,1,5)",
    ] {
        assert_eq!(text.parse(), Ok(expected.clone()), "{text}");
    }
    let scalars = explain_sizes(&[&[], &[3], &[], &[]]);
    assert_eq!("() (3,) scalar []".parse(), Ok(scalars));
}

#[test]
fn what_is_written_is_read() {
    for (id, shapes, _) in cases() {
        if shapes.len() < 2 {
            continue;
        }
        let shapes: Vec<_> = shapes.iter().map(Vec::as_slice).collect();
        let explanation = explain_sizes(&shapes);
        assert_eq!(explanation.shapes().parse(), Ok(explanation), "{id}");
    }
    for text in ["x = (Batch(32), 3) + (Batch, 1)", "(Batch, 1, 3) + (4, 1)", "b = (2,) + (3,)"] {
        let explanation: Explanation = text.parse().unwrap();
        assert_eq!(explanation.shapes().parse(), Ok(explanation), "{text}");
    }
}

#[test]
fn names_of_axes() {
    let explanation: Explanation = "shape![Batch, 1, 3] shape![Batch(32), Seq, 3]".parse().unwrap();
    // The size of a name is that of another shape, if it is known there.
    assert_eq!(explanation.operands()[0].axes[0], AxisSize::named("Batch", Some(32)));
    assert_eq!(explanation.operands()[1].axes[1].to_string(), "Seq");
    let explanation: Explanation = "(Batch, 1) (Seq)".parse().unwrap();
    let sizes: Vec<_> = explanation.axes().iter().map(|a| a.outcome.clone().unwrap()).collect();
    assert_eq!(sizes.iter().map(|axis| axis.size).collect::<Vec<_>>(), [2, 3]);
    let table = explanation.to_string();
    assert!(table.contains("stretches to Seq"), "{table}");
    assert!(explanation.to_svg().unwrap().contains("×Batch"));
    assert!(explanation.to_dot().contains("stretches ×Seq"));
}

#[test]
fn mistakes_have_a_position() {
    assert_eq!(mistake(""), (0, "there is no shape: write two or more, such as (4, 3) (3)".into()));
    assert_eq!(mistake("(4, 3)").1, "there is one shape: write two or more, such as (4, 3) (3)");
    assert_eq!(mistake("(4, 3) (3"), (9, "`)` is missing".into()));
    assert_eq!(mistake("(4, 3] (3)"), (5, "`)` is missing".into()));
    assert_eq!(mistake("(4, 3)) (3)"), (6, "there is no bracket that `)` closes".into()));
    assert_eq!(mistake("shape! (3)").0, 10);
    assert_eq!(mistake("shape!4 (3)"), (6, "`[` is missing".into()));
    assert_eq!(mistake("torch.Size([3] (3)"), (14, "`)` is missing".into()));
    assert_eq!(mistake("(Batch(x), 3) (3)").0, 7);
    assert_eq!(mistake("(Batch(3, 3) (3)"), (8, "`)` is missing".into()));
    assert_eq!(
        mistake("(batch, 3) (3)"),
        (1, "the name of an axis begins with a capital letter, as `Batch`; found `batch`".into())
    );
    assert_eq!(
        mistake("(Batch(2), Batch(3)) (3)"),
        (11, "Batch(2) and Batch(3): a name has one size".into())
    );
    assert_eq!(mistake("x = (3) x = (3)"), (8, "two shapes are called `x`".into()));
    let keyword = "`lambda` has another meaning in Rust or Python: choose another name";
    assert_eq!(mistake("lambda = (3) (3)"), (0, keyword.into()));
    assert_eq!(mistake("größe = (3) (3)").0, 0);
    assert_eq!(mistake("(3) + + (3)").0, 6);
    assert_eq!(mistake("+ (3) (3)").0, 0);
    let long = format!("({}1) (3)", "1, ".repeat(64));
    assert_eq!(mistake(&long), (0, "a shape has at most 64 axes here".into()));
    assert_eq!(parse_shape("(3) (4)").unwrap_err().position(), 3);
}

/// No text panics.
#[test]
fn any_text_is_read_or_refused() {
    let parts =
        ["(", ")", "[", "]", ",", "3", "0", "x", "B", " ", "+", "shape!", "{", "=", "é", "-", "."];
    let mut number = 1_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..number % 13 {
            number = number.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            text += parts[(number >> 33) as usize % parts.len()];
        }
        number = number.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        match text.parse::<Explanation>() {
            Err(error) => assert!(error.position() <= text.chars().count(), "{text}"),
            Ok(explanation) => drop(explanation.to_string()),
        }
    }
}
