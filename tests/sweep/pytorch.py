"""What PyTorch computes for every operation of the list: writes pytorch.json.gz.

    python tests/sweep/pytorch.py      # needs torch and numpy

A case is an operation with attributes and operands: `x` floats, `i` integers, `m` masks. PyTorch's results are
`y`, the gradients of the float operands `g` and the second gradients `h`: the gradients of the sum of all `g`.
Results and first gradients are weighted by `weight`, so that no two elements have the same incoming gradient.
Everything is computed in float64. `max`, `min` and `sub` among the operands stand for the largest, the smallest
normal and the smallest subnormal number, so that the tests can compute a case in other element types as well.
"""

import gzip
import json
import math
import warnings
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

warnings.simplefilter("ignore")
torch.set_default_dtype(torch.float64)
NUMBERS = {"max": torch.finfo().max, "min": torch.finfo().tiny, "sub": 5e-324}
NUMBERS |= {f"-{name}": -number for name, number in NUMBERS.items()}
EXTREME = [math.nan, math.inf, -math.inf, 0.0, -0.0, "max", "-max", "min", "-min", "sub", "-sub"]
SPECIAL = EXTREME + [1.0, -1.0, 0.5, -2.0, 3.75, -0.25]
CASES = []


def weight(count, step):
    return torch.tensor([0.5 + (k * step) % 11 * 0.25 for k in range(count)])


def ordinary(*shape, start=0):
    """Numbers that differ, without ties, of both signs."""
    count = math.prod(shape)
    return shape, [round(((k + start) * 37 % 101 - 50) / 16 + 0.01, 4) for k in range(count)]


def written(value):
    if isinstance(value, (bool, int)):
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        # Twelve digits round the largest number to more than it.
        return value if abs(value) > 1e308 else float(f"{value:.12g}")
    return value if isinstance(value, str) else str(value)


def stored(tensor):
    if tensor._is_zerotensor():
        tensor = torch.zeros(tensor.shape)
    return {"s": list(tensor.shape), "v": [written(x) for x in tensor.detach().flatten().tolist()]}


def case(op, compute, x=(), i=(), m=(), **attrs):
    """Computes a case by `compute`, which takes all operands; x are pairs of a shape and a list."""
    floats = [torch.tensor([NUMBERS.get(v, v) if isinstance(v, str) else v for v in values], dtype=torch.float64)
              .reshape(shape).requires_grad_() for shape, values in x]
    integers = [torch.tensor(values, dtype=torch.int64).reshape(shape) for shape, values in i]
    masks = [torch.tensor(values, dtype=torch.bool).reshape(shape) for shape, values in m]
    results = compute(*floats, *integers, *masks)
    results = list(results) if isinstance(results, (tuple, list)) else [results]
    g = h = None
    ys = [y for y in results if y.requires_grad]
    if ys:
        weights = [weight(y.numel(), 7).reshape(y.shape) for y in ys]
        g = torch.autograd.grad(ys, floats, weights, create_graph=True, allow_unused=True, materialize_grads=True)
        gs = [of for of in g if of.requires_grad]
        try:
            h = [torch.zeros_like(of) for of in floats]
            if gs:
                weights = [weight(of.numel(), 5).reshape(of.shape) for of in gs]
                h = torch.autograd.grad(gs, floats, weights, allow_unused=True, materialize_grads=True)
        except (RuntimeError, NotImplementedError) as error:
            print(f"{op}: no second gradient: {str(error).splitlines()[0]}")
            h = None
    CASES.append({
        "op": op, "a": attrs,
        "x": [{"s": list(s), "v": [written(v) for v in vs]} for s, vs in x],
        "i": [stored(t) for t in integers], "m": [stored(t) for t in masks],
        "y": [stored(y) for y in results],
        "g": g and [stored(of)["v"] for of in g], "h": h and [stored(of)["v"] for of in h],
    })


def distinct(rows):
    """Rows without equal elements, whose order is open, and without infinities, between which PyTorch's is NaN."""
    value = lambda x: NUMBERS.get(x, x) if isinstance(x, str) else x
    rows = [row for row in rows if len({value(x) for x in row}) == 4 and not any(math.isinf(value(x)) for x in row)]
    return (len(rows), 4), sum(rows, [])


def vector(values):
    return (len(values),), list(values)


