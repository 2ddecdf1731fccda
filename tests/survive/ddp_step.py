"""A training step of a small model with three ops of the catalogue; run as a program, in two processes under DDP."""

import sys
from pathlib import Path

import numpy as np
import torch
from torch import distributed

from torch_impl.activation.swish import swish
from torch_impl.sparse.sparsemax import sparsemax
from torch_impl.straight_through.ste_round import ste_round

BATCH = 6


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        rng = np.random.default_rng(0)
        self.first, self.second = (
            torch.nn.Parameter(torch.from_numpy(rng.standard_normal(shape))) for shape in ((4, 5), (5, 3))
        )

    def forward(self, x):
        hidden = ste_round(4 * swish(x @ self.first)) / 4
        return sparsemax(hidden @ self.second)


def gradients(model, own):
    """Return the gradients of the mean loss of a part of the batch."""
    rng = np.random.default_rng(1)
    x, wanted = (torch.from_numpy(rng.standard_normal((BATCH, n)))[own] for n in (4, 3))
    ((model(x) - wanted) ** 2).mean().backward()
    return [weight.grad.numpy() for weight in model.parameters()]


def main(rank, folder):
    store = distributed.FileStore(str(Path(folder) / "store"), 2)
    distributed.init_process_group("gloo", store=store, rank=rank, world_size=2)
    half = slice(rank * BATCH // 2, (rank + 1) * BATCH // 2)
    found = gradients(torch.nn.parallel.DistributedDataParallel(Model()), half)
    np.savez(Path(folder) / f"{rank}.npz", *found)
    distributed.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
