//! The inputs and outputs of a program.

use core::fmt;

use crate::error::Error;
use crate::mesh::Mesh;
use crate::tensor_type::TensorType;

/// The inputs and outputs of a program, with names and types, and which input is donated to which output.
///
/// The memory of a donated input becomes that of an output of the same type: a step of a training writes the new
/// parameters over the old ones.
///
/// ```
/// use tensor_xla::{Signature, TensorType};
///
/// let weight = TensorType::of::<f32>([16, 4]);
/// let signature = Signature::new()
///     .donated("weight", weight.clone(), 0)
///     .input("batch", TensorType::of::<f32>([8, 16]))
///     .output("weight", weight)
///     .output("loss", TensorType::of::<f32>([]));
/// assert_eq!(
///     signature.to_string(),
///     "(weight: f32 [16, 4] donated to 0, batch: f32 [8, 16]) -> (weight: f32 [16, 4], loss: f32 [])",
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    inputs: Vec<Input>,
    outputs: Vec<Output>,
}

/// An input of a program.
///
/// ```
/// use tensor_xla::Signature;
///
/// let text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }";
/// let input = &Signature::of_text(text)?.inputs()[0].clone();
/// assert_eq!((input.name(), input.donated_to()), ("x", None));
/// # Ok::<(), tensor_xla::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    name: String,
    tensor_type: TensorType,
    donated_to: Option<usize>,
}

/// An output of a program.
///
/// ```
/// use tensor_xla::{Signature, TensorType};
///
/// let signature = Signature::new().output("loss", TensorType::of::<f32>([]));
/// assert_eq!(signature.outputs()[0].name(), "loss");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    name: String,
    tensor_type: TensorType,
}

impl Input {
    /// The name.
    ///
    /// ```
    /// # use tensor_xla::{Signature, TensorType};
    /// let signature = Signature::new().input("x", TensorType::of::<f32>([]));
    /// assert_eq!(signature.inputs()[0].name(), "x");
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type.
    ///
    /// ```
    /// # use tensor_xla::{Signature, TensorType};
    /// let signature = Signature::new().input("x", TensorType::of::<f32>([2]));
    /// assert_eq!(signature.inputs()[0].tensor_type().sizes(), [2]);
    /// ```
    pub fn tensor_type(&self) -> &TensorType {
        &self.tensor_type
    }

    /// The index of the output that gets the memory of this input.
    ///
    /// ```
    /// # use tensor_xla::{Signature, TensorType};
    /// let signature = Signature::new().donated("x", TensorType::of::<f32>([2]), 0);
    /// assert_eq!(signature.inputs()[0].donated_to(), Some(0));
    /// ```
    pub fn donated_to(&self) -> Option<usize> {
        self.donated_to
    }
}

impl Output {
    /// The name.
    ///
    /// ```
    /// # use tensor_xla::{Signature, TensorType};
    /// let signature = Signature::new().output("y", TensorType::of::<f32>([]));
    /// assert_eq!(signature.outputs()[0].name(), "y");
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type.
    ///
    /// ```
    /// # use tensor_xla::{Signature, TensorType};
    /// let signature = Signature::new().output("y", TensorType::of::<f32>([3]));
    /// assert_eq!(signature.outputs()[0].tensor_type().sizes(), [3]);
    /// ```
    pub fn tensor_type(&self) -> &TensorType {
        &self.tensor_type
    }
}

impl Signature {
    /// A signature without inputs and outputs.
    ///
    /// ```
    /// assert_eq!(tensor_xla::Signature::new().to_string(), "() -> ()");
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// The signature with one more input.
    ///
    /// ```
    /// use tensor_xla::{Signature, TensorType};
    ///
    /// let signature = Signature::new().input("x", TensorType::of::<f32>([2]));
    /// assert_eq!(signature.to_string(), "(x: f32 [2]) -> ()");
    /// ```
    #[must_use]
    pub fn input(mut self, name: impl Into<String>, tensor_type: TensorType) -> Self {
        self.inputs.push(Input { name: name.into(), tensor_type, donated_to: None });
        self
    }

    /// The signature with one more input, whose memory output number `output` gets.
    ///
    /// ```
    /// use tensor_xla::{Signature, TensorType};
    ///
    /// let state = TensorType::of::<f32>([2]);
    /// let signature = Signature::new().donated("state", state.clone(), 0).output("state", state);
    /// assert_eq!(signature.inputs()[0].donated_to(), Some(0));
    /// ```
    #[must_use]
    pub fn donated(
        mut self,
        name: impl Into<String>,
        tensor_type: TensorType,
        output: usize,
    ) -> Self {
        self.inputs.push(Input { name: name.into(), tensor_type, donated_to: Some(output) });
        self
    }

