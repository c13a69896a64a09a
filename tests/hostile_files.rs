//! Files that are made to take memory and time: `Checkpoint`, `Npz` and `cargo shapes` refuse them, or read them in
//! proportion to their size.

use std::io::{Cursor, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use cargo_shapes::inspect::{Entry, model, tensors};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use tensor_core::io::{Checkpoint, Npz};

/// A line of what Linux knows of this process, in bytes; `None` on other systems.
fn status(name: &str) -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes = line.trim_start_matches(':').split_whitespace().next()?;
    Some(kilobytes.parse::<usize>().ok()? * 1024)
}

/// What took more than it may.
static FAILURES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Calls a function, which takes at most this much memory, and less than half a minute without optimisation.
fn within<R>(what: &str, bytes: usize, call: impl FnOnce() -> R) -> R {
    // Forgets the peak so far.
    let can_measure = std::fs::write("/proc/self/clear_refs", "5").is_ok();
    let (before, start) = (status("VmRSS"), Instant::now());
    let result = call();
    let (taken, peak) = (start.elapsed(), status("VmHWM"));
    if let (true, Some(before), Some(peak)) = (can_measure, before, peak) {
        let peak = peak.saturating_sub(before);
        println!("{what}: {} KiB, {taken:?}", peak / 1024);
        if peak > bytes {
            FAILURES.lock().unwrap().push(format!("{what}: {peak} bytes, at most {bytes}"));
        }
    }
    if taken > Duration::from_secs(30) {
        FAILURES.lock().unwrap().push(format!("{what}: {taken:?}"));
    }
    result
}

const MIB: usize = 1 << 20;

/// An entry of an archive: its name, its bytes in the file, whether they are deflated, and their number when they are not.
type Entries<'a> = &'a [(&'a str, &'a [u8], bool, usize)];

/// A zip archive; with `names`, each of them is an entry that has the bytes of the first.
fn archive(entries: Entries<'_>, names: &[String]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut table = Vec::new();
    let mut count = 0;
    for &(name, bytes, is_deflated, len) in entries {
        let at = file.len();
        let about = |name: &str| {
            let method: u16 = if is_deflated { 8 } else { 0 };
            let sizes = [bytes.len(), len].map(|len| u32::try_from(len).unwrap().to_le_bytes());
            let name = u16::try_from(name.len()).unwrap().to_le_bytes();
            [&[20, 0, 0, 0][..], &method.to_le_bytes(), &[0; 8], &sizes.concat(), &name, &[0; 2]]
                .concat()
        };
        file.extend([b"PK\x03\x04", &about(name)[..], name.as_bytes(), bytes].concat());
        let all = std::iter::once(name).chain(names.iter().map(|name| &name[..]));
        for name in all.take(if names.is_empty() { 1 } else { names.len() }) {
            let at = u32::try_from(at).unwrap().to_le_bytes();
            table.extend(
                [b"PK\x01\x02\x14\0", &about(name)[..], &[0; 10], &at, name.as_bytes()].concat(),
            );
            count += 1;
        }
    }
    let (count, len, at) = (count as u16, table.len() as u32, file.len() as u32);
    file.extend(table);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    file.extend([&len.to_le_bytes()[..], &at.to_le_bytes(), &[0; 2]].concat());
    file
}

/// A `.npy` file without elements.
fn npy(axes: usize) -> Vec<u8> {
    let shape = "0,".repeat(axes);
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}");
    let len = u16::try_from(header.len()).unwrap().to_le_bytes();
    [b"\x93NUMPY\x01\0", &len[..], header.as_bytes()].concat()
}

/// Both readers refuse a file, in little memory.
#[track_caller]
fn refused(what: &str, file: &[u8], bytes: usize, expected: &str) {
    let copy = file.to_vec();
    let error = within(what, bytes, || tensors(copy, "").unwrap_err());
    assert!(error.contains(expected), "{what}: {error}");
    let copy = file.to_vec();
    let error = within(what, bytes, || Checkpoint::from_bytes(copy).unwrap_err().to_string());
    assert!(error.contains(expected), "{what}: {error}");
}

/// One test, because others would take memory of the same process.
#[test]
fn memory_and_time_are_in_proportion_to_a_file() {
    headers();
    pickles();
    names();
    assert!(FAILURES.lock().unwrap().is_empty(), "{:#?}", FAILURES.lock().unwrap());
}