UNARY = {
    "abs": torch.abs, "sign": torch.sign, "square": torch.square, "is_nan": torch.isnan, "is_finite": torch.isfinite,
    "neg": torch.neg, "exp": torch.exp, "exp_m1": torch.expm1, "ln": torch.log, "ln_1p": torch.log1p,
    "exp2": torch.exp2, "log2": torch.log2, "log10": torch.log10, "sqrt": torch.sqrt, "rsqrt": torch.rsqrt,
    "reciprocal": torch.reciprocal, "sin": torch.sin, "cos": torch.cos, "tan": torch.tan, "asin": torch.asin,
    "acos": torch.acos, "atan": torch.atan, "sinh": torch.sinh, "cosh": torch.cosh, "tanh": torch.tanh,
    "asinh": torch.asinh, "acosh": torch.acosh, "atanh": torch.atanh, "erf": torch.erf, "sigmoid": torch.sigmoid,
    "relu": torch.relu, "gelu": F.gelu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"), "silu": F.silu,
    "softplus": lambda x: torch.logaddexp(x, torch.zeros(())), "floor": torch.floor, "ceil": torch.ceil,
    "round": torch.round, "trunc": torch.trunc,
}
BINARY = {
    "equal": torch.eq, "not_equal": torch.ne, "less": torch.lt, "less_equal": torch.le, "greater": torch.gt,
    "greater_equal": torch.ge, "add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div,
    "rem": torch.fmod, "floor_divide": lambda x, y: torch.floor_divide(x.detach(), y.detach()), "remainder": torch.remainder,
    "minimum": torch.minimum, "maximum": torch.maximum, "pow": torch.pow, "atan2": torch.atan2,
    "hypot": torch.hypot, "logaddexp": torch.logaddexp,
}


def elementwise():
    points = SPECIAL + [1e-8, -1e-8, 2.5, 20.0, -20.0, 100.0, -100.0, 800.0, -800.0, 1e-30, 1e30, -1e30]
    for op, f in UNARY.items():
        case(op, f, [vector(points)])
        case(op, f, [((2, 0), [])])
        case(op, f, [((), [0.75])])
    for power in [-3, -2, -1, 0, 1, 2, 3, 5]:
        case("powi", lambda x: torch.pow(x, power), [vector(points)], power=power)
    case("cast", lambda x: x.to(torch.float32).to(torch.float64), [vector(points)])
    few = [math.nan, math.inf, -math.inf, 0.0, -0.0, "max", "-max", "min", "-sub", 1.0, -1.0, 0.5, -2.0, 3.75]
    pairs = [(a, b) for a in few for b in few]
    for op, f in BINARY.items():
        case(op, f, [vector([a for a, _ in pairs]), vector([b for _, b in pairs])])
        case(op, f, [((2, 1), [1.5, -2.5]), ((3,), [0.5, 2.25, -3.0])])
        case(op, f, [((0, 1), []), ((3,), [0.5, 2.0, -3.0])])
        case(op, f, [((1,), [2.0]), ((2, 0), [])])
    limits = [(math.nan, 1.0), (-1.0, math.nan), (-1.0, 2.0), (-math.inf, math.inf), (0.0, 0.0), (2.0, -1.0)]
    triples = [(a, low, high) for a in few for low, high in limits]
    case("clamp", torch.clamp, [vector(of) for of in zip(*triples)])
    case("clamp", torch.clamp, [((2, 0), []), ((), [0.0]), ((1,), [1.0])])
    case("select", lambda x, y, m: torch.where(m, x, y),
         [vector([a for a, _ in pairs]), vector([b for _, b in pairs])], m=[vector([k % 3 > 0 for k in range(len(pairs))])])
    case("select", lambda x, y, m: torch.where(m, x, y), [((0, 1), []), ((2,), [1.0, 2.0])], m=[((1, 1), [True])])


def integers():
    a, b = vector([0, 1, -1, 5, 2**63 - 1, -2**63, 255, -7]), vector([3, 6, 2, 0, 1, 5, 7, 1])
    case("not", torch.bitwise_not, i=[a])
    for op, f in {"bitand": torch.bitwise_and, "bitor": torch.bitwise_or, "bitxor": torch.bitwise_xor,
                  "shl": torch.bitwise_left_shift, "shr": torch.bitwise_right_shift}.items():
        case(op, f, i=[a, b])
        case(op, f, i=[((2, 0), []), ((1,), [1])])
    case("one_hot", lambda i: F.one_hot(i, 3), i=[((2, 2), [0, 2, 1, 1])], depth=3)
    case("one_hot", lambda i: torch.zeros(2, 0, 3), i=[((2, 0), [])], depth=3)
    case("bincount", lambda i: torch.bincount(i, minlength=4), i=[vector([3, 0, 3, 1])], bins=4)
    case("bincount", lambda i: torch.bincount(i, minlength=4), i=[((0,), [])], bins=4)


