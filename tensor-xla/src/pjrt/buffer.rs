//! Arrays on a device.

use std::sync::Arc;

use super::abi::{self, Arguments, Handle};
use super::{Client, Object, integers};
use crate::element_type::ElementType;
use crate::error::Error;

/// The array, or the part of an array, that one device holds.
pub(crate) struct Part {
    // Dropped before the client.
    object: Object<{ abi::destroy::BUFFER }>,
    client: Arc<Client>,
}

/// Elements of a host array that go to one device: of all those in `bytes`, a block of these sizes.
pub(crate) struct Block<'a> {
    /// The elements of the whole array.
    pub(crate) bytes: &'a [u8],
    /// The first byte of the block.
    pub(crate) offset: usize,
    /// The sizes of the block.
    pub(crate) sizes: &'a [i64],
    /// The bytes from one index of an axis to the next.
    pub(crate) byte_strides: &'a [i64],
    /// The number of bytes of an element.
    pub(crate) element_size: usize,
    /// The number of the element type in the interface.
    pub(crate) element_type: i32,
}

impl Block<'_> {
    /// Whether the block has a stride for each axis, no negative numbers, and lies within the bytes.
    fn is_within(&self) -> bool {
        if self.sizes.len() != self.byte_strides.len() || self.offset > self.bytes.len() {
            return false;
        }
        if self.sizes.contains(&0) {
            return self.sizes.iter().all(|&size| size >= 0);
        }
        // One past the last byte of the element at the end of each axis.
        let mut axes = self.sizes.iter().zip(self.byte_strides);
        let end =
            axes.try_fold(self.offset.checked_add(self.element_size), |end, (&size, &stride)| {
                let size = usize::try_from(size).ok()?;
                let distance = (size - 1).checked_mul(usize::try_from(stride).ok()?)?;
                Some(end?.checked_add(distance))
            });
        end.flatten().is_some_and(|end| end <= self.bytes.len())
    }
}

impl Part {
    /// Takes an array that a function has made.
    ///
    /// # Safety
    ///
    /// The handle is null or a buffer of the client, owned by the caller.
    pub(super) unsafe fn new(client: &Arc<Client>, handle: Handle) -> Result<Self, Error> {
        // SAFETY: the caller vouches for the handle.
        let object = unsafe { Object::new(client.plugin(), handle, "buffer") }?;
        Ok(Self { object, client: client.clone() })
    }

    /// Copies a block of a host array to a device.
    ///
    /// # Panics
    ///
    /// Panics if the block does not lie within the bytes.
    pub(crate) fn upload(
        client: &Arc<Client>,
        device: usize,
        block: &Block<'_>,
    ) -> Result<Self, Error> {
        assert!(block.is_within(), "the block lies within the array");
        let mut arguments = abi::BufferFromHost::new();
        arguments.client = client.handle();
        arguments.data = block.bytes[block.offset..].as_ptr().cast();
        arguments.element_type = block.element_type;
        arguments.sizes = block.sizes.as_ptr();
        arguments.rank = block.sizes.len();
        arguments.byte_strides = block.byte_strides.as_ptr();
        arguments.byte_stride_count = block.byte_strides.len();
        arguments.device = client.device(device);
        // SAFETY: the plugin reads the elements of the block, which lie within `bytes`, and not after the call: the
        // semantics are those of number 0, "immutable only during call". Client and device are alive.
        unsafe { client.plugin().call(&mut arguments) }?;
        // SAFETY: the function made this buffer for its caller.
        let part = unsafe { Self::new(client, arguments.buffer) };
        // SAFETY: the event belongs to the caller.
        unsafe { client.plugin().wait(arguments.done_with_host_buffer) }?;
        part
    }

    /// Copies the elements to the host, in row-major order.
    ///
    /// # Panics
    ///
    /// Panics if the destination has another number of bytes than the elements.
    pub(crate) fn to_host(&self, destination: &mut [u8]) -> Result<(), Error> {
        let (number, sizes) = self.element_type_and_sizes()?;
        let element_size = ElementType::from_number(number)?.size();
        let bytes = sizes.iter().map(|&size| size as usize).product::<usize>() * element_size;
        assert_eq!(destination.len(), bytes, "the destination has the bytes of the elements");
        let order: Vec<i64> = (0..sizes.len() as i64).rev().collect();
        let layout = abi::Layout::of(&order);
        let mut arguments = abi::BufferToHost::new();
        arguments.buffer = self.handle();
        arguments.layout = &raw const layout;
        arguments.data = destination.as_mut_ptr().cast();
        arguments.size = destination.len();
        // SAFETY: the buffer is alive; the destination has the bytes of the elements, and is borrowed until the
        // event, after which the plugin writes no more.
        unsafe {
            self.client.plugin().call(&mut arguments)?;
            self.client.plugin().wait(arguments.event)
        }
    }

    /// The number of the element type in the interface, and the sizes of the axes.
    pub(crate) fn element_type_and_sizes(&self) -> Result<(i32, Vec<i64>), Error> {
        let mut element = abi::BufferElementType::new();
        element.buffer = self.handle();
        let mut sizes = abi::BufferSizes::new();
        sizes.buffer = self.handle();
        // SAFETY: the buffer is alive, and owns its sizes, which are copied.
        unsafe {
            self.client.plugin().call(&mut element)?;
            self.client.plugin().call(&mut sizes)?;
            Ok((element.element_type, integers(sizes.sizes, sizes.rank).to_vec()))
        }
    }

    /// The address of the elements on the device, as the platform counts it.
    pub(crate) fn address(&self) -> Result<usize, Error> {
        let mut arguments = abi::BufferAddress::new();
        arguments.buffer = self.handle();
        // SAFETY: the buffer is alive.
        unsafe { self.client.plugin().call(&mut arguments) }?;
        Ok(arguments.address)
    }

    pub(super) fn handle(&self) -> Handle {
        self.object.handle()
    }

    pub(crate) fn client(&self) -> &Arc<Client> {
        &self.client
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_reach_beyond_the_array_are_found() {
        let is_within = |offset, sizes: &[i64], byte_strides: &[i64]| {
            let bytes = &[0; 24];
            Block { bytes, offset, sizes, byte_strides, element_size: 4, element_type: 11 }
                .is_within()
        };
        assert!(is_within(0, &[2, 3], &[12, 4]) && is_within(4, &[2, 2], &[12, 4]));
        assert!(is_within(20, &[], &[]) && is_within(24, &[0, 3], &[12, 4]));
        assert!(!is_within(4, &[2, 3], &[12, 4]) && !is_within(21, &[], &[]));
        assert!(
            !is_within(0, &[2], &[-4]) && !is_within(0, &[-2], &[4]) && !is_within(0, &[2], &[])
        );
        assert!(!is_within(0, &[i64::MAX, i64::MAX], &[i64::MAX, 4]) && !is_within(25, &[0], &[4]));
        assert!(!is_within(0, &[0, -1], &[4, 4]));
    }
}
