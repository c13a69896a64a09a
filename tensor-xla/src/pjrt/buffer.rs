//! Arrays on a device.

use std::sync::Arc;

use super::abi::{self, Arguments, Handle};
use super::{Client, Object, integers};
use crate::element_type::ElementType;
use crate::error::{Code, Error};

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

    /// Copies the elements to the host, in row-major order. They are of this type and of these sizes, or there is an
    /// error.
    ///
    /// # Panics
    ///
    /// Panics if the destination has another number of bytes than such elements.
    pub(crate) fn to_host(
        &self,
        (element_type, local_sizes): (ElementType, &[usize]),
        destination: &mut [u8],
    ) -> Result<(), Error> {
        let (number, sizes) = self.element_type_and_sizes()?;
        check_type((element_type, local_sizes), number, &sizes)?;
        let bytes = local_sizes.iter().product::<usize>() * element_type.size();
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

/// Checks that an array has the element type and the sizes that the compiled program stated.
fn check_type(
    (element_type, sizes): (ElementType, &[usize]),
    found: i32,
    found_sizes: &[i64],
) -> Result<(), Error> {
    let found = ElementType::from_number(found)?;
    let is_size = |(&size, &found): (&usize, &i64)| usize::try_from(found) == Ok(size);
    let has_sizes = sizes.len() == found_sizes.len() && sizes.iter().zip(found_sizes).all(is_size);
    if found == element_type && has_sizes {
        return Ok(());
    }
    let message = format!(
        "the plugin stated {element_type} {sizes:?} for a device, and its array has {found} {found_sizes:?}"
    );
    Err(Error::plugin("Buffer_ToHostBuffer", Code::Internal, &message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_another_type_than_was_stated_are_errors() {
        let stated = (ElementType::F32, &[2, 3][..]);
        let check = |number, sizes: &[i64]| check_type(stated, number, sizes);
        assert_eq!(check(11, &[2, 3]), Ok(()));
        let error = check(4, &[2, 3]).unwrap_err().to_string();
        assert!(
            error.ends_with("f32 [2, 3] for a device, and its array has i32 [2, 3]"),
            "{error}"
        );
        for sizes in [&[3, 2][..], &[2], &[2, 3, 1], &[2, -3], &[i64::MAX, i64::MAX]] {
            check(11, sizes).expect_err("other sizes");
        }
        check(99, &[2, 3]).expect_err("no element type");
    }

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
