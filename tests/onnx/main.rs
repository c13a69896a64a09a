//! ONNX's official test cases: each is converted, compiled, run, and compared with the tolerances of ONNX.
//!
//! `tools/onnx_cases.py` writes the cases into a folder, whose path is in `ONNX_CASES`; without it, the test is skipped.
//! `ONNX_ONLY` selects the cases whose names contain it, or one of several parts between commas.

#[path = "../compiler/mod.rs"]
mod compiler;
#[path = "../../tensor-onnx/tests/encoder/mod.rs"]
mod encoder;
mod programs;
mod speed;
mod wrong;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use compiler::Compiler;
use tensor_onnx::{Conversion, Error, Options, convert, formatted};

/// The number of consecutive cases that are one program.
const CASES_OF_A_PROGRAM: usize = 100;

struct Case {
    name: String,
    folder: PathBuf,
    about: serde_json::Value,
}

fn cases(folder: &Path) -> Vec<Case> {
    let mut folders: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("a case").path())
        .collect();
    folders.sort();
    let case = |folder: PathBuf| {
        let about = fs::read(folder.join("case.json")).expect("a case");
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        Case { name, folder, about: serde_json::from_slice(&about).expect("JSON") }
    };
    folders.into_iter().map(case).collect()
}

impl Case {
    /// The case in Rust; inputs that have to be constants have the elements of the test.
    fn convert(&self) -> Result<Conversion, String> {
        let model = fs::read(self.folder.join("model.onnx")).expect("a model");
        let data = fs::read(self.folder.join("data.safetensors")).expect("data");
        let data = safetensors::SafeTensors::deserialize(&data).expect("data");
        let names = self.inputs();
        let mut options = Options { name: self.name.clone(), ..Options::default() };
        for (name, size) in self.about["sizes"].as_object().into_iter().flatten() {
            options = options.size(name, size.as_u64().expect("a size") as usize);
        }
        let constant = |name: &str| {
            let index = names.iter().position(|other| *other == name).expect("an input");
            data.tensor(&format!("in.{index}")).ok().map(|view| numbers(&view))
        };
        for name in self.about["constants"].as_array().into_iter().flatten() {
            let name = name.as_str().expect("a name");
            options = options.constant(name, constant(name).expect("a tensor"));
        }
        loop {
            let refusals = match convert(&model, Some(&self.folder), &options) {
                Ok(conversion) => return Ok(conversion),
                Err(Error::Refused(refusals)) => refusals,
                Err(error) => return Err(error.to_string()),
            };
            let mut is_new = false;
            for name in refusals.iter().flat_map(|refusal| &refusal.constants) {
                let Some(numbers) = constant(name) else { continue };
                is_new |= !options.constants.contains_key(name);
                options = options.constant(name, numbers);
            }
            if !is_new {
                let refusal = &refusals[0];
                return Err(format!("{}: {}", refusal.operator, refusal.reason));
            }
        }
    }

    /// The names of the model's inputs.
    fn inputs(&self) -> Vec<&str> {
        let names = self.about["inputs"].as_array().expect("names");
        names.iter().filter_map(|name| name.as_str()).collect()
    }

    /// The numbers of the inputs that are parameters of the function.
    fn parameters(&self, conversion: &Conversion) -> Vec<usize> {
        let inputs = self.inputs();
        let number = |name: &String| inputs.iter().position(|other| other == name);
        conversion.inputs().iter().map(|name| number(name).expect("an input")).collect()
    }

    /// The statement that opens the weights, if there are any, and the call of the model.
    fn call(
        &self,
        conversion: &Conversion,
        argument: fn(usize) -> String,
    ) -> (&'static str, String) {
        let arguments: Vec<String> =
            self.parameters(conversion).into_iter().map(argument).collect();
        let arguments = arguments.join(", ");
        let unwrap = if conversion.is_fallible() {
            ".unwrap_or_else(|error| panic!(\"{error}\"))"
        } else {
            ""
        };
        match conversion.has_weights() {
            true => (
                "let model = Model::open(folder.join(\"model.safetensors\")).expect(\"weights\");\n",
                format!("model.forward({arguments}){unwrap}"),
            ),
            false => ("", format!("forward({arguments}){unwrap}")),
        }
    }

    /// The module of the case.
    fn module(&self, conversion: &Conversion) -> String {
        let outputs = self.about["outputs"].as_u64().expect("a number");
        let names: Vec<String> = (0..outputs).map(|index| format!("y{index}")).collect();
        let pattern =
            if outputs == 1 { names[0].clone() } else { format!("({})", names.join(", ")) };
        let checks: String = names
            .iter()
            .enumerate()
            .map(|(index, name)| format!("data.check({index}, {name});\n"))
            .collect();
        let (open, call) = self.call(conversion, |number| format!("&data.input({number})"));
        let call = format!("{open}let {pattern} = {call};");
        format!(
            "mod {} {{\n{}\npub fn case(data: &crate::runtime::Data, folder: &std::path::Path) {{\n{call}\n{checks}}}\n}}\n",
            self.name,
            conversion.source()
        )
    }
}

