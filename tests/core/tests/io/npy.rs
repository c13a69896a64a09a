//! `.npy` and `.npz`: files of NumPy, our own, and such as no program should have written.

use std::io::{self, Cursor, Read};
use std::path::PathBuf;
use std::process::Command;

use proptest::prelude::*;
use tensor_core::element::Number;
use tensor_core::io::{FileElement, Npz, NpzWriter, Problem};
use tensor_core::{DynTensor, Tensor, axis, shape, tensor};

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)
}

/// The elements of the arrays that `tests/files/write.py` writes; unsigned integers wrap around.
fn numbers<T: Number>(count: usize) -> Vec<T> {
    let minus_seven = T::from_f64(0.0).sub(T::from_f64(7.0));
    (0..count).map(|index| T::from_f64(3.0 * index as f64).add(minus_seven)).collect()
}

fn assert_reads<T: FileElement>(npz: &mut Npz<impl Read + io::Seek>, kind: &str, expected: Vec<T>) {
    for order in ["c", "fortran", "big"] {
        let array: DynTensor<T> = npz.dyn_tensor(&format!("{kind}_{order}")).unwrap();
        assert_eq!(array.sizes(), [2, 3, 4], "{kind}_{order}");
        assert_eq!(array.to_vec(), expected, "{kind}_{order}");
    }
}

#[test]
fn arrays_of_numpy_are_read() {
    let mut npz = Npz::open(file("numpy.npz")).unwrap();
    assert_eq!(npz.names().len(), 12 * 3 + 4);
    assert_reads::<f32>(&mut npz, "f4", numbers(24));
    assert_reads::<f64>(&mut npz, "f8", numbers(24));
    assert_reads::<i8>(&mut npz, "i1", numbers(24));
    assert_reads::<i16>(&mut npz, "i2", numbers(24));
    assert_reads::<i32>(&mut npz, "i4", numbers(24));
    assert_reads::<i64>(&mut npz, "i8", numbers(24));
    assert_reads::<u8>(&mut npz, "u1", numbers(24));
    assert_reads::<u16>(&mut npz, "u2", numbers(24));
    assert_reads::<u32>(&mut npz, "u4", numbers(24));
    assert_reads::<u64>(&mut npz, "u8", numbers(24));
    assert_reads::<bool>(&mut npz, "b1", (0..24).map(|index| index % 3 == 0).collect());
    assert_reads::<half::f16>(&mut npz, "f2", numbers(24));

    let rank_0: Tensor<(), f32> = npz.tensor("rank_0").unwrap();
    assert_eq!(rank_0.item(), -7.0);
    let rank_1: Tensor<shape![5]> = npz.tensor("rank_1").unwrap();
    assert_eq!(rank_1, tensor![-7.0, -4.0, -1.0, 2.0, 5.0]);
    let empty: Tensor<shape![2, 0, 3]> = npz.tensor("empty").unwrap();
    assert!(empty.is_empty());
    let ones: Tensor<shape![1, 4, 1]> = npz.tensor("ones").unwrap();
    assert_eq!(ones.to_vec(), [-7.0, -4.0, -1.0, 2.0]);

    let mut npz = Npz::open(file("numpy_compressed.npz")).unwrap();
    assert_eq!(npz.dyn_tensor::<f32>("x").unwrap().to_vec(), numbers::<f32>(600));
}

#[test]
fn all_versions_of_the_format_are_read() {
    for version in 1..=3 {
        let x = DynTensor::<i32>::load_npy(file(&format!("version_{version}.npy"))).unwrap();
        assert_eq!((x.sizes(), x.to_vec()), (&[2, 3][..], numbers(6)));
    }
}

