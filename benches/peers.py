"""The rows of the table with NumPy, PyTorch and JAX, as far as they can be imported.

    cargo bench -p tensor-benchmarks --bench table -- --python python3    beside ours, in the same rounds
    python3 benches/peers.py [PART...] [--f64] [--quick] [--json FILE]    alone; `--peers FILE` reads it

Each peer has as many threads as `--threads` says, 1 unless told otherwise, and writes the work as its
own users would: JAX compiles a row, PyTorch does not track gradients. The names of the rows are those
of `benches/table/`.
"""

import argparse
import importlib
import json
import os
import statistics
import sys
import time

ROOT_OF_TWO_OVER_PI = 0.7978845608028654


def limit(threads, avx2):
    """Before anything is imported: most libraries read these once, when they start."""
    if avx2:
        # In this order: NumPy, its OpenBLAS, PyTorch, and its MKL and oneDNN.
        os.environ["NPY_DISABLE_CPU_FEATURES"] = "X86_V4 AVX512_ICL AVX512_SPR"
        os.environ["OPENBLAS_CORETYPE"] = "Zen"
        os.environ["ATEN_CPU_CAPABILITY"] = "avx2"
        os.environ["MKL_ENABLE_INSTRUCTIONS"] = "AVX2"
        os.environ["ONEDNN_MAX_CPU_ISA"] = "AVX2"
    for variable in ("OMP", "MKL", "OPENBLAS", "NUMEXPR"):
        os.environ[f"{variable}_NUM_THREADS"] = str(threads)
    flags = ["--xla_cpu_max_isa=AVX2"] * avx2
    if threads == 1:
        flags += ["--xla_cpu_multi_thread_eigen=false", "intra_op_parallelism_threads=1"]
    os.environ["XLA_FLAGS"] = " ".join(flags)
    os.environ["JAX_PLATFORMS"] = "cpu"


def numbers(numpy, shape, element):
    """The numbers that the rows of `benches/table/` have, too."""
    count = numpy.arange(numpy.prod(shape, dtype=int))
    kind = {"f32": "float32", "f64": "float64"}[element]
    bits = (count.astype("uint32") * numpy.uint32(0x9E3779B1)) >> numpy.uint32(8)
    return (bits / (1 << 22) - 2.0).astype(kind).reshape(shape)


class NumPy:
    name = "NumPy"

    def __init__(self):
        self.np = self.lib = importlib.import_module("numpy")
        self.version = self.np.__version__

    def array(self, x):
        return x

    def ready(self, work):
        return work

    def gelu(self, x):
        np = self.np
        return 0.5 * x * (1 + np.tanh(ROOT_OF_TWO_OVER_PI * (x + 0.044715 * (x * x * x))))

    def softmax(self, x):
        e = self.np.exp(x - x.max(axis=-1, keepdims=True))
        e /= e.sum(axis=-1, keepdims=True)
        return e

    def layer_norm(self, x, w, b):
        mean = x.mean(axis=-1, keepdims=True)
        scale = 1 / self.np.sqrt(x.var(axis=-1, keepdims=True) + x.dtype.type(1e-5))
        return (x - mean) * scale * w + b

    def standardized(self, x):
        return (x - x.mean(axis=0)) / x.std(axis=0)

    def where(self, mask, x):
        return self.np.where(mask, x, x.dtype.type(0))

    def sum(self, x, axis=None):
        return x.sum(axis=axis)

    def take(self, x, indices):
        return x[indices]

    def sort(self, x, axis):
        return self.lib.sort(x, axis=axis)

    def argsort(self, x):
        return self.lib.argsort(x, axis=-1, stable=True)

    def topk(self, x, k):
        np = self.np
        chosen = np.argpartition(x, -k, axis=-1)[..., -k:]
        values = np.take_along_axis(x, chosen, axis=-1)
        order = np.argsort(-values, axis=-1)
        return np.take_along_axis(values, order, axis=-1), np.take_along_axis(chosen, order, axis=-1)

    def concat(self, a, b, axis):
        return self.lib.concatenate((a, b), axis=axis)

    def stack(self, a, b, axis):
        return self.lib.stack((a, b), axis=axis)

    def copy(self, x):
        return x.copy()

    def pad(self, x, mode):
        return self.lib.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2)), mode=mode)

    def roll(self, x, axis):
        return self.lib.roll(x, 1, axis=axis)

    def repeat(self, x):
        return self.lib.repeat(x, 4, axis=1)

    # NumPy has no convolution of images.
    conv = None


