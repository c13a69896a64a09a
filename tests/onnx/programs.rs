//! Programs that are exported to ONNX, written in Rust and compiled compute what they did before.

use std::collections::BTreeMap;
use std::fs;

use serde_json::json;
use tensor_core::io::Checkpoint;
use tensor_core::module::AnyTensor;
use tensor_core::random::Generator;
use tensor_core::trace::{cond, scan, scan_reverse, switch, trace, while_loop};
use tensor_core::windows::Conv2dOptions;
use tensor_core::{Module, Shape, Tensor, dim, shape, tensor};
use tensor_nn::layers::{Causal, GruCell, LayerNorm, Linear, MultiHeadAttention, Pass};
use tensor_onnx::ToOnnx;

use crate::compiler;
use crate::encoder::{graph, graph_attribute, int, integers, ints, model, node, tensor, value};
use crate::{Case, Libraries, run};

#[path = "../../examples/digits_cnn/reader.rs"]
#[expect(dead_code, reason = "what reads the data of the example")]
mod digits_cnn;

/// What the pixels of the example are divided by.
const INK: u8 = 16;

/// The case of a model, its inputs and outputs by name or number.
fn case(
    name: &str,
    bytes: &[u8],
    inputs: &[(&str, &dyn AnyTensor)],
    outputs: &[&dyn AnyTensor],
) -> Case {
    let folder = compiler::folder("onnx_programs").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("model.onnx"), bytes).expect("a file");
    let numbered = |kind: &str, number: usize| format!("{kind}.{number}");
    let inputs_by_number = inputs.iter().enumerate().map(|(n, (_, x))| (numbered("in", n), *x));
    let outputs_by_number = outputs.iter().enumerate().map(|(n, x)| (numbered("out", n), *x));
    let tensors: Vec<(String, &dyn AnyTensor)> =
        inputs_by_number.chain(outputs_by_number).collect();
    let tensors: Vec<(&str, &dyn AnyTensor)> =
        tensors.iter().map(|(name, tensor)| (&name[..], *tensor)).collect();
    Checkpoint::save(folder.join("data.safetensors"), &tensors).expect("a file");
    let names: Vec<&str> = inputs.iter().map(|(name, _)| *name).collect();
    let about = json!({
        "inputs": names, "outputs": outputs.len(), "rtol": 1e-5, "atol": 1e-5, "sizes": {},
    });
    Case { name: name.to_owned(), folder, about }
}

/// The case of a program, which computes what the function does.
fn exported<I: Module + Clone, O: Module + Clone>(
    name: &str,
    inputs: &I,
    function: impl Fn(&I) -> O,
) -> Case {
    let program = trace(inputs, &function).to_onnx().unwrap_or_else(|error| panic!("{error}"));
    let outputs = function(inputs);
    let (inputs, outputs) = (inputs.tensors(), outputs.tensors());
    let inputs: Vec<(&str, &dyn AnyTensor)> = program
        .inputs()
        .into_iter()
        .zip(&inputs)
        .map(|(name, (_, _, tensor))| (name, *tensor))
        .collect();
    let outputs: Vec<&dyn AnyTensor> = outputs.iter().map(|(_, _, tensor)| *tensor).collect();
    case(name, &program.to_bytes(), &inputs, &outputs)
}

/// Converts, compiles and runs the cases: what each gives.
fn results(program: &str, cases: Vec<Case>) -> BTreeMap<String, String> {
    let converted = cases.into_iter().map(|case| {
        let conversion = case.convert().unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let weights = conversion.weights().expect("weights");
        fs::write(case.folder.join("model.safetensors"), weights).expect("a file");
        (case, conversion)
    });
    let cases = converted.collect();
    let mut results = BTreeMap::new();
    let folder = compiler::folder("onnx_programs").join(program);
    run(&Libraries::new(), &folder, cases, &mut results);
    results
}