/// Where Python has NumPy, it reads what we write, bit for bit.
#[test]
fn numpy_reads_what_we_write() {
    let folder = std::env::temp_dir().join(format!("tensor-core-npy-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let x = DynTensor::from(tensor![[1.5_f32, -0.0, f32::NAN], [f32::INFINITY, 1e-45, 3.0]]);
    x.save_npy(folder.join("x.npy")).unwrap();
    let mut npz = NpzWriter::create(folder.join("x.npz")).unwrap().compressed();
    npz.add("mask", &tensor![true, false].into()).unwrap();
    npz.add("scalar", &DynTensor::full(&[], i64::MIN)).unwrap();
    npz.finish().unwrap();

    let program = "import sys, numpy as np
x = np.load(sys.argv[1] + '/x.npy')
assert x.dtype == np.float32 and x.shape == (2, 3), (x.dtype, x.shape)
assert x.view(np.uint32).tolist() == [[0x3fc00000, 0x80000000, 0x7fc00000], [0x7f800000, 1, 0x40400000]]
z = np.load(sys.argv[1] + '/x.npz')
assert z['mask'].tolist() == [True, False] and z['mask'].dtype == bool
assert z['scalar'].shape == () and z['scalar'] == -2**63
print('read')";
    let has_numpy = |python: &&&str| {
        Command::new(python).args(["-c", "import numpy"]).output().is_ok_and(|o| o.status.success())
    };
    if let Some(python) = ["python3", "python"].iter().find(has_numpy) {
        let output = Command::new(python).args(["-c", program]).arg(&folder).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "read\n", "{output:?}");
    }
    // The same bytes as NumPy's own file.
    let ours = {
        let mut bytes = Vec::new();
        DynTensor::from_vec(&[2, 3], numbers::<i32>(6)).unwrap().write_npy(&mut bytes).unwrap();
        bytes
    };
    assert_eq!(ours, std::fs::read(file("version_1.npy")).unwrap());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn views_are_written_in_row_major_order() {
    let x = tensor![[1_i16, 2, 3], [4, 5, 6]];
    let mut bytes = Vec::new();
    x.transpose().write_npy(&mut bytes).unwrap();
    let read: Tensor<shape![3, 2], i16> = Tensor::read_npy(&bytes[..]).unwrap();
    assert_eq!(read, tensor![[1, 4], [2, 5], [3, 6]]);
}

/// A reader of a stream continues after the array.
#[test]
fn two_arrays_in_one_stream() {
    let mut bytes = Vec::new();
    tensor![1_u8, 2].write_npy(&mut bytes).unwrap();
    tensor![3_u8].write_npy(&mut bytes).unwrap();
    let mut reader = &bytes[..];
    assert_eq!(DynTensor::<u8>::read_npy(&mut reader).unwrap().to_vec(), [1, 2]);
    assert_eq!(DynTensor::<u8>::read_npy(&mut reader).unwrap().to_vec(), [3]);
    assert!(reader.is_empty());
}

fn npy(version: [u8; 2], header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend(version);
    match version[0] {
        1 => bytes.extend((header.len() as u16).to_le_bytes()),
        _ => bytes.extend((header.len() as u32).to_le_bytes()),
    }
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn headers_as_other_programs_write_them() {
    for header in [
        "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }\n",
        "{\"shape\":(2,),\"fortran_order\":False,\"descr\":\"<i2\"}",
        "  { 'fortran_order' : True , 'shape' : ( 2L , ) , 'descr' : '<i2' }  ",
        "{'descr': '=i2', 'fortran_order': False, 'shape': (2)}",
    ] {
        let read = DynTensor::<i16>::read_npy(&npy([1, 0], header, &[1, 0, 2, 0])[..]);
        assert_eq!(read.unwrap().to_vec(), [1, 2], "{header}");
    }
    let bytes = npy([1, 0], "{'descr': '|?', 'fortran_order': False, 'shape': (2,)}", &[1, 0]);
    assert_eq!(DynTensor::<bool>::read_npy(&bytes[..]).unwrap().to_vec(), [true, false]);
}

#[test]
fn malformed_files_are_errors_that_say_what_is_wrong() {
    let ok = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}";
    let with = |shape: &str| ok.replace("(2,)", shape);
    let nested = format!("{{'descr': {}", "[".repeat(60_000));
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (vec![], "the file ends within its header"),
        (b"\x93NUM".to_vec(), "the file ends within its header"),
        (b"\x93NUMPY\x01\x00\xff".to_vec(), "the file ends within its header"),
        (b"\x93NUMPY\x01\x00\xff\x00{".to_vec(), "the file ends within its header"),
        (
            b"\x93NUMPX\x01\x00\x00\x00".to_vec(),
            "not a .npy file: it begins with [93, 4e, 55, 4d, 50, 58]",
        ),
        (npy([4, 0], ok, &[]), "version 4.0 of the .npy format, and 1.0 to 3.0 are known"),
        (npy([1, 7], ok, &[]), "version 1.7 of the .npy format, and 1.0 to 3.0 are known"),
        (
            b"\x93NUMPY\x02\x00\xff\xff\xff\xff".to_vec(),
            "a header of 4294967295 bytes, and one of an array takes less than 65536",
        ),
        (npy([1, 0], "", &[]), "the header is malformed at byte 0: expected `{`, found \"\""),
        (npy([1, 0], "{}", &[]), "the header has no `descr`"),
        (npy([1, 0], "{'descr': '<f4'}", &[]), "the header has no `fortran_order`"),
        (
            npy([1, 0], "{'descr': '<f4', 'descr': '<f4'}", &[]),
            "the header is malformed at byte 31: `descr` is given twice, found \"}\"",
        ),
        (
            npy([1, 0], "{'dtype': '<f4'}", &[]),
            "the header is malformed at byte 9: unknown key `dtype`, found \"'<f4'}\"",
        ),
        (
            npy([1, 0], "{'descr': '<f4", &[]),
            "the header is malformed at byte 10: a string without an end, found \"'<f4\"",
        ),
        (
            npy([1, 0], &nested, &[]),
            "the elements are records with several fields: save each field as an array of its own",
        ),
        (
            npy([1, 0], &with("(-1,)"), &[]),
            "the header is malformed at byte 51: expected a size, found \"-1,)}\"",
        ),
        (
            npy([1, 0], &with("(18446744073709551616,)"), &[]),
            "the header is malformed at byte 51: expected a size, found \"18446744073709551616\"",
        ),
        (
            npy([1, 0], &with("(4294967296, 4294967296)"), &[]),
            "a tensor of shape [4294967296, 4294967296] does not fit into memory",
        ),
        (
            npy([1, 0], &with("(9223372036854775807,)"), &[0; 64]),
            "a tensor of shape [9223372036854775807] does not fit into memory",
        ),
        // Within what an address reaches, and more than there is: memory is not taken for it.
        (
            npy([1, 0], &with("(1099511627776,)"), &[0; 64]),
            "the elements take 4398046511104 bytes, and the file ends after 64",
        ),
        (npy([1, 0], ok, &[0; 7]), "the elements take 8 bytes, and the file ends after 7"),
        (
            npy([1, 0], &format!("{ok} {{"), &[0; 8]),
            "the header is malformed at byte 56: nothing may follow `}`, found \"{\"",
        ),
        (
            npy([1, 0], &ok.replace("<f4", "<f8"), &[0; 16]),
            "the elements are f64, not f32: read them as what they are, then `cast`",
        ),
        (
            npy([1, 0], &ok.replace("<f4", "<c8"), &[0; 16]),
            "no element type here is NumPy's `c8`: convert them with `astype` before they are saved",
        ),
        (
            npy([1, 0], &ok.replace("<f4", "|O"), &[0; 16]),
            "no element type here is NumPy's `O`: convert them with `astype` before they are saved",
        ),
    ];
    for (bytes, message) in cases {
        let error = DynTensor::<f32>::read_npy(&bytes[..]).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    let bytes = npy([1, 0], "{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}", &[1, 2]);
    let error = DynTensor::<bool>::read_npy(&bytes[..]).unwrap_err();
    assert_eq!(error.to_string(), "a bool is byte 0 or 1, not 2");
    // A size of 0 leaves no element, however large the others are.
    let header = with("(18446744073709551615, 18446744073709551615, 0)");
    let empty = DynTensor::<f32>::read_npy(&npy([1, 0], &header, &[])[..]).unwrap();
    assert_eq!(empty.sizes(), [usize::MAX, usize::MAX, 0]);
}

#[test]
fn a_reader_that_fails_or_gives_little_at_a_time() {
    struct Slow<'a>(&'a [u8], u32);
    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            match self.1 % 3 {
                0 => Err(io::ErrorKind::Interrupted.into()),
                _ => {
                    let one = out.len().min(1);
                    self.0.read(&mut out[..one])
                }
            }
        }
    }
    let mut bytes = Vec::new();
    tensor![1.0, 2.0, 3.0].write_npy(&mut bytes).unwrap();
    assert_eq!(DynTensor::<f64>::read_npy(Slow(&bytes, 0)).unwrap().to_vec(), [1.0, 2.0, 3.0]);

    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is on fire"))
        }
    }
    let error = DynTensor::<f64>::read_npy(bytes[..140].chain(Broken)).unwrap_err();
    assert!(matches!(error.problem(), Problem::Io(_)));
    assert_eq!(error.to_string(), "the disk is on fire");
}

