//! Where expansions find `tensor-core`.

use super::{spelled, tokens};
use crate::root::{names, within_tensor_nn};

#[test]
fn a_manifest_names_its_dependencies() {
    for manifest in [
        "[dependencies]\ntensor-core = \"0.1\"",
        "[dependencies]\n\"tensor-core\" = { path = \"..\" }",
        "[dependencies]\ntensor-core.workspace = true",
        "[target.'cfg(unix)'.dependencies.tensor-core]\nversion = \"0.1\"",
        "[package]\nname = \"tensor-core\"",
        "[dependencies.tensors]\npackage = \"tensor-core\"",
    ] {
        assert!(names(manifest, "tensor-core"), "{manifest}");
        assert!(!names(manifest, "tensor-nn"), "{manifest}");
    }
    for manifest in [
        "",
        "[package]\ndescription = \"a model with tensor-core\"",
        "# tensor-core = \"0.1\"",
        "[dependencies]\ntensor-core-extra = \"0.1\"\ntensor-nn = \"0.1\"",
    ] {
        assert!(!names(manifest, "tensor-core"), "{manifest}");
    }
}

#[test]
fn paths_lead_through_the_one_dependency() {
    let found = within_tensor_nn(tokens(
        "impl ::tensor_core::Module for A { const B: C<::tensor_core::Dim::<3>> = ::tensor_core::d(e); }",
    ));
    let expected = "impl ::tensor_nn::tensor_core::Module for A { const B: \
        C<::tensor_nn::tensor_core::Dim::<3>> = ::tensor_nn::tensor_core::d(e); }";
    assert_eq!(spelled(found), spelled(tokens(expected)));
    for same in ["a::tensor_core::b", "let tensor_core = 1;", "tensor_core::shape![3]"] {
        assert_eq!(spelled(within_tensor_nn(tokens(same))), spelled(tokens(same)));
    }
}
