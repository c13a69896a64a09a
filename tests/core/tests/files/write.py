"""Files as NumPy and safetensors write them, for tests/npy.rs and tests/checkpoint.rs:
python3 write.py FOLDER

The elements of every array are index * 3 - 7 (for bool: index % 3 == 0), in row-major order.
"""

import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

TYPES = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"]


def elements(kind, sizes):
    index = np.arange(np.prod(sizes, dtype=int)).reshape(sizes)
    return (index % 3 == 0) if kind == "b1" else (index * 3 - 7).astype(kind)


def arrays():
    for kind in TYPES:
        x = elements(kind, (2, 3, 4))
        yield f"{kind}_c", x
        yield f"{kind}_fortran", np.asfortranarray(x)
        yield f"{kind}_big", x.astype(x.dtype.newbyteorder(">"))
    yield "rank_0", elements("f4", ())
    yield "rank_1", elements("f4", (5,))
    yield "empty", elements("f4", (2, 0, 3))
    yield "ones", np.asfortranarray(elements("f4", (1, 4, 1)))


def main(folder):
    everything = dict(arrays())
    np.savez(folder / "numpy.npz", **everything)
    np.savez_compressed(folder / "numpy_compressed.npz", x=elements("f4", (20, 30)))
    for version in [(1, 0), (2, 0), (3, 0)]:
        with open(folder / f"version_{version[0]}.npy", "wb") as file:
            np.lib.format.write_array(file, elements("i4", (2, 3)), version=version)

    tensors = {kind: elements(kind, (2, 3, 4)) for kind in TYPES}
    tensors["empty"] = elements("f4", (0, 3))
    save_file(tensors, folder / "model.safetensors", {"written by": "safetensors"})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
