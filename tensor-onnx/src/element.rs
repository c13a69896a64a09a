//! Element types of ONNX and Rust.

/// An element type that tensors of `tensor-core` have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each has the name of the type in Rust")]
pub enum Element {
    F32,
    F64,
    F16,
    Bf16,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    Bool,
}

use Element::{Bf16, Bool, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};

/// Each with its number in `TensorProto.DataType`, its name in Rust, its name in safetensors, and its bytes.
const TABLE: [(Element, u64, &str, safetensors::Dtype, usize); 13] = [
    (F32, 1, "f32", safetensors::Dtype::F32, 4),
    (U8, 2, "u8", safetensors::Dtype::U8, 1),
    (I8, 3, "i8", safetensors::Dtype::I8, 1),
    (U16, 4, "u16", safetensors::Dtype::U16, 2),
    (I16, 5, "i16", safetensors::Dtype::I16, 2),
    (I32, 6, "i32", safetensors::Dtype::I32, 4),
    (I64, 7, "i64", safetensors::Dtype::I64, 8),
    (Bool, 9, "bool", safetensors::Dtype::BOOL, 1),
    (F16, 10, "f16", safetensors::Dtype::F16, 2),
    (F64, 11, "f64", safetensors::Dtype::F64, 8),
    (U32, 12, "u32", safetensors::Dtype::U32, 4),
    (U64, 13, "u64", safetensors::Dtype::U64, 8),
    (Bf16, 16, "bf16", safetensors::Dtype::BF16, 2),
];

/// The names of other types, by their number.
const OTHERS: [(u64, &str); 14] = [
    (0, "undefined"),
    (8, "string"),
    (14, "complex64"),
    (15, "complex128"),
    (17, "float8e4m3fn"),
    (18, "float8e4m3fnuz"),
    (19, "float8e5m2"),
    (20, "float8e5m2fnuz"),
    (21, "uint4"),
    (22, "int4"),
    (23, "float4e2m1"),
    (24, "float8e8m0"),
    (25, "uint2"),
    (26, "int2"),
];

impl Element {
    /// The type of a number; `Err` with the name of the type if Rust has none.
    pub fn of(number: u64) -> Result<Self, String> {
        let row = TABLE.iter().find(|row| row.1 == number);
        row.map(|row| row.0).ok_or_else(|| {
            let other = OTHERS.iter().find(|row| row.0 == number);
            other.map_or_else(|| format!("onnx{number}"), |row| row.1.to_owned())
        })
    }

