//! The signature of a StableHLO program, read from its text: the header of `@main`, and the meshes.
//!
//! The plugin compares no more than the bytes of an argument with those of the program, so that an `i32` is taken
//! for an `f32`, and a transposed matrix for the matrix. What is checked here is read from the text itself.

use crate::element_type::ElementType;
use crate::error::Error;
use crate::mesh::Mesh;
use crate::signature::Signature;
use crate::tensor_type::TensorType;

/// An attribute of an argument or a result: its name and the text of its value.
type Attribute<'a> = (&'a str, &'a str);

/// Attributes that change what a buffer has to be, in ways that this crate does not support.
const UNSUPPORTED: [&str; 3] = ["mhlo.sharding", "jax.buffer_donor", "mhlo.layout_mode"];

impl Signature {
    /// The signature that the text of a program has: that of its function `@main`. Inputs have the names of its
    /// arguments, outputs their numbers.
    ///
    /// # Errors
    ///
    /// [`Error::Program`] if there is no such function, or if an argument or result has a type or attribute that this
    /// crate does not support: sizes known at run time, complex numbers, open shardings, types of several meshes.
    ///
    /// ```
    /// use tensor_xla::Signature;
    ///
    /// let text = "
    ///     func.func @main(%x: tensor<2x3xf32>, %scale: tensor<f32>) -> tensor<2x3xf32> {
    ///       %0 = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    ///       %1 = stablehlo.multiply %x, %0 : tensor<2x3xf32>
    ///       return %1 : tensor<2x3xf32>
    ///     }";
    /// let signature = Signature::of_text(text)?;
    /// assert_eq!(signature.to_string(), "(x: f32 [2, 3], scale: f32 []) -> (0: f32 [2, 3])");
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn of_text(text: &str) -> Result<Self, Error> {
        signature(text)
    }
}

/// The signature of a program.
fn signature(text: &str) -> Result<Signature, Error> {
    let text = &without_comments(text);
    let mut reader = Reader { text, position: 0 };
    let meshes = reader.meshes()?;
    reader.position = reader.main()?;
    let mut signature = Signature::new();
    reader.expect("(")?;
    while !reader.eat(")") {
        reader.expect("%")?;
        let name = reader.word()?;
        reader.expect(":")?;
        let (tensor_type, attributes) = reader.typed(&meshes)?;
        signature = match donation(&reader, &attributes)? {
            Some(output) => signature.donated(name, tensor_type, output),
            None => signature.input(name, tensor_type),
        };
        if reader.eat("loc") {
            reader.balanced('(', ')')?;
        }
        reader.eat(",");
    }
    if reader.eat("->") {
        let several = reader.eat("(");
        let mut number = 0;
        while !(several && reader.eat(")")) {
            let (tensor_type, _) =
                if several { reader.typed(&meshes)? } else { (reader.tensor()?, Vec::new()) };
            signature = signature.output(number.to_string(), tensor_type);
            number += 1;
            if !several {
                break;
            }
            reader.eat(",");
        }
    }
    signature.check()?;
    Ok(signature)
}

/// The text with its comments replaced by spaces, so that lines and columns stay.
fn without_comments(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let comment = line
            .match_indices("//")
            .find(|(start, _)| line[..*start].matches('"').count() % 2 == 0);
        let code = comment.map_or(line.len(), |(start, _)| start);
        result.push_str(&line[..code]);
        result.extend(line[code..].chars().map(|c| if c == '\n' { c } else { ' ' }));
    }
    result
}

/// The number of the output that an argument is donated to.
fn donation(reader: &Reader<'_>, attributes: &[Attribute<'_>]) -> Result<Option<usize>, Error> {
    let Some((_, value)) = attributes.iter().find(|(name, _)| *name == "tf.aliasing_output") else {
        return Ok(None);
    };
    let number = value.split(':').next().unwrap_or_default().trim();
    number.parse().map(Some).map_err(|_| reader.error(&format!("tf.aliasing_output = {value}")))
}

