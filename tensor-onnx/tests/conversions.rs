//! What models become in Rust, and which are refused.

mod encoder;

use std::fs;
use std::path::Path;

use encoder::{
    attention, external, field, floats, graph, graph_attribute, int, integers, ints, mlp, model,
    node, number, tensor, text_attribute, value,
};
use tensor_onnx::{Error, Options, convert, convert_file, formatted};

/// Compares the source with a file of `tests/expected`, which `.ci/bless onnx` writes.
fn expect(name: &str, model: &[u8]) {
    let source =
        formatted(convert(model, None, &Options::default()).expect("a conversion").source());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected").join(name);
    if encoder::is_blessed() {
        fs::write(&path, &source).expect("a file");
    }
    assert_eq!(source, fs::read_to_string(path).expect("a file"));
}

#[test]
fn layers() {
    expect("mlp.rs", &mlp());
}

#[test]
fn attention_with_computed_shapes() {
    expect("attention.rs", &attention());
}

#[test]
fn the_readme_has_the_block_of_attention() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source =
        formatted(convert(&attention(), None, &Options::default()).expect("a conversion").source());
    encoder::in_readme(
        &root.join("README.md"),
        "<!-- tensor-onnx/tests/expected/attention.rs -->",
        &source,
    );
}

fn error(model: &[u8]) -> String {
    convert(model, None, &Options::default()).expect_err("an error").to_string()
}

fn refusals(model: &[u8]) -> Vec<String> {
    match convert(model, None, &Options::default()) {
        Err(Error::Refused(refusals)) => refusals.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}"),
    }
}

/// A model of one input, `x: [2, 3]`.
fn of_nodes(nodes: &[Vec<u8>], tensors: &[Vec<u8>]) -> Vec<u8> {
    let output = value("y", 1, &["2", "3"]);
    model(17, &graph(nodes, tensors, &[value("x", 1, &["2", "3"])], &[output]))
}

#[test]
fn all_refusals_are_listed() {
    let nodes = [
        node("NonMaxSuppression", &["x"], &["a"], &[]),
        node("Relu", &["a"], &["b"], &[]),
        node("Nothing", &["b"], &["c"], &[]),
        node("Tile", &["c", "x"], &["d"], &[]),
        node("Concat", &["x", "x"], &["e"], &[int("axis", 5)]),
        node("Add", &["d", "e"], &["y"], &[]),
    ];
    assert_eq!(
        refusals(&of_nodes(&nodes, &[])),
        [
            "NonMaxSuppression (opset 17), node `a`: an operator that is not written; export the model without it",
            "Nothing (opset 17), node `c`: an operator that is not written; export the model without it",
            "Concat (opset 17), node `e`: axis 5 of a tensor with 2 axes; export the model without it, or write its \
             result by hand",
        ]
    );
}

/// They are refusals, not errors of rustc in what is written.
#[test]
fn element_types_that_an_operator_lacks_are_refused() {
    let refusal = |operator: &str, elements: &[i64]| {
        let names = ["a", "b", "c"];
        let names = &names[..elements.len()];
        let inputs: Vec<Vec<u8>> =
            names.iter().zip(elements).map(|(name, &x)| value(name, x, &["2", "2"])).collect();
        let nodes = [node(operator, names, &["y"], &[])];
        let all = refusals(&model(17, &graph(&nodes, &[], &inputs, &[value("y", 1, &["2", "2"])])));
        let [refusal] = &all[..] else { panic!("{all:?}") };
        let (_, reason) = refusal.split_once(": ").expect("a reason");
        reason.split("; ").next().expect("a reason").to_owned()
    };
    let (f32, i32, i64, bool) = (1, 6, 7, 9);
    for (operator, elements, expected) in [
        ("Sqrt", &[i64][..], "input 0 of type i64 instead of floats"),
        ("Add", &[bool, bool], "input 0 of type bool instead of numbers"),
        ("Add", &[f32, i32], "operands of types f32 and i32, which differ"),
        ("BitwiseNot", &[f32], "input 0 of type f32 instead of integers"),
        ("Not", &[i32], "input 0 of type i32 instead of truth values"),
        ("GatherElements", &[f32, f32], "input 1 of type f32 instead of integers"),
        ("ScatterElements", &[f32, i64, i32], "input 2 of type i32, and input 0 of type f32"),
    ] {
        assert_eq!(refusal(operator, elements), expected, "{operator}");
    }
}

#[test]
fn an_input_becomes_a_constant() {
    let nodes = [node("Reshape", &["x", "shape"], &["y"], &[])];
    let inputs = [value("x", 1, &["2", "3"]), value("shape", 7, &["2"])];
    let model = model(17, &graph(&nodes, &[], &inputs, &[value("y", 1, &["a", "b"])]));
    assert_eq!(
        refusals(&model),
        [
            "Reshape (opset 17), node `y`: the shape is known only at run time; `--constant shape=VALUE` makes it a \
          constant"
        ]
    );
    let options = Options::default().constant("shape", [3.0, -1.0]);
    let conversion = convert(&model, None, &options).expect("a conversion");
    assert_eq!(conversion.inputs(), ["x"]);
    assert!(conversion.source().contains("x.reshape::<shape![3, 2]>()"), "{}", conversion.source());
}

