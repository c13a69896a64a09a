//! A generated file compiles; with one number changed, it does not.

use std::fs;

use tensor_onnx::{Options, convert};

use crate::{Libraries, compiler, encoder};

/// What rustc says of the source; empty if it compiles.
fn errors(libraries: &Libraries, name: &str, source: &str) -> String {
    let folder = compiler::folder("onnx_wrong");
    let path = folder.join(format!("{name}.rs"));
    fs::write(&path, source).expect("a file");
    let mut rustc = libraries.rustc();
    rustc.args(["--crate-type", "lib", "--emit", "metadata", "--out-dir"]).arg(&folder).arg(&path);
    String::from_utf8(rustc.output().expect("rustc starts").stderr).expect("text")
}

#[test]
fn a_wrong_number_does_not_compile() {
    let libraries = Libraries::new();
    let source = |model: &[u8]| {
        convert(model, None, &Options::default()).expect("a conversion").source().to_owned()
    };
    let (mlp, attention) = (source(&encoder::mlp()), source(&encoder::attention()));
    for (name, text) in [("mlp", &mlp), ("attention", &attention)] {
        let errors = errors(&libraries, name, text);
        assert!(errors.is_empty(), "{errors}\n{text}");
    }
    for (name, text, from, to, message) in [
        (
            "hidden",
            &mlp,
            "pub weight: Tensor<shape![3, 16]>",
            "pub weight: Tensor<shape![3, 15]>",
            "error[E0308]: mismatched types",
        ),
        (
            "weight",
            &attention,
            "pub weight: Tensor<shape![8, 8]>",
            "pub weight: Tensor<shape![7, 8]>",
            "error[E0277]: cannot contract: the last axis of the left side is `Dim<8>`",
        ),
        (
            "bias",
            &attention,
            "pub bias: Tensor<shape![8]>",
            "pub bias: Tensor<shape![7]>",
            "error[E0277]: cannot broadcast an axis of size `Dim<7>` with one of size `Dim<8>`",
        ),
        (
            "order",
            &attention,
            "axes![0, 2, 1, 3]",
            "axes![0, 2, 3, 1]",
            "error[E0308]: mismatched types",
        ),
    ] {
        let changed = text.replacen(from, to, 1);
        assert!(changed != *text, "{from} is not in\n{text}");
        let errors = errors(&libraries, name, &changed);
        assert!(errors.contains(message), "{errors}\n{changed}");
    }
}
