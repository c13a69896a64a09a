"""Files as PyTorch writes them, for tests/pytorch_files.rs: python3 write_pt.py FOLDER

The elements of every tensor are index * 3 - 7 (for bool: index % 3 == 0), in row-major order.
"""

import sys
from pathlib import Path

import torch

TYPES = ["float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool"]


def elements(kind, sizes):
    index = torch.arange(torch.Size(sizes).numel()).reshape(sizes)
    return index % 3 == 0 if kind == "bool" else (index * 3 - 7).to(getattr(torch, kind))


def main(folder):
    x = elements("float32", (4, 3))
    tensors = {kind: elements(kind, (2, 3)) for kind in TYPES}
    tensors |= {kind: torch.tensor([1, 2], dtype=getattr(torch, kind)) for kind in ["uint16", "uint32", "uint64"]}
    views = {
        "transposed": x.T,
        "rows": x[1:3],
        "every other": x[::2, 1:],
        "scalar": x[2, 1],
        "empty": x[:0],
        "parameter": torch.nn.Parameter(x),
        "float8": torch.zeros(2).to(torch.float8_e4m3fn),
    }
    net = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2))
    with torch.no_grad():
        for number, parameter in enumerate(net.parameters()):
            parameter.fill_(number)
    nested = {"net": net.state_dict(), "history": [{"loss": x[0, 0], "step": 3}], "name": "run", "rate": 0.1}
    torch.save({"types": tensors, "views": views, **nested}, folder / "torch.pt")
    torch.save(tensors["float32"], folder / "torch_one.pt", pickle_protocol=4)
    torch.save(x, folder / "torch_before_1_6.pt", _use_new_zipfile_serialization=False)


main(Path(sys.argv[1]))
