//! The profiler of a plugin: an extension of its interface, with a table of functions of its own.

use core::ffi::c_void;
use core::ptr::NonNull;

use super::abi::{self, ProfilerCall, ProfilerExtension, ProfilerTable};
use super::{Plugin, integers, take_error};
use crate::error::{Code, Error};

/// The options of JAX, as `ProfileOptions`: `{ version: 1, host_tracer_level: 2, device_tracer_level: 1,
/// enable_hlo_proto: true }`.
const OPTIONS: &[u8] = &[0x28, 1, 0x10, 2, 0x18, 1, 0x38, 1];

/// The most extensions of a plugin that are looked at: a list without an end would be a circle.
const MOST_EXTENSIONS: usize = 1000;

/// What a plugin records, from its start to [`finish`](Recording::finish).
pub(crate) struct Recording {
    table: &'static ProfilerTable,
    profiler: NonNull<c_void>,
    is_running: bool,
}

impl Plugin {
    /// Starts to record what the plugin and its devices do.
    pub(crate) fn record(self) -> Result<Recording, Error> {
        const NAME: &str = "Profiler_Create";
        let Some(table) = self.profiler() else {
            let message = "this plugin has no profiler: it lacks the extension `PJRT_Profiler_Extension`. That of JAX for \
                           NVIDIA GPUs has one, those for CPUs have none";
            return Err(Error::plugin("Profiler_Extension", Code::Unimplemented, message));
        };
        let mut arguments = abi::ProfilerCreate {
            struct_size: size_of::<abi::ProfilerCreate>(),
            options: OPTIONS.as_ptr(),
            option_size: OPTIONS.len(),
            profiler: core::ptr::null_mut(),
            reserved: [0; 16],
        };
        // SAFETY: the arguments are those of this function, and the options live as long as the process.
        unsafe { call(table, NAME, table.create, &raw mut arguments) }?;
        let Some(profiler) = NonNull::new(arguments.profiler) else {
            let message = "the plugin gave a null pointer in place of: profiler";
            return Err(Error::plugin(NAME, Code::Internal, message));
        };
        let mut recording = Recording { table, profiler, is_running: false };
        recording.call("Profiler_Start", table.start)?;
        recording.is_running = true;
        Ok(recording)
    }

    /// The functions of the profiler, if the plugin has one whose table is long enough.
    fn profiler(self) -> Option<&'static ProfilerTable> {
        let mut next: *const abi::Extension = self.api.extension_start.cast();
        for _ in 0..MOST_EXTENSIONS {
            if next.is_null() {
                return None;
            }
            // SAFETY: extensions are constant, live as long as the process and begin with these fields.
            let extension = unsafe { &*next };
            if extension.kind != ProfilerExtension::KIND {
                next = extension.next;
                continue;
            }
            if extension.struct_size < size_of::<ProfilerExtension>() {
                return None;
            }
            // SAFETY: an extension of this kind has these fields, as its size states. The table lives as long as the process
            // and begins with its size, through which no reference to the whole is made before it is compared.
            return unsafe {
                let table = (*next.cast::<ProfilerExtension>()).table;
                let is_long = !table.is_null()
                    && (&raw const (*table).struct_size).read() >= size_of::<ProfilerTable>();
                is_long.then(|| &*table)
            };
        }
        None
    }
}

impl Recording {
    /// Stops, and gives what was recorded: a message `XSpace`.
    pub(crate) fn finish(mut self) -> Result<Vec<u8>, Error> {
        const NAME: &str = "Profiler_CollectData";
        // Whatever comes of it, it is not stopped again.
        self.is_running = false;
        self.call("Profiler_Stop", self.table.stop)?;
        let mut arguments = self.arguments();
        // SAFETY: the profiler is alive, and the function has these arguments.
        unsafe { call(self.table, NAME, self.table.collect, &raw mut arguments) }?;
        if !arguments.bytes.is_null() {
            // SAFETY: the profiler has this number of bytes there until it is destroyed; they are copied.
            return Ok(unsafe { integers(arguments.bytes, arguments.size) }.to_vec());
        }
        // The plugin has stated a size, and writes to memory of its caller.
        let mut bytes = vec![0; arguments.size];
        if !bytes.is_empty() {
            arguments.bytes = bytes.as_mut_ptr();
            // SAFETY: as above, with memory for the number of bytes that the plugin has stated.
            unsafe { call(self.table, NAME, self.table.collect, &raw mut arguments) }?;
        }
        bytes.truncate(arguments.size);
        Ok(bytes)
    }