def lanes():
    """Rows of four in which a special number meets others, itself and its opposite."""
    opposite = lambda s: (s[1:] if s[0] == "-" else f"-{s}") if isinstance(s, str) else -s
    rows = [row for s in EXTREME for row in ([s, 1.0, -2.0, 0.5], [3.0, s, s, -1.0], [opposite(s), 0.25, 1.5, s], [s] * 4)]
    rows += [[0.0, 0.0, 2.0, -3.0], [2.0, 0.0, 5.0, -3.0], [1.5, 1.5, 1.5, 1.5], [2.0, -1.0, 2.0, -1.0],
             [100.0, 0.0, -100.0, 50.0], [800.0, -800.0, 0.0, 1.0], [1e30, 1e-30, 1.0, -1e30]]
    return rows


def quantile(x, q, how="linear", **d):
    # PyTorch refuses a tensor without elements.
    return torch.quantile(x, q, interpolation=how, **d) if x.numel() else torch.mean(x, **d)


REDUCTIONS = {
    "sum": torch.sum, "prod": torch.prod, "mean": torch.mean, "max": torch.amax, "min": torch.amin,
    "argmax": torch.argmax, "argmin": torch.argmin, "count_nonzero": torch.count_nonzero,
    "norm_l1": lambda x, **d: torch.linalg.vector_norm(x, 1, **d), "norm": lambda x, **d: torch.linalg.vector_norm(x, 2, **d),
    "norm_max": lambda x, **d: torch.linalg.vector_norm(x, math.inf, **d),
    "var": lambda x, **d: torch.var(x, correction=0, **d), "std": lambda x, **d: torch.std(x, correction=0, **d),
    "logsumexp": lambda x, dim=None: torch.logsumexp(x, list(range(x.dim())) if dim is None else dim),
    "median": lambda x, **d: quantile(x, 0.5, **d),
}
ALONG = {
    "cumsum": torch.cumsum, "cumprod": torch.cumprod, "logcumsumexp": torch.logcumsumexp, "softmax": torch.softmax,
    "cummax": lambda x, dim: torch.cummax(x, dim)[0], "cummin": lambda x, dim: torch.cummin(x, dim)[0],
    "log_softmax": torch.log_softmax,
    "standardize": lambda x, dim: (x - x.mean(dim, keepdim=True)) / x.var(dim, correction=0, keepdim=True).sqrt(),
    "layer_norm": lambda x, dim: F.layer_norm(x.movedim(dim, -1), x.shape[dim:][:1], eps=1e-5).movedim(-1, dim),
    "rms_norm": lambda x, dim: x * (x.square().mean(dim, keepdim=True) + 1e-5).rsqrt(),
    "diff": lambda x, dim: torch.diff(x, dim=dim),
    "sort": lambda x, dim: list(torch.sort(x, dim=dim, stable=True)),
    "sort_descending": lambda x, dim: list(torch.sort(x, dim=dim, descending=True, stable=True)),
    "flip": lambda x, dim: x.flip(dim),
}


def reductions():
    rows = lanes()
    all_rows = (len(rows), 4), sum(rows, [])
    for op, f in REDUCTIONS.items():
        case(op, lambda x: f(x, dim=-1), [distinct(rows) if op == "median" else all_rows], axis=-1)
        case(op, lambda x: f(x, dim=1), [ordinary(2, 3, 4)], axis=1)
        case(op, lambda x: f(x), [ordinary(3, 4)])
        case(op, lambda x: f(x), [((1, 1), [-2.5])])
        case(op, lambda x: f(x, dim=0), [((3, 0, 17), [])], axis=0)
        if op not in ("max", "min", "argmax", "argmin", "norm_max", "median"):
            case(op, lambda x: f(x, dim=1), [((2, 0, 3), [])], axis=1)
            case(op, lambda x: f(x), [((0,), [])])
    for correction in [1, 3, 4, 9]:
        case("var", lambda x: torch.var(x, correction=correction), [ordinary(4)], correction=correction)
        case("std", lambda x: torch.std(x, -1, correction=correction), [ordinary(2, 4)], axis=-1, correction=correction)
    for op, f in ALONG.items():
        case(op, lambda x: f(x, -1), [all_rows], axis=-1)
        case(op, lambda x: f(x, 1), [ordinary(2, 3, 4)], axis=1)
        case(op, lambda x: f(x, 0), [((1, 2), [0.5, -3.0])], axis=0)
        case(op, lambda x: f(x, 0), [((3, 0, 17), [])], axis=0)
        if op not in ("diff", "layer_norm"):
            case(op, lambda x: f(x, 1), [((2, 0, 3), [])], axis=1)
    exclusive = lambda x: F.pad(x.cumsum(-1)[..., :-1], (1, 0))
    case("cumsum_exclusive", exclusive, [all_rows], axis=-1)
    case("cumsum_reverse", lambda x: x.flip(-1).cumsum(-1).flip(-1), [all_rows], axis=-1)
    case("cumsum_exclusive_reverse", lambda x: exclusive(x.flip(-1)).flip(-1), [all_rows], axis=-1)
    for q in [0.0, 0.3, 0.5, 1.0]:
        for how in ["linear", "lower", "higher", "nearest", "midpoint"]:
            f = lambda x, **d: quantile(x, q, how, **d)
            case("quantile", lambda x: f(x, dim=-1), [distinct(rows)], axis=-1, q=q, how=how)
            case("quantile", f, [ordinary(7)], q=q, how=how)
            case("quantile", lambda x: f(x, dim=1), [((0, 4), [])], axis=1, q=q, how=how)
    for k in [0, 1, 3]:
        case("kthvalue", lambda x: list(torch.kthvalue(x, k + 1, -1)), [ordinary(3, 4)], axis=-1, k=k)
        case("topk", lambda x: list(torch.topk(x, k, -1)), [ordinary(3, 4)], axis=-1, k=k)
        case("topk_smallest", lambda x: list(torch.topk(x, k, 0, largest=False)), [ordinary(3, 4)], axis=0, k=k)
    masks = [((2, 3), [True, False, True, True, True, True]), ((2, 0), []), ((1, 1), [False])]
    for op, f in {"all": torch.all, "any": torch.any}.items():
        for mask in masks:
            case(op, lambda m: f(m), m=[mask])
            case(op, lambda m: f(m, dim=-1), m=[mask], axis=-1)


