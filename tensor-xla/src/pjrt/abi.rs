//! The structs of the PJRT C interface, version 0.x, and the numbers of its functions.
//!
//! Only what this crate calls is here. The table of functions grows at its end, so the numbers hold for every
//! plugin whose table is long enough. Structs of arguments grow at their end, too: a plugin that knows more
//! fields reads them from `reserved`, where zero means the default.

use core::ffi::{c_char, c_int, c_void};

/// An object of the plugin: a client, a device, a buffer, an event, an error.
pub(super) type Handle = *mut c_void;

/// A function of the table, except for the first two, which have no result.
pub(super) type Function = unsafe extern "C" fn(arguments: *mut c_void) -> Handle;

/// A function of the table that cannot fail.
pub(super) type InfallibleFunction = unsafe extern "C" fn(arguments: *mut c_void);

/// The number of functions before those of [`Api::functions`].
const INFALLIBLE: usize = 2;
/// The number of functions that a table must have: through `PJRT_Executable_GetCompiledMemoryStats`.
const FUNCTIONS: usize = 97;

/// The beginning of `PJRT_Api`, which the plugin owns: it is read through the pointer and not
/// copied, as its size is not known.
#[repr(C)]
pub(super) struct Api {
    pub struct_size: usize,
    pub extension_start: *mut c_void,
    pub version_struct_size: usize,
    pub version_extension_start: *mut c_void,
    pub major_version: c_int,
    pub minor_version: c_int,
    pub error_destroy: Option<InfallibleFunction>,
    pub error_message: Option<InfallibleFunction>,
    functions: [Option<Function>; FUNCTIONS - INFALLIBLE],
}

impl Api {
    /// The function with this number, if the plugin has it.
    pub(super) fn function(&self, number: usize) -> Option<Function> {
        self.functions[number - INFALLIBLE]
    }
}

/// The arguments of a function of the table.
///
/// # Safety
///
/// The struct has the layout of the arguments of function `NUMBER`, and is valid where all its bytes are zero.
pub(super) unsafe trait Arguments: Sized {
    /// The number of the function in the table.
    const NUMBER: usize;
    /// The name of the function, without `PJRT_`.
    const NAME: &'static str;

    /// Arguments that are zero, except for their size.
    fn new() -> Self;
}

/// Zeroed structs that begin with their size.
macro_rules! structs {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* $(,)? })*) => {$(
        $(#[$doc])*
        #[repr(C)]
        pub(super) struct $name {
            pub struct_size: usize,
            pub extension_start: *mut c_void,
            $(pub $field: $type,)*
            reserved: [usize; 16],
        }

        impl $name {
            /// All fields zero, except for the size.
            pub(super) fn zeroed() -> Self {
                // SAFETY: all fields are integers, floats, pointers, optional functions and unions of these, which are
                // valid where all bytes are zero.
                let zeroed: Self = unsafe { core::mem::zeroed() };
                Self { struct_size: size_of::<Self>(), ..zeroed }
            }
        }
    )*};
}

/// Arguments of the functions with these numbers and names.
macro_rules! arguments {
    ($($number:literal $function:literal $name:ident { $($field:ident: $type:ty),* $(,)? })*) => {
        structs! { $($name { $($field: $type),* })* }
        $(
            // SAFETY: the fields are those of the C struct of this function, in order, and `repr(C)` lays them out as C
            // does; `structs!` admits only types that may be zero.
            unsafe impl Arguments for $name {
                const NUMBER: usize = $number;
                const NAME: &'static str = $function;

                fn new() -> Self {
                    Self::zeroed()
                }
            }
        )*
    };
}

