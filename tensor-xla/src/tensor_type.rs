//! The type of a tensor: its element type, its sizes, and how it is split over devices.

use core::fmt;

use crate::element_type::{ElementType, HostElement};
use crate::error::Error;
use crate::mesh::Mesh;

/// The type of a tensor on devices: its element type, its sizes, and how its axes are split over the axes of a mesh.
///
/// A tensor that is not split is on one device, the first of the engine.
///
/// ```
/// use tensor_xla::{Mesh, TensorType};
///
/// let rows = TensorType::of::<f32>([8, 16]);
/// assert_eq!(rows.to_string(), "f32 [8, 16]");
///
/// let mesh = Mesh::new([("data", 4), ("model", 2)])?;
/// let rows = rows.sharded(&mesh, &[&["data"], &[]])?;
/// assert_eq!(rows.to_string(), "f32 [8 over data = 4, 16]");
/// assert_eq!(rows.local_sizes(), [2, 16]);
/// # Ok::<(), tensor_xla::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorType {
    element_type: ElementType,
    sizes: Vec<usize>,
    sharding: Option<AxisSplits>,
}

/// How the axes of a tensor are split.
#[derive(Clone, Debug, PartialEq, Eq)]
struct AxisSplits {
    mesh: Mesh,
    /// For each axis of the tensor, the indices of the axes of the mesh that split it.
    axes: Vec<Vec<usize>>,
}

/// The next sizes, below and above one that is not a multiple of the number of devices, which are.
pub(crate) fn sizes_that_fit(size: usize, devices: usize) -> String {
    let below = size - size % devices;
    let sizes = [Some(below).filter(|&below| below > 0), below.checked_add(devices)];
    sizes.into_iter().flatten().map(|size| size.to_string()).collect::<Vec<_>>().join(" or ")
}

/// Axes of a mesh as a rule has them: `data`, `(data, model)`, or nothing.
pub(crate) fn axis_list(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    if names.len() > 1 { format!("({})", names.join(", ")) } else { names.concat() }
}

impl TensorType {
    /// A type with this element type and these sizes, on one device.
    ///
    /// ```
    /// use tensor_xla::{ElementType, TensorType};
    ///
    /// assert_eq!(TensorType::new(ElementType::I64, [3]).to_string(), "i64 [3]");
    /// ```
    pub fn new(element_type: ElementType, sizes: impl Into<Vec<usize>>) -> Self {
        Self { element_type, sizes: sizes.into(), sharding: None }
    }

    /// The same with an element type of Rust.
    ///
    /// ```
    /// use tensor_xla::TensorType;
    ///
    /// assert_eq!(TensorType::of::<bool>([]).to_string(), "bool []");
    /// ```
    pub fn of<T: HostElement>(sizes: impl Into<Vec<usize>>) -> Self {
        Self::new(T::TYPE, sizes)
    }

