//! The PJRT C interface of XLA: a safe layer over the functions that this crate needs.
//!
//! The `unsafe` code of the crate is in this module, except calls of its functions that load code. What it relies on:
//!
//! - The library that is loaded is a PJRT plugin. [`Plugin::load`] checks the version and the length of its table of
//!   functions; the caller vouches for the rest.
//! - A plugin is never unloaded, so its table and its functions live as long as the process.
//! - Objects may be used and destroyed on any thread: plugins synchronise themselves, as JAX requires of them.
//! - A client outlives its devices, buffers and executables, which hold an [`Arc`] of it.

use core::ffi::{c_char, c_void};
use core::ptr::NonNull;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::{Code, Error};

mod abi;
mod buffer;
mod client;
mod executable;
mod profiler;

use abi::{Arguments, Handle};
pub(crate) use buffer::{Block, Part};
pub(crate) use client::{Client, ClientOption};
pub(crate) use executable::LoadedExecutable;
#[cfg(test)]
pub(crate) use profiler::fake;

/// A loaded plugin: its table of functions.
#[derive(Clone, Copy)]
pub(crate) struct Plugin {
    api: &'static abi::Api,
}

// SAFETY: the table is constant, and its functions may be called from any thread.
unsafe impl Send for Plugin {}
// SAFETY: as above.
unsafe impl Sync for Plugin {}

/// The plugins of this process by the paths of their libraries: each is initialised once.
static PLUGINS: Mutex<Option<HashMap<PathBuf, Plugin>>> = Mutex::new(None);

impl Plugin {
    /// Loads a library, checks its version and initialises it.
    ///
    /// # Safety
    ///
    /// The library is a PJRT plugin, if it has a symbol `GetPjrtApi`; and loading it has no undefined behaviour.
    pub(crate) unsafe fn load(path: &Path) -> Result<Self, Error> {
        let fail = |reason: String| Error::Library { path: path.to_owned(), reason };
        let full = path.canonicalize().map_err(|error| fail(error.to_string()))?;
        let mut plugins = PLUGINS.lock().unwrap_or_else(PoisonError::into_inner);
        let plugins = plugins.get_or_insert_default();
        if let Some(plugin) = plugins.get(&full) {
            return Ok(*plugin);
        }
        // SAFETY: initialisers of the library run, which the caller vouches for.
        let library = unsafe { libloading::Library::new(&full) };
        let library = library.map_err(|error| fail(with_sources(&error)))?;
        // SAFETY: in a PJRT plugin, which the caller vouches for, the function of this name has this type.
        let entry =
            unsafe { library.get::<unsafe extern "C" fn() -> *const abi::Api>("GetPjrtApi") };
        let entry = *entry
            .map_err(|error| fail(format!("it is not a PJRT plugin: {}", with_sources(&error))))?;
        // The library stays loaded until the process ends.
        core::mem::forget(library);
        // SAFETY: the function takes no arguments and gives the table, which is constant.
        let plugin = unsafe { Self::from_table(entry()) }.map_err(fail)?;
        // SAFETY: the arguments contain no pointers.
        unsafe { plugin.call(&mut abi::Initialize::new()) }?;
        plugins.insert(full, plugin);
        Ok(plugin)
    }

    /// The plugin with this table, if this crate can use it; otherwise the reason.
    ///
    /// # Safety
    ///
    /// The pointer is null or points to the table of a plugin, which lives as long as the process.
    unsafe fn from_table(table: *const abi::Api) -> Result<Self, String> {
        if table.is_null() {
            return Err("it gives no table of functions".to_owned());
        }
        // SAFETY: every table begins with its size and version, through which no reference is made here: the rest of
        // the table may be shorter than `Api`.
        let (size, major, minor) = unsafe {
            (
                (&raw const (*table).struct_size).read(),
                (&raw const (*table).major_version).read(),
                (&raw const (*table).minor_version).read(),
            )
        };
        if major != 0 {
            return Err(format!("it has version {major}.{minor} of PJRT; this crate needs 0.x"));
        }
        let needed = size_of::<abi::Api>();
        if size < needed {
            return Err(format!(
                "it has version {major}.{minor} of PJRT, which is too old: its table has {size} bytes, and this crate \
                 needs {needed}"
            ));
        }
        // SAFETY: the table has at least the bytes of `Api`, lives as long as the process and is constant.
        Ok(Self { api: unsafe { &*table } })
    }

    /// The version of PJRT, major and minor.
    pub(crate) fn version(self) -> (i32, i32) {
        (self.api.major_version, self.api.minor_version)
    }

