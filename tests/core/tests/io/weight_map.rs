//! `WeightMap`: each rule, the way back, and what it reports.

use std::path::PathBuf;

use proptest::prelude::*;
use tensor_core::io::Checkpoint;
use tensor_core::module::{AnyTensor, Module, WeightMap};
use tensor_core::{DynTensor, Tensor, axis, shape, tensor};

type X = Tensor<shape![2]>;

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("tensor-core-{}-map-{name}.safetensors", std::process::id()))
}

/// A checkpoint with these tensors.
fn checkpoint(tensors: &[(&str, &dyn AnyTensor)], name: &str) -> Checkpoint {
    let path = path(name);
    Checkpoint::save(&path, tensors).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    Checkpoint::from_bytes(bytes).unwrap()
}

#[track_caller]
fn problem<M: Module>(map: &WeightMap, file: &Checkpoint) -> String {
    match map.open_from::<M>(file) {
        Ok(_) => panic!("an error"),
        Err(error) => error.to_string().replace("the checkpoint does not fit:\n  ", ""),
    }
}

fn x(value: f32) -> X {
    Tensor::full(value)
}

#[test]
fn rules_apply_one_after_the_other() {
    let file = checkpoint(&[("m.a.0.w", &x(0.0)), ("m.a.1.w", &x(1.0)), ("m.b", &x(2.0))], "order");
    let map =
        WeightMap::new().prefix("m.").rename("a.{i}", "{i}").rename("{i}.w", "{i}").ignore("b");
    assert_eq!(map.open_from::<[X; 2]>(&file).unwrap(), [x(0.0), x(1.0)]);
    // The name without a prefix is left over, and is not renamed.
    let map = WeightMap::new().prefix("m.a.").rename("{i}.w", "{i}").rename("m.b", "2");
    let expected = "`m.b` f32 [2] is left over
  `.rename(\"m.b\", \"2\")` matches no tensor of the file";
    assert_eq!(problem::<[X; 2]>(&map, &file), expected);
    assert!(map.ignore("m.b").open_from::<[X; 2]>(&file).is_ok());
}