    /// The same tensor over all devices of a mesh: `axes` names, for each axis of the tensor, the axes of the mesh that
    /// split it, of several that with consecutive parts last. Along the other axes of the mesh, each device has a copy.
    ///
    /// # Errors
    ///
    /// [`Error::Sharding`] if `axes` has another length than the sizes, names an axis that the mesh does not have or one
    /// axis twice, or if the devices do not share a size evenly: the message has sizes that would fit.
    ///
    /// ```
    /// use tensor_xla::{Mesh, TensorType};
    ///
    /// let mesh = Mesh::new([("data", 4), ("model", 2)])?;
    /// let weight = TensorType::of::<f32>([16, 6]).sharded(&mesh, &[&[], &["model"]])?;
    /// assert_eq!(weight.local_sizes(), [16, 3]);
    /// let weight = TensorType::of::<f32>([16, 6]).sharded(&mesh, &[&["data", "model"], &[]])?;
    /// assert_eq!(weight.local_sizes(), [2, 6]);
    ///
    /// let error = TensorType::of::<f32>([7, 16]).sharded(&mesh, &[&["data"], &[]]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "f32 [7, 16]: axis 0 has size 7, which the 4 devices of `data` do not share evenly; 4 or 8 would fit",
    /// );
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn sharded(mut self, mesh: &Mesh, axes: &[&[&str]]) -> Result<Self, Error> {
        let refuse = |message: String| Err(Error::Sharding(format!("{self}: {message}")));
        if axes.len() != self.sizes.len() {
            let (rank, found) = (self.sizes.len(), axes.len());
            return refuse(format!("the tensor has {rank} axes, and the sharding {found}"));
        }
        let mut indices: Vec<Vec<usize>> = Vec::with_capacity(axes.len());
        for (axis, names) in axes.iter().enumerate() {
            indices.push(Vec::new());
            for name in *names {
                let Some(index) = mesh.axes().iter().position(|(other, _)| other == name) else {
                    return refuse(format!("no axis of the mesh is named `{name}`; it has {mesh}"));
                };
                if indices.iter().flatten().any(|&other| other == index) {
                    return refuse(format!(
                        "`{name}` is named twice; an axis of the mesh splits one axis of a tensor, once"
                    ));
                }
                indices[axis].push(index);
            }
            let (size, devices) = (self.sizes[axis], mesh.devices_along(&indices[axis]));
            if size % devices != 0 {
                let (fit, over) = (sizes_that_fit(size, devices), axis_list(names));
                return refuse(format!(
                    "axis {axis} has size {size}, which the {devices} devices of `{over}` do not share evenly; {fit} \
                     would fit"
                ));
            }
        }
        self.sharding = Some(AxisSplits { mesh: mesh.clone(), axes: indices });
        Ok(self)
    }

    /// The element type.
    ///
    /// ```
    /// # use tensor_xla::{ElementType, TensorType};
    /// assert_eq!(TensorType::of::<f32>([2]).element_type(), ElementType::F32);
    /// ```
    pub fn element_type(&self) -> ElementType {
        self.element_type
    }

    /// The sizes of the whole tensor.
    ///
    /// ```
    /// # use tensor_xla::TensorType;
    /// assert_eq!(TensorType::of::<f32>([2, 3]).sizes(), [2, 3]);
    /// ```
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The number of bytes of all elements; `None` if the product of the sizes exceeds an `i64`, also of an empty tensor,
    /// whose sizes of 0 are left out: XLA refuses such types.
    pub(crate) fn bytes(&self) -> Option<usize> {
        let mut sizes = self.sizes.iter().map(|&size| size.max(1));
        let bytes = sizes.try_fold(self.element_type.size(), usize::checked_mul)?;
        i64::try_from(bytes).ok()?;
        Some(if self.sizes.contains(&0) { 0 } else { bytes })
    }

    /// The mesh, if the tensor is on several devices.
    ///
    /// ```
    /// # use tensor_xla::TensorType;
    /// assert!(TensorType::of::<f32>([2, 3]).mesh().is_none());
    /// ```
    pub fn mesh(&self) -> Option<&Mesh> {
        self.sharding.as_ref().map(|sharding| &sharding.mesh)
    }

