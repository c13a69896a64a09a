"""A file as PyTorch before version 1.6 writes it, for tests/io/pytorch_files.rs: python3 write_legacy.py FOLDER

It needs no PyTorch: the classes and functions that a pickle names are made here. The elements of the storage of the views
are index * 3 - 7.
"""

import argparse
import collections
import pickle
import struct
import sys
import types
from pathlib import Path

torch = sys.modules["torch"] = types.ModuleType("torch")
for name in ["_utils", "_tensor"]:
    module = sys.modules[f"torch.{name}"] = types.ModuleType(f"torch.{name}")
    setattr(torch, name, module)


def named(module, name, kind):
    kind.__module__, kind.__qualname__, kind.__name__ = module, name, name
    setattr(sys.modules[module], name, kind)
    return kind


REBUILD = named("torch._utils", "_rebuild_tensor_v2", lambda *arguments: None)
PARAMETER = named("torch._utils", "_rebuild_parameter", lambda *arguments: None)
QUANTIZED = named("torch._utils", "_rebuild_qtensor", lambda *arguments: None)
FROM_TYPE = named("torch._tensor", "_rebuild_from_type_v2", lambda *arguments: None)
SIZE, DEVICE, TENSOR = (named("torch", name, type(name, (), {})) for name in ["Size", "device", "Tensor"])
FORMATS = {"Float": "f", "Double": "d", "Half": "e", "Long": "q", "Int": "i", "Short": "h", "Char": "b", "Byte": "B", "Bool": "?"}
STORAGES = {name: named("torch", f"{name}Storage", type(name, (), {})) for name in [*FORMATS, "QInt8"]}


class Storage:
    def __init__(self, key, kind, elements, view=None):
        self.key, self.kind, self.elements, self.view = key, kind, elements, view

    def raw(self):
        return struct.pack(f"<{len(self.elements)}{FORMATS.get(self.kind, 'b')}", *self.elements)


class Reduced:
    """What is pickled as a call."""

    def __init__(self, function, *arguments):
        self.reduced = function, arguments

    def __reduce_ex__(self, _):
        return self.reduced


def tensor(storage, offset, sizes, strides, *metadata):
    return Reduced(REBUILD, storage, offset, sizes, strides, False, collections.OrderedDict(), *metadata)


class Pickler(pickle.Pickler):
    def __init__(self, file, protocol):
        super().__init__(file, protocol)
        self.storages = {}

    def persistent_id(self, value):
        if not isinstance(value, Storage):
            return None
        self.storages[value.key] = value
        return "storage", STORAGES[value.kind], value.key, "cuda:0", len(value.elements), value.view


def save(path, value, protocol=2):
    system = {"protocol_version": 1001, "little_endian": True, "type_sizes": {"short": 2, "int": 4, "long": 4}}
    with path.open("wb") as file:
        for part in [0x1950A86A20F9469CFC6C, 1001, system]:
            pickle.dump(part, file, protocol)
        pickler = Pickler(file, protocol)
        pickler.dump(value)
        keys = sorted(pickler.storages)
        pickle.dump(keys, file, protocol)
        for key in keys:
            file.write(struct.pack("<q", len(pickler.storages[key].elements)) + pickler.storages[key].raw())


def main(folder):
    x = Storage("94021", "Float", [index * 3 - 7 for index in range(12)])
    part = Storage("94021", "Float", x.elements, ("94022", 2, 4))
    views = {
        "whole": tensor(x, 0, (4, 3), (3, 1)),
        "transposed": tensor(x, 0, (3, 4), (1, 3)),
        "rows": tensor(x, 3, (2, 3), (3, 1)),
        "every other": tensor(x, 1, (2, 2), (6, 1)),
        "scalar": tensor(x, 7, (), ()),
        "empty": tensor(x, 0, (0, 3), (3, 1)),
        "parameter": Reduced(PARAMETER, tensor(x, 0, (4, 3), (3, 1)), True, collections.OrderedDict()),
        "subclass": Reduced(FROM_TYPE, REBUILD, TENSOR, (x, 0, (4, 3), (3, 1), False, collections.OrderedDict()), {"tag": 1}),
        "of a part": tensor(part, 1, (2,), (1,)),
        "negative": tensor(x, 1, (2, 2), (6, 1), {"neg": True}),
    }
    kinds = {
        kind: tensor(Storage(f"8{number}", kind, [True, False, True] if kind == "Bool" else [-1 % 256 if kind == "Byte" else -1, 2, 3]), 0, (3,), (1,))
        for number, kind in enumerate(FORMATS)
    }
    beside = {
        "milestones": collections.Counter({30: 1, 80: 1}),
        "device": Reduced(DEVICE, "cuda", 0),
        "size": Reduced(SIZE, (2, 3)),
        "names": {"a", "b"},
        "bytes": b"\0\xff",
        "rate": 0.1,
        "long": 1 << 70,
        "args": argparse.Namespace(lr=0.1, weights=tensor(x, 0, (4, 3), (3, 1))),
        "quantized": Reduced(QUANTIZED, Storage("99", "QInt8", [1, 2]), 0, (2,), (1,)),
    }
    save(folder / "legacy.pt", collections.OrderedDict(views=views, kinds=kinds, **beside))
    save(folder / "legacy_protocol_4.pt", {"x": views["rows"]}, 4)


main(Path(sys.argv[1]))