    fn row(self) -> &'static (Self, u64, &'static str, safetensors::Dtype, usize) {
        TABLE.iter().find(|row| row.0 == self).expect("each type has a row")
    }

    /// The type with a name in Rust.
    pub fn named(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.2 == name).map(|row| row.0)
    }

    /// Its number in `TensorProto.DataType`.
    pub fn number(self) -> u64 {
        self.row().1
    }

    /// Its name in Rust.
    pub fn name(self) -> &'static str {
        self.row().2
    }

    /// Its name in safetensors.
    pub fn dtype(self) -> safetensors::Dtype {
        self.row().3
    }

    /// The bytes of an element.
    pub fn bytes(self) -> usize {
        self.row().4
    }

    /// Whether it is a float, of 16 bits or more.
    pub fn is_float(self) -> bool {
        matches!(self, F32 | F64 | F16 | Bf16)
    }

    /// Whether it is a 16-bit float.
    pub fn is_half(self) -> bool {
        matches!(self, F16 | Bf16)
    }

    /// Whether numbers of it can be negative.
    pub fn is_signed(self) -> bool {
        self.is_float() || matches!(self, I8 | I16 | I32 | I64)
    }

    /// Whether it is an integer type.
    pub fn is_integer(self) -> bool {
        !self.is_float() && self != Bool
    }

    /// A float rounded to this type.
    pub fn rounded(self, number: f64) -> f64 {
        match self {
            F32 => f64::from(number as f32),
            F16 => half::f16::from_f64(with_sticky_bit(number)).to_f64(),
            Bf16 => half::bf16::from_f64(with_sticky_bit(number)).to_f64(),
            _ => number,
        }
    }

    /// The float of this type nearest to an integer of 64 bits.
    pub fn nearest(self, number: i128) -> f64 {
        let nearest = number as f64;
        if self == F64 || nearest as i128 == number {
            return self.rounded(nearest);
        }
        // Rounded once: an odd number of 53 bits is no tie of the narrower types.
        self.rounded(((number >> 11 | 1) << 11) as f64)
    }

    /// An integer wrapped to this type, as `as` converts.
    pub fn wrapped(self, number: i64) -> i64 {
        match self {
            I8 => i64::from(number as i8),
            I16 => i64::from(number as i16),
            I32 => i64::from(number as i32),
            U8 => i64::from(number as u8),
            U16 => i64::from(number as u16),
            U32 => i64::from(number as u32),
            Bool => i64::from(number != 0),
            _ => number,
        }
    }

    /// The float nearest to a number in decimal digits; `None` if the text is none, or is beyond the largest float.
    pub fn parsed_float(self, text: &str) -> Option<f64> {
        let number = self.rounded(text.parse().ok()?);
        let is_infinity = !text.contains(|c: char| c.is_ascii_digit());
        (number.is_finite() || is_infinity).then_some(number)
    }

    /// The integer or truth value in a text, as `as i64` converts it; `None` if the type has it not.
    pub fn parsed_int(self, text: &str) -> Option<i64> {
        match (self, text) {
            (Bool, "true") => Some(1),
            (Bool, "false") => Some(0),
            (U64, _) => text.parse::<u64>().ok().map(u64::cast_signed),
            _ => text.parse::<i64>().ok().filter(|&number| self.wrapped(number) == number),
        }
    }

    /// The bytes of a number in this type, the least significant byte first.
    pub fn bytes_of(self, number: f64) -> Vec<u8> {
        match self {
            F32 => (number as f32).to_le_bytes().to_vec(),
            F64 => number.to_le_bytes().to_vec(),
            F16 => half::f16::from_f64(with_sticky_bit(number)).to_le_bytes().to_vec(),
            Bf16 => half::bf16::from_f64(with_sticky_bit(number)).to_le_bytes().to_vec(),
            Bool => vec![u8::from(number != 0.0)],
            U64 => (number as u64).to_le_bytes().to_vec(),
            I64 => (number as i64).to_le_bytes().to_vec(),
            // As `as` converts: the nearest number that the type has.
            _ => {
                let bits = 8 * self.bytes() - usize::from(self.is_signed());
                let (low, high) = (if self.is_signed() { -1 << bits } else { 0 }, (1 << bits) - 1);
                (number as i64).clamp(low, high).to_le_bytes()[..self.bytes()].to_vec()
            }
        }
    }

    /// A float as Rust writes it.
    pub fn float(self, number: f64) -> String {
        let (single, ty) = match self {
            F64 => (false, "f64"),
            F32 => (true, "f32"),
            // Constants of 16-bit floats are converted: they have no literals.
            other => {
                return format!("{}::from_f32({})", other.name(), F32.float(number));
            }
        };
        match number {
            number if number.is_nan() => format!("{ty}::NAN"),
            f64::INFINITY => format!("{ty}::INFINITY"),
            f64::NEG_INFINITY => format!("{ty}::NEG_INFINITY"),
            number if single => format!("{:?}", number as f32),
            number => format!("{number:?}"),
        }
    }

    /// An integer or a truth value as Rust writes it.
    pub fn integer(self, number: i64) -> String {
        match self {
            Bool => (number != 0).to_string(),
            U64 => number.cast_unsigned().to_string(),
            _ => number.to_string(),
        }
    }
}

/// A number that is rounded to 16 bits as this one: `half` drops 32 bits of it, which could break a tie.
fn with_sticky_bit(number: f64) -> f64 {
    let bits = number.to_bits();
    f64::from_bits(bits >> 32 << 32 | u64::from(bits as u32 != 0) << 32)
}