class PyTorch(NumPy):
    name = "PyTorch"

    def __init__(self, threads):
        self.np = importlib.import_module("numpy")
        self.lib = torch = importlib.import_module("torch")
        self.version = torch.__version__
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)

    def array(self, x):
        return self.lib.from_numpy(x)

    def gelu(self, x):
        return self.lib.nn.functional.gelu(x, approximate="tanh")

    def softmax(self, x):
        return self.lib.softmax(x, dim=-1)

    def layer_norm(self, x, w, b):
        return self.lib.nn.functional.layer_norm(x, (x.shape[-1],), w, b, 1e-5)

    def standardized(self, x):
        return (x - x.mean(dim=0)) / x.std(dim=0, correction=0)

    def where(self, mask, x):
        return self.lib.where(mask, x, 0.0)

    def sum(self, x, axis=None):
        return x.sum() if axis is None else x.sum(dim=axis)

    def sort(self, x, axis):
        return self.lib.sort(x, dim=axis).values

    def argsort(self, x):
        return self.lib.argsort(x, dim=-1, stable=True)

    def topk(self, x, k):
        return self.lib.topk(x, k)

    def concat(self, a, b, axis):
        return self.lib.cat((a, b), dim=axis)

    def stack(self, a, b, axis):
        return self.lib.stack((a, b), dim=axis)

    def copy(self, x):
        return x.contiguous()

    def pad(self, x, mode):
        return self.lib.nn.functional.pad(x, (2, 2, 2, 2), mode)

    def roll(self, x, axis):
        return self.lib.roll(x, 1, axis)

    def repeat(self, x):
        return self.lib.repeat_interleave(x, 4, dim=1)

    def conv(self, x, w, stride=1, padding=0, groups=1):
        return self.lib.nn.functional.conv2d(x, w, None, stride, padding, 1, groups)

    def conv_gradient(self, of, x, w, y, stride=1, padding=0, groups=1):
        both = [padding] * 2
        wanted = [of == "dx", of == "dw", False]
        return self.lib.ops.aten.convolution_backward(
            y, x, w, None, [stride] * 2, both, [1, 1], False, [0, 0], groups, wanted
        )[0 if of == "dx" else 1]


class Jax(NumPy):
    name = "JAX"

    def __init__(self):
        self.np = importlib.import_module("numpy")
        self.jax = importlib.import_module("jax")
        self.version = self.jax.__version__
        self.jax.config.update("jax_enable_x64", True)
        self.jax.devices()
        self.lib = importlib.import_module("jax.numpy")

    def array(self, x):
        return self.lib.asarray(x)

    def ready(self, work):
        compiled = self.jax.jit(work)
        return lambda *operands: self.jax.block_until_ready(compiled(*operands))

    def gelu(self, x):
        return self.jax.nn.gelu(x, approximate=True)

    def softmax(self, x):
        return self.jax.nn.softmax(x, axis=-1)

    def layer_norm(self, x, w, b):
        mean = x.mean(axis=-1, keepdims=True)
        scale = self.jax.lax.rsqrt(x.var(axis=-1, keepdims=True) + 1e-5)
        return (x - mean) * scale * w + b

    def where(self, mask, x):
        return self.lib.where(mask, x, 0)

    def topk(self, x, k):
        return self.jax.lax.top_k(x, k)

    def conv(self, x, w, stride=1, padding=0, groups=1):
        return self.jax.lax.conv_general_dilated(
            x, w, (stride, stride), [(padding, padding)] * 2, feature_group_count=groups
        )

    def copy(self, x):
        return x + 0

    def conv_gradient(self, of, x, w, y, **options):
        if of == "dx":
            return self.jax.vjp(lambda x: self.conv(x, w, **options), x)[1](y)[0]
        return self.jax.vjp(lambda w: self.conv(x, w, **options), w)[1](y)[0]