    fn arguments(&self) -> ProfilerCall {
        ProfilerCall {
            struct_size: size_of::<ProfilerCall>(),
            profiler: self.profiler.as_ptr(),
            bytes: core::ptr::null_mut(),
            size: 0,
            reserved: [0; 16],
        }
    }

    /// Calls `start`, `stop` or `destroy`.
    fn call(&self, name: &'static str, function: Option<abi::Function>) -> Result<(), Error> {
        let mut arguments = self.arguments();
        // SAFETY: the profiler is alive, and these functions read its handle alone.
        unsafe { call(self.table, name, function, &raw mut arguments) }
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        // That it cannot be stopped or destroyed is nothing that a destructor could report.
        if self.is_running {
            let _ = self.call("Profiler_Stop", self.table.stop);
        }
        let _ = self.call("Profiler_Destroy", self.table.destroy);
    }
}

/// Calls a function of the profiler.
///
/// # Safety
///
/// The function is of the table and has these arguments; handles in them are alive, and pointers are valid for what it reads
/// and writes.
unsafe fn call<A>(
    table: &ProfilerTable,
    name: &'static str,
    function: Option<abi::Function>,
    arguments: *mut A,
) -> Result<(), Error> {
    let Some(function) = function else {
        return Err(Error::plugin(name, Code::Unimplemented, "the profiler lacks this function"));
    };
    // SAFETY: the caller vouches for the function and its arguments.
    let error = unsafe { function(arguments.cast()) };
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: a result that is not null is an error, which the caller of the function destroys, by functions of this table.
    Err(unsafe {
        take_error(name, error, table.error_code, table.error_message, table.error_destroy)
    })
}

/// A plugin within the process, which has a profiler and nothing else.
#[cfg(test)]
pub(crate) mod fake {
    use core::cell::Cell;
    use core::ffi::c_int;
    use std::sync::Mutex;

    use super::super::abi::{Destroy, ErrorMessage, Handle};
    use super::*;

    /// What a profiler of this module does.
    pub(crate) struct Behaviour {
        /// The names of the functions that were called.
        pub(crate) calls: Mutex<Vec<&'static str>>,
        /// What it has recorded.
        pub(crate) bytes: Vec<u8>,
        /// Whether it writes to memory of its caller.
        pub(crate) writes: bool,
        /// The function that fails.
        pub(crate) fails: &'static str,
    }

    /// The handle of the profiler is its [`Behaviour`].
    fn called(profiler: Handle, name: &'static str) -> Handle {
        // SAFETY: `plugin` has made the handle of a behaviour that lives forever.
        let behaviour = unsafe { &*profiler.cast::<Behaviour>() };
        behaviour.calls.lock().unwrap().push(name);
        if behaviour.fails == name {
            core::ptr::without_provenance_mut(1)
        } else {
            core::ptr::null_mut()
        }
    }

    macro_rules! calls {
        ($($name:ident)*) => {$(
            unsafe extern "C" fn $name(arguments: *mut c_void) -> Handle {
                // SAFETY: `Recording` passes these arguments.
                called(unsafe { (*arguments.cast::<ProfilerCall>()).profiler }, stringify!($name))
            }
        )*};
    }
    calls! { start stop destroy }

