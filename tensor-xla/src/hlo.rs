//! The operations of an HLO module, read from its protocol buffer.

use core::fmt;

use crate::element_type::ElementType;
use crate::protobuf::{FieldValue, at, fields, varint};
use crate::tensor_type::TensorType;

/// The fields that lead from `HloModuleProtoWithConfig` to its instructions: its module, the computations of a module,
/// the instructions of a computation.
const INSTRUCTIONS: [u64; 3] = [1, 3, 2];
/// Fields of an instruction.
const OPCODE: u64 = 2;
const SHAPE: u64 = 3;

/// What operations that move elements between devices begin with.
const COLLECTIVES: [&str; 6] = [
    "all-gather",
    "all-reduce",
    "all-to-all",
    "collective-",
    "ragged-all-to-all",
    "reduce-scatter",
];

/// An operation of a compiled program that moves elements between devices, with the types of its results on each
/// device.
///
/// ```no_run
/// // SAFETY: this program has saved the file.
/// let step = unsafe { tensor_xla::Engine::find()?.load_executable("step.xla")? };
/// for collective in step.collectives()? {
///     // all-reduce f32 [64, 32], f32 [32]
///     println!("{collective}");
/// }
/// # Ok::<(), tensor_xla::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collective {
    operation: String,
    results: Vec<TensorType>,
}

impl Collective {
    /// The name of the operation, such as `all-reduce`.
    ///
    /// ```no_run
    /// // SAFETY: this program has saved the file.
    /// let step = unsafe { tensor_xla::Engine::find()?.load_executable("step.xla")? };
    /// assert!(step.collectives()?.iter().all(|collective| collective.operation() == "all-reduce"));
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn operation(&self) -> &str {
        &self.operation
    }

    /// The types of the results on each device. The compiler combines operations, which then have several.
    ///
    /// ```no_run
    /// // SAFETY: this program has saved the file.
    /// let step = unsafe { tensor_xla::Engine::find()?.load_executable("step.xla")? };
    /// println!("{} bytes at most", step.collectives()?.iter().flat_map(|c| c.results()).count());
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn results(&self) -> &[TensorType] {
        &self.results
    }
}

impl fmt::Display for Collective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let results: Vec<String> = self.results.iter().map(ToString::to_string).collect();
        write!(f, "{} {}", self.operation, results.join(", "))
    }
}

/// The opcodes of all instructions, in order.
pub(crate) fn operations(module_with_configuration: &[u8]) -> Vec<String> {
    at(module_with_configuration, &INSTRUCTIONS).map(opcode).collect()
}

/// The instructions that move elements between devices, in order.
pub(crate) fn collectives(module_with_configuration: &[u8]) -> Vec<Collective> {
    let instructions = at(module_with_configuration, &INSTRUCTIONS);
    let collective = |instruction| {
        let operation = opcode(instruction);
        let is_one = COLLECTIVES.iter().any(|start| operation.starts_with(start));
        is_one.then(|| {
            let mut results = Vec::new();
            at(instruction, &[SHAPE]).for_each(|shape| tensor_types(shape, &mut results));
            Collective { operation, results }
        })
    };
    instructions.filter_map(collective).collect()
}

fn opcode(instruction: &[u8]) -> String {
    let opcode = at(instruction, &[OPCODE]).next().unwrap_or_default();
    String::from_utf8_lossy(opcode).into_owned()
}

/// Appends the types of a `ShapeProto`, of which a tuple has several; types that this crate does not have are left out.
fn tensor_types(shape: &[u8], types: &mut Vec<TensorType>) {
    let (mut element_type, mut sizes) = (None, Vec::new());
    for (field, value) in fields(shape) {
        match (field, value) {
            // Of `bf16`, the number differs from that of PJRT.
            (2, FieldValue::Integer(16)) => element_type = Some(ElementType::Bf16),
            (2, FieldValue::Integer(number)) => {
                let number = i32::try_from(number).unwrap_or_default();
                element_type = ElementType::from_number(number).ok().filter(|_| number < 13);
            }
            (3, FieldValue::Bytes(mut packed)) => {
                while let Some(size) = varint(&mut packed) {
                    sizes.push(size as usize);
                }
            }
            (4, FieldValue::Bytes(part)) => tensor_types(part, types),
            _ => {}
        }
    }
    types.extend(element_type.map(|element_type| TensorType::new(element_type, sizes)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_are_found_between_other_fields() {
        // An instruction: name, opcode, an integer; one more of another kind; the computation, the module.
        let instruction = |opcode: &str| {
            let mut bytes = vec![0x0a, 1, b'n', 0x12, opcode.len() as u8];
            bytes.extend_from_slice(opcode.as_bytes());
            bytes.extend([0x20, 0x96, 1, 0x2d, 0, 0, 0, 0]);
            // The shape: a tuple of an `f32` of 3 by 300 and a `bf16` scalar.
            bytes.extend([
                0x1a, 15, 0x10, 13, 0x22, 7, 0x10, 11, 0x1a, 3, 3, 0xac, 2, 0x22, 2, 0x10, 16,
            ]);
            bytes
        };
        let wrap =
            |field: u8, value: Vec<u8>| [vec![field << 3 | 2, value.len() as u8], value].concat();
        let instructions =
            [wrap(2, instruction("add")), wrap(2, instruction("all-reduce"))].concat();
        let module = [wrap(1, b"module".to_vec()), wrap(3, instructions)].concat();
        assert_eq!(operations(&wrap(1, module.clone())), ["add", "all-reduce"]);
        let collectives = collectives(&wrap(1, module.clone()));
        let shown: Vec<String> = collectives.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["all-reduce f32 [3, 300], bf16 []"]);
        // A message that is cut off ends where it is cut.
        let whole = wrap(1, module);
        for length in 0..whole.len() {
            assert!(operations(&whole[..length]).len() <= 2);
        }
    }
}
