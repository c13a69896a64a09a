//! Programs give what they should, and buffers keep their elements.

use tensor_core::{axis, shape, tensor};
use tensor_xla::{Argument, Buffer, Code, ElementType, Error, TensorType};

use crate::{buffer, compile, engine, message};

#[test]
fn elements_of_every_type_come_back() {
    let Some(engine) = engine() else { return };
    for element_type in ElementType::ALL {
        let bytes: Vec<u8> = match element_type {
            ElementType::Bool => (0..24).map(|index| u8::from(index % 3 == 0)).collect(),
            _ => (0..24 * element_type.size()).map(|index| (index * 37 % 251) as u8).collect(),
        };
        let tensor_type = TensorType::new(element_type, [2, 3, 4]);
        let buffer = Buffer::from_bytes(engine, &tensor_type, &bytes).unwrap();
        assert_eq!(buffer.to_bytes().unwrap(), bytes, "{element_type}");
        let text = format!(
            "func.func @main(%x: tensor<2x3x4x{0}>) -> tensor<4x3x2x{0}> {{
               %0 = stablehlo.transpose %x, dims = [2, 1, 0] : (tensor<2x3x4x{0}>) -> tensor<4x3x2x{0}>
               return %0 : tensor<4x3x2x{0}>
             }}",
            element_type.stablehlo()
        );
        // Row-major order also where the compiler could give the result another layout.
        let transposed =
            compile(engine, &text).call([&buffer]).unwrap().remove(0).to_bytes().unwrap();
        let size = element_type.size();
        for (index, element) in transposed.chunks(size).enumerate() {
            let (i, j, k) = (index % 2, index / 2 % 3, index / 6);
            let start = (i * 12 + j * 4 + k) * size;
            assert_eq!(element, &bytes[start..start + size], "{element_type}");
        }
    }
}

#[test]
fn typed_elements_come_back() {
    let Some(engine) = engine() else { return };
    assert_eq!(buffer(engine, &[2], &[true, false]).to_vec::<bool>().unwrap(), [true, false]);
    assert_eq!(
        buffer(engine, &[3], &[-1_i64, 0, i64::MAX]).to_vec::<i64>().unwrap(),
        [-1, 0, i64::MAX]
    );
    let floats = [0.0_f32, -0.0, f32::INFINITY, f32::NAN, f32::MIN_POSITIVE / 2.0];
    let back = buffer(engine, &[5], &floats).to_vec::<f32>().unwrap();
    assert_eq!(back.map_bits(), floats.to_vec().map_bits());
}

trait Bits {
    fn map_bits(&self) -> Vec<u32>;
}

impl Bits for Vec<f32> {
    fn map_bits(&self) -> Vec<u32> {
        self.iter().map(|x| x.to_bits()).collect()
    }
}

#[test]
fn scalars_and_empty_tensors_are_tensors() {
    let Some(engine) = engine() else { return };
    assert_eq!(buffer(engine, &[], &[7_u8]).to_vec::<u8>().unwrap(), [7]);
    let empty = buffer::<f32>(engine, &[0, 3], &[]);
    assert!(empty.to_vec::<f32>().unwrap().is_empty());
    let text = "func.func @main(%x: tensor<0x3xf32>) -> tensor<3xf32> {
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
            : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
        return %0 : tensor<3xf32>
    }";
    assert_eq!(compile(engine, text).call([&empty]).unwrap()[0].to_vec::<f32>().unwrap(), [0.0; 3]);
}

#[test]
fn programs_without_inputs_and_with_several_outputs_run() {
    let Some(engine) = engine() else { return };
    let text = "func.func @main() -> (tensor<2xi32>, tensor<f32>) {
        %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
        %1 = stablehlo.constant dense<0.5> : tensor<f32>
        return %0, %1 : tensor<2xi32>, tensor<f32>
    }";
    let outputs = compile(engine, text).call([] as [&Buffer; 0]).unwrap();
    assert_eq!(outputs[0].to_vec::<i32>().unwrap(), [1, 2]);
    assert_eq!(outputs[1].to_vec::<f32>().unwrap(), [0.5]);
}

#[test]
fn a_mistake_in_a_program_has_its_line_and_column() {
    let Some(engine) = engine() else { return };
    let text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  \
                %0 = stablehlo.add %x, %y : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}";
    let signature = tensor_xla::Signature::of_text(text).unwrap();
    let error = engine.compile(text, &signature).expect_err("an unknown value");
    let Error::Plugin { function, code, message } = &error else { panic!("{error}") };
    assert_eq!((*function, *code), ("Client_Compile", Code::Unknown));
    assert!(message.contains(":2:26: error: use of undeclared SSA value name"), "{message}");
}

