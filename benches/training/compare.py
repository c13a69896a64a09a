"""Trains the same networks with tensor-nn, PyTorch and JAX, from the same weights on the same batches.

    python3 benches/training/compare.py            # needs numpy and safetensors; torch and jax where they are there

tensor-nn computes steps by the kernels of tensor-core and, where `TENSOR_XLA_PLUGIN` names a plugin, by XLA
through tensor-xla; then JAX takes its turns on that plugin, too. It draws the initial weights and writes them, this script makes the batches of
`examples/data`; each reads what the other wrote. The losses of the first 100 steps must agree to 1e-4, or the
exit status is 1. Then all take their turns in every round, and the median of the times of a step is printed,
with one thread and with two. `× limit` is the time of the loss and its gradients in times of that of the
multiply-adds of all products at the peak of the processor. Of XLA, the times to compile a step and to call a
program or a step that computes next to nothing are printed, too.

    TENSOR_XLA_PLUGIN=.../xla_cuda_plugin.so python3 benches/training/compare.py --accelerator

compares steps through tensor-xla with those of JAX on the device of the plugin, in elapsed time: products of both in
full precision, and both copy the batch of each step to the device.
"""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NETWORKS = ["mlp", "cnn", "transformer", "autoencoder"]
STEPS, BATCH = 100, 64
AGREE = 1e-4
# Forward, and backward by weights and, but for the first layer, by inputs.
OPERATIONS_OF_MLP = 2 * BATCH * (2 * 64 * 128 + 3 * 128 * 10)
GOAL = 2.0
# A step through tensor-xla, in times of JAX's.
GOAL_OF_XLA = 1.05


class Ours:
    """`benches/training.rs`, asked by lines of JSON."""

    CARGO = ["cargo", "bench", "--quiet", "-p", "tensor-benchmarks", "--bench", "training"]

    def __init__(self, options, xla=False):
        self.name, self.xla = "tensor-xla" if xla else "tensor-nn", xla
        command = [options.program, "--bench"] if options.program else self.CARGO
        pipe = subprocess.PIPE
        environment = os.environ | {"RAYON_NUM_THREADS": str(options.threads)}
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True)
        if options.elapsed:
            self.ask("count all threads")

    def ask(self, what, **more):
        print(json.dumps({"do": what} | more), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"`{' '.join(self.process.args)}` ended with status {self.process.wait()}")
        return json.loads(answer)

    def prepare(self, network, folder):
        self.ask("prepare", network=network, folder=str(folder), xla=self.xla)

    def losses(self, network):
        return self.ask("losses", network=network, steps=STEPS)

    def time(self, what, network, steps):
        return self.ask(what, network=network, steps=steps)

    def compile_time(self, network):
        return self.ask("compile", network=network)

    def overhead(self, what="overhead"):
        return self.ask(what)


class Peer:
    """Another library, in this process: `network(name, weights, batches)` of its module makes a run, in a context."""

    xla = False

    def __init__(self, name, module, clock, context=contextlib.nullcontext):
        self.name, self.module, self.clock, self.context, self.runs = name, module, clock, context, {}

    def prepare(self, network, folder):
        from safetensors.numpy import load_file

        weights = load_file(folder / f"{network}.safetensors")
        batches = load_file(folder / f"{network}.batches.safetensors")
        batches = list(zip(batches["inputs"], batches["targets"]))
        with self.context():
            self.runs[network] = self.module.network(network, weights, batches)

    def losses(self, network):
        with self.context():
            return [float(self.runs[network].step(i)) for i in range(STEPS)]

    def time(self, what, network, steps):
        call = getattr(self.runs[network], what)
        with self.context():
            start = self.clock()
            for i in range(steps):
                result = call(i % STEPS)
            float(result)
            return self.clock() - start

    def compile_time(self, network):
        return self.runs[network].compile_time

    def overhead(self, what="overhead"):
        with self.context():
            return getattr(self.module, what)(20_000)


