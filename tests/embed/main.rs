//! Programs as files of Rust: their results are those of the kernels, they compile without `std` for small machines, and
//! what cannot be written is refused.

mod models;
mod refused;
mod results;
mod runner;

use std::fs;
use std::path::Path;
use std::process::Command;

use tensor_core::random::Generator;
use tensor_core::trace::{Program, element_bytes, switch, trace};
use tensor_core::{Module, Tensor, shape, tensor};
use tensor_embed::{EmbedOptions, RustFile, ToRust, embed};

use models::Visit;

/// A model with its file, its inputs and what the kernels compute.
struct Model {
    name: String,
    file: RustFile,
    inputs: Vec<Vec<u8>>,
    outputs: Vec<Vec<u8>>,
    /// The least time of a call of the program, in nanoseconds.
    time: u128,
}

#[derive(Default)]
struct Models {
    all: Vec<Model>,
    repeated: usize,
}

impl Visit for Models {
    fn visit<I: Module + Clone, O: Module + Clone>(
        &mut self,
        name: &str,
        inputs: &I,
        function: impl Fn(&I) -> O,
    ) {
        let program: Program<I, O> = trace(inputs, &function);
        let file = program.to_rust().unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut time = u128::MAX;
        for _ in 0..self.repeated {
            let start = std::time::Instant::now();
            drop(function(inputs));
            time = time.min(start.elapsed().as_nanos());
        }
        let outputs = element_bytes(&function(inputs));
        let inputs = element_bytes(inputs);
        self.all.push(Model { name: name.to_owned(), file, inputs, outputs, time });
    }
}

fn all(repeated: usize) -> Vec<Model> {
    let mut models = Models { repeated, ..Models::default() };
    models::each(&mut models);
    models.all
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|x| f32::from_le_bytes(x.try_into().expect("4 bytes"))).collect()
}

/// The largest error, relative to the number or to 1.
fn error(found: &[Vec<u8>], expected: &[Vec<u8>]) -> f32 {
    assert_eq!(found.len(), expected.len());
    let pairs = found.iter().zip(expected).flat_map(|(found, expected)| {
        assert_eq!(found.len(), expected.len());
        floats(found).into_iter().zip(floats(expected))
    });
    pairs
        .map(|(found, expected)| (found - expected).abs() / expected.abs().max(1.0))
        .fold(0.0, f32::max)
}

fn files(models: &[Model]) -> Vec<(RustFile, Vec<Vec<u8>>)> {
    models.iter().map(|model| (model.file.clone(), model.inputs.clone())).collect()
}

#[test]
fn models_give_what_the_kernels_give() {
    let models = all(0);
    for options in [&["-C", "opt-level=3"][..], &["-C", "debug-assertions=on"]] {
        let found = runner::run("models", &files(&models), options, 1);
        for (model, (found, _)) in models.iter().zip(found) {
            let error = error(&found, &model.outputs);
            assert!(error <= 1e-6, "{}: {error}", model.name);
        }
    }
}

#[test]
fn workspaces_are_nearly_as_small_as_can_be() {
    for model in all(0) {
        let (peak, least) = (model.file.peak_bytes(), model.file.least_bytes());
        assert!(peak >= least && peak * 5 <= least * 6, "{}: {peak}, {least}", model.name);
    }
}

#[test]
fn files_compile_for_machines_without_a_system() {
    let folder = runner::folder("targets");
    for target in ["wasm32-unknown-unknown", "thumbv7em-none-eabihf"] {
        if has_target(target) {
            for model in all(0) {
                let object = object(&folder, &model.name, model.file.text(), target, &["-O"]);
                assert!(!object.is_empty());
            }
        }
    }
}