    /// The signature with one more output.
    ///
    /// ```
    /// use tensor_xla::{Signature, TensorType};
    ///
    /// let signature = Signature::new().output("loss", TensorType::of::<f32>([]));
    /// assert_eq!(signature.to_string(), "() -> (loss: f32 [])");
    /// ```
    #[must_use]
    pub fn output(mut self, name: impl Into<String>, tensor_type: TensorType) -> Self {
        self.outputs.push(Output { name: name.into(), tensor_type });
        self
    }

    /// The same with other names.
    ///
    /// # Errors
    ///
    /// [`Error::Program`] if the number of names differs from that of inputs and outputs.
    ///
    /// ```
    /// use tensor_xla::Signature;
    ///
    /// let text = "func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> { return %arg0 : tensor<2xf32> }";
    /// let signature = Signature::of_text(text)?.with_names(&["x"], &["y"])?;
    /// assert_eq!(signature.to_string(), "(x: f32 [2]) -> (y: f32 [2])");
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn with_names(mut self, inputs: &[&str], outputs: &[&str]) -> Result<Self, Error> {
        if (inputs.len(), outputs.len()) != (self.inputs.len(), self.outputs.len()) {
            return Err(Error::Program(format!(
                "{} names for {} inputs, {} for {} outputs",
                inputs.len(),
                self.inputs.len(),
                outputs.len(),
                self.outputs.len()
            )));
        }
        self.inputs
            .iter_mut()
            .zip(inputs)
            .for_each(|(input, name)| input.name = (*name).to_owned());
        self.outputs
            .iter_mut()
            .zip(outputs)
            .for_each(|(output, name)| output.name = (*name).to_owned());
        Ok(self)
    }

    /// The inputs.
    ///
    /// ```
    /// # use tensor_xla::{Signature, TensorType};
    /// let signature = Signature::new().input("x", TensorType::of::<f32>([2]));
    /// assert_eq!(signature.inputs().len(), 1);
    /// ```
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The outputs.
    ///
    /// ```
    /// # use tensor_xla::{Signature, TensorType};
    /// assert!(Signature::new().outputs().is_empty());
    /// ```
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The mesh over which inputs and outputs are split; `None` for a program on one device.
    ///
    /// ```
    /// # use tensor_xla::{Mesh, Signature, TensorType};
    /// let mesh = Mesh::new([("data", 4)])?;
    /// let rows = TensorType::of::<f32>([8]).sharded(&mesh, &[&["data"]])?;
    /// assert_eq!(Signature::new().input("x", rows).mesh(), Some(&mesh));
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn mesh(&self) -> Option<&Mesh> {
        self.types().find_map(|(_, tensor_type)| tensor_type.mesh())
    }

    fn types(&self) -> impl Iterator<Item = (&str, &TensorType)> {
        let inputs = self.inputs.iter().map(|input| (input.name.as_str(), &input.tensor_type));
        inputs.chain(self.outputs.iter().map(|output| (output.name.as_str(), &output.tensor_type)))
    }

