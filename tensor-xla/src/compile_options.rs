//! The options of a compilation, as the bytes of the protocol buffer `CompileOptionsProto` of XLA.

/// What plugins for CPUs do by default and StableHLO does not allow: they drop a NaN in a maximum or minimum.
const CPU_DEFAULTS: [&str; 2] = ["xla_cpu_enable_fast_min_max", "xla_cpu_enable_fast_math"];

/// The serialised options for a program on these devices of a platform, whose tensors are split over all of them.
///
/// Empty options would abort the process: plugins require a number of replicas and of partitions.
pub(crate) fn compile_options(device_ids: &[i32], platform: &str) -> Vec<u8> {
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
    // Debug options by name: a message of all of them would replace their defaults.
    for name in CPU_DEFAULTS.iter().filter(|_| platform == "cpu") {
        let (mut option, mut off) = (Vec::new(), Vec::new());
        integer(&mut off, 2, 0);
        bytes(&mut option, 1, name.as_bytes());
        bytes(&mut option, 2, &off);
        bytes(&mut options, 7, &option);
    }
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
        let options = compile_options(&[0], "cuda");
        let ones = [0xff; 9];
        assert_eq!(options, [&[0x1a, 15, 8][..], &ones, &[1, 0x20, 1, 0x28, 1]].concat());
    }

    /// `env_option_overrides { key: "xla_cpu_enable_fast_min_max" value { bool_field: false } }`
    #[test]
    fn options_for_cpus_turn_fast_minima_off() {
        let (others, options) = (compile_options(&[0], "cuda"), compile_options(&[0], "cpu"));
        let option =
            [&[0x3a, 33, 0x0a, 27][..], b"xla_cpu_enable_fast_min_max", &[0x12, 2, 0x10, 0]];
        assert!(options.starts_with(&[&others[..], &option.concat()].concat()), "{options:x?}");
    }

    #[test]
    fn options_for_several_devices_assign_each() {
        let options = compile_options(&[0, 300], "tpu");
        let tail = [
            &[0x28, 2, 0x30, 1][..],
            // The assignment: one replica, two computations, devices 0 and 300.
            &[0x4a, 15, 8, 1, 0x10, 2, 0x1a, 3, 0x0a, 1, 0, 0x1a, 4, 0x0a, 2, 0xac, 2],
            &[0x98, 1, 1],
        ];
        assert!(options.ends_with(&tail.concat()), "{options:x?}");
    }
}