def products():
    special = [[math.inf, 1.0, -2.0], [0.0, math.nan, 1.0], ["max", 2.0, 0.5], ["min", "sub", -0.0], [-math.inf, 0.0, 1.0]]
    rows = (5, 3), sum(special, [])
    zeros = [[0.0, 1.0, 2.0], [-1.0, 0.0, 0.0], [3.0, 0.5, 0.0], [0.0, 2.0, -3.0], [1.0, 1.0, 1.0]]
    columns = (3, 5), [zeros[k][j] for j in range(3) for k in range(5)]
    case("matmul", torch.matmul, [rows, columns])
    shapes = [((2, 3), (3, 4)), ((2, 0), (0, 3)), ((0, 3), (3, 2)), ((1, 1), (1, 1)), ((2, 1, 3, 2), (4, 2, 3)),
              ((0, 2, 3), (3, 1)), ((5, 17), (17, 18))]
    for a, b in shapes:
        case("matmul", torch.matmul, [ordinary(*a), ordinary(*b, start=9)])
        dot = lambda x, y: torch.tensordot(x, y, ([-1], [-2]))
        if len(b) == 2:
            case("dot", dot, [ordinary(*a), ordinary(*b, start=9)])
    case("dot", torch.dot, [vector(sum(special, [])), vector(sum(zeros, []))])
    case("dot", torch.dot, [((0,), []), ((0,), [])])
    case("outer", torch.outer, [vector(SPECIAL[:8]), vector(SPECIAL[6:])])
    case("outer", torch.outer, [((0,), []), vector([1.0, 2.0])])
    case("tensordot", lambda x, y: torch.tensordot(x, y, ([1, 2], [1, 0])), [ordinary(2, 3, 4), ordinary(4, 3, 2)],
         left=[1, 2], right=[1, 0])
    case("tensordot", lambda x, y: torch.tensordot(x, y, ([0], [1])), [ordinary(0, 3), ordinary(2, 0)], left=[0], right=[1])
    case("tensordot", lambda x, y: torch.tensordot(x, y, ([], [])), [ordinary(2), ordinary(3)], left=[], right=[])
    for equation, *shapes in [
        ("ij,jk->ik", (2, 3), (3, 4)), ("ii->i", (3, 3)), ("ii", (3, 3)), ("ij->ji", (2, 3)), ("ij->", (2, 3)),
        ("i,j->ij", (2,), (3,)), ("...ij->...ji", (2, 3)), ("...ij->...ji", (2, 2, 3)), ("ij,ij->", (2, 3), (2, 3)),
        ("bij,bjk->bik", (2, 2, 3), (2, 3, 2)), ("ij,jk,kl->il", (2, 3), (3, 4), (4, 2)), ("ii,i->i", (3, 3), (3,)),
        ("ij,jk->ik", (0, 3), (3, 2)), ("ij,jk->ik", (2, 0), (0, 2)), ("i...,i...->...", (3, 2), (3, 2)),
        ("iji->j", (2, 3, 2)), ("i,i,i->i", (3,), (3,), (3,)), ("abc,cd->abd", (2, 1, 3), (3, 0)), (",i->i", (), (3,)),
    ]:
        case("einsum", lambda *x: torch.einsum(equation, *x), [ordinary(*s, start=5 * k) for k, s in enumerate(shapes)],
             equation=equation)
    case("einsum", lambda x, y: torch.einsum("ij,jk->ik", x, y), [rows, columns], equation="ij,jk->ik")