    /// Checks that all types have the same mesh or none, and that donations fit.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let refuse = |message: String| Err(Error::Program(message));
        let mesh = self.mesh();
        for (name, tensor_type) in self.types() {
            match (mesh, tensor_type.mesh()) {
                (Some(mesh), None) => {
                    return refuse(format!(
                        "`{name}` has no sharding, in a program over {mesh}: every input and output has one, otherwise \
                         the compiler chooses it"
                    ));
                }
                (Some(mesh), Some(other)) if mesh != other => {
                    return refuse(format!("`{name}` is over {other}, other tensors over {mesh}"));
                }
                _ => {}
            }
            if tensor_type.bytes().is_none() {
                return refuse(format!("`{name}`: {tensor_type} is too large"));
            }
        }
        for (index, input) in self.inputs.iter().enumerate() {
            let Some(number) = input.donated_to else { continue };
            let (name, tensor_type) = (&input.name, &input.tensor_type);
            match self.outputs.get(number) {
                None => {
                    return refuse(format!(
                        "`{name}` is donated to output {number}, which does not exist"
                    ));
                }
                Some(output) if output.tensor_type != *tensor_type => {
                    return refuse(format!(
                        "`{name}`, {tensor_type}, is donated to output `{}`, {}: both need the same type",
                        output.name, output.tensor_type
                    ));
                }
                _ => {}
            }
            if let Some(other) =
                self.inputs[..index].iter().find(|other| other.donated_to == Some(number))
            {
                return refuse(format!(
                    "`{}` and `{name}` are both donated to output {number}",
                    other.name
                ));
            }
        }
        Ok(())
    }

    /// Checks that a program, whose text has this signature, is what `requested` states. Names may differ.
    pub(crate) fn check_request(&self, requested: &Self) -> Result<(), Error> {
        let refuse = |message: String| Err(Error::Program(message));
        let counts = |signature: &Self| (signature.inputs.len(), signature.outputs.len());
        let (ours, theirs) = (counts(self), counts(requested));
        if ours != theirs {
            return refuse(format!(
                "the program has {} inputs and {} outputs, the signature {} and {}",
                ours.0, ours.1, theirs.0, theirs.1
            ));
        }
        for (number, (program, signature)) in self.types().zip(requested.types()).enumerate() {
            let name = signature.0;
            let place = match number.checked_sub(ours.0) {
                None => format!("input {number}, `{name}`"),
                Some(number) => format!("output {number}, `{name}`"),
            };
            if program.1 != signature.1 {
                let [ours, theirs] = [program.1, signature.1].map(|tensor_type| {
                    let mesh =
                        tensor_type.mesh().filter(|_| program.1.mesh() != signature.1.mesh());
                    let mesh = mesh.map(|mesh| format!(" on the mesh {mesh}"));
                    format!("{tensor_type}{}", mesh.unwrap_or_default())
                });
                return refuse(format!("{place}: the program has {ours}, the signature {theirs}"));
            }
        }
        let destination = |input: &Input| match input.donated_to {
            Some(output) => format!("donated to output {output}"),
            None => "not donated".to_owned(),
        };
        for (number, (program, signature)) in self.inputs.iter().zip(&requested.inputs).enumerate()
        {
            if program.donated_to != signature.donated_to {
                return refuse(format!(
                    "input {number}, `{}`: it is {} in the program, {} in the signature",
                    signature.name,
                    destination(program),
                    destination(signature)
                ));
            }
        }
        Ok(())
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inputs = self.inputs.iter().map(|input| {
            let donated = input.donated_to.map(|output| format!(" donated to {output}"));
            format!("{}: {}{}", input.name, input.tensor_type, donated.unwrap_or_default())
        });
        let outputs =
            self.outputs.iter().map(|output| format!("{}: {}", output.name, output.tensor_type));
        let (inputs, outputs): (Vec<_>, Vec<_>) = (inputs.collect(), outputs.collect());
        write!(f, "({}) -> ({})", inputs.join(", "), outputs.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f32(sizes: &[usize]) -> TensorType {
        TensorType::of::<f32>(sizes)
    }

    fn refused(signature: &Signature) -> String {
        signature.check().expect_err("a signature that cannot be").to_string()
    }

    #[test]
    fn donations_must_fit() {
        let input = |output| Signature::new().donated("w", f32(&[2]), output);
        assert_eq!(refused(&input(0)), "`w` is donated to output 0, which does not exist");
        assert_eq!(
            refused(&input(0).output("y", f32(&[3]))),
            "`w`, f32 [2], is donated to output `y`, f32 [3]: both need the same type"
        );
        let twice = input(0).donated("v", f32(&[2]), 0).output("y", f32(&[2]));
        assert_eq!(refused(&twice), "`w` and `v` are both donated to output 0");
        assert_eq!(input(0).output("y", f32(&[2])).check(), Ok(()));
    }

    #[test]
    fn all_tensors_of_a_program_have_the_same_mesh() {
        let rows = |devices| {
            let mesh = Mesh::new([("data", devices)]).unwrap();
            f32(&[8]).sharded(&mesh, &[&["data"]]).unwrap()
        };
        let without = Signature::new().input("x", rows(4)).output("y", f32(&[]));
        assert!(refused(&without).starts_with("`y` has no sharding, in a program over data = 4"));
        let other = Signature::new().input("x", rows(4)).output("y", rows(2));
        assert_eq!(refused(&other), "`y` is over data = 2, other tensors over data = 4");
    }

    #[test]
    fn sizes_that_cannot_be_counted_are_refused() {
        for sizes in [&[usize::MAX, 0][..], &[1 << 61], &[1 << 40, 1 << 40, 0]] {
            let signature = Signature::new().input("x", f32(sizes));
            assert!(refused(&signature).ends_with("is too large"));
        }
        assert_eq!(Signature::new().input("x", f32(&[1 << 40, 0])).check(), Ok(()));
    }
}
