//! The requirements on readers for any bytes: no panic, no more memory than the data need, and a
//! tensor that was read can be used, written and read again. The fuzz targets and
//! `tests/fuzz_corpus.rs` call these functions.
#![allow(dead_code, reason = "each fuzz target calls one of them")]

use std::collections::BTreeSet;
use std::io::{self, Cursor, Read};

use half::{bf16, f16};
use tensor_core::io::{Checkpoint, FileElement, Npz, Problem, ReadError};
use tensor_core::{DynTensor, Tensor, axis, shape};

axis!(Rows);

/// The entries that are read of a file: more of them are more of the same.
const ENTRIES: usize = 8;

/// Calls a function for all element types.
macro_rules! for_all_elements {
    ($function:ident($($argument:expr),*)) => {
        $function::<f32>($($argument),*);
        $function::<f64>($($argument),*);
        $function::<f16>($($argument),*);
        $function::<bf16>($($argument),*);
        $function::<i8>($($argument),*);
        $function::<i16>($($argument),*);
        $function::<i32>($($argument),*);
        $function::<i64>($($argument),*);
        $function::<u8>($($argument),*);
        $function::<u16>($($argument),*);
        $function::<u32>($($argument),*);
        $function::<u64>($($argument),*);
        $function::<bool>($($argument),*);
    };
}

/// A reader that gives a few bytes at a time, as a network does.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.0.len()).min(7);
        let (now, later) = self.0.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.0 = later;
        Ok(count)
    }
}

/// The bytes of an array as a `.npy` file; none if NumPy has no such type.
fn written<T: FileElement>(array: &DynTensor<T>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    array.write_npy(&mut bytes).is_ok().then_some(bytes)
}

/// The result is a valid tensor.
fn assert_usable<T: FileElement>(array: &DynTensor<T>) {
    let sizes = array.sizes();
    let count = if sizes.contains(&0) { 0 } else { sizes.iter().product() };
    assert_eq!(array.len(), count);
    assert_eq!(array.to_vec().len(), count);
    assert_eq!(array.iter().count(), count);
    if count <= 100 {
        assert!(!format!("{array:?}{array}").is_empty());
    }
    if let Some(bytes) = written(array) {
        let again = DynTensor::<T>::read_npy(&bytes[..]).expect("what was written is read");
        assert_eq!(again.sizes(), array.sizes());
        // Bytes, as NaN is not equal to itself.
        assert!(written(&again) == Some(bytes), "what was written is what is read");
    }
}

/// An error has a message.
fn assert_said(error: &ReadError) {
    assert!(!error.to_string().is_empty());
    assert!(!format!("{error:?}").is_empty());
}

/// A result is a valid tensor, or an error with a message.
fn check<T: FileElement>(result: &Result<DynTensor<T>, ReadError>) {
    match result {
        Ok(array) => assert_usable(array),
        Err(error) => assert_said(error),
    }
}

/// Bytes as a `.npy` file.
pub fn npy(bytes: &[u8]) {
    fn of<T: FileElement>(bytes: &[u8]) {
        let result = DynTensor::<T>::read_npy(bytes);
        check(&result);
        if let Err(error) = &result
            && matches!(error.problem(), Problem::ElementType { .. })
        {
            return;
        }
        let slowly = DynTensor::<T>::read_npy(Trickle(bytes));
        match (&result, slowly) {
            (Ok(array), Ok(slowly)) => {
                assert!(written(array) == written(&slowly), "the same in small parts");
            }
            (Err(error), Err(slowly)) => assert_eq!(error.to_string(), slowly.to_string()),
            _ => panic!("small parts are read differently"),
        }
        // Types that fit some of what is read.
        let pair = Tensor::<shape![2], T>::read_npy(bytes);
        let rows = Tensor::<shape![Rows, 3], T>::read_npy(bytes);
        if let Ok(array) = &result {
            assert_eq!(pair.is_ok(), array.sizes() == [2]);
            assert_eq!(rows.is_ok(), matches!(array.sizes(), [_, 3]));
        } else {
            assert!(pair.is_err() && rows.is_err());
        }
    }
    for_all_elements!(of(bytes));
}