    /// The attributes of the plugin, such as `stablehlo_current_version`, by name.
    pub(crate) fn attributes(self) -> Result<Vec<(String, String)>, Error> {
        let mut arguments = abi::PluginAttributes::new();
        // SAFETY: the plugin writes both fields.
        unsafe { self.call(&mut arguments) }?;
        if arguments.count == 0 {
            return Ok(Vec::new());
        }
        // SAFETY: there are `count` values, which begin with their size and live as long as the process.
        let values = unsafe {
            // Another size would be that of a later version, in which the array has larger
            // elements.
            if arguments.attributes.cast::<usize>().read() != size_of::<abi::NamedValue>() {
                return Ok(Vec::new());
            }
            core::slice::from_raw_parts(arguments.attributes, arguments.count)
        };
        let read = |value: &abi::NamedValue| {
            let length = value.value_size;
            // SAFETY: the name is a text of that size, and the kind states which field of the union is set, with
            // `value_size` characters or integers at the pointer.
            unsafe {
                let name = text(value.name, value.name_size);
                let value = match value.kind {
                    abi::kind::TEXT => text(value.value.text, length),
                    abi::kind::INTEGER => value.value.integer.to_string(),
                    abi::kind::INTEGERS => integers(value.value.integers, length)
                        .iter()
                        .map(i64::to_string)
                        .collect::<Vec<_>>()
                        .join("."),
                    abi::kind::FLOAT => value.value.float.to_string(),
                    abi::kind::BOOL => value.value.boolean.to_string(),
                    _ => String::new(),
                };
                (name, value)
            }
        };
        Ok(values.iter().map(read).collect())
    }

    /// Calls the function that these arguments belong to.
    ///
    /// # Safety
    ///
    /// Handles in the arguments are alive; pointers are valid for what the function reads and writes.
    unsafe fn call<A: Arguments>(self, arguments: &mut A) -> Result<(), Error> {
        // SAFETY: the arguments are those of this function, and the caller vouches for their contents.
        unsafe { self.call_number(A::NUMBER, A::NAME, core::ptr::from_mut(arguments).cast()) }
    }

    /// Calls a function by its number.
    ///
    /// # Safety
    ///
    /// The arguments are those of the function; handles are alive, and pointers are valid for what it reads and writes.
    unsafe fn call_number(
        self,
        number: usize,
        name: &'static str,
        arguments: *mut c_void,
    ) -> Result<(), Error> {
        let Some(function) = self.api.function(number) else {
            return Err(Error::plugin(name, Code::Unimplemented, "the plugin lacks this function"));
        };
        // SAFETY: the function comes from the table of the plugin, and the caller vouches for the arguments.
        let error = unsafe { function(arguments) };
        if error.is_null() {
            return Ok(());
        }
        // SAFETY: a result that is not null is an error, which the caller of the function destroys.
        Err(unsafe {
            let get_code = self.api.function(abi::ErrorCode::NUMBER);
            take_error(name, error, get_code, self.api.error_message, self.api.error_destroy)
        })
    }

    /// Waits for an event and destroys it.
    ///
    /// # Safety
    ///
    /// The handle is null or an event of this plugin, which nobody uses afterwards.
    unsafe fn wait(self, event: Handle) -> Result<(), Error> {
        if event.is_null() {
            return Ok(());
        }
        // SAFETY: the caller hands over the event.
        let event = unsafe { Object::<{ abi::destroy::EVENT }>::new(self, event, "event") }?;
        let mut arguments = abi::EventAwait::new();
        arguments.event = event.handle();
        // SAFETY: the event is alive until `event` is dropped.
        unsafe { self.call(&mut arguments) }
    }
}

/// Turns an error of a plugin into ours, and destroys it.
///
/// # Safety
///
/// The handle is an error, which nobody uses afterwards, and the functions are those of its table.
unsafe fn take_error(
    function: &'static str,
    error: Handle,
    get_code: Option<abi::Function>,
    get_message: Option<abi::InfallibleFunction>,
    destroy: Option<abi::InfallibleFunction>,
) -> Error {
    let mut code = abi::ErrorCode::new();
    code.error = error;
    let mut message = abi::ErrorMessage::zeroed();
    message.error = error;
    let mut object = abi::Destroy::zeroed();
    object.object = error;
    // SAFETY: each function gets its own arguments with a living error; the message is copied before the error
    // that owns it is destroyed. The error of `get_code` itself is left alone: the code stays 0.
    unsafe {
        if let Some(get_code) = get_code {
            get_code((&raw mut code).cast());
        }
        let mut words = String::new();
        if let Some(get_message) = get_message {
            get_message((&raw mut message).cast());
            words = text(message.message, message.message_size);
        }
        if let Some(destroy) = destroy {
            destroy((&raw mut object).cast());
        }
        Error::plugin(function, Code::from_number(code.code), &words)
    }
}

