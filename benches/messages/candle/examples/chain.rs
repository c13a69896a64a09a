//! Five layers, of which the fourth takes 64 numbers where the third gives 128.

use candle_core::{DType, Device, Result, Tensor};

struct Linear {
    weight: Tensor,
    bias: Tensor,
}

impl Linear {
    fn new(inputs: usize, outputs: usize) -> Result<Self> {
        let weight = Tensor::zeros((inputs, outputs), DType::F32, &Device::Cpu)?;
        let bias = Tensor::zeros(outputs, DType::F32, &Device::Cpu)?;
        Ok(Self { weight, bias })
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        x.matmul(&self.weight)?.broadcast_add(&self.bias)
    }
}

fn main() -> Result<()> {
    let mut x = Tensor::zeros((32, 784), DType::F32, &Device::Cpu)?;
    for (inputs, outputs) in [(784, 512), (512, 256), (256, 128), (64, 32), (32, 10)] {
        x = Linear::new(inputs, outputs)?.forward(&x)?;
    }
    println!("{x}");
    Ok(())
}
