//! The values that a pickle makes, in one list: a value names others by their index in it.

use std::ops::Range;

/// The index of a value.
pub(crate) type Id = u32;

/// A value that a pickle makes.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// `None`, and all that has no meaning for tensors: hooks, devices, numbers that are no sizes.
    Other,
    /// An integer, or a `bool`.
    Integer(i64),
    /// Text: a range of the pickle.
    Text(Range<usize>),
    /// What may be called: a class or a function of the list of those that are known.
    Global(Global),
    Tuple(Vec<Id>),
    List(Vec<Id>),
    /// Keys and values in turn.
    Dict(Vec<Id>),
    Storage(Storage),
    Tensor(Tensor),
}

/// The globals that tensors need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Global {
    OrderedDict,
    RebuildTensor,
    /// With an element type that its storage does not have.
    RebuildTensorOfType,
    RebuildParameter,
    Size,
    /// A storage of this element type; `None` for one of bytes.
    Storage(Option<&'static str>),
    /// An element type.
    Element(&'static str),
}

/// The elements of tensors: an entry of the archive.
#[derive(Clone, Debug)]
pub(crate) struct Storage {
    pub(crate) element: Option<&'static str>,
    pub(crate) key: Range<usize>,
    /// The number of elements, or of bytes where the element type is unknown.
    pub(crate) len: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    pub(crate) element: &'static str,
    pub(crate) storage: Id,
    pub(crate) offset: u64,
    pub(crate) sizes: Vec<u64>,
    pub(crate) strides: Vec<u64>,
}

impl Global {
    /// The global of this name, if it is one that tensors need.
    pub(crate) fn find(module: &str, name: &str) -> Option<Self> {
        Some(match (module, name) {
            ("collections", "OrderedDict") => Self::OrderedDict,
            ("torch._utils", "_rebuild_tensor_v2") => Self::RebuildTensor,
            ("torch._utils", "_rebuild_tensor_v3") => Self::RebuildTensorOfType,
            ("torch._utils", "_rebuild_parameter") => Self::RebuildParameter,
            ("torch", "Size") => Self::Size,
            ("torch.storage" | "torch", "UntypedStorage") => Self::Storage(None),
            ("torch", name) => match name.strip_suffix("Storage") {
                Some(name) => Self::Storage(Some(of_storage(name)?)),
                None => Self::Element(of_torch(name)?),
            },
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

/// The number of bytes of an element.
pub(crate) fn bytes_of(element: &str) -> u64 {
    match element {
        "complex128" => 16,
        "f64" | "i64" | "u64" | "complex64" => 8,
        "f32" | "i32" | "u32" => 4,
        "f16" | "bf16" | "i16" | "u16" => 2,
        _ => 1,
    }
}
