"""Steps of PyTorch's optimisers, for `tests/optimizers.rs`: `python optimizers.py > optimizers.json`.

Each case has parameters, the gradients of some steps, and the parameters after each step, in the type of
elements that it names. Lion, which PyTorch does not have, follows program 2 of arXiv:2302.06675 in
tensors of PyTorch.
"""

import json
import sys

import torch


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, {"lr": lr, "betas": betas, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for x in group["params"]:
                m = self.state[x].setdefault("exp_avg", torch.zeros_like(x))
                update = torch.sign(beta1 * m + (1 - beta1) * x.grad)
                x.mul_(1 - group["lr"] * group["weight_decay"])
                x.sub_(group["lr"] * update)
                m.copy_(beta2 * m + (1 - beta2) * x.grad)


CASES = [
    ("sgd", torch.optim.SGD, {"lr": 0.1}),
    ("sgd", torch.optim.SGD, {"lr": 0.1, "weight_decay": 0.3}),
    ("sgd", torch.optim.SGD, {"lr": 0.1, "momentum": 0.9}),
    ("sgd", torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "dampening": 0.25, "weight_decay": 0.1}),
    ("sgd", torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1}),
    ("adam", torch.optim.Adam, {"lr": 0.05}),
    ("adam", torch.optim.Adam, {"lr": 0.05, "betas": [0.8, 0.9], "eps": 1e-3, "weight_decay": 0.2}),
    ("adamw", torch.optim.AdamW, {"lr": 0.05}),
    ("adamw", torch.optim.AdamW, {"lr": 0.05, "betas": [0.8, 0.9], "eps": 1e-3, "weight_decay": 0.5}),
    ("rmsprop", torch.optim.RMSprop, {"lr": 0.02}),
    ("rmsprop", torch.optim.RMSprop, {"lr": 0.02, "alpha": 0.9, "eps": 1e-3, "momentum": 0.8, "weight_decay": 0.2}),
    ("lion", Lion, {"lr": 0.02}),
    ("lion", Lion, {"lr": 0.02, "betas": [0.8, 0.9], "weight_decay": 0.3}),
]
SIZES = [[3, 7], [5], []]
STEPS = 6


def flat(tensors):
    return [tensor.detach().double().flatten().tolist() for tensor in tensors]


def case(rule, optimizer, options, dtype):
    generator = torch.Generator().manual_seed(len(json.dumps(options)))
    draw = lambda sizes: torch.randn(sizes, generator=generator, dtype=torch.float64).to(dtype)
    parameters = [torch.nn.Parameter(draw(sizes)) for sizes in SIZES]
    written = {
        "rule": rule,
        "options": options,
        "dtype": str(dtype).removeprefix("torch."),
        "start": flat(parameters),
        "gradients": [],
        "parameters": [],
    }
    optimizer = optimizer(parameters, **options)
    for _ in range(STEPS):
        for parameter, sizes in zip(parameters, SIZES):
            parameter.grad = draw(sizes)
        written["gradients"].append(flat([parameter.grad for parameter in parameters]))
        optimizer.step()
        written["parameters"].append(flat(parameters))
    return written


def clipped():
    generator = torch.Generator().manual_seed(1)
    parameters = [torch.nn.Parameter(torch.zeros(sizes, dtype=torch.float64)) for sizes in SIZES]
    for parameter, sizes in zip(parameters, SIZES):
        parameter.grad = torch.randn(sizes, generator=generator, dtype=torch.float64)
    gradients = lambda: flat([parameter.grad for parameter in parameters])
    written = {"gradient": gradients(), "max_norm": 2.0, "limit": 0.25}
    written["norm"] = torch.nn.utils.clip_grad_norm_(parameters, 2.0).item()
    written["by_norm"] = gradients()
    torch.nn.utils.clip_grad_value_(parameters, 0.25)
    written["by_value"] = gradients()
    return written


def rates(make, steps):
    parameter = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([parameter], lr=0.5)
    scheduler = make(optimizer)
    rates = []
    for _ in range(steps):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return rates


SCHEDULES = {
    "steps": lambda optimizer: torch.optim.lr_scheduler.StepLR(optimizer, 7, gamma=0.3),
    "exponential": lambda optimizer: torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9),
    "cosine": lambda optimizer: torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 20, eta_min=0.05),
    "linear": lambda optimizer: torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.2, total_iters=15),
}

json.dump(
    {
        "torch": torch.__version__,
        "sizes": SIZES,
        "cases": [case(*row, dtype) for row in CASES for dtype in (torch.float64, torch.float32)],
        "clip": clipped(),
        "schedules": {name: rates(make, 21) for name, make in SCHEDULES.items()},
    },
    sys.stdout,
)
print()