    /// The sizes of the part that each device has.
    ///
    /// ```
    /// # use tensor_xla::{Mesh, TensorType};
    /// let mesh = Mesh::new([("data", 4)])?;
    /// let rows = TensorType::of::<f32>([8, 16]).sharded(&mesh, &[&["data"], &[]])?;
    /// assert_eq!(rows.local_sizes(), [2, 16]);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn local_sizes(&self) -> Vec<usize> {
        (0..self.sizes.len()).map(|axis| self.sizes[axis] / self.parts(axis)).collect()
    }

    /// The type of the part that each device has.
    #[cfg(feature = "safetensors")]
    pub(crate) fn local(&self) -> Self {
        Self::new(self.element_type, self.local_sizes())
    }

    /// The axes of the mesh that an axis is split over.
    pub(crate) fn split(&self, axis: usize) -> Vec<&str> {
        let Some(AxisSplits { mesh, axes }) = &self.sharding else { return Vec::new() };
        axes[axis].iter().map(|&index| &mesh.axes()[index].0[..]).collect()
    }

    /// The number of parts that an axis is split into.
    pub(crate) fn parts(&self, axis: usize) -> usize {
        let sharding = self.sharding.as_ref();
        sharding.map_or(1, |AxisSplits { mesh, axes }| mesh.devices_along(&axes[axis]))
    }

    /// For each axis, the index in the whole tensor of the first element that a device has.
    pub(crate) fn start(&self, device: usize) -> Vec<usize> {
        let Some(AxisSplits { mesh, axes }) = &self.sharding else {
            return vec![0; self.sizes.len()];
        };
        let coordinates = mesh.coordinates(device);
        // The last axis of the mesh has consecutive parts.
        let part = |axes: &Vec<usize>| {
            axes.iter().fold(0, |part, &axis| part * mesh.axes()[axis].1 + coordinates[axis])
        };
        axes.iter().zip(self.local_sizes()).map(|(axes, size)| part(axes) * size).collect()
    }

    /// Whether no device before this one has the same part.
    pub(crate) fn is_first_copy(&self, device: usize) -> bool {
        let Some(AxisSplits { mesh, axes }) = &self.sharding else { return true };
        let coordinates = mesh.coordinates(device);
        let splits = |axis| axes.iter().flatten().any(|&other| other == axis);
        (0..coordinates.len()).all(|axis| coordinates[axis] == 0 || splits(axis))
    }

    /// The sharding as an attribute of an argument or result in StableHLO text; the mesh is `@mesh`.
    pub(crate) fn shardy(&self) -> Option<String> {
        self.mesh()?;
        let axis = |axis| {
            let names = self.split(axis).into_iter().map(|name| format!("\"{name}\""));
            format!("{{{}}}", names.collect::<Vec<_>>().join(", "))
        };
        let axes: Vec<String> = (0..self.sizes.len()).map(axis).collect();
        Some(format!("sdy.sharding = #sdy.sharding<@mesh, [{}]>", axes.join(", ")))
    }

    /// The bytes from one index of an axis to the next, of all elements in row-major order.
    pub(crate) fn byte_strides(&self) -> Vec<usize> {
        let mut stride = self.element_type.size();
        let mut strides: Vec<usize> = (self.sizes.iter().rev())
            .map(|&size| {
                let next = stride * size.max(1);
                core::mem::replace(&mut stride, next)
            })
            .collect();
        strides.reverse();
        strides
    }

    /// The part that a device has.
    pub(crate) fn region(&self, device: usize) -> Region {
        Region { start: self.start(device), sizes: self.local_sizes() }
    }

    /// Copies the part of a device to its position in the whole tensor, both in row-major order.
    pub(crate) fn place(&self, device: usize, part: &[u8], whole: &mut [u8]) {
        let all = Region { start: vec![0; self.sizes.len()], sizes: self.sizes.clone() };
        let region = self.region(device);
        if let Some(shared) = all.shared(&region) {
            all.copy(whole, (&region, part), &shared, self.element_type.size());
        }
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axis = |(axis, size): (usize, &usize)| {
            let Some(AxisSplits { mesh, axes }) = &self.sharding else { return size.to_string() };
            let over = axes[axis].iter().map(|&index| {
                let (name, devices) = &mesh.axes()[index];
                format!("{name} = {devices}")
            });
            match axis_list(&over.collect::<Vec<_>>()) {
                over if over.is_empty() => size.to_string(),
                over => format!("{size} over {over}"),
            }
        };
        let sizes: Vec<String> = self.sizes.iter().enumerate().map(axis).collect();
        write!(f, "{} [{}]", self.element_type, sizes.join(", "))
    }
}