def moves():
    shapes = [(3, 4), (2, 3, 4), (3, 0), (0, 3), (1, 1), (2, 1, 18), (3, 0, 17)]
    for shape in shapes:
        x = ordinary(*shape)
        n = shape[-1]
        case("slice_axis", lambda x: x[1:] if shape[0] else x[0:], [x], axis=0, start=min(1, shape[0]))
        case("slice", lambda x: x[:, max(n - 2, 0):].flip(0) if len(shape) == 2 else x[..., max(n - 2, 0):], [x], start=max(n - 2, 0),
             flip=len(shape) == 2) if len(shape) == 2 else None
        case("slice_axis_step", lambda x: x[..., ::2].flip(-1) if n % 2 else x[..., 1::2].flip(-1), [x], axis=-1, step=-2)
        if shape[0]:
            case("index", lambda x: x[-1], [x], axis=0, index=shape[0] - 1)
        case("iter_axis", lambda x: list(x.unbind(0)), [x], axis=0)
        if n:
            case("chunks_axis", lambda x: list(x.split(3, -1)), [x], axis=-1, count=3)
        case("split", lambda x: list(x.split([n // 2, n - n // 2], -1)), [x], axis=-1, sizes=[n // 2, n - n // 2])
        case("chunk", lambda x: list(x.split(max(n, 1), -1)), [x], axis=-1, count=1)
        case("swap_axes", lambda x: x.swapaxes(0, -1) * 1, [x], first=0, second=-1)
        case("move_axis", lambda x: x.movedim(0, -1) * 1, [x], **{"from": 0, "to": -1})
        for offset in [0, 1, -1, 30]:
            case("diagonal", lambda x: x.diagonal(offset, 0, -1) if offset < 30 else x.diagonal(0, 0, -1)[..., :0],
                 [x], offset=offset, first=0, second=-1)
        for window in [1, 2]:
            if n >= window:
                case("windows", lambda x: x.unfold(-1, window, 1), [x], axis=-1, window=window)
        if len(shape) == 2:
            case("rearrange", lambda x: x.T.reshape(n, 1, shape[0]), [x], pattern="a b -> b 1 a")
        for k in [-1, 0, 1, 2**40]:
            k_ = max(min(k, 100), -100)
            case("tril", lambda x: x.tril(k_), [x], k=k)
            case("triu", lambda x: x.triu(k_), [x], k=k)
        case("diag_embed", lambda x: torch.diag_embed(x), [x])
        case("trace", lambda x: x.diagonal(0, -2, -1).sum(-1), [x])
        for shift in [1, -2, 40]:
            case("roll", lambda x: x.roll(shift, -1), [x], axis=-1, shift=shift)
        for count in [0, 1, 3]:
            case("repeat", lambda x: x.repeat_interleave(count, -1), [x], axis=-1, count=count)
            case("repeat", lambda x: x.repeat_interleave(count, 0), [x], axis=0, count=count)
            case("tile", lambda x: x.repeat(*[count] * len(shape)), [x], counts=[count] * len(shape))
        each = [k % 3 for k in range(n)]
        case("repeat_each", lambda x: x.repeat_interleave(torch.tensor(each, dtype=torch.int64), -1), [x], axis=-1, counts=each)
        other = ordinary(*shape, start=50)
        for op in ["concat", "concat_all", "concat_tuple"]:
            case(op, lambda x, y: torch.cat([x, y], -1), [x, other], axis=-1)
            case(op, lambda x, y: torch.cat([x, y], 0), [x, other], axis=0)
        case("stack", lambda x, y: torch.stack([x, y], 1), [x, other], axis=1)
        row = ordinary(*shape[1:], start=20)
        case("assign_slice", lambda x, y: torch.cat([x[:1], y.expand(x[1:].shape)]), [x, row], start=1) if shape[0] else None
        for before, after in [(1, 2), (0, 1), (-1, 1)]:
            if before + n + after >= 0 and (n > 0 or before >= 0):
                case("pad", lambda x: F.pad(x, (before, after), value=0.25), [x], mode="constant", before=before, after=after)
                case("pad", lambda x: F.pad(x, [0, 0] * (len(shape) - 1) + [before, after], value=0.25) if shape[0] + before >= 0 else None,
                     [x], mode="constant", before=before, after=after, axis=0) if shape[0] else None
        for mode in ["edge", "reflect", "symmetric", "wrap"]:
            if n > 2:
                for before, after in [(1, 2), (0, 2 * n + 1)]:
                    index = torch.tensor(np.pad(np.arange(n), (before, after), mode=mode))
                    case("pad", lambda x: x.index_select(-1, index), [x], mode=mode, before=before, after=after)
    for a, b in [((3,), (2,)), ((0,), (2,)), ((1,), (1,))]:
        case("meshgrid", lambda x, y: list(torch.meshgrid(x, y, indexing="ij")), [ordinary(*a), ordinary(*b)])


def empty_axes():
    """An axis of size 0 at each place beside long ones, and results that get elements along it."""
    for shape in [(0, 17), (17, 0), (0, 2, 17), (3, 0, 17), (3, 17, 0), (1, 17, 18), (18, 1, 17), (0, 0, 17)]:
        x = ordinary(*shape)
        for axis, size in enumerate(shape):
            if size > 1:
                continue
            more = ordinary(*shape[:axis], 2, *shape[axis + 1:])
            for op in ["concat", "concat_all"]:
                case(op, lambda x, y: torch.cat([x, y], axis), [x, more], axis=axis)
                case(op, lambda x, y: torch.cat([x, y], axis), [more, x], axis=axis)
            after = len(shape) - 1 - axis
            for before, behind in [(0, 1), (2, 0), (1, 18)]:
                amounts = [0, 0] * after + [before, behind]
                case("pad", lambda x: F.pad(x, amounts, value=0.25), [x], mode="constant", before=before, after=behind, axis=axis)
            case("stack", lambda x, y: torch.stack([x, y], axis), [x, x], axis=axis)
            case("windows", lambda x: x.unfold(axis, size, 1) if size else torch.zeros(*shape[:axis], 1, *shape[axis + 1:], 0), [x], axis=axis, window=size)
            case("cumsum_exclusive", lambda x: x * 0, [x], axis=axis)
            for op in ["cumsum", "cumprod", "cummax", "logcumsumexp", "softmax", "log_softmax", "sort", "flip"] if size == 0 else []:
                case(op, lambda x: ALONG[op](x, axis), [x], axis=axis)
            for op in ["sum", "prod", "mean", "norm", "var", "std", "norm_l1"] if size == 0 else ["sum"]:
                case(op, lambda x: REDUCTIONS[op](x, dim=axis), [x], axis=axis)
            if size:
                case("diff", lambda x: torch.diff(x, dim=axis), [x], axis=axis)
            case("roll", lambda x: x.roll(3, axis), [x], axis=axis, shift=3)
            case("repeat", lambda x: x.repeat_interleave(3, axis), [x], axis=axis, count=3)
            case("take", lambda x, i: x.index_select(axis, i), [x], [((0,), [])], axis=axis)
            case("index_add", lambda x, y, i: x.index_add(axis, i, y), [x, ordinary(*shape[:axis], 0, *shape[axis + 1:])], [((0,), [])], axis=axis)
            case("matmul", lambda x, y: x @ y, [x, ordinary(shape[-1], 17)])
            case("matmul", lambda y, x: y @ x, [ordinary(18, shape[-2]), x])
        case("tile", lambda x: x.repeat(*[2] * len(shape)), [x], counts=[2] * len(shape))
        case("tril", lambda x: x.tril(1), [x], k=1)
        case("diag_embed", lambda x: torch.diag_embed(x), [x])
        case("add", lambda x, y: x + y, [x, ordinary(*shape[1:])])
        case("swap_axes", lambda x: x.swapaxes(0, -1) * 1, [x], first=0, second=-1)


def indexing():
    for shape in [(3, 4), (3, 4, 2), (1, 1), (3, 0), (2, 18)]:
        n, count = shape[0], math.prod(shape[1:])
        x = ordinary(*shape)
        places = [(k * 2) % n for k in range(4)]
        case("take", lambda x, i: x[i], [x], [((2, 2), places)], axis=0)
        case("take", lambda x, i: x[i], [x], [((0,), [])], axis=0)
        if len(shape) == 2:
            case("embedding", lambda x, i: F.embedding(i, x), [x], [((4,), places)])
        along = (4, *shape[1:]), [(k * 5 + k // 3) % n for k in range(4 * count)]
        case("take_along_axis", lambda x, i: x.gather(0, i), [x], [along], axis=0)
        values = ordinary(4, *shape[1:], start=30)
        unique = (n, *shape[1:]), [(k // max(count, 1) + k) % n if count == 1 else n - 1 - k // max(count, 1) for k in range(n * count)]
        case("scatter", lambda x, y, i: x.scatter(0, i, y), [x, ordinary(*shape, start=30)], [unique], axis=0)
        case("scatter_add", lambda x, y, i: x.scatter_add(0, i, y), [x, values], [along], axis=0)
        for op, how in {"mul": "prod", "max": "amax", "min": "amin"}.items():
            case(f"scatter_{op}", lambda x, y, i: x.scatter_reduce(0, i, y, how), [x, values], [along], axis=0)
        case("index_add", lambda x, y, i: x.index_add(0, i, y), [x, values], [((4,), places)], axis=0)
        case("index_copy", lambda x, y, i: x.index_copy(0, i, y), [x, ordinary(1, *shape[1:], start=30)], [((1,), [n - 1])], axis=0)
    numbers = [math.inf, -math.inf, math.nan, 0.0, 1.0, "max"]
    updates = [1.0, 2.0, math.nan, 0.0, 0.0, math.inf, -math.inf, math.inf]
    places = [0, 1, 3, 3, 4, 5, 5, 2]
    for op, f in {"scatter_add": lambda x, y, i: x.scatter_add(0, i, y), "index_add": lambda x, y, i: x.index_add(0, i, y),
                  "scatter_mul": lambda x, y, i: x.scatter_reduce(0, i, y, "prod"),
                  "scatter_max": lambda x, y, i: x.scatter_reduce(0, i, y, "amax"),
                  "scatter_min": lambda x, y, i: x.scatter_reduce(0, i, y, "amin")}.items():
        case(op, f, [vector(numbers), vector(updates)], [vector(places)], axis=0)
    case("scatter_max", lambda x, y, i: x.scatter_reduce(0, i, y, "amax"), [vector([1.0, 2.0]), vector([1.0, 2.0, 2.0, 3.0])],
         [vector([0, 1, 1, 0])], axis=0)
    case("scatter_mul", lambda x, y, i: x.scatter_reduce(0, i, y, "prod"), [vector([0.0, 2.0, 0.0]), vector([3.0, 0.0, 2.0, 0.0, 0.0])],
         [vector([0, 1, 1, 1, 2])], axis=0)


def sets():
    values = [2.0, 1.0, 2.0, -3.0, 1.0, 0.5]
    for x in [vector(values), ((2, 3), values), ((2, 0), []), ((1, 1), [4.0])]:
        case("unique", lambda x: torch.unique(x.detach()), [x])
        case("unique_counts", lambda x: list(torch.unique(x.detach(), return_counts=True)), [x])
        case("unique_inverse", lambda x: list(torch.unique(x.detach(), return_inverse=True)), [x])
        case("isin", lambda x, y: torch.isin(x.detach(), y.detach()), [x, vector([1.0, -3.0])])
        case("searchsorted", lambda y, x: torch.searchsorted(y.detach(), x.detach()), [vector([-1.0, 1.0, 1.0, 2.0]), x])
        case("searchsorted_right", lambda y, x: torch.searchsorted(y.detach(), x.detach(), right=True), [vector([-1.0, 1.0, 1.0, 2.0]), x])
        case("nonzero", lambda x: torch.argwhere(x.detach()), [x])
        case("flatnonzero", lambda x: torch.argwhere(x.detach().flatten()).flatten(), [x])
        shape, count = x[0], len(x[1])
        case("masked_select", lambda x, m: torch.masked_select(x, m), [x], m=[(shape, [k % 2 == 0 for k in range(count)])])
        case("compress", lambda x, m: x[m], [x], m=[((shape[0],), [k % 2 == 0 for k in range(shape[0])])], axis=0)
        case("argsort", lambda x: torch.argsort(x.detach(), dim=-1, stable=True), [x], axis=-1)
        case("argsort_descending", lambda x: torch.argsort(x.detach(), dim=-1, descending=True, stable=True), [x], axis=-1)
        case("histogram", lambda x: torch.histc(x.detach(), 4, -3.0, 2.0).to(torch.int64), [x], bins=4, low=-3.0, high=2.0)
    rows = (4, 2), [1.0, 2.0, 0.0, 5.0, 1.0, 2.0, 0.0, -5.0]
    case("unique_axis", lambda x: torch.unique(x.detach(), dim=0), [rows], axis=0)
    case("searchsorted", lambda y, x: torch.searchsorted(y.detach(), x.detach()), [((0,), []), vector([1.0])])
    case("masked_select", lambda x, m: torch.masked_select(x, m), [vector(EXTREME)], m=[vector([True] * len(EXTREME))])


def windows():
    def special(*shape):
        values = ordinary(*shape)[1]
        for place, value in zip(range(1, len(values), 5), [math.nan, math.inf, -math.inf, 0.0]):
            values[place] = value
        return shape, values

    lists = lambda value, d: [value] * d
    for d in [1, 2, 3]:
        conv = [F.conv1d, F.conv2d, F.conv3d][d - 1]
        transposed = [F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d][d - 1]
        size = [7, 5, 3][d - 1]
        for stride, padding, dilation, groups in [(1, 0, 1, 1), (2, 1, 1, 1), (1, 1, 2, 2), (3, 2, 1, 1)]:
            if d == 3 and dilation == 2:
                continue
            options = dict(stride=stride, padding=padding, dilation=dilation, groups=groups)
            for make in [ordinary, special] if d < 3 else [ordinary]:
                x, w = make(1, 2, *lists(size, d)), ordinary(2, 2 // groups, *lists(2, d), start=11)
                case(f"conv{d}d", lambda x, w: conv(x, w, **options), [x, w], **options)
                w = ordinary(2, 2 // groups, *lists(2, d), start=11)
                case(f"conv_transpose{d}d", lambda x, w: transposed(x, w, **options), [x, w], **options)
        x, w = ordinary(0, 2, *lists(size, d)), ordinary(2, 2, *lists(2, d))
        plain = dict(stride=1, padding=0, dilation=1, groups=1)
        case(f"conv{d}d", lambda x, w: conv(x, w), [x, w], **plain)
        case(f"conv_transpose{d}d", lambda x, w: transposed(x, w), [x, w], **plain)
        maximum, mean = [F.max_pool1d, F.max_pool2d, F.max_pool3d][d - 1], [F.avg_pool1d, F.avg_pool2d, F.avg_pool3d][d - 1]
        for window, stride, padding, ceil in [(2, 2, 0, False), (3, 2, 1, False), (2, 1, 1, True), (1, 1, 0, False), (3, 2, 1, True)]:
            options = dict(window=window, stride=stride, padding=padding, ceil=ceil)
            for make in [ordinary, special] if d < 3 else [ordinary]:
                x = make(1, 2, *lists(size, d))
                case(f"max_pool{d}d", lambda x: maximum(x, window, stride, padding, ceil_mode=ceil), [x], **options)
                for counted in [True, False]:
                    case(f"avg_pool{d}d", lambda x: mean(x, window, stride, padding, ceil_mode=ceil, count_include_pad=counted), [x], counted=counted, **options)
        adaptive = [F.adaptive_avg_pool1d, F.adaptive_avg_pool2d, F.adaptive_avg_pool3d][d - 1]
        for to in [1, 2, 3]:
            case("adaptive_avg_pool", lambda x: adaptive(x, lists(to, d)), [ordinary(1, 2, *lists(size, d))], sizes=lists(to, d))
        for to in [1, 3, 9]:
            linear = ["linear", "bilinear", "trilinear"][d - 1]
            for how, more in {"nearest": {}, linear: {"align_corners": False}, linear + " corners": {"align_corners": True}}.items():
                case("interpolate", lambda x: F.interpolate(x, lists(to, d), mode=how.split()[0], **more),
                     [ordinary(1, 1, *lists(size, d))], sizes=lists(to, d), how="nearest" if how == "nearest" else "corners" if "corners" in how else "linear")
    for make in [ordinary, special]:
        x = make(2, 4, 3)
        case("group_norm", lambda x: F.group_norm(x, 2, eps=1e-3), [x], axis=1, groups=2, epsilon=1e-3)
        case("instance_norm", lambda x: F.instance_norm(x, eps=1e-3), [x], axis=1, epsilon=1e-3)
        mean, variance = ordinary(4, start=3), ((4,), [0.5, 1.0, 0.0, 4.0])
        normalised = lambda x, m, v: (x - m[:, None]) * (v[:, None] + 1e-3).rsqrt()
        case("batch_norm", normalised, [x, mean, variance], axis=1, epsilon=1e-3)
        case("batch_norm_training", lambda x: F.batch_norm(x, None, None, training=True, eps=1e-3), [x], axis=1, epsilon=1e-3)
    case("group_norm", lambda x: x * 1, [((2, 4, 0), [])], axis=1, groups=2, epsilon=1e-3)
    case("instance_norm", lambda x: x * 1, [((0, 4, 2), [])], axis=1, epsilon=1e-3)


elementwise()
integers()
reductions()
products()
moves()
empty_axes()
indexing()
sets()
windows()
lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in CASES)
path = Path(__file__).parent / "pytorch.json.gz"
path.write_bytes(gzip.compress(f"[\n{lines}\n]\n".encode(), 9, mtime=0))
print(f"{len(CASES)} cases, {len(lines) // 1000} kB, {path.stat().st_size // 1000} kB compressed")
