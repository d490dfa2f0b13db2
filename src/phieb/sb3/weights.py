"""Weights of a torch module as arrays, and back."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from phieb import arguments


def weights_of(module: torch.nn.Module, prefix: str) -> dict[str, NDArray[Any]]:
    """A copy of all its parameters and buffers, by the prefix and their names."""
    found = module.state_dict().items()
    return {f"{prefix}{name}": part.detach().cpu().numpy().copy() for name, part in found}


def checked_weights(
    module: torch.nn.Module, prefix: str, state: Mapping[str, NDArray[Any]]
) -> dict[str, torch.Tensor]:
    """Its part of a saved state, for `load_state_dict`.

    Raises:
        ValueError: an array is missing, has another shape or dtype, or holds infinite numbers.
    """
    checked = {}
    for name, here in module.state_dict().items():
        mine = here.detach().cpu().numpy()
        kind = mine.dtype.type
        saved = arguments.array_part("state", state, f"{prefix}{name}", kind, mine.shape)
        arguments.finite(f"state[{prefix + name!r}]", saved)
        checked[name] = torch.as_tensor(np.array(saved))
    return checked
