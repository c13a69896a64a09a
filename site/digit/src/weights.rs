//! The weights: for each tensor in the order of the module, a scale for each row, and a byte for each element.

use tensor_core::module::Module;
use tensor_core::random::Generator;

use crate::reader::Reader;

/// What `examples/quantise.rs` writes.
static FILE: &[u8] = include_bytes!("../weights.bin");

/// The network with the weights of the file.
///
/// # Panics
///
/// If the file is not that of the network, which a test excludes.
pub fn read() -> Reader {
    let mut reader = Reader::new(&mut Generator::seed(0));
    let mut file = FILE;
    for (name, _, tensor) in reader.tensors_mut() {
        let rows = rows(&tensor.sizes());
        let elements = tensor.as_mut_slice::<f32>().unwrap_or_else(|| panic!("{name}: not of f32"));
        let (scales, rest) = file.split_at(4 * rows);
        let (bytes, rest) = rest.split_at(elements.len());
        file = rest;
        let columns = elements.len() / rows;
        for (row, scale) in scales.as_chunks::<4>().0.iter().enumerate() {
            let scale = f32::from_le_bytes(*scale);
            for at in row * columns..(row + 1) * columns {
                elements[at] = scale * f32::from(bytes[at].cast_signed());
            }
        }
    }
    assert!(file.is_empty(), "{} bytes of weights too many", file.len());
    reader
}

/// The file of a network.
///
/// # Panics
///
/// Never: the tensors of the network are of `f32`.
pub fn write(mut reader: Reader) -> Vec<u8> {
    let mut file = Vec::new();
    for (name, _, tensor) in reader.tensors_mut() {
        let rows = rows(&tensor.sizes());
        let elements = tensor.as_mut_slice::<f32>().unwrap_or_else(|| panic!("{name}: not of f32"));
        let columns = elements.len() / rows;
        let largest = |row: &[f32]| row.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
        let scales: Vec<f32> = elements.chunks(columns).map(|row| largest(row) / 127.0).collect();
        file.extend(scales.iter().flat_map(|scale| scale.to_le_bytes()));
        for (row, scale) in elements.chunks(columns).zip(&scales) {
            let byte = |x: &f32| ((x / scale.max(f32::MIN_POSITIVE)).round() as i8).cast_unsigned();
            file.extend(row.iter().map(byte));
        }
    }
    file
}

/// The number of rows with a scale of their own: those of the first axis of a matrix, one for a vector.
fn rows(sizes: &[usize]) -> usize {
    if sizes.len() > 1 { sizes[0] } else { 1 }
}
