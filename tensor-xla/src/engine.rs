//! Engines: a plugin and its devices.

use core::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::Error;
use crate::find::{self, Candidates};
use crate::mesh::Mesh;
use crate::pjrt::{Client, ClientOption, Plugin};

/// A PJRT plugin and its devices, on which programs are compiled and run. Clones share both.
///
/// ```no_run
/// use tensor_xla::{Buffer, Engine, Signature};
///
/// let engine = Engine::find()?;
/// let text = "
///     func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
///       %0 = stablehlo.add %x, %y : tensor<3xf32>
///       return %0 : tensor<3xf32>
///     }";
/// let add = engine.compile(text, &Signature::of_text(text)?)?;
/// let x = Buffer::from_slice(&engine, add.signature().inputs()[0].tensor_type(), &[1.0_f32, 2.0, 3.0])?;
/// let sums = add.call([&x, &x])?;
/// assert_eq!(sums[0].to_vec::<f32>()?, [2.0, 4.0, 6.0]);
/// # Ok::<(), tensor_xla::Error>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    client: Arc<Client>,
    facts: Arc<Facts>,
    /// Where programs are kept once they are compiled.
    cache: Option<Arc<Path>>,
}

/// The properties of a plugin.
struct Facts {
    path: PathBuf,
    platform: String,
    platform_version: String,
    pjrt_version: (i32, i32),
    attributes: Vec<(String, String)>,
    /// The number of bytes of the library: two builds may have the same version.
    library_bytes: u64,
}

/// Options of an engine, which its plugin knows by their names.
///
/// ```no_run
/// use tensor_xla::{Engine, Options};
///
/// let engine = Engine::find_with(&Options::new().cpu_devices(8))?;
/// assert_eq!(engine.devices().len(), 8);
/// # Ok::<(), tensor_xla::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    options: Vec<(String, ClientOption)>,
}

/// A value of an option: made of a text, an integer, a float or a `bool`.
///
/// ```
/// use tensor_xla::{OptionValue, Options};
///
/// let value: OptionValue = true.into();
/// let options = Options::new().with("preallocate", value);
/// # let _ = options;
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OptionValue(ClientOption);

impl From<&str> for OptionValue {
    fn from(value: &str) -> Self {
        Self(ClientOption::Text(value.to_owned()))
    }
}

impl From<i64> for OptionValue {
    fn from(value: i64) -> Self {
        Self(ClientOption::Integer(value))
    }
}

impl From<f32> for OptionValue {
    fn from(value: f32) -> Self {
        Self(ClientOption::Float(value))
    }
}

impl From<bool> for OptionValue {
    fn from(value: bool) -> Self {
        Self(ClientOption::Bool(value))
    }
}

impl Options {
    /// No options: the defaults of the plugin.
    ///
    /// ```
    /// assert_eq!(tensor_xla::Options::new(), tensor_xla::Options::default());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of devices into which a plugin for CPUs divides the processor, to try programs for several devices
    /// on one machine.
    ///
    /// ```
    /// use tensor_xla::Options;
    ///
    /// assert_eq!(Options::new().cpu_devices(8), Options::new().with("cpu_device_count", 8));
    /// ```
    #[must_use]
    pub fn cpu_devices(self, count: u32) -> Self {
        self.with("cpu_device_count", i64::from(count))
    }

    /// An option by its name, such as `memory_fraction` for GPUs. Plugins refuse or ignore options that they do not
    /// know.
    ///
    /// ```
    /// use tensor_xla::Options;
    ///
    /// let options = Options::new().with("memory_fraction", 0.5_f32).with("preallocate", false);
    /// # let _ = options;
    /// ```
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<OptionValue>) -> Self {
        self.options.push((name.to_owned(), value.into().0));
        self
    }
}

/// A device of an engine.
///
/// ```no_run
/// for device in tensor_xla::Engine::find()?.devices() {
///     println!("{}: {}", device.id(), device.kind());
/// }
/// # Ok::<(), tensor_xla::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    id: i32,
    kind: String,
}

impl Device {
    /// The number of the device, unique in its plugin.
    ///
    /// ```no_run
    /// let devices = tensor_xla::Engine::find()?.devices();
    /// assert_eq!(devices[0].id(), 0);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn id(&self) -> i32 {
        self.id
    }

    /// The name that the plugin gives it: `cpu`, `NVIDIA H100 80GB HBM3`.
    ///
    /// ```no_run
    /// println!("{}", tensor_xla::Engine::find()?.devices()[0].kind());
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn kind(&self) -> &str {
        &self.kind
    }
}

