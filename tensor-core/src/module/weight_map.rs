//! [`WeightMap`]: from the names and layouts of a file to those of a model, and back.

use std::sync::Arc;

use self::pattern::Pattern;
use self::rules::{Piece, Rule};

mod apply;
mod pattern;
mod plan;
mod rules;
mod weight;

pub use plan::WeightPlan;

/// How the names and layouts of a file become those of a model: a list of rules, applied in the order in which
/// they are written, each to the names that the one before it has made. [`save`](Self::save) goes the other way.
///
/// ```
/// use tensor_core::module::{Module, WeightMap};
/// use tensor_core::{Tensor, shape};
///
/// #[derive(Module)]
/// struct Attention {
///     q: Tensor<shape![8, 8]>,
///     k: Tensor<shape![8, 8]>,
///     v: Tensor<shape![8, 8]>,
/// }
///
/// #[derive(Module)]
/// struct Model {
///     words: Tensor<shape![100, 8]>,
///     blocks: [Attention; 2],
/// }
///
/// fn weights() -> WeightMap {
///     WeightMap::new()
///         .prefix("transformer.")
///         .ignore("h.{i}.attn.bias")
///         .rename("wte.weight", "words")
///         .split("h.{i}.attn.c_attn.weight", ["blocks.{i}.q", "blocks.{i}.k", "blocks.{i}.v"], -1)
/// }
/// # use tensor_core::io::Checkpoint;
/// # let path = std::env::temp_dir().join("tensor-core-doc-weight-map.safetensors");
/// # let (words, fused) = (Tensor::<shape![100, 8]>::ones(), Tensor::<shape![8, 24]>::ones());
/// # let mask = Tensor::<shape![1]>::ones();
/// # Checkpoint::save(&path, &[
/// #     ("transformer.wte.weight", &words),
/// #     ("transformer.h.0.attn.c_attn.weight", &fused),
/// #     ("transformer.h.0.attn.bias", &mask),
/// #     ("transformer.h.1.attn.c_attn.weight", &fused),
/// # ])?;
///
/// println!("{}", weights().plan::<Model>(&path)?);
/// let model: Model = weights().open(&path)?;
/// weights().save(&model, &path)?;
/// # assert_eq!(Checkpoint::open(&path)?.names(), [
/// #     "transformer.h.0.attn.c_attn.weight",
/// #     "transformer.h.1.attn.c_attn.weight",
/// #     "transformer.wte.weight",
/// # ]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A pattern is a name, or the beginning of one that ends before a dot: `pooler` matches `pooler.dense.weight` as
/// well. `{i}` matches one or more characters without a dot, `*` one or more characters; both match as few as
/// possible.
///
/// A tensor that no rule mentions has the same name in the file and in the model. Every tensor of the model must
/// be in the file, and every tensor of the file in the model, with the same element type and shape: each intended
/// difference is a rule.
#[derive(Clone, Default)]
pub struct WeightMap {
    rules: Vec<Rule>,
    keep: Vec<Pattern>,
}

