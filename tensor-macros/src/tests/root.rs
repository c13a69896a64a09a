//! Where expansions find `tensor-core`.

use super::{spelled, tokens};
use crate::root::{root_of, rooted};

/// Checks the path in a package with this manifest, in a workspace that renames both crates.
#[track_caller]
fn is_found_at(path: &str, manifest: &str) {
    let workspace = "
        [workspace.dependencies]
        shared-tensors = { version = \"0.1\", package = \"tensor-core\" }
        shared-layers.package = \"tensor-nn\"";
    let found = root_of(manifest, || workspace.to_owned()).join("::");
    assert_eq!(found, path, "{manifest}");
}

#[test]
fn tensor_core_is_a_dependency() {
    for manifest in [
        "[package]\nname = \"tensor-core\"",
        "package.name = \"tensor-core\"",
        "[dependencies]\ntensor-core = \"0.1\"",
        "[dependencies]\n\"tensor-core\" = { path = \"..\" }",
        "[dependencies]\n'tensor-core'.version = '0.1'",
        "[ dependencies . \"tensor-core\" ]\nversion = \"0.1\"",
        "[dependencies]\ntensor-core.workspace = true",
        "[dependencies]\ntensor-core = { workspace = true, features = [\"half\"] }",
        "dependencies = { tensor-core = \"0.1\" }",
        "[target.'cfg(unix)'.dependencies]\ntensor-core = \"0.1\"",
        r#"[target.'cfg(target_os = "linux")'.dependencies.tensor-core]
        version = "0.1""#,
        "[dev-dependencies]\ntensor-core = \"0.1\"",
        "[dependencies]\ntensor-core = \"0.1\"\ntensor-nn = \"0.1\"",
        "[dependencies]\ntensor-nn = \"0.1\"\n\n[dependencies.tensor-core]\nversion = \"0.1\"",
        "[dev-dependencies]\ntensor-core = \"0.1\"\ntensor-nn = \"0.1\"",
        r#"[dependencies]
        other = { version = "1", features = [
            "a", # ]
            "b",
        ] }
        tensor-core = "0.1"
        tensor-nn = "0.1""#,
        r#"[package]
        description = """
        [features]
        \""""""
        [dependencies]
        tensor-core = "0.1" # [x]
        tensor-nn = "0.1""#,
    ] {
        is_found_at("tensor_core", manifest);
    }
}

/// Mentions of `tensor-core` that are not dependencies of the package are ignored.
#[test]
fn tensor_core_is_within_tensor_nn() {
    for rest in [
        "",
        "tensor-core-extra = \"0.1\"",
        "# tensor-core = \"0.1\"",
        "[profile.dev.package.tensor-core]\nopt-level = 3",
        "[profile.dev.package]\ntensor-core.opt-level = 3",
        "[profile.dev]\npackage = { tensor-core = { opt-level = 3 } }",
        "[patch.crates-io]\ntensor-core = { path = \"..\" }",
        "[patch.crates-io.tensor-core]\npath = \"..\"",
        "[replace]\n\"tensor-core:0.1.0\" = { path = \"..\" }",
        "[workspace.dependencies]\ntensor-core = \"0.1\"",
        "[workspace.dependencies.tensor-core]\nversion = \"0.1\"",
        "[features]\ntensor-core = [\"tensor-nn/half\"]",
        "[package.metadata.tensor-core]\nname = \"tensor-core\"",
        "[package.metadata.dependencies]\ntensor-core = \"0.1\"",
        "[[bin]]\nname = \"tensor-core\"\npath = \"main.rs\"",
        "[package]\nkeywords = [\n\"\"\"\n[dependencies]\ntensor-core = 1\n\"\"\",\n'tensor-core = 1']",
        // Tests have both, and other targets have it by `tensor-nn` alone.
        "[dev-dependencies]\ntensor-core = \"0.1\"",
        "[build-dependencies]\ntensor-core = \"0.1\"",
        "tensor-core = { version = \"0.1\", optional = true }",
        "[target.'cfg(windows)'.dependencies]\ntensor-core = \"0.1\"",
    ] {
        let manifest = format!("[dependencies]\ntensor-nn = \"0.1\"\n{rest}");
        is_found_at("tensor_nn::tensor_core", &manifest);
    }
    is_found_at("tensor_nn::tensor_core", "[dependencies]\ntensor-nn.workspace = true");
}

#[test]
fn renamed_dependencies_have_their_names() {
    for (path, entries) in [
        ("my_tensors", "my-tensors = { version = \"0.1\", package = 'tensor-core' }"),
        ("nn::tensor_core", "nn = { path = \"..\", package = \"tensor-nn\" }"),
        ("shared_tensors", "shared-tensors.workspace = true"),
        ("shared_layers::tensor_core", "shared-layers = { workspace = true }"),
        ("tensor_core", "shared-other.workspace = true"),
        ("tensor_nn::tensor_core", "tensor-core.package = \"mine\"\ntensor-nn = \"0.1\""),
    ] {
        is_found_at(path, &format!("[dependencies]\n{entries}"));
    }
    is_found_at("tensors", "[dependencies.tensors]\npackage = \"tensor-core\"\nversion = \"0.1\"");
}

/// The default path, where a manifest has no such dependency, or breaks the grammar.
#[test]
fn other_manifests() {
    for manifest in [
        "",
        "[package]\ndescription = \"a model with tensor-nn\"",
        "[dependencies",
        "[dependencies]\ntensor-nn",
        "[dependencies]\ntensor-nn =",
        "[dependencies]\ntensor-nn = {",
        "a = [[[\"",
        "a = '''",
    ] {
        is_found_at("tensor_core", manifest);
    }
    let with_a_date = "since = 2026-01-02 03:04:05\r\n[dependencies]\r\ntensor-nn = '1'\r\n";
    is_found_at("tensor_nn::tensor_core", with_a_date);
}

#[test]
fn paths_lead_through_the_one_dependency() {
    let within =
        |text: &str| rooted(tokens(text), &["tensor_nn", "tensor_core"].map(str::to_owned));
    let found = within(
        "impl ::tensor_core::Module for A { const B: C<::tensor_core::Dim::<3>> = ::tensor_core::d(e); }",
    );
    let expected = "impl ::tensor_nn::tensor_core::Module for A { const B: \
        C<::tensor_nn::tensor_core::Dim::<3>> = ::tensor_nn::tensor_core::d(e); }";
    assert_eq!(spelled(found), spelled(tokens(expected)));
    for same in ["a::tensor_core::b", "let tensor_core = 1;", "tensor_core::shape![3]"] {
        assert_eq!(spelled(within(same)), spelled(tokens(same)));
    }
    let renamed = rooted(tokens("::tensor_core::Dim::<3>"), &["tensors".to_owned()]);
    assert_eq!(spelled(renamed), spelled(tokens("::tensors::Dim::<3>")));
}