/// An object of a plugin, which the function number `DESTROY` destroys.
struct Object<const DESTROY: usize> {
    plugin: Plugin,
    handle: NonNull<c_void>,
}

// SAFETY: objects of a plugin may be used and destroyed on any thread; see the module.
unsafe impl<const DESTROY: usize> Send for Object<DESTROY> {}
// SAFETY: as above; plugins synchronise calls with the same object.
unsafe impl<const DESTROY: usize> Sync for Object<DESTROY> {}

impl<const DESTROY: usize> Object<DESTROY> {
    /// Takes an object that a function has made; a null pointer is an error, which names what was expected.
    ///
    /// # Safety
    ///
    /// The handle is null or an object of the kind that `DESTROY` destroys, owned by the caller.
    unsafe fn new(plugin: Plugin, handle: Handle, what: &'static str) -> Result<Self, Error> {
        match NonNull::new(handle) {
            Some(handle) => Ok(Self { plugin, handle }),
            None => {
                let message = format!("the plugin gave a null pointer in place of: {what}");
                Err(Error::plugin("Object", Code::Internal, &message))
            }
        }
    }

    fn handle(&self) -> Handle {
        self.handle.as_ptr()
    }
}

impl<const DESTROY: usize> Drop for Object<DESTROY> {
    fn drop(&mut self) {
        let mut arguments = abi::Destroy::zeroed();
        arguments.object = self.handle();
        // SAFETY: the object is of the kind that this function destroys, and is not used afterwards. That it cannot
        // be destroyed is nothing that a destructor could report.
        let _ = unsafe { self.plugin.call_number(DESTROY, "destroy", (&raw mut arguments).cast()) };
    }
}

/// An error with those that caused it.
fn with_sources(error: &dyn core::error::Error) -> String {
    let mut message = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        message += &format!(": {source}");
        next = source.source();
    }
    message
}

/// A copy of a text of the plugin.
///
/// # Safety
///
/// The pointer is null, or points to `size` bytes.
unsafe fn text(start: *const c_char, size: usize) -> String {
    if start.is_null() || size == 0 {
        return String::new();
    }
    // SAFETY: the caller vouches for the bytes.
    let bytes = unsafe { core::slice::from_raw_parts(start.cast::<u8>(), size) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Integers of the plugin.
///
/// # Safety
///
/// The pointer is null, or points to `count` integers, which live as long as the result is used.
unsafe fn integers<'a, T>(start: *const T, count: usize) -> &'a [T] {
    if start.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: the caller vouches for the integers.
    unsafe { core::slice::from_raw_parts(start, count) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table without functions, of a version and a size.
    fn table(major: i32, size: usize) -> &'static abi::Api {
        // SAFETY: integers, pointers and optional functions may be zero.
        let mut table: abi::Api = unsafe { core::mem::zeroed() };
        (table.struct_size, table.major_version, table.minor_version) = (size, major, 7);
        Box::leak(Box::new(table))
    }

    fn reason(table: *const abi::Api) -> String {
        // SAFETY: null, or a table that lives forever.
        unsafe { Plugin::from_table(table) }.err().expect("a table that cannot be used")
    }

    #[test]
    fn tables_of_other_versions_are_refused() {
        let needed = size_of::<abi::Api>();
        assert_eq!(reason(core::ptr::null()), "it gives no table of functions");
        let next = reason(table(1, needed));
        assert_eq!(next, "it has version 1.7 of PJRT; this crate needs 0.x");
        let old = reason(table(0, needed - 8));
        assert!(old.contains("its table has 808 bytes, and this crate needs 816"), "{old}");
    }

    #[test]
    fn a_function_that_is_missing_is_an_error() {
        // SAFETY: a table that lives forever.
        let plugin = unsafe { Plugin::from_table(table(0, size_of::<abi::Api>())) };
        let plugin = plugin.expect("a table of version 0");
        // SAFETY: no function is called.
        let error = unsafe { plugin.call(&mut abi::Initialize::new()) }.expect_err("no functions");
        assert_eq!(
            error.to_string(),
            "Plugin_Initialize: unimplemented: the plugin lacks this function"
        );
        // SAFETY: null is refused.
        let null = unsafe {
            Object::<{ abi::destroy::BUFFER }>::new(plugin, core::ptr::null_mut(), "buffer")
        };
        let error = null.err().expect("no buffer").to_string();
        assert!(error.contains("a null pointer in place of: buffer"), "{error}");
    }
}