arguments! {
    2 "Error_GetCode" ErrorCode { error: Handle, code: c_int }
    3 "Plugin_Initialize" Initialize {}
    4 "Plugin_Attributes" PluginAttributes { attributes: *const NamedValue, count: usize }
    8 "Event_Await" EventAwait { event: Handle }
    10 "Client_Create" ClientCreate {
        options: *const NamedValue, option_count: usize,
        get: Option<Function>, get_argument: *mut c_void,
        put: Option<Function>, put_argument: *mut c_void,
        client: Handle,
        try_get: Option<Function>, try_get_argument: *mut c_void,
    }
    12 "Client_PlatformName" PlatformName { client: Handle, name: *const c_char, name_size: usize }
    14 "Client_PlatformVersion" PlatformVersion { client: Handle, version: *const c_char, version_size: usize }
    16 "Client_AddressableDevices" AddressableDevices { client: Handle, devices: *const Handle, count: usize }
    20 "Client_Compile" Compile {
        client: Handle, program: *const Program, options: *const u8, options_size: usize, executable: Handle,
    }
    22 "Client_BufferFromHostBuffer" BufferFromHost {
        client: Handle, data: *const c_void, element_type: c_int,
        sizes: *const i64, rank: usize, byte_strides: *const i64, byte_stride_count: usize,
        semantics: c_int, device: Handle, memory: Handle, layout: *const Layout,
        done_with_host_buffer: Handle, buffer: Handle,
    }
    23 "DeviceDescription_Id" DeviceId { description: Handle, id: c_int }
    26 "DeviceDescription_Kind" DeviceKind { description: Handle, kind: *const c_char, kind_size: usize }
    29 "Device_GetDescription" DeviceDescription { device: Handle, description: Handle }
    44 "Executable_NumOutputs" OutputCount { executable: Handle, count: usize }
    48 "Executable_OptimizedProgram" OptimizedProgram { executable: Handle, program: *mut Program }
    49 "Executable_Serialize" Serialize {
        executable: Handle, bytes: *const u8, size: usize,
        serialized: *mut c_void, delete: Option<unsafe extern "C" fn(*mut c_void)>,
    }
    51 "LoadedExecutable_GetExecutable" GetExecutable { loaded: Handle, executable: Handle }
    55 "LoadedExecutable_Execute" Execute {
        loaded: Handle, options: *const ExecuteOptions,
        arguments: *const *const Handle, device_count: usize, argument_count: usize,
        outputs: *const *mut Handle, complete_events: *mut Handle, device: Handle,
    }
    56 "Executable_DeserializeAndLoad" Deserialize {
        client: Handle, bytes: *const u8, size: usize, loaded: Handle,
        options: *const u8, options_size: usize,
    }
    59 "Buffer_ElementType" BufferElementType { buffer: Handle, element_type: c_int }
    60 "Buffer_Dimensions" BufferSizes { buffer: Handle, sizes: *const i64, rank: usize }
    70 "Buffer_ToHostBuffer" BufferToHost {
        buffer: Handle, layout: *const Layout, data: *mut c_void, size: usize, event: Handle,
    }
    73 "Buffer_UnsafePointer" BufferAddress { buffer: Handle, address: usize }
    90 "Executable_OutputElementTypes" OutputElementTypes { executable: Handle, types: *const c_int, count: usize }
    91 "Executable_OutputDimensions" OutputSizes {
        executable: Handle, count: usize, sizes: *const i64, ranks: *const usize,
    }
    96 "Executable_GetCompiledMemoryStats" MemoryStats {
        executable: Handle, code: i64, arguments: i64, outputs: i64, shared: i64, temporary: i64,
    }
}

structs! {
    /// The arguments of every function that destroys an object, `PJRT_…_Destroy`.
    Destroy { object: Handle }
    /// The arguments of `PJRT_Error_Message`.
    ErrorMessage { error: Handle, message: *const c_char, message_size: usize }
    /// A program with its format.
    Program { code: *mut u8, code_size: usize, format: *const c_char, format_size: usize }
    /// Options of a run.
    ExecuteOptions {
        send_callbacks: *mut c_void, receive_callbacks: *mut c_void, send_count: usize, receive_count: usize,
        launch_id: c_int,
        kept_inputs: *const i64, kept_input_count: usize,
    }
}

/// What each element of the list of extensions of [`Api`] begins with.
#[repr(C)]
pub(super) struct Extension {
    pub struct_size: usize,
    pub kind: c_int,
    pub next: *const Extension,
}

/// `PJRT_Profiler_Extension`.
#[repr(C)]
pub(super) struct ProfilerExtension {
    pub base: Extension,
    pub table: *const ProfilerTable,
}

impl ProfilerExtension {
    /// The kind of this extension.
    pub const KIND: c_int = 1;
}

/// `PLUGIN_Profiler_Api`: the functions of a profiler. Those of its errors have the arguments of [`Api`].
#[repr(C)]
pub(super) struct ProfilerTable {
    pub struct_size: usize,
    pub private: *mut c_void,
    pub error_destroy: Option<InfallibleFunction>,
    pub error_message: Option<InfallibleFunction>,
    pub error_code: Option<Function>,
    pub create: Option<Function>,
    pub destroy: Option<Function>,
    pub start: Option<Function>,
    pub stop: Option<Function>,
    pub collect: Option<Function>,
}

