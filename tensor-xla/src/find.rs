//! Finds plugins in the packages of an active Python environment, for the devices that the machine has.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The environment variable that names the library of a plugin.
pub(crate) const VARIABLE: &str = "TENSOR_XLA_PLUGIN";

/// The environment variables that name the folder of an active Python environment.
const ENVIRONMENTS: [&str; 2] = ["VIRTUAL_ENV", "CONDA_PREFIX"];

/// The folder of plugins that JAX finds: for each, a package with its library.
const JAX_PLUGINS: &str = "jax_plugins";

/// Other packages with plugins and their libraries.
const LIBRARIES: [&str; 4] = [
    "libtpu/libtpu.so",
    "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so",
    "fastatomstruct_xla_cpu/libpjrt_cpu.so",
    "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so",
];

/// The devices that a plugin is for. A plugin for other ones than the machine has takes minutes to say so (`libtpu`), or
/// aborts the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Hardware {
    /// Devices of this name, of which the machine has one.
    Present(&'static str),
    /// Every machine has it.
    Cpu,
    /// Devices that this crate does not know.
    Unknown,
    Absent(&'static str),
}

impl Hardware {
    /// The devices of the plugin at a path in the folder of packages, on the machine with this root folder.
    fn of(plugin: &Path, root: &Path) -> Self {
        let device = |name: &str| root.join("dev").join(name).exists();
        let numbered = |folder: &str, prefix: &str| {
            let names = sorted_entries(&root.join(folder)).into_iter();
            let names = names.filter_map(|path| path.file_name()?.to_str().map(str::to_owned));
            names.into_iter().any(|name| {
                let digits = name.strip_prefix(prefix);
                digits
                    .is_some_and(|digits| digits.starts_with(|first: char| first.is_ascii_digit()))
            })
        };
        let is_by_google = |path: &PathBuf| {
            fs::read_to_string(path.join("vendor")).is_ok_and(|vendor| vendor.trim() == "0x1ae0")
        };
        let name = plugin.to_string_lossy().to_lowercase();
        let has = |part: &str| name.contains(part);
        let (device, is_present) = if has("cuda") {
            // The last one is that of Windows Subsystem for Linux.
            ("NVIDIA GPU", ["nvidia0", "nvidiactl", "dxg"].into_iter().any(device))
        } else if has("rocm") {
            ("AMD GPU", ["kfd", "dxg"].into_iter().any(device))
        } else if has("tpu") {
            let by_google =
                sorted_entries(&root.join("sys/bus/pci/devices")).iter().any(is_by_google);
            ("TPU", by_google && (numbered("dev", "accel") || numbered("dev/vfio", "")))
        } else if has("plugin_tt") || has("tt_plugin") || has("tenstorrent") {
            ("Tenstorrent card", device("tenstorrent"))
        } else if ["xpu", "intel", "oneapi"].into_iter().any(has) {
            ("Intel GPU", device("dri"))
        } else if has("cpu") {
            return Self::Cpu;
        } else {
            return Self::Unknown;
        };
        if is_present { Self::Present(device) } else { Self::Absent(device) }
    }
}

/// The libraries of plugins.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Candidates {
    /// Those that are tried, in this order: plugins for devices of this machine, then those for CPUs, then those for devices
    /// that this crate does not know.
    pub(crate) found: Vec<PathBuf>,
    /// Those for devices that this machine does not have, each with the reason why it is not tried.
    pub(crate) left_out: Vec<String>,
}

/// The libraries of plugins in the active Python environments, given the variables of the process and the root folder of
/// the machine.
pub(crate) fn candidates(variable: impl Fn(&str) -> Option<OsString>, root: &Path) -> Candidates {
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    for environment in ENVIRONMENTS.iter().filter_map(|name| variable(name)) {
        for packages in site_packages(Path::new(&environment)) {
            let of_jax = sorted_entries(&packages.join(JAX_PLUGINS)).into_iter();
            let of_jax = of_jax.flat_map(|plugin| sorted_entries(&plugin));
            let is_library = |path: &PathBuf| path.extension().is_some_and(|end| end == "so");
            let others = LIBRARIES.iter().map(|library| packages.join(library));
            let others = others.filter(|path| path.exists());
            for path in of_jax.filter(is_library).chain(others) {
                let hardware = Hardware::of(path.strip_prefix(&packages).unwrap_or(&path), root);
                match hardware {
                    Hardware::Absent(device) => left_out.push(format!(
                        "{}: not tried, because this machine has no {device} that it shows in `/dev`; `{VARIABLE}` \
                         names a plugin that is tried in any case",
                        path.display()
                    )),
                    _ => found.push((hardware, path)),
                }
            }
        }
    }
    // Stable: those of the same kind keep their order.
    found.sort_by_key(|&(hardware, _)| match hardware {
        Hardware::Present(_) => 0,
        Hardware::Cpu => 1,
        Hardware::Unknown | Hardware::Absent(_) => 2,
    });
    Candidates { found: found.into_iter().map(|(_, path)| path).collect(), left_out }
}