#[test]
fn archives_that_are_none() {
    let mut writer = NpzWriter::new(Cursor::new(Vec::new()));
    writer.add("x", &DynTensor::full(&[100], 0.5_f32)).unwrap();
    let bytes = writer.finish().unwrap().into_inner();
    for end in 0..bytes.len() {
        // The table of contents is at the end.
        assert!(Npz::new(Cursor::new(&bytes[..end])).is_err(), "{end}");
    }
    for place in 0..bytes.len() {
        let mut broken = bytes.clone();
        broken[place] ^= 0x55;
        // Whatever is wrong is an error, or nothing that matters.
        if let Ok(mut npz) = Npz::new(Cursor::new(&broken)) {
            for name in npz.names() {
                let _ = npz.dyn_tensor::<f32>(&name);
            }
        }
    }
    let mut npz = Npz::new(Cursor::new(&bytes)).unwrap();
    let error = npz.tensor::<shape![99], f32>("x").unwrap_err();
    assert_eq!(error.to_string(), "x: axis 0 has size 99 in the type, 100 in the data");
    let error = npz.dyn_tensor::<f32>("y").unwrap_err();
    assert_eq!(error.to_string(), "no `y`; there are `x`");
}

/// One bit of an element, and one byte too many: neither is what was written.
#[test]
fn archives_whose_entries_were_changed() {
    let mut file = NpzWriter::new(Cursor::new(Vec::new()));
    file.add("x", &DynTensor::full(&[8], 0x5a_u8)).unwrap();
    let mut bytes = file.finish().unwrap().into_inner();
    let first = bytes.windows(8).position(|window| window == [0x5a; 8]).unwrap();
    bytes[first] ^= 1;
    let error = Npz::new(Cursor::new(bytes)).unwrap().dyn_tensor::<u8>("x").unwrap_err();
    assert!(matches!(error.problem(), Problem::Io(_)), "{error}");
    assert!(error.to_string().starts_with("x: "), "{error}");

    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("x.npy", zip::write::SimpleFileOptions::default()).unwrap();
    DynTensor::full(&[2], 1.0_f32).write_npy(&mut archive).unwrap();
    io::Write::write_all(&mut archive, b"!").unwrap();
    let bytes = archive.finish().unwrap().into_inner();
    let error = Npz::new(Cursor::new(bytes)).unwrap().dyn_tensor::<f32>("x").unwrap_err();
    assert_eq!(error.to_string(), "x: more bytes follow the elements");
}