/// The arguments of [`ProfilerTable::create`].
#[repr(C)]
pub(super) struct ProfilerCreate {
    pub struct_size: usize,
    pub options: *const u8,
    pub option_size: usize,
    pub profiler: Handle,
    pub reserved: [usize; 16],
}

/// The arguments of [`ProfilerTable::collect`], with which those of `destroy`, `start` and `stop` begin.
#[repr(C)]
pub(super) struct ProfilerCall {
    pub struct_size: usize,
    pub profiler: Handle,
    pub bytes: *mut u8,
    pub size: usize,
    pub reserved: [usize; 16],
}

/// The numbers of the functions that destroy an object.
pub(super) mod destroy {
    pub const EVENT: usize = 5;
    pub const CLIENT: usize = 11;
    pub const EXECUTABLE: usize = 40;
    pub const LOADED_EXECUTABLE: usize = 50;
    pub const BUFFER: usize = 58;
}

/// A value with a name: an attribute of a plugin, an option of a client. Plugins have arrays of them, so it has no
/// reserved fields.
#[repr(C)]
pub(super) struct NamedValue {
    pub struct_size: usize,
    pub extension_start: *mut c_void,
    pub name: *const c_char,
    pub name_size: usize,
    pub kind: c_int,
    pub value: Value,
    pub value_size: usize,
}

/// The kinds of [`Value`].
pub(super) mod kind {
    use core::ffi::c_int;

    pub const TEXT: c_int = 0;
    pub const INTEGER: c_int = 1;
    pub const INTEGERS: c_int = 2;
    pub const FLOAT: c_int = 3;
    pub const BOOL: c_int = 4;
}

/// The value of a [`NamedValue`], which has its kind.
#[repr(C)]
pub(super) union Value {
    pub text: *const c_char,
    pub integer: i64,
    pub integers: *const i64,
    pub float: f32,
    pub boolean: bool,
}

/// The order of the axes of an array in memory, `PJRT_Buffer_MemoryLayout` with its first kind, without tiles.
#[repr(C)]
pub(super) struct Layout {
    struct_size: usize,
    extension_start: *mut c_void,
    inner_struct_size: usize,
    inner_extension_start: *mut c_void,
    minor_to_major: *const i64,
    rank: usize,
    tile_sizes: *const i64,
    tile_ranks: *const usize,
    tile_count: usize,
    kind: c_int,
}

impl Layout {
    /// The layout whose axes are in this order, the one with the smallest stride first. It borrows them by a pointer.
    pub(super) fn of(minor_to_major: &[i64]) -> Self {
        Self {
            struct_size: size_of::<Self>(),
            extension_start: core::ptr::null_mut(),
            inner_struct_size: 7 * size_of::<usize>(),
            inner_extension_start: core::ptr::null_mut(),
            minor_to_major: minor_to_major.as_ptr(),
            rank: minor_to_major.len(),
            tile_sizes: core::ptr::null(),
            tile_ranks: core::ptr::null(),
            tile_count: 0,
            kind: 0,
        }
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    /// The sizes of the C structs, counted from the interface: each field of eight bytes, `int` in eight where a
    /// pointer follows.
    #[test]
    fn structs_have_the_sizes_of_c() {
        const RESERVED: usize = 128;
        let sizes = [
            (size_of::<ClientCreate>() - RESERVED, 88),
            (size_of::<Compile>() - RESERVED, 56),
            (size_of::<BufferFromHost>() - RESERVED, 120),
            (size_of::<Execute>() - RESERVED, 80),
            (size_of::<ExecuteOptions>() - RESERVED, 72),
            (size_of::<BufferToHost>() - RESERVED, 56),
            (size_of::<Serialize>() - RESERVED, 56),
            (size_of::<Deserialize>() - RESERVED, 64),
            (size_of::<Program>() - RESERVED, 48),
            (size_of::<NamedValue>(), 56),
            (size_of::<Layout>(), 80),
            (core::mem::offset_of!(Api, functions), 56),
            (size_of::<ProfilerExtension>(), 32),
            (size_of::<ProfilerTable>(), 80),
            (size_of::<ProfilerCreate>() - RESERVED, 32),
            (size_of::<ProfilerCall>() - RESERVED, 32),
        ];
        for (ours, theirs) in sizes {
            assert_eq!(ours, theirs);
        }
    }

    #[test]
    fn new_arguments_are_zero_but_for_their_size() {
        let arguments = Compile::new();
        assert_eq!(arguments.struct_size, size_of::<Compile>());
        assert!(arguments.extension_start.is_null() && arguments.client.is_null());
        assert_eq!((arguments.options_size, arguments.reserved), (0, [0; 16]));
    }
}