#[test]
fn weights_can_be_an_argument_and_inputs_constants() {
    let inputs = (Tensor::<shape![20, 4]>::ones() * 0.5, Tensor::<shape![1, 20]>::ones());
    let program = trace(&inputs, |(weights, x)| x.dot(weights) + 1.0);
    let file = program.to_rust_with(&EmbedOptions::new().constants("0", &inputs.0)).unwrap();
    assert_eq!(runner::parameters(file.text()), ["&[f32; 20]", "&mut [f32; 4]"]);
    let table = Tensor::<shape![80]>::arange().reshape::<shape![20, 4]>();
    let program = trace(&inputs.1, |x| x.dot(&table));
    let of_weights = program.to_rust_with(&EmbedOptions::new().weights_as_argument()).unwrap();
    let types = ["&[f32; 20]", "&mut [f32; 4]", "&[f32; 80]"];
    assert_eq!(runner::parameters(of_weights.text()), types);
    let weights = of_weights.weights().iter().flat_map(|x| x.to_le_bytes()).collect();
    let x = element_bytes(&inputs.1);
    let files = [(file, x.clone()), (of_weights, vec![x[0].clone(), weights])];
    let found = runner::run("weights", &files, &[], 1);
    assert_eq!(floats(&found[0].0[0]), [11.0; 4]);
    let expected = element_bytes(&inputs.1.dot(&table));
    assert_eq!(found[1].0, expected);
}

/// Nested branches would overflow the stack, and their text would grow as the square of their number.
#[test]
fn a_branch_of_many_functions() {
    type X = Tensor<shape![2]>;
    let functions: Vec<_> = (0..5_000).map(|number| move |x: &X| x + number as f32).collect();
    let functions: Vec<&dyn Fn(&X) -> X> = functions.iter().map(|function| function as _).collect();
    let inputs = (Tensor::<shape![], i64>::scalar(0), tensor![1.0, 2.0]);
    let program = trace(&inputs, |(index, x)| switch(index, x, &functions));
    assert!(program.to_rust().unwrap().text().len() < 2_000 * functions.len());
}