/// The error of a conversion with options.
fn refused(model: &[u8], options: &Options) -> String {
    match convert(model, None, options) {
        Err(Error::Options(problem)) => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn constants_are_numbers_of_the_element_type() {
    let nodes = |ty: i64| {
        let inputs = [value("x", ty, &["2"]), value("c", ty, &["2"])];
        let output = value("y", ty, &["2"]);
        model(17, &graph(&[node("Add", &["x", "c"], &["y"], &[])], &[], &inputs, &[output]))
    };
    let (float, int) = (nodes(1), nodes(7));
    for (model, elements, problem) in [
        (&int, &["1.5", "4"][..], "elements of type i64: `1.5` is no such number"),
        (&int, &["1", "1e19"], "elements of type i64: `1e19` is no such number"),
        (&nodes(2), &["1", "256"], "elements of type u8: `256` is no such number"),
        (&float, &["1", "1e39"], "elements of type f32: `1e39` is no such number"),
        (&float, &["1", ""], "elements of type f32: `` is no such number"),
        (&int, &["1", "2", "3"], "sizes [2]: a constant needs 2 elements, and has 3"),
    ] {
        let error = refused(model, &Options::default().constant("c", elements));
        assert_eq!(error, format!("input `c` has {problem}"));
    }
    let source = |model: &[u8], elements: [&str; 2]| {
        let options = Options::default().constant("c", elements);
        convert(model, None, &options).expect("a conversion").source().to_owned()
    };
    let exact = source(&int, ["9007199254740993", "-1"]);
    assert!(exact.contains("tensor![9007199254740993_i64, -1]"), "{exact}");
    let unsigned = source(&nodes(13), ["18446744073709551615", "0"]);
    assert!(unsigned.contains("tensor![18446744073709551615_u64, 0]"), "{unsigned}");
    let floats = source(&float, ["1e-3", "-inf"]);
    assert!(floats.contains("tensor![0.001_f32, f32::NEG_INFINITY]"), "{floats}");
}

/// The source of a model that converts a constant, of this type and these bytes, to another type.
fn cast(ty: i64, bytes: &[u8], to: i64) -> String {
    let nodes = [node("Cast", &["a"], &["y"], &[int("to", to)])];
    let tensors = [tensor("a", ty, &[], bytes)];
    source(&model(17, &graph(&nodes, &tensors, &[], &[value("y", to, &[])])))
}

/// What is computed with constants of integers is what the tensors would have.
#[test]
fn integers_are_folded_as_they_are_computed() {
    let [i8_, i64_, u64_] = [3, 7, 13];
    let folded = |node: Vec<u8>, constants: &[(i64, i64)], ty: i64| {
        let names = ["a", "b"];
        let tensors = names.iter().zip(constants).map(|(name, &(ty, number))| {
            let width = if ty == i8_ { 1 } else { 8 };
            tensor(name, ty, &[], &number.to_le_bytes()[..width])
        });
        let tensors: Vec<Vec<u8>> = tensors.collect();
        source(&model(17, &graph(&[node], &tensors, &[], &[value("y", ty, &[])])))
    };
    let low = (i8_, -128);
    for (name, constants, ty, expected) in [
        ("Neg", &[low][..], i8_, "-128_i8"),
        ("Abs", &[low], i8_, "-128_i8"),
        ("Div", &[low, (i8_, -1)], i8_, "-128_i8"),
        ("Mod", &[(i64_, i64::MAX - 1), (i64_, i64::MAX)], i64_, "9223372036854775806_i64"),
        ("Mod", &[(i64_, -7), (i64_, 3)], i64_, "2_i64"),
        ("Mod", &[(i64_, 7), (i64_, -3)], i64_, "-2_i64"),
        // Beyond the largest `i64`.
        ("Div", &[(u64_, -2), (u64_, 2)], u64_, " / 2"),
        ("Less", &[(u64_, -1), (u64_, 1)], 9, ".less(1)"),
    ] {
        let source = folded(node(name, &["a", "b"][..constants.len()], &["y"], &[]), constants, ty);
        assert!(source.contains(expected), "{name}: {source}");
    }
    let of_float = |number: f32, to| cast(1, &number.to_le_bytes(), to);
    assert!(of_float(100.5, i8_).contains("100_i8"));
    // Numbers that the type lacks are left to `cast`.
    for (number, to) in [(300.0, i8_), (-1.0, u64_), (1e19, u64_), (f32::NAN, i64_)] {
        assert!(of_float(number, to).contains(".cast::<"), "{number}");
    }
}

/// The last bit of each number breaks a tie.
#[test]
fn constants_are_rounded_once() {
    let [f32_, f16_, bf16_, i64_] = [1, 10, 16, 7];
    for (half, to, expected) in
        [(-11, f16_, "f16::from_f32(1.0009766)"), (-8, bf16_, "bf16::from_f32(1.0078125)")]
    {
        let number = 1.0 + 2_f32.powi(half) + f32::EPSILON;
        let source = cast(f32_, &number.to_le_bytes(), to);
        assert!(source.contains(expected), "{source}");
    }
    let high = 1_i64 << 60;
    for (number, to, expected) in [
        (high + (1 << 36) + 1, f32_, "1.1529216e18_f32"),
        (-high - (1 << 36) - 1, f32_, "-1.1529216e18_f32"),
        (high + (1 << 52) + 1, bf16_, "bf16::from_f32(1.1619287e18)"),
    ] {
        let source = cast(i64_, &number.to_le_bytes(), to);
        assert!(source.contains(expected), "{source}");
    }
}

#[test]
fn options_name_what_the_model_has() {
    let nodes = [node("Add", &["x", "c"], &["y"], &[])];
    let inputs = [value("x", 1, &["n", "rest"]), value("c", 1, &["n", "?"])];
    let model = model(17, &graph(&nodes, &[], &inputs, &[value("y", 1, &["n", "rest"])]));
    for (options, problem) in [
        (
            Options::default().constant("nothing", [1]),
            "the model has no input `nothing` that could be a constant; its inputs: `c`, `x`",
        ),
        (
            Options::default().size("nothing", 3),
            "the model has no open size `nothing`; its open sizes: `c_axis1`, `n`, `rest`",
        ),
        (
            Options::default().size("n", 99_999_999_999_999_999),
            "size 99999999999999999 of `n`; a size is at most 1099511627776",
        ),
        (
            Options::default().size("n", 1 << 40).size("c_axis1", 1 << 40),
            "input \"c\" has sizes that fit into no memory",
        ),
        (
            Options::default().constant("c", [1]),
            "the constant `c` has open sizes: `--size NAME=NUMBER` fixes them",
        ),
    ] {
        assert_eq!(refused(&model, &options), problem);
    }
    let fixed = convert(&mlp(), None, &Options::default().size("batch", 7)).map(|_| ());
    assert!(fixed.is_ok(), "{fixed:?}");
}

#[test]
fn inputs_and_outputs_are_no_nodes() {
    let relu = [node("Relu", &["x"], &["y"], &[])];
    let output = [value("y", 1, &["2"])];
    let text = model(17, &graph(&relu, &[], &[value("x", 8, &["2"])], &output));
    assert_eq!(
        error(&text),
        "1 part of the model cannot be written in Rust:\n  input `x`: elements of type string, which Rust lacks; \
         export the model with another element type"
    );
    let none = model(17, &graph(&relu, &[], &[value("x", 1, &["2"])], &[]));
    assert!(error(&none).contains("it has no outputs"), "{}", error(&none));
}

#[test]
fn names_of_the_model_are_no_code() {
    let name = "`y`.\npub fn evil() { panic!() }\n/// `x";
    let nodes =
        [node("Add", &["x", "w\u{2}"], &["s"], &[]), node("Mul", &["s", "a\u{5}b"], &[name], &[])];
    let weights = [floats("w\u{2}", &[3]), floats("a\u{5}b", &[3])];
    let sizes = ["n\n", "3"];
    let graph = graph(&nodes, &weights, &[value("x", 1, &sizes)], &[value(name, 1, &sizes)]);
    let named = Options { name: "a\nb".to_owned(), ..Options::default() };
    let conversion = convert(&model(17, &graph), None, &named).expect("a conversion");
    let source = conversion.source();
    assert!(source.contains("//! The model `a\\nb` in Rust"), "{source}");
    assert!(
        source.contains("/// Computes ``y`.\\npub fn evil() { panic!() }\\n/// `x`."),
        "{source}"
    );
    assert!(!source.contains(['\u{2}', '\u{5}']), "{source}");
    assert!(source.contains("self.w_") && source.contains("self.a_b"), "{source}");
    let refused = refusals(&of_nodes(&[node("No\nRelu", &["x"], &["y"], &[])], &[]));
    assert!(refused[0].starts_with("No\\nRelu (opset 17), node `y`"), "{refused:?}");
}

#[test]
fn axes_of_different_names_are_different() {
    let nodes = [node("Concat", &["a", "b"], &["y"], &[int("axis", 0)])];
    let inputs = [value("a", 1, &["seq_len", "2"]), value("b", 1, &["seq-len", "2"])];
    let model = model(17, &graph(&nodes, &[], &inputs, &[value("y", 1, &["m", "2"])]));
    let conversion = convert(&model, None, &Options::default()).expect("a conversion");
    let source = conversion.source();
    for part in [
        "axis!(pub SeqLen);\naxis!(pub SeqLen2);",
        "a: &Tensor<shape![SeqLen, 2]>, b: &Tensor<shape![SeqLen2, 2]>",
    ] {
        assert!(source.contains(part), "{part}: {source}");
    }
}

#[test]
fn an_unused_part_of_a_tuple_begins_with_an_underscore() {
    let nodes = [
        node("Split", &["x"], &["x1", "e"], &[int("axis", 0)]),
        node("Relu", &["x1"], &["y"], &[]),
    ];
    let conversion = convert(&of_nodes(&nodes, &[]), None, &Options::default());
    let conversion = conversion.expect("a conversion");
    assert!(conversion.source().contains("let (x1, _e): ("), "{}", conversion.source());
}

#[test]
fn names_of_the_model_do_not_hide_imports() {
    let nodes = [
        node("Pad", &["x", "pads"], &["padded"], &[text_attribute("mode", "reflect")]),
        node("Gather", &["padded", "i"], &["zip_with3"], &[]),
        node("Add", &["zip_with3", "padding.weight"], &["a"], &[]),
        node("Add", &["a", "result.table"], &["b"], &[]),
        node("Add", &["b", "index_error.scale"], &["y"], &[]),
    ];
    let weights = [
        integers("pads", &[1, 0, 1, 0]),
        floats("padding.weight", &[3]),
        floats("result.table", &[3]),
        floats("index_error.scale", &[1, 3]),
    ];
    let inputs = [value("x", 1, &["2", "3"]), value("i", 7, &["Ok"])];
    let model = model(17, &graph(&nodes, &weights, &inputs, &[value("y", 1, &["Ok", "3"])]));
    let conversion = convert(&model, None, &Options::default()).expect("a conversion");
    let source = conversion.source();
    for part in [
        "pub struct PaddingPart {",
        "pub struct IndexErrorPart {",
        "axis!(pub AxisOk);",
        "let zip_with3_2: ",
        "Padding::Reflect",
        "-> Result<Tensor<shape![AxisOk, 3]>, IndexError>",
    ] {
        assert!(source.contains(part), "{part}: {source}");
    }
    assert!(source.contains("use tensor_core::{IndexError, Module, Padding, Tensor, "), "{source}");
}

#[test]
fn only_what_is_used_is_imported() {
    let nodes = [node("Relu", &["x"], &["f16_out"], &[]), node("Neg", &["f16_out"], &["y"], &[])];
    let conversion = convert(&of_nodes(&nodes, &[]), None, &Options::default());
    let conversion = conversion.expect("a conversion");
    assert!(!conversion.source().contains("use half"), "{}", conversion.source());
}

#[test]
fn branches_have_their_own_names() {
    let branch = |operator: &str| {
        let inner = graph(
            &[node("Add", &["x", "w"], &["inner"], &[]), node(operator, &["inner"], &["out"], &[])],
            &[floats("w", &[3])],
            &[],
            &[value("out", 1, &["2", "3"])],
        );
        graph_attribute("then_branch", &inner)
    };
    let nodes = [
        node("If", &["yes"], &["a"], &[branch("Relu")]),
        node("If", &["yes"], &["b"], &[branch("Neg")]),
        node("Add", &["a", "b"], &["y"], &[]),
    ];
    let yes = tensor("yes", 9, &[], &[1]);
    let conversion =
        convert(&of_nodes(&nodes, std::slice::from_ref(&yes)), None, &Options::default());
    let conversion = conversion.expect("a conversion");
    assert!(conversion.source().contains("self.w_2"), "{}", conversion.source());
    let outside = [nodes[0].clone(), node("Add", &["a", "inner"], &["y"], &[])];
    let error = error(&of_nodes(&outside, &[yes]));
    assert!(
        error.contains("input \"inner\" of a node \"Add\" is not computed before it"),
        "{error}"
    );
}

/// A number without axes.
fn scalar(name: &str, number: i64) -> Vec<u8> {
    tensor(name, 7, &[], &number.to_le_bytes())
}

/// A `Loop` of one state from `x` on, whose body has these nodes from `s` and the number `i` of the step to `n`, and where the
/// condition after a step is `c`.
fn looped(
    limit: &[Vec<u8>],
    holds: &str,
    nodes: &[Vec<u8>],
    results: &[(&str, i64, &[&str])],
) -> Vec<u8> {
    let inputs = [value("i", 7, &[]), value("b", 9, &[]), value("s", 1, &["2", "3"])];
    let mut outputs = vec![value("c", 9, &[]), value("n", 1, &["2", "3"])];
    outputs.extend(results.iter().map(|&(name, element, sizes)| value(name, element, sizes)));
    let body = graph(nodes, &[tensor("one", 7, &[], &1_i64.to_le_bytes())], &inputs, &outputs);
    let limit_name = if limit.is_empty() { "" } else { "limit" };
    let names: Vec<String> = (0..results.len()).map(|index| format!("z{index}")).collect();
    let names: Vec<&str> = ["y"].into_iter().chain(names.iter().map(|name| &name[..])).collect();
    let nodes =
        [node("Loop", &[limit_name, holds, "x"], &names, &[graph_attribute("body", &body)])];
    let mut all = vec![value("y", 1, &["2", "3"])];
    all.extend(names[1..].iter().map(|name| value(name, 1, &["k"])));
    model(17, &graph(&nodes, limit, &[value("x", 1, &["2", "3"])], &all))
}

/// The condition of a body that has no other end than its number of steps.
fn goes_on() -> Vec<u8> {
    node("Identity", &["b"], &["c"], &[])
}

fn source(model: &[u8]) -> String {
    let conversion = convert(model, None, &Options::default()).expect("a conversion");
    formatted(conversion.source())
}

#[test]
fn loops_are_those_of_the_library() {
    let twice = node("Add", &["s", "s"], &["n"], &[]);
    let sum = node("ReduceSum", &["n"], &["t"], &[int("keepdims", 0)]);
    let counted = source(&looped(
        &[scalar("limit", 5)],
        "",
        &[goes_on(), twice.clone(), sum.clone()],
        &[("t", 1, &[]), ("i", 7, &[])],
    ));
    for part in [
        "use tensor_core::trace::scan;",
        "let steps: Tensor<shape![5], i64> = Tensor::<shape![5], i64>::arange();",
        "scan(x, &steps, |s, step| {",
        "(y, (z0, z1))",
        "(Tensor<shape![5]>, Tensor<shape![5], i64>)",
    ] {
        assert!(counted.contains(part), "{part}: {counted}");
    }
    let below = node("Less", &["t", "t"], &["c"], &[]);
    let open = source(&looped(&[], "", &[twice.clone(), sum, below], &[]));
    for part in ["while_loop(", "goes_on.clone()", "(c, n)"] {
        assert!(open.contains(part), "{part}: {open}");
    }
    // A loop of many steps counts them by a state, and one without a limit not at all.
    let long = source(&looped(&[scalar("limit", 1 << 40)], "", &[goes_on(), twice.clone()], &[]));
    assert!(long.contains("|(step, _s)| step.less(1099511627776)"), "{long}");
    let none = source(&looped(&[scalar("limit", -3)], "", &[goes_on(), twice], &[]));
    assert!(none.contains("Tensor<shape![0], i64>"), "{none}");
}

#[test]
fn loops_that_have_no_static_shape_are_refused() {
    let twice = node("Add", &["s", "s"], &["n"], &[]);
    let one = |model: Vec<u8>| {
        let refusals = refusals(&model);
        let [refusal] = &refusals[..] else { panic!("{refusals:?}") };
        refusal.split_once("node `y`: ").expect("the node").1.to_owned()
    };
    let grows = node("Concat", &["s", "s"], &["n"], &[int("axis", 0)]);
    let limit = [scalar("limit", 4)];
    assert_eq!(
        one(looped(&limit, "", &[goes_on(), grows], &[])),
        "state 0 before and after a step: `Tensor<shape![2, 3]>` and `Tensor<shape![4, 3]>`, which differ; export the \
         model without it, or write its result by hand"
    );
    let sum = node("ReduceSum", &["n"], &["t"], &[int("keepdims", 0)]);
    let below = node("Less", &["t", "t"], &["c"], &[]);
    assert_eq!(
        one(looped(&[], "", &[twice.clone(), sum, below], &[("n", 1, &["2", "3"])])),
        "results of each step, whose number is known only at run time; export the model with a number of steps"
    );
    for number in [i64::MAX, 1 << 47] {
        let model = looped(
            &[scalar("limit", number)],
            "",
            &[goes_on(), twice.clone()],
            &[("n", 1, &["2", "3"])],
        );
        let words = one(model);
        assert!(
            words.starts_with(&format!("results of {number} steps, which fit into no memory")),
            "{words}"
        );
    }
    let endless = one(looped(&[], "", &[goes_on(), twice.clone()], &[]));
    assert!(endless.starts_with("a loop without an end"), "{endless}");
    let wide = one(looped(&[integers("limit", &[1, 2])], "", &[goes_on(), twice], &[]));
    assert!(wide.starts_with("a number of steps of type `Tensor<shape![2], i64>`"), "{wide}");
}

#[test]
fn branches_at_run_time_have_one_type() {
    let branch = |name: &str, nodes: &[Vec<u8>]| {
        let out = format!("{name}_out");
        graph_attribute(name, &graph(nodes, &[], &[], &[value(&out, 1, &["2", "3"])]))
    };
    let model = |then: Vec<u8>, otherwise: Vec<u8>| {
        let branches = [branch("then_branch", &[then]), branch("else_branch", &[otherwise])];
        let inputs = [value("x", 1, &["2", "3"]), value("hot", 9, &["1"])];
        let nodes = [node("If", &["hot"], &["y"], &branches)];
        model(17, &graph(&nodes, &[], &inputs, &[value("y", 1, &["2", "3"])]))
    };
    let relu = || node("Relu", &["x"], &["then_branch_out"], &[]);
    let both = source(&model(relu(), node("Neg", &["x"], &["else_branch_out"], &[])));
    for part in ["cond(", "&(),", "|()| x.relu(),", "|()| -x)"] {
        assert!(both.contains(part), "{part}: {both}");
    }
    let flat = node("Flatten", &["x"], &["else_branch_out"], &[int("axis", 0)]);
    assert_eq!(
        refusals(&model(relu(), flat)),
        [
            "If (opset 17), node `y`: a condition that is known only at run time, and output 0 of the branches has two types: \
          `Tensor<shape![2, 3]>` and `Tensor<shape![1, 6]>`, which differ; `--constant hot=VALUE` makes it a constant"
        ]
    );
    let unknown = node("Unknown", &["x"], &["else_branch_out"], &[]);
    let refusals = refusals(&model(relu(), unknown));
    assert!(refusals[0].starts_with("Unknown (opset 17), node `else_branch_out`"), "{refusals:?}");
    assert!(
        refusals[1].contains("and a branch that is refused; `--constant hot=VALUE`"),
        "{refusals:?}"
    );
}

#[test]
fn wrong_bodies_are_errors() {
    let limit = [scalar("limit", 4)];
    let twice = || node("Add", &["s", "s"], &["n"], &[]);
    let damaged = |nodes: &[Vec<u8>]| match convert(
        &looped(&limit, "", nodes, &[]),
        None,
        &Options::default(),
    ) {
        Err(Error::Damaged(problem)) => problem,
        other => panic!("{other:?}"),
    };
    let cycle =
        [node("Add", &["q", "s"], &["n"], &[]), node("Relu", &["n"], &["q"], &[]), goes_on()];
    assert!(damaged(&cycle).contains("input \"q\" of a node \"Add\" is not computed before it"));
    assert!(damaged(&[twice()]).contains("output \"c\" is not computed"));
    // A name that hides one of the graph around it, and one that the body has twice.
    let hides = [twice(), goes_on(), node("Relu", &["s"], &["x"], &[])];
    assert!(damaged(&hides).contains("two values are named \"x\""));
    assert!(damaged(&[twice(), twice(), goes_on()]).contains("two values are named \"n\""));
    let short =
        graph(&[goes_on()], &[], &[value("i", 7, &[]), value("b", 9, &[])], &[value("c", 9, &[])]);
    let nodes = [node("Loop", &["", "", "x"], &["y"], &[graph_attribute("body", &short)])];
    let refusals = refusals(&of_nodes(&nodes, &[]));
    assert!(refusals[0].contains("1 states, and a body of 2 inputs and 1 outputs"), "{refusals:?}");
    for (nodes, problem) in [
        (node("Loop", &["", "", "x"], &["y"], &[]), "no `body`"),
        (node("Scan", &["x"], &["y"], &[graph_attribute("body", &short)]), "of which 0 have items"),
        (
            node(
                "Scan",
                &["x"],
                &["y"],
                &[graph_attribute("body", &short), int("num_scan_inputs", -1)],
            ),
            "of which 0 have items",
        ),
    ] {
        let refusals = self::refusals(&of_nodes(&[nodes], &[]));
        assert!(refusals[0].contains(problem), "{problem}: {refusals:?}");
    }
}

/// As exporters write it, with and without 0 in place of NaN.
#[test]
fn attention_under_a_mask_is_a_call() {
    let scale = tensor("scale", 1, &[], &0.353_553_38_f32.to_le_bytes());
    let tensors = [scale, tensor("zero", 1, &[], &[0; 4])];
    let attention = |scores: &str, guard: &[Vec<u8>], weights: &str| {
        let (order, last) = (ints("perm", &[0, 1, 3, 2]), int("axis", -1));
        let mut nodes = vec![
            node("Transpose", &["k"], &["turned"], &[order]),
            node("MatMul", &["q", "turned"], &["product"], &[]),
            node("Mul", &["product", "scale"], &["scaled"], &[]),
            node("Add", &["scaled", "mask"], &["scores"], &[]),
            node("Softmax", &[scores], &["weights"], &[last]),
        ];
        nodes.extend_from_slice(guard);
        nodes.push(node("MatMul", &[weights, "v"], &["y"], &[]));
        let sizes = ["2", "4", "5", "8"];
        let mut inputs: Vec<Vec<u8>> =
            ["q", "k", "v"].iter().map(|name| value(name, 1, &sizes)).collect();
        inputs.push(value("mask", 1, &["2", "1", "1", "5"]));
        source(&model(17, &graph(&nodes, &tensors, &inputs, &[value("y", 1, &sizes)])))
    };
    let guard = [
        node("IsNaN", &["weights"], &["is_nan"], &[]),
        node("Where", &["is_nan", "zero", "weights"], &["filled"], &[]),
    ];
    let other = [
        node("IsNaN", &["scores"], &["is_nan"], &[]),
        node("Where", &["is_nan", "zero", "weights"], &["filled"], &[]),
    ];
    for (source, call) in [
        (attention("scores", &[], "weights"), "attention(q, k, v, AdditiveMask(mask))"),
        (attention("scores", &guard, "filled"), "attention(q, k, v, AdditiveMask(mask))"),
        (attention("scaled", &guard, "filled"), "attention(q, k, v, NoMask)"),
    ] {
        assert!(source.contains(call) && !source.contains("softmax"), "{call}: {source}");
    }
    let written = attention("scores", &other, "filled");
    assert!(written.contains(".softmax::<3>()"), "{written}");
}

/// `x · (1 + erf(x / √2)) / 2`, in the orders of exporters.
#[test]
fn a_gelu_is_a_call() {
    use std::f32::consts::{FRAC_1_SQRT_2, SQRT_2};
    let numbers = [
        ("root", SQRT_2, &[][..]),
        ("inverse", FRAC_1_SQRT_2, &[]),
        ("one", 1.0, &[]),
        ("half", 0.5, &[]),
        ("third", 0.3, &[]),
        ("long_one", 1.0, &[1, 1, 1]),
        ("long_half", 0.5, &[1, 1, 1]),
    ];
    let tensors =
        numbers.map(|(name, number, sizes)| tensor(name, 1, sizes, &number.to_le_bytes()));
    let written = |nodes: &[[&str; 4]]| {
        let nodes: Vec<Vec<u8>> = nodes
            .iter()
            .map(|[operator, x, y, result]| {
                let inputs: Vec<&str> =
                    [*x, *y].into_iter().filter(|name| !name.is_empty()).collect();
                node(operator, &inputs, &[result], &[])
            })
            .collect();
        source(&of_nodes(&nodes, &tensors))
    };
    let [divided, times] = [["Div", "x", "root", "a"], ["Mul", "inverse", "x", "a"]];
    let (erf, sum) = (["Erf", "a", "", "e"], ["Add", "e", "one", "s"]);
    for nodes in [
        [divided, erf, sum, ["Mul", "x", "s", "p"], ["Mul", "p", "half", "y"]],
        [times, erf, sum, ["Mul", "half", "x", "h"], ["Mul", "h", "s", "y"]],
        [times, erf, ["Add", "one", "e", "s"], ["Mul", "s", "half", "h"], ["Mul", "x", "h", "y"]],
    ] {
        let written = written(&nodes);
        assert!(written.contains("x.gelu()") && !written.contains("erf"), "{written}");
    }
    for nodes in [
        [divided, erf, sum, ["Mul", "x", "s", "p"], ["Mul", "p", "third", "y"]],
        [divided, erf, sum, ["Mul", "a", "s", "p"], ["Mul", "p", "half", "y"]],
        [["Mul", "x", "root", "a"], erf, sum, ["Mul", "x", "s", "p"], ["Mul", "p", "half", "y"]],
        // The results have three axes.
        [divided, erf, sum, ["Mul", "x", "s", "p"], ["Mul", "p", "long_half", "y"]],
        [
            divided,
            erf,
            ["Add", "e", "long_one", "s"],
            ["Mul", "x", "half", "h"],
            ["Mul", "h", "s", "y"],
        ],
    ] {
        assert!(written(&nodes).contains(".erf()"), "{nodes:?}");
    }
}

/// The names that the source declares, by `let` or as parameters of closures.
fn declared(source: &str) -> Vec<String> {
    let code: Vec<&str> =
        source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join(" ");
    let mut patterns: Vec<&str> =
        code.split("let ").skip(1).filter_map(|rest| rest.split([':', '=']).next()).collect();
    patterns.extend(code.split('|').skip(1).step_by(2));
    let names = patterns.iter().flat_map(|pattern| {
        pattern
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter(|name| !name.is_empty())
    });
    names.map(str::to_owned).collect()
}

#[test]
fn names_of_bodies_hide_no_others() {
    // The names that the loops of recurrent layers would take.
    let names =
        ["x", "update", "reset", "new", "state", "item", "hidden", "cell", "gates", "forget"];
    for (operator, gates) in [("RNN", 1), ("GRU", 3), ("LSTM", 4)] {
        let nodes = [
            node("Relu", &["update"], &["w"], &[]),
            node("Relu", &["reset"], &["candidate"], &[]),
            node("Relu", &["new"], &["kept"], &[]),
            node(
                operator,
                &["x", "w", "candidate", "kept"],
                &["y", "state"],
                &[int("hidden_size", 2)],
            ),
            node("Add", &["state", "gates"], &["item"], &[]),
            node(
                operator,
                &["x", "w", "candidate", "kept", "", "item"],
                &["hidden", "cell"],
                &[int("hidden_size", 2)],
            ),
        ];
        let size = |times: usize| (gates * times).to_string();
        let inputs = [
            value("x", 1, &["5", "1", "3"]),
            value("update", 1, &["1", &size(2), "3"]),
            value("reset", 1, &["1", &size(2), "2"]),
            value("new", 1, &["1", &size(4)]),
            value("gates", 1, &["1", "1", "2"]),
        ];
        let outputs =
            [value("y", 1, &["5", "1", "1", "2"]), value("hidden", 1, &["5", "1", "1", "2"])];
        let source = source(&model(17, &graph(&nodes, &[], &inputs, &outputs)));
        let mut all = declared(&source);
        all.extend(names[..4].iter().map(|&name| name.to_owned()));
        all.sort();
        assert!(all.len() > 20, "{all:?}");
        let twice = all.windows(2).find(|pair| pair[0] == pair[1] && !pair[0].starts_with('_'));
        assert!(twice.is_none(), "{twice:?} in {source}");
    }
}

#[test]
fn names_in_bodies_are_no_code() {
    let evil = "x; panic!()";
    let inputs = [value("fn", 7, &[]), value("scan", 9, &[]), value("Self", 1, &["2", "3"])];
    let nodes = [
        node("Add", &["Self", "x"], &[evil], &[]),
        node("Relu", &[evil], &["while_loop"], &[]),
        node("Identity", &["scan"], &["loop"], &[]),
    ];
    let outputs = [value("loop", 9, &[]), value("while_loop", 1, &["2", "3"])];
    let body = graph_attribute("body", &graph(&nodes, &[], &inputs, &outputs));
    let source = source(&of_nodes(
        &[node("Loop", &["limit", "", "x"], &["y"], &[body])],
        &[scalar("limit", 2)],
    ));
    for part in
        ["scan(x, &steps, |self_2, _step| {", "let x_panic = self_2 + x;", "(while_loop_2, ())"]
    {
        assert!(source.contains(part), "{part}: {source}");
    }
}

#[test]
fn a_size_is_fixed() {
    let open = convert(&mlp(), None, &Options::default()).expect("a conversion");
    assert!(open.source().contains("axis!(pub Batch);"), "{}", open.source());
    let fixed = convert(&mlp(), None, &Options::default().size("batch", 7)).expect("a conversion");
    assert!(fixed.source().contains("x: &Tensor<shape![7, 4]>"), "{}", fixed.source());
    assert!(!fixed.source().contains("Batch"), "{}", fixed.source());
}

#[test]
fn parts_of_models_are_errors() {
    for model in [mlp(), attention()] {
        for end in 0..model.len() {
            if let Ok(conversion) = convert(&model[..end], None, &Options::default()) {
                // What is left out is the end of the list of opsets.
                assert!(conversion.has_weights(), "{end} of {} bytes", model.len());
            }
        }
    }
}

#[test]
fn damaged_bytes_are_errors_or_models() {
    let model = attention();
    for at in 0..model.len() {
        for byte in [0x7f, 0xff] {
            let mut damaged = model.clone();
            damaged[at] = byte;
            let _ = convert(&damaged, None, &Options::default());
        }
    }
}

#[test]
fn a_cycle_is_an_error() {
    let nodes = [
        node("Relu", &["b"], &["a"], &[]),
        node("Relu", &["a"], &["b"], &[]),
        node("Relu", &["b"], &["y"], &[]),
    ];
    assert_eq!(
        error(&of_nodes(&nodes, &[])),
        "an ONNX model that is damaged, or not all of one: input \"b\" of a node \"Relu\" is not computed before it: \
         download or copy it again"
    );
    let twice = [node("Relu", &["x"], &["y"], &[]), node("Abs", &["x"], &["y"], &[])];
    assert!(error(&of_nodes(&twice, &[])).contains("two values are named \"y\""));
}

#[test]
fn sizes_that_overflow_are_errors() {
    let add = [node("Add", &["x", "w"], &["y"], &[])];
    for (sizes, problem) in [
        (&[i64::MAX, i64::MAX][..], "which fit into no memory"),
        (&[-1], "which fit into no memory"),
        (&[1 << 40], "and 4 bytes of data, which differ"),
        (&[2], "sizes [2] and 4 bytes of data, which differ"),
    ] {
        let error = error(&of_nodes(&add, &[tensor("w", 1, sizes, &[0; 4])]));
        assert!(error.contains("initializer \"w\" has ") && error.contains(problem), "{error}");
    }
    let none = error(&of_nodes(&add, &[[number(1, 2), number(2, 1), field(8, b"w")].concat()]));
    assert!(none.contains("sizes [2] and 0 elements of data, which differ"), "{none}");
    let text = error(&of_nodes(&add, &[tensor("w", 8, &[1], &[])]));
    assert!(text.contains("elements of type string, which Rust lacks"), "{text}");
    let large = value("x", 1, &["9000000000000000000", "9000000000000000000"]);
    let large = model(17, &graph(&add, &[floats("w", &[3])], &[large], &[value("y", 1, &[])]));
    assert!(error(&large).contains("input \"x\" has size 9000000000000000000"));
    // Sizes that nodes compute.
    for operator in ["ConstantOfShape", "Expand", "Reshape", "Tile"] {
        let inputs: &[&str] = if operator == "ConstantOfShape" { &["n"] } else { &["x", "n"] };
        let nodes = [node(operator, inputs, &["y"], &[])];
        let _ = convert(
            &of_nodes(&nodes, &[integers("n", &[i64::MAX, i64::MAX])]),
            None,
            &Options::default(),
        );
    }
    let pads = integers("n", &[i64::MAX, i64::MAX, i64::MAX, i64::MAX]);
    let pad = of_nodes(&[node("Pad", &["x", "n"], &["y"], &[])], &[pads]);
    assert!(error(&pad).contains("padding of more than 2^40 elements"));
    let range = [node("Range", &["a", "b", "c"], &["y"], &[])];
    let ends = [("a", 0), ("b", i64::MAX), ("c", 1)]
        .map(|(name, end)| tensor(name, 7, &[], &i64::to_le_bytes(end)));
    assert!(error(&of_nodes(&range, &ends)).contains("a range of 9223372036854776000 numbers"));
    // Each vector is twice as long as the one before; their elements would fit into no memory.
    let names: Vec<String> = (0..=40).map(|number| format!("n{number}")).collect();
    let double = |pair: &[String]| {
        let [from, to] = [&pair[0][..], &pair[1][..]];
        node("Concat", &[from, from], &[to], &[int("axis", 0)])
    };
    let mut doubled: Vec<Vec<u8>> = names.windows(2).map(double).collect();
    doubled.push(node("Reshape", &["x", "n40"], &["y"], &[]));
    assert!(
        convert(&of_nodes(&doubled, &[integers("n0", &[1])]), None, &Options::default()).is_err()
    );
}

/// A file of weights names by it what it says about itself.
#[test]
fn no_weight_is_named_as_the_metadata() {
    let add = [node("Add", &["x", "__metadata__"], &["y"], &[])];
    let model = of_nodes(&add, &[floats("__metadata__", &[3])]);
    let conversion = convert(&model, None, &Options::default()).expect("a conversion");
    assert!(conversion.source().contains("x + &self.metadata"), "{}", conversion.source());
}

#[test]
fn data_outside_of_the_folder_are_errors() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("external");
    let inner = folder.join("model");
    fs::create_dir_all(&inner).expect("a folder");
    fs::write(folder.join("secret"), [0; 12]).expect("a file");
    fs::write(inner.join("weights"), [0; 16]).expect("a file");
    let nodes = [node("Add", &["x", "w"], &["y"], &[])];
    let convert = |entries: &[(&str, &str)]| {
        let path = inner.join("model.onnx");
        fs::write(&path, of_nodes(&nodes, &[external("w", &[3], entries)])).expect("a file");
        convert_file(&path, &Options::default()).map_err(|error| error.to_string())
    };
    let absolute = folder.join("secret");
    let absolute = absolute.to_str().expect("a path");
    for location in ["../secret", "./../secret", "", absolute] {
        let error = convert(&[("location", location)]).expect_err("an error");
        assert!(error.contains("which is outside of the folder of the model"), "{error}");
    }
    #[cfg(unix)]
    {
        let link = inner.join("link");
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink("../secret", link).expect("a link");
        let error = convert(&[("location", "link")]).expect_err("an error");
        assert!(error.contains("which is outside of the folder of the model"), "{error}");
    }
    for (entries, problem) in [
        (&[("location", "missing")][..], "data in \"missing\":"),
        (
            &[("location", "weights"), ("offset", "5")],
            "data from byte 5 in \"weights\", which has 16 bytes",
        ),
        (
            &[("location", "weights"), ("offset", "18446744073709551615")],
            "data from byte 18446744073709551615",
        ),
        (&[("location", "weights"), ("length", "13")], "12 bytes of elements and 13 bytes of data"),
        (&[("location", "weights"), ("offset", "x")], "offset \"x\" of data in \"weights\""),
        (&[], "data in another file without its name"),
    ] {
        let error = convert(entries).expect_err("an error");
        assert!(error.contains(problem), "{error}");
    }
    assert!(convert(&[("location", "weights"), ("offset", "4"), ("length", "12")]).is_ok());
    let without = tensor_onnx::convert(
        &of_nodes(&nodes, &[external("w", &[3], &[("location", "weights")])]),
        None,
        &Options::default(),
    );
    assert!(without.is_err_and(|error| error.to_string().contains("which is not given")));
}

#[test]
fn graphs_nested_deep_are_errors() {
    let mut inner = graph(&[], &[], &[], &[]);
    for _ in 0..20 {
        inner = graph(
            &[node("If", &["x"], &["y"], &[graph_attribute("then_branch", &inner)])],
            &[],
            &[],
            &[],
        );
    }
    assert!(error(&model(17, &inner)).contains("graphs are nested 16 deep"));
    let many: Vec<u8> = field(1, &[]).repeat((1 << 20) + 1);
    assert!(error(&model(17, &many)).contains("it has more than 1048576 messages"));
}

#[test]
fn opsets_before_7_are_refused() {
    let old = model(
        6,
        &graph(
            &[node("Relu", &["x"], &["y"], &[])],
            &[],
            &[value("x", 1, &["2"])],
            &[value("y", 1, &["2"])],
        ),
    );
    assert_eq!(
        error(&old),
        "the model uses opset 6; opsets 7 to 28 are written: `onnx.version_converter` converts others"
    );
}

#[test]
fn files_are_written_as_a_whole() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("written");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let conversion = convert(&mlp(), None, &Options::default()).expect("a conversion");
    let (source, weights) = (folder.join("mlp.rs"), folder.join("mlp.safetensors"));
    conversion.write(&source, &weights).expect("files");
    let stored = fs::read(&weights).expect("a file");
    let stored = safetensors::SafeTensors::deserialize(&stored).expect("weights");
    let mut names = stored.names();
    names.sort_unstable();
    assert_eq!(names, ["fc1.bias", "fc1.weight", "fc2.bias", "fc2.weight"]);
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2);
    assert!(conversion.write(&folder.join("none/mlp.rs"), &weights).is_err());
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2);
}