/// # Names
impl WeightMap {
    /// A map without rules: names and layouts of the file are those of the model.
    ///
    /// ```
    /// use tensor_core::module::{Module, WeightMap};
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-weight-map-new.safetensors");
    /// (tensor![1.0, 2.0], tensor![3.0]).save(&path)?;
    /// let model: (Tensor<shape![2], f64>, Tensor<shape![1], f64>) = WeightMap::new().open(&path)?;
    /// assert_eq!(model.1, tensor![3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives tensors other names: those that match `from`, a pattern of the file, take the name `to`, with the
    /// same placeholders.
    ///
    /// # Panics
    ///
    /// If a placeholder is in one of them alone.
    ///
    /// ```
    /// use tensor_core::module::{Module, WeightMap};
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-rename.safetensors");
    /// (tensor![1.0], tensor![2.0]).save(&path)?;
    ///
    /// #[derive(Module)]
    /// struct Model {
    ///     blocks: [Tensor<shape![1], f64>; 2],
    /// }
    ///
    /// let model: Model = WeightMap::new().rename("{i}", "blocks.{i}").open(&path)?;
    /// assert_eq!(model.blocks[1], tensor![2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn rename(self, from: &str, to: &str) -> Self {
        let from = Pattern::new(from);
        let to = Pattern::new(to).with_the_placeholders_of(&from);
        self.with(Rule::Rename { from, to })
    }

    /// Renames the tensors of the file by a function. A map with such a rule does not save:
    /// [`rename_with_inverse`](Self::rename_with_inverse) has both functions.
    ///
    /// ```
    /// use tensor_core::module::{Module, WeightMap};
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-rename-with.safetensors");
    /// (tensor![1.0], tensor![2.0]).save(&path)?;
    ///
    /// // Layers counted from the last one.
    /// let reversed = WeightMap::new().rename_with(|name| (1 - name.parse::<i32>().unwrap()).to_string());
    /// let model: [Tensor<shape![1], f64>; 2] = reversed.open(&path)?;
    /// assert_eq!(model, [tensor![2.0], tensor![1.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rename_with(self, read: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        self.with(Rule::RenameWith { read: Arc::new(read), write: None })
    }

    /// [`rename_with`](Self::rename_with), with the function that makes names of the file of those of the model.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::module::WeightMap;
    /// use tensor_core::tensor;
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-rename-both.safetensors");
    /// let capitals = WeightMap::new().rename_with_inverse(str::to_lowercase, str::to_uppercase);
    /// capitals.rename("w.{i}", "{i}").save(&(tensor![1.0], tensor![2.0]), &path)?;
    /// assert_eq!(Checkpoint::open(&path)?.names(), ["W.0", "W.1"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rename_with_inverse(
        self,
        read: impl Fn(&str) -> String + Send + Sync + 'static,
        write: impl Fn(&str) -> String + Send + Sync + 'static,
    ) -> Self {
        self.with(Rule::RenameWith { read: Arc::new(read), write: Some(Arc::new(write)) })
    }

    /// Removes a prefix from all names of the file: `bert.`, `module.`, `state_dict.`. A tensor whose name does
    /// not begin with it is left over, unless it is [ignored](Self::ignore).
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::module::WeightMap;
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-prefix.safetensors");
    /// Checkpoint::save(&path, &[("model.0", &tensor![1.0]), ("step", &tensor![7])])?;
    /// let map = WeightMap::new().prefix("model.").ignore("step");
    /// let model: (Tensor<shape![1], f64>,) = map.open(&path)?;
    /// assert_eq!(model.0, tensor![1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn prefix(self, prefix: &str) -> Self {
        self.with(Rule::Prefix(prefix.to_owned()))
    }

    /// Leaves out tensors of the file that match a pattern. They are not written by [`save`](Self::save).
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::module::WeightMap;
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-ignore.safetensors");
    /// Checkpoint::save(&path, &[("0", &tensor![1.0]), ("pooler.dense.weight", &tensor![7.0])])?;
    /// let model: (Tensor<shape![1], f64>,) = WeightMap::new().ignore("pooler").open(&path)?;
    /// assert_eq!(model.0, tensor![1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn ignore(self, pattern: &str) -> Self {
        self.with(Rule::Ignore(Pattern::new(pattern)))
    }

    /// Leaves tensors of the model as they are if the file does not have them: a new head on a trained body. The
    /// pattern is one of the names in the model. [`open`](Self::open) has nothing to keep, and reports them as
    /// missing.
    ///
    /// ```
    /// use tensor_core::module::{Module, WeightMap};
    /// use tensor_core::tensor;
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-keep.safetensors");
    /// (tensor![1.0],).save(&path)?;
    /// let mut model = (tensor![0.0], tensor![0.5]);
    /// WeightMap::new().keep("1").load(&mut model, &path)?;
    /// assert_eq!(model, (tensor![1.0], tensor![0.5]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[track_caller]
    #[doc(alias = "strict")]
    pub fn keep(mut self, pattern: &str) -> Self {
        self.keep.push(Pattern::new(pattern));
        self
    }

    /// One tensor under two names: `tie("lm_head.weight", "wte.weight")`. A file that has the second alone fills
    /// both in the model, which share the elements, converted or transposed ones as well; a file that has both fills
    /// a model with the second alone, if the two are equal. [`save`](Self::save) writes both, and refuses two that
    /// differ.
    ///
    /// Two fields of a model are two parameters, which training updates independently. For weights that stay tied,
    /// as one `Parameter` of PyTorch that is used twice, write one field.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::module::WeightMap;
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-tie.safetensors");
    /// Checkpoint::save(&path, &[("0", &tensor![1.0])])?;
    /// let map = WeightMap::new().tie("1", "0");
    /// let both: [Tensor<shape![1], f64>; 2] = map.open(&path)?;
    /// assert_eq!(both[1], tensor![1.0]);
    ///
    /// map.save(&(tensor![2.0],), &path)?;
    /// assert_eq!(Checkpoint::open(&path)?.names(), ["0", "1"]);
    /// let one: (Tensor<shape![1], f64>,) = map.open(&path)?;
    /// assert_eq!(one.0, tensor![2.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tie(self, name: &str, to: &str) -> Self {
        self.with(Rule::Tie { name: name.to_owned(), to: to.to_owned() })
    }

    fn with(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }
}

