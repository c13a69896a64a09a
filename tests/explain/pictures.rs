//! The pictures: well-formed, with the right number of cells, within their frame; and those of the
//! guides.

mod guides;

use std::collections::BTreeSet;

use roxmltree::{Document, Node};
use tensor_core::autograd::value_and_grad;
use tensor_core::explain::{Explanation, TooLargeToDraw, explain, explain_sizes};
use tensor_core::trace::{Program, trace};
use tensor_core::{DynTensor, Tensor, shape, tensor};

use super::{Batch, Seq, explained, small_shapes};

/// The smallest letters, in pixels.
const SMALLEST: f64 = 12.0;

/// The training step of the guide.
fn step()
-> Program<(Tensor<shape![3]>, Tensor<shape![2, 3]>), (Tensor<shape![3]>, Tensor<shape![]>)> {
    trace(&(Tensor::zeros(), Tensor::zeros()), |(model, x)| {
        let (loss, gradient) = value_and_grad(model, |model| (x.dot(model) - 1.0).square().mean());
        (model - gradient * 0.1, loss)
    })
}

/// A box for each input, step and output, of which those of gradients are dashed; an edge for each value that is read.
#[test]
fn programs() {
    let program = step();
    let picture = program.to_svg();
    let picture = Document::parse(&picture).unwrap();
    let dashed = picture.descendants().filter(|node| node.attribute("stroke-dasharray").is_some());
    let boxes = program.inputs().len() + program.num_steps() + program.outputs().len();
    let polygons = picture.descendants().filter(|node| node.has_tag_name("polygon")).count();
    let edges = picture.descendants().filter(|node| node.has_tag_name("polyline")).count();
    // An arrow has a head.
    assert_eq!(polygons, boxes + edges);

    let graph = program.to_dot();
    assert_eq!(graph.matches(" -> ").count(), edges);
    let gradients = graph.matches("dashed").count();
    assert_eq!(gradients, dashed.count());
    assert!(0 < gradients && gradients < program.num_steps(), "{graph}");
    // A program without gradients has none.
    assert!(!trace(&tensor![1.0], |x| x.exp()).to_dot().contains("dashed"));
}

fn class<'a>(node: Node<'a, '_>) -> &'a str {
    node.attribute("class").unwrap_or_default()
}

/// The number of cells of a kind in a shape.
fn cells(shape: Node<'_, '_>, kind: &str) -> usize {
    let groups = shape.children().filter(|group| class(*group) == kind);
    groups.map(|group| group.children().filter(|node| node.has_tag_name("polygon")).count()).sum()
}

fn number(node: Node<'_, '_>, attribute: &str) -> f64 {
    node.attribute(attribute).unwrap().parse().unwrap()
}

/// The cells that an element is broadcast to.
fn reach(node: Node<'_, '_>) -> Vec<(f64, f64)> {
    if let Some(points) = node.attribute("points") {
        let point = |point: &str| {
            let (x, y) = point.split_once(',').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        };
        return points.split(' ').map(point).collect();
    }
    if !node.has_tag_name("text") {
        return Vec::new();
    }
    let (x, y, size) = (number(node, "x"), number(node, "y"), number(node, "font-size"));
    assert!(size >= SMALLEST, "letters of {size} pixels");
    let text: String =
        node.descendants().filter_map(|part| part.is_text().then(|| part.text())?).collect();
    let width = text.chars().count() as f64 * size * 0.6;
    let left = match node.attribute("text-anchor").unwrap() {
        "start" => x,
        "middle" => x - width / 2.0,
        _ => x - width,
    };
    vec![(left, y - size), (left + width, y)]
}

/// Parses the picture and checks that everything is inside of its frame.
fn with_picture(explanation: &Explanation, check: impl FnOnce(&Document<'_>)) {
    let picture = explanation.to_svg().unwrap_or_else(|error| panic!("{error}:\n{explanation}"));
    let document = inside_of_its_frame(&picture);
    let width = number(document.root_element(), "width");
    assert!(width <= 900.0, "{width} pixels wide:\n{explanation}");
    check(&document);
}

/// The picture, whose parts are inside of its frame.
pub fn inside_of_its_frame(picture: &str) -> Document<'_> {
    let document = Document::parse(picture).unwrap_or_else(|error| panic!("{error}:\n{picture}"));
    let root = document.root_element();
    let (width, height) = (number(root, "width"), number(root, "height"));
    for node in root.descendants() {
        for (x, y) in reach(node) {
            let is_inside = x >= 2.0 && y >= 2.0 && x <= width - 2.0 && y <= height - 2.0;
            assert!(is_inside, "{x},{y} is not within {width},{height}: {node:?}\n{picture}");
        }
    }
    document
}

fn shapes<'a>(document: &'a Document<'_>) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| class(*node) == "shape").collect()
}

/// The numbers in the cells of a shape, sums with their signs.
fn texts(shape: Node<'_, '_>) -> Vec<String> {
    let texts = shape
        .children()
        .filter(|node| node.has_tag_name("text") && node.attribute("font-weight").is_none());
    let text = |node: Node<'_, '_>| -> String {
        node.descendants().filter_map(|part| part.is_text().then(|| part.text())?).collect()
    };
    texts.map(text).collect()
}

/// The sum of which elements each cell of the result is, computed by adding tensors of numbers.
fn sums(explanation: &Explanation, shapes: &[Vec<usize>]) -> Vec<String> {
    let result = explanation.result().unwrap().to_vec();
    let numbers = |shape: &Vec<usize>| -> Vec<i64> {
        let elements = (0_i64..).take(shape.iter().product()).collect();
        let tensor = DynTensor::from_vec(shape, elements).unwrap();
        tensor.expand(&result).unwrap().to_vec()
    };
    let columns: Vec<_> = shapes.iter().map(numbers).collect();
    (0..result.iter().product())
        .map(|cell| columns.iter().map(|c| c[cell].to_string()).collect::<Vec<_>>().join("+"))
        .collect()
}