/// A tensor that is renamed and has no prefix is left over, also where the model has its name.
#[test]
fn no_tensor_is_lost_by_renaming() {
    #[derive(Debug, Module, PartialEq)]
    struct Model {
        c: X,
    }
    let file = checkpoint(&[("b", &x(0.0)), ("a.c", &x(1.0))], "lost");
    let map = WeightMap::new().rename("b", "c").prefix("a.");
    assert_eq!(problem::<Model>(&map, &file), "`b` f32 [2] is left over");
    assert!(map.plan_from::<Model>(&file).to_string().contains("LEFT OVER: b f32 [2]"));
    let ignored = WeightMap::new().prefix("a.").rename("b", "c").ignore("b");
    assert!(ignored.plan_from::<Model>(&file).to_string().contains("ignored: b\n"));
    // Maps that open a file save one with the same names.
    let file = checkpoint(&[("a.b", &x(1.0))], "back");
    for map in [
        WeightMap::new().rename("a.b", "a.c").prefix("a."),
        WeightMap::new().prefix("a.").rename("b", "c"),
        WeightMap::new().rename("a.b", "c"),
    ] {
        let model: Model = map.open_from(&file).unwrap();
        let path = path("back-saved");
        map.save(&model, &path).unwrap();
        assert_eq!(Checkpoint::open(&path).unwrap().names(), file.names());
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn rules_that_match_nothing_are_listed() {
    let file = checkpoint(&[("0", &x(0.0))], "unmatched");
    let map = WeightMap::new()
        .rename("a.{i}", "{i}")
        .prefix("m.")
        .ignore("pooler")
        .split("qk", [("q", 4), ("k", 1)], 0)
        .join(["w", "v"], "u", 0)
        .tie("x", "y");
    let plan = map.plan_from::<(X,)>(&file).to_string();
    for rule in [
        "rename(\"a.{i}\", \"{i}\")",
        "prefix(\"m.\")",
        "ignore(\"pooler\")",
        "split(\"qk\", [(\"q\", 4), (\"k\", 1)], 0)",
        "join([\"w\", \"v\"], \"u\", 0)",
        "tie(\"x\", \"y\")",
    ] {
        let line = format!("`.{rule}` matches no tensor of the file\n");
        assert!(plan.contains(&line), "{line}{plan}");
    }
    assert!(!WeightMap::new().plan_from::<(X,)>(&file).to_string().contains("matches no tensor"));
}

/// One line says what 40 would: all names have a prefix.
#[test]
fn a_prefix_of_all_names_is_found() {
    type Model = [(X, X); 10];
    let (zero, names) = (x(0.0), |prefix: &str| -> Vec<String> {
        (0..20).map(|n| format!("{prefix}{}.{}", n / 2, n % 2)).collect()
    });
    for prefix in ["module.", "_orig_mod.module."] {
        let names = names(prefix);
        let tensors: Vec<(&str, &dyn AnyTensor)> =
            names.iter().map(|name| (&name[..], &zero as &dyn AnyTensor)).collect();
        let file = checkpoint(&tensors, "prefixed");
        let expected = format!(
            "all names of the file begin with `{prefix}`: `WeightMap::new().prefix({prefix:?})` removes it"
        );
        assert_eq!(problem::<Model>(&WeightMap::new(), &file), expected);
        let error = WeightMap::new().open_from::<Model>(&file).unwrap_err();
        assert_eq!(error.mismatches().len(), 40);
        assert!(WeightMap::new().plan_from::<Model>(&file).to_string().contains(&expected));
        assert!(WeightMap::new().prefix(prefix).open_from::<Model>(&file).is_ok());
        // A model that has other names besides.
        let lines = problem::<[(X, X, X, X, X); 10]>(&WeightMap::new(), &file);
        assert!(lines.lines().count() > 40 && !lines.contains("all names"), "{lines}");
    }
}

/// What `main` prints of an error is its message.
#[test]
fn errors_are_debugged_as_messages() {
    fn check<E: std::error::Error>(error: E) {
        assert_eq!(format!("{error:?}"), error.to_string());
    }
    let file = checkpoint(&[("0", &x(0.0))], "debug");
    check(WeightMap::new().open_from::<(X, X)>(&file).unwrap_err());
    check((x(0.0), x(1.0)).load("no such file").unwrap_err());
    check(Checkpoint::open("no such file").unwrap_err());
    let array = DynTensor::full(&[2, 3], 1.0);
    check(array.reshape(&[5]).unwrap_err());
    check(array.take(0, &DynTensor::full(&[1], 9)).unwrap_err());
    check(DynTensor::einsum("ij,j->i", &[&array, &array]).unwrap_err());
    check(array.rearrange("a (b c) -> a b", &[]).unwrap_err());
    check(tensor_core::IntoTensor::into_tensor::<shape![3]>(array).unwrap_err());
    check(Tensor::<shape![2], f32>::from_vec(vec![1.0]).unwrap_err());
}

/// PyTorch reads an array of one element as a number, and files without the counts of its batch normalisations.
#[test]
fn numbers_and_counts_of_old_files() {
    #[derive(Debug, Module, PartialEq)]
    struct Norm {
        weight: X,
        num_batches_tracked: Tensor<shape![], i64>,
    }
    let path = path("old");
    let count = tensor![7_i64];
    let file = checkpoint(&[("weight", &x(2.0)), ("num_batches_tracked", &count)], "array-of-one");
    let expected = Norm { weight: x(2.0), num_batches_tracked: Tensor::scalar(7) };
    let map = WeightMap::new();
    assert_eq!(map.open_from::<Norm>(&file).unwrap(), expected);
    let plan = map.plan_from::<Norm>(&file).to_string();
    assert!(plan.contains("num_batches_tracked, its element"), "{plan}");
    let mut norm = Norm { weight: x(0.0), num_batches_tracked: Tensor::scalar(0) };
    norm.load_from(&file).unwrap();
    assert_eq!(norm, expected);
    norm.save(&path).unwrap();
    assert_eq!(Norm::open(&path).unwrap(), expected);
    std::fs::remove_file(path).unwrap();
    let file =
        checkpoint(&[("weight", &x(3.0)), ("num_batches_tracked", &tensor![1_i64, 2])], "two");
    assert_eq!(problem::<Norm>(&map, &file), "`num_batches_tracked` is i64 [2], not i64 []");
    norm.load_from(&checkpoint(&[("weight", &x(3.0))], "no-count")).unwrap();
    assert_eq!(norm, Norm { weight: x(3.0), num_batches_tracked: Tensor::scalar(7) });
}

#[test]
fn two_tensors_of_one_name_are_refused() {
    let file = checkpoint(&[("a", &x(0.0)), ("b", &x(1.0))], "twice");
    let map = WeightMap::new().rename("a", "0").rename("b", "0");
    assert_eq!(problem::<(X,)>(&map, &file), "`0`: both `a` and `b` have this name");
    let error = WeightMap::new().rename_with_inverse(str::to_owned, |_| "x".to_owned());
    let error = error.save(&(x(0.0), x(1.0)), path("twice")).unwrap_err();
    assert_eq!(error.to_string(), "two tensors have the name `x`");
}

#[test]
fn layouts_that_do_not_fit_are_reported() {
    let file = checkpoint(&[("a", &x(0.0)), ("b", &tensor![1.0_f64, 2.0, 3.0])], "layouts");
    let map = WeightMap::new().transpose("a").ignore("b");
    let transposed = "`a`: [2] has fewer than two axes: it is not transposed";
    assert!(problem::<(X,)>(&map, &file).starts_with(transposed));
    let map = WeightMap::new().ignore("a").split("b", ["0", "1"], 0);
    let split = "`b`: [3] has size 3 along axis 0, which is not 2 equal parts";
    assert!(problem::<(X, X)>(&map, &file).starts_with(split));
    let map = WeightMap::new().ignore("a").split("b", [("0", 1), ("1", 1)], 0);
    let split = "`b`: [3] has size 3 along axis 0, and its parts have [1, 1]";
    assert!(problem::<(X, X)>(&map, &file).starts_with(split));
    let map = WeightMap::new().ignore("a").split("b", ["0", "1"], 1);
    assert!(problem::<(X, X)>(&map, &file).starts_with("`b`: [3] has no axis 1"));
    for (groups, reason) in [([2, 2], "2 groups of 2"), ([0, 3], "0 groups of 3")] {
        let map = WeightMap::new().ignore("a").regroup("b", groups);
        let reason = format!("`b`: axis 0 of [3] is not {reason} equal parts");
        assert!(problem::<(X,)>(&map, &file).starts_with(&reason));
    }
    let map = WeightMap::new().join(["a", "b"], "0", 0);
    assert!(problem::<(X,)>(&map, &file).starts_with("`0`: `b` is f64 [3], not f32 [2]"));
    let map = WeightMap::new().join(["a", "c"], "0", 0).ignore("b");
    assert!(problem::<(X,)>(&map, &file).starts_with("`0`: there is no `c`"));
}

/// A part is a tensor that the rules before have kept, and the only one of its name.
#[test]
fn tensors_are_joined_only_if_each_part_is_one() {
    let file = checkpoint(
        &[("k", &x(7.0)), ("m.k", &x(2.0)), ("m.q", &x(1.0)), ("n.k", &x(8.0))],
        "parts",
    );
    type Joined = (Tensor<shape![4]>,);
    let join = |map: WeightMap| map.join(["q", "k"], "0", 0);
    let map = join(WeightMap::new().ignore("k").ignore("n").prefix("m."));
    assert_eq!(map.open_from::<Joined>(&file).unwrap().0, tensor![1.0, 1.0, 2.0, 2.0]);
    let map = join(WeightMap::new().prefix("m."));
    assert_eq!(
        problem::<Joined>(&map, &file),
        "`k` f32 [2] is left over\n  `n.k` f32 [2] is left over"
    );

    // A second tensor of the name of a part, the first one or another.
    let map =
        |from: &str, to: &str| join(WeightMap::new().ignore("k").rename(from, to).prefix("m."));
    let twice = "`0`: both `m.k` and `n.k` have the name `k`";
    assert!(problem::<Joined>(&map("n.k", "m.k"), &file).starts_with(twice));
    let twice = "`0`: both `m.q` and `n.k` have the name `q`";
    assert!(problem::<Joined>(&map("n.k", "m.q"), &file).starts_with(twice));
    let map = join(WeightMap::new().rename("m.q", "q").ignore("m").ignore("n").ignore("k"));
    let ignored = "`0`: `k` is ignored, or does not have the prefix";
    assert!(problem::<Joined>(&map, &file).starts_with(ignored));
}

/// Parts of which some alone are tied are no copy, which a model may lack.
#[test]
fn a_joined_tensor_is_a_copy_if_all_parts_are() {
    let file =
        checkpoint(&[("a", &x(1.0)), ("b", &x(2.0)), ("c", &x(1.0)), ("d", &x(2.0))], "join_tied");
    let map = WeightMap::new()
        .tie("a", "c")
        .join(["a", "b"], "whole", 0)
        .rename("c", "0")
        .rename("d", "1");
    assert_eq!(problem::<(X, X)>(&map, &file), "`a + b joined along axis 0` f32 [4] is left over");
    let map = WeightMap::new()
        .tie("a", "c")
        .tie("b", "d")
        .join(["a", "b"], "whole", 0)
        .rename("c", "0")
        .rename("d", "1");
    assert_eq!(map.open_from::<(X, X)>(&file).unwrap(), (x(1.0), x(2.0)));
    let file =
        checkpoint(&[("a", &x(1.0)), ("b", &x(9.0)), ("c", &x(1.0)), ("d", &x(2.0))], "join_tied");
    assert!(problem::<(X, X)>(&map, &file).contains("differs from"));
}

/// The queries, keys and values of two heads with two channels, from a file that has those of each head together.
#[test]
fn heads_are_regrouped() {
    let rows: Vec<f32> = [[0, 1], [10, 11], [20, 21], [2, 3], [12, 13], [22, 23]]
        .concat()
        .into_iter()
        .flat_map(|row| [row as f32, 100.0 + row as f32])
        .collect();
    let weight = DynTensor::from_vec(&[12, 2], rows).unwrap();
    let file = checkpoint(&[("qkv.weight", &weight)], "regroup");
    let parts = ["0", "1", "2"];
    let map = WeightMap::new().regroup("qkv", [2, 3]).split("qkv.weight", parts, 0);
    let rows: [Tensor<shape![4, 2]>; 3] = map.open_from(&file).unwrap();
    for (part, rows) in rows.iter().enumerate() {
        let expected: Tensor<shape![4, 2]> =
            Tensor::from_fn(|[row, column]| (10 * part + row + 100 * column) as f32);
        assert_eq!(*rows, expected);
    }
    let plan = map.plan_from::<[Tensor<shape![4, 2]>; 3]>(&file).to_string();
    let line = "0  f32  [4, 2]  qkv.weight regrouped from [2, 3] to [3, 2] [0..4 of axis 0]";
    assert!(plan.contains(&line.replacen("  f32", "      f32 ", 1)), "{plan}");
}

#[test]
fn elements_are_converted_where_a_rule_does_so() {
    let halves = tensor![1.5_f32, 65504.0].cast::<half::f16>();
    let brains = tensor![1.5_f32, 3e38].cast::<half::bf16>();
    let file = checkpoint(&[("0", &halves), ("1", &brains), ("2", &tensor![3_i64, -4])], "convert");
    type Model = (X, X, Tensor<shape![2], i8>);
    let strict =
        "`0` is f16 [2], not f32 [2]\n  `1` is bf16 [2], not f32 [2]\n  `2` is i64 [2], not i8 [2]";
    assert_eq!(problem::<Model>(&WeightMap::new(), &file), strict);
    let (a, b, c) = WeightMap::new().convert("*").open_from::<Model>(&file).unwrap();
    assert_eq!((a[[1]], b[[0]], c), (65504.0, 1.5, tensor![3_i8, -4]));
    // Between floats and integers nothing is converted.
    type Wrong = (Tensor<shape![2], i32>, X, Tensor<shape![2], u8>);
    let wrong = "`0` is f16 [2], not i32 [2]";
    assert_eq!(problem::<Wrong>(&WeightMap::new().convert("*"), &file), wrong);
    type Unsigned = (X, X, Tensor<shape![2], u8>);
    assert_eq!(problem::<Unsigned>(&WeightMap::new().convert("*"), &file), "`2`: -4 is no u8");
}

#[test]
fn a_tied_tensor_that_differs_is_reported() {
    let file = checkpoint(&[("head", &x(1.0)), ("words", &x(2.0))], "tied");
    let map = WeightMap::new().tie("head", "words").rename("words", "0");
    assert_eq!(problem::<(X,)>(&map, &file), "`head`: differs from `words`, to which it is tied");
    let same = checkpoint(&[("head", &x(2.0)), ("words", &x(2.0))], "tied");
    assert_eq!(map.open_from::<(X,)>(&same).unwrap().0, x(2.0));
}

/// Tied tensors are in memory once, whatever is done with the one in the file.
#[test]
fn tied_tensors_share_their_elements() {
    let halves = Tensor::<shape![20, 20]>::from_fn(|[row, column]| (row + 2 * column) as f32);
    let halves = halves.cast::<half::f16>();
    let file = checkpoint(&[("0", &halves), ("k", &halves)], "shared");
    let map = || WeightMap::new().convert("*");
    for map in [
        map().ignore("k").tie("1", "0"),
        map().ignore("k").transpose("0").tie("1", "0"),
        map().ignore("k").tie("1", "0").transpose("*"),
        map().join(["0", "k"], "0", 0).split("0", ["0", "rest"], 0).ignore("rest").tie("1", "0"),
    ] {
        let [a, b]: [Tensor<shape![20, 20]>; 2] = map.open_from(&file).unwrap();
        assert_eq!(a, b);
        assert_eq!(a.as_slice().unwrap().as_ptr(), b.as_slice().unwrap().as_ptr(), "{map:?}");
    }
}

/// Training makes two of what was tied.
#[test]
fn tied_tensors_that_differ_are_not_saved() {
    let path = path("apart");
    let map = WeightMap::new().rename("words", "0").tie("1", "0");
    let error = map.save(&[x(1.0), x(2.0)], &path).unwrap_err().to_string();
    assert!(error.starts_with("`1` differs from `0`, to which it is tied"), "{error}");
    assert!(!path.exists());
    map.save(&[x(1.0), x(1.0)], &path).unwrap();
    assert_eq!(map.open::<[X; 2]>(&path).unwrap(), [x(1.0), x(1.0)]);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_model_keeps_what_it_may() {
    let file = checkpoint(&[("0", &x(1.0))], "keep");
    let mut model = (x(0.0), x(5.0));
    WeightMap::new().keep("1").load_from(&mut model, &file).unwrap();
    assert_eq!(model, (x(1.0), x(5.0)));
    assert_eq!(problem::<(X, X)>(&WeightMap::new().keep("1"), &file), "`1` is missing");
    // A tensor under `keep` is loaded if the file has it.
    WeightMap::new().keep("*").load_from(&mut model, &file).unwrap();
    let error =
        WeightMap::new().rename("0", "2").keep("*").load_from(&mut model, &file).unwrap_err();
    assert!(error.to_string().ends_with("`0` f32 [2] is left over"));
}

#[test]
fn a_model_that_is_not_filled_is_as_it_was() {
    let mask = checkpoint(&[("0", &x(1.0)), ("1", &tensor![true, false])], "atomic");
    let mut model = (x(0.0), tensor![false]);
    assert!(WeightMap::new().load_from(&mut model, &mask).is_err());
    assert_eq!(model.0, x(0.0));
}

#[test]
fn a_plan_lists_everything() {
    let file = checkpoint(
        &[
            ("a.weight", &Tensor::<shape![2, 3]>::ones()),
            ("a.extra", &x(1.0)),
            ("b", &x(1.0).cast::<f64>()),
            ("c", &x(0.0)),
        ],
        "plan",
    );
    #[derive(Module)]
    struct Model {
        weight: Tensor<shape![3, 2]>,
        extras: X,
        b: X,
        d: X,
    }
    let model = Model { weight: Tensor::ones(), extras: x(0.0), b: x(0.0), d: x(0.0) };
    let map =
        WeightMap::new().rename("a.*", "*").transpose("weight").convert("b").ignore("c").keep("d");
    let plan = map.plan_for(&model, &file);
    assert_eq!(
        plan.to_string(),
        "\
model   type  shape   file
weight  f32   [3, 2]  a.weight transposed
extras  f32   [2]     MISSING; nearest: extra
b       f32   [2]     b converted to f32
d       f32   [2]     (kept)
LEFT OVER: a.extra f32 [2]; nearest: extras
ignored: c
2 of 4 tensors filled, problems: 2"
    );
    assert!(!plan.fits());
    assert!(map.rename("extra", "extras").plan_for(&model, &file).fits());
}

/// Each tensor takes the sizes of its named axes from the file alone: two may differ.
#[test]
fn a_plan_shows_the_sizes_that_the_file_has() {
    axis!(Hidden);
    axis!(Wide = 2);
    #[derive(Module)]
    struct Model {
        a: Tensor<shape![Hidden, 2]>,
        b: Tensor<shape![Wide, Hidden]>,
        c: DynTensor<f32>,
    }
    let [a, b, c] = [[3, 2], [2, 5], [1, 1]].map(|sizes| DynTensor::<f32>::ones(&sizes));
    let file = checkpoint(&[("a", &a), ("b", &b), ("c", &c)], "sizes");
    let expected = "\
model  type  shape               file
a      f32   [Hidden=3, 2]       a
b      f32   [Wide=2, Hidden=5]  b
c      f32   [1, 1]              c
3 of 3 tensors filled";
    assert_eq!(WeightMap::new().plan_from::<Model>(&file).to_string(), expected);
    // Those of an existing model are replaced.
    let model: Model = WeightMap::new().open_from(&file).unwrap();
    let c = DynTensor::ones(&[7]);
    let other = Model { a: Tensor::zeros_shaped(shape![Hidden(9), 2]), c, ..model };
    let plan = WeightMap::new().plan_for(&other, &file);
    assert_eq!(plan.to_string(), expected);
}

/// Weights stored as `[in, out]`, of which two are square, and a table that is square by chance.
fn stored_in_out(name: &str) -> Checkpoint {
    let [fc, wide] = [DynTensor::<f32>::ones(&[2, 2]), DynTensor::ones(&[2, 6])];
    let tensors: [(&str, &dyn AnyTensor); 4] =
        [("h.qkv.weight", &wide), ("h.fc.weight", &fc), ("h.proj.weight", &fc), ("h.table", &fc)];
    checkpoint(&tensors, name)
}

#[derive(Module)]
struct Weight<S: tensor_core::Shape> {
    weight: Tensor<S>,
}

#[derive(Module)]
struct InOut {
    qkv: Weight<shape![6, 2]>,
    fc: Weight<shape![2, 2]>,
    proj: Weight<shape![2, 2]>,
    table: Tensor<shape![2, 2]>,
}

#[test]
fn square_weights_are_listed_with_those_in_the_other_order() {
    let file = stored_in_out("squares");
    let map = WeightMap::new().prefix("h.");
    let square = "is f32 [2, 2], which fits in either order: transpose it too if it is stored as those above";
    assert_eq!(
        problem::<InOut>(&map, &file),
        format!(
            "`qkv.weight` is f32 [2, 6], not f32 [6, 2]: `WeightMap::transpose` swaps its axes
  `fc.weight` {square}
  `proj.weight` {square}"
        )
    );
    // One rule for all weights of a kind.
    assert!(map.transpose("*.weight").open_from::<InOut>(&file).is_ok());
    // A weight that a rule transposes wrongly says nothing about others.
    let stored = checkpoint(
        &[("a.weight", &tensor![0.0_f32; 2, 6]), ("b.weight", &tensor![0.0_f32; 2, 2])],
        "wrong",
    );
    type Pair = (Weight<shape![2, 6]>, Weight<shape![2, 2]>);
    let map = WeightMap::new().rename("a", "0").rename("b", "1").transpose("0");
    assert_eq!(problem::<Pair>(&map, &stored), "`0.weight` is f32 [6, 2], not f32 [2, 6]");
}

#[test]
fn the_plan_marks_square_weights_that_no_rule_transposes() {
    let file = stored_in_out("marks");
    let map = WeightMap::new().prefix("h.").transpose("qkv.weight").transpose("fc.weight");
    let plan = map.plan_from::<InOut>(&file);
    assert_eq!(
        plan.to_string(),
        "\
model        type  shape   file
qkv.weight   f32   [6, 2]  h.qkv.weight transposed
fc.weight    f32   [2, 2]  h.fc.weight transposed
proj.weight  f32   [2, 2]  h.proj.weight; SQUARE, NOT TRANSPOSED as others are
table        f32   [2, 2]  h.table
4 of 4 tensors filled"
    );
    assert!(plan.fits());
    let all = map.transpose("proj").plan_from::<InOut>(&file);
    assert!(!all.to_string().contains("SQUARE"));
}

#[test]
fn rules_without_a_way_back_do_not_save() {
    let map = WeightMap::new().rename_with(str::to_owned);
    let error = map.save(&(x(1.0),), path("back")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`0` is not written: `rename_with` has no function back: use `rename_with_inverse`"
    );
}

/// A map whose every rule has a way back, for a model of three tensors.
fn rules() -> impl Strategy<Value = WeightMap> {
    let rule = prop_oneof![
        Just(
            (|map: WeightMap| map.rename("{i}", "x.{i}").rename("x.{i}", "{i}"))
                as fn(WeightMap) -> WeightMap
        ),
        Just((|map| map.prefix("p.")) as fn(WeightMap) -> WeightMap),
        Just((|map| map.transpose("1")) as fn(WeightMap) -> WeightMap),
        Just((|map| map.regroup("2", [2, 3])) as fn(WeightMap) -> WeightMap),
        Just((|map| map.rename("0", "q").rename("q", "0")) as fn(WeightMap) -> WeightMap),
        Just(
            (|map| map.join(["a", "b", "c"], "2", 0).split("2", ["a", "b", "c"], 0).join(
                ["a", "b", "c"],
                "2",
                0
            )) as fn(WeightMap) -> WeightMap
        ),
        Just(
            (|map| map.split("s", [("2.l", 2), ("2.r", 4)], -1).join(
                [("2.l", 2), ("2.r", 4)],
                "2",
                -1
            )) as fn(WeightMap) -> WeightMap
        ),
    ];
    // Only the first rules of a map name tensors of the file: all later ones have those of the model.
    proptest::collection::vec(rule, 0..3)
        .prop_map(|rules| rules.into_iter().fold(WeightMap::new(), |map, rule| rule(map)))
}

proptest! {
    #[test]
    fn what_is_written_is_read(map in rules()) {
        let path = path("round_trip");
        let numbers = |len: usize| (0..len).map(|index| index as f32).collect::<Vec<_>>();
        let model = (
            DynTensor::from_vec(&[2], numbers(2)).unwrap(),
            DynTensor::from_vec(&[2, 3], numbers(6)).unwrap(),
            DynTensor::from_vec(&[6], numbers(6)).unwrap(),
        );
        // Some rules in a row ask for names that the one before has taken away; those maps do not save.
        if map.save(&model, &path).is_ok() {
            let read: (DynTensor<f32>, DynTensor<f32>, DynTensor<f32>) = map.open(&path).unwrap();
            prop_assert_eq!(&read, &model);
            for (name, _, tensor) in read.tensors() {
                prop_assert!(tensor.get::<f32>().unwrap().as_slice().is_some(), "{}", name);
            }
        }
    }
}
