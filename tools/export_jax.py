"""Functions of JAX as programs in StableHLO text, which `tensor_xla::Engine::compile` takes.

    python3 tools/export_jax.py OUT

For each function, OUT gets NAME.mlir, and NAME.safetensors with inputs and the outputs that JAX computes: `in.0`,
`out.0` and so on. Needs jax, numpy and safetensors.
"""

import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy
from jax import export, lax
from safetensors.numpy import save_file


def training_step(weights, x):
    loss = lambda weights: jnp.square(jnp.tanh(x @ weights) - 1.0).mean()
    value, gradient = jax.value_and_grad(loss)(weights)
    return weights - 0.1 * gradient, value


def scan(x):
    return lax.scan(lambda sum, row: (sum * 0.5 + row, sum), x[0], x)


def top_k(x):
    return lax.top_k(x, 3)


def random(seed):
    key = jax.random.key(seed)
    return jax.random.normal(key, (2, 3)), jax.random.permutation(key, 5)


def numbers(*sizes):
    return jnp.sin(jnp.arange(numpy.prod(sizes), dtype=jnp.float32)).reshape(sizes)


FUNCTIONS = {
    training_step: (numbers(3, 2), numbers(4, 3)),
    scan: (numbers(5, 2),),
    top_k: (numbers(2, 7),),
    random: (jnp.uint32(7),),
}


def main(folder):
    for function, inputs in FUNCTIONS.items():
        compiled = jax.jit(function)
        text = export.export(compiled)(*inputs).mlir_module()
        (folder / f"{function.__name__}.mlir").write_text(text)
        outputs = jax.tree.leaves(compiled(*inputs))
        arrays = {f"in.{number}": x for number, x in enumerate(inputs)}
        arrays |= {f"out.{number}": x for number, x in enumerate(outputs)}
        arrays = {name: numpy.asarray(x) for name, x in arrays.items()}
        save_file(arrays, folder / f"{function.__name__}.safetensors")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
