"""The loops of `benches/loops.rs` with JAX: the time to trace and lower, to compile, of the first call, and of a call.

    python3 benches/loops.py          (pip install jax)
    python3 benches/loops.py FOLDER   writes the programs to files, which `benches/loops.rs` runs beside its own
"""

import pathlib
import statistics
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np


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


def row(name, function, *inputs):
    start = time.perf_counter()
    lowered = jax.jit(function).lower(*inputs)
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


rng = np.random.default_rng(1)
weights = rng.uniform(-0.05, 0.05, (256, 256)).astype(np.float32)
words = rng.uniform(-1, 1, (100, 32, 256)).astype(np.float32)
print(f"{'':<34}" + "".join(f"{name:>12}" for name in ["trace", "compile", "first call", "a call"]))
row("100 steps, one step", in_one_step, weights, words)
row("100 steps, unrolled", unrolled, weights, words)
row("its gradient, one step", jax.value_and_grad(in_one_step), weights, words)
row("its gradient, unrolled", jax.value_and_grad(unrolled), weights, words)
row("gradient of 1,000 sines, one step", jax.value_and_grad(sines), rng.uniform(0, 1, 1024).astype(np.float32))
row("10,000 operations, one step", operations, rng.uniform(0, 1, 1024).astype(np.float32))
