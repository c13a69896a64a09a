"""The networks of `compare.py` as users of JAX write them, on a dictionary of weights, compiled."""

import time

import jax
import jax.numpy as jnp
import numpy
from jax import lax, nn


def linear(w, name, x):
    return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def cross_entropy(scores, labels):
    """The mean over labels that are not -1."""
    chosen = jnp.take_along_axis(nn.log_softmax(scores), jnp.maximum(labels, 0)[..., None], -1)[..., 0]
    counts = labels >= 0
    return -jnp.where(counts, chosen, 0).sum() / counts.sum()


def mlp(w, images, labels):
    return cross_entropy(linear(w, "scores", nn.relu(linear(w, "hidden", images))), labels)


def conv(w, name, x):
    y = lax.conv_general_dilated(x, w[f"{name}.weight"], (1, 1), "SAME")
    return y + w[f"{name}.bias"][:, None, None]


def cnn(w, images, labels):
    x = nn.relu(conv(w, "strokes", images.reshape(-1, 1, 8, 8)))
    x = nn.relu(conv(w, "parts", x))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
    return cross_entropy(linear(w, "scores", nn.relu(linear(w, "hidden", x.reshape(len(x), -1)))), labels)


def autoencoder(w, images, _):
    code = linear(w, "encode", nn.gelu(linear(w, "look", images), approximate=True))
    drawn = nn.sigmoid(linear(w, "draw", nn.gelu(linear(w, "decode", code), approximate=True)))
    return ((drawn - images) ** 2).mean()


def layer_norm(w, name, x):
    mean = x.mean(-1, keepdims=True)
    scale = lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
    return (x - mean) * scale * w[f"{name}.weight"] + w[f"{name}.bias"]


def attention(w, name, x):
    q, k, v = (jnp.einsum("btw,hwc->bhtc", x, w[f"{name}.{part}"]) for part in ("queries", "keys", "values"))
    scores = jnp.einsum("bhqc,bhkc->bhqk", q, k) / 4
    allowed = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    found = nn.softmax(jnp.where(allowed, scores, -jnp.inf)) @ v
    return jnp.einsum("bhtc,hcw->btw", found, w[f"{name}.mix"])


def transformer(w, letters, targets):
    x = w["letters.weight"][letters] + w["places"][: letters.shape[1]]
    for i in range(3):
        x = x + attention(w, f"blocks.{i}.attention", layer_norm(w, f"blocks.{i}.before_attention", x))
        inner = nn.gelu(linear(w, f"blocks.{i}.first", layer_norm(w, f"blocks.{i}.before_layers", x)), approximate=True)
        x = x + linear(w, f"blocks.{i}.second", inner)
    return cross_entropy(linear(w, "scores", layer_norm(w, "norm", x)), targets)


def sgd(rate, momentum):
    def update(w, gradient, state, _):
        state = jax.tree.map(lambda b, g: momentum * b + g, state, gradient)
        return jax.tree.map(lambda w, b: w - rate * b, w, state), state

    return lambda w: jax.tree.map(jnp.zeros_like, w), update


def adam_w(rate, betas, epsilon, decay, has_decay=lambda name: True):
    def update(w, gradient, state, step):
        first, second = state
        first = {k: m + (1 - betas[0]) * (gradient[k] - m) for k, m in first.items()}
        second = {k: betas[1] * v + (1 - betas[1]) * gradient[k] ** 2 for k, v in second.items()}
        scale = jnp.sqrt(1 - betas[1] ** step)
        new = {
            k: x * (1 - rate * decay * has_decay(k))
            - rate / (1 - betas[0] ** step) * first[k] / (jnp.sqrt(second[k]) / scale + epsilon)
            for k, x in w.items()
        }
        return new, (first, second)

    return lambda w: tuple(jax.tree.map(jnp.zeros_like, w) for _ in range(2)), update


def clipped(gradient, limit):
    norm = jnp.sqrt(sum((g**2).sum() for g in gradient.values()))
    return jax.tree.map(lambda g: g * jnp.minimum(1.0, limit / (norm + 1e-6)), gradient)


def is_matrix(name):
    return "before" not in name and not name.endswith("bias")


NETWORKS = {
    "mlp": (mlp, sgd(0.1, 0.9), None),
    "cnn": (cnn, adam_w(1e-3, (0.9, 0.999), 1e-6, 0.05), None),
    "autoencoder": (autoencoder, adam_w(1e-3, (0.9, 0.999), 1e-8, 0.02), None),
    "transformer": (transformer, adam_w(1e-3, (0.9, 0.99), 1e-8, 0.1, is_matrix), 1.0),
}


class Run:
    def __init__(self, name, weights, batches):
        loss, (first, update), limit = NETWORKS[name]
        self.weights = {key: jnp.asarray(value) for key, value in weights.items()}
        self.state, self.batches, self.count = first(self.weights), batches, jnp.zeros(())
        value_and_grad = jax.value_and_grad(loss)

        def step(weights, state, count, inputs, targets):
            value, gradient = value_and_grad(weights, inputs, targets)
            gradient = clipped(gradient, limit) if limit else gradient
            return value, *update(weights, gradient, state, count + 1), count + 1

        step = jax.jit(step, donate_argnums=(0, 1, 2))
        self.compiled, self.value_and_grad = step, jax.jit(value_and_grad)
        start = time.perf_counter_ns()
        step.lower(self.weights, self.state, self.count, *batches[0]).compile()
        self.compile_time = time.perf_counter_ns() - start

    def gradients(self, i):
        loss, gradient = self.value_and_grad(self.weights, *self.batches[i])
        jax.block_until_ready(gradient)
        return loss

    def step(self, i):
        loss, self.weights, self.state, self.count = self.compiled(
            self.weights, self.state, self.count, *self.batches[i]
        )
        # The loss is read in each step, as tensor-xla does.
        return float(loss)


def network(name, weights, batches):
    return Run(name, weights, batches)


def overhead_of_steps(steps):
    """The mean time of steps that do next to nothing: a batch of four numbers is copied to the device, and a loss back."""
    step = jax.jit(lambda sum, x: (sum + x, x.sum()), donate_argnums=0)
    x = numpy.ones(4, numpy.float32)
    sum, loss = step(jnp.asarray(x), x)
    start = time.perf_counter_ns()
    for _ in range(steps):
        sum, loss = step(sum, x)
        float(loss)
    return (time.perf_counter_ns() - start) / steps


def overhead(calls):
    """The mean time of calls of a program that does next to nothing."""
    negate, x = jax.jit(lambda x: -x, donate_argnums=0), jnp.arange(4.0)
    x = negate(x)
    start = time.perf_counter_ns()
    for _ in range(calls):
        x = jax.block_until_ready(negate(x))
    return (time.perf_counter_ns() - start) / calls
