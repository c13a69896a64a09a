//! The pictures of the README and the guides.

#[path = "../../../examples/training/curve.rs"]
mod curve;

use std::fs;
use std::path::Path;

use tensor_core::autograd::value_and_grad;
use tensor_core::explain::{Explanation, explain};
use tensor_core::random::Generator;
use tensor_core::trace::trace;
use tensor_core::{Tensor, axis, dim, shape, slice};
use tensor_explain::internal::{Anchor, Canvas, Graph, Kind, Node, Point, RESULT, of_operand};
use tensor_nn::Module;
use tensor_nn::data::Loader;
use tensor_nn::layers::Linear;
use tensor_nn::losses::binary_cross_entropy_with_logits;
use tensor_nn::optim::{AdamW, Cosine, Optimizer, Schedule};
use tensor_xla::{mesh, shard, sharding};

use super::{inside_of_its_frame, step};
use crate::Batch;
use crate::repository::{ROOT, compare};

/// The folders of the pictures, each with their names and contents.
fn guides() -> [(&'static str, Vec<(&'static str, String)>); 3] {
    let picture = |explanation: Explanation| explanation.to_svg().unwrap();
    [
        (
            "tensor-core/guide/pictures",
            vec![
                ("row.svg", picture(explain(&[&shape![4, 3], &shape![3]]))),
                ("outer.svg", picture(explain(&[&shape![4, 1], &shape![3]]))),
                ("scalar.svg", picture(explain(&[&shape![2, 3], &shape![]]))),
                ("refused.svg", picture(explain(&[&shape![4, 3], &shape![4]]))),
                ("sheets.svg", picture(explain(&[&shape![2, 1, 3], &shape![4, 1]]))),
                ("program.svg", step().to_svg()),
                ("ranks.svg", ranks()),
                ("slices.svg", slices()),
                ("checkpoints.svg", checkpoints()),
            ],
        ),
        (
            "tensor-nn/guide/pictures",
            vec![("layers.svg", layers()), ("training.svg", curve::svg(0, &losses()))],
        ),
        ("tensor-xla/guide/pictures", vec![("sharding.svg", devices())]),
    ]
}

/// The pictures within the text of the documentation, which has no folder for them. Where a name is
/// defined twice, as it is at the end of a chapter, too, the first definition holds.
const REFERENCES: &str = "references.md";

#[test]
fn pictures_of_the_guides_are_up_to_date() {
    for (folder, pictures) in guides() {
        let references = pictures.iter().map(|(name, picture)| reference(name, picture)).collect();
        let files = pictures.into_iter().chain([(REFERENCES, references)]);
        let files: Vec<_> = files.collect();
        let folder = Path::new(ROOT).join(folder);
        for (name, content) in &files {
            compare(folder.join(name), content, "pictures");
        }
        for entry in fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let is_known = files.iter().any(|(known, _)| *known == name);
            assert!(is_known, "nothing generates {name}: remove it");
        }
    }
    for picture in [ranks(), slices()] {
        inside_of_its_frame(&picture);
    }
}

/// The definition of a picture as a link that holds it.
fn reference(name: &str, picture: &str) -> String {
    let encoded = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let picture: String = picture.bytes().map(encoded).collect();
    let name = name.trim_end_matches(".svg");
    format!("[picture of {name}]: data:image/svg+xml,{picture}\n")
}

const CELL: Point = Point { x: 44.0, y: 34.0 };
const MARGIN: f64 = 24.0;

/// Draws rows of cells with numbers from `first` on, of which the chosen ones are filled.
fn draw_cells(
    canvas: &mut Canvas,
    corner: Point,
    [rows, columns]: [usize; 2],
    first: usize,
    chosen: impl Fn(usize) -> bool,
) {
    let operand = of_operand(0);
    for index in 0..rows * columns {
        let (row, column, number) = (index / columns, index % columns, first + index);
        let cell = corner.plus(column as f64 * CELL.x, row as f64 * CELL.y);
        let (fill, line, text) = match chosen(number) {
            true => (operand.fill, operand.line, operand.on_fill),
            false => (RESULT.fill, RESULT.line, RESULT.text),
        };
        canvas.group(
            &format!("fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"1.5\""),
            |canvas| {
                let at = |x: f64, y: f64| cell.plus(x, y);
                let (right, below) = (CELL.x - 2.0, CELL.y - 2.0);
                canvas.polygon(&[at(2.0, 2.0), at(right, 2.0), at(right, below), at(2.0, below)]);
            },
        );
        let middle = cell.plus(CELL.x / 2.0, CELL.y / 2.0 + 5.0);
        canvas.text(middle, Anchor::Middle, 14.0, text, &number.to_string());
    }
}

/// A scalar, a vector, a matrix, and a tensor of rank 3.
fn ranks() -> String {
    let mut canvas = Canvas::default();
    let mut corner = Point::new(MARGIN, 60.0);
    for (title, sheets, sizes) in [
        ("shape![]", 1, [1, 1]),
        ("shape![3]", 1, [1, 3]),
        ("shape![2, 3]", 1, [2, 3]),
        ("shape![2, 2, 3]", 2, [2, 3]),
    ] {
        let [rows, columns] = sizes;
        canvas.text(corner.plus(0.0, -20.0), Anchor::Start, 16.0, RESULT.text, title);
        for sheet in 0..sheets {
            let below = sheet as f64 * (rows as f64 * CELL.y + 16.0);
            let first = sheet * rows * columns;
            draw_cells(&mut canvas, corner.plus(0.0, below), sizes, first, |_| true);
        }
        corner.x += (columns as f64 * CELL.x).max(title.len() as f64 * 9.8) + 32.0;
    }
    let size = Point::new(corner.x - 32.0 + MARGIN, 60.0 + 4.0 * CELL.y + 16.0 + MARGIN);
    canvas.finish(size, "shapes of rank 0 to 3", "numbers count the elements in row-major order")
}