/// A part of a tensor: for each axis the index of its first element in the whole, and the size.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Region {
    pub(crate) start: Vec<usize>,
    pub(crate) sizes: Vec<usize>,
}

impl Region {
    /// Whether it lies within a tensor of these sizes.
    #[cfg(feature = "safetensors")]
    pub(crate) fn is_within(&self, sizes: &[usize]) -> bool {
        let ends = self.start.iter().zip(&self.sizes).map(|(start, size)| start.checked_add(*size));
        self.start.len() == sizes.len()
            && self.sizes.len() == sizes.len()
            && ends.zip(sizes).all(|(end, size)| end.is_some_and(|end| end <= *size))
    }

    /// The elements that two parts of a tensor share; `None` if they share none.
    pub(crate) fn shared(&self, other: &Self) -> Option<Self> {
        let axes = || 0..self.start.len();
        let start: Vec<usize> =
            axes().map(|axis| self.start[axis].max(other.start[axis])).collect();
        let end = |part: &Self, axis: usize| part.start[axis] + part.sizes[axis];
        let size = |axis: usize| end(self, axis).min(end(other, axis)).saturating_sub(start[axis]);
        let sizes: Vec<usize> = axes().map(size).collect();
        (!sizes.contains(&0)).then_some(Self { start, sizes })
    }