#[test]
fn a_named_axis_takes_its_size_from_the_file() {
    axis!(Batch);
    let mut bytes = Vec::new();
    Tensor::<shape![5, 3]>::ones().write_npy(&mut bytes).unwrap();
    let x: Tensor<shape![Batch, 3]> = Tensor::read_npy(&bytes[..]).unwrap();
    assert_eq!(x.shape(), shape![Batch(5), 3]);
}

#[test]
fn numpy_has_no_bf16() {
    let path = std::env::temp_dir().join("tensor-core-bf16.npy");
    let error = Tensor::<shape![2], half::bf16>::ones().save_npy(&path).unwrap_err();
    assert_eq!(error.to_string(), "NumPy has no bf16: `cast` to f32 first");
    assert!(!path.exists());
}

proptest! {
    #[test]
    fn what_is_written_is_read(sizes in proptest::collection::vec(0_usize..5, 0..5), seed: u64) {
        let count = sizes.iter().product::<usize>();
        let elements: Vec<u64> = (0..count as u64).map(|index| seed.wrapping_mul(index | 1)).collect();
        let x = DynTensor::from_vec(&sizes, elements).unwrap();
        let mut bytes = Vec::new();
        x.write_npy(&mut bytes).unwrap();
        prop_assert_eq!(bytes.len() % 64, count * 8 % 64);
        prop_assert_eq!(DynTensor::<u64>::read_npy(&bytes[..]).unwrap(), x);
    }

    #[test]
    fn any_bytes_are_an_array_or_an_error(header in "[ {}'():,a-z<4TFalsertu0-9]{0,80}", version in 0_u8..4) {
        let _ = DynTensor::<f32>::read_npy(&npy([version, 0], &header, &[0; 100])[..]);
    }
}
