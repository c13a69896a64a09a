//! The memory of a program.

/// The bytes of the memory of one device that a run of a program takes: see [`Executable::memory`](crate::Executable::memory).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Memory {
    /// The inputs.
    pub inputs: u64,
    /// The outputs.
    pub outputs: u64,
    /// The outputs that have the memory of inputs, which are donated: counted in both.
    pub shared: u64,
    /// What is computed on the way.
    pub temporary: u64,
    /// The machine code, if the plugin knows it.
    pub code: u64,
}

impl Memory {
    /// The most that exists at one time, without the machine code.
    ///
    /// ```
    /// assert_eq!(tensor_xla::Memory::default().peak(), 0);
    /// ```
    pub fn peak(&self) -> u64 {
        (self.inputs + self.outputs + self.temporary).saturating_sub(self.shared)
    }
}
