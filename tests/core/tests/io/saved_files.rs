//! The effect of writing on the file that is replaced: its mode, links to it, and its contents if the new
//! one cannot be completed. The same for all formats.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use half::bf16;
use tensor_core::io::{Checkpoint, Npz, NpzWriter};
use tensor_core::{DynTensor, Tensor, shape};

/// A format: how it is written and read.
struct Format {
    name: &'static str,
    save: fn(&Path, &DynTensor<f32>) -> io::Result<()>,
    load: fn(&Path) -> DynTensor<f32>,
}

const FORMATS: [Format; 5] = [
    Format {
        name: "npy",
        save: |path, x| x.save_npy(path),
        load: |path| DynTensor::load_npy(path).unwrap(),
    },
    Format {
        name: "typed.npy",
        save: |path, x| Tensor::<shape![4], f32>::try_from(x.clone()).unwrap().save_npy(path),
        load: |path| DynTensor::load_npy(path).unwrap(),
    },
    Format {
        name: "npz",
        save: |path, x| {
            let mut file = NpzWriter::create(path)?;
            file.add("x", x)?;
            file.finish().map(drop)
        },
        load: |path| Npz::open(path).unwrap().dyn_tensor("x").unwrap(),
    },
    Format {
        name: "safetensors",
        save: |path, x| Checkpoint::save(path, &[("x", x)]),
        load: |path| Checkpoint::open(path).unwrap().dyn_tensor("x").unwrap(),
    },
    Format {
        name: "torch.pt",
        save: |path, x| Checkpoint::save(path, &[("x", x)]),
        load: |path| Checkpoint::open(path).unwrap().dyn_tensor("x").unwrap(),
    },
];

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("saved_files").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn four(value: f32) -> DynTensor<f32> {
    DynTensor::full(&[4], value)
}

#[test]
fn modes() {
    let folder = folder("modes");
    File::create(folder.join("usual")).unwrap();
    for Format { name, save, load } in &FORMATS {
        let path = folder.join(name);
        save(&path, &four(1.0)).unwrap();
        assert_eq!(mode(&path), mode(&folder.join("usual")), "{name}");
        for own in [0o640, 0o755, 0o600, 0o666] {
            fs::set_permissions(&path, fs::Permissions::from_mode(own)).unwrap();
            save(&path, &four(2.0)).unwrap();
            assert_eq!(mode(&path), own, "{name}");
        }
        assert_eq!(load(&path), four(2.0));
    }
    assert_eq!(names(&folder).len(), 1 + FORMATS.len());
}

#[test]
fn symbolic_links_are_followed() {
    let folder = folder("links");
    fs::create_dir(folder.join("in")).unwrap();
    for Format { name, save, load } in &FORMATS {
        let (file, link) = (folder.join("in").join(name), folder.join(name));
        let twice = folder.join(format!("twice.{name}"));
        // Relative to the folder of the link, and to a file that is not there yet.
        symlink(Path::new("in").join(name), &link).unwrap();
        symlink(name, &twice).unwrap();
        for (value, path) in [(1.0, &twice), (2.0, &link), (3.0, &twice)] {
            save(path, &four(value)).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "{name}");
            assert!(fs::symlink_metadata(&twice).unwrap().is_symlink(), "{name}");
            assert!(fs::symlink_metadata(&file).unwrap().is_file(), "{name}");
            assert_eq!(load(&file), four(value), "{name}");
        }
    }
    assert_eq!(names(&folder.join("in")).len(), FORMATS.len());
    let round = folder.join("round");
    symlink("round", &round).unwrap();
    assert!(FORMATS.iter().all(|format| (format.save)(&round, &four(1.0)).is_err()));
}

