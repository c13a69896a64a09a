//! `cargo shapes doctor`: information that a bug report should contain.

use std::env;
use std::process::Command;
use std::thread;

use serde_json::{Map, Value, json};

use crate::diagnostic::{list, text};

/// Facts about the machine and the installation, by name, in the order in which they are printed.
pub fn report() -> Vec<(&'static str, Value)> {
    let metadata = metadata().unwrap_or_default();
    let rustc = output(&env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned()), &["-vV"]);
    let line = |name: &str| {
        let rustc = rustc.as_deref().unwrap_or_default();
        rustc
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .map_or(Value::Null, |value| value.trim().into())
    };
    vec![
        ("cargo-shapes", env!("CARGO_PKG_VERSION").into()),
        (
            "rustc",
            rustc.as_deref().and_then(|text| text.lines().next()).map_or(Value::Null, Value::from),
        ),
        ("host", line("host: ")),
        ("tensor-core", package(&metadata, "tensor-core")),
        ("tensor-nn", package(&metadata, "tensor-nn")),
        ("tensor-xla", package(&metadata, "tensor-xla")),
        ("vectors", vectors().into()),
        ("processors", thread::available_parallelism().map_or(1, usize::from).into()),
        ("RAYON_NUM_THREADS", env::var("RAYON_NUM_THREADS").map_or(Value::Null, Value::from)),
    ]
}

/// The report as one JSON object.
pub fn as_json(report: &[(&str, Value)]) -> String {
    let object: Map<String, Value> =
        report.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Value::Object(object).to_string()
}

/// The report as a table.
pub fn as_text(report: &[(&str, Value)]) -> String {
    let value = |value: &Value| match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        package @ Value::Object(_) => {
            let features: Vec<&str> =
                list(package, "features").iter().filter_map(Value::as_str).collect();
            let features = if features.is_empty() {
                String::new()
            } else {
                format!(" with {}", features.join(", "))
            };
            format!("{}{features}", text(package, "version"))
        }
        other => other.to_string(),
    };
    report.iter().map(|(name, of)| format!("{name:18} {}\n", value(of))).collect()
}

/// The instruction set that tensor-core chooses on this processor.
pub fn vectors() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq");
        match (avx2, avx512) {
            (true, true) => "AVX-512",
            (true, false) => "AVX2",
            _ => "SSE2",
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    "those of the target"
}

/// The version and the features of a package that the program in this folder uses.
fn package(metadata: &Value, name: &str) -> Value {
    let Some(package) =
        list(metadata, "packages").iter().find(|package| text(package, "name") == name)
    else {
        return Value::Null;
    };
    let nodes = list(&metadata["resolve"], "nodes");
    let node = nodes.iter().find(|node| node["id"] == package["id"]);
    json!({ "version": package["version"], "features": node.map_or(Value::Null, |node| node["features"].clone()) })
}

fn metadata() -> Option<Value> {
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    serde_json::from_str(&output(&cargo, &["metadata", "--format-version=1"])?).ok()
}

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()
}
