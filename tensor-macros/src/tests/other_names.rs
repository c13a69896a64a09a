//! What the messages about names of other libraries say.

use crate::other_names::{Message, names};

const CHAPTER: &str = "\
| Array API | here | PyTorch | ndarray |
| --- | --- | --- | --- |
| `abs`, `negative` | `x.abs()`, `-&x` | `abs`, `neg` | `abs`, `-` |
| `bitwise_or` | `&a \\| &b` | `bitwise_or` | the operators |
| `where`, `take` | `select(&mask, &a, &b)`, `x.take::<0, _>(&i)` | `where`, `index_select` | `mapv` |
| `svd` | – decompositions are elsewhere | `linalg.svd` | `mapv` |

| PyTorch | here |
| --- | --- |
| `fmax`, `fmin` | `zip_with(&a, &b, f32::max)`, which ignores NaN |
| `F.glu`, `nn.init.zeros_`, `Tensor.T` | the layer `Glu` |

Text with a | and `code`.
";

#[test]
fn messages_are_the_rows_of_the_chapter() {
    let names = names(CHAPTER);
    let message = |name: &str| {
        let Message { sentence, label } = &names[name];
        (sentence.as_str(), label.as_str())
    };
    assert_eq!(message("neg"), ("PyTorch's `neg` is `-&x`", "write `-&x`"));
    assert_eq!(message("negative"), ("NumPy's `negative` is `-&x`", "write `-&x`"));
    assert_eq!(message("bitwise_or"), ("NumPy's `bitwise_or` is `&a | &b`", "write `&a | &b`"));
    assert_eq!(message("index_select").0, "PyTorch's `index_select` is `x.take::<0, _>(&i)`");
    let svd = (
        "NumPy's `svd` has no counterpart here: decompositions are elsewhere",
        "not a method of tensors",
    );
    assert_eq!(message("svd"), svd);
    assert_eq!(
        message("fmin"),
        (
            "PyTorch's `fmin` is `zip_with(&a, &b, f32::max)`, which ignores NaN",
            "write `zip_with(&a, &b, f32::max)`"
        )
    );
    assert_eq!(message("glu"), ("PyTorch's `glu` is the layer `Glu`", "not a method of tensors"));
    // Names of methods here, keywords, functions, and names of several rows.
    for name in ["abs", "take", "where", "zeros_", "T", "mapv", "code"] {
        assert!(!names.contains_key(name), "{name}");
    }
}
