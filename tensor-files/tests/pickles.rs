//! Pickles of PyTorch are read; those of strangers are errors, whatever they ask for.

use proptest::prelude::*;
use tensor_files::pickle::{Contents, PickleError, Skipped, StoredTensor, read};

/// The tensors of a pickle.
fn tensors(pickle: &[u8]) -> Result<Vec<StoredTensor>, PickleError> {
    read(pickle).map(|contents| contents.tensors)
}

/// A pickle of these instructions.
fn pickle(parts: &[&[u8]]) -> Vec<u8> {
    [b"\x80\x02", &parts.concat()[..], b"."].concat()
}

fn text(text: &str) -> Vec<u8> {
    [b"X", &u32::try_from(text.len()).unwrap().to_le_bytes()[..], text.as_bytes()].concat()
}

fn integer(number: i32) -> Vec<u8> {
    [b"J", &number.to_le_bytes()[..]].concat()
}

fn tuple(items: &[i32]) -> Vec<u8> {
    let items: Vec<u8> = items.iter().flat_map(|&item| integer(item)).collect();
    [b"(", &items[..], b"t"].concat()
}

/// A tensor of `f32` in the storage `0`, which has `len` elements.
fn tensor(len: i32, offset: i32, sizes: &[i32], strides: &[i32]) -> Vec<u8> {
    [
        &b"ctorch._utils\n_rebuild_tensor_v2\n(("[..],
        &text("storage"),
        b"ctorch\nFloatStorage\n",
        &text("0"),
        &text("cpu"),
        &integer(len),
        b"tQ",
        &integer(offset),
        &tuple(sizes),
        &tuple(strides),
        b"\x89}tR",
    ]
    .concat()
}

/// The message of the error.
#[track_caller]
fn error(pickle: &[u8]) -> String {
    tensors(pickle).unwrap_err().to_string()
}

#[test]
fn names_are_the_keys_that_lead_to_tensors() {
    let x = tensor(6, 0, &[2, 3], &[3, 1]);
    let pickle = pickle(&[
        b"}(",
        &text("model"),
        b"}(",
        &text("fc.weight"),
        &x,
        b"u",
        &text("states"),
        b"](",
        &x,
        &integer(7),
        b"e",
        &integer(-3),
        &x,
        b"N",
        &x,
        b"u",
    ]);
    let found = tensors(&pickle).unwrap();
    let names: Vec<&str> = found.iter().map(|tensor| &tensor.name[..]).collect();
    assert_eq!(names, ["model.fc.weight", "states.0", "-3"]);
    let expected = StoredTensor {
        name: "-3".to_owned(),
        element: "f32",
        key: "0".to_owned(),
        offset: 0,
        sizes: vec![2, 3],
        strides: vec![3, 1],
        negated: false,
    };
    assert_eq!(found[2], expected);
}

#[test]
fn strides_are_those_of_elements_in_the_storage() {
    for (offset, sizes, strides) in [
        (0, &[2, 3][..], &[1, 2][..]),
        (0, &[2, 3], &[3, 1]),
        (2, &[2, 2], &[2, 1]),
        (5, &[1, 1], &[100, 0]),
        (5, &[], &[]),
        (100, &[0, 7], &[1, 1]),
        (0, &[3], &[2]),
        (5, &[1 << 22], &[0]),
        (1, &[4, 2, 2], &[0, 2, 1]),
        (0, &[0, 1_000_000_000], &[0, 0]),
    ] {
        let found =
            tensors(&pickle(&[&b"]"[..], &tensor(6, offset, sizes, strides), b"a"])).unwrap();
        assert_eq!(found.len(), 1, "{sizes:?} {strides:?}");
    }
    for (offset, sizes, strides, expected) in [
        (0, &[7][..], &[1][..], "beyond the end of its storage"),
        (6, &[], &[], "beyond the end of its storage"),
        (i32::MAX, &[2], &[i32::MAX], "beyond the end of its storage"),
        (0, &[2, 2], &[1, 1], "whose elements overlap"),
        (0, &[1_000_000_000], &[0], "`0` is expanded to the sizes [1000000000], and expanded"),
        (
            0,
            &[i32::MAX; 3],
            &[0; 3],
            "is expanded to the sizes [2147483647, 2147483647, 2147483647]",
        ),
        (0, &[2, 2, 2], &[0, 1, 1], "whose elements overlap"),
        (6, &[2], &[0], "beyond the end of its storage"),
        (0, &[2, 3], &[2, 1], "whose elements overlap"),
        (0, &[2], &[1, 1], "has a tensor of sizes [2] and strides [1, 1]"),
        (-1, &[2], &[1], "no integer from 0 on"),
        (0, &[-2], &[1], "no integer from 0 on"),
        (0, &[1; 65], &[1; 65], "has a tensor of 65 axes"),
    ] {
        let error = error(&pickle(&[&b"]"[..], &tensor(6, offset, sizes, strides), b"a"]));
        assert!(error.contains(expected), "{error}");
    }
    let large: Vec<i32> = vec![i32::MAX; 3];
    let error = error(&pickle(&[&tensor(6, 0, &large, &[i32::MAX, 1, i32::MAX - 1])]));
    assert!(error.contains("of its storage") || error.contains("overlap"), "{error}");
}

