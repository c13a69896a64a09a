//! Plugins are found, and state what they are.

use std::path::Path;
use std::process::Command;

use tensor_xla::{Code, Engine, Error, GET_PLUGIN, Options};

use crate::{buffer, compile, eight_devices, engine, message};

#[test]
fn a_plugin_lists_its_versions_and_devices() {
    let Some(engine) = engine() else { return };
    assert!(["cpu", "cuda"].contains(&engine.platform()), "{engine:?}");
    assert_eq!(engine.pjrt_version().0, 0);
    let ids: Vec<i32> = engine.devices().iter().map(|device| device.id()).collect();
    let count = if engine.platform() == "cpu" { 8 } else { ids.len() as i32 };
    assert_eq!(ids, (0..count).collect::<Vec<i32>>());
    let version = engine.attributes().iter().find(|(name, _)| name == "stablehlo_current_version");
    let (_, version) = version.expect("the newest version of StableHLO");
    assert!(version.starts_with("1."), "{version}");
}

/// A plugin is initialised once, and clients are independent of each other.
#[test]
fn a_plugin_has_several_engines() {
    let Some(first) = eight_devices() else { return };
    let second = Engine::find_with(&Options::new().cpu_devices(2)).unwrap();
    assert_eq!((first.devices().len(), second.devices().len()), (8, 2));
}

#[test]
fn what_is_not_a_plugin_is_refused() {
    let library = std::env::current_exe().unwrap();
    // SAFETY: the system loads no program as a library, and there is no other file.
    let load = |path: &Path| unsafe { Engine::load(path) };
    let error = load(&library).expect_err("this program");
    assert!(matches!(error, Error::Library { .. }), "{error}");
    // The system states why, such as "cannot dynamically load position-independent executable".
    assert!(error.to_string().matches(": ").count() >= 2, "{error}");
    let missing = message(load(Path::new("missing.so")));
    assert!(missing.starts_with("missing.so: "), "{missing}");
}

#[test]
fn an_unknown_option_is_no_crash() {
    if engine().is_none() {
        return;
    }
    if let Err(error) = Engine::find_with(&Options::new().with("no such option", 1)) {
        assert!(matches!(error, Error::Plugin { code: Code::InvalidArgument, .. }), "{error}");
    }
}

#[test]
fn the_error_without_a_plugin_has_the_command_that_gets_one() {
    let error = Error::NoPlugin { tried: vec!["a.so: it is too old".to_owned()] }.to_string();
    let lines: Vec<&str> = error.lines().collect();
    assert!(lines[0].ends_with(GET_PLUGIN), "{error}");
    assert_eq!(lines[1], "  a.so: it is too old");
    // CI installs the version that the command names.
    let pinned = include_str!("../plugins.txt");
    let package = GET_PLUGIN.split_whitespace().find(|word| word.contains("==")).unwrap();
    assert!(pinned.contains(package), "{package} is not in plugins.txt");
}

/// What [`Engine::find`] prints in a process whose variables are only these.
fn found_with(test: &str, variables: &[(&str, &str)]) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env_clear()
        .envs(variables.iter().copied())
        .env(CHILD, "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The variable that names a plugin.
const VARIABLE: &str = "TENSOR_XLA_PLUGIN";

/// Set in a process that a test starts.
const CHILD: &str = "FINDS_NO_PLUGIN";

#[test]
fn errors_name_the_variable() {
    if std::env::var_os(CHILD).is_some() {
        return println!("{}", message(Engine::find()));
    }
    let found = |path| found_with("engines::errors_name_the_variable", &[(VARIABLE, path)]);
    let empty = found("");
    assert!(
        empty.contains("no PJRT plugin found: `TENSOR_XLA_PLUGIN` is unset or empty"),
        "{empty}"
    );
    let wrong = found("missing.so");
    assert!(wrong.contains("missing.so: No such file"), "{wrong}");
    assert!(wrong.contains("(the plugin that `TENSOR_XLA_PLUGIN` names)"), "{wrong}");
}

#[test]
fn where_there_is_no_plugin_the_error_has_the_command() {
    if std::env::var_os(CHILD).is_some() {
        return println!("{}", message(Engine::find()));
    }
    // Without the variables that name a plugin or a Python environment.
    let test = "engines::where_there_is_no_plugin_the_error_has_the_command";
    let (printed, expected) =
        (found_with(test, &[]), Error::NoPlugin { tried: Vec::new() }.to_string());
    assert!(printed.contains(&expected), "{printed}");
}

/// Plugins for CPUs have no profiler; then the function is not called.
#[test]
fn a_profile_is_a_file_with_the_time_of_each_operation() {
    let Some(engine) = engine() else { return };
    let text = "func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
        %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
            : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
        return %0 : tensor<64x64xf32>
    }";
    let (program, x) = (compile(engine, text), buffer(engine, &[64, 64], &[1.0_f32; 64 * 64]));
    let folder = std::env::temp_dir().join(format!("tensor-xla-trace-{}", std::process::id()));
    let mut calls = 0;
    let profile = engine.profile(&folder, || {
        calls += 1;
        program.call([&x]).unwrap()[0].to_vec::<f32>().unwrap()
    });
    if engine.platform() == "cpu" {
        let error = profile.expect_err("a plugin without a profiler");
        assert!(matches!(error, Error::Plugin { code: Code::Unimplemented, .. }), "{error}");
        assert!(error.to_string().contains("it lacks the extension `PJRT_Profiler_Extension`"));
        assert_eq!((calls, folder.exists()), (0, false));
        return;
    }
    let (elements, profile) = profile.unwrap();
    assert_eq!((calls, elements), (1, vec![64.0; 64 * 64]));
    assert!(profile.path().metadata().unwrap().len() > 0);
    let ran = |row: &tensor_xla::OperationTime| row.runs > 0 && !row.time.is_zero();
    assert!(profile.operations().iter().any(ran), "{profile}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn threads_share_engines_buffers_and_programs() {
    fn shared<T: Send + Sync>() {}
    shared::<Engine>();
    shared::<tensor_xla::Buffer>();
    shared::<tensor_xla::Executable>();
    shared::<Error>();
}
