//! Generated files, compiled by rustc without cargo, and run.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use tensor_embed::RustFile;

/// The files that are compiled at once.
const BATCH: usize = 100;

pub fn rustc() -> Command {
    let mut command = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["--edition", "2024"]);
    command
}

pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("embedded").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The types of the parameters of the generated function, without that of the workspace.
pub fn parameters(text: &str) -> Vec<String> {
    let (_, rest) = text.split_once("pub fn run(").expect("the function");
    let (list, _) = rest.split_once(") {").expect("its end");
    let types = list.split(',').filter_map(|part| part.split_once(": "));
    types.map(|(_, ty)| ty.to_owned()).filter(|ty| !ty.ends_with("Workspace")).collect()
}

/// The statements that call the function of a module with the inputs of a folder, `repeated` times.
fn call(module: &str, text: &str, folder: &Path, repeated: usize) -> String {
    let (mut before, mut after, mut arguments) = (String::new(), String::new(), String::new());
    let (mut inputs, mut outputs) = (0, 0);
    for ty in parameters(text) {
        if ty.starts_with("&mut") {
            let _ = write!(before, "let mut o{outputs} = zeros();\n    ");
            let _ = write!(after, "write(&folder.join(\"out.{outputs}\"), &*o{outputs});\n    ");
            let _ = write!(arguments, "&mut o{outputs}, ");
            outputs += 1;
        } else {
            let _ = write!(before, "let i{inputs} = read(&folder.join(\"in.{inputs}\"));\n    ");
            let _ = write!(arguments, "&i{inputs}, ");
            inputs += 1;
        }
    }
    format!(
        "{{
    let folder = Path::new({folder:?});
    {before}let mut workspace = Box::new({module}::Workspace::new());
    assert_eq!(size_of_val(&*workspace), {module}::PEAK_BYTES);
    let mut best = u128::MAX;
    for _ in 0..{repeated} {{
        let start = std::time::Instant::now();
        {module}::run({arguments}&mut workspace);
        best = best.min(start.elapsed().as_nanos());
    }}
    println!(\"{{best}}\");
    {after}
}}
"
    )
}

/// The bytes of the outputs of each file for these inputs, and the least time of a call in nanoseconds.
pub fn run(
    name: &str,
    files: &[(RustFile, Vec<Vec<u8>>)],
    options: &[&str],
    repeated: usize,
) -> Vec<(Vec<Vec<u8>>, u128)> {
    let folder = folder(name);
    let mut results = Vec::new();
    for (batch, files) in files.chunks(BATCH).enumerate() {
        let mut program = include_str!("harness.rs").to_owned();
        let mut body = String::new();
        let of = |number: usize| folder.join(format!("{batch}_{number}"));
        for (number, (file, inputs)) in files.iter().enumerate() {
            let folder = of(number);
            fs::create_dir_all(&folder).expect("a folder");
            file.save(folder.join("model.rs")).expect("a file");
            for (input, bytes) in inputs.iter().enumerate() {
                fs::write(folder.join(format!("in.{input}")), bytes).expect("a file");
            }
            let path = folder.join("model.rs");
            let _ = writeln!(program, "#[deny(warnings)]\n#[path = {path:?}]\nmod model_{number};");
            body += &call(&format!("model_{number}"), file.text(), &folder, repeated);
        }
        let main = folder.join(format!("main_{batch}.rs"));
        let binary = main.with_extension(env::consts::EXE_EXTENSION);
        fs::write(&main, format!("{program}\nfn main() {{\n{body}}}\n")).expect("a file");
        let compiled = rustc().args(options).arg("-o").arg(&binary).arg(&main).output();
        let compiled = compiled.expect("rustc starts");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let ran = Command::new(&binary).output().expect("the program starts");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let times = String::from_utf8(ran.stdout).expect("text");
        for (number, time) in times.lines().enumerate() {
            let read = |output: usize| fs::read(of(number).join(format!("out.{output}"))).ok();
            let outputs = (0..).map_while(read).collect();
            results.push((outputs, time.parse().expect("a number")));
        }
    }
    results
}