/// The elements as numbers.
fn numbers(view: &safetensors::tensor::TensorView<'_>) -> Vec<f64> {
    use safetensors::Dtype::{BF16, BOOL, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    macro_rules! of {
        ($($T:ident $N:literal),*) => {
            match view.dtype() {
                $($T => view.data().chunks_exact($N).map(|bytes| number!($T bytes)).collect(),)*
                other => panic!("constants of type {other:?}"),
            }
        };
    }
    macro_rules! number {
        (F32 $bytes:ident) => {
            f64::from(f32::from_le_bytes($bytes.try_into().expect("four")))
        };
        (F64 $bytes:ident) => {
            f64::from_le_bytes($bytes.try_into().expect("eight"))
        };
        (F16 $bytes:ident) => {
            half::f16::from_le_bytes($bytes.try_into().expect("two")).to_f64()
        };
        (BF16 $bytes:ident) => {
            half::bf16::from_le_bytes($bytes.try_into().expect("two")).to_f64()
        };
        (I16 $bytes:ident) => {
            f64::from(i16::from_le_bytes($bytes.try_into().expect("two")))
        };
        (U16 $bytes:ident) => {
            f64::from(u16::from_le_bytes($bytes.try_into().expect("two")))
        };
        (I64 $bytes:ident) => {
            i64::from_le_bytes($bytes.try_into().expect("eight")) as f64
        };
        (U64 $bytes:ident) => {
            u64::from_le_bytes($bytes.try_into().expect("eight")) as f64
        };
        (I32 $bytes:ident) => {
            f64::from(i32::from_le_bytes($bytes.try_into().expect("four")))
        };
        (U32 $bytes:ident) => {
            f64::from(u32::from_le_bytes($bytes.try_into().expect("four")))
        };
        (I8 $bytes:ident) => {
            f64::from($bytes[0].cast_signed())
        };
        (U8 $bytes:ident) => {
            f64::from($bytes[0])
        };
        (BOOL $bytes:ident) => {
            f64::from($bytes[0])
        };
    }
    of!(F32 4, F64 8, F16 2, BF16 2, I16 2, U16 2, I64 8, U64 8, I32 4, U32 4, I8 1, U8 1, BOOL 1)
}

/// The model that the README shows as a whole.
const README_CASE: &str = "silero_vad_op18";

/// What each case gives: `passed`, or why not.
fn results(folder: &Path) -> BTreeMap<String, String> {
    let only = std::env::var("ONNX_ONLY").unwrap_or_default();
    let mut results = BTreeMap::new();
    let mut programs: BTreeMap<usize, Vec<(Case, Conversion)>> = BTreeMap::new();
    for (index, case) in cases(folder).into_iter().enumerate() {
        if !only.split(',').any(|part| case.name.contains(part)) {
            continue;
        }
        match case.convert() {
            Ok(conversion) => {
                if case.name == README_CASE {
                    let readme =
                        Path::new(env!("CARGO_MANIFEST_DIR")).join("tensor-onnx/README.md");
                    let mark = "<!-- tests/onnx/main.rs compares it with the conversion -->";
                    encoder::in_readme(&readme, mark, &formatted(conversion.source()));
                }
                match conversion.weights() {
                    Ok(weights) => {
                        fs::write(case.folder.join("model.safetensors"), weights).expect("a file")
                    }
                    Err(error) => {
                        results.insert(case.name, format!("weights: {error}"));
                        continue;
                    }
                }
                programs.entry(index / CASES_OF_A_PROGRAM).or_default().push((case, conversion));
            }
            Err(reason) => drop(results.insert(case.name, reason)),
        }
    }
    if std::env::var("ONNX_CONVERT").is_ok() {
        return results;
    }
    let libraries = Libraries::new();
    let out = compiler::folder("onnx");
    for (number, cases) in programs {
        run(&libraries, &out.join(format!("cases_{number}")), cases, &mut results);
    }
    results
}

/// The compiler with `tensor-core`, and the other crates of what is written.
struct Libraries {
    compiler: Compiler,
    others: [(&'static str, PathBuf); 2],
}

impl Libraries {
    fn new() -> Self {
        let others = ["half", "tensor_nn"];
        let library = |name| (name, Compiler::of_library("onnx", name).library().to_owned());
        Self { compiler: Compiler::new("onnx"), others: others.map(library) }
    }

    fn rustc(&self) -> Command {
        let mut rustc = self.compiler.rustc("tensor_core");
        for (name, library) in &self.others {
            rustc.arg("--extern").arg(format!("{name}={}", library.display()));
        }
        rustc
    }
}

/// Compiles and runs cases as one program. Those that do not compile are left out of a second one.
fn run(
    libraries: &Libraries,
    folder: &Path,
    mut cases: Vec<(Case, Conversion)>,
    results: &mut BTreeMap<String, String>,
) {
    fs::create_dir_all(folder).expect("a folder");
    let (source, program) = (folder.join("main.rs"), folder.join("cases"));
    loop {
        let mut text =
            "#![allow(dead_code, unused_imports, unused_variables, clippy::all)]\nmod runtime {\n"
                .to_owned();
        text += include_str!("runtime.rs").split_once("\n\n").expect("a comment").1;
        text += "}\n";
        let mut main = "fn main() {\nstd::panic::set_hook(Box::new(|_| ()));\n".to_owned();
        let mut lines = Vec::new();
        for (case, conversion) in &cases {
            let first = text.lines().count() + 1;
            text += &case.module(conversion);
            lines.push(first..text.lines().count() + 1);
            let (relative, absolute) = (&case.about["rtol"], &case.about["atol"]);
            writeln!(
                main,
                "runtime::run({0:?}, {1:?}, {relative}, {absolute}, {0}::case);",
                case.name,
                case.folder.to_str().expect("a path")
            )
            .expect("text");
        }
        text += &main;
        text += "}\n";
        let is_same = fs::read_to_string(&source).is_ok_and(|old| old == text) && program.exists();
        if !is_same {
            let _ = fs::remove_file(&program);
            fs::write(&source, &text).expect("a file");
            let mut rustc = libraries.rustc();
            rustc.args(["--error-format", "json", "-C", "debuginfo=0"]);
            let output = rustc.arg(&source).arg("-o").arg(&program).output().expect("rustc starts");
            if !output.status.success() {
                let mut failed: BTreeMap<usize, String> = BTreeMap::new();
                for line in String::from_utf8_lossy(&output.stderr).lines() {
                    let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else {
                        continue;
                    };
                    let spans = message["spans"].as_array().cloned().unwrap_or_default();
                    let at = spans.iter().filter_map(|span| span["line_start"].as_u64());
                    let case = at.filter_map(|line| {
                        lines.iter().position(|range| range.contains(&(line as usize)))
                    });
                    let mut case = case;
                    if let (Some(case), Some("error")) =
                        (case.next_back(), message["level"].as_str())
                    {
                        let rendered = message["rendered"].as_str().unwrap_or_default().to_owned();
                        failed.entry(case).or_insert(rendered);
                    }
                }
                let all = String::from_utf8_lossy(&output.stderr);
                assert!(!failed.is_empty(), "{}", &all[..all.len().min(2000)]);
                for (&case, message) in failed.iter().rev() {
                    let (case, _) = cases.remove(case);
                    fs::write(folder.join(format!("{}.txt", case.name)), message).expect("a file");
                    let first = message.lines().next().unwrap_or_default();
                    results.insert(case.name, format!("does not compile: {first}"));
                }
                continue;
            }
        }
        let output = Command::new(&program).output().expect("the program starts");
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let (name, result) = line.split_once(": ").expect("a name");
            results.insert(name.to_owned(), result.to_owned());
        }
        for (case, _) in cases {
            results.entry(case.name).or_insert_with(|| format!("crashed: {}", output.status));
        }
        return;
    }
}

/// The cases that do not pass, with the reason of each, by name.
fn table() -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/onnx/cases.txt");
    let text = fs::read_to_string(path).expect("the table");
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.map(|row| row.split_once(": ").expect("a name and a reason"))
        .map(|(name, reason)| (name.to_owned(), reason.to_owned()))
        .collect()
}

#[test]
fn cases_of_onnx() {
    let Some(folder) = std::env::var_os("ONNX_CASES") else {
        println!("skipped: ONNX_CASES is not set; `.ci/run onnx` sets it");
        return;
    };
    let results = results(Path::new(&folder));
    let passed = results.values().filter(|result| *result == "passed").count();
    println!("{passed} of {} cases pass", results.len());
    let mut found = String::new();
    for (name, result) in results.iter().filter(|(_, result)| *result != "passed") {
        writeln!(found, "{name}: {result}").expect("text");
    }
    let out = compiler::folder("onnx").join("cases.txt");
    fs::write(&out, found).expect("a file");
    let table = table();
    let mut wrong = String::new();
    for (name, result) in &results {
        let wanted = table.get(name).map_or("passed", |reason| reason);
        let is_same = if wanted.starts_with("differs: ") {
            result.starts_with("output ")
        } else {
            wanted == result
        };
        if !is_same {
            writeln!(wrong, "{name}: {result}, but the table has: {wanted}").expect("text");
        }
    }
    let out = out.display();
    assert!(
        wrong.is_empty(),
        "tests/onnx/cases.txt does not have what the cases gave, which is in {out}:\n{wrong}"
    );
}