MILLION = 1 << 20

# The name, the shapes of the operands, and the work by a peer.
ROWS = [
    ("a + b, 16 floats", [(16,), (16,)], lambda p, a, b: a + b),
    ("a + b, 1,024, fresh result", [(1024,)] * 2, lambda p, a, b: a + b),
    ("a + b, 65,536, fresh result", [(65536,)] * 2, lambda p, a, b: a + b),
    ("a + b, 1 M, fresh result", [(MILLION,)] * 2, lambda p, a, b: a + b),
    ("a + b, 16.7 M, fresh result", [(16 * MILLION,)] * 2, lambda p, a, b: a + b),
    ("row, 1 M", [(1024, 1024), (1024,)], lambda p, a, b: a + b),
    ("column, 1 M", [(1024, 1024), (1024, 1)], lambda p, a, b: a * b),
    ("scalar, 1 M", [(1024, 1024)], lambda p, a: a * 1.5),
    ("[2048,1] + [2048]", [(2048, 1), (2048,)], lambda p, a, b: a + b),
    ("[8,1,6,1] + [7,1,5]", [(8, 1, 6, 1), (7, 1, 5)], lambda p, a, b: a + b),
    ("[64,1,64,1] + [64,1,64]", [(64, 1, 64, 1), (64, 1, 64)], lambda p, a, b: a + b),
    ("[256,256,3] * [3]", [(256, 256, 3), (3,)], lambda p, a, b: a * b),
    (
        "gelu(x * w + b), [1024,1024]",
        [(1024, 1024), (1024,), (1024,)],
        lambda p, x, w, b: p.gelu(x * w + b),
    ),
    ("(x - mean) / std, axis 0 of [4096,512]", [(4096, 512)], lambda p, x: p.standardized(x)),
    ("softmax, last axis of [1024,1024]", [(1024, 1024)], lambda p, x: p.softmax(x)),
    (
        "layer normalisation, last axis of [1024,1024]",
        [(1024, 1024), (1024,), (1024,)],
        lambda p, x, w, b: p.layer_norm(x, w, b),
    ),
    (
        "select(mask[512,1,32], x[512,512,32], 0)",
        [("mask", 512, 1, 32), (512, 512, 32)],
        lambda p, mask, x: p.where(mask, x),
    ),
    ("sum of 16.7 M", [(4096, 4096)], lambda p, x: p.sum(x)),
    ("sum, axis 0 of [4096,4096]", [(4096, 4096)], lambda p, x: p.sum(x, 0)),
    ("sum, axis 1 of [4096,4096]", [(4096, 4096)], lambda p, x: p.sum(x, 1)),
    (
        "take, 16,384 rows of [65536,256]",
        [(65536, 256), ("index", 16384, 65536)],
        lambda p, x, i: p.take(x, i),
    ),
    ("sort, last axis of [1024,1024]", [(1024, 1024)], lambda p, x: p.sort(x, -1)),
    ("sort, axis 0 of [1024,1024]", [(1024, 1024)], lambda p, x: p.sort(x, 0)),
    ("argsort, last axis of [1024,1024]", [(1024, 1024)], lambda p, x: p.argsort(x)),
    ("topk 10, last axis of [64,50257]", [(64, 50257)], lambda p, x: p.topk(x, 10)),
    ("exp, 1 M", [(MILLION,)], lambda p, x: p.lib.exp(x)),
    ("tanh, 1 M", [(MILLION,)], lambda p, x: p.lib.tanh(x)),
    ("matmul 4×4", [(4, 4)] * 2, lambda p, a, b: a @ b),
    ("matmul 64", [(64, 64)] * 2, lambda p, a, b: a @ b),
    ("matmul 127", [(127, 127)] * 2, lambda p, a, b: a @ b),
    ("matmul 256", [(256, 256)] * 2, lambda p, a, b: a @ b),
    ("matmul 1024", [(1024, 1024)] * 2, lambda p, a, b: a @ b),
    ("matmul 2048", [(2048, 2048)] * 2, lambda p, a, b: a @ b),
    ("matmul [1,384]×[384,1536]", [(1, 384), (384, 1536)], lambda p, a, b: a @ b),
    ("matmul [16,384]×[384,384]", [(16, 384), (384, 384)], lambda p, a, b: a @ b),
    ("matmul [1,384]×[1536,384]ᵀ", [(1, 384), (1536, 384)], lambda p, a, b: a @ b.T),
    ("matmul [4,384]×[1536,384]ᵀ", [(4, 384), (1536, 384)], lambda p, a, b: a @ b.T),
    ("matmul [16,384]×[1536,384]ᵀ", [(16, 384), (1536, 384)], lambda p, a, b: a @ b.T),
    ("matmul [32,1536]×[384,1536]ᵀ", [(32, 1536), (384, 1536)], lambda p, a, b: a @ b.T),
    ("matmul [2048,8]×[8,2048]", [(2048, 8), (8, 2048)], lambda p, a, b: a @ b),
    (
        "matmul [32,128,64]×[32,64,128]",
        [(32, 128, 64), (32, 64, 128)],
        lambda p, a, b: a @ b,
    ),
    (
        "concat, axis 0 of 2 [2048,2048]",
        [(2048, 2048)] * 2,
        lambda p, a, b: p.concat(a, b, 0),
    ),
    (
        "concat, axis 1 of 2 [2048,2048]",
        [(2048, 2048)] * 2,
        lambda p, a, b: p.concat(a, b, 1),
    ),
    ("stack, axis 2 of 2 [2048,2048]", [(2048, 2048)] * 2, lambda p, a, b: p.stack(a, b, 2)),
    ("pad 2 of [32,16,28,28]", [(32, 16, 28, 28)], lambda p, x: p.pad(x, "constant")),
    ("pad 2 of [32,16,28,28], reflect", [(32, 16, 28, 28)], lambda p, x: p.pad(x, "reflect")),
    ("tile 2,2 of [1024,1024]", [(1024, 1024)], lambda p, x: p.lib.tile(x, (2, 2))),
    ("repeat 4, axis 1 of [1024,1024]", [(1024, 1024)], lambda p, x: p.repeat(x)),
    ("roll 1, axis 1 of [2048,2048]", [(2048, 2048)], lambda p, x: p.roll(x, 1)),
    ("x[:, 1:] of [4096,1024], copied", [(4096, 1024)], lambda p, x: p.copy(x[:, 1:])),
    ("transpose of [4096,1024], copied", [(4096, 1024)], lambda p, x: p.copy(x.T)),
    ("sum of rows 1024..3072 of [4096,1024]", [(4096, 1024)], lambda p, x: p.sum(x[1024:3072])),
]


