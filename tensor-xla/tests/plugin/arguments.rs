//! Arguments that the plugin would accept silently, or crash on, are errors with a message.

use tensor_xla::{Buffer, Engine, Executable, Signature, TensorType};

use crate::{buffer, compile, engine, message};

const ADD: &str = "func.func @main(%x: tensor<2x3xf32>, %scale: tensor<3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
    %1 = stablehlo.add %x, %0 : tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
}";

/// The message for a first argument that does not fit.
fn refused(add: &Executable, x: &Buffer, scale: &Buffer) -> String {
    message(add.call([x, scale]))
}

/// Sizes in bytes are the same in each case, which is all that the plugin compares.
#[test]
fn arguments_of_another_type_are_refused() {
    let Some(engine) = engine() else { return };
    let add = compile(engine, ADD);
    let scale = buffer(engine, &[3], &[1.0_f32; 3]);
    let start = "input 0, `x`: the program needs f32 [2, 3], and the buffer is ";
    let integers = buffer(engine, &[2, 3], &[1_i32; 6]);
    assert_eq!(refused(&add, &integers, &scale), format!("{start}i32 [2, 3]"));
    let transposed = buffer(engine, &[3, 2], &[1.0_f32; 6]);
    assert_eq!(refused(&add, &transposed, &scale), format!("{start}f32 [3, 2]"));
    let flat = buffer(engine, &[6], &[1.0_f32; 6]);
    assert_eq!(refused(&add, &flat, &scale), format!("{start}f32 [6]"));
}

#[test]
fn another_number_of_arguments_is_refused() {
    let Some(engine) = engine() else { return };
    let add = compile(engine, ADD);
    let x = buffer(engine, &[2, 3], &[1.0_f32; 6]);
    let words = "the program has 2 inputs (x, scale), and there are ";
    assert_eq!(message(add.call([&x])), format!("{words}1 arguments"));
    assert_eq!(message(add.call([&x, &x, &x])), format!("{words}3 arguments"));
    assert_eq!(message(add.call([] as [&Buffer; 0])), format!("{words}0 arguments"));
}

#[test]
fn buffers_of_another_engine_are_refused() {
    let Some(engine) = engine() else { return };
    let other = Engine::find().unwrap();
    let add = compile(engine, ADD);
    let x = buffer(&other, &[2, 3], &[1.0_f32; 6]);
    let scale = buffer(engine, &[3], &[1.0_f32; 3]);
    assert_eq!(refused(&add, &x, &scale), "input 0, `x`: the buffer is of another engine");
}

#[test]
fn elements_that_do_not_fill_a_tensor_are_refused() {
    let Some(engine) = engine() else { return };
    let pair = TensorType::of::<f32>([2]);
    assert_eq!(
        message(Buffer::from_slice(engine, &pair, &[1.0_f32; 3])),
        "f32 [2] has 8 bytes, and the slice 12"
    );
    assert_eq!(
        message(Buffer::from_slice(engine, &pair, &[1_i32; 2])),
        "the tensor is f32 [2], and its elements on the host are i32"
    );
    let huge = TensorType::of::<f32>([usize::MAX, usize::MAX, usize::MAX]);
    assert!(message(Buffer::from_bytes(engine, &huge, &[])).ends_with("is too large"));
    let empty = TensorType::of::<f32>([1 << 40, 0]);
    assert!(Buffer::from_bytes(engine, &empty, &[]).unwrap().to_bytes().unwrap().is_empty());
    let mask = TensorType::of::<bool>([2]);
    let error = message(Buffer::from_bytes(engine, &mask, &[1, 2]));
    assert_eq!(error, "bool [2] has bytes 0 and 1, not 2");
    let x = buffer(engine, &[2], &[1.0_f32; 2]);
    assert_eq!(
        message(x.to_vec::<f64>()),
        "the tensor is f32 [2], and its elements on the host are f64"
    );
}

/// The signature that a caller expects is compared with the program's text.
#[test]
fn a_signature_that_is_not_that_of_the_text_is_refused() {
    let Some(engine) = engine() else { return };
    let f32 = |sizes: &[usize]| TensorType::of::<f32>(sizes);
    let compile = |signature: Signature| message(engine.compile(ADD, &signature));
    let inputs = |x: TensorType| Signature::new().input("rows", x).input("scale", f32(&[3]));
    assert_eq!(
        compile(inputs(f32(&[2, 3]))),
        "the program has 2 inputs and 1 outputs, the signature 2 and 0"
    );
    assert_eq!(
        compile(inputs(f32(&[3, 2])).output("y", f32(&[2, 3]))),
        "input 0, `rows`: the program has f32 [2, 3], the signature f32 [3, 2]"
    );
    assert_eq!(
        compile(inputs(TensorType::of::<i32>([2, 3])).output("y", f32(&[2, 3]))),
        "input 0, `rows`: the program has f32 [2, 3], the signature i32 [2, 3]"
    );
    assert_eq!(
        compile(inputs(f32(&[2, 3])).output("y", f32(&[3, 2]))),
        "output 0, `y`: the program has f32 [2, 3], the signature f32 [3, 2]"
    );
    let donated = Signature::new().donated("rows", f32(&[2, 3]), 0).input("scale", f32(&[3]));
    assert_eq!(
        compile(donated.output("y", f32(&[2, 3]))),
        "input 0, `rows`: it is not donated in the program, donated to output 0 in the signature"
    );
    let text = "func.func @main(%x: tensor<2xcomplex<f32>>) { return }";
    let error = message(engine.compile(text, &Signature::new()));
    assert!(error.contains("`complex<f32>` is not one of the supported element types"), "{error}");
}