/// The folders with the packages of a Python environment: `lib/python3.12/site-packages`.
fn site_packages(environment: &Path) -> Vec<PathBuf> {
    let pythons = sorted_entries(&environment.join("lib"));
    let packages = pythons.into_iter().map(|python| python.join("site-packages"));
    packages.filter(|packages| packages.is_dir()).collect()
}

/// The entries of a folder, by name; none if there is no such folder.
fn sorted_entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of one test, with these files.
    fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = format!("tensor-xla-find-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        for (file, content) in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        folder
    }

    /// The plugins of a Python environment on a machine with these files, by the names of their libraries.
    fn found_on(machine: &[(&str, &str)], name: &str) -> (Vec<String>, Vec<String>) {
        let packages = [
            "jax_plugins/pjrt_plugin_tt/pjrt_plugin_tt.so",
            "jax_plugins/xla_cuda12/xla_cuda_plugin.so",
            "jax_plugins/xla_cuda12/__init__.py",
            "jax_plugins/xla_rocm7/xla_rocm_plugin.so",
            "jax_plugins/another/another.so",
            "libtpu/libtpu.so",
            "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so",
        ];
        let packages = packages.map(|path| format!("lib/python3.12/site-packages/{path}"));
        let files: Vec<_> = packages.iter().map(|path| (path.as_str(), "")).collect();
        let (environment, root) =
            (folder(&format!("{name}-packages"), &files), folder(name, machine));
        let of = |name: &str| {
            let variable = |asked: &str| (asked == name).then(|| environment.clone().into());
            candidates(variable, &root)
        };
        let Candidates { found, left_out } = of(ENVIRONMENTS[0]);
        assert_eq!(of(ENVIRONMENTS[1]).found, found, "the other variable");
        assert_eq!(of("no variable"), Candidates::default());
        let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        let found = found.iter().map(name).collect();
        fs::remove_dir_all(environment).unwrap();
        let _ = fs::remove_dir_all(root);
        (found, left_out)
    }

    const CPU: &str = "pjrt_c_api_cpu_plugin.so";

    #[test]
    fn plugins_for_absent_devices_are_left_out() {
        let (found, left_out) = found_on(&[], "cpu");
        assert_eq!(found, [CPU, "another.so"]);
        let devices = ["Tenstorrent card", "NVIDIA GPU", "AMD GPU", "TPU"];
        assert_eq!(left_out.len(), devices.len(), "{left_out:#?}");
        for (reason, device) in left_out.iter().zip(devices) {
            assert!(reason.contains(&format!("has no {device}")), "{reason}");
            assert!(reason.contains(VARIABLE), "{reason}");
        }
    }

    #[test]
    fn plugins_for_devices_of_the_machine_are_first() {
        let found = |machine: &[(&str, &str)], name| found_on(machine, name).0;
        let cuda = found(&[("dev/nvidia0", "")], "nvidia");
        assert_eq!(cuda, ["xla_cuda_plugin.so", CPU, "another.so"]);
        assert_eq!(found(&[("dev/kfd", "")], "amd")[0], "xla_rocm_plugin.so");
        assert_eq!(found(&[("dev/tenstorrent/0", "")], "tt")[0], "pjrt_plugin_tt.so");
        let google = ("sys/bus/pci/devices/0000:00:05.0/vendor", "0x1ae0\n");
        for device in ["dev/accel0", "dev/vfio/3"] {
            assert_eq!(found(&[(device, ""), google], "tpu")[0], "libtpu.so");
            // A card of somebody else that is passed to a virtual machine.
            assert_eq!(found(&[(device, "")], "no-tpu")[0], CPU);
        }
        // A network card of Google.
        assert_eq!(found(&[("dev/vfio/vfio", ""), google], "gvnic")[0], CPU);
    }
}
