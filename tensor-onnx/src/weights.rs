//! What a conversion gives.

use crate::element::Element;

/// A model in Rust, and its weights.
#[derive(Clone, Debug)]
pub struct Conversion {
    pub(crate) source: String,
    pub(crate) weights: Vec<Stored>,
    pub(crate) inputs: Vec<String>,
    pub(crate) is_fallible: bool,
}

/// A tensor of the file of weights.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub name: String,
    pub element: Element,
    pub sizes: Vec<usize>,
    pub bytes: Vec<u8>,
}

impl Conversion {
    /// The Rust file.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The names of the inputs of the model that are arguments of `forward`, in order.
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// Whether `forward` returns a `Result`: an index in a tensor may be out of range.
    pub fn is_fallible(&self) -> bool {
        self.is_fallible
    }

    /// Whether the model has weights.
    pub fn has_weights(&self) -> bool {
        !self.weights.is_empty()
    }

    /// The weights as a `.safetensors` file.
    ///
    /// # Errors
    ///
    /// If the tensors do not fit into one file.
    pub fn weights(&self) -> Result<Vec<u8>, String> {
        let views = self.weights.iter().map(|stored| {
            let Stored { name, element, sizes, bytes } = stored;
            safetensors::tensor::TensorView::new(element.dtype(), sizes.clone(), bytes)
                .map(|view| (name.clone(), view))
                .map_err(|error| error.to_string())
        });
        let views = views.collect::<Result<Vec<_>, String>>()?;
        safetensors::serialize(views, None).map_err(|error| error.to_string())
    }
}
