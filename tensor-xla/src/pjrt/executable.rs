//! Compiled programs.

use std::sync::{Arc, PoisonError};

use super::abi::{self, Arguments, Handle};
use super::{Client, Object, Part, integers};
use crate::error::{Code, Error};
use crate::memory::Memory;

/// A compiled program on the devices that it was compiled for.
pub(crate) struct LoadedExecutable {
    // Dropped before the client.
    object: Object<{ abi::destroy::LOADED_EXECUTABLE }>,
    /// The program without its devices, which has what is known of it.
    program: Object<{ abi::destroy::EXECUTABLE }>,
    client: Arc<Client>,
    outputs: usize,
}

/// An output of a program: the number of its element type in the interface, and its sizes on one device.
pub(crate) type CompiledOutput = (i32, Vec<i64>);

impl LoadedExecutable {
    /// Takes an executable that a function has made.
    ///
    /// # Safety
    ///
    /// The handle is null or a loaded executable of the client, owned by the caller.
    unsafe fn new(client: &Arc<Client>, handle: Handle) -> Result<Self, Error> {
        let plugin = client.plugin();
        // SAFETY: the caller vouches for the handle.
        let object = unsafe { Object::new(plugin, handle, "executable") }?;
        let mut arguments = abi::GetExecutable::new();
        arguments.loaded = object.handle();
        // SAFETY: the executable is alive.
        unsafe { plugin.call(&mut arguments) }?;
        // SAFETY: the function made this object for its caller.
        let program = unsafe { Object::new(plugin, arguments.executable, "executable") }?;
        let mut arguments = abi::OutputCount::new();
        arguments.executable = program.handle();
        // SAFETY: the executable is alive.
        unsafe { plugin.call(&mut arguments) }?;
        Ok(Self { object, program, client: client.clone(), outputs: arguments.count })
    }

    /// Compiles a program in MLIR with serialised compile options.
    pub(crate) fn compile(client: &Arc<Client>, code: &str, options: &[u8]) -> Result<Self, Error> {
        const FORMAT: &str = "mlir";
        let mut program = abi::Program::zeroed();
        program.code = code.as_ptr().cast_mut();
        program.code_size = code.len();
        program.format = FORMAT.as_ptr().cast();
        program.format_size = FORMAT.len();
        let mut arguments = abi::Compile::new();
        arguments.client = client.handle();
        arguments.program = &raw const program;
        arguments.options = options.as_ptr();
        arguments.options_size = options.len();
        // SAFETY: the client is alive; program and options are borrowed for the call, which reads them.
        unsafe { client.plugin().call(&mut arguments) }?;
        // SAFETY: the function made this executable for its caller.
        unsafe { Self::new(client, arguments.executable) }
    }

    /// Loads an executable that [`serialize`](Self::serialize) gave.
    ///
    /// # Safety
    ///
    /// The bytes are those of [`serialize`](Self::serialize) of this plugin: they have machine code, which runs.
    pub(crate) unsafe fn load(client: &Arc<Client>, bytes: &[u8]) -> Result<Self, Error> {
        let mut arguments = abi::Deserialize::new();
        arguments.client = client.handle();
        arguments.bytes = bytes.as_ptr();
        arguments.size = bytes.len();
        // SAFETY: the client is alive, the bytes are borrowed for the call, and the caller vouches for the code in them.
        unsafe { client.plugin().call(&mut arguments) }?;
        // SAFETY: the function made this executable for its caller.
        unsafe { Self::new(client, arguments.loaded) }
    }

    pub(crate) fn client(&self) -> &Arc<Client> {
        &self.client
    }

    /// The outputs, as one device has them.
    pub(crate) fn outputs(&self) -> Result<Vec<CompiledOutput>, Error> {
        let mut types = abi::OutputElementTypes::new();
        types.executable = self.program.handle();
        let mut sizes = abi::OutputSizes::new();
        sizes.executable = self.program.handle();
        // SAFETY: the executable is alive, and owns the lists: a type and a rank for each output, and sizes for
        // all ranks together. They are copied.
        unsafe {
            self.client.plugin().call(&mut types)?;
            self.client.plugin().call(&mut sizes)?;
            let types = integers(types.types, types.count);
            let ranks = integers(sizes.ranks, sizes.count);
            if types.len() != self.outputs || ranks.len() != self.outputs {
                let message = format!(
                    "the plugin stated {} outputs, {} element types and {} ranks",
                    self.outputs,
                    types.len(),
                    ranks.len()
                );
                return Err(Error::plugin("Executable_NumOutputs", Code::Internal, &message));
            }
            let mut sizes = integers(sizes.sizes, ranks.iter().sum());
            let outputs = types.iter().zip(ranks).map(|(&element_type, &rank)| {
                let (first, rest) = sizes.split_at(rank);
                sizes = rest;
                (element_type, first.to_vec())
            });
            Ok(outputs.collect())
        }
    }

