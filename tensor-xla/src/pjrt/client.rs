//! Clients of a plugin and their devices.

use core::ffi::c_int;
use std::sync::{Arc, Mutex};

use super::abi::{self, Arguments, Handle};
use super::{Object, Plugin, integers, text};
use crate::error::Error;

/// A connection to the devices of a plugin.
pub(crate) struct Client {
    object: Object<{ abi::destroy::CLIENT }>,
    devices: Vec<ClientDevice>,
    /// Held by a run on several devices. Their collective operations wait for each other, so two runs that reach the
    /// devices in different orders would block each other.
    pub(super) several_devices: Mutex<()>,
}

/// A device of a client, as long as the client lives.
pub(crate) struct ClientDevice {
    handle: Handle,
    pub(crate) id: i32,
    pub(crate) kind: String,
}

// SAFETY: devices belong to the client, whose functions may be called from any thread.
unsafe impl Send for ClientDevice {}
// SAFETY: as above.
unsafe impl Sync for ClientDevice {}

/// The value of an option of a client.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ClientOption {
    Text(String),
    Integer(i64),
    Float(f32),
    Bool(bool),
}

impl ClientOption {
    fn value(&self) -> (c_int, abi::Value, usize) {
        match self {
            Self::Text(text) => {
                (abi::kind::TEXT, abi::Value { text: text.as_ptr().cast() }, text.len())
            }
            Self::Integer(integer) => (abi::kind::INTEGER, abi::Value { integer: *integer }, 1),
            Self::Float(float) => (abi::kind::FLOAT, abi::Value { float: *float }, 1),
            Self::Bool(boolean) => (abi::kind::BOOL, abi::Value { boolean: *boolean }, 1),
        }
    }
}

impl Client {
    /// Starts a client with these options.
    pub(crate) fn new(
        plugin: Plugin,
        options: &[(String, ClientOption)],
    ) -> Result<Arc<Self>, Error> {
        let named = options.iter().map(|(name, option)| {
            let (kind, value, value_size) = option.value();
            abi::NamedValue {
                struct_size: size_of::<abi::NamedValue>(),
                extension_start: core::ptr::null_mut(),
                name: name.as_ptr().cast(),
                name_size: name.len(),
                kind,
                value,
                value_size,
            }
        });
        let named: Vec<_> = named.collect();
        let mut arguments = abi::ClientCreate::new();
        arguments.options = named.as_ptr();
        arguments.option_count = named.len();
        // SAFETY: names and values are borrowed from `options`, which outlives the call.
        unsafe { plugin.call(&mut arguments) }?;
        // SAFETY: the function made this client for its caller.
        let object = unsafe { Object::new(plugin, arguments.client, "client") }?;
        let devices = devices(plugin, object.handle())?;
        Ok(Arc::new(Self { object, devices, several_devices: Mutex::new(()) }))
    }

    pub(crate) fn plugin(&self) -> Plugin {
        self.object.plugin
    }

    pub(super) fn handle(&self) -> Handle {
        self.object.handle()
    }

    pub(crate) fn devices(&self) -> &[ClientDevice] {
        &self.devices
    }

    /// The name of the platform: `cpu`, `cuda`, `tpu`.
    pub(crate) fn platform(&self) -> Result<String, Error> {
        let mut arguments = abi::PlatformName::new();
        arguments.client = self.handle();
        // SAFETY: the client is alive, and owns the text.
        unsafe {
            self.plugin().call(&mut arguments)?;
            Ok(text(arguments.name, arguments.name_size))
        }
    }

    /// The version of the platform, as the plugin states it.
    pub(crate) fn platform_version(&self) -> Result<String, Error> {
        let mut arguments = abi::PlatformVersion::new();
        arguments.client = self.handle();
        // SAFETY: the client is alive, and owns the text.
        unsafe {
            self.plugin().call(&mut arguments)?;
            Ok(text(arguments.version, arguments.version_size))
        }
    }

    pub(super) fn device(&self, index: usize) -> Handle {
        self.devices[index].handle
    }
}

/// The devices of a client.
fn devices(plugin: Plugin, client: Handle) -> Result<Vec<ClientDevice>, Error> {
    let mut arguments = abi::AddressableDevices::new();
    arguments.client = client;
    // SAFETY: the client is alive; it owns the devices, their descriptions and the texts in them.
    unsafe {
        plugin.call(&mut arguments)?;
        let handles = integers(arguments.devices, arguments.count);
        let read = |&handle: &Handle| {
            let mut description = abi::DeviceDescription::new();
            description.device = handle;
            plugin.call(&mut description)?;
            let mut id = abi::DeviceId::new();
            id.description = description.description;
            plugin.call(&mut id)?;
            let mut kind = abi::DeviceKind::new();
            kind.description = description.description;
            plugin.call(&mut kind)?;
            Ok(ClientDevice { handle, id: id.id, kind: text(kind.kind, kind.kind_size) })
        };
        handles.iter().map(read).collect()
    }
}
