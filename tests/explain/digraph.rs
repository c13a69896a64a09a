//! The digraphs: two are kept as files, all are well-formed.

use tensor_core::explain::{Explanation, explain, explain_sizes};
use tensor_core::shape;

use super::{Batch, Seq, cases, explained};
use crate::pictures::inside_of_its_frame;
use crate::repository::compare;

/// The kept digraphs.
fn kept() -> [(&'static str, Explanation); 3] {
    [
        ("two.dot", explain_sizes(&[&[8, 1, 6, 1], &[7, 1, 5]])),
        ("names.dot", explain(&[&shape![Batch(32), 10], &shape![Seq(32), 1]])),
        ("four.dot", explain_sizes(&[&[6, 7], &[5, 6, 1], &[7], &[5, 1, 7]])),
    ]
}

#[test]
fn digraphs_are_as_kept() {
    for (name, explanation) in kept() {
        compare(format!("tests/explain/expected/{name}"), &explanation.to_dot(), "pictures");
    }
}

/// The graph without the quoted texts, and the quoted texts.
fn without_strings(graph: &str) -> (String, Vec<String>) {
    let (mut rest, mut strings) = (String::new(), Vec::new());
    let mut signs = graph.chars();
    while let Some(sign) = signs.next() {
        if sign != '"' {
            rest.push(sign);
            continue;
        }
        let mut string = String::new();
        loop {
            match signs.next().expect("the end of a string") {
                '"' => break,
                '\\' => string.extend(signs.next()),
                other => string.push(other),
            }
        }
        rest.push('§');
        strings.push(string);
    }
    (rest, strings)
}

/// One edge for each axis of each shape, one node at each end of it, and balanced brackets.
fn check(explanation: &Explanation) {
    let graph = explanation.to_dot();
    let (rest, _) = without_strings(&graph);
    for pair in ["{}", "[]"] {
        let mut depth = 0_i32;
        for sign in rest.chars() {
            depth += i32::from(pair.starts_with(sign)) - i32::from(pair.ends_with(sign));
            assert!(depth >= 0, "{graph}");
        }
        assert_eq!(depth, 0, "{graph}");
    }
    for (axis, aligned) in explanation.axes().iter().enumerate() {
        assert!(rest.contains(&format!("    result{axis} [label=§")), "{graph}");
        let edges = rest.lines().filter(|line| {
            let line = line.trim_start();
            let ends = line.split_once(" [").map(|(ends, _)| ends).unwrap_or_default();
            let is_down = ends.ends_with(&format!(" -> result{axis}"));
            let is_up = ends.starts_with(&format!("result{axis} -> "));
            (is_down || is_up) && line.contains("label=§")
        });
        assert_eq!(edges.count(), aligned.parts.len(), "{graph}");
    }
}

/// A box for each node and an arrow for each edge.
fn check_drawing(explanation: &Explanation) {
    let picture = explanation.digraph_svg();
    let document = inside_of_its_frame(&picture);
    let count = |name| document.descendants().filter(|node| node.has_tag_name(name)).count();
    let (rank, operands) = (explanation.axes().len(), explanation.operands().len());
    // A box, and the head of an arrow.
    assert_eq!(count("polygon"), rank * (operands + 1) + rank * operands, "{picture}");
    assert_eq!(count("polyline"), rank * operands * if operands == 2 { 1 } else { 2 });
    assert_eq!(picture.contains("does not fit"), explanation.result().is_err(), "{picture}");
}

#[test]
fn digraphs_are_well_formed() {
    for (_, shapes, _) in cases() {
        check(&explained(&shapes));
        check_drawing(&explained(&shapes));
    }
}

#[test]
fn names_are_quoted() {
    let names = [r#"a "b" \"#, "{c} -> [d]"];
    let explanation = explain_sizes(&[&[4], &[3]]).with_names(&names);
    check(&explanation);
    let (_, strings) = without_strings(&explanation.to_dot());
    assert!(strings.contains(&format!("{} [4]", names[0])), "{strings:?}");
    assert!(strings.contains(&format!("{} [3]", names[1])), "{strings:?}");
}