impl Engine {
    /// Starts the plugin in this library. One for CPUs has a single device, whose programs run on the thread that calls
    /// them and on those of large operations; [`load_with`](Engine::load_with) takes other options.
    ///
    /// One for GPUs takes three quarters of their memory when it starts, unless the option `preallocate` is `false`: a
    /// process has one engine for them, and clones of it.
    ///
    /// The library runs within the process, with all its rights, and stays loaded until the process ends.
    ///
    /// # Safety
    ///
    /// The library is a PJRT plugin that works as its interface states, from a source that you trust: its initialisers
    /// run, and whatever it has under the name `GetPjrtApi` is called. Whether it is a plugin is not known before.
    ///
    /// # Errors
    ///
    /// [`Error::Library`] if the file cannot be loaded, is not a PJRT plugin, or has a version of PJRT or StableHLO that
    /// this crate does not support; [`Error::Plugin`] if the plugin does not start, for instance one for GPUs where there is none.
    ///
    /// ```no_run
    /// use tensor_xla::Engine;
    ///
    /// // SAFETY: pip has installed this plugin, at a version whose hash was compared.
    /// let engine = unsafe { Engine::load("xla-plugin/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so")? };
    /// assert_eq!(engine.platform(), "cpu");
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub unsafe fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        // SAFETY: the duty of the caller is the same.
        unsafe { Self::load_with(path, &Options::new()) }
    }

    /// Starts the plugin in this library, with options. See [`Engine::load`].
    ///
    /// # Safety
    ///
    /// That of [`Engine::load`].
    ///
    /// # Errors
    ///
    /// Those of [`Engine::load`], and [`Error::Plugin`] if the plugin refuses an option.
    ///
    /// ```no_run
    /// use tensor_xla::{Engine, Options};
    ///
    /// // SAFETY: the library is a plugin that was built here.
    /// let engine = unsafe { Engine::load_with("plugin.so", &Options::new().cpu_devices(2))? };
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub unsafe fn load_with(path: impl AsRef<Path>, options: &Options) -> Result<Self, Error> {
        let path = path.as_ref();
        // SAFETY: the caller vouches for the library.
        let plugin = unsafe { Plugin::load(path) }?;
        let attributes = plugin.attributes()?;
        check_stablehlo(&attributes)
            .map_err(|reason| Error::Library { path: path.to_owned(), reason })?;
        let library_bytes = path.metadata().map_or(0, |metadata| metadata.len());
        let mut client = Client::new(plugin, &options.options)?;
        // By default, plugins for CPUs have four devices and run programs on their own threads, which takes two to
        // three times as long for a small program as one device on the caller's thread. A plugin that rejects these
        // options keeps its defaults.
        if options.options.is_empty()
            && client.platform()? == "cpu"
            && let Ok(one) = Client::new(plugin, &one_cpu().options)
        {
            client = one;
        }
        if client.devices().is_empty() {
            let reason = "the plugin has no devices".to_owned();
            return Err(Error::Library { path: path.to_owned(), reason });
        }
        let facts = Facts {
            path: path.to_owned(),
            platform: client.platform()?,
            platform_version: client.platform_version()?,
            pjrt_version: plugin.version(),
            attributes,
            library_bytes,
        };
        Ok(Self { client, facts: Arc::new(facts), cache: None })
    }

    /// Finds a plugin and starts it.
    ///
    /// The environment variable `TENSOR_XLA_PLUGIN` names its library. Where it is unset or empty, the packages of the active
    /// Python environment (`VIRTUAL_ENV` or `CONDA_PREFIX`) are searched: plugins for GPUs, TPUs and cards that the machine
    /// shows in `/dev` first, then those for CPUs, then those for devices that this crate does not know; the first that
    /// starts is taken. A plugin for devices that the machine does not have is not loaded: some of them take minutes to
    /// fail, or abort the process.
    ///
    /// The library that is found runs within the process. This function is safe because whoever starts the process chooses
    /// it, as with `LD_PRELOAD`: to change the environment of a running process is `unsafe`
    /// ([`std::env::set_var`]), and a program that does so vouches for the library, as a caller of [`Engine::load`].
    ///
    /// # Errors
    ///
    /// [`Error::NoPlugin`], whose message has the command that gets a plugin for CPUs; for the library that the
    /// variable names, the errors of [`Engine::load`].
    ///
    /// ```no_run
    /// let engine = tensor_xla::Engine::find()?;
    /// println!("{engine:?}");
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn find() -> Result<Self, Error> {
        Self::find_with(&Options::new())
    }

    /// Finds a plugin and starts it with options. See [`Engine::find`].
    ///
    /// # Errors
    ///
    /// Those of [`Engine::find`].
    ///
    /// ```no_run
    /// use tensor_xla::{Engine, Options};
    ///
    /// let engine = Engine::find_with(&Options::new().cpu_devices(8))?;
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn find_with(options: &Options) -> Result<Self, Error> {
        if let Some(path) = std::env::var_os(find::VARIABLE).filter(|path| !path.is_empty()) {
            let of_variable =
                |text: String| format!("{text} (the plugin that `{}` names)", find::VARIABLE);
            // SAFETY: who set the variable vouches for the library.
            let engine = unsafe { Self::load_with(path, options) };
            return engine.map_err(|error| match error {
                Error::Library { path, reason } => {
                    Error::Library { path, reason: of_variable(reason) }
                }
                Error::Plugin { function, code, message } => {
                    Error::Plugin { function, code, message: of_variable(message) }
                }
                error => error,
            });
        }
        let Candidates { found, left_out } =
            find::candidates(|name| std::env::var_os(name), Path::new("/"));
        let mut tried = Vec::new();
        for path in found {
            // SAFETY: who activated the environment vouches for the plugins in its packages.
            match unsafe { Self::load_with(&path, options) } {
                Ok(engine) => return Ok(engine),
                Err(error @ Error::Library { .. }) => tried.push(error.to_string()),
                Err(error) => tried.push(format!("{}: {error}", path.display())),
            }
        }
        tried.extend(left_out);
        Err(Error::NoPlugin { tried })
    }

    /// The same engine with a folder in which [`compile_program`](Engine::compile_program),
    /// [`compile_step`](Engine::compile_step) and their sharded forms keep what they compile: the next call with the same
    /// program and plugin, in this process or a later one, loads it from there.
    ///
    /// The folder is made if it does not exist, and nothing in it is removed.
    ///
    /// # Safety
    ///
    /// Nobody writes files to the folder but programs that call this function: its files have machine code, which runs
    /// within the process. A folder that others can write to, such as `/tmp`, is none.
    ///
    /// ```no_run
    /// use tensor_core::{tensor, trace::trace};
    /// use tensor_xla::Engine;
    ///
    /// // SAFETY: only this program writes to the folder.
    /// let engine = unsafe { Engine::find()?.with_cache("target/xla-programs") };
    /// let program = trace(&tensor![0.0_f32, 0.0], |x| x.softmax::<-1>());
    /// let softmax = engine.compile_program(program)?;
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    #[must_use]
    pub unsafe fn with_cache(self, folder: impl AsRef<Path>) -> Self {
        Self { cache: Some(folder.as_ref().into()), ..self }
    }

    /// The platform: `cpu`, `cuda`, `tpu`.
    ///
    /// ```no_run
    /// assert_eq!(tensor_xla::Engine::find()?.platform(), "cpu");
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn platform(&self) -> &str {
        &self.facts.platform
    }

    /// The version of the platform, as the plugin states it.
    ///
    /// ```no_run
    /// println!("{}", tensor_xla::Engine::find()?.platform_version());
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn platform_version(&self) -> &str {
        &self.facts.platform_version
    }

    /// The version of the PJRT interface that the plugin has, major and minor.
    ///
    /// ```no_run
    /// assert_eq!(tensor_xla::Engine::find()?.pjrt_version().0, 0);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn pjrt_version(&self) -> (i32, i32) {
        self.facts.pjrt_version
    }

    /// The attributes of the plugin, by name, such as `stablehlo_current_version`, the newest StableHLO that it
    /// reads.
    ///
    /// ```no_run
    /// for (name, value) in tensor_xla::Engine::find()?.attributes() {
    ///     println!("{name} = {value}");
    /// }
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn attributes(&self) -> &[(String, String)] {
        &self.facts.attributes
    }

    /// The devices, in the order in which a mesh has them.
    ///
    /// ```no_run
    /// println!("{} devices", tensor_xla::Engine::find()?.devices().len());
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn devices(&self) -> Vec<Device> {
        let devices = self.client.devices().iter();
        devices.map(|device| Device { id: device.id, kind: device.kind.clone() }).collect()
    }

    /// The devices of a mesh, or the one device that everything else is on.
    pub(crate) fn device_ids(&self, mesh: Option<&Mesh>) -> Result<Vec<i32>, Error> {
        let ids: Vec<i32> = self.client.devices().iter().map(|device| device.id).collect();
        let Some(mesh) = mesh else { return Ok(ids[..1].to_vec()) };
        let needed = mesh.devices();
        if let Some(ids) = ids.get(..needed) {
            return Ok(ids.to_vec());
        }
        let mut message =
            format!("the mesh {mesh} has {needed} devices, and the engine has {}", ids.len());
        if self.platform() == "cpu" {
            message += &format!("; `Options::cpu_devices({needed})` divides a CPU into that many");
        }
        Err(Error::Sharding(message))
    }

    /// A key that differs between plugins and processors with incompatible executables.
    pub(crate) fn identity(&self) -> String {
        let Facts { platform, platform_version, pjrt_version, attributes, library_bytes, .. } =
            &*self.facts;
        let kind = self.client.devices().first().map_or("", |device| device.kind.as_str());
        let device = if platform == "cpu" { cpu() } else { kind.to_owned() };
        let attributes: Vec<_> =
            attributes.iter().map(|(name, value)| format!("{name} {value}")).collect();
        format!(
            "{platform} {platform_version} on {device}, PJRT {}.{}, {}, library of {library_bytes} bytes",
            pjrt_version.0,
            pjrt_version.1,
            attributes.join(", ")
        )
    }

    /// The folder in which programs are kept once they are compiled.
    pub(crate) fn cache(&self) -> Option<&Path> {
        self.cache.as_deref()
    }

    pub(crate) fn client(&self) -> &Arc<Client> {
        &self.client
    }
}

