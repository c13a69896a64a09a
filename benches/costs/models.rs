//! Build times of models: `cargo check` of a hundred layers, and a rebuild of an example.

use std::fmt::Write;

use crate::measure::median;
use crate::measure::programs::{Package, TENSOR_CORE, folder, incremental, root};
use crate::report;
use crate::wanted::Wanted;

/// The line of a manifest that depends on the layers.
const TENSOR_NN: &str =
    concat!("tensor-nn = { path = '", env!("CARGO_MANIFEST_DIR"), "/../tensor-nn' }");

/// The line of a manifest that depends on the engine.
const TENSOR_XLA: &str =
    concat!("tensor-xla = { path = '", env!("CARGO_MANIFEST_DIR"), "/../tensor-xla' }");

/// A model of a hundred layers, none of the sizes of another, with a step of its training: 25 convolutions,
/// 50 linear layers and 25 blocks of attention. `channels` is the one number that changes.
fn model(channels: usize) -> String {
    let (mut fields, mut values, mut steps) = (String::new(), String::new(), String::new());
    let mut layer = |name: &str, layer: &str, new: &str, step: &str| {
        writeln!(fields, "    {name}: {layer},").expect("text");
        writeln!(values, "            {name}: {layer}::{new},").expect("text");
        writeln!(steps, "        let x = self.{name}.forward({step});").expect("text");
    };
    for i in 0..25 {
        let inputs = if i == 0 { channels } else { 31 + i };
        let conv = format!("Conv2d::<dim!({inputs}), dim!({}), dim!(3), dim!(3), Same2d>", 32 + i);
        layer(&format!("conv{i}"), &conv, "new(rng)", "&x.relu()");
    }
    layer("mean", "GlobalAvgPool2d", "default()", "&x");
    for i in 0..25 {
        let (inputs, hidden) = (56 + i, 128 + i);
        let up = format!("Linear::<dim!({inputs}), dim!({hidden})>");
        let down = format!("Linear::<dim!({hidden}), dim!({})>", inputs + 1);
        layer(&format!("up{i}"), &up, "new(rng)", "&x");
        layer(&format!("down{i}"), &down, "new(rng)", "&x.gelu()");
    }
    layer("wide", "Linear::<dim!(81), dim!(96)>", "new(rng)", "&x");
    for i in 0..25 {
        let block = format!("TransformerBlock::<dim!(96), dim!(8), dim!(12), dim!({})>", 128 + i);
        layer(&format!("block{i}"), &block, "new(rng, NormOrder::Pre, 0.1)", "&x, Causal, pass");
    }
    format!(
        "use tensor_core::autograd::value_and_grad;
use tensor_core::random::Generator;
use tensor_core::{{Tensor, dim, shape}};
use tensor_nn::Module;
use tensor_nn::layers::*;
use tensor_nn::optim::{{Adam, Optimizer}};

#[derive(Clone, Module)]
struct Model {{
{fields}}}

impl Model {{
    fn new(rng: &mut Generator) -> Self {{
        Self {{
{values}        }}
    }}

    fn forward(
        &self,
        x: &Tensor<shape![32, {channels}, 16, 16]>,
        pass: &mut Pass,
    ) -> Tensor<shape![32, 96]> {{
{steps}        x
    }}
}}

fn main() {{
    let mut rng = Generator::seed(42);
    let mut model = Model::new(&mut rng);
    let (x, mut pass) = (Tensor::ones(), Pass::training(&mut rng));
    let (_, gradient) =
        value_and_grad(&model, |model| model.forward(&x, &mut pass).square().mean());
    Optimizer::new(Adam::default(), 1e-3).step(&mut model, &gradient).expect(\"it fits\");
}}
"
    )
}

/// `cargo check`, with incremental compilation as users have it: all anew, and after one number changed.
fn checks(wanted: &Wanted) {
    let (whole, changed) =
        ("check: model of 100 layers, more than empty", "check: one number of it changed");
    if !(wanted.has(whole) || wanted.has(changed)) {
        return;
    }
    let package = Package::with("costs-model", &format!("{TENSOR_CORE}\n{TENSOR_NN}"));
    let check = |program: &str| {
        package.add("main.rs", program);
        incremental(package.folder(), &folder("programs-incremental"), &["check"]).clock / 1e3
    };
    check("fn main() {}\n");
    let (mut more, mut again) = (Vec::new(), Vec::new());
    for run in 0..wanted.runs {
        // What the compiler knows of the last program is of no use for the next but one.
        let empty = check(&format!("fn main() {{ println!(\"{run}\") }}\n"));
        more.push(check(&model(3 + 2 * run)) - empty);
        again.push(check(&model(4 + 2 * run)));
    }
    report::row(whole, "s", median(more), None, Some(5.0));
    report::row(changed, "s", median(again), None, Some(1.5));
}

/// A file of the examples.
fn read(path: &str) -> String {
    std::fs::read_to_string(root().join("examples").join(path)).expect("a file of the repository")
}

/// A release build of `digits_cnn` after one line of it changed.
fn rebuild(wanted: &Wanted) {
    let name = "rebuild: digits_cnn";
    if !wanted.has(name) {
        return;
    }
    let dependencies =
        [TENSOR_CORE, TENSOR_NN, TENSOR_XLA, "indicatif = \"0.18\"", "lexopt = \"0.3\""];
    let package = Package::with("costs-digits-cnn", &dependencies.join("\n"));
    for file in [
        "data/mod.rs",
        "digits/data.rs",
        "training/mod.rs",
        "training/curve.rs",
        "training/engine.rs",
    ] {
        package.add(&format!("../{file}"), &read(file));
    }
    package.add("reader.rs", &read("digits_cnn/reader.rs"));
    let program = read("digits_cnn/main.rs");
    let build = ["build", "--release"];
    package.time(&program, &build);
    let times = (0..wanted.runs).map(|run| {
        let line = format!("#[used]\nstatic LINE: usize = {run};\n");
        package.time(&format!("{program}{line}"), &build).processor / 1e3
    });
    report::row(name, "s", median(times), None, Some(6.0));
}

/// All rows.
pub fn rows(wanted: &Wanted) {
    checks(wanted);
    rebuild(wanted);
}
