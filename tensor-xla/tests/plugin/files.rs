//! Compiled programs on disk.

use std::fs;
use std::path::{Path, PathBuf};

use tensor_core::tensor;
use tensor_core::trace::trace;
use tensor_xla::{Buffer, Engine, Error, Executable, Options, Signature};

use crate::{buffer, compile, eight_devices, engine, message};

const DOUBLE: &str = "func.func @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<3xf32>
    return %0 : tensor<3xf32>
}";

/// Loads a program that these tests have saved.
fn load(engine: &Engine, path: impl AsRef<Path>) -> Result<Executable, Error> {
    // SAFETY: these tests alone write the file, and where they change it, it is refused.
    unsafe { engine.load_executable(path) }
}

/// A file or a folder of one test, removed with it.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("tensor-xla-{}-{name}.xla", std::process::id())))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ =
            if self.0.is_dir() { fs::remove_dir_all(&self.0) } else { fs::remove_file(&self.0) };
    }
}

#[test]
fn a_saved_program_is_the_same_program() {
    let Some(engine) = engine() else { return };
    let file = File::new("same");
    let signature = Signature::of_text(DOUBLE).unwrap().with_names(&["x"], &["twice"]).unwrap();
    engine.compile(DOUBLE, &signature).unwrap().save(&file.0).unwrap();
    let double = load(engine, &file.0).unwrap();
    assert_eq!(double.text(), DOUBLE);
    assert_eq!(double.signature(), &signature);
    let x = buffer(engine, &[3], &[1.0_f32, 2.0, 3.0]);
    assert_eq!(double.call([&x]).unwrap()[0].to_vec::<f32>().unwrap(), [2.0, 4.0, 6.0]);
}

#[test]
fn a_saved_program_runs_on_its_mesh() {
    let Some(engine) = eight_devices() else { return };
    let file = File::new("mesh");
    let text = "module { sdy.mesh @mesh = <[\"data\"=8]>
        func.func @main(%x: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}]>})
            -> (tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) {
            %zero = stablehlo.constant dense<0.0> : tensor<f32>
            %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
                : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
            return %0 : tensor<f32>
        } }";
    compile(engine, text).save(&file.0).unwrap();
    let sum = load(engine, &file.0).unwrap();
    let tensor_type = sum.signature().inputs()[0].tensor_type();
    let x = Buffer::from_slice(engine, tensor_type, &[0.5_f32; 16]).unwrap();
    assert_eq!(sum.call([&x]).unwrap()[0].to_vec::<f32>().unwrap(), [8.0]);
    assert!(sum.operations().unwrap().contains(&"all-reduce".to_owned()));
    // An engine with fewer devices.
    let small = Engine::find_with(&Options::new().cpu_devices(4)).unwrap();
    let error = message(load(&small, &file.0));
    assert!(error.starts_with("the mesh data = 8 has 8 devices, and the engine has 4"), "{error}");
}

/// The plugin itself would read the code of another version, and crash.
#[test]
fn a_program_of_another_plugin_is_refused() {
    let Some(engine) = engine() else { return };
    let file = File::new("other");
    compile(engine, DOUBLE).save(&file.0).unwrap();
    let bytes = fs::read(&file.0).unwrap();
    let start = bytes.windows(9).position(|part| part == b"library o").unwrap();
    let mut other = bytes.clone();
    other[start + 12] ^= 1;
    fs::write(&file.0, &other).unwrap();
    let error = load(engine, &file.0).expect_err("another plugin");
    assert!(matches!(error, Error::Saved { .. }), "{error}");
    assert!(
        error.to_string().contains("it was compiled by another plugin; compile the program again"),
        "{error}"
    );

    let half = &bytes[..bytes.len() - 7];
    fs::write(&file.0, half).unwrap();
    assert!(message(load(engine, &file.0)).contains("bytes after its header, and has "));
    assert!(message(load(engine, "missing.xla")).starts_with("missing.xla: No such file"));
}

#[test]
fn a_program_is_compiled_once_and_again_when_it_changes() {
    let Some(engine) = engine() else { return };
    let file = File::new("cached");
    let x = buffer(engine, &[3], &[1.0_f32, 2.0, 3.0]);
    let run = |text: &str| {
        let signature = Signature::of_text(text).unwrap();
        // SAFETY: this test alone writes the file.
        let program = unsafe { engine.compile_cached(&file.0, text, &signature) }.unwrap();
        program.call([&x]).unwrap()[0].to_vec::<f32>().unwrap()
    };
    assert_eq!(run(DOUBLE), [2.0, 4.0, 6.0]);
    let written = fs::metadata(&file.0).unwrap().modified().unwrap();
    assert_eq!(run(DOUBLE), [2.0, 4.0, 6.0]);
    assert_eq!(fs::metadata(&file.0).unwrap().modified().unwrap(), written);
    assert_eq!(run(&DOUBLE.replace("add", "multiply")), [1.0, 4.0, 9.0]);
}

#[test]
fn an_engine_with_a_folder_loads_what_it_compiled_before() {
    let Some(engine) = engine() else { return };
    let folder = File::new("folder");
    // SAFETY: this test alone writes to the folder.
    let engine = unsafe { engine.clone().with_cache(folder.0.join("of/programs")) };
    let run = || {
        let program = trace(&(tensor![0.0_f32], tensor![0.0_f32]), |(sum, x)| (sum + x, x.sum()));
        let mut step = engine.compile_step(program, &tensor![1.0]).unwrap();
        assert_eq!(step.call(&tensor![2.0]).unwrap().item(), 2.0);
        assert_eq!(step.call(&tensor![4.0]).unwrap().item(), 4.0);
        assert_eq!(step.state().unwrap(), tensor![7.0]);
        let double = trace(&tensor![0.0_f32], |x| x * 2.0);
        assert_eq!(
            engine.compile_program(double).unwrap().call(&tensor![3.0]).unwrap(),
            tensor![6.0]
        );
    };
    let files = || {
        let files = fs::read_dir(folder.0.join("of/programs")).unwrap();
        let mut files: Vec<_> = files
            .map(|file| file.unwrap())
            .map(|file| (file.file_name(), file.metadata().unwrap().modified().unwrap()))
            .collect();
        files.sort();
        files
    };
    run();
    let written = files();
    assert_eq!(written.len(), 2, "a step and a program");
    run();
    assert_eq!(files(), written);
    // SAFETY: there is no such folder.
    let nowhere = unsafe { engine.with_cache(PathBuf::from(&written[0].0).join("\0")) };
    let error = nowhere.compile_program(trace(&tensor![0.0_f32], |x| x * 3.0)).unwrap_err();
    assert!(matches!(error, Error::Saved { .. }), "{error}");
}