#[test]
fn programs_survive_onnx() {
    let rng = &mut Generator::seed(3);
    let x: Tensor<shape![5, 16]> = rng.normal(0.0, 1.0);
    let (first, second) =
        (Linear::<dim!(16), dim!(24)>::new(rng), Linear::<dim!(24), dim!(3)>::new(rng));
    let mlp = exported("mlp", &x, move |x| second.forward(&first.forward(x).relu()));

    let images = rng.uniform_shaped(shape![digits_cnn::Batch(5), 1, 8, 8], 0.0, 1.0);
    let reader = digits_cnn::Reader::new(rng);
    let cnn =
        exported("digits_cnn", &images, move |images| reader.scores(images, &mut Pass::eval()));

    let words: Tensor<shape![2, 7, 8]> = rng.normal(0.0, 1.0);
    let attention = MultiHeadAttention::<dim!(8), dim!(2), dim!(4)>::new(rng);
    let norm = LayerNorm::<dim!(8)>::new();
    let block = exported("attention", &words, move |x| {
        norm.forward(&(attention.forward(x, Causal, &mut Pass::eval()) + x))
    });

    let step: (Tensor<shape![4, 6]>, Tensor<shape![4, 10]>) =
        (rng.normal(0.0, 1.0), rng.normal(0.0, 1.0));
    let cell = GruCell::<dim!(6), dim!(10)>::new(rng);
    let gru = exported("gru_step", &step, move |(x, state)| cell.step(x, state));

    let results = results("programs", vec![mlp, cnn, block, gru]);
    assert!(
        results.len() == 4 && results.values().all(|result| result == "passed"),
        "{results:#?}"
    );
}

/// `Loop` and `If` of exported programs are the loops and branches again, each of which is one step of a program.
#[test]
fn loops_and_branches_survive_onnx() {
    let rng = &mut Generator::seed(5);
    let words: Tensor<shape![6, 4]> = rng.normal(0.0, 1.0);
    let weights: Tensor<shape![4, 4]> = rng.normal(0.0, 0.4);
    let layer = weights.clone();
    let scanned = exported("scanned", &words, move |words| {
        let (last, states) = scan(&Tensor::zeros(), words, |state: &Tensor<shape![4]>, word| {
            let next = (state.dot(&layer) + word).tanh();
            (next.clone(), (next.clone(), next.sum()))
        });
        let (_, after) = scan_reverse(&last, words, |state, word| (state * word, state - word));
        (last, states.0, states.1, after)
    });
    let root = exported("root", &Tensor::<shape![]>::scalar(9.0), |x| {
        let start = (x.clone(), Tensor::<shape![]>::zeros());
        let holds = |(root, before): &(Tensor<shape![]>, Tensor<shape![]>)| root.not_equal(before);
        while_loop(&start, holds, |(root, _)| ((root + x / root) * 0.5, root.clone())).0
    });
    let chosen = |name: &str, index: i64| {
        let x = tensor![1.0_f32, -4.0];
        exported(name, &(Tensor::<shape![], i64>::scalar(index), x), |(index, x)| {
            let y = switch(index, x, &[&|x| x.abs().sqrt(), &|x| x.square(), &|x| -x]);
            let both = cond(&index.less(1), &y, |y| (y + x, y.clone()), |y| (y - x, x.clone()));
            // A branch in a loop, whose steps are counted.
            let count = Tensor::<shape![], i64>::zeros();
            let last = while_loop(
                &(count, y),
                |(step, _)| step.less(3),
                |(step, y)| {
                    let y = cond(&y.sum().less(0.0), y, |y| y * 0.5, |y| y + x);
                    (step + 1, y)
                },
            );
            (both, last.1)
        })
    };
    let all = vec![scanned, root, chosen("first", 0), chosen("second", 1), chosen("third", 2)];
    for (case, parts) in
        [(&all[0], &[" scan("][..]), (&all[1], &[" while_loop("]), (&all[2], &[" cond(", " scan("])]
    {
        let conversion = case.convert().unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let source = conversion.source();
        assert!(parts.iter().all(|part| source.contains(part)), "{}: {source}", case.name);
    }
    let results = results("loops", all);
    assert!(results.len() == 5 && results.values().all(|x| x == "passed"), "{results:#?}");
}

