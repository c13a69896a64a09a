//! Meshes: devices in a grid whose axes have names.

use core::fmt;
use std::sync::Arc;

use crate::error::Error;

/// Devices in a grid whose axes have names, in row-major order: of `data = 4, model = 2`, device 5 is at
/// `data` 2 and `model` 1.
///
/// ```
/// use tensor_xla::Mesh;
///
/// let mesh = Mesh::new([("data", 4), ("model", 2)])?;
/// assert_eq!(mesh.devices(), 8);
/// assert_eq!(mesh.to_string(), "data = 4, model = 2");
/// # Ok::<(), tensor_xla::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mesh {
    axes: Arc<[(String, usize)]>,
}

impl Mesh {
    /// A mesh with these axes, the last of which has consecutive devices.
    ///
    /// # Errors
    ///
    /// [`Error::Sharding`] if there is no axis, an axis has no devices, or two have the same name.
    ///
    /// ```
    /// use tensor_xla::Mesh;
    ///
    /// assert!(Mesh::new([("data", 8)]).is_ok());
    /// let twice = Mesh::new([("data", 4), ("data", 2)]);
    /// assert_eq!(twice.unwrap_err().to_string(), "the mesh has two axes named `data`");
    /// ```
    pub fn new(axes: impl IntoIterator<Item = (impl Into<String>, usize)>) -> Result<Self, Error> {
        let axes: Arc<[(String, usize)]> =
            axes.into_iter().map(|(name, size)| (name.into(), size)).collect();
        let refuse = |message: String| Err(Error::Sharding(message));
        if axes.is_empty() {
            return refuse("a mesh has at least one axis".to_owned());
        }
        for (index, (name, size)) in axes.iter().enumerate() {
            if axes[..index].iter().any(|(other, _)| other == name) {
                return refuse(format!("the mesh has two axes named `{name}`"));
            }
            if *size == 0 {
                return refuse(format!("the axis `{name}` of the mesh has no devices"));
            }
        }
        if axes.iter().try_fold(1_usize, |count, (_, size)| count.checked_mul(*size)).is_none() {
            return refuse("the mesh has more devices than can be counted".to_owned());
        }
        Ok(Self { axes })
    }

    /// The axes with the number of devices along each.
    ///
    /// ```
    /// # use tensor_xla::Mesh;
    /// let mesh = Mesh::new([("data", 4), ("model", 2)])?;
    /// assert_eq!(mesh.axes()[1], ("model".to_owned(), 2));
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn axes(&self) -> &[(String, usize)] {
        &self.axes
    }

    /// The number of devices.
    ///
    /// ```
    /// # use tensor_xla::Mesh;
    /// assert_eq!(Mesh::new([("data", 4), ("model", 2)])?.devices(), 8);
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn devices(&self) -> usize {
        self.axes.iter().map(|(_, size)| size).product()
    }

    /// The number of devices along the axes with these indices.
    pub(crate) fn devices_along(&self, axes: &[usize]) -> usize {
        axes.iter().map(|&axis| self.axes[axis].1).product()
    }

    /// The mesh as an operation in StableHLO text, `@mesh`.
    pub(crate) fn shardy(&self) -> String {
        let axes: Vec<_> =
            self.axes.iter().map(|(name, size)| format!("\"{name}\"={size}")).collect();
        format!("sdy.mesh @mesh = <[{}]>", axes.join(", "))
    }

    /// The index of a device along each axis.
    pub(crate) fn coordinates(&self, device: usize) -> Vec<usize> {
        let mut rest = device;
        let mut coordinates: Vec<usize> = (self.axes.iter().rev())
            .map(|(_, size)| {
                let coordinate = rest % size;
                rest /= size;
                coordinate
            })
            .collect();
        coordinates.reverse();
        coordinates
    }
}

impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes: Vec<_> =
            self.axes.iter().map(|(name, size)| format!("{name} = {size}")).collect();
        f.write_str(&axes.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_axis_has_consecutive_devices() {
        let mesh = Mesh::new([("data", 4), ("model", 2)]).unwrap();
        for device in 0..8 {
            assert_eq!(mesh.coordinates(device), [device / 2, device % 2]);
        }
    }

    #[test]
    fn meshes_without_devices_are_refused() {
        let error = |axes: &[(&str, usize)]| {
            Mesh::new(axes.iter().copied()).expect_err("no mesh").to_string()
        };
        assert_eq!(error(&[]), "a mesh has at least one axis");
        assert_eq!(error(&[("data", 0)]), "the axis `data` of the mesh has no devices");
        assert!(error(&[("a", usize::MAX), ("b", 2)]).contains("more devices than can be counted"));
    }
}