#[test]
fn expanded_tensors_are_counted_together() {
    let half = tensor(1, 0, &[1 << 21], &[0]);
    let list = |count: usize| pickle(&[&b"]("[..], &half.repeat(count), b"e"]);
    assert_eq!(tensors(&list(2)).unwrap().len(), 2);
    assert!(error(&list(3)).starts_with("`2` is expanded to the sizes [2097152]"));
}

#[test]
fn nothing_is_run() {
    for (module, name) in
        [("os", "system"), ("builtins", "eval"), ("torch", "load"), ("torch", "Storage")]
    {
        let expected = format!(
            "the pickle is an object of `{module}.{name}`, which is not read: save a state dict of tensors alone"
        );
        let call = pickle(&[format!("c{module}\n{name}\n").as_bytes(), &text("x"), b"\x85R"]);
        assert_eq!(error(&call), expected);
        let call = pickle(&[&text(module), &text(name), b"\x93)R"]);
        assert_eq!(error(&call), expected);
        // What it returns is called.
        let call = pickle(&[&text(module), &text(name), b"\x93)R)R"]);
        assert_eq!(error(&call), expected);
    }
    assert!(error(&pickle(&[&text("x"), b")R"])).contains("calls what is no function"));
    assert!(error(&pickle(&[b"ctorch\nfloat32\n)R"])).contains("calls what is no function"));
    assert!(error(&pickle(&[b"itorch\nfloat32\n"])).contains("the instruction 0x69"));
}

/// The dict `{"x": value, "w": tensor}`.
fn beside(value: &[u8]) -> Vec<u8> {
    let tensor = tensor(6, 0, &[2, 3], &[3, 1]);
    pickle(&[b"}(", &text("x"), value, &text("w"), &tensor, b"u"])
}

#[test]
fn values_that_are_no_tensors_are_left_out() {
    let encoded = [&b"c_codecs\nencode\n"[..], &text("x"), &text("latin1"), b"\x86R"].concat();
    for value in [
        &b"N"[..],
        b"G\x40\x09\x21\xfb\x54\x44\x2d\x18",
        b"ccollections\nCounter\n}(K\x1eK\x01K\x50K\x01u\x85R",
        b"ccollections\nOrderedDict\n)R}U\x01xNsb",
        b"ccollections\nOrderedDict\n]](U\x01yK\x01ea\x85R",
        b"ccollections\ndefaultdict\nc__builtin__\nlist\n\x85R(U\x01yK\x01u",
        b"c__builtin__\nset\n](K\x01K\x02e\x85R",
        b"\x8f(K\x01K\x02\x90",
        b"(K\x01K\x02\x91",
        b"ctorch\ndevice\nX\x04\0\0\0cuda\x85R",
        b"ctorch\nSize\nK\x02K\x03\x86\x85R",
        b"ctorch\nfloat32\n",
        b"C\x02\xff\0",
        b"B\x02\0\0\0\xff\0",
        b"\x8e\x02\0\0\0\0\0\0\0\xff\0",
        b"\x96\x02\0\0\0\0\0\0\0\xff\0",
        // A string of Python 2.
        b"U\x02\xff\xfe",
        b"I4294967296\n",
        b"\x8b\x09\0\0\0\0\0\0\0\0\0\0\0\x01",
        b"(K\x011N",
        &encoded,
    ] {
        let found = read(&beside(value)).unwrap();
        assert_eq!(found.tensors.len(), 1, "{value:?}");
        assert_eq!((&found.tensors[0].name[..], &found.skipped[..]), ("w", &[][..]), "{value:?}");
    }
}