/// The version of StableHLO that the text of programs is written in: the operations of the first one whose meaning and
/// names are kept for five years. Its log: <https://github.com/openxla/stablehlo/blob/main/stablehlo/dialect/VhloDialect.td>.
const STABLEHLO: [u64; 3] = [1, 0, 0];

/// Why a plugin that states these attributes does not read the text of programs. One that states no version is tried.
fn check_stablehlo(attributes: &[(String, String)]) -> Result<(), String> {
    let version = |name: &str| -> Option<(&String, [u64; 3])> {
        let (_, text) = attributes.iter().find(|(other, _)| other == name)?;
        let numbers: Option<Vec<u64>> = text.split('.').map(|number| number.parse().ok()).collect();
        Some((text, numbers?.try_into().ok()?))
    };
    let ours = STABLEHLO.map(|number| number.to_string()).join(".");
    match (version("stablehlo_minimum_version"), version("stablehlo_current_version")) {
        (_, Some((newest, version))) if version < STABLEHLO => Err(format!(
            "it reads StableHLO up to version {newest}, and programs are written in {ours}: use a newer plugin"
        )),
        (Some((oldest, version)), _) if version > STABLEHLO => Err(format!(
            "it reads StableHLO from version {oldest} on, and programs are written in {ours}: use an older plugin, or a \
             newer version of this crate"
        )),
        _ => Ok(()),
    }
}