/// Slices of `[4, 6]`: the elements that each of them has are filled.
fn slices() -> String {
    let x = Tensor::<shape![24], i64>::arange().reshape::<shape![4, 6]>();
    let numbers = |elements: Vec<i64>| -> Vec<usize> {
        elements.into_iter().map(|element| element as usize).collect()
    };
    let mut canvas = Canvas::default();
    let mut corner = Point::new(MARGIN, 60.0);
    for (title, chosen) in [
        ("slice![1..3, ..; 2]: [2, 3]", numbers(x.slice(slice![1..3, ..; 2]).to_vec())),
        ("slice![.., -1]: [4]", numbers(x.slice(slice![.., -1]).to_vec())),
        ("slice![2]: [6]", numbers(x.slice(slice![2]).to_vec())),
    ] {
        canvas.text(corner.plus(0.0, -20.0), Anchor::Start, 16.0, RESULT.text, title);
        draw_cells(&mut canvas, corner, [4, 6], 0, |number| chosen.contains(&number));
        corner.x += 6.0 * CELL.x + 32.0;
    }
    let size = Point::new(corner.x - 32.0 + MARGIN, 60.0 + 4.0 * CELL.y + MARGIN);
    canvas.finish(size, "slices of a tensor of shape [4, 6]", "filled: the elements of the slice")
}

/// The tensors of a file, what a `WeightMap` does with them, and the fields of a model.
fn checkpoints() -> String {
    let node = |kind, text: &str, reads: &[(usize, &str)]| Node {
        kind,
        text: text.to_owned(),
        reads: reads.iter().map(|(from, shape)| (*from, (*shape).to_owned())).collect(),
    };
    let graph = Graph(vec![
        node(Kind::Input, "word_embeddings.weight", &[]),
        node(Kind::Input, "query.weight", &[]),
        node(Kind::Input, "key.weight", &[]),
        node(Kind::Input, "value.weight", &[]),
        node(Kind::Step, "rename", &[(0, "[3, 2]")]),
        node(Kind::Step, "join along axis 0", &[(1, "[2, 2]"), (2, "[2, 2]"), (3, "[2, 2]")]),
        node(Kind::Output, "words", &[(4, "[3, 2]")]),
        node(Kind::Output, "blocks.0.qkv.weight", &[(5, "[6, 2]")]),
    ]);
    graph.to_svg("the tensors of a file become the fields of a model")
}

/// The network of the chapter on layers, as a program.
fn layers() -> String {
    type Network = (Linear<dim!(64), dim!(128)>, Linear<dim!(128), dim!(10)>);
    let rng = &mut Generator::seed(42);
    let network: Network = (Linear::new(rng), Linear::new(rng));
    let images = Tensor::<shape![32, 64]>::zeros();
    let forward = |(images, (hidden, scores)): &(Tensor<shape![32, 64]>, Network)| {
        scores.forward(&hidden.forward(images).relu())
    };
    trace(&(images, network), forward).to_svg()
}

/// The losses of the program in the chapter on training.
fn losses() -> Vec<f32> {
    #[derive(Clone, Module)]
    struct Network {
        hidden: Linear<dim!(4), dim!(16)>,
        score: Linear<dim!(16), dim!(1)>,
    }

    let rng = &mut Generator::seed(42);
    let x: Tensor<shape![960, 4]> = rng.normal(0.0, 1.0);
    let is_positive = x.sum_axis::<-1>().greater(0.0).cast::<f32>();
    let loader = Loader::new((x, is_positive), 32).shuffled(7);
    let mut network = Network { hidden: Linear::new(rng), score: Linear::new(rng) };
    let mut optimizer = Optimizer::new(AdamW::default(), 0.0);
    let schedule = Cosine { rate: 0.01, end: 0.0, steps: 150 };
    let mut losses = Vec::new();
    for (x, target) in (0..5).flat_map(|epoch| loader.epoch::<Batch>(epoch)) {
        let (loss, gradient) = value_and_grad(&network, |network: &Network| {
            let scores = network.score.forward(&network.hidden.forward(&x).relu());
            binary_cross_entropy_with_logits(&scores.squeeze::<-1>(), &target)
        });
        optimizer.set_rate(schedule.rate(optimizer.steps()));
        optimizer.step(&mut network, &gradient).unwrap();
        losses.push(loss.item());
    }
    losses
}

/// Which device holds which part.
fn devices() -> String {
    axis!(Pixel = 64, Hidden = 32);
    mesh!(Grid: Data = 4, Model = 2);
    sharding!(Split on Grid: Batch => Data, Hidden => Model);
    let weights = Tensor::<shape![Pixel, Hidden]>::zeros();
    let images = Tensor::<shape![Batch, Pixel]>::zeros_shaped(shape![Batch(16), Pixel]);
    let program = trace(&(weights, images), |(weights, images)| images.dot(weights));
    let picture = shard(program, Split).unwrap().to_svg();
    roxmltree::Document::parse(&picture).unwrap();
    picture
}
