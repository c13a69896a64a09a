//! Types in texts: shapes are written as people write them, and what is no shape is left alone.

use cargo_shapes::text::{code, label, message};
use proptest::prelude::*;

#[test]
fn shapes_are_read() {
    for (written, expected) in [
        ("`(((), Batch), Dim<64>)`", "`[Batch, 64]`"),
        ("`(Lead, Dim<768>)`", "`[Lead.., 768]`"),
        ("`((Lead, Q), One)`", "`[Lead.., Q, 1]`"),
        ("`Tensor<(((), Dim<50000, 257>), One), i64>`", "`Tensor<[50257, 1], i64>`"),
        ("`&Tensor<()>`", "`&Tensor<[]>`"),
        ("`Tensor<(Lead, I)>`", "`Tensor<[Lead.., I]>`"),
        ("`&'a mut Tensor<((), _), {float}>`", "`&'a mut Tensor<[_], {float}>`"),
        (
            "`std::result::Result<Tensor<((), Dim<3>)>, IndexError>`",
            "`std::result::Result<Tensor<[3]>, IndexError>`",
        ),
        ("`(&Tensor<((), Dim<3>)>, [Tensor<()>; 2])`", "`(&Tensor<[3]>, [Tensor<[]>; 2])`"),
        ("`Broadcast<((), Dim<2>)>`", "`Broadcast<[2]>`"),
        ("`AxesMatch<Dim<2>, Batch, _>`", "`AxesMatch<2, Batch, _>`"),
        ("neither is `One`", "neither is `1`"),
        ("`Dim<32, 0, 0>`, `Dim<0>` and `Dim<50000, 0>`", "`32`, `0` and `50000`"),
        ("`((), AxisIndex<-1>)`", "`axes![-1]`"),
        ("`HasSizes<(((), ArrayLength<2>), ArrayLength<N>)>`", "`HasSizes<[2, N]>`"),
        (
            "`<((Lead, Q), K) as HasAxis<_>>::WithoutAxis`",
            "`<[Lead.., Q, K] as HasAxis<_>>::WithoutAxis`",
        ),
        ("`Tensor::<((), Dim<3>)>::ones`", "`Tensor::<[3]>::ones`"),
        ("shape `((Lead, M), K)`", "shape `[Lead.., M, K]`"),
        (
            "required for `(Lead, I)` to implement `Broadcast<((), O)>`",
            "required for `[Lead.., I]` to implement `Broadcast<[O]>`",
        ),
        ("the bound `(Lead, Dim<3>): HasAxis<0>`", "the bound `shape![Lead.., 3]: HasAxis<0>`"),
        ("is required by `(Lead, D): Shape`", "is required by `shape![Lead.., D]: Shape`"),
    ] {
        assert_eq!(message(written), expected);
    }
    // The labels of the operands of an operator are types alone.
    for (written, expected) in [
        ("&Tensor<((), D)>", "&Tensor<[D]>"),
        ("expected `Tensor<()>`", "expected `Tensor<[]>`"),
        ("this needs integers", "this needs integers"),
    ] {
        assert_eq!(label(written), expected);
    }
}

#[test]
fn what_is_no_shape_is_left_alone() {
    for text in [
        "expected `(A, B)`, found `()`",
        "`(String, Vec<u8>)`",
        "`((), usize)`",
        "`((), String)`",
        "`fn(usize) -> Batch {Batch}`",
        "`f(())`, `x.get((), 1)` and `shape![2, (3)]`",
        "`(size - 9) · dilation + 9`",
        "`Dim<1>` is not how a size is spelled",
        "`Dim<1000, 24>`, `Dim<0, 48>`, `Dim<12345>` and `Dim<18446744073709551616>`",
        "`Dimension<3>` and `OneHot`",
        "a backtick ` and (((), Batch), Dim<64>)",
        "`(((), Batch`",
        "`impl Fn(()) -> f32`",
        "`'static`, `dyn Fn(A)`, `é (((`",
    ] {
        assert_eq!(message(text), text);
    }
}

#[test]
fn code_stays_code() {
    let where_clause = " where (((), Dim<2>), Lead): HasAxis<0>";
    assert_eq!(code(where_clause, true), " where shape![2, Lead]: HasAxis<0>");
    assert_eq!(code(where_clause, false), " where tensor_core::shape![2, Lead]: HasAxis<0>");
    for text in [
        "::<AXIS>",
        ".into()",
        "(/* usize */)",
        " + tensor_core::HasAxis<1>",
        "Dim<64>",
        "<(_, Dim<2>)>",
        "f((), 1)",
    ] {
        assert_eq!(code(text, true), text);
    }
}

/// An axis as rustc prints it, and as people write it.
fn axis() -> impl Strategy<Value = (String, String)> {
    let size = |size: u64| {
        let parts = [size / 1_000_000 * 1_000_000, size / 1_000 % 1_000 * 1_000, size % 1_000];
        let parts: Vec<_> =
            parts.into_iter().filter(|part| *part > 0).map(|part| part.to_string()).collect();
        match size {
            1 => ("One".to_owned(), "1".to_owned()),
            0..10_000 => (format!("Dim<{size}>"), size.to_string()),
            _ => (format!("Dim<{}>", parts.join(", ")), size.to_string()),
        }
    };
    prop_oneof![
        (0_u64..3000).prop_map(size),
        (0_u64..1_000_000_000).prop_map(size),
        "[A-Z][a-z]{0,5}"
            .prop_filter("a name of its own", |name| name != "One"
                && name != "Vec"
                && name != "Box")
            .prop_map(|name| (name.clone(), name)),
    ]
}

proptest! {
    #[test]
    fn every_shape_is_written_in_brackets(axes in prop::collection::vec(axis(), 0..14), lead in prop::option::of("[A-Z]")) {
        let start = lead.clone().unwrap_or("()".to_owned());
        let pairs = axes.iter().fold(start, |lead, (rustc, _)| format!("({lead}, {rustc})"));
        let rest = lead.clone().map(|lead| format!("{lead}.."));
        let written: Vec<String> = rest.into_iter().chain(axes.iter().map(|(_, people)| people.clone())).collect();
        let expected = match (axes.is_empty(), &lead) {
            (true, Some(lead)) => lead.clone(),
            _ => format!("[{}]", written.join(", ")),
        };
        let text = message(&format!("expected `&Tensor<{pairs}, f32>`, found `u8`"));
        prop_assert_eq!(text, format!("expected `&Tensor<{expected}, f32>`, found `u8`"));
    }

    /// Texts of the characters that types are made of: no panic, and nothing outside of backticks changes.
    #[test]
    fn any_text_is_read(text in "[(),<>&'\\[\\]:;=_`A-Ddim0-9!é -]{0,60}") {
        let _ = message(&text);
        let _ = code(&text, true);
        let outside: String = text.chars().filter(|c| *c != '`').collect();
        prop_assert_eq!(message(&outside), outside);
    }
}