def write_batches(folder):
    """Names for the transformer, digits for the other networks, in a fixed order."""
    import numpy
    from safetensors.numpy import save_file

    rng = numpy.random.default_rng(42)
    with open(ROOT / "examples/data/digits.csv") as file:
        digits = numpy.loadtxt(file, delimiter=",")
    chosen = digits[rng.integers(len(digits), size=(STEPS, BATCH))]
    # With a little noise: of the equal numbers that white paper makes, rounding would choose the largest.
    pixels = (chosen[..., :64] + rng.random((STEPS, BATCH, 64))) / 17
    digits = {
        "inputs": pixels.astype("float32"),
        "targets": numpy.ascontiguousarray(chosen[..., 64]).astype("int64"),
    }
    for network in ["mlp", "cnn", "autoencoder"]:
        save_file(digits, folder / f"{network}.batches.safetensors")

    names = (ROOT / "examples/data/names.txt").read_text().split()
    time = 1 + max(map(len, names))
    inputs = numpy.zeros((STEPS, BATCH, time), "int64")
    targets = numpy.full_like(inputs, -1)
    for place in numpy.ndindex(STEPS, BATCH):
        letters = [ord(letter) - ord("a") + 1 for letter in names[rng.integers(len(names))]]
        inputs[place][1 : len(letters) + 1] = letters
        targets[place][: len(letters) + 1] = letters + [0]
    save_file({"inputs": inputs, "targets": targets}, folder / "transformer.batches.safetensors")


def configure(threads, accelerator):
    """Before anything is imported: libraries read these once, when they start."""
    if accelerator:
        # By default, the first process takes most of the memory of a GPU.
        os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
        os.environ["JAX_DEFAULT_MATMUL_PRECISION"] = "highest"
        return
    for variable in ("OMP", "MKL", "OPENBLAS"):
        os.environ[f"{variable}_NUM_THREADS"] = str(threads)
    if threads == 1:
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    os.environ["JAX_PLATFORMS"] = "cpu"
    if plugin := os.environ.get("TENSOR_XLA_PLUGIN"):
        # With the options of tensor-xla: JAX's own XLA is another version.
        with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
            json.dump({"library_path": plugin, "create_options": {"cpu_device_count": 1, "asynchronous": False}}, file)
        os.environ["PJRT_NAMES_AND_LIBRARY_PATHS"] = f"plugin:{file.name}"
        os.environ["JAX_PLATFORMS"] = "cpu,plugin"


@contextlib.contextmanager
def as_many_processors(threads):
    """XLA has a thread for each processor that it may use when it starts."""
    processors = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    try:
        if processors:
            os.sched_setaffinity(0, sorted(processors)[:threads])
        yield
    finally:
        if processors:
            os.sched_setaffinity(0, processors)


def peers(options):
    """Those that can be imported."""
    clock = time.perf_counter_ns if options.elapsed else time.process_time_ns
    threads, found = options.threads, []
    if options.accelerator:
        import in_jax

        device = in_jax.jax.devices()[0]
        print(f"JAX {in_jax.jax.__version__} on {device.device_kind}")
        return [Peer("JAX", in_jax, clock)]
    try:
        import in_pytorch

        in_pytorch.torch.set_num_threads(threads)
        found.append(Peer("PyTorch", in_pytorch, clock))
    except ImportError as error:
        print(f"left out: {error}", file=sys.stderr)
    try:
        with as_many_processors(threads):
            import in_jax

            for platform in in_jax.jax.config.jax_platforms.split(","):
                name = "JAX" if platform == "cpu" else "JAX, plugin"
                device = in_jax.jax.devices(platform)[0]
                found.append(Peer(name, in_jax, clock, lambda on=device: in_jax.jax.default_device(on)))
    except ImportError as error:
        print(f"left out: {error}", file=sys.stderr)
    return found


def agree(network, runs):
    """Whether the losses of all are the same; prints how far they are apart."""
    losses = {run.name: run.losses(network) for run in runs}
    first = losses[runs[0].name]
    good = True
    for run in runs[1:]:
        apart = max(abs(a - b) for a, b in zip(first, losses[run.name], strict=True))
        # NaN is no agreement.
        fits = apart <= AGREE
        good &= fits
        print(f"{network}: {run.name} {'agrees' if fits else 'DIFFERS'}, by at most {apart:.1e} in {STEPS} steps "
              f"from {first[0]:.4f} to {first[-1]:.4f}")
    return good


