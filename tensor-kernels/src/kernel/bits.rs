//! Integers of the sizes of elements, as which elements are moved.

/// Runs `$work` with `$B` as the integer type of the size of an element.
macro_rules! with_bits {
    ($bytes:expr, $B:ident => $work:expr) => {
        match $bytes {
            1 => {
                type $B = u8;
                $work
            }
            2 => {
                type $B = u16;
                $work
            }
            4 => {
                type $B = u32;
                $work
            }
            8 => {
                type $B = u64;
                $work
            }
            bytes => unreachable!("elements of {bytes} bytes"),
        }
    };
}

pub(super) use with_bits;
