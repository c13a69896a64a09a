//! Tensors on devices.

use core::fmt;
use std::borrow::Cow;
use std::sync::Arc;

use crate::element_type::{ElementType, HostElement};
use crate::engine::Engine;
use crate::error::Error;
use crate::pjrt::{Block, Client, Part};
use crate::tensor_type::TensorType;

/// A tensor on the devices of an engine: on the first, or split over those of a mesh.
///
/// It stays there between calls. Dropping it frees the memory.
///
/// ```no_run
/// use tensor_xla::{Buffer, Engine, TensorType};
///
/// let engine = Engine::find()?;
/// let x = Buffer::from_slice(&engine, &TensorType::of::<i32>([2, 2]), &[1, 2, 3, 4])?;
/// assert_eq!(x.to_vec::<i32>()?, [1, 2, 3, 4]);
/// # Ok::<(), tensor_xla::Error>(())
/// ```
pub struct Buffer {
    tensor_type: Arc<TensorType>,
    /// What each device has, in the order of the mesh.
    parts: Vec<Part>,
}

impl Buffer {
    /// Copies elements in row-major order to the devices of an engine.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] if the slice has another element type or another number of elements than the tensor;
    /// [`Error::Sharding`] if its mesh has more devices than the engine; [`Error::Plugin`] if the plugin lacks memory.
    ///
    /// ```no_run
    /// use tensor_xla::{Buffer, Engine, Mesh, Options, TensorType};
    ///
    /// let engine = Engine::find_with(&Options::new().cpu_devices(4))?;
    /// let mesh = Mesh::new([("data", 4)])?;
    /// let rows = TensorType::of::<f32>([8, 2]).sharded(&mesh, &[&["data"], &[]])?;
    /// let x = Buffer::from_slice(&engine, &rows, &[0.5_f32; 16])?;
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn from_slice<T: HostElement>(
        engine: &Engine,
        tensor_type: &TensorType,
        elements: &[T],
    ) -> Result<Self, Error> {
        check_element_type::<T>(tensor_type)?;
        Self::from_bytes(engine, tensor_type, T::bytes(elements))
    }

    /// Copies the bytes of elements in row-major order to the devices of an engine. A `bool` is a byte 0 or 1.
    ///
    /// # Errors
    ///
    /// Those of [`Buffer::from_slice`]; [`Error::Argument`] for a `bool` that is another byte.
    ///
    /// ```no_run
    /// use tensor_xla::{Buffer, ElementType, Engine, TensorType};
    ///
    /// let engine = Engine::find()?;
    /// let pixels = TensorType::new(ElementType::U8, [2, 2]);
    /// let x = Buffer::from_bytes(&engine, &pixels, &[0, 64, 128, 255])?;
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn from_bytes(
        engine: &Engine,
        tensor_type: &TensorType,
        bytes: &[u8],
    ) -> Result<Self, Error> {
        let found = bytes.len();
        match tensor_type.bytes() {
            Some(needed) if needed == found => {}
            Some(needed) => {
                let message = format!("{tensor_type} has {needed} bytes, and the slice {found}");
                return Err(Error::Argument(message));
            }
            None => return Err(Error::Argument(format!("{tensor_type} is too large"))),
        }
        if tensor_type.element_type() == ElementType::Bool
            && let Some(byte) = bytes.iter().find(|&&byte| byte > 1)
        {
            return Err(Error::Argument(format!("{tensor_type} has bytes 0 and 1, not {byte}")));
        }
        let strides = tensor_type.byte_strides();
        Self::upload(engine, tensor_type, &strides, |device| {
            let start = tensor_type.start(device);
            let offset = if bytes.is_empty() {
                0
            } else {
                start.iter().zip(&strides).map(|(index, stride)| index * stride).sum()
            };
            Ok((Cow::Borrowed(bytes), offset))
        })
    }

    /// Copies to each device its part, which `part` gives in row-major order.
    #[cfg(feature = "safetensors")]
    pub(crate) fn from_parts(
        engine: &Engine,
        tensor_type: &TensorType,
        mut part: impl FnMut(usize) -> Result<Vec<u8>, Error>,
    ) -> Result<Self, Error> {
        let strides = tensor_type.local().byte_strides();
        let part = |device| part(device).map(|bytes| (Cow::Owned(bytes), 0));
        Self::upload(engine, tensor_type, &strides, part)
    }

    /// Copies to each device its part, which begins at an offset of some bytes.
    fn upload<'b>(
        engine: &Engine,
        tensor_type: &TensorType,
        strides: &[usize],
        mut part: impl FnMut(usize) -> Result<(Cow<'b, [u8]>, usize), Error>,
    ) -> Result<Self, Error> {
        let devices = engine.device_ids(tensor_type.mesh())?.len();
        let signed =
            |numbers: &[usize]| -> Vec<i64> { numbers.iter().map(|&n| n as i64).collect() };
        let (sizes, byte_strides) = (signed(&tensor_type.local_sizes()), signed(strides));
        let upload = |device| {
            let (bytes, offset) = part(device)?;
            let block = Block {
                bytes: &bytes,
                offset,
                sizes: &sizes,
                byte_strides: &byte_strides,
                element_size: tensor_type.element_type().size(),
                element_type: tensor_type.element_type().number(),
            };
            Part::upload(engine.client(), device, &block)
        };
        let parts = (0..devices).map(upload).collect::<Result<_, _>>()?;
        Ok(Self { tensor_type: Arc::new(tensor_type.clone()), parts })
    }

