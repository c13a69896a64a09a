"""The programs of `benches/programs.rs` with JAX: the time to trace and lower, to compile, of the first call, and of a call.

    python3 benches/programs.py          (pip install jax)
    python3 benches/programs.py FOLDER   writes the programs to files, which `benches/programs.rs` runs beside its own
"""

import pathlib
import statistics
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 8)


def step(weights, state, word):
    return jnp.tanh(state @ weights + word)


def in_one_step(weights, words):
    last, _ = jax.lax.scan(lambda state, word: (step(weights, state, word), None), jnp.zeros((32, 256)), words)
    return jnp.mean(last**2)


def unrolled(weights, words):
    state = jnp.zeros((32, 256))
    for word in words:
        state = step(weights, state, word)
    return jnp.mean(state**2)


def sines(x):
    turns = jnp.ones(1000) * x.sum()
    last, _ = jax.lax.scan(lambda x, turn: (jnp.sin(x * jnp.cos(turn)), None), x, turns)
    return last.sum()


def operations(x):
    turns = jnp.arange(5000, dtype=jnp.float32) * x.mean()
    last, _ = jax.lax.scan(lambda x, turn: (jnp.sin(x + turn), None), x, turns)
    return last


def positions(q, k, v, o, x):
    heads = lambda weight, x: (x @ weight.T).reshape(1, 4, 16).transpose(1, 0, 2)

    def body(state):
        x, keys, values, position = state
        keys = jax.lax.dynamic_update_slice(keys, heads(k, x), (0, position, 0))
        values = jax.lax.dynamic_update_slice(values, heads(v, x), (0, position, 0))
        scores = heads(q, x) @ keys.transpose(0, 2, 1) / 4
        weights = jax.nn.softmax(jnp.where(jnp.arange(200) <= position, scores, -jnp.inf))
        found = (weights @ values).transpose(1, 0, 2).reshape(1, 64) @ o.T
        return jnp.tanh(x + found), keys, values, position + 1

    zeros = jnp.zeros((4, 200, 16))
    return jax.lax.while_loop(lambda state: state[3] < 200, body, (x, zeros, zeros, 0))[0]


def block(x, up, down):
    return x + jnp.tanh(x @ up) @ down * 0.1


def product_of_16_bits(x, weight):
    """As `autocast`: a product of operands in `bf16`, which is rounded to it."""
    return (x.astype(jnp.bfloat16) @ weight.astype(jnp.bfloat16)).astype(jnp.float32)


def block_of_16_bits(x, up, down):
    return x + product_of_16_bits(jnp.tanh(product_of_16_bits(x, up)), down) * 0.1


def blocks(block):
    def loss(weights, x):
        for up, down in weights:
            x = block(x, up, down)
        return jnp.mean(x**2)

    return jax.value_and_grad(loss)


def two_layers(weights, images):
    hidden, scores = weights
    return jnp.mean((jax.nn.relu(images @ hidden) @ scores) ** 2)


def row(name, function, *inputs, **shardings):
    start = time.perf_counter()
    lowered = jax.jit(function, **shardings).lower(*inputs)
    traced = time.perf_counter() - start
    if len(sys.argv) > 1:
        folder = pathlib.Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.mlir").write_text(lowered.as_text())
    start = time.perf_counter()
    compiled = lowered.compile()
    compile_time = time.perf_counter() - start
    times = []
    for _ in range(16):
        start = time.perf_counter()
        # As the calls here: from arrays of the host, and back.
        jax.tree.map(np.asarray, compiled(*inputs))
        times.append(time.perf_counter() - start)
    shown = [traced, compile_time, times[0], statistics.median(times[1:])]
    print(f"{name:<34}" + "".join(f"{1e3 * value:>10.1f}ms" for value in shown))


def row_of_jit():
    function, x, times = jax.jit(lambda x: jnp.tanh(x * 2 + 1)), np.ones(256, np.float32), []
    for _ in range(1002):
        start = time.perf_counter()
        np.asarray(function(x))
        times.append(time.perf_counter() - start)
    print(f"{'jit of a small function':<34}{1e3 * times[0]:>30.1f}ms{1e3 * statistics.median(times[1:]):>10.4f}ms")


rng = np.random.default_rng(1)
weights = rng.uniform(-0.05, 0.05, (256, 256)).astype(np.float32)
words = rng.uniform(-1, 1, (100, 32, 256)).astype(np.float32)
print(f"{'':<34}" + "".join(f"{name:>12}" for name in ["trace", "compile", "first call", "a call"]))
row_of_jit()
row("100 steps, one step", in_one_step, weights, words)
row("100 steps, unrolled", unrolled, weights, words)
row("its gradient, one step", jax.value_and_grad(in_one_step), weights, words)
row("its gradient, unrolled", jax.value_and_grad(unrolled), weights, words)
row("gradient of 1,000 sines, one step", jax.value_and_grad(sines), rng.uniform(0, 1, 1024).astype(np.float32))
row("10,000 operations, one step", operations, rng.uniform(0, 1, 1024).astype(np.float32))
inputs = [rng.uniform(-0.125, 0.125, (64, 64)).astype(np.float32) for _ in range(4)]
row("200 positions, one step", positions, *inputs, rng.uniform(-1, 1, (1, 64)).astype(np.float32))
weights = [tuple(rng.uniform(-0.1, 0.1, size).astype(np.float32) for size in [(64, 512), (512, 64)]) for _ in range(12)]
rows = rng.uniform(-1, 1, (1024, 64)).astype(np.float32)
row("12 blocks", blocks(block), weights, rows)
row("12 blocks, checkpoints", blocks(jax.checkpoint(block)), weights, rows)
row("12 blocks, bf16", blocks(block_of_16_bits), weights, rows)
table = np.arange(2048 * 2048, dtype=np.float32).reshape(2048, 2048) / np.float32(2048 * 2048)
row("a constant of 16 MiB", lambda x: jnp.tanh(x @ table), rng.uniform(0, 1, 2048).astype(np.float32))
mesh = jax.make_mesh((4, 2), ("data", "model"))
over = lambda *axes: NamedSharding(mesh, P(*axes))
weights = tuple(rng.uniform(-0.1, 0.1, size).astype(np.float32) for size in [(256, 1024), (1024, 16)])
of_weights = (over(None, "model"), over("model", None))
row(
    "a step over 8 devices",
    jax.value_and_grad(two_layers),
    weights,
    rng.uniform(-1, 1, (1024, 256)).astype(np.float32),
    in_shardings=(of_weights, over("data", None)),
    out_shardings=(over(), of_weights),
)
