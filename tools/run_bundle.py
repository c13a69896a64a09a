"""Runs a training step that tensor-xla exported, over the devices of one process or of several.

    python3 tools/run_bundle.py BUNDLE BATCHES OUT
    python3 tools/run_bundle.py BUNDLE BATCHES OUT --coordinator HOST:PORT --processes 2 --process 0
    python3 tools/run_bundle.py BUNDLE BATCHES OUT --distributed

BUNDLE is the folder that `ShardedProgram::export` wrote. BATCHES is a `.safetensors` file that has each input
that is not part of the state, by its name in `program.json`, with one more axis before its own: the steps. OUT is
a folder for `state.safetensors`, which `Module::load` reads, and `results.safetensors`, the results of all steps.

With `--parts`, OUT has one file for each device, which `Step::load_parts` reads, and no `state.safetensors`: each
process writes those of its devices, and none has the whole state in memory.

Of several processes, each runs this program with the same files, and reads those parts of the state and of the
batches that its devices hold; the first one writes. `--distributed` is for clusters that JAX knows, such as TPU
pods, where it finds the other processes itself. Needs jax, numpy and safetensors.
"""

import argparse
import json
import re
from pathlib import Path

import jax
import numpy
from jax.experimental import multihost_utils
from jax.experimental.mesh_utils import create_device_mesh
from jax.extend.backend import get_backend, get_compile_options
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from jaxlib.xla_client import DeviceList
from safetensors import safe_open
from safetensors.numpy import save_file

FORMAT = "tensor-xla bundle, format 2"
PARTS = "tensor-xla parts, format 1"


class Bundle:
    """A compiled step with its state on the devices."""

    def __init__(self, folder):
        description = json.loads((folder / "program.json").read_text())
        if description["format"] != FORMAT:
            raise SystemExit(f"{folder}: expected `{FORMAT}`, found `{description['format']}`")
        names, sizes = zip(*description["mesh"])
        devices = create_device_mesh(sizes)
        self.mesh = Mesh(devices, names)
        self.inputs, self.outputs = description["inputs"], description["outputs"]
        self.batch = [port for port in self.inputs if port["state"] is None]
        options = get_compile_options(1, devices.size, devices.reshape(1, -1))
        text = (folder / "program.mlir").read_text()
        self.program = get_backend().compile_and_load(text, DeviceList(tuple(devices.flat)), options)
        self.gather = jax.jit(lambda x: x, out_shardings=NamedSharding(self.mesh, PartitionSpec()))
        with safe_open(folder / "state.safetensors", "numpy") as file:
            state = [port for port in self.inputs if port["state"] is not None]
            self.state = [self.array(port, file.get_slice(port["state"])) for port in state]

    def sharding(self, port):
        return NamedSharding(self.mesh, PartitionSpec(*map(tuple, port["split"])))

    def array(self, port, source, *first):
        """An input, of which each device reads its part; `first` are indices of axes before its own."""
        found = (source.get_dtype(), source.get_shape()[len(first) :])
        if found != (port["element"].upper(), port["sizes"]):
            raise SystemExit(f"`{port['name']}` is {port['element']} {port['sizes']}; the file has {found}")
        part = lambda index: source[(*first, *index)]
        return jax.make_array_from_callback(tuple(port["sizes"]), self.sharding(port), part)

    def step(self, batch):
        """Replaces the state, and returns the results."""
        parts = self.program.execute_sharded(self.state + batch).disassemble_into_single_device_arrays()
        outputs = [
            jax.make_array_from_single_device_arrays(tuple(port["sizes"]), self.sharding(port), of_devices)
            for port, of_devices in zip(self.outputs, parts, strict=True)
        ]
        self.state, results = outputs[: len(self.state)], outputs[len(self.state) :]
        return results

    def save_parts(self, folder):
        """Writes a file for each device of this process: its part of each array of the state that no other file has."""
        if jax.process_index() == 0:
            for earlier in folder.glob("part-*.safetensors"):
                if re.fullmatch(r"part-\d+-of-\d+\.safetensors", earlier.name):
                    earlier.unlink()
        multihost_utils.sync_global_devices("earlier files are removed")
        devices = list(self.mesh.devices.flat)
        for number, device in enumerate(devices):
            if device.process_index != jax.process_index():
                continue
            parts, about = {}, {"format": PARTS, "files": str(len(devices))}
            for port, array in zip(self.outputs, self.state):
                for shard in array.addressable_shards:
                    if shard.device == device and shard.replica_id == 0:
                        start = [axis.start or 0 for axis in shard.index]
                        place = [array.shape, [start, shard.data.shape]]
                        about[f"part of {port['state']}"] = json.dumps(place)
                        parts[port["state"]] = numpy.asarray(shard.data)
            save_file(parts, folder / f"part-{number}-of-{len(devices)}.safetensors", about)

    def whole(self, array):
        """All elements of an array, on each process."""
        return numpy.asarray(self.gather(array).addressable_data(0))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("bundle", "batches", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--distributed", action="store_true", help="one process of a cluster that JAX knows")
    parser.add_argument("--coordinator", metavar="HOST:PORT", help="one process of several: the address of the first")
    parser.add_argument("--processes", type=int, help="how many there are")
    parser.add_argument("--process", type=int, help="which this one is, from 0 on")
    parser.add_argument("--cpu-devices", type=int, help="the number of devices that each process divides its CPU into")
    parser.add_argument("--parts", action="store_true", help="write the state as a file for each device")
    options = parser.parse_args()

    jax.config.update("jax_enable_x64", True)
    if options.cpu_devices:
        jax.config.update("jax_num_cpu_devices", options.cpu_devices)
    if options.distributed or options.coordinator:
        jax.distributed.initialize(options.coordinator, options.processes, options.process)
    bundle = Bundle(options.bundle)
    results = []
    with safe_open(options.batches, "numpy") as file:
        sources = [file.get_slice(port["name"]) for port in bundle.batch]
        for step in range(sources[0].get_shape()[0]):
            batch = [bundle.array(port, source, step) for port, source in zip(bundle.batch, sources)]
            results.append([bundle.whole(result) for result in bundle.step(batch)])
    names = [port["name"] for port in bundle.outputs if port["state"] is None]
    results = {name: numpy.stack(of_steps) for name, of_steps in zip(names, zip(*results))}
    options.out.mkdir(parents=True, exist_ok=True)
    if options.parts:
        bundle.save_parts(options.out)
    else:
        state = {port["state"]: bundle.whole(array) for port, array in zip(bundle.outputs, bundle.state)}
    if jax.process_index() == 0:
        if not options.parts:
            save_file(state, options.out / "state.safetensors")
        save_file(results, options.out / "results.safetensors")


if __name__ == "__main__":
    main()