/// The memory of a donated input is that of the output, and the other arguments stay valid.
#[test]
fn donated_memory_comes_back_as_the_output() {
    let Some(engine) = engine() else { return };
    let text =
        "func.func @main(%total: tensor<64xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<64xf32>)
        -> tensor<64xf32> {
        %0 = stablehlo.add %total, %x : tensor<64xf32>
        return %0 : tensor<64xf32>
    }";
    let add = compile(engine, text);
    let x = buffer(engine, &[64], &[1.5_f32; 64]);
    let mut total = buffer(engine, &[64], &[0.0_f32; 64]);
    let address = total.addresses().unwrap();
    for _ in 0..4 {
        total = add.call([Argument::from(total), Argument::from(&x)]).unwrap().remove(0);
    }
    assert_eq!(total.addresses().unwrap(), address);
    assert_eq!(total.to_vec::<f32>().unwrap(), [6.0; 64]);
    let borrowed = message(add.call([&total, &x]));
    assert_eq!(
        borrowed,
        "input 0, `total`: the program writes over it, so the buffer is passed by value"
    );
    assert_eq!(total.to_vec::<f32>().unwrap(), [6.0; 64]);
}

/// An argument by value that the program does not write over is just freed.
#[test]
fn a_buffer_by_value_is_an_argument_as_well() {
    let Some(engine) = engine() else { return };
    let text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
        %0 = stablehlo.negate %x : tensor<2xf32>
        return %0 : tensor<2xf32>
    }";
    let x = buffer(engine, &[2], &[1.0_f32, 2.0]);
    assert_eq!(compile(engine, text).call([x]).unwrap()[0].to_vec::<f32>().unwrap(), [-1.0, -2.0]);
}

/// Buffers and executables keep what they need of their engine.
#[test]
fn buffers_outlive_engine_and_executable() {
    if engine().is_none() {
        return;
    }
    let engine = tensor_xla::Engine::find().unwrap();
    let text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
        %0 = stablehlo.negate %x : tensor<2xf32>
        return %0 : tensor<2xf32>
    }";
    let negate = compile(&engine, text);
    let x = buffer(&engine, &[2], &[1.0_f32, 2.0]);
    drop(engine);
    let y = negate.call([&x]).unwrap();
    drop((negate, x));
    assert_eq!(y[0].to_vec::<f32>().unwrap(), [-1.0, -2.0]);
}

#[test]
fn calls_of_several_threads_do_not_disturb_each_other() {
    let Some(engine) = engine() else { return };
    let text = "func.func @main(%x: tensor<256xf32>) -> tensor<256xf32> {
        %0 = stablehlo.add %x, %x : tensor<256xf32>
        return %0 : tensor<256xf32>
    }";
    let double = compile(engine, text);
    std::thread::scope(|scope| {
        for thread in 0..64 {
            let double = &double;
            scope.spawn(move || {
                let mut x = buffer(engine, &[256], &[thread as f32; 256]);
                for _ in 0..4 {
                    x = double.call([&x]).unwrap().remove(0);
                }
                assert_eq!(x.to_vec::<f32>().unwrap(), [thread as f32 * 16.0; 256]);
            });
        }
    });
}

#[test]
fn typed_tensors_come_back_with_their_shapes() {
    let Some(engine) = engine() else { return };
    let x = tensor![[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let buffer = Buffer::from_tensor(engine, &x).unwrap();
    assert_eq!(buffer.to_tensor::<shape![2, 3], f32>().unwrap(), x);
    // A transpose is a view, whose elements are not in their order.
    let transposed = Buffer::from_tensor(engine, &x.transpose()).unwrap();
    assert_eq!(transposed.to_vec::<f32>().unwrap(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    axis!(Batch);
    let rows = buffer.to_tensor::<shape![Batch, 3], f32>().unwrap();
    assert_eq!(rows.shape(), shape![Batch(2), 3]);
    let error = message(buffer.to_tensor::<shape![3, 2], f32>());
    assert!(error.starts_with("the buffer is f32 [2, 3]: "), "{error}");
    let pair = TensorType::of::<f32>([2]);
    assert_eq!(
        message(Buffer::from_tensor_as(engine, &pair, &x)),
        "the tensor has sizes [2, 3], and the type is f32 [2]"
    );
}