#[test]
fn tensors_in_containers_of_python_are_read() {
    let x = tensor(6, 0, &[2, 3], &[3, 1]);
    for value in [
        [b"ccollections\nOrderedDict\n]](X\x01\0\0\0y", &x[..], b"ea\x85R"].concat(),
        [b"ccollections\nOrderedDict\n](X\x01\0\0\0y", &x[..], b"\x86e\x85R"].concat(),
        [b"ccollections\ndefaultdict\nN\x85RX\x01\0\0\0y", &x[..], b"s"].concat(),
        [b"ccollections\nOrderedDict\n)RX\x01\0\0\0y", &x[..], b"s"].concat(),
    ] {
        let names: Vec<String> =
            tensors(&beside(&value)).unwrap().into_iter().map(|tensor| tensor.name).collect();
        assert_eq!(names, ["x.y", "w"]);
    }
}

#[test]
fn objects_of_unknown_classes_are_listed() {
    let state = [b"}(", &text("w")[..], &tensor(6, 0, &[6], &[1]), b"u"].concat();
    for (value, class) in [
        ([b"cargparse\nNamespace\n)\x81", &state[..], b"b"].concat(), "argparse.Namespace"),
        ([b"cargparse\nNamespace\n)}\x92", &state[..], b"b"].concat(), "argparse.Namespace"),
        (
            b"ccopy_reg\n_reconstructor\ncmodels\nNet\nc__builtin__\nobject\nN\x87R".to_vec(),
            "models.Net",
        ),
        ([b"ceasydict\nEasyDict\n)\x81", &state[1..]].concat(), "easydict.EasyDict"),
        (b"cqueue\nQueue\n)R(K\x01e".to_vec(), "queue.Queue"),
        (b"cos\nsystem\nX\x02\0\0\0ls\x85R".to_vec(), "os.system"),
        // Tensors that Rust does not have.
        (b"ctorch._utils\n_rebuild_qtensor\n)R".to_vec(), "torch._utils._rebuild_qtensor"),
        (
            b"ctorch._utils\n_rebuild_parameter\nctorch._utils\n_rebuild_sparse_tensor\n)R\x88N\x87R".to_vec(),
            "torch._utils._rebuild_sparse_tensor",
        ),
        (
            b"ctorch._tensor\n_rebuild_from_type_v2\n(ctorch._utils\n_rebuild_qtensor\nctags\nTagged\n)}tR".to_vec(),
            "torch._utils._rebuild_qtensor",
        ),
    ] {
        let found = read(&beside(&value)).unwrap();
        assert_eq!(found.tensors.len(), 1, "{class}");
        assert_eq!(found.skipped, [Skipped { name: "x".to_owned(), class: class.to_owned() }]);
    }
    let only = pickle(&[b"}(", &text("net"), b"cmodels\nNet\n)\x81", &text("epoch"), b"K\x03u"]);
    assert_eq!(
        error(&only),
        "the pickle has no tensors, and under `net` an object of `models.Net`, which is not read: save a state dict of \
         tensors alone"
    );
    let script = pickle(&[b"c__torch__.models\nNet\n)\x81}b"]);
    assert_eq!(
        error(&script),
        "the pickle is a program of TorchScript, `models.Net`, which is not read: save its `state_dict()`"
    );
    // A name is text of the file.
    let name = pickle(&[b"cm\n\x1b[31mred\xe2\x80\xae\n)R"]);
    assert!(error(&name).contains("`m.\\u{1b}[31mred\\u{202e}`"), "{}", error(&name));
}