/// The cells of two shapes and their result, or the mark of what fails.
fn check_cells(pair: [Vec<usize>; 2]) {
    let explanation = explained(&pair);
    with_picture(&explanation, |document| {
        let drawn = shapes(document);
        for (shape, operand) in drawn.iter().zip(&pair) {
            let own = cells(*shape, "own") + cells(*shape, "alone");
            assert_eq!(own, operand.iter().product::<usize>(), "{explanation}");
        }
        let Ok(result) = explanation.result() else {
            assert_eq!(drawn.len(), 2);
            assert!(document.descendants().any(|node| class(node) == "cross"));
            let brackets = document.descendants().filter(|node| class(*node) == "bracket");
            assert_eq!(brackets.count(), 2);
            return;
        };
        assert_eq!(drawn.len(), 3);
        let count: usize = result.iter().product();
        assert_eq!(cells(drawn[2], "result"), count, "{explanation}");
        if count > 0 {
            for shape in &drawn[..2] {
                assert_eq!(cells(*shape, "own") + cells(*shape, "repeated"), count);
            }
            assert_eq!(texts(drawn[2]), sums(&explanation, &pair));
        }
    });
}

#[test]
fn cells_are_counted_and_numbered() {
    let small = small_shapes(&[0, 1, 3]);
    for a in &small {
        for b in &small {
            check_cells([a.clone(), b.clone()]);
        }
    }
}

#[test]
fn stacks_of_sheets() {
    let small = small_shapes(&[0, 1, 2]);
    for a in small.iter().filter(|shape| shape.len() == 3) {
        for first in [0, 1, 2, 3] {
            let a = [&[first], &a[..]].concat();
            for b in &small {
                check_cells([a.clone(), b.clone()]);
            }
            for first in [1, 2] {
                check_cells([a.clone(), vec![first, 2, 1, 2]]);
            }
        }
    }
    // No two cells of a shape are at the same place.
    with_picture(&explain_sizes(&[&[2, 3, 2, 2], &[3, 1, 2]]), |document| {
        let cells = document.descendants().filter(|node| node.has_tag_name("polygon"));
        let places: Vec<_> = cells.filter_map(|node| node.attribute("points")).collect();
        assert_eq!(BTreeSet::from_iter(&places).len(), places.len());
    });
}

#[test]
fn what_does_not_fit_is_marked() {
    let alone = |explanation: Explanation| {
        let mut counts = Vec::new();
        with_picture(&explanation, |document| {
            counts = shapes(document).into_iter().map(|shape| cells(shape, "alone")).collect();
        });
        counts
    };
    assert_eq!(alone(explain_sizes(&[&[4, 3], &[4]])), [0, 1]);
    assert_eq!(alone(explain_sizes(&[&[5, 3], &[2, 3]])), [9, 0]);
    assert_eq!(alone(explain_sizes(&[&[2, 3], &[2, 2, 5], &[3]])), [0, 8, 0]);
    // Different names have no cell in common.
    assert_eq!(alone(explain(&[&shape![Batch(2)], &shape![Seq(2)]])), [0, 0]);
}

#[test]
fn three_and_more_shapes() {
    let lists: [&[&[usize]]; 4] = [
        &[&[4, 1], &[3], &[2, 1, 1]],
        &[&[6, 7], &[5, 6, 1], &[4]],
        &[&[12], &[12, 1], &[], &[1], &[12, 12], &[1, 1]],
        &[&[2, 3], &[4, 3], &[1, 3], &[3]],
    ];
    for list in lists {
        with_picture(&explain_sizes(list), |document| {
            assert!(shapes(document).len() >= list.len())
        });
    }
}

#[test]
fn names_are_escaped() {
    let names = ["<a & 'b'>", "]]> \"c\" \u{1}\n\u{ffff}"];
    let explanation = explain_sizes(&[&[2, 3], &[3]]).with_names(&names);
    let picture = explanation.to_svg().unwrap();
    let document = Document::parse(&picture).unwrap();
    let title = document.descendants().find(|node| node.has_tag_name("title")).unwrap();
    assert!(title.text().unwrap().starts_with("<a & 'b'> [2, 3] + ]]> \"c\" "), "{title:?}");
}

#[test]
fn what_is_too_large_is_refused() {
    let error = |shapes: &[&[usize]]| explain_sizes(shapes).to_svg().unwrap_err();
    assert!(matches!(error(&[&[13], &[13]]), TooLargeToDraw::Size { size: 13, .. }));
    assert!(matches!(error(&[&[1, 1, 1, 1, 1], &[2]]), TooLargeToDraw::Rank { axes: 5, .. }));
    assert!(matches!(error(&[&[2, 1, 12], &[7, 1]]), TooLargeToDraw::Cells { cells: 168, .. }));
    assert!(matches!(error(&[&[2][..]; 7]), TooLargeToDraw::Operands(7)));
    assert_eq!(
        error(&[&[usize::MAX, usize::MAX], &[0]]).to_string(),
        format!("a has {} cells along an axis, a picture takes at most 12", usize::MAX)
    );
    assert_eq!(
        error(&[&[2, 1, 12], &[7, 1]]).to_string(),
        "the result has 168 cells, a picture takes at most 144"
    );
    assert_eq!(
        error(&[&[12, 1, 1, 12], &[1]]).to_string(),
        "a [12, 1, 1, 12] would be 6812 pixels wide, a picture takes at most 852"
    );
}