def measured(what, network, runs, rounds, turn):
    """The median time of each, in microseconds."""
    steps, times = {}, {run.name: [] for run in runs}
    for run in runs:
        run.time(what, network, 2)
        steps[run.name] = max(1, int(turn * 1e9 / max(1, run.time(what, network, 5) / 5)))
    for _ in range(rounds):
        for run in runs:
            # What the first call finds cold is not what a call takes.
            run.time(what, network, 1)
            count = steps[run.name]
            times[run.name].append(run.time(what, network, count) / count / 1e3)
    return {name: statistics.median(of) for name, of in times.items()}


def row(name, runs, values, digits=1):
    cells = (f"{values[run.name]:.{digits}f}" if run.name in values else "" for run in runs)
    return f"{name:<26}" + "".join(f"{cell:>12}" for cell in cells)


def compare(options):
    threads = options.threads
    options.elapsed = options.accelerator or threads > 1
    configure(threads, options.accelerator)
    others = peers(options)
    ours = Ours(options)
    runs = [ours, *others]
    if os.environ.get("TENSOR_XLA_PLUGIN"):
        with contextlib.nullcontext() if options.accelerator else as_many_processors(threads):
            runs.insert(1, Ours(options, xla=True))
    on_xla = [run for run in runs if run.xla or run.name.startswith("JAX")]
    rounds, turn = (5, 0.02) if options.quick else (31, 0.1)
    good, slower = True, []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        write_batches(folder)
        for network in NETWORKS:
            for run in runs:
                run.prepare(network, folder)
        for network in NETWORKS:
            good &= agree(network, runs)
        head = "".join(f"{run.name:>12}" for run in runs)
        print(f"\n{'µs, ' + str(threads) + ' thread' + 's' * (threads > 1):<26}{head}")
        for network in NETWORKS:
            for what in ["step", "gradients"]:
                # A gradient alone is no step that keeps its state on the device.
                those = [run for run in runs if what == "step" or not run.xla]
                times = measured(what, network, those, rounds, turn)
                print(row(f"{network}, {what}", runs, times), flush=True)
                if what == "step" and on_xla[0].xla:
                    ratios = {run.name: times["tensor-xla"] / times[run.name] for run in on_xla[1:]}
                    print(row(f"  tensor-xla, {GOAL_OF_XLA} wanted", runs, ratios, 2))
                if what == "step" and network != "mlp" and times["tensor-nn"] > times.get("PyTorch", float("inf")):
                    slower.append(network)
                if what == "gradients" and network == "mlp" and threads == 1:
                    limit = OPERATIONS_OF_MLP * statistics.median(ours.ask("operation") for _ in range(9)) / 1e3
                    of_limit = {name: time / limit for name, time in times.items()}
                    print(row(f"  × limit of {limit:.1f} µs", runs, of_limit, 2))
                    print(f"  {'within' if times['tensor-nn'] <= GOAL * limit else 'NOT within'} {GOAL} × limit")
        for network in NETWORKS:
            times = {run.name: run.compile_time(network) / 1e6 for run in on_xla}
            print(row(f"{network}, compile, ms", runs, times))
        for what, name in ("overhead", "a call"), ("overhead_of_steps", "a step"):
            print(row(f"next to nothing, {name}", runs, {run.name: run.overhead(what) / 1e3 for run in on_xla}))
    if any(run.name == "PyTorch" for run in runs):
        print("ahead of PyTorch on the CNN and the transformer" if not slower
              else f"NOT ahead of PyTorch: {', '.join(slower)}")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, help="only with this number of threads")
    parser.add_argument("--program", help="a built `benches/training.rs`, so that cargo is not asked")
    parser.add_argument("--accelerator", action="store_true", help="JAX and XLA on the device of the plugin")
    parser.add_argument("--quick", action="store_true", help="few rounds")
    options = parser.parse_args()
    if options.accelerator and not options.threads:
        options.threads = 1
    if options.threads:
        sys.exit(0 if compare(options) else 1)
    # Libraries learn when they start how many threads there are.
    command = [sys.executable, *sys.argv]
    statuses = [subprocess.run([*command, "--threads", str(threads)]).returncode for threads in (1, 2)]
    sys.exit(max(statuses))


if __name__ == "__main__":
    main()