    /// The bytes of the part that a device has, in row-major order.
    #[cfg(feature = "safetensors")]
    pub(crate) fn part(&self, device: usize) -> Result<Vec<u8>, Error> {
        let local = self.tensor_type.local();
        let mut bytes = vec![0; local.bytes().expect("the part is in memory")];
        self.parts[device].to_host((local.element_type(), local.sizes()), &mut bytes)?;
        Ok(bytes)
    }

    pub(crate) fn new(tensor_type: Arc<TensorType>, parts: Vec<Part>) -> Self {
        Self { tensor_type, parts }
    }

    /// The type.
    ///
    /// ```no_run
    /// # let engine = tensor_xla::Engine::find()?;
    /// use tensor_xla::{Buffer, TensorType};
    ///
    /// let scalar = TensorType::of::<f32>([]);
    /// assert_eq!(Buffer::from_slice(&engine, &scalar, &[1.0_f32])?.tensor_type(), &scalar);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn tensor_type(&self) -> &TensorType {
        &self.tensor_type
    }

    /// Copies the elements to the host, in row-major order; parts of several devices are put together.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] if the tensor has another element type; [`Error::Plugin`] if copying fails.
    ///
    /// ```no_run
    /// # let engine = tensor_xla::Engine::find()?;
    /// use tensor_xla::{Buffer, TensorType};
    ///
    /// let mask = Buffer::from_slice(&engine, &TensorType::of::<bool>([2]), &[true, false])?;
    /// assert_eq!(mask.to_vec::<bool>()?, [true, false]);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn to_vec<T: HostElement>(&self) -> Result<Vec<T>, Error> {
        check_element_type::<T>(&self.tensor_type)?;
        T::read(self.byte_count() / self.tensor_type.element_type().size(), |bytes| {
            self.read(bytes)
        })
    }

    /// Copies the bytes of the elements to the host, in row-major order.
    ///
    /// # Errors
    ///
    /// [`Error::Plugin`] if copying fails.
    ///
    /// ```no_run
    /// # let engine = tensor_xla::Engine::find()?;
    /// use tensor_xla::{Buffer, TensorType};
    ///
    /// let one = Buffer::from_slice(&engine, &TensorType::of::<i16>([]), &[1_i16])?;
    /// assert_eq!(one.to_bytes()?, 1_i16.to_ne_bytes());
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; self.byte_count()];
        self.read(&mut bytes)?;
        Ok(bytes)
    }

    fn byte_count(&self) -> usize {
        self.tensor_type.bytes().expect("the tensor is in memory")
    }

    /// Writes all elements to the host.
    fn read(&self, bytes: &mut [u8]) -> Result<(), Error> {
        let local_sizes = self.tensor_type.local_sizes();
        let of_part = (self.tensor_type.element_type(), &local_sizes[..]);
        if let [part] = &self.parts[..] {
            return part.to_host(of_part, bytes);
        }
        let local = local_sizes.iter().product::<usize>();
        let mut part = vec![0; local * self.tensor_type.element_type().size()];
        for device in (0..self.parts.len()).filter(|&device| self.tensor_type.is_first_copy(device))
        {
            self.parts[device].to_host(of_part, &mut part)?;
            self.tensor_type.place(device, &part, bytes);
        }
        Ok(())
    }

    /// The address of the elements on each device, as the platform counts it: it shows whether an output has the memory
    /// of a donated input.
    ///
    /// # Errors
    ///
    /// [`Error::Plugin`] if the plugin does not give addresses.
    ///
    /// ```no_run
    /// # let engine = tensor_xla::Engine::find()?;
    /// use tensor_xla::{Buffer, TensorType};
    ///
    /// let x = Buffer::from_slice(&engine, &TensorType::of::<f32>([]), &[1.0_f32])?;
    /// assert_eq!(x.addresses()?.len(), 1);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn addresses(&self) -> Result<Vec<usize>, Error> {
        self.parts.iter().map(Part::address).collect()
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    pub(crate) fn client(&self) -> &Arc<Client> {
        // A mesh has at least one device.
        self.parts[0].client()
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({})", self.tensor_type)
    }
}

fn check_element_type<T: HostElement>(tensor_type: &TensorType) -> Result<(), Error> {
    if T::TYPE == tensor_type.element_type() {
        return Ok(());
    }
    Err(Error::Argument(format!(
        "the tensor is {tensor_type}, and its elements on the host are {}",
        T::TYPE
    )))
}