fn headers() {
    let many = npy(32_700);
    let one = archive(&[("x.npy", &many, false, many.len())], &[]);
    refused("axes", &one, 4 * MIB, "an array of 32700 axes, and at most 64 are read");
    let most = npy(64);
    let fits = archive(&[("x.npy", &most, false, most.len())], &[]);
    assert_eq!(tensors(fits.clone(), "").unwrap()[0].sizes, [0; 64]);
    assert_eq!(Checkpoint::from_bytes(fits).unwrap().names(), ["x"]);

    // Every entry of the table has the bytes of the same one.
    let names: Vec<String> = (0..4_000).map(|number| format!("{number:03}.npy")).collect();
    let shared = archive(&[("000.npy", &most, false, most.len())], &names[1..]);
    refused("shared", &shared, 8 * MIB, "share bytes of the file");
    let error = within("npz", 8 * MIB, || Npz::new(Cursor::new(&shared)).unwrap_err().to_string());
    assert!(error.contains("share bytes of the file"), "{error}");

    // A header of 40 MB that is deflated to 39 kB.
    let mut long = b"\x93NUMPY\x02\0".to_vec();
    long.extend(40_000_000_u32.to_le_bytes());
    long.resize(40_000_012, b' ');
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::best());
    deflated.write_all(&long).unwrap();
    let deflated = archive(&[("x.npy", &deflated.finish().unwrap(), true, long.len())], &[]);
    assert!(deflated.len() < 50_000);
    refused(
        "header",
        &deflated,
        4 * MIB,
        "a header of 40000000 bytes, and one of an array takes less",
    );

    let header = format!(
        r#"{{"x": {{"dtype": "F32", "shape": [{}0], "data_offsets": [0, 0]}}}}"#,
        "1,".repeat(64)
    );
    let file = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat();
    refused("safetensors", &file, 4 * MIB, "x: an array of 65 axes, and at most 64 are read");
}

/// The bytes of a pickle.
const PICKLE: usize = 2_000_000;

/// The most bytes of memory for each of a pickle.
const BYTES_OF_BYTE: usize = 32;

fn pickles() {
    let axes =
        b"(".iter().chain(b"K\x01".repeat(64).iter()).chain(b"t").copied().collect::<Vec<_>>();
    let tensor = [
        b"ctorch._utils\n_rebuild_tensor_v2\nq\x000((X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000NK\x01tQK\0",
        &axes[..],
        &axes,
        b"\x89}tq\x010",
    ]
    .concat();
    for (what, start, repeated) in [
        ("dicts", &b"ccollections\nOrderedDict\nq\x000"[..], &b"h\0)R"[..]),
        ("objects", b"cargparse\nNamespace\nq\x000", b"h\0)R"),
        ("tensors", &tensor, b"h\0h\x01R"),
        ("lists", b"", b"]"),
        ("items", b"", b"]Na"),
        ("tuples", b")", b"\x85"),
        ("pairs", b"]q\x000", b"h\0h\0\x86"),
        ("notes", b"N", b"\x94"),
        ("marks", b"", b"("),
        ("nothing", b"", b"N"),
        ("integers", b"", b"K\x07"),
        ("large integers", b"", b"M\0\x07"),
        ("texts", b"", b"U\0"),
        ("globals", b"", b"cc\nC\n"),
        ("named globals", b"U\x01aq\x000", b"h\0h\0\x93"),
    ] {
        let count = (PICKLE - start.len()) / repeated.len();
        let end = &b"0\x94."[..];
        let pickle = [b"\x80\x02", start, &repeated.repeat(count), end].concat();
        let file = archive(&[("x/data.pkl", &pickle, false, pickle.len())], &[]);
        let most = BYTES_OF_BYTE * file.len() + 2 * MIB;
        let copy = file.clone();
        let listed = within(what, most, || tensors(copy, "").map(|found| found.len()));
        let opened = within(what, most + file.len(), || {
            Checkpoint::from_bytes(file).map(|file| file.len()).map_err(|error| error.to_string())
        });
        assert!(listed.is_ok_and(|count| count == 0) || opened.is_err(), "{what}");
    }
    // A list of tensors with many axes, and of long names.
    let list = [b"\x80\x02", &tensor[..], b"h\0h\x01Rq\x020](", &b"h\x02".repeat(1_000_000), b"e."]
        .concat();
    let file = archive(&[("x/data.pkl", &list, false, list.len())], &[]);
    refused("list", &file, BYTES_OF_BYTE * file.len(), "the same values again and again");
}

/// Names that differ in what no field has.
fn names() {
    let count = 60_000;
    let entry = |name: String, size| Entry { name, element: "f32".to_owned(), sizes: vec![size] };
    let symbols = |number: usize| format!("{number:016b}").replace('0', "-").replace('1', "+");
    let fields: Vec<Entry> =
        (0..count).map(|number| entry(format!("a{}", symbols(number)), 2)).collect();
    let text = within("fields", 200 * MIB, || model(&fields));
    assert_eq!(text.matches("\n    pub a_").count(), count);
    let structs: Vec<Entry> =
        (0..count).map(|number| entry(format!("a{}.w", symbols(number)), number as u64)).collect();
    let text = within("structs", 200 * MIB, || model(&structs));
    assert_eq!(text.matches("\npub struct A").count(), count);
}