/// A text and how far it was read.
struct Reader<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Reader<'a> {
    /// An error with line and column.
    fn error(&self, message: &str) -> Error {
        let before = &self.text[..self.position];
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1;
        Error::Program(format!("the program, line {line}, column {column}: {message}"))
    }

    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn skip_space(&mut self) {
        self.position = self.text.len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(token);
        if found {
            self.position += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), Error> {
        if self.eat(token) { Ok(()) } else { Err(self.error(&format!("`{token}` expected"))) }
    }

    /// A name: letters, digits, `_`, `$`, `.`, `-`.
    fn word(&mut self) -> Result<&'a str, Error> {
        self.skip_space();
        let rest = self.rest();
        let end =
            rest.find(|c: char| !(c.is_alphanumeric() || "_$.-".contains(c))).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.error("a name expected"));
        }
        self.position += end;
        Ok(&rest[..end])
    }

    fn number(&mut self) -> Result<usize, Error> {
        let start = self.position;
        let word = self.word()?;
        word.parse().map_err(|_| {
            self.position = start;
            self.error(&format!("a number expected, not `{word}`"))
        })
    }

    /// A text between `"`.
    fn quoted(&mut self) -> Result<&'a str, Error> {
        self.expect("\"")?;
        let rest = self.rest();
        let end = rest.find('"').ok_or_else(|| self.error("`\"` expected"))?;
        self.position += end + 1;
        Ok(&rest[..end])
    }

    /// The text between two brackets, with brackets of all kinds within in pairs.
    fn balanced(&mut self, open: char, close: char) -> Result<&'a str, Error> {
        self.expect(&open.to_string())?;
        let start = self.position;
        let end = start + self.length_until(&[close])?;
        self.position = end + close.len_utf8();
        Ok(&self.text[start..end])
    }

    /// The number of bytes until one of these characters, outside of brackets and texts.
    fn length_until(&self, ends: &[char]) -> Result<usize, Error> {
        let (mut depth, mut quoted, mut before) = (0_usize, false, ' ');
        for (index, c) in self.rest().char_indices() {
            if c == '"' && before != '\\' {
                quoted = !quoted;
            } else if !quoted {
                if depth == 0 && ends.contains(&c) {
                    return Ok(index);
                }
                match c {
                    '(' | '[' | '{' | '<' => depth += 1,
                    // Of `->`, the `>` is no bracket.
                    ')' | ']' | '}' | '>' if before != '-' => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
            before = c;
        }
        Err(self.error(&format!("`{}` expected", ends[0])))
    }

    /// The position after the function name, `@main`.
    fn main(&self) -> Result<usize, Error> {
        for (start, _) in self.text.match_indices("@main") {
            let after = start + "@main".len();
            let words = self.text[..start].trim_end();
            let words = words.strip_suffix("public").unwrap_or(words).trim_end();
            if words.ends_with("func.func") && self.text[after..].trim_start().starts_with('(') {
                return Ok(after);
            }
        }
        Err(Error::Program("the program has no function `func.func @main(…)`".to_owned()))
    }

    /// The meshes of the program, with their names.
    fn meshes(&mut self) -> Result<Vec<(&'a str, Mesh)>, Error> {
        let mut meshes = Vec::new();
        for (start, found) in self.text.match_indices("sdy.mesh ") {
            self.position = start + found.len();
            self.expect("@")?;
            let name = self.word()?;
            self.expect("=")?;
            self.expect("<")?;
            self.expect("[")?;
            let mut axes = Vec::new();
            while !self.eat("]") {
                let axis = self.quoted()?;
                self.expect("=")?;
                axes.push((axis, self.number()?));
                self.eat(",");
            }
            if !self.eat(">") {
                return Err(self.error("`>` expected: devices of a mesh are in their order"));
            }
            meshes.push((name, Mesh::new(axes).map_err(|error| self.error(&error.to_string()))?));
        }
        Ok(meshes)
    }

    /// A type with its attributes, of which the sharding belongs to the type.
    fn typed(
        &mut self,
        meshes: &[(&str, Mesh)],
    ) -> Result<(TensorType, Vec<Attribute<'a>>), Error> {
        let mut tensor_type = self.tensor()?;
        let mut attributes = Vec::new();
        if self.eat("{") {
            while !self.eat("}") {
                self.skip_space();
                let start = self.position;
                let name = if self.rest().starts_with('"') { self.quoted()? } else { self.word()? };
                if UNSUPPORTED.contains(&name) {
                    self.position = start;
                    return Err(self.error(&format!("the attribute `{name}` is not supported")));
                }
                if self.eat("=") {
                    self.skip_space();
                    if name == "sdy.sharding" {
                        tensor_type = self.sharding(tensor_type, meshes)?;
                    } else {
                        let length = self.length_until(&[',', '}'])?;
                        attributes.push((name, self.rest()[..length].trim()));
                        self.position += length;
                    }
                }
                self.eat(",");
            }
        }
        Ok((tensor_type, attributes))
    }

    /// `tensor<2x3xf32>`
    fn tensor(&mut self) -> Result<TensorType, Error> {
        self.skip_space();
        let start = self.position;
        self.expect("tensor")?;
        let inner = self.balanced('<', '>')?;
        let mut sizes = Vec::new();
        let mut rest = inner.trim();
        while let Some((size, after)) = rest.split_once('x') {
            let Ok(size) = size.parse::<usize>() else { break };
            sizes.push(size);
            rest = after;
        }
        match ElementType::ALL.into_iter().find(|element| element.stablehlo() == rest) {
            Some(element_type) => Ok(TensorType::new(element_type, sizes)),
            None => {
                self.position = start;
                let reason = if rest.starts_with('?') {
                    "it has a size that is known only at run time".to_owned()
                } else {
                    let names = ElementType::ALL.map(ElementType::stablehlo).join(", ");
                    format!("`{rest}` is not one of the supported element types {names}")
                };
                Err(self.error(&format!("`tensor<{inner}>`: {reason}")))
            }
        }
    }

    /// `#sdy.sharding<@mesh, [{"data"}, {}]>`
    fn sharding(
        &mut self,
        tensor_type: TensorType,
        meshes: &[(&str, Mesh)],
    ) -> Result<TensorType, Error> {
        self.expect("#sdy.sharding")?;
        self.expect("<")?;
        self.expect("@")?;
        let name = self.word()?;
        let Some((_, mesh)) = meshes.iter().find(|(other, _)| *other == name) else {
            return Err(self.error(&format!("the program has no mesh `{name}`")));
        };
        self.expect(",")?;
        self.expect("[")?;
        let mut axes = Vec::new();
        while !self.eat("]") {
            self.expect("{")?;
            self.skip_space();
            let mut names = Vec::new();
            let mut goes_on = true;
            while goes_on && self.rest().starts_with('"') {
                names.push(self.quoted()?);
                goes_on = self.eat(",");
                self.skip_space();
            }
            if goes_on && !names.is_empty() || !self.eat("}") {
                return Err(self.error(
                    "`}` expected: an axis of a tensor is split by whole axes of the mesh or by none, and is not left to \
                     the compiler",
                ));
            }
            axes.push(names);
            self.eat(",");
        }
        self.expect(">")?;
        let axes: Vec<&[&str]> = axes.iter().map(Vec::as_slice).collect();
        tensor_type.sharded(mesh, &axes).map_err(|error| self.error(&error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: &str = r#"
            // func.func @main(%none: tensor<f32>)
            module @jit_step attributes {mhlo.num_partitions = 8 : i32} {
              sdy.mesh @mesh = <["data"=4, "model"=2]>
              func.func private @other(%arg0: tensor<3xi1>) -> tensor<3xi1> { return %arg0 : tensor<3xi1> }
              func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>,
                  tf.aliasing_output = 1 : i32, note = "a, } \" b"} loc("x"(1)),
                %w: tensor<16x4xbf16> {jax.arg = {a = [1, 2]}, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}
              ) -> (tensor<f32> {jax.result_info = "loss", sdy.sharding = #sdy.sharding<@mesh, []>},
                tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
                return %0, %arg0 : tensor<f32>, tensor<8x16xf32>
              }
            }"#;

    fn read(text: &str) -> String {
        match signature(text) {
            Ok(signature) => signature.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn an_axis_may_be_split_over_several_axes_of_the_mesh() {
        let text = STEP.replace(r#"[{"data"}, {}]"#, r#"[{"data", "model"}, {}]"#);
        assert!(
            read(&text).starts_with("(arg0: f32 [8 over (data = 4, model = 2), 16] donated to 1, ")
        );
        assert!(
            read(&STEP.replace(r#"[{"data"}, {}]"#, r#"[{"data", ?}, {}]"#))
                .contains("`}` expected: an axis")
        );
        for axes in [r#"[{"data" "model"}, {}]"#, r#"[{"data",}, {}]"#] {
            assert!(
                read(&STEP.replace(r#"[{"data"}, {}]"#, axes)).contains("`}` expected: an axis")
            );
        }
        assert!(
            read(&STEP.replace(r#"[{"data"}, {}]"#, r#"[{"data":(1)2}, {}]"#))
                .contains("whole axes of the mesh")
        );
    }

    #[test]
    fn headers_are_read_as_the_printer_of_mlir_writes_them() {
        assert_eq!(
            read(STEP),
            "(arg0: f32 [8 over data = 4, 16] donated to 1, w: bf16 [16, 4 over model = 2]) -> \
             (0: f32 [], 1: f32 [8 over data = 4, 16])"
        );
        assert_eq!(read("func.func @main() { return }"), "() -> ()");
        assert_eq!(read("func.func @main() -> tensor<0x3xui8> {}"), "() -> (0: u8 [0, 3])");
        assert_eq!(read("func.func @main() -> (tensor<ui8>) {}"), "() -> (0: u8 [])");
    }

    /// A text that ends anywhere, or has another character, is read or refused.
    #[test]
    fn any_text_has_a_signature_or_an_error() {
        for (index, found) in STEP.char_indices() {
            let _ = read(&STEP[..index]);
            for other in ['"', '<', '}', ' ', '9', 'ä'] {
                let rest = &STEP[index + found.len_utf8()..];
                let _ = read(&format!("{}{other}{rest}", &STEP[..index]));
            }
        }
    }

    #[test]
    fn every_element_type_is_read() {
        for element_type in ElementType::ALL {
            let text = format!("func.func @main(%x: tensor<2x{}>)", element_type.stablehlo());
            assert_eq!(read(&text), format!("(x: {element_type} [2]) -> ()"));
        }
    }

    #[test]
    fn what_is_not_supported_is_named_with_its_place() {
        let argument = |argument: &str| {
            read(&format!("sdy.mesh @mesh = <[\"data\"=4]>\nfunc.func @main(%x: {argument})"))
        };
        let place = "the program, line 2, column ";
        for (text, message) in [
            (
                "tensor<2xcomplex<f32>>",
                "21: `tensor<2xcomplex<f32>>`: `complex<f32>` is not one of the supported",
            ),
            (
                "tensor<4xi4>",
                "21: `tensor<4xi4>`: `i4` is not one of the supported element types i1, i8, i16,",
            ),
            (
                "tensor<?x3xf32>",
                "21: `tensor<?x3xf32>`: it has a size that is known only at run time",
            ),
            (
                "tensor<2x3xf32, #layout>",
                "21: `tensor<2x3xf32, #layout>`: `f32, #layout` is not one of",
            ),
            ("memref<2xf32>", "21: `tensor` expected"),
            (
                "tensor<4xf32> {mhlo.sharding = \"\"}",
                "36: the attribute `mhlo.sharding` is not supported",
            ),
            (
                "tensor<4xf32> {sdy.sharding = #sdy.sharding<@other, [{}]>}",
                "71: the program has no mesh `other`",
            ),
            (
                "tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>}",
                "74: `}` expected: an axis of a tensor",
            ),
            (
                "tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}]>}",
                "83: f32 [7]: axis 0 has size 7, which the 4 devices of `data` do not share evenly; 4 or 8 would fit",
            ),
            ("tensor<4xf32", "28: `>` expected"),
        ] {
            let error = argument(text);
            assert!(error.starts_with(&format!("{place}{message}")), "{text}\n{error}");
        }
        assert_eq!(read("func.func @step()"), "the program has no function `func.func @main(…)`");
        let ids = read("sdy.mesh @mesh = <[\"data\"=2], device_ids=[1, 0]>");
        assert_eq!(
            ids,
            "the program, line 1, column 29: `>` expected: devices of a mesh are in their order"
        );
    }
}