/// # Elements and layouts
impl WeightMap {
    /// Converts the elements of tensors that match a pattern to the type that the model has: between floats,
    /// rounded to the nearest, and between integers, which must have the same value. [`save`](Self::save) writes
    /// the type of the model.
    ///
    /// ```
    /// use tensor_core::module::{Module, WeightMap};
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-convert.safetensors");
    /// (tensor![0.1], tensor![3_i64]).save(&path)?;
    /// let model: (Tensor<shape![1]>, Tensor<shape![1], u8>) = WeightMap::new().convert("*").open(&path)?;
    /// assert_eq!(model, (tensor![0.1_f32], tensor![3_u8]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[track_caller]
    #[doc(alias = "dtype")]
    pub fn convert(self, pattern: &str) -> Self {
        self.with(Rule::Convert(Pattern::new(pattern)))
    }

    /// Swaps the last two axes of tensors that match a pattern, `[.., m, n] → [.., n, m]`: weights of Hugging
    /// Face's `Conv1D` are stored as `[in, out]`, those of PyTorch's `Linear` as `[out, in]`. One pattern covers all
    /// of a kind: `*.c_proj.weight`, or `*.kernel` of files of JAX. A square weight loads without the rule as well:
    /// [`plan`](Self::plan) marks one that is not transposed while others of the file are.
    ///
    /// ```
    /// use tensor_core::module::{Module, WeightMap};
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-transpose.safetensors");
    /// (tensor![[1.0, 2.0, 3.0]],).save(&path)?;
    /// let model: (Tensor<shape![3, 1], f64>,) = WeightMap::new().transpose("0").open(&path)?;
    /// assert_eq!(model.0, tensor![[1.0], [2.0], [3.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn transpose(self, pattern: &str) -> Self {
        self.with(Rule::Transpose(Pattern::new(pattern)))
    }

    /// Regroups axis 0 of tensors that match a pattern, from `[outer · inner · n, ..rest]` to
    /// `[inner · outer · n, ..rest]`: the rows of a fused projection for each head, as in GPT-NeoX's and BLOOM's
    /// `query_key_value`, `[heads, 3]`, become all queries, all keys and all values, as in PyTorch's
    /// `in_proj_weight`.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::module::{Module, WeightMap};
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// #[derive(Module)]
    /// struct Attention {
    ///     in_proj_bias: Tensor<shape![6]>,
    /// }
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-regroup.safetensors");
    /// // Two heads of one channel: q, k, v of the first, then of the second.
    /// let bias = tensor![1.0_f32, 2.0, 3.0, 10.0, 20.0, 30.0];
    /// Checkpoint::save(&path, &[("query_key_value.bias", &bias)])?;
    /// let map = WeightMap::new()
    ///     .regroup("query_key_value", [2, 3])
    ///     .rename("query_key_value.bias", "in_proj_bias");
    /// let model: Attention = map.open(&path)?;
    /// assert_eq!(model.in_proj_bias, tensor![1.0, 10.0, 2.0, 20.0, 3.0, 30.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[track_caller]
    #[doc(alias = "query_key_value")]
    pub fn regroup(self, pattern: &str, groups: [usize; 2]) -> Self {
        self.with(Rule::Regroup { pattern: Pattern::new(pattern), groups })
    }

    /// Splits a fused tensor of the file into tensors of the model, along an axis. A part is a name, for parts of
    /// one size, or a name and its size along the axis.
    ///
    /// # Panics
    ///
    /// If there are no parts, or if a placeholder is not in all patterns.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::module::{Module, WeightMap};
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// #[derive(Module)]
    /// struct Attention {
    ///     q: Tensor<shape![4], f64>,
    ///     k: Tensor<shape![1], f64>,
    /// }
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-split.safetensors");
    /// Checkpoint::save(&path, &[("qk", &tensor![1.0, 2.0, 3.0, 4.0, 5.0])])?;
    /// let model: Attention = WeightMap::new().split("qk", [("q", 4), ("k", 1)], 0).open(&path)?;
    /// assert_eq!(model.k, tensor![5.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[track_caller]
    #[doc(alias = "in_proj_weight")]
    #[doc(alias = "c_attn")]
    pub fn split<P: FusedPart>(
        self,
        whole: &str,
        parts: impl IntoIterator<Item = P>,
        axis: isize,
    ) -> Self {
        let whole = Pattern::new(whole);
        let parts = pieces(parts, &whole);
        self.with(Rule::Split { whole, parts, axis })
    }

    /// Concatenates tensors of the file along an axis, into one of the model: the queries, keys and values of
    /// Hugging Face's BERT for PyTorch's `in_proj_weight`. A part is a name, for parts of one size, or a name and
    /// its size along the axis. Tensors that are ignored or do not have the prefix are not parts; two tensors
    /// with the name of one part are an error.
    ///
    /// # Panics
    ///
    /// If there are no parts, or if a placeholder is not in all patterns.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::module::{Module, WeightMap};
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// #[derive(Module)]
    /// struct Attention {
    ///     in_proj_weight: Tensor<shape![3, 1], f64>,
    /// }
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-join.safetensors");
    /// let (q, k, v) = (tensor![[1.0]], tensor![[2.0]], tensor![[3.0]]);
    /// Checkpoint::save(&path, &[("q.weight", &q), ("k.weight", &k), ("v.weight", &v)])?;
    /// let map = WeightMap::new().join(["q.weight", "k.weight", "v.weight"], "in_proj_weight", 0);
    /// let model: Attention = map.open(&path)?;
    /// assert_eq!(model.in_proj_weight, tensor![[1.0], [2.0], [3.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[track_caller]
    #[doc(alias = "in_proj_weight")]
    pub fn join<P: FusedPart>(
        self,
        parts: impl IntoIterator<Item = P>,
        whole: &str,
        axis: isize,
    ) -> Self {
        let whole = Pattern::new(whole);
        let parts = pieces(parts, &whole);
        self.with(Rule::Join { parts, whole, axis })
    }
}