def convolutions():
    """Convolutions and their gradients: the name, the sizes of images and weights, the options."""
    shapes = [
        ("conv 3×3, [32,16,28,28] to 32", (32, 16, 28, 28), (32, 16, 3, 3), {"padding": 1}),
        ("conv 1×1, [32,64,28,28] to 64", (32, 64, 28, 28), (64, 64, 1, 1), {}),
        ("conv 5×5, [32,16,28,28] to 32", (32, 16, 28, 28), (32, 16, 5, 5), {"padding": 2}),
        ("conv 5×5, [32,3,32,32] to 32", (32, 3, 32, 32), (32, 3, 5, 5), {"padding": 2}),
        (
            "conv 3×3, stride 2, [32,32,56,56] to 64",
            (32, 32, 56, 56),
            (64, 32, 3, 3),
            {"stride": 2, "padding": 1},
        ),
        (
            "depthwise 3×3, [32,64,28,28]",
            (32, 64, 28, 28),
            (64, 1, 3, 3),
            {"padding": 1, "groups": 64},
        ),
    ]
    for name, x, w, options in shapes:
        step = options.get("stride", 1)
        y = (x[0], w[0], x[2] // step, x[3] // step)
        yield name, [x, w], lambda p, x, w, options=options: p.conv(x, w, **options)
        for of in ("dx", "dw"):
            yield (
                f"{name}, {of}",
                [x, w, y],
                lambda p, x, w, y, of=of, options=options: p.conv_gradient(of, x, w, y, **options),
            )


ROWS += convolutions()


def peers(threads):
    """Those that can be imported, in this order."""
    found = []
    # JAX has a thread for each processor that it may use when it starts.
    processors = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    if processors:
        os.sched_setaffinity(0, sorted(processors)[:threads])
    for make in (NumPy, lambda: PyTorch(threads), Jax):
        try:
            found.append(make())
        except ImportError as error:
            print(f"left out: {error}", file=sys.stderr)
    if processors:
        os.sched_setaffinity(0, processors)
    return found


def able(found, name):
    """The peers that have what a row asks for."""
    return [peer for peer in found if peer.conv or not name.startswith(("conv", "depthwise"))]


def prepared(peer, shapes, work, element):
    """A call without arguments that does the work of a row."""
    operands = []
    for shape in shapes:
        if shape[0] == "mask":
            x = peer.np.arange(512 * 32).reshape(shape[1:]) % 3 == 0
        elif shape[0] == "index":
            x = peer.np.arange(shape[1]) * 40503 % shape[2]
        else:
            x = numbers(peer.np, shape, element)
        operands.append(peer.array(x))
    call = peer.ready(lambda *operands: work(peer, *operands))
    call(*operands)
    return lambda: call(*operands)


# The time that this process has a processor, without what other programs take: `--wall` changes it.
clock = time.process_time_ns


def nanoseconds(call, calls):
    start = clock()
    for _ in range(calls):
        call()
    return clock() - start


def serve(found):
    """Answers each line of JSON with a line of JSON."""
    calls = {}
    for line in sys.stdin:
        question = json.loads(line)
        if question["do"] == "versions":
            answer = {peer.name: peer.version for peer in found}
        elif question["do"] == "row":
            calls = {}
            for name, shapes, work in ROWS:
                if name == question["name"]:
                    for peer in able(found, name):
                        calls[peer.name] = prepared(peer, shapes, work, question["element"])
            answer = list(calls)
        else:
            answer = nanoseconds(calls[question["peer"]], question["calls"])
        print(json.dumps(answer), flush=True)


def alone(found, options):
    """Measures all peers by turns; returns the rows as `--bench table -- --json` writes them."""
    element = "f64" if options.f64 else "f32"
    rounds, turn = (5, 100_000) if options.quick else (41, 400_000)
    rows = []
    for name, shapes, work in ROWS:
        if not all(part in name for part in options.parts):
            continue
        able_to = able(found, name)
        calls = {peer.name: prepared(peer, shapes, work, element) for peer in able_to}
        each = {}
        for peer, call in calls.items():
            nanoseconds(call, 1)
            each[peer] = max(1, turn // max(1, nanoseconds(call, 1)))
        times = {peer: [] for peer in calls}
        start = time.monotonic()
        for round in range(rounds):
            if round >= 5 and time.monotonic() - start > 2:
                break
            for peer, call in calls.items():
                # What the first call finds cold is not what a call takes.
                nanoseconds(call, 1)
                times[peer].append(nanoseconds(call, each[peer]) / each[peer])
        ways = {
            peer: {"median": statistics.median(times), "least": min(times)}
            for peer, times in times.items()
        }
        figures = ", ".join(f"{peer} {way['median']:.0f} ns" for peer, way in ways.items())
        print(f"{name:<46} {figures}", flush=True)
        rows.append({"name": name, "element": element, "ways": ways})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", help="measure rows with these in their names")
    parser.add_argument("--f64", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", help="write the figures to this file")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--wall", action="store_true", help="by the clock")
    parser.add_argument("--avx2", action="store_true", help="without AVX-512")
    parser.add_argument("--serve", action="store_true", help="be asked by `--bench table`")
    options = parser.parse_args()
    if options.wall or options.threads > 1:
        global clock
        clock = time.perf_counter_ns
    limit(options.threads, options.avx2)
    found = peers(options.threads)
    if options.serve:
        serve(found)
        return
    rows = alone(found, options)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"rows": rows}, file, indent=2)


if __name__ == "__main__":
    main()