/// The options of an engine for CPUs that has none: one device, whose calls need no other thread.
fn one_cpu() -> Options {
    Options::new().cpu_devices(1).with("asynchronous", false)
}

/// The processor with those of its instruction sets that compilers use where they are available.
fn cpu() -> String {
    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
    let mut names = vec![std::env::consts::ARCH];
    #[cfg(target_arch = "x86_64")]
    for (name, available) in [
        ("avx2", is_x86_feature_detected!("avx2")),
        ("fma", is_x86_feature_detected!("fma")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
        ("avx512bw", is_x86_feature_detected!("avx512bw")),
        ("avx512vnni", is_x86_feature_detected!("avx512vnni")),
        ("avx512bf16", is_x86_feature_detected!("avx512bf16")),
        ("avx512fp16", is_x86_feature_detected!("avx512fp16")),
    ] {
        names.extend(available.then_some(name));
    }
    names.join(" ")
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("path", &self.facts.path)
            .field("platform", &self.facts.platform)
            .field("pjrt_version", &self.facts.pjrt_version)
            .field("devices", &self.client.devices().len())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::check_stablehlo;

    #[test]
    fn plugins_for_other_versions_of_stablehlo_are_refused() {
        let check = |oldest: &str, newest: &str| {
            let of = |name: &str, value: &str| (name.to_owned(), value.to_owned());
            let oldest = of("stablehlo_minimum_version", oldest);
            check_stablehlo(&[
                of("xla_version", "2"),
                of("stablehlo_current_version", newest),
                oldest,
            ])
        };
        for (oldest, newest) in
            [("0.9.0", "1.16.1"), ("1.0.0", "1.0.0"), ("0.17.0", "2.0.10"), ("", "unknown")]
        {
            assert_eq!(check(oldest, newest), Ok(()), "{oldest} {newest}");
        }
        assert_eq!(check_stablehlo(&[]), Ok(()));
        assert_eq!(
            check("0.9.0", "0.19.10").unwrap_err(),
            "it reads StableHLO up to version 0.19.10, and programs are written in 1.0.0: use a newer plugin"
        );
        assert_eq!(
            check("1.10.0", "1.20.0").unwrap_err(),
            "it reads StableHLO from version 1.10.0 on, and programs are written in 1.0.0: use an older plugin, or a newer \
             version of this crate"
        );
    }
}