#[test]
fn pipes_and_devices_are_written_to() {
    let folder = folder("pipes");
    for Format { name, save, load } in &FORMATS {
        let pipe = folder.join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = {
            let pipe = pipe.clone();
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                File::open(pipe).unwrap().read_to_end(&mut bytes).unwrap();
                bytes
            })
        };
        save(&pipe, &four(1.5)).unwrap();
        assert!(!fs::metadata(&pipe).unwrap().is_file(), "{name}");
        let copy = folder.join("copy");
        fs::write(&copy, reader.join().unwrap()).unwrap();
        assert_eq!(load(&copy), four(1.5), "{name}");
        fs::remove_file(&pipe).unwrap();
        fs::remove_file(&copy).unwrap();

        let link = folder.join("device");
        symlink("/dev/null", &link).unwrap();
        save(&link, &four(1.0)).unwrap();
        assert!(fs::symlink_metadata("/dev/null").unwrap().mode() & 0o170000 == 0o020000);
        fs::remove_file(&link).unwrap();
        assert!(save(&folder, &four(1.0)).is_err(), "a folder");
        if Path::new("/dev/full").exists() {
            let full = save(Path::new("/dev/full"), &four(1.0)).unwrap_err();
            assert_eq!(full.kind(), io::ErrorKind::StorageFull, "{name}");
        }
    }
    assert_eq!(names(&folder), [""; 0]);
}

/// A process that may write files of 64 KiB at most, as if the disk were then full.
#[test]
fn a_full_disk_loses_nothing() {
    const FOLDER: &str = "SAVED_FILES_FOLDER";
    if let Some(folder) = std::env::var_os(FOLDER) {
        let limit = libc::rlimit { rlim_cur: 1 << 16, rlim_max: 1 << 16 };
        // SAFETY: both change how this process writes files, and read no memory but the limit.
        unsafe {
            assert_ne!(libc::signal(libc::SIGXFSZ, libc::SIG_IGN), libc::SIG_ERR);
            assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &limit), 0);
        }
        for Format { name, save, .. } in FORMATS.iter().filter(|format| format.name != "typed.npy")
        {
            let error = save(&Path::new(&folder).join(name), &DynTensor::full(&[1 << 16], 2.0));
            assert_eq!(error.unwrap_err().kind(), io::ErrorKind::FileTooLarge, "{name}");
        }
        return;
    }
    let folder = folder("full");
    for Format { name, save, .. } in &FORMATS {
        save(&folder.join(name), &four(1.0)).unwrap();
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "saved_files::a_full_disk_loses_nothing"]).env(FOLDER, &folder);
    let output = child.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    for Format { name, load, .. } in &FORMATS {
        assert_eq!(load(&folder.join(name)), four(1.0), "{name}");
    }
    assert_eq!(names(&folder).len(), FORMATS.len());
}

#[test]
fn errors_name_the_path() {
    let folder = folder("errors");
    for Format { name, save, .. } in &FORMATS {
        let path = folder.join("no folder").join(name);
        let error = save(&path, &four(1.0)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(error.to_string().starts_with(&format!("{}: ", path.display())), "{error}");
        if Path::new("/dev/full").exists() {
            let full = save(Path::new("/dev/full"), &four(1.0)).unwrap_err().to_string();
            assert_eq!(full.matches("/dev/full: ").count(), 1, "{name}: {full}");
        }
    }
}

#[test]
fn an_archive_that_is_not_finished_is_not_there() {
    let folder = folder("unfinished");
    let path = folder.join("x.npz");
    let mut file = NpzWriter::create(&path).unwrap();
    file.add("x", &four(1.0)).unwrap();
    drop(file);
    assert_eq!(names(&folder), [""; 0]);
    (FORMATS[2].save)(&path, &four(1.0)).unwrap();
    let mut file = NpzWriter::create(&path).unwrap();
    file.add("x", &four(2.0)).unwrap();
    assert_eq!((FORMATS[2].load)(&path), four(1.0));
    file.finish().unwrap();
    assert_eq!((FORMATS[2].load)(&path), four(2.0));
    assert_eq!(names(&folder), ["x.npz"]);
}

#[test]
fn an_array_that_is_refused_leaves_no_entry() {
    let mut file = NpzWriter::new(Cursor::new(Vec::new()));
    let error = file.add("x", &DynTensor::full(&[2], bf16::ONE)).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::Unsupported);
    assert!(file.add(&"y".repeat(70_000), &four(1.0)).is_err());
    file.add("x", &four(3.0)).unwrap();
    let error = file.add("x", &four(4.0)).unwrap_err();
    assert_eq!(error.to_string(), "two arrays have the name `x`");
    file.add("z", &four(5.0)).unwrap();
    let mut npz = Npz::new(file.finish().unwrap()).unwrap();
    assert_eq!(npz.names(), ["x", "z"]);
    assert_eq!(npz.dyn_tensor::<f32>("x").unwrap(), four(3.0));
    assert_eq!(npz.dyn_tensor::<f32>("z").unwrap(), four(5.0));
}