/// Bytes as a `.npz` file.
pub fn npz(bytes: &[u8]) {
    fn of<T: FileElement>(npz: &mut Npz<Cursor<&[u8]>>, name: &str) {
        check(&npz.dyn_tensor::<T>(name));
    }
    match Npz::new(Cursor::new(bytes)) {
        Ok(mut npz) => {
            assert!(!format!("{npz:?}").is_empty());
            for name in npz.names().iter().take(ENTRIES) {
                for_all_elements!(of(&mut npz, name));
                let _ =
                    npz.tensor::<shape![Rows, 3], f32>(name).map_err(|error| assert_said(&error));
            }
            assert!(npz.names().iter().any(String::is_empty) || npz.dyn_tensor::<f32>("").is_err());
        }
        Err(error) => assert_said(&error),
    }
}

/// Bytes as a file of `torch.save`.
pub fn pt(bytes: &[u8]) {
    checkpoint(bytes);
}

/// Bytes as the pickle in such a file: a few values, each with a name, and a slot for each of its
/// elements.
pub fn pickle(bytes: &[u8]) {
    match tensor_files::pickle::read(bytes) {
        Ok(tensor_files::pickle::Contents { tensors, .. }) => {
            let names: BTreeSet<&str> = tensors.iter().map(|tensor| &tensor.name[..]).collect();
            assert_eq!(names.len(), tensors.len());
            let names: usize = names.iter().map(|name| name.len()).sum();
            assert!(names <= 16 * bytes.len(), "names of {names} bytes");
            for tensor in tensors.iter().take(ENTRIES) {
                assert_eq!(tensor.sizes.len(), tensor.strides.len());
                let last = tensor.sizes.iter().zip(&tensor.strides);
                let last = last.fold(0_u64, |last, (size, stride)| {
                    last.saturating_add(size.saturating_sub(1).saturating_mul(*stride))
                });
                let count =
                    tensor.sizes.iter().fold(1_u64, |count, size| count.saturating_mul(*size));
                let mut axes = tensor.sizes.iter().zip(&tensor.strides);
                let is_expanded = axes.any(|(&size, &stride)| size > 1 && stride == 0);
                let most = if is_expanded { 1 << 22 } else { last.saturating_add(1) };
                assert!(count <= most, "no element twice: {tensor:?}");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Bytes as a `.safetensors` file.
pub fn safetensors(bytes: &[u8]) {
    checkpoint(bytes);
}

/// Bytes as a file of which `cargo shapes model` reads the header alone.
pub fn inspect(bytes: &[u8]) {
    match cargo_shapes::inspect::tensors(bytes.to_vec(), "") {
        Ok(entries) => {
            let source = cargo_shapes::inspect::model(&entries);
            assert_eq!(source.matches("pub struct Model {").count(), 1, "{source}");
        }
        Err(error) => assert!(!error.is_empty()),
    }
}

/// Bytes as a file of named tensors.
fn checkpoint(bytes: &[u8]) {
    fn of<T: FileElement>(checkpoint: &Checkpoint, name: &str) {
        let result = checkpoint.dyn_tensor::<T>(name);
        check(&result);
        let mut tensor = DynTensor::<T>::from_vec(&[0], Vec::new()).expect("no elements");
        match checkpoint.load_into(&mut [(name, &mut tensor)]) {
            Ok(()) => assert_eq!(tensor.sizes(), result.expect("what is loaded is read").sizes()),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert_eq!(tensor.sizes(), [0], "an error leaves tensors as they are");
            }
        }
    }
    match Checkpoint::from_bytes(bytes.to_vec()) {
        Ok(checkpoint) => {
            assert!(!format!("{checkpoint:?}").is_empty());
            assert_eq!(checkpoint.is_empty(), checkpoint.names().is_empty());
            assert_eq!(checkpoint.names().len(), checkpoint.len());
            let _ = checkpoint.metadata();
            for name in checkpoint.names().iter().take(ENTRIES) {
                for_all_elements!(of(&checkpoint, name));
            }
        }
        Err(error) => assert_said(&error),
    }
}
