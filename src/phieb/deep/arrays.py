"""Networks, optimisers and pictures as arrays of a checkpoint."""

import zlib
from collections.abc import Mapping
from importlib.metadata import version
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from phieb import arguments

Arrays = dict[str, NDArray[Any]]
LIBRARIES = ("torch", "stable-baselines3", "sb3-contrib")


def libraries() -> NDArray[np.uint8]:
    """The versions that the numbers of a deep agent depend on."""
    said = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return np.frombuffer(said.encode(), np.uint8).copy()


def check_libraries(state: Mapping[str, NDArray[Any]]) -> None:
    """A state must be of these versions."""
    there = bytes(arguments.part("state", state, "libraries")).decode(errors="replace")
    here = bytes(libraries()).decode()
    if there != here:
        raise ValueError(f"was saved with {there}, and here are {here}")


def prefixed(prefix: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    """The same arrays, with a word and a point before each name."""
    return {f"{prefix}.{name}": array for name, array in arrays.items()}


def under(prefix: str, state: Mapping[str, NDArray[Any]]) -> Arrays:
    """The arrays whose names start with this word and a point, without it."""
    start = f"{prefix}."
    return {name.removeprefix(start): state[name] for name in state if name.startswith(start)}


def of_module(module: torch.nn.Module) -> Arrays:
    """Copies of all parameters and buffers of a network."""
    return {name: t.detach().numpy().copy() for name, t in module.state_dict().items()}


def into_module(module: torch.nn.Module, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Set all parameters and buffers of a network."""
    mine = module.state_dict()
    if mine.keys() != arrays.keys():
        odd = sorted(mine.keys() ^ arrays.keys())[0]
        raise ValueError(f"is of another network: {odd}")
    for name, tensor in mine.items():
        array = arrays[name]
        if array.shape != tuple(tensor.shape) or array.dtype != tensor.numpy().dtype:
            raise ValueError(f"is of another network: {name} is {array.dtype} {array.shape}")
        tensor.copy_(torch.from_numpy(array.copy()))


def of_optimizer(optimizer: torch.optim.Optimizer) -> Arrays:
    """What an optimiser remembers of each parameter."""
    return {
        f"{index}.{name}": value.detach().numpy().copy()
        for index, mine in optimizer.state_dict()["state"].items()
        for name, value in mine.items()
    }


def into_optimizer(optimizer: torch.optim.Optimizer, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Make an optimiser remember the same; its settings stay."""
    shapes = [tuple(p.shape) for group in optimizer.param_groups for p in group["params"]]
    remembered: dict[int, dict[str, torch.Tensor]] = {}
    for name, array in arrays.items():
        index, _, what = name.partition(".")
        if not index.isdigit() or int(index) >= len(shapes):
            raise ValueError(f"is of another optimiser: {name}")
        if array.shape not in ((), shapes[int(index)]) or array.dtype != np.float32:
            raise ValueError(f"is of another optimiser: {name} is {array.dtype} {array.shape}")
        remembered.setdefault(int(index), {})[what] = torch.from_numpy(array.copy())
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": remembered, "param_groups": groups})


def is_finite(module: torch.nn.Module) -> bool:
    """Whether all parameters are finite numbers."""
    return all(bool(torch.isfinite(p).all()) for p in module.parameters())


def packed_pictures(pictures: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Pictures, compressed: each is mostly like the one before, whose bytes are taken off it."""
    change = pictures.copy()
    change[1:] ^= pictures[:-1]
    return np.frombuffer(zlib.compress(change.tobytes(), 1), np.uint8)


def unpacked_pictures(data: NDArray[np.uint8], shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """The pictures that `packed_pictures` compressed, which must be of this shape."""
    size = int(np.prod(shape))
    try:
        decompressor = zlib.decompressobj()
        raw = decompressor.decompress(data.tobytes(), size) if size else b""
    except zlib.error as error:
        raise ValueError(f"its pictures are damaged: {error}") from None
    if len(raw) != size:
        raise ValueError(f"its pictures are damaged: {len(raw)} bytes instead of {size}")
    pictures = np.frombuffer(raw, np.uint8).reshape(shape).copy()
    for before, picture in pairwise(pictures):
        picture ^= before
    return pictures