#[test]
fn branches_and_loops_depend_on_elements() {
    let text = r#"module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<i64>) {
    %0:1 = "stablehlo.case"(%arg0) ({
      %1 = "stablehlo.add"(%arg1, %arg1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%1) : (tensor<2xf32>) -> () }, {
      %2 = "stablehlo.negate"(%arg1) : (tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%2) : (tensor<2xf32>) -> () }, {
      "stablehlo.return"(%arg1) : (tensor<2xf32>) -> () }) : (tensor<i32>) -> (tensor<2xf32>)
    %3 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %4:2 = "stablehlo.while"(%arg1, %3) ({ ^bb0(%5: tensor<2xf32>, %6: tensor<i64>):
      %7 = "stablehlo.constant"() {value = dense<0x00000000> : tensor<f32>} : () -> tensor<f32>
      %8 = "stablehlo.reduce"(%5, %7) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32> "stablehlo.return"(%c) : (tensor<f32>) -> () }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      %9 = "stablehlo.constant"() {value = dense<0x42C80000> : tensor<f32>} : () -> tensor<f32>
      %10 = "stablehlo.compare"(%8, %9) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%10) : (tensor<i1>) -> () }, { ^bb0(%11: tensor<2xf32>, %12: tensor<i64>):
      %13 = "stablehlo.add"(%11, %11) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %14 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
      %15 = "stablehlo.add"(%12, %14) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%13, %15) : (tensor<2xf32>, tensor<i64>) -> () }) : (tensor<2xf32>, tensor<i64>) -> (tensor<2xf32>, tensor<i64>)
    return %0#0, %4#0, %4#1 : tensor<2xf32>, tensor<2xf32>, tensor<i64>
  }
}"#;
    let file = embed(text, &EmbedOptions::new()).unwrap();
    let x: Vec<u8> = [1.0_f32, 2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    // An index that is out of range is that of the last branch, as StableHLO has it.
    let indices = [0, 1, 2, 7, -1];
    let files =
        indices.map(|index: i32| (file.clone(), vec![index.to_le_bytes().to_vec(), x.clone()]));
    let found = runner::run("branches", &files, &[], 1);
    let of_case: Vec<Vec<f32>> = found.iter().map(|(outputs, _)| floats(&outputs[0])).collect();
    assert_eq!(of_case, [[2.0, 4.0], [-1.0, -2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]);
    assert_eq!(floats(&found[0].0[1]), [64.0, 128.0]);
    assert_eq!(found[0].0[2], 6_i64.to_le_bytes());
}

/// Numbers of all magnitudes, and of both signs.
fn numbers(count: usize) -> Vec<f32> {
    let bits = (0..count as u32).map(|number| number.wrapping_mul(0x9E37_79B9));
    bits.map(f32::from_bits).map(|x| if x.is_nan() { 1.0 } else { x }).collect()
}

#[test]
fn functions_are_those_of_the_kernels_up_to_rounding() {
    type Numbers = Tensor<shape![4096]>;
    let all = Numbers::from_vec(numbers(4096)).unwrap();
    let small = Numbers::arange() * 0.01 - 20.0;
    let functions = |(all, small): &(Numbers, Numbers)| {
        let of_all = (all.sqrt(), all.ln(), all.sin(), all.cos(), all.floor(), all.round());
        let of_small = (small.exp(), small.exp_m1(), small.sigmoid(), small.tanh(), small.erf());
        let more =
            (small.abs().ln_1p(), small.atan2(&(small + 1.0)), small.abs().pow(&(small * 0.3)));
        (of_all, of_small, more)
    };
    let inputs = (all, small);
    let file = trace(&inputs, functions).to_rust().unwrap();
    let expected = element_bytes(&functions(&inputs));
    let found = runner::run("functions", &[(file, element_bytes(&inputs))], &[], 1);
    for (number, (found, expected)) in found[0].0.iter().zip(&expected).enumerate() {
        for (found, expected) in floats(found).into_iter().zip(floats(expected)) {
            let is_same = found == expected || found.is_nan() && expected.is_nan();
            // 8 units in the last place.
            let is_near = (found - expected).abs() <= 8.0 * f32::EPSILON * expected.abs();
            let is_exact = matches!(number, 0 | 4 | 5);
            assert!(is_same || is_near && !is_exact, "{number}: {found}, not {expected}");
        }
    }
}

#[test]
fn random_numbers_of_a_step_are_the_same() {
    type Step = Tensor<shape![], i64>;
    let draw = |step: &Step| {
        let mut rng = Generator::at(42, step);
        (rng.uniform::<shape![9], f32>(-1.0, 1.0), rng.normal::<shape![9], f32>(0.0, 1.0))
    };
    let program = trace(&Step::scalar(0), draw);
    let (file, step) = (program.to_rust().unwrap(), Step::scalar(7));
    let found = runner::run("random", &[(file, element_bytes(&step))], &[], 1);
    let expected = element_bytes(&draw(&step));
    assert_eq!(found[0].0[0], expected[0]);
    assert!(error(&found[0].0[1..], &expected[1..]) < 1e-6);
}

/// A program for WebAssembly, which gives the bits of an element of an output.
fn module(model: &Model) -> String {
    let (mut before, mut arms, mut arguments) = (String::new(), String::new(), String::new());
    let (mut inputs, mut outputs) = (0, 0);
    for ty in runner::parameters(model.file.text()) {
        let len = ty.trim_end_matches(']').rsplit("; ").next().unwrap().to_owned();
        if ty.starts_with("&mut") {
            before += &format!("let mut o{outputs} = Box::new([0.0; {len}]);\n");
            arms += &format!("{outputs} => o{outputs}[index].to_bits(),\n");
            arguments += &format!("&mut o{outputs}, ");
            outputs += 1;
        } else {
            let elements = floats(&model.inputs[inputs]);
            before += &format!("let i{inputs}: [f32; {len}] = {elements:?};\n");
            arguments += &format!("&i{inputs}, ");
            inputs += 1;
        }
    }
    format!(
        "mod model {{\n{}\n}}\n#[unsafe(no_mangle)]\npub extern \"C\" fn bits(output: u32, index: usize) -> u32 {{\n{before}\
         let mut workspace = Box::new(model::Workspace::new());\nmodel::run({arguments}&mut workspace);\n\
         match output {{\n{arms}_ => 0,\n}}\n}}\n",
        model.file
    )
}

#[test]
fn web_assembly_gives_the_same_bits() {
    let is_there = Command::new("node").arg("--version").output().is_ok();
    if !is_there || !has_target("wasm32-unknown-unknown") {
        eprintln!("skipped: Node.js and the target wasm32-unknown-unknown are needed");
        return;
    }
    let models = all(0);
    let native = runner::run("bits", &files(&models), &["-C", "opt-level=3"], 1);
    let folder = runner::folder("wasm");
    for (model, (outputs, _)) in models.iter().zip(native) {
        let source = folder.join(format!("{}.rs", model.name));
        let wasm = source.with_extension("wasm");
        fs::write(&source, module(model)).unwrap();
        let compiled = runner::rustc()
            .args(["--crate-type", "cdylib", "--target", "wasm32-unknown-unknown", "-O"])
            .args(["-A", "warnings", "-o"])
            .args([&wasm, &source])
            .output()
            .unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        // Some elements of each output: each is computed anew.
        let script = "const [file, ...counts] = process.argv.slice(1);
            const module = new WebAssembly.Module(require('fs').readFileSync(file));
            const {bits} = new WebAssembly.Instance(module).exports;
            counts.forEach((count, output) => {
                for (let i = 0; i < count; i += Math.ceil(count / 10)) console.log(bits(output, i) >>> 0);
            });";
        let mut node = Command::new("node");
        node.args(["-e", script]).arg(&wasm);
        node.args(outputs.iter().map(|bytes| (bytes.len() / 4).to_string()));
        let ran = node.output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let found = String::from_utf8(ran.stdout).unwrap();
        let found: Vec<u32> = found.lines().map(|line| line.parse().unwrap()).collect();
        let expected: Vec<u32> = outputs
            .iter()
            .flat_map(|bytes| {
                let elements = floats(bytes);
                let step = elements.len().div_ceil(10);
                elements.into_iter().step_by(step).map(f32::to_bits).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(found, expected, "{}", model.name);
    }
}

/// The model of the README.
#[derive(Clone, Module)]
struct Small {
    first: Tensor<shape![4, 8]>,
    bias: Tensor<shape![8]>,
    second: Tensor<shape![8, 2]>,
}

#[test]
fn the_readme_shows_the_file() {
    let rng = &mut Generator::seed(42);
    let model = Small {
        first: rng.normal(0.0, 0.5),
        bias: rng.normal(0.0, 0.5),
        second: rng.normal(0.0, 0.5),
    };
    let program = trace(&Tensor::<shape![4]>::zeros(), |x| {
        (x.dot(&model.first) + &model.bias).relu().dot(&model.second).softmax::<-1>()
    });
    let file = program.to_rust().unwrap();
    let readme = include_str!("../../tensor-embed/README.md");
    let (_, shown) = readme.split_once("begins:\n\n```rust,ignore\n").unwrap();
    let (shown, _) = shown.split_once("\n```").unwrap();
    assert!(shown.split("\n// …\n").count() > 3);
    for part in shown.split("\n// …\n") {
        assert!(file.text().contains(part), "{part}\nis not in\n{file}");
    }
}

#[test]
fn constants_that_do_not_fit_are_refused() {
    let inputs = (tensor![1.0_f32, 2.0], tensor![3.0_f32, 4.0]);
    let program = trace(&inputs, |(a, b)| a * b);
    let options = EmbedOptions::new().constants("0", &tensor![1.0_f32]).constants("2", &inputs.0);
    assert_eq!(
        program.to_rust_with(&options).unwrap_err().to_string(),
        "the program cannot be written as Rust:\n  the input `0` is f32 [2], and f32 [1] is given\n  the program has 0 inputs \
         `2`, and 1 tensors are given for them"
    );
    // The same bytes, and twice the same input.
    let options = EmbedOptions::new()
        .constants("0", &tensor![1_i32, 2])
        .constants("1", &tensor![[3.0_f32], [4.0]])
        .constants("1", &inputs.1)
        .constants("1", &inputs.1);
    assert_eq!(
        program.to_rust_with(&options).unwrap_err().to_string(),
        "the program cannot be written as Rust:\n  the input `0` is f32 [2], and i32 [2] is given\n  the input `1` is \
         f32 [2], and f32 [2, 1] is given\n  the input `1` is given more than once"
    );
}

#[test]
fn the_function_has_any_name_of_rust() {
    let inputs = (tensor![1.0_f32, 2.0], tensor![3.0_f32, 4.0]);
    let program = trace(&inputs, |(x, y)| (x.exp().dot(y), x + y));
    let folder = runner::folder("names");
    let names = [
        "add",
        "window",
        "exp",
        "part",
        "product",
        "size_of",
        "dot_general_2",
        "CONSTANT_0",
        "kernels",
        "Workspace",
        "input_0",
        "None",
        "drop",
        "two__words",
        "_x",
    ];
    for name in names {
        let file = program.to_rust_with(&EmbedOptions::new().function(name)).unwrap();
        compile_with_denied_warnings(&folder, name, &file);
        assert!(!file.text().contains("fn convolve("), "{name}");
    }
    for (name, reason) in [
        ("2 b", "a name has letters, digits and `_`, and begins with no digit"),
        ("", "a name has letters, digits and `_`, and begins with no digit"),
        ("größe", "a name has letters, digits and `_`, and begins with no digit"),
        ("fn", "it is a word of Rust"),
        ("gen", "it is a word of Rust"),
        ("Self", "it is a word of Rust"),
        ("_", "it is a word of Rust"),
        ("PEAK_BYTES", "it is a constant of the file"),
    ] {
        let error = program.to_rust_with(&EmbedOptions::new().function(name)).unwrap_err();
        let expected = format!(
            "the program cannot be written as Rust:\n  the function cannot be called `{name}`: {reason}"
        );
        assert_eq!(error.to_string(), expected);
    }
}

/// Compiles a file as a library.
fn compile_with_denied_warnings(folder: &Path, name: &str, file: &RustFile) {
    let source = folder.join(format!("{name}.rs"));
    fs::write(&source, format!("#![no_std]\n#![deny(warnings)]\n{file}")).unwrap();
    let mut rustc = runner::rustc();
    rustc.args(["--crate-type", "lib", "--crate-name", "model", "--emit", "metadata", "-o"]);
    let compiled = rustc.arg(source.with_extension("rmeta")).arg(&source).output().unwrap();
    assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
}

/// Names outside ASCII, and names of Rust.
#[derive(Clone, Module)]
struct Names {
    größe: Tensor<shape![2]>,
    重み: Tensor<shape![2]>,
    é: Tensor<shape![2]>,
    r#fn: Tensor<shape![2]>,
    _x: Tensor<shape![2]>,
}

#[test]
fn names_of_tensors_give_no_warnings() {
    let x = Tensor::ones();
    let names = Names {
        größe: x.clone(),
        重み: x.clone() * 2.0,
        é: x.clone() * 3.0,
        r#fn: x.clone(),
        _x: x,
    };
    let file =
        trace(&names, |names| Names { é: &names.重み + &names.é, ..names.clone() }).to_rust();
    let file = file.unwrap();
    compile_with_denied_warnings(&runner::folder("tensors"), "names", &file);
    let inputs = element_bytes(&names);
    let found = runner::run("tensors_run", &[(file, inputs)], &[], 1);
    let outputs: Vec<f32> = found[0].0.iter().map(|bytes| floats(bytes)[0]).collect();
    assert_eq!(outputs, [1.0, 2.0, 5.0, 1.0, 1.0]);
}

#[test]
fn all_operations_that_cannot_be_written_are_named_at_once() {
    let text = "module {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf64>) -> (tensor<2xf32>) {
    %0 = \"stablehlo.cholesky\"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
    %1 = \"stablehlo.exponential\"(%arg1) : (tensor<2xf64>) -> tensor<2xf64>
    %2 = \"stablehlo.convert\"(%arg0) : (tensor<2xf32>) -> tensor<2xf16>
    %3 = \"stablehlo.fft\"(%0) : (tensor<2xf32>) -> tensor<2xf32>
    return %3 : tensor<2xf32>
  }
}";
    assert_eq!(
        embed(text, &EmbedOptions::new()).unwrap_err().to_string(),
        "the program cannot be written as Rust:
  cholesky: there is no Rust for it
  exponential: of `f64`: functions are written for `f32` alone
  convert: elements of type `f16`, for which Rust has no type
  fft: there is no Rust for it"
    );
    let text = text.replace("%arg1: tensor<2xf64>", "%arg1: tensor<?xf64>");
    let error = embed(&text, &EmbedOptions::new()).unwrap_err().to_string();
    assert!(
        error.contains("`tensor<?xf64>` is not the type of a tensor of static sizes"),
        "{error}"
    );
}

/// Whether rustc can compile for a target; a line says that it cannot.
fn has_target(target: &str) -> bool {
    let found = runner::rustc().args(["--print", "target-libdir", "--target", target]).output();
    let path = String::from_utf8(found.expect("rustc starts").stdout).expect("text");
    let is_there = Path::new(path.trim()).exists();
    if !is_there {
        eprintln!("skipped: {target} is not installed: rustup target add {target}");
    }
    is_there
}

/// The object file of a generated file without `std`.
fn object(folder: &Path, name: &str, text: &str, target: &str, options: &[&str]) -> Vec<u8> {
    let (source, object) = (folder.join(format!("{name}.rs")), folder.join(format!("{name}.o")));
    // The limit is that of the guide.
    let check = "const { assert!(PEAK_BYTES <= 64 * 1024) }";
    let text = format!(
        "#![no_std]\n#![forbid(unsafe_code)]\n{text}\n/// Checked.\npub const fn fits() {{\n    {check}\n}}\n"
    );
    fs::write(&source, text).expect("a file");
    let compiled = runner::rustc()
        .args([
            "--crate-type",
            "lib",
            "--emit",
            "obj",
            "-C",
            "codegen-units=1",
            "-C",
            "panic=abort",
        ])
        .args(["--target", target])
        .args(options)
        .arg("-o")
        .arg(&object)
        .arg(&source)
        .output();
    let compiled = compiled.expect("rustc starts");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    fs::read(object).expect("the object")
}

/// The bytes of code and of constants of an object file: the sections that are code, and those that are only read.
fn sizes(object: &[u8]) -> (usize, usize) {
    let word = |at: usize| u32::from_le_bytes(object[at..at + 4].try_into().unwrap()) as usize;
    let half = |at: usize| u16::from_le_bytes(object[at..at + 2].try_into().unwrap()) as usize;
    let (headers, size, count) = (word(32), half(46), half(48));
    let (mut code, mut constants) = (0, 0);
    for header in (0..count).map(|number| headers + number * size) {
        // SHF_ALLOC and SHF_EXECINSTR.
        match word(header + 8) & 6 {
            6 => code += word(header + 20),
            2 => constants += word(header + 20),
            _ => {}
        }
    }
    (code, constants)
}

/// Prints the table of the README: `RAYON_NUM_THREADS=1 cargo test --release --workspace --test embed -- --ignored --nocapture`.
#[test]
#[ignore = "it measures times"]
fn sizes_and_times() {
    let models = all(300);
    let options = ["-C", "opt-level=3", "-C", "target-cpu=native"];
    let found = runner::run("times", &files(&models), &options, 300);
    let folder = runner::folder("sizes");
    println!("| model | code | constants | workspace | least | time | kernels | ratio | error |");
    for (model, (outputs, time)) in models.iter().zip(found) {
        let (peak, least) = (model.file.peak_bytes(), model.file.least_bytes());
        let target = "thumbv7em-none-eabihf";
        let (code, constants) = match has_target(target) {
            true => sizes(&object(
                &folder,
                &model.name,
                model.file.text(),
                target,
                &["-C", "opt-level=s"],
            )),
            false => (0, 0),
        };
        println!(
            "| {} | {code} | {constants} | {peak} | {least} | {:.1} µs | {:.1} µs | {:.2} | {:.1e} |",
            model.name,
            time as f64 / 1e3,
            model.time as f64 / 1e3,
            time as f64 / model.time as f64,
            error(&outputs, &model.outputs)
        );
    }
}
