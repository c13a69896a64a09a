//! The operations of an HLO module, read from its protocol buffer.

/// The fields that lead from `HloModuleProtoWithConfig` to the names of operations: its module, the computations of a
/// module, the instructions of a computation, the opcode of an instruction.
const PATH: [u64; 4] = [1, 3, 2, 2];

/// The opcodes of all instructions, in order.
pub(crate) fn operations(module_with_configuration: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    follow(module_with_configuration, &PATH, &mut found);
    found
}

/// Appends the texts at the end of a path of fields.
fn follow(message: &[u8], path: &[u64], found: &mut Vec<String>) {
    let [first, rest @ ..] = path else {
        found.push(String::from_utf8_lossy(message).into_owned());
        return;
    };
    let mut bytes = message;
    // What cannot be read ends the message.
    while let Some((field, value)) = next_field(&mut bytes) {
        if let (true, Some(value)) = (field == *first, value) {
            follow(value, rest, found);
        }
    }
}

/// The number of the next field, and its bytes if it has a length.
fn next_field<'a>(bytes: &mut &'a [u8]) -> Option<(u64, Option<&'a [u8]>)> {
    let tag = varint(bytes)?;
    let mut skip = |count: usize| {
        let (skipped, rest) = bytes.split_at_checked(count)?;
        *bytes = rest;
        Some(skipped)
    };
    let value = match tag & 7 {
        1 => skip(8).map(|_| None)?,
        5 => skip(4).map(|_| None)?,
        0 => varint(bytes).map(|_| None)?,
        2 => {
            let length = varint(bytes)?;
            let (value, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
            *bytes = rest;
            Some(value)
        }
        _ => return None,
    };
    Some((tag >> 3, value))
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
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
            bytes.extend([0x18, 0x96, 1, 0x25, 0, 0, 0, 0]);
            bytes
        };
        let wrap =
            |field: u8, value: Vec<u8>| [vec![field << 3 | 2, value.len() as u8], value].concat();
        let instructions =
            [wrap(2, instruction("add")), wrap(2, instruction("all-reduce"))].concat();
        let module = [wrap(1, b"module".to_vec()), wrap(3, instructions)].concat();
        assert_eq!(operations(&wrap(1, module.clone())), ["add", "all-reduce"]);
        // A message that is cut off ends where it is cut.
        let whole = wrap(1, module);
        for length in 0..whole.len() {
            assert!(operations(&whole[..length]).len() <= 2);
        }
    }
}