    /// Runs the program: the outputs of each device. With `wait`, and always on several devices, all have finished when this
    /// returns; else the plugin lets what reads or uses the outputs wait, and reports a failure there.
    ///
    /// `arguments` has the arguments of the first device, then those of the second and so on.
    pub(crate) fn execute(
        &self,
        arguments: &[&Part],
        devices: usize,
        wait: bool,
    ) -> Result<Vec<Vec<Part>>, Error> {
        let count = arguments.len() / devices;
        assert_eq!(count * devices, arguments.len(), "each device has its arguments");
        let handles: Vec<Handle> = arguments.iter().map(|part| part.handle()).collect();
        let lists: Vec<*const Handle> =
            (0..devices).map(|device| handles[device * count..].as_ptr()).collect();
        let mut outputs: Vec<Handle> = vec![core::ptr::null_mut(); devices * self.outputs];
        let first = outputs.as_mut_ptr();
        let output_lists: Vec<*mut Handle> =
            (0..devices).map(|device| first.wrapping_add(device * self.outputs)).collect();
        let mut events = vec![core::ptr::null_mut(); devices];
        let options = abi::ExecuteOptions::zeroed();
        let mut execute = abi::Execute::new();
        execute.loaded = self.object.handle();
        execute.options = &raw const options;
        execute.arguments = lists.as_ptr();
        execute.device_count = devices;
        execute.argument_count = count;
        execute.outputs = output_lists.as_ptr();
        if wait || devices > 1 {
            execute.complete_events = events.as_mut_ptr();
        }
        let turn = (devices > 1).then(|| self.client.several_devices.lock());
        let turn = turn.map(|lock| lock.unwrap_or_else(PoisonError::into_inner));
        // SAFETY: executable and arguments are alive, and the plugin keeps the memory of the arguments until it has read
        // them; for each device there are `count` arguments, room for all outputs of the executable, and for
        // one event, or the null pointer for none.
        unsafe { self.client.plugin().call(&mut execute) }?;
        // Every event is awaited, also after an error.
        let mut result = Ok(());
        for event in events {
            // SAFETY: the event belongs to the caller.
            result = result.and(unsafe { self.client.plugin().wait(event) });
        }
        drop(turn);
        // SAFETY: the outputs belong to the caller. All are taken before an error is returned, so that none is leaked.
        let take = |handle: &Handle| unsafe { Part::new(&self.client, *handle) };
        let parts: Vec<Result<Part, Error>> = outputs.iter().map(take).collect();
        result?;
        let mut parts = parts.into_iter();
        (0..devices).map(|_| parts.by_ref().take(self.outputs).collect()).collect()
    }

    /// The bytes of the memory that a run takes, as the compiler has planned it.
    pub(crate) fn memory(&self) -> Result<Memory, Error> {
        let mut arguments = abi::MemoryStats::new();
        arguments.executable = self.program.handle();
        // SAFETY: the executable is alive, and the function writes numbers alone.
        unsafe { self.client.plugin().call(&mut arguments) }?;
        let bytes = |number: i64| u64::try_from(number).unwrap_or(0);
        Ok(Memory {
            inputs: bytes(arguments.arguments),
            outputs: bytes(arguments.outputs),
            shared: bytes(arguments.shared),
            temporary: bytes(arguments.temporary),
            code: bytes(arguments.code),
        })
    }

    /// The compiled program as bytes that the same plugin loads.
    pub(crate) fn serialize(&self) -> Result<Vec<u8>, Error> {
        let mut arguments = abi::Serialize::new();
        arguments.executable = self.program.handle();
        // SAFETY: the executable is alive. The bytes live until they are deleted, and are copied before.
        unsafe {
            self.client.plugin().call(&mut arguments)?;
            let bytes = integers(arguments.bytes, arguments.size).to_vec();
            if let Some(delete) = arguments.delete {
                delete(arguments.serialized);
            }
            Ok(bytes)
        }
    }

    /// The program after the passes of the compiler, a serialised HLO module with its configuration.
    pub(crate) fn optimized(&self) -> Result<Vec<u8>, Error> {
        let mut program = abi::Program::zeroed();
        let mut arguments = abi::OptimizedProgram::new();
        arguments.executable = self.program.handle();
        arguments.program = &raw mut program;
        // SAFETY: the executable is alive; without memory for the code, the function gives its size.
        unsafe { self.client.plugin().call(&mut arguments) }?;
        let mut code = vec![0_u8; program.code_size];
        program.code = code.as_mut_ptr();
        // SAFETY: as above; there is memory for the bytes that the function needs.
        unsafe { self.client.plugin().call(&mut arguments) }?;
        if program.code_size > code.len() {
            let message = "the optimised program changed its size between two calls";
            return Err(Error::plugin("Executable_OptimizedProgram", Code::Internal, message));
        }
        code.truncate(program.code_size);
        Ok(code)
    }
}