/// The number of steps may be a size that is known at run time; a part of a tensor may begin at the step.
#[test]
fn loops_along_an_open_axis() {
    let nodes = [
        node("Unsqueeze", &["step", "front"], &["start"], &[]),
        node("Add", &["start", "one"], &["end"], &[]),
        node("Slice", &["x", "start", "end"], &["row"], &[]),
        node("Add", &["sum", "row"], &["next"], &[]),
        node("Identity", &["goes_on"], &["still"], &[]),
    ];
    let body = graph(
        &nodes,
        &[integers("front", &[0]), integers("one", &[1])],
        &[value("step", 7, &[]), value("goes_on", 9, &[]), value("sum", 1, &["1", "2"])],
        &[value("still", 9, &[]), value("next", 1, &["1", "2"]), value("next", 1, &["1", "2"])],
    );
    let nodes = [
        node("Shape", &["x"], &["sizes"], &[]),
        node("Gather", &["sizes", "first"], &["count"], &[int("axis", 0)]),
        node("Loop", &["count", "", "zero"], &["last", "sums"], &[graph_attribute("body", &body)]),
    ];
    let tensors = [tensor("first", 7, &[], &[0; 8]), tensor("zero", 1, &[1, 2], &[0; 8])];
    let outputs = [value("last", 1, &["1", "2"]), value("sums", 1, &["n", "1", "2"])];
    let bytes = model(17, &graph(&nodes, &tensors, &[value("x", 1, &["n", "2"])], &outputs));
    let x = tensor![[1.0_f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let (last, sums) =
        (tensor![[9.0_f32, 12.0]], tensor![[[1.0_f32, 2.0]], [[4.0, 6.0]], [[9.0, 12.0]]]);
    let results = results("open", vec![case("open", &bytes, &[("x", &x)], &[&last, &sums])]);
    assert_eq!(results["open"], "passed");
}

/// Negative indices count from the end; those beyond an axis are errors, as ONNX defines them.
#[test]
fn indices_beyond_an_axis_are_errors() {
    let x = tensor![[1.0_f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let gather = |name: &str, [[a, b], [c, d]]: [[i64; 2]; 2], y: [f32; 2]| {
        let nodes = [node("GatherND", &["x", "i"], &["y"], &[])];
        let inputs = [value("x", 1, &["3", "2"]), value("i", 7, &["2", "2"])];
        let bytes = model(17, &graph(&nodes, &[], &inputs, &[value("y", 1, &["2"])]));
        case(name, &bytes, &[("x", &x), ("i", &tensor![[a, b], [c, d]])], &[&tensor![y[0], y[1]]])
    };
    let scatter = |operator: &str, name: &str, index: i64, updates: &dyn AnyTensor, y: [f32; 2]| {
        let sizes = ["1", if operator == "ScatterND" { "2" } else { "1" }];
        let nodes = [node(operator, &["x", "i", "u"], &["y"], &[])];
        let inputs =
            [value("x", 1, &["3", "2"]), value("i", 7, &["1", "1"]), value("u", 1, &sizes)];
        let bytes = model(17, &graph(&nodes, &[], &inputs, &[value("y", 1, &["3", "2"])]));
        let y = tensor![[1.0_f32, 2.0], [3.0, 4.0], [y[0], y[1]]];
        case(name, &bytes, &[("x", &x), ("i", &tensor![[index]]), ("u", updates)], &[&y])
    };
    let (row, element) = (tensor![[7.0_f32, 8.0]], tensor![[7.0_f32]]);
    let results = results(
        "indices",
        vec![
            gather("gather_within", [[0, 1], [-1, -2]], [2.0, 5.0]),
            gather("gather_beyond", [[0, 1], [3, 0]], [0.0, 0.0]),
            gather("gather_before", [[0, 1], [0, -3]], [0.0, 0.0]),
            scatter("ScatterND", "scatter_within", -1, &row, [7.0, 8.0]),
            scatter("ScatterND", "scatter_beyond", 3, &row, [7.0, 8.0]),
            scatter("ScatterElements", "elements_within", 2, &element, [7.0, 6.0]),
            scatter("ScatterElements", "elements_beyond", -4, &element, [7.0, 6.0]),
        ],
    );
    for (name, result) in [
        ("gather_within", "passed"),
        ("gather_beyond", "index 3"),
        ("gather_before", "index -3"),
        ("scatter_within", "passed"),
        ("scatter_beyond", "index 3"),
        ("elements_within", "passed"),
        ("elements_beyond", "index -4"),
    ] {
        let found = &results[name];
        let axis = if name == "gather_before" { "axis 1 of size 2" } else { "axis 0 of size 3" };
        let is_right = found.starts_with(result) && (result == "passed" || found.contains(axis));
        assert!(is_right, "{name}: {found}");
    }
}

/// A tensor as an initializer.
fn initializer<S: Shape>(name: &str, values: &Tensor<S>) -> Vec<u8> {
    let sizes: Vec<i64> = values.sizes().iter().map(|&size| size as i64).collect();
    let bytes: Vec<u8> = values.to_vec().iter().flat_map(|x| x.to_le_bytes()).collect();
    tensor(name, 1, &sizes, &bytes)
}

/// The weights and the bias of a convolution take over constants after it.
#[test]
fn constants_after_convolutions_are_folded() {
    let rng = &mut Generator::seed(7);
    let x: Tensor<shape![2, 2, 9, 8]> = rng.normal(0.0, 1.0);
    let whole: Tensor<shape![4, 2, 3, 3]> = rng.normal(0.0, 1.0);
    let [scale, bias, mean, variance]: [Tensor<shape![4]>; 4] =
        std::array::from_fn(|_| rng.uniform(0.5, 2.0));
    let depthwise: Tensor<shape![4, 1, 3, 3]> = rng.normal(0.0, 1.0);
    let base: Tensor<shape![4, 1, 1]> = rng.normal(0.0, 1.0);
    let transposed: Tensor<shape![4, 3, 2, 2]> = rng.normal(0.0, 1.0);
    let divisors: Tensor<shape![6, 1, 1]> = rng.uniform(0.5, 2.0);

    let a = x.conv2d(&whole, Conv2dOptions::new()).batch_norm::<1>(&mean, &variance, 1e-5);
    let a = a * scale.reshape::<shape![4, 1, 1]>() + bias.reshape::<shape![4, 1, 1]>();
    let padded = Conv2dOptions::new().padding::<1>().groups::<4>();
    let b = a.conv2d(&depthwise, padded) + bias.reshape::<shape![4, 1, 1]>();
    let c = (&base - b * 0.5).sigmoid();
    let d = c.conv_transpose2d(&transposed, Conv2dOptions::new().stride::<2>().groups::<2>());
    let y = d / &divisors + 3.0;
    // Two nodes use the convolution: it stays as it is.
    let twice = a.conv2d(&depthwise, padded);
    let z = &twice * 0.25 - twice;

    let padded = [ints("pads", &[1; 4]), int("group", 4)];
    let spread = [ints("strides", &[2, 2]), int("group", 2)];
    let nodes = [
        node("Conv", &["x", "whole"], &["conv"], &[]),
        node("BatchNormalization", &["conv", "scale", "bias", "mean", "variance"], &["a"], &[]),
        node("Conv", &["a", "depthwise", "bias"], &["b"], &padded),
        node("Mul", &["half", "b"], &["b_half"], &[]),
        node("Sub", &["base", "b_half"], &["below"], &[]),
        node("Sigmoid", &["below"], &["c"], &[]),
        node("ConvTranspose", &["c", "transposed"], &["d"], &spread),
        node("Div", &["d", "divisors"], &["e"], &[]),
        node("Add", &["three", "e"], &["y"], &[]),
        node("Conv", &["a", "depthwise"], &["twice"], &padded),
        node("Mul", &["twice", "quarter"], &["less"], &[]),
        node("Sub", &["less", "twice"], &["z"], &[]),
    ];
    let constants = [
        initializer("half", &tensor![0.5_f32]),
        initializer("quarter", &Tensor::scalar(0.25_f32)),
        initializer("three", &Tensor::scalar(3.0_f32)),
        initializer("whole", &whole),
        initializer("scale", &scale),
        initializer("bias", &bias),
        initializer("mean", &mean),
        initializer("variance", &variance),
        initializer("depthwise", &depthwise),
        initializer("base", &base),
        initializer("transposed", &transposed),
        initializer("divisors", &divisors),
    ];
    let outputs = [value("y", 1, &["2", "6", "14", "12"]), value("z", 1, &["2", "4", "7", "6"])];
    let inputs = [value("x", 1, &["2", "2", "9", "8"])];
    let bytes = model(17, &graph(&nodes, &constants, &inputs, &outputs));
    let folded = case("folded", &bytes, &[("x", &x)], &[&y, &z]);
    let source = folded.convert().expect("a conversion").source().to_owned();
    assert!(!source.contains("batch_norm") && !source.contains("0.5"), "{source}");
    assert_eq!([source.matches(" * ").count(), source.matches(" - ").count()], [1, 1], "{source}");
    assert_eq!(results("folded", vec![folded])["folded"], "passed");
}