    unsafe extern "C" fn collect(arguments: *mut c_void) -> Handle {
        // SAFETY: `Recording` passes these arguments.
        let arguments = unsafe { &mut *arguments.cast::<ProfilerCall>() };
        // SAFETY: as in `called`.
        let behaviour = unsafe { &*arguments.profiler.cast::<Behaviour>() };
        if !behaviour.writes {
            arguments.bytes = behaviour.bytes.as_ptr().cast_mut();
        } else if !arguments.bytes.is_null() {
            // SAFETY: the caller has memory for the size that the first call stated.
            unsafe { arguments.bytes.copy_from(behaviour.bytes.as_ptr(), arguments.size) };
        }
        arguments.size = behaviour.bytes.len();
        called(arguments.profiler, "collect")
    }

    unsafe extern "C" fn error_message(arguments: *mut c_void) {
        // SAFETY: `take_error` passes these arguments.
        let arguments = unsafe { &mut *arguments.cast::<ErrorMessage>() };
        arguments.message = c"no such thing".as_ptr();
        arguments.message_size = 13;
    }

    unsafe extern "C" fn error_code(arguments: *mut c_void) -> Handle {
        // SAFETY: as above.
        unsafe { (*arguments.cast::<abi::ErrorCode>()).code = 5 };
        core::ptr::null_mut()
    }

    unsafe extern "C" fn error_destroy(arguments: *mut c_void) {
        // SAFETY: as above.
        assert!(!unsafe { (*arguments.cast::<Destroy>()).object }.is_null());
    }

    /// The plugin, with this length of the table of its profiler, and its behaviour.
    pub(crate) fn plugin(table_size: usize, behaviour: Behaviour) -> (Plugin, &'static Behaviour) {
        thread_local! {
            /// The behaviour of the profiler that is created next.
            static NEXT: Cell<Handle> = const { Cell::new(core::ptr::null_mut()) };
        }
        unsafe extern "C" fn create(arguments: *mut c_void) -> Handle {
            // SAFETY: `record` passes these arguments.
            let arguments = unsafe { &mut *arguments.cast::<abi::ProfilerCreate>() };
            // SAFETY: the options are borrowed for the call.
            assert_eq!(unsafe { integers(arguments.options, arguments.option_size) }, OPTIONS);
            arguments.profiler = NEXT.get();
            called(arguments.profiler, "create")
        }
        let behaviour: &'static Behaviour = Box::leak(Box::new(behaviour));
        NEXT.set((&raw const *behaviour).cast_mut().cast());
        let table = Box::leak(Box::new(ProfilerTable {
            struct_size: table_size,
            private: core::ptr::null_mut(),
            error_destroy: Some(error_destroy),
            error_message: Some(error_message),
            error_code: Some(error_code),
            create: Some(create),
            destroy: Some(destroy),
            start: Some(start),
            stop: Some(stop),
            collect: Some(collect),
        }));
        let last = Box::leak(Box::new(ProfilerExtension {
            base: abi::Extension { struct_size: 40, kind: 1, next: core::ptr::null() },
            table: &raw const *table,
        }));
        (with_extensions(9, &raw const last.base), behaviour)
    }

    /// A plugin whose first extension is of this kind, and is followed by these.
    fn with_extensions(kind: c_int, next: *const abi::Extension) -> Plugin {
        let first = Box::leak(Box::new(abi::Extension { struct_size: 24, kind, next }));
        // SAFETY: integers, pointers and optional functions may be zero.
        let api: &'static mut abi::Api = Box::leak(Box::new(unsafe { core::mem::zeroed() }));
        api.extension_start = (&raw mut *first).cast();
        Plugin { api }
    }

    /// A plugin whose one extension is of this kind, and has no table.
    pub(crate) fn without_table(kind: c_int) -> Plugin {
        with_extensions(kind, core::ptr::null())
    }

    /// A plugin whose list of extensions leads back to its first.
    pub(crate) fn circle() -> Plugin {
        let plugin = without_table(9);
        let first: *mut abi::Extension = plugin.api.extension_start.cast();
        // SAFETY: `with_extensions` has leaked it, and nobody has a reference to it.
        unsafe { (*first).next = first };
        plugin
    }
}