#[test]
fn tensors_have_many_forms() {
    let x = tensor(6, 1, &[2, 2], &[2, 1]);
    let arguments = x
        .strip_prefix(b"ctorch._utils\n_rebuild_tensor_v2\n")
        .and_then(|rest| rest.strip_suffix(b"R"))
        .unwrap();
    let storage = &arguments[1..arguments.iter().position(|&byte| byte == b'Q').unwrap() + 1];
    let four = [storage, &integer(1), &tuple(&[2, 2]), &tuple(&[2, 1])].concat();
    let v2 = b"ctorch._utils\n_rebuild_tensor_v2\n";
    let forms = [
        x.clone(),
        // Before version 0.4.
        [b"ctorch._utils\n_rebuild_tensor\n(", &four[..], b"tR"].concat(),
        [b"ctorch\nFloatTensor\n)R(", &four[..], b"tb"].concat(),
        [b"ctorch.cuda\nFloatTensor\n)\x81(", &four[..], b"tb"].concat(),
        [b"ctorch.nn.parameter\nParameter\n)\x81(", &x[..], b"\x88NN\x89tb"].concat(),
        [b"ctorch.nn.parameter\nParameter\n", &x[..], b"\x88\x86R"].concat(),
        [b"ctorch._utils\n_rebuild_parameter\n", &x[..], b"\x88}\x87R"].concat(),
        // With attributes.
        [b"ctorch._utils\n_rebuild_parameter_with_state\n(", &x[..], b"\x88}}X\x01\0\0\0tK\x01stR"]
            .concat(),
        [
            b"ctorch._tensor\n_rebuild_from_type_v2\n(",
            &v2[..],
            b"ctorch\nTensor\n",
            arguments,
            b"}X\x01\0\0\0tK\x01stR",
        ]
        .concat(),
        [
            b"ctorch._tensor\n_rebuild_from_type_v2\n(",
            &v2[..],
            b"ctags\nTagged\n",
            arguments,
            b"NtR",
        ]
        .concat(),
    ];
    for (number, form) in forms.into_iter().enumerate() {
        let found = read(&pickle(&[b"}(", &text("w"), &form, b"u"]));
        let found = found.unwrap_or_else(|error| panic!("form {number}: {error}"));
        let expected = StoredTensor {
            name: "w".to_owned(),
            element: "f32",
            key: "0".to_owned(),
            offset: 1,
            sizes: vec![2, 2],
            strides: vec![2, 1],
            negated: false,
        };
        assert_eq!(found, Contents { tensors: vec![expected], skipped: Vec::new() }, "{number}");
    }
}

/// A tensor with a dict as its seventh argument.
fn with_metadata(dict: &[u8]) -> Vec<u8> {
    let x = tensor(6, 0, &[2, 3], &[3, 1]);
    let x = x.strip_suffix(b"tR").unwrap();
    pickle(&[b"]", x, dict, b"tRa"])
}

#[test]
fn the_sign_of_a_view_is_read() {
    let set = |name: &str, value: &[u8]| [b"}", &text(name)[..], value, b"s"].concat();
    for (metadata, negated) in [
        (b"N".to_vec(), false),
        (b"}".to_vec(), false),
        (set("neg", b"\x88"), true),
        (set("neg", b"\x89"), false),
        // Real numbers are their own conjugates.
        (set("conj", b"\x88"), false),
    ] {
        assert_eq!(tensors(&with_metadata(&metadata)).unwrap()[0].negated, negated, "{metadata:?}");
    }
    let other = error(&with_metadata(&set("sparse", b"\x88")));
    assert!(other.contains("a tensor of f32 with `sparse` set, which is not read"), "{other}");
    assert!(error(&with_metadata(b"K\x01")).contains("whose metadata are no dict"));
}

#[test]
fn damaged_pickles_are_errors() {
    for (bytes, expected) in [
        (&b""[..], "ends at byte 0"),
        (b".", "an empty stack"),
        (b"\x80\x01.", "protocol 1"),
        (b"\x80\x06.", "protocol 6"),
        (b"X\xff\xff\xff\xff", "ends at byte 5"),
        (b"\x8d\xff\xff\xff\xff\xff\xff\xff\xff", "ends at byte 9"),
        (b"X\x01\0\0\0\xff.", "not UTF-8"),
        (b"h\x05.", "entry 5 of its memo"),
        (b"r\xff\xff\xff\xff", "an empty stack"),
        (b"]h\0.", "entry 0 of its memo"),
        (b"I5", "ends at byte 2"),
        (b"t.", "no mark"),
        (b"(.", "an empty stack"),
        (b"}Nu.", "no mark"),
        (b"}(Nu.", "a key without a value"),
        (b"NNa.", "no list"),
        (b"NNNs.", "no dict"),
        (b"NQ.", "no tuple"),
        (b")Q.", "no tuple of five or six"),
        (b"cos", "ends at byte 3"),
    ] {
        assert!(error(bytes).contains(expected), "{bytes:?}: {}", error(bytes));
    }
}

