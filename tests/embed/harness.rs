// Reads the inputs of generated functions, and writes their outputs: part of the programs that the tests compile.

use std::fs;
use std::path::Path;

trait Bytes: Copy {
    const ZERO: Self;
    fn read(bytes: &[u8]) -> Self;
    fn write(self) -> Vec<u8>;
}

macro_rules! numbers {
    ($($T:ident)+) => {$(
        impl Bytes for $T {
            const ZERO: Self = 0 as Self;
            fn read(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().unwrap())
            }
            fn write(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
        }
    )+};
}

numbers! { f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 }

impl Bytes for bool {
    const ZERO: Self = false;
    fn read(bytes: &[u8]) -> Self {
        bytes[0] != 0
    }
    fn write(self) -> Vec<u8> {
        vec![u8::from(self)]
    }
}

fn zeros<T: Bytes, const N: usize>() -> Box<[T; N]> {
    vec![T::ZERO; N].into_boxed_slice().try_into().ok().unwrap()
}

fn read<T: Bytes, const N: usize>(path: &Path) -> Box<[T; N]> {
    let mut array = zeros();
    let bytes = fs::read(path).unwrap();
    assert_eq!(bytes.len(), N * size_of::<T>());
    for (element, bytes) in array.iter_mut().zip(bytes.chunks_exact(size_of::<T>())) {
        *element = T::read(bytes);
    }
    array
}

fn write<T: Bytes, const N: usize>(path: &Path, array: &[T; N]) {
    fs::write(path, array.iter().flat_map(|&element| element.write()).collect::<Vec<u8>>())
        .unwrap();
}
