//! The options of a compilation, as the bytes of the protocol buffer `CompileOptionsProto` of XLA.

/// The serialised options for a program on these devices, whose tensors are split over all of them.
///
/// Empty options would abort the process: plugins require a number of replicas and of partitions.
pub(crate) fn compile_options(device_ids: &[i32]) -> Vec<u8> {
    let count = device_ids.len() as u64;
    let mut build = Vec::new();
    // The ordinal of the device: none in particular.
    integer(&mut build, 1, u64::MAX);
    // Replicas, partitions.
    integer(&mut build, 4, 1);
    integer(&mut build, 5, count);
    if count > 1 {
        // One program for all partitions, and which device runs which.
        integer(&mut build, 6, 1);
        let mut assignment = Vec::new();
        integer(&mut assignment, 1, 1);
        integer(&mut assignment, 2, count);
        for &id in device_ids {
            let mut device = Vec::new();
            let mut list = Vec::new();
            varint(&mut list, id as u64);
            bytes(&mut device, 1, &list);
            bytes(&mut assignment, 3, &device);
        }
        bytes(&mut build, 9, &assignment);
        // Shardings are those of Shardy.
        integer(&mut build, 19, 1);
    }
    let mut options = Vec::new();
    bytes(&mut options, 3, &build);
    options
}

/// Seven bits a byte, the lowest first; all but the last have their highest bit set.
fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A field that is an integer.
fn integer(out: &mut Vec<u8>, field: u64, value: u64) {
    varint(out, field << 3);
    varint(out, value);
}

/// A field that is a message or a packed list.
fn bytes(out: &mut Vec<u8>, field: u64, value: &[u8]) {
    varint(out, field << 3 | 2);
    varint(out, value.len() as u64);
    out.extend_from_slice(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Device ordinal -1, one replica, one partition.
    #[test]
    fn options_for_one_device_are_17_bytes() {
        let options = compile_options(&[0]);
        let ones = [0xff; 9];
        assert_eq!(options, [&[0x1a, 15, 8][..], &ones, &[1, 0x20, 1, 0x28, 1]].concat());
    }

    #[test]
    fn options_for_several_devices_assign_each() {
        let options = compile_options(&[0, 300]);
        let tail = [
            &[0x28, 2, 0x30, 1][..],
            // The assignment: one replica, two computations, devices 0 and 300.
            &[0x4a, 15, 8, 1, 0x10, 2, 0x1a, 3, 0x0a, 1, 0, 0x1a, 4, 0x0a, 2, 0xac, 2],
            &[0x98, 1, 1],
        ];
        assert!(options.ends_with(&tail.concat()), "{options:x?}");
    }
}