#[test]
fn pickles_that_grow_are_errors() {
    // Lists of lists.
    let deep = pickle(&[&b"]".repeat(100_000), &b"a".repeat(99_999)]);
    assert!(error(&deep).contains("nested 100 deep"));
    // A list of two of the list before: 2^40 values.
    let double: Vec<u8> =
        (0..40).flat_map(|k| [b'q', k, b'0', b']', b'(', b'h', k, b'h', k, b'e']).collect();
    let bomb = pickle(&[b"](NNe", &double]);
    assert!(error(&bomb).contains("again and again"));
    // A list that is in itself.
    assert!(error(&pickle(&[b"]q\0h\0a"])).contains("again and again"));
    // A long key, of many values.
    let items: Vec<u8> = (0..10_000).flat_map(|_| [b'h', 0, b'h', 1]).collect();
    let long = pickle(&[&text(&"k".repeat(100_000)), b"q\0", b"]q\x01}(", &items, b"u"]);
    assert!(error(&long).contains("again and again"));
    // One tensor of many names, with many axes.
    let many: Vec<u8> = (0..100_000).flat_map(|_| [b'h', 0]).collect();
    let axes = [&tensor(1, 0, &[1; 60], &[1; 60])[..], b"q\x000"].concat();
    assert!(error(&pickle(&[&axes, b"](", &many, b"e"])).contains("again and again"));
    // A long tuple, as the arguments of many calls.
    let calls: Vec<u8> = b"ctorch\nSize\nh\0R0".repeat(10_000);
    let long = pickle(&[b"(", &b"N".repeat(100_000), b"tq\0", &calls]);
    assert_eq!(tensors(&long).unwrap(), []);
}

proptest! {
    /// Whatever the bytes are, there is a result, and names are unique.
    #[test]
    fn any_instructions(bytes in proptest::collection::vec(instruction(), 0..40)) {
        let bytes = pickle(&bytes.iter().map(|part| &part[..]).collect::<Vec<_>>());
        if let Ok(found) = tensors(&bytes) {
            let names: std::collections::BTreeSet<_> = found.iter().map(|tensor| &tensor.name).collect();
            prop_assert_eq!(names.len(), found.len());
        }
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = tensors(&bytes);
    }

    /// A tensor that is read is within its storage, and no two of its elements share one there, except along an axis of
    /// stride 0.
    #[test]
    fn elements_are_in_the_storage(
        len in 0..40,
        offset in 0..10,
        axes in proptest::collection::vec((0..5_i32, 0..12_i32), 0..4),
    ) {
        let (sizes, strides): (Vec<i32>, Vec<i32>) = axes.iter().copied().unzip();
        let mut elements = vec![offset];
        for &(size, stride) in &axes {
            let size = if stride == 0 { size.min(1) } else { size };
            elements = elements.iter().flat_map(|at| (0..size).map(move |k| at + k * stride)).collect();
        }
        elements.sort_unstable();
        let fits = elements.last().is_none_or(|last| *last < len);
        let distinct = elements.windows(2).all(|pair| pair[0] != pair[1]);
        let found = tensors(&pickle(&[b"]", &tensor(len, offset, &sizes, &strides), b"a"]));
        // Some strides that overlap in no element are refused: those that interleave.
        prop_assert!(found.is_err() || (fits && distinct), "{sizes:?} {strides:?}");
        let mut sorted = axes.clone();
        sorted.retain(|(size, stride)| *size > 1 && *stride > 0);
        sorted.sort_by_key(|(_, stride)| *stride);
        let nested = sorted.windows(2).all(|pair| pair[1].1 >= pair[0].0 * pair[0].1);
        if fits && distinct && nested {
            prop_assert!(found.is_ok(), "{sizes:?} {strides:?}");
        }
    }
}

/// An instruction that pickles of tensors have, and what follows it.
fn instruction() -> impl Strategy<Value = Vec<u8>> {
    let plain = b"(.0NRabest)u]}Q\x85\x86\x87\x88\x89\x93\x94".to_vec();
    prop_oneof![
        4 => proptest::sample::select(plain).prop_map(|opcode| vec![opcode]),
        1 => (0..4_u8).prop_map(|index| vec![b'q', index]),
        1 => (0..4_u8).prop_map(|index| vec![b'h', index]),
        1 => (-2..9_i32).prop_map(integer),
        1 => proptest::sample::select(vec!["storage", "0", "torch", "x"]).prop_map(text),
        1 => proptest::sample::select(vec![
            "ctorch\nFloatStorage\n", "ctorch._utils\n_rebuild_tensor_v2\n", "ccollections\nOrderedDict\n",
        ]).prop_map(|global| global.as_bytes().to_vec()),
        1 => Just(tensor(6, 0, &[2, 3], &[3, 1])),
    ]
}
