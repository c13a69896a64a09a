//! The values that a pickle makes, in one list: a value names others by their index in it.

/// The index of a value.
pub(crate) type Id = u32;

/// A range: of the bytes of the pickle, or of the items of tuples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// A value that a pickle makes.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// `None`, and all that has no meaning for tensors: hooks, devices, sets, bytes, numbers that are no sizes.
    Other,
    /// An integer, or a `bool`.
    Integer(i64),
    /// Text: a range of the pickle.
    Text(Span),
    /// A class or a function.
    Global(Global),
    /// A range of the items of all tuples.
    Tuple(Span),
    List(Vec<Id>),
    /// Keys and values in turn.
    Dict(Vec<Id>),
    Storage(Box<Storage>),
    Tensor(Call),
    /// What an unknown class or function would make: the index of that.
    Object(Id),
}

// The memory that a pickle takes is proportional to the number of its values.
const _: () = assert!(size_of::<Value>() <= 32);

/// The globals that tensors and the values beside them need.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Global {
    /// `dict` and its subclasses in Python's library.
    Dict,
    /// What makes values without a meaning for tensors, such as sets.
    Plain,
    Rebuild(Rebuild),
    /// `_rebuild_from_type_v2` and its predecessor: another function, a subclass of `Tensor`, and arguments.
    RebuildFromType,
    /// A tensor as a parameter.
    RebuildParameter,
    /// `torch.FloatTensor` and others, of which PyTorch before version 0.4 made objects that have a state.
    TensorClass,
    Size,
    /// A storage of this element type; `None` for one of bytes.
    Storage(Option<&'static str>),
    /// An element type.
    Element(&'static str),
    /// Any other: ranges of the pickle.
    Unknown {
        module: Span,
        name: Span,
    },
}

/// A function that makes a tensor of a storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rebuild {
    /// `_rebuild_tensor_v2`, and `_rebuild_tensor` with fewer arguments.
    Tensor,
    /// `_rebuild_tensor_v3`: with an element type that its storage does not have.
    TensorOfType,
}

/// The elements of tensors: an entry of the archive.
#[derive(Clone, Debug)]
pub(crate) struct Storage {
    pub(crate) element: Option<&'static str>,
    pub(crate) key: Span,
    /// The number of elements, or of bytes where the element type is unknown.
    pub(crate) len: u64,
    /// The elements that tensors may have: the first of them and their number. Before version 1.6, a storage could be a
    /// part of another.
    pub(crate) view: (u64, u64),
}

/// A tensor as the pickle describes it, which is checked when it is visited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) function: Rebuild,
    pub(crate) arguments: Span,
    /// The byte of the pickle after its description.
    pub(crate) at: u32,
}

/// A tensor whose description was checked.
#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    pub(crate) element: &'static str,
    pub(crate) key: Span,
    pub(crate) offset: u64,
    pub(crate) sizes: Vec<u64>,
    pub(crate) strides: Vec<u64>,
    pub(crate) negated: bool,
}

impl Global {
    /// The global of this name, if it is known.
    pub(crate) fn find(module: &str, name: &str) -> Option<Self> {
        Some(match (module, name) {
            ("collections", "OrderedDict" | "defaultdict" | "Counter")
            | ("builtins" | "__builtin__", "dict") => Self::Dict,
            (
                "builtins" | "__builtin__",
                "set" | "frozenset" | "bytes" | "bytearray" | "complex",
            )
            | ("_codecs", "encode")
            | ("collections", "deque")
            | ("torch", "device")
            | ("torch.serialization", "_get_layout") => Self::Plain,
            ("torch._utils", "_rebuild_tensor" | "_rebuild_tensor_v2") => {
                Self::Rebuild(Rebuild::Tensor)
            }
            ("torch._utils", "_rebuild_tensor_v3") => Self::Rebuild(Rebuild::TensorOfType),
            ("torch._utils", "_rebuild_parameter" | "_rebuild_parameter_with_state")
            | ("torch.nn.parameter", "Parameter" | "Buffer") => Self::RebuildParameter,
            ("torch._tensor" | "torch.tensor", "_rebuild_from_type" | "_rebuild_from_type_v2") => {
                Self::RebuildFromType
            }
            ("torch", "Size") => Self::Size,
            ("torch.storage" | "torch", "UntypedStorage") => Self::Storage(None),
            ("torch" | "torch.cuda", name) => {
                let storage = name.strip_suffix("Storage").and_then(of_storage);
                let class = name.strip_suffix("Tensor").and_then(of_storage);
                match (storage, class, of_torch(name)) {
                    (Some(element), ..) => Self::Storage(Some(element)),
                    (_, Some(_), _) => Self::TensorClass,
                    (.., element) => Self::Element(element?),
                }
            }
            _ => return None,
        })
    }
}

/// The element type of a storage, as Rust names it, or as PyTorch does if Rust has none.
fn of_storage(name: &str) -> Option<&'static str> {
    Some(match name {
        "Double" => "f64",
        "Float" => "f32",
        "Half" => "f16",
        "BFloat16" => "bf16",
        "Long" => "i64",
        "Int" => "i32",
        "Short" => "i16",
        "Char" => "i8",
        "Byte" => "u8",
        "Bool" => "bool",
        "ComplexDouble" => "complex128",
        "ComplexFloat" => "complex64",
        "QInt8" => "qint8",
        "QUInt8" => "quint8",
        "QInt32" => "qint32",
        "QUInt4x2" => "quint4x2",
        "QUInt2x4" => "quint2x4",
        _ => return None,
    })
}

/// The element type of a name of PyTorch's.
fn of_torch(name: &str) -> Option<&'static str> {
    const TYPES: [(&str, &str); 20] = [
        ("float64", "f64"),
        ("float32", "f32"),
        ("float16", "f16"),
        ("bfloat16", "bf16"),
        ("int64", "i64"),
        ("int32", "i32"),
        ("int16", "i16"),
        ("int8", "i8"),
        ("uint64", "u64"),
        ("uint32", "u32"),
        ("uint16", "u16"),
        ("uint8", "u8"),
        ("bool", "bool"),
        ("complex128", "complex128"),
        ("complex64", "complex64"),
        ("float8_e4m3fn", "float8_e4m3fn"),
        ("float8_e4m3fnuz", "float8_e4m3fnuz"),
        ("float8_e5m2", "float8_e5m2"),
        ("float8_e5m2fnuz", "float8_e5m2fnuz"),
        ("float8_e8m0fnu", "float8_e8m0fnu"),
    ];
    TYPES.iter().find(|(torch, _)| *torch == name).map(|(_, rust)| *rust)
}