    /// Copies the elements of `shared`, which lies within both parts, from the bytes of the other one; those of an element
    /// are `size`.
    pub(crate) fn copy(&self, bytes: &mut [u8], from: (&Self, &[u8]), shared: &Self, size: usize) {
        let rank = self.start.len();
        // Axes after `inner` are whole in both parts, so that the elements from it on are contiguous in both.
        let is_whole =
            |axis: usize| [self, from.0].map(|of| of.sizes[axis]) == [shared.sizes[axis]; 2];
        let inner = (0..rank).rposition(|axis| !is_whole(axis)).unwrap_or(0);
        let (outer, inner_sizes) = shared.sizes.split_at(inner);
        let run = inner_sizes.iter().product::<usize>() * size;
        let position = |part: &Self, index: &[usize]| {
            let along = |at: usize, axis: usize| {
                at * part.sizes[axis] + shared.start[axis] - part.start[axis] + index[axis]
            };
            (0..rank).fold(0, along) * size
        };
        let mut index = vec![0; rank];
        for number in 0..outer.iter().product() {
            let mut rest = number;
            for axis in (0..inner).rev() {
                index[axis] = rest % outer[axis];
                rest /= outer[axis];
            }
            let (to, at) = (position(self, &index), position(from.0, &index));
            bytes[to..to + run].copy_from_slice(&from.1[at..at + run]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to split three axes over two axes of a mesh: the parts that devices have make up the whole.
    #[test]
    fn parts_make_up_the_whole() {
        let mesh = Mesh::new([("a", 2), ("b", 3)]).unwrap();
        let names: [&[&str]; 5] = [&[], &["a"], &["b"], &["a", "b"], &["b", "a"]];
        let mut tried = 0;
        for split in (0..125).map(|n| [names[n % 5], names[n / 5 % 5], names[n / 25]]) {
            let Ok(tensor) = TensorType::of::<u8>([6, 6, 6]).sharded(&mesh, &split) else {
                continue;
            };
            tried += 1;
            let elements: Vec<u8> = (0..216).collect();
            let mut whole = vec![255; 216];
            for device in (0..6).filter(|&device| tensor.is_first_copy(device)) {
                let (start, local) = (tensor.start(device), tensor.local_sizes());
                let mut part = Vec::new();
                for i in start[0]..start[0] + local[0] {
                    for j in start[1]..start[1] + local[1] {
                        for k in start[2]..start[2] + local[2] {
                            part.push(elements[i * 36 + j * 6 + k]);
                        }
                    }
                }
                tensor.place(device, &part, &mut whole);
            }
            assert_eq!(whole, elements, "{tensor}");
        }
        // One sharding without a mesh axis; three with each of the two mesh axes, which may split any of three axes; six
        // with both on two axes; three with both on one axis, in either order.
        assert_eq!(tried, 1 + 2 * 3 + 6 + 2 * 3);
    }

    /// The parts of one sharding, put together from those of another one.
    #[test]
    fn parts_are_made_of_those_of_another_sharding() {
        let mesh = Mesh::new([("a", 2), ("b", 3)]).unwrap();
        let of = |axes: &[&[&str]]| TensorType::of::<u8>([6, 12]).sharded(&mesh, axes).unwrap();
        let ways = [
            of(&[&[], &[]]),
            of(&[&["a"], &["b"]]),
            of(&[&["b"], &["a"]]),
            of(&[&[], &["b", "a"]]),
        ];
        let elements = |region: &Region| -> Vec<u8> {
            let rows = region.start[0]..region.start[0] + region.sizes[0];
            let columns = region.start[1]..region.start[1] + region.sizes[1];
            rows.flat_map(|row| columns.clone().map(move |column| (row * 12 + column) as u8))
                .collect()
        };
        for (to, from) in ways.iter().flat_map(|to| ways.iter().map(move |from| (to, from))) {
            for device in 0..6 {
                let wanted = to.region(device);
                let mut bytes = vec![255; wanted.sizes.iter().product()];
                for other in (0..6).filter(|&other| from.is_first_copy(other)) {
                    let stored = from.region(other);
                    if let Some(shared) = wanted.shared(&stored) {
                        wanted.copy(&mut bytes, (&stored, &elements(&stored)), &shared, 1);
                    }
                }
                assert_eq!(bytes, elements(&wanted), "{from} to {to}");
            }
        }
        let scalar = Region { start: vec![], sizes: vec![] };
        let mut bytes = [0; 4];
        scalar.copy(&mut bytes, (&scalar, &[1, 2, 3, 4]), &scalar, 4);
        assert_eq!((scalar.shared(&scalar), bytes), (Some(scalar.clone()), [1, 2, 3, 4]));
    }

    #[cfg(feature = "safetensors")]
    #[test]
    fn regions_lie_within_tensors() {
        let region =
            |start: &[usize], sizes: &[usize]| Region { start: start.into(), sizes: sizes.into() };
        assert!(region(&[6], &[2]).is_within(&[8]) && region(&[], &[]).is_within(&[]));
        assert!(!region(&[usize::MAX], &[2]).is_within(&[8]) && !region(&[], &[]).is_within(&[8]));
    }

    #[test]
    fn shardings_that_cannot_be_are_refused() {
        let mesh = Mesh::new([("data", 4), ("model", 2)]).unwrap();
        let error = |sizes: &[usize], axes: &[&[&str]]| {
            TensorType::of::<f32>(sizes).sharded(&mesh, axes).expect_err("no sharding").to_string()
        };
        assert_eq!(error(&[8], &[]), "f32 [8]: the tensor has 1 axes, and the sharding 0");
        assert_eq!(
            error(&[8], &[&["batch"]]),
            "f32 [8]: no axis of the mesh is named `batch`; it has data = 4, model = 2"
        );
        assert_eq!(
            error(&[8, 8], &[&["data"], &["model", "data"]]),
            "f32 [8, 8]: `data` is named twice; an axis of the mesh splits one axis of a tensor, once"
        );
        assert!(error(&[64], &[&["data", "data"]]).contains("`data` is named twice"));
        assert!(error(&[3], &[&["data"]]).ends_with("do not share evenly; 4 would fit"));
        let below = usize::MAX - 3;
        assert!(error(&[usize::MAX], &[&["data"]]).ends_with(&format!("; {below} would fit")));
        assert_eq!(
            error(&[12], &[&["data", "model"]]),
            "f32 [12]: axis 0 has size 12, which the 8 devices of `(data, model)` do not share evenly; 8 or 16 would fit"
        );
    }
}