/// A part of a fused tensor: its name, or its name and its size along the axis.
///
/// ```
/// use tensor_core::module::WeightMap;
///
/// let equal = WeightMap::new().split("qkv", ["q", "k", "v"], 0);
/// let grouped = WeightMap::new().split("qkv", [("q", 4096), ("k", 1024), ("v", 1024)], 0);
/// # let _ = (equal, grouped);
/// ```
pub trait FusedPart: sealed::Part {}

impl FusedPart for &str {}

impl FusedPart for (&str, usize) {}

mod sealed {
    pub trait Part {
        fn name_and_size(&self) -> (&str, Option<usize>);
    }

    impl Part for &str {
        fn name_and_size(&self) -> (&str, Option<usize>) {
            (self, None)
        }
    }

    impl Part for (&str, usize) {
        fn name_and_size(&self) -> (&str, Option<usize>) {
            (self.0, Some(self.1))
        }
    }
}

#[track_caller]
fn pieces<P: FusedPart>(parts: impl IntoIterator<Item = P>, whole: &Pattern) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for part in parts {
        let (name, size) = part.name_and_size();
        pieces.push(Piece { pattern: Pattern::new(name).with_the_placeholders_of(whole), size });
    }
    assert!(!pieces.is_empty(), "`{whole}` has no parts");
    pieces
}
